//! What the keeper does between two decisions, as Boolean functions of the state before it.
//!
//! The keeper's part of the automaton has to be deterministic and without cycles. It is executed symbolically in topological order: an
//! assignment takes place where its *guard* holds, which is whether the keeper reaches its node. The guard of a node is that of its
//! immediate dominator, and what leads from there; so after alternatives that meet again it is what it was before. O(e log n) for e edges between n nodes, and
//! the nodes between each node that has several ways to it and its dominator.

use super::super::Failure;
use super::super::region::constant_player;
use super::cells::Cells;
use super::conditions::Conditions;
use super::gates::Literal;
use rg_ir::{Expr, ExprId, Game, Label, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where the keeper stops, since a player decides or the game is over.
#[derive(Debug)]
pub(super) struct Arrival {
    /// The node.
    pub(super) node: NodeId,
    /// Whether the keeper gets there.
    pub(super) guard: Literal,
}

/// An edge of the region: to another node of it, by number, under a condition.
#[derive(Clone, Copy)]
struct Step {
    target: usize,
    cond: Literal,
}

/// The part of the automaton that the keeper walks.
struct Region {
    /// In topological order.
    nodes: Vec<NodeId>,
    numbers: FxHashMap<NodeId, usize>,
    /// Whether the keeper stops there.
    stops: Vec<bool>,
    dominators: Vec<usize>,
}

/// Executes what the keeper does from a node on. What variables hold afterwards is in `cells`.
pub(super) fn execute(
    cells: &mut Cells<'_, '_>,
    conditions: &mut Conditions,
    start: NodeId,
) -> Result<Vec<Arrival>, Failure> {
    let game = cells.lifter.game;
    let region = Region::new(game, start)?;
    let mut run =
        Run { steps: vec![Vec::new(); region.nodes.len()], guards: vec![None; region.nodes.len()], region: &region };
    if let Some(first) = run.guards.first_mut() {
        *first = Some(Literal::TRUE);
    }
    let mut arrivals = Vec::new();
    for (number, &node) in region.nodes.iter().enumerate() {
        if region.stops.get(number) == Some(&true) {
            arrivals.push(Arrival { node, guard: run.guard(cells, number)? });
            continue;
        }
        let steps = steps(cells, conditions, &region, node)?;
        if let Some(slot) = run.steps.get_mut(number) {
            *slot = steps;
        }
        for &id in game.automaton.outgoing(node) {
            let edge = game.automaton.edge(id);
            if let Label::Assign { lhs, rhs } = edge.label
                && (edge.target == game.end() || !passes_on(game, &edge.label))
            {
                let guard = run.guard(cells, number)?;
                assign(cells, lhs, rhs, guard)?;
            }
        }
    }
    Ok(arrivals)
}

/// Whether an edge ends a move of the keeper and begins the next one.
fn passes_on(game: &Game, label: &Label) -> bool {
    let keeper = game.symbols.get("keeper");
    game.ends_move(label) && keeper.is_some() && constant_player(game, label) == keeper
}

fn assign(cells: &mut Cells<'_, '_>, lhs: ExprId, rhs: ExprId, guard: Literal) -> Result<(), Failure> {
    if let (Some(cell), Some(symbol)) = (cells.cell(lhs), cells.symbol(rhs)) {
        let value = cells.number(cell.0, symbol).ok_or_else(|| Failure::new("a value has no number"))?;
        return cells.assign(cell, value, guard);
    }
    let whole = |expr: ExprId| match super::super::numbers::path(cells.lifter.game, expr) {
        (root, keys) if keys.is_empty() => Some(root),
        _ => None,
    };
    match (whole(lhs), whole(rhs)) {
        (Some(Expr::Var(var)), Some(from @ (Expr::Var(_) | Expr::Const(_)))) if !cells.is_single(var) => {
            cells.copy(var, from, guard)
        }
        _ => {
            let to = cells.cell(lhs).ok_or_else(|| Failure::new("it is not known what is assigned"));
            let assigned = to.and_then(|to| cells.assign_value(to, rhs, guard));
            assigned.map_err(|failure| failure.at(name_of(cells, lhs)))
        }
    }
}

fn name_of<'c>(cells: &'c Cells<'_, '_>, lhs: ExprId) -> &'c str {
    match super::super::numbers::path(cells.lifter.game, lhs) {
        (Expr::Var(var), _) => cells.name(var),
        _ => "",
    }
}

