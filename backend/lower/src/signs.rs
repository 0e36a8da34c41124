//! What is known of the labels of a kind of moves, to tell it from other kinds.

use super::Lifter;
use super::lane::{Lane, Origin, Part, Val};
use super::sets::Set;
use super::tails::Rest;
use passes::analysis::classes::Class;
use rg_ir::{Symbol, VarId};
use rustc_hash::FxHashSet;
use std::cmp::Ordering;
use wir::Reg;

/// Of which values, a bit each, a map is at a position, with the class of its name.
type Held = Vec<(VarId, usize, u64)>;

/// What is known of the labels of a template.
#[derive(Clone, Debug)]
pub(super) struct Sign {
    /// Per part, for one that is a position: of which values `var[position]` is before the move.
    pub(super) origins: Vec<Held>,
    /// What tests have established of the state alone, whatever was chosen: entries of maps, and truth values that were
    /// tested, with whether they were 0.
    pub(super) state: (Vec<Origin>, Vec<(Reg, bool)>),
    /// The labels that there can be, with the choices they belong to; `None` for parts of which nothing is known.
    pub(super) labels: Vec<(usize, Vec<Option<Symbol>>)>,
    /// The same labels, to be looked for.
    pub(super) distinct: FxHashSet<Vec<Option<Symbol>>>,
    /// The symbols that each part of a label may be, sorted; none for parts of which nothing is known.
    pub(super) symbols: Vec<Vec<Symbol>>,
    /// The class of each part that is a value.
    pub(super) classes: Vec<Option<Class>>,
    /// What else there is of the labels.
    pub(super) rest: Rest,
}

impl Sign {
    /// Whether no state has moves of both.
    fn needs_other_state(&self, other: &Sign) -> bool {
        let ((origins, tested), (others, other_tested)) = (&self.state, &other.state);
        origins.iter().any(|origin| others.iter().any(|other| origin.contradicts(other)))
            || tested.iter().any(|&(truth, negated)| other_tested.contains(&(truth, !negated)))
    }
}

