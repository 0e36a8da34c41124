//! Checks whose answer the graph alone tells (catalogue of passes, 1.6).

use crate::pass::{Context, Level, Pass};
use crate::rewrite::{Change, change_edges};
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{Game, Label, NodeId};
use rustc_hash::FxHashMap;

/// The work for searches back from what checks look for: their number times the size of the automaton.
const MAX_WORK: usize = 1 << 23;

/// Decides checks that look for the node where they start, or for one that no walk from there comes to.
///
/// ```text
/// m, x: ? s -> s;   x, y: ! s -> s;   x, y: ! s -> far;   x, y: ? s -> far;   s, t: v == 0;
/// ```
/// becomes
/// ```text
/// m, x: ;   x, y: ;   s, t: v == 0;
/// ```
///
/// *Correct*, since a walk of no steps comes from a node to itself, and without a path in the graph there is no walk.
/// O(edges · distinct nodes looked for), up to a bound; checks beyond it are left alone.
pub struct DecidedChecks;

impl Pass for DecidedChecks {
    fn name(&self) -> &'static str {
        "decided-checks"
    }

    fn summary(&self) -> &'static str {
        "decide checks that must or cannot succeed by the graph alone"
    }

    fn level(&self) -> Level {
        Level::Clean
    }

    fn run(&self, game: &mut Game, context: &mut Context) -> bool {
        let automaton = &game.automaton;
        let mut reaching: FxHashMap<NodeId, FixedBitSet> = FxHashMap::default();
        let mut left = MAX_WORK;
        let mut bounded = false;
        for (_, edge) in automaton.edges() {
            let Label::Reach { to, .. } = edge.label else { continue };
            if reaching.contains_key(&to) {
                continue;
            }
            let cost = automaton.node_bound() + automaton.edge_count();
            if left < cost {
                bounded = true;
                break;
            }
            left -= cost;
            reaching.insert(to, automaton.reaching([to]));
        }
        if bounded {
            context.note("too many checks in too large an automaton: not all were looked at");
        }
        change_edges(game, |_, _, edge| {
            let Label::Reach { from, to, negated } = edge.label else { return Change::Keep };
            let possible = reaching.get(&to).is_none_or(|nodes| nodes.contains(from.index()));
            let answer = if from == to { Some(true) } else { Some(false).filter(|_| !possible) };
            match answer {
                None => Change::Keep,
                Some(answer) if answer != negated => Change::Label(Label::Skip),
                Some(_) => Change::Remove,
            }
        })
    }
}
