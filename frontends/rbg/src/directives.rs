//! Cutting the token stream into directives: sections and macro definitions (section 2 of the specification).

use rg_ir::diag::{Applies, Edit, Fix, is_slip, nearest};
use rg_ir::ids::Id;
use rg_ir::{Diagnostic, Report, Severity, SourceId, Span, Symbol, Symbols};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::codes;
use crate::lexer::{Kind, Token};

/// A section of a description.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Section {
    Players,
    Pieces,
    Variables,
    Board,
    Rules,
}

impl Section {
    /// All sections.
    pub(crate) const ALL: [Section; 5] =
        [Section::Players, Section::Pieces, Section::Variables, Section::Board, Section::Rules];

    /// The reserved word.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Section::Players => "players",
            Section::Pieces => "pieces",
            Section::Variables => "variables",
            Section::Board => "board",
            Section::Rules => "rules",
        }
    }

    fn of_kind(kind: Kind) -> Option<Section> {
        Section::ALL.into_iter().find(|section| Kind::of_spelling(section.name()) == Some(kind))
    }
}

/// A macro definition.
#[derive(Clone, Debug)]
pub(crate) struct Macro {
    /// Its name.
    pub(crate) name: Symbol,
    /// Where the name stands.
    pub(crate) span: Span,
    /// The whole definition.
    pub(crate) all: Span,
    /// Its parameters; `None` is a macro without a parameter list.
    pub(crate) parameters: Option<Vec<Symbol>>,
    /// Its body, as a range of token indices.
    pub(crate) body: (u32, u32),
    /// The first token of its body.
    pub(crate) opening: Option<(Kind, Symbol)>,
    /// Number of the directive.
    pub(crate) directive: u32,
}

/// The text of a section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SectionText {
    /// The section's name in the text.
    pub(crate) span: Span,
    /// Its tokens, as a range of token indices.
    pub(crate) body: (u32, u32),
    /// Number of the directive.
    pub(crate) directive: u32,
}

/// What a word stands for where it is written; macros still depend on what is visible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Word {
    /// Nothing special, or a macro.
    Plain,
    /// The parameter with this number of the macro whose body this is.
    Parameter(u32),
}

/// The directives of a file.
pub(crate) struct Directives {
    /// Macros in file order.
    pub(crate) macros: Vec<Macro>,
    /// Names of macros whose definitions could not be read.
    pub(crate) unread: Vec<Symbol>,
    /// The sections, by position in [`Section::ALL`].
    pub(crate) sections: [Option<SectionText>; 5],
    /// Which sections are there at all, be it with mistakes.
    pub(crate) mentioned: [bool; 5],
    /// For every token that opens a round bracket, the index of its partner in the same directive; 0 for all others.
    pub(crate) partner: Vec<u32>,
    /// For every token, the number of the parameter it is plus one, or 0.
    parameter: Vec<u32>,
}

impl Directives {
    /// What the token at `index` stands for.
    pub(crate) fn word(&self, index: usize) -> Word {
        match self.parameter.get(index) {
            Some(&n) if n > 0 => Word::Parameter(n - 1),
            _ => Word::Plain,
        }
    }

    /// Whether directive number `directive` is a section.
    pub(crate) fn in_section(&self, directive: u32) -> bool {
        self.sections.iter().flatten().any(|section| section.directive == directive)
    }

    /// The closing bracket for the opening one at `index`.
    pub(crate) fn partner(&self, index: usize) -> Option<usize> {
        self.partner.get(index).filter(|&&partner| partner > 0).map(|&partner| partner as usize)
    }
}

/// Cuts `tokens` at every `#`. Linear.
pub(crate) fn cut(source: SourceId, tokens: &[Token], names: &Symbols, report: &mut Report) -> Directives {
    let directives = Directives {
        macros: Vec::new(),
        unread: Vec::new(),
        sections: [None; 5],
        mentioned: [false; 5],
        partner: vec![0; tokens.len()],
        parameter: vec![0; tokens.len()],
    };
    let parameter_of = vec![0; names.len()];
    let mut cutter = Cutter { source, tokens, names, report, directives, parameter_of, seen: FxHashMap::default() };
    cutter.run();
    cutter.directives
}

