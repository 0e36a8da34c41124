//! The source formatter: laws, and a text that shows what it does.

#![allow(clippy::unwrap_used)]

mod common;

use rg_ir::{SourceId, text};

const SOURCE: SourceId = SourceId(0);

fn format(source: &str) -> String {
    text::format(SOURCE, source).map_err(|findings| common::render(source, &findings)).unwrap()
}

#[test]
fn a_text_with_everything() {
    let source = include_str!("format.rg");
    let formatted = format(source);
    assert_eq!(format(&formatted), formatted);
    insta::with_settings!({
        snapshot_path => "../../snapshots/rg-ir",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!("format", formatted);
    });
}

#[test]
fn corpus_games_keep_their_meaning_and_comments() {
    let comments = |source: &str| -> Vec<String> {
        let lines = source.lines().filter_map(|line| Some(line[line.find("//")?..].trim_end().to_owned()));
        lines.collect()
    };
    for (name, source) in common::corpus("rg", "rg") {
        let formatted = format(&source);
        assert_eq!(format(&formatted), formatted, "{name}: formatting is not stable");
        let game = text::parse(SOURCE, &source).0.unwrap();
        assert!(text::parse(SOURCE, &formatted).0.unwrap() == game, "{name}: another game");
        assert_eq!(comments(&source), comments(&formatted), "{name}");
        // Edges and comments are not broken.
        let broken = |line: &str| ["type ", "const ", "var ", "    "].iter().any(|start| line.starts_with(start));
        let long = formatted.lines().find(|line| broken(line) && !line.contains("//") && line.chars().count() > 100);
        assert_eq!(long, None, "{name}");
    }
}

#[test]
fn only_syntax_matters() {
    assert_eq!(format("var v:Nope=x;"), "var v: Nope = x;\n");
    assert_eq!(format(""), "");
    assert_eq!(format("\n\n// only a comment  \n\n"), "// only a comment\n");
    let findings = text::format(SOURCE, "x, y; y, z").unwrap_err();
    assert_eq!(findings.len(), 2);
}
