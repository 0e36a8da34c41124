//! From a path to a game.

use crate::input;
use crate::language::{self, Language, Lowering, Reading, Translation};
use crate::library;
use crate::misspelt;
use crate::start::Start;
use crate::watchdog;
use backend::Options;
use rg_ir::diag::has_errors;
use rg_ir::invariant::Invariant;
use rg_ir::{Diagnostic, Game, Notation, SourceId, SourceMap, Span};
use std::path::Path;

/// Findings at most about a text that begins like another language than it is read as.
const MAX_OF_OTHER: usize = 10;

/// A game that was read.
pub struct Loaded {
    /// Its name: the file's without extension, `stdin` for standard input.
    pub name: String,
    /// The language it is written in.
    pub language: &'static Language,
    /// Its text, in the source map.
    pub source: SourceId,
    /// The game.
    pub game: Game,
    /// How its moves and states are written.
    pub notation: Box<dyn Notation>,
    /// Where the game starts, if not at its own first position ([`Loaded::start_at`]).
    pub start: Option<Box<Start>>,
    /// The level at which the game was optimised.
    pub level: u8,
    /// Another form of the game.
    pub ground: Option<gdl::GroundForm>,
}

impl Loaded {
    /// A game that was read from a text.
    pub fn new(name: String, language: &'static Language, source: SourceId, translation: Translation) -> Self {
        let Translation { game, notation, ground } = translation;
        Self { name, language, source, game, notation, start: None, level: 0, ground }
    }

    /// The game in this form only: engines do not try another one.
    #[must_use]
    pub fn in_one_form(self) -> Self {
        Self { ground: None, ..self }
    }

    /// The game such that what the last move does to its variables is kept, though no rule reads it any more: for those who look at games that are over. Level 0
    /// only: it must come before what optimisers forget.
    #[must_use]
    pub fn with_final_values(mut self) -> Self {
        passes::analysis::keep_final_values(&mut self.game);
        self
    }

    /// The place that stands for the whole text.
    pub fn whole(&self) -> Span {
        Span::new(self.source, 0, 0)
    }

    /// Options to run it with: what its front end claims of its own translation is believed, what a text in RG claims is not.
    #[must_use]
    pub fn trusted(&self, options: Options) -> Options {
        Options { handovers: !self.language.writes_nodes(), ..options }
    }
}

/// Reads the game in the file `path` (`-`: standard input; a name of the library if there is no such file), in the language `from` or else the one its name or
/// beginning tells. The game is there exactly if no finding is an error. Linear in the size of the text.
pub fn load(sources: &mut SourceMap, path: &Path, from: Option<&str>) -> (Option<Loaded>, Vec<Diagnostic>) {
    load_within(sources, path, from, Reading::default())
}

/// As [`load`], with other limits, or by the letter of the language.
pub fn load_within(
    sources: &mut SourceMap,
    path: &Path,
    from: Option<&str>,
    reading: Reading,
) -> (Option<Loaded>, Vec<Diagnostic>) {
    let (source, language) = match read(sources, path, from) {
        Ok(read) => read,
        Err(error) => return (None, vec![*error]),
    };
    let (name, text) = sources.get(source).map_or(("", ""), |file| (&*file.name, &*file.text));
    let (lowered, mut findings) = load_text(source, name, text, language, reading);
    if from.is_none() && path.extension().is_none() {
        mark_guess(&mut findings, language);
    }
    let failed = has_errors(&findings);
    let loaded = lowered.filter(|_| !failed).map(|translation| {
        let stem = path.file_stem().filter(|_| !input::is_stdin(path));
        let name = stem.map_or("stdin".into(), |stem| input::escaped(&stem.to_string_lossy()));
        Loaded::new(name, language, source, translation)
    });
    (loaded, findings)
}

/// Reads the game in a text of that language, which is called `name` in messages about bounds. The game may be there even if findings are errors.
pub fn load_text(source: SourceId, name: &str, text: &str, language: &'static Language, reading: Reading) -> Lowering {
    watchdog::begin_game(source, name, text);
    let lowering = watchdog::guarded("the text was translated", || (language.lower)(source, text, reading));
    let (lowered, mut findings) = match lowering {
        Ok(lowering) => lowering,
        Err(error) => return (None, vec![*error]),
    };
    let again = |text: &str| {
        watchdog::guarded("the text was read with another spelling", || (language.lower)(source, text, reading).1).ok()
    };
    misspelt::narrow(text, &mut findings);
    misspelt::settle(source, text, &mut findings, again);
    reading.leniency.apply(language, &mut findings);
    if has_errors(&findings) {
        mark_other_text(&mut findings, language, text);
    }
    (lowered, findings)
}

