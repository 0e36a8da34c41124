//! The oracle table of the corpus (section 10 of the specification), and the sheets that it is about.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A row of the table by column.
pub(crate) type Row = BTreeMap<String, String>;

/// The folder of the corpus, if it is there: `$RGC_CORPUS`, else `../shared/corpus`.
pub(crate) fn corpus() -> Option<PathBuf> {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let root = std::env::var_os("RGC_CORPUS").map_or_else(default, PathBuf::from);
    let found = root.join("oracle/kif.csv").is_file();
    if !found {
        eprintln!("skipped: there is no corpus; set RGC_CORPUS, or put it at ../shared/corpus");
    }
    found.then_some(root)
}

/// The rows by game.
pub(crate) fn oracle(corpus: &Path) -> BTreeMap<String, Row> {
    let text = std::fs::read_to_string(corpus.join("oracle/kif.csv")).expect("the oracle table");
    let mut lines = text.lines().map(cells);
    let header = lines.next().expect("a header");
    let row = |cells: Vec<String>| {
        let row: Row = header.iter().cloned().zip(cells).collect();
        (row["game"].clone(), row)
    };
    lines.map(row).collect()
}

/// The sheets by name.
pub(crate) fn sheets(corpus: &Path) -> BTreeMap<String, PathBuf> {
    let paths = std::fs::read_dir(corpus.join("kif")).expect("the sheets").map(|entry| entry.expect("a file").path());
    let sheets = paths.filter(|path| path.extension().is_some_and(|extension| extension == "kif"));
    sheets.filter_map(|path| Some((path.file_stem()?.to_string_lossy().into_owned(), path.clone()))).collect()
}

/// A number of the table, if it has one there.
pub(crate) fn number(row: &Row, column: &str) -> Option<u64> {
    row.get(column).and_then(|cell| cell.parse().ok())
}

/// The depths to which perft is known.
pub(crate) fn known_depth(row: &Row) -> u32 {
    (1..=6).take_while(|depth| number(row, &format!("n{depth}")).is_some()).count() as u32
}

/// The cells of a line; those with commas are in quotes.
fn cells(line: &str) -> Vec<String> {
    let (mut out, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => out.push(String::new()),
            c => out.last_mut().expect("a cell").push(c),
        }
    }
    out
}

/// FNV-1a of 64 bits, in hexadecimal, as the table has it.
pub(crate) fn hash(text: &str) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}
