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
