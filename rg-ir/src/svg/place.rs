//! Coordinates. In every layer items want to be where their neighbours are; the nearest positions that keep order and
//! distances are found exactly, by pooling those that would collide.

use super::layers::Layout;
use super::order::real;
use super::size;

/// Number of sweeps, alternately down and up.
const SWEEPS: usize = 14;
/// How much more an arrow's place resists being moved than a node: long arrows become straight.
const STRAIGHT: f64 = 6.0;

/// Arrows that go far sideways get more room: at least a unit downwards for so many sideways.
const FLATTEST: f64 = 16.0;
/// But no more than this.
const MORE: f64 = 40.0;

/// Where everything is.
pub(super) struct Placed {
    /// The x coordinate of the port of every item.
    pub(super) x: Vec<f64>,
    /// Top and bottom of every layer.
    pub(super) layers: Vec<(f64, f64)>,
    /// The layer of every item.
    pub(super) layer_of: Vec<usize>,
    /// Size of the whole.
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Finds coordinates. O(places) per sweep.
pub(super) fn place(layout: &Layout) -> Placed {
    let mut x = vec![0.0; layout.items.len()];
    for layer in &layout.layers {
        settle(layout, layer, &vec![None; layer.len()], &mut x);
    }
    for sweep in 0..SWEEPS {
        let down = sweep % 2 == 0;
        let count = layout.layers.len();
        for i in 0..count {
            let Some(layer) = layout.layers.get(if down { i } else { count - 1 - i }) else { continue };
            let wanted: Vec<Option<f64>> = layer.iter().map(|&item| mean(layout, &x, item, down)).collect();
            settle(layout, layer, &wanted, &mut x);
        }
    }
    finish(layout, x)
}

/// The mean position of the neighbours on one side, or on the other if there are none.
fn mean(layout: &Layout, x: &[f64], item: usize, down: bool) -> Option<f64> {
    let (first, second) = if down { (&layout.above, &layout.below) } else { (&layout.below, &layout.above) };
    let full = |table: &'_ [Vec<usize>]| table.get(item).is_some_and(|list| !list.is_empty());
    let list = if full(first) { first.get(item)? } else { second.get(item)? };
    let sum: f64 = list.iter().filter_map(|&other| x.get(other)).sum();
    (!list.is_empty()).then(|| sum / real(list.len()))
}

/// Moves the items of a layer as near as possible to where they want to be (least weighted squares), keeping order and
/// distances. An item without a wish stays where it is, if nobody else minds.
fn settle(layout: &Layout, layer: &[usize], wanted: &[Option<f64>], x: &mut [f64]) {
    struct Block {
        weight: f64,
        sum: f64,
        size: usize,
    }
    let mut blocks: Vec<Block> = Vec::new();
    let mut offsets = Vec::with_capacity(layer.len());
    let mut offset = 0.0;
    let mut last: Option<usize> = None;
    for (&item, wish) in layer.iter().zip(wanted) {
        offset += last.map_or(0.0, |last| distance(layout, last, item));
        last = Some(item);
        offsets.push(offset);
        let is_way = layout.items.get(item).is_some_and(|item| item.is_way);
        let weight = match wish {
            None => 1e-3,
            Some(_) if is_way => STRAIGHT,
            Some(_) => 1.0,
        };
        let target = wish.or(x.get(item).copied()).unwrap_or(0.0) - offset;
        let mut block = Block { weight, sum: weight * target, size: 1 };
        while let Some(before) = blocks.pop() {
            if before.sum / before.weight <= block.sum / block.weight {
                blocks.push(before);
                break;
            }
            block.weight += before.weight;
            block.sum += before.sum;
            block.size += before.size;
        }
        blocks.push(block);
    }
    let positions = blocks.iter().flat_map(|b| std::iter::repeat_n(b.sum / b.weight, b.size));
    for ((&item, offset), position) in layer.iter().zip(offsets).zip(positions) {
        if let Some(slot) = x.get_mut(item) {
            *slot = position + offset;
        }
    }
}

/// Least distance of the ports of two neighbours.
fn distance(layout: &Layout, left: usize, right: usize) -> f64 {
    let (Some(left), Some(right)) = (layout.items.get(left), layout.items.get(right)) else { return 0.0 };
    let gap = if left.is_way && right.is_way { size::GAP / 2.0 } else { size::GAP };
    left.width - left.port + gap + right.port
}

/// How far sideways an arrow goes at most between a layer and the next one.
fn slope(layout: &Layout, x: &[f64], layer: &[usize]) -> f64 {
    let at = |item: usize| x.get(item).copied().unwrap_or(0.0);
    let below = layer.iter().flat_map(|&item| layout.below.get(item).into_iter().flatten().map(move |&b| (item, b)));
    below.map(|(item, other)| (at(item) - at(other)).abs()).fold(0.0, f64::max)
}

/// Moves everything to positive coordinates and stacks the layers.
fn finish(layout: &Layout, mut x: Vec<f64>) -> Placed {
    let extent = |x: &[f64]| {
        let sides = layout.items.iter().zip(x).map(|(item, &x)| (x - item.port, x - item.port + item.width));
        sides.fold((f64::MAX, f64::MIN), |(low, high), (left, right)| (low.min(left), high.max(right)))
    };
    let (low, high) = if x.is_empty() { (0.0, 0.0) } else { extent(&x) };
    for x in &mut x {
        *x += size::LAYER - low;
    }
    let mut layer_of = vec![0; layout.items.len()];
    let mut layers = Vec::with_capacity(layout.layers.len());
    let mut y = size::LAYER;
    for (number, layer) in layout.layers.iter().enumerate() {
        let heights = layer.iter().filter_map(|&item| layout.items.get(item)).map(|item| item.height);
        let height = heights.fold(0.0, f64::max);
        layers.push((y, y + height));
        if !layer.is_empty() {
            y += height + size::LAYER + (slope(layout, &x, layer) / FLATTEST).min(MORE);
        }
        for &item in layer {
            if let Some(slot) = layer_of.get_mut(item) {
                *slot = number;
            }
        }
    }
    Placed { x, layers, layer_of, width: high - low + 2.0 * size::LAYER, height: y }
}
