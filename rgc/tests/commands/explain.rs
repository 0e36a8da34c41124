//! `rgc explain`: every code that some crate uses is explained, and every explained code is used.

use crate::support::{json_lines, rgc};
use rgc::explain::{FAMILIES, all};
use std::collections::BTreeSet;
use std::path::Path;

/// All texts `"XX123"` in the sources of a folder, registries and tests left out.
fn used(folder: &Path, codes: &mut BTreeSet<String>) {
    let registries = ["kit/src/explain.rs", "rg-ir/src/codes.rs"];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !["tests", "target", "fuzz", "benches"].contains(&name) && !name.starts_with('.') {
            used(&path, codes);
        }
        if !name.ends_with(".rs") || name == "tests.rs" || registries.iter().any(|registry| path.ends_with(registry)) {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        for (quote, _) in text.match_indices('"') {
            let part = text[quote + 1..].split('"').next().unwrap();
            let (prefix, number) = part.split_at(part.find(|c: char| !c.is_ascii_uppercase()).unwrap_or(part.len()));
            let known = FAMILIES.iter().any(|family| family.prefix == prefix);
            if known && number.len() == 3 && number.bytes().all(|byte| byte.is_ascii_digit()) {
                codes.insert(part.to_owned());
            }
        }
    }
}

#[test]
fn every_code_is_explained() {
    let mut found = BTreeSet::new();
    used(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut found);
    let explained: BTreeSet<String> = all().map(|(_, code, _)| code.to_owned()).collect();
    let missing: Vec<_> = found.difference(&explained).collect();
    assert!(missing.is_empty(), "not explained: {missing:?}");
    let unused: Vec<_> = explained.difference(&found).collect();
    assert!(unused.is_empty(), "explained, but used nowhere: {unused:?}");
}

#[test]
fn codes_on_the_command_line() {
    let one = rgc(["explain", "rg017"]).success();
    assert!(one.starts_with("RG017, Regular Games (RG)\n") && one.contains("docs/languages/rg.md"), "{one}");
    let list = rgc(["explain"]).success();
    assert_eq!(list.lines().count(), all().count() + 1);
    assert!(rgc(["explain", "SBG"]).success().lines().skip(1).all(|line| line.starts_with("SBG5")));
    let wrong = rgc(["explain", "RBG999"]);
    assert!(wrong.code == 1 && wrong.stderr.contains("IO349"), "{}", wrong.stderr);
    let rows = json_lines(&rgc(["explain", "RT", "--json"]).success());
    let codes = all().filter(|(_, code, _)| code.starts_with("RT")).count();
    assert_eq!((rows.len(), &rows[0]["code"]), (codes, &"RT200".into()));
}
