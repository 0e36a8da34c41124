//! Every game of the public collection reads without error or warning, and survives printing.

#![allow(clippy::unwrap_used)]

mod common;

use common::{corpus, render};
use rbg::ast::Description;
use rg_ir::{Severity, SourceId};

fn parse(text: &str, name: &str) -> Description {
    let (description, mut diagnostics) = rbg::parse(SourceId(0), text);
    diagnostics.retain(|d| d.severity != Severity::Lint);
    // Its pattern for whether a player can move may be followed by no step at all (`singleJump(…)*`), so that everybody always can.
    let is_known = |d: &rg_ir::Diagnostic| name == "chineseCheckers6" && d.code == "RBG159";
    diagnostics.retain(|d| !is_known(d));
    assert_eq!(render(text, &diagnostics), "", "{name}");
    description.unwrap()
}

#[test]
fn the_whole_corpus_parses_and_round_trips() {
    for folder in ["rbg", "rbg-ll"] {
        for (name, text) in corpus(folder).unwrap_or_default() {
            let description = parse(&text, &name);
            let printed = rbg::print(&description);
            let again = parse(&printed, &name);
            assert!(description.same(&again), "{folder}/{name}");
            assert_eq!(rbg::print(&again), printed, "{folder}/{name}");
        }
    }
}

/// Eight games are there as written and lowered by the reference: they must expand to the same.
#[test]
fn high_level_games_expand_to_their_low_level_form() {
    let (Some(high), Some(low)) = (corpus("rbg"), corpus("rbg-ll")) else { return };
    let mut compared = Vec::new();
    for (name, text) in &low {
        let Some((_, written)) = high.iter().find(|(other, _)| other == name) else { continue };
        let (written, lowered) = (parse(written, name), parse(text, name));
        let tokens = |d: &Description| {
            let text = rbg::print(d);
            text.chars().filter(|c| !c.is_whitespace() && !"()".contains(*c)).collect::<String>()
        };
        assert_eq!(tokens(&written), tokens(&lowered), "{name}");
        compared.push(name.as_str());
    }
    let expected = ["arimaa", "breakthrough", "chess", "connect4", "go", "hex", "paperSoccer", "reversi"];
    assert_eq!(compared, expected);
}
