//! Walks of moves with the values of the variables that labels depend on.

use crate::effects;
use crate::partial::{Compared, Partial, Value, Values, with};
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{Edge, ExprId, Game, Label, NodeId, Symbol, VarId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The number of a node with values of variables.
pub(super) type Config = u32;

/// Where walks may go from a configuration in one step.
#[derive(Default)]
pub(super) struct Steps {
    /// Without a tag.
    pub(super) silent: Vec<Config>,
    pub(super) tagged: Vec<(Symbol, Config)>,
    /// Whether the move may end here.
    pub(super) ends: bool,
}

/// The walks of a game's moves.
pub(super) struct Walks<'g> {
    game: &'g Game,
    partial: Partial<'g>,
    player: Option<VarId>,
    /// By node, which tracked variables can still matter to the label.
    live: Vec<u64>,
    /// The nodes from which moves can end.
    ending: FixedBitSet,
    numbers: FxHashMap<(NodeId, Values), Config>,
    configs: Vec<(NodeId, Values)>,
    steps: FxHashMap<Config, Rc<Steps>>,
}

impl<'g> Walks<'g> {
    pub(super) fn new(game: &'g Game) -> Self {
        let shown = game.automaton.edges().filter_map(|(_, edge)| match edge.label {
            Label::TagVar(var) => Some(var),
            _ => None,
        });
        let ends = game.automaton.edges().filter(|(_, edge)| game.ends_move(&edge.label)).map(|(_, edge)| edge.source);
        let ending = game.automaton.reaching(ends);
        let mut walks = Self {
            game,
            partial: Partial::new(game, shown),
            player: effects::Builtins::of(game).player,
            live: Vec::new(),
            ending,
            numbers: FxHashMap::default(),
            configs: Vec::new(),
            steps: FxHashMap::default(),
        };
        walks.live = walks.liveness();
        walks
    }

    /// Where moves begin. The keeper's are none.
    pub(super) fn starts(&mut self) -> Vec<Config> {
        let live = effects::live_nodes(self.game);
        let keeper = self.game.symbols.get("keeper");
        let blank = self.partial.blank();
        let mut starts = Vec::new();
        for (_, edge) in self.game.automaton.edges() {
            if !live.contains(edge.source.index()) || !self.game.ends_move(&edge.label) {
                continue;
            }
            let mut values = blank.clone();
            if let Label::Assign { rhs, .. } = edge.label
                && let Value::Known(player) = self.partial.value(&values, rhs)
            {
                if Some(player) == keeper {
                    continue;
                }
                if let Some(slot) = self.player.and_then(|player| values.get_mut(self.partial.place(player)?)) {
                    *slot = Some(player);
                }
            }
            starts.extend(self.config(edge.target, values));
        }
        starts
    }

    /// By node, the variables that are read on walks to the ends of moves before they are written.
    fn liveness(&self) -> Vec<u64> {
        let automaton = &self.game.automaton;
        let mut live = vec![0u64; automaton.node_bound()];
        let mut queue: Vec<NodeId> = automaton.nodes().collect();
        while let Some(node) = queue.pop() {
            let mut needed = 0;
            for &id in automaton.outgoing(node) {
                let edge = automaton.edge(id);
                if self.game.ends_move(&edge.label) {
                    continue;
                }
                let mut after = live.get(edge.target.index()).copied().unwrap_or(0);
                if let Some(write) = effects::write(self.game, &edge.label)
                    && write.whole
                    && let Some(at) = self.partial.place(write.var)
                {
                    if after >> at & 1 == 0 {
                        needed |= after;
                        continue;
                    }
                    after &= !(1 << at);
                }
                effects::reads(self.game, &edge.label, |var| {
                    if let Some(at) = self.partial.place(var) {
                        after |= 1 << at;
                    }
                });
                needed |= after;
            }
            if let Some(old) = live.get_mut(node.index())
                && *old != needed
            {
                *old = needed;
                queue.extend(automaton.incoming(node).iter().map(|&id| automaton.edge(id).source));
            }
        }
        live
    }

