//! Choices that settle a check without being made one by one: those for which it holds whatever their own writes do.
//!
//! A check behind a write asks a map that is another one for every choice: is there a way for this group to an empty place,
//! once the stone is there? Where all tests of the map only ask whether an entry has a value, a check that holds on fewer
//! entries holds on more of them as well. So it is made for all choices at once, on a map in which no entry that any of
//! them writes has any value: what holds there holds for each of them. The others are made one by one as ever.

use super::Lifter;
use super::ahead::{read_by, variables};
use super::explore::{Exit, Work};
use super::lane::{GenId, Lane, Pending, Sets, Store};
use super::numbers::path;
use super::region::{Goal, Region};
use super::sets::Set;
use super::values::Condition;
use rg_ir::ids::Id;
use rg_ir::{Expr, ExprId, Label, NodeId, VarId};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use wir::Inst;

/// A choice, and all values of it that lanes at one node have.
pub(super) type Together = (GenId, Set);

impl Lifter<'_> {
    /// Choices of a lane for which its check surely holds from a node; `None` if that is not known of any.
    pub(super) fn monotone_check(&mut self, region: &Rc<Region>, node: NodeId, lane: &Lane) -> Option<Set> {
        if self.check.recording.is_some() || !region.cyclic.contains(&true) {
            return None;
        }
        let Goal::Check(to) = region.goal else { return None };
        let generator = lane.generator.clone()?;
        // The more lanes leave out the same entries, the fewer searches there are.
        let together = self.check.together.as_ref().filter(|(id, _)| *id == generator.id);
        let any = together.map_or_else(|| generator.set.clone(), |(_, set)| set.clone());
        let mut probe = lane.clone();
        probe.facts.clear();
        probe.origins.clear();
        probe.forget_tests();
        probe.label.clear();
        let mut written = FxHashSet::default();
        for (var, store) in probe.vars.iter_mut().enumerate() {
            let Store::Sets(sets) = store else { continue };
            if sets.pending.is_empty() {
                continue;
            }
            let mut of: Vec<Set> = sets.of.to_vec();
            let words = of.first()?.len();
            for Pending { index, .. } in sets.pending.iter() {
                let places = self.function.builder.image(index, &any, words)?;
                for set in &mut of {
                    *set = self.function.builder.minus(set, &places);
                }
            }
            *store = Store::Sets(Sets { of: of.into(), pending: Rc::from([]) });
            written.insert(VarId::from_index(var));
        }
        if written.is_empty() || !self.grows_with(region, &written) {
            return None;
        }
        let places = self.place_only(region, &probe)?;
        let depth = self.function.builder.depth() + 1;
        // Only a search in rounds is more work for each choice than for all of them.
        self.open();
        let outer = std::mem::replace(&mut self.function.partial, true);
        let answer = self.backward(region, &probe, &places, node, to);
        self.function.partial = outer;
        let sure = match &answer {
            Ok(Condition::Choices(set)) => Some(self.function.builder.both(set, &generator.set)),
            Ok(Condition::Truth(truth)) => Some(self.function.builder.when(*truth, &generator.set)),
            Err(_) => {
                self.function.builder.unwind(depth);
                None
            }
        };
        let block = self.close(Vec::new());
        let rounds = block.insts.iter().any(|inst| matches!(inst, Inst::Loop { .. }));
        let sure = sure.filter(|_| rounds)?;
        self.function.builder.splice(block);
        Some(sure)
    }

    /// Whether a search only asks if entries of some maps have values: where fewer have any, it comes to fewer places.
    fn grows_with(&self, region: &Region, maps: &FxHashSet<VarId>) -> bool {
        let independent = |exprs: &mut dyn Iterator<Item = ExprId>| {
            let mut read = FxHashSet::default();
            exprs.for_each(|expr| variables(self.game, expr, &mut read));
            read.is_disjoint(maps)
        };
        let entry = |map: ExprId, other: ExprId| {
            let (root, keys) = path(self.game, map);
            matches!(root, Expr::Var(var) if maps.contains(&var)) && independent(&mut keys.into_iter().chain([other]))
        };
        let grows = |label: Label| match label {
            Label::Compare { lhs, rhs, negated } => {
                independent(&mut [lhs, rhs].into_iter()) || !negated && (entry(lhs, rhs) || entry(rhs, lhs))
            }
            Label::Reach { from, to, .. } => read_by(self.game, from, to).is_disjoint(maps),
            label => independent(&mut label.exprs()),
        };
        region.members.iter().flatten().filter(|&&node| region.goal != Goal::Check(node)).all(|&node| {
            let edges = self.game.automaton.outgoing(node).iter().map(|&id| self.game.automaton.edge(id));
            edges.filter(|edge| region.contains(edge.target)).all(|edge| grows(edge.label))
        })
    }

    /// Lanes of a check that asks for which choices it holds, without those choices of which that is known already, if
    /// what comes now takes long; and all choices that they have.
    pub(super) fn still_open(
        &mut self,
        region: &Rc<Region>,
        node: NodeId,
        lanes: &mut [Lane],
        work: &Work,
        exits: &[(Exit, Lane)],
    ) -> Option<Together> {
        let Goal::Check(to) = region.goal else { return None };
        if !region.is_whole_check() || !self.searches(node) {
            return None;
        }
        let queued = region.component.get(&to).and_then(|&at| work.get(&(at, to))).map_or(&[][..], |lanes| lanes);
        let found = exits.iter().filter(|(exit, _)| *exit == Exit::Target).map(|(_, lane)| lane).chain(queued);
        let found: Vec<(GenId, Set)> =
            found.filter_map(|lane| lane.generator.as_ref()).map(|found| (found.id, found.set.clone())).collect();
        let mut together: Option<Together> = None;
        let several = lanes.len() > 1;
        for lane in lanes {
            let Some(generator) =
                lane.generator.as_mut().filter(|generator| self.function.pinned.contains(&generator.id))
            else {
                continue;
            };
            for (id, found) in &found {
                if *id == generator.id {
                    generator.set = self.function.builder.minus(&generator.set, found);
                }
            }
            together = match together {
                None => Some((generator.id, generator.set.clone())),
                Some((id, set)) if id == generator.id => Some((id, self.function.builder.either(&set, &generator.set))),
                other => other,
            };
        }
        together.filter(|_| several)
    }

    /// Whether a check that may take many steps is asked at a node.
    fn searches(&mut self, node: NodeId) -> bool {
        let game = self.game;
        game.automaton.outgoing(node).iter().any(|&id| match game.automaton.edge(id).label {
            Label::Reach { from, to, .. } => !self.region(Goal::Check(to), from).is_acyclic(),
            _ => false,
        })
    }
}
