//! Games in which nobody can score.

use super::Checker;
use super::facts::Resolved;
use super::values::symbol_of;
use crate::automaton::Label;
use crate::expr::Expr;
use crate::game::Game;
use crate::ids::{ExprId, Symbol, VarId};
use crate::value::Value;
use rustc_hash::FxHashSet;

/// A game in which nobody can score.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unscored {
    /// A player who has turns.
    pub player: Symbol,
    /// A score that could be assigned: the greatest.
    pub best: Symbol,
}

/// Whether no edge of `game` assigns an entry of `goals`, though players have turns, their entries are `0`, and there are other scores. It is no part of
/// [`check`](super::check()), since a game without scores is sound. Nothing is said where only some players are never given a score: it may be that they cannot win. Linear.
pub fn unscored(game: &Game) -> Option<Unscored> {
    let cx = Checker::new(game);
    let set = |name: &str| match cx.facts.named(name) {
        Some(Resolved::Set(id)) => cx.facts.members(id),
        _ => &[],
    };
    let (players, scores) = (set("Player"), set("Score"));
    let variable = |name: &str| game.symbols.get(name).and_then(|symbol| game.find_var(symbol));
    let (Some(goals), Some(player)) = (variable("goals"), variable("player")) else { return None };
    if scores.len() < 2 {
        return None;
    }
    let mut moving = Some(FxHashSet::default());
    for (_, edge) in game.automaton.edges() {
        match edge.label {
            Label::Assign { lhs, .. } | Label::AssignAny { lhs, .. } if root(game, lhs) == Some(goals) => return None,
            Label::Assign { lhs, rhs } if root(game, lhs) == Some(player) => note(game, &mut moving, rhs),
            Label::AssignAny { lhs, .. } if root(game, lhs) == Some(player) => moving = None,
            _ => {}
        }
    }
    let has_turns = |name: &Symbol| moving.as_ref().is_none_or(|moving| moving.contains(name));
    let start = game.vars.get(goals).map(|decl| &decl.initial);
    let is_zero = |name| start.and_then(|value| entry(game, value, name)).is_some_and(|score| game.name(score) == "0");
    if !players.iter().all(|&player| is_zero(player)) {
        return None;
    }
    Some(Unscored {
        player: players.iter().copied().find(has_turns)?,
        best: {
            let others = scores.iter().copied().filter(|&score| game.name(score) != "0");
            others.max_by_key(|&score| game.name(score).parse::<u64>().unwrap_or_default())?
        },
    })
}

/// Adds the symbol that an expression always is. Another one may be any.
fn note(game: &Game, known: &mut Option<FxHashSet<Symbol>>, expr: ExprId) {
    match (fixed(game, expr), known.as_mut()) {
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

    fn found(text: &str) -> Option<(String, String)> {
        let (game, findings) = crate::text::parse(crate::SourceId(0), &format!("{TYPES}{text}"));
        let mut game = game.unwrap_or_else(|| panic!("{findings:?}"));
        game.complete_builtins();
        let name = |symbol| game.name(symbol).to_owned();
        unscored(&game).map(|found| (name(found.player), name(found.best)))
    }

    #[test]
    fn scores_that_are_never_assigned() {
        let turns = "begin, m: player = a; m, n: player = b; n, o: player = keeper;";
        let all = Some(("a".to_owned(), "2".to_owned()));
        for (end, wanted) in [
            ("o, end: ;", all),
            ("o, end: goals[a] = 1;", None),
            ("o, end: goals[a] = Score(*);", None),
            ("o, end: goals[other[me]] = 1;", None),
        ] {
            assert_eq!(found(&format!("{turns} {end}")), wanted, "{end}");
        }
    }

    #[test]
    fn scores_from_the_start_and_players_without_turns() {
        let turns = "begin, m: player = a; m, n: player = b; n, o: player = keeper;";
        assert_eq!(found(&format!("var goals: Goals = {{:1}}; {turns} o, end: ;")), None);
        assert_eq!(found(&format!("var goals: Goals = {{:0, b: 1}}; {turns} o, end: ;")), None);
        assert_eq!(found("begin, m: player = b; m, end: ;").map(|(player, _)| player), Some("b".to_owned()));
        assert_eq!(found("begin, end: player = keeper;"), None);
    }
}
