//! U4 and U5: conditions about fluents that nothing makes true, and about moves that are never legal.

use super::shown;
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
    /// What asks for it.
    reader: Word,
    /// Which argument it is, in all of them.
    place: usize,
    code: &'static str,
    /// As it is called, and why there is none.
    words: (&'static str, &'static str),
}

const PAIRS: [Pair; 2] = [
    Pair {
        makers: &[Word::INIT, Word::NEXT, Word::BASE],
        reader: Word::TRUE,
        place: 0,
        code: codes::U4_FLUENT,
        words: ("fluent", "no `init`, `next` or `base` has it"),
    },
    Pair {
        makers: &[Word::LEGAL, Word::INPUT],
        reader: Word::DOES,
        place: 1,
        code: codes::U5_MOVE,
        words: ("move", "no `legal` or `input` has it"),
    },
];

/// Reports every name once, where it stands first. Linear, but for suggestions.
pub(super) fn run(description: &Description, report: &mut Report) {
    PAIRS.iter().for_each(|pair| pair.run(description, report));
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
        let Some(made) = self.made(description).filter(|made| !made.is_empty()) else { return };
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
        for (kind, negated, names) in missing {
            report.push(self.finding(description, &made, (kind, negated), &names));
        }
    }

    /// What the heads make; nothing if it may be anything.
    fn made(&self, description: &Description) -> Option<FxHashSet<Kind>> {
        let mut made = FxHashSet::default();
        for rule in description.rules.iter().filter(|rule| self.makers.contains(&rule.head.name.word)) {
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
                let own = atom.name.word == self.reader || self.makers.contains(&atom.name.word);
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
        let message = format!("there is no {what} `{shown}`{without}: {why}; the literal is always {value}");
        let warning = Diagnostic::warning(self.code, first.span, message);
        let text = description.words.text(word);
        if other || text.len() < 3 {
            return warning;
        }
        // What has arguments is meant where arguments stand.
        let mut candidates: Vec<&str> =
            made.iter().filter(|kind| kind.1 == has_arguments).map(|kind| description.words.text(kind.0)).collect();
        candidates.sort_unstable();
        let mut warning = warning.suggest(text, candidates);
        for fix in &mut warning.fixes {
            let Some(best) = fix.edits.first().map(|edit| edit.text.clone()) else { continue };
            let edit = |name: &Name| Edit { span: name.span, instead_of: Some(text.to_owned()), text: best.clone() };
            fix.edits.extend(names.iter().skip(1).map(edit));
        }
        warning
    }
}
