//! Making a move: its walk once more, without tests, and the keeper's moves after it.

use super::emission::{Place, TEMPLATE_SHIFT, Template};
use super::explore::Exit;
use super::lane::{Fact, Lane, Step, Store, Val};
use super::region::{Goal, constant_player};
use super::values::{Known, Stop};
use super::{Decider, Failure, Lifter};
use rg_ir::ids::Id;
use rg_ir::invariant::Invariant;
use rg_ir::{EdgeId, Expr, Label, NodeId};
use wir::{Block, Function, Inst, Op, Reg};

/// Up to how many templates each has the keeper's moves as code of its own.
const FEW_TEMPLATES: usize = 3;

/// The register with the word of the move that is made.
const WORD: Reg = 0;

/// Where some kinds of moves lead.
struct Target {
    node: NodeId,
    /// Whether the keeper moves there.
    is_keepers: bool,
    /// By variable, what all of them leave, if it is known before the kind is.
    left: Vec<Option<Store>>,
}

impl Target {
    fn is(&self, led: (NodeId, bool)) -> bool {
        (self.node, self.is_keepers) == led
    }
}

impl Lifter<'_> {
    /// The function that makes a move at a node: its argument is the move, its result the number of the next node.
    pub(super) fn applying(&mut self, decider: &Decider, templates: &[Template]) -> Result<Function, Failure> {
        self.begin(1);
        let word = 0;
        let node = decider.node;
        let loaded = self.loaded(decider);
        let number = self.function.builder.op(Op::ShrBy(word, TEMPLATE_SHIFT));
        // There are no others.
        let all = self.function.builder.constant(templates.len().next_power_of_two() as u64 - 1);
        let number = self.function.builder.and(number, all);
        let words = self.layout.words as usize;
        let results = words + 1;
        let to = if templates.len() > FEW_TEMPLATES {
            self.shared(&loaded, templates, number, results)?
        } else {
            let mut cases = Vec::new();
            for template in templates {
                self.open();
                let lane = self.replayed(&loaded, template, word)?;
                let state = self.completed(lane, template.edge)?;
                cases.push(self.close(state));
            }
            self.switched(number, cases, results)?
        };
        let (next, state) = to.split_first().map_or((word, &[][..]), |(&next, state)| (next, state));
        for (i, &value) in state.iter().enumerate() {
            self.function.builder.push(Inst::Store { word: i as u32, value });
        }
        let name = if self.mobility.speculating { "speculate" } else { "apply" };
        self.ended(format!("{name}_{}", self.game.node_name(node)), 1, vec![next])
    }

    /// One of several blocks with so many results.
    pub(super) fn switched(&mut self, on: Reg, mut cases: Vec<Block>, results: usize) -> Result<Vec<Reg>, Failure> {
        if cases.len() > 1 {
            return Ok(self.function.builder.switch(on, cases, results));
        }
        // One kind of moves needs no switch; the block is the code.
        let one = self.function.builder.constant(1);
        let case = cases.pop().ok_or_else(|| Failure::new("there is no move"))?;
        let other = Block { insts: Vec::new(), yields: vec![one; results] };
        Ok(self.function.builder.if_else(one, case, other))
    }

    /// Where a move leads, and whether the keeper goes on from there.
    pub(super) fn led_to(&self, edge: EdgeId) -> (NodeId, bool) {
        let edge = self.game.automaton.edge(edge);
        let keeper = self.game.symbols.get("keeper");
        let keepers = keeper.is_some() && constant_player(self.game, &edge.label) == keeper;
        (edge.target, keepers && edge.target != self.game.end())
    }

    /// As for few templates, with the keeper's moves once for all templates after which they begin at one node. What
    /// templates leave there is handed over where they differ.
    fn shared(
        &mut self,
        loaded: &Lane,
        templates: &[Template],
        number: Reg,
        results: usize,
    ) -> Result<Vec<Reg>, Failure> {
        let targets = self.targets(loaded, templates)?;
        let mut passed: Vec<rg_ir::VarId> = Vec::new();
        for Target { node, left, .. } in &targets {
            let is_passed = |var: &rg_ir::VarId| {
                left.get(var.index()).is_some_and(Option::is_none) && self.is_live(*node, var.index())
            };
            let more: Vec<_> = self.game.vars.ids().filter(is_passed).filter(|var| !passed.contains(var)).collect();
            passed.extend(more);
        }
        let shape = self.shape_of(&passed);
        let (mut cases, mut numbers) = (Vec::new(), Vec::new());
        for template in templates {
            let target = self.led_to(template.edge);
            let at = targets.iter().position(|other| other.is(target));
            let at = at.invariant_or(0, "every kind of move leads to a target");
            self.open();
            let lane = self.replayed(loaded, template, WORD)?;
            let mut values = vec![self.function.builder.constant(at as u64)];
            values.extend(self.flat(&lane, &shape)?);
            numbers.push(values.iter().map(|&value| self.numbers_of(value)).collect::<Vec<_>>());
            cases.push(self.close(values));
        }
        let count = cases.first().map_or(1, |case| case.yields.len());
        let switched = self.switched(number, cases, count)?;
        for (at, &value) in switched.iter().enumerate() {
            let all = numbers.iter().map(|numbers| numbers.get(at).cloned().flatten()).collect::<Option<Vec<_>>>();
            if let Some(all) = all {
                let words = all.iter().map(|numbers| numbers.len()).max().unwrap_or(0);
                let word = |at: usize| all.iter().filter_map(|numbers| numbers.get(at)).fold(0, |all, word| all | word);
                self.function.builder.confine(value, (0..words).map(word).collect());
            }
        }
        let Some((&at, values)) = switched.split_first() else { return Err(Failure::new("there is no move")) };
        let mut cases = Vec::new();
        for target in &targets {
            let ends_here = |template: &&Template| target.is(self.led_to(template.edge));
            let Some(edge) = templates.iter().find(ends_here).map(|template| template.edge) else { continue };
            self.open();
            let mut lane = loaded.clone();
            lane.facts.clear();
            lane.written = self.game.vars.ids().collect();
            self.unflat(&mut lane, &shape, values);
            for (slot, store) in lane.vars.iter_mut().zip(&target.left) {
                if let Some(store) = store {
                    *slot = store.clone();
                }
            }
            self.bury(&mut lane, target.node);
            let state = self.completed(lane, edge)?;
            cases.push(self.close(state));
        }
        self.switched(at, cases, results)
    }

    /// Where templates lead.
    fn targets(&mut self, loaded: &Lane, templates: &[Template]) -> Result<Vec<Target>, Failure> {
        let mut targets: Vec<Target> = Vec::new();
        for template in templates {
            self.has_room()?;
            let led = self.led_to(template.edge);
            self.open();
            let lane = self.replayed(loaded, template, WORD);
            self.close(Vec::new());
            let lane = lane?;
            let outside = lane.vars.iter().zip(&loaded.vars).map(|(store, before)| {
                let known = store == before || matches!(store, Store::Scalar(Val::Const(_)));
                known.then(|| store.clone())
            });
            let Some(target) = targets.iter_mut().find(|other| other.is(led)) else {
                let (node, is_keepers) = led;
                targets.push(Target { node, is_keepers, left: outside.collect() });
                continue;
            };
            for (common, store) in target.left.iter_mut().zip(outside) {
                if *common != store {
                    *common = None;
                }
            }
        }
        Ok(targets)
    }

    /// The lane of one move after its walk, the last edge excepted.
    pub(super) fn replayed(&mut self, loaded: &Lane, template: &Template, word: Reg) -> Result<Lane, Failure> {
        let stopped = |stop| match stop {
            Stop::Fail(failure) => failure,
            Stop::Choose | Stop::Split(_) => Failure::new("a move cannot be repeated"),
        };
        let arguments: Vec<Reg> = template
            .format
            .arguments
            .iter()
            .map(|argument| {
                let moved = self.function.builder.op(Op::ShrBy(word, argument.shift));
                let mask = self.function.builder.constant((1u64 << argument.bits).wrapping_sub(1));
                self.function.builder.and(moved, mask)
            })
            .collect();
        for (&argument, numbers) in arguments.iter().zip(&template.possible) {
            numbers.iter().for_each(|numbers| self.function.builder.confine(argument, numbers.clone()));
        }
        let chosen = |id| {
            let choice = template.choices.iter().find(|(choice, _)| *choice == id);
            choice.and_then(|&(_, at)| arguments.get(at)).map_or(Val::Const(0), |&reg| Val::Reg(reg))
        };
        let mut lane = loaded.clone();
        for (var, place, value) in &template.facts {
            let index = match place {
                Place::Const(index) => Val::Const(*index),
                Place::Argument(at) => arguments.get(*at).map_or(Val::Const(0), |&reg| Val::Reg(reg)),
                Place::Mapped(at, map) => match arguments.get(*at) {
                    Some(&reg) => self.looked_up(map, &Val::Reg(reg)),
                    None => continue,
                },
            };
            lane.facts.push(Fact { var: *var, index, value: *value });
        }
        if self.walks_afterwards(template.edge) {
            self.write_facts(&mut lane, &arguments);
        }
        let mut known = Known::default();
        for step in self.function.paths.steps(template.path) {
            match step {
                Step::Bind(var, id) => {
                    if let Some(slot) = lane.vars.get_mut(var.index()) {
                        *slot = Store::Scalar(chosen(id));
                    }
                }
                Step::Under(expr, value) => {
                    known.insert(expr, Val::Const(value));
                }
                Step::Edge(id) | Step::Choose(id, _) | Step::Fixed(id, _) => {
                    let label = self.game.automaton.edge(id).label;
                    let (Label::Assign { lhs, .. } | Label::AssignAny { lhs, .. }) = label else { continue };
                    let (Expr::Var(var), keys) = super::numbers::path(self.game, lhs) else { continue };
                    let (index, class) = self.place(&lane, var, &keys, &known).map_err(stopped)?;
                    let value = match (step, label) {
                        (Step::Choose(_, id), _) => chosen(id),
                        (Step::Fixed(_, value), _) => Val::Const(value),
                        (_, Label::Assign { rhs, .. }) => {
                            let value = self.value(&lane, rhs, class, &known).map_err(stopped)?;
                            value.ok_or_else(|| Failure::new("a value without a number is assigned"))?
                        }
                        _ => continue,
                    };
                    self.write(&mut lane, var, index, value).map_err(stopped)?;
                    known.clear();
                }
            }
        }
        Ok(lane)
    }

    /// The keeper's moves after a move: the number of the next decision's node, and the state.
    fn completed(&mut self, lane: Lane, edge: EdgeId) -> Result<Vec<Reg>, Failure> {
        let (target, keepers) = self.led_to(edge);
        let mut exits: Vec<(NodeId, Lane)> = Vec::new();
        if keepers {
            let region = self.region(Goal::Keeper, target);
            if !region.contains(target) {
                return Err(Failure::new("the keeper has no move").at(self.game.node_name(target)));
            }
            self.function.keeper = true;
            self.left_out = None;
            self.subsumed = super::ahead::subsumed(self.game, &region, target);
            let mut lane = lane;
            lane.forget_tests();
            let explored = self.explore(&region, vec![(target, lane)]);
            self.function.keeper = false;
            self.subsumed.clear();
            for (exit, lane) in explored? {
                if let Exit::Switch(edge) = exit {
                    exits.push((self.game.automaton.edge(edge).target, lane));
                }
            }
        } else {
            exits.push((target, lane));
        }
        // A play ends once: its end is a way of its own, so that all other moves need not wait for what decides it.
        let (mut ends, mut others) = (Vec::new(), Vec::new());
        for (node, mut lane) in exits {
            self.bury(&mut lane, node);
            let failed = || Failure::new("the keeper has a choice").at(self.game.node_name(node));
            let lane = self.single(lane).ok_or_else(failed)?;
            if node == self.game.end() {
                ends.push((node, lane));
            } else {
                self.refuse_keeper(&lane);
                others.push((node, lane));
            }
        }
        let (ended, goes_on) = (self.any_guard(&ends), self.any_guard(&others));
        let done = self.function.builder.or(ended, goes_on);
        let stuck = self.function.builder.negation(done);
        self.function.builder.exit_if(stuck);
        if ends.is_empty() && others.is_empty() {
            let without = || Failure::new("the keeper has no move").at(self.game.node_name(target));
            return Err(self.left_out.clone().unwrap_or_else(without));
        }
        if ends.is_empty() || others.is_empty() {
            return self.state_after(ends.into_iter().chain(others).collect());
        }
        let both = self.function.builder.and(ended, goes_on);
        self.function.builder.exit_if(both);
        self.open();
        let end = self.state_after(ends)?;
        let end = self.close(end);
        self.open();
        let next = self.state_after(others)?;
        let next = self.close(next);
        Ok(self.function.builder.if_else(ended, end, next))
    }

    fn any_guard(&mut self, exits: &[(NodeId, Lane)]) -> Reg {
        let none = self.function.builder.constant(0);
        exits.iter().fold(none, |any, (_, lane)| self.function.builder.or(any, lane.guard))
    }

    /// The number of the next decision's node, and the state, of the one exit that is taken.
    fn state_after(&mut self, exits: Vec<(NodeId, Lane)>) -> Result<Vec<Reg>, Failure> {
        let mut done = self.function.builder.constant(0);
        let mut result: Option<Vec<Reg>> = None;
        for (node, lane) in exits {
            let number = self.number_of(&lane, node)?;
            let number = self.function.builder.constant(u64::from(number));
            let mut state = vec![number];
            state.extend(self.packed_state(&lane, node, number)?);
            result = Some(match result {
                None => state,
                Some(other) => {
                    // Two ways to one end are two moves of the keeper all the same.
                    if other != state || self.known.strict {
                        let both = self.function.builder.and(done, lane.guard);
                        self.function.builder.exit_if(both);
                    }
                    let pairs = state.iter().zip(&other);
                    pairs.map(|(&new, &old)| self.function.builder.op(Op::Select(lane.guard, new, old))).collect()
                }
            });
            done = self.function.builder.or(done, lane.guard);
        }
        result.ok_or_else(|| Failure::new("the keeper has no move"))
    }

    /// Gives the case back if the next to move is the keeper after all, or nobody.
    fn refuse_keeper(&mut self, lane: &Lane) {
        let Some(player) = self.known.player else { return };
        let Some(Store::Scalar(value)) = lane.vars.get(player.index()) else { return };
        let Some(value) = value.reg(&mut self.function.builder) else { return };
        let fine = self.is_decider(value);
        let not = self.function.builder.negation(fine);
        let wrong = self.function.builder.and(not, lane.guard);
        self.function.builder.exit_if(wrong);
    }

    /// Whether a number is that of a player who decides.
    pub(super) fn is_decider(&mut self, player: Reg) -> Reg {
        let mut fine = self.function.builder.constant(0);
        for number in self.known.deciders.clone() {
            let number = self.function.builder.constant(u64::from(number));
            let same = self.function.builder.op(Op::Eq(player, number));
            fine = self.function.builder.or(fine, same);
        }
        fine
    }
}
