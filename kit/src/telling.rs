//! Which values of a position tell a player something, and which are the keeper's own bookkeeping.

use passes::effects::{reads, write};
use rg_ir::{Game, Label, NodeId, Notation, VarId};
use rustc_hash::FxHashSet;

/// See the module.
#[derive(Clone, Default, Debug)]
pub(crate) struct Telling {
    /// What players call the variables that legal moves depend on.
    names: FxHashSet<String>,
    /// Whether a rule reads the scores, so that they mean something before the end.
    pub(crate) scores: bool,
}

impl Telling {
    /// Of a game: a variable tells something if it is read where a player or chance moves, other than to compute itself or what is not read there
    /// either; what only the keeper looks at, such as a counter that ends the game, does not. Linear in the automaton for each round of
    /// dependencies, of which there are at most as many as variables.
    pub(crate) fn new(game: &Game, notation: &dyn Notation) -> Self {
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
        let is_scores = |var: VarId| named(&var) == Some("goals");
        let mut scores = false;
        for (_, edge) in game.automaton.edges() {
            reads(game, &edge.label, |var| scores |= is_scores(var));
        }
        Self { names, scores }
    }

    /// Whether a variable tells something, by its name. The single cells of maps that are beside their boards have other names, and tell nothing.
    pub(crate) fn tells(&self, name: &str) -> bool {
        self.names.contains(name)
    }
}

/// The labels on walks on which a player or chance moves, with those of the checks on them.
fn moving(game: &Game) -> Vec<Label> {
    let keeper = game.symbols.get("keeper");
    let is_keeper = |label: &Label| match *label {
        Label::Assign { rhs, .. } => keeper.is_some_and(|keeper| game.exprs.get(rhs) == rg_ir::Expr::Symbol(keeper)),
        _ => false,
    };
    let begins = |label: &Label| game.ends_move(label) && !is_keeper(label);
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
