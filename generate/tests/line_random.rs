//! Random descriptions: either a game that loads without findings and is formatted, or a diagnostic with a place.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod common;

use proptest::prelude::*;
use rg_ir::{SourceId, SourceMap};

/// Checks one description; returns whether it is in order.
fn check(text: &str) -> bool {
    let mut sources = SourceMap::default();
    let source = sources.add("game.txt", text);
    match generate::line::generate(source, text) {
        Ok(game) => {
            let (lowered, findings) = hrg::load(SourceId(1), &game);
            assert!(lowered.is_some() && findings.is_empty(), "{findings:?}\n{text}\n{game}");
            assert_eq!(hrg::format(SourceId(1), &game).unwrap(), game, "{text}");
            true
        }
        Err(findings) => {
            assert!(!findings.is_empty(), "{text}");
            for finding in findings {
                let place = finding.primary.unwrap_or_else(|| panic!("{} without a place\n{text}", finding.message));
                assert!(text.get(place.span.range()).is_some(), "{} marks what is not there\n{text}", finding.message);
                assert!(finding.message.contains("expected") || finding.help.is_some(), "{}", finding.message);
            }
            false
        }
    }
}

/// A drawing of random signs.
fn scribble() -> impl Strategy<Value = String> {
    let sign = prop::sample::select(vec!['.', 'o', 'w', 'b', 'W', 'B', '-', '|', '/', '\\', 'X', '+', ' ', '?']);
    let row = prop::collection::vec(sign, 0..6).prop_map(String::from_iter);
    prop::collection::vec(row, 1..6).prop_map(|rows| rows.iter().map(|row| format!("  {row}\n")).collect())
}

/// A grid of random pieces, with lines between some of them.
fn drawing() -> impl Strategy<Value = String> {
    let point = prop::sample::select(vec!['.', 'w', 'b', 'W', 'B']);
    (2..4usize, 2..4usize).prop_flat_map(move |(rows, columns)| {
        let cells = prop::collection::vec(
            (point.clone(), 0..8u8, prop::sample::select(vec![' ', '/', '\\', 'X'])),
            rows * columns,
        );
        cells.prop_map(move |cells| {
            let mut text = String::new();
            for row in 0..rows {
                let mut below = String::new();
                text.push_str("  ");
                for column in 0..columns {
                    let (point, lines, diagonal) = cells[row * columns + column];
                    let last = [column + 1 == columns, row + 1 == rows];
                    text.push(point);
                    // Most lines are there.
                    text.push(if last[0] || lines == 0 { ' ' } else { '-' });
                    below.push(if last[1] || lines == 1 { ' ' } else { '|' });
                    below.push(if last[0] || last[1] { ' ' } else { diagonal });
                }
                text.push_str(&format!("\n  {below}\n"));
            }
            text
        })
    })
}

fn board() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "",
        ", diagonals",
        ", all diagonals",
        ", centres",
        ", cross 1",
        ", triangles 1 north",
        ", tails 2 east west",
        ", triangles 2 north south west",
    ]);
    let family = prop_oneof![
        (1..6usize, 1..6usize, parts).prop_map(|(rows, columns, parts)| format!("grid {rows}x{columns}{parts}")),
        (0..4usize, 0..7usize).prop_map(|(rings, rays)| format!("rings {rings}x{rays}")),
        (1..3usize, prop::sample::select(vec!["", ", diagonals", ", centre"]))
            .prop_map(|(n, parts)| format!("squares {n}{parts}")),
    ];
    let setup = prop::collection::vec(prop::sample::select(vec!["w", "b", "3w", "3b", ".", "W", "2B", "2(w b)"]), 1..5);
    prop_oneof![
        drawing().prop_map(|drawing| format!("board:\n{drawing}")),
        scribble().prop_map(|drawing| format!("board:\n{drawing}")),
        (family, setup).prop_map(|(family, setup)| {
            // The rest of the board is free, as far as its size can be guessed.
            let text = format!("board: {family}\nsetup: {}", setup.join(" "));
            let wrong = generate::line::generate(SourceId(0), &text).err();
            let message =
                wrong.and_then(|findings| findings.first().map(|finding| finding.message.clone())).unwrap_or_default();
            let numbers: Vec<usize> = message.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
            match numbers[..] {
                [found, expected] if found < expected => format!("{text} {}.\n", expected - found),
                _ => format!("{text}\n"),
            }
        }),
    ]
}

fn rules() -> impl Strategy<Value = String> {
    let of = |key: &'static str, values: &'static [&'static str]| {
        prop::option::of(prop::sample::select(values))
            .prop_map(move |value| value.map(|value| format!("{key}: {value}\n")).unwrap_or_default())
    };
    let ways = &["all", "none", "forward", "sideways straight", "forward diagonal", "backward forward"];
    (
        (
            of("capture", &["optional", "forced", "longest"]),
            of("chain", &["none", "optional", "forced"]),
            of("move", &["turn", "jump"]),
        ),
        (of("steps", ways), of("king steps", ways), of("white jumps", ways), of("black man jumps", ways)),
        (
            of("flying", &["none", "kings", "all"]),
            of("promotion", &["none", "far row"]),
            of("first", &["white", "black"]),
        ),
        (
            of("limit", &["none", "5 turns", "9 quiet turns", "3 turns, majority", "3 quiet turns, majority"]),
            of("stuck", &["loses", "draw"]),
        ),
    )
        .prop_map(|((a, b, c), (d, e, f, g), (h, i, j), (k, l))| [a, b, c, d, e, f, g, h, i, j, k, l].concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn descriptions_give_games_or_findings((board, rules) in (board(), rules())) {
        check(&format!("{board}{rules}"));
    }

    #[test]
    fn any_text_is_read(text in "\\PC{0,60}(\n\\PC{0,30}){0,5}") {
        check(&text);
        check(&format!("board: {text}"));
        check(&format!("board: grid 3x3\nsetup: {text}"));
        check(&format!("board: grid 3x3\nsetup: 3b 3. 3w\nlimit: {text}"));
    }
}

/// The largest boards are within the limits of HRG.
#[test]
fn the_largest_boards_load() {
    for (board, points) in
        [("grid 31x32, all diagonals", 992), ("grid 1x1000", 1000), ("rings 24x40", 961), ("rings 333x3", 1000)]
    {
        let rules = "capture: longest\nmove: jump\nlimit: 10000 turns, majority";
        assert!(check(&format!("board: {board}\nsetup: 9b {}. 9w\n{rules}\n", points - 18)), "{board}");
    }
}

/// All rules with each other on one board: none of them is left out because it is refused.
#[test]
fn rules_do_not_depend_on_each_other() {
    let mut games = 0;
    for capture in ["optional", "forced", "longest"] {
        for chain in ["none", "optional", "forced"] {
            for unit in ["turn", "jump"] {
                for flying in ["none", "kings", "all"] {
                    for limit in ["none", "5 turns", "5 quiet turns, majority"] {
                        let text = format!(
                            "board: grid 3x3, diagonals\nsetup: 3b 3. 3w\npromotion: far row\nman steps: forward\ncapture: \
                             {capture}\nchain: {chain}\nmove: {unit}\nflying: {flying}\nlimit: {limit}\n"
                        );
                        assert_eq!(check(&text), capture != "longest" || chain == "forced", "{text}");
                        games += 1;
                    }
                }
            }
        }
    }
    assert_eq!(games, 162);
}
