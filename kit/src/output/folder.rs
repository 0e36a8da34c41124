//! Folders that hold what one run of the program wrote, and nothing else.

use super::{Existing, Kind, What, Writer};
use crate::{Result, finding};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A folder for the files of a dump, which are numbered.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    writer: Writer,
}

impl Folder {
    /// The folder of that name, which is made if it is missing. The files of an earlier dump are removed; `last` are the names of those
    /// that are not numbered. Where there are other files, they stay, and `existing` says whether the dump may join them.
    ///
    /// # Errors
    /// `IO354`: there are other files, `IO353`: one is the game itself, and `IO309`: the folder cannot be made, read or emptied.
    pub fn new(path: &Path, writer: &Writer, existing: Existing, last: &[(&str, Kind)]) -> Result<Self> {
        let wrong = |error: io::Error| What::no_folder(path, &error);
        fs::create_dir_all(path).map_err(wrong)?;
        let mut earlier = Vec::new();
        for entry in fs::read_dir(path).map_err(wrong)? {
            let file = entry.map_err(wrong)?.path();
            if is_dumped(&file, last) {
                writer.check(&file)?;
                earlier.push(file);
            } else if existing != Existing::Replace {
                let file = file.file_name().unwrap_or_default().display().to_string();
                let message =
                    format!("the folder `{}` has files that are not of a dump, such as `{file}`", path.display());
                let help = "add `--force` to write the dump beside them, or name another folder";
                return Err(finding("IO354", message).help(help).into());
            }
        }
        earlier.iter().try_for_each(fs::remove_file).map_err(wrong)?;
        Ok(Self { path: path.to_owned(), writer: writer.clone() })
    }

    /// Writes one of the files.
    ///
    /// # Errors
    /// As for [`Writer::write`].
    pub fn write(&self, name: &str, text: &str) -> Result<()> {
        self.writer.write(What::Result, &self.path.join(name), Existing::Replace, text)
    }
}

/// Whether a file is one that a dump consists of: `017-skips.rg`, or one of the `last`, by its contents, too.
fn is_dumped(file: &Path, last: &[(&str, Kind)]) -> bool {
    let Some(name) = file.file_name().and_then(|name| name.to_str()).filter(|_| file.is_file()) else { return false };
    let number = name.split('-').next().filter(|number| number.len() < name.len()).unwrap_or_default();
    let numbered = number.len() >= 3 && number.bytes().all(|byte| byte.is_ascii_digit());
    let kind = match file.extension().and_then(|extension| extension.to_str()) {
        _ if !numbered => last.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind),
        Some("rg") => Some(Kind::Rg),
        Some("dot") => Some(Kind::Dot),
        Some("svg") => Some(Kind::Svg),
        Some("diff") => Some(Kind::Diff),
        Some("wir") => Some(Kind::Program),
        _ => None,
    };
    kind.is_some_and(|kind| fs::read_to_string(file).is_ok_and(|text| kind.is(&text)))
}
