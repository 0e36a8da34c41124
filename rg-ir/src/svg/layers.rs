//! From a graph to layers: cycles broken, longest paths, places for long arrows and labels.

use super::{Graph, size, width};

/// Most places for arrows in layers; what is longer goes around the drawing.
const MAX_PLACES: usize = 60_000;

/// What takes up room in a layer.
pub(super) struct Item {
    /// Width, for a line 0.
    pub(super) width: f64,
    /// Height.
    pub(super) height: f64,
    /// Where the arrows meet the item, from its left side.
    pub(super) port: f64,
    /// Whether this is a place of an arrow (`true`) or a node.
    pub(super) is_way: bool,
}

/// How an arrow goes.
pub(super) enum Way {
    /// Through these items, from the upper node to the lower one (both included).
    Through {
        /// The items.
        items: Vec<usize>,
        /// Whether the arrow points upwards.
        up: bool,
        /// Position in `items` of the one with the label.
        label: usize,
    },
    /// Around the drawing.
    Around,
}

/// Items in layers. The first items are the nodes.
pub(super) struct Layout {
    pub(super) items: Vec<Item>,
    /// Items of each layer, from left to right.
    pub(super) layers: Vec<Vec<usize>>,
    /// For every item, the items above it that it is connected with.
    pub(super) above: Vec<Vec<usize>>,
    /// For every item, the items below it.
    pub(super) below: Vec<Vec<usize>>,
    /// The way of every arrow.
    pub(super) ways: Vec<Way>,
}

/// Assigns layers and places. Linear in the graph and the places.
pub(super) fn layout(graph: &Graph) -> Layout {
    let count = graph.vertices.len();
    let order = depth_first(graph);
    let position = inverse(&order, count);
    let at = |table: &[usize], i: usize| table.get(i).copied().unwrap_or(0);
    // Along the search order no arrow closes a cycle.
    let ends: Vec<(usize, usize, bool)> = graph
        .arrows
        .iter()
        .map(|a| match at(&position, a.source) < at(&position, a.target) {
            true => (a.source, a.target, false),
            false => (a.target, a.source, true),
        })
        .collect();
    let layer = longest_paths(&order, &ends, count);
    let mut layout = Layout {
        items: graph.vertices.iter().map(vertex_item).collect(),
        layers: vec![Vec::new(); 2 * layer.iter().max().map_or(0, |m| m + 1)],
        above: vec![Vec::new(); count],
        below: vec![Vec::new(); count],
        ways: Vec::with_capacity(ends.len()),
    };
    for &vertex in &order {
        if let Some(layer) = layout.layers.get_mut(2 * at(&layer, vertex)) {
            layer.push(vertex);
        }
    }
    let mut by_length: Vec<usize> = (0..ends.len()).collect();
    let length = |i: usize| ends.get(i).map_or(0, |&(upper, lower, _)| at(&layer, lower) - at(&layer, upper));
    by_length.sort_by_key(|&i| length(i));
    let mut left = MAX_PLACES;
    let mut has_places = vec![false; ends.len()];
    for i in by_length {
        let Some(rest) = left.checked_sub(2 * length(i)) else { break };
        left = rest;
        if let Some(slot) = has_places.get_mut(i) {
            *slot = true;
        }
    }
    for (i, &(upper, lower, up)) in ends.iter().enumerate() {
        let way = match (has_places.get(i), graph.arrows.get(i)) {
            (Some(true), Some(arrow)) => {
                let label_size = if arrow.lines.is_empty() {
                    (0.0, 0.0)
                } else {
                    (width(&arrow.lines) + size::PAD, lines_height(arrow.lines.len()))
                };
                layout.add_way(upper, lower, 2 * at(&layer, upper)..2 * at(&layer, lower), up, label_size)
            }
            _ => Way::Around,
        };
        layout.ways.push(way);
    }
    layout
}

/// Height of a label.
pub(super) fn lines_height(lines: usize) -> f64 {
    u16::try_from(lines).map_or(0.0, f64::from) * size::LINE
}

fn vertex_item(vertex: &super::Vertex) -> Item {
    Item { width: vertex.full_width(), height: vertex.height(), port: vertex.box_width() / 2.0, is_way: false }
}

