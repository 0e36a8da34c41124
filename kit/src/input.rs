//! Reading what the user names: a file, or standard input as `-`.

use crate::finding;
use crate::library;
use rg_ir::Diagnostic;
use rg_ir::diag::alternatives;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Texts up to this size are read: 64 MiB.
pub const MAX_BYTES: u64 = 64 << 20;

/// What [`read`] expects.
const GAME: &str = "a game";

/// Whether `path` stands for standard input.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// What a text read from `path` is called in the source map: the path as it is, which tools can open. Who shows it to people
/// uses [`escaped`].
pub fn source_name(path: &Path) -> String {
    if is_stdin(path) { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// How `path` is called in messages: control characters, which a terminal would obey, are written as escapes.
pub fn display_name(path: &Path) -> String {
    escaped(&source_name(path))
}

/// The text with control characters written as escapes.
pub fn escaped(text: &str) -> String {
    let escape = |c: char| if is_hostile(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escape).collect()
}

/// Whether a terminal would obey a character instead of showing it: controls, and what turns the direction of writing.
pub(crate) fn is_hostile(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A line of another program as a terminal may show it: without what could move the cursor or change colours, and without spaces at its
/// end. Invalid UTF-8 is replaced.
pub fn harmless(line: &[u8]) -> String {
    let line = String::from_utf8_lossy(line);
    let line: String = anstream::adapter::strip_str(line.trim_end()).collect();
    line.chars().filter(|c| !is_hostile(*c) || *c == '\t').collect()
}

/// The text of the file, without a byte order mark. Never reads more than [`MAX_BYTES`].
///
/// Errors: missing or unreadable file (`IO301`, `IO303`), directory (`IO302`), too large (`IO304`), not UTF-8 (files
/// called `.kif` are read as Latin-1 then) or a binary file (`IO305`), empty (`IO306`).
pub fn read(path: &Path) -> Result<String, Box<Diagnostic>> {
    read_as(path, GAME)
}

/// As [`read`], for a file with something else: `a record of games`, say, which messages name as what is expected.
///
/// Errors: those of [`read`].
pub fn read_as(path: &Path, expected: &str) -> Result<String, Box<Diagnostic>> {
    let name = display_name(path);
    let bytes = if is_stdin(path) { read_limited(io::stdin().lock(), &name) } else { read_file(path, &name, expected) };
    decode(bytes?, &name, expected)
}

fn read_file(path: &Path, name: &str, expected: &str) -> Result<Vec<u8>, Box<Diagnostic>> {
    let metadata = std::fs::metadata(path).map_err(|error| cannot_open(path, name, expected, &error))?;
    if metadata.is_dir() {
        return Err(finding("IO302", format!("`{name}` is a folder; a file with {expected} is expected")).into());
    }
    if metadata.len() > MAX_BYTES {
        return Err(too_large(name));
    }
    let file = File::open(path).map_err(|error| cannot_open(path, name, expected, &error))?;
    read_limited(file, name)
}

fn read_limited(reader: impl Read, name: &str) -> Result<Vec<u8>, Box<Diagnostic>> {
    let mut bytes = Vec::new();
    let read = reader.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| Box::new(finding("IO303", format!("cannot read `{name}`: {error}"))))?;
    if bytes.len() as u64 > MAX_BYTES { Err(too_large(name)) } else { Ok(bytes) }
}

fn too_large(name: &str) -> Box<Diagnostic> {
    finding("IO304", format!("`{name}` is larger than {} MiB, the maximum size", MAX_BYTES >> 20)).into()
}

/// The finding for a file that does not open, with a suggestion from the names beside it.
fn cannot_open(path: &Path, name: &str, expected: &str, error: &io::Error) -> Box<Diagnostic> {
    if error.kind() != io::ErrorKind::NotFound {
        return finding("IO303", format!("cannot read `{name}`: {error}")).into();
    }
    let is_game = expected == GAME;
    if !is_game && library::find(&path.to_string_lossy(), None).is_ok() {
        return finding("IO301", format!("`{name}` is a bundled game; a file with {expected} is expected")).into();
    }
    let missing = finding(
        "IO301",
        match is_game {
            true => format!("`{name}`: no such file, and no bundled game of that name"),
            false => format!("`{name}`: no such file; a file with {expected} is expected"),
        },
    );
    let Some(wanted) = path.file_name().and_then(|name| name.to_str()) else { return missing.into() };
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = std::fs::read_dir(folder) else { return missing.into() };
    let mut names: Vec<String> =
        entries.flatten().take(10_000).filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.extend(library::all().iter().filter(|_| is_game).flat_map(|game| [game.name.to_owned(), game.file_name()]));
    names.sort_unstable();
    let found = missing.suggest(wanted, names.iter().map(String::as_str));
    let named = if is_game && found.help.is_none() { bundled_with(wanted) } else { None };
    match named {
        Some(help) => found.help(help).into(),
        None => found.into(),
    }
}

/// The bundled games whose names contain a word, and where the others are listed; `None` if the word is the name of a file.
fn bundled_with(word: &str) -> Option<String> {
    if Path::new(word).extension().is_some() {
        return None;
    }
    let part = word.to_lowercase();
    let named = library::all().into_iter().map(|game| game.name).filter(|name| name.to_lowercase().contains(&part));
    let mut named: Vec<String> = named.map(|name| format!("`{name}`")).collect();
    named.sort_unstable();
    named.dedup();
    Some(match named.as_slice() {
        [] => "`rgc games` lists the bundled games".to_owned(),
        _ => format!("did you mean {}? `rgc games` lists all bundled games", alternatives(&named)),
    })
}

/// Whether texts of that name are read in any encoding: rule sheets in KIF are older than the custom of UTF-8.
fn any_encoding(name: &str) -> bool {
    let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("kif"))
}

/// The text of a game in bytes that were read from a file of that name.
///
/// # Errors
/// As for [`read`], of those about what a file has in it.
pub fn text_of(bytes: Vec<u8>, name: &str) -> Result<String, Box<Diagnostic>> {
    decode(bytes, name, GAME)
}

fn decode(bytes: Vec<u8>, name: &str, expected: &str) -> Result<String, Box<Diagnostic>> {
    if let Some(at) = bytes.iter().take(4096).position(|&byte| byte == 0) {
        return Err(finding("IO305", format!("`{name}` is a binary file: it has a zero byte at offset {at}")).into());
    }
    let decoded = String::from_utf8(bytes).or_else(|error| {
        if any_encoding(name) {
            // Latin-1: its characters have the numbers of its bytes.
            return Ok(error.as_bytes().iter().map(|&byte| char::from(byte)).collect());
        }
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes().iter().take(at).filter(|&&byte| byte == b'\n').count() + 1;
        let message = format!("`{name}` is not UTF-8 text: line {line} has an invalid byte at offset {at}");
        Err(Box::new(finding("IO305", message)))
    });
    let mut text = decoded?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    if text.trim_ascii().is_empty() {
        return Err(finding("IO306", format!("`{name}` is empty; {expected} is expected")).into());
    }
    Ok(text)
}
