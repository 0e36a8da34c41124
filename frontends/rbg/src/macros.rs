//! Macro expansion (section 3 of the specification): lazy, on tokens, with an explicit stack.
//!
//! A *text* is a range of tokens that were written next to each other: a section, a body, an argument. Expanding means
//! walking through texts; a [`Frame`] is a text with the place reached in it and the scope it is read in.

mod wrong_calls;

use rg_ir::{Diagnostic, Report, Span, Symbol, Symbols};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::Origin;
use crate::codes;
use crate::directives::{Directives, SectionText, Word};
use crate::lexer::{Kind, Token};
use crate::report::{Located, Step, Steps};

/// Errors in one section after which its expansion is given up.
const MAX_ERRORS: usize = 200;

/// Longest name that pasting may make.
const MAX_NAME: usize = 10_000;

/// A token of the expanded text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expanded {
    /// What it is; `None` if pasting has taken it away.
    pub(crate) kind: Option<Kind>,
    /// Its spelling.
    pub(crate) sym: Symbol,
    /// First byte of what it comes from.
    pub(crate) start: u32,
    /// One past the last byte.
    pub(crate) end: u32,
    /// The step of expansion that it comes from.
    pub(crate) expansion: Option<u32>,
}

impl Expanded {
    /// Where the token comes from.
    pub(crate) fn origin(&self, steps: &Steps) -> Origin {
        steps.origin(self.start, self.end, self.expansion)
    }
}

/// How a text is to be read.
#[derive(Clone, Copy)]
struct Scope {
    /// The directive it was written in: decides which macros are visible.
    directive: u32,
    /// What the parameters stand for, if it stands in the body of a macro with parameters.
    bindings: Option<u32>,
    /// The step of expansion that produced it.
    expansion: Option<u32>,
}

/// Definitions of a macro at most that are named where a call fits none.
const MAX_FORMS: usize = 10;

/// The arguments of a macro call.
#[derive(Clone, Copy)]
struct Bindings {
    /// The first argument, in the pool of arguments.
    first: u32,
    /// How to read the arguments.
    scope: Scope,
}

/// A text that is being expanded.
struct Frame {
    position: usize,
    end: usize,
    scope: Scope,
    /// Whether the operand just left of `position` was begun and is now complete.
    in_operand: bool,
    /// Where the chain of pastes began: in the text and in the output.
    chain: (usize, usize),
    /// Output position where the right operand of a `~` begins.
    paste_at: Option<usize>,
    /// Length of the stack of bindings when this frame is gone.
    bindings_before: usize,
}

/// The expander: everything known about macros, and the work done so far.
pub(crate) struct Expander<'a> {
    tokens: &'a [Token],
    directives: &'a Directives,
    /// All spellings.
    pub(crate) names: &'a mut Symbols,
    /// Findings.
    pub(crate) report: &'a mut Report,
    /// Steps made.
    pub(crate) steps: Steps,
    /// Which macros were expanded, by position in [`Directives::macros`].
    pub(crate) used: Vec<bool>,
    plain: FxHashMap<Symbol, usize>,
    overloads: FxHashMap<(Symbol, usize), usize>,
    first_overload: FxHashMap<Symbol, u32>,
    /// Arguments of calls that were read: where they are in the pool, by the position of the opening bracket.
    calls: FxHashMap<usize, (u32, u32)>,
    pool: Vec<(u32, u32)>,
    bindings: Vec<Bindings>,
    stack: Vec<Frame>,
    output: Vec<Expanded>,
    limit: usize,
    work: usize,
    errors: usize,
    /// Where tokens begin that could not be pasted.
    pasted: FxHashSet<u32>,
}

impl<'a> Expander<'a> {
    /// An expander for the macros of `directives`.
    pub(crate) fn new(
        source: rg_ir::SourceId,
        tokens: &'a [Token],
        directives: &'a Directives,
        limit: usize,
        names: &'a mut Symbols,
        report: &'a mut Report,
    ) -> Self {
        let mut plain = FxHashMap::default();
        let mut overloads = FxHashMap::default();
        let mut first_overload = FxHashMap::default();
        for (index, definition) in directives.macros.iter().enumerate() {
            if let Some(parameters) = &definition.parameters {
                overloads.insert((definition.name, parameters.len()), index);
                first_overload.entry(definition.name).or_insert(definition.directive);
            } else {
                plain.insert(definition.name, index);
            }
        }
        Self {
            tokens,
            directives,
            names,
            report,
            steps: Steps { source, steps: Vec::new() },
            used: vec![false; directives.macros.len()],
            plain,
            overloads,
            first_overload,
            calls: FxHashMap::default(),
            pool: Vec::new(),
            bindings: Vec::new(),
            stack: Vec::new(),
            output: Vec::new(),
            limit,
            work: 0,
            errors: 0,
            pasted: FxHashSet::default(),
        }
    }

