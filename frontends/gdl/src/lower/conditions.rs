//! Conditions as labels of edges, and checks.

use super::atoms::Form;
use super::build::{Build, Player};
use super::names::identifier;
use crate::ground::{AtomId, AtomKind, Condition, MoveSet};
use rg_ir::expr::Expr;
use rg_ir::ids::{ExprId, NodeId};
use rg_ir::{Label, Span, Value};

/// Entries of all tables of moves together; sets that do not fit are checks.
const MAX_ENTRIES: usize = 1 << 23;

impl Build<'_> {
    /// The label that tests a condition, or that it fails.
    pub(super) fn label(&mut self, condition: &Condition, negated: bool) -> Label {
        match condition {
            Condition::Holds(atom) => self.atom_label(*atom, negated),
            Condition::Fails(atom) => self.atom_label(*atom, !negated),
            Condition::Does(set) => self.set_label(set, negated),
        }
    }

    fn atom_label(&mut self, atom: AtomId, negated: bool) -> Label {
        let cell = match (self.forms.form[atom.index()], &self.ground.atoms[atom.index()]) {
            (Form::Fluent, AtomKind::True(fluent)) => self.cells[*fluent as usize].map(|(now, _)| now),
            (Form::State | Form::Step, _) => self.atom_cells.get(&atom).copied(),
            _ => None,
        };
        match cell {
            // Cells are compared with `1` always, so that equal conditions are equal labels.
            Some(lhs) => Label::Compare { lhs, rhs: self.one, negated },
            None => Label::Reach { from: self.check(atom), to: self.holds, negated },
        }
    }

    fn set_label(&mut self, set: &MoveSet, negated: bool) -> Label {
        let player = self.players.get(set.role as usize);
        let choice = player.and_then(|player| player.choice).map(|(_, choice)| choice);
        let only = match &*set.moves {
            &[only] => player.and_then(|player| player.moves.get(only as usize)).copied(),
            _ => None,
        };
        let Some(choice) = choice else { return Label::Skip };
        if let Some(rhs) = only {
            return Label::Compare { lhs: choice, rhs, negated: negated != set.except };
        }
        let count = player.map_or(0, |player| player.moves.len());
        let table = match self.sets.get(set) {
            Some(&table) => table,
            None if self.entries + count > MAX_ENTRIES => {
                let from = self.set_check(set, choice);
                return Label::Reach { from, to: self.holds, negated: negated != set.except };
            }
            None => {
                self.entries += count;
                let table = self.declare_set(set);
                self.sets.insert(set.clone(), table);
                table
            }
        };
        let lhs = self.game.exprs.intern(Expr::Access(table, choice));
        Label::Compare { lhs, rhs: self.one, negated }
    }

    /// Where the check starts whether the choice is one of the moves that a set lists.
    fn set_check(&mut self, set: &MoveSet, choice: ExprId) -> NodeId {
        if let Some(&node) = self.set_checks.get(set) {
            return node;
        }
        let start = self.node("one_of");
        self.set_checks.insert(set.clone(), start);
        let list = |player: &Player| {
            set.moves.iter().filter_map(|&action| player.moves.get(action as usize).copied()).collect()
        };
        let moves: Vec<ExprId> = self.players.get(set.role as usize).map(list).unwrap_or_default();
        for rhs in moves {
            self.edge(start, self.holds, Label::Compare { lhs: choice, rhs, negated: false });
        }
        start
    }

    /// A constant that says which moves are in a set.
    fn declare_set(&mut self, set: &MoveSet) -> ExprId {
        let (zero, one) = (self.game.symbols.intern("0"), self.game.symbols.intern("1"));
        let (default, other) = if set.except { (one, zero) } else { (zero, one) };
        let mut entries = Vec::new();
        let mut ty = self.bool_type;
        let mut stem = String::new();
        if let Some(player) = self.players.get(set.role as usize) {
            stem = format!("{}_moves", player.name);
            for &action in player
                .moves
                .iter()
                .enumerate()
                .filter_map(|(n, action)| set.moves.binary_search(&(n as u32)).is_ok().then_some(action))
            {
                if let Expr::Symbol(key) = self.game.exprs.get(action) {
                    entries.push((key, Value::Symbol(other)));
                }
            }
            if let Some(key) = player.ty {
                ty = self.game.types.arrow(key, self.bool_type);
            }
        }
        let name = self.values.fresh(&stem);
        let name = self.game.symbols.intern(&name);
        let id = self.game.add_const(name, ty, Value::map(Value::Symbol(default), entries), Span::NONE);
        self.game.exprs.intern(Expr::Const(id))
    }

    /// Where the check of an atom starts; made when it is first asked for. Checks nest at most as deep as
    /// [`Forms`] allows, so the recursion is bounded.
    fn check(&mut self, atom: AtomId) -> NodeId {
        if let Some(&node) = self.checks.get(&atom) {
            return node;
        }
        let name = self.atom_text(atom);
        let start = self.node(&identifier(&name));
        self.checks.insert(atom, start);
        let (node, term) = (self.game.node_name(start).to_owned(), self.atom_term(atom));
        self.vocabulary.checks.insert(node, term);
        let ground = self.ground;
        for rule in ground.rules_of(atom) {
            self.path(start, &rule.body, self.holds);
        }
        start
    }

    /// A path of conditions.
    pub(super) fn path(&mut self, from: NodeId, conditions: &[Condition], to: NodeId) {
        let Some((last, before)) = conditions.split_last() else { return self.edge(from, to, Label::Skip) };
        let mut at = from;
        for condition in before {
            let next = self.node("and");
            let label = self.label(condition, false);
            self.edge(at, next, label);
            at = next;
        }
        let label = self.label(last, false);
        self.edge(at, to, label);
    }
}
