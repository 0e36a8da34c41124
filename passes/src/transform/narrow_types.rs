//! Variables of smaller types.

mod keys;

use crate::analysis::{Ranges, Unsolved, Values};
use crate::effects::{self, Builtins};
use crate::pass::{Context, Pass, Phase};
use crate::scratch::well_typed;
use crate::transform::Unused;
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Expr, Game, Label, Span, Symbol, TypeId, TypeKind, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Gives variables types with just the symbols they can hold.
///
/// ```text
/// type Piece = { empty, white, black, border };   var last: Piece = empty;
/// x, y: last = white;   y, z: last = black;
/// ```
/// becomes
/// ```text
/// type Piece_2 = { empty, white, black };   var last: Piece_2 = empty;
/// x, y: last = white;   y, z: last = black;
/// ```
///
/// The set at the end of a map type is made smaller likewise, and so is `Score`, if only `goals` is of that type. Keys of
/// a map that are never written go if reading outside of the keys gives the same.
/// *Correct*, since the sets of [`Values`] hold every value ever stored, the default of a map and with it what reads
/// outside its keys give included, so the same values are stored; and no label does anything else because of the type of
/// a variable: choices name their own type. A variable keeps its type if some edge would not be well typed any more. The
/// order of symbols, and so the default score, stays. A set of symbols some of which are keys of a map, and some not, is
/// made only if the game has a type for it, since that would make keys harder to number. O(solution of [`Values`] + edges · variables that must keep their
/// type).
pub struct NarrowTypes;

impl Pass for NarrowTypes {
    fn name(&self) -> &'static str {
        "narrow-types"
    }

    fn summary(&self) -> &'static str {
        "give variables types with just the symbols they can hold"
    }

    fn phase(&self) -> Phase {
        Phase::Finish
    }

    fn run(&self, game: &mut Game, context: &mut Context) -> bool {
        let ranges = Ranges::solve(game);
        let Some(values) = Values::solve(game, &ranges) else {
            context.note("too large for value sets at nodes");
            return false;
        };
        let types = game.type_decls.len();
        let mut changed = narrow_variables(game, &values);
        if !changed && game.type_decls.len() > types {
            game.retain_declarations(|id| id.index() < types, |_| true, |_| true);
        }
        changed |= keys::narrow_keys(game, &values);
        changed |= narrow_score(game, &values);
        if changed {
            Unused.run(game, context);
        }
        changed
    }
}

/// Keys of maps that are not needed go early, while it is known which keys are used.
///
/// ```text
/// type Square = { a, b };   type SquareOrNull = { null, a, b };
/// var board: SquareOrNull -> Piece = { :empty, null: border };
/// x, y: board[v] == empty;   y, z: board[v] = white;
/// ```
/// becomes
/// ```text
/// var board: Square -> Piece = { :border, a: empty, b: empty };
/// x, y: board[v] == empty;   y, z: board[v] = white;
/// ```
///
/// *Correct*: see [`NarrowTypes`], which does the same once more in the end. What a comparison says of a variable is not
/// known of the expressions that are read in its place once it is inlined. O(solution of [`Values`] + edges).
pub struct NarrowKeys;

impl Pass for NarrowKeys {
    fn name(&self) -> &'static str {
        "narrow-keys"
    }

    fn summary(&self) -> &'static str {
        "remove keys of maps whose values never change and equal the value outside the keys"
    }

    fn run(&self, game: &mut Game, context: &mut Context) -> bool {
        let candidates = keys::candidates(game);
        if candidates.is_empty() {
            return false;
        }
        match Values::solve_unwritten(game, &Ranges::solve(game), &candidates) {
            Ok(values) => keys::narrow_keys(game, &values),
            Err(Unsolved::TooLarge) => {
                context.note("too large for value sets at nodes");
                false
            }
            Err(Unsolved::Written) => false,
        }
    }
}

