//! Properties of the text syntax on generated texts.

#![allow(clippy::unwrap_used)]

mod common;

use proptest::prelude::*;
use rg_ir::{SourceId, text};

const SOURCE: SourceId = SourceId(0);

/// Names of which some are types, constants or variables, and most are none.
fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "0", "10_1", "żółć", "constant", "keeper", "visible", "x1", "Player"])
        .prop_map(str::to_owned)
}

fn type_name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["Player", "Score", "Bool", "Goals", "T", "U"]).prop_map(str::to_owned)
}

fn set_name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["Player", "Score", "Bool", "T"]).prop_map(str::to_owned)
}

/// White space, with or without comments. A comment is never put where it would swallow the next token.
fn gap() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["", " ", " ", "\n", "\n\n\n", "\t\r\n", " // c; {\n", "\n// own line\n\n"])
        .prop_map(str::to_owned)
}

fn joined(items: Vec<String>, separator: &str) -> String {
    items.join(separator)
}

fn set() -> impl Strategy<Value = String> {
    (prop::sample::subsequence(vec!["a", "b", "c", "0", "a_symbol_with_a_long_name", "日本"], 1..6), gap())
        .prop_map(|(members, gap)| format!("{{{gap}{}}}", members.join(&format!(",{gap}"))))
}

fn ty() -> impl Strategy<Value = String> {
    let part = prop_oneof![set_name(), set()];
    (prop::collection::vec(part.clone(), 0..3), prop_oneof![type_name(), part]).prop_map(|(mut keys, last)| {
        keys.push(last);
        joined(keys, "->")
    })
}

fn value() -> impl Strategy<Value = String> {
    let symbol = prop::sample::select(vec!["a", "b", "0", "c1", "c2"]).prop_map(str::to_owned);
    symbol.prop_recursive(4, 40, 6, |value| {
        let keys = prop::sample::subsequence(vec!["a", "b", "c1", "v", "a_key_with_a_long_name", "const_"], 0..6);
        (keys, prop::collection::vec(value.clone(), 6), value, 0..7usize, gap()).prop_map(
            |(keys, values, default, at, gap)| {
                let mut entries: Vec<String> =
                    keys.iter().zip(values).map(|(key, value)| format!("{key}:{gap}{value}")).collect();
                entries.insert(at.min(entries.len()), format!(":{default}"));
                format!("{{{gap}{}{gap}}}", entries.join(&format!("{gap},")))
            },
        )
    })
}

fn expr() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![name(), prop::sample::select(vec!["v", "c1", "goals", "player"]).prop_map(str::to_owned)];
    leaf.prop_recursive(4, 16, 2, |expr| {
        prop_oneof![
            (expr.clone(), expr.clone(), gap()).prop_map(|(map, key, gap)| format!("{map}{gap}[{key}]")),
            (type_name(), expr).prop_map(|(ty, inner)| format!("{ty}({inner})")),
        ]
    })
}

fn label() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        name().prop_map(|tag| format!("${tag}")),
        Just("$$ player".to_owned()),
        Just("$$v".to_owned()),
        (name(), name()).prop_map(|(from, to)| format!("?{from}->{to}")),
        (name(), name()).prop_map(|(from, to)| format!("! {from} -> {to}")),
        (expr(), expr()).prop_map(|(lhs, rhs)| format!("{lhs}=={rhs}")),
        (expr(), gap(), expr()).prop_map(|(lhs, gap, rhs)| format!("{lhs}{gap} != {rhs}")),
        (expr(), expr()).prop_map(|(lhs, rhs)| format!("{lhs}={rhs}")),
        (expr(), ty()).prop_map(|(lhs, ty)| format!("{lhs}={ty}(*)")),
    ]
}

fn names(count: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    prop::collection::vec(name(), count).prop_map(|names| names.join(" "))
}

fn pragma() -> impl Strategy<Value = String> {
    let tag = prop_oneof![name(), ty().prop_map(|ty| format!("bound: {ty}"))];
    let sets = prop::collection::vec((expr(), expr()).prop_map(|(lhs, rhs)| format!("{lhs}={rhs}")), 0..3);
    let pragma = prop_oneof![
        names(1..4).prop_map(|names| format!("@artificialTag {names}")),
        (name(), names(1..4)).prop_map(|(node, targets)| format!("@disjoint {node}:{targets}")),
        (0u64.., names(1..4)).prop_map(|(first, symbols)| format!("@integer {first}:{symbols}")),
        (names(3..4), name()).prop_map(|(nodes, variable)| format!("@iterator {nodes} : {variable}")),
        (names(1..4), names(0..3)).prop_map(|(nodes, variables)| format!("@repeat {nodes}:{variables}")),
        (names(1..4), 0u64..).prop_map(|(nodes, index)| format!("@tagMaxIndex {nodes}:{index}")),
        (tag, sets).prop_map(|(tag, sets)| format!("@simpleApply p q [t, {tag}] {}", sets.join(","))),
        Just("@translatedFromRbg".to_owned()),
        "@[ a-z:,→]{0,12}".prop_filter("known", |text| !text.starts_with("@unique")),
    ];
    // Comments cannot stand inside of pragmas.
    pragma.prop_map(|text| text.replace("// c; {", "").replace("// own line", ""))
}

