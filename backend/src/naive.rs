//! The naive engine: walks the automaton exactly as the semantics are written down (sections 7 to 9), with a visited
//! set over (node, label, whole semistate) and no cleverness. It is the oracle that other engines are tested against.
//!
//! Time and memory per search are proportional to the number of distinct (node, label, semistate) triples, each of
//! which copies the state.

use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::model::{MAX_PERFT_DEPTH, Model};
use crate::reasoner::PlayoutStats;
use crate::rng::Rng;
use crate::state::{Event, Moves, Record, State, Tag, Turn};
use rg_ir::ids::Id;
use rg_ir::{ConstId, Dense, Expr, ExprId, Game, IdVec, Label, NodeId, Pragma, Symbol, TypeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Values of all variables: the dense tables of their types one after the other, as symbol indices.
type Cells = Vec<u32>;
/// Tags (as symbol indices), with their visibility.
type Labelled = Vec<(u32, u64)>;

/// The engine.
#[derive(Debug)]
pub(crate) struct Naive {
    game: Game,
    consts: IdVec<ConstId, Dense>,
    offsets: IdVec<VarId, usize>,
    initial: Cells,
    /// Positions of the members of every key type, by resolved type.
    positions: FxHashMap<TypeId, FxHashMap<Symbol, usize>>,
    player: VarId,
    goals: VarId,
    visible: VarId,
    keeper: u32,
    random: u32,
    one: u32,
    players: Vec<Symbol>,
    keeper_may_choose: bool,
    limits: Limits,
    score_names: Vec<String>,
}

#[derive(Clone, Copy)]
enum Space {
    State,
    Const(ConstId),
}

#[derive(Clone, Copy)]
enum Val {
    Symbol(u32),
    Map { space: Space, offset: usize, ty: TypeId },
}

struct Search<'a> {
    engine: &'a Naive,
    steps: u64,
    /// Bytes of states made so far.
    memory: u64,
    active: Vec<(Cells, NodeId, NodeId)>,
}

fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Invalid, "", message)
}

impl Naive {
    /// Prepares a game with complete built-ins; `score_names` orders the counts of scores.
    pub(crate) fn new(game: &Game, limits: Limits, score_names: Vec<String>) -> Result<Self, Error> {
        let game = game.clone();
        let consts = game
            .dense_constants()
            .map_err(|(id, error)| invalid(format!("`{}`: {error}", game.name(game.consts[id].name))))?;
        let mut initial = Cells::new();
        let mut offsets = IdVec::new();
        let mut positions = FxHashMap::default();
        for (_, decl) in game.vars.iter() {
            let value = game.dense(decl.ty, &decl.initial);
            let value = value.map_err(|e| invalid(format!("`{}`: {e}", game.name(decl.name))))?;
            offsets.push(initial.len());
            initial.extend(value.values.iter().map(|s| s.index() as u32));
        }
        let declared = game.vars.values().map(|v| v.ty).chain(game.consts.values().map(|c| c.ty));
        for ty in declared {
            for key in game.shape(ty).map(|s| s.keys).unwrap_or_default() {
                let Some(resolved) = game.types.resolve(key) else { continue };
                positions
                    .entry(resolved)
                    .or_insert_with(|| game.types.members(key).iter().enumerate().map(|(i, &s)| (s, i)).collect());
            }
        }
        let find = |game: &Game, name: &str| {
            let symbol = game.symbols.get(name);
            symbol.and_then(|s| game.find_var(s)).ok_or_else(|| invalid(format!("there is no variable `{name}`")))
        };
        let (player, goals, visible) = (find(&game, "player")?, find(&game, "goals")?, find(&game, "visible")?);
        let [keeper, random, one] =
            ["keeper", "random", "1"].map(|name| game.symbols.get(name).map_or(u32::MAX, |s| s.index() as u32));
        let keeper_may_choose = game.pragmas.iter().any(|p| p.pragma == Pragma::TranslatedFromRbg);
        let players = game.players().to_vec();
        Ok(Self {
            consts,
            offsets,
            initial,
            positions,
            player,
            goals,
            visible,
            keeper,
            random,
            one,
            players,
            keeper_may_choose,
            limits,
            score_names,
            game,
        })
    }

