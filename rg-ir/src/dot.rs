//! The automaton as text for Graphviz.

use crate::drawing::{Arrow, Kind, arrows};
use crate::game::Game;
use crate::ids::{Id, NodeId};
use crate::show::Show;

/// The automaton as a Graphviz digraph: nodes with their names, edges labelled in RG syntax and coloured by what they
/// do. Edges that end a move are bold; comparisons between the same two nodes share an arrow; a dotted arrow leads
/// from a reachability test to where it starts. Deterministic; linear.
pub fn dot(game: &Game) -> String {
    dot_with(game, |_| String::new())
}

/// As [`dot()`], with a note under the name of every node for which `note` has one.
pub fn dot_with(game: &Game, note: impl Fn(NodeId) -> String) -> String {
    let mut out = String::from(
        "digraph game {\n  graph [fontname=\"monospace\"];\n  node [shape=box, style=rounded, fontname=\"monospace\"];\n  \
         edge [fontname=\"monospace\", fontsize=10];\n",
    );
    for id in game.automaton.nodes() {
        out.push_str(&node(game, id, &note(id)));
    }
    for arrow in arrows(game, Show::full(game)) {
        out.push_str(&edge(&arrow));
    }
    out.push_str("}\n");
    out
}

fn node(game: &Game, id: NodeId, note: &str) -> String {
    let style = match id {
        _ if id == game.begin() => ", style=\"rounded,filled\", fillcolor=\"#d8f0d8\"",
        _ if id == game.end() => ", style=\"rounded,filled\", fillcolor=\"#f4d4d0\", peripheries=2",
        _ => "",
    };
    let lines: Vec<String> = std::iter::once(game.node_name(id)).chain(note.lines()).map(escape).collect();
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
        let noted = super::dot_with(&game, |id| if id == game.end() { "a \"b\"\nc".into() } else { String::new() });
        assert!(noted.contains(r#"label="end\na \"b\"\nc""#), "{noted}");
        assert!(noted.contains(r#"label="begin","#), "{noted}");
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
