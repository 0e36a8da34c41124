//! `rgc match` and its records, as a user runs them.

use crate::support::{Scratch, command, game, json_lines, rgc, rgc_with_input};
use std::fs;
use std::process::{Command, Stdio};

#[test]
fn matches_and_their_records() {
    let scratch = Scratch::new("match");
    let record = scratch.path("plays.jsonl");
    let arguments = |threads: &str, record: &str| {
        let fixed = ["match", &game("rg/ticTacToe.rg"), "--players", "random,uct:60p,rave,flat:20p", "--games", "6"];
        rgc(fixed
            .iter()
            .map(|s| s.to_string())
            .chain(["--json", "--threads", threads, "--record", record].map(str::to_owned)))
    };
    let rows = json_lines(&arguments("2", &record).success());
    let pairs: Vec<_> = rows.iter().filter(|row| row["kind"] == "pair").collect();
    assert_eq!(pairs.len(), 3);
    for pair in &pairs {
        let count = |name: &str| pair[name].as_u64().unwrap();
        assert_eq!((count("games"), count("won") + count("drawn") + count("lost")), (6, 6));
    }
    assert_eq!(pairs[0]["opponent"], "uct:60p,rave");
    assert!(pairs[0]["lost"].as_u64().unwrap() >= 4, "{}", pairs[0]);
    assert_eq!(rows.last().unwrap()["games"], 18);
    // The same plays in the same order, whatever the threads do.
    let again = scratch.path("again.jsonl");
    arguments("1", &again).success();
    let text = fs::read_to_string(&record).unwrap();
    assert_eq!(fs::read_to_string(&again).unwrap(), text);
    // Every pair has met before any meets again, and then sides are swapped.
    let plays = json_lines(&text);
    let seats = |number: usize| [&plays[number + 1]["seats"][0], &plays[number + 1]["seats"][1]];
    assert_eq!(seats(0), ["random", "uct:60p,rave"]);
    assert_eq!(seats(1), ["random", "flat:20p"]);
    assert_eq!(seats(3), ["uct:60p,rave", "random"]);

    assert_eq!(rgc(["replay", &record, "--quiet"]).success(), "verified: 18 games\n");
    let one = rgc(["replay", &record, "--play", "3", "--boards"]).success();
    assert!(one.contains("game 3: ") && one.contains("   1. x: ") && one.contains("\n  a b c\n"), "{one}");
    let slow = rgc(["replay", &record, "--quiet", "--engine", "naive", "-O0"]).success();
    assert_eq!(slow, "verified: 18 games\n", "the check depends on the engine");
    for (from, to, said) in [
        ("\"check\":\"", "\"check\":\"0", "allowed other moves"),
        ("\"over\":true", "\"over\":false", "the game is over, but the record says that it goes on"),
        ("\"scores\":[\"", "\"scores\":[\"7", "but the record says"),
        ("\"moves\":[\"", "\"moves\":[\"z", "move 1: `z"),
        ("\"moves\":[", "\"moves\":", "IO343"),
        ("\"record\":1", "\"record\":2", "version 2"),
    ] {
        let wrong = scratch.path("wrong.jsonl");
        fs::write(&wrong, text.replacen(from, to, 1)).unwrap();
        let run = rgc(["replay", &wrong]);
        assert!(run.code == 1 && run.stderr.contains(said), "{said}: {}", run.stderr);
    }
    let changed = rgc(["replay", &record, "--quiet", "--game", &game("rg/race.rg")]);
    assert!(changed.stderr.contains("IO345") && changed.code == 1, "{}", changed.stderr);
}

