//! Relations that are only used or only defined (U1, U2), and what they are misspellings of.

use super::near::{self, Counts};
use super::vocabulary::{ARITIES, Relation};
use super::{reserved, reserved_arity, shown};
use crate::ast::{Atom, Description, Name, Syntax, Term, Word};
use crate::codes;
use rg_ir::diag::{Applies, Edit, Fix, alternatives, is_near, is_slip, nearest};
use rg_ir::{Diagnostic, Report, Severity, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// What the fix does of a finding about a fluent in the place of a relation.
const ASK: &str = "ask with `true`";

/// Whether a finding is about a fluent that stands in the place of a relation: `true` is missing, whatever else the description has.
pub(crate) fn lacks_true(finding: &Diagnostic) -> bool {
    finding.code == codes::U1_UNDEFINED && finding.fixes.iter().any(|fix| fix.title == ASK)
}

/// The relations of a description.
pub(super) struct Unknown<'a> {
    pub(super) description: &'a Description,
    pub(super) relations: &'a FxHashMap<Word, Relation>,
    /// Relations in the order of their first occurrence.
    pub(super) order: &'a [Word],
    /// What holds in some states.
    pub(super) fluents: &'a FxHashSet<Word>,
}

/// A reserved word that a relation is probably a misspelling of.
struct Meant<'a> {
    word: &'a str,
    /// Whether the relation is hardly a word of its own.
    is_typo: bool,
}

impl<'a> Unknown<'a> {
    /// Reports relations that are only used or only defined. Linear for each finding that is kept, and quadratic in the number of relations if these are at most
    /// [`near::MAX_COMPARED`]: more are not compared.
    pub(super) fn run(&self, report: &mut Report) {
        let counts = Counts::of(self.description);
        let mut rules: FxHashMap<Word, Vec<Span>> = FxHashMap::default();
        for rule in &self.description.rules {
            rules.entry(rule.head.name.word).or_default().push(rule.span);
        }
        for &word in self.order.iter().filter(|&&word| reserved_arity(word).is_none()) {
            let Some(relation) = self.relations.get(&word) else { continue };
            let Some((name, arity)) = relation.first else { continue };
            // Fixes are looked for in the whole text, so not for findings that are not kept.
            let (is_full, has_room) = (report.full(), report.has_room(Severity::Warning));
            if is_full && !has_room {
                return;
            }
            let lonely = relation.defined.is_none() || relation.used.is_none();
            let meant = if lonely { self.meant(word, arity) } else { None };
            let is_slip = counts.get(word) == 1 && !self.is_numbered(word);
            match (relation.defined, relation.used, meant) {
                // That a relation is missing which every game has is said where it may be meant.
                (Some(_), None, Some(meant)) if self.is_missing(meant.word) => {}
                (Some(_), None, Some(meant)) | (None, Some(_), Some(meant)) if is_slip && meant.is_typo && !is_full => {
                    let message = format!("`{}` is probably a misspelling of `{}`", self.shown(name), meant.word);
                    let error = Diagnostic::error(codes::MISSPELT, name.span, message);
                    report.push(self.offer(error, word, &[meant.word], Applies::Always));
                }
                (None, Some((name, negated)), meant) if has_room => {
                    report.push(self.undefined((word, arity), name, negated, meant.as_ref(), &counts));
                }
                (Some(name), None, meant) if has_room => {
                    let rules = rules.remove(&word).unwrap_or_default();
                    report.push(self.unused((word, arity), name, meant.as_ref(), &counts, rules));
                }
                _ => {}
            }
        }
    }

    /// U1.
    fn undefined(
        &self,
        (word, arity): (Word, usize),
        name: Name,
        negated: bool,
        meant: Option<&Meant<'_>>,
        counts: &Counts,
    ) -> Diagnostic {
        if self.fluents.contains(&word) {
            return self.fluent(word, name);
        }
        let value = if negated { "true" } else { "false" };
        let message = format!("relation `{}` is never defined; the literal is always {value}", self.shown(name));
        let warning = Diagnostic::warning(codes::U1_UNDEFINED, name.span, message);
        if let Some(meant) = meant {
            return self.offer(warning, word, &[meant.word], self.applies_to_reserved(word, meant, counts));
        }
        let is_defined = |relation: &Relation| relation.defined.is_some();
        let near = self.nearest(word, arity, is_defined);
        let [only] = *near else { return self.offer(warning, word, &near, Applies::Maybe) };
        let other = self.description.words.find(only);
        let unused = other.filter(|other| self.relations.get(other).is_some_and(|relation| relation.used.is_none()));
        let Some(other) = unused else { return self.offer(warning, word, &near, self.applies(word, counts)) };
        // One of the two is what the other one is meant to be: the spelling that occurs more often is right.
        match (counts.get(word), counts.get(other)) {
            (this, that) if this > that => {
                let text = self.description.words.text(word);
                let mut warning = self.offer(warning, other, &[text], self.applies(other, counts));
                let (this, that) = (self.shown(name), self.description.words.spelling(other));
                warning.help = Some(format!("`{that}` is defined and never used: is it meant to be `{this}`?"));
                warning
            }
            (1, 2..) => self.offer(warning, word, &near, self.applies(word, counts)),
            _ => self.offer(warning, word, &near, Applies::Maybe),
        }
    }

