//! The canonical infix text of a description.

use crate::ast::{Compound, Description, Literal, Name, Rule, Syntax, Term, Word, Words};
use crate::codes;
use rg_ir::{Diagnostic, Report};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most columns of a clause that stands on one line.
const WIDTH: usize = 100;

/// Prints a description in infix syntax: a clause per line, the conditions of a long one on lines of their own, comments
/// before the clause they stand in or before. Reading the text again gives the same description, up to names of
/// variables. Names without an infix spelling are put in quotes, variables without one get another name; both are
/// reported. Linear.
pub fn print(description: &Description) -> (String, Vec<Diagnostic>) {
    print_with(description, &INFIX)
}

/// As [`print`], in the style of Prolog: `p(X) :- q(X), \\+ r(X), X \\= a.`
pub fn print_prolog(description: &Description) -> (String, Vec<Diagnostic>) {
    print_with(description, &PROLOG)
}

/// The signs of a dialect.
struct Signs {
    syntax: Syntax,
    /// Between conditions, and between alternatives.
    and: &'static str,
    or: &'static str,
    not: &'static str,
    /// Between terms; `None` if the relation `distinct` says it.
    differs: Option<&'static str>,
    /// Behind a clause.
    end: &'static str,
}

const INFIX: Signs = Signs { syntax: Syntax::Infix, and: " &", or: " |", not: "~", differs: None, end: "" };
const PROLOG: Signs =
    Signs { syntax: Syntax::Prolog, and: ",", or: " ;", not: "\\+ ", differs: Some(" \\= "), end: "." };

fn print_with(description: &Description, signs: &'static Signs) -> (String, Vec<Diagnostic>) {
    let mut printer = Printer {
        words: &description.words,
        signs,
        out: String::new(),
        variables: Variables::default(),
        reported: FxHashSet::default(),
        report: Report::default(),
    };
    let mut comments = description.comments.iter().peekable();
    for rule in &description.rules {
        while let Some(comment) = comments.next_if(|comment| comment.span.start < rule.span.end) {
            printer.comment(&comment.text);
        }
        printer.rule(rule);
    }
    comments.for_each(|comment| printer.comment(&comment.text));
    (printer.out, printer.report.finish_in_order())
}

/// A term in infix syntax.
pub fn term(words: &Words, term: &Term) -> String {
    let (variables, reported, report) = (Variables::default(), FxHashSet::default(), Report::default());
    let mut printer = Printer { words, signs: &INFIX, out: String::new(), variables, reported, report };
    printer.term(term);
    printer.out
}

/// How the variables of a clause are written.
#[derive(Default)]
struct Variables {
    names: FxHashMap<Word, String>,
    taken: FxHashSet<String>,
}

struct Printer<'a> {
    words: &'a Words,
    signs: &'static Signs,
    out: String,
    variables: Variables,
    /// Words that were reported.
    reported: FxHashSet<Word>,
    report: Report,
}

impl Printer<'_> {
    fn comment(&mut self, text: &str) {
        self.out.push('%');
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn rule(&mut self, rule: &Rule) {
        self.variables = Variables::default();
        let start = self.out.len();
        self.atom(&rule.head);
        let mut parts = Vec::new();
        for literal in crate::ast::conjuncts(&rule.body) {
            let from = self.out.len();
            self.literal(literal);
            parts.push(self.out.split_off(from));
        }
        // The sign of the rule is a column longer than `&`.
        let length: usize = self.out.len() - start + 1 + parts.iter().map(|part| part.len() + 3).sum::<usize>();
        let space = if length <= WIDTH { " " } else { "\n    " };
        if !parts.is_empty() {
            self.out.push_str(" :-");
            self.out.push_str(space);
            self.out.push_str(&parts.join(&format!("{}{space}", self.signs.and)));
        }
        self.out.push_str(self.signs.end);
        self.out.push('\n');
    }

    /// Recursion is limited by the depth of the text.
    fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Atom(atom) => self.atom(atom),
            Literal::Distinct(terms, _) => match self.signs.differs {
                None => {
                    self.out.push_str("distinct(");
                    self.terms(terms.as_slice());
                }
                Some(sign) => {
                    self.term(&terms[0]);
                    self.out.push_str(sign);
                    self.term(&terms[1]);
                }
            },
            Literal::Not(inner, _) => {
                self.out.push_str(self.signs.not);
                self.literal(inner);
            }
            Literal::Or(parts, _) | Literal::And(parts, _) if parts.len() == 1 => {
                parts.iter().for_each(|part| self.literal(part));
            }
            Literal::Or(parts, _) => self.bracket(parts, self.signs.or),
            Literal::And(parts, _) => self.bracket(parts, self.signs.and),
        }
    }

    fn bracket(&mut self, parts: &[Literal], sign: &str) {
        self.out.push('(');
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                self.out.push_str(sign);
                self.out.push(' ');
            }
            self.literal(part);
        }
        self.out.push(')');
    }

    fn atom(&mut self, atom: &Compound) {
        self.name(atom.name);
        if !atom.args.is_empty() {
            self.out.push('(');
            self.terms(&atom.args);
        }
    }

    /// Terms and a closing bracket.
    fn terms(&mut self, terms: &[Term]) {
        for (number, term) in terms.iter().enumerate() {
            if number > 0 {
                self.out.push_str(", ");
            }
            self.term(term);
        }
        self.out.push(')');
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Variable(name) => self.variable(*name),
            Term::Constant(name) => self.name(*name),
            Term::Function(compound) => self.atom(compound),
        }
    }

    fn name(&mut self, name: Name) {
        let text = self.words.text(name.word);
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        if text.starts_with(plain) && text.chars().all(|c| plain(c) || c == '_') {
            return self.out.push_str(text);
        }
        self.out.push_str(&format!("'{text}'"));
        self.renamed(name, "name", &format!("'{text}'"));
    }

    fn variable(&mut self, name: Name) {
        if let Some(known) = self.variables.names.get(&name.word) {
            return self.out.push_str(known);
        }
        let text = self.words.text(name.word);
        let plain = text.strip_prefix('?').unwrap_or(text);
        let mut shown: String = plain.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        match shown.get_mut(..1) {
            Some(first) if first.starts_with(|c: char| c.is_ascii_digit()) => shown.insert(0, '_'),
            Some(first) => first.make_ascii_uppercase(),
            None => shown.push('_'),
        }
        if shown == "_" && self.signs.differs.is_some() {
            // In the style of Prolog every `_` is another variable.
            shown.push('_');
        }
        let base = shown.clone();
        let mut number = 2;
        while !self.variables.taken.insert(shown.clone()) {
            shown = format!("{base}_{number}");
            number += 1;
        }
        if shown.to_ascii_lowercase() != plain {
            self.renamed(name, "variable", &shown);
        }
        self.out.push_str(&shown);
        self.variables.names.insert(name.word, shown);
    }

    fn renamed(&mut self, name: Name, kind: &str, shown: &str) {
        if self.reported.insert(name.word) {
            let spelling = self.words.spelling(name.word);
            let message = format!(
                "{kind} `{spelling}` has no spelling of its own in {}; written `{shown}`",
                self.signs.syntax.name()
            );
            self.report.push(Diagnostic::lint(codes::NO_INFIX_SPELLING, name.span, message));
        }
    }
}
