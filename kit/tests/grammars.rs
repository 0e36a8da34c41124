//! The grammars of the extension for VS Code are those that the lexers have.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

use kit::language::LANGUAGES;
use kit::textmate::grammar;
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../editors/vscode/syntaxes")
}

#[test]
fn the_grammars_are_up_to_date() {
    let update = std::env::var_os("RGC_UPDATE_GRAMMARS").is_some();
    let mut written = Vec::new();
    for language in LANGUAGES {
        let Some(grammar) = grammar(language) else { continue };
        let name = format!("{}.tmLanguage.json", language.name);
        let file = folder().join(&name);
        let text = serde_json::to_string_pretty(&grammar).unwrap() + "\n";
        if update {
            fs::create_dir_all(folder()).unwrap();
            fs::write(&file, &text).unwrap();
        }
        let found = fs::read_to_string(&file).unwrap_or_default();
        assert!(
            found == text,
            "editors/vscode/syntaxes/{name} is out of date: run this test with RGC_UPDATE_GRAMMARS=1"
        );
        written.push(name);
    }
    written.sort();
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut there: Vec<String> = entries.collect();
    there.sort();
    assert_eq!(there, written);
    assert_eq!(written.len(), 5);
}
