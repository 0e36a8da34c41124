//! Numbering of values: which types share one numbering, and what number a symbol has in it.
//!
//! Types are loose in RG: values of one type may be compared with, assigned to or used as keys of another. All set types
//! that meet in some expression form a *class* and share one numbering, so a value never needs to be converted. Members
//! of the smaller sets come first; a key type whose members are the first numbers of its class is indexed directly.

use rg_ir::{Expr, ExprId, Game, Label, Shape, Symbol, TypeId};
use rustc_hash::FxHashMap;

/// Index of a class.
pub type Class = usize;

/// The numbering of all values of a game.
#[derive(Debug, Default)]
pub struct Classes {
    of_set: FxHashMap<TypeId, Class>,
    members: Vec<Vec<Symbol>>,
    numbers: Vec<FxHashMap<Symbol, u32>>,
}

/// What is known of the type of an expression without a place to write new types.
#[derive(Clone, Copy)]
pub enum ExprType {
    /// A bare symbol: a member of whatever it meets.
    Symbol(Symbol),
    /// An ordinary type.
    Type(TypeId),
}

/// The static type of an expression; `None` if it is ill-typed. Linear in the depth of the expression.
pub fn expr_type(game: &Game, expr: ExprId) -> Option<ExprType> {
    let (mut at, mut accesses) = (expr, 0);
    let mut ty = loop {
        match game.exprs.get(at) {
            Expr::Const(id) => break game.consts.get(id)?.ty,
            Expr::Var(id) => break game.vars.get(id)?.ty,
            Expr::Cast(ty, _) => break ty,
            Expr::Symbol(symbol) => return (accesses == 0).then_some(ExprType::Symbol(symbol)),
            Expr::Access(map, _) => {
                accesses += 1;
                at = map;
            }
        }
    };
    for _ in 0..accesses {
        ty = game.types.as_arrow(ty)?.1;
    }
    Some(ExprType::Type(ty))
}

impl Classes {
    /// Computes the classes of a game. Near-linear. Ill-typed parts are skipped; lowering reports them.
    pub fn new(game: &Game) -> Self {
        let mut union = Union { game, parent: FxHashMap::default(), extras: Vec::new(), shapes: FxHashMap::default() };
        for decl in game.type_decls.values() {
            union.touch(decl.definition);
        }
        for decl in game.consts.values() {
            union.touch(decl.ty);
        }
        for decl in game.vars.values() {
            union.touch(decl.ty);
        }
        for (id, _) in game.consts.iter() {
            if let Ok(dense) = game.dense(game.consts[id].ty, &game.consts[id].value) {
                union.add_all(game.consts[id].ty, &dense.values);
            }
        }
        for decl in game.vars.values() {
            if let Ok(dense) = game.dense(decl.ty, &decl.initial) {
                union.add_all(decl.ty, &dense.values);
            }
        }
        let mut seen = vec![false; game.exprs.len()];
        for (_, edge) in game.automaton.edges() {
            for expr in edge.label.exprs() {
                union.expression(expr, &mut seen);
            }
            match edge.label {
                Label::Compare { lhs, rhs, .. } | Label::Assign { lhs, rhs } => union.meet(lhs, rhs),
                Label::AssignAny { lhs, ty } => {
                    if let Some(left) = expr_type(game, lhs) {
                        union.unify(left, ExprType::Type(ty));
                    }
                }
                Label::Skip | Label::Tag(_) | Label::TagVar(_) | Label::Reach { .. } => {}
            }
        }
        union.finish()
    }

    /// The class of a set type, or of the values at the end of a map type. `None` for types that do not resolve.
    pub fn of(&self, game: &Game, ty: TypeId) -> Option<Class> {
        let leaf = game.shape(ty)?.leaf;
        self.of_set.get(&game.types.resolve(leaf)?).copied()
    }

    /// The members of a class in the order of their numbers.
    pub fn members(&self, class: Class) -> &[Symbol] {
        self.members.get(class).map_or(&[], |m| m)
    }

    /// The number of a symbol in a class.
    pub fn number(&self, class: Class, symbol: Symbol) -> Option<u32> {
        self.numbers.get(class)?.get(&symbol).copied()
    }

    /// Number of classes.
    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// Size of the largest class.
    pub fn largest(&self) -> usize {
        self.members.iter().map(Vec::len).max().unwrap_or(0)
    }
}

struct Union<'g> {
    game: &'g Game,
    /// Parent links over resolved set types.
    parent: FxHashMap<TypeId, TypeId>,
    /// Symbols that meet a class without being in any of its types.
    extras: Vec<(TypeId, Symbol)>,
    shapes: FxHashMap<TypeId, Option<Shape>>,
}

