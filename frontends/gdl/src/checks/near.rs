//! L5 and L6: names and variables that stand once, and are spelt almost like others that stand several times.

use super::shown;
use crate::ast::{Atom, Compound, Description, Name, Rule, Term, Word};
use crate::codes;
use rg_ir::diag::{Applies, Edit, Fix, is_doubled, is_near, is_slip};
use rg_ir::{Diagnostic, Report};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// What a name is. Only names of one kind are mistaken for each other: `cells` may well be the relation of every `cell`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Kind {
    Constant,
    Function,
}

/// The occurrences of a name.
struct Found {
    name: Name,
    kind: Kind,
    count: usize,
}

/// Reports them where they stand. What other checks have a suggestion for is left to them, so this one comes last. Linear in the text, and in
/// the squares of the lengths of names.
pub(super) fn run(description: &Description, report: &mut Report) {
    names(description, report);
    let counts = Counts::of(description);
    description.rules.iter().for_each(|rule| variables(description, &counts, rule, report));
}

/// How often every word stands in a description.
pub(crate) struct Counts(FxHashMap<Word, usize>);

impl Counts {
    /// Counts all words. Linear.
    pub(crate) fn of(description: &Description) -> Self {
        let mut counts: FxHashMap<Word, usize> = FxHashMap::default();
        description.names(&mut |name| *counts.entry(name.word).or_default() += 1);
        Self(counts)
    }

    /// The occurrences of a word.
    pub(crate) fn get(&self, word: Word) -> usize {
        self.0.get(&word).copied().unwrap_or_default()
    }
}

/// L5: constants and functions.
fn names(description: &Description, report: &mut Report) {
    let mut found: FxHashMap<(Word, Kind), Found> = FxHashMap::default();
    for rule in &description.rules {
        let mut visit = |atom: &Atom| atom.args.iter().for_each(|term| count(term, &mut found));
        visit(&rule.head);
        for literal in &rule.body {
            literal.atoms(&mut |atom, _| visit(atom));
        }
        for literal in &rule.body {
            literal.distinct(&mut |terms| terms.iter().for_each(|term| count(term, &mut found)));
        }
    }
    let settled = super::settled(report);
    let text = |word: Word| description.words.text(word);
    let mut telling: Vec<&Found> = found.values().filter(|found| is_telling(text(found.name.word))).collect();
    telling.sort_unstable_by_key(|found| (found.name.word, found.kind));
    let often: Vec<&Found> = telling.iter().copied().filter(|found| found.count > 1).collect();
    let index = Neighbours::of(often.iter().map(|found| text(found.name.word)));
    let other_kind = |once: &Found| match once.kind {
        Kind::Constant => Kind::Function,
        Kind::Function => Kind::Constant,
    };
    let stands_once = |once: &Found| once.count == 1 && !found.contains_key(&(once.name.word, other_kind(once)));
    for once in telling.iter().filter(|found| stands_once(found)) {
        let word = text(once.name.word);
        if settled.contains(word) {
            continue;
        }
        let alike = |&place: &usize| often.get(place).filter(|other| other.kind == once.kind);
        let near: Vec<&str> = index
            .near(word, is_misspelling)
            .iter()
            .filter_map(alike)
            .map(|other| shown(description, other.name))
            .collect();
        if !near.is_empty() {
            let what = if once.kind == Kind::Function { "function" } else { "constant" };
            let shown = shown(description, once.name);
            let message = format!("{what} `{shown}` occurs only here, and is spelt almost like another");
            report.push(Diagnostic::warning(codes::L5_NEAR, once.name.span, message).suggest(shown, near));
        }
    }
}

/// Recursion is limited by the depth of the text.
fn count(term: &Term, found: &mut FxHashMap<(Word, Kind), Found>) {
    let (name, kind) = match term {
        Term::Variable(_) => return,
        Term::Constant(name) => (*name, Kind::Constant),
        Term::Function(Compound { name, args, .. }) => {
            args.iter().for_each(|arg| count(arg, found));
            (*name, Kind::Function)
        }
    };
    found.entry((name.word, kind)).or_insert(Found { name, kind, count: 0 }).count += 1;
}

/// The variables of a rule, where they stand first, and how often they stand there.
fn variables_of(rule: &Rule) -> Vec<(Name, usize)> {
    let mut found: Vec<(Name, usize)> = Vec::new();
    let mut index: FxHashMap<Word, usize> = FxHashMap::default();
    let mut visit = |name: Name| {
        let place = *index.entry(name.word).or_insert(found.len());
        match found.get_mut(place) {
            Some((_, count)) => *count += 1,
            None => found.push((name, 1)),
        }
    };
    rule.head.variables(&mut visit);
    for literal in &rule.body {
        literal.atoms(&mut |atom, _| atom.variables(&mut visit));
        literal.distinct(&mut |terms| terms.iter().for_each(|term| term.variables(&mut visit)));
    }
    found
}

