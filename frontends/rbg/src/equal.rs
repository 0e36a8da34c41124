//! Equality of descriptions up to the places they were read from.

use crate::ast::{Bounded, Description, Name};

impl Description {
    /// Whether the two say the same, wherever it is written. Linear.
    pub fn same(&self, other: &Description) -> bool {
        names(&self.pieces, &other.pieces)
            && bounded(&self.players, &other.players)
            && bounded(&self.variables, &other.variables)
            && self.board.layout == other.board.layout
            && names(&self.board.labels, &other.board.labels)
            && alike(&self.board.vertices, &other.board.vertices, |a, b| {
                a.name.text == b.name.text && a.piece == b.piece && a.edges == b.edges
            })
            && self.rules.root == other.rules.root
            && alike(&self.rules.nodes, &other.rules.nodes, |(a, _), (b, _)| a == b)
            && alike(&self.rules.arith, &other.rules.arith, |(a, _), (b, _)| a == b)
    }
}

fn alike<T>(a: &[T], b: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

fn names(a: &[Name], b: &[Name]) -> bool {
    alike(a, b, |a, b| a.text == b.text)
}

fn bounded(a: &[Bounded], b: &[Bounded]) -> bool {
    alike(a, b, |a, b| a.name.text == b.name.text && a.bound == b.bound)
}
