//! States as words: single values in a few bits, maps as one set per value.

use super::lane::{Lane, Sets, Store, Val};
use super::numbers::{Form, Numbers};
use super::sets::words;
use super::{Failure, Lifter};
use passes::analysis::Values;
use rg_ir::ids::Id;
use rg_ir::invariant::Invariant;
use rg_ir::{Expr, Game, Label, VarId};
use std::rc::Rc;
use wir::{Op, Reg};

/// Bits for the number of the node.
pub(crate) const NODE_BITS: u32 = 16;
/// Most indices of a map that is kept as sets.
pub(super) const MAX_INDICES: usize = 1024;
/// Most values of such a map.
const MAX_VALUES: usize = 40;
/// Up to how many entries a map is always kept as single values, and of how many indices these may be.
const FEW_CELLS: usize = 3;
const FEW_INDICES: usize = 16;
/// Most entries of a map of many values that is kept as single values.
const MAX_CELLS: usize = 48;
/// Most entries of all maps that scalar code keeps in words of their own.
const MANY_CELLS: usize = 2048;
/// Most bits of all maps of which scalar code has single values in states: they leave room for other variables.
const MAX_BITS_OF_CELLS: usize = 80 * 64;
/// Most words of a state, without maps that are packed entry by entry.
const MAX_WORDS: u32 = 96;
/// Most words of packed maps in a state.
const MAX_PACKED: u32 = 1 << 12;

/// Bits of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// The word.
    pub word: u32,
    /// Its lowest bit in the word.
    pub shift: u32,
    /// The number of its bits.
    pub bits: u32,
}

impl Field {
    /// Its value in a state.
    #[inline]
    pub fn of(self, state: &[u64]) -> u64 {
        state
            .get(self.word as usize)
            .map(|&word| self.within(word))
            .invariant_or(0, "a state has the words of its fields")
    }

    /// Its value, if its word is this.
    #[inline]
    pub fn within(self, word: u64) -> u64 {
        word >> self.shift & self.mask()
    }

    #[inline]
    pub(super) fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits.clamp(1, 64))
    }

    /// Sets its value, which must fit.
    pub fn put(self, state: &mut [u64], value: u64) {
        if let Some(word) = state.get_mut(self.word as usize) {
            *word = *word & !(self.mask() << self.shift) | value << self.shift;
        }
    }
}

/// Where a variable is.
#[derive(Clone, Debug)]
pub enum Place {
    /// It is never live when somebody is to move.
    Nowhere,
    /// A single value.
    Scalar(Field),
    /// A map by index; what never changes has no field.
    Cells(Vec<Option<Field>>),
    /// A map as sets.
    Sets(SetPlace),
    /// A map by index, in words of its own. Entries that never change have their bits, too.
    Packed(Packed),
}

/// A map whose entries all have the same number of bits, a power of two; the first is in the lowest bits of the first word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Packed {
    /// Its first word.
    pub first: u32,
    /// Binary logarithm of the number of bits of an entry.
    pub log: u32,
    /// How many entries there are.
    pub entries: u32,
}

impl Packed {
    /// A map that has this number of entries, and may have this number of values.
    pub(super) fn new(entries: usize, values: usize) -> Self {
        let bits = Lifter::bits(values).max(1).next_power_of_two();
        Self { first: 0, log: bits.ilog2(), entries: entries as u32 }
    }

    /// How many words it takes.
    pub fn words(self) -> u32 {
        (self.entries << self.log).div_ceil(64)
    }

    /// The bits of an entry.
    pub fn field(self, index: u32) -> Field {
        let at = index << self.log;
        Field { word: self.first + at / 64, shift: at % 64, bits: 1 << self.log }
    }
}

/// See [`Place::Sets`].
#[derive(Clone, Debug)]
pub struct SetPlace {
    /// Per value its first word; `None` for the one that is where no other is, and for those that are nowhere.
    pub first: Vec<Option<u32>>,
    /// The value that is where no other is.
    pub rest: usize,
    /// Words per set.
    pub words: u32,
}

