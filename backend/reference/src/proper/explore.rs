//! Walking through the positions of a game.

use super::cycles::{Graph, Lasso};
use super::keeper::Way;
use super::{Budget, Condition, Difference, ENDLESS, Examination, INVALID, Violation};
use crate::naive::{Endless, Look, Survey};
use engine::Rng;
use engine::state::{Moves, State, Turn};
use engine::{Error, ErrorKind};
use rg_ir::EdgeId;
use rustc_hash::FxHashMap;

/// Bytes of positions that are remembered.
const MAX_MEMORY: usize = 1 << 28;

/// A position in which somebody decides, or nobody any more.
struct Position {
    state: State,
    /// Where it was first reached from, and by which move.
    parent: Option<(usize, Box<str>)>,
    /// Moves from the start.
    depth: u32,
}

/// What is wrong in some position.
pub(super) struct Wrong {
    pub(super) condition: Condition,
    pub(super) code: &'static str,
    pub(super) node: String,
    pub(super) edge: Option<EdgeId>,
    pub(super) what: String,
    pub(super) difference: Option<Difference>,
}

impl Wrong {
    /// What is wrong at a node, without more to show.
    pub(super) fn new(
        condition: Condition,
        code: &'static str,
        node: impl Into<String>,
        what: impl Into<String>,
    ) -> Self {
        Self { condition, code, node: node.into(), edge: None, what: what.into(), difference: None }
    }
}

/// An examination under way.
pub(super) struct Run {
    pub(super) survey: Survey,
    budget: Budget,
    positions: Vec<Position>,
    ids: FxHashMap<State, usize>,
    /// Where the keeper leads from a state; `None` if it does not lead anywhere.
    settled: FxHashMap<State, Option<State>>,
    graph: Graph,
    /// Number of positions looked at.
    looked: usize,
    /// Depth of the first position that was left out, because there are enough to look at.
    left_out: Option<u32>,
    pub(super) given_up: u64,
    /// Of these, those on the systematic way.
    hidden: u64,
    /// Whether something was not seen for another reason: an error ended a search, or not all completions were compared.
    pub(super) unseen: bool,
    steps: u64,
    memory: usize,
    plays: u64,
    found: Vec<Violation>,
}

impl Run {
    pub(super) fn new(survey: Survey, budget: Budget) -> Self {
        Self {
            survey,
            budget,
            positions: Vec::new(),
            ids: FxHashMap::default(),
            settled: FxHashMap::default(),
            graph: Graph::default(),
            looked: 0,
            left_out: None,
            given_up: 0,
            hidden: 0,
            unseen: false,
            steps: 0,
            memory: 0,
            plays: 0,
            found: Vec::new(),
        }
    }

    /// Whether all positions were explored.
    pub(super) fn complete(&self) -> bool {
        let all = !self.positions.is_empty() && self.looked == self.positions.len() && self.left_out.is_none();
        all && self.given_up == 0 && !self.unseen
    }

    /// All positions that are fewer moves away than this were looked at.
    fn depth(&self) -> u32 {
        let next = self.positions.get(self.looked).map(|position| position.depth);
        let first = next.into_iter().chain(self.left_out).min();
        first.or_else(|| self.positions.last().map(|last| last.depth + 1)).unwrap_or(0)
    }

    pub(super) fn finish(self) -> Examination {
        let (depth, complete) = (self.depth(), self.complete());
        let first = self.positions.first().map(|position| self.survey.turn(&position.state));
        let over_at_start = first == Some(Ok(Some(Turn::End)));
        let mut violations = self.found;
        for violation in &mut violations {
            // A search that was given up may hide a shorter play.
            violation.shortest &= self.hidden == 0 && violation.play.len() as u64 <= u64::from(depth);
        }
        violations.sort_by_key(|violation| violation.condition);
        Examination {
            violations,
            complete,
            positions: self.looked as u64,
            depth,
            plays: self.plays,
            given_up: self.given_up,
            over_at_start,
            crossed: self.survey.crossed(),
        }
    }

    /// Keeps what is wrong after a play, unless a play that is not longer shows the same.
    pub(super) fn note(&mut self, wrong: Wrong, play: Vec<String>, cycle: usize) {
        let Wrong { condition, code, node, edge, what, difference } = wrong;
        let known = self.found.iter().position(|violation| violation.condition == condition);
        let violation = Violation { condition, code, play, cycle, node, edge, what, difference, shortest: true };
        match known.and_then(|at| self.found.get_mut(at)) {
            Some(old) if old.play.len() <= violation.play.len() => {}
            Some(old) => *old = violation,
            None => self.found.push(violation),
        }
    }

