//! What is said about mistakes that newcomers make, and what mends them.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod common;

use common::{complete, mended, render};
use rg_ir::SourceId;

#[test]
fn definitions_without_their_sign_are_mended() {
    for (wrong, right) in [
        ("any = (up + left)\n#rules = ->p any ->q", "#any = (up + left)\n#rules = ->p any ->q"),
        ("#rules = ->p up ->q\nany = (up + left)", "#rules = ->p up ->q\n#any = (up + left)"),
        (
            "turn(x; y) = up {x} [y]\n#rules = ->p turn(a; b) ->q",
            "#turn(x; y) = up {x} [y]\n#rules = ->p turn(a; b) ->q",
        ),
        ("#rules = ->p up ->q\nturn(x) = up {x}", "#rules = ->p up ->q\n#turn(x) = up {x}"),
        ("#m = up\nturn(x) = up {x}\n#rules = ->p m ->q", "#m = up\n#turn(x) = up {x}\n#rules = ->p m ->q"),
    ] {
        let (found, after) = mended(&complete(wrong));
        assert!(found[0].message.ends_with("lacks its `#`"), "{found:?}");
        assert_eq!(after, Some(complete(right)), "{found:?}");
    }
}

#[test]
fn a_bracket_that_is_not_closed_is_told_where_it_opens() {
    for (rules, open) in [
        ("->p (up {a\n  ->q left)", "{"),
        ("->p up [a\n  ->q left", "["),
        ("->p up [$ v = 1\n  ->q left", "[$"),
        ("->p {$ v == 1\n  ->q left", "{$"),
        ("->p ({? up left ->q + left ->p)", "{?"),
        ("->p ({! up left ->q + left ->p)", "{!"),
        // What stands at the end may come from a macro.
        ("->p (turn(a) turn(b)", "("),
    ] {
        let text = complete(&format!("#turn(x) = (up + left) {{x}} ->q\n#rules = {rules}"));
        let found = rbg::parse(SourceId(0), &text).1;
        let first = found.iter().find(|found| found.is_error()).unwrap();
        let place = first.primary.as_ref().unwrap().span;
        let rules = text.find("#rules").unwrap();
        assert!(place.start as usize > rules, "{}", render(&text, &found));
        assert_eq!(&text[place.range()], open, "{}", render(&text, &found));
        assert!(first.message.starts_with(&format!("unclosed `{open}`")), "{first:?}");
    }
    // A check ends before a switch.
    let mended = mended(&complete("#rules = ->p ({? up left ->q + left ->p)")).1;
    assert_eq!(mended, Some(complete("#rules = ->p ({? up left} ->q + left ->p)")));
}

#[test]
fn parameters_with_commas_are_mended_and_hide_nothing() {
    for (wrong, right) in [
        (
            "#turn(x, y) = up {x} [y]\n#rules = ->p turn(a; b) ->q",
            "#turn(x; y) = up {x} [y]\n#rules = ->p turn(a; b) ->q",
        ),
        (
            "#turn(x, y, z) = up {x} [y] {z}\n#rules = ->p turn(a; b; c) ->q",
            "#turn(x; y; z) = up {x} [y] {z}\n#rules = ->p turn(a; b; c) ->q",
        ),
        (
            "#turn(x; y, z) = up {x} [y] {z}\n#rules = ->p turn(a; b; c) ->q",
            "#turn(x; y; z) = up {x} [y] {z}\n#rules = ->p turn(a; b; c) ->q",
        ),
    ] {
        let (found, after) = mended(&complete(wrong));
        assert!(found.len() == 1 && found[0].message.contains("separated by `;`"), "{found:?}");
        assert_eq!(after, Some(complete(right)), "{found:?}");
    }
    // Calls with commas are told by themselves.
    let (found, _) = mended(&complete("#turn(x, y) = up {x} [y]\n#rules = ->p turn(a, b) ->q turn(b, a)"));
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found.iter().all(|found| found.fixes.iter().any(|fix| fix.title == "write `;`")), "{found:?}");
}

