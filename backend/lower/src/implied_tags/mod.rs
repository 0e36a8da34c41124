//! Tags that the values around them tell: how often a queen steps ahead, and where to, is known from where it stood and
//! where it stands, and so is which way a knight has jumped.
//!
//! A loop that emits a tag each time that it goes round is a label for every number of rounds, so no set of moves would
//! have one label, and where each of several steps has a tag of its own, each is a kind of moves. Here, such tags are taken
//! out of the automaton that is lifted, and put back where labels are shown: if a position is shown before them (`$$ pos`)
//! and another one after them, and on no two walks with the same tags that stay and the same two positions they differ.
//! That is found out by following all walks from one shown position to the next, for
//! each position by itself. Different labels stay different labels, since nor do two such walks have the same tags in all,
//! but not the same that stay.

mod candidates;

use super::numbers::Numbers;
use candidates::{alternatives, candidates};
use passes::analysis::{Ranges, Values};
use rg_ir::{Edge, EdgeId, Game, Label, NodeId, Symbol, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Most steps of walks that are followed.
const MAX_STEPS: usize = 1 << 19;
/// How often fewer tags are tried.
const MAX_ROUNDS: usize = 16;
/// Most tags between two positions.
const MAX_TAGS: usize = 64;
/// Most values that a step may give a variable.
const MAX_VALUES: usize = 16;

/// All tags between two shown values.
pub(crate) type Between = FxHashMap<(Symbol, Symbol), Box<[Symbol]>>;

/// Those by the tags that stay.
pub(super) type ByKept = FxHashMap<Vec<Symbol>, Arc<Between>>;

/// A game without the implied tags.
pub(super) struct ImpliedTags {
    /// The game, with the nodes and edges of the one that it was made of.
    pub(super) game: Game,
    /// By the tags that stay between two values of a label: all tags there were.
    pub(super) between: ByKept,
    /// The same for the tags before the first value, where the value of a variable before the move stands for the one before
    /// them.
    pub(super) begins: Option<(VarId, ByKept)>,
}

/// Takes the tags out; `None` if there are none.
pub(super) fn remove(game: &Game, numbers: &Numbers) -> Option<ImpliedTags> {
    let steps = alternatives(game);
    let mut out = candidates(game, numbers, &steps);
    if out.is_empty() {
        return None;
    }
    let values = Values::solve_moves(game, &Ranges::solve(game))?;
    for _ in 0..MAX_ROUNDS {
        let mut walks = Walks::new(game, &values, &out, &steps);
        walks.follow()?;
        walks.compare();
        if walks.blamed.is_empty() {
            let between = walks.tables(None);
            let begins = walks.begins().map(|var| (var, walks.tables(Some(var))));
            let mut game = game.clone();
            out.iter().for_each(|&id| game.automaton.set_label(id, Label::Skip));
            return Some(ImpliedTags { game, between, begins });
        }
        let blamed = walks.blamed;
        out.retain(|id| !blamed.contains(id));
        if out.is_empty() {
            return None;
        }
    }
    None
}

/// Tags since a shown value, sharing their beginnings: an index into [`Walks::tags`] and one more.
type Tags = u32;

/// A walk since a variable was shown, or since the beginning of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    var: VarId,
    /// Whether it was shown.
    shown: bool,
    /// What it was then, and what it is now; `None` if that is not known any more.
    values: Option<(Symbol, Symbol)>,
    tags: Tags,
}

/// A walk to where a value is shown: the variable, if it began with the move, what it was then, the value, and the tags.
type Segment = (Option<VarId>, Symbol, Symbol, Tags);

/// A walk from a shown value, if that is known, to where another variable is shown.
type Crossing = (Option<Symbol>, NodeId, VarId);

/// A tag of a walk.
struct Tagged {
    before: Tags,
    symbol: Symbol,
    /// Whether it is taken out.
    out: bool,
    /// The edges that it may be of.
    edges: FxHashSet<EdgeId>,
}

