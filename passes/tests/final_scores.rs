//! Scores that plays can end with.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

use passes::final_scores::final_scores;
use rg_ir::{Game, SourceId};

/// A game whose score is what a table of three keys says, each of which may be any of `size` symbols.
fn looked_up(size: usize) -> Game {
    let places: Vec<String> = (0..size).map(|at| format!("p{at}")).collect();
    let text = format!(
        "type Player = {{ solo }};
        type Score = {{ 0, 50, 100 }};
        type Place = {{ {} }};
        const worth: Place -> Place -> Place -> Score = {{ :{{ :{{ :0, p1: 100 }} }} }};
        var a: Place = p0;
        var b: Place = p0;
        var c: Place = p0;
        begin, first: player = solo;
        first, second: a = Place(*);
        second, third: b = Place(*);
        third, chosen: c = Place(*);
        chosen, score: player = keeper;
        score, over: goals[solo] = worth[a][b][c];
        over, end: player = keeper;",
        places.join(", ")
    );
    let (game, findings) = rg_ir::text::parse(SourceId(0), &text);
    game.unwrap_or_else(|| panic!("{findings:?}"))
}

/// The names of the scores.
fn found(game: &Game) -> Option<Vec<String>> {
    let names = |scores: &passes::final_scores::Scores| scores.iter().map(|&score| game.name(score)).collect();
    Some(final_scores(game)?.iter().map(names).collect())
}

/// Where the table can be looked up, only what is in it is found.
#[test]
fn tables_are_looked_up() {
    assert_eq!(found(&looked_up(40)).unwrap(), ["0", "100"]);
}

/// A table that is too large may have any score: its 64 million keys are not tried one by one.
#[test]
fn keys_of_large_tables_are_not_tried() {
    assert_eq!(found(&looked_up(400)).unwrap(), ["0", "50", "100"]);
}
