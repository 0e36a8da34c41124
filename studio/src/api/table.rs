//! The positions of a play, and what of them may be seen.

use super::Failure;
use super::acted;
use super::changes::Changes;
use super::clicks;
use super::ended::{self, Ended};
use super::games::Version;
use super::position::{Made, Move, Position};
use super::typed::{self, Typed};
use super::unlawful::{self, Answer};
use super::walk::{self, Walk};
use agents::{Observed, Payoffs, Play};
use backend::{Error, ErrorKind, State, Turn};
use kit::deduction::Deduction;
use kit::draw::Drawer;
use kit::observed;
use kit::possible::Possible;
use kit::runner::Runner;
use kit::scores;
use std::sync::atomic::AtomicBool;

/// Moves of a game that is replayed at most: each takes a position.
const MAX_REPLAYED: usize = 10_000;

/// Positions at most in which the reason is looked for why a move is not legal, where the one of the play is hidden.
const POSSIBLE: usize = 16;

/// The positions of a play, one of which is shown.
pub(crate) struct Table<'v> {
    version: &'v Version,
    pub(crate) runner: &'v Runner,
    drawer: Drawer<'v>,
    /// All positions, the first one included.
    plays: Vec<Play<'v>>,
    /// The moves between them.
    steps: Vec<Step>,
    /// The position that is shown.
    at: usize,
    /// Per player whether a person plays it.
    persons: Vec<bool>,
    /// The person who looks at the page, where something is hidden.
    looks: Option<usize>,
    /// Whether even the only person has to say who looks: others have sat there.
    is_strict: bool,
    /// Whether all may see what the rules hide: the game was over, or is one that is only looked at. It ends with the next move.
    is_open: bool,
    known: Option<Known<'v>>,
}

/// A move that was made.
struct Step {
    made: Made,
    /// As it is written in full, among all legal moves.
    full: String,
    tags: String,
    clicks: Vec<String>,
    /// That nobody can move behind it, though the game is not over.
    stuck: Option<Failure>,
}

/// That a game cannot be replayed from one of its moves on. How that is written in full says little to people.
fn unreplayed(number: usize) -> Failure {
    Failure::new("request", format!("move {number} of this game is not legal: were the rules changed?"))
}

/// What a position says in which the player to move has no legal move: it is shown, as it has the fault.
///
/// # Errors
/// Something else is wrong with the rules, and there is no position to be shown.
pub(crate) fn stuck_by(version: &Version, runner: &Runner, next: &Play<'_>, error: &Error) -> Result<Failure, Failure> {
    let failure = version.failure(*runner.failure(error));
    match next.turn() {
        Turn::Player(player) if error.kind == ErrorKind::Stuck && next.moves().is_empty() => {
            let name = runner.players().nth(player).unwrap_or_default();
            let message = format!("{name} has no legal move here, and the rules do not end the game");
            Ok(failure.saying(message))
        }
        _ => Err(failure),
    }
}

/// What follows from what a player observed.
struct Known<'v> {
    player: usize,
    seen: Vec<Observed>,
    possible: Possible<'v>,
    /// For when the possible states are too many; `None` in a large game.
    deduction: Option<Deduction<'v>>,
}

impl<'v> Table<'v> {
    /// A play at its beginning.
    ///
    /// # Errors
    /// The rules are wrong in the first position.
    pub(crate) fn new(version: &'v Version, runner: &'v Runner) -> Result<Self, Failure> {
        let play = Play::new(&runner.reasoner).map_err(|error| version.failure(*runner.failure(&error)))?;
        Ok(Self {
            version,
            runner,
            drawer: Drawer::new(runner),
            plays: vec![play],
            steps: Vec::new(),
            at: 0,
            persons: Vec::new(),
            looks: None,
            is_strict: false,
            is_open: false,
            known: None,
        })
    }

