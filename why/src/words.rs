//! Conditions in the words of the rules.

use super::looked;
use super::signs::Signs;
use backend::why::Condition;
use kit::runner::Runner;
use rg_ir::notation::SourceNames;
use rg_ir::scene::Board;
use rg_ir::text::print_expr;
use rg_ir::{Expr, ExprId, Game, Label};

/// A cell of a variable: its name, and the keys, outermost first.
pub(super) type Cell<'c> = (&'c str, Vec<&'c str>);

/// The cell that an expression of a condition reads; `None` for other expressions.
pub(super) fn cell<'c>(game: &'c Game, condition: &'c Condition, expr: ExprId) -> Option<Cell<'c>> {
    read_cell(game, &condition.keys, expr)
}

/// The cell that an expression reads, with the values of keys that are not written as symbols.
fn read_cell<'c>(game: &'c Game, known: &'c [(ExprId, String)], expr: ExprId) -> Option<Cell<'c>> {
    let (mut keys, mut at) = (Vec::new(), expr);
    loop {
        match game.exprs.get(at) {
            Expr::Cast(_, inner) => at = inner,
            Expr::Access(map, key) => {
                keys.push(match game.exprs.get(key) {
                    Expr::Symbol(symbol) => game.name(symbol),
                    _ => known.iter().find(|(other, _)| *other == key).map(|(_, value)| value.as_str())?,
                });
                at = map;
            }
            Expr::Var(var) => {
                keys.reverse();
                return game.vars.get(var).map(|var| (game.name(var.name), keys));
            }
            Expr::Symbol(_) | Expr::Const(_) => return None,
        }
    }
}

/// The cell that a comparison reads, with its value and the value that it is compared with.
pub(super) fn compared<'c>(game: &'c Game, condition: &'c Condition) -> Option<(Cell<'c>, &'c str, &'c str)> {
    let Label::Compare { lhs, rhs, .. } = game.automaton.edge(condition.edge).label else { return None };
    let (left, right) = condition.values.as_ref()?;
    let of_left = cell(game, condition, lhs).map(|cell| (cell, left.as_str(), right.as_str()));
    of_left.or_else(|| cell(game, condition, rhs).map(|cell| (cell, right.as_str(), left.as_str())))
}

/// What a comparison finds: `` `e2` holds `wP` ``, `` `count[black]` is `2` ``.
pub(super) fn is(signs: &Signs<'_>, condition: &Condition) -> String {
    if let Some((cell, value, _)) = compared(&signs.runner.loaded.game, condition)
        && let Some(label) = signs.place(&cell, value)
    {
        return format!("`{label}` {}", signs.there(value));
    }
    let subject = subject(signs.runner, condition).unwrap_or_else(|| "what the rules look at".to_owned());
    let value = condition.values.as_ref().map_or("", |(value, _)| value.as_str());
    format!("{subject} is {}", signs.called(value))
}

/// What a comparison is about: `` `board[pos]` `` or ``the piece on `e2` ``; `None` if people have no words for it.
fn subject(runner: &Runner, condition: &Condition) -> Option<String> {
    let game = &runner.loaded.game;
    match runner.loaded.notation.source_names() {
        SourceNames::All | SourceNames::Variables => match game.automaton.edge(condition.edge).label {
            Label::Compare { lhs, .. } => Some(format!("`{}`", print_expr(game, lhs))),
            _ => None,
        },
        SourceNames::Cells => compared(game, condition).map(|(cell, ..)| called(runner, &cell)),
        SourceNames::Statements => None,
    }
}

/// Whether a condition is about a variable without keys, which no place shows.
pub(super) fn is_variable(signs: &Signs<'_>, condition: &Condition) -> bool {
    let compared = compared(&signs.runner.loaded.game, condition);
    compared.is_some_and(|((_, keys), ..)| keys.is_empty()) && !looked::is_on_board(signs, condition)
}

/// Whether a condition fails because a place, given by its label, is empty.
pub(super) fn finds_empty(signs: &Signs<'_>, condition: &Condition, place: &str) -> bool {
    let (runner, notation) = (signs.runner, &signs.runner.loaded.notation);
    let Some(((_, keys), value, other)) = compared(&runner.loaded.game, condition) else { return false };
    let value = notation.render_value(value);
    let is_empty = |board: &Board| board.pieces.iter().any(|piece| piece.name == value && piece.is_empty);
    value != notation.render_value(other)
        && keys.last().is_some_and(|key| shown(runner, key) == place)
        && signs.boards.iter().any(is_empty)
}

