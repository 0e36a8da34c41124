//! What a condition looks at, and which values would do.

use super::signs::Signs;
use super::words::{Cell, called, cell, compared, shown};
use backend::why::Condition;
use kit::runner::Runner;
use rg_ir::diag::alternatives;
use rg_ir::notation::SourceNames;
use rg_ir::value::Value;
use rg_ir::{Expr, ExprId, Game, Label};

/// Values that are listed at most.
const LISTED: usize = 16;

/// A cell that a condition reads, with its value.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Looked<'c> {
    cell: Cell<'c>,
    value: &'c str,
}

/// What a comparison has a name for.
pub(super) enum Name {
    /// A table or function of the rules.
    Table(String),
    /// A variable, as the rules call it.
    Variable(String),
}

impl Name {
    pub(super) fn text(&self) -> &str {
        match self {
            Name::Table(name) | Name::Variable(name) => name,
        }
    }
}

/// The tables and variables in a comparison, from the outside to the inside and from the left to the right.
pub(super) fn names(runner: &Runner, condition: &Condition) -> Vec<Name> {
    let game = &runner.loaded.game;
    let Label::Compare { lhs, rhs, .. } = game.automaton.edge(condition.edge).label else { return Vec::new() };
    let (mut found, mut open) = (Vec::new(), vec![rhs, lhs]);
    while let Some(expr) = open.pop() {
        match game.exprs.get(expr) {
            Expr::Access(map, key) => open.extend([key, map]),
            Expr::Cast(_, inner) => open.push(inner),
            Expr::Const(table) => {
                found.extend(game.consts.get(table).map(|table| Name::Table(game.name(table.name).to_owned())));
            }
            Expr::Var(variable) => {
                // People call it as cells of it are called, without what is around the name.
                let cell =
                    game.vars.get(variable).map(|var| runner.loaded.notation.render_cell(game.name(var.name), &[]));
                found.extend(cell.and_then(|cell| Some(Name::Variable(cell.split('`').nth(1)?.to_owned()))));
            }
            Expr::Symbol(_) => {}
        }
    }
    found
}

/// Whether two values are forms of the same piece, as an unmoved king `wKu` and a moved one `wK`, or a man `b` and a king `B`: one name begins with the other.
pub(super) fn are_kin(runner: &Runner, one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|value| runner.loaded.notation.render_value(value).to_lowercase());
    one.starts_with(&other) || other.starts_with(&one)
}

/// The values with which a condition would hold.
enum Allowed<'c> {
    /// These.
    One(Vec<&'c str>),
    /// All but the one that is there.
    Other,
}

/// What a condition reads where people have words for it: a cell that is compared, or looked up in a table of the rules. `None` for other conditions.
pub(super) fn looked_at<'c>(runner: &'c Runner, condition: &'c Condition) -> Option<Looked<'c>> {
    reading(runner, condition).map(|(looked, _)| looked)
}

/// Whether a condition is about what is on a place, given by its label.
pub(super) fn is_about(runner: &Runner, condition: &Condition, place: &str) -> bool {
    let keys = looked_at(runner, condition).map(|looked| looked.cell.1).unwrap_or_default();
    keys.last().is_some_and(|key| shown(runner, key) == place)
}

/// Whether a condition requires certain pieces on a place of the only board, and none of them is there. That a place must be empty is not of this kind.
pub(super) fn requires_piece(signs: &Signs<'_>, condition: &Condition) -> bool {
    let Some((looked, allowed)) = reading(signs.runner, condition) else { return false };
    let is_piece = || match &allowed {
        Allowed::One(values) => !values.iter().any(|value| signs.is_empty(value)),
        Allowed::Other => false,
    };
    signs.place(&looked.cell, looked.value).is_some() && is_piece()
}

/// Whether a condition is about what is outside the board, as if there were a place: a key of another kind among those that are places.
pub(super) fn is_off_board(runner: &Runner, condition: &Condition) -> bool {
    let game = &runner.loaded.game;
    let Some(((variable, keys), ..)) = compared(game, condition) else { return false };
    let Some(places) = runner.loaded.notation.places() else { return false };
    let is_place = |symbol: &str| places.label(runner.loaded.notation.render_value(symbol)).is_some();
    let Some(var) = game.vars.values().find(|var| game.name(var.name) == variable) else { return false };
    let mut ty = var.ty;
    keys.iter().any(|key| {
        let Some((from, to)) = game.types.as_arrow(ty) else { return false };
        ty = to;
        !is_place(key) && game.types.members(from).iter().any(|&member| is_place(game.name(member)))
    })
}

/// Whether a condition is about what is on a place of the only board.
pub(super) fn is_on_board(signs: &Signs<'_>, condition: &Condition) -> bool {
    looked_at(signs.runner, condition).is_some_and(|looked| signs.place(&looked.cell, looked.value).is_some())
}