    /// The number of a configuration; `None` where moves cannot end any more.
    fn config(&mut self, node: NodeId, mut values: Values) -> Option<Config> {
        if !self.ending.contains(node.index()) {
            return None;
        }
        let live = self.live.get(node.index()).copied().unwrap_or(0);
        for (at, value) in values.iter_mut().enumerate() {
            if live >> at & 1 == 0 {
                *value = None;
            }
        }
        let fresh = Config::try_from(self.configs.len()).ok()?;
        let key = (node, values);
        if let Some(&number) = self.numbers.get(&key) {
            return Some(number);
        }
        self.configs.push(key.clone());
        self.numbers.insert(key, fresh);
        Some(fresh)
    }

    /// Where walks may go; `None` for no configuration.
    pub(super) fn steps(&mut self, config: Config) -> Option<Rc<Steps>> {
        if let Some(steps) = self.steps.get(&config) {
            return Some(steps.clone());
        }
        let (node, values) = self.configs.get(config as usize)?.clone();
        let mut steps = Steps::default();
        for &id in self.game.automaton.outgoing(node) {
            self.step(self.game.automaton.edge(id), values.clone(), &mut steps);
        }
        let steps = Rc::new(steps);
        self.steps.insert(config, steps.clone());
        Some(steps)
    }

    /// Adds where an edge may lead.
    fn step(&mut self, edge: &Edge, values: Values, steps: &mut Steps) {
        if self.game.ends_move(&edge.label) {
            steps.ends = true;
            return;
        }
        match edge.label {
            Label::Skip | Label::Reach { .. } => steps.silent.extend(self.config(edge.target, values)),
            Label::Tag(tag) => steps.tagged.extend(self.config(edge.target, values).map(|config| (tag, config))),
            Label::TagVar(var) => {
                let place = self.partial.place(var);
                let known = place.and_then(|at| values.get(at).copied().flatten());
                let possible = match known {
                    Some(tag) => vec![tag],
                    None => {
                        self.game.vars.get(var).map_or_else(Vec::new, |var| self.game.types.members(var.ty).to_vec())
                    }
                };
                for tag in possible {
                    let config = self.config(edge.target, with(&values, place, Some(tag)));
                    steps.tagged.extend(config.map(|config| (tag, config)));
                }
            }
            Label::Compare { lhs, rhs, negated } => self.compare(edge, (lhs, rhs, negated), &values, steps),
            Label::Assign { rhs, .. } => match self.written(edge) {
                None => steps.silent.extend(self.config(edge.target, values)),
                Some(place) => match self.partial.value(&values, rhs) {
                    Value::Known(value) => self.go(edge, &values, (place, Some(value)), steps),
                    Value::Entry(_) | Value::Unknown => self.go(edge, &values, (place, None), steps),
                    Value::Depends(other) => self.branch(edge, &values, other, steps),
                },
            },
            Label::AssignAny { ty, .. } => match self.written(edge) {
                None => steps.silent.extend(self.config(edge.target, values)),
                Some(place) if self.partial.has_type(place, ty) => self.go(edge, &values, (place, None), steps),
                Some(place) => {
                    for value in self.game.types.members(ty).to_vec() {
                        self.go(edge, &values, (place, Some(value)), steps);
                    }
                }
            },
        }
    }

    /// Goes on with another value of a variable.
    fn go(&mut self, edge: &Edge, values: &Values, (place, value): (usize, Option<Symbol>), steps: &mut Steps) {
        steps.silent.extend(self.config(edge.target, with(values, Some(place), value)));
    }

    /// Takes an edge once with each value of a variable that was not known.
    fn branch(&mut self, edge: &Edge, values: &Values, place: usize, steps: &mut Steps) {
        for value in self.partial.members(place).to_vec() {
            self.step(edge, with(values, Some(place), Some(value)), steps);
        }
    }

    fn compare(&mut self, edge: &Edge, comparison: (ExprId, ExprId, bool), values: &Values, steps: &mut Steps) {
        match self.partial.compare(values, comparison) {
            Compared::Fails => {}
            Compared::May(values) => steps.silent.extend(self.config(edge.target, values)),
            Compared::Depends(place) => self.branch(edge, values, place, steps),
        }
    }

    /// The place of the variable that an edge writes as a whole, if it is followed.
    fn written(&self, edge: &Edge) -> Option<usize> {
        let write = effects::write(self.game, &edge.label).filter(|write| write.whole)?;
        self.partial.place(write.var)
    }
}