    /// Looks at all positions in order of their distance from the start.
    pub(super) fn systematically(&mut self) {
        let start = self.survey.start();
        let Some(start) = self.settle(start, &|_| Vec::new()) else { return };
        self.add(start, None, 0);
        while self.looked < self.positions.len() {
            if self.looked as u64 >= self.budget.positions || self.steps >= self.budget.steps {
                break;
            }
            self.expand(self.looked);
            self.looked += 1;
        }
        self.hidden = self.given_up;
        if let Some(lasso) = self.graph.shortest_lasso(&self.depths()) {
            self.note_lasso(&lasso);
        }
    }

    fn depths(&self) -> Vec<u32> {
        self.positions.iter().map(|position| position.depth).collect()
    }

    /// The number of a position, which may be new; `None` if there are too many already.
    fn add(&mut self, state: State, parent: Option<(usize, Box<str>)>, depth: u32) -> Option<usize> {
        if let Some(&id) = self.ids.get(&state) {
            return Some(id);
        }
        let id = self.positions.len();
        if id as u64 >= self.budget.positions || self.memory >= MAX_MEMORY {
            self.left_out.get_or_insert(depth);
            return None;
        }
        self.memory += 2 * state.as_bytes().len() + 128;
        self.ids.insert(state.clone(), id);
        self.positions.push(Position { state, parent, depth });
        Some(id)
    }

    /// The moves from the start to a position.
    fn play(&self, mut at: usize) -> Vec<String> {
        let mut play = Vec::new();
        while let Some((parent, label)) = self.positions.get(at).and_then(|position| position.parent.as_ref()) {
            play.push(label.to_string());
            at = *parent;
        }
        play.reverse();
        play
    }

    /// Looks at a position, and adds those after it.
    fn expand(&mut self, at: usize) {
        let Some((state, depth)) = self.positions.get(at).map(|position| (position.state.clone(), position.depth))
        else {
            return;
        };
        if self.survey.turn(&state) == Ok(Some(Turn::End)) {
            return;
        }
        let Some(moves) = self.look(&state, &|run| run.play(at)) else { return };
        let mut targets = Vec::with_capacity(moves.len());
        for index in 0..moves.len() {
            let next = self.survey.after(&state, &moves, index);
            let label = self.survey.text(&moves, index);
            let play = |run: &Self| {
                let mut play = run.play(at);
                play.push(label.clone());
                play
            };
            if let Some(next) = self.settle(next, &play) {
                targets.extend(self.add(next, Some((at, label.clone().into_boxed_str())), depth + 1));
            }
        }
        self.memory += 4 * targets.len();
        self.graph.set(at, targets);
    }

    /// The moves of a state; what is wrong with it is noted. `None` if there are none to go on with.
    pub(super) fn look(&mut self, state: &State, play: Way<'_>) -> Option<Moves> {
        rg_ir::cancel::check();
        let Look { moves, invalid, steps } = self.survey.look(state);
        self.steps += steps;
        let node = self.survey.node_name(state).to_owned();
        let keeper = self.survey.turn(state) == Ok(None);
        let wrong = |condition, code, what: String| Wrong::new(condition, code, node.clone(), what);
        if let Some((edge, what)) = invalid {
            let play = play(self);
            self.note(Wrong { edge: Some(edge), ..wrong(Condition::Valid, INVALID, what) }, play, 0);
        }
        let moves = match moves {
            Ok(moves) => moves,
            Err(error) => {
                self.failed(state, error, play);
                return None;
            }
        };
        let who = if keeper { "the keeper" } else { "whoever is to move" };
        if moves.is_empty() {
            let what = format!("the play is not over, and {who} has no move");
            let play = play(self);
            self.note(wrong(Condition::Continuable, ErrorKind::Stuck.code(), what), play, 0);
            return None;
        }
        if let Some(index) = (0..moves.len()).find(|&index| moves.outcome(index) > 1) {
            let tags = self.survey.text(&moves, index);
            let tags = tags.rsplit_once('#').map_or(tags.as_str(), |(tags, _)| tags.trim_end());
            let what = match tags {
                "" => "two walks with no tags lead to different states".to_owned(),
                tags => format!("two walks with the tags `{tags}` lead to different states"),
            };
            // The keeper of these games may do as it likes.
            if !(keeper && self.survey.keeper_may_choose()) {
                let play = play(self);
                self.note(wrong(Condition::Unambiguous, ErrorKind::Ambiguous.code(), what), play, 0);
            }
        }
        let labels = (0..moves.len()).filter(|&index| moves.outcome(index) < 2).count();
        if keeper && labels > 1 && !self.survey.keeper_may_choose() {
            let what = format!("the keeper has a choice between {labels} moves");
            let play = play(self);
            self.note(wrong(Condition::DeterministicKeeper, ErrorKind::KeeperChoice.code(), what), play, 0);
        }
        Some(moves)
    }

    /// Whether nothing more may be searched for.
    pub(super) fn exhausted(&self) -> bool {
        self.steps >= self.budget.steps.saturating_add(self.budget.play_steps)
    }

