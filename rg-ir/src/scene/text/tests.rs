//! Tests of positions as text.
#![allow(clippy::unwrap_used)] // a test stops at the first surprise

use super::super::{Board, Fact, Piece};
use super::*;

/// Pieces of a side have its colour, whatever their kind; where sides have no colours, that of the first kind of the player.
#[test]
fn pieces_have_the_colour_of_their_side() {
    let inks = |names: &[(&str, Option<&str>)]| {
        let piece = |&(name, player): &(&str, Option<&str>)| Piece {
            name: name.into(),
            short: name.into(),
            is_empty: false,
            player: player.map(str::to_owned),
        };
        let squares: Vec<(String, i64, i64)> = (0..).take(names.len()).map(|x| (format!("c{x}"), x, 0)).collect();
        let board = Board::rectangle("", &squares, names.iter().map(piece).collect()).unwrap();
        let at = (0..).take(names.len()).map(Some).collect();
        let setup = Setup { board: &board, at, cursor: None };
        (0..names.len()).map(|place| cell(&setup, &glyphs(&board, Look::default()), place).1).collect::<Vec<_>>()
    };
    let [white, black] = [Colour::White, Colour::Black].map(Ink::Coloured);
    assert_eq!(inks(&[("wKing", None), ("bKing", None), ("wPawn", None)]), [white, black, white]);
    assert_eq!(inks(&[("whiteMan", None), ("blackMan", None), ("blackKing", None)]), [white, black, black]);
    let owned = [("n1", Some("north")), ("s1", Some("south")), ("n2", Some("north")), ("stone", None)];
    assert_eq!(inks(&owned), [Ink::Piece(0), Ink::Piece(1), Ink::Piece(0), Ink::Piece(3)]);
}

/// Nothing of a long text is lost where lines are short.
#[test]
fn long_facts_are_broken_between_words() {
    let facts = vec![Fact::of("pieces", "e", "enpassant (a mark, not a piece)"), Fact::of("pieces", "w", "white")];
    let scene = Scene { facts, ..Scene::default() };
    let shown = text(&scene, Look { width: Some(24), ..Look::default() });
    assert_eq!(shown, "pieces: e = enpassant (a\n  mark, not a piece),\n  w = white\n");
    let wide = text(&scene, Look::default());
    assert_eq!(wide, "pieces: e = enpassant (a mark, not a piece), w = white\n");
}

#[test]
fn boards_lie_side_by_side() {
    let piece = |name: &str| Piece { name: name.into(), short: name.into(), is_empty: name == ".", player: None };
    let squares: Vec<(String, i64, i64)> = (0..2).map(|x| (format!("c{x}"), x, 0)).collect();
    let board = |key: &str, block| {
        let pieces = vec![piece("."), piece("x")];
        Board { block, ..Board::rectangle(&format!("sea[{key}]"), &squares, pieces).unwrap() }
    };
    let shown = |boards: &[Board], width| {
        let setup = |board| Setup { board, at: vec![Some(0), Some(1)], cursor: None };
        let scene = Scene { boards: boards.iter().map(setup).collect(), ..Scene::default() };
        text(&scene, Look { width, ..Look::default() })
    };
    let two = [board("p", Some((0, 0))), board("q", Some((1, 0)))];
    assert_eq!(shown(&two, None), "sea:\n[p]     [q]\n1 . x   1 . x\n  a b     a b\n");
    assert_eq!(shown(&two, Some(12)), "sea[p]:\n1 . x\n  a b\n\nsea[q]:\n1 . x\n  a b\n", "they do not fit");
    let square = [board("p", Some((0, 1))), board("q", Some((0, 0))), board("r", None)];
    let one = |key: &str| format!("{key}\n1 . x\n  a b\n");
    assert_eq!(shown(&square, None), format!("sea:\n{}{}\n{}", one("[a2]"), one("[a1]"), one("sea[r]:")));
    // What would be too high is put side by side, as far as there is room.
    let three = [board("p", None), board("q", None), board("r", None)];
    let setup = |board| Setup { board, at: vec![Some(0), Some(1)], cursor: None };
    let scene = Scene { boards: three.iter().map(setup).collect(), ..Scene::default() };
    let low = Look { width: Some(20), height: Some(8), ..Look::default() };
    let row = "sea[p]:   sea[q]:\n1 . x     1 . x\n  a b       a b\n";
    assert_eq!(text(&scene, low), format!("{row}\n{}", one("sea[r]:")));
    let high = text(&scene, Look { height: Some(11), ..low });
    assert_eq!(high, [one("sea[p]:"), one("sea[q]:"), one("sea[r]:")].join("\n"), "it fits as it is");
    // If that is not enough, an empty board is only named, but the first one is always drawn.
    let empty = |board| Setup { board, at: vec![Some(0), Some(0)], cursor: None };
    let [p, q, r] = &three;
    let lower = Look { height: Some(6), names_empty: true, ..low };
    let mixed = Scene { boards: vec![empty(p), setup(q), empty(r)], ..Scene::default() };
    let named = "sea[p]:   sea[q]:\n1 . .     1 . x\n  a b       a b\nempty: sea[r]\n";
    assert_eq!(text(&mixed, lower), named);
    assert!(!text(&mixed, Look { names_empty: false, ..lower }).contains("empty"));
    let unknown = Setup { board: r, at: vec![Some(0), None], cursor: None };
    let unknown = text(&Scene { boards: vec![empty(p), setup(q), unknown], ..Scene::default() }, lower);
    assert!(unknown.contains("sea[r]:") && unknown.contains('?'), "what is not known is not empty: {unknown}");
}
