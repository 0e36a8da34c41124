//! The table of languages: what the program knows about each of them, in one place.

mod editing;
#[cfg(test)]
mod tests;

pub use editing::Editing;

use crate::finding;
use rg_ir::index::CallForm;
use rg_ir::{Diagnostic, Game, Notation, PlainNotation, Severity, SourceId, removal};
use std::path::Path;

/// What a text says.
pub struct Translation {
    /// The game.
    pub game: Game,
    /// How its moves and states are written.
    pub notation: Box<dyn Notation>,
    /// Another form of the game, in languages that can be translated in several.
    pub ground: Option<gdl::GroundForm>,
}

/// The translation, or the errors (and in any case the milder findings).
pub type Lowering = (Option<Translation>, Vec<Diagnostic>);

impl Translation {
    /// A game that has one form.
    fn new(game: Game, notation: impl Notation + 'static) -> Self {
        Self { game, notation: Box::new(notation), ground: None }
    }
}

/// Renders a text; `None` if it has errors. The findings are returned in any case.
pub type Rendering = fn(SourceId, &str) -> (Option<String>, Vec<Diagnostic>);

/// A view of a description in (a form of) its own language, such as low-level RBG.
pub struct View {
    /// Name for `translate --to`.
    pub name: &'static str,
    /// Renders it.
    pub render: Rendering,
}

/// What the translation of a game may take, where it can take long (GDL): seconds, and memory in proportion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit(pub u32);

impl Default for Limit {
    fn default() -> Self {
        Self(50)
    }
}

/// What becomes of texts that are not in a language by the letter, but can be read all the same.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Leniency {
    /// They are read, with a warning.
    #[default]
    Warn,
    /// They are errors.
    Refuse,
}

impl Leniency {
    /// Makes errors of warnings about lenient readings, if that is asked for.
    pub fn apply(self, language: &Language, findings: &mut [Diagnostic]) {
        for finding in findings.iter_mut().filter(|finding| language.lenient.contains(&finding.code)) {
            if self == Leniency::Refuse {
                finding.severity = Severity::Error;
            }
        }
    }
}

/// How games are read.
#[derive(Clone, Copy, Default, Debug)]
pub struct Reading {
    /// What the translation may take.
    pub limit: Limit,
    /// Whether the letter counts.
    pub leniency: Leniency,
    /// Receives about four times a second how far the translation has come, where that takes long (GDL).
    pub watch: Option<gdl::Watch>,
}

impl Limit {
    /// The limits of grounding.
    pub fn of_grounding(self) -> gdl::Limits {
        let Limit(seconds) = self;
        let Limit(usual) = Limit::default();
        let usual_limits = gdl::Limits::default();
        let scale = |limit: usize| limit.saturating_mul(seconds.max(usual) as usize) / usual as usize;
        gdl::Limits {
            atoms: scale(usual_limits.atoms),
            conditions: scale(usual_limits.conditions),
            time: std::time::Duration::from_secs(u64::from(seconds)),
            ..usual_limits
        }
    }
}

/// Formats a text canonically, comments kept.
pub type Formatter = fn(SourceId, &str) -> Result<String, Vec<Diagnostic>>;

/// Bytes of a text, behind comments, that tell its language.
const BEGINNING: usize = 1 << 12;

/// What the program knows about one language.
pub struct Language {
    /// Name for `--from`.
    pub name: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// File name extensions, without the dot.
    pub extensions: &'static [&'static str],
    /// Reads a game. Findings include those of the checker of RG.
    pub lower: fn(SourceId, &str, Reading) -> Lowering,
    /// The source formatter, if there is one.
    pub format: Option<Formatter>,
    /// Further views.
    pub views: &'static [View],
    /// Codes of the warnings about texts that are read leniently.
    pub lenient: &'static [&'static str],
    /// What is wrong with a text before it is translated, where translating it can take long.
    pub outset: Option<fn(SourceId, &str) -> Vec<Diagnostic>>,
    /// What editors ask.
    pub editing: Editing,
    /// Whether a text whose extension says nothing starts like this language. At most one language may say yes.
    looks_like: fn(&str) -> bool,
}

