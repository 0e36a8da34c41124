//! Parsing of declarations and types (section 3 of the specification); a mistake costs one declaration only.

use crate::ast::*;
use crate::codes;
use crate::lexer::{self, Kind, Token};
use crate::report::Report;
use rg_ir::{Diagnostic, SourceId, Span, Symbol};

/// Brackets, blocks, operators and conditionals may nest this deeply.
pub const MAX_NESTING: u32 = 128;

/// Marks that an error was reported.
pub(crate) struct Failed;

/// The result of parsing something.
pub(crate) type Parse<T> = Result<T, Failed>;

/// Reads a description. It is there iff there is no error; several errors are found in one run. Linear in the text.
pub fn parse(source: SourceId, text: &str) -> (Option<Source>, Vec<Diagnostic>) {
    let mut report = Report::default();
    let description = parse_into(source, text, &mut report);
    (Some(description).filter(|_| !report.failed()), report.finish())
}

/// Reads what can be read.
pub(crate) fn parse_into(source: SourceId, text: &str, report: &mut Report) -> Source {
    let mut tokens = lexer::lex(source, text, report);
    tokens.retain(|token| token.kind != Kind::Comment);
    if tokens.len() > lexer::MAX_TOKENS {
        return Source::default();
    }
    let mut parser =
        Parser { source, text, tokens, at: 0, depth: 0, depths: Vec::new(), tree: Source::default(), report };
    parser.description();
    parser.tree
}

pub(crate) struct Parser<'a> {
    source: SourceId,
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    pub(crate) depth: u32,
    /// Height of every expression.
    depths: Vec<u32>,
    pub(crate) tree: Source,
    report: &'a mut Report,
}

