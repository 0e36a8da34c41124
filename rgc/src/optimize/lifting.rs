//! Lifted forms of GDL sheets against the ground form of the same sheet, in lock step.
//!
//! Both are translations of one sheet, made in ways that have little in common: the ground form is the rules themselves
//! without variables, the lifted form is what the front end has proved moves to change. So a state in which they differ is a
//! defect of the translation.

use backend::joint::{Budget, Difference, Extent, Information, JointReasoner, compare};
use backend::{Engine, Limits, Options, Reasoner};
use gdl::normal::{Program, normalize};
use gdl::{Description, GdlNotation, Lowered};
use rg_ir::Diagnostic;

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
        // All fluents are compared, also those that nobody reads any more.
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
    ground: Playable,
}

impl Sheet {
    /// Grounds a sheet.
    ///
    /// # Errors
    /// A limit is met, or the game cannot be run.
    pub fn new(description: &Description, limits: gdl::Limits) -> Result<Self, Box<Diagnostic>> {
        let mut program = normalize(description)?;
        gdl::forget(&mut program);
        let information = if program.has_percepts() { Information::Percepts } else { Information::Open };
        let ground = Playable::new(gdl::translate_ground(description, limits)?, information);
        let ground = ground.map_err(|error| crate::session::finding("IO337", error))?;
        Ok(Self { program, information, ground })
    }

    /// The ground form.
    pub fn ground(&self) -> &Playable {
        &self.ground
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
        let (Some(ours), Some(theirs)) = (self.ground.game(), lifted.game()) else {
            return Verdict::NotRun("the notation knows no joint moves".to_owned());
        };
        match compare(&ours, &theirs, ["the ground form", "the lifted form"], budget) {
            Ok(extent) => Verdict::Same(extent),
            Err(difference) => Verdict::Different(difference),
        }
    }
}

/// Limits that games without an end meet soon.
fn limits() -> Limits {
    Limits { keeper_moves: 100_000, moves: 500_000, visited: 2_000_000, memory: 1 << 29, ..Limits::default() }
}
