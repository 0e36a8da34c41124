//! Games that start at another position than their own first one.
//!
//! The position becomes part of the rules: the keeper's first move sets the variables that differ from their initial values, and
//! hands over to whoever moves at the position's node. All that is built on the game, such as optimisation, lifted programs and
//! agents, starts there without knowing of it, on every engine and at every level.

use crate::finding;
use crate::load::Loaded;
use crate::position::{Content, Entries, Misfit, Position, Written};
use crate::runner::Runner;
use backend::{Engine, Options, Reasoner};
use rg_ir::{Expr, Game, Label, NodeId, Pragma, SourceMap, Span, Symbol, TypeId, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::Path;

/// Where a game starts, if not at its own first position.
#[derive(Clone, Debug)]
pub struct Start {
    /// The position.
    pub position: Position,
    /// The game as it is written.
    pub origin: Game,
    /// How people call the position: `the position in `FILE``.
    pub name: String,
    /// The node that has taken the place of `begin`, if edges lead back there.
    again: Option<String>,
}

/// Most variables of another game that are named.
const MAX_UNKNOWN: usize = 5;

/// A cell of a variable: its keys, and its value.
type Cell = (Vec<Symbol>, Symbol);

/// A position in the terms of a game.
struct Placed {
    node: NodeId,
    /// The variable `player`.
    mover: VarId,
    keeper: Symbol,
    player: Symbol,
    /// The cells that differ from their initial values.
    cells: Vec<(VarId, Cell)>,
}

impl Loaded {
    /// The same game, started at a position; `name` is how people call that. What was started elsewhere is started anew. Linear in
    /// the sizes of game and position.
    ///
    /// # Errors
    /// The position does not belong to the game: other variables, types, values or nodes, or no player moves there.
    pub fn start_at(mut self, position: &Position, name: &str) -> Result<Self, Misfit> {
        let mut origin = match self.start.take() {
            Some(start) => start.origin,
            None => self.game,
        };
        origin.complete_builtins();
        let placed =
            Placed::new(&origin, position).map_err(|misfit| misfit.of_another(&self.name, &origin, position))?;
        let mut game = origin.clone();
        let again = placed.begin(&mut game);
        let start = Start { position: position.clone(), origin, name: name.to_owned(), again };
        Ok(Self { game, start: Some(Box::new(start)), ..self })
    }

    /// As [`Loaded::start_at`], with the position in a JSON file (`-`: standard input).
    ///
    /// # Errors
    /// As for [`Written::read`], and `IO371` with the place if the position does not belong to the game.
    pub fn start_in(self, sources: &mut SourceMap, path: &Path) -> crate::Result<Self> {
        let written = Written::read(sources, path)?;
        let name = format!("the position in `{}`", crate::input::display_name(path));
        self.start_at(&written.position, &name).map_err(|misfit| written.finding(misfit))
    }

    /// The same game, started after some moves, separated by `;`. The game must not be optimised.
    ///
    /// # Errors
    /// As for [`Runner::play`].
    pub fn start_after(self, sources: &mut SourceMap, play: &str, options: Options) -> crate::Result<Self> {
        if play.trim().is_empty() {
            return Ok(self);
        }
        let options = Options { engine: Engine::Backtracking, checked: true, keep_dead: true, profile: 0, ..options };
        let runner = Runner::new(self, options)?;
        let (state, played) = runner.play(sources.add("--play", play.to_owned()), play)?;
        let position = Position::of(&runner, &state);
        let after = format!("the position after `{}`", runner.short_play(&played).join("; "));
        let name = match &runner.loaded.start {
            Some(start) => format!("{after}, from {}", start.name),
            None => after,
        };
        runner.loaded.start_at(&position, &name).map_err(|misfit| misfit.finding)
    }

    /// Started where another copy of the game is started.
    ///
    /// # Errors
    /// As for [`Loaded::start_at`]; it is another game.
    pub fn start_as(self, other: &Loaded) -> crate::Result<Self> {
        match &other.start {
            Some(start) => self.start_at(&start.position, &start.name).map_err(|misfit| misfit.finding),
            None => Ok(self),
        }
    }

    /// An engine for the game started at another position, for a look at what would be legal there; `None` if it cannot be. Linear in the sizes
    /// of game and position.
    pub fn reasoner_at(&self, position: &Position) -> Option<Reasoner> {
        let mut origin = self.start.as_ref().map_or(&self.game, |start| &start.origin).clone();
        origin.complete_builtins();
        let placed = Placed::new(&origin, position).ok()?;
        let mut game = origin.clone();
        placed.begin(&mut game);
        Reasoner::new(&game, Engine::Backtracking).ok()
    }

    /// The name that a node has in the game as it is written.
    pub(crate) fn original_node<'n>(&self, node: &'n str) -> &'n str {
        let again = self.start.as_ref().and_then(|start| start.again.as_deref());
        if again == Some(node) { "begin" } else { node }
    }
}

