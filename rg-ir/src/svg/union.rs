//! Two graphs as one, with what they do not share marked.

use super::{Arrow, Change, Graph, Line, Vertex};
use rustc_hash::FxHashMap;

/// What both graphs have, what only the first has (removed), and what only the second has (added). Near-linear.
pub(super) fn union(before: Graph, after: Graph) -> Graph {
    let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
    let mut vertices: Vec<Vertex> = Vec::new();
    let keys = |graph: &Graph| graph.vertices.iter().map(|vertex| vertex.key.clone()).collect::<Vec<_>>();
    let (old_keys, new_keys) = (keys(&before), keys(&after));
    for vertex in before.vertices {
        numbers.insert(vertex.key.clone(), vertices.len());
        vertices.push(Vertex { change: Change::Removed, ..vertex });
    }
    for vertex in after.vertices {
        let known = numbers.get(&vertex.key).and_then(|&at| vertices.get_mut(at));
        match known {
            Some(known) => {
                known.change = Change::Kept;
                let own = (known.own.take().unwrap_or_default(), vertex.own.unwrap_or_default());
                known.own = Some(lines(own.0, own.1)).filter(|lines| !lines.is_empty());
            }
            None => {
                numbers.insert(vertex.key.clone(), vertices.len());
                vertices.push(Vertex { change: Change::Added, ..vertex });
            }
        }
    }
    let place = |keys: &[String], vertex: usize| keys.get(vertex).and_then(|key| numbers.get(key)).copied();
    let mut arrows: Vec<Arrow> = Vec::new();
    let mut ends: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    for arrow in before.arrows {
        let (Some(source), Some(target)) = (place(&old_keys, arrow.source), place(&old_keys, arrow.target)) else {
            continue;
        };
        ends.insert((source, target), arrows.len());
        let lines = changed(arrow.lines, Change::Removed);
        arrows.push(Arrow { source, target, lines, change: Change::Removed, ..arrow });
    }
    for arrow in after.arrows {
        let (Some(source), Some(target)) = (place(&new_keys, arrow.source), place(&new_keys, arrow.target)) else {
            continue;
        };
        match ends.get(&(source, target)).and_then(|&at| arrows.get_mut(at)) {
            Some(known) => {
                known.change = Change::Kept;
                let old = changed(std::mem::take(&mut known.lines), Change::Kept);
                known.lines = self::lines(old, arrow.lines);
                known.kind = arrow.kind;
                known.title = arrow.title;
            }
            None => {
                let lines = changed(arrow.lines, Change::Added);
                arrows.push(Arrow { source, target, lines, change: Change::Added, ..arrow });
            }
        }
    }
    Graph { vertices, arrows }
}

fn changed(lines: Vec<Line>, change: Change) -> Vec<Line> {
    lines.into_iter().map(|line| Line { change, ..line }).collect()
}

/// The lines of a label, before and after.
fn lines(before: Vec<Line>, after: Vec<Line>) -> Vec<Line> {
    let has = |lines: &[Line], text: &str| lines.iter().any(|line| line.text == text);
    let (mut removed, mut kept) = (Vec::new(), Vec::new());
    for line in before {
        match has(&after, &line.text) {
            true => kept.push(line),
            false => removed.push(Line { change: Change::Removed, ..line }),
        }
    }
    let added: Vec<Line> = after.into_iter().filter(|line| !has(&kept, &line.text)).collect();
    removed.into_iter().chain(kept).chain(changed(added, Change::Added)).collect()
}
