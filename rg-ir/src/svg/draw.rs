//! Writing the picture.

use super::layers::{Layout, Way, lines_height};
use super::order::real;
use super::place::Placed;
use super::{Arrow, Change, Graph, Line, Vertex, size, width};
use crate::drawing::Kind;
use crate::xml::escaped;

/// Distance of the lanes of arrows that go around the drawing.
const LANE: f64 = 7.0;

/// The SVG document.
pub(super) fn draw(graph: &Graph, layout: &Layout, placed: &Placed, embedded: bool, named: bool) -> String {
    let lanes = layout.ways.iter().filter(|way| matches!(way, Way::Around)).count();
    let (width, height) = (placed.width + real(lanes) * LANE, placed.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"monospace\" font-size=\"12\">\n"
    );
    if !embedded {
        out.push_str(&definitions());
    }
    out.push_str("<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n");
    let ports = Ports::new(layout, placed);
    let mut lane = 0;
    for (i, (arrow, way)) in graph.arrows.iter().zip(&layout.ways).enumerate() {
        let path = match way {
            Way::Through { items, up, .. } => through(graph, placed, &ports, i, items, *up),
            Way::Around => {
                lane += 1;
                around(graph, placed, arrow, placed.width + real(lane - 1) * LANE)
            }
        };
        out.push_str(&arrow_path(graph, arrow, &path, named));
    }
    for (i, vertex) in graph.vertices.iter().enumerate() {
        draw_vertex(&mut out, (graph, placed), i, vertex, named);
    }
    for (arrow, way) in graph.arrows.iter().zip(&layout.ways) {
        let Way::Through { items, label, .. } = way else { continue };
        let Some(&item) = items.get(*label) else { continue };
        let ends = ends(graph, (arrow.source, arrow.target), named);
        draw_label(&mut out, &arrow.lines, (placed.x_of(item), placed.middle(item)), &ends);
    }
    out.push_str("</svg>\n");
    out
}

/// Style sheet and arrow heads.
pub(super) fn definitions() -> String {
    style() + &heads()
}

/// Arrow heads, one per kind.
pub(super) fn heads() -> String {
    let mut heads = String::from("<defs>\n");
    for kind in Kind::ALL {
        let (name, colour) = (class(kind), kind.colour());
        heads.push_str(&format!(
            "<marker id=\"{name}\" viewBox=\"0 0 10 8\" refX=\"9.5\" refY=\"4\" markerWidth=\"9\" markerHeight=\"7\" \
             markerUnits=\"userSpaceOnUse\" orient=\"auto-start-reverse\"><path d=\"M0 0L10 4L0 8z\" fill=\"{colour}\"/>\
             </marker>\n"
        ));
    }
    heads + "</defs>\n"
}

fn style() -> String {
    let mut css = String::from(
        "<style>\n.ground,.paper{fill:#ffffff}\n.paper{fill-opacity:0.9}\n.a{fill:none;stroke-width:1.2}\n\
         .n rect{fill:#fafafa;stroke:#333333}\n.n .note{fill:#777777}\n",
    );
    for (number, fill) in REGIONS.iter().enumerate() {
        css.push_str(&format!(".r{number} rect{{fill:{fill}}}\n"));
    }
    css.push_str(
        ".begin rect{fill:#d8f0d8}\n.end rect{fill:#f4d4d0;stroke-width:2.5}\n.folded rect{fill:#d4dff0;stroke-width:2.5}\n\
         .marked rect{fill:#fff0a8;stroke-width:2.5}\n.added rect{fill:#c9f0d3;stroke:#1b7a3d;stroke-width:2.5}\n\
         .removed rect{fill:#fbd5d0;stroke:#c0392b;stroke-width:2.5}\n.a.added{stroke:#1b7a3d;stroke-width:2.4}\n\
         .a.removed{stroke:#c0392b;stroke-width:2.4}\ntext.added{fill:#1b7a3d;font-weight:bold}\n\
         text.removed{fill:#c0392b;text-decoration:line-through}\n",
    );
    for kind in Kind::ALL {
        let (name, colour) = (class(kind), kind.colour());
        let more = match kind {
            Kind::Switch => ";stroke-width:2.4",
            Kind::Check => ";stroke-dasharray:6 3",
            Kind::Enter => ";stroke-dasharray:2 3",
            Kind::Skip | Kind::Test | Kind::Change | Kind::Tag => "",
        };
        css.push_str(&format!(".{name}{{stroke:{colour}{more}}}\n.{name}t{{fill:{colour}}}\n"));
    }
    css + "</style>\n"
}

fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::Skip => "skip",
        Kind::Test => "test",
        Kind::Check => "check",
        Kind::Change => "change",
        Kind::Tag => "tag",
        Kind::Switch => "switch",
        Kind::Enter => "enter",
    }
}

