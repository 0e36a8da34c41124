//! From text to a tree: cuts the tokens into declarations, runs the grammar on each, and goes on behind mistakes.

use crate::ast::Source;
use crate::codes;
use crate::lexer::{self, Kind, Token};
use crate::syntax::{Builder, Part, fit};
use rg_ir::{Diagnostic, Report, SourceId, Span};
use std::cell::OnceCell;
use std::ops::Range;

/// Brackets and blocks may nest this deeply.
pub const MAX_NESTING: usize = 1_000;

/// Reads a description. It is there iff there is no error. A mistake costs one declaration, or one statement of a graph,
/// so several are found in one run. Linear in the text.
pub fn parse(source: SourceId, text: &str) -> (Option<Source>, Vec<Diagnostic>) {
    let mut report = Report::default();
    let description = parse_into(source, text, &mut report);
    (Some(description).filter(|_| !report.failed()), report.finish_in_order())
}

/// Reads what can be read.
pub(crate) fn parse_into(source: SourceId, text: &str, report: &mut Report) -> Source {
    let mut lexed = lexer::lex(source, text, report);
    let mut tree = Source::default();
    if lexed.complete {
        lexed.tokens.retain(|token| token.kind != Kind::Comment);
        read(source, text, &lexed.tokens, &mut tree, report);
    }
    tree
}

/// Tokens that a mistake costs.
#[derive(Clone)]
struct Skipped {
    tokens: Range<usize>,
    /// Whether they are a declaration.
    is_declaration: bool,
    /// Braces that are missing behind them.
    missing: usize,
}

impl Skipped {
    /// Not a declaration, and nothing is missing.
    fn part(tokens: Range<usize>) -> Self {
        Self { tokens, is_declaration: false, missing: 0 }
    }
}

/// Reads tokens, and returns those that mistakes cost: of a graph statements, of everything else the whole declaration.
fn read(source: SourceId, text: &str, tokens: &[Token], tree: &mut Source, report: &mut Report) -> Vec<Skipped> {
    let builder = Builder { source, text, tokens, tree, report, declared: OnceCell::new() };
    let mut parser = Parser { builder, in_round: Vec::new(), skipped: Vec::new() };
    parser.run();
    parser.skipped
}

/// A description with mistakes without what they cost.
pub(crate) struct Rest {
    /// What is left.
    pub(crate) tree: Source,
    /// The names that what could not be read may declare.
    pub(crate) lost: Vec<String>,
}

/// Reads a description with mistakes in its syntax as if what they cost did not stand there. Linear.
pub(crate) fn rest(source: SourceId, text: &str) -> Option<Rest> {
    let mut lexed = lexer::lex(source, text, &mut Report::default());
    lexed.tokens.retain(|token| token.kind != Kind::Comment);
    let tokens = lexed.tokens;
    let mut report = Report::default();
    let mut skipped = read(source, text, &tokens, &mut Source::default(), &mut report);
    if !lexed.complete || report.full() {
        return None;
    }
    // Whatever is not declared any more: its name is among the words that a line of the declaration begins with.
    let mut words = declared_words(text, &tokens, &skipped);
    let (mut tree, mut left) = (Source::default(), tokens.clone());
    for _ in 0..MAX_READINGS {
        let closes = skipped.iter().any(|skipped| skipped.missing > 0);
        left = without(&left, &skipped);
        tree = Source::default();
        skipped = read(source, text, &left, &mut tree, &mut Report::default());
        words.extend(declared_words(text, &left, &skipped));
        // Where braces were added, it may turn out that the statement before them is not complete.
        if skipped.is_empty() || !closes {
            break;
        }
    }
    // A graph may have lost a bracket with a statement.
    let heads = tokens.windows(2).filter_map(|pair| match pair {
        [word, name] if matches!(word.kind, Kind::Domain | Kind::Graph) && name.kind.is_name() => Some(name),
        [name, colon] if name.kind.is_name() && colon.kind == Kind::Colon => Some(name),
        _ => None,
    });
    words.extend(heads.map(|name| name.text(text).to_owned()));
    let declared = tree.declared();
    let lost = words.into_iter().filter(|word| !declared.contains(word.as_str())).collect();
    Some(Rest { tree, lost })
}

/// How often what is left of a description is read at most.
const MAX_READINGS: usize = 3;

/// The words that the lines of declarations begin with which mistakes cost. Linear.
fn declared_words(text: &str, tokens: &[Token], skipped: &[Skipped]) -> Vec<String> {
    let declarations = skipped.iter().filter(|skipped| skipped.is_declaration);
    let words = declarations.map(|skipped| first_words(text, tokens.get(skipped.tokens.clone()).unwrap_or_default()));
    words.flatten().collect()
}