/// All walks from one shown value to the next.
struct Walks<'a> {
    game: &'a Game,
    values: &'a Values,
    out: &'a FxHashSet<EdgeId>,
    /// Tags that are no part of a loop: the first ones to stay.
    alternatives: &'a FxHashSet<EdgeId>,
    tags: Vec<Tagged>,
    found: FxHashMap<(Tags, Symbol, bool), Tags>,
    seen: FxHashSet<(NodeId, State)>,
    work: Vec<(NodeId, State)>,
    /// What an edge makes of a value of a variable.
    steps: FxHashMap<(EdgeId, VarId, Symbol), Option<Vec<Symbol>>>,
    /// Whether a move can end from a node, where a variable has a value.
    ends: FxHashMap<(NodeId, VarId, Symbol), bool>,
    /// The walks.
    shown: FxHashSet<Segment>,
    /// By the tags that stay: walks from a value of one variable to one of another.
    others: FxHashMap<Vec<Symbol>, FxHashSet<Crossing>>,
    /// Variables that may be the first that is shown, with a value that is not known from the one before the move.
    unknown_firsts: FxHashSet<VarId>,
    /// Edges whose tags have to stay.
    blamed: FxHashSet<EdgeId>,
}

impl<'a> Walks<'a> {
    fn new(
        game: &'a Game,
        values: &'a Values,
        out: &'a FxHashSet<EdgeId>,
        alternatives: &'a FxHashSet<EdgeId>,
    ) -> Self {
        Self {
            game,
            values,
            out,
            alternatives,
            tags: Vec::new(),
            found: FxHashMap::default(),
            seen: FxHashSet::default(),
            work: Vec::new(),
            steps: FxHashMap::default(),
            ends: FxHashMap::default(),
            shown: FxHashSet::default(),
            others: FxHashMap::default(),
            unknown_firsts: FxHashSet::default(),
            blamed: FxHashSet::default(),
        }
    }

    /// Follows all of them; `None` if that takes too long.
    fn follow(&mut self) -> Option<()> {
        let game = self.game;
        let tagged = game.automaton.edges().filter_map(|(_, edge)| match edge.label {
            Label::TagVar(var) => Some(var),
            _ => None,
        });
        let vars: FxHashSet<VarId> = tagged.collect();
        let ends = game.automaton.edges().filter(|(_, edge)| game.ends_move(&edge.label));
        let starts: FxHashSet<NodeId> = ends.map(|(_, edge)| edge.target).chain([game.begin()]).collect();
        for node in starts {
            for &var in &vars {
                self.start(node, node, var, false);
            }
        }
        for (_, edge) in game.automaton.edges() {
            if let Label::TagVar(var) = edge.label {
                self.start(edge.source, edge.target, var, true);
            }
        }
        while let Some((node, state)) = self.work.pop() {
            if self.seen.len() > MAX_STEPS {
                return None;
            }
            for &id in game.automaton.outgoing(node) {
                self.take(id, game.automaton.edge(id), state);
            }
        }
        // Without values, nothing is implied.
        (!vars.is_empty()).then_some(())
    }

    /// Walks begin at a node, with the values that a variable may have at another one.
    fn start(&mut self, with: NodeId, node: NodeId, var: VarId, shown: bool) {
        match self.values.at(with, var) {
            Some(values) => {
                for value in values {
                    self.arrive(node, State { var, shown, values: Some((value, value)), tags: 0 });
                }
            }
            None => self.arrive(node, State { var, shown, values: None, tags: 0 }),
        }
    }

    fn arrive(&mut self, node: NodeId, state: State) {
        if self.seen.insert((node, state)) {
            self.work.push((node, state));
        }
    }

    fn take(&mut self, id: EdgeId, edge: &Edge, state: State) {
        if self.game.ends_move(&edge.label) {
            self.blame(state.tags);
            return;
        }
        match edge.label {
            Label::TagVar(var) if var == state.var => match state.values {
                Some((from, now)) if !self.has_steps(state.tags) || self.ends(edge.target, var, now) => {
                    self.shown.insert(((!state.shown).then_some(var), from, now, state.tags));
                }
                Some(_) => {}
                None => {
                    self.blame(state.tags);
                    if !state.shown {
                        self.unknown_firsts.insert(var);
                    }
                }
            },
            // Before the first value, there are walks for every variable.
            Label::TagVar(_) if !state.shown => {}
            Label::TagVar(other) => {
                self.blame(state.tags);
                let kept = self.symbols(&self.spelled(state.tags), false);
                let from = state.values.map(|(from, _)| from);
                self.others.entry(kept).or_default().insert((from, edge.source, other));
            }
            Label::Tag(symbol) => match self.tagged(state.tags, symbol, id) {
                Some(tags) => self.arrive(edge.target, State { tags, ..state }),
                None => self.blame_all(state.tags, id),
            },
            _ => match state.values {
                Some((from, now)) => match self.step(id, edge, state.var, now) {
                    Some(next) => {
                        for now in next {
                            self.arrive(edge.target, State { values: Some((from, now)), ..state });
                        }
                    }
                    None => self.arrive(edge.target, State { values: None, ..state }),
                },
                None => self.arrive(edge.target, state),
            },
        }
    }