impl Placed {
    pub(super) fn x_of(&self, item: usize) -> f64 {
        self.x.get(item).copied().unwrap_or(0.0)
    }

    fn layer(&self, item: usize) -> (f64, f64) {
        self.layer_of.get(item).and_then(|&layer| self.layers.get(layer)).copied().unwrap_or((0.0, 0.0))
    }

    /// The y coordinate of the middle of an item.
    pub(super) fn middle(&self, item: usize) -> f64 {
        let (top, bottom) = self.layer(item);
        (top + bottom) / 2.0
    }
}

/// Where on a node's lower and upper side arrows meet it: side by side, in the order of where they come from.
struct Ports {
    /// For every arrow, the shift at its upper and at its lower node.
    shifts: Vec<(f64, f64)>,
}

impl Ports {
    fn new(layout: &Layout, placed: &Placed) -> Self {
        let mut at_upper: Vec<Vec<(f64, usize)>> = vec![Vec::new(); layout.items.len()];
        let mut at_lower = at_upper.clone();
        for (i, way) in layout.ways.iter().enumerate() {
            let Way::Through { items, .. } = way else { continue };
            if let [upper, next, .., last, lower] | [upper, next @ last, lower] = items.as_slice() {
                at_upper.get_mut(*upper).into_iter().for_each(|list| list.push((placed.x_of(*next), i)));
                at_lower.get_mut(*lower).into_iter().for_each(|list| list.push((placed.x_of(*last), i)));
            }
        }
        let mut shifts = vec![(0.0, 0.0); layout.ways.len()];
        for (vertex, item) in layout.items.iter().enumerate() {
            for (is_upper, table) in [(true, &mut at_upper), (false, &mut at_lower)] {
                let Some(list) = table.get_mut(vertex) else { continue };
                list.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                let step = (2.0 * item.port / real(list.len() + 1)).min(12.0);
                let first = -step * (real(list.len()) - 1.0) / 2.0;
                for (k, &(_, way)) in list.iter().enumerate() {
                    let shift = first + real(k) * step;
                    match shifts.get_mut(way) {
                        Some(slot) if is_upper => slot.0 = shift,
                        Some(slot) => slot.1 = shift,
                        None => {}
                    }
                }
            }
        }
        Self { shifts }
    }
}

/// The path of an arrow through its places, always in its own direction.
fn through(graph: &Graph, placed: &Placed, ports: &Ports, arrow: usize, items: &[usize], up: bool) -> String {
    let (at_upper, at_lower) = ports.shifts.get(arrow).copied().unwrap_or_default();
    let [upper, places @ .., lower] = items else { return String::new() };
    let mut points = vec![(placed.x_of(*upper) + at_upper, bottom(graph, placed, *upper))];
    for &place in places {
        let (top, bottom) = placed.layer(place);
        let x = placed.x_of(place);
        points.push((x, top));
        if bottom > top {
            points.push((x, bottom));
        }
    }
    points.push((placed.x_of(*lower) + at_lower, top(graph, placed, *lower)));
    if up {
        points.reverse();
    }
    curve(&points)
}

fn top(graph: &Graph, placed: &Placed, vertex: usize) -> f64 {
    placed.middle(vertex) - graph.vertices.get(vertex).map_or(0.0, |v| v.box_height() / 2.0)
}

fn bottom(graph: &Graph, placed: &Placed, vertex: usize) -> f64 {
    placed.middle(vertex) + graph.vertices.get(vertex).map_or(0.0, |v| v.box_height() / 2.0)
}

/// A curve through points that leaves and meets each of them vertically.
fn curve(points: &[(f64, f64)]) -> String {
    let mut path = String::new();
    let mut last: Option<(f64, f64)> = None;
    for &(x, y) in points {
        match last {
            None => path.push_str(&format!("M{x:.1} {y:.1}")),
            Some((from, _)) if (from - x).abs() < 0.1 => path.push_str(&format!("V{y:.1}")),
            Some((from, above)) => {
                let middle = (above + y) / 2.0;
                path.push_str(&format!("C{from:.1} {middle:.1} {x:.1} {middle:.1} {x:.1} {y:.1}"));
            }
        }
        last = Some((x, y));
    }
    path
}

/// The path of an arrow that had no place: from the right side of one node, along a lane, to that of the other.
fn around(graph: &Graph, placed: &Placed, arrow: &Arrow, lane: f64) -> String {
    let right = |vertex: usize| placed.x_of(vertex) + graph.vertices.get(vertex).map_or(0.0, |v| v.box_width() / 2.0);
    let (from, to) = (placed.middle(arrow.source), placed.middle(arrow.target));
    format!("M{:.1} {from:.1}H{lane:.1}V{to:.1}H{:.1}", right(arrow.source), right(arrow.target))
}

