//! Constant maps behind constant maps (catalogue of passes, 3.4).

use crate::pass::{Context, Pass};
use crate::scratch::well_typed;
use crate::tables::{Table, Tables, literal};
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{ConstId, Expr, ExprId, Game, Span, Symbol, TypeId, Value};
use rustc_hash::FxHashMap;

/// Most cells of a new map, spare ones included.
const MAX_CELLS: usize = 1 << 13;

/// Most cells of all new maps of a run.
const MAX_TOTAL: usize = 1 << 20;

/// Longest name made of the names of two maps.
const MAX_NAME: usize = 40;

/// Replaces accesses to one constant map behind another by a single access to a new constant, and rows of constant maps
/// at known keys by constants.
///
/// ```text
/// const up: T -> T = { :c, a: b };   const dir: P -> T -> T = { :{ :a }, p: up };
/// x, y: board[up[up[v]]] == board[dir[p][v]];   y, end: player = keeper;
/// ```
/// becomes
/// ```text
/// const up: T -> T = { :c, a: b };   const up_up: T -> T = { :c };
/// x, y: board[up_up[v]] == board[up[v]];   y, end: player = keeper;
/// ```
///
/// *Correct*, since the new map is computed with the same look-ups, for every key of the inner map, and once more for the
/// default it gives outside its keys, which the outer map is then read at; so every read gives the same symbol. Equal maps
/// of one type become one constant. A new map has at most [`MAX_CELLS`] cells, and all of a run [`MAX_TOTAL`].
/// O(expressions + cells of the maps).
pub struct Compose;

impl Pass for Compose {
    fn name(&self) -> &'static str {
        "compose"
    }

    fn summary(&self) -> &'static str {
        "compose constant maps that are applied one after the other"
    }

    fn run(&self, game: &mut Game, context: &mut Context) -> bool {
        let parts = parts(game);
        let consts = game.consts.len();
        let mut composer = Composer::default();
        let mut new: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        for id in parts {
            let of = |part: ExprId| new.get(&part).copied().unwrap_or(part);
            let built = match game.exprs.get(id) {
                Expr::Access(map, key) => {
                    let (map, key) = (of(map), of(key));
                    composer.access(game, map, key).unwrap_or_else(|| game.exprs.intern(Expr::Access(map, key)))
                }
                Expr::Cast(ty, inner) => {
                    let inner = of(inner);
                    game.exprs.intern(Expr::Cast(ty, inner))
                }
                Expr::Const(_) | Expr::Var(_) | Expr::Symbol(_) => id,
            };
            if built != id {
                new.insert(id, built);
            }
        }
        if composer.cells > MAX_TOTAL {
            context.note(format!("new maps would have more than {MAX_TOTAL} cells"));
        }
        let changed = relabel(game, &new);
        if !changed && game.consts.len() > consts {
            // No label can use them; left there, they would be work for other passes, and then for this one again.
            game.retain_declarations(|_| true, |id| id.index() < consts, |_| true);
        }
        changed
    }
}

/// All expressions on edges, parts before what they are part of.
fn parts(game: &Game) -> Vec<ExprId> {
    let mut seen = FixedBitSet::with_capacity(game.exprs.len());
    let mut stack: Vec<ExprId> = game.automaton.edges().flat_map(|(_, edge)| edge.label.exprs()).collect();
    while let Some(id) = stack.pop() {
        if !seen.put(id.index()) {
            match game.exprs.get(id) {
                Expr::Access(map, key) => stack.extend([map, key]),
                Expr::Cast(_, inner) => stack.push(inner),
                Expr::Const(_) | Expr::Var(_) | Expr::Symbol(_) => {}
            }
        }
    }
    seen.ones().map(ExprId::from_index).collect()
}

/// Puts new expressions into labels where they are well typed; whether any label changed.
fn relabel(game: &mut Game, new: &FxHashMap<ExprId, ExprId>) -> bool {
    if new.is_empty() {
        return false;
    }
    let changes: Vec<_> = game
        .automaton
        .edges()
        .filter_map(|(id, edge)| {
            let mut label = edge.label;
            label.map_exprs(|expr| new.get(&expr).copied().unwrap_or(expr));
            (label != edge.label && well_typed(game, &label)).then_some((id, label))
        })
        .collect();
    changes.iter().for_each(|&(id, label)| game.automaton.set_label(id, label));
    !changes.is_empty()
}

/// New constants by what they are made of.
#[derive(Default)]
struct Composer {
    tables: Tables,
    rows: FxHashMap<(ConstId, Symbol), Option<ConstId>>,
    pairs: FxHashMap<(ConstId, ConstId), Option<ConstId>>,
    /// All constants by type and table; made when the first new one is.
    known: Option<FxHashMap<(TypeId, Vec<Symbol>), ConstId>>,
    cells: usize,
}

