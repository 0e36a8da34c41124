//! Messages say where something is, and what would be accepted, in the words of people.

use crate::support::{Scratch, game, json_lines, rgc};
use std::fs;

#[test]
fn negative_numbers_are_values_out_of_range() {
    for (arguments, message) in [
        (&["perft", "ticTacToe", "2", "--limit", "-1"][..], "a whole number from 1 to 86400 is expected"),
        (&["trace", "ticTacToe", "--max-plies", "-1"], "a whole number that is not negative is expected"),
        (&["perft", "ticTacToe", "2", "-O", "-1"], "a whole number from 0 to 3 is expected"),
        (&["perft", "ticTacToe", "-2"], "a number of moves is expected"),
    ] {
        let run = rgc(arguments);
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(run.stderr.contains(message) && !run.stderr.contains("tip"), "{}", run.stderr);
    }
}

#[test]
fn files_of_findings_can_be_opened() {
    let folder = Scratch::new("messages-names");
    let file = folder.path("a\tb.kif");
    fs::write(&file, "(role p").unwrap();
    let run = rgc(["check", &file, "--message-format", "json"]);
    assert_eq!(json_lines(&run.stderr)[0]["spans"][0]["file"], serde_json::Value::from(file.as_str()));
    let run = rgc(["check", &file, "--message-format", "short"]);
    assert!(run.stderr.contains("a\\tb.kif:1:1: error") && !run.stderr.contains('\t'), "{}", run.stderr);
}

#[test]
fn findings_about_records_have_a_place() {
    let folder = Scratch::new("messages-records");
    let (record, translated) = (folder.path("r.jsonl"), folder.path("race.rg"));
    fs::copy(game("rg/race.rg"), &translated).unwrap();
    rgc(["match", &translated, "--players", "random", "--games", "2", "--record", &record]).output();
    let text = fs::read_to_string(&record).unwrap();
    let wrong = |text: String, more: &[&str]| {
        fs::write(&record, text).unwrap();
        rgc([&["replay", &record, "--message-format", "short"], more].concat()).stderr
    };
    let second = text.rfind("\"check\":\"").unwrap() + 9;
    let checked = format!("{}{}{}", &text[..second], "zz", &text[second + 2..]);
    let said = wrong(checked, &[]);
    assert!(said.contains("r.jsonl:3:1: error[IO344]: game 1"), "{said}");
    let said = wrong(text.replacen("\"text\":\"", "\"text\":\"0", 1), &[]);
    assert!(said.contains("r.jsonl:1:1: warning[IO345]"), "{said}");
    let said = wrong(text.clone(), &["--play", "7"]);
    assert!(said.contains("r.jsonl:1:1: error[IO344]: the record has no game 7; it has 2 games"), "{said}");
    // A record of a translation asks for it.
    let said = wrong(text.clone(), &["--game", &game("rbg/breakthrough.rbg")]);
    assert!(said.contains("r.jsonl:1:1: error[IO344]: the record is of a game in `rg`, but"), "{said}");
    let said = wrong("\n".to_owned(), &[]);
    assert!(said.contains("error[IO343]: the record") && said.contains("is empty"), "{said}");
    let said = wrong(text.replacen("\"language\"", "\"tongue\"", 1), &[]);
    assert!(said.contains("r.jsonl:1:") && said.contains("the field `language` is missing"), "{said}");
}

#[test]
fn verification_obeys_the_limit() {
    let folder = Scratch::new("messages-verify");
    let run = rgc(["optimize", &game("rbg/alquerque.rbg"), "--verify", "--limit", "1", "-o", &folder.path("x.rg")]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("the game is not optimised and verified within 1 second of CPU time"),
        "{}",
        run.stderr
    );
    assert!(!fs::exists(folder.path("x.rg")).unwrap());
}

#[test]
fn engines_agree_where_a_move_never_ends() {
    let folder = Scratch::new("messages-endless");
    let file = folder.path("x.rg");
    let text = "type Player = { a };\ntype Score = { 0 };\nbegin, s: player = a;\ns, t: ;\nt, u: $ x;\nu, t: $ y;\nt, e: ;\n\
                e, end: player = keeper;\n";
    fs::write(&file, text).unwrap();
    for engine in ["auto", "interpreter", "backtracking", "naive"] {
        let run = rgc(["perft", &file, "1", "--engine", engine, "--message-format", "short"]);
        assert!(run.stderr.contains("x.rg:5:1: error[RT205]"), "{engine}: {}", run.stderr);
    }
}

#[test]
fn cells_are_named_in_the_words_of_the_game() {
    let folder = Scratch::new("messages-cells");
    let file = folder.path("x.rbg");
    let rules = |choice: &str| {
        let head = "#players = one(50), two(50)\n#pieces = none, mark\n#variables = left(3), right(3)\n\
                    #board = s[none]{on:t} t[mark]{on:u, back:s} u[mark]{back:t}\n";
        fs::write(
            &file,
            format!("{head}#rules = ->one on ->> {choice} ->two ({{none}} back + {{mark}} on) ->> {{}}\n"),
        )
        .unwrap();
        let run = rgc(["check", "--proper", &file]);
        assert!(run.code == 1 && run.stderr.contains("error[RT203]"), "{}", run.stderr);
        run.stderr
    };
    let said = rules("([none] ->> + [mark] ->>)");
    assert!(
        said.contains("the piece on `t` is `none` after") || said.contains("the piece on `t` is `mark` after"),
        "{said}"
    );
}

#[test]
fn memory_of_runs_is_told_with_the_command_and_the_game() {
    let run = rgc(["match", "breakthrough.rbg", "--players", "uct:60s", "--games", "1", "--memory", "64"]);
    assert!(
        run.code == 1 && run.stderr.contains("IO358") && run.stderr.contains("breakthrough.rbg:1:1"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("this was reached while `rgc match` ran"), "{}", run.stderr);
}
