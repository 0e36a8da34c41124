//! From what a person names to files: a folder stands for the games in it, a pattern for the files that match it.

use crate::input::{display_name, is_stdin};
use crate::{Result, finding, language, library};
use globset::GlobBuilder;
use rustc_hash::FxHashSet;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// Folder of build results, which is not looked into.
const BUILD: &str = "target";

/// What was named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Named {
    /// One file (or standard input, or bundled game) by its own name.
    One(PathBuf),
    /// Any number of files, or folders or patterns. Each file occurs once for a folder or pattern that finds it.
    Several(Vec<PathBuf>),
}

impl Named {
    /// # Errors
    /// `IO373`: there are several, which cannot all start at one position.
    pub fn start_at(&self, position: Option<&Path>) -> Result<()> {
        match (self, position) {
            (Named::Several(files), Some(position)) => {
                let (position, count) = (display_name(position), files.len());
                let named = if count == 1 {
                    "a folder or pattern is named".to_owned()
                } else {
                    format!("{count} games are named")
                };
                let message = format!("the position `{position}` belongs to one game, but {named}");
                Err(finding("IO373", message).help("name the file of that game").into())
            }
            _ => Ok(()),
        }
    }

    /// All files, in order.
    pub fn files(self) -> Vec<PathBuf> {
        match self {
            Named::One(file) => vec![file],
            Named::Several(files) => files,
        }
    }
}

/// The files that are named. A folder stands for all games in it and in the folders in it, in the order of their names: files with the
/// extension of a language, of the language `from` if that is given, without hidden ones, those below a folder `target`, and,
/// since they may be anything, those in JSON. A text with `*`, `?`, `[…]` or `{…,…}` that is not a file is a pattern, where `**` stands for any
/// number of folders; the shell expands most of them before. Linear in the number of files below.
///
/// # Errors
/// A folder without games (`IO365`), a pattern that nothing matches (`IO366`) or that is not a pattern (`IO367`), a folder that cannot be
/// read, or standard input more than once (`IO303`).
pub fn named(names: &[PathBuf], from: Option<&str>) -> Result<Named> {
    if names.iter().filter(|name| is_stdin(name)).count() > 1 {
        return Err(finding("IO303", "standard input is named several times, but can be read only once").into());
    }
    if let [name] = names
        && !is_folder(name, from)
        && pattern(name).is_none()
    {
        return Ok(Named::One(name.clone()));
    }
    let (mut files, mut seen) = (Vec::new(), FxHashSet::default());
    for name in names {
        if is_folder(name, from) {
            let found = games_in(name, from)?;
            if found.is_empty() {
                let message = format!("there is no game in the folder `{}`", display_name(name));
                let help = format!("games are files that end in {}", extensions().join(", "));
                return Err(finding("IO365", message).help(help).into());
            }
            files.extend(found.into_iter().filter(|path| seen.insert(path.clone())));
        } else if let Some(text) = pattern(name) {
            let found = matching(text, from)?;
            if found.is_empty() {
                return Err(finding("IO366", format!("no file matches `{}`", display_name(name))).into());
            }
            files.extend(found.into_iter().filter(|path| seen.insert(path.clone())));
        } else {
            seen.insert(name.clone());
            files.push(name.clone());
        }
    }
    Ok(Named::Several(files))
}

/// The extensions of games in folders, with their dots.
fn extensions() -> Vec<String> {
    let extensions = language::LANGUAGES.iter().filter(|language| language.name != "json");
    extensions.flat_map(|language| language.extensions).map(|extension| format!("`.{extension}`")).collect()
}

/// Whether a name is that of a folder, and of no bundled game.
fn is_folder(name: &Path, from: Option<&str>) -> bool {
    !is_stdin(name) && name.is_dir() && library::instead_of(name, from).is_none()
}

/// The text of a name that is a pattern.
fn pattern(name: &Path) -> Option<&str> {
    let text = name.to_str().filter(|text| text.contains(['*', '?', '[', '{']))?;
    (!is_stdin(name) && !name.exists()).then_some(text)
}

/// Whether a file is a game, by its extension.
fn is_game(path: &Path, from: Option<&str>) -> bool {
    // Dialects, such as `gdl-infix`, share the extensions of their language.
    let wanted = from.map(|from| from.split('-').next().unwrap_or(from));
    language::of_extension(path).is_some_and(|language| match wanted {
        Some(wanted) => language.name == wanted,
        None => language.name != "json",
    })
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".")
}

fn is_build(entry: &DirEntry) -> bool {
    entry.depth() > 0 && entry.file_type().is_dir() && entry.file_name() == OsStr::new(BUILD)
}

/// A path without `./` at its beginning.
fn plain(path: &Path) -> &Path {
    path.strip_prefix(".").unwrap_or(path)
}

fn unreadable(error: &walkdir::Error) -> Box<rg_ir::Diagnostic> {
    let name = error.path().map(display_name).unwrap_or_default();
    let reason = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
    finding("IO303", format!("cannot read `{name}`: {reason}")).into()
}

