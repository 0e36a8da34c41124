//! Tails of moves: what follows the last choice is determined by the state.
//!
//! A move that turns discs in eight directions, or sows seeds, has one choice and then a long walk on which nothing is left to choose.
//! As kinds of moves, all its branches and rounds would be too many. Here such a tail becomes the keeper's: where it begins, the
//! player's move ends, after a check that the tail can be walked to its end.
//!
//! ```text
//!                              a, b: pos = Cell(*);
//! a, b: pos = Cell(*);         b, c: ? check -> done;
//! b, …: tail              →    c, d: player = keeper;
//! …, z: player = other;        d, …: tail, z: player = other;
//!                              check, …: tail without tags, done: ;
//! ```
//!
//! Only the game that is lifted is changed. A word then has the beginning of a label, and a function of its own walks the tail to read
//! the rest ([`Rest`]): no two moves of a state may begin alike. Where nothing is tagged before the tail, moves differ by the only
//! choice, and the check compares it with the last value that the tail shows: if they differ, a side exit is taken.
//!
//! A node belongs to a tail if no choice follows it and walks cannot part there ([`Exclusive`]). Linear in the automaton, but for the
//! copies, of which there are two for each place where a tail begins.

use super::ahead::read_by;
use super::exclusive::Exclusive;
use super::region::constant_player;
use passes::effects;
use rg_ir::{Edge, EdgeId, Expr, Game, Label, NodeId, Symbol, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Up to how many walks a tail without loops is left to kinds of moves.
const FEW_WALKS: usize = 16;
/// Most places of one search where tails may begin, and most nodes of all searches together.
const MAX_TAILS: usize = 64;
const MAX_VISITS: usize = 1 << 18;
/// Most nodes of a tail.
const MAX_TAIL: usize = 2048;
/// Most edges that copies may add.
const MAX_ADDED: usize = 1 << 14;

/// What the tags before a tail say of a move's label.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) enum Rest {
    /// They are the label.
    #[default]
    None,
    /// The label begins with them, and no other label of the state does. The tag that follows is one of some symbols; it may end there
    /// if `None` is among them.
    Follows(Vec<Option<Symbol>>),
    /// There is one, which is the last value that the tail shows, in no other label of the state; it is none of the label's own. The label
    /// ends with one of these tags.
    LastOf {
        /// See above.
        ends: Vec<Symbol>,
    },
}

/// A game whose tails are the keeper's.
pub(super) struct Tails {
    /// It has the nodes of the game that it was made of, and others behind them.
    pub(super) game: Game,
    /// Targets of the checks that a tail can be walked: at most one walk comes there.
    pub(super) done: FxHashSet<NodeId>,
    /// Nodes of copies of tails, where walks cannot part.
    pub(super) copies: FxHashSet<NodeId>,
    /// Where the last value that a tail shows is not the choice.
    pub(super) unlike: FxHashSet<NodeId>,
    /// What is not in the words of moves that end with an edge.
    pub(super) rest: FxHashMap<EdgeId, Rest>,
}

/// Makes tails of moves the keeper's, and those of checks checks of their own; `None` if there are none, or they are too large.
pub(super) fn split(game: &Game) -> Option<Tails> {
    let searches = Searches::of(game)?;
    let exclusive = Exclusive::new(game);
    let mut begins: Vec<Begin> = Vec::new();
    for search in &searches.all {
        begins.extend(search.tails(&searches, &exclusive)?);
    }
    let added = |begin: &Begin| 2 * begin.tail.iter().map(|&node| game.automaton.outgoing(node).len()).sum::<usize>();
    if begins.is_empty() || begins.iter().map(added).sum::<usize>() > MAX_ADDED {
        return None;
    }
    let mut tails = Tails {
        game: game.clone(),
        done: FxHashSet::default(),
        copies: FxHashSet::default(),
        unlike: FxHashSet::default(),
        rest: FxHashMap::default(),
    };
    for begin in &begins {
        tails.add(game, begin);
    }
    Some(tails)
}

/// Where a search ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// With an edge that assigns to `player`.
    Switch,
    /// At a node.
    At(NodeId),
}

impl End {
    pub(super) fn is(self, game: &Game, edge: &Edge) -> bool {
        match self {
            Self::Switch => game.ends_move(&edge.label),
            Self::At(node) => edge.target == node,
        }
    }
}

