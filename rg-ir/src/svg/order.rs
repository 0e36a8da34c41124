//! The order in each layer: barycentre sweeps, keeping the best order found.

use super::layers::Layout;

/// Number of sweeps, alternately down and up.
const SWEEPS: usize = 16;

/// Sorts every layer so that few arrows cross. O(places · log) per sweep.
pub(super) fn reduce_crossings(layout: &mut Layout) {
    let mut position = vec![0usize; layout.items.len()];
    for layer in &layout.layers {
        number(layer, &mut position);
    }
    let mut best = layout.layers.clone();
    let mut fewest = crossings(layout, &position);
    for sweep in 0..SWEEPS {
        if fewest == 0 {
            break;
        }
        let down = sweep % 2 == 0;
        let count = layout.layers.len();
        for i in 0..count {
            let i = if down { i } else { count - 1 - i };
            let Some(layer) = layout.layers.get_mut(i) else { continue };
            let neighbours = if down { &layout.above } else { &layout.below };
            let mut keyed: Vec<(f64, usize)> =
                layer.iter().map(|&item| (barycentre(neighbours, &position, item), item)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            *layer = keyed.into_iter().map(|(_, item)| item).collect();
            number(layer, &mut position);
        }
        let now = crossings(layout, &position);
        if now < fewest {
            fewest = now;
            best.clone_from(&layout.layers);
        }
    }
    layout.layers = best;
}

fn number(layer: &[usize], position: &mut [usize]) {
    for (i, &item) in layer.iter().enumerate() {
        if let Some(slot) = position.get_mut(item) {
            *slot = i;
        }
    }
}

/// The mean position of the neighbours; an item without any keeps its place.
fn barycentre(neighbours: &[Vec<usize>], position: &[usize], item: usize) -> f64 {
    let at = |item: usize| position.get(item).map_or(0.0, |&p| real(p));
    match neighbours.get(item).filter(|list| !list.is_empty()) {
        Some(list) => list.iter().map(|&other| at(other)).sum::<f64>() / real(list.len()),
        None => at(item),
    }
}

/// A small number as a real one.
pub(super) fn real(n: usize) -> f64 {
    u32::try_from(n).map_or(f64::MAX, f64::from)
}

/// Number of crossings between neighbouring layers.
fn crossings(layout: &Layout, position: &[usize]) -> u64 {
    let at = |item: usize| position.get(item).copied().unwrap_or(0);
    let mut total = 0;
    for pair in layout.layers.windows(2) {
        let [upper, lower] = pair else { continue };
        let mut ends: Vec<usize> = Vec::new();
        for &item in upper {
            let start = ends.len();
            ends.extend(layout.below.get(item).into_iter().flatten().map(|&other| at(other)));
            ends.get_mut(start..).unwrap_or(&mut []).sort_unstable();
        }
        total += inversions(&ends, lower.len());
    }
    total
}

/// Number of pairs in the wrong order, with a Fenwick tree. O(n log m).
fn inversions(values: &[usize], bound: usize) -> u64 {
    let mut tree = vec![0u64; bound + 1];
    let mut total = 0;
    for (seen, &value) in (0u64..).zip(values) {
        // How many earlier values are at most this one.
        let mut i = value + 1;
        let mut not_greater = 0;
        while let Some(slot) = tree.get(i).filter(|_| i > 0) {
            not_greater += slot;
            i &= i - 1;
        }
        total += seen - not_greater;
        let mut i = value + 1;
        while let Some(slot) = tree.get_mut(i) {
            *slot += 1;
            i += i & i.wrapping_neg();
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::inversions;

    #[test]
    fn inversions_are_counted() {
        assert_eq!(inversions(&[0, 1, 2], 3), 0);
        assert_eq!(inversions(&[2, 1, 0], 3), 3);
        assert_eq!(inversions(&[1, 1, 0, 3, 2], 4), 3);
    }
}
