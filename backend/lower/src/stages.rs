//! Checks whose ways part early, way by way: once one is found, the others need not be walked.
//!
//! Whether a player can move at all is asked after every move, and nearly always the first kind of piece says yes.

use super::Lifter;
use super::lane::Lane;
use super::region::{Goal, Region};
use super::values::{Known, Stop};
use rg_ir::NodeId;
use rustc_hash::FxHashSet;
use std::rc::Rc;
use wir::uses::size;
use wir::{Block, Reg};

/// Fewest nodes of a search that is worth it.
const MIN_NODES: usize = 40;

impl Lifter<'_> {
    /// Whether a lane comes to the end of a check, for some choice at least; `None` if its ways do not part, or meet again
    /// soon.
    pub(super) fn in_stages(&mut self, region: &Rc<Region>, asking: &Lane, from: NodeId) -> Result<Option<Reg>, Stop> {
        if !self.function.style.size_optimised
            || self.check.recording.is_some()
            || region.header.is_some()
            || region.component.len() < MIN_NODES
        {
            return Ok(None);
        }
        if region.goal == Goal::Check(from) {
            return Ok(None);
        }
        let (mut node, mut lane) = (from, asking.clone());
        let ways = loop {
            let component = region.component.get(&node).copied();
            if component.and_then(|at| region.cyclic.get(at)) != Some(&false) {
                return Ok(None);
            }
            let game = self.game;
            let edges = game.automaton.outgoing(node).iter().copied();
            let edges: Vec<_> = edges.filter(|&id| region.contains(game.automaton.edge(id).target)).collect();
            let &[only] = &edges[..] else { break edges };
            let Ok(lanes) = self.step(region, lane, only, &mut Known::default()) else { return Ok(None) };
            let Ok([next]) = <[Lane; 1]>::try_from(lanes) else { return Ok(None) };
            (node, lane) = (game.automaton.edge(only).target, next);
            self.bury(&mut lane, node);
        };
        let mut targets: Vec<NodeId> = ways.iter().map(|&id| self.game.automaton.edge(id).target).collect();
        targets.sort_unstable();
        targets.dedup();
        if targets.len() < 2 || !self.mostly_exclusive(region, &targets) {
            return Ok(None);
        }
        let mut stages: Vec<(usize, Block, Reg)> = Vec::new();
        for target in targets {
            self.open();
            let truth = self.way(region, node, target, &lane);
            let block = self.close(truth.iter().copied().collect());
            let truth = truth?;
            stages.push((size(&block), block, truth));
        }
        stages.sort_by_key(|(size, ..)| *size);
        let mut found = self.function.builder.constant(0);
        for (number, (_, block, truth)) in stages.into_iter().enumerate() {
            if number == 0 {
                self.function.builder.splice(block);
                found = truth;
                continue;
            }
            self.open();
            let one = self.function.builder.constant(1);
            let then = self.close(vec![one]);
            found = self.function.builder.if_else(found, then, block).first().copied().unwrap_or(found);
        }
        Ok(Some(found))
    }

    /// Whether the check's end is reached by way of `target`, the next node.
    fn way(&mut self, region: &Rc<Region>, node: NodeId, target: NodeId, lane: &Lane) -> Result<Reg, Stop> {
        let mut lanes = Vec::new();
        let game = self.game;
        for &id in game.automaton.outgoing(node) {
            if game.automaton.edge(id).target == target {
                let stepped = self.step(region, lane.clone(), id, &mut Known::default())?;
                lanes.extend(stepped.into_iter().map(|lane| (target, lane)));
            }
        }
        if let [(target, lane)] = &lanes[..] {
            let mut lane = lane.clone();
            self.bury(&mut lane, *target);
            if let Some(found) = self.in_stages(region, &lane, *target)? {
                return Ok(found);
            }
        }
        let exits = self.explore(region, lanes).map_err(Stop::Fail)?;
        Ok(self.reached(&exits))
    }

    /// Whether the nodes to which some nodes lead are mostly different ones.
    fn mostly_exclusive(&self, region: &Region, targets: &[NodeId]) -> bool {
        let (mut sum, mut all) = (0, FxHashSet::default());
        for &target in targets {
            let mut seen: FxHashSet<NodeId> = [target].into_iter().collect();
            let mut stack = vec![target];
            while let Some(node) = stack.pop() {
                for &id in self.game.automaton.outgoing(node) {
                    let next = self.game.automaton.edge(id).target;
                    if region.contains(next) && seen.insert(next) {
                        stack.push(next);
                    }
                }
            }
            sum += seen.len();
            all.extend(seen);
        }
        sum <= all.len() + all.len() / 2
    }
}
