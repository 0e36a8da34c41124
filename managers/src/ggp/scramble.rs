//! Other names for the symbols of a game, so that players learn nothing from what they mean.

use super::message::{Token, tokens};
use backend::Rng;
use rustc_hash::FxHashMap;

/// Syllables of made-up names.
const SYLLABLES: [&str; 24] = [
    "ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "qui", "ro", "su", "ta", "ve", "wi", "xo",
    "yu", "za", "che", "sti", "blo",
];

/// Syllables of a name at least.
const LENGTH: u32 = 3;

/// A one-to-one renaming of the symbols of a game. Words of the language, variables, numbers and the role `random` keep their names.
#[derive(Clone, Debug, Default)]
pub struct Scramble {
    hidden: FxHashMap<String, String>,
    plain: FxHashMap<String, String>,
}

impl Scramble {
    /// A renaming of all symbols of these rules, drawn by that generator. Near-linear.
    pub fn new(rules: &str, rng: &mut Rng) -> Self {
        let mut scramble = Self::default();
        for word in words(rules).filter(|word| !is_fixed(word)) {
            if scramble.hidden.contains_key(&word) {
                continue;
            }
            let mut length = LENGTH;
            let name = loop {
                let syllable = |_| SYLLABLES.get(rng.below(SYLLABLES.len() as u32) as usize).copied().unwrap_or("ba");
                let name: String = (0..length).map(syllable).collect();
                if !scramble.plain.contains_key(&name) && !is_fixed(&name) {
                    break name;
                }
                length += 1;
            };
            scramble.plain.insert(name.clone(), word.clone());
            scramble.hidden.insert(word, name);
        }
        scramble
    }

    /// A text with the other names. Linear.
    pub fn hide(&self, text: &str) -> String {
        renamed(text, &self.hidden)
    }

    /// A text with the names of the rules; words that are no names stay. Linear.
    pub fn reveal(&self, text: &str) -> String {
        renamed(text, &self.plain)
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    tokens(text).filter_map(|(_, token)| match token {
        Token::Word(word) => Some(word.to_lowercase()),
        Token::Open | Token::Close => None,
    })
}

fn is_fixed(word: &str) -> bool {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    gdl::is_reserved(word) || word.starts_with('?') || is_number || ["random", "nil"].contains(&word)
}

/// A text, without its comments, with other words. Linear.
fn renamed(text: &str, names: &FxHashMap<String, String>) -> String {
    let (mut out, mut end) = (String::with_capacity(text.len()), 0);
    for (at, token) in tokens(text) {
        // White space and comments in between.
        let between = text.get(end..at).unwrap_or_default();
        out.push_str(if between.contains('\n') {
            "\n"
        } else if between.is_empty() {
            ""
        } else {
            " "
        });
        let piece = match token {
            Token::Open => "(",
            Token::Close => ")",
            Token::Word(word) => word,
        };
        end = at + piece.len();
        match names.get(&piece.to_lowercase()) {
            Some(name) => out.push_str(name),
            None => out.push_str(piece),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    const RULES: &str = "(role white) (role random) ; two roles\n(init (cell 1 b))\n(<= (legal White (mark ?x 1)) (true (cell ?x b)))\n\
                         (<= (goal white 100) terminal)";

    #[test]
    fn names_are_hidden_and_come_back() {
        let scramble = Scramble::new(RULES, &mut Rng::new(1));
        let hidden = scramble.hide(RULES);
        for name in ["white", "White", "cell", "mark", " b)"] {
            assert!(!hidden.contains(name), "{hidden}");
        }
        for kept in ["(role random)", "(init (", " 1 ", "?x", "<= (legal ", "100) terminal", "(true ("] {
            assert!(hidden.contains(kept), "{kept}: {hidden}");
        }
        let lower = RULES.to_lowercase().replace(" ; two roles", "");
        assert_eq!(scramble.reveal(&hidden), lower);
        assert_eq!(scramble.reveal("(unheard of)"), "(unheard of)");
    }

    #[test]
    fn different_symbols_have_different_names_that_depend_on_the_seed() {
        let many: String = (0..5_000).map(|number| format!("(s{number} a) ")).collect();
        let scramble = Scramble::new(&many, &mut Rng::new(7));
        let names: HashSet<&String> = scramble.hidden.values().collect();
        assert_eq!(names.len(), 5_001);
        let other = Scramble::new(RULES, &mut Rng::new(2)).hide(RULES);
        assert_ne!(other, Scramble::new(RULES, &mut Rng::new(1)).hide(RULES));
    }
}
