//! Agents as text: `uct:1s,rave,threads=2`.

use crate::Agent;
use crate::alphabeta::{self, AlphaBeta, MAX_DEPTH};
use crate::belief::Belief;
use crate::budget::Budget;
use crate::flat::Flat;
use crate::payoffs::Payoffs;
use crate::simple::{Greedy, Random};
use crate::uct::{self, Uct};
use backend::{Reasoner, Rng};
use rg_ir::diag::closest;
use std::fmt;
use std::time::Duration;

/// A kind of agent with its options.
#[derive(Clone, PartialEq, Debug)]
pub struct Spec {
    text: String,
    kind: Kind,
}

#[derive(Clone, PartialEq, Debug)]
enum Kind {
    Random,
    Greedy,
    Flat(Budget),
    Uct(uct::Options),
    AlphaBeta(alphabeta::Options),
}

/// What is wrong with the text of a spec, or why such an agent does not play a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecError(String);

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SpecError {}

impl From<String> for SpecError {
    fn from(message: String) -> Self {
        Self(message)
    }
}

/// The names of agents.
pub const NAMES: &[&str] = &["random", "greedy", "flat", "uct", "mcts", "ab"];

/// The options of each kind, besides a budget, as messages name them.
const UCT_OPTIONS: &str = "`c=NUMBER`, `fpu=NUMBER`, `rave`, `rave=VISITS`, `playouts=N`, `table=on|off`, `keep=on|off`, `threads=N`, `memory=NODES`";
/// Those of them that mean nothing where something is hidden.
const OPEN_ONLY: [&str; 5] = ["rave", "playouts", "table", "keep", "threads"];
const AB_OPTIONS: &str = "`depth=PLIES`, `eval=PLAYOUTS`";

/// Descriptions of all kinds, for help texts: how they are written and what they do.
pub const KINDS: &[(&str, &str)] = &[
    ("random", "every legal move is equally likely"),
    ("greedy", "the move that leads to the best scores at once"),
    ("flat[:BUDGET]", "flat Monte Carlo: the move with the best random playouts"),
    (
        "uct[:BUDGET,OPTIONS]",
        "Monte Carlo tree search, also called `mcts`; over information sets where something is hidden",
    ),
    ("ab[:BUDGET,OPTIONS]", "alpha-beta with iterative deepening; two players, no chance, nothing hidden"),
];

