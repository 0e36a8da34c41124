//! The turn of a player: choosing a piece and walking its automaton.

use super::{Lowering, Side};
use crate::ast::{On, Step};
use crate::automaton::Words;
use crate::notation;
use rg_ir::ids::{ExprId, NodeId};
use rg_ir::{Label, Span};

impl Lowering<'_> {
    /// The moves of `side` from the node `turn`; every move ends in the keeper's hands, at `won` if it reaches a goal
    /// square, else at `moved`.
    pub(super) fn turn(&mut self, side: Side, turn: NodeId, moved: NodeId, won: NodeId) {
        let chosen = self.choose(turn, side);
        for number in 0..self.movers.len() {
            let Some((letter, words, span)) = self.mover(number, side) else { continue };
            let start = self.take(chosen, letter, span);
            let told = self.node(&format!("told_{letter}"), span);
            let walk = self.node(&format!("walk_{letter}"), span);
            self.edge(start, told, Label::TagVar(self.vocabulary.from), span);
            let (from, pos) = (self.vocabulary.var(self.vocabulary.from), self.vocabulary.var(self.vocabulary.pos));
            self.edge(told, walk, Label::Assign { lhs: pos, rhs: from }, span);
            let arrived = self.node(&format!("arrived_{letter}"), span);
            self.walk(side, letter, &words, walk, arrived, span);
            let done = self.node(&format!("done_{letter}"), span);
            self.edge(arrived, done, Label::TagVar(self.vocabulary.pos), span);
            let keeper = self.node(&format!("keeper_{letter}"), span);
            self.give(done, keeper, "keeper", span);
            self.put(keeper, letter, moved, won, span);
        }
    }

    /// The automaton that tells whether `side` has a legal move: where it starts and where it arrives; `None` if no piece
    /// of that side can ever move.
    pub(super) fn can_move(&mut self, side: Side) -> Option<(NodeId, NodeId)> {
        self.movers.iter().find(|mover| mover.side == side)?;
        let start = self.node(&format!("can_{}", side.name()), Span::NONE);
        let success = self.node(&format!("could_{}", side.name()), Span::NONE);
        let chosen = self.choose(start, side);
        for number in 0..self.movers.len() {
            let Some((letter, words, span)) = self.mover(number, side) else { continue };
            let taken = self.take(chosen, letter, span);
            let walk = self.node(&format!("try_{letter}"), span);
            let (from, pos) = (self.vocabulary.var(self.vocabulary.from), self.vocabulary.var(self.vocabulary.pos));
            self.edge(taken, walk, Label::Assign { lhs: pos, rhs: from }, span);
            self.walk(side, letter, &words.shortest(), walk, success, span);
        }
        Some((start, success))
    }

    fn mover(&self, number: usize, side: Side) -> Option<(char, Words, Span)> {
        let mover = self.movers.get(number).filter(|mover| mover.side == side)?;
        Some((mover.letter, mover.words.clone(), mover.span))
    }

    /// `from = Square(*)`
    fn choose(&mut self, at: NodeId, side: Side) -> NodeId {
        let chosen = self.node(&format!("chosen_{}", side.name()), Span::NONE);
        let lhs = self.vocabulary.var(self.vocabulary.from);
        let ty = self.vocabulary.square_type;
        self.edge(at, chosen, Label::AssignAny { lhs, ty }, Span::NONE);
        chosen
    }

    /// `board[from] == letter`
    fn take(&mut self, at: NodeId, letter: char, span: Span) -> NodeId {
        let taken = self.node(&format!("taken_{letter}"), span);
        let from = self.vocabulary.var(self.vocabulary.from);
        let lhs = self.vocabulary.access(self.vocabulary.board, from);
        let rhs = self.vocabulary.symbol(&letter.to_string());
        self.edge(at, taken, Label::Compare { lhs, rhs, negated: false }, span);
        taken
    }

    /// The automaton on `pos` from `start` to `end`. A state from which nothing goes on is `end` itself.
    fn walk(&mut self, side: Side, letter: char, words: &Words, start: NodeId, end: NodeId, span: Span) {
        let mut nodes = Vec::with_capacity(words.transitions.len());
        for (state, transitions) in (0..).zip(&words.transitions) {
            nodes.push(match state {
                0 => start,
                _ if transitions.is_empty() && words.accepts(state) => end,
                _ => self.node(&format!("walk_{letter}"), span),
            });
        }
        for (state, &node) in (0..).zip(&nodes) {
            if words.accepts(state) && node != end {
                self.edge(node, end, Label::Skip, span);
            }
            // Transitions are sorted: those with one displacement stand together.
            for steps in words.from(state).chunk_by(|(a, _), (b, _)| (a.dx, a.dy) == (b.dx, b.dy)) {
                let landed = steps.first().map_or(node, |(step, _)| self.go(node, letter, step, span));
                for (step, to) in steps {
                    let to = nodes.get(*to as usize).copied().unwrap_or(end);
                    self.test(landed, to, side, step.on, span);
                }
            }
        }
    }

    /// `pos = by_x_y[pos]`, `pos != off`
    fn go(&mut self, at: NodeId, letter: char, step: &Step, span: Span) -> NodeId {
        let Some(&map) = self.vocabulary.displacements.get(&(step.dx, step.dy)) else { return at };
        let gone = self.node(&format!("gone_{letter}"), span);
        let landed = self.node(&format!("landed_{letter}"), span);
        let pos = self.vocabulary.var(self.vocabulary.pos);
        let rhs = self.vocabulary.access(map, pos);
        self.edge(at, gone, Label::Assign { lhs: pos, rhs }, span);
        let off = self.vocabulary.symbol(notation::OFF);
        self.edge(gone, landed, Label::Compare { lhs: pos, rhs: off, negated: true }, span);
        landed
    }

    /// What must be on the square.
    fn test(&mut self, at: NodeId, to: NodeId, side: Side, on: On, span: Span) {
        let here = self.vocabulary.here();
        let (lhs, rhs) = match Self::owner(side, on) {
            None => (here, self.vocabulary.symbol(notation::EMPTY)),
            Some(side) => (self.vocabulary.access(self.vocabulary.owner, here), self.vocabulary.symbol(side.name())),
        };
        self.edge(at, to, Label::Compare { lhs, rhs, negated: false }, span);
    }

    /// `player = name`
    pub(super) fn give(&mut self, at: NodeId, to: NodeId, name: &str, span: Span) {
        let lhs = self.vocabulary.built_in("player");
        let rhs: ExprId = self.vocabulary.symbol(name);
        self.edge(at, to, Label::Assign { lhs, rhs }, span);
    }

    pub(super) fn edge(&mut self, from: NodeId, to: NodeId, label: Label, span: Span) {
        self.vocabulary.game.automaton.add_edge(from, to, label, span);
    }
}
