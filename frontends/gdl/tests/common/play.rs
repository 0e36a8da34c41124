//! Plays lowered games in joint steps and compares them with the oracle.

use super::oracle::{Row, hash, known_depth, number};
use backend::{Engine, ErrorKind, Limits, Moves, Options, Reasoner, State};
use gdl::{GdlNotation, Lowered};
use rg_ir::{JointMoves as _, Notation as _, Part};
use std::time::Instant;

/// What stands at the end of a problem that is a limit of the engine and no difference.
pub(crate) const SLOW: &str = "(a limit of the engine)";

/// How much is compared.
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    /// Most steps of a playout.
    pub(crate) steps: u64,
    /// Perft rows with at most this many sequences are verified.
    pub(crate) leaves: u64,
    /// When to stop, if there is a time.
    pub(crate) until: Option<Instant>,
}

/// What was compared and found equal.
#[derive(Clone, Copy, Default)]
pub(crate) struct Compared {
    /// Playouts, as far as the extent allowed.
    pub(crate) playouts: u32,
    /// Depth of perft.
    pub(crate) depth: u32,
}

/// A lowered game in an engine.
pub(crate) struct Player {
    pub(crate) reasoner: Reasoner,
    notation: GdlNotation,
}

fn told(error: backend::Error) -> String {
    let limit = if error.kind == ErrorKind::Limit { SLOW } else { "" };
    format!("{error} {limit}")
}

/// Compares; nothing is known where the oracle's cell is empty.
fn same(what: &str, found: &str, known: &str) -> Result<(), String> {
    if found == known || known.is_empty() { Ok(()) } else { Err(format!("{what}: {found} instead of {known}")) }
}

impl Player {
    pub(crate) fn new(lowered: Lowered) -> Result<Self, String> {
        Self::with_limits(lowered, Limits::default())
    }

    /// A player whose engine gives up at these limits.
    pub(crate) fn with_limits(lowered: Lowered, limits: Limits) -> Result<Self, String> {
        // State texts ask for all fluents, also for those that nobody reads any more.
        let options = Options { engine: Engine::Backtracking, keep_dead: true, limits, ..Options::default() };
        let reasoner = Reasoner::with_options(&lowered.game, options).map_err(told)?;
        Ok(Self { reasoner, notation: GdlNotation::new(lowered.vocabulary) })
    }

    /// Makes one joint step; `choose` gets the role and the number of its legal moves. Returns the sorted legal moves of
    /// all roles.
    pub(crate) fn step(
        &self,
        state: &mut State,
        mut choose: impl FnMut(usize, usize) -> usize,
    ) -> Result<Vec<Vec<String>>, String> {
        let mut legal = Vec::new();
        let parts = self.notation.step(&self.reasoner.view(state));
        for (role, part) in parts.into_iter().enumerate() {
            if let Part::Forced(only) = part {
                legal.push(vec![only.to_owned()]);
                continue;
            }
            let mut moves = Moves::new();
            self.reasoner.legal_moves(state, &mut moves).map_err(told)?;
            let tags: Vec<Vec<&str>> =
                moves.iter().map(|tags| tags.iter().map(|&tag| self.reasoner.tag_name(tag)).collect()).collect();
            let texts = self.notation.render_moves(&tags);
            let mut listed: Vec<(String, usize)> = texts.into_iter().zip(0..).collect();
            listed.sort();
            if listed.is_empty() {
                return Err(format!("role {role} has no legal move"));
            }
            let (_, index) = listed[choose(role, listed.len())];
            self.reasoner.apply(state, &moves, index).map_err(told)?;
            legal.push(listed.into_iter().map(|(text, _)| text).collect());
        }
        Ok(legal)
    }

    /// Goal values of all roles.
    pub(crate) fn goals(&self, state: &State) -> Vec<String> {
        self.notation.goals(&self.reasoner.view(state))
    }

    /// The fluents that hold.
    pub(crate) fn text(&self, state: &State) -> String {
        self.notation.state_text(&self.reasoner.view(state))
    }

    fn initial(&self) -> Result<State, String> {
        self.reasoner.initial().map_err(told)
    }

