//! Values that a map has at one place at most: a king, a ball.
//!
//! A search that begins with "anywhere where there is a king" begins at one place then, and rays from one place are
//! look-ups. That there is at most one is found by counting along all walks: a piece is put down where it has been
//! taken up before.

use super::numbers::{Numbers, path};
use fixedbitset::FixedBitSet;
use passes::analysis::Values;
use passes::dataflow::{Analysis, Direction, solve};
use passes::effects::mentions;
use rg_ir::ids::Id;
use rg_ir::{Edge, EdgeId, Expr, ExprId, Game, Label, NodeId, Symbol, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most values that are counted.
const MAX_VALUES: usize = 16;
/// Most edges times values.
const MAX_WORK: usize = 1 << 20;
/// Most cases that are distinguished at a node.
const MAX_CASES: usize = 8;
/// A count of so many or more.
const MANY: u8 = 3;

/// By map and number of the value: the nodes at which the map has it at one place at most.
#[derive(Default)]
pub(super) struct Unique(FxHashMap<(VarId, u32), FixedBitSet>);

impl Unique {
    /// Finds them for values that are looked for everywhere in a map. For each of them, O(edges) times the few times that
    /// the cases at a node grow.
    pub(super) fn solve(game: &Game, numbers: &Numbers, values: Option<&Values>) -> Self {
        let mut found = Self::default();
        let wanted = wanted(game);
        if wanted.len() > MAX_VALUES || wanted.len() * game.automaton.edges().count() > MAX_WORK {
            return found;
        }
        for (var, value) in wanted {
            let Some(number) = number(numbers, var, value) else { continue };
            let Some(first) = occurrences(game, var, value).filter(|&count| count < 2) else { continue };
            let counts = solve(game, &Counts { var, value, first, values });
            let mut nodes = FixedBitSet::with_capacity(game.automaton.node_bound());
            for node in game.automaton.nodes() {
                if counts.at(node).is_some_and(|cases| cases.iter().all(|case| case.count < 2)) {
                    nodes.insert(node.index());
                }
            }
            found.0.insert((var, number), nodes);
        }
        found
    }

    /// Whether a map has a value at one place at most when a walk comes by a node.
    pub(super) fn at(&self, node: NodeId, var: VarId, value: u32) -> bool {
        self.0.get(&(var, value)).is_some_and(|nodes| nodes.contains(node.index()))
    }

    /// Whether a comparison asks for such a value.
    pub(super) fn compared(&self, game: &Game, numbers: &Numbers, node: NodeId, lhs: ExprId, rhs: ExprId) -> bool {
        let Some((var, _, Expr::Symbol(value))) = entry(game, lhs, rhs) else { return false };
        number(numbers, var, value).is_some_and(|value| self.at(node, var, value))
    }
}

fn number(numbers: &Numbers, var: VarId, value: Symbol) -> Option<u32> {
    numbers.number(numbers.vars.get(var)?.as_ref().ok()?.class, value)
}

/// The maps and values with comparisons `map[key] == value` right behind `key = Type(*)`.
fn wanted(game: &Game) -> Vec<(VarId, Symbol)> {
    let mut wanted: FxHashSet<(VarId, Symbol)> = FxHashSet::default();
    for (_, edge) in game.automaton.edges() {
        let Label::AssignAny { lhs: chosen, .. } = edge.label else { continue };
        for &id in game.automaton.outgoing(edge.target) {
            if let Label::Compare { lhs, rhs, negated: false } = game.automaton.edge(id).label
                && let Some((var, key, Expr::Symbol(value))) = entry(game, lhs, rhs)
                && key == chosen
            {
                wanted.insert((var, value));
            }
        }
    }
    let mut wanted: Vec<_> = wanted.into_iter().collect();
    wanted.sort_unstable();
    wanted
}

/// How often a map of one level has a value in the beginning; `None` if it has it for what is not a key, where writes do
/// nothing.
fn occurrences(game: &Game, var: VarId, value: Symbol) -> Option<u8> {
    let decl = game.vars.get(var)?;
    let dense = game.dense(decl.ty, &decl.initial).ok()?;
    let &[size] = &dense.dims[..] else { return None };
    // The last entry is for what is not a key.
    let (last, keys) = dense.values.get(..size)?.split_last()?;
    let count = keys.iter().filter(|&&other| other == value).count();
    if *last == value {
        return None;
    }
    Some(count.min(usize::from(MANY)) as u8)
}

/// A comparison of an entry of a map with something else: the map, the key, and what the other is.
fn entry(game: &Game, lhs: ExprId, rhs: ExprId) -> Option<(VarId, ExprId, Expr)> {
    [(lhs, rhs), (rhs, lhs)].into_iter().find_map(|(one, other)| match path(game, one) {
        (Expr::Var(var), keys) => match &keys[..] {
            &[key] => Some((var, plain(game, key), game.exprs.get(plain(game, other)))),
            _ => None,
        },
        _ => None,
    })
}

/// Without casts around it.
fn plain(game: &Game, mut expr: ExprId) -> ExprId {
    while let Expr::Cast(_, inner) = game.exprs.get(expr) {
        expr = inner;
    }
    expr
}

/// How often a map has a value.
struct Counts<'a> {
    var: VarId,
    value: Symbol,
    first: u8,
    values: Option<&'a Values>,
}

/// States with something in common.
#[derive(Clone, PartialEq, Eq)]
struct Case {
    /// At so many places at most, or [`MANY`].
    count: u8,
    /// Keys at which the map has it, in order.
    here: Vec<ExprId>,
}

