//! The public face of the engines.

use crate::build::{Built, OtherForm, build};
use crate::side_by_side::{GroundForm, Plays, SideBySide};
use engine::PlayoutStats;
use engine::Rng;
use engine::model::{DecisionForm, Effort, Model, MoveForm};
use engine::observe::{Looks, Observer};
use engine::options::{Engine, Options};
use engine::state::{Event, Moves, PackedMove, State, Tag, Turn, text_of};
use engine::valid::{ValidGame, has_chance};
use engine::{Error, ErrorKind};
use rg_ir::ids::Id;
use rg_ir::{Game, StateView, Symbol, Symbols, cancel};
use wir::Program;

/// Plays that an engine is asked for at once.
const AT_ONCE: u64 = 256;
/// The least number of plays that are made side by side ([`Reasoner::playouts`]).
pub const SIDE_BY_SIDE: u64 = 256;
/// Plays that are made side by side before it is looked whether some have failed.
const BEFORE_ERRORS: u64 = 1 << 14;
/// Plays that are made to find an error with its moves.
const ATTEMPTS: u32 = 16;

/// A forward model of one game: legal moves, states, scores. Shared freely between threads.
pub struct Reasoner {
    model: Box<dyn Model>,
    symbols: Symbols,
    players: Vec<String>,
    score_names: Vec<String>,
    /// Limit of the moves of a playout.
    plies: u64,
    /// Whether some player may not see some tag.
    hidden: bool,
    /// Whether `random` may ever decide.
    chance: bool,
    /// Why the game could not be lifted.
    refusal: Option<String>,
    /// The state in which the first decision is made, or why there is none.
    initial: Result<State, Error>,
    side_by_side: SideBySide,
}

impl Reasoner {
    /// Checks a game and prepares it for execution.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] if the static checks find an error, and for tables beyond the limits.
    pub fn new(game: &Game, engine: Engine) -> Result<Self, Error> {
        Self::with_options(game, Options { engine, ..Options::default() })
    }

    /// As [`Reasoner::new`], with further options.
    ///
    /// # Errors
    /// As for [`Reasoner::new`].
    pub fn with_options(game: &Game, options: Options) -> Result<Self, Error> {
        Self::for_valid(ValidGame::new(game)?, &options)
    }

    /// As [`Reasoner::with_options`], for a game that is checked already.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] for tables beyond the limits.
    pub fn for_valid(game: ValidGame, options: &Options) -> Result<Self, Error> {
        Ok(Self::of_forms(game, options, &mut |_| None)?.0)
    }

    /// As [`Reasoner::with_options`], for a game that there may be in another form, with the same moves, scores and steps: where the given
    /// one is not compiled (`None`), or slow, `other` is asked for that, with the nanoseconds that a ply takes, and the one that takes less by trial
    /// is run. It is returned if it is the other one.
    ///
    /// # Errors
    /// As for [`Reasoner::new`]; those of the other form do not matter.
    pub fn of_cheaper(
        game: &Game,
        options: Options,
        mut other: impl FnMut(Option<u64>) -> Option<Game>,
    ) -> Result<(Self, Option<Game>), Error> {
        Self::of_forms(ValidGame::new(game)?, &options, &mut other)
    }

    /// Gives the engine a way to make the ground form of its game, with the same moves, scores and steps, for plays side by side.
    #[must_use]
    pub fn with_ground_form(mut self, ground: GroundForm) -> Self {
        self.side_by_side.ground = Some(ground);
        self
    }

    fn of_forms(game: ValidGame, options: &Options, other: OtherForm<'_>) -> Result<(Self, Option<Game>), Error> {
        let names = |game: &Game| -> Vec<String> {
            game.players().iter().map(|&player| game.name(player).to_owned()).collect()
        };
        let (players, symbols, chance) = (names(&game), game.symbols.clone(), has_chance(&game));
        let given = game.clone();
        let Built { model, score_names, hidden, refusal, other, nanoseconds } = build(game, options, other)?;
        let side_by_side = SideBySide::new(
            match &other {
                Some(other) => ValidGame::new(other)?,
                None => given,
            },
            options,
            nanoseconds,
        );
        let (players, symbols, chance) = match &other {
            Some(game) => (names(game), game.symbols.clone(), has_chance(game)),
            None => (players, symbols, chance),
        };
        let mut initial = model.initial();
        let initial = model.complete(&mut initial, None).map(|()| initial);
        let plies = options.limits.plies;
        let reasoner =
            Self { model, symbols, players, score_names, plies, hidden, chance, refusal, initial, side_by_side };
        Ok((reasoner, other))
    }

