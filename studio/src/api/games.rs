//! Games that a page has open, and the versions of their texts.

use super::unlawful::Reason;
use super::{Failure, Numbered};
use crate::files::{self, Stamp, Target};
use crate::session::{Incoming, Reply, Session};
use backend::Options;
use kit::language::{Language, Reading};
use kit::runner::Runner;
use kit::{Loaded, finding, language, library, load, optimize, skeleton};
use passes::Pipeline;
use rg_ir::cancel::{self, Token};
use rg_ir::diag::has_errors;
use rg_ir::{Diagnostic, Game, SourceId, SourceMap, Span};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The only text of a game.
pub(crate) const SOURCE: SourceId = SourceId(0);

/// The level at which the games are optimised that agents search and measurements run.
const FAST_LEVEL: u8 = 2;

/// Games that a page has open at most; older ones are closed.
const MAX_OPEN: usize = 16;

/// Bytes of a text at most: it is sent back with every change, in a message of limited size.
const MAX_TEXT: usize = 2 << 20;

/// Letters of the name of a new game at most.
const MAX_NAME: usize = 60;

/// A game that a page has open.
pub(crate) struct Open {
    /// Its name with an extension, such as `chess.rbg`.
    pub(crate) name: String,
    pub(crate) language: &'static Language,
    /// Its file, and what that was when it was read or written last.
    file: Option<File>,
    /// The last version without errors.
    good: Option<Arc<Version>>,
    /// What stops the reading of a version.
    reading: Option<Token>,
}

struct File {
    path: String,
    digest: String,
    stamp: Option<Stamp>,
}

/// What was opened.
#[derive(Serialize)]
pub(crate) struct Opened {
    game: u32,
    name: String,
    path: Option<String>,
    language: &'static str,
    text: String,
}

/// Opens a file of the folder, or a copy of a bundled game or of one that somebody has shared.
pub(crate) fn open(session: &mut Session, target: Target) -> Result<Opened, Failure> {
    let (name, language, text, file) = match target {
        Target::Path(path) => {
            let read = session.server.folder.read(&path)?;
            let language = language::choose(Path::new(&path), None, &read.text)?;
            let name = path.rsplit('/').next().unwrap_or_default().to_owned();
            (name, language, read.text, Some(File { path, digest: read.digest, stamp: Some(read.stamp) }))
        }
        Target::Name(name) => {
            let game = library::find(&name, None)?;
            (game.file_name(), game.language, game.text.to_owned(), None)
        }
        Target::New { language, name } => {
            let fit = Some(name.as_str()).filter(|name| skeleton::is_name(name) && name.len() <= MAX_NAME);
            let name = fit.ok_or_else(|| nameless(&name))?;
            let known = language::by_name(&language);
            let fresh = known.and_then(|known| Some((known, skeleton::skeleton(known.name, name)?)));
            let (known, text) = fresh.ok_or_else(|| without_beginning(&language))?;
            (format!("{name}.{}", known.extensions.first().copied().unwrap_or_default()), known, text, None)
        }
        Target::Shared { name, text } => {
            let name = files::own_name(&name)?.to_owned();
            let language = language::choose(Path::new(&name), None, &text)?;
            (name, language, text, None)
        }
    };
    small_enough(&name, &text)?;
    if session.games.len() >= MAX_OPEN
        && let Some(oldest) = session.games.keys().min().copied()
    {
        session.games.remove(&oldest);
    }
    let game = session.number();
    let opened = Opened {
        game,
        name: name.clone(),
        path: file.as_ref().map(|file| file.path.clone()),
        language: language.name,
        text,
    };
    session.games.insert(game, Open { name, language, file, good: None, reading: None });
    Ok(opened)
}

/// A character of a name, as people call it.
fn shown(letter: char) -> String {
    match letter {
        ' ' => "spaces".to_owned(),
        _ => format!("`{}`", kit::input::escaped(&letter.to_string())),
    }
}

fn nameless(name: &str) -> Failure {
    let help = "a name has letters, digits, `_` and `-` and begins with a letter";
    let letters = name.chars().count();
    let message = if letters > MAX_NAME {
        format!("this name has {letters} letters; a game has {MAX_NAME} at most")
    } else if name.is_empty() {
        "a game needs a name".to_owned()
    } else {
        let is_letter = |letter: &char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
        match name.chars().find(|letter| !is_letter(letter)) {
            Some(letter) => format!("a name of a game cannot have {}", shown(letter)),
            None => "a name of a game begins with a letter".to_owned(),
        }
    };
    Box::new(finding("IO369", message).help(help)).into()
}

