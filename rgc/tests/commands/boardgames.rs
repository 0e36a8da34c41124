//! `rgc translate --to sbg`: games of all languages that are Simplified Boardgames, and why others are none.

use crate::support::{STRANGE_RULES, Scratch, game, json_lines, rgc, rgc_with_input, snapshot};
use rgc::library;
use std::fs;
use std::path::Path;

/// The game in SBG has no errors, is formatted, and is the same game as far as that is looked at.
fn same(file: &str, scratch: &Scratch, name: &str) -> String {
    let sbg = scratch.path(&format!("{name}.sbg"));
    let run = rgc(["translate", file, "--to", "sbg", "-o", &sbg]);
    assert_eq!(run.code, 0, "{file}: {}", run.stderr);
    assert_eq!(rgc(["check", &sbg]).code, 0, "{file}");
    assert_eq!(rgc(["fmt", &sbg, "--check"]).code, 0, "{file}");
    prove(file, &sbg);
    fs::read_to_string(&sbg).unwrap()
}

/// Compares two games, move by move.
fn prove(first: &str, second: &str) {
    let run = rgc(["equiv", first, second, "--positions", "200", "--plays", "2", "--json"]);
    let verdict = json_lines(&run.stdout).pop().unwrap_or_else(|| panic!("{first}: {}", run.stderr));
    assert_eq!(verdict["equal"], true, "{first}: {verdict}\n{}", fs::read_to_string(second).unwrap());
    assert_ne!(verdict["criterion"], "counts", "{first}");
}

/// A game in SBG, and what it is in RBG and in RG, come back as the same game.
fn round_trip(file: &str, scratch: &Scratch, name: &str) {
    let sbg = scratch.path(&format!("{name}-back.sbg"));
    for language in ["rbg", "rg"] {
        let other = scratch.path(&format!("{name}.{language}"));
        let run = rgc(["translate", file, "-o", &other]);
        assert_eq!(run.code, 0, "{name}: {}", run.stderr);
        let run = rgc(["translate", &other, "--to", "sbg"]);
        assert_eq!(run.code, 0, "{other}: {}", run.stderr);
        fs::write(&sbg, run.stdout).unwrap();
        prove(file, &sbg);
    }
}

#[test]
fn bundled_games_come_back_from_rbg_and_rg() {
    let scratch = Scratch::new("boardgames");
    for bundled in library::all().into_iter().filter(|bundled| bundled.language.name == "sbg") {
        let name = bundled.file_name();
        round_trip(&game(&format!("sbg/{name}")), &scratch, name.trim_end_matches(".sbg"));
    }
}

#[test]
fn games_of_the_corpus_come_back_from_rbg_and_rg() {
    let scratch = Scratch::new("boardgames-corpus");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/sbg");
    let Ok(files) = fs::read_dir(&folder) else {
        eprintln!("skipped: there is no {}", folder.display());
        return;
    };
    for file in files.map(|file| file.unwrap().path()) {
        let name = file.file_stem().unwrap().to_str().unwrap();
        round_trip(file.to_str().unwrap(), &scratch, name);
    }
}

/// Games that people wrote in other languages.
#[test]
fn games_of_other_languages_are_the_same_in_sbg() {
    let scratch = Scratch::new("boardgames-others");
    for file in [
        "rbg/breakthrough.rbg",
        "rbg/clobber.rbg",
        "rbg/knightthrough.rbg",
        "hrg/breakthrough.hrg",
        "hrg/clobber.hrg",
        "hrg/knightthrough.hrg",
    ] {
        same(&game(file), &scratch, &file.replace(['/', '.'], "-"));
    }
}

#[test]
fn games_of_the_corpus_in_rbg_are_the_same_in_sbg() {
    let scratch = Scratch::new("boardgames-corpus-rbg");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    if !folder.is_dir() {
        eprintln!("skipped: there is no {}", folder.display());
        return;
    }
    for file in [
        "rbg/breakthrough",
        "rbg/breakthrough_12x12",
        "rbg/breakthrough_5x5",
        "rbg/knightthrough",
        "rbg-ll/breakthrough",
    ] {
        let path = folder.join(format!("{file}.rbg"));
        same(path.to_str().unwrap(), &scratch, &file.replace('/', "-"));
    }
}

/// What is written is readable: this is all of it.
#[test]
fn games_of_rbg_in_sbg() {
    let scratch = Scratch::new("boardgames-shown");
    for name in ["knightthrough", "clobber"] {
        let file = game(&format!("rbg/{name}.rbg"));
        snapshot(&format!("{name}_as_sbg"), &same(&file, &scratch, name));
    }
    let rbg = scratch.path("cannonDuel.rbg");
    rgc(["translate", &game("sbg/cannonDuel.sbg"), "-o", &rbg]).success();
    snapshot("cannonDuel_as_sbg", &rgc(["translate", &rbg, "--to", "sbg"]).success());
}

/// Rules that come back to where they start, pass, jump over own men, have powers, and pieces without a rule or opponents.
#[test]
fn strange_rules_come_back() {
    let scratch = Scratch::new("boardgames-strange");
    for (name, rule) in STRANGE_RULES {
        let text = format!(
            "<<Strange>>\n<BOARD>\n3 4\n|pp.|\n|...|\n|q..|\n|PP.|\n<PIECES>\n{rule}\n<GOALS>\n8 &\n#P 1 &\n@P 1 2, 2 2 &\n@p 0 1 &\n"
        );
        let (file, back) = (scratch.path(&format!("{name}.sbg")), scratch.path(&format!("{name}-back.sbg")));
        fs::write(&file, text).unwrap();
        let run = rgc(["translate", &file, "--to", "sbg", "-o", &back]);
        assert_eq!(run.code, 0, "{name}: {}", run.stderr);
        prove(&file, &back);
    }
}

