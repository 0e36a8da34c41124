//! The beginning of a game: what the keeper does before the first choice is done here, as far as there is one way, by plain assignments and comparisons of what is known.

use crate::rules::Rules;
use crate::term::StateKey;
use crate::text::Start;
use rg_ir::{EdgeId, Expr, ExprId, Label, Symbol, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Most edges of that way.
const MAX_EDGES: usize = 100_000;

/// Goes on from `begin` as long as there is one way, and what it does is known.
pub(crate) fn start(rules: &Rules<'_>) -> Start {
    let game = rules.game;
    let mut start = Start {
        state: StateKey { node: game.begin(), player: None, known: BTreeMap::new() },
        values: FxHashMap::default(),
    };
    for _ in 0..MAX_EDGES {
        let Some(edge) = only_way(rules, &start) else { break };
        let edge = game.automaton.edge(edge);
        match edge.label {
            Label::Skip | Label::Tag(_) | Label::Compare { .. } => {}
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
fn only_way(rules: &Rules<'_>, start: &Start) -> Option<EdgeId> {
    let edges = rules.game.automaton.outgoing(start.state.node);
    if let &[edge] = edges
        && !matches!(rules.game.automaton.edge(edge).label, Label::Compare { .. })
    {
        return Some(edge);
    }
    let mut open = Vec::new();
    for &edge in edges {
        match rules.game.automaton.edge(edge).label {
            Label::Compare { lhs, rhs, negated } => {
                if (symbol(rules, start, lhs)? == symbol(rules, start, rhs)?) != negated {
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
