//! `rgc join`.

use crate::cli::JoinArgs;
use crate::interrupt;
use crate::session::{Failure, Session, finding};
use crate::table::counted;
use managers::{ggp, rbg};
use std::io::Write as _;
use std::net::TcpStream;
use std::sync::Arc;

/// Plays until it is interrupted, or the manager has gone.
pub(super) fn run(session: &mut Session, args: JoinArgs) -> Result<(), Failure> {
    match &args.rbg {
        Some(address) => join(session, &args, address),
        None => wait(session, args),
    }
}

/// Waits for managers of General Game Playing.
fn wait(session: &mut Session, args: JoinArgs) -> Result<(), Failure> {
    let JoinArgs { ggp: port, host, agent, name, seed, .. } = args;
    let log = Arc::new(|text: &str| eprintln!("{text}"));
    let options = ggp::Options { name, host, port: port.unwrap_or(0), agent, seed, reading: session.reading };
    let player = ggp::Player::bind(options, log)?;
    writeln!(session.out(), "http://{}", player.address())?;
    session.out().flush()?;
    Ok(player.run(interrupt::requests())?)
}

/// Plays for an RBG game manager.
fn join(session: &mut Session, args: &JoinArgs, address: &str) -> Result<(), Failure> {
    let help = "a manager such as `rgc serve GAME --rbg PORT` is expected there; the address is `HOST:PORT`";
    let stream = TcpStream::connect(address)
        .map_err(|error| finding("IO400", format!("cannot connect to `{address}`: {error}")).help(help))?;
    let player = rbg::Player { agent: args.agent.clone(), seed: args.seed, reading: session.reading };
    let log = |text: &str| eprintln!("{text}");
    let games = rbg::join(stream, &player, interrupt::requests(), &log)
        .map_err(|why| finding("IO400", format!("cannot play for the manager at `{address}`: {why}")))?;
    Ok(writeln!(session.out(), "{}", counted(games, "game"))?)
}
