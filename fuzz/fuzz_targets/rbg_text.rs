//! RBG texts: nothing panics, descriptions survive printing, and what is lowered has no errors.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rg_ir::SourceId;

fuzz_target!(|input: &str| {
    let source = SourceId(0);
    let _ = rbg::format(source, input);
    // A small limit keeps expansions, and so inputs, small enough to make progress.
    let (Some(description), _) = rbg::parse_within(source, input, 100_000) else { return };
    let (again, _) = rbg::parse(source, &rbg::print(&description));
    assert!(again.is_some_and(|again| again.same(&description)), "printing changed the description");
    if let Ok(lowered) = rbg::lower(&description) {
        let _ = rg_ir::check::check(&lowered.game);
    }
});