/// The tokens without those that mistakes cost, with the braces that are missing behind these. Linear.
fn without(tokens: &[Token], skipped: &[Skipped]) -> Vec<Token> {
    let (mut left, mut at) = (Vec::with_capacity(tokens.len()), 0);
    for Skipped { tokens: range, missing, .. } in skipped {
        left.extend_from_slice(tokens.get(at..range.start).unwrap_or_default());
        at = at.max(range.end);
        let place = at.checked_sub(1).and_then(|last| tokens.get(last)).map_or(0, |last| last.end);
        left.extend(std::iter::repeat_n(Token { kind: Kind::BraceClose, start: place, end: place }, *missing));
    }
    left.extend_from_slice(tokens.get(at..).unwrap_or_default());
    left
}

/// Words that begin declarations.
const DECLARATIONS: [&str; 3] = ["domain", "graph", "reusable"];

/// Where the last declaration of a text begins (as a token number), and the terminals that may follow the end of the text. Linear.
pub(crate) fn expected_at_end(source: SourceId, text: &str, tokens: &[Token]) -> (usize, Vec<String>) {
    // A token that fits nowhere makes the grammar say what would.
    let place = u32::try_from(text.len()).unwrap_or(u32::MAX);
    let mut ended = tokens.to_vec();
    ended.push(Token { kind: Kind::Unknown, start: place, end: place });
    let (mut tree, mut report) = (Source::default(), Report::default());
    let builder =
        Builder { source, text, tokens: &ended, tree: &mut tree, report: &mut report, declared: OnceCell::new() };
    let mut parser = Parser { builder, in_round: Vec::new(), skipped: Vec::new() };
    let mut first = 0;
    let (mut end, mut too_deep) = parser.end(first);
    while end < ended.len() {
        first = end;
        (end, too_deep) = parser.end(first);
    }
    let is_graph = matches!(parser.kind(first), Some(Kind::Graph | Kind::Reusable));
    let mut part = Part { first, start: first, end, is_graph };
    while too_deep.is_none()
        && let Err((mistake, mut expected)) = parser.builder.attempt(part)
    {
        if mistake >= tokens.len() {
            let whole = Part { end: tokens.len(), ..part };
            if part.start == first && first < tokens.len() && parser.builder.attempt(whole).is_ok() {
                expected.extend(DECLARATIONS.map(str::to_owned));
            }
            return (first, expected);
        }
        match parser.resume(mistake.max(part.start + 1), end, is_graph) {
            Some(next) => part.start = next,
            None => break,
        }
    }
    (first, Vec::new())
}

/// The names that lines begin with, up to the first token of a line that is none, nor a reserved word. Linear.
fn first_words(text: &str, tokens: &[Token]) -> Vec<String> {
    let (mut words, mut end, mut begins) = (Vec::new(), 0, true);
    for token in tokens {
        begins |= text.get(end..token.start as usize).is_some_and(|gap| gap.contains('\n'));
        begins &= token.kind.is_name() || token.kind.is_reserved();
        if begins && token.kind.is_name() {
            words.push(token.text(text).to_owned());
        }
        end = token.end as usize;
    }
    words
}

struct Parser<'a> {
    builder: Builder<'a>,
    /// For every token whether it is inside round or square brackets; empty until there is a mistake.
    in_round: Vec<bool>,
    /// The tokens that mistakes have cost, in order.
    skipped: Vec<Skipped>,
}

