//! From infix text to the tree.
//!
//! A clause needs no terminator: behind a complete literal, `&` goes on, and anything else begins the next clause. A
//! mistake costs one clause: reading goes on at the next line that begins with a name.

use super::lexer::{self, Kind, Token};
use crate::ast::{Compound, Description, Literal, Name, Rule, Syntax, Term, Word};
use crate::codes;
use crate::prefix::MAX_NESTING;
use crate::tokens::{named, take_comments};
use rg_ir::{Diagnostic, Report, SourceId, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// Reads what can be read of a description. Linear.
pub(crate) fn read(source: SourceId, text: &str, syntax: Syntax, report: &mut Report) -> Description {
    let mut tokens = lexer::lex(source, text, syntax, report);
    let mut description = Description::new(source, syntax);
    description.comments = take_comments(&mut tokens, Kind::Comment, source, text);
    let respelt = FxHashSet::default();
    let clause = Clause::default();
    let has_periods = tokens.iter().any(|token| token.kind == Kind::Period);
    let tokens = &tokens;
    let mut reader =
        Reader { source, text, tokens, at: 0, depth: 0, has_periods, clause, description, respelt, report };
    reader.clauses();
    reader.description
}

/// The variables of a clause.
#[derive(Default)]
struct Clause<'t> {
    words: FxHashMap<&'t str, Word>,
    used: FxHashSet<Word>,
}

struct Reader<'a> {
    source: SourceId,
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    /// Open brackets and negations around the current token.
    depth: usize,
    /// Whether clauses end with periods.
    has_periods: bool,
    clause: Clause<'a>,
    description: Description,
    /// Words with two spellings that were reported.
    respelt: FxHashSet<Word>,
    report: &'a mut Report,
}

impl<'a> Reader<'a> {
    fn clauses(&mut self) {
        while self.at < self.tokens.len() && !self.report.full() {
            if self.eat(Kind::Period) {
                continue;
            }
            let first = self.at;
            (self.clause, self.depth) = (Clause::default(), 0);
            match self.rule() {
                Some(rule) => self.description.rules.push(rule),
                None => self.resume(first),
            }
        }
    }

    /// Goes on behind a mistake: at a name at the beginning of a line, or behind a period.
    fn resume(&mut self, first: usize) {
        self.at = self.at.max(first + 1);
        while let Some(token) = self.peek() {
            let behind_period = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
            let behind_period = behind_period.is_some_and(|before| before.kind == Kind::Period);
            if behind_period || matches!(token.kind, Kind::Name | Kind::Quoted) && self.begins_line(token) {
                return;
            }
            self.at += 1;
        }
    }

    /// Whether a token stands at the beginning of a line.
    fn begins_line(&self, token: Token) -> bool {
        let before = (token.start as usize).checked_sub(1).and_then(|at| self.text.as_bytes().get(at));
        before.is_none_or(|byte| matches!(byte, b'\n' | b'\r'))
    }

    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    fn eat(&mut self, kind: Kind) -> bool {
        let found = self.peek().is_some_and(|token| token.kind == kind);
        self.at += usize::from(found);
        found
    }

    /// The place from the token with that number to the last one that was read.
    fn since(&self, first: usize) -> Span {
        let place = |at: usize| self.tokens.get(at).map_or(Span::NONE, |token| token.span(self.source));
        place(first).to(place(self.at.saturating_sub(1).max(first)))
    }

    /// Reports the current token and what was expected instead.
    fn expected<T>(&mut self, expected: &str) -> Option<T> {
        let error = self.misfit(expected);
        self.report.push(error);
        None
    }

    /// The error that something else is expected than the current token.
    fn misfit(&self, expected: &str) -> Diagnostic {
        let (span, found) = match self.peek() {
            Some(token) => (token.span(self.source), format!("`{}`", token.text(self.text))),
            None => (Span::new(self.source, self.text.len(), self.text.len()), "the end of the text".to_owned()),
        };
        Diagnostic::error(codes::I1_SYNTAX, span, format!("expected {expected}, found {found}"))
    }

    /// Reports the current token inside the bracket with the number `open`, and what was expected instead.
    fn expected_inside<T>(&mut self, open: usize, expected: &str) -> Option<T> {
        let open = self.tokens.get(open).map_or(Span::NONE, |open| open.span(self.source));
        let error = self.misfit(expected).also(open, "this is not closed");
        self.report.push(error);
        None
    }

