//! L5 and L6: names and variables that stand once, and are spelt almost like others that stand several times.

use super::shown;
use crate::ast::{Atom, Compound, Description, Name, Rule, Term, Word};
use crate::codes;
use rg_ir::diag::is_near;
use rg_ir::{Diagnostic, Report};
use rustc_hash::FxHashMap;

/// What a name is. Only names of one kind are mistaken for each other: `cells` may well be the relation of every `cell`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
    description.rules.iter().for_each(|rule| variables(description, rule, report));
}

/// L5: constants and functions.
fn names(description: &Description, report: &mut Report) {
    let mut found: FxHashMap<Word, Found> = FxHashMap::default();
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
    telling.sort_unstable_by_key(|found| found.name.word);
    let often: Vec<&Found> = telling.iter().copied().filter(|found| found.count > 1).collect();
    let index = Neighbours::of(often.iter().map(|found| text(found.name.word)));
    for once in telling.iter().filter(|found| found.count == 1) {
        let word = text(once.name.word);
        if settled.contains(word) {
            continue;
        }
        let alike = |&place: &usize| often.get(place).filter(|other| other.kind == once.kind);
        let near: Vec<&str> =
            index.near(word).iter().filter_map(alike).map(|other| shown(description, other.name)).collect();
        if !near.is_empty() {
            let what = if once.kind == Kind::Function { "function" } else { "constant" };
            let shown = shown(description, once.name);
            let message = format!("{what} `{shown}` occurs only here, and is spelt almost like another");
            report.push(Diagnostic::warning(codes::L5_NEAR, once.name.span, message).suggest(shown, near));
        }
    }
}

/// Recursion is limited by the depth of the text.
fn count(term: &Term, found: &mut FxHashMap<Word, Found>) {
    let (name, kind) = match term {
        Term::Variable(_) => return,
        Term::Constant(name) => (*name, Kind::Constant),
        Term::Function(Compound { name, args, .. }) => {
            args.iter().for_each(|arg| count(arg, found));
            (*name, Kind::Function)
        }
    };
    found.entry(name.word).or_insert(Found { name, kind, count: 0 }).count += 1;
}

/// L6: variables that stand once in a rule.
fn variables(description: &Description, rule: &Rule, report: &mut Report) {
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
    let text = |word: Word| description.words.text(word).trim_start_matches('?');
    found.retain(|(name, _)| is_telling(text(name.word)));
    let often: Vec<Name> = found.iter().filter(|(_, count)| *count > 1).map(|(name, _)| *name).collect();
    if often.is_empty() {
        return;
    }
    let neighbours = Neighbours::of(often.iter().map(|name| text(name.word)));
    for (name, _) in found.iter().filter(|(_, count)| *count == 1) {
        let near = neighbours.near(text(name.word));
        let near: Vec<&str> =
            near.iter().filter_map(|&place| often.get(place)).map(|other| shown(description, *other)).collect();
        if !near.is_empty() {
            let shown = shown(description, *name);
            let message = format!("variable `{shown}` occurs once in the rule, and is spelt almost like another");
            report.push(Diagnostic::warning(codes::L6_VARIABLE, name.span, message).suggest(shown, near));
        }
    }
}

/// Whether a name says enough for its neighbours to be misspellings: it is not short, and not numbered.
fn is_telling(text: &str) -> bool {
    text.chars().count() > 3 && !text.contains(|c: char| c.is_ascii_digit())
}

/// Whether two words differ by one character, but not in what tells the members of a family apart: how they begin (`xplayer`, `yplayer`), or the
/// last of as many characters (`lineA`, `lineB`).
pub(super) fn is_misspelling(a: &str, b: &str) -> bool {
    let family = |text: &str| text.char_indices().next_back().map(|(last, _)| last);
    let same_family = a.chars().count() == b.chars().count()
        && family(a).and_then(|last| a.get(..last)) == family(b).and_then(|last| b.get(..last));
    is_near(a, b) && a.chars().next() == b.chars().next() && !same_family
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

    /// The numbers of the words near to this one, ascending.
    fn near(&self, word: &str) -> Vec<usize> {
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
