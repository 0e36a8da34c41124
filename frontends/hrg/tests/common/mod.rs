//! Helpers shared by the tests.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

use backend::{Engine, Moves, Reasoner, State};
use rg_ir::{Diagnostic, Game, SourceId, SourceMap};
use std::fmt::Write as _;

/// Domains that most small games need.
pub(crate) const BASE: &str = "domain Player = p | q\ndomain Score = 0 | 1\ndomain N = I(X) where X in 0..2\nv: N\n";

/// Findings as text: a line for each, its places below it.
pub(crate) fn render(text: &str, diagnostics: &[Diagnostic]) -> String {
    let mut map = SourceMap::default();
    map.add("test.hrg", text);
    let mut out = String::new();
    for diagnostic in diagnostics {
        writeln!(out, "{}[{}]: {}", diagnostic.severity.name(), diagnostic.code, diagnostic.message).unwrap();
        for (index, annotation) in diagnostic.primary.iter().chain(&diagnostic.secondary).enumerate() {
            let arrow = if index == 0 { "-->" } else { "..." };
            let (line, column) = map.position(annotation.span).unwrap();
            let shown = text[annotation.span.range()].split_whitespace().collect::<Vec<_>>().join(" ");
            let line = format!("  {arrow} {line}:{column} `{shown}` {}", annotation.text);
            writeln!(out, "{}", line.trim_end()).unwrap();
        }
        for note in &diagnostic.notes {
            writeln!(out, "  note: {note}").unwrap();
        }
        if let Some(help) = &diagnostic.help {
            writeln!(out, "  help: {help}").unwrap();
        }
    }
    out
}

/// The findings of a description, as text.
pub(crate) fn findings(text: &str) -> String {
    render(text, &hrg::load(SourceId(0), text).1)
}

/// Compares with (or records) `snapshots/hrg/<name>.snap` at the root of the repository.
pub(crate) fn snapshot(name: &str, text: &str) {
    insta::with_settings!({
        snapshot_path => "../../../../snapshots/hrg",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, text);
    });
}

/// A game without errors.
pub(crate) fn load(text: &str) -> Game {
    let (lowered, findings) = hrg::load(SourceId(0), text);
    lowered.unwrap_or_else(|| panic!("{text}\n{}", render(text, &findings))).game
}

/// A game at its beginning.
pub(crate) struct Play {
    pub(crate) reasoner: Reasoner,
    pub(crate) state: State,
}

impl Play {
    pub(crate) fn new(text: &str) -> Self {
        let reasoner = Reasoner::new(&load(text), Engine::Auto).unwrap();
        let state = reasoner.initial().unwrap_or_else(|error| panic!("{text}\n{error}"));
        Self { reasoner, state }
    }

    /// Legal moves, their tags separated by spaces, in alphabetical order.
    pub(crate) fn moves(&self) -> Vec<String> {
        let mut moves = Moves::new();
        self.reasoner.legal_moves(&self.state, &mut moves).unwrap();
        let tags = |index| moves.tags(index).iter().map(|&tag| self.reasoner.tag_name(tag)).collect::<Vec<_>>();
        let mut texts: Vec<String> = (0..moves.len()).map(|index| tags(index).join(" ")).collect();
        texts.sort();
        texts
    }

    /// Numbers of plays of 1, 2, ... moves.
    pub(crate) fn perft(&self, depth: u32) -> Vec<u64> {
        (1..=depth).map(|depth| self.reasoner.perft(&self.state, depth).unwrap()).collect()
    }
}
