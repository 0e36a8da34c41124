//! The rules of a line game, as options that do not depend on each other.

use super::board::{Board, Direction, Player, Rank};

/// The largest limit of a game.
pub const MAX_TURNS: usize = 10_000;

/// Whether a player who can capture has to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capture {
    /// No.
    Optional,
    /// Yes.
    Forced,
    /// Yes, and as many pieces as possible.
    Longest,
}

/// Whether a piece that has jumped goes on jumping in the same turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chain {
    /// A turn has one jump.
    None,
    /// It may.
    Optional,
    /// It does as long as it can.
    Forced,
}

/// What one move is where a turn has several jumps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// The whole turn.
    Turn,
    /// Each jump.
    Jump,
}

/// Which pieces move any distance along a line, and capture from any distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flying {
    /// None.
    None,
    /// Kings.
    Kings,
    /// All.
    All,
}

/// Whether men become kings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Promotion {
    /// No.
    None,
    /// At the end of a turn on the points of the board that are farthest from their side.
    FarRow,
}

/// Which turns count for a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counted {
    /// All.
    Turns,
    /// Those in a row in which nothing is captured.
    Quiet,
}

/// How a game ends at its limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtLimit {
    /// In a draw.
    Draw,
    /// Who has more pieces wins; with equal numbers it is a draw.
    Majority,
}

/// When a game ends by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// The number of turns of both players, at most [`MAX_TURNS`].
    pub turns: usize,
    /// Which turns.
    pub counted: Counted,
    /// How it ends.
    pub result: AtLimit,
}

/// What happens to a player who cannot move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stuck {
    /// The player loses.
    Loses,
    /// The game is a draw.
    Draw,
}

/// A set of directions, as a player sees them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ways {
    /// Away from the player's side.
    pub forward: bool,
    /// Along rows.
    pub sideways: bool,
    /// Towards the player's side.
    pub backward: bool,
    /// Along rows and columns.
    pub straight: bool,
    /// Along diagonals.
    pub diagonal: bool,
}

impl Ways {
    /// All directions.
    pub const ALL: Ways = Ways { forward: true, sideways: true, backward: true, straight: true, diagonal: true };
    /// No direction.
    pub const NONE: Ways = Ways { forward: false, sideways: false, backward: false, straight: false, diagonal: false };

    /// Whether a direction is in it for a player. On boards of rings, where no direction is forward, all of them are or none.
    pub fn contain(self, player: Player, direction: &Direction) -> bool {
        let Some((down, right)) = direction.vector else { return self == Ways::ALL };
        let forward = match player {
            Player::Black => down,
            Player::White => -down,
        };
        let side = match forward {
            1 => self.forward,
            0 => self.sideways,
            _ => self.backward,
        };
        side && if down != 0 && right != 0 { self.diagonal } else { self.straight }
    }
}

/// Something for every player and rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PerPiece<T>(pub(super) [[T; 2]; 2]);

impl<T: Copy> PerPiece<T> {
    /// The same for all.
    pub fn all(value: T) -> Self {
        Self([[value; 2]; 2])
    }

    /// What a piece has.
    pub fn of(&self, player: Player, rank: Rank) -> T {
        let Self([black, white]) = *self;
        let [man, king] = if player == Player::Black { black } else { white };
        if rank == Rank::Man { man } else { king }
    }

    /// Sets what a piece has.
    pub fn set(&mut self, player: Player, rank: Rank, value: T) {
        let Self([black, white]) = self;
        let [man, king] = if player == Player::Black { black } else { white };
        *(if rank == Rank::Man { man } else { king }) = value;
    }
}

/// All rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Who begins.
    pub first: Player,
    /// Whether capturing is compulsory.
    pub capture: Capture,
    /// How long a jumping piece goes on.
    pub chain: Chain,
    /// What a move is.
    pub unit: Unit,
    /// Where pieces step.
    pub steps: PerPiece<Ways>,
    /// Where pieces jump.
    pub jumps: PerPiece<Ways>,
    /// Which pieces fly.
    pub flying: Flying,
    /// Whether men become kings.
    pub promotion: Promotion,
    /// When a game ends by itself; `None`: never.
    pub limit: Option<Limit>,
    /// What happens to a player who cannot move.
    pub stuck: Stuck,
}

impl Default for Rules {
    /// Everything in all directions, with short moves; capturing is compulsory and goes on as long as possible; a draw after a
    /// hundred turns in a row without a capture.
    fn default() -> Self {
        Self {
            first: Player::White,
            capture: Capture::Forced,
            chain: Chain::Forced,
            unit: Unit::Turn,
            steps: PerPiece::all(Ways::ALL),
            jumps: PerPiece::all(Ways::ALL),
            flying: Flying::None,
            promotion: Promotion::None,
            limit: Some(Limit { turns: 100, counted: Counted::Quiet, result: AtLimit::Draw }),
            stuck: Stuck::Loses,
        }
    }
}

impl Rules {
    /// Whether there are kings at the start, or later.
    pub(super) fn has_kings(&self, board: &Board) -> bool {
        self.promotion != Promotion::None
            || board.points.iter().any(|point| point.piece.is_some_and(|piece| piece.rank == Rank::King))
    }

    /// The ranks that pieces can have.
    pub(super) fn ranks(&self, board: &Board) -> &'static [Rank] {
        if self.has_kings(board) { &Rank::ALL } else { &[Rank::Man] }
    }

    /// Whether some of the pieces in a game are restricted to some of its directions.
    pub(super) fn restricts(&self, ways: &PerPiece<Ways>, board: &Board) -> bool {
        Player::ALL.iter().any(|&player| {
            let of_player = self.ranks(board).iter().map(|&rank| ways.of(player, rank));
            of_player.into_iter().any(|ways| board.directions.iter().any(|direction| !ways.contain(player, direction)))
        })
    }
}