/// What some conditions are about, with the values for which there would be a way.
pub(super) fn otherwise(signs: &Signs<'_>, conditions: &[Condition]) -> Option<String> {
    let first = conditions.first().filter(|first| subject(signs.runner, first).is_some())?;
    let values = conditions.iter().filter_map(|condition| condition.values.as_ref());
    let values: Vec<String> = values.map(|(_, value)| signs.called(value)).collect();
    Some(format!("; {} (with {} there would be one)", is(signs, first), rg_ir::diag::alternatives(&values)))
}

/// A cell as people call it; places are called by their coordinates.
pub(super) fn called(runner: &Runner, (variable, keys): &Cell<'_>) -> String {
    let notation = &runner.loaded.notation;
    let places = notation.places();
    let label = |&key: &&str| {
        let value = notation.render_value(key);
        places.and_then(|places| places.label(value)).unwrap_or(key).to_owned()
    };
    let keys: Vec<String> = keys.iter().map(label).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    notation.render_cell(variable, &keys)
}

/// What an edge of the rules reads, as ``…` is `…``, from the outside to the inside, where people have words for it. Linear.
pub fn reads(runner: &Runner, reads: &[(ExprId, String)]) -> Vec<String> {
    let game = &runner.loaded.game;
    let one = |(expr, value): &(ExprId, String)| {
        let what = match runner.loaded.notation.source_names() {
            SourceNames::All | SourceNames::Variables => format!("`{}`", print_expr(game, *expr)),
            SourceNames::Cells => called(runner, &read_cell(game, reads, *expr)?),
            SourceNames::Statements => return None,
        };
        Some(format!("{what} is `{}`", shown(runner, value)))
    };
    reads.iter().filter_map(one).collect()
}

/// What is said of a condition for which there are no words.
pub(super) const UNNAMED: &str = "a condition of the rules does not hold";

/// What the rules demand, and what is the case; `None` where there are no words for it. `pattern` is what a check of the rules looks for, where that is short, and `place` the only place of the
/// move.
pub(super) fn condition(
    signs: &Signs<'_>,
    condition: &Condition,
    (pattern, place): (Option<&str>, Option<&str>),
) -> Option<String> {
    let runner = signs.runner;
    let (game, notation) = (&runner.loaded.game, &runner.loaded.notation);
    let label = game.automaton.edge(condition.edge).label;
    let names = notation.source_names();
    match label {
        Label::Compare { lhs, rhs, negated } => match names {
            SourceNames::All | SourceNames::Variables if looked::is_on_board(signs, condition) => {
                let in_words = looked::one_of(signs, std::slice::from_ref(condition));
                in_words.or_else(|| compared_text(runner, condition, (lhs, rhs), negated))
            }
            SourceNames::All | SourceNames::Variables => {
                let in_table =
                    looked::in_table(runner, condition).map(|text| text + &variables_text(runner, condition));
                in_table.or_else(|| compared_text(runner, condition, (lhs, rhs), negated))
            }
            SourceNames::Cells => looked::one_of(signs, std::slice::from_ref(condition)),
            SourceNames::Statements => None,
        }
        .or_else(|| statement_text(runner, condition, negated)),
        Label::Reach { from, to, negated } => {
            let (from, to) = (game.node_name(from), game.node_name(to));
            match (notation.checked(from).or_else(|| notation.checked(to)), negated) {
                (Some(fact), true) => Some(format!("`{fact}` must not hold, but it does")),
                (Some(fact), false) => Some(format!("it needs `{fact}`, which does not hold")),
                (None, true) if names == SourceNames::All => {
                    Some(format!("there must be no way from `{from}` to `{to}`, but there is one"))
                }
                (None, false) if names == SourceNames::All => {
                    Some(format!("there must be a way from `{from}` to `{to}`, but there is none"))
                }
                (None, _) => Some(unmatched(pattern?, negated, place)),
            }
        }
        _ => None,
    }
}

/// That a check of the rules, given by what it looks for, fails.
fn unmatched(pattern: &str, negated: bool, place: Option<&str>) -> String {
    let there = place.map_or(String::new(), |place| format!(" at `{place}`"));
    match negated {
        false => format!("`{pattern}` must be possible{there}, but it is not"),
        true => format!("`{pattern}` must not be possible{there}, but it is"),
    }
}

