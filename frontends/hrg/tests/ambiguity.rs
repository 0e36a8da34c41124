//! A label that leads to two states is an error of the game, and the engines say so.
#![allow(clippy::unwrap_used)] // a test stops at the first surprise

use backend::{Engine, ErrorKind, Reasoner};
use rg_ir::SourceId;

/// After `step`, the player may go on or stop, and the given arms tell.
fn perft(more: &str, stop: &str) -> Result<u64, ErrorKind> {
    let text = format!(
        "domain Player = p domain Score = 0 | 1
        graph rules() {{
          player = p
          loop {{ $ step branch {{ {more} }} or {{ {stop} break() }} player = p }}
          player = keeper
          end()
        }}"
    );
    let game = hrg::load(SourceId(0), &text).0.unwrap().game;
    let reasoner = Reasoner::new(&game, Engine::Auto).unwrap();
    reasoner.perft(&reasoner.initial().unwrap(), 3).map_err(|error| error.kind)
}

#[test]
fn silent_choices_are_ambiguous_and_tags_tell_them_apart() {
    assert_eq!(perft("", ""), Err(ErrorKind::Ambiguous));
    assert_eq!(perft("$ more", "$ stop"), Ok(2));
    assert_eq!(perft("", "$ stop"), Ok(2));
}
