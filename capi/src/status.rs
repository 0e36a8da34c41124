//! What a call answers, and the text that goes with an error.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The answers; the header has the same numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub(crate) enum Status {
    Ok = 0,
    Null = 1,
    Handle = 2,
    Text = 3,
    Language = 4,
    Engine = 5,
    Game = 6,
    Run = 7,
    Index = 8,
    Buffer = 9,
    Panic = 10,
}

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

impl Status {
    /// Sets the text of the error.
    pub(crate) fn saying(self, text: &str) -> Self {
        // During the end of a thread there is nobody left to read it.
        let _ = LAST.try_with(|last| {
            if let Ok(mut last) = last.try_borrow_mut() {
                text.clone_into(&mut last);
            }
        });
        self
    }
}

/// The text of the last error of this thread.
pub(crate) fn last() -> String {
    LAST.try_with(|last| last.try_borrow().map(|text| text.clone()).unwrap_or_default()).unwrap_or_default()
}

/// Runs a call to its end, whatever happens.
pub(crate) fn guarded(call: impl FnOnce() -> Result<Status, Status>) -> Result<Status, Status> {
    // What a panic leaves behind is behind a lock, which is then poisoned and refused.
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| Err(Status::Panic.saying("an internal error")))
}

/// As [`guarded`], as a number.
pub(crate) fn answer(call: impl FnOnce() -> Result<Status, Status>) -> i32 {
    guarded(call).unwrap_or_else(|status| status) as i32
}
