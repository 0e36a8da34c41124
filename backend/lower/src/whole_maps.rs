//! Maps as values: assignments of a map to a map, and comparisons of two maps.
//!
//! In: two expressions whose types are maps, each a variable or a constant behind some of its keys. Out: which entries the two have in
//! common ([`WholeMaps`]), from which code over sets copies stores ([`Lifter::copy_store`]), and scalar code copies words.
//!
//! A map has *spare* entries for what is not a key of its type. Comparisons leave them out; copies are lowered only where they cannot
//! change them, or where they are never read ([`SpareEntries`](super::spare_entries::SpareEntries)).

use super::lane::{Lane, Store, Val};
use super::numbers::{Form, path};
use super::values::{Stop, fail};
use super::{Failure, Lifter};
use rg_ir::ids::Id;
use rg_ir::{Expr, ExprId, TypeId, VarId};
use wir::{Op, Reg};

/// Most entries of a map that is copied or compared entry by entry.
const MAX_ENTRIES: usize = 256;

/// A map: a variable or constant, or what is left of it behind some keys.
pub(super) struct MapPart {
    pub(super) root: Expr,
    /// The keys that are given, outermost first.
    pub(super) keys: Vec<ExprId>,
    pub(super) form: Form,
    /// Types of the keys that are left.
    left: Vec<TypeId>,
}

/// Two maps with the same keys and values.
pub(super) struct WholeMaps {
    pub(super) lhs: MapPart,
    pub(super) rhs: MapPart,
    /// By entry of either map, whether its keys are keys of the map's type.
    pub(super) is_key: Vec<bool>,
}

impl MapPart {
    /// Whether it is all of a variable or constant.
    pub(super) fn is_all(&self) -> bool {
        self.keys.is_empty()
    }

    /// Whether another map has the same entry at each index.
    pub(super) fn has_rows_of(&self, other: &MapPart) -> bool {
        self.form.rows == other.form.rows && self.form.sizes == other.form.sizes
    }
}

impl WholeMaps {
    /// Makes sure that there are few enough entries for code that treats them one by one.
    pub(super) fn unrolled(&self) -> Result<(), Failure> {
        if self.is_key.len() > MAX_ENTRIES {
            return Err(Failure::new("a map that is used as a value has too many entries"));
        }
        Ok(())
    }
}

