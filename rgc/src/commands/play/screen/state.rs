//! What the screen shows, and what keys do to it.

use super::super::WORDS;
use super::super::pause::{self, Pause};
use super::super::work::Presses;
use crate::draw;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use rg_ir::scene::Span;
use std::time::Instant;

/// Keys, as `help` lists them.
pub(in super::super) const KEYS: &str = "\
Tab completes, Up and Down choose a listed move, Enter makes it, Esc stops
F1 help, F2 hint, F3 undo, F4 save, F5 why, F10 quit; PgUp, PgDn, ←, → scroll
Ctrl-C stops a search or clears the line; twice, it quits
";

/// What the first Ctrl-C is answered with.
const AGAIN: &str = "press Ctrl-C again to quit; `save FILE` keeps the game";

/// Greatest length of a line that is typed, in characters.
const MAX_LINE: usize = 1_000;
/// Messages that are remembered, in lines.
const MAX_MESSAGES: usize = 500;

/// A play as it stands.
#[derive(Clone, Default, Debug)]
pub(super) struct Scene {
    /// The position, or what the player to move observed.
    pub(super) board: Vec<Vec<Span>>,
    /// Who is to move, or how the play ended.
    pub(super) headline: String,
    /// The moves made so far, a line each.
    pub(super) history: Vec<String>,
    /// Number of moves made so far.
    pub(super) plies: usize,
    /// Whether something is hidden from some player.
    pub(super) is_secret: bool,
    /// Whether the game is over.
    pub(super) is_over: bool,
    /// Whether the position takes the room of the lists, which are shown while a move is chosen.
    pub(super) is_alone: bool,
    /// Letters of the longest legal move.
    pub(super) widest_move: usize,
    /// Who plays what.
    pub(super) seats: String,
}

/// What a key asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Action {
    /// A line is said: a move or a command.
    Say(String),
    /// The work that takes long is not wanted any more.
    Stop,
    /// The play is left.
    Quit,
    /// The play is left by Ctrl-C, as a program is that is interrupted.
    Interrupt,
}

/// What takes long at present.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Busy {
    /// What is shown of it.
    pub(super) what: String,
    /// Seconds it has taken.
    pub(super) seconds: u64,
    /// Whether it answers a command, so that it is stopped without leaving the play.
    pub(super) is_asked: bool,
}

/// The state of the screen.
#[derive(Debug)]
pub(super) struct Screen {
    pub(super) scene: Scene,
    /// What has been typed.
    pub(super) line: String,
    /// The moves on offer.
    pub(super) moves: Vec<String>,
    /// The chosen one of them.
    pub(super) chosen: Option<usize>,
    /// What was said, line by line.
    pub(super) messages: Vec<String>,
    /// Lines of what was said last.
    pub(super) latest: usize,
    /// Lines of messages behind those that are shown.
    pub(super) back: u16,
    /// Lines of messages that there is no room for, in all and of the latest one, as they were drawn last.
    earlier: u16,
    pub(super) overflow: u16,
    /// Whether a message has come since.
    is_new: bool,
    /// Lines and columns of the board that are out of sight.
    pub(super) scroll: (u16, u16),
    /// Columns of the board for which there is no room, as it was drawn last.
    pub(super) beyond: u16,
    /// Lines of the board for which there is no room.
    pub(super) below: u16,
    /// A text to read, which covers the screen, line by line.
    pub(super) page: Vec<String>,
    /// Whether the position is to be shown from its end: it grows there.
    pub(super) is_grown: bool,
    /// Whether nothing of the game is shown, until somebody else is at the keyboard.
    pub(super) is_paused: bool,
    /// When Ctrl-C was pressed last: another one shortly after quits.
    presses: Presses,
    /// What takes long, if anything does.
    pub(super) busy: Option<Busy>,
    pub(super) colours: bool,
}

