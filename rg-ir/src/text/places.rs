//! Where in a declaration the name stands that a finding of the checker is about.

use super::lexer::{Lexeme, Lexer, Token};
use crate::diag::{Annotation, Diagnostic, Edit};
use crate::source::Span;

/// Findings of [`check`](crate::check()) about values of a game in `text`: those about a name in a declaration point at the name, and their fixes
/// replace it. Linear in the declarations concerned.
pub fn located(text: &str, finding: Diagnostic) -> Diagnostic {
    let keys = match finding.code {
        "RG010" => false,
        "RG011" => true,
        _ => return finding,
    };
    let mut finding = finding;
    // What the declaration declares is named first, then what is wrong in it.
    let Some(name) = finding.message.split('`').nth(3).map(str::to_owned) else { return finding };
    let Some(span) = finding.primary.as_ref().map(|primary| primary.span) else { return finding };
    let Some(declaration) = text.get(span.range()).filter(|declaration| *declaration != name) else { return finding };
    let lexemes: Vec<Lexeme<'_>> = Lexer::part(declaration, span.start as usize).collect();
    let value = lexemes.iter().position(|lexeme| lexeme.token == Token::Assign).map_or(lexemes.len(), |at| at + 1);
    let is_key = |at: usize| lexemes.get(at + 1).is_some_and(|next| next.token == Token::Colon);
    let named = lexemes.iter().enumerate().skip(value);
    let named = named.filter(|(at, lexeme)| lexeme.token == Token::Name(name.as_str()) && is_key(*at) == keys);
    let places: Vec<Span> = named.map(|(_, lexeme)| Span::new(span.source, lexeme.start, lexeme.end)).collect();
    let Some(&first) = places.first() else { return finding };
    for fix in &mut finding.fixes {
        if let [Edit { instead_of: Some(wrong), text: better, .. }] = fix.edits.as_slice()
            && *wrong == name
        {
            let edit = |&span| Edit { span, instead_of: Some(name.clone()), text: better.clone() };
            fix.edits = places.iter().map(edit).collect();
        }
    }
    finding.primary = Some(Annotation { span: first, text: String::new() });
    finding
}