struct Cutter<'a> {
    source: SourceId,
    tokens: &'a [Token],
    names: &'a Symbols,
    report: &'a mut Report,
    directives: Directives,
    /// Per spelling: number of the parameter plus one, while a macro is looked at.
    parameter_of: Vec<u32>,
    /// Macros by name: the first one.
    seen: FxHashMap<(Symbol, Option<usize>), Span>,
}

impl Cutter<'_> {
    fn run(&mut self) {
        let first = self.tokens.iter().position(|t| t.kind == Kind::Hash).unwrap_or(self.tokens.len());
        if first > 0 || self.tokens.is_empty() {
            let span = self.tokens.first().map_or(Span::new(self.source, 0, 0), |t| self.span(t));
            self.report.push(
                Diagnostic::error(codes::BAD_DIRECTIVE, span, "a description starts with `#`")
                    .help("begin with a section, such as `#players = …`, or a macro, `#name = …`"),
            );
        }
        let mut start = first;
        let mut number = 0;
        while start < self.tokens.len() && !self.report.full() {
            let rest = self.tokens.get(start + 1..).unwrap_or_default();
            let length = rest.iter().position(|t| t.kind == Kind::Hash).unwrap_or(rest.len());
            let end = start + 1 + length;
            number += 1;
            self.directive(start, end, number);
            start = end;
        }
    }

    fn span(&self, token: &Token) -> Span {
        Span::new(self.source, token.start as usize, token.end as usize)
    }

    /// The token at `index` of the directive that ends at `end`.
    fn at(&self, index: usize, end: usize) -> Option<Token> {
        self.tokens.get(index).copied().filter(|_| index < end)
    }

    /// Reports that the directive starting at `start` has something wrong at `index`.
    fn wrong(&mut self, start: usize, index: usize, end: usize, expected: &str) {
        let found = self.at(index, end);
        let token = found.or_else(|| self.at(index.saturating_sub(1).max(start), end));
        let span = token.map_or(Span::NONE, |t| self.span(&t));
        let message = match found {
            Some(token) => format!("expected {expected}, found `{}`", self.names.name(token.sym)),
            None => format!("expected {expected} after this"),
        };
        self.report.push(
            Diagnostic::error(codes::BAD_DIRECTIVE, span, message)
                .help("a directive is `#section = …`, `#macro = …` or `#macro(x; y) = …`"),
        );
    }

    fn directive(&mut self, start: usize, end: usize, number: u32) {
        let Some(name) = self.at(start + 1, end) else {
            return self.wrong(start, start + 1, end, "the name of a section or macro");
        };
        if name.kind == Kind::Ident {
            return self.definition(start, end, number, name);
        }
        let Some(section) = Section::of_kind(name.kind) else {
            return self.wrong(start, start + 1, end, "the name of a section or macro");
        };
        self.directives.mentioned[section as usize] = true;
        if self.at(start + 2, end).is_none_or(|t| t.kind != Kind::Equal) {
            return self.wrong(start, start + 2, end, "`=`");
        }
        let span = self.span(&name);
        let slot = &mut self.directives.sections[section as usize];
        if let Some(earlier) = slot {
            self.report.push(
                Diagnostic::error(
                    codes::DUPLICATE_SECTION,
                    span,
                    format!("there is a second section `{}`", section.name()),
                )
                .also(earlier.span, "the first one"),
            );
        } else {
            *slot = Some(SectionText { span, body: range(start + 3, end), directive: number });
        }
        self.pair_brackets(start + 3, end);
    }

    fn definition(&mut self, start: usize, end: usize, number: u32, name: Token) {
        let Some((listed, body)) = self.parameters(start, end) else { return self.directives.unread.push(name.sym) };
        let parameters: Option<Vec<Symbol>> = listed.as_ref().map(|list| list.iter().map(|token| token.sym).collect());
        if self.at(body, end).is_none_or(|t| t.kind != Kind::Equal) {
            let expected = if parameters.is_some() { "`=`" } else { "`=` or `(`" };
            self.directives.unread.push(name.sym);
            return self.wrong(start, body, end, expected);
        }
        let body = body + 1;
        let span = self.span(&name);
        if body >= end {
            let message = format!("the macro `{}` is empty", self.names.name(name.sym));
            self.report.push(Diagnostic::lint(codes::EMPTY_MACRO, span, message));
        }
        self.pair_brackets(body, end);
        self.mark_parameters(parameters.as_deref().unwrap_or_default(), body, end);
        if self.is_new(name.sym, span, parameters.as_ref().map(Vec::len)) {
            self.unused_parameters(&listed.unwrap_or_default(), body, end);
            let opening = self.at(body, end).map(|token| (token.kind, token.sym));
            let all = self
                .tokens
                .get(start..end)
                .unwrap_or_default()
                .iter()
                .fold(span, |all, token| all.to(self.span(token)));
            let body = range(body, end);
            let definition = Macro { name: name.sym, span, all, parameters, body, opening, directive: number };
            self.directives.macros.push(definition);
        }
    }

    /// Reads the parameter list, if there is one; also returns the index behind it.
    fn parameters(&mut self, start: usize, end: usize) -> Option<(Option<Vec<Token>>, usize)> {
        let mut index = start + 2;
        if self.at(index, end).is_none_or(|t| t.kind != Kind::ParenOpen) {
            return Some((None, index));
        }
        let mut parameters = Vec::new();
        let mut spans: FxHashMap<Symbol, Span> = FxHashMap::default();
        let mut commas: Vec<Span> = Vec::new();
        loop {
            index += 1;
            let Some(token) = self.at(index, end).filter(|t| t.kind == Kind::Ident) else {
                self.wrong(start, index, end, "the name of a parameter");
                return None;
            };
            let span = self.span(&token);
            if let Some(&earlier) = spans.get(&token.sym) {
                let message = format!("parameter `{}` is named twice", self.names.name(token.sym));
                self.report
                    .push(Diagnostic::error(codes::DUPLICATE_PARAMETER, span, message).also(earlier, "the first one"));
            }
            spans.insert(token.sym, span);
            parameters.push(token);
            index += 1;
            match self.at(index, end).map(|t| t.kind) {
                Some(Kind::Semicolon) => {}
                Some(Kind::Comma) => commas.extend(self.at(index, end).map(|comma| self.span(&comma))),
                Some(Kind::ParenClose) => {
                    self.with_commas(&commas);
                    return Some((Some(parameters), index + 1));
                }
                _ => {
                    self.with_commas(&commas);
                    self.wrong(start, index, end, "`;` or `)`");
                    return None;
                }
            }
        }
    }

    /// Reports that parameters are separated by commas, if they are.
    fn with_commas(&mut self, commas: &[Span]) {
        let Some(&first) = commas.first() else { return };
        let message = "parameters are separated by `;`, found `,`";
        let mut error = Diagnostic::error(codes::BAD_DIRECTIVE, first, message)
            .help("a macro is defined as `#macro(x; y) = …`, and called as `macro(a; b)`");
        let edit = |&span: &Span| Edit { span, instead_of: None, text: ";".to_owned() };
        let edits = commas.iter().map(edit).collect();
        error.fixes.push(Fix { title: "write `;`".to_owned(), edits, applies: Applies::Always });
        self.report.push(error);
    }

    /// Reports parameters that the body of a macro does not have, as a warning if it has a name of almost the same spelling; of empty bodies that is
    /// said already. Linear, but for suggestions.
    fn unused_parameters(&mut self, parameters: &[Token], start: usize, end: usize) {
        let body = self.tokens.get(start..end).unwrap_or_default();
        if body.is_empty() || parameters.is_empty() {
            return;
        }
        let names: FxHashSet<Symbol> =
            body.iter().filter(|token| token.kind == Kind::Ident).map(|token| token.sym).collect();
        let known: FxHashSet<Symbol> = parameters.iter().map(|parameter| parameter.sym).collect();
        for parameter in parameters.iter().filter(|parameter| !names.contains(&parameter.sym)) {
            let name = self.names.name(parameter.sym);
            let mut others: Vec<&str> = names.difference(&known).map(|&other| self.names.name(other)).collect();
            others.sort_unstable();
            // Short names are all alike, but for a letter typed twice and transposed ones.
            others.retain(|other| name.len() > 3 || is_slip(name, other));
            let message = format!("parameter `{name}` is never used");
            let found = match self.misspelt_use(name, parameter.sym, body, &others) {
                Some((use_, span)) => {
                    let message = format!("`{use_}` occurs nowhere else, and the parameter `{name}` is never used");
                    Diagnostic::lint(codes::MISSPELT_PARAMETER, span, message)
                        .also(self.span(parameter), "the parameter")
                        .help(format!("did you mean `{name}`?"))
                        .fix(format!("replace `{use_}` by `{name}`"), span, name)
                }
                None => Diagnostic::lint(codes::UNUSED_PARAMETER, self.span(parameter), message)
                    .suggest(name, others)
                    .unsure(),
            };
            let severity = if found.help.is_some() { Severity::Warning } else { Severity::Lint };
            self.report.push(Diagnostic { severity, ..found });
        }
    }

    /// The name in the body of a macro, with its place, that is a parameter misspelt: the nearest one, if it occurs once in all the text, and the
    /// name of the parameter in other places than its declaration, too. Linear.
    fn misspelt_use<'n>(
        &self,
        name: &str,
        parameter: Symbol,
        body: &[Token],
        others: &[&'n str],
    ) -> Option<(&'n str, Span)> {
        let [near] = *nearest(name, others.iter().copied()) else { return None };
        let token = body.iter().find(|token| token.kind == Kind::Ident && self.names.name(token.sym) == near)?;
        let uses = |symbol: Symbol| {
            self.tokens.iter().filter(|token| token.kind == Kind::Ident && token.sym == symbol).count()
        };
        (uses(token.sym) == 1 && uses(parameter) > 1).then(|| (near, self.span(token)))
    }

    fn pair_brackets(&mut self, start: usize, end: usize) {
        let mut open = Vec::new();
        for (index, token) in self.tokens.iter().enumerate().take(end).skip(start) {
            match token.kind {
                Kind::ParenOpen => open.push(index),
                Kind::ParenClose => {
                    if let Some(slot) = open.pop().and_then(|o: usize| self.directives.partner.get_mut(o)) {
                        *slot = u32::try_from(index).unwrap_or(0);
                    }
                }
                _ => {}
            }
        }
    }

    fn mark_parameters(&mut self, parameters: &[Symbol], start: usize, end: usize) {
        if parameters.is_empty() {
            return;
        }
        for (number, &parameter) in (1..).zip(parameters) {
            if let Some(slot) = self.parameter_of.get_mut(parameter.index()) {
                *slot = number;
            }
        }
        for (token, mark) in self.tokens.iter().zip(&mut self.directives.parameter).take(end).skip(start) {
            if token.kind == Kind::Ident {
                *mark = self.parameter_of.get(token.sym.index()).copied().unwrap_or(0);
            }
        }
        for &parameter in parameters {
            if let Some(slot) = self.parameter_of.get_mut(parameter.index()) {
                *slot = 0;
            }
        }
    }

    /// Notes the macro `name` with that many parameters; reports it if it clashes with an earlier one.
    fn is_new(&mut self, name: Symbol, span: Span, arity: Option<usize>) -> bool {
        let text = self.names.name(name);
        if let Some(&earlier) = self.seen.get(&(name, arity)) {
            let message = match arity {
                None => format!("macro `{text}` is defined twice"),
                Some(n) => format!("macro `{text}` with {} is defined twice", count(n, "parameter")),
            };
            self.report
                .push(Diagnostic::error(codes::MACRO_REDEFINED, span, message).also(earlier, "the first definition"));
            return false;
        }
        // `Some(0)` stands for "some macro with parameters": no real one has an empty list.
        let other = if arity.is_none() { Some(0) } else { None };
        if let Some(&earlier) = self.seen.get(&(name, other)) {
            let message = format!("macro `{text}` is defined both with and without parameters");
            self.report
                .push(Diagnostic::error(codes::MIXED_MACRO, span, message).also(earlier, "the other definition"));
            return false;
        }
        self.seen.insert((name, arity), span);
        if arity.is_some() {
            self.seen.entry((name, Some(0))).or_insert(span);
        }
        true
    }
}

fn range(start: usize, end: usize) -> (u32, u32) {
    let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    (clamp(start.min(end)), clamp(end))
}

/// `1 argument`, `2 arguments`.
pub(crate) fn count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}
