//! Random input: nothing panics, and what is printed or formatted reads back the same.
#![allow(clippy::unwrap_used)] // a test stops at the first surprise

mod common;

use common::BASE;
use proptest::prelude::*;
use rg_ir::SourceId;

const SOURCE: SourceId = SourceId(0);

const WORDS: &str = "domain where in graph reusable if then else loop while repeat branch or const type var $$ $_ == != \
    <= >= && || .. -> { } ( ) [ ] , : ; = < > + - % | $ * // _ a B v N I(0) 0 7 forall check( break() return() end() \
    not( reachable( true() (*) /* é \" & ! @ 99999999999999999999";

fn token() -> impl Strategy<Value = String> {
    let words: Vec<&str> = WORDS.split_whitespace().chain(["\n", "\nf: N -> N\n", "\ngraph g() {"]).collect();
    prop::sample::select(words).prop_map(str::to_owned)
}

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(token(), 0..60).prop_map(|tokens| tokens.join(" "))
}

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "a", "b", "v", "x1", "0", "12", "_", "é", "A", "Bc", "N", "forall", "check", "rules", "in_",
    ])
    .prop_map(str::to_owned)
}

fn pattern() -> BoxedStrategy<String> {
    let leaf = name();
    leaf.prop_recursive(3, 8, 3, |inner| {
        let list = prop::collection::vec(inner, 0..3).prop_map(|list| list.join(", "));
        (name().prop_filter("no wildcard", |name| name != "_"), list).prop_map(|(name, list)| format!("{name}({list})"))
    })
    .boxed()
}

fn range() -> impl Strategy<Value = String> {
    let set = prop::collection::vec(name(), 0..3).prop_map(|list| format!("{{{}}}", list.join(", ")));
    (name(), prop_oneof![set, Just("0..3".to_owned())]).prop_map(|(name, values)| format!("{name} in {values}"))
}

fn expr() -> BoxedStrategy<String> {
    name()
        .prop_recursive(5, 40, 3, |inner| {
            let operators = vec!["+", "-", "%", "in", "==", "!=", "<", "<=", ">", ">=", "&&", "||"];
            let list = prop::collection::vec(inner.clone(), 0..3).prop_map(|list| list.join(", "));
            let part =
                (pattern(), inner.clone(), prop::collection::vec(range(), 0..2)).prop_map(|(key, value, ranges)| {
                    let ranges =
                        if ranges.is_empty() { String::new() } else { format!(" where {}", ranges.join(", ")) };
                    format!("{key} = ({value}){ranges}")
                });
            let parts = prop::collection::vec(part, 1..3).prop_map(|parts| parts.join("; ")).boxed();
            prop_oneof![
                (inner.clone(), prop::sample::select(operators.clone()), inner.clone())
                    .prop_map(|(a, operator, b)| format!("({a}) {operator} ({b})")),
                // Without brackets, where that can be read.
                (name(), prop::sample::select(operators), name())
                    .prop_map(|(a, operator, b)| format!("{a} {operator} {b}")),
                (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| format!("if {a} then {b} else {c}")),
                (inner.clone(), inner.clone()).prop_map(|(map, key)| format!("({map})[{key}]")),
                (inner.clone(), list.clone()).prop_map(|(callee, list)| format!("({callee})({list})")),
                (name(), list).prop_map(|(callee, list)| format!("{callee}({list})")),
                parts.clone().prop_map(|parts| format!("{{ {parts} }}")),
                (inner, parts).prop_map(|(default, parts)| format!("{{ :{default}; {parts} }}")),
            ]
        })
        .boxed()
}

fn ty() -> impl Strategy<Value = String> {
    let set = prop::collection::vec(name(), 1..3).prop_map(|list| format!("{{{}}}", list.join(", ")));
    (prop::collection::vec(name(), 0..3), prop_oneof![name(), set]).prop_map(|(mut keys, result)| {
        keys.push(result);
        keys.join(" -> ")
    })
}

fn statement() -> BoxedStrategy<String> {
    let target = || {
        (name(), prop::collection::vec(expr(), 0..2))
            .prop_map(|(name, keys)| keys.iter().fold(name, |target, key| format!("{target}[{key}]")))
    };
    let leaf = prop_oneof![
        (target(), expr()).prop_map(|(target, value)| format!("{target} = {value}")),
        (target(), ty()).prop_map(|(target, ty)| format!("{target} = {ty}(*)")),
        (name(), prop::collection::vec(expr(), 0..3)).prop_map(|(name, list)| format!("{name}({})", list.join(", "))),
        expr().prop_map(|condition| format!("check({condition})")),
        name().prop_map(|name| format!("$$ {name}")),
        (prop::sample::select(vec!["$", "$_"]), name()).prop_map(|(tag, name)| format!("{tag} {name}")),
        prop::collection::vec(name(), 1..3).prop_map(|names| format!("$_({})", names.join(" "))),
    ];
    leaf.prop_recursive(4, 30, 3, |inner| {
        let block = prop::collection::vec(inner, 0..3).prop_map(|list| format!("{{\n{}\n}}", list.join("\n")));
        prop_oneof![
            prop::collection::vec(block.clone(), 1..3).prop_map(|arms| format!("branch {}", arms.join(" or "))),
            (name(), ty(), block.clone()).prop_map(|(name, ty, block)| format!("branch {name} in {ty} {block}")),
            (name(), ty(), block.clone()).prop_map(|(name, ty, block)| format!("forall {name}: {ty} {block}")),
            (name(), ty(), block.clone()).prop_map(|(name, ty, block)| format!("repeat {name} in {ty} {block}")),
            block.clone().prop_map(|block| format!("repeat 2 {block}")),
            block.clone().prop_map(|block| format!("loop {block}")),
            (expr(), block.clone()).prop_map(|(condition, block)| format!("while {condition} {block}")),
            (expr(), block.clone()).prop_map(|(condition, block)| format!("if {condition} {block}")),
            (expr(), block.clone(), block.clone()).prop_map(|(c, yes, no)| format!("if {c} {yes} else {no}")),
            (expr(), block.clone(), expr(), block).prop_map(|(c, a, d, b)| format!("if {c} {a} else if {d} {b}")),
        ]
    })
    .boxed()
}

