//! States as bytes with names: planes over the places of a board.

use crate::actions::{ActionKind, ActionSpace};
use crate::chosen::{Chosen, digit_name, digits};
use crate::decisions::decisions;
use crate::env::Env;
use crate::game::Game;
use crate::version::version;
use backend::observe::{Cell, Looks, Write};
use backend::{Observer, State, Tag, Turn};
use kit::draw::Drawer;
use kit::runner::Runner;
use passes::analysis::move_local;
use rg_ir::ids::Id;
use rg_ir::scene::{Board, Layout};
use rg_ir::{Symbol, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most bytes that a map which is no board takes beside a board: each is a whole plane.
const MAX_ASIDE: usize = 64;
/// Most planes of a map.
const MAX_PLANES: usize = 512;
/// Most bytes of an observation without a board.
const MAX_FLAT: usize = 1 << 16;
/// Values up to which a variable or entry has a byte for each; beyond that, it is the number of its value, in as many bytes as that needs.
const MAX_ONE_HOT: usize = 16;

/// How the bytes of an observation lie.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// Planes of rows and columns, the first row at the top.
    Grid {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// Planes with a byte for each place of a board that is no rectangle.
    Places {
        /// Number of places.
        places: usize,
    },
    /// Single bytes: the game has no board.
    Flat,
}

impl Shape {
    /// Bytes of a plane.
    pub fn plane(self) -> usize {
        match self {
            Self::Grid { rows, columns } => rows * columns,
            Self::Places { places } => places,
            Self::Flat => 1,
        }
    }
}

/// What observations say, and where. The bytes of maps over the board come first, then planes of which all bytes are the same.
///
/// Where a player moves at several nodes of the automaton, there are channels that say at which one (`decision = NODE`): positions may differ in that alone. They
/// are for games in which nothing is hidden. Where something is, the node could tell what somebody did in secret; a player then knows it as far as what it
/// observed and what is legal tell.
///
/// Where actions are steps of moves, channels say what was chosen so far: for each place, in which step it was chosen last (`chosen`), and which tag that is no place was
/// (`chosen last, no place`; without a board, each tag has a channel). Numbers above 255 have a second channel (`… / 256`), and so on.
///
/// Variables that only matter within a move are left out, and so are those that the optimiser removed since nothing depends on them. Where something is
/// hidden, observations are the tags that a player saw ([`Env::observed`]) and not planes.
#[derive(Debug)]
pub struct ObservationSpace {
    shape: Shape,
    /// What the planes, or bytes, are.
    channels: Vec<String>,
    /// Channels that are planes of maps; behind them, one value fills a plane.
    planes: usize,
    observer: Observer,
    /// By player, its channel.
    movers: usize,
    /// If actions are steps.
    chosen: Option<Chosen>,
    /// The names of variables that are too large to be observed, or of whose entries some are.
    left_out: Vec<String>,
    /// See [`ObservationSpace::version`].
    version: u64,
}

/// Puts channels together.
struct Planner<'r> {
    runner: &'r Runner,
    /// By name of a place, its place in a plane.
    places: FxHashMap<String, usize>,
    /// The names of the places of all boards.
    drawn: FxHashSet<String>,
    shape: Shape,
    channels: Vec<String>,
    looks: Looks,
    left_out: Vec<String>,
}

