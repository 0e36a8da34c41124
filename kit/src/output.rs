//! Writing what the user names. Everything goes through [`Writer`], which never touches the texts that games were read from.

mod folder;
mod kind;

pub use folder::Folder;
pub use kind::{Kind, PICTURES, page_head};

use crate::input::is_stdin;
use crate::{Result, finding};
use rg_ir::Diagnostic;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// What a file is to hold: it decides which finding says that it cannot be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// A result in place of standard output.
    Result,
    /// A record of plays.
    Record,
    /// A page of `rgc audit`.
    Page,
}

impl What {
    /// Finds out whether a record or a page is called something else; what a result is called is known where it is made ([`Kind::check_name`]).
    fn check_name(self, path: &Path) -> Result<()> {
        match self {
            What::Result => Ok(()),
            What::Record => Kind::Record.check_name(path),
            What::Page => Kind::Page.check_name(path),
        }
    }

    /// Finds out whether a file is meant: `-` stands for standard output where that can be written to, and is no name of a file elsewhere.
    fn check_file(self, path: &Path) -> Result<()> {
        if !is_stdin(path) {
            return Ok(());
        }
        let error = io::Error::other("it stands for standard output, but a file is needed here");
        Err(self.unwritable(path, &error).help("name a file").into())
    }

    /// The finding for a folder that cannot be made or read.
    pub fn no_folder(path: &Path, error: &io::Error) -> Diagnostic {
        finding("IO309", format!("cannot make the folder `{}`: {}", path.display(), folder_reason(path, error)))
    }

    /// The finding for a file that cannot be written.
    pub fn unwritable(self, path: &Path, error: &io::Error) -> Diagnostic {
        let (name, reason) = (path.display(), reason(path, error));
        match self {
            What::Result => finding("IO309", format!("cannot write `{name}`: {reason}")),
            What::Record => finding("IO340", format!("cannot write the record `{name}`: {reason}")),
            What::Page => finding("IO350", format!("cannot write the page `{name}`: {reason}")),
        }
    }
}

/// Why a folder cannot be made or read.
fn folder_reason(path: &Path, error: &io::Error) -> String {
    match path.ancestors().find(|above| above.exists()).filter(|above| !above.is_dir()) {
        Some(file) if file == path => "this is a file; the name of a folder is expected".to_owned(),
        Some(file) => format!("`{}` is a file, not a folder", file.display()),
        None => match path.parent().filter(|parent| !parent.as_os_str().is_empty() && !parent.exists()) {
            Some(parent) => format!("there is no folder `{}`", parent.display()),
            None => plain(error),
        },
    }
}

/// Why a file cannot be written, in terms of files and folders.
fn reason(path: &Path, error: &io::Error) -> String {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let above = || path.ancestors().skip(1).find(|above| above.is_file());
    match (error.kind(), parent) {
        _ if path.is_dir() && !is_stdin(path) => "this is a folder; the name of a file is expected".to_owned(),
        (io::ErrorKind::NotFound, Some(parent)) if !parent.exists() => {
            format!("there is no folder `{}`", parent.display())
        }
        (io::ErrorKind::NotADirectory, _) if let Some(above) = above() => {
            format!("`{}` is a file, not a folder", above.display())
        }
        (io::ErrorKind::PermissionDenied, _) => "permission denied".to_owned(),
        _ => plain(error),
    }
}

/// The text of an error without its number.
pub(crate) fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let cut = text.rfind(" (os error ").unwrap_or(text.len());
    text.get(..cut).unwrap_or(&text).to_lowercase()
}

/// What happens to a file that already exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Existing {
    /// It stays as it is; the new one is not written.
    Refuse,
    /// It is emptied.
    Replace,
    /// It is emptied if it holds an earlier result of this kind, or nothing; anything else stays as it is, and the new one is not written.
    Earlier(Kind),
    /// This many bytes of it stay, and what is written follows. There has to be such a file.
    Keep(u64),
}

/// Writes files, but none that a game was read from.
#[derive(Clone, Default, Debug)]
pub struct Writer {
    read: Vec<PathBuf>,
}

impl Writer {
    /// From now on this file is not written to.
    pub fn spare(&mut self, path: &Path) {
        self.read.push(path.to_owned());
    }

    /// Finds out whether a file may be written to.
    ///
    /// # Errors
    /// `IO353`: a game was read from there.
    pub fn check(&self, path: &Path) -> Result<()> {
        if !self.read.iter().any(|read| same_file(path, read)) {
            return Ok(());
        }
        let message = format!("`{}` is the game itself, which would be lost", path.display());
        Err(finding("IO353", message).help("name another file to write to").into())
    }

