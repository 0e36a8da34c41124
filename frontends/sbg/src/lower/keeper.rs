//! What the keeper does after a half-move (section 4.2): the piece is moved, then goals are tested in order.

use super::vocabulary::first_capture_decides;
use super::{Lowering, Side, Turn};
use crate::ast::GoalKind;
use crate::notation;
use rg_ir::ids::{ExprId, NodeId};
use rg_ir::{Label, Span};

/// Where decided plays go.
pub(super) struct Ends {
    white: NodeId,
    black: NodeId,
    draw: NodeId,
}

impl Ends {
    /// Where a play goes that a player has won.
    pub(super) fn won_by(&self, side: Side) -> NodeId {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }
}

impl Lowering<'_> {
    /// The ends of plays: scores are set, and the game is over.
    pub(super) fn ends(&mut self) -> Ends {
        let over = self.node("over", Span::NONE);
        let end = self.vocabulary.game.end();
        self.give(over, end, "keeper", Span::NONE);
        let [white, black] = Side::BOTH.map(|side| {
            let won = self.node(&format!("won_{}", side.name()), Span::NONE);
            self.score(won, over, side, "100", Span::NONE);
            won
        });
        let span = self.description.limit_span;
        let (draw, shared) = (self.node("draw", span), self.node("shared", span));
        self.score(draw, shared, Side::White, "50", span);
        self.score(shared, over, Side::Black, "50", span);
        Ends { white, black, draw }
    }

    /// `goals[side] = score`; scores begin as 0.
    fn score(&mut self, at: NodeId, to: NodeId, side: Side, score: &str, span: Span) {
        let (goals, player) = (self.vocabulary.built_in("goals"), self.vocabulary.symbol(side.name()));
        let lhs = self.vocabulary.access(goals, player);
        let rhs = self.vocabulary.symbol(score);
        self.edge(at, to, Label::Assign { lhs, rhs }, span);
    }

    /// Moves a piece from `from` to `pos`. The old square is cleared first, so that a pass changes nothing. Then the `@`
    /// entries of the piece.
    pub(super) fn put(&mut self, at: NodeId, letter: char, moved: NodeId, won: NodeId, span: Span) {
        let (from, here) = (self.vocabulary.var(self.vocabulary.from), self.vocabulary.here());
        let lhs = self.vocabulary.access(self.vocabulary.board, from);
        let rhs = self.vocabulary.symbol(notation::EMPTY);
        let mut at = self.assign(at, "lift", lhs, rhs, span);
        if let Some(captured) = self.vocabulary.captured {
            at = self.assign(at, "capture", captured, here, span);
        }
        let piece = self.vocabulary.symbol(&letter.to_string());
        let Some(&goal) = self.vocabulary.goal_squares.get(&letter) else {
            return self.edge(at, moved, Label::Assign { lhs: here, rhs: piece }, span);
        };
        let at = self.assign(at, "put", here, piece, span);
        let pos = self.vocabulary.var(self.vocabulary.pos);
        let (reached, yes) = (self.vocabulary.access(goal, pos), self.vocabulary.symbol("1"));
        self.branch(at, reached, yes, won, moved, span);
    }

    /// Counts the half-move and what was captured, then tests the `#` entries and the limit. Returns where the play goes
    /// on.
    pub(super) fn judge(&mut self, moved: NodeId, ends: &Ends) -> NodeId {
        let turn = self.vocabulary.turn;
        let next = self.vocabulary.access(self.vocabulary.next, turn);
        let mut at = self.assign(moved, "counted", turn, next, Span::NONE);
        at = self.count(at);
        let description = self.description;
        for goal in &description.goals {
            let GoalKind::Count(n) = goal.kind else { continue };
            let count = description.count(goal.letter);
            let (lhs, rhs) = if n > count {
                continue;
            } else if let Some(captured) = self.vocabulary.captured.filter(|_| first_capture_decides(n, count)) {
                (captured, self.vocabulary.symbol(&goal.letter.to_string()))
            } else if let Some(&counter) = self.vocabulary.counters.get(&goal.letter) {
                (counter, self.vocabulary.symbol(&n.to_string()))
            } else {
                continue;
            };
            let open = self.node("open", goal.span);
            let winner = Side::of(goal.letter).other();
            self.branch(at, lhs, rhs, ends.won_by(winner), open, goal.span);
            at = open;
        }
        let open = self.node("open", description.limit_span);
        let last = self.vocabulary.symbol(&description.limit.to_string());
        self.branch(at, turn, last, ends.draw, open, description.limit_span);
        self.reset(open)
    }

    /// Updates the counters.
    fn count(&mut self, mut at: NodeId) -> NodeId {
        let (Some(captured), Some(fewer)) = (self.vocabulary.captured, self.vocabulary.fewer) else { return at };
        let counters: Vec<(char, ExprId)> = self.vocabulary.counters.iter().map(|(&l, &c)| (l, c)).collect();
        for (letter, counter) in counters {
            let (lost, next) = (self.node("lost", Span::NONE), self.node("counted", Span::NONE));
            let piece = self.vocabulary.symbol(&letter.to_string());
            self.branch(at, captured, piece, lost, next, Span::NONE);
            let rhs = self.vocabulary.access(fewer, counter);
            self.edge(lost, next, Label::Assign { lhs: counter, rhs }, Span::NONE);
            at = next;
        }
        at
    }

    /// Forgets the move, so that equal positions are equal states.
    fn reset(&mut self, at: NodeId) -> NodeId {
        let home = self.description.squares().next().map(notation::square).unwrap_or_default();
        let home = self.vocabulary.symbol(&home);
        let (from, pos) = (self.vocabulary.var(self.vocabulary.from), self.vocabulary.var(self.vocabulary.pos));
        let mut at = self.assign(at, "reset", from, home, Span::NONE);
        at = self.assign(at, "reset", pos, home, Span::NONE);
        if let Some(captured) = self.vocabulary.captured {
            let empty = self.vocabulary.symbol(notation::EMPTY);
            at = self.assign(at, "reset", captured, empty, Span::NONE);
        }
        at
    }

    /// Gives the turn to the player who is next, if there is a legal move; otherwise the play goes to `blocked`.
    pub(super) fn hand_over(&mut self, at: NodeId, next: &Turn, blocked: NodeId) {
        let Some((from, to)) = next.can_move else {
            return self.edge(at, blocked, Label::Skip, Span::NONE);
        };
        let free = self.node("free", Span::NONE);
        self.edge(at, free, Label::Reach { from, to, negated: false }, Span::NONE);
        self.edge(at, blocked, Label::Reach { from, to, negated: true }, Span::NONE);
        self.give(free, next.turn, next.side.name(), Span::NONE);
    }

    /// `lhs = rhs`, to a new node.
    fn assign(&mut self, at: NodeId, name: &str, lhs: ExprId, rhs: ExprId, span: Span) -> NodeId {
        let next = self.node(name, span);
        self.edge(at, next, Label::Assign { lhs, rhs }, span);
        next
    }

    /// To `yes` if the sides are equal, else to `no`.
    fn branch(&mut self, at: NodeId, lhs: ExprId, rhs: ExprId, yes: NodeId, no: NodeId, span: Span) {
        self.edge(at, yes, Label::Compare { lhs, rhs, negated: false }, span);
        self.edge(at, no, Label::Compare { lhs, rhs, negated: true }, span);
    }
}