impl ObservationSpace {
    pub(crate) fn new(runner: &Runner, actions: &ActionSpace) -> Self {
        let drawer = Drawer::new(runner);
        let (shape, places) = board(runner, drawer.boards());
        let drawn = drawer.boards().iter().flat_map(|board| &board.places).map(|place| place.name.clone()).collect();
        let mut planner = Planner {
            runner,
            places,
            drawn,
            shape,
            channels: Vec::new(),
            looks: Looks::default(),
            left_out: Vec::new(),
        };
        let game = &runner.loaded.game;
        let local = move_local(game);
        let builtin = |name: &str| ["player", "visible", "goals"].contains(&name);
        let shown = |var: &VarId| {
            let name = game.vars.get(*var).map_or("", |var| game.name(var.name));
            !builtin(name) && !local.contains(var.index())
        };
        let (boards, others): (Vec<VarId>, Vec<VarId>) =
            game.vars.ids().filter(shown).partition(|&var| planner.level_of_places(var).is_some());
        for &var in &boards {
            planner.add_board(var);
        }
        let planes = planner.channels.len();
        let elsewhere: Vec<Form> = boards.iter().filter_map(|&var| planner.elsewhere(var)).collect();
        let others: Vec<Form> = others.iter().filter_map(|&var| planner.form(var)).collect();
        for form in elsewhere.into_iter().chain(others) {
            planner.add_aside(form, planes);
        }
        planner.add_decisions(planes);
        let movers = planner.channels.len();
        planner.channels.extend(runner.reasoner.players().iter().map(|player| format!("player = {player}")));
        let Planner { places, mut channels, looks, left_out, .. } = planner;
        let tag = |name: &str| game.symbols.get(name).map(|symbol| Tag(symbol.index() as u32));
        let names = actions.all_tags().iter().map(String::as_str);
        let tags: Vec<(Tag, &str)> = names.filter_map(|name| Some((tag(name)?, name))).collect();
        let chosen = (actions.kind() == ActionKind::Steps).then(|| {
            // A plane for each would be too much beside a board.
            let room = if shape == Shape::Flat { MAX_FLAT.saturating_sub(channels.len()) } else { 0 };
            Chosen::new(&tags, |name| place_of(runner, &places, name), (shape.plane(), room), &mut channels)
        });
        let encoding = chosen.as_ref().map(|chosen| chosen.encoding(&tags));
        // Where something is hidden, observations are numbers of tags.
        let observed = runner.reasoner.hides().then(|| actions.all_tags());
        let version = version((shape, &channels, written(&looks), encoding, observed));
        let observer = runner.reasoner.observer(looks);
        Self { shape, channels, planes, observer, movers, chosen, left_out, version }
    }

    /// How the bytes lie.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The names of the channels in their order: `board = whitepawn`.
    pub fn channels(&self) -> &[String] {
        &self.channels
    }

    /// A number that changes if the shape of observations does, the name of any channel, or what any value writes to it; where something is hidden, also if the number of
    /// any tag does.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The variables that observations leave out, wholly or in part, since they are too large.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// Bytes of an observation.
    pub fn len(&self) -> usize {
        self.channels.len() * self.shape.plane()
    }

    /// Whether there is nothing to observe.
    pub fn is_empty(&self) -> bool {
        self.channels.is_empty()
    }

    /// Writes the observation of a game in progress, in which nothing may be hidden, to [`ObservationSpace::len`] bytes. `scratch` is room for
    /// single values. Linear in the bytes.
    pub fn write(&self, game: &Game, env: &Env, scratch: &mut Vec<u8>, out: &mut [u8]) {
        self.write_at(game, (env.state(), env.turn()), env.chosen(), scratch, out);
    }

    /// As [`ObservationSpace::write`], of a state, who decides there, and the tags that were chosen of the move.
    pub(crate) fn write_at(
        &self,
        game: &Game,
        (state, turn): (&State, Turn),
        chosen: &[Tag],
        scratch: &mut Vec<u8>,
        out: &mut [u8],
    ) {
        let size = self.shape.plane();
        let (singles, count) = (self.planes * size, self.movers.saturating_sub(self.planes));
        // Single values stand behind the planes of maps, a byte each, until they fill their planes.
        let Some(observed) = out.get_mut(..singles + count) else { return };
        game.reasoner().observe(&self.observer, state, observed);
        if size > 1 {
            let (_, rest) = out.split_at_mut(singles);
            scratch.clear();
            scratch.extend(rest.iter().take(count));
            rest.fill(0);
            for (plane, &value) in rest.chunks_exact_mut(size).zip(&*scratch) {
                if value != 0 {
                    plane.fill(value);
                }
            }
        } else if let Some(rest) = out.get_mut(singles + count..) {
            rest.fill(0);
        }
        if let Turn::Player(player) = turn
            && let Some(plane) = out.chunks_exact_mut(size).nth(self.movers + player)
        {
            plane.fill(1);
        }
        if let Some(steps) = &self.chosen {
            steps.write(chosen, size, out);
        }
    }
}

