//! What is strange about rules that can be played.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod common;

use common::with as complete;
use rg_ir::SourceId;

#[test]
fn what_nothing_reaches_is_told() {
    let unreachable = |rules: &str| -> Vec<String> {
        let text = complete(&format!("#then(x) = x left\n#over = ->> {{}}\n#rules = {rules}"));
        let found = rbg::parse(SourceId(0), &text).1.into_iter().filter(|found| found.code == "RBG159");
        found.map(|found| text[found.primary.unwrap().span.range()].to_owned()).collect()
    };
    for (rules, wanted) in [
        ("->p up {} left ->q", vec!["left"]),
        ("->p ({a} ->> {} [$ p = 1] ->> + up ->q)", vec!["[$ p = 1]"]),
        ("->p ({} + {} {a}) ->q up ->p", vec!["{a}", "->q"]),
        ("->p {? {}} up ->q", vec!["up"]),
        ("->p {! up*} left ->q", vec!["left"]),
        ("->p {! {a, b, c}} left ->q", vec!["left"]),
        ("->p {? up {} left} right ->q", vec!["left", "right"]),
        ("->p (up + over left) ->q", vec!["left"]),
        ("->p then({}) ->q", vec!["left"]),
    ] {
        assert_eq!(unreachable(rules), wanted, "{rules}");
    }
    for rules in [
        "->p (up ->q + over)",
        "->p ({} + {a}) ->q (up ->p + {})",
        "->p ({})* up ->q",
        "->p {! {}} up ->q",
        "->p {? up*} up ->q ->> {}",
        "->p {! up} left ->q",
        "->p {a} {$ 1 == 2} ->q",
        // One copy of what a macro says can be reached.
        "->p (then(up) + then({})) ->q",
    ] {
        assert!(unreachable(rules).is_empty(), "{rules}: {:?}", unreachable(rules));
    }
}

/// The places of the switches behind which the keeper makes a move.
fn moves_of_keeper(text: &str) -> Vec<String> {
    let found = rbg::parse(SourceId(0), text).1.into_iter().filter(|found| found.code == "RBG160");
    found.map(|found| text[found.primary.unwrap().span.range()].to_owned()).collect()
}

#[test]
fn moves_that_the_keeper_makes_instead_of_a_player_are_told() {
    let game =
        |rules: &str| complete(&format!("#any = (up* + left*)\n#turn(x) = any {{x}} [b] right\n#rules = {rules}"));
    for rules in [
        // The switch of a game that is won, without `{}`.
        "->p (turn(a) ({a} ->q + {b} ->>) turn(c) ({a} ->p + {b} ->> {}))*",
        // A branch that hands over to nobody.
        "->p (turn(a) ->q turn(a) ->>)*",
        "->p turn(a) ({a} ->> + ->q) any {c} [$ v = 1] [a] ->p",
        "->p turn(a) ({a} ->> + ->q) (up + left) [a] ->p",
    ] {
        assert_eq!(moves_of_keeper(&game(rules)), ["->>"], "{rules}");
    }
    for rules in [
        "->p (turn(a) ({a} ->q + {b} ->> {}) turn(c) ({a} ->p + {b} ->> {}))*",
        // What the keeper does is no move of a player.
        "->p (turn(a) ->> any {c} [a] ->q turn(a) ->> {a} ->p)*",
        // One way, and no piece.
        "->p turn(a) ({a} ->> + ->q) up {c} [a] ->p",
        "->p turn(a) ({a} ->> + ->q) any {c} [$ v = 1] ->p",
    ] {
        assert!(moves_of_keeper(&game(rules)).is_empty(), "{rules}");
    }
    let text = game("->p (turn(a) ->q turn(a) ->>)*");
    let fix =
        rbg::parse(SourceId(0), &text).1.into_iter().find(|found| found.code == "RBG160").unwrap().fixes.remove(0);
    let mut mended = text;
    mended.replace_range(fix.edits[0].span.range(), &fix.edits[0].text);
    assert!(moves_of_keeper(&mended).is_empty(), "{mended}");
}
