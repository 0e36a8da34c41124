//! RG texts: nothing panics, and what parses survives printing, JSON and formatting.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rg_ir::{SourceId, check, json, text};

fuzz_target!(|input: &str| {
    let source = SourceId(0);
    let formatted = text::format(source, input);
    let (Some(game), _) = text::parse(source, input) else { return };
    let _ = check::check(&game);
    let (printed, _) = text::parse(source, &text::print(&game));
    assert_eq!(printed.as_ref(), Some(&game), "printing changed the game");
    if let Ok(read) = json::from_json(source, &json::to_json(&game)) {
        assert_eq!(read, game, "JSON changed the game");
    }
    if let Ok(formatted) = formatted {
        assert_eq!(text::parse(source, &formatted).0.as_ref(), Some(&game), "formatting changed the game");
    }
});
