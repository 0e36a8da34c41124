//! Stopping long work from outside: cooperative cancellation by unwinding.
//!
//! Front ends, passes and engines prepare games in many nested loops. Those that can take long call [`check`], which costs
//! a few instructions; once the [`Token`] of the [`scope`] that encloses them has been cancelled, `check` unwinds to the scope, which
//! returns `Err`. What was under way is dropped. Nothing is printed, since the panic hook is not called
//! ([`std::panic::resume_unwind`]), and work outside a scope is never stopped.
//!
//! A scope belongs to its thread. Who spreads work over threads hands [`current`] to them, and opens a scope there.

use crate::source::Span;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Tells a scope to stop. Clones belong to the same scope.
#[derive(Clone, Debug, Default)]
pub struct Token(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    cancelled: AtomicBool,
    step: Mutex<Step>,
}

/// What the work in a scope is at, for messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The place in the text that it is about.
    pub span: Span,
    /// What it does, such as ``pass `rounds` ran``; empty if that was not said.
    pub what: String,
}

impl Default for Step {
    fn default() -> Self {
        Self { span: Span::NONE, what: String::new() }
    }
}

impl Token {
    /// Stops the work in the scope at its next [`check`].
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed)
    }

    /// The step that was begun last.
    pub fn step(&self) -> Step {
        self.0.step.lock().map(|step| step.clone()).unwrap_or_default()
    }
}

/// Says what the work of the enclosing scope is at from now on. Meant for steps that take milliseconds or more; the text is only
/// made inside a scope.
pub fn begin_step(span: Span, what: impl FnOnce() -> String) {
    let Some(token) = current() else { return };
    let step = Step { span, what: what() };
    if let Ok(mut slot) = token.0.step.lock() {
        *slot = step;
    }
}

/// Work was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cancelled;

thread_local! {
    static CURRENT: RefCell<Option<Token>> = const { RefCell::new(None) };
}

/// The token of the scope that this thread is in.
pub fn current() -> Option<Token> {
    CURRENT.with_borrow(Clone::clone)
}

/// Does work that [`Token::cancel`] stops.
///
/// # Errors
/// [`Cancelled`] if it was stopped. Other panics go on.
pub fn scope<T>(token: &Token, work: impl FnOnce() -> T) -> Result<T, Cancelled> {
    let outer = CURRENT.replace(Some(token.clone()));
    // What the work has changed is dropped with it: callers hand over what they do not need any more, or copies.
    let result = catch_unwind(AssertUnwindSafe(work));
    CURRENT.set(outer);
    match result {
        Ok(value) => Ok(value),
        Err(payload) if payload.is::<Cancelled>() => Err(Cancelled),
        Err(payload) => resume_unwind(payload),
    }
}

/// Does work on another thread as a part of the scope whose token this is; `None` stands for no scope. If it is stopped, the
/// thread unwinds, which whoever joins it passes on.
pub fn within<T>(token: Option<&Token>, work: impl FnOnce() -> T) -> T {
    let outer = CURRENT.replace(token.cloned());
    let result = work();
    CURRENT.set(outer);
    result
}

/// Unwinds to the enclosing scope if that was cancelled.
#[inline]
pub fn check() {
    let cancelled = CURRENT.with_borrow(|token| token.as_ref().is_some_and(Token::is_cancelled));
    if cancelled {
        resume_unwind(Box::new(Cancelled));
    }
}

#[cfg(test)]
#[allow(clippy::panic)]
mod tests {
    use super::*;

    #[test]
    fn work_is_stopped_at_the_next_check() {
        let token = Token::default();
        let mut rounds = 0;
        let stopped = scope(&token, || {
            loop {
                check();
                rounds += 1;
                if rounds == 3 {
                    token.cancel();
                }
            }
        });
        assert_eq!((stopped, rounds), (Err::<(), _>(Cancelled), 3));
        // Outside of scopes nothing is stopped, nor in scopes of others.
        check();
        assert_eq!(scope(&Token::default(), || current().is_some_and(|token| token.is_cancelled())), Ok(false));
        assert!(current().is_none());
    }

    #[test]
    fn threads_are_stopped_with_their_scope() {
        let token = Token::default();
        token.cancel();
        let stopped = scope(&token, || {
            let token = current();
            std::thread::scope(|threads| {
                let thread = threads.spawn(|| within(token.as_ref(), check));
                thread.join().unwrap_or_else(|payload| resume_unwind(payload));
            });
        });
        assert_eq!(stopped, Err(Cancelled));
    }
}
