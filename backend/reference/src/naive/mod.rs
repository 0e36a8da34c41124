//! The naive engine: walks the automaton exactly as the semantics are written down (sections 7 to 9), with a visited
//! set over (node, label, whole semistate) and no cleverness. It is the oracle that other engines are tested against.
//!
//! Time and memory per search are proportional to the number of distinct (node, label, semistate) triples, each of
//! which copies the state.

mod endless;
mod inspect;
mod probe;
pub(crate) mod route;
mod search;
mod survey;
mod unable;
mod values;
mod verify;
pub(crate) mod why;

pub(crate) use endless::Endless;
use engine::Limits;
use engine::PlayoutStats;
use engine::Rng;
use engine::canonical::{Dead, Resets, spare_entries};
use engine::limits::MAX_PERFT_DEPTH;
use engine::model::{Model, MoveForm};
use engine::options::Options;
use engine::outcomes::{Ambiguity, order, places};
use engine::state::text_of;
use engine::state::{Event, Moves, Record, State, Tag, Turn};
use engine::valid::ValidGame;
use engine::{Error, ErrorKind};
use rg_ir::cancel;
use rg_ir::ids::Id;
use rg_ir::invariant::Invariant;
use rg_ir::{ConstId, Dense, Game, IdVec, NodeId, Symbol, TypeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use search::Search;
pub use survey::Difference;
pub(crate) use survey::{Look, Survey};
pub(crate) use verify::{Verifier, Violated};

/// Values of all variables: the dense tables of their types one after the other, as symbol indices.
type Cells = Vec<u32>;
/// Tags (as symbol indices), with their visibility.
type Labelled = Vec<(u32, u64)>;

/// The engine.
#[derive(Debug)]
pub struct Naive {
    game: Game,
    consts: IdVec<ConstId, Dense>,
    offsets: IdVec<VarId, usize>,
    initial: Cells,
    resets: Resets,
    /// Whether dead variables keep their values.
    keep_dead: bool,
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
    /// Whether the outcomes of one label are moves of their own.
    split: bool,
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

fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Invalid, "", message)
}

