//! Programs of others that choose moves: processes that read a JSON object in a line of standard input and write a move in a line of
//! standard output. `docs/playing.md` describes the protocol.

pub mod conformance;

use crate::input::harmless;
use crate::participant::Trouble;
use crate::position::Position;
use crate::runner::Runner;
use backend::Moves;
use serde::Serialize;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Version of the protocol.
pub const PROTOCOL: u32 = 1;

/// What a bot writes once it can play.
const READY: &str = "ready";

/// Time to start, for programs that load much, where no time is given; and what a given time for a move leaves at least.
const START: Duration = Duration::from_secs(60);
const LEAST_START: Duration = Duration::from_secs(1);

/// Time for a move where none is given.
const MOVE: Duration = Duration::from_secs(10);

/// How often it is looked whether the answer is still wanted.
const POLL: Duration = Duration::from_millis(20);

/// Time for a program to end after its input has ended.
const FAREWELL: Duration = Duration::from_millis(500);

/// A line of a bot is read up to this many bytes.
const MAX_LINE: u64 = 1 << 20;

/// A program to be started, and the processes of it that no game needs at present.
#[derive(Clone)]
pub struct Bot {
    program: String,
    arguments: Vec<String>,
    /// Time for a move, if it is given.
    time: Option<Duration>,
    /// Time to start.
    start: Duration,
    idle: Arc<Mutex<Vec<Process>>>,
}

impl fmt::Debug for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bot")
            .field("program", &self.program)
            .field("arguments", &self.arguments)
            .finish_non_exhaustive()
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Message<'a> {
    /// A game begins.
    Start {
        protocol: u32,
        /// The file of the game, as it was named.
        game: &'a str,
        language: &'a str,
        players: Vec<&'a str>,
        /// Whom the bot plays.
        player: &'a str,
        seed: u64,
        /// Time for each move.
        seconds: f64,
        /// Where the game starts, if not at its own first position.
        #[serde(skip_serializing_if = "Option::is_none")]
        position: Option<&'a Position>,
    },
    /// A move is expected.
    Move {
        /// What the player knows of the game so far.
        played: &'a [String],
        /// The legal moves.
        moves: Vec<String>,
    },
    /// The game is over, or was stopped.
    End { played: &'a [String], scores: Vec<&'a str> },
}

impl<'a> Message<'a> {
    /// That a game begins, for one player.
    fn start(bot: &Bot, runner: &'a Runner, player: usize, seed: u64) -> Self {
        let players: Vec<&str> = runner.players().collect();
        Self::Start {
            protocol: PROTOCOL,
            game: &runner.loaded.name,
            language: runner.loaded.language.name,
            player: players.get(player).copied().unwrap_or_default(),
            players,
            seed,
            seconds: bot.time().as_secs_f64(),
            position: runner.loaded.start.as_ref().map(|start| &start.position),
        }
    }
}

impl Bot {
    /// Reads `./bot --option,5s`: a program with arguments, quoted as in a shell, and after a comma the time for a move. All of the command
    /// may be quoted as well, which it has to be if there is a comma in it.
    ///
    /// # Errors
    /// What is wrong, in one line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let parts = agents::Spec::parts(text);
        let command = parts.first().copied().unwrap_or_default();
        let time = text.get(command.len()..).and_then(|rest| rest.strip_prefix(',')).map(str::trim);
        let split = |command: &str| {
            shlex::split(command).ok_or_else(|| format!("a quotation mark in `{command}` is not closed"))
        };
        let mut words = split(command)?;
        if let [whole] = words.as_slice()
            && whole.contains(char::is_whitespace)
            && !Path::new(whole).is_file()
        {
            words = split(whole)?;
        }
        let (program, arguments) = words.split_first().ok_or_else(|| {
            "after `cmd:`, a command is expected, such as `cmd:./bot` or `cmd:python3 bot.py`".to_owned()
        })?;
        let read = |time: &str| {
            let wrong = || {
                format!(
                    "after the command, the time for a move is expected, such as `500ms` or `5s`; found `{time}`; put a command that \
                     contains a comma in quotation marks, inside those of the shell: `'cmd:\"{command},{time}\"'`"
                )
            };
            agents::Budget::read_time(time).ok_or_else(wrong)
        };
        let time = time.map(read).transpose()?;
        let idle = Arc::default();
        let start = time.map_or(START, |time| time.clamp(LEAST_START, START));
        Ok(Self { program: program.clone(), arguments: arguments.to_vec(), time, start, idle })
    }

    /// Time for a move.
    fn time(&self) -> Duration {
        self.time.unwrap_or(MOVE)
    }

    /// The same, with that time for a move where none is given, and no more where one is.
    #[must_use]
    pub fn within(self, time: Duration) -> Self {
        Self { time: Some(self.time.map_or(time, |given| given.min(time))), ..self }
    }

    /// A process that waits for a game: one that has ended another, or a new one.
    fn process(&self) -> Result<Process, Trouble> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.map_or_else(|| Process::start(self), Ok)
    }
}