    /// Steps into something nested.
    fn enter(&mut self) -> Option<()> {
        self.depth += 1;
        if self.depth <= MAX_NESTING {
            return Some(());
        }
        let span = self.peek().map_or(Span::NONE, |token| token.span(self.source));
        self.report.error(codes::NESTING, span, format!("brackets nest more than {MAX_NESTING} deep"));
        None
    }

    fn rule(&mut self) -> Option<Rule> {
        let first = self.at;
        let token = self.peek()?;
        let behind_head = match token.kind {
            Kind::Name | Kind::Quoted => None,
            Kind::Variable if self.tokens.get(first + 1).is_some_and(|next| next.kind == Kind::Open) => {
                return self.variable_as_name(token);
            }
            Kind::If | Kind::Close | Kind::Comma => Some(self.behind_condition()),
            _ => Some(""),
        };
        match behind_head {
            None => {}
            Some("") => {
                let message = format!("`{}` cannot start a clause", token.text(self.text));
                let error = Diagnostic::error(codes::I2_CLAUSE, token.span(self.source), message);
                self.report.push(error.help("a clause begins with the name of a relation"));
                return None;
            }
            Some(expected) => return self.expected(expected),
        }
        let head = self.atom()?;
        let mut body = Vec::new();
        if self.eat(Kind::If) {
            body = match self.disjunction(first)? {
                Literal::And(parts, _) => parts,
                only => vec![only],
            };
        }
        let span = self.since(first);
        if !self.eat(Kind::Period) && self.has_periods && self.is_prolog() {
            return self.expected(if body.is_empty() { "`:-` or `.`" } else { "`,`, `;` or `.`" });
        }
        Some(Rule { head, body, span })
    }

    fn variable_as_name<T>(&mut self, token: Token) -> Option<T> {
        let message = format!("variable `{}` cannot be a relation or function name", token.text(self.text));
        let error = Diagnostic::error(codes::I3_VARIABLE, token.span(self.source), message);
        self.report.push(error.help("names begin with a lower-case letter or a digit"));
        None
    }

    /// Recursion is limited by `enter`.
    fn literal(&mut self) -> Option<Literal> {
        let first = self.at;
        if self.eat(Kind::Not) {
            self.enter()?;
            let inner = self.literal()?;
            self.depth -= 1;
            return Some(Literal::Not(Box::new(inner), self.since(first)));
        }
        if self.eat(Kind::Open) {
            return self.alternatives(first);
        }
        let token = self.peek();
        if let Some(word) = token.filter(|token| self.is_negation(*token)) {
            return self.negation_in_words(word, first);
        }
        let is_distinct =
            |token: Token| token.kind == Kind::Name && token.text(self.text).eq_ignore_ascii_case("distinct");
        if token.is_some_and(is_distinct) {
            return self.distinct(first);
        }
        if let Some(operator) = token.and_then(|token| self.operator_at(token)) {
            return self.operator(operator, first);
        }
        let left = self.term("a condition")?;
        if self.eat(Kind::Differs) {
            let right = self.term("a term")?;
            return Some(Literal::Distinct(Box::new([left, right]), self.since(first)));
        }
        match left {
            Term::Constant(name) => {
                self.plain(name).then(|| Literal::Atom(Compound { name, args: Vec::new(), span: name.span }))
            }
            Term::Function(compound) => Some(Literal::Atom(compound)),
            Term::Variable(_) => {
                self.expected(if self.is_prolog() { "`\\=` after a variable" } else { "`!=` after a variable" })
            }
        }
    }

    /// Whether a word negates what follows it in other dialects.
    fn is_negation(&self, token: Token) -> bool {
        let begins =
            |next: &Token| matches!(next.kind, Kind::Name | Kind::Quoted | Kind::Open) && !self.begins_line(*next);
        token.kind == Kind::Name
            && token.text(self.text) == "not"
            && self.tokens.get(self.at + 1).is_some_and(begins)
            && self.operator_at(token).is_none()
    }

    /// Reports `not`, and reads what it negates.
    fn negation_in_words(&mut self, word: Token, first: usize) -> Option<Literal> {
        let sign = if self.is_prolog() { "\\+" } else { "~" };
        let next = self.tokens.get(self.at + 1).map_or(word.end, |next| next.start);
        let span = word.span(self.source);
        let error = Diagnostic::error(codes::S4_OPERATOR, span, format!("negation is written `{sign}`, found `not`"));
        self.report.push(error.fix(format!("replace `not` by `{sign}`"), Span { end: next, ..span }, sign));
        self.at += 1;
        self.enter()?;
        let inner = self.literal()?;
        self.depth -= 1;
        Some(Literal::Not(Box::new(inner), self.since(first)))
    }