    /// A search failed: the rules are wrong, or it met a limit.
    fn failed(&mut self, state: &State, error: Error, play: Way<'_>) {
        let Some(condition) = Condition::of(error.kind) else {
            self.limited(state, play);
            return;
        };
        self.unseen = true;
        let wrong = Wrong::new(condition, error.kind.code(), error.node, error.message);
        let play = play(self);
        self.note(wrong, play, 0);
    }

    /// The search for the moves of a state met a limit: there may be infinitely many.
    fn limited(&mut self, state: &State, play: Way<'_>) {
        let Some(Endless { tags, node, ends }) = self.survey.endless(state) else {
            self.given_up += 1;
            return;
        };
        self.unseen = true;
        let tags = tags.join(" ");
        let what = match ends {
            true => format!("a move need not end: the tags `{tags}` can be repeated in it any number of times"),
            false => format!("a move can be begun that cannot be ended: the tags `{tags}` repeat for ever"),
        };
        let wrong = Wrong::new(Condition::Finite, ENDLESS, node, what);
        let play = play(self);
        self.note(wrong, play, 0);
    }

    /// The state in which somebody decides after the keeper's moves, if they come to an end.
    fn settle(&mut self, state: State, play: Way<'_>) -> Option<State> {
        if let Some(known) = self.settled.get(&state) {
            return known.clone();
        }
        let settled = self.complete_keeper(state.clone(), play);
        // What nobody decides in between is remembered only if there was something.
        if settled.as_ref() != Some(&state) {
            self.memory += 2 * state.as_bytes().len() + 64;
            self.settled.insert(state, settled.clone());
        }
        settled
    }

    /// A play that leads back to a position on its way.
    fn note_lasso(&mut self, lasso: &Lasso) {
        let mut play = self.play(lasso.entry);
        let mut at = lasso.entry;
        for &next in &lasso.cycle {
            let Some(label) = self.label(at, next) else { return };
            play.push(label);
            at = next;
        }
        let Some(node) = self.positions.get(at).map(|position| self.survey.node_name(&position.state).to_owned())
        else {
            return;
        };
        let what = circle(lasso.cycle.len());
        self.note(Wrong::new(Condition::Finite, ENDLESS, node, what), play, lasso.cycle.len());
        if !lasso.shortest
            && let Some(violation) = self.found.iter_mut().find(|violation| violation.condition == Condition::Finite)
        {
            violation.shortest = false;
        }
    }

    /// A move from one position to another.
    fn label(&mut self, from: usize, to: usize) -> Option<String> {
        let state = self.positions.get(from)?.state.clone();
        let moves = self.survey.look(&state).moves.ok()?;
        (0..moves.len()).find_map(|index| {
            let next = self.survey.after(&state, &moves, index);
            let next = self.settle(next, &|_| Vec::new())?;
            (self.ids.get(&next) == Some(&to)).then(|| self.survey.text(&moves, index))
        })
    }

    /// Plays at random.
    pub(super) fn randomly(&mut self) {
        let mut rng = Rng::new(self.budget.seed);
        let before = self.steps;
        // Positions are not remembered from one play to the next.
        self.settled = FxHashMap::default();
        for _ in 0..self.budget.plays {
            if self.steps - before >= self.budget.play_steps {
                return;
            }
            self.plays += 1;
            self.random_play(&mut rng, before);
        }
    }

    fn random_play(&mut self, rng: &mut Rng, before: u64) {
        let start = self.survey.start();
        let Some(mut state) = self.settle(start, &|_| Vec::new()) else { return };
        let mut play: Vec<String> = Vec::new();
        let mut seen: FxHashMap<State, usize> = FxHashMap::default();
        while self.survey.turn(&state) != Ok(Some(Turn::End)) {
            if let Some(first) = seen.insert(state.clone(), play.len()) {
                let cycle = play.len() - first;
                let node = self.survey.node_name(&state).to_owned();
                let what = circle(cycle);
                let wrong = Wrong::new(Condition::Finite, ENDLESS, node, what);
                self.note(wrong, play.clone(), cycle);
            }
            if play.len() as u64 >= self.budget.plies || self.steps - before >= self.budget.play_steps {
                return;
            }
            let Some(moves) = self.look(&state, &|_| play.clone()) else { return };
            let choice = u32::try_from(moves.len()).map_or(0, |count| rng.below(count) as usize);
            play.push(self.survey.text(&moves, choice));
            let next = self.survey.after(&state, &moves, choice);
            self.settled.clear();
            match self.settle(next, &|_| play.clone()) {
                Some(next) => state = next,
                None => return,
            }
        }
    }
}

/// What is wrong with a play that can go on for ever.
fn circle(moves: usize) -> String {
    match moves {
        1 => "the last move leads back to where it was made, again and again".to_owned(),
        moves => format!("the last {moves} moves lead back to where they began, again and again"),
    }
}
