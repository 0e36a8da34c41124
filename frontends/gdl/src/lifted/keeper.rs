//! The loop of the game: turns, update, end and scores.

use super::Lift;
use super::effects::Scene;
use super::query::{Done, Step, Stop, Val};
use crate::ast::Word;
use crate::groups::Group;
use crate::normal::{Program, RelationKind, TermId};
use rg_ir::ids::{NodeId, Symbol};
use rg_ir::{Label, Span};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Most combinations of kinds of moves that are written out in one phase.
const MAX_COMBINATIONS: usize = 16;

/// What comes after the plies of a step, from a node on: it gets the kinds of moves that roles have chosen.
type Continue<'a, L> = dyn Fn(&mut L, &[(usize, usize)], NodeId) -> Result<(), Stop> + 'a;

impl Lift<'_, '_> {
    /// Everything.
    pub(super) fn build(&mut self, groups: &[Group]) -> Result<(), Stop> {
        self.declare_players()?;
        self.lay_out(groups)?;
        self.declare_moves()?;
        let score = self.scores()?;
        let starts: Vec<NodeId> = (0..self.phases.list.len()).map(|number| self.phase_node(number)).collect();
        let begin = self.voc.game.begin();
        let initial = self.initial_phase();
        self.judge(begin, initial, &starts, score)?;
        for (phase, &start) in starts.iter().enumerate() {
            self.phase(phase, start, &starts, score)?;
        }
        self.write_remembered();
        Ok(())
    }

    fn declare_players(&mut self) -> Result<(), Stop> {
        let roles = self.context.flat.roles.clone();
        for &role in &roles {
            if self.voc.program.terms.kif(&self.voc.program.words, role) == "random" {
                return Err(Stop::Unsupported("a role is chance".to_owned()));
            }
            let symbol = self.voc.symbol(&[role]);
            self.players.push(symbol);
        }
        let name = self.voc.game.symbols.intern("Player");
        let ty = self.voc.game.types.set(self.players.clone());
        self.voc.game.add_type(name, ty, Span::NONE);
        let mut values: Vec<TermId> = Vec::new();
        for (rel, place) in self.goal_relations().into_iter().map(|rel| (rel, 1)) {
            values.extend(self.context.domains.at(rel, place).map(|domain| domain.values()).unwrap_or_default());
        }
        values.sort_unstable();
        values.dedup();
        values.retain(|&value| self.is_score(value));
        let zero = self.voc.bools[0];
        let mut symbols: Vec<Symbol> = values.iter().map(|&value| self.voc.symbol(&[value])).collect();
        // The default is the first: no score counts as 0.
        symbols.retain(|&symbol| symbol != zero);
        symbols.insert(0, zero);
        let name = self.voc.game.symbols.intern("Score");
        let ty = self.voc.game.types.set(symbols);
        self.voc.game.add_type(name, ty, Span::NONE);
        self.voc.game.complete_builtins();
        Ok(())
    }

    fn phase_node(&mut self, number: usize) -> NodeId {
        let value = self.phases.list.get(number).and_then(|phase| phase.value.clone());
        let text = value.map_or_else(
            || "step".to_owned(),
            |value| {
                let parts = value.iter().map(|&term| self.voc.program.terms.kif(&self.voc.program.words, term));
                parts.collect::<Vec<_>>().join("_")
            },
        );
        self.voc.node(&format!("turn_{text}"))
    }

    /// The phase at first, if it is known.
    fn initial_phase(&self) -> Option<usize> {
        let Some(control) = self.phases.control else { return Some(0) };
        let init = self.context.flat.fluents.get(control)?.init;
        let value = self.context.tables.of(init).rows().first()?;
        self.phases.list.iter().position(|phase| phase.value.as_ref() == Some(value))
    }

    /// To the scores if the game is over, else to the turns of the phase.
    fn judge(&mut self, from: NodeId, phase: Option<usize>, starts: &[NodeId], score: NodeId) -> Result<(), Stop> {
        let terminal = self.context.flat.part(Program::reserved(RelationKind::Terminal), &[]);
        let from = self.remember_here(from);
        let mut open = from;
        if let Some(terminal) = terminal {
            let procedure = self.procedure(terminal, &[])?;
            let call = |negated| Step::Call { procedure, params: Vec::new(), negated };
            open = self.voc.node("goes_on");
            self.emit_to(&[call(false)], from, score);
            self.emit_to(&[call(true)], from, open);
            self.count(self.effort(&[call(true)]));
        }
        if let Some(&start) = phase.and_then(|phase| starts.get(phase)) {
            self.edge(open, start, Label::Skip);
            return Ok(());
        }
        let layout = self.phases.control.and_then(|control| self.layouts.get(control).cloned().flatten());
        for (number, &start) in starts.iter().enumerate() {
            let value = self.phases.list.get(number).and_then(|phase| phase.value.clone());
            let label = match (&layout, value) {
                (Some(layout), Some(value)) => {
                    if layout.key_dom.is_some() {
                        return Err(Stop::Unsupported("turns are not controlled by one variable".to_owned()));
                    }
                    let symbol = self.voc.symbol(&value);
                    Label::Compare { lhs: layout.expr, rhs: self.voc.symbol_expr(symbol), negated: false }
                }
                _ => Label::Skip,
            };
            self.edge(open, start, label);
        }
        Ok(())
    }

