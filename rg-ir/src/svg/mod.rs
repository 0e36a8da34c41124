//! The automaton as a picture, without any other program.
//!
//! A layered drawing in the manner of Sugiyama: cycles are broken (`layers`), nodes get layers by longest paths, long
//! arrows get a place in every layer they cross, `order` sorts each layer so that few arrows cross, `place` finds
//! coordinates, and `draw` writes them down. Labels are boxes in layers of their own, so nothing ever overlaps them.

mod draw;
mod layers;
mod order;
mod place;
mod union;

use crate::drawing::{Kind, View, arrows};
use crate::game::Game;
use crate::ids::NodeId;
use crate::show::Show;
use std::collections::BTreeMap;

/// Greatest number of nodes that is drawn.
pub const MAX_NODES: usize = 5_000;
/// Greatest number of pairs of nodes with arrows between them that is drawn.
pub const MAX_ARROWS: usize = 20_000;

/// Labels are broken before an operator if they have more characters than this.
const BREAK_LENGTH: usize = 24;
/// Lines are cut after so many characters.
const LABEL_LENGTH: usize = 48;
/// What shows when the reader points at an arrow is cut after about so many characters.
const TITLE_LENGTH: usize = 400;
/// Labels are cut after so many lines.
const LABEL_LINES: usize = 8;

/// The automaton is too large to be drawn in a way that helps anybody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// Number of nodes.
    pub nodes: usize,
    /// Number of pairs of nodes with arrows between them.
    pub arrows: usize,
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "the automaton is too large to draw: expected at most {MAX_NODES} nodes and {MAX_ARROWS} arrows, \
             found {} nodes and {} arrows",
            self.nodes, self.arrows
        )
    }
}

impl std::error::Error for TooLarge {}

/// The automaton as an SVG document: self-contained, deterministic, in time near-linear in its size.
///
/// All arrows from one node to another are drawn as one, with their labels as lines in the colours of what they do.
/// A dotted arrow leads from a reachability test to the start of the tested walk.
///
/// # Errors
/// [`TooLarge`].
pub fn svg(game: &Game) -> Result<String, TooLarge> {
    svg_with(game, &View::default())
}

/// As [`svg()`], with what a view adds: notes under names, links, folded regions as one box, and nodes of open regions
/// in a colour of the region.
///
/// # Errors
/// [`TooLarge`], where only nodes and arrows count that are drawn.
pub fn svg_with(game: &Game, view: &View<'_>) -> Result<String, TooLarge> {
    let nodes = game.automaton.nodes().filter(|&id| view.shown(id) == id).count();
    if nodes > MAX_NODES {
        return Err(TooLarge { nodes, arrows: game.automaton.edge_count() });
    }
    drawn(&Graph::new(game, view), view)
}

/// Two versions of an automaton in one drawing: what only `before` has is marked as removed, what only `after` has as added. Nodes correspond by
/// their names, arrows by their ends. Of the view, only counts how the picture is written ([`View::embedded`], [`View::named`]).
///
/// # Errors
/// [`TooLarge`].
pub fn union(before: &Game, after: &Game, view: &View<'_>) -> Result<String, TooLarge> {
    let plain = View::default();
    let graph = union::union(Graph::new(before, &plain), Graph::new(after, &plain));
    drawn(&graph, view)
}

fn drawn(graph: &Graph, view: &View<'_>) -> Result<String, TooLarge> {
    let (nodes, arrows) = (graph.vertices.len(), graph.arrows.len());
    if nodes > MAX_NODES || arrows > MAX_ARROWS {
        return Err(TooLarge { nodes, arrows });
    }
    let mut layout = layers::layout(graph);
    order::reduce_crossings(&mut layout);
    let placed = place::place(&layout);
    Ok(draw::draw(graph, &layout, &placed, view.embedded, view.named))
}

/// Style sheet and arrow heads of pictures with [`View::embedded`], as the content of an `svg` element.
pub fn definitions() -> String {
    draw::definitions()
}

/// The arrow heads alone, for pages that have a style sheet of their own.
pub fn arrow_heads() -> String {
    draw::heads()
}

