//! Statements of HRG, as the translation makes them.

/// Statements in a row.
pub(crate) type Block = Vec<Stmt>;

/// A condition.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Cond {
    /// `a == b`, or `a != b`.
    Equal(String, String, bool),
    /// `reachable(g())`, or its negation.
    Reachable(String, bool),
    /// All of them hold.
    All(Vec<Cond>),
    /// One of them holds.
    Some(Vec<Cond>),
    /// `true()` or `false()`.
    Fixed(bool),
}

impl Cond {
    /// The condition that holds if this one does not.
    pub(crate) fn negated(self) -> Self {
        let all = |conds: Vec<Self>| conds.into_iter().map(Self::negated).collect();
        match self {
            Self::Equal(a, b, holds) => Self::Equal(a, b, !holds),
            Self::Reachable(graph, holds) => Self::Reachable(graph, !holds),
            Self::All(conds) => Self::Some(all(conds)),
            Self::Some(conds) => Self::All(all(conds)),
            Self::Fixed(holds) => Self::Fixed(!holds),
        }
    }

    /// Both hold.
    pub(crate) fn and(self, other: Self) -> Self {
        let list = |cond| if let Self::All(conds) = cond { conds } else { vec![cond] };
        Self::All(list(self).into_iter().chain(list(other)).collect())
    }

    /// One of two holds.
    pub(crate) fn or(self, other: Self) -> Self {
        let list = |cond| if let Self::Some(conds) = cond { conds } else { vec![cond] };
        Self::Some(list(self).into_iter().chain(list(other)).collect())
    }

    /// Calls `see` with the names of all graphs it asks about.
    pub(crate) fn graphs(&mut self, see: &mut dyn FnMut(&mut String)) {
        match self {
            Self::Reachable(graph, _) => see(graph),
            Self::All(conds) | Self::Some(conds) => conds.iter_mut().for_each(|cond| cond.graphs(see)),
            Self::Equal(..) | Self::Fixed(_) => {}
        }
    }
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Stmt {
    /// `variable = value`.
    Assign(String, String),
    /// `variable = Domain(*)`.
    AssignAny(String, String),
    /// `$ tag`, or `$_ tag`.
    Tag(String, bool),
    /// `$$ variable`.
    TagVar(String),
    /// `check(condition)`.
    Check(Cond),
    /// `if condition { … } else { … }`.
    If(Cond, Block, Block),
    /// `branch { … } or { … }`.
    Branch(Vec<Block>),
    /// `branch variable in {…} { … }`.
    BranchIn(String, Vec<String>, Block),
    /// `loop { … }`.
    Loop(Block),
    /// `while condition { … }`.
    While(Cond, Block),
    Break,
    Continue,
    Return,
    End,
    /// A call of a graph.
    Call(String),
    /// The rest of a block, to which several ways lead: perhaps a graph of its own, to be named after this node.
    Shared(String, Block),
}

impl Stmt {
    /// The blocks directly inside.
    pub(crate) fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match self {
            Self::If(_, yes, no) => vec![yes, no],
            Self::Branch(arms) => arms.iter_mut().collect(),
            Self::BranchIn(_, _, body) | Self::Loop(body) | Self::While(_, body) | Self::Shared(_, body) => vec![body],
            _ => Vec::new(),
        }
    }

    /// The blocks directly inside.
    pub(crate) fn blocks(&self) -> Vec<&Block> {
        match self {
            Self::If(_, yes, no) => vec![yes, no],
            Self::Branch(arms) => arms.iter().collect(),
            Self::BranchIn(_, _, body) | Self::Loop(body) | Self::While(_, body) | Self::Shared(_, body) => vec![body],
            _ => Vec::new(),
        }
    }

    /// Whether what stands behind it is never executed.
    pub(crate) fn is_jump(&self) -> bool {
        matches!(self, Self::Break | Self::Continue | Self::Return | Self::End)
    }

    /// Calls `see` with the names of all graphs that are called or asked about.
    pub(crate) fn graphs(&mut self, see: &mut dyn FnMut(&mut String)) {
        match self {
            Self::Call(graph) => see(graph),
            Self::Check(cond) | Self::If(cond, ..) | Self::While(cond, _) => cond.graphs(see),
            _ => {}
        }
        for block in self.blocks_mut() {
            block.iter_mut().for_each(|stmt| stmt.graphs(see));
        }
    }
}

/// The number of statements, those inside others counted.
pub(crate) fn size(block: &Block) -> usize {
    block.iter().map(|stmt| 1 + stmt.blocks().into_iter().map(size).sum::<usize>()).sum()
}

/// How deeply blocks nest.
pub(crate) fn depth(block: &Block) -> usize {
    let inner = block.iter().flat_map(|stmt| stmt.blocks()).map(|block| depth(block) + 1);
    inner.max().unwrap_or(0)
}

/// Whether walks can come to the end of a block, as far as its statements tell.
pub(crate) fn falls(block: &Block) -> bool {
    match block.last() {
        None => true,
        Some(Stmt::Break | Stmt::Continue | Stmt::Return | Stmt::End | Stmt::Check(Cond::Fixed(false))) => false,
        Some(Stmt::If(_, yes, no)) => falls(yes) || falls(no),
        Some(Stmt::Branch(arms)) => arms.iter().any(falls),
        Some(Stmt::Shared(_, rest) | Stmt::BranchIn(_, _, rest)) => falls(rest),
        Some(Stmt::Loop(body)) => breaks(body),
        Some(_) => true,
    }
}

/// Whether a `break()` in the body of a loop leaves it.
fn breaks(body: &Block) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::Break => true,
        Stmt::Loop(_) | Stmt::While(..) => false,
        _ => stmt.blocks().into_iter().any(breaks),
    })
}

/// A graph.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Graph {
    pub(crate) name: String,
    pub(crate) body: Block,
}
