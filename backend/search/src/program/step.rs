//! Steps: the labels of edges with names, types and maps lowered to cells and tables.

use super::layout::{Field, Key, Layout};
use super::{Ex, ExId, FAIL, MapPair, MapRef, Op, Term};
use engine::{Error, ErrorKind};
use passes::analysis::classes::{Class, ExprType, expr_type};
use rg_ir::invariant::Invariant;
use rg_ir::{Expr, ExprId, Game, Label, NodeId, Symbol, VarId};
use rustc_hash::FxHashMap;

/// A pure condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Test {
    /// The value is in the (ascending) list or, negated, is not.
    In { value: ExId, class: Class, list: Vec<u32>, negated: bool },
    /// Two values are equal or, negated, differ.
    Equal { left: ExId, right: ExId, negated: bool },
    /// Whole maps are equal or differ.
    Map { map: u32, key: (ExprId, ExprId), negated: bool },
    /// A reachability check.
    Reach { from: NodeId, to: NodeId, negated: bool },
}

impl Test {
    /// Whether the two can never hold at once.
    pub(super) fn excludes(&self, other: &Test) -> bool {
        match (self, other) {
            (Test::In { value: a, list: x, negated: n, .. }, Test::In { value: b, list: y, negated: m, .. })
                if a == b =>
            {
                match (n, m) {
                    (false, false) => x.iter().all(|v| y.binary_search(v).is_err()),
                    (false, true) => x.iter().all(|v| y.binary_search(v).is_ok()),
                    (true, false) => y.iter().all(|v| x.binary_search(v).is_ok()),
                    (true, true) => false,
                }
            }
            _ => self.complements(other),
        }
    }

    /// Whether exactly one of the two holds (a sufficient condition).
    pub(super) fn complements(&self, other: &Test) -> bool {
        let mut flipped = other.clone();
        let (Test::In { negated, .. }
        | Test::Equal { negated, .. }
        | Test::Map { negated, .. }
        | Test::Reach { negated, .. }) = &mut flipped;
        *negated = !*negated;
        *self == flipped
    }
}

/// What an edge does.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Step {
    /// Nothing.
    Skip,
    /// Nothing is ever legal here.
    Never,
    /// A condition.
    Test(Test),
    /// A write to one variable.
    Write { op: Op, var: VarId, scalar: bool },
    /// Writes to one variable, one per value.
    Each { op: Op, var: VarId, scalar: bool },
    /// A tag.
    Tag(Op),
    /// An assignment to `player`: the end of a move, an ordinary write inside checks.
    Finish { op: Op, var: VarId },
}

/// Lowers expressions and labels.
pub(super) struct Lowering<'g> {
    pub(super) game: &'g Game,
    pub(super) layout: Layout,
    pub(super) exprs: Vec<Ex>,
    pub(super) terms: Vec<Term>,
    pub(super) maps: Vec<MapPair>,
    pub(super) names: Vec<Symbol>,
    /// By cell, the variable to which it belongs.
    owners: Vec<Option<VarId>>,
    ex_ids: FxHashMap<ExKey, ExId>,
    lists: FxHashMap<Vec<u32>, u32>,
}

/// Structural key of an [`Ex`]: loads compare by their terms.
#[derive(PartialEq, Eq, Hash)]
enum ExKey {
    Leaf(Ex),
    Load(bool, u32, Vec<Term>),
}

fn invalid(message: &str) -> Error {
    Error::new(ErrorKind::Invalid, "", message)
}

/// Where an expression of map or set type is.
struct Located {
    table: bool,
    base: u32,
    terms: Vec<Term>,
    field: Field,
    level: usize,
    var: Option<VarId>,
}

impl<'g> Lowering<'g> {
    pub(super) fn new(game: &'g Game, layout: Layout) -> Self {
        let mut owners = vec![None; layout.initial.len()];
        for (id, field) in layout.vars.iter() {
            owners.iter_mut().skip(field.offset as usize).take(field.len as usize).for_each(|owner| *owner = Some(id));
        }
        Self {
            game,
            layout,
            exprs: Vec::new(),
            terms: Vec::new(),
            maps: Vec::new(),
            names: Vec::new(),
            owners,
            ex_ids: FxHashMap::default(),
            lists: FxHashMap::default(),
        }
    }

    fn intern(&mut self, ex: Ex) -> ExId {
        let exprs = &mut self.exprs;
        *self.ex_ids.entry(ExKey::Leaf(ex)).or_insert_with(|| {
            exprs.push(ex);
            exprs.len() as u32 - 1
        })
    }

    pub(super) fn constant(&mut self, value: u32) -> ExId {
        self.intern(Ex::Constant(value))
    }

