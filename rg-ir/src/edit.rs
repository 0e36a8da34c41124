//! Changing a game as a whole: removing declarations, replacing expressions, making names.

use crate::automaton::Label;
use crate::expr::{Expr, Exprs};
use crate::game::{Game, Pragma};
use crate::ids::{ConstId, ExprId, Id, IdVec, NodeId, Symbol, TypeDeclId, VarId};
use crate::source::Span;
use crate::value::{MapLiteral, Value};
use rustc_hash::FxHashMap;

impl Label {
    /// Replaces the expressions of the label by what `change` makes of them.
    pub fn map_exprs(&mut self, mut change: impl FnMut(ExprId) -> ExprId) {
        match self {
            Label::Compare { lhs, rhs, .. } | Label::Assign { lhs, rhs } => {
                *lhs = change(*lhs);
                *rhs = change(*rhs);
            }
            Label::AssignAny { lhs, .. } => *lhs = change(*lhs),
            Label::Skip | Label::Tag(_) | Label::TagVar(_) | Label::Reach { .. } => {}
        }
    }
}

impl Game {
    /// Removes the declarations for which the functions say `false`, and renumbers the others in the same order.
    /// Nothing that stays may refer to what goes: neither edges and pragmas nor the types and values of declarations
    /// that stay. Expressions that neither an edge nor a pragma has are forgotten. O(size of the game).
    pub fn retain_declarations(
        &mut self,
        keep_type: impl Fn(TypeDeclId) -> bool,
        keep_const: impl Fn(ConstId) -> bool,
        keep_var: impl Fn(VarId) -> bool,
    ) {
        let mut types = IdVec::new();
        self.types.unbind_all();
        for (id, decl) in self.type_decls.iter() {
            if keep_type(id) {
                let id = types.push(decl.clone());
                self.types.bind(decl.name, id, decl.definition);
            }
        }
        self.type_decls = types;

        let (mut consts, mut const_ids) = (IdVec::new(), FxHashMap::default());
        for (id, decl) in self.consts.iter() {
            if keep_const(id) {
                const_ids.insert(id, consts.push(decl.clone()));
            }
        }
        for decl in consts.values_mut() {
            renumber(&mut decl.value, &const_ids);
        }
        let (mut vars, mut var_ids) = (IdVec::new(), FxHashMap::default());
        for (id, decl) in self.vars.iter() {
            if keep_var(id) {
                var_ids.insert(id, vars.push(decl.clone()));
            }
        }
        for decl in vars.values_mut() {
            renumber(&mut decl.initial, &const_ids);
        }
        self.const_names = consts.iter().rev().map(|(id, decl)| (decl.name, id)).collect();
        self.var_names = vars.iter().rev().map(|(id, decl)| (decl.name, id)).collect();
        (self.consts, self.vars) = (consts, vars);
        self.rebuild_exprs(&const_ids, &var_ids);
    }

    /// Puts the constants in the given order and renumbers them; does nothing unless `order` names each of them once.
    /// O(size of the game).
    pub fn order_constants(&mut self, order: &[ConstId]) {
        let ids: FxHashMap<ConstId, ConstId> = order.iter().copied().zip(self.consts.ids()).collect();
        let known = order.iter().all(|id| id.index() < self.consts.len());
        if !known || order.len() != self.consts.len() || ids.len() != order.len() {
            return;
        }
        self.consts = order.iter().map(|&id| self.consts[id].clone()).collect();
        for value in self.consts.values_mut().map(|decl| &mut decl.value) {
            renumber(value, &ids);
        }
        for value in self.vars.values_mut().map(|decl| &mut decl.initial) {
            renumber(value, &ids);
        }
        self.const_names = self.consts.iter().rev().map(|(id, decl)| (decl.name, id)).collect();
        self.rebuild_exprs(&ids, &FxHashMap::default());
    }

