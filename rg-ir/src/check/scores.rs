//! Players whose score is never assigned.

use super::Checker;
use super::facts::Resolved;
use super::values::symbol_of;
use crate::automaton::Label;
use crate::expr::Expr;
use crate::game::Game;
use crate::ids::{ExprId, Symbol, VarId};
use crate::value::Value;
use rustc_hash::FxHashSet;

/// Players whose score stays what it is at the start.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Unassigned {
    /// They have turns, and their score is `0` at the start.
    pub players: Vec<Symbol>,
    /// Whether no other score is assigned, either.
    pub are_all: bool,
    /// A score that could be assigned: the greatest.
    pub best: Option<Symbol>,
}

/// The players of `game` who have turns, and whose entry in `goals` stays `0` since no edge assigns it. They are no part of [`check`](super::check()), since a game
/// without scores is sound; none where there is only one score. Linear.
pub fn unassigned_scores(game: &Game) -> Unassigned {
    let cx = Checker::new(game);
    let set = |name: &str| match cx.facts.named(name) {
        Some(Resolved::Set(id)) => cx.facts.members(id),
        _ => &[],
    };
    let (players, scores) = (set("Player"), set("Score"));
    let variable = |name: &str| game.symbols.get(name).and_then(|symbol| game.find_var(symbol));
    let (Some(goals), Some(player)) = (variable("goals"), variable("player")) else { return Unassigned::default() };
    if scores.len() < 2 {
        return Unassigned::default();
    }
    let (mut assigned, mut moving) = (Some(FxHashSet::default()), Some(FxHashSet::default()));
    for (_, edge) in game.automaton.edges() {
        match edge.label {
            Label::Assign { lhs, .. } | Label::AssignAny { lhs, .. } if root(game, lhs) == Some(goals) => {
                note(game, &mut assigned, key(game, lhs));
            }
            Label::Assign { lhs, rhs } if root(game, lhs) == Some(player) => note(game, &mut moving, Some(rhs)),
            Label::AssignAny { lhs, .. } if root(game, lhs) == Some(player) => moving = None,
            _ => {}
        }
    }
    let is_in = |set: &Option<FxHashSet<Symbol>>, name| set.as_ref().is_none_or(|set| set.contains(&name));
    let start = game.vars.get(goals).map(|decl| &decl.initial);
    let is_zero = |name| start.and_then(|value| entry(game, value, name)).is_some_and(|score| game.name(score) == "0");
    let concerned = |name: &Symbol| !is_in(&assigned, *name) && is_in(&moving, *name) && is_zero(*name);
    Unassigned {
        players: players.iter().copied().filter(concerned).collect(),
        are_all: assigned.as_ref().is_some_and(FxHashSet::is_empty),
        best: scores.iter().copied().max_by_key(|&score| game.name(score).parse::<u64>().unwrap_or_default()),
    }
}

/// Adds the symbol that an expression always is. Another one may be any.
fn note(game: &Game, known: &mut Option<FxHashSet<Symbol>>, expr: Option<ExprId>) {
    match (expr.and_then(|expr| fixed(game, expr)), known.as_mut()) {
        (Some(symbol), Some(known)) => _ = known.insert(symbol),
        (None, _) => *known = None,
        (Some(_), None) => {}
    }
}

fn root(game: &Game, lhs: ExprId) -> Option<VarId> {
    match game.exprs.root(lhs) {
        Expr::Var(id) => Some(id),
        _ => None,
    }
}

/// The key of the entry that is assigned; nothing if the whole map is.
fn key(game: &Game, mut lhs: ExprId) -> Option<ExprId> {
    loop {
        match game.exprs.get(lhs) {
            Expr::Cast(_, inner) => lhs = inner,
            Expr::Access(_, key) => return Some(key),
            _ => return None,
        }
    }
}

/// The symbol that an expression is in every state.
fn fixed(game: &Game, mut expr: ExprId) -> Option<Symbol> {
    loop {
        match game.exprs.get(expr) {
            Expr::Cast(_, inner) => expr = inner,
            Expr::Symbol(symbol) => return Some(symbol),
            Expr::Const(id) => return symbol_of(game, id),
            Expr::Var(_) | Expr::Access(..) => return None,
        }
    }
}

/// The symbol at a key of a map of symbols.
fn entry(game: &Game, map: &Value, key: Symbol) -> Option<Symbol> {
    let Value::Map(literal) = map else { return None };
    let own = literal.entries.iter().find(|(at, _)| *at == Some(key)).map(|(_, value)| value);
    match own.or_else(|| literal.default_value())? {
        Value::Symbol(symbol) => Some(*symbol),
        Value::Const(id) => symbol_of(game, *id),
        Value::Map(_) => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise
mod tests {
    use super::*;

    const TYPES: &str = "type Player = { a, b }; type Score = { 0, 1, 2 };
        const other: Player -> Player = { :a, a: b }; var me: Player = a; ";

    fn found(text: &str) -> String {
        let (game, findings) = crate::text::parse(crate::SourceId(0), &format!("{TYPES}{text}"));
        let mut game = game.unwrap_or_else(|| panic!("{findings:?}"));
        game.complete_builtins();
        let found = unassigned_scores(&game);
        let names: Vec<&str> = found.players.iter().map(|&player| game.name(player)).collect();
        format!("{}{}", names.join(" "), if found.are_all { " (all)" } else { "" })
    }

    #[test]
    fn scores_that_are_never_assigned() {
        let turns = "begin, m: player = a; m, n: player = b; n, o: player = keeper;";
        for (end, wanted) in [
            ("o, end: ;", "a b (all)"),
            ("o, end: goals[a] = 1;", "b"),
            ("o, end: goals[Player(a)] = 1;", "b"),
            ("o, end: goals[a] = Score(*);", "b"),
            ("o, p: goals[a] = 1; p, end: goals[b] = 2;", ""),
            ("o, end: goals[me] = 1;", ""),
            ("o, end: goals[other[me]] = 1;", ""),
        ] {
            assert_eq!(found(&format!("{turns} {end}")), wanted, "{end}");
        }
    }

    #[test]
    fn scores_from_the_start_and_players_without_turns() {
        let turns = "begin, m: player = a; m, n: player = b; n, o: player = keeper;";
        assert_eq!(found(&format!("var goals: Goals = {{:1}}; {turns} o, end: ;")), " (all)");
        assert_eq!(found(&format!("var goals: Goals = {{:0, b: 1}}; {turns} o, end: goals[a] = 1;")), "");
        assert_eq!(found("begin, m: player = a; m, end: goals[a] = 1;"), "");
        assert_eq!(found("begin, m: player = me; m, end: goals[a] = 1;"), "b");
    }
}
