//! Declarations and rules: what is accepted, what it means, what is rejected (sections 4, 5 and 10).

#![allow(clippy::unwrap_used)]

mod common;

use common::{errors, printed, with};
use rbg::ast::Rule;
use rg_ir::{Severity, SourceId};

fn description(rules: &str) -> String {
    with(&format!("#rules = {rules}"))
}

/// The canonical text of rules, on one line.
fn canonical(rules: &str) -> String {
    let text = printed(&description(rules));
    let rules = text.split_once("#rules =").map_or(text.as_str(), |(_, rules)| rules);
    rules.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn canonical_text_of_rules() {
    let table = [
        ("up* + down left*", "up* + down left*"),
        ("(up*) + (down (left*))", "up* + down left*"),
        ("((up))", "up"),
        ("(up + down) left", "(up + down) left"),
        ("up + (down + (left))", "up + down + left"),
        ("up (down (left right)) y", "up down left right y"),
        ("(up down)*", "(up down)*"),
        ("(up*)*", "(up*)*"),
        ("(up^2)*", "(up up)*"),
        ("up^3 + down^1", "up up up + down"),
        ("(up + down)^2", "(up + down) (up + down)"),
        ("(up down)^2 left", "up down up down left"),
        (
            "{a}* ->p* ->>* .* [$ v=v+1]* {$ v<1}* {? up}*",
            "({a})* ->p* ->>* .* ([$ v = v + 1])* ({$ v < 1})* ({? up})*",
        ),
        ("{} {c,a} {a,a,b}", "{} {a, c} {a, b}"),
        ("[a,b,c]", "[a] + [b] + [c]"),
        ("up [a,b]", "up ([a] + [b])"),
        ("up + [a,b]", "up + [a] + [b]"),
        ("[b,b]", "[b] + [b]"),
        ("[$ v=1, w=v+1] up", "[$ v = 1] [$ w = v + 1] up"),
        ("[$ v=v+1, w=2]*", "([$ v = v + 1] [$ w = 2])*"),
        ("[$ v=1-2-3]", "[$ v = 1 - 2 - 3]"),
        ("[$ v=1-(2-3)]", "[$ v = 1 - (2 - 3)]"),
        ("[$ v=(1-2)-3]", "[$ v = 1 - 2 - 3]"),
        ("[$ v=(1+2)*3/w]", "[$ v = (1 + 2) * 3 / w]"),
        ("[$ v=1+2*(3/w)]", "[$ v = 1 + 2 * (3 / w)]"),
        ("[$ v=007]", "[$ v = 7]"),
        ("{$ a+v != p*2}", "{$ a + v != p * 2}"),
        ("{$ v==1} {$ v<=1} {$ v>=1} {$ v>1}", "{$ v == 1} {$ v <= 1} {$ v >= 1} {$ v > 1}"),
        ("{?{!{a}}}", "{? {! {a}}}"),
        ("{? up + down}", "{? up + down}"),
        ("->p[a]->q", "->p [a] ->q"),
        ("up .. down", "up . . down"),
    ];
    for (rules, expected) in table {
        assert_eq!(canonical(rules), expected, "{rules}");
    }
}

#[test]
fn modifiers_are_numbered_from_left_to_right_outside_checks() {
    let text = description("->p ([a,b] + {? [c] [$ v=1]} [$ v=1, w=2])^2 {! [a]} ->q");
    let description = rbg::parse(SourceId(0), &text).0.unwrap();
    let index = |rule: &Rule| match rule {
        Rule::Off { index, .. } | Rule::Assign { index, .. } | Rule::Switch { index, .. } => Some(*index),
        _ => None,
    };
    let indices: Vec<u32> = description.rules.nodes.iter().filter_map(|(rule, _)| index(rule)).collect();
    assert_eq!(indices, [1, 2, 3, 0, 0, 4, 5, 6, 7, 0, 0, 8, 9, 0, 10]);
}

#[test]
fn children_come_before_parents() {
    let text = description("->p ((up + down)* {? left {! right}} [a,b])^3 ->q");
    let description = rbg::parse(SourceId(0), &text).0.unwrap();
    for (id, (rule, _)) in description.rules.nodes.iter().enumerate() {
        let children: Vec<rbg::ast::RuleId> = match rule {
            Rule::Sum(parts) | Rule::Concat(parts) => parts.clone(),
            Rule::Star(inner) | Rule::Check { rule: inner, .. } => vec![*inner],
            _ => Vec::new(),
        };
        assert!(children.iter().all(|child| (child.0 as usize) < id));
    }
    assert_eq!(description.rules.root.0 as usize + 1, description.rules.nodes.len());
}

/// Rules and the codes of their errors.
#[test]
fn rejected_rules() {
    let table: &[(&str, &[&str])] = &[
        ("()", &["RBG119"]),
        ("(up + )", &["RBG119"]),
        ("( + up)", &["RBG119"]),
        ("up +", &["RBG119"]),
        ("+ up", &["RBG119"]),
        ("up + + down", &["RBG119"]),
        ("{?}", &["RBG119"]),
        ("[]", &["RBG119"]),
        ("up**", &["RBG121"]),
        ("up^2*", &["RBG121"]),
        ("up^2^3", &["RBG121"]),
        ("up*^2", &["RBG121"]),
        ("up^*", &["RBG118"]),
        ("up^0", &["RBG120"]),
        ("up^v", &["RBG118"]),
        ("up^99999999", &["RBG116"]),
        ("(((up^1000)^1000)^1000)^1000", &["RBG116"]),
        ("up^4294967296", &["RBG103"]),
        ("up ->p ) ->q", &["RBG118"]),
        ("up (down", &["RBG118"]),
        ("{ ? up}", &["RBG118"]),
        ("[ $ v=1]", &["RBG118"]),
        ("[$ v=-1]", &["RBG118"]),
        ("[$ v=+1]", &["RBG118"]),
        ("[$ v=1+]", &["RBG118"]),
        ("[a, $ v=1]", &["RBG118"]),
        ("[$ v==1]", &["RBG118"]),
        ("{$ v=1}", &["RBG118"]),
        ("{$ v<1<2}", &["RBG118"]),
        ("{a,}", &["RBG118"]),
        ("{a b}", &["RBG118"]),
        ("up ! down", &["RBG118"]),
        ("up_left", &["RBG101"]),
        ("up & down", &["RBG101"]),
        ("8y", &["RBG118"]),
        ("nowhere", &["RBG131"]),
        ("{nothing}", &["RBG131"]),
        ("[nothing]", &["RBG131"]),
        ("[$ nothing=1]", &["RBG131"]),
        ("{$ nothing==v}", &["RBG131"]),
        ("->nobody", &["RBG131"]),
        ("a", &["RBG132"]),
        ("p", &["RBG132"]),
        ("{up}", &["RBG132"]),
        ("[v]", &["RBG132"]),
        ("[$ a=1]", &["RBG132"]),
        ("{$ up==v}", &["RBG132"]),
        ("->v", &["RBG132"]),
        ("{$ v == 1/0}", &["RBG133"]),
        ("{$ v == 1/(00)}", &["RBG133"]),
        ("[$ v=2147483648]", &["RBG103"]),
        ("->p {? right ->q} right ->q", &["RBG134"]),
        ("->p {! {? ->>}} ->q", &["RBG134"]),
        ("up /* down", &["RBG102"]),
    ];
    for (rules, codes) in table {
        assert_eq!(errors(&description(rules)), *codes, "{rules}");
    }
}

/// Declarations and the codes of their errors.
#[test]
fn rejected_declarations() {
    let table: &[(&str, &str, &[&str])] = &[
        ("players", "", &["RBG106"]),
        ("pieces", "", &["RBG106"]),
        ("players", "p(1), p(1)", &["RBG122"]),
        ("pieces", "a, a", &["RBG122"]),
        ("variables", "v(1), v(1)", &["RBG122"]),
        ("variables", "p(1)", &["RBG123"]),
        ("pieces", "a, p", &["RBG123"]),
        ("pieces", "a,,b", &["RBG118"]),
        ("pieces", "a, b,", &["RBG118"]),
        ("pieces", "a b", &["RBG118"]),
        ("pieces", "a ; b", &["RBG118"]),
        ("players", "p", &["RBG118"]),
        ("players", "p()", &["RBG118"]),
        ("players", "p(1) q(1)", &["RBG118"]),
        ("players", "p(2147483648)", &["RBG103"]),
    ];
    for (section, body, codes) in table {
        let text = format!(
            "#players = {}\n#pieces = {}\n#variables = {}\n#board = s[a]{{l:s}}\n#rules = ->p ->p\n",
            if *section == "players" { body } else { "p(1)" },
            if *section == "pieces" { body } else { "a" },
            if *section == "variables" { body } else { "" },
        );
        assert_eq!(errors(&text), *codes, "{section} = {body}");
    }
}

/// The codes of warnings and lints, in order.
fn remarks(text: &str, severity: Severity) -> Vec<&'static str> {
    let (description, diagnostics) = rbg::parse(SourceId(0), text);
    assert!(description.is_some(), "{}", common::render(text, &diagnostics));
    diagnostics.iter().filter(|d| d.severity == severity).map(|d| d.code).collect()
}

