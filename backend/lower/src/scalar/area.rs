//! The part of the automaton that a search walks, and what is live there.

use super::super::Lifter;
use super::super::layout::Kind;
use super::super::region::{Region, ends};
use super::Goal;
use super::certain::Certainty;
use super::parting::Parting;
use fixedbitset::FixedBitSet;
use passes::effects;
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Label, NodeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Most calls of the procedures of a loop that are not counted: their frames have room on the stack.
const MAX_UNCOUNTED: usize = 256;

/// See the module.
pub(super) struct Area {
    pub(super) goal: Goal,
    pub(super) region: Rc<Region>,
    /// Nodes that have procedures of their own: where walks meet, or come back to.
    pub(super) heads: FxHashSet<NodeId>,
    /// Where the search stops, because the rest of the walk is certain, and which loops terminate.
    pub(super) certainty: Certainty,
    /// What is live by node; `None` if that is what is live in the game.
    pub(super) live: Option<FxHashMap<NodeId, FixedBitSet>>,
    /// Which variables it keeps that matter only to the state after the move.
    pub(super) keeps: Kept,
    /// By node that is marked: where its marks begin, and the variables by which arrivals in one scope differ, with their sizes.
    pub(super) marks: FxHashMap<NodeId, Mark>,
    /// Whether the search evaluates checks whose answers are kept: replayed moves do not.
    pub(super) checks: bool,
    /// By node from which a check begins: where its answers are kept, and the variables on which these depend, with their sizes.
    pub(super) answers: FxHashMap<NodeId, Mark>,
    /// Where checks begin that the search evaluates and that have its own target.
    pub(super) nested: FxHashSet<NodeId>,
    pub(super) partings: Rc<[Parting]>,
    /// Whether the search depends on the tags that a walk is still to show: where labels are compared, and where marks cut walks off.
    /// Two walks that meet with equal values differ if they show different tags later.
    pub(super) needs_tags: bool,
    /// By component of the region, whether a marked node is reachable, and a check.
    pub(super) marks_ahead: Vec<bool>,
    pub(super) checks_ahead: Vec<bool>,
}

/// Which variables a search keeps that are live in the game, but not for the search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// None.
    Nothing,
    /// Those by which marks tell states apart: single variables. Writes to maps open scopes.
    Marked,
    /// All: the search makes a move.
    All,
}

/// See [`Area::marks`].
pub(super) type Mark = (u32, Vec<(VarId, u64)>);

impl Area {
    /// The single variables that a procedure has as parameters.
    pub(super) fn parameters(&self, lifter: &Lifter<'_>, node: NodeId) -> Vec<VarId> {
        let scalar = |var: &VarId| lifter.known.kinds.get(var.index()) == Some(&Kind::Scalar);
        lifter.game.vars.ids().filter(scalar).filter(|var| self.is_live(lifter, node, *var)).collect()
    }

    /// Whether the search keeps the value of a variable, because it can matter.
    pub(super) fn is_live(&self, lifter: &Lifter<'_>, node: NodeId, var: VarId) -> bool {
        let is_kept = match self.keeps {
            Kept::Nothing => false,
            Kept::Marked => lifter.known.kinds.get(var.index()) == Some(&Kind::Scalar),
            Kept::All => true,
        };
        self.is_searched(node, var) || is_kept && lifter.is_live(node, var.index())
    }

    /// Whether the value of a variable can matter to what the search finds.
    pub(super) fn is_searched(&self, node: NodeId, var: VarId) -> bool {
        self.live.as_ref().is_some_and(|live| live.get(&node).is_some_and(|live| live.contains(var.index())))
    }

    /// Whether a map has to be in scratch memory where the search begins at a decision.
    pub(super) fn needs_map(&self, node: NodeId, var: VarId) -> bool {
        match self.goal {
            Goal::List(_) | Goal::Label | Goal::Tail | Goal::Check(_) => self.is_searched(node, var),
            // The keeper goes on from there.
            Goal::Nth(_) | Goal::Make | Goal::Keep => true,
        }
    }

    /// Whether the search stops at a node, because the rest of the walk is certain.
    pub(super) fn is_certain(&self, node: NodeId) -> bool {
        self.certainty.nodes.contains(&node)
    }

    /// The ways on from a node, in order.
    pub(super) fn ways(&self, lifter: &Lifter<'_>, node: NodeId) -> Vec<EdgeId> {
        if self.is_certain(node) {
            return Vec::new();
        }
        let automaton = &lifter.game.automaton;
        let leads = |id: &&EdgeId| {
            let edge = automaton.edge(**id);
            self.ends(lifter, **id) || self.region.contains(edge.target)
        };
        automaton.outgoing(node).iter().filter(leads).copied().collect()
    }

    /// The marks of a node: who comes there in the same scope with the same values finds nothing new.
    pub(super) fn mark(&self, node: NodeId) -> Option<&Mark> {
        self.marks.get(&node)
    }

    /// Where the answers of a check from a node are kept.
    pub(super) fn answers(&self, node: NodeId) -> Option<&Mark> {
        self.answers.get(&node)
    }

