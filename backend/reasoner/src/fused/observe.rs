//! Where lifted states have what is looked at.

use super::Fused;
use crate::bridge::Bridge;
use engine::observe::{Bits, Looks, Source, Write};
use lower::{Field, Place};
use rg_ir::ids::Id;
use rg_ir::{Symbol, VarId};
use rustc_hash::FxHashMap;

/// What a value writes, by its number.
type Writes = Box<[Option<Write>]>;

impl Fused {
    /// Where the cells and the node are; `None` if one of the cells is none of the game's.
    pub(super) fn sources(&self, looks: &Looks) -> Option<Vec<Source>> {
        let mut sources = Vec::new();
        if !looks.nodes.is_empty() {
            let stops = self.lifted.stops.iter();
            let writes = stops.map(|stop| looks.at_node(self.node_text(stop.decider.node))).collect();
            sources.push(field(self.lifted.layout.node, writes));
        }
        // By variable with sets, what each index writes.
        let mut in_sets: FxHashMap<usize, Vec<(usize, Writes)>> = FxHashMap::default();
        for cell in &looks.cells {
            let var = self.game.symbols.get(&cell.variable).and_then(|name| self.game.find_var(name))?;
            let index = self.index(var, &cell.keys)?;
            let symbols = self.lifted.symbols.get(var.index())?;
            let written = |name: &str| cell.writes.iter().find(|(value, _)| value == name).map(|(_, write)| *write);
            let writes: Writes = symbols.iter().map(|&symbol| written(self.game.name(symbol))).collect();
            let (initial, real) = self.lifted.initial.get(var.index())?;
            let place = match self.lifted.layout.of(var) {
                // Code that never reads or writes it does not keep it.
                _ if real.get(index) == Some(&false) => None,
                Some(Place::Scalar(field)) => Some(*field),
                Some(Place::Cells(fields)) => fields.get(index).copied().flatten(),
                Some(Place::Packed(packed)) => Some(packed.field(index as u32)),
                Some(Place::Sets(_)) => {
                    in_sets.entry(var.index()).or_default().push((index, writes));
                    continue;
                }
                Some(Place::Nowhere) | None => None,
            };
            match place {
                Some(place) => sources.push(field(place, writes)),
                None => {
                    let value = initial.get(index).and_then(|&value| *writes.get(value as usize)?);
                    sources.extend(value.map(Source::Always));
                }
            }
        }
        let mut in_sets: Vec<_> = in_sets.into_iter().collect();
        in_sets.sort_unstable_by_key(|(var, _)| *var);
        for (var, entries) in in_sets {
            if let Some(Place::Sets(place)) = self.lifted.layout.of(VarId::from_index(var)) {
                for word in 0..place.words {
                    sources.extend(of_sets(place, word, &entries));
                }
            }
        }
        Some(sources)
    }

    /// The value of an entry of a variable; `None` for those that code never reads or writes.
    pub(super) fn entry(&self, words: &[u64], var: VarId, keys: &[&str]) -> Option<Symbol> {
        let (index, (_, real)) = (self.index(var, keys)?, self.lifted.initial.get(var.index())?);
        real.get(index).filter(|&&real| real)?;
        let value = Bridge::value(&self.lifted, words, var, index);
        self.lifted.symbols.get(var.index())?.get(value as usize).copied()
    }

    /// The index of an entry of a variable.
    pub(super) fn index(&self, var: VarId, names: &[impl AsRef<str>]) -> Option<usize> {
        let keys = self.lifted.keys.get(var.index())?;
        if keys.len() != names.len() {
            return None;
        }
        keys.iter().zip(names).try_fold(0, |index, (symbols, name)| {
            let at = symbols.iter().position(|&symbol| self.game.name(symbol) == name.as_ref())?;
            Some(index * symbols.len() + at)
        })
    }
}

/// The source of a field, whose values write something.
fn field(Field { word, shift, bits }: Field, writes: Writes) -> Source {
    Source::Field { word, shift, mask: u64::MAX >> (64 - bits.clamp(1, 64)), writes }
}

/// The sources for one word of each set of a map, of whose entries each value writes something.
fn of_sets(place: &lower::SetPlace, word: u32, entries: &[(usize, Writes)]) -> Vec<Source> {
    let here = || entries.iter().filter(|(index, _)| *index as u32 / 64 == word);
    // What each bit writes if its value is this one.
    let of_bits = |value: usize| -> Writes {
        let mut bits = vec![None; 64];
        for (index, writes) in here() {
            if let Some(slot) = bits.get_mut(index % 64) {
                *slot = writes.get(value).copied().flatten();
            }
        }
        bits.into()
    };
    let of_value = place.first.iter().enumerate().filter_map(|(value, first)| {
        let writes = of_bits(value);
        let is_written = writes.iter().any(Option::is_some);
        first.filter(|_| is_written).map(|first| Source::Set { word: first + word, writes: Bits::new(writes) })
    });
    let mut sources: Vec<Source> = of_value.collect();
    let rest = of_bits(place.rest);
    if rest.iter().any(Option::is_some) {
        let within = here().fold(0, |within, (index, _)| within | 1 << (index % 64));
        let words = place.first.iter().flatten().map(|first| first + word).collect();
        sources.push(Source::Rest { words, within, writes: Bits::new(rest) });
    }
    sources
}
