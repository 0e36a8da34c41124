//! What variables and cells may hold.
#![allow(clippy::unwrap_used, clippy::panic)]

use passes::analysis::{Ranges, Unsolved, Values};
use rg_ir::{Game, SourceId};
use std::fmt::Write;

/// A walk along a line of so many squares, as long as they are empty, to the one that is taken then.
fn line(squares: usize) -> Game {
    let names: Vec<String> = (0..squares).map(|i| format!("s{i}")).collect();
    let mut steps = String::new();
    for pair in names.windows(2) {
        write!(steps, ", {}: {}", pair[0], pair[1]).unwrap();
    }
    let names = names.join(", ");
    let text = format!(
        "type Player = {{ a }}; type Score = {{ 0 }}; type Piece = {{ e, w, border }};
        type Square = {{ {names}, off }};
        const next: Square -> Square = {{ :off{steps} }};
        var board: Square -> Piece = {{ :e, off: border }};
        var pos: Square = s0;
        begin, m1: player = a;
        m1, n1: pos = s0;
        n1, n2: board[pos] == e;
        n2, n1: pos = next[pos];
        n2, n3: $$ pos;
        n3, n4: board[pos] = w;
        n4, m1: player = a;
        n4, end: player = keeper;"
    );
    let (game, findings) = rg_ir::text::parse(SourceId(0), &text);
    game.unwrap_or_else(|| panic!("{findings:?}\n{text}"))
}

/// What a comparison on the way leaves out stays out, however long the walk is.
#[test]
fn places_off_the_board_are_never_written() {
    for squares in [2, 15, 16, 17, 40, 300] {
        let game = line(squares);
        let values = Values::solve(&game, &Ranges::solve(&game)).unwrap();
        let symbol = |name: &str| game.symbols.get(name).unwrap();
        let [board, pos] = ["board", "pos"].map(|name| game.find_var(symbol(name)).unwrap());
        assert!(values.is_constant(board, symbol("off")), "{squares} squares");
        assert!(!values.is_constant(board, symbol("s0")));
        assert_eq!(values.ever_at(board, symbol("off")).unwrap(), [symbol("border")]);
        let node = game.automaton.nodes().find(|&id| game.node_name(id) == "n3").unwrap();
        let there = values.at(node, pos).unwrap();
        assert_eq!(there.len(), squares, "all squares, and not `off`");
    }
}

/// Who wants to know that some keys are never written is told that one is, or gets the same values as everybody.
#[test]
fn what_is_written_is_given_up_early() {
    let game = line(20);
    let ranges = Ranges::solve(&game);
    let symbol = |name: &str| game.symbols.get(name).unwrap();
    let board = game.find_var(symbol("board")).unwrap();
    let solve = |lists: &[&[&str]]| {
        let lists = lists.iter().map(|names| names.iter().map(|name| symbol(name)).collect()).collect();
        Values::solve_unwritten(&game, &ranges, &[(board, lists)].into_iter().collect())
    };
    assert_eq!(solve(&[&["s19"]]).err(), Some(Unsolved::Written));
    assert_eq!(solve(&[&["off", "s3"], &["s0", "off"]]).err(), Some(Unsolved::Written));
    let whole = Values::solve(&game, &ranges).unwrap();
    for lists in [&[&["off"][..]][..], &[&["s3"], &["off"]]] {
        let values = solve(lists).unwrap_or_else(|error| panic!("{error:?} for {lists:?}"));
        for name in ["off", "s0", "s19"] {
            assert_eq!(values.ever_at(board, symbol(name)), whole.ever_at(board, symbol(name)));
        }
    }
}
