//! Plain ground lowering against the oracle, over the whole corpus.
//!
//! A table is printed: seconds to translate, nodes, edges, seconds to prepare the engine, verdict. Small games come
//! first, for half a minute. `GDL_ONLY=name` plays the games whose names contain `name`, however long it takes (and so
//! `GDL_ONLY=` all), `GDL_ONLY==name` one; `GDL_SECONDS` is the time for playing one game; `GDL_SUMMARY` shows figures.

mod common;

use common::oracle::{Row, corpus, oracle};
use common::play::{Compared, Extent, Player};
use std::time::{Duration, Instant};

fn seconds(duration: Duration) -> String {
    format!("{:.2}", duration.as_secs_f64())
}

/// The verdict on a file, and the table's columns.
fn verdict(text: &str, row: &Row) -> (String, Vec<String>) {
    let start = Instant::now();
    let (description, findings) = gdl::parse(rg_ir::SourceId(0), text);
    let Some(description) = description else {
        return (format!("refused: {:?}", findings.iter().map(|f| &f.message).collect::<Vec<_>>()), Vec::new());
    };
    let lowered = match gdl::translate_ground(&description, gdl::Limits::default()) {
        Ok(lowered) => lowered,
        Err(error) => {
            let label = error.primary.map(|primary| primary.text).unwrap_or_default();
            return (format!("refused: {}: {label}", error.message), vec![seconds(start.elapsed())]);
        }
    };
    let (nodes, edges) = (lowered.game.automaton.node_count(), lowered.game.automaton.edge_count());
    let mut columns = vec![seconds(start.elapsed()), nodes.to_string(), edges.to_string()];
    if std::env::var_os("GDL_SUMMARY").is_some() {
        println!("{:?}", lowered.summary);
        let mut stems: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
        for node in lowered.game.automaton.nodes() {
            let name = lowered.game.node_name(node);
            *stems.entry(name.rsplit_once('_').map_or(name, |(stem, _)| stem)).or_default() += 1;
        }
        let mut stems: Vec<_> = stems.into_iter().collect();
        stems.sort_by_key(|stem| std::cmp::Reverse(stem.1));
        println!("{:?}", stems.get(..12));
    }
    let start = Instant::now();
    let player = match Player::new(lowered) {
        Ok(player) => player,
        Err(error) => return (format!("FAILED: {error}"), columns),
    };
    columns.push(seconds(start.elapsed()));
    let time = std::env::var("GDL_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let extent = Extent { steps: u64::MAX, leaves: 5_000, until: Some(Instant::now() + Duration::from_secs(time)) };
    let mut compared = Compared::default();
    let agreed = player.agree(row, extent, &mut compared);
    let Compared { playouts, depth } = compared;
    let agrees = |()| format!("agrees: {playouts} playouts, perft {depth}");
    (agreed.map_or_else(|error| format!("FAILED: {error}"), agrees), columns)
}

#[test]
fn corpus_agrees() {
    let Some(corpus) = corpus() else { return };
    let only = std::env::var("GDL_ONLY").ok();
    let budget = Duration::from_secs(if only.is_some() { u64::MAX } else { 30 });
    let start = Instant::now();
    let mut games: Vec<_> = oracle(&corpus)
        .into_iter()
        .filter(|(game, _)| {
            only.as_ref().is_none_or(|only| game.contains(only) || only.strip_prefix('=') == Some(game))
        })
        .filter_map(|(game, row)| Some((std::fs::read(corpus.join(format!("kif/{game}.kif"))).ok()?, game, row)))
        .collect();
    games.sort_by_key(|(bytes, ..)| bytes.len());
    let mut failed = Vec::new();
    for (bytes, game, row) in games {
        if start.elapsed() > budget {
            println!("the other games are larger than {game}; GDL_ONLY= plays all");
            break;
        }
        let (verdict, columns) = verdict(&String::from_utf8_lossy(&bytes), &row);
        println!("{game} | {} | {verdict}", columns.join(" "));
        if verdict.starts_with("FAILED") {
            failed.push(format!("{game}: {verdict}"));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
