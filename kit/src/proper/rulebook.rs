//! Well-formedness of games of joint moves (specification of GDL, 5.5), tested on the rules as they are written.
//!
//! States are looked at in order of their distance from the start, in joint moves: whether every role can move, has exactly one
//! goal value at the end, and whether the sheet's declarations of fluents (`base`) and moves (`input`), where it has them,
//! contain what is reached. The rules are asked from the top, which is slow, so CPU time is bounded, too.

use super::Broken;
use cpu_time::ThreadTime;
use gdl::codes;
use rg_ir::{JointMoves, RuleBook};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Duration;

/// CPU time.
const TIME: Duration = Duration::from_secs(20);
/// Joint moves of one state that are made at most.
const MAX_JOINT_MOVES: usize = 1_000;

/// What was found.
#[derive(Default)]
pub struct Examined {
    /// One for every kind and role.
    pub(super) broken: Vec<Broken>,
    /// States looked at.
    pub(super) states: u64,
    /// Whether these are all.
    pub(super) complete: bool,
    /// Questions that were given up.
    pub(super) given_up: u64,
}

impl Examined {
    /// Where there is nothing to ask.
    pub fn unneeded() -> Self {
        Self { complete: true, ..Self::default() }
    }
}

/// Looks at up to so many states.
pub(super) fn examine(joint: &dyn JointMoves, rules: &mut dyn RuleBook, positions: u64) -> Examined {
    let mut run = Run { roles: joint.roles().into_iter().map(str::to_owned).collect(), ..Run::default() };
    run.declared = rules.declared().unwrap_or_default();
    match rules.initial() {
        Some(initial) => run.explore(rules, initial, positions),
        None => run.found.given_up += 1,
    }
    run.found
}

#[derive(Default)]
struct Run {
    roles: Vec<String>,
    declared: rg_ir::Declared,
    /// The states found, each with the number of the one before and the joint move that led to it.
    states: Vec<(String, Option<(usize, String)>)>,
    numbers: FxHashMap<String, usize>,
    said: FxHashSet<(&'static str, String)>,
    found: Examined,
}

impl Run {
    fn explore(&mut self, rules: &mut dyn RuleBook, initial: String, positions: u64) {
        let begun = ThreadTime::now();
        self.add(initial, None);
        let mut at = 0;
        while at < self.states.len() {
            if at as u64 >= positions || begun.elapsed() > TIME {
                return;
            }
            if self.look(rules, at).is_none() {
                self.found.given_up += 1;
            }
            at += 1;
            self.found.states = at as u64;
        }
        self.found.complete = self.found.given_up == 0;
    }

    fn add(&mut self, state: String, from: Option<(usize, String)>) {
        if !self.numbers.contains_key(&state) {
            self.numbers.insert(state.clone(), self.states.len());
            self.states.push((state, from));
        }
    }

    /// Looks at a state, and adds those after it; `None` if a question was given up.
    fn look(&mut self, rules: &mut dyn RuleBook, at: usize) -> Option<()> {
        let state = self.states.get(at)?.0.clone();
        self.fluents(at, &state);
        if rules.is_terminal(&state)? {
            let goals = rules.goals(&state)?;
            self.goals(at, &goals);
            return Some(());
        }
        let legal = rules.legal(&state)?;
        self.moves(at, &legal);
        if legal.iter().any(Vec::is_empty) {
            return Some(());
        }
        let mut joint: Vec<Vec<String>> = vec![Vec::new()];
        for moves in &legal {
            let longer = |before: &Vec<String>, last: &String| before.iter().chain([last]).cloned().collect();
            joint = joint.iter().flat_map(|before| moves.iter().map(move |last| longer(before, last))).collect();
            if joint.len() > MAX_JOINT_MOVES {
                joint.truncate(MAX_JOINT_MOVES);
                self.found.given_up += 1;
            }
        }
        for moves in joint {
            let next = rules.next(&state, &moves)?;
            self.add(next, Some((at, crate::wellformed::joint_text(&moves))));
        }
        Some(())
    }

    /// That reached fluents are declared.
    fn fluents(&mut self, at: usize, state: &str) {
        let Some(declared) = &self.declared.fluents else { return };
        let missing = state.lines().find(|fluent| !fluent.is_empty() && !declared.contains(*fluent));
        if let Some(fluent) = missing.map(str::to_owned) {
            self.note(at, codes::D5_UNDECLARED, "base", format!("`{fluent}` is reachable, but not in `base`"));
        }
    }

    /// That all roles can move, and that their moves are declared.
    fn moves(&mut self, at: usize, legal: &[Vec<String>]) {
        for (role, moves) in self.roles.clone().into_iter().zip(legal) {
            if moves.is_empty() {
                self.note(at, codes::D1_STUCK, &role, format!("`{role}` has no legal move, and the game is not over"));
            }
            let Some(declared) = &self.declared.moves else { continue };
            let undeclared = moves.iter().find(|&text| !declared.contains(&(role.clone(), text.clone())));
            if let Some(text) = undeclared.cloned() {
                let what = format!("`{text}` is legal for `{role}`, but not in `input`");
                self.note(at, codes::D5_UNDECLARED, &role, what);
            }
        }
    }

    /// That all roles but chance have one goal value.
    fn goals(&mut self, at: usize, goals: &[Vec<String>]) {
        for (role, values) in self.roles.clone().into_iter().zip(goals) {
            match values.as_slice() {
                [_] => {}
                [] if role == "random" => {}
                [] => {
                    let what = format!("`{role}` has no goal value in a terminal state");
                    self.note(at, codes::D2_NONE, &role, what);
                }
                several => {
                    let (count, values) = (several.len(), several.join("|"));
                    let what = format!("`{role}` has {count} goal values in a terminal state: {values}");
                    self.note(at, codes::D2_SEVERAL, &role, what);
                }
            }
        }
    }

    /// Keeps a violation, the first of its kind about a role.
    fn note(&mut self, at: usize, code: &'static str, role: &str, what: String) {
        if self.said.insert((code, role.to_owned())) {
            let shortest = self.found.given_up == 0;
            self.found.broken.push(Broken::of_rules(code, what, self.game(at), shortest));
        }
    }

    /// The joint moves that lead to a state.
    fn game(&self, mut at: usize) -> Vec<String> {
        let mut moves = Vec::new();
        while let Some((_, Some((before, text)))) = self.states.get(at) {
            moves.push(text.clone());
            at = *before;
        }
        moves.reverse();
        moves
    }
}
