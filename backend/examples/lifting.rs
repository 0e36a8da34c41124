//! Development: what is lifted, do engines agree, how fast.
use backend::{Engine, Moves, Options, PlayoutStats, Reasoner, Rng, Turn};
use std::time::Instant;
fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let seconds: f64 = args[0].parse().unwrap();
    for file in &args[1..] {
        let text = std::fs::read_to_string(file).unwrap();
        let (game, _) = rg_ir::text::parse(rg_ir::SourceId(0), &text);
        let game = game.unwrap();
        let short = std::path::Path::new(file).file_stem().unwrap().to_string_lossy().to_string();
        let start = Instant::now();
        let fast =
            Reasoner::with_options(&game, Options { engine: Engine::Interpreter, ..Options::default() }).unwrap();
        let ms = start.elapsed().as_secs_f64() * 1e3;
        let report = fast.report();
        println!("== {short}: {} {:.1} ms, {} bytes", fast.engine_name(), ms, fast.state_bytes());
        for line in &report {
            if line.contains("not lifted") || report.len() < 4 {
                println!("   {line}");
            }
        }
        if std::env::var_os("PROGRAM").is_some() {
            println!("{}", backend::lifted_text(&game));
        }
        let slow =
            Reasoner::with_options(&game, Options { engine: Engine::Backtracking, ..Options::default() }).unwrap();
        if fast.engine_name() == "backtracking" {
            continue;
        }
        // Agreement along plays.
        let (mut a, mut b) = (Moves::new(), Moves::new());
        let mut plies = 0;
        'plays: for seed in 0..40 {
            let mut rng = Rng::new(seed);
            let (mut x, mut y) = (fast.initial().unwrap(), slow.initial().unwrap());
            for ply in 0..400 {
                if fast.turn(&x) != slow.turn(&y) {
                    println!(
                        "   TURN DIFFERS seed {seed} ply {ply} at {} {:?} {:?}",
                        slow.node_name(&y),
                        fast.turn(&x),
                        slow.turn(&y)
                    );
                    break 'plays;
                }
                if fast.turn(&x) == Turn::End {
                    if fast.scores(&x) != slow.scores(&y) {
                        println!("   SCORES DIFFER {:?} {:?}", fast.scores(&x), slow.scores(&y));
                        break 'plays;
                    }
                    break;
                }
                fast.legal_moves(&x, &mut a).unwrap();
                slow.legal_moves(&y, &mut b).unwrap();
                let mut p: Vec<String> = (0..a.len()).map(|i| fast.move_text(&a, i)).collect();
                let mut q: Vec<String> = (0..b.len()).map(|i| slow.move_text(&b, i)).collect();
                let r = rng.below(p.len() as u32) as usize;
                let chosen = p[r].clone();
                p.sort();
                q.sort();
                if p != q {
                    let extra: Vec<_> = p.iter().filter(|m| !q.contains(m)).take(5).collect();
                    let missing: Vec<_> = q.iter().filter(|m| !p.contains(m)).take(5).collect();
                    println!(
                        "   MOVES DIFFER seed {seed} ply {ply} at {}: {} vs {}, extra {extra:?}, missing {missing:?}",
                        slow.node_name(&y),
                        p.len(),
                        q.len()
                    );
                    break 'plays;
                }
                let j = (0..b.len()).find(|&i| slow.move_text(&b, i) == chosen).unwrap();
                fast.apply(&mut x, &a, r).unwrap();
                slow.apply(&mut y, &b, j).unwrap();
                plies += 1;
            }
        }
        let back = fast.report().last().cloned().unwrap_or_default();
        println!("   {plies} plies agreed, {back}");
        let mut engines = vec![Engine::Backtracking, Engine::Interpreter];
        #[cfg(feature = "native")]
        engines.push(Engine::Native);
        for engine in engines {
            if seconds <= 0.0 {
                break;
            }
            let reasoner = Reasoner::new(&game, engine).unwrap();
            let mut stats = PlayoutStats::default();
            let mut rng = Rng::new(1);
            for _ in 0..20 {
                reasoner.playout(&mut rng, &mut stats).unwrap();
            }
            let start = cpu();
            let mut n = 0;
            while cpu() - start < seconds {
                for _ in 0..16 {
                    reasoner.playout(&mut rng, &mut stats).unwrap();
                    n += 1;
                }
            }
            let s = cpu() - start;
            println!(
                "   {:13} {:>10.0} playouts/s, mean {:.2} {:.2}, {}",
                reasoner.engine_name(),
                n as f64 / s,
                stats.plies as f64 / stats.plays as f64,
                stats.moves as f64 / stats.plies as f64,
                reasoner.report().last().cloned().unwrap_or_default()
            );
        }
    }
}
