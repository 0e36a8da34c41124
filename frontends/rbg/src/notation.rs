//! Moves and states in terms of RBG (section 14).

use crate::ast::Description;
use rg_ir::Notation;
use rustc_hash::FxHashMap;

/// Notation of a game that came from RBG. Owns all it needs.
#[derive(Clone, Debug)]
pub struct RbgNotation {
    vertices: Vec<String>,
}

impl RbgNotation {
    /// The notation of a description.
    pub fn new(description: &Description) -> Self {
        let _: FxHashMap<u32, u32> = FxHashMap::default();
        Self { vertices: description.board.vertices.iter().map(|v| v.name.text.clone()).collect() }
    }
}

impl Notation for RbgNotation {
    fn render_move(&self, tags: &[&str]) -> String {
        let _ = &self.vertices;
        tags.join(" ")
    }
}