    /// How walks part at a node.
    pub(super) fn parting(&self, lifter: &Lifter<'_>, node: NodeId) -> Parting {
        let parting = self.partings.get(node.index()).copied().unwrap_or(Parting::Open);
        if self.ways(lifter, node).len() == lifter.game.automaton.outgoing(node).len() {
            return parting;
        }
        match parting {
            Parting::Tests { .. } => Parting::Tests { exhaustive: false },
            Parting::Checks | Parting::Open => Parting::Open,
        }
    }

    /// Has the marks of another search, so that it meets the same walks.
    pub(super) fn mark_as(&mut self, other: &Area) {
        self.marks.clone_from(&other.marks);
        self.heads.extend(other.marks.keys());
    }

    /// Whether there are marks.
    pub(super) fn has_marks(&self) -> bool {
        !self.marks.is_empty()
    }

    /// Whether a check that the search evaluates is reachable from a node.
    pub(super) fn may_check(&self, node: NodeId) -> bool {
        let component = self.region.component.get(&node);
        component.and_then(|&at| self.checks_ahead.get(at)) == Some(&true)
    }

    /// Whether a mark is reachable from a node.
    pub(super) fn may_mark(&self, node: NodeId) -> bool {
        let component = self.region.component.get(&node);
        component.and_then(|&at| self.marks_ahead.get(at)) == Some(&true)
    }

    /// Whether a scope begins behind an edge: everything is determined there by the variables that are written from then on. A write to
    /// a map that does not matter any more begins none.
    pub(super) fn opens(&self, lifter: &Lifter<'_>, id: EdgeId) -> bool {
        let edge = lifter.game.automaton.edge(id);
        let is_map = |var: VarId| lifter.known.kinds.get(var.index()) != Some(&Kind::Scalar);
        let write = effects::write(lifter.game, &edge.label);
        let matters = |var: VarId| {
            let is_kept = self.keeps != Kept::Nothing && lifter.is_live(edge.target, var.index());
            is_kept || self.is_searched(edge.target, var)
        };
        let writes_map = write.is_some_and(|write| is_map(write.var) && matters(write.var));
        let shows = matches!(edge.label, Label::Tag(_) | Label::TagVar(_));
        writes_map || shows && matches!(self.goal, Goal::List(_) | Goal::Nth(_))
    }

    /// By component, whether something is still to come on a walk: where it is in the component itself, or on an edge.
    pub(super) fn ahead(&self, lifter: &Lifter<'_>, here: Vec<bool>, on_edge: impl Fn(&Label) -> bool) -> Vec<bool> {
        let mut ahead = here;
        for (at, members) in self.region.members.iter().enumerate().rev() {
            let nodes = members.iter().filter(|&&node| self.goal != Goal::Check(node));
            let found = nodes.flat_map(|&node| self.ways(lifter, node)).any(|id| {
                let edge = lifter.game.automaton.edge(id);
                let next = self.region.component.get(&edge.target).and_then(|&to| ahead.get(to));
                on_edge(&edge.label) || !self.ends(lifter, id) && next == Some(&true)
            });
            if let Some(slot) = ahead.get_mut(at) {
                *slot |= found;
            }
        }
        ahead
    }

    /// Whether walks come back to a node.
    pub(super) fn is_cyclic(&self, node: NodeId) -> bool {
        let component = self.region.component.get(&node);
        component.and_then(|&at| self.region.cyclic.get(at)) == Some(&true)
    }

    /// Whether a node is in a loop that terminates.
    pub(super) fn has_loop_that_ends(&self, node: NodeId) -> bool {
        self.rounds(node).is_some()
    }

    /// How often walks go round the loop of a node at most, if it terminates.
    fn rounds(&self, node: NodeId) -> Option<usize> {
        let component = self.region.component.get(&node);
        component.and_then(|&at| self.certainty.rounds.get(at)).copied().flatten()
    }

    /// Whether the procedures of the loop of a node may call each other without being counted: few times, whatever the state.
    pub(super) fn has_short_loop(&self, node: NodeId) -> bool {
        let heads = self.loop_of(node).iter().filter(|node| self.heads.contains(node)).count();
        self.rounds(node).is_some_and(|rounds| rounds.saturating_mul(heads) <= MAX_UNCOUNTED)
    }

    /// The nodes of the loop of a node.
    pub(super) fn loop_of(&self, node: NodeId) -> &[NodeId] {
        let component = self.region.component.get(&node);
        component.and_then(|&at| self.region.members.get(at)).map_or(&[], |members| members)
    }

    /// Whether checks that the search evaluates begin at a node and have its own target.
    pub(super) fn is_nested(&self, node: NodeId) -> bool {
        self.nested.contains(&node)
    }

    /// Whether the procedure of a node may call itself: it has to count how often, and how deep.
    pub(super) fn is_recursive(&self, node: NodeId) -> bool {
        self.is_cyclic(node) || self.is_nested(node)
    }

    /// Whether the search ends with an edge.
    pub(super) fn ends(&self, lifter: &Lifter<'_>, id: EdgeId) -> bool {
        let edge = lifter.game.automaton.edge(id);
        match self.goal {
            // The keeper may go on behind it.
            Goal::Tail => !lifter.is_in_tail(edge.target),
            _ => ends(lifter.game, self.region.goal, &edge.label, edge.target),
        }
    }
}
