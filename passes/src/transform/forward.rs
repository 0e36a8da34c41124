//! Assignments that meet before their one use (catalogue of passes, 3.1 across joins).

use crate::analysis::Liveness;
use crate::dataflow::Solution;
use crate::effects::{self, Builtins, fixed};
use crate::pass::{Context, Pass};
use crate::scratch::{self, Scratch, well_typed};
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Expr, ExprId, Game, Label, NodeId, TypeKind, VarId};

/// How many map accesses may be written for one assignment.
const MAX_ACCESSES: usize = 6;

/// Writes different values of a variable into the one step that reads it, where the ways of computing them meet.
///
/// ```text
/// x, n: v = d[v];   y, n: v = u[v];   n, t: m[v] == e;
/// ```
/// becomes
/// ```text
/// x, t: m[d[v]] == e;   y, t: m[u[v]] == e;
/// ```
///
/// The step is a comparison or an assignment that ends no move, and the only one from `n`; the assignments are all that
/// leads to `n`; `v` is not live in `t`, or the step itself assigns it. No check starts from `n` or looks for it. (Where
/// only one assignment leads to `n`, `inline` does the same.)
///
/// *Correct*, since the step reads the same values as after the assignment, and nobody asks for `v` afterwards.
/// O(edges) besides liveness, which is asked for only if there is such a node.
pub struct Forward;

impl Pass for Forward {
    fn name(&self) -> &'static str {
        "forward"
    }

    fn summary(&self) -> &'static str {
        "move assigned values into the only use of a variable where paths to it meet"
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let meetings = meetings(game);
        if meetings.is_empty() {
            return false;
        }
        let live = Liveness::solve(game);
        let mut touched = FixedBitSet::with_capacity(game.automaton.node_bound());
        let mut changed = false;
        for meeting in meetings {
            changed |= meeting.dissolve(game, &live, &mut touched);
        }
        changed
    }
}

/// A node to which only assignments to one variable lead, and from which one step.
struct Meeting {
    node: NodeId,
    var: VarId,
    step: EdgeId,
}

/// All of them.
fn meetings(game: &Game) -> Vec<Meeting> {
    let automaton = &game.automaton;
    let fixed = fixed(game);
    let builtins = Builtins::of(game);
    let assigned = |id: EdgeId| {
        let edge = automaton.edge(id);
        let Label::Assign { .. } = edge.label else { return None };
        effects::write(game, &edge.label)
            .filter(|write| write.whole && edge.source != edge.target)
            .map(|write| write.var)
    };
    let meeting = |node: NodeId| {
        let &[step] = automaton.outgoing(node) else { return None };
        let [first, _, ..] = *automaton.incoming(node) else { return None };
        let var = assigned(first)?;
        let alike = automaton.incoming(node).iter().all(|&id| assigned(id) == Some(var));
        (alike && !fixed.contains(node.index()) && !builtins.contains(var)).then_some(Meeting { node, var, step })
    };
    automaton.nodes().filter_map(meeting).collect()
}

impl Meeting {
    /// Writes the values into the step, unless something stands against it; `touched` are nodes whose edges have changed.
    fn dissolve(&self, game: &mut Game, live: &Solution<FixedBitSet>, touched: &mut FixedBitSet) -> bool {
        let automaton = &game.automaton;
        let step = automaton.edge(self.step);
        let incoming: Vec<EdgeId> = automaton.incoming(self.node).to_vec();
        let sources = incoming.iter().map(|&id| automaton.edge(id).source);
        let around: Vec<NodeId> = sources.chain([self.node, step.target]).collect();
        let overwritten = effects::write(game, &step.label).is_some_and(|write| write.whole && write.var == self.var);
        let dead = live.at(step.target).is_some_and(|live| !live.contains(self.var.index()));
        let plain = matches!(step.label, Label::Compare { .. } | Label::Assign { .. } | Label::AssignAny { .. });
        let fits = plain && (dead || overwritten) && !game.ends_move(&step.label) && step.target != self.node;
        if !fits || around.iter().any(|node| touched.contains(node.index())) {
            return false;
        }
        let target = step.target;
        let Some(labels) = self.labels(game, &incoming) else { return false };
        for (id, label) in incoming.into_iter().zip(labels) {
            if let Some(edge) = game.automaton.remove_edge(id) {
                game.automaton.add_edge(edge.source, target, label, edge.span);
            }
        }
        around.into_iter().for_each(|node| touched.insert(node.index()));
        game.remove_node(self.node);
        true
    }

    /// The step with each of the values; `None` if one of them would be too long or not well typed.
    fn labels(&self, game: &mut Game, incoming: &[EdgeId]) -> Option<Vec<Label>> {
        let step = game.automaton.edge(self.step).label;
        let mut reads = 0;
        effects::reads(game, &step, |var| reads += usize::from(var == self.var));
        let scratch = Scratch::new(game);
        let ty = game.vars.get(self.var)?.ty;
        let mut labels = Vec::with_capacity(incoming.len());
        for &id in incoming {
            let Label::Assign { rhs, .. } = game.automaton.edge(id).label else { return None };
            (accesses(game, rhs) * reads <= MAX_ACCESSES).then_some(())?;
            // Whatever is read into is written with the type of the variable; that is taken off again where it can be.
            let cast = match game.types.kind(ty) {
                TypeKind::Name(_) => scratch.intern(Expr::Cast(ty, rhs)),
                _ => rhs,
            };
            labels.push(scratch.rewrite_reads(&step, |_, expr| (expr == Expr::Var(self.var)).then_some(cast)));
        }
        let new = scratch.into_new();
        scratch::commit(game, new);
        let labels: Vec<Label> = labels.iter().map(|label| scratch::without_casts(game, label)).collect();
        labels.iter().all(|label| well_typed(game, label)).then_some(labels)
    }
}

fn accesses(game: &Game, expr: ExprId) -> usize {
    let mut count = 0;
    game.exprs.preorder(expr, |_, expr| count += usize::from(matches!(expr, Expr::Access(..))));
    count
}
