//! Names: words of GDL for what is called something in RG.
//!
//! In RG case matters, in GDL it does not, and there are reserved words; so names are put in small letters, and get a number where they would clash.
//! Letters that ASCII does not have become `_`.

use rg_ir::{Game, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// Words that mean something in GDL, or that translations use themselves.
const TAKEN: &[&str] = &[
    "role",
    "base",
    "input",
    "init",
    "true",
    "does",
    "legal",
    "next",
    "terminal",
    "goal",
    "sees",
    "distinct",
    "not",
    "or",
    "and",
    "noop",
    "move",
    "control",
    "leads_to",
    "leads_before",
    "told",
    "turn",
    "idle",
];

/// A name in small letters, digits and `_`: words of GDL have ASCII characters only, and some of these are signs.
pub(crate) fn plain(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    name.chars().map(letter).collect()
}

/// Words in use.
pub(crate) struct Names {
    taken: FxHashSet<String>,
    symbols: FxHashMap<Symbol, String>,
}

impl Names {
    pub(crate) fn new() -> Self {
        let mut taken: FxHashSet<String> = TAKEN.iter().map(|&word| word.to_owned()).collect();
        // The role of chance has that name, and nothing else may.
        taken.insert("random".to_owned());
        Self { taken, symbols: FxHashMap::default() }
    }

    /// A word of its own, as similar to a name as possible.
    pub(crate) fn fresh(&mut self, name: &str) -> String {
        let stem = plain(name);
        let mut word = stem.clone();
        let mut number = 2;
        while !self.taken.insert(word.clone()) {
            word = format!("{stem}_{number}");
            number += 1;
        }
        word
    }

    /// The word for a symbol.
    pub(crate) fn symbol(&mut self, game: &Game, symbol: Symbol) -> String {
        if let Some(word) = self.symbols.get(&symbol) {
            return word.clone();
        }
        let name = game.name(symbol);
        let word = if name == "random" { name.to_owned() } else { self.fresh(name) };
        self.symbols.insert(symbol, word.clone());
        word
    }
}
