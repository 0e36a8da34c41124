//! How moves are translated between a game and one from which tags were dropped.

use rg_ir::{EdgeId, Game, Label};
use rustc_hash::FxHashSet;

/// A game as it was before tags were dropped, with a mark before each tag that was.
///
/// Its moves are in one-to-one correspondence with the moves of the game before and of the game after, in every state that
/// plays with corresponding moves lead to. So whoever runs the game after and speaks to people who know the game before
/// plays this one in lock step: the labels of its legal moves give both ways of writing them.
#[derive(Clone, Debug)]
pub struct Marked {
    /// The game.
    pub game: Game,
    /// The tag that stands before each dropped one, and nowhere else.
    pub marker: String,
}

impl Marked {
    /// Marks the tags of these edges. Every other edge keeps its id. O(edges marked + symbols).
    pub(crate) fn new(mut game: Game, dropped: &FxHashSet<EdgeId>) -> Self {
        crate::facts::drop_claims(&mut game);
        let marker = game.fresh_name("dropped");
        let mut ids: Vec<EdgeId> = dropped.iter().copied().collect();
        ids.sort_unstable();
        for id in ids {
            let Some(edge) = game.automaton.remove_edge(id) else { continue };
            let stem = format!("{}_dropped", game.node_name(edge.source));
            let middle = game.fresh_node(&stem, edge.span);
            game.automaton.add_edge(edge.source, middle, Label::Tag(marker), edge.span);
            game.automaton.add_edge(middle, edge.target, edge.label, edge.span);
        }
        let marker = game.name(marker).to_owned();
        Self { game, marker }
    }

    /// A label of the marked game as the game before writes it: without the marks.
    pub fn before<'a>(&self, tags: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
        tags.into_iter().filter(|tag| *tag != self.marker).collect()
    }

    /// A label of the marked game as the game after writes it: without the marks and the tags that they stand before.
    pub fn after<'a>(&self, tags: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
        let mut marked = false;
        let kept = tags.into_iter().filter(|tag| {
            let follows = marked;
            marked = *tag == self.marker;
            !follows && !marked
        });
        kept.collect()
    }
}
