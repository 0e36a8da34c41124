//! What playouts are summed up to.

/// Sums over playouts.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PlayoutStats {
    /// Finished plays.
    pub plays: u64,
    /// Moves made by players (not by the keeper, not by `random`).
    pub plies: u64,
    /// Sum over plays of the square of their plies.
    pub plies_squared: u64,
    /// Sum over the players' decisions of the number of legal moves.
    pub moves: u64,
    /// Greatest number of legal moves of a decision.
    pub max_moves: u64,
    /// Per player, how often each score was reached: indexed as `Reasoner::score_names`.
    pub scores: Vec<Vec<u64>>,
    /// The scores of the last play, in player order, as indices into `Reasoner::score_names`.
    pub last: Vec<u32>,
}

impl PlayoutStats {
    /// Counts a playout: its plies, the sum and the greatest number of legal moves, and the score of each player.
    pub fn add(&mut self, plies: u64, moves: u64, most: u64, scores: impl Iterator<Item = u32>) {
        self.add_play(plies, scores);
        self.add_choices(moves, most);
    }

    /// Adds other plays.
    pub fn merge(&mut self, other: &Self) {
        self.plays += other.plays;
        self.plies += other.plies;
        self.plies_squared += other.plies_squared;
        self.add_choices(other.moves, other.max_moves);
        self.scores.resize(self.scores.len().max(other.scores.len()), Vec::new());
        for (counts, more) in self.scores.iter_mut().zip(&other.scores) {
            counts.resize(counts.len().max(more.len()), 0);
            counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
        }
        if other.plays > 0 {
            self.last.clone_from(&other.last);
        }
    }

    /// Counts legal moves, of any number of playouts.
    pub fn add_choices(&mut self, moves: u64, most: u64) {
        self.moves += moves;
        self.max_moves = self.max_moves.max(most);
    }

    /// Counts a play, without its legal moves.
    pub fn add_play(&mut self, plies: u64, scores: impl Iterator<Item = u32>) {
        self.plays += 1;
        self.plies += plies;
        self.plies_squared += plies * plies;
        self.last.clear();
        for (player, score) in scores.enumerate() {
            self.last.push(score);
            if self.scores.len() <= player {
                self.scores.push(Vec::new());
            }
            if let Some(counts) = self.scores.get_mut(player) {
                if counts.len() <= score as usize {
                    counts.resize(score as usize + 1, 0);
                }
                if let Some(count) = counts.get_mut(score as usize) {
                    *count += 1;
                }
            }
        }
    }
}