/// A text without errors: its declarations, in any order, around those that the names refer to.
fn game() -> impl Strategy<Value = String> {
    let edge = (name(), name(), gap(), label()).prop_map(|(from, to, gap, label)| format!("{from},{to}:{gap}{label}"));
    let declaration = prop_oneof![4 => edge, 1 => pragma()];
    let data = (ty(), value(), ty(), value(), ty(), value());
    (prop::collection::vec((declaration, gap()), 0..12), data, any::<prop::sample::Index>()).prop_map(
        |(declarations, (t1, v1, t2, v2, t3, v3), at)| {
            let mut parts: Vec<String> =
                declarations.into_iter().map(|(declaration, gap)| format!("{declaration};{gap}")).collect();
            let at = at.index(parts.len() + 1);
            // `c1` may refer to `c2`, not the other way round.
            let v2 = v2.replace("c1", "c2");
            parts.insert(at, format!("const c1: {t1} = {v1}; const c2:{t2}={v2};var v : {t3} = {v3};"));
            parts.insert(0, "type Player={a,b};".to_owned());
            parts.push("type Score={0,1};type T={a , b};type U=Player->T;".to_owned());
            parts.concat()
        },
    )
}

/// Pieces of the language in any order.
fn soup() -> impl Strategy<Value = String> {
    let token = prop::sample::select(vec![
        "type",
        "const",
        "var",
        "x",
        "T",
        "0",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ",",
        ":",
        ";",
        "=",
        "==",
        "!=",
        "->",
        "?",
        "!",
        "$",
        "$$",
        "*",
        "@",
        "@unique",
        "@simpleApply",
        "// c\n",
        "/*",
        "*/",
        "\n",
        " ",
        "→",
        "-",
        "\u{feff}",
        "é",
    ]);
    prop::collection::vec(token, 0..60).prop_map(|tokens| tokens.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printing_and_formatting_keep_the_game(source in game()) {
        let (game, findings) = text::parse(SOURCE, &source);
        prop_assert_eq!(common::render(&source, &findings), "");
        let game = game.unwrap();
        let printed = text::print(&game);
        let again = text::parse(SOURCE, &printed).0.unwrap();
        prop_assert!(again == game, "{}", printed);
        prop_assert_eq!(text::print(&again), printed);
        let formatted = text::format(SOURCE, &source).unwrap();
        let again = text::parse(SOURCE, &formatted).0.unwrap();
        prop_assert!(again == game, "{}", formatted);
        prop_assert_eq!(text::format(SOURCE, &formatted).unwrap(), formatted);
    }

    #[test]
    fn nothing_panics(source in prop_oneof![soup(), any::<String>()]) {
        let (game, findings) = text::parse(SOURCE, &source);
        prop_assert_eq!(game.is_none(), rg_ir::diag::has_errors(&findings));
        // Every finding can be shown.
        common::render(&source, &findings);
        if let Ok(formatted) = text::format(SOURCE, &source) {
            prop_assert_eq!(text::format(SOURCE, &formatted).unwrap(), formatted);
        }
    }

    /// A game with a piece cut out or moved: the way most wrong texts come about.
    #[test]
    fn edits_never_panic(source in game(), cut in any::<[prop::sample::Index; 3]>()) {
        let chars: Vec<char> = source.chars().collect();
        let [from, to, at] = cut.map(|index| index.index(chars.len() + 1));
        let (from, to) = (from.min(to), from.max(to));
        let (piece, mut rest) = (&chars[from..to], [&chars[..from], &chars[to..]].concat());
        let shorter: String = rest.iter().collect();
        let at = at.min(rest.len());
        rest.splice(at..at, piece.iter().copied());
        let moved: String = rest.iter().collect();
        for edited in [shorter, moved] {
            let (game, findings) = text::parse(SOURCE, &edited);
            prop_assert_eq!(game.is_none(), rg_ir::diag::has_errors(&findings));
            common::render(&edited, &findings);
            if let Ok(formatted) = text::format(SOURCE, &edited) {
                prop_assert_eq!(text::format(SOURCE, &formatted).unwrap(), formatted.as_str());
                let again = text::parse(SOURCE, &formatted).0;
                prop_assert!(again == game, "{}", formatted);
            }
        }
    }

    /// A game differs from the one that lacks one of its declarations.
    #[test]
    fn equality_tells_games_apart(source in game(), at in any::<prop::sample::Index>()) {
        let game = text::parse(SOURCE, &source).0.unwrap();
        let mut printed: Vec<String> = text::print(&game).lines().map(str::to_owned).collect();
        let removed = printed.remove(at.index(printed.len()));
        if let Some(other) = text::parse(SOURCE, &printed.join("\n")).0 {
            prop_assert!(other != game, "without {}", removed);
        }
    }
}