/// See the module.
#[derive(Debug)]
pub struct Layout {
    /// Number of the decision's node.
    pub node: Field,
    /// By variable.
    pub places: Vec<Place>,
    /// Number of words.
    pub words: u32,
}

/// How a variable is kept on a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Scalar,
    Cells,
    Sets,
    /// Entry by entry, in scalar code.
    Packed,
    /// In no form.
    None,
}

/// What decisions become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    /// Set code, where there are rules for it.
    Sets,
    /// Scalar code: maps are kept as single values.
    Scalar,
    /// Networks of Boolean functions: maps are packed.
    Network,
}

impl Kind {
    pub(super) fn of(numbers: &Numbers, var: VarId, code: Code) -> Self {
        let Some(Ok(form)) = numbers.vars.get(var) else { return Kind::None };
        let values = numbers.size(form.class);
        if form.keys.is_empty() {
            Kind::Scalar
        } else if code == Code::Network {
            Kind::Packed
        } else if code == Code::Scalar && form.len() <= MAX_INDICES
            || form.real.iter().filter(|real| **real).count() <= FEW_CELLS && form.len() <= FEW_INDICES
            || (values > MAX_VALUES && form.len() <= MAX_CELLS)
        {
            Kind::Cells
        } else if form.len() <= MAX_INDICES && values <= MAX_VALUES && form.rows.is_none() {
            Kind::Sets
        } else if code == Code::Scalar {
            Kind::Packed
        } else {
            Kind::None
        }
    }
}

/// Packs maps of single values in scalar code where there are too many entries for a word each.
pub(super) fn pack_many(numbers: &Numbers, kinds: &mut [Kind], code: Code) {
    let entries = |form: &Result<Form, Failure>| form.as_ref().map_or(0, Form::len);
    let cells = numbers.vars.values().zip(&*kinds).filter(|(_, kind)| **kind == Kind::Cells);
    let cells = cells.filter_map(|(form, _)| form.as_ref().ok());
    let bits = |form: &Form| Lifter::bits(numbers.size(form.class)) as usize;
    let (count, size) = cells.fold((0, 0), |(count, size), form| (count + form.len(), size + form.len() * bits(form)));
    if code != Code::Scalar || count <= MANY_CELLS && size <= MAX_BITS_OF_CELLS {
        return;
    }
    for (form, kind) in numbers.vars.values().zip(kinds) {
        if *kind == Kind::Cells && entries(form) > MAX_CELLS {
            *kind = Kind::Packed;
        }
    }
}

impl Layout {
    /// Where a variable is.
    pub fn of(&self, var: VarId) -> Option<&Place> {
        self.places.get(var.index())
    }