/// A comparison as it is written.
fn compared_text(
    runner: &Runner,
    condition: &Condition,
    (lhs, rhs): (ExprId, ExprId),
    negated: bool,
) -> Option<String> {
    let rule = |expr| match runner.loaded.game.exprs.get(expr) {
        Expr::Symbol(symbol) => shown(runner, runner.loaded.game.name(symbol)).to_owned(),
        _ => print_expr(&runner.loaded.game, expr),
    };
    let (left, right) = (rule(lhs), rule(rhs));
    let (sign, found) = match (&condition.values, negated) {
        (Some((value, other)), negated) => {
            let (value, other) = (shown(runner, value), shown(runner, other));
            let found = match (left == value, right == other) {
                (_, true) => format!("but it is `{value}`"),
                (true, _) => format!("but it is `{other}`"),
                _ if negated => format!("but both are `{value}`"),
                _ => {
                    let (left, right) = (written(runner, condition, lhs), written(runner, condition, rhs));
                    format!("but `{left}` is `{value}`, and `{right}` is `{other}`")
                }
            };
            (if negated { "!=" } else { "==" }, format!(", {found}"))
        }
        (None, negated) => (if negated { "!=" } else { "==" }, String::new()),
    };
    Some(format!("it needs `{left} {sign} {right}`{found}{}", where_text(runner, condition)))
}

/// A comparison by the facts of the rules that hold or do not.
fn statement_text(runner: &Runner, condition: &Condition, negated: bool) -> Option<String> {
    let ((variable, keys), value, other) = compared(&runner.loaded.game, condition)?;
    let fact = |value| runner.loaded.notation.proposition(variable, &keys, value);
    match (fact(value), fact(other), negated) {
        (Some(is), _, true) | (Some(is), None, false) => Some(format!("`{is}` must not hold, but it does")),
        (Some(is), Some(wanted), false) => Some(format!("it needs `{wanted}`, but `{is}` holds")),
        (None, Some(wanted), false) => Some(format!("it needs `{wanted}`, which does not hold")),
        // That no fact holds of the cell.
        _ => None,
    }
}

/// A value as positions print it; places by their labels.
pub(super) fn shown<'r>(runner: &'r Runner, value: &'r str) -> &'r str {
    let notation = &runner.loaded.notation;
    let value = notation.render_value(value);
    notation.places().and_then(|places| places.label(value)).unwrap_or(value)
}

/// A side of a comparison with the values of keys: `owner[H3]`.
fn written(runner: &Runner, condition: &Condition, expr: ExprId) -> String {
    let game = &runner.loaded.game;
    match game.exprs.get(expr) {
        Expr::Symbol(symbol) => shown(runner, game.name(symbol)).to_owned(),
        Expr::Cast(_, inner) => written(runner, condition, inner),
        Expr::Access(map, key) => {
            let value = condition.keys.iter().find(|(other, _)| *other == key).map(|(_, value)| shown(runner, value));
            let key = value.map_or_else(|| written(runner, condition, key), str::to_owned);
            format!("{}[{key}]", written(runner, condition, map))
        }
        Expr::Var(_) | Expr::Const(_) => print_expr(game, expr),
    }
}

/// The keys of a comparison, with their values as people call them: `pos` is `f1`.
fn where_text(runner: &Runner, condition: &Condition) -> String {
    keys_text(runner, condition.keys.iter())
}

/// Those of the keys that are variables, and no expressions, with their values.
fn variables_text(runner: &Runner, condition: &Condition) -> String {
    let is_variable = |(key, _): &&(ExprId, String)| matches!(runner.loaded.game.exprs.get(*key), Expr::Var(_));
    keys_text(runner, condition.keys.iter().filter(is_variable))
}

fn keys_text<'k>(runner: &Runner, keys: impl Iterator<Item = &'k (ExprId, String)>) -> String {
    let one = |(key, value): &(ExprId, String)| {
        let (key, value) = (print_expr(&runner.loaded.game, *key), shown(runner, value));
        (key.as_str() != value).then(|| format!("`{key}` is `{value}`"))
    };
    let all: Vec<String> = keys.filter_map(one).collect();
    if all.is_empty() { String::new() } else { format!(" ({})", all.join(", ")) }
}