    fn pack(&self, cells: &[u32], node: NodeId) -> State {
        let words = cells.iter().copied().chain([node.index() as u32]);
        State { bytes: words.flat_map(u32::to_le_bytes).collect() }
    }

    fn unpack(&self, state: &State) -> (Cells, NodeId) {
        let mut words: Cells =
            state.bytes.chunks_exact(4).map(|c| c.iter().rev().fold(0, |w, &b| w << 8 | u32::from(b))).collect();
        let node = words.pop().unwrap_or(0);
        words.resize(self.initial.len(), 0);
        (words, NodeId::from_index(node as usize))
    }

    fn node(&self, state: &State) -> NodeId {
        self.unpack(state).1
    }

    /// Position of a key in the table of a map type; the spare position if it is no key.
    fn key(&self, ty: TypeId, key: Symbol) -> Option<usize> {
        let (key_ty, _) = self.game.types.as_arrow(ty)?;
        let positions = self.positions.get(&self.game.types.resolve(key_ty)?)?;
        Some(positions.get(&key).copied().unwrap_or(positions.len()))
    }

    /// Number of entries of the table of a type.
    fn size(&self, ty: TypeId) -> usize {
        let keys = self.game.shape(ty).map(|s| s.keys).unwrap_or_default();
        keys.iter().map(|&k| self.game.types.members(k).len() + 1).product()
    }

    fn read(&self, cells: &[u32], space: Space, offset: usize) -> u32 {
        match space {
            Space::State => cells.get(offset).copied().unwrap_or(0),
            Space::Const(id) => self.consts[id].values.get(offset).map_or(0, |s| s.index() as u32),
        }
    }

    fn load(&self, cells: &[u32], space: Space, offset: usize, ty: TypeId) -> Val {
        if self.game.types.is_set(ty) {
            Val::Symbol(self.read(cells, space, offset))
        } else {
            Val::Map { space, offset, ty }
        }
    }

    fn eval(&self, cells: &[u32], expr: ExprId) -> Result<Val, Error> {
        match self.game.exprs.get(expr) {
            Expr::Symbol(symbol) => Ok(Val::Symbol(symbol.index() as u32)),
            Expr::Const(id) => Ok(self.load(cells, Space::Const(id), 0, self.game.consts[id].ty)),
            Expr::Var(id) => Ok(self.load(cells, Space::State, self.offsets[id], self.game.vars[id].ty)),
            Expr::Cast(_, inner) => self.eval(cells, inner),
            Expr::Access(map, key) => {
                let (map, key) = (self.eval(cells, map)?, self.eval(cells, key)?);
                let (Val::Map { space, offset, ty }, Val::Symbol(key)) = (map, key) else {
                    return Err(invalid("an access needs a map and a symbol"));
                };
                let value_ty = self.game.types.as_arrow(ty).map(|(_, v)| v).ok_or_else(|| invalid("not a map"))?;
                let position = self.key(ty, Symbol::from_index(key as usize)).ok_or_else(|| invalid("not a map"))?;
                Ok(self.load(cells, space, offset + position * self.size(value_ty), value_ty))
            }
        }
    }

    /// Where a left-hand side points: offset and type, or `None` for a key outside the key type (such writes are
    /// ignored).
    fn place(&self, cells: &[u32], lhs: ExprId) -> Result<Option<(usize, TypeId)>, Error> {
        match self.game.exprs.get(lhs) {
            Expr::Var(id) => Ok(Some((self.offsets[id], self.game.vars[id].ty))),
            Expr::Cast(_, inner) => self.place(cells, inner),
            Expr::Access(map, key) => {
                let key = self.eval(cells, key)?;
                let Some((offset, ty)) = self.place(cells, map)? else { return Ok(None) };
                let (Some((key_ty, value_ty)), Val::Symbol(key)) = (self.game.types.as_arrow(ty), key) else {
                    return Err(invalid("an access needs a map and a symbol"));
                };
                let key = Symbol::from_index(key as usize);
                if !self.game.types.contains(key_ty, key) {
                    return Ok(None);
                }
                let position = self.key(ty, key).ok_or_else(|| invalid("not a map"))?;
                Ok(Some((offset + position * self.size(value_ty), value_ty)))
            }
            Expr::Const(_) | Expr::Symbol(_) => Err(invalid("only variables can be assigned")),
        }
    }