/// What looks write, as text: `board[v_a1] piece_w 64 1` for a value that writes 1 to the byte 64.
fn written(looks: &Looks) -> Vec<String> {
    let of = |what: &str, (value, write): &(String, Write)| format!("{what} {value} {} {}", write.at, write.byte);
    let cells = looks.cells.iter().flat_map(|cell| {
        let name = entry(&cell.variable, &cell.keys);
        cell.writes.iter().map(move |write| of(&name, write)).collect::<Vec<_>>()
    });
    cells.chain(looks.nodes.iter().map(|write| of("decision", write))).collect()
}

/// The board that most of a game is about: its shape, and where each of its places is in a plane.
fn board(runner: &Runner, boards: &[Board]) -> (Shape, FxHashMap<String, usize>) {
    let game = &runner.loaded.game;
    let is_key = |board: &&Board| {
        game.vars.values().any(|var| {
            let keys = game.shape(var.ty).map(|shape| shape.keys).unwrap_or_default();
            keys.iter().any(|&key| holds(game.types.members(key), runner, board))
        })
    };
    let Some(board) = boards.iter().find(is_key) else { return (Shape::Flat, FxHashMap::default()) };
    let grid = grid(board);
    let places = board.places.iter().enumerate();
    match grid {
        Some((rows, columns, at)) => {
            let places = places.zip(at).map(|((_, place), at)| (place.name.clone(), at)).collect();
            (Shape::Grid { rows, columns }, places)
        }
        None => {
            let count = board.places.len();
            (Shape::Places { places: count }, places.map(|(at, place)| (place.name.clone(), at)).collect())
        }
    }
}

/// Whether all places of a board are among the keys.
fn holds(keys: &[Symbol], runner: &Runner, board: &Board) -> bool {
    let names: FxHashSet<&str> =
        keys.iter().flat_map(|&key| place_names(runner, runner.loaded.game.name(key))).collect();
    !board.places.is_empty() && board.places.iter().all(|place| names.contains(place.name.as_str()))
}

/// What the place that a symbol stands for may be called: as in the rules of its language, or as in RG.
fn place_names<'r>(runner: &'r Runner, symbol: &'r str) -> [&'r str; 2] {
    [symbol, runner.loaded.notation.render_value(symbol)]
}

/// Where the place that a symbol stands for is in a plane.
fn place_of(runner: &Runner, places: &FxHashMap<String, usize>, symbol: &str) -> Option<usize> {
    place_names(runner, symbol).into_iter().find_map(|name| places.get(name)).copied()
}

/// The rows and columns of a rectangle, and where each place is in them; `None` for other boards.
fn grid(board: &Board) -> Option<(usize, usize, Vec<usize>)> {
    let Layout::Rectangle { columns, rows } = board.layout else { return None };
    let (columns, rows) = (columns as usize, rows as usize);
    let left = board.places.iter().map(|place| place.x).fold(f32::INFINITY, f32::min);
    let top = board.places.iter().map(|place| place.y).fold(f32::INFINITY, f32::min);
    let at = board.places.iter().map(|place| {
        let (column, row) = ((place.x - left).round() as usize, (place.y - top).round() as usize);
        (column < columns && row < rows).then_some(row * columns + column)
    });
    Some((rows, columns, at.collect::<Option<Vec<usize>>>()?))
}

/// The name of a variable, the names of its keys, and its values.
type Form = (String, Vec<Vec<String>>, Vec<String>);

