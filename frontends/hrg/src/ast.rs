//! The syntax tree. Expressions live in an arena; everything else nests at most [`crate::MAX_NESTING`] deep.

use rg_ir::{Span, Symbol, Symbols};

/// A name and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name.
    pub symbol: Symbol,
    /// Where it stands.
    pub span: Span,
}

/// An expression of the arena [`Source::exprs`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ExprRef(pub(crate) u32);

/// Binary operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Operator {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Modulo,
    In,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum Expr {
    /// A symbol, a bound variable, a parameter, a variable or a function.
    Name(Symbol),
    /// `f(a, b)`.
    Call(ExprRef, Vec<ExprRef>),
    /// `m[k]`.
    Index(ExprRef, ExprRef),
    /// `C(a, b)`.
    Construct(Symbol, Vec<ExprRef>),
    /// `a + b` and the like.
    Binary(Operator, ExprRef, ExprRef),
    /// `if c then a else b`.
    If(ExprRef, ExprRef, ExprRef),
    /// `{ :d; p = e where ..; .. }`.
    Map(Option<ExprRef>, Vec<Part>),
}

/// A part of a map literal.
#[derive(Clone, Debug)]
pub struct Part {
    /// The key.
    pub pattern: Pattern,
    /// The value.
    pub value: ExprRef,
    /// Values of the variables.
    pub ranges: Vec<Range>,
    /// Where it stands.
    pub span: Span,
}

/// A pattern.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// `_`.
    Any,
    /// A symbol, or an upper-case variable.
    Name(Name),
    /// `C(p, q)`.
    Construct(Name, Vec<Pattern>),
}

/// `X in ..`.
#[derive(Clone, Debug)]
pub struct Range {
    /// The variable.
    pub name: Name,
    /// Its values.
    pub values: RangeValues,
}

/// The values of a range.
#[derive(Clone, Debug)]
pub enum RangeValues {
    /// `a..b`, both included.
    Numbers(u64, u64),
    /// `{ a, b }`.
    Set(Vec<Symbol>),
}

/// A type: `K -> L -> result`.
#[derive(Clone, Debug)]
pub struct Type {
    /// Key domains, outermost first.
    pub keys: Vec<Name>,
    /// What is left.
    pub result: ResultType,
    /// Where it stands.
    pub span: Span,
}

/// The innermost part of a type.
#[derive(Clone, Debug)]
pub enum ResultType {
    /// A domain or built-in type.
    Name(Name),
    /// An inline set.
    Set(Vec<Symbol>),
}

/// An element of a domain.
#[derive(Clone, Debug)]
pub enum Element {
    /// A symbol or another domain.
    Name(Name),
    /// `C(X, ..) where ..`.
    Generator(Name, Vec<Name>, Vec<Range>),
}

/// `domain D = ..`.
#[derive(Clone, Debug)]
pub struct Domain {
    /// Its name.
    pub name: Name,
    /// Its elements.
    pub elements: Vec<Element>,
}

/// A case of a function.
#[derive(Clone, Debug)]
pub struct Case {
    /// One pattern per argument.
    pub patterns: Vec<Pattern>,
    /// The result.
    pub value: ExprRef,
    /// Where its head stands.
    pub span: Span,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// Its cases, at least one.
    pub cases: Vec<Case>,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// Initial value.
    pub initial: Option<ExprRef>,
}

/// A graph.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Its name.
    pub name: Name,
    /// Whether one copy may serve all calls; a hint without meaning.
    pub reusable: bool,
    /// Parameters.
    pub parameters: Vec<(Name, Type)>,
    /// The body.
    pub body: Vec<Statement>,
}

/// A statement and its place.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Where it stands (heads only, for those with blocks).
    pub span: Span,
}

impl Statement {
    /// The blocks directly inside.
    pub fn blocks(&self) -> Vec<&[Statement]> {
        match &self.kind {
            StatementKind::Branch(arms) => arms.iter().map(Vec::as_slice).collect(),
            StatementKind::BranchIn(_, _, body)
            | StatementKind::Repeat(_, body)
            | StatementKind::RepeatIn(_, _, body)
            | StatementKind::Loop(body)
            | StatementKind::While(_, body) => vec![body],
            StatementKind::If(_, yes, no) => [Some(yes.as_slice()), no.as_deref()].into_iter().flatten().collect(),
            StatementKind::Assign(..)
            | StatementKind::AssignAny(..)
            | StatementKind::Call(..)
            | StatementKind::TagVariable(_)
            | StatementKind::Tag(..) => Vec::new(),
        }
    }
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `t = e`.
    Assign(ExprRef, ExprRef),
    /// `t = T(*)`.
    AssignAny(ExprRef, Type),
    /// `g(e, ..)`, and the special calls.
    Call(Name, Vec<ExprRef>),
    /// `$$ v`.
    TagVariable(Name),
    /// `$ a`, `$ (a b)`; artificial or not.
    Tag(bool, Vec<Name>),
    /// `branch { .. } or { .. }`.
    Branch(Vec<Vec<Statement>>),
    /// `branch x in T { .. }`.
    BranchIn(Name, Type, Vec<Statement>),
    /// `repeat 3 { .. }`.
    Repeat(u64, Vec<Statement>),
    /// `repeat x in T { .. }`.
    RepeatIn(Name, Type, Vec<Statement>),
    /// `loop { .. }`.
    Loop(Vec<Statement>),
    /// `while c { .. }`.
    While(ExprRef, Vec<Statement>),
    /// `if c { .. } else { .. }`.
    If(ExprRef, Vec<Statement>, Option<Vec<Statement>>),
}

/// A description.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// Names.
    pub symbols: Symbols,
    /// All expressions with their places; operands come before what they are part of.
    pub(crate) exprs: Vec<(Expr, Span)>,
    /// Domains in order.
    pub domains: Vec<Domain>,
    /// Functions in order.
    pub functions: Vec<Function>,
    /// Variables in order.
    pub variables: Vec<Variable>,
    /// Graphs in order.
    pub graphs: Vec<Graph>,
}

impl Source {
    /// An expression of this description (of another one: some name).
    pub fn expr(&self, id: ExprRef) -> &Expr {
        static NOTHING: Expr = Expr::Map(None, Vec::new());
        self.exprs.get(id.0 as usize).map_or(&NOTHING, |(expr, _)| expr)
    }

    /// Where an expression stands.
    pub fn span(&self, id: ExprRef) -> Span {
        self.exprs.get(id.0 as usize).map_or(Span::NONE, |(_, span)| *span)
    }
}
