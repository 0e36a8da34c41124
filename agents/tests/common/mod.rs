//! Games and plays for tests.
#![allow(dead_code)] // every test crate uses a part of them

use agents::{Agent, Payoffs, Play, Spec};
use backend::{Engine, Reasoner, Rng, Turn};
use passes::{Level, Pipeline};
use rg_ir::{Game, SourceId};

/// A game of the library, by file name, optimised.
pub(crate) fn reasoner(name: &str) -> Reasoner {
    let path = format!("{}/../games/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let mut game: Game = match name.rsplit_once('.').unwrap().1 {
        "rg" => rg_ir::text::parse(SourceId(0), &text).0.unwrap(),
        "rbg" => rbg::load(SourceId(0), &text).0.unwrap().game,
        _ => hrg::load(SourceId(0), &text).0.unwrap().game,
    };
    Pipeline::level(Some(Level::Full)).run(&mut game, &mut ()).unwrap();
    Reasoner::new(&game, Engine::Auto).unwrap()
}

pub(crate) fn agent(spec: &str, reasoner: &Reasoner, seed: u64) -> Box<dyn Agent> {
    Spec::parse(spec).unwrap().agent(reasoner, seed).unwrap()
}

/// Plays to the end; the payoffs and the moves as text.
pub(crate) fn play(reasoner: &Reasoner, specs: &[&str], seed: u64) -> (Vec<f64>, Vec<String>) {
    let mut players: Vec<Box<dyn Agent>> =
        specs.iter().zip(1..).map(|(spec, seat)| agent(spec, reasoner, seed * 100 + seat)).collect();
    let (mut play, mut rng, mut made) = (Play::new(reasoner).unwrap(), Rng::new(seed), Vec::new());
    loop {
        let index = match play.turn() {
            Turn::Player(player) => players[player].choose(&play.situation(player)).unwrap().index,
            Turn::Random => rng.below(play.moves().len() as u32) as usize,
            Turn::End => break,
        };
        made.push(reasoner.move_text(play.moves(), index));
        play.make(index).unwrap();
    }
    (Payoffs::new(reasoner).of(reasoner, play.state()), made)
}
