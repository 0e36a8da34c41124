//! What may stand at a place of a text: the lists or brackets that are open there tell.

mod open;

use crate::ast::Syntax;
use crate::index::reserved;
use open::{Open, Place};
use rg_ir::index::{EntityKind, Expected, Slot};

/// Relations of the language that rules define, and those that conditions ask for.
const HEADS: [&str; 9] = ["role", "base", "input", "init", "legal", "next", "terminal", "goal", "sees"];
const CONDITIONS: [&str; 8] = ["true", "does", "role", "legal", "terminal", "goal", "base", "input"];
/// Operators of prefix texts, which have conditions or terms behind them.
const OPERATORS: [&str; 3] = ["not", "or", "distinct"];

/// What may stand before byte `offset` of a text, instead of the part of a word that does. Linear.
pub fn expected(text: &str, offset: usize) -> Expected {
    expected_in(text, offset, Syntax::of(text))
}

/// As [`expected`], in that syntax.
pub fn expected_in(text: &str, offset: usize, syntax: Syntax) -> Expected {
    let before = text.get(..text.floor_char_boundary(offset)).unwrap_or_default();
    let in_word = |c: char| match syntax {
        Syntax::Prefix => !c.is_whitespace() && !matches!(c, '(' | ')' | ';'),
        Syntax::Infix | Syntax::Prolog => c == '_' || c.is_ascii_alphanumeric(),
    };
    let start = before.trim_end_matches(in_word);
    let line = start.get(start.rfind(['\n', '\r']).map_or(0, |at| at + 1)..).unwrap_or_default();
    let comments: &[char] = match syntax {
        Syntax::Prefix => &[';'],
        Syntax::Infix => &['%', ';'],
        Syntax::Prolog => &['%'],
    };
    if line.contains(comments) {
        return Expected::default();
    }
    let Place { open, is_head } = open::place(start, syntax);
    let expected = match (syntax, open.as_slice()) {
        (Syntax::Prefix, []) => Expected::default(),
        (Syntax::Prefix, open) => in_lists(open),
        (Syntax::Infix | Syntax::Prolog, open) => match inner_call(open) {
            None => relation(if is_head { &HEADS } else { &CONDITIONS }, &[]),
            Some((callee, argument)) => term(callee, argument, Form::Both),
        },
    };
    Expected { start: u32::try_from(start.len()).unwrap_or(u32::MAX), ..expected }
}

/// How a term can be written at a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A word alone.
    Bare,
    /// What a list begins with.
    Bracketed,
    /// A word, with or without brackets behind it.
    Both,
}

/// What may stand in the innermost of these lists.
fn in_lists(open: &[Open]) -> Expected {
    // What holds for a list holds for the first word in it: it is a condition or rule, or else a term of an argument.
    let mut outer = Outer::Text;
    for list in open {
        let Some(head) = &list.head else {
            return match outer {
                Outer::Text => relation(&HEADS, &["<="]),
                Outer::Head => relation(&HEADS, &[]),
                Outer::Condition => relation(&CONDITIONS, &OPERATORS),
                Outer::Argument(callee, argument) => term(callee, argument, Form::Bracketed),
            };
        };
        let operator = outer.is_condition() && ["not", "or", "and"].contains(&head.as_str());
        outer = match head.as_str() {
            "<=" if matches!(outer, Outer::Text) && list.argument == 0 => Outer::Head,
            "<=" if matches!(outer, Outer::Text) => Outer::Condition,
            _ if operator => Outer::Condition,
            head => Outer::Argument(head, list.argument),
        };
    }
    match outer {
        Outer::Text => Expected::default(),
        Outer::Head => Expected { without_arguments: true, words: words(&["terminal"]), ..relation(&[], &[]) },
        Outer::Condition => Expected { without_arguments: true, words: words(&["terminal"]), ..relation(&[], &[]) },
        Outer::Argument(callee, argument) => term(callee, argument, Form::Bare),
    }
}

/// What a list or word is in.
enum Outer<'o> {
    /// Nothing.
    Text,
    /// A rule, as what it defines.
    Head,
    /// A rule, as a condition.
    Condition,
    /// A call, as the argument with that number.
    Argument(&'o str, usize),
}

impl Outer<'_> {
    fn is_condition(&self) -> bool {
        matches!(self, Outer::Condition)
    }
}

/// The innermost call that is open, and the number of the argument; nothing among conditions.
fn inner_call(open: &[Open]) -> Option<(&str, usize)> {
    // Brackets without a name are around conditions, unless they are in a call.
    let last = open.iter().rev().find(|bracket| bracket.head.is_some())?;
    let head = last.head.as_deref()?;
    Some((head, last.argument)).filter(|_| head != "not")
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn relation(relations: &[&str], operators: &[&str]) -> Expected {
    let words = words(&[relations, operators].concat());
    Expected { words, kinds: vec![EntityKind::Relation], ..Expected::default() }
}

/// A term that is an argument of a relation or function.
fn term(callee: &str, argument: usize, form: Form) -> Expected {
    use EntityKind::{Function, Parameter, Player, Value};
    let reserved = reserved::argument(callee, argument);
    let kinds = match (form, reserved.as_ref().map(|(what, _)| *what)) {
        (Form::Bracketed, _) => vec![Function],
        (_, Some("role")) => vec![Parameter, Player],
        (_, Some("score")) => vec![Parameter, Value],
        (Form::Bare, _) => vec![Parameter, Value, Player],
        (Form::Both, _) => vec![Parameter, Value, Player, Function],
    };
    let callees = reserved.map_or_else(|| vec![callee], |(_, same)| same);
    let callees = callees.into_iter().map(str::to_owned).collect();
    let slot = (callee != "distinct").then_some(Slot { callees, argument });
    Expected { kinds, slot, without_arguments: form == Form::Bare, ..Expected::default() }
}

#[cfg(test)]
mod tests;
