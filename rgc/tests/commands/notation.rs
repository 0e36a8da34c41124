//! Moves as people write them: short, different, and read as what they are, in all games of the library and of the corpus.

use crate::support::{rgc, rgc_with_input};
use backend::{Ambiguity, Moves, Options, Rng, State};
use rg_ir::SourceMap;
use rg_ir::notation::is_short_for;
use rgc::library;
use rgc::runner::Runner;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Moves of each random game, and games.
const PLIES: usize = 20;
const GAMES: u64 = 2;
/// Pairs of places that are tried in each game.
const PAIRS: i32 = 600;
/// Moves that are looked at in each game at most, times the number of legal moves among which they are found.
const EFFORT: usize = 4_000;

fn runner(path: &Path) -> Option<Runner> {
    let mut sources = SourceMap::default();
    let (loaded, _) = rgc::load(&mut sources, path, None);
    let options = Options { engine: backend::Engine::Backtracking, ambiguity: Ambiguity::Split, ..Options::default() };
    Runner::new(loaded?, options).ok()
}

/// Every move that is listed means itself, in short, in full, by its tags and by its number.
fn round_trips(name: &str, game: &Runner) {
    let mut moves = Moves::new();
    for seed in 0..GAMES {
        let mut rng = Rng::new(seed);
        let Ok(mut state) = game.initial() else { return };
        let mut effort = 0;
        for _ in 0..PLIES {
            let done = effort > EFFORT || game.reasoner.legal_moves(&state, &mut moves).is_err();
            if done || moves.is_empty() {
                break;
            }
            let (short, full) = (game.short_texts(&moves), game.texts(&moves));
            let different: HashSet<&String> = short.iter().collect();
            assert_eq!(different.len(), moves.len(), "{name}: {short:?}");
            let step = (moves.len() * moves.len() * PLIES / EFFORT).clamp(1, moves.len());
            effort += moves.len().div_ceil(step) * moves.len();
            for index in (0..moves.len()).step_by(step) {
                let tags = game.reasoner.move_text(&moves, index);
                for text in [&short[index], &short[index].to_uppercase(), &full[index], &tags] {
                    let found = game.find(text, &moves);
                    // Tags of one move may be the words of another.
                    let same = found.as_ref().is_ok_and(|&found| found == index || full[found] == *text);
                    let differ_by_case = text.to_uppercase() == *text && *text != short[index];
                    assert!(same || differ_by_case, "{name}: `{text}` is not read as `{}`: {found:?}", short[index]);
                }
                assert!(short[index].len() <= full[index].len().max("(no tags)".len()), "{name}: {}", short[index]);
            }
            let (text, index) = game.short_listed(&moves).pop().unwrap();
            assert_eq!(game.find(&format!("{}.", moves.len()), &moves), Ok(index), "{name}: {text}");
            let index = rng.below(moves.len() as u32) as usize;
            if game.reasoner.apply(&mut state, &moves, index).is_err() {
                break;
            }
        }
    }
}

#[test]
fn moves_of_the_library_round_trip() {
    testgen::parallel(&library::all(), |game| {
        let name = game.file_name();
        let runner = runner(Path::new(&name)).unwrap_or_else(|| panic!("{name}"));
        round_trips(&name, &runner);
    });
}

#[test]
fn moves_of_the_corpus_round_trip() {
    let root = std::env::var_os("RGC_CORPUS").map_or_else(|| Path::new("../../shared/corpus").into(), PathBuf::from);
    let folders = ["rbg", "sbg"].map(|folder| root.join(folder));
    let entries = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    if paths.is_empty() {
        println!("skipped: there is no corpus");
    }
    // The larger ones take too long without optimization.
    paths.retain(|path| path.metadata().is_ok_and(|data| data.len() < 8_000));
    testgen::parallel(&paths, |path| {
        if let Some(runner) = runner(path) {
            round_trips(&path.display().to_string(), &runner);
        }
    });
}

/// The legal moves in short, as they are listed.
fn listed(game: &str, play: &str) -> Vec<String> {
    let text = rgc(["moves", game, "--play", play]).success();
    let moves = text.lines().skip_while(|line| !line.contains("legal move")).skip(1);
    moves.map(|line| line.trim().split_once(". ").unwrap().1.to_owned()).collect()
}

