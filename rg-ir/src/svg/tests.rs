//! Pictures: nothing overlaps, everything is there, and size is bounded.

use super::{Graph, MAX_NODES, TooLarge, layers, order, place, svg};
use crate::drawing::View;
use crate::regions::{Folding, Regions};
use crate::source::SourceId;
use crate::{Game, Label, Span, testing, text};

fn parse(text: &str) -> Game {
    text::parse(SourceId(0), text).0.unwrap()
}

/// A game with these edges between numbered nodes, all tests of the same kind.
fn game(edges: impl IntoIterator<Item = (usize, usize)>) -> Game {
    let mut game = Game::new();
    let symbol = game.symbols.intern("value");
    let expr = game.exprs.intern(crate::Expr::Symbol(symbol));
    let node = |game: &mut Game, number: usize| match number {
        0 => game.begin(),
        1 => game.end(),
        _ => {
            let name = game.symbols.intern(&format!("n{number}"));
            game.node(name, Span::NONE)
        }
    };
    for (source, target) in edges {
        let (source, target) = (node(&mut game, source), node(&mut game, target));
        let label = Label::Compare { lhs: expr, rhs: expr, negated: target < source };
        game.automaton.add_edge(source, target, label, Span::NONE);
    }
    game
}

/// Numbers with no pattern.
fn scrambled(n: usize) -> usize {
    n.wrapping_mul(0x9e37_79b9).wrapping_add(n >> 3) ^ (n << 5)
}

/// In every layer, boxes follow each other from left to right without touching, and layers do not touch either.
fn assert_nothing_overlaps(game: &Game) {
    let graph = Graph::new(game, &View::default());
    let mut layout = layers::layout(&graph);
    order::reduce_crossings(&mut layout);
    let placed = place::place(&layout);
    let mut seen = vec![false; layout.items.len()];
    let mut last_bottom = 0.0;
    for (layer, &(top, bottom)) in layout.layers.iter().zip(&placed.layers) {
        assert!(top >= last_bottom);
        last_bottom = bottom;
        let mut last = 0.0;
        for &item in layer {
            assert!(!std::mem::replace(&mut seen[item], true));
            let box_ = &layout.items[item];
            let left = placed.x[item] - box_.port;
            assert!(left >= last, "{left} {last}");
            assert!(bottom - top >= box_.height - 0.01);
            last = left + box_.width;
        }
        assert!(last <= placed.width);
    }
    assert!(seen.iter().all(|&s| s));
}

#[test]
fn snapshot() {
    let game =
        parse("type Player = { a }; type Score = { 0 }; begin, p: player = a; p, end: 0 == 0; p, end: 0 != goals[a];");
    testing::snapshot("svg", svg(&game).unwrap());
}

#[test]
fn boxes_do_not_overlap() {
    for (_, text) in testing::corpus("rg") {
        assert_nothing_overlaps(&parse(&text));
    }
    assert_nothing_overlaps(&Game::new());
    assert_nothing_overlaps(&game([(0, 1), (1, 0), (0, 0), (0, 1)]));
    let random = || game((0..400).map(|i| (scrambled(i) % 80, scrambled(i + 1_000) % 80)));
    assert_nothing_overlaps(&random());
    assert_eq!(svg(&random()), svg(&random()));
}

#[test]
fn large_pictures() {
    // A chain with ways back, a star, and something random, of the greatest size.
    assert_nothing_overlaps(&game((0..MAX_NODES - 1).flat_map(|i| [(i, i + 1), (i, i / 2)])));
    assert_nothing_overlaps(&game((1..MAX_NODES).map(|i| (0, i))));
    let random = game((0..8_000).map(|i| (scrambled(i) % MAX_NODES, scrambled(i + 9_000) % MAX_NODES)));
    assert_nothing_overlaps(&random);
}