    /// One step of the game in a phase.
    fn phase(&mut self, phase: usize, start: NodeId, starts: &[NodeId], score: NodeId) -> Result<(), Stop> {
        let Some(now) = self.phases.list.get(phase).cloned() else { return Ok(()) };
        let kinds: Vec<Vec<usize>> = now.choosers.iter().map(|&role| self.kinds_in(phase, role)).collect();
        if kinds.iter().map(Vec::len).product::<usize>() > MAX_COMBINATIONS {
            return Err(Stop::Unsupported("players have too many kinds of moves at once".to_owned()));
        }
        let mut at = start;
        for &role in &now.doubtful {
            at = self.waits(phase, role, at)?;
        }
        let hidden = now.choosers.len() > 1;
        if hidden {
            // No role observes what the others do before all have chosen.
            at = self.sight(at, false);
        }
        self.turns(phase, &now.choosers, Vec::new(), at, &|lift, chosen, from| {
            let updating = if hidden { lift.retold(chosen, from) } else { from };
            lift.step_with(phase, chosen, updating, starts, score)
        })
    }

    /// The plies of the roles that choose, one after the other; `then` writes what comes after them.
    fn turns(
        &mut self,
        phase: usize,
        roles: &[usize],
        chosen: Vec<(usize, usize)>,
        from: NodeId,
        then: &Continue<'_, Self>,
    ) -> Result<(), Stop> {
        let Some((&role, rest)) = roles.split_first() else {
            let update = self.voc.node("update");
            let keeper = self.voc.game.symbols.intern("keeper");
            self.give(from, update, keeper);
            return then(self, &chosen, update);
        };
        let Some(&player) = self.players.get(role) else { return Ok(()) };
        let choose = self.voc.node(&format!("move_{}", self.voc.game.name(player).to_owned()));
        self.give(from, choose, player);
        for kind in self.kinds_in(phase, role) {
            let moved = self.voc.node("moved");
            self.moves(phase, role, kind, choose, moved)?;
            self.turns(phase, rest, [chosen.as_slice(), &[(role, kind)]].concat(), moved, then)?;
        }
        Ok(())
    }

    /// Lets all players see tags, or none.
    fn sight(&mut self, from: NodeId, visible: bool) -> NodeId {
        let to = self.voc.node(if visible { "shown" } else { "hidden" });
        let lhs = self.voc.builtin("visible");
        let value = self.voc.bools[usize::from(visible)];
        let rhs = self.voc.visibility(value);
        self.edge(from, to, Label::Assign { lhs, rhs });
        to
    }

    /// Tells everybody what was chosen.
    fn retold(&mut self, chosen: &[(usize, usize)], from: NodeId) -> NodeId {
        let at = self.sight(from, true);
        let mut steps = Vec::new();
        for &(role, kind) in chosen {
            steps.extend(self.tags(role, kind));
        }
        self.emit(&steps, at)
    }

    fn give(&mut self, from: NodeId, to: NodeId, player: Symbol) {
        let (lhs, rhs) = (self.voc.builtin("player"), self.voc.symbol_expr(player));
        self.edge(from, to, Label::Assign { lhs, rhs });
    }

    /// The update after moves of known kinds, and what comes then.
    fn step_with(
        &mut self,
        phase: usize,
        chosen: &[(usize, usize)],
        from: NodeId,
        starts: &[NodeId],
        score: NodeId,
    ) -> Result<(), Stop> {
        let Some(now) = self.phases.list.get(phase).cloned() else { return Ok(()) };
        let mut done: FxHashMap<TermId, Done> = FxHashMap::default();
        for (role, &term) in self.context.flat.roles.iter().enumerate() {
            let known = match now.forced.get(role).cloned().flatten() {
                Some((kind, args)) => Done { kind, args: args.into_iter().map(Val::Is).collect() },
                None => match chosen.iter().find(|(other, _)| *other == role) {
                    Some(&(_, kind)) => self.done(role, kind),
                    None => continue,
                },
            };
            done.insert(term, known);
        }
        let control = self.control(now.value);
        let mut scene = Scene { control, done: Rc::new(done), used: FxHashMap::default(), spelt: false };
        let steps = self.update(&mut scene)?;
        self.count(self.effort_of_update(&steps));
        let updated = self.emit(&steps, from);
        let next = self.next_phase(&scene);
        let judged = match next {
            Some(phase) => self.judged(phase, starts, score)?,
            None => match self.judged_any {
                Some(node) => node,
                None => {
                    let node = self.voc.node("judge");
                    self.judged_any = Some(node);
                    self.judge(node, None, starts, score)?;
                    node
                }
            },
        };
        self.edge(updated, judged, Label::Skip);
        Ok(())
    }

    /// Where a step that leads to a known phase goes on.
    fn judged(&mut self, phase: usize, starts: &[NodeId], score: NodeId) -> Result<NodeId, Stop> {
        if let Some(&node) = self.judged_nodes.get(&phase) {
            return Ok(node);
        }
        let node = self.voc.node("judge");
        self.judged_nodes.insert(phase, node);
        self.judge(node, Some(phase), starts, score)?;
        Ok(node)
    }

    /// The next phase, if it is always the same.
    fn next_phase(&self, scene: &Scene) -> Option<usize> {
        let Some(control) = self.phases.control else { return Some(0) };
        let rules = self.instances(control, scene);
        let [rule] = rules.as_slice() else { return None };
        let value: Vec<TermId> = rule.head.args.iter().map(|arg| arg.constant()).collect::<Option<_>>()?;
        self.phases.list.iter().position(|phase| phase.value.as_ref() == Some(&value))
    }

    /// The tag of a kind of moves.
    pub(super) fn kind_tag(&mut self, word: Word) -> Symbol {
        if let Some(&tag) = self.tags.get(&word) {
            return tag;
        }
        let text = self.voc.program.words.text(word).to_owned();
        let tag = self.voc.name(&text);
        self.tags.insert(word, tag);
        tag
    }
}
