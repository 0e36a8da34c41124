//! The folder that is opened: the only place of the disk that pages can see. Paths are relative to it, and lead nowhere else: not by `..`, and not
//! by symbolic links ([`cap_std`]).

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use kit::record::digest;
use kit::{Result, finding, input, language, library};
use rg_ir::Diagnostic;
use serde::{Deserialize, Serialize};
use std::io::{self, Read as _, Write as _};
use std::path::{Component, Path};
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
}

/// The opened folder.
pub(crate) struct Folder {
    dir: Dir,
    /// How it is called in the page.
    pub(crate) title: String,
    pub(crate) read_only: bool,
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
                    input::read(path)?;
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
        Ok((Self { dir, title, read_only }, initial))
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
        let file = self.dir.open(path).map_err(unreadable)?;
        let stamp = stamp(&file).map_err(unreadable)?;
        let mut bytes = Vec::new();
        file.take(input::MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 > input::MAX_BYTES {
            let message = format!("`{}` is larger than {} MiB", path.display(), input::MAX_BYTES >> 20);
            return Err(finding("IO304", message).into());
        }
        let digest = digest(&bytes);
        let text = input::text_of(bytes, &path.display().to_string())?;
        Ok(Text { text, digest, stamp })
    }

    /// What tells that a file has changed; `None` if it is gone.
    pub(crate) fn stamp(&self, path: &str) -> Option<Stamp> {
        stamp(&self.dir.open(allowed(path).ok()?).ok()?).ok()
    }

    /// Writes a game into the folder. `before` is the digest of the file that the new text is a change of; without one, there must be no file.
    ///
    /// # Errors
    /// `IO302`, `IO303`, `IO392`, `IO393`: the path leads elsewhere or to no game, the file cannot be written, it has changed since it was read, or
    /// nothing is to be written at all.
    pub(crate) fn write(&self, path: &str, text: &str, before: Option<&str>) -> Result<(String, Option<Stamp>)> {
        if self.read_only {
            return Err(finding("IO393", "nothing is saved: the studio was started with `--read-only`").into());
        }
        let place = allowed(path)?;
        let unwritable = |error| cannot("write", place, &error);
        match before {
            None => {
                let mut options = OpenOptions::new();
                let file = self.dir.open_with(place, options.write(true).create_new(true)).map_err(unwritable);
                file?.write_all(text.as_bytes()).map_err(unwritable)?;
            }
            Some(before) => {
                let now = self.read(path)?;
                if now.digest != before {
                    let message = format!("`{path}` has been changed by another program since it was opened");
                    return Err(finding("IO392", message).help("open it again, or save under another name").into());
                }
                // A reader finds the old text or the new one.
                let beside = place.with_file_name(format!(".{}.part", digest(path.as_bytes())));
                let renamed = self.dir.write(&beside, text).and_then(|()| self.dir.rename(&beside, &self.dir, place));
                renamed.map_err(unwritable)?;
            }
        }
        Ok((digest(text.as_bytes()), self.stamp(path)))
    }
}

fn stamp(file: &cap_std::fs::File) -> io::Result<Stamp> {
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

fn cannot(what: &str, path: &Path, error: &io::Error) -> Box<Diagnostic> {
    let code = if error.kind() == io::ErrorKind::NotFound { "IO301" } else { "IO303" };
    finding(code, format!("cannot {what} `{}`: {error}", input::display_name(path))).into()
}
