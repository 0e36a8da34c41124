//! Fixes that declare what is used and is not there: variables, graphs and domains. Types are guessed from what stands around. Also other names for domains
//! with the name of a built-in type.

use crate::ast::{Element, Source};
use crate::codes;
use crate::complete::{Declared, commas, declared_types};
use crate::exprs::{NO_ORDER, NO_VARIABLE};
use crate::lexer::{self, Kind, Token};
use rg_ir::diag::{Applies, Edit, Fix};
use rg_ir::{Diagnostic, Report, SourceId, Span};

/// Functions that order values, and how they do.
const ORDERS: [(&str, &str); 4] = [("isLess", "<"), ("isAtMost", "<="), ("isMore", ">"), ("isAtLeast", ">=")];

/// Findings that always get such a fix, if there is one.
const MENDED: [&str; 4] = [codes::UNBOUND, codes::UNKNOWN_GRAPH, codes::UNKNOWN_DOMAIN, codes::BUILT_IN];

/// Adds fixes to findings about names that are spelt like nothing else. They are never certain. Linear in the text for each such finding.
pub(crate) fn declare(source: SourceId, text: &str, tree: &Source, findings: &mut [Diagnostic]) {
    let is_meant = |finding: &&mut Diagnostic| {
        let is_unknown = match finding.code {
            codes::READ_ONLY => finding.message.starts_with(NO_VARIABLE),
            codes::CONDITION => finding.message == NO_ORDER,
            code => MENDED.contains(&code),
        };
        is_unknown && finding.fixes.is_empty()
    };
    let mut tokens: Option<Vec<Token>> = None;
    for finding in findings.iter_mut().filter(is_meant) {
        let tokens = tokens.get_or_insert_with(|| {
            let mut lexed = lexer::lex(source, text, &mut Report::default());
            lexed.tokens.retain(|token| token.kind != Kind::Comment);
            lexed.tokens
        });
        let Some(place) = finding.primary.as_ref().map(|primary| primary.span) else { continue };
        let at = tokens.partition_point(|token| token.start < place.start);
        let additions = Additions { source, text, tree, tokens, declared: declared_types(text, tokens) };
        finding.fixes.extend(match finding.code {
            codes::UNKNOWN_GRAPH => additions.graph(at),
            codes::UNKNOWN_DOMAIN => additions.domain(at),
            codes::BUILT_IN => additions.renamed(at),
            codes::CONDITION => additions.ordered(at, place),
            _ => additions.variable(at),
        });
    }
}

/// A description, and what it declares.
struct Additions<'t> {
    source: SourceId,
    text: &'t str,
    tree: &'t Source,
    tokens: &'t [Token],
    declared: Declared<'t>,
}