/// A game that a mistake in the rules stops does not affect the others: it has no result, and the table says so.
#[test]
fn matches_survive_plays_that_are_broken_off() {
    let scratch = Scratch::new("broken");
    let file = scratch.path("game.rg");
    let record = scratch.path("plays.jsonl");
    let play = |text: &str| {
        fs::write(&file, text).unwrap();
        rgc(["match", &file, "--players", "random,uct:5p", "--games", "40", "--force", "--record", &record])
    };
    // `stay` leads to a position with no move: the rules are wrong, but only half of the plays come by.
    let run = play(STUCK);
    assert!(run.code == 1 && run.stdout.contains("more stopped by an error, without a result"), "{}", run.stdout);
    assert!(run.stdout.contains("95 % interval"), "{}", run.stdout);
    assert!(run.stderr.contains("RT201") && run.stderr.contains("after the moves `stay`"), "{}", run.stderr);
    // What was played until then is recorded.
    assert_eq!(rgc(["replay", &record, "--quiet"]).success(), "verified: 40 games\n");
    let rows = rgc(["match", &file, "--players", "random", "--games", "40", "--json"]);
    let last = json_lines(&rows.stdout).pop().unwrap();
    let count = |name: &str| last[name].as_u64().unwrap();
    assert!(count("broken") > 0 && count("games") > 0 && count("games") + count("broken") == 40, "{last}");
    // If the keeper goes on for ever, a limit ends that: a warning, as the rules may be right.
    let endless = STUCK.replace("stuck, never: open == 1;\nnever, end: player = keeper;", "stuck, stayed: open = 0;");
    let run = play(&endless);
    assert!(run.stdout.contains("more stopped"), "{} {}", run.stdout, run.stderr);
    assert!(run.code == 0 && run.stderr.contains("warning[RT2"), "{}", run.stderr);
}

const STUCK: &str = "\
type Player = { a, b };
type Score = { 0, 50 };
type Bool = { 0, 1 };
var open: Bool = 0;
begin, choose: player = a;
choose, gone: $ go;
gone, over: goals[a] = 50;
over, end: player = keeper;
choose, stayed: $ stay;
stayed, stuck: player = keeper;
stuck, never: open == 1;
never, end: player = keeper;
";

/// With three players, one play is one result for every two agents, and everybody sits beside everybody.
#[test]
fn matches_of_three() {
    let scratch = Scratch::new("three");
    let (file, record) = (scratch.path("game.rg"), scratch.path("plays.jsonl"));
    let text = "type Player = { a, b, c };\ntype Score = { 0, 100 };\nbegin, one: player = a;\none, two: $ x;\n\
        two, three: player = b;\nthree, four: $ x;\nfour, five: player = c;\nfive, six: $ x;\nsix, won: goals[a] = 100;\n\
        won, end: player = keeper;\n";
    fs::write(&file, text).unwrap();
    let run = |players: &str, games: &str| {
        let fixed = ["match", &file, "--players", players, "--games", games, "--json", "--force", "--record", &record];
        json_lines(&rgc(fixed).success())
    };
    let rows = run("random,greedy", "12");
    // The first player always wins: whoever has two of three is not better for that.
    assert_eq!((rows[0]["games"].as_u64(), rows[0]["score"].as_f64()), (Some(12), Some(0.5)), "{}", rows[0]);
    assert_eq!(
        (rows[1]["games"].as_u64(), rows[1]["mean_payoff"].as_f64()),
        (Some(12), rows[2]["mean_payoff"].as_f64())
    );
    let seat = |row: &serde_json::Value| [&row["won"], &row["lost"]].map(|count| count.as_u64().unwrap());
    assert_eq!([&rows[3], &rows[4], &rows[5]].map(seat), [[12, 0], [0, 12], [0, 12]]);
    let rows = run("random,greedy,flat:1p", "6");
    assert!(rows[..3].iter().all(|pair| pair["games"] == 6 && pair["score"] == 0.5), "{rows:?}");
    let plays = json_lines(&fs::read_to_string(&record).unwrap());
    let seats: std::collections::BTreeSet<String> = plays[1..].iter().map(|play| play["seats"].to_string()).collect();
    assert_eq!(seats.len(), 6, "all orders of three agents: {seats:?}");
}

#[test]
fn matches_of_other_games() {
    let table = rgc(["match", &game("hrg/ticTacDie.hrg"), "--players", "greedy,random", "--games", "8"]).success();
    assert!(table.contains("95 % interval") && table.contains("8 games of "), "{table}");
    let alone =
        rgc(["match", &game("hrg/fifteenPuzzle.hrg"), "--players", "random", "--games", "2", "--max-plies", "5"]);
    assert!(alone.success().contains("2 stopped before the end"));
    let itself = rgc(["match", &game("rg/matchingPennies.rg"), "--players", "random", "--games", "10"]).success();
    assert!(itself.contains("even") && !itself.contains("Elo"), "{itself}");
}