/// A bot in one game, for one player.
pub struct Seat<'r> {
    bot: Bot,
    runner: &'r Runner,
    process: Process,
}

impl<'r> Seat<'r> {
    /// Begins a game.
    ///
    /// # Errors
    /// The program cannot be started, or is not ready in time.
    pub fn new(bot: &Bot, runner: &'r Runner, player: usize, seed: u64) -> Result<Self, Trouble> {
        let mut process = bot.process()?;
        process.send(&Message::start(bot, runner, player, seed));
        process.ready(bot, None)?;
        Ok(Self { bot: bot.clone(), runner, process })
    }

    /// The game.
    pub fn runner(&self) -> &'r Runner {
        self.runner
    }

    /// The index of the move that it chooses.
    ///
    /// # Errors
    /// Its answer is not a legal move, does not come in time, or it ended; or `stop` was set.
    pub fn choose(&mut self, moves: &Moves, played: &[String], stop: Option<&AtomicBool>) -> Result<usize, Trouble> {
        if let Ok(line) = self.process.lines.try_recv() {
            return Err(Trouble::Bot(format!("it wrote `{}` without being asked", cut(&line))));
        }
        let listed = self.runner.short_listed(moves).into_iter().map(|(text, _)| text).collect();
        self.process.send(&Message::Move { played, moves: listed });
        let line = self.process.receive(self.bot.time(), stop)?;
        self.runner
            .find(&line, moves)
            .map_err(|wrong| Trouble::Bot(format!("its move cannot be made: {}", cut(&wrong))))
    }

    /// Ends the game. The process waits for another one.
    pub fn end(self, played: &[String], scores: &[&str]) {
        self.process.send(&Message::End { played, scores: scores.to_vec() });
        self.bot.idle.lock().unwrap_or_else(PoisonError::into_inner).push(self.process);
    }
}

/// The beginning of a long text.
fn cut(text: &str) -> String {
    let short: String = text.chars().take(200).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}

/// A process with threads that write to it and read from it, so that neither side has to wait for the other. When it is dropped, its input ends, and it is killed
/// soon after, with the processes that it started.
struct Process {
    child: Child,
    input: Sender<String>,
    lines: Receiver<String>,
    /// Shows its standard error.
    errors: Option<JoinHandle<()>>,
}

