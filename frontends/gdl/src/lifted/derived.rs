//! Atoms of relations that follow from rules: as checks, in automata of their own, or as alternatives that bind.

use super::Lift;
use super::effort::Effort;
use super::plan::is_derived;
use super::query::{Mode, Query, Step, Stop, Val};
use super::vocabulary::Slot;
use crate::flat::{Arg, Atom, Literal, Rel, Rule};
use crate::normal::RelationKind;
use rg_ir::ids::NodeId;

/// What the slots of a call get.
type Arguments = Vec<(Slot, rg_ir::ExprId)>;

/// An automaton for a relation.
#[derive(Clone, Debug)]
pub(super) struct Procedure {
    pub(super) entry: NodeId,
    pub(super) exit: NodeId,
    /// The slots of arguments that are in slots.
    params: Vec<Option<Slot>>,
    /// What asking it costs.
    pub(super) effort: Effort,
}

impl Lift<'_, '_> {
    /// Whether an atom is true whose arguments are known or do not matter.
    pub(super) fn derived(&mut self, query: &mut Query, atom: &Atom, negated: bool) -> Result<(), Stop> {
        let relation = self.context.flat.relation(atom.rel);
        if !is_derived(relation.kind) {
            return Err(Stop::Unsupported(format!("`{}` stands in a condition", self.relation_name(atom.rel))));
        }
        let modes = self.modes(query, atom);
        if let Some((procedure, rel, own)) = query.inside.clone().filter(|(_, rel, _)| *rel == atom.rel) {
            if negated {
                return Err(Stop::Unsupported(format!("`{}` is recursive in an unusual way", self.relation_name(rel))));
            }
            // A constant is as good as any argument. With other arguments known, it is another automaton.
            let fits = |(&own, &mode): (&Mode, &Mode)| own == mode || own == Mode::Param && mode != Mode::Any;
            if own.iter().zip(&modes).all(fits) {
                return self.again(query, procedure, atom);
            }
        }
        let recursive = relation.recursive;
        let moves = self.asks_moves(atom.rel);
        if recursive && moves {
            return Err(Stop::Unsupported(format!(
                "`{}` is recursive and asks for moves",
                self.relation_name(atom.rel)
            )));
        }
        if modes.iter().all(|mode| *mode == Mode::Any)
            && let Some(known) = self.remembered(atom.rel)
        {
            let step = self.recall(known, negated);
            query.steps.push(step);
            return Ok(());
        }
        let costly = !moves && self.is_costly(atom.rel, &modes);
        // What was too large for a table is written once.
        let inline = modes.contains(&Mode::Param) && !relation.is_open && !costly;
        if !recursive && (inline || moves) {
            let ways = match self.alternatives(query, atom) {
                Ok(ways) => ways,
                Err(Stop::Never) if negated => return Ok(()),
                Err(stop) => return Err(stop),
            };
            let steps = match <[Vec<Step>; 1]>::try_from(ways) {
                Ok([steps]) => steps,
                Err(ways) => vec![Step::Any(ways)],
            };
            query.steps.push(Step::Check { steps, negated });
            return Ok(());
        }
        let procedure = match self.procedure(atom.rel, &modes) {
            Ok(procedure) => procedure,
            Err(Stop::Never) if negated => return Ok(()),
            Err(stop) => return Err(stop),
        };
        // What holds of nothing at all is not asked for.
        let known = if costly { self.remembered(atom.rel) } else { None };
        let known = known.map(|known| self.recall(known, false));
        match self.params(query, procedure, atom) {
            Ok((guards, params)) if guards.is_empty() && known.is_none() => {
                query.steps.push(Step::Call { procedure, params, negated });
            }
            Ok((guards, params)) => {
                let mut steps: Vec<Step> = known.into_iter().chain(guards).collect();
                steps.push(Step::Call { procedure, params, negated: false });
                if negated {
                    query.steps.push(Step::Check { steps, negated });
                } else {
                    query.steps.extend(steps);
                }
            }
            Err(Stop::Never) if negated => {}
            Err(stop) => return Err(stop),
        }
        Ok(())
    }

    /// Whether a relation depends on what is done.
    pub(super) fn asks_moves(&self, rel: Rel) -> bool {
        let flat = self.context.flat;
        let (mut seen, mut stack) = (vec![rel], vec![rel]);
        while let Some(at) = stack.pop() {
            if flat.relation(at).kind == RelationKind::Does {
                return true;
            }
            for literal in flat.rules_of(at).flat_map(|rule| &rule.body) {
                if let Literal::Pos(atom) | Literal::Neg(atom) = literal
                    && !seen.contains(&atom.rel)
                {
                    seen.push(atom.rel);
                    stack.push(atom.rel);
                }
            }
        }
        false
    }