fn without_beginning(language: &str) -> Failure {
    let known: Vec<&str> = skeleton::languages().collect();
    let message = format!("there is no game to begin with in `{}`", kit::input::escaped(language));
    Box::new(finding("IO369", message).help(format!("there is one in {}", known.join(", ")))).into()
}

/// Refuses texts that are too large for a page.
fn small_enough(name: &str, text: &str) -> Result<(), Failure> {
    let message = || format!("`{name}` is larger than {} MiB, too large to be edited in a page", MAX_TEXT >> 20);
    if text.len() > MAX_TEXT { Err(Failure::new("large", message())) } else { Ok(()) }
}

/// Closes a game.
pub(crate) fn close(session: &mut Session, Numbered { number }: &Numbered) -> Result<(), Failure> {
    session.games.remove(number);
    Ok(())
}

impl Drop for Open {
    fn drop(&mut self) {
        self.reading.iter().for_each(Token::cancel);
    }
}

/// A new version of the text of a game.
#[derive(Deserialize)]
pub(crate) struct Update {
    game: u32,
    version: u32,
    text: String,
}

/// What became of a version.
#[derive(Serialize)]
pub(crate) struct Checked {
    version: u32,
    errors: usize,
    warnings: usize,
    /// The first error.
    wrong: Option<Failure>,
    /// The players, if there is no error.
    players: Option<Vec<String>>,
}

impl Checked {
    /// The first error.
    pub(crate) fn failure(self) -> Failure {
        self.wrong.unwrap_or_else(|| Failure::new("internal", "the game could not be read"))
    }
}

/// Reads a version of a game, instead of the one that is being read.
pub(crate) fn update(session: &mut Session, Update { game, version, text }: Update, reply: Reply) {
    let (reading, events) = (session.server.reading, session.events.clone());
    let Some(open) = session.games.get_mut(&game) else { return reply.send(Err::<(), _>(unknown())) };
    if let Err(failure) = small_enough(&open.name, &text) {
        return reply.send(Err::<(), _>(failure));
    }
    if let Some(token) = open.reading.take() {
        token.cancel();
    }
    let token = Token::default();
    open.reading = Some(token.clone());
    let (name, language) = (open.name.clone(), open.language);
    crate::session::spawn(session, "reading", reply, move || {
        let read = cancel::scope(&token, || Version::read(version, &name, language, text, reading));
        let (read, checked) = read.map_err(|cancel::Cancelled| Failure::outdated())?;
        if let Some(read) = read {
            let read = Arc::new(read);
            // A page that was closed needs no version.
            let _ = events.send(Incoming::Done(Box::new(move |session| {
                if let Some(open) = session.games.get_mut(&game)
                    && open.good.as_ref().is_none_or(|known| known.number <= read.number)
                {
                    open.good = Some(read);
                }
            })));
        }
        Ok(checked)
    });
}

fn unknown() -> Failure {
    Failure::new("request", "this game is not open any more")
}

/// What a request is about.
#[derive(Clone, Copy, Deserialize)]
pub(crate) struct About {
    pub(crate) game: u32,
    /// The version that the page shows; without it, it is the last one.
    version: Option<u32>,
}

/// The last version without errors of an open game, if it still is the one that the page asks about.
pub(crate) fn good(session: &Session, About { game, version }: About) -> Result<Arc<Version>, Failure> {
    let open = session.games.get(&game).ok_or_else(unknown)?;
    let none = || Failure::new("errors", "the text has errors, and never was without");
    let good = open.good.clone().ok_or_else(none)?;
    if version.is_some_and(|version| version != good.number) { Err(Failure::outdated()) } else { Ok(good) }
}

/// What is to be saved, and where: in the file it was read from, if no other path is given.
#[derive(Deserialize)]
pub(crate) struct Save {
    game: u32,
    text: String,
    path: Option<String>,
    /// The digest of the file that is replaced, whoever wrote it, as somebody has confirmed who was told of that one.
    replace: Option<String>,
}

/// Where it was saved.
#[derive(Serialize)]
pub(crate) struct Saved {
    path: String,
    name: String,
    language: &'static str,
}

