//! What a result is, by which files that hold an earlier one are told from all others.

use crate::language::{LANGUAGES, Language, Rendering};
use crate::{Result, finding};
use rg_ir::SourceId;
use rg_ir::diag::has_errors;
use std::path::Path;

/// What a result is: an existing file is replaced by a result of the kind that it holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A game in RG.
    Rg,
    /// A game in the language with this name, which replaces nothing.
    Game(&'static str),
    /// A game in RG as JSON.
    Json,
    /// A description in (a form of) its own language, by the name of the view.
    View(&'static str),
    /// Graphviz text.
    Dot,
    /// A picture in SVG.
    Svg,
    /// A page in HTML.
    Page,
    /// A program of the reasoner.
    Program,
    /// What the compiler gets for a program, or machine code.
    Code,
    /// A forward model in Rust.
    Rust,
    /// A forward model in C++.
    Cpp,
    /// A difference of two texts.
    Diff,
    /// A page of the manual.
    Manual,
    /// A record of plays, which replaces nothing.
    Record,
    /// A list, which nothing distinguishes from other text.
    List,
}

impl Kind {
    /// Its name, to stand after "is not".
    pub fn name(self) -> String {
        match self {
            Self::Rg => "an RG game".to_owned(),
            Self::Game(language) => format!("a game in {}", language.to_ascii_uppercase()),
            Self::Json => "a game in JSON".to_owned(),
            Self::View(name) => format!("`{name}` text"),
            Self::Dot => "a Graphviz drawing".to_owned(),
            Self::Svg => "an SVG picture".to_owned(),
            Self::Page => "an HTML page".to_owned(),
            Self::Program => "a reasoner program".to_owned(),
            Self::Code => "a code listing".to_owned(),
            Self::Rust => "a Rust module".to_owned(),
            Self::Cpp => "a C++ header".to_owned(),
            Self::Record => "a record".to_owned(),
            Self::Diff => "a diff".to_owned(),
            Self::Manual => "a manual page".to_owned(),
            Self::List => "a list".to_owned(),
        }
    }

    /// The extensions of files that hold this kind, without the dot; the first one is the usual one.
    fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Rg => &["rg"],
            Self::Game(name) => {
                LANGUAGES.iter().find(|language| language.name == name).map_or(&[], |language| language.extensions)
            }
            Self::Json => &["json"],
            Self::View(name) => {
                let has_view = |language: &&Language| language.views.iter().any(|view| view.name == name);
                LANGUAGES.iter().find(has_view).map_or(&[], |language| language.extensions)
            }
            Self::Dot => &["dot", "gv"],
            Self::Svg => &["svg"],
            Self::Page => &["html", "htm"],
            Self::Program => &["wir"],
            Self::Rust => &["rs"],
            Self::Cpp => &["hpp", "h", "hh", "hxx", "cpp", "cc", "cxx"],
            Self::Diff => &["diff", "patch"],
            Self::Record => &["jsonl", "json"],
            Self::Code | Self::Manual | Self::List => &[],
        }
    }

    /// Finds out whether a file may be called what it is, if it is to hold this kind: its extension is not that of something else. Extensions that
    /// are not those of any kind, such as `txt`, say nothing.
    ///
    /// # Errors
    /// `IO356`.
    pub fn check_name(self, path: &Path) -> Result<()> {
        let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
        let Some(extension) = extension else { return Ok(()) };
        let own = self.extensions();
        if own.contains(&&*extension) || !is_known(&extension) {
            return Ok(());
        }
        let wrong = finding(
            "IO356",
            format!(
                "`{}` would contain {}, but `.{extension}` is the extension of another format",
                path.display(),
                self.name()
            ),
        );
        Err(match own.first() {
            Some(usual) => wrong.help(format!("name it `{}`", path.with_extension(usual).display())),
            None => wrong.help("give it another extension, such as `.txt`"),
        }
        .into())
    }

    /// Whether a text may be an earlier result of this kind. Games are recognised by being written exactly as they would be printed
    /// again, so that what people have written and commented is not among them; the rest by how it begins. A text without any
    /// content is of every kind. Costs as much as reading the game.
    pub fn is(self, text: &str) -> bool {
        let text = text.trim_end();
        text.is_empty() || self.rendered(text).unwrap_or_else(|| self.begins(text))
    }

    /// Whether the text is printed as it is; `None` for what is not a game.
    fn rendered(self, text: &str) -> Option<bool> {
        let source = SourceId(0);
        let same = |printed: Option<String>| Some(printed.is_some_and(|printed| printed.trim_end() == text));
        match self {
            Self::Rg => same(rg_ir::text::parse(source, text).0.map(|game| rg_ir::text::print(&game))),
            Self::Json => same(rg_ir::json::from_json(source, text).ok().map(|game| rg_ir::json::to_json(&game))),
            Self::View(name) => same(view(name).and_then(|render| {
                let (printed, findings) = render(source, text);
                printed.filter(|_| !has_errors(&findings))
            })),
            _ => None,
        }
    }

    /// Whether the text begins like all results of this kind.
    fn begins(self, text: &str) -> bool {
        let head: Vec<&str> = text.lines().take(MANUAL_HEAD).collect();
        let any = |wanted: &[&str]| wanted.iter().any(|wanted| text.starts_with(wanted));
        match self {
            Self::Dot => any(&["digraph game {"]),
            Self::Svg => any(&["<svg xmlns="]),
            Self::Page => any(&[PAGE]),
            Self::Program => {
                let bytes = head.first().and_then(|line| line.strip_prefix("state "));
                bytes.is_some_and(|bytes| bytes.parse::<u32>().is_ok())
            }
            Self::Code => any(&["; list of ", "; runs of ", "; count of ", "; call of "]),
            Self::Rust | Self::Cpp => head.iter().take(2).any(|line| line.contains(" Made by `rgc compile --emit ")),
            Self::Diff => any(&["@@ -"]),
            Self::Manual => head.iter().any(|line| line.starts_with(".TH rgc")),
            Self::Rg | Self::Game(_) | Self::Json | Self::View(_) | Self::Record | Self::List => false,
        }
    }
}

/// Whether an extension says what is in a file: a game, something that `rgc` writes, or a picture of a form that it does not write.
fn is_known(extension: &str) -> bool {
    let written =
        [Kind::Json, Kind::Dot, Kind::Svg, Kind::Page, Kind::Program, Kind::Rust, Kind::Cpp, Kind::Diff, Kind::Record];
    PICTURES.contains(&extension)
        || LANGUAGES.iter().any(|language| language.extensions.contains(&extension))
        || written.iter().any(|kind| kind.extensions().contains(&extension))
}

/// Extensions of pictures and printed pages that are not written.
pub const PICTURES: &[&str] = &["png", "pdf", "jpg", "jpeg", "gif", "webp", "ps", "eps"];

/// Lines in which a manual page gives its title.
const MANUAL_HEAD: usize = 4;

/// How pages begin, before the version.
const PAGE: &str =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"generator\" content=\"rgc ";

/// The view of that name, of whatever language.
fn view(name: &str) -> Option<Rendering> {
    LANGUAGES.iter().flat_map(|language| language.views).find(|view| view.name == name).map(|view| view.render)
}

/// How the pages that `rgc` writes begin: it tells them from those of others.
pub fn page_head() -> String {
    format!("{PAGE}{}\">\n", env!("CARGO_PKG_VERSION"))
}
