//! How positions are shown: all that differs is seen, in every language, and what is hidden is not.

use crate::support::{rgc, rgc_with_input, snapshot};
use backend::{Moves, Options, Rng, Turn};
use kit::draw::Drawer;
use kit::library;
use kit::runner::Runner;
use rg_ir::SourceMap;
use rg_ir::scene::Look;
use std::collections::HashMap;
use std::path::Path;

fn runner(name: &str) -> Runner {
    let (loaded, findings) = kit::load(&mut SourceMap::default(), Path::new(name), None);
    let loaded = loaded.unwrap_or_else(|| panic!("{name}: {findings:?}"));
    Runner::new(loaded, Options { keep_dead: true, ..Options::default() }).unwrap()
}

/// A decision that two players share is called one of all, not one of those that a player makes.
#[test]
fn decisions_of_several_players_are_of_none() {
    let rules = "type Player = { a, b };\ntype Score = { 0, 100 };\ntype C = { x, y };\nvar c: C = x;\n\
                 begin, share: player = a;\nshare, s: $ go;\ns, back: c == x;\ns, done: c == y;\nback, again: c = y;\n\
                 again, other: player = b;\nother, o: $ two;\no, third: player = b;\nthird, t: $ three;\nt, share: player = b;\n\
                 done, over: goals[a] = 100;\nover, end: player = keeper;\n";
    let shown = rgc_with_input(["moves", "-", "--from", "rg"], rules).success();
    assert!(shown.contains("decision in the rules: 1 of 3\n"), "{shown}");
    let shown = rgc_with_input(["moves", "-", "--from", "rg", "--play", "go"], rules).success();
    assert!(shown.contains("decision in the rules: 2 of the 3 that b makes\n"), "{shown}");
}

/// Plays every bundled game at random for up to 20 plies, three times. Two positions that print alike have the same mover and the same legal moves;
/// what is hidden from players is printed, since this is the view of the referee.
#[test]
fn different_positions_never_print_alike() {
    for game in library::all() {
        let name = game.file_name();
        let runner = runner(&name);
        let drawer = Drawer::new(&runner);
        let mut seen: HashMap<String, (Turn, String, String)> = HashMap::new();
        for seed in 0..3 {
            let mut rng = Rng::new(seed);
            let mut state = runner.initial().unwrap();
            for _ in 0..20 {
                let mut moves = Moves::new();
                runner.reasoner.legal_moves(&state, &mut moves).unwrap();
                let mut texts = runner.texts(&moves);
                texts.sort();
                let turn = runner.reasoner.turn(&state);
                let scores = runner.reasoner.scores(&state).join(" ");
                let text = drawer.text(&state, Look::default());
                assert!(!text.trim().is_empty(), "{name}");
                let key = format!("{text}{turn:?}");
                let now = (turn, texts.join("; "), scores);
                let before = seen.entry(key).or_insert_with(|| now.clone());
                assert_eq!(*before, now, "{name}: two positions print alike:\n{text}");
                if moves.is_empty() {
                    break;
                }
                let index = rng.below(u32::try_from(moves.len()).unwrap()) as usize;
                runner.reasoner.apply(&mut state, &moves, index).unwrap();
            }
        }
    }
}

/// Every board that a bundled game has is drawn with all its places, once each, in text and as a picture.
#[test]
fn pictures_have_all_places() {
    for game in library::all() {
        let name = game.file_name();
        let runner = runner(&name);
        let drawer = Drawer::new(&runner);
        let state = runner.initial().unwrap();
        let svg = rg_ir::scene::svg(&drawer.scene(&state), &[]);
        let places: usize = drawer.boards().iter().map(|board| board.places.len()).sum();
        assert_eq!(svg.matches("data-place=").count(), places, "{name}");
        for board in drawer.boards() {
            let mut labels: Vec<&str> = board.places.iter().map(|place| place.label.as_str()).collect();
            labels.sort_unstable();
            assert!(labels.windows(2).all(|pair| pair[0] != pair[1]), "{name}: {labels:?}");
        }
        let always = matches!(game.language.name, "rbg" | "sbg");
        assert!(!always || drawer.boards().len() == 1, "{name} has no board");
    }
}

#[test]
fn hands_stores_and_heaps_are_shown() {
    let drawn = |game: &str| {
        let text = rgc(["moves", game]).success();
        text.split("\n\n").next().unwrap().to_owned()
    };
    let games = [
        "oware.hrg",
        "nim.hrg",
        "kuhnPoker.hrg",
        "dotsAndBoxes.hrg",
        "backgammon.hrg",
        "connectFour.gdl",
        "hex.rbg",
        "ticTacToe.rg",
        "ultimateTicTacToe.rbg",
        "theMillGame.rbg",
        "theMillGame.hrg",
        "surakarta.rbg",
    ];
    let text: Vec<String> = games.iter().map(|game| format!("== {game}\n{}\n", drawn(game))).collect();
    snapshot("positions", &text.join("\n"));
}

#[test]
fn chess_pieces_look_like_chess_pieces() {
    let text = rgc(["moves", "chess.rbg", "--board", "unicode"]).success();
    assert!(text.starts_with("8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜\n7 ♟ ♟"), "{text}");
    assert!(text.contains("1 ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖\n  a b"), "{text}");
    let svg = rgc(["moves", "chess.rbg", "--svg"]).success();
    assert_eq!(svg.matches("<path transform").count(), 32, "{svg}");
    assert!(svg.starts_with("<svg ") && !svg.contains("legal move"));
    assert_eq!(svg, rgc(["moves", "chess.rbg", "--board", "svg"]).success());
}

