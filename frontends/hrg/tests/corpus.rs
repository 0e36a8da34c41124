//! The files of the corpus translate, format, and have the perft counts of the oracle.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod common;

use backend::{Ambiguity, ErrorKind, Options, Reasoner};
use common::corpus;
use rg_ir::{Game, SourceId};

/// Rows of the oracle with more leaves are left to the conformance suite.
const MAX_LEAVES: u64 = 600;

/// Games, with the depth from which on their perft is not defined because one label leads to two states: whoever
/// captured and can capture again either keeps the turn or passes it, and no tag tells which. The oracle counts both
/// ways, as the engines do where ambiguity is to be split.
const AMBIGUOUS: [(&str, u32); 2] = [("pretwa_lud", 4), ("ahtarahGuti_lud", 4)];

#[test]
fn files_translate_and_have_the_right_number_of_plays() {
    let mut problems = Vec::new();
    for folder in ["hrg", "hrg-line"] {
        let (Some(games), Some(oracles)) = (corpus(folder), corpus("oracle")) else { return };
        let oracle = &oracles.iter().find(|(name, _)| name == folder).unwrap().1;
        for (name, text) in games {
            if let Err(problem) = examine(&name, &text, oracle) {
                problems.push(format!("{name}: {problem}"));
            }
        }
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

fn examine(name: &str, text: &str, oracle: &str) -> Result<(), String> {
    let source = SourceId(0);
    let game = load(text)?;
    let formatted = hrg::format(source, text).map_err(|findings| format!("{findings:?}"))?;
    if hrg::format(source, &formatted).ok().as_ref() != Some(&formatted) {
        return Err("formatting a second time changes it again".into());
    }
    if load(&formatted)? != game {
        return Err("formatting changes the meaning".into());
    }
    let ambiguous = AMBIGUOUS.iter().find(|(other, _)| *other == name).map_or(u32::MAX, |&(_, depth)| depth);
    for line in oracle.lines() {
        let [row, depth, leaves] = line.split(',').collect::<Vec<_>>()[..] else { continue };
        let (Ok(depth), Ok(leaves)) = (depth.trim().parse::<u32>(), leaves.trim().parse::<u64>()) else { continue };
        if row != name || leaves > MAX_LEAVES {
            continue;
        }
        let found = perft(&game, Ambiguity::Split, depth).map_err(|error| error.to_string())?;
        if found != leaves {
            return Err(format!("perft({depth}) is {found}, the oracle says {leaves}"));
        }
        match perft(&game, Ambiguity::Error, depth) {
            Ok(found) if found == leaves && depth < ambiguous => {}
            Err(error) if error.kind == ErrorKind::Ambiguous && depth >= ambiguous => {}
            other => return Err(format!("perft({depth}) is {other:?}, and should be ambiguous from {ambiguous} on")),
        }
    }
    Ok(())
}

fn load(text: &str) -> Result<Game, String> {
    let (lowered, findings) = hrg::load(SourceId(0), text);
    Ok(lowered.ok_or_else(|| format!("{:#?}", findings.iter().take(3).collect::<Vec<_>>()))?.game)
}

fn perft(game: &Game, ambiguity: Ambiguity, depth: u32) -> Result<u64, backend::Error> {
    let reasoner = Reasoner::with_options(game, Options { ambiguity, ..Options::default() })?;
    reasoner.perft(&reasoner.initial()?, depth)
}
