//! Who takes part in a game: an agent of the crate `agents`, or a program of others.

use crate::bot::{Bot, Seat};
use crate::observed;
use crate::runner::Runner;
use agents::{Agent, Choice, Knowledge, Situation, Spec, SpecError};
use backend::Error;
use rg_ir::diag::{alternatives, closest};
use std::fmt;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// What the texts of bots begin with.
const COMMAND: &str = "cmd:";

/// An agent, or a program of others, as it is named on the command line.
#[derive(Clone, Debug)]
pub struct Participant {
    text: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Agent(Spec),
    Bot(Bot),
}

/// Why no move was chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// The rules are wrong somewhere below the position.
    Rules(Error),
    /// The program of others failed.
    Bot(String),
    /// The move is not wanted any more.
    Stopped,
}

/// `"cmd:./bot 1,2",5s` as `cmd:"./bot 1,2",5s`; anything else as it is.
fn quoted(text: &str) -> String {
    ['"', '\'']
        .iter()
        .find_map(|mark| Some((mark, text.strip_prefix(*mark)?.strip_prefix(COMMAND)?)))
        .map_or_else(|| text.to_owned(), |(mark, rest)| format!("{COMMAND}{mark}{rest}"))
}

/// Whether the name is that of an agent.
fn known(text: &str) -> Result<(), SpecError> {
    let name = text.split(':').next().unwrap_or_default().trim();
    if agents::NAMES.contains(&name) {
        return Ok(());
    }
    let names: Vec<String> =
        agents::NAMES.iter().copied().chain(["cmd:COMMAND"]).map(|name| format!("`{name}`")).collect();
    let names = alternatives(&names);
    Err(SpecError::from(match name {
        "" => format!("the name of an agent is missing; expected one of {names}"),
        "human" => format!("humans play with `rgc play GAME --as PLAYERS`; an agent is {names}"),
        _ => {
            let meant = closest(name, agents::NAMES.iter().copied());
            let meant = meant.map(|known| format!(" (did you mean `{known}`?)")).unwrap_or_default();
            format!("there is no agent `{name}`{meant}; expected one of {names}")
        }
    }))
}

impl Participant {
    /// Reads the name of an agent with its options, or `cmd:` with a command.
    ///
    /// # Errors
    /// What was found and what would be accepted, in one line.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let text = text.trim();
        let kind = match text.strip_prefix(COMMAND) {
            Some(command) => Kind::Bot(Bot::parse(command).map_err(SpecError::from)?),
            None => Kind::Agent(known(text).and_then(|()| Spec::parse(text))?),
        };
        Ok(Self { text: text.to_owned(), kind })
    }

    /// Reads several, separated by commas as for [`Spec::split_list`]. Quotation marks around a command may also stand before its `cmd:`.
    ///
    /// # Errors
    /// As for [`Participant::parse`], of the first that is wrong; if it may be a part of the command before it, how that is quoted.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, SpecError> {
        let mut list: Vec<Self> = Vec::new();
        for part in Spec::split_list(text) {
            let cut = |bot: &Self| bot.is_bot() && !bot.text.contains(['"', '\'']);
            let error = match Self::parse(&quoted(part.trim())) {
                Ok(participant) => {
                    list.push(participant);
                    continue;
                }
                Err(error) => error,
            };
            return Err(match list.last().filter(|bot| cut(bot)) {
                Some(bot) => {
                    let command = bot.text.strip_prefix(COMMAND).unwrap_or(&bot.text);
                    SpecError::from(format!(
                        "{error}; if it belongs to the command before it, put that in quotation marks, inside those of the shell: \
                         `'{COMMAND}\"{command},{part}\"'`"
                    ))
                }
                None => error,
            });
        }
        Ok(list)
    }

    /// The same, with that time for a move where its text says nothing of time, and no more where it does.
    #[must_use]
    pub fn within(self, time: Duration) -> Self {
        let kind = match self.kind {
            Kind::Agent(spec) => Kind::Agent(spec.within(time)),
            Kind::Bot(bot) => Kind::Bot(bot.within(time)),
        };
        Self { kind, ..self }
    }

    /// Whether it needs the moves so far as text.
    pub fn is_bot(&self) -> bool {
        matches!(self.kind, Kind::Bot(_))
    }

    /// Finds out whether it plays this game, without a game.
    ///
    /// # Errors
    /// As for [`Participant::begin`].
    pub fn try_out(&self, runner: &Runner) -> Result<(), String> {
        let chooser = self.begin(runner, 0, 0)?;
        chooser.end(Knowledge::Observations(&[]), &[], &[]);
        Ok(())
    }

    /// Begins a game for one player.
    ///
    /// # Errors
    /// Why it does not play this game, or cannot be started.
    pub fn begin<'r>(&self, runner: &'r Runner, player: usize, seed: u64) -> Result<Chooser<'r>, String> {
        match &self.kind {
            Kind::Agent(spec) => {
                let agent = spec.agent(&runner.reasoner, seed).map_err(|error| error.to_string())?;
                Ok(Chooser(Seated::Agent(agent)))
            }
            Kind::Bot(bot) => match Seat::new(bot, runner, player, seed) {
                Ok(seat) => Ok(Chooser(Seated::Bot(seat))),
                Err(trouble) => Err(trouble.to_string()),
            },
        }
    }
}

