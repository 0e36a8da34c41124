//! What is said about mistakes that newcomers make, and what mends them.

use rg_ir::SourceId;

/// A game without findings; a player goes from `s` to `t`.
const GAME: &str = "(role p) (base s) (base t) (input p go) (init s) (legal p go) (<= (next t) (true s)) \
                    (<= terminal (true t)) (goal p 100)";

/// Behind the game.
fn with(case: &str) -> String {
    format!("{case}\n{GAME}")
}

/// The errors of a text, and the text after the fixes of the first one.
fn mended(text: &str) -> (Vec<rg_ir::Diagnostic>, String) {
    let mut found = gdl::parse(SourceId(0), text).1;
    found.retain(rg_ir::Diagnostic::is_error);
    let fix = found.first().and_then(|found| found.fixes.first());
    let mut edits = fix.map(|fix| fix.edits.clone()).unwrap_or_default();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    let mut mended = text.to_owned();
    edits.iter().for_each(|edit| mended.replace_range(edit.span.range(), &edit.text));
    (found, mended)
}

#[test]
fn operators_of_other_languages_are_mended() {
    for (wrong, right) in [
        ("(<= (goal p 5) (~ (true s)))", "(<= (goal p 5) (not (true s)))"),
        ("(<= (goal p 5) (true ?x) (!= ?x s))", "(<= (goal p 5) (true ?x) (distinct ?x s))"),
        ("(<= (goal p 5) (| (true s) (true t)))", "(<= (goal p 5) (or (true s) (true t)))"),
        ("(<= (goal p 5) (not true s))", "(<= (goal p 5) (not (true s)))"),
        ("(<= (goal p 5) (not true (at ?x)))", "(<= (goal p 5) (not (true (at ?x))))"),
    ] {
        let (found, after) = mended(&with(wrong));
        assert_eq!(after, with(right), "{found:?}");
        assert_eq!(found.len(), 1, "{found:?}");
    }
    let (found, _) = mended(&with("(<= (goal p 5) (not true s))"));
    let place = found.first().and_then(|found| found.primary.as_ref()).map(|place| place.span.range());
    assert_eq!(place.map(|range| with("(<= (goal p 5) (not true s))")[range].to_owned()).as_deref(), Some("true"));
    // A description may have relations of such names.
    let defined = with("(~ s) (<= (goal p 5) (~ s)) (<= (!= ?x ?y) (~ ?x) (~ ?y)) (<= (goal p 6) (!= s s))");
    assert!(mended(&defined).0.is_empty(), "{:?}", mended(&defined).0);
    for (wrong, right) in [
        ("role(p)\nterminal :- not true(x) & true(y)", "role(p)\nterminal :- ~true(x) & true(y)"),
        ("role(p)\nterminal :- true(y) & not(true(x))", "role(p)\nterminal :- true(y) & ~(true(x))"),
        ("role(p).\nterminal :- true(y), not true(x).", "role(p).\nterminal :- true(y), \\+true(x)."),
    ] {
        let (found, after) = mended(wrong);
        assert_eq!(after, right, "{found:?}");
    }
}

#[test]
fn brackets_that_are_wrong_are_told_with_the_ones_that_open() {
    let labels = |text: &str, label: &str| -> Vec<usize> {
        let found = gdl::parse(SourceId(0), text).1;
        let places = found.iter().flat_map(|found| &found.secondary).filter(|place| place.text == label);
        places.map(|place| place.span.range().start).collect()
    };
    let text = "role(p)\nterminal :- true(x\nlegal(p, go) :- role(p)\n";
    assert_eq!(labels(text, "this is not closed"), [text.find("(x").unwrap_or_default()]);
    let text = "role(p)\nterminal :- (true(x) & true(y)\nlegal(p, go) :- role(p)\n";
    assert_eq!(labels(text, "this is not closed"), [text.find("(true(x)").unwrap_or_default()]);
    let text = "(role p)\n(init (at a)))\n(<= terminal (true (at a)))\n";
    assert_eq!(labels(text, "this has been closed before"), [text.find("(init").unwrap_or_default()]);
    assert_eq!(mended(text).1, text.replace(")))\n(<=", "))\n(<="));
}

/// That `true` is missing follows from nothing else.
#[test]
fn a_bracket_that_is_missing_hides_no_missing_true() {
    let text = "(role p)\n(init (cell 1 b))\n(legal p go)\n(<= (next (cell 1 b))\n    (cell 1 b))\n\
                (<= terminal\n    (true (cell 1 x))\n(goal p 100)\n";
    let found = gdl::parse(SourceId(0), text).1;
    let codes: Vec<&str> = found.iter().map(|found| found.code).collect();
    assert!(codes.contains(&"GDL611") && codes.contains(&"GDL624"), "{found:?}");
    let lacking = found.iter().find(|found| found.code == "GDL624");
    // The rule that was not read may define the relation.
    let asks = |fix: &rg_ir::diag::Fix| fix.title.contains("`true`") && fix.applies == rg_ir::diag::Applies::Maybe;
    assert!(lacking.is_some_and(|found| !found.fixes.is_empty() && found.fixes.iter().all(asks)), "{found:?}");
    // What is no fluent either is not told.
    let text = text.replace("    (cell 1 b))\n", "    (later 1 b))\n");
    let found = gdl::parse(SourceId(0), &text).1;
    assert!(found.iter().all(|found| found.code != "GDL624"), "{found:?}");
}
