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
