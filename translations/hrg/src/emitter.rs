//! Text of statements and conditions for the steps of walks.

use crate::build::Emitter;
use crate::code::{Cond, Stmt};
use crate::flow::{Flow, Step};
use crate::names::Names;
use rg_ir::{ConstId, Expr, ExprId, Game, Label, NodeId, Symbol, TypeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// What a check is in HRG.
#[derive(Clone, Debug)]
pub(crate) enum Check {
    /// Whether walks come through a graph.
    Graph(String),
    /// It always or never holds.
    Fixed(bool),
}

/// The variable in which walks store a node before they meet in a dispatch.
#[derive(Default)]
pub(crate) struct DispatchVariable {
    /// Its name, its domain, and its value when nothing is stored; none as long as there is no dispatch.
    pub(crate) declared: Option<[String; 3]>,
    /// The other values, by the flow and its node.
    places: FxHashMap<(usize, usize), String>,
    /// These, in the order in which they were made.
    pub(crate) order: Vec<String>,
}

/// Everything that has a name in the program.
pub(crate) struct HrgEmitter<'s> {
    pub(crate) game: &'s Game,
    pub(crate) names: RefCell<Names>,
    pub(crate) vars: FxHashMap<VarId, String>,
    pub(crate) consts: FxHashMap<ConstId, String>,
    /// Domains of which any value is assigned.
    pub(crate) sets: FxHashMap<TypeId, String>,
    pub(crate) checks: FxHashMap<(NodeId, NodeId), Check>,
    pub(crate) artificial: FxHashSet<Symbol>,
    pub(crate) dispatch: RefCell<DispatchVariable>,
    /// The number of the flow that is emitted.
    pub(crate) flow: usize,
}

impl HrgEmitter<'_> {
    /// An expression. Its depth is limited before.
    fn expr(&self, id: ExprId) -> String {
        match self.game.exprs.get(id) {
            Expr::Var(var) => self.vars.get(&var).cloned().unwrap_or_default(),
            Expr::Const(constant) => self.consts.get(&constant).cloned().unwrap_or_default(),
            Expr::Symbol(symbol) => self.names.borrow().value(self.game, symbol),
            Expr::Cast(_, inner) => self.expr(inner),
            Expr::Access(..) => self.access(id),
        }
    }

    fn access(&self, id: ExprId) -> String {
        let (mut root, mut keys) = (id, Vec::new());
        while let Expr::Access(map, key) = self.game.exprs.get(root) {
            keys.push(self.expr(key));
            root = map;
        }
        keys.reverse();
        let name = self.expr(root);
        let is_function = matches!(self.game.exprs.get(root), Expr::Const(_));
        // A name with an upper-case letter before `(` would be a constructor.
        if is_function && !name.starts_with(char::is_uppercase) {
            return format!("{name}({})", keys.join(", "));
        }
        let keys: String = keys.iter().map(|key| format!("[{key}]")).collect();
        name + &keys
    }

    /// The variable of dispatches, and its value for a node of this flow.
    fn target(&self, flow: &Flow, node: usize) -> [String; 2] {
        let mut dispatch = self.dispatch.borrow_mut();
        let mut names = self.names.borrow_mut();
        let declared =
            dispatch.declared.get_or_insert_with(|| ["onward", "Onward", "nowhere"].map(|name| names.fresh(name)));
        let variable = declared[0].clone();
        if let Some(place) = dispatch.places.get(&(self.flow, node)) {
            return [variable, place.clone()];
        }
        let stem = self.node(flow, node);
        let place = names.fresh(&if stem.is_empty() { format!("to_{node}") } else { format!("to_{stem}") });
        dispatch.places.insert((self.flow, node), place.clone());
        dispatch.order.push(place.clone());
        [variable, place]
    }
}

impl Emitter for HrgEmitter<'_> {
    fn statement(&self, flow: &Flow, step: Step) -> Option<Stmt> {
        match step {
            Step::Edge(Label::Assign { lhs, rhs }) => Some(Stmt::Assign(self.expr(lhs), self.expr(rhs))),
            Step::Edge(Label::AssignAny { lhs, ty }) => {
                Some(Stmt::AssignAny(self.expr(lhs), self.sets.get(&ty).cloned().unwrap_or_default()))
            }
            Step::Edge(Label::Tag(tag)) => {
                let word = self.names.borrow().word(self.game, tag).to_owned();
                Some(Stmt::Tag(word, self.artificial.contains(&tag)))
            }
            Step::Edge(Label::TagVar(var)) => Some(Stmt::TagVar(self.vars.get(&var).cloned().unwrap_or_default())),
            Step::SetTarget(node) => {
                let [variable, place] = self.target(flow, node);
                Some(Stmt::Assign(variable, place))
            }
            Step::ClearTarget => {
                let dispatch = self.dispatch.borrow();
                let [variable, _, nowhere] = dispatch.declared.clone()?;
                Some(Stmt::Assign(variable, nowhere))
            }
            Step::End => Some(Stmt::End),
            Step::Skip | Step::IfTarget(..) | Step::Edge(Label::Skip | Label::Compare { .. } | Label::Reach { .. }) => {
                None
            }
        }
    }

    fn condition(&self, flow: &Flow, step: Step) -> Option<Cond> {
        match step {
            Step::Edge(Label::Compare { lhs, rhs, negated }) => {
                Some(Cond::Equal(self.expr(lhs), self.expr(rhs), !negated))
            }
            Step::Edge(Label::Reach { from, to, negated }) => Some(match self.checks.get(&(from, to)) {
                Some(Check::Graph(name)) => Cond::Reachable(name.clone(), !negated),
                Some(Check::Fixed(holds)) => Cond::Fixed(*holds != negated),
                None => Cond::Fixed(negated),
            }),
            Step::IfTarget(node, holds) => {
                let [variable, place] = self.target(flow, node);
                Some(Cond::Equal(variable, place, holds))
            }
            _ => None,
        }
    }

    fn ends_move(&self, step: Step) -> bool {
        matches!(step, Step::Edge(label) if self.game.ends_move(&label)) && self.flow == 0
    }

    fn node(&self, flow: &Flow, node: usize) -> String {
        let origin = flow.origin.get(node).copied().flatten();
        origin.map_or_else(String::new, |origin| self.game.node_name(origin).to_owned())
    }
}
