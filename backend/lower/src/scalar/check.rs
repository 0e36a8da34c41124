//! Reachability checks, whose answers are kept while maps stay as they are.

use super::super::{Failure, Lifter};
use super::area::Area;
use super::memory::SCOPES;
use super::walk::At;
use super::{Due, Goal, Walk};
use rg_ir::{Label, NodeId};
use wir::{Op, Reg};

/// Most edges of a check whose code is written where it is asked.
const MAX_INLINED: usize = 8;

impl Lifter<'_> {
    /// The walk at a node with a number for its scope and for what maps hold, if it has yet to get them and may still need them.
    pub(super) fn numbered(&mut self, (area, node): (&Area, NodeId), walk: &Walk) -> Walk {
        let mut walk = walk.clone();
        let due = std::mem::replace(&mut walk.due, Due::Nothing);
        let version = due == Due::ScopeAndVersion && area.may_check(node);
        let scope = due != Due::Nothing && area.may_mark(node);
        if version || scope {
            let scopes = self.peek(SCOPES);
            let one = self.function.builder.constant(1);
            let number = self.function.builder.op(Op::Add(scopes, one));
            self.poke(SCOPES, number);
            walk.scope = number;
            if version {
                walk.version = number;
            }
        }
        walk
    }

    /// Whether a check holds.
    pub(super) fn check_search(&mut self, from: NodeId, to: NodeId, walk: &Walk) -> Result<Reg, Failure> {
        let area = self.area(Goal::Check(to))?;
        if !area.region.contains(from) {
            return Ok(self.function.builder.constant(0));
        }
        if area.is_certain(from) {
            return Ok(self.function.builder.constant(1));
        }
        let walk = Walk { untested: 0, due: Due::Scope, ..walk.clone() };
        let Some(answers) = area.answers(from) else {
            return match self.is_small_check(&area, from) {
                true => {
                    let found = self.search_from(&area, from, walk.inside(), At::Begin)?;
                    Self::first_result(&found)
                }
                false => self.call_search(&area, from, &walk),
            };
        };
        let at = self.word_of(answers, &walk)?;
        let kept = self.peek_at(at);
        let version = self.function.builder.op(Op::ShrBy(kept, 1));
        let same = self.function.builder.op(Op::Eq(version, walk.version));
        self.open();
        let one = self.function.builder.constant(1);
        let answer = self.function.builder.and(kept, one);
        let then = self.close(vec![answer]);
        self.open();
        let moved = self.function.builder.op(Op::ShlBy(walk.version, 1));
        let found = self.call_search(&area, from, &walk)?;
        let kept = self.function.builder.or(moved, found);
        self.poke_at(at, kept);
        let other = self.close(vec![found]);
        let found = self.function.builder.if_else(same, then, other);
        Self::first_result(&found)
    }

    /// Whether the code of a check is short: from a node, there are few edges to walk, none of them twice, and no check among them.
    fn is_small_check(&self, area: &Area, from: NodeId) -> bool {
        let (mut open, mut edges) = (vec![from], 0);
        while let Some(node) = open.pop() {
            if area.mark(node).is_some() || area.is_recursive(node) {
                return false;
            }
            for id in area.ways(self, node) {
                let edge = self.game.automaton.edge(id);
                edges += 1;
                if edges > MAX_INLINED || matches!(edge.label, Label::Reach { .. }) {
                    return false;
                }
                if area.goal != Goal::Check(edge.target) {
                    open.push(edge.target);
                }
            }
        }
        true
    }
}
