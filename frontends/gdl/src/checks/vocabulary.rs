//! Names and arities: A1 to A3, K1, K2, U3, and with [`super::unknown`] U1 and U2.

use super::shown;
use super::unknown::{Unknown, fluents};
use crate::ast::{Atom, Compound, Description, Name, Term, Word};
use crate::codes;
use crate::lower::as_score;
use rg_ir::{Diagnostic, Report};
use rustc_hash::{FxHashMap, FxHashSet};

/// The reserved relations and their arities.
pub(super) const ARITIES: &[(Word, usize)] = &[
    (Word::ROLE, 1),
    (Word::BASE, 1),
    (Word::INPUT, 2),
    (Word::INIT, 1),
    (Word::TRUE, 1),
    (Word::DOES, 2),
    (Word::LEGAL, 2),
    (Word::NEXT, 1),
    (Word::TERMINAL, 0),
    (Word::GOAL, 2),
    (Word::SEES, 2),
];

/// The arity of a reserved relation; `None` for every other word.
pub(crate) fn reserved_arity(word: Word) -> Option<usize> {
    ARITIES.iter().find(|(reserved, _)| *reserved == word).map(|&(_, arity)| arity)
}

/// What is known about a relation.
#[derive(Default)]
pub(super) struct Relation {
    /// Its first occurrence, and the number of arguments there.
    pub(super) first: Option<(Name, usize)>,
    /// Its first head.
    pub(super) defined: Option<Name>,
    /// Its first occurrence in a body, and whether it is negated there.
    pub(super) used: Option<(Name, bool)>,
}

struct Vocabulary<'a> {
    description: &'a Description,
    report: &'a mut Report,
    relations: FxHashMap<Word, Relation>,
    /// Relations in the order of their first occurrence.
    order: Vec<Word>,
    functions: FxHashMap<Word, (Name, usize)>,
    /// Words that were reported for their number of arguments.
    clashes: FxHashSet<(Word, bool, usize)>,
}

/// Checks the whole description. Linear.
pub(super) fn run(description: &Description, report: &mut Report) {
    let mut vocabulary = Vocabulary {
        description,
        report,
        relations: FxHashMap::default(),
        order: Vec::new(),
        functions: FxHashMap::default(),
        clashes: FxHashSet::default(),
    };
    for rule in &description.rules {
        vocabulary.atom(&rule.head, None);
        vocabulary.goal_value(&rule.head);
        for literal in &rule.body {
            vocabulary.literal(literal);
        }
    }
    vocabulary.unusual();
    let fluents = fluents(description);
    vocabulary.both(&fluents);
    let (relations, order) = (&vocabulary.relations, &vocabulary.order);
    Unknown { description, relations, order, fluents: &fluents }.run(vocabulary.report);
}