    fn equal(&self, cells: &[u32], a: Val, b: Val) -> bool {
        match (a, b) {
            (Val::Symbol(a), Val::Symbol(b)) => a == b,
            (Val::Map { space: sa, offset: oa, ty: ta }, Val::Map { space: sb, offset: ob, ty: tb }) => {
                let (Some((ka, va)), Some((kb, vb))) = (self.game.types.as_arrow(ta), self.game.types.as_arrow(tb))
                else {
                    return false;
                };
                let keys = self.game.types.members(ka).iter().chain(self.game.types.members(kb));
                keys.into_iter().all(|&key| {
                    let (Some(ia), Some(ib)) = (self.key(ta, key), self.key(tb, key)) else { return false };
                    let a = self.load(cells, sa, oa + ia * self.size(va), va);
                    let b = self.load(cells, sb, ob + ib * self.size(vb), vb);
                    self.equal(cells, a, b)
                })
            }
            _ => false,
        }
    }

    /// Collects the writes of `value` to the table of type `ty` at `offset`, the spare entries included.
    fn writes(&self, cells: &[u32], offset: usize, ty: TypeId, value: Val, out: &mut Vec<(usize, u32)>) {
        match value {
            Val::Symbol(symbol) => out.push((offset, symbol)),
            Val::Map { space, offset: from, ty: from_ty } => {
                let types = &self.game.types;
                let (Some((key_ty, value_ty)), Some((_, from_value))) = (types.as_arrow(ty), types.as_arrow(from_ty))
                else {
                    return;
                };
                let members = types.members(key_ty);
                let spare = self.size(from_ty) / self.size(from_value).max(1) - 1;
                let rows = members.iter().map(|&key| self.key(from_ty, key).unwrap_or(spare)).chain([spare]);
                for (i, row) in rows.enumerate() {
                    let value = self.load(cells, space, from + row * self.size(from_value), from_value);
                    self.writes(cells, offset + i * self.size(value_ty), value_ty, value, out);
                }
            }
        }
    }

    fn assign(&self, cells: &[u32], lhs: ExprId, value: Val) -> Result<Cells, Error> {
        let mut next = cells.to_vec();
        if let Some((offset, ty)) = self.place(cells, lhs)? {
            let mut writes = Vec::new();
            self.writes(cells, offset, ty, value, &mut writes);
            for (at, symbol) in writes {
                if let Some(cell) = next.get_mut(at) {
                    *cell = symbol;
                }
            }
        }
        Ok(next)
    }

    fn visibility(&self, cells: &[u32]) -> u64 {
        let (ty, offset) = (self.game.vars[self.visible].ty, self.offsets[self.visible]);
        let sees = |p: &Symbol| self.key(ty, *p).and_then(|i| cells.get(offset + i)) == Some(&self.one);
        self.players.iter().take(64).enumerate().fold(0, |mask, (i, p)| mask | u64::from(sees(p)) << i)
    }
}

