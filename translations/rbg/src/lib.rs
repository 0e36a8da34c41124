//! Simplified Boardgames as Regular Boardgames.
//!
//! Every game of SBG is one of RBG (Kowalski, Mika, Sutowicz, Szykuła, *Regular Boardgames*, section 5). What is
//! written here is meant to be read and changed by people:
//!
//! - the board is a rectangle, and a piece is `whiteP` or `blackP`;
//! - the rule of each type of piece becomes one macro, written once for both players with `forward` and `backward` as
//!   parameters; steps become shifts followed by what must be on the square;
//! - a move takes the piece from its square, walks, and puts it down: `{whiteP} [empty] … [whiteP]`, so that every move
//!   of SBG, a pair of squares, is one move of RBG, however many words of the rule lead there;
//! - the keeper counts half-moves and tests the goals in the order of SBG: squares reached, numbers of pieces, the
//!   limit, and last whether the other player has a move.
//!
//! In SBG the moving piece stays where it is while its rule is read. Where a rule can come back to the square it starts
//! from (`sbg::revisits_start`), the square holds the piece `here` meanwhile, which counts as the mover's.
//!
//! The text is not formatted; `rbg::format` does that. It takes time linear in the description with its board.

mod board;
mod goals;
mod rules;
mod walks;

use sbg::ast::Description;
use std::collections::BTreeSet;

/// The rules of a game in RBG, before formatting. Every description that `sbg::parse` accepts without errors has one,
/// which RBG accepts as long as the number of steps with powers written out is within its limit.
pub fn translate(description: &Description) -> String {
    let game = Game::new(description);
    let mut out = game.heading();
    out.push_str(&board::declaration(description));
    out.push_str(&walks::macros(&game));
    out.push_str(&rules::rules(&game));
    out
}

/// One of the players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    White,
    Black,
}

impl Side {
    const BOTH: [Side; 2] = [Side::White, Side::Black];

    fn of(letter: char) -> Self {
        if letter.is_ascii_uppercase() { Side::White } else { Side::Black }
    }

    fn name(self) -> &'static str {
        match self {
            Side::White => "white",
            Side::Black => "black",
        }
    }

    fn other(self) -> Self {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

/// The name of the pieces with a letter.
fn piece(letter: char) -> String {
    format!("{}{}", Side::of(letter).name(), letter.to_ascii_uppercase())
}

/// The piece of a side that has none.
const NOBODY: &str = "nobody";

/// A description with what many parts of the translation ask for.
struct Game<'a> {
    description: &'a Description,
    /// The letters of pieces that can be on the board.
    letters: Vec<char>,
    /// The upper-case letters whose rules can come back to the square that they start from.
    revisiting: BTreeSet<char>,
}

impl<'a> Game<'a> {
    fn new(description: &'a Description) -> Self {
        let letters = description.letters();
        let used = |letter: char| letters.contains(&letter) || letters.contains(&letter.to_ascii_lowercase());
        let rules = description.rules.iter().filter(|rule| used(rule.letter));
        let revisiting = rules.filter(|rule| sbg::revisits_start(description, rule)).map(|rule| rule.letter).collect();
        Self { description, letters, revisiting }
    }

    /// The letters of a side, in alphabetical order.
    fn of(&self, side: Side) -> impl Iterator<Item = char> + '_ {
        self.letters.iter().copied().filter(move |&letter| Side::of(letter) == side)
    }

    /// The letters of a side whose pieces have rules.
    fn movable(&self, side: Side) -> impl Iterator<Item = char> + '_ {
        self.of(side).filter(|&letter| self.description.rule(letter).is_some())
    }

    /// Whether the square that a piece moves from has to be marked.
    fn marks(&self) -> bool {
        !self.revisiting.is_empty()
    }

    /// Title, players, pieces and variables.
    fn heading(&self) -> String {
        let Description { name, limit, .. } = self.description;
        let mut pieces: Vec<String> = vec!["empty".to_owned()];
        pieces.extend(self.letters.iter().copied().map(piece));
        if Side::BOTH.into_iter().any(|side| self.of(side).next().is_none()) {
            pieces.push(NOBODY.to_owned());
        }
        if self.marks() {
            pieces.push("here".to_owned());
        }
        let pieces = pieces.join(", ");
        format!(
            "// {name}: translated from Simplified Boardgames.\n\n\
             #players = white(100), black(100)\n#pieces = {pieces}\n#variables = turn({limit})\n\n"
        )
    }
}