/// A finding about the field that these names lead to.
fn misfit<'p>(path: impl IntoIterator<Item = &'p str>, message: impl Into<String>) -> Misfit {
    let advice = "the position has to be one of this game, as `rgc moves --json` writes it";
    let path = path.into_iter().map(str::to_owned).collect();
    Misfit { path, finding: Box::new(finding("IO371", message).help(advice)) }
}

impl Misfit {
    /// If much of the position does not fit, it is one of another game: that is the message then, and the first detail a note.
    fn of_another(mut self, name: &str, game: &Game, position: &Position) -> Self {
        let strangers = Strangers::new(game, position);
        if strangers.are_many() {
            let detail = std::mem::take(&mut self.finding.message);
            let message = format!("the position is of another game than `{name}`");
            let finding = rg_ir::Diagnostic { message, ..*self.finding };
            // The place is that of the detail.
            let finding = finding.note(detail);
            self.finding = Box::new(match strangers.text() {
                Some(text) => finding.note(text),
                None => finding,
            });
        }
        self
    }

    fn suggest<'c>(mut self, name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Self {
        self.finding = Box::new(self.finding.suggest(name, candidates));
        self
    }
}

/// What a position has that the game lacks, and the other way round.
#[derive(Default)]
struct Strangers<'p> {
    node: Option<&'p str>,
    variables: Vec<&'p str>,
    /// Keys that the maps of the game do not have, and values that the game does not have anywhere.
    symbols: FxHashSet<&'p str>,
    /// Variables and keys of the game that the position lacks.
    missing: FxHashSet<Symbol>,
}

impl<'p> Strangers<'p> {
    fn new(game: &Game, position: &'p Position) -> Self {
        let symbol = |name: &str| game.symbols.get(name);
        let lacks_node = symbol(&position.node).and_then(|name| game.find_node(name)).is_none();
        let mut strangers = Self { node: lacks_node.then_some(&*position.node), ..Self::default() };
        for decl in game.vars.values() {
            if position.get(game.name(decl.name)).is_none() {
                strangers.missing.insert(decl.name);
            }
        }
        let Entries(variables) = &position.variables;
        for (name, content) in variables {
            let Some(decl) = symbol(name).and_then(|name| game.find_var(name)).and_then(|var| game.vars.get(var))
            else {
                strangers.variables.push(name);
                continue;
            };
            let keys = game.shape(decl.ty).map(|shape| shape.keys).unwrap_or_default();
            strangers.compare(game, content, &keys);
        }
        strangers
    }

    /// Looks at the keys and values of a variable.
    fn compare(&mut self, game: &Game, content: &'p Content, keys: &[TypeId]) {
        match content {
            Content::Symbol(name) if game.symbols.get(name).is_none() => {
                self.symbols.insert(name);
            }
            Content::Symbol(_) => {}
            Content::Map(Entries(entries)) => {
                let (mut present, (first, rest)) = (FxHashSet::default(), keys.split_first().unzip());
                let wanted = first.map(|&first| game.types.members(first)).unwrap_or_default();
                for (key, below) in entries {
                    let is_key = |symbol: &Symbol| first.is_some_and(|&first| game.types.contains(first, *symbol));
                    match game.symbols.get(key).filter(is_key) {
                        Some(symbol) => present.insert(symbol),
                        None => self.symbols.insert(key),
                    };
                    self.compare(game, below, rest.unwrap_or_default());
                }
                self.missing.extend(wanted.iter().filter(|key| !present.contains(key)));
            }
        }
    }

    /// More than one name in one direction: a name that is misspelt is one in each.
    fn are_many(&self) -> bool {
        let strange = usize::from(self.node.is_some()) + self.variables.len() + self.symbols.len();
        strange > 1 || self.missing.len() > 1
    }

    /// Nodes and variables of the position that the game lacks; `None` if it has all of them.
    fn text(&self) -> Option<String> {
        let variables: Vec<String> = self.variables.iter().take(MAX_UNKNOWN).map(|name| format!("`{name}`")).collect();
        let variables = match variables.as_slice() {
            [] => None,
            [only] => Some(format!("no variable {only}")),
            several => Some(format!("no variables {}", several.join(", "))),
        };
        let node = self.node.map(|node| format!("no node `{node}`"));
        let lacking: Vec<String> = node.into_iter().chain(variables).collect();
        (!lacking.is_empty()).then(|| format!("this game has {}", lacking.join(" and ")))
    }
}

