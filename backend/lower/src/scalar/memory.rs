//! Scratch memory of searches: a few words of their own, maps as states keep them, the state after a move, marks, and the moves.

use super::super::lane::{Lane, Store, Val};
use super::super::layout::{Kind, Place};
use super::super::numbers::Form;
use super::super::sets::words;
use super::super::{Failure, Lifter};
use super::area::Area;
use rg_ir::ids::Id;
use rg_ir::{NodeId, VarId};
use std::rc::Rc;
use wir::{Inst, Op, Reg};

/// Whether the search cannot go on.
pub(super) const FAILED: u32 = 0;
/// How many moves there are so far.
pub(super) const COUNT: u32 = 1;
/// How many calls are left.
pub(super) const FUEL: u32 = 2;
/// How many pairs of moves have the same label, and these pairs.
pub(super) const PAIRS: u32 = 5;
pub(super) const PAIR: u32 = 128;
pub(super) const MOST_PAIRS: u32 = 60;
/// How many scopes have begun in all calls: memory keeps its contents, so that marks need not be cleared.
pub(super) const SCOPES: u32 = 3;
/// The number of the search.
pub(super) const SEARCH: u32 = 4;
/// The tags of two labels: 1 more than the symbol of each, then a 0.
pub(super) const TAGS: u32 = 256;
/// Most tags of a label, the 0 included.
pub(super) const MOST_TAGS: u32 = 64;
/// Where maps begin.
const MAPS: u32 = TAGS + 2 * MOST_TAGS;
/// Where the moves begin, and what there is room for.
pub(super) const LIST: u32 = 1 << 12;
pub(super) const CAPACITY: u32 = (1 << 12) - 1;
/// Where the hashes of their labels begin.
pub(super) const SIGNS: u32 = LIST + CAPACITY + 1;
/// Where the table of labels begins: linear probing, a slot for each hash. A slot has the number of the search in its upper bits, and
/// 1 more than that of the move in the lower ones.
pub(super) const TABLE: u32 = SIGNS + CAPACITY + 1;
pub(super) const SLOTS: u32 = 1 << 13;
/// Where marks begin.
pub(super) const MARKS: u32 = TABLE + SLOTS;
/// Words in all. The move behind the last one takes those for which there is no room.
pub(super) const SCRATCH: u32 = 1 << 16;

/// Where a map is.
#[derive(Clone, Copy)]
pub(super) struct MapPlace {
    /// Its first word.
    pub(super) base: u32,
    /// Words of the set of each value; 0 for a map of single values, a word for each.
    pub(super) words: u32,
    /// How many values there are.
    pub(super) values: u32,
}

/// Where maps and the words of the state after a move are.
pub(super) struct Memory {
    maps: Vec<Option<MapPlace>>,
    after: u32,
}

impl Lifter<'_> {
    /// Gives every map a place.
    pub(super) fn lay_out(&mut self) -> Result<(), Failure> {
        if self.searches.memory.is_some() {
            return Ok(());
        }
        let mut next = MAPS;
        let mut maps = Vec::new();
        for var in self.game.vars.ids() {
            let form = self.known.numbers.vars.get(var).and_then(|form| form.as_ref().ok());
            let (Some(form), Some(kind)) = (form, self.known.kinds.get(var.index())) else {
                maps.push(None);
                continue;
            };
            let values = self.known.numbers.size(form.class) as u32;
            let place = match kind {
                Kind::Sets => Some(MapPlace { base: next, words: words(form.len()) as u32, values }),
                Kind::Cells => Some(MapPlace { base: next, words: 0, values }),
                Kind::Scalar | Kind::None => None,
            };
            next = next.saturating_add(match place {
                Some(MapPlace { words: 0, .. }) => form.len() as u32,
                Some(place) => place.words.saturating_mul(values),
                None => 0,
            });
            maps.push(place);
        }
        if next.saturating_add(self.layout.words) > LIST {
            return Err(Failure::new("maps take too much memory"));
        }
        self.searches.memory = Some(Rc::new(Memory { maps, after: next }));
        self.program.scratch_words = SCRATCH;
        Ok(())
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

    /// Words for marks.
    pub(super) fn reserve_marks(&mut self, words: u32) -> Option<u32> {
        let base = MARKS + self.searches.marks;
        let end = base.checked_add(words).filter(|&end| end <= SCRATCH)?;
        self.searches.marks = end - MARKS;
        Some(base)
    }

    pub(super) fn peek(&mut self, at: u32) -> Reg {
        let at = self.function.builder.constant(u64::from(at));
        self.peek_at(at)
    }

    pub(super) fn peek_at(&mut self, at: Reg) -> Reg {
        let to = self.function.builder.fresh();
        self.function.builder.push(Inst::Peek { to, at });
        to
    }

    pub(super) fn poke(&mut self, at: u32, value: Reg) {
        let at = self.function.builder.constant(u64::from(at));
        self.poke_at(at, value);
    }

    pub(super) fn poke_at(&mut self, at: Reg, value: Reg) {
        self.function.builder.push(Inst::Poke { at, value });
    }

    /// Puts the maps that a search from a node needs into scratch memory.
    pub(super) fn poke_maps(&mut self, area: &Area, node: NodeId, lane: &Lane) {
        for var in self.game.vars.ids() {
            let Ok(place) = self.map_place(var) else { continue };
            if !area.needs_map(self, node, var) {
                continue;
            }
            let registers: Vec<(u32, Reg)> = match lane.vars.get(var.index()) {
                Some(Store::Sets(sets)) => {
                    let sets = sets.of.iter().zip(0..);
                    let words = sets.flat_map(|(set, value)| {
                        set.iter().zip(0..).map(move |(&word, at)| (value * place.words + at, word))
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
        if place.words == 0 {
            return Store::Cells((0..length).map(|at| Val::Reg(self.peek(place.base + at))).collect());
        }
        let of = (0..place.values).map(|value| {
            let set = (0..place.words).map(|at| self.peek(place.base + value * place.words + at));
            set.collect::<super::super::sets::Set>()
        });
        let of: Vec<_> = of.collect();
        Store::Sets(super::super::lane::Sets { of: of.into(), pending: Rc::from([]) })
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
        let words = u64::from(place.words);
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
