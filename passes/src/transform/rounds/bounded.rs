//! Whether walks would go round a loop more often than there were copies.

use super::{Chain, cases};
use crate::analysis::Values;
use rg_ir::{EdgeId, Game, NodeId, Symbol, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

impl Chain {
    /// Whether no walk leaves the loop after going round as often as there are copies.
    pub(super) fn cannot_go_on(&self, game: &Game, values: &Values) -> bool {
        let Some(first) = values.at(self.header, self.moving) else { return false };
        let Some(cases) = cases(values, self.header, &self.read) else { return false };
        cases.into_iter().all(|case| {
            let mut steps = Steps { game, values, chain: self, known: case, found: FxHashMap::default() };
            let mut now: BTreeSet<(Symbol, bool)> = first.iter().map(|&value| (value, false)).collect();
            for copy in 1..=self.copies {
                // What the last copy does not have may not lead out of the loop.
                match steps.round(&now, copy == self.copies) {
                    Some(next) => now = next,
                    None => return false,
                }
            }
            let now = now.into_iter().map(|(value, _)| (value, true)).collect();
            steps.round(&now, true).is_some_and(|next| next.is_empty())
        })
    }
}

/// Walks of a loop, where the variables that it only reads have known values.
struct Steps<'a> {
    game: &'a Game,
    values: &'a Values,
    chain: &'a Chain,
    known: Vec<(VarId, Symbol)>,
    /// What an edge makes of a value.
    found: FxHashMap<(EdgeId, Symbol), Rc<[Symbol]>>,
}

impl Steps<'_> {
    /// The values with which walks go round once more, each with whether it took an edge that is not in the `last` copy;
    /// `None` if such a walk leaves the loop, or may come to any value.
    fn round(&mut self, now: &BTreeSet<(Symbol, bool)>, last: bool) -> Option<BTreeSet<(Symbol, bool)>> {
        let mut next = BTreeSet::new();
        let mut seen: FxHashSet<(NodeId, Symbol, bool)> =
            now.iter().map(|&(value, stray)| (self.chain.header, value, stray)).collect();
        let mut work: Vec<(NodeId, Symbol, bool)> = seen.iter().copied().collect();
        while let Some((node, value, stray)) = work.pop() {
            for &id in self.game.automaton.outgoing(node) {
                let target = self.game.automaton.edge(id).target;
                let stray = stray || last && self.chain.lacking.contains(&id);
                let again = self.chain.again.contains(&id);
                let to = self.step(id, value)?;
                if !again && !self.chain.body.contains(&target) {
                    if stray && !to.is_empty() {
                        return None;
                    }
                    continue;
                }
                for &value in to.iter() {
                    if again {
                        next.insert((value, stray));
                    } else if seen.insert((target, value, stray)) {
                        work.push((target, value, stray));
                    }
                }
            }
        }
        Some(next)
    }

    fn step(&mut self, id: EdgeId, value: Symbol) -> Option<Rc<[Symbol]>> {
        if let Some(found) = self.found.get(&(id, value)) {
            return Some(found.clone());
        }
        let (moving, header) = (self.chain.moving, self.chain.header);
        self.known.push((moving, value));
        // The other variables are what they were when the walk came to the loop.
        let found = self.values.moved(self.game, header, id, moving, &self.known);
        self.known.pop();
        let found: Rc<[Symbol]> = found?.into();
        self.found.insert((id, value), found.clone());
        Some(found)
    }
}