impl Parser<'_> {
    pub(crate) fn peek_at(&self, ahead: usize) -> Token {
        let end = Token { kind: Kind::End, start: self.text.len(), end: self.text.len() };
        self.tokens.get(self.at + ahead).copied().unwrap_or(end)
    }

    pub(crate) fn peek(&self) -> Token {
        self.peek_at(0)
    }

    pub(crate) fn is(&self, spelling: &str) -> bool {
        self.peek().is(spelling)
    }

    pub(crate) fn is_name_at(&self, ahead: usize) -> bool {
        self.peek_at(ahead).kind == Kind::Name
    }

    fn spelling(&self, token: Token) -> &str {
        self.text.get(token.start..token.end).unwrap_or_default()
    }

    /// Whether a name begins with an upper-case letter.
    pub(crate) fn is_upper_at(&self, ahead: usize) -> bool {
        self.is_name_at(ahead) && is_upper(self.spelling(self.peek_at(ahead)))
    }

    pub(crate) fn span(&self, token: Token) -> Span {
        Span::new(self.source, token.start, token.end)
    }

    /// From the given token position up to the last token read.
    pub(crate) fn since(&self, start: Span) -> Span {
        match self.at.checked_sub(1).and_then(|at| self.tokens.get(at)) {
            Some(&last) => start.to(self.span(last)),
            None => start,
        }
    }

    pub(crate) fn here(&self) -> Span {
        self.span(self.peek())
    }

    pub(crate) fn advance(&mut self) {
        self.at += 1;
    }

    pub(crate) fn accept(&mut self, spelling: &str) -> bool {
        let found = self.is(spelling);
        self.at += usize::from(found);
        found
    }

    pub(crate) fn unexpected<T>(&mut self, expected: &str) -> Parse<T> {
        let token = self.peek();
        let found = match token.kind {
            Kind::End => "the end of the text".to_owned(),
            Kind::Fixed(word) if lexer::RESERVED.contains(&word) => format!("the reserved word `{word}`"),
            _ => format!("`{}`", self.spelling(token)),
        };
        self.report.error(codes::SYNTAX, self.span(token), format!("found {found}, expected {expected}"));
        Err(Failed)
    }

    pub(crate) fn expect(&mut self, spelling: &str) -> Parse<()> {
        if self.accept(spelling) { Ok(()) } else { self.unexpected(&format!("`{spelling}`")) }
    }

    pub(crate) fn name(&mut self, what: &str) -> Parse<Name> {
        let token = self.peek();
        if token.kind != Kind::Name {
            return self.unexpected(what);
        }
        let symbol = self.symbol(token);
        self.advance();
        Ok(Name { symbol, span: self.span(token) })
    }

    fn symbol(&mut self, token: Token) -> Symbol {
        let text = self.text.get(token.start..token.end).unwrap_or_default();
        self.tree.symbols.intern(text)
    }

    pub(crate) fn number(&mut self) -> Parse<u64> {
        let token = self.peek();
        let text = self.spelling(token);
        match text.parse() {
            Ok(number) if token.kind == Kind::Name && number <= i64::MAX as u64 => {
                self.advance();
                Ok(number)
            }
            _ => self.unexpected("a decimal number"),
        }
    }

    /// `item {, item}`.
    pub(crate) fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.accept(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// `( [items] )`, both brackets included.
    pub(crate) fn arguments<T>(&mut self, item: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        self.expect("(")?;
        if self.accept(")") {
            return Ok(Vec::new());
        }
        let items = self.list(item)?;
        self.expect(")")?;
        Ok(items)
    }

    /// Runs `inner` one level deeper.
    pub(crate) fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_NESTING {
            return self.too_deep();
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn too_deep<T>(&mut self) -> Parse<T> {
        let error = Diagnostic::error(codes::NESTING, self.here(), "this is nested too deeply");
        self.report.push(error.note(format!("at most {MAX_NESTING} levels are allowed")));
        Err(Failed)
    }

    /// Adds an expression to the arena; its height is limited like nesting.
    pub(crate) fn add(&mut self, expr: Expr, span: Span) -> Parse<ExprRef> {
        let mut height = 0;
        let mut see = |id: &ExprRef| height = height.max(self.depths.get(id.0 as usize).copied().unwrap_or(0) + 1);
        match &expr {
            Expr::Name(_) => {}
            Expr::Call(f, list) => list.iter().chain([f]).for_each(&mut see),
            Expr::Construct(_, list) => list.iter().for_each(&mut see),
            Expr::Index(a, b) | Expr::Binary(_, a, b) => [a, b].into_iter().for_each(&mut see),
            Expr::If(a, b, c) => [a, b, c].into_iter().for_each(&mut see),
            Expr::Map(default, parts) => default.iter().chain(parts.iter().map(|p| &p.value)).for_each(&mut see),
        }
        if height > MAX_NESTING {
            return self.too_deep();
        }
        let id = ExprRef(u32::try_from(self.tree.exprs.len()).unwrap_or(u32::MAX));
        self.tree.exprs.push((expr, span));
        self.depths.push(height);
        Ok(id)
    }

    fn description(&mut self) {
        while self.peek().kind != Kind::End {
            let start = self.at;
            self.depth = 0;
            if self.declaration().is_err() {
                self.at = self.at.max(start + 1);
                while !self.may_start_declaration() {
                    self.advance();
                }
            }
        }
    }

    /// Whether a declaration seems to begin here: its keyword, or `name :` at the beginning of a line.
    fn may_start_declaration(&self) -> bool {
        let token = self.peek();
        let at_margin = || token.start == 0 || self.text.as_bytes().get(token.start - 1) == Some(&b'\n');
        match token.kind {
            Kind::End => true,
            Kind::Fixed(word) => ["domain", "graph", "reusable"].contains(&word),
            Kind::Name => self.peek_at(1).is(":") && at_margin(),
            Kind::Comment => false,
        }
    }

    fn declaration(&mut self) -> Parse<()> {
        if self.accept("domain") {
            let name = self.name("the name of a domain")?;
            self.expect("=")?;
            let mut elements = vec![self.element()?];
            while self.accept("|") {
                elements.push(self.element()?);
            }
            self.tree.domains.push(Domain { name, elements });
        } else if self.is("graph") || self.is("reusable") {
            let graph = self.graph()?;
            self.tree.graphs.push(graph);
        } else {
            let name = self.name("a declaration (`domain`, `graph`, `name: type`)")?;
            self.expect(":")?;
            let ty = self.ty()?;
            if self.is_case(name) {
                let mut cases = Vec::new();
                while self.is_case(name) {
                    cases.push(self.case()?);
                }
                self.tree.functions.push(Function { name, ty, cases });
            } else {
                let initial = if self.accept("=") { Some(self.expr()?) } else { None };
                self.tree.variables.push(Variable { name, ty, initial });
            }
        }
        Ok(())
    }

    fn is_case(&self, name: Name) -> bool {
        self.is_name_at(0)
            && self.peek_at(1).is("(")
            && self.spelling(self.peek()) == self.tree.symbols.name(name.symbol)
    }

    fn case(&mut self) -> Parse<Case> {
        let start = self.here();
        self.advance();
        let patterns = self.arguments(Self::pattern)?;
        let span = self.since(start);
        self.expect("=")?;
        Ok(Case { patterns, value: self.expr()?, span })
    }

    /// A pattern.
    pub(crate) fn pattern(&mut self) -> Parse<Pattern> {
        if self.spelling(self.peek()) == "_" {
            self.advance();
            return Ok(Pattern::Any);
        }
        let name = self.name("a pattern")?;
        if !self.is("(") {
            return Ok(Pattern::Name(name));
        }
        let arguments = self.nested(|p| p.arguments(Self::pattern))?;
        Ok(Pattern::Construct(name, arguments))
    }

    fn element(&mut self) -> Parse<Element> {
        let name = self.name("a symbol, a domain or a constructor")?;
        if !self.is("(") {
            return Ok(Element::Name(name));
        }
        let arguments = self.arguments(|p| p.name("a variable or a symbol"))?;
        self.expect("where")?;
        // The list may be empty: what follows a range is always `in`.
        let empty = !(self.is_name_at(0) && self.peek_at(1).is("in"));
        let ranges = if empty { Vec::new() } else { self.list(Self::range)? };
        Ok(Element::Generator(name, arguments, ranges))
    }

    /// `X in a..b`, `X in { a, b }`.
    pub(crate) fn range(&mut self) -> Parse<Range> {
        let name = self.name("a variable")?;
        self.expect("in")?;
        if self.accept("{") {
            let empty = self.is("}");
            let values = if empty { Vec::new() } else { self.list(|p| p.name("a symbol"))? };
            self.expect("}")?;
            return Ok(Range { name, values: RangeValues::Set(values.iter().map(|name| name.symbol).collect()) });
        }
        let first = self.number()?;
        self.expect("..")?;
        Ok(Range { name, values: RangeValues::Numbers(first, self.number()?) })
    }

    /// A type.
    pub(crate) fn ty(&mut self) -> Parse<Type> {
        let start = self.here();
        let mut keys = Vec::new();
        loop {
            if self.accept("{") {
                let members = self.list(|p| p.name("a symbol"))?;
                self.expect("}")?;
                let result = ResultType::Set(members.iter().map(|name| name.symbol).collect());
                return Ok(Type { keys, result, span: self.since(start) });
            }
            let name = self.name("a type")?;
            if self.accept("->") {
                keys.push(name);
            } else {
                return Ok(Type { keys, result: ResultType::Name(name), span: self.since(start) });
            }
        }
    }

    fn graph(&mut self) -> Parse<Graph> {
        let reusable = self.accept("reusable");
        self.expect("graph")?;
        let name = self.name("the name of a graph")?;
        let parameters = self.arguments(|p| {
            let name = p.name("a parameter")?;
            p.expect(":")?;
            Ok((name, p.ty()?))
        })?;
        Ok(Graph { name, reusable, parameters, body: self.block()? })
    }
}

/// Whether a name is a variable in patterns and a constructor before `(`.
pub(crate) fn is_upper(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}
