//! Steps of batches: sampling, stepping, masks and observations, `cargo bench -p envs [-- GAME [SIZE [THREADS]]]`.
//!
//! A line for each game: steps a second, the median of five runs of about half a second, and what a step takes. On one thread it is
//! CPU time that counts, on several the time that passes.

#![allow(clippy::unwrap_used, clippy::print_stdout)] // a program for the terminal

use cpu_time::ProcessTime;
use envs::{Actions, Arrays, Batch, Game, Plan, Seeds};
use std::sync::Arc;
use std::time::{Duration, Instant};

const GAMES: &[&str] =
    &["breakthrough.rbg", "connectFour.hrg", "chess.rbg", "go9.rbg", "leducPoker.hrg", "reversi.hrg"];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let size = args.get(1).map_or(4096, |size| size.parse().unwrap());
    let threads = args.get(2).map_or(1, |threads| threads.parse().unwrap());
    let games = args.first().map_or_else(|| GAMES.to_vec(), |game| vec![game.as_str()]);
    for name in games {
        let begin = Instant::now();
        let game = Arc::new(Game::load(name, None, Actions::Auto).unwrap());
        let loaded = begin.elapsed();
        let mut batch = Batch::new(game.clone(), Plan { threads, ..Plan::of(size) }).unwrap();
        let observation = game.observations().len();
        let (mut observations, mut mask) = (vec![0; observation * size], vec![false; game.actions().len() * size]);
        let mut observed = vec![0; batch.plan().max_observed * size];
        let mut rewards = vec![0.0; game.reasoner().players().len() * size];
        let (mut done, mut truncated, mut current_player) = (vec![false; size], vec![false; size], vec![0; size]);
        let mut ply = vec![0; size];
        let mut actions = vec![0; size];
        macro_rules! arrays {
            () => {
                Arrays {
                    observations: &mut observations,
                    final_observations: &mut [],
                    observed: &mut observed,
                    mask: &mut mask,
                    rewards: &mut rewards,
                    done: &mut done,
                    truncated: &mut truncated,
                    current_player: &mut current_player,
                    ply: &mut ply,
                }
            };
        }
        batch.reset(Seeds::Kept, None, arrays!()).unwrap();
        let mut rates = Vec::new();
        for _ in 0..6 {
            let (cpu, begin, mut steps) = (ProcessTime::now(), Instant::now(), 0);
            let elapsed = || if threads == 1 { cpu.elapsed() } else { begin.elapsed() };
            while elapsed() < Duration::from_millis(500) {
                batch.sample(&mut actions);
                batch.step(&actions, arrays!()).unwrap();
                steps += size;
            }
            rates.push(steps as f64 / elapsed().as_secs_f64());
            game.reasoner().settle();
        }
        // The first one warms up.
        rates.remove(0);
        rates.sort_by(f64::total_cmp);
        let rate = rates[rates.len() / 2];
        println!(
            "{name}: {rate:.0} steps/s, {:.0} ns each; {} actions, {observation} bytes, loaded in {} ms",
            1e9 / rate,
            game.actions().len(),
            loaded.as_millis()
        );
    }
}