/// The arguments of a match of tic-tac-toe that records its games.
fn recorded<'a>(players: &'a str, games: &'a str, record: &'a str, others: &[&'a str]) -> Vec<&'a str> {
    [&["match", "ticTacToe.rg", "--players", players, "--games", games, "--record", record][..], others].concat()
}

/// However a match was cut off, what is missing is played as it would have been.
#[test]
fn matches_are_resumed() {
    let scratch = Scratch::new("resume");
    let (whole, part) = (scratch.path("whole.jsonl"), scratch.path("part.jsonl"));
    let players = "random,greedy,uct:20p";
    let table = rgc(recorded(players, "4", &whole, &["--opening", "1"])).success();
    let text = fs::read_to_string(&whole).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    assert_eq!(lines.len(), 13);
    let resume = ["--resume", "--opening", "1"];
    // After complete lines, within one, with nothing but the header, and with nothing left to play.
    for (kept, rest) in [(5, ""), (5, &lines[5][..20]), (5, &lines[5][..lines[5].len() - 1]), (1, ""), (13, "")] {
        fs::write(&part, lines[..kept].concat() + rest).unwrap();
        let resumed = rgc(recorded(players, "4", &part, &resume)).output();
        assert_eq!(fs::read_to_string(&part).unwrap(), text, "{kept} lines, then `{rest}`");
        let results = |table: &str| table.split("\n\n").next().unwrap().to_owned();
        assert_eq!(results(&resumed), results(&table), "games of the record count, too");
    }
    // More games than before come after them.
    let longer = rgc(recorded(players, "6", &part, &resume)).success();
    assert!(longer.contains("18 games of "), "{longer}");
    assert!(fs::read_to_string(&part).unwrap().starts_with(text.split_once("\n").unwrap().0));
    assert_eq!(rgc(["replay", &part, "--quiet"]).success(), "verified: 18 games\n");

    for (arguments, said) in [
        (recorded("random,greedy", "4", &part, &resume), "it has `--players` random,greedy,uct:20p, not random,greedy"),
        (recorded(players, "2", &part, &resume), "it has 4 games per line-up, but `--games` is 2"),
        (recorded(players, "6", &part, &["--resume", "--opening", "2"]), "it has `--opening` 1, not 2"),
        (recorded(players, "6", &part, &["--resume"]), "it has `--opening` 1, not none"),
        (recorded(players, "6", &part, &["--resume", "--opening", "1", "--seed", "7"]), "it has `--seed` 0, not 7"),
        (recorded(players, "6", "/nowhere.jsonl", &resume), "/nowhere.jsonl"),
    ] {
        let before = fs::read_to_string(&part).unwrap();
        let run = rgc(arguments);
        assert!(run.code == 1 && run.stderr.contains(said), "{said}: {}", run.stderr);
        assert_eq!(fs::read_to_string(&part).unwrap(), before);
    }
}

/// Results of a record are counted, so they have to be what the rules say.
#[test]
fn forged_records_are_not_resumed() {
    let scratch = Scratch::new("forged");
    let record = scratch.path("games.jsonl");
    rgc(recorded("random,greedy", "4", &record, &[])).success();
    let text = fs::read_to_string(&record).unwrap();
    for (from, to, said) in [
        ("\"scores\":[\"", "\"scores\":[\"7", "but the record says"),
        ("\"moves\":[\"", "\"moves\":[\"z", "move 1: `z"),
        ("\"check\":\"", "\"check\":\"0", "allowed other moves"),
    ] {
        fs::write(&record, text.replacen(from, to, 1)).unwrap();
        let run = rgc(recorded("random,greedy", "6", &record, &["--resume"]));
        assert!(run.code == 1 && run.stderr.contains("IO344") && run.stderr.contains(said), "{said}: {}", run.stderr);
    }
}

/// Ctrl-C ends a match with the table of what was played.
#[test]
#[cfg(unix)]
fn matches_are_interrupted() {
    let scratch = Scratch::new("interrupted");
    let record = scratch.path("games.jsonl");
    let arguments = recorded("random,uct:40ms", "1000", &record, &[]);
    let child = command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let played = || fs::read_to_string(&record).unwrap_or_default().lines().count();
    while played() < 4 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stdout.contains("95 % interval") && stdout.contains(" games of "), "{stdout}");
    let games = played() - 1;
    assert!(stderr.contains(&format!("IO383]: interrupted after {games} of 1000 games")), "{games}: {stderr}");
    assert!(stderr.contains("`--resume`"), "{stderr}");
    assert_eq!(rgc(["replay", &record, "--quiet"]).success(), format!("verified: {games} games\n"));
}

