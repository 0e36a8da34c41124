//! The beginning of a game: what the keeper does before the first choice is done here, as far as there is one way, by plain assignments, comparisons of what is known, and checks.

use crate::rules::Rules;
use crate::term::StateKey;
use crate::text::Start;
use rg_ir::{EdgeId, Expr, ExprId, Label, NodeId, Symbol, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Most edges of that way.
const MAX_EDGES: usize = 100_000;
/// Most steps of the walks of checks on it, from one node.
const MAX_STEPS: usize = 200_000;

/// Goes on from `begin` as long as there is one way, and what it does is known; `checks` says whether checks are made, too. The state that follows is mostly
/// one more than those that moves lead to, so that is done only if it says who is the first to move.
pub(crate) fn start(rules: &Rules<'_>, checks: bool) -> Start {
    let game = rules.game;
    let mut start = Start {
        state: StateKey { node: game.begin(), player: None, known: BTreeMap::new() },
        values: FxHashMap::default(),
    };
    for _ in 0..MAX_EDGES {
        let Some(edge) = only_way(rules, &start, checks) else { break };
        let edge = game.automaton.edge(edge);
        match edge.label {
            Label::Skip | Label::Tag(_) | Label::Compare { .. } => {}
            Label::Reach { .. } if checks => {}
            Label::Assign { rhs, .. } if game.ends_move(&edge.label) => {
                let Some(player) = symbol(rules, &start, rhs) else { break };
                let moves = player != rules.keeper && edge.target != game.end();
                start.state.player = Some(player).filter(|_| moves);
            }
            Label::Assign { lhs, rhs } => {
                let Some((var, keys)) = place(rules, &start, lhs) else { break };
                let Some(value) = symbol(rules, &start, rhs) else { break };
                start.values.insert((var, keys), value);
            }
            _ => break,
        }
        start.state.node = edge.target;
        if start.state.player.is_some() {
            break;
        }
    }
    let known = rules.turns.iter().filter(|&&var| rules.matters(None, start.state.node, var));
    let value = |var: VarId| start.values.get(&(var, Vec::new())).copied().or_else(|| rules.vars[var].at(&[]));
    start.state.known = known.filter_map(|&var| Some((var, value(var)?))).collect();
    start
}

/// The only edge by which the keeper can go on; `None` if there are several, or it is not known.
fn only_way(rules: &Rules<'_>, start: &Start, checks: bool) -> Option<EdgeId> {
    let edges = rules.game.automaton.outgoing(start.state.node);
    if let &[edge] = edges
        && !matches!(rules.game.automaton.edge(edge).label, Label::Compare { .. } | Label::Reach { .. })
    {
        return Some(edge);
    }
    let mut left = MAX_STEPS;
    let mut open = Vec::new();
    for &edge in edges {
        match rules.game.automaton.edge(edge).label {
            Label::Compare { lhs, rhs, negated } => {
                if (symbol(rules, start, lhs)? == symbol(rules, start, rhs)?) != negated {
                    open.push(edge);
                }
            }
            Label::Reach { from, to, negated } if checks => {
                let values = start.values.clone();
                if reaches(
                    rules,
                    Start { state: StateKey { node: from, ..start.state.clone() }, values },
                    to,
                    &mut left,
                )? != negated
                {
                    open.push(edge);
                }
            }
            _ => open.push(edge),
        }
    }
    match open[..] {
        [edge] => Some(edge),
        _ => None,
    }
}

/// The entry that a left side is; `None` for parts of maps, and keys that are none.
fn place(rules: &Rules<'_>, start: &Start, lhs: ExprId) -> Option<(VarId, Vec<Symbol>)> {
    let (mut expr, mut keys) = (lhs, Vec::new());
    loop {
        match rules.game.exprs.get(expr) {
            Expr::Cast(_, inner) => expr = inner,
            Expr::Access(map, key) => {
                keys.push(symbol(rules, start, key)?);
                expr = map;
            }
            Expr::Var(var) => {
                keys.reverse();
                let table = &rules.vars[var];
                let fits = keys.len() == table.keys.len()
                    && keys.iter().zip(&table.keys).all(|(key, (members, _))| members.contains(key));
                return fits.then_some((var, keys));
            }
            Expr::Const(_) | Expr::Symbol(_) => return None,
        }
    }
}

/// The symbol that an expression is now. Types of maps are finite, so expressions are no deeper than their text.
fn symbol(rules: &Rules<'_>, start: &Start, expr: ExprId) -> Option<Symbol> {
    let (mut at, mut keys) = (expr, Vec::new());
    loop {
        match rules.game.exprs.get(at) {
            Expr::Cast(_, inner) => at = inner,
            Expr::Access(map, key) => {
                keys.push(symbol(rules, start, key)?);
                at = map;
            }
            Expr::Symbol(symbol) => return keys.is_empty().then_some(symbol),
            Expr::Const(id) => {
                keys.reverse();
                let table = &rules.consts[id];
                return table.at(&keys).filter(|_| keys.len() == table.keys.len());
            }
            Expr::Var(var) => {
                keys.reverse();
                let table = &rules.vars[var];
                let assigned = start.values.get(&(var, keys.clone())).copied();
                return assigned.or_else(|| table.at(&keys)).filter(|_| keys.len() == table.keys.len());
            }
        }
    }
}

/// Whether a walk leads to a node; `None` if that is too much to look at, or something on the way is not known.
fn reaches(rules: &Rules<'_>, from: Start, to: NodeId, left: &mut usize) -> Option<bool> {
    let (mut seen, mut pending) = (FxHashSet::default(), vec![from]);
    while let Some(at) = pending.pop() {
        rg_ir::cancel::check();
        *left = left.checked_sub(1)?;
        let node = at.state.node;
        if node == to {
            return Some(true);
        }
        let Some(live) = rules.live.at(Some(to), node) else { continue };
        let mut known: Vec<_> = at.values.iter().filter(|((var, _), _)| live.contains(var)).collect();
        known.sort_unstable();
        let known: Vec<_> = known.into_iter().map(|(entry, &value)| (entry.clone(), value)).collect();
        if !seen.insert((node, known)) {
            continue;
        }
        for &edge in rules.game.automaton.outgoing(node) {
            let edge = rules.game.automaton.edge(edge);
            let mut next =
                Start { state: StateKey { node: edge.target, ..at.state.clone() }, values: at.values.clone() };
            match edge.label {
                Label::Skip | Label::Tag(_) | Label::TagVar(_) => pending.push(next),
                Label::Compare { lhs, rhs, negated } => {
                    if (symbol(rules, &at, lhs)? == symbol(rules, &at, rhs)?) != negated {
                        pending.push(next);
                    }
                }
                Label::Assign { lhs, rhs } => {
                    let value = symbol(rules, &at, rhs)?;
                    next.values.insert(place(rules, &at, lhs)?, value);
                    pending.push(next);
                }
                Label::AssignAny { lhs, ty } => {
                    let place = place(rules, &at, lhs)?;
                    for &value in rules.members(ty).iter() {
                        let mut next = Start { state: next.state.clone(), values: next.values.clone() };
                        next.values.insert(place.clone(), value);
                        pending.push(next);
                    }
                }
                Label::Reach { from, to, negated } => {
                    let inner = Start { state: StateKey { node: from, ..at.state.clone() }, values: at.values.clone() };
                    if reaches(rules, inner, to, left)? != negated {
                        pending.push(next);
                    }
                }
            }
        }
    }
    Some(false)
}