    /// Compares with a row of the oracle, as far as the extent allows; `Err` says what differs.
    pub(crate) fn agree(&self, row: &Row, extent: Extent, compared: &mut Compared) -> Result<(), String> {
        let in_time = || extent.until.is_none_or(|until| Instant::now() < until);
        self.beginning(row)?;
        for playout in 0..3 {
            if !in_time() || !self.playout(row, playout, extent)? {
                break;
            }
            compared.playouts += 1;
        }
        let state = self.initial()?;
        for depth in 1..=known_depth(row) {
            let known = number(row, &format!("n{depth}")).unwrap_or(0);
            if known > extent.leaves || !in_time() {
                break;
            }
            let found = self.reasoner.perft(&state, depth * self.notation.plies()).map_err(told)?;
            same(&format!("n{depth}"), &found.to_string(), &known.to_string())?;
            compared.depth = depth;
        }
        Ok(())
    }

    /// The initial state and what is legal there.
    fn beginning(&self, row: &Row) -> Result<(), String> {
        let mut state = self.initial()?;
        same("roles", &self.notation.roles().join(" "), &row["roles"])?;
        same("initial state", &hash(&self.text(&state)), &row["init_hash"])?;
        let over = if self.reasoner.is_terminal(&state) { "1" } else { "0" };
        same("initial state is terminal", over, &row["init_terminal"])?;
        if over == "0" {
            let legal = self.step(&mut state, |_, _| 0)?;
            let counts: Vec<String> = legal.iter().map(|moves| moves.len().to_string()).collect();
            same("initial legal moves", &counts.join(" "), &row["init_legal"])?;
            let hashes: Vec<String> = legal.iter().map(|moves| hash(&moves.join("\n"))).collect();
            same("initial legal moves", &hashes.join(" "), &row["init_legal_hash"])?;
        }
        Ok(())
    }

    /// Compares a playout, or the beginning of it; `false` if the time is over.
    fn playout(&self, row: &Row, playout: usize, extent: Extent) -> Result<bool, String> {
        let cell = |name: &str| row[&format!("p{playout}_{name}")].as_str();
        let known: Vec<&str> = cell("counts").split(',').filter(|counts| !counts.is_empty()).collect();
        let mut state = self.initial()?;
        let mut hashes = Vec::new();
        let title = format!("playout {playout}");
        while !self.reasoner.is_terminal(&state) && hashes.len() < 300 {
            let number = hashes.len();
            if extent.until.is_some_and(|until| Instant::now() > until) {
                return Ok(false);
            }
            if number as u64 >= extent.steps || cell("status") == "cut" && number >= known.len() {
                return Ok(true);
            }
            let choose = |role: usize, legal: usize| (7 * number + 3 * role + playout) % legal.max(1);
            let legal = self.step(&mut state, choose).map_err(|error| format!("{title}, step {number}: {error}"))?;
            let counts: Vec<String> = legal.iter().map(|moves| moves.len().to_string()).collect();
            same(&format!("{title}, step {number}"), &counts.join(":"), known.get(number).unwrap_or(&"none"))?;
            hashes.push(hash(&self.text(&state)));
        }
        if cell("status") == "cut" {
            return Ok(true);
        }
        same(&format!("{title}, steps"), &hashes.len().to_string(), cell("steps"))?;
        same(&format!("{title}, states"), &hash(&hashes.join("\n")), cell("hash"))?;
        if self.reasoner.is_terminal(&state) {
            same(&format!("{title}, goals"), &self.goals(&state).join(" "), cell("goals"))?;
        }
        Ok(true)
    }
}

/// Plays both side by side, with moves that depend on `seed`, and compares all that there is to see.
pub fn lock_step(name: &str, ours: &Player, theirs: &Player, seed: usize) {
    let (mut a, mut b) = (ours.reasoner.initial().unwrap(), theirs.reasoner.initial().unwrap());
    for step in 0..30 {
        assert_eq!(ours.text(&a), theirs.text(&b), "{name}, step {step}");
        assert_eq!(ours.reasoner.is_terminal(&a), theirs.reasoner.is_terminal(&b), "{name}, step {step}");
        if ours.reasoner.is_terminal(&a) {
            assert_eq!(ours.goals(&a), theirs.goals(&b), "{name}, step {step}");
            return;
        }
        let choose = |role: usize, legal: usize| (7 * step + 3 * role + seed) % legal;
        let (left, right) = (ours.step(&mut a, choose).unwrap(), theirs.step(&mut b, choose).unwrap());
        assert_eq!(left, right, "{name}, step {step}");
    }
}