impl Lifter<'_> {
    /// The maps that two expressions are; `None` if they are single values.
    ///
    /// # Errors
    /// If the maps have different keys, or too many.
    pub(super) fn whole_maps(&self, lhs: ExprId, rhs: ExprId) -> Result<Option<WholeMaps>, Failure> {
        let (lhs, rhs) = (self.map_part(lhs)?, self.map_part(rhs)?);
        let (lhs, rhs) = match (lhs, rhs) {
            (None, None) => return Ok(None),
            (Some(lhs), Some(rhs)) => (lhs, rhs),
            _ => return Err(Failure::new("a map meets a value")),
        };
        let resolved = |part: &MapPart| part.left.iter().map(|&ty| self.game.types.resolve(ty)).collect::<Vec<_>>();
        let classes = |part: &MapPart| part.form.keys.get(part.keys.len()..).unwrap_or(&[]).to_vec();
        if resolved(&lhs) != resolved(&rhs) || classes(&lhs) != classes(&rhs) || lhs.form.class != rhs.form.class {
            return Err(Failure::new("maps of different types meet"));
        }
        if lhs.is_all() && rhs.is_all() && lhs.form.rows.is_some() && lhs.has_rows_of(&rhs) {
            let is_key = lhs.form.real.to_vec();
            return Ok(Some(WholeMaps { lhs, rhs, is_key }));
        }
        if lhs.form.rows.is_some() || rhs.form.rows.is_some() {
            return Err(Failure::new("maps with tables of different rows meet"));
        }
        let mut is_key = vec![true];
        for (&ty, class) in lhs.left.iter().zip(classes(&lhs)) {
            let ty = self.game.types.resolve(ty).unwrap_or(ty);
            let mut keys = vec![false; self.known.numbers.size(class)];
            for symbol in self.game.types.members(ty) {
                let slot = self.known.numbers.number(class, *symbol).and_then(|number| keys.get_mut(number as usize));
                slot.into_iter().for_each(|slot| *slot = true);
            }
            is_key = is_key.iter().flat_map(|&before| keys.iter().map(move |&key| before && key)).collect();
        }
        Ok(Some(WholeMaps { lhs, rhs, is_key }))
    }

    fn map_part(&self, expr: ExprId) -> Result<Option<MapPart>, Failure> {
        let (root, keys) = path(self.game, expr);
        let (form, ty) = match root {
            Expr::Var(var) => (self.known.numbers.vars.get(var), self.game.vars.get(var).map(|decl| decl.ty)),
            Expr::Const(id) => (self.known.numbers.consts.get(id), self.game.consts.get(id).map(|decl| decl.ty)),
            Expr::Symbol(_) | Expr::Access(..) | Expr::Cast(..) => return Ok(None),
        };
        let (Some(form), Some(shape)) = (form, ty.and_then(|ty| self.game.shape(ty))) else {
            return Err(Failure::new("an unknown declaration is used"));
        };
        let form = form.as_ref().map_err(Failure::clone)?;
        if keys.len() >= form.keys.len() {
            return Ok(None);
        }
        let left = shape.keys.get(keys.len()..).unwrap_or(&[]).to_vec();
        Ok(Some(MapPart { root, keys, form: form.clone(), left }))
    }

    /// Makes sure that a copy changes no spare entry that may matter.
    pub(super) fn may_copy(&self, maps: &WholeMaps) -> Result<(), Failure> {
        let matters = |var: VarId| self.known.spare_entries.is_none_or(|entries| entries.contains(var));
        match maps.lhs.root {
            Expr::Var(var) if !matters(var) => Ok(()),
            _ => Self::keeps_spare_entries(maps),
        }
    }

    /// Makes sure that two maps have the same spare entries, from the start.
    pub(super) fn keeps_spare_entries(maps: &WholeMaps) -> Result<(), Failure> {
        let spare = |part: &MapPart| -> Vec<u32> {
            let entries = part.form.values.iter().zip(maps.is_key.iter().cycle());
            entries.filter(|(_, is_key)| !**is_key).map(|(&value, _)| value).collect()
        };
        let (lhs, rhs) = (spare(&maps.lhs), spare(&maps.rhs));
        let count = maps.is_key.iter().filter(|&&is_key| !is_key).count();
        let first = lhs.get(..count).unwrap_or(&[]);
        let same = |other: &Vec<u32>| count == 0 || other.chunks(count).all(|other| other == first);
        if same(&lhs) && same(&rhs) {
            Ok(())
        } else {
            Err(Failure::new("a copy of a map changes entries that are not keys"))
        }
    }

    /// A copy of a whole map on a lane: `true` if the two expressions were maps.
    pub(super) fn copy_store(&mut self, lane: &mut Lane, lhs: ExprId, rhs: ExprId) -> Result<bool, Stop> {
        let Some(maps) = self.whole_maps(lhs, rhs).map_err(Stop::Fail)? else { return Ok(false) };
        self.may_copy(&maps).map_err(Stop::Fail)?;
        let (Expr::Var(var), true, true) = (maps.lhs.root, maps.lhs.is_all(), maps.rhs.is_all()) else {
            return fail("a part of a map is used");
        };
        let store = match maps.rhs.root {
            Expr::Const(_) => self.constant_store(var, &maps.rhs.form),
            _ => Self::store_of(lane, &maps.rhs)?,
        };
        let Some(slot) = lane.vars.get_mut(var.index()) else { return fail("an unknown variable is written") };
        match (&store, &*slot) {
            (Store::Dead, _) | (_, Store::Dead) => {}
            (Store::Sets(from), Store::Sets(to)) if from.of.len() == to.of.len() => {}
            (Store::Cells(from), Store::Cells(to)) if from.len() == to.len() => {}
            _ => return fail("maps are kept in different forms"),
        }
        *slot = store;
        lane.facts.retain(|fact| fact.var != var);
        if !lane.written.contains(&var) {
            lane.written.push(var);
        }
        Ok(true)
    }

    /// What a map variable holds on a lane.
    fn store_of(lane: &Lane, part: &MapPart) -> Result<Store, Stop> {
        match part.root {
            Expr::Var(var) => match lane.vars.get(var.index()) {
                Some(store @ (Store::Sets(_) | Store::Cells(_) | Store::Dead)) => Ok(store.clone()),
                _ => fail("a variable has no value here"),
            },
            _ => fail("a map is compared with a constant"),
        }
    }

    /// Whether two maps are equal on a lane; `None` if the two expressions are no maps.
    pub(super) fn equal_stores(&mut self, lane: &Lane, lhs: ExprId, rhs: ExprId) -> Result<Option<Reg>, Stop> {
        let Some(maps) = self.whole_maps(lhs, rhs).map_err(Stop::Fail)? else { return Ok(None) };
        if !maps.lhs.is_all() || !maps.rhs.is_all() {
            return fail("a part of a map is used");
        }
        maps.unrolled().map_err(Stop::Fail)?;
        let (a, b) = (Self::store_of(lane, &maps.lhs)?, Self::store_of(lane, &maps.rhs)?);
        let mut same = self.function.builder.constant(1);
        let keys = (0..).zip(&maps.is_key).filter(|(_, is_key)| **is_key).map(|(at, _)| at);
        match (a, b) {
            (Store::Cells(a), Store::Cells(b)) => {
                for at in keys {
                    let (Some(a), Some(b)) = (a.get(at), b.get(at)) else { return fail("an index is too large") };
                    let (a, b) = (self.stored(a)?, self.stored(b)?);
                    let equal = self.function.builder.op(Op::Eq(a, b));
                    same = self.function.builder.and(same, equal);
                }
            }
            (Store::Sets(a), Store::Sets(b))
                if a.pending.is_empty() && b.pending.is_empty() && a.of.len() == b.of.len() =>
            {
                let words = a.of.first().map_or(0, |set| set.len());
                let mask = self.function.builder.constant_set(words, keys);
                let mut differences = self.function.builder.constant_set(words, []);
                for (a, b) in a.of.iter().zip(b.of.iter()) {
                    let (more, less) = (self.function.builder.minus(a, b), self.function.builder.minus(b, a));
                    let different = self.function.builder.either(&more, &less);
                    differences = self.function.builder.either(&differences, &different);
                }
                let differences = self.function.builder.both(&differences, &mask);
                let some = self.is_any(&differences);
                same = self.function.builder.negation(some);
            }
            _ => return fail("maps are kept in different forms"),
        }
        Ok(Some(same))
    }

    fn stored(&mut self, value: &Val) -> Result<Reg, Stop> {
        value.reg(&mut self.function.builder).ok_or(Stop::Choose)
    }
}
