//! Places: where walks come to, told apart by what they carry along.
//!
//! A walk is at a node, and what it has assigned and is still of interest is in *slots*: values of variables, keys and values of entries of
//! maps, tags. How many slots of which kind there are is the *form*; walks of one form share a place. What all of them have in common (a
//! slot is always the same symbol, two slots always agree) the place knows, so its relation has an argument only for each group of slots that vary.

use crate::path::{Source, Store, Whole, Write};
use crate::term::{PlaceId, StateId, Term, Variable};
use indexmap::IndexMap;
use rg_ir::{NodeId, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What walks through a place are for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Phase {
    /// The keeper's moves before that of a player.
    Keeper,
    /// The keeper comes to the node in one way at most, so that what it has assigned follows from the state.
    Known,
    /// The move of a player.
    Mover,
    /// The walk has one way to go on from the node, and comes to the end of the player's move in any case.
    Decided,
    /// The rest of that walk.
    Rest,
    /// The move of a player is over, and the keeper goes on at the node.
    Handed,
    /// The keeper's moves after it.
    Settled,
    /// The move is over, and leads to this state.
    End(StateId),
    /// A check whether walks come to the node.
    Check(NodeId),
}

/// The keys of an entry that is assigned.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Keys {
    /// Those of an entry of a small map, all symbols.
    Given(Vec<Term>),
    /// So many slots.
    Slots(usize),
}

impl Keys {
    fn of(write: &Write) -> Self {
        if write.small { Self::Given(write.keys.clone()) } else { Self::Slots(write.keys.len()) }
    }
}

/// What tells places apart.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Form {
    pub(crate) phase: Phase,
    pub(crate) node: NodeId,
    pub(crate) mover: bool,
    pub(crate) scalars: Vec<VarId>,
    /// Maps whose entries are assigned, with their keys.
    pub(crate) writes: Vec<(VarId, Keys)>,
    /// Maps that are assigned as a whole, with what they are, and the number of given keys of that.
    pub(crate) wholes: Vec<(VarId, Source, usize)>,
    /// Maps of which entries were collected.
    pub(crate) collected: BTreeSet<VarId>,
    pub(crate) tags: usize,
    pub(crate) seen: usize,
}

impl Form {
    /// The form of a store, and its slots.
    pub(crate) fn of(phase: Phase, node: NodeId, store: &Store) -> (Self, Vec<Term>) {
        let mut slots: Vec<Term> = store.mover.into_iter().collect();
        slots.extend(store.scalars.values());
        for write in &store.writes {
            if !write.small {
                slots.extend(&write.keys);
            }
            slots.push(write.value);
        }
        slots.extend(store.wholes.values().flat_map(|whole| &whole.keys));
        slots.extend(&store.tags);
        slots.extend(&store.seen);
        let form = Self {
            phase,
            node,
            mover: store.mover.is_some(),
            scalars: store.scalars.keys().copied().collect(),
            writes: store.writes.iter().map(|write| (write.var, Keys::of(write))).collect(),
            wholes: store.wholes.iter().map(|(&var, whole)| (var, whole.source, whole.keys.len())).collect(),
            collected: store.collected.clone(),
            tags: store.tags.len(),
            seen: store.seen.len(),
        };
        (form, slots)
    }

    /// The store with these slots.
    pub(crate) fn store(&self, slots: &[Term]) -> Store {
        let mut slots = slots.iter().copied();
        let mover = if self.mover { slots.next() } else { None };
        let scalars = self.scalars.iter().copied().zip(slots.by_ref()).collect();
        let mut writes = Vec::with_capacity(self.writes.len());
        for (var, keys) in &self.writes {
            let (keys, small) = match keys {
                Keys::Given(keys) => (keys.clone(), true),
                Keys::Slots(count) => (slots.by_ref().take(*count).collect(), false),
            };
            let Some(value) = slots.next() else { break };
            writes.push(Write { var: *var, keys, value, small });
        }
        let whole = |&(var, source, keys): &(VarId, Source, usize)| {
            (var, Whole { source, keys: slots.by_ref().take(keys).collect() })
        };
        let wholes = self.wholes.iter().map(whole).collect();
        let tags = slots.by_ref().take(self.tags).collect();
        Store {
            mover,
            scalars,
            writes,
            wholes,
            collected: self.collected.clone(),
            tags,
            seen: slots.take(self.seen).collect(),
        }
    }
}

