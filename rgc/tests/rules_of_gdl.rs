//! `rgc translate --to gdl`: games of all languages as rules of GDL are the same games, or are refused with the reason.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use rgc::library;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::{Scratch, game, json_lines, rgc, rgc_with_input, snapshot};

/// The rules of a bundled game, or the code of the finding why there are none.
fn rules(file: &str) -> Result<String, String> {
    let run = rgc(["translate", file, "--to", "gdl"]);
    if run.code == 0 {
        return Ok(run.stdout);
    }
    let code = run.stderr.lines().find_map(|line| line.strip_prefix("error[")).and_then(|rest| rest.get(..6));
    Err(code.unwrap_or_else(|| panic!("{file}: {}", run.stderr)).to_owned())
}

/// Compares a game with its rules; both must have as many moves, scores and turns in as many positions.
fn prove(scratch: &Scratch, name: &str, file: &str, rules: &str, positions: &str) -> Value {
    let sheet = scratch.path(&format!("{name}.kif"));
    fs::write(&sheet, rules).unwrap();
    let run = rgc(["equiv", file, &sheet, "--positions", positions, "--plays", "2", "--json"]);
    let verdict = json_lines(&run.stdout).pop().unwrap_or_else(|| panic!("{name}: {}", run.stderr));
    assert_eq!(verdict["equal"], true, "{name}: {verdict}");
    assert_ne!(verdict["criterion"], "counts", "{name}");
    assert!(verdict["depth"].as_u64().unwrap() >= 1, "{name}: {verdict}");
    verdict
}

/// Does work on all of a list, on all processors.
fn all<T: Sync>(list: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let some = || {
        while let Some(one) = list.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(one);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(some))));
}

/// Which bundled games are translated, how long their rules are, and why others are not.
#[test]
fn bundled_games_are_translated_or_refused() {
    let bundled: Vec<_> = library::all().into_iter().filter(|bundled| bundled.language.name != "gdl").collect();
    let table: Mutex<BTreeMap<usize, String>> = Mutex::default();
    all(&bundled.iter().enumerate().collect::<Vec<_>>(), |(number, bundled)| {
        let name = bundled.file_name();
        let line = match rules(&game(&format!("{}/{name}", bundled.language.name))) {
            Ok(text) => {
                let rules = text.lines().filter(|line| line.starts_with("(<=")).count();
                let facts = text.lines().filter(|line| line.starts_with('(')).count() - rules;
                format!("{name}: {rules} rules, {facts} facts\n")
            }
            Err(code) => format!("{name}: {code}\n"),
        };
        table.lock().unwrap().insert(*number, line);
    });
    snapshot("rules_of_gdl", &table.into_inner().unwrap().into_values().collect::<String>());
}

/// Games of all languages and kinds: boards, checks for lines and connections, chance, hidden cards, moves in parts, pieces with several ways to move.
#[test]
fn rules_are_the_same_game() {
    let scratch = Scratch::new("rules-of-gdl");
    all(PROVED, |(file, positions)| {
        let text = rules(&game(file)).unwrap_or_else(|code| panic!("{file}: {code}"));
        prove(&scratch, &file.replace('/', "_"), &game(file), &text, positions);
    });
}

/// Bundled games, and how many positions are compared.
const PROVED: &[(&str, &str)] = &[
    ("rg/ticTacToe.rg", "2000"),
    ("rg/race.rg", "2000"),
    ("rg/matchingPennies.rg", "100"),
    ("rg/kuhnPoker.rg", "500"),
    ("rg/breakthrough.rg", "60"),
    ("rg/knightthrough.rg", "60"),
    ("rbg/breakthrough.rbg", "60"),
    ("rbg/clobber.rbg", "200"),
    ("rbg/connectFour.rbg", "60"),
    ("rbg/ticTacToe.rbg", "200"),
    ("rbg/knightthrough.rbg", "60"),
    ("hrg/breakthrough.hrg", "60"),
    ("hrg/clobber.hrg", "100"),
    ("hrg/connectFour.hrg", "100"),
    ("hrg/felli.hrg", "60"),
    ("hrg/foxAndHounds.hrg", "100"),
    ("hrg/hex5.hrg", "60"),
    ("hrg/kuhnPoker.hrg", "500"),
    ("hrg/nim.hrg", "200"),
    ("hrg/ticTacDie.hrg", "500"),
    ("hrg/ticTacToe.hrg", "500"),
    ("hrg/yavalath.hrg", "100"),
    ("sbg/breakthrough.sbg", "60"),
    ("sbg/clobber.sbg", "60"),
    ("sbg/foxAndFourHounds.sbg", "100"),
    ("sbg/hexapawn.sbg", "500"),
    ("sbg/knightthrough.sbg", "60"),
    ("sbg/sheepAndWolves.sbg", "60"),
];

/// What players do not see is not in the percepts of the rules.
#[test]
fn hidden_moves_stay_hidden() {
    let scratch = Scratch::new("rules-of-gdl-hidden");
    let sheet = scratch.path("matchingPennies.kif");
    fs::write(&sheet, rules(&game("rg/matchingPennies.rg")).unwrap()).unwrap();
    let steps = json_lines(&rgc(["trace", &sheet]).stdout);
    let of =
        |step: usize, role: &str| steps.iter().find(|line| line["step"] == step).unwrap()["sees"][role].to_string();
    assert!(of(0, "even").contains("told 1") && of(0, "odd") == "[]", "{steps:?}");
}

/// What the sheets say is legal GDL: no finding but that there is no list of possible fluents.
#[test]
fn rules_check_clean() {
    for (file, _) in PROVED {
        let text = rules(&game(file)).unwrap();
        let run = rgc_with_input(["check", "-"], &text);
        let findings: Vec<&str> =
            run.stdout.lines().chain(run.stderr.lines()).filter(|line| line.contains("[GDL")).collect();
        assert!(run.code == 0 && findings.iter().all(|line| line.contains("GDL640")), "{file}: {findings:?}");
        assert_eq!(rgc_with_input(["fmt", "-"], &text).stdout, text, "{file} is formatted");
    }
}

/// The other syntaxes, standard input, files by their extensions, and levels.
#[test]
fn rules_in_other_forms() {
    let scratch = Scratch::new("rules-of-gdl-forms");
    let file = game("rg/ticTacToe.rg");
    let text = rules(&file).unwrap();
    let infix = rgc(["translate", &file, "--to", "gdl-infix"]).success();
    assert!(rgc_with_input(["translate", "-", "--to", "gdl-prefix"], &infix).output().contains("(role x)"));
    prove(&scratch, "infix", &file, &infix, "200");
    let prolog = rgc(["translate", &file, "--to", "gdl-prolog"]).success();
    assert!(prolog.contains("role(x)."), "{prolog}");
    let rg = fs::read_to_string(&file).unwrap();
    assert_eq!(rgc_with_input(["translate", "-", "--to", "gdl"], &rg).success(), text);
    let written = scratch.path("ticTacToe.kif");
    rgc(["translate", &file, "-o", &written]).success();
    assert_eq!(fs::read_to_string(&written).unwrap(), text);
    let plain = rgc(["translate", &file, "--to", "gdl", "-O0"]).success();
    prove(&scratch, "plain", &file, &plain, "200");
}