/// The edges of a node with their conditions. The keeper reaches a decision by at most one of them, or those by which it does lead to one
/// node.
fn steps(
    cells: &mut Cells<'_, '_>,
    conditions: &mut Conditions,
    region: &Region,
    node: NodeId,
) -> Result<Vec<Step>, Failure> {
    let game = cells.lifter.game;
    let mut steps = Vec::new();
    for &id in game.automaton.outgoing(node) {
        let edge = game.automaton.edge(id);
        if let Some(&target) = region.numbers.get(&edge.target) {
            let cond = condition(cells, conditions, &edge.label).map_err(|failure| failure.at(game.node_name(node)))?;
            steps.push(Step { target, cond });
        }
    }
    let labels: Vec<&Label> = game.automaton.outgoing(node).iter().map(|&id| &game.automaton.edge(id).label).collect();
    if are_exclusive(cells, &labels) {
        return Ok(steps);
    }
    if labels.len() > MAX_UNCLEAR || labels.iter().any(|label| matches!(label, Label::Assign { .. })) {
        return Err(Failure::new("the keeper may have a choice").at(game.node_name(node)));
    }
    let mut beyond = Vec::new();
    for step in &steps {
        let alive = match region.nodes.get(step.target) {
            Some(&target) => goes_on(cells, conditions, target, LOOKED_AHEAD)?,
            None => Literal::TRUE,
        };
        beyond.push((step.target, cells.gates.and(step.cond, alive)));
    }
    for (number, &(target, one)) in beyond.iter().enumerate() {
        for &(_, other) in beyond.iter().skip(number + 1).filter(|(other, _)| *other != target) {
            if !cells.gates.are_exclusive(one, other) {
                return Err(Failure::new("the keeper may have a choice").at(game.node_name(node)));
            }
        }
    }
    Ok(steps)
}

/// Most edges of a node whose labels alone do not tell that they are exclusive.
const MAX_UNCLEAR: usize = 64;

/// How many edges ahead conditions are looked for that tell edges apart.
const LOOKED_AHEAD: usize = 4;

fn condition(cells: &mut Cells<'_, '_>, conditions: &mut Conditions, label: &Label) -> Result<Literal, Failure> {
    match label {
        Label::Assign { .. } => Ok(Literal::TRUE),
        _ => conditions.of(cells, label),
    }
}

/// A condition without which the keeper cannot leave a node, and the next ones up to an assignment.
fn goes_on(
    cells: &mut Cells<'_, '_>,
    conditions: &mut Conditions,
    node: NodeId,
    depth: usize,
) -> Result<Literal, Failure> {
    let game = cells.lifter.game;
    let edges = game.automaton.outgoing(node);
    cells.spend(edges.len())?;
    let assigns = |&id: &rg_ir::EdgeId| matches!(game.automaton.edge(id).label, Label::Assign { .. });
    if depth == 0 || edges.is_empty() || edges.iter().any(assigns) {
        return Ok(Literal::TRUE);
    }
    let mut any = Literal::FALSE;
    for &id in edges {
        let edge = game.automaton.edge(id);
        let here = condition(cells, conditions, &edge.label)?;
        let ahead = if edges.len() == 1 { goes_on(cells, conditions, edge.target, depth - 1)? } else { Literal::TRUE };
        let way = cells.gates.and(here, ahead);
        any = cells.gates.or(any, way);
    }
    Ok(any)
}

/// Whether at most one of some labels can be taken, whatever variables hold.
fn are_exclusive(cells: &Cells<'_, '_>, labels: &[&Label]) -> bool {
    match *labels {
        [] | [_] => true,
        [&Label::Compare { lhs: a, rhs: b, negated }, &Label::Compare { lhs: c, rhs: d, negated: other }]
            if (a, b) == (c, d) =>
        {
            negated != other
        }
        [&Label::Reach { from: a, to: b, negated }, &Label::Reach { from: c, to: d, negated: other }] => {
            (a, b) == (c, d) && negated != other
        }
        _ => {
            // One variable is compared with different constants.
            let mut seen = FxHashSet::default();
            let compared = |label: &Label| match label {
                Label::Compare { lhs, rhs, negated: false } => Some((cells.cell(*lhs)?, cells.symbol(*rhs)?)),
                _ => None,
            };
            let first = labels.first().and_then(|label| compared(label)).map(|(cell, _)| cell);
            let differs = |label: &&Label| {
                compared(label).is_some_and(|(cell, symbol)| Some(cell) == first && seen.insert(symbol))
            };
            labels.iter().all(differs)
        }
    }
}

