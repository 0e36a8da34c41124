//! What numbers and signs say where they stand: the numbers of a step, of a square, and of the board.

use crate::ast::Square;
use crate::index::State;
use crate::lexer::{self, Kind, Token};
use crate::notation::square;
use rg_ir::{Report, SourceId};
use std::ops::Range;

/// What a number or sign at a byte of a text says there, with the bytes that this is about. Linear.
pub fn told(text: &str, offset: u32) -> Option<(Range<usize>, String)> {
    let tokens = lexer::lex(SourceId(0), text, &mut Report::default()).tokens;
    // Of two that touch, the one that begins there.
    let at = tokens.partition_point(|token| token.start <= offset).checked_sub(1)?;
    let token = tokens.get(at).filter(|token| offset <= token.end)?;
    let state = tokens.iter().take(at).fold(State::START, |state, token| state.behind(token));
    let here = Here { text, tokens: &tokens, at };
    match (state.section, token.kind) {
        (Kind::Board, Kind::Nat) => here.size(*token),
        (Kind::Pieces, Kind::Nat) if state.before == Some(Kind::Caret) => {
            Some((range(token, token), format!("what stands before `^`, {}", times(token.value))))
        }
        (Kind::Pieces, Kind::Nat | Kind::Negative | Kind::Open | Kind::Close | Kind::Comma) => here.step(),
        (Kind::Goals, Kind::Nat | Kind::Comma | Kind::Hash | Kind::At) => here.goal(),
        _ => None,
    }
}

/// A place among the tokens of a text.
struct Here<'t> {
    text: &'t str,
    tokens: &'t [Token],
    at: usize,
}

impl Here<'_> {
    /// Width or height.
    fn size(&self, token: Token) -> Option<(Range<usize>, String)> {
        let before = self.at.checked_sub(1).and_then(|before| self.tokens.get(before))?;
        let said = match before.kind {
            Kind::Board => format!("the width of the board: {}", counted(token.value, "column")),
            Kind::Nat => format!("the height of the board: {}", counted(token.value, "row")),
            _ => return None,
        };
        Some((range(&token, &token), said))
    }

    /// The step around the place: `(dx,dy,on)`.
    fn step(&self) -> Option<(Range<usize>, String)> {
        let first = self.at.saturating_sub(STEP - 1);
        let around = self.tokens.windows(STEP).skip(first).take(self.at + 1 - first);
        let is_step = |step: &&[Token]| {
            let number = |kind| matches!(kind, Kind::Nat | Kind::Negative);
            matches!(step, [open, dx, comma, dy, other, on, close]
                if open.kind == Kind::Open && number(dx.kind) && comma.kind == Kind::Comma && number(dy.kind)
                    && other.kind == Kind::Comma && on.kind == Kind::Lower && close.kind == Kind::Close)
        };
        let [open, dx, _, dy, _, on, close] = around.into_iter().find(is_step)? else { return None };
        let columns = direction(dx, "column", ["to the right", "to the left"]);
        let rows = direction(dy, "row", ["forward", "back"]);
        let way = match (columns, rows) {
            (None, None) => "stays on its square".to_owned(),
            (Some(way), None) | (None, Some(way)) => way,
            (Some(columns), Some(rows)) => format!("{columns} and {rows}"),
        };
        let onto = match on.text(self.text) {
            "e" => "to an empty square",
            "p" => "to a piece of the opponent, which is taken if the move ends there",
            "w" => "to an own piece",
            _ => return None,
        };
        Some((range(open, close), format!("{way}, {onto}; as white sees the board")))
    }

    /// The goal around the place, or the limit.
    fn goal(&self) -> Option<(Range<usize>, String)> {
        let ends = |token: &Token| matches!(token.kind, Kind::Ampersand | Kind::Goals);
        let start = self.tokens.iter().take(self.at).rposition(ends)? + 1;
        let rest = self.tokens.get(start..)?;
        let length = rest.iter().position(|token| token.kind == Kind::Ampersand).unwrap_or(rest.len());
        let entry = rest.get(..length)?;
        let (first, last) = (entry.first()?, entry.last()?);
        let said = match entry {
            [limit] if limit.kind == Kind::Nat => {
                format!("the game is a draw after {}, moves of one player", counted(limit.value, "half-move"))
            }
            [sign, letter, count] if sign.kind == Kind::Hash && count.kind == Kind::Nat => {
                let (owner, winner) = self.sides(letter)?;
                let letter = letter.text(self.text);
                let left = match count.value {
                    0 => format!("no `{letter}` is left"),
                    1 => format!("only one `{letter}` is left"),
                    many => format!("only {many} `{letter}` are left"),
                };
                format!("{owner} loses, and {winner} wins, when {left}")
            }
            [sign, letter, squares @ ..] if sign.kind == Kind::At => {
                let squares: Vec<String> = squares
                    .split(|token| token.kind == Kind::Comma)
                    .filter_map(|square| match square {
                        [x, y] if x.kind == Kind::Nat && y.kind == Kind::Nat => Some(square_name(x.value, y.value)),
                        _ => None,
                    })
                    .collect();
                let (owner, _) = self.sides(letter)?;
                let letter = letter.text(self.text);
                let shown = squares.iter().take(MAX_SQUARES).cloned().collect::<Vec<_>>().join(", ");
                let more = if squares.len() > MAX_SQUARES { ", …" } else { "" };
                format!("{owner} wins by a `{letter}` on one of: {shown}{more}")
            }
            _ => return None,
        };
        Some((range(first, last), said))
    }

    /// Whose a letter is, and who the other one is.
    fn sides(&self, letter: &Token) -> Option<(&'static str, &'static str)> {
        match letter.kind {
            Kind::Upper => Some(("white", "black")),
            Kind::Lower => Some(("black", "white")),
            _ => None,
        }
    }
}