/// Changes the types of variables; whether any was changed.
fn narrow_variables(game: &mut Game, values: &Values) -> bool {
    let (builtins, keys) = (Builtins::of(game), key_types(game));
    let mut old: FxHashMap<VarId, (TypeId, Value)> = FxHashMap::default();
    for id in game.vars.ids() {
        let range = values.ever(id);
        if builtins.contains(id) || range.is_empty() {
            continue;
        }
        let Some(decl) = game.vars.get(id).cloned() else { continue };
        let Some(shape) = game.shape(decl.ty) else { continue };
        if range.len() >= game.types.members(shape.leaf).len() || !inside(game, shape.leaf, &range) {
            continue;
        }
        let fresh = keys.iter().all(|&key| nested(game, key, &range));
        let Some(leaf) = set_type(game, shape.leaf, &range, fresh) else { continue };
        let ty = shape.keys.iter().rev().fold(leaf, |value, &key| game.types.arrow(key, value));
        let initial = match spelled_out(game, &decl.initial) {
            // An initial value that nobody reads may be any other.
            Value::Symbol(symbol) if range.binary_search(&symbol).is_err() => match range.first() {
                Some(&symbol) => Value::Symbol(symbol),
                None => continue,
            },
            initial => initial,
        };
        old.insert(id, (decl.ty, decl.initial));
        if let Some(decl) = game.vars.values_mut().nth(id.index()) {
            (decl.ty, decl.initial) = (ty, initial);
        }
    }
    let edges = mentioning(game, &old);
    // A variable that goes back to its old type may make edges with others ill typed.
    loop {
        let wrong = edges.iter().filter(|(id, _)| !well_typed(game, &game.automaton.edge(*id).label));
        let wrong: Vec<VarId> = wrong.flat_map(|(_, vars)| vars).copied().filter(|var| old.contains_key(var)).collect();
        if wrong.is_empty() {
            return !old.is_empty();
        }
        for var in wrong {
            if let (Some((ty, initial)), Some(decl)) = (old.remove(&var), game.vars.values_mut().nth(var.index())) {
                (decl.ty, decl.initial) = (ty, initial);
            }
        }
    }
}

/// The edges that mention one of the variables, with those.
fn mentioning(game: &Game, vars: &FxHashMap<VarId, (TypeId, Value)>) -> Vec<(EdgeId, Vec<VarId>)> {
    let mut edges = Vec::new();
    for (id, edge) in game.automaton.edges() {
        let mut mentioned = Vec::new();
        for expr in edge.label.exprs() {
            effects::variables(game, expr, &mut |var| mentioned.extend(vars.contains_key(&var).then_some(var)));
        }
        if !mentioned.is_empty() {
            edges.push((id, mentioned));
        }
    }
    edges
}

