//! Helpers shared by the tests.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test stops at the first surprise

pub(crate) mod naive;
pub(crate) mod oracle;
pub(crate) mod play;
#[path = "../../../testing.rs"]
mod testing;

#[allow(unused_imports)] // not all tests need both
pub(crate) use testing::{corpus, render};

use rg_ir::SourceId;

/// The codes of all findings, in the order of the text.
pub(crate) fn codes(text: &str) -> Vec<&'static str> {
    gdl::parse(SourceId(0), text).1.iter().map(|finding| finding.code).collect()
}

/// The findings of a description, as text.
pub(crate) fn findings(text: &str) -> String {
    render(text, &gdl::parse(SourceId(0), text).1)
}

/// Compares with (or records) `snapshots/gdl/<name>.snap` at the root of the repository.
pub(crate) fn snapshot(name: &str, text: &str) {
    insta::with_settings!({
        snapshot_path => "../../../../snapshots/gdl",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, text);
    });
}
