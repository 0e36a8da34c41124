//! Choices that are hidden, as labels have no part of their own for them: whether labels determine them all the same.
//!
//! A label shows values that are computed from choices, such as the entry of a table for a choice and a place. All choices are
//! tried with all values of what else the label's values are computed from: they are determined if no two give the same values.
//! Choices do not count with which an entry of a map would be read that cannot have the value that a test found there.
//! O(combinations times operations), for a bounded number of combinations.

use super::Lifter;
use super::lane::{GenId, Lane, Origin, Part, Store, Val};
use rg_ir::VarId;
use rg_ir::ids::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use wir::{Op, Reg};

/// Most combinations that are tried.
const MAX_COMBINATIONS: usize = 1 << 16;
/// Most operations behind the values of a label.
const MAX_OPERATIONS: usize = 64;

/// What the values of a label are computed from.
struct Computed {
    /// Registers of the label.
    parts: Vec<Reg>,
    /// Operations behind them that depend on a choice, in an order in which they can be evaluated.
    ops: Vec<(Reg, Op)>,
    /// What else they read, and the numbers that it may have.
    leaves: Vec<(Reg, Vec<u64>)>,
}

impl Lifter<'_> {
    /// Whether the label of a lane determines some of its choices: in no state two combinations of them give the same label.
    pub(super) fn label_determines(&self, lane: &Lane, choices: &[(GenId, Reg)]) -> bool {
        let register = |part: &Part| match part {
            Part::Value(Val::Reg(reg), _) => Some(*reg),
            _ => None,
        };
        let parts: Vec<Reg> = lane.label.iter().filter_map(register).collect();
        let Some(computed) = self.computed(lane, parts, choices) else { return false };
        let chosen = choices.iter().map(|&(id, reg)| Some((reg, self.elements_of(id)?)));
        let Some(chosen) = chosen.collect::<Option<Vec<_>>>() else { return false };
        let inputs: Vec<(Reg, Vec<u64>)> = computed.leaves.iter().cloned().chain(chosen).collect();
        let count = inputs.iter().try_fold(1usize, |count, (_, numbers)| count.checked_mul(numbers.len()));
        let Some(count) = count.filter(|&count| count <= MAX_COMBINATIONS) else { return false };
        let allowed = self.allowed_by_tests(lane);
        // The leaves are part of the state: only choices in one state are compared.
        let compared: Vec<Reg> = computed.leaves.iter().map(|&(reg, _)| reg).chain(computed.parts).collect();
        let mut seen: FxHashSet<Vec<u64>> = FxHashSet::default();
        let mut values: FxHashMap<Reg, u64> = FxHashMap::default();
        (0..count).all(|combination| {
            let mut rest = combination;
            for (reg, numbers) in &inputs {
                values.extend(numbers.get(rest % numbers.len()).map(|&number| (*reg, number)));
                rest /= numbers.len();
            }
            for &(reg, op) in &computed.ops {
                match self.function.builder.evaluate(op, |reg| values.get(&reg).copied()) {
                    Some(value) => values.insert(reg, value),
                    None => return false,
                };
            }
            let excluded = |(reg, allowed): &(Reg, Vec<u64>)| {
                let place = values.get(reg).map(|&place| place as usize);
                place.is_some_and(|place| allowed.get(place / 64).is_none_or(|word| word >> (place % 64) & 1 == 0))
            };
            let label = || compared.iter().filter_map(|reg| values.get(reg).copied()).collect();
            allowed.iter().any(excluded) || seen.insert(label())
        })
    }

    /// What some registers are computed from; `None` if that is too much.
    fn computed(&self, lane: &Lane, parts: Vec<Reg>, choices: &[(GenId, Reg)]) -> Option<Computed> {
        let mut computed = Computed { parts: Vec::new(), ops: Vec::new(), leaves: Vec::new() };
        let mut known: FxHashMap<Reg, bool> = choices.iter().map(|&(_, reg)| (reg, true)).collect();
        for part in parts {
            if self.depends_on(part, &mut known, &mut computed.ops)? {
                computed.parts.push(part);
            }
        }
        let mut read: Vec<Reg> = computed.ops.iter().flat_map(|(_, op)| op.reads()).collect();
        read.sort_unstable();
        read.dedup();
        for reg in read.into_iter().filter(|reg| known.get(reg) == Some(&false)) {
            let chosen = lane.chosen.iter().find(|&&(_, element)| element == reg);
            let numbers = match chosen {
                Some(&(id, _)) => self.elements_of(id)?,
                None => self.numbers_at_start(reg)?,
            };
            computed.leaves.push((reg, numbers));
        }
        Some(computed)
    }

    /// The elements that a choice may be of.
    fn elements_of(&self, id: GenId) -> Option<Vec<u64>> {
        self.function.elements.get(id as usize).map(|words| numbers_in(words))
    }

    /// Whether a register depends on those that are known to; operations that do are added after those that they read. `None`
    /// if there are too many.
    fn depends_on(&self, reg: Reg, known: &mut FxHashMap<Reg, bool>, ops: &mut Vec<(Reg, Op)>) -> Option<bool> {
        if let Some(&depends) = known.get(&reg) {
            return Some(depends);
        }
        if known.len() > MAX_OPERATIONS {
            return None;
        }
        // Registers are defined once, so none is computed from itself.
        known.insert(reg, false);
        let Some(op) = self.function.builder.op_of(reg) else { return Some(false) };
        let mut depends = false;
        for read in op.reads() {
            depends |= self.depends_on(read, known, ops)?;
        }
        if depends {
            known.insert(reg, true);
            ops.push((reg, op));
        }
        Some(depends)
    }

    /// Registers at which tests read a map, each with the keys, a bit each, at which the map may have had what was found.
    fn allowed_by_tests(&self, lane: &Lane) -> Vec<(Reg, Vec<u64>)> {
        let read = |origin: &Origin| match origin.index {
            Val::Reg(reg) => Some((reg, self.keys_with(origin.var, origin.values)?)),
            _ => None,
        };
        lane.found.iter().filter_map(read).collect()
    }

    /// The keys at which a map of one level can ever have one of some values, a bit each; `None` if that is not known.
    fn keys_with(&self, var: VarId, values: u64) -> Option<Vec<u64>> {
        let form = self.known.numbers.vars.get(var)?.as_ref().ok()?;
        let (&[key], None) = (&form.keys[..], &form.rows) else { return None };
        let keys = self.known.numbers.members(key);
        let mut allowed = vec![0; keys.len().div_ceil(64)];
        for (at, (&key, (&real, &first))) in keys.iter().zip(form.real.iter().zip(form.values.iter())).enumerate() {
            let has = |number: u32| number < 64 && values >> number & 1 == 1;
            let number = |symbol| self.known.numbers.number(form.class, symbol);
            // An index that is not a key always holds the same value.
            let may_have = match real {
                true => self.known.values?.ever_at(var, key)?.into_iter().filter_map(number).any(has),
                false => has(first),
            };
            if may_have && let Some(word) = allowed.get_mut(at / 64) {
                *word |= 1 << (at % 64);
            }
        }
        Some(allowed)
    }

    /// The numbers that a register may hold: if it is a variable before the move, those that the variable can have there.
    fn numbers_at_start(&self, reg: Reg) -> Option<Vec<u64>> {
        let holds = |store: &Store| *store == Store::Scalar(Val::Reg(reg));
        let var = self.function.before.iter().position(holds).map(VarId::from_index);
        let known = || -> Option<Vec<u64>> {
            let (var, node) = (var?, self.function.node?);
            let class = self.known.numbers.vars.get(var)?.as_ref().ok()?.class;
            let symbols = self.known.values?.at(node, var)?;
            symbols.into_iter().map(|symbol| self.known.numbers.number(class, symbol).map(u64::from)).collect()
        };
        known().or_else(|| Some(numbers_in(&self.numbers_of(reg)?)))
    }
}

/// The numbers of the bits of some words that are set.
fn numbers_in(words: &[u64]) -> Vec<u64> {
    let is_set = |number: &u64| words.get(*number as usize / 64).is_some_and(|word| word >> (number % 64) & 1 == 1);
    (0..64 * words.len() as u64).filter(is_set).collect()
}
