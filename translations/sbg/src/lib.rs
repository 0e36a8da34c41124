//! Regular Games that are Simplified Boardgames, in SBG.
//!
//! Most games are none, so what is written is proved to be the same game, and what cannot be proved is refused:
//!
//! 1. `turns` follows the automaton from every place where a player moves, on a board of which nothing is known (symbolic execution). What a
//!    walk needs to find on squares becomes the labels of an automaton; what is behind a move is followed to the next turn.
//! 2. `derive` makes a description of it: the walks of each kind of pieces, relative to where they begin, are determinised, minimised and
//!    turned into an expression; the goals are what decides plays.
//! 3. `prove` reads that description, and shows that both games are the same, square by square, move by move.

mod bound;
mod cases;
pub mod codes;
mod derive;
mod explore;
mod facts;
mod goals;
mod grid;
mod letters;
mod live;
mod model;
mod prove;
mod regex;
mod steps;
mod store;
mod told;
mod turns;
mod words;

use derive::{Sketch, sketch};
use facts::{Facts, Meaning};
use grid::grids;
use model::{Advised, Model, Refused, invalid, refuse};
use rg_ir::diag::has_errors;
use rg_ir::{Diagnostic, Game, SourceId, Span};
use sbg::ast::Description;
use turns::{Turns, turns};

/// The text of a game in SBG, formatted. The game is called `name`, as far as its characters are allowed there. The checker of RG must find no
/// errors in it.
///
/// # Errors
/// The game is not shown to be a Simplified Boardgame, and why.
pub fn translate(game: &Game, name: &str) -> Result<String, Box<Diagnostic>> {
    let model = Model::new(game)?;
    let grids = grids(&model)?;
    let mut first = None;
    for grid in &grids {
        rg_ir::cancel::check();
        match on(&model, grid, &title(name)) {
            Ok(text) => return Ok(text),
            Err(refused) => first = first.or(Some(refused)),
        }
    }
    Err(first.unwrap_or_else(|| invalid(Span::NONE, "the game has no board")))
}

/// The text of a game on that rectangle.
fn on(model: &Model<'_>, grid: &grid::Grid, name: &str) -> Result<String, Refused> {
    let mut turns = turns(model, &grid.squares())?;
    let facts = Facts::new(&turns)?;
    let sketch = sketch(&turns, &facts, grid, name)?;
    proved(&mut turns, &facts, &sketch)
}

fn proved(turns: &mut Turns<'_, '_>, facts: &Facts, sketch: &Sketch) -> Result<String, Refused> {
    let mut description = read(&sketch.text)?;
    let counts = facts.meaning.values().any(|meaning| matches!(meaning, Meaning::Turn(_)));
    if !counts {
        let longest = bound::longest(turns, facts).and_then(|longest| u32::try_from(longest + 1).ok());
        description.limit = longest.filter(|&limit| limit <= sbg::MAX_LIMIT).ok_or_else(|| {
            refuse(codes::LIMIT, Span::NONE, "it cannot be shown that all plays of this game come to an end")
                .advised("in SBG a play is drawn after a number of half-moves; a game without such a number is translated if pieces cannot come back")
        })?;
    }
    prove::prove(turns, facts, sketch, &description, !counts)?;
    let text = sbg::format(SourceId(0), &sbg::print(&description)).map_err(unreadable)?;
    read(&text).map(|_| text)
}

/// Reads what was written.
fn read(text: &str) -> Result<Description, Refused> {
    let (description, findings) = sbg::parse(SourceId(0), text);
    description.filter(|_| !has_errors(&findings)).ok_or_else(|| unreadable(findings))
}

fn unreadable(findings: Vec<Diagnostic>) -> Refused {
    let first = findings.into_iter().find(Diagnostic::is_error).map(|finding| finding.message).unwrap_or_default();
    Box::new(Diagnostic::error(
        codes::INVALID,
        Span::NONE,
        format!("the description that was made is not one of SBG: {first}"),
    ))
}

/// A name as SBG has them: letters, digits and spaces, words apart.
fn title(name: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for c in name.chars().take(100) {
        let begins_word = c.is_ascii_uppercase() && before.is_ascii_lowercase();
        if !out.is_empty() && (begins_word || !c.is_ascii_alphanumeric()) && !out.ends_with(' ') {
            out.push(' ');
        }
        if c.is_ascii_alphanumeric() {
            out.push(if begins_word { c.to_ascii_lowercase() } else { c });
        }
        before = c;
    }
    let mut title = out.trim().to_owned();
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    if title.is_empty() { "Game".to_owned() } else { title }
}

#[cfg(test)]
mod tests {
    use super::title;

    #[test]
    fn names_of_games() {
        for (name, expected) in [
            ("knightsDuel", "Knights duel"),
            ("los_alamos", "Los alamos"),
            ("5x5-chess!", "5x5 chess"),
            ("---", "Game"),
            ("größe", "Gr e"),
        ] {
            assert_eq!(title(name), expected);
        }
    }
}