/// A mark that a move takes away before its piece goes is not where the move begins.
#[test]
fn moves_begin_where_their_piece_is() {
    let castles = [
        ("e2e4; e7e5; g1f3; b8c6; f1c4; a7a5", "e1g1"),
        ("d2d4; a7a6; c1f4; b8c6; b1c3; g8f6; d1d2; h7h5", "e1c1"),
        ("a2a3; e7e5; b2b3; g8f6; c2c3; f8e7; h2h4", "e8g8"),
    ];
    for (play, castling) in castles {
        let moves = listed("chess", play);
        assert!(moves.contains(&castling.to_owned()), "{play}: {moves:?}");
        let files: String = moves.iter().filter_map(|text| text.get(..2)).collect::<Vec<_>>().join(" ");
        assert!(!files.contains("a6") && !files.contains("h6") && !files.contains("h3"), "{play}: {moves:?}");
    }
    // The last pawn that can move promotes.
    let play = "a2a4; b7b5; a4b5; b8c6; b5b6; c6e5; b6b7; d7d5";
    let promotions =
        listed("chess", play).into_iter().filter(|text| text.starts_with("b7a8") || text.starts_with("d6"));
    assert_eq!(promotions.collect::<Vec<_>>(), ["b7a8=B", "b7a8=N", "b7a8=Q", "b7a8=R"]);
}

/// A point names no pass, though the rules end it on that point.
#[test]
fn a_place_is_no_pass() {
    let run = rgc(["moves", "go9", "--play", "e5; e5"]);
    assert!(run.code == 1 && run.stderr.contains("`e5` is not a legal move"), "{}", run.stderr);
    assert!(listed("go9", "e5").contains(&"pass".to_owned()));
    rgc(["moves", "go9", "--play", "e5; pass"]).success();
}

/// A piece goes where it is put first; others that turn into it are not named.
#[test]
fn pieces_that_turn_over_are_not_named() {
    let moves = listed("ataxx.rbg", "a7c5; a1c3");
    assert!(["c4", "d4", "c5d3", "c5e3"].iter().all(|text| moves.contains(&(*text).to_owned())), "{moves:?}");
    assert!(moves.iter().all(|text| text.len() <= 4 && !text.ends_with("c3")), "{moves:?}");
}

#[test]
fn moves_are_short() {
    for game in ["connectFour.rbg", "connectFour.hrg"] {
        assert_eq!(listed(game, ""), ["a", "b", "c", "d", "e", "f", "g"], "{game}");
        assert_eq!(listed(game, "d; D; d; 4."), ["a", "b", "c", "d", "e", "f", "g"], "{game}");
    }
    let opening = listed("chess", "");
    assert_eq!(opening[..4], ["a2a3", "a2a4", "b1a3", "b1c3"]);
    assert_eq!(opening.len(), 20);
    let moves = listed("chess", "e2e4; e7-e5; g1 f3; B8C6; f1xc4; f8c5");
    assert!(moves.contains(&"e1g1".to_owned()) && moves.contains(&"e1f1".to_owned()), "{moves:?}");
    let passant = listed("chess", "e2e4; a7a6; e4e5; d7d5");
    assert!(passant.contains(&"e5d6".to_owned()) && passant.iter().all(|text| text.len() == 4), "{passant:?}");
    assert!(listed("breakthrough.hrg", "").contains(&"a2b3".to_owned()));
    assert!(listed("amazons.hrg", "").contains(&"a4a1a2".to_owned()));
    assert!(listed("go9", "").contains(&"pass".to_owned()));
}

/// Places that have no coordinates lose the name of their constructor where that says nothing.
#[test]
fn places_without_coordinates_are_short() {
    assert_eq!(listed("oware.hrg", "h2; H(8)")[..2], ["H0", "H1"]);
    assert_eq!(listed("leducPoker.hrg", "")[..2], ["jack,hearts", "jack,spades"]);
    let mill = listed("theMillGame.hrg", "large,0; P(small,6); LARGE,1; small,7");
    assert!(mill.contains(&"large,3".to_owned()) && mill.contains(&"large,2-small,6".to_owned()), "{mill:?}");
}

