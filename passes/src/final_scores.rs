//! The scores that plays can end with, whatever happens before.
//!
//! The automaton is followed from its beginning with the cells of `goals`, and with the values of the variables that decide which of them is written and
//! with what; all else passes every test. So the scores found are at least the ones that there are.

use crate::effects::{self, Builtins};
use crate::partial::{Compared, Partial, Value, Values, with};
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

/// A node with the values of the variables that are followed, and of the cells of `goals`.
type Config = (NodeId, Values, Scores);

/// Where edges lead, each once.
type Next = FxHashSet<Config>;

/// All scores that plays may end with, each once, sorted; `None` if they cannot be told within some bounds. O(configurations · edges of a node · values).
#[must_use]
pub fn final_scores(game: &Game) -> Option<Vec<Scores>> {
    let goals = Builtins::of(game).goals?;
    let mut first = Vec::new();
    for (_, edge) in game.automaton.edges() {
        if effects::write(game, &edge.label).is_some_and(|write| write.var == goals) {
            effects::reads(game, &edge.label, |var| first.push(var));
        }
    }
    let partial = Partial::new(game, first);
    let walk = Walk { game, goals, live: live(game, &partial), partial, steps: Cell::new(0) };
    let mut found = FxHashSet::default();
    let mut open = vec![walk.start()?];
    let mut seen: FxHashSet<Config> = open.iter().cloned().collect();
    while let Some(config) = open.pop() {
        cancel::check();
        if config.0 == game.end() {
            found.insert(config.2);
            continue;
        }
        let mut next = Next::default();
        for &id in game.automaton.outgoing(config.0) {
            walk.step(game.automaton.edge(id), &config, &mut next)?;
        }
        open.extend(next.into_iter().filter(|config| seen.insert(config.clone())));
        if seen.len() > MAX_CONFIGS {
            return None;
        }
    }
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
    /// Where plays begin.
    fn start(&self) -> Option<Config> {
        let initial = |var: VarId| {
            let decl = self.game.vars.get(var)?;
            self.partial.tables.table(self.game, decl.ty, &decl.initial)
        };
        let values: Values = self.partial.tracked().iter().map(|&var| initial(var)?.get(&[])).collect();
        let scores = initial(self.goals)?;
        let scores: Option<Scores> = self.players()?.iter().map(|&player| scores.get(&[player])).collect();
        Some(self.config(self.game.begin(), values, scores?))
    }

    /// The keys of `goals`.
    fn players(&self) -> Option<&[Symbol]> {
        let keys = self.game.shape(self.game.vars.get(self.goals)?.ty)?.keys;
        let [key] = keys[..] else { return None };
        Some(self.game.types.members(key))
    }

    fn config(&self, node: NodeId, mut values: Values, scores: Scores) -> Config {
        let live = self.live.get(node.index()).copied().unwrap_or(0);
        for (at, value) in values.iter_mut().enumerate() {
            if live >> at & 1 == 0 {
                *value = None;
            }
        }
        (node, values, scores)
    }

    /// Adds where an edge may lead; `None` if that cannot be told.
    fn step(&self, edge: &Edge, config: &Config, next: &mut Next) -> Option<()> {
        self.steps.set(self.steps.get() + 1);
        if self.steps.get() > MAX_STEPS || next.len() > MAX_CONFIGS {
            return None;
        }
        let (_, values, scores) = config;
        match edge.label {
            Label::Skip | Label::Reach { .. } | Label::Tag(_) | Label::TagVar(_) => {
                next.insert(self.config(edge.target, values.clone(), scores.clone()));
            }
            Label::Compare { lhs, rhs, negated } => match self.partial.compare(values, (lhs, rhs, negated)) {
                Compared::Fails => {}
                Compared::May(values) => {
                    next.insert(self.config(edge.target, values, scores.clone()));
                }
                Compared::Depends(place) => self.branch(edge, config, place, next)?,
            },
            Label::Assign { lhs, rhs } => match self.partial.value(values, rhs) {
                Value::Known(value) => self.write(edge, config, (lhs, &[value]), next)?,
                Value::Depends(place) => self.branch(edge, config, place, next)?,
                Value::Unknown if self.writes_score(lhs) => {
                    let every = self.game.types.members(self.score_type()?);
                    self.write(edge, config, (lhs, every), next)?;
                }
                Value::Unknown => self.forget(edge, config, lhs, next),
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
    fn branch(&self, edge: &Edge, (node, values, scores): &Config, place: usize, next: &mut Next) -> Option<()> {
        for &value in self.partial.members(place) {
            self.step(edge, &(*node, with(values, Some(place), Some(value)), scores.clone()), next)?;
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
    fn forget(&self, edge: &Edge, (_, values, scores): &Config, lhs: ExprId, next: &mut Next) {
        let place = self.root(lhs).and_then(|var| self.partial.place(var));
        next.insert(self.config(edge.target, with(values, place, None), scores.clone()));
    }

    /// Writes each of some values.
    fn write(&self, edge: &Edge, config: &Config, (lhs, written): (ExprId, &[Symbol]), next: &mut Next) -> Option<()> {
        let (_, values, scores) = config;
        let mut at = lhs;
        while let Expr::Cast(_, inner) = self.game.exprs.get(at) {
            at = inner;
        }
        match self.game.exprs.get(at) {
            Expr::Var(var) if var == self.goals => None,
            Expr::Var(var) => {
                for &value in written {
                    let values = with(values, self.partial.place(var), Some(value));
                    next.insert(self.config(edge.target, values, scores.clone()));
                }
                Some(())
            }
            Expr::Access(_, key) if self.writes_score(lhs) => {
                let players = self.players()?;
                let of: Vec<usize> = match self.partial.value(values, key) {
                    Value::Known(player) => players.iter().position(|&other| other == player).into_iter().collect(),
                    Value::Depends(place) => return self.branch(edge, config, place, next),
                    Value::Unknown => (0..players.len()).collect(),
                };
                for player in of {
                    for &value in written {
                        let mut scores = scores.clone();
                        *scores.get_mut(player)? = value;
                        next.insert(self.config(edge.target, values.clone(), scores));
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
