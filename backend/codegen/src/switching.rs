//! Bytecode at once, machine code as soon as it is ready and worth it.

use super::native::Native;
use super::{Decisions, Executor, Pause, Play, Run, SideExit, Vm};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use wir::profile::Profile;
use wir::{FnId, Program};

/// Calls after which machine code is made: what takes less is over before it is ready.
const CALLS: u64 = 2_000;

/// Runs a program as bytecode and, after some calls, compiles it in another thread; then it runs as machine code. Both give
/// the same results.
pub struct Switching {
    vm: Vm,
    program: Arc<(Program, Option<Profile>)>,
    native: Arc<OnceLock<Native>>,
    calls: AtomicU64,
}

impl Switching {
    /// Prepares the bytecode.
    ///
    /// # Errors
    /// As for [`Vm::new`].
    pub fn new(program: &Program) -> Result<Self, String> {
        Self::with_profile(program, None)
    }

    /// As [`Switching::new`], with what plays are like ([`Native::with_profile`]).
    ///
    /// # Errors
    /// As for [`Vm::new`].
    pub fn with_profile(program: &Program, profile: Option<Profile>) -> Result<Self, String> {
        let vm = Vm::new(program)?;
        let program = Arc::new((program.clone(), profile));
        Ok(Self { vm, program, native: Arc::default(), calls: AtomicU64::new(0) })
    }

    fn engine(&self) -> &dyn Executor {
        if let Some(native) = self.native.get() {
            return native;
        }
        if self.calls.fetch_add(1, Ordering::Relaxed) == CALLS {
            let (program, ready) = (self.program.clone(), self.native.clone());
            let compile = move || {
                let (program, profile) = &*program;
                if let Ok(native) = Native::with_profile(program, u64::MAX, profile.clone())
                    && native.compile_all().is_ok()
                {
                    // Nobody else sets it.
                    let _ = ready.set(native);
                }
            };
            // Without a thread, or without room for the code, the bytecode goes on.
            let _ = std::thread::Builder::new().name("compiler".to_owned()).spawn(compile);
        }
        &self.vm
    }
}

impl Executor for Switching {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn running(&self) -> &'static str {
        self.native.get().map_or(self.vm.name(), Executor::name)
    }

    fn list(&self, function: FnId, state: &[u64], moves: &mut Vec<u64>) -> Result<(), SideExit> {
        self.engine().list(function, state, moves)
    }

    fn count(&self, function: FnId, state: &[u64]) -> Result<u64, SideExit> {
        self.engine().count(function, state)
    }

    fn runs(&self, function: FnId, state: &[u64], runs: &mut Vec<Run>) -> Result<u64, SideExit> {
        self.engine().runs(function, state, runs)
    }

    fn call(&self, function: FnId, state: &mut [u64], argument: u64) -> Result<u64, SideExit> {
        self.engine().call(function, state, argument)
    }

    fn plies(&self, game: &Decisions, play: &mut Play<'_>) -> Pause {
        if let Some(native) = self.native.get() {
            return native.plies(game, play);
        }
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