impl Region {
    fn new(game: &Game, start: NodeId) -> Result<Self, Failure> {
        let ends = |label: &Label, target| game.ends_move(label) && (target == game.end() || !passes_on(game, label));
        // Depth first, without recursion: nodes by the time at which all beyond them is done.
        let (mut done, mut states, mut stops) = (Vec::new(), FxHashMap::default(), FxHashSet::default());
        let mut stack = vec![(start, 0)];
        states.insert(start, false);
        while let Some((node, next)) = stack.last_mut() {
            let node = *node;
            let edge = match stops.contains(&node) {
                true => None,
                false => game.automaton.outgoing(node).get(*next).map(|&id| game.automaton.edge(id)),
            };
            let Some(edge) = edge else {
                states.insert(node, true);
                done.push(node);
                stack.pop();
                continue;
            };
            *next += 1;
            if matches!(edge.label, Label::AssignAny { .. }) {
                return Err(Failure::new("the keeper chooses").at(game.node_name(node)));
            }
            if ends(&edge.label, edge.target) {
                if constant_player(game, &edge.label).is_none() && edge.target != game.end() {
                    return Err(Failure::new("it is not known who decides").at(game.node_name(node)));
                }
                stops.insert(edge.target);
            }
            match states.get(&edge.target) {
                Some(true) => {}
                Some(false) => return Err(Failure::new("the keeper may go round a cycle").at(game.node_name(node))),
                None => {
                    states.insert(edge.target, false);
                    stack.push((edge.target, 0));
                }
            }
        }
        if stops.contains(&start) {
            return Err(Failure::new("the keeper does nothing"));
        }
        for &node in done.iter().filter(|node| !stops.contains(*node)) {
            let passes = |&id: &rg_ir::EdgeId| {
                let edge = game.automaton.edge(id);
                stops.contains(&edge.target) && !ends(&edge.label, edge.target)
            };
            if game.automaton.outgoing(node).iter().any(passes) {
                return Err(Failure::new("the keeper walks on where others decide").at(game.node_name(node)));
            }
        }
        done.reverse();
        let numbers: FxHashMap<NodeId, usize> = done.iter().copied().zip(0..).collect();
        let mut before = vec![Vec::new(); done.len()];
        for (number, &node) in done.iter().enumerate().filter(|(_, node)| !stops.contains(*node)) {
            for &id in game.automaton.outgoing(node) {
                let target = numbers.get(&game.automaton.edge(id).target);
                if let Some(list) = target.and_then(|&target| before.get_mut(target)) {
                    list.push(number);
                }
            }
        }
        let dominators = dominators(&before);
        let stops = done.iter().map(|node| stops.contains(node)).collect();
        Ok(Self { nodes: done, numbers, stops, dominators })
    }
}

/// By number, the immediate dominator of a node in a graph without cycles whose nodes are in topological order: the nearest common
/// ancestor, in the tree of dominators, of the nodes before it. O(log n) for each edge, by pointers that jump up the tree (Myers, *An
/// applicative random-access stack*, 1983).
fn dominators(before: &[Vec<usize>]) -> Vec<usize> {
    let mut tree: Vec<Ancestors> = Vec::with_capacity(before.len());
    for before in before {
        let parent = before.iter().copied().reduce(|a, b| common(&tree, a, b)).unwrap_or(0);
        let at = |number: usize| tree.get(number).copied().unwrap_or_default();
        let up = at(parent);
        let jump = at(up.jump);
        let depth = if tree.is_empty() { 0 } else { up.depth + 1 };
        let equal = up.depth - jump.depth == jump.depth - at(jump.jump).depth;
        tree.push(Ancestors { depth, parent, jump: if equal { jump.jump } else { parent } });
    }
    tree.into_iter().map(|node| node.parent).collect()
}

/// What is above a node in a tree.
#[derive(Clone, Copy, Default)]
struct Ancestors {
    depth: usize,
    parent: usize,
    /// An ancestor farther up; nodes of one depth jump equally far.
    jump: usize,
}