#[test]
fn promotions_are_chosen() {
    let play = "a2a4; b7b5; a4b5; a7a6; b5a6; c8b7; a6b7; h7h6";
    let moves = listed("chess", play);
    let promotions: Vec<&String> = moves.iter().filter(|text| text.starts_with("b7a8")).collect();
    assert_eq!(promotions, ["b7a8=B", "b7a8=N", "b7a8=Q", "b7a8=R"]);
    for last in ["b7a8q", "b7xa8=Q", "b7 a8 wQ"] {
        rgc(["moves", "chess", "--play", &format!("{play}; {last}")]).success();
    }
    let run = rgc(["moves", "chess", "--play", &format!("{play}; b7a8")]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("`b7a8` is incomplete: add one of N, B, R, Q"), "{}", run.stderr);
}

#[test]
fn tags_are_shown_on_demand() {
    let plain = rgc(["moves", "connectFour"]).success();
    assert!(!plain.contains("v_rx0y5"), "{plain}");
    let tags = rgc(["moves", "connectFour", "--tags"]).success();
    assert!(tags.contains("  1. a  v_rx0y5 i4 v_rx0y5 i8\n"), "{tags}");
}

/// What is wrong with `--play` is shown in it.
#[test]
fn places_in_the_option_play() {
    let wrong = |game: &str, play: &str, place: &str, advice: &str| {
        for command in [&["moves", game][..], &["perft", game, "1"]] {
            let run = rgc([command, &["--play", play]].concat());
            assert_eq!(run.code, 1, "{play}");
            assert!(run.stderr.contains(&format!(" --> --play:1:{place}\n")), "{play}: {}", run.stderr);
            assert!(run.stderr.contains(advice), "{play}: {}", run.stderr);
        }
    };
    wrong("breakthrough", " a2a3; z9z8 ", "8", "legal in this position: `a7a6`");
    wrong("breakthrough", "a2a3 a7a6; b2b3", "1", "moves are separated by `;`: `a2a3; a7a6`");
    wrong("breakthrough", "a2a3;1", "6", "has a dot: `1.`");
    wrong("breakthrough", "a2a3;;", "6", "");
}

/// The beginning of a move makes none, not even the only one that begins so; a place where several moves end names them.
#[test]
fn beginnings_of_moves_are_not_moves() {
    let input = "e\ne4\ne2e4\ne7e5\ng1f3\na7a6\ne\ne2\nd\nquit\n";
    let said = rgc_with_input(["play", "chess", "--as", "white,black"], input).success();
    for wanted in [
        "> e\n`e` is not a complete move. Legal moves that start like this: `e2e3`, `e2e4`\n",
        "> e4\n`e4` is not a complete move. Did you mean `e2e4`?\n",
        "> e\n`e` is not a complete move. Did you mean `e1e2`?\n",
        "> e2\n`e2` is not a complete move. Legal moves that end there: `d1e2`, `e1e2`, `f1e2`\n",
        "> d\n`d` is not a complete move. Legal moves that start like this: `d1e2`, `d2d3`, `d2d4`\n",
    ] {
        assert!(said.contains(wanted), "{wanted}\n{said}");
    }
}

/// Where moves lead from one place to another, a place alone plays none, however few end or begin there; where a move is one place, it plays it.
#[test]
fn a_place_alone_is_no_way() {
    // The pawn that is meant is pinned.
    let pinned = "e2e4; e7e6; g1f3; f8b4";
    let said = rgc_with_input(["play", "chess", "--as", "white,black", "--play", pinned], "d4\nF1\ne5\nq\n").success();
    for wanted in [
        "> d4\n`d4` is not a complete move. Did you mean `f3d4`?\n",
        "> F1\n`F1` is not a complete move. Legal moves that start like this: `f1a6`, `f1b5`, `f1c4`, `f1d3`, `f1e2`\n",
        "> e5\n`e5` is not a complete move. Legal moves that end there: `e4e5`, `f3e5`\n",
    ] {
        assert!(said.contains(wanted), "{wanted}\n{said}");
    }
    for (game, before, place, message) in [
        ("chess", "", "e4", "`e4` is not a complete move; did you mean `e2e4`?"),
        ("chess", "", "c3", "legal moves that start or end there: `b1c3`, `c2c3`"),
        ("chess", "e2e4; e7e5; g1f3; a7a6;", "e1", "did you mean `e1e2`?"),
        ("breakthrough.hrg", "", "a3", "legal moves that start or end there: `a2a3`, `b2a3`"),
        ("ataxx.rbg", "", "a5", "`a5` is not a complete move; did you mean `a7a5`?"),
        ("fifteenPuzzle.rbg", "", "a3", "`a3` is not a complete move; did you mean `a3b3`?"),
    ] {
        let run = rgc(["moves", game, "--play", &format!("{before}{place}")]);
        assert!(run.code == 1 && run.stderr.contains(message), "{game}: {}", run.stderr);
    }
    for (game, place) in [("ataxx.rbg", "a6"), ("go9", "e5"), ("connectFour.hrg", "d1"), ("hex", "c3")] {
        rgc(["moves", game, "--play", place]).success();
    }
}

