//! Variables that share one place (catalogue of passes, 10).

use crate::analysis::Liveness;
use crate::effects::{self, Builtins};
use crate::pass::{Context, Pass, Phase};
use crate::scratch::{self, Scratch};
use crate::transform::Unused;
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{Expr, Game, Label, VarId};
use rustc_hash::FxHashMap;

/// More variables than this are not looked at: the table of those that are needed together is quadratic.
const MAX_VARIABLES: usize = 4_096;

/// Merges variables of one type of which never two are needed at the same time.
///
/// ```text
/// var v: T = a;   var w: T = b;
/// m, x: v = T(*);   x, y: $$ v;   y, z: w = T(*);   z, u: $$ w;   u, end: player = keeper;
/// ```
/// becomes
/// ```text
/// var v: T = a;
/// m, x: v = T(*);   x, y: $$ v;   y, z: v = T(*);   z, u: $$ v;   u, end: player = keeper;
/// ```
///
/// Two variables are needed together if one is written, not as a copy of the other, where the other is live afterwards,
/// or both are live at `begin`. They are merged greedily in the order of their declaration, as the registers of a
/// compiler are given out. *Correct*, since whenever a variable is read, the last write to the shared place was the one
/// that variable had (or none, and it has the initial value of the one that is live at `begin`): every other write to
/// the place happens where the variable is not live ([`Liveness`]). Built-in variables are left alone, and so are
/// writes nobody reads, which other passes remove. O(solution of [`Liveness`] + writes · variables / word + pairs of
/// variables).
pub struct MergeVariables;

impl Pass for MergeVariables {
    fn name(&self) -> &'static str {
        "merge-variables"
    }

    fn summary(&self) -> &'static str {
        "let variables of one type that are never needed together share a place"
    }

    fn phase(&self) -> Phase {
        Phase::Finish
    }

    fn run(&self, game: &mut Game, context: &mut Context) -> bool {
        let builtins = Builtins::of(game);
        let candidates: Vec<VarId> = game.vars.ids().filter(|&var| !builtins.contains(var)).collect();
        if candidates.len() < 2 {
            return false;
        }
        if candidates.len() > MAX_VARIABLES {
            context.note(format!("more than {MAX_VARIABLES} variables"));
            return false;
        }
        let (conflicts, at_begin) = conflicts(game);
        let groups = groups(game, &candidates, &conflicts);
        let mut into: FxHashMap<VarId, VarId> = FxHashMap::default();
        for group in groups.iter().filter(|group| group.len() > 1) {
            let Some(&first) = group.first() else { continue };
            into.extend(group.iter().skip(1).map(|&var| (var, first)));
            // At most one of them is read before it is written.
            let initial = group.iter().find(|var| at_begin.contains(var.index()));
            if let Some(value) = initial.and_then(|&var| game.vars.get(var)).map(|decl| decl.initial.clone())
                && let Some(decl) = game.vars.values_mut().nth(first.index())
            {
                decl.initial = value;
            }
        }
        if into.is_empty() {
            return false;
        }
        rename(game, &into);
        Unused.run(game, context);
        true
    }
}

/// For each variable those it is needed together with, and the variables that are live at `begin`.
fn conflicts(game: &Game) -> (Vec<FixedBitSet>, FixedBitSet) {
    let live = Liveness::solve(game);
    let count = game.vars.len();
    let mut conflicts = vec![FixedBitSet::with_capacity(count); count];
    for (_, edge) in game.automaton.edges() {
        let Some(write) = effects::write(game, &edge.label) else { continue };
        let Some(after) = live.at(edge.target) else { continue };
        let Some(row) = conflicts.get_mut(write.var.index()) else { continue };
        // A copy makes the two equal, so they may share a place while neither is written.
        let copied = match edge.label {
            Label::Assign { rhs, .. } if write.whole => match game.exprs.get(rhs) {
                Expr::Var(var) => Some(var),
                _ => None,
            },
            _ => None,
        };
        match copied {
            Some(var) if after.contains(var.index()) => {
                let had = row.contains(var.index());
                row.union_with(after);
                row.set(var.index(), had);
            }
            _ => row.union_with(after),
        }
    }
    let at_begin = live.at(game.begin()).cloned().unwrap_or_else(|| FixedBitSet::with_capacity(count));
    for var in at_begin.ones() {
        if let Some(row) = conflicts.get_mut(var) {
            row.union_with(&at_begin);
        }
    }
    // Needing each other goes both ways.
    for var in 0..count {
        let Some(row) = conflicts.get_mut(var) else { continue };
        row.set(var, false);
        for other in row.clone().ones() {
            if let Some(row) = conflicts.get_mut(other) {
                row.insert(var);
            }
        }
    }
    (conflicts, at_begin)
}

/// Variables to merge, each group of one type.
fn groups(game: &Game, candidates: &[VarId], conflicts: &[FixedBitSet]) -> Vec<Vec<VarId>> {
    struct Group {
        vars: Vec<VarId>,
        members: FixedBitSet,
        ty: rg_ir::TypeId,
    }
    let mut groups: Vec<Group> = Vec::new();
    for &var in candidates {
        let (Some(decl), Some(row)) = (game.vars.get(var), conflicts.get(var.index())) else { continue };
        let fits = |group: &&mut Group| group.members.is_disjoint(row) && game.types.same(group.ty, decl.ty);
        match groups.iter_mut().find(fits) {
            Some(group) => {
                group.vars.push(var);
                group.members.insert(var.index());
            }
            None => {
                let mut members = FixedBitSet::with_capacity(game.vars.len());
                members.insert(var.index());
                groups.push(Group { vars: vec![var], members, ty: decl.ty });
            }
        }
    }
    groups.into_iter().map(|group| group.vars).collect()
}

/// Puts one variable in place of another everywhere.
fn rename(game: &mut Game, into: &FxHashMap<VarId, VarId>) {
    let scratch = Scratch::new(game);
    let replace = |expr| match expr {
        Expr::Var(var) => into.get(&var).map(|&var| scratch.intern(Expr::Var(var))),
        _ => None,
    };
    let mut labels = Vec::new();
    for (id, edge) in game.automaton.edges() {
        let mut label = edge.label;
        label.map_exprs(|expr| scratch.rewrite(expr, |_, expr| replace(expr)));
        if let Label::TagVar(var) = &mut label {
            *var = into.get(var).copied().unwrap_or(*var);
        }
        if label != edge.label {
            labels.push((id, label));
        }
    }
    let new = scratch.into_new();
    scratch::commit(game, new);
    for (id, label) in labels {
        // What was a copy of one to the other is none any more.
        let idle = matches!(label, Label::Assign { lhs, rhs } if lhs == rhs);
        game.automaton.set_label(id, if idle { Label::Skip } else { label });
    }
}