    /// The field of the variable to which a cell belongs.
    pub(super) fn owner(&self, cell: u32) -> Option<&Field> {
        self.layout.vars.get(self.owners.get(cell as usize).copied().flatten()?)
    }

    /// The value of a cell.
    pub(super) fn slot(&mut self, slot: u32) -> ExId {
        self.intern(Ex::Slot(slot))
    }

    fn constant_of(&self, ex: ExId) -> Option<u32> {
        match self.exprs.get(ex as usize) {
            Some(&Ex::Constant(value)) => Some(value),
            _ => None,
        }
    }

    fn push_terms(&mut self, terms: &[Term]) -> (u32, u32) {
        let first = self.terms.len() as u32;
        self.terms.extend_from_slice(terms);
        (first, terms.len() as u32)
    }

    /// `base + Σ terms` as a value.
    pub(super) fn load(&mut self, table: bool, mut base: u32, terms: Vec<Term>) -> ExId {
        // Constant keys are folded into the base.
        let mut rest = Vec::new();
        for term in terms {
            match self.constant_of(term.value) {
                Some(value) => base += self.converted(value, term.convert) * term.stride,
                None => rest.push(term),
            }
        }
        match rest.as_slice() {
            [] if table => {
                let value =
                    self.layout.tables.get(base as usize).copied().invariant_or(0, "a constant entry is in the tables");
                self.constant(value)
            }
            [] => self.intern(Ex::Slot(base)),
            &[Term { value, stride: 1, convert: FAIL, .. }]
                if matches!(self.exprs.get(value as usize), Some(Ex::Slot(_))) =>
            {
                let Some(&Ex::Slot(slot)) = self.exprs.get(value as usize) else { return value };
                self.intern(if table { Ex::Table { base, slot } } else { Ex::Cell { base, slot } })
            }
            _ => {
                if let Some(&id) = self.ex_ids.get(&ExKey::Load(table, base, rest.clone())) {
                    return id;
                }
                let (first, count) = self.push_terms(&rest);
                self.exprs.push(Ex::Load { table, base, first, count });
                let id = self.exprs.len() as u32 - 1;
                self.ex_ids.insert(ExKey::Load(table, base, rest), id);
                id
            }
        }
    }

    fn converted(&self, value: u32, convert: u32) -> u32 {
        if convert == FAIL {
            return value;
        }
        self.layout
            .tables
            .get((convert + value) as usize)
            .copied()
            .invariant_or(0, "every value of a key has a conversion")
    }

    /// Resolves an expression to a place; `None` for a bare symbol.
    fn locate(&mut self, expr: ExprId) -> Result<Option<Located>, Error> {
        let mut keys = Vec::new();
        let mut at = expr;
        let (table, field, var) = loop {
            match self.game.exprs.get(at) {
                Expr::Access(map, key) => {
                    keys.push(key);
                    at = map;
                }
                Expr::Cast(_, inner) => at = inner,
                Expr::Const(id) => break (true, self.layout.consts.get(id).cloned(), None),
                Expr::Var(id) => break (false, self.layout.vars.get(id).cloned(), Some(id)),
                Expr::Symbol(_) if keys.is_empty() => return Ok(None),
                Expr::Symbol(_) => return Err(invalid("a symbol is accessed as a map")),
            }
        };
        let field = field.ok_or_else(|| invalid("an unknown declaration is used"))?;
        let level = keys.len();
        if level > field.keys.len() {
            return Err(invalid("a symbol is accessed as a map"));
        }
        let mut terms = Vec::new();
        for (i, key) in keys.into_iter().rev().enumerate() {
            let Some(&Key { class, count, convert, .. }) = field.keys.get(i) else { continue };
            let value = self.scalar(key, Some(class))?;
            terms.push(Term { value, stride: field.stride(i + 1), convert: convert.unwrap_or(FAIL), count });
        }
        Ok(Some(Located { table, base: field.offset, terms, field, level, var }))
    }

    /// A value of set type. `class` numbers a bare symbol.
    fn scalar(&mut self, expr: ExprId, class: Option<Class>) -> Result<ExId, Error> {
        match self.locate(expr)? {
            Some(located) if located.level == located.field.keys.len() => {
                Ok(self.load(located.table, located.base, located.terms))
            }
            Some(_) => Err(invalid("a map is used where a symbol is needed")),
            None => {
                let mut at = expr;
                while let Expr::Cast(_, inner) = self.game.exprs.get(at) {
                    at = inner;
                }
                let Expr::Symbol(symbol) = self.game.exprs.get(at) else { return Err(invalid("no symbol")) };
                let number = class.and_then(|c| self.layout.classes.number(c, symbol));
                let number = number.ok_or_else(|| invalid("a symbol is compared with an unrelated type"))?;
                Ok(self.constant(number))
            }
        }
    }

