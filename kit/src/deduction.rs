//! What follows from the rules and from what a player observed, by constant propagation: the rules are followed with values of variables that may be
//! unknown. Walks on which other things would have been observed are left out, so that an answer of the keeper tells which way the rules went. Nothing
//! is known that does not follow; what does follow may be missed.

mod assigned;

pub use assigned::Assigned;

use crate::runner::Runner;
use agents::Observed;
use backend::Turn;
use rg_ir::{ConstId, Expr, ExprId, Game, Label, NodeId, StateView, Symbol, TypeId, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Cells of variables at most.
const MAX_CELLS: usize = 5_000;

/// Positions with unknown values that are kept, at most.
const MAX_FRONT: usize = 64;

/// Steps of all walks of a move at most, times the number of cells.
const MAX_WORK: usize = 4_000_000;

/// What one player can deduce.
#[derive(Clone)]
pub struct Deduction<'r> {
    runner: &'r Runner,
    layout: Layout,
    /// The positions that are possible, with what is known in each; none if that is given up.
    front: Vec<(NodeId, Cells)>,
}

/// Which value is given for cells that are not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Filling {
    /// No value.
    Nothing,
    /// The first one of the type.
    First,
    /// The last one of the type.
    Last,
}

/// Values of all variables, `None` where unknown.
type Cells = Vec<Option<Symbol>>;

/// Where the cells of variables are.
#[derive(Clone, Debug)]
struct Layout {
    /// Per variable the index of its first cell, and the types of its keys.
    of: FxHashMap<VarId, (usize, Vec<TypeId>)>,
    /// Per cell the type of its values.
    types: Vec<TypeId>,
    player: VarId,
    visible: Option<VarId>,
}

/// A walk of a move, so far.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Walk {
    node: NodeId,
    cells: Cells,
    /// Who moves; `None` is the keeper.
    mover: Option<Turn>,
    /// How many of the observed tags it has shown.
    shown: usize,
}

impl<'r> Deduction<'r> {
    /// At the beginning of a game everything is known; `None` where the game is too large.
    pub fn new(runner: &'r Runner) -> Option<Self> {
        let game = &runner.loaded.game;
        let layout = Layout::new(game)?;
        let state = runner.reasoner.initial().ok()?;
        let view = runner.reasoner.view(&state);
        let node = game.find_node(game.symbols.get(runner.reasoner.node_name(&state))?)?;
        let mut cells = vec![None; layout.types.len()];
        for (var, (first, keys)) in &layout.of {
            let name = game.name(game.vars.get(*var)?.name);
            for (index, path) in (*first..).zip(paths(game, keys)) {
                let value = view.get(name, &path).and_then(|value| game.symbols.get(value));
                *cells.get_mut(index)? = value;
            }
        }
        Some(Self { runner, layout, front: vec![(node, cells)] })
    }

    /// Follows a move and the answers of the keeper, as `player` observed them.
    pub fn follow(&mut self, player: usize, observed: &[Observed]) {
        let mut after = Vec::new();
        let walks = Walks { runner: self.runner, layout: &self.layout, player, observed };
        let mut left = MAX_WORK / self.layout.types.len().max(1);
        for (node, cells) in std::mem::take(&mut self.front) {
            if walks.follow(node, cells, &mut left, &mut after).is_none() || after.len() > MAX_FRONT {
                return;
            }
        }
        self.front = after;
    }

    /// The position as far as it is known; `None` if nothing is.
    pub fn view(&self, filling: Filling) -> Option<impl StateView + '_> {
        (!self.front.is_empty()).then_some(Partial { deduction: self, filling })
    }
}

/// A position with unknown values.
struct Partial<'d, 'r> {
    deduction: &'d Deduction<'r>,
    filling: Filling,
}

