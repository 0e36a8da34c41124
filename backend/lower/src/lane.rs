//! Lanes: bundles of walks that differ only in the value of one generator.

use super::build::Builder;
use super::cases::Case;
use super::sets::{Map, Set};
use passes::analysis::classes::Class;
use rg_ir::{EdgeId, ExprId, Symbol, VarId};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use wir::Reg;

/// A value that a walk has in hand.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Val {
    /// A number.
    Const(u32),
    /// A number in a register.
    Reg(Reg),
    /// A function of the lane's generator.
    Gen(Map),
}

impl Val {
    /// A function of the generator, or a constant if it is the same on all of its elements.
    pub(super) fn generated(map: Map) -> Self {
        match map.split_first() {
            Some((first, rest)) if rest.iter().all(|x| x == first) => Val::Const(*first),
            _ => Val::Gen(map),
        }
    }

    /// As a register.
    pub(super) fn reg(&self, builder: &mut Builder) -> Option<Reg> {
        match self {
            Val::Const(value) => Some(builder.constant(u64::from(*value))),
            Val::Reg(reg) => Some(*reg),
            Val::Gen(_) => None,
        }
    }
}

/// What a variable holds on a walk.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Store {
    /// Nobody will ask.
    Dead,
    /// A single value.
    Scalar(Val),
    /// A map, as the set of indices with each value.
    Sets(Sets),
    /// A map with few entries, by index.
    Cells(Rc<[Val]>),
}

/// A map as sets.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Sets {
    /// Per value; together they hold every index once.
    pub(super) of: Rc<[Set]>,
    /// Writes at functions of the generator that are not in the sets yet, in order.
    pub(super) pending: Rc<[Pending]>,
}

/// A write at a function of the generator.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Pending {
    pub(super) index: Map,
    pub(super) value: Val,
    /// The value that it replaces, where that is known.
    pub(super) old: Option<u32>,
}

impl Store {
    /// Whether two variables hold the same, however much is known of it.
    pub(super) fn same(&self, other: &Store) -> bool {
        match (self, other) {
            (Store::Sets(a), Store::Sets(b)) => {
                let same = |(a, b): (&Pending, &Pending)| a.index == b.index && a.value == b.value;
                a.of == b.of && a.pending.len() == b.pending.len() && a.pending.iter().zip(b.pending.iter()).all(same)
            }
            _ => self == other,
        }
    }

    /// Keeps only what is known of another that is the same, too.
    fn common_knowledge(&mut self, other: &Store) {
        if let (Store::Sets(a), Store::Sets(b)) = (self, other)
            && a.pending != b.pending
        {
            let both = |(a, b): (&Pending, &Pending)| Pending { old: a.old.filter(|_| a.old == b.old), ..a.clone() };
            a.pending = a.pending.iter().zip(b.pending.iter()).map(both).collect();
        }
    }
}

/// A choice of the value of a variable, one of many.
pub(super) type GenId = u32;

/// The choice that is still open on a lane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Generator {
    pub(super) id: GenId,
    /// The choices with which a walk gets here.
    pub(super) set: Set,
}

/// Index into [`Paths`].
pub(super) type PathId = u32;

/// A step of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// An edge.
    Edge(EdgeId),
    /// An edge that assigns any value, which is the choice.
    Choose(EdgeId, GenId),
    /// An edge that assigns any value, which is this number.
    Fixed(EdgeId, u32),
    /// The variable's value is a choice from here on.
    Bind(VarId, GenId),
    /// In the next step, an expression has this value for all walks in the lane. Another lane that it was united with may
    /// have come to the same result in another way, so the state does not tell.
    Under(ExprId, u32),
}

/// All walks, sharing their beginnings.
#[derive(Default)]
pub(super) struct Paths {
    steps: Vec<(PathId, Step)>,
}

/// The walk without steps.
pub(super) const START: PathId = 0;

impl Paths {
    /// A walk with one more step.
    pub(super) fn with(&mut self, path: PathId, step: Step) -> PathId {
        self.steps.push((path, step));
        self.steps.len() as PathId
    }

    /// The steps of a walk in order.
    pub(super) fn steps(&self, mut path: PathId) -> Vec<Step> {
        let mut steps = Vec::new();
        while let Some(&(before, step)) = path.checked_sub(1).and_then(|at| self.steps.get(at as usize)) {
            steps.push(step);
            path = before;
        }
        steps.reverse();
        steps
    }
}

