//! `rgc play`: a human plays, on a terminal line by line or with the whole screen, or through a pipe.

mod command;
mod input;
mod leave;
mod lines;
mod making;
mod misread;
mod note;
mod pause;
pub(crate) mod screen;
mod seats;
mod table;
mod work;
pub(crate) mod wrap;

use crate::cli::{EngineArgs, GameArgs, StartArgs};
use crate::draw::Drawer;
use crate::input::{display_name, is_stdin};
use crate::output::Existing;
use crate::participant::{Chooser, Participant};
use crate::record::{self, Record};
use crate::runner::{CHANCE, Runner};
use crate::session::{Failure, PREPARING, Session, finding};
use crate::table::counted;
use agents::Choice;
use backend::{Options, Rng, Turn};
use command::{Command, WORDS, is_quit};
use leave::Unsaved;
use rg_ir::scene::Span;
use rg_ir::{Diagnostic, Severity};
use std::cell::OnceCell;
use std::path::Path;
use std::sync::mpsc::Receiver;
use table::{Room, Table, Told};

/// Who plays what.
pub(super) struct Plan<'a> {
    pub(super) game: &'a GameArgs,
    /// The players that humans play; empty: the first one.
    pub(super) humans: &'a [String],
    pub(super) against: &'a Participant,
    pub(super) seed: u64,
    /// Where the game starts.
    pub(super) start: &'a StartArgs,
    pub(super) resume: Option<&'a Path>,
    /// Whether `save` may replace files that are there.
    pub(super) force: bool,
    pub(super) engine: &'a EngineArgs,
    /// Whether the whole screen is used.
    pub(super) full_screen: bool,
}

impl Plan<'_> {
    /// The agent that plays for those who are not humans.
    fn agent<'r>(&self, runner: &'r Runner, player: usize, seed: u64) -> Result<Chooser<'r>, Failure> {
        let agent = self.against.begin(runner, player, seed);
        Ok(agent.map_err(|error| self.unable(&error))?)
    }

    /// The finding about an agent that does not play this game.
    fn unable(&self, why: &str) -> Diagnostic {
        finding("IO341", format!("agent `{}`: {why}", self.against))
    }
}

/// Who plays a player.
enum Seat<'a> {
    /// A human.
    Human,
    /// An agent that has not had to think yet, by its seed.
    Absent(u64),
    /// An agent.
    Agent(Chooser<'a>),
}

/// Bytes of the longest text that is read as a command, or as a move that is not exactly a legal one.
const LONGEST: usize = 1_000;

/// The answer of a command that was stopped.
const STOPPED: &str = "stopped\n";

pub(super) fn run(session: &mut Session, plan: &Plan<'_>) -> Result<(), Failure> {
    if !plan.full_screen {
        return seated(session, plan, |session, sitting| sitting.run(session));
    }
    screen::possible()?;
    seated(session, plan, screen::run)
}

