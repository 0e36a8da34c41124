//! What the tree costs: playouts per second of `uct` beside `flat`, in one thread and one run.
//!
//! `cargo run -p agents --example search_speed -- games/rbg/breakthrough.rbg …`; the agents are optimised in all profiles.

use agents::{Play, Situation, Spec};
use backend::{Options, Reasoner, Rng, Turn};
use passes::{Level, Pipeline};
use rg_ir::SourceId;
use std::time::{Duration, Instant};

/// Positions looked at: so many random moves after the beginning.
const PREFIXES: [u64; 4] = [0, 4, 8, 16];

fn reasoner(path: &str) -> Result<Reasoner, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(path)?;
    let game = match path.rsplit_once('.') {
        Some((_, "rg")) => rg_ir::text::parse(SourceId(0), &text).0.ok_or("this is no game in RG")?,
        Some((_, "hrg")) => hrg::load(SourceId(0), &text).0.ok_or("this is no game in HRG")?.game,
        _ => rbg::load(SourceId(0), &text).0.ok_or("this is no game in RBG")?.game,
    };
    let (mut game, trusted) = (game, !path.ends_with(".rg"));
    Pipeline::level(Some(Level::Full)).validate(false).run(&mut game, &mut ()).map_err(|error| error.to_string())?;
    Ok(Reasoner::with_options(&game, Options { handovers: trusted, checked: true, ..Options::default() })?)
}

/// Playouts per second of an agent that is new at each position.
fn speed(spec: &str, reasoner: &Reasoner, seed: u64) -> Result<f64, Box<dyn std::error::Error>> {
    let (mut playouts, mut time) = (0, Duration::ZERO);
    for prefix in PREFIXES {
        let (mut play, mut rng) = (Play::new(reasoner)?, Rng::new(seed));
        for _ in 0..prefix {
            if play.turn() == Turn::End {
                break;
            }
            play.make(rng.below(play.moves().len() as u32) as usize)?;
        }
        let Turn::Player(player) = play.turn() else { continue };
        let situation: Situation<'_> = play.situation(player);
        let mut agent = Spec::parse(spec)?.agent(reasoner, seed)?;
        let start = Instant::now();
        playouts += agent.choose(&situation)?.playouts;
        time += start.elapsed();
    }
    Ok(playouts as f64 / time.as_secs_f64())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (specs, paths): (Vec<&String>, Vec<&String>) = args.iter().partition(|arg| !arg.contains('.'));
    let specs: Vec<&str> = if specs.is_empty() {
        vec!["flat:100ms", "uct:100ms"]
    } else {
        specs.iter().map(|spec| spec.as_str()).collect()
    };
    for path in paths {
        let reasoner = reasoner(path)?;
        // The first rounds let machine code be made.
        let mut best = vec![0.0; specs.len()];
        for round in 0..6 {
            for (spec, best) in specs.iter().zip(&mut best) {
                let speed = speed(spec, &reasoner, round % 2)?;
                *best = f64::max(*best, speed);
            }
        }
        let first = best.first().copied().unwrap_or(1.0);
        let name = path.rsplit('/').next().unwrap_or(path);
        for (spec, speed) in specs.iter().zip(&best) {
            println!("{name:24} {spec:20} {speed:12.0} playouts/s {:6.2}", speed / first);
        }
    }
    Ok(())
}
