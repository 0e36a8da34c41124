//! Line games from descriptions: what is written, and what is refused.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod common;

use common::{findings, generate, snapshot};
use generate::line::{Board, Description, Player};
use rg_ir::SourceId;
use std::collections::BTreeSet;

/// Capture with chains, kings and a limit on a board that is drawn.
const SMALL: &str = "\
# A game for tests.
name: Small
about: A board with a triangle.
  Made for tests.
board:
  b b b

  b-b-b
  |\\|/|
  .-.-.
  |/|\\|
  w-w-w
promotion: far row
flying: kings
man steps: forward
capture: longest
limit: 20 quiet turns
";

#[test]
fn a_small_game() {
    let text = SMALL.replace("  b b b\n\n", "");
    snapshot("small_game", &generate(&text));
}

#[test]
fn mistakes() {
    let grid = "board: grid 3x3\nsetup: 3b 3. 3w\n";
    let drawn = |rows: &[&str]| format!("board:\n{}", rows.iter().map(|row| format!("  {row}\n")).collect::<String>());
    let cases = [
        ("a point that no line leads to", SMALL.to_owned()),
        ("lines that end nowhere", drawn(&["b-b--", "|   |", "w-w .", " \\"])),
        ("a gap in a line", drawn(&["b---b", "|    ", "    |", "w---w"])),
        ("characters that are none of a drawing", drawn(&["b-é", "|\t?", "w-w"])),
        ("two parts", drawn(&["b-b   b-b-b", "|/|", "w-w"])),
        ("a drawing without points", drawn(&["---"])),
        ("a drawing and a family", "board: grid 3x3\n  b-w\n".to_owned()),
        ("no board", "name: Nothing\n".to_owned()),
        ("an empty text", String::new()),
        ("no pieces", "board: grid 3x3\n".to_owned()),
        ("no pieces of one player", "board:\n  w-w-.\n".to_owned()),
        (
            "unknown keys and values",
            format!("{grid}capture: force\nchains: none\nsteps: forwards\nlimit: soon\nfirst:\n"),
        ),
        (
            "keys that are there twice, and lines that are none",
            format!("{grid}capture: forced\ncapture: optional\nhello\n  there\n"),
        ),
        ("an indented line below a rule", format!("{grid}capture: forced\n  or not\n")),
        ("a position that does not fit", "board: grid 3x3\nsetup: 3b 2. 3w\n".to_owned()),
        ("positions that are none", "board: grid 3x3\nsetup: 3(b 2(w)) q\n".to_owned()),
        ("a number without a piece", "board: grid 3x3\nsetup: 3b 3\n".to_owned()),
        ("pieces twice", "board:\n  b-w-.\nsetup: b . w\n".to_owned()),
        ("a huge board", "board: grid 1000x1000\nsetup: b w\n".to_owned()),
        ("a number that is larger than any", "board: grid 99999999999999999999999x1\n".to_owned()),
        ("huge triangles", "board: grid 1x1, triangles 900 north\n".to_owned()),
        ("huge rings", "board: rings 100x20\n".to_owned()),
        ("a huge position", "board: grid 3x3\nsetup: 1000(999w)\n".to_owned()),
        ("an unknown family", "board: gird 5x5\n".to_owned()),
        ("parts of a grid", "board: grid 5x5, diagonal, triangles 2 up\n".to_owned()),
        ("a side without a middle", "board: grid 4x4, triangles 2 north\n".to_owned()),
        ("triangles that overlap", "board: grid 1x1, triangles 2 north east\n".to_owned()),
        ("rings of two points", "board: rings 2x2\nsetup: 5w\n".to_owned()),
        ("rings of many points", "board: rings 1x900\nsetup: 901w\n".to_owned()),
        (
            "rules that contradict each other",
            format!("{grid}capture: longest\nchain: none\nflying: kings\nking steps: all\n"),
        ),
        (
            "rules that a board of rings does not allow",
            "board: rings 1x4\nsetup: . 2w 2b\nflying: all\npromotion: far row\nsteps: forward\n".to_owned(),
        ),
        ("a limit that is too large", format!("{grid}limit: 1000000 turns\n")),
        ("a limit of nothing", format!("{grid}limit: 0 quiet turns, win\n")),
    ];
    let all: Vec<String> = cases.iter().map(|(title, text)| format!("{title}\n\n{}", findings(text))).collect();
    snapshot("mistakes", &all.join("\n----\n"));
}