impl Process {
    fn start(bot: &Bot) -> Result<Self, Trouble> {
        let mut command = Command::new(&bot.program);
        command.args(&bot.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C is for the match, which ends its bots.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| {
            let program = &bot.program;
            Trouble::Bot(match error.kind() {
                io::ErrorKind::NotFound => format!("the program `{program}` was not found"),
                _ => format!("the program `{program}` cannot be started: {error}"),
            })
        })?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Trouble::Bot("it has no standard input and output".to_owned()));
        };
        let errors =
            child.stderr.take().map(|stderr| std::thread::spawn(move || show_lines(stderr, &mut io::stderr())));
        let (input, messages) = mpsc::channel();
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || write_all(stdin, &messages));
        std::thread::spawn(move || read_lines(stdout, &sender));
        Ok(Self { child, input, lines, errors })
    }

    /// That the process has ended, so that this is not read, shows when its answer is waited for.
    fn send(&self, message: &Message<'_>) {
        if let Ok(line) = crate::record::line(message) {
            self.send_line(line);
        }
    }

    fn send_line(&self, line: String) {
        let _ = self.input.send(line);
    }

    /// Waits for the answer to the beginning of a game.
    fn ready(&mut self, bot: &Bot, stop: Option<&AtomicBool>) -> Result<(), Trouble> {
        let line = self.receive(bot.start, stop)?;
        match line == READY {
            true => Ok(()),
            false => Err(Trouble::Bot(format!("it wrote `{}` where `{READY}` was expected", cut(&line)))),
        }
    }

    /// Ends its input: a bot ends by itself, once it has read what was sent.
    fn close(&mut self) {
        drop(std::mem::replace(&mut self.input, mpsc::channel().0));
    }

    fn receive(&mut self, within: Duration, stop: Option<&AtomicBool>) -> Result<String, Trouble> {
        let start = Instant::now();
        loop {
            match self.lines.recv_timeout(POLL) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) => {
                    return Err(Trouble::Stopped);
                }
                Err(RecvTimeoutError::Timeout) if start.elapsed() >= within => {
                    let seconds = within.as_secs_f64();
                    return Err(Trouble::Bot(format!("it did not answer within {seconds} s")));
                }
                // Processes that it started may keep its output open.
                Err(RecvTimeoutError::Timeout) if matches!(self.child.try_wait(), Ok(Some(_))) => {
                    return self.lines.try_recv().map_err(|_| self.ended());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Why there is no answer any more.
    fn ended(&mut self) -> Trouble {
        // Its output is closed; the process itself ends a moment later.
        let end = Instant::now() + Duration::from_secs(1);
        while Instant::now() < end {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Trouble::Bot(format!("it ended ({status}) where an answer was expected"));
            }
            std::thread::sleep(POLL);
        }
        Trouble::Bot("it closed its standard output where an answer was expected".to_owned())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.close();
        let patience = Instant::now() + FAREWELL;
        while Instant::now() < patience && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(POLL);
        }
        // A process that has ended already is not an error. Those that it started end with it.
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        // What it said last is shown before the program ends.
        let patience = Instant::now() + FAREWELL;
        while Instant::now() < patience && self.errors.as_ref().is_some_and(|errors| !errors.is_finished()) {
            std::thread::sleep(POLL);
        }
    }
}

fn write_all(mut stdin: impl Write, messages: &Receiver<String>) {
    for message in messages {
        if stdin.write_all(message.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            break;
        }
    }
}

/// Shows what a bot says, line by line, without what could move the cursor of a terminal or change its colours.
fn show_lines(stderr: impl Read, shown: &mut impl Write) {
    let mut reader = BufReader::new(stderr);
    loop {
        let mut line = Vec::new();
        let Ok(1..) = reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) else { break };
        if writeln!(shown, "{}", harmless(&line)).is_err() {
            break;
        }
    }
}

/// Hands on lines that are not blank.
fn read_lines(stdout: impl Read, lines: &Sender<String>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let Ok(1..) = reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) else { break };
        let line = String::from_utf8_lossy(&line).trim().to_owned();
        if !line.is_empty() && lines.send(line).is_err() {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        let read = |text: &str| {
            Bot::parse(text)
                .map(|bot| (bot.time(), bot))
                .map(|(time, bot)| ([vec![bot.program], bot.arguments].concat().join("|"), time, bot.start))
        };
        let seconds = Duration::from_secs;
        assert_eq!(read("./bot -x,5s"), Ok(("./bot|-x".to_owned(), seconds(5), seconds(5))));
        assert_eq!(read("\"bot --x 1,2\",3s"), Ok(("bot|--x|1,2".to_owned(), seconds(3), seconds(3))));
        assert_eq!(
            read("bot --x '1,2',100ms"),
            Ok(("bot|--x|1,2".to_owned(), Duration::from_millis(100), LEAST_START))
        );
        assert_eq!(read("bot 'a b'"), Ok(("bot|a b".to_owned(), MOVE, START)));
        assert!(read("bot,5s,6s").is_err() && read("bot 'a").is_err() && read("").is_err());
        let list = agents::Spec::split_list("cmd:\"bot --x 1,2\",3s,uct:10p,rave");
        assert_eq!(list, ["cmd:\"bot --x 1,2\",3s", "uct:10p,rave"]);
    }

    #[test]
    fn standard_error_is_shown_without_escape_codes() {
        let mut shown = Vec::new();
        show_lines(&b"a \x1b[31mred\x1b[0m\x1b[2J line\r\n\x1b]0;title\x07b\x08\xff"[..], &mut shown);
        assert_eq!(String::from_utf8(shown).as_deref(), Ok("a red line\nb\u{fffd}\n"));
    }
}
