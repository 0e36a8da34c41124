//! What each pass over programs does, on small examples, as differences; and that it keeps what they do.
//!
//! The examples are files in `tests/fixtures/wir/PASS`. The first line says what happens; a line `// first: PASSES` names passes
//! that run before the one that is shown.

#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

#[path = "common/compared.rs"]
mod compared;
#[path = "common/ir.rs"]
mod ir;

use backend::Rng;
use compared::compare;
use similar::TextDiff;
use std::collections::BTreeSet;
use wir::{Program, parse, verify::verify};
use wir_opt::{Change, Observer, Pass, find, registry, run};

/// Which passes have changed something.
#[derive(Default)]
struct Fired(BTreeSet<&'static str>);

impl Observer for Fired {
    fn changed(&mut self, change: &Change<'_>) {
        self.0.insert(change.pass.name);
    }
}

/// The passes of a line `// first: PASSES`.
fn first(text: &str) -> Vec<&'static Pass> {
    let names = text.lines().find_map(|line| line.strip_prefix("// first: ")).unwrap_or_default();
    names.split(',').map(str::trim).filter(|name| !name.is_empty()).map(|name| find(name).unwrap()).collect()
}

/// The text of a program, with the middle of long tables left out.
fn shortened(program: &Program) -> String {
    let short = |line: &str| match line.char_indices().nth(100) {
        Some((at, _)) if line.starts_with("table") => format!("{}…]\n", &line[..at]),
        _ => format!("{line}\n"),
    };
    program.to_string().lines().map(short).collect()
}

#[test]
fn passes_do_what_their_examples_show() {
    let mut fired = Fired::default();
    insta::glob!("fixtures/wir/*/*.wir", |path| {
        let text = std::fs::read_to_string(path).unwrap();
        let name = path.parent().and_then(|folder| folder.file_name()).unwrap().to_str().unwrap();
        let pass = find(name).unwrap_or_else(|| panic!("there is no pass `{name}`"));
        let mut program = parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        verify(&program).unwrap_or_else(|broken| panic!("{}: {broken}", path.display()));
        run(&mut program, &first(&text), &mut ());
        let before = program.clone();
        run(&mut program, &[pass], &mut fired);
        verify(&program).unwrap_or_else(|broken| panic!("{}: {broken}", path.display()));
        let mut rng = Rng::new(7);
        let cases: u32 = (0..50).map(|_| compare(&before, &program, &mut rng)).sum();
        assert!(cases > 0, "{}: nothing was compared", path.display());
        let [old, new] = [&before, &program].map(shortened);
        let difference = TextDiff::from_lines(&old, &new).unified_diff().context_radius(3).to_string();
        insta::with_settings!({
            snapshot_path => format!("../../../snapshots/wir/{name}"),
            prepend_module_to_snapshot => false,
            description => text.lines().next().unwrap_or_default().trim_start_matches("// "),
            snapshot_suffix => "",
            omit_expression => true,
        }, {
            insta::assert_snapshot!(path.file_stem().unwrap().to_str().unwrap(), difference);
        });
    });
    let silent: Vec<&str> = registry().iter().map(|pass| pass.name).filter(|name| !fired.0.contains(name)).collect();
    assert!(silent.is_empty(), "passes whose examples show nothing: {silent:?}");
}

/// Every state of a function that its passes came to.
#[derive(Default)]
struct Seen(Vec<String>);

impl Observer for Seen {
    fn changed(&mut self, change: &Change<'_>) {
        self.0.push(change.after.to_string());
    }
}

/// Passes do not undo what others do: simplifying ends, and no step is the one before the last once more.
#[test]
fn passes_come_to_an_end() {
    let [gvn, dce] = ["gvn", "dce"].map(|name| find(name).unwrap());
    for text in [
        "state 1 fn f(r0, r1, r2) { r3 = or r0, r1 r4 = or r2, r3 yield r4 }",
        "state 1 fn f(r0, r1, r2, r3) { r4 = or r3, r1 r5 = or r0, r2 r6 = or r4, r5 yield r6 }",
    ] {
        let mut program = parse(text).unwrap();
        run(&mut program, &[gvn, dce], &mut ());
        let mut seen = Seen::default();
        run(&mut program, &[gvn, dce, gvn, dce], &mut seen);
        assert_eq!(seen.0, Vec::<String>::new(), "{text}");
    }
    for name in ["breakthrough", "ticTacToe", "connectFour"] {
        let path = format!("{}/../../games/rbg/{name}.rbg", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let game = rbg::load(rg_ir::SourceId(0), &text).0.unwrap().game;
        let mut seen = Seen::default();
        let mut observe = |program: &mut Program| wir_opt::optimise_observed(program, &mut seen);
        backend::program_by(&game, &mut observe).unwrap();
        let states = seen.0;
        let again = states.windows(3).find(|three| three[0] == three[2]);
        assert!(!states.is_empty() && again.is_none(), "{name}: {}", again.unwrap()[0]);
    }
}
