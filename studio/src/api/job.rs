//! Heavy work in threads of its own, which reports to the page and can be stopped.

use super::{Failure, Numbered};
use crate::jobs::{Stop, Stopper};
use crate::session::{Incoming, Page, Session};
use crate::socket::STACK;
use rg_ir::cancel;
use serde::Serialize;
use serde_json::json;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

/// Work that goes on.
pub(crate) struct Job {
    number: u32,
    page: Page,
    pub(crate) stop: Stop,
}

/// What a page knows it by.
#[derive(Serialize)]
pub(crate) struct Started {
    job: u32,
}

impl Job {
    /// Tells the page what came of the work so far.
    pub(crate) fn report(&self, kind: &str, what: impl Serialize) {
        self.page.notify("job", json!({ "job": self.number, "kind": kind, "what": what }));
    }
}

/// Starts work, if there is not too much of it. The page is told when it has ended, and why if it failed.
pub(crate) fn start(
    session: &mut Session,
    work: impl FnOnce(&Job) -> Result<(), Failure> + Send + 'static,
) -> Result<Started, Failure> {
    let busy = "two measurements or matches go on already; stop one of them first";
    let permit = session.server.heavy.permit().ok_or_else(|| Failure::new("busy", busy))?;
    let number = session.number();
    let stopper = Stopper::default();
    let job = Job { number, page: session.page.clone(), stop: stopper.stop() };
    let events = session.events.clone();
    let run = move || {
        // Work that unwinds because it was stopped has not failed.
        let stopped = |cancel::Cancelled| Ok(());
        let scoped = || cancel::scope(job.stop.token(), || work(&job)).unwrap_or_else(stopped);
        let done = catch_unwind(AssertUnwindSafe(scoped));
        let broken = || Failure::new("internal", "the work failed: this is a defect of the program, please report it");
        drop(permit);
        job.report("end", done.unwrap_or_else(|_| Err(broken())).err());
        // A page that was closed has forgotten it.
        let _ = events.send(Incoming::Done(Box::new(move |session| _ = session.jobs.remove(&number))));
    };
    let spawned = thread::Builder::new().name("job".to_owned()).stack_size(STACK).spawn(run);
    spawned.map_err(|_| Failure::new("system", "there is no room for another thread"))?;
    session.jobs.insert(number, stopper);
    Ok(Started { job: number })
}

/// Stops work.
pub(crate) fn stop(session: &mut Session, Numbered { number }: &Numbered) -> Result<(), Failure> {
    // It may have ended meanwhile.
    session.jobs.remove(number);
    Ok(())
}
