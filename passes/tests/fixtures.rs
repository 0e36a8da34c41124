//! Every pass on small automata: `fixtures/<pass>/<case>.rg`.
//!
//! The name of a case begins with what it expects: `fires_…` must be changed, `keeps_…` must be left alone, `with_…` may
//! be either (several passes, named in a first line `// passes: a, b`). The snapshot of a case that changes is the
//! difference as text. Whatever a pass does, the game must stay valid, a second run must change nothing, and both games,
//! played in lock step by the naive engine, must not differ.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

use backend::{Engine, Reasoner, lockstep};
use passes::{Pass, Pipeline};
use rg_ir::{Game, Severity, SourceId};
use std::path::Path;

fn parse(path: &Path, text: &str) -> Game {
    let (game, findings) = rg_ir::text::parse(SourceId(0), text);
    let game = game.unwrap_or_else(|| panic!("{}: {findings:?}", path.display()));
    let errors: Vec<_> = rg_ir::check(&game).into_iter().filter(|d| d.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{}: {errors:?}", path.display());
    game
}

/// The passes of a case: those of its first line, or the one its folder is named after.
fn passes_of(path: &Path, text: &str) -> Vec<&'static dyn Pass> {
    let folder = path.parent().unwrap().file_name().unwrap().to_str().unwrap();
    let names = text.lines().next().and_then(|line| line.strip_prefix("// passes: ")).unwrap_or(folder);
    let find = |name: &str| passes::find(name.trim()).unwrap_or_else(|| panic!("no pass `{name}`: {}", path.display()));
    names.split(',').map(find).collect()
}

fn reasoner(game: &Game) -> Reasoner {
    Reasoner::new(game, Engine::Naive).unwrap()
}

#[test]
fn cases() {
    insta::glob!("fixtures/*/*.rg", |path| {
        let text = std::fs::read_to_string(path).unwrap();
        let before = parse(path, &text);
        let pipeline = Pipeline::of(passes_of(path, &text)).validate(true);
        let mut after = before.clone();
        let outcome = pipeline.run(&mut after, &mut ()).unwrap();
        assert!(outcome.settled, "{}: no fixed point", path.display());
        let (old, new) = (rg_ir::text::print(&before), rg_ir::text::print(&after));
        let case = path.file_stem().unwrap().to_str().unwrap();
        match case.split('_').next().unwrap() {
            "fires" => assert_ne!(old, new, "{}: nothing changed", path.display()),
            "keeps" => assert_eq!(old, new, "{}", path.display()),
            "with" => {}
            other => panic!("{}: `{other}`", path.display()),
        }
        let mut again = after.clone();
        pipeline.run(&mut again, &mut ()).unwrap();
        assert_eq!(rg_ir::text::print(&again), new, "{}: a second run changes more", path.display());
        if !pipeline.passes().iter().any(|pass| pass.changes_moves()) {
            let found = lockstep::compare(&reasoner(&before), &reasoner(&after), &lockstep::Budget::default());
            assert!(found.is_none(), "{}: {}", path.display(), found.unwrap());
        }
        if old != new {
            let folder = path.parent().unwrap().file_name().unwrap().to_str().unwrap();
            let diff = similar::TextDiff::from_lines(&old, &new).unified_diff().context_radius(100).to_string();
            insta::with_settings!({
                snapshot_path => format!("../../snapshots/passes/{folder}"),
                prepend_module_to_snapshot => false,
                snapshot_suffix => "",
                description => text.lines().next().unwrap_or("").trim_start_matches("// "),
                omit_expression => true,
            }, {
                insta::assert_snapshot!(case, diff);
            });
        }
    });
}

/// A pass without cases is not tested: each has one that fires and one that does not, and one together with others.
#[test]
fn every_pass_has_cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    for name in passes::names() {
        let cases: Vec<String> = std::fs::read_dir(folder.join(name))
            .unwrap_or_else(|_| panic!("no cases for `{name}`"))
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        for kind in ["fires_", "keeps_", "with_"] {
            assert!(cases.iter().any(|case| case.starts_with(kind)), "no case `{kind}…` for `{name}`");
        }
    }
}
