#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

use super::*;
use crate::flat::flatten;
use crate::normal::{TermId, normalize};

/// The consequences of the helper relation `p`, its arguments written as `0`, `1`, …, in a game with moves `(go from to)` that
/// the rules in `rules` make legal.
fn consequences(rules: &str) -> Vec<String> {
    let text = format!(
        "(role a) (role b) (cell 1) (cell 2) (cell 3) (near 1 2) (near 1 3) (near 2 1) (near 2 3)
         (after 1 2) (after 2 3) (init (on 1 x)) (init (turn a))
         {rules}
         (<= (next (on ?c ?v)) (true (on ?c ?v))) (<= (next (turn ?r)) (true (turn ?r)))
         (<= terminal (true (on 3 x))) (<= (goal ?r 50) (role ?r))"
    );
    let (description, findings) = crate::parse(rg_ir::SourceId(0), &text);
    let program = normalize(&description.unwrap_or_else(|| panic!("{findings:?}"))).unwrap();
    let flat = flatten(&program).unwrap();
    let rels = || flat.rels();
    let is_table = |rel: &Rel| !matches!(flat.relation(*rel).kind, RelationKind::Base | RelationKind::Input);
    let tables = Tables::new(&flat, rels().filter(is_table)).unwrap();
    let found = Consequences::new(&flat, &tables);
    let term = |term: TermId| program.terms.kif(&program.words, term);
    let text = |atom: &Atom| {
        let relation = flat.relation(atom.rel);
        let name = &program.relation(relation.base).name;
        let shape = relation.shapes.iter().flatten().map(|&(word, _)| program.words.text(word)).next();
        let args = atom.args.iter().map(|&arg| match arg {
            SOME => "some".to_owned(),
            Arg::Var(place) => place.to_string(),
            Arg::Is(constant) => term(constant),
        });
        let words = [name.to_string()].into_iter().chain(shape.map(str::to_owned)).chain(args);
        words.collect::<Vec<_>>().join(" ")
    };
    let is_p = |rel: &Rel| &*program.relation(flat.relation(*rel).base).name == "p";
    let text = |one: &Consequence| one.iter().map(text).collect::<Vec<_>>().join(", ");
    let mut all: Vec<String> = rels().filter(is_p).flat_map(|rel| found.of(rel).iter().map(text)).collect();
    all.sort();
    all
}

const LEGAL: &str = "(<= (legal ?r (go ?c ?d)) (true (turn ?r)) (true (on ?c x)) (near ?c ?d))
    (<= (legal ?r wait) (role ?r) (not (true (turn ?r))))";

#[test]
fn what_all_rules_ask_for() {
    let rules = "(<= (p ?c ?d) (true (on ?c x)) (near ?c ?d))
        (<= (p ?d ?c) (true (on ?d x)) (true (on ?c x)) (near ?c ?d))";
    assert_eq!(consequences(&format!("{LEGAL} {rules}")), ["true on 0 x"]);
}

/// A relation that asks for itself: what is assumed of it is what its first rule says, as far as the others keep it.
#[test]
fn recursion_keeps_what_does_not_change() {
    let rules = "(<= (p ?c ?d) (true (on ?c x)) (true (on ?d x)) (near ?c ?d))
        (<= (p ?c ?e) (p ?c ?d) (near ?d ?e))";
    assert_eq!(consequences(&format!("{LEGAL} {rules}")), ["true on 0 x"]);
    // Two relations that ask for each other, with their arguments exchanged.
    let rules = "(<= (p ?c ?d) (true (on ?c x)) (near ?c ?d)) (<= (p ?c ?d) (q ?d ?c))
        (<= (q ?e ?c) (p ?c ?d) (near ?d ?e)) (<= (q ?e ?c) (true (on ?c x)) (near ?e ?c))";
    assert_eq!(consequences(&format!("{LEGAL} {rules}")), ["true on 0 x"]);
}

#[test]
fn constants_in_heads_are_their_arguments() {
    let rules = "(<= (p 1 ?v) (true (on 1 ?v))) (<= (p 2 ?v) (true (on 2 ?v)) (true (on 1 x)))";
    assert_eq!(consequences(&format!("{LEGAL} {rules}")), ["true on 0 1"]);
}

#[test]
fn what_is_done_is_legal() {
    let rules = "(<= (p ?r ?d) (does ?r (go ?c ?d)))";
    assert_eq!(consequences(&format!("{LEGAL} {rules}")), ["true turn 0"]);
    let rules = "(<= (p ?r ?c ?d) (does ?r (go ?c ?d)))";
    assert_eq!(consequences(&format!("{LEGAL} {rules}")), ["does go 0 1 2", "true on 1 x", "true turn 0"]);
}

/// What is next by a table, of a fluent that is not among the arguments.
#[test]
fn a_step_from_some_fluent() {
    let rules = "(<= (p ?d ?r) (q ?d) (role ?r)) (<= (p ?d ?r) (q ?d) (true (turn ?r)))
        (<= (q ?d) (true (on ?c x)) (after ?c ?d)) (<= (q ?d) (true (on ?c x)) (after ?c ?d) (true (turn a)))";
    assert_eq!(consequences(&format!("{LEGAL} {rules}")), ["true on some x, after some 0"]);
    // Another table, the other way, and a table that does not determine it.
    for other in ["(far ?c ?d)", "(after ?d ?c)", "(near ?c ?d)"] {
        let rules = format!("{rules} (far 1 3) (<= (p ?d ?r) (true (on ?c x)) {other} (role ?r))");
        assert_eq!(consequences(&format!("{LEGAL} {rules}")), [""; 0]);
    }
}

/// Conditions that must not hold say nothing, and neither does what some rule does not ask for.
#[test]
fn what_does_not_follow() {
    let rules = "(<= (p ?c) (cell ?c) (not (true (on ?c x))))";
    assert_eq!(consequences(&format!("{LEGAL} {rules}")), [""; 0]);
    let rules = "(<= (p ?c) (true (on ?c x))) (<= (p ?c) (q ?c)) (<= (q ?c) (cell ?c) (not (true (on ?c x))))";
    assert_eq!(consequences(&format!("{LEGAL} {rules}")), [""; 0]);
    // Different rules bind different arguments.
    let rules = "(<= (p ?c ?d) (true (on ?c x)) (cell ?d)) (<= (p ?c ?d) (true (on ?d x)) (cell ?c))";
    assert_eq!(consequences(&format!("{LEGAL} {rules}")), [""; 0]);
}
