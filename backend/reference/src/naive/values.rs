//! Values and places of the naive engine (section 7).

use super::{Cells, Naive, Space, Val, invalid};
use engine::Error;
use rg_ir::ids::Id;
use rg_ir::invariant::Invariant;
use rg_ir::{Expr, ExprId, Symbol, TypeId, VarId};

impl Naive {
    /// Position of a key in the table of a map type; the spare position if it is no key.
    pub(super) fn key(&self, ty: TypeId, key: Symbol) -> Option<usize> {
        let (key_ty, _) = self.game.types.as_arrow(ty)?;
        let positions = self.positions.get(&self.game.types.resolve(key_ty)?)?;
        Some(positions.get(&key).copied().unwrap_or(positions.len()))
    }

    /// Number of entries of the table of a type.
    pub(super) fn size(&self, ty: TypeId) -> usize {
        let keys = self.game.shape(ty).map(|s| s.keys).unwrap_or_default();
        keys.iter().map(|&k| self.game.types.members(k).len() + 1).product()
    }

    /// A cell of a variable as it is written in the language, from its distance to the variable's first cell.
    pub(super) fn place_text(&self, var: VarId, mut distance: usize) -> String {
        let decl = &self.game.vars[var];
        let mut text = self.game.name(decl.name).to_owned();
        let mut ty = decl.ty;
        while let Some((key_ty, value_ty)) = self.game.types.as_arrow(ty) {
            let size = self.size(value_ty).max(1);
            let key = self.game.types.members(key_ty).get(distance / size);
            text.push_str(&format!("[{}]", key.map_or("…", |&key| self.game.name(key))));
            distance %= size;
            ty = value_ty;
        }
        text
    }

    pub(super) fn read(&self, cells: &[u32], space: Space, offset: usize) -> u32 {
        match space {
            Space::State => cells.get(offset).copied().invariant_or(0, "a place in the state is one of its cells"),
            Space::Const(id) => self.consts[id]
                .values
                .get(offset)
                .map(|s| s.index() as u32)
                .invariant_or(0, "a place in a constant is one of its entries"),
        }
    }

    pub(super) fn load(&self, cells: &[u32], space: Space, offset: usize, ty: TypeId) -> Val {
        if self.game.types.is_set(ty) {
            Val::Symbol(self.read(cells, space, offset))
        } else {
            Val::Map { space, offset, ty }
        }
    }

    pub(super) fn eval(&self, cells: &[u32], expr: ExprId) -> Result<Val, Error> {
        match self.game.exprs.get(expr) {
            Expr::Symbol(symbol) => Ok(Val::Symbol(symbol.index() as u32)),
            Expr::Const(id) => Ok(self.load(cells, Space::Const(id), 0, self.game.consts[id].ty)),
            Expr::Var(id) => Ok(self.load(cells, Space::State, self.offsets[id], self.game.vars[id].ty)),
            Expr::Cast(_, inner) => self.eval(cells, inner),
            Expr::Access(map, key) => {
                let (map, key) = (self.eval(cells, map)?, self.eval(cells, key)?);
                let (Val::Map { space, offset, ty }, Val::Symbol(key)) = (map, key) else {
                    return Err(invalid("an access needs a map and a symbol"));
                };
                let value_ty = self.game.types.as_arrow(ty).map(|(_, v)| v).ok_or_else(|| invalid("not a map"))?;
                let position = self.key(ty, Symbol::from_index(key as usize)).ok_or_else(|| invalid("not a map"))?;
                Ok(self.load(cells, space, offset + position * self.size(value_ty), value_ty))
            }
        }
    }