/// All games below a folder.
fn games_in(folder: &Path, from: Option<&str>) -> Result<Vec<PathBuf>> {
    let walk = WalkDir::new(folder).sort_by_file_name().into_iter();
    let mut found = Vec::new();
    for entry in walk.filter_entry(|entry| !is_hidden(entry) && !is_build(entry)) {
        let entry = entry.map_err(|error| unreadable(&error))?;
        if is_game(entry.path(), from) && entry.path().is_file() {
            found.push(plain(entry.path()).to_owned());
        }
    }
    Ok(found)
}

/// All files that match a pattern; of folders that match, the games in them.
fn matching(text: &str, from: Option<&str>) -> Result<Vec<PathBuf>> {
    let glob = GlobBuilder::new(text.trim_start_matches("./")).literal_separator(true).build().map_err(|error| {
        let message = format!("`{}` is not a pattern: {}", display_name(Path::new(text)), error.kind());
        Box::new(finding("IO367", message))
    })?;
    let matcher = glob.compile_matcher();
    let special =
        |part: &Component<'_>| part.as_os_str().to_str().is_none_or(|part| part.contains(['*', '?', '[', '{']));
    let parts: Vec<Component<'_>> = plain(Path::new(text)).components().collect();
    let (base, rest) = parts.split_at(parts.iter().position(special).unwrap_or(parts.len()));
    let base: PathBuf = base.iter().collect();
    let here = base.as_os_str().is_empty();
    let folder = if here { Path::new(".") } else { &*base };
    if !folder.exists() {
        return Ok(Vec::new());
    }
    // `{a/b,c}` may have separators where components are not known yet.
    let deep = text.contains("**") || text.contains('{');
    let depth = if deep { usize::MAX } else { rest.len() };
    let hidden_too = rest.iter().any(|part| part.as_os_str().as_encoded_bytes().starts_with(b"."));
    let walk = WalkDir::new(folder).max_depth(depth).sort_by_file_name().into_iter();
    let mut found = Vec::new();
    for entry in walk.filter_entry(|entry| (hidden_too || !is_hidden(entry)) && !is_build(entry)) {
        let entry = entry.map_err(|error| unreadable(&error))?;
        let path = if here { plain(entry.path()) } else { entry.path() };
        if !matcher.is_match(path) {
            continue;
        }
        if path.is_file() {
            found.push(path.to_owned());
        } else if path.is_dir() {
            found.extend(games_in(path, from)?);
        }
    }
    let mut seen = FxHashSet::default();
    found.retain(|path| seen.insert(path.clone()));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A folder of files that mean something here, and of some that do not.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("kit-files-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        for file in
            ["b.rbg", "a.gdl", "deep/er/c.hrg", "deep/d.txt", "x.json", ".e.rg", ".f/g.rg", "target/h.rg", "i[1].rg"]
        {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
        fs::create_dir_all(folder.join("empty")).unwrap();
        folder
    }

    #[test]
    fn folders_and_patterns() {
        let folder = folder("all");
        let found = |names: &[&str], from: Option<&str>| {
            let names: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
            named(&names, from).map_err(|error| error.code).map(|named| {
                let one = matches!(named, Named::One(_));
                let files = named.files();
                let names = files.iter().map(|file| file.strip_prefix(&folder).unwrap().to_str().unwrap().to_owned());
                (one, names.collect::<Vec<_>>().join(" "))
            })
        };
        let several = |text: &str| Ok((false, text.to_owned()));
        assert_eq!(found(&[""], None), several("a.gdl b.rbg deep/er/c.hrg i[1].rg"));
        assert_eq!(found(&[""], Some("gdl-infix")), several("a.gdl"));
        assert_eq!(found(&[""], Some("json")), several("x.json"));
        assert_eq!(found(&["*.{rbg,gdl}"], None), several("a.gdl b.rbg"));
        assert_eq!(found(&["**/*.hrg", "deep"], None), several("deep/er/c.hrg"));
        assert_eq!(found(&["dee?"], None), several("deep/er/c.hrg"), "a folder that matches stands for its games");
        assert_eq!(found(&["deep/*"], None), several("deep/d.txt deep/er/c.hrg"), "what is named is taken");
        assert_eq!(found(&["b.rbg", "", "b.rbg"], None), several("b.rbg a.gdl deep/er/c.hrg i[1].rg b.rbg"));
        assert_eq!(found(&["i[1].rg"], None), Ok((true, "i[1].rg".to_owned())), "a file is no pattern");
        assert_eq!(found(&["missing.rg"], None), Ok((true, "missing.rg".to_owned())), "who reads it reports it");
        assert_eq!(found(&["empty"], None), Err("IO365"));
        let twice = named(&[PathBuf::from("-"), "a.gdl".into(), "-".into()], None);
        assert_eq!(twice.map_err(|error| error.code), Err("IO303"), "standard input is read once");
        assert_eq!(found(&["*.sbg"], None), Err("IO366"));
        assert_eq!(found(&["nowhere/*.sbg"], None), Err("IO366"));
        assert_eq!(found(&["a["], None), Err("IO367"));
        fs::remove_dir_all(&folder).unwrap();
    }
}
