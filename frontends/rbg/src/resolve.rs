//! From parsed rules to [`Rules`]: names resolved, powers and lists written out, modifiers numbered.
//!
//! The tree is walked with an explicit stack of tasks; finished parts wait on a second stack for their parent. Nested
//! sums and concatenations are joined with the one they stand in.

use rg_ir::diag::{Applies, Edit, Fix};
use rg_ir::ids::Id;
use rg_ir::{Diagnostic, Report, Symbol};
use rustc_hash::FxHashSet;
use std::ops::Range;

use crate::ast::{Arith, ArithId, Cell, Origin, Rule, RuleId, Rules};
use crate::codes;
use crate::declare::{Declared, Scope, number};
use crate::lexer::Kind;
use crate::raw::{Arena, RawArith, RawArithId, RawId, RawRule, TokenIndex};
use crate::report::Located;
use crate::syntax::{MAX_NESTING, Text};
use crate::undeclared::{OPERAND, PIECE, PLAYER, TARGET};

/// Misspelt names for which a correction is looked for.
const MAX_SUGGESTIONS: usize = 20;

/// Resolves the rules; `None` if there is an error. Linear in the rules with all powers written out, which is limited.
pub(crate) fn rules(
    root: RawId,
    arena: &Arena,
    limit: usize,
    text: &Text<'_>,
    scope: &Scope,
    report: &mut Report,
) -> Option<Rules> {
    if let Some(node) = arena.too_heavy(limit, |token| exponent(text.text(token as usize))) {
        let origin =
            arena.get(node).map_or(text.origin(0), |&(_, start, end)| text.origin_of(start as usize, end as usize));
        let diagnostic =
            Diagnostic::error(codes::EXPANSION_TOO_LARGE, origin.span, "this is too large with its powers written out")
                .note(format!("at most {limit} actions, names and numbers are made"));
        report.at(text.steps, text.names, origin, diagnostic);
        return None;
    }
    let mut resolver = Resolver {
        arena,
        text,
        scope,
        report,
        rules: Rules::default(),
        tasks: vec![Task::Visit(root, Group::Other)],
        done: Vec::new(),
        modifiers: 0,
        check_depth: 0,
        errors: 0,
        arguments: 0..0,
        arrows: FxHashSet::default(),
    };
    resolver.run();
    let root = resolver.done.pop();
    resolver.rules.root = root.filter(|_| resolver.errors == 0)?;
    Some(resolver.rules)
}

/// The exponent with that spelling; a senseless one, which is reported later, counts as 1.
fn exponent(digits: &str) -> u64 {
    digits.parse().ok().filter(|&n| n <= u64::from(u32::MAX)).unwrap_or(1)
}

/// What the parent of an expression is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Sum,
    Concat,
    Other,
}

/// Something left to do.
enum Task {
    /// Resolve the expression.
    Visit(RawId, Group),
    /// Resolve the expression that many times, as factors.
    Repeat(RawId, u32),
    /// Make a node of everything done since.
    Finish(Close, usize, Origin),
}

#[derive(Clone, Copy)]
enum Close {
    Sum,
    Concat,
    Star,
    Check { negated: bool },
}

struct Resolver<'a, 't> {
    arena: &'a Arena,
    text: &'a Text<'t>,
    scope: &'a Scope,
    report: &'a mut Report,
    rules: Rules,
    tasks: Vec<Task>,
    done: Vec<RuleId>,
    modifiers: u32,
    check_depth: usize,
    errors: usize,
    /// The tokens of what look like the arguments of the unknown macro that was reported last.
    arguments: Range<usize>,
    /// Where the arrows `->>` stand that were reported because a player follows.
    arrows: FxHashSet<u32>,
}