    /// Whether some of the tags of a walk are of steps that are no part of a loop, and taken out.
    fn has_steps(&self, tags: Tags) -> bool {
        let tagged = self.spelled(tags);
        let mut tagged = tagged.iter().filter_map(|&at| self.tags.get(at)).filter(|tagged| tagged.out);
        tagged.any(|tagged| tagged.edges.iter().any(|id| self.alternatives.contains(id)))
    }

    /// Whether a move may end from a node where a variable has a value.
    fn ends(&mut self, node: NodeId, var: VarId, value: Symbol) -> bool {
        if let Some(&ends) = self.ends.get(&(node, var, value)) {
            return ends;
        }
        let game = self.game;
        let (mut seen, mut work) = (FxHashSet::default(), vec![(node, value)]);
        let mut ends = false;
        while let Some((node, value)) = work.pop().filter(|_| !ends) {
            for &id in game.automaton.outgoing(node) {
                let edge = game.automaton.edge(id);
                let next = if game.ends_move(&edge.label) { None } else { self.step(id, edge, var, value) };
                match next {
                    Some(next) => {
                        let next = next.into_iter().map(|value| (edge.target, value));
                        work.extend(next.filter(|&state| seen.insert(state)));
                    }
                    None => ends = true,
                }
            }
        }
        self.ends.insert((node, var, value), ends);
        ends
    }

    /// What an edge makes of the value of a variable; `None` if it may be much.
    fn step(&mut self, id: EdgeId, edge: &Edge, var: VarId, now: Symbol) -> Option<Vec<Symbol>> {
        let key = (id, var, now);
        if let Some(next) = self.steps.get(&key) {
            return next.clone();
        }
        let next = self.values.moved(self.game, edge.source, id, var, &[(var, now)]);
        let next = next.filter(|next| next.len() <= MAX_VALUES);
        self.steps.insert(key, next.clone());
        next
    }

    /// One more tag; `None` if there are too many.
    fn tagged(&mut self, before: Tags, symbol: Symbol, id: EdgeId) -> Option<Tags> {
        let out = self.out.contains(&id);
        let tags = match self.found.get(&(before, symbol, out)) {
            Some(&tags) => tags,
            None => {
                if self.spelled(before).len() == MAX_TAGS {
                    return None;
                }
                self.tags.push(Tagged { before, symbol, out, edges: FxHashSet::default() });
                let tags = self.tags.len() as Tags;
                self.found.insert((before, symbol, out), tags);
                tags
            }
        };
        if let Some(tagged) = self.tags.get_mut(tags as usize - 1) {
            tagged.edges.insert(id);
        }
        Some(tags)
    }

    /// The tags of a walk, each as an index.
    fn spelled(&self, mut tags: Tags) -> Vec<usize> {
        let mut spelled = Vec::new();
        while let Some((at, tagged)) = (tags as usize).checked_sub(1).and_then(|at| Some((at, self.tags.get(at)?))) {
            spelled.push(at);
            tags = tagged.before;
        }
        spelled.reverse();
        spelled
    }

    /// The symbols of tags, all or those that stay.
    fn symbols(&self, spelled: &[usize], all: bool) -> Vec<Symbol> {
        let tags = spelled.iter().filter_map(|&at| self.tags.get(at));
        tags.filter(|tagged| all || !tagged.out).map(|tagged| tagged.symbol).collect()
    }

    /// The tags of a walk have to stay.
    fn blame(&mut self, tags: Tags) {
        for at in self.spelled(tags) {
            self.blame_one(at);
        }
    }

    /// The tags of a walk have to stay, and that of one more edge.
    fn blame_all(&mut self, tags: Tags, id: EdgeId) {
        self.blame(tags);
        if self.out.contains(&id) {
            self.blamed.insert(id);
        }
    }

