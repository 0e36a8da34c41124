//! Translation to RG (section 6 of the specification).
//!
//! A turn: choose a square (`from`), branch over the pieces of the player, tell the square, walk the automaton of the
//! piece on `pos`, tell where it ends, hand over to the keeper. The walk changes nothing but `pos`, so all walks with the
//! same two tags end in the same state. The keeper moves the piece, tests goals in the order of section 4.2, and then
//! whether the other player can move at all: a check on an automaton of its own that has no tags and stops where a
//! shortest word ends. Names of squares (letters and a number), of pieces (one letter) and of everything else (several
//! letters, or with `_`) never clash.

mod keeper;
mod turn;
mod vocabulary;

use crate::ast::{Description, On, Rule};
use crate::automaton::Words;
use crate::notation::SbgNotation;
use crate::{codes, notation};
use rg_ir::ids::{NodeId, Symbol};
use rg_ir::{Diagnostic, Game, Span};
use vocabulary::Vocabulary;

/// A description in RG.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The game.
    pub game: Game,
    /// Moves and states in terms of SBG.
    pub notation: SbgNotation,
}

/// A player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    White,
    Black,
}

impl Side {
    const BOTH: [Side; 2] = [Side::White, Side::Black];

    fn name(self) -> &'static str {
        match self {
            Side::White => notation::WHITE,
            Side::Black => notation::BLACK,
        }
    }

    fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// The player who owns pieces with that letter.
    fn of(letter: char) -> Side {
        if letter.is_ascii_uppercase() { Side::White } else { Side::Black }
    }
}

/// A kind of piece that can move.
struct Mover {
    side: Side,
    letter: char,
    words: Words,
    span: Span,
}

/// Translates a description that has no errors.
///
/// Fails with a diagnostic if the automaton of a rule gets too large. Linear in the automata of the rules, and in the
/// squares times the number of different steps.
pub fn lower(description: &Description) -> Result<Lowered, Vec<Diagnostic>> {
    let mut movers = Vec::new();
    let mut errors = Vec::new();
    for letter in description.letters() {
        let Some(rule) = description.rule(letter) else { continue };
        match mover(description, rule, letter) {
            Ok(mover) => movers.push(mover),
            Err(error) => errors.push(*error),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let vocabulary = Vocabulary::new(description, &movers);
    let mut lowering = Lowering { description, movers, vocabulary, made: 0 };
    lowering.build();
    let game = lowering.vocabulary.game;
    Ok(Lowered { game, notation: SbgNotation::new(description) })
}

fn mover(description: &Description, rule: &Rule, letter: char) -> Result<Mover, Box<Diagnostic>> {
    let side = Side::of(letter);
    let words = Words::new(&description.moves, rule.moves).map_err(|_| {
        let message = format!("the rule of `{}` has too many steps", rule.letter);
        Box::new(Diagnostic::error(codes::RULE_TOO_LARGE, rule.span, message))
    })?;
    let words = if side == Side::White { words } else { words.flipped() };
    Ok(Mover { side, letter, words, span: rule.span })
}

/// Where a player's turn begins, and the check whether there is a legal move: its start and its end; `None` if no piece of
/// the player can ever move.
struct Turn {
    side: Side,
    turn: NodeId,
    can_move: Option<(NodeId, NodeId)>,
}

/// The translation in progress.
struct Lowering<'d> {
    description: &'d Description,
    /// All kinds of pieces that can move, white's first.
    movers: Vec<Mover>,
    vocabulary: Vocabulary,
    /// Nodes made so far, for numbering.
    made: usize,
}

impl Lowering<'_> {
    /// Everything behind the declarations.
    fn build(&mut self) {
        let begin = self.vocabulary.game.begin();
        let ends = self.ends();
        let [white, black] = Side::BOTH.map(|side| {
            let turn = self.node(&format!("turn_{}", side.name()), Span::NONE);
            Turn { side, turn, can_move: self.can_move(side) }
        });
        self.hand_over(begin, &white, ends.won_by(Side::Black));
        for (now, next) in [(&white, &black), (&black, &white)] {
            let moved = self.node(&format!("moved_{}", now.side.name()), Span::NONE);
            let won = ends.won_by(now.side);
            self.turn(now.side, now.turn, moved, won);
            let open = self.judge(moved, &ends);
            self.hand_over(open, next, won);
        }
    }

    /// A new node: called `name`, with a number if there is such a node already.
    fn node(&mut self, name: &str, span: Span) -> NodeId {
        let game = &mut self.vocabulary.game;
        let symbol: Symbol = match game.symbols.get(name).filter(|&symbol| game.find_node(symbol).is_some()) {
            None => game.symbols.intern(name),
            Some(_) => {
                self.made += 1;
                game.symbols.intern(&format!("{name}_{}", self.made))
            }
        };
        game.node(symbol, span)
    }

    /// Whose piece a step needs; `None` if it needs an empty square.
    fn owner(side: Side, on: On) -> Option<Side> {
        match on {
            On::Empty => None,
            On::Own => Some(side),
            On::Opponent => Some(side.other()),
        }
    }
}