    /// `distinct(a, b)`.
    fn distinct(&mut self, first: usize) -> Option<Literal> {
        self.at += 1;
        let mut args = if self.eat(Kind::Open) { self.arguments()? } else { Vec::new() };
        let span = self.since(first);
        match (args.pop(), args.pop(), args.pop()) {
            (Some(right), Some(left), None) => Some(Literal::Distinct(Box::new([left, right]), span)),
            (last, before, more) => {
                let found = args.len() + [last, before, more].iter().flatten().count();
                self.report.error(codes::S3_OPERANDS, span, format!("`distinct` takes 2 arguments, found {found}"));
                None
            }
        }
    }

    /// `(a & b | c)`, behind the bracket.
    fn alternatives(&mut self, first: usize) -> Option<Literal> {
        let open = self.at.saturating_sub(1);
        self.enter()?;
        let inner = self.disjunction(first)?;
        if !self.eat(Kind::Close) {
            return self.expected_inside(open, if self.is_prolog() { "`,`, `;` or `)`" } else { "`&`, `|` or `)`" });
        }
        self.depth -= 1;
        Some(inner)
    }

    /// Conjunctions with signs between them that say "or"; without brackets around them only in the style of Prolog.
    fn disjunction(&mut self, first: usize) -> Option<Literal> {
        let mut alternatives = Vec::new();
        loop {
            let start = self.at;
            let mut parts = vec![self.condition(first)?];
            while self.eat_and() {
                parts.push(self.condition(first)?);
            }
            let span = self.since(start);
            alternatives.push(only(parts).unwrap_or_else(|parts| Literal::And(parts, span)));
            let may_go_on = self.is_prolog() || self.depth > 0;
            if !may_go_on || !self.eat(Kind::Or) {
                break;
            }
        }
        let span = self.since(first);
        Some(only(alternatives).unwrap_or_else(|parts| Literal::Or(parts, span)))
    }

    /// A condition behind the sign before it; what begins the next clause is none.
    fn condition(&mut self, clause: usize) -> Option<Literal> {
        let sign = self.at.saturating_sub(1);
        if sign >= clause && self.peek().is_none_or(|token| token.kind == Kind::Period) {
            let Some(token) = self.tokens.get(sign).copied() else { return self.expected("a condition") };
            let message = format!("a condition is missing after `{}`", token.text(self.text));
            self.report.error(codes::I1_SYNTAX, token.span(self.source), message);
            return None;
        }
        let literal = self.literal()?;
        let behind = self.peek().is_some_and(|token| token.kind == Kind::If);
        if !behind || self.depth > 0 || sign < clause {
            return Some(literal);
        }
        // The clause is incomplete: go back to where the next one begins.
        let mut begin = sign + 1;
        while self.tokens.get(begin).is_some_and(|token| token.kind == Kind::Not) {
            begin += 1;
        }
        let dangling: Vec<Token> = self.tokens.get(sign..begin).unwrap_or_default().to_vec();
        let place = |token: Option<&Token>| token.map_or(Span::NONE, |token| token.span(self.source));
        let span = place(dangling.first()).to(place(dangling.last()));
        let shown: Vec<&str> = dangling.iter().map(|token| token.text(self.text)).collect();
        let next = self.tokens.get(begin).map_or("", |token| token.text(self.text));
        let message = format!("a condition is missing after `{}`: `{next}` begins the next clause", shown.join(" "));
        let error =
            Diagnostic::error(codes::I1_SYNTAX, span, message).also(place(self.tokens.get(begin)), "the next clause");
        self.report.push(error.help("write the condition, or leave out the sign before it"));
        self.at = begin;
        None
    }

    fn is_prolog(&self) -> bool {
        self.description.syntax == Syntax::Prolog
    }