/// The name of a place is not divided into another place and a number.
#[test]
fn names_of_places_are_whole() {
    let play = ["play", "backgammon.hrg", "--as", "white,black", "--seed", "1"];
    let said = rgc_with_input(play, "P21\np14\nP1 4\nquit\n").success();
    assert!(!said.contains("white: ") && said.contains("> P21\n`P21` is not a legal move."), "{said}");
    let legal = listed("backgammon.hrg", "1.");
    let places: HashSet<&str> = legal.iter().filter_map(|text| text.split_once(' ')).map(|(place, _)| place).collect();
    for joined in legal.iter().map(|text| text.replace(' ', "")) {
        // `P2 4` is not `P24`, though it would be `P24` without the space; `P136` may be `P13 6`, since there is no such place.
        let number: u32 = joined.trim_start_matches('P').parse().unwrap_or(0);
        let run = rgc(["moves", "backgammon.hrg", "--play", &format!("1.; {joined}")]);
        assert!(run.code == i32::from(number <= 24), "{joined}: {places:?}");
    }
}

/// On a board of GDL rules, moves are called by the labels that the board shows.
#[test]
fn places_of_gdl_boards_are_moves() {
    let said =
        rgc_with_input(["play", "ticTacToe.gdl", "--as", "crosses,noughts"], "a1\n2 2\n(put 1 3)\nq\n").success();
    assert!(said.contains("9 legal moves: a1, a2, a3, b1,") && said.contains("> 2 2\nnoughts: b2\n"), "{said}");
    assert!(said.contains("> (put 1 3)\ncrosses: a3\n"), "{said}");
    let said = rgc_with_input(["play", "connectFour.gdl", "--as", "yellow,red"], "d\nquit\n").success();
    assert!(said.contains("7 legal moves: a, b, c, d, e, f, g\n") && said.contains("\n1 . . . y "), "{said}");
    let said = rgc_with_input(["play", "breakthrough.gdl", "--as", "white,black"], "a2b3\nquit\n").success();
    assert!(said.contains("\n3 . w . "), "{said}");
    let run = rgc(["moves", "nim.gdl"]).success();
    assert!(run.contains("1. (leave a 0)"), "no coordinates, though they look alike: {run}");
}

/// Standard algebraic notation is explained wherever moves are read.
#[test]
fn algebraic_notation_is_explained() {
    let run = rgc(["moves", "chess", "--play", "e2e4;e7e5;Ke2"]);
    let wanted = "`Ke2` does not say where the piece comes from; type from and to, here `e1e2`";
    assert!(run.code == 1 && run.stderr.contains(wanted), "{}", run.stderr);
    let run = rgc(["perft", "chess", "1", "--play", "O-O"]);
    assert!(run.code == 1 && run.stderr.contains("castling is the move of the king, not `O-O`"), "{}", run.stderr);
}

/// Rows of places of which each player owns one half lie opposite each other.
#[test]
fn halves_lie_opposite_each_other() {
    let said = rgc_with_input(["play", "oware.hrg", "--as", "south,north"], "H2\nq\n").success();
    let rows = "seeds   H11 H10 H9 H8 H7 H6\n  north   4   4  4  4  4  5\n\
        \x20        H0  H1 H2 H3 H4 H5\n  south   4   4  0  5  5  5\nnorth to move";
    assert!(said.contains(rows), "{said}");
}

/// What the keeper announces of a move stands behind it.
#[test]
fn hits_are_told_of_the_shot() {
    let fleet = "a1 across\na2 across\na3 across\na4 across\na5 across\n";
    let input = format!("{fleet}{fleet}a1\nj10\n");
    let said = rgc_with_input(["play", "battleships", "--as", "first,second"], &input).success();
    assert!(said.contains("\nfirst: a1 → hit\n") && said.contains("\nsecond: j10 → miss\n"), "{said}");
}

