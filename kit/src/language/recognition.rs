//! Telling the language of a text: by its name, its extension, or how it begins.

use super::{DIALECTS, LANGUAGES, Language};
use crate::finding;
use rg_ir::Diagnostic;
use std::path::Path;

/// Bytes of a text, behind comments, that tell its language.
const BEGINNING: usize = 1 << 12;

/// The language of that name, or the syntax.
pub fn by_name(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().chain(DIALECTS).find(|language| language.name == name)
}

/// The names of all languages and syntaxes.
pub fn names() -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().chain(DIALECTS).map(|language| language.name)
}

/// The language whose files are called like `path`, if there is one.
pub fn of_extension(path: &Path) -> Option<&'static Language> {
    let extension = path.extension().and_then(|e| e.to_str())?;
    LANGUAGES.iter().find(|language| language.extensions.iter().any(|e| e.eq_ignore_ascii_case(extension)))
}

/// The language a text is read as: `from` if given, else by the extension of `path`, else by how the text begins.
///
/// Errors: an unknown `from` or extension (`IO307`), or a text that does not begin like any language (`IO308`).
pub fn choose(path: &Path, from: Option<&str>, text: &str) -> Result<&'static Language, Box<Diagnostic>> {
    if let Some(name) = from {
        let unknown = || finding("IO307", format!("there is no language `{name}`; {}", known_names()));
        return by_name(name).ok_or_else(|| unknown().suggest(name, names()).into());
    }
    if let Some(language) = of_extension(path) {
        return Ok(language);
    }
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    if !extension.is_empty() {
        let message = format!("the extension `.{extension}` does not belong to any language; {}", known_names());
        let extensions = LANGUAGES.iter().flat_map(|language| language.extensions).copied();
        let unknown = finding("IO307", message).help("name the language with `--from`");
        if extension.eq_ignore_ascii_case("jsonl") {
            return Err(unknown
                .help("`rgc replay` reads records of games; a game in JSON has the extension `.json`")
                .into());
        }
        return Err(unknown.suggest(extension, extensions).into());
    }
    looking_like(text).ok_or_else(|| {
        let message = format!("the text does not begin like any language; {}", known_names());
        finding("IO308", message).help("name the language with `--from`").into()
    })
}

/// The language that a text begins like.
fn looking_like(text: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| (language.looks_like)(text))
}

/// The language that a text begins like, if that is another one than it is read as.
pub fn another(language: &Language, text: &str) -> Option<&'static Language> {
    let is_read_as = |other: &&Language| other.title == language.title;
    if (language.looks_like)(text) { None } else { looking_like(text).filter(|other| !is_read_as(other)) }
}

/// `the languages are rg (Regular Games), …`.
fn known_names() -> String {
    let names: Vec<String> = LANGUAGES.iter().map(|l| format!("`{}` ({})", l.name, l.title)).collect();
    format!("the languages are {}", names.join(", "))
}

/// The text behind leading white space and `//` and `/* */` comments.
pub(super) fn skip_comments(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        text = if let Some(rest) = text.strip_prefix("//") {
            rest.split_once('\n').map_or("", |(_, rest)| rest)
        } else if let Some(rest) = text.strip_prefix("/*") {
            rest.split_once("*/").map_or("", |(_, rest)| rest)
        } else {
            return text;
        }
    }
}

/// As much of a text as tells its language.
fn start_of(text: &str) -> &str {
    text.split_at(text.floor_char_boundary(BEGINNING)).0
}

/// The keyword of a domain or graph.
pub(super) fn looks_like_hrg(text: &str) -> bool {
    let word = start_of(skip_comments(text)).split(char::is_whitespace).next();
    word.is_some_and(|word| ["domain", "graph", "reusable"].contains(&word))
}

/// A list, a name with a bracket directly behind it, or the sign of an infix rule, behind comments.
pub(super) fn looks_like_gdl(mut text: &str) -> bool {
    loop {
        text = text.trim_start();
        text = if let Some(block) = text.strip_prefix("/*") {
            block.split_once("*/").map_or("", |(_, rest)| rest)
        } else if text.starts_with([';', '%']) {
            text.find(['\n', '\r']).and_then(|end| text.get(end..)).unwrap_or_default()
        } else {
            break;
        };
    }
    let text = start_of(text);
    let word = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let (word, rest) = text.split_at(word);
    rest.starts_with('(') || !word.is_empty() && rest.trim_start().starts_with(":-")
}

/// A declaration's keyword, a pragma, or the `node, node:` of an edge.
pub(super) fn looks_like_rg(text: &str) -> bool {
    let text = start_of(skip_comments(text));
    let word_end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (word, rest) = text.split_at(word_end);
    match word {
        "" => text.starts_with('@'),
        "type" | "const" | "var" => true,
        _ => rest.trim_start().starts_with(','),
    }
}