    /// Why a move is not legal in the position that is shown, as people write it or click it.
    ///
    /// # Errors
    /// `hidden`: it does not follow from what whoever looks knows. The search for it goes wrong.
    pub(crate) fn why(&self, text: &str, stop: &AtomicBool) -> Result<Answer, Failure> {
        let Some(play) = self.play() else { return Err(Failure::outdated()) };
        if !self.hides() {
            return unlawful::why(self.version, &self.drawer, play, (text, stop));
        }
        let states: Vec<State> =
            self.possible(play).into_iter().flat_map(|it| it.examples(POSSIBLE)).cloned().collect();
        let told = unlawful::why_in_all(self.version, &self.drawer, (play, &states), (text, stop))?;
        let unknown = "the reason may be something that is hidden from you, so it is not looked for";
        told.ok_or_else(|| Failure::new("hidden", unknown))
    }

    /// The states in which the player to move may be, where something is hidden and it is this player who looks; nothing is known of others.
    fn possible(&self, play: &Play<'_>) -> Option<&Possible<'v>> {
        let Turn::Player(player) = play.turn() else { return None };
        let seen = play.observations(player).unwrap_or_default();
        let known = self.known.as_ref().filter(|known| known.player == player && known.seen == seen)?;
        (self.viewer() == Some(player)).then_some(&known.possible)
    }

    /// Whether something is hidden from whoever looks.
    pub(crate) fn hides(&self) -> bool {
        !self.is_open && self.runner.reasoner.hides()
    }

    /// Shows all that the rules hide, once the game is over.
    ///
    /// # Errors
    /// It is not.
    pub(crate) fn open(&mut self) -> Result<(), Failure> {
        if self.plays.last().map(Play::turn) != Some(Turn::End) {
            return Err(Failure::new("hidden", "what is hidden in this game is shown when it is over"));
        }
        self.is_open = true;
        Ok(())
    }

    fn play(&self) -> Option<&Play<'v>> {
        self.plays.get(self.at)
    }

    /// Moves before the position that is shown.
    pub(crate) fn ply(&self) -> usize {
        self.at
    }

    /// Whether no move was made in the position that is shown.
    pub(crate) fn is_last(&self) -> bool {
        self.at + 1 == self.plays.len()
    }

    /// Who is to move.
    pub(crate) fn turn(&self) -> Turn {
        self.play().map_or(Turn::End, Play::turn)
    }

    /// Number of legal moves.
    pub(crate) fn moves(&self) -> usize {
        self.play().map_or(0, |play| play.moves().len())
    }

    /// The moves before the position that is shown, by tags.
    pub(crate) fn made(&self) -> Vec<String> {
        self.steps.iter().take(self.at).map(|step| step.tags.clone()).collect()
    }

    /// The legal moves, by tags.
    pub(crate) fn legal(&self) -> Vec<String> {
        let Some(play) = self.play() else { return Vec::new() };
        (0..play.moves().len()).map(|index| self.runner.reasoner.move_text(play.moves(), index)).collect()
    }

    /// What the last move before the position that is shown crosses in the automaton; nothing where something is hidden.
    ///
    /// # Errors
    /// The search for it goes wrong.
    pub(crate) fn walk(&self) -> Result<Walk, Failure> {
        let Some((states, tags)) = self.last() else { return Ok(Walk::default()) };
        walk::walk(self.version, self.runner, states, &tags)
    }

    /// Why the game has ended in the position that is shown; nothing where it has not, and where something is hidden.
    ///
    /// # Errors
    /// The search for it goes wrong.
    pub(crate) fn ended(&self, stop: &AtomicBool) -> Result<Ended, Failure> {
        let Some((states, tags)) = self.last() else { return Ok(Ended::default()) };
        ended::ended(self.version, (self.runner, &self.drawer), states, (&tags, stop))
    }

    /// The states before and behind the last move, and its tags; nothing where something is hidden.
    fn last(&self) -> Option<((&State, &State), Vec<&str>)> {
        let before = self.at.checked_sub(1)?;
        let (play, step) = self.plays.get(before).zip(self.steps.get(before)).filter(|_| !self.hides())?;
        let tags = step.tags.split_whitespace().filter(|tag| !tag.starts_with('#')).collect();
        Some(((play.state(), self.play()?.state()), tags))
    }

