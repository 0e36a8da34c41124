//! `rgc audit`, and `rgc check --proper`.

use crate::support::{Scratch, game, json_lines, rgc, rgc_with_input};
use serde_json::Value;
use std::fs;

/// What all games here begin with.
const HEAD: &str = "type Player = { a };\ntype Score = { 0, 1 };\ntype Big = { x, y, z };\ntype Small = { x, y };\n\
                    var v: Big = x;\nvar s: Small = x;\n";

/// The report on a text in RG, and the exit code.
fn audit(text: &str, more: &[&str]) -> (Value, i32) {
    let run = rgc_with_input([&["audit", "-", "--json", "--playouts", "50"], more].concat(), text);
    (json_lines(&run.stdout).pop().unwrap_or_else(|| panic!("{}", run.stderr)), run.code)
}

/// Games that break one condition each: its number, the rules, the play that shows it, and how much of that repeats.
const IMPROPER: [(u64, &str, &[&str], u64); 6] = [
    // A value that the narrower type does not have, after one of three moves.
    (
        1,
        "begin, p: player = a; p, q: v = Big(*); q, r: $$ v; r, u: player = a; u, w: s = Small(v); w, x: $$ s; \
         x, end: player = keeper;",
        &["z"],
        0,
    ),
    // The same name for what makes a difference later on.
    (
        2,
        "begin, p: player = a; p, q: $ go; q, r: player = a; r, t: v = Big(*); t, u: $ same; u, w: player = a; w, o: $$ v; \
         o, end: player = keeper;",
        &["go"],
        0,
    ),
    // No move after `y` and `z`.
    (
        3,
        "begin, p: player = a; p, q: v = Big(*); q, r: $$ v; r, u: player = a; u, w: v == x; w, o: $ done; \
         o, end: player = keeper;",
        &["y"],
        0,
    ),
    // Three things that the keeper may do.
    (
        4,
        "begin, p: player = a; p, q: $ go; q, k: player = keeper; k, l: v = Big(*); l, m: $$ v; m, end: player = keeper;",
        &["go"],
        0,
    ),
    // On the way there is a longer circle, through `b` and `c`, and a shorter one from there.
    (
        5,
        "begin, p: player = a; p, q: $ b; q, r: player = a; r, t: $ c; t, p: player = a; r, u: $ d; u, w: player = a; w, o: $ e; \
         o, w: player = a; w, i: $ f; i, end: player = keeper;",
        &["b", "c"],
        2,
    ),
    // A keeper that goes round and round.
    (
        5,
        "begin, p: player = a; p, q: $ go; q, k: player = keeper; k, k: player = keeper; p, r: $ stop; r, end: player = keeper;",
        &["go"],
        0,
    ),
];

