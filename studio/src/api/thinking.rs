//! Agents at work: they think in the optimised game, about the moves that were made in the one that is drawn.

use super::Failure;
use super::games::Version;
use crate::jobs::Stop;
use agents::{Agent, Choice, Insight, Play, Spec};
use kit::participant::met_by_search;
use kit::runner::Runner;
use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time at least between two reports of a search.
const PERIOD: Duration = Duration::from_millis(120);

/// Moves of an expected line that are shown.
const LINE: usize = 8;

/// What an agent thinks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// To make a move.
    Move,
    /// To tell people what it thinks.
    Analysis,
}

/// What is to be thought about.
pub(crate) struct Task<'t> {
    /// The play.
    pub(crate) number: u32,
    pub(crate) ply: usize,
    pub(crate) purpose: Purpose,
    pub(crate) player: usize,
    pub(crate) spec: Spec,
    /// The moves made, by tags.
    pub(crate) made: Vec<String>,
    /// The legal moves, by tags.
    pub(crate) legal: Vec<String>,
    pub(crate) stop: Stop,
    /// Who is told what the search has found out so far.
    pub(crate) watch: Option<&'t (dyn Fn(Value) + Sync)>,
}

/// What came of it, with whoever has thought.
pub(crate) struct Thought<'v> {
    pub(crate) thinker: Thinker<'v>,
    pub(crate) ply: usize,
    pub(crate) purpose: Purpose,
    /// The move, among those of the task.
    pub(crate) chosen: Result<usize, Failure>,
}

/// The agents of a play, and the play as they see it.
pub(crate) struct Thinker<'v> {
    version: &'v Version,
    seed: u64,
    /// The moves that were followed, by tags, and the play after them.
    followed: Vec<String>,
    play: Option<Play<'v>>,
    agents: FxHashMap<(usize, String), Box<dyn Agent>>,
}

impl<'v> Thinker<'v> {
    pub(crate) fn new(version: &'v Version, seed: u64) -> Self {
        Self { version, seed, followed: Vec::new(), play: None, agents: FxHashMap::default() }
    }

    /// Thinks, which ends early if it is stopped.
    pub(crate) fn think(mut self, task: &Task<'_>) -> Thought<'v> {
        let chosen = self.choose(task);
        Thought { thinker: self, ply: task.ply, purpose: task.purpose, chosen }
    }

    fn choose(&mut self, task: &Task<'_>) -> Result<usize, Failure> {
        let fast = self.version.fast()?;
        self.follow(fast, &task.made)?;
        let lost = || Failure::new("internal", "the optimised game has other moves: please report this defect");
        let play = self.play.as_ref().ok_or_else(lost)?;
        let key = (task.player, task.spec.to_string());
        if !self.agents.contains_key(&key) {
            let seed = self.seed ^ (task.player as u64 + 1);
            let agent = task.spec.agent(&fast.reasoner, seed);
            let agent = agent.map_err(|error| Failure::new("agent", format!("`{}`: {error}", task.spec)))?;
            self.agents.insert(key.clone(), agent);
        }
        let agent = self.agents.get_mut(&key).ok_or_else(lost)?;
        let numbers: FxHashMap<&str, usize> = task.legal.iter().map(String::as_str).zip(0..).collect();
        let moves = play.moves();
        let texts: Vec<String> = (0..moves.len()).map(|index| fast.reasoner.move_text(moves, index)).collect();
        let number = |index: usize| texts.get(index).and_then(|text| numbers.get(text.as_str())).copied();
        let reporter = Reporter { task, fast, play, number: &number, last: Mutex::new(None) };
        let watch = |insight: &Insight<'_>| reporter.report(insight);
        let mut situation = play.situation(task.player).until(task.stop.flag());
        if task.watch.is_some() {
            situation = situation.watched(&watch);
        }
        let met = |error| self.version.failure(*fast.failure(&met_by_search(error)));
        let choice = agent.choose(&situation).map_err(met)?;
        let chosen = number(choice.index).ok_or_else(lost)?;
        if task.purpose == Purpose::Analysis {
            reporter.conclude(chosen, &choice);
        }
        Ok(chosen)
    }

    /// The moves that were made before the position that it thought about last, by tags.
    pub(crate) fn followed(&self) -> &[String] {
        &self.followed
    }

    /// Makes the moves that were made since.
    fn follow(&mut self, fast: &'v Runner, made: &[String]) -> Result<(), Failure> {
        let failure = |error| self.version.failure(*fast.failure(&error));
        if self.play.is_none() || !made.starts_with(&self.followed) {
            self.play = Some(Play::new(&fast.reasoner).map_err(failure)?);
            self.followed.clear();
        }
        let Some(play) = &mut self.play else { return Ok(()) };
        for text in made.iter().skip(self.followed.len()) {
            let moves = play.moves();
            let index = (0..moves.len()).find(|&index| fast.reasoner.move_text(moves, index) == *text);
            let other = || Failure::new("internal", format!("`{text}` is not legal in the optimised game"));
            play.make(index.ok_or_else(other)?).map_err(failure)?;
        }
        self.followed = made.to_vec();
        Ok(())
    }
}

/// Tells what a search has found out.
struct Reporter<'t> {
    task: &'t Task<'t>,
    fast: &'t Runner,
    play: &'t Play<'t>,
    /// From the moves of the search to those of the task.
    number: &'t (dyn Fn(usize) -> Option<usize> + Sync),
    last: Mutex<Option<Instant>>,
}

