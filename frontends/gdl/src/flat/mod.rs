//! Rules without function terms: the form in which structure is looked for.
//!
//! A relation with a function term in an argument becomes a relation of its own per function: `true (cell x y v)` is the
//! relation `true@cell` of three arguments, `legal r (mark x y)` is `legal@mark` of three. A variable in such a place
//! stands for one function in one copy of its rule. What is left are relations over ground terms ("constants", though a
//! value may itself be a function term that is never taken apart).

mod convert;
mod mutual;
mod separate;
mod shapes;
mod share;
mod tables;

pub(crate) use convert::{flatten, renumber};
pub(crate) use mutual::unfolded;
pub(crate) use separate::{Apart, separate};
pub(crate) use share::share;
pub(crate) use tables::{Tables, value};

use crate::ast::Word;
use crate::normal::{RelationId, RelationKind, TermId};
use rg_ir::Span;
use rustc_hash::FxHashMap;

/// Why a description, or a part of it, is not lifted: one line, for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported(pub String);

impl Unsupported {
    /// The reason in these words.
    pub(crate) fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

/// A flat relation, by its position in [`Flat::relations`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Rel(pub(crate) u32);

impl Rel {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What stands in an argument: no function, or that function with so many arguments.
pub(crate) type Shape = Option<(Word, usize)>;

/// A flat relation.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    /// The relation that it is a part of.
    pub(crate) base: RelationId,
    /// What that relation means.
    pub(crate) kind: RelationKind,
    /// What stands in its arguments.
    pub(crate) shapes: Vec<Shape>,
    /// Number of arguments, those of functions counted instead of the functions.
    pub(crate) arity: usize,
    /// Whether it depends on neither the state nor the moves.
    pub(crate) is_static: bool,
    /// Whether it never changes, but has no table because that would be too large.
    pub(crate) is_open: bool,
    /// Whether it depends on itself.
    pub(crate) recursive: bool,
    /// Its rules, by position in [`Flat::rules`].
    pub(crate) rules: Vec<usize>,
}

/// An argument.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Arg {
    /// A variable of the rule.
    Var(u32),
    /// A constant.
    Is(TermId),
}

/// A flat relation with arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Atom {
    pub(crate) rel: Rel,
    pub(crate) args: Vec<Arg>,
}

/// A condition.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Literal {
    Pos(Atom),
    Neg(Atom),
    Distinct(Arg, Arg),
}

/// A rule. Variables are numbered from 0 without holes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Rule {
    pub(crate) head: Atom,
    pub(crate) body: Vec<Literal>,
    pub(crate) vars: u32,
    pub(crate) span: Span,
}

/// A kind of fluent: those with one function, or all constants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fluent {
    /// The function; `None` for constants, which are then the only argument.
    pub(crate) shape: Shape,
    /// An argument of the term that these fluents have in common and that their relations do not have, if there is one.
    pub(crate) fixed: Option<(usize, TermId)>,
    pub(crate) init: Rel,
    pub(crate) truth: Rel,
    pub(crate) next: Rel,
}

/// A kind of move: those with one function, or all constants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveKind {
    /// The function; `None` for constants, which are then the only argument (after the role).
    pub(crate) shape: Shape,
    pub(crate) legal: Rel,
    pub(crate) does: Rel,
}

/// A program without function terms.
#[derive(Clone, Debug)]
pub(crate) struct Flat {
    pub(crate) relations: Vec<Relation>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) fluents: Vec<Fluent>,
    pub(crate) moves: Vec<MoveKind>,
    pub(crate) roles: Vec<TermId>,
    /// Arguments of relations that rules have in part: where they are bound by what is asked before.
    pub(crate) bound: FxHashMap<(Rel, usize), (Rel, usize)>,
    index: FxHashMap<(RelationId, Vec<Shape>), Rel>,
}

impl Flat {
    /// All relations, in order.
    pub(crate) fn rels(&self) -> impl Iterator<Item = Rel> + use<> {
        (0..self.relations.len()).filter_map(|index| u32::try_from(index).ok()).map(Rel)
    }

    pub(crate) fn relation(&self, rel: Rel) -> &Relation {
        &self.relations[rel.index()]
    }

