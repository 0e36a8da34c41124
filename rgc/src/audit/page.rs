//! A report as a page with plots: one file, without references to others.

use super::Report;
use super::plots::{Bar, bars, curve};
use super::text::{kind, sections};
use rg_ir::xml::escaped;
use std::fmt::Write as _;

/// Scores that are drawn for a player at most.
const MAX_SCORES: usize = 200;

/// The page.
pub(crate) fn page(report: &Report) -> String {
    let name = escaped(&report.game);
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{name}: audit</title>\n<style>{STYLE}</style>\n\
         </head>\n<body>\n<h1>{name}</h1>\n<p>{} ({}), run by engine <code>{}</code>. Intervals are 95 % confidence \
         intervals.</p>\n",
        escaped(&kind(report)),
        escaped(report.language),
        escaped(report.engine),
    );
    for (title, lines) in sections(report) {
        let _ = write!(html, "<h2>{}</h2>\n<table>\n", escaped(title));
        for (name, value) in lines {
            let _ = writeln!(html, "<tr><th>{}</th><td>{}</td></tr>", escaped(&name), escaped(&value));
        }
        html.push_str("</table>\n");
        match title {
            "playouts" => html.push_str(&plays(report)),
            "results of playouts" => html.push_str(&scores(report)),
            "sizes" => html.push_str(&positions(report)),
            _ => {}
        }
    }
    html.push_str("</body>\n</html>\n");
    html
}

fn figure(html: &mut String, caption: &str, svg: &str) {
    let _ = write!(html, "<figure>\n<figcaption>{}</figcaption>\n{svg}</figure>\n", escaped(caption));
}

/// Lengths of plays, and legal moves by ply.
fn plays(report: &Report) -> String {
    let mut html = String::new();
    let lengths: Vec<Bar> = report
        .sample
        .length
        .iter()
        .flat_map(|length| &length.histogram)
        .map(|bar| Bar { name: range(bar.from, bar.to), value: bar.count as f64 })
        .collect();
    if !lengths.is_empty() {
        figure(
            &mut html,
            "Playouts by length",
            &bars("histogram of the lengths of playouts", "moves of players", &lengths),
        );
    }
    if let Some(branching) = &report.sample.branching {
        let moves: Vec<(f64, f64)> = branching.by_ply.iter().map(|ply| (ply.ply as f64, ply.mean)).collect();
        let left: Vec<(f64, f64)> = branching.by_ply.iter().map(|ply| (ply.ply as f64, ply.plays as f64)).collect();
        let all = left.iter().map(|(_, plays)| *plays).fold(0.0, f64::max);
        let caption = "Legal moves by ply, on average; faint: the share of playouts that are that long";
        figure(&mut html, caption, &curve("legal moves by ply", "moves made before", &moves, &left, all));
    }
    html
}

fn range(from: u64, to: u64) -> String {
    if from == to { from.to_string() } else { format!("{from}–{to}") }
}

/// Scores of every player.
fn scores(report: &Report) -> String {
    let mut html = String::new();
    for player in &report.sample.players {
        let scores = player.scores.iter().take(MAX_SCORES);
        let scores: Vec<Bar> = scores.map(|s| Bar { name: s.score.clone(), value: s.count as f64 }).collect();
        let caption = format!("Scores of {}", player.player);
        figure(&mut html, &caption, &bars(&caption, "score", &scores));
    }
    html
}

/// New positions by their distance from the start.
fn positions(report: &Report) -> String {
    let counts: Vec<Bar> = report
        .space
        .by_depth
        .iter()
        .zip(0..)
        .map(|(&count, depth)| Bar { name: range(depth, depth), value: count as f64 })
        .collect();
    let mut html = String::new();
    if counts.len() > 1 && counts.len() <= MAX_SCORES {
        figure(&mut html, "Positions by distance from the start", &bars("positions by distance", "moves", &counts));
    }
    html
}

const STYLE: &str = "
body { font: 15px/1.45 sans-serif; margin: 1.5em auto; max-width: 60em; padding: 0 1em; }
table { border-collapse: collapse; } th { text-align: left; font-weight: normal; color: #555; white-space: pre; }
td, th { padding: .1em 1.2em .1em 0; vertical-align: top; overflow-wrap: anywhere; }
figure { margin: 1em 0; } figcaption { color: #555; } svg { width: 100%; max-width: 46em; font: 12px sans-serif; }
rect { fill: #3b78b5; } rect:hover { fill: #e08a1e; } .axis { fill: none; stroke: #777; }
polyline { fill: none; stroke-width: 1.5; } .curve { stroke: #3b78b5; } .faint { stroke: #c9c9c9; } text { fill: #444; }
";