/// The titles of the fixes of the first error.
fn titles(text: &str) -> Vec<String> {
    let found = rbg::parse(SourceId(0), text).1;
    let first = found.iter().find(|found| found.code == "RBG118").unwrap_or_else(|| panic!("{}", render(text, &found)));
    first.fixes.iter().map(|fix| fix.title.clone()).collect()
}

#[test]
fn a_list_that_is_not_closed_may_end_or_go_on() {
    let (close_off, close_on, comma) = ("add `]`", "add `}`", "add `,`");
    for (rules, wanted) in [
        // What is an action elsewhere is one here, and what is listed elsewhere is listed here.
        ("->p up [a up ->q", vec![close_off, comma]),
        ("->p up {a up} ->q", vec![close_on, comma]),
        ("->p {b} {a b} ->q", vec![comma, close_on]),
        ("->p [b] [a b] ->q", vec![comma, close_off]),
        // Else the bracket tells.
        ("->p [a up ->q", vec![close_off, comma]),
        ("->p {a b} ->q", vec![comma, close_on]),
    ] {
        assert_eq!(titles(&complete(&format!("#rules = {rules}"))), wanted, "{rules}");
        // The same in a macro, whether it is used or not.
        let inside = format!("#go = {}\n#rules = ->p go ->q", rules.replace("->p ", "").replace(" ->q", ""));
        assert_eq!(titles(&complete(&inside)), wanted, "{inside}");
    }
    for (unused, wanted) in [("[a up", vec![close_off, comma]), ("{a b}", vec![comma, close_on])] {
        let text = complete(&format!("#go = {unused}\n#rules = ->p up ->q"));
        assert_eq!(titles(&text), wanted, "{unused}");
    }
}

#[test]
fn a_bracket_that_is_open_in_a_macro_is_closed_there() {
    for (body, missing) in [("(up + left", ")"), ("up ({a} + (left", "))"), ("up {a", "}"), ("up {? left (up", ")}")] {
        for rules in ["->p go ->q", "->p up ->q", "->p (go go)* ->q"] {
            let text = complete(&format!("#go = {body}\n#rules = {rules}"));
            let found = rbg::parse(SourceId(0), &text).1;
            let fixes = || found.iter().flat_map(|found| &found.fixes);
            let title = format!("add `{missing}`");
            let fix = fixes().find(|fix| fix.title == title).unwrap_or_else(|| panic!("{}", render(&text, &found)));
            let mut after = text.clone();
            fix.edits.iter().for_each(|edit| after.replace_range(edit.span.range(), &edit.text));
            assert!(after.contains(&format!("{body}{missing}\n")), "{after}");
        }
    }
}

/// The text after the first fix of the finding with that message.
fn after_fix(text: &str, message: &str) -> Option<(String, rg_ir::diag::Applies)> {
    let found = rbg::parse(SourceId(0), text).1;
    let found = found.iter().find(|found| found.message.contains(message));
    let found = found.unwrap_or_else(|| panic!("{message}: {text}"));
    let fix = found.fixes.first()?;
    let mut after = text.to_owned();
    fix.edits.iter().for_each(|edit| after.replace_range(edit.span.range(), &edit.text));
    Some((after, fix.applies))
}

