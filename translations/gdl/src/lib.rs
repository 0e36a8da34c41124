//! Regular Games as rules of the Game Description Language (GDL), in prefix syntax.
//!
//! A state is a place where the rules wait for a move (`control`), and the values of variables. A move is a walk through the automaton; rules say
//! which *places* walks come to, with arguments for what they have chosen and changed on the way: forwards from the state for moves, backwards from
//! their ends for checks. Where the move ends, the arguments are the legal moves, and what the next state is.
//!
//! What the keeper does belongs to the beginning of the next move, so that it is said about states, unless it decides who is next.

pub mod codes;
mod collect;
mod eval;
mod live;
mod names;
mod path;
mod places;
mod program;
mod rules;
mod split;
mod start;
mod term;
mod text;
mod tidy;
mod walks;
mod whole;

use rg_ir::{Diagnostic, Game, Span};
use rules::{Refused, Rules};
use term::{Relation, Rule};

/// Translates a game that the checker of RG finds no errors in. Shorter automata give shorter rules, so it is best optimised before.
///
/// # Errors
/// Why it cannot be translated: one of the [`codes`].
pub fn translate(game: &Game) -> Result<String, Box<Diagnostic>> {
    let rules = Rules::new(game)?;
    scores(game, &rules)?;
    let refused = match sheet(&rules) {
        Err(refused) if [codes::TAGS, codes::WRITES].contains(&refused.code) => refused,
        done => return done,
    };
    let Some(split) = split::split(&rules) else { return Err(refused) };
    let text = sheet(&Rules::new(&split.game)?)?;
    Ok(if split.moves { format!("{SPLIT}\n{text}") } else { text })
}

/// What is said of games in which moves are split.
const SPLIT: &str = "\
; Moves that can go on and on are split here: who is in the middle of a move makes the next part of it in the
; next step, while others wait. The parts after each other, up to the end of the move, are the move of the game.
";

fn sheet(rules: &Rules<'_>) -> Result<String, Box<Diagnostic>> {
    let mut start = start::start(rules, false);
    let mut walks = match walks::Walks::new(rules, start.state.clone()) {
        Err(refused) if refused.code == codes::FIRST => {
            start = start::start(rules, true);
            walks::Walks::new(rules, start.state.clone())?
        }
        walks => walks?,
    };
    let mut program = program::program(&mut walks)?;
    let (tidied, strange) = tidy::tidy(rules, program.rules)?;
    program.rules = tidied;
    demanded(&program.rules)?;
    Ok(text::write(&walks, &program, &strange, &start))
}

/// There must be rules for what every description has.
fn demanded(rules: &[Rule]) -> Result<(), Refused> {
    let demanded = [
        (Relation::Legal, "nobody can ever move in this game; GDL demands legal moves"),
        (Relation::Terminal, "this game never ends; GDL demands an end"),
        (Relation::Goal, "this game has no scores at its end; GDL demands them"),
    ];
    for (relation, message) in demanded {
        if !rules.iter().any(|rule| rule.head.relation == relation) {
            return Err(Box::new(Diagnostic::error(codes::NO_GAME, Span::NONE, message)));
        }
    }
    Ok(())
}

/// Scores must be numbers from 0 to 100.
fn scores(game: &Game, rules: &Rules<'_>) -> Result<(), Refused> {
    let leaf = rules.vars[rules.goals].shape.leaf;
    for &score in game.types.members(leaf) {
        let name = game.name(score);
        let fits = name.parse::<u32>().is_ok_and(|number| number <= 100 && number.to_string() == name);
        if !fits {
            let decl = game.vars[rules.goals].span;
            let message = format!("the score `{name}` is not a number from 0 to 100, as GDL demands");
            return Err(Box::new(Diagnostic::error(codes::SCORE, decl, message)));
        }
    }
    Ok(())
}
