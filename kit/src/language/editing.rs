//! What editors ask of a language.

use crate::expand::{CallExpansion, Expansion};
use rg_ir::SourceId;
use rg_ir::diag::Fix;
use rg_ir::index::{CallForm, EntityKind, Expected, Hint, Index};
use rg_ir::lexical::Pattern;
use std::ops::Range;

/// Something that the language itself gives arguments to, separated by commas.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownCall {
    /// Its name.
    pub name: &'static str,
    /// What it takes, in order.
    pub parameters: Vec<&'static str>,
    /// What it makes, in a few words.
    pub meaning: &'static str,
}

/// What stands at a byte of a text, with the bytes that this is about, and what it says.
pub(crate) type Told = fn(&str, u32) -> Option<(Range<usize>, String)>;

/// What editors ask about texts of a language, in milliseconds; texts with mistakes are answered about as well as possible.
#[derive(Clone, Copy)]
pub struct Editing {
    /// The names of a text, and where they stand.
    pub index: fn(SourceId, &str) -> Index,
    /// Remarks about a text that take longer to find than its names: how large something is.
    pub sizes: fn(SourceId, &str) -> Vec<Hint>,
    /// What may stand before a byte of a text.
    pub expected: fn(&str, usize) -> Expected,
    /// How calls are written in a text, if it can have any.
    pub calls: fn(&str) -> Option<CallForm>,
    /// What the language itself gives arguments to, beside what texts declare.
    pub known_calls: fn() -> Vec<KnownCall>,
    /// What the macro call at a byte of a text expands to there; nothing if none is there, or the language has none.
    pub expansion: fn(SourceId, &str, u32) -> Option<String>,
    /// The same for the whole call, with the way back, and for a whole text; for languages in which there is something to expand.
    pub expand: Option<(Expansion, Option<CallExpansion>)>,
    /// The change that makes a macro of what a range of bytes of a text has, if that can be one.
    pub extract: fn(SourceId, &str, Range<usize>) -> Option<Fix>,
    /// Why something of a kind in a text cannot have that name, if the name is not even written like one.
    pub misnamed: fn(&str, EntityKind, &str) -> Option<String>,
    /// What a word of the language means, in a line; nothing if it is none.
    pub meaning: fn(&str) -> Option<&'static str>,
    /// What a number or sign at a byte of a text says there, with the bytes that this is about; where its place tells more than the word.
    pub told: Told,
    /// How words look.
    pub patterns: fn() -> Vec<Pattern>,
}

impl Editing {
    /// For languages without an index: nothing is known of their names.
    pub(super) const NONE: Editing = Editing {
        index: |_, _| Index::default(),
        sizes: |_, _| Vec::new(),
        expected: |_, _| Expected::default(),
        calls: |_| None,
        known_calls: Vec::new,
        expansion: |_, _, _| None,
        expand: None,
        extract: |_, _, _| None,
        misnamed: |_, _, _| None,
        meaning: |_| None,
        told: |_, _| None,
        patterns: Vec::new,
    };
}
