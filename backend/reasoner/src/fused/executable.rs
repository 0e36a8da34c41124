//! A lifted program, what runs it, and what its states are in the search over packed states.

use crate::bridge::Bridge;
use codegen::{Executor, SideExit};
use engine::state::{Moves, Record, Tag};
use lower::{Decision, Lifted, TEMPLATE_SHIFT, Tag as LabelPart};
use rg_ir::ids::Id;
use rg_ir::{Game, NodeId};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// See the module.
pub(super) struct Executable {
    pub(super) lifted: Lifted,
    pub(super) bridge: Bridge,
    pub(super) executor: Box<dyn Executor>,
}

impl Executable {
    /// The cells of the search over packed states, and the node, of a state given as words.
    pub(super) fn cells(&self, game: &Game, words: &[u64]) -> (Vec<u32>, NodeId) {
        let (cells, number) = self.bridge.cells(&self.lifted, words);
        let node = self.lifted.stops.get(number).map_or(game.end(), |stop| stop.decider.node);
        (cells, node)
    }

    /// The words of a state with these cells at a node; `None` if nobody decides there.
    pub(super) fn words(&self, (cells, node): &(Vec<u32>, NodeId)) -> Option<Vec<u64>> {
        self.bridge.words(&self.lifted, cells, *node)
    }

    pub(super) fn decision(&self, words: &[u64]) -> Option<&Decision> {
        let stop = self.lifted.stops.get(self.lifted.layout.node.of(words) as usize)?;
        stop.decision.as_ref().ok()
    }

    pub(super) fn at_end(&self, words: &[u64]) -> bool {
        self.lifted.layout.node.of(words) == 0
    }

    /// The moves at a state as words; [`SideExit`] if the backtracking engine has to find them.
    pub(super) fn list(&self, words: &[u64], moves: &mut Vec<u64>) -> Result<(), SideExit> {
        let decision = self.decision(words).ok_or(SideExit)?;
        self.executor.list(decision.decide, words, moves)?;
        if decision.overlaps {
            self.distinguish(decision, words, moves)?;
        }
        if moves.is_empty() { Err(SideExit) } else { Ok(()) }
    }

    /// Keeps one of the moves that have the same label and lead to the same state; [`SideExit`] if they lead to different ones.
    pub(super) fn distinguish(&self, decision: &Decision, words: &[u64], moves: &mut Vec<u64>) -> Result<(), SideExit> {
        let mut labels: Vec<Tag> = Vec::new();
        let mut ends: Vec<usize> = Vec::with_capacity(moves.len());
        for &word in moves.iter() {
            labels.extend(self.tags(decision, word));
            ends.push(labels.len());
        }
        let mut first: FxHashMap<&[Tag], u64> = FxHashMap::default();
        first.reserve(moves.len());
        let (mut start, mut kept) = (0, 0);
        for at in 0..moves.len() {
            let (Some(&word), Some(&end)) = (moves.get(at), ends.get(at)) else { break };
            let label = labels.get(start..end).unwrap_or(&[]);
            start = end;
            match first.entry(label) {
                Entry::Vacant(entry) => {
                    entry.insert(word);
                    moves.swap(kept, at);
                    kept += 1;
                }
                Entry::Occupied(entry) => {
                    let (mut one, mut other) = (words.to_vec(), words.to_vec());
                    self.make(&mut one, *entry.get())?;
                    self.make(&mut other, word)?;
                    if one != other {
                        return Err(SideExit);
                    }
                }
            }
        }
        moves.truncate(kept);
        Ok(())
    }

    /// Makes a move given as a word; [`SideExit`] if the backtracking engine has to.
    pub(super) fn make(&self, words: &mut [u64], word: u64) -> Result<(), SideExit> {
        let decision = self.decision(words).ok_or(SideExit)?;
        self.executor.call(decision.apply, words, word).map(|_| ())
    }

    /// The tags of a move given as a word.
    pub(super) fn tags<'a>(&'a self, decision: &'a Decision, word: u64) -> impl Iterator<Item = Tag> + 'a {
        let template = decision.templates.get((word >> TEMPLATE_SHIFT) as usize);
        let tags = template.map_or(&[][..], |template| &template.tags);
        let symbol = move |part: &LabelPart| match part {
            LabelPart::Symbol(symbol) => Some(*symbol),
            LabelPart::Argument(at, symbols) => {
                let argument = template.and_then(|template| template.arguments.get(*at));
                argument.and_then(|argument| symbols.get(argument.of(word))).copied()
            }
            LabelPart::Between(..) => None,
        };
        tags.iter().enumerate().flat_map(move |(at, part)| {
            let single = symbol(part);
            let several = match part {
                LabelPart::Between(before, between) => {
                    let beside = |at: usize| tags.get(at);
                    let before = before.as_deref().or_else(|| at.checked_sub(1).and_then(beside));
                    let ends = before.and_then(symbol).zip(beside(at + 1).and_then(symbol));
                    ends.and_then(|ends| between.get(&ends)).map_or(&[][..], |symbols| symbols)
                }
                _ => &[],
            };
            single.into_iter().chain(several.iter().copied()).map(|symbol| Tag(symbol.index() as u32))
        })
    }

    /// The label of a move given as a word at a state, as far as the word has it; [`SideExit`] if the backtracking engine has to
    /// read it, because it is long.
    pub(super) fn label(&self, decision: &Decision, words: &[u64], word: u64) -> Result<Vec<Tag>, SideExit> {
        let Some(read) = decision.label else { return Ok(self.tags(decision, word).collect()) };
        let (bits, part_size) = (self.lifted.tag_width.bits(), self.lifted.tag_width.part());
        let mut state = words.to_vec();
        let mut label = Vec::new();
        for part in 0.. {
            let tags = self.executor.call(read, &mut state, word | part << TEMPLATE_SHIFT)?;
            let before = label.len();
            let tags = (0..part_size).map(|at| tags >> (at * bits) & ((1 << bits) - 1));
            label.extend(tags.map_while(|tag| tag.checked_sub(1)).map(|symbol| Tag(symbol as u32)));
            if label.len() < before + part_size as usize {
                break;
            }
        }
        Ok(label)
    }

    /// Adds the moves given as words, with their whole labels; [`SideExit`] if one is too long. `node` is the one of the records.
    pub(super) fn read(
        &self,
        decision: &Decision,
        words: &[u64],
        (listed, node): (&[u64], u32),
        moves: &mut Moves,
    ) -> Result<(), SideExit> {
        for &word in listed {
            let (tags, effects) = (moves.tags.len() as u32, moves.effects.len() as u32);
            moves.records.push(Record { tags, effects, node });
            match decision.label {
                Some(_) => moves.tags.extend(self.label(decision, words, word)?),
                None => moves.tags.extend(self.tags(decision, word)),
            }
            moves.effects.push((word as u32, (word >> 32) as u32));
        }
        Ok(())
    }
}
