//! What searches know of walks before they search.

use super::super::lifter::Lifter;
use super::super::numbers::Numbers;
use super::super::{Code, SearchFacts};
use super::area::Area;
use super::{Goal, Labels, labels};
use engine::valid::ValidGame;
use passes::analysis::{Ranges, Values};
use rg_ir::SourceId;
use std::rc::Rc;

/// A rook on a line of five squares with a stone: it goes in one of two directions, as far as it likes.
const ROOK: &str = "
type Player = { p };
type Score = { 0, 100 };
type Square = { s0, s1, s2, s3, s4, off };
type Piece = { empty, rook, stone, none };
const left: Square -> Square = { :off, s1: s0, s2: s1, s3: s2, s4: s3 };
const right: Square -> Square = { :off, s0: s1, s1: s2, s2: s3, s3: s4 };
var board: Square -> Piece = { :empty, s2: rook, s4: stone, off: none };
var pos: Square = s0;
begin, turn: player = p;
turn, chosen: pos = Square(*);
chosen, from: board[pos] == rook;
from, lifted: $$ pos;
lifted, way: board[pos] = empty;
way, go_left: pos = left[pos];
way, go_right: pos = right[pos];
go_left, on_left: board[pos] == empty;
on_left, go_left: pos = left[pos];
on_left, stop: ;
go_right, on_right: board[pos] == empty;
on_right, go_right: pos = right[pos];
on_right, stop: ;
stop, named: $$ pos;
named, put: board[pos] = rook;
put, over: player = keeper;
over, won: goals[p] = 100;
won, end: player = keeper;
";

/// Seeds of a hole are sown one by one, once it has been named; whether there are any shows the state.
const SOWING: &str = "
type Player = { p };
type Score = { 0, 100 };
type Hole = { h0, h1, h2 };
type Count = { 0, 1, 2, 3, 4, 5, 6 };
const next: Hole -> Hole = { :h0, h0: h1, h1: h2 };
const less: Count -> Count = { :0, 0: 6, 1: 0, 2: 1, 3: 2, 4: 3, 5: 4, 6: 5 };
const more: Count -> Count = { :6, 0: 1, 1: 2, 2: 3, 3: 4, 4: 5, 5: 6 };
var seeds: Hole -> Count = { :2 };
var at: Hole = h0;
var hand: Count = 0;
begin, turn: player = p;
turn, chosen: at = Hole(*);
chosen, some: seeds[at] != 0;
some, named: $$ at;
named, taken: hand = seeds[at];
taken, sow: seeds[at] = 0;
sow, one: hand != 0;
sow, sown: hand == 0;
one, there: at = next[at];
there, added: seeds[at] = more[seeds[at]];
added, sow: hand = less[hand];
sown, over: player = keeper;
over, won: goals[p] = 100;
won, end: player = keeper;
";

