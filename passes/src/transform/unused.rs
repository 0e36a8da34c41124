//! Declarations that nothing refers to (catalogue of passes, 1.3 and 1.4).

use crate::effects::Builtins;
use crate::pass::{Context, Level, Pass};
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{ConstId, Expr, ExprId, Game, Label, Pragma, Symbol, TypeDeclId, TypeId, TypeKind, Value, VarId};
use rustc_hash::FxHashSet;

/// Removes variables, constants and types that nothing mentions.
///
/// ```text
/// type T = { a, b };   const c: T = a;   var v: T = c;   begin, end: player = keeper;
/// ```
/// becomes
/// ```text
/// begin, end: player = keeper;
/// ```
///
/// *Correct*, since no walk depends on a declaration that occurs neither on an edge nor in a declaration that does.
/// Built-in definitions stay. Claims about a variable that goes, and `@integer` lists of symbols that no type has any
/// more, go with it. O(size of the game).
pub struct Unused;

impl Pass for Unused {
    fn name(&self) -> &'static str {
        "unused"
    }

    fn summary(&self) -> &'static str {
        "remove unused variables, constants and types"
    }

    fn level(&self) -> Level {
        Level::Clean
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let used = Used::of(game);
        let all = |used: &FixedBitSet, len: usize| used.count_ones(..) == len;
        let symbols = used.symbols(game);
        let pragmas = game.pragmas.len();
        let vars: FxHashSet<Symbol> =
            game.vars.iter().filter(|(id, _)| used.vars.contains(id.index())).map(|(_, decl)| decl.name).collect();
        let gone = |name: &Symbol| game.find_var(*name).is_some() && !vars.contains(name);
        let stays: Vec<bool> = game.pragmas.iter().map(|decl| stays(game, &decl.pragma, &gone, &symbols)).collect();
        let mut stays = stays.into_iter();
        game.pragmas.retain(|_| stays.next().unwrap_or(true));
        let mut changed = game.pragmas.len() != pragmas;
        if !(all(&used.types, game.type_decls.len())
            && all(&used.consts, game.consts.len())
            && all(&used.vars, game.vars.len()))
        {
            game.retain_declarations(
                |id| used.types.contains(id.index()),
                |id| used.consts.contains(id.index()),
                |id| used.vars.contains(id.index()),
            );
            changed = true;
        }
        changed
    }
}

/// Whether a claim can stay.
fn stays(game: &Game, pragma: &Pragma, gone: &impl Fn(&Symbol) -> bool, symbols: &FxHashSet<Symbol>) -> bool {
    match pragma {
        Pragma::Integer { symbols: listed, .. } => listed.iter().any(|symbol| symbols.contains(symbol)),
        Pragma::Iterator { variable, .. } => !gone(variable),
        Pragma::Repeat { variables, .. } => !variables.iter().any(gone),
        Pragma::SimpleApply { assignments, .. } => !assignments.iter().any(|&(lhs, _)| match game.exprs.root(lhs) {
            Expr::Var(var) => game.vars.get(var).is_some_and(|decl| gone(&decl.name)),
            _ => false,
        }),
        _ => true,
    }
}

/// The declarations that are mentioned, by index.
struct Used {
    types: FixedBitSet,
    consts: FixedBitSet,
    vars: FixedBitSet,
    seen_types: FixedBitSet,
    seen_exprs: FixedBitSet,
}

