//! The ledger of what the engine makes of all bundled games, checked in, so that a change is seen in review.
//!
//! Every game is optimised and lifted; neither bytecode nor machine code runs. `RGC_UPDATE_LEDGER=1` rewrites
//! `snapshots/engine.txt`, `RGC_GAMES=hrg/,rbg/chess` looks only at games whose names begin so.

#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

use backend::{DecisionForm, Engine, LiftedForm, Options, Reasoner, ValidGame};
use passes::{Level, Pipeline};
use rg_ir::{Diagnostic, Game, SourceId};
use search::program::{Marking, lower};
use std::collections::BTreeMap;
use std::fmt::{Debug, Write as _};
use std::path::{Path, PathBuf};

const HEADER: &str = "\
# What the engine makes of the bundled games at -O2, written by RGC_UPDATE_LEDGER=1 cargo test -p backend --test ledger
# By game: nodes of the automaton; operations of the backtracking program and hash; functions and instructions of the lifted
# program and the hash of its text, or why nothing is lifted
# By decision: kinds of moves, instructions for listing moves, for making one, and for making one speculatively (functions that
# are called not included), and hash; or why it is not lifted
";

#[test]
fn bundled_games_become_what_the_ledger_says() {
    let wanted = std::env::var("RGC_GAMES").ok();
    let update = std::env::var_os("RGC_UPDATE_LEDGER").is_some();
    let mut games = games();
    games.retain(|(name, _)| wanted.as_ref().is_none_or(|list| list.split(',').any(|part| name.starts_with(part))));
    let sections: BTreeMap<String, String> =
        testgen::parallel(&games, |(name, path)| (name.clone(), section(name, &load(path)))).into_iter().collect();
    let ledger = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../snapshots/engine.txt");
    if update && wanted.is_none() {
        let text: String = sections.values().map(String::as_str).collect();
        std::fs::write(&ledger, format!("{HEADER}{text}")).unwrap();
        return;
    }
    let mut known = known(&std::fs::read_to_string(&ledger).unwrap());
    let mut problems = String::new();
    for (name, now) in &sections {
        let before = known.remove(name).unwrap_or_default();
        if before != *now {
            let _ = write!(problems, "the ledger says\n{before}but now it is\n{now}");
        }
    }
    if wanted.is_none() {
        problems.extend(known.keys().map(|name| format!("{name} is in the ledger, but there is no such game\n")));
    }
    assert!(problems.is_empty(), "{problems}");
}

/// The sections of the ledger by game: the line of the game and the indented ones below it.
fn known(ledger: &str) -> BTreeMap<String, String> {
    let mut sections: BTreeMap<String, String> = BTreeMap::new();
    let mut name = "";
    for line in ledger.lines().filter(|line| !line.starts_with('#')) {
        if !line.starts_with(' ') {
            name = line.split(' ').next().unwrap_or_default();
        }
        let section = sections.entry(name.to_owned()).or_default();
        section.push_str(line);
        section.push('\n');
    }
    sections
}

/// Names with the folder, and files.
fn games() -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut games = Vec::new();
    for language in ["gdl", "hrg", "rbg", "rg", "sbg"] {
        for entry in std::fs::read_dir(root.join(language)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == language) {
                games.push((format!("{language}/{}", path.file_stem().unwrap().to_str().unwrap()), path));
            }
        }
    }
    games.sort();
    games
}

/// The game of a file as the commands that measure run it.
fn load(path: &Path) -> Game {
    let text = std::fs::read_to_string(path).unwrap();
    let (source, language) = (SourceId(0), path.extension().unwrap().to_str().unwrap());
    let (game, findings): (Option<Game>, Vec<Diagnostic>) = match language {
        "gdl" => {
            let syntax = gdl::Syntax::of(&text);
            let (game, findings) = gdl::load_to_play(source, &text, syntax, gdl::Limits::default(), None);
            (game.map(|playable| playable.game), findings)
        }
        "hrg" => {
            let (lowered, findings) = hrg::load(source, &text);
            (lowered.map(|lowered| lowered.game), findings)
        }
        "rbg" => {
            let (lowered, findings) = rbg::load(source, &text);
            (lowered.map(|lowered| lowered.game), findings)
        }
        "sbg" => {
            let (lowered, findings) = sbg::load(source, &text);
            (lowered.map(|lowered| lowered.game), findings)
        }
        _ => rg_ir::text::parse(source, &text),
    };
    let mut game = game.unwrap_or_else(|| panic!("{}: {findings:?}", path.display()));
    let full = Pipeline::level(Some(Level::Full));
    let faithful = full.passes().iter().copied().filter(|pass| !pass.changes_moves()).collect();
    Pipeline::of(faithful).run(&mut game, &mut ()).unwrap();
    game
}

/// The lines of a game.
fn section(name: &str, game: &Game) -> String {
    // What a front end claims is believed, as `kit` does.
    let handovers = !name.starts_with("rg/");
    let options = Options { engine: Engine::Interpreter, handovers, ..Options::default() };
    let reasoner = Reasoner::with_options(game, options).unwrap_or_else(|error| panic!("{name}: {error}"));
    let (operations, search) = searched(game);
    let mut text = format!("{name} {} nodes, search {operations} {search}, ", game.automaton.node_count());
    let Some(program) = reasoner.program() else {
        let _ = writeln!(text, "{}", reasoner.report().join("; "));
        return text;
    };
    let sizes: usize = program.functions.iter().map(wir::Function::size).sum();
    let _ = writeln!(text, "lifted {} {sizes} {}", program.functions.len(), digest(&program.to_string()));
    for DecisionForm { name, form } in reasoner.forms() {
        let form = form.map_or_else(|reason| format!("not lifted, {reason}"), |form| lifted(program, form));
        let _ = writeln!(text, "  {name}: {form}");
    }
    text
}

/// Number of operations and hash of the backtracking program.
fn searched(game: &Game) -> (usize, String) {
    let game = ValidGame::new(game).unwrap();
    let program = lower(&game, Marking::WhereNeeded).unwrap();
    let parts: [&dyn Debug; 8] = [
        &program.code,
        &program.exprs,
        &program.terms,
        &program.maps,
        &program.names,
        &program.marks,
        &program.entries,
        &program.layout.tables,
    ];
    (program.code.len(), digest(&format!("{parts:?}")))
}

fn lifted(program: &wir::Program, form: LiftedForm) -> String {
    let functions = [Some(form.decide), Some(form.apply), form.speculative];
    let functions: Vec<&wir::Function> =
        functions.iter().flatten().map(|&function| &program.functions[function as usize]).collect();
    let sizes: Vec<String> = functions.iter().map(|function| function.size().to_string()).collect();
    let texts: String = functions.iter().map(|function| function.to_string()).collect();
    format!("lifted, {} kinds, {} {}", form.kinds, sizes.join(" + "), digest(&texts))
}

/// FNV-1a with 64 bits (Fowler, Noll and Vo).
fn digest(text: &str) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}