impl Placed {
    /// Looks up the names of a position, all of which have to be there.
    fn new(game: &Game, position: &Position) -> Result<Self, Misfit> {
        let Entries(variables) = &position.variables;
        for (name, _) in variables {
            if game.symbols.get(name).and_then(|symbol| game.find_var(symbol)).is_none() {
                let names = game.vars.values().map(|decl| game.name(decl.name));
                let wrong = misfit(["variables", name], format!("the game has no variable `{name}`"));
                return Err(wrong.suggest(name, names));
            }
        }
        let contents: FxHashMap<&str, &Content> =
            variables.iter().map(|(name, value)| (name.as_str(), value)).collect();
        let (mut cells, mut mover) = (Vec::new(), None);
        for (var, decl) in game.vars.iter() {
            let name = game.name(decl.name);
            let missing = || misfit(["variables"], format!("the position has no value for the variable `{name}`"));
            let content = *contents.get(name).ok_or_else(missing)?;
            let mut filler = Filler { game, path: vec!["variables", name], keys: Vec::new(), cells: Vec::new() };
            let shape = game.shape(decl.ty).ok_or_else(missing)?;
            filler.fill(content, &shape.keys, shape.leaf)?;
            if name == "player" {
                let keeper = game.symbols.get("keeper").filter(|&keeper| game.types.contains(decl.ty, keeper));
                let player = filler.cells.first().map(|(_, value)| *value);
                mover = keeper.zip(player).map(|(keeper, player)| (var, keeper, player));
                continue;
            }
            let initial = initial(game, decl.ty, var);
            let differs = |(at, cell): &(usize, Cell)| initial.get(*at) != Some(&cell.1);
            cells.extend(filler.cells.into_iter().enumerate().filter(differs).map(|(_, cell)| (var, cell)));
        }
        let Some((mover, keeper, player)) = mover else {
            let message = "the variable `player` of the game cannot be `keeper`, who would have to set up the position";
            return Err(misfit(["variables"], message));
        };
        let node = stop(game, &position.node, player)?;
        Ok(Self { node, mover, keeper, player, cells })
    }

    /// Makes the keeper set up the position first; the name of the node that takes the place of `begin`, if that is needed.
    fn begin(&self, game: &mut Game) -> Option<String> {
        let begin = game.begin();
        let begin_name = game.automaton.node(begin).name;
        let out = game.automaton.outgoing(begin).to_vec();
        let again = (self.node == begin || !game.automaton.incoming(begin).is_empty())
            .then(|| game.fresh_node("begin", Span::NONE));
        for edge in out {
            let removed = game.automaton.remove_edge(edge);
            if let (Some(edge), Some(again)) = (removed, again) {
                let target = if edge.target == begin { again } else { edge.target };
                game.automaton.add_edge(again, target, edge.label, edge.span);
            }
        }
        if let Some(again) = again {
            for edge in game.automaton.incoming(begin).to_vec() {
                if let Some(edge) = game.automaton.remove_edge(edge) {
                    game.automaton.add_edge(edge.source, again, edge.label, edge.span);
                }
            }
        }
        // Claims about the node would be about another one. None of them has to be there.
        game.pragmas.retain(|decl| !names(&decl.pragma, begin_name));
        let mut at = begin;
        for (var, (keys, value)) in &self.cells {
            let mut lhs = game.exprs.intern(Expr::Var(*var));
            for &key in keys {
                let key = game.exprs.intern(Expr::Symbol(key));
                lhs = game.exprs.intern(Expr::Access(lhs, key));
            }
            let rhs = game.exprs.intern(Expr::Symbol(*value));
            let next = game.fresh_node("start", Span::NONE);
            game.automaton.add_edge(at, next, Label::Assign { lhs, rhs }, Span::NONE);
            at = next;
        }
        game.vars[self.mover].initial = Value::Symbol(self.keeper);
        let lhs = game.exprs.intern(Expr::Var(self.mover));
        let rhs = game.exprs.intern(Expr::Symbol(self.player));
        let target = again.filter(|_| self.node == begin).unwrap_or(self.node);
        game.automaton.add_edge(at, target, Label::Assign { lhs, rhs }, Span::NONE);
        again.map(|again| game.node_name(again).to_owned())
    }
}

/// The initial values of the cells of a variable, in the order of keys.
fn initial(game: &Game, ty: TypeId, var: VarId) -> Vec<Symbol> {
    let Ok(dense) = game.dense(ty, &game.vars[var].initial) else { return Vec::new() };
    let dimensions: Vec<_> = dense.dims.iter().map(|&entries| (entries.saturating_sub(1), entries)).collect();
    let spare = backend::canonical::spare_entries(&dimensions);
    let mut spare = spare.into_iter().peekable();
    let real = dense.values.into_iter().enumerate().filter(|(at, _)| spare.next_if_eq(at).is_none());
    real.map(|(_, value)| value).collect()
}