impl Spec {
    /// Reads a spec: a name, and behind a colon, separated by commas, budgets and options.
    ///
    /// Budgets are `100ms` or `1.5s` (time), `1000p` (playouts) and `5000n` (nodes); the first one reached ends the search.
    ///
    /// # Errors
    /// What was found and what would be accepted, in one line.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let text = text.trim();
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let options: Vec<&str> = options.split(',').map(str::trim).filter(|option| !option.is_empty()).collect();
        let plain = |kind: Kind| match options.first() {
            None => Ok(kind),
            Some(option) => Err(SpecError(format!("`{name}` has no options, found `{option}`"))),
        };
        let kind = match name.trim() {
            "random" => plain(Kind::Random)?,
            "greedy" => plain(Kind::Greedy)?,
            "flat" => {
                let mut budget = Budget::default();
                for option in options {
                    if !budgeted(&mut budget, option)? {
                        return Err(unknown(name, option, ""));
                    }
                }
                Kind::Flat(budget)
            }
            "uct" | "mcts" => Kind::Uct(uct_options(name, &options)?),
            "ab" => Kind::AlphaBeta(ab_options(name, &options)?),
            "" => return Err(SpecError(format!("the name of an agent is missing; {}", names()))),
            other => return Err(SpecError(format!("there is no agent `{other}`; {}", names()))),
        };
        Ok(Self { text: text.to_owned(), kind })
    }

    /// The same agent, which takes that long for a move where its text says nothing of time, and no longer where it does.
    #[must_use]
    pub fn within(mut self, time: Duration) -> Self {
        let budget = match &mut self.kind {
            Kind::Random | Kind::Greedy => return self,
            Kind::Flat(budget) => budget,
            Kind::Uct(options) => &mut options.budget,
            Kind::AlphaBeta(options) => &mut options.budget,
        };
        budget.time = Some(budget.time.map_or(time, |given| given.min(time)));
        self
    }

    /// Makes an agent for one game. Equal seeds make agents that play alike, unless their budget is time.
    ///
    /// # Errors
    /// Why this kind of agent cannot play the game.
    pub fn agent(&self, reasoner: &Reasoner, seed: u64) -> Result<Box<dyn Agent>, SpecError> {
        self.agent_for(reasoner, Payoffs::new(reasoner), seed)
    }

    /// As [`Spec::agent`], for scores that are worth something else.
    ///
    /// # Errors
    /// As for [`Spec::agent`].
    pub fn agent_for(&self, reasoner: &Reasoner, payoffs: Payoffs, seed: u64) -> Result<Box<dyn Agent>, SpecError> {
        let mut rng = Rng::new(seed);
        let mut belief = || Belief::new(rng.next_u64());
        Ok(match self.kind {
            Kind::Random => Box::new(Random { rng }),
            Kind::Greedy => Box::new(Greedy { belief: belief(), payoffs, rng }),
            Kind::Flat(budget) => Box::new(Flat { belief: belief(), payoffs, budget: budget.or_a_second(), rng }),
            Kind::Uct(uct::Options { open_only: Some(option), .. }) if reasoner.hides() => {
                let what = "something is hidden from the players, so `uct` searches information sets";
                return Err(SpecError(format!("{what}, where `{option}` means nothing; leave it out")));
            }
            Kind::Uct(options) => {
                let options = uct::Options { budget: options.budget.or_a_second(), ..options };
                Box::new(Uct::new(options, &payoffs, seed))
            }
            Kind::AlphaBeta(options) => {
                let wrong = if reasoner.hides() {
                    "some player does not see a move when it is made"
                } else if reasoner.has_chance() {
                    "it has chance"
                } else if reasoner.players().len() != 2 {
                    "it is not for two players"
                } else {
                    let is_bounded = options.depth.is_some();
                    let budget = if is_bounded { options.budget } else { options.budget.or_a_second() };
                    return Ok(Box::new(AlphaBeta::new(alphabeta::Options { budget, ..options }, payoffs, seed)));
                };
                let what = "`ab` plays two-player games without chance or hidden moves";
                return Err(SpecError(format!("{what}, not this game, since {wrong}; `uct` plays all games")));
            }
        })
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::str::FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Self::parse(text)
    }
}

fn names() -> String {
    "the agents are `random`, `greedy`, `flat`, `uct` (or `mcts`) and `ab`".to_owned()
}

fn unknown(name: &str, option: &str, others: &str) -> SpecError {
    let others = if others.is_empty() { String::new() } else { format!(", or {others}") };
    let key = option.split('=').next().unwrap_or_default().trim();
    let known = others.split('`').skip(1).step_by(2).map(|other| other.split('=').next().unwrap_or_default());
    let meant = closest(key, known).map(|known| format!(" (did you mean `{known}`?)")).unwrap_or_default();
    SpecError(format!(
        "`{name}` has no option `{option}`{meant}; a budget like `100ms`, `1.5s`, `1000p` (playouts) or `1000n` (nodes) is expected{others}"
    ))
}

/// Takes an option for a budget, if it is one.
fn budgeted(budget: &mut Budget, option: &str) -> Result<bool, SpecError> {
    let end = option.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_').unwrap_or(option.len());
    let (number, unit) = option.split_at(end);
    if number.is_empty() {
        return Ok(false);
    }
    let number = number.replace('_', "");
    let count = || match number.parse::<u64>() {
        Ok(count) if count > 0 => Ok(Some(count)),
        _ => Err(SpecError(format!(
            "`{option}` is not a budget: a whole number of at least 1 is expected before `{unit}`"
        ))),
    };
    let time = |unit: f64| match number.parse::<f64>() {
        Ok(count) if count > 0.0 && count * unit <= 86_400.0 => Ok(Some(Duration::from_secs_f64(count * unit))),
        _ => Err(SpecError(format!("`{option}` is not a time: a positive number is expected, a day at most"))),
    };
    match unit {
        "p" => budget.playouts = count()?,
        "n" => budget.nodes = count()?,
        "s" => budget.time = time(1.0)?,
        "ms" => budget.time = time(0.001)?,
        _ => {
            let expected = "`ms`, `s`, `p` (playouts) or `n` (nodes) is expected after the number";
            return Err(SpecError(format!("`{option}` is not a budget: {expected}")));
        }
    }
    Ok(true)
}

