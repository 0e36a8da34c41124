//! The abstract syntax of a description.
//!
//! [`Moves`] is an arena in which children come before their parents, so that nothing recurses over nested brackets.

use rg_ir::Span;
use std::collections::BTreeMap;

/// A square: column from the left and row from the bottom, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square {
    /// Column, 0 on the left.
    pub x: u32,
    /// Row, 0 at the bottom.
    pub y: u32,
}

/// What the square a step lands on must hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum On {
    /// `e`: nothing.
    Empty,
    /// `p`: a piece of the other player.
    Opponent,
    /// `w`: a piece of the mover.
    Own,
}

impl On {
    /// Its letter.
    pub fn letter(self) -> char {
        match self {
            On::Empty => 'e',
            On::Opponent => 'p',
            On::Own => 'w',
        }
    }
}

/// `(dx,dy,on)`, as written for white.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Step {
    /// Columns to the right.
    pub dx: i32,
    /// Rows upwards.
    pub dy: i32,
    /// What must be there.
    pub on: On,
}

/// A position in [`Moves`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExprId(pub u32);

/// A part of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// One step.
    Step(Step),
    /// Alternatives; at least two.
    Sum(Vec<ExprId>),
    /// One after the other; at least two.
    Concat(Vec<ExprId>),
    /// So many times.
    Power(ExprId, u32),
    /// Any number of times.
    Star(ExprId),
}

/// Expressions with their places, children before parents.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    /// The arena.
    pub nodes: Vec<(Expr, Span)>,
}

impl Moves {
    /// The expression; `None` for an id of another arena.
    pub fn get(&self, id: ExprId) -> Option<&Expr> {
        self.nodes.get(id.0 as usize).map(|(expr, _)| expr)
    }

    /// Where it stands.
    pub fn span(&self, id: ExprId) -> Span {
        self.nodes.get(id.0 as usize).map_or(Span::NONE, |&(_, span)| span)
    }

    /// Adds an expression over earlier ones.
    pub fn push(&mut self, expr: Expr, span: Span) -> ExprId {
        let id = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.nodes.push((expr, span));
        ExprId(id)
    }
}

/// How the pieces with a letter move.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The upper-case letter.
    pub letter: char,
    /// Where the letter stands.
    pub span: Span,
    /// The whole entry, without its `&`.
    pub entry: Span,
    /// The expression, as for white.
    pub moves: ExprId,
}

/// When a play is decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GoalKind {
    /// `#`: the owner loses when there are exactly so many.
    Count(u32),
    /// `@`: the owner wins when such a piece moves to one of these squares.
    Reach(Vec<(Square, Span)>),
}

/// An entry of the goals.
#[derive(Clone, Debug)]
pub struct Goal {
    /// The letter; its case tells the owner.
    pub letter: char,
    /// Where the letter stands.
    pub letter_span: Span,
    /// What it is about.
    pub kind: GoalKind,
    /// The whole entry.
    pub span: Span,
}

/// A game.
#[derive(Clone, Debug)]
pub struct Description {
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub name_span: Span,
    /// Number of columns; at least 1.
    pub width: u32,
    /// Number of rows; at least 1.
    pub height: u32,
    /// The contents of the squares, top row first, from left to right; `None` is an empty square.
    pub cells: Vec<Option<char>>,
    /// Where the board stands.
    pub board_span: Span,
    /// Where each letter on the board stands first.
    pub letter_spans: BTreeMap<char, Span>,
    /// Rules in order, one per letter at most.
    pub rules: Vec<Rule>,
    /// The expressions of the rules.
    pub moves: Moves,
    /// Number of half-moves after which an undecided play is drawn; at least 1.
    pub limit: u32,
    /// Where the limit stands.
    pub limit_span: Span,
    /// Goals in order.
    pub goals: Vec<Goal>,
}

impl Description {
    /// The squares in reading order: top row first, from left to right.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        let width = self.width;
        (0..self.height).rev().flat_map(move |y| (0..width).map(move |x| Square { x, y }))
    }

    /// What is on a square at the start; `None` also outside the board.
    pub fn cell(&self, square: Square) -> Option<char> {
        if square.x >= self.width || square.y >= self.height {
            return None;
        }
        let row = self.height - 1 - square.y;
        self.cells.get((row * self.width + square.x) as usize).copied().flatten()
    }

    /// Number of pieces with that letter at the start. Linear in the board.
    pub fn count(&self, letter: char) -> u32 {
        let count = self.cells.iter().filter(|&&cell| cell == Some(letter)).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// The letters on the board, without repetition, upper case first, alphabetically.
    pub fn letters(&self) -> Vec<char> {
        let mut letters: Vec<char> = self.cells.iter().copied().flatten().collect();
        letters.sort_unstable();
        letters.dedup();
        letters
    }

    /// The rule of a letter of either case.
    pub fn rule(&self, letter: char) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.letter == letter.to_ascii_uppercase())
    }
}
