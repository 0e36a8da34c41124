//! The ground program.

use crate::normal::TermId;
use fixedbitset::FixedBitSet;

/// An atom of the ground program, by its position in [`GroundProgram::atoms`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AtomId(pub u32);

impl AtomId {
    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an atom says.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AtomKind {
    /// `true` of the fluent with that number.
    True(u32),
    /// `next` of the fluent with that number.
    Next(u32),
    /// `legal` of a role's number and the number of one of its moves.
    Legal(u32, u32),
    /// `terminal`
    Terminal,
    /// `goal` of a role's number and a value.
    Goal(u32, TermId),
    /// `sees` of a role's number and a percept.
    Sees(u32, TermId),
    /// An atom of another relation.
    Helper {
        /// The relation's number.
        relation: u32,
        /// Its arguments.
        args: Box<[TermId]>,
    },
}

/// A set of moves of a role, by number. Every role makes exactly one move in a step, so the set of all moves is always
/// met, and a negated `does` is the set of all other moves.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MoveSet {
    /// The role's number.
    pub role: u32,
    /// Whether the set is all moves but the listed ones: so it is if it has more than half of them.
    pub except: bool,
    /// Numbers of moves, ascending.
    pub moves: Box<[u32]>,
}

impl MoveSet {
    /// The set with these members; the length of `members` is the number of the role's moves.
    pub fn new(role: u32, members: &FixedBitSet) -> Self {
        let except = members.count_ones(..) * 2 > members.len();
        let moves = if except {
            members.zeroes().map(|number| number as u32).collect()
        } else {
            members.ones().map(|number| number as u32).collect()
        };
        Self { role, except, moves }
    }

    /// Whether a move is in it. O(log n).
    pub fn contains(&self, action: u32) -> bool {
        self.moves.binary_search(&action).is_ok() != self.except
    }

    /// Adds its members to `members`.
    pub fn add_to(&self, members: &mut FixedBitSet) {
        if self.except {
            let mut others = FixedBitSet::with_capacity(members.len());
            self.moves.iter().for_each(|&action| others.insert(action as usize));
            others.toggle_range(..);
            members.union_with(&others);
        } else {
            self.moves.iter().for_each(|&action| members.insert(action as usize));
        }
    }

    /// Its members, of `count` moves in all.
    pub fn members(&self, count: usize) -> FixedBitSet {
        let mut members = FixedBitSet::with_capacity(count);
        self.add_to(&mut members);
        members
    }

    /// All other moves, of `count` in all.
    pub fn complement(&self, count: usize) -> Self {
        let mut members = self.members(count);
        members.toggle_range(..);
        Self::new(self.role, &members)
    }
}

/// A condition of a ground rule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Condition {
    /// The atom holds.
    Holds(AtomId),
    /// The atom does not hold.
    Fails(AtomId),
    /// The role makes one of these moves.
    Does(MoveSet),
}

/// A ground rule.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct GroundRule {
    /// What follows.
    pub head: AtomId,
    /// From what; sorted, each once, at most one [`Condition::Does`] per role.
    pub body: Vec<Condition>,
}

/// A role.
#[derive(Clone, Debug)]
pub struct Role {
    /// Its name.
    pub name: TermId,
    /// Its moves: all that may ever be legal.
    pub moves: Vec<TermId>,
}

/// A ground program: rules over the atoms that may ever hold.
#[derive(Clone, Debug, Default)]
pub struct GroundProgram {
    /// The roles in order.
    pub roles: Vec<Role>,
    /// The fluents that may ever be true.
    pub fluents: Vec<TermId>,
    /// Per fluent whether it holds initially.
    pub initial: Vec<bool>,
    /// Per fluent whether it holds in every state.
    pub constant: Vec<bool>,
    /// All atoms.
    pub atoms: Vec<AtomKind>,
    /// The rules, those of one head next to each other.
    pub rules: Vec<GroundRule>,
    /// Per atom the first and the last rule (exclusive).
    pub rules_of: Vec<(u32, u32)>,
    /// Number of rule instances that were found, before simplification.
    pub instances: usize,
}

impl GroundProgram {
    /// The rules with that head.
    pub fn rules_of(&self, atom: AtomId) -> &[GroundRule] {
        let range = self.rules_of.get(atom.index()).map_or(0..0, |&(from, to)| from as usize..to as usize);
        self.rules.get(range).unwrap_or(&[])
    }

    /// Sorts the rules by head and finds their ranges.
    pub(crate) fn arrange(&mut self) {
        self.rules.sort_by(|a, b| a.head.cmp(&b.head).then_with(|| a.body.cmp(&b.body)));
        self.rules.dedup();
        self.rules_of = vec![(0, 0); self.atoms.len()];
        let mut at = 0;
        while let Some(rule) = self.rules.get(at) {
            let head = rule.head;
            let end = at + self.rules[at..].iter().take_while(|rule| rule.head == head).count();
            if let Some(range) = self.rules_of.get_mut(head.index()) {
                *range = (at as u32, end as u32);
            }
            at = end;
        }
    }
}