impl Lifter<'_> {
    pub(super) fn sign(&self, lane: &Lane, set: &Set) -> Sign {
        let about = |part: &Part| match part {
            Part::Symbol(_) => Vec::new(),
            Part::Value(value, class) => {
                let about = lane.origins.iter().filter(|origin| origin.index == *value);
                about.map(|origin| (origin.var, *class, origin.values)).collect()
            }
        };
        let symbol = |part: &Part, x: usize| match part {
            Part::Symbol(symbol) => Some(*symbol),
            Part::Value(value, class) => {
                let value = match value {
                    Val::Const(value) => *value,
                    Val::Gen(map) => map.get(x).copied()?,
                    Val::Reg(_) => return None,
                };
                self.known.numbers.members(*class).get(value as usize).copied()
            }
        };
        let label = |x: usize| (x, lane.label.iter().map(|part| symbol(part, x)).collect::<Vec<_>>());
        let labels: Vec<(usize, Vec<Option<Symbol>>)> = if lane.generator.is_some() {
            let possible: Vec<u64> = set.iter().map(|&word| self.function.builder.possible_bits(word)).collect();
            let may = |x: &usize| possible.get(x / 64).is_some_and(|word| word >> (x % 64) & 1 == 1);
            (0..set.len() * 64).filter(may).map(label).collect()
        } else {
            vec![label(0)]
        };
        let class = |part: &Part| match part {
            Part::Symbol(_) => None,
            Part::Value(_, class) => Some(*class),
        };
        let of_state = |value: &Val| match value {
            Val::Const(_) => true,
            Val::Reg(reg) => self.function.builder.is_of_state(*reg),
            Val::Gen(_) => false,
        };
        let tested = lane.tested.iter().copied().filter(|&(truth, _)| self.function.builder.is_of_state(truth));
        let symbols = (0..lane.label.len()).map(|part| {
            let mut symbols: Vec<Symbol> = labels.iter().filter_map(|(_, label)| *label.get(part)?).collect();
            symbols.sort_unstable();
            symbols.dedup();
            symbols
        });
        Sign {
            symbols: symbols.collect(),
            distinct: labels.iter().map(|(_, label)| label.clone()).collect(),
            origins: lane.label.iter().map(about).collect(),
            state: (lane.origins.iter().filter(|origin| of_state(&origin.index)).cloned().collect(), tested.collect()),
            labels,
            classes: lane.label.iter().map(class).collect(),
            rest: Rest::None,
        }
    }

    /// Whether labels of two templates differ in that one has a tag where the other has none or others.
    fn differ_in_length(&self, a: &Sign, b: &Sign) -> bool {
        let (here, there) = (a.origins.len(), b.origins.len());
        match (&a.rest, &b.rest) {
            (Rest::None, Rest::None) => here != there,
            (Rest::LastOf { ends }, Rest::None) => self.ends_otherwise(b, ends),
            (Rest::None, Rest::LastOf { ends }) => self.ends_otherwise(a, ends),
            (Rest::LastOf { .. }, _) | (_, Rest::LastOf { .. }) => false,
            _ => {
                let at = here.min(there);
                let (first, second) = (self.tags_at(a, at), self.tags_at(b, at));
                first.zip(second).is_some_and(|(first, second)| first.iter().all(|tag| !second.contains(tag)))
            }
        }
    }

    /// Whether the labels of a template, which are whole, do not end with one of some tags.
    fn ends_otherwise(&self, sign: &Sign, ends: &[Symbol]) -> bool {
        let Some(last) = sign.origins.len().checked_sub(1) else { return true };
        let tags = self.tags_at(sign, last);
        tags.is_some_and(|tags| tags.iter().flatten().all(|tag| !ends.contains(tag)))
    }

    /// The tags that labels of a template may have at a place, `None` for one that ends before it; nothing if it may be any.
    fn tags_at(&self, sign: &Sign, at: usize) -> Option<Vec<Option<Symbol>>> {
        if at == sign.origins.len() {
            return Some(match &sign.rest {
                Rest::Follows(next) => next.clone(),
                _ => vec![None],
            });
        }
        match sign.classes.get(at)? {
            Some(class) => Some(self.known.numbers.members(*class).iter().copied().map(Some).collect()),
            None => sign.labels.iter().map(|(_, label)| label.get(at).copied().flatten().map(Some)).collect(),
        }
    }

    /// The choices of a template with which it may have a label of another in one state.
    pub(super) fn same_labels(&self, a: &Sign, b: &Sign) -> Vec<usize> {
        if self.differ_in_length(a, b) || a.needs_other_state(b) {
            return Vec::new();
        }
        let all = || a.labels.iter().map(|&(x, _)| x).collect();
        if matches!((&a.rest, &b.rest), (Rest::LastOf { .. }, _) | (_, Rest::LastOf { .. })) {
            return all();
        }
        let contradict = |(a, b): (&Held, &Held)| {
            a.iter().any(|(var, class, values)| {
                b.iter().any(|(other, same, wanted)| other == var && class == same && values & wanted == 0)
            })
        };
        if a.origins.iter().zip(&b.origins).any(contradict) {
            return Vec::new();
        }
        // A part that is always the same symbol, which is none of the values that the other's part can have.
        let foreign = |a: &Sign, b: &Sign, i: usize| {
            let Some(&Some(symbol)) = a.labels.first().and_then(|(_, label)| label.get(i)) else { return false };
            let constant = a.classes.get(i) == Some(&None);
            let class = b.classes.get(i).copied().flatten();
            constant && class.is_some_and(|class| self.known.numbers.number(class, symbol).is_none())
        };
        if (0..a.classes.len()).any(|i| foreign(a, b, i) || foreign(b, a, i)) {
            return Vec::new();
        }
        // Parts of which both have the symbol; which parts these are is the same for all labels of a template.
        let (Some((_, x)), Some((_, y))) = (a.labels.first(), b.labels.first()) else { return Vec::new() };
        let known: Vec<usize> =
            (0..x.len()).filter(|&i| matches!((x.get(i), y.get(i)), (Some(Some(_)), Some(Some(_))))).collect();
        let are_disjoint =
            |&i: &usize| matches!((a.symbols.get(i), b.symbols.get(i)), (Some(a), Some(b)) if disjoint(a, b));
        if known.iter().any(are_disjoint) {
            return Vec::new();
        }
        if x.len() == y.len() && x.iter().zip(y).all(|(x, y)| x.is_some() == y.is_some()) {
            let shared = a.labels.iter().filter(|(_, label)| b.distinct.contains(label));
            return shared.map(|&(x, _)| x).collect();
        }
        let only =
            |label: &Vec<Option<Symbol>>| known.iter().map(|&i| label.get(i).copied().flatten()).collect::<Vec<_>>();
        let there: FxHashSet<Vec<Option<Symbol>>> = b.labels.iter().map(|(_, label)| only(label)).collect();
        a.labels.iter().filter(|(_, label)| there.contains(&only(label))).map(|&(x, _)| x).collect()
    }
}

/// Whether two sorted lists have nothing in common. Linear.
fn disjoint(a: &[Symbol], b: &[Symbol]) -> bool {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        match x.cmp(y) {
            Ordering::Less => a.next(),
            Ordering::Greater => b.next(),
            Ordering::Equal => return false,
        };
    }
    true
}
