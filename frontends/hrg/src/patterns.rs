//! Names in the patterns of functions that no argument has: misspelt ones, as a rule.

use crate::ast::*;
use crate::codes;
use crate::declare::{Declare, Shape};
use crate::eval::Evaluator;
use crate::lexer::is_upper;
use crate::values::{Value, ValueRef};
use rg_ir::diag::nearest;
use rg_ir::{Diagnostic, Span};
use rustc_hash::FxHashSet;

/// A symbol or constructor in a pattern that its argument does not have.
pub(crate) struct Strange {
    /// Where it stands.
    pub(crate) place: Span,
    name: String,
    /// What the argument has that is spelt almost like it.
    near: Vec<String>,
}

impl Strange {
    /// Whether it is misspelt, as it seems.
    fn is_misspelt(&self) -> bool {
        !self.near.is_empty()
    }

    /// The finding with the suggestion, or with what lower case means.
    pub(crate) fn suggest(&self, finding: Diagnostic) -> Diagnostic {
        let mut letters = self.name.chars();
        let Some(first) = letters.next().filter(|first| !self.is_misspelt() && first.is_ascii_lowercase()) else {
            return finding.suggest_at(self.place, &self.name, self.near.iter().map(String::as_str));
        };
        let variable = format!("{}{}", first.to_ascii_uppercase(), letters.as_str());
        finding
            .help(format!("names in lower case are values; a variable begins with a capital letter, as `{variable}`"))
    }
}

/// The error that no case matches some arguments, at the first name that is to blame for it.
pub(crate) fn located(error: Box<Diagnostic>, strange: &[Strange]) -> Box<Diagnostic> {
    match strange.iter().find(|strange| strange.is_misspelt()).or(strange.first()) {
        Some(strange) if error.code == codes::UNCOVERED => {
            let (place, name) = (strange.place, &strange.name);
            let message = format!("no argument is `{name}`, and {}", error.message);
            let signature = error.primary.map_or(Span::NONE, |primary| primary.span);
            let error = Diagnostic::error(codes::UNCOVERED, place, message).also(signature, "the function");
            Box::new(strange.suggest(error))
        }
        _ => error,
    }
}

/// Whether a place is part of another.
fn within(inner: Span, outer: Span) -> bool {
    inner.source == outer.source && outer.start <= inner.start && inner.end <= outer.end
}

impl Evaluator<'_> {
    /// The name of a symbol, or of the constructor of a term; empty for maps.
    pub(crate) fn head(&self, value: ValueRef) -> &str {
        match self.values.get(value) {
            Value::Symbol(name) | Value::Term(name, _) => self.symbols.name(*name),
            Value::Map(..) => "",
        }
    }
}

impl Declare<'_, '_> {
    /// The error that no case matches some arguments, with the suggestion that an element of a domain is a misspelt domain: `Place = Cel | off` has the
    /// symbol `Cel` where the cells were meant. Symbols may be called like that, too, so the fix is not certain.
    pub(crate) fn misspelt_domain(&self, error: Box<Diagnostic>) -> Box<Diagnostic> {
        if error.code != codes::UNCOVERED || !error.fixes.is_empty() {
            return error;
        }
        let domains = &self.ev.source.domains;
        let text = |name: &Name| self.ev.symbols.name(name.symbol);
        let known = || domains.iter().map(|domain| text(&domain.name));
        let elements = domains.iter().flat_map(|domain| &domain.elements);
        let misspelt = elements.filter_map(|element| match element {
            Element::Name(name) if is_upper(text(name)) && known().all(|known| known != text(name)) => Some(name),
            _ => None,
        });
        let meant = misspelt.map(|name| (name, nearest(text(name), known()))).find(|(_, near)| !near.is_empty());
        match meant {
            Some((name, near)) => {
                let error = error.also(name.span, format!("`{}` is a symbol: there is no such domain", text(name)));
                Box::new(error.suggest_at(name.span, text(name), near).unsure())
            }
            None => error,
        }
    }