#[test]
fn warnings() {
    let table: &[(&str, &[&str])] = &[
        ("->p ->q", &[]),
        ("->p ->q [$ v=10] ->p", &["RBG151"]),
        ("->p ->q [$ v=0-1] ->p", &["RBG151"]),
        ("->p ->q [$ v=5-3] ->p", &[]),
        ("->p ->q {$ 2*3 > 5} ->p", &["RBG152"]),
        ("->p ->q ([c])* ->p", &["RBG135"]),
        ("->p ->q (up [c])* ->p", &["RBG135"]),
        ("->p ->q {? ([c])*} ->p", &["RBG135"]),
        ("->p ->q ({a,b,c} [$ v=1])* ->p", &["RBG135"]),
        ("->p ->q ({a}* [a])* ->p", &["RBG135"]),
        ("->p ->q ({a} [a])* ->p", &["RBG153"]),
        ("->p ->q ({$ w < 5} [$ v=1])* ->p", &["RBG153"]),
        ("->p ->q ([$ v=w+1])* ->p", &["RBG153"]),
        // These stop by themselves.
        ("->p ->q ({a} [b])* ->p", &[]),
        ("->p ->q ([$ v=10])* ->p", &["RBG151"]),
        ("->p ->q ({$ v < 5} [$ v=v+1])* ->p", &[]),
        ("->p ->q ({$ a == 1} [b])* ->p", &[]),
        ("->p ->q ([c] ->p [c])* ->p", &[]),
        ("up down", &["RBG154"]),
        ("->p ->p", &["RBG155"]),
        ("->p ->q [a]", &["RBG156"]),
        ("->p ->q [a] {} ->p", &["RBG156", "RBG159"]),
        ("->p ->q {}", &[]),
        ("->> up [b] ->>", &["RBG154"]),
        ("->p up + ->q [b]", &["RBG158", "RBG156"]),
        ("->p ->q up", &[]),
    ];
    for (rules, codes) in table {
        assert_eq!(remarks(&description(rules), Severity::Warning), *codes, "{rules}");
    }
    let zero = description("->p ->q").replace("v(9)", "v(0)");
    assert_eq!(remarks(&zero, Severity::Warning), ["RBG150"]);
}

