//! The canonical prefix text of a description.

use crate::ast::{Compound, Description, Literal, Rule, Syntax, Term, Words};

/// Most columns of a rule that stands on one line.
const WIDTH: usize = 100;

/// Prints a description in prefix syntax: a form per line, the conditions of a long rule on lines of their own, comments
/// before the form they stand in or before. Reading the text again gives the same description. Linear.
pub fn print(description: &Description) -> String {
    let out = print_forms(description, false);
    // Words like `%` and `:-` without any bracket before them look like the other syntax.
    if Syntax::of(&out) == Syntax::Prefix { out } else { print_forms(description, true) }
}

/// All forms and comments; on request the first form has brackets even if it is one word, so that no reader takes the
/// text for infix.
fn print_forms(description: &Description, mut bracketed: bool) -> String {
    let mut out = String::new();
    let mut comments = description.comments.iter().peekable();
    for rule in &description.rules {
        while let Some(comment) = comments.next_if(|comment| comment.span.start < rule.span.end) {
            out.push(';');
            out.push_str(&comment.text);
            out.push('\n');
        }
        match std::mem::take(&mut bracketed) && rule.body.is_empty() {
            true => write_compound(&description.words, &rule.head, &mut out),
            false => write_rule(&description.words, rule, &mut out),
        }
        out.push('\n');
    }
    for comment in comments {
        out.push(';');
        out.push_str(&comment.text);
        out.push('\n');
    }
    out
}

/// A term in prefix syntax, in lower case, with single spaces: its KIF string.
pub fn term(words: &Words, term: &Term) -> String {
    let mut out = String::new();
    write_term(words, term, &mut out);
    out
}

fn write_rule(words: &Words, rule: &Rule, out: &mut String) {
    if rule.body.is_empty() {
        return write_atom(words, &rule.head, out);
    }

    let mut whole = String::from("(<= ");
    write_atom(words, &rule.head, &mut whole);
    let mut parts = vec![whole];
    for literal in crate::ast::conjuncts(&rule.body) {
        let mut part = String::new();
        write_literal(words, literal, &mut part);
        parts.push(part);
    }
    let length: usize = parts.iter().map(|part| part.len() + 1).sum();
    out.push_str(&parts.join(if length <= WIDTH { " " } else { "\n    " }));
    out.push(')');
}

fn write_literal(words: &Words, literal: &Literal, out: &mut String) {
    let (name, parts) = match literal {
        Literal::Atom(atom) => return write_atom(words, atom, out),
        Literal::Distinct(terms, _) => {
            out.push_str("(distinct ");
            write_term(words, &terms[0], out);
            out.push(' ');
            write_term(words, &terms[1], out);
            return out.push(')');
        }
        Literal::Or(parts, _) | Literal::And(parts, _) if parts.len() == 1 => {
            return parts.iter().for_each(|part| write_literal(words, part, out));
        }
        Literal::Not(inner, _) => ("not", std::slice::from_ref(&**inner)),
        Literal::Or(parts, _) => ("or", parts.as_slice()),
        Literal::And(parts, _) => ("and", parts.as_slice()),
    };
    out.push('(');
    out.push_str(name);
    for part in parts {
        out.push(' ');
        write_literal(words, part, out);
    }
    out.push(')');
}

fn write_atom(words: &Words, atom: &Compound, out: &mut String) {
    if atom.args.is_empty() {
        out.push_str(words.text(atom.name.word));
    } else {
        write_compound(words, atom, out);
    }
}

fn write_compound(words: &Words, compound: &Compound, out: &mut String) {
    out.push('(');
    out.push_str(words.text(compound.name.word));
    for arg in &compound.args {
        out.push(' ');
        write_term(words, arg, out);
    }
    out.push(')');
}

fn write_term(words: &Words, term: &Term, out: &mut String) {
    match term {
        Term::Variable(name) | Term::Constant(name) => out.push_str(words.text(name.word)),
        Term::Function(compound) => write_compound(words, compound, out),
    }
}