impl Model for Naive {
    fn name(&self) -> &'static str {
        "naive"
    }

    fn initial(&self) -> State {
        self.pack(&self.initial, self.game.begin())
    }

    fn node_name(&self, state: &State) -> &str {
        self.game.node_name(self.node(state))
    }

    fn turn(&self, state: &State) -> Option<Turn> {
        let (cells, node) = self.unpack(state);
        if node == self.game.end() {
            return Some(Turn::End);
        }
        let player = cells.get(self.offsets[self.player]).copied().unwrap_or(self.keeper);
        if player == self.keeper {
            return None;
        }
        if player == self.random {
            return Some(Turn::Random);
        }
        self.players.iter().position(|s| s.index() as u32 == player).map(Turn::Player)
    }

    /// All legal moves in the order of their tags.
    fn moves(&self, state: &State, moves: &mut Moves) -> Result<(), Error> {
        moves.clear();
        let (cells, node) = self.unpack(state);
        let mut search = Search { engine: self, steps: 0, memory: 0, active: Vec::new() };
        for (tags, (visibility, cells, node)) in search.moves(cells, node)? {
            let effects = moves.effects.len() as u32;
            moves.records.push(Record { tags: moves.tags.len() as u32, effects, node: node.index() as u32 });
            moves.tags.extend(tags.into_iter().map(Tag));
            moves.visibility.extend(visibility);
            moves.effects.extend(cells.into_iter().enumerate().map(|(i, v)| (i as u32, v)));
        }
        Ok(())
    }

    fn apply(&self, state: &mut State, moves: &Moves, index: usize) -> bool {
        let Some(record) = moves.records.get(index) else { return false };
        let cells: Cells = moves.effects(index).iter().map(|&(_, value)| value).collect();
        *state = self.pack(&cells, NodeId::from_index(record.node as usize));
        true
    }

    fn complete(&self, state: &mut State, mut log: Option<&mut Vec<Event>>) -> Result<(), Error> {
        let mut moves = Moves::new();
        for _ in 0..=self.limits.keeper_moves {
            if self.turn(state).is_some() {
                return Ok(());
            }
            let node = self.node_name(state).to_string();
            let player = self.unpack(state).0.get(self.offsets[self.player]).copied().unwrap_or(self.keeper);
            if player != self.keeper {
                return Err(Error::nobody(node, self.game.name(Symbol::from_index(player as usize))));
            }
            self.moves(state, &mut moves)?;
            match moves.len() {
                0 => return Err(Error::new(ErrorKind::Stuck, node, "the keeper has no move")),
                several if several > 1 && !self.keeper_may_choose => {
                    let message = format!("the keeper has a choice between {several} moves");
                    return Err(Error::new(ErrorKind::KeeperChoice, node, message));
                }
                _ => {}
            }
            if let Some(log) = log.as_deref_mut() {
                let masks = moves.visibility.iter().copied();
                log.push(Event { mover: None, tags: moves.tags(0).iter().copied().zip(masks).collect() });
            }
            self.apply(state, &moves, 0);
        }
        let message = format!("the keeper made more than {} moves in a row", self.limits.keeper_moves);
        Err(Error::new(ErrorKind::Limit, self.node_name(state), message))
    }

    fn scores(&self, state: &State) -> Vec<&str> {
        let (cells, _) = self.unpack(state);
        let offset = self.offsets[self.goals];
        let score = |p: &Symbol| {
            let at = self.key(self.game.vars[self.goals].ty, *p).map(|i| offset + i);
            let symbol = at.and_then(|at| cells.get(at)).copied().unwrap_or(0);
            self.game.name(Symbol::from_index(symbol as usize))
        };
        self.players.iter().map(score).collect()
    }

    fn get(&self, state: &State, variable: &str, keys: &[&str]) -> Option<&str> {
        let var = self.game.find_var(self.game.symbols.get(variable)?)?;
        let (cells, _) = self.unpack(state);
        let (mut offset, mut ty) = (self.offsets[var], self.game.vars[var].ty);
        for key in keys {
            let symbol = self.game.symbols.get(key)?;
            let (key_ty, value_ty) = self.game.types.as_arrow(ty)?;
            if !self.game.types.contains(key_ty, symbol) {
                return None;
            }
            offset += self.key(ty, symbol)? * self.size(value_ty);
            ty = value_ty;
        }
        if !self.game.types.is_set(ty) {
            return None;
        }
        Some(self.game.name(Symbol::from_index(*cells.get(offset)? as usize)))
    }

    fn perft(&self, state: &State, depth: u32) -> Result<u64, Error> {
        self.count(state, depth, 0)
    }

    fn playout(&self, start: &State, rng: &mut Rng, stats: &mut PlayoutStats) -> Result<(), Error> {
        let (mut state, mut moves) = (start.clone(), Moves::new());
        let (mut plies, mut choices, mut most) = (0u64, 0u64, 0u64);
        for made in 0u64.. {
            let turn = self.turn(&state);
            if turn == Some(Turn::End) {
                break;
            }
            if made >= self.limits.plies {
                return Err(Error::endless(self.node_name(&state), self.limits.plies));
            }
            self.decision(&state, &mut moves)?;
            if turn != Some(Turn::Random) {
                plies += 1;
                choices += moves.len() as u64;
                most = most.max(moves.len() as u64);
            }
            self.apply(&mut state, &moves, rng.below(moves.len() as u32) as usize);
            self.complete(&mut state, None)?;
        }
        let scores = self.scores(&state);
        let index = |score: &str| self.score_names.iter().position(|name| name == score).unwrap_or(0) as u32;
        stats.add(plies, choices, most, scores.into_iter().map(index));
        Ok(())
    }
}

