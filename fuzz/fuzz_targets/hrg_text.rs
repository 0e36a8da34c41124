//! HRG texts: nothing panics, descriptions survive printing and formatting, and what is translated has no errors.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rg_ir::{SourceId, check, diag};

fuzz_target!(|input: &str| {
    let source = SourceId(0);
    let formatted = hrg::format(source, input);
    let (Some(tree), _) = hrg::parse(source, input) else { return };
    let (again, _) = hrg::parse(source, &hrg::print(&tree));
    assert_eq!(again.as_ref(), Some(&tree), "printing changed the description");
    if let Ok(formatted) = formatted {
        assert_eq!(hrg::parse(source, &formatted).0.as_ref(), Some(&tree), "formatting changed the description");
    }
    if let (Some(lowered), _) = hrg::load(source, input) {
        assert!(!diag::has_errors(&check::check(&lowered.game)), "a translation has errors");
    }
});
