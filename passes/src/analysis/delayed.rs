//! Assignments that are put off until their value is used: the analysis behind inlining (catalogue of passes, 3.1).

use crate::dataflow::{Analysis, Direction, Solution, solve};
use crate::effects;
use crate::scratch::Scratch;
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{Edge, EdgeId, Expr, ExprId, Game, Label, NodeId, TypeKind, VarId};
use std::rc::Rc;

/// Expressions larger than this are not put off.
const MAX_SIZE: usize = 24;

/// What a variable holds when the chosen assignments are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Held {
    /// Not what it should: that would be the value of this expression, over what the variables then hold.
    Delayed(ExprId),
    /// Not what it should, and no expression gives that.
    Lost,
}

/// The variables that do not hold what they should. In large automata most of those are lost, so that these are bits.
/// Shared between nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delays {
    lost: Rc<FixedBitSet>,
    /// Ascending.
    delayed: Rc<[(VarId, ExprId)]>,
}

impl Delays {
    /// All of `vars` variables hold what they should.
    fn none(vars: usize) -> Self {
        Self { lost: Rc::new(FixedBitSet::with_capacity(vars)), delayed: Rc::new([]) }
    }

    /// Whether all variables hold what they should.
    pub fn is_empty(&self) -> bool {
        self.delayed.is_empty() && self.lost.is_clear()
    }

    /// What is known about a variable; `None` if it holds what it should.
    pub fn held(&self, var: VarId) -> Option<Held> {
        if self.lost.contains(var.index()) {
            return Some(Held::Lost);
        }
        self.value(var).map(Held::Delayed)
    }

    /// The variables whose values an expression gives, with it.
    pub fn values(&self) -> impl Iterator<Item = (VarId, ExprId)> + Clone {
        self.delayed.iter().copied()
    }

    /// The expression that gives the value of a variable.
    fn value(&self, var: VarId) -> Option<ExprId> {
        let at = self.delayed.binary_search_by_key(&var, |&(var, _)| var).ok()?;
        self.delayed.get(at).map(|&(_, value)| value)
    }

    /// Notes something else about a variable.
    fn set(&mut self, var: VarId, held: Option<Held>) {
        let lost = held == Some(Held::Lost);
        if self.lost.contains(var.index()) != lost {
            Rc::make_mut(&mut self.lost).set(var.index(), lost);
        }
        let value = match held {
            Some(Held::Delayed(value)) => Some(value),
            Some(Held::Lost) | None => None,
        };
        if self.value(var) != value {
            let split = self.delayed.partition_point(|&(other, _)| other < var);
            let (before, after) = self.delayed.split_at(split);
            let after = after.iter().filter(|&&(other, _)| other != var);
            let new = value.map(|value| (var, value));
            self.delayed = before.iter().copied().chain(new).chain(after.copied()).collect();
        }
    }

    /// Only delayed variables that pass stay delayed, others are lost; whether that changed anything.
    fn lose(&mut self, keep: impl Fn(VarId, ExprId) -> bool) -> bool {
        if self.delayed.iter().all(|&(var, value)| keep(var, value)) {
            return false;
        }
        let lost = Rc::make_mut(&mut self.lost);
        let (kept, gone): (Vec<_>, Vec<_>) = self.delayed.iter().partition(|&&(var, value)| keep(var, value));
        gone.into_iter().for_each(|(var, _)| lost.insert(var.index()));
        self.delayed = kept.into();
        true
    }
}

/// For a set of assignments of whole variables, the *delayed* ones: what has to be read in place of a variable when none
/// of them is executed. A fact at a node says for each variable that it holds its value (not listed), that its value is
/// that of an expression over the values that variables hold then, or that it is lost, which is the case where different
/// expressions meet, after a variable of the expression was written, and where the expression got too large.
pub struct Delayed<'g, 's> {
    /// The assignments that are not executed, by index of their edge.
    pub chosen: &'s FixedBitSet,
    /// Where expressions are made.
    pub scratch: &'s Scratch<'g>,
}

impl Delayed<'_, '_> {
    /// Solves it. O(edges · delays at a node).
    pub fn solve(&self, game: &Game) -> Solution<Delays> {
        solve(game, self)
    }

    /// What stands for a label where `delays` hold. Lost variables are left as they are: a set of assignments for which
    /// one is read will not do, and they are going to be executed ([`Demand`]).
    pub fn read_label(&self, delays: &Delays, label: &Label) -> Label {
        self.scratch.rewrite_reads(label, |_, expr| delayed(delays, expr))
    }

