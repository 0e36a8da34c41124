//! Queries: what is bound, what is still to be asked, and the steps that have been decided.

use super::vocabulary::{Dom, Slot};
use crate::flat::{Arg, Literal, Rel, Unsupported};
use crate::normal::TermId;
use rg_ir::Label;
use rg_ir::ids::ExprId;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Where the value of a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Val {
    /// A constant.
    Is(TermId),
    /// A component of the tuple in a slot.
    Part(Slot, usize),
}

/// A step of a walk.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// One edge.
    Do(Label),
    /// One of these walks.
    Any(Vec<Vec<Step>>),
    /// Whether there is such a walk.
    Check { steps: Vec<Step>, negated: bool },
    /// Whether a relation holds that has an automaton of its own.
    Call { procedure: usize, params: Vec<(Slot, ExprId)>, negated: bool },
    /// For `count` values of a slot, in the order of `next`, from `first` on until `next` is null.
    Each { slot: Slot, first: ExprId, next: ExprId, null: ExprId, count: usize, steps: Vec<Step> },
    /// One of the first walks, and then any number of the others.
    Closure { first: Vec<Vec<Step>>, again: Vec<Vec<Step>> },
    /// The same relation again, with other arguments: the last step.
    Again { procedure: usize, params: Vec<(Slot, Slot, ExprId)> },
}

/// Why there are no steps.
#[derive(Clone, Debug)]
pub(super) enum Stop {
    /// There is no rule for that.
    Unsupported(String),
    /// There are too many cases.
    Cases,
    /// A choice is necessary, but not allowed.
    Undetermined,
    /// It is never true.
    Never,
    /// A constant map would have too many cells: that of a static relation, or another.
    Wide(Option<Rel>),
}

impl From<Unsupported> for Stop {
    fn from(reason: Unsupported) -> Self {
        Stop::Unsupported(reason.0)
    }
}

/// What a role does: the kind of move, and its arguments.
#[derive(Clone, Debug)]
pub(super) struct Done {
    pub(super) kind: usize,
    pub(super) args: Vec<Val>,
}

/// An automaton for a relation: which arguments are constants, which are in slots, which are any.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Mode {
    Is(TermId),
    Param,
    Any,
}

/// A query that is being planned.
#[derive(Clone, Debug)]
pub(super) struct Query {
    /// Per variable the places of its value.
    env: Vec<Vec<Val>>,
    /// Variables that are another variable or a constant.
    alias: Vec<Option<Arg>>,
    /// What is still to be asked.
    pub(super) left: Vec<Literal>,
    /// What has been decided.
    pub(super) steps: Vec<Step>,
    /// Static literals that have been decided, or follow: what is true where the steps lead to.
    pub(super) tested: Vec<Literal>,
    /// The variables whose values are asked for.
    pub(super) needed: Vec<u32>,
    /// Tuples that should be in certain slots.
    pub(super) preferred: Vec<(Vec<Arg>, Slot)>,
    /// Slots that hold what was read from the state.
    pub(super) read: Vec<Slot>,
    /// Tuples that are in slots as wholes, with their constants.
    pub(super) tuples: Vec<(Vec<Arg>, Slot)>,
    /// Tuples that have to be bound, with their domains.
    pub(super) wanted: Vec<(Vec<Arg>, Dom)>,
    /// Whether what is left, once everything needed is known, is asked in a check.
    pub(super) cut: bool,
    /// Whether choices are allowed.
    pub(super) may_choose: bool,
    /// Whether a choice was made.
    pub(super) chose: bool,
    /// What the roles do, if that is known.
    pub(super) done: Rc<FxHashMap<TermId, Done>>,
    /// The relation whose automaton this is a part of, and its own slots.
    pub(super) inside: Option<(usize, Rel, Vec<Mode>)>,
    /// How many temporary slots of each domain are in use.
    pub(super) used: FxHashMap<Dom, usize>,
}