/// Tokens of a step.
const STEP: usize = 7;
/// Squares of a goal that are named.
const MAX_SQUARES: usize = 16;

fn square_name(x: u32, y: u32) -> String {
    square(Square { x, y })
}

fn range(first: &Token, last: &Token) -> Range<usize> {
    first.start as usize..last.end as usize
}

/// A number with a noun behind it.
fn counted(number: u32, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

fn times(number: u32) -> String {
    match number {
        0 => "left out".to_owned(),
        1 => "once".to_owned(),
        2 => "twice in a row".to_owned(),
        many => format!("{many} times in a row"),
    }
}

/// Where so many columns or rows lead; nowhere if there are none.
fn direction(token: &Token, noun: &str, [positive, negative]: [&str; 2]) -> Option<String> {
    let way = if token.kind == Kind::Negative { negative } else { positive };
    (token.value > 0).then(|| format!("{} {way}", counted(token.value, noun)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "<<Pawns>>\n<BOARD>\n2 3\n|p.|\n|..|\n|P.|\n<PIECES>\nP (0,1,e) + (-1,2,p)^2 + (1,-1,w)(0,1,e)^* &\n<GOALS>\n20 &\n@P 0 2, 1 2 &\n#p 0 &\n";

    /// What is told at the first place of a piece of the text, and the piece of the text that this is about.
    fn at(part: &str, inside: usize) -> Option<(&'static str, String)> {
        let place = GAME.find(part).map(|at| u32::try_from(at + inside).unwrap_or(0))?;
        told(GAME, place).map(|(range, said)| (GAME.get(range).unwrap_or_default(), said))
    }

    #[test]
    fn numbers_are_explained_where_they_stand() {
        for (part, inside, about, said) in [
            ("2 3", 0, "2", "the width of the board: 2 columns"),
            ("2 3", 2, "3", "the height of the board: 3 rows"),
            ("(0,1,e)", 1, "(0,1,e)", "1 row forward, to an empty square; as white sees the board"),
            (
                "(-1,2,p)",
                4,
                "(-1,2,p)",
                "1 column to the left and 2 rows forward, to a piece of the opponent, which is taken if the move ends there; as white sees the board",
            ),
            (
                "(1,-1,w)",
                3,
                "(1,-1,w)",
                "1 column to the right and 1 row back, to an own piece; as white sees the board",
            ),
            ("^2", 1, "2", "what stands before `^`, twice in a row"),
            ("20 &", 0, "20", "the game is a draw after 20 half-moves, moves of one player"),
            ("@P 0 2", 3, "@P 0 2, 1 2", "white wins by a `P` on one of: a3, b3"),
            ("#p 0", 3, "#p 0", "black loses, and white wins, when no `p` is left"),
        ] {
            assert_eq!(at(part, inside), Some((about, said.to_owned())), "{part}");
        }
    }

    #[test]
    fn other_things_say_nothing_by_their_place() {
        for (part, inside) in [("Pawns", 0), ("|p.|", 1), ("P (0", 0), ("<GOALS>", 1), ("e)", 0), ("&", 0)] {
            assert_eq!(at(part, inside), None, "{part}");
        }
        for broken in ["", "<BOARD> 1", "<PIECES> P (0,1", "<GOALS> @", "<GOALS> #P", "<GOALS> 1 1 1"] {
            (0..=broken.len()).for_each(|at| drop(told(broken, u32::try_from(at).unwrap_or(0))));
        }
    }
}
