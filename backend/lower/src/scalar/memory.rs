//! Scratch memory of searches: a few words of their own, maps as states keep them, the state after a move, marks, and the moves.

use super::super::lane::{Lane, Store, Val};
use super::super::layout::{Kind, Packed, Place};
use super::super::numbers::Form;
use super::super::sets::words;
use super::super::{Failure, Lifter};
use super::area::Area;
use super::room::Room;
use rg_ir::ids::Id;
use rg_ir::invariant::put;
use rg_ir::{NodeId, VarId};
use std::rc::Rc;
use wir::{Inst, Op, Reg};

/// Whether the search cannot go on.
pub(super) const FAILED: u32 = 0;
/// How many moves there are so far.
pub(super) const COUNT: u32 = 1;
/// How many calls are left.
pub(super) const FUEL: u32 = 2;
/// How many pairs of moves have the same label.
pub(super) const PAIRS: u32 = 5;
/// How many scopes have begun in all calls: memory keeps its contents, so that marks need not be cleared.
pub(super) const SCOPES: u32 = 3;
/// Where the stack of maps that a walk has overwritten ends.
pub(super) const SAVED: u32 = 6;
/// The number of the search.
pub(super) const SEARCH: u32 = 4;
/// The number of the walk that a search is after, whether its move is made, and how many tags its label has.
pub(super) const TARGET: u32 = 7;
pub(super) const MAKES: u32 = 9;
pub(super) const LENGTH: u32 = 8;
/// How many walks have come to their ends, where they have numbers.
pub(super) const WALKS: u32 = 10;
/// The tags of two labels: 1 more than the symbol of each, then a 0.
pub(super) const TAGS: u32 = 256;
/// Most tags of a label, the 0 included.
pub(super) const MOST_TAGS: u32 = 64;
/// Where maps begin.
const MAPS: u32 = TAGS + 2 * MOST_TAGS;
/// Where marks begin.
const MARKS: u32 = Room::BEHIND;
/// Words in all if there are no large maps, and few moves.
pub(super) const SCRATCH: u32 = 1 << 16;
/// Words in all where there are large maps, which come behind these, and few moves.
pub(super) const LARGE_SCRATCH: u32 = SCRATCH << 1;

/// Most words of a state that comes behind maps that are not large.
const SMALL_STATE: u32 = 128;

/// Where a map is.
#[derive(Clone, Copy)]
pub(super) struct MapPlace {
    /// Its first word.
    pub(super) base: u32,
    /// How it is kept.
    pub(super) form: MapForm,
    /// How many values there are.
    pub(super) values: u32,
}

/// How a map is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MapForm {
    /// As a set for each value; this is the number of words of a set.
    Sets(u32),
    /// A word for each entry.
    Cells,
    /// In the same number of bits for each entry, a power of two; this is its binary logarithm.
    Packed(u32),
}

/// The words of a map on the stack of overwritten maps.
#[derive(Clone, Copy)]
pub(super) struct Saved {
    /// The first word of the map.
    first: u32,
    /// How many words it has.
    words: u32,
    /// Where they are on the stack.
    place: Reg,
    /// Where the stack ended before.
    end: Reg,
}

/// Words: in memory from a place on, or constant.
pub(super) enum Words {
    At(u32),
    Of(Vec<u64>),
}

/// Where maps and the words of the state after a move are.
pub(super) struct Memory {
    maps: Vec<Option<MapPlace>>,
    after: u32,
    /// Where the state after another move is kept, to be compared.
    other: u32,
    /// Where the stack of overwritten maps begins; it ends with the memory.
    saved: u32,
}

impl Memory {
    /// Where the stack of overwritten maps begins.
    pub(super) fn saved(&self) -> u32 {
        self.saved
    }
}

impl MapPlace {
    /// The words of the map with the values of a declaration.
    pub(super) fn words_of(self, form: &Form) -> Vec<u64> {
        let entries = form.values.iter().zip(0u32..);
        match self.form {
            MapForm::Cells => entries.map(|(&value, _)| u64::from(value)).collect(),
            MapForm::Sets(words) => {
                let mut all = vec![0; (words * self.values) as usize];
                for (&value, index) in entries {
                    let at = (value * words + index / 64) as usize;
                    let word = all.get(at).map_or(0, |word| word | 1u64 << (index % 64));
                    put(&mut all, at, word, "a map has a set for each of its values");
                }
                all
            }
            MapForm::Packed(log) => {
                let word = |chunk: &[u32]| {
                    let entries = chunk.iter().zip(0..);
                    entries.fold(0, |word, (&value, at)| word | u64::from(value) << (at << log))
                };
                form.values.chunks(64 >> log).map(word).collect()
            }
        }
    }