/// Each opening is played with all seats changed before the next one comes.
#[test]
fn openings() {
    let scratch = Scratch::new("openings");
    let (record, file) = (scratch.path("games.jsonl"), scratch.path("openings.txt"));
    rgc(recorded("random,greedy", "8", &record, &["--opening", "3"])).success();
    let games = json_lines(&fs::read_to_string(&record).unwrap());
    let first = |game: usize| games[game + 1]["moves"].as_array().unwrap()[..3].to_vec();
    for pair in 0..4 {
        assert_eq!(first(2 * pair), first(2 * pair + 1));
        assert_eq!(games[2 * pair + 1]["seats"][0], games[2 * pair + 2]["seats"][1]);
    }
    assert!((1..4).all(|pair| first(0) != first(2 * pair)), "openings differ");

    fs::write(&file, "# corners\na1; c3   # opposite\n\n  b2;a1;  \n").unwrap();
    rgc(recorded("random,greedy", "6", &record, &["--opening", &file, "--force"])).success();
    let games = json_lines(&fs::read_to_string(&record).unwrap());
    let first = |game: usize| games[game + 1]["moves"].as_array().unwrap()[..2].to_vec();
    let all: Vec<String> = (0..6).map(|game| first(game).iter().map(|text| text.as_str().unwrap()).collect()).collect();
    assert!(all[0] == all[1] && all[2] == all[3] && all[0] == all[4] && all[0] != all[2], "{all:?}");

    for (text, said) in [
        ("a1\na1;a1\n", "openings.txt:2:1"),
        ("a1;b1;a2;b2;a3", "the game is over after these moves"),
        ("# nothing\n", "there are no openings in this file"),
    ] {
        fs::write(&file, text).unwrap();
        let run = rgc(recorded("random", "2", &record, &["--opening", &file, "--force"]));
        assert!(run.code == 1 && run.stderr.contains("IO380") && run.stderr.contains(said), "{said}: {}", run.stderr);
    }
    // Files of openings are told apart, but not by their digests.
    fs::write(&file, "a1\n").unwrap();
    rgc(recorded("random", "2", &record, &["--opening", &file, "--force"])).success();
    fs::write(&file, "b2\n").unwrap();
    let other = rgc(recorded("random", "2", &record, &["--opening", &file, "--resume"]));
    assert!(other.code == 1 && other.stderr.contains("the openings in its file were others"), "{}", other.stderr);
    let none = rgc(recorded("random", "2", &record, &["--resume"]));
    assert!(none.stderr.contains("it has `--opening` FILE, not none"), "{}", none.stderr);
    let long = rgc(recorded("random", "2", &record, &["--opening", "9", "--force"]));
    assert!(long.code == 1 && long.stderr.contains("IO381"), "{}", long.stderr);
}

#[test]
fn several_games() {
    let games = ["match", "ticTacToe.rg", "connectFour", "--players", "random,greedy,flat:5p", "--games", "2"];
    let with = |others: &[&str]| rgc([&games[..], others].concat());
    let table = with(&[]).success();
    assert!(table.starts_with("ticTacToe.rg\nagent"), "{table}");
    assert!(table.contains("\nconnectFour\nagent") && table.contains("all together: 2 files"), "{table}");
    let csv = with(&["--csv"]).success();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("game,agent,opponent,games,won,drawn,lost,score,elo,elo_low,elo_high"));
    let cells: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(cells.len(), 6, "{csv}");
    assert_eq!(cells[5][..4], ["connectFour", "greedy", "flat:5p", "2"]);
    let rows = json_lines(&with(&["--json"]).success());
    assert!(rows.iter().all(|row| row["file"].is_string()) && rows.len() == 2 * (3 + 3 + 2 + 1), "{rows:?}");
    let refused = with(&["--record", "/nowhere/games.jsonl"]);
    assert!(refused.code == 1 && refused.stderr.contains("IO382"), "{}", refused.stderr);
    // A game that cannot be read does not keep the others from being played.
    let some = rgc(["match", "/nowhere.rg", "ticTacToe.rg", "--players", "random,greedy", "--games", "2"]);
    assert!(some.code == 1 && some.stdout.contains("2 games of ") && some.stderr.contains("IO301"), "{}", some.stderr);
}

