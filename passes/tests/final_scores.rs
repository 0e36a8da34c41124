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
    Some(final_scores(game, None)?.iter().map(names).collect())
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

/// The game of a text, and the scores that its plays may end with, `first` being the node at which somebody moves first.
fn of_text(text: &str, first: Option<&str>) -> Vec<Vec<String>> {
    let (game, findings) = rg_ir::text::parse(SourceId(0), text);
    let game = game.unwrap_or_else(|| panic!("{findings:?}"));
    let first = first.map(|name| game.find_node(game.symbols.get(name).unwrap()).unwrap());
    let names =
        |scores: &passes::final_scores::Scores| scores.iter().map(|&score| game.name(score).to_owned()).collect();
    final_scores(&game, first).unwrap().iter().map(names).collect()
}

/// What two scores are computed from is the same for both, also if it is an entry of a map whose value is not known: what one wins, the other loses. After it was
/// written, it is another value.
#[test]
fn scores_that_are_computed_from_one_entry_belong_together() {
    let text = |between: &str| {
        format!(
            "type Player = {{ p, q }}; type Score = {{ 1, 2, 3 }}; type Chips = {{ c1, c2, c3 }};
            const gain: Chips -> Score = {{ c2: 2, c3: 3, :1 }};
            const loss: Chips -> Score = {{ c2: 2, c3: 1, :3 }};
            var stake: Player -> Chips = {{ :c1 }};
            begin, bet: player = p;
            bet, done: stake[p] = Chips(*);
            done, over: player = keeper;
            over, first: goals[p] = gain[stake[p]];
            {between}
            second, last: goals[q] = loss[stake[p]];
            last, end: player = keeper;"
        )
    };
    assert_eq!(of_text(&text("first, second: ;"), None), [["1", "3"], ["2", "2"], ["3", "1"]]);
    assert_eq!(of_text(&text("first, second: stake[q] = c1;"), None).len(), 9);
    // From another player's entry, something else is lost.
    assert_eq!(of_text(&text("first, second: ;").replace("loss[stake[p]]", "loss[stake[q]]"), None).len(), 9);
}

/// A play cannot end before the node at which somebody moves first.
#[test]
fn what_cannot_happen_before_the_first_move_is_left_out() {
    let text = "type Player = { p, q }; type Score = { 0, 100 }; type Bit = { 0, 1 }; var bit: Bit = 1;
        begin, one: ? free -> found;
        begin, none: ! free -> found;
        free, found: bit == 1;
        one, move: player = p;
        move, next: goals[p] = 100;
        next, begin: player = keeper;
        none, end: player = keeper;";
    assert_eq!(of_text(text, None), [["0", "0"], ["100", "0"]]);
    assert_eq!(of_text(text, Some("move")), [["100", "0"]]);
}
