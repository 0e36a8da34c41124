//! The structure of the workspace and of this crate: which crates depend on which, that modules of the engine do not
//! import each other in cycles, and words that the engine's second edition retires. The lists here may only shrink: what is new
//! fails, and so does what is gone but still listed.

#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// By crate: the crates of the workspace that it depends on, and those that only its tests do.
const CRATES: &[(&str, &[&str], &[&str])] = &[
    ("rg-ir", &[], &[]),
    ("rbg", &["rg-ir"], &["backend"]),
    ("hrg", &["rg-ir"], &["backend"]),
    ("sbg", &["rg-ir"], &["backend"]),
    ("gdl", &["rg-ir"], &["backend"]),
    ("passes", &["rg-ir"], &["backend", "testgen"]),
    ("wir", &[], &[]),
    ("wir-opt", &["rg-ir", "wir"], &[]),
    ("engine", &["passes", "rg-ir", "wir"], &[]),
    ("codegen", &["engine", "rg-ir", "wir", "wir-opt"], &[]),
    ("lower", &["engine", "passes", "rg-ir", "simulate", "wir", "wir-opt"], &[]),
    ("simulate", &["engine", "rg-ir"], &[]),
    ("search", &["engine", "passes", "rg-ir"], &[]),
    ("reference", &["engine", "passes", "rg-ir"], &[]),
    (
        "backend",
        &["codegen", "engine", "lower", "passes", "reference", "rg-ir", "search", "simulate", "wir", "wir-opt"],
        &["gdl", "hrg", "rbg", "sbg", "testgen"],
    ),
    ("agents", &["backend", "rg-ir"], &["hrg", "passes", "rbg"]),
    ("generate", &["engine", "hrg", "rg-ir"], &[]),
    ("rg-to-gdl", &["rg-ir"], &["gdl"]),
    ("rg-to-hrg", &["hrg", "rg-ir"], &["backend", "passes", "testgen"]),
    ("rg-to-sbg", &["rg-ir", "sbg"], &["hrg", "rbg"]),
    ("sbg-to-rbg", &["sbg"], &["rbg", "rg-ir"]),
    (
        "kit",
        &[
            "agents",
            "backend",
            "gdl",
            "generate",
            "hrg",
            "passes",
            "rbg",
            "rg-ir",
            "rg-to-gdl",
            "rg-to-hrg",
            "rg-to-sbg",
            "sbg",
            "sbg-to-rbg",
        ],
        &[],
    ),
    ("audit", &["agents", "backend", "kit", "passes", "rg-ir"], &[]),
    ("why", &["backend", "kit", "rg-ir"], &[]),
    ("envs", &["agents", "backend", "kit", "passes", "rg-ir"], &[]),
    ("lsp", &["kit", "rg-ir"], &["backend"]),
    ("studio", &["agents", "audit", "backend", "kit", "lsp", "passes", "rg-ir", "why"], &[]),
    ("managers", &["agents", "backend", "gdl", "kit", "rbg", "rg-ir"], &[]),
    (
        "rgc",
        &[
            "agents", "audit", "backend", "gdl", "generate", "kit", "lsp", "managers", "passes", "rg-ir", "studio",
            "why",
        ],
        &["rbg", "sbg", "testgen", "wir"],
    ),
    ("capi", &["backend", "kit", "rg-ir"], &[]),
    ("rgc-python", &["agents", "audit", "backend", "envs", "kit", "rg-ir", "why"], &[]),
    ("testgen", &["backend", "rg-ir"], &[]),
];

/// The sources of the crates of the engine.
const ENGINE: &[&str] = &[
    "backend/engine/src",
    "backend/wir/src",
    "backend/wir-opt/src",
    "backend/codegen/src",
    "backend/lower/src",
    "backend/search/src",
    "backend/simulate/src",
    "backend/reference/src",
    "backend/reasoner/src",
];

/// Words that a reader cannot look up, and how often names in the code consist of them or contain them.
const RETIRED_IN_NAMES: &[(&str, usize)] = &[
    ("told", 17),
    ("later", 12),
    ("waiting", 2),
    ("places", 250),
    ("shown", 43),
    ("apart", 21),
    ("asked", 48),
    ("again", 45),
    ("alike", 4),
];

/// The same for words that are not everyday English: here comments count, too.
const RETIRED_ANYWHERE: &[(&str, usize)] = &[
    ("handed", 2),
    ("handover", 5),
    ("surely", 5),
    ("told apart", 1),
    ("give back", 10),
    ("given back", 4),
    ("bail", 6),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The differences of two sets, as lines.
fn differences<T: Ord + std::fmt::Debug>(listed: &BTreeSet<T>, found: &BTreeSet<T>) -> String {
    let mut text = String::new();
    for new in found.difference(listed) {
        let _ = writeln!(text, "new, and not to be: {new:?}");
    }
    for gone in listed.difference(found) {
        let _ = writeln!(text, "gone, to be taken off the list: {gone:?}");
    }
    text
}

/// Names of workspace dependencies in one section of a manifest.
fn dependencies<'m>(manifest: &'m str, section: &str) -> BTreeSet<&'m str> {
    let lines = manifest.lines().map(str::trim).skip_while(|line| *line != section).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| line.split(['.', ' ', '=']).next()).filter(|name| !name.is_empty()).collect()
}