/// The place of the only board that a condition is about, if the game does not use it.
pub(super) fn unused<'c>(signs: &'c Signs<'_>, condition: &'c Condition) -> Option<&'c str> {
    let looked = looked_at(signs.runner, condition)?;
    signs.place(&looked.cell, looked.value).filter(|_| signs.is_gap(looked.value))
}

/// Which values any of some conditions about one cell requires, and which is there; `None` if people have no words for that.
pub(super) fn one_of(signs: &Signs<'_>, conditions: &[Condition]) -> Option<String> {
    let (runner, notation) = (signs.runner, &signs.runner.loaded.notation);
    let (looked, _) = reading(runner, conditions.first()?)?;
    let place = signs.place(&looked.cell, looked.value);
    if place.is_none() && notation.source_names() != SourceNames::Cells {
        return None;
    }
    let (cell, value) = (called(runner, &looked.cell), shown(runner, looked.value));
    let mut wanted: Vec<&str> = Vec::new();
    for condition in conditions {
        match (reading(runner, condition)?.1, place) {
            (Allowed::Other, Some(label)) => return Some(signs.forbidden(label, looked.value)),
            (Allowed::Other, None) => return Some(format!("{cell} must not be `{value}`, but it is")),
            (Allowed::One(values), _) => wanted.extend(values),
        }
    }
    let mut known = rustc_hash::FxHashSet::default();
    wanted.retain(|value| known.insert(*value));
    if let Some(label) = place {
        return signs.required(label, &wanted, looked.value);
    }
    let wanted: Vec<String> = wanted.into_iter().map(|value| format!("`{}`", shown(runner, value))).collect();
    match wanted.as_slice() {
        [only] => Some(format!("{cell} must be {only}, but it is `{value}`")),
        [] => None,
        _ if wanted.len() > LISTED => None,
        _ => Some(format!("{cell} must be one of {}, but it is `{value}`", wanted.join(", "))),
    }
}

/// Which values of a cell with keys a condition requires that looks them up in a table of the rules, and which is there; `None` for other conditions, and where
/// these are too many.
pub(super) fn in_table(runner: &Runner, condition: &Condition) -> Option<String> {
    let game = &runner.loaded.game;
    let Label::Compare { lhs, rhs, negated } = game.automaton.edge(condition.edge).label else { return None };
    let looked = looked_up(game, condition, lhs, (rhs, negated));
    let (Looked { cell, value }, allowed) = looked.or_else(|| looked_up(game, condition, rhs, (lhs, negated)))?;
    let Allowed::One(allowed) = allowed else { return None };
    let allowed: Vec<String> = allowed.iter().map(|value| format!("`{}`", shown(runner, value))).collect();
    let is_told = !cell.1.is_empty() && (1..=LISTED).contains(&allowed.len());
    is_told.then(|| {
        let (cell, value) = (called(runner, &cell), shown(runner, value));
        format!("{cell} must be {}, but it is `{value}`", alternatives(&allowed))
    })
}

fn reading<'c>(runner: &'c Runner, condition: &'c Condition) -> Option<(Looked<'c>, Allowed<'c>)> {
    let game = &runner.loaded.game;
    if runner.loaded.notation.source_names() == SourceNames::Statements {
        return None;
    }
    let Label::Compare { lhs, rhs, negated } = game.automaton.edge(condition.edge).label else { return None };
    if let Some((cell, value, other)) = compared(game, condition) {
        let allowed = if negated { Allowed::Other } else { Allowed::One(vec![other]) };
        return Some((Looked { cell, value }, allowed));
    }
    looked_up(game, condition, lhs, (rhs, negated)).or_else(|| looked_up(game, condition, rhs, (lhs, negated)))
}

/// A cell whose value is the key of a table in a comparison with a symbol, and the keys with which the comparison holds.
fn looked_up<'c>(
    game: &'c Game,
    condition: &'c Condition,
    side: ExprId,
    (other, negated): (ExprId, bool),
) -> Option<(Looked<'c>, Allowed<'c>)> {
    let Expr::Access(table, key) = uncast(game, side) else { return None };
    let (Expr::Const(table), Expr::Symbol(wanted)) = (uncast(game, table), uncast(game, other)) else { return None };
    let Value::Map(map) = &game.consts.get(table)?.value else { return None };
    let holds = |value: &Value| match value {
        Value::Symbol(value) => Some((*value == wanted) != negated),
        Value::Const(_) | Value::Map(_) => None,
    };
    if holds(map.default_value()?)? {
        return None;
    }
    let value = condition.keys.iter().find(|(other, _)| *other == key).map(|(_, value)| value.as_str())?;
    let listed = map.entries.iter().filter_map(|(key, value)| Some((*key)?).filter(|_| holds(value) == Some(true)));
    let allowed = listed.map(|key| game.name(key)).collect();
    Some((Looked { cell: cell(game, condition, key)?, value }, Allowed::One(allowed)))
}

fn uncast(game: &Game, expr: ExprId) -> Expr {
    match game.exprs.get(expr) {
        Expr::Cast(_, inner) => uncast(game, inner),
        other => other,
    }
}