/// Where a tail begins.
pub(super) struct Begin {
    pub(super) node: NodeId,
    /// Where it ends.
    pub(super) end: End,
    /// All nodes of the tail, in the order of their ids.
    pub(super) tail: Vec<NodeId>,
    /// Nodes of the tail from which every walk comes to its end, with the value that it shows on the way.
    pub(super) safe: FxHashMap<NodeId, Option<VarId>>,
    /// The choice to be compared with the last value that the tail shows.
    pub(super) choice: Option<VarId>,
}

/// Moves, and checks by their ends.
struct Searches<'g> {
    all: Vec<Search<'g>>,
    /// How many searches come by each node; the keeper's moves are one.
    visits: FxHashMap<NodeId, usize>,
}

/// The nodes that searches with one end come by.
struct Search<'g> {
    game: &'g Game,
    end: End,
    /// Where they begin.
    starts: Vec<NodeId>,
    nodes: FxHashSet<NodeId>,
}

impl<'g> Searches<'g> {
    /// The searches of players, then the checks; `None` if they are too many.
    fn of(game: &'g Game) -> Option<Self> {
        let keeper = game.symbols.get("keeper");
        let mut starts: Vec<(End, FxHashSet<NodeId>)> = vec![(End::Switch, FxHashSet::default())];
        let mut numbers: FxHashMap<NodeId, usize> = FxHashMap::default();
        let mut keepers: FxHashSet<NodeId> = FxHashSet::from_iter([game.begin()]);
        for (_, edge) in game.automaton.edges() {
            match edge.label {
                Label::Reach { from, to, .. } => {
                    let number = *numbers.entry(to).or_insert_with(|| {
                        starts.push((End::At(to), FxHashSet::default()));
                        starts.len() - 1
                    });
                    starts.get_mut(number).map(|(_, starts)| starts.insert(from));
                }
                label if game.ends_move(&label) && keeper.is_some() && constant_player(game, &label) == keeper => {
                    keepers.insert(edge.target);
                }
                label if game.ends_move(&label) => {
                    starts.first_mut().map(|(_, starts)| starts.insert(edge.target));
                }
                _ => {}
            }
        }
        let (mut all, mut room) = (Vec::new(), MAX_VISITS);
        let mut visits: FxHashMap<NodeId, usize> = FxHashMap::default();
        let switches = [(End::Switch, keepers)];
        for (end, starts) in starts.into_iter().chain(switches) {
            let search = Search::of(game, end, starts.into_iter().collect());
            room = room.checked_sub(search.nodes.len())?;
            search.nodes.iter().for_each(|&node| *visits.entry(node).or_default() += 1);
            all.push(search);
        }
        // The keeper's were only to be counted.
        all.pop();
        Some(Self { all, visits })
    }
}

impl<'g> Search<'g> {
    fn of(game: &'g Game, end: End, starts: Vec<NodeId>) -> Self {
        let mut search = Self { game, end, starts, nodes: FxHashSet::default() };
        search.nodes = search.followed(&search.starts, |_| true);
        search
    }

    /// All tails that are worth it; `None` if they may be too many.
    fn tails(&self, all: &Searches<'g>, exclusive: &Exclusive) -> Option<Vec<Begin>> {
        let mut begins = self.begins(&self.determined(exclusive));
        // Where others come by, too, nothing is changed.
        begins.retain(|node| all.visits.get(node) == Some(&1));
        (begins.len() <= MAX_TAILS).then(|| begins.into_iter().filter_map(|node| self.begin(node, exclusive)).collect())
    }

    /// The nodes after which nothing is left to choose.
    fn determined(&self, exclusive: &Exclusive) -> FxHashSet<NodeId> {
        let automaton = &self.game.automaton;
        let chooses = |node: NodeId| self.labels(node).any(|label| matches!(label, Label::AssignAny { .. }));
        let parts = |node: &NodeId| chooses(*node) || !exclusive.has_one_way(*node);
        let mut parting: Vec<NodeId> = self.nodes.iter().copied().filter(parts).collect();
        // What leads to a choice is not determined.
        let mut open: FxHashSet<NodeId> = parting.iter().copied().collect();
        while let Some(node) = parting.pop() {
            for &id in automaton.incoming(node) {
                let edge = automaton.edge(id);
                if self.nodes.contains(&edge.source) && !self.end.is(self.game, edge) && open.insert(edge.source) {
                    parting.push(edge.source);
                }
            }
        }
        self.nodes.iter().copied().filter(|node| !open.contains(node)).collect()
    }