impl Naive {
    /// Leaves at `depth` below a state with a decision, `level` plies below the first.
    fn count(&self, state: &State, depth: u32, level: u32) -> Result<u64, Error> {
        let mut moves = Moves::new();
        self.decision(state, &mut moves)?;
        let random = self.turn(state) == Some(Turn::Random);
        let mut seen = FxHashSet::default();
        let mut sum = 0u64;
        for index in 0..moves.len() {
            let mut next = state.clone();
            self.apply(&mut next, &moves, index);
            if random && !seen.insert(next.clone()) {
                continue;
            }
            let leaves = if depth == 1 { Ok(1) } else { self.below(next, depth - 1, level + 1) };
            let names = moves.tags(index).iter().map(|t| self.game.name(Symbol::from_index(t.0 as usize)));
            sum = sum.saturating_add(leaves.map_err(|e| e.after(names.collect::<Vec<_>>().join(" ")))?);
        }
        Ok(sum)
    }

    fn decision(&self, state: &State, moves: &mut Moves) -> Result<(), Error> {
        self.moves(state, moves)?;
        if moves.is_empty() {
            return Err(Error::new(ErrorKind::Stuck, self.node_name(state), "there is no legal move"));
        }
        Ok(())
    }

    /// Leaves below a state in which the keeper may be to move.
    fn below(&self, mut state: State, depth: u32, level: u32) -> Result<u64, Error> {
        if level > MAX_PERFT_DEPTH {
            return Err(Error::too_deep(self.node_name(&state)));
        }
        self.complete(&mut state, None)?;
        if self.turn(&state) == Some(Turn::End) { Ok(0) } else { self.count(&state, depth, level) }
    }
}

type Found = BTreeMap<Vec<u32>, (Vec<u64>, Cells, NodeId)>;