impl Parser<'_> {
    fn run(&mut self) {
        let mut at = 0;
        while at < self.builder.tokens.len() && !self.builder.report.full() {
            let errors = self.builder.report.findings().len();
            let (first, skipped) = (at, self.skipped.len());
            at = self.declaration(at);
            let end = at;
            // What follows a mistake on its line is part of what is wrong.
            let is_wrong = self.builder.report.findings().len() > errors;
            while is_wrong && !self.may_begin(at) {
                at += 1;
            }
            if self.skipped.len() > skipped {
                self.skipped.push(Skipped::part(end..at));
            } else if is_wrong {
                self.skipped.push(Skipped { tokens: first..at, is_declaration: true, missing: 0 });
            }
        }
    }

    /// Whether a declaration may begin at a token behind a mistake: with a reserved word, or on a new line. The end of the text counts, too.
    fn may_begin(&self, index: usize) -> bool {
        let word = matches!(self.kind(index), Some(Kind::Domain | Kind::Graph | Kind::Reusable));
        word || index >= self.builder.tokens.len() || self.begins_line(index)
    }

    fn kind(&self, index: usize) -> Option<Kind> {
        self.builder.tokens.get(index).map(|token| token.kind)
    }

    /// Reads the declaration that begins at a token, and returns where to go on.
    fn declaration(&mut self, first: usize) -> usize {
        let (end, too_deep) = self.end(first);
        if let Some(token) = too_deep {
            let message = format!("brackets nest more than {MAX_NESTING} deep");
            self.builder.report.error(codes::NESTING, token.span(self.builder.source), message);
            return end;
        }
        let place =
            |index: usize| self.builder.tokens.get(index).map_or(Span::NONE, |token| token.span(self.builder.source));
        let extent = place(first).to(place(end.saturating_sub(1)));
        self.builder.tree.extents.push(extent);
        let is_graph = matches!(self.kind(first), Some(Kind::Graph | Kind::Reusable));
        let (mut part, before) = (Part { first, start: first, end, is_graph }, self.skipped.len());
        while let Err(mistake) = self.builder.parse(part) {
            if self.builder.report.full() {
                return end;
            }
            // Progress: a part never fails at its first token if it begins in the midst of a graph.
            // What does not fit may be the sign behind the name of a declaration, which a block before it that is not closed has taken for a statement.
            let declared = mistake.checked_sub(1).filter(|&name| is_graph && self.begins_line_with_declaration(name));
            let from = declared.unwrap_or(mistake).max(part.start + 1);
            let resumed = self.resume(from, end, is_graph);
            // What does not fit at the beginning of a line tells that the statement before it lacks something.
            let last = mistake.saturating_sub(usize::from(self.begins_line_with_statement(mistake)));
            let statement = (first..=last).rev().find(|&index| self.begins_statement(index));
            if let Some((start, next)) = statement.zip(resumed).filter(|_| is_graph) {
                let start = self.skipped.last().map_or(start, |last| start.max(last.tokens.end));
                self.skipped.push(Skipped::part(start..next.max(start)));
            }
            match resumed {
                Some(next) if is_graph && !self.begins_line_with_declaration(next) => part.start = next,
                _ => {
                    let end = resumed.unwrap_or(end);
                    if is_graph {
                        self.close(first..end, before);
                    }
                    return end;
                }
            }
        }
        end
    }

    /// Notes the braces that are missing at the end of a graph, in which mistakes have cost what was skipped from the number `before` on. A statement that lacks another
    /// bracket is lost. Linear.
    fn close(&mut self, graph: Range<usize>, before: usize) {
        let mut open: Vec<usize> = Vec::new();
        let mut lost = self.skipped.get(before..).unwrap_or_default().iter().peekable();
        for index in graph.clone() {
            while lost.next_if(|skipped| skipped.tokens.end <= index).is_some() {}
            let Some(kind) =
                self.kind(index).filter(|_| lost.peek().is_none_or(|skipped| index < skipped.tokens.start))
            else {
                continue;
            };
            if kind.opens() {
                open.push(index);
            } else if kind.closes() && open.pop().and_then(|open| self.kind(open)).is_none_or(|open| !fit(open, kind)) {
                return;
            }
        }
        let is_brace = |&&index: &&usize| self.kind(index) == Some(Kind::BraceOpen);
        let missing = open.iter().take_while(is_brace).count();
        let start = match open.get(missing) {
            None => graph.end,
            Some(&other) => {
                let start = (graph.start..=other).rev().find(|&index| self.begins_statement(index));
                let after = self.skipped.last().map_or(0, |last| last.tokens.end);
                let inside = missing.checked_sub(1).and_then(|last| open.get(last));
                let fits = |&start: &usize| after <= start && inside.is_some_and(|&inside| inside < start);
                let Some(start) = start.filter(fits) else { return };
                start
            }
        };
        if missing > 0 {
            self.skipped.push(Skipped { tokens: start..graph.end, is_declaration: false, missing });
        }
    }

    /// Where the declaration that begins at a token ends: before a reserved word that begins one, or `name :` outside of
    /// brackets, also without the colon. Also the bracket that is one too many, if there is one.
    fn end(&self, first: usize) -> (usize, Option<Token>) {
        let head = match (self.kind(first), self.kind(first + 1)) {
            (Some(Kind::Reusable), Some(Kind::Graph)) | (_, Some(Kind::Colon)) => 2,
            _ => 1,
        };
        let (mut depth, mut too_deep) = (0_usize, None);
        if self.kind(first).is_some_and(Kind::opens) {
            depth = 1;
        }
        for (index, token) in self.builder.tokens.iter().enumerate().skip(first + head) {
            let colon = depth == 0 && token.kind.is_name() && self.kind(index + 1) == Some(Kind::Colon);
            let next = colon || (depth == 0 && self.lacks_colon(first, index));
            if next || matches!(token.kind, Kind::Domain | Kind::Graph | Kind::Reusable) {
                return (index, too_deep);
            }
            if token.kind.opens() {
                depth += 1;
                if depth > MAX_NESTING {
                    too_deep = too_deep.or(Some(*token));
                }
            } else if token.kind.closes() {
                depth = depth.saturating_sub(1);
            }
        }
        (self.builder.tokens.len(), too_deep)
    }

    /// Whether a declaration seems to begin at a token, without its colon: a line begins, without indentation, with two names, or with one behind
    /// the complete domain that begins at `first`. Nothing else does.
    fn lacks_colon(&self, first: usize, index: usize) -> bool {
        let is_name = |index: usize| self.kind(index).is_some_and(Kind::is_name);
        if !is_name(index) || !self.begins_line(index) || self.indentation(index) != 0 {
            return false;
        }
        let goes_on = matches!(
            index.checked_sub(1).and_then(|before| self.kind(before)),
            Some(Kind::Domain | Kind::Equal | Kind::Bar | Kind::Comma | Kind::Where | Kind::In | Kind::DotDot)
        );
        let pair = is_name(index + 1) && !self.begins_line(index + 1);
        pair || (self.kind(first) == Some(Kind::Domain) && !goes_on)
    }

    /// How many bytes stand in front of a token on its line.
    fn indentation(&self, index: usize) -> usize {
        let start = self.builder.tokens.get(index).map_or(0, |token| token.start as usize);
        let before = self.builder.text.get(..start).unwrap_or_default();
        start - before.rfind('\n').map_or(0, |at| at + 1)
    }

    /// The first token from `from` on that probably begins a statement or declaration.
    fn resume(&mut self, from: usize, end: usize, is_graph: bool) -> Option<usize> {
        if self.in_round.is_empty() {
            self.in_round = in_round(self.builder.tokens);
        }
        (from..end).find(|&index| {
            self.begins_line_with_declaration(index)
                || (is_graph && self.kind(index) == Some(Kind::BraceClose))
                || (is_graph && self.begins_line_with_statement(index))
        })
    }

    /// Whether a statement begins at a token of a graph: on a new line, or behind a brace.
    fn begins_statement(&self, index: usize) -> bool {
        let brace = index.checked_sub(1).and_then(|before| self.kind(before));
        let in_round = || self.in_round.get(index).copied().unwrap_or(false);
        self.begins_line_with_statement(index) || (brace == Some(Kind::BraceOpen) && !in_round())
    }

    fn begins_line_with_statement(&self, index: usize) -> bool {
        let begins = self.kind(index).is_some_and(|kind| {
            let word = matches!(kind, Kind::If | Kind::Loop | Kind::While | Kind::Repeat | Kind::Branch);
            let tag = matches!(kind, Kind::Dollar | Kind::DollarDollar | Kind::DollarArtificial);
            kind.is_name() || word || tag
        });
        begins && !self.in_round.get(index).copied().unwrap_or(false) && self.begins_line(index)
    }

    /// Whether a line begins with `name :`, without indentation.
    fn begins_line_with_declaration(&self, index: usize) -> bool {
        self.kind(index).is_some_and(Kind::is_name)
            && self.kind(index + 1) == Some(Kind::Colon)
            && self.indentation(index) == 0
    }

    fn begins_line(&self, index: usize) -> bool {
        let token = |index: usize| self.builder.tokens.get(index);
        let before = index.checked_sub(1).and_then(token).map_or(0, |token| token.end as usize);
        let start = token(index).map_or(0, |token| token.start as usize);
        self.builder.text.get(before..start).is_some_and(|gap| gap.contains('\n'))
    }
}

/// For every token, whether it is inside round or square brackets (of the same block). Linear.
fn in_round(tokens: &[Token]) -> Vec<bool> {
    let mut outside: Vec<u32> = Vec::new();
    let mut open = 0_u32;
    let mut inside = Vec::with_capacity(tokens.len());
    for token in tokens {
        match token.kind {
            Kind::BraceOpen => outside.push(std::mem::take(&mut open)),
            Kind::BraceClose => open = outside.pop().unwrap_or(0),
            Kind::ParenOpen | Kind::BracketOpen => open += 1,
            Kind::ParenClose | Kind::BracketClose => open = open.saturating_sub(1),
            Kind::Domain | Kind::Graph => {
                outside.clear();
                open = 0;
            }
            _ => {}
        }
        inside.push(open > 0);
    }
    inside
}
