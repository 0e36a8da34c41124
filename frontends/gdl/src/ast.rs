//! The abstract syntax of a description, the same for both syntaxes.
//!
//! Terms and literals are plain trees: the readers limit their depth to [`crate::MAX_NESTING`], so recursion over them
//! is safe.

use rg_ir::{SourceId, Span};
use rustc_hash::FxHashMap;

/// An interned word: the name of an object, function or relation, or, with its `?`, a variable. Words that differ in the
/// case of letters only are one word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Word(u32);

macro_rules! reserved {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// The words of the language itself, in the order of their numbers.
        pub(crate) const RESERVED: &[&str] = &[$($text),*];
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Number { $($name),* }
        impl Word {
            $($(#[$doc])* pub const $name: Word = Word(Number::$name as u32);)*
        }
    };
}

reserved! {
    /// `role`, of one argument: the argument plays.
    ROLE = "role";
    /// `base`, of one argument: it is a possible fluent.
    BASE = "base";
    /// `input`, of two arguments: the second is a possible move of the first.
    INPUT = "input";
    /// `init`, of one argument: it holds initially.
    INIT = "init";
    /// `true`, of one argument: it holds now.
    TRUE = "true";
    /// `does`, of two arguments: the first plays the second now.
    DOES = "does";
    /// `legal`, of two arguments: the first may play the second now.
    LEGAL = "legal";
    /// `next`, of one argument: it holds after the joint move.
    NEXT = "next";
    /// `terminal`, without arguments: the game is over.
    TERMINAL = "terminal";
    /// `goal`, of two arguments: the score of the first is the second.
    GOAL = "goal";
    /// `sees`, of two arguments (GDL-II): the first sees the second.
    SEES = "sees";
    /// `distinct`: the two arguments are different terms.
    DISTINCT = "distinct";
    /// `not`: negation.
    NOT = "not";
    /// `or`: disjunction.
    OR = "or";
    /// `and`: conjunction, in older KIF only.
    AND = "and";
    /// `<=`: the rule sign.
    IF = "<=";
    /// `random` (GDL-II): the role of chance.
    RANDOM = "random";
}

/// All words of a description.
#[derive(Clone, Debug)]
pub struct Words {
    entries: Vec<Entry>,
    index: FxHashMap<Box<str>, Word>,
}

#[derive(Clone, Debug)]
struct Entry {
    text: Box<str>,
    /// How it is written where it stands first; `None` if it stands nowhere.
    spelling: Option<Box<str>>,
}

impl Default for Words {
    fn default() -> Self {
        let mut words = Self { entries: Vec::new(), index: FxHashMap::default() };
        for text in RESERVED {
            words.intern(text);
        }
        for entry in &mut words.entries {
            entry.spelling = None;
        }
        words
    }
}

impl Words {
    /// The word with that spelling; new if it is not there. The first spelling is kept.
    pub fn intern(&mut self, spelling: &str) -> Word {
        self.intern_as(&spelling.to_ascii_lowercase(), spelling)
    }

    /// The word with that text, which must be in lower case, for a text that spells it otherwise (variables of the infix
    /// syntax have no `?`).
    pub(crate) fn intern_as(&mut self, text: &str, spelling: &str) -> Word {
        if let Some(&word) = self.index.get(text) {
            if let Some(entry) = self.entries.get_mut(word.0 as usize) {
                entry.spelling.get_or_insert_with(|| spelling.into());
            }
            return word;
        }
        let word = Word(u32::try_from(self.entries.len()).unwrap_or(u32::MAX));
        self.index.insert(text.into(), word);
        self.entries.push(Entry { text: text.into(), spelling: Some(spelling.into()) });
        word
    }

    /// The word with that text (in lower case), if there is one.
    pub fn find(&self, text: &str) -> Option<Word> {
        self.index.get(text).copied()
    }

    /// Its text, in lower case; of a variable with the `?`.
    pub fn text(&self, word: Word) -> &str {
        self.entries.get(word.0 as usize).map_or("", |entry| &entry.text)
    }

    /// How it is spelt where it stands first.
    pub fn spelling(&self, word: Word) -> &str {
        self.entries.get(word.0 as usize).map_or("", |entry| entry.spelling.as_deref().unwrap_or(&entry.text))
    }

    /// Number of words, reserved ones included.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Never: there are the reserved words.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl Word {
    /// Its number; words of a description are numbered from 0, the reserved ones first.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An occurrence of a word.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    /// The word.
    pub word: Word,
    /// Where it stands.
    pub span: Span,
}

/// A term.
#[derive(Clone, Debug)]
pub enum Term {
    /// A variable; its word begins with `?`.
    Variable(Name),
    /// An object constant.
    Constant(Name),
    /// A function constant with at least one argument.
    Function(Compound),
}

/// A name with arguments.
#[derive(Clone, Debug)]
pub struct Compound {
    /// The relation or function constant.
    pub name: Name,
    /// Its arguments; none only for relations.
    pub args: Vec<Term>,
    /// The whole of it.
    pub span: Span,
}

/// A relation constant with arguments: `terminal`, `(legal ?r noop)`.
pub type Atom = Compound;

/// A condition.
#[derive(Clone, Debug)]
pub enum Literal {
    /// An atom.
    Atom(Atom),
    /// `distinct`: the terms differ.
    Distinct(Box<[Term; 2]>, Span),
    /// `not`.
    Not(Box<Literal>, Span),
    /// `or`; at least one.
    Or(Vec<Literal>, Span),
    /// `and`; at least one.
    And(Vec<Literal>, Span),
}

/// A rule, or (without body) a fact.
#[derive(Clone, Debug)]
pub struct Rule {
    /// What follows.
    pub head: Atom,
    /// From what: all of these.
    pub body: Vec<Literal>,
    /// The whole rule.
    pub span: Span,
}

/// A comment.
#[derive(Clone, Debug)]
pub struct Comment {
    /// Its text, without the signs that begin it.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// How a description is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Syntax {
    /// KIF: `(<= (r ?x) (p ?x))`.
    Prefix,
    /// `r(X) :- p(X) & ~q(X)`.
    Infix,
    /// `r(X) :- p(X), \+ q(X).`, in the style of Prolog.
    Prolog,
}

/// A description: rules and facts in the order of the text.
#[derive(Clone, Debug)]
pub struct Description {
    /// Where the text begins: the place of what is said of the whole.
    pub start: Span,
    /// How it was written.
    pub syntax: Syntax,
    /// The words in it.
    pub words: Words,
    /// Rules and facts.
    pub rules: Vec<Rule>,
    /// Comments, in the order of the text.
    pub comments: Vec<Comment>,
}

impl Description {
    /// Nothing so far.
    pub fn new(source: SourceId, syntax: Syntax) -> Self {
        let (words, rules, comments) = (Words::default(), Vec::new(), Vec::new());
        Self { start: Span::new(source, 0, 0), syntax, words, rules, comments }
    }

    /// A term in the syntax of the description, for messages.
    pub fn show(&self, term: &Term) -> String {
        match self.syntax {
            Syntax::Prefix => crate::prefix_term(&self.words, term),
            Syntax::Infix | Syntax::Prolog => crate::infix_term(&self.words, term),
        }
    }

    /// Calls `visit` for every name and variable: heads first, atoms of a body before its `distinct`.
    pub fn names(&self, visit: &mut impl FnMut(Name)) {
        for rule in &self.rules {
            rule.head.names(visit);
            for literal in &rule.body {
                literal.atoms(&mut |atom, _| atom.names(visit));
                literal.distinct(&mut |terms| terms.iter().for_each(|term| term.names(visit)));
            }
        }
    }
}

impl Term {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Term::Variable(name) | Term::Constant(name) => name.span,
            Term::Function(compound) => compound.span,
        }
    }

    /// Calls `visit` for every variable in it, from left to right.
    pub fn variables(&self, visit: &mut impl FnMut(Name)) {
        match self {
            Term::Variable(name) => visit(*name),
            Term::Constant(_) => {}
            Term::Function(compound) => compound.variables(visit),
        }
    }

    /// Calls `visit` for every name and variable in it, from left to right.
    pub fn names(&self, visit: &mut impl FnMut(Name)) {
        match self {
            Term::Variable(name) | Term::Constant(name) => visit(*name),
            Term::Function(compound) => compound.names(visit),
        }
    }

    /// Whether it is the same term as another, spans aside.
    pub fn same(&self, other: &Term) -> bool {
        match (self, other) {
            (Term::Variable(left), Term::Variable(right)) | (Term::Constant(left), Term::Constant(right)) => {
                left.word == right.word
            }
            (Term::Function(left), Term::Function(right)) => left.same(right),
            _ => false,
        }
    }

    /// Whether there is no variable in it.
    pub fn is_ground(&self) -> bool {
        let mut ground = true;
        self.variables(&mut |_| ground = false);
        ground
    }
}

