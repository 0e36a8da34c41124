//! The oracle table of the corpus (section 10 of the specification).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folder of the corpus, if it is there.
pub(crate) fn corpus() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    path.is_dir().then_some(path)
}

/// A row of the table by column.
pub(crate) type Row = BTreeMap<String, String>;

/// The rows by game.
pub(crate) fn oracle(corpus: &Path) -> BTreeMap<String, Row> {
    let text = std::fs::read_to_string(corpus.join("oracle/kif.csv")).expect("the oracle table");
    let mut lines = text.lines().map(fields);
    let header = lines.next().expect("a header");
    lines
        .map(|fields| {
            let row: Row = header.iter().cloned().zip(fields).collect();
            (row["game"].clone(), row)
        })
        .collect()
}

fn fields(line: &str) -> Vec<String> {
    let (mut out, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => out.push(String::new()),
            c => out.last_mut().expect("a field").push(c),
        }
    }
    out
}

/// FNV-1a, 64 bit.
pub(crate) fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A hash as the table writes it.
pub(crate) fn hex(text: &str) -> String {
    format!("{:016x}", fnv(text))
}
