//! Games that are saved, resumed and replayed, and the files they are in.

use crate::support::{Scratch, game, rgc, rgc_with_input};
use std::fs;

/// Plays tic-tac-toe through a pipe.
fn sit(arguments: &[&str], input: &str) -> String {
    let game = game("rg/ticTacToe.rg");
    rgc_with_input([&["play", &game], arguments].concat(), input).success()
}

#[test]
fn saved_plays_go_on() {
    let scratch = Scratch::new("play-save");
    let file = scratch.path("play.jsonl");
    let said = sit(&["--as", "x,o"], &format!("a1\nb1\na2\nsave {file}\nquit\n"));
    assert!(said.contains("saved to "), "{said}");
    let said = sit(&["--as", "x,o", "--resume", &file], "undo\na2\nb2\na3\n");
    assert!(said.starts_with("resumed: game 0 of ") && said.contains("after 3 moves\n"), "{said}");
    assert!(said.contains("\n3 . . .\n2 x . .\n1 x o .\n"), "{said}");
    assert!(said.contains("scores: x 100, o 0"), "{said}");
    let said = sit(&["--as", "x,o"], &format!("resume {file}\nb2\nquit\n"));
    assert!(said.contains("x to move, 5 legal moves"), "{said}");
    let other = rgc(["play", &game("rg/race.rg"), "--resume", &file]);
    assert!(other.code == 1 && other.stderr.contains("IO345"), "{}", other.stderr);
    let replayed = rgc(["replay", &file]).success();
    assert!(replayed.contains("game 0: x human, o human") && replayed.contains("not over"), "{replayed}");
}

/// Whatever a command writes, the rules it reads stay.
#[test]
fn the_game_is_not_overwritten() {
    let scratch = Scratch::new("overwritten");
    let game = scratch.path("game.rbg");
    let text = rgc(["games", "--show", "connectFour.rbg"]).stdout;
    fs::write(&game, &text).unwrap();
    let other_name = format!("{}/../{}/game.rbg", scratch.folder(), scratch.folder().rsplit('/').next().unwrap());
    let refused = |arguments: &[&str], input: &str| {
        let run = rgc_with_input(arguments, input);
        // At play, what cannot be done is said where the play is shown.
        let said = run.stdout + &run.stderr;
        assert!(said.contains("is the game itself"), "{arguments:?}: {said}");
        assert_eq!(fs::read_to_string(&game).unwrap(), text, "{arguments:?}");
    };
    refused(&["match", &game, "--players", "random", "--games", "1", "--record", &game], "");
    refused(&["match", &game, "--players", "random", "--games", "1", "--force", "--record", &game], "");
    refused(&["audit", &game, "--playouts", "1", "--html", &game], "");
    refused(&["play", &game, "--against", "random"], &format!("save {game}\n"));
    refused(&["play", &game, "--against", "random", "--force"], &format!("save {game}\n"));
    let link = scratch.path("link.rbg");
    fs::hard_link(&game, &link).unwrap();
    for output in [&game, &other_name, &link] {
        refused(&["translate", &game, "--to", "rg", "-o", output], "");
        refused(&["translate", &game, "--to", "ll-rbg", "-o", output], "");
        refused(&["graph", &game, "--to", "dot", "-o", output], "");
        refused(&["optimize", &game, "-o", output], "");
        refused(&["compile", &game, "--emit", "rust", "-o", output], "");
    }
    fs::create_dir(scratch.path("steps")).unwrap();
    let input = scratch.path("steps/000-input.rg");
    let small = rgc(["translate", "ticTacToe.rg"]).success();
    fs::write(&input, &small).unwrap();
    for more in [&[][..], &["--force"]] {
        let run = rgc([&["optimize", &input, &format!("--dump-passes={}", scratch.path("steps"))], more].concat());
        assert!(run.code == 1 && run.stderr.contains("is the game itself"), "{}", run.stderr);
    }
    assert_eq!(fs::read_to_string(&input).unwrap(), small);
}