impl<'t> Additions<'t> {
    fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    fn word(&self, at: usize) -> Option<&'t str> {
        self.tokens.get(at).map(|token| token.text(self.text))
    }

    /// The names of the types of a variable or function.
    fn types(&self, name: &str) -> Option<&[&'t str]> {
        self.declared.iter().rev().find(|(other, _)| *other == name).map(|(_, types)| types.as_slice())
    }

    /// A variable that is assigned, or compared with something, at a token.
    fn variable(&self, at: usize) -> Option<Fix> {
        let name = self.word(at).filter(|_| self.kind(at) == Some(Kind::Lower))?;
        let mut types = Vec::new();
        let mut sign = at + 1;
        while self.kind(sign) == Some(Kind::BracketOpen) {
            types.push(self.type_at(sign + 1)?);
            sign = self.behind(sign)?;
        }
        if !matches!(self.kind(sign)?, Kind::Equal | Kind::EqualEqual | Kind::NotEqual) {
            return None;
        }
        types.push(self.type_at(sign + 1)?);
        let ty = types.join(" -> ");
        let variable = self.tree.variables.last().map(|variable| variable.name.span);
        let others = self.tree.functions.iter().map(|function| function.name.span);
        let domains = self.tree.domains.iter().map(|domain| domain.name.span);
        let (place, gap) = match variable {
            Some(last) => (last, "\n"),
            None => (others.chain(domains).max_by_key(|span| span.start)?, "\n\n"),
        };
        let title = format!("declare a variable `{name}` of type `{ty}`");
        let extent = Some(self.tree.extent(place)).filter(|extent| extent.is_some())?;
        Some(self.fix(title, self.behind_comment(extent.end), format!("{gap}{name}: {ty}")))
    }

    /// A graph that is called at a token.
    fn graph(&self, at: usize) -> Option<Fix> {
        let name = self.word(at).filter(|_| self.kind(at) == Some(Kind::Lower))?;
        let end = self.behind(at + 1).filter(|_| self.kind(at + 1) == Some(Kind::ParenOpen))?;
        let arguments = self.tokens.get(at + 2..end.checked_sub(1)?)?;
        let mut types = Vec::new();
        for (index, _) in arguments.iter().enumerate() {
            let before = arguments.get(..index)?;
            let begins = index == 0 || arguments.get(index - 1).is_some_and(|last| last.kind == Kind::Comma);
            if begins && (index == 0 || commas(before) == types.len()) {
                types.push(self.type_at(at + 2 + index)?);
            }
        }
        let letters = (b'a'..=b'z').map(|letter| char::from(letter).to_string());
        let free = letters.filter(|letter| self.types(letter).is_none() && self.domain_of(letter).is_none());
        let parameters: Vec<String> = free.zip(&types).map(|(letter, ty)| format!("{letter}: {ty}")).collect();
        if parameters.len() < types.len() {
            return None;
        }
        let end = u32::try_from(self.text.trim_end().len()).ok()?;
        let text = format!("\n\ngraph {name}({}) {{\n}}", parameters.join(", "));
        Some(self.fix(format!("add a graph `{name}` to begin with"), end, text))
    }

    /// A domain that is named at a token.
    fn domain(&self, at: usize) -> Option<Fix> {
        let name = self.word(at).filter(|_| self.kind(at) == Some(Kind::Upper))?;
        let last = self.tree.extent(self.tree.domains.last()?.name.span);
        if !last.is_some() {
            return None;
        }
        let text = format!("\ndomain {name} = first | second");
        Some(self.fix(format!("add a domain `{name}` to begin with"), self.behind_comment(last.end), text))
    }

    /// Another name for the domain that is declared at a token, wherever it is named.
    fn renamed(&self, at: usize) -> Option<Fix> {
        let name = self.word(at)?;
        let is_free = |other: &String| self.tokens.iter().all(|token| token.text(self.text) != other.as_str());
        let numbered = (2..).map(|number| format!("Own{name}{number}"));
        let better = std::iter::once(format!("Own{name}")).chain(numbered).find(is_free)?;
        let named = self.tokens.iter().filter(|token| token.text(self.text) == name);
        let edit = |token: &Token| {
            let span = Span { source: self.source, start: token.start, end: token.end };
            Edit { span, instead_of: Some(name.to_owned()), text: better.clone() }
        };
        let edits = named.map(edit).collect();
        Some(Fix { title: format!("call the domain `{better}`"), edits, applies: Applies::Maybe })
    }

    /// Where a line that is added behind a declaration begins: behind a comment that follows the declaration on its line.
    fn behind_comment(&self, end: u32) -> u32 {
        let rest = self.text.get(end as usize..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let length = if rest.trim_start().starts_with("//") { rest.trim_end().len() } else { 0 };
        end + u32::try_from(length).unwrap_or(0)
    }

    /// A function that orders the two values of a comparison, which begins at a token, and its result in place of the comparison.
    fn ordered(&self, at: usize, place: Span) -> Option<Fix> {
        let end = self.tokens.partition_point(|token| token.start < place.end);
        let mut depth = 0_usize;
        let sign = (at..end).find(|&at| {
            let kind = self.kind(at);
            depth += usize::from(kind.is_some_and(Kind::opens));
            depth = depth.saturating_sub(usize::from(kind.is_some_and(Kind::closes)));
            depth == 0 && ORDERS.iter().any(|(_, order)| self.word(at) == Some(*order))
        })?;
        let (name, order) = ORDERS.into_iter().find(|(_, order)| self.word(sign) == Some(*order))?;
        // A number is of many types.
        let ty = |at: usize| self.type_at(at).filter(|_| self.kind(at) != Some(Kind::Number));
        let (left, right) = (ty(at).or_else(|| ty(sign + 1))?, ty(sign + 1).or_else(|| ty(at))?);
        let is_free = |name: &&str| self.tokens.iter().all(|token| token.text(self.text) != *name);
        let name = Some(name).filter(is_free)?;
        let mut variables = ["X", "Y", "A", "B", "V", "W"].into_iter().filter(is_free);
        let (one, other) = (variables.next()?, variables.next()?);
        let functions = self.tree.functions.iter().map(|function| function.name.span);
        let domains = self.tree.domains.iter().map(|domain| domain.name.span);
        let last = self.tree.extent(functions.chain(domains).max_by_key(|span| span.start)?);
        let function = format!(
            "\n\n{name}: {left} -> {right} -> Bool\n{name}({one}, {other}) = if {one} {order} {other} then 1 else 0"
        );
        let (first, sign) = (self.tokens.get(at)?, self.tokens.get(sign)?);
        let side = |from: u32, to: u32| self.text.get(from as usize..to as usize).map(str::trim);
        let sides = [side(first.start, sign.start)?, side(sign.end, place.end)?];
        if sides.iter().any(|side| side.contains("//")) {
            return None;
        }
        let call = format!("{name}({}) == 1", sides.join(", "));
        let mut fix = self.fix(format!("add a function `{name}`"), self.behind_comment(last.end), function);
        fix.edits.push(Edit { span: place, instead_of: None, text: call });
        Some(fix)
    }

    fn fix(&self, title: String, at: u32, text: String) -> Fix {
        let span = Span { source: self.source, start: at, end: at };
        Fix { title, edits: vec![Edit { span, instead_of: None, text }], applies: Applies::Maybe }
    }

    /// The token behind a bracket and what it encloses.
    fn behind(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for at in open..self.tokens.len() {
            let kind = self.kind(at)?;
            if kind.opens() {
                depth += 1;
            } else if kind.closes() {
                depth = depth.checked_sub(1)?;
            }
            if depth == 0 {
                return Some(at + 1);
            }
        }
        None
    }

    /// The name of the type of the expression that begins at a token.
    fn type_at(&self, at: usize) -> Option<&'t str> {
        let name = self.word(at)?;
        match (self.kind(at)?, self.kind(at + 1)) {
            (Kind::Upper, Some(Kind::ParenOpen)) if self.word(at + 2) == Some("*") => Some(name),
            (Kind::Lower | Kind::Upper, Some(Kind::ParenOpen)) => {
                let Some(types) = self.types(name) else { return self.domain_made_by(name) };
                let arguments = self.tokens.get(at + 2..self.behind(at + 1)?.checked_sub(1)?)?;
                let given = if arguments.is_empty() { 0 } else { commas(arguments) + 1 };
                types.last().filter(|_| types.len() == given + 1).copied()
            }
            (Kind::Lower | Kind::Upper, Some(Kind::BracketOpen)) => {
                let (mut given, mut next) = (0_usize, at + 1);
                while self.kind(next) == Some(Kind::BracketOpen) {
                    (given, next) = (given + 1, self.behind(next)?);
                }
                let types = self.types(name)?;
                types.last().filter(|_| types.len() == given + 1).copied()
            }
            (Kind::Lower | Kind::Upper, _) => match self.types(name) {
                Some([ty]) => Some(ty),
                Some(_) => None,
                None => self.domain_of(name),
            },
            (Kind::Number, _) => self.domain_of(name),
            _ => None,
        }
    }

    /// The first domain that lists a symbol.
    fn domain_of(&self, symbol: &str) -> Option<&'t str> {
        let tree = self.tree;
        let lists =
            |element: &Element| matches!(element, Element::Name(name) if tree.symbols.name(name.symbol) == symbol);
        let found = tree.domains.iter().find(|domain| domain.elements.iter().any(lists))?;
        Some(tree.symbols.name(found.name.symbol))
    }

    /// The first domain with values that a constructor makes.
    fn domain_made_by(&self, constructor: &str) -> Option<&'t str> {
        let tree = self.tree;
        let makes = |element: &Element| matches!(element, Element::Generator(name, ..) if tree.symbols.name(name.symbol) == constructor);
        let found = tree.domains.iter().find(|domain| domain.elements.iter().any(makes))?;
        Some(tree.symbols.name(found.name.symbol))
    }
}
