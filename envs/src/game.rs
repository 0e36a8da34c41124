//! Games with what environments need to know of them.

use crate::actions::{ActionSpace, Actions};
use crate::observation::ObservationSpace;
use crate::perspective::perspectives;
use agents::Payoffs;
use backend::{Engine, Options, Reasoner};
use kit::language::{self, Reading};
use kit::load::{load_text, read};
use kit::render::{MessageFormat, Renderer};
use kit::runner::Runner;
use kit::{Loaded, library, opening, watchdog};
use passes::final_scores::{Scores, final_scores};
use rg_ir::diag::has_errors;
use rg_ir::{Diagnostic, NodeId, SourceMap};
use rustc_hash::FxHashSet;
use std::borrow::Cow;
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
    /// Of findings in these sources.
    pub fn of(findings: Vec<Diagnostic>, sources: SourceMap) -> Box<Self> {
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
    /// What scores are worth.
    payoffs: Payoffs,
    wanted: Actions,
    /// Where the spans of findings are.
    sources: SourceMap,
    /// What is to be said of the text, though it is a game.
    warnings: Vec<Diagnostic>,
    /// See [`Game::findings`].
    findings: OnceLock<Vec<Diagnostic>>,
    /// See [`Game::utility_sum`].
    sum: OnceLock<Option<f64>>,
    /// See [`Game::perspectives`].
    perspectives: OnceLock<Vec<Vec<usize>>>,
    /// See [`Game::max_observed`].
    observed: OnceLock<usize>,
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

/// The rules of a game as they are translated.
struct Translated {
    loaded: Loaded,
    sources: SourceMap,
    /// What is to be said of them, none of it an error.
    warnings: Vec<Diagnostic>,
}

/// Translates the rules of a game.
fn translated(name: &str, text: &str, from: Option<&str>) -> Result<Translated, Box<GameError>> {
    let mut sources = SourceMap::default();
    let source = sources.add(name, text);
    let language = match language::choose(Path::new(name), from, text) {
        Ok(language) => language,
        Err(error) => return Err(GameError::of(vec![error.help("name the language with `language`")], sources)),
    };
    let stem = Path::new(name).file_stem().map_or_else(|| name.into(), |stem| stem.to_string_lossy());
    let (translation, mut warnings) = load_text(source, &stem, text, language, Reading::default());
    match translation.filter(|_| !has_errors(&warnings)) {
        Some(translation) => {
            let loaded = Loaded::new(stem.into_owned(), language, source, translation);
            Ok(Translated { loaded, sources, warnings })
        }
        None => {
            warnings.retain(Diagnostic::is_error);
            Err(GameError::of(warnings, sources))
        }
    }
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
            Err(error) => return Err(GameError::of(vec![*error], sources)),
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
        let Translated { loaded, sources, warnings } = translated(name, text, from)?;
        match Self::of(loaded, text.to_owned(), actions, keeps) {
            Ok(game) => Ok(Self { sources, warnings, ..game }),
            Err(error) => Err(GameError::of(vec![*error], sources)),
        }
    }

    /// The rules as they are translated, once more, and where the spans of findings about them are.
    ///
    /// # Errors
    /// As for [`Game::load`].
    pub fn loaded(&self) -> Result<(Loaded, SourceMap), Box<GameError>> {
        let name = format!("{}.{}", self.name(), self.language());
        translated(&name, &self.text, Some(self.language())).map(|found| (found.loaded, found.sources))
    }

    /// What `rgc check` finds: what is to be said of the text, and of the first positions ([`opening::findings`]); nothing is an error. Of a bundled game, its text alone is
    /// looked at. It is found out at the first call.
    pub fn findings(&self) -> &[Diagnostic] {
        self.findings.get_or_init(|| {
            let is_bundled =
                library::all().iter().any(|game| game.language.name == self.language() && game.text == self.text);
            let loaded = if is_bundled { None } else { self.loaded().ok() };
            let opening = loaded.and_then(|(loaded, _)| {
                watchdog::guarded("the first positions were looked at", || opening::findings(loaded, &self.warnings))
                    .ok()
            });
            self.warnings.iter().cloned().chain(opening.unwrap_or_default()).collect()
        })
    }

    /// The finding for an error of the rules in play. Where the optimised game does not tell a place in the text, the rules as they are translated do, if any does.
    pub fn failure(&self, error: &backend::Error) -> Diagnostic {
        let found = *self.runner.failure(error);
        let is_placed = |found: &Diagnostic| found.primary.is_some();
        if is_placed(&found) {
            return found;
        }
        let full = self.in_full().ok().map(|full| *full.runner.failure(error));
        full.filter(is_placed).unwrap_or(found)
    }

    /// The automaton that the rules are translated to, optimised at this level, from 0 to 2.
    ///
    /// # Errors
    /// A pass fails.
    pub fn automaton(&self, level: u8) -> Result<rg_ir::Game, Box<GameError>> {
        let (loaded, sources) = self.loaded()?;
        match loaded.in_one_form().optimised(level) {
            Ok(loaded) => Ok(loaded.game),
            Err(error) => Err(GameError::of(vec![*error], sources)),
        }
    }

    /// Without its sources.
    fn of(loaded: Loaded, text: String, wanted: Actions, keeps: Keeps) -> kit::Result<Self> {
        // Actions are the tags of the game in this form.
        let given = loaded.game.clone();
        let (level, keep_dead) = if keeps == Keeps::All { (0, true) } else { (LEVEL, false) };
        let loaded = loaded.in_one_form().with_final_values().optimised(level)?;
        let runner = Runner::new(loaded, Options { engine: Engine::Auto, keep_dead, ..Options::default() })?;
        let actions = watchdog::guarded("the actions were numbered", || {
            let notation = &runner.loaded.notation;
            let boards = notation.boards();
            let places: FxHashSet<&str> =
                boards.iter().flat_map(|board| &board.places).map(|place| place.name.as_str()).collect();
            let is_place = |tag: &str| places.contains(notation.render_value(tag));
            ActionSpace::new(&given, &runner.loaded.game, wanted, is_place)
        })?;
        let Some(actions) = actions else {
            return Err(kit::finding(
                "IO387",
                "there are too many moves to number them all; steps are always possible",
            )
            .into());
        };
        let observations = ObservationSpace::new(&runner, &actions);
        let payoffs = Payoffs::new(&runner.reasoner);
        let (sum, perspectives, kept, observed) = (OnceLock::new(), OnceLock::new(), OnceLock::new(), OnceLock::new());
        let sources = SourceMap::default();
        let (warnings, findings) = (Vec::new(), OnceLock::new());
        Ok(Self {
            runner,
            text,
            actions,
            observations,
            payoffs,
            wanted,
            sources,
            warnings,
            findings,
            sum,
            perspectives,
            kept,
            observed,
        })
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

    /// Where the spans of findings about the game are.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
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

    /// The same game, in which scores are worth what is said here ([`Payoffs::with`]).
    ///
    /// # Errors
    /// As for [`Payoffs::with`]; a value is no reward of a batch, since as `f32` it would be infinite, or 0 while it is not.
    pub fn with_utilities(self, said: &[(String, f64)]) -> Result<Self, String> {
        for (name, value) in said.iter().filter(|(_, value)| value.is_finite()) {
            let reward = *value as f32;
            if reward.is_infinite() || (reward == 0.0 && *value != 0.0) {
                let (least, most) = (f32::from_bits(1), f32::MAX);
                return Err(format!(
                    "the score `{name}` is worth {value:e}, but rewards are numbers in 32 bits: 0, or from {least:e} to {most:e} on either side"
                ));
            }
        }
        let payoffs = Payoffs::with(self.reasoner(), said)?;
        Ok(Self { payoffs, sum: OnceLock::new(), ..self })
    }

    /// What each score is worth, in the order of [`Reasoner::score_names`]: the number that it is, or else its rank; or what was said.
    pub fn utilities(&self) -> &[f64] {
        self.payoffs.values()
    }

    /// What scores are worth.
    pub fn payoffs(&self) -> &Payoffs {
        &self.payoffs
    }

    /// What the scores of all players are worth together at the end of every play, if that is always the same; `None` also where that cannot be told from
    /// the rules. It is found out at the first call.
    pub fn utility_sum(&self) -> Option<f64> {
        *self.sum.get_or_init(|| {
            let game = &self.runner.loaded.game;
            let value = |&score: &rg_ir::Symbol| self.payoffs.value(game.name(score));
            let sum = |scores: &Scores| scores.iter().map(value).sum();
            let sums: Vec<f64> = self.final_scores()?.iter().map(sum).collect();
            let (&first, rest) = sums.split_first()?;
            rest.iter().all(|&other| (other - first).abs() < 1e-9).then_some(first)
        })
    }

    /// The scores that plays may end with, by player, as far as the rules tell: at least those that there are ([`final_scores()`]). `None` if there are too many ways.
    pub fn final_scores(&self) -> Option<Vec<Scores>> {
        let (game, first) = (&self.runner.loaded.game, self.first_decision());
        watchdog::guarded("the final scores were found", || final_scores(game, first)).ok()?
    }

    /// The node at which somebody moves first; `None` if nobody does.
    fn first_decision(&self) -> Option<NodeId> {
        let (game, state) = (&self.runner.loaded.game, self.reasoner().initial().ok()?);
        let node = (!self.reasoner().is_terminal(&state)).then(|| self.reasoner().node_name(&state))?;
        game.find_node(game.symbols.get(node)?)
    }

    pub(crate) fn observed_cell(&self) -> &OnceLock<usize> {
        &self.observed
    }

    /// Whether all players move at once in the rules as they are written, though here one after the other, none knowing what the others do.
    pub fn is_simultaneous(&self) -> bool {
        self.runner.loaded.notation.joint().is_some_and(|joint| joint.plies() > 1)
    }

    /// By player, an order of the observation's channels in which the player's own are where those of player 0 are, as far as names tell: a permutation.
    /// They are found at the first call.
    pub fn perspectives(&self) -> &[Vec<usize>] {
        self.perspectives.get_or_init(|| {
            let players: Vec<&str> = self.runner.players().collect();
            perspectives(self.observations.channels(), &players)
        })
    }

    /// A tag as people call it: the label of the place on a board that it is, or else what it is in the rules. Linear in the places.
    pub fn tag_text<'a>(&'a self, tag: &'a str) -> Cow<'a, str> {
        let notation = &self.runner.loaded.notation;
        let name = notation.render_value(tag);
        let mut places = notation.boards().iter().flat_map(|board| &board.places);
        let place = places.find(|place| place.name == name);
        place.map_or_else(|| notation.render_tag(tag), |place| Cow::Borrowed(&place.label))
    }

    /// An action as people write it: a move in the notation of the game's language, or a tag.
    pub fn action_text(&self, action: u32) -> String {
        let tags: Vec<&str> = self.actions.tags(action).iter().map(String::as_str).collect();
        match (self.actions.kind(), tags.as_slice()) {
            (crate::ActionKind::Moves, tags) if *self.actions.merging() != crate::Merging::Apart => {
                let places = tags.iter().map(|tag| self.tag_text(tag)).collect::<Vec<_>>().join(" ");
                match self.actions.rank(action) {
                    0 => places,
                    rank => format!("{places} ({})", rank + 1),
                }
            }
            (crate::ActionKind::Moves, tags) => {
                kit::runner::shown(&self.runner.loaded.notation.render_move(tags)).to_owned()
            }
            (crate::ActionKind::Steps, []) => "(end of the move)".to_owned(),
            (crate::ActionKind::Steps, [tag]) => self.tag_text(tag).into_owned(),
            (crate::ActionKind::Steps, tags) => tags.join(" "),
        }
    }
}
