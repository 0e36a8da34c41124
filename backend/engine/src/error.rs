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
            "The game cannot be run: it has a mistake that `rgc check` reports, or the rules assigned something to `player` that is not a player.",
        ),
        (
            "RT201",
            "Nobody can move, but the game is not over: the player to move, or the keeper, has no legal move. Every \
          state but the end needs one.",
        ),
        (
            "RT202",
            "Two walks with the same tags lead to different states, so the tags do not say what the move does. Add tags \
          that tell the walks apart; with `--ambiguous split`, each of them is a move of its own.",
        ),
        (
            "RT203",
            "The keeper (the rules themselves) has several moves to choose from. Nobody chooses for it, so it must have exactly \
          one.",
        ),
        ("RT204", "A reachability check depends on its own result, or checks are nested too deeply."),
        (
            "RT205",
            "A limit on steps, tags, moves of the keeper, plies or memory was reached. Usually the rules run forever: \
          look for a cycle without an assignment to `player`, or for a game that need not end.",
        ),
        (
            "RT206",
            "A move was made in a state where it is not legal. This cannot happen with a move from the list of legal moves of that state.",
        ),
        (
            "RT207",
            "An action that is not valid: a key that is not in the map, a cast to a type that does not have the value, or an \
          assignment to a variable whose type does not have it.",
        ),
        (
            "RT208",
            "The game need not end: some moves lead back to the position where they began. A proper game always ends; a counter of \
          moves, or of repetitions, ensures that. A single move need not end, either, if a loop that emits tags can be \
          repeated any number of times before `player` is assigned.",
        ),
        (
            "RT209",
            "It is not known whether the game is proper: no violation was found, but some positions could not be explored, since the \
          search for their moves reached a limit. With more positions (`--positions`), searches may be longer.",
        ),
        (
            "RT210",
            "The game is over before anybody has moved: the keeper's first moves end it, or the player to move has no \
          legal move at the start.",
        ),
        (
            "RT211",
            "`rgc check` played random games, and in some of them the player to move, or the keeper, had no legal move although the \
          game was not over. The moves that lead there are listed. `rgc check --proper` looks for the shortest such sequence.",
        ),
        ("RT212", "No rule assigns a score, so that every player has 0 however the game ends."),
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
