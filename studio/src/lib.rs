//! The browser face: a server on this machine, and the page that it serves, with which games are written, seen, played and measured.
//!
//! The page has no rules: it gets positions, moves and pictures as data, and sends what was clicked. [`Studio::bind`] opens a port of the
//! loopback interface, [`Studio::run`] answers until it is stopped. `http` has the routes and what keeps strangers out, `socket` carries messages
//! between sockets and threads, `session` is one open page, and `api` has what the page can ask for, as plain functions over [`kit`].

#![warn(clippy::print_stdout, clippy::print_stderr)]

mod api;
mod browse;
mod export;
mod files;
mod http;
mod jobs;
mod session;
mod socket;
mod token;

pub use browse::{Browsing, browse};
pub use export::{Entry, Exported, Source, export, list};
use files::Folder;
use kit::language::Reading;
use kit::{Result, finding};
use rg_ir::Diagnostic;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

/// What is served, and how.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// A game, by file, by the name of a bundled one, or by a link that shares it, or a folder; the working folder if there is none.
    pub target: Option<PathBuf>,
    /// The port; any free one if it is 0.
    pub port: u16,
    /// Whether files are only read.
    pub read_only: bool,
    /// The server ends when no page has been open for so long.
    pub idle: Option<Duration>,
    /// How games are read.
    pub reading: Reading,
}

/// A server that has its port.
pub struct Studio {
    runtime: Runtime,
    listener: TcpListener,
    server: Arc<http::Server>,
    /// What a link shares.
    shared: Option<String>,
}

impl Studio {
    /// Opens the folder and the port.
    ///
    /// # Errors
    /// `IO301` to `IO303`: the folder or the game is not there. `IO390`: the port cannot be used.
    pub fn bind(options: Options) -> Result<Self> {
        let Options { target, port, read_only, idle, reading } = options;
        let shared = target.as_deref().and_then(shared).map(str::to_owned);
        let target = target.filter(|_| shared.is_none());
        let (folder, initial) = Folder::open(target.as_deref(), read_only)?;
        let failed = |error: std::io::Error| Box::new(cannot_serve(port, &error));
        let runtime = Builder::new_current_thread().enable_io().enable_time().build().map_err(failed)?;
        let listener = runtime.block_on(TcpListener::bind(("127.0.0.1", port))).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let server = http::Server::new(port, folder, initial, idle, reading)?;
        Ok(Self { runtime, listener, server: Arc::new(server), shared })
    }

    /// The address of the page, with the secret that lets it in, and what a link shares if one is to be opened.
    pub fn address(&self) -> String {
        let shared = self.shared.as_ref().map(|shared| format!("&g={shared}")).unwrap_or_default();
        format!("http://127.0.0.1:{}/#t={}{shared}", self.server.port, self.server.token.text())
    }

    /// Serves until the time without a page is over, or for ever.
    ///
    /// # Errors
    /// `IO390`: the port fails.
    pub fn run(self) -> Result<()> {
        let Self { runtime, listener, server, .. } = self;
        let port = server.port;
        runtime.block_on(http::serve(listener, server)).map_err(|error| cannot_serve(port, &error).into())
    }
}

/// What a link shares: all behind `#g=`, which the page reads.
fn shared(target: &Path) -> Option<&str> {
    let (_, shared) = target.to_str()?.rsplit_once("#g=")?;
    let is_known = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    (!shared.is_empty() && shared.bytes().all(is_known) && !target.exists()).then_some(shared)
}

fn cannot_serve(port: u16, error: &std::io::Error) -> Diagnostic {
    let wrong = finding("IO390", format!("the page cannot be served on port {port}: {error}"));
    if error.kind() == std::io::ErrorKind::AddrInUse {
        wrong.help("another program uses this port; without `--port`, a free one is chosen")
    } else {
        wrong
    }
}
