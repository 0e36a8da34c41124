//! Terms, literals and rules, before they have names.

use rg_ir::{ConstId, NodeId, Symbol, TypeId, VarId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A set of symbols that a term may stand for.
pub(crate) type Values = Rc<BTreeSet<Symbol>>;

/// An argument.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Term {
    /// A symbol of the game.
    Symbol(Symbol),
    /// A variable of the rule, by its number.
    Var(u32),
}

/// What a variable of a rule is called, and what it may stand for.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: Rc<str>,
    /// A set type that has all its values; `None` for tags.
    pub(crate) ty: Option<TypeId>,
    pub(crate) values: Values,
}

/// A number of a place in walks, see [`crate::places`].
pub(crate) type PlaceId = usize;

/// Where a state waits for a move, by its number.
pub(crate) type StateId = usize;

/// What an atom is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Relation {
    /// Keys and value of a variable now.
    Fluent(VarId),
    /// Keys and value of a variable after the move.
    Next(VarId),
    /// Keys and value of a constant.
    Constant(ConstId),
    /// The members of a set type.
    Type(TypeId),
    /// A walk comes to a place.
    Place(PlaceId),
    /// The move that is made comes to the place where it ends.
    Made(PlaceId),
    /// The walk of the move that is made comes to a place, and goes on to where the move ends.
    On(PlaceId),
    /// Keys and value of a variable that the move writes, as far as walks do not carry that along.
    Collected(VarId),
    /// Keys and value of a variable when the walk of the move that is made is at that node.
    Then(NodeId, VarId),
    /// The move writes the variable at these keys, before the walk is at that node.
    Written(NodeId, VarId),
    /// The move that is made comes to the place.
    Through(PlaceId),
    /// The move collects an entry of the variable at these keys.
    Wrote(VarId),
    /// The state waits there.
    Control(StateId),
    /// The next state waits there.
    NextControl(StateId),
    /// The move leads there.
    Leads(StateId),
    /// The move leads to a state of a lower number.
    LeadsBefore(StateId),
    /// The move changes the variable at these keys.
    Changed(VarId),
    /// The state waits there; the argument is a variable.
    Waiting,
    /// The role makes the move in that state.
    Turn,
    /// The role waits in that state.
    Idle,
    /// A role, and the tags of a move it may make.
    Legal,
    /// A role, and the tags of the move it makes.
    Does,
    /// The role may wait.
    Waits,
    /// The game is over.
    Terminal,
    /// A role and its score.
    Goal,
    /// A role sees the tag of that number.
    Sees(usize),
}

impl Relation {
    /// Whether it is the translation's own, so that nobody outside asks for it.
    pub(crate) fn is_own(self) -> bool {
        matches!(
            self,
            Self::Place(_)
                | Self::Made(_)
                | Self::On(_)
                | Self::Collected(_)
                | Self::Wrote(_)
                | Self::Through(_)
                | Self::Then(..)
                | Self::Written(..)
                | Self::Leads(_)
                | Self::LeadsBefore(_)
                | Self::Changed(_)
        )
    }
}

/// A relation and its arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Atom {
    pub(crate) relation: Relation,
    pub(crate) args: Vec<Term>,
}

impl Atom {
    pub(crate) fn new(relation: Relation, args: impl Into<Vec<Term>>) -> Self {
        Self { relation, args: args.into() }
    }
}

/// A condition of a rule.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Literal {
    Holds(Atom),
    Fails(Atom),
    Differ(Term, Term),
}

impl Literal {
    pub(crate) fn terms(&self) -> Vec<Term> {
        match self {
            Literal::Holds(atom) | Literal::Fails(atom) => atom.args.clone(),
            Literal::Differ(a, b) => vec![*a, *b],
        }
    }

    pub(crate) fn map(&self, mut change: impl FnMut(Term) -> Term) -> Self {
        let mut atom =
            |atom: &Atom| Atom { relation: atom.relation, args: atom.args.iter().map(|&arg| change(arg)).collect() };
        match self {
            Literal::Holds(inner) => Literal::Holds(atom(inner)),
            Literal::Fails(inner) => Literal::Fails(atom(inner)),
            Literal::Differ(a, b) => {
                let [a, b] = [*a, *b].map(&mut change);
                Literal::Differ(a, b)
            }
        }
    }

    /// The atom of a condition that has one.
    pub(crate) fn atom(&self) -> Option<&Atom> {
        match self {
            Literal::Holds(atom) | Literal::Fails(atom) => Some(atom),
            Literal::Differ(..) => None,
        }
    }

    /// The atom of a positive condition.
    pub(crate) fn positive(&self) -> Option<&Atom> {
        match self {
            Literal::Holds(atom) => Some(atom),
            Literal::Fails(_) | Literal::Differ(..) => None,
        }
    }
}

/// A rule: the head holds if all conditions do.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) head: Atom,
    pub(crate) body: Vec<Literal>,
    pub(crate) vars: Vec<Variable>,
}

/// Where a state waits, for whom, and what is known of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct StateKey {
    pub(crate) node: NodeId,
    /// The player in control; `None`: the keeper is.
    pub(crate) player: Option<Symbol>,
    /// The values of variables that say whose turn it is.
    pub(crate) known: BTreeMap<VarId, Symbol>,
}