#[test]
fn unknown_names_may_be_declared() {
    let text = |pieces: &str, variables: &str, players: &str, rules: &str| {
        let board = "#board = rectangle(up, down, left, right, [e, e])";
        format!("#players = {players}\n#pieces = {pieces}\n#variables ={variables}\n{board}\n#rules = {rules}\n")
    };
    let plain = |rules: &str| text("e, w", "", "p(100)", rules);
    for (rules, name, wanted) in [
        ("->p {knight} [w] ->> {}", "knight", text("e, w, knight", "", "p(100)", "->p {knight} [w] ->> {}")),
        ("->p {e} [knight] ->> {}", "knight", text("e, w, knight", "", "p(100)", "->p {e} [knight] ->> {}")),
        (
            "->p {e} [w] [$ round = 1] ->> {}",
            "round",
            text("e, w", " round(100)", "p(100)", "->p {e} [w] [$ round = 1] ->> {}"),
        ),
        (
            "->p {e} [w] {$ round > 1} ->> {}",
            "round",
            text("e, w", " round(100)", "p(100)", "->p {e} [w] {$ round > 1} ->> {}"),
        ),
        ("->p {e} [w] ->black ->> {}", "black", text("e, w", "", "p(100), black(100)", "->p {e} [w] ->black ->> {}")),
    ] {
        let (after, applies) = after_fix(&plain(rules), &format!("unknown name `{name}`")).unwrap();
        assert_eq!((after.as_str(), applies), (wanted.as_str(), rg_ir::diag::Applies::Maybe));
        let left = rbg::parse(SourceId(0), &after).1;
        assert!(!left.iter().any(rg_ir::Diagnostic::is_error), "{after}{left:?}");
    }
    let board = plain("->p {e} [w] ->> {}").replace("[e, e]", "[e, knight]");
    let (after, _) = after_fix(&board, "unknown piece `knight`").unwrap();
    assert!(after.contains("#pieces = e, w, knight\n"), "{after}");
    // Behind other variables, and where the list is not complete.
    let one = text("e, w,", " n(3)", "p(1)", "->p {knight} {$ round > 1} ->> {}");
    assert!(rbg::parse(SourceId(0), &one).1.iter().any(rg_ir::Diagnostic::is_error));
    let more = text("e, w", " n(3)", "p(1)", "->p {e} {$ round > 1} ->> {}");
    assert!(after_fix(&more, "`round`").unwrap().0.contains("#variables = n(3), round(100)\n"));
}

#[test]
fn names_that_are_like_others_are_not_declared() {
    let text = |rules: &str| {
        format!(
            "#players = white(1)\n#pieces = empty, w\n#variables =\n#board = rectangle(up, down, left, right, [empty])\n#rules = {rules}\n"
        )
    };
    for (rules, message) in
        [("->whte {empty} ->> {}", "whte"), ("->white {empt} ->> {}", "empt"), ("->white {empty} jump ->> {}", "jump")]
    {
        let found = rbg::parse(SourceId(0), &text(rules)).1;
        let titles: Vec<&str> = found.iter().flat_map(|found| &found.fixes).map(|fix| fix.title.as_str()).collect();
        assert!(found.iter().any(|found| found.is_error() && found.message.contains(message)), "{found:?}");
        assert!(titles.iter().all(|title| !title.starts_with("declare")), "{rules}: {titles:?}");
    }
}

/// What other lists have between their entries becomes a comma; where the list may end before it, its bracket is missing.
#[test]
fn lists_with_other_signs_are_mended() {
    for (wrong, right) in [
        ("->p {a + b} ->q", "->p {a, b} ->q"),
        ("->p {a+b} ->q", "->p {a,b} ->q"),
        ("->p {a + b, c + a} ->q", "->p {a, b, c, a} ->q"),
        ("->p ({a + up} + up) ->q", "->p ({a, up} + up) ->q"),
        ("->p ({a + up) ->q", "->p ({a} + up) ->q"),
    ] {
        let (found, after) = mended(&complete(&format!("#rules = {wrong}")));
        assert_eq!(after, Some(complete(&format!("#rules = {right}"))), "{found:?}");
        let places: Vec<_> = found.iter().map(|found| (found.code, found.primary.clone())).collect();
        assert!((1..places.len()).all(|at| !places[..at].contains(&places[at])), "told twice: {found:?}");
    }
    for (wrong, right) in [("p(1) q(1)", "p(1), q(1)"), ("p(1), q(1) r(1)", "p(1), q(1), r(1)")] {
        let text = |players: &str| complete("#rules = ->p up ->q").replace("p(100), q(100)", players);
        let (found, after) = mended(&text(wrong));
        assert_eq!(after, Some(text(right)), "{found:?}");
    }
    let (found, after) = mended(&complete("#rules = ->p [$ v=1 w=2] ->q"));
    assert_eq!(after, Some(complete("#rules = ->p [$ v=1, w=2] ->q")), "{found:?}");
}
