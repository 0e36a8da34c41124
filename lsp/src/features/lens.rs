//! What can be done with a game, shown over its rules, with the number of its plays.

use crate::capabilities::Client;
use crate::document::Document;
use gen_lsp_types::{CodeLens, Command};
use kit::perft::Counted;
use kit::table::grouped;
use serde_json::json;

/// Titles, and the commands of the client that they stand for; the argument of each is the address of the text.
const COMMANDS: [(&str, &str); 4] =
    [("play", "rgc.play"), ("perft", "rgc.perft"), ("bench", "rgc.bench"), ("draw", "rgc.draw")];

/// The command whose title has the number of plays, as soon as it is known.
const COUNTING: &str = "rgc.perft";

/// The commands, for a client that has said that it knows them.
pub(crate) fn lenses(document: &Document, client: &Client) -> Option<Vec<CodeLens>> {
    let rules = document.index().rules().filter(|_| client.commands)?;
    let lens = |(title, command): (&str, &str)| CodeLens {
        range: document.range(rules),
        command: Some(Command {
            title: match document.plays().filter(|_| command == COUNTING) {
                Some(Counted { depth, leaves }) => format!("{title} {depth}: {}", grouped(leaves)),
                None => title.to_owned(),
            },
            tooltip: None,
            command: command.to_owned(),
            arguments: Some(vec![json!(document.uri)]),
        }),
        data: None,
    };
    Some(COMMANDS.into_iter().map(lens).collect())
}