    /// Name of the engine that was prepared: the one asked for, or the one that stands in for it.
    pub fn engine_name(&self) -> &'static str {
        self.model.name()
    }

    /// Name of the engine that runs at this moment: for `auto`, `interpreter` until machine code is ready, then `native`.
    pub fn running_engine(&self) -> &'static str {
        self.model.running()
    }

    /// Waits until what has been asked for so far runs as fast as it ever will. `native` begins with machine code that is compiled
    /// quickly, `auto` with bytecode; optimised machine code takes over after some thousand calls. Measurements call this between
    /// a first run and the one that counts.
    pub fn settle(&self) {
        self.model.settle();
    }

    /// Names of the scores, in the order of the counts of [`PlayoutStats::scores`].
    pub fn score_names(&self) -> &[String] {
        &self.score_names
    }

    /// The players in declaration order.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// Whether there is hidden information: some player may not see some tag of some move.
    pub fn hides(&self) -> bool {
        self.hidden
    }

    /// Whether there is chance: `random` may decide somewhere.
    pub fn has_chance(&self) -> bool {
        self.chance
    }

    /// The text of a tag.
    pub fn tag_name(&self, tag: Tag) -> &str {
        self.symbols.name(Symbol::from_index(tag.0 as usize))
    }

    /// A tag sequence as text, separated by single spaces.
    pub fn tags_text(&self, tags: &[Tag]) -> String {
        tags.iter().map(|&t| self.tag_name(t)).collect::<Vec<_>>().join(" ")
    }

    /// Move `index` of `moves` as text: its tags, then `#` and a number if others have the same tags
    /// ([`Moves::outcome`]). No tag begins with that sign.
    pub fn move_text(&self, moves: &Moves, index: usize) -> String {
        text_of(moves, index, |tag| self.tag_name(tag))
    }

    /// The state in which the first decision is made: initial values, the keeper's moves completed.
    ///
    /// # Errors
    /// [`ErrorKind::Stuck`], [`ErrorKind::KeeperChoice`], [`ErrorKind::Ambiguous`], [`ErrorKind::Recursion`] or
    /// [`ErrorKind::Limit`] if the keeper cannot complete.
    pub fn initial(&self) -> Result<State, Error> {
        self.initial.clone()
    }

    /// Who decides.
    pub fn turn(&self, state: &State) -> Turn {
        self.model.turn(state).unwrap_or(Turn::End)
    }

    /// Whether the game is over.
    pub fn is_terminal(&self, state: &State) -> bool {
        self.model.is_over(state)
    }

    /// Fills `moves` with the legal moves of `state`, in a deterministic order: distinct tag sequences, or with
    /// [`Ambiguity::Split`] distinct pairs of a tag sequence and the state that it leads to. None at the end of a play.
    ///
    /// # Errors
    /// [`ErrorKind::Ambiguous`], [`ErrorKind::Recursion`], [`ErrorKind::Limit`]; [`ErrorKind::Stuck`] if there is no
    /// move and the play is not over.
    pub fn legal_moves(&self, state: &State, moves: &mut Moves) -> Result<(), Error> {
        moves.clear();
        if self.is_terminal(state) {
            return Ok(());
        }
        self.model.moves(state, moves)?;
        if moves.is_empty() {
            return Err(Error::new(ErrorKind::Stuck, self.node_name(state), "there is no legal move"));
        }
        Ok(())
    }

    /// Makes move `index` of `moves`, which must be the legal moves of `state`, and completes the keeper's moves.
    ///
    /// # Errors
    /// [`ErrorKind::IllegalMove`] if there is no such move; else as for [`Reasoner::initial`]. `state` is then
    /// unspecified.
    pub fn apply(&self, state: &mut State, moves: &Moves, index: usize) -> Result<(), Error> {
        self.apply_raw(state, moves, index)?;
        self.model.complete(state, None)
    }

    /// As [`Reasoner::apply`], and appends what the players are told: the move itself, then each move of the keeper.
    ///
    /// # Errors
    /// As for [`Reasoner::apply`].
    pub fn apply_logged(
        &self,
        state: &mut State,
        moves: &Moves,
        index: usize,
        log: &mut Vec<Event>,
    ) -> Result<(), Error> {
        match self.model.apply_logged(state, (moves, index), log)? {
            true => Ok(()),
            false => Err(self.no_such_move(state)),
        }
    }

    /// Who sees the tags of the legal moves of a state: a set of players for each of [`Moves::tags`] (bit i: player i), or nothing
    /// at all if everybody sees all of them ([`Reasoner::hides`]). Linear in the tags; where tags are seen differently on different walks of one move, as dear as listing
    /// the moves by a search.
    ///
    /// # Errors
    /// As for [`Reasoner::legal_moves`].
    pub fn visibility(&self, state: &State, moves: &Moves) -> Result<Vec<u64>, Error> {
        self.model.visibility(state, moves)
    }

    /// As [`Reasoner::legal_moves`], in the same order, each move packed into a word; `moves` is cleared first.
    ///
    /// # Errors
    /// As for [`Reasoner::legal_moves`].
    pub fn packed_moves(&self, state: &State, moves: &mut Vec<PackedMove>) -> Result<(), Error> {
        moves.clear();
        if self.is_terminal(state) {
            return Ok(());
        }
        self.model.packed(state, moves)?;
        if moves.is_empty() {
            return Err(Error::new(ErrorKind::Stuck, self.node_name(state), "there is no legal move"));
        }
        Ok(())
    }

    /// A number under which the words of `moves`, which are all of [`Reasoner::packed_moves`] at `state`, always have the same tags
    /// ([`Reasoner::packed_tags`]), whatever else the state is; `None` where the tags are not in the words. O(moves).
    pub fn packed_label_key(&self, state: &State, moves: &[PackedMove]) -> Option<u32> {
        self.model.packed_label_key(state, moves)
    }

    /// The tags of a packed move under its [`Reasoner::packed_label_key`]. O(tags).
    pub fn packed_tags(&self, key: u32, packed: PackedMove) -> Vec<Tag> {
        self.model.packed_tags(key, packed)
    }

    /// Prepares to look at states often ([`Reasoner::observe`]). Linear in the cells, their values, and the nodes.
    pub fn observer(&self, looks: Looks) -> Observer {
        self.model.observer(looks)
    }

    /// Sets bytes to 0, but where what the observer looks at writes others. Where the state is one of lifted code, that takes some
    /// nanoseconds for each cell that is not kept as a set, and one for each place in a set; elsewhere, cells are looked up by name.
    pub fn observe(&self, observer: &Observer, state: &State, out: &mut [u8]) {
        out.fill(0);
        self.model.observe(observer, state, out);
    }

    /// Adds the scores of a state in player order, each as its place among [`Reasoner::score_names`].
    pub fn score_numbers(&self, state: &State, numbers: &mut Vec<u32>) {
        self.model.score_numbers(state, &self.score_names, numbers);
    }

    /// As [`Reasoner::apply`], for a move of [`Reasoner::packed_moves`] at `state`. Where the decision is lifted, that is
    /// one call of compiled code; elsewhere, the moves are listed again.
    ///
    /// # Errors
    /// As for [`Reasoner::apply`] and [`Reasoner::legal_moves`].
    pub fn apply_packed(&self, state: &mut State, packed: PackedMove) -> Result<(), Error> {
        if !self.model.apply_packed(state, packed)? {
            return Err(self.no_such_move(state));
        }
        self.model.complete(state, None)
    }

    fn apply_raw(&self, state: &mut State, moves: &Moves, index: usize) -> Result<(), Error> {
        if self.model.apply(state, moves, index) { Ok(()) } else { Err(self.no_such_move(state)) }
    }

    fn no_such_move(&self, state: &State) -> Error {
        Error::new(ErrorKind::IllegalMove, self.node_name(state), "there is no such move")
    }

    /// How many decisions lifted code makes, and how many there are; none at all in engines that do not lift.
    pub fn decisions(&self) -> (usize, usize) {
        self.model.decisions()
    }

    /// What became of each decision of the game in this engine, for people.
    pub fn report(&self) -> Vec<String> {
        let refusal = self.refusal.iter().map(|reason| format!("not lifted: {reason}"));
        refusal.chain(self.model.report()).collect()
    }

    /// What became of each decision of the game, as data; nothing in engines that do not lift.
    pub fn forms(&self) -> Vec<DecisionForm> {
        self.model.forms()
    }

    /// The lifted program that the engine runs, if there is one.
    pub fn program(&self) -> Option<&Program> {
        self.model.lifted_program()
    }

    /// Name of the automaton node a state is at.
    pub fn node_name(&self, state: &State) -> &str {
        self.model.node_name(state)
    }

    /// The scores (`goals`) in player order, by name. They are final once the game is over.
    pub fn scores(&self, state: &State) -> Vec<&str> {
        self.model.scores(state)
    }

    /// The values of all cells and the node, the same in every engine.
    pub fn image(&self, state: &State) -> Vec<u32> {
        self.model.image(state)
    }

    /// The values of variables, for drawing and inspection.
    pub fn view<'a>(&'a self, state: &'a State) -> impl StateView + 'a {
        View { reasoner: self, state }
    }

    /// Size in bytes of a state in which somebody decides.
    pub fn state_bytes(&self) -> usize {
        let bytes = |state: &State| state.as_bytes().len();
        self.initial.as_ref().map_or_else(|_| bytes(&self.model.initial()), bytes)
    }

    /// Number of plays of exactly `depth` plies from `state` (section 9): moves of the keeper are free, successors of
    /// `random` are merged by state, as it is before dead variables are reset.
    ///
    /// # Errors
    /// As for [`Reasoner::legal_moves`] and [`Reasoner::apply`], with the play from `state` on.
    pub fn perft(&self, state: &State, depth: u32) -> Result<u64, Error> {
        if depth == 0 {
            return Ok(1);
        }
        if self.is_terminal(state) {
            return Ok(0);
        }
        self.model.perft(state, depth)
    }

    /// Plays one uniformly random play from the initial state and adds it to `stats`: in every state all legal moves
    /// are generated and one is chosen.
    ///
    /// # Errors
    /// As for [`Reasoner::legal_moves`] and [`Reasoner::apply`], with the play.
    pub fn playout(&self, rng: &mut Rng, stats: &mut PlayoutStats) -> Result<(), Error> {
        self.playout_in(MoveForm::List, rng, stats)
    }

    /// As [`Reasoner::playout`], with all legal moves of a state in another form. Engines without sets
    /// ([`Reasoner::has_sets`]) list moves all the same. Equal seeds give equal plays in both forms.
    ///
    /// # Errors
    /// As for [`Reasoner::playout`].
    pub fn playout_in(&self, form: MoveForm, rng: &mut Rng, stats: &mut PlayoutStats) -> Result<(), Error> {
        self.played(self.initial.as_ref().map_err(Clone::clone)?, form, rng, stats)
    }

    /// As [`Reasoner::playout_in`], so many plays in less time. Most games are played one after the other: the plays are those that as many calls of
    /// [`Reasoner::playout_in`] make. Games of many ground rules are played many side by side, if there are at least
    /// [`SIDE_BY_SIDE`] plays: each has the generator [`Rng::new`] gives for the next number of `rng`.
    ///
    /// # Errors
    /// As for [`Reasoner::playout`], with the play that failed; the plays before it are in `stats`, and if plays go on side by side those after it, too.
    pub fn playouts(&self, count: u64, form: MoveForm, rng: &mut Rng, stats: &mut PlayoutStats) -> Result<(), Error> {
        let start = self.initial.as_ref().map_err(Clone::clone)?;
        if count >= SIDE_BY_SIDE {
            if self.model_is_faster_side_by_side() {
                return self.side_by_side(start, (form, count), rng, stats);
            }
            if let Some(plays) = self.other_side_by_side() {
                return plays.play(count, rng, stats).map_err(|error| self.similar(start, error));
            }
        }
        let mut left = count;
        while left > 0 {
            let now = left.min(AT_ONCE);
            let before = (rng.clone(), stats.clone());
            if self.model.playouts(start, (form, now as u16), rng, stats).is_err() {
                // Once more, one by one, to find out which it was.
                (*rng, *stats) = before;
                (0..now).try_for_each(|_| self.played(start, form, rng, stats))?;
            }
            left -= now;
        }
        Ok(())
    }

    /// So many plays side by side. Those that are long or fail are made once more, one by one: this is faster for a few, and finds out why.
    fn side_by_side(
        &self,
        start: &State,
        (form, count): (MoveForm, u64),
        rng: &mut Rng,
        stats: &mut PlayoutStats,
    ) -> Result<(), Error> {
        let mut left = count;
        while left > 0 {
            let now = left.min(BEFORE_ERRORS);
            left -= now;
            match self.model.side_by_side(start, now, rng, stats) {
                Some(rest) => rest.into_iter().try_for_each(|mut rng| self.played(start, form, &mut rng, stats))?,
                None => (0..now).try_for_each(|_| self.played(start, form, rng, stats))?,
            }
        }
        Ok(())
    }

    /// How many plays are worth being made at once by [`Reasoner::playouts`]: many, if they are made side by side. What that needs is made when this is
    /// first asked, or when so many plays are.
    pub fn plays_at_once(&self) -> u64 {
        let many = self.model_is_faster_side_by_side() || self.other_side_by_side().is_some();
        if many { simulate::LANES as u64 } else { 1 }
    }

    /// What a ply takes in picoseconds if many plays are made side by side by the model itself.
    pub(crate) fn ply_side_by_side(&self) -> Option<u64> {
        self.model.ply_side_by_side()
    }

    fn model_is_faster_side_by_side(&self) -> bool {
        self.ply_side_by_side().is_some_and(|picoseconds| self.side_by_side.is_faster(picoseconds))
    }

    fn other_side_by_side(&self) -> Option<&Plays> {
        if self.initial.as_ref().is_ok_and(|start| self.model.is_over(start)) {
            return None;
        }
        self.side_by_side.plays(self)
    }

    /// An error of a play whose moves are not known: another one with moves, if plays go wrong often.
    fn similar(&self, start: &State, error: Error) -> Error {
        let mut rng = Rng::new(0);
        let tried =
            (0..ATTEMPTS).try_for_each(|_| self.played(start, MoveForm::List, &mut rng, &mut PlayoutStats::default()));
        tried.err().unwrap_or(error)
    }

    /// As [`Reasoner::playout`], from a state on: `start` is one that this reasoner has handed out.
    ///
    /// # Errors
    /// As for [`Reasoner::playout`]; the play begins at `start`.
    pub fn playout_from(&self, start: &State, rng: &mut Rng, stats: &mut PlayoutStats) -> Result<(), Error> {
        self.played(start, MoveForm::List, rng, stats)
    }

    fn played(&self, start: &State, form: MoveForm, rng: &mut Rng, stats: &mut PlayoutStats) -> Result<(), Error> {
        let before = rng.clone();
        self.model.playout(start, form, rng, stats).map_err(|error| self.replay(start, before, error))
    }

    /// Whether the engine has moves as sets.
    pub fn has_sets(&self) -> bool {
        self.model.has_sets()
    }

    /// What so many plies of random plays take; all zero in engines that do not count, which are all but
    /// [`Engine::Interpreter`] for games that are lifted.
    ///
    /// # Errors
    /// As for [`Reasoner::playout`], without the play.
    pub fn effort(&self, plies: u64, rng: &mut Rng) -> Result<Effort, Error> {
        self.model.effort(self.initial.as_ref().map_err(Clone::clone)?, plies, rng)
    }

    /// Plays a failed playout again to find out its moves.
    fn replay(&self, start: &State, mut rng: Rng, mut error: Error) -> Error {
        let (mut state, mut moves) = (start.clone(), Moves::new());
        for _ in 0..self.plies {
            cancel::check();
            if self.legal_moves(&state, &mut moves).is_err() || moves.is_empty() {
                break;
            }
            let index = rng.below(moves.len() as u32) as usize;
            error.play.push(self.move_text(&moves, index));
            if self.apply(&mut state, &moves, index).is_err() {
                break;
            }
        }
        error
    }
}

struct View<'a> {
    reasoner: &'a Reasoner,
    state: &'a State,
}

impl StateView for View<'_> {
    fn get(&self, variable: &str, keys: &[&str]) -> Option<&str> {
        self.reasoner.model.get(self.state, variable, keys)
    }
}