impl Reporter<'_> {
    fn report(&self, insight: &Insight<'_>) {
        let Some(watch) = self.task.watch else { return };
        let Ok(mut last) = self.last.try_lock() else { return };
        if last.is_some_and(|last| last.elapsed() < PERIOD) || self.task.stop.is_set() {
            return;
        }
        let moves = insight.moves.iter();
        let moves: Vec<Value> = moves
            .filter_map(|&(index, visits, value)| {
                Some(json!({ "i": (self.number)(index)?, "visits": visits, "value": value }))
            })
            .collect();
        watch(self.described(insight, moves));
        *last = Some(Instant::now());
    }

    /// Tells what a search has come to that ended by itself: the move that it would make. What it reported before, if there was time for
    /// that, was not its last word.
    fn conclude(&self, chosen: usize, choice: &Choice) {
        let (Some(watch), Some(value)) = (self.task.watch, choice.value) else { return };
        if self.task.stop.is_set() {
            return;
        }
        let Choice { index, playouts, nodes, depth, .. } = *choice;
        let insight = Insight { playouts, nodes, depth, moves: &[], line: &[index] };
        let visits = playouts.max(nodes).max(1);
        let mut described = self.described(&insight, vec![json!({ "i": chosen, "visits": visits, "value": value })]);
        described["ended"] = Value::Bool(true);
        watch(described);
    }

    fn described(&self, insight: &Insight<'_>, moves: Vec<Value>) -> Value {
        json!({
            "play": self.task.number,
            "ply": self.task.ply,
            "player": self.task.player,
            "purpose": if self.task.purpose == Purpose::Move { "move" } else { "analysis" },
            "playouts": insight.playouts,
            "nodes": insight.nodes,
            "depth": insight.depth,
            "moves": moves,
            "line": self.line(insight.line),
        })
    }

    /// The expected moves in short.
    fn line(&self, line: &[usize]) -> Vec<String> {
        let (reasoner, mut texts) = (&self.fast.reasoner, Vec::new());
        let (mut state, mut moves) = (self.play.state().clone(), self.play.moves().clone());
        for &index in line.iter().take(LINE) {
            let Some(text) = self.fast.short_texts(&moves).into_iter().nth(index) else { break };
            texts.push(text);
            // Where something is hidden, a line has one move, and what is behind it is not looked at.
            let applied = !reasoner.hides() && reasoner.apply(&mut state, &moves, index).is_ok();
            if !applied || reasoner.legal_moves(&state, &mut moves).is_err() {
                break;
            }
        }
        texts
    }
}
