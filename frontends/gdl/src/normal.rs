//! The normal form of a description (section 2.3 of the specification): rules with one head and a conjunction of
//! literals, on hash-consed terms. Everything behind the checks works on it.
//!
//! Disjunctions are gone: rules are split, or a disjunction becomes a relation of its own ([`RelationKind::Helper`], a
//! name that no sheet can contain). Equalities are gone: they are solved by unification. Duplicate rules and literals
//! are dropped.

mod convert;
mod terms;

pub use convert::normalize;
pub use terms::{Term, TermId, Terms};

use crate::ast::{Word, Words};
use rg_ir::Span;

/// A relation, by its position in [`Program::relations`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RelationId(pub u32);

impl RelationId {
    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a relation means (section 4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RelationKind {
    /// `role`
    Role,
    /// `base`
    Base,
    /// `input`
    Input,
    /// `init`
    Init,
    /// `true`
    True,
    /// `does`
    Does,
    /// `legal`
    Legal,
    /// `next`
    Next,
    /// `terminal`
    Terminal,
    /// `goal`
    Goal,
    /// `sees`
    Sees,
    /// A relation of the sheet's own, or a disjunction.
    Helper,
}

/// A relation. The reserved ones come first, in the order of [`RelationKind`], also where the sheet does not use them.
#[derive(Clone, Debug)]
pub struct Relation {
    /// Its name in messages.
    pub name: Box<str>,
    /// Number of arguments.
    pub arity: usize,
    /// What it means.
    pub kind: RelationKind,
}

/// A relation with arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    /// The relation.
    pub relation: RelationId,
    /// Its arguments.
    pub args: Box<[TermId]>,
}

/// A condition.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Literal {
    /// The atom holds.
    Pos(Atom),
    /// The atom does not hold.
    Neg(Atom),
    /// The terms differ.
    Distinct(TermId, TermId),
}

/// A rule; a fact if the body is empty.
#[derive(Clone, Debug)]
pub struct Rule {
    /// What follows.
    pub head: Atom,
    /// From what: all of these.
    pub body: Vec<Literal>,
    /// The variables of the rule; [`Term::Variable`] counts in it.
    pub vars: Vec<Word>,
    /// The rule in the text.
    pub span: Span,
}

/// A description in normal form.
#[derive(Clone, Debug)]
pub struct Program {
    /// The words in it.
    pub words: Words,
    /// The terms in it.
    pub terms: Terms,
    /// The relations in it.
    pub relations: Vec<Relation>,
    /// Rules and facts.
    pub rules: Vec<Rule>,
    /// The roles in textual order.
    pub roles: Vec<TermId>,
}

impl Program {
    /// The reserved relation of that kind (not [`RelationKind::Helper`]).
    pub fn reserved(kind: RelationKind) -> RelationId {
        RelationId(kind as u32)
    }

    /// Whether players observe percepts instead of moves (GDL-II): there are rules for them, be it that they never fire.
    pub fn has_percepts(&self) -> bool {
        let sees = Self::reserved(RelationKind::Sees);
        self.rules.iter().any(|rule| rule.head.relation == sees)
    }

    /// The relation.
    pub fn relation(&self, id: RelationId) -> &Relation {
        &self.relations[id.index()]
    }

    /// Adds the variables of a literal that `out` does not have yet, in textual order.
    pub(crate) fn add_variables_of(&self, literal: &Literal, out: &mut Vec<u32>) {
        match literal {
            Literal::Pos(atom) | Literal::Neg(atom) => {
                atom.args.iter().for_each(|&arg| self.terms.variables_of(arg, out));
            }
            Literal::Distinct(a, b) => [a, b].into_iter().for_each(|&arg| self.terms.variables_of(arg, out)),
        }
    }

    /// The variables of a literal, in textual order.
    pub(crate) fn variables_of(&self, literal: &Literal) -> Vec<u32> {
        let mut found = Vec::new();
        self.add_variables_of(literal, &mut found);
        found
    }

    /// The kind of a relation.
    pub fn kind(&self, id: RelationId) -> RelationKind {
        self.relation(id).kind
    }

    /// An atom as KIF text, for messages.
    pub fn atom_text(&self, atom: &Atom) -> String {
        let name = &self.relation(atom.relation).name;
        if atom.args.is_empty() {
            return name.to_string();
        }
        let args: Vec<String> = atom.args.iter().map(|&arg| self.terms.kif(&self.words, arg)).collect();
        format!("({name} {})", args.join(" "))
    }
}

impl Literal {
    /// The atom of a positive or negative literal.
    pub fn atom(&self) -> Option<&Atom> {
        match self {
            Literal::Pos(atom) | Literal::Neg(atom) => Some(atom),
            Literal::Distinct(..) => None,
        }
    }
}