/// On a board without cycles, no walk along it goes on for ever.
#[test]
fn shifts_are_followed_on_the_board() {
    let text = |board: &str, rules: &str| {
        format!("#players = p(1)\n#pieces = a, b\n#variables =\n#board = {board}\n#rules = {rules}\n")
    };
    let cyclic = |text: &str| {
        let mut found = remarks(text, Severity::Warning);
        found.retain(|&code| code == "RBG135");
        found
    };
    let line = "rectangle(up,down,left,right,[a,a,a])";
    assert_eq!(cyclic(&text(line, "->p (right [a])* ->p")), [""; 0]);
    assert_eq!(cyclic(&text(line, "->p (right [a] + left)* ->p")), ["RBG135"]);
    // What cannot be reached does not matter.
    let ring = "s[a]{right:t} t[a]{} x[a]{right:x}";
    assert_eq!(cyclic(&text(ring, "->p (right [a])* ->p")), [""; 0]);
    let aside = "s[a]{right:t, left:x} t[a]{} x[a]{right:x}";
    assert_eq!(cyclic(&text(aside, "->p (right [a])* ->p")), [""; 0]);
    assert_eq!(cyclic(&text(aside, "->p left (right [a])* ->p")), ["RBG135"]);
    assert_eq!(cyclic(&text(aside, "->p left {} (right [a])* ->p")), [""; 0]);
    assert_eq!(cyclic(&text(aside, "->p {? left {! (right [a])*}} ->p")), ["RBG135"]);
}

