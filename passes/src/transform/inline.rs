//! Assignments inlined into what reads them (catalogue of passes, 3.1).

use crate::analysis::{Delayed, Delays, Demand, Held, Liveness};
use crate::dataflow::{Solution, solve};
use crate::effects::{self, Builtins};
use crate::pass::{Context, Pass};
use crate::scratch::{self, Scratch};
use crate::transform::known_values::artificial_tags;
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Expr, ExprId, Game, Label, NodeId, Symbol, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

/// How many map accesses more than before one inlined assignment may cost, counted over the text of the rules.
const MAX_GROWTH: usize = 6;

/// How often the set of assignments to inline is made smaller before nothing is inlined at all.
const MAX_ROUNDS: usize = 40;

/// Leaves assignments out and writes their right sides where the variables are read.
///
/// ```text
/// x, y: v = d[v];   y, z: m[v] == e;   z, end: player = keeper;
/// ```
/// becomes
/// ```text
/// x, y: ;   y, z: m[d[v]] == e;   z, end: player = keeper;
/// ```
///
/// The assignments left out are the largest set found for which, at every place that reads a variable, one expression
/// over the variables *as they are without these assignments* gives its value on all walks ([`Delayed`]): so an
/// assignment may read the variable it writes, and one inlined assignment may use another. Starting with all
/// assignments of whole variables, those are taken out of the set that reach a place where this fails, and those that
/// would write the same accesses too often; then the rest is looked at again, at most [`MAX_ROUNDS`] times.
///
/// *Correct*, since by induction over a walk the expression noted for a variable gives, in the state of the new game,
/// the value the variable has in the state of the old one, and all labels read the same values. Facts travel across
/// moves and into checks, and hold at `begin` only if nothing is delayed there. An expression is kept across the end of
/// a move only if the state holds no more with its variables than with its value: else states that are one would become
/// several, and a label would lead to all of them. `player`, `goals` and `visible` are
/// always assigned; a map of which a cell is written, and a variable shown by `$$`, must hold its value (unless that is a
/// variable or a symbol, which can be shown instead). O(rounds · edges · delays at a node).
pub struct Inline;

impl Pass for Inline {
    fn name(&self) -> &'static str {
        "inline"
    }

    fn summary(&self) -> &'static str {
        "replace reads of variables by the right sides of their assignments"
    }

    fn run(&self, game: &mut Game, context: &mut Context) -> bool {
        let chosen = candidates(game);
        inline(game, context, chosen)
    }
}

/// As [`Inline`], but leaves out assignments of maps only.
///
/// ```text
/// x, y: dir = up;   y, z: v = dir[v];   z, y: board[v] == e;
/// ```
/// becomes
/// ```text
/// x, y: ;   y, z: v = up[v];   z, y: board[v] == e;
/// ```
///
/// What goes along a board with a map in a variable still goes step by step, so that [`Rounds`](super::Rounds) finds loops
/// which were written out; once steps are read in place of the variable that takes them, no two rounds are alike.
pub struct InlineMaps;

impl Pass for InlineMaps {
    fn name(&self) -> &'static str {
        "inline-maps"
    }

    fn summary(&self) -> &'static str {
        "replace reads of map variables by the maps assigned to them"
    }

    fn run(&self, game: &mut Game, context: &mut Context) -> bool {
        let is_map = |id: &usize| {
            let write = effects::write(game, &game.automaton.edge(EdgeId::from_index(*id)).label);
            let var = write.and_then(|write| game.vars.get(write.var));
            var.is_some_and(|decl| !game.types.is_set(decl.ty))
        };
        let chosen = candidates(game).ones().filter(is_map).collect();
        inline(game, context, chosen)
    }
}

/// Leaves out the largest set found of chosen assignments; whether there are any.
fn inline(game: &mut Game, context: &mut Context, mut chosen: FixedBitSet) -> bool {
    if chosen.is_clear() {
        return false;
    }
    let scratch = Scratch::new(game);
    let artificial = artificial_tags(game);
    let live = OnceCell::new();
    for round in 0.. {
        if round == MAX_ROUNDS {
            context.note(format!("no set of assignments to inline found in {MAX_ROUNDS} rounds"));
            return false;
        }
        let facts = Delayed { chosen: &chosen, scratch: &scratch }.solve(game);
        let plan =
            Plan { game, scratch: &scratch, artificial: &artificial, chosen: &chosen, facts: &facts, live: &live };
        let rejected = plan.rejected();
        if rejected.is_empty() {
            if chosen.is_clear() {
                return false;
            }
            let labels = plan.labels();
            let new = scratch.into_new();
            scratch::commit(game, new);
            for (id, label) in labels {
                let label = scratch::without_casts(game, &label);
                game.automaton.set_label(id, label);
            }
            return true;
        }
        rejected.into_iter().for_each(|id| chosen.set(id.index(), false));
    }
    false
}