    /// Finds a place for every variable that `kept` names. Variables without a form are an error if they are kept.
    pub(super) fn new(
        game: &Game,
        numbers: &Numbers,
        kinds: &[Kind],
        kept: &[bool],
        values: &[Vec<bool>],
    ) -> Result<Self, Failure> {
        let mut next = Field { word: 0, shift: NODE_BITS, bits: 0 };
        let mut take = |size: usize| {
            let bits = Lifter::bits(size).max(1);
            if next.shift + bits > 64 {
                next = Field { word: next.word + 1, shift: 0, bits: 0 };
            }
            let field = Field { bits, ..next };
            next.shift += bits;
            field
        };
        let mut by_var = vec![Place::Nowhere; game.vars.len()];
        let named =
            |failure: Failure, var: VarId| failure.at(game.vars.get(var).map_or("", |decl| game.name(decl.name)));
        for var in game.vars.ids() {
            let at = var.index();
            if !kept.get(at).copied().unwrap_or(false) {
                continue;
            }
            let form = match numbers.vars.get(var) {
                Some(Ok(form)) => form,
                Some(Err(failure)) => return Err(named(failure.clone(), var)),
                None => continue,
            };
            let size = numbers.size(form.class);
            match kinds.get(at) {
                Some(Kind::Scalar) => by_var[at] = Place::Scalar(take(size)),
                Some(Kind::Cells) => {
                    by_var[at] = Place::Cells(form.real.iter().map(|&real| real.then(|| take(size))).collect());
                }
                Some(Kind::Sets | Kind::Packed) => {}
                _ => return Err(named(Failure::new("a map has no form"), var)),
            }
        }
        let mut words_used = next.word + 1;
        let is_packed =
            |var: &VarId| kinds.get(var.index()) == Some(&Kind::Packed) && kept.get(var.index()) == Some(&true);
        for var in game.vars.ids().filter(is_packed) {
            let Some(Ok(form)) = numbers.vars.get(var) else { continue };
            let packed = Packed { first: words_used, ..Packed::new(form.len(), numbers.size(form.class)) };
            words_used += packed.words();
            by_var[var.index()] = Place::Packed(packed);
        }
        let words_of_packed = words_used - (next.word + 1);
        for var in game.vars.ids() {
            let at = var.index();
            let (Some(true), Some(Kind::Sets), Some(Ok(form))) = (kept.get(at), kinds.get(at), numbers.vars.get(var))
            else {
                continue;
            };
            let last = form.real.iter().rposition(|&real| real).map_or(0, |last| last + 1);
            let words = words(last) as u32;
            let possible = |value: usize| values.get(at).and_then(|list| list.get(value)).copied().unwrap_or(true);
            let size = numbers.size(form.class);
            let count = |value: usize| {
                form.values.iter().zip(form.real.iter()).filter(|&(&v, &real)| real && v as usize == value).count()
            };
            let rest = (0..size).max_by_key(|&value| (count(value), std::cmp::Reverse(value))).unwrap_or(0);
            let mut first = vec![None; size];
            for (value, slot) in first.iter_mut().enumerate() {
                if value != rest && possible(value) {
                    *slot = Some(words_used);
                    words_used += words;
                }
            }
            by_var[at] = Place::Sets(SetPlace { first, rest, words });
        }
        if words_used - words_of_packed > MAX_WORDS || words_of_packed > MAX_PACKED {
            return Err(Failure::new("the state is too large"));
        }
        Ok(Self { node: Field { word: 0, shift: 0, bits: NODE_BITS }, places: by_var, words: words_used })
    }
}

