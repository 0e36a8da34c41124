//! The folder that is opened: the only place of the disk that pages can see. Paths are relative to it, and lead nowhere else: not by `..`, and not
//! by symbolic links ([`cap_std`]).

use crate::token::nonce;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, OpenOptions};
use kit::record::digest;
use kit::{Result, finding, input, language, library};
use rg_ir::Diagnostic;
use serde::{Deserialize, Serialize};
use std::io::{self, Read as _, Write as _};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// Files listed at most.
const MAX_FILES: usize = 5_000;

/// Folders inside of each other that are looked into, at most.
const MAX_DEPTH: usize = 8;

/// Folders that hold no games of the user.
const SKIPPED: [&str; 2] = ["target", "node_modules"];

/// What is opened.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Target {
    /// A file of the folder, by its path.
    Path(String),
    /// A bundled game, by its name.
    Name(String),
    /// A small game to begin with, in a language, and how it is to be called.
    New {
        /// The name of the language.
        language: String,
        /// Without an extension.
        name: String,
    },
    /// A text that somebody has shared, and how it is called.
    Shared {
        /// With an extension.
        name: String,
        /// The rules.
        text: String,
    },
}

/// The opened folder.
pub(crate) struct Folder {
    dir: Dir,
    /// How it is called in the page.
    pub(crate) title: String,
    pub(crate) read_only: bool,
    /// Pages save one after the other: between looking at a file and replacing it, no other page of this server replaces it.
    saving: Mutex<()>,
}

/// A game in the folder.
#[derive(Serialize)]
pub(crate) struct Entry {
    path: String,
    language: &'static str,
}

/// What tells that a file has changed: its length and its time.
pub(crate) type Stamp = (u64, Option<SystemTime>);

/// A file that was read.
pub(crate) struct Text {
    pub(crate) text: String,
    /// Of its bytes.
    pub(crate) digest: String,
    pub(crate) stamp: Stamp,
}

impl Folder {
    /// The folder of a target, or the one that a target is in; and what is to be opened first.
    ///
    /// # Errors
    /// `IO301` to `IO303`: there is no such file, folder or bundled game.
    pub(crate) fn open(target: Option<&Path>, read_only: bool) -> Result<(Self, Option<Target>)> {
        let here = Path::new(".");
        let (folder, initial) = match target {
            None => (here, None),
            Some(path) if path.is_dir() => (path, None),
            Some(path) => match library::instead_of(path, None) {
                Some(game) => (here, Some(Target::Name(game?.file_name()))),
                None => {
                    // Whatever is wrong with the file is said before the page is served.
                    if !is_blank(path) {
                        input::read(path)?;
                    }
                    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
                    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                    (parent.unwrap_or(here), Some(Target::Path(name)))
                }
            },
        };
        let unreadable = |error| cannot("open", folder, &error);
        let dir = Dir::open_ambient_dir(folder, ambient_authority()).map_err(unreadable)?;
        let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let title = whole.file_name().map_or_else(|| whole.display().to_string(), |name| name.to_string_lossy().into());
        Ok((Self { dir, title, read_only, saving: Mutex::default() }, initial))
    }

    /// The games in the folder and the folders in it, by path.
    pub(crate) fn games(&self) -> Vec<Entry> {
        let mut found = Vec::new();
        let mut open = vec![(String::new(), 0)];
        while let Some((path, depth)) = open.pop() {
            let dir = if path.is_empty() { self.dir.try_clone() } else { self.dir.open_dir(&path) };
            let Ok(entries) = dir.and_then(|dir| dir.entries()) else { continue };
            for entry in entries.flatten() {
                let Ok(name) = entry.file_name().into_string() else { continue };
                let Ok(kind) = entry.file_type() else { continue };
                let inner = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
                if name.starts_with('.') || found.len() >= MAX_FILES {
                    continue;
                }
                if kind.is_dir() && depth < MAX_DEPTH && !SKIPPED.contains(&name.as_str()) {
                    open.push((inner, depth + 1));
                } else if let Some(language) = language::of_extension(Path::new(&name)).filter(|_| kind.is_file()) {
                    found.push(Entry { path: inner, language: language.name });
                }
            }
        }
        found.sort_by(|one, other| one.path.cmp(&other.path));
        found
    }

    /// The text of a game in the folder.
    ///
    /// # Errors
    /// The path leads elsewhere or to no game; or what [`input::read`] finds wrong with files.
    pub(crate) fn read(&self, path: &str) -> Result<Text> {
        let path = allowed(path)?;
        let unreadable = |error| cannot("read", path, &error);
        let file = self.regular(path).map_err(unreadable)?;
        let stamp = stamp(&file).map_err(unreadable)?;
        let mut bytes = Vec::new();
        file.take(input::MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 > input::MAX_BYTES {
            let message = format!("`{}` is larger than {} MiB", path.display(), input::MAX_BYTES >> 20);
            return Err(finding("IO304", message).into());
        }
        let digest = digest(&bytes);
        // A game may begin as an empty file.
        let is_empty = bytes.trim_ascii().is_empty();
        let text = if is_empty { blank(bytes) } else { input::text_of(bytes, &path.display().to_string())? };
        Ok(Text { text, digest, stamp })
    }

    /// What tells that a file has changed; `None` if it is gone.
    pub(crate) fn stamp(&self, path: &str) -> Option<Stamp> {
        stamp(&self.regular(allowed(path).ok()?).ok()?).ok()
    }

    /// Opens a file to read it. Pipes and devices are no files; opening one does not wait for whoever is at its other end.
    fn regular(&self, path: &Path) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        {
            use cap_std::fs::OpenOptionsExt as _;
            options.custom_flags(i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default());
        }
        let file = self.dir.open_with(path, &options)?;
        match file.metadata()?.is_file() {
            true => Ok(file),
            false => Err(io::Error::new(io::ErrorKind::InvalidInput, "this is not a regular file")),
        }
    }

