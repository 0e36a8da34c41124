//! The table of analyses whose solutions can be shown.

use super::Liveness;
use fixedbitset::FixedBitSet;
use rg_ir::{Game, NodeId};

/// What is known at a node, as a line of text; empty if nothing reaches it.
pub type Describe = Box<dyn Fn(NodeId) -> String>;

/// An analysis with a name, and a function that solves it for a game.
pub struct Described {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line about what is shown at a node, without a full stop.
    pub summary: &'static str,
    /// Solves it; the result describes single nodes.
    pub solve: fn(&Game) -> Describe,
}

static ANALYSES: &[Described] =
    &[Described { name: "live", summary: "variables whose value can still matter", solve: live }];

/// All analyses that can be shown.
pub fn registry() -> &'static [Described] {
    ANALYSES
}

/// The analysis of that name.
pub fn find(name: &str) -> Option<&'static Described> {
    ANALYSES.iter().find(|analysis| analysis.name == name)
}

/// The names of all variables by index, so that descriptions do not borrow the game.
fn names(game: &Game) -> Vec<String> {
    game.vars.values().map(|decl| game.name(decl.name).to_owned()).collect()
}

fn live(game: &Game) -> Describe {
    let (solution, names) = (Liveness::solve(game), names(game));
    Box::new(move |node| {
        let list = |set: &FixedBitSet| set.ones().filter_map(|at| names.get(at)).cloned().collect::<Vec<_>>().join(" ");
        solution.at(node).map_or(String::new(), list)
    })
}