impl Layout {
    /// Adds an item to every layer strictly between two nodes' layers, and connects them.
    fn add_way(
        &mut self,
        upper: usize,
        lower: usize,
        span: std::ops::Range<usize>,
        up: bool,
        (width, height): (f64, f64),
    ) -> Way {
        let mut items = vec![upper];
        // The label stands near the node the arrow comes from.
        let label_layer = if up { span.end - 1 } else { span.start + 1 };
        let mut label = 1;
        for layer in span.start + 1..span.end {
            let item = self.items.len();
            let (width, height) = if layer == label_layer { (width, height) } else { (0.0, 0.0) };
            if layer == label_layer {
                label = items.len();
            }
            self.items.push(Item { width, height, port: width / 2.0, is_way: true });
            self.above.push(Vec::new());
            self.below.push(Vec::new());
            if let Some(layer) = self.layers.get_mut(layer) {
                layer.push(item);
            }
            items.push(item);
        }
        items.push(lower);
        for pair in items.windows(2) {
            let &[a, b] = pair else { continue };
            if let (Some(below), Some(above)) = (self.below.get_mut(a), self.above.get_mut(b)) {
                below.push(b);
                above.push(a);
            }
        }
        Way::Through { items, up, label }
    }
}

/// All vertices so that every arrow against the order closes a cycle (reverse postorder of a depth-first search that
/// starts at `begin`). No recursion.
fn depth_first(graph: &Graph) -> Vec<usize> {
    let count = graph.vertices.len();
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut entered = vec![false; count];
    for arrow in &graph.arrows {
        if let Some(list) = out.get_mut(arrow.source) {
            list.push(arrow.target);
        }
        if let Some(slot) = entered.get_mut(arrow.target) {
            *slot = true;
        }
    }
    let mut seen = vec![false; count];
    let mut postorder = Vec::with_capacity(count);
    let unentered = (0..count).filter(|&v| entered.get(v) == Some(&false));
    let roots: Vec<usize> = std::iter::once(0).filter(|_| count > 0).chain(unentered).chain(0..count).collect();
    for root in roots {
        let mut stack: Vec<(usize, usize)> = Vec::new();
        if !std::mem::replace(&mut seen[root], true) {
            stack.push((root, 0));
        }
        while let Some((vertex, next)) = stack.pop() {
            // The first arrow is followed last, so that it comes first in reverse.
            let list = out.get(vertex).map_or(&[][..], |list| list);
            match list.len().checked_sub(next + 1).and_then(|i| list.get(i)) {
                Some(&target) => {
                    stack.push((vertex, next + 1));
                    if !std::mem::replace(&mut seen[target], true) {
                        stack.push((target, 0));
                    }
                }
                None => postorder.push(vertex),
            }
        }
    }
    postorder.reverse();
    postorder
}

fn inverse(order: &[usize], count: usize) -> Vec<usize> {
    let mut position = vec![0; count];
    for (i, &vertex) in order.iter().enumerate() {
        if let Some(slot) = position.get_mut(vertex) {
            *slot = i;
        }
    }
    position
}

/// The layer of every vertex: as high as the arrows allow, but no higher than one above its uppermost successor for
/// vertices that nothing leads to.
fn longest_paths(order: &[usize], ends: &[(usize, usize, bool)], count: usize) -> Vec<usize> {
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut entered = vec![false; count];
    for &(upper, lower, _) in ends {
        if let (Some(list), Some(slot)) = (below.get_mut(upper), entered.get_mut(lower)) {
            list.push(lower);
            *slot = true;
        }
    }
    let mut layer = vec![0usize; count];
    for &vertex in order {
        let own = layer.get(vertex).copied().unwrap_or(0);
        for &next in below.get(vertex).into_iter().flatten() {
            if let Some(slot) = layer.get_mut(next) {
                *slot = (*slot).max(own + 1);
            }
        }
    }
    for &vertex in order.iter().filter(|&&v| v != 0 && entered.get(v) == Some(&false)) {
        let next = below.get(vertex).into_iter().flatten().filter_map(|&n| layer.get(n)).min().copied();
        if let (Some(next), Some(slot)) = (next, layer.get_mut(vertex)) {
            *slot = next.saturating_sub(1);
        }
    }
    layer
}