    /// Whether that is new.
    fn blame_one(&mut self, at: usize) -> bool {
        let Some(tagged) = self.tags.get(at).filter(|tagged| tagged.out) else { return false };
        self.blamed.extend(tagged.edges.iter().copied());
        true
    }

    /// Blames tags where walks differ that should not.
    fn compare(&mut self) {
        type Known = FxHashMap<(Option<VarId>, Symbol, Symbol, Vec<Symbol>), Tags>;
        let (mut by_kept, mut by_all) = (Known::default(), Known::default());
        let segments: Vec<Segment> = self.shown.iter().copied().collect();
        // The value before a move that tags are told by has to be that of one variable.
        let first = segments.iter().filter_map(|&(var, ..)| var).chain(self.unknown_firsts.iter().copied());
        let first: FxHashSet<VarId> = first.collect();
        for (var, from, to, tags) in segments {
            let spelled = self.spelled(tags);
            if var.is_some() {
                self.blame_steps(&spelled);
            }
            if var.is_some() && first.len() > 1 {
                self.blame(tags);
            }
            let (kept, all) = (self.symbols(&spelled, false), self.symbols(&spelled, true));
            if var.is_none() && kept != all && self.may_be_of_two(from, to, &kept) {
                self.blame(tags);
            }
            let same_kept = *by_kept.entry((var, from, to, kept.clone())).or_insert(tags);
            let same_all = *by_all.entry((var, from, to, all.clone())).or_insert(tags);
            for (other, wrong) in [(same_kept, true), (same_all, false)] {
                let others = self.spelled(other);
                if other != tags
                    && wrong == (self.symbols(&others, true) != all)
                    && self.differs(&spelled, &others, wrong)
                {
                    self.part(&spelled, &others);
                }
            }
        }
    }

    /// Whether two values with tags that stay between them may be of two variables, too: labels do not say whose value they show,
    /// and nothing is taken out between those.
    fn may_be_of_two(&self, from: Symbol, to: Symbol, kept: &[Symbol]) -> bool {
        let may_be = |&(other, node, var): &Crossing| {
            other.is_none_or(|other| other == from)
                && self.values.at(node, var).is_none_or(|values| values.contains(&to))
        };
        self.others.get(kept).is_some_and(|others| others.iter().any(may_be))
    }

    /// Whether two walks that agree in the tags that stay (`kept`) differ in all tags, or the other way round.
    fn differs(&self, one: &[usize], other: &[usize], kept: bool) -> bool {
        self.symbols(one, kept) != self.symbols(other, kept)
    }

    /// Tags of steps that are no part of a loop have to stay; whether there are any.
    fn blame_steps(&mut self, spelled: &[usize]) -> bool {
        let (out, alternatives) = (self.out, self.alternatives);
        let edges = spelled.iter().filter_map(|&at| self.tags.get(at)).flat_map(|tagged| &tagged.edges);
        let steps: Vec<EdgeId> = edges.copied().filter(|id| out.contains(id) && alternatives.contains(id)).collect();
        self.blamed.extend(&steps);
        !steps.is_empty()
    }

    /// Blames the first tags in which two walks differ.
    fn part(&mut self, one: &[usize], other: &[usize]) {
        if self.blame_steps(one) | self.blame_steps(other) {
            return;
        }
        let common = one.iter().zip(other).take_while(|(a, b)| a == b).count();
        let first = [one.get(common).copied(), other.get(common).copied()];
        let new = first.into_iter().flatten().filter(|&at| self.blame_one(at)).count() > 0;
        if !new {
            for &at in one.iter().chain(other) {
                self.blame_one(at);
            }
        }
    }

    /// The variable whose values before moves tell tags.
    fn begins(&self) -> Option<VarId> {
        self.shown.iter().find_map(|&(var, ..)| var)
    }

    /// See [`ImpliedTags::between`].
    fn tables(&self, begins: Option<VarId>) -> ByKept {
        let mut between: FxHashMap<Vec<Symbol>, Between> = FxHashMap::default();
        for &(_, from, to, tags) in self.shown.iter().filter(|&&(var, ..)| var == begins) {
            let spelled = self.spelled(tags);
            let all = self.symbols(&spelled, true);
            between.entry(self.symbols(&spelled, false)).or_default().insert((from, to), all.into());
        }
        between.retain(|kept, table| table.values().any(|all| **all != kept[..]));
        between.into_iter().map(|(kept, table)| (kept, Arc::new(table))).collect()
    }
}