    /// Where a left-hand side points: offset and type, or `None` for a key outside the key type (such writes are
    /// ignored).
    pub(super) fn place(&self, cells: &[u32], lhs: ExprId) -> Result<Option<(usize, TypeId)>, Error> {
        match self.game.exprs.get(lhs) {
            Expr::Var(id) => Ok(Some((self.offsets[id], self.game.vars[id].ty))),
            Expr::Cast(_, inner) => self.place(cells, inner),
            Expr::Access(map, key) => {
                let key = self.eval(cells, key)?;
                let Some((offset, ty)) = self.place(cells, map)? else { return Ok(None) };
                let (Some((key_ty, value_ty)), Val::Symbol(key)) = (self.game.types.as_arrow(ty), key) else {
                    return Err(invalid("an access needs a map and a symbol"));
                };
                let key = Symbol::from_index(key as usize);
                if !self.game.types.contains(key_ty, key) {
                    return Ok(None);
                }
                let position = self.key(ty, key).ok_or_else(|| invalid("not a map"))?;
                Ok(Some((offset + position * self.size(value_ty), value_ty)))
            }
            Expr::Const(_) | Expr::Symbol(_) => Err(invalid("only variables can be assigned")),
        }
    }

    pub(super) fn equal(&self, cells: &[u32], a: Val, b: Val) -> bool {
        match (a, b) {
            (Val::Symbol(a), Val::Symbol(b)) => a == b,
            (Val::Map { space: sa, offset: oa, ty: ta }, Val::Map { space: sb, offset: ob, ty: tb }) => {
                let (Some((ka, va)), Some((kb, vb))) = (self.game.types.as_arrow(ta), self.game.types.as_arrow(tb))
                else {
                    return false;
                };
                let keys = self.game.types.members(ka).iter().chain(self.game.types.members(kb));
                keys.into_iter().all(|&key| {
                    let (Some(ia), Some(ib)) = (self.key(ta, key), self.key(tb, key)) else { return false };
                    let a = self.load(cells, sa, oa + ia * self.size(va), va);
                    let b = self.load(cells, sb, ob + ib * self.size(vb), vb);
                    self.equal(cells, a, b)
                })
            }
            _ => false,
        }
    }

    /// Collects the writes of `value` to the table of type `ty` at `offset`, the spare entries included.
    pub(super) fn writes(&self, cells: &[u32], offset: usize, ty: TypeId, value: Val, out: &mut Vec<(usize, u32)>) {
        match value {
            Val::Symbol(symbol) => out.push((offset, symbol)),
            Val::Map { space, offset: from, ty: from_ty } => {
                let types = &self.game.types;
                let (Some((key_ty, value_ty)), Some((_, from_value))) = (types.as_arrow(ty), types.as_arrow(from_ty))
                else {
                    return;
                };
                let members = types.members(key_ty);
                let spare = self.size(from_ty) / self.size(from_value).max(1) - 1;
                let rows = members.iter().map(|&key| self.key(from_ty, key).unwrap_or(spare)).chain([spare]);
                for (i, row) in rows.enumerate() {
                    let value = self.load(cells, space, from + row * self.size(from_value), from_value);
                    self.writes(cells, offset + i * self.size(value_ty), value_ty, value, out);
                }
            }
        }
    }

    pub(super) fn assign(&self, cells: &[u32], lhs: ExprId, value: Val) -> Result<Cells, Error> {
        let mut next = cells.to_vec();
        if let Some((offset, ty)) = self.place(cells, lhs)? {
            let mut writes = Vec::new();
            self.writes(cells, offset, ty, value, &mut writes);
            for (at, symbol) in writes {
                if let Some(cell) = next.get_mut(at) {
                    *cell = symbol;
                }
            }
        }
        Ok(next)
    }

    pub(super) fn visibility(&self, cells: &[u32]) -> u64 {
        let (ty, offset) = (self.game.vars[self.visible].ty, self.offsets[self.visible]);
        let sees = |p: &Symbol| self.key(ty, *p).and_then(|i| cells.get(offset + i)) == Some(&self.one);
        self.players.iter().take(64).enumerate().fold(0, |mask, (i, p)| mask | u64::from(sees(p)) << i)
    }
}
