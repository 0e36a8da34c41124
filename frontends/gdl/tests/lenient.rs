//! Sheets that are not GDL by the letter are played as they are meant: each like a sheet that is.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod common;

use common::codes;
use rg_ir::{RuleBook, SourceId};

/// What a game is like: its states, legal moves and goals, as far as a few steps go.
fn course(text: &str) -> Vec<String> {
    let (description, findings) = gdl::parse(SourceId(0), text);
    let description = description.unwrap_or_else(|| panic!("{text}\n{}", common::render(text, &findings)));
    gdl::translate(&description, gdl::Limits::default()).unwrap_or_else(|error| panic!("{text}\n{error:?}"));
    let mut rules = gdl::Referee::new(&description).unwrap();
    let mut state = rules.initial().unwrap();
    let mut course = Vec::new();
    for step in 0..6 {
        let legal = rules.legal(&state).unwrap();
        let over = rules.is_terminal(&state).unwrap();
        course.push(format!("{state} | {legal:?} | {over} | {:?}", rules.goals(&state).unwrap()));
        if over {
            break;
        }
        let moves: Vec<String> = legal.iter().map(|moves| moves[step % moves.len()].clone()).collect();
        state = rules.next(&state, &moves).unwrap();
    }
    course
}

/// The first sheet is read like the second, with a warning of this code.
fn same(lenient: &str, strict: &str, code: &str) {
    assert_eq!(course(lenient), course(strict), "{lenient}");
    assert!(codes(lenient).contains(&code), "{lenient}: {:?}", codes(lenient));
    assert!(gdl::codes::LENIENT.contains(&code));
    assert!(codes(strict).iter().all(|code| !gdl::codes::LENIENT.contains(code)), "{strict}");
}

/// A walk over three places; the rules for moving are missing.
const WALK: &str = "(role ann) (role bob) (place 1) (place 2) (place 3) (init (at 1)) (init (turn 0))
    (<= (next (at ?y)) (does ann (go ?y))) (<= (next (at ?y)) (does ann wait) (true (at ?y)))
    (<= terminal (true (at 3))) (<= (legal bob wait) (place 1)) (legal ann wait)";

fn walk(rules: &str) -> String {
    format!("{WALK} {rules}")
}

#[test]
fn brackets() {
    let strict = "(role p) (init dark) (<= (legal p light) (true dark)) (<= (next lit) (does p light)) \
                  (<= terminal (true lit)) (goal p 100)";
    let lenient = strict.replace("dark", "(dark)").replace("light", "(light)").replace("lit)", "(lit))");
    same(&lenient, strict, "GDL605");
    same(&format!("; all of it\n({strict})"), strict, "GDL616");
    same(&format!("(start Match7 p ({strict}) 60 15)"), strict, "GDL616");
}

#[test]
fn variables_for_roles() {
    let lenient =
        walk("(<= (legal ?r (go ?y)) (place ?y)) (<= (goal ?r 70) (true (at 3))) (<= (goal ?r 20) (true (at 1)))");
    let strict = lenient.replace("(legal ?r (go ?y))", "(legal ?r (go ?y)) (role ?r)").replace("70)", "70) (role ?r)");
    same(&lenient, &strict.replace("20)", "20) (role ?r)"), "GDL644");
    let fact = walk("(<= (legal ann (go ?y)) (place ?y)) (goal ?who 50)");
    same(&fact, &fact.replace("(goal ?who 50)", "(goal ann 50) (goal bob 50)"), "GDL644");
}

#[test]
fn rules_that_take_values() {
    let far = "(<= (far ?x ?y) (distinct ?x ?y) (not (near ?x ?y))) (near 1 2) (near 2 3)";
    let lenient = walk(&format!(
        "(<= (legal ann (go ?y)) (true (at ?x)) (place ?y) (far ?x ?y)) (goal ann 1) (goal bob 2) {far}"
    ));
    let strict = lenient.replace("(distinct ?x ?y)", "(place ?x) (place ?y) (distinct ?x ?y)");
    same(&lenient, &strict, "GDL645");
    // Asked in a negation, and through another relation.
    let lenient = walk(&format!(
        "(<= (legal ann (go ?y)) (true (at ?x)) (place ?y) (not (odd ?x ?y))) (goal ann 1) (goal bob 2)
         (<= (odd ?x ?y) (far ?x ?y)) (odd 1 1) (odd ?x 7) {far}"
    ));
    let strict = lenient.replace("(distinct ?x ?y)", "(place ?x) (place ?y) (distinct ?x ?y)");
    same(&lenient, &strict.replace("(odd ?x 7)", "(odd 9 7)"), "GDL645");
    // Equal terms, also inside of others.
    let lenient = walk(
        "(same ?x ?x) (<= (legal ann ?m) (place ?y) (same ?m (go ?y)) (not (same ?m (go 1)))) (goal ann 1) (goal bob 2)",
    );
    let strict = walk("(<= (legal ann (go ?y)) (place ?y) (distinct ?y 1)) (goal ann 1) (goal bob 2)");
    same(&lenient, &strict, "GDL645");
}

#[test]
fn rules_that_are_ignored() {
    let strict = walk("(<= (legal ann (go ?y)) (place ?y)) (goal ann 1) (goal bob 2)");
    same(&format!("{strict} (<= (spare ?x ?y) (place ?x) (not (true (at ?y))))"), &strict, "GDL646");
    same(&format!("{strict} (base (at ?x)) (<= (input ann (go ?x)) (place ?y))"), &strict, "GDL647");
}

#[test]
fn a_value_that_is_never_reached() {
    let text = walk(
        "(<= (legal ann (go ?y)) (place ?y)) (<= (goal ?r 100) (role ?r) (prize 7)) (<= (goal ?r 0) (role ?r) terminal)
        (<= (prize 7) (true (at 1)) (prize 9)) (<= (prize 2) (true (at 1)))",
    );
    let goals = course(&text).pop().unwrap();
    assert!(goals.ends_with("[[\"0\"], [\"0\"]]"), "{goals}");
}
