//! Declared names: pieces, players, variables and edge labels share one name space.

use std::collections::hash_map::Entry;

use rg_ir::{Diagnostic, Report, Span, Symbol};
use rustc_hash::FxHashMap;

use crate::ast::{Bounded, Name, Origin};
use crate::codes;
use crate::raw::{Parsed, TokenIndex};
use crate::report::Located;
use crate::syntax::Text;

/// Greatest number that can be written.
const MAX_NUMBER: u32 = i32::MAX as u32;

/// What a name was declared as, with its index there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Declared {
    Piece(u32),
    Player(u32),
    Variable(u32),
    Label(u32),
}

impl Declared {
    /// The kind in words, with its article.
    pub(crate) fn a_kind(self) -> &'static str {
        match self {
            Declared::Piece(_) => "a piece",
            Declared::Player(_) => "a player",
            Declared::Variable(_) => "a variable",
            Declared::Label(_) => "an edge label",
        }
    }

    /// The kind in words.
    fn kind(self) -> &'static str {
        match self {
            Declared::Piece(_) => "piece",
            Declared::Player(_) => "player",
            Declared::Variable(_) => "variable",
            Declared::Label(_) => "edge label",
        }
    }
}

/// The names of a description.
pub(crate) struct Scope {
    names: FxHashMap<Symbol, (Declared, Origin)>,
    order: Vec<Symbol>,
    /// Kinds of names whose section could not be read, each with some number: that such a name is unknown means nothing.
    unread: Vec<Declared>,
}

impl Scope {
    /// No names yet.
    pub(crate) fn new() -> Self {
        Self { names: FxHashMap::default(), order: Vec::new(), unread: Vec::new() }
    }

    /// Notes that not all names of the kind of `declared` are known.
    pub(crate) fn lacks(&mut self, declared: Declared) {
        self.unread.push(declared);
    }

    /// Whether all names of the given kinds are known.
    pub(crate) fn knows(&self, wanted: impl Fn(Declared) -> bool) -> bool {
        !self.unread.iter().any(|&declared| wanted(declared))
    }

    /// What the name stands for.
    pub(crate) fn get(&self, name: Symbol) -> Option<Declared> {
        self.names.get(&name).map(|&(declared, _)| declared)
    }

    /// The names of all pieces, in order.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = Symbol> + use<'_> {
        self.such(|declared| matches!(declared, Declared::Piece(_)))
    }

    /// The names of the given kinds, in order of declaration.
    pub(crate) fn such<F: Fn(Declared) -> bool>(&self, wanted: F) -> impl Iterator<Item = Symbol> + use<'_, F> {
        self.order.iter().copied().filter(move |&name| self.get(name).is_some_and(&wanted))
    }

    /// Declares a name; reports it and returns false if it is taken.
    pub(crate) fn declare(
        &mut self,
        name: Symbol,
        declared: Declared,
        origin: Origin,
        text: &Text<'_>,
        report: &mut Report,
    ) -> bool {
        match self.names.entry(name) {
            Entry::Vacant(slot) => {
                slot.insert((declared, origin));
                self.order.push(name);
                true
            }
            Entry::Occupied(slot) => {
                let (earlier, place) = *slot.get();
                let spelling = text.names.name(name);
                let (kind, other) = (declared.kind(), earlier.a_kind());
                let diagnostic = if kind == earlier.kind() {
                    let message = format!("{kind} `{spelling}` is declared twice");
                    Diagnostic::error(codes::DUPLICATE_NAME, origin.span, message)
                } else {
                    let message = format!("{kind} `{spelling}` is also {other}");
                    Diagnostic::error(codes::OVERLAPPING_NAME, origin.span, message)
                        .help("pieces, players, variables and edge labels need different names")
                };
                report.at(text.steps, text.names, origin, diagnostic.also(place.span, "declared here first"));
                false
            }
        }
    }
}

/// Declares the pieces of a parsed section; `None` if there is an error.
pub(crate) fn pieces(parsed: &Parsed, text: &Text<'_>, scope: &mut Scope, report: &mut Report) -> Option<Vec<Name>> {
    let Parsed::Names(tokens) = parsed else { return None };
    let mut names = Vec::with_capacity(tokens.len());
    let mut good = true;
    for (index, &token) in (0u32..).zip(tokens) {
        let name = declare(token, Declared::Piece(index), text, scope, report);
        good &= name.is_some();
        names.extend(name);
    }
    good.then_some(names)
}

/// Declares the players or variables of a parsed section; `None` if there is an error.
pub(crate) fn bounded(
    parsed: &Parsed,
    declared: fn(u32) -> Declared,
    text: &Text<'_>,
    scope: &mut Scope,
    report: &mut Report,
) -> Option<Vec<Bounded>> {
    let Parsed::Bounded(entries) = parsed else { return None };
    let mut list = Vec::with_capacity(entries.len());
    let mut good = true;
    for (index, &(name, bound)) in (0u32..).zip(entries) {
        let name = declare(name, declared(index), text, scope, report);
        let value = number(bound, text, report);
        if value == Some(0) {
            let origin = text.origin(bound as usize);
            let message = "a bound of 0 leaves no value but 0";
            report.at(text.steps, text.names, origin, Diagnostic::warning(codes::ZERO_BOUND, origin.span, message));
        }
        good &= name.is_some() && value.is_some();
        let close = text.origin(bound as usize + 1);
        let entry = |name: &Name| match (name.origin.expansion, close.expansion) {
            (None, None) => name.origin.span.to(close.span),
            _ => Span::NONE,
        };
        list.extend(name.zip(value).map(|(name, bound)| Bounded { entry: entry(&name), name, bound }));
    }
    good.then_some(list)
}

fn declare(
    token: TokenIndex,
    declared: Declared,
    text: &Text<'_>,
    scope: &mut Scope,
    report: &mut Report,
) -> Option<Name> {
    let index = token as usize;
    let origin = text.origin(index);
    let symbol = text.tokens.get(index)?.sym;
    let free = scope.declare(symbol, declared, origin, text, report);
    free.then(|| Name { text: text.text(index).to_owned(), origin })
}

/// The value of a number; reports it if it is too large.
pub(crate) fn number(token: TokenIndex, text: &Text<'_>, report: &mut Report) -> Option<u32> {
    let digits = text.text(token as usize).trim_start_matches('0');
    let value = if digits.is_empty() { Some(0) } else { digits.parse().ok().filter(|&n: &u32| n <= MAX_NUMBER) };
    if value.is_none() {
        let origin = text.origin(token as usize);
        let diagnostic = Diagnostic::error(codes::NUMBER_TOO_LARGE, origin.span, "this number is too large")
            .note(format!("the greatest number is {MAX_NUMBER}"));
        report.at(text.steps, text.names, origin, diagnostic);
    }
    value
}
