//! Laws of the text syntax on real games.

#![allow(clippy::unwrap_used)]

mod common;

use rg_ir::{SourceId, text};

const SOURCE: SourceId = SourceId(0);

#[test]
fn corpus_games_parse_without_errors_and_survive_printing() {
    for (name, source) in common::corpus("rg", "rg") {
        let (game, findings) = text::parse(SOURCE, &source);
        assert_eq!(common::render(&source, &findings), "", "{name}");
        let game = game.unwrap();
        let printed = text::print(&game);
        let (again, findings) = text::parse(SOURCE, &printed);
        assert_eq!(common::render(&printed, &findings), "", "{name}, printed");
        let again = again.unwrap();
        assert!(game == again, "{name}: another game after printing");
        assert_eq!(printed, text::print(&again), "{name}: printing is not stable");
    }
}