impl Screen {
    /// An empty screen.
    pub(super) fn new(colours: bool) -> Self {
        Self {
            scene: Scene::default(),
            line: String::new(),
            moves: Vec::new(),
            chosen: None,
            messages: Vec::new(),
            latest: 0,
            back: 0,
            earlier: 0,
            overflow: 0,
            is_new: false,
            scroll: (0, 0),
            beyond: 0,
            below: 0,
            page: Vec::new(),
            is_grown: false,
            is_paused: false,
            presses: Presses::default(),
            busy: None,
            colours,
        }
    }

    /// Shows another position. Where something is hidden, what was said to another player disappears.
    pub(super) fn show(&mut self, scene: Scene) {
        if scene.is_secret && scene.plies != self.scene.plies && scene.headline != self.scene.headline {
            self.messages.clear();
        }
        self.is_grown |= scene.is_secret && scene.plies != self.scene.plies;
        self.scene = scene;
    }

    /// Shows nothing of the game but this text, until Enter is pressed.
    pub(super) fn pause(&mut self, text: &str) {
        self.forget();
        self.line.clear();
        self.offer(Vec::new());
        let board = draw::unstyled(&text.replace(". ", ".\n"));
        self.scene = Scene { board, headline: text.to_owned(), is_secret: true, ..Scene::default() };
        self.is_paused = true;
    }

    /// Shows these moves.
    pub(super) fn offer(&mut self, moves: Vec<String>) {
        if self.moves != moves {
            self.chosen = None;
            self.moves = moves;
        }
    }

    /// Shows what takes long.
    pub(super) fn set_busy(&mut self, busy: Option<Busy>) {
        self.busy = busy;
    }

    /// Shows for how long something has taken; whether that changes anything.
    pub(super) fn set_seconds(&mut self, now: u64) -> bool {
        self.busy.as_mut().is_some_and(|busy| std::mem::replace(&mut busy.seconds, now) != now)
    }

    /// Shows a text to read, which covers the position until the next message or Esc.
    pub(super) fn read(&mut self, text: &str) {
        self.page = text.lines().map(str::to_owned).collect();
        self.is_new = true;
    }

    /// Whether a text is being read.
    pub(super) fn is_reading(&self) -> bool {
        !self.page.is_empty()
    }

    /// Forgets the messages: they were about what was taken back.
    pub(super) fn forget(&mut self) {
        self.messages.clear();
        self.close();
    }

    /// Adds a message.
    pub(super) fn tell(&mut self, text: &str) {
        self.latest = text.lines().count();
        self.page.clear();
        self.is_new |= !text.is_empty();
        self.messages.extend(text.lines().map(str::to_owned));
        let old = self.messages.len().saturating_sub(MAX_MESSAGES);
        self.messages.drain(..old);
    }

    /// The beginning of a move in the line: all of it, or what stands behind a command for moves.
    pub(super) fn wanted(&self) -> &str {
        match self.line.split_once(' ') {
            Some(("move" | "moves" | "why", rest)) => rest,
            _ if WORDS.contains(&self.line.trim()) => "",
            _ => &self.line,
        }
    }

    /// A key is pressed.
    pub(super) fn press(&mut self, key: KeyEvent) -> Option<Action> {
        self.press_at(key, Instant::now())
    }