/// What editors ask about GDL in the syntax that a text is in.
const GDL: Editing = Editing {
    index: gdl::index,
    expected: gdl::expected,
    calls: |text| gdl_calls(gdl::Syntax::of(text)),
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

impl Language {
    /// Whether texts in this language name the nodes of the automaton: RG, also as JSON. In all others, nodes are made by the translation, and
    /// messages name places of the text instead.
    pub fn writes_nodes(&self) -> bool {
        matches!(self.name, "rg" | "json")
    }
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
            patterns: rbg::patterns,
            expansion: rbg::expansion,
            extract: rbg::extract,
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
            expected: hrg::expected,
            calls: |_| Some(CallForm::Brackets(',')),
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
        views: &[],
        lenient: &[],
        outset: None,
        editing: Editing { index: sbg::index, expected: sbg::expected, patterns: sbg::patterns, ..Editing::NONE },
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

/// Syntaxes of GDL, for texts that are not to be recognised by what they look like.
pub static DIALECTS: &[Language] = &[
    Language {
        name: "gdl-prefix",
        lower: |source, text, reading| lower_gdl_as(source, text, gdl::Syntax::Prefix, reading),
        format: Some(|source, text| gdl::format_as(source, text, gdl::Syntax::Prefix)),
        views: gdl_views!(|_| gdl::Syntax::Prefix),
        outset: Some(|source, text| gdl::parse_as(source, text, gdl::Syntax::Prefix).1),
        editing: Editing {
            index: |source, text| gdl::index_as(source, text, gdl::Syntax::Prefix),
            expected: |text, offset| gdl::expected_in(text, offset, gdl::Syntax::Prefix),
            calls: |_| gdl_calls(gdl::Syntax::Prefix),
            patterns: gdl::patterns,
            ..Editing::NONE
        },
        ..DIALECT
    },
    Language {
        name: "gdl-infix",
        lower: |source, text, reading| lower_gdl_as(source, text, gdl::Syntax::Infix, reading),
        format: Some(|source, text| gdl::format_as(source, text, gdl::Syntax::Infix)),
        views: gdl_views!(|_| gdl::Syntax::Infix),
        outset: Some(|source, text| gdl::parse_as(source, text, gdl::Syntax::Infix).1),
        editing: Editing {
            index: |source, text| gdl::index_as(source, text, gdl::Syntax::Infix),
            expected: |text, offset| gdl::expected_in(text, offset, gdl::Syntax::Infix),
            calls: |_| gdl_calls(gdl::Syntax::Infix),
            patterns: gdl::patterns,
            ..Editing::NONE
        },
        ..DIALECT
    },
    Language {
        name: "gdl-prolog",
        lower: |source, text, reading| lower_gdl_as(source, text, gdl::Syntax::Prolog, reading),
        format: Some(|source, text| gdl::format_as(source, text, gdl::Syntax::Prolog)),
        views: gdl_views!(|_| gdl::Syntax::Prolog),
        outset: Some(|source, text| gdl::parse_as(source, text, gdl::Syntax::Prolog).1),
        editing: Editing {
            index: |source, text| gdl::index_as(source, text, gdl::Syntax::Prolog),
            expected: |text, offset| gdl::expected_in(text, offset, gdl::Syntax::Prolog),
            calls: |_| gdl_calls(gdl::Syntax::Prolog),
            patterns: gdl::patterns,
            ..Editing::NONE
        },
        ..DIALECT
    },
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

/// The language of that name, or the syntax.
pub fn by_name(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().chain(DIALECTS).find(|language| language.name == name)
}

/// The names of all languages and syntaxes.
pub fn names() -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().chain(DIALECTS).map(|language| language.name)
}

/// The language whose files are called like `path`, if there is one.
pub fn of_extension(path: &Path) -> Option<&'static Language> {
    let extension = path.extension().and_then(|e| e.to_str())?;
    LANGUAGES.iter().find(|language| language.extensions.iter().any(|e| e.eq_ignore_ascii_case(extension)))
}

/// The language a text is read as: `from` if given, else by the extension of `path`, else by how the text begins.
///
/// Errors: an unknown `from` or extension (`IO307`), or a text that does not begin like any language (`IO308`).
pub fn choose(path: &Path, from: Option<&str>, text: &str) -> Result<&'static Language, Box<Diagnostic>> {
    if let Some(name) = from {
        let unknown = || finding("IO307", format!("there is no language `{name}`; {}", known_names()));
        return by_name(name).ok_or_else(|| unknown().suggest(name, names()).into());
    }
    if let Some(language) = of_extension(path) {
        return Ok(language);
    }
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    if !extension.is_empty() {
        let message = format!("the extension `.{extension}` does not belong to any language; {}", known_names());
        let extensions = LANGUAGES.iter().flat_map(|language| language.extensions).copied();
        let unknown = finding("IO307", message).help("name the language with `--from`");
        if extension.eq_ignore_ascii_case("jsonl") {
            return Err(unknown
                .help("`rgc replay` reads records of games; a game in JSON has the extension `.json`")
                .into());
        }
        return Err(unknown.suggest(extension, extensions).into());
    }
    looking_like(text).ok_or_else(|| {
        let message = format!("the text does not begin like any language; {}", known_names());
        finding("IO308", message).help("name the language with `--from`").into()
    })
}

