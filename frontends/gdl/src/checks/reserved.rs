//! Reserved words in wrong places: K3, K4, K5w, K6 to K10.

use super::shown;
use crate::ast::{Atom, Description, Term, Word};
use crate::codes;
use rg_ir::diag::{Applies, Edit, Fix, is_near};
use rg_ir::{Diagnostic, Report, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// The role that stands for chance.
const CHANCE: &str = "random";

/// Checks the whole description. Linear.
pub(super) fn run(description: &Description, report: &mut Report) {
    // The first head of every relation.
    let mut heads: FxHashMap<Word, Span> = FxHashMap::default();
    let mut roles: FxHashSet<Word> = FxHashSet::default();
    for rule in &description.rules {
        let name = rule.head.name;
        heads.entry(name.word).or_insert(name.span);
        match name.word {
            Word::TRUE | Word::DOES => {
                let message = format!("`{}` is an input and cannot be defined", shown(description, name));
                let error = Diagnostic::error(codes::K3_INPUT, name.span, message);
                let instead = if name.word == Word::TRUE { "`init` and `next`" } else { "`legal`" };
                report.push(error.help(format!("the rules define {instead}")));
            }
            Word::ROLE if !rule.body.is_empty() => {
                let error = Diagnostic::error(codes::K4_ROLE, name.span, "`role` must be given by facts");
                report.push(error.help("write `(role name)` for every player"));
            }
            Word::ROLE => {
                if let [Term::Constant(role)] = rule.head.args.as_slice() {
                    roles.insert(role.word);
                }
            }
            _ => {}
        }
    }
    for rule in &description.rules {
        player(description, &roles, &rule.head, report);
        for literal in &rule.body {
            literal.atoms(&mut |atom, _| {
                output(description, atom, report);
                player(description, &roles, atom, report);
            });
        }
    }
    missing(description, &heads, report);
}

/// K10: roles that no rule for `goal` is about, where there are rules for others. Chance, which is called `random`, needs none. Linear.
pub(super) fn without_goal(description: &Description, report: &mut Report) {
    let goals = || description.rules.iter().filter(|rule| rule.head.name.word == Word::GOAL);
    let mut named: FxHashSet<Word> = FxHashSet::default();
    for rule in goals() {
        match rule.head.args.first() {
            Some(Term::Constant(name)) => _ = named.insert(name.word),
            // A variable may stand for every role.
            _ => return,
        }
    }
    let is_role = |atom: &Atom| atom.name.word == Word::ROLE;
    for rule in description.rules.iter().filter(|rule| is_role(&rule.head) && goals().next().is_some()) {
        let [Term::Constant(role)] = rule.head.args.as_slice() else { continue };
        let text = shown(description, *role);
        if named.insert(role.word) && !text.eq_ignore_ascii_case(CHANCE) {
            let message = format!("no rule for `goal` is about the role `{text}`, so it always scores 0");
            let help = format!("write what it gets at the end: `(goal {text} 100)` under some conditions");
            report.push(Diagnostic::warning(codes::K10_NO_GOAL, role.span, message).help(help));
        }
    }
}

/// K5w: results of the rules in bodies.
fn output(description: &Description, atom: &Atom, report: &mut Report) {
    if !matches!(atom.name.word, Word::INIT | Word::NEXT | Word::BASE | Word::INPUT | Word::SEES) {
        return;
    }
    let message = format!("`{}` is an output and should not be used in a body", shown(description, atom.name));
    let new = if atom.name.word == Word::SEES { Diagnostic::error } else { Diagnostic::warning };
    report.push(new(codes::K5_OUTPUT, atom.name.span, message));
}

/// K6: constants in the place of a player.
fn player(description: &Description, roles: &FxHashSet<Word>, atom: &Atom, report: &mut Report) {
    let has_player = matches!(atom.name.word, Word::LEGAL | Word::GOAL | Word::INPUT | Word::DOES | Word::SEES);
    let Some(Term::Constant(name)) = atom.args.first().filter(|_| has_player && !roles.is_empty()) else { return };
    if !roles.contains(&name.word) {
        let warning =
            Diagnostic::warning(codes::K6_PLAYER, name.span, format!("`{}` is not a role", shown(description, *name)));
        let text = description.words.text(name.word);
        // Short names are all alike.
        let candidates = roles.iter().map(|&role| description.words.text(role)).filter(|_| text.len() > 2);
        report.push(warning.suggest(text, candidates));
    }
}

/// K7 to K9: relations that every game has, or should have.
fn missing(description: &Description, heads: &FxHashMap<Word, Span>, report: &mut Report) {
    let place = description.rules.first().map_or(description.start, |rule| rule.span);
    // The first head that may be a misspelling.
    let near = |name: &str| {
        let near = heads.iter().filter(|(head, _)| is_near(description.words.text(**head), name));
        near.map(|(word, span)| (*word, *span)).min_by_key(|(_, span)| span.start)
    };
    let at = |near: Option<(Word, Span)>| near.map_or(place, |(_, span)| span);
    for (word, name) in
        [(Word::ROLE, "role"), (Word::LEGAL, "legal"), (Word::TERMINAL, "terminal"), (Word::GOAL, "goal")]
    {
        if !heads.contains_key(&word) {
            let (message, near) = (format!("the game has no `{name}`"), near(name));
            let error = Diagnostic::error(codes::K7_MISSING, at(near), message);
            report.push(suggesting(description, error, near, name));
        }
    }
    if !heads.contains_key(&Word::INIT) {
        let (message, near) = ("the initial state is empty: there is no `init`", near("init"));
        let warning = Diagnostic::warning(codes::K8_EMPTY, at(near), message);
        report.push(suggesting(description, warning, near, "init"));
    }
    let absent: Vec<&str> = [(Word::BASE, "`base`"), (Word::INPUT, "`input`")]
        .iter()
        .filter(|(word, _)| !heads.contains_key(word))
        .map(|&(_, name)| name)
        .collect();
    if !absent.is_empty() {
        let message = format!("no {} relation; domains are computed", absent.join(" and no "));
        report.push(Diagnostic::lint(codes::K9_DOMAINS, place, message));
    }
}

/// The finding with the suggestion that a word is meant where something near to it stands, and a fix of all places of that.
fn suggesting(description: &Description, found: Diagnostic, near: Option<(Word, Span)>, name: &str) -> Diagnostic {
    let Some((word, _)) = near else { return found };
    let mut found = found.help(format!("did you mean `{name}` here?"));
    found.fixes.push(replaced(description, word, name, Applies::Always));
    found
}

/// A fix that writes a reserved word wherever `word` stands.
pub(super) fn replaced(description: &Description, word: Word, name: &str, applies: Applies) -> Fix {
    let mut edits = Vec::new();
    description.names(&mut |other| {
        if other.word == word {
            edits.push(Edit { span: other.span, instead_of: None, text: name.to_owned() });
        }
    });
    Fix { title: format!("replace `{}` by `{name}`", description.words.spelling(word)), edits, applies }
}