/// Most words, or literals of a rule, that are compared with each other.
pub(super) const MAX_COMPARED: usize = 512;

/// L6: variables that stand once in a rule. Short ones are all alike, and so are numbered ones: of them, only slips count, such as `?xx`, where nothing
/// else in the sheet has the name.
fn variables(description: &Description, counts: &Counts, rule: &Rule, report: &mut Report) {
    let found = variables_of(rule);
    if found.len() < 2 || found.iter().all(|(_, count)| *count > 1) {
        return;
    }
    let text = |name: &Name| description.words.text(name.word).trim_start_matches('?');
    let often: Vec<Name> =
        found.iter().filter(|(name, count)| *count > 1 && is_telling(text(name))).map(|(name, _)| *name).collect();
    let neighbours = Neighbours::of(often.iter().map(text));
    for (name, _) in found.iter().filter(|(_, count)| *count == 1) {
        let mut near: Vec<&Name> = match is_telling(text(name)) {
            true => neighbours
                .near(text(name), is_variable_misspelling)
                .iter()
                .filter_map(|&place| often.get(place))
                .collect(),
            false => Vec::new(),
        };
        if near.is_empty() && counts.get(name.word) == 1 && found.len() <= MAX_COMPARED {
            // Of two that stand once in the sheet, the one with the doubled letter is the slip.
            let longer = |other: &Name| text(name).len() > text(other).len();
            let others = found.iter().map(|(other, _)| other);
            let others = others.filter(|other| counts.get(other.word) > 1 || longer(other));
            near.extend(others.filter(|other| is_variable_slip(description, text(name), text(other))));
        }
        if !near.is_empty() {
            let near = near.into_iter().map(|other| shown(description, *other));
            let shown = shown(description, *name);
            let message = format!("variable `{shown}` occurs once in the rule, and is spelt almost like another");
            let mut warning = Diagnostic::warning(codes::L6_VARIABLE, name.span, message).suggest(shown, near);
            // A digit typed twice: where rules count that far, it was no slip above.
            if let [Fix { edits, applies, .. }] = warning.fixes.as_mut_slice()
                && edits.iter().all(|edit| shown.len() > edit.text.len() && is_doubled(shown, &edit.text))
            {
                *applies = Applies::Always;
            }
            report.push(warning);
        }
    }
}

/// The suggestion for a variable of a rule that nothing binds: it is another variable of the rule, or that one is this one, whichever is rarer.
/// `None` if no other one is spelt almost like it. Linear in the rule.
pub(crate) fn binding(description: &Description, counts: &Counts, rule: &Rule, unbound: Name) -> Option<(String, Fix)> {
    let text = |name: Name| description.words.text(name.word).trim_start_matches('?');
    if rule.body.len() > MAX_COMPARED {
        return None;
    }
    let found = variables_of(rule);
    let (_, times) = *found.iter().find(|(name, _)| name.word == unbound.word)?;
    let telling = |other: Name| is_telling(text(unbound)) && is_telling(text(other));
    let alike = |&&(other, _): &&(Name, usize)| {
        other.word != unbound.word
            && (is_variable_slip(description, text(unbound), text(other))
                || (telling(other) && is_variable_misspelling(text(unbound), text(other))))
    };
    // Something is wrong with the variable here, so another first letter may be what it is, if that leaves no choice.
    let another_begin = |&&(other, _): &&(Name, usize)| telling(other) && differ_in_first(text(unbound), text(other));
    let only = || {
        let mut begun = found.iter().filter(another_begin);
        begun.next().filter(|_| begun.next().is_none())
    };
    let slip = found.iter().find(alike);
    let is_guess = slip.is_none();
    let (other, other_times) = *slip.or_else(only)?;
    // How often each stands in the rule, and in the sheet.
    let (this, that) = ((times, counts.get(unbound.word)), (other_times, counts.get(other.word)));
    let longer = text(unbound).len() > text(other).len();
    let (wrong, right, count) = match this.cmp(&that) {
        Ordering::Less => (unbound, other, times),
        Ordering::Equal if longer || !is_doubled(text(unbound), text(other)) => (unbound, other, times),
        _ => (other, unbound, other_times),
    };
    let applies = if count == 1 && !is_guess { Applies::Always } else { Applies::Maybe };
    let applies = applies.unless_number(text(wrong), text(right));
    let (wrong_shown, right_shown) = (shown(description, wrong), shown(description, right));
    let mut edits = Vec::new();
    let mut visit = |name: Name| {
        if name.word == wrong.word {
            let instead_of = Some(wrong_shown.to_owned());
            edits.push(Edit { span: name.span, instead_of, text: right_shown.to_owned() });
        }
    };
    rule.head.variables(&mut visit);
    for literal in &rule.body {
        literal.atoms(&mut |atom, _| atom.variables(&mut visit));
        literal.distinct(&mut |terms| terms.iter().for_each(|term| term.variables(&mut visit)));
    }
    let help = match wrong.word == unbound.word {
        true => format!("did you mean `{right_shown}`?"),
        false => format!("did you mean `{right_shown}` where `{wrong_shown}` stands?"),
    };
    Some((help, Fix { title: format!("replace `{wrong_shown}` by `{right_shown}`"), edits, applies }))
}