impl Union<'_> {
    fn shape(&mut self, ty: TypeId) -> Option<Shape> {
        let game = self.game;
        self.shapes.entry(ty).or_insert_with(|| game.shape(ty)).clone()
    }

    fn touch(&mut self, ty: TypeId) {
        let Some(shape) = self.shape(ty) else { return };
        for set in shape.keys.into_iter().chain([shape.leaf]) {
            if let Some(set) = self.game.types.resolve(set) {
                self.parent.entry(set).or_insert(set);
            }
        }
    }

    fn root(&mut self, mut set: TypeId) -> TypeId {
        loop {
            let parent = *self.parent.entry(set).or_insert(set);
            if parent == set {
                return set;
            }
            let grandparent = self.parent.get(&parent).copied().unwrap_or(parent);
            self.parent.insert(set, grandparent);
            set = grandparent;
        }
    }

    fn join(&mut self, a: TypeId, b: TypeId) {
        let (Some(a), Some(b)) = (self.game.types.resolve(a), self.game.types.resolve(b)) else { return };
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parent.insert(a.max(b), a.min(b));
        }
    }

    fn add(&mut self, ty: TypeId, symbol: Symbol) {
        if !self.game.types.contains(ty, symbol)
            && let Some(set) = self.game.types.resolve(ty)
        {
            self.extras.push((set, symbol));
        }
    }

    fn add_all(&mut self, ty: TypeId, symbols: &[Symbol]) {
        let Some(shape) = self.shape(ty) else { return };
        for &symbol in symbols {
            self.add(shape.leaf, symbol);
        }
    }

    fn unify(&mut self, a: ExprType, b: ExprType) {
        match (a, b) {
            (ExprType::Type(a), ExprType::Type(b)) => {
                if a == b {
                    return;
                }
                let (Some(a), Some(b)) = (self.shape(a), self.shape(b)) else { return };
                for (&a, &b) in a.keys.iter().zip(&b.keys) {
                    self.join(a, b);
                }
                if a.keys.len() == b.keys.len() {
                    self.join(a.leaf, b.leaf);
                }
            }
            (ExprType::Symbol(symbol), ExprType::Type(ty)) | (ExprType::Type(ty), ExprType::Symbol(symbol)) => {
                if self.game.types.is_set(ty) {
                    self.add(ty, symbol);
                }
            }
            (ExprType::Symbol(_), ExprType::Symbol(_)) => {}
        }
    }

    fn meet(&mut self, a: ExprId, b: ExprId) {
        if let (Some(a), Some(b)) = (expr_type(self.game, a), expr_type(self.game, b)) {
            self.unify(a, b);
        }
    }

    /// Accesses and casts inside an expression.
    fn expression(&mut self, root: ExprId, seen: &mut [bool]) {
        use rg_ir::ids::Id;
        if seen.get(root.index()).copied().unwrap_or(true) {
            return;
        }
        let game = self.game;
        game.exprs.preorder(root, |id, expr| {
            if std::mem::replace(&mut seen[id.index()], true) {
                return;
            }
            match expr {
                Expr::Access(map, key) => {
                    let key = expr_type(game, key);
                    if let (Some(ExprType::Type(map)), Some(key)) = (expr_type(game, map), key)
                        && let Some((key_ty, _)) = game.types.as_arrow(map)
                    {
                        self.unify(ExprType::Type(key_ty), key);
                    }
                }
                Expr::Cast(ty, inner) => {
                    self.touch(ty);
                    if let Some(inner) = expr_type(game, inner) {
                        self.unify(ExprType::Type(ty), inner);
                    }
                }
                Expr::Const(_) | Expr::Var(_) | Expr::Symbol(_) => {}
            }
        });
    }

    fn finish(mut self) -> Classes {
        // The system players are values of `player`, whatever its type says.
        let game = self.game;
        if let Some(player) = game.symbols.get("player").and_then(|name| game.find_var(name)) {
            for name in ["keeper", "random"] {
                if let Some(symbol) = game.symbols.get(name) {
                    self.add(game.vars[player].ty, symbol);
                }
            }
        }
        let mut sets: Vec<TypeId> = self.parent.keys().copied().collect();
        sets.sort_by_key(|&set| (game.types.members(set).len(), set));
        let mut classes = Classes::default();
        let mut by_root: FxHashMap<TypeId, Class> = FxHashMap::default();
        for set in sets {
            let root = self.root(set);
            let class = *by_root.entry(root).or_insert_with(|| {
                classes.members.push(Vec::new());
                classes.numbers.push(FxHashMap::default());
                classes.members.len() - 1
            });
            classes.of_set.insert(set, class);
            for &symbol in game.types.members(set) {
                classes.insert(class, symbol);
            }
        }
        for (set, symbol) in std::mem::take(&mut self.extras) {
            if let Some(&class) = classes.of_set.get(&set) {
                classes.insert(class, symbol);
            }
        }
        classes
    }
}

impl Classes {
    fn insert(&mut self, class: Class, symbol: Symbol) {
        if let (Some(members), Some(numbers)) = (self.members.get_mut(class), self.numbers.get_mut(class)) {
            numbers.entry(symbol).or_insert_with(|| {
                members.push(symbol);
                members.len() as u32 - 1
            });
        }
    }
}
