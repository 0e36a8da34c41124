//! What is known on a walk, and the evaluation of expressions there.
//!
//! The board is not known. A walk that reads a square notes what it needs to find there; what it has read last is kept as the set of contents
//! that are possible (`pend`), and becomes a label of the walk when another square is read.

use crate::codes;
use crate::model::{Cell, Model, Refused, Role, Root, invalid, refuse};
use rg_ir::{ExprId, NodeId, Span, Symbol, VarId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A set of contents of squares, by their numbers.
pub(crate) type Mask = u64;

/// Most kinds of contents.
pub(crate) const MAX_CONTENTS: usize = 63;

/// Where something unknown comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Source {
    /// A slot as it was at the beginning of the turn.
    Slot(usize),
    /// What is on a square.
    Cell(Cell),
}

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Val {
    Known(Symbol),
    /// A function of something unknown, by its number.
    Func(usize),
    /// Not of interest.
    Dead,
}

/// What a walk needs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Label {
    /// It begins at a square with that content.
    Origin(Cell, Symbol),
    /// One of these contents is on a square.
    Test(Cell, Mask),
    /// It comes by the square where it began.
    Home(Cell),
}

/// What walks are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    /// The keeper begins the play.
    Setup,
    /// A player moves.
    Move,
    /// The keeper goes on after a move.
    Keeper,
    /// A check whether walks come to the node.
    Check(NodeId),
    /// The same, where no squares may be read that are not known.
    Decide(NodeId),
}

/// What is known on a walk.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Store {
    pub(crate) node: NodeId,
    pub(crate) player: Symbol,
    pub(crate) vals: Vec<Val>,
    /// What was written on the board, by cells.
    pub(crate) writes: Vec<(Cell, Symbol)>,
    /// The square that was read last, and what may be there.
    pub(crate) pend: Option<(Cell, Mask)>,
    /// Where the walk has begun, and with what.
    pub(crate) origin: Option<(Cell, Symbol)>,
    /// The square that the last label is about.
    pub(crate) at: Option<Cell>,
    pub(crate) tags: Vec<Symbol>,
    /// Restrictions of slots: the values that are possible, as bits.
    pub(crate) sets: Vec<(usize, Rc<[u64]>)>,
    /// A check of whether the next player can move, and its answer.
    pub(crate) mobile: Option<(usize, bool)>,
    /// Labels of the step that is being made.
    pub(crate) emitted: Vec<Label>,
}

/// Why a walk cannot go on.
pub(crate) enum Stop {
    Refused(Refused),
    /// It has to read a square that is not known.
    NeedsBoard(Span),
}

impl From<Refused> for Stop {
    fn from(refused: Refused) -> Self {
        Stop::Refused(refused)
    }
}

/// Alternatives.
pub(crate) type Several<T> = Result<Vec<(Store, T)>, Stop>;

/// Contents of squares and functions by their numbers.
pub(crate) struct Known {
    /// Per cell whether it is a square of the board.
    pub(crate) squares: Vec<bool>,
    /// What can be on squares.
    pub(crate) contents: Rc<[Symbol]>,
    funcs: Vec<(Source, Rc<[Symbol]>)>,
    numbers: FxHashMap<(Source, Rc<[Symbol]>), usize>,
}

impl Known {
    pub(crate) fn new(squares: Vec<bool>, contents: Vec<Symbol>) -> Self {
        let contents = contents.into();
        Self { squares, contents, funcs: Vec::new(), numbers: FxHashMap::default() }
    }

    pub(crate) fn everything(&self) -> Mask {
        (1 << self.contents.len()) - 1
    }

    /// The set of one content.
    pub(crate) fn mask(&self, content: Symbol) -> Mask {
        self.contents.iter().position(|&other| other == content).map_or(0, |at| 1 << at)
    }

    pub(crate) fn is_square(&self, cell: Cell) -> bool {
        self.squares.get(cell as usize).copied().unwrap_or(false)
    }

    /// A value per possible input.
    pub(crate) fn func(&mut self, source: Source, table: Rc<[Symbol]>) -> Val {
        if let Some((&first, rest)) = table.split_first()
            && rest.iter().all(|&other| other == first)
        {
            return Val::Known(first);
        }
        let fresh = self.funcs.len();
        let number = *self.numbers.entry((source, table.clone())).or_insert(fresh);
        if number == fresh {
            self.funcs.push((source, table));
        }
        Val::Func(number)
    }

