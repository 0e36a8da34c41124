//! Maps whose keys are few of the symbols of a large class: their tables have a row for each key, and not for each symbol.

use crate::common::{compare_two, parse};
use backend::{Engine, LiftedCode, Options, Reasoner};

/// More symbols than a table has entries without rows, in one class with the keys.
const MANY: usize = 1100;

fn list(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// The symbols of the class; the keys come last, so that their numbers are not their rows.
fn class(keys: &[String]) -> String {
    list((0..MANY).map(|number| format!("b{number}")).chain(keys.iter().cloned()))
}

/// What a game is before its moves: a turn counter, and an end by it.
const FRAME: &str = "
type Player = { p };
type Score = { 0, 100 };
type Turn = { t0, t1, t2, t3, t4 };
const after: Turn -> Turn = { :t4, t0: t1, t1: t2, t2: t3 };
var turn: Turn = t0;
done, counted: turn = after[turn];
counted, over: turn == t4;
counted, begin: turn != t4;
scored, end: player = keeper;
begin, move: player = p;
";

/// A key is chosen by what the map has there.
fn chosen_by_map() -> String {
    let keys: Vec<String> = (0..60).map(|number| format!("k{number}")).collect();
    let pieces = list(keys.iter().zip(["x", "o", "e"].iter().cycle()).map(|(key, piece)| format!("{key}: {piece}")));
    format!(
        "{FRAME}
type Key = {{ {} }};
type Big = {{ {} }};
type Few = {{ b1, b9, k2, k5 }};
type Piece = {{ e, x, o }};
var pos: Big = b0;
var last: Big = b0;
var at: Key -> Piece = {{ :e, {pieces} }};
var seen: Big -> Piece = {{ :e }};
move, chosen: pos = Key(*);
chosen, tested: at[pos] == x;
chosen, tested: at[pos] == o;
tested, named: $$ pos;
named, taken: at[pos] = e;
taken, marked: seen[pos] = x;
marked, noted: last = pos;
noted, done: player = keeper;
move, any: pos = Few(*);
any, unseen: seen[pos] != x;
unseen, other: pos != last;
other, free: at[pos] == e;
free, shown: $ put;
shown, which: $$ pos;
which, placed: at[pos] = x;
placed, kept: last = pos;
kept, done: player = keeper;
over, won: at[last] == x;
over, lost: at[last] != x;
won, scored: goals[p] = 100;
lost, scored: goals[p] = 0;
",
        list(keys.iter().cloned()),
        class(&keys),
    )
}

/// A constant map of a constant map, whose keys are of the large class.
fn composed() -> String {
    let keys = ["c0", "c1", "c2"].map(str::to_owned);
    let squares: Vec<String> = (0..30).map(|number| format!("s{number}")).collect();
    let pieces = list(squares.iter().zip(["e", "x", "o"].iter().cycle()).map(|(key, piece)| format!("{key}: {piece}")));
    format!(
        "{FRAME}
type Key = {{ {} }};
type Big = {{ {} }};
type Square = {{ {} }};
type Piece = {{ e, x, o }};
type Height = {{ low, high, middle }};
const inner: Piece -> Key = {{ :c0, x: c1, o: c2 }};
const outer: Key -> Height = {{ :low, c1: high, c2: middle }};
var pos: Big = b0;
var square: Square = s0;
var seen: Big -> Piece = {{ :e }};
var mark: Key -> Piece = {{ :e, c1: x }};
var board: Square -> Piece = {{ :e, {pieces} }};
move, chosen: square = Square(*);
chosen, is_high: outer[inner[board[square]]] == high;
chosen, is_middle: outer[inner[board[square]]] == middle;
is_high, is_marked: mark[pos] == e;
is_high, is_marked: mark[pos] == x;
is_marked, up: $ up;
up, named: $$ square;
named, emptied: board[square] = e;
emptied, stepped: pos = c1;
stepped, marked: seen[pos] = x;
marked, done: player = keeper;
is_middle, unseen: seen[pos] != x;
unseen, down: $ down;
down, shown: $$ square;
shown, filled: board[square] = x;
filled, cleared: mark[pos] = e;
cleared, moved: pos = c2;
moved, done: player = keeper;
over, won: pos == c1;
over, lost: pos != c1;
won, scored: goals[p] = 100;
lost, scored: goals[p] = 0;
",
        list(keys.iter().cloned()),
        class(&keys),
        list(squares.iter().cloned()),
    )
}

#[test]
fn all_code_finds_rows() {
    let naive = Options { engine: Engine::Naive, ..Options::default() };
    let codes = [LiftedCode::Sets, LiftedCode::Searches, LiftedCode::Cheapest];
    for text in [chosen_by_map(), composed()] {
        let game = parse(&text).unwrap();
        for lifted_code in codes {
            let lifted = Options { engine: Engine::Interpreter, lifted_code, ..Options::default() };
            let report = Reasoner::with_options(&game, lifted).unwrap().report().join("; ");
            // Maps with rows are never kept as sets.
            let is_lifted = report.contains("lifted") && !report.contains("not lifted");
            assert!(is_lifted || lifted_code == LiftedCode::Sets, "{lifted_code:?}: {report}");
            let seen = compare_two(&game, [naive, lifted], 3, 8, 1);
            let seen = seen.unwrap_or_else(|error| panic!("{lifted_code:?}: {error}"));
            assert!(seen.moves > 100, "{lifted_code:?}: {} moves", seen.moves);
        }
    }
}