/// What a value that is written may be.
enum Written {
    /// The one that is counted.
    It,
    /// Another.
    Other,
    /// Either; it is that of another entry of the map, perhaps.
    Either(Option<ExprId>),
}

impl Case {
    fn knows(&self, key: ExprId) -> bool {
        self.here.binary_search(&key).is_ok()
    }

    fn learn(&mut self, key: ExprId) {
        if let Err(at) = self.here.binary_search(&key) {
            self.here.insert(at, key);
        }
    }

    /// Whether all of its states are states of another case.
    fn is_within(&self, other: &Case) -> bool {
        self.count <= other.count && other.here.iter().all(|&key| self.knows(key))
    }
}

impl Counts<'_> {
    /// What a case becomes when the value is written, and when another is.
    fn written(&self, game: &Game, case: &Case, key: ExprId, written: &Written) -> Vec<Case> {
        let it = |mut case: Case| {
            if !case.knows(key) && case.count < MANY {
                case.count += 1;
            }
            case.here.retain(|&other| !mentions(game, other, self.var));
            if !mentions(game, key, self.var) {
                case.learn(key);
            }
            case
        };
        let other = |case: Case| {
            let taken = case.knows(key) && case.count < MANY;
            Case { count: case.count.saturating_sub(u8::from(taken)), here: Vec::new() }
        };
        match *written {
            Written::It => vec![it(case.clone())],
            Written::Other => vec![other(case.clone())],
            Written::Either(Some(from)) if from == key => vec![case.clone()],
            Written::Either(Some(from)) if case.knows(from) => vec![it(case.clone())],
            Written::Either(Some(_)) if case.count == 0 => vec![other(case.clone())],
            Written::Either(from) => {
                let mut same = case.clone();
                from.into_iter().for_each(|from| same.learn(from));
                vec![it(same), other(case.clone())]
            }
        }
    }

    /// What an assignment writes.
    fn what(&self, game: &Game, source: NodeId, rhs: ExprId) -> Written {
        let rhs = plain(game, rhs);
        match game.exprs.get(rhs) {
            Expr::Symbol(symbol) if symbol == self.value => return Written::It,
            Expr::Symbol(_) => return Written::Other,
            _ => {}
        }
        let possible = self.values.and_then(|values| values.of(game, source, rhs));
        if possible.is_some_and(|possible| !possible.contains(&self.value)) {
            return Written::Other;
        }
        match path(game, rhs) {
            (Expr::Var(var), keys) if var == self.var && keys.len() == 1 => {
                Written::Either(keys.first().map(|&key| plain(game, key)))
            }
            _ => Written::Either(None),
        }
    }

    fn write(&self, game: &Game, lhs: ExprId, written: &Written, copied: Option<ExprId>, cases: &mut Vec<Case>) {
        let (Expr::Var(var), keys) = path(game, lhs) else { return };
        if var != self.var {
            for case in cases {
                let copy = copied.filter(|&from| keys.is_empty() && case.knows(from));
                case.here.retain(|&key| !mentions(game, key, var));
                if copy.is_some() {
                    case.learn(plain(game, lhs));
                }
            }
            return;
        }
        let &[key] = &keys[..] else {
            *cases = vec![Case { count: MANY, here: Vec::new() }];
            return;
        };
        let key = plain(game, key);
        let all: Vec<Case> = cases.iter().flat_map(|case| self.written(game, case, key, written)).collect();
        cases.clear();
        self.join(cases, &all);
    }
}

impl Analysis for Counts<'_> {
    type Fact = Vec<Case>;

    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, game: &Game) -> Vec<(NodeId, Self::Fact)> {
        vec![(game.begin(), vec![Case { count: self.first, here: Vec::new() }])]
    }

    fn transfer(&self, game: &Game, _: EdgeId, edge: &Edge, cases: &mut Self::Fact) -> bool {
        match edge.label {
            Label::Skip | Label::Tag(_) | Label::TagVar(_) | Label::Reach { .. } => {}
            Label::Compare { lhs, rhs, negated } => {
                let Some((var, key, Expr::Symbol(symbol))) = entry(game, lhs, rhs) else { return true };
                if var == self.var && symbol == self.value && !negated {
                    cases.retain(|case| case.count > 0);
                    cases.iter_mut().for_each(|case| case.learn(key));
                }
            }
            Label::Assign { lhs, rhs } => {
                let written = self.what(game, edge.source, rhs);
                self.write(game, lhs, &written, Some(plain(game, rhs)), cases);
            }
            Label::AssignAny { lhs, ty } => {
                let possible = game.types.members(ty).contains(&self.value);
                let written = if possible { Written::Either(None) } else { Written::Other };
                self.write(game, lhs, &written, None, cases);
            }
        }
        !cases.is_empty()
    }

    fn join(&self, cases: &mut Self::Fact, other: &Self::Fact) -> bool {
        let mut changed = false;
        for new in other {
            if cases.iter().any(|case| new.is_within(case)) {
                continue;
            }
            changed = true;
            cases.retain(|case| !case.is_within(new));
            cases.push(new.clone());
            if cases.len() > MAX_CASES {
                let count = cases.iter().map(|case| case.count).max().unwrap_or(MANY);
                let mut here = std::mem::take(&mut cases[0].here);
                here.retain(|&key| cases.iter().skip(1).all(|case| case.knows(key)));
                *cases = vec![Case { count, here }];
            }
        }
        changed
    }
}
