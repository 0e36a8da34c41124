//! The syntax tree. Expressions, patterns and statements live in arenas, parts before wholes, so that nothing recurses
//! over input that nests deeply. Trees are equal if they differ in places only.

use rg_ir::{Span, Symbol, Symbols};
use rustc_hash::FxHashSet;

/// A name and its place.
#[derive(Clone, Copy, Eq, Debug)]
pub struct Name {
    /// The name.
    pub symbol: Symbol,
    /// Where it stands.
    pub span: Span,
}

/// An expression of a [`Source`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ExprRef(pub(crate) u32);

/// A pattern of a [`Source`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PatternRef(pub(crate) u32);

/// A statement of a [`Source`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StatementRef(pub(crate) u32);

/// The statements between braces.
pub type Block = Vec<StatementRef>;

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
#[derive(Clone, PartialEq, Eq, Debug)]
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
#[derive(Clone, Eq, Debug)]
pub struct Part {
    /// The key.
    pub pattern: PatternRef,
    /// The value.
    pub value: ExprRef,
    /// Values of the variables.
    pub ranges: Vec<Range>,
    /// Where it stands.
    pub span: Span,
}

/// A pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// `_`.
    Any,
    /// A symbol, or an upper-case variable.
    Name(Name),
    /// `C(p, q)`.
    Construct(Name, Vec<PatternRef>),
}

/// `X in ..`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    /// The variable.
    pub name: Name,
    /// Its values.
    pub values: RangeValues,
}

/// The values of a range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RangeValues {
    /// `a..b`, both included.
    Numbers(u64, u64),
    /// `{ a, b }`.
    Set(Vec<Name>),
}

/// A type: `K -> L -> result`.
#[derive(Clone, Eq, Debug)]
pub struct Type {
    /// Key domains, outermost first.
    pub keys: Vec<Name>,
    /// What is left.
    pub result: ResultType,
    /// Where it stands.
    pub span: Span,
}

/// The innermost part of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ResultType {
    /// A domain or built-in type.
    Name(Name),
    /// An inline set.
    Set(Vec<Name>),
}

/// An element of a domain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Element {
    /// A symbol or another domain.
    Name(Name),
    /// `C(X, ..) where ..`.
    Generator(Name, Vec<Name>, Vec<Range>),
}

/// `domain D = ..`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domain {
    /// Its name.
    pub name: Name,
    /// Its elements.
    pub elements: Vec<Element>,
}

/// A case of a function.
#[derive(Clone, Eq, Debug)]
pub struct Case {
    /// One pattern per argument.
    pub patterns: Vec<PatternRef>,
    /// The result.
    pub value: ExprRef,
    /// Where its head stands.
    pub span: Span,
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// Its cases, at least one.
    pub cases: Vec<Case>,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// Initial value.
    pub initial: Option<ExprRef>,
}

/// A graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    /// Its name.
    pub name: Name,
    /// Whether one copy may serve all calls; a hint without meaning.
    pub reusable: bool,
    /// Parameters.
    pub parameters: Vec<(Name, Type)>,
    /// The body.
    pub body: Block,
}

/// A statement and its place.
#[derive(Clone, Eq, Debug)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Where it stands (heads only, for those with blocks).
    pub span: Span,
}

impl Statement {
    /// The blocks directly inside.
    pub fn blocks(&self) -> Vec<&Block> {
        match &self.kind {
            StatementKind::Branch(arms) => arms.iter().collect(),
            StatementKind::BranchIn(_, _, body)
            | StatementKind::Repeat(_, body)
            | StatementKind::RepeatIn(_, _, body)
            | StatementKind::Loop(body)
            | StatementKind::While(_, body) => vec![body],
            StatementKind::If(_, yes, no) => std::iter::once(yes).chain(no).collect(),
            StatementKind::Assign(..)
            | StatementKind::AssignAny(..)
            | StatementKind::Call(..)
            | StatementKind::TagVariable(_)
            | StatementKind::Tag(..) => Vec::new(),
        }
    }
}

/// What a statement is.
#[derive(Clone, PartialEq, Eq, Debug)]
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
    Branch(Vec<Block>),
    /// `branch x in T { .. }`, also written `forall x: T { .. }`.
    BranchIn(Name, Type, Block),
    /// `repeat 3 { .. }`.
    Repeat(u64, Block),
    /// `repeat x in T { .. }`.
    RepeatIn(Name, Type, Block),
    /// `loop { .. }`.
    Loop(Block),
    /// `while c { .. }`.
    While(ExprRef, Block),
    /// `if c { .. } else { .. }`.
    If(ExprRef, Block, Option<Block>),
}