/// A part of a label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// `$ symbol`.
    Symbol(Symbol),
    /// `$$ variable`, with the class of the value.
    Value(Val, Class),
}

/// Something a test has established: `var[index] == value`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fact {
    pub(super) var: VarId,
    pub(super) index: Val,
    pub(super) value: u32,
}

/// What tests have established of the state in which the search began: `var[index]` is one of some values, a bit each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Origin {
    pub(super) var: VarId,
    pub(super) index: Val,
    pub(super) values: u64,
}

impl Origin {
    /// Whether an entry of a map would have to have two values.
    pub(super) fn contradicts(&self, other: &Origin) -> bool {
        self.var == other.var && self.index == other.index && self.values & other.values == 0
    }
}

/// A bundle of walks.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    /// Without a generator: whether the walk gets here.
    pub(super) guard: Reg,
    pub(super) generator: Option<Generator>,
    /// By variable.
    pub(super) vars: Vec<Store>,
    pub(super) label: Vec<Part>,
    /// Choices that are made, outermost first.
    pub(super) chosen: Vec<(GenId, Reg)>,
    pub(super) path: PathId,
    /// What holds now.
    pub(super) facts: Vec<Fact>,
    /// What held in the state in which the search began.
    pub(super) origins: Vec<Origin>,
    /// What tests have found on the walk, each in the state of its time.
    pub(super) found: Vec<Origin>,
    /// Truth values that the walk has tested, and whether they were 0.
    pub(super) tested: Vec<(Reg, bool)>,
    /// Answers that tests got, in order.
    pub(super) cases: Vec<Case>,
    /// The walk up to the last assignment that waits until the move is made, and the choice that was open then; see
    /// [`super::deferred`].
    pub(super) deferred_at: (PathId, Option<GenId>),
    /// Variables that were written.
    pub(super) written: Vec<VarId>,
}

/// When some walk is in a lane.
pub(super) enum Walks {
    /// If this truth value holds.
    If(Reg),
    /// If there is any of these choices.
    Of(Set),
}

impl Lane {
    /// Walks that begin with these variables, if a truth value holds.
    pub(super) fn beginning(guard: Reg, vars: Vec<Store>) -> Self {
        Self {
            guard,
            generator: None,
            vars,
            label: Vec::new(),
            chosen: Vec::new(),
            path: START,
            facts: Vec::new(),
            origins: Vec::new(),
            found: Vec::new(),
            tested: Vec::new(),
            cases: Vec::new(),
            deferred_at: (START, None),
            written: Vec::new(),
        }
    }

    /// When some walk is in the lane.
    pub(super) fn walks(&self) -> Walks {
        match &self.generator {
            Some(generator) => Walks::Of(generator.set.clone()),
            None => Walks::If(self.guard),
        }
    }

    /// Whether two lanes may be one but for their sets.
    pub(super) fn same(&self, other: &Lane) -> bool {
        self.generator.is_some() == other.generator.is_some()
            && self.label == other.label
            && self.deferred_at.0 == other.deferred_at.0
            && self.holds_the_same(&other.vars)
            && self.chosen == other.chosen
    }

    /// A number that lanes have in common that may be one ([`Lane::same`]).
    pub(super) fn hash_of_same(&self) -> u64 {
        let mut hasher = FxHasher::default();
        (self.generator.is_some(), self.deferred_at.0, self.label.len(), &self.chosen).hash(&mut hasher);
        for store in &self.vars {
            match store {
                Store::Sets(sets) => {
                    sets.of.hash(&mut hasher);
                    sets.pending.iter().for_each(|pending| (&pending.index, &pending.value).hash(&mut hasher));
                }
                store => store.hash(&mut hasher),
            }
        }
        hasher.finish()
    }

    /// Whether a variable depends on the generator.
    pub(super) fn depends(&self, var: usize) -> bool {
        match self.vars.get(var) {
            Some(Store::Scalar(value)) => matches!(value, Val::Gen(_)),
            Some(Store::Sets(sets)) => !sets.pending.is_empty(),
            Some(Store::Cells(cells)) => cells.iter().any(|value| matches!(value, Val::Gen(_))),
            Some(Store::Dead) | None => false,
        }
    }

