//! Map literals one level deep (catalogue of passes, 7.6).

use crate::pass::{Context, Pass, Phase};
use rg_ir::{ConstId, Game, MapLiteral, Symbol, TypeId, Value};
use rustc_hash::FxHashMap;

/// Makes a constant of every map inside a map literal, so that literals are one level deep.
///
/// ```text
/// const m: A -> A -> A = { :{ :a }, b: { :a, b: b } };
/// ```
/// becomes
/// ```text
/// const m_default: A -> A = { :a };   const m_b: A -> A = { :a, b: b };   const m: A -> A -> A = { :m_default, b: m_b };
/// ```
///
/// *Correct*, since a constant in a literal stands for its value. A constant that is declared before and has the same type
/// and value is used again; new ones are declared before their first use. O(size of the literals).
pub struct ConstantForm;

impl Pass for ConstantForm {
    fn name(&self) -> &'static str {
        "constant-form"
    }

    fn summary(&self) -> &'static str {
        "make constants of maps inside map literals"
    }

    fn phase(&self) -> Phase {
        Phase::Request
    }

    fn keeps_claims(&self) -> bool {
        true
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let count = game.consts.len();
        let mut hoist = Hoist { known: FxHashMap::default(), order: Vec::with_capacity(count), found: false };
        for id in game.consts.ids() {
            let (name, ty) = (game.consts[id].name, game.consts[id].ty);
            let stem = game.name(name).to_owned();
            let mut value = std::mem::replace(&mut game.consts[id].value, Value::Symbol(name));
            hoist.parts(game, ty, &mut value, &stem);
            if let Some(key) = key(game, ty, &value) {
                hoist.known.entry(key).or_insert(id);
            }
            game.consts[id].value = value;
            hoist.order.push(id);
        }
        for id in game.vars.ids() {
            let (name, ty) = (game.vars[id].name, game.vars[id].ty);
            let stem = game.name(name).to_owned();
            let mut initial = std::mem::replace(&mut game.vars[id].initial, Value::Symbol(name));
            hoist.parts(game, ty, &mut initial, &stem);
            game.vars[id].initial = initial;
        }
        if game.consts.len() > count {
            game.order_constants(&hoist.order);
        }
        hoist.found
    }
}

/// What makes two literals equal: their type, and their entries in order of the keys.
type Key = (TypeId, Vec<(Option<Symbol>, Leaf)>);

/// An entry of a literal that is one level deep.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Leaf {
    Symbol(Symbol),
    Const(ConstId),
}

struct Hoist {
    /// Constants that may be used from here on.
    known: FxHashMap<Key, ConstId>,
    /// All constants, old and new, in their new order.
    order: Vec<ConstId>,
    /// Whether a literal was not in normal form.
    found: bool,
}

impl Hoist {
    /// Makes constants of the maps in `value`. A valid literal nests as deep as its type; what is deeper is left alone.
    fn parts(&mut self, game: &mut Game, ty: TypeId, value: &mut Value, stem: &str) {
        let (Value::Map(MapLiteral { entries }), Some(_)) = (value, game.shape(ty)) else { return };
        let Some((_, part_ty)) = game.types.as_arrow(ty) else { return };
        for (entry, part) in entries {
            if !matches!(part, Value::Map(_)) {
                continue;
            }
            let stem = format!("{stem}_{}", entry.map_or("default", |key| game.name(key)));
            self.parts(game, part_ty, part, &stem);
            let Some(key) = key(game, part_ty, part) else { continue };
            self.found = true;
            let id = self.known.get(&key).copied().unwrap_or_else(|| {
                let name = game.fresh_name(&stem);
                let id = game.add_const(name, part_ty, part.clone(), rg_ir::Span::NONE);
                self.order.push(id);
                self.known.insert(key, id);
                id
            });
            *part = Value::Const(id);
        }
    }
}

/// The key of a map literal that is one level deep; `None` for anything else.
fn key(game: &Game, ty: TypeId, value: &Value) -> Option<Key> {
    let Value::Map(MapLiteral { entries }) = value else { return None };
    let leaf = |value: &Value| match *value {
        Value::Symbol(symbol) => Some(Leaf::Symbol(symbol)),
        Value::Const(id) => Some(Leaf::Const(id)),
        Value::Map(_) => None,
    };
    let entries = entries.iter().map(|(key, value)| Some((*key, leaf(value)?)));
    let mut entries = entries.collect::<Option<Vec<_>>>()?;
    entries.sort_unstable();
    Some((game.types.resolve(ty)?, entries))
}