    /// How many words the map takes; `entries` is how many entries it has.
    pub(super) fn size(self, entries: usize) -> u32 {
        match self.form {
            MapForm::Sets(words) => words * self.values,
            MapForm::Cells => entries as u32,
            MapForm::Packed(_) => Packed::new(entries, self.values as usize).words(),
        }
    }

    /// Words of the set of each value; 0 for a map that is not kept as sets.
    pub(super) fn words(self) -> u32 {
        if let MapForm::Sets(words) = self.form { words } else { 0 }
    }
}

impl Lifter<'_> {
    /// Gives every map a place.
    pub(super) fn lay_out(&mut self) -> Result<(), Failure> {
        if self.searches.memory.is_some() {
            return Ok(());
        }
        let (mut next, mut large) = (MAPS, SCRATCH);
        let mut maps = Vec::new();
        for var in self.game.vars.ids() {
            let form = self.known.numbers.vars.get(var).and_then(|form| form.as_ref().ok());
            let (Some(form), Some(kind)) = (form, self.known.kinds.get(var.index())) else {
                maps.push(None);
                continue;
            };
            let values = self.known.numbers.size(form.class) as u32;
            let (form, size) = match kind {
                Kind::Sets => {
                    let words = words(form.len()) as u32;
                    (MapForm::Sets(words), words.saturating_mul(values))
                }
                Kind::Cells => (MapForm::Cells, form.len() as u32),
                Kind::Packed => {
                    let packed = Packed::new(form.len(), values as usize);
                    (MapForm::Packed(packed.log), packed.words())
                }
                Kind::Scalar | Kind::None => {
                    maps.push(None);
                    continue;
                }
            };
            let area = if matches!(form, MapForm::Packed(_)) { &mut large } else { &mut next };
            maps.push(Some(MapPlace { base: *area, form, values }));
            *area = area.saturating_add(size);
        }
        let state = self.layout.words;
        let after = if state <= SMALL_STATE { &mut next } else { &mut large };
        let first = *after;
        *after = after.saturating_add(2 * state);
        if next > Room::BEFORE || large > LARGE_SCRATCH {
            return Err(Failure::new("maps take too much memory"));
        }
        self.searches.memory = Some(Rc::new(Memory { maps, after: first, other: first + state, saved: large }));
        self.program.scratch_words = self.scratch_words(large > SCRATCH);
        Ok(())
    }

    /// Pushes the words of a map on the stack of overwritten maps. If the stack is full, the search fails, and the map is its own copy:
    /// what is written to it then is not undone, but each entry still holds one of its values.
    pub(super) fn save_words(&mut self, from: u32, words: u32) -> Result<Saved, Failure> {
        self.program.scratch_words = self.scratch_words(true);
        let first = self.memory()?.saved;
        let last = LARGE_SCRATCH.checked_sub(words).filter(|&last| first <= last);
        let last = last.ok_or_else(|| Failure::new("maps take too much memory"))?;
        let end = self.peek(SAVED);
        let last = self.function.builder.constant(u64::from(last));
        let full = self.function.builder.op(Op::Less(last, end));
        self.fail_if(full);
        let source = self.function.builder.constant(u64::from(from));
        let place = self.function.builder.op(Op::Select(full, source, end));
        self.copy_scratch(source, place, words);
        let size = self.function.builder.constant(u64::from(words));
        let next = self.function.builder.op(Op::Add(end, size));
        let next = self.function.builder.op(Op::Select(full, end, next));
        self.poke(SAVED, next);
        Ok(Saved { first: from, words, place, end })
    }

    /// Pops the words of a map that were pushed last.
    pub(super) fn restore_words(&mut self, saved: Saved) {
        let to = self.function.builder.constant(u64::from(saved.first));
        self.copy_scratch(saved.place, to, saved.words);
        self.poke(SAVED, saved.end);
    }

    pub(super) fn memory(&self) -> Result<Rc<Memory>, Failure> {
        self.searches.memory.clone().ok_or_else(|| Failure::new("there is no scratch memory"))
    }

    /// Where a map is.
    pub(super) fn map_place(&self, var: VarId) -> Result<MapPlace, Failure> {
        let place = self.memory()?.maps.get(var.index()).copied().flatten();
        place.ok_or_else(|| Failure::new("a map has no form").at(self.var_name(var)))
    }

    pub(super) fn var_name(&self, var: VarId) -> &str {
        self.game.vars.get(var).map_or("", |decl| self.game.name(decl.name))
    }

    /// Where a word of the state after a move is.
    pub(super) fn after(&self, word: u32) -> Result<u32, Failure> {
        Ok(self.memory()?.after + word)
    }

    /// Where the first word of the state after another move is.
    pub(super) fn other(&self) -> Result<u32, Failure> {
        Ok(self.memory()?.other)
    }

    /// Words for marks.
    pub(super) fn reserve_marks(&mut self, words: u32) -> Option<u32> {
        let base = MARKS + self.searches.marks;
        let end = base.checked_add(words).filter(|&end| end <= SCRATCH)?;
        self.searches.marks = end - MARKS;
        Some(base)
    }

    /// Copies words from one place to another that does not overlap it.
    pub(super) fn copy_scratch(&mut self, from: Reg, to: Reg, words: u32) {
        let all = self.for_words(words, None, |lifter, number, before| {
            let [from, to] = [from, to].map(|first| lifter.function.builder.op(Op::Add(first, number)));
            let word = lifter.peek_at(from);
            lifter.poke_at(to, word);
            before
        });
        debug_assert!(all.is_none(), "a copy has no result");
    }

    /// Fills words with those of a table.
    pub(super) fn fill_scratch(&mut self, table: Vec<u64>, to: u32) {
        let all = self.for_words(table.len() as u32, None, |lifter, number, before| {
            let first = lifter.function.builder.constant(u64::from(to));
            let at = lifter.function.builder.op(Op::Add(first, number));
            let word = lifter.function.builder.looked_up(table, number);
            lifter.poke_at(at, word);
            before
        });
        debug_assert!(all.is_none(), "a copy has no result");
    }

    /// Whether words at a place differ from others.
    pub(super) fn words_differ(&mut self, one: u32, other: Words, words: u32) -> Reg {
        let zero = self.function.builder.constant(0);
        let differ = self.for_words(words, Some(zero), |lifter, number, before| {
            let mut word_at = |first: u32| {
                let first = lifter.function.builder.constant(u64::from(first));
                let at = lifter.function.builder.op(Op::Add(first, number));
                lifter.peek_at(at)
            };
            let one = word_at(one);
            let other = match other {
                Words::At(other) => word_at(other),
                Words::Of(table) => lifter.function.builder.looked_up(table, number),
            };
            let differ = lifter.function.builder.op(Op::Ne(one, other));
            before.map(|before| lifter.function.builder.or(before, differ))
        });
        differ.unwrap_or(zero)
    }

    /// A loop over numbers of words, with a value that goes on from one to the next.
    fn for_words(
        &mut self,
        words: u32,
        start: Option<Reg>,
        each: impl FnOnce(&mut Self, Reg, Option<Reg>) -> Option<Reg>,
    ) -> Option<Reg> {
        if words == 0 {
            return start;
        }
        let zero = self.function.builder.constant(0);
        self.open();
        let number = self.function.builder.fresh();
        let before = start.map(|_| self.function.builder.fresh());
        let value = each(self, number, before);
        let (one, last) = (self.function.builder.constant(1), self.function.builder.constant(u64::from(words)));
        let next = self.function.builder.op(Op::Add(number, one));
        let more = self.function.builder.op(Op::Less(next, last));
        let body = self.close([more, next].into_iter().chain(value).collect());
        let carried = [(number, zero)].into_iter().chain(before.zip(start)).collect::<Vec<_>>();
        let to: Vec<Reg> = carried.iter().map(|_| self.function.builder.fresh()).collect();
        let result = to.get(1).copied();
        self.function.builder.push(Inst::Loop { carried, body, to });
        result
    }

    pub(in super::super) fn peek(&mut self, at: u32) -> Reg {
        let at = self.function.builder.constant(u64::from(at));
        self.peek_at(at)
    }

    pub(in super::super) fn peek_at(&mut self, at: Reg) -> Reg {
        let to = self.function.builder.fresh();
        self.function.builder.push(Inst::Peek { to, at });
        to
    }

    pub(in super::super) fn poke(&mut self, at: u32, value: Reg) {
        let at = self.function.builder.constant(u64::from(at));
        self.poke_at(at, value);
    }

    pub(in super::super) fn poke_at(&mut self, at: Reg, value: Reg) {
        self.function.builder.push(Inst::Poke { at, value });
    }

    /// Puts the maps that a search from a node needs into scratch memory.
    pub(super) fn poke_maps(&mut self, area: &Area, node: NodeId, lane: &Lane) {
        if let Ok(memory) = self.memory() {
            let first = self.function.builder.constant(u64::from(memory.saved()));
            self.poke(SAVED, first);
        }
        for var in self.game.vars.ids() {
            let Ok(place) = self.map_place(var) else { continue };
            if !area.needs_map(node, var) {
                continue;
            }
            if let MapForm::Packed(_) = place.form {
                self.poke_packed(node, var, place);
                continue;
            }
            let registers: Vec<(u32, Reg)> = match lane.vars.get(var.index()) {
                Some(Store::Sets(sets)) => {
                    let sets = sets.of.iter().zip(0..);
                    let words = sets.flat_map(|(set, value)| {
                        set.iter().zip(0..).map(move |(&word, at)| (value * place.words() + at, word))
                    });
                    words.collect()
                }
                Some(Store::Cells(cells)) => {
                    let cells: Vec<Val> = cells.to_vec();
                    let cells = cells
                        .iter()
                        .zip(0..)
                        .filter_map(|(cell, at)| Some((at, cell.reg(&mut self.function.builder)?)));
                    cells.collect()
                }
                _ => Vec::new(),
            };
            for (at, value) in registers {
                self.poke(place.base + at, value);
            }
        }
    }

    /// What a map holds now.
    pub(super) fn peeked_store(&mut self, var: VarId) -> Store {
        let Ok(place) = self.map_place(var) else { return Store::Dead };
        let length =
            self.known.numbers.vars.get(var).and_then(|form| form.as_ref().ok()).map_or(0, |form| form.len() as u32);
        match place.form {
            MapForm::Cells => Store::Cells((0..length).map(|at| Val::Reg(self.peek(place.base + at))).collect()),
            MapForm::Sets(words) => {
                let of = (0..place.values).map(|value| {
                    let set = (0..words).map(|at| self.peek(place.base + value * words + at));
                    set.collect::<super::super::sets::Set>()
                });
                let of: Vec<_> = of.collect();
                Store::Sets(super::super::lane::Sets { of: of.into(), pending: Rc::from([]) })
            }
            MapForm::Packed(_) => Store::Dead,
        }
    }

    /// Puts a packed map into scratch memory at a word: as the state has it or, where it does not matter, with its initial values.
    fn poke_packed(&mut self, node: NodeId, var: VarId, place: MapPlace) {
        match (self.layout.of(var), self.form_of(var)) {
            (Some(&Place::Packed(packed)), _) if self.is_live(node, var.index()) => {
                for (at, word) in (place.base..).zip(packed.first..packed.first + packed.words()) {
                    let word = self.function.builder.op(Op::Load(word));
                    self.poke(at, word);
                }
            }
            (_, Ok(form)) => self.fill_scratch(place.words_of(&form), place.base),
            (_, Err(_)) => {}
        }
    }

    /// The words of a map with its initial values.
    pub(super) fn initial_words(&self, var: VarId) -> Result<Vec<u64>, Failure> {
        Ok(self.map_place(var)?.words_of(&self.form_of(var)?))
    }

    /// Whether a value can ever be in a map, where it never changes included.
    pub(super) fn is_possible(&self, var: VarId, value: u32) -> bool {
        let form = self.known.numbers.vars.get(var).and_then(|form| form.as_ref().ok());
        let constant =
            |form: &Form| form.values.iter().zip(form.real.iter()).any(|(&other, real)| !real && other == value);
        form.is_some_and(constant) || self.is_ever(var, value)
    }

    /// Whether a value can ever be in a map where its values change.
    pub(super) fn is_ever(&self, var: VarId, value: u32) -> bool {
        match self.layout.of(var) {
            Some(Place::Sets(place)) => {
                value as usize == place.rest || place.first.get(value as usize).is_some_and(Option::is_some)
            }
            _ => true,
        }
    }

    /// The address of the word that has an index of a map, in the set of a value.
    pub(super) fn address(&mut self, place: MapPlace, value: &Val, index: &Val) -> Reg {
        let mut constant = u64::from(place.base);
        let mut sum: Option<Reg> = None;
        let words = u64::from(place.words());
        match value {
            Val::Const(value) => constant += u64::from(*value) * words,
            Val::Reg(value) => {
                let scale = self.function.builder.constant(words);
                sum = Some(self.function.builder.op(Op::Mul(*value, scale)));
            }
            Val::Gen(_) => {}
        }
        match index {
            Val::Const(index) => constant += u64::from(*index / 64),
            Val::Reg(index) if words > 1 => {
                let high = self.function.builder.op(Op::ShrBy(*index, 6));
                sum = Some(match sum {
                    Some(sum) => self.function.builder.op(Op::Add(sum, high)),
                    None => high,
                });
            }
            Val::Reg(_) | Val::Gen(_) => {}
        }
        let constant = self.function.builder.constant(constant);
        match sum {
            Some(sum) => self.function.builder.op(Op::Add(sum, constant)),
            None => constant,
        }
    }
}