    /// What the chosen assignment `var = rhs` makes of the variable; `None`: it already holds the value.
    pub fn delay(&self, game: &Game, delays: &Delays, var: VarId, rhs: ExprId) -> Option<Held> {
        let value = self.scratch.rewrite(rhs, |_, expr| delayed(delays, expr));
        if self.scratch.uncast(value) == self.scratch.intern(Expr::Var(var)) {
            return None;
        }
        let mut size = 0usize;
        self.scratch.preorder(value, |_| size += 1);
        if size > MAX_SIZE {
            return Some(Held::Lost);
        }
        // The type of the variable, not that of the value, is what its uses were checked with.
        let Some(decl) = game.vars.get(var) else { return Some(Held::Lost) };
        Some(match (self.is_of(game, value, decl.ty), game.types.kind(decl.ty)) {
            (true, _) => Held::Delayed(value),
            (false, TypeKind::Name(_)) => Held::Delayed(self.scratch.intern(Expr::Cast(decl.ty, value))),
            (false, _) => Held::Lost,
        })
    }

    /// Whether the expression certainly has exactly that type: it is a constant, variable or cast with it.
    fn is_of(&self, game: &Game, expr: ExprId, ty: rg_ir::TypeId) -> bool {
        let of = match self.scratch.get(expr) {
            Expr::Const(id) => game.consts.get(id).map(|decl| decl.ty),
            Expr::Var(id) => game.vars.get(id).map(|decl| decl.ty),
            Expr::Cast(ty, _) => Some(ty),
            Expr::Symbol(_) | Expr::Access(..) => None,
        };
        of.is_some_and(|of| game.types.same(of, ty))
    }
}

/// What is to be read in place of an expression.
fn delayed(delays: &Delays, expr: Expr) -> Option<ExprId> {
    let Expr::Var(var) = expr else { return None };
    match delays.held(var)? {
        Held::Delayed(value) => Some(value),
        Held::Lost => None,
    }
}

impl Analysis for Delayed<'_, '_> {
    type Fact = Delays;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, game: &Game) -> Vec<(NodeId, Delays)> {
        vec![(game.begin(), Delays::none(game.vars.len()))]
    }

    fn transfer(&self, game: &Game, id: EdgeId, edge: &Edge, fact: &mut Delays) -> bool {
        let Some(write) = effects::write(game, &edge.label) else { return true };
        if let (true, Label::Assign { rhs, .. }) = (self.chosen.contains(id.index()), edge.label) {
            let held = self.delay(game, fact, write.var, rhs);
            fact.set(write.var, held);
            return true;
        }
        if write.whole {
            fact.set(write.var, None);
        }
        fact.lose(|_, value| !self.scratch.mentions(value, write.var));
        true
    }

    fn join(&self, fact: &mut Delays, other: &Delays) -> bool {
        if Rc::ptr_eq(&fact.lost, &other.lost) && Rc::ptr_eq(&fact.delayed, &other.delayed) {
            return false;
        }
        // What is delayed on one side only is lost, unless both give the same expression.
        let mut changed = fact.lose(|var, value| other.value(var) == Some(value));
        if !other.lost.is_subset(&fact.lost) {
            Rc::make_mut(&mut fact.lost).union_with(&other.lost);
            changed = true;
        }
        for &(var, value) in other.delayed.iter() {
            if fact.value(var) != Some(value) && !fact.lost.contains(var.index()) {
                Rc::make_mut(&mut fact.lost).insert(var.index());
                changed = true;
            }
        }
        changed
    }
}

/// Where variables have to hold what they should: the definitions that reach such a place must be executed.
pub struct Demand {
    /// Places and variables.
    pub seeds: Vec<(NodeId, VarId)>,
    /// Number of variables.
    pub vars: usize,
}

impl Analysis for Demand {
    type Fact = FixedBitSet;
    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&self, _: &Game) -> Vec<(NodeId, FixedBitSet)> {
        let fact = |var: VarId| {
            let mut fact = FixedBitSet::with_capacity(self.vars);
            fact.insert(var.index());
            fact
        };
        self.seeds.iter().map(|&(node, var)| (node, fact(var))).collect()
    }

    fn transfer(&self, game: &Game, _: EdgeId, edge: &Edge, fact: &mut FixedBitSet) -> bool {
        if let Some(write) = effects::write(game, &edge.label)
            && write.whole
        {
            fact.remove(write.var.index());
        }
        !fact.is_clear()
    }

    fn join(&self, fact: &mut FixedBitSet, other: &FixedBitSet) -> bool {
        if other.is_subset(fact) {
            return false;
        }
        fact.union_with(other);
        true
    }
}