    /// The moves of the play in full; nothing where something is hidden.
    pub(crate) fn record(&self) -> Vec<&str> {
        let steps = self.steps.iter().filter(|_| !self.hides());
        steps.map(|step| step.full.as_str()).collect()
    }

    /// Says whom persons play. If others have played before, everything is covered again: who has seen one hand must not see another one
    /// only because somebody has left a seat.
    pub(crate) fn seat(&mut self, persons: Vec<bool>) {
        if !self.persons.is_empty() && self.persons != persons {
            (self.looks, self.is_strict) = (None, true);
        }
        self.persons = persons;
    }

    fn is_person(&self, player: usize) -> bool {
        self.persons.get(player) == Some(&true)
    }

    /// Whether a person is to move, and sees the position.
    pub(crate) fn is_for_person(&self) -> bool {
        let hides = self.hides();
        let sees = |player: usize| self.is_person(player) && (!hides || self.viewer() == Some(player));
        matches!(self.turn(), Turn::Player(player) if sees(player))
    }

    /// Makes a legal move in the position that is shown; moves that were made there before are forgotten.
    pub(crate) fn make(&mut self, index: usize) -> Result<(), Failure> {
        let Some(play) = self.play() else { return Ok(()) };
        let moves = play.moves();
        if index >= moves.len() {
            return Err(Failure::new("request", "there is no such move"));
        }
        let player = match play.turn() {
            Turn::Player(player) => Some(player),
            Turn::Random | Turn::End => None,
        };
        let text = self.runner.short_texts(moves).into_iter().nth(index).unwrap_or_default();
        let full = self.runner.texts(moves).into_iter().nth(index).unwrap_or_default();
        let tags = self.runner.reasoner.move_text(moves, index);
        let clicks = self.clicks(play).into_iter().nth(index).unwrap_or_default();
        let mut next = play.clone();
        let stuck = match next.make(index) {
            Ok(()) => None,
            Err(error) => Some(stuck_by(self.version, self.runner, &next, &error)?),
        };
        self.forget_rest();
        // What comes now is hidden, whatever was shown of what was before.
        self.is_open = false;
        self.plays.push(next);
        self.steps.push(Step { made: Made { player, text }, full, tags, clicks, stuck });
        self.at += 1;
        self.cover();
        Ok(())
    }

    /// Which legal moves a text means, in the position with so many moves before it, if a person is to move there.
    ///
    /// # Errors
    /// Another position is shown, or this is no text of a move.
    pub(crate) fn read(&self, text: &str, ply: usize) -> Result<Typed, Failure> {
        let play = self.play().filter(|_| ply == self.at && self.is_for_person());
        typed::read(self.runner, play.ok_or_else(Failure::outdated)?, text, self.hides())
    }

    /// What a legal move changes, in the position with so many moves before it: nothing where another one is shown, and where something is hidden.
    pub(crate) fn preview(&self, index: usize, ply: usize) -> Changes {
        let play = self.play().filter(|play| ply == self.at && index < play.moves().len() && !self.hides());
        let Some(play) = play else { return Changes::default() };
        let mut state = play.state().clone();
        match self.runner.reasoner.apply(&mut state, play.moves(), index) {
            Ok(()) => Changes::between(&self.drawer.scene(play.state()), &self.drawer.scene(&state)),
            Err(_) => Changes::default(),
        }
    }

    /// That nobody can move in the position that is shown, though the game is not over.
    pub(crate) fn stuck(&self) -> Option<&Failure> {
        self.steps.get(self.at.checked_sub(1)?)?.stuck.as_ref()
    }

    /// Plays a game from its beginning, given by its moves in full or in short, and shows its first position. Whoever gives all moves knows what is hidden.
    ///
    /// # Errors
    /// One of them is not legal.
    pub(crate) fn replay(&mut self, moves: &[String]) -> Result<(), Failure> {
        let before = (self.plays.clone(), std::mem::take(&mut self.steps), self.at, self.is_open);
        let replayed = self.follow(moves);
        if replayed.is_err() {
            // What was played before is still there.
            (self.plays, self.steps, self.at, self.is_open) = before;
        } else if !moves.is_empty() {
            self.is_open = true;
        }
        replayed
    }

