//! Whether a game is proper, for people and programs.

pub mod rulebook;

use crate::language::Language;
use crate::load::Loaded;
use crate::moves::short_play;
use crate::runner::{place_of, rendered};
use backend::proper::{Condition, Difference, Examination, UNDECIDED, Violation};
use backend::{Engine, Error, Options, Reasoner};
use rg_ir::{Diagnostic, Game, Notation, SourceMap, Span};
use serde::Serialize;

/// Moves of a play that a message shows at most; of longer ones the last.
const SHOWN: usize = 100;

/// What the examination came to.
#[derive(Clone, Debug, Serialize)]
pub struct Proper {
    /// Whether a condition is broken.
    pub violated: bool,
    /// Whether all positions were explored, so that a game without violations is proper.
    pub complete: bool,
    /// Positions looked at one after the other.
    pub positions: u64,
    /// All positions that are fewer moves from the start than this were.
    pub depth: u32,
    /// Random plays of the reference engine.
    pub plays: u64,
    /// Random plays of the fast engine, which does not look at the validity of actions.
    pub fast_plays: u64,
    /// States of which the rules were asked as they are written, in games of joint moves.
    pub rule_states: u64,
    /// A violation in a greater share of all playouts has been seen, with a confidence of 95 %; 0 if all positions were explored.
    /// For action validity, by the playouts of the reference engine.
    pub undetected: f64,
    /// Positions, plays and questions that were given up at a limit.
    pub given_up: u64,
    /// One for every condition that is broken.
    pub violations: Vec<Broken>,
}

/// A condition that is broken.
#[derive(Clone, Debug, Serialize)]
pub struct Broken {
    /// Its number, from 1.
    pub condition: usize,
    /// What it is called.
    pub name: &'static str,
    /// The code of findings about it.
    pub code: &'static str,
    /// What is wrong.
    pub what: String,
    /// The node where it happens, in languages that name nodes; else empty.
    pub node: String,
    /// Line and column of it in the text, if it happens at a place of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<[usize; 2]>,
    /// The moves that show it, in the short notation of the game.
    pub play: Vec<String>,
    /// Moves at its end that can be repeated for ever.
    pub cycle: usize,
    /// Whether there certainly is no shorter one.
    pub shortest: bool,
    #[serde(skip)]
    span: Span,
    /// Where two ways to go on lead, in languages that do not name nodes.
    #[serde(skip)]
    ways: Vec<Span>,
}

/// What is needed to say what is wrong with a game in the terms of its language.
#[derive(Clone, Copy)]
pub struct Terms<'a> {
    /// The game that was examined.
    pub game: &'a Game,
    /// The language that it is written in.
    pub language: &'static Language,
    /// How its moves and states are written.
    pub notation: &'a dyn Notation,
    /// Moves from the start, given as tags, in the short notation.
    pub short: &'a dyn Fn(&[String]) -> Vec<String>,
}

impl Proper {
    /// Fills in lines and columns.
    pub fn locate(&mut self, sources: &SourceMap) {
        for broken in &mut self.violations {
            let position = sources.position(broken.span).filter(|_| broken.span.is_some());
            broken.at = position.map(|(line, column)| [line, column]);
        }
    }

    /// Whether the examination could not tell: nothing was looked at, or searches were given up, and no condition is broken.
    pub fn undecided(&self) -> bool {
        !self.violated && !self.complete && (self.given_up > 0 || self.positions == 0)
    }

    /// The finding that it could not tell; `seen` says what was looked at.
    pub fn undecided_finding(&self, seen: &str) -> Option<Diagnostic> {
        let found = || {
            let message = "whether the game is proper is not decided: searches for moves met their limit";
            let found = Diagnostic::error(UNDECIDED, Span::NONE, message).note(format!("no violation in {seen}"));
            found.help("`--positions N` allows the searches more steps")
        };
        self.undecided().then(found)
    }
}

impl Broken {
    /// What is wrong with the rules of a game of joint moves, after joint moves.
    fn of_rules(code: &'static str, what: String, play: Vec<String>, shortest: bool) -> Self {
        let (condition, name) = match code {
            gdl::codes::D1_STUCK => (Condition::Continuable.number(), Condition::Continuable.name()),
            gdl::codes::D5_UNDECLARED => (7, "declared fluents and moves"),
            _ => (6, "one goal value"),
        };
        let (node, span, cycle) = (String::new(), Span::NONE, 0);
        Self { condition, name, code, what, node, at: None, play, cycle, shortest, span, ways: Vec::new() }
    }