    /// What a key asks for that is pressed at this time.
    fn press_at(&mut self, key: KeyEvent, now: Instant) -> Option<Action> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let is_asked = self.busy.as_ref().is_some_and(|busy| busy.is_asked);
        let is_typing = matches!(key.code, KeyCode::Char(_) | KeyCode::Backspace | KeyCode::Enter | KeyCode::Esc);
        if self.is_paused && !is_typing && key.code != KeyCode::F(10) {
            return None;
        }
        match key.code {
            KeyCode::Char('c') if control => {
                if self.presses.press(now) {
                    return Some(Action::Interrupt);
                }
                self.line.clear();
                self.tell(AGAIN);
                return is_asked.then_some(Action::Stop);
            }
            KeyCode::Esc if is_asked => return Some(Action::Stop),
            KeyCode::Char('d') if control => return Some(Action::Quit),
            KeyCode::F(10) => return Some(Action::Quit),
            // The end of a line that was typed before the screen was there.
            KeyCode::Char('j') if control => return self.enter(),
            KeyCode::Char('u') if control => self.line.clear(),
            KeyCode::Char('w') if control => {
                let kept = self.line.trim_end().rfind(' ').map_or(0, |at| at + 1);
                self.line.truncate(kept);
            }
            KeyCode::Char(_) if control || key.modifiers.contains(KeyModifiers::ALT) => {}
            KeyCode::Char(letter) if self.line.chars().count() < MAX_LINE => self.line.push(letter),
            KeyCode::Backspace => {
                self.line.pop();
            }
            // What is read closes first.
            KeyCode::Esc | KeyCode::F(1) if self.is_reading() => self.close(),
            KeyCode::Esc => {
                self.line.clear();
                self.chosen = None;
                self.close();
            }
            KeyCode::Tab => self.complete(),
            KeyCode::Down => self.choose(1),
            KeyCode::Up | KeyCode::BackTab => self.choose(-1),
            KeyCode::PageUp if self.scrolls_messages() => self.back = scrolled(self.back, self.earlier),
            KeyCode::PageDown if self.scrolls_messages() => self.back = self.back.saturating_sub(5),
            KeyCode::PageUp => self.scroll.0 = self.scroll.0.saturating_sub(5),
            KeyCode::PageDown => self.scroll.0 = scrolled(self.scroll.0, self.below),
            KeyCode::Left => self.scroll.1 = self.scroll.1.saturating_sub(5),
            KeyCode::Right => self.scroll.1 = scrolled(self.scroll.1, self.beyond),
            KeyCode::Enter => return self.enter(),
            KeyCode::F(1) => return Some(Action::Say("help".to_owned())),
            KeyCode::F(2) => return Some(Action::Say("hint".to_owned())),
            KeyCode::F(3) => return Some(Action::Say("undo".to_owned())),
            KeyCode::F(4) => "save ".clone_into(&mut self.line),
            KeyCode::F(5) => "why ".clone_into(&mut self.line),
            _ => {}
        }
        None
    }

    /// The messages take no more room than usual.
    fn close(&mut self) {
        (self.latest, self.back) = (0, 0);
        self.page.clear();
    }

    /// Whether the keys for pages are about the messages: while these are read, do not fit, or the position does.
    pub(super) fn scrolls_messages(&self) -> bool {
        self.is_reading() || self.below == 0 || self.overflow > 0
    }

    /// The messages have that many lines, of which those of the latest message and those that there is room for are these.
    pub(super) fn measured(&mut self, all: usize, latest: usize, room: usize) {
        let number = |lines: usize| u16::try_from(lines).unwrap_or(u16::MAX);
        self.earlier = number(all.saturating_sub(room));
        self.overflow = number(latest.saturating_sub(room));
        if std::mem::take(&mut self.is_new) {
            // What is read begins at its beginning.
            self.back = self.overflow;
        }
        self.back = self.back.min(self.earlier);
    }

    /// The line is said, or else the chosen move.
    fn enter(&mut self) -> Option<Action> {
        let chosen = self.chosen.take().and_then(|at| self.moves.get(at)).cloned();
        let line = std::mem::take(&mut self.line);
        if self.is_paused {
            let answer = pause::answered(&line);
            self.is_paused = !matches!(answer, Pause::Over);
            return match answer {
                Pause::Over => None,
                Pause::Left => Some(Action::Quit),
                Pause::GoesOn => Some(Action::Say(line)),
            };
        }
        let said = chosen.unwrap_or_else(|| line.trim().to_owned());
        (!said.is_empty()).then_some(Action::Say(said))
    }

    /// Chooses another move of the list, round and round.
    fn choose(&mut self, by: isize) {
        let Ok(count) = isize::try_from(self.moves.len()) else { return };
        let next = match self.chosen.and_then(|at| isize::try_from(at).ok()) {
            Some(at) => at + by,
            None if by > 0 => 0,
            None => -1,
        };
        self.chosen = usize::try_from(next.checked_rem_euclid(count).unwrap_or(-1)).ok();
    }

    /// Adds to the line what all moves and commands that begin so have in common; if that is nothing, the next move is
    /// chosen.
    fn complete(&mut self) {
        let typed = self.wanted().to_owned();
        let rest = self.line.strip_suffix(&typed).unwrap_or_default().to_owned();
        // Commands stand at the beginning of a line only, and an empty one has no candidates.
        let words = WORDS.iter().copied().filter(|_| rest.is_empty() && !typed.is_empty());
        let candidates = words.chain(self.moves.iter().map(String::as_str));
        let common = candidates
            .filter(|text| text.starts_with(&typed))
            .fold(None, |common: Option<&str>, text| Some(common.map_or(text, |common| shared(common, text))));
        match common.filter(|common| common.len() > typed.len()) {
            Some(common) => self.line = rest + common,
            None => self.choose(1),
        }
    }
}

