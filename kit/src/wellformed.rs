//! What is wrong with states that are reached in a game of joint moves (GDL): a role without a legal move, without a goal
//! value at the end, or with several. The game goes on as far as it can, and there is a warning.
//!
//! The rules are asked as they are written ([`RuleBook`]): a translation has one goal value per role, and engines know only
//! whether the next one to choose can move.

use crate::load::Loaded;
use crate::runner::Runner;
use backend::{Moves, State};
use gdl::codes;
use rg_ir::{Diagnostic, JointMoves, Part, RuleBook};

/// Random games that are looked at.
const GAMES: u64 = 20;

/// Steps of such a game at most.
const STEPS: usize = 300;

/// Rules that are tried for all of them together. They count, and not the time, so that the same is found everywhere.
const WORK: usize = 400_000;

/// A game so far, by its joint moves.
pub struct Course {
    state: String,
    moves: Vec<Vec<String>>,
}

impl Course {
    /// A game that begins with that state.
    pub fn new(state: String) -> Self {
        Self { state, moves: Vec::new() }
    }

    /// Adds a step, and the state after it.
    pub fn add(&mut self, moves: Vec<String>, state: String) {
        self.moves.push(moves);
        self.state = state;
    }

    /// The state that is reached.
    pub fn state(&self) -> &str {
        &self.state
    }

    fn note(&self, finding: Diagnostic) -> Diagnostic {
        if self.moves.is_empty() {
            return finding.note("in the initial state");
        }
        let moves: Vec<String> = self.moves.iter().map(|moves| joint_text(moves)).collect();
        finding.note(format!("after the moves `{}`", moves.join("; ")))
    }
}

/// A joint move as a KIF term: `(noop (mark 1 1))`; of a single role, its move.
pub fn joint_text(moves: &[String]) -> String {
    match moves {
        [only] => only.clone(),
        several => format!("({})", several.join(" ")),
    }
}

/// The finding about the first role without a legal move, if there is one.
pub fn stuck(joint: &dyn JointMoves, legal: &[Vec<String>], course: &Course) -> Option<Diagnostic> {
    let roles = joint.roles();
    let (role, _) = roles.iter().zip(legal).find(|(_, moves)| moves.is_empty())?;
    let message = format!("`{role}` has no legal move, and the game is not over");
    let warning = Diagnostic::warning(codes::D1_STUCK, joint.place("legal", role, None), message);
    Some(course.note(warning).help(
        "every role needs a legal move in every state that is not terminal; the game stops here, without a result",
    ))
}

/// The findings about goal values in a terminal state, one for every role without exactly one.
pub fn misjudged(joint: &dyn JointMoves, goals: &[Vec<String>], course: &Course) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (role, values) in joint.roles().iter().zip(goals) {
        let odd = values.iter().find(|value| gdl::as_score(value).is_none());
        let warning = |code, message: String| {
            Diagnostic::warning(code, joint.place("goal", role, odd.or(values.first()).map(String::as_str)), message)
        };
        let warning = match (values.len(), odd) {
            // Chance wants nothing.
            (0, _) if *role == "random" => continue,
            (0, _) => warning(codes::D2_NONE, format!("`{role}` has no goal value in a terminal state"))
                .help("exactly one is expected; none counts as 0"),
            (1, None) => continue,
            (1, Some(value)) => {
                let message = format!("the goal value of `{role}` in a terminal state is not a number: `{value}`");
                warning(codes::D2_VALUE, message).help("a number from 0 to 100 is expected; this counts as 0")
            }
            (count, _) => {
                let message = format!("`{role}` has {count} goal values in a terminal state: {}", values.join("|"));
                warning(codes::D2_SEVERAL, message).help("exactly one is expected; the greatest counts")
            }
        };
        findings.push(course.note(warning));
    }
    findings
}

/// Looks at some random games, always the same: one finding of every kind for every role. Nothing is found where that takes
/// too much work, or where the language of the game has no joint moves.
pub fn look(loaded: &Loaded) -> Vec<Diagnostic> {
    let Some(joint) = loaded.notation.joint() else { return Vec::new() };
    let Some(mut rules) = joint.rules() else { return Vec::new() };
    rules.bound(WORK);
    let mut look = Look { joint, findings: Vec::new() };
    let mut rng = backend::Rng::new(0);
    for _ in 0..GAMES {
        if look.game(rules.as_mut(), &mut rng).is_none() {
            break;
        }
    }
    let whole = loaded.whole();
    look.findings.into_iter().map(|finding| finding.or_at(whole)).collect()
}

