//! Reaching definitions (catalogue of passes, 9.2).

use crate::dataflow::{Analysis, Direction, Solution, solve};
use crate::effects;
use rg_ir::{Edge, EdgeId, Game, NodeId, VarId};
use std::rc::Rc;

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Definition {
    /// The declaration.
    Initial,
    /// An assignment.
    Edge(EdgeId),
}

/// The definitions of a variable that reach a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Definitions {
    /// One.
    One(Definition),
    /// More than one.
    Several,
}

/// The definitions of all variables at a node, in the order of their declaration; shared between nodes.
pub type Reached = Rc<[Definitions]>;

/// Which definition of each variable the walks to a node come from. An assignment of a whole variable replaces what was
/// there; a write of a cell is a definition in addition to those before it.
pub struct Reaching;

impl Reaching {
    /// Solves it; `None` where no walk comes by. O(edges + assignments · variables).
    pub fn solve(game: &Game) -> Solution<Reached> {
        solve(game, &Self)
    }

    /// The definitions of one variable.
    pub fn of(reached: &Reached, var: VarId) -> Option<Definitions> {
        reached.get(rg_ir::ids::Id::index(var)).copied()
    }
}

impl Analysis for Reaching {
    type Fact = Reached;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, game: &Game) -> Vec<(NodeId, Reached)> {
        vec![(game.begin(), vec![Definitions::One(Definition::Initial); game.vars.len()].into())]
    }

    fn transfer(&self, game: &Game, id: EdgeId, edge: &Edge, fact: &mut Reached) -> bool {
        if let Some(write) = effects::write(game, &edge.label) {
            let here = Definitions::One(Definition::Edge(id));
            let now = if write.whole || Self::of(fact, write.var) == Some(here) { here } else { Definitions::Several };
            let at = rg_ir::ids::Id::index(write.var);
            if fact.get(at) != Some(&now) {
                *fact = fact.iter().enumerate().map(|(i, &had)| if i == at { now } else { had }).collect();
            }
        }
        true
    }

    fn join(&self, fact: &mut Reached, other: &Reached) -> bool {
        if Rc::ptr_eq(fact, other) || fact.iter().zip(other.iter()).all(|(a, b)| a == b || *a == Definitions::Several) {
            return false;
        }
        let both = fact.iter().zip(other.iter());
        *fact = both.map(|(&a, &b)| if a == b { a } else { Definitions::Several }).collect();
        true
    }
}