impl Planner<'_> {
    fn form(&self, var: VarId) -> Option<Form> {
        let game = &self.runner.loaded.game;
        let decl = game.vars.get(var)?;
        let shape = game.shape(decl.ty)?;
        let names = |symbols: &[Symbol]| symbols.iter().map(|&symbol| game.name(symbol).to_owned()).collect::<Vec<_>>();
        let keys = shape.keys.iter().map(|&key| names(game.types.members(key))).collect();
        Some((game.name(decl.name).to_owned(), keys, names(game.types.members(shape.leaf))))
    }

    /// The last level of a map's keys that has all places of the board; `None` for other maps, and those that would be too many planes.
    fn level_of_places(&self, var: VarId) -> Option<usize> {
        let (_, keys, values) = self.form(var)?;
        let is_place = |key: &&String| place_of(self.runner, &self.places, key).is_some();
        let has_places = |keys: &Vec<String>| keys.iter().filter(is_place).count() == self.places.len();
        let level = keys.iter().rposition(has_places).filter(|_| !self.places.is_empty())?;
        let others = keys.iter().enumerate().filter(|&(at, _)| at != level).map(|(_, keys)| keys.len());
        let planes = others.chain([self.shown(&values).len()]).try_fold(1usize, usize::checked_mul)?;
        (planes <= MAX_PLANES).then_some(level)
    }

    /// Values that have a channel: of two, the second says it all if they are no and yes.
    fn shown<'v>(&self, values: &'v [String]) -> &'v [String] {
        match values {
            [no, _] if no == "0" => values.get(1..).unwrap_or(&[]),
            _ => values,
        }
    }

    /// A plane for each value of a map over the board; for each key of its other levels, if it has some.
    fn add_board(&mut self, var: VarId) {
        let Some(((name, mut keys, values), level)) = self.form(var).zip(self.level_of_places(var)) else { return };
        let size = self.shape.plane();
        let places = keys.remove(level);
        let shown = self.shown(&values);
        for others in combinations(&keys) {
            let first = self.channels.len();
            let map = entry(&name, &others);
            self.channels.extend(shown.iter().map(|value| format!("{map} = {value}")));
            for place in &places {
                let Some(at) = place_of(self.runner, &self.places, place) else { continue };
                let write = |(value, plane): (&String, usize)| {
                    (value.clone(), Write { at: ((first + plane) * size + at) as u32, byte: 1 })
                };
                let writes = shown.iter().zip(0..).map(write).collect();
                let mut keys = others.clone();
                keys.insert(level, place.clone());
                self.looks.cells.push(Cell { variable: name.clone(), keys, writes });
            }
        }
    }

    /// The entries of a map over the board whose keys are no places of it; nothing if the only one is none of any other board either, as what is
    /// outside is.
    fn elsewhere(&self, var: VarId) -> Option<Form> {
        let ((name, mut keys, values), level) = self.form(var).zip(self.level_of_places(var))?;
        let level = keys.get_mut(level)?;
        level.retain(|key| place_of(self.runner, &self.places, key).is_none());
        let is_drawn = |key: &String| place_names(self.runner, key).iter().any(|&name| self.drawn.contains(name));
        match level.as_slice() {
            [] => None,
            [outside] if !is_drawn(outside) => None,
            _ => Some((name, keys, values)),
        }
    }

    /// A channel for each value of each entry of a variable that is no map over the board. `planes` is the number of channels that are planes.
    fn add_aside(&mut self, (name, keys, values): Form, planes: usize) {
        let most = if self.shape == Shape::Flat { MAX_FLAT.saturating_sub(self.channels.len()) } else { MAX_ASIDE };
        let entries = keys.iter().try_fold(1usize, |all, keys| all.checked_mul(keys.len()));
        let shown = self.shown(&values);
        let is_one_hot = values.len() <= MAX_ONE_HOT;
        let each = if is_one_hot { shown.len() } else { digits(values.len().saturating_sub(1)) };
        if entries.is_none_or(|entries| entries.saturating_mul(each) > most) {
            self.left_out.push(name);
            return;
        }
        for key in combinations(&keys) {
            let cell = entry(&name, &key);
            let writes = match is_one_hot {
                true => vec![self.one_hot(&cell, shown, planes)],
                false => self.number(&cell, &values, planes),
            };
            let of = |writes| Cell { variable: name.clone(), keys: key.clone(), writes };
            self.looks.cells.extend(writes.into_iter().map(of));
        }
    }

    /// The node at which somebody has to move, as far as who that is does not tell.
    fn add_decisions(&mut self, planes: usize) {
        if self.runner.reasoner.hides() {
            return;
        }
        let game = &self.runner.loaded.game;
        let nodes: Vec<String> = decisions(game).into_iter().map(|node| game.node_name(node).to_owned()).collect();
        let name = "decision".to_owned();
        self.looks.nodes = match nodes.len() {
            0 => Vec::new(),
            1..=MAX_ONE_HOT => self.one_hot(&name, &nodes, planes),
            _ => self.numbers(&name, &nodes, planes),
        };
    }

    /// Adds a channel for each value of something, in which it is 1.
    fn one_hot(&mut self, name: &str, values: &[String], planes: usize) -> Vec<(String, Write)> {
        let base = self.next_single(planes);
        self.channels.extend(values.iter().map(|value| format!("{name} = {value}")));
        values.iter().zip(base..).map(|(value, at)| (value.clone(), Write { at, byte: 1 })).collect()
    }

    /// Adds a channel for each digit, to the base 256, of the number of the value that something has; what each value writes there, for each digit.
    fn number(&mut self, name: &str, values: &[String], planes: usize) -> Vec<Vec<(String, Write)>> {
        let digit = |digit: usize| {
            let at = self.next_single(planes);
            self.channels.push(digit_name(name, digit));
            let byte = |number: usize| number.to_le_bytes().get(digit).copied().unwrap_or(0);
            let write = |(number, value): (usize, &String)| (value.clone(), Write { at, byte: byte(number) });
            values.iter().enumerate().map(write).collect()
        };
        (0..digits(values.len().saturating_sub(1))).map(digit).collect()
    }

    /// Adds a channel for every 255 values, with the number of the value that something has from 1 on: each value writes one byte.
    fn numbers(&mut self, name: &str, values: &[String], planes: usize) -> Vec<(String, Write)> {
        let mut writes = Vec::with_capacity(values.len());
        for (part, values) in values.chunks(u8::MAX.into()).enumerate() {
            let at = self.next_single(planes);
            let from = part * usize::from(u8::MAX);
            self.channels.push(if part == 0 { name.to_owned() } else { format!("{name} from {from} on") });
            writes.extend(values.iter().zip(1..).map(|(value, byte)| (value.clone(), Write { at, byte })));
        }
        writes
    }

    /// Where the byte of the next channel is, if it is no plane of a map.
    fn next_single(&self, planes: usize) -> u32 {
        (self.channels.len() - planes + self.planes_size(planes)) as u32
    }

    /// The bytes of the first channels, which are planes.
    fn planes_size(&self, planes: usize) -> usize {
        planes * self.shape.plane()
    }
}

/// All combinations of one name of each list, the last list's names next to each other.
fn combinations(lists: &[Vec<String>]) -> Vec<Vec<String>> {
    lists.iter().fold(vec![Vec::new()], |combinations, list| {
        let with = |combination: &Vec<String>, name: &String| {
            let mut combination = combination.clone();
            combination.push(name.clone());
            combination
        };
        combinations.iter().flat_map(|combination| list.iter().map(move |name| with(combination, name))).collect()
    })
}

/// An entry of a map as text.
fn entry(name: &str, keys: &[String]) -> String {
    match keys {
        [] => name.to_owned(),
        keys => format!("{name}[{}]", keys.join("][")),
    }
}