impl Lifter<'_> {
    /// The store of a variable with its initial value.
    pub(super) fn initial_store(&mut self, var: VarId) -> Store {
        let Some(Ok(form)) = self.known.numbers.vars.get(var) else { return Store::Dead };
        let form = form.clone();
        self.constant_store(var, &form)
    }

    /// A variable with the values of a declaration of its type.
    pub(super) fn constant_store(&mut self, var: VarId, form: &Form) -> Store {
        match self.known.kinds.get(var.index()) {
            Some(Kind::Scalar) => Store::Scalar(Val::Const(
                form.values.first().copied().invariant_or(0, "a single variable has an initial value"),
            )),
            Some(Kind::Cells) => Store::Cells(form.values.iter().map(|&value| Val::Const(value)).collect()),
            Some(Kind::Sets) => {
                let words = words(form.len());
                let of = (0..self.known.numbers.size(form.class)).map(|value| {
                    let here = (0..form.len()).filter(|&i| form.values.get(i).is_some_and(|&v| v as usize == value));
                    self.function.builder.constant_set(words, here)
                });
                Store::Sets(Sets { of: of.collect(), pending: Rc::from([]) })
            }
            _ => Store::Dead,
        }
    }

    pub(super) fn loaded_field(&mut self, field: Field) -> Reg {
        let word = self.function.builder.op(Op::Load(field.word));
        let moved = self.function.builder.op(Op::ShrBy(word, field.shift));
        let mask = self.function.builder.constant((1u64 << field.bits).wrapping_sub(1));
        self.function.builder.and(moved, mask)
    }

    /// The store of a variable as the state has it; initial if it is not kept.
    pub(super) fn loaded_store(&mut self, var: VarId) -> Store {
        let initial = self.initial_store(var);
        let Some(place) = self.layout.of(var).cloned() else { return initial };
        match (place, initial) {
            (Place::Scalar(field), _) => Store::Scalar(Val::Reg(self.loaded_field(field))),
            (Place::Cells(fields), Store::Cells(cells)) => {
                let cells = cells.iter().zip(fields).map(|(cell, field)| match field {
                    Some(field) => Val::Reg(self.loaded_field(field)),
                    None => cell.clone(),
                });
                Store::Cells(cells.collect::<Vec<_>>().into())
            }
            (Place::Sets(place), Store::Sets(initial)) => {
                let real = match self.known.numbers.vars.get(var) {
                    Some(Ok(form)) => form.real.clone(),
                    _ => return Store::Dead,
                };
                let full = initial.of.first().map_or(1, |set| set.len());
                let all =
                    self.function.builder.constant_set(full, (0..real.len()).filter(|&i| real.get(i) == Some(&true)));
                let exists = (0..real.len()).filter(|&i| real.get(i) == Some(&true));
                let bounds = super::sets::constant_words(full, exists);
                let zero = self.function.builder.constant(0);
                let mut others = self.function.builder.constant_set(full, []);
                let mut sets = Vec::with_capacity(initial.of.len());
                for (spare, first) in initial.of.iter().zip(&place.first) {
                    let spare = self.function.builder.minus(spare, &all);
                    let set: super::sets::Set = match first {
                        Some(first) => (0..full as u32)
                            .zip(bounds.iter())
                            .map(|(i, &bits)| {
                                if i >= place.words {
                                    return zero;
                                }
                                let word = self.function.builder.op(Op::Load(first + i));
                                self.function.builder.bound(word, bits);
                                word
                            })
                            .collect(),
                        None => self.function.builder.constant_set(full, []),
                    };
                    others = self.function.builder.either(&others, &set);
                    sets.push(self.function.builder.either(&set, &spare));
                }
                let rest = self.function.builder.minus(&all, &others);
                if let Some(set) = sets.get_mut(place.rest) {
                    *set = self.function.builder.either(set, &rest);
                }
                Store::Sets(Sets { of: sets.into(), pending: Rc::from([]) })
            }
            (_, initial) => initial,
        }
    }

    /// A lane that begins at a decision's node: what is live there is loaded.
    pub(super) fn loaded(&mut self, decider: &super::Decider) -> Lane {
        let node = decider.node;
        let vars =
            self.game.vars.ids().map(|var| {
                if self.is_live(node, var.index()) { self.loaded_store(var) } else { self.initial_store(var) }
            });
        let vars: Vec<Store> = vars.collect();
        let mut lane = Lane::beginning(self.function.builder.constant(1), vars);
        let player = self.known.player.and_then(|player| Some((player, self.player_at(node)?)));
        for (var, value) in player.into_iter().chain(decider.fixed.iter().copied()) {
            if let Some(slot) = lane.vars.get_mut(var.index()) {
                *slot = Store::Scalar(Val::Const(value));
            }
        }
        lane
    }

    /// The words of the state for a lane without choices that arrived at a decision's node: what is dead there has its
    /// initial value.
    pub(super) fn packed_state(&mut self, lane: &Lane, node: rg_ir::NodeId, number: Reg) -> Result<Vec<Reg>, Failure> {
        let choice = || Failure::new("a state depends on a choice");
        let zero = self.function.builder.constant(0);
        let mut state = vec![zero; self.layout.words as usize];
        if let Some(word) = state.first_mut() {
            *word = number;
        }
        for var in self.game.vars.ids() {
            let Some(place) = self.layout.of(var).cloned() else { continue };
            // Scalar code copies packed maps by itself.
            if matches!(place, Place::Nowhere | Place::Packed(_)) {
                continue;
            }
            let store = match lane.vars.get(var.index()) {
                Some(store) if *store != Store::Dead && self.is_live(node, var.index()) => store.clone(),
                _ => self.initial_store(var),
            };
            match (place, store) {
                (Place::Scalar(field), Store::Scalar(value)) => {
                    let value = value.reg(&mut self.function.builder).ok_or_else(choice)?;
                    self.pack(&mut state, field, value);
                }
                (Place::Cells(fields), Store::Cells(cells)) => {
                    for (field, value) in fields.into_iter().zip(cells.iter()) {
                        let Some(field) = field else { continue };
                        let value = value.reg(&mut self.function.builder).ok_or_else(choice)?;
                        self.pack(&mut state, field, value);
                    }
                }
                (Place::Sets(place), Store::Sets(sets)) if sets.pending.is_empty() => {
                    let real = match self.known.numbers.vars.get(var) {
                        Some(Ok(form)) => form.real.clone(),
                        _ => return Err(choice()),
                    };
                    let words = place.words as usize;
                    let spare = (0..(64 * words).min(real.len())).filter(|&i| real.get(i) == Some(&false));
                    let spare = self.function.builder.constant_set(words, spare);
                    for (set, first) in sets.of.iter().zip(&place.first) {
                        let Some(first) = first else { continue };
                        for (i, (&word, &spare)) in set.iter().zip(spare.iter()).enumerate() {
                            let word = self.function.builder.and_not(word, spare);
                            if let Some(slot) = state.get_mut(*first as usize + i) {
                                *slot = word;
                            }
                        }
                    }
                }
                _ => return Err(choice()),
            }
        }
        Ok(state)
    }

    fn pack(&mut self, state: &mut [Reg], field: Field, value: Reg) {
        if let Some(slot) = state.get_mut(field.word as usize) {
            let moved = self.function.builder.op(Op::ShlBy(value, field.shift));
            *slot = self.function.builder.or(*slot, moved);
        }
    }
}