/// The example in the documentation plays, by the protocol that stands beside it.
#[test]
fn the_bot_of_the_documentation_plays() {
    let python = Command::new("python3").arg("--version").stdout(Stdio::null()).status();
    if !python.is_ok_and(|status| status.success()) {
        eprintln!("skipped: there is no python3");
        return;
    }
    let scratch = Scratch::new("bot");
    let (bot, record) = (scratch.path("bot.py"), scratch.path("games.jsonl"));
    let page = include_str!("../../../docs/playing.md");
    let program = page.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    fs::write(&bot, program).unwrap();
    let players = format!("cmd:python3 {bot},random");
    let run = |record: &str| {
        let games = ["match", "connectFour", "--players", &players, "--games", "6", "--record", record];
        rgc(games).success()
    };
    assert!(run(&record).contains("6 games of "));
    assert_eq!(rgc(["replay", &record, "--quiet"]).success(), "verified: 6 games\n");
    // It uses the seed that it gets.
    let again = scratch.path("again.jsonl");
    run(&again);
    assert_eq!(fs::read_to_string(&record).unwrap(), fs::read_to_string(&again).unwrap());
    // Where something is hidden, it plays, too.
    let hidden = ["match", "kuhnPoker", "--players", &players, "--games", "4"];
    assert!(rgc(hidden).success().contains("4 games of "));
    let sitting = ["play", "ticTacToe", "--as", "nobody", "--against", &format!("cmd:python3 {bot}")];
    assert!(rgc(sitting).success().contains("the game is over"));
}

/// What a program writes into the log that is its second argument is what it was sent.
#[test]
#[cfg(unix)]
fn what_bots_are_sent() {
    let scratch = Scratch::new("sent");
    let (bot, log) = (scratch.path("bot.sh"), scratch.path("log"));
    let script = format!(
        "while read -r line; do echo \"$line\" >> {log}\ncase $line in *start*) echo ready ;; *move*) echo 1. ;; esac; done\n"
    );
    fs::write(&bot, script).unwrap();
    let players = format!("cmd:sh {bot},5s,random");
    rgc(["match", "ticTacToe.rg", "--players", &players, "--games", "1", "--opening", "1"]).success();
    let sent = json_lines(&fs::read_to_string(&log).unwrap());
    let start = &sent[2];
    assert_eq!(sent[0]["type"], "start");
    assert_eq!(sent[1]["type"], "end", "it was tried out before");
    let known = serde_json::json!({ "type": "start", "protocol": 1, "game": "ticTacToe", "language": "rg", "players": ["x", "o"],
        "player": "x", "seed": start["seed"], "seconds": 5.0 });
    assert_eq!(start, &known);
    assert_eq!(sent[3]["played"].as_array().unwrap().len(), 2, "the opening, and the other's move: {}", sent[3]);
    assert_eq!(sent[3]["moves"].as_array().unwrap().len(), 7);
    let last = sent.last().unwrap();
    assert!(last["type"] == "end" && last["scores"].as_array().unwrap().len() == 2, "{last}");
}

