//! What the grammar builds: sections as written after expansion, names still being token numbers.
//!
//! Expressions live in arenas, children before parents, so that neither building nor dropping recurses.

use crate::ast::{Operator, Relation};

/// Index of a token of the section, without the marker in front.
pub(crate) type TokenIndex = u32;

/// A parsed section.
pub(crate) enum Parsed {
    /// `#pieces`
    Names(Vec<TokenIndex>),
    /// `#players`, `#variables`: name and bound.
    Bounded(Vec<(TokenIndex, TokenIndex)>),
    /// `#board` by vertices.
    Vertices(Vec<RawVertex>),
    /// `#board` by `rectangle` or `hexagon`.
    Grid { hexagon: bool, start: TokenIndex, labels: Vec<TokenIndex>, rows: Vec<RawRow> },
    /// `#board` by `cuboid`.
    Cuboid { start: TokenIndex, labels: Vec<TokenIndex>, layers: Vec<RawLayer> },
    /// `#rules`
    Rules(RawId),
}

/// A vertex: name, piece, edges (label and target).
pub(crate) struct RawVertex {
    pub(crate) name: TokenIndex,
    pub(crate) piece: TokenIndex,
    pub(crate) edges: Vec<(TokenIndex, TokenIndex)>,
}

/// A row of a generator.
pub(crate) struct RawRow {
    pub(crate) start: TokenIndex,
    pub(crate) cells: Vec<Option<TokenIndex>>,
}

/// A layer of a cuboid.
pub(crate) struct RawLayer {
    pub(crate) start: TokenIndex,
    pub(crate) rows: Vec<RawRow>,
}

/// Index of an expression of the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RawId(u32);

/// An expression of the rules.
#[derive(Debug)]
pub(crate) enum RawRule {
    Sum(Vec<RawId>),
    Concat(Vec<RawId>),
    Star(RawId),
    Power(RawId, TokenIndex),
    Shift(TokenIndex),
    On(Vec<TokenIndex>),
    Off(Vec<TokenIndex>),
    Assign(Vec<(TokenIndex, RawArithId)>),
    Compare(Relation, RawArithId, RawArithId),
    Switch(Option<TokenIndex>),
    Check { negated: bool, rule: RawId },
    Dot,
}

/// Index of an arithmetic expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RawArithId(u32);

/// An arithmetic expression.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RawArith {
    Number,
    Name,
    Binary(Operator, RawArithId, RawArithId),
}

/// An arithmetic expression with its place. All its parts lie between `first` and itself in the arena.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawArithNode {
    pub(crate) arith: RawArith,
    /// The name or number, or the operator.
    pub(crate) token: TokenIndex,
    /// Arena index of its leftmost part.
    pub(crate) first: u32,
    /// Nesting of operators.
    pub(crate) depth: u32,
}

/// The arenas of a section's expressions.
#[derive(Default)]
pub(crate) struct Arena {
    rules: Vec<(RawRule, TokenIndex, TokenIndex)>,
    ariths: Vec<RawArithNode>,
}

impl Arena {
    /// Adds an expression made of the tokens `start..end`.
    pub(crate) fn rule(&mut self, rule: RawRule, start: TokenIndex, end: TokenIndex) -> RawId {
        let id = RawId(small(self.rules.len()));
        self.rules.push((rule, start, end));
        id
    }

    /// The sum of one or more alternatives.
    pub(crate) fn sum(&mut self, alternatives: Vec<RawId>, start: TokenIndex, end: TokenIndex) -> RawId {
        match alternatives.as_slice() {
            [only] => *only,
            _ => self.rule(RawRule::Sum(alternatives), start, end),
        }
    }

    /// The concatenation of one or more factors.
    pub(crate) fn concat(&mut self, factors: Vec<RawId>, start: TokenIndex, end: TokenIndex) -> RawId {
        match factors.as_slice() {
            [only] => *only,
            _ => self.rule(RawRule::Concat(factors), start, end),
        }
    }

    /// Adds a number or name.
    pub(crate) fn leaf(&mut self, arith: RawArith, token: TokenIndex) -> RawArithId {
        let id = small(self.ariths.len());
        self.ariths.push(RawArithNode { arith, token, first: id, depth: 1 });
        RawArithId(id)
    }

    /// Adds an operation whose operator is `token`.
    pub(crate) fn binary(
        &mut self,
        operator: Operator,
        token: TokenIndex,
        left: RawArithId,
        right: RawArithId,
    ) -> RawArithId {
        let id = small(self.ariths.len());
        let part = |id: RawArithId| self.ariths.get(id.0 as usize);
        let first = part(left).map_or(id, |n| n.first);
        let depth = 1 + part(left).map_or(0, |n| n.depth).max(part(right).map_or(0, |n| n.depth));
        self.ariths.push(RawArithNode { arith: RawArith::Binary(operator, left, right), token, first, depth });
        RawArithId(id)
    }

    /// The expression, with its first token and the one behind its last.
    pub(crate) fn get(&self, id: RawId) -> Option<&(RawRule, TokenIndex, TokenIndex)> {
        self.rules.get(id.0 as usize)
    }

    /// The first expression that would have more than `limit` parts if its powers were written out. Linear.
    pub(crate) fn too_heavy(&self, limit: usize, exponent: impl Fn(TokenIndex) -> u64) -> Option<RawId> {
        let limit = u64::try_from(limit).unwrap_or(u64::MAX);
        let mut weights: Vec<u64> = Vec::with_capacity(self.rules.len());
        for (index, (rule, ..)) in self.rules.iter().enumerate() {
            let of = |id: &RawId| weights.get(id.0 as usize).copied().unwrap_or(0);
            let arith = |id: &RawArithId| self.parts(*id).1.len() as u64;
            let weight = 1 + match rule {
                RawRule::Sum(parts) | RawRule::Concat(parts) => parts.iter().map(of).fold(0, u64::saturating_add),
                RawRule::Star(inner) | RawRule::Check { rule: inner, .. } => of(inner),
                RawRule::Power(inner, token) => of(inner).saturating_mul(exponent(*token)),
                RawRule::On(names) | RawRule::Off(names) => names.len() as u64,
                RawRule::Assign(list) => list.iter().map(|(_, value)| 1 + arith(value)).sum(),
                RawRule::Compare(_, left, right) => arith(left) + arith(right),
                RawRule::Shift(_) | RawRule::Switch(_) | RawRule::Dot => 0,
            };
            if weight > limit {
                return Some(RawId(small(index)));
            }
            weights.push(weight);
        }
        None
    }

    /// All parts of an arithmetic expression, itself last, and the arena index of the first of them.
    pub(crate) fn parts(&self, id: RawArithId) -> (u32, &[RawArithNode]) {
        let first = self.ariths.get(id.0 as usize).map_or(0, |n| n.first);
        (first, self.ariths.get(first as usize..=id.0 as usize).unwrap_or_default())
    }
}

impl RawArithId {
    /// The position in the arena.
    pub(crate) fn index(self) -> u32 {
        self.0
    }
}

fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