fn arrow_path(graph: &Graph, arrow: &Arrow, path: &str, named: bool) -> String {
    let name = class(arrow.kind);
    let node = |vertex: usize| escaped(graph.vertices.get(vertex).map_or("", |v| &v.name));
    let title = format!("{}, {}:{}", node(arrow.source), node(arrow.target), escaped(&arrow.title));
    let change = arrow.change.class();
    let ends = ends(graph, (arrow.source, arrow.target), named);
    format!(
        "<path class=\"a {name}{change}\"{ends} d=\"{path}\" marker-end=\"url(#{name})\"><title>{title}</title></path>\n"
    )
}

/// The attributes of an arrow and its label that say between which nodes it is, if these have names.
fn ends(graph: &Graph, (source, target): (usize, usize), named: bool) -> String {
    match named {
        true => format!(" data-from=\"{}\" data-to=\"{}\"", key(graph, source), key(graph, target)),
        false => String::new(),
    }
}

/// The whole name of a node, as the value of an attribute.
fn key(graph: &Graph, vertex: usize) -> String {
    attribute(graph.vertices.get(vertex).map_or("", |vertex| &vertex.key))
}

fn attribute(text: &str) -> String {
    escaped(text).replace('"', "&quot;")
}

impl Change {
    /// The class of what has changed, behind others.
    fn class(self) -> &'static str {
        match self {
            Change::Kept => "",
            Change::Removed => " removed",
            Change::Added => " added",
        }
    }
}

/// Fills of boxes in open regions, by turns.
const REGIONS: [&str; 6] = ["#eef4fb", "#fbf3e6", "#f0f7ea", "#f7eef8", "#fdf0ee", "#ecf7f6"];

fn draw_vertex(out: &mut String, (graph, placed): (&Graph, &Placed), item: usize, vertex: &Vertex, named: bool) {
    let (x, y) = (placed.x_of(item), placed.middle(item));
    let (w, h) = (vertex.box_width(), vertex.box_height());
    let look = match (vertex.is_begin, vertex.is_end) {
        _ if vertex.is_marked => " marked".to_owned(),
        _ if vertex.is_folded => " folded".to_owned(),
        (true, _) => " begin".to_owned(),
        (_, true) => " end".to_owned(),
        _ => vertex.region.map_or(String::new(), |region| format!(" r{}", region % REGIONS.len())),
    };
    let change = vertex.change.class();
    let name = if named { format!(" data-node=\"{}\"", attribute(&vertex.key)) } else { String::new() };
    if let Some(link) = &vertex.link {
        out.push_str(&format!("<a href=\"{}\">", attribute(link)));
    }
    out.push_str(&format!(
        "<g class=\"n{look}{change}\"{name}><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" rx=\"6\"/>\
         <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        x - w / 2.0,
        y - h / 2.0,
        y - h / 2.0 + 17.0,
        escaped(&vertex.name)
    ));
    for (i, note) in vertex.notes.iter().enumerate() {
        let base = y - h / 2.0 + 17.0 + size::LINE * real(i + 1);
        out.push_str(&format!(
            "<text class=\"note\" x=\"{x:.1}\" y=\"{base:.1}\" text-anchor=\"middle\">{}</text>",
            escaped(note)
        ));
    }
    out.push_str(if vertex.link.is_some() { "</g></a>\n" } else { "</g>\n" });
    let Some(lines) = &vertex.own else { return };
    let right = x + w / 2.0;
    let name = class(lines.iter().map(|line| line.kind).max().unwrap_or(Kind::Skip));
    let far = right + size::LOOP - 2.0;
    out.push_str(&format!(
        "<path class=\"a {name}\" d=\"M{right:.1} {:.1}C{far:.1} {:.1} {far:.1} {:.1} {right:.1} {:.1}\" \
         marker-end=\"url(#{name})\"/>\n",
        y - 6.0,
        y - 16.0,
        y + 16.0,
        y + 6.0
    ));
    draw_label(out, lines, (right + size::LOOP + width(lines) / 2.0, y), &ends(graph, (item, item), named));
}

/// The lines of a label around a point, on a ground that hides the arrow behind it, with attributes.
fn draw_label(out: &mut String, lines: &[Line], (x, y): (f64, f64), attributes: &str) {
    if lines.is_empty() {
        return;
    }
    let (w, h) = (width(lines) + 4.0, lines_height(lines.len()));
    let top = y - h / 2.0;
    out.push_str(&format!(
        "<rect class=\"paper\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{w:.1}\" height=\"{h:.1}\"/>\n",
        x - w / 2.0
    ));
    for (i, line) in lines.iter().enumerate() {
        let base = top + size::LINE * real(i) + 11.5;
        out.push_str(&format!(
            "<text class=\"{}t{}\"{attributes} x=\"{x:.1}\" y=\"{base:.1}\" text-anchor=\"middle\">{}</text>\n",
            class(line.kind),
            line.change.class(),
            escaped(&line.text)
        ));
    }
}
