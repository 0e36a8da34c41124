//! Comparisons with most values of a type (catalogue of passes, 5.3).

use crate::pass::{Context, Level, Pass};
use crate::plain::Plain;
use crate::rewrite::is_plain;
use rg_ir::{EdgeId, Expr, ExprId, Game, Label, NodeId, Symbol};
use rustc_hash::FxHashMap;

/// Asks which values something does *not* have, where these are fewer.
///
/// ```text
/// x, y: v == red;   x, y: v == blue;
/// ```
/// with `type Colour = { red, green, blue }; var v: Colour = red;` becomes
/// ```text
/// x, y: v != green;
/// ```
///
/// The comparisons are all that `x` makes of `v` with symbols; otherwise they tell cases apart, and stay.
///
/// *Correct*, since a value of a type is one of its symbols: it is among those listed exactly if it is none of the
/// others. A chain for several others is made only if it has fewer nodes and edges than there were edges. O(edges +
/// symbols of the types compared).
pub struct Majority;

impl Pass for Majority {
    fn name(&self) -> &'static str {
        "majority"
    }

    fn summary(&self) -> &'static str {
        "compare with the few values that are excluded instead of the many that are allowed"
    }

    fn level(&self) -> Level {
        Level::Clean
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let automaton = &game.automaton;
        let forks: Vec<NodeId> = automaton.nodes().filter(|&node| automaton.outgoing(node).len() > 1).collect();
        if forks.is_empty() {
            return false;
        }
        let plain = Plain::of(game);
        let groups: Vec<Group> = forks.into_iter().flat_map(|node| groups(game, &plain, node)).collect();
        let mut changed = false;
        for group in groups {
            changed |= rewrite(game, &group);
        }
        changed
    }
}

/// Positive comparisons of one expression with symbols, from one node to one other.
struct Group {
    expr: ExprId,
    edges: Vec<(EdgeId, Symbol)>,
}

/// The groups of a node in the order of their first edges.
fn groups(game: &Game, plain: &Plain, node: NodeId) -> Vec<Group> {
    let mut groups: Vec<Option<(NodeId, Group)>> = Vec::new();
    let mut places: FxHashMap<ExprId, usize> = FxHashMap::default();
    let symbol = |expr: ExprId| match game.exprs.get(plain.expr(expr)) {
        Expr::Symbol(symbol) => Some(symbol),
        _ => None,
    };
    for &id in game.automaton.outgoing(node) {
        let edge = game.automaton.edge(id);
        let Label::Compare { lhs, rhs, negated } = edge.label else { continue };
        let (expr, symbol) = match (symbol(lhs), symbol(rhs)) {
            (None, Some(symbol)) => (lhs, symbol),
            (Some(symbol), None) => (rhs, symbol),
            _ => continue,
        };
        let place = *places.entry(plain.expr(expr)).or_insert_with(|| {
            groups.push(Some((edge.target, Group { expr, edges: Vec::new() })));
            groups.len() - 1
        });
        let Some(slot) = groups.get_mut(place) else { continue };
        match slot {
            Some((target, group)) if !negated && *target == edge.target => group.edges.push((id, symbol)),
            _ => *slot = None,
        }
    }
    groups.into_iter().flatten().map(|(_, group)| group).filter(|group| group.edges.len() > 1).collect()
}

/// Replaces a group if that makes the automaton smaller.
fn rewrite(game: &mut Game, group: &Group) -> bool {
    let Some(&(first, _)) = group.edges.first() else { return false };
    let Some(ty) = game.type_of(group.expr) else { return false };
    let mut listed: Vec<Symbol> = group.edges.iter().map(|&(_, symbol)| symbol).collect();
    listed.sort_unstable();
    let distinct = listed.is_sorted_by(|a, b| a < b);
    let members = game.types.members(ty);
    // More others than listed ones are too many; do not even collect them.
    if !distinct || members.len() >= 2 * listed.len() || !listed.iter().all(|&symbol| game.types.contains(ty, symbol)) {
        return false;
    }
    let others: Vec<Symbol> = members.iter().copied().filter(|symbol| listed.binary_search(symbol).is_err()).collect();
    if (2 * others.len()).saturating_sub(1) >= listed.len() || !others.iter().all(|&symbol| is_plain(game, symbol)) {
        return false;
    }
    let edge = game.automaton.edge(first).clone();
    for &(id, _) in &group.edges {
        game.automaton.remove_edge(id);
    }
    let mut at = edge.source;
    for (number, &symbol) in others.iter().enumerate() {
        let rhs = game.exprs.intern(Expr::Symbol(symbol));
        let label = Label::Compare { lhs: group.expr, rhs, negated: true };
        let last = number + 1 == others.len();
        let next = if last { edge.target } else { game.fresh_node("other", edge.span) };
        game.automaton.add_edge(at, next, label, edge.span);
        at = next;
    }
    if others.is_empty() {
        game.automaton.add_edge(edge.source, edge.target, Label::Skip, edge.span);
    }
    true
}