/// What became of a part of the automaton between two versions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Change {
    #[default]
    Kept,
    Removed,
    Added,
}

/// A line of a label.
struct Line {
    text: String,
    kind: Kind,
    change: Change,
}

impl Line {
    fn new(text: String, kind: Kind) -> Self {
        Self { text, kind, change: Change::Kept }
    }
}

/// A box for a node.
struct Vertex {
    /// The whole name.
    key: String,
    /// The name as it is drawn.
    name: String,
    /// Lines under the name.
    notes: Vec<String>,
    is_begin: bool,
    is_end: bool,
    /// Whether the box stands for a folded region.
    is_folded: bool,
    is_marked: bool,
    /// The innermost open region, counted in all regions.
    region: Option<usize>,
    /// Where a click leads.
    link: Option<String>,
    /// The label of the arrows from the node to itself, if there are any.
    own: Option<Vec<Line>>,
    change: Change,
}

/// All arrows from one node to another.
struct Arrow {
    source: usize,
    target: usize,
    lines: Vec<Line>,
    kind: Kind,
    /// Whether one of the edges has no label.
    has_skip: bool,
    /// The edges in RG notation, for a reader who points at the arrow.
    title: String,
    change: Change,
}

impl Arrow {
    fn new(source: usize, target: usize, kind: Kind) -> Self {
        let (lines, title) = (Vec::new(), String::new());
        Self { source, target, lines, kind, has_skip: false, title, change: Change::Kept }
    }
}

/// What is drawn; nodes are positions in `vertices`.
struct Graph {
    vertices: Vec<Vertex>,
    arrows: Vec<Arrow>,
}

impl Graph {
    fn new(game: &Game, view: &View<'_>) -> Self {
        let mut numbers: BTreeMap<NodeId, usize> = BTreeMap::new();
        let mut vertices = Vec::new();
        let others = game.automaton.nodes().filter(|&id| id != game.begin() && id != game.end());
        let ends = [game.begin(), game.end()].into_iter().filter(|&id| game.automaton.contains_node(id));
        for id in ends.chain(others).filter(|&id| view.shown(id) == id) {
            numbers.insert(id, vertices.len());
            let key = game.node_name(id).to_owned();
            let name = cut(&key);
            let (is_begin, is_end) = (id == game.begin(), id == game.end());
            let folded = view.folded_nodes(id);
            let mut notes: Vec<String> = folded.map(|nodes| format!("{nodes} nodes")).into_iter().collect();
            notes.extend((view.note)(id).lines().map(cut));
            notes.truncate(LABEL_LINES);
            let region =
                view.folding.and_then(|folding| folding.regions().around(id).filter(|&at| folding.is_open(at)));
            let is_marked = view.is_marked(id);
            let (is_folded, link) = (folded.is_some(), (view.link)(id));
            let (own, change) = (None, Change::Kept);
            vertices.push(Vertex {
                key,
                name,
                notes,
                is_begin,
                is_end,
                is_folded,
                is_marked,
                region,
                link,
                own,
                change,
            });
        }
        let mut graph = Self { vertices, arrows: Vec::new() };
        let mut pairs: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for arrow in arrows(game, Show::short(game, TITLE_LENGTH), view) {
            let (Some(&source), Some(&target)) = (numbers.get(&arrow.source), numbers.get(&arrow.target)) else {
                continue;
            };
            let kind = arrow.kind;
            let lines = arrow.lines.iter().flat_map(|line| broken(line)).map(|text| Line::new(text, kind));
            if source == target {
                if let Some(vertex) = graph.vertices.get_mut(source) {
                    vertex.own.get_or_insert_default().extend(lines);
                }
                continue;
            }
            let at = *pairs.entry((source, target)).or_insert_with(|| {
                graph.arrows.push(Arrow::new(source, target, kind));
                graph.arrows.len() - 1
            });
            if let Some(drawn) = graph.arrows.get_mut(at) {
                drawn.lines.extend(lines);
                for line in &arrow.lines {
                    if drawn.title.len() > TITLE_LENGTH {
                        break;
                    }
                    drawn.title.push('\n');
                    drawn.title.push_str(line);
                }
                drawn.kind = stronger(drawn.kind, kind);
                drawn.has_skip |= kind == Kind::Skip;
            }
        }
        for arrow in graph.arrows.iter_mut().filter(|arrow| arrow.has_skip && !arrow.lines.is_empty()) {
            // One of several parallel edges has no label: say so.
            arrow.lines.insert(0, Line::new("(nothing)".to_owned(), Kind::Skip));
        }
        for arrow in &mut graph.arrows {
            shorten(&mut arrow.lines);
        }
        for lines in graph.vertices.iter_mut().filter_map(|vertex| vertex.own.as_mut()) {
            shorten(lines);
        }
        graph
    }
}

