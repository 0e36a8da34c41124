//! Views: relations on the state that are costly to ask are worked out once per state, for all arguments, and kept in a
//! variable (materialised views, in the terms of databases). Walks and updates then read a cell.

use super::Lift;
use super::query::{Mode, Query, Step, Stop};
use super::vocabulary::{Dom, Slot};
use crate::flat::{Arg, Atom, Rel};
use rg_ir::ids::{ExprId, NodeId};
use rg_ir::{Expr, Label, Span};
use rustc_hash::FxHashMap;

/// Most cells of a view.
const MAX_CELLS: usize = 1_024;

/// Checks that look at fewer edges than this are made where they are needed.
const COSTLY: f64 = 8.0;

/// A relation, and for each of its arguments whether any value will do.
type Question = (Rel, Vec<bool>);

/// What is known about views.
#[derive(Default)]
pub(super) struct Views {
    /// Whether there are any.
    pub(super) wanted: bool,
    /// In an order in which each reads earlier ones only.
    list: Vec<View>,
    /// Per question the view, if there is one, and whether asking is costly. While it is being made, there is none.
    known: FxHashMap<Question, (Option<usize>, bool)>,
    /// Between these nodes all of them are worked out.
    points: Vec<(NodeId, NodeId)>,
}

impl Views {
    pub(super) fn new(wanted: bool) -> Self {
        Self { wanted, ..Self::default() }
    }
}

#[derive(Clone, Debug)]
struct View {
    atom: Atom,
    /// The arguments that are the key.
    key: Vec<Arg>,
    dom: Option<Dom>,
    procedure: usize,
    expr: ExprId,
}

impl Lift<'_, '_> {
    /// Decides an atom by a view or by an automaton of its own; `false` if neither is worth it.
    pub(super) fn by_view(&mut self, query: &mut Query, atom: &Atom, modes: &[Mode], negated: bool) -> Result<bool, Stop> {
        let any: Vec<bool> = modes.iter().map(|mode| *mode == Mode::Any).collect();
        let Some(view) = self.view(atom.rel, any).0 else { return Ok(false) };
        let Some(View { atom: own, key, dom, expr, .. }) = self.views.list.get(view).cloned() else { return Ok(false) };
        let mut lhs = expr;
        if let Some(dom) = dom {
            let place = |arg: &Arg| own.args.iter().position(|other| other == arg);
            let args: Vec<Arg> = key.iter().filter_map(place).filter_map(|at| atom.args.get(at).copied()).collect();
            // Outside of its domain it is false, which is the default of the map.
            let (expr, _) = self.tuple(query, &args, dom)?;
            lhs = self.voc.access(lhs, expr);
        }
        let rhs = self.voc.symbol_expr(self.voc.bools[1]);
        query.steps.push(Step::Do(Label::Compare { lhs, rhs, negated }));
        Ok(true)
    }

    /// Whether a relation on the state is so costly to ask that its automaton should not be written again and again.
    pub(super) fn is_costly(&mut self, rel: Rel, modes: &[Mode]) -> bool {
        let any: Vec<bool> = modes.iter().map(|mode| *mode == Mode::Any).collect();
        self.views.wanted && self.view(rel, any).1
    }

    /// The view of a relation, made when it is first asked for, and whether asking is costly.
    fn view(&mut self, rel: Rel, any: Vec<bool>) -> (Option<usize>, bool) {
        let question = (rel, any);
        if let Some(&known) = self.views.known.get(&question) {
            return known;
        }
        self.views.known.insert(question.clone(), (None, false));
        let found = self.new_view(rel, &question.1).unwrap_or((None, false));
        self.views.known.insert(question, found);
        found
    }