impl Used {
    fn of(game: &Game) -> Self {
        let mut used = Self {
            types: FixedBitSet::with_capacity(game.type_decls.len()),
            consts: FixedBitSet::with_capacity(game.consts.len()),
            vars: FixedBitSet::with_capacity(game.vars.len()),
            seen_types: FixedBitSet::with_capacity(game.types.len()),
            seen_exprs: FixedBitSet::with_capacity(game.exprs.len()),
        };
        for name in ["Player", "Score", "Bool", "Goals", "Visibility", "PlayerOrSystem"] {
            if let Some(decl) = game.symbols.get(name).and_then(|name| game.types.declaration(name)) {
                used.type_decl(game, decl);
            }
        }
        let builtins = Builtins::of(game);
        for var in [builtins.player, builtins.goals, builtins.visible].into_iter().flatten() {
            used.var(game, var);
        }
        for (_, edge) in game.automaton.edges() {
            edge.label.exprs().for_each(|expr| used.expr(game, expr));
            match edge.label {
                Label::AssignAny { ty, .. } => used.ty(game, ty),
                Label::TagVar(var) => used.var(game, var),
                _ => {}
            }
        }
        // What a claim computes with stays as long as the claim; what it assigns does not.
        for decl in &game.pragmas {
            if let Pragma::SimpleApply { assignments, tags, .. } = &decl.pragma {
                for &(lhs, rhs) in assignments {
                    used.indices(game, lhs);
                    used.expr(game, rhs);
                }
                tags.iter().filter_map(|tag| tag.ty).for_each(|ty| used.ty(game, ty));
            }
        }
        used
    }

    /// The symbols of the types that stay.
    fn symbols(&self, game: &Game) -> FxHashSet<Symbol> {
        let ids = self.seen_types.ones().map(TypeId::from_index);
        let sets = ids.filter_map(|id| match game.types.kind(id) {
            TypeKind::Set(members) => Some(members),
            TypeKind::Name(_) | TypeKind::Arrow(..) => None,
        });
        sets.flat_map(|members| members.iter().copied()).collect()
    }

    fn indices(&mut self, game: &Game, mut lhs: ExprId) {
        loop {
            match game.exprs.get(lhs) {
                Expr::Access(map, key) => {
                    self.expr(game, key);
                    lhs = map;
                }
                Expr::Cast(ty, inner) => {
                    self.ty(game, ty);
                    lhs = inner;
                }
                Expr::Var(_) | Expr::Const(_) | Expr::Symbol(_) => return,
            }
        }
    }

    fn expr(&mut self, game: &Game, root: ExprId) {
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            if self.seen_exprs.put(id.index()) {
                continue;
            }
            match game.exprs.get(id) {
                Expr::Access(map, key) => stack.extend([map, key]),
                Expr::Cast(ty, inner) => {
                    self.ty(game, ty);
                    stack.push(inner);
                }
                Expr::Var(var) => self.var(game, var),
                Expr::Const(constant) => self.constant(game, constant),
                Expr::Symbol(_) => {}
            }
        }
    }

    fn var(&mut self, game: &Game, var: VarId) {
        if let (Some(decl), false) = (game.vars.get(var), self.vars.put(var.index())) {
            self.ty(game, decl.ty);
            self.value(game, &decl.initial);
        }
    }

    fn constant(&mut self, game: &Game, constant: ConstId) {
        if let (Some(decl), false) = (game.consts.get(constant), self.consts.put(constant.index())) {
            self.ty(game, decl.ty);
            self.value(game, &decl.value);
        }
    }

    fn value(&mut self, game: &Game, value: &Value) {
        let mut stack = vec![value];
        while let Some(value) = stack.pop() {
            match value {
                Value::Symbol(_) => {}
                Value::Map(literal) => stack.extend(literal.entries.iter().map(|(_, value)| value)),
                Value::Const(constant) => {
                    if let (Some(decl), false) = (game.consts.get(*constant), self.consts.put(constant.index())) {
                        self.ty(game, decl.ty);
                        stack.push(&decl.value);
                    }
                }
            }
        }
    }

    fn type_decl(&mut self, game: &Game, decl: TypeDeclId) {
        if let (Some(definition), false) = (game.type_decls.get(decl), self.types.put(decl.index())) {
            self.ty(game, definition.definition);
        }
    }

    fn ty(&mut self, game: &Game, ty: TypeId) {
        let mut stack = vec![ty];
        while let Some(ty) = stack.pop() {
            if self.seen_types.put(ty.index()) {
                continue;
            }
            match game.types.kind(ty) {
                TypeKind::Set(_) => {}
                TypeKind::Arrow(key, value) => stack.extend([*key, *value]),
                TypeKind::Name(name) => {
                    if let Some(decl) = game.types.declaration(*name)
                        && !self.types.put(decl.index())
                    {
                        stack.extend(game.type_decls.get(decl).map(|decl| decl.definition));
                    }
                }
            }
        }
    }
}