/// Whatever a program does, the match ends, and says which program it was.
#[test]
#[cfg(unix)]
fn bots_that_fail() {
    let scratch = Scratch::new("hostile");
    for (script, code, said) in [
        ("exit 3", "IO341", "it ended (exit status: 3) where an answer was expected"),
        ("echo hello", "IO341", "it wrote `hello` where `ready` was expected"),
        // It ends at its first move, whether it has been tried out before or not.
        (
            "while read -r x; do case $x in *start*) echo ready ;; *move*) exit ;; esac; done",
            "IO384",
            "it ended (exit status: 0)",
        ),
        // Which line is the one too many depends on when the second is read: before or after the next question.
        (
            "while read -r x; do case $x in *start*) echo ready ;; *move*) echo 1.; echo 2. ;; esac; done",
            "IO384",
            "without being asked",
        ),
        ("while read -r x; do case $x in *start*) echo ready ;; *) echo z9 ;; esac; done", "IO384", "z9"),
        ("while read -r x; do case $x in *start*) echo ready ;; esac; done", "IO384", "it did not answer within 0.2 s"),
        (
            "while read -r x; do case $x in *start*) echo ready ;; *) printf '\\377\\n' ;; esac; done",
            "IO384",
            "\u{fffd}",
        ),
    ] {
        let bot = scratch.path("bot.sh");
        fs::write(&bot, script).unwrap();
        // Only a bot that does not answer is to run out of time.
        let time = if said.contains("did not answer") { "200ms" } else { "60s" };
        let players = format!("random,cmd:sh {bot},{time}");
        let run = rgc(["match", "ticTacToe.rg", "--players", &players, "--games", "2"]);
        assert!(run.code == 1 && run.stderr.contains(code) && run.stderr.contains(said), "{script}: {}", run.stderr);
    }
    // A process that the bot has started keeps its output open.
    let bot = scratch.path("bot.sh");
    fs::write(&bot, "read -r x; echo ready; sleep 60 & exit 3").unwrap();
    let players = format!("random,cmd:sh {bot},5s");
    let run = rgc(["match", "ticTacToe.rg", "--players", &players, "--games", "1"]);
    assert!(run.stderr.contains("it ended (exit status: 3)"), "{}", run.stderr);
    // In `rgc play`, the game goes on.
    fs::write(&bot, "while read -r x; do case $x in *start*) echo ready ;; *move*) echo z9 ;; esac; done").unwrap();
    let sitting = ["play", "ticTacToe.rg", "--against", &format!("cmd:sh {bot},5s")];
    let said = rgc_with_input(sitting, "a1\nb1\nquit\n").success();
    assert!(said.contains("its move cannot be made") && said.contains("You play o from here on"), "{said}");
    assert!(said.contains("x to move, 7 legal moves"), "{said}");
    for (players, said) in [
        ("cmd:", "a command is expected"),
        ("cmd:./nowhere", "the program `./nowhere` was not found"),
        ("cmd:'a", "a quotation mark in `'a` is not closed"),
        ("cmd:a,fast", "the time for a move is expected"),
        (
            "cmd:./bot 1,2",
            "put a command that contains a comma in quotation marks, inside those of the shell: `'cmd:\"./bot 1,2\"'`",
        ),
        ("human,random", "humans play with `rgc play GAME --as PLAYERS`"),
        (
            "robo",
            "there is no agent `robo`; expected one of `random`, `greedy`, `flat`, `uct`, `mcts`, `ab` or `cmd:COMMAND`",
        ),
    ] {
        let run = rgc(["match", "ticTacToe.rg", "--players", players, "--games", "2"]);
        assert!(run.code != 0 && run.stderr.contains(said), "{players}: {}", run.stderr);
    }
    let run = rgc(["play", "ticTacToe.rg", "--players", "uct"]);
    assert!(run.code != 0 && run.stderr.contains("`--against AGENT`"), "{}", run.stderr);
}

/// The list of ratings orders agents as their strength does, and tables fit a terminal of 80 columns.
#[test]
fn ratings_of_all() {
    let players = "random,flat:2p,uct:50p,c=0.4,fpu=1.0,flat:100p";
    let fixed = ["match", "connectFour", "--players", players, "--games", "12"];
    let table = rgc(fixed).success();
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    assert!(table.contains("#1     #2") && table.contains("#3 uct:50p,c=0.4"), "{table}");
    let rows = json_lines(&rgc([&fixed[..], &["--json"]].concat()).success());
    let rating = |agent: &str| {
        let row = rows.iter().find(|row| row["agent"] == agent && row["rating"].is_number()).unwrap();
        (row["rating_low"].as_f64().unwrap(), row["rating"].as_f64().unwrap(), row["rating_high"].as_f64().unwrap())
    };
    let (weak, strong) = (rating("random"), rating("flat:100p"));
    assert!(weak.0 < weak.1 && weak.1 < weak.2 && weak.1 < strong.1, "{weak:?} {strong:?}");
}