/// No move is made that only captures or changes something on the place that is typed as its end.
#[test]
fn moves_end_where_their_piece_stops() {
    let international = "d4e5; i7j6; c3d4; g7f6; e5g7; f8h6; h4i5; j6h4";
    let english =
        "g3h4; h6g5; a3b4; b6a5; b4c5; d6b4; c3d4; c7d6; d2c3; b4d2; e1c3; b8c7; f2g3; g7h6; e3f4; g5e3; d4e5; d6f4";
    for (game, play, text, whole) in [
        ("internationalDraughts", international, "g3h4", "g3g7"),
        ("englishDraughts.rbg", english, "g3f4", "g3g7"),
        ("chess", "e2e4; a7a6; e4e5; d7d5", "e5d5", "e5d6"),
    ] {
        let place = &text[2..];
        let said =
            rgc_with_input(["play", game, "--as", "white,black", "--play", play], &format!("{text}\nwhy {text}\n"));
        let said = said.success();
        let wanted = format!(
            "`{text}` is not a legal move: the piece on `{place}` is captured, and none stops there. Did you mean `{whole}`?\n"
        );
        assert_eq!(said.matches(&wanted).count(), 2, "{said}");
        let run = rgc(["moves", game, "--play", &format!("{play}; {text}")]);
        let wanted = format!("no piece stops at `{place}`; did you mean `{whole}`?");
        assert!(run.code == 1 && run.stderr.contains(&wanted), "{}", run.stderr);
    }
    // Where the piece comes down between jumps is not taken for the whole move, either.
    let said =
        rgc_with_input(["play", "internationalDraughts", "--as", "white,black", "--play", international], "g3i5\n");
    assert!(said.success().contains("`g3i5` is not a complete move. Did you mean `g3g7`?"));
    let castling = "e2e4; e7e5; g1f3; b8c6; f1c4; f8e7";
    let said = rgc_with_input(["play", "chess", "--as", "white,black", "--play", castling], "e1h1\ne1g1\n").success();
    assert!(said.contains("no piece stops at `h1`. Did you mean `e1g1`?\n"), "{said}");
}

/// Two places that are read as a move are the first that it names, or something stands on the second one behind it that did not before.
fn pairs_lead_to_their_end(name: &str, game: &Runner) {
    let notation = &game.loaded.notation;
    let [board] = notation.boards() else { return };
    let standing =
        |state: &State| notation.scene(&game.reasoner.view(state)).map(|mut scene| scene.boards.remove(0).at);
    let is_empty =
        |kind: Option<u32>| kind.and_then(|kind| board.pieces.get(kind as usize)).is_none_or(|piece| piece.is_empty);
    let (mut rng, mut moves) = (Rng::new(3), Moves::new());
    let Ok(mut state) = game.initial() else { return };
    let mut left = PAIRS;
    for _ in 0..PLIES {
        if game.reasoner.legal_moves(&state, &mut moves).is_err() || moves.is_empty() {
            return;
        }
        let short = game.short_texts(&moves);
        let index = rng.below(moves.len() as u32) as usize;
        let first = notation.places().and_then(|places| places.begin(&short[index])).map(|(label, _)| label.to_owned());
        for (place, last) in
            board.places.iter().enumerate().filter(|(_, last)| first.as_ref().is_some_and(|first| *first != last.label))
        {
            let text = format!("{} {}", first.clone().unwrap_or_default(), last.label);
            left -= 1;
            let Ok(found) = game.find(&text, &moves) else { continue };
            // Of a move that is written with all places where its piece stops, the first ones are its beginning.
            if is_short_for(&text.replace(['-', ' '], ""), &short[found].replace(['-', ' '], "")) {
                continue;
            }
            let mut after = state.clone();
            game.reasoner.apply(&mut after, &moves, found).unwrap();
            let (Some(before), Some(after)) = (standing(&state), standing(&after)) else { return };
            let comes = before[place] != after[place] && !is_empty(after[place]);
            assert!(comes, "{name}: `{text}` is read as `{}`", short[found]);
        }
        if left < 0 || game.reasoner.apply(&mut state, &moves, index).is_err() {
            return;
        }
    }
}

#[test]
fn pairs_of_places_lead_to_the_second_one() {
    testgen::parallel(&library::all(), |game| {
        let name = game.file_name();
        let runner = runner(Path::new(&name)).unwrap_or_else(|| panic!("{name}"));
        pairs_lead_to_their_end(&name, &runner);
    });
}