impl Vocabulary<'_> {
    fn literal(&mut self, literal: &crate::ast::Literal) {
        let mut terms = Vec::new();
        literal.atoms(&mut |atom, negated| terms.push((atom, negated)));
        for (atom, negated) in terms {
            self.atom(atom, Some(negated));
        }
        literal.distinct(&mut |terms| terms.iter().for_each(|term| self.term(term)));
    }

    /// An atom of a head (`negated` is `None`) or of a body.
    fn atom(&mut self, atom: &Atom, negated: Option<bool>) {
        let (name, arity) = (atom.name, atom.arity());
        let relation = self.relations.entry(name.word).or_insert_with(|| {
            self.order.push(name.word);
            Relation::default()
        });
        let first = *relation.first.get_or_insert((name, arity));
        match negated {
            None => relation.defined = relation.defined.or(Some(name)),
            Some(negated) => relation.used = relation.used.or(Some((name, negated))),
        }
        match reserved_arity(name.word) {
            Some(expected) if arity != expected => {
                let plural = if expected == 1 { "" } else { "s" };
                let shown = shown(self.description, name);
                let message = format!("`{shown}` takes {expected} argument{plural}, found {arity}");
                self.report.error(codes::K1_ARITY, name.span, message);
            }
            Some(_) => {}
            None => self.arity(false, name, arity, first),
        }
        let is_percept = |place: usize| (name.word, negated, place) == (Word::SEES, None, 1);
        atom.args.iter().enumerate().for_each(|(place, term)| match term {
            // Percepts are terms of any kind: in many sheets `(does ?p ?m)`.
            Term::Function(percept) if is_percept(place) => self.function(percept),
            _ => self.term(term),
        });
    }

    fn arity(&mut self, function: bool, name: Name, arity: usize, (first, first_arity): (Name, usize)) {
        if arity == first_arity || !self.clashes.insert((name.word, function, arity)) {
            return;
        }
        let (kind, code) = if function { ("function", codes::A2_FUNCTION) } else { ("relation", codes::A1_RELATION) };
        let shown = shown(self.description, name);
        let message = format!("{kind} `{shown}` has arity {arity} here and {first_arity} before");
        let error = Diagnostic::error(code, name.span, message).also(first.span, format!("arity {first_arity}"));
        let other = self.unused_name(name);
        self.report.push(error.help(format!(
            "if two {kind}s are meant, give this one another name, such as `{other}`, wherever it has arity {arity}"
        )));
    }

    /// A name like that which the description does not have.
    fn unused_name(&self, name: Name) -> String {
        let words = &self.description.words;
        let stem = shown(self.description, name);
        let fresh = |number: usize| format!("{stem}_{number}");
        (2..).map(fresh).find(|name| words.find(&name.to_ascii_lowercase()).is_none()).unwrap_or_default()
    }

    /// Recursion is limited by the depth of the text.
    fn term(&mut self, term: &Term) {
        match term {
            Term::Variable(_) => {}
            Term::Constant(name) => self.not_reserved(*name),
            Term::Function(compound) => {
                self.not_reserved(compound.name);
                self.function(compound);
            }
        }
    }

    fn function(&mut self, compound: &Compound) {
        let (name, arity) = (compound.name, compound.arity());
        let first = *self.functions.entry(name.word).or_insert((name, arity));
        self.arity(true, name, arity, first);
        compound.args.iter().for_each(|term| self.term(term));
    }

    fn not_reserved(&mut self, name: Name) {
        if reserved_arity(name.word).is_some() {
            let message = format!("reserved word `{}` used as a term", shown(self.description, name));
            self.report.push(Diagnostic::error(codes::K2_TERM, name.span, message).help("use another name"));
        }
    }

    /// U3: constant values of goals.
    fn goal_value(&mut self, head: &Atom) {
        let (Word::GOAL, [_, value]) = (head.name.word, head.args.as_slice()) else { return };
        let text = match value {
            Term::Variable(_) => return,
            Term::Constant(name) => self.description.words.text(name.word),
            Term::Function(_) => "",
        };
        if is_score(text) {
            return;
        }
        let digits = text.strip_prefix('-').unwrap_or(text);
        let what = match !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
            true => "is outside 0..100",
            false => "is not a number; numbers from 0 to 100 are expected",
        };
        let message = format!("goal value `{}` {what}", self.description.show(value));
        let warning = Diagnostic::warning(codes::U3_VALUE, value.span(), message);
        self.report.push(match as_score(text) {
            Some(_) => warning,
            None => warning.help("a role with this value has no score, which counts as 0"),
        });
    }

    /// L4: names that other tools may not read; once for every word.
    fn unusual(&mut self) {
        let mut seen = FxHashSet::default();
        self.description.names(&mut |name| {
            let text = self.description.words.text(name.word);
            let plain = text.strip_prefix('?').unwrap_or(text);
            if plain.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') || !seen.insert(name.word) {
                return;
            }
            let kind = if text.starts_with('?') { "variable" } else { "name" };
            let message = format!("{kind} `{}` has characters some tools refuse", shown(self.description, name));
            let warning = Diagnostic::warning(codes::L4_UNUSUAL, name.span, message);
            self.report.push(warning.help("letters, digits and `_` are understood everywhere"));
        });
    }

    /// A3: words that are both relations and functions.
    fn both(&mut self, fluents: &FxHashSet<Word>) {
        for word in self.order.iter().filter(|&&word| reserved_arity(word).is_none()) {
            let relation = self.relations.get(word);
            if relation.is_some_and(|relation| relation.defined.is_none()) && fluents.contains(word) {
                // That `true` is missing is said where it is.
                continue;
            }
            let relation = relation.and_then(|relation| relation.first);
            if let (Some((relation, _)), Some((function, _))) = (relation, self.functions.get(word)) {
                let message = format!("`{}` is both a relation and a function", shown(self.description, relation));
                let warning = Diagnostic::warning(codes::A3_BOTH, function.span, message);
                self.report.push(warning.also(relation.span, "the relation"));
            }
        }
    }
}

/// Whether a word is an integer from 0 to 100.
fn is_score(text: &str) -> bool {
    as_score(text).is_some_and(|value| value <= 100)
}
