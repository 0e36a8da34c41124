//! The labels that the moves of a game can have, whatever the state: what fixed numbers for moves are made of.
//!
//! A label is the sequence of tags on a walk to the next change of player. Such walks are followed with the values of a few
//! variables only: those that are shown, and those that these are computed from ([`walks`]). All else passes every test, so
//! the labels found are at least the ones that there are. The automaton of tags that this gives is made deterministic by the subset
//! construction, and its words are listed.

mod walks;

use rg_ir::{Game, Label, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use walks::{Config, Walks};

/// Steps at most: of walks, of sets, and of the words that are listed.
const MAX_STEPS: usize = 4_000_000;

/// The names of a label's tags.
pub type Word = Box<[Symbol]>;

/// All labels that moves of players and of `random` may have, each once, in no particular order; `None` if there are more than `most`, or
/// they cannot be told in some millions of steps.
#[must_use]
pub fn labels(game: &Game, most: usize) -> Option<Vec<Word>> {
    let mut words = Words {
        walks: Walks::new(game),
        numbers: FxHashMap::default(),
        sets: Vec::new(),
        found: FxHashSet::default(),
        most,
        left: MAX_STEPS,
    };
    let mut begun = FxHashSet::default();
    for start in words.walks.starts() {
        let set = words.set([start].into())?;
        if begun.insert(set) {
            words.list(set)?;
        }
    }
    Some(words.found.into_iter().collect())
}

/// All tags that moves may have, each once, sorted by name. Linear in the edges and the types of the variables that are shown.
#[must_use]
pub fn tags(game: &Game) -> Vec<Symbol> {
    let live = crate::effects::live_nodes(game);
    let mut tags = FxHashSet::default();
    for (_, edge) in game.automaton.edges().filter(|(_, edge)| live.contains(rg_ir::ids::Id::index(edge.source))) {
        match edge.label {
            Label::Tag(tag) => {
                tags.insert(tag);
            }
            Label::TagVar(var) => tags.extend(game.vars.get(var).map_or(&[][..], |var| game.types.members(var.ty))),
            _ => {}
        }
    }
    let mut tags: Vec<Symbol> = tags.into_iter().collect();
    tags.sort_unstable_by(|&one, &other| game.name(one).cmp(game.name(other)));
    tags
}

/// A set of configurations after some tags: where it goes with which tag, and whether a move may end in it.
#[derive(Default)]
struct Set {
    next: Vec<(Symbol, usize)>,
    ends: bool,
    /// Whether `next` is known.
    is_known: bool,
}

struct Words<'g> {
    walks: Walks<'g>,
    numbers: FxHashMap<Box<[Config]>, usize>,
    sets: Vec<(Box<[Config]>, Set)>,
    found: FxHashSet<Word>,
    most: usize,
    left: usize,
}

impl Words<'_> {
    fn spend(&mut self, steps: usize) -> Option<()> {
        self.left = self.left.checked_sub(steps)?;
        Some(())
    }

    /// The number of a set, which is sorted.
    fn set(&mut self, configs: Box<[Config]>) -> Option<usize> {
        if let Some(&number) = self.numbers.get(&configs) {
            return Some(number);
        }
        self.spend(configs.len())?;
        let number = self.sets.len();
        self.sets.push((configs.clone(), Set::default()));
        self.numbers.insert(configs, number);
        Some(number)
    }

    /// Finds out where a set goes.
    fn explore(&mut self, number: usize) -> Option<()> {
        let (configs, set) = self.sets.get(number)?;
        if set.is_known {
            return Some(());
        }
        let mut stack = configs.to_vec();
        let mut seen: FxHashSet<Config> = stack.iter().copied().collect();
        let (mut next, mut ends) = (BTreeMap::<Symbol, Vec<Config>>::new(), false);
        while let Some(config) = stack.pop() {
            let steps = self.walks.steps(config)?;
            self.spend(1 + steps.silent.len() + steps.tagged.len())?;
            ends |= steps.ends;
            stack.extend(steps.silent.iter().filter(|&&config| seen.insert(config)));
            for &(tag, config) in &steps.tagged {
                next.entry(tag).or_default().push(config);
            }
        }
        let mut targets = Vec::with_capacity(next.len());
        for (tag, mut configs) in next {
            configs.sort_unstable();
            configs.dedup();
            targets.push((tag, self.set(configs.into())?));
        }
        self.sets.get_mut(number)?.1 = Set { next: targets, ends, is_known: true };
        Some(())
    }

    /// Lists the words that lead from a set to the end of a move; `None` if there is no end of them.
    fn list(&mut self, start: usize) -> Option<()> {
        // The sets on the way, each with how many of its tags were followed.
        let mut path = vec![(start, 0)];
        let mut on_path = FxHashSet::from_iter([start]);
        let mut word = Vec::new();
        while let Some(&(number, followed)) = path.last() {
            self.explore(number)?;
            self.spend(1)?;
            let (_, set) = self.sets.get(number)?;
            if followed == 0 && set.ends && self.found.insert(word.as_slice().into()) && self.found.len() > self.most {
                return None;
            }
            match self.sets.get(number)?.1.next.get(followed) {
                Some(&(tag, target)) => {
                    if !on_path.insert(target) {
                        return None;
                    }
                    if let Some((_, followed)) = path.last_mut() {
                        *followed += 1;
                    }
                    word.push(tag);
                    path.push((target, 0));
                }
                None => {
                    on_path.remove(&number);
                    path.pop();
                    word.pop();
                }
            }
        }
        Some(())
    }
}