/// A board of a family, without pieces.
fn board(family: &str) -> Board {
    let points = |text: &str| Description::read(SourceId(0), text).map(|description| description.board);
    // A first position that does not fit tells how many points there are.
    let wrong = points(&format!("board: {family}\nsetup: 999.\n")).unwrap_err();
    let count: usize = wrong[0].message.rsplit(' ').next().unwrap().parse().unwrap();
    points(&format!("board: {family}\nsetup: wb {}\n", ".".repeat(count - 2))).unwrap()
}

/// Points, and lines from a point to the next one.
fn size(board: &Board) -> (usize, usize) {
    let ends = (0..board.directions.len())
        .flat_map(|direction| (0..board.points.len()).filter(move |&point| board.next(direction, point).is_some()));
    (board.points.len(), ends.count() / 2)
}

/// Numbers of points and lines, counted by hand.
#[test]
fn families_have_their_points_and_lines() {
    for (family, points, lines) in [
        ("grid 1x2", 2, 1),
        ("grid 3x4", 12, 17),
        ("grid 5x5, diagonals", 25, 56),
        ("grid 3x3, all diagonals", 9, 20),
        ("grid 2x2, centres", 5, 8),
        ("grid 1x1, triangles 1 north", 4, 5),
        ("grid 1x1, triangles 3 north south", 19, 30),
        ("grid 1x1, tails 2 east, tails 3 west", 6, 5),
        ("grid 5x5, diagonals, triangles 2 north east south west", 49, 56 + 40),
        // The board of the fox and the geese, and that of peg solitaire.
        ("grid 7x7, cross 3", 33, 52),
        ("grid 7x7, diagonals, cross 3", 33, 72),
        ("squares 1", 8, 8),
        // Nine men's morris.
        ("squares 3", 24, 32),
        ("squares 3, diagonals", 24, 40),
        ("squares 2, centre", 17, 24),
        ("rings 1x3", 4, 6),
        ("rings 3x6", 19, 36),
    ] {
        assert_eq!(size(&board(family)), (points, lines), "{family}");
    }
}

/// Each line can be followed back, in one direction only.
#[test]
fn lines_lead_back() {
    for family in ["grid 5x5, centres, triangles 2 east", "squares 3, diagonals, centre", "rings 3x6", "rings 2x5"] {
        let board = board(family);
        let all = || (0..board.directions.len()).flat_map(|d| (0..board.points.len()).map(move |p| (d, p)));
        let edges: BTreeSet<(usize, usize)> = all().filter_map(|(d, p)| Some((p, board.next(d, p)?))).collect();
        assert_eq!(edges.len(), all().filter(|&(d, p)| board.next(d, p).is_some()).count(), "{family}: two directions");
        assert!(edges.iter().all(|&(from, to)| edges.contains(&(to, from)) && from != to), "{family}");
    }
}

/// A board of a family is that of its drawing.
#[test]
fn drawings_are_read_as_they_are_written() {
    for family in
        ["grid 5x5, diagonals", "grid 1x1, triangles 3 north south, tails 1 east west", "squares 3, diagonals"]
    {
        let board = board(family);
        let drawn: String = board.drawing().iter().map(|line| format!("    {line}\n")).collect();
        let again = Description::read(SourceId(0), &format!("board:\n{drawn}")).unwrap().board;
        assert_eq!((again.drawing(), size(&again)), (board.drawing(), size(&board)), "{family}");
        let names = |board: &Board| board.points.iter().map(|point| point.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&again), names(&board));
    }
}

#[test]
fn pieces_stand_where_the_drawing_has_them() {
    let board = Description::read(SourceId(0), "board:\n  b---B\n  |   |\n  o---w\n").unwrap().board;
    let letters: Vec<(String, Option<char>)> =
        board.points.iter().map(|point| (point.name.clone(), point.piece.map(|piece| piece.letter()))).collect();
    let expected = [("a2", Some('b')), ("b2", Some('B')), ("a1", None), ("b1", Some('w'))];
    assert_eq!(letters, expected.map(|(name, letter)| (name.to_owned(), letter)));
    assert_eq!((board.pieces(Player::White), board.pieces(Player::Black)), (1, 2));
}

/// Where the lines end, and what a file begins with, says nothing.
#[test]
fn line_ends_of_other_systems() {
    let text = "board: grid 3x3\nsetup: 3b 3. 3w\nabout: one\n  two\n";
    assert_eq!(generate(text), generate(&text.replace('\n', "\r\n")));
}
