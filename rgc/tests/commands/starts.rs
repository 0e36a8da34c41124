//! Games that start anywhere: positions written and read back, on all engines and by all commands.

use crate::support::{Scratch, json_lines, rgc, rgc_with_input};
use backend::{Engine, Moves, Options, Rng, State};
use kit::Loaded;
use kit::library;
use kit::position::Position;
use kit::runner::Runner;
use rg_ir::SourceMap;
use std::path::Path;

fn loaded(name: &str) -> Loaded {
    let (loaded, findings) = kit::load(&mut SourceMap::default(), Path::new(name), None);
    loaded.unwrap_or_else(|| panic!("{name}: {findings:?}"))
}

fn drawn(loaded: Loaded) -> Runner {
    Runner::new(loaded, Options { engine: Engine::Backtracking, keep_dead: true, ..Options::default() }).unwrap()
}

/// What can be seen of a state: who moves, the legal moves in both forms, the scores, and perft.
fn seen(runner: &Runner, state: &State, depth: u32) -> (Option<String>, Vec<String>, Vec<String>, u64) {
    let mut moves = Moves::new();
    runner.reasoner.legal_moves(state, &mut moves).unwrap();
    let mut texts: Vec<String> = runner.texts(&moves).into_iter().chain(runner.short_texts(&moves)).collect();
    texts.sort();
    let scores = runner.reasoner.scores(state).into_iter().map(str::to_owned).collect();
    (runner.mover(state).map(str::to_owned), texts, scores, runner.reasoner.perft(state, depth).unwrap())
}

/// A random walk of so many plies, or to the end.
fn walk(runner: &Runner, seed: u64, plies: usize) -> State {
    let (mut rng, mut moves, mut state) = (Rng::new(seed), Moves::new(), runner.initial().unwrap());
    for _ in 0..plies {
        runner.reasoner.legal_moves(&state, &mut moves).unwrap();
        if moves.is_empty() {
            break;
        }
        let index = rng.below(u32::try_from(moves.len()).unwrap()) as usize;
        runner.reasoner.apply(&mut state, &moves, index).unwrap();
    }
    state
}

/// Compares a position of a game with what every engine makes of it, at several levels.
fn compare(name: &str, runner: &Runner, state: &State, engines: &[&str]) {
    let position = Position::of(runner, state);
    let text = serde_json::to_string(&position).unwrap();
    let read: Position = serde_json::from_str(&text).unwrap();
    assert_eq!(read, position, "{name}");
    let start = || loaded(name).start_at(&read, "here").unwrap();
    let again = drawn(start());
    assert_eq!(Position::of(&again, &again.initial().unwrap()), position, "{name}");
    let mut moves = Moves::new();
    runner.reasoner.legal_moves(state, &mut moves).unwrap();
    let depth = if moves.len() <= 30 { 2 } else { 1 };
    let wanted = seen(runner, state, depth);
    for &(engine_name, engine) in Engine::ALL.iter().filter(|(name, _)| engines.contains(name)) {
        let level = match engine_name {
            "native" => 3,
            "interpreter" => 1,
            "backtracking" => 2,
            _ => 0,
        };
        let started = start().optimised_to_count(level).unwrap();
        let other = Runner::new(started, Options { engine, checked: true, ..Options::default() }).unwrap();
        let found = seen(&other, &other.initial().unwrap(), depth);
        assert_eq!(found, wanted, "{name}, {engine_name}, -O{level}: {text}");
    }
}

#[test]
fn all_engines_start_where_a_position_says() {
    testgen::parallel(&library::all(), |game| {
        let name = game.file_name();
        let runner = drawn(loaded(&name));
        let all: &[&str] = &["native", "interpreter", "backtracking", "naive"];
        for (seed, plies, engines) in [(1, 5, all), (2, 400, &["interpreter", "naive"])] {
            compare(&name, &runner, &walk(&runner, seed, plies), engines);
        }
    });
}

