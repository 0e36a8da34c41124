//! What can go wrong at run time.

use crate::limits::MAX_PERFT_DEPTH;
use std::fmt;

/// Moves of a play that a message shows; of longer ones the last.
const SHOWN: usize = 200;

/// The kinds of run-time errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The game cannot be executed as it stands: a type, constant or expression is wrong, which the checker finds; or
    /// `player` was given a value that is no player, which only shows in play.
    Invalid,
    /// Nobody can move, and the play is not over.
    Stuck,
    /// Two walks with the same tags lead to different states.
    Ambiguous,
    /// The keeper has a choice between different moves (checked runs only).
    KeeperChoice,
    /// A reachability check contains itself, or checks nest too deeply.
    Recursion,
    /// A limit on steps, tags, keeper moves or memory was hit: the rules probably run for ever.
    Limit,
    /// A move was applied to a state in which it is not legal.
    IllegalMove,
}

impl ErrorKind {
    /// All codes, in ascending order, with what each is about.
    pub const CODES: &[(&str, &str)] = &[
        (
            "RT200",
            "The game cannot be executed as it stands: something in it is wrong that `rgc check` finds, or `player` was given a \
          value that is no player.",
        ),
        (
            "RT201",
            "Nobody can move, and the play is not over: whoever is to move has no legal move, or the keeper has none. Every \
          state but the end needs a move.",
        ),
        (
            "RT202",
            "Two walks with the same tags lead to different states, so that the move's name does not say what it does. Add tags \
          to tell them apart; `--ambiguous split` makes a move of each.",
        ),
        (
            "RT203",
            "The keeper has a choice between different moves. Its moves are made without asking anybody, so they must be \
          determined.",
        ),
        ("RT204", "A reachability check needs its own result, or checks are nested too deeply."),
        (
            "RT205",
            "A limit on steps, tags, moves of the keeper, plies or memory was reached. Rules that reach it usually run for ever: \
          look for a cycle without an assignment to `player`, or a play without end.",
        ),
        (
            "RT206",
            "A move was made in a state in which it is not legal. This does not happen to moves that were listed there.",
        ),
        (
            "RT207",
            "An action that is not valid: a key that the map does not have, a cast of a value that the type does not have, or a \
          value assigned to a variable whose type does not have it.",
        ),
        (
            "RT208",
            "A play need not end: some moves lead back to the position in which they began. Proper games have finitely many plays; a \
          counter of moves, or of repetitions, makes them so. A move need not end, either, if a loop that emits tags can be \
          walked any number of times before `player` is assigned.",
        ),
        (
            "RT209",
            "Whether the game is proper is not decided: no violation was found, but some positions could not be explored, since the \
          search for their moves met a limit. More positions (`--positions`) allow longer searches.",
        ),
        (
            "RT210",
            "The game is over before anybody has made a move: the keeper's first moves lead to its end, or whoever is to move has no \
          move there.",
        ),
        (
            "RT211",
            "`rgc check` plays random games. Some reach a position in which the player to move has no legal move, or the keeper has \
          none, and the game is not over. The moves that lead there are given. `rgc check --proper` looks for the shortest ones.",
        ),
    ];

    /// The diagnostic code.
    pub fn code(self) -> &'static str {
        match self {
            ErrorKind::Invalid => "RT200",
            ErrorKind::Stuck => "RT201",
            ErrorKind::Ambiguous => "RT202",
            ErrorKind::KeeperChoice => "RT203",
            ErrorKind::Recursion => "RT204",
            ErrorKind::Limit => "RT205",
            ErrorKind::IllegalMove => "RT206",
        }
    }
}

/// A run-time error: what happened, at which node, after which moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// What kind of error it is.
    pub kind: ErrorKind,
    /// What happened, in one line.
    pub message: String,
    /// Name of the node where the search was or began; empty if there is none.
    pub node: String,
    /// The moves (tags separated by spaces) from the initial state to the state in which it happened, as far as the
    /// caller knew them; the keeper's moves are left out.
    pub play: Vec<String>,
}

impl Error {
    /// An error without a known play.
    pub fn new(kind: ErrorKind, node: impl Into<String>, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), node: node.into(), play: Vec::new() }
    }

    /// `player` holds something that is no player: loose types let it.
    pub fn nobody(node: impl Into<String>, value: &str) -> Self {
        Self::new(ErrorKind::Invalid, node, format!("`player` is `{value}`, which is neither a player nor the system"))
    }

    /// A playout did not end.
    pub fn endless(node: impl Into<String>, limit: u64) -> Self {
        Self::new(ErrorKind::Limit, node, format!("the play did not end within {limit} moves"))
    }

    /// Perft went too deep.
    pub fn too_deep(node: impl Into<String>) -> Self {
        Self::new(ErrorKind::Limit, node, format!("perft goes down {MAX_PERFT_DEPTH} plies at most"))
    }

    /// Puts `tags`, the move before the play known so far, in front of it.
    #[must_use]
    pub fn after(mut self, tags: String) -> Self {
        self.play.insert(0, tags);
        self
    }
}

/// What is wrong where two walks with these tags lead to different states.
pub fn ambiguous(tags: &[&str]) -> String {
    match tags {
        [] => "two walks with no tags lead to different states".to_owned(),
        tags => format!("two walks with the tags `{}` lead to different states", tags.join(" ")),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        if !self.node.is_empty() {
            write!(f, ", at node `{}`", self.node)?;
        }
        if !self.play.is_empty() {
            let hidden = self.play.len().saturating_sub(SHOWN);
            let shown = self.play.get(hidden..).unwrap_or(&[]).join("; ");
            if hidden > 0 {
                write!(f, ", after {hidden} moves and the play `{shown}`")?;
            } else {
                write!(f, ", after the moves `{shown}`")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Error {}
