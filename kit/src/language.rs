//! Languages: what the program knows about each of them, and how games in them are read.

mod editing;
mod lowering;
mod naming;
mod recognition;
mod table;
#[cfg(test)]
mod tests;

pub use editing::{Editing, KnownCall};
pub use recognition::{another, by_name, choose, names, of_extension};
pub use table::{DIALECTS, LANGUAGES};

use rg_ir::{Diagnostic, Game, Notation, Severity, SourceId};

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

impl Language {
    /// Whether texts in this language name the nodes of the automaton: RG, also as JSON. In all others, nodes are made by the translation, and
    /// messages name places of the text instead.
    pub fn writes_nodes(&self) -> bool {
        matches!(self.name, "rg" | "json")
    }
}