/// The game in a text of that language: as [`load_text`], for those who have no use for warnings.
///
/// # Errors
/// What is wrong with the text.
pub fn game_of(
    source: SourceId,
    name: &str,
    text: &str,
    language: &'static Language,
    reading: Reading,
) -> Result<Loaded, Vec<Diagnostic>> {
    let (translation, mut findings) = load_text(source, name, text, language, reading);
    findings.retain(Diagnostic::is_error);
    match translation.filter(|_| findings.is_empty()) {
        Some(translation) => Ok(Loaded::new(name.to_owned(), language, source, translation)),
        None => Err(findings),
    }
}

/// As [`game_of`], with the first error only.
///
/// # Errors
/// The first thing that is wrong with the text.
pub fn game_or_first(
    source: SourceId,
    name: &str,
    text: &str,
    language: &'static Language,
    reading: Reading,
) -> crate::Result<Loaded> {
    game_of(source, name, text, language, reading).map_err(|findings| {
        let unknown = Diagnostic::error("IO308", Span::new(source, 0, 0), "the text is no game");
        let first = findings.into_iter().next();
        Box::new(first.invariant_or(unknown, "a text that is no game has an error"))
    })
}

/// What is wrong with a text as far as it can be told in milliseconds: without translating it, in languages where that can take long (GDL). `None`
/// in all others.
pub fn first_findings(source: SourceId, text: &str, language: &Language, reading: Reading) -> Option<Vec<Diagnostic>> {
    let mut findings = language.outset?(source, text);
    misspelt::narrow(text, &mut findings);
    reading.leniency.apply(language, &mut findings);
    if has_errors(&findings) {
        mark_other_text(&mut findings, language, text);
    }
    Some(findings)
}

/// Reads a text, from a file or the library, into the source map and chooses its language.
pub fn read(
    sources: &mut SourceMap,
    path: &Path,
    from: Option<&str>,
) -> Result<(SourceId, &'static Language), Box<Diagnostic>> {
    if let Some(game) = library::instead_of(path, from) {
        let game = game?;
        return Ok((sources.add(game.file_name(), game.text.to_owned()), game.language));
    }
    let text = input::read(path)?;
    let language = language::choose(path, from, &text)?;
    Ok((sources.add(input::source_name(path), text), language))
}

/// Says with the first error that the text begins like another language, or is not a game at all but something that `rgc` writes. What else is wrong
/// with a text read in another language says little: this error comes first then, and but a few others follow.
pub fn mark_other_text(findings: &mut Vec<Diagnostic>, language: &Language, text: &str) {
    let Some(at) = findings.iter().position(Diagnostic::is_error) else { return };
    let other = language::another(language, text);
    if other.is_some() {
        let first = findings.remove(at);
        findings.insert(0, first);
        if findings.len() > MAX_OF_OTHER {
            let more = findings.len() - MAX_OF_OTHER;
            findings.truncate(MAX_OF_OTHER);
            if let Some(first) = findings.first_mut() {
                first.notes.push(format!("{more} more findings of this reading are left out"));
            }
        }
    }
    let Some(first) = findings.iter_mut().find(|finding| finding.is_error()) else { return };
    let begins = |what: &str| text.trim_start().starts_with(what);
    if let Some(other) = other {
        first
            .notes
            .insert(0, format!("the text begins like {}; `--from {}` reads it as that", other.title, other.name));
    } else if language.name == "json" && begins("{\"record\":") {
        first.help = Some("this is a record of games, which `rgc replay` reads".to_owned());
    } else if language.name == "json" && begins("{\"ply\":") {
        first.help = Some(
            "this is not a game; commands take a position of `rgc moves --json` after the game, with `--position`"
                .to_owned(),
        );
    }
}

/// Says with the first error that the language was guessed.
fn mark_guess(findings: &mut [Diagnostic], language: &Language) {
    if let Some(first) = findings.iter_mut().find(|finding| finding.is_error()) {
        first.notes.push(format!(
            "the text was taken for {} because of how it begins; `--from` names another language",
            language.title
        ));
    }
}
