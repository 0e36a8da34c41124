//! Tiered compilation: what runs at first is ready soon, and what takes over is fast.
//!
//! Tiers are bytecode, machine code whose registers are allocated in one pass, and machine code whose registers are allocated with
//! backtracking and splitting: that takes two to five times as long to compile, and is up to twice as fast. After some calls, a thread
//! compiles what has been called, and all before optimised code takes over from bytecode; what is first called later is compiled then. All
//! tiers give the same results.

use super::native::{Called, Native, Sink};
use super::{Decisions, Executor, Pause, Play, Run, SideExit, Vm};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use wir::profile::Profile;
use wir::{FnId, Program};

/// Calls after which a thread compiles: what takes less is over before that is ready.
const CALLS: u64 = 2_000;

/// Runs a program on the first tier and, after some calls, on higher ones.
pub struct Tiered {
    name: &'static str,
    /// What runs at first.
    first: Box<dyn Executor>,
    higher: Arc<Higher>,
    calls: AtomicU64,
}

/// Machine code that takes over.
struct Higher {
    program: Program,
    profile: Option<Profile>,
    /// Plies that [`Native`] plays before whole plays become one function.
    plies: u64,
    /// Whether it takes over from bytecode: then all functions are compiled before it does.
    after_bytecode: bool,
    /// `None` if it is not compiled: what ran before goes on.
    quick: OnceLock<Option<Native>>,
    optimised: OnceLock<Option<Native>>,
    called: Called,
}

/// Whether code may be compiled with registers that are allocated in one pass: each value that does not stay in a register has a word
/// of the stack for itself, so that procedures that call each other would run out of it.
fn allows_quick(program: &Program) -> bool {
    program.scratch_words == 0
}

/// Machine code; in tiers, unless `plies` is 0 or the program has procedures. `plies` and the profile are as for [`Native::with_profile`].
///
/// # Errors
/// As for [`Native::with_profile`].
pub fn machine_code(program: &Program, plies: u64, profile: Option<Profile>) -> Result<Box<dyn Executor>, String> {
    if plies == 0 || !allows_quick(program) {
        return Ok(Box::new(Native::with_profile(program, plies, profile)?));
    }
    Ok(Box::new(Tiered::from_machine_code(program, plies, profile)?))
}

impl Higher {
    fn new(program: &Program, plies: u64, profile: Option<Profile>) -> Self {
        Self {
            program: program.clone(),
            profile,
            plies,
            after_bytecode: false,
            quick: OnceLock::new(),
            optimised: OnceLock::new(),
            called: Called::new(program),
        }
    }

    /// The machine code of the last tier, with all that has been called.
    fn optimised(&self) -> Option<&Native> {
        let compile = || {
            let native = Native::with_profile(&self.program, self.plies, self.profile.clone()).ok()?;
            let compiled = if self.after_bytecode { native.compile_all() } else { native.compile_called(&self.called) };
            compiled.is_ok().then_some(native)
        };
        self.optimised.get_or_init(compile).as_ref()
    }

    fn compile(&self) {
        if self.after_bytecode && allows_quick(&self.program) {
            self.quick.get_or_init(|| {
                let native = Native::quick(&self.program).ok()?;
                native.compile_called(&self.called).is_ok().then_some(native)
            });
        }
        self.optimised();
    }
}

impl Tiered {
    /// Bytecode at once, machine code later.
    ///
    /// # Errors
    /// As for [`Vm::new`]; without room for machine code, the bytecode goes on.
    pub fn from_bytecode(program: &Program, profile: Option<Profile>) -> Result<Self, String> {
        let higher = Higher { after_bytecode: true, ..Higher::new(program, u64::MAX, profile) };
        Ok(Self::new("auto", Box::new(Vm::new(program)?), higher))
    }

    /// Machine code from the beginning, which is compiled quickly. `plies` and the profile are as for [`Native::with_profile`].
    ///
    /// # Errors
    /// As for [`Native::with_profile`].
    pub fn from_machine_code(program: &Program, plies: u64, profile: Option<Profile>) -> Result<Self, String> {
        profile.iter().try_for_each(|profile| profile.fits(program))?;
        let first = Native::quick(program)?;
        Ok(Self::new("native", Box::new(first), Higher::new(program, plies, profile)))
    }

    fn new(name: &'static str, first: Box<dyn Executor>, higher: Higher) -> Self {
        Self { name, first, higher: Arc::new(higher), calls: AtomicU64::new(0) }
    }

    /// The highest tier that is ready.
    fn engine(&self) -> &dyn Executor {
        if let Some(Some(native)) = self.higher.optimised.get() {
            return native;
        }
        // Later calls write nothing that threads share.
        if self.calls.load(Ordering::Relaxed) <= CALLS && self.calls.fetch_add(1, Ordering::Relaxed) == CALLS {
            let higher = self.higher.clone();
            // Without a thread, the first tier goes on.
            let _ = std::thread::Builder::new().name("compiler".to_owned()).spawn(move || higher.compile());
        }
        match self.higher.quick.get() {
            Some(Some(native)) => native,
            _ => &*self.first,
        }
    }

    fn noted(&self, function: FnId, sink: Sink) -> &dyn Executor {
        self.higher.called.note(function, sink);
        self.engine()
    }
}

impl Executor for Tiered {
    fn name(&self) -> &'static str {
        self.name
    }

    fn running(&self) -> &'static str {
        let native = [&self.higher.optimised, &self.higher.quick].into_iter().find_map(|tier| tier.get()?.as_ref());
        native.map_or(self.first.name(), Executor::name)
    }

    fn settle(&self) {
        if let Some(native) = self.higher.optimised() {
            // What was first called while the thread compiled the rest. What fails takes side exits.
            let _ = native.compile_called(&self.higher.called);
        }
    }

    fn list(&self, function: FnId, state: &[u64], moves: &mut Vec<u64>) -> Result<(), SideExit> {
        self.noted(function, Sink::List).list(function, state, moves)
    }

    fn count(&self, function: FnId, state: &[u64]) -> Result<u64, SideExit> {
        self.noted(function, Sink::Count).count(function, state)
    }

    fn runs(&self, function: FnId, state: &[u64], runs: &mut Vec<Run>) -> Result<u64, SideExit> {
        self.noted(function, Sink::Runs).runs(function, state, runs)
    }

    fn call(&self, function: FnId, state: &mut [u64], argument: u64) -> Result<u64, SideExit> {
        self.noted(function, Sink::Call).call(function, state, argument)
    }

    fn plies(&self, game: &Decisions, play: &mut Play<'_>) -> Pause {
        if let Some(Some(native)) = self.higher.optimised.get() {
            return native.plies(game, play);
        }
        self.higher.called.note_plies(game);
        // Play by play and ply by ply, so that the change is not put off.
        let (limit, mut others) = (play.tally.limit, play.left.saturating_sub(1));
        play.left = play.left.min(1);
        // What is made speculatively would be made once more if there is a pause after it.
        let speculative = std::mem::take(&mut play.speculative);
        play.tally.limit = limit.min(play.tally.plies + 1);
        let pause = loop {
            let pause = self.engine().plies(game, play);
            if pause == Pause::Over && others > 0 && play.begin() {
                (others, play.left, play.tally.limit) = (others - 1, 1, limit.min(1));
                continue;
            }
            if pause != Pause::Asked || play.tally.plies < play.tally.limit || play.tally.limit >= limit {
                break pause;
            }
            play.tally.limit += 1;
        };
        play.left += others;
        play.speculative = speculative;
        play.tally.limit = limit;
        pause
    }
}