/// A place.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) form: Form,
    /// What is in each slot: a symbol, or one of the variables.
    pub(crate) slots: Vec<Term>,
    /// The arguments of its relation.
    pub(crate) vars: Vec<Variable>,
}

impl Place {
    /// Whether the moves of walks through this place are none of those through another one.
    pub(crate) fn other_move(&self, other: &Self) -> bool {
        let [own, others] = [self, other].map(|place| {
            let store = place.form.store(&place.slots);
            store.mover.into_iter().chain(store.tags).collect::<Vec<_>>()
        });
        let values = |place: &Self, term: Term| match term {
            Term::Symbol(symbol) => Rc::new(BTreeSet::from([symbol])),
            Term::Var(number) => place.vars.get(number as usize).map(|var| var.values.clone()).unwrap_or_default(),
        };
        let apart = |(a, b): (&Term, &Term)| values(self, *a).is_disjoint(&values(other, *b));
        own.len() != others.len() || own.iter().zip(&others).any(apart)
    }

    /// The arguments for slots that some walk has.
    pub(crate) fn args(&self, slots: &[Term]) -> Vec<Term> {
        let mut args = Vec::with_capacity(self.vars.len());
        for (own, term) in self.slots.iter().zip(slots) {
            if let Term::Var(number) = own
                && *number as usize == args.len()
            {
                args.push(*term);
            }
        }
        args
    }
}

/// All places that walks come to.
#[derive(Default)]
pub(crate) struct Places {
    list: IndexMap<Form, Place>,
    /// Places about which more has become known since they were last looked at.
    pub(crate) pending: Vec<PlaceId>,
}

impl Places {
    pub(crate) fn get(&self, place: PlaceId) -> Option<&Place> {
        self.list.get_index(place).map(|(_, place)| place)
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (PlaceId, &Place)> {
        self.list.values().enumerate()
    }

    /// Notes that walks come to a place with these slots. What is known of each slot by its index is told by `describe`.
    pub(crate) fn arrive(&mut self, form: Form, slots: &[Term], describe: impl Fn(usize) -> Variable) -> PlaceId {
        let (number, before) = match self.list.get_full(&form) {
            Some((number, _, place)) => (number, Some(place.clone())),
            None => (self.list.len(), None),
        };
        let place = merged(&form, before.as_ref(), slots, describe);
        let same = before.is_some_and(|before| {
            before.slots == place.slots
                && before.vars.iter().zip(&place.vars).all(|(a, b)| a.values.len() == b.values.len())
        });
        if !same {
            self.list.insert(form, place);
            self.pending.push(number);
        }
        number
    }
}

/// What a place and more walks have in common (their least general generalisation).
fn merged(form: &Form, before: Option<&Place>, slots: &[Term], describe: impl Fn(usize) -> Variable) -> Place {
    let mut groups: FxHashMap<(Option<Term>, Term), Term> = FxHashMap::default();
    let mut place = Place { form: form.clone(), slots: Vec::with_capacity(slots.len()), vars: Vec::new() };
    for (index, &new) in slots.iter().enumerate() {
        let old = before.and_then(|before| before.slots.get(index)).copied();
        let term = match (old, new) {
            (None, Term::Symbol(_)) => new,
            (Some(Term::Symbol(a)), Term::Symbol(b)) if a == b => new,
            _ => *groups.entry((old, new)).or_insert_with(|| {
                let new = describe(index);
                place.vars.push(joined(old.map(|old| described(before, old, &new)), new));
                Term::Var(u32::try_from(place.vars.len() - 1).unwrap_or(u32::MAX))
            }),
        };
        place.slots.push(term);
    }
    place
}

fn described(before: Option<&Place>, old: Term, new: &Variable) -> Variable {
    let var = match old {
        Term::Var(number) => before.and_then(|before| before.vars.get(number as usize)).cloned(),
        Term::Symbol(symbol) => Some(Variable { values: Rc::new([symbol].into_iter().collect()), ..new.clone() }),
    };
    var.unwrap_or_else(|| new.clone())
}

fn joined(old: Option<Variable>, new: Variable) -> Variable {
    let Some(old) = old else { return new };
    if new.values.is_subset(&old.values) {
        return old;
    }
    let values = Rc::new(old.values.union(&new.values).copied().collect());
    Variable { values, ..old }
}
