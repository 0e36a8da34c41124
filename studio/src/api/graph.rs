//! Drawings of the automaton.

use super::Failure;
use super::games::{self, Version};
use crate::session::{Reply, Session, spawn};
use kit::runner::place_of;
use passes::analysis;
use rg_ir::drawing::View;
use rg_ir::regions::{Folding, Regions};
use rg_ir::{Game, NodeId, Span};
use serde::{Deserialize, Serialize};

/// Beyond so many nodes, regions are folded at first.
pub(crate) const MANY: usize = 300;

/// Labels that can be searched, at most.
const LABELS: usize = 20_000;

/// What is drawn.
#[derive(Deserialize)]
pub(crate) struct Drawing {
    #[serde(flatten)]
    about: games::About,
    level: u8,
    /// The open regions, by their first nodes; without a list, all are open unless there are many nodes.
    open: Option<Vec<String>>,
    /// The analysis whose results are notes.
    analysis: Option<String>,
    /// A node that is to be seen: the regions around it are open.
    reveal: Option<String>,
}

/// A drawing, and what belongs to its parts.
#[derive(Serialize)]
pub(crate) struct Drawn {
    version: u32,
    svg: String,
    /// The arrow heads that it uses.
    heads: String,
    nodes: usize,
    edges: usize,
    regions: Vec<Shown>,
    /// Places in the text: a node, and where what happens there is written, in UTF-16 units.
    places: Vec<(String, u32, u32)>,
    /// All nodes with the box that stands for each.
    boxes: Vec<(String, String)>,
    analyses: Vec<(&'static str, &'static str)>,
    /// What happens at nodes, to be searched: a node, and the label of one of its edges; each pair once, and not more than [`LABELS`].
    labels: Vec<(String, String)>,
    /// Where edges that are seen are written: the boxes at their ends, their label, and the place in UTF-16 units.
    arrows: Vec<(String, String, String, u32, u32)>,
}

/// A region.
#[derive(Serialize)]
struct Shown {
    name: String,
    nodes: usize,
    depth: usize,
    open: bool,
}

/// Draws the automaton of the last version of a game without errors.
pub(crate) fn draw(session: &mut Session, drawing: Drawing, reply: Reply) {
    match games::good(session, drawing.about) {
        Ok(version) => spawn(session, "drawing", reply, move || drawn(&version, &drawing)),
        Err(failure) => reply.send(Err::<(), _>(failure)),
    }
}

fn drawn(version: &Version, drawing: &Drawing) -> Result<Drawn, Failure> {
    let game = version.at_level(drawing.level)?;
    let regions = Regions::of(&game);
    let is_open = open(&game, &regions, drawing);
    let folded = (0..regions.list().len()).filter(|&at| is_open.get(at) == Some(&false));
    let folding = Folding::new(&regions, folded);
    let describe = drawing.analysis.as_deref().and_then(analysis::find).map(|analysis| (analysis.solve)(&game));
    let note = |node: NodeId| describe.as_ref().map(|describe| describe(node)).unwrap_or_default();
    let view = View { note: &note, folding: Some(&folding), embedded: true, named: true, ..View::default() };
    let svg = rg_ir::svg::svg_with(&game, &view).map_err(|error| Failure::new("large", error.to_string()))?;
    let shown = regions.list().iter().zip(&is_open).map(|(region, &open)| Shown {
        name: game.node_name(region.entry).to_owned(),
        nodes: region.nodes,
        depth: region.depth,
        open,
    });
    let name = |node: NodeId| game.node_name(node).to_owned();
    Ok(Drawn {
        version: version.number,
        svg,
        heads: rg_ir::svg::arrow_heads(),
        nodes: game.automaton.node_count(),
        edges: game.automaton.edge_count(),
        regions: shown.collect(),
        places: places(version, &game),
        labels: labels(&game),
        arrows: arrows(version, &game, &folding),
        boxes: game.automaton.nodes().map(|node| (name(node), name(folding.shown(node)))).collect(),
        analyses: analysis::registry().iter().map(|analysis| (analysis.name, analysis.summary)).collect(),
    })
}

/// What happens at nodes, in the order of the edges.
fn labels(game: &Game) -> Vec<(String, String)> {
    let edges = game.automaton.edges().take(LABELS);
    let mut labels: Vec<_> = edges
        .map(|(_, edge)| (game.node_name(edge.source).to_owned(), rg_ir::text::print_label(game, &edge.label)))
        .filter(|(_, label)| !label.is_empty())
        .collect();
    labels.dedup();
    labels
}

/// The edges that have a place in the text, without those inside of folded regions.
fn arrows(version: &Version, game: &Game, folding: &Folding<'_>) -> Vec<(String, String, String, u32, u32)> {
    let units = version.units();
    let unit = |at: u32| units.get(at as usize).copied().unwrap_or(0);
    let name = |node: NodeId| game.node_name(node).to_owned();
    let edges = game.automaton.edges().map(|(_, edge)| edge).filter(|edge| edge.span.is_some());
    let seen = edges.filter_map(|edge| {
        let (from, to) = (folding.shown(edge.source), folding.shown(edge.target));
        let is_inside = from == to && (from != edge.source || to != edge.target);
        let label = || rg_ir::text::print_label(game, &edge.label);
        (!is_inside).then(|| (name(from), name(to), label(), unit(edge.span.start), unit(edge.span.end)))
    });
    seen.take(LABELS).collect()
}

/// Per region whether it is open.
fn open(game: &Game, regions: &Regions, drawing: &Drawing) -> Vec<bool> {
    let node = |name: &str| game.find_node(game.symbols.get(name)?);
    let mut is_open = match &drawing.open {
        None => vec![game.automaton.node_count() <= MANY; regions.list().len()],
        Some(_) => vec![false; regions.list().len()],
    };
    let named = drawing.open.iter().flatten().filter_map(|name| regions.entered(node(name)?));
    let revealed = drawing.reveal.as_deref().and_then(|name| regions.around(node(name)?));
    for region in named.chain(revealed) {
        // What is inside of a folded region cannot be seen.
        for around in regions.chain(region) {
            is_open.get_mut(around).into_iter().for_each(|open| *open = true);
        }
    }
    is_open
}

/// Where what happens at nodes is written: the places of their edges, and else their own.
pub(crate) fn places(version: &Version, game: &Game) -> Vec<(String, u32, u32)> {
    let mut places: Vec<(NodeId, Span)> = Vec::new();
    for node in game.automaton.nodes() {
        let before = places.len();
        let edges = game.automaton.outgoing(node).iter().map(|&id| game.automaton.edge(id).span);
        places.extend(edges.filter(|span| span.is_some()).map(|span| (node, span)));
        if places.len() == before {
            let span = place_of(game, node);
            places.extend(span.is_some().then_some((node, span)));
        }
    }
    let units = version.units();
    let unit = |at: u32| units.get(at as usize).copied().unwrap_or(0);
    let named = |(node, span): (NodeId, Span)| (game.node_name(node).to_owned(), unit(span.start), unit(span.end));
    places.into_iter().map(named).collect()
}
