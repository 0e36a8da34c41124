//! The scores that plays can end with, whatever happens before.
//!
//! The automaton is followed from its beginning with the cells of `goals`, and with the values of the variables that decide which of them is written and
//! with what; all else passes every test. So the scores found are at least the ones that there are.

use crate::effects::{self, Builtins};
use crate::partial::{Compared, Entry, Partial, Value, Values, with};
use rg_ir::ids::Id;
use rg_ir::{Edge, Expr, ExprId, Game, Label, NodeId, Symbol, VarId, cancel};
use rustc_hash::FxHashSet;
use std::cell::Cell;

/// Configurations at most.
const MAX_CONFIGS: usize = 100_000;
/// Edges at most that are taken with some values: a configuration may take an edge with many values that come to nothing.
const MAX_STEPS: usize = 40 * MAX_CONFIGS;

/// By player, in the order of its type, a score.
pub type Scores = Box<[Symbol]>;

/// Where a play is, as far as it is followed.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Config {
    node: NodeId,
    /// Of the variables that are followed.
    values: Values,
    /// Of the entries of maps that scores were read from in this move: what they have in common is not lost.
    entries: Vec<(Entry, Symbol)>,
    scores: Scores,
}

/// Where edges lead, each once.
type Next = FxHashSet<Config>;

/// All scores that plays may end with, each once, sorted; `None` if they cannot be told within some bounds. `first` is the node at which somebody moves first, if that
/// is known: whatever else seems to be possible before does not happen. O(configurations · edges of a node · values).
#[must_use]
pub fn final_scores(game: &Game, first: Option<NodeId>) -> Option<Vec<Scores>> {
    let goals = Builtins::of(game).goals?;
    let mut read = Vec::new();
    for (_, edge) in game.automaton.edges() {
        if effects::write(game, &edge.label).is_some_and(|write| write.var == goals) {
            effects::reads(game, &edge.label, |var| read.push(var));
        }
    }
    let partial = Partial::new(game, read);
    let walk = Walk { game, goals, live: live(game, &partial), partial, steps: Cell::new(0) };
    let mut start = vec![walk.start()?];
    if let Some(first) = first.filter(|&first| first != game.begin()) {
        let begun = walk.reached(start, |edge| walk.gives_turn(edge))?;
        start = begun.into_iter().filter(|config| config.node == first).collect();
    }
    let ends = walk.reached(start, |_| Some(false))?.into_iter().filter(|config| config.node == game.end());
    let found: FxHashSet<Scores> = ends.map(|config| config.scores).collect();
    let mut found: Vec<Scores> = found.into_iter().collect();
    found.sort_unstable();
    Some(found)
}

struct Walk<'g> {
    game: &'g Game,
    goals: VarId,
    partial: Partial<'g>,
    /// By node, which of the variables that are followed can still matter.
    live: Vec<u64>,
    /// Edges taken so far.
    steps: Cell<usize>,
}