/// A declaration, by its position among those of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declaration {
    /// One of [`Source::domains`].
    Domain(usize),
    /// One of [`Source::functions`].
    Function(usize),
    /// One of [`Source::variables`].
    Variable(usize),
    /// One of [`Source::graphs`].
    Graph(usize),
}

/// A description.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// Names.
    pub symbols: Symbols,
    /// All expressions with their places.
    pub(crate) exprs: Vec<(Expr, Span)>,
    /// All patterns.
    pub(crate) patterns: Vec<Pattern>,
    /// All statements.
    pub(crate) statements: Vec<Statement>,
    /// Domains in order.
    pub domains: Vec<Domain>,
    /// Functions in order.
    pub functions: Vec<Function>,
    /// Variables in order.
    pub variables: Vec<Variable>,
    /// Graphs in order.
    pub graphs: Vec<Graph>,
    /// All declarations in order.
    pub order: Vec<Declaration>,
    /// Where declarations stand, each as a whole, in the order of the text.
    pub(crate) extents: Vec<Span>,
}

impl Source {
    /// An expression of this description (of another one: some expression).
    pub fn expr(&self, id: ExprRef) -> &Expr {
        static NOTHING: Expr = Expr::Map(None, Vec::new());
        self.exprs.get(id.0 as usize).map_or(&NOTHING, |(expr, _)| expr)
    }

    /// Where an expression stands.
    pub fn span(&self, id: ExprRef) -> Span {
        self.exprs.get(id.0 as usize).map_or(Span::NONE, |(_, span)| *span)
    }

    /// The names that are declared.
    pub(crate) fn declared(&self) -> FxHashSet<&str> {
        let domains = self.domains.iter().map(|domain| domain.name);
        let functions = self.functions.iter().map(|function| function.name);
        let variables = self.variables.iter().map(|variable| variable.name);
        let graphs = self.graphs.iter().map(|graph| graph.name);
        let all = domains.chain(functions).chain(variables).chain(graphs);
        all.map(|name| self.symbols.name(name.symbol)).collect()
    }

    /// The names that expressions and calls have.
    pub(crate) fn mentioned(&self) -> FxHashSet<Symbol> {
        let called = self.statements.iter().filter_map(|statement| match &statement.kind {
            StatementKind::Call(name, _) => Some(name.symbol),
            _ => None,
        });
        let named = self.exprs.iter().filter_map(|(expr, _)| match expr {
            Expr::Name(name) => Some(*name),
            _ => None,
        });
        called.chain(named).collect()
    }

    /// Where the declaration stands that begins last at or before `place`.
    pub(crate) fn extent(&self, place: Span) -> Span {
        let behind = self.extents.partition_point(|extent| extent.start <= place.start);
        behind.checked_sub(1).and_then(|at| self.extents.get(at)).copied().unwrap_or(Span::NONE)
    }

    /// A pattern of this description (of another one: some pattern).
    pub fn pattern(&self, id: PatternRef) -> &Pattern {
        self.patterns.get(id.0 as usize).unwrap_or(&Pattern::Any)
    }

    /// A statement of this description (of another one: some statement).
    pub fn statement(&self, id: StatementRef) -> &Statement {
        static NOTHING: Statement = Statement { kind: StatementKind::Branch(Vec::new()), span: Span::NONE };
        self.statements.get(id.0 as usize).unwrap_or(&NOTHING)
    }
}

/// Equality of a type with places, by the fields given.
macro_rules! equal_but_for_places {
    ($($ty:ident: $($field:ident),+;)*) => {
        $(impl PartialEq for $ty {
            fn eq(&self, other: &Self) -> bool {
                $(self.$field == other.$field)&&+
            }
        })*
    };
}

equal_but_for_places! {
    Name: symbol;
    Part: pattern, value, ranges;
    Type: keys, result;
    Case: patterns, value;
    Statement: kind;
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        // Symbols are numbered in the order in which they occur.
        let names = |source: &Self| -> Vec<String> {
            let ids = (0..source.symbols.len()).map(rg_ir::ids::Id::from_index);
            ids.map(|id| source.symbols.name(id).to_owned()).collect()
        };
        names(self) == names(other)
            && self.exprs.iter().map(|(expr, _)| expr).eq(other.exprs.iter().map(|(expr, _)| expr))
            && self.patterns == other.patterns
            && self.statements == other.statements
            && self.domains == other.domains
            && self.functions == other.functions
            && self.variables == other.variables
            && self.graphs == other.graphs
            && self.order == other.order
    }
}
