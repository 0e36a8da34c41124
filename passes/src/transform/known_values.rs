//! Reads of known values (catalogue of passes, 4.1, 2.1, 2.2 and 1.6).

use crate::analysis::{Facts, Known};
use crate::effects;
use crate::pass::{Context, Pass};
use crate::scratch::{self, Scratch, well_typed};
use rg_ir::check::{Ty, expr_type};
use rg_ir::{EdgeId, Expr, ExprId, Game, Label, Pragma, Symbol, TypeKind};
use rustc_hash::FxHashSet;

/// Writes symbols in place of expressions with a known value, and decides comparisons.
///
/// ```text
/// x, y: v = 2;   y, z: m0[v] == 1;   y, u: v == 3;   z, z1: v = 2;   z1, end: player = turn[v];
/// ```
/// becomes, with a constant map `m0` in which 2 is mapped to 1,
/// ```text
/// x, y: v = 2;   y, z: ;   z, z1: ;   z1, end: player = b;
/// ```
///
/// *Correct*, since the facts of [`Known`] hold whenever a walk comes by a node, so the same values are read, and a step
/// that goes could not be made. An assignment of the value that a variable or a cell already has changes nothing;
/// assignments to `player` end a move and stay. A symbol that is needed with the type of what it replaces is cast to it.
/// O(solution of [`Known`]).
pub struct KnownValues;

impl Pass for KnownValues {
    fn name(&self) -> &'static str {
        "known-values"
    }

    fn summary(&self) -> &'static str {
        "replace reads of known values by symbols, and decide their comparisons"
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let known = Known::new(game);
        let facts = known.solve(game);
        let scratch = Scratch::new(game);
        let artificial = artificial_tags(game);
        let mut changes: Vec<(EdgeId, Option<Change>)> = Vec::new();
        for (id, edge) in game.automaton.edges() {
            let Some(facts) = facts.at(edge.source) else { continue };
            let fold = Fold { game, known: &known, facts, scratch: &scratch, artificial: &artificial };
            match fold.label(&edge.label) {
                Folded::Same => {}
                Folded::Impossible => changes.push((id, None)),
                Folded::To(change) => changes.push((id, Some(change))),
            }
        }
        let new = scratch.into_new();
        if changes.is_empty() {
            return false;
        }
        scratch::commit(game, new);
        let mut changed = false;
        let mut gone = FxHashSet::default();
        for (id, change) in changes {
            let Some(Change { bare, cast }) = change else {
                gone.insert(id);
                continue;
            };
            let old = game.automaton.edge(id).label;
            if let Some(label) = [bare, cast].into_iter().find(|label| well_typed(game, label))
                && label != old
            {
                game.automaton.set_label(id, label);
                changed = true;
            }
        }
        if !gone.is_empty() {
            game.automaton.edit_edges(|id, _| !gone.contains(&id));
            changed = true;
        }
        changed
    }
}

/// The tags that stand for nothing: a tag must not become one of them.
pub(super) fn artificial_tags(game: &Game) -> FxHashSet<Symbol> {
    let lists = game.pragmas.iter().filter_map(|decl| match &decl.pragma {
        Pragma::ArtificialTag(tags) => Some(tags),
        _ => None,
    });
    lists.flatten().copied().collect()
}

/// A label with symbols, bare and with casts.
struct Change {
    bare: Label,
    cast: Label,
}

enum Folded {
    Same,
    Impossible,
    To(Change),
}

struct Fold<'f, 'g> {
    game: &'g Game,
    known: &'f Known,
    facts: &'f Facts,
    scratch: &'f Scratch<'g>,
    artificial: &'f FxHashSet<Symbol>,
}

impl Fold<'_, '_> {
    fn label(&self, label: &Label) -> Folded {
        let plainly = |label: Label| Folded::To(Change { bare: label, cast: label });
        match *label {
            Label::Skip | Label::Tag(_) | Label::Reach { .. } => return Folded::Same,
            Label::TagVar(var) => {
                let id = self.game.exprs.find(Expr::Var(var));
                let value = id.and_then(|id| self.known.value(self.game, self.facts, id));
                return match value {
                    Some(value) if !self.artificial.contains(&value) => plainly(Label::Tag(value)),
                    _ => Folded::Same,
                };
            }
            Label::Compare { .. } => match self.known.decided(self.game, self.facts, label) {
                Some(true) => return plainly(Label::Skip),
                Some(false) => return Folded::Impossible,
                None => {}
            },
            Label::Assign { lhs, rhs } => {
                let value = self.known.value(self.game, self.facts, rhs);
                let stored = value.is_some() && self.known.value(self.game, self.facts, lhs) == value;
                if stored && !self.game.ends_move(label) {
                    return plainly(Label::Skip);
                }
            }
            Label::AssignAny { lhs, ty } => {
                // A choice from one symbol is none.
                if let &[only] = self.game.types.members(ty)
                    && effects::write(self.game, label).is_some()
                {
                    let rhs = self.scratch.intern(Expr::Symbol(only));
                    return plainly(Label::Assign { lhs, rhs });
                }
            }
        }
        let bare = self.scratch.rewrite_reads(label, |id, expr| self.symbol(id, expr));
        if bare == *label {
            return Folded::Same;
        }
        Folded::To(Change { bare, cast: self.scratch.rewrite_reads(label, |id, expr| self.cast(id, expr)) })
    }

    /// The symbol an expression is known to be.
    fn symbol(&self, id: ExprId, expr: Expr) -> Option<ExprId> {
        if matches!(expr, Expr::Symbol(_) | Expr::Cast(..)) {
            return None;
        }
        let value = self.known.value(self.game, self.facts, id)?;
        Some(self.scratch.intern(Expr::Symbol(value)))
    }

    /// The same, with the type of what it replaces.
    fn cast(&self, id: ExprId, expr: Expr) -> Option<ExprId> {
        let symbol = self.symbol(id, expr)?;
        match expr_type(self.game, id) {
            Some(Ty::Type(ty)) if matches!(self.game.types.kind(ty), TypeKind::Name(_)) => {
                Some(self.scratch.intern(Expr::Cast(ty, symbol)))
            }
            _ => None,
        }
    }
}
