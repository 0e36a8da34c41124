//! Variables that share one place (catalogue of passes, 10).

use crate::analysis::Liveness;
use crate::effects::{self, Builtins};
use crate::pass::{Context, Pass, Phase};
use crate::scratch::{self, Scratch};
use crate::transform::Unused;
use fixedbitset::FixedBitSet;
use rg_ir::check::{Ty, expr_type};
use rg_ir::ids::Id;
use rg_ir::{Expr, Game, Label, TypeId, VarId};
use rustc_hash::FxHashMap;

/// More variables than this are not looked at: the table of those that are needed together is quadratic.
const MAX_VARIABLES: usize = 4_096;

/// Merges variables of which never two are needed at the same time, if they are of one type, or the set of one is part
/// of that of the other.
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
/// or both are live at `begin`. Those of one type are merged greedily in the order of their declaration, as the registers
/// of a compiler are given out; what is left then of a smaller set goes to a place of the smallest larger one.
/// *Correct*, since whenever a variable is read, the last write to the shared place was the one
/// that variable had (or none, and it has the initial value of the one that is live at `begin`): every other write to
/// the place happens where the variable is not live ([`Liveness`]). No step looks at the type of a variable that holds a
/// symbol, and with a larger set everything is still well typed, as types are related by overlap and choices name their
/// own type. A variable that is a key of a map goes to no place that can hold other symbols than the keys: what keys
/// can be would be known less well. Built-in variables are left alone, and so are writes nobody reads, which other passes
/// remove. O(solution of [`Liveness`] + writes · variables / word + pairs of variables).
pub struct MergeVariables;

impl Pass for MergeVariables {
    fn name(&self) -> &'static str {
        "merge-variables"
    }

    fn summary(&self) -> &'static str {
        "let variables that are never live at the same time share storage"
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
            if group.iter().any(|&var| game.vars.get(var).is_some_and(|decl| decl.live_out)) {
                game.make_live_out(first);
            }
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

/// Variables that share a place.
struct Group {
    /// In the order in which they came; the first is of the type of the place.
    vars: Vec<VarId>,
    members: FixedBitSet,
    /// With which variables one of them is needed together.
    conflicts: FixedBitSet,
    ty: TypeId,
}

impl Group {
    /// Whether all of both can share a place.
    fn fits(&self, other: &Self) -> bool {
        self.members.is_disjoint(&other.conflicts)
    }

    fn take(&mut self, other: Self) {
        self.vars.extend(other.vars);
        self.members.union_with(&other.members);
        self.conflicts.union_with(&other.conflicts);
    }
}

/// Variables to merge, each group with the largest type first.
fn groups(game: &Game, candidates: &[VarId], conflicts: &[FixedBitSet]) -> Vec<Vec<VarId>> {
    let mut groups: Vec<Group> = Vec::new();
    for &var in candidates {
        let (Some(decl), Some(row)) = (game.vars.get(var), conflicts.get(var.index())) else { continue };
        let mut members = FixedBitSet::with_capacity(game.vars.len());
        members.insert(var.index());
        let single = Group { vars: vec![var], members, conflicts: row.clone(), ty: decl.ty };
        match groups.iter_mut().find(|group| group.fits(&single) && game.types.same(group.ty, single.ty)) {
            Some(group) => group.take(single),
            None => groups.push(single),
        }
    }
    let groups = widen(game, groups);
    groups.into_iter().map(|group| group.vars).collect()
}

/// Puts groups of small sets into groups of larger ones, the smallest first.
fn widen(game: &Game, mut groups: Vec<Group>) -> Vec<Group> {
    let size = |group: &Group| game.types.members(group.ty).len();
    let maps = indexed(game);
    groups.sort_by_key(size);
    let mut places: Vec<Group> = Vec::new();
    let mut left = groups.into_iter();
    while let Some(group) = left.next() {
        let keys = |place: &Group| {
            let maps = group.vars.iter().filter_map(|var| maps.get(var)).flatten();
            maps.copied().all(|keys| game.types.subset(place.ty, keys))
        };
        let larger = |place: &&mut Group| {
            game.types.is_set(group.ty)
                && game.types.subset(group.ty, place.ty)
                && !game.types.same(group.ty, place.ty)
                && place.fits(&group)
                && keys(place)
        };
        match left.as_mut_slice().iter_mut().find(larger) {
            Some(place) => place.take(group),
            None => places.push(group),
        }
    }
    places
}

/// For each variable that is a key of maps the key types of those.
fn indexed(game: &Game) -> FxHashMap<VarId, Vec<TypeId>> {
    let mut found: FxHashMap<VarId, Vec<TypeId>> = FxHashMap::default();
    for (_, edge) in game.automaton.edges() {
        for expr in edge.label.exprs() {
            game.exprs.preorder(expr, |_, expr| {
                if let Expr::Access(map, mut key) = expr
                    && let Some(Ty::Type(map)) = expr_type(game, map)
                    && let Some((keys, _)) = game.types.as_arrow(map)
                {
                    while let Expr::Cast(_, inner) = game.exprs.get(key) {
                        key = inner;
                    }
                    if let Expr::Var(var) = game.exprs.get(key) {
                        let maps = found.entry(var).or_default();
                        maps.extend((!maps.contains(&keys)).then_some(keys));
                    }
                }
            });
        }
    }
    found
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
