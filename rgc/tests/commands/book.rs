//! The book in `docs/`: its table of contents and all links in it, and that every language has its places in the project.

use crate::support::pages;
use rgc::explain::FAMILIES;
use rgc::language::LANGUAGES;
use rgc::library;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// The targets of all links `[…](…)` in a page, code left out.
fn links(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        }
        // Every other part is between backticks.
        let prose: String = line.split('`').step_by(2).filter(|_| !is_code).collect();
        let found = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        targets.extend(found.map(str::to_owned));
    }
    targets
}

/// The name by which a headline can be linked to.
fn anchor(headline: &str) -> String {
    let kept = headline.trim_start_matches('#').trim().to_lowercase();
    kept.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c)).collect::<String>().replace(' ', "-")
}

#[test]
fn the_summary_lists_every_page_once() {
    let docs = root().join("docs");
    let mut listed: Vec<PathBuf> =
        links(&std::fs::read_to_string(docs.join("SUMMARY.md")).unwrap()).iter().map(|link| docs.join(link)).collect();
    listed.sort();
    let there: Vec<PathBuf> = pages(&docs).into_iter().filter(|path| !path.ends_with("SUMMARY.md")).collect();
    assert_eq!(listed, there, "the table of contents, docs/SUMMARY.md, and the pages that are there");
    let book = std::fs::read_to_string(docs.join("book.toml")).unwrap();
    assert!(book.contains("src = \".\""), "{book}");
}

/// A page is found by the title that the table of contents gives it.
#[test]
fn every_page_begins_with_a_title() {
    for path in pages(&root().join("docs")) {
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("# "), "{}", path.display());
        let titles = text.split("\n```").step_by(2).flat_map(str::lines).filter(|line| line.starts_with("# "));
        let is_summary = path.ends_with("SUMMARY.md");
        assert!(is_summary || titles.count() == 1, "{}: several titles", path.display());
    }
}

#[test]
fn every_link_leads_somewhere() {
    let more = ["README.md", "CONTRIBUTING.md"].map(|name| root().join(name));
    let mut count = 0;
    for path in pages(&root().join("docs")).into_iter().chain(more) {
        let text = std::fs::read_to_string(&path).unwrap();
        for link in links(&text).into_iter().filter(|link| !link.starts_with("https://")) {
            let (file, headline) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(target.exists(), "{}: {link}", path.display());
            if !headline.is_empty() {
                let text = std::fs::read_to_string(&target).unwrap();
                let there = text.lines().any(|line| line.starts_with('#') && anchor(line) == headline);
                assert!(there, "{}: {link}", path.display());
            }
            count += 1;
        }
    }
    assert!(count > 30, "{count}");
}

/// What the recipe for a front end in CONTRIBUTING.md asks for.
#[test]
fn every_language_has_page_codes_and_games() {
    for language in LANGUAGES.iter().filter(|language| language.name != "json") {
        let name = language.name;
        let page = format!("docs/languages/{name}.md");
        assert!(root().join(&page).exists(), "{page} is missing");
        assert!(FAMILIES.iter().any(|family| family.page == page), "no codes are explained that refer to {page}");
        assert!(library::PREFERENCE.contains(&name), "{name} is not in `PREFERENCE` of kit/src/library.rs");
        assert!(library::all().iter().any(|game| game.language.name == name), "no game in games/{name}");
        assert!(language.format.is_some(), "{name} has no formatter");
    }
}

/// The files and tests that CONTRIBUTING.md names are there.
#[test]
fn recipes_name_what_is_there() {
    let text = std::fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let mut files = 0;
    for name in text.split('`').skip(1).step_by(2) {
        let is_path = name.contains('/') && !name.contains(char::is_whitespace) && !name.contains(['…', '*']);
        if is_path && !name.contains("NAME") && !name.contains("LANGUAGE") {
            assert!(root().join(name).exists(), "{name}");
            files += 1;
        }
    }
    assert!(files > 15, "{files}");
    let tests: String = [
        "passes/tests/fixtures.rs",
        "kit/src/explain.rs",
        "backend/reasoner/tests/wir_passes.rs",
        "kit/tests/grammars.rs",
        "lsp/tests/games.rs",
    ]
    .into_iter()
    .map(str::to_owned)
    .chain(["explain", "games", "optimize", "book", "docs"].map(|name| format!("rgc/tests/commands/{name}.rs")))
    .map(|file| std::fs::read_to_string(root().join(file)).unwrap())
    .collect();
    let named = text.split('`').skip(1).step_by(2).filter(|name| name.contains('_') && !name.contains(['.', '/', ' ']));
    let mut count = 0;
    for name in named.map(|name| name.trim_end_matches('…')).filter(|name| *name == name.to_lowercase()) {
        // `fires_…` and the like are names of cases; some names are those of targets of fuzzing.
        let is_case = ["fires_", "keeps_", "with_"].contains(&name);
        if is_case || root().join(format!("fuzz/fuzz_targets/{name}.rs")).exists() {
            continue;
        }
        assert!(tests.contains(&format!("fn {name}")), "there is no test `{name}`");
        count += 1;
    }
    assert!(count >= 8, "{count}");
}
