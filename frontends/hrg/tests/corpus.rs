//! The files of the corpus translate, format, and have the number of plays the oracle knows.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

use backend::{Engine, Reasoner};
use rg_ir::SourceId;
use std::path::{Path, PathBuf};

/// Rows of the oracle with more leaves are left to the conformance suite.
const MAX_LEAVES: u64 = 600;

#[test]
fn files_translate_and_have_the_right_number_of_plays() {
    let root = std::env::var_os("RGC_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"), PathBuf::from);
    if !root.is_dir() {
        eprintln!("skipped: there is no corpus; set RGC_CORPUS, or put it at ../shared/corpus");
        return;
    }
    let mut problems = Vec::new();
    for folder in ["hrg", "hrg-line"] {
        let oracle = std::fs::read_to_string(root.join(format!("oracle/{folder}.csv"))).unwrap();
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            if let Err(problem) = examine(name, &text, &oracle) {
                problems.push(format!("{name}: {problem}"));
            }
        }
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

fn examine(name: &str, text: &str, oracle: &str) -> Result<(), String> {
    let source = SourceId(0);
    let (lowered, findings) = hrg::load(source, text);
    let lowered = lowered.ok_or_else(|| format!("{:#?}", findings.iter().take(3).collect::<Vec<_>>()))?;
    let formatted = hrg::format(source, text).map_err(|findings| format!("{findings:?}"))?;
    if hrg::format(source, &formatted).ok().as_ref() != Some(&formatted) {
        return Err("formatting a second time changes it again".into());
    }
    let (again, _) = hrg::load(source, &formatted);
    if again.is_none_or(|again| again.game != lowered.game) {
        return Err("formatting changes the meaning".into());
    }
    let reasoner = Reasoner::new(&lowered.game, Engine::Auto).map_err(|error| error.to_string())?;
    let initial = reasoner.initial().map_err(|error| error.to_string())?;
    for line in oracle.lines() {
        let [game, depth, leaves] = line.split(',').collect::<Vec<_>>()[..] else { continue };
        let (Ok(depth), Ok(leaves)) = (depth.trim().parse::<u32>(), leaves.trim().parse::<u64>()) else { continue };
        if game == name && leaves <= MAX_LEAVES {
            let found = match reasoner.perft(&initial, depth) {
                Ok(found) => found,
                // The tags of a move of this game do not tell which state it leads to; the engines refuse that.
                Err(error) if error.kind == backend::ErrorKind::Ambiguous => {
                    eprintln!("{name}: not compared from depth {depth} on: {error}");
                    return Ok(());
                }
                Err(error) => return Err(error.to_string()),
            };
            if found != leaves {
                return Err(format!("perft({depth}) is {found}, the oracle says {leaves}"));
            }
        }
    }
    Ok(())
}