impl Walk<'_> {
    /// The configurations behind walks from some, which end at the end of the game, and behind edges at which they are to end, or may (`None`); `None` if there are too
    /// many.
    fn reached(&self, start: Vec<Config>, ends: impl Fn(&Edge) -> Option<bool>) -> Option<Vec<Config>> {
        let mut found = Next::default();
        let mut open = start;
        let mut seen: FxHashSet<Config> = open.iter().cloned().collect();
        while let Some(config) = open.pop() {
            cancel::check();
            if config.node == self.game.end() {
                found.insert(config);
                continue;
            }
            let mut next = Next::default();
            for &id in self.game.automaton.outgoing(config.node) {
                let edge = self.game.automaton.edge(id);
                let ends = ends(edge);
                if ends != Some(false) {
                    self.step(edge, &config, &mut found)?;
                }
                if ends != Some(true) {
                    self.step(edge, &config, &mut next)?;
                }
            }
            open.extend(next.into_iter().filter(|config| seen.insert(config.clone())));
            if seen.len() > MAX_CONFIGS {
                return None;
            }
        }
        Some(found.into_iter().collect())
    }

    /// Whether an edge ends a move and lets somebody but the keeper move; `None` if it may.
    fn gives_turn(&self, edge: &Edge) -> Option<bool> {
        if !self.game.ends_move(&edge.label) {
            return Some(false);
        }
        let Label::Assign { mut rhs, .. } = edge.label else { return None };
        loop {
            match self.game.exprs.get(rhs) {
                Expr::Cast(_, inner) => rhs = inner,
                Expr::Symbol(symbol) => return Some(self.game.name(symbol) != "keeper"),
                _ => return None,
            }
        }
    }

    /// Where plays begin.
    fn start(&self) -> Option<Config> {
        let initial = |var: VarId| {
            let decl = self.game.vars.get(var)?;
            self.partial.tables.table(self.game, decl.ty, &decl.initial)
        };
        let values: Values = self.partial.tracked().iter().map(|&var| initial(var)?.get(&[])).collect();
        let scores = initial(self.goals)?;
        let scores: Option<Scores> = self.players()?.iter().map(|&player| scores.get(&[player])).collect();
        Some(Config { node: self.game.begin(), values, entries: Vec::new(), scores: scores? })
    }

    /// The keys of `goals`.
    fn players(&self) -> Option<&[Symbol]> {
        let keys = self.game.shape(self.game.vars.get(self.goals)?.ty)?.keys;
        let [key] = keys[..] else { return None };
        Some(self.game.types.members(key))
    }

    /// Behind an edge, with what still matters.
    fn config(&self, edge: &Edge, mut values: Values, before: &Config, scores: Scores) -> Config {
        let live = self.live.get(edge.target.index()).copied().unwrap_or(0);
        for (at, value) in values.iter_mut().enumerate() {
            if live >> at & 1 == 0 {
                *value = None;
            }
        }
        let written = effects::write(self.game, &edge.label).map(|write| write.var);
        let ends = self.game.ends_move(&edge.label);
        let is_kept = |&&((var, _), _): &&(Entry, Symbol)| !ends && Some(var) != written;
        let entries = before.entries.iter().filter(is_kept).cloned().collect();
        Config { node: edge.target, values, entries, scores }
    }

    /// Adds where an edge may lead; `None` if that cannot be told.
    fn step(&self, edge: &Edge, config: &Config, next: &mut Next) -> Option<()> {
        self.steps.set(self.steps.get() + 1);
        if self.steps.get() > MAX_STEPS || next.len() > MAX_CONFIGS {
            return None;
        }
        let Config { values, entries, scores, .. } = config;
        match edge.label {
            Label::Skip | Label::Reach { .. } | Label::Tag(_) | Label::TagVar(_) => {
                next.insert(self.config(edge, values.clone(), config, scores.clone()));
            }
            Label::Compare { lhs, rhs, negated } => match self.partial.compare(values, (lhs, rhs, negated)) {
                Compared::Fails => {}
                Compared::May(values) => {
                    next.insert(self.config(edge, values, config, scores.clone()));
                }
                Compared::Depends(place) => self.branch(edge, config, place, next)?,
            },
            Label::Assign { lhs, rhs } if self.writes_score(lhs) => match self.partial.value_with(values, entries, rhs)
            {
                Value::Known(value) => self.write(edge, config, (lhs, &[value]), next)?,
                Value::Depends(place) => self.branch(edge, config, place, next)?,
                Value::Entry(entry) => self.branch_entry(edge, config, &entry, next)?,
                Value::Unknown => {
                    let every = self.game.types.members(self.score_type()?);
                    self.write(edge, config, (lhs, every), next)?;
                }
            },
            Label::Assign { lhs, rhs } => match self.partial.value(values, rhs) {
                Value::Known(value) => self.write(edge, config, (lhs, &[value]), next)?,
                Value::Depends(place) => self.branch(edge, config, place, next)?,
                Value::Entry(_) | Value::Unknown => self.forget(edge, config, lhs, next),
            },
            Label::AssignAny { lhs, ty } => {
                let every = self.game.types.members(ty);
                if self.writes_score(lhs) {
                    self.write(edge, config, (lhs, every), next)?
                } else {
                    self.forget(edge, config, lhs, next)
                }
            }
        }
        Some(())
    }

    /// Takes an edge once with each value of a variable that was not known.
    fn branch(&self, edge: &Edge, config: &Config, place: usize, next: &mut Next) -> Option<()> {
        for &value in self.partial.members(place) {
            let values = with(&config.values, Some(place), Some(value));
            self.step(edge, &Config { values, ..config.clone() }, next)?;
        }
        Some(())
    }

    /// Takes an edge once with each value of an entry of a map that was not known.
    fn branch_entry(&self, edge: &Edge, config: &Config, entry: &Entry, next: &mut Next) -> Option<()> {
        let leaf = self.game.shape(self.game.vars.get(entry.0)?.ty)?.leaf;
        for &value in self.game.types.members(leaf) {
            let mut config = config.clone();
            config.entries.push((entry.clone(), value));
            self.step(edge, &config, next)?;
        }
        Some(())
    }

    fn writes_score(&self, lhs: ExprId) -> bool {
        self.root(lhs) == Some(self.goals)
    }

    fn score_type(&self) -> Option<rg_ir::TypeId> {
        Some(self.game.shape(self.game.vars.get(self.goals)?.ty)?.leaf)
    }

    /// The variable that a left side is, or is a cell of.
    fn root(&self, mut lhs: ExprId) -> Option<VarId> {
        loop {
            match self.game.exprs.get(lhs) {
                Expr::Var(var) => return Some(var),
                Expr::Cast(_, inner) => lhs = inner,
                Expr::Access(map, _) => lhs = map,
                Expr::Const(_) | Expr::Symbol(_) => return None,
            }
        }
    }

    /// What is written is not known, and no score.
    fn forget(&self, edge: &Edge, config: &Config, lhs: ExprId, next: &mut Next) {
        let place = self.root(lhs).and_then(|var| self.partial.place(var));
        next.insert(self.config(edge, with(&config.values, place, None), config, config.scores.clone()));
    }

    /// Writes each of some values.
    fn write(&self, edge: &Edge, config: &Config, (lhs, written): (ExprId, &[Symbol]), next: &mut Next) -> Option<()> {
        let Config { values, scores, .. } = config;
        let mut at = lhs;
        while let Expr::Cast(_, inner) = self.game.exprs.get(at) {
            at = inner;
        }
        match self.game.exprs.get(at) {
            Expr::Var(var) if var == self.goals => None,
            Expr::Var(var) => {
                for &value in written {
                    let values = with(values, self.partial.place(var), Some(value));
                    next.insert(self.config(edge, values, config, scores.clone()));
                }
                Some(())
            }
            Expr::Access(_, key) if self.writes_score(lhs) => {
                let players = self.players()?;
                let of: Vec<usize> = match self.partial.value(values, key) {
                    Value::Known(player) => players.iter().position(|&other| other == player).into_iter().collect(),
                    Value::Depends(place) => return self.branch(edge, config, place, next),
                    Value::Entry(_) | Value::Unknown => (0..players.len()).collect(),
                };
                for player in of {
                    for &value in written {
                        let mut scores = scores.clone();
                        *scores.get_mut(player)? = value;
                        next.insert(self.config(edge, values.clone(), config, scores));
                    }
                }
                Some(())
            }
            // A cell of a map that is not followed.
            _ => {
                self.forget(edge, config, lhs, next);
                Some(())
            }
        }
    }
}

/// By node, the variables that are followed and are read on walks from it before they are written.
fn live(game: &Game, partial: &Partial<'_>) -> Vec<u64> {
    let automaton = &game.automaton;
    let mut live = vec![0u64; automaton.node_bound()];
    let mut queue: Vec<NodeId> = automaton.nodes().collect();
    while let Some(node) = queue.pop() {
        let mut needed = 0;
        for &id in automaton.outgoing(node) {
            let edge = automaton.edge(id);
            let mut after = live.get(edge.target.index()).copied().unwrap_or(0);
            if let Some(write) = effects::write(game, &edge.label).filter(|write| write.whole)
                && let Some(at) = partial.place(write.var)
            {
                after &= !(1 << at);
            }
            // A comparison only tells something of a variable that matters behind it.
            if !matches!(edge.label, Label::Compare { .. }) {
                effects::reads(game, &edge.label, |var| {
                    if let Some(at) = partial.place(var) {
                        after |= 1 << at;
                    }
                });
            }
            needed |= after;
        }
        if let Some(old) = live.get_mut(node.index())
            && *old != needed
        {
            *old = needed;
            queue.extend(automaton.incoming(node).iter().map(|&id| automaton.edge(id).source));
        }
    }
    live
}