#[test]
fn lints() {
    let base = "#players = p(1)\n#pieces = a, b\n#variables =\n#board = s[a]{l:t} t[b]{}\n";
    let table: &[(&str, &[&str])] = &[
        ("#rules = ->p l ->p", &[]),
        ("#m = l #rules = ->p l ->p", &["RBG172"]),
        ("#m = #rules = ->p m l ->p", &["RBG176"]),
        ("#rules = ->p l {a,b} ->p", &["RBG170"]),
        ("#rules = ->p l {a,a} ->p", &["RBG171"]),
        ("#rules = ->p l [a,b,a] ->p", &["RBG171"]),
        ("#rules = ->p ->p", &["RBG172"]),
        ("#rules = ->p l ->> ([a] ->p + [b] ->p)", &["RBG175"]),
        // Nobody gets behind `{}`.
        ("#rules = ->p l ->> {} ([a] ->p + [b] ->p)", &[]),
        ("#rules = ->p l ->> ({a} [b] ->p + {b} [a] ->p)", &[]),
        ("#rules = ->p l ->> ({? l [a]} [b] ->p + {! l [a]} [a] ->p)", &[]),
        ("#rules = ->p l ->> ({$ p < 1} [b] ->p + {$ p == 1} [a] ->p)", &[]),
        ("#rules = ->p l ->> ({$ p <= 1} [b] ->p + {$ p == 1} [a] ->p)", &["RBG175"]),
        ("#rules = ->p l ([a] ->p + [b] ->p)", &[]),
    ];
    for (rules, codes) in table {
        assert_eq!(remarks(&format!("{base}{rules}"), Severity::Lint), *codes, "{rules}");
    }
    let board = |board: &str| {
        format!("#players = p(1)\n#pieces = a, b\n#variables = v(1)\n#board = {board}\n#rules = ->p ->p\n")
    };
    assert_eq!(
        remarks(&board("rectangle(u,d,l,r,[a])"), Severity::Lint),
        ["RBG173", "RBG173", "RBG173", "RBG173", "RBG172", "RBG172"]
    );
    assert_eq!(remarks(&board("s[a]{} t[b]{}"), Severity::Lint), ["RBG172", "RBG174"]);
}

#[test]
fn a_shift_by_a_label_without_edges_never_holds() {
    let text = "#players = p(1)\n#pieces = a\n#variables =\n#board = rectangle(u,d,l,r,[a,a])\n#rules = ->p u* l ->p";
    assert!(printed(text).contains("->p ({})* l ->p"), "{}", printed(text));
}
