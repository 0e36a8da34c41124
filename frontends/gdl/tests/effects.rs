//! What a move changes, and how: sheets on which a rule of the translation fires, each of them played in lock-step with its
//! ground program.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod common;

use common::play::{Player, lock_step};
use rg_ir::{Expr, Label};

/// How many nodes of a lifted sheet have a name that begins so.
fn nodes(lowered: &gdl::Lowered, stem: &str) -> usize {
    let game = &lowered.game;
    game.automaton.nodes().filter(|&node| game.node_name(node).starts_with(stem)).count()
}

/// Lifts a sheet, also in the compact form, and plays it; the first form.
fn played(text: &str) -> gdl::Lowered {
    let (description, findings) = gdl::parse(rg_ir::SourceId(0), text);
    let description = description.unwrap_or_else(|| panic!("{findings:?}"));
    let program = gdl::normal::normalize(&description).unwrap();
    let theirs = Player::new(gdl::translate_ground(&description, gdl::Limits::default()).unwrap()).unwrap();
    for lifted in [gdl::lift(&program).unwrap(), gdl::lift_compact(&program).unwrap()] {
        let ours = Player::new(lifted).unwrap();
        (0..20).for_each(|seed| lock_step("a sheet", &ours, &theirs, seed));
    }
    gdl::lift(&program).unwrap()
}