/// Whether a name says enough for its neighbours to be misspellings: it is not short, and not numbered.
fn is_telling(text: &str) -> bool {
    text.chars().count() > 2 && !text.contains(|c: char| c.is_ascii_digit())
}

/// Whether two variables are a slip, and not `x1` and `x11` of a rule that counts that far, nor `xy` and `yx`.
fn is_variable_slip(description: &Description, a: &str, b: &str) -> bool {
    let stem = |text: &str| text.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    let numbered = stem(a) == stem(b) && a != stem(a) && b != stem(b);
    let counts_on = || description.words.find(&format!("?{}10", stem(a))).is_some();
    let pair = a.chars().count() == b.chars().count() && a.chars().count() < 4;
    is_slip(a, b) && !pair && !(numbered && counts_on())
}

/// Whether two words are a slip, or differ by one character, but not in what tells the members of a family apart: the first or the last of as many
/// characters (`xplayer` and `yplayer`, `lineA` and `lineB`). Of short words, only slips count.
pub(super) fn is_misspelling(a: &str, b: &str) -> bool {
    let (left, right): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let same_family = left.len() == right.len()
        && (left.split_first().map(|(_, rest)| rest) == right.split_first().map(|(_, rest)| rest)
            || left.split_last().map(|(_, rest)| rest) == right.split_last().map(|(_, rest)| rest));
    let short = left.len().min(right.len()) < 4;
    is_slip(a, b) || (!short && is_near(a, b) && !same_family)
}

/// Whether two names of variables are a misspelling of one another: of variables, one may be called as another with a letter before it (`type`,
/// `ptype`).
fn is_variable_misspelling(a: &str, b: &str) -> bool {
    is_misspelling(a, b) && (is_slip(a, b) || a.chars().next() == b.chars().next())
}

/// Whether two words of at least four letters differ in the first letter only: `xlayer` and `player`.
fn differ_in_first(a: &str, b: &str) -> bool {
    a != b && a.chars().count() >= 4 && a.chars().skip(1).eq(b.chars().skip(1))
}

/// Whether a word is another one without one of its letters, of which at least two are left: `mrk` of `mark`. In right texts such pairs are common.
pub(super) fn is_shortened(word: &str, other: &str) -> bool {
    let (length, longer) = (word.chars().count(), other.chars().count());
    length > 1 && length + 1 == longer && is_near(word, other) && word.chars().next() == other.chars().next()
}

/// Finds words that differ from one by one character: such two have a text in common if at most one character of each is left out.
struct Neighbours<'a> {
    words: Vec<&'a str>,
    shorter: FxHashMap<String, Vec<usize>>,
}

impl<'a> Neighbours<'a> {
    fn of(words: impl Iterator<Item = &'a str>) -> Self {
        let words: Vec<&str> = words.collect();
        let mut shorter: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (place, word) in words.iter().enumerate() {
            shortened(word).for_each(|text| shorter.entry(text).or_default().push(place));
        }
        Self { words, shorter }
    }

    /// The numbers of the words of which this one is a misspelling, ascending.
    fn near(&self, word: &str, is_misspelling: fn(&str, &str) -> bool) -> Vec<usize> {
        let places = shortened(word).filter_map(|text| self.shorter.get(&text)).flatten().copied();
        let is_near = |place: &usize| self.words.get(*place).is_some_and(|other| is_misspelling(word, other));
        let mut places: Vec<usize> = places.collect();
        places.sort_unstable();
        places.dedup();
        places.retain(is_near);
        places
    }
}

/// A word, and what is left of it without one of its characters; nothing of words that are longer than those that [`is_near`] compares.
fn shortened(word: &str) -> impl Iterator<Item = String> {
    let places = word.char_indices().filter(|_| word.len() <= 4 * 64).map(|(place, c)| place..place + c.len_utf8());
    let without = |hole: std::ops::Range<usize>| {
        let (before, after) = (word.get(..hole.start), word.get(hole.end..));
        [before, after].into_iter().flatten().collect()
    };
    std::iter::once(word.to_owned()).chain(places.map(without))
}