/// What a player may not see is not printed for it.
#[test]
fn what_a_player_knows() {
    let play = "queen; jack; check";
    let second = rgc(["moves", "kuhnPoker.hrg", "--play", play, "--as", "second"]).success();
    assert!(second.contains("jack") && second.contains("something hidden") && !second.contains("queen"), "{second}");
    assert!(second.contains("second to move, 2 legal moves:\n  bet\n  check\n"), "{second}");
    let first = rgc(["moves", "kuhnPoker.hrg", "--play", play, "--as", "first", "--json"]).success();
    assert!(first.contains("queen") && !first.contains("jack"), "{first}");
    let short = rgc(["moves", "battleships", "--as", "first"]).success();
    assert!(
        short.contains("\n  a1 across\n") && !short.contains("C("),
        "moves are listed as `play` lists them: {short}"
    );
    let none = rgc(["moves", "chess.rbg", "--as", "white"]).stderr;
    assert!(none.contains("nothing is hidden in this game"), "{none}");
}

/// Every place that a legal move of the first plies names is on a board, or the name of a row or column of a table: what stands there is seen.
#[test]
fn places_of_moves_are_drawn() {
    let mut aside = Vec::new();
    for game in library::all() {
        let name = game.file_name();
        let runner = runner(&name);
        let drawer = Drawer::new(&runner);
        let (mut rng, mut moves) = (Rng::new(7), Moves::new());
        let mut state = runner.initial().unwrap();
        for _ in 0..20 {
            runner.reasoner.legal_moves(&state, &mut moves).unwrap();
            let scene = drawer.scene(&state);
            let text = rg_ir::scene::text(&scene, Look::default());
            let readings = runner.loaded.notation.readings(&runner.tags(&moves));
            // What chance chooses, such as a card, may be known to nobody before.
            let readings = readings.iter().filter(|_| runner.reasoner.turn(&state) != Turn::Random);
            for place in readings.flat_map(|reading| reading.places()) {
                let mut all = scene.boards.iter().flat_map(|setup| &setup.board.places);
                let in_table = scene.tables.iter().any(|table| {
                    let rows = table.rows.iter().map(|(row, _)| row.as_str());
                    let cells = rows.flat_map(|row| table.columns.iter().map(move |column| format!("{row},{column}")));
                    table.columns.iter().any(|column| column == place) || cells.clone().any(|cell| cell == place)
                });
                assert!(all.any(|other| other.label == place) || in_table, "{name}: `{place}` is not in\n{text}");
            }
            for board in drawer.boards() {
                for label in board.aside().map(|index| &board.places[index].label) {
                    assert!(text.contains(&format!(" {label}: ")), "{name}: {text}");
                    aside.push(name.clone());
                }
            }
            if moves.is_empty() {
                break;
            }
            let index = rng.below(u32::try_from(moves.len()).unwrap()) as usize;
            runner.reasoner.apply(&mut state, &moves, index).unwrap();
        }
    }
    aside.dedup();
    assert_eq!(aside, ["felli.hrg", "lauKataKati.hrg", "pretwa.hrg"], "no others have places beside a grid");
}

/// A place beside a grid is one as others are: it is drawn in every form, keeps its piece, and is explained.
#[test]
fn places_beside_a_grid_are_drawn() {
    let said = rgc_with_input(["play", "felli", "--as", "white,black"], "a1 centre\nwhy centre\nwhy a1-centre\nquit\n");
    let said = said.success();
    assert!(
        said.contains("\n  a b c d e f\n  centre: .\n") && said.contains("legal moves: a1-centre, b1-centre"),
        "{said}"
    );
    assert!(said.contains("\n1 . w w b b b\n  a b c d e f\n  centre: w\n"), "{said}");
    assert!(said.contains("> why centre\n`centre` holds a piece of white, but black is to move\n"), "{said}");
    assert!(said.contains("`a1-centre` is not legal: `a1` is empty\n"), "{said}");
    let moves = |board: &str| rgc(["moves", "felli", "--play", "a1-centre", "--board", board]).success();
    assert!(moves("unicode").contains("\n  centre: ○\n"), "{}", moves("unicode"));
    let svg = moves("svg");
    let (_, centre) = svg.split_once("<g data-place=\"centre\">").unwrap();
    assert!(centre.split("</g>").next().unwrap().contains("<circle") && svg.contains(">centre</text>"), "{svg}");
}

/// What rules never name is no part of the play, and not drawn.
#[test]
fn scenery_is_not_drawn() {
    let draughts = rgc_with_input(["play", "englishDraughts.rbg"], "quit\n").success();
    assert!(draughts.contains("\n8   w   w   w   w\n7 w   w   w   w\n") && !draughts.contains("light"), "{draughts}");
    assert!(draughts.contains("\n5 .   .   .   .\n"), "empty places are: {draughts}");
    let surakarta = rgc_with_input(["play", "surakarta.rbg"], "quit\n").success();
    // What rules name is shown, and written out beside the board.
    assert!(
        surakarta.contains("\nloop: nw2 nw3 ne3 ne2 sw2 sw3 se3 se2\n") && !surakarta.contains("l = "),
        "{surakarta}"
    );
    // Points of a lattice give the board its form.
    let dots = rgc_with_input(["play", "dotsAndBoxes.rbg"], "quit\n").success();
    assert!(dots.contains("\n7 + o + o + o +\n6 o . o . o . o\n") && dots.contains("+ = dot"), "{dots}");
    let boards = rgc_with_input(["play", "dotsAndBoxes.hrg"], "quit\n").success();
    assert!(boards.contains("\ndrawn H (Ha1 to Hc4):\n") && boards.contains("\ndrawn V (Va1 to Vd3):\n"), "{boards}");
    let oware = rgc_with_input(["play", "oware"], "quit\n").success();
    assert_eq!(oware.matches("seeds").count(), 1, "one heading for both rows: {oware}");
}
