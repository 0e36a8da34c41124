//! Ctrl-C, for commands that have something to say about what they did until then.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of a command that was interrupted, as shells have it: 128 and the number of the signal.
pub(crate) const EXIT: u8 = 130;

/// Whether the command was asked to end. From the first call on, the first request sets it; a second one ends the process at once. Where
/// requests cannot be caught, it stays unset, and the first one ends the process.
pub(crate) fn requests() -> &'static AtomicBool {
    static REQUESTED: AtomicBool = AtomicBool::new(false);
    static CAUGHT: OnceLock<()> = OnceLock::new();
    CAUGHT.get_or_init(|| {
        let caught = ctrlc::set_handler(|| {
            if REQUESTED.swap(true, Ordering::Relaxed) {
                crate::terminal::put_back();
                std::process::exit(i32::from(EXIT));
            }
        });
        // Without a handler the operating system does what it does anyway.
        let _ = caught;
    });
    &REQUESTED
}

/// Whether the command was asked to end.
pub(crate) fn is_requested() -> bool {
    requests().load(Ordering::Relaxed)
}

/// Forgets a request that was followed, or that was not meant for what comes.
pub(crate) fn forget() {
    requests().store(false, Ordering::Relaxed);
}