    /// Class of an expression's values; `None` for a bare symbol.
    fn class(&self, expr: ExprId) -> Option<Class> {
        match expr_type(self.game, expr)? {
            ExprType::Type(ty) => self.layout.classes.of(self.game, ty),
            ExprType::Symbol(_) => None,
        }
    }

    fn is_map(&self, expr: ExprId) -> bool {
        match expr_type(self.game, expr) {
            Some(ExprType::Type(ty)) => !self.game.types.is_set(ty),
            _ => false,
        }
    }

    /// Lowers a label.
    pub(super) fn step(&mut self, label: Label) -> Result<Step, Error> {
        match label {
            Label::Skip => Ok(Step::Skip),
            Label::Compare { lhs, rhs, negated } => self.compare(lhs, rhs, negated),
            Label::Reach { from, to, negated } => Ok(Step::Test(Test::Reach { from, to, negated })),
            Label::Tag(tag) => Ok(Step::Tag(Op::Tag(tag))),
            Label::TagVar(var) => {
                let field = self.layout.vars.get(var).cloned().filter(|f| f.keys.is_empty());
                let field = field.ok_or_else(|| invalid("a map is used as a tag"))?;
                let names = self.layout.names(field.class, &mut self.names);
                Ok(Step::Tag(Op::TagSlot { slot: field.offset, names }))
            }
            Label::Assign { lhs, rhs } => {
                let Some((op, var, scalar)) = self.assign(lhs, rhs)? else { return Ok(Step::Skip) };
                Ok(if self.game.ends_move(&label) { Step::Finish { op, var } } else { Step::Write { op, var, scalar } })
            }
            Label::AssignAny { lhs, ty } => self.assign_any(lhs, ty),
        }
    }

    fn compare(&mut self, lhs: ExprId, rhs: ExprId, negated: bool) -> Result<Step, Error> {
        if self.is_map(lhs) || self.is_map(rhs) {
            let map = self.map_pair(lhs, rhs, false)?;
            return Ok(Step::Test(Test::Map { map, key: (lhs, rhs), negated }));
        }
        let decided = |holds: bool| if holds { Step::Skip } else { Step::Never };
        let Some(class) = self.class(lhs).or_else(|| self.class(rhs)) else {
            // Two bare symbols.
            let symbol = |expr| expr_type(self.game, expr);
            let (Some(ExprType::Symbol(a)), Some(ExprType::Symbol(b))) = (symbol(lhs), symbol(rhs)) else {
                return Err(invalid("ill-typed comparison"));
            };
            return Ok(decided((a == b) != negated));
        };
        let (left, right) = (self.scalar(lhs, Some(class))?, self.scalar(rhs, Some(class))?);
        if left == right {
            return Ok(decided(!negated));
        }
        let test = match (self.constant_of(left), self.constant_of(right)) {
            (Some(a), Some(b)) => return Ok(decided((a == b) != negated)),
            (None, Some(k)) => Test::In { value: left, class, list: vec![k], negated },
            (Some(k), None) => Test::In { value: right, class, list: vec![k], negated },
            (None, None) => Test::Equal { left: left.min(right), right: left.max(right), negated },
        };
        Ok(Step::Test(test))
    }

    /// The place of a left-hand side, constant keys folded into its base. `None` if such a key is none: writes to there
    /// are ignored.
    fn target(&mut self, lhs: ExprId) -> Result<Option<(Located, VarId)>, Error> {
        let mut located = self.locate(lhs)?.ok_or_else(|| invalid("a symbol is assigned to"))?;
        let var = located.var.ok_or_else(|| invalid("a constant is assigned to"))?;
        for term in std::mem::take(&mut located.terms) {
            match self.constant_of(term.value).map(|value| self.converted(value, term.convert)) {
                Some(position) if position >= term.count => return Ok(None),
                Some(position) => located.base += position * term.stride,
                None => located.terms.push(term),
            }
        }
        Ok(Some((located, var)))
    }

    fn assign(&mut self, lhs: ExprId, rhs: ExprId) -> Result<Option<(Op, VarId, bool)>, Error> {
        let Some((located, var)) = self.target(lhs)? else { return Ok(None) };
        if located.level < located.field.keys.len() {
            let map = self.map_pair(lhs, rhs, true)?;
            return Ok(Some((Op::Copy { map }, var, false)));
        }
        let value = self.scalar(rhs, Some(located.field.class))?;
        if located.terms.is_empty() {
            let slot = located.base;
            let op = match self.exprs.get(value as usize) {
                Some(&Ex::Constant(value)) => Op::SetConstant { slot, value },
                Some(&Ex::Table { base, slot: from }) => Op::SetTable { slot, base, from },
                _ => Op::Set { slot, value },
            };
            return Ok(Some((op, var, located.field.keys.is_empty())));
        }
        if let &[Term { value: key, stride: 1, convert: FAIL, count }] = located.terms.as_slice()
            && let (Some(&Ex::Slot(slot)), Some(value)) = (self.exprs.get(key as usize), self.constant_of(value))
        {
            return Ok(Some((Op::SetCell { base: located.base, slot, value, count }, var, false)));
        }
        let (base, first, count) = self.store_terms(&located);
        Ok(Some((Op::Store { base, first, count, value }, var, false)))
    }

