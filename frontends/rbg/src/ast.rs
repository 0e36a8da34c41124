//! The abstract syntax of an expanded description: low-level RBG, with spans.
//!
//! Macros, generators, powers and lists are gone; what is left is what section 6 of the specification calls low-level
//! RBG. [`Rules`] is an arena, so that nothing recurses over input that nests deeply.

use rg_ir::Span;
use rg_ir::ids::Id;

/// Where a token of the expanded text comes from: its own place, and the chain of expansions that led to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The token's place in the file (inside a macro's body, if it was written there).
    pub span: Span,
    /// Index into [`Description::expansions`] of the innermost expansion that produced the token.
    pub expansion: Option<u32>,
}

/// One macro call or parameter substitution, linked outwards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expansion {
    /// Name of the macro or parameter.
    pub name: String,
    /// Whether `name` is a parameter.
    pub parameter: bool,
    /// The call (or the use of the parameter).
    pub span: Span,
    /// The expansion in which the call stands.
    pub outer: Option<u32>,
}

/// A declared name.
#[derive(Clone, Debug)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it is declared.
    pub origin: Origin,
}

/// A player or variable with its bound: values 0..=bound.
#[derive(Clone, Debug)]
pub struct Bounded {
    /// The name.
    pub name: Name,
    /// Greatest value.
    pub bound: u32,
    /// The whole entry; [`Span::NONE`] if macros expand to parts of it.
    pub entry: Span,
}

/// How the board was written, as the names of the vertices tell (generators name them); for drawing and coordinates
/// only, the vertices say everything else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// `rectangle(…)`: columns, rows, up to the last that has a vertex.
    Rectangle {
        /// Number of columns.
        columns: u32,
        /// Number of rows.
        rows: u32,
    },
    /// `hexagon(…)`: vertices named `hx<c>y<r>`.
    Hexagon,
    /// `cuboid(…)`: columns, rows, layers, up to the last that has a vertex; vertices named `cx<c>y<r>z<l>`.
    Cuboid {
        /// Number of columns.
        columns: u32,
        /// Number of rows.
        rows: u32,
        /// Number of layers.
        layers: u32,
    },
    /// Vertices one by one.
    Explicit,
}

/// A vertex of the board.
#[derive(Clone, Debug)]
pub struct Vertex {
    /// Its name.
    pub name: Name,
    /// Index of its initial piece in [`Description::pieces`].
    pub piece: u32,
    /// Outgoing edges: index into [`Board::labels`], index of the target in [`Board::vertices`]; at most one per label,
    /// sorted (by index and thereby by text).
    pub edges: Vec<(u32, u32)>,
}

/// The board: a graph with labelled edges.
#[derive(Clone, Debug)]
pub struct Board {
    /// Vertices in declaration order; the first is the initial current vertex. Never empty.
    pub vertices: Vec<Vertex>,
    /// The labels that edges carry, sorted by text.
    pub labels: Vec<Name>,
    /// How it was written.
    pub layout: Layout,
}

/// Index of an expression of the rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct RuleId(pub u32);

impl Id for RuleId {
    fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Index of an arithmetic expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArithId(pub u32);

impl Id for ArithId {
    fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is assigned to or read: a variable or a player's score.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cell {
    /// Index into [`Description::variables`].
    Variable(u32),
    /// Index into [`Description::players`].
    Score(u32),
}

/// An arithmetic expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arith {
    /// A number, 0..=2^31-1.
    Number(u32),
    /// A variable or a score.
    Cell(Cell),
    /// How many vertices hold the piece: index into [`Description::pieces`].
    Count(u32),
    /// `a + b`, `a - b`, `a * b`, `a / b`.
    Binary(Operator, ArithId, ArithId),
}

/// Arithmetic operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, truncating toward zero
    Divide,
}

/// Comparison operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

/// An expression of the rules. Children of a node have smaller ids than the node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// Alternatives, two or more.
    Sum(Vec<RuleId>),
    /// Factors in order, two or more.
    Concat(Vec<RuleId>),
    /// Any number of repetitions.
    Star(RuleId),
    /// Go along the edge with this label: index into [`Board::labels`].
    Shift(u32),
    /// The current vertex holds one of these pieces (sorted, distinct indices into [`Description::pieces`]; possibly
    /// none).
    On(Vec<u32>),
    /// Put this piece on the current vertex. A modifier.
    Off {
        /// Index into [`Description::pieces`].
        piece: u32,
        /// Number of the modifier from 1 (section 7.2); 0 inside checks.
        index: u32,
    },
    /// Assign. A modifier.
    Assign {
        /// What is assigned.
        target: Cell,
        /// The new value; illegal if it is none, or outside the target's bound.
        value: ArithId,
        /// As for `Off`.
        index: u32,
    },
    /// Compare two values.
    Compare {
        /// How.
        relation: Relation,
        /// Left side.
        left: ArithId,
        /// Right side.
        right: ArithId,
    },
    /// Hand over to a player (index into [`Description::players`]) or, with `None`, to the keeper. A modifier.
    Switch {
        /// Who gets control.
        player: Option<u32>,
        /// As for `Off`; never 0, since switches cannot stand inside checks.
        index: u32,
    },
    /// `{? rule}` or, negated, `{! rule}`.
    Check {
        /// Whether no word must be legal instead of some.
        negated: bool,
        /// The checked expression.
        rule: RuleId,
    },
    /// `.`
    Dot,
}

/// The rules: an arena of expressions with their places.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Expressions; children before parents.
    pub nodes: Vec<(Rule, Origin)>,
    /// Arithmetic; children before parents.
    pub arith: Vec<(Arith, Origin)>,
    /// The whole expression.
    pub root: RuleId,
}

/// A complete, checked description, in canonical form: descriptions that differ only in the order of pieces, variables
/// and edges are equal up to origins. Labels without edges are gone; a shift by one is `On` nothing.
#[derive(Clone, Debug)]
pub struct Description {
    /// Players in declaration order.
    pub players: Vec<Bounded>,
    /// Pieces, sorted by text: their order has no meaning.
    pub pieces: Vec<Name>,
    /// Variables, sorted by text: their order has no meaning.
    pub variables: Vec<Bounded>,
    /// The board.
    pub board: Board,
    /// The rules.
    pub rules: Rules,
    /// All expansions that produced tokens, for diagnostics.
    pub expansions: Vec<Expansion>,
}