/// The finding about a role without a legal move, or with none or several goal values at the end, after a play, given by the tags of its plies;
/// `None` if there is none.
pub fn after(runner: &Runner, play: &[String]) -> Option<Diagnostic> {
    // The rules tell only of games that start where the rules say.
    let joint = runner.loaded.notation.joint().filter(|_| runner.loaded.start.is_none())?;
    let mut rules = joint.rules()?;
    let mut course = Course::new(rules.initial()?);
    for step in steps(runner, joint, play)? {
        let moves = step.into_iter().collect::<Option<Vec<String>>>()?;
        let next = rules.next(course.state(), &moves)?;
        course.add(moves, next);
    }
    let found = if rules.is_terminal(course.state())? {
        misjudged(joint, &rules.goals(course.state())?, &course).into_iter().next()?
    } else {
        stuck(joint, &rules.legal(course.state())?, &course)?
    };
    Some(found.or_at(runner.loaded.whole()))
}

/// The steps of a play, given by the tags of its plies: per role its move, or `None` where it has not chosen yet. `None` if
/// it is no play of the game.
pub fn steps(runner: &Runner, joint: &dyn JointMoves, play: &[String]) -> Option<Vec<Vec<Option<String>>>> {
    let (mut state, mut left) = (runner.reasoner.initial().ok(), play);
    let mut steps = Vec::new();
    while !left.is_empty() {
        let mut now = state.take()?;
        let (step, goes_on) = step(runner, joint, &mut now, &mut left)?;
        state = goes_on.then_some(now);
        steps.push(step);
    }
    Some(steps)
}

/// Makes the plies of one step, taking them off a play; the moves, and whether the game can go on behind them.
fn step(
    runner: &Runner,
    joint: &dyn JointMoves,
    state: &mut State,
    play: &mut &[String],
) -> Option<(Vec<Option<String>>, bool)> {
    let forced = |part: &Part<'_>| match part {
        Part::Forced(only) => Some((*only).to_owned()),
        Part::Ply => None,
    };
    let mut step: Vec<Option<String>> = joint.step(&runner.reasoner.view(state)).iter().map(forced).collect();
    let (mut moves, mut goes_on) = (Moves::new(), true);
    for slot in step.iter_mut().filter(|slot| slot.is_none()) {
        let Some((first, rest)) = play.split_first().filter(|_| goes_on) else { break };
        *play = rest;
        runner.reasoner.legal_moves(state, &mut moves).ok()?;
        let index = (0..moves.len()).find(|&index| runner.reasoner.move_text(&moves, index) == *first)?;
        *slot = runner.texts(&moves).into_iter().nth(index);
        goes_on = runner.reasoner.apply(state, &moves, index).is_ok();
    }
    Some((step, goes_on))
}

struct Look<'a> {
    joint: &'a dyn JointMoves,
    findings: Vec<Diagnostic>,
}

impl Look<'_> {
    /// Plays one game; `None` if the work is done.
    fn game(&mut self, rules: &mut dyn RuleBook, rng: &mut backend::Rng) -> Option<()> {
        let mut course = Course::new(rules.initial()?);
        for _ in 0..STEPS {
            if rules.is_terminal(course.state())? {
                let goals = rules.goals(course.state())?;
                misjudged(self.joint, &goals, &course).into_iter().for_each(|finding| self.add(finding));
                return Some(());
            }
            let legal = rules.legal(course.state())?;
            if let Some(finding) = stuck(self.joint, &legal, &course) {
                self.add(finding);
                return Some(());
            }
            let choose = |moves: &Vec<String>| {
                let index = rng.below(u32::try_from(moves.len()).unwrap_or(u32::MAX)) as usize;
                moves.get(index).cloned().unwrap_or_default()
            };
            let moves: Vec<String> = legal.iter().map(choose).collect();
            let state = rules.next(course.state(), &moves)?;
            course.add(moves, state);
        }
        Some(())
    }

    /// Adds a finding unless there is one like it: of one kind about one role.
    fn add(&mut self, finding: Diagnostic) {
        let role = |finding: &Diagnostic| finding.message.split('`').nth(1).unwrap_or_default().to_owned();
        if !self.findings.iter().any(|other| other.code == finding.code && role(other) == role(&finding)) {
            self.findings.push(finding);
        }
    }
}