    /// The rules of a relation.
    pub(crate) fn rules_of(&self, rel: Rel) -> impl DoubleEndedIterator<Item = &Rule> {
        self.relation(rel).rules.iter().filter_map(|&index| self.rules.get(index))
    }

    /// Has a static relation asked where it is needed instead of having all its rows in a table, and so those that depend
    /// on it.
    ///
    /// # Errors
    /// Its rows are needed at the beginning, or it depends on itself.
    pub(crate) fn open(&mut self, rel: Rel) -> Result<(), Unsupported> {
        let mut stack = vec![rel];
        while let Some(rel) = stack.pop() {
            let users: Vec<Rel> = self
                .rules
                .iter()
                .filter(|rule| rule.body.iter().any(|literal| literal.atom().is_some_and(|atom| atom.rel == rel)))
                .map(|rule| rule.head.rel)
                .collect();
            let Some(relation) = self.relations.get_mut(rel.index()).filter(|relation| relation.is_static) else {
                continue;
            };
            if relation.recursive || matches!(relation.kind, RelationKind::Init | RelationKind::Role) {
                return Err(Unsupported::new("static relations are too large"));
            }
            (relation.is_static, relation.is_open) = (false, true);
            stack.extend(users);
        }
        Ok(())
    }

    /// The parts of a relation.
    pub(crate) fn parts(&self, base: RelationId) -> impl Iterator<Item = Rel> {
        (0..).map(Rel).zip(&self.relations).filter(move |(_, relation)| relation.base == base).map(|(rel, _)| rel)
    }

    /// The part of a relation whose only shapes are these.
    pub(crate) fn part(&self, base: RelationId, shapes: &[Shape]) -> Option<Rel> {
        self.index.get(&(base, shapes.to_vec())).copied()
    }

    /// The fluent that `truth` is about.
    pub(crate) fn fluent_of(&self, truth: Rel) -> Option<usize> {
        self.fluents.iter().position(|fluent| fluent.truth == truth)
    }

    /// The kind of move that `does` is about.
    pub(crate) fn move_of(&self, does: Rel) -> Option<usize> {
        self.moves.iter().position(|kind| kind.does == does)
    }
}

impl Atom {
    /// The variables of its arguments.
    pub(crate) fn vars(&self) -> impl Iterator<Item = u32> {
        self.args.iter().filter_map(|arg| match arg {
            Arg::Var(var) => Some(*var),
            Arg::Is(_) => None,
        })
    }

    pub(crate) fn map(&self, value: &impl Fn(Arg) -> Arg) -> Atom {
        Atom { rel: self.rel, args: self.args.iter().map(|&arg| value(arg)).collect() }
    }
}

impl Literal {
    /// The atom of a positive or negative literal.
    pub(crate) fn atom(&self) -> Option<&Atom> {
        match self {
            Literal::Pos(atom) | Literal::Neg(atom) => Some(atom),
            Literal::Distinct(..) => None,
        }
    }

    pub(crate) fn vars(&self) -> Vec<u32> {
        match self {
            Literal::Pos(atom) | Literal::Neg(atom) => atom.vars().collect(),
            Literal::Distinct(a, b) => [a, b].into_iter().filter_map(|arg| arg.var()).collect(),
        }
    }

    pub(crate) fn map(&self, value: &impl Fn(Arg) -> Arg) -> Literal {
        match self {
            Literal::Pos(atom) => Literal::Pos(atom.map(value)),
            Literal::Neg(atom) => Literal::Neg(atom.map(value)),
            Literal::Distinct(a, b) => Literal::Distinct(value(*a), value(*b)),
        }
    }
}

impl Arg {
    pub(crate) fn var(self) -> Option<u32> {
        match self {
            Arg::Var(var) => Some(var),
            Arg::Is(_) => None,
        }
    }

    pub(crate) fn constant(self) -> Option<TermId> {
        match self {
            Arg::Var(_) => None,
            Arg::Is(term) => Some(term),
        }
    }

    /// The variable with a larger number; constants stay.
    pub(crate) fn shifted(self, by: u32) -> Arg {
        match self {
            Arg::Var(var) => Arg::Var(var + by),
            Arg::Is(_) => self,
        }
    }
}