/// A folder with a position of breakthrough after two moves; the folder, the path, and the JSON text.
fn there(name: &str) -> (Scratch, String, String) {
    let scratch = Scratch::new(name);
    let text = rgc(["moves", "breakthrough.rbg", "--play", "a2a3; b7b6", "--json"]).success();
    let path = scratch.write("there.json", &text);
    (scratch, path, text)
}

#[test]
fn commands_start_after_moves_and_at_positions_alike() {
    let (_scratch, path, _) = there("starts_alike");
    for command in [
        &["moves", "breakthrough.rbg"][..],
        &["trace", "breakthrough.rbg", "--seed", "4"],
        &["audit", "breakthrough.rbg", "--playouts", "20", "--positions", "50"],
        &["graph", "breakthrough.rbg"],
        &["graph", "breakthrough.rbg", "--to", "svg"],
    ] {
        let plain = rgc(command).success();
        let of_moves = rgc(command.iter().chain(&["--play", "a2a3; b7b6"])).success();
        let of_position = rgc(command.iter().copied().chain(["--position", path.as_str()])).success();
        assert!(of_moves == of_position && of_moves != plain, "{command:?}:\n{of_moves}\n{of_position}");
        // The position comes first, then the moves.
        let both = rgc(command.iter().copied().chain(["--position", path.as_str(), "--play", "b2b3"])).success();
        let all = rgc(command.iter().chain(&["--play", "a2a3; b7b6; b2b3"])).success();
        assert_eq!(both, all, "{command:?}");
    }
    let counted = rgc(["perft", "breakthrough", "3", "--position", &path, "--expect", "23,529,12717"]).success();
    assert_eq!(counted.lines().count(), 4, "{counted}");
    let row = json_lines(&rgc(["bench", "breakthrough", "--position", &path, "--seconds", "0.1", "--json"]).success());
    assert!(row.len() == 2, "{row:?}");
}

#[test]
fn positions_and_scenes_are_written_as_data() {
    let (_scratch, path, text) = there("starts_data");
    let written = json_lines(&text).remove(0);
    assert_eq!(written["result"], serde_json::Value::Null);
    assert_eq!(written["position"]["variables"]["board"]["v_rx0y5"], "piece_w");
    assert_eq!(written["scene"]["boards"][0]["at"]["a3"], "w");
    let again = json_lines(&rgc(["moves", "breakthrough", "--position", &path, "--json"]).success()).remove(0);
    assert_eq!([&again["position"], &again["moves"]], [&written["position"], &written["moves"]]);
    let over = rgc(["moves", "ticTacToe", "--play", "a1; a2; b1; b2; c1", "--json"]).success();
    let over = json_lines(&over).remove(0);
    assert_eq!(over["result"].as_object().unwrap().values().collect::<Vec<_>>(), ["won", "lost"], "{over}");
}

#[test]
fn records_keep_where_their_games_start() {
    let (scratch, path, _) = there("starts_records");
    let record = scratch.path("r.jsonl");
    let line = ["match", "breakthrough.rbg", "--players", "random,random", "--games", "2", "--record", &record];
    rgc(line.iter().copied().chain(["--position", path.as_str(), "--play", "b2b3"])).success();
    assert!(rgc(["replay", &record, "--boards"]).success().ends_with("verified: 2 games\n"));
    let saved = scratch.path("s.jsonl");
    let input = format!("save {saved}\nquit\n");
    let play = ["play", "breakthrough.rbg", "--as", "white,black"];
    let start = ["--position", path.as_str(), "--play", "b2b3"];
    rgc_with_input(play.iter().copied().chain(start), &input).success();
    assert!(rgc(["replay", &saved]).success().contains("1. white: b2b3\n"));
    let resumed = rgc_with_input(play.iter().copied().chain(["--resume", saved.as_str()]), "board\nquit\n").success();
    assert!(resumed.contains("after 1 move") && resumed.contains("6 . b . ."), "{resumed}");
    // A game that starts elsewhere cannot go on with it.
    let elsewhere = rgc_with_input(play, &format!("resume {saved}\nquit\n")).success();
    assert!(elsewhere.contains("starts at another position"), "{elsewhere}");
}