    pub(super) fn modes(&self, query: &Query, atom: &Atom) -> Vec<Mode> {
        atom.args.iter().map(|&arg| self.mode(query, arg)).collect()
    }

    fn mode(&self, query: &Query, arg: Arg) -> Mode {
        match (query.walk(arg), query.free(arg)) {
            (Arg::Is(term), _) => Mode::Is(term),
            (_, Some(_)) => Mode::Any,
            (_, None) => Mode::Param,
        }
    }

    /// The walks that show that an atom is true, one per rule that can be.
    fn alternatives(&mut self, query: &Query, atom: &Atom) -> Result<Vec<Vec<Step>>, Stop> {
        let mut ways = Vec::new();
        for rule in &self.rules_in(query, atom.rel) {
            let mut inner = query.about(Vec::new());
            (inner.cut, inner.may_choose) = (false, true);
            inner.inside = None;
            match self.resolve(&mut inner, rule, &atom.args).and_then(|()| self.plan(&mut inner)) {
                Ok(()) => ways.push(inner.steps),
                Err(Stop::Never) => {}
                Err(stop) => return Err(stop),
            }
        }
        if ways.is_empty() { Err(Stop::Never) } else { Ok(ways) }
    }

    /// Tests that the arguments of a call are among those for which the relation can hold, and the arguments.
    fn params(&mut self, query: &mut Query, procedure: usize, atom: &Atom) -> Result<(Vec<Step>, Arguments), Stop> {
        let slots = self.procedures.get(procedure).map(|procedure| procedure.params.clone()).unwrap_or_default();
        let (mut guards, mut params) = (Vec::new(), Vec::new());
        for (slot, &arg) in slots.into_iter().zip(&atom.args) {
            let Some(slot) = slot else { continue };
            let dom = self.voc.slot(slot).dom;
            if let Some(test) = self.member_test(query, &[arg], dom)? {
                guards.push(self.is_true(test));
            }
            let (expr, _) = self.tuple(query, &[arg], dom)?;
            params.push((slot, expr));
        }
        Ok((guards, params))
    }

    /// Back to the entry with other arguments.
    fn again(&mut self, query: &mut Query, procedure: usize, atom: &Atom) -> Result<(), Stop> {
        let (guards, arguments) = self.params(query, procedure, atom)?;
        query.steps.extend(guards);
        let mut params = Vec::new();
        for (slot, expr) in arguments {
            if self.voc.slot_expr(slot) == expr {
                continue;
            }
            let dom = self.voc.slot(slot).dom;
            let own = self.slot_for(query, &[], dom);
            params.push((slot, own, expr));
        }
        query.steps.push(Step::Again { procedure, params });
        Ok(())
    }

    /// The automaton of a relation, made when it is first asked for.
    pub(super) fn procedure(&mut self, rel: Rel, modes: &[Mode]) -> Result<usize, Stop> {
        let key = (rel, modes.to_vec());
        if let Some(&(procedure, finished)) = self.procedure_ids.get(&key) {
            if !finished {
                return Err(Stop::Unsupported(format!("`{}` asks about itself", self.relation_name(rel))));
            }
            return Ok(procedure);
        }
        let context = self.context;
        let name = self.relation_name(rel);
        let mut params = Vec::new();
        for (place, mode) in modes.iter().enumerate() {
            let slot = match mode {
                Mode::Param => {
                    let values = context.domains.at(rel, place).map(|domain| domain.values()).unwrap_or_default();
                    let tuples: Vec<_> = values.iter().map(|&term| vec![term]).collect();
                    if tuples.is_empty() {
                        return Err(Stop::Never);
                    }
                    let dom = self.voc.dom(tuples, "value");
                    Some(self.voc.new_slot(&format!("{name}_{}", place + 1), dom))
                }
                Mode::Is(_) | Mode::Any => None,
            };
            params.push(slot);
        }
        let (entry, exit) = (self.voc.node(&name), self.voc.node(&format!("{name}_holds")));
        let atom = self.checked_atom(rel, modes);
        self.checks.insert(self.voc.game.node_name(exit).to_owned(), atom);
        let number = self.procedures.len();
        self.procedures.push(Procedure { entry, exit, params: params.clone(), effort: Effort::default() });
        self.procedure_ids.insert(key.clone(), (number, false));
        let rules: Vec<&Rule> = context.flat.rules_of(rel).collect();
        let mut effort = Effort::default();
        for rule in rules {
            let arity = u32::try_from(modes.len()).unwrap_or(0);
            let mut query = Query::new(arity, Vec::new());
            query.cut = false;
            if context.flat.relation(rel).recursive {
                query.inside = Some((number, rel, modes.to_vec()));
            }
            let args: Vec<Arg> = (0..arity).map(Arg::Var).collect();
            for ((&arg, mode), slot) in args.iter().zip(modes).zip(&params) {
                match (mode, slot) {
                    (Mode::Is(term), _) => query.bind(arg, Val::Is(*term)),
                    (_, Some(slot)) => query.bind(arg, Val::Part(*slot, 0)),
                    _ => {}
                }
            }
            match self.resolve(&mut query, rule, &args).and_then(|()| self.plan(&mut query)) {
                Ok(()) => {
                    effort.add(self.effort(&query.steps));
                    self.emit_to(&query.steps, entry, exit);
                }
                Err(Stop::Never) => {}
                Err(stop) => {
                    self.procedure_ids.remove(&key);
                    return Err(stop);
                }
            }
        }
        if let Some(procedure) = self.procedures.get_mut(number) {
            procedure.effort = effort.closed();
        }
        self.procedure_ids.insert(key, (number, true));
        Ok(number)
    }

