//! The syntax tree of RG text: what the grammar builds, before names are resolved.
//!
//! Long things are lists, not towers: `K1 -> K2 -> L` and `x[a][b][c]` are flat, so the only nesting is that of
//! brackets, which the parser limits before it builds anything. Rare or large parts are boxed, since there may be
//! millions of declarations.

use crate::source::Span;

/// An identifier with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'t> {
    pub(crate) text: &'t str,
    pub(crate) span: Span,
}

/// One declaration, from its first token to its `;`.
#[derive(Debug)]
pub(crate) struct Declaration<'t> {
    pub(crate) body: Body<'t>,
    pub(crate) span: Span,
}

/// What a declaration says.
#[derive(Debug)]
pub(crate) enum Body<'t> {
    /// `type name = ty`
    Type { name: Name<'t>, ty: Type<'t> },
    /// `const name: ty = value`
    Const { name: Name<'t>, ty: Type<'t>, value: Value<'t> },
    /// `var name: ty = value`
    Var { name: Name<'t>, ty: Type<'t>, value: Value<'t> },
    /// `source, target: label`
    Edge { source: Name<'t>, target: Name<'t>, label: Label<'t> },
    /// `@…`
    Pragma(Box<Claim<'t>>),
}

/// `K1 -> K2 -> L`: the keys, then the type at the end.
#[derive(Debug)]
pub(crate) struct Type<'t> {
    pub(crate) keys: Vec<SetType<'t>>,
    pub(crate) last: SetType<'t>,
}

/// One part of an arrow.
#[derive(Debug)]
pub(crate) enum SetType<'t> {
    /// The name of a type.
    Name(Name<'t>),
    /// `{a, b}`
    Set(Vec<Name<'t>>),
}

/// The value of a constant or variable.
#[derive(Debug)]
pub(crate) enum Value<'t> {
    /// A constant or a symbol.
    Name(Name<'t>),
    /// `{ entries }`
    Map { entries: Vec<Entry<'t>>, span: Span },
}

/// `key: value`, or `:value` for the default.
#[derive(Debug)]
pub(crate) struct Entry<'t> {
    pub(crate) key: Option<Name<'t>>,
    pub(crate) value: Value<'t>,
    pub(crate) span: Span,
}

/// A head followed by accesses: `head[k1][k2]`.
#[derive(Debug)]
pub(crate) struct Expr<'t> {
    pub(crate) head: Head<'t>,
    /// The keys, each with the span of everything up to its `]`.
    pub(crate) accesses: Vec<Access<'t>>,
    /// The place of the head alone.
    pub(crate) span: Span,
}

/// `[key]`
#[derive(Debug)]
pub(crate) struct Access<'t> {
    pub(crate) key: Expr<'t>,
    /// The place of the brackets.
    pub(crate) span: Span,
}

/// What an expression starts with.
#[derive(Debug)]
pub(crate) enum Head<'t> {
    /// A constant, a variable or a symbol.
    Name(Name<'t>),
    /// `ty(inner)`
    Cast { ty: Name<'t>, inner: Box<Expr<'t>> },
}

/// What an edge does.
#[derive(Debug)]
pub(crate) enum Label<'t> {
    /// Nothing.
    Skip,
    /// `$ name`
    Tag(Name<'t>),
    /// `$$ name`
    TagVar(Name<'t>),
    /// `? from -> to`, or with `!`
    Reach { from: Name<'t>, to: Name<'t>, negated: bool },
    /// `lhs == rhs`, or with `!=`
    Compare { lhs: Box<Expr<'t>>, rhs: Box<Expr<'t>>, negated: bool },
    /// `lhs = rhs`
    Assign { lhs: Box<Expr<'t>>, rhs: Box<Expr<'t>> },
    /// `lhs = ty(*)`
    AssignAny { lhs: Box<Expr<'t>>, ty: Type<'t> },
}

/// A pragma, as written: numbers are still names.
#[derive(Debug)]
pub(crate) enum Claim<'t> {
    ArtificialTag(Vec<Name<'t>>),
    Disjoint {
        exhaustive: bool,
        node: Name<'t>,
        targets: Vec<Name<'t>>,
    },
    Integer {
        first: Name<'t>,
        symbols: Vec<Name<'t>>,
    },
    Iterator {
        nodes: [Name<'t>; 3],
        variable: Name<'t>,
    },
    Repeat {
        nodes: Vec<Name<'t>>,
        variables: Vec<Name<'t>>,
    },
    Unique(Vec<Name<'t>>),
    SimpleApply {
        exhaustive: bool,
        from: Name<'t>,
        to: Name<'t>,
        tags: Vec<ApplyTag<'t>>,
        sets: Vec<ApplySet<'t>>,
    },
    TagIndex {
        nodes: Vec<Name<'t>>,
        index: Name<'t>,
    },
    TagMaxIndex {
        nodes: Vec<Name<'t>>,
        index: Name<'t>,
    },
    TranslatedFromRbg,
    /// The text between `@` and `;`.
    Unknown(&'t str),
}

/// `tag`, or `name: type`.
#[derive(Debug)]
pub(crate) struct ApplyTag<'t> {
    pub(crate) name: Name<'t>,
    pub(crate) ty: Option<Type<'t>>,
}

/// `lhs = rhs`
#[derive(Debug)]
pub(crate) struct ApplySet<'t> {
    pub(crate) lhs: Expr<'t>,
    pub(crate) rhs: Expr<'t>,
}