    pub(crate) fn function(&self, number: usize) -> Option<&(Source, Rc<[Symbol]>)> {
        self.funcs.get(number)
    }
}

impl Store {
    /// Whether something unknown may be its value with that number.
    pub(crate) fn allowed(&self, source: Source, at: usize) -> bool {
        match source {
            Source::Slot(slot) => {
                self.sets.iter().find(|(other, _)| *other == slot).is_none_or(|(_, set)| has(set, at))
            }
            Source::Cell(cell) => self.pend.is_some_and(|(pend, mask)| pend == cell && mask >> at & 1 == 1),
        }
    }

    /// The set of a slot with `count` possible values.
    pub(crate) fn set(&self, slot: usize, count: usize) -> Vec<bool> {
        (0..count).map(|at| self.allowed(Source::Slot(slot), at)).collect()
    }

    /// Restricts what something unknown may be; whether anything is left.
    pub(crate) fn restrict(&mut self, source: Source, kept: &[bool]) -> bool {
        let kept: Vec<bool> = kept.iter().enumerate().map(|(at, &kept)| kept && self.allowed(source, at)).collect();
        match source {
            Source::Slot(slot) => self.restrict_slot(slot, &kept),
            Source::Cell(_) => {
                if let Some((_, mask)) = &mut self.pend {
                    *mask = kept.iter().zip(0..).fold(0, |mask, (&kept, at)| mask | Mask::from(kept) << at);
                }
            }
        }
        kept.contains(&true)
    }

    fn restrict_slot(&mut self, slot: usize, kept: &[bool]) {
        let place = self.sets.binary_search_by_key(&slot, |(slot, _)| *slot);
        if kept.iter().all(|&kept| kept) {
            return;
        }
        let mut words = vec![0u64; kept.len().div_ceil(64)];
        for (at, _) in kept.iter().enumerate().filter(|(_, kept)| **kept) {
            if let Some(word) = words.get_mut(at / 64) {
                *word |= 1 << (at % 64);
            }
        }
        match place {
            Ok(at) => self.sets[at].1 = words.into(),
            Err(at) => self.sets.insert(at, (slot, words.into())),
        }
    }

    /// Forgets the values that do not matter.
    pub(crate) fn forget(&mut self, live: u128) {
        for (slot, val) in self.vals.iter_mut().enumerate() {
            if live & crate::live::bit(slot) == 0 {
                *val = Val::Dead;
            }
        }
    }

    /// What was written on a cell.
    pub(crate) fn written(&self, cell: Cell) -> Option<Symbol> {
        let at = self.writes.binary_search_by_key(&cell, |&(cell, _)| cell).ok()?;
        self.writes.get(at).map(|&(_, content)| content)
    }

    pub(crate) fn write(&mut self, cell: Cell, content: Symbol) {
        match self.writes.binary_search_by_key(&cell, |&(cell, _)| cell) {
            Ok(at) => self.writes[at].1 = content,
            Err(at) => self.writes.insert(at, (cell, content)),
        }
    }

    /// What the walk needs of the square that it has read last becomes a label.
    pub(crate) fn flush(&mut self, known: &Known) {
        if let Some((cell, mask)) = self.pend.take()
            && mask != known.everything()
        {
            self.emitted.push(Label::Test(cell, mask));
            self.at = Some(cell);
        }
    }
}

fn has(set: &[u64], at: usize) -> bool {
    set.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
}

/// Evaluation in a model.
pub(crate) struct Evaluator<'m, 'g> {
    pub(crate) model: &'m Model<'g>,
    pub(crate) known: Known,
}

impl Evaluator<'_, '_> {
    /// The values of an expression.
    pub(crate) fn eval(&mut self, store: Store, expr: ExprId, phase: Phase, span: Span) -> Several<Val> {
        let (root, keys) = self.model.spine(expr);
        let evaluated = self.eval_all(store, &keys, phase, span)?;
        let mut out = Vec::with_capacity(evaluated.len());
        for (store, keys) in evaluated {
            match root {
                Root::Symbol(symbol) => out.push((store, Val::Known(symbol))),
                Root::Const(id) => {
                    if keys.len() != self.model.consts[id].keys() {
                        return Err(whole(span).into());
                    }
                    out.extend(self.entry(store, &keys, span, |model, keys| model.consts[id].at(keys))?);
                }
                Root::Var(var) => out.extend(self.variable(store, var, &keys, phase, span)?),
            }
        }
        Ok(out)
    }