impl StateView for Partial<'_, '_> {
    fn get(&self, variable: &str, keys: &[&str]) -> Option<&str> {
        let Deduction { runner, layout, front } = self.deduction;
        let game = &runner.loaded.game;
        let var = game.find_var(game.symbols.get(variable)?)?;
        let keys: Option<Vec<Symbol>> = keys.iter().map(|key| game.symbols.get(key)).collect();
        let cell = layout.cell(game, var, &keys?)?;
        let mut values = front.iter().map(|(_, cells)| cells.get(cell).copied().flatten());
        let first = values.next().flatten();
        let known = first.filter(|_| values.all(|value| value == first));
        let members = || layout.types.get(cell).map(|&ty| game.types.members(ty)).unwrap_or_default();
        let value = known.or_else(|| match self.filling {
            Filling::Nothing => None,
            Filling::First => members().first().copied(),
            Filling::Last => members().last().copied(),
        });
        value.map(|value| game.name(value))
    }
}

impl Layout {
    fn new(game: &Game) -> Option<Self> {
        let (mut of, mut types) = (FxHashMap::default(), Vec::new());
        for (var, decl) in game.vars.iter() {
            let shape = game.shape(decl.ty)?;
            let count =
                shape.keys.iter().try_fold(1_usize, |count, &key| count.checked_mul(game.types.members(key).len()))?;
            of.insert(var, (types.len(), shape.keys));
            if types.len() + count > MAX_CELLS {
                return None;
            }
            types.resize(types.len() + count, shape.leaf);
        }
        let find = |name: &str| game.find_var(game.symbols.get(name)?);
        Some(Self { of, types, player: find("player")?, visible: find("visible") })
    }

    /// The cell of a variable with all its keys.
    fn cell(&self, game: &Game, var: VarId, keys: &[Symbol]) -> Option<usize> {
        let (first, types) = self.of.get(&var)?;
        if types.len() != keys.len() {
            return None;
        }
        let mut index = 0;
        for (&ty, key) in types.iter().zip(keys) {
            let members = game.types.members(ty);
            index = index * members.len() + members.iter().position(|member| member == key)?;
        }
        Some(first + index)
    }

    /// The cells of a variable below keys of which some may be unknown, and some last ones are missing.
    fn below(&self, game: &Game, var: VarId, keys: &[Option<Symbol>]) -> Vec<usize> {
        let Some((first, types)) = self.of.get(&var) else { return Vec::new() };
        let mut indices = vec![0];
        for (number, &ty) in types.iter().enumerate() {
            let members = game.types.members(ty);
            let key = keys.get(number).copied().flatten();
            let fitting: Vec<usize> = members
                .iter()
                .enumerate()
                .filter(|(_, member)| key.is_none_or(|key| key == **member))
                .map(|(at, _)| at)
                .collect();
            indices =
                indices.iter().flat_map(|index| fitting.iter().map(move |at| index * members.len() + at)).collect();
        }
        indices.into_iter().map(|index| first + index).collect()
    }
}

/// All paths of keys of a map, in the order of cells.
fn paths<'g>(game: &'g Game, keys: &[TypeId]) -> Vec<Vec<&'g str>> {
    keys.iter().fold(vec![Vec::new()], |paths, &key| {
        let longer = |path: &Vec<&'g str>| {
            let path = path.clone();
            game.types.members(key).iter().map(move |&member| [path.as_slice(), &[game.name(member)]].concat())
        };
        paths.iter().flat_map(longer).collect()
    })
}

/// The walks of a move, and what is observed of it.
struct Walks<'w> {
    runner: &'w Runner,
    layout: &'w Layout,
    player: usize,
    observed: &'w [Observed],
}

