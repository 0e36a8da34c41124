//! The sheets and the oracle table.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A row of the table by column.
pub(crate) type Row = BTreeMap<String, String>;

/// The rows by game; `None` if there is no table.
pub(crate) fn read(path: &Path) -> Option<BTreeMap<String, Row>> {
    let text = std::fs::read_to_string(path).ok()?;
    let mut lines = text.lines().map(cells);
    let header = lines.next().unwrap();
    let row = |cells: Vec<String>| {
        let row: Row = header.iter().cloned().zip(cells).collect();
        (row["game"].clone(), row)
    };
    Some(lines.map(row).collect())
}

/// The sheets of a folder by name, sorted.
pub(crate) fn sheets(folder: &Path) -> BTreeMap<String, PathBuf> {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let sheets = paths.filter(|path| path.extension().is_some_and(|extension| extension == "kif"));
    sheets.map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), path)).collect()
}

/// The cells of a line; those with commas are in quotes.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            _ => cells.last_mut().unwrap().push(c),
        }
    }
    cells
}
