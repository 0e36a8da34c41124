//! Inputs made to hurt: each must be answered quickly and cleanly.

mod common;

use common::codes;
use proptest::prelude::*;
use rg_ir::SourceId;

const GAME: &str = "(role p) (base s) (input p go) (init s) (legal p go) (<= terminal (true s)) (goal p 100)";

/// Codes of errors of a text behind a game, each once.
fn errors(text: &str) -> Vec<&'static str> {
    let findings = gdl::parse(SourceId(0), &format!("{GAME} {text}")).1;
    let mut codes: Vec<&str> = findings.iter().filter(|finding| finding.is_error()).map(|error| error.code).collect();
    codes.dedup();
    codes
}

#[test]
fn deep_nesting_is_an_error() {
    for depth in [1_000, 100_000] {
        assert_eq!(errors(&"(".repeat(depth)), ["GDL610"], "{depth}");
        assert_eq!(errors(&format!("{}{}", "(f ".repeat(depth), ")".repeat(depth))), ["GDL610"], "{depth}");
        assert_eq!(errors(&")".repeat(depth)), ["GDL611"], "{depth}");
        let nots = format!("(<= terminal {}(true s){})", "(not ".repeat(depth), ")".repeat(depth));
        assert_eq!(errors(&nots), ["GDL610"], "{depth}");
        assert!(gdl::format(SourceId(0), &nots).is_err());
        let infix = format!("p :- {}q{}", "~(".repeat(depth), ")".repeat(depth));
        assert!(codes(&infix).contains(&"GDL610"), "{depth}");
        assert!(codes(&format!("p({}", "f(".repeat(depth))).contains(&"GDL610"), "{depth}");
    }
    let deepest = gdl::MAX_NESTING - 3;
    let nots = format!("(<= terminal {}(true s){})", "(not ".repeat(deepest), ")".repeat(deepest));
    assert_eq!(errors(&nots), [""; 0]);
    assert!(gdl::format(SourceId(0), &nots).is_ok());
}

#[test]
fn long_texts() {
    let facts: String = (0..50_000).map(|n| format!("(q{n} a) ")).collect();
    assert_eq!(errors(&facts), [""; 0]);
    let chain: String = (0..20_000).map(|n| format!("(<= (q{n} a) (q{} a)) ", n + 1)).collect();
    assert_eq!(errors(&chain), [""; 0]);
    let cycle: String = (0..20_000).map(|n| format!("(<= (q{n} a) (not (q{} a))) ", (n + 1) % 20_000)).collect();
    assert_eq!(errors(&cycle), ["GDL642"]);
    let wide = format!("(<= terminal {})", "(or (true a) (true b)) ".repeat(20_000));
    assert_eq!(errors(&wide), [""; 0]);
    let unbound = format!("(<= terminal {})", (0..20_000).map(|n| format!("(not (true ?x{n})) ")).collect::<String>());
    assert_eq!(errors(&unbound), ["GDL641"]);
}

/// Relations that nothing defines, half of them the names of fluents: looking through all rules for each of them would take hours.
#[test]
fn many_undefined_names() {
    let count = 100_000;
    let fluents: String = (0..count).map(|n| format!("(init (f{n} a)) (<= terminal (f{n} a)) ")).collect();
    assert_eq!(errors(&fluents), [""; 0]);
    let relations: String = (0..count).map(|n| format!("(<= terminal (r{n} a)) ")).collect();
    let found = gdl::parse(SourceId(0), &format!("{GAME} {relations} {fluents}")).1;
    assert_eq!(found.iter().filter(|found| found.code == "GDL624").count(), 200);
}

#[test]
fn many_rules_in_a_cycle_with_negation() {
    let rules: String = (0..5_000).map(|n| format!("(<= (q c{n}) (true ?x) (not (q ?x)))")).collect();
    assert_eq!(errors(&rules), ["GDL642"]);
}

fn word() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "(",
        ")",
        "(",
        ")",
        " ",
        "\n",
        "\r",
        "<=",
        "?x",
        "?",
        "role",
        "init",
        "true",
        "does",
        "legal",
        "next",
        "terminal",
        "goal",
        "sees",
        "base",
        "input",
        "distinct",
        "not",
        "or",
        "and",
        "random",
        "a",
        "B",
        "f",
        "100",
        "; c\n",
        "% c\n",
        "\"",
        "'",
        "#|",
        "é",
        "+",
        ":-",
        ":",
        "&",
        "|",
        "~",
        "!=",
        ",",
        ".",
        "X",
        "_",
        "p(",
        "(<= (p ?x) (q ?x))",
        "role(a)",
        "'+'",
        "(role a)",
        "(legal a b)",
        "(goal a 1)",
        "terminal ",
    ])
}

/// Words of prefix texts that mean something in infix ones.
#[test]
fn printing_keeps_the_syntax() {
    for text in ["% c\n(+)", "(a) :- (b c)", "; 1\n(%) ; 2\n% x"] {
        let description = gdl::read(SourceId(0), text).0.expect("it is prefix text");
        let prefix = gdl::print_prefix(&description);
        let again = gdl::read(SourceId(0), &prefix).0.expect("it is prefix text still");
        assert_eq!(again.rules.len(), description.rules.len(), "{prefix}");
        assert_eq!(gdl::print_prefix(&again), prefix);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn nothing_panics(words in prop::collection::vec(word(), 0..60), spaces in any::<bool>()) {
        let text = words.join(if spaces { " " } else { "" });
        let (description, findings) = gdl::parse(SourceId(0), &text);
        prop_assert_eq!(description.is_none(), rg_ir::diag::has_errors(&findings));
        if let Ok(formatted) = gdl::format(SourceId(0), &text) {
            prop_assert_eq!(gdl::format(SourceId(0), &formatted), Ok(formatted.clone()), "{}", formatted);
        }
        if let Some(description) = gdl::read(SourceId(0), &text).0 {
            let prefix = gdl::print_prefix(&description);
            let again = gdl::read(SourceId(0), &prefix).0.unwrap();
            prop_assert_eq!(gdl::print_prefix(&again), prefix);
            let infix = gdl::print_infix(&description).0;
            prop_assert!(gdl::read(SourceId(0), &infix).0.is_some(), "{}", infix);
        }
    }
}