impl Composer {
    /// One access instead of `map[key]`, whose parts are composed already.
    fn access(&mut self, game: &mut Game, map: ExprId, key: ExprId) -> Option<ExprId> {
        let Expr::Const(outer) = game.exprs.get(uncast(game, map)) else { return None };
        let key = uncast(game, key);
        if let Expr::Symbol(symbol) = game.exprs.get(key) {
            let row = match self.rows.get(&(outer, symbol)) {
                Some(&row) => row,
                None => {
                    let row = self.row(game, outer, symbol);
                    self.rows.insert((outer, symbol), row);
                    row
                }
            }?;
            return Some(game.exprs.intern(Expr::Const(row)));
        }
        let (mut keys, mut at) = (Vec::new(), key);
        let inner = loop {
            match game.exprs.get(at) {
                Expr::Access(map, key) => {
                    keys.push(key);
                    at = map;
                }
                Expr::Cast(_, inner) => at = inner,
                Expr::Const(inner) => break inner,
                Expr::Var(_) | Expr::Symbol(_) => return None,
            }
        };
        if keys.is_empty() {
            return None;
        }
        let pair = match self.pairs.get(&(outer, inner)) {
            Some(&pair) => pair,
            None => {
                let pair = self.pair(game, outer, inner);
                self.pairs.insert((outer, inner), pair);
                pair
            }
        }?;
        let map = game.exprs.intern(Expr::Const(pair));
        Some(keys.into_iter().rev().fold(map, |map, key| game.exprs.intern(Expr::Access(map, key))))
    }

    /// The constant that `map[key]` is, a row of a map of several levels.
    fn row(&mut self, game: &mut Game, map: ConstId, key: Symbol) -> Option<ConstId> {
        let (_, ty) = game.types.as_arrow(game.consts.get(map)?.ty)?;
        game.types.as_arrow(ty)?;
        // The row may be a constant already.
        if let Value::Map(literal) = &game.consts.get(map)?.value {
            let entry = literal.entries.iter().find(|(entry, _)| *entry == Some(key)).map(|(_, value)| value);
            if let Some(Value::Const(row)) = entry.or_else(|| literal.default_value())
                && game.consts.get(*row).is_some_and(|decl| game.types.same(decl.ty, ty))
            {
                return Some(*row);
            }
        }
        let table = self.tables.constant(game, map)?;
        let row = table.row(key)?.to_vec();
        let dims = table.dense.dims.get(1..)?.to_vec();
        let name = format!("{}_{}", game.name(game.consts.get(map)?.name), game.name(key));
        self.constant(game, &name, ty, &dims, row)
    }

    /// The constant for `outer[inner[..]]`.
    fn pair(&mut self, game: &mut Game, outer: ConstId, inner: ConstId) -> Option<ConstId> {
        let (a, b) = (self.tables.constant(game, outer)?, self.tables.constant(game, inner)?);
        let rest = a.dense.dims.get(1..)?;
        let size = rest.iter().try_fold(b.dense.values.len(), |n, &dim| n.checked_mul(dim))?;
        if size > MAX_CELLS || b.dense.dims.is_empty() {
            return None;
        }
        let mut values = Vec::with_capacity(size);
        for &symbol in &b.dense.values {
            values.extend_from_slice(a.row(symbol)?);
        }
        let dims: Vec<usize> = b.dense.dims.iter().chain(rest).copied().collect();
        let (_, value) = game.types.as_arrow(game.consts.get(outer)?.ty)?;
        let ty = b.shape.keys.iter().rev().fold(value, |value, &key| game.types.arrow(key, value));
        let name = format!("{}_{}", game.name(game.consts.get(outer)?.name), game.name(game.consts.get(inner)?.name));
        self.constant(game, &name, ty, &dims, values)
    }

    /// The constant with that table: one there is, or a new one.
    fn constant(
        &mut self,
        game: &mut Game,
        name: &str,
        ty: TypeId,
        dims: &[usize],
        values: Vec<Symbol>,
    ) -> Option<ConstId> {
        let key = (form(game, ty)?, values);
        let tables = &self.tables;
        let known = self.known.get_or_insert_with(|| {
            let mut known = FxHashMap::default();
            for (id, decl) in game.consts.iter() {
                if let (Some(form), Some(table)) = (form_known(game, decl.ty), tables.constant(game, id)) {
                    known.entry((form, table.dense.values.clone())).or_insert(id);
                }
            }
            known
        });
        if let Some(&id) = known.get(&key) {
            return Some(id);
        }
        self.cells = self.cells.saturating_add(key.1.len());
        if self.cells > MAX_TOTAL {
            return None;
        }
        let value = literal(game, ty, dims, &key.1)?;
        let name = game.fresh_name(if name.len() > MAX_NAME { "map" } else { name });
        let id = game.add_const(name, ty, value, Span::NONE);
        known.insert(key, id);
        Some(id)
    }
}

impl Table {
    /// The part of the table below one key of the first level.
    fn row(&self, key: Symbol) -> Option<&[Symbol]> {
        let dim = *self.dense.dims.first()?;
        let stride = self.dense.values.len().checked_div(dim)?;
        let at = self.position(key)?;
        self.dense.values.get(at * stride..(at + 1) * stride)
    }
}

fn uncast(game: &Game, mut id: ExprId) -> ExprId {
    while let Expr::Cast(_, inner) = game.exprs.get(id) {
        id = inner;
    }
    id
}

/// One type for all map types with the same keys, as listed, and the same symbols at the end, as listed.
fn form(game: &mut Game, ty: TypeId) -> Option<TypeId> {
    let shape = game.shape(ty)?;
    let leaf = game.types.resolve(shape.leaf)?;
    shape.keys.iter().rev().try_fold(leaf, |value, &key| {
        let key = game.types.resolve(key)?;
        Some(game.types.arrow(key, value))
    })
}

/// The same, if the game has it already; constants of other types equal no new one.
fn form_known(game: &Game, ty: TypeId) -> Option<TypeId> {
    let shape = game.shape(ty)?;
    let leaf = game.types.resolve(shape.leaf)?;
    shape.keys.iter().rev().try_fold(leaf, |value, &key| game.types.find_arrow(game.types.resolve(key)?, value))
}