    fn store_terms(&mut self, located: &Located) -> (u32, u32, u32) {
        let (first, count) = self.push_terms(&located.terms);
        (located.base, first, count)
    }

    fn assign_any(&mut self, lhs: ExprId, ty: rg_ir::TypeId) -> Result<Step, Error> {
        let Some((located, var)) = self.target(lhs)? else { return Ok(Step::Skip) };
        if located.level < located.field.keys.len() {
            return Err(invalid("any-assignment to a map"));
        }
        let class = located.field.class;
        let numbers = self.game.types.members(ty).iter().map(|&s| self.layout.classes.number(class, s));
        let values: Vec<u32> =
            numbers.collect::<Option<_>>().ok_or_else(|| invalid("any-assignment of another type"))?;
        let Some((&low, &last)) = values.first().zip(values.last()) else { return Ok(Step::Never) };
        let consecutive = values.iter().zip(low..).all(|(&v, i)| v == i);
        if located.terms.is_empty() && consecutive {
            let op = Op::Each { slot: located.base, low, high: last + 1 };
            return Ok(Step::Each { op, var, scalar: located.field.keys.is_empty() });
        }
        let scalar = located.field.keys.is_empty();
        let len = values.len() as u32;
        let tables = &mut self.layout.tables;
        let list = *self.lists.entry(values).or_insert_with_key(|values| {
            tables.extend(values);
            (tables.len() - values.len()) as u32
        });
        let (base, first, count) = self.store_terms(&located);
        Ok(Step::Each { op: Op::EachStore { base, first, count, list, len }, var, scalar })
    }

    /// A whole-map comparison or (with `copy`) copy.
    fn map_pair(&mut self, lhs: ExprId, rhs: ExprId, copy: bool) -> Result<u32, Error> {
        let mut side = |expr| self.locate(expr)?.ok_or_else(|| invalid("a map and a symbol meet"));
        let (left, right) = (side(lhs)?, side(rhs)?);
        let (left_keys, right_keys) = (left.field.keys.get(left.level..), right.field.keys.get(right.level..));
        let (left_keys, right_keys) = (left_keys.unwrap_or(&[]), right_keys.unwrap_or(&[]));
        if left_keys.len() != right_keys.len() {
            return Err(invalid("maps of different depth meet"));
        }
        let mut pairs = vec![(0u32, 0u32)];
        for (level, (l, r)) in left_keys.iter().zip(right_keys).enumerate() {
            let (lm, rm) = (self.game.types.members(l.set), self.game.types.members(r.set));
            let mut rows: Vec<(u32, u32)> = lm.iter().map(|&s| (self.position(l, s), self.position(r, s))).collect();
            if copy {
                rows.extend((l.count..l.dim).map(|p| (p, r.count.min(r.dim.saturating_sub(1)))));
            } else {
                let only_right = rm.iter().filter(|&&s| !self.game.types.contains(l.set, s));
                rows.extend(only_right.map(|&s| (self.position(l, s), self.position(r, s))));
            }
            let (ls, rs) = (left.field.stride(left.level + level + 1), right.field.stride(right.level + level + 1));
            if pairs.len().saturating_mul(rows.len()) > 1 << 24 {
                return Err(invalid("a map is too large to be copied or compared whole"));
            }
            let wider = pairs.iter().flat_map(|&(a, b)| rows.iter().map(move |&(l, r)| (a + l * ls, b + r * rs)));
            pairs = wider.collect();
        }
        let left = MapRef { table: left.table, base: left.base, terms: self.push_terms(&left.terms) };
        let right = MapRef { table: right.table, base: right.base, terms: self.push_terms(&right.terms) };
        self.maps.push(MapPair { left, right, pairs });
        Ok(self.maps.len() as u32 - 1)
    }

    /// Position of a symbol among the keys, the spare one if it is none.
    fn position(&self, key: &Key, symbol: Symbol) -> u32 {
        let number = self.layout.classes.number(key.class, symbol);
        let spare = key.count.min(key.dim.saturating_sub(1));
        match (number, key.convert) {
            (Some(number), Some(convert)) => self.converted(number, convert),
            (Some(number), None) if number < key.count => number,
            _ => spare,
        }
    }
}
