//! What the keeper does: the next state, `terminal`, goals.

use super::atoms::Group;
use super::build::Build;
use super::names::as_score;
use crate::ground::{AtomId, AtomKind, GroundRule};
use rg_ir::Label;
use rg_ir::ids::{ExprId, NodeId};

/// Conditions that the keeper tests in one move, about.
const MOVE_SIZE: usize = 200;

impl Build<'_> {
    /// The whole automaton.
    pub(super) fn game_loop(&mut self) {
        let begin = self.game.begin();
        let state = self.node("state");
        self.edge(begin, state, Label::Skip);
        let hidden =
            if self.program.has_percepts() { vec![(self.built_in("visible"), self.sight(false))] } else { Vec::new() };
        let begun = self.assign_all(state, &hidden);
        let ready = self.compute_state(begun);
        let going = self.finish_if_terminal(ready);
        let step = self.plies(going);
        let done = self.compute_next(step);
        self.edge(done, state, Label::Skip);
    }

    /// Computes the atoms that are variables of the state.
    fn compute_state(&mut self, from: NodeId) -> NodeId {
        let zero: Vec<(ExprId, ExprId)> = self.state_families.iter().map(|family| (family.var, family.zero)).collect();
        let at = self.assign_all(from, &zero);
        let groups = std::mem::take(&mut self.forms.state);
        self.compute_groups(at, &groups)
    }

    /// Computes the next state and copies it over the old one.
    fn compute_next(&mut self, from: NodeId) -> NodeId {
        let zero: Vec<(ExprId, ExprId)> = self.step_families.iter().map(|family| (family.var, family.zero)).collect();
        let mut at = self.assign_all(from, &zero);
        let groups = std::mem::take(&mut self.forms.step);
        at = self.compute_groups(at, &groups);
        at = self.tell(at);
        let copies: Vec<(ExprId, ExprId)> = self.families.iter().map(|(now, next)| (now.var, next.var)).collect();
        let clears: Vec<(ExprId, ExprId)> = self.families.iter().map(|(_, next)| (next.var, next.zero)).collect();
        at = self.assign_all(at, &copies);
        self.assign_all(at, &clears)
    }

    /// Tells players what they see (GDL-II), one tag per percept.
    fn tell(&mut self, from: NodeId) -> NodeId {
        if !self.program.has_percepts() {
            return from;
        }
        let (ground, visible, sights, mut at) = (self.ground, self.built_in("visible"), self.sights(), from);
        for (number, kind) in (0..).zip(&ground.atoms) {
            let &AtomKind::Sees(role, percept) = kind else { continue };
            let Some(&Some(rhs)) = sights.get(role as usize) else { continue };
            let (seen, shown, next) = (self.node("sees"), self.node("shown"), self.node("told"));
            self.cascade(at, ground.rules_of(AtomId(number)), seen, next);
            self.edge(seen, shown, Label::Assign { lhs: visible, rhs });
            let tag = self.percept(percept);
            self.edge(shown, next, Label::Tag(tag));
            at = next;
        }
        at
    }

    fn compute_groups(&mut self, from: NodeId, groups: &[Group]) -> NodeId {
        let (mut at, mut size) = (from, 0);
        for group in groups {
            if group.cyclic {
                at = self.fixpoint(at, group);
                size = MOVE_SIZE;
                continue;
            }
            for &atom in &group.atoms {
                let Some(&cell) = self.atom_cells.get(&atom) else { continue };
                (at, size) = self.pause(at, size, atom);
                at = self.set_if(at, atom, cell);
            }
        }
        at
    }

    /// Ends the keeper's move if it has become long, and begins another one: engines look at moves as a whole.
    fn pause(&mut self, at: NodeId, size: usize, atom: AtomId) -> (NodeId, usize) {
        let own: usize = self.ground.rules_of(atom).iter().map(|rule| rule.body.len()).sum();
        if size + own <= MOVE_SIZE {
            return (at, size + own);
        }
        (self.keep_on(at), own)
    }

    /// `player = keeper`
    fn keep_on(&mut self, at: NodeId) -> NodeId {
        let (keeper, next) = (self.symbol("keeper"), self.node("keep_on"));
        self.give(at, next, keeper);
        next
    }

    /// `cell = 1` if a rule of the atom fires.
    fn set_if(&mut self, from: NodeId, atom: AtomId, cell: ExprId) -> NodeId {
        let rules = self.ground.rules_of(atom);
        if rules.is_empty() {
            return from;
        }
        let (set, join) = (self.node("set"), self.node("next"));
        self.cascade(from, rules, set, join);
        self.edge(set, join, Label::Assign { lhs: cell, rhs: self.one });
        join
    }

    /// To `yes` if one of the rules fires, else to `no`: deterministic.
    pub(super) fn cascade(&mut self, from: NodeId, rules: &[GroundRule], yes: NodeId, no: NodeId) {
        let mut at = from;
        for (number, rule) in rules.iter().enumerate() {
            let last = number + 1 == rules.len();
            let failed = if last { no } else { self.node("else") };
            let Some((final_condition, before)) = rule.body.split_last() else {
                return self.edge(at, yes, Label::Skip);
            };
            for condition in before {
                let next = self.node("and");
                self.branch(at, condition, next, failed);
                at = next;
            }
            self.branch(at, final_condition, yes, failed);
            at = failed;
        }
        if rules.is_empty() {
            self.edge(from, no, Label::Skip);
        }
    }

    fn branch(&mut self, at: NodeId, condition: &crate::ground::Condition, yes: NodeId, no: NodeId) {
        let (met, failed) = (self.label(condition, false), self.label(condition, true));
        self.edge(at, yes, met);
        if met != Label::Skip {
            self.edge(at, no, failed);
        }
    }

    /// The least fixpoint of atoms that depend on each other: rounds until nothing changes. Every round but the last sets
    /// a cell, so there are at most as many as atoms, and one more.
    fn fixpoint(&mut self, from: NodeId, group: &Group) -> NodeId {
        let changed = self.flag();
        let (start, round, done) = (self.node("fixpoint"), self.node("round"), self.node("fixed"));
        let keeper = self.symbol("keeper");
        self.give(from, start, keeper);
        self.edge(start, round, Label::Assign { lhs: changed, rhs: self.zero });
        let (mut at, mut size) = (round, 0);
        for &atom in &group.atoms {
            let Some(&cell) = self.atom_cells.get(&atom) else { continue };
            (at, size) = self.pause(at, size, atom);
            let rules = self.ground.rules_of(atom);
            let (unset, set, new, next) = (self.node("unset"), self.node("set"), self.node("new"), self.node("round"));
            self.edge(at, unset, Label::Compare { lhs: cell, rhs: self.one, negated: true });
            self.edge(at, next, Label::Compare { lhs: cell, rhs: self.one, negated: false });
            self.cascade(unset, rules, set, next);
            self.edge(set, new, Label::Assign { lhs: cell, rhs: self.one });
            self.edge(new, next, Label::Assign { lhs: changed, rhs: self.one });
            at = next;
        }
        let again = self.node("again");
        self.edge(at, again, Label::Compare { lhs: changed, rhs: self.one, negated: false });
        self.give(again, start, keeper);
        self.edge(at, done, Label::Compare { lhs: changed, rhs: self.one, negated: true });
        done
    }

    /// Ends the play with its scores if `terminal` holds; returns where it goes on.
    fn finish_if_terminal(&mut self, from: NodeId) -> NodeId {
        let (over, going) = (self.node("terminal"), self.node("going"));
        let ground = self.ground;
        let find = |kind: &AtomKind| matches!(kind, AtomKind::Terminal);
        match ground.atoms.iter().position(find) {
            Some(atom) if !ground.rules_of(AtomId(atom as u32)).is_empty() => {
                self.cascade(from, ground.rules_of(AtomId(atom as u32)), over, going);
            }
            // The play never ends. RG wants a way to the end all the same: one that is never taken.
            _ => {
                let player = self.built_in("player");
                let keeper = self.symbol("keeper");
                self.edge(from, going, Label::Compare { lhs: player, rhs: keeper, negated: false });
                self.edge(from, over, Label::Compare { lhs: player, rhs: keeper, negated: true });
            }
        }
        let scored = self.scores(over);
        let (keeper, end) = (self.symbol("keeper"), self.game.end());
        self.give(scored, end, keeper);
        going
    }

    /// Sets the goals: per role the greatest number that holds; the first score if none does.
    fn scores(&mut self, from: NodeId) -> NodeId {
        let ground = self.ground;
        let mut at = from;
        for role in 0..self.players.len() {
            let Some(lhs) = self.players.get(role).map(|player| player.goal) else { continue };
            let mut values: Vec<(u64, String, AtomId)> = Vec::new();
            for (number, kind) in (0..).zip(&ground.atoms) {
                if let AtomKind::Goal(other, value) = kind
                    && *other as usize == role
                    && !ground.rules_of(AtomId(number)).is_empty()
                {
                    let text = self.program.terms.kif(&self.program.words, *value);
                    values.extend(as_score(&text).map(|score| (score, text, AtomId(number))));
                }
            }
            values.sort_by(|a, b| b.cmp(a));
            let scored = self.node("scored");
            for (_, score, atom) in values {
                let (set, other) = (self.node("score"), self.node("else"));
                self.cascade(at, ground.rules_of(atom), set, other);
                let rhs = self.symbol(&score);
                self.edge(set, scored, Label::Assign { lhs, rhs });
                at = other;
            }
            self.edge(at, scored, Label::Skip);
            at = scored;
        }
        at
    }

    /// Assignments in order.
    pub(super) fn assign_all(&mut self, from: NodeId, list: &[(ExprId, ExprId)]) -> NodeId {
        let mut at = from;
        for &(lhs, rhs) in list {
            let next = self.node("assigned");
            self.edge(at, next, Label::Assign { lhs, rhs });
            at = next;
        }
        at
    }
}
