//! Games with what environments need to know of them.

use crate::actions::{ActionSpace, Actions};
use crate::observation::ObservationSpace;
use agents::Payoffs;
use backend::{Engine, Options, Reasoner};
use kit::language::{self, Reading};
use kit::load::{load_text, read};
use kit::render::{MessageFormat, Renderer};
use kit::runner::Runner;
use kit::{Loaded, watchdog};
use rg_ir::diag::has_errors;
use rg_ir::{Diagnostic, SourceMap};
use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

/// The level at which games are optimised.
const LEVEL: u8 = 2;

/// A game that cannot be an environment: its findings, and as text what the command line says of them.
#[derive(Debug)]
pub struct GameError {
    /// What is wrong, the most severe first.
    pub findings: Vec<Diagnostic>,
    /// Their text, by lines.
    pub text: String,
    /// Where the spans of findings are.
    pub sources: SourceMap,
}

impl GameError {
    fn new(findings: Vec<Diagnostic>, sources: SourceMap) -> Box<Self> {
        let text = Renderer::new(MessageFormat::Human, false).render(&sources, &findings).trim_end().to_owned();
        Box::new(Self { findings, text, sources })
    }
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for GameError {}

/// A game with an engine. It is shared freely between threads.
pub struct Game {
    runner: Runner,
    text: String,
    actions: ActionSpace,
    observations: ObservationSpace,
    /// What each score is worth, in the order of [`Reasoner::score_names`].
    utilities: Vec<f64>,
    wanted: Actions,
    /// The same game with an engine that keeps the values of all variables; made when it is needed.
    kept: OnceLock<Result<Box<Self>, Box<GameError>>>,
}

/// What an engine keeps of states.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keeps {
    /// What can still matter. States are small, and games are optimised.
    Needed,
    /// All values, as the rules have them: for pictures, and to count states.
    All,
}

impl Game {
    /// Reads the game in a file, or the bundled game of that name, in the language `from`, or the one that its name or beginning tells.
    ///
    /// # Errors
    /// Findings, if the text is no game, or the engine has no room for it.
    pub fn load(path: impl AsRef<Path>, from: Option<&str>, actions: Actions) -> Result<Self, Box<GameError>> {
        let mut sources = SourceMap::default();
        let (source, language) = match read(&mut sources, path.as_ref(), from) {
            Ok(read) => read,
            Err(error) => return Err(GameError::new(vec![*error], sources)),
        };
        let (name, text) = sources.get(source).map_or(("", ""), |file| (&*file.name, &*file.text));
        let (name, text) = (name.to_owned(), text.to_owned());
        Self::parse(&name, &text, Some(language.name), actions)
    }

    /// Reads a game from a text in the language `from`, or the one that its beginning tells.
    ///
    /// # Errors
    /// As for [`Game::load`].
    pub fn parse(name: &str, text: &str, from: Option<&str>, actions: Actions) -> Result<Self, Box<GameError>> {
        Self::read(name, text, from, actions, Keeps::Needed)
    }

    /// The same game, with the same actions, and an engine that keeps the values of all variables: for pictures of positions, and for counting
    /// plays with chance, which merges equal states. It is prepared by the first call.
    ///
    /// # Errors
    /// As for [`Game::load`].
    pub fn in_full(&self) -> Result<&Self, &GameError> {
        let read = || {
            let name = format!("{}.{}", self.name(), self.language());
            Self::read(&name, &self.text, Some(self.language()), self.wanted, Keeps::All).map(Box::new)
        };
        self.kept.get_or_init(read).as_deref().map_err(|error| &**error)
    }

    fn read(
        name: &str,
        text: &str,
        from: Option<&str>,
        actions: Actions,
        keeps: Keeps,
    ) -> Result<Self, Box<GameError>> {
        let mut sources = SourceMap::default();
        let source = sources.add(name, text);
        let language = match language::choose(Path::new(name), from, text) {
            Ok(language) => language,
            Err(error) => return Err(GameError::new(vec![*error], sources)),
        };
        let (translation, mut findings) = load_text(source, name, text, language, Reading::default());
        let failed = has_errors(&findings);
        let Some(translation) = translation.filter(|_| !failed) else {
            findings.retain(Diagnostic::is_error);
            return Err(GameError::new(findings, sources));
        };
        let stem = Path::new(name).file_stem().map_or_else(|| name.into(), |stem| stem.to_string_lossy());
        let loaded = Loaded::new(stem.into_owned(), language, source, translation);
        Self::of(loaded, text.to_owned(), actions, keeps).map_err(|error| GameError::new(vec![*error], sources))
    }

    fn of(loaded: Loaded, text: String, wanted: Actions, keeps: Keeps) -> kit::Result<Self> {
        // Actions are the tags of the game in this form.
        let given = loaded.game.clone();
        let (level, keep_dead) = if keeps == Keeps::All { (0, true) } else { (LEVEL, false) };
        let loaded = loaded.in_one_form().optimised(level)?;
        let runner = Runner::new(loaded, Options { engine: Engine::Auto, keep_dead, ..Options::default() })?;
        let actions =
            watchdog::guarded("the actions were numbered", || ActionSpace::new(&given, &runner.loaded.game, wanted))?;
        let Some(actions) = actions else {
            return Err(kit::finding(
                "IO387",
                "there are too many moves to number them all; steps are always possible",
            )
            .into());
        };
        let observations = ObservationSpace::new(&runner, actions.kind());
        let payoffs = Payoffs::new(&runner.reasoner);
        let utilities = runner.reasoner.score_names().iter().map(|name| payoffs.value(name)).collect();
        Ok(Self { runner, text, actions, observations, utilities, wanted, kept: OnceLock::new() })
    }

    /// The game's name: that of its file without extension.
    pub fn name(&self) -> &str {
        &self.runner.loaded.name
    }

    /// The name of the language that it is written in.
    pub fn language(&self) -> &'static str {
        self.runner.loaded.language.name
    }

    /// Its rules.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The game with its engine and notation.
    pub fn runner(&self) -> &Runner {
        &self.runner
    }

    /// The engine.
    pub fn reasoner(&self) -> &Reasoner {
        &self.runner.reasoner
    }

    /// The numbers of moves.
    pub fn actions(&self) -> &ActionSpace {
        &self.actions
    }

    /// The bytes that describe states.
    pub fn observations(&self) -> &ObservationSpace {
        &self.observations
    }

    /// What each score is worth, in the order of [`Reasoner::score_names`]: the number that it is, or else its rank.
    pub fn utilities(&self) -> &[f64] {
        &self.utilities
    }

    /// An action as people write it: a move in the notation of the game's language, or the name of a tag.
    pub fn action_text(&self, action: u32) -> String {
        let tags: Vec<&str> = self.actions.tags(action).iter().map(String::as_str).collect();
        match (self.actions.kind(), tags.as_slice()) {
            (crate::ActionKind::Moves, tags) => {
                kit::runner::shown(&self.runner.loaded.notation.render_move(tags)).to_owned()
            }
            (crate::ActionKind::Steps, []) => "(end of the move)".to_owned(),
            (crate::ActionKind::Steps, [tag]) => self.runner.loaded.notation.render_value(tag).to_owned(),
            (crate::ActionKind::Steps, tags) => tags.join(" "),
        }
    }
}