    fn labels(&self, node: NodeId) -> impl Iterator<Item = Label> + '_ {
        let automaton = &self.game.automaton;
        automaton.outgoing(node).iter().map(|&id| automaton.edge(id).label)
    }

    /// The nodes that searches come by from some nodes on, over edges that satisfy a condition.
    fn followed(&self, from: &[NodeId], passes: impl Fn(&Label) -> bool) -> FxHashSet<NodeId> {
        let mut seen: FxHashSet<NodeId> = from.iter().copied().collect();
        let mut stack: Vec<NodeId> = from.to_vec();
        while let Some(node) = stack.pop() {
            for &id in self.game.automaton.outgoing(node) {
                let edge = self.game.automaton.edge(id);
                if !self.end.is(self.game, edge) && passes(&edge.label) && seen.insert(edge.target) {
                    stack.push(edge.target);
                }
            }
        }
        seen
    }

    /// Where tails begin: at the first node with several ways on behind the last choice.
    fn begins(&self, determined: &FxHashSet<NodeId>) -> Vec<NodeId> {
        let automaton = &self.game.automaton;
        let mut begins = Vec::new();
        for (_, edge) in automaton.edges() {
            let enters = !determined.contains(&edge.source) && determined.contains(&edge.target);
            if !enters || !self.nodes.contains(&edge.source) || self.end.is(self.game, edge) {
                continue;
            }
            let mut node = edge.target;
            for _ in 0..MAX_TAIL {
                let &[only] = automaton.outgoing(node) else { break };
                let next = automaton.edge(only);
                if self.end.is(self.game, next) {
                    break;
                }
                node = next.target;
            }
            begins.push(node);
        }
        begins.sort_unstable();
        begins.dedup();
        begins
    }

    /// The tail that begins at a node, if it is worth it and labels can be looked up.
    fn begin(&self, node: NodeId, exclusive: &Exclusive) -> Option<Begin> {
        let mut tail: Vec<NodeId> = self.followed(&[node], |_| true).into_iter().collect();
        tail.sort_unstable();
        if tail.len() > MAX_TAIL
            || !self.writes_maps(&tail)
            || self.reads_player(&tail)
            || self.has_few_walks(node, &tail)
        {
            return None;
        }
        let safe = self.safe(&tail, exclusive);
        let without_choice = |safe: FxHashSet<NodeId>| safe.into_iter().map(|node| (node, None)).collect();
        let before = self.before(node, &tail);
        let labels = || before.iter().flat_map(|&node| self.labels(node));
        if self.end != End::Switch
            || labels().any(|label| matches!(label, Label::TagVar(_)))
            || !labels().any(|label| matches!(label, Label::AssignAny { .. }))
        {
            return Some(Begin { node, end: self.end, tail, safe: without_choice(safe), choice: None });
        }
        let choice = self.single_choice(node, &tail, &before)?;
        let safe = safe.into_iter().filter_map(|node| Some((node, self.value_ahead(node)?))).collect();
        Some(Begin { node, end: self.end, tail, safe, choice: Some(choice) })
    }

    /// The nodes of a tail from which every walk comes to its end.
    fn safe(&self, tail: &[NodeId], exclusive: &Exclusive) -> FxHashSet<NodeId> {
        let automaton = &self.game.automaton;
        let mut open: Vec<NodeId> = tail.iter().copied().filter(|&node| exclusive.has_a_way(node)).collect();
        let mut safe: FxHashSet<NodeId> = FxHashSet::default();
        loop {
            let before = open.len();
            open.retain(|&node| {
                let ends = |edge: &Edge| self.end.is(self.game, edge) || safe.contains(&edge.target);
                let found = automaton.outgoing(node).iter().all(|&id| ends(automaton.edge(id)));
                if found {
                    safe.insert(node);
                }
                !found
            });
            if open.len() == before {
                return safe;
            }
        }
    }

    /// The variable that every walk from a node shows last, as it is at the node, or none if no walk shows any; nothing if it depends on
    /// the walk.
    fn value_ahead(&self, node: NodeId) -> Option<Option<VarId>> {
        let ahead = self.followed(&[node], |_| true);
        let labels = || ahead.iter().flat_map(|&node| self.labels(node));
        let mut shows = labels().filter_map(|label| if let Label::TagVar(var) = label { Some(var) } else { None });
        let Some(var) = shows.next() else { return Some(None) };
        let written = labels().any(|label| {
            !self.game.ends_move(&label) && effects::write(self.game, &label).is_some_and(|write| write.var == var)
        });
        (!written && shows.all(|other| other == var) && !self.is_silent(node)).then_some(Some(var))
    }

    /// Whether some walk from a node shows no value.
    fn is_silent(&self, node: NodeId) -> bool {
        let silent = self.followed(&[node], |label| !matches!(label, Label::TagVar(_)));
        silent.iter().any(|&node| self.labels(node).any(|label| self.game.ends_move(&label)))
    }

    /// The nodes from which a tail is reached, without its own.
    fn before(&self, node: NodeId, tail: &[NodeId]) -> Vec<NodeId> {
        let (mut seen, mut stack) = (FxHashSet::from_iter([node]), vec![node]);
        while let Some(node) = stack.pop() {
            for &id in self.game.automaton.incoming(node) {
                let edge = self.game.automaton.edge(id);
                if self.nodes.contains(&edge.source) && !self.end.is(self.game, edge) && seen.insert(edge.source) {
                    stack.push(edge.source);
                }
            }
        }
        seen.into_iter().filter(|node| tail.binary_search(node).is_err()).collect()
    }

    /// Whether a tail changes entries of maps: what only moves positions is followed for all of them at once.
    fn writes_maps(&self, tail: &[NodeId]) -> bool {
        let writes = |label: Label| {
            !self.game.ends_move(&label) && effects::write(self.game, &label).is_some_and(|write| !write.whole)
        };
        tail.iter().flat_map(|&node| self.labels(node)).any(writes)
    }

    /// Whether something in a tail, or in its checks, depends on who moves: the keeper would.
    fn reads_player(&self, tail: &[NodeId]) -> bool {
        let Some(player) = self.game.symbols.get("player").and_then(|name| self.game.find_var(name)) else {
            return false;
        };
        let mut found = false;
        for label in tail.iter().flat_map(|&node| self.labels(node)) {
            effects::reads(self.game, &label, |var| found |= var == player);
            if let Label::Reach { from, to, .. } = label {
                found |= read_by(self.game, from, to).contains(&player);
            }
        }
        found
    }

    /// Whether a tail has no loops and at most [`FEW_WALKS`] walks.
    fn has_few_walks(&self, node: NodeId, tail: &[NodeId]) -> bool {
        // Walks to each node, in as many rounds as a walk can have steps.
        let mut walks: FxHashMap<NodeId, usize> = FxHashMap::from_iter([(node, 1)]);
        let mut all = 0;
        for _ in 0..=tail.len() {
            let mut next: FxHashMap<NodeId, usize> = FxHashMap::default();
            for (&node, &count) in &walks {
                for &id in self.game.automaton.outgoing(node) {
                    let edge = self.game.automaton.edge(id);
                    if self.end.is(self.game, edge) {
                        all = usize::saturating_add(all, count);
                    } else {
                        let slot = next.entry(edge.target).or_default();
                        *slot = slot.saturating_add(count);
                    }
                }
            }
            if next.is_empty() {
                return all <= FEW_WALKS;
            }
            walks = next;
        }
        false
    }

    /// The only choice before a tail, if it is what the tail shows last: as far as the automaton tells.
    fn single_choice(&self, node: NodeId, tail: &[NodeId], before: &[NodeId]) -> Option<VarId> {
        let game = self.game;
        let mut choice = None;
        for label in before.iter().flat_map(|&node| self.labels(node)) {
            match label {
                Label::Tag(_) => return None,
                Label::AssignAny { lhs, .. } => {
                    let Expr::Var(var) = game.exprs.get(lhs) else { return None };
                    if choice.is_some_and(|choice| choice != var) {
                        return None;
                    }
                    choice = Some(var);
                }
                _ => {}
            }
        }
        let choice = choice?;
        let ty = game.types.resolve(game.vars.get(choice)?.ty)?;
        let changes = |label: &Label| {
            matches!(label, Label::Assign { .. })
                && effects::write(game, label).is_some_and(|write| write.var == choice)
        };
        if before.iter().flat_map(|&node| self.labels(node)).any(|label| changes(&label)) {
            return None;
        }
        let members = game.types.members(ty);
        let agrees = |label: &Label| match *label {
            Label::Tag(symbol) => !members.contains(&symbol),
            Label::TagVar(var) => game.vars.get(var).is_some_and(|decl| game.types.resolve(decl.ty) == Some(ty)),
            _ => true,
        };
        let fits = tail.iter().flat_map(|&node| self.labels(node)).all(|label| agrees(&label));
        (fits && !self.is_silent(node)).then_some(choice)
    }
}