/// Rules in another language are replaced only if that is wanted.
#[test]
fn rules_in_another_language_are_not_overwritten() {
    let scratch = Scratch::new("foreign");
    let (other, same) = (scratch.path("other.sbg"), scratch.path("same.rg"));
    for arguments in
        [&["translate", "ticTacToe", "--to", "rg"][..], &["optimize", "ticTacToe"], &["graph", "ticTacToe"]]
    {
        fs::write(&other, "rules").unwrap();
        let refused = rgc([arguments, &["-o", &other]].concat());
        let named_by = refused.stderr.contains("IO356");
        assert!(
            refused.code == 1 && (named_by || refused.stderr.contains("IO354")),
            "{arguments:?} {}",
            refused.stderr
        );
        assert_eq!(fs::read_to_string(&other).unwrap(), "rules");
        if !named_by {
            rgc([arguments, &["-o", &other, "--force"]].concat()).success();
            assert_ne!(fs::read_to_string(&other).unwrap(), "rules");
        }
    }
    for _ in 0..2 {
        rgc(["translate", "ticTacToe", "--to", "rg", "-o", &same]).success();
    }
}

/// Plays that took hours are not lost by a second run of the same line; a play may be saved where it was saved before.
#[test]
fn records_are_not_overwritten() {
    let scratch = Scratch::new("records");
    let record = scratch.path("plays.jsonl");
    let run = |seed: &str, more: &[&str]| {
        let fixed = ["match", "ticTacToe", "--players", "random", "--games", "2", "--seed", seed, "--record", &record];
        rgc([&fixed, more].concat())
    };
    run("1", &[]).success();
    let first = fs::read_to_string(&record).unwrap();
    let again = run("2", &[]);
    assert!(again.code == 1 && again.stderr.contains("IO354") && again.stderr.contains("--force"), "{}", again.stderr);
    assert_eq!(fs::read_to_string(&record).unwrap(), first);
    run("2", &["--force"]).success();
    let second = fs::read_to_string(&record).unwrap();
    assert_ne!(second, first);

    // The match has two plays, of which saving one would lose the other.
    let resumed = rgc_with_input(["play", "ticTacToe", "--resume", &record], &format!("save {record}\n")).success();
    assert!(resumed.starts_with("resumed: game 1 of ") && resumed.contains("the last of 2 games"), "{resumed}");
    assert!(resumed.contains("already exists"), "{resumed}");
    assert_eq!(fs::read_to_string(&record).unwrap(), second);
    let saved = scratch.path("saved.jsonl");
    let commands = format!("a1\nsave {saved}\nb1\nsave {saved}\nquit\n");
    assert_eq!(sit(&["--as", "x,o"], &commands).matches("saved to ").count(), 2);
    let commands = format!("c3\nsave {saved}\nquit\n");
    let on = sit(&["--as", "x,o", "--resume", &saved], &commands);
    assert!(on.contains("after 2 moves") && on.contains("saved to "), "{on}");
    let other = sit(&["--as", "x,o"], &commands);
    assert!(other.contains("already exists"), "{other}");

    // Neither is it the place of another play that was resumed before, nor of moves that were taken back.
    let another = scratch.path("another.jsonl");
    sit(&["--as", "x,o"], &format!("b2\nsave {another}\nquit\n"));
    let kept = fs::read_to_string(&saved).unwrap();
    let both = sit(&["--as", "x,o"], &format!("resume {saved}\nresume {another}\nsave {saved}\nquit\n"));
    assert!(both.contains("already exists"), "{both}");
    let back = sit(&["--as", "x,o", "--resume", &saved], &format!("undo\nsave {saved}\nquit\n"));
    assert!(back.contains("already exists"), "{back}");
    assert_eq!(fs::read_to_string(&saved).unwrap(), kept);
}