impl Query {
    pub(super) fn new(vars: u32, left: Vec<Literal>) -> Self {
        Self {
            env: vec![Vec::new(); vars as usize],
            alias: vec![None; vars as usize],
            left,
            steps: Vec::new(),
            tested: Vec::new(),
            needed: Vec::new(),
            preferred: Vec::new(),
            wanted: Vec::new(),
            tuples: Vec::new(),
            read: Vec::new(),
            cut: true,
            may_choose: true,
            chose: false,
            done: Rc::default(),
            inside: None,
            used: FxHashMap::default(),
        }
    }

    /// A query with the same knowledge and other questions.
    pub(super) fn about(&self, left: Vec<Literal>) -> Self {
        let (needed, preferred, wanted) = (Vec::new(), Vec::new(), Vec::new());
        Self { left, steps: Vec::new(), needed, preferred, wanted, chose: false, ..self.clone() }
    }

    /// Numbers for new variables: the first.
    pub(super) fn fresh(&mut self, count: u32) -> u32 {
        let first = u32::try_from(self.env.len()).unwrap_or(u32::MAX);
        self.env.resize(self.env.len() + count as usize, Vec::new());
        self.alias.resize(self.env.len(), None);
        first
    }

    pub(super) fn walk(&self, mut arg: Arg) -> Arg {
        while let Arg::Var(var) = arg {
            match self.alias.get(var as usize).copied().flatten() {
                Some(next) => arg = next,
                None => break,
            }
        }
        arg
    }

    /// Where the value of an argument is; empty if it is not known.
    pub(super) fn places(&self, arg: Arg) -> Vec<Val> {
        match self.walk(arg) {
            Arg::Is(term) => vec![Val::Is(term)],
            Arg::Var(var) => self.env.get(var as usize).cloned().unwrap_or_default(),
        }
    }

    pub(super) fn is_bound(&self, arg: Arg) -> bool {
        match self.walk(arg) {
            Arg::Is(_) => true,
            Arg::Var(var) => self.env.get(var as usize).is_some_and(|places| !places.is_empty()),
        }
    }

    /// The variable, if the argument is not bound.
    pub(super) fn free(&self, arg: Arg) -> Option<u32> {
        match self.walk(arg) {
            Arg::Var(var) if !self.is_bound(arg) => Some(var),
            _ => None,
        }
    }

    /// Adds a place of a variable's value; constants take the place of the variable.
    pub(super) fn bind(&mut self, arg: Arg, val: Val) {
        let Arg::Var(var) = self.walk(arg) else { return };
        match val {
            Val::Is(term) => {
                let bound = self.is_bound(arg);
                if let Some(alias) = self.alias.get_mut(var as usize).filter(|_| !bound) {
                    *alias = Some(Arg::Is(term));
                }
            }
            Val::Part(..) => {
                if let Some(places) = self.env.get_mut(var as usize).filter(|places| !places.contains(&val)) {
                    places.push(val);
                }
            }
        }
    }

    /// Makes an unbound variable another name of an argument.
    pub(super) fn rename(&mut self, var: u32, arg: Arg) {
        let arg = self.walk(arg);
        if arg != Arg::Var(var)
            && let Some(alias) = self.alias.get_mut(var as usize)
        {
            *alias = Some(arg);
        }
    }

    /// Whether everything asked for is known.
    pub(super) fn is_answered(&self) -> bool {
        self.needed.iter().all(|&var| self.is_bound(Arg::Var(var)))
    }

    /// Whether a variable matters outside of one literal.
    pub(super) fn is_used(&self, var: u32, except: usize) -> bool {
        let is = |&arg: &Arg| self.walk(arg) == Arg::Var(var);
        self.needed.iter().any(|&other| is(&Arg::Var(other)))
            || self.preferred.iter().any(|(tuple, _)| tuple.iter().any(is))
            || self.left.iter().enumerate().any(|(index, literal)| {
                index != except
                    && match literal {
                        Literal::Pos(atom) | Literal::Neg(atom) => atom.args.iter().any(is),
                        Literal::Distinct(a, b) => is(a) || is(b),
                    }
            })
    }
}