/// Writes a text to the file of its game, or to a new one.
pub(crate) fn save(session: &mut Session, Save { game, text, path, replace }: Save) -> Result<Saved, Failure> {
    let folder = &session.server.folder;
    let open = session.games.get_mut(&game).ok_or_else(unknown)?;
    small_enough(&open.name, &text)?;
    let own = open.file.as_ref().filter(|file| path.as_ref().is_none_or(|path| *path == file.path));
    let known: Vec<String> = own.map(|file| file.digest.clone()).into_iter().chain(replace).collect();
    let path = path.or_else(|| own.map(|file| file.path.clone()));
    let path = path.ok_or_else(|| Failure::new("request", "a path is missing"))?;
    let now = || folder.read(&path).ok().map(|read| read.digest);
    if known.is_empty() && folder.stamp(&path).is_some() {
        return Err(Failure::new("exists", format!("there is a file `{path}` already")).about_file(now()));
    }
    let written = folder.write(&path, &text, &known).map_err(Failure::from);
    let (digest, stamp) = written.map_err(|failure| match failure.is("IO392") {
        true => failure.about_file(now()),
        false => failure,
    })?;
    open.name = path.rsplit('/').next().unwrap_or_default().to_owned();
    open.language = language::choose(Path::new(&path), None, &text).unwrap_or(open.language);
    open.file = Some(File { path: path.clone(), digest, stamp });
    Ok(Saved { path, name: open.name.clone(), language: open.language.name })
}

/// Tells the page which of the files it has open were changed by other programs.
pub(crate) fn look_for_changes(session: &mut Session) {
    for (game, open) in &mut session.games {
        let Some(file) = &mut open.file else { continue };
        let now = session.server.folder.stamp(&file.path);
        if now != file.stamp {
            file.stamp = now;
            let digest = session.server.folder.read(&file.path).ok().map(|read| read.digest);
            if digest.as_ref() != Some(&file.digest) {
                let (path, gone) = (&file.path, now.is_none());
                let changed = serde_json::json!({ "game": game, "path": path, "gone": gone, "digest": digest });
                session.page.notify("changed", changed);
            }
        }
    }
}

/// A version of a text that has no errors, and what is made of it when it is needed.
pub(crate) struct Version {
    pub(crate) number: u32,
    /// The game as it was translated.
    pub(crate) game: Game,
    pub(crate) language: &'static Language,
    name: String,
    text: String,
    reading: Reading,
    /// The same with its notation, until a runner has it.
    loaded: Mutex<Option<Loaded>>,
    drawn: OnceLock<Result<Runner, Failure>>,
    fast: OnceLock<Result<Runner, Failure>>,
    /// The game as it was optimised, by level.
    levels: Mutex<FxHashMap<u8, Arc<Game>>>,
}

impl Version {
    /// Reads a text; the version is there exactly if it has no errors.
    pub(crate) fn read(
        number: u32,
        name: &str,
        language: &'static Language,
        text: String,
        reading: Reading,
    ) -> (Option<Self>, Checked) {
        let (translation, findings) = load::load_text(SOURCE, name, &text, language, reading);
        let errors = findings.iter().filter(|finding| finding.is_error()).count();
        let warnings = findings.len() - errors;
        let failed = has_errors(&findings);
        let first = findings.into_iter().find(Diagnostic::is_error);
        let wrong = first.map(|finding| Failure::at(&sources(name, &text), finding));
        let loaded = translation.filter(|_| !failed).map(|translation| {
            let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
            Loaded::new(stem, language, SOURCE, translation)
        });
        let names = |loaded: &Loaded| {
            let players = loaded.game.players().iter().map(|&player| loaded.game.name(player));
            players.map(|player| loaded.notation.render_player(player).to_owned()).collect()
        };
        let checked = Checked { version: number, errors, warnings, wrong, players: loaded.as_ref().map(names) };
        let version = loaded.map(|loaded| Self {
            number,
            game: loaded.game.clone(),
            language,
            name: name.to_owned(),
            text,
            reading,
            loaded: Mutex::new(Some(loaded)),
            drawn: OnceLock::new(),
            fast: OnceLock::new(),
            levels: Mutex::default(),
        });
        (version, checked)
    }