/// What two texts begin with.
fn shared<'t>(a: &'t str, b: &str) -> &'t str {
    let end = a.char_indices().zip(b.chars()).find(|((_, x), y)| x != y).map(|((at, _), _)| at);
    a.get(..end.unwrap_or(a.len().min(b.len()))).unwrap_or_default()
}

/// Five steps on, as long as there is something beyond.
fn scrolled(at: u16, beyond: u16) -> u16 {
    at.saturating_add(5).min(beyond)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn press(screen: &mut Screen, code: KeyCode) -> Option<Action> {
        screen.press(KeyEvent::new(code, KeyModifiers::NONE))
    }

    /// Types a text, offering after every key what of `moves` begins as typed.
    fn typed(text: &str, moves: &[&str]) -> Screen {
        let mut screen = Screen::new(false);
        offer(&mut screen, moves);
        for letter in text.chars() {
            assert_eq!(press(&mut screen, KeyCode::Char(letter)), None);
            offer(&mut screen, moves);
        }
        screen
    }

    fn offer(screen: &mut Screen, moves: &[&str]) {
        let moves = moves.iter().filter(|text| text.starts_with(screen.wanted())).map(|&text| text.to_owned());
        screen.offer(moves.collect());
    }

    const MOVES: [&str; 4] = ["a2a3", "a2a4", "b2b3", "mate"];

    #[test]
    fn lines_are_said() {
        let mut screen = typed(" a2a3 ", &MOVES);
        assert_eq!(press(&mut screen, KeyCode::Enter), Some(Action::Say("a2a3".to_owned())));
        assert_eq!(screen.line, "");
        assert_eq!(press(&mut screen, KeyCode::Enter), None, "an empty line says nothing");
        // The end of a line that was typed before the screen was there.
        let mut screen = typed("a2a3", &MOVES);
        let early = screen.press(KeyEvent::new(KeyCode::Char('j'), KeyModifiers::CONTROL));
        assert_eq!(early, Some(Action::Say("a2a3".to_owned())));
    }

    #[test]
    fn tab_completes_as_far_as_all_agree() {
        let complete = |text: &str| {
            let mut screen = typed(text, &MOVES);
            press(&mut screen, KeyCode::Tab);
            (screen.line, screen.chosen)
        };
        assert_eq!(complete("a"), ("a2a".to_owned(), None));
        assert_eq!(complete("b"), ("b".to_owned(), Some(0)), "`b2b3`, and the command `board`");
        assert_eq!(complete("bo"), ("board".to_owned(), None));
        assert_eq!(complete("ma"), ("mate".to_owned(), None));
        assert_eq!(complete("why b"), ("why b2b3".to_owned(), None));
        assert_eq!(complete("a2a"), ("a2a".to_owned(), Some(0)), "nothing to add: the first move is chosen");
        assert_eq!(complete(""), (String::new(), Some(0)));
        assert_eq!(complete("xyz"), ("xyz".to_owned(), None));
    }

    #[test]
    fn a_move_is_chosen_from_the_list() {
        let mut screen = typed("a", &MOVES);
        assert_eq!(screen.moves, ["a2a3", "a2a4"]);
        press(&mut screen, KeyCode::Down);
        press(&mut screen, KeyCode::Down);
        assert_eq!(screen.chosen, Some(1));
        press(&mut screen, KeyCode::Down);
        assert_eq!(screen.chosen, Some(0), "round and round");
        press(&mut screen, KeyCode::Up);
        assert_eq!(press(&mut screen, KeyCode::Enter), Some(Action::Say("a2a4".to_owned())));
        let mut other = typed("a", &MOVES);
        press(&mut other, KeyCode::Up);
        assert_eq!(other.chosen, Some(1), "the last one");
        press(&mut other, KeyCode::Backspace);
        offer(&mut other, &MOVES);
        assert_eq!(other.chosen, None, "another list");
        press(&mut typed("z", &MOVES), KeyCode::Down);
    }

    #[test]
    fn keys_are_commands() {
        let mut screen = typed("a2", &MOVES);
        assert_eq!(press(&mut screen, KeyCode::F(3)), Some(Action::Say("undo".to_owned())));
        assert_eq!(screen.line, "a2", "what was typed is kept");
        press(&mut screen, KeyCode::F(4));
        assert_eq!(screen.line, "save ");
        press(&mut screen, KeyCode::Esc);
        assert_eq!(screen.line, "");
        let control = |letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
        let mut screen = typed("why a2", &MOVES);
        assert_eq!(screen.press(control('w')), None);
        assert_eq!(screen.line, "why ");
        assert_eq!(screen.press(control('x')), None);
        assert_eq!(screen.line, "why ", "no letter");
        // Ctrl-C clears the line, and quits if it is pressed again soon.
        assert_eq!((screen.press(control('c')), screen.line.as_str()), (None, ""));
        assert!(screen.messages.last().is_some_and(|said| said.contains("Ctrl-C again")));
        press(&mut screen, KeyCode::Char('a'));
        assert_eq!(screen.press(control('c')), Some(Action::Interrupt));
        screen.presses = Presses::default();
        // Later than two seconds after the one before, it is a first one again.
        let (start, second) = (Instant::now(), Duration::from_secs(1));
        assert_eq!(screen.press_at(control('c'), start), None);
        assert_eq!(screen.press_at(control('c'), start + second * 5 / 2), None, "too late");
        assert_eq!(screen.press_at(control('c'), start + second * 4), Some(Action::Interrupt));
        screen.presses = Presses::default();
        // While a command is executed, these keys stop it, and the game goes on.
        screen.set_busy(Some(Busy { what: "searching…".to_owned(), seconds: 0, is_asked: true }));
        assert_eq!(screen.press(control('c')), Some(Action::Stop));
        assert_eq!(press(&mut screen, KeyCode::Esc), Some(Action::Stop));
        assert_eq!(press(&mut screen, KeyCode::F(10)), Some(Action::Quit));
        assert!(screen.set_seconds(1) && !screen.set_seconds(1), "a second is shown once");
    }

    #[test]
    fn odd_input_is_harmless() {
        let mut screen = typed(&"é".repeat(MAX_LINE + 5), &["éé", "éa"]);
        assert_eq!(screen.line.chars().count(), MAX_LINE);
        press(&mut screen, KeyCode::Tab);
        assert_eq!(shared("éa", "éb"), "é");
        assert_eq!(shared("éa", "è"), "");
        for _ in 0..3 {
            for code in [KeyCode::PageDown, KeyCode::Right, KeyCode::Down, KeyCode::Tab] {
                assert_eq!(press(&mut screen, code), None);
            }
        }
        assert_eq!(screen.scroll, (0, 0), "there is no board to scroll");
    }

    /// One of two humans at a screen must not read what the other one observed.
    #[test]
    fn messages_disappear_where_something_is_hidden() {
        let mut screen = Screen::new(false);
        let scene = |plies, is_secret| Scene { plies, is_secret, headline: format!("{plies}"), ..Scene::default() };
        screen.show(scene(1, true));
        screen.tell("a secret");
        screen.show(scene(1, true));
        assert_eq!(screen.messages.len(), 1);
        screen.show(scene(2, true));
        assert!(screen.messages.is_empty());
        screen.tell("no secret");
        screen.show(scene(3, false));
        assert_eq!(screen.messages.len(), 1);
    }
}
