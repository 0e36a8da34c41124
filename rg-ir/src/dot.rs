//! The automaton as text for Graphviz.

use crate::drawing::{Arrow, Kind, View, arrows};
use crate::game::Game;
use crate::ids::{Id, NodeId};
use crate::regions::Folding;
use crate::show::Show;

/// Labels of arrows from and to folded regions are cut after so many lines.
const LABEL_LINES: usize = 8;

/// The automaton as a Graphviz digraph: nodes with their names, edges labelled in RG syntax and coloured by what they
/// do. Edges that end a move are bold; comparisons between the same two nodes share an arrow; a dotted arrow leads
/// from a reachability test to where it starts. Deterministic; linear.
pub fn dot(game: &Game) -> String {
    dot_with(game, &View::default())
}

/// As [`dot()`], with what a view adds: notes under names, regions as clusters, and folded ones as boxes.
pub fn dot_with(game: &Game, view: &View<'_>) -> String {
    let mut out = String::from(
        "digraph game {\n  graph [fontname=\"monospace\"];\n  node [shape=box, style=rounded, fontname=\"monospace\"];\n  \
         edge [fontname=\"monospace\", fontsize=10];\n",
    );
    match view.folding {
        Some(folding) => clusters(&mut out, game, view, folding),
        None => game.automaton.nodes().for_each(|id| out.push_str(&node(game, id, view))),
    }
    for mut arrow in arrows(game, Show::full(game), view) {
        if arrow.lines.len() > LABEL_LINES
            && (view.folded_nodes(arrow.source).is_some() || view.folded_nodes(arrow.target).is_some())
        {
            let more = arrow.lines.len() - (LABEL_LINES - 1);
            arrow.lines.truncate(LABEL_LINES - 1);
            arrow.lines.push(format!("… {more} more"));
        }
        out.push_str(&edge(&arrow));
    }
    out.push_str("}\n");
    out
}

/// The nodes, those of an open region in a cluster with its name.
fn clusters(out: &mut String, game: &Game, view: &View<'_>, folding: &Folding<'_>) {
    let regions = folding.regions().list();
    let mut nodes: Vec<Vec<NodeId>> = vec![Vec::new(); regions.len()];
    for id in game.automaton.nodes().filter(|&id| folding.shown(id) == id) {
        // The box of a folded region belongs to the one around it.
        let around =
            folding.regions().around(id).and_then(|at| folding.regions().chain(at).find(|&at| folding.is_open(at)));
        match around.and_then(|at| nodes.get_mut(at)) {
            Some(list) => list.push(id),
            None => out.push_str(&node(game, id, view)),
        }
    }
    let mut inner: Vec<Vec<usize>> = vec![Vec::new(); regions.len()];
    let open = (0..regions.len()).filter(|&at| folding.is_open(at));
    let mut outer = Vec::new();
    for at in open {
        let parent = regions.get(at).and_then(|region| region.parent);
        parent.and_then(|parent| inner.get_mut(parent)).unwrap_or(&mut outer).push(at);
    }
    // `None` closes a cluster.
    let mut work: Vec<Option<usize>> = outer.into_iter().rev().map(Some).collect();
    while let Some(next) = work.pop() {
        let Some((at, region)) = next.and_then(|at| Some((at, regions.get(at)?))) else {
            out.push_str("  }\n");
            continue;
        };
        let (number, name) = (region.entry.index(), escape(game.node_name(region.entry)));
        out.push_str(&format!(
            "  subgraph cluster_{number} {{ label=\"{name}: {} nodes\"; style=\"rounded,dashed\"; color=\"#999999\";\n",
            region.nodes
        ));
        nodes.get(at).into_iter().flatten().for_each(|&id| out.push_str(&node(game, id, view)));
        work.push(None);
        work.extend(inner.get(at).into_iter().flatten().rev().copied().map(Some));
    }
}

fn node(game: &Game, id: NodeId, view: &View<'_>) -> String {
    let folded = view.folded_nodes(id);
    let fill = match id {
        _ if view.is_marked(id) => Some("#fff0a8"),
        _ if id == game.begin() => Some("#d8f0d8"),
        _ if id == game.end() => Some("#f4d4d0"),
        _ => folded.map(|_| "#e4eaf4"),
    };
    let mut style = match (fill, folded) {
        (None, _) => String::new(),
        (Some(colour), None) => format!(", style=\"rounded,filled\", fillcolor=\"{colour}\""),
        (Some(colour), Some(_)) => format!(", style=filled, fillcolor=\"{colour}\", shape=box3d"),
    };
    if id == game.end() {
        style.push_str(", peripheries=2");
    }
    let note = (view.note)(id);
    let size = folded.map(|nodes| format!("{nodes} nodes"));
    let lines = std::iter::once(game.node_name(id)).chain(size.as_deref()).chain(note.lines());
    let lines: Vec<String> = lines.map(escape).collect();
    format!("  n{} [label=\"{}\"{style}];\n", id.index(), lines.join("\\n"))
}

