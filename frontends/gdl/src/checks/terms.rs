//! U4, U5 and U7: conditions about fluents that nothing makes true, and about moves that are never legal. U8: fluents that no condition is about.

use super::{near, shown};
use crate::ast::{Description, Literal, Name, Rule, Term, Word};
use crate::codes;
use rg_ir::diag::Edit;
use rg_ir::{Diagnostic, Report};
use rustc_hash::{FxHashMap, FxHashSet};

/// A fluent or a move: its name, and whether it has arguments.
type Kind = (Word, bool);

/// What is made in heads and read in bodies.
struct Pair {
    /// What makes it.
    makers: &'static [Word],
    /// What only says that there may be such.
    declares: Word,
    /// What asks for it.
    reader: Word,
    /// Which argument it is, in all of them.
    place: usize,
    code: &'static str,
    /// As it is called, and why there is none.
    words: (&'static str, &'static str),
    /// Why one that is declared is not made.
    declared: &'static str,
}

/// Whether anything has a fluent or move that nothing makes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    No,
    Declared,
}

const PAIRS: [Pair; 2] = [
    Pair {
        makers: &[Word::INIT, Word::NEXT],
        declares: Word::BASE,
        reader: Word::TRUE,
        place: 0,
        code: codes::U4_FLUENT,
        words: ("fluent", "no `init`, `next` or `base` has it"),
        declared: "is in `base`, but no `init` or `next` makes it true",
    },
    Pair {
        makers: &[Word::LEGAL],
        declares: Word::INPUT,
        reader: Word::DOES,
        place: 1,
        code: codes::U5_MOVE,
        words: ("move", "no `legal` or `input` has it"),
        declared: "is in `input`, but no `legal` has it",
    },
];

/// Reports every name once, where it stands first. Linear, but for suggestions.
pub(super) fn run(description: &Description, report: &mut Report) {
    PAIRS.iter().for_each(|pair| pair.run(description, report));
}

/// U8: fluents that no condition is about, reported where they are made first. A rule that only keeps whatever holds is not about any.
pub(super) fn unread(description: &Description, report: &mut Report) {
    let [fluents, _] = &PAIRS;
    let Some(read) = fluents.read(description) else { return };
    let settled = super::settled(report);
    if fluents.is_misspelt(description, &settled) {
        return;
    }
    let mut unread: Vec<(Kind, Vec<Name>)> = Vec::new();
    let mut index: FxHashMap<Kind, usize> = FxHashMap::default();
    for rule in description.rules.iter().filter(|rule| fluents.makers.contains(&rule.head.name.word)) {
        let made = rule.head.args.get(fluents.place).and_then(kind);
        let Some((kind, name)) = made.filter(|(kind, _)| !read.contains(kind)) else { continue };
        let slot = *index.entry(kind).or_insert_with(|| {
            unread.push((kind, Vec::new()));
            unread.len() - 1
        });
        unread.get_mut(slot).into_iter().for_each(|(_, names)| names.push(name));
    }
    for ((word, has_arguments), names) in unread {
        let Some(first) = names.first() else { continue };
        let message = format!("no condition is about the fluent `{}`", shown(description, *first));
        let warning = Diagnostic::warning(codes::U8_UNREAD, first.span, message);
        let text = description.words.text(word);
        let mut candidates = candidates(description, &read, has_arguments);
        candidates.retain(|other| near::is_misspelling(text, other));
        let suggests = text.len() > 2 && !settled.contains(text);
        report.push(if suggests { suggest(warning, text, candidates, &names) } else { warning });
    }
}

/// The names of fluents or moves that have arguments, or of those that have none, in alphabetic order.
fn candidates<'a>(description: &'a Description, kinds: &FxHashSet<Kind>, has_arguments: bool) -> Vec<&'a str> {
    let alike = kinds.iter().filter(|kind| kind.1 == has_arguments);
    let mut candidates: Vec<&str> = alike.map(|kind| description.words.text(kind.0)).collect();
    candidates.sort_unstable();
    candidates
}

/// Suggests other names at all places of one.
fn suggest(warning: Diagnostic, text: &str, candidates: Vec<&str>, names: &[Name]) -> Diagnostic {
    let mut warning = warning.suggest(text, candidates);
    for fix in &mut warning.fixes {
        let Some(best) = fix.edits.first().map(|edit| edit.text.clone()) else { continue };
        let edit = |name: &Name| Edit { span: name.span, instead_of: Some(text.to_owned()), text: best.clone() };
        fix.edits.extend(names.iter().skip(1).map(edit));
    }
    warning
}

/// The kind of a term; nothing of a variable.
fn kind(term: &Term) -> Option<(Kind, Name)> {
    match term {
        Term::Variable(_) => None,
        Term::Constant(name) => Some(((name.word, false), *name)),
        Term::Function(compound) => Some(((compound.name.word, true), compound.name)),
    }
}

