//! Names: what symbols, variables, functions, domains and graphs are called in HRG.
//!
//! Symbols keep their names, since moves consist of them, unless HRG reserves these; everything else gives way to them.

use rg_ir::ids::Id as _;
use rg_ir::types::TypeKind;
use rg_ir::{Expr, Game, Label, Symbol, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Words that mean something in statements and conditions.
const WORDS: &[&str] = &["check", "break", "continue", "return", "end", "not", "reachable", "true", "false", "forall"];

/// Domains that every program has, and types of RG that are known in HRG.
const DOMAINS: &[&str] = &["Player", "Score", "Bool", "PlayerOrSystem", "Goals", "Visibility"];

/// A symbol as a term: the constructor and its arguments.
pub(crate) type Parts<'n> = (&'n str, Vec<&'n str>);

/// Names in use.
pub(crate) struct Names {
    /// How symbols are spelt that HRG cannot spell.
    renamed: FxHashMap<Symbol, String>,
    /// Names of symbols, and of the arguments of terms.
    symbols: FxHashSet<String>,
    tags: FxHashSet<String>,
    /// Names of variables, functions and domains, and all of `symbols`.
    taken: Taken,
    graphs: Taken,
}

impl Names {
    pub(crate) fn new(game: &Game) -> Self {
        let used = used(game);
        let tags = tags(game);
        let mut names = Self {
            renamed: FxHashMap::default(),
            symbols: FxHashSet::default(),
            tags: tags.iter().map(|&tag| game.name(tag).to_owned()).collect(),
            taken: WORDS.iter().chain(DOMAINS).map(|&word| word.to_owned()).collect(),
            graphs: WORDS.iter().map(|&word| word.to_owned()).chain(["rules".to_owned()]).collect(),
        };
        for &symbol in &used {
            let name = game.name(symbol);
            if let Some((constructor, arguments)) = term(name) {
                names.symbols.insert(constructor.to_owned());
                names.symbols.extend(arguments.into_iter().map(str::to_owned));
            }
            names.symbols.insert(name.to_owned());
        }
        names.taken.extend(names.symbols.iter().cloned());
        for &symbol in used.iter().chain(&tags).filter(|&&symbol| is_strange(game.name(symbol))) {
            if names.renamed.contains_key(&symbol) {
                continue;
            }
            let name = names.fresh(game.name(symbol));
            names.symbols.insert(name.clone());
            names.renamed.insert(symbol, name);
        }
        names
    }

    /// Symbols that have other names in HRG, with these.
    pub(crate) fn renamed(&self) -> impl Iterator<Item = (Symbol, &str)> {
        self.renamed.iter().map(|(&symbol, name)| (symbol, name.as_str()))
    }

    /// A symbol as one word.
    pub(crate) fn word<'n>(&'n self, game: &'n Game, symbol: Symbol) -> &'n str {
        self.renamed.get(&symbol).map_or_else(|| game.name(symbol), String::as_str)
    }

    /// A symbol as a value: `P(0, 1)` for `P__0_1`.
    pub(crate) fn value(&self, game: &Game, symbol: Symbol) -> String {
        let word = self.word(game, symbol);
        match term(word) {
            Some((constructor, arguments)) => format!("{constructor}({})", arguments.join(", ")),
            None => word.to_owned(),
        }
    }

    /// A name for a declaration, as similar to `name` as possible.
    pub(crate) fn fresh(&mut self, name: &str) -> String {
        // A name that is reserved is no name, with or without a number behind it.
        let stem = if name.chars().all(|c| c == '_') { "blank" } else { name };
        self.taken.unused(stem)
    }

    /// A name for a graph: the one of the node in which it begins, without the number behind it.
    pub(crate) fn graph(&mut self, node: &str, otherwise: &str) -> String {
        let stem = node.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
        let begins_small = stem.chars().next().is_some_and(char::is_lowercase);
        let stem = if begins_small && !["begin", "rules"].contains(&stem) { stem } else { otherwise };
        self.graphs.unused(stem)
    }

    /// Names for variables of patterns, which no symbol has.
    pub(crate) fn patterns(&self, count: usize) -> Vec<String> {
        let letters = ["X", "Y", "Z", "V", "W"].into_iter().map(str::to_owned);
        let all = letters.chain((1..).map(|number: u32| format!("X{number}")));
        all.filter(|name| !self.symbols.contains(name)).take(count).collect()
    }

    /// A name for the variable of a `branch`, which nothing else has.
    pub(crate) fn bound(&mut self) -> String {
        // It would stand for a tag, too.
        self.taken.extend(self.tags.iter().cloned());
        let letter = ["f", "g", "s", "e"].into_iter().find(|name| !self.taken.contains(name));
        self.taken.unused(letter.unwrap_or("f"))
    }
}

/// Names that are in use.
#[derive(Default)]
struct Taken {
    names: FxHashSet<String>,
    /// By stem, the number to try next: those below are in use.
    next: FxHashMap<String, u32>,
}

impl Taken {
    fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    fn extend(&mut self, names: impl IntoIterator<Item = String>) {
        self.names.extend(names);
    }

    /// The stem, or the stem with the smallest number from 2 that makes a name that is not in use; it is in use then. Amortised constant time.
    fn unused(&mut self, stem: &str) -> String {
        if !hrg::is_reserved(stem) && self.names.insert(stem.to_owned()) {
            return stem.to_owned();
        }
        let number = self.next.entry(stem.to_owned()).or_insert(2);
        loop {
            let name = format!("{stem}_{number}");
            *number += 1;
            if !hrg::is_reserved(&name) && self.names.insert(name.clone()) {
                return name;
            }
        }
    }
}

impl FromIterator<String> for Taken {
    fn from_iter<I: IntoIterator<Item = String>>(names: I) -> Self {
        Self { names: names.into_iter().collect(), next: FxHashMap::default() }
    }
}

/// Whether HRG cannot spell a symbol, or would take it for something else.
fn is_strange(name: &str) -> bool {
    hrg::is_reserved(name) || name == "_" || DOMAINS.contains(&name)
}

/// The term that a symbol stands for, if it is one: `P__0_1` for `P(0, 1)`.
pub(crate) fn term(name: &str) -> Option<Parts<'_>> {
    let (constructor, arguments) = name.split_once("__")?;
    let arguments: Vec<&str> = arguments.split('_').collect();
    let is_upper = constructor.chars().next().is_some_and(char::is_uppercase);
    let plain = |word: &&str| !word.is_empty() && !is_strange(word);
    // In a pattern, an argument that begins upper-case would be a variable.
    let is_value = |word: &&str| plain(word) && !word.chars().next().is_some_and(char::is_uppercase);
    (is_upper && plain(&constructor) && arguments.iter().all(is_value)).then_some((constructor, arguments))
}

/// The tags of edges, in a fixed order.
fn tags(game: &Game) -> Vec<Symbol> {
    let tag = |label| if let Label::Tag(tag) = label { Some(tag) } else { None };
    let mut tags: Vec<Symbol> = game.automaton.edges().filter_map(|(_, edge)| tag(edge.label)).collect();
    tags.sort_unstable();
    tags.dedup();
    tags
}

/// The symbols of all types and expressions, in a fixed order.
fn used(game: &Game) -> Vec<Symbol> {
    let mut used: FxHashSet<Symbol> = FxHashSet::default();
    for index in 0..game.types.len() {
        if let TypeKind::Set(members) = game.types.kind(TypeId::from_index(index)) {
            used.extend(members.iter().copied());
        }
    }
    for (_, edge) in game.automaton.edges() {
        for expr in edge.label.exprs() {
            game.exprs.preorder(expr, |_, expr| {
                used.extend(if let Expr::Symbol(symbol) = expr { Some(symbol) } else { None })
            });
        }
    }
    let mut used: Vec<Symbol> = used.into_iter().collect();
    used.sort_unstable();
    used
}
