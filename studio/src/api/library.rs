//! What can be opened.

use crate::files::{Entry, Target};
use crate::http::Server;
use backend::Engine;
use kit::{language, library, skeleton};
use serde::Serialize;

/// What a page is told first.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Hello<'s> {
    version: &'static str,
    folder: &'s str,
    read_only: bool,
    /// What is to be opened.
    initial: Option<&'s Target>,
    languages: Vec<Named>,
    /// Those that a new game can be in, by name.
    beginnings: Vec<&'static str>,
    /// Agents: how they are written, and what they do.
    agents: Vec<Described>,
    engines: Vec<&'static str>,
}

#[derive(Serialize)]
struct Named {
    name: &'static str,
    title: &'static str,
    extension: &'static str,
}

#[derive(Serialize)]
struct Described {
    name: &'static str,
    what: &'static str,
}

/// All that can be opened.
#[derive(Serialize)]
pub(crate) struct Library {
    bundled: Vec<Bundled>,
    files: Vec<Entry>,
}

/// A bundled game in all its languages.
#[derive(Serialize)]
struct Bundled {
    name: &'static str,
    title: &'static str,
    what: &'static str,
    languages: Vec<&'static str>,
    /// Lines of its text in the first of these languages.
    lines: usize,
}

/// Answers the first request of a page.
pub(crate) fn hello(server: &Server) -> Hello<'_> {
    let named = |language: &language::Language| Named {
        name: language.name,
        title: language.title,
        extension: language.extensions.first().copied().unwrap_or_default(),
    };
    Hello {
        version: env!("CARGO_PKG_VERSION"),
        folder: &server.folder.title,
        read_only: server.folder.read_only,
        initial: server.initial.as_ref(),
        languages: language::LANGUAGES.iter().map(named).collect(),
        beginnings: skeleton::languages().collect(),
        engines: Engine::ALL.iter().filter(|(_, engine)| *engine != Engine::Auto).map(|(name, _)| *name).collect(),
        agents: agents::KINDS.iter().map(|&(name, what)| Described { name, what }).collect(),
    }
}

/// The bundled games, each once, and those in the folder.
pub(crate) fn all(server: &Server) -> Library {
    let mut bundled: Vec<Bundled> = Vec::new();
    for game in library::all() {
        if let Some(known) = bundled.last_mut().filter(|known| known.name == game.name) {
            known.languages.push(game.language.name);
            continue;
        }
        let (title, what) = game.description().split_once(": ").unwrap_or((game.name, game.description()));
        let (languages, lines) = (vec![game.language.name], game.text.lines().count());
        bundled.push(Bundled { name: game.name, title, what, languages, lines });
    }
    Library { bundled, files: server.folder.games() }
}
