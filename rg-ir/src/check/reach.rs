//! Checks 26 and 27: reachability that cannot succeed, and reachability that may check itself.
//!
//! Both work on the distinct pairs (start, target) that occur, and have a budget of visits. A game that exceeds it gets
//! a finding that says how much of check 26 was left out; check 27 then takes what the targets of checks are for
//! unknown, so that it may warn of more than it would have with a larger budget.

use super::Checker;
use super::graph::components;
use crate::automaton::{Edge, Label};
use crate::diag::Diagnostic;
use crate::ids::{EdgeId, Id, NodeId};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Greatest number of node and edge visits of check 26.
const TARGETS_BUDGET: usize = 1 << 25;
/// Greatest number of node and edge visits of check 27, which remembers some of them.
const RECURSION_BUDGET: usize = 1 << 21;

/// Looks at all `?` and `!` edges.
pub(super) fn check(cx: &mut Checker<'_>) {
    let game = cx.game;
    let mut checks: Vec<(EdgeId, NodeId, NodeId)> = Vec::new();
    for (id, edge) in game.automaton.edges() {
        let Label::Reach { from, to, .. } = edge.label else { continue };
        if game.automaton.contains_node(from) && game.automaton.contains_node(to) {
            checks.push((id, from, to));
        } else {
            let found =
                Diagnostic::error("RG026", edge.span, "a reachability check refers to a node that does not exist");
            cx.report_on_edge(edge, found);
        }
    }
    if !checks.is_empty() {
        check_targets(cx, &checks);
        check_recursion(cx, &checks);
    }
}

/// Check 26. Starts are handled 64 at a time, one bit each, in one sweep over the condensed graph.
fn check_targets(cx: &mut Checker<'_>, checks: &[(EdgeId, NodeId, NodeId)]) {
    let automaton = &cx.game.automaton;
    let bound = automaton.node_bound();
    let component = components(bound, automaton.edges().map(|(_, edge)| (edge.source, edge.target)));
    let of = |node: NodeId| component.get(node.index()).copied().unwrap_or(0);
    let mut between: Vec<(usize, usize)> =
        automaton.edges().map(|(_, edge)| (of(edge.source), of(edge.target))).filter(|(a, b)| a != b).collect();
    // Edges lead to smaller numbers: descending by source is a topological order.
    between.sort_unstable_by(|a, b| b.cmp(a));
    between.dedup();

    let mut order: Vec<usize> = (0..checks.len()).collect();
    let start = |i: usize| checks.get(i).map_or(0, |&(_, from, _)| of(from));
    order.sort_by_key(|&i| start(i));
    let mut unreachable: Vec<usize> = Vec::new();
    let mut reached = vec![0u64; bound];
    let mut left = TARGETS_BUDGET;
    let mut at = 0;
    while at < order.len() {
        let (batch, starts) = take_batch(order.get(at..).unwrap_or(&[]), &start);
        // Only components between the batch's first start and its last target matter.
        let top = starts.last().copied().unwrap_or(0);
        let target = |i: &usize| checks.get(*i).map_or(0, |&(_, _, to)| of(to));
        let bottom = batch.iter().map(target).min().unwrap_or(0).min(top);
        let first = between.partition_point(|&(from, _)| from > top);
        let last = between.partition_point(|&(from, _)| from > bottom);
        let Some(rest) = left.checked_sub(top - bottom + last - first + batch.len()) else { break };
        left = rest;
        reached.get_mut(bottom..=top).unwrap_or(&mut []).fill(0);
        for (bit, &start) in starts.iter().enumerate() {
            set_bits(&mut reached, start, 1 << bit);
        }
        for &(from, to) in between.get(first..last).unwrap_or(&[]) {
            let bits = reached.get(from).copied().unwrap_or(0);
            set_bits(&mut reached, to, bits);
        }
        for &i in batch {
            let Some(&(_, from, to)) = checks.get(i) else { continue };
            let bit = starts.binary_search(&of(from)).unwrap_or(0);
            let found = of(to) <= top && reached.get(of(to)).is_some_and(|bits| bits >> bit & 1 == 1);
            if !found {
                unreachable.push(i);
            }
        }
        at += batch.len();
    }
    if at < order.len() {
        let left_out = order.len() - at;
        let message = format!("too many reachability checks: {left_out} were not tested for targets out of reach");
        cx.report(Diagnostic::lint("RG026", crate::Span::NONE, message));
    }
    unreachable.sort_unstable();
    for i in unreachable {
        if let Some(&(id, from, to)) = checks.get(i) {
            report_unreachable(cx, cx.game.automaton.edge(id), from, to);
        }
    }
}

/// The longest prefix of `order` with at most 64 different starts, and those starts, ascending.
fn take_batch<'a>(order: &'a [usize], start: &impl Fn(usize) -> usize) -> (&'a [usize], Vec<usize>) {
    let mut starts: Vec<usize> = Vec::with_capacity(64);
    let mut length = 0;
    for &i in order {
        if starts.last() != Some(&start(i)) {
            if starts.len() == 64 {
                break;
            }
            starts.push(start(i));
        }
        length += 1;
    }
    (order.get(..length).unwrap_or(order), starts)
}

