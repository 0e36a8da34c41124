//! `rgc studio`.

use crate::cli::{Force, StudioArgs};
use crate::files::named;
use crate::library;
use crate::output::{Existing, Kind, What};
use crate::session::{Failure, Session, finding, progress};
use rg_ir::Severity;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use studio::{Entry, Exported, Options, Source, Studio};

pub(super) fn run(session: &mut Session, arguments: StudioArgs) -> Result<(), Failure> {
    if let Some(path) = arguments.export.clone() {
        return export(session, &arguments, &path);
    }
    let StudioArgs { target, port, no_open, read_only, idle, .. } = arguments;
    let idle = idle.map(|minutes| Duration::from_secs(60 * u64::from(minutes.get())));
    let studio = Studio::bind(Options { target, port, read_only, idle, reading: session.reading })?;
    let address = studio.address();
    writeln!(session.out(), "{address}")?;
    session.out().flush()?;
    // Without a browser there is still the address.
    let browsing = if no_open { None } else { Some(studio::browse(&address)) };
    if matches!(browsing, Some(Err(_))) {
        progress("no browser could be opened; open the address above\n");
    }
    Ok(studio.run()?)
}

/// Writes pages that need no server; a game about which there can be none does not keep the others from having one.
fn export(session: &mut Session, arguments: &StudioArgs, path: &Path) -> Result<(), Failure> {
    let is_page = is_page(path)?;
    if arguments.target.as_ref().is_some_and(|target| target.to_string_lossy().contains("#g=")) {
        let message = "there is no page about a game in a link: only a browser reads links";
        return Err(finding("IO351", message)
            .help("open the link with `rgc studio LINK`, and save the page there")
            .into());
    }
    let existing = Force { force: arguments.force }.over(Kind::Page);
    let games = match &arguments.target {
        Some(target) => named(std::slice::from_ref(target), None)?.files().into_iter().map(Game::File).collect(),
        None => library::all().into_iter().map(Game::Bundled).collect::<Vec<_>>(),
    };
    if is_page {
        let [Game::File(file)] = games.as_slice() else {
            let message = format!("`{}` can hold the page about one game only", path.display());
            return Err(finding("IO351", message).help("name one game, or a folder for the pages").into());
        };
        // Before the work, which may take long.
        session.writer.spare(file);
        session.writer.probe(What::Page, path, existing)?;
        let Exported { page, .. } = made(session, arguments, &Game::File(file.clone()))?;
        return Ok(session.writer.write(What::Page, path, existing, page)?);
    }
    if path == Path::new("-") {
        let message = "cannot make the folder `-`: pages are not written to standard output";
        return Err(finding("IO309", message).help("name a file that ends in `.html`, or a folder").into());
    }
    std::fs::create_dir_all(path).map_err(|error| What::no_folder(path, &error))?;
    // The list comes last; that it may not be written is known before the work, which may take long.
    let list = path.join("index.html");
    session.writer.probe(What::Page, &list, existing)?;
    let mut pages = Pages { path, existing, entries: Vec::new() };
    let mut failed = false;
    for (number, game) in games.iter().enumerate() {
        session.progress(&format!("page {} of {}: {} …", number + 1, games.len(), game.name()));
        match made(session, arguments, game).and_then(|made| pages.write(session, made)) {
            Ok(()) => {}
            Err(Failure::Shown) => failed = true,
            Err(Failure::Finding(error)) => {
                session.show(&[*error]);
                failed = true;
            }
            Err(failure) => return Err(failure),
        }
    }
    session.progress("");
    session.writer.write(What::Page, &list, existing, studio::list(&pages.entries))?;
    if failed { session.finish().and(Err(Failure::Shown)) } else { Ok(()) }
}

/// Whether a page is to be written, not a folder of pages.
///
/// # Errors
/// `IO356`: the path looks like a file, but not like a page.
fn is_page(path: &Path) -> Result<bool, Failure> {
    let is_folder = path.is_dir() || path.as_os_str().to_string_lossy().ends_with(std::path::is_separator);
    let Some(extension) = path.extension().filter(|_| !is_folder) else { return Ok(false) };
    if extension.eq_ignore_ascii_case("html") || extension.eq_ignore_ascii_case("htm") {
        return Ok(true);
    }
    let message = format!("what would be written is a page, but the file is called `.{}`", extension.to_string_lossy());
    let help = "name a file that ends in `.html`, or a folder, with `/` at its end if it is new";
    Err(finding("IO356", message).help(help).into())
}

/// A game that is to have a page.
enum Game {
    File(PathBuf),
    Bundled(library::Bundled),
}

impl Game {
    fn name(&self) -> String {
        match self {
            Self::File(path) => crate::input::display_name(path),
            Self::Bundled(game) => game.file_name(),
        }
    }
}

/// The page about a game.
fn made(session: &mut Session, arguments: &StudioArgs, game: &Game) -> Result<Exported, Failure> {
    let (reading, agents) = (session.reading, &arguments.players.0);
    match game {
        Game::Bundled(game) => {
            let name = game.file_name();
            Ok(studio::export(&Source { name: &name, text: game.text, language: game.language, reading }, agents)?)
        }
        Game::File(path) => {
            let loaded = session.load(path, None, Severity::Error)?;
            let text = session.sources.get(loaded.source).map(|file| file.text.as_str()).unwrap_or_default();
            let extension = loaded.language.extensions.first().copied().unwrap_or_default();
            let name = match path.file_name().and_then(|name| name.to_str()) {
                Some(name) if path.extension().is_some() => name.to_owned(),
                _ => format!("{}.{extension}", loaded.name),
            };
            Ok(studio::export(&Source { name: &name, text, language: loaded.language, reading }, agents)?)
        }
    }
}

/// A folder of pages.
struct Pages<'p> {
    path: &'p Path,
    existing: Existing,
    entries: Vec<Entry>,
}

impl Pages<'_> {
    /// Writes a page, under a name that no other one has.
    fn write(&mut self, session: &Session, Exported { mut entry, page }: Exported) -> Result<(), Failure> {
        let stem = entry.file.trim_end_matches(".html").to_owned();
        let mut number = 1;
        // Names that differ in case are those of one file on some systems.
        let is_taken = |name: &str| self.entries.iter().any(|other| other.file.eq_ignore_ascii_case(name));
        while entry.file.eq_ignore_ascii_case("index.html") || is_taken(&entry.file) {
            number += 1;
            entry.file = format!("{stem}-{number}.html");
        }
        session.writer.write(What::Page, &self.path.join(&entry.file), self.existing, page)?;
        self.entries.push(entry);
        Ok(())
    }
}
