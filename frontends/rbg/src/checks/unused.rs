//! Check 17: what is there for nothing.

use rg_ir::{Diagnostic, Span};

use super::Sink;
use super::graph::Adjacency;
use crate::ast::{Arith, Cell, Description, Name, Rule};
use crate::codes;

/// Remarks on unused declarations, tests that always hold, and unreachable vertices. Linear.
pub(super) fn check(description: &Description, sink: &mut Sink<'_>) {
    let mut pieces = vec![false; description.pieces.len()];
    let mut variables = vec![false; description.variables.len()];
    let mut labels = vec![false; description.board.labels.len()];
    for vertex in &description.board.vertices {
        mark(&mut pieces, vertex.piece);
    }
    for (arith, _) in &description.rules.arith {
        match arith {
            Arith::Count(piece) => mark(&mut pieces, *piece),
            Arith::Cell(Cell::Variable(variable)) => mark(&mut variables, *variable),
            Arith::Number(_) | Arith::Cell(Cell::Score(_)) | Arith::Binary(..) => {}
        }
    }
    for (rule, origin) in &description.rules.nodes {
        match rule {
            Rule::On(set) => {
                if set.len() == description.pieces.len() {
                    let message = "this lists all pieces and always holds";
                    sink.push(*origin, Diagnostic::lint(codes::FULL_ON, origin.span, message));
                }
                for &piece in set {
                    mark(&mut pieces, piece);
                }
            }
            Rule::Off { piece, .. } => mark(&mut pieces, *piece),
            Rule::Assign { target: Cell::Variable(variable), .. } => mark(&mut variables, *variable),
            Rule::Shift(label) => mark(&mut labels, *label),
            _ => {}
        }
    }
    // What macros expand to cannot be removed by itself, nor can a label of a board that is written with a generator.
    let entry = |name: &Name| if name.origin.expansion.is_none() { name.origin.span } else { Span::NONE };
    report(description.pieces.iter().map(|piece| (piece, entry(piece))), &pieces, "piece", sink);
    report(description.variables.iter().map(|variable| (&variable.name, variable.entry)), &variables, "variable", sink);
    report(description.board.labels.iter().map(|label| (label, Span::NONE)), &labels, "edge label", sink);
    vertices(description, sink);
}

fn mark(used: &mut [bool], index: u32) {
    if let Some(slot) = used.get_mut(index as usize) {
        *slot = true;
    }
}

/// Reports the names that are not used; with each comes what is to be removed with it.
fn report<'a>(names: impl Iterator<Item = (&'a Name, Span)>, used: &[bool], kind: &str, sink: &mut Sink<'_>) {
    for ((name, entry), _) in names.zip(used).filter(|&(_, &used)| !used) {
        let called = format!("{kind} `{}`", name.text);
        let found = Diagnostic::lint(codes::UNUSED, name.origin.span, format!("{called} is never used"));
        sink.push(name.origin, found.removing(called, [entry]));
    }
}

fn vertices(description: &Description, sink: &mut Sink<'_>) {
    let list = &description.board.vertices;
    let edges = (0u32..).zip(list).flat_map(|(from, v)| v.edges.iter().map(move |&(_, to)| (from, to)));
    let reachable = Adjacency::new(list.len(), edges).reachable([0]);
    let mut lost = list.iter().zip(&reachable).filter(|&(_, &seen)| !seen).map(|(vertex, _)| vertex);
    let Some(first) = lost.next() else { return };
    let message = match lost.count() {
        0 => format!("vertex `{}` cannot be reached from the first vertex", first.name.text),
        more => format!("vertex `{}` and {more} more cannot be reached from the first vertex", first.name.text),
    };
    let origin = first.name.origin;
    sink.push(origin, Diagnostic::lint(codes::UNREACHABLE_VERTEX, origin.span, message));
}
