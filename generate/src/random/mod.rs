//! Random games: small games with rules drawn at random, as raw material for people and for procedural content generation.
//!
//! A game is drawn as a [`Movement`] (pieces that walk, race and capture) or a [`Placement`] (stones put on a board), and then
//! written in a language. What is written always loads, but nothing is known yet about its quality: whether plays end, who wins
//! and how often is for an audit to tell, as in Browne, *Automatic Generation and Evaluation of Recombination Games* (2008).
//!
//! The same seed gives the same game for ever: all draws are from [`Rng`], in a fixed order.

mod hrg_movement;
mod hrg_placement;
mod movement;
mod placement;
mod rbg_placement;
mod sbg;
#[cfg(test)]
mod tests;

use engine::Rng;
pub use movement::Movement;
pub use placement::Placement;

/// A game drawn at random, before it is written in a language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Design {
    /// Pieces that move.
    Movement(Movement),
    /// Stones that are put on the board.
    Placement(Placement),
}

impl Design {
    /// A game of either kind. Constant time.
    pub fn draw(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        if rng.below(2) == 0 {
            Self::Movement(Movement::draw(&mut rng))
        } else {
            Self::Placement(Placement::draw(&mut rng))
        }
    }

    /// The game in HRG; not formatted.
    pub fn hrg(&self) -> String {
        match self {
            Self::Movement(game) => hrg_movement::write(game),
            Self::Placement(game) => hrg_placement::write(game),
        }
    }
}

impl Movement {
    /// A game of pieces that move. Constant time.
    pub fn of_seed(seed: u64) -> Self {
        Self::draw(&mut Rng::new(seed))
    }

    /// The rules in words, as comments of any of the languages.
    pub fn comment(&self) -> String {
        comment(&self.prose())
    }

    /// The game in SBG; not formatted.
    pub fn sbg(&self) -> String {
        sbg::write(self)
    }
}

impl Placement {
    /// The game in RBG; not formatted.
    pub fn rbg(&self) -> String {
        rbg_placement::write(self)
    }
}

/// The rules in words, as comments.
fn comment(sentences: &[String]) -> String {
    sentences.iter().map(|sentence| format!("// {sentence}\n")).collect()
}

/// A coordinate of HRG some steps further: `X + 1`.
fn plus(variable: &str, by: i32) -> String {
    match by {
        0 => variable.to_owned(),
        1.. => format!("{variable} + {by}"),
        _ => format!("{variable} - {}", by.unsigned_abs()),
    }
}

/// One of a list, which is not empty.
fn one_of<T: Copy>(rng: &mut Rng, list: &[T]) -> Option<T> {
    list.get(rng.below(u32::try_from(list.len()).unwrap_or(u32::MAX)) as usize).copied()
}
