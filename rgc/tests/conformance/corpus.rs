//! The corpus: game files and oracle tables.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Languages: folder, and extension of the files.
const LANGUAGES: [(&str, &str); 6] =
    [("rg", "rg"), ("rbg", "rbg"), ("rbg-ll", "rbg"), ("sbg", "sbg"), ("hrg", "hrg"), ("hrg-line", "hrg")];

/// HRG games, with the depth from which on their perft is not defined because one label leads to two states: whoever
/// captured and can capture again either keeps the turn or passes it, and no tag tells which. The oracle counts both
/// ways, as the engines do where ambiguity is to be split.
const AMBIGUOUS: [(&str, u32); 6] = [
    ("ahtarahGuti_lud", 4),
    ("lauKataKati_lud", 6),
    ("mogulPutthan_lud", 4),
    ("peralikatuma_lud", 4),
    ("pretwa_lud", 4),
    // Not within the depths that the oracle knows.
    ("tavelspel_lud", 6),
];

/// A game file with what is known about it.
pub(crate) struct CorpusGame {
    /// The folder.
    pub(crate) language: &'static str,
    /// The file's name without extension.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// Depth and number of leaves, ascending.
    pub(crate) perft: Vec<(u32, u64)>,
    pub(crate) playouts: Option<Playouts>,
    /// Perft from this depth on must be refused as ambiguous, unless ambiguity is to be split.
    pub(crate) ambiguous: Option<u32>,
}

/// Statistics of random playouts.
#[derive(Clone)]
pub(crate) struct Playouts {
    pub(crate) plays: f64,
    pub(crate) mean_plies: f64,
    /// Mean score of every player.
    pub(crate) mean_scores: Vec<f64>,
}

pub(crate) struct Corpus {
    /// By language and name.
    pub(crate) games: Vec<CorpusGame>,
}

impl Corpus {
    /// The corpus, if it is there.
    pub(crate) fn find() -> Option<Self> {
        let root = match std::env::var_os("RGC_CORPUS") {
            Some(path) => PathBuf::from(path),
            None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus"),
        };
        if !root.is_dir() {
            return None;
        }
        // A low-level file is the expansion of the high-level game of that name, if there is one.
        let high = perft_table(&root.join("oracle/rbg.csv"));
        let rbg_playouts = playout_table(&root.join("oracle/rbg_playouts.csv"));
        let sbg_playouts = playout_table(&root.join("oracle/sbg_playouts.csv"));
        let mut games = Vec::new();
        for (language, extension) in LANGUAGES {
            let perft = perft_table(&root.join(format!("oracle/{language}.csv")));
            for path in files(&root.join(language), extension) {
                let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
                let rows = perft.get(&name).or_else(|| high.get(&name).filter(|_| language == "rbg-ll"));
                let playouts = match language {
                    "rg" | "hrg" | "hrg-line" => None,
                    "sbg" => sbg_playouts.get(&name).cloned(),
                    _ => rbg_playouts.get(&name).cloned(),
                };
                let perft = rows.cloned().unwrap_or_default();
                let ambiguous = AMBIGUOUS.iter().find(|(other, _)| language == "hrg-line" && *other == name);
                let ambiguous = ambiguous.map(|&(_, depth)| depth);
                games.push(CorpusGame { language, perft, playouts, name, path, ambiguous });
            }
        }
        Some(Self { games })
    }
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == extension));
    files.sort();
    files
}

fn rows(path: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().skip(1).map(|line| line.split(',').map(|cell| cell.trim().to_owned()).collect()).collect()
}

fn perft_table(path: &Path) -> BTreeMap<String, Vec<(u32, u64)>> {
    let mut table: BTreeMap<String, Vec<(u32, u64)>> = BTreeMap::new();
    for row in rows(path) {
        let [game, depth, leaves] = row.as_slice() else { panic!("{}: {row:?}", path.display()) };
        table.entry(game.clone()).or_default().push((depth.parse().unwrap(), leaves.parse().unwrap()));
    }
    table.values_mut().for_each(|rows| rows.sort_unstable());
    table
}

fn playout_table(path: &Path) -> BTreeMap<String, Playouts> {
    let parse = |row: Vec<String>| {
        let [game, plays, plies, scores @ ..] = row.as_slice() else { panic!("{}: {row:?}", path.display()) };
        let mean_scores = scores.iter().flat_map(|cell| cell.split_whitespace());
        let mean_scores = mean_scores.map(|score| score.parse().unwrap()).collect();
        (game.clone(), Playouts { plays: plays.parse().unwrap(), mean_plies: plies.parse().unwrap(), mean_scores })
    };
    rows(path).into_iter().map(parse).collect()
}
