//! Which values of a position tell a player something, and which are the keeper's own bookkeeping.

use backend::canonical::Dead;
use passes::effects::{reads, variables, write};
use rg_ir::{Edge, Game, Label, NodeId, Notation, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// See the module.
#[derive(Clone, Default, Debug)]
pub(crate) struct Telling {
    /// What players call the variables that legal moves depend on.
    names: FxHashSet<String>,
    /// What players call the variables that hold something chosen or dealt which decides the scores.
    deciding: FxHashSet<String>,
    /// Whether a rule reads the scores, so that they mean something before the end.
    pub(crate) scores: bool,
}

impl Telling {
    /// Of a game: a variable tells something if it is read where a player or chance moves, other than to compute itself or what is not read there
    /// either; what only the keeper looks at, such as a counter that ends the game, does not. Linear in the automaton for each round of
    /// dependencies, of which there are at most as many as variables.
    pub(crate) fn new(game: &Game, notation: &dyn Notation, dead: &Dead) -> Self {
        let labels = moving(game);
        let mut told: FxHashSet<VarId> = FxHashSet::default();
        for label in &labels {
            if matches!(label, Label::Compare { .. }) {
                reads(game, label, |var| _ = told.insert(var));
            }
        }
        loop {
            let before = told.len();
            for label in labels.iter().filter(|label| matches!(label, Label::Assign { .. })) {
                if write(game, label).is_some_and(|write| told.contains(&write.var)) {
                    reads(game, label, |var| _ = told.insert(var));
                }
            }
            if told.len() == before {
                break;
            }
        }
        let named = |var: &VarId| game.vars.get(*var).map(|var| game.name(var.name));
        let both = |name: &str| [name.to_owned(), notation.render_cell(name, &[]).trim_matches('`').to_owned()];
        let names = told.iter().filter_map(named).flat_map(both).collect();
        let deciding = deciding(game, dead);
        let deciding = deciding.iter().filter_map(named).flat_map(both).collect();
        let is_scores = |var: VarId| named(&var) == Some("goals");
        let mut scores = false;
        for (_, edge) in game.automaton.edges() {
            reads(game, &edge.label, |var| scores |= is_scores(var));
        }
        Self { names, deciding, scores }
    }

    /// Whether a variable holds something chosen or dealt that decides the scores, by its name.
    pub(crate) fn decides(&self, name: &str) -> bool {
        self.deciding.contains(name)
    }

    /// Whether a variable tells something, by its name. The single cells of maps that are beside their boards have other names, and tell nothing.
    pub(crate) fn tells(&self, name: &str) -> bool {
        self.names.contains(name)
    }
}

/// The labels on walks on which a player or chance moves, with those of the checks on them.
fn moving(game: &Game) -> Vec<Label> {
    let begins = |label: &Label| game.ends_move(label) && !is_keeper(game, label);
    let edges = game.automaton.edges();
    let mut open: Vec<NodeId> = edges.filter(|(_, edge)| begins(&edge.label)).map(|(_, edge)| edge.target).collect();
    let (mut seen, mut labels): (FxHashSet<NodeId>, Vec<Label>) = (open.iter().copied().collect(), Vec::new());
    while let Some(node) = open.pop() {
        for edge in game.automaton.outgoing(node).iter().map(|&id| game.automaton.edge(id)) {
            labels.push(edge.label);
            let check = match edge.label {
                Label::Reach { from, .. } => Some(from),
                _ => None,
            };
            let next = (!game.ends_move(&edge.label)).then_some(edge.target);
            open.extend(next.into_iter().chain(check).filter(|&node| seen.insert(node)));
        }
    }
    labels
}

/// The variables that the keeper reads where it gives scores, if they hold something that was chosen or dealt: a value that was any one of its type, or
/// another variable's. One of each type, at least, is kept for later moves, so that it is not only a part of the last one. Counters, which are computed
/// from themselves, and variables that hold players, such as the winner, are none of them.
fn deciding(game: &Game, dead: &Dead) -> FxHashSet<VarId> {
    let mut read: FxHashSet<VarId> = FxHashSet::default();
    scoring(game).iter().for_each(|label| reads(game, label, |var| _ = read.insert(var)));
    let sources = sources(game);
    read.retain(|var| {
        sources.contains_key(var) && !is_computed_from_itself(*var, &sources) && !holds_players(game, *var)
    });
    let ty = |var: &VarId| game.vars.get(*var).map(|var| var.ty);
    let edges = game.automaton.edges().map(|(_, edge)| edge);
    let others = edges.filter(|edge| game.ends_move(&edge.label) && !is_keeper(game, &edge.label));
    let decisions: Vec<NodeId> = others.map(|edge| edge.target).collect();
    let is_kept = |var: &&VarId| decisions.iter().any(|&node| dead.dead_at(node).binary_search(var).is_err());
    let kept: FxHashSet<_> = read.iter().filter(is_kept).map(ty).collect();
    read.retain(|var| kept.contains(&ty(var)));
    read
}

/// Per variable that gets values which are not constants, the variables from which these are computed.
fn sources(game: &Game) -> FxHashMap<VarId, FxHashSet<VarId>> {
    let mut sources: FxHashMap<VarId, FxHashSet<VarId>> = FxHashMap::default();
    for (_, edge) in game.automaton.edges() {
        let Some(write) = write(game, &edge.label) else { continue };
        let mut from: FxHashSet<VarId> = FxHashSet::default();
        if let Label::Assign { rhs, .. } = edge.label {
            variables(game, rhs, &mut |var| _ = from.insert(var));
        }
        if !from.is_empty() || matches!(edge.label, Label::AssignAny { .. }) {
            sources.entry(write.var).or_default().extend(from);
        }
    }
    sources
}

/// Whether a variable gets values that are computed from its own, or from those of variables for which that is so in turn.
fn is_computed_from_itself(var: VarId, sources: &FxHashMap<VarId, FxHashSet<VarId>>) -> bool {
    let of = |var: &VarId| sources.get(var).into_iter().flatten().copied();
    let mut open: Vec<VarId> = of(&var).collect();
    let mut seen: FxHashSet<VarId> = open.iter().copied().collect();
    while let Some(next) = open.pop() {
        open.extend(of(&next).filter(|&next| seen.insert(next)));
    }
    seen.contains(&var)
}

/// Whether all values of a variable are players.
fn holds_players(game: &Game, var: VarId) -> bool {
    let values = game.vars.get(var).map(|var| game.types.members(var.ty)).unwrap_or_default();
    values.iter().all(|value| game.players().contains(value))
}

/// The labels on walks on which the keeper moves that lead to where it gives scores, before anybody else moves.
fn scoring(game: &Game) -> Vec<Label> {
    let is_other = |label: &Label| game.ends_move(label) && !is_keeper(game, label);
    let goals = game.symbols.get("goals").and_then(|name| game.find_var(name));
    let scores = |label: &Label| write(game, label).is_some_and(|write| Some(write.var) == goals);
    let ends = |pick: &dyn Fn(&Label) -> bool, node: &dyn Fn(&Edge) -> NodeId| -> Vec<NodeId> {
        game.automaton.edges().filter(|(_, edge)| pick(&edge.label)).map(|(_, edge)| node(edge)).collect()
    };
    let after = |node: NodeId| -> Vec<NodeId> {
        let next = game.automaton.outgoing(node).iter().map(|&id| game.automaton.edge(id));
        next.filter(|edge| !is_other(&edge.label)).map(|edge| edge.target).collect()
    };
    let before = |node: NodeId| -> Vec<NodeId> {
        let last = game.automaton.incoming(node).iter().map(|&id| game.automaton.edge(id));
        last.filter(|edge| !is_other(&edge.label)).map(|edge| edge.source).collect()
    };
    let kept = reached(ends(&|label| game.ends_move(label) && is_keeper(game, label), &|edge| edge.target), after);
    let leading = reached(ends(&scores, &|edge| edge.source), before);
    let edges = game.automaton.edges().map(|(_, edge)| edge);
    let is_scoring = |edge: &&Edge| {
        let goes_on = !is_other(&edge.label) && leading.contains(&edge.target) || scores(&edge.label);
        kept.contains(&edge.source) && goes_on
    };
    edges.filter(is_scoring).map(|edge| edge.label).collect()
}

/// All nodes that can be reached from some.
fn reached(mut open: Vec<NodeId>, next: impl Fn(NodeId) -> Vec<NodeId>) -> FxHashSet<NodeId> {
    let mut seen: FxHashSet<NodeId> = open.iter().copied().collect();
    while let Some(node) = open.pop() {
        open.extend(next(node).into_iter().filter(|&node| seen.insert(node)));
    }
    seen
}

/// Whether the keeper moves next.
fn is_keeper(game: &Game, label: &Label) -> bool {
    let keeper = game.symbols.get("keeper");
    match *label {
        Label::Assign { rhs, .. } => keeper.is_some_and(|keeper| game.exprs.get(rhs) == rg_ir::Expr::Symbol(keeper)),
        _ => false,
    }
}