/// The assignments of whole variables that are not built-in and that walks come by, by index of their edge.
fn candidates(game: &Game) -> FixedBitSet {
    let (builtins, live) = (Builtins::of(game), effects::live_nodes(game));
    let mut set = FixedBitSet::new();
    for (id, edge) in game.automaton.edges() {
        if let (Label::Assign { .. }, Some(write)) = (edge.label, effects::write(game, &edge.label))
            && write.whole
            && !builtins.contains(write.var)
            && live.contains(edge.source.index())
        {
            set.grow(id.index() + 1);
            set.insert(id.index());
        }
    }
    set
}

/// A set of assignments to inline, and what is read in place of variables then.
struct Plan<'p, 'g> {
    game: &'g Game,
    scratch: &'p Scratch<'g>,
    artificial: &'p FxHashSet<Symbol>,
    chosen: &'p FixedBitSet,
    facts: &'p Solution<Delays>,
    /// Live variables, solved for when they are first asked for.
    live: &'p OnceCell<Solution<FixedBitSet>>,
}

/// Where one expression is read in place of a variable.
#[derive(Default)]
struct Uses {
    reads: usize,
    definitions: Vec<EdgeId>,
}

impl Plan<'_, '_> {
    /// The chosen assignments that must be executed after all.
    fn rejected(&self) -> Vec<EdgeId> {
        let seeds = self.unreadable();
        if seeds.is_empty() {
            return self.wasteful();
        }
        let demand = solve(self.game, &Demand { seeds, vars: self.game.vars.len() });
        let demanded = |node: NodeId, var: VarId| demand.at(node).is_some_and(|set| set.contains(var.index()));
        let rejected = self.definitions().filter(|&(id, var)| demanded(self.game.automaton.edge(id).target, var));
        rejected.map(|(id, _)| id).collect()
    }

    fn definitions(&self) -> impl Iterator<Item = (EdgeId, VarId)> {
        let ids = self.chosen.ones().map(EdgeId::from_index);
        ids.filter_map(|id| Some((id, effects::write(self.game, &self.game.automaton.edge(id).label)?.var)))
    }

    /// The places that need a variable which is lost, or which is delayed where only a variable will do.
    fn unreadable(&self) -> Vec<(NodeId, VarId)> {
        let mut seeds = Vec::new();
        for (id, edge) in self.game.automaton.edges() {
            let Some(delays) = self.facts.at(edge.source).filter(|delays| !delays.is_empty()) else { continue };
            if let Label::TagVar(var) = edge.label {
                if delays.held(var).is_some_and(|held| self.shown(held).is_none()) {
                    seeds.push((edge.source, var));
                }
                continue;
            }
            effects::reads(self.game, &edge.label, |var| {
                if delays.held(var) == Some(Held::Lost) {
                    seeds.push((edge.source, var));
                }
            });
            if let Some(write) = effects::write(self.game, &edge.label)
                && !write.whole
                && delays.held(write.var).is_some()
            {
                seeds.push((edge.source, write.var));
            }
            // A value that is too large to be delayed, or has no type to be cast to.
            if self.chosen.contains(id.index())
                && let Some(write) = effects::write(self.game, &edge.label)
                && let Label::Assign { rhs, .. } = edge.label
                && let delayed = (Delayed { chosen: self.chosen, scratch: self.scratch })
                && delayed.delay(self.game, delays, write.var, rhs) == Some(Held::Lost)
            {
                seeds.push((edge.target, write.var));
            }
        }
        self.telling(&mut seeds);
        self.last(&mut seeds);
        seeds
    }

    /// The variables whose [values at `end`](rg_ir::VarDecl::live_out) matter, and would not be there.
    fn last(&self, seeds: &mut Vec<(NodeId, VarId)>) {
        let end = self.game.end();
        let Some(delays) = self.facts.at(end) else { return };
        let wanted = self.game.vars.iter().filter(|(_, decl)| decl.live_out).map(|(var, _)| var);
        seeds.extend(wanted.filter(|&var| delays.held(var).is_some()).map(|var| (end, var)));
    }

