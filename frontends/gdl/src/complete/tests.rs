use super::*;

/// What may stand at the end of a text: the word that is written, the likeliest kind of names, and whether words are offered.
fn at_end(text: &str) -> (&str, Option<EntityKind>, bool) {
    let Expected { start, words, kinds, .. } = expected(text, text.len());
    (&text[start as usize..], kinds.first().copied(), !words.is_empty())
}

#[test]
fn relations_stand_where_conditions_do_and_terms_inside() {
    assert_eq!(at_end("(<= (le"), ("le", Some(EntityKind::Relation), true));
    assert_eq!(at_end("(<= (legal ?"), ("?", Some(EntityKind::Parameter), false));
    assert_eq!(at_end("(role a)\n"), ("", None, false));
    assert_eq!(at_end("legal(W, m) :- tr"), ("tr", Some(EntityKind::Relation), true));
    assert_eq!(at_end("legal(W, m) :- true(ce"), ("ce", Some(EntityKind::Parameter), false));
}

#[test]
fn nothing_is_offered_in_comments() {
    assert_eq!(expected("; (role", 7), Expected::default());
    assert_eq!(expected("role(x)\n% a(", 12), Expected::default());
}

/// Kinds of names, the slot, and whether names that take arguments are left out.
type Offered = (Vec<EntityKind>, Option<(Vec<String>, usize)>, bool);

fn offered(text: &str) -> Offered {
    let Expected { kinds, slot, without_arguments, .. } = expected(text, text.len());
    (kinds, slot.map(|slot| (slot.callees, slot.argument)), without_arguments)
}

#[test]
fn the_place_tells_what_fits() {
    use EntityKind::{Function, Parameter, Player, Relation, Value};
    let slot = |callees: &[&str], argument| Some((callees.iter().map(|&name| name.to_owned()).collect(), argument));
    let roles = slot(&["role", "does", "legal", "goal", "input", "sees"], 0);
    let facts = slot(&["init", "true", "next", "base"], 0);
    let sorted = |mut found: Offered| {
        found.1.iter_mut().for_each(|(callees, _)| callees.sort());
        found
    };
    let expect = |text: &str, kinds: &[EntityKind], slot: Option<(Vec<String>, usize)>, bare: bool| {
        assert_eq!(sorted(offered(text)), sorted((kinds.to_vec(), slot, bare)), "{text}");
    };
    let rule = "(<= (legal ?r (mark ?x))\n    ";
    expect(&format!("{rule}(does "), &[Parameter, Player], roles.clone(), true);
    expect(&format!("{rule}("), &[Relation], None, false);
    expect(&format!("{rule}(or (not ("), &[Relation], None, false);
    expect(&format!("{rule}(not "), &[Relation], None, true);
    expect(&format!("{rule}(true ("), &[Function], facts, false);
    expect(&format!("{rule}(true (Cell ?x "), &[Parameter, Value, Player], slot(&["cell"], 1), true);
    expect(&format!("{rule}(line (pair a b) ?"), &[Parameter, Value, Player], slot(&["line"], 1), true);
    expect(&format!("{rule}(distinct ?x "), &[Parameter, Value, Player], None, true);
    // A fluent may be called like an operator.
    expect(&format!("{rule}(true (not "), &[Parameter, Value, Player], slot(&["not"], 0), true);
    // What was not closed before has no part in it.
    expect(&format!("{rule}(true (cell\n(<= ("), &[Relation], None, false);
    expect("legal(W, m) :- does(", &[Parameter, Player], roles, false);
    expect("goal(W, 1) :- ~(true(cell(X, ", &[Parameter, Value, Player, Function], slot(&["cell"], 1), false);
    expect("goal(W, 1) :- ~(", &[Relation], None, false);
}

#[test]
fn words_of_the_language_are_offered_where_they_may_stand() {
    let words = |text: &str| expected(text, text.len()).words;
    let has = |text: &str, word: &str| words(text).iter().any(|offered| offered == word);
    assert!(has("(", "<=") && has("(", "init") && !has("(", "true"));
    assert!(has("(<= (", "next") && !has("(<= (", "<=") && !has("(<= (", "does"));
    assert!(has("(<= (next a) (", "does") && has("(<= (next a) (", "distinct") && !has("(<= (next a) (", "next"));
    assert!(has("(<= ", "terminal") && has("(<= terminal (not ", "terminal"));
    assert!(has("a(X) :- ", "does") && !has("a(X) :- ", "next") && has("a(X) :- b(X)\nn", "next"));
}
