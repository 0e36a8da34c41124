//! Games that can be translated in two forms: the engine runs the one that is faster, and nothing else changes.
//!
//! `RGC_SHEETS_SECONDS` is the time for a sheet of the corpus, `RGC_SHEETS_ONLY` a part of the names of those to look at.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)] // a test stops at the first surprise

use crate::support::{Scratch, rgc};
use backend::joint::{Budget, Information, JointGame, JointReasoner, Position, compare};
use backend::{Engine, Error, Moves, Options};
use kit::Loaded;
use kit::language::{Reading, by_name};
use kit::runner::Runner;
use rg_ir::SourceMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Numbers are put on and taken off again, three at a time: a lifted game looks for rows of three among all triples, a ground one has an
/// edge for each of the 14 rows.
fn rows() -> Loaded {
    let numbers: String = (1..=14).map(|n| format!("(n {n}) ")).collect();
    let rows: String = (0..14).map(|n| format!("(row {} {} {}) ", n + 1, n * 5 % 14 + 1, n * 3 % 14 + 1)).collect();
    let text = format!(
        "(role p) {numbers} {rows} (init (on 2)) (init (on 8)) (init (on 12))
         (<= (legal p (add ?n)) (n ?n) (not (true (on ?n))))
         (<= (legal p (take ?a ?b ?c)) (true (on ?a)) (true (on ?b)) (true (on ?c)) (row ?a ?b ?c))
         (<= (next (on ?n)) (true (on ?n)) (does p (add ?m))) (<= (next (on ?n)) (does p (add ?n)))
         (<= (next (on ?n)) (true (on ?n)) (does p (take ?a ?b ?c)) (distinct ?n ?a))
         (<= terminal (not some)) (<= some (true (on ?n)))
         (<= terminal (not free)) (<= free (n ?n) (not (true (on ?n)))) (goal p 100)"
    );
    let mut sources = SourceMap::default();
    let source = sources.add("rows", text.clone());
    let language = by_name("gdl").expect("a language");
    let (translation, findings) = (language.lower)(source, &text, Reading::default());
    Loaded::new("rows".to_owned(), language, source, translation.unwrap_or_else(|| panic!("{findings:?}")))
}

fn runner(level: u8, engine: Engine) -> Runner {
    let loaded = rows().optimised(level).expect("passes");
    Runner::new(loaded, Options { engine, ..Options::default() }).expect("an engine")
}

fn legal(runner: &Runner) -> Vec<String> {
    let mut moves = Moves::new();
    let state = runner.initial().expect("a state");
    runner.reasoner.legal_moves(&state, &mut moves).expect("moves");
    runner.listed(&moves).into_iter().map(|(text, _)| text).collect()
}

#[test]
fn the_faster_form_is_run() {
    let edges = |runner: &Runner| runner.loaded.game.automaton.edge_count();
    let (ground, lifted) = (runner(2, Engine::Interpreter), runner(2, Engine::Naive));
    assert!(ground.loaded.ground.is_none(), "there is no third form");
    assert!(lifted.loaded.ground.is_some(), "the reference runs what it is given");
    assert!(edges(&ground) > edges(&lifted));
    // Without optimisation, a game is run as it was translated.
    assert!(runner(0, Engine::Interpreter).loaded.ground.is_some());

    assert_eq!(legal(&ground), legal(&lifted));
    for depth in 1..=4 {
        let count =
            |runner: &Runner| runner.reasoner.perft(&runner.initial().expect("a state"), depth).expect("a count");
        assert_eq!(count(&ground), count(&lifted), "depth {depth}");
    }
}

/// Moves have other tags in other forms. Records do not depend on that, nor do games that are played in one form and drawn in the other.
#[test]
fn records_are_of_no_form() {
    let Some(sheet) = sheets(u64::MAX).into_iter().find(|path| path.ends_with("connect4.kif")) else { return };
    let sheet = sheet.to_string_lossy();
    let folder = Scratch::new("forms");
    for engine in ["interpreter", "backtracking"] {
        let record = folder.path(engine);
        let args = ["match", &sheet, "--engine", engine, "--players", "random,random", "--games", "1"];
        rgc(args.into_iter().chain(["--record", &record])).success();
        for other in ["interpreter", "backtracking"] {
            rgc(["replay", "--game", &sheet, "--engine", other, &record]).success();
        }
    }
    let played = rgc(["play", &sheet, "--as", "none", "--against", "random", "--engine", "interpreter"]).success();
    assert!(played.contains("the game is over"), "{played}");
}

