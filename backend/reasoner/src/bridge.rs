//! States of lifted programs and states of the backtracking engine, one as the other.

use lower::{Field, Lifted, Place};
use rg_ir::ids::Id;
use rg_ir::invariant::{Invariant, put};
use rg_ir::{NodeId, VarId};
use search::program::Program;

/// Where a cell of the backtracking engine's state is in the words of a lifted state.
#[derive(Debug)]
struct Cell {
    slot: usize,
    var: usize,
    /// Index into the variable's map, in the numbers of the lifted program.
    index: usize,
}

/// The values that tell a decision apart, and its number.
type Numbered = (Vec<(VarId, u32)>, u32);

/// See the module.
#[derive(Debug)]
pub(crate) struct Bridge {
    cells: Vec<Cell>,
    /// Per variable: the backtracking engine's number of each lifted number, and the other way round.
    to_slow: Vec<Vec<u32>>,
    to_fast: Vec<Vec<u32>>,
    initial: Vec<u32>,
    /// A lifted state with the values of packed maps that never change.
    blank: Vec<u64>,
    /// The numbers of each node's decisions in lifted states, with the values that tell them apart, most of these first.
    numbers: Vec<Vec<Numbered>>,
}

/// Reads a cell of the backtracking engine from a lifted state. The last part of each is that engine's number by lifted
/// number.
pub(crate) enum Reader {
    /// It never changes.
    Always(u32),
    /// Some bits.
    Field(Field, Vec<u32>),
    /// An entry of a variable.
    Entry(VarId, usize, Vec<u32>),
}

impl Reader {
    /// The number of the cell's value.
    pub(crate) fn read(&self, lifted: &Lifted, state: &[u64]) -> u32 {
        let (value, numbers) = match self {
            Self::Always(value) => return *value,
            Self::Field(field, numbers) => (field.of(state) as usize, numbers),
            Self::Entry(var, index, numbers) => (Bridge::value(lifted, state, *var, *index) as usize, numbers),
        };
        numbers.get(value).copied().invariant_or(0, "every value of a lifted field has a number in the search")
    }
}

impl Bridge {
    /// Compares the two layouts of one game. `None` if they do not fit together.
    pub(crate) fn new(lifted: &Lifted, program: &Program, game: &rg_ir::Game) -> Option<Self> {
        let layout = &program.layout;
        let (mut cells, mut to_slow, mut to_fast) = (Vec::new(), Vec::new(), Vec::new());
        let mut blank = vec![0; lifted.layout.words as usize];
        for var in game.vars.ids() {
            let at = var.index();
            let field = layout.vars.get(var)?;
            let symbols = lifted.symbols.get(at)?;
            let numbers: Vec<u32> = symbols
                .iter()
                .map(|&s| layout.classes.number(field.class, s))
                .collect::<Option<_>>()
                .unwrap_or_default();
            let mut back = vec![0; layout.classes.members(field.class).len()];
            for (fast, &slow) in numbers.iter().enumerate() {
                *back.get_mut(slow as usize)? = fast as u32;
            }
            to_slow.push(numbers);
            to_fast.push(back);
            let (values, real) = lifted.initial.get(at)?;
            match lifted.layout.of(var) {
                None | Some(Place::Nowhere) => continue,
                Some(Place::Packed(packed)) => {
                    (0..).zip(values).for_each(|(index, &value)| packed.field(index).put(&mut blank, u64::from(value)));
                }
                Some(_) => {}
            }
            // Every combination of keys of the lifted form, and its cell.
            let keys = lifted.keys.get(at)?;
            for (index, _) in real.iter().enumerate().filter(|&(_, &real)| real) {
                let (mut rest, mut slot) = (index, field.offset);
                for (level, (symbols, key)) in keys.iter().zip(&field.keys).enumerate().rev() {
                    let symbol = *symbols.get(rest % symbols.len().max(1))?;
                    slot += layout.position(key, symbol)? * field.stride(level + 1);
                    rest /= symbols.len().max(1);
                }
                cells.push(Cell { slot: slot as usize, var: at, index });
            }
        }
        let mut numbers = vec![Vec::new(); game.automaton.node_bound()];
        for (number, stop) in lifted.stops.iter().enumerate() {
            numbers.get_mut(stop.decider.node.index())?.push((stop.decider.fixed.clone(), number as u32));
        }
        for decisions in &mut numbers {
            decisions.sort_by_key(|(fixed, _): &Numbered| std::cmp::Reverse(fixed.len()));
        }
        Some(Self { cells, to_slow, to_fast, initial: layout.initial.clone(), blank, numbers })
    }

