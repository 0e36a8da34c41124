//! Walks of moves with the values of the variables that labels depend on.

use crate::effects;
use crate::tables::Tables;
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{Edge, Expr, ExprId, Game, Label, NodeId, Symbol, TypeId, VarId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Values at most of a variable that is followed.
const MAX_VALUES: usize = 400;
/// Variables at most that are followed: they have a bit each in sets of them.
const MAX_TRACKED: usize = 64;

/// The number of a node with values of variables.
pub(super) type Config = u32;

/// The values of the variables that are followed; `None` where nothing is known.
type Values = Box<[Option<Symbol>]>;

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
    tables: Tables,
    tracked: Vec<VarId>,
    /// By variable, its place in `tracked`.
    places: FxHashMap<VarId, usize>,
    player: Option<VarId>,
    /// By node, which tracked variables can still matter to the label.
    live: Vec<u64>,
    /// The nodes from which moves can end.
    ending: FixedBitSet,
    numbers: FxHashMap<(NodeId, Values), Config>,
    configs: Vec<(NodeId, Values)>,
    steps: FxHashMap<Config, Rc<Steps>>,
}

/// What an expression is.
enum Value {
    Known(Symbol),
    Unknown,
    /// It could be told if this variable was known.
    Depends(usize),
}

impl<'g> Walks<'g> {
    pub(super) fn new(game: &'g Game) -> Self {
        let tracked = tracked(game);
        let places: FxHashMap<VarId, usize> = tracked.iter().enumerate().map(|(at, &var)| (var, at)).collect();
        let ends = game.automaton.edges().filter(|(_, edge)| game.ends_move(&edge.label)).map(|(_, edge)| edge.source);
        let ending = game.automaton.reaching(ends);
        let mut walks = Self {
            game,
            tables: Tables::default(),
            tracked,
            places,
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
        let blank: Values = vec![None; self.tracked.len()].into();
        let mut starts = Vec::new();
        for (_, edge) in self.game.automaton.edges() {
            if !live.contains(edge.source.index()) || !self.game.ends_move(&edge.label) {
                continue;
            }
            let mut values = blank.clone();
            if let Label::Assign { rhs, .. } = edge.label
                && let Value::Known(player) = self.value(&values, rhs)
            {
                if Some(player) == keeper {
                    continue;
                }
                if let Some(slot) = self.player.and_then(|player| values.get_mut(*self.places.get(&player)?)) {
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
                    && let Some(at) = self.places.get(&write.var)
                {
                    if after >> at & 1 == 0 {
                        needed |= after;
                        continue;
                    }
                    after &= !(1 << at);
                }
                effects::reads(self.game, &edge.label, |var| {
                    if let Some(at) = self.places.get(&var) {
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
                let place = self.places.get(&var).copied();
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
            Label::Compare { lhs, rhs, negated } => self.compare(edge, (lhs, rhs, negated), values, steps),
            Label::Assign { rhs, .. } => match self.written(edge) {
                None => steps.silent.extend(self.config(edge.target, values)),
                Some(place) => match self.value(&values, rhs) {
                    Value::Known(value) => self.go(edge, &values, (place, Some(value)), steps),
                    Value::Unknown => self.go(edge, &values, (place, None), steps),
                    Value::Depends(other) => self.branch(edge, &values, other, steps),
                },
            },
            Label::AssignAny { ty, .. } => match self.written(edge) {
                None => steps.silent.extend(self.config(edge.target, values)),
                Some(place) if self.has_type(place, ty) => self.go(edge, &values, (place, None), steps),
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
        for value in self.members(place).to_vec() {
            self.step(edge, with(values, Some(place), Some(value)), steps);
        }
    }

    fn compare(
        &mut self,
        edge: &Edge,
        (lhs, rhs, negated): (ExprId, ExprId, bool),
        mut values: Values,
        steps: &mut Steps,
    ) {
        match (self.value(&values, lhs), self.value(&values, rhs)) {
            (Value::Known(one), Value::Known(other)) if (one == other) == negated => return,
            (Value::Depends(place), _) | (_, Value::Depends(place)) => return self.branch(edge, &values, place, steps),
            (Value::Known(value), Value::Unknown) | (Value::Unknown, Value::Known(value)) if !negated => {
                let variable = [lhs, rhs].into_iter().find_map(|side| self.single(side));
                if let Some(place) = variable {
                    if !self.members(place).contains(&value) {
                        return;
                    }
                    values = with(&values, Some(place), Some(value));
                }
            }
            _ => {}
        }
        steps.silent.extend(self.config(edge.target, values));
    }

    /// The place of the variable that an edge writes as a whole, if it is followed.
    fn written(&self, edge: &Edge) -> Option<usize> {
        let write = effects::write(self.game, &edge.label).filter(|write| write.whole)?;
        self.places.get(&write.var).copied()
    }

    /// The place of the variable that an expression is, if its value is followed and not known.
    fn single(&self, expr: ExprId) -> Option<usize> {
        match self.game.exprs.get(expr) {
            Expr::Var(var) => self.places.get(&var).copied(),
            Expr::Cast(_, inner) => self.single(inner),
            _ => None,
        }
    }

    fn members(&self, place: usize) -> &'g [Symbol] {
        let var = self.tracked.get(place).and_then(|&var| self.game.vars.get(var));
        var.map_or(&[], |var| self.game.types.members(var.ty))
    }

    fn has_type(&self, place: usize, ty: TypeId) -> bool {
        let var = self.tracked.get(place).and_then(|&var| self.game.vars.get(var));
        var.is_some_and(|var| self.game.types.subset(var.ty, ty))
    }

    /// The value of an expression as far as it is known. Expressions nest as deep as the checks allow.
    fn value(&self, values: &Values, expr: ExprId) -> Value {
        let (mut at, mut keys) = (expr, Vec::new());
        loop {
            match self.game.exprs.get(at) {
                Expr::Cast(_, inner) => at = inner,
                Expr::Access(map, key) => {
                    keys.push(key);
                    at = map;
                }
                Expr::Symbol(symbol) if keys.is_empty() => return Value::Known(symbol),
                Expr::Var(var) if keys.is_empty() => {
                    let known = self.places.get(&var).and_then(|&place| values.get(place).copied().flatten());
                    return known.map_or(Value::Unknown, Value::Known);
                }
                Expr::Const(id) => {
                    let mut symbols = Vec::with_capacity(keys.len());
                    for &key in keys.iter().rev() {
                        match self.value(values, key) {
                            Value::Known(symbol) => symbols.push(symbol),
                            Value::Unknown => return self.single(key).map_or(Value::Unknown, Value::Depends),
                            depends => return depends,
                        }
                    }
                    let table = self.tables.constant(self.game, id);
                    let value = table.and_then(|table| table.get(&symbols));
                    return value.map_or(Value::Unknown, Value::Known);
                }
                Expr::Symbol(_) | Expr::Var(_) => return Value::Unknown,
            }
        }
    }
}

/// Values with another one at a place.
fn with(values: &Values, place: Option<usize>, value: Option<Symbol>) -> Values {
    let mut values = values.clone();
    if let Some(slot) = place.and_then(|place| values.get_mut(place)) {
        *slot = value;
    }
    values
}

/// The variables that are shown, and those that their values are computed from, as far as they have few values.
fn tracked(game: &Game) -> Vec<VarId> {
    let is_small =
        |var: VarId| game.vars.get(var).is_some_and(|var| (1..=MAX_VALUES).contains(&game.types.members(var.ty).len()));
    let mut tracked: Vec<VarId> = Vec::new();
    let add = |var: VarId, tracked: &mut Vec<VarId>| {
        let is_new = tracked.len() < MAX_TRACKED && is_small(var) && !tracked.contains(&var);
        if is_new {
            tracked.push(var);
        }
        is_new
    };
    for (_, edge) in game.automaton.edges() {
        if let Label::TagVar(var) = edge.label {
            add(var, &mut tracked);
        }
    }
    let mut grows = !tracked.is_empty();
    while grows {
        grows = false;
        for (_, edge) in game.automaton.edges() {
            let writes = effects::write(game, &edge.label).is_some_and(|write| tracked.contains(&write.var));
            if let Label::Assign { rhs, .. } = edge.label
                && writes
            {
                effects::variables(game, rhs, &mut |var| grows |= add(var, &mut tracked));
            }
        }
    }
    tracked
}
