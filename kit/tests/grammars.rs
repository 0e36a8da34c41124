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

/// The columns by which the formatter indents a line in a block: the least indentation of a line in all bundled games of a language.
fn indentation(language: &kit::language::Language) -> usize {
    let mut least = usize::MAX;
    for game in kit::library::all().into_iter().filter(|game| game.language.name == language.name) {
        // No bundled game of SBG goes over a line.
        let text = game.text.replace("P (0,1,e) + (-1,1,p)", "P (0,1,e)\n+ (-1,1,p)");
        let formatted = (language.format.unwrap())(rg_ir::SourceId(0), &text).unwrap();
        let columns = formatted.lines().map(|line| line.len() - line.trim_start().len());
        least = columns.filter(|&columns| columns > 0).chain([least]).min().unwrap();
    }
    least
}

#[test]
fn editors_indent_as_the_formatter_does() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let extension = fs::read_to_string(root.join("editors/vscode/package.json")).unwrap();
    let extension: serde_json::Value = serde_json::from_str(&extension).unwrap();
    let page = fs::read_to_string(root.join("docs/editors.md")).unwrap();
    for language in LANGUAGES.iter().filter(|language| language.format.is_some()) {
        let (name, columns) = (language.name, indentation(language));
        let settings = &extension["contributes"]["configurationDefaults"][format!("[{name}]")];
        assert_eq!(settings["editor.tabSize"], columns, "{name}");
        let (_, helix) = page.split_once(&format!("name = \"{name}\"")).unwrap();
        let line = helix.lines().find(|line| line.starts_with("indent")).unwrap();
        assert_eq!(line, format!("indent = {{ tab-width = {columns}, unit = \"{}\" }}", " ".repeat(columns)), "{name}");
        // The recipes for Neovim name those that are not indented by 4.
        let neovim: Vec<&str> = page.lines().filter(|line| line.contains("shiftwidth = ")).collect();
        let named =
            |line: &&str| line.contains(&format!("{name} = {columns}")) || (columns == 4 && line.contains("or 4"));
        assert!(neovim.len() == 2 && neovim.iter().all(named), "{name}: {neovim:?}");
    }
}