/// A record says where its game was; where that does not help, it is said what does.
#[test]
fn games_of_records_are_asked_for() {
    let scratch = Scratch::new("places");
    let text = rgc(["games", "--show", "ticTacToe.rg"]).stdout;
    let piped = scratch.path("piped.jsonl");
    rgc_with_input(["match", "-", "--players", "random", "--games", "2", "--record", &piped], &text).success();
    let run = rgc(["replay", &piped]);
    assert!(run.code == 1 && run.stderr.contains("IO355"), "{}", run.stderr);
    assert!(run.stderr.contains("standard input") && run.stderr.contains("--game FILE"), "{}", run.stderr);
    assert_eq!(rgc(["replay", &piped, "--quiet", "--game", "ticTacToe.rg"]).success(), "verified: 2 games\n");
    let lines = fs::read_to_string(&piped).unwrap();
    for arguments in [&["replay", "-"][..], &["replay", "-", "--game", "-"]] {
        let run = rgc_with_input(arguments, &lines);
        assert!(run.code == 1 && run.stderr.contains("IO355"), "{arguments:?}: {}", run.stderr);
    }
    let moved = scratch.path("moved.jsonl");
    fs::write(&moved, lines.replacen("\"game\":\"-\"", "\"game\":\"folder/gone.rg\"", 1)).unwrap();
    let run = rgc(["replay", &moved]);
    assert!(run.code == 1 && run.stderr.contains("`folder/gone.rg`, does not exist;"), "{}", run.stderr);
    assert!(run.stderr.contains("--game FILE"), "{}", run.stderr);
    // Nothing was verified, which is no success.
    fs::write(&moved, lines.lines().next().unwrap()).unwrap();
    let run = rgc(["replay", &moved, "--game", "ticTacToe.rg"]);
    assert!(run.code == 1 && run.stderr.contains("no complete games"), "{}", run.stderr);
}

/// A record says who played; if that does not fit the game, or its lines do not follow each other, it is refused before any move.
#[test]
fn records_fit_their_game() {
    let scratch = Scratch::new("fits");
    let record = scratch.path("plays.jsonl");
    rgc(["match", "ticTacToe.rg", "--players", "random", "--games", "3", "--record", &record]).success();
    let text = fs::read_to_string(&record).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let header: serde_json::Value = serde_json::from_str(lines[0]).unwrap();
    let players: Vec<&str> = header["players"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let [first, second] = players[..] else { panic!("{header}") };
    let swapped = lines[0].replace(&format!("[\"{first}\",\"{second}\"]"), &format!("[\"{second}\",\"{first}\"]"));
    let seats = lines[1].replacen("\"seats\":[\"random\",", "\"seats\":[", 1);
    let split = lines[1].replacen("\"moves\":[\"", "\"moves\":[\"x #2\",\"", 1);
    for (text, message) in [
        ([&*swapped, lines[1], lines[2], lines[3]], "the record has the players"),
        ([lines[0], lines[2], lines[1], lines[3]], "it stands where game 0 is expected"),
        ([lines[0], &*seats, lines[2], lines[3]], "it has 1 seat, the game has 2 players"),
        ([lines[0], &*split, lines[2], lines[3]], "the header says `split: false`"),
    ] {
        fs::write(&record, text.join("\n") + "\n").unwrap();
        let run = rgc(["replay", &record, "--quiet"]);
        assert!(
            run.code == 1 && run.stderr.contains("IO344") && run.stderr.contains(message),
            "{message}: {}",
            run.stderr
        );
    }
    // What was cut off within its last line is verified up to there.
    let whole = lines[..3].join("\n").len() + 1;
    for length in [whole + 1, whole + 40, text.len() - 2] {
        fs::write(&record, &text[..length]).unwrap();
        let run = rgc(["replay", &record, "--quiet"]);
        assert_eq!((run.code, run.stdout.as_str()), (0, "verified: 2 games\n"), "{length}: {}", run.stderr);
        assert!(run.stderr.contains("IO360") && run.stderr.contains("plays.jsonl:4:"), "{length}: {}", run.stderr);
    }
}

/// While one program writes a record, another one cannot.
#[test]
fn two_programs_do_not_write_one_record() {
    let scratch = Scratch::new("lock");
    let record = scratch.path("plays.jsonl");
    let held = fs::File::create(&record).unwrap();
    held.lock().unwrap();
    let line = ["match", "ticTacToe.rg", "--players", "random", "--games", "1", "--record", &record, "--force"];
    let run = rgc(line);
    assert!(run.code == 1 && run.stderr.contains("IO359"), "{}", run.stderr);
    drop(held);
    rgc(line).success();
}