    /// The places where a move ends, with the variables of which more would be known there than their values.
    fn telling(&self, seeds: &mut Vec<(NodeId, VarId)>) {
        let mut seen = FixedBitSet::with_capacity(self.game.automaton.node_bound());
        for (_, edge) in self.game.automaton.edges() {
            if !self.game.ends_move(&edge.label) || seen.put(edge.target.index()) {
                continue;
            }
            let Some(delays) = self.facts.at(edge.target).filter(|delays| !delays.is_empty()) else { continue };
            let live = self.live.get_or_init(|| Liveness::solve(self.game));
            let Some(live) = live.at(edge.target) else { continue };
            let needed = delays.values().filter(|&(var, _)| live.contains(var.index()));
            // What is kept anyway, and what holds the value of something that is.
            let kept = live.ones().map(Id::from_index).filter(|&var| delays.held(var).is_none());
            let copies = needed.clone().filter_map(|(_, value)| match self.scratch.get(self.scratch.uncast(value)) {
                Expr::Var(var) => Some(var),
                _ => None,
            });
            let known: FxHashSet<VarId> = kept.chain(copies).collect();
            let tells = |value| {
                let mut tells = false;
                self.scratch.preorder(value, |expr| tells |= matches!(expr, Expr::Var(var) if !known.contains(&var)));
                tells
            };
            seeds.extend(needed.filter(|&(_, value)| tells(value)).map(|(var, _)| (edge.target, var)));
        }
    }

    /// What is shown in place of a variable: another one, or a tag.
    fn shown(&self, held: Held) -> Option<Label> {
        let Held::Delayed(value) = held else { return None };
        match self.scratch.get(self.scratch.uncast(value)) {
            Expr::Var(var) => Some(Label::TagVar(var)),
            Expr::Symbol(symbol) if !self.artificial.contains(&symbol) => Some(Label::Tag(symbol)),
            _ => None,
        }
    }

    /// The chosen assignments whose expressions would be written too often.
    fn wasteful(&self) -> Vec<EdgeId> {
        let mut uses: FxHashMap<(VarId, ExprId), Uses> = FxHashMap::default();
        for (id, edge) in self.game.automaton.edges() {
            let Some(delays) = self.facts.at(edge.source) else { continue };
            if self.chosen.contains(id.index()) {
                let (Label::Assign { rhs, .. }, Some(write)) = (edge.label, effects::write(self.game, &edge.label))
                else {
                    continue;
                };
                let delayed = Delayed { chosen: self.chosen, scratch: self.scratch };
                if let Some(Held::Delayed(value)) = delayed.delay(self.game, delays, write.var, rhs) {
                    uses.entry((write.var, value)).or_default().definitions.push(id);
                }
            } else {
                effects::reads(self.game, &edge.label, |var| {
                    if let Some(Held::Delayed(value)) = delays.held(var) {
                        uses.entry((var, value)).or_default().reads += 1;
                    }
                });
            }
        }
        let wasteful = |&(&(_, value), uses): &(&(VarId, ExprId), &Uses)| {
            let weight = self.weight(value);
            weight * uses.reads > (weight + MAX_GROWTH) * uses.definitions.len()
        };
        let mut rejected: Vec<EdgeId> =
            uses.iter().filter(wasteful).flat_map(|(_, uses)| uses.definitions.iter().copied()).collect();
        rejected.sort_unstable();
        rejected
    }

    /// Number of accesses in an expression, where one constant map behind another counts for nothing: they are composed
    /// later.
    fn weight(&self, value: ExprId) -> usize {
        let mut weight = 0;
        let constant = |map: ExprId| matches!(self.scratch.get(map), Expr::Const(_));
        self.scratch.preorder(value, |expr| {
            if let Expr::Access(map, key) = expr {
                let inner = self.scratch.get(self.scratch.uncast(key));
                let composed = constant(map) && matches!(inner, Expr::Access(map, _) if constant(map));
                weight += usize::from(!composed);
            }
        });
        weight
    }

    /// The labels that change.
    fn labels(&self) -> Vec<(EdgeId, Label)> {
        let delayed = Delayed { chosen: self.chosen, scratch: self.scratch };
        let mut labels = Vec::new();
        for (id, edge) in self.game.automaton.edges() {
            let Some(delays) = self.facts.at(edge.source) else { continue };
            let label = match edge.label {
                _ if self.chosen.contains(id.index()) => Label::Skip,
                Label::TagVar(var) => delays.held(var).and_then(|held| self.shown(held)).unwrap_or(edge.label),
                label => delayed.read_label(delays, &label),
            };
            if label != edge.label {
                labels.push((id, label));
            }
        }
        labels
    }
}