    /// Copies what edges and pragmas need into a new table, with new ids of constants and variables.
    fn rebuild_exprs(&mut self, consts: &FxHashMap<ConstId, ConstId>, vars: &FxHashMap<VarId, VarId>) {
        let old = std::mem::take(&mut self.exprs);
        let mut needed = fixedbitset::FixedBitSet::with_capacity(old.len());
        let mut roots = Vec::new();
        roots.extend(self.automaton.edges().flat_map(|(_, edge)| edge.label.exprs()));
        for decl in &self.pragmas {
            if let Pragma::SimpleApply { assignments, .. } = &decl.pragma {
                roots.extend(assignments.iter().flat_map(|&(lhs, rhs)| [lhs, rhs]));
            }
        }
        while let Some(id) = roots.pop() {
            if id.index() < old.len() && !needed.put(id.index()) {
                match old.get(id) {
                    Expr::Access(map, key) => roots.extend([map, key]),
                    Expr::Cast(_, inner) => roots.push(inner),
                    Expr::Const(_) | Expr::Var(_) | Expr::Symbol(_) => {}
                }
            }
        }
        // Parts have smaller ids than what they are part of.
        let (mut new, mut ids) = (Exprs::default(), FxHashMap::default());
        let moved = |ids: &FxHashMap<ExprId, ExprId>, id: ExprId| ids.get(&id).copied().unwrap_or(id);
        for id in needed.ones().map(ExprId::from_index) {
            let expr = match old.get(id) {
                Expr::Const(id) => Expr::Const(consts.get(&id).copied().unwrap_or(id)),
                Expr::Var(id) => Expr::Var(vars.get(&id).copied().unwrap_or(id)),
                Expr::Symbol(symbol) => Expr::Symbol(symbol),
                Expr::Access(map, key) => Expr::Access(moved(&ids, map), moved(&ids, key)),
                Expr::Cast(ty, inner) => Expr::Cast(ty, moved(&ids, inner)),
            };
            ids.insert(id, new.intern(expr));
        }
        self.exprs = new;
        self.automaton.edit_edges(|_, edge| {
            edge.label.map_exprs(|id| moved(&ids, id));
            if let Label::TagVar(id) = &mut edge.label {
                *id = vars.get(id).copied().unwrap_or(*id);
            }
            true
        });
        for decl in &mut self.pragmas {
            if let Pragma::SimpleApply { assignments, .. } = &mut decl.pragma {
                for (lhs, rhs) in assignments {
                    (*lhs, *rhs) = (moved(&ids, *lhs), moved(&ids, *rhs));
                }
            }
        }
    }

    /// A name that no declaration, node or symbol has: `stem`, or `stem_2`, `stem_3`, …
    pub fn fresh_name(&mut self, stem: &str) -> Symbol {
        if self.symbols.get(stem).is_none() {
            return self.symbols.intern(stem);
        }
        // Names of one stem are mostly asked for in a row.
        let start = self.fresh.get(stem).copied().unwrap_or(2);
        let mut number = start;
        loop {
            let name = format!("{stem}_{number}");
            number += 1;
            if self.symbols.get(&name).is_none() {
                self.fresh.insert(stem.to_owned(), number);
                return self.symbols.intern(&name);
            }
        }
    }

    /// A new node whose name begins with `stem`.
    pub fn fresh_node(&mut self, stem: &str, span: Span) -> NodeId {
        let name = self.fresh_name(stem);
        self.node(name, span)
    }

    /// Removes a node with its edges. `begin` and `end` stay.
    pub fn remove_node(&mut self, node: NodeId) {
        if node != self.begin() && node != self.end() && self.automaton.contains_node(node) {
            self.node_names.remove(&self.automaton.node(node).name);
            self.automaton.remove_node(node);
        }
    }
}

/// Gives the constants in a value their new ids. The value of a valid game nests as deep as its type.
fn renumber(value: &mut Value, ids: &FxHashMap<ConstId, ConstId>) {
    match value {
        Value::Symbol(_) => {}
        Value::Const(id) => *id = ids.get(id).copied().unwrap_or(*id),
        Value::Map(MapLiteral { entries }) => entries.iter_mut().for_each(|(_, value)| renumber(value, ids)),
    }
}
