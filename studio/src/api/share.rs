//! What leaves the studio: a page about a game that needs no server, and the game in other forms. The browser saves it; nothing is written here.

use super::Failure;
use super::games::{self, Version};
use crate::export::{self, Course};
use crate::session::{Reply, Session, spawn};
use serde::{Deserialize, Serialize};

/// What is wanted.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Form {
    /// A page in HTML.
    Page,
    /// The automaton in RG.
    Rg,
    /// The automaton as JSON.
    Json,
}

/// A game that is to be exported.
#[derive(Deserialize)]
pub(crate) struct Wanted {
    #[serde(flatten)]
    about: games::About,
    form: Form,
    /// Who played what is shown.
    #[serde(default)]
    seats: Vec<String>,
    /// The moves of the game that is shown, in full.
    #[serde(default)]
    moves: Vec<String>,
    /// How many of them are made in the position that is seen.
    #[serde(default)]
    ply: usize,
}

/// A file for the browser to save.
#[derive(Serialize)]
pub(crate) struct File {
    name: String,
    kind: &'static str,
    text: String,
}

/// Makes a file of the last version of a game without errors.
pub(crate) fn export(session: &mut Session, wanted: Wanted, reply: Reply) {
    match games::good(session, wanted.about) {
        Ok(version) => spawn(session, "export", reply, move || file(&version, wanted)),
        Err(failure) => reply.send(Err::<(), _>(failure)),
    }
}

fn file(version: &Version, Wanted { form, seats, moves, ply, .. }: Wanted) -> Result<File, Failure> {
    let stem = version.name().rsplit_once('.').map_or(version.name(), |(stem, _)| stem);
    Ok(match form {
        Form::Page => {
            let exported = export::page(version, &Course { seats, moves, ply })?;
            File { name: exported.entry.file, kind: "text/html", text: exported.page }
        }
        Form::Rg => File { name: format!("{stem}.rg"), kind: "text/plain", text: rg_ir::text::print(&version.game) },
        Form::Json => {
            File { name: format!("{stem}.json"), kind: "application/json", text: rg_ir::json::to_json(&version.game) }
        }
    })
}