impl Pair {
    fn run(&self, description: &Description, report: &mut Report) {
        let Some(made) = self.made(description, self.makers).filter(|made| !made.is_empty()) else { return };
        let Some(declared) = self.made(description, &[self.declares]) else { return };
        let mut missing: Vec<(Kind, bool, Vec<Name>)> = Vec::new();
        let mut index: FxHashMap<Kind, usize> = FxHashMap::default();
        for literal in description.rules.iter().flat_map(|rule| &rule.body) {
            literal.atoms(&mut |atom, negated| {
                let Some(term) = atom.args.get(self.place).filter(|_| atom.name.word == self.reader) else { return };
                let Some((kind, name)) = kind(term).filter(|(kind, _)| !made.contains(kind)) else { return };
                let slot = *index.entry(kind).or_insert_with(|| {
                    missing.push((kind, negated, Vec::new()));
                    missing.len() - 1
                });
                missing.get_mut(slot).into_iter().for_each(|(_, _, names)| names.push(name));
            });
        }
        let misspelt = self.is_misspelt(description, &super::settled(report));
        missing.retain(|(kind, ..)| !misspelt || !declared.contains(kind));
        for (kind, negated, names) in missing {
            let known = if declared.contains(&kind) { Known::Declared } else { Known::No };
            report.push(self.finding(description, &made, known, (kind, negated), &names));
        }
    }

    /// Whether another relation is suggested to be one of these: what they have is not known then.
    fn is_misspelt(&self, description: &Description, settled: &FxHashSet<String>) -> bool {
        let mut words = self.makers.iter().chain([&self.reader]);
        words.any(|word| settled.contains(description.words.text(*word)))
    }

    /// What conditions are about; nothing if it may be anything.
    fn read(&self, description: &Description) -> Option<FxHashSet<Kind>> {
        let mut read = FxHashSet::default();
        let mut anything = false;
        for rule in &description.rules {
            let kept = rule.head.args.get(self.place).filter(|_| self.makers.contains(&rule.head.name.word));
            for literal in &rule.body {
                literal.atoms(
                    &mut |atom, _| match atom.args.get(self.place).filter(|_| atom.name.word == self.reader) {
                        Some(term @ Term::Variable(_)) => anything |= !kept.is_some_and(|kept| kept.same(term)),
                        Some(term) => read.extend(kind(term).map(|(kind, _)| kind)),
                        None => {}
                    },
                );
            }
        }
        Some(read).filter(|_| !anything)
    }

    /// What the heads make; nothing if it may be anything.
    fn made(&self, description: &Description, makers: &[Word]) -> Option<FxHashSet<Kind>> {
        let mut made = FxHashSet::default();
        for rule in description.rules.iter().filter(|rule| makers.contains(&rule.head.name.word)) {
            match rule.head.args.get(self.place)? {
                // It was made elsewhere.
                Term::Variable(name) if self.repeats(rule, name.word) => {}
                term => {
                    made.insert(kind(term)?.0);
                }
            }
        }
        Some(made)
    }

    /// Whether a rule only repeats what holds in the state, is played, or was declared: `(<= (next ?f) (true ?f) …)`.
    fn repeats(&self, rule: &Rule, variable: Word) -> bool {
        rule.body.iter().any(|literal| match literal {
            Literal::Atom(atom) => {
                let word = atom.name.word;
                let own = word == self.reader || word == self.declares || self.makers.contains(&word);
                let same = |term: &Term| matches!(term, Term::Variable(name) if name.word == variable);
                own && atom.args.get(self.place).is_some_and(same)
            }
            _ => false,
        })
    }

    fn finding(
        &self,
        description: &Description,
        made: &FxHashSet<Kind>,
        known: Known,
        ((word, has_arguments), negated): (Kind, bool),
        names: &[Name],
    ) -> Diagnostic {
        let Some(first) = names.first() else {
            return Diagnostic::warning(self.code, description.start, String::new());
        };
        let (what, why) = self.words;
        let shown = shown(description, *first);
        let value = if negated { "true" } else { "false" };
        let other = made.contains(&(word, !has_arguments));
        let without = match (other, has_arguments) {
            (false, _) => "",
            (true, true) => " with arguments",
            (true, false) => " without arguments",
        };
        let (code, message) = match known {
            Known::No => {
                (self.code, format!("there is no {what} `{shown}`{without}: {why}; the literal is always {value}"))
            }
            Known::Declared => {
                let why = self.declared;
                (codes::U7_ONLY_DECLARED, format!("{what} `{shown}`{without} {why}; the literal is always {value}"))
            }
        };
        let warning = Diagnostic::warning(code, first.span, message);
        let text = description.words.text(word);
        if other {
            return warning;
        }
        // What has arguments is meant where arguments stand.
        let mut candidates = candidates(description, made, has_arguments);
        if text.chars().count() > 2 {
            return suggest(warning, text, candidates, names);
        }
        candidates.retain(|other| near::is_shortened(text, other));
        suggest(warning, text, candidates, names).unsure()
    }
}