/// Why games are no Simplified Boardgames.
#[test]
fn other_games_are_refused() {
    let mut shown = String::new();
    for file in [
        "rbg/alquerque.rbg",
        "rbg/amazonsSplit.rbg",
        "rbg/connectFour.rbg",
        "rbg/foxAndHounds.rbg",
        "rbg/gardnerChessKingCapture.rbg",
        "rbg/hex5.rbg",
        "rbg/theMillGame.rbg",
        "rg/breakthrough.rg",
        "rg/kuhnPoker.rg",
        "rg/race.rg",
        "hrg/reversi.hrg",
        "gdl/ticTacToe.gdl",
    ] {
        let run = rgc(["translate", &game(file), "--to", "sbg"]);
        assert!(run.code == 1 && run.stdout.is_empty() && run.stderr.contains("error[TSB7"), "{file}: {}", run.stderr);
        let first = run.stderr.lines().find(|line| line.starts_with("error")).unwrap();
        shown.push_str(&format!("{file}\n  {first}\n"));
    }
    snapshot("no_boardgames", &shown);
}

/// Games that differ from one of SBG in one thing are refused for that.
#[test]
fn what_differs_is_told() {
    let text = fs::read_to_string(game("rbg/breakthrough.rbg")).unwrap();
    let changes = [
        ("pawns_at_home", "forward ({e} +", "forward ({e} + {! left} {e} forward {e} +", "TSB705"),
        ("kinds", "{e, theirs}) [mine]", "{e, theirs}) ([mine] + [mine])", "TSB706"),
        ("scores", "me = 100, foe = 0", "me = 90, foe = 10", "TSB707"),
        ("promotion", "[mine]\n", "[theirs]\n", "TSB70"),
        ("draws", "{! forward} ->> {}", "{! forward} [$ me = 50, foe = 50] ->> {}", "TSB707"),
        ("again", "{? forward} ->foe", "{? forward} ->me", "TSB702"),
        ("back", "forward ({e} +", "(up + down) ({e} +", "TSB709"),
        (
            "second",
            "#rules = ->white (turn(white; w; black; b; up) turn(black; b; white; w; down))*",
            "#rules = ->black (turn(black; b; white; w; down) turn(white; w; black; b; up))*",
            "TSB702",
        ),
    ];
    for (name, from, to, code) in changes {
        assert!(text.contains(from), "{name}");
        let run = rgc_with_input(["translate", "-", "--from", "rbg", "--to", "sbg"], &text.replace(from, to));
        assert!(run.code == 1 && run.stderr.contains(code), "{name}: {}\n{}", run.stderr, run.stdout);
    }
}

/// Moves from which the play cannot end, and moves after which the rules have no way on, or several, are not left out.
#[test]
fn plays_that_get_lost_are_refused() {
    let rules = rgc(["translate", &game("sbg/hexapawn.sbg"), "--to", "rg"]).success();
    let astray = "done_P, keeper_P: player = keeper;\nwalk_P, left: pos = by_1_1[pos]; left, on_board: pos != off; \
                  on_board, is_free: board[pos] == empty; is_free, told: $$ pos; told, lost: player = black;";
    let endless = "lost, again: $$ pos; again, lost: player = white;";
    let changes = [
        ("lost", "done_P, keeper_P: player = keeper;", astray.to_owned()),
        ("endless", "done_P, keeper_P: player = keeper;", format!("{astray} {endless}")),
        ("stuck", "moved_white, counted:", "moved_white, third: turn != 2; third, counted:".to_owned()),
        ("blocked", "reset_17, won_white: ! can_black -> could_black;", String::new()),
        (
            "loop",
            "moved_white, counted:",
            "moved_white, round: turn == 2; round, round: ; moved_white, counted:".to_owned(),
        ),
        (
            "twice",
            "put, won_white: goal_P[pos] == 1;",
            "put, won_white: goal_P[pos] == 1; put, won_white: turn == 2;".to_owned(),
        ),
    ];
    for (name, from, to) in changes {
        assert!(rules.contains(from), "{name}");
        let run = rgc_with_input(["translate", "-", "--from", "rg", "--to", "sbg"], &rules.replace(from, &to));
        assert!(run.code == 1 && run.stderr.contains("TSB707"), "{name}: {}\n{}", run.stderr, run.stdout);
    }
}

/// Rules whose automata or expressions would be large come to a limit.
#[test]
fn large_games_are_refused_in_time() {
    let mut rule = String::new();
    for x in -7..8 {
        for y in -7..8 {
            rule.push_str(&format!("{}(({x},{y},e)({y},{x},e)^*)^3", if rule.is_empty() { "" } else { " + " }));
        }
    }
    let rows = format!("|{}|\n", ".".repeat(8)).repeat(6);
    let text = format!(
        "<<Large>>\n<BOARD>\n8 8\n|pppppppp|\n{rows}|PPPPPPPP|\n<PIECES>\nP ({rule})^* &\n<GOALS>\n100 &\n#P 0 &\n#p 0 &\n"
    );
    let run = rgc_with_input(["translate", "-", "--from", "sbg", "--to", "sbg"], &text);
    assert!(run.code == 1 && run.stderr.contains("error["), "{}", run.stderr);
}
