//! A language server: what editors ask about games in any of the languages, answered in the Language Server Protocol.
//!
//! [`serve`] talks over a [`Connection`]. The main loop (`server`) takes messages in order, changes texts at once, and answers from the index of names
//! ([`rg_ir::index`]) that the front end of the language makes of the text; findings are made by a thread of their own (`background`), which is
//! stopped where the text has changed again. The server reads no files, writes none, and never prints on standard output.

#![warn(clippy::print_stdout, clippy::print_stderr)]

mod background;
mod capabilities;
mod dispatch;
mod document;
mod features;
mod findings;
mod lines;
mod server;

use kit::language::Reading;
pub use lsp_server::Connection;
use std::io;

/// How the server works.
#[derive(Clone, Copy, Default, Debug)]
pub struct Config {
    /// How games are read.
    pub reading: Reading,
}

/// Serves one client, until it asks for the end.
///
/// # Errors
/// A client that breaks the protocol, or goes away before it asks for the end.
pub fn serve(connection: &Connection, config: Config) -> io::Result<()> {
    let (id, params) = connection.initialize_start().map_err(io::Error::other)?;
    let client = capabilities::Client::of(&params);
    let result = capabilities::offered(&client);
    connection.initialize_finish(id, serde_json::to_value(result)?).map_err(io::Error::other)?;
    server::Server::new(connection, client, config).run()
}

/// Serves the client at standard input and output.
///
/// # Errors
/// As for [`serve`], and what cannot be read or written.
pub fn serve_standard(config: Config) -> io::Result<()> {
    let (connection, threads) = Connection::stdio();
    let result = serve(&connection, config);
    drop(connection);
    // What is wrong with the input says more than that the connection is closed.
    threads.join()?;
    result
}