    fn new_view(&mut self, rel: Rel, any: &[bool]) -> Option<(Option<usize>, bool)> {
        let modes: Vec<Mode> = any.iter().map(|any| if *any { Mode::Any } else { Mode::Param }).collect();
        let procedure = self.procedure(rel, &modes).ok()?;
        let costly = self.procedures.get(procedure)?.effort.of_check() >= COSTLY;
        let mut keys = vec![Vec::new()];
        for (place, _) in any.iter().enumerate().filter(|(_, any)| !**any) {
            let values = self.context.domains.at(rel, place)?.values();
            if keys.len().saturating_mul(values.len()) > MAX_CELLS {
                return Some((None, costly));
            }
            let more = |key: &Vec<_>| values.iter().map(|&value| [key.as_slice(), &[value]].concat()).collect::<Vec<_>>();
            keys = keys.iter().flat_map(more).collect();
        }
        eprintln!("DBG view {} {:?} {} cells {} cost {}", self.relation_name(rel), any, costly, keys.len(), self.procedures.get(procedure).map_or(0.0, |p| p.effort.of_check()));
        if !costly {
            return Some((None, false));
        }
        let arity = u32::try_from(any.len()).ok()?;
        let args: Vec<Arg> = (0..arity).map(Arg::Var).collect();
        let key: Vec<Arg> = args.iter().zip(any).filter(|(_, any)| !**any).map(|(&arg, _)| arg).collect();
        let name = self.relation_name(rel);
        let dom = (!key.is_empty()).then(|| self.voc.dom(keys.clone(), &format!("{name}Args")));
        let (no, bool_ty) = (self.voc.bools[0], self.voc.bool_ty);
        let ty = match dom {
            Some(dom) => {
                let key = self.voc.tuples(dom).ty;
                self.voc.game.types.arrow(key, bool_ty)
            }
            None => bool_ty,
        };
        let doms: Vec<Dom> = dom.into_iter().collect();
        let initial = self.voc.literal(&doms, &vec![no; keys.len()], no);
        let name = self.voc.name(&name);
        let var = self.voc.game.add_var(name, ty, initial, Span::NONE);
        let expr = self.voc.game.exprs.intern(Expr::Var(var));
        self.views.list.push(View { atom: Atom { rel, args }, key, dom, procedure, expr });
        Some((Some(self.views.list.len() - 1), true))
    }

    /// Between that node and the result all views are worked out.
    pub(super) fn view_point(&mut self, from: NodeId) -> NodeId {
        if !self.views.wanted {
            return from;
        }
        let to = self.voc.node("viewed");
        self.views.points.push((from, to));
        to
    }

    /// Writes the steps that work out the views, when all are known.
    pub(super) fn emit_views(&mut self) -> Result<(), Stop> {
        let mut steps = Vec::new();
        for view in self.views.list.clone() {
            let yes_no = self.voc.bools;
            let mut write = |lift: &mut Self, lhs: ExprId, query: &mut Query| -> Result<Step, Stop> {
                let (guards, params) = lift.params(query, view.procedure, &view.atom)?;
                let call = |negated| Step::Call { procedure: view.procedure, params: params.clone(), negated };
                let holds: Vec<Step> = guards.iter().cloned().chain([call(false)]).collect();
                let fails = match guards.is_empty() {
                    true => call(true),
                    false => Step::Check { steps: holds.clone(), negated: true },
                };
                let mut assign = |value| {
                    let rhs = lift.voc.symbol_expr(value);
                    Step::Do(Label::Assign { lhs, rhs })
                };
                let (no, yes) = (assign(yes_no[0]), assign(yes_no[1]));
                Ok(Step::Any(vec![[holds.as_slice(), &[yes]].concat(), vec![fails, no]]))
            };
            let mut query = Query::new(u32::try_from(view.atom.args.len()).unwrap_or(0), Vec::new());
            match view.dom {
                None => steps.push(write(self, view.expr, &mut query)?),
                Some(dom) => {
                    let slot: Slot = self.temporary(dom, 0);
                    self.bind_tuple(&mut query, &view.key, slot);
                    let key = self.voc.slot_expr(slot);
                    let lhs = self.voc.access(view.expr, key);
                    let body = write(self, lhs, &mut query)?;
                    steps.push(self.each(slot, dom, vec![body]));
                }
            }
        }
        for (from, to) in std::mem::take(&mut self.views.points) {
            self.emit_to(&steps, from, to);
        }
        for _ in 0..self.phases.list.len() {
            self.count(self.effort_of_update(&steps));
        }
        Ok(())
    }
}