impl Walks<'_> {
    fn game(&self) -> &Game {
        &self.runner.loaded.game
    }

    /// Adds the positions after all walks from a position that fit what was observed. `None` if there are too many.
    fn follow(&self, node: NodeId, cells: Cells, left: &mut usize, after: &mut Vec<(NodeId, Cells)>) -> Option<()> {
        let game = self.game();
        let mover = self.observed.first()?.mover;
        let mut open = vec![Walk { node, cells, mover, shown: 0 }];
        let mut seen: FxHashSet<Walk> = open.iter().cloned().collect();
        while let Some(walk) = open.pop() {
            for edge in game.automaton.outgoing(walk.node).iter().map(|&id| game.automaton.edge(id)) {
                *left = left.checked_sub(1)?;
                for mut next in self.past(&edge.label, &walk) {
                    next.node = edge.target;
                    let is_after = game.ends_move(&edge.label).then(|| self.is_after(&mut next));
                    match is_after {
                        // Who is to move is known wherever that can be followed.
                        Some(None) => return None,
                        Some(Some(true)) => {
                            let found = (next.node, next.cells);
                            if next.shown == self.tags().len() && !after.contains(&found) {
                                after.push(found);
                            }
                        }
                        Some(Some(false)) | None => {
                            if seen.insert(next.clone()) {
                                open.push(next);
                            }
                        }
                    }
                }
            }
        }
        Some(())
    }

    /// Behind an edge that ends a move, whether somebody else than the keeper is to move, or the game is over; `None` if that is not known. All of
    /// what was observed of the move itself must have been shown.
    fn is_after(&self, next: &mut Walk) -> Option<bool> {
        let game = self.game();
        let player = self.layout.cell(game, self.layout.player, &[])?;
        let mover = next.cells.get(player).copied().flatten()?;
        if next.mover.is_some() && next.shown != self.observed.first().map_or(0, |made| made.tags.len()) {
            // This walk fits no observation, and goes nowhere.
            next.shown = usize::MAX;
            return Some(true);
        }
        next.mover = None;
        Some(game.name(mover) != "keeper" || next.node == game.end())
    }

    /// The tags that were observed of the move and of the answers.
    fn tags(&self) -> Vec<Symbol> {
        let tags = self.observed.iter().flat_map(|observed| &observed.tags);
        tags.filter_map(|&tag| self.game().symbols.get(self.runner.reasoner.tag_name(tag))).collect()
    }

    /// The walks past an edge: none if it cannot be passed, and several where it is not known whether its tag is seen.
    fn past(&self, label: &Label, walk: &Walk) -> Vec<Walk> {
        let game = self.game();
        let mut next = walk.clone();
        match *label {
            // Checks of other walks may hold.
            Label::Skip | Label::Reach { .. } => vec![next],
            Label::Compare { lhs, rhs, negated } => {
                let values = (self.value(&walk.cells, lhs), self.value(&walk.cells, rhs));
                match values {
                    (Some(one), Some(other)) if (one == other) == negated => return Vec::new(),
                    (None, Some(value)) if !negated => self.learn(&mut next.cells, lhs, value),
                    (Some(value), None) if !negated => self.learn(&mut next.cells, rhs, value),
                    _ => {}
                }
                vec![next]
            }
            Label::Assign { lhs, rhs } => {
                let value = self.value(&walk.cells, rhs);
                self.assign(&mut next.cells, lhs, value);
                vec![next]
            }
            Label::AssignAny { lhs, .. } => {
                self.assign(&mut next.cells, lhs, None);
                vec![next]
            }
            Label::Tag(tag) => self.tagged(walk, Some(tag), None),
            Label::TagVar(var) => {
                let cell = self.layout.cell(game, var, &[]);
                let value = cell.and_then(|cell| walk.cells.get(cell).copied().flatten());
                self.tagged(walk, value, cell)
            }
        }
    }

    /// The walks past a tag, which is the value of a cell if that is said.
    fn tagged(&self, walk: &Walk, tag: Option<Symbol>, cell: Option<usize>) -> Vec<Walk> {
        let is_own = walk.mover == Some(Turn::Player(self.player));
        let mask = if is_own { Some(true) } else { self.sees(&walk.cells) };
        let mut walks = Vec::new();
        if mask != Some(true) {
            walks.push(walk.clone());
        }
        let made = self.observed.first().map_or(0, |made| made.tags.len());
        let is_here = walk.mover.is_none() || walk.shown < made;
        let expected = self.tags().get(walk.shown).copied().filter(|_| is_here);
        if let Some(expected) =
            expected.filter(|expected| mask != Some(false) && tag.is_none_or(|tag| tag == *expected))
        {
            let mut next = walk.clone();
            next.shown += 1;
            if let Some(value) = cell.and_then(|cell| next.cells.get_mut(cell)) {
                *value = Some(expected);
            }
            walks.push(next);
        }
        walks
    }

    /// Whether the player sees tags; `None` if that is not known.
    fn sees(&self, cells: &Cells) -> Option<bool> {
        let game = self.game();
        let Some(visible) = self.layout.visible else { return Some(true) };
        let player = *game.players().get(self.player)?;
        let cell = self.layout.cell(game, visible, &[player])?;
        Some(game.name(cells.get(cell).copied().flatten()?) == "1")
    }

    /// A cell has a value, if it is known which cell is meant.
    fn learn(&self, cells: &mut Cells, expr: ExprId, value: Symbol) {
        let (root, keys) = self.path(cells, expr);
        let keys: Option<Vec<Symbol>> = keys.into_iter().collect();
        if let (Expr::Var(var), Some(keys)) = (root, keys) {
            let cell = self.layout.cell(self.game(), var, &keys).and_then(|cell| cells.get_mut(cell));
            cell.into_iter().for_each(|cell| *cell = Some(value));
        }
    }

    /// Puts a value where an expression says; all cells are unknown that may be meant.
    fn assign(&self, cells: &mut Cells, lhs: ExprId, value: Option<Symbol>) {
        let game = self.game();
        let (root, keys) = self.path(cells, lhs);
        let Expr::Var(var) = root else { return };
        let is_whole = self.layout.of.get(&var).is_some_and(|(_, types)| types.len() == keys.len());
        let known: Option<Vec<Symbol>> = keys.iter().copied().collect();
        if let Some(known) = known.filter(|_| is_whole) {
            let cell = self.layout.cell(game, var, &known).and_then(|cell| cells.get_mut(cell));
            cell.into_iter().for_each(|cell| *cell = value);
            return;
        }
        for cell in self.layout.below(game, var, &keys) {
            if let Some(cell) = cells.get_mut(cell).filter(|cell| !is_whole || **cell != value) {
                *cell = None;
            }
        }
    }

    /// The variable, constant or symbol at the root of an expression, and the values of its keys, outermost first.
    fn path(&self, cells: &Cells, mut expr: ExprId) -> (Expr, Vec<Option<Symbol>>) {
        let mut keys = Vec::new();
        loop {
            match self.game().exprs.get(expr) {
                Expr::Access(map, key) => {
                    keys.push(self.value(cells, key));
                    expr = map;
                }
                Expr::Cast(_, inner) => expr = inner,
                root => {
                    keys.reverse();
                    return (root, keys);
                }
            }
        }
    }

    /// The value of an expression; `None` if it is not known, or a map.
    fn value(&self, cells: &Cells, expr: ExprId) -> Option<Symbol> {
        let (root, keys) = self.path(cells, expr);
        let keys: Option<Vec<Symbol>> = keys.into_iter().collect();
        match root {
            Expr::Symbol(symbol) => Some(symbol),
            Expr::Var(var) => cells.get(self.layout.cell(self.game(), var, &keys?)?).copied().flatten(),
            Expr::Const(constant) => self.constant(constant, &keys?),
            Expr::Access(..) | Expr::Cast(..) => None,
        }
    }

    /// The value of a constant below keys.
    fn constant(&self, constant: ConstId, keys: &[Symbol]) -> Option<Symbol> {
        let mut value = &self.game().consts.get(constant)?.value;
        let mut keys = keys.iter();
        loop {
            match value {
                Value::Const(other) => value = &self.game().consts.get(*other)?.value,
                Value::Symbol(symbol) => return keys.next().is_none().then_some(*symbol),
                Value::Map(literal) => {
                    let key = keys.next()?;
                    let entry = literal.entries.iter().find(|(name, _)| name.as_ref() == Some(key));
                    value = entry.map(|(_, value)| value).or_else(|| literal.default_value())?;
                }
            }
        }
    }
}