/// Prepares a play, and hands it over to whoever leads through it.
fn seated(
    session: &mut Session,
    plan: &Plan<'_>,
    lead: impl FnOnce(&mut Session, &mut Sitting<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let file = &plan.game.file;
    if is_stdin(file) {
        let message = "standard input is where the moves come from, so the game cannot be read from there";
        return Err(finding("IO346", message).help("name a file, or a bundled game").into());
    }
    let options = plan.engine.options();
    let from = plan.game.language.from.as_deref();
    if plan.start.position.as_deref().is_some_and(is_stdin) {
        let message = "standard input is where the moves come from, so the position cannot be read from there";
        return Err(finding("IO346", message).help("name a file with `--position`").into());
    }
    let mut loaded = session.load_there(file, from, plan.start)?;
    if let Some(path) = plan.resume {
        let record = super::replay::read(session, path)?;
        loaded = record::started(&record, loaded)?;
    }
    let drawn = Runner::new(loaded, Options { keep_dead: true, ..options })?;
    let drawer = Drawer::new(&drawn);
    let table = Table::new(session, file, options.ambiguity, (&drawn, &drawer))?;
    let mut rng = Rng::new(plan.seed);
    let mut seats = Vec::new();
    for human in seats::humans(&drawn, plan.humans)? {
        let seed = if human { 0 } else { rng.next_u64() };
        if !human {
            // Whether there is such an agent for this game is said at once.
            plan.against.try_out(&drawn).map_err(|why| plan.unable(&why))?;
        }
        seats.push(if human { Seat::Human } else { Seat::Absent(seed) });
    }
    let fast = OnceCell::new();
    let (shown, told, resumed, asked, preparing) = (None, Told::default(), None, Vec::new(), None);
    let unsaved = Unsaved::default();
    let (viewer, is_cut) = (None, false);
    let mut sitting = Sitting {
        table,
        seats,
        fast: &fast,
        plan,
        rng,
        shown,
        told,
        viewer,
        resumed,
        asked,
        listed: None,
        is_cut,
        preparing,
        unsaved,
    };
    if let Some(path) = plan.resume {
        sitting.resume(session, path)?;
    } else {
        // Findings about these moves have a place.
        session.play(&drawn, &plan.start.play)?;
    }
    sitting.table.begin(&plan.start.play)?;
    lead(session, &mut sitting)
}

/// Looks at what happens while an agent thinks; whether the game is left, so that its move is not wanted any more.
type Watch<'w> = &'w mut dyn FnMut() -> Result<bool, Failure>;

/// A play with everybody who takes part.
struct Sitting<'a> {
    table: Table<'a>,
    /// Who plays which player.
    seats: Vec<Seat<'a>>,
    /// The engine that agents think with. It is prepared when the first of them has to move: a human need not wait for it.
    fast: &'a OnceCell<Runner>,
    plan: &'a Plan<'a>,
    rng: Rng,
    /// The position that was shown last: the number of moves before it.
    shown: Option<usize>,
    /// What was shown of that to those who do not see everything.
    told: Told,
    /// What was resumed, if that has not been said yet.
    resumed: Option<String>,
    /// The player whose human was shown the position last.
    viewer: Option<usize>,
    /// What a human was asked to choose from: words, and the moves they stand for.
    asked: Vec<(String, usize)>,
    /// The position whose moves were listed with numbers last: the number of moves before it.
    listed: Option<usize>,
    /// Whether the moves behind the last one of a line were not made, since another human is to move, and that human was not told so yet.
    is_cut: bool,
    /// Whether a human would lose moves by leaving.
    unsaved: Unsaved,
    /// The engine that is being prepared: this goes on where it was not waited for.
    preparing: Option<Receiver<Result<Runner, Failure>>>,
}