impl Compound {
    /// Calls `visit` for every variable in it, from left to right.
    pub fn variables(&self, visit: &mut impl FnMut(Name)) {
        self.args.iter().for_each(|arg| arg.variables(visit));
    }

    /// Calls `visit` for every name and variable in it, from left to right.
    pub fn names(&self, visit: &mut impl FnMut(Name)) {
        visit(self.name);
        self.args.iter().for_each(|arg| arg.names(visit));
    }

    /// Whether it is the same as another, spans aside.
    pub fn same(&self, other: &Compound) -> bool {
        self.name.word == other.name.word
            && self.args.len() == other.args.len()
            && self.args.iter().zip(&other.args).all(|(left, right)| left.same(right))
    }

    /// Number of arguments.
    pub fn arity(&self) -> usize {
        self.args.len()
    }
}

impl Literal {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Literal::Atom(atom) => atom.span,
            Literal::Distinct(_, span) | Literal::Not(_, span) | Literal::Or(_, span) | Literal::And(_, span) => *span,
        }
    }

    /// Calls `visit` for every atom in it, with whether it stands under an odd number of negations.
    pub fn atoms<'a>(&'a self, visit: &mut impl FnMut(&'a Atom, bool)) {
        self.atoms_under(false, visit);
    }

    /// Calls `visit` for the terms of every `distinct` in it.
    pub fn distinct<'a>(&'a self, visit: &mut impl FnMut(&'a [Term; 2])) {
        match self {
            Literal::Atom(_) => {}
            Literal::Distinct(terms, _) => visit(terms),
            Literal::Not(inner, _) => inner.distinct(visit),
            Literal::Or(parts, _) | Literal::And(parts, _) => parts.iter().for_each(|part| part.distinct(visit)),
        }
    }

    fn atoms_under<'a>(&'a self, negated: bool, visit: &mut impl FnMut(&'a Atom, bool)) {
        match self {
            Literal::Atom(atom) => visit(atom, negated),
            Literal::Distinct(..) => {}
            Literal::Not(inner, _) => inner.atoms_under(!negated, visit),
            Literal::Or(parts, _) | Literal::And(parts, _) => {
                parts.iter().for_each(|part| part.atoms_under(negated, visit));
            }
        }
    }
}

/// The literals of a conjunction, inner conjunctions (and disjunctions of one) taken apart.
pub(crate) fn conjuncts(literals: &[Literal]) -> Vec<&Literal> {
    let mut parts = Vec::with_capacity(literals.len());
    let mut stack: Vec<&Literal> = literals.iter().rev().collect();
    while let Some(literal) = stack.pop() {
        match literal {
            Literal::And(inner, _) => stack.extend(inner.iter().rev()),
            Literal::Or(inner, _) if inner.len() == 1 => stack.extend(inner),
            _ => parts.push(literal),
        }
    }
    parts
}
