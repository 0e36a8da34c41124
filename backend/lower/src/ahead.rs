//! Ends of the play that stand beside the rest of the keeper's moves.
//!
//! Games from RBG end where the keeper cannot go on: beside its moves stands an edge `! from -> to` with a check that
//! plays them ahead. As code that would be the same moves twice. Where every walk that completes the keeper's moves
//! contains such a walk from `from` to `to`, the edge can only be taken if nothing else can, and then the case is given
//! back; so it needs no code.

use super::numbers::path;
use super::region::{Goal, Region, ends};
use rg_ir::{EdgeId, Expr, ExprId, Game, Label, NodeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most pairs of nodes that are compared.
const MAX_PAIRS: usize = 1 << 14;

/// A node of the keeper's moves and one of the check.
type Pair = (NodeId, NodeId);

/// The edges from the start of the keeper's moves that can be taken only if nothing else can. For each of them, time and
/// memory are linear in the number of pairs of nodes that walks with equal labels come to.
pub(super) fn subsumed(game: &Game, region: &Region, start: NodeId) -> FxHashSet<EdgeId> {
    let around = region.component.get(&start).is_some_and(|&at| region.cyclic.get(at) == Some(&true));
    if around || region.goal != Goal::Keeper {
        return FxHashSet::default();
    }
    let mut found = FxHashSet::default();
    for &id in game.automaton.outgoing(start) {
        if let Label::Reach { from, to, negated: true } = game.automaton.edge(id).label {
            let read = read_by(game, from, to);
            let search = Search { game, region, to, read, edge: id };
            if search.contained(start, from) {
                found.insert(id);
            }
        }
    }
    // One of them is enough: two could both be possible.
    if found.len() > 1 { FxHashSet::default() } else { found }
}

/// The variables that a check reads, those inside it included.
pub(super) fn read_by(game: &Game, from: NodeId, to: NodeId) -> FxHashSet<VarId> {
    let mut read = FxHashSet::default();
    let (mut done, mut checks) = (FxHashSet::from_iter([(from, to)]), vec![(from, to)]);
    while let Some((from, to)) = checks.pop() {
        let (mut seen, mut stack) = (FxHashSet::from_iter([from]), vec![from]);
        while let Some(node) = stack.pop() {
            if node == to {
                continue;
            }
            for &id in game.automaton.outgoing(node) {
                let edge = game.automaton.edge(id);
                match edge.label {
                    Label::Reach { from, to, .. } if done.insert((from, to)) => checks.push((from, to)),
                    Label::Assign { lhs, rhs } => {
                        // Of what is written only the keys are read.
                        path(game, lhs).1.into_iter().chain([rhs]).for_each(|expr| variables(game, expr, &mut read));
                    }
                    label => label.exprs().for_each(|expr| variables(game, expr, &mut read)),
                }
                if seen.insert(edge.target) {
                    stack.push(edge.target);
                }
            }
        }
    }
    read
}

/// The variables of an expression.
pub(super) fn variables(game: &Game, expr: ExprId, read: &mut FxHashSet<VarId>) {
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        let (root, keys) = path(game, expr);
        if let Expr::Var(var) = root {
            read.insert(var);
        }
        stack.extend(keys);
    }
}

/// Whether walks of the keeper contain walks of one check.
struct Search<'a> {
    game: &'a Game,
    region: &'a Region,
    /// The end of the check.
    to: NodeId,
    /// What the check reads.
    read: FxHashSet<VarId>,
    /// The edge with the check.
    edge: EdgeId,
}

impl Search<'_> {
    /// A simulation: the greatest set of pairs such that whatever the keeper does at the one node, the check can follow
    /// from the other, or need not follow. Both agree in what the check reads.
    fn contained(&self, start: NodeId, from: NodeId) -> bool {
        let mut pairs: FxHashMap<Pair, Vec<Vec<Pair>>> = FxHashMap::default();
        let mut stack = vec![(start, from)];
        while let Some(pair) = stack.pop() {
            if pairs.contains_key(&pair) {
                continue;
            }
            if pairs.len() == MAX_PAIRS {
                return false;
            }
            let demands = self.demands(pair);
            stack.extend(demands.iter().flatten().copied());
            pairs.insert(pair, demands);
        }
        // What has a demand that nothing meets is no pair, until nothing changes.
        let mut users: FxHashMap<Pair, Vec<Pair>> = FxHashMap::default();
        for (&pair, demands) in &pairs {
            for &choice in demands.iter().flatten() {
                users.entry(choice).or_default().push(pair);
            }
        }
        let mut wrong: FxHashSet<Pair> = FxHashSet::default();
        let mut open: Vec<Pair> = pairs.keys().copied().collect();
        while let Some(pair) = open.pop() {
            let Some(demands) = pairs.get(&pair) else { continue };
            let met = demands.iter().all(|choices| choices.iter().any(|choice| !wrong.contains(choice)));
            if !met && wrong.insert(pair) {
                open.extend(users.get(&pair).into_iter().flatten());
            }
        }
        !wrong.contains(&(start, from))
    }

    /// For everything that the keeper can do, the pairs of which one has to hold.
    fn demands(&self, (node, place): Pair) -> Vec<Vec<Pair>> {
        let game = self.game;
        // Edges without a label are followed at once: walks must get somewhere.
        let mut places = vec![place];
        let mut next = 0;
        while let Some(&place) = places.get(next) {
            if place == self.to {
                return Vec::new();
            }
            for &id in game.automaton.outgoing(place) {
                let edge = game.automaton.edge(id);
                if edge.label == Label::Skip && !places.contains(&edge.target) {
                    places.push(edge.target);
                }
            }
            next += 1;
        }
        let ahead = || places.iter().flat_map(|&place| game.automaton.outgoing(place));
        let mut demands = Vec::new();
        for &id in game.automaton.outgoing(node) {
            let edge = game.automaton.edge(id);
            let last = ends(game, self.region.goal, &edge.label, edge.target);
            if id == self.edge || !(last || self.region.contains(edge.target)) {
                continue;
            }
            if last {
                // The check should have come to its end before.
                demands.push(Vec::new());
                continue;
            }
            let others = ahead().map(|&id| game.automaton.edge(id)).filter(|other| other.label == edge.label);
            let followed = others.map(|other| (edge.target, other.target));
            let stays = (!self.matters(&edge.label)).then_some((edge.target, place));
            demands.push(followed.chain(stays).collect());
        }
        demands
    }

    /// Whether an edge changes what the check reads.
    fn matters(&self, label: &Label) -> bool {
        let (Label::Assign { lhs, .. } | Label::AssignAny { lhs, .. }) = *label else { return false };
        !matches!(path(self.game, lhs).0, Expr::Var(var) if !self.read.contains(&var))
    }
}