    /// Writes a game into the folder. `known` are the digests of files that may be replaced: of the one that the new text is a change of, and of what somebody has
    /// agreed to replace. Without any, there must be no file. A file that was removed meanwhile is written again. Links are followed inside of the folder, and stay links.
    ///
    /// # Errors
    /// `IO302`, `IO303`, `IO392`, `IO393`: the path leads elsewhere or to no game, the file cannot be written, it has changed since it was read, or
    /// nothing is to be written at all.
    pub(crate) fn write(&self, path: &str, text: &str, known: &[String]) -> Result<(String, Option<Stamp>)> {
        if self.read_only {
            return Err(finding("IO393", "nothing is saved: the studio was started with `--read-only`").into());
        }
        let place = allowed(path)?;
        let unwritable = |error| cannot("write", place, &error);
        let _saving = self.saving.lock().unwrap_or_else(PoisonError::into_inner);
        let is_there = match self.dir.symlink_metadata(place) {
            Ok(_) => true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(unwritable(error)),
        };
        match is_there && !known.is_empty() {
            false => self.create(place, text, &fresh()).map_err(unwritable)?,
            true => {
                let now = self.read(path)?;
                if !known.contains(&now.digest) {
                    let message = format!("`{path}` has been changed by another program since it was opened");
                    return Err(finding("IO392", message).help("open it again, or save under another name").into());
                }
                let target = self.dir.canonicalize(place).map_err(unwritable)?;
                allowed(&target.to_string_lossy())?;
                self.replace(&target, text).map_err(unwritable)?;
            }
        }
        Ok((digest(text.as_bytes()), self.stamp(path)))
    }

    /// Writes a file that is not there yet.
    fn create(&self, place: &Path, text: &str, options: &OpenOptions) -> io::Result<()> {
        let mut file = self.dir.open_with(place, options)?;
        file.write_all(text.as_bytes()).inspect_err(|_| {
            // Half a file is worse than none.
            let _ = self.dir.remove_file(place);
        })
    }

    /// Puts a new file in the place of one, with the same permissions: a reader finds the old text or the new one.
    fn replace(&self, place: &Path, text: &str) -> io::Result<()> {
        // What could not be changed is not replaced either.
        let file = self.dir.open_with(place, OpenOptions::new().write(true))?;
        let permissions = file.metadata()?.permissions();
        if permissions.readonly() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let beside: PathBuf = place.with_file_name(format!(".{}.part", nonce()));
        let mut options = fresh();
        #[cfg(unix)]
        {
            use cap_std::fs::OpenOptionsExt as _;
            // Nobody else reads it before it has the permissions of the old one.
            options.mode(0o600);
        }
        let written = self.create(&beside, text, &options).and_then(|()| {
            self.dir.set_permissions(&beside, permissions)?;
            self.dir.rename(&beside, &self.dir, place)
        });
        written.inspect_err(|_| _ = self.dir.remove_file(&beside))
    }
}

/// How files are opened that must not be there yet.
fn fresh() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    options
}

fn stamp(file: &File) -> io::Result<Stamp> {
    let metadata = file.metadata()?;
    Ok((metadata.len(), metadata.modified().ok().map(cap_std::time::SystemTime::into_std)))
}

/// The path of a game inside the folder.
fn allowed(path: &str) -> Result<&Path> {
    let place = Path::new(path);
    let is_inside = place.components().all(|part| matches!(part, Component::Normal(_)));
    if !is_inside || path.is_empty() {
        return Err(finding("IO303", format!("`{}` is not in the opened folder", input::escaped(path))).into());
    }
    // What other programs keep in hidden folders is none of a page's business.
    let is_hidden = place.components().any(|part| part.as_os_str().as_encoded_bytes().starts_with(b"."));
    if is_hidden || path.contains(char::is_control) {
        let message = format!("`{}` is hidden, or has control characters in its name", input::escaped(path));
        return Err(finding("IO303", message).into());
    }
    match language::of_extension(place) {
        Some(_) => Ok(place),
        None => {
            let extensions: Vec<String> = language::LANGUAGES
                .iter()
                .flat_map(|language| language.extensions)
                .map(|extension| format!("`.{extension}`"))
                .collect();
            let help = format!("games are files that end in {}", extensions.join(", "));
            Err(finding("IO303", format!("`{}` is not the name of a game", input::escaped(path))).help(help).into())
        }
    }
}

/// What a game is called that was in another folder, and may have been called anything there.
pub(crate) fn own_name(name: &str) -> Result<&str> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    allowed(last).map(|_| last)
}

fn cannot(what: &str, path: &Path, error: &io::Error) -> Box<Diagnostic> {
    let code = if error.kind() == io::ErrorKind::NotFound { "IO301" } else { "IO303" };
    finding(code, format!("cannot {what} `{}`: {error}", input::display_name(path))).into()
}

/// The text of a file that has white space only.
fn blank(bytes: Vec<u8>) -> String {
    bytes.into_iter().map(char::from).collect()
}

/// Whether a path is that of a file that has white space only, in which a game is to be written. What is too large is not looked at.
fn is_blank(path: &Path) -> bool {
    // Pipes are not opened.
    let is_small = std::fs::metadata(path).is_ok_and(|about| about.is_file() && about.len() <= input::MAX_BYTES);
    let file = Some(path).filter(|_| is_small).and_then(|path| std::fs::File::open(path).ok());
    let is_space = |byte: io::Result<u8>| byte.is_ok_and(|byte| byte.is_ascii_whitespace());
    file.is_some_and(|file| io::BufReader::new(file).bytes().all(is_space))
}