/// The language that a text begins like.
fn looking_like(text: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| (language.looks_like)(text))
}

/// The language that a text begins like, if that is another one than it is read as.
pub fn another(language: &Language, text: &str) -> Option<&'static Language> {
    let is_read_as = |other: &&Language| other.title == language.title;
    if (language.looks_like)(text) { None } else { looking_like(text).filter(|other| !is_read_as(other)) }
}

/// `the languages are rg (Regular Games), …`.
fn known_names() -> String {
    let names: Vec<String> = LANGUAGES.iter().map(|l| format!("`{}` ({})", l.name, l.title)).collect();
    format!("the languages are {}", names.join(", "))
}

const RG_TEXT: removal::Syntax = removal::Syntax { comments: &["//"], separators: &[], terminators: &[] };
const JSON_TEXT: removal::Syntax = removal::Syntax { comments: &[], separators: &[','], terminators: &[] };

fn lower_rg(source: SourceId, text: &str, _: Reading) -> Lowering {
    let (game, mut findings) = rg_ir::text::parse(source, text);
    let game = game.map(|game| {
        findings.extend(rg_ir::check::check(&game).into_iter().map(|finding| rg_ir::text::located(text, finding)));
        // A name that is misspelt twice in a declaration is mended once.
        findings.dedup();
        removal::complete(text, "RG029", RG_TEXT, &mut findings);
        Translation::new(game, PlainNotation)
    });
    (game, findings)
}

fn lower_json(source: SourceId, text: &str, _: Reading) -> Lowering {
    match rg_ir::json::from_json(source, text) {
        Ok(game) => {
            let located = |finding: Diagnostic| match rg_ir::json::path(&game, &finding) {
                Some(path) => finding.note(format!("at `{path}`")),
                None => finding,
            };
            let mut findings: Vec<Diagnostic> = rg_ir::check::check(&game).into_iter().map(located).collect();
            removal::complete(text, "RG029", JSON_TEXT, &mut findings);
            (Some(Translation::new(game, PlainNotation)), findings)
        }
        Err(findings) => (None, findings),
    }
}

fn lower_rbg(source: SourceId, text: &str, _: Reading) -> Lowering {
    let (lowered, findings) = rbg::load(source, text);
    translated(lowered.map(|lowered| Translation::new(lowered.game, lowered.notation)), findings)
}

fn lower_sbg(source: SourceId, text: &str, _: Reading) -> Lowering {
    let (lowered, findings) = sbg::load(source, text);
    translated(lowered.map(|lowered| Translation::new(lowered.game, lowered.notation)), findings)
}