    /// U1 where a fluent stands in the place of a relation. Linear.
    fn fluent(&self, word: Word, name: Name) -> Diagnostic {
        let mut edits: Vec<Edit> = Vec::new();
        let open = match self.description.syntax {
            Syntax::Prefix => "(true ",
            Syntax::Infix | Syntax::Prolog => "true(",
        };
        let mut visit = |atom: &'a Atom, _| {
            if atom.name.word == word {
                let insert = |at: u32, text: &str| Edit {
                    span: Span { start: at, end: at, ..atom.span },
                    instead_of: None,
                    text: text.to_owned(),
                };
                edits.extend([insert(atom.span.start, open), insert(atom.span.end, ")")]);
            }
        };
        self.description.rules.iter().flat_map(|rule| &rule.body).for_each(|literal| literal.atoms(&mut visit));
        let shown = self.shown(name);
        let message = format!("`{shown}` is no relation but a fluent, which holds in some states");
        let mut warning = Diagnostic::warning(codes::U1_UNDEFINED, name.span, message)
            .help(format!("ask with `true` whether it holds: `{open}…)`"));
        warning.fixes.push(Fix { title: ASK.to_owned(), edits, applies: Applies::Always });
        warning
    }

    /// U2. `rules` are the places of those that define the relation.
    fn unused(
        &self,
        (word, arity): (Word, usize),
        name: Name,
        meant: Option<&Meant<'_>>,
        counts: &Counts,
        rules: Vec<Span>,
    ) -> Diagnostic {
        let called = format!("relation `{}`", self.shown(name));
        let warning = Diagnostic::warning(codes::U2_UNUSED, name.span, format!("{called} is never used"));
        let warning = match meant {
            Some(meant) => self.offer(warning, word, &[meant.word], self.applies_to_reserved(word, meant, counts)),
            None => self.like_another(warning, word, arity, counts),
        };
        warning.removing(called, rules)
    }

    /// The finding about a relation that is never used, with the suggestion that a relation is meant that is used, has as many arguments, and is spelt
    /// almost like it. What occurs several times is hardly a slip; and of two relations that occur once each, one used and one defined, either may
    /// be the misspelt one.
    fn like_another(&self, finding: Diagnostic, word: Word, arity: usize, counts: &Counts) -> Diagnostic {
        let text = self.description.words.text(word);
        let (mut near, mut shortened, mut undefined): (Vec<&str>, Vec<&str>, Vec<&str>) = Default::default();
        for (other, relation) in self.others(arity).filter(|(_, relation)| relation.used.is_some()) {
            let other_text = self.description.words.text(other);
            if relation.defined.is_none() && is_telling(text) && is_near(text, other_text) {
                undefined.push(other_text);
            } else if near::is_misspelling(text, other_text) {
                near.push(other_text);
            } else if near::is_shortened(text, other_text) {
                shortened.push(other_text);
            }
        }
        let guess = near.is_empty() && undefined.is_empty();
        let candidates = match (undefined.is_empty(), guess) {
            (false, _) => undefined,
            (true, false) => near,
            (true, true) => shortened,
        };
        let best = nearest(text, candidates);
        let other = best.first().and_then(|best| self.description.words.find(best));
        let often = other.is_some_and(|other| counts.get(other) > 1);
        let sure = !guess && best.len() == 1 && often && counts.get(word) == 1 && !self.is_numbered(word);
        self.offer(finding, word, &best, if sure { Applies::Always } else { Applies::Maybe })
    }

    /// The reserved word with so many arguments that a relation is probably a misspelling of: one character differs, or only its first letters are
    /// written. Names of one or two letters are all alike, and misspell nothing unless they are never defined.
    fn meant(&self, word: Word, arity: usize) -> Option<Meant<'a>> {
        let words = &self.description.words;
        let text = words.text(word);
        let fits = ARITIES.iter().chain(&[(Word::DISTINCT, 2), (Word::NOT, 1)]).filter(|(_, takes)| *takes == arity);
        let mut reserved = fits.map(|&(word, _)| words.text(word));
        let undefined = self.relations.get(&word).is_some_and(|relation| relation.defined.is_none());
        let telling = text.chars().count() > 2;
        let near = reserved.clone().find(|word| (telling || (undefined && text.len() == 2)) && is_near(text, word));
        let mut begun = || reserved.find(|word| undefined && text.len() > 1 && word.starts_with(text));
        let is_typo = |word: &str| telling && (text.len() < word.len() || is_slip(text, word));
        near.map(|word| Meant { word, is_typo: is_typo(word) })
            .or_else(|| begun().map(|word| Meant { word, is_typo: false }))
    }

    /// Other relations that are spelt almost like one, and have as many arguments. Short names are all alike.
    fn nearest(&self, word: Word, arity: usize, wanted: impl Fn(&Relation) -> bool) -> Vec<&'a str> {
        let text = self.description.words.text(word);
        let candidates = self.others(arity).filter(|(_, relation)| is_telling(text) && wanted(relation));
        nearest(text, candidates.map(|(other, _)| self.description.words.text(other)))
    }

    /// The relations with so many arguments that are not reserved; none if there are too many to compare.
    fn others(&self, arity: usize) -> impl Iterator<Item = (Word, &'a Relation)> {
        let compared = if self.order.len() <= near::MAX_COMPARED { self.order } else { &[] };
        let relations = self.relations;
        let alike = compared.iter().filter(|word| reserved_arity(**word).is_none());
        let found = alike.filter_map(move |&word| Some((word, relations.get(&word)?)));
        found.filter(move |(_, relation)| relation.first.is_some_and(|(_, number)| number == arity))
    }

    /// Suggests to write one of the texts wherever a word stands.
    fn offer(&self, mut finding: Diagnostic, word: Word, best: &[&str], applies: Applies) -> Diagnostic {
        if !best.is_empty() {
            let quoted: Vec<String> = best.iter().map(|best| format!("`{best}`")).collect();
            finding.help = Some(format!("did you mean {}?", alternatives(&quoted)));
        }
        let fixes = best.iter().map(|best| reserved::replaced(self.description, word, best, applies));
        finding.fixes.extend(fixes);
        finding
    }

    /// How certain it is that a word is a misspelling: what occurs several times may be a word of its own, and so may what is numbered.
    fn applies(&self, word: Word, counts: &Counts) -> Applies {
        match counts.get(word) == 1 && !self.is_numbered(word) && is_telling(self.description.words.text(word)) {
            true => Applies::Always,
            false => Applies::Maybe,
        }
    }

    /// The same where a reserved word may be meant. That is certain, too, where it occurs nowhere else, or where a relation with a slip in it is
    /// never defined.
    fn applies_to_reserved(&self, word: Word, meant: &Meant<'_>, counts: &Counts) -> Applies {
        let reserved = self.description.words.find(meant.word);
        let undefined = self.relations.get(&word).is_some_and(|relation| relation.defined.is_none());
        let absent = reserved.is_none_or(|reserved| counts.get(reserved) == 0) || (undefined && meant.is_typo);
        let telling = is_telling(self.description.words.text(word)) && !self.is_numbered(word);
        if absent && telling { Applies::Always } else { self.applies(word, counts) }
    }

    fn is_numbered(&self, word: Word) -> bool {
        self.description.words.text(word).contains(|c: char| c.is_ascii_digit())
    }

    /// Whether a relation that every game has is not defined.
    fn is_missing(&self, reserved: &str) -> bool {
        let needed = [Word::ROLE, Word::INIT, Word::LEGAL, Word::TERMINAL, Word::GOAL];
        let word = needed.into_iter().find(|&word| self.description.words.text(word) == reserved);
        word.is_some_and(|word| self.relations.get(&word).is_none_or(|relation| relation.defined.is_none()))
    }

    fn shown(&self, name: Name) -> &'a str {
        shown(self.description, name)
    }
}

/// The names of what holds in some states. Linear.
pub(super) fn fluents(description: &Description) -> FxHashSet<Word> {
    let heads = description.rules.iter().map(|rule| &rule.head);
    let named = heads.filter_map(|head| match (head.name.word, head.args.first()) {
        (Word::INIT | Word::NEXT, Some(Term::Function(term))) => Some(term.name.word),
        (Word::INIT | Word::NEXT, Some(Term::Constant(name))) => Some(name.word),
        _ => None,
    });
    named.collect()
}

/// Names of one or two letters are all alike.
fn is_telling(text: &str) -> bool {
    text.chars().count() > 2
}