/// The kind that decides how arrows between the same nodes are drawn.
fn stronger(a: Kind, b: Kind) -> Kind {
    match (a, b) {
        (Kind::Enter, other) | (other, Kind::Enter) => other,
        _ => a.max(b),
    }
}

/// A label in one line, or in two if it is long and has an operator.
fn broken(text: &str) -> Vec<String> {
    let operators = [" == ", " != ", " = ", " -> "];
    let at = operators.iter().find_map(|operator| text.find(operator));
    match at.filter(|_| text.chars().count() > BREAK_LENGTH).and_then(|at| text.split_at_checked(at)) {
        Some((left, right)) => vec![cut(left), cut(right.trim_start())],
        None => vec![cut(text)],
    }
}

/// At most [`LABEL_LENGTH`] characters.
fn cut(text: &str) -> String {
    match text.char_indices().nth(LABEL_LENGTH) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or(text)),
        None => text.to_owned(),
    }
}

/// At most [`LABEL_LINES`] lines.
fn shorten(lines: &mut Vec<Line>) {
    if lines.len() > LABEL_LINES {
        let more = lines.len() - (LABEL_LINES - 1);
        lines.truncate(LABEL_LINES - 1);
        lines.push(Line::new(format!("… {more} more"), Kind::Skip));
    }
}

/// Sizes in the units of the picture (pixels at scale 1).
mod size {
    /// Advance of a character of the label font (12 units high).
    pub(super) const CHAR: f64 = 7.3;
    /// Height of a line.
    pub(super) const LINE: f64 = 15.0;
    /// Height of a node's box.
    pub(super) const NODE: f64 = 26.0;
    /// Free space around a text in its box.
    pub(super) const PAD: f64 = 9.0;
    /// Least distance of neighbours in a layer.
    pub(super) const GAP: f64 = 18.0;
    /// Distance of layers.
    pub(super) const LAYER: f64 = 22.0;
    /// Width of the loop beside a node.
    pub(super) const LOOP: f64 = 24.0;

    /// Width of a text in a monospaced font; ideographs count twice.
    pub(super) fn text(text: &str) -> f64 {
        text.chars().map(|c| if ('\u{1100}'..'\u{fb00}').contains(&c) && c != '…' { 2.0 } else { 1.0 }).sum::<f64>()
            * CHAR
    }
}

/// The widest of some lines.
fn width(lines: &[Line]) -> f64 {
    lines.iter().map(|line| size::text(&line.text)).fold(0.0, f64::max)
}

impl Vertex {
    /// Width of the box itself.
    fn box_width(&self) -> f64 {
        self.notes.iter().map(|note| size::text(note)).fold(size::text(&self.name), f64::max) + 2.0 * size::PAD
    }

    /// Height of the box itself.
    fn box_height(&self) -> f64 {
        size::NODE + u16::try_from(self.notes.len()).map_or(0.0, f64::from) * size::LINE
    }

    /// Width with the loop and its label, which are drawn on the right.
    fn full_width(&self) -> f64 {
        self.box_width() + self.own.as_ref().map_or(0.0, |lines| size::LOOP + width(lines) + size::PAD)
    }

    fn height(&self) -> f64 {
        let lines = self.own.as_ref().map_or(0, Vec::len);
        f64::max(self.box_height(), u16::try_from(lines).map_or(0.0, f64::from) * size::LINE)
    }
}

#[cfg(test)]
mod tests;
