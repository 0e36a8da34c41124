//! Branches: code for rare walks is skipped in states that have none.
//!
//! Code over sets costs the same for an empty set as for a full one. After a tag, or after a check that holds, a lane has a label of
//! its own and rarely merges with another. If a check is still to come, the code that follows becomes a block behind a test whether
//! the lane has any walk:
//!
//! ```text
//! r9 = and r7, r8            r9 = and r7, r8
//! ... 200 instructions  →    if r9 { ... 200 instructions }
//! ```
//!
//! Costs a test and a branch for each block; blocks that are small have no test.

use super::explore::{Exit, Work};
use super::lane::Lane;
use super::region::{Goal, Region};
use super::{Failure, Lifter};
use rg_ir::{Label, NodeId};
use std::rc::Rc;
use wir::Block;
use wir::uses::size;

/// Instructions from which on a block is worth a branch.
const MIN_BLOCK: usize = 48;

/// Most blocks inside each other.
const MAX_DEPTH: usize = 16;

impl Lifter<'_> {
    /// Whether the code that follows a node goes into a block of its own for each lane.
    pub(super) fn branches_at(&self, region: &Region, node: NodeId) -> bool {
        let ahead = |all: &[bool]| region.component.get(&node).and_then(|&at| all.get(at)) == Some(&true);
        let splits = |label: &Label| matches!(label, Label::Tag(_) | Label::Reach { negated: false, .. });
        let automaton = &self.game.automaton;
        self.function.style.branches
            && region.goal == Goal::Moves
            && region.header.is_none()
            && self.function.builder.depth() < MAX_DEPTH
            && ahead(&region.checks_ahead)
            && !self.begins_tail(node)
            && automaton.incoming(node).iter().all(|&id| splits(&automaton.edge(id).label))
    }

    /// Continues one lane from a node, in a block of its own if that is much code. Emits moves on the way.
    pub(super) fn branch(
        &mut self,
        region: &Rc<Region>,
        node: NodeId,
        lane: Lane,
    ) -> Result<Vec<(Exit, Lane)>, Failure> {
        let walks = lane.walks();
        let any = self.any_walk(&walks);
        let (mut work, mut exits) = (Work::new(), Vec::new());
        self.open();
        if let Some(lane) = self.leave(region, node, lane, &mut work, &mut exits)? {
            exits.extend(self.choose(region, node, lane)?);
        }
        exits.extend(self.explored_from(region, work)?);
        let block = self.close(Vec::new());
        if size(&block) < MIN_BLOCK {
            self.function.builder.splice(block);
        } else {
            self.function.builder.if_else(any, block, Block::default());
        }
        Ok(exits)
    }
}