    /// What may stand behind a condition, for messages.
    fn behind_condition(&self) -> &'static str {
        if self.is_prolog() {
            "`:-`, `,`, `;`, `.` or the start of a clause"
        } else {
            "`:-`, `&` or the start of a clause"
        }
    }

    /// The sign between conditions.
    fn eat_and(&mut self) -> bool {
        self.eat(Kind::And) || self.is_prolog() && self.eat(Kind::Comma)
    }

    /// `not(…)`, `or(…, …)` and `and(…, …)`, in the style of Prolog.
    fn operator(&mut self, operator: Word, first: usize) -> Option<Literal> {
        self.at += 2;
        self.enter()?;
        let mut parts = vec![if operator == Word::NOT { self.disjunction(first)? } else { self.literal()? }];
        while operator != Word::NOT && self.eat(Kind::Comma) {
            parts.push(self.literal()?);
        }
        if !self.eat(Kind::Close) {
            return self.expected("`,` or `)`");
        }
        self.depth -= 1;
        let span = self.since(first);
        Some(match operator {
            Word::NOT => Literal::Not(Box::new(parts.pop()?), span),
            Word::OR => Literal::Or(parts, span),
            _ => Literal::And(parts, span),
        })
    }

    /// The operator that a token is, if it has operands in brackets.
    fn operator_at(&self, token: Token) -> Option<Word> {
        let is_open = self.tokens.get(self.at + 1).is_some_and(|next| next.kind == Kind::Open);
        let operator = match token.text(self.text) {
            "not" => Word::NOT,
            "or" => Word::OR,
            "and" => Word::AND,
            _ => return None,
        };
        (self.is_prolog() && is_open && token.kind == Kind::Name).then_some(operator)
    }

    fn atom(&mut self) -> Option<Compound> {
        match self.term("the name of a relation")? {
            Term::Function(compound) => Some(compound),
            Term::Constant(name) => self.plain(name).then(|| Compound { name, args: Vec::new(), span: name.span }),
            Term::Variable(_) => None,
        }
    }

    /// Whether a name may be that of a relation, function or object; reports it if not.
    fn plain(&mut self, name: Name) -> bool {
        let plain = !matches!(name.word, Word::NOT | Word::OR | Word::DISTINCT | Word::IF);
        if !plain {
            let message = format!("`{}` cannot be used here", self.description.words.spelling(name.word));
            let error = Diagnostic::error(codes::S4_OPERATOR, name.span, message);
            self.report.push(error.help("it is a word of the language; use another name"));
        }
        plain
    }

    /// A term. Recursion is limited by `enter`.
    fn term(&mut self, what: &str) -> Option<Term> {
        let first = self.at;
        let Some(token) = self.peek() else { return self.expected(what) };
        let name = match token.kind {
            Kind::Name | Kind::Quoted => self.name(token),
            Kind::Variable => {
                if self.tokens.get(first + 1).is_some_and(|next| next.kind == Kind::Open) {
                    return self.variable_as_name(token);
                }
                self.at += 1;
                return Some(Term::Variable(self.variable(token)));
            }
            _ => return self.expected(what),
        };
        self.at += 1;
        if !self.eat(Kind::Open) {
            return Some(Term::Constant(name));
        }
        let args = self.arguments()?;
        self.plain(name).then(|| Term::Function(Compound { name, args, span: self.since(first) }))
    }

    /// The arguments behind an opening bracket, with the closing one.
    fn arguments(&mut self) -> Option<Vec<Term>> {
        let open = self.at.saturating_sub(1);
        self.enter()?;
        let mut args = Vec::new();
        loop {
            let term = self.term("a term")?;
            // A term cannot be an operator.
            match term {
                Term::Constant(name) if !self.plain(name) => return None,
                _ => args.push(term),
            }
            if self.eat(Kind::Close) {
                break;
            }
            if !self.eat(Kind::Comma) {
                return self.expected_inside(open, "`,` or `)`");
            }
        }
        self.depth -= 1;
        Some(args)
    }

    fn name(&mut self, token: Token) -> Name {
        let (spelling, span) = (token.text(self.text).trim_matches('\''), token.span(self.source));
        named(&mut self.description.words, &mut self.respelt, self.report, spelling, span)
    }

    /// A variable. Case matters here but not in the tree: of two variables of a clause that differ only in case, the
    /// second gets a number.
    fn variable(&mut self, token: Token) -> Name {
        let (spelling, span) = (token.text(self.text), token.span(self.source));
        if let Some(&word) = self.clause.words.get(spelling) {
            return Name { word, span };
        }
        let is_anonymous = self.is_prolog() && spelling == "_";
        let text = format!("?{}", spelling.to_ascii_lowercase());
        let mut word = self.description.words.intern_as(&text, spelling);
        let mut number = 2;
        while !self.clause.used.insert(word) {
            word = self.description.words.intern_as(&format!("{text}_{number}"), spelling);
            number += 1;
        }
        if !is_anonymous {
            self.clause.words.insert(spelling, word);
        }
        Name { word, span }
    }
}

/// The only one of several, or all of them.
fn only(mut parts: Vec<Literal>) -> Result<Literal, Vec<Literal>> {
    if parts.len() > 1 {
        return Err(parts);
    }
    parts.pop().ok_or(parts)
}