/// What is known of a game: whether the labels of its decision at `turn` are unique, the nodes where a search for a goal stops because the
/// rest is certain, and those in loops that end.
fn known(text: &str, goal: Goal) -> (bool, Vec<String>, Vec<String>) {
    let (game, diagnostics) = rg_ir::text::parse(SourceId(0), text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let game = ValidGame::new(&game.unwrap()).unwrap();
    let values = Values::solve(&game, &Ranges::solve(&game));
    let mut lifter = Lifter::new(&game, game.claims(), Numbers::new(&game), values.as_ref(), Code::Scalar).unwrap();
    lifter.known.walks = Some(SearchFacts { unique_labels: &[], marked: &[] });
    let partings = lifter.partings();
    let found = labels::solve(&lifter, &game, &partings);
    let area: Rc<Area> = lifter.area(goal).unwrap();
    let nodes = |holds: &dyn Fn(rg_ir::NodeId) -> bool| {
        let nodes = area.region.component.keys().copied().filter(|&node| holds(node));
        let mut names: Vec<String> = nodes.map(|node| game.node_name(node).to_owned()).collect();
        names.sort_unstable();
        names
    };
    let unique = found.unique.iter().any(|&node| game.node_name(node) == "turn");
    (unique, nodes(&|node| area.is_certain(node)), nodes(&|node| area.has_loop_that_ends(node)))
}

/// Only the values show that two rays do not meet; both stop at `stop`, and show a square there.
#[test]
fn rays_have_labels_of_their_own() {
    let goal = Goal::List(Labels::Unique);
    assert!(known(ROOK, goal).0);
    // If both go left, they meet.
    assert!(!known(&ROOK.replace("right[pos]", "left[pos]"), goal).0);
    // If the square where they stop is not shown, all stops of one ray look alike.
    assert!(!known(&ROOK.replace("stop, named: $$ pos;", "stop, named: $ there;"), goal).0);
    // A way that is there twice.
    assert!(!known(&ROOK.replace("on_left, stop: ;", "on_left, stop: ; on_left, stop2: ; stop2, stop: ;"), goal).0);
    // Two tests that exclude each other lead to one place.
    let twice = "chosen, from: board[pos] == rook; chosen, other: board[pos] == stone; other, from: ;";
    assert!(known(&ROOK.replace("chosen, from: board[pos] == rook;", twice), goal).0);
    let cast = "chosen, from: board[pos] == rook; chosen, other: board[pos] == Piece(rook); other, from: ;";
    assert!(!known(&ROOK.replace("chosen, from: board[pos] == rook;", cast), goal).0);
    let both = "chosen, from: board[pos] == rook; chosen, other: board[pos] != stone; other, from: ;";
    assert!(!known(&ROOK.replace("chosen, from: board[pos] == rook;", both), goal).0);
}

/// Walks that lead nowhere may meet as often as they part: where they do, marks stay.
#[test]
fn nodes_from_which_walks_lead_nowhere_are_not_visited_once() {
    let (game, _) = rg_ir::text::parse(
        SourceId(0),
        "
type Player = { p };
type Score = { 0, 100 };
type T = { a, b, c };
var w: T = c;
var v: T = a;
begin, turn: player = p;
turn, well: $ well;
well, over: player = keeper;
turn, part: $ lost;
part, meet: w != a;
part, detour: w != b;
detour, meet: ;
meet, set: v = a;
set, goal: v == b;
goal, over: player = keeper;
over, end: player = keeper;
",
    );
    let game = ValidGame::new(&game.unwrap()).unwrap();
    let mut lifter = Lifter::new(&game, game.claims(), Numbers::new(&game), None, Code::Scalar).unwrap();
    lifter.known.walks = Some(SearchFacts { unique_labels: &[], marked: &[] });
    let partings = lifter.partings();
    let found = labels::solve(&lifter, &game, &partings);
    let once = |name: &str| {
        let node = game.automaton.nodes().find(|&node| game.node_name(node) == name).unwrap();
        found.is_visited_once(node, false)
    };
    assert_eq!(["turn", "well", "part", "meet", "set"].map(once), [true, true, true, false, false]);
}

/// Walks from two squares that reach one square are cut off by its mark only if they show the same tags later.
#[test]
fn marks_depend_on_the_tags_to_come() {
    let (game, diagnostics) = rg_ir::text::parse(
        SourceId(0),
        "
type Player = { p };
type Score = { 0, 100 };
type Square = { null, a, b, c, d };
const right: Square -> Square = { :null, a: b, b: c, c: d };
const far: Square -> Square = { :null, a: c, b: d };
var from: Square = a;
var to: Square = null;
begin, turn: player = p;
turn, chosen: from = Square(*);
chosen, stepped: to = right[from];
chosen, stepped: to = far[from];
stepped, on: to != null;
on, named: $$ from;
named, moved: $$ to;
moved, over: player = keeper;
over, end: player = keeper;
",
    );
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let game = ValidGame::new(&game.unwrap()).unwrap();
    let mut lifter = Lifter::new(&game, game.claims(), Numbers::new(&game), None, Code::Scalar).unwrap();
    let marked = vec![true; game.automaton.node_bound()];
    lifter.known.walks = Some(SearchFacts { unique_labels: &[], marked: &marked });
    let partings = lifter.partings();
    let turn = game.automaton.nodes().find(|&node| game.node_name(node) == "turn").unwrap();
    assert!(labels::solve(&lifter, &game, &partings).unique.contains(&turn));
    let area = lifter.area(Goal::List(Labels::Unique)).unwrap();
    let stepped = game.automaton.nodes().find(|&node| game.node_name(node) == "stepped").unwrap();
    // Ways off the board meet there.
    let (_, of) = area.mark(stepped).unwrap();
    let vars: Vec<&str> = of.iter().map(|(var, _)| game.symbols.name(game.vars[*var].name)).collect();
    assert_eq!(vars, ["from", "to"]);
}

#[test]
fn the_rest_of_a_move_is_certain_behind_its_last_choice() {
    let certain = |text: &str, labels| known(text, Goal::List(labels)).1;
    let all = ["added", "named", "one", "some", "sow", "sown", "taken", "there"];
    assert_eq!(certain(SOWING, Labels::Unique), all);
    // Labels that are compared need their tags.
    assert_eq!(certain(SOWING, Labels::Compared), all.into_iter().filter(|name| *name != "some").collect::<Vec<_>>());
    // A test without an alternative may fail.
    let fails = SOWING.replace("sow, sown: hand == 0;", "sow, last: hand == 0; last, sown: seeds[at] == 1;");
    assert_eq!(certain(&fails, Labels::Unique), ["sown"]);
    // Both ways may be open.
    assert_eq!(certain(&SOWING.replace("sow, sown: hand == 0;", "sow, sown: ;"), Labels::Unique), ["sown"]);
    // Seeds that do not become fewer are sown for ever.
    let endless = SOWING.replace("hand = less[hand]", "hand = hand");
    assert_eq!(certain(&endless, Labels::Unique), ["sown"]);
    assert_eq!(certain(ROOK, Labels::Unique), ["named", "put", "stop"]);
}

#[test]
fn loops_that_count_down_end() {
    let ending = |text: &str| known(text, Goal::List(Labels::Unique)).2;
    let all = ["added", "one", "sow", "there"];
    assert_eq!(ending(SOWING), all);
    // From 0, it goes round to 6; but 0 ends the loop.
    assert_eq!(ending(&SOWING.replace("0: 6, 1: 0", "1: 0")), all);
    // The step misses 0.
    assert_eq!(ending(&SOWING.replace("1: 0, 2: 1", "1: 6, 2: 1").replace(":0, 0: 6", ":0, 0: 0")), [""; 0]);
    // Something else is written to the counter.
    assert_eq!(ending(&SOWING.replace("one, there:", "one, back: hand = 3; back, there:")), [""; 0]);
    // There is a way round without the test.
    assert_eq!(ending(&SOWING.replace("added, sow:", "there, one: ; added, sow:")), [""; 0]);
    // One hole is left out: no two holes in a row are that one.
    let left_out = SOWING
        .replace("var hand", "var left: Hole = h1; var hand")
        .replace("there, added:", "there, sow: at == left; there, put: at != left; put, added:");
    let more = ["added", "one", "put", "sow", "there"];
    assert_eq!(ending(&left_out), more);
    assert_eq!(ending(&left_out.replace("at == left", "left == at")), more);
    // A step may lead to the same hole.
    assert_eq!(ending(&left_out.replace("h1: h2", "h1: h1")), [""; 0]);
    // The one that is left out may be another one each time.
    assert_eq!(
        ending(&left_out.replace("there, sow:", "there, next: at == left; next, sow: left = next[left]; there, sow:")),
        [""; 0]
    );
    // There is no step in between.
    assert_eq!(ending(&left_out.replace("there, sow:", "there, there: at == left; there, sow:")), [""; 0]);
    // Two steps in a row may jump over 0.
    let jumps = SOWING.replace("added, sow:", "added, second: hand = less[hand]; second, sow:");
    assert_eq!(ending(&jumps), [""; 0]);
    assert_eq!(known(&jumps, Goal::List(Labels::Unique)).1, ["sown"]);
    // The ends of lines are seen by what is there, not by a test of the square.
    assert_eq!(ending(ROOK), [""; 0]);
    let tested = ROOK
        .replace("on_left, go_left: pos = left[pos];", "on_left, more: pos != off; more, go_left: pos = left[pos];");
    assert_eq!(ending(&tested), ["go_left", "more", "on_left"]);
}