/// The nearest common ancestor of two nodes.
fn common(tree: &[Ancestors], mut a: usize, mut b: usize) -> usize {
    let at = |number: usize| tree.get(number).copied().unwrap_or_default();
    while a != b {
        let (one, other) = (at(a), at(b));
        if one.depth < other.depth {
            b = if at(other.jump).depth >= one.depth { other.jump } else { other.parent };
        } else if one.depth > other.depth {
            a = if at(one.jump).depth >= other.depth { one.jump } else { one.parent };
        } else if one.jump != other.jump {
            (a, b) = (one.jump, other.jump);
        } else {
            (a, b) = (one.parent, other.parent);
        }
    }
    a
}

/// The keeper on its way.
struct Run<'r> {
    region: &'r Region,
    /// Edges of the nodes so far.
    steps: Vec<Vec<Step>>,
    /// What is known of guards.
    guards: Vec<Option<Literal>>,
}

impl Run<'_> {
    /// Whether the keeper reaches a node. All nodes before it have their edges.
    fn guard(&mut self, cells: &mut Cells<'_, '_>, number: usize) -> Result<Literal, Failure> {
        let of = |run: &Self, number: usize| run.guards.get(number).copied().flatten();
        let mut open = vec![number];
        while let Some(&last) = open.last() {
            if of(self, last).is_some() {
                break;
            }
            open.push(self.region.dominators.get(last).copied().unwrap_or(0));
        }
        let mut from = open.pop().unwrap_or(0);
        let mut guard = of(self, from).unwrap_or(Literal::TRUE);
        while let Some(node) = open.pop() {
            let way = self.way(cells, from, node)?;
            guard = cells.gates.and(guard, way);
            if let Some(slot) = self.guards.get_mut(node) {
                *slot = Some(guard);
            }
            from = node;
        }
        Ok(guard)
    }

    /// Whether the keeper comes from a node to one that it dominates.
    fn way(&mut self, cells: &mut Cells<'_, '_>, from: usize, to: usize) -> Result<Literal, Failure> {
        cells.spend(to - from)?;
        // By number, from `from` on: whether the keeper comes from there to the node.
        let mut ways = vec![Literal::FALSE; to - from + 1];
        ways[to - from] = Literal::TRUE;
        for number in (from..to).rev() {
            let beyond = |step: &Step| match step.target.checked_sub(from) {
                Some(at) => ways.get(at).copied().unwrap_or(Literal::FALSE),
                None => Literal::FALSE,
            };
            let steps = self.steps.get(number).map_or(&[][..], Vec::as_slice);
            cells.spend(steps.len())?;
            let way = match steps {
                [one, other] if one.cond == !other.cond => cells.gates.choose(one.cond, beyond(one), beyond(other)),
                _ => {
                    let mut any = Literal::FALSE;
                    for step in steps {
                        let way = cells.gates.and(step.cond, beyond(step));
                        any = cells.gates.or(any, way);
                    }
                    any
                }
            };
            ways[number - from] = way;
        }
        Ok(ways[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dominators_are_common_to_all_ways() {
        // The graph without a node: its dominators are those without which the node cannot be reached.
        let mut number = 1u64;
        let mut below = |bound: usize| {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (number >> 33) as usize % bound
        };
        for _ in 0..200 {
            let before: Vec<Vec<usize>> = (0..40)
                .map(|node| if node == 0 { vec![] } else { (0..=below(3)).map(|_| below(node)).collect() })
                .collect();
            let found = dominators(&before);
            for node in 1..before.len() {
                let dominates = |gone: usize| {
                    let mut reached = vec![gone != 0];
                    for (at, before) in before.iter().enumerate().take(node + 1).skip(1) {
                        reached.push(at != gone && before.iter().any(|&from| reached[from]));
                    }
                    !reached[node]
                };
                assert_eq!((0..node).rfind(|&gone| dominates(gone)), Some(found[node]), "{before:?}");
            }
        }
    }

    #[test]
    fn dominators_of_two_ways_that_meet() {
        // 0 → 1, 0 → 2, 1 → 3, 2 → 3, 3 → 4
        let before = [vec![], vec![0], vec![0], vec![1, 2], vec![3]];
        assert_eq!(dominators(&before), [0, 0, 0, 0, 3]);
    }
}
