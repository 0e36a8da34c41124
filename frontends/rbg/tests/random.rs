//! Random input: nothing panics, and what is printed reads back the same.

mod common;

use common::with;
use proptest::prelude::*;
use rg_ir::SourceId;

fn token() -> impl Strategy<Value = String> {
    let words = [
        "players",
        "pieces",
        "variables",
        "rules",
        "board",
        "rectangle",
        "hexagon",
        "cuboid",
        "->>",
        "->",
        "{?",
        "{!",
        "{$",
        "[$",
        "==",
        "!=",
        "<=",
        ">=",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "~",
        "#",
        "-",
        "+",
        "^",
        "/",
        "*",
        ".",
        ",",
        ";",
        ":",
        "=",
        "<",
        ">",
        "!",
        "?",
        "$",
        "a",
        "p",
        "v",
        "up",
        "m",
        "x",
        "0",
        "2",
        "99999999999",
        "_",
        "\"",
        "é",
        "/*",
        "*/",
        "//",
        "\n",
        "#m(x) =",
        "#k = ",
        "m(",
        "#rules =",
    ];
    prop::sample::select(words.to_vec()).prop_map(str::to_owned)
}

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(token(), 0..60).prop_map(|tokens| tokens.join(" "))
}

/// Arithmetic.
fn value() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec!["v", "w", "p", "a", "b", "0", "7", "123"]).prop_map(str::to_owned);
    leaf.prop_recursive(4, 12, 2, |inner| {
        let operator = prop::sample::select(vec!["+", "-", "*"]);
        (inner.clone(), operator, inner).prop_map(|(a, op, b)| format!("({a}) {op} ({b})"))
    })
}

/// An expression of the rules; `check` leaves out switches.
fn rule(check: bool) -> BoxedStrategy<String> {
    let words = ["up", "down", "left", "{a}", "{}", "{a, c}", "{c,b,a}", "[a]", "[b, c]", "[a,a]", ".", "->p", "->>"];
    let count = if check { words.len() - 2 } else { words.len() };
    let leaf = prop_oneof![
        4 => prop::sample::select(words[..count].to_vec()).prop_map(str::to_owned),
        1 => value().prop_map(|value| format!("[$ v = {value}]")),
        1 => (value(), value()).prop_map(|(a, b)| format!("[$ w = {a}, v = {b}]")),
        1 => (value(), prop::sample::select(vec!["==", "!=", "<", "<=", ">", ">="]), value())
            .prop_map(|(a, relation, b)| format!("{{$ {a} {relation} {b}}}")),
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        let list = prop::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            list.clone().prop_map(|parts| format!("({})", parts.join(" + "))),
            list.prop_map(|parts| format!("({})", parts.join(" "))),
            // The condition keeps modifiers from going on for ever.
            inner.clone().prop_map(|part| format!("({{a}} {part})*")),
            inner.prop_map(|part| format!("({part})^3")),
        ]
    })
    .boxed()
}

fn rules() -> impl Strategy<Value = String> {
    let check = prop::sample::select(vec!["{?", "{!"]);
    let checked = (check, rule(true)).prop_map(|(open, rule)| format!("{open} {rule}}}"));
    prop::collection::vec(prop_oneof![rule(false), checked], 1..5).prop_map(|parts| parts.join(" "))
}

/// A generator with some cells; rows are long enough for a hexagon that grows by one each time.
fn board() -> impl Strategy<Value = String> {
    let cells = prop::collection::vec(prop::sample::select(vec!["zed", "b", "a", ""]), 25);
    (prop::sample::select(vec!["rectangle", "hexagon", "cuboid"]), 1usize..5, 1usize..5, cells).prop_map(
        |(generator, columns, rows, cells)| {
            let hexagon = generator == "hexagon";
            let row = |y: usize| {
                let length = if hexagon { columns + y } else { columns.max(2) };
                let row: Vec<&str> = (0..length).map(|x| cells[(7 * y + x) % cells.len()]).collect();
                if row == [""] { "[a]".to_owned() } else { format!("[{}]", row.join(",")) }
            };
            let rows: String = (0..rows).map(row).collect();
            match generator {
                "rectangle" => format!("rectangle(up,down,left,right,{rows})"),
                "hexagon" => format!("hexagon(up,down,left,right,nw,ne,{rows})"),
                _ => format!("cuboid(up,down,left,right,front,back,[{rows}][{rows}])"),
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn token_soup_never_panics(soup in soup()) {
        for text in [soup.clone(), with(&soup), with(&format!("#m(x) = {soup}\n#rules = m({soup}) {soup}"))] {
            let (description, diagnostics) = rbg::parse(SourceId(0), &text);
            prop_assert_eq!(description.is_none(), diagnostics.iter().any(rg_ir::Diagnostic::is_error));
            for span in diagnostics.iter().flat_map(|d| d.primary.iter().chain(&d.secondary)).map(|a| a.span) {
                prop_assert!(text.get(span.range()).is_some());
            }
        }
    }

    #[test]
    fn any_text_never_panics(text in ".*") {
        let _ = rbg::parse(SourceId(0), &text);
        let _ = rbg::format(SourceId(0), &text);
        let _ = rbg::parse(SourceId(0), &with(&text));
    }

    #[test]
    fn formatting_keeps_the_tokens(soup in soup()) {
        let text = with(&soup);
        if let Ok(formatted) = rbg::format(SourceId(0), &text) {
            let squeeze = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(squeeze(&text), squeeze(&formatted));
            let again = rbg::format(SourceId(0), &formatted);
            prop_assert_eq!(again.as_ref(), Ok(&formatted));
            let messages = |text: &str| -> Vec<String> {
                rbg::parse(SourceId(0), text).1.into_iter().map(|d| d.message).collect()
            };
            prop_assert_eq!(messages(&text), messages(&formatted));
        }
    }

    #[test]
    fn printing_reads_back(rules in rules()) {
        let text = with(&format!("#rules = ->p {rules} ->q"));
        let (description, diagnostics) = rbg::parse(SourceId(0), &text);
        let description = description.ok_or_else(|| TestCaseError::fail(common::render(&text, &diagnostics)))?;
        let print = rbg::print(&description);
        let again = rbg::parse(SourceId(0), &print).0;
        prop_assert!(again.is_some_and(|again| again.same(&description)), "{}", print);
    }

    #[test]
    fn generated_boards_read_back(board in board(), pieces in Just(vec!["zed", "b", "a", "unused"]).prop_shuffle()) {
        let text = format!(
            "#variables = w(3), v(2)\n#rules = ->q up {{a, zed}} [b] [$ w = zed, v = unused] ->p\n#board = {board}\n\
             #players = q(1), p(2)\n#pieces = {}\n", pieces.join(", ")
        );
        let (description, diagnostics) = rbg::parse(SourceId(0), &text);
        let Some(description) = description else {
            prop_assert!(diagnostics.iter().all(|d| d.code == "RBG126"), "{}", common::render(&text, &diagnostics));
            return Ok(());
        };
        let print = rbg::print(&description);
        let again = rbg::parse(SourceId(0), &print).0;
        prop_assert!(again.is_some_and(|again| again.same(&description)), "{}", print);
    }
}
