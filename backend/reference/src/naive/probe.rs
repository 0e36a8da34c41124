//! Notes where the walks of searches arrive, for the verification of claims.

use super::Cells;
use fixedbitset::FixedBitSet;
use rg_ir::NodeId;
use rg_ir::ids::Id;

/// Arrivals noted in one call at most; later ones are not looked at.
const MAX_ARRIVALS: usize = 20_000;

/// A walk's arrival at a node.
#[derive(Debug)]
pub(super) struct Arrival {
    /// Number of the search: one search for moves, then one for every check that is made.
    pub(super) search: u32,
    /// The node that a check looks for; `None` in the search for moves.
    pub(super) target: Option<NodeId>,
    pub(super) node: NodeId,
    /// Tags so far.
    pub(super) tags: Vec<u32>,
    pub(super) cells: Cells,
    /// Whether a walk with the same tags and state was there before, in this search.
    pub(super) again: bool,
}

/// Takes notes.
#[derive(Debug, Default)]
pub(super) struct Probe {
    /// Nodes where only repeated arrivals matter.
    repeated: FixedBitSet,
    /// Nodes where all arrivals matter.
    all: FixedBitSet,
    pub(super) arrivals: Vec<Arrival>,
    searches: u32,
}

impl Probe {
    pub(super) fn new(repeated: FixedBitSet, all: FixedBitSet) -> Self {
        Self { repeated, all, ..Self::default() }
    }

    /// The number of a search that begins.
    pub(super) fn begin(&mut self) -> u32 {
        self.searches += 1;
        self.searches
    }

    pub(super) fn arrive(
        &mut self,
        search: u32,
        target: Option<NodeId>,
        node: NodeId,
        tags: &[(u32, u64)],
        cells: &Cells,
        again: bool,
    ) {
        let wanted = self.all.contains(node.index()) || (again && self.repeated.contains(node.index()));
        if wanted && self.arrivals.len() < MAX_ARRIVALS {
            let tags = tags.iter().map(|&(tag, _)| tag).collect();
            self.arrivals.push(Arrival { search, target, node, tags, cells: cells.clone(), again });
        }
    }
}