    fn new(terms: &Terms<'_>, violation: &Violation) -> Self {
        let game = terms.game;
        let place = |name: &str| {
            let node = game.symbols.get(name).and_then(|name| game.find_node(name));
            node.map_or(Span::NONE, |node| place_of(game, node))
        };
        let of_edge = violation.edge.map(|edge| game.automaton.edge(edge).span).filter(|span| span.is_some());
        let names = terms.language.writes_nodes();
        let ways = match &violation.difference {
            Some(Difference::Node(nodes)) if !names => nodes.iter().map(|node| place(node)).collect(),
            _ => Vec::new(),
        };
        Self {
            condition: violation.condition.number(),
            name: violation.condition.name(),
            code: violation.code,
            what: what(terms, violation),
            node: if names { violation.node.clone() } else { String::new() },
            at: None,
            play: (terms.short)(&violation.play),
            cycle: violation.cycle,
            shortest: violation.shortest,
            span: of_edge.unwrap_or_else(|| place(&violation.node)),
            ways,
        }
    }

    /// The play in one line; moves that can be repeated stand in brackets.
    pub fn play_text(&self) -> String {
        let hidden = self.play.len().saturating_sub(SHOWN.max(self.cycle.min(2 * SHOWN)));
        let before = self.play.len() - self.cycle.min(self.play.len());
        let part = |moves: &[String]| moves.join("; ");
        let first = part(self.play.get(hidden.min(before)..before).unwrap_or(&[]));
        let again = part(self.play.get(before.max(hidden)..).unwrap_or(&[]));
        let mut text = if hidden > 0 { format!("… {hidden} moves …; ") } else { String::new() };
        text.push_str(&first);
        if self.cycle > 0 {
            let gap = if first.is_empty() { "" } else { "; " };
            text.push_str(&format!("{gap}[{again}]"));
        }
        if self.play.is_empty() { "the start".to_owned() } else { format!("`{text}`") }
    }

    /// When it happens.
    fn when(&self) -> String {
        if self.play.is_empty() { "at the start".to_owned() } else { format!("after the moves {}", self.play_text()) }
    }

    /// What is said about the length of the play.
    pub fn rank(&self) -> &'static str {
        if self.shortest {
            "no shorter sequence of moves shows it"
        } else {
            "a shorter sequence of moves may show it, too"
        }
    }

    /// As a warning about a game that is being written, if it is about its keeper.
    pub fn draft(&self, loaded: &Loaded) -> Option<Diagnostic> {
        let keeper = self.condition == Condition::DeterministicKeeper.number();
        let endless = self.condition == Condition::Finite.number() && self.cycle == 0;
        let players = loaded.game.players();
        let message = match players.first() {
            Some(&player) if keeper && loaded.language.name == "rbg" => {
                let player = loaded.notation.render_player(loaded.game.name(player));
                format!("the keeper chooses between different positions here; did you forget `->{player}`?")
            }
            _ if keeper => "the keeper chooses between different positions here".to_owned(),
            _ if endless => self.what.clone(),
            _ => return None,
        };
        let found = Diagnostic::warning(self.code, self.span, message);
        let found = if keeper { found.note(self.what.clone()) } else { found };
        Some(found.note(self.when()))
    }

    /// As a finding.
    pub fn finding(&self) -> Diagnostic {
        let message = format!("the game is not proper ({}: {}): {}", self.condition, self.name, self.what);
        let mut found = Diagnostic::error(self.code, self.span, message);
        for (&span, text) in self.ways.iter().zip(["one goes on here", "another goes on here"]) {
            found = found.also(span, text);
        }
        if !self.node.is_empty() {
            found = found.note(format!("at node `{}`", self.node));
        }
        found.note(format!("{}; {}", self.when(), self.rank()))
    }
}

