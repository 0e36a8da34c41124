//! Helpers shared by the tests.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

#[path = "../../../testing.rs"]
mod testing;

#[allow(unused_imports)] // not all tests need both
pub(crate) use testing::{corpus, render};

use backend::{Engine, Moves, Reasoner, State};
use rg_ir::{Game, SourceId};

/// Domains that most small games need.
pub(crate) const BASE: &str = "domain Player = p | q\ndomain Score = 0 | 1\ndomain N = I(X) where X in 0..2\nv: N\n";

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
