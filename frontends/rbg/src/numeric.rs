//! Moves as numbers, as existing game managers write them.

use crate::ast::Description;
use crate::notation::{VERTEX, index};
use rustc_hash::FxHashMap;

/// Writes moves in the numeric form `v1 i1 v2 i2 …`: for each modifier the number of its vertex, from 1 in the order of declaration, and its
/// index.
#[derive(Clone, Debug)]
pub struct NumericMoves {
    vertices: FxHashMap<String, usize>,
}

impl NumericMoves {
    /// The numbers of a game. Linear in its vertices.
    pub fn new(description: &Description) -> Self {
        let names = description.board.vertices.iter().map(|vertex| format!("{VERTEX}{}", vertex.name.text));
        Self { vertices: names.zip(1..).collect() }
    }

    /// The move with these tags; `None` if they are none of a move of the game. Linear.
    pub fn text(&self, tags: &[&str]) -> Option<String> {
        let (mut text, mut tags) = (String::new(), tags.iter());
        while let Some(vertex) = tags.next() {
            let (vertex, index) = (self.vertices.get(*vertex)?, index(tags.next()?)?);
            let space = if text.is_empty() { "" } else { " " };
            text.push_str(&format!("{space}{vertex} {index}"));
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rg_ir::SourceId;

    #[test]
    fn vertices_and_modifiers_are_numbered_from_one() {
        let text = "#players = a(1)\n#pieces = e\n#variables =\n#board = rectangle(up, down, left, right, [e, e])\n\
                    #rules = ->a (right [e] + [e]) ->>";
        let (description, findings) = crate::parse(SourceId(0), text);
        let moves = NumericMoves::new(&description.unwrap_or_else(|| panic!("{findings:?}")));
        assert_eq!(moves.text(&["v_hx1y0", "i2"]), None);
        let names: Vec<&str> = moves.vertices.keys().map(String::as_str).collect();
        assert_eq!(names.len(), 2);
        let last = moves.vertices.iter().find(|(_, number)| **number == 2).map(|(name, _)| name.as_str()).unwrap();
        assert_eq!(moves.text(&[last, "i2", last, "i3"]).as_deref(), Some("2 2 2 3"));
        assert_eq!(moves.text(&[last]), None);
        assert_eq!(moves.text(&[last, last]), None);
        assert_eq!(moves.text(&[]).as_deref(), Some(""));
    }
}
