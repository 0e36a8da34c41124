//! Drawings of the automaton for a page without a server: one with all regions folded, and one for each region in which it and those around it are open.

use crate::api::Failure;
use crate::api::games::Version;
use crate::api::graph::{MANY, places};
use rg_ir::drawing::View;
use rg_ir::regions::{Folding, Regions};
use rg_ir::{Game, NodeId, cancel};
use serde::Serialize;

/// Bytes of all drawings at most; regions for which there is no room stay folded.
const MAX_BYTES: usize = 4_000_000;

/// The automaton as it was translated.
#[derive(Serialize)]
pub(super) struct Drawings {
    nodes: usize,
    edges: usize,
    /// The arrow heads that all of them use.
    heads: String,
    drawings: Vec<Drawing>,
    /// Places in the text: a node, and where what happens there is written, in UTF-16 units.
    places: Vec<(String, u32, u32)>,
    /// Regions that cannot be opened.
    missing: usize,
}

#[derive(Serialize)]
struct Drawing {
    /// The region that is open, by its first node; nothing where none is, or all are.
    open: Option<String>,
    /// The region in which it lies.
    around: Option<String>,
    svg: String,
}

/// The drawings of a game.
///
/// # Errors
/// `large`: even the first one is too large.
pub(super) fn drawings(version: &Version) -> Result<Drawings, Failure> {
    let game = &version.game;
    let regions = Regions::of(game);
    let is_whole = game.automaton.node_count() <= MANY || regions.list().is_empty();
    let folding = if is_whole { Folding::new(&regions, []) } else { Folding::all_but(&regions, None) };
    let svg = draw(game, &folding).map_err(|error| Failure::new("large", error))?;
    let mut left = MAX_BYTES.saturating_sub(svg.len());
    let mut drawings = vec![Drawing { open: None, around: None, svg }];
    let mut missing = 0;
    for (at, region) in regions.list().iter().enumerate().filter(|_| !is_whole) {
        cancel::check();
        let drawn = draw(game, &Folding::all_but(&regions, Some(at))).ok().filter(|svg| svg.len() <= left);
        let Some(svg) = drawn else {
            missing += 1;
            continue;
        };
        left -= svg.len();
        let name = |node: NodeId| game.node_name(node).to_owned();
        let around = region.parent.and_then(|parent| regions.list().get(parent)).map(|around| name(around.entry));
        drawings.push(Drawing { open: Some(name(region.entry)), around, svg });
    }
    Ok(Drawings {
        nodes: game.automaton.node_count(),
        edges: game.automaton.edge_count(),
        heads: rg_ir::svg::arrow_heads(),
        drawings,
        places: places(version, game),
        missing,
    })
}

fn draw(game: &Game, folding: &Folding<'_>) -> Result<String, String> {
    let view = View { folding: Some(folding), embedded: true, named: true, ..View::default() };
    rg_ir::svg::svg_with(game, &view).map_err(|error| error.to_string())
}
