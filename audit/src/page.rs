//! A report as sections with plots, and as a page of these: one file, without references to others.

use super::Report;
use super::plots::{Bar, bars, curve};
use super::text::{kind, lines};
use kit::output::page_head;
use rg_ir::xml::escaped;
use serde::Serialize;
use std::fmt::Write as _;

/// Scores that are drawn for a player at most.
const MAX_SCORES: usize = 200;

/// A part of a report.
#[derive(Clone, Debug, Serialize)]
pub struct Section {
    /// What it is about.
    pub title: &'static str,
    /// Figures: what each is called, and what it is.
    pub lines: Vec<(String, String)>,
    /// What can be seen better than read.
    pub plots: Vec<Plot>,
}

/// A drawing of figures.
#[derive(Clone, Debug, Serialize)]
pub struct Plot {
    /// What it shows.
    pub caption: String,
    /// The drawing, in SVG: bars are `rect`, lines `polyline` with a class `curve` or `faint`, axes `path` with a class `axis`.
    pub svg: String,
}

impl Plot {
    fn new(caption: &str, svg: String) -> Self {
        Self { caption: caption.to_owned(), svg }
    }
}

/// The sections of a report.
pub fn sections(report: &Report) -> Vec<Section> {
    let plots = |title| match title {
        "playouts" => plays(report),
        "results of playouts" => scores(report),
        "sizes" => positions(report),
        _ => Vec::new(),
    };
    lines(report).into_iter().map(|(title, lines)| Section { title, lines, plots: plots(title) }).collect()
}

/// The page.
pub fn page(report: &Report) -> String {
    let name = escaped(&report.game);
    let mut html = format!(
        "{}<meta name=\"viewport\" content=\"width=device-width\">\n<title>{name}: audit</title>\n<style>{STYLE}</style>\n\
         </head>\n<body>\n<h1>{name}</h1>\n<p>{} ({}), run by engine <code>{}</code>. Intervals are 95 % confidence \
         intervals.</p>\n",
        page_head(),
        escaped(&kind(report)),
        escaped(report.language),
        escaped(report.engine),
    );
    for Section { title, lines, plots } in sections(report) {
        let _ = write!(html, "<h2>{}</h2>\n<table>\n", escaped(title));
        for (name, value) in lines {
            let _ = writeln!(html, "<tr><th>{}</th><td>{}</td></tr>", escaped(&name), escaped(&value));
        }
        html.push_str("</table>\n");
        for Plot { caption, svg } in plots {
            let _ = write!(html, "<figure>\n<figcaption>{}</figcaption>\n{svg}</figure>\n", escaped(&caption));
        }
    }
    html.push_str("</body>\n</html>\n");
    html
}

/// Lengths of plays, and legal moves by ply.
fn plays(report: &Report) -> Vec<Plot> {
    let mut plots = Vec::new();
    let lengths: Vec<Bar> = report
        .sample
        .length
        .iter()
        .flat_map(|length| &length.histogram)
        .map(|bar| Bar { name: range(bar.from, bar.to), value: bar.count as f64 })
        .collect();
    if !lengths.is_empty() {
        let drawn = bars("histogram of the lengths of playouts", "moves of players", &lengths);
        plots.push(Plot::new("Playouts by length", drawn));
    }
    if let Some(branching) = &report.sample.branching {
        let moves: Vec<(f64, f64)> = branching.by_ply.iter().map(|ply| (ply.ply as f64, ply.mean)).collect();
        let left: Vec<(f64, f64)> = branching.by_ply.iter().map(|ply| (ply.ply as f64, ply.plays as f64)).collect();
        let all = left.iter().map(|(_, plays)| *plays).fold(0.0, f64::max);
        let caption = "Legal moves by ply, on average; faint: the share of playouts that are that long";
        plots.push(Plot::new(caption, curve("legal moves by ply", "moves made before", &moves, &left, all)));
    }
    plots
}

fn range(from: u64, to: u64) -> String {
    if from == to { from.to_string() } else { format!("{from}–{to}") }
}

/// Scores of every player.
fn scores(report: &Report) -> Vec<Plot> {
    let drawn = |player: &super::sample::Player| {
        let scores = player.scores.iter().take(MAX_SCORES);
        let scores: Vec<Bar> = scores.map(|s| Bar { name: s.score.clone(), value: s.count as f64 }).collect();
        let caption = format!("Scores of {}", player.player);
        Plot::new(&caption, bars(&caption, "score", &scores))
    };
    report.sample.players.iter().map(drawn).collect()
}

/// New positions by their distance from the start.
fn positions(report: &Report) -> Vec<Plot> {
    let counts: Vec<Bar> = report
        .space
        .by_depth
        .iter()
        .zip(0..)
        .map(|(&count, depth)| Bar { name: range(depth, depth), value: count as f64 })
        .collect();
    if counts.len() <= 1 || counts.len() > MAX_SCORES {
        return Vec::new();
    }
    vec![Plot::new("Positions by distance from the start", bars("positions by distance", "moves", &counts))]
}

const STYLE: &str = "
body { font: 15px/1.45 sans-serif; margin: 1.5em auto; max-width: 60em; padding: 0 1em; }
table { border-collapse: collapse; } th { text-align: left; font-weight: normal; color: #555; white-space: pre; }
td, th { padding: .1em 1.2em .1em 0; vertical-align: top; overflow-wrap: anywhere; }
figure { margin: 1em 0; } figcaption { color: #555; } svg { width: 100%; max-width: 46em; font: 12px sans-serif; }
rect { fill: #3b78b5; } rect:hover { fill: #e08a1e; } .axis { fill: none; stroke: #777; }
polyline { fill: none; stroke-width: 1.5; } .curve { stroke: #3b78b5; } .faint { stroke: #c9c9c9; } text { fill: #444; }
";