    /// Writes a file.
    ///
    /// # Errors
    /// As for [`Writer::create`].
    pub fn write(&self, what: What, path: &Path, existing: Existing, text: impl AsRef<[u8]>) -> Result<()> {
        let mut file = self.create(what, path, existing)?;
        Ok(file.write_all(text.as_ref()).map_err(|error| what.unwritable(path, &error))?)
    }

    /// Opens a file to write at its end, which no other program can open in this way until it is closed: two that write one record would
    /// leave one that cannot be read.
    ///
    /// # Errors
    /// `IO353`, `IO356`, those of [`What`], `IO354`: there is such a file, and it is not to be replaced, and `IO359`: another program is writing it.
    pub fn create(&self, what: What, path: &Path, existing: Existing) -> Result<File> {
        what.check_file(path)?;
        self.check(path)?;
        what.check_name(path)?;
        replaceable(path, existing)?;
        opened(what, path, existing)
    }

    /// Finds out whether a file can be written before the work for it is done; changes nothing.
    ///
    /// # Errors
    /// As for [`Writer::write`].
    pub fn probe(&self, what: What, path: &Path, existing: Existing) -> Result<()> {
        what.check_file(path)?;
        self.check(path)?;
        what.check_name(path)?;
        replaceable(path, existing)?;
        let wrong = |error: io::Error| what.unwritable(path, &error);
        match OpenOptions::new().write(true).create_new(true).open(path) {
            Ok(_) => std::fs::remove_file(path).map_err(wrong)?,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                OpenOptions::new().append(true).open(path).map_err(wrong)?;
            }
            Err(error) => return Err(wrong(error).into()),
        }
        Ok(())
    }
}

/// What to do about a file that stays as it is.
const FORCE: &str = "add `--force` to replace it, or name another file";

/// Finds out whether a file that is there may be replaced; what is not a file, such as a terminal, holds nothing that could be lost.
///
/// # Errors
/// `IO354`.
fn replaceable(path: &Path, existing: Existing) -> Result<()> {
    let Existing::Earlier(kind) = existing else { return Ok(()) };
    // What cannot be read is found when it is opened.
    let text = if path.is_file() { std::fs::read(path).unwrap_or_default() } else { Vec::new() };
    if String::from_utf8(text).is_ok_and(|text| kind.is(&text)) {
        return Ok(());
    }
    let message = match kind {
        // It may have been changed by hand since it was written.
        Kind::Game(_) => format!("`{}` already exists", path.display()),
        _ => format!("`{}` already exists, and is not {} that `rgc` wrote", path.display(), kind.name()),
    };
    Err(finding("IO354", message).help(FORCE).into())
}

/// Opens a file, locks it, and only then cuts it off: nothing is lost where another program writes it.
fn opened(what: What, path: &Path, existing: Existing) -> Result<File> {
    let mut how = OpenOptions::new();
    let (how, kept) = match existing {
        Existing::Refuse => (how.create_new(true), 0),
        Existing::Replace | Existing::Earlier(_) => (how.create(true), 0),
        Existing::Keep(kept) => (&mut how, kept),
    };
    let prepared = |mut file: File| match file.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(None),
        // A file system without locks, or what is not a file, such as a terminal, is written all the same.
        Ok(()) | Err(TryLockError::Error(_)) if file.metadata()?.is_file() => {
            file.set_len(kept)?;
            file.seek(SeekFrom::End(0))?;
            Ok(Some(file))
        }
        Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(file)),
    };
    let opened = how.write(true).truncate(false).open(path).and_then(prepared);
    let busy = || {
        let message = format!("`{}` is being written by another program", path.display());
        finding("IO359", message).help("name another file, or wait until it is done")
    };
    let file = opened.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists if !path.is_dir() => {
            finding("IO354", format!("`{}` already exists", path.display())).help(FORCE)
        }
        _ => what.unwritable(path, &error),
    })?;
    Ok(file.ok_or_else(busy)?)
}

/// Whether two names are of one file that is there, by links of either kind, too.
fn same_file(a: &Path, b: &Path) -> bool {
    same_file::is_same_file(a, b).unwrap_or(false)
}

/// Overwrites a file in one step, so that nothing is lost if the disk is full or the program is stopped.
///
/// # Errors
/// `IO309`.
pub fn replace(path: &Path, text: &str) -> Result<()> {
    let failed = |error| What::Result.unwritable(path, &error);
    // Links stay links.
    let path = std::fs::canonicalize(path).map_err(failed)?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let permissions = std::fs::metadata(&path).map_err(failed)?.permissions();
    let written = std::fs::write(&temporary, text)
        .and_then(|()| std::fs::set_permissions(&temporary, permissions))
        .and_then(|()| std::fs::rename(&temporary, &path));
    written.map_err(|error| {
        // The temporary file may not even exist; the first error is the one that matters.
        let _ = std::fs::remove_file(&temporary);
        failed(error).into()
    })
}