    /// The directives.
    pub(crate) fn directives(&self) -> &'a Directives {
        self.directives
    }

    /// Expands a section, with a [`Kind::Hole`] where a call is wrong; `None` if that was given up. Also whether it is without errors. Time and
    /// memory are bounded by the limit over all sections together.
    pub(crate) fn expand(&mut self, section: &SectionText) -> Option<(Vec<Expanded>, bool)> {
        self.walk(section)?;
        Some((self.take(), self.errors == 0))
    }

    /// The same, but with as much as there is of a section with errors.
    pub(crate) fn expand_partly(&mut self, section: &SectionText) -> Vec<Expanded> {
        self.walk(section);
        self.take()
    }

    /// What was put out, without what pasting has taken away.
    fn take(&mut self) -> Vec<Expanded> {
        let mut output = std::mem::take(&mut self.output);
        output.retain(|token| token.kind.is_some());
        output
    }

    /// Walks through a section; `None` if that was given up.
    fn walk(&mut self, section: &SectionText) -> Option<()> {
        self.errors = 0;
        self.output = Vec::new();
        if self.work > self.limit {
            return None;
        }
        self.stack.clear();
        self.bindings.clear();
        let scope = Scope { directive: section.directive, bindings: None, expansion: None };
        self.enter(section.body, scope, 0);
        while let Some(mut frame) = self.stack.pop() {
            if frame.in_operand {
                frame.in_operand = false;
                self.leave_operand(&mut frame);
            }
            if frame.position >= frame.end {
                self.bindings.truncate(frame.bindings_before);
            } else {
                self.begin_operand(frame);
            }
            if self.work > self.limit {
                self.too_large(section.span);
                return None;
            }
            if self.errors > MAX_ERRORS {
                return None;
            }
        }
        Some(())
    }

    fn enter(&mut self, text: (u32, u32), scope: Scope, bindings_before: usize) {
        self.stack.push(Frame {
            position: text.0 as usize,
            end: text.1 as usize,
            scope,
            in_operand: false,
            chain: (0, 0),
            paste_at: None,
            bindings_before,
        });
    }

    fn token(&self, index: usize, frame: &Frame) -> Option<Token> {
        self.tokens.get(index).copied().filter(|_| index < frame.end)
    }

    fn error(&mut self, code: &'static str, token: Token, scope: Scope, message: String, help: &str) {
        self.errors += 1;
        let origin = self.steps.origin(token.start, token.end, scope.expansion);
        let mut diagnostic = Diagnostic::error(code, origin.span, message);
        if !help.is_empty() {
            diagnostic = diagnostic.help(help);
        }
        self.report.at(&self.steps, self.names, origin, diagnostic);
    }

    fn too_large(&mut self, span: Span) {
        let expansion = u32::try_from(self.steps.steps.len()).ok().and_then(|n| n.checked_sub(1));
        let diagnostic = Diagnostic::error(codes::EXPANSION_TOO_LARGE, span, "this section expands to too much")
            .note(format!("at most {} tokens and steps of expansion are made", self.limit))
            .help("look for macros that use others many times over");
        self.report.at(&self.steps, self.names, Origin { span, expansion }, diagnostic);
    }

    /// Pastes a completed right operand, and looks whether another one follows.
    fn leave_operand(&mut self, frame: &mut Frame) {
        if let Some(at) = frame.paste_at.take() {
            self.paste(at, frame);
        }
        let Some(tilde) = self.token(frame.position, frame).filter(|t| t.kind == Kind::Tilde) else { return };
        frame.position += 1;
        if self.directives.in_section(frame.scope.directive) {
            let help = "make a macro of it and use that here";
            let message = "`~` can be used in macro bodies only".to_owned();
            self.error(codes::MISPLACED_PASTE, tilde, frame.scope, message, help);
            frame.paste_at = Some(self.output.len()).filter(|_| frame.position < frame.end);
        } else if frame.position >= frame.end {
            self.dangling(tilde, frame.scope);
        } else {
            frame.paste_at = Some(self.output.len());
        }
    }

    fn dangling(&mut self, tilde: Token, scope: Scope) {
        let help = "`~` joins what stands left and right of it: a token, a parameter, or a macro call";
        self.error(codes::MISPLACED_PASTE, tilde, scope, "`~` lacks an operand".to_owned(), help);
    }

    /// Begins the operand at the frame's position, and puts the frame back on the stack.
    fn begin_operand(&mut self, mut frame: Frame) {
        let index = frame.position;
        let Some(token) = self.token(index, &frame) else { return };
        frame.position += 1;
        if token.kind == Kind::Tilde {
            self.dangling(token, frame.scope);
            self.put(Kind::Hole, token, frame.scope);
            self.stack.push(frame);
            return;
        }
        frame.in_operand = true;
        if frame.paste_at.is_none() {
            frame.chain = (index, self.output.len());
        }
        let scope = frame.scope;
        if let (Word::Parameter(number), Some(bindings)) = (self.directives.word(index), self.innermost(scope)) {
            self.stack.push(frame);
            let argument = self.pool.get((bindings.first + number) as usize).copied().unwrap_or((0, 0));
            let expansion = self.step(token.sym, true, token.start, token.end, scope);
            let before = self.bindings.len();
            self.enter(argument, Scope { expansion, ..bindings.scope }, before);
        } else if let Some(definition) = self.visible_plain(token, scope) {
            self.stack.push(frame);
            let expansion = self.step(token.sym, false, token.start, token.end, scope);
            self.enter_body(definition, None, expansion);
        } else if token.kind == Kind::Ident
            && self.first_overload.get(&token.sym).is_some_and(|&first| first < scope.directive)
        {
            self.call(token, frame);
        } else {
            self.stack.push(frame);
            let unbound = matches!(self.directives.word(index), Word::Parameter(_));
            let kind = if unbound { Kind::Hole } else { token.kind };
            self.put(kind, token, scope);
        }
    }

    fn put(&mut self, kind: Kind, token: Token, scope: Scope) {
        let Token { sym, start, end, .. } = token;
        self.work += 1;
        self.output.push(Expanded { kind: Some(kind), sym, start, end, expansion: scope.expansion });
    }

    fn innermost(&self, scope: Scope) -> Option<Bindings> {
        self.bindings.get(scope.bindings? as usize).copied()
    }

    fn visible_plain(&self, token: Token, scope: Scope) -> Option<usize> {
        let index = *self.plain.get(&token.sym).filter(|_| token.kind == Kind::Ident)?;
        self.directives.macros.get(index).filter(|m| m.directive < scope.directive).map(|_| index)
    }

    fn step(&mut self, name: Symbol, parameter: bool, start: u32, end: u32, scope: Scope) -> Option<u32> {
        self.work += 1;
        let index = u32::try_from(self.steps.steps.len()).ok();
        self.steps.steps.push(Step { name, parameter, start, end, outer: scope.expansion });
        index
    }

    fn enter_body(&mut self, definition: usize, bindings: Option<Bindings>, expansion: Option<u32>) {
        let Some(found) = self.directives.macros.get(definition) else { return };
        if let Some(used) = self.used.get_mut(definition) {
            *used = true;
        }
        let before = self.bindings.len();
        let bindings = bindings.and_then(|b| {
            self.bindings.push(b);
            u32::try_from(before).ok()
        });
        self.enter(found.body, Scope { directive: found.directive, bindings, expansion }, before);
    }

    /// Calls the macro with parameters named by `name`; the frame stands behind that.
    fn call(&mut self, name: Token, mut frame: Frame) {
        let scope = frame.scope;
        let open = frame.position;
        if self.token(open, &frame).is_none_or(|t| t.kind != Kind::ParenOpen) {
            self.stack.push(frame);
            self.put(Kind::Hole, name, scope);
            let (numbers, noun, forms) = self.forms(name, scope);
            let message = format!("macro `{}` needs {numbers} {noun}", self.names.name(name.sym));
            let help = format!(
                "it is called as {forms}; the `(` stands right after its name, in the same text: it cannot come from another macro or parameter"
            );
            return self.error(codes::MISSING_ARGUMENTS, name, scope, message, &help);
        }
        let Some(close) = self.directives.partner(open).filter(|&close| close < frame.end) else {
            frame.position = frame.end;
            self.stack.push(frame);
            self.put(Kind::Hole, name, scope);
            let message = format!("the arguments of macro `{}` are not closed", self.names.name(name.sym));
            let help = "round brackets must be balanced in arguments";
            return self.error(codes::UNBALANCED_ARGUMENTS, name, scope, message, help);
        };
        frame.position = close + 1;
        self.stack.push(frame);
        let (first, number) = self.arguments(open, close);
        let definition = self.overloads.get(&(name.sym, number as usize)).copied();
        match definition.filter(|&d| self.directives.macros.get(d).is_some_and(|m| m.directive < scope.directive)) {
            Some(definition) => {
                let end = self.tokens.get(close).map_or(name.end, |t| t.end);
                let expansion = self.step(name.sym, false, name.start, end, scope);
                self.enter_body(definition, Some(Bindings { first, scope }), expansion);
            }
            None => {
                self.put(Kind::Hole, name, scope);
                self.wrong_arity(name, scope, number as usize, open + 1..close);
            }
        }
    }

    /// The arguments between the brackets: where they are in the pool, and how many.
    fn arguments(&mut self, open: usize, close: usize) -> (u32, u32) {
        if let Some(&known) = self.calls.get(&open) {
            return known;
        }
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let first = self.pool.len();
        let mut start = open + 1;
        let mut index = start;
        while index < close {
            match self.tokens.get(index).map(|t| t.kind) {
                Some(Kind::Semicolon) => {
                    self.pool.push((small(start), small(index)));
                    start = index + 1;
                }
                Some(Kind::ParenOpen) => index = self.directives.partner(index).unwrap_or(index),
                _ => {}
            }
            index += 1;
        }
        self.pool.push((small(start), small(close)));
        let found = (small(first), small(self.pool.len() - first));
        self.calls.insert(open, found);
        found
    }

    /// Glues the token at output position `at` to the one before it, if both belong to the frame's chain.
    fn paste(&mut self, at: usize, frame: &Frame) {
        if at <= frame.chain.1 || at >= self.output.len() {
            return;
        }
        let (Some(&left), Some(&right)) = (self.output.get(at - 1), self.output.get(at)) else { return };
        let (Some(left_kind), Some(right_kind)) = (left.kind, right.kind) else { return };
        let text = format!("{}{}", self.names.name(left.sym), self.names.name(right.sym));
        let first = self.tokens.get(frame.chain.0).copied();
        let last = self.tokens.get(frame.position.saturating_sub(1)).copied();
        let (Some(first), Some(last)) = (first, last) else { return };
        let place = Token { end: last.end, ..first };
        let Some(kind) = glue(left_kind, right_kind, &text) else {
            let message =
                format!("`{}` and `{}` cannot be pasted", self.names.name(left.sym), self.names.name(right.sym));
            let help = "a name takes names and numbers, a number takes numbers, and only tokens like `->>` have parts";
            // A bracket that is missing in a macro makes every call of it wrong in the same place.
            if self.pasted.insert(place.start) {
                self.error(codes::BAD_PASTE, place, frame.scope, message, help);
            } else {
                self.errors += 1;
            }
            return self.glued(at, Kind::Hole, left.sym, place, frame);
        };
        if text.len() > MAX_NAME {
            let message = format!("pasting makes a name of more than {MAX_NAME} characters");
            self.error(codes::EXPANSION_TOO_LARGE, place, frame.scope, message, "");
            self.errors = MAX_ERRORS + 1;
            return;
        }
        self.work += 1 + text.len() / 8;
        let sym = self.names.intern(&text);
        self.glued(at, kind, sym, place, frame);
    }

    /// Puts one token in the place of the one at output position `at` and the one before it.
    fn glued(&mut self, at: usize, kind: Kind, sym: Symbol, place: Token, frame: &Frame) {
        let expansion = frame.scope.expansion;
        if let Some(slot) = self.output.get_mut(at - 1) {
            *slot = Expanded { kind: Some(kind), sym, start: place.start, end: place.end, expansion };
        }
        if at + 1 == self.output.len() {
            self.output.pop();
        } else if let Some(slot) = self.output.get_mut(at) {
            slot.kind = None;
        }
    }
}

/// What the two kinds make together; `text` is the spelling of the result.
fn glue(left: Kind, right: Kind, text: &str) -> Option<Kind> {
    if left == Kind::Hole || right == Kind::Hole {
        return Some(Kind::Hole);
    }
    let word = |kind: Kind| kind == Kind::Ident || kind.is_keyword();
    if word(left) && (word(right) || right == Kind::Nat) {
        return Some(Kind::of_spelling(text).unwrap_or(Kind::Ident));
    }
    if left == Kind::Nat && right == Kind::Nat {
        return Some(Kind::Nat);
    }
    if word(left) || word(right) || left == Kind::Nat || right == Kind::Nat {
        return None;
    }
    Kind::of_spelling(text)
}
