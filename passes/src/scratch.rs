//! Expressions made while a game is only looked at, and typing of changed labels.

use rg_ir::check::{Ty, expr_type};
use rg_ir::ids::Id;
use rg_ir::{Expr, ExprId, Exprs, Game, Label, VarId};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// A table of expressions on top of that of a game, whose ids stay valid when the new expressions are added to the game
/// ([`Scratch::into_new`], [`commit`]). Analyses make expressions in it, of which few come to be used.
pub struct Scratch<'g> {
    base: &'g Exprs,
    new: RefCell<New>,
}

/// Expressions of a [`Scratch`] in the order of their ids.
#[derive(Default)]
pub struct New {
    nodes: Vec<Expr>,
    ids: FxHashMap<Expr, ExprId>,
}

impl<'g> Scratch<'g> {
    /// An empty table on top of the game's.
    pub fn new(game: &'g Game) -> Self {
        Self { base: &game.exprs, new: RefCell::default() }
    }

    /// The node behind an id.
    pub fn get(&self, id: ExprId) -> Expr {
        match id.index().checked_sub(self.base.len()) {
            None => self.base.get(id),
            Some(at) => self.new.borrow().nodes.get(at).copied().unwrap_or_else(|| self.base.get(id)),
        }
    }

    /// The id of an expression whose parts have ids.
    pub fn intern(&self, expr: Expr) -> ExprId {
        if let Some(id) = self.base.find(expr) {
            return id;
        }
        let mut new = self.new.borrow_mut();
        if let Some(&id) = new.ids.get(&expr) {
            return id;
        }
        let id = ExprId::from_index(self.base.len() + new.nodes.len());
        new.nodes.push(expr);
        new.ids.insert(expr, id);
        id
    }

    /// What is to be added to the game: see [`commit`].
    pub fn into_new(self) -> New {
        self.new.into_inner()
    }

    /// `root` with every largest part for which `replace` gives something replaced by that. Linear in the size of
    /// `root` (as a tree).
    pub fn rewrite(&self, root: ExprId, mut replace: impl FnMut(ExprId, Expr) -> Option<ExprId>) -> ExprId {
        enum Step {
            Enter(ExprId),
            Access(ExprId),
            Cast(ExprId),
        }
        let (mut steps, mut done) = (vec![Step::Enter(root)], Vec::new());
        while let Some(step) = steps.pop() {
            let built = match step {
                Step::Enter(id) => {
                    let expr = self.get(id);
                    match (replace(id, expr), expr) {
                        (Some(other), _) => other,
                        (None, Expr::Access(map, key)) => {
                            steps.extend([Step::Access(id), Step::Enter(key), Step::Enter(map)]);
                            continue;
                        }
                        (None, Expr::Cast(_, inner)) => {
                            steps.extend([Step::Cast(id), Step::Enter(inner)]);
                            continue;
                        }
                        (None, Expr::Var(_) | Expr::Const(_) | Expr::Symbol(_)) => id,
                    }
                }
                // The map was entered first, so the key is on top.
                Step::Access(id) => match (done.pop(), done.pop(), self.get(id)) {
                    (Some(key), Some(map), Expr::Access(old_map, old_key)) if (map, key) != (old_map, old_key) => {
                        self.intern(Expr::Access(map, key))
                    }
                    _ => id,
                },
                Step::Cast(id) => match (done.pop(), self.get(id)) {
                    (Some(inner), Expr::Cast(ty, old)) if inner != old => self.intern(Expr::Cast(ty, inner)),
                    _ => id,
                },
            };
            done.push(built);
        }
        done.pop().unwrap_or(root)
    }

    /// A left side with its *indices* rewritten.
    pub fn rewrite_indices(&self, lhs: ExprId, mut replace: impl FnMut(ExprId, Expr) -> Option<ExprId>) -> ExprId {
        let (mut spine, mut at) = (Vec::new(), lhs);
        loop {
            match self.get(at) {
                Expr::Access(map, key) => {
                    spine.push(Ok(key));
                    at = map;
                }
                Expr::Cast(ty, inner) => {
                    spine.push(Err(ty));
                    at = inner;
                }
                Expr::Var(_) | Expr::Const(_) | Expr::Symbol(_) => break,
            }
        }
        for part in spine.into_iter().rev() {
            at = match part {
                Ok(key) => {
                    let key = self.rewrite(key, &mut replace);
                    self.intern(Expr::Access(at, key))
                }
                Err(ty) => self.intern(Expr::Cast(ty, at)),
            };
        }
        at
    }

    /// What the label reads, rewritten: sides of comparisons, right sides, and indices of left sides.
    pub fn rewrite_reads(&self, label: &Label, mut replace: impl FnMut(ExprId, Expr) -> Option<ExprId>) -> Label {
        let mut label = *label;
        match &mut label {
            Label::Compare { lhs, rhs, .. } => {
                *lhs = self.rewrite(*lhs, &mut replace);
                *rhs = self.rewrite(*rhs, &mut replace);
            }
            Label::Assign { lhs, rhs } => {
                *lhs = self.rewrite_indices(*lhs, &mut replace);
                *rhs = self.rewrite(*rhs, &mut replace);
            }
            Label::AssignAny { lhs, .. } => *lhs = self.rewrite_indices(*lhs, &mut replace),
            Label::Skip | Label::Tag(_) | Label::TagVar(_) | Label::Reach { .. } => {}
        }
        label
    }

