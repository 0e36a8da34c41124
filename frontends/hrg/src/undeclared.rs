//! Values that no domain has: fixes that add them to the domain of the variable that they are assigned to, or compared with.

use crate::ast::{Element, ResultType, Source};
use crate::codes;
use crate::lexer::{self, Kind, Token};
use rg_ir::diag::{Applies, Edit, Fix};
use rg_ir::{Diagnostic, Report, SourceId, Span};

/// The domains of the variables that every description has.
const BUILTINS: [(&str, &str); 2] = [("player", "Player"), ("goals", "Score")];

/// Adds fixes to findings about names without a value that are spelt like nothing else. They are never certain, as something else may be meant. Linear in the text if there is such
/// a finding.
pub(crate) fn declare(source: SourceId, text: &str, tree: &Source, findings: &mut [Diagnostic]) {
    let is_unbound = |finding: &&mut Diagnostic| {
        finding.code == codes::UNBOUND && finding.fixes.is_empty() && finding.help.is_none()
    };
    let mut tokens: Option<Vec<Token>> = None;
    for finding in findings.iter_mut().filter(is_unbound) {
        let tokens = tokens.get_or_insert_with(|| {
            let mut lexed = lexer::lex(source, text, &mut Report::default());
            lexed.tokens.retain(|token| token.kind != Kind::Comment);
            lexed.tokens
        });
        finding.fixes.extend(fix(text, tree, tokens, finding));
    }
}

fn fix(text: &str, tree: &Source, tokens: &[Token], finding: &Diagnostic) -> Option<Fix> {
    let place = finding.primary.as_ref()?.span;
    let at = tokens.partition_point(|token| token.start < place.start);
    let name = tokens
        .get(at)
        .filter(|token| token.kind == Kind::Lower && token.start == place.start && token.end == place.end)?;
    // What is called, or has keys, is no symbol.
    let is_open = tokens
        .get(at + 1)
        .is_some_and(|next| matches!(next.kind, Kind::ParenOpen | Kind::BracketOpen) && next.start == name.end);
    let variable = target(text, tokens.get(..at)?).filter(|_| !is_open)?;
    let domain = domain_of(tree, variable)?;
    let found = tree.domains.iter().find(|found| tree.symbols.name(found.name.symbol) == domain)?;
    let last = found.elements.iter().rev().find_map(|element| match element {
        Element::Name(name) => Some(name.span),
        Element::Generator(..) => None,
    })?;
    let name = name.text(text);
    Some(Fix {
        title: format!("add `{name}` to the domain `{domain}`"),
        edits: vec![Edit { span: Span { start: last.end, ..last }, instead_of: None, text: format!(" | {name}") }],
        applies: Applies::Maybe,
    })
}

/// The variable before a sign that assigns or compares, at the end of some tokens; keys may stand between. Linear.
fn target<'t>(text: &'t str, tokens: &[Token]) -> Option<&'t str> {
    let (sign, before) = tokens.split_last()?;
    if !matches!(sign.kind, Kind::Equal | Kind::EqualEqual | Kind::NotEqual) {
        return None;
    }
    let mut depth = 0_usize;
    for token in before.iter().rev() {
        match token.kind {
            Kind::BracketClose | Kind::ParenClose => depth += 1,
            Kind::BracketOpen | Kind::ParenOpen => depth = depth.checked_sub(1)?,
            _ if depth > 0 => {}
            Kind::Lower | Kind::Upper => return Some(token.text(text)),
            _ => return None,
        }
    }
    None
}

/// The domain of the values that a variable has behind all of its keys.
fn domain_of<'t>(tree: &'t Source, variable: &str) -> Option<&'t str> {
    let declared = tree.variables.iter().find(|declared| tree.symbols.name(declared.name.symbol) == variable);
    match declared.map(|declared| &declared.ty.result) {
        Some(ResultType::Name(domain)) => Some(tree.symbols.name(domain.symbol)),
        Some(ResultType::Set(_)) => None,
        None => BUILTINS.iter().find(|(name, _)| *name == variable).map(|(_, domain)| *domain),
    }
}