/// An error that an agent's search met in a position further on. The moves that it has begin somewhere in the search, so they are left out.
pub fn met_by_search(error: Error) -> Error {
    let message = format!("{}, in a position that the search of an agent came to", error.message);
    Error { message, play: Vec::new(), ..error }
}

/// A participant in one game, for one player.
pub struct Chooser<'r>(Seated<'r>);

enum Seated<'r> {
    Agent(Box<dyn Agent>),
    Bot(Seat<'r>),
}

impl Chooser<'_> {
    /// Chooses a legal move. `played` has the moves of the game so far in short, which only bots ask for, and only where nothing is
    /// hidden.
    ///
    /// # Errors
    /// See [`Trouble`].
    pub fn choose(&mut self, situation: &Situation<'_>, played: &[String]) -> Result<Choice, Trouble> {
        let chosen = match &mut self.0 {
            Seated::Agent(agent) => agent.choose(situation).map_err(|error| Trouble::Rules(met_by_search(error))),
            Seated::Bot(seat) => {
                let observed = observed(seat.runner(), situation.knowledge);
                let played = observed.as_deref().unwrap_or(played);
                let index = seat.choose(situation.moves, played, situation.stop)?;
                Ok(Choice { index, ..Choice::default() })
            }
        };
        // Agents return any move when they are stopped.
        match situation.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            true => Err(Trouble::Stopped),
            false => chosen,
        }
    }

    /// Ends the game, with what is known in its last position, the moves as for [`Chooser::choose`], and the scores by player.
    pub fn end(self, knowledge: Knowledge<'_>, played: &[String], scores: &[&str]) {
        if let Seated::Bot(seat) = self.0 {
            let observed = observed(seat.runner(), knowledge);
            seat.end(observed.as_deref().unwrap_or(played), scores);
        }
    }
}

/// What a player observed, as text; `None` where nothing is hidden.
pub(crate) fn observed(runner: &Runner, knowledge: Knowledge<'_>) -> Option<Vec<String>> {
    match knowledge {
        Knowledge::State(_) => None,
        Knowledge::Observations(events) => Some(observed::lines(runner, events)),
    }
}

impl fmt::Display for Participant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Rules(error) => f.write_str(&error.message),
            Trouble::Bot(what) => f.write_str(what),
            Trouble::Stopped => f.write_str("it was stopped"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Participant;

    #[test]
    fn commas_in_commands_are_quoted() {
        let list = |text: &str| {
            let list = Participant::parse_list(text).map_err(|error| error.to_string());
            list.map(|list| list.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        let wanted = ["cmd:\"bot --x 1,2:3\",5s", "random"].map(str::to_owned).to_vec();
        assert_eq!(list("cmd:\"bot --x 1,2:3\",5s,random"), Ok(wanted.clone()));
        assert_eq!(list("\"cmd:bot --x 1,2:3\",5s,random"), Ok(wanted));
        assert!(list("").unwrap_err().contains("is missing") && list(":10p").unwrap_err().contains("`cmd:COMMAND`"));
        assert_eq!(list("random, 'cmd:bot --x 1,2'").map(|list| list.len()), Ok(2));
        let wrong = list("cmd:bot --x a:1,b:2,random").unwrap_err();
        assert!(wrong.contains("no agent `b`") && wrong.ends_with("`'cmd:\"bot --x a:1,b:2\"'`"), "{wrong}");
        let wrong = list("random,cmd:bot --x 1,2").unwrap_err();
        assert!(wrong.contains("found `2`") && wrong.ends_with("`'cmd:\"bot --x 1,2\"'`"), "{wrong}");
        let wrong = list("random,uct:1z").unwrap_err();
        assert!(!wrong.contains("quotation"), "{wrong}");
    }
}