fn uct_options(name: &str, given: &[&str]) -> Result<uct::Options, SpecError> {
    let mut options = uct::Options::default();
    for option in given {
        if budgeted(&mut options.budget, option)? {
            continue;
        }
        let (key, value) =
            option.split_once('=').map_or((*option, None), |(key, value)| (key.trim(), Some(value.trim())));
        let open_only = OPEN_ONLY.iter().find(|name| **name == key);
        options.open_only = options.open_only.or(open_only.copied());
        match (key, value) {
            ("c", Some(value)) => options.exploration = Some(real(option, value)?),
            ("fpu", Some(value)) => options.first_play = Some(real(option, value)?),
            ("rave", None) => options.rave = Some(500.0),
            ("rave", Some(value)) => options.rave = Some(real(option, value)?.max(f64::MIN_POSITIVE)),
            ("playouts", Some(value)) => options.playouts = Some(whole(option, value, 1..=1_000)? as u32),
            ("table", Some(value)) => options.table = switch(option, value)?,
            ("keep", Some(value)) => options.keep = switch(option, value)?,
            ("threads", Some(value)) => options.threads = whole(option, value, 1..=256)?,
            ("memory", Some(value)) => options.max_nodes = whole(option, value, 1..=100_000_000)?,
            _ => return Err(unknown(name, option, UCT_OPTIONS)),
        }
    }
    Ok(options)
}

fn ab_options(name: &str, given: &[&str]) -> Result<alphabeta::Options, SpecError> {
    let (mut budget, mut depth, mut playouts) = (Budget::default(), None, 8);
    for option in given {
        match option.split_once('=').map(|(key, value)| (key.trim(), value.trim())) {
            Some(("depth", value)) => depth = Some(whole(option, value, 1..=MAX_DEPTH as usize)? as u32),
            Some(("eval", value)) => playouts = whole(option, value, 0..=1_000_000)? as u32,
            _ if budgeted(&mut budget, option)? => {}
            _ => return Err(unknown(name, option, AB_OPTIONS)),
        }
    }
    Ok(alphabeta::Options { budget, depth, playouts })
}

fn real(option: &str, value: &str) -> Result<f64, SpecError> {
    match value.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => Err(SpecError(format!("`{option}`: a number of at least 0 is expected, found `{value}`"))),
    }
}

fn whole(option: &str, value: &str, range: std::ops::RangeInclusive<usize>) -> Result<usize, SpecError> {
    let number = value.replace('_', "").parse().ok().filter(|number| range.contains(number));
    let expected = || format!("a number from {} to {} is expected, found `{value}`", range.start(), range.end());
    number.ok_or_else(|| SpecError(format!("`{option}`: {}", expected())))
}

fn switch(option: &str, value: &str) -> Result<bool, SpecError> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(SpecError(format!("`{option}`: `on` or `off` is expected, found `{value}`"))),
    }
}

impl Budget {
    /// The time that a text such as `100ms` or `1.5s` names: more than none, and a day at most.
    pub fn read_time(text: &str) -> Option<Duration> {
        let mut budget = Budget::default();
        let is_budget = budgeted(&mut budget, text) == Ok(true);
        budget.time.filter(|_| is_budget)
    }
}

impl Spec {
    /// Splits a list of specs, separated by commas. A part that names an agent, or has a colon, begins a new one; others are
    /// options of the one before.
    pub fn split_list(text: &str) -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        for part in Self::parts(text) {
            let begins = part.contains(':') || NAMES.contains(&part.trim());
            match texts.last_mut() {
                Some(last) if !begins && last.contains(':') => {
                    last.push(',');
                    last.push_str(part);
                }
                _ => texts.push(part.to_owned()),
            }
        }
        texts
    }

    /// The parts of a text between its commas, except for those in quotation marks. Linear.
    pub fn parts(text: &str) -> Vec<&str> {
        let (mut parts, mut start, mut quote) = (Vec::new(), 0, None);
        for (at, letter) in text.char_indices() {
            match (letter, quote) {
                ('"' | '\'', None) => quote = Some(letter),
                (_, Some(open)) if open == letter => quote = None,
                (',', None) => {
                    parts.extend(text.get(start..at));
                    start = at + 1;
                }
                _ => {}
            }
        }
        parts.extend(text.get(start..));
        parts
    }

    /// Reads the specs of a list.
    ///
    /// # Errors
    /// As for [`Spec::parse`], and if there is none.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, SpecError> {
        Self::split_list(text).iter().map(|text| Self::parse(text)).collect()
    }
}