impl Resolver<'_, '_> {
    fn run(&mut self) {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Visit(id, group) => self.visit(id, group),
                Task::Repeat(id, times) => {
                    if times > 1 {
                        self.tasks.push(Task::Repeat(id, times - 1));
                    }
                    self.tasks.push(Task::Visit(id, Group::Concat));
                }
                Task::Finish(close, since, origin) => self.finish(close, since, origin),
            }
            if self.errors > MAX_NESTING {
                return;
            }
        }
    }

    fn report(&mut self, origin: Origin, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.is_error());
        self.report.at(self.text.steps, self.text.names, origin, diagnostic);
    }

    fn visit(&mut self, id: RawId, group: Group) {
        let arena = self.arena;
        let Some((rule, start, end)) = arena.get(id) else { return };
        let origin = self.text.origin_of(*start as usize, *end as usize);
        match rule {
            RawRule::Sum(parts) => self.open(parts, Group::Sum, Close::Sum, group, origin),
            RawRule::Concat(parts) => self.open(parts, Group::Concat, Close::Concat, group, origin),
            RawRule::Star(inner) => self.wrap(*inner, Close::Star, origin),
            RawRule::Check { negated, rule } => {
                self.check_depth += 1;
                self.wrap(*rule, Close::Check { negated: *negated }, origin);
            }
            RawRule::Power(inner, exponent) => self.power(*inner, *exponent, group, origin),
            RawRule::Shift(token) => self.shift(*token),
            RawRule::On(tokens) => self.on(tokens, origin),
            RawRule::Off(tokens) => {
                let since = self.done.len();
                for &token in tokens {
                    self.off(token, if tokens.len() == 1 { origin } else { self.text.origin(token as usize) });
                }
                self.repeated(tokens);
                if group != Group::Sum && tokens.len() > 1 {
                    self.finish(Close::Sum, since, origin);
                }
            }
            RawRule::Assign(list) => {
                let since = self.done.len();
                for &(target, value) in list {
                    self.assign(
                        target,
                        value,
                        if list.len() == 1 { origin } else { self.text.origin(target as usize) },
                    );
                }
                if group != Group::Concat && list.len() > 1 {
                    self.finish(Close::Concat, since, origin);
                }
            }
            RawRule::Compare(relation, left, right) => {
                if let (Some(left), Some(right)) = (self.arith(*left), self.arith(*right)) {
                    self.push(Rule::Compare { relation: *relation, left, right }, origin);
                }
            }
            RawRule::Switch(player) => self.switch(*player, origin),
            RawRule::Dot => self.push(Rule::Dot, origin),
        }
    }

    fn push(&mut self, rule: Rule, origin: Origin) {
        let id = RuleId::from_index(self.rules.nodes.len());
        self.rules.nodes.push((rule, origin));
        self.done.push(id);
    }

    fn open(&mut self, parts: &[RawId], own: Group, close: Close, group: Group, origin: Origin) {
        if own != group {
            self.tasks.push(Task::Finish(close, self.done.len(), origin));
        }
        self.tasks.extend(parts.iter().rev().map(|&part| Task::Visit(part, own)));
    }

    fn wrap(&mut self, inner: RawId, close: Close, origin: Origin) {
        self.tasks.push(Task::Finish(close, self.done.len(), origin));
        self.tasks.push(Task::Visit(inner, Group::Other));
    }

    fn finish(&mut self, close: Close, since: usize, origin: Origin) {
        if let Close::Check { .. } = close {
            self.check_depth = self.check_depth.saturating_sub(1);
        }
        let since = since.min(self.done.len());
        let Some(&first) = self.done.get(since) else { return };
        let rule = match close {
            Close::Star => Rule::Star(first),
            Close::Check { negated } => Rule::Check { negated, rule: first },
            Close::Sum | Close::Concat if self.done.len() == since + 1 => return,
            Close::Sum => Rule::Sum(self.done.split_off(since)),
            Close::Concat => Rule::Concat(self.done.split_off(since)),
        };
        self.done.truncate(since);
        self.push(rule, origin);
    }

    fn power(&mut self, inner: RawId, exponent: TokenIndex, group: Group, origin: Origin) {
        match number(exponent, self.text, self.report) {
            None => self.errors += 1,
            Some(0) => {
                let place = self.text.origin(exponent as usize);
                let diagnostic = Diagnostic::error(codes::ZERO_POWER, place.span, "a power is at least 1");
                self.report(place, diagnostic);
            }
            Some(1) => self.tasks.push(Task::Visit(inner, group)),
            Some(times) => {
                if group != Group::Concat {
                    self.tasks.push(Task::Finish(Close::Concat, self.done.len(), origin));
                }
                self.tasks.push(Task::Repeat(inner, times));
            }
        }
    }

    fn next_index(&mut self) -> u32 {
        if self.check_depth > 0 {
            return 0;
        }
        self.modifiers += 1;
        self.modifiers
    }

    fn declared(&self, token: TokenIndex) -> Option<Declared> {
        self.scope.get(self.text.tokens.get(token as usize)?.sym)
    }

    /// Reports that a name is not what it should be.
    fn wrong_name(&mut self, token: TokenIndex, expected: &str, wanted: impl Fn(Declared) -> bool) {
        self.errors += 1;
        // Arguments may be anything.
        if self.text.is_unread(token as usize) {
            // Nor may what looks like its arguments.
            self.arguments = self.text.arguments_of(token as usize).unwrap_or_default();
            return;
        }
        if !self.scope.knows(&wanted) || self.arguments.contains(&(token as usize)) {
            return;
        }
        let text = self.text;
        let name = text.text(token as usize);
        let origin = text.origin(token as usize);
        let later = text.defined_later(token as usize);
        let diagnostic = match (self.declared(token), later) {
            (Some(declared), _) => {
                let message = format!("expected {expected}, but `{name}` is {}", declared.a_kind());
                let error = Diagnostic::error(codes::WRONG_KIND, origin.span, message);
                match declared {
                    Declared::Piece(_) if wanted(Declared::Label(0)) => {
                        error.help(format!("`{{{name}}}` tests whether the piece is here, and `[{name}]` puts it here"))
                    }
                    Declared::Player(_) if wanted(Declared::Label(0)) => {
                        error.help(format!("`->{name}` hands over to the player"))
                    }
                    _ => error,
                }
            }
            (None, Some(later)) => {
                self.arguments = text.arguments_of(token as usize).unwrap_or_default();
                later
            }
            (None, None) => {
                let message = format!("unknown name `{name}`, expected {expected}");
                let unknown = Diagnostic::error(codes::UNKNOWN_NAME, origin.span, message);
                self.arguments = text.arguments_of(token as usize).unwrap_or_default();
                if self.errors <= MAX_SUGGESTIONS {
                    unknown.suggest(name, self.fitting(token, wanted))
                } else {
                    unknown
                }
            }
        };
        self.report.at(text.steps, text.names, origin, diagnostic);
    }

    /// Whether a token stands directly behind `->>`.
    fn follows_keeper_arrow(&self, token: TokenIndex) -> bool {
        let before = token.checked_sub(1).and_then(|before| self.text.tokens.get(before as usize));
        before.is_some_and(|before| before.kind == Some(Kind::ArrowKeeper))
    }

    /// Reports that a player stands behind `->>`, once for all expansions of a macro with that arrow.
    fn wrong_arrow(&mut self, player: TokenIndex) {
        self.errors += 1;
        let text = self.text;
        let (arrow, player) = (text.origin(player.saturating_sub(1) as usize), text.text(player as usize));
        if self.arrows.insert(arrow.span.start) {
            let message = format!("`->>` is followed by the player `{player}`");
            let mut error = Diagnostic::error(codes::WRONG_KIND, arrow.span, message)
                .help("`->` makes a player move; `->>` hands over to the keeper and takes no player");
            let edit = Edit { span: arrow.span, instead_of: Some("->>".to_owned()), text: "->".to_owned() };
            let title = "replace `->>` by `->`".to_owned();
            error.fixes.push(Fix { title, edits: vec![edit], applies: Applies::Always });
            self.report.at(text.steps, text.names, arrow, error);
        }
    }

    /// The names that could stand in place of a token: those of the `wanted` kinds, and macros and parameters that stand for such.
    fn fitting(&self, token: TokenIndex, wanted: impl Fn(Declared) -> bool) -> Vec<&str> {
        // Where a label may stand, any other action may.
        let action = wanted(Declared::Label(0));
        let fits = |kind: Kind, symbol: Symbol| match kind {
            Kind::Ident => self.scope.get(symbol).is_none_or(&wanted),
            Kind::Nat => false,
            _ => action,
        };
        let declared = self.scope.such(&wanted).map(|symbol| self.text.names.name(symbol));
        declared.chain(self.text.replaceable(token as usize, fits)).collect()
    }

    fn shift(&mut self, token: TokenIndex) {
        let origin = self.text.origin(token as usize);
        match self.declared(token) {
            Some(Declared::Label(label)) => self.push(Rule::Shift(label), origin),
            Some(Declared::Player(_)) if self.follows_keeper_arrow(token) => self.wrong_arrow(token),
            _ => self.wrong_name(token, "an edge label", |d| matches!(d, Declared::Label(_))),
        }
    }

    fn piece(&mut self, token: TokenIndex) -> Option<u32> {
        if let Some(Declared::Piece(piece)) = self.declared(token) {
            return Some(piece);
        }
        self.wrong_name(token, PIECE, |d| matches!(d, Declared::Piece(_)));
        None
    }

    fn on(&mut self, tokens: &[TokenIndex], origin: Origin) {
        let mut pieces: Vec<u32> = tokens.iter().filter_map(|&token| self.piece(token)).collect();
        pieces.sort_unstable();
        pieces.dedup();
        if pieces.len() < tokens.len() {
            self.repeated(tokens);
        }
        self.push(Rule::On(pieces), origin);
    }

    /// Remarks on pieces that are twice in a list.
    fn repeated(&mut self, tokens: &[TokenIndex]) {
        let symbol = |token: &TokenIndex| self.text.tokens.get(*token as usize).map(|t| t.sym);
        let mut sorted: Vec<TokenIndex> = tokens.to_vec();
        sorted.sort_by_key(symbol);
        let repeated: Vec<TokenIndex> = sorted
            .windows(2)
            .filter_map(|pair| match pair {
                [a, b] if symbol(a) == symbol(b) => Some(*b),
                _ => None,
            })
            .collect();
        for token in repeated {
            let origin = self.text.origin(token as usize);
            let message = format!("`{}` is twice in this list", self.text.text(token as usize));
            self.report(origin, Diagnostic::lint(codes::REPEATED_IN_LIST, origin.span, message));
        }
    }

    fn off(&mut self, token: TokenIndex, origin: Origin) {
        let index = self.next_index();
        if let Some(piece) = self.piece(token) {
            self.push(Rule::Off { piece, index }, origin);
        }
    }

    fn cell(declared: Option<Declared>) -> Option<Cell> {
        match declared {
            Some(Declared::Variable(variable)) => Some(Cell::Variable(variable)),
            Some(Declared::Player(player)) => Some(Cell::Score(player)),
            _ => None,
        }
    }

    fn assign(&mut self, target: TokenIndex, value: RawArithId, origin: Origin) {
        let index = self.next_index();
        let cell = Self::cell(self.declared(target));
        if cell.is_none() {
            let wanted = |d| matches!(d, Declared::Variable(_) | Declared::Player(_));
            self.wrong_name(target, TARGET, wanted);
        }
        let value = self.arith(value);
        if let (Some(target), Some(value)) = (cell, value) {
            self.push(Rule::Assign { target, value, index }, origin);
        }
    }

    fn switch(&mut self, player: Option<TokenIndex>, origin: Origin) {
        if self.check_depth > 0 {
            let diagnostic = Diagnostic::error(codes::SWITCH_IN_CHECK, origin.span, "a switch inside a check")
                .help("a check looks at the current move only; no player can take over in it");
            self.report(origin, diagnostic);
        }
        let index = self.next_index();
        let Some(token) = player else { return self.push(Rule::Switch { player: None, index }, origin) };
        match self.declared(token) {
            Some(Declared::Player(player)) => self.push(Rule::Switch { player: Some(player), index }, origin),
            _ => self.wrong_name(token, PLAYER, |d| matches!(d, Declared::Player(_))),
        }
    }

    /// Copies an arithmetic expression, resolving its names; `None` if there is an error.
    fn arith(&mut self, id: RawArithId) -> Option<ArithId> {
        let arena = self.arena;
        let (first, parts) = arena.parts(id);
        let last = parts.last()?;
        let place = self.text.origin(last.token as usize);
        if last.depth as usize > MAX_NESTING {
            let message = format!("more than {MAX_NESTING} operators nest in this expression");
            self.report(place, Diagnostic::error(codes::NESTING_TOO_DEEP, place.span, message));
            return None;
        }
        let base = self.rules.arith.len();
        let copied = |part: RawArithId| ArithId::from_index(base + part.index().saturating_sub(first) as usize);
        let before = self.errors;
        for part in parts {
            let origin = self.text.origin(part.token as usize);
            let arith = match part.arith {
                RawArith::Number => self.number(part.token),
                RawArith::Name => self.value(part.token),
                RawArith::Binary(operator, left, right) => Some(Arith::Binary(operator, copied(left), copied(right))),
            };
            // After an error nothing is used any more, but positions must stay right.
            self.rules.arith.push((arith.unwrap_or(Arith::Number(0)), origin));
        }
        self.divisions(base);
        (self.errors == before).then(|| copied(id))
    }

    fn number(&mut self, token: TokenIndex) -> Option<Arith> {
        let value = number(token, self.text, self.report);
        self.errors += usize::from(value.is_none());
        value.map(Arith::Number)
    }

    fn value(&mut self, token: TokenIndex) -> Option<Arith> {
        let declared = self.declared(token);
        if let Some(Declared::Piece(piece)) = declared {
            return Some(Arith::Count(piece));
        }
        let cell = Self::cell(declared);
        if cell.is_none() {
            self.wrong_name(token, OPERAND, |d| !matches!(d, Declared::Label(_)));
        }
        cell.map(Arith::Cell)
    }

    /// Reports divisions by the number zero among the arithmetic since `base`.
    fn divisions(&mut self, base: usize) {
        for index in base..self.rules.arith.len() {
            let Some(&(Arith::Binary(crate::ast::Operator::Divide, _, right), origin)) = self.rules.arith.get(index)
            else {
                continue;
            };
            if self.rules.arith.get(right.index()).is_some_and(|(a, _)| *a == Arith::Number(0)) {
                let message = "division by zero";
                self.report(origin, Diagnostic::error(codes::DIVISION_BY_ZERO, origin.span, message));
            }
        }
    }
}