#[test]
fn what_does_not_fit_is_said_with_its_place() {
    let (scratch, _, text) = there("starts_misfit");
    let without = |name: &str| {
        let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
        value["position"]["variables"].as_object_mut().unwrap().remove(name);
        value.to_string()
    };
    let cases = [
        (String::new(), "IO370", "is empty"),
        ("[1".to_owned(), "IO370", "not a position"),
        ("{}".to_owned(), "IO370", "the field `position` is missing"),
        ("{\"position\": 3}".to_owned(), "IO370", "`position` is to be an object"),
        ("[".repeat(100_000), "IO370", "not a position"),
        (
            format!("{{\"position\": {{\"node\": \"x\", \"variables\": {}", "{\"a\":".repeat(100_000)),
            "IO370",
            "not a position",
        ),
        (text.replace("\"variables\":", "\"values\":"), "IO370", "values"),
        (text.replace("\"pos\":\"v_rx1y2\"", "\"pos\":{}"), "IO371", "a symbol is expected"),
        (text.replace("\"pos\":\"v_rx1y2\"", "\"pos\":\"v_rx1y22\""), "IO371", "not a value of the variable"),
        (text.replace("\"pos\":", "\"poz\":"), "IO371", "no variable `poz`"),
        (without("pos"), "IO371", "no value for the variable `pos`"),
        (text.replace("\"v_rx0y0\":", "\"v_rx00y0\":"), "IO371", "not a key of the map"),
        (text.replace("\"v_rx0y0\":\"piece_b\",", ""), "IO371", "no value for the key `v_rx0y0`"),
        (text.replace("\"node\":\"", "\"node\":\"z"), "IO371", "no node"),
        (
            text.replace("\"player\":\"player_white\"", "\"player\":\"player_black\""),
            "IO371",
            "does not move at the node",
        ),
        (text.replace("\"player\":\"player_white\"", "\"player\":\"keeper\""), "IO371", "does not move at the node"),
    ];
    for (text, code, wanted) in cases {
        let path = scratch.write("wrong.json", &text);
        let run = rgc(["perft", "breakthrough.rbg", "1", "--position", &path]);
        let first = run.stderr.lines().next().unwrap_or_default();
        let shown: String = text.chars().take(80).collect();
        assert!(run.code == 1 && first.contains(code) && first.contains(wanted), "{shown}: {}", run.stderr);
        assert!(text.is_empty() || run.stderr.contains("wrong.json:1:"), "{shown}: {}", run.stderr);
        let piped = rgc_with_input(["moves", "breakthrough.rbg", "--position", "-"], &text);
        assert!(piped.code == 1 && piped.stderr.contains(code), "{shown}: {}", piped.stderr);
    }
    // Another game, in any two languages, or a board of another size.
    let path = scratch.write("there.json", &text);
    for (from, to) in [
        ("breakthrough.rbg", "chess.rbg"),
        ("breakthrough.rbg", "ticTacToe.hrg"),
        ("ticTacToe.hrg", "nim.hrg"),
        ("hex5.hrg", "hex.hrg"),
        ("hex.hrg", "hex5.hrg"),
        ("ticTacToe.gdl", "nim.gdl"),
        ("hexapawn.sbg", "breakthrough.rbg"),
        ("breakthrough.rbg", "hexapawn.sbg"),
        ("ticTacToe.rg", "race.rg"),
    ] {
        let other = scratch.write("other.json", &rgc(["moves", from, "--json"]).success());
        let run = rgc(["moves", to, "--position", &other]);
        let (name, _) = to.split_once('.').unwrap();
        let wanted = format!("error[IO371]: the position is of another game than `{name}`\n");
        assert!(run.code == 1 && run.stderr.starts_with(&wanted), "{from} for {to}: {}", run.stderr);
    }
    let other = rgc([
        "perft",
        "knightthrough",
        "1",
        "--position",
        &scratch.write("other.json", &text.replace("turn_white", "turn_whit")),
    ]);
    assert!(other.stderr.contains("the position is of another game than `knightthrough`"), "{}", other.stderr);
    assert!(other.stderr.lines().all(|line| line.chars().count() < 120 && !line.contains(":::")), "{}", other.stderr);
    let games = ["breakthrough.rbg", "knightthrough.rbg"];
    for command in [&["audit"][..], &["bench"], &["match", "--players", "random"], &["perft"]] {
        let depth: &[&str] = if command == ["perft"] { &["1"] } else { &[] };
        let several = rgc([command, &games, depth, &["--position", &path]].concat());
        assert!(several.code == 1 && several.stderr.matches("IO373").count() == 1, "{command:?}: {}", several.stderr);
    }
    assert!(rgc(["perft", "-", "1", "--from", "rbg", "--position", "-"]).code == 1);
    let as_role = rgc(["moves", "kuhnPoker", "--as", "anna", "--position", &path]);
    assert_eq!(as_role.code, 2, "{}", as_role.stderr);
}