    fn follow(&mut self, moves: &[String]) -> Result<(), Failure> {
        if moves.len() > MAX_REPLAYED {
            return Err(Failure::new("request", format!("a game of more than {MAX_REPLAYED} moves is not replayed")));
        }
        self.at = 0;
        self.forget_rest();
        for (number, text) in (1..).zip(moves) {
            let texts = self.play().map(|play| self.runner.texts(play.moves())).unwrap_or_default();
            let index = texts.iter().position(|legal| legal == text).or_else(|| {
                let shorts = self.play().map(|play| self.runner.short_texts(play.moves())).unwrap_or_default();
                shorts.iter().position(|legal| legal == text)
            });
            let other = || unreplayed(number);
            self.make(index.ok_or_else(other)?)?;
        }
        self.goto(0);
        Ok(())
    }

    /// Forgets the moves behind the position that is shown. If there are any, the game goes on from here, and hides what the rules hide.
    pub(crate) fn forget_rest(&mut self) {
        self.is_open = self.is_open && self.is_last();
        self.plays.truncate(self.at + 1);
        self.steps.truncate(self.at);
    }

    /// Shows the last position before this one in which a person is to move, or else the one before.
    pub(crate) fn back(&mut self) {
        let is_for_person = |at: &usize| {
            let turn = self.plays.get(*at).map_or(Turn::End, Play::turn);
            matches!(turn, Turn::Player(player) if self.is_person(player))
        };
        let before = (0..self.at).rev().find(is_for_person);
        self.goto(before.unwrap_or(self.at.saturating_sub(1)));
    }

    /// Shows the position after so many moves, or the last one.
    pub(crate) fn goto(&mut self, ply: usize) {
        self.at = ply.min(self.steps.len());
        self.cover();
    }

    /// Covers the position if another person than the one who looks is to move.
    fn cover(&mut self) {
        if let Turn::Player(player) = self.turn()
            && self.is_person(player)
            && self.looks != Some(player)
        {
            self.looks = None;
        }
    }

    /// Whether the position is covered: something is hidden, and the person who may look has not done so yet.
    pub(crate) fn is_covered(&self) -> bool {
        self.hides() && self.viewer().is_none() && self.persons.contains(&true)
    }

    /// Who may look at a covered position: the person to move, and else the first one.
    fn next_viewer(&self) -> Option<usize> {
        match self.turn() {
            Turn::Player(player) if self.is_person(player) => Some(player),
            _ => self.persons.iter().position(|&is_person| is_person),
        }
    }

    /// Who may look does so.
    pub(crate) fn look(&mut self) {
        self.looks = self.next_viewer();
    }

    /// Whose eyes see the page, where something is hidden.
    fn viewer(&self) -> Option<usize> {
        let mut persons = (0..self.persons.len()).filter(|&player| self.is_person(player));
        match (persons.next(), persons.next()) {
            (Some(only), None) if !self.is_strict => Some(only),
            _ => self.looks.filter(|&player| self.is_person(player)),
        }
    }

    /// Per legal move the places to click.
    fn clicks(&self, play: &Play<'_>) -> Vec<Vec<String>> {
        let readings = self.runner.loaded.notation.readings(&self.runner.tags(play.moves()));
        let is_block = self.drawer.boards().iter().any(|board| board.block.is_some_and(|(_, row)| row > 0));
        readings.iter().map(if is_block { clicks::all } else { clicks::of }).collect()
    }

