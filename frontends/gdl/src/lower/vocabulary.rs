//! How the variables and tags of a lowered game stand for fluents and moves.

use rg_ir::Game;
use rustc_hash::FxHashMap;

/// A lowered game.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The game.
    pub game: Game,
    /// What its parts mean in GDL.
    pub vocabulary: Vocabulary,
    /// Figures of the ground program; `None` if the game was lifted.
    pub summary: Option<Summary>,
    /// What structure was recovered, or why it was not: a subject and what is known about it.
    pub structure: Vec<(String, String)>,
    /// Edges of the automaton that are looked at in one step of a play, about; `None` if that was not estimated.
    pub work: Option<f64>,
}

/// Figures of a ground program.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// Instances of rules that were found.
    pub instances: usize,
    /// Rules left after merging and simplification.
    pub rules: usize,
    /// Conditions of these rules.
    pub conditions: usize,
    /// Fluents that may ever hold.
    pub fluents: usize,
    /// Fluents that always hold, and so have no variable.
    pub constant_fluents: usize,
    /// Moves that may ever be legal, of all roles together.
    pub moves: usize,
    /// Other atoms that the keeper keeps in variables.
    pub kept_atoms: usize,
}

/// What the parts of a lowered game mean.
///
/// A *step* (a joint move) is made of plies, each with one tag, or several
/// ([`RoleNames::told`]). If the game is [turn-based](Self::turn_based), a
/// step is one ply, of the role whose [player](RoleNames::player) is on the move; all other roles make their
/// [waiting](RoleNames::waiting) move, which is their only legal one. Otherwise a step is one ply of each role with a
/// player, in the order of the roles; all other roles make their waiting move. The tags of the keeper repeat
/// moves after all have chosen, or are percepts (GDL-II).
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// The roles in order.
    pub roles: Vec<RoleNames>,
    /// The fluents that may ever hold, sorted by their KIF strings.
    pub fluents: Vec<Fluent>,
    /// Whether it is proved that at most one role has a choice in every state.
    pub turn_based: bool,
    /// Atoms that follow from the fluents and are kept in variables, as fluents are.
    pub derived: Vec<Fluent>,
    /// By the node where a check of an atom begins, or ends, the atom as a KIF string.
    pub checks: FxHashMap<String, String>,
}

/// A role.
#[derive(Clone, Debug)]
pub struct RoleNames {
    /// Its KIF string.
    pub name: String,
    /// The RG player (or `random`) who makes its plies; `None` if it makes none because it never has a choice.
    pub player: Option<String>,
    /// The KIF string of the move that it makes in steps without a ply of its own.
    pub waiting: Option<String>,
    /// All moves that may ever be legal: the tag and the KIF string. Tags of one role differ, and so do KIF strings.
    pub moves: Vec<(String, String)>,
    /// Further moves, by how they are told.
    pub told: Vec<ToldMoves>,
    /// The cell that has its goal value at the end of a play (see [`rg_ir::StateView::get`]); the value is an integer as in
    /// the rules, `0` if no `goal` holds, and the greatest if several do.
    pub goal: (String, Vec<String>),
}

/// A fluent.
#[derive(Clone, Debug)]
pub struct Fluent {
    /// Its KIF string.
    pub term: String,
    /// When it holds.
    pub place: Place,
}

/// When a fluent holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// In every state.
    Always,
    /// When a variable, or the cell of a map, has a value (see [`rg_ir::StateView::get`]).
    Cell {
        /// The variable.
        variable: String,
        /// The keys of the cell, outermost first.
        keys: Vec<String>,
        /// The value.
        value: String,
    },
}

/// Moves with one function that are told by several tags: the function, if there are others, and parts of the arguments.
#[derive(Clone, Debug, Default)]
pub struct ToldMoves {
    /// The first tag; `None` if there is none for the function.
    pub tag: Option<String>,
    /// The function; `None` for moves that are constants.
    pub function: Option<String>,
    /// Per further tag what it stands for: one or more arguments as KIF text.
    pub parts: Vec<FxHashMap<String, String>>,
}

impl ToldMoves {
    /// The KIF string of the move with these tags.
    pub fn term(&self, tags: &[&str]) -> Option<String> {
        let tags = match &self.tag {
            Some(first) => tags.strip_prefix(&[first.as_str()])?,
            None => tags,
        };
        if tags.len() != self.parts.len() {
            return None;
        }
        let parts: Vec<&str> = tags
            .iter()
            .zip(&self.parts)
            .map(|(&tag, part)| part.get(tag).map(String::as_str))
            .collect::<Option<_>>()?;
        let arguments = parts.join(" ");
        Some(self.function.as_ref().map_or_else(|| arguments.clone(), |function| format!("({function} {arguments})")))
    }
}

impl RoleNames {
    /// The KIF string of the move with these tags, which are separated by spaces.
    pub fn term(&self, tags: &str) -> Option<String> {
        let listed = self.moves.iter().find(|(other, _)| other == tags).map(|(_, term)| term.clone());
        listed.or_else(|| {
            let tags: Vec<&str> = tags.split(' ').collect();
            self.told.iter().find_map(|moves| moves.term(&tags))
        })
    }
}

impl Vocabulary {
    /// The fluent, or the atom that follows from fluents, that holds where a cell has a value. Linear in their number.
    pub fn proposition(&self, variable: &str, keys: &[&str], value: &str) -> Option<&str> {
        let is_there = |fluent: &&Fluent| match &fluent.place {
            Place::Always => false,
            Place::Cell { variable: other, keys: cell, value: one } => {
                variable == other && keys == cell && value == one
            }
        };
        self.fluents.iter().chain(&self.derived).find(is_there).map(|fluent| fluent.term.as_str())
    }

    /// Number of plies of a step.
    pub fn plies(&self) -> usize {
        let players = self.roles.iter().filter(|role| role.player.is_some()).count();
        if self.turn_based { players.min(1) } else { players }
    }

    /// The state text of section 10: the KIF strings of the fluents that hold, in bytewise order, joined with LF.
    pub fn state_text(&self, state: &dyn rg_ir::StateView) -> String {
        let terms: Vec<&str> = self
            .fluents
            .iter()
            .filter(|fluent| crate::picture::holds(fluent, state))
            .map(|fluent| fluent.term.as_str())
            .collect();
        terms.join("\n")
    }
}