/// A game without its fluents and the score of chance: optimised games do not keep what nobody reads any more.
struct Played<'g>(JointReasoner<'g>);

impl<'g> Played<'g> {
    fn new(runner: &'g Runner) -> Option<Self> {
        JointReasoner::new(&runner.reasoner, &*runner.loaded.notation, Information::Open).map(Self)
    }
}

impl<'g> JointGame for Played<'g> {
    type State = <JointReasoner<'g> as JointGame>::State;

    fn roles(&self) -> Vec<String> {
        self.0.roles()
    }

    fn initial(&self) -> Result<Self::State, Error> {
        self.0.initial()
    }

    fn position(&self, state: &Self::State) -> Result<Position, Error> {
        let mut position = self.0.position(state)?;
        if let Position::Over { goals, .. } = &mut position {
            let mut roles = self.0.roles().into_iter();
            goals.retain(|_| roles.next().is_some_and(|role| role != "random"));
        }
        if let Position::Over { fluents, .. } | Position::Open { fluents, .. } = &mut position {
            fluents.clear();
        }
        Ok(position)
    }

    fn step(&self, state: &Self::State, moves: &[String]) -> Result<(Self::State, Vec<Vec<String>>), Error> {
        self.0.step(state, moves)
    }
}

/// The sheets of the corpus whose text is no longer than so many bytes; none if it is not there.
fn sheets(longest: u64) -> Vec<PathBuf> {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    let root = std::env::var_os("RGC_CORPUS").map_or_else(default, PathBuf::from);
    let Ok(entries) = std::fs::read_dir(root.join("kif")) else {
        eprintln!("skipped: there is no corpus; set RGC_CORPUS, or put it at ../shared/corpus");
        return Vec::new();
    };
    let only = std::env::var("RGC_SHEETS_ONLY").unwrap_or_default();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "kif"));
    paths.retain(|path| path.to_string_lossy().contains(&only));
    paths.retain(|path| path.metadata().is_ok_and(|data| data.len() <= longest));
    paths.sort();
    paths
}

/// Sheets with longer texts are left to a longer run.
const SHORT: u64 = 4_000;

/// What the engine runs, optimised and compiled, against the reference on the game as it was translated: legal moves, ends and scores in
/// random games.
#[test]
fn sheets_of_the_corpus_as_they_are_run() {
    let seconds = std::env::var("RGC_SHEETS_SECONDS").ok().and_then(|text| text.parse().ok());
    let paths = sheets(if seconds.is_some() { u64::MAX } else { SHORT });
    let time = seconds.map_or(Duration::from_millis(100), Duration::from_secs);
    let results = testgen::parallel(&paths, |path| {
        let (start, name) = (Instant::now(), path.display().to_string());
        let load = || kit::load(&mut SourceMap::default(), path, None).0;
        let of = |level: u8, engine| {
            Runner::new(load()?.optimised(level).ok()?, Options { engine, ..Options::default() }).ok()
        };
        let fast = of(2, Engine::Interpreter)?;
        let other = fast.loaded.game.automaton.edge_count();
        let slow = of(0, Engine::Backtracking)?;
        let budget = Budget { steps: 0, plays: 1_000, length: 200, seed: 3, time: Some(time) };
        let names = ["the reference", "the compiled engine"];
        let found = compare(&Played::new(&slow)?, &Played::new(&fast)?, names, &budget);
        let engine = fast.reasoner.engine_name();
        println!("{name}: {engine}, {other} edges, {:.1} s: {found:?}", start.elapsed().as_secs_f64());
        Some(found.map(|_| engine == "interpreter").map_err(|difference| format!("{name}: {difference}")))
    });
    let problems: Vec<String> = results.iter().flatten().filter_map(|result| result.clone().err()).collect();
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
    let compiled = results.iter().flatten().filter(|result| **result == Ok(true)).count();
    println!("{compiled} of {} sheets are compiled", results.len());
    assert!(compiled * 10 >= results.len() * 9, "only {compiled} sheets of {} are compiled", results.len());
}