/// The node of a position, where the player has to be able to move.
fn stop(game: &Game, name: &str, player: Symbol) -> Result<NodeId, Misfit> {
    let ends = || game.automaton.edges().filter(|(_, edge)| game.ends_move(&edge.label)).map(|(_, edge)| edge);
    let stops = || ends().map(|edge| game.node_name(edge.target));
    let Some(node) = game.symbols.get(name).and_then(|name| game.find_node(name)) else {
        return Err(misfit(["node"], format!("the game has no node `{name}`")).suggest(name, stops()));
    };
    let mut movers = ends().filter(|edge| edge.target == node).map(|edge| match edge.label {
        Label::Assign { rhs, .. } => match game.exprs.get(rhs) {
            Expr::Symbol(symbol) => Some(symbol),
            _ => None,
        },
        _ => None,
    });
    let Some(first) = movers.next() else {
        return Err(misfit(["node"], format!("no move begins at the node `{name}`")));
    };
    if first.is_some_and(|first| first != player) && movers.all(|mover| mover.is_some_and(|mover| mover != player)) {
        let message = format!("`{}` does not move at the node `{name}`", game.name(player));
        return Err(misfit(["variables", "player"], message));
    }
    let decides = game.players().contains(&player) || game.name(player) == "random";
    if node != game.end() && !decides {
        let message = "the keeper moves there; a position is one where a player or chance moves, or an end";
        return Err(misfit(["variables", "player"], message));
    }
    Ok(node)
}

/// Whether a claim is about a node of that name.
fn names(pragma: &Pragma, name: Symbol) -> bool {
    match pragma {
        Pragma::Disjoint { node, targets, .. } => *node == name || targets.contains(&name),
        Pragma::Iterator { nodes, .. } => nodes.contains(&name),
        Pragma::Repeat { nodes, .. }
        | Pragma::Unique(nodes)
        | Pragma::TagIndex { nodes, .. }
        | Pragma::TagMaxIndex { nodes, .. } => nodes.contains(&name),
        Pragma::SimpleApply { from, to, .. } => *from == name || *to == name,
        // What engines make of it names the node; nothing is lost but speed.
        Pragma::Unknown(text) => text.split_whitespace().any(|word| word == "begin"),
        Pragma::ArtificialTag(_) | Pragma::Integer { .. } | Pragma::TranslatedFromRbg => false,
    }
}

/// Lists the cells of a variable.
struct Filler<'g> {
    game: &'g Game,
    path: Vec<&'g str>,
    keys: Vec<Symbol>,
    cells: Vec<Cell>,
}

impl Filler<'_> {
    fn fill(&mut self, content: &Content, keys: &[TypeId], leaf: TypeId) -> Result<(), Misfit> {
        let game = self.game;
        let at = |filler: &Self, last: Option<&str>, message: String| {
            misfit(filler.path.iter().copied().chain(last), message)
        };
        let members = |ty| game.types.members(ty).iter().map(|&symbol| game.name(symbol));
        match (content, keys.split_first()) {
            (Content::Symbol(name), None) => {
                let value = game.symbols.get(name).filter(|&symbol| game.types.contains(leaf, symbol));
                let wrong =
                    || at(self, None, format!("`{name}` is not a value of the variable")).suggest(name, members(leaf));
                self.cells.push((self.keys.clone(), value.ok_or_else(wrong)?));
                Ok(())
            }
            (Content::Map(Entries(entries)), Some((&first, rest))) => {
                let known =
                    |name: &str| game.symbols.get(name).is_some_and(|symbol| game.types.contains(first, symbol));
                if let Some((name, _)) = entries.iter().find(|(name, _)| !known(name)) {
                    return Err(
                        at(self, Some(name), format!("`{name}` is not a key of the map")).suggest(name, members(first))
                    );
                }
                let values: FxHashMap<&str, &Content> =
                    entries.iter().map(|(name, value)| (name.as_str(), value)).collect();
                for &key in game.types.members(first) {
                    let name = game.name(key);
                    let missing = || at(self, None, format!("the map has no value for the key `{name}`"));
                    let value = *values.get(name).ok_or_else(missing)?;
                    self.path.push(name);
                    self.keys.push(key);
                    self.fill(value, rest, leaf)?;
                    self.keys.pop();
                    self.path.pop();
                }
                Ok(())
            }
            (Content::Symbol(name), Some(_)) => {
                Err(at(self, None, format!("a map is expected, as an object; found the symbol `{name}`")))
            }
            (Content::Map(_), None) => {
                Err(at(self, None, "a symbol is expected, as a string; found an object".to_owned()))
            }
        }
    }
}
