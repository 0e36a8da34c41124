//! Single steps: moves listed and made, where the words of states lie.

use super::Fused;
use codegen::SideExit;
use engine::Error;
use engine::state::{Event, Moves, PackedMove, Record, State, Tag};
use lower::Decision;
use rg_ir::invariant::invariant;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::ops::Deref;

/// The node of moves that are words.
pub(super) const WORD: u32 = u32::MAX;

/// In a packed move: it is no word, but the number of a move of the backtracking engine.
const NUMBERED: u64 = 1 << 63;

thread_local! {
    /// Words of moves that were listed.
    static LISTED: Cell<Vec<u64>> = const { Cell::new(Vec::new()) };
}

/// The words of a state: where they lie, or a copy where the processor has words otherwise.
pub(super) enum Words<'s> {
    There(&'s [u64]),
    Copied(Vec<u64>),
}

impl<'s> Words<'s> {
    #[inline]
    pub(super) fn of(state: &'s State) -> Self {
        state.as_words().map_or_else(|| Self::Copied(state.words().collect()), Self::There)
    }
}

impl Deref for Words<'_> {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        match self {
            Self::There(words) => words,
            Self::Copied(words) => words,
        }
    }
}

impl Fused {
    /// Whether a state has words.
    #[inline]
    pub(super) fn has_words(&self, state: &State) -> bool {
        state.bytes.len() == self.lifted.layout.words as usize * 8
    }

    /// The moves at a state; `moves` is empty.
    pub(super) fn listed(&self, words: &[u64], moves: &mut Moves) -> Result<(), Error> {
        let mut listed = LISTED.take();
        let decision = self.decision(words).filter(|_| self.list(words, &mut listed).is_ok());
        let read = decision.map_or(Err(SideExit), |decision| self.read_all(decision, words, &listed, moves));
        LISTED.set(listed);
        read.or_else(|SideExit| {
            moves.clear();
            self.searched(words, moves)
        })
    }

    /// Adds the moves given as words, with their whole labels; [`SideExit`] if one is too long.
    fn read_all(&self, decision: &Decision, words: &[u64], listed: &[u64], moves: &mut Moves) -> Result<(), SideExit> {
        for &word in listed {
            let (tags, effects) = (moves.tags.len() as u32, moves.effects.len() as u32);
            moves.records.push(Record { tags, effects, node: WORD });
            self.read_label(decision, words, word, &mut moves.tags)?;
            moves.effects.push((word as u32, (word >> 32) as u32));
        }
        Ok(())
    }

    /// As [`Self::listed`], packed.
    pub(super) fn packed_at(&self, words: &[u64], moves: &mut Vec<PackedMove>) -> Result<(), Error> {
        let mut listed = LISTED.take();
        let lifted =
            self.list(words, &mut listed).is_ok() && listed.iter().fold(0, |all, word| all | word) & NUMBERED == 0;
        if lifted {
            moves.extend(listed.iter().map(|&word| PackedMove(word)));
        }
        LISTED.set(listed);
        if !lifted {
            let mut all = Moves::new();
            self.searched(words, &mut all)?;
            moves.extend((0..all.len() as u64).map(|number| PackedMove(number | NUMBERED)));
        }
        Ok(())
    }

    /// The number of the decision at a state, if the words of moves there tell their tags and nothing else is needed to read them.
    pub(super) fn label_key(&self, state: &State, moves: &[PackedMove]) -> Option<u32> {
        let field = self.lifted.layout.node;
        let number = field.within(state.word(field.word as usize));
        let decision =
            self.lifted.stops.get(number as usize).filter(|_| self.has_words(state))?.decision.as_ref().ok()?;
        let all = moves.iter().fold(0, |all, packed| all | packed.0);
        (decision.label.is_none() && all & NUMBERED == 0).then_some(number as u32)
    }

    /// The word of a listed move, if it was listed as a word.
    pub(super) fn word(moves: &Moves, index: usize) -> Option<u64> {
        moves.records.get(index).filter(|record| record.node == WORD)?;
        moves.effects(index).first().map(|&(low, high)| u64::from(high) << 32 | u64::from(low))
    }

    /// Makes a move given as a word. `false` if the state has no words, or the backtracking engine has to make the move; it
    /// is then as it was.
    pub(super) fn make_in_place(&self, state: &mut State, word: u64) -> bool {
        if !self.has_words(state) {
            return false;
        }
        // What code gives back is as it was before.
        if let Some(words) = state.as_words_mut() {
            return self.make(words, word).is_ok();
        }
        let mut words: Vec<u64> = state.words().collect();
        let made = self.make(&mut words, word).is_ok();
        if made {
            *state = self.state(&words);
        }
        made
    }

    /// Makes a packed move. `false` if the state has no words.
    pub(super) fn make_packed(&self, state: &mut State, packed: PackedMove) -> Result<bool, Error> {
        let numbered = packed.0 & NUMBERED != 0;
        if !numbered && self.make_in_place(state, packed.0) {
            return Ok(true);
        }
        let Some(words) = self.words(state) else { return Ok(false) };
        let next = if numbered {
            let mut all = Moves::new();
            self.searched(&words, &mut all)?;
            self.slow_make(self.slow_of(&words), &all, (packed.0 & !NUMBERED) as usize)?
        } else {
            self.slow_word(&words, packed.0)?
        };
        *state = self.state(&next);
        Ok(true)
    }

    /// The moves that the backtracking engine finds, if any.
    fn searched(&self, words: &[u64], moves: &mut Moves) -> Result<(), Error> {
        self.side_exits.increment();
        self.slow.moves(&self.slow_of(words), moves)
    }

    /// Makes the move with these tags and logs it by the search. `false` if there is none.
    pub(super) fn searched_log(&self, state: &mut State, tags: &[Tag], log: &mut Vec<Event>) -> Result<bool, Error> {
        self.side_exits.increment();
        let mut room = self.rooms.take().unwrap_or_default();
        let node = self.cells_of(&Words::of(state), &mut room.cells);
        let made = self.slow.make_labelled((&mut room.cells, node), tags, log)?;
        if let Some(node) = made {
            self.put_words((&room.cells, node), &mut room.words)?;
            for (bytes, word) in state.bytes.chunks_exact_mut(8).zip(&room.words) {
                bytes.copy_from_slice(&word.to_le_bytes());
            }
        }
        self.rooms.put(room);
        Ok(made.is_some())
    }

    /// Who sees the tags of listed moves: what the backtracking engine says of the moves with the same tags.
    pub(super) fn searched_visibility(&self, state: &State, moves: &Moves) -> Result<Vec<u64>, Error> {
        self.side_exits.increment();
        let mut all = Moves::new();
        self.slow.moves(state, &mut all)?;
        let masks: FxHashMap<&[Tag], &[u64]> = (0..all.len())
            .filter_map(|index| Some((all.tags(index), all.visibility.get(all.tag_range(index))?)))
            .collect();
        let of = |label: &[Tag]| masks.get(label).copied().unwrap_or_default();
        let visibility: Vec<u64> = moves.iter().flat_map(of).copied().collect();
        invariant(visibility.len() == moves.tags.len(), "the search finds all moves that lifted code lists");
        Ok(visibility)
    }
}
