//! The edges that a move crosses.

use super::Naive;
use super::search::Search;
use engine::Error;
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Label, NodeId, Symbol};
use rustc_hash::FxHashSet;

/// A walk so far: where it is, the tags it has shown, and the step before its last one.
struct Point {
    before: Option<(usize, EdgeId)>,
    node: NodeId,
    tags: usize,
    cells: super::Cells,
}

impl Naive {
    /// The edges of a shortest walk with these tags from the state with this image to the end of a move; `None` if there is none, or it is not found
    /// within so many steps.
    pub(crate) fn route(&self, image: &[u32], tags: &[Symbol], steps: usize) -> Result<Option<Vec<EdgeId>>, Error> {
        let mut search = Search::new(self);
        let (node, cells) = self.state_of(image);
        let mut visited: FxHashSet<(NodeId, usize, super::Cells)> = FxHashSet::default();
        let mut points = vec![Point { before: None, node, tags: 0, cells }];
        let mut at = 0;
        while let Some(point) = points.get(at).filter(|_| at < steps) {
            let (node, count, cells) = (point.node, point.tags, point.cells.clone());
            at += 1;
            if node == self.game.end() || !visited.insert((node, count, cells.clone())) {
                continue;
            }
            search.remember(node, 1, cells.len(), 1)?;
            for &id in self.game.automaton.outgoing(node) {
                let edge = self.game.automaton.edge(id);
                let tag = match edge.label {
                    Label::Tag(tag) => Some(tag),
                    Label::TagVar(var) => {
                        let value = self.read(&cells, super::Space::State, self.offsets[var]);
                        Some(Symbol::from_index(value as usize))
                    }
                    _ => None,
                };
                let is_next = tag.is_none() || tags.get(count) == tag.as_ref();
                let nexts = if is_next { search.successors(&cells, edge.label)? } else { Vec::new() };
                let count = count + usize::from(tag.is_some());
                for cells in nexts {
                    if self.game.ends_move(&edge.label) {
                        if count == tags.len() {
                            return Ok(Some(edges(&points, at - 1, id)));
                        }
                        continue;
                    }
                    points.push(Point { before: Some((at - 1, id)), node: edge.target, tags: count, cells });
                }
            }
        }
        Ok(None)
    }
}

/// The edges from the beginning to a point, and one more.
fn edges(points: &[Point], mut at: usize, last: EdgeId) -> Vec<EdgeId> {
    let mut edges = vec![last];
    while let Some((before, edge)) = points.get(at).and_then(|point| point.before) {
        edges.push(edge);
        at = before;
    }
    edges.reverse();
    edges
}
