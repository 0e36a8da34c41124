//! Identifiers of RG for the names of GDL.

use rustc_hash::FxHashSet;

/// Names that mean something in RG.
const TAKEN: &[&str] = &["keeper", "random", "goals", "player", "visible", "const", "type", "var"];

/// Gives out names, each once.
#[derive(Clone, Debug)]
pub(super) struct Names {
    taken: FxHashSet<String>,
}

impl Names {
    pub(super) fn new() -> Self {
        Self { taken: TAKEN.iter().map(|&name| name.to_owned()).collect() }
    }

    /// Whether the name was given out.
    pub(super) fn has(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// A name like `text` that was not given out.
    pub(super) fn fresh(&mut self, text: &str) -> String {
        let stem = identifier(text);
        let mut name = stem.clone();
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{stem}_{number}");
        }
        name
    }
}

/// A KIF string as an identifier: runs of characters that may not stand in one become `_`.
pub(super) fn identifier(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let c = match c {
            '+' => 'p',
            c if c.is_ascii_alphanumeric() => c,
            _ => '_',
        };
        if c != '_' || !(out.is_empty() || out.ends_with('_')) {
            out.push(c);
        }
    }
    let end = out.trim_end_matches('_').len();
    out.truncate(end);
    if out.is_empty() {
        out.push('x');
    }
    out
}

/// `row_count` as `RowCount`, for names of types.
pub(super) fn camel(text: &str) -> String {
    let capital = |word: &str| {
        let mut chars = word.chars();
        chars.next().map(|first| first.to_ascii_uppercase().to_string() + chars.as_str()).unwrap_or_default()
    };
    identifier(text).split('_').map(capital).collect()
}

/// What a goal value is worth as a score: natural numbers are, as RG has no others.
pub fn as_score(text: &str) -> Option<u64> {
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}
