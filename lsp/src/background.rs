//! Finding out what is wrong with texts, beside the main loop: by one thread, by a second one where games take long to translate (GDL), and by a third one
//! that looks at the first positions of games without errors. Work on a text that has changed since is stopped.

mod tasks;

pub(crate) use tasks::{News, Opening};

use crate::document::Document;
use crossbeam_channel::{Receiver, Sender, unbounded};
use gen_lsp_types::Uri;
use kit::Loaded;
use kit::language::Reading;
use rg_ir::cancel::{self, Token};
use rustc_hash::FxHashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use tasks::{Game, Task, Text};

/// Bytes of the stack of a thread: texts may nest deeply.
pub(crate) const STACK: usize = 64 << 20;

/// How long a text has to stay as it is before the first positions of its game are looked at.
const REST: Duration = Duration::from_millis(400);
/// How often a thread that waits looks whether it still has to.
const TICK: Duration = Duration::from_millis(20);

/// Work on a state of a text.
struct Job {
    uri: Uri,
    version: i32,
    token: Token,
    /// When it may begin.
    begins: Instant,
    task: Task,
}

/// What came of it.
pub(crate) struct Report {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) news: News,
}

/// The threads.
pub(crate) struct Background {
    /// What takes milliseconds.
    first: Sender<Job>,
    /// What takes long.
    full: Sender<Job>,
    /// What nobody waits for.
    opening: Sender<Job>,
    reports: Receiver<Report>,
    reading: Reading,
    /// What stops the work on a text.
    running: FxHashMap<Uri, Token>,
}

impl Background {
    /// Starts the threads. Without them, nothing is ever found.
    pub(crate) fn start(reading: Reading) -> Self {
        let (report, reports) = unbounded();
        let first = worker("findings", report.clone());
        let full = worker("translation", report.clone());
        let opening = worker("opening", report);
        Self { first, full, opening, reports, reading, running: FxHashMap::default() }
    }

    /// Looks at the text of a document, instead of at what it was before.
    pub(crate) fn look_at(&mut self, document: &Document) {
        self.forget(&document.uri);
        let token = Token::default();
        self.running.insert(document.uri.clone(), token.clone());
        let text = Text {
            name: document.name().to_owned(),
            text: Arc::clone(&document.text),
            language: document.language,
            reading: self.reading,
        };
        let begins = Instant::now();
        let job =
            |task| Job { uri: document.uri.clone(), version: document.version, token: token.clone(), begins, task };
        // A thread that is gone finds nothing.
        if document.language.outset.is_some() {
            let _ = self.full.send(job(Task::Full(text.clone())));
        }
        let _ = self.first.send(job(Task::First(text)));
    }

    /// Looks at the first positions of the game of a document, when the text has stayed as it is for a while, and counts plays of so many moves.
    pub(crate) fn look_closer(&self, document: &Document, loaded: Loaded, plies: u32) {
        let Some(token) = self.running.get(&document.uri).cloned() else { return };
        let known = document.findings().unwrap_or_default().to_vec();
        let task = Task::Opening(Box::new(Game { loaded, known, plies }));
        let (uri, version, begins) = (document.uri.clone(), document.version, Instant::now() + REST);
        let _ = self.opening.send(Job { uri, version, token, begins, task });
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

/// Starts a thread that takes jobs in order, but none that was stopped.
fn worker(name: &str, reports: Sender<Report>) -> Sender<Job> {
    let (sender, jobs) = unbounded::<Job>();
    let run = move || {
        for Job { uri, version, token, begins, task } in jobs {
            while !token.is_cancelled() && Instant::now() < begins {
                thread::sleep(TICK);
            }
            if token.is_cancelled() {
                continue;
            }
            let news = match catch_unwind(AssertUnwindSafe(|| cancel::scope(&token, || task.done()))) {
                Ok(Err(cancel::Cancelled)) => continue,
                Ok(Ok(news)) => news,
                Err(_) => News::Failure,
            };
            if reports.send(Report { uri, version, news }).is_err() {
                return;
            }
        }
    };
    // Without a thread, jobs are never taken.
    let _ = thread::Builder::new().name(name.to_owned()).stack_size(STACK).spawn(run);
    sender
}