/// Where moves name something else than the place they lead to, they are told by what they do.
#[test]
fn moves_are_told_by_their_effect() {
    let backgammon = |dice: &str, input: &str| {
        rgc_with_input(["play", "backgammon", "--as", "white,black", "--play", dice], input).success()
    };
    let said = backgammon("3 1", "why P8 P5\nP13 P12\nwhy P24 P15\nP8 P5\n");
    for (typed, made) in [("P24P21", "P24 3"), ("p24/p23", "P24 1")] {
        assert!(backgammon("3 1", &format!("{typed}\n")).contains(&format!("> {typed}\nwhite: {made}\n")));
    }
    assert!(said.contains("\n`P8 P5` is legal; it is written `P8 3` here\n"), "{said}");
    for wanted in [
        "> P8 P5\nwhite: P8 3\n",
        "`P13 P12` is not a legal move. A move is written like `P6 1`",
        "`P24 P15` is not legal: no legal move goes from `P24` to `P15`; legal from there: `P24 1`, `P24 3`\n",
    ] {
        assert!(said.contains(wanted), "{wanted}\n{said}");
    }
    assert!(!said.contains("there is no way"), "{said}");
    assert!(backgammon("6 5", "why P24 P18\n").contains("`P24 P18` is legal; it is written `P24 6` here\n"));
    let listed = rgc(["moves", "backgammon", "--play", "3 1; P8 P5"]).success();
    assert_eq!(listed, rgc(["moves", "backgammon", "--play", "3 1; P8 3"]).success());
    // Names may stand without anything between them, if they can only be cut in one way.
    for (name, typed, made) in
        [("knightthrough.rg", "a2b4", "a2 nearRight"), ("breakthrough.rg", "a2a3", "a2 straight")]
    {
        let said = rgc_with_input(["play", name, "--as", "white,black"], &format!("why {typed}\n{typed}\n")).success();
        assert!(said.contains(&format!("`{typed}` is legal; it is written `{made}` here\n")), "{said}");
        assert!(said.contains(&format!("> {typed}\nwhite: {made}\n")), "{said}");
        let known = rgc(["trace", name, "--play", typed]);
        assert_eq!(known.stdout, rgc(["trace", name, "--play", made]).success());
    }
}

/// A text that is complete and not legal is not called incomplete, and moves of other pieces are not offered for it.
#[test]
fn complete_moves_are_only_illegal() {
    let said = rgc_with_input(["play", "amazons", "--as", "white,black"], "d1 d3 d3\nd10 d9 d9\nd1 d3\n").success();
    assert!(said.contains("`d1 d3 d3` is not a legal move; did you mean `d1d2d3`?"), "{said}");
    assert!(said.contains("`d10 d9 d9` is not legal: `d10` holds `b`, a piece of black, but"), "{said}");
    assert!(said.contains("`d1 d3` is not a complete move. Legal moves that start like this: "), "{said}");
}

/// Numbers stand for places that are numbered alike, and a way that takes two moves of a turn is written as them.
#[test]
fn numbers_of_places_are_read() {
    let backgammon =
        |input: &str| rgc_with_input(["play", "backgammon", "--as", "white,black", "--play", "3 1"], input).success();
    for (typed, made) in [("6/5", "P6 1"), ("6 5", "P6 1"), ("13 10", "P13 3"), ("24-23", "P24 1")] {
        let said = backgammon(&format!("why {typed}\n{typed}\n"));
        assert!(said.contains(&format!("is legal; it is written `{made}` here\n")), "{said}");
        assert!(said.contains(&format!("> {typed}\nwhite: {made}\n")), "{said}");
        let listed = rgc(["moves", "backgammon", "--play", &format!("3 1; {typed}")]).success();
        assert_eq!(listed, rgc(["moves", "backgammon", "--play", &format!("3 1; {made}")]).success());
    }
    let said = backgammon("why 24/20\n24/20\nwhy 24 15\nP24 3; P21 1\n");
    let both = "`P24 P20` is written `P24 3; P21 1` or `P24 1; P23 3` here\n";
    assert_eq!(said.matches(both).count(), 2, "{said}");
    assert!(said.contains("no legal move goes from `P24` to `P15`; legal from there: `P24 1`, `P24 3`"), "{said}");
    assert!(said.contains("white    1   0   0   0   1\n"), "both were made: {said}");
}
