//! Checks in place of which their conditions can stand (catalogue of passes, 3.2).

use crate::owners::{Owner, Owners};
use crate::pass::{Context, Pass};
use crate::plain::negation;
use rg_ir::{Edge, EdgeId, Game, Label, NodeId};
use rustc_hash::FxHashMap;

/// The most conditions that are put in the place of a check.
const MAX_CONDITIONS: usize = 4;

/// The most steps from the start of a check that are looked at.
const MAX_STEPS: usize = 16;

/// Replaces checks by what they check.
///
/// ```text
/// m, x: ? s -> t;   m, y: ! s -> t;   s, u: v == 0;   u, t: w == 0;   x, y: ? a -> t;   a, t: v == 1;   a, t: w == 1;
/// ```
/// becomes
/// ```text
/// m, n: v == 0;   n, x: w == 0;   m, y: v != 0;   m, y: w != 0;   x, y: v == 1;   x, y: w == 1;
/// ```
///
/// The walks of the check are a single chain of conditions, or single conditions side by side. All edges that make the
/// check are rewritten, also those that need its opposite, or none of them, so that cases that exclude each other can be
/// recognised as such; and only if nodes and edges get fewer or stay as many, the part of the check included that is
/// left over.
///
/// *Correct*, since the check holds exactly if all conditions of the chain hold, or one of those side by side does; and
/// conditions change nothing, so that it does not matter that they are walked and not checked. A check within a check is
/// replaced first; one that comes to itself never is. O(nodes + edges).
pub struct CheckInlining;

impl Pass for CheckInlining {
    fn name(&self) -> &'static str {
        "check-inlining"
    }

    fn summary(&self) -> &'static str {
        "replace checks of single conditions by these conditions"
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let mut users: FxHashMap<Check, Vec<EdgeId>> = FxHashMap::default();
        let mut order: Vec<Check> = Vec::new();
        for (id, edge) in game.automaton.edges() {
            if let Label::Reach { from, to, .. } = edge.label {
                let users = users.entry((from, to)).or_default();
                if users.is_empty() {
                    order.push((from, to));
                }
                users.push(id);
            }
        }
        let parts: FxHashMap<Check, Part> =
            order.iter().filter_map(|&check| Some((check, Part::of(game, check)?))).collect();
        if parts.is_empty() {
            return false;
        }
        let owners = Owners::of(game);
        let mut replaced = false;
        for check in order {
            let (Some(part), Some(users)) = (parts.get(&check), users.get(&check)) else { continue };
            let nested = part.conditions.iter().filter_map(check_of).any(|inner| parts.contains_key(&inner));
            if !nested && part.pays(game, &owners, check, users) {
                users.iter().for_each(|&user| part.replace(game, user));
                replaced = true;
            }
        }
        replaced
    }
}

/// Where a check starts and what it looks for.
type Check = (NodeId, NodeId);

fn check_of(label: &Label) -> Option<Check> {
    match *label {
        Label::Reach { from, to, .. } => Some((from, to)),
        _ => None,
    }
}

/// All that the walks of a check do.
struct Part {
    /// Conditions: at most [`MAX_CONDITIONS`], at least one.
    conditions: Vec<Label>,
    /// Whether all have to hold, one after the other, and not just one of them.
    chain: bool,
}

impl Part {
    /// The part of a check, if it is as simple as that.
    fn of(game: &Game, (from, to): Check) -> Option<Self> {
        let automaton = &game.automaton;
        let edges = |node| automaton.outgoing(node).iter().map(|&id| automaton.edge(id));
        let mut conditions = Vec::new();
        let chain = automaton.outgoing(from).len() == 1;
        if chain {
            let mut at = from;
            for _ in 0..MAX_STEPS {
                let mut outgoing = edges(at);
                let (Some(edge), None) = (outgoing.next(), outgoing.next()) else { return None };
                if edge.label != Label::Skip {
                    negation(&edge.label)?;
                    conditions.push(edge.label);
                }
                at = edge.target;
                if at == to {
                    break;
                }
            }
            (at == to).then_some(())?;
        } else {
            for edge in edges(from) {
                negation(&edge.label)?;
                (edge.target == to).then_some(())?;
                conditions.push(edge.label);
                (conditions.len() <= MAX_CONDITIONS).then_some(())?;
            }
        }
        (from != to && !conditions.is_empty() && conditions.len() <= MAX_CONDITIONS)
            .then_some(Self { conditions, chain })
    }

    /// Whether an edge that makes the check becomes a chain of edges, and not several side by side.
    fn becomes_chain(&self, edge: &Edge) -> bool {
        let negated = matches!(edge.label, Label::Reach { negated: true, .. });
        self.chain != negated
    }

    /// Whether nodes and edges do not become more.
    fn pays(&self, game: &Game, owners: &Owners, (from, to): Check, users: &[EdgeId]) -> bool {
        let more = self.conditions.len() - 1;
        let cost = |&user: &EdgeId| if self.becomes_chain(game.automaton.edge(user)) { 2 * more } else { more };
        let growth: usize = users.iter().map(cost).sum();
        // What is left over goes if nobody else comes by.
        let mut freed = 0;
        let mut at = from;
        while at != to && owners.at(at) == Owner::Check(to) {
            let incoming = game.automaton.incoming(at).len();
            let outgoing = game.automaton.outgoing(at);
            let (true, Some(&next)) = (incoming == usize::from(at != from), outgoing.first()) else { break };
            freed += 1 + outgoing.len();
            at = game.automaton.edge(next).target;
        }
        growth <= freed
    }

    /// Rewrites an edge that makes the check.
    fn replace(&self, game: &mut Game, user: EdgeId) {
        let Some(edge) = game.automaton.remove_edge(user) else { return };
        let negated = matches!(edge.label, Label::Reach { negated: true, .. });
        let chain = self.becomes_chain(&edge);
        let mut at = edge.source;
        for (number, &label) in self.conditions.iter().enumerate() {
            let label = if negated { negation(&label).unwrap_or(label) } else { label };
            let last = number + 1 == self.conditions.len();
            let next = if last || !chain { edge.target } else { game.fresh_node("also", edge.span) };
            game.automaton.add_edge(at, next, label, edge.span);
            if chain {
                at = next;
            }
        }
    }
}
