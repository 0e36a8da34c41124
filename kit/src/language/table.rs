//! The table of languages: an entry for each, with what its front end does.

use super::lowering::{
    gdl_view, low_level_rbg, lower_gdl, lower_gdl_as, lower_hrg, lower_json, lower_rbg, lower_rg, lower_sbg, rbg_of_sbg,
};
use super::recognition::{looks_like_gdl, looks_like_hrg, looks_like_rg, skip_comments};
use super::{Editing, KnownCall, Language, View, naming};
use crate::expand;
use rg_ir::index::CallForm;

/// What editors ask about GDL in the syntax that a text is in.
const GDL: Editing = Editing {
    index: gdl::index,
    expected: gdl::expected,
    calls: |text| gdl_calls(gdl::Syntax::of(text)),
    misnamed: naming::gdl,
    meaning: gdl::meaning,
    patterns: gdl::patterns,
    ..Editing::NONE
};

/// The forms that descriptions in GDL can be written in, read in the syntax that `$of` finds.
macro_rules! gdl_views {
    ($of:expr) => {
        &[
            View {
                name: "gdl-prefix",
                render: |source, text| gdl_view(source, text, $of(text), |game| (gdl::print_prefix(game), Vec::new())),
            },
            View { name: "gdl-infix", render: |source, text| gdl_view(source, text, $of(text), gdl::print_infix) },
            View { name: "gdl-prolog", render: |source, text| gdl_view(source, text, $of(text), gdl::print_prolog) },
        ]
    };
}

/// All languages.
pub static LANGUAGES: &[Language] = &[
    Language {
        name: "rg",
        title: "Regular Games (RG)",
        extensions: &["rg"],
        lower: lower_rg,
        format: Some(rg_ir::text::format),
        views: &[],
        lenient: &[],
        outset: None,
        editing: Editing {
            index: rg_ir::text::index,
            expected: rg_ir::text::expected,
            misnamed: naming::rg,
            meaning: rg_ir::text::meaning,
            patterns: rg_ir::text::patterns,
            ..Editing::NONE
        },
        looks_like: looks_like_rg,
    },
    Language {
        name: "rbg",
        title: "Regular Boardgames (RBG)",
        extensions: &["rbg"],
        lower: lower_rbg,
        format: Some(rbg::format),
        views: &[View { name: "ll-rbg", render: low_level_rbg }],
        lenient: &[],
        outset: None,
        editing: Editing {
            index: rbg::index,
            expected: rbg::expected,
            calls: |_| Some(CallForm::Brackets(';')),
            known_calls: rbg_boards,
            misnamed: naming::rbg,
            meaning: rbg::meaning,
            patterns: rbg::patterns,
            expansion: rbg::expansion,
            expand: Some((expand::rbg, Some(expand::rbg_call))),
            extract: rbg::extract,
            ..Editing::NONE
        },
        looks_like: |text| skip_comments(text).starts_with('#'),
    },
    Language {
        name: "hrg",
        title: "High-level Regular Games (HRG)",
        extensions: &["hrg"],
        lower: lower_hrg,
        format: Some(hrg::format),
        views: &[],
        lenient: &[],
        outset: None,
        editing: Editing {
            index: hrg::index,
            sizes: hrg::sizes,
            expand: Some((expand::hrg, None)),
            expected: hrg::expected,
            calls: |_| Some(CallForm::Brackets(',')),
            misnamed: naming::hrg,
            meaning: hrg::meaning,
            patterns: hrg::patterns,
            ..Editing::NONE
        },
        looks_like: looks_like_hrg,
    },
    Language {
        name: "sbg",
        title: "Simplified Boardgames (SBG)",
        extensions: &["sbg"],
        lower: lower_sbg,
        format: Some(sbg::format),
        views: &[View { name: "rbg", render: rbg_of_sbg }],
        lenient: &[],
        outset: None,
        editing: Editing {
            index: sbg::index,
            expected: sbg::expected,
            misnamed: naming::sbg,
            meaning: sbg::meaning,
            told: sbg::told,
            patterns: sbg::patterns,
            ..Editing::NONE
        },
        looks_like: |text| skip_comments(text).starts_with("<<"),
    },
    Language {
        name: "gdl",
        title: "Game Description Language (GDL)",
        extensions: &["gdl", "kif", "hrf"],
        lower: lower_gdl,
        format: Some(gdl::format),
        views: gdl_views!(gdl::Syntax::of),
        lenient: gdl::codes::LENIENT,
        outset: Some(|source, text| gdl::parse(source, text).1),
        editing: GDL,
        looks_like: looks_like_gdl,
    },
    Language {
        name: "json",
        title: "RG as JSON",
        extensions: &["json"],
        lower: lower_json,
        format: None,
        views: &[],
        lenient: &[],
        outset: None,
        editing: Editing::NONE,
        looks_like: |text| text.trim_start().starts_with('{'),
    },
];

/// A syntax of GDL as a language of its own.
macro_rules! dialect {
    ($name:literal, $syntax:expr) => {
        Language {
            name: $name,
            lower: |source, text, reading| lower_gdl_as(source, text, $syntax, reading),
            format: Some(|source, text| gdl::format_as(source, text, $syntax)),
            views: gdl_views!(|_| $syntax),
            outset: Some(|source, text| gdl::parse_as(source, text, $syntax).1),
            editing: Editing {
                index: |source, text| gdl::index_as(source, text, $syntax),
                expected: |text, offset| gdl::expected_in(text, offset, $syntax),
                calls: |_| gdl_calls($syntax),
                misnamed: |_, kind, name| naming::gdl_in($syntax, kind, name),
                meaning: gdl::meaning,
                patterns: gdl::patterns,
                ..Editing::NONE
            },
            ..DIALECT
        }
    };
}

/// Syntaxes of GDL, for texts that are not to be recognised by what they look like.
pub static DIALECTS: &[Language] = &[
    dialect!("gdl-prefix", gdl::Syntax::Prefix),
    dialect!("gdl-infix", gdl::Syntax::Infix),
    dialect!("gdl-prolog", gdl::Syntax::Prolog),
];

/// What syntaxes of GDL have in common.
const DIALECT: Language = Language {
    name: "gdl",
    title: "Game Description Language (GDL)",
    extensions: &[],
    lower: lower_gdl,
    format: Some(gdl::format),
    views: &[],
    lenient: gdl::codes::LENIENT,
    outset: Some(|source, text| gdl::parse(source, text).1),
    editing: GDL,
    looks_like: |_| false,
};

/// How atoms and terms are written.
fn gdl_calls(syntax: gdl::Syntax) -> Option<CallForm> {
    Some(match syntax {
        gdl::Syntax::Prefix => CallForm::List,
        gdl::Syntax::Infix | gdl::Syntax::Prolog => CallForm::Brackets(','),
    })
}

/// The usual boards of RBG.
fn rbg_boards() -> Vec<KnownCall> {
    let call = |(name, directions): (&'static str, &'static [&'static str])| {
        let (rows, meaning) = match name {
            "cuboid" => ("[[row] …] …", "a board of layers, each of rows; the directions are named first"),
            "hexagon" => {
                ("[row] …", "a board of hexagons in rows that grow and shrink; the directions are named first")
            }
            _ => ("[row] …", "a board of rows; the directions are named first"),
        };
        KnownCall { name, parameters: directions.iter().copied().chain([rows]).collect(), meaning }
    };
    rbg::boards().into_iter().map(call).collect()
}