    /// A positive atom with several rules whose free arguments its rules can bind.
    pub(super) fn enumerable(&self, query: &Query) -> Option<usize> {
        query.left.iter().position(|literal| match literal {
            Literal::Pos(atom) => {
                let relation = self.context.flat.relation(atom.rel);
                is_derived(relation.kind) && !relation.is_static && !relation.recursive
            }
            _ => false,
        })
    }

    /// Binds the free arguments of an atom by its rules.
    pub(super) fn enumerate(&mut self, query: &mut Query, index: usize) -> Result<(), Stop> {
        if index >= query.left.len() {
            return Ok(());
        }
        let Literal::Pos(atom) = query.left.remove(index) else { return Ok(()) };
        if !query.may_choose {
            return Err(Stop::Undetermined);
        }
        query.chose = true;
        if self.context.flat.relation(atom.rel).recursive {
            return self.closure(query, &atom);
        }
        if let Some(known) = self.remembered(atom.rel) {
            let step = self.recall(known, false);
            query.steps.push(step);
        }
        let mut free: Vec<u32> = Vec::new();
        for &arg in &atom.args {
            if let Some(var) = query.free(arg)
                && !free.contains(&var)
                && query.is_used(var, usize::MAX)
            {
                free.push(var);
            }
        }
        // Whole tuples that are asked for, then single values.
        let mut results: Vec<(Vec<Arg>, Slot)> = Vec::new();
        let mut open = free.clone();
        for (tuple, slot) in query.preferred.clone() {
            let vars: Option<Vec<u32>> =
                tuple.iter().map(|&arg| query.free(arg).filter(|var| free.contains(var))).collect();
            if let Some(vars) = vars.filter(|vars| !vars.is_empty()) {
                open.retain(|var| !vars.contains(var));
                results.push((tuple, slot));
            }
        }
        for var in open {
            let place = atom.args.iter().position(|&arg| query.free(arg) == Some(var)).unwrap_or(0);
            let values = self.context.domains.at(atom.rel, place).map(|domain| domain.values()).unwrap_or_default();
            let tuples: Vec<_> = values.iter().map(|&term| vec![term]).collect();
            if tuples.is_empty() {
                return Err(Stop::Never);
            }
            let dom = self.voc.dom(tuples, "value");
            let slot = self.slot_for(query, &[Arg::Var(var)], dom);
            results.push((vec![Arg::Var(var)], slot));
        }
        let mut ways = Vec::new();
        for rule in &self.rules_in(query, atom.rel) {
            let mut inner = query.about(Vec::new());
            (inner.needed, inner.preferred, inner.cut) = (free.clone(), results.clone(), true);
            match self.resolve(&mut inner, rule, &atom.args).and_then(|()| self.plan(&mut inner)) {
                Ok(()) => ways.push(inner.steps),
                Err(Stop::Never) => {}
                Err(stop) => return Err(stop),
            }
        }
        if ways.is_empty() {
            return Err(Stop::Never);
        }
        query.steps.push(Step::Any(ways));
        for (tuple, slot) in results {
            self.bind_tuple(query, &tuple, slot);
        }
        Ok(())
    }
}