#[test]
fn crates_depend_on_each_other_in_one_direction() {
    let workspace = read(&root().join("Cargo.toml"));
    let members = workspace.lines().find_map(|line| line.strip_prefix("members = [")).unwrap();
    let folders: Vec<&str> = members.split('"').skip(1).step_by(2).collect();
    let name = |folder: &str| {
        let manifest = read(&root().join(folder).join("Cargo.toml"));
        manifest.lines().find_map(|line| line.strip_prefix("name = ")).unwrap().trim_matches('"').to_owned()
    };
    let names: BTreeSet<String> = folders.iter().map(|folder| name(folder)).collect();
    let mut found = BTreeSet::new();
    for folder in &folders {
        let manifest = read(&root().join(folder).join("Cargo.toml"));
        for (section, kind) in [("[dependencies]", "code"), ("[dev-dependencies]", "tests")] {
            let inside = dependencies(&manifest, section).into_iter().filter(|&other| names.contains(other));
            found.extend(inside.map(|other| (name(folder), kind, other.to_owned())));
        }
    }
    let listed = CRATES.iter().flat_map(|&(name, code, tests)| {
        let edge = move |kind| move |other: &&str| (name.to_owned(), kind, (*other).to_owned());
        code.iter().map(edge("code")).chain(tests.iter().map(edge("tests")))
    });
    let differences = differences(&listed.collect(), &found);
    assert!(differences.is_empty(), "crates and what they depend on:\n{differences}");
}

/// The Rust files below a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The code of a file without comments and without what only tests compile: an import, or everything from the first test
/// module on.
fn code(text: &str) -> String {
    let mut kept = String::new();
    let mut tested = false;
    for line in text.lines() {
        let plain = line.split("//").next().unwrap_or_default();
        if plain.trim() == "#[cfg(test)]" {
            tested = true;
        } else if std::mem::take(&mut tested) {
            if plain.trim_start().starts_with("mod ") {
                break;
            }
        } else {
            kept.push_str(plain);
            kept.push('\n');
        }
    }
    kept
}

/// By top-level module of a crate: the others that its code names.
fn imports(folder: &str) -> BTreeMap<String, BTreeSet<String>> {
    let source = root().join(folder);
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in files(&source) {
        let module = path.strip_prefix(&source).unwrap().iter().next().unwrap().to_str().unwrap();
        let module = module.trim_end_matches(".rs");
        if module == "lib" {
            continue;
        }
        let code = code(&read(&path));
        let named = code.split("crate::").skip(1).flat_map(|rest| {
            // One module, or a list of them.
            let list = rest.strip_prefix('{').map(|rest| rest.split('}').next().unwrap_or_default());
            let names = list.map_or_else(|| vec![rest], |list| list.split(',').map(str::trim).collect());
            names
                .into_iter()
                .map(|name| name.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default())
        });
        let named: Vec<String> = named.filter(|name| *name != module).map(str::to_owned).collect();
        imports.entry(module.to_owned()).or_default().extend(named);
    }
    imports
}

#[test]
fn modules_do_not_import_each_other_in_cycles() {
    for folder in ENGINE {
        let imports = imports(folder);
        let cyclic = cyclic(&imports);
        assert!(cyclic.is_empty(), "modules of {folder} import each other in cycles: {cyclic:?}");
    }
}

/// The imports that lie on cycles.
fn cyclic(imports: &BTreeMap<String, BTreeSet<String>>) -> Vec<(&str, &str)> {
    let reached = |from: &str| {
        let (mut seen, mut left) = (BTreeSet::new(), vec![from]);
        while let Some(module) = left.pop() {
            for next in imports.get(module).into_iter().flatten() {
                if seen.insert(next.as_str()) {
                    left.push(next);
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        imports.keys().map(|module| (module.as_str(), reached(module))).collect();
    let edges = imports.iter().flat_map(|(from, all)| all.iter().map(move |to| (from.as_str(), to.as_str())));
    edges.filter(|(from, to)| reached.get(to).is_some_and(|all| all.contains(from))).collect()
}

/// The words that names and texts consist of, in lower case: `is_handover` has two, and so has `HandOver`.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut lower = false;
    for c in text.chars() {
        if !c.is_alphabetic() || lower && c.is_uppercase() {
            words.push(String::new());
        }
        lower = c.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| c.is_alphabetic()) {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn retired_words_become_fewer() {
    let mut problems = String::new();
    let files = ENGINE.iter().flat_map(|folder| files(&root().join(folder)));
    let texts: Vec<String> = files.map(|path| read(&path)).collect();
    let everything: Vec<Vec<String>> = texts.iter().map(|text| words(text)).collect();
    let names: Vec<Vec<String>> = texts.iter().map(|text| words(&code(text))).collect();
    for (list, of, place) in [(RETIRED_IN_NAMES, &names, "names"), (RETIRED_ANYWHERE, &everything, "code and comments")]
    {
        for &(retired, listed) in list {
            let wanted: Vec<&str> = retired.split(' ').collect();
            let found: usize =
                of.iter().map(|all| all.windows(wanted.len()).filter(|part| *part == wanted).count()).sum();
            if found > listed {
                let _ =
                    writeln!(problems, "`{retired}` is to be retired, but is {found} times in {place}, not {listed}");
            } else if found < listed {
                let _ =
                    writeln!(problems, "`{retired}` is only {found} times in {place}: lower the {listed} in the list");
            }
        }
    }
    assert!(problems.is_empty(), "{problems}");
}
