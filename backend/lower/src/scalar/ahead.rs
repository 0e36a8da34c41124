//! What walks may still come to: checks, marks, and writes that are undone one by one or all at once.
//!
//! Where walks cannot part any more, nothing is tried that could need what they overwrite. The maps that they may write are then kept
//! as wholes where they come there, and restored behind them, instead of each write being undone when the search comes back to it: a
//! loop of writes is a loop of the program, not a recursion.

use super::super::layout::Kind;
use super::super::{Failure, Lifter};
use super::Goal;
use super::access::{Overwritten, Undo};
use super::area::Area;
use super::parting::Parting;
use fixedbitset::FixedBitSet;
use passes::effects;
use rg_ir::ids::Id;
use rg_ir::{Label, NodeId, VarId};

/// Most words of the maps that are kept as wholes.
const MAX_KEPT: u32 = 32;

/// What walks from the nodes of a component may still come to, the component itself included.
#[derive(Clone)]
pub(super) struct Ahead {
    /// Whether there are checks that the search evaluates.
    pub(super) checks: bool,
    /// Whether there are nodes that are marked.
    pub(super) marks: bool,
    /// Whether walks may part.
    parts: bool,
    /// Whether a loop writes maps.
    rewrites: bool,
    /// The maps that are written.
    maps: FixedBitSet,
    /// Words of these maps.
    words: u32,
}

impl Ahead {
    /// Whether maps are kept as wholes instead of undoing each write.
    pub(super) fn is_worth_keeping(&self) -> bool {
        !self.parts && self.rewrites && self.words <= MAX_KEPT
    }

    fn join(&mut self, other: &Ahead) {
        self.checks |= other.checks;
        self.marks |= other.marks;
        self.parts |= other.parts;
        self.rewrites |= other.rewrites;
        self.maps.union_with(&other.maps);
    }
}

impl Lifter<'_> {
    /// What walks of an area may still come to, by component of its region. Linear in its edges. Walks from `starts` count as if they
    /// parted: searches begin there without anything that keeps maps.
    pub(super) fn ahead_in(&self, area: &Area, starts: &[NodeId]) -> Vec<Ahead> {
        let nothing = Ahead {
            checks: false,
            marks: false,
            parts: false,
            rewrites: false,
            maps: FixedBitSet::with_capacity(self.game.vars.len()),
            words: 0,
        };
        let mut all = vec![nothing.clone(); area.region.members.len()];
        for (at, members) in area.region.members.iter().enumerate().rev() {
            let mut ahead = nothing.clone();
            ahead.marks = members.iter().any(|&node| area.mark(node).is_some());
            for &node in members.iter().filter(|&&node| area.goal != Goal::Check(node)) {
                self.look_ahead(area, node, &mut ahead);
                ahead.parts |= starts.contains(&node);
                for id in area.ways(self, node) {
                    let target = self.game.automaton.edge(id).target;
                    let next = area.region.component.get(&target).filter(|_| !area.ends(self, id));
                    if let Some(next) = next.and_then(|&next| all.get(next)) {
                        ahead.join(next);
                    }
                }
            }
            let vars = ahead.maps.ones().map(VarId::from_index);
            ahead.words = vars.fold(0, |sum: u32, var| sum.saturating_add(self.words_of_map(var)));
            if let Some(slot) = all.get_mut(at) {
                *slot = ahead;
            }
        }
        all
    }

    /// Adds what there is at a node and on its edges.
    fn look_ahead(&self, area: &Area, node: NodeId, ahead: &mut Ahead) {
        let ways = area.ways(self, node);
        ahead.parts |= ways.len() > 1 && area.parting(self, node) == Parting::Open;
        for &id in ways.iter().filter(|&&id| !area.ends(self, id)) {
            let edge = self.game.automaton.edge(id);
            ahead.checks |= area.checks && matches!(edge.label, Label::Reach { .. });
            ahead.parts |= matches!(edge.label, Label::AssignAny { .. });
            let Some(write) = effects::write(self.game, &edge.label) else { continue };
            if self.known.kinds.get(write.var.index()) == Some(&Kind::Scalar)
                || !area.is_live(self, edge.target, write.var)
            {
                continue;
            }
            ahead.maps.insert(write.var.index());
            let component = |node| area.region.component.get(node);
            ahead.rewrites |= area.is_cyclic(node) && component(&node) == component(&edge.target);
        }
    }

    /// Words that a map takes in scratch memory.
    fn words_of_map(&self, var: VarId) -> u32 {
        match (self.map_place(var), self.form_of(var)) {
            (Ok(place), Ok(form)) => place.size(form.len()),
            _ => u32::MAX,
        }
    }

    /// The maps that walks from a node may write, so that they can be restored.
    pub(super) fn kept_maps(&mut self, area: &Area, node: NodeId) -> Result<Undo, Failure> {
        let maps = area.ahead(node).map(|ahead| ahead.maps.clone()).unwrap_or_default();
        let mut undo = Undo::new();
        for var in maps.ones().map(VarId::from_index) {
            let first = self.map_place(var)?.base;
            for word in first..first + self.words_of_map(var) {
                let at = self.function.builder.constant(u64::from(word));
                let before = self.peek_at(at);
                undo.push(Overwritten::Word(at, before));
            }
        }
        Ok(undo)
    }
}
