//! `rgc play` on a terminal, as a user runs it.

#![cfg(unix)]
use crate::support::{Scratch, game};
use portable_pty::{Child, CommandBuilder, PtyPair, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Time for anything to be shown.
const PATIENCE: Duration = Duration::from_secs(60);

/// A game on a terminal of 24 lines with 80 columns.
struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    shown: String,
    _pair: PtyPair,
}

impl Terminal {
    fn play(arguments: &[&str]) -> Self {
        Self::run("play", arguments)
    }

    fn run(subcommand: &str, arguments: &[&str]) -> Self {
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_rgc"));
        command.args(["--color", "never", subcommand]);
        command.args(arguments);
        command.env("TERM", "xterm");
        let child = pair.slave.spawn_command(command).unwrap();
        let keys = pair.master.take_writer().unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..read].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self { child, keys, output, shown: String::new(), _pair: pair }
    }

    /// Waits until a text is shown; what was shown before is forgotten.
    fn wait(&mut self, text: &str) {
        let start = Instant::now();
        while !self.shown.contains(text) {
            let Ok(bytes) = self.output.recv_timeout(PATIENCE.saturating_sub(start.elapsed())) else {
                panic!("`{text}` is not shown: {}", self.shown);
            };
            self.shown.push_str(&String::from_utf8_lossy(&bytes));
        }
        let end = self.shown.find(text).map_or(0, |at| at + text.len());
        self.shown.drain(..end);
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// The exit code.
    fn end(mut self) -> u32 {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            if start.elapsed() > PATIENCE {
                self.child.kill().unwrap();
                panic!("it goes on: {}", self.shown);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Longer than the time within which a second Ctrl-C quits.
const LATER: Duration = Duration::from_millis(2_300);

/// Who waits until an engine is prepared is told so, and the remark is gone when there is something else to show.
#[test]
fn the_preparation_of_engines_is_shown() {
    for (subcommand, arguments, result) in [
        ("moves", &["chess", "--play", "e2e4"][..], "black to move, 20 legal moves"),
        ("perft", &["ticTacToe", "2"], "72"),
    ] {
        let mut terminal = Terminal::run(subcommand, arguments);
        terminal.wait("preparing the engine…");
        terminal.wait("\r\x1b[K");
        terminal.wait(result);
        assert_eq!(terminal.end(), 0);
    }
}

/// At the prompt, Ctrl-C has to be pressed twice, shortly one after the other.
#[test]
fn ctrl_c_at_the_prompt() {
    let mut terminal = Terminal::play(&[&game("rg/ticTacToe.rg"), "--as", "x,o"]);
    terminal.wait("9 legal moves");
    terminal.wait("> ");
    terminal.press("b\x03");
    terminal.wait("press Ctrl-C again to quit");
    terminal.wait("> ");
    terminal.press("b2\r");
    terminal.wait("o to move, 8 legal moves");
    terminal.wait("> ");
    std::thread::sleep(LATER);
    terminal.press("\x03");
    terminal.wait("press Ctrl-C again to quit");
    terminal.wait("> ");
    terminal.press("\x03");
    assert_eq!(terminal.end(), 130);
}

/// What is pressed before the pause between two people is shown, or at once behind, does not end it.
#[test]
fn a_pause_ends_with_a_key_that_is_meant_for_it() {
    let mut terminal = Terminal::play(&["kuhnPoker.hrg", "--as", "first,second", "--seed", "1"]);
    terminal.wait("first is next. Pass the keyboard");
    terminal.wait("press Enter >");
    terminal.press("\r");
    terminal.wait("first to move");
    terminal.wait("> ");
    terminal.press("bet\r\r\r");
    terminal.wait("second is next. Pass the keyboard");
    terminal.press("\r");
    terminal.wait("press Enter >");
    std::thread::sleep(Duration::from_millis(500));
    assert!(terminal.output.try_iter().all(|bytes| !String::from_utf8_lossy(&bytes).contains("something hidden")));
    terminal.press("\r");
    terminal.wait("second to move");
    terminal.press("quit\r");
}

/// Moves behind the one after which another human is to move are not made, and the next one is told so.
#[test]
fn a_line_does_not_pass_over_a_pause() {
    let mut terminal = Terminal::play(&["kuhnPoker.hrg", "--as", "first,second", "--seed", "1"]);
    terminal.wait("press Enter >");
    std::thread::sleep(Duration::from_millis(600));
    terminal.press("\r");
    terminal.wait("first to move");
    terminal.wait("> ");
    terminal.press("check; check\r");
    terminal.wait(&"\r\n".repeat(3));
    terminal.wait("the rest of the line was not played");
    terminal.wait("second is next. Pass the keyboard");
    terminal.wait("press Enter >");
    std::thread::sleep(Duration::from_millis(600));
    terminal.press("\r");
    terminal.wait("second to move");
    terminal.press("quit\r");
}

/// Lines that were typed before they are asked for, or pasted at once, are played one after another.
#[test]
fn typing_ahead() {
    let game = game("rg/ticTacToe.rg");
    let mut terminal = Terminal::play(&[&game, "--as", "x,o"]);
    terminal.press("b2\ra1\rc3\r");
    terminal.wait("x to move, 7 legal moves");
    terminal.wait("o to move, 6 legal moves");
    terminal.press("\x1b[200~a3\rc1\n\x1b[201~");
    terminal.press("b1\r");
    for wanted in ["x to move, 5 legal moves", "> c1", "o to move, 4 legal moves", "> b1", "3 legal moves"] {
        terminal.wait(wanted);
    }
    terminal.press("quit\rquit\rmove\r");
    assert_eq!(terminal.end(), 0);
}

/// While an agent thinks, a line shows for how long and what Ctrl-C does; `quit` acts at once.
#[test]
fn typing_while_an_agent_thinks() {
    let arguments = [&game("rbg/breakthrough.rbg"), "--as", "black", "--against", "uct:3600s"];
    let mut terminal = Terminal::play(&arguments);
    terminal.wait("uct:3600s is thinking… 1 s (Ctrl-C twice quits)");
    terminal.press("a2a3\rqui");
    terminal.wait(" s (Ctrl-C twice quits)");
    assert!(!terminal.shown.contains("a2a3"), "{}", terminal.shown);
    terminal.press("t\r");
    terminal.wait("not done any more: `a2a3`");
    assert_eq!(terminal.end(), 0);
    let mut terminal = Terminal::play(&arguments);
    terminal.wait("is thinking… 1 s (Ctrl-C twice quits)");
    terminal.press("\x03");
    terminal.wait("(press Ctrl-C again to quit)");
    // Too late: it counts as the first one again.
    terminal.wait("(Ctrl-C twice quits)");
    terminal.press("\x03");
    terminal.wait("(press Ctrl-C again to quit)");
    terminal.press("\x03");
    assert_eq!(terminal.end(), 130);
}

/// A line that is typed while an agent thinks is done when the human is to move, and the beginning of another one is there then.
#[test]
fn what_is_typed_while_an_agent_thinks_is_done() {
    let mut terminal = Terminal::play(&[&game("rg/ticTacToe.rg"), "--as", "o", "--against", "flat:2s"]);
    terminal.wait("flat:2s is thinking… 1 s");
    terminal.press("moves\rqui");
    terminal.wait("o to move, 8 legal moves");
    terminal.wait("> moves");
    terminal.wait("  8. ");
    terminal.wait("> qui");
    terminal.press("t\r");
    assert_eq!(terminal.end(), 0);
}

/// Ctrl-C stops a command that takes long, and the game goes on with what was typed meanwhile.
#[test]
fn a_hint_is_stopped() {
    let mut terminal = Terminal::play(&[&game("rbg/breakthrough.rbg"), "--against", "uct:3600s"]);
    terminal.wait("> ");
    terminal.press("hint\r");
    terminal.wait("uct:3600s is thinking… 1 s (Ctrl-C stops)");
    terminal.press("qui");
    terminal.wait(" s (Ctrl-C stops)");
    terminal.press("\x03");
    terminal.wait("stopped");
    terminal.wait("> qui");
    terminal.press("t\r");
    assert_eq!(terminal.end(), 0);
}

/// Who would lose a game by leaving is asked once, line by line and on the whole screen; a game without moves, or a saved one, is left at once.
#[test]
fn leaving_an_unsaved_game_is_asked_about_once() {
    let game = game("rg/ticTacToe.rg");
    let scratch = Scratch::new("terminal-unsaved");
    let record = scratch.path("game.jsonl");
    for screen in [&["--as", "x,o"][..], &["--as", "x,o", "--full-screen"]] {
        let arguments: Vec<&str> = [game.as_str()].into_iter().chain(screen.iter().copied()).collect();
        // A key that is pressed before the prompt is there may be lost where lines are typed; a whole screen writes only what changes.
        let shown = |terminal: &mut Terminal, text: &str| {
            if screen.len() < 3 {
                terminal.wait(text);
                terminal.wait("> ");
            }
        };
        for leave in ["quit\r", "\x04"] {
            let mut terminal = Terminal::play(&arguments);
            terminal.wait("9 legal moves");
            shown(&mut terminal, "");
            terminal.press("b2\r");
            shown(&mut terminal, "8 legal moves");
            terminal.press(leave);
            terminal.wait("saved:");
            shown(&mut terminal, "");
            terminal.press(leave);
            assert_eq!(terminal.end(), 0);
            let mut terminal = Terminal::play(&arguments);
            terminal.wait("9 legal moves");
            shown(&mut terminal, "");
            terminal.press(&format!("b2\rsave --force {record}\r"));
            shown(&mut terminal, "saved to");
            terminal.press(leave);
            assert_eq!(terminal.end(), 0);
        }
    }
}

/// Nothing but the screen itself is written while the whole screen is used, and it is left at the end.
#[test]
fn the_whole_screen() {
    let scratch = Scratch::new("terminal-bot");
    let script = scratch.path("bot.sh");
    let answers = r#"while read x; do case "$x" in *'"start"'*) echo ready;; *'"move"'*) echo remark >&2;; esac; done"#;
    std::fs::write(&script, answers).unwrap();
    let bot = format!("cmd:sh {script}");
    let mut terminal = Terminal::play(&[&game("rg/ticTacToe.rg"), "--full-screen", "--as", "o", "--against", &bot]);
    terminal.wait("\u{1b}[?1049h");
    terminal.wait("remark");
    assert!(!terminal.shown.starts_with(['\r', '\n']), "as a message, not as a line: {:?}", terminal.shown);
    terminal.press("quit\r");
    terminal.wait("\u{1b}[?1049l");
    assert_eq!(terminal.end(), 0);
}

/// Ctrl-C twice ends with the same code on the whole screen as line by line.
#[test]
fn ctrl_c_on_the_whole_screen() {
    let mut terminal = Terminal::play(&[&game("rg/ticTacToe.rg"), "--full-screen", "--as", "x,o"]);
    terminal.wait("9 legal moves");
    terminal.press("\x03");
    terminal.wait("again");
    terminal.press("\x03");
    terminal.wait("\u{1b}[?1049l");
    assert_eq!(terminal.end(), 130);
}

/// Nobody waits any more when the terminal is gone, or the other end of the pipe: an agent does not go on thinking.
#[test]
fn agents_stop_when_nobody_is_there() {
    let game = game("rbg/hex.rbg");
    let long = ["play", &game, "--as", "blue", "--against", "uct:3600s,memory=1000"];
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_rgc"))
        .args(long)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "it thinks");
    drop(child.stdout.take());
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("it goes on");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let mut terminal = Terminal::play(&long[1..]);
    terminal.wait("is thinking");
    let Terminal { mut child, keys, output, _pair, .. } = terminal;
    drop((keys, output, _pair));
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < PATIENCE, "it goes on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// People who play on one terminal are waited for before they are shown what others may not see, and told that it is still further up.
#[test]
fn neighbours_are_waited_for_where_something_is_hidden() {
    let mut terminal = Terminal::play(&["kuhnPoker", "--as", "first,second"]);
    terminal.wait("the terminal still has it further up");
    terminal.wait("first is next. Pass the keyboard and press Enter");
    terminal.wait("press Enter > ");
    assert!(!terminal.shown.contains("to move"), "{}", terminal.shown);
    terminal.press("moves\r");
    terminal.wait("first is next. Pass the keyboard and press Enter");
    terminal.wait("press Enter > ");
    terminal.press("\r");
    terminal.wait("first to move");
    terminal.wait("> ");
    terminal.press("bet\r");
    terminal.wait(&"\r\n".repeat(3));
    terminal.wait("second is next. Pass the keyboard and press Enter");
    terminal.wait("press Enter > ");
    assert!(!terminal.shown.contains("to move"), "{}", terminal.shown);
    terminal.press("quit\r");
    terminal.wait("this game is not saved");
    terminal.wait("press Enter > ");
    terminal.press("quit\r");
    assert_eq!(terminal.end(), 0);
    let mut terminal = Terminal::play(&["breakthrough", "--as", "white,black"]);
    terminal.wait("white to move");
    assert!(!terminal.shown.contains("further up") && !terminal.shown.contains("is next"));
    terminal.press("quit\r");
    assert_eq!(terminal.end(), 0);
}
