//! Several files at once, each handled by a process of its own.
//!
//! The bounds on CPU time and memory ([`kit::watchdog`]) are measured for a whole process and end it where work does not react. So
//! a process for each file keeps them what they are for one file alone: one game that takes too long ends only itself.

use crate::input::{display_name, is_stdin};
use crate::session::{Failure, Session, finding};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// A command to be executed for one file at a time.
#[derive(Clone, Default, Debug)]
pub(crate) struct Repeat {
    /// The name of the command, then its options as they were given.
    pub(crate) arguments: Vec<OsString>,
}

/// What came of one file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// Nothing was found.
    Clean,
    /// Something was found, but no error.
    Warned,
    /// The exit code was 1, without any finding.
    Refused,
    /// Errors were found, or the process did not end by itself.
    Failed,
}

/// What the process for one file wrote, and what came of it.
pub(crate) struct Done {
    pub(crate) outcome: Outcome,
    pub(crate) stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl Done {
    fn new(output: Output) -> Self {
        let outcome = match (output.status.success(), output.stderr.is_empty()) {
            (true, true) => Outcome::Clean,
            (true, false) => Outcome::Warned,
            (false, true) => Outcome::Refused,
            (false, false) => Outcome::Failed,
        };
        Self { outcome, stdout: output.stdout, stderr: output.stderr }
    }
}

/// Executes the command of this run for every file, some at once; results come in the order of the files. `trailing` are its
/// arguments behind the file. `show` writes what is wanted of the standard output; after it, the findings are shown.
///
/// # Errors
/// `IO368` if no process can be started; those of `show`.
pub(crate) fn run(
    session: &mut Session,
    files: &[PathBuf],
    jobs: NonZeroUsize,
    trailing: &[OsString],
    mut show: impl FnMut(&mut Session, &Path, &Done) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let program = std::env::current_exe().map_err(|error| cannot_start(&error))?;
    let repeat = session.repeat.clone();
    let colour = if session.findings_have_colours() { "--color=always" } else { "--color=never" };
    let process = |file: &Path| {
        let mut command = Command::new(&program);
        command.args(&repeat.arguments).arg(colour).arg("--").arg(file).args(trailing);
        command.stdin(if is_stdin(file) { Stdio::inherit() } else { Stdio::null() });
        command
    };
    let bar = progress_bar(files.len());
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.get().min(files.len()) {
            let (sender, next, stopped, process) = (sender.clone(), &next, &stopped, &process);
            scope.spawn(move || {
                while !stopped.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(file) = files.get(number) else { break };
                    if sender.send((number, process(file).output())).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut collect = || {
            let mut early = BTreeMap::new();
            for (file, number) in files.iter().zip(0..) {
                let output = loop {
                    if let Some(output) = early.remove(&number) {
                        break output;
                    }
                    let Ok((number, output)) = results.recv() else { return Ok(()) };
                    bar.inc(1);
                    early.insert(number, output);
                };
                let output = output.map_err(|error| cannot_start(&error))?;
                let ended = output.status.code().is_some();
                let done = Done::new(output);
                bar.suspend(|| write(session, file, &done, &mut show))?;
                if !ended {
                    let message = format!("the process for `{}` was stopped from outside", display_name(file));
                    bar.suspend(|| session.show(&[finding("IO368", message)]));
                }
            }
            Ok(())
        };
        let collected = collect();
        stopped.store(true, Ordering::Relaxed);
        bar.finish_and_clear();
        collected
    })
}

/// Writes what came of one file, at once.
fn write(
    session: &mut Session,
    file: &Path,
    done: &Done,
    show: &mut impl FnMut(&mut Session, &Path, &Done) -> Result<(), Failure>,
) -> Result<(), Failure> {
    show(session, file, done)?;
    session.finish()?;
    // A failing standard error leaves nowhere to report anything.
    let _ = std::io::stderr().lock().write_all(&done.stderr);
    Ok(())
}

fn cannot_start(error: &std::io::Error) -> Failure {
    finding("IO368", format!("cannot start a process for a file: {error}")).into()
}

/// Shows on standard error how many files are done, if that is a terminal.
fn progress_bar(files: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::stderr());
    // The template is a constant; without it, the bar looks otherwise.
    match ProgressStyle::with_template("{wide_bar} {pos}/{len} files, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// How many files had which outcome.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Tally {
    pub(crate) clean: usize,
    pub(crate) warned: usize,
    pub(crate) refused: usize,
    pub(crate) failed: usize,
}

impl Tally {
    pub(crate) fn add(&mut self, outcome: Outcome) {
        *match outcome {
            Outcome::Clean => &mut self.clean,
            Outcome::Warned => &mut self.warned,
            Outcome::Refused => &mut self.refused,
            Outcome::Failed => &mut self.failed,
        } += 1;
    }

    /// Success if every process ended with success.
    pub(crate) fn result(&self) -> Result<(), Failure> {
        if self.refused + self.failed > 0 { Err(Failure::Shown) } else { Ok(()) }
    }
}

/// A line that sums up: `92 files: 90 formatted, 2 with errors`. Parts whose number is 0 are left out.
pub(crate) fn summary(parts: &[(usize, &str)]) -> String {
    let total: usize = parts.iter().map(|(count, _)| count).sum();
    let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
    let parts: Vec<String> = parts.collect();
    format!("{}: {}", crate::table::counted(total as u64, "file"), parts.join(", "))
}

/// JSON lines of one file, each with the name of the file as its first member.
pub(crate) fn with_file(file: &Path, lines: &[u8]) -> Vec<u8> {
    let name = serde_json::Value::from(crate::input::source_name(file)).to_string();
    let mut text = Vec::with_capacity(lines.len());
    for line in lines.split_inclusive(|&byte| byte == b'\n') {
        match line.strip_prefix(b"{") {
            Some(rest) => {
                text.extend_from_slice(format!("{{\"file\":{name},").as_bytes());
                text.extend_from_slice(rest);
            }
            None => text.extend_from_slice(line),
        }
    }
    text
}
