//! What a function may do besides computing.

use super::{Block, Inst, Op};

/// What a block may do. All of it is what the code says, not what happens: a `bail` on a constant 0 counts.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Effects {
    /// Reads words of the state.
    pub loads: bool,
    /// Writes words of the state.
    pub stores: bool,
    /// Emits moves.
    pub emits: bool,
    /// Gives cases back.
    pub bails: bool,
    /// Repeats code an unknown number of times ([`Inst::Loop`]); an engine may give up there.
    pub loops: bool,
    /// There may be a store and then a [`Inst::Bail`] or another round of a [`Inst::Loop`]: an engine must not write
    /// the state before the end.
    pub stores_before_bail: bool,
}

impl Effects {
    /// Effects of a block, with all that it contains.
    #[must_use]
    pub fn of(block: &Block) -> Self {
        let mut effects = Self::default();
        for inst in &block.insts {
            effects = effects.then(Self::of_inst(inst));
        }
        effects
    }

    /// Effects of an instruction, with all that it contains.
    #[must_use]
    pub fn of_inst(inst: &Inst) -> Self {
        let none = Self::default();
        match inst {
            Inst::Let { op, .. } => Self { loads: matches!(op, Op::Load(_)), ..none },
            Inst::Call { .. } => none,
            Inst::Store { .. } => Self { stores: true, ..none },
            Inst::Emit { .. } | Inst::EmitSet { .. } => Self { emits: true, ..none },
            Inst::Bail { .. } => Self { bails: true, ..none },
            Inst::If { then, other, .. } => Self::of(then).or(Self::of(other)),
            Inst::Switch { cases, .. } => cases.iter().fold(none, |all, case| all.or(Self::of(case))),
            Inst::Each { body, .. } => {
                let once = Self::of(body);
                once.then(once)
            }
            Inst::Loop { body, .. } => {
                let once = Self { loops: true, ..Self::of(body) };
                once.then(once)
            }
        }
    }

    /// One or the other.
    fn or(self, other: Self) -> Self {
        Self {
            loads: self.loads || other.loads,
            stores: self.stores || other.stores,
            emits: self.emits || other.emits,
            bails: self.bails || other.bails,
            loops: self.loops || other.loops,
            stores_before_bail: self.stores_before_bail || other.stores_before_bail,
        }
    }

    /// This and then the next.
    fn then(self, next: Self) -> Self {
        let broken = self.stores && (next.bails || next.loops);
        let both = self.or(next);
        Self { stores_before_bail: both.stores_before_bail || broken, ..both }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(insts: Vec<Inst>) -> Block {
        Block { insts, yields: vec![] }
    }

    const STORE: Inst = Inst::Store { word: 0, value: 0 };
    const BAIL: Inst = Inst::Bail { cond: 0 };

    #[test]
    fn order_of_stores_and_bails() {
        assert!(!Effects::of(&block(vec![BAIL, STORE])).stores_before_bail);
        assert!(Effects::of(&block(vec![STORE, BAIL])).stores_before_bail);
        let split = Inst::If { cond: 0, then: block(vec![STORE]), other: block(vec![BAIL]), to: vec![] };
        assert!(!Effects::of(&block(vec![split.clone()])).stores_before_bail);
        assert!(Effects::of(&block(vec![split.clone(), split.clone()])).stores_before_bail);
        let each = |insts| Inst::Each { set: 0, item: 1, carried: vec![], body: block(insts), to: vec![] };
        assert!(Effects::of_inst(&each(vec![split])).stores_before_bail);
        assert!(!Effects::of_inst(&each(vec![STORE])).stores_before_bail);
        let turn = Inst::Loop { carried: vec![], body: block(vec![STORE]), to: vec![] };
        assert!(Effects::of_inst(&turn).stores_before_bail);
    }
}
