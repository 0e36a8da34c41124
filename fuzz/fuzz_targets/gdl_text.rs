//! GDL texts: nothing panics, descriptions survive printing and formatting, and what is lowered has no errors.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rg_ir::SourceId;
use std::time::Duration;

fuzz_target!(|input: &str| {
    let source = SourceId(0);
    if let Ok(formatted) = gdl::format(source, input) {
        assert_eq!(gdl::format(source, &formatted), Ok(formatted.clone()), "formatting twice is not formatting once");
    }
    let (Some(description), _) = gdl::read(source, input) else { return };
    let prefix = gdl::print_prefix(&description);
    let (again, _) = gdl::read(source, &prefix);
    assert!(again.is_some_and(|again| gdl::print_prefix(&again) == prefix), "printing changed the description");
    let (infix, _) = gdl::print_infix(&description);
    assert!(gdl::read(source, &infix).0.is_some(), "the infix text does not parse");
    // Small limits keep ground programs small enough to make progress.
    let limits = gdl::Limits { atoms: 10_000, conditions: 50_000, time: Duration::from_secs(2), depth: 16 };
    if let (Some(lowered), _) = gdl::load(source, input, limits) {
        let wrong = rg_ir::check::check(&lowered.game).into_iter().find(rg_ir::Diagnostic::is_error);
        assert!(wrong.is_none(), "{wrong:?}");
    }
});
