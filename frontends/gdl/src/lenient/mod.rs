//! Lenient readings: rules that are not GDL by the letter, but whose meaning other reasoners agree on.
//!
//! - A variable in the role position of a head that no condition binds ranges over the roles.
//! - Rules for `base` and `input` are not needed to play: unsafe ones are dropped.
//! - Unsafe rules of relations that nothing uses are dropped.
//! - Unsafe rules whose variables get their values from those who ask are unfolded into these ([`unfold`]).
//!
//! Every one of these readings is a warning. What can be read in none of these ways stays as it is, and is an error of
//! the checks.

mod unfold;

use crate::ast::{Atom, Compound, Description, Literal, Name, Rule, Syntax, Term, Word};
use crate::checks::{Counts, binding, suggesting, unbound};
use crate::codes;
use rg_ir::diag::{Applies, Edit, Fix};
use rg_ir::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// A description as it is read, with the warnings about what was read leniently.
pub(crate) struct Reading {
    /// The rules to play by.
    pub(crate) description: Description,
    /// Warnings.
    pub(crate) findings: Vec<Diagnostic>,
}

/// Reads a description leniently; `None` if that makes no difference. Linear, unless rules are unfolded: then linear in
/// what becomes of them, which is limited.
pub(crate) fn read(description: &Description) -> Option<Reading> {
    if description.rules.iter().all(|rule| unbound(rule).is_empty()) {
        return None;
    }
    let mut reading = Reading { description: description.clone(), findings: Vec::new() };
    reading.roles();
    reading.domains();
    reading.unused();
    if let Some(unfolded) = unfold::unfold(&reading.description) {
        reading.description = unfolded.description;
        reading.findings.extend(unfolded.findings);
    }
    Some(reading)
}

/// The fix that adds the condition that a variable is a role to a rule in prefix syntax, behind its head; a fact becomes a rule.
fn with_condition(rule: &Rule, variable: &str) -> Fix {
    let condition = format!(" (role {variable})");
    let edit = |at: u32, text: String| Edit { span: Span { start: at, end: at, ..rule.span }, instead_of: None, text };
    let edits = match rule.span == rule.head.span {
        true => vec![edit(rule.span.start, "(<= ".to_owned()), edit(rule.span.end, format!("{condition})"))],
        false => vec![edit(rule.head.span.end, condition)],
    };
    Fix { title: format!("add the condition `(role {variable})`"), edits, applies: Applies::Always }
}

impl Reading {
    /// Lets variables in the role position of a head range over the roles.
    fn roles(&mut self) {
        let counts = Counts::of(&self.description);
        let mut rules = std::mem::take(&mut self.description.rules);
        for rule in &mut rules {
            let has_role = matches!(rule.head.name.word, Word::LEGAL | Word::GOAL | Word::SEES | Word::INPUT);
            let Some(&Term::Variable(name)) = rule.head.args.first().filter(|_| has_role && rule.head.arity() == 2)
            else {
                continue;
            };
            if !unbound(rule).iter().any(|(other, _)| other.word == name.word) {
                continue;
            }
            let role = Compound {
                name: Name { word: Word::ROLE, span: name.span },
                args: vec![Term::Variable(name)],
                span: name.span,
            };
            let shown = self.description.words.spelling(name.word);
            let fix = (self.description.syntax == Syntax::Prefix).then(|| with_condition(rule, shown));
            let meant = binding(&self.description, &counts, rule, name);
            rule.body.insert(0, Literal::Atom(role));
            let message = format!("no condition binds `{shown}`: read as every role in turn");
            let condition = match self.description.syntax {
                Syntax::Prefix => format!("(role {shown})"),
                _ => format!("role({shown})"),
            };
            let mut warning = Diagnostic::warning(codes::ROLE_VARIABLE, name.span, message);
            warning.fixes.extend(fix);
            self.findings.push(suggesting(warning.help(format!("add the condition `{condition}`")), meant));
        }
        self.description.rules = rules;
    }

    /// Drops `base` and `input` if one of their rules is unsafe: without that rule they would declare only a part.
    fn domains(&mut self) {
        let mut ignored = Vec::new();
        let counts = Counts::of(&self.description);
        for rule in &self.description.rules {
            let head = rule.head.name;
            if !matches!(head.word, Word::BASE | Word::INPUT) {
                continue;
            }
            let Some(&(name, _)) = unbound(rule).first() else { continue };
            ignored.push(head.word);
            let words = &self.description.words;
            let (head, variable) = (words.spelling(head.word), words.spelling(name.word));
            let message =
                format!("the rules for `{head}` are ignored: no positive literal binds `{variable}` in this one");
            let warning = Diagnostic::warning(codes::DOMAIN_RULE, name.span, message);
            let help = "`base` and `input` are not needed to play; misspelt variables are often the cause";
            let meant = binding(&self.description, &counts, rule, name);
            self.findings.push(suggesting(warning.help(help), meant));
        }
        self.description.rules.retain(|rule| !ignored.contains(&rule.head.name.word));
    }

    /// Drops unsafe rules of relations that no game relation depends on.
    fn unused(&mut self) {
        let used = used(&self.description);
        let mut findings = Vec::new();
        let counts = Counts::of(&self.description);
        let rules = std::mem::take(&mut self.description.rules);
        let (description, words) = (&self.description, &self.description.words);
        let keep = |rule: &Rule| {
            let head = rule.head.name;
            if used.contains(&head.word) {
                return true;
            }
            let Some(&(name, _)) = unbound(rule).first() else { return true };
            let (head, variable) = (words.spelling(head.word), words.spelling(name.word));
            let message = format!(
                "this rule is ignored: no positive literal binds `{variable}`, and nothing in the game depends on `{head}`"
            );
            let warning = Diagnostic::warning(codes::UNUSED_RULE, name.span, message);
            findings.push(suggesting(warning, binding(description, &counts, rule, name)));
            false
        };
        self.description.rules = rules.into_iter().filter(keep).collect();
        self.findings.append(&mut findings);
    }
}

/// The relations that the game itself depends on, `base` and `input` left out.
fn used(description: &Description) -> FxHashSet<Word> {
    let mut uses: FxHashMap<Word, Vec<Word>> = FxHashMap::default();
    for rule in &description.rules {
        let list = uses.entry(rule.head.name.word).or_default();
        rule.body.iter().for_each(|literal| literal.atoms(&mut |atom: &Atom, _| list.push(atom.name.word)));
    }
    let mut used = FxHashSet::default();
    let mut stack = vec![
        Word::ROLE,
        Word::INIT,
        Word::LEGAL,
        Word::NEXT,
        Word::TERMINAL,
        Word::GOAL,
        Word::SEES,
        Word::BASE,
        Word::INPUT,
        Word::TRUE,
        Word::DOES,
    ];
    while let Some(word) = stack.pop() {
        if used.insert(word) {
            stack.extend(uses.get(&word).into_iter().flatten());
        }
    }
    used
}

/// Whether a rule may be one that takes values from those who ask: all that is unbound is in its head, and the relation
/// is of the sheet's own.
fn takes_values(rule: &Rule) -> bool {
    let mut head = FxHashSet::default();
    rule.head.variables(&mut |name| {
        head.insert(name.word);
    });
    unbound(rule).iter().all(|(name, _)| head.contains(&name.word))
}
