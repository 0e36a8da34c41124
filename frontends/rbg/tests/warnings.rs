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