    /// The position that is shown, as far as whoever looks may see it.
    pub(crate) fn position(&mut self) -> Position {
        let hides = self.hides();
        let viewer = if hides { self.viewer() } else { None };
        let mut position = self.frame();
        (position.hides, position.viewer) = (hides, viewer);
        position.covered = self.is_covered();
        position.next = self.next_viewer().filter(|_| position.covered);
        let Some(play) = self.plays.get(self.at) else { return position };
        let state = play.state();
        if !hides {
            position.record = self.steps.iter().map(|step| step.made.clone()).collect();
            let last = self.at.checked_sub(1).and_then(|last| self.steps.get(last));
            position.marks = last.map(|step| step.clicks.clone()).unwrap_or_default();
            position.changed = self.changed();
            position.show(self.drawer.essence(state));
        }
        if !hides || play.turn() == Turn::End {
            position.scores = play.scores().into_iter().map(str::to_owned).collect();
        }
        if play.turn() == Turn::End {
            position.over = Some(scores::ended(self.runner, state));
        }
        let is_own = |player: usize| self.is_person(player) && (!hides || viewer == Some(player));
        if matches!(play.turn(), Turn::Player(player) if is_own(player)) {
            let clicks = self.clicks(play);
            position.aliases = clicks::aliases(self.runner, &clicks);
            let clicks = |index: usize| clicks.get(index).cloned().unwrap_or_default();
            let listed = self.runner.short_listed(play.moves());
            let legal = |(text, index)| Move { index, text, clicks: clicks(index), boards: Vec::new() };
            position.moves = listed.into_iter().map(legal).collect();
        }
        if let Some(player) = viewer {
            let seen = play.observations(player).unwrap_or_default().to_vec();
            position.observed = Some(observed::counted(observed::lines(self.runner, &seen)));
            self.deduce(player, seen);
            let scene = self.known.as_ref().and_then(|known| match known.possible.states() {
                [] => known.deduction.as_ref().map(|deduction| self.drawer.known(deduction)),
                states => Some(self.drawer.agreed(states)),
            });
            position.show(scene.unwrap_or_default());
        }
        position.click_cells();
        position.check_blocks();
        self.tell_boards(&mut position);
        position
    }

    /// Says on which boards moves act, where moves do not name the board. What is hidden says nothing about that.
    fn tell_boards(&self, position: &mut Position) {
        if !position.is_ambiguous() {
            return;
        }
        if self.hides() {
            let deduction = self.known.as_ref().and_then(|known| known.deduction.as_ref());
            let boards = deduction.map(|deduction| acted::by_knowledge(position.titles(), deduction));
            position.moves.iter_mut().for_each(|legal| legal.boards = boards.clone().unwrap_or_default());
        } else if let Some(play) = self.play() {
            let boards = acted::by_moves(self.runner, &self.drawer, play);
            let own = |index: usize| boards.get(index).cloned().unwrap_or_default();
            position.moves.iter_mut().for_each(|legal| legal.boards = own(legal.index));
        }
    }

    /// What the last move before the position that is shown has changed.
    fn changed(&self) -> Changes {
        let states = self.last().map(|(states, _)| states);
        let scene = |state| self.drawer.scene(state);
        states.map_or_else(Changes::default, |(before, behind)| Changes::between(&scene(before), &scene(behind)))
    }

    /// What everybody may see.
    fn frame(&self) -> Position {
        let payoffs = Payoffs::new(&self.runner.reasoner);
        let values = self.runner.reasoner.score_names().iter().map(|name| payoffs.value(name));
        let range = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), value| (a.min(value), b.max(value)));
        Position {
            version: self.version.number,
            ply: self.at,
            plies: self.steps.len(),
            players: self.runner.players().map(str::to_owned).collect(),
            turn: match self.turn() {
                Turn::Player(player) => Some(player),
                Turn::Random | Turn::End => None,
            },
            range,
            ..Position::default()
        }
    }

    /// Finds out what follows from what a player observed.
    fn deduce(&mut self, player: usize, seen: Vec<Observed>) {
        let is_known = |known: &Known<'_>| known.player == player && seen.starts_with(&known.seen);
        if !self.known.as_ref().is_some_and(is_known) {
            let (possible, deduction) = (Possible::new(self.runner, player), Deduction::new(self.runner));
            self.known = Some(Known { player, seen: Vec::new(), possible, deduction });
        }
        let Some(known) = &mut self.known else { return };
        // The answers of the keeper belong to the move before them.
        let new = seen.strip_prefix(known.seen.as_slice()).unwrap_or_default();
        for observed in new.chunk_by(|_, next| next.mover.is_none()) {
            known.possible.follow(observed);
            known.deduction.iter_mut().for_each(|deduction| deduction.follow(player, observed));
        }
        known.seen = seen;
    }
}