#[test]
fn each_condition_has_a_shortest_counterexample() {
    let scratch = Scratch::new("improper");
    for (condition, rules, play, cycle) in IMPROPER {
        let text = format!("{HEAD}{rules}");
        let (report, code) = audit(&text, &["--proper", "--from", "rg"]);
        let proper = &report["proper"];
        let violations = proper["violations"].as_array().unwrap();
        assert_eq!((code, violations.len()), (1, 1), "{condition}: {proper}");
        let found = &violations[0];
        assert_eq!(found["condition"], condition, "{proper}");
        let moves: Vec<&str> = found["play"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
        assert_eq!(moves, play, "{condition}: {proper}");
        assert_eq!((&found["cycle"], &found["shortest"]), (&cycle.into(), &true.into()), "{condition}: {proper}");
        // The same from `check`, which is content without `--proper`.
        let file = scratch.path("game.rg");
        fs::write(&file, &text).unwrap();
        assert_eq!(rgc(["check", &file]).code, 0, "{condition}");
        let run = rgc(["check", &file, "--proper"]);
        assert_eq!(run.code, 1, "{condition}: {}", run.stderr);
        let named = format!("error[{}]: the game is not proper ({condition}: ", found["code"].as_str().unwrap());
        assert!(
            run.stderr.contains(&named) && run.stderr.contains("no shorter sequence"),
            "{condition}: {}",
            run.stderr
        );
    }
}

/// A circle that only a long play leads to is found by playout, and not called shortest.
#[test]
fn random_play_goes_further_than_exploration() {
    let steps = (0..40).map(|n| format!("n{n}, m{n}: $ s{n}; m{n}, n{}: player = a; ", n + 1)).collect::<String>();
    let rules = format!(
        "begin, n0: player = a; {steps} n40, o: $ on; o, n40: player = a; n40, e: $ off; e, end: player = keeper;"
    );
    let (report, code) = audit(&format!("{HEAD}{rules}"), &["--proper", "--from", "rg", "--positions", "5"]);
    let found = &report["proper"]["violations"][0];
    assert_eq!((code, &found["condition"], &found["shortest"]), (1, &5.into(), &false.into()), "{report}");
    assert_eq!(found["play"].as_array().unwrap().last().unwrap(), "on");
    assert_eq!((&report["proper"]["positions"], &report["proper"]["complete"]), (&5.into(), &false.into()));
}

#[test]
fn small_games_of_the_library_are_proper() {
    for name in ["rg/ticTacToe.rg", "rg/matchingPennies.rg", "hrg/kuhnPoker.hrg", "gdl/ticTacToe.gdl"] {
        let run = rgc(["audit", &game(name), "--proper", "--json", "--playouts", "20"]);
        let report = json_lines(&run.stdout).remove(0);
        assert_eq!((run.code, &report["proper"]["complete"]), (0, &true.into()), "{name}: {} {report}", run.stderr);
        assert_eq!(rgc(["check", &game(name), "--proper", "--positions", "100"]).code, 0, "{name}");
    }
}

/// Who throws tails does not move on, which would go on for ever if one could run again at once.
#[test]
fn a_game_of_chance_without_end() {
    let rules = fs::read_to_string(game("rg/race.rg")).unwrap();
    let run = rgc(["check", &game("rg/race.rg"), "--proper"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.contains("race.rg: proper: all positions were explored (288 positions)"), "{}", run.stdout);
    let endless = rules.replace("tails, winded: breath[mover] = spent;", "tails, winded: breath[mover] = fresh;");
    let run = rgc_with_input(["audit", "-", "--from", "rg", "--proper", "--playouts", "20"], &endless);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(
        run.stdout.contains("5. game finiteness") && run.stdout.contains("`[run; tails; run; tails]`"),
        "{}",
        run.stdout
    );
}

/// That nothing was found is worth as much as what was looked at, which is said, for people and programs.
#[test]
fn a_check_tells_how_much_it_looked_at() {
    let run = rgc(["check", "breakthrough.rbg", "ticTacToe.rg", "--proper", "--positions", "600"]).success();
    let lines: Vec<&str> = run.lines().collect();
    for (line, name) in lines.iter().zip(["breakthrough.rbg", "ticTacToe.rg"]) {
        assert!(line.starts_with(&format!("{name}: no violation found (")), "{run}");
        assert!(
            line.contains(" positions, among them all that are fewer than ") && line.contains(" moves from"),
            "{run}"
        );
        assert!(line.contains(" playouts of the reference engine"), "{run}");
    }
    assert_eq!(lines.get(2..), Some(&["2 files: 2 without findings"][..]), "{run}");
    // What a sample can miss is said with it.
    let few = "; a violation in up to 5.8 % of all playouts can be missed";
    assert!(lines[0].ends_with(few) && lines[1].ends_with(few), "{run}");
    let json =
        rgc(["check", "ticTacToe.rg", "--proper", "--positions", "100000", "--message-format", "json"]).success();
    let found = json_lines(&json).remove(0);
    assert_eq!((&found["proper"]["complete"], &found["proper"]["violated"]), (&true.into(), &false.into()), "{json}");
}

/// What nobody knows is no zero.
#[test]
fn figures_of_no_play_are_unknown() {
    let scratch = Scratch::new("unfinished");
    let page = scratch.path("page.html");
    let broken = ["audit", "breakthrough.rbg", "--playouts", "5", "--max-plies", "4", "--positions", "50"];
    let text = rgc(broken.iter().chain(&["--html", &page])).success();
    for name in ["length", "white", "black", "game tree"] {
        let line = text.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
        assert!(line.contains("– (unknown: all playouts were stopped; raise `--max-plies`"), "{name}: {text}");
    }
    // How many moves there were is known nevertheless.
    assert!(text.contains("branching factor      2") && text.contains("; 5 more stopped"), "{text}");
    assert!(fs::read_to_string(&page).unwrap().contains("<td>– (unknown: all playouts were stopped"));
    let sample = &json_lines(&rgc(broken.iter().chain(&["--json"])).success())[0]["sample"];
    assert!(sample["length"].is_null() && sample["tree"].is_null() && sample["drawn"].is_null(), "{sample}");
    assert!(sample["players"][0]["score"].is_null() && sample["branching"]["mean"]["value"].as_f64() > Some(15.0));
}

/// A page that cannot be written is no reason to compute it first; one that can be is not emptied by an error before.
#[test]
fn pages_are_tried_before_the_work() {
    let run = rgc(["audit", "chess", "--playouts", "100000000", "--html", "/nonexistent/page.html"]);
    assert!(run.code == 1 && run.stdout.is_empty() && run.stderr.contains("IO350"), "{}", run.stderr);
    let scratch = Scratch::new("probe");
    let (old, new) = (scratch.path("old.html"), scratch.path("new.html"));
    fs::write(&old, "kept").unwrap();
    assert_eq!(rgc(["audit", "missing.rg", "--html", &old]).code, 1);
    assert_eq!(rgc(["audit", "missing.rg", "--html", &new]).code, 1);
    assert!(fs::read_to_string(&old).unwrap() == "kept" && !std::path::Path::new(&new).exists());
}

/// A value that is forgotten because nobody needs it is no reason to complain about what is done with it.
#[test]
fn forgotten_values_are_valid() {
    let rules = "begin, p: player = a; p, q: v = x; q, r: $ go; r, u: player = a; u, w: s = Small(v); w, i: $ on; i, end: player = keeper;";
    let text = format!("{HEAD}{rules}").replace("v: Big = x", "v: Big = z");
    let (report, code) = audit(&text, &["--proper", "--from", "rg"]);
    assert_eq!((code, &report["proper"]["complete"]), (0, &true.into()), "{report}");
}

/// Of two ways that a check can go, both are used, and an error does not make rules useless that come after it.
#[test]
fn ways_of_checks_are_used() {
    let rules =
        "begin, p: player = a; p, q: ? c -> d; c, d: v == x; c, d: s == x; q, r: $ go; r, end: player = keeper;";
    let (report, _) = audit(&format!("{HEAD}{rules}"), &["--from", "rg"]);
    assert_eq!(
        (&report["rules"]["complete"], &report["rules"]["dead"]["count"]),
        (&true.into(), &0.into()),
        "{report}"
    );
    let rules = "begin, p: player = a; p, q: ? p -> z; q, z: ; q, r: $ go; r, end: player = keeper;";
    let (report, code) = audit(&format!("{HEAD}{rules}"), &["--proper", "--from", "rg"]);
    assert_eq!((code, &report["proper"]["violations"][0]["code"]), (1, &"RT204".into()), "{report}");
    assert_eq!(
        (&report["rules"]["complete"], &report["rules"]["dead"]["count"]),
        (&false.into(), &0.into()),
        "{report}"
    );
}

/// Two moves, then three, always: there is nothing to estimate.
#[test]
fn figures_of_a_game_without_variance() {
    let rules = "begin, p: player = a; p, q: s = Small(*); q, r: $$ s; r, u: player = a; u, w: v = Big(*); w, o: $$ v; \
                 o, g: goals[a] = 1; g, end: player = keeper;";
    let (report, code) = audit(&format!("{HEAD}{rules}"), &["--from", "rg"]);
    assert_eq!(code, 0);
    let sample = &report["sample"];
    assert_eq!(sample["length"]["mean"]["interval"], serde_json::json!([2.0, 2.0]), "{sample}");
    assert_eq!((&sample["branching"]["mean"]["value"], &sample["branching"]["greatest"]), (&2.5.into(), &3.into()));
    let near = |found: &Value, expected: f64| (found.as_f64().unwrap() - expected.log10()).abs() < 1e-9;
    let tree = &sample["tree"];
    assert!(near(&tree["plays_log10"], 6.0) && near(&tree["nodes_log10"], 9.0), "{tree}");
    assert_eq!(sample["players"][0]["scores"], serde_json::json!([{ "score": "1", "count": 50 }]));
    assert!(sample["first"].is_null() && sample["drawn"].is_null(), "a player alone has no advantage: {sample}");
    assert_eq!(
        (&report["space"]["complete"], report["space"]["by_depth"].as_array().unwrap().len()),
        (&true.into(), 3)
    );
}

#[test]
fn who_wins_and_who_draws() {
    let head = "type Player = { a, b, c };\ntype Score = { 0, 1 };\n";
    let win = format!("{head}begin, p: player = a; p, q: $ win; q, r: goals[a] = 1; r, end: player = keeper;");
    let (report, _) = audit(&win, &["--from", "rg"]);
    let sample = &report["sample"];
    assert_eq!((&sample["decisive"]["value"], &sample["drawn"]["value"]), (&1.0.into(), &0.0.into()), "{sample}");
    assert_eq!((&sample["first"]["player"], &sample["first"]["score"]["value"]), (&"a".into(), &1.0.into()));
    let [low, high] = [0, 1].map(|end| sample["decisive"]["interval"][end].as_f64().unwrap());
    assert!(high == 1.0 && (0.9..1.0).contains(&low), "50 plays are no proof: {low} {high}");
    let draw = format!("{head}begin, p: player = b; p, q: $ pass; q, end: player = keeper;");
    let (report, _) = audit(&draw, &["--from", "rg"]);
    assert_eq!(report["sample"]["drawn"]["value"], 1.0);
    assert_eq!(report["sample"]["first"]["player"], "b");
}

#[test]
fn reports_depend_on_the_seed_only() {
    let run = |seed: &str| {
        rgc(["audit", &game("rbg/breakthrough.rbg"), "--playouts", "30", "--positions", "50", "--seed", seed, "--json"])
            .output()
    };
    assert_eq!(run("1"), run("1"));
    assert_ne!(run("1"), run("2"));
}

#[test]
fn games_of_all_kinds() {
    for name in [
        "hrg/backgammon.hrg",
        "gdl/fifteenPuzzle.gdl",
        "gdl/matchingPennies.gdl",
        "hrg/battleships.hrg",
        "sbg/hexapawn.sbg",
    ] {
        let few = ["--playouts", "5", "--positions", "30", "--max-plies", "50"];
        let text = rgc([&["audit", &game(name)][..], &few].concat()).output();
        for title in ["playouts", "sizes", "dead rules"] {
            assert!(text.contains(&format!("\n{title}\n")), "{name}: {text}");
        }
    }
}

/// Two roles that move at once: what `a` does decides, so it can win by itself, and `b` never wins.
const SHEET: &str = "(role a) (role b) (init (step 1)) (legal a win) (legal a lose) (legal b x) (legal b y)
    (<= (next (step 2)) (true (step 1))) (<= (next won) (does a win)) (<= (next lost) (does a lose))
    (<= (next other) (does b y)) (<= terminal (true (step 2)))
    (<= (goal a 100) (true won)) (<= (goal a 0) (true lost)) (goal b 0)";

#[test]
fn winnability() {
    let (report, code) = audit(SHEET, &["--from", "gdl"]);
    assert_eq!(code, 0);
    let found = &report["winnable"];
    assert_eq!((&found["weakly"], &found["strongly"]), (&"no".into(), &"yes".into()), "{found}");
    assert_eq!(found["roles"][0]["moves"], serde_json::json!(["win"]), "{found}");
    assert_eq!((&found["roles"][1]["weakly"], &found["roles"][1]["play"]), (&"no".into(), &Value::Null), "{found}");
    // If `b` may refuse, `a` wins only with its help.
    let refused = SHEET.replace(
        "(<= (goal a 100) (true won))",
        "(<= (goal a 100) (true won) (not (true other))) (<= (goal a 50) (true won) (true other))",
    );
    let (report, _) = audit(&refused, &["--from", "gdl"]);
    let role = &report["winnable"]["roles"][0];
    assert_eq!((&role["weakly"], &role["strongly"]), (&"yes".into(), &"no".into()), "{report}");
    // One role alone.
    let alone = "(role a) (init s) (legal a go) (legal a stop) (<= (next t) (does a go)) (<= (next u) (does a stop)) \
                 (<= terminal (true t)) (<= terminal (true u)) (<= (goal a 100) (true t)) (<= (goal a 0) (not (true t)))";
    let (report, _) = audit(alone, &["--from", "gdl"]);
    assert_eq!(
        (&report["winnable"]["strongly"], &report["winnable"]["roles"][0]["play"][0]),
        (&"yes".into(), &"go".into())
    );
    // Other languages have no such thing as a score for winners.
    assert!(audit(&fs::read_to_string(game("rg/race.rg")).unwrap(), &["--from", "rg"]).0["winnable"].is_null());
}

#[test]
fn the_page_stands_alone() {
    let scratch = Scratch::new("audit-page");
    let (page, file) = (scratch.path("page.html"), scratch.path("a<b>.rg"));
    fs::copy(game("rg/ticTacToe.rg"), &file).unwrap();
    rgc(["audit", &file, "--playouts", "30", "--html", &page]).output();
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("<h1>a&lt;b&gt;</h1>") && !html.contains("a<b>"));
    // Lengths, moves by ply, scores of both, positions by distance.
    assert_eq!(html.matches("<svg").count(), 5);
    for outside in ["http", "src=", "href=", "<script", "NaN"] {
        assert!(!html.contains(outside), "{outside}");
    }
    let run = rgc(["audit", &file, &file, "--html", &page]);
    assert!(run.code == 1 && run.stderr.contains("IO351"), "{}", run.stderr);
    let run = rgc(["audit", &file, "--playouts", "2", "--html", scratch.folder()]);
    assert!(run.code == 1 && run.stderr.contains("IO350"), "{}", run.stderr);
}

#[test]
fn what_goes_wrong_is_told() {
    // Without `--proper` an error of the rules is an error, and the report is there all the same.
    let text = format!("{HEAD}{}", IMPROPER[2].1);
    let run = rgc_with_input(["audit", "-", "--from", "rg", "--playouts", "50"], &text);
    assert!(run.code == 1 && run.stderr.contains("error[RT201]"), "{}", run.stderr);
    assert!(run.stdout.contains("ended in an error") && run.stdout.contains("length"), "{}", run.stdout);
    assert!(run.stdout.contains("  error  ") && run.stdout.contains(" (RT201)\n"), "{}", run.stdout);
    // No play at all.
    let stuck = format!("{HEAD}begin, p: player = a; p, q: v == y; q, end: player = keeper;");
    let (report, code) = audit(&stuck, &["--proper", "--from", "rg"]);
    assert_eq!((code, &report["proper"]["violations"][0]["play"]), (1, &serde_json::json!([])), "{report}");
    // A play that does not end is stopped.
    let (report, code) = audit(
        &format!("{HEAD}begin, p: player = a; p, q: $ on; q, p: player = a; p, r: v == y; r, end: player = keeper;"),
        &["--from", "rg", "--max-plies", "9"],
    );
    assert_eq!(
        (code, &report["sample"]["unfinished"], &report["sample"]["plays"]),
        (0, &50.into(), &0.into()),
        "{report}"
    );
    // One file that is missing does not keep the others from being looked at.
    let run = rgc(["audit", "missing.rg", &game("rg/race.rg"), "--playouts", "5"]);
    assert!(run.code == 1 && run.stderr.contains("IO301") && run.stdout.contains("race"), "{}", run.stderr);
}

/// What a small sample can miss is said beside what it did not show, and `auto` is the engine that ran.
#[test]
fn small_samples_are_called_so() {
    let run = rgc(["audit", "chess.rbg", "--proper", "--playouts", "20", "--positions", "100"]).output();
    let line =
        |name: &str| run.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or_else(|| panic!("{run}"));
    assert!(line("not exercised").contains(" that none of these positions and playouts used"), "{run}");
    assert!(line("sample").contains("too small to call these dead: up to "), "{run}");
    assert!(run.contains("can miss an invalid action in ") && run.contains(", and another violation in "), "{run}");
    assert!(line("engine").ends_with("native"), "{run}");
    let report = &json_lines(&rgc(["audit", "ticTacToe.rg", "--json", "--playouts", "5"]).success())[0];
    assert_eq!((&report["engine"], &report["rules"]["complete"]), (&"native".into(), &false.into()), "{report}");
    let share = report["rules"]["undetected"].as_f64().unwrap();
    assert!(share > 0.05 && share < 0.06, "{report}");
    // All positions are no sample.
    assert!(!rgc(["audit", "race.rg", "--proper", "--playouts", "5"]).success().contains("sample "));
}
