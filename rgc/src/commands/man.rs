//! `rgc man`.

use crate::cli::{self, Force};
use crate::input::is_stdin;
use crate::output::{Kind, What};
use crate::session::{Failure, Session};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use std::io::{self, Write as _};
use std::path::Path;

/// The name of the program.
const PROGRAM: &str = "rgc";

/// Columns of the notes, which are not filled when a page is shown.
const COLUMNS: usize = 72;

/// Writes the page of every command into a folder, which is made if need be; without one, or for `-`, the page of the program to
/// standard output.
pub(super) fn run(session: &mut Session, folder: Option<&Path>, force: Force) -> Result<(), Failure> {
    let mut command = cli::command(COLUMNS).disable_help_subcommand(true);
    command.build();
    let Some(folder) = folder.filter(|folder| !is_stdin(folder)) else {
        let text = page(&command)?;
        return Ok(session.out().write_all(&text)?);
    };
    // The folder above is there, or its name is a mistake.
    if !folder.is_dir() {
        std::fs::create_dir(folder).map_err(|error| What::no_folder(folder, &error))?;
    }
    for command in std::iter::once(&command).chain(command.get_subcommands()) {
        let path = folder.join(format!("{}.1", name(command)));
        session.writer.write(What::Result, &path, force.over(Kind::Manual), page(command)?)?;
    }
    Ok(())
}

/// The name of a page: `rgc`, `rgc-perft`.
fn name(command: &clap::Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

/// A page in section 1 of the manual.
fn page(command: &clap::Command) -> io::Result<Vec<u8>> {
    let man = Man::new(command.clone()).source(format!("rgc {}", env!("CARGO_PKG_VERSION"))).manual("rgc");
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    let is_program = command.get_name() == PROGRAM;
    if is_program {
        man.render_subcommands_section(&mut text)?;
    }
    notes(command, &mut text)?;
    // The commands of a command are on its page.
    for inner in command.get_subcommands().filter(|_| !is_program) {
        let man = Man::new(inner.clone());
        let mut heading = Roff::default();
        heading.control("SH", [inner.get_name().to_uppercase().as_str()]);
        heading.to_writer(&mut text)?;
        man.render_synopsis_section(&mut text)?;
        man.render_description_section(&mut text)?;
        man.render_options_section(&mut text)?;
        notes(inner, &mut text)?;
    }
    let others = if is_program { "rgc-play(1), rgc-check(1), rgc-translate(1)" } else { "rgc(1)" };
    let mut also = Roff::default();
    also.control("SH", ["SEE ALSO"]).text([roman(others)]);
    also.to_writer(&mut text)?;
    Ok(text)
}

/// What stands below the options of a command. Examples keep their lines, which the generator would fill.
fn notes(command: &clap::Command, text: &mut Vec<u8>) -> io::Result<()> {
    let Some(help) = command.get_after_help() else { return Ok(()) };
    let mut notes = Roff::default();
    notes.control("SH", ["NOTES"]).control("nf", []);
    for line in help.to_string().lines() {
        notes.text([roman(line)]);
    }
    notes.control("fi", []);
    notes.to_writer(text)
}