    /// The value of a variable at an index, in the lifted program's numbers.
    pub(crate) fn value(lifted: &Lifted, state: &[u64], var: VarId, index: usize) -> u32 {
        let initial = || {
            let values = lifted.initial.get(var.index()).map(|(values, _)| values);
            values.and_then(|values| values.get(index)).copied().invariant_or(0, "every index has an initial value")
        };
        match lifted.layout.of(var) {
            Some(Place::Scalar(field)) => field.of(state) as u32,
            Some(Place::Cells(fields)) => match fields.get(index) {
                Some(Some(field)) => field.of(state) as u32,
                _ => initial(),
            },
            Some(Place::Packed(packed)) => packed.field(index as u32).of(state) as u32,
            Some(Place::Sets(place)) => {
                let has = |first: &Option<u32>| {
                    first.is_some_and(|first| {
                        let word = state
                            .get(first as usize + index / 64)
                            .copied()
                            .invariant_or(0, "a state has the words of its sets");
                        word >> (index % 64) & 1 == 1
                    })
                };
                place.first.iter().position(has).unwrap_or(place.rest) as u32
            }
            Some(Place::Nowhere) | None => initial(),
        }
    }

    /// What a cell of the backtracking engine holds in a lifted state, in that engine's numbers; initial for cells that are
    /// not kept.
    pub(crate) fn cell(&self, lifted: &Lifted, slot: u32) -> Reader {
        let initial = self.initial.get(slot as usize).copied().invariant_or(0, "every cell has an initial value");
        let Some(cell) = self.cells.iter().find(|cell| cell.slot == slot as usize) else {
            return Reader::Always(initial);
        };
        let numbers = self.to_slow.get(cell.var).cloned().unwrap_or_default();
        let field = match lifted.layout.of(VarId::from_index(cell.var)) {
            Some(Place::Scalar(field)) => Some(*field),
            Some(Place::Cells(fields)) => fields.get(cell.index).copied().flatten(),
            Some(Place::Packed(packed)) => Some(packed.field(cell.index as u32)),
            _ => None,
        };
        match field {
            Some(field) => Reader::Field(field, numbers),
            None => Reader::Entry(VarId::from_index(cell.var), cell.index, numbers),
        }
    }

    /// Replaces `cells` by those of a lifted state; its node's number.
    pub(crate) fn cells(&self, lifted: &Lifted, state: &[u64], cells: &mut Vec<u32>) -> usize {
        cells.clone_from(&self.initial);
        for cell in &self.cells {
            let value = Self::value(lifted, state, VarId::from_index(cell.var), cell.index);
            let number = self.to_slow.get(cell.var).and_then(|list| list.get(value as usize)).copied();
            let number = number.invariant_or(0, "every lifted value has a number in the search");
            put(cells, cell.slot, number, "every cell of the bridge is one of the search");
        }
        lifted.layout.node.of(state) as usize
    }

    /// Replaces `state` by the lifted state with these cells at a node; `None` if nobody decides there.
    pub(crate) fn words(&self, lifted: &Lifted, (cells, node): (&[u32], NodeId), state: &mut Vec<u64>) -> Option<()> {
        let holds = |&(var, wanted): &(VarId, u32)| {
            let slot = self.cells.iter().find(|cell| cell.var == var.index()).map(|cell| cell.slot);
            let value = slot.and_then(|slot| cells.get(slot)).copied();
            let number = value.and_then(|value| self.to_fast.get(var.index())?.get(value as usize).copied());
            number == Some(wanted)
        };
        let decisions = self.numbers.get(node.index())?;
        let number = decisions.iter().find(|(fixed, _)| fixed.iter().all(holds))?.1;
        state.clone_from(&self.blank);
        lifted.layout.node.put(state, u64::from(number));
        for cell in &self.cells {
            let value = cells.get(cell.slot).copied().invariant_or(0, "every cell of the bridge is one of the search");
            let value = self.to_fast.get(cell.var)?.get(value as usize).copied()?;
            match lifted.layout.of(VarId::from_index(cell.var))? {
                Place::Nowhere => {}
                Place::Scalar(field) => field.put(state, u64::from(value)),
                Place::Cells(fields) => {
                    if let Some(Some(field)) = fields.get(cell.index) {
                        field.put(state, u64::from(value));
                    }
                }
                Place::Packed(packed) => packed.field(cell.index as u32).put(state, u64::from(value)),
                Place::Sets(place) => {
                    let first = place.first.get(value as usize).copied().flatten();
                    if first.is_none() && value as usize != place.rest {
                        return None; // it was thought impossible
                    }
                    if let Some(first) = first
                        && let Some(word) = state.get_mut(first as usize + cell.index / 64)
                    {
                        *word |= 1 << (cell.index % 64);
                    }
                }
            }
        }
        Some(())
    }
}
