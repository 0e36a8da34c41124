//! What several test modules share.

use std::path::PathBuf;

/// Names and texts of the corpus files in a folder, in order; nothing (and a remark) where there is no corpus.
/// The corpus is looked for at `$RGC_CORPUS`, then next to the repository.
pub(crate) fn corpus(folder: &str) -> Vec<(String, String)> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    let root = std::env::var_os("RGC_CORPUS").map_or_else(beside, PathBuf::from);
    let Ok(entries) = std::fs::read_dir(root.join(folder)) else {
        println!("skipped: no corpus at {}", root.display());
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let read =
        |path: PathBuf| Some((path.file_name()?.to_string_lossy().into_owned(), std::fs::read_to_string(&path).ok()?));
    files.into_iter().filter_map(read).collect()
}

/// Compares with (or records) `snapshots/rg-ir/<name>.snap` at the root of the repository.
pub(crate) fn snapshot(name: &str, text: String) {
    insta::with_settings!({
        snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/../snapshots/rg-ir"),
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, text);
    });
}