/// A game whose rules lead back to `begin`, where a move begins, too.
#[test]
fn rules_may_lead_back_to_their_beginning() {
    let scratch = Scratch::new("starts_begin");
    let game = "type Player = { a }; type Score = { 0, 1 }; type N = { 0, 1, 2, 3 };
        const next: N -> N = { :3, 0: 1, 1: 2 }; var n: N = 0; var player: PlayerOrSystem = a;
        begin, x: n = next[n]; x, y: $$ n; y, begin: player = a; begin, z: n == 2; z, w: $ stop; w, v: goals[a] = 1;
        v, end: player = keeper;";
    let path = scratch.write("loop.rg", game);
    let there = rgc(["moves", &path, "--play", "1", "--json"]).output();
    assert!(there.contains("\"node\":\"begin\""), "{there}");
    let position = scratch.write("there.json", &there);
    let count = |arguments: &[&str]| rgc(["perft", &path, "3", "--json"].iter().chain(arguments)).output();
    let leaves =
        |text: &str| -> Vec<u64> { json_lines(text).iter().map(|row| row["leaves"].as_u64().unwrap()).collect() };
    assert_eq!(leaves(&count(&["--position", &position])), leaves(&count(&["--play", "1"])));
    let back = rgc(["moves", &path, "--position", &position, "--json"]).output();
    assert_eq!(json_lines(&back)[0]["position"], json_lines(&there)[0]["position"]);
}

#[test]
fn known_numbers_in_comments_are_counted() {
    let scratch = Scratch::new("starts_known");
    for (game, line) in [
        ("hexapawn.sbg", "6 numbers of perft counted, as the comment says"),
        ("kuhnPoker.hrg", "5 numbers of perft counted, as the comment says"),
        ("matchingPennies.gdl", "2 numbers of perft counted, as the comment says"),
        ("race.rg", "9 numbers of perft counted, as the comment says"),
        ("hex.rbg", "3 numbers of perft counted, as the comment says; too large: 203,889,840"),
    ] {
        assert_eq!(rgc(["check", game, "--perft"]).success(), format!("{game}: {line}\n"));
    }
    let text = rgc(["games", "--show", "race", "--from", "rg"]).success();
    let wrong = scratch.write("wrong.rg", &text.replace("perft: 2 4 8 15", "perft: 2 4 8, 16"));
    let run = rgc(["check", &wrong, "--perft"]);
    assert!(run.code == 1 && run.stderr.contains("IO372") && run.stderr.contains("wrong.rg:9:"), "{}", run.stderr);
    assert!(run.stdout.contains("4 numbers of perft counted, not all as the comment says"), "{}", run.stdout);
    let silent = scratch.write("silent.rg", &text.replace("perft:", "numbers:"));
    assert!(rgc(["check", &silent, "--perft"]).success().contains("no line `perft: …` in a comment"));
    let several = rgc(["check", &wrong, &silent, "--perft"]);
    assert!(several.code == 1 && several.stdout.contains("1 with errors"), "{}", several.stdout);
    let json = json_lines(&rgc(["check", "race.rg", "--perft", "--message-format", "json"]).success()).remove(0);
    assert_eq!(json["perft"]["counted"].as_array().unwrap().len(), 9);
}
