//! A game ready to be played, in the terms of its own language.

use crate::cli::{EngineArgs, GameArgs};
use crate::load::Loaded;
use crate::session::{Failure, Session, finding};
use backend::{Engine, Error, Moves, Options, Reasoner, State, Turn};
use rg_ir::notation::find_move;
use rg_ir::{Diagnostic, Severity};

/// A game with an engine.
pub struct Runner {
    /// The game.
    pub loaded: Loaded,
    /// The engine.
    pub reasoner: Reasoner,
}

impl Runner {
    /// Reads a game and prepares it for a checked run: a keeper with a choice is an error. It is optimised at the level
    /// that the options ask for, or else at `level`.
    pub fn start(session: &mut Session, game: &GameArgs, engine: &EngineArgs, level: u8) -> Result<Self, Failure> {
        let loaded = session.load(&game.file, game.language.from.as_deref(), Severity::Error)?;
        let loaded = loaded.optimised(engine.level.or(level))?;
        Self::with_options(loaded, Options { engine: engine.engine(), checked: true, ..Options::default() })
    }

    /// Prepares a game to be run as fast as it goes.
    pub fn new(loaded: Loaded, engine: Engine) -> Result<Self, Failure> {
        Self::with_options(loaded, Options { engine, ..Options::default() })
    }

    fn with_options(loaded: Loaded, options: Options) -> Result<Self, Failure> {
        match Reasoner::with_options(&loaded.game, options) {
            Ok(reasoner) => Ok(Self { loaded, reasoner }),
            Err(error) => Err(run_time_error(&loaded, &error).into()),
        }
    }

    /// The first state.
    pub fn initial(&self) -> Result<State, Failure> {
        self.reasoner.initial().map_err(|error| self.failure(&error))
    }

    /// The finding for a run-time error.
    pub fn failure(&self, error: &Error) -> Failure {
        run_time_error(&self.loaded, error).into()
    }

    /// The finding for a run-time error that happened after `play`.
    pub fn failure_after(&self, error: Error, play: Vec<String>) -> Failure {
        self.failure(&Error { play, ..error })
    }

    /// The name of who is to move: a player, `random`, or `None` at the end.
    pub fn mover(&self, state: &State) -> Option<&str> {
        match self.reasoner.turn(state) {
            Turn::Player(index) => self.players().nth(index),
            Turn::Random => Some("random"),
            Turn::End => None,
        }
    }

    /// The names of the players in declaration order.
    pub fn players(&self) -> impl Iterator<Item = &str> {
        self.reasoner.players().iter().map(|name| self.loaded.notation.render_player(name))
    }

    /// The tags of all moves as text.
    pub fn tags<'m>(&'m self, moves: &'m Moves) -> Vec<Vec<&'m str>> {
        moves.iter().map(|tags| tags.iter().map(|&tag| self.reasoner.tag_name(tag)).collect()).collect()
    }

    /// All moves in the notation of the game's language, each with its index, sorted by their text. This order does not
    /// depend on the engine.
    pub fn listed(&self, moves: &Moves) -> Vec<(String, usize)> {
        let texts = self.loaded.notation.render_moves(&self.tags(moves));
        let mut listed: Vec<(String, usize)> = texts.into_iter().zip(0..).collect();
        listed.sort_by(|(a, i), (b, j)| a.cmp(b).then_with(|| moves.tags(*i).cmp(moves.tags(*j))));
        listed
    }

    /// Plays the moves of `text`, separated by `;`, from the first state; returns the state and the moves as tags. A
    /// move is written in the language's notation or as tags; an empty one stands for the only legal one.
    pub fn play(&self, text: &str) -> Result<(State, Vec<String>), Failure> {
        let mut state = self.initial()?;
        let mut played = Vec::new();
        let mut moves = Moves::new();
        let text = text.trim();
        let text = text.strip_suffix(';').unwrap_or(text);
        for wanted in text.split(';').map(str::trim).filter(|_| !text.is_empty()) {
            if let Err(error) = self.reasoner.legal_moves(&state, &mut moves) {
                return Err(self.failure_after(error, played));
            }
            let index = self.find(wanted, &moves).map_err(|message| {
                let wrong = finding("IO320", format!("move {}: {message}", played.len() + 1));
                let advice = "`rgc moves` without `--play`, or with a shorter play, lists the legal moves";
                wrong.help(advice)
            })?;
            played.push(self.reasoner.tags_text(moves.tags(index)));
            if let Err(error) = self.reasoner.apply(&mut state, &moves, index) {
                return Err(self.failure_after(error, played));
            }
        }
        Ok((state, played))
    }

    fn find(&self, wanted: &str, moves: &Moves) -> Result<usize, String> {
        if moves.is_empty() {
            return Err(format!("`{wanted}` cannot be played, the play is over"));
        }
        let tags = self.tags(moves);
        self.loaded.notation.parse_move(wanted, &tags).or_else(|message| {
            let plain: Vec<String> = tags.iter().map(|tags| tags.join(" ")).collect();
            find_move(wanted, &plain).map_err(|_| message)
        })
    }
}

/// Says what happened at run time, where in the rules, and after which play.
fn run_time_error(loaded: &Loaded, error: &Error) -> Diagnostic {
    let game = &loaded.game;
    let node = game.symbols.get(&error.node).and_then(|name| game.find_node(name));
    let span = node.map_or(rg_ir::Span::NONE, |node| game.automaton.node(node).span);
    let mut wrong = Diagnostic::error(error.kind.code(), span, error.message.clone());
    if !error.node.is_empty() {
        wrong = wrong.note(format!("at node `{}`", error.node));
    }
    if error.play.is_empty() {
        return wrong;
    }
    let moves = error.play.iter().map(|tags| {
        let tags: Vec<&str> = tags.split_whitespace().collect();
        loaded.notation.render_move(&tags)
    });
    wrong.note(format!("after the play `{}`", moves.collect::<Vec<_>>().join("; ")))
}