impl Search<'_> {
    fn step(&mut self, node: NodeId) -> Result<(), Error> {
        self.steps += 1;
        if self.steps > self.engine.limits.naive_steps {
            let message = format!("the search took more than {} steps", self.engine.limits.naive_steps);
            return Err(Error::new(ErrorKind::Limit, self.engine.game.node_name(node), message));
        }
        Ok(())
    }

    /// Accounts for `copies` of a state and a label.
    fn remember(&mut self, node: NodeId, copies: usize, cells: usize, tags: usize) -> Result<(), Error> {
        let bytes = copies as u64 * (4 * cells as u64 + 16 * tags as u64 + 64);
        self.memory = self.memory.saturating_add(bytes);
        if self.memory > self.engine.limits.memory {
            let message = format!("the search met its limit of {} bytes", self.engine.limits.memory);
            return Err(Error::new(ErrorKind::Limit, self.engine.game.node_name(node), message));
        }
        Ok(())
    }

    fn moves(&mut self, cells: Cells, node: NodeId) -> Result<Found, Error> {
        let engine = self.engine;
        let mut found = Found::new();
        let mut visited: FxHashSet<(NodeId, Labelled, Cells)> = FxHashSet::default();
        let mut stack: Vec<(NodeId, Labelled, Cells)> = vec![(node, Labelled::new(), cells)];
        while let Some(item) = stack.pop() {
            if !visited.insert(item.clone()) {
                continue;
            }
            let (node, label, cells) = item;
            self.step(node)?;
            if node == engine.game.end() {
                continue;
            }
            if label.len() as u64 > engine.limits.tags {
                let message = format!("a move has more than {} tags", engine.limits.tags);
                return Err(Error::new(ErrorKind::Limit, engine.game.node_name(node), message));
            }
            for &id in engine.game.automaton.outgoing(node).iter().rev() {
                let edge = engine.game.automaton.edge(id);
                let tag = match edge.label {
                    Label::Tag(tag) => Some(tag.index() as u32),
                    Label::TagVar(var) => Some(engine.read(&cells, Space::State, engine.offsets[var])),
                    _ => None,
                };
                let copies = match edge.label {
                    Label::AssignAny { ty, .. } => engine.game.types.members(ty).len(),
                    _ => 1,
                };
                self.remember(node, copies, cells.len(), label.len() + 1)?;
                if let Some(tag) = tag {
                    let mut label = label.clone();
                    label.push((tag, engine.visibility(&cells)));
                    stack.push((edge.target, label, cells.clone()));
                    continue;
                }
                for next in self.successors(&cells, edge.label)?.into_iter().rev() {
                    if engine.game.ends_move(&edge.label) {
                        let (tags, masks): (Vec<u32>, Vec<u64>) = label.iter().copied().unzip();
                        let result = (masks, next, edge.target);
                        if let Some(other) = found.get(&tags) {
                            if (&other.1, other.2) != (&result.1, result.2) {
                                let names: Vec<&str> =
                                    tags.iter().map(|&t| engine.game.name(Symbol::from_index(t as usize))).collect();
                                let message =
                                    format!("two walks with the tags `{}` lead to different states", names.join(" "));
                                return Err(Error::new(ErrorKind::Ambiguous, engine.game.node_name(node), message));
                            }
                        } else {
                            if found.len() as u64 >= engine.limits.moves {
                                let message = format!("there are more than {} legal moves", engine.limits.moves);
                                return Err(Error::new(ErrorKind::Limit, engine.game.node_name(node), message));
                            }
                            found.insert(tags, result);
                        }
                    } else {
                        stack.push((edge.target, label.clone(), next));
                    }
                }
            }
        }
        Ok(found)
    }

    /// States after one edge; tags are nothing here.
    fn successors(&mut self, cells: &Cells, label: Label) -> Result<Vec<Cells>, Error> {
        let engine = self.engine;
        let keep = |yes: bool| if yes { vec![cells.clone()] } else { Vec::new() };
        Ok(match label {
            Label::Skip | Label::Tag(_) | Label::TagVar(_) => keep(true),
            Label::Compare { lhs, rhs, negated } => {
                let equal = engine.equal(cells, engine.eval(cells, lhs)?, engine.eval(cells, rhs)?);
                keep(equal != negated)
            }
            Label::Assign { lhs, rhs } => vec![engine.assign(cells, lhs, engine.eval(cells, rhs)?)?],
            Label::AssignAny { lhs, ty } => {
                let members = engine.game.types.members(ty);
                let values = members.iter().map(|s| engine.assign(cells, lhs, Val::Symbol(s.index() as u32)));
                values.collect::<Result<_, _>>()?
            }
            Label::Reach { from, to, negated } => keep(self.reaches(cells, from, to)? != negated),
        })
    }

    fn reaches(&mut self, cells: &Cells, from: NodeId, to: NodeId) -> Result<bool, Error> {
        let engine = self.engine;
        if self.active.iter().any(|(c, f, t)| (*f, *t) == (from, to) && c == cells) {
            let message = "a reachability check needs its own result";
            return Err(Error::new(ErrorKind::Recursion, engine.game.node_name(from), message));
        }
        if self.active.len() as u64 >= engine.limits.check_depth {
            let message = format!("reachability checks nest more than {} deep", engine.limits.check_depth);
            return Err(Error::new(ErrorKind::Recursion, engine.game.node_name(from), message));
        }
        self.active.push((cells.clone(), from, to));
        let found = self.walk(cells, from, to);
        self.active.pop();
        found
    }

    fn walk(&mut self, cells: &Cells, from: NodeId, to: NodeId) -> Result<bool, Error> {
        let mut visited: FxHashSet<(NodeId, Cells)> = FxHashSet::default();
        let mut stack = vec![(from, cells.clone())];
        while let Some(item) = stack.pop() {
            if item.0 == to {
                return Ok(true);
            }
            if !visited.insert(item.clone()) {
                continue;
            }
            let (node, cells) = item;
            self.step(node)?;
            for &id in self.engine.game.automaton.outgoing(node).iter().rev() {
                let edge = self.engine.game.automaton.edge(id);
                let copies = match edge.label {
                    Label::AssignAny { ty, .. } => self.engine.game.types.members(ty).len(),
                    _ => 1,
                };
                self.remember(node, copies, cells.len(), 0)?;
                for next in self.successors(&cells, edge.label)?.into_iter().rev() {
                    stack.push((edge.target, next));
                }
            }
        }
        Ok(false)
    }
}
