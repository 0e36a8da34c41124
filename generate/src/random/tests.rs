use super::{Design, Movement, Placement};
use engine::Rng;

#[test]
fn equal_seeds_give_equal_games() {
    for seed in 0..50 {
        assert_eq!(Design::draw(seed), Design::draw(seed));
        assert_eq!(Design::draw(seed).hrg(), Design::draw(seed).hrg());
    }
    let games: std::collections::BTreeSet<String> = (0..50).map(|seed| Design::draw(seed).hrg()).collect();
    assert!(games.len() > 40, "{} different games of 50", games.len());
}

#[test]
fn every_line_fits_on_its_board() {
    for seed in 0..500 {
        let game = Placement::draw(&mut Rng::new(seed));
        if let super::placement::Aim::Line(length) | super::placement::Aim::Avoid(length) = game.aim {
            assert!((3..=game.width.min(game.height)).contains(&length), "{game:?}");
        }
    }
}

#[test]
fn what_is_to_be_taken_is_on_the_board() {
    for seed in 0..500 {
        let game = Movement::of_seed(seed);
        for goal in &game.goals {
            if let super::movement::Goal::Take(kind) = goal {
                assert!(*kind == 0 || game.back.contains(&Some(*kind)), "{game:?}");
            }
        }
    }
}
