//! What the passes over a program of the word-level IR change, as lines and as files.

use super::dump::difference;
use crate::output::{Folder, Kind};
use backend::wir::{Function, Program};
use backend::wir_opt::{Change, Observer};
use std::io::Write;

/// Writes a line for every change of a function, and with a folder the change itself.
///
/// For change 17, made by the pass `gvn` to the function `decide_turn`, that is `0017-decide_turn-gvn.diff`; `0000-lowered.wir` is
/// the program before all passes, and [`ProgramDumper::finish`] adds `result.wir`.
pub struct ProgramDumper<W: Write> {
    out: W,
    folder: Option<Folder>,
    number: usize,
    failed: Option<String>,
}

impl<W: Write> ProgramDumper<W> {
    /// Files that are not numbered.
    pub const LAST: &[(&str, Kind)] = &[("result.wir", Kind::Program)];

    /// Lines go to `out`, files to the folder, if there is one.
    pub fn new(out: W, folder: Option<Folder>) -> Self {
        Self { out, folder, number: 0, failed: None }
    }

    /// The program before all passes.
    pub fn begin(&mut self, program: &Program) {
        self.line(format_args!("{:>5}  {:<16} {:>12}  function", "run", "pass", "instructions"));
        self.write("0000-lowered.wir", &program.to_string());
    }

    /// The program after all passes.
    ///
    /// # Errors
    /// The first file that could not be written.
    pub fn finish(mut self, program: &Program) -> Result<(), String> {
        self.write("result.wir", &program.to_string());
        self.failed.map_or(Ok(()), Err)
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // A failing standard error leaves nowhere to report anything.
        let _ = writeln!(self.out, "{line}");
    }

    fn write(&mut self, name: &str, text: &str) {
        let Some(folder) = self.folder.as_ref().filter(|_| self.failed.is_none()) else { return };
        self.failed = folder.write(name, text).err().map(|finding| finding.message);
    }
}

impl<W: Write> Observer for ProgramDumper<W> {
    fn changed(&mut self, change: &Change<'_>) {
        self.number += 1;
        let (number, pass, name) = (self.number, change.pass.name, &change.after.name);
        let sizes = format!("{} -> {}", change.before.size(), change.after.size());
        self.line(format_args!("{number:>5}  {pass:<16} {sizes:>12}  {name}"));
        if self.folder.is_some() {
            let [before, after] = [change.before, change.after].map(Function::to_string);
            self.write(&format!("{number:04}-{name}-{pass}.diff"), &difference(&before, &after));
        }
    }
}