/// The key types of all maps.
fn key_types(game: &Game) -> Vec<TypeId> {
    let types = game.vars.values().map(|decl| decl.ty).chain(game.consts.values().map(|decl| decl.ty));
    let keys = types.filter_map(|ty| game.shape(ty)).flat_map(|shape| shape.keys);
    let mut keys: Vec<TypeId> = keys.filter_map(|key| game.types.resolve(key)).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// Whether a set type with these symbols leaves the keys as easy to number as they are: engines give the first numbers
/// to the members of the smallest of the types that meet, so larger key types should have all of them, or none.
fn nested(game: &Game, key: TypeId, range: &[Symbol]) -> bool {
    let inside = range.iter().filter(|&&symbol| game.types.contains(key, symbol)).count();
    inside == 0 || inside == range.len() || game.types.members(key).len() <= range.len()
}

/// Whether all symbols are members of the type; in an improper game they need not be.
fn inside(game: &Game, ty: TypeId, range: &[Symbol]) -> bool {
    range.iter().all(|&symbol| game.types.contains(ty, symbol))
}

/// A named type smaller than `ty` with the symbols of `range`: if `fresh`, with these only, in their order; else the
/// smallest the game has, if any.
fn set_type(game: &mut Game, ty: TypeId, range: &[Symbol], fresh: bool) -> Option<TypeId> {
    let within = |symbol: &Symbol| range.binary_search(symbol).is_ok();
    let size = game.types.members(ty).len();
    let fits = |id: TypeId| {
        let members = game.types.members(id);
        members.len() < size
            && members.iter().filter(|symbol| within(symbol)).count() == range.len()
            && game.types.subset(id, ty)
    };
    let known = game.type_decls.values().filter(|decl| fits(decl.definition));
    let least = known.min_by_key(|decl| game.types.members(decl.definition).len());
    if let Some(decl) = least
        && (!fresh || game.types.members(decl.definition).len() == range.len())
    {
        let name = decl.name;
        return Some(game.types.name(name));
    }
    if !fresh {
        return None;
    }
    let members: Vec<Symbol> = game.types.members(ty).iter().copied().filter(within).collect();
    let set = game.types.set(members);
    let stem = match *game.types.kind(ty) {
        TypeKind::Name(name) => game.name(name).to_owned(),
        TypeKind::Set(_) | TypeKind::Arrow(..) => "Values".to_owned(),
    };
    let name = game.fresh_name(&stem);
    game.add_type(name, set, Span::NONE);
    Some(game.types.name(name))
}

/// A value without mention of constants, whose types may be larger. Values nest as deep as their type.
fn spelled_out(game: &Game, value: &Value) -> Value {
    match value {
        Value::Symbol(symbol) => Value::Symbol(*symbol),
        Value::Const(id) => game.consts.get(*id).map_or(value.clone(), |decl| spelled_out(game, &decl.value)),
        Value::Map(literal) => {
            let mut literal = literal.clone();
            literal.entries.iter_mut().for_each(|(_, value)| *value = spelled_out(game, value));
            Value::Map(literal)
        }
    }
}

/// Removes scores that nobody can get from `Score`; whether there were any.
fn narrow_score(game: &mut Game, values: &Values) -> bool {
    let find = |name: &str| game.symbols.get(name).and_then(|name| game.types.declaration(name));
    let (Some(score), Some(goals)) = (find("Score"), Builtins::of(game).goals) else { return false };
    let range = values.ever(goals);
    let leaf = game.vars.get(goals).and_then(|decl| game.shape(decl.ty)).map(|shape| game.types.kind(shape.leaf));
    if !matches!(leaf, Some(TypeKind::Name(name)) if game.name(*name) == "Score") {
        return false;
    }
    let Some(decl) = game.type_decls.get(score) else { return false };
    let (name, definition) = (decl.name, decl.definition);
    let members = game.types.members(definition);
    if range.is_empty() || range.len() >= members.len() || !inside(game, definition, &range) || uses(game, name, goals)
    {
        return false;
    }
    let members: Vec<Symbol> = members.iter().copied().filter(|symbol| range.binary_search(symbol).is_ok()).collect();
    let set = game.types.set(members);
    redefine(game, score.index(), set);
    let typed = game.automaton.edges().all(|(_, edge)| well_typed(game, &edge.label));
    if !typed {
        redefine(game, score.index(), definition);
    }
    typed
}

/// Gives the type declaration with that index a new definition.
fn redefine(game: &mut Game, index: usize, definition: TypeId) {
    if let Some(decl) = game.type_decls.values_mut().nth(index) {
        decl.definition = definition;
    }
    // Names are bound anew.
    game.retain_declarations(|_| true, |_| true, |_| true);
}

/// Whether anything but `goals` and the types of built-in variables is of the type `name`.
fn uses(game: &Game, name: Symbol, goals: VarId) -> bool {
    let mentions = |ty: TypeId| {
        let (mut seen, mut stack) = (FxHashSet::default(), vec![ty]);
        while let Some(ty) = stack.pop() {
            match game.types.kind(ty) {
                _ if !seen.insert(ty) => {}
                TypeKind::Name(other) if *other == name => return true,
                TypeKind::Name(other) => stack.extend(
                    game.types.declaration(*other).and_then(|id| game.type_decls.get(id)).map(|decl| decl.definition),
                ),
                TypeKind::Arrow(key, value) => stack.extend([*key, *value]),
                TypeKind::Set(_) => {}
            }
        }
        false
    };
    let declared = game.consts.values().any(|decl| mentions(decl.ty))
        || game.vars.iter().any(|(id, decl)| id != goals && mentions(decl.ty));
    let mut cast = false;
    for (_, edge) in game.automaton.edges() {
        if let Label::AssignAny { ty, .. } = edge.label {
            cast |= mentions(ty);
        }
        for expr in edge.label.exprs() {
            game.exprs.preorder(expr, |_, expr| cast |= matches!(expr, Expr::Cast(ty, _) if mentions(ty)));
        }
    }
    declared || cast
}