    /// The name of the game with an extension.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The text that was read.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The game read once more.
    ///
    /// # Errors
    /// The text was read without errors before, so there are none but those of limits.
    pub(crate) fn again(&self) -> Result<Loaded, Failure> {
        let again = load::game_or_first(SOURCE, &self.name, &self.text, self.language, self.reading);
        again.map_err(|finding| self.failure(*finding))
    }

    /// The game as it was optimised at a level.
    ///
    /// # Errors
    /// A defect of a pass.
    pub(crate) fn at_level(&self, level: u8) -> Result<Arc<Game>, Failure> {
        let mut levels = self.levels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(game) = levels.get(&level) {
            return Ok(Arc::clone(game));
        }
        let mut game = self.game.clone();
        optimize::run(&mut game, &Pipeline::level(optimize::level(level)))?;
        let game = Arc::new(game);
        levels.insert(level, Arc::clone(&game));
        Ok(game)
    }

    /// Per byte of the text, the number of UTF-16 units before it: places in a page are counted in these.
    pub(crate) fn units(&self) -> Vec<u32> {
        let mut units = Vec::with_capacity(self.text.len() + 1);
        let mut unit = 0;
        for letter in self.text.chars() {
            units.extend(std::iter::repeat_n(unit, letter.len_utf8()));
            unit += if letter > '\u{ffff}' { 2 } else { 1 };
        }
        units.push(unit);
        units
    }

    /// What tells places of the text. Linear in the text, once.
    pub(super) fn placer(&self) -> Placer<'_> {
        let ends = self.text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let lines = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Placer { text: &self.text, lines, units: self.units() }
    }

    /// A finding about this text.
    pub(crate) fn failure(&self, finding: Diagnostic) -> Failure {
        Failure::at(&self.sources(), finding)
    }

    /// The text, for the places of findings.
    pub(crate) fn sources(&self) -> SourceMap {
        sources(&self.name, &self.text)
    }

    /// The game as it was translated, with an engine whose states can be drawn.
    ///
    /// # Errors
    /// The engine cannot be prepared.
    pub(crate) fn drawn(&self) -> Result<&Runner, Failure> {
        let prepare = || {
            let loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner).take();
            let loaded = loaded.map_or_else(|| self.again(), Ok)?;
            let options = Options { keep_dead: true, ..Options::default() };
            Runner::new(loaded, options).map_err(|finding| self.failure(*finding))
        };
        self.drawn.get_or_init(prepare).as_ref().map_err(Clone::clone)
    }

    /// The optimised game, with the fastest engine.
    ///
    /// # Errors
    /// As for [`Version::drawn`].
    pub(crate) fn fast(&self) -> Result<&Runner, Failure> {
        let prepare = || {
            let prepared = self.again()?.optimised(FAST_LEVEL).and_then(|it| Runner::new(it, Options::default()));
            prepared.map_err(|finding| self.failure(*finding))
        };
        self.fast.get_or_init(prepare).as_ref().map_err(Clone::clone)
    }
}

/// Tells places of a text.
pub(super) struct Placer<'v> {
    text: &'v str,
    /// Where lines begin.
    lines: Vec<usize>,
    units: Vec<u32>,
}

/// A part of a text.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// The line that it begins in, from 0.
    pub(super) line: usize,
    /// Its beginning and end in UTF-16 units.
    pub(super) from: u32,
    pub(super) to: u32,
}

impl Placer<'_> {
    /// The part of the text that a span is; `None` for what is not written anywhere.
    pub(super) fn part(&self, span: Span) -> Option<Part> {
        let line = self.lines.partition_point(|&start| start <= span.start as usize).checked_sub(1)?;
        let unit = |at: u32| self.units.get(at as usize).copied().unwrap_or(0);
        (span.source == SOURCE).then(|| Part { line, from: unit(span.start), to: unit(span.end) })
    }

    /// A part of the text as a reason, with nothing found there.
    pub(super) fn reason(&self, Part { line, from, to }: Part) -> Reason {
        let rest = self.lines.get(line).and_then(|&start| self.text.get(start..));
        let text = rest.and_then(|rest| rest.lines().next()).unwrap_or_default().trim().to_owned();
        Reason { line: line + 1, text, from, to, found: None }
    }
}

fn sources(name: &str, text: &str) -> SourceMap {
    let mut sources = SourceMap::default();
    sources.add(name, text);
    sources
}