    /// The variables that depend on the generator.
    pub(super) fn dependants(&self) -> Vec<usize> {
        (0..self.vars.len()).filter(|&var| self.depends(var)).collect()
    }

    /// Whether an assignment that waits depends on the choice that is open.
    pub(super) fn waits_for_choice(&self) -> bool {
        self.generator.as_ref().is_some_and(|generator| self.deferred_at.1 == Some(generator.id))
    }

    /// Whether the label depends on the generator.
    pub(super) fn labelled(&self) -> bool {
        self.label.iter().any(|part| matches!(part, Part::Value(Val::Gen(_), _)))
    }

    /// Notes what a test has established: `var[index]` is one of some values or, negated, none of them.
    pub(super) fn learn(&mut self, var: VarId, index: &Val, values: &[u32], negated: bool) {
        if values.iter().all(|&value| value < 64) {
            let bits = values.iter().fold(0, |bits, value| bits | 1u64 << value);
            let bits = if negated { !bits } else { bits };
            let found = Origin { var, index: index.clone(), values: bits };
            if !negated && !self.found.contains(&found) {
                self.found.push(found);
            }
            if self.written.contains(&var) {
                return self.learn_fact(var, index, values, negated);
            }
            match self.origins.iter_mut().find(|origin| origin.var == var && origin.index == *index) {
                Some(origin) => origin.values &= bits,
                None => self.origins.push(Origin { var, index: index.clone(), values: bits }),
            }
        }
        self.learn_fact(var, index, values, negated);
    }

    fn learn_fact(&mut self, var: VarId, index: &Val, values: &[u32], negated: bool) {
        if let (&[value], false) = (values, negated) {
            let fact = Fact { var, index: index.clone(), value };
            if !self.facts.contains(&fact) {
                self.facts.push(fact);
            }
        }
    }

    /// Whether two walks cannot both be possible.
    pub(super) fn excludes(&self, other: &Lane) -> bool {
        self.tested.iter().any(|&(truth, negated)| other.tested.contains(&(truth, !negated)))
            || self.cases.iter().any(|case| other.cases.iter().any(|other| case.excludes(other)))
    }

    /// Whether two walks cannot both be possible, since an entry of a map would have had two values where they began.
    pub(super) fn began_otherwise(&self, other: &Lane) -> bool {
        self.origins.iter().any(|a| other.origins.iter().any(|b| a.contradicts(b)))
    }

    /// Forgets what tests have told the lane's walks from others.
    pub(super) fn forget_tests(&mut self) {
        self.tested.clear();
        self.cases.clear();
    }

    /// Drops what is known of the choice: there is none any more, or it is another.
    pub(super) fn forget_choices(&mut self) {
        self.facts.retain(|fact| !matches!(fact.index, Val::Gen(_)));
        self.origins.retain(|fact| !matches!(fact.index, Val::Gen(_)));
        self.found.retain(|fact| !matches!(fact.index, Val::Gen(_)));
    }

    /// Whether variables hold the same as in another lane.
    pub(super) fn holds_the_same(&self, vars: &[Store]) -> bool {
        self.vars.len() == vars.len() && self.vars.iter().zip(vars).all(|(a, b)| a.same(b))
    }

    /// What a test has established of a map's entry.
    pub(super) fn known(&self, var: VarId, index: &Val) -> Option<u32> {
        let fact = self.facts.iter().find(|fact| fact.var == var && fact.index == *index);
        fact.map(|fact| fact.value)
    }

    /// Keeps only the facts that both have.
    pub(super) fn common_facts(&mut self, other: &Lane) {
        self.vars.iter_mut().zip(&other.vars).for_each(|(a, b)| a.common_knowledge(b));
        self.facts.retain(|fact| other.facts.contains(fact));
        self.tested.retain(|tested| other.tested.contains(tested));
        self.cases.retain(|case| other.cases.contains(case));
        self.found.retain(|found| other.found.contains(found));
        self.origins.retain_mut(|origin| {
            let same = other.origins.iter().find(|same| same.var == origin.var && same.index == origin.index);
            origin.values |= same.map_or(u64::MAX, |same| same.values);
            same.is_some()
        });
        for &var in &other.written {
            if !self.written.contains(&var) {
                self.written.push(var);
            }
        }
    }
}