/// What is wrong, with the names of the language.
fn what(terms: &Terms<'_>, violation: &Violation) -> String {
    let notation = terms.notation;
    let Some(difference) = &violation.difference else { return violation.what.clone() };
    let player = |name: &'_ str| notation.render_player(name).to_owned();
    let difference = match difference {
        Difference::Over => "the game is over after some of them, and goes on after others".to_owned(),
        Difference::Turn([one, other]) => {
            format!("`{}` is to move after some of them, `{}` after others", player(one), player(other))
        }
        Difference::Scores(scores) => {
            let scores = scores.each_ref().map(|scores| {
                let each = scores.iter().map(|(name, score)| format!("{} {score}", player(name)));
                each.collect::<Vec<_>>().join(", ")
            });
            let [one, other] = scores;
            format!("one ends with the scores {one}; another with {other}")
        }
        Difference::Cell { place, values: [one, other] } => {
            let mut parts = place.split('[').map(|part| part.trim_end_matches(']'));
            let variable = parts.next().unwrap_or_default();
            let place = notation.render_cell(variable, &parts.collect::<Vec<_>>());
            let (one, other) = (notation.render_value(one), notation.render_value(other));
            format!("{place} is `{one}` after one of them, `{other}` after another")
        }
        Difference::Node(_) if !terms.language.writes_nodes() => {
            "they go on at different places of the rules".to_owned()
        }
        Difference::Node([one, other]) => format!("one leads to the node `{one}`, another to `{other}`"),
    };
    format!("{}: {difference}", violation.what)
}

/// Puts together what the reference engine found, and errors that the fast engine came upon; they count where the reference
/// engine found nothing.
pub fn proper(
    terms: &Terms<'_>,
    examined: &Examination,
    rules: rulebook::Examined,
    fast_plays: u64,
    failures: &[&Error],
) -> Proper {
    let mut found = examined.violations.clone();
    for error in failures {
        let Some(condition) = Condition::of(error.kind) else { continue };
        if found.iter().any(|old| old.condition == condition) {
            continue;
        }
        found.push(Violation {
            condition,
            code: error.kind.code(),
            play: error.play.clone(),
            cycle: 0,
            node: error.node.clone(),
            edge: None,
            what: error.message.clone(),
            difference: None,
            shortest: false,
        });
    }
    found.sort_by_key(|violation| violation.condition);
    // That a role cannot move is said in the words of the rules.
    let stuck = rules.broken.iter().any(|broken| broken.condition == Condition::Continuable.number());
    found.retain(|violation| !stuck || violation.condition != Condition::Continuable);
    let mut violations: Vec<Broken> =
        found.iter().map(|violation| Broken::new(terms, violation)).chain(rules.broken).collect();
    violations.sort_by_key(|broken| broken.condition);
    Proper {
        violated: !violations.is_empty(),
        complete: examined.complete && rules.complete,
        positions: examined.positions,
        depth: examined.depth,
        plays: examined.plays,
        fast_plays,
        undetected: if examined.complete && rules.complete { 0.0 } else { undetected(examined.plays) },
        rule_states: rules.states,
        given_up: examined.given_up + rules.given_up,
        violations,
    }
}

/// What the rules themselves say of so many states, where they can be asked.
pub fn of_rules(notation: &dyn Notation, positions: u64) -> rulebook::Examined {
    let Some(joint) = notation.joint() else { return rulebook::Examined::unneeded() };
    match joint.rules() {
        Some(mut rules) => rulebook::examine(joint, rules.as_mut(), positions),
        None => rulebook::Examined { given_up: 1, ..Default::default() },
    }
}

/// What happens in a greater share of all playouts than this happens in one of so many at least, with a confidence of 95 %: none of
/// them shows it otherwise. For many playouts three divided by their number; 1 for none.
pub fn undetected(plays: u64) -> f64 {
    if plays == 0 { 1.0 } else { 1.0 - 0.05_f64.powf(1.0 / plays as f64) }
}

/// Moves of a game from its start, given as tags, in its short notation; in full if no engine can be prepared for it.
pub fn short(loaded: &Loaded, play: &[String]) -> Vec<String> {
    let notation = &*loaded.notation;
    if play.is_empty() {
        return Vec::new();
    }
    let options = loaded.trusted(Options { engine: Engine::Backtracking, ..Options::default() });
    match Reasoner::with_options(&loaded.game, options) {
        Ok(reasoner) => short_play(&reasoner, notation, play),
        Err(_) => play.iter().map(|text| rendered(notation, text)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::undetected;

    #[test]
    fn what_is_rare_may_not_be_seen() {
        assert_eq!(undetected(0), 1.0);
        assert!((undetected(1) - 0.95).abs() < 1e-12);
        assert!((1.0 - undetected(50)).powi(50) - 0.05 < 1e-12 && (undetected(3_000) - 0.001).abs() < 1e-5);
    }
}