fn set_bits(table: &mut [u64], at: usize, bits: u64) {
    if let Some(slot) = table.get_mut(at) {
        *slot |= bits;
    }
}

fn report_unreachable(cx: &mut Checker<'_>, edge: &Edge, from: NodeId, to: NodeId) {
    let (from_name, to_name) = (cx.node_name(from), cx.node_name(to));
    let negated = matches!(edge.label, Label::Reach { negated: true, .. });
    let outcome = if negated { "always" } else { "never" };
    let message = format!("no walk leads from `{from_name}` to `{to_name}`, so this check {outcome} succeeds");
    let found = cx.quote(edge, Diagnostic::warning("RG026", edge.span, message));
    // A node that no edge touches was probably misspelt.
    let automaton = &cx.game.automaton;
    let lonely = |node: NodeId| automaton.outgoing(node).is_empty() && automaton.incoming(node).is_empty();
    match [from, to].into_iter().find(|&node| lonely(node)) {
        Some(node) => {
            let name = cx.node_name(node);
            let known = cx.connected_nodes();
            cx.report_suggesting(found.note(format!("no edge touches `{name}`")), name, known);
        }
        None => cx.report(found),
    }
}

/// Check 27. A check can come back to itself only if its edge and its start lie in one component of the graph that
/// has, besides the plain edges, one from the source of every check to the check's start. What is left is looked at
/// pair by pair, knowing that the walk of a check ends at its target.
fn check_recursion(cx: &mut Checker<'_>, checks: &[(EdgeId, NodeId, NodeId)]) {
    let automaton = &cx.game.automaton;
    let plain = automaton.edges().map(|(_, edge)| (edge.source, edge.target));
    let enter = checks.iter().map(|&(id, from, _)| (automaton.edge(id).source, from));
    let component = components(automaton.node_bound(), plain.chain(enter));
    let same = |a: NodeId, b: NodeId| component.get(a.index()) == component.get(b.index());
    let mut candidates: Vec<(EdgeId, NodeId, NodeId)> =
        checks.iter().copied().filter(|&(id, from, _)| same(automaton.edge(id).source, from)).collect();
    if candidates.is_empty() {
        return;
    }
    let mut starts: FxHashMap<NodeId, usize> = FxHashMap::default();
    for &(_, from, _) in &candidates {
        let next = starts.len();
        starts.entry(from).or_insert(next);
    }
    if let Some(met) = met_checks(cx, checks, &candidates, &starts) {
        let node = NodeId::from_index;
        let nested = components(starts.len(), met.iter().map(|&(a, b, _)| (node(a), node(b))));
        let nested = |start: usize| nested.get(start).copied();
        let recursive = met.iter().filter(|&&(a, b, _)| nested(a) == nested(b)).map(|&(_, _, edge)| edge);
        let recursive: FxHashSet<EdgeId> = recursive.collect();
        candidates.retain(|(id, ..)| recursive.contains(id));
    }
    for (id, from, _) in candidates {
        let edge = cx.game.automaton.edge(id);
        let name = cx.node_name(from);
        let message =
            format!("this check may enter itself: a walk from `{name}` can come back to a check from `{name}`");
        let found = Diagnostic::warning("RG027", edge.span, message);
        cx.report_on_edge(edge, found.note("a check that meets itself in the same state is an error at run time"));
    }
}

/// For every pair (start, target) of a check with the start of a candidate, the candidate edges a walk can meet before the target, as
/// (number of the start, number of the met start, met edge). `None` if that takes more than the budget.
fn met_checks(
    cx: &Checker<'_>,
    checks: &[(EdgeId, NodeId, NodeId)],
    candidates: &[(EdgeId, NodeId, NodeId)],
    starts: &FxHashMap<NodeId, usize>,
) -> Option<Vec<(usize, usize, EdgeId)>> {
    let automaton = &cx.game.automaton;
    let wanted: FxHashMap<EdgeId, usize> =
        candidates.iter().filter_map(|&(id, from, _)| Some((id, *starts.get(&from)?))).collect();
    let pairs: BTreeSet<(NodeId, NodeId)> = checks.iter().map(|&(_, from, to)| (from, to)).collect();
    let mut met = Vec::new();
    let mut left = RECURSION_BUDGET;
    for (from, to) in pairs.into_iter().filter(|(from, to)| from != to) {
        let Some(&number) = starts.get(&from) else { continue };
        left = left.checked_sub(automaton.node_bound() / 64 + 1)?;
        let mut seen = FixedBitSet::with_capacity(automaton.node_bound());
        seen.insert(to.index());
        seen.insert(from.index());
        let mut stack = vec![from];
        while let Some(node) = stack.pop() {
            left = left.checked_sub(automaton.outgoing(node).len() + 1)?;
            for &id in automaton.outgoing(node) {
                if let Some(&other) = wanted.get(&id) {
                    met.push((number, other, id));
                }
                let target = automaton.edge(id).target;
                if !seen.put(target.index()) {
                    stack.push(target);
                }
            }
        }
    }
    Some(met)
}