/// Per variable and value, whether it can ever be in the variable, at a key where it is kept: as the analysis of values
/// tells or, in games too large for that, assignments.
pub(super) fn possible(game: &Game, numbers: &Numbers, known: Option<&Values>) -> Vec<Vec<bool>> {
    match known {
        Some(known) => numbers.vars.iter().map(|(var, form)| ever(numbers, known, var, form.as_ref().ok())).collect(),
        None => assigned(game, numbers),
    }
}

fn ever(numbers: &Numbers, known: &Values, var: VarId, form: Option<&Form>) -> Vec<bool> {
    let Some(form) = form else { return Vec::new() };
    let cells = match form.keys[..] {
        [key] if form.rows.is_none() => {
            let kept = numbers.members(key).iter().zip(form.real.iter()).filter(|(_, real)| **real);
            kept.map(|(&key, _)| known.ever_at(var, key)).collect::<Option<Vec<_>>>()
        }
        _ => None,
    };
    let mut ever = vec![false; numbers.size(form.class)];
    for symbol in cells.map_or_else(|| known.ever(var), |cells| cells.concat()) {
        let slot = numbers.number(form.class, symbol).and_then(|number| ever.get_mut(number as usize));
        slot.into_iter().for_each(|slot| *slot = true);
    }
    ever
}

fn assigned(game: &Game, numbers: &Numbers) -> Vec<Vec<bool>> {
    let mut possible: Vec<Vec<bool>> = numbers
        .vars
        .values()
        .map(|form| match form {
            Ok(form) => {
                let mut values = vec![false; numbers.size(form.class)];
                // What stands elsewhere is not kept: it never changes.
                for (&value, _) in form.values.iter().zip(form.real.iter()).filter(|(_, real)| **real) {
                    if let Some(slot) = values.get_mut(value as usize) {
                        *slot = true;
                    }
                }
                values
            }
            Err(_) => Vec::new(),
        })
        .collect();
    for (_, edge) in game.automaton.edges() {
        let (Label::Assign { lhs, .. } | Label::AssignAny { lhs, .. }) = edge.label else { continue };
        let (Expr::Var(var), _) = super::numbers::path(game, lhs) else { continue };
        let (Some(Ok(form)), Some(values)) = (numbers.vars.get(var), possible.get_mut(var.index())) else { continue };
        let symbol = match edge.label {
            Label::Assign { rhs, .. } => match super::numbers::path(game, rhs).0 {
                Expr::Symbol(symbol) => numbers.number(form.class, symbol),
                _ => None,
            },
            _ => None,
        };
        match symbol.and_then(|symbol| values.get_mut(symbol as usize)) {
            Some(slot) => *slot = true,
            None => values.fill(true),
        }
    }
    possible
}