    /// Calls `found` for an expression and all its parts, as [`Exprs::preorder`].
    pub fn preorder(&self, root: ExprId, mut found: impl FnMut(Expr)) {
        let (mut id, mut stack) = (root, Vec::new());
        loop {
            let expr = self.get(id);
            found(expr);
            id = match expr {
                Expr::Access(map, key) => {
                    stack.push(key);
                    map
                }
                Expr::Cast(_, inner) => inner,
                Expr::Const(_) | Expr::Var(_) | Expr::Symbol(_) => match stack.pop() {
                    Some(next) => next,
                    None => return,
                },
            };
        }
    }

    /// Whether the expression mentions the variable.
    pub fn mentions(&self, root: ExprId, var: VarId) -> bool {
        let mut found = false;
        self.preorder(root, |expr| found |= expr == Expr::Var(var));
        found
    }

    /// The expression below casts.
    pub fn uncast(&self, mut id: ExprId) -> ExprId {
        while let Expr::Cast(_, inner) = self.get(id) {
            id = inner;
        }
        id
    }
}

/// Adds expressions of a [`Scratch`] to the game whose table was not changed since; they keep their ids.
pub fn commit(game: &mut Game, new: New) {
    for expr in new.nodes {
        game.exprs.intern(expr);
    }
}

/// The label without casts if it is still well typed then, else as it is.
pub fn without_casts(game: &mut Game, label: &Label) -> Label {
    let mut bare = *label;
    bare.map_exprs(|expr| strip(&mut game.exprs, expr));
    if bare != *label && well_typed(game, &bare) { bare } else { *label }
}

fn strip(exprs: &mut Exprs, root: ExprId) -> ExprId {
    let mut casts = false;
    exprs.preorder(root, |_, expr| casts |= matches!(expr, Expr::Cast(..)));
    if !casts {
        return root;
    }
    // Parts have smaller ids than what they are part of.
    let mut parts = Vec::new();
    exprs.preorder(root, |id, _| parts.push(id));
    parts.sort_unstable();
    parts.dedup();
    let mut bare: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    for id in parts {
        let of = |part: ExprId| bare.get(&part).copied().unwrap_or(part);
        let stripped = match exprs.get(id) {
            Expr::Cast(_, inner) => of(inner),
            Expr::Access(map, key) => {
                let access = Expr::Access(of(map), of(key));
                exprs.intern(access)
            }
            Expr::Const(_) | Expr::Var(_) | Expr::Symbol(_) => id,
        };
        bare.insert(id, stripped);
    }
    bare.get(&root).copied().unwrap_or(root)
}

/// Whether a label passes checks 17 to 20 of the language, and every symbol in it is printed as something that is read
/// as that symbol. Linear in its expressions and the types they relate.
pub fn well_typed(game: &Game, label: &Label) -> bool {
    if !label.exprs().all(|expr| parts_typed(game, expr)) {
        return false;
    }
    match *label {
        Label::Compare { lhs, rhs, .. } | Label::Assign { lhs, rhs } => {
            matches!((expr_type(game, lhs), expr_type(game, rhs)), (Some(a), Some(b)) if assignable(game, a, b))
        }
        Label::AssignAny { lhs, ty } => match expr_type(game, lhs) {
            Some(Ty::Type(left)) => game.types.subset(ty, left),
            _ => false,
        },
        Label::Skip | Label::Tag(_) | Label::TagVar(_) | Label::Reach { .. } => true,
    }
}

fn parts_typed(game: &Game, root: ExprId) -> bool {
    let mut good = true;
    game.exprs.preorder(root, |_, expr| {
        good &= match expr {
            Expr::Symbol(symbol) => game.find_const(symbol).is_none() && game.find_var(symbol).is_none(),
            Expr::Access(map, key) => match (expr_type(game, map), expr_type(game, key)) {
                (Some(Ty::Type(map)), Some(key)) => {
                    game.types.as_arrow(map).is_some_and(|(keys, _)| assignable(game, Ty::Type(keys), key))
                }
                _ => false,
            },
            Expr::Cast(ty, inner) => expr_type(game, inner).is_some_and(|of| assignable(game, Ty::Type(ty), of)),
            Expr::Const(_) | Expr::Var(_) => true,
        };
    });
    good
}

/// The weak relation of types.
pub fn assignable(game: &Game, a: Ty, b: Ty) -> bool {
    match (a, b) {
        (Ty::Symbol(a), Ty::Symbol(b)) => a == b,
        (Ty::Symbol(symbol), Ty::Type(ty)) | (Ty::Type(ty), Ty::Symbol(symbol)) => game.types.contains(ty, symbol),
        (Ty::Type(a), Ty::Type(b)) => game.types.assignable(a, b),
    }
}