#[test]
fn too_large_automata_are_refused() {
    let refused = svg(&game((0..MAX_NODES).map(|i| (i, i + 1))));
    assert_eq!(refused, Err(TooLarge { nodes: MAX_NODES + 1, arrows: MAX_NODES }));
    assert!(refused.unwrap_err().to_string().contains("5000 nodes"));
    let dense = game((0..200).flat_map(|i| (0..200).map(move |j| (i, j))));
    assert!(svg(&dense).is_err());
}

/// Start tags, end tags and empty ones are balanced, and every node and label is written.
#[test]
fn the_document_is_well_formed_and_complete() {
    for (_, text) in testing::corpus("rg") {
        let game = parse(&text);
        let drawn = svg(&game).unwrap();
        let opened = drawn.matches('<').count() - drawn.matches("</").count() - drawn.matches("/>").count();
        assert_eq!(opened, drawn.matches("</").count());
        for node in game.automaton.nodes() {
            assert!(drawn.contains(&format!(">{}</text>", game.node_name(node))));
        }
        let pairs: std::collections::BTreeSet<_> =
            game.automaton.edges().map(|(_, edge)| (edge.source, edge.target)).collect();
        assert!(drawn.matches("<path class=\"a ").count() >= pairs.len());
    }
}

#[test]
fn parallel_edges_share_an_arrow() {
    let game = parse(
        "type Player = { a }; type Score = { 0 }; begin, end: ; begin, end: 0 == 0; begin, end: $ t; end, end: ;",
    );
    let drawn = svg(&game).unwrap();
    assert_eq!(drawn.matches("marker-end").count(), 2);
    for line in ["(nothing)", "0 == 0", "$ t"] {
        assert!(drawn.contains(&format!(">{line}</text>")), "{line}");
    }
}

#[test]
fn odd_names_are_escaped() {
    let mut game = Game::new();
    let name = game.symbols.intern("<&>\u{1}");
    let (begin, end) = (game.begin(), game.end());
    game.automaton.add_edge(begin, end, Label::Tag(name), Span::NONE);
    assert!(svg(&game).unwrap().contains("$ &lt;&amp;&gt;\u{fffd}</text>"));
}

#[test]
fn notes_make_boxes_higher() {
    let game = parse("begin, end: ;");
    let plain = svg(&game).unwrap();
    let note = |id| if id == game.end() { "a < b\nc".into() } else { String::new() };
    let noted = super::svg_with(&game, &View { note: &note, ..View::default() }).unwrap();
    assert!(noted.contains(">a &lt; b</text>") && noted.contains(">c</text>"), "{noted}");
    assert!(noted.contains("height=\"56.0\"") && !plain.contains("height=\"56.0\""), "{noted}");
}

/// A folded region is one box with its size and a link; what is too large to be drawn can be drawn folded.
#[test]
fn folded_regions_are_boxes() {
    let text = (2..MAX_NODES + 10).map(|i| format!("n{i}, n{}: ;", i + 1)).collect::<String>();
    let game = parse(&format!(
        "type Player = {{ p }}; begin, n2: player = p; n{}, end: player = keeper; {text}",
        MAX_NODES + 10
    ));
    assert!(svg(&game).is_err());
    let regions = Regions::of(&game);
    let folding = Folding::all_but(&regions, []);
    let link = |id| folding.folded_at(id).map(|_| "#a\"b".to_owned());
    let drawn = super::svg_with(&game, &View { folding: Some(&folding), link: &link, ..View::default() }).unwrap();
    assert!(drawn.contains(&format!(">{} nodes</text>", MAX_NODES + 9)), "{drawn}");
    assert!(drawn.contains("<a href=\"#a&quot;b\"><g") && drawn.contains("</g></a>"), "{drawn}");
    assert_eq!(drawn.matches("<path class=\"a ").count(), 2, "an arrow in and one out");
    let embedded =
        super::svg_with(&game, &View { folding: Some(&folding), embedded: true, ..View::default() }).unwrap();
    assert!(!embedded.contains("<marker") && super::definitions().contains("<marker"));
}