/// Checks what a front end made. The RG text is not what the user wrote, so only what makes it unusable is of interest.
fn translated(translation: Option<Translation>, mut findings: Vec<Diagnostic>) -> Lowering {
    if let Some(Translation { game, .. }) = &translation {
        let wrong = rg_ir::check::check(game).into_iter().filter(Diagnostic::is_error);
        findings.extend(wrong.map(|error| error.note("found in the translation to RG: please report this as a bug")));
    }
    (translation, findings)
}

fn lower_hrg(source: SourceId, text: &str, _: Reading) -> Lowering {
    let (lowered, findings) = hrg::load(source, text);
    (lowered.map(|lowered| Translation::new(lowered.game, lowered.notation)), findings)
}

fn lower_gdl(source: SourceId, text: &str, reading: Reading) -> Lowering {
    lower_gdl_as(source, text, gdl::Syntax::of(text), reading)
}

fn lower_gdl_as(source: SourceId, text: &str, syntax: gdl::Syntax, reading: Reading) -> Lowering {
    let (game, findings) = gdl::load_to_play(source, text, syntax, reading.limit.of_grounding(), reading.watch);
    let of = |playable: gdl::Playable| Translation {
        ground: playable.ground,
        ..Translation::new(playable.game, playable.notation)
    };
    translated(game.map(of), findings)
}

/// Names that the syntax cannot spell are reported.
fn gdl_view(
    source: SourceId,
    text: &str,
    syntax: gdl::Syntax,
    print: fn(&gdl::Description) -> (String, Vec<Diagnostic>),
) -> (Option<String>, Vec<Diagnostic>) {
    let (description, mut findings) = gdl::parse_as(source, text, syntax);
    let text = description.map(|description| {
        let (text, renamed) = print(&description);
        findings.extend(renamed);
        text
    });
    (text, findings)
}

fn low_level_rbg(source: SourceId, text: &str) -> (Option<String>, Vec<Diagnostic>) {
    let (description, findings) = rbg::parse(source, text);
    (description.map(|description| rbg::print(&description)), findings)
}

/// The text behind leading white space and `//` and `/* */` comments.
fn skip_comments(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        text = if let Some(rest) = text.strip_prefix("//") {
            rest.split_once('\n').map_or("", |(_, rest)| rest)
        } else if let Some(rest) = text.strip_prefix("/*") {
            rest.split_once("*/").map_or("", |(_, rest)| rest)
        } else {
            return text;
        }
    }
}

/// As much of a text as tells its language.
fn start_of(text: &str) -> &str {
    text.split_at(text.floor_char_boundary(BEGINNING)).0
}

/// The keyword of a domain or graph.
fn looks_like_hrg(text: &str) -> bool {
    let word = start_of(skip_comments(text)).split(char::is_whitespace).next();
    word.is_some_and(|word| ["domain", "graph", "reusable"].contains(&word))
}

/// A list, a name with a bracket directly behind it, or the sign of an infix rule, behind comments.
fn looks_like_gdl(mut text: &str) -> bool {
    loop {
        text = text.trim_start();
        text = if let Some(block) = text.strip_prefix("/*") {
            block.split_once("*/").map_or("", |(_, rest)| rest)
        } else if text.starts_with([';', '%']) {
            text.find(['\n', '\r']).and_then(|end| text.get(end..)).unwrap_or_default()
        } else {
            break;
        };
    }
    let text = start_of(text);
    let word = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let (word, rest) = text.split_at(word);
    rest.starts_with('(') || !word.is_empty() && rest.trim_start().starts_with(":-")
}

/// A declaration's keyword, a pragma, or the `node, node:` of an edge.
fn looks_like_rg(text: &str) -> bool {
    let text = start_of(skip_comments(text));
    let word_end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (word, rest) = text.split_at(word_end);
    match word {
        "" => text.starts_with('@'),
        "type" | "const" | "var" => true,
        _ => rest.trim_start().starts_with(','),
    }
}
