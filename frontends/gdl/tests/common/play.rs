//! Plays lowered games in joint steps and compares them with the oracle.

use super::oracle::{Row, hex};
use backend::{Engine, Moves, Options, Reasoner, State, Turn};
use gdl::Lowered;
use rg_ir::StateView as _;
use std::time::{Duration, Instant};

/// A lowered game in an engine.
pub(crate) struct Player {
    pub(crate) lowered: Lowered,
    pub(crate) reasoner: Reasoner,
}

/// One step: per role the legal moves (KIF strings, sorted), and what was chosen.
pub(crate) struct Step {
    pub(crate) legal: Vec<Vec<String>>,
}

impl Player {
    pub(crate) fn new(lowered: Lowered) -> Result<Self, String> {
        // State texts ask for all fluents, also for those that nobody reads any more.
        let options = Options { engine: Engine::Backtracking, keep_dead: true, ..Options::default() };
        let reasoner = Reasoner::with_options(&lowered.game, options).map_err(|error| error.to_string())?;
        Ok(Self { lowered, reasoner })
    }

    /// Makes one joint step; `choose` gets the role and its sorted legal moves.
    pub(crate) fn step(
        &self,
        state: &mut State,
        mut choose: impl FnMut(usize, &[String]) -> usize,
    ) -> Result<Step, String> {
        let mut step = Step { legal: Vec::new() };
        let vocabulary = &self.lowered.vocabulary;
        let mover = self.mover(state);
        for (number, role) in vocabulary.roles.iter().enumerate() {
            if role.player.is_none() || vocabulary.turn_based && mover != role.player {
                step.legal.push(role.waiting.iter().cloned().collect());
                continue;
            }
            let mut moves = Moves::new();
            self.reasoner.legal_moves(state, &mut moves).map_err(|error| error.to_string())?;
            let mut list: Vec<(String, usize)> = (0..moves.len())
                .map(|index| {
                    let tag = self.reasoner.tags_text(moves.tags(index));
                    (role.term(&tag).unwrap_or_else(|| format!("?{tag}")), index)
                })
                .collect();
            list.sort();
            let terms: Vec<String> = list.iter().map(|(term, _)| term.clone()).collect();
            let choice = choose(number, &terms);
            self.reasoner.apply(state, &moves, list[choice].1).map_err(|error| error.to_string())?;
            step.legal.push(terms);
        }
        Ok(step)
    }

    fn mover(&self, state: &State) -> Option<String> {
        match self.reasoner.turn(state) {
            Turn::Player(number) => self.reasoner.players().get(number).cloned(),
            Turn::Random => Some("random".to_owned()),
            _ => None,
        }
    }

    /// Goal values of all roles.
    pub(crate) fn goals(&self, state: &State) -> Vec<String> {
        let view = self.reasoner.view(state);
        let goal = |role: &gdl::lower::RoleNames| {
            let keys: Vec<&str> = role.goal.1.iter().map(String::as_str).collect();
            view.get(&role.goal.0, &keys).unwrap_or("none").to_owned()
        };
        self.lowered.vocabulary.roles.iter().map(goal).collect()
    }

    pub(crate) fn text(&self, state: &State) -> String {
        self.lowered.vocabulary.state_text(&self.reasoner.view(state))
    }

    /// Compares with a row of the oracle, as far as the time allows; `Err` says what differs.
    pub(crate) fn agree(&self, row: &Row, time: Duration) -> Result<String, String> {
        let start = Instant::now();
        let state = self.reasoner.initial().map_err(|error| error.to_string())?;
        let same = |what: &str, ours: &str, theirs: &str| {
            if ours == theirs || theirs.is_empty() {
                Ok(())
            } else {
                Err(format!("{what}: {ours} instead of {theirs}"))
            }
        };
        let names: Vec<&str> = self.lowered.vocabulary.roles.iter().map(|role| role.name.as_str()).collect();
        same("roles", &names.join(" "), &row["roles"])?;
        same("initial state", &hex(&self.text(&state)), &row["init_hash"])?;
        let mut checked = String::from(if self.lowered.vocabulary.turn_based { "turns init" } else { "init" });
        if !self.reasoner.is_terminal(&state) && !row["init_legal"].is_empty() {
            let mut copy = state.clone();
            let step = self.step(&mut copy, |_, _| 0)?;
            let counts: Vec<String> = step.legal.iter().map(|list| list.len().to_string()).collect();
            same("initial legal moves", &counts.join(" "), &row["init_legal"])?;
            let hashes: Vec<String> = step.legal.iter().map(|list| hex(&list.join("\n"))).collect();
            same("initial legal hashes", &hashes.join(" "), &row["init_legal_hash"])?;
        }
        for playout in 0..3 {
            if start.elapsed() > time {
                return Ok(format!("{checked} (time)"));
            }
            if self.playout(row, playout, start + time)? {
                checked += &format!(" p{playout}");
            } else {
                checked += &format!(" p{playout}~");
            }
        }
        for depth in 1..=6 {
            let Some(count) = row.get(&format!("n{depth}")).and_then(|text| text.parse::<u64>().ok()) else { break };
            if count > 5_000 || start.elapsed() > time {
                break;
            }
            let ours = self
                .reasoner
                .perft(&state, depth * self.lowered.vocabulary.plies() as u32)
                .map_err(|error| error.to_string())?;
            same(&format!("n{depth}"), &ours.to_string(), &count.to_string())?;
            checked += &format!(" n{depth}");
        }
        Ok(checked)
    }

    fn playout(&self, row: &Row, playout: usize, until: Instant) -> Result<bool, String> {
        let column = |name: &str| row[&format!("p{playout}_{name}")].as_str();
        let mut state = self.reasoner.initial().map_err(|error| error.to_string())?;
        let (mut hashes, mut counts) = (Vec::new(), Vec::new());
        let expected: Vec<&str> = column("counts").split(',').filter(|text| !text.is_empty()).collect();
        while !self.reasoner.is_terminal(&state) && counts.len() < 300 {
            if Instant::now() > until {
                return Ok(false);
            }
            let k = counts.len();
            if column("status") == "cut" && k >= expected.len() {
                return Ok(true);
            }
            let step = self
                .step(&mut state, |role, legal| (7 * k + 3 * role + playout) % legal.len())
                .map_err(|error| format!("p{playout} step {k}: {error}"))?;
            let text = step.legal.iter().map(|list| list.len().to_string()).collect::<Vec<_>>().join(":");
            if expected.get(k) != Some(&text.as_str()) {
                return Err(format!("p{playout} step {k}: counts {text} instead of {:?}", expected.get(k)));
            }
            counts.push(text);
            hashes.push(hex(&self.text(&state)));
        }
        if column("status") == "cut" {
            return Ok(true);
        }
        if hex(&hashes.join("\n")) != column("hash") {
            return Err(format!("p{playout}: hash {} instead of {}", hex(&hashes.join("\n")), column("hash")));
        }
        if self.reasoner.is_terminal(&state) {
            let scores = self.goals(&state).join(" ");
            if scores != column("goals") {
                return Err(format!("p{playout}: goals {scores} instead of {}", column("goals")));
            }
        }
        Ok(true)
    }
}
