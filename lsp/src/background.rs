//! Finding out what is wrong with texts, beside the main loop: by one thread, and by a second one where games take long to translate (GDL). Work on a
//! text that has changed since is stopped.

use crate::document::{Document, SOURCE};
use crossbeam_channel::{Receiver, Sender, unbounded};
use gen_lsp_types::Uri;
use kit::language::{Language, Reading};
use kit::load::{first_findings, load_text};
use rg_ir::Diagnostic;
use rg_ir::cancel::{self, Token};
use rustc_hash::FxHashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

/// Bytes of the stack of a thread: texts may nest deeply.
pub(crate) const STACK: usize = 64 << 20;

/// A text to be looked at.
#[derive(Clone)]
struct Job {
    uri: Uri,
    version: i32,
    name: String,
    text: Arc<str>,
    language: &'static Language,
    reading: Reading,
    token: Token,
}

/// What came of it.
pub(crate) struct Report {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    /// What is wrong with the text; `None` if that could not be found out, which is a fault of the program.
    pub(crate) findings: Option<Vec<Diagnostic>>,
}

/// The threads.
pub(crate) struct Background {
    /// What takes milliseconds.
    first: Sender<Job>,
    /// What takes long.
    full: Sender<Job>,
    reports: Receiver<Report>,
    reading: Reading,
    /// What stops the work on a text.
    running: FxHashMap<Uri, Token>,
}

impl Background {
    /// Starts the threads. Without them, nothing is ever found.
    pub(crate) fn start(reading: Reading) -> Self {
        let (report, reports) = unbounded();
        let first = worker("findings", report.clone(), |job| {
            let Job { text, language, reading, .. } = job;
            first_findings(SOURCE, text, language, *reading).unwrap_or_else(|| full_findings(job))
        });
        let full = worker("translation", report, full_findings);
        Self { first, full, reports, reading, running: FxHashMap::default() }
    }

    /// Looks at the text of a document, instead of at what it was before.
    pub(crate) fn look_at(&mut self, document: &Document) {
        self.forget(&document.uri);
        let token = Token::default();
        self.running.insert(document.uri.clone(), token.clone());
        let job = Job {
            uri: document.uri.clone(),
            version: document.version,
            name: document.name().to_owned(),
            text: Arc::clone(&document.text),
            language: document.language,
            reading: self.reading,
            token,
        };
        // A thread that is gone finds nothing.
        if document.language.outset.is_some() {
            let _ = self.full.send(job.clone());
        }
        let _ = self.first.send(job);
    }

    /// Stops the work on a text.
    pub(crate) fn forget(&mut self, uri: &Uri) {
        if let Some(token) = self.running.remove(uri) {
            token.cancel();
        }
    }

    /// Where reports come from.
    pub(crate) fn reports(&self) -> &Receiver<Report> {
        &self.reports
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.running.values().for_each(Token::cancel);
    }
}

/// Everything that is wrong with a text.
fn full_findings(job: &Job) -> Vec<Diagnostic> {
    load_text(SOURCE, &job.name, &job.text, job.language, job.reading).1
}

/// Starts a thread that takes jobs in order, but none that was stopped.
fn worker(name: &str, reports: Sender<Report>, work: fn(&Job) -> Vec<Diagnostic>) -> Sender<Job> {
    let (sender, jobs) = unbounded::<Job>();
    let run = move || {
        for job in jobs {
            if job.token.is_cancelled() {
                continue;
            }
            let done = catch_unwind(AssertUnwindSafe(|| cancel::scope(&job.token, || work(&job))));
            let findings = match done {
                Ok(Err(cancel::Cancelled)) => continue,
                Ok(Ok(findings)) => Some(findings),
                Err(_) => None,
            };
            let report = Report { uri: job.uri, version: job.version, findings };
            if reports.send(report).is_err() {
                return;
            }
        }
    };
    // Without a thread, jobs are never taken.
    let _ = thread::Builder::new().name(name.to_owned()).stack_size(STACK).spawn(run);
    sender
}