fn edge(arrow: &Arrow) -> String {
    let style = match arrow.kind {
        Kind::Switch => ", style=bold",
        Kind::Check => ", style=dashed",
        Kind::Enter => ", style=dotted, arrowhead=empty",
        Kind::Skip | Kind::Test | Kind::Change | Kind::Tag => "",
    };
    let lines: Vec<String> = arrow.lines.iter().map(|line| escape(line)).collect();
    let label = match lines.is_empty() {
        true => String::new(),
        false => format!("label=\"{}\", fontcolor=\"{}\", ", lines.join("\\n"), arrow.kind.colour()),
    };
    let (source, target) = (arrow.source.index(), arrow.target.index());
    format!("  n{source} -> n{target} [{label}color=\"{}\"{style}];\n", arrow.kind.colour())
}

/// A text inside a quoted Graphviz string, taken literally.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::{dot, escape};
    use crate::drawing::View;
    use crate::regions::{Folding, Regions};
    use crate::source::SourceId;
    use crate::{Game, Label, Span, testing, text};

    #[test]
    fn snapshot() {
        let game = text::parse(
            SourceId(0),
            "type Player = { a }; type Score = { 0 }; begin, p: player = a; p, q: 0 == 0; p, q: 1 != goals[a];
             p, q: ; q, r: ? s -> t; s, t: goals[a] = 0; r, w: $ move; w, w: ; w, end: player = keeper;",
        );
        testing::snapshot("dot", dot(&game.0.unwrap()));
    }

    #[test]
    fn notes_stand_under_names() {
        let game = text::parse(SourceId(0), "begin, end: ;").0.unwrap();
        let note = |id| if id == game.end() { "a \"b\"\nc".into() } else { String::new() };
        let noted = super::dot_with(&game, &View { note: &note, ..View::default() });
        assert!(noted.contains(r#"label="end\na \"b\"\nc""#), "{noted}");
        assert!(noted.contains(r#"label="begin","#), "{noted}");
    }

    /// Every region is a cluster, or one box with arrows to whatever walks from inside lead to.
    #[test]
    fn regions_are_clusters_or_boxes() {
        let mut rules =
            "type Player = { p }; type Score = { 0 }; begin, t: player = p; t, end: player = keeper;".to_owned();
        for part in ["a", "b"] {
            rules += &format!("t, {part}0: ;");
            (0..8).for_each(|i| rules += &format!("{part}{i}, {part}{}: 0 == 0; {part}{i}, m: $ {part}{i};", i + 1));
        }
        let game = text::parse(SourceId(0), &(rules + "m, t: ;")).0.unwrap();
        let regions = Regions::of(&game);
        let drawn = |folded: &[usize]| {
            let folding = Folding::new(&regions, folded.iter().copied());
            super::dot_with(&game, &View { folding: Some(&folding), ..View::default() })
        };
        let open = drawn(&[]);
        assert_eq!(open.matches("subgraph").count(), 3);
        assert_eq!(open.matches('{').count(), open.matches('}').count());
        assert!(open.contains("label=\"a0: 9 nodes\"") && !open.contains("box3d"), "{open}");
        testing::snapshot("dot_folded", drawn(&[1]));
        let all = drawn(&[0]);
        assert!(!all.contains("subgraph") && all.contains("label=\"t\\n20 nodes\""), "{all}");
        assert_eq!(all.matches(" -> ").count(), 2, "into the region and out of it: {all}");
    }

    /// Names come from text as identifiers, but a builder may use anything.
    #[test]
    fn odd_names_are_escaped() {
        assert_eq!(escape("a\"b\\n"), "a\\\"b\\\\n");
        let mut game = Game::new();
        let name = game.symbols.intern("\"; evil \\");
        let (begin, end) = (game.begin(), game.end());
        game.automaton.add_edge(begin, end, Label::Tag(name), Span::NONE);
        assert!(dot(&game).contains(r#"label="$ \"; evil \\""#));
    }

    #[test]
    fn every_edge_of_the_corpus_is_drawn() {
        for (name, text) in testing::corpus("rg") {
            let game = text::parse(SourceId(0), &text).0.unwrap();
            let drawn = dot(&game);
            let shown = drawn.lines().filter(|line| line.contains(" -> ") && line.contains('[')).count();
            let pairs: std::collections::BTreeSet<_> =
                game.automaton.edges().map(|(_, edge)| (edge.source, edge.target)).collect();
            assert!(shown >= pairs.len(), "{name}");
        }
    }
}
