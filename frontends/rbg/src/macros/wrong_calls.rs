//! Calls of macros with a number of arguments that they do not take.

use super::{Expander, MAX_FORMS, Scope};
use crate::codes;
use crate::directives::count;
use crate::lexer::{Kind, Token};
use crate::report::Located;
use rg_ir::diag::{Applies, Edit, Fix};
use rg_ir::{Diagnostic, Symbol};

impl Expander<'_> {
    /// Reports that a macro is called with a number of arguments that it does not take; those are the tokens between the brackets. Linear.
    pub(super) fn wrong_arity(&mut self, name: Token, scope: Scope, number: usize, arguments: std::ops::Range<usize>) {
        let (numbers, _, forms) = self.forms(name, scope);
        let text = self.names.name(name.sym);
        let message = format!("macro `{text}` is given {}, but takes {numbers}", count(number, "argument"));
        let help = format!("arguments are separated by `;`: {forms}");
        let origin = self.steps.origin(name.start, name.end, scope.expansion);
        let mut error = Diagnostic::error(codes::WRONG_ARGUMENT_COUNT, origin.span, message).help(help);
        // With commas.
        let commas: Vec<Token> = self.commas(arguments);
        let takes = |count: usize| self.overloads.contains_key(&(name.sym, count));
        if number == 1 && !commas.is_empty() && takes(commas.len() + 1) {
            let span = |comma: &Token| self.steps.origin(comma.start, comma.end, None).span;
            let edit = |comma: &Token| Edit { span: span(comma), instead_of: None, text: ";".to_owned() };
            let edits = commas.iter().map(edit).collect();
            error.fixes.push(Fix { title: "write `;`".to_owned(), edits, applies: Applies::Always });
        }
        self.errors += 1;
        self.report.at(&self.steps, self.names, origin, error);
    }

    /// The commas between these tokens, outside of further brackets.
    fn commas(&self, tokens: std::ops::Range<usize>) -> Vec<Token> {
        let mut depth = 0_usize;
        let mut commas = Vec::new();
        for token in self.tokens.get(tokens).unwrap_or_default() {
            match token.kind {
                Kind::Comma if depth == 0 => commas.push(*token),
                kind if kind.opens() => depth += 1,
                kind if kind.closes() => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        commas
    }

    /// How many arguments a macro takes, `1 or 2`, with the noun behind the number, and how it is called with them: `` `m(x)` or `m(x; y)` ``.
    pub(super) fn forms(&self, name: Token, scope: Scope) -> (String, &'static str, String) {
        let visible = self.directives.macros.iter().filter(|m| m.name == name.sym && m.directive < scope.directive);
        let mut forms: Vec<&Vec<Symbol>> = visible.filter_map(|m| m.parameters.as_ref()).collect();
        forms.sort_by_key(|parameters| parameters.len());
        forms.truncate(MAX_FORMS);
        let numbers: Vec<String> = forms.iter().map(|parameters| parameters.len().to_string()).collect();
        let noun = if matches!(forms.as_slice(), [only] if only.len() == 1) { "argument" } else { "arguments" };
        let text = self.names.name(name.sym);
        let form = |parameters: &&Vec<Symbol>| {
            let names: Vec<&str> = parameters.iter().map(|&parameter| self.names.name(parameter)).collect();
            format!("`{text}({})`", names.join("; "))
        };
        let forms: Vec<String> = forms.iter().map(form).collect();
        (numbers.join(" or "), noun, forms.join(" or "))
    }
}
