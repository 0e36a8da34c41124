//! A label that leads to two states is an error of the game, and the engines say so, unless they are to split it.
#![allow(clippy::unwrap_used)] // a test stops at the first surprise

use backend::{Ambiguity, ErrorKind, Options, Reasoner};
use rg_ir::SourceId;

/// After `step`, the player may go on or stop, and the given arms tell.
fn perft(more: &str, stop: &str, ambiguity: Ambiguity) -> Result<u64, ErrorKind> {
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
    let options = Options { ambiguity, ..Options::default() };
    let reasoner = Reasoner::with_options(&game, options).unwrap();
    reasoner.perft(&reasoner.initial().unwrap(), 3).map_err(|error| error.kind)
}

#[test]
fn silent_choices_are_ambiguous_and_tags_tell_them_apart() {
    for (more, stop) in [("$ more", "$ stop"), ("", "$ stop"), ("", "")] {
        let wanted = if stop.is_empty() { Err(ErrorKind::Ambiguous) } else { Ok(2) };
        assert_eq!(perft(more, stop, Ambiguity::Error), wanted, "`{more}`, `{stop}`");
        assert_eq!(perft(more, stop, Ambiguity::Split), Ok(2), "`{more}`, `{stop}`");
    }
}
