//! What value sets decide (catalogue of passes, 4.2 and 1.5).

use crate::analysis::Ranges;
use crate::effects::{self, Builtins};
use crate::pass::{Context, Pass};
use crate::scratch::{self, Scratch};
use crate::transform::known_values::artificial_tags;
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{ConstId, Expr, Game, Label, VarId};
use rustc_hash::FxHashMap;

/// Decides comparisons of values that are never equal, and makes constants of variables that always hold the same.
///
/// ```text
/// var v: T = a;   var turn: T -> T = { :b };
/// x, y: v = turn[v];   y, z: v == c;   y, u: v != c;   u, end: player = keeper;
/// ```
/// becomes
/// ```text
/// var v: T = a;   const turn: T -> T = { :b };
/// x, y: v = turn[v];   y, u: ;   u, end: player = keeper;
/// ```
///
/// *Correct*, since the sets of [`Ranges`] hold every value that the game can ever compute: sides with no symbol in
/// common differ, and a variable whose set has one symbol, or that is never written, always has its initial value, so
/// that assignments to it change nothing. Built-in variables stay variables. O(solution of [`Ranges`] + edges).
pub struct ValueSets;

impl Pass for ValueSets {
    fn name(&self) -> &'static str {
        "value-sets"
    }

    fn summary(&self) -> &'static str {
        "decide comparisons of values that are never equal; variables that never change become constants"
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let ranges = Ranges::solve(game);
        let decided = decide(game, &ranges);
        let fixed = fixed(game, &ranges);
        if !fixed.is_clear() {
            make_constants(game, &fixed);
        }
        decided || !fixed.is_clear()
    }
}

/// Decides comparisons; whether there were any to decide.
fn decide(game: &mut Game, ranges: &Ranges) -> bool {
    let mut decided = FxHashMap::default();
    for (id, edge) in game.automaton.edges() {
        if let Label::Compare { lhs, rhs, negated } = edge.label
            && ranges.disjoint(game, lhs, rhs)
        {
            decided.insert(id, negated);
        }
    }
    if decided.is_empty() {
        return false;
    }
    game.automaton.edit_edges(|id, edge| match decided.get(&id) {
        None => true,
        Some(false) => false,
        Some(true) => {
            edge.label = Label::Skip;
            edge.spans = Box::default();
            true
        }
    });
    true
}

/// The variables that always have their initial value, by index.
fn fixed(game: &Game, ranges: &Ranges) -> FixedBitSet {
    let (builtins, artificial) = (Builtins::of(game), artificial_tags(game));
    let single = |var: VarId| match ranges.var(var).map(|set| &set[..]) {
        Some(&[only]) => Some(only),
        _ => None,
    };
    let mut fixed: FixedBitSet = game.vars.ids().map(Id::index).collect();
    for (_, edge) in game.automaton.edges() {
        if let Some(write) = effects::write(game, &edge.label)
            && single(write.var).is_none()
        {
            fixed.set(write.var.index(), false);
        }
        if let Label::TagVar(var) = edge.label
            && single(var).is_none_or(|only| artificial.contains(&only))
        {
            fixed.set(var.index(), false);
        }
    }
    [builtins.player, builtins.goals, builtins.visible].iter().flatten().for_each(|var| fixed.set(var.index(), false));
    fixed
}

/// Makes constants of variables.
fn make_constants(game: &mut Game, fixed: &FixedBitSet) {
    let mut consts: FxHashMap<VarId, ConstId> = FxHashMap::default();
    let mut tags = FxHashMap::default();
    for id in fixed.ones().map(VarId::from_index) {
        let Some(decl) = game.vars.get(id).cloned() else { continue };
        if let Ok(table) = game.dense(decl.ty, &decl.initial)
            && let &[symbol] = &table.values[..]
        {
            tags.insert(id, symbol);
        }
        // The two declarations have one name until the variable is removed below.
        consts.insert(id, game.add_const(decl.name, decl.ty, decl.initial, decl.span));
    }
    let scratch = Scratch::new(game);
    let replace = |expr| match expr {
        Expr::Var(var) => consts.get(&var).map(|&id| scratch.intern(Expr::Const(id))),
        _ => None,
    };
    let labels: Vec<_> = game
        .automaton
        .edges()
        .map(|(id, edge)| {
            let label = match edge.label {
                Label::TagVar(var) => tags.get(&var).map_or(edge.label, |&tag| Label::Tag(tag)),
                label => match effects::write(game, &label) {
                    Some(write) if consts.contains_key(&write.var) => Label::Skip,
                    _ => scratch.rewrite_reads(&label, |_, expr| replace(expr)),
                },
            };
            (id, edge.label, label)
        })
        .collect();
    let new = scratch.into_new();
    scratch::commit(game, new);
    for (id, old, label) in labels {
        if label != old {
            game.automaton.set_label(id, label);
        }
    }
    crate::facts::drop_claims(game);
    game.retain_declarations(|_| true, |_| true, |id| !fixed.contains(id.index()));
}