impl Sitting<'_> {
    /// Whether the engine that agents think with is there.
    fn is_prepared(&self) -> bool {
        self.fast.get().is_some()
    }

    /// Prepares the fast engine, if it is not there yet, and the agents; `false` if `watch` did not wait for that.
    fn prepare(&mut self, session: &mut Session, watch: Option<Watch<'_>>) -> Result<bool, Failure> {
        if self.is_prepared() {
            return Ok(true);
        }
        let preparing = match self.preparing.take() {
            Some(preparing) => preparing,
            None => self.begin_preparing(session)?,
        };
        let Some(runner) = work::awaited(&preparing, watch)? else {
            self.preparing = Some(preparing);
            return Ok(false);
        };
        let runner = runner?;
        let fast = self.fast.get_or_init(|| runner);
        self.table.switch(fast)?;
        for (player, seat) in self.seats.iter_mut().enumerate() {
            if let Seat::Absent(seed) = *seat {
                *seat = Seat::Agent(self.plan.agent(fast, player, seed)?);
            }
        }
        session.progress("");
        Ok(true)
    }

    /// Reads the game again, and prepares the fast engine in a thread.
    fn begin_preparing(&self, session: &mut Session) -> Result<Receiver<Result<Runner, Failure>>, Failure> {
        let (game, options) = (self.plan.game, self.plan.engine.options());
        let loaded = session.load(&game.file, game.language.from.as_deref(), Severity::Error)?;
        // Reading is quick, and ends what is shown.
        session.progress(PREPARING);
        let loaded = loaded.start_as(&self.table.drawn.loaded)?;
        let level = self.plan.engine.level.or_fast(options.ambiguity);
        work::begun(move || Ok(Runner::new(loaded.optimised(level)?, options)?))
    }

    /// Who thinks now, for those who wait.
    fn thinker(&self) -> String {
        match self.table.turn() {
            Turn::Random => format!("{CHANCE} moves…"),
            Turn::Player(_) | Turn::End => format!("{} is thinking…", self.plan.against),
        }
    }

    /// What is shown while a command takes long; `None` if it does not.
    fn busy_with(&self, command: &Command<'_>) -> Option<String> {
        match command {
            Command::Why(_) => Some("searching…".to_owned()),
            Command::Hint | Command::Eval => Some(self.thinker()),
            _ => None,
        }
    }

    /// Whether the engine that agents think with has to be prepared for a command first.
    fn needs_engine(&self, command: &Command<'_>) -> bool {
        let thinks = matches!(command, Command::Hint | Command::Eval) && matches!(self.table.turn(), Turn::Player(_));
        thinks && !self.is_prepared()
    }

    /// Whether nothing happens until a human says something.
    fn waits(&self) -> bool {
        match self.table.turn() {
            Turn::Random => false,
            Turn::Player(player) => matches!(self.seats.get(player), None | Some(Seat::Human)),
            Turn::End => true,
        }
    }

    /// Whether an agent is to move.
    fn thinks(&self) -> bool {
        !self.waits() && self.table.turn() != Turn::Random
    }

    /// Makes the move of an agent or of chance; returns what is announced of it, which is nothing while something is hidden from humans, or `None`
    /// if the game was left meanwhile.
    fn advance(&mut self, mut watch: Option<Watch<'_>>) -> Result<Option<String>, Failure> {
        let left = match &mut watch {
            Some(watch) => watch()?,
            None => false,
        };
        let index = match self.table.turn() {
            _ if left => None,
            Turn::Player(player) => match self.choice(player, watch) {
                Err(Failure::Finding(failed)) if failed.code == "IO384" => {
                    return Ok(Some(self.replace(player, &failed)));
                }
                chosen => chosen?,
            },
            Turn::Random | Turn::End => Some(self.rng.below(self.table.moves().len() as u32) as usize),
        };
        let Some(index) = index else { return Ok(None) };
        let said = self.table.announced(index);
        let is_chance = self.table.turn() == Turn::Random;
        // What humans observe of it is shown when one of them is to move, and at the end everything is.
        let has_humans = !self.humans().is_empty();
        let is_shown = self.table.is_secret() && has_humans;
        self.table.make(index)?;
        if self.table.turn() == Turn::End {
            self.unsaved.forget();
        }
        if has_humans && self.table.is_in_steps() {
            return Ok(Some(self.table.told().trim_end().to_owned()));
        }
        let is_open = !is_shown || self.table.turn() == Turn::End;
        // What chance did is a part of the position that a human sees next.
        let is_seen = is_chance && self.waits() && self.table.turn() != Turn::End;
        Ok(Some(if is_open && !is_seen { said } else { String::new() }))
    }

    /// What a line means; `None` if it is empty.
    fn command<'l>(&self, line: &'l str) -> Option<Command<'l>> {
        let line = line.trim();
        if self.unsaved.is_confirmed(line) {
            return Some(Command::Quit);
        }
        let is_move = self.table.exactly(line) || self.answers(line) || self.chosen(line).is_some();
        let command = match is_move {
            true => Command::Move(line),
            false if line.split(';').any(|part| part.len() > LONGEST) => Command::TooLong,
            false => Command::of(line),
        };
        (!line.is_empty()).then_some(command)
    }

    /// Whether what the present player knows is not for the humans at the screen: an agent or chance decides in a game with
    /// hidden information, and somebody plays against them.
    fn conceals(&self) -> bool {
        self.table.is_secret() && !self.waits() && !self.humans().is_empty()
    }

    /// The position, in this room if possible; while it is concealed, what the only human observed, and nothing if
    /// there are several.
    fn board(&self, room: Room) -> Vec<Vec<Span>> {
        match *self.humans() {
            _ if !self.conceals() => self.table.board(room),
            [human] => self.table.observed_by(human, self.table.look(room)),
            _ => Vec::new(),
        }
    }

    /// The legal moves that a text may mean; none while they are concealed.
    fn offered(&self, text: &str) -> Vec<String> {
        if self.conceals() { Vec::new() } else { self.table.offered(text) }
    }

    fn humans(&self) -> Vec<usize> {
        (0..).zip(&self.seats).filter(|(_, seat)| matches!(seat, Seat::Human)).map(|(player, _)| player).collect()
    }

    /// What an agent chooses, or `None` if the play was left meanwhile.
    fn choice(&mut self, player: usize, watch: Option<Watch<'_>>) -> Result<Option<usize>, Failure> {
        let Some(Seat::Agent(agent)) = self.seats.get_mut(player) else { return Ok(Some(0)) };
        Ok(self.table.choice(agent, player, watch)?.map(|choice| choice.index))
    }

    /// Does what a human says; returns the answer, in lines.
    fn execute(
        &mut self,
        session: &mut Session,
        command: Command<'_>,
        watch: Option<Watch<'_>>,
    ) -> Result<String, Failure> {
        match command {
            Command::Help("") if self.table.turn() != Turn::End => {
                let text = session.sources.get(self.table.drawn.loaded.source).map_or("", |file| &file.text);
                Ok(misread::help_on("", &self.table.examples())? + &note::about_moves(text))
            }
            Command::Help(word) => misread::help_on(word, &self.table.examples()),
            Command::Surplus(word) => Err(misread::surplus(word).into()),
            Command::TooLong => Err(finding("IO348", "the line is too long for a move or a command").into()),
            Command::New => {
                self.asked.clear();
                (self.shown, self.told, self.viewer) = (None, Told::default(), None);
                self.unsaved.forget();
                self.table.restart(0);
                Ok(String::new())
            }
            Command::Board => {
                (self.shown, self.told) = (None, Told::default());
                Ok(String::new())
            }
            Command::State => self.table.all(),
            Command::Move(text) => match self.play_moves(text) {
                // What is said of a column that is full is why.
                Err(Failure::Finding(said)) if self.table.is_column(text) => {
                    Ok(self.table.why(session, text, watch).ok().flatten().unwrap_or_else(|| plain(&said) + "\n"))
                }
                said => said,
            },
            Command::Moves(beginning) => {
                self.listed = Some(self.table.plies());
                Ok(self.table.listed(beginning))
            }
            Command::Hint => {
                let Some((choice, _)) = self.advice(session, watch)? else { return Ok(STOPPED.to_owned()) };
                let value = choice.value.map_or(String::new(), |value| format!(", expected score {value:.1}"));
                Ok(format!("hint ({}): {}{value}\n", self.plan.against, self.table.text(choice.index)))
            }
            Command::Eval => {
                let Some((choice, mover)) = self.advice(session, watch)? else { return Ok(STOPPED.to_owned()) };
                let best = self.table.text(choice.index);
                Ok(match choice.value {
                    Some(value) => {
                        format!("{}: {mover} can expect a score of {value:.1}, with {best}\n", self.plan.against)
                    }
                    None => format!("{} does not estimate scores; it chooses {best}\n", self.plan.against),
                })
            }
            Command::Why(text) => Ok(self.table.why(session, text, watch)?.unwrap_or_else(|| STOPPED.to_owned())),
            Command::Undo => {
                self.asked.clear();
                let humans = self.humans();
                self.table.undo(&humans)?;
                self.told = Told::default();
                Ok(String::new())
            }
            Command::Save(path) => {
                let (path, forced) = command::flagged(path, "--force");
                let path = command::named(path, "save FILE")?;
                let may_replace = forced || self.plan.force || self.goes_on_from(session, path);
                let existing = if may_replace { Existing::Replace } else { Existing::Refuse };
                self.table.save((&session.writer, path, existing), &self.seats(), self.plan.seed)?;
                self.unsaved.forget();
                Ok(format!("saved to {}\n", path.display()))
            }
            Command::Resume(path) => {
                self.resume(session, command::named(path, "resume FILE")?)?;
                Ok(self.resumed.take().unwrap_or_default())
            }
            Command::Quit => Ok(String::new()),
        }
    }

    /// What the agent would choose for the one who is to move, and who that is; `None` if the game was left meanwhile.
    fn advice(
        &mut self,
        session: &mut Session,
        mut watch: Option<Watch<'_>>,
    ) -> Result<Option<(Choice, String)>, Failure> {
        let Turn::Player(player) = self.table.turn() else {
            return Err(finding("IO348", "the game is over, so no player is to move").into());
        };
        if !self.prepare(session, watch.as_mut().map(|watch| &mut **watch as Watch<'_>))? {
            return Ok(None);
        }
        let mut agent = self.plan.agent(self.table.fast, player, self.rng.next_u64())?;
        let choice = self.table.choice(&mut agent, player, watch)?;
        let mover = self.table.fast.players().nth(player).unwrap_or_default().to_owned();
        Ok(choice.map(|choice| (choice, mover)))
    }

    /// Who plays which player.
    fn seats(&self) -> Vec<String> {
        let name = |seat: &Seat<'_>| match seat {
            Seat::Human => "human".to_owned(),
            Seat::Absent(_) | Seat::Agent(_) => self.plan.against.to_string(),
        };
        self.seats.iter().map(name).collect()
    }

    /// Whether a file holds nothing but the beginning of this play, or all of it: nothing is lost if it is saved there.
    fn goes_on_from(&self, session: &mut Session, path: &Path) -> bool {
        let record = path.is_file().then(|| super::replay::read(session, path).ok()).flatten();
        record.is_some_and(|Record { header, plays, cut, .. }| {
            cut.is_none() && matches!(plays.as_slice(), [line] if self.table.begins_with(&header, line))
        })
    }

    fn resume(&mut self, session: &mut Session, path: &Path) -> Result<(), Failure> {
        let Record { header, plays, header_place, places, cut } = super::replay::read(session, path)?;
        session.show(cut.as_slice());
        let (Some(line), Some(place)) = (plays.last(), places.last()) else {
            let message = format!("there is no game in `{}`", display_name(path));
            return Err(finding("IO344", message).or_at(header_place).into());
        };
        self.table.keeps(&header, line, &self.humans()).map_err(|failure| failure.or_at(*place))?;
        self.table.resume(&header, line).map_err(|failure| failure.or_at(*place))?;
        self.asked.clear();
        self.unsaved.forget();
        (self.shown, self.told, self.viewer) = (None, Told::default(), None);
        let which = match plays.len() {
            1 => String::new(),
            count => format!(", the last of {count} games"),
        };
        let made = counted(line.moves.len() as u64, "move");
        self.resumed = Some(format!("resumed: game {} of {}{which}, after {made}\n", line.play, path.display()));
        Ok(())
    }
}

/// A finding as a line for the one who plays.
fn plain(finding: &Diagnostic) -> String {
    let Some(help) = &finding.help else { return finding.message.clone() };
    let stop = if finding.message.ends_with(['.', '?', '!']) { "" } else { "." };
    let mut letters = help.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{}{stop} {first}{}", finding.message, letters.as_str())
}
