//! What editors ask of a language.

use rg_ir::SourceId;
use rg_ir::diag::Fix;
use rg_ir::index::{CallForm, Expected, Index};
use rg_ir::lexical::Pattern;
use std::ops::Range;

/// What editors ask about texts of a language, in milliseconds; texts with mistakes are answered about as well as possible.
#[derive(Clone, Copy)]
pub struct Editing {
    /// The names of a text, and where they stand.
    pub index: fn(SourceId, &str) -> Index,
    /// What may stand before a byte of a text.
    pub expected: fn(&str, usize) -> Expected,
    /// How calls are written in a text, if it can have any.
    pub calls: fn(&str) -> Option<CallForm>,
    /// What the macro call at a byte of a text expands to there; nothing if none is there, or the language has none.
    pub expansion: fn(SourceId, &str, u32) -> Option<String>,
    /// The change that makes a macro of what a range of bytes of a text has, if that can be one.
    pub extract: fn(SourceId, &str, Range<usize>) -> Option<Fix>,
    /// How words look.
    pub patterns: fn() -> Vec<Pattern>,
}

impl Editing {
    /// For languages without an index: nothing is known of their names.
    pub(super) const NONE: Editing = Editing {
        index: |_, _| Index::default(),
        expected: |_, _| Expected::default(),
        calls: |_| None,
        expansion: |_, _, _| None,
        extract: |_, _, _| None,
        patterns: Vec::new,
    };
}