/// A track on which pieces move as rules in a relation of their own say, written by a program: the relation has the piece that
/// moves, the piece that is taken and the count, and cases that never are. `more` are rules for the moves.
fn track(more: &str) -> String {
    let cells: String = (0..6).map(|n| format!("(after c{n} c{})", n + 1)).collect();
    format!(
        "(role white) (role black) (init (turn white)) (init (count 0)) (init (last none)) {cells}
         (up 0 1) (up 1 2) (up 2 3) (up 3 4) (up 4 5) (up 5 6) (up 6 7) (up 7 8)
         (of white w) (of white v) (of black m) (foe white m) (foe black w) (foe black v)
         (init (on c0 w)) (init (on c1 v)) (init (on c2 empty)) (init (on c3 empty)) (init (on c4 m)) (init (on c5 empty))
         (init (on c6 m))
         (<= (near ?x ?y) (after ?x ?y)) (<= (near ?x ?y) (after ?y ?x))
         (<= (counted ?n) (true (count ?m)) (up ?m ?n))
         (<= (arrives ?r ?x ?y) (steps ?r ?x ?y) (true (on ?y empty)))
         (<= (arrives ?r ?x ?y) (steps ?r ?x ?y) (true (on ?y ?p)) (foe ?r ?p))
         (<= (walks ?r ?x ?y ?p empty ?n) (arrives ?r ?x ?x) (counted ?n) (true (on ?x ?p)) (distinct ?x ?y) (cell ?y))
         (<= (walks ?r ?x ?y ?p ?q ?n) (arrives ?r ?x ?y) (counted ?n) (true (on ?x ?p)) (true (on ?y ?q)) (distinct ?x ?y))
         (<= (cell ?x) (after ?x ?y)) (cell c6)
         (<= (legal ?r (go ?x ?y)) (true (turn ?r)) (walks ?r ?x ?y ?p ?q ?n))
         (<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
         (<= (made ?x ?y ?p ?q ?n) (does ?r (go ?x ?y)) (walks ?r ?x ?y ?p ?q ?n))
         (<= (changed ?x) (made ?x ?y ?p ?q ?n)) (<= (changed ?y) (made ?x ?y ?p ?q ?n))
         (<= (next (on ?x empty)) (made ?x ?y ?p ?q ?n))
         (<= (next (on ?y ?p)) (made ?x ?y ?p ?q ?n))
         (<= (next (on ?x ?p)) (true (on ?x ?p)) (not (changed ?x)))
         (<= (next (count ?n)) (made ?x ?y ?p ?q ?n))
         (<= (next (last ?q)) (made ?x ?y ?p ?q ?n))
         (<= (next (turn white)) (true (turn black))) (<= (next (turn black)) (true (turn white)))
         (<= left (true (on ?x m)))
         (<= terminal (true (count 8))) (<= terminal (not left)) (<= terminal (true (last v)))
         (<= stuck (role ?r) (true (turn ?r)) (not (free ?r))) (<= terminal stuck)
         (<= (free ?r) (walks ?r ?x ?y ?p ?q ?n))
         (<= (goal white 100) (not left)) (<= (goal white 50) left) (<= (goal black 0) (not left)) (<= (goal black 50) left)
         {more}"
    )
}

/// What a move does is an assignment: which piece comes to the cell is read, and that the move is as the rules for legal moves
/// say need not be asked again.
#[test]
fn values_that_a_walk_carries_are_read() {
    let lifted = played(&track("(<= (steps ?r ?x ?y) (of ?r ?p) (true (on ?x ?p)) (near ?x ?y))"));
    assert_eq!(nodes(&lifted, "each"), 0);
    let game = &lifted.game;
    let names: Vec<&str> = game.vars.iter().map(|(_, var)| game.name(var.name)).collect();
    assert!(!names.iter().any(|name| name.starts_with("next_")), "{names:?}");
}

/// A piece that slides is followed from where it is, not looked for from each cell.
#[test]
fn relations_that_ask_for_themselves_are_walked() {
    let lifted = played(&track(
        "(<= (slides ?r ?x ?y) (of ?r ?p) (true (on ?x ?p)) (after ?x ?y))
         (<= (slides ?r ?x ?z) (slides ?r ?x ?y) (true (on ?y empty)) (after ?y ?z))
         (<= (falls ?r ?x ?y) (of ?r ?p) (true (on ?x ?p)) (after ?y ?x))
         (<= (falls ?r ?x ?z) (falls ?r ?x ?y) (true (on ?y empty)) (after ?z ?y))
         (<= (steps ?r ?x ?y) (slides ?r ?x ?y)) (<= (steps ?r ?x ?y) (falls ?r ?x ?y))",
    ));
    assert!(nodes(&lifted, "walked") > 0);
}

/// What is tested of the end of a walk does not hold on the way. The sheet is the translation of a game with a loop that marks places until there is no next
/// one, which was once lifted without what the loop writes.
#[test]
fn ends_of_walks_are_tested_at_the_end() {
    let (description, findings) = gdl::parse(rg_ir::SourceId(0), include_str!("fixtures/loop.kif"));
    let description = description.unwrap_or_else(|| panic!("{findings:?}"));
    let lifted = gdl::translate(&description, gdl::Limits::default()).unwrap();
    assert!(lifted.summary.is_none(), "it is lifted");
    let theirs = Player::new(gdl::translate_ground(&description, gdl::Limits::default()).unwrap()).unwrap();
    let ours = Player::new(lifted).unwrap();
    (0..20).for_each(|seed| lock_step("a sheet", &ours, &theirs, seed));
}

/// Walks that come back to where they were, that hand two arguments on and change two others.
#[test]
fn walks_in_circles() {
    let lifted = played(
        "(role a) (init (at p 1)) (init (at q 3)) (init (day 1)) (after 1 2) (after 2 3) (after 3 4) (after 4 1)
         (up 1 2) (up 2 3) (up 3 4) (up 4 5) (up 5 6) (odd 1) (odd 3)
         (turns left right) (turns right left)
         (<= (way ?p ?x ?y left) (true (at ?p ?x)) (after ?x ?y))
         (<= (way ?p ?x ?z ?f) (way ?p ?x ?y ?e) (after ?y ?z) (turns ?e ?f) (not (true (shut ?y))))
         (<= (legal a (go ?p ?y ?f)) (way ?p ?x ?y ?f))
         (<= (legal a (shut ?x)) (after ?x ?y) (not (true (shut ?x))))
         (<= (next (at ?p ?y)) (does a (go ?p ?y ?f)))
         (<= (next (at ?p ?x)) (true (at ?p ?x)) (not (goes ?p)))
         (<= (goes ?p) (does a (go ?p ?y ?f)))
         (<= (next (shut ?x)) (does a (shut ?x)))
         (<= (next (shut ?x)) (true (shut ?x)))
         (<= (next (day ?n)) (true (day ?m)) (up ?m ?n))
         (<= met (true (at p ?x)) (true (at q ?x)))
         (<= terminal (true (day 6))) (<= (goal a 100) met) (<= (goal a 0) (not met))",
    );
    assert!(nodes(&lifted, "walked") > 0);
}

/// Where a stone comes to depends on the state, so that no function of the move says it: there is one assignment for each of the
/// few places where that can be, not a look at all cells.
#[test]
fn few_keys_are_written_out() {
    let lifted = played(include_str!("../../../games/gdl/connectFour.gdl"));
    assert_eq!(nodes(&lifted, "each"), 0);
}

/// What is added is read where each of two pieces is: an assignment for each piece, not a look at all cells.
#[test]
fn what_is_added_is_read_at_few_keys() {
    let cells: String = (0..8).map(|n| format!("(after c{n} c{})", n + 1)).collect();
    let lifted = played(&format!(
        "(role red) (role blue) {cells} (init (at red c0)) (init (at blue c8)) (init (day 1)) (up 1 2) (up 2 3) (up 3 4) (up 4 5)
         (<= (legal ?p go) (role ?p)) (<= (legal ?p stay) (role ?p))
         (<= (next (seen ?x)) (true (seen ?x)))
         (<= (next (seen ?x)) (true (at ?p ?x)))
         (<= (next (at red ?y)) (does red go) (true (at red ?x)) (after ?x ?y))
         (<= (next (at blue ?y)) (does blue go) (true (at blue ?x)) (after ?y ?x))
         (<= (next (at ?p ?x)) (does ?p stay) (true (at ?p ?x)))
         (<= (next (day ?n)) (true (day ?m)) (up ?m ?n))
         (<= (meets ?p) (true (at ?p ?x)) (true (seen ?x)))
         (<= terminal (true (day 5))) (<= terminal (meets red) (meets blue))
         (<= (goal ?p 100) (role ?p) (not (meets ?p))) (<= (goal ?p 0) (meets ?p))"
    ));
    assert_eq!(nodes(&lifted, "each"), 0);
}

/// Where one rule adds what a search has to find, only the keys that it can add are looked at; what another rule adds is an assignment.
#[test]
fn what_a_search_finds_is_looked_for_at_its_own_keys() {
    let cells: String = (0..40).map(|n| format!("(after c{n} c{})", n + 1)).collect();
    let lifted = played(&format!(
        "(role a) {cells} (init (on c3 stone)) (init (on c17 stone)) (init (on c30 stone)) (init (day 1)) (up 1 2) (up 2 3) (up 3 4) (up 4 5)
         (<= (legal a (put ?x)) (after ?x ?y) (not (true (on ?x stone))))
         (<= (next (on ?x stone)) (true (on ?x stone)))
         (<= (next (on ?x stone)) (does a (put ?x)))
         (<= (next (mark last ?x)) (does a (put ?x)))
         (<= (next (mark left ?x)) (does a (put ?y)) (true (on ?x stone)) (spots ?x ?y))
         (<= (spots ?x ?y) (after ?x ?y)) (<= (spots ?x ?z) (after ?x ?y) (not (true (on ?y stone))) (spots ?y ?z))
         (<= (next (day ?n)) (true (day ?m)) (up ?m ?n))
         (<= seen (true (mark left ?x)) (true (mark last ?y)))
         (<= terminal (true (day 5))) (<= (goal a 100) seen) (<= (goal a 0) (not seen))"
    ));
    assert_eq!(nodes(&lifted, "each"), 3, "one loop: its body, its end, and its next round");
    let game = &lifted.game;
    let copies = |label: &Label| match *label {
        Label::Assign { rhs, .. } => match game.exprs.get(rhs) {
            Expr::Var(var) => game.vars.get(var).is_some_and(|var| game.name(var.name).starts_with("next_mark")),
            _ => false,
        },
        _ => false,
    };
    assert!(!game.automaton.edges().any(|(_, edge)| copies(&edge.label)), "marks are not computed all over again");
}

/// One relation says which files and which ranks are next to each other. A piece that goes from file to file does not come to a rank.
#[test]
fn sorts_are_not_mixed() {
    let lifted = played(
        "(role a) (file a b) (file b c) (file c d) (rank 1 2) (rank 2 3) (rank 3 4) (init (at b 2)) (init (day 1)) (up 1 2) (up 2 3) (up 3 4) (up 4 5)
         (<= (near ?x ?y) (file ?x ?y)) (<= (near ?x ?y) (file ?y ?x)) (<= (near ?x ?y) (rank ?x ?y)) (<= (near ?x ?y) (rank ?y ?x))
         (coordinate a) (coordinate b) (coordinate c) (coordinate d) (coordinate 1) (coordinate 2) (coordinate 3) (coordinate 4)
         (<= (step ?u ?v ?x ?v) (near ?u ?x) (coordinate ?v)) (<= (step ?u ?v ?u ?y) (near ?v ?y) (coordinate ?u))
         (<= (legal a (go ?x ?y)) (true (at ?u ?v)) (step ?u ?v ?x ?y))
         (<= (next (at ?x ?y)) (does a (go ?x ?y)))
         (<= (next (seen ?x ?y)) (true (seen ?x ?y))) (<= (next (seen ?x ?y)) (does a (go ?x ?y)))
         (<= (next (day ?n)) (true (day ?m)) (up ?m ?n))
         (<= back (true (at ?x ?y)) (true (seen ?x ?y)) (true (seen b 3)))
         (<= terminal (true (day 5))) (<= (goal a 100) back) (<= (goal a 0) (not back))",
    );
    let game = &lifted.game;
    let members = |name: &str| {
        let symbol = game.symbols.get(name).unwrap();
        let (key, _) = game.types.as_arrow(game.vars.get(game.find_var(symbol).unwrap()).unwrap().ty).unwrap();
        game.types.members(key).len()
    };
    assert_eq!(members("seen"), 16);
}

/// What is jumped over is a function of where the piece comes from and goes to, but only for moves that are jumps.
#[test]
fn what_two_arguments_determine() {
    let cells: String = (0..8).map(|n| format!("(after c{n} c{})", n + 1)).collect();
    let lifted = played(&format!(
        "(role a) {cells} (init (day 1)) (up 1 2) (up 2 3) (up 3 4) (up 4 5)
         (init (on c0)) (init (on c1)) (init (on c3)) (init (on c4)) (init (on c6))
         (<= (cell ?x) (after ?x ?y)) (cell c8)
         (<= (near ?x ?y) (after ?x ?y)) (<= (near ?x ?y) (after ?y ?x))
         (<= (leap ?x ?y) (near ?x ?m) (near ?m ?y) (distinct ?x ?y))
         (<= (over ?x ?m ?y) (leap ?x ?y) (near ?x ?m) (near ?m ?y) (true (on ?m)))
         (<= (legal a (jump ?x ?y)) (true (on ?x)) (over ?x ?m ?y) (cell ?y) (not (true (on ?y))))
         (<= (legal a pass))
         (<= (gone ?x) (does a (jump ?x ?y)))
         (<= (gone ?m) (does a (jump ?x ?y)) (over ?x ?m ?y))
         (<= (next (on ?y)) (does a (jump ?x ?y)))
         (<= (next (on ?x)) (true (on ?x)) (not (gone ?x)))
         (<= (next (day ?n)) (true (day ?m)) (up ?m ?n))
         (<= terminal (true (day 5))) (<= (goal a 100) (true (on c8))) (<= (goal a 0) (not (true (on c8))))"
    ));
    assert_eq!(nodes(&lifted, "each"), 0);
}

/// Moves that exclude each other by what else they ask: the test that a rule repeats may be left out only if no other rule makes
/// the same move legal.
#[test]
fn tests_that_tell_moves_apart_stay() {
    played(
        "(role a) (init (at 1)) (init (day 1)) (init (bag empty)) (up 1 2) (up 2 3) (up 3 4) (up 4 5) (up 5 1)
         (<= (walk ?x ?y) (true (at ?x)) (up ?x ?y))
         (<= (ride ?x ?y) (true (at ?x)) (up ?x ?y) (true (bag full)))
         (<= (fly ?x ?x) (true (at ?x)) (true (bag full)))
         (<= (legal a (go ?x ?y)) (walk ?x ?y)) (<= (legal a (go ?x ?y)) (ride ?x ?y)) (<= (legal a (go ?x ?y)) (fly ?x ?y))
         (<= (legal a fill))
         (<= (rode ?x ?y) (does a (go ?x ?y)) (ride ?x ?y)) (<= (flew ?x ?y) (does a (go ?x ?y)) (fly ?x ?y))
         (<= (next (at ?y)) (does a (go ?x ?y))) (<= (next (at ?x)) (true (at ?x)) (does a fill))
         (<= (next (bag empty)) (rode ?x ?y)) (<= (next (bag half)) (flew ?x ?x)) (<= (next (bag full)) (does a fill))
         (<= (next (bag ?b)) (true (bag ?b)) (does a (go ?x ?y)) (not (rode ?x ?y)) (not (flew ?x ?y)))
         (<= (day ?n) (true (day ?m)) (up ?m ?n)) (<= (next (day ?n)) (day ?n) (true (day ?m)) (distinct ?m 5))
         (<= terminal (true (day 5))) (<= (goal a 100) (true (bag half))) (<= (goal a 0) (not (true (bag half))))",
    );
}

/// How far a piece goes is read from where it is, also if the rules for that ask for themselves: no walk looks for it.
#[test]
fn what_is_read_is_not_walked() {
    let cells: String = (0..6).map(|n| format!("(after c{n} c{})", n + 1)).collect();
    let lifted = played(&format!(
        "(role a) {cells} (init (on c0 short)) (init (on c1 both)) (init (on c2 short)) (init (on c3 long)) (init (day 1))
         (up 1 2) (up 2 3) (up 3 4) (up 4 5) (up 5 6)
         (<= (free ?x) (cell ?x) (not (taken ?x))) (<= (taken ?x) (true (on ?x ?v)))
         (<= (cell ?x) (after ?x ?y)) (cell c6)
         (<= (goes short ?x ?y) (after ?x ?y))
         (<= (goes long ?x ?z) (after ?x ?y) (free ?y) (after ?y ?z))
         (<= (goes both ?x ?y) (goes short ?x ?y)) (<= (goes both ?x ?y) (goes long ?x ?y))
         (<= (legal a (move ?x ?y)) (true (on ?x ?v)) (free ?y) (goes ?v ?x ?y))
         (<= (legal a stay))
         (<= (next (on ?y ?v)) (does a (move ?x ?y)) (true (on ?x ?v)))
         (<= (next (on ?z ?v)) (true (on ?z ?v)) (not (leaves ?z)))
         (<= (leaves ?x) (does a (move ?x ?y)))
         (<= (next (day ?n)) (true (day ?m)) (up ?m ?n))
         (<= terminal (true (day 6))) (<= (goal a 100) (taken c6)) (<= (goal a 0) (not (taken c6)))"
    ));
    assert_eq!(nodes(&lifted, "walked"), 0);
}