impl Naive {
    /// Prepares a game with complete built-ins; `score_names` orders the counts of scores.
    pub fn new(valid: &ValidGame, options: &Options, score_names: Vec<String>) -> Result<Self, Error> {
        // Tests of claims add expressions to it.
        let game = Game::clone(valid);
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
        let size = |var: VarId| {
            let next = offsets.get(VarId::from_index(var.index() + 1)).copied();
            next.unwrap_or(initial.len()) - offsets[var]
        };
        let spare = |var: VarId| {
            let keys = game.shape(game.vars[var].ty).map(|shape| shape.keys).unwrap_or_default();
            let counts = keys.iter().map(|&key| game.types.members(key).len());
            spare_entries(&counts.map(|count| (count, count + 1)).collect::<Vec<_>>())
        };
        let resets = Dead::new(&game).resets(|var| (offsets[var], size(var)), spare);
        let find = |game: &Game, name: &str| {
            let symbol = game.symbols.get(name);
            symbol.and_then(|s| game.find_var(s)).ok_or_else(|| invalid(format!("there is no variable `{name}`")))
        };
        let (player, goals, visible) = (find(&game, "player")?, find(&game, "goals")?, find(&game, "visible")?);
        let [keeper, random, one] =
            ["keeper", "random", "1"].map(|name| game.symbols.get(name).map_or(u32::MAX, |s| s.index() as u32));
        let keeper_may_choose = valid.claims().keeper_may_choose;
        let players = game.players().to_vec();
        Ok(Self {
            consts,
            offsets,
            initial,
            resets,
            keep_dead: options.keep_dead,
            positions,
            player,
            goals,
            visible,
            keeper,
            random,
            one,
            players,
            keeper_may_choose,
            limits: options.limits,
            split: options.ambiguity == Ambiguity::Split,
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

    /// The cells of a state at `node` without values that nobody reads any more.
    fn canonical(&self, mut cells: Cells, node: NodeId) -> Cells {
        self.resets.apply(node, &mut cells, &self.initial);
        cells
    }

    fn node(&self, state: &State) -> NodeId {
        self.unpack(state).1
    }
}

impl Naive {
    /// The cells in the order of images.
    fn listed(&self) -> impl Iterator<Item = usize> {
        self.game.vars.iter().flat_map(|(var, decl)| {
            let mut ty = decl.ty;
            let mut keys = Vec::new();
            while let Some((key, value)) = self.game.types.as_arrow(ty) {
                keys.push(((0..self.game.types.members(key).len()).collect(), self.size(value)));
                ty = value;
            }
            places(self.offsets[var], keys.into_iter())
        })
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
        let mut search = Search::new(self);
        // Where a search is when it meets a limit depends on its order: what is told is where it began.
        let found = search.moves(cells, node).map_err(|error| match error.kind {
            ErrorKind::Limit => Error { node: self.game.node_name(node).to_owned(), ..error },
            _ => error,
        });
        for (tags, outcomes) in found? {
            moves.split |= outcomes.len() > 1;
            for ((_, node), (cells, visibility)) in outcomes {
                let effects = moves.effects.len() as u32;
                moves.records.push(Record { tags: moves.tags.len() as u32, effects, node: node.index() as u32 });
                moves.tags.extend(tags.iter().copied().map(Tag));
                moves.visibility.extend(visibility);
                moves.effects.extend(cells.into_iter().enumerate().map(|(i, v)| (i as u32, v)));
            }
        }
        order(self, state, moves);
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

    fn image(&self, state: &State) -> Vec<u32> {
        let (cells, node) = self.unpack(state);
        let cells = self.canonical(cells, node);
        let mut image: Vec<u32> = self.listed().map(|place| self.read(&cells, Space::State, place)).collect();
        image.push(node.index() as u32);
        image
    }

    fn scores(&self, state: &State) -> Vec<&str> {
        let (cells, _) = self.unpack(state);
        let offset = self.offsets[self.goals];
        let score = |p: &Symbol| {
            let at = self.key(self.game.vars[self.goals].ty, *p).map(|i| offset + i);
            let symbol = at.and_then(|at| cells.get(at)).copied().invariant_or(0, "every player has a score");
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

    fn playout(&self, start: &State, _: MoveForm, rng: &mut Rng, stats: &mut PlayoutStats) -> Result<(), Error> {
        let (mut state, mut moves) = (start.clone(), Moves::new());
        let (mut plies, mut choices, mut most) = (0u64, 0u64, 0u64);
        for made in 0u64.. {
            cancel::check();
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
        let index = |score: &str| {
            self.score_names.iter().position(|name| name == score).invariant_or(0, "every score has a name") as u32
        };
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
        let after = |index| {
            let mut next = state.clone();
            self.apply(&mut next, &moves, index);
            (next, text_of(&moves, index, |tag| self.game.name(Symbol::from_index(tag.0 as usize))))
        };
        let outcomes: Vec<(State, String)> =
            if random { self.chances(state)? } else { (0..moves.len()).map(after).collect() };
        let mut sum = 0u64;
        for (next, text) in outcomes {
            let leaves = if depth == 1 { Ok(1) } else { self.below(next, depth - 1, level + 1) };
            sum = sum.saturating_add(leaves.map_err(|error| error.after(text))?);
        }
        Ok(sum)
    }

    /// The states that moves of chance lead to, each with the tags of such a move. They are merged by what they are before
    /// anything is forgotten.
    fn chances(&self, state: &State) -> Result<Vec<(State, String)>, Error> {
        let (cells, node) = self.unpack(state);
        let mut search = Search::new(self);
        search.strict = true;
        let found = search.moves(self.canonical(cells, node), node)?;
        let mut seen: FxHashSet<(Cells, NodeId)> = FxHashSet::default();
        let mut states = Vec::new();
        for (tags, outcomes) in found {
            let names: Vec<&str> = tags.iter().map(|&tag| self.game.name(Symbol::from_index(tag as usize))).collect();
            for (outcome, _) in outcomes {
                let (mut cells, node) = outcome;
                self.resets.spares().apply(&mut cells, &self.initial);
                if seen.insert((cells.clone(), node)) {
                    states.push((self.pack(&self.canonical(cells, node), node), names.join(" ")));
                }
            }
        }
        Ok(states)
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