    /// Names in the patterns of a function that their arguments do not have. Linear in the values of the arguments, and in the different names in them
    /// for each strange one.
    pub(crate) fn strange_patterns(&self, function: &Function, shape: &Shape) -> Vec<Strange> {
        let source = self.ev.source;
        let mut strange = Vec::new();
        for (place, keys) in shape.keys.iter().enumerate() {
            let mut known: FxHashSet<&str> = FxHashSet::default();
            let mut values: Vec<ValueRef> = keys.clone();
            while let Some(value) = values.pop() {
                known.insert(self.ev.head(value));
                if let Value::Term(_, parts) = self.ev.values.get(value) {
                    values.extend(parts.iter().copied());
                }
            }
            let mut sorted: Vec<&str> = known.iter().copied().collect();
            sorted.sort_unstable();
            for case in &function.cases {
                let mut patterns: Vec<PatternRef> = case.patterns.get(place).copied().into_iter().collect();
                while let Some(pattern) = patterns.pop() {
                    let name = match source.pattern(pattern) {
                        Pattern::Any => continue,
                        Pattern::Name(name) if is_upper(self.ev.symbols.name(name.symbol)) => continue,
                        Pattern::Name(name) => name,
                        Pattern::Construct(name, parts) => {
                            patterns.extend(parts.iter().rev());
                            name
                        }
                    };
                    let text = self.ev.symbols.name(name.symbol);
                    if known.contains(text) {
                        continue;
                    }
                    let near: Vec<String> =
                        nearest(text, sorted.iter().copied()).into_iter().map(str::to_owned).collect();
                    strange.push(Strange { place: name.span, name: text.to_owned(), near });
                }
            }
        }
        strange
    }

    /// Warns of cases that gave no result. Comes when everything is evaluated.
    pub(crate) fn unused_cases(&mut self) {
        for function in &self.ev.source.functions {
            for (index, case) in function.cases.iter().enumerate() {
                if !self.ev.used_cases.contains(&(function.name.symbol, index)) {
                    let name = self.ev.symbols.name(function.name.symbol);
                    let message = format!("this case of `{name}` is never used");
                    let mut misspelt = self.strange.iter().filter(|strange| strange.is_misspelt());
                    let warning = match misspelt.find(|strange| within(strange.place, case.span)) {
                        Some(strange) => {
                            strange.suggest(Diagnostic::warning(codes::UNUSED_CASE, strange.place, message))
                        }
                        None => Diagnostic::warning(codes::UNUSED_CASE, case.span, message),
                    };
                    let note = "no arguments in the type match it, or earlier cases match them";
                    self.ev.report.push(warning.note(note));
                }
            }
        }
    }

    /// The error for a result that its type does not have.
    pub(crate) fn wrong_result(
        &self,
        function: &Function,
        args: Vec<ValueRef>,
        value: ValueRef,
        results: &[ValueRef],
    ) -> Box<Diagnostic> {
        let name = self.ev.symbols.name(function.name.symbol);
        let shown: Vec<String> = args.iter().map(|&v| self.ev.values.show(v, &self.ev.symbols)).collect();
        let shown = format!("{name}({})", shown.join(", "));
        let name = self.ev.head(value);
        let value = self.ev.values.show(value, &self.ev.symbols);
        let message = format!("`{shown}` is `{value}`, which is not in the type");
        let case = self.ev.results.get(&(function.name.symbol, args.into_boxed_slice()));
        let case = case.and_then(|&(_, case)| function.cases.get(case));
        let place = case.map_or(function.name.span, |case| self.ev.source.span(case.value));
        let known = results.iter().map(|&result| self.ev.head(result)).chain(self.ev.in_other_case(name));
        Box::new(Diagnostic::error(codes::TYPE, place, message).also(function.ty.span, "the type").suggest(name, known))
    }
}
