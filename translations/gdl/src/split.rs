//! Moves that have no greatest length, such as captures that go on and on: they are split into several moves of the same player.
//!
//! Terms of GDL do not grow along rules, so a move with any number of tags has no term. Authors of GDL let the player move again until all is done, and so
//! do we: a walk comes to a *cut* on each way round the loop, and there the player is in control again, with everything that the walk has changed as
//! part of the state. That is the same game if
//!
//! - every walk that comes to a cut can be completed, so that there are no moves that the game does not have: in all states there is a walk from a cut to the
//!   end of the move or to a cut again, and it cannot go on like that for ever;
//! - the tags up to a cut say which state that is.
//!
//! Both are shown by following the walks between cuts in all states, see [`segments`], or the game is not split.

mod segments;
mod values;

use crate::rules::Rules;
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use rg_ir::ids::Id;
use rg_ir::{Edge, Expr, Game, Label, NodeId, Span, Symbol, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use segments::{Check, Entry, Facts, Segments, Value, Walk};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use values::Values;

/// Most comparisons of walks, and steps of these, for a game.
const MAX_WORK: usize = 1_000_000;
/// Most nodes of a loop that are looked at.
const MAX_NODES: usize = 200;
/// Most nodes where moves are split.
const MAX_CUTS: usize = 64;

/// The game with moves split so that they have a greatest length, and checks that do not follow such a move to its end; `None` if nothing shows that it
/// is the same game.
pub(crate) fn split(rules: &Rules<'_>) -> Option<Split> {
    let (values, left) = (Values::new(rules), Cell::new(MAX_WORK));
    let mut questions: BTreeSet<Option<NodeId>> = BTreeSet::from([None]);
    questions.extend(rules.game.automaton.edges().filter_map(|(_, edge)| match edge.label {
        Label::Reach { to, .. } => Some(Some(to)),
        _ => None,
    }));
    let mut split = Split { game: rules.game.clone(), moves: false };
    let mut changed = false;
    for question in questions {
        let cuts = Splitter::new(rules, &values, question, &left).cuts()?;
        changed |= !cuts.is_empty();
        match question {
            None => {
                split.moves = !cuts.is_empty();
                cuts.into_iter().for_each(|cut| split_at(&mut split.game, rules.player, cut));
            }
            Some(to) => cuts.into_iter().for_each(|cut| succeed_at(&mut split.game, to, cut)),
        }
    }
    changed.then_some(split)
}

/// A game that was changed.
pub(crate) struct Split {
    pub(crate) game: Game,
    /// Whether moves are split.
    pub(crate) moves: bool,
}

/// Lets the player move again where a walk comes to a node.
fn split_at(game: &mut Game, player: VarId, cut: NodeId) {
    let player = game.exprs.intern(Expr::Var(player));
    let name = game.node_name(cut).to_owned();
    let before = game.fresh_node(&format!("{name}_on"), Span::NONE);
    let incoming = game.automaton.incoming(cut).iter().copied();
    let inside: FxHashSet<_> = incoming.filter(|&id| !game.ends_move(&game.automaton.edge(id).label)).collect();
    game.automaton.edit_edges(|id, edge| {
        if inside.contains(&id) {
            edge.target = before;
        }
        true
    });
    game.automaton.add_edge(before, cut, Label::Assign { lhs: player, rhs: player }, Span::NONE);
}

/// Lets a check succeed where it comes to a node.
fn succeed_at(game: &mut Game, to: NodeId, cut: NodeId) {
    game.automaton.edit_edges(|_, edge| edge.source != cut);
    game.automaton.add_edge(cut, to, Label::Skip, Span::NONE);
}

struct Splitter<'r, 'g> {
    rules: &'r Rules<'g>,
    values: &'r Values,
    question: Option<NodeId>,
    /// Nodes of players' moves, and where these begin; or those of the walks of a check that are of no other walks.
    walked: FxHashSet<NodeId>,
    starts: BTreeSet<NodeId>,
    left: &'r Cell<usize>,
}

impl<'r, 'g> Splitter<'r, 'g> {
    fn new(rules: &'r Rules<'g>, values: &'r Values, question: Option<NodeId>, left: &'r Cell<usize>) -> Self {
        let game = rules.game;
        let mut starts = BTreeSet::new();
        let mut others = vec![game.begin()];
        for (_, edge) in game.automaton.edges() {
            match (edge.label, question) {
                (Label::Assign { rhs, .. }, None) => {
                    let moves = game.ends_move(&edge.label) && game.exprs.get(rhs) != Expr::Symbol(rules.keeper);
                    starts.extend(Some(edge.target).filter(|_| moves));
                }
                (Label::Reach { from, to, .. }, Some(question)) if to == question => drop(starts.insert(from)),
                (Label::Reach { from, .. }, Some(_)) => others.push(from),
                _ => {}
            }
        }
        let walked = match question {
            None => crate::collect::closure(game, starts.iter().copied().collect(), true),
            Some(_) => {
                let reachable = |starts: Vec<NodeId>| game.automaton.reachable(starts);
                let (own, others) = (reachable(starts.iter().copied().collect()), reachable(others));
                game.automaton.nodes().filter(|n| own.contains(n.index()) && !others.contains(n.index())).collect()
            }
        };
        let walked = walked.into_iter().filter(|&node| rules.live.at(question, node).is_some()).collect();
        Self { rules, values, question, walked, starts, left }
    }

    /// Where to split moves, or to end checks; `None` if that is needed, and nothing shows that it is right.
    fn cuts(&self) -> Option<BTreeSet<NodeId>> {
        let mut cuts = BTreeSet::new();
        while let Some(cycle) = self.cycle(&cuts) {
            if cuts.len() >= MAX_CUTS {
                return None;
            }
            let mut nodes: Vec<NodeId> = cycle.iter().copied().collect();
            nodes.truncate(MAX_NODES);
            let fits = nodes.into_iter().find(|&node| {
                let with = &cuts | &BTreeSet::from([node]);
                let left = self.cycle(&with).is_some_and(|left| !left.is_disjoint(&cycle));
                !left && self.goes_on(node, &with)
            });
            cuts.insert(fits?);
        }
        let fine = self.question.is_some() || cuts.is_empty() || self.is_told(&cuts);
        fine.then_some(cuts)
    }

    /// Nodes among which walks may go round for ever and pass tags; those of checks, and write entries of maps.
    fn cycle(&self, cuts: &BTreeSet<NodeId>) -> Option<BTreeSet<NodeId>> {
        let (game, question) = (self.rules.game, self.question);
        let mut graph: DiGraphMap<usize, ()> = DiGraphMap::new();
        let edges = || {
            game.automaton.edges().map(|(_, edge)| edge).filter(|edge| {
                let inside = self.walked.contains(&edge.source) && self.walked.contains(&edge.target);
                let within = question.is_some() || !game.ends_move(&edge.label);
                inside && within && !cuts.contains(&edge.target)
            })
        };
        for edge in edges() {
            graph.add_edge(edge.source.index(), edge.target.index(), ());
        }
        let groups = tarjan_scc(&graph).into_iter().enumerate();
        let group: FxHashMap<usize, usize> =
            groups.flat_map(|(number, nodes)| nodes.into_iter().map(move |node| (node, number))).collect();
        let of = |node: NodeId| group.get(&node.index()).copied();
        let counts = |edge: &Edge| match question {
            None => matches!(edge.label, Label::Tag(_) | Label::TagVar(_)),
            Some(_) => crate::collect::assigned(game, &edge.label)
                .is_some_and(|(var, is_entry)| is_entry && self.rules.matters(question, edge.target, var)),
        };
        // Groups come in the order of walks backwards, so that no other group is on the way from the first one to the end of the move.
        let counting = edges().filter(|edge| of(edge.source) == of(edge.target) && counts(edge));
        let found = Some(counting.filter_map(|edge| of(edge.source)).min()?);
        Some(self.walked.iter().copied().filter(|&node| of(node) == found).collect())
    }

    fn segments(&self, root: NodeId) -> Segments<'_, 'g> {
        Segments { rules: self.rules, values: self.values, root, left: self.left }
    }

    /// Whether walks can be completed from a cut in all states, and tags tell how they go on.
    fn goes_on(&self, cut: NodeId, cuts: &BTreeSet<NodeId>) -> bool {
        let segments = self.segments(cut);
        let Some(walks) = segments.walks(self.question, cuts) else { return false };
        let all: Vec<&Walk> = walks.iter().collect();
        self.comes_to_an_end(&segments, &walks, cuts)
            && (self.question.is_some() || self.tell(&segments, &walks))
            && in_all_states(&segments, &Facts::default(), &all)
    }

    /// Whether some entries of a map become fewer on each way from the cut to a cut, so that there is an end.
    fn comes_to_an_end(&self, segments: &Segments<'_, '_>, walks: &[Walk], cuts: &BTreeSet<NodeId>) -> bool {
        let on: Vec<&Walk> = walks.iter().filter(|walk| !walk.over && cuts.contains(&walk.node)).collect();
        // What becomes fewer may differ from cut to cut, so that one must not go to and fro between them.
        if cuts.iter().any(|&other| other != segments.root && self.leads_to(other, segments.root)) {
            return false;
        }
        let mut kinds: BTreeMap<(VarId, Symbol), BTreeSet<Symbol>> = Default::default();
        for walk in &on {
            for (entry, value) in &walk.writes {
                if let Value::Symbol(new) = value {
                    let before = segments.possible(&walk.facts, entry);
                    if !before.contains(new) {
                        kinds.entry((entry.0, *new)).or_default().extend(before);
                    }
                }
            }
        }
        kinds.iter().any(|((var, _), kind)| on.iter().all(|walk| fewer(segments, walk, *var, kind) == Some(true)))
    }

    fn leads_to(&self, from: NodeId, to: NodeId) -> bool {
        match self.question {
            None => crate::collect::closure(self.rules.game, vec![from], true).contains(&to),
            Some(_) => self.rules.game.automaton.reachable([from]).contains(to.index()),
        }
    }

    /// Whether tags say which state walks lead to, from all roots.
    fn is_told(&self, cuts: &BTreeSet<NodeId>) -> bool {
        let leading = crate::collect::closure(self.rules.game, cuts.iter().copied().collect(), false);
        self.starts.iter().filter(|start| leading.contains(start)).chain(cuts).all(|&root| {
            let segments = self.segments(root);
            let walks = segments.walks(self.question, cuts);
            walks.is_some_and(|walks| self.tell(&segments, &walks))
        })
    }

    /// Whether tags say which state walks from one root lead to.
    fn tell(&self, segments: &Segments<'_, '_>, walks: &[Walk]) -> bool {
        let mut groups: FxHashMap<&[Symbol], Vec<&Walk>> = FxHashMap::default();
        for walk in walks {
            groups.entry(&walk.tags).or_default().push(walk);
        }
        groups.values().all(|group| {
            group.iter().enumerate().all(|(index, a)| {
                let mut others = group.iter().skip(index + 1);
                others.all(|b| segments.spend(1).is_some() && self.same(segments, a, b))
            })
        })
    }

    /// Whether two walks with the same tags lead to the same state, or are not those of one state.
    fn same(&self, segments: &Segments<'_, '_>, a: &Walk, b: &Walk) -> bool {
        if a.over && b.over {
            return true;
        }
        let Some(facts) = both(segments, &a.facts, &b.facts) else { return true };
        if a.over != b.over || a.node != b.node {
            return false;
        }
        let entries: BTreeSet<&Entry> = a.writes.keys().chain(b.writes.keys()).collect();
        entries.into_iter().all(|entry| {
            let [a, b] = [a, b].map(|walk| {
                let value = walk.writes.get(entry).cloned().unwrap_or_else(|| Value::Before(entry.clone()));
                segments.plain(&facts, value)
            });
            a == b
        })
    }
}

/// Whether entries of a map that have values of some kind become fewer on a walk, and no others get such values.
fn fewer(segments: &Segments<'_, '_>, walk: &Walk, var: VarId, kind: &BTreeSet<Symbol>) -> Option<bool> {
    let mut some = false;
    for (entry, value) in walk.writes.iter().filter(|(entry, _)| entry.0 == var) {
        let before = segments.possible(&walk.facts, entry);
        let after = segments.range(&walk.facts, value)?;
        if before.is_subset(kind) {
            some |= after.is_disjoint(kind);
        } else if !after.is_disjoint(kind) && *value != Value::Before(entry.clone()) {
            return Some(false);
        }
    }
    Some(some)
}

/// Whether there may be a state with all of some facts.
fn agree(segments: &Segments<'_, '_>, a: &Facts, b: &Facts) -> bool {
    let known = |entry: &Entry, set: &BTreeSet<Symbol>| match a.sets.get(entry) {
        Some(other) => !set.is_disjoint(other),
        None => !set.is_disjoint(&segments.possible(a, entry)),
    };
    b.sets.iter().all(|(entry, set)| known(entry, set))
        && b.checks.iter().all(|(check, succeeds)| a.checks.get(check).is_none_or(|other| other == succeeds))
}

/// What two walks ask of the state; `None` if no state is like that.
fn both(segments: &Segments<'_, '_>, a: &Facts, b: &Facts) -> Option<Facts> {
    let mut facts = a.clone();
    for (entry, set) in &b.sets {
        let both: BTreeSet<Symbol> = segments.possible(&facts, entry).intersection(set).copied().collect();
        if both.is_empty() {
            return None;
        }
        facts.sets.insert(entry.clone(), both);
    }
    for (check, succeeds) in &b.checks {
        if facts.checks.insert(check.clone(), *succeeds).is_some_and(|other| other != *succeeds) {
            return None;
        }
    }
    Some(facts)
}

/// A question about the state that some facts do not answer.
enum Open {
    Entry(Entry, BTreeSet<Symbol>),
    Check(Check),
}

/// The first question of a walk that is open; `None` if the walk is possible in all states with these facts.
fn open(segments: &Segments<'_, '_>, facts: &Facts, walk: &Walk) -> Option<Open> {
    let entry = walk.facts.sets.iter().find(|(entry, set)| !segments.possible(facts, entry).is_subset(set));
    let check = || walk.facts.checks.keys().find(|check| !facts.checks.contains_key(*check));
    match entry {
        Some((entry, set)) if entry.1.is_empty() => Some(Open::Entry(entry.clone(), set.clone())),
        // What a check finds says much about the entries.
        _ => check()
            .map(|check| Open::Check(check.clone()))
            .or_else(|| entry.map(|(entry, set)| Open::Entry(entry.clone(), set.clone()))),
    }
}

/// Whether in all states with these facts one of the walks is possible.
fn in_all_states(segments: &Segments<'_, '_>, facts: &Facts, walks: &[&Walk]) -> bool {
    if segments.spend(walks.len()).is_none() {
        return false;
    }
    let possible: Vec<&Walk> = walks.iter().copied().filter(|walk| agree(segments, facts, &walk.facts)).collect();
    let mut question = None;
    for walk in &possible {
        match open(segments, facts, walk) {
            None => return true,
            Some(open) => drop(question.get_or_insert(open)),
        }
    }
    match question {
        None => false,
        Some(Open::Entry(entry, set)) => {
            let all = segments.possible(facts, &entry);
            [all.intersection(&set).copied().collect(), all.difference(&set).copied().collect()].into_iter().all(
                |part: BTreeSet<Symbol>| {
                    let mut facts = facts.clone();
                    let empty = part.is_empty();
                    facts.sets.insert(entry.clone(), part);
                    empty || in_all_states(segments, &facts, &possible)
                },
            )
        }
        Some(Open::Check(check)) => {
            let Some(cubes) = segments.cubes(&check, facts) else { return false };
            let mut fails = facts.clone();
            fails.checks.insert(check.clone(), false);
            in_all_states(segments, &fails, &possible)
                && cubes.into_iter().all(|mut cube| {
                    cube.checks.insert(check.clone(), true);
                    in_all_states(segments, &cube, &possible)
                })
        }
    }
}
