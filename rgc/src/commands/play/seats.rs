//! Who plays which player.

use super::{Seat, Sitting};
use crate::runner::Runner;
use crate::session::{Failure, finding};
use rg_ir::Diagnostic;

/// Which players are humans.
pub(super) fn humans(runner: &Runner, named: &[String]) -> Result<Vec<bool>, Failure> {
    let players: Vec<&str> = runner.players().collect();
    let mut humans = vec![false; players.len()];
    if named.is_empty() {
        humans.iter_mut().take(1).for_each(|human| *human = true);
    }
    if named.len() > 1
        && let Some(nobody) = named.iter().find(|name| is_nobody(name))
    {
        let message = format!("`{nobody}` stands for no player, so no other name can stand beside it");
        return Err(finding("IO347", message).into());
    }
    for name in named.iter().filter(|name| !is_nobody(name)) {
        let symbols = runner.reasoner.players();
        let found = players.iter().position(|player| player == name);
        let found = found.or_else(|| symbols.iter().position(|symbol| symbol == name));
        match found.and_then(|index| humans.get_mut(index)) {
            Some(true) => return Err(finding("IO347", format!("player `{name}` is named twice")).into()),
            Some(human) => *human = true,
            None => {
                let message = format!("there is no player `{name}`; the players are {}", players.join(", "));
                return Err(finding("IO347", message).suggest(name, players.iter().copied()).into());
            }
        }
    }
    Ok(humans)
}

/// Whether a name in `--as` says that no player is played by a human.
fn is_nobody(name: &str) -> bool {
    matches!(name, "none" | "nobody")
}

impl Sitting<'_> {
    /// Lets a human play on for a bot that has failed; returns what is said about it.
    pub(super) fn replace(&mut self, player: usize, failed: &Diagnostic) -> String {
        if let Some(seat) = self.seats.get_mut(player) {
            *seat = Seat::Human;
        }
        let name = self.table.fast.players().nth(player).unwrap_or_default();
        format!("{}: {}. You play {name} from here on; `save FILE` keeps the game", self.plan.against, failed.message)
    }
}
