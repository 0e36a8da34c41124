//! Games that pass the checks: the backtracking and the naive engine list the same moves along a random play.
#![no_main]

use backend::{Engine, Limits, Moves, Options, Reasoner, Rng};
use libfuzzer_sys::fuzz_target;
use rg_ir::{Game, SourceId, check, diag, text};

fn reasoner(game: &Game, engine: Engine) -> Option<Reasoner> {
    let limits = Limits { steps: 100_000, naive_steps: 20_000, keeper_moves: 100, tags: 100, ..Limits::default() };
    Reasoner::with_options(game, Options { engine, checked: true, limits, ..Options::default() }).ok()
}

fuzz_target!(|input: (&str, u64)| {
    let (text, seed) = input;
    let (Some(game), _) = text::parse(SourceId(0), text) else { return };
    if diag::has_errors(&check::check(&game)) {
        return;
    }
    let (Some(fast), Some(slow)) = (reasoner(&game, Engine::Backtracking), reasoner(&game, Engine::Naive)) else { return };
    let (Ok(mut a), Ok(mut b)) = (fast.initial(), slow.initial()) else { return };
    let (mut of_a, mut of_b, mut rng) = (Moves::new(), Moves::new(), Rng::new(seed));
    for _ in 0..10 {
        if fast.legal_moves(&a, &mut of_a).is_err() || slow.legal_moves(&b, &mut of_b).is_err() || of_a.is_empty() {
            return;
        }
        let sorted = |reasoner: &Reasoner, moves: &Moves| {
            let mut texts: Vec<String> = moves.iter().map(|tags| reasoner.tags_text(tags)).collect();
            texts.sort();
            texts
        };
        assert_eq!(sorted(&fast, &of_a), sorted(&slow, &of_b));
        let choice = rng.below(of_a.len() as u32) as usize;
        let same = (0..of_b.len()).find(|&index| of_b.tags(index) == of_a.tags(choice));
        let Some(same) = same else { return };
        if fast.apply(&mut a, &of_a, choice).is_err() || slow.apply(&mut b, &of_b, same).is_err() {
            return;
        }
    }
});
