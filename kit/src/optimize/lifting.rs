//! Lifted forms of GDL sheets against the ground form of the same sheet, in lock step.
//!
//! Both are translations of one sheet, made in ways that have little in common: the ground form is the rules themselves
//! without variables, the lifted form is what the front end has proved moves to change. So a state in which they differ is a
//! defect of the translation.

use crate::finding;
use crate::table::counted;
use backend::joint::{Budget, Difference, Extent, Information, JointReasoner, compare};
use backend::{Engine, Limits, Options, Reasoner};
use gdl::normal::{Program, normalize};
use gdl::{Description, GdlNotation, Lowered};
use rg_ir::Diagnostic;
use std::time::Duration;

/// A way to lift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// As games are lifted.
    Usual,
    /// The compact form, which is used where there are too many cases otherwise.
    Compact,
}

/// What became of a comparison.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The sheet is not lifted, for this reason.
    NotLifted(String),
    /// A form cannot be run.
    NotRun(String),
    /// Nothing differs.
    Same(Extent),
    /// What differs.
    Different(Box<Difference>),
}

/// A translated sheet that can be played.
pub struct Playable {
    reasoner: Reasoner,
    notation: GdlNotation,
    information: Information,
}

impl Playable {
    fn new(lowered: Lowered, information: Information) -> Result<Self, String> {
        // All fluents are compared, also those that are not read any more.
        let options = Options { engine: Engine::Backtracking, keep_dead: true, limits: limits(), ..Options::default() };
        let reasoner = Reasoner::with_options(&lowered.game, options).map_err(|error| error.to_string())?;
        Ok(Self { reasoner, notation: GdlNotation::new(lowered.vocabulary), information })
    }

    /// The game, step by step.
    pub fn game(&self) -> Option<JointReasoner<'_>> {
        JointReasoner::new(&self.reasoner, &self.notation, self.information)
    }
}

/// A sheet in its ground form, to compare others with.
pub struct Sheet {
    program: Program,
    information: Information,
    /// The ground form, or why it cannot be run.
    ground: Result<Playable, String>,
}

impl Sheet {
    /// Grounds a sheet.
    ///
    /// # Errors
    /// A limit is met.
    pub fn new(description: &Description, limits: gdl::Limits) -> Result<Self, Box<Diagnostic>> {
        let mut program = normalize(description)?;
        gdl::forget(&mut program);
        let information = if program.has_percepts() { Information::Percepts } else { Information::Open };
        let ground = Playable::new(gdl::translate_ground(description, limits)?, information);
        Ok(Self { program, information, ground })
    }

    /// The ground form, if it can be run.
    pub fn ground(&self) -> Option<&Playable> {
        self.ground.as_ref().ok()
    }

    /// Compares a lifted form with the ground form.
    pub fn compare(&self, form: Form, budget: &Budget) -> Verdict {
        let lifted = match form {
            Form::Usual => gdl::lift(&self.program),
            Form::Compact => gdl::lift_compact(&self.program),
        };
        let lifted = match lifted {
            Ok(lowered) => Playable::new(lowered, self.information),
            Err(reason) => return Verdict::NotLifted(reason.0),
        };
        let lifted = match lifted {
            Ok(lifted) => lifted,
            Err(error) => return Verdict::NotRun(error),
        };
        let ground = match &self.ground {
            Ok(ground) => ground,
            Err(error) => return Verdict::NotRun(error.clone()),
        };
        let (Some(ours), Some(theirs)) = (ground.game(), lifted.game()) else {
            return Verdict::NotRun("the notation knows no joint moves".to_owned());
        };
        match compare(&ours, &theirs, ["the ground form", "the lifted form"], budget) {
            Ok(extent) => Verdict::Same(extent),
            Err(difference) => Verdict::Different(difference),
        }
    }
}

/// How much `--verify` compares.
const THOROUGH: Budget =
    Budget { steps: 20_000, plays: 100, length: 300, seed: 1, time: Some(Duration::from_secs(20)) };

/// Compares the lifted form of a sheet with its ground form; says what was compared.
///
/// # Errors
/// The forms differ (`IO337`).
pub fn verify(description: &Description, limits: gdl::Limits) -> Result<String, Box<Diagnostic>> {
    let sheet = match Sheet::new(description, limits) {
        Ok(sheet) => sheet,
        Err(error) => return Ok(format!("lifted and ground form are not compared: {}", error.message)),
    };
    match sheet.compare(Form::Usual, &THOROUGH) {
        Verdict::Same(Extent { states: 0, .. }) => {
            Ok("lifted and ground form are not compared: the ground form cannot be run".to_owned())
        }
        Verdict::Same(Extent { states, complete: true, .. }) => {
            let states = counted(states, "state");
            Ok(format!("lifted and ground form agree in {states}, which are all that can be reached"))
        }
        Verdict::Same(Extent { states, steps, .. }) => {
            let (states, steps) = (counted(states, "state"), counted(steps, "step"));
            Ok(format!("lifted and ground form agree in {states} on {steps}: the first ones, and random games"))
        }
        Verdict::NotLifted(reason) => Ok(format!("the game is not lifted, so there is nothing to compare: {reason}")),
        Verdict::NotRun(error) => Ok(format!("lifted and ground form are not compared: {error}")),
        Verdict::Different(difference) => {
            let found = finding("IO337", format!("lifted and ground form are different games {difference}"));
            Err(Box::new(found.help("this is a defect of the translation, please report it")))
        }
    }
}

/// Limits that games without an end meet soon.
fn limits() -> Limits {
    Limits { keeper_moves: 100_000, moves: 500_000, visited: 2_000_000, memory: 1 << 29, ..Limits::default() }
}
