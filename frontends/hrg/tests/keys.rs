//! Warnings of keys that the types of maps do not have.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

use rg_ir::SourceId;

const BASE: &str = "\
domain Player = anna | bob
domain Score = 0 | 100
domain Piece = empty | x
domain Cell = P(X) where X in 0..3
domain Place = Cell | off

next: Place -> Place
next(off) = off
next(P(X)) = if P(X + 1) in Cell then P(X + 1) else off

round: Cell -> Place
round(P(X)) = P((X + 1) % 4)

isOn: Place -> Bool
isOn(off) = 0
isOn(_) = 1

step: Player -> Place -> Place
step(anna, A) = next(A)
step(bob, _) = off

board: Cell -> Piece = { :empty }
wide: Place -> Piece = { :empty }
here: Cell
place: Place
";

/// The places of the warnings in a body of `rules`, and what they say.
fn warned(body: &str) -> Vec<(String, String)> {
    let text = format!(
        "{BASE}\ngraph seen(at: Place) {{\n  check(board[at] == empty)\n}}\n\ngraph onBoard() {{\n  check(place != off)\n}}\n\ngraph moved() {{\n  place = here\n  check(place != off)\n}}\n\ngraph rules() {{\n  player = anna\n  here = Cell(*)\n  {body}\n  $$ here\n  player = keeper\n  end()\n}}\n"
    );
    let found = hrg::load(SourceId(0), &text).1;
    assert!(!found.iter().any(rg_ir::Diagnostic::is_error), "{body}: {found:?}");
    let found = found.into_iter().filter(|found| found.code == "HRG461");
    found.map(|found| (text[found.primary.unwrap().span.range()].to_owned(), found.message)).collect()
}

#[test]
fn keys_outside_of_the_type_are_told() {
    for (body, place, outside) in [
        ("check(board[next(here)] == empty)", "next(here)", "`off`"),
        ("check(board[next(next(here))] == empty)", "next(next(here))", "`off`"),
        ("place = next(here) check(board[place] == empty)", "place", "`off`"),
        ("board[next(here)] = x", "next(here)", "`off`"),
        ("check(wide[next(here)] == board[next(here)])", "next(here)", "`off`"),
        ("check(board[step(player, here)] == empty)", "step(player, here)", "`off`"),
        ("place = Place(*) check(round(place) == here)", "place", "`off`"),
        // What is tested is another value, or comes too late.
        ("place = Place(*) check(place != P(0)) check(board[place] == empty)", "place", "`off`"),
        ("place = next(here) check(board[place] == empty && place != off)", "place", "`off`"),
        ("place = next(here) check(place != off) place = next(place) check(board[place] == empty)", "place", "`off`"),
        ("place = next(here) if place == off { check(board[place] == empty) }", "place", "`off`"),
        ("place = next(here) loop { check(board[place] == empty) place = next(place) break() }", "place", "`off`"),
        ("seen(next(here))", "at", "`off`"),
        ("place = next(here) check(reachable(seen(place)))", "at", "`off`"),
        // A check that does not hold, or that goes on with another value, tells nothing.
        ("place = next(here) check(not(reachable(onBoard()))) check(board[place] == empty)", "place", "`off`"),
        ("place = next(here) check(reachable(moved())) check(board[place] == empty)", "place", "`off`"),
    ] {
        let found = warned(body);
        let [(at, message)] = &found[..] else { panic!("{body}: {found:?}") };
        assert_eq!(at, place, "{body}");
        assert!(message.contains(outside) && message.contains("`Cell`"), "{body}: {message}");
    }
}

#[test]
fn keys_that_fit_are_not_told() {
    for body in [
        "check(board[here] == empty)",
        "check(board[round(here)] == empty)",
        "check(wide[next(here)] == empty)",
        "check(board[P(1)] == empty)",
        // What is tested before.
        "check(next(here) != off) check(board[next(here)] == empty)",
        "check(next(here) != off && board[next(here)] == empty)",
        "check(next(here) == off || board[next(here)] == empty)",
        "place = next(here) if place != off { board[place] = x }",
        "place = next(here) if place == off { $ off } else { board[place] = x }",
        "place = next(here) while place != off { check(board[place] == empty) place = next(place) }",
        "place = Place(*) check(isOn(place) == 1) check(board[place] == empty)",
        "place = Place(*) check(isOn(place) != 0) check(board[place] == empty)",
        "place = here check(board[place] == empty)",
        "check(next(here) != off) place = next(here) check(board[place] == empty)",
        "place = next(here) check(place == here) check(board[place] == empty)",
        "check(step(player, here) != off) check(board[step(player, here)] == empty)",
        "place = next(here) if place == off { $ off player = keeper end() } check(board[place] == empty)",
        "seen(here)",
        "check(next(here) != off) seen(next(here))",
        // A check tests it.
        "place = next(here) check(reachable(onBoard())) check(board[place] == empty)",
        "place = next(here) if not(reachable(onBoard())) { $ off } else { check(board[place] == empty) }",
        // A branch has each value in its turn.
        "branch p in Cell { check(board[p] == empty) }",
    ] {
        assert_eq!(warned(body), [], "{body}");
    }
}

#[test]
fn several_values_outside_are_named_and_counted() {
    let text = format!(
        "{BASE}domain Any = Place | a | b | c | d\nany: Any\ngraph rules() {{\n  player = anna\n  any = Any(*)\n  check(board[any] == empty)\n  $$ any\n  player = keeper\n  end()\n}}\n"
    );
    let found = hrg::load(SourceId(0), &text).1;
    let found = found.iter().find(|found| found.code == "HRG461").unwrap_or_else(|| panic!("{found:?}"));
    assert!(found.message.contains("2 more"), "{}", found.message);
}
