//! States and move buffers: plain data that callers own.

use rg_ir::invariant::Invariant;
use zerocopy::FromBytes;

/// A state: plain old data, compared and hashed by value. Its meaning belongs to the reasoner that made it.
///
/// States that `Reasoner` hands out have the keeper's moves completed: a player or `random` is to move, or the
/// play is over. Variables that no play from there reads any more have their initial values, so that states which differ in
/// nothing that matters are equal ([`crate::canonical`]; [`crate::Options::keep_dead`] is for drawings).
///
/// The default is no state of any game: it is room for one, by `clone_from`.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct State {
    /// The packed bytes, as the engine has them.
    pub bytes: Box<[u8]>,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes.clone() }
    }

    /// Allocates nothing where both are states of one reasoner in which somebody decides: they have the same size.
    fn clone_from(&mut self, source: &Self) {
        self.bytes.clone_from(&source.bytes);
    }
}

impl State {
    /// The packed bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its [`State::words`] where they lie, if the processor has words as states have them.
    #[inline]
    pub fn as_words(&self) -> Option<&[u64]> {
        <[u64]>::ref_from_bytes(&self.bytes).ok().filter(|_| cfg!(target_endian = "little"))
    }

    /// As [`State::as_words`], to change them.
    #[inline]
    pub fn as_words_mut(&mut self) -> Option<&mut [u64]> {
        <[u64]>::mut_from_bytes(&mut self.bytes).ok().filter(|_| cfg!(target_endian = "little"))
    }

    /// One of its [`State::words`]; 0 if there is none.
    #[inline]
    pub fn word(&self, at: usize) -> u64 {
        let bytes = self.bytes.get(8 * at..).and_then(|bytes| bytes.first_chunk());
        bytes.map_or(0, |&bytes| u64::from_le_bytes(bytes))
    }

    /// The bytes as words, as the engine for lifted games has them.
    #[inline]
    pub fn words(&self) -> impl Iterator<Item = u64> + '_ {
        self.bytes.chunks_exact(8).filter_map(|bytes| bytes.try_into().ok().map(u64::from_le_bytes))
    }
}

/// A tag of a move: an interned name, see `Reasoner::tag_name`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct Tag(pub u32);

/// A legal move packed into a word, for programs that keep many of them. It means something only in the state for which it
/// was listed (`Reasoner::packed_moves`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub struct PackedMove(pub u64);

/// Who decides in a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Turn {
    /// The player with this index in declaration order.
    Player(usize),
    /// The `random` player: every legal move is equally likely.
    Random,
    /// Nobody: the game is over.
    End,
}

/// One move in a buffer.
#[derive(Clone, Copy, Default, Debug)]
pub struct Record {
    /// First tag in [`Moves::tags`].
    pub tags: u32,
    /// First effect in [`Moves::effects`].
    pub effects: u32,
    /// Node the move leads to.
    pub node: u32,
}

/// The legal moves of a state: a buffer to be reused, so that nothing is allocated once it is warm.
#[derive(Clone, Default, Debug)]
pub struct Moves {
    /// One for each move, in order.
    pub records: Vec<Record>,
    /// The tags of all moves, one after the other.
    pub tags: Vec<Tag>,
    /// `(cell, value)` writes of the moves.
    pub effects: Vec<(u32, u32)>,
    /// Per tag, which players see it (bit i: player i); empty if the game has no hidden information, and where lifted code listed
    /// the moves: `Reasoner::visibility` always knows.
    pub visibility: Vec<u64>,
    /// Choices that the search for the moves took; 0 in engines that do not count them.
    pub steps: u64,
    /// Whether some label is there with several outcomes.
    pub split: bool,
    /// Then, per move, the number of the outcome of its label, from 1; 0 if its label has one outcome only.
    outcomes: Vec<u32>,
}

impl Moves {
    /// An empty buffer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of moves.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The tags of move `index`; empty if there is no such move.
    pub fn tags(&self, index: usize) -> &[Tag] {
        self.tags.get(self.tag_range(index)).unwrap_or(&[])
    }

    /// Which of several moves with the same tags move `index` is, from 1 on; 0 if it is the only one with its tags, as
    /// all are unless the reasoner splits ambiguous labels ([`crate::Ambiguity::Split`]). Moves with the same tags have
    /// ascending numbers, which do not depend on the engine.
    pub fn outcome(&self, index: usize) -> u32 {
        self.outcomes.get(index).copied().unwrap_or(0)
    }

    /// The moves as tag sequences, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[Tag]> {
        (0..self.len()).map(|index| self.tags(index))
    }

    /// Where the tags of a move stand among those of all.
    pub fn tag_range(&self, index: usize) -> std::ops::Range<usize> {
        let start = self.records.get(index).map_or(self.tags.len(), |r| r.tags as usize);
        let end = self.records.get(index + 1).map_or(self.tags.len(), |r| r.tags as usize);
        start..end
    }

    /// The writes of a move, cell and value; empty if there is no such move.
    pub fn effects(&self, index: usize) -> &[(u32, u32)] {
        let start = self.records.get(index).map_or(self.effects.len(), |r| r.effects as usize);
        let end = self.records.get(index + 1).map_or(self.effects.len(), |r| r.effects as usize);
        self.effects.get(start..end).unwrap_or(&[])
    }

    /// Empties the buffer; what is allocated stays.
    pub fn clear(&mut self) {
        self.records.clear();
        self.tags.clear();
        self.effects.clear();
        self.visibility.clear();
        (self.steps, self.split) = (0, false);
        self.outcomes.clear();
    }

    /// Puts the moves into another order and numbers the outcomes of their labels.
    pub fn rearrange(&mut self, order: &[usize], outcomes: Vec<u32>) {
        let old = std::mem::take(self);
        for &index in order {
            let node = old
                .records
                .get(index)
                .map(|record| record.node)
                .invariant_or(0, "moves are rearranged by their numbers");
            self.records.push(Record { tags: self.tags.len() as u32, effects: self.effects.len() as u32, node });
            self.tags.extend_from_slice(old.tags(index));
            self.effects.extend_from_slice(old.effects(index));
            self.visibility.extend_from_slice(old.visibility.get(old.tag_range(index)).unwrap_or(&[]));
        }
        (self.split, self.outcomes) = (old.split, outcomes);
    }
}

/// A move as the other players are told of it (section 8.4).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Who moved; `None` is the keeper.
    pub mover: Option<Turn>,
    /// The tags of the move, each with the set of players that see it (bit i: player i). The mover knows its own move.
    pub tags: Vec<(Tag, u64)>,
}

impl Event {
    /// What `player` is told: the whole move if it is the mover's own, else the tags visible to it.
    pub fn observed_by(&self, player: usize) -> Vec<Tag> {
        let own = self.mover == Some(Turn::Player(player));
        let sees = |mask: u64| own || (player < 64 && mask >> player & 1 == 1);
        self.tags.iter().filter(|&&(_, mask)| sees(mask)).map(|&(tag, _)| tag).collect()
    }
}

/// See `Reasoner::move_text`.
pub fn text_of<'n>(moves: &Moves, index: usize, name: impl Fn(Tag) -> &'n str) -> String {
    let mut words: Vec<&str> = moves.tags(index).iter().map(|&tag| name(tag)).collect();
    let number = format!("#{}", moves.outcome(index));
    if moves.outcome(index) > 0 {
        words.push(&number);
    }
    words.join(" ")
}