fn declaration() -> BoxedStrategy<String> {
    let generator = (name(), prop::collection::vec(name(), 0..3), prop::collection::vec(range(), 0..3))
        .prop_map(|(name, list, ranges)| format!("{name}({}) where {}", list.join(", "), ranges.join(", ")));
    let element = prop_oneof![name(), generator];
    let case = (prop::collection::vec(pattern(), 0..3), expr());
    let parameter = (name(), ty()).prop_map(|(name, ty)| format!("{name}: {ty}"));
    prop_oneof![
        (name(), prop::collection::vec(element, 1..3))
            .prop_map(|(name, elements)| format!("domain {name} = {}", elements.join(" | "))),
        (name(), ty()).prop_map(|(name, ty)| format!("{name} : {ty}")),
        (name(), ty(), expr()).prop_map(|(name, ty, value)| format!("{name} : {ty} = {value}")),
        (name(), ty(), prop::collection::vec(case, 1..3)).prop_map(|(name, ty, cases)| {
            let cases = cases.iter().map(|(patterns, value)| format!("\n{name}({}) = {value}", patterns.join(", ")));
            format!("{name}: {ty}{}", cases.collect::<String>())
        }),
        (any::<bool>(), name(), prop::collection::vec(parameter, 0..2), prop::collection::vec(statement(), 0..4))
            .prop_map(|(reusable, name, parameters, body)| {
                let reusable = if reusable { "reusable " } else { "" };
                format!("{reusable}graph {name}({}) {{\n{}\n}}", parameters.join(", "), body.join("\n"))
            }),
    ]
    .boxed()
}

fn description() -> impl Strategy<Value = String> {
    prop::collection::vec(declaration(), 0..4).prop_map(|list| list.join("\n"))
}

/// What must hold for any text.
fn examine(text: &str) -> Result<(), TestCaseError> {
    let (lowered, findings) = hrg::load(SOURCE, text);
    prop_assert_eq!(lowered.is_none(), rg_ir::diag::has_errors(&findings));
    for span in findings.iter().flat_map(|d| d.primary.iter().chain(&d.secondary)).map(|a| a.span) {
        prop_assert!(text.get(span.range()).is_some());
    }
    if let Some(lowered) = lowered {
        prop_assert!(!rg_ir::diag::has_errors(&rg_ir::check(&lowered.game)));
    }
    let formatted = hrg::format(SOURCE, text);
    let Some(tree) = hrg::parse(SOURCE, text).0 else {
        prop_assert!(formatted.is_err());
        return Ok(());
    };
    let printed = hrg::print(&tree);
    let again = hrg::parse(SOURCE, &printed).0;
    prop_assert_eq!(again.as_ref(), Some(&tree), "{}", printed);
    prop_assert_eq!(hrg::print(again.as_ref().unwrap()), printed);
    let formatted = formatted.unwrap_or_default();
    let again = hrg::parse(SOURCE, &formatted).0;
    prop_assert_eq!(again.as_ref(), Some(&tree), "{}", formatted);
    prop_assert_eq!(hrg::format(SOURCE, &formatted), Ok(formatted));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_descriptions_can_be_read(text in description()) {
        let (tree, findings) = hrg::parse(SOURCE, &text);
        prop_assert!(tree.is_some(), "{}", common::render(&text, &findings));
        examine(&text)?;
    }

    #[test]
    fn generated_statements_are_translated_or_refused(body in prop::collection::vec(statement(), 0..4)) {
        examine(&format!("{BASE}graph rules() {{ player = p {} }}", body.join("\n")))?;
    }

    #[test]
    fn mutations_never_panic(text in description(), cut in any::<prop::sample::Index>(), insert in token()) {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let at = places[cut.index(places.len())];
        examine(&text[..at])?;
        examine(&format!("{}{insert}{}", &text[..at], &text[at..]))?;
        examine(&format!("{} {insert} {}", &text[..at], text[at..].split_once(' ').map_or("", |(_, rest)| rest)))?;
    }

    #[test]
    fn token_soup_never_panics(soup in soup()) {
        for text in [soup.clone(), format!("{BASE}graph rules() {{ {soup}"), format!("{BASE}w: N = {soup}")] {
            examine(&text)?;
        }
    }

    #[test]
    fn any_text_never_panics(text in ".*") {
        examine(&text)?;
        examine(&format!("{BASE}graph rules() {{ {text} }}"))?;
    }
}
