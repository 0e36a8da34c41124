//! `rgc new`.

use crate::cli::NewArgs;
use crate::input::{display_name, escaped};
use crate::output::{Existing, What};
use crate::session::{Failure, Session, finding};
use crate::skeleton::{is_name, skeleton};
use std::io::Write as _;
use std::path::PathBuf;

/// Writes a small game, to a file that is not there unless `--force` is given.
pub(super) fn run(session: &mut Session, options: &NewArgs) -> Result<(), Failure> {
    let NewArgs { language, name: path, force } = options;
    let ends = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(language));
    let stem = if ends { path.file_stem() } else { path.file_name() };
    let folder = path.as_os_str().as_encoded_bytes().ends_with(b"/");
    let name = stem.and_then(|stem| stem.to_str()).filter(|name| is_name(name) && !folder);
    let Some((name, text)) = name.and_then(|name| Some((name, skeleton(language, name)?))) else {
        let message = format!("`{}` cannot be the name of a game", escaped(&path.display().to_string()));
        return Err(finding("IO369", message)
            .help("a name has letters, digits, `_` and `-` and begins with a letter")
            .into());
    };
    let file: PathBuf = path.with_file_name(format!("{name}.{language}"));
    session
        .writer
        .create(What::Result, &file, if *force { Existing::Replace } else { Existing::Refuse })?
        .write_all(text.as_bytes())
        .map_err(|error| Failure::from(What::Result.unwritable(&file, &error)))?;
    let file = display_name(&file);
    writeln!(session.out(), "wrote {file}; `rgc check {file}` checks it, `rgc play {file}` plays it")?;
    Ok(())
}