    fn eval_all(&mut self, store: Store, exprs: &[ExprId], phase: Phase, span: Span) -> Several<Vec<Val>> {
        let mut alternatives = vec![(store, Vec::with_capacity(exprs.len()))];
        for &expr in exprs {
            let mut next = Vec::with_capacity(alternatives.len());
            for (store, vals) in alternatives {
                for (store, val) in self.eval(store, expr, phase, span)? {
                    let mut vals: Vec<Val> = vals.clone();
                    vals.push(val);
                    next.push((store, vals));
                }
            }
            alternatives = next;
        }
        Ok(alternatives)
    }

    /// The entry of a table. Of keys that are not known all but one are looked at one by one.
    fn entry(
        &mut self,
        store: Store,
        keys: &[Val],
        span: Span,
        look_up: impl Fn(&Model<'_>, &[Symbol]) -> Option<Symbol>,
    ) -> Several<Val> {
        let open = keys.iter().filter(|key| matches!(key, Val::Func(_))).count();
        let mut out = Vec::new();
        for (store, symbols) in self.resolved(store, keys, open.saturating_sub(1), span)? {
            let missing = symbols.iter().zip(0..).find(|(symbol, _)| symbol.is_none()).map(|(_, at)| at);
            let mut tuple: Vec<Symbol> = symbols.iter().map(|symbol| symbol.unwrap_or(self.model.keeper)).collect();
            let function = missing.and_then(|at: usize| keys.get(at)).and_then(|key| match key {
                Val::Func(number) => self.known.function(*number).cloned(),
                _ => None,
            });
            let val = match (missing, function) {
                (Some(at), Some((source, table))) => {
                    let mut mapped = Vec::with_capacity(table.len());
                    for &input in table.iter() {
                        tuple[at] = input;
                        mapped.push(look_up(self.model, &tuple).ok_or_else(|| whole(span))?);
                    }
                    self.known.func(source, mapped.into())
                }
                _ => Val::Known(look_up(self.model, &tuple).ok_or_else(|| whole(span))?),
            };
            out.push((store, val));
        }
        Ok(out)
    }

    /// The symbols of values; the first `count` of those that are not known are looked at one by one, the others stay open.
    fn resolved(&mut self, store: Store, vals: &[Val], count: usize, span: Span) -> Several<Vec<Option<Symbol>>> {
        let mut alternatives = vec![(store, Vec::new(), count)];
        for &val in vals {
            let mut next = Vec::new();
            for (store, symbols, left) in alternatives {
                match val {
                    Val::Func(_) if left == 0 => next.push((store, [symbols, vec![None]].concat(), 0)),
                    _ => {
                        let spent = usize::from(matches!(val, Val::Func(_)));
                        for (store, symbol) in self.concrete(store, val, span)? {
                            next.push((store, [symbols.clone(), vec![Some(symbol)]].concat(), left - spent));
                        }
                    }
                }
            }
            alternatives = next;
        }
        Ok(alternatives.into_iter().map(|(store, symbols, _)| (store, symbols)).collect())
    }

    /// All symbols that a value may be, each with what must hold for that.
    pub(crate) fn concrete(&self, store: Store, val: Val, span: Span) -> Several<Symbol> {
        let number = match val {
            Val::Known(symbol) => return Ok(vec![(store, symbol)]),
            Val::Dead => return Err(invalid(span, "a value is read that no walk has set").into()),
            Val::Func(number) => number,
        };
        let Some((source, table)) = self.known.function(number) else {
            return Err(invalid(span, "a value is unknown").into());
        };
        self.fresh(&store, *source, span)?;
        let mut symbols: Vec<Symbol> = table.to_vec();
        symbols.sort_unstable();
        symbols.dedup();
        let mut out = Vec::with_capacity(symbols.len());
        for symbol in symbols {
            let kept: Vec<bool> = table.iter().map(|&other| other == symbol).collect();
            let mut store = store.clone();
            if store.restrict(*source, &kept) {
                out.push((store, symbol));
            }
        }
        Ok(out)
    }

    /// What was read of a square is only kept while no other one is read.
    fn fresh(&self, store: &Store, source: Source, span: Span) -> Result<(), Stop> {
        match source {
            Source::Cell(cell) if store.pend.is_none_or(|(pend, _)| pend != cell) => Err(Stop::NeedsBoard(span)),
            _ => Ok(()),
        }
    }

    /// The stores in which two values are equal (or, negated, differ).
    pub(crate) fn compared(
        &self,
        store: Store,
        [lhs, rhs]: [Val; 2],
        negated: bool,
        span: Span,
    ) -> Result<Vec<Store>, Stop> {
        let (func, other) = match (lhs, rhs) {
            (Val::Func(func), Val::Known(other)) | (Val::Known(other), Val::Func(func)) => (func, other),
            _ => {
                let mut out = Vec::new();
                for (store, lhs) in self.concrete(store, lhs, span)? {
                    let right = self.concrete(store, rhs, span)?;
                    out.extend(right.into_iter().filter(|(_, rhs)| (lhs == *rhs) != negated).map(|(store, _)| store));
                }
                return Ok(out);
            }
        };
        let Some((source, table)) = self.known.function(func) else { return Ok(Vec::new()) };
        let kept: Vec<bool> = table.iter().map(|&value| (value == other) != negated).collect();
        if kept.iter().all(|kept| *kept) || !kept.contains(&true) {
            return Ok(if kept.contains(&true) { vec![store] } else { Vec::new() });
        }
        self.fresh(&store, *source, span)?;
        let mut store = store;
        Ok(if store.restrict(*source, &kept) { vec![store] } else { Vec::new() })
    }

    fn variable(&mut self, store: Store, var: VarId, keys: &[Val], phase: Phase, span: Span) -> Several<Val> {
        if keys.len() != self.model.vars[var].keys() {
            return Err(whole(span).into());
        }
        let every = keys.iter().filter(|key| matches!(key, Val::Func(_))).count();
        let mut out = Vec::new();
        for (store, symbols) in self.resolved(store, keys, every, span)? {
            let symbols: Vec<Symbol> = symbols.into_iter().flatten().collect();
            match self.model.roles[var] {
                Role::Player => {
                    let player = Val::Known(store.player);
                    out.push((store, player));
                }
                Role::Board => match symbols.first() {
                    Some(&cell) => out.extend(self.read(store, cell, phase)?),
                    None => return Err(whole(span).into()),
                },
                Role::Slots(_) => {
                    let slot = self.model.slot(var, &symbols).ok_or_else(|| whole(span))?;
                    let val = store.vals.get(slot).copied().unwrap_or(Val::Dead);
                    out.push((store, val));
                }
            }
        }
        Ok(out)
    }

    /// What is on a cell.
    fn read(&mut self, mut store: Store, cell: Symbol, phase: Phase) -> Several<Val> {
        let Some(&cell) = self.model.board.cell_of.get(&cell) else {
            return Ok(vec![(store, Val::Known(self.model.board.outside))]);
        };
        if !self.known.is_square(cell) {
            return Ok(vec![(store, Val::Known(self.model.initial(cell)))]);
        }
        let walking = matches!(phase, Phase::Move | Phase::Check(_));
        if let Some((origin, kind)) = store.origin.filter(|&(origin, _)| origin == cell) {
            if walking
                && (store.at != Some(origin) || store.pend.is_some_and(|(_, mask)| mask != self.known.everything()))
            {
                store.flush(&self.known);
                store.at = Some(origin);
                store.emitted.push(Label::Home(origin));
            }
            let content = store.written(cell).unwrap_or(kind);
            return Ok(vec![(store, Val::Known(content))]);
        }
        if let Some(content) = store.written(cell) {
            return Ok(vec![(store, Val::Known(content))]);
        }
        if store.pend.is_none_or(|(pend, _)| pend != cell) {
            if !walking {
                // It may be that all that can be there is the same.
                let contents = self.known.contents.clone();
                let val = self.known.func(Source::Cell(cell), contents);
                return Ok(vec![(store, val)]);
            }
            if store.origin.is_none() {
                return Ok(self.begun(&store, cell));
            }
            store.flush(&self.known);
            store.pend = Some((cell, self.known.everything()));
        }
        let contents = self.known.contents.clone();
        let val = self.known.func(Source::Cell(cell), contents);
        Ok(vec![(store, val)])
    }

    /// The first square that is read is where the walk begins: all that may be there is looked at.
    fn begun(&self, store: &Store, cell: Cell) -> Vec<(Store, Val)> {
        let begin = |&content: &Symbol| {
            let mut store = store.clone();
            (store.origin, store.at) = (Some((cell, content)), Some(cell));
            store.emitted.push(Label::Origin(cell, content));
            (store, Val::Known(content))
        };
        self.known.contents.iter().map(begin).collect()
    }
}

pub(crate) fn whole(span: Span) -> Refused {
    refuse(codes::STATE, span, "a map is assigned, compared or chosen as a whole")
}
