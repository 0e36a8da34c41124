//! Turns: what the players may move, and what the keeper tests after each half-move.

use crate::walks::{Parameter, parameters};
use crate::{Game, NOBODY, Side, goals, piece};

/// All that follows the macros of the walks.
pub(crate) fn rules(game: &Game) -> String {
    let mut out = sides(game);
    out.push_str("#anywhere = (up* + down*) (left* + right*)\n\n");
    out.push_str(&moves(game));
    out.push_str(
        "// What decides a play, in this order: squares, numbers of pieces, the limit, and a player who cannot move.\n",
    );
    out.push_str("#wins(player) = [$ player = 100] ->> {}\n");
    out.push_str("#draw = [$ white = 50, black = 50] ->> {}\n");
    out.push_str(&result(game));
    for side in Side::BOTH {
        out.push_str(&turn(game, side));
    }
    let start =
        if sbg::white_can_move(game.description) { "" } else { "({? whiteCanMove} + {! whiteCanMove} wins(black)) " };
    out.push_str(&format!("#rules = {start}(whiteTurn blackTurn)*\n"));
    out
}

/// The pieces of each side that some walk asks for. A side without pieces has one that is nowhere, since a list of pieces is
/// not empty.
fn sides(game: &Game) -> String {
    let asks = |letter: char, parameter: Parameter| {
        let rule = game.description.rule(letter);
        rule.is_some_and(|rule| parameters(&game.description.moves, rule).contains(&parameter))
    };
    let mut out = String::new();
    for side in Side::BOTH {
        let by_own = game.movable(side).any(|letter| asks(letter, Parameter::Own));
        let by_other = game.movable(side.other()).any(|letter| asks(letter, Parameter::Theirs));
        if by_own || by_other {
            let pieces: Vec<String> = game.of(side).map(piece).collect();
            let pieces = if pieces.is_empty() { NOBODY.to_owned() } else { pieces.join(", ") };
            out.push_str(&format!("#{}s = {pieces}\n", side.name()));
        }
    }
    out
}

/// What the players may do, and whether they can do anything.
fn moves(game: &Game) -> String {
    let mut out = String::new();
    let movable = || Side::BOTH.into_iter().flat_map(|side| game.movable(side));
    let revisits = |letter: char| game.revisiting.contains(&letter.to_ascii_uppercase());
    if movable().any(|letter| !revisits(letter)) {
        out.push_str("#move(piece; walk) = {piece} [empty] (walk) [piece]\n");
    }
    if movable().any(revisits) {
        out.push_str("// This piece can come back to its square, which holds `here` until the move is over.\n");
        out.push_str("#moveAround(piece; walk) = {piece} [here] (walk) [piece]\n");
        out.push_str("#leave = ({$ here == 0} + {$ here == 1} anywhere {here} [empty])\n");
    }
    for side in Side::BOTH {
        let name = side.name();
        let moves = alternatives(game, side, |letter| {
            let (by, own) = if revisits(letter) { ("moveAround", ", here") } else { ("move", "") };
            format!("{by}({}; {})", piece(letter), walk(game, letter, own))
        });
        let tests = alternatives(game, side, |letter| format!("{{{}}} {}", piece(letter), walk_alone(game, letter)));
        out.push_str(&format!("#{name}Moves = {moves}\n"));
        out.push_str(&format!("#{name}CanMove = anywhere ({tests})\n"));
    }
    out.push('\n');
    out
}

/// What the pieces of a side can do, one after the other; `{}`, which is never possible, if it has none.
fn alternatives(game: &Game, side: Side, write: impl Fn(char) -> String) -> String {
    let all: Vec<String> = game.movable(side).map(write).collect();
    if all.is_empty() { "{}".to_owned() } else { all.join("\n    + ") }
}

/// The call of the macro of a piece's walk; `also` is added to the mover's own pieces.
fn walk(game: &Game, letter: char, also: &str) -> String {
    let side = Side::of(letter);
    let (up, down) = if side == Side::White { ("up", "down") } else { ("down", "up") };
    let Some(rule) = game.description.rule(letter) else { return "{}".to_owned() };
    let arguments: Vec<String> = parameters(&game.description.moves, rule)
        .into_iter()
        .map(|parameter| match parameter {
            Parameter::Own => format!("{}s{also}", side.name()),
            Parameter::Theirs => format!("{}s", side.other().name()),
            Parameter::Forward => up.to_owned(),
            Parameter::Backward => down.to_owned(),
        })
        .collect();
    let arguments = if arguments.is_empty() { String::new() } else { format!("({})", arguments.join("; ")) };
    format!("walk{}{arguments}", rule.letter)
}

/// The walk of a piece where it does not stand alone, in brackets if it has alternatives.
fn walk_alone(game: &Game, letter: char) -> String {
    format!("({})", walk(game, letter, ""))
}

/// What decides the play once no goal square has been reached.
fn result(game: &Game) -> String {
    let limit = game.description.limit;
    let mut out = "#result(mover; answer) =\n".to_owned();
    let mut depth = 0;
    let mut test = |holds: String, fails: String, then: String| {
        depth += 1;
        let indent = "  ".repeat(depth + 1);
        out.push_str(&format!("{indent}({holds} {then}\n{indent}+ {fails}\n"));
    };
    for (piece, count, winner) in goals::counts(game) {
        test(
            format!("{{$ {piece} == {count}}}"),
            format!("{{$ {piece} != {count}}}"),
            format!("wins({})", winner.name()),
        );
    }
    test(format!("{{$ turn == {limit}}}"), format!("{{$ turn != {limit}}}"), "draw".to_owned());
    let indent = "  ".repeat(depth + 2);
    out.push_str(&format!("{indent}({{! answer}} wins(mover)\n{indent}+ {{? answer}})"));
    out.push_str(&")".repeat(depth));
    out.push_str("\n\n");
    out
}

/// A turn of a side, and what the keeper does after it.
fn turn(game: &Game, side: Side) -> String {
    let (me, other) = (side.name(), side.other().name());
    let leave = if game.marks() { "leave " } else { "" };
    let rest = format!("{leave}result({me}; {other}CanMove)");
    let rest = match goals::reached(game, side) {
        None => rest,
        Some(places) => {
            format!("( {{? {places}}} wins({me})\n    + {{! {places}}} {rest})")
        }
    };
    format!("#{me}Turn =\n    ->{me} anywhere ({me}Moves)\n    ->> [$ turn = turn + 1]\n    {rest}\n\n")
}
