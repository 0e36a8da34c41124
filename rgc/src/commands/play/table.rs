//! The play on the table: made twice, by a fast engine that agents think with, and by one whose states can be drawn.

use super::{Watch, why};
use crate::draw::{self, Drawer};
use crate::observed;
use crate::output::{What, Writer};
use crate::record::{self, Check, Header, PlayLine, wrong};
use crate::runner::{NO_TAGS, Runner};
use crate::scores::Scores;
use crate::session::{Failure, Session, finding};
use crate::table::counted;
use agents::{Agent, Choice, Play};
use backend::{Ambiguity, Error, Moves, State, Turn};
use rg_ir::notation::Unread;
use rg_ir::scene::{self, Look, Span};
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// Moves listed at most where nobody asked for all of them.
const LISTED: usize = 12;

/// How long nobody looks at what happens while an agent thinks.
const PAUSE: Duration = Duration::from_millis(20);

/// A move that was made, and what was before it.
struct Step<'a> {
    play: Play<'a>,
    drawn: State,
    /// In full, for records.
    text: String,
    /// As people read it.
    short: String,
    check: Check,
}

/// See the module.
pub(super) struct Table<'a> {
    header: Header,
    /// For drawings, and for questions about the rules: not optimised.
    drawn: &'a Runner,
    drawer: &'a Drawer<'a>,
    pub(super) fast: &'a Runner,
    play: Play<'a>,
    state: State,
    check: Check,
    /// The moves made so far.
    steps: Vec<Step<'a>>,
    /// Texts of the legal moves, as records have them.
    texts: Vec<String>,
    /// The same as people read them.
    short: Vec<String>,
    /// The moves in the order in which they are numbered.
    order: Vec<usize>,
}

/// What a text is that was to be a move.
pub(super) enum Sought {
    /// A legal move.
    Move(usize),
    /// The beginning of several: the words to choose from, each with its move.
    Choice(Vec<(String, usize)>),
}

impl<'a> Table<'a> {
    pub(super) fn new(
        session: &Session,
        file: &Path,
        ambiguity: Ambiguity,
        (drawn, drawer): (&'a Runner, &'a Drawer<'a>),
        fast: &'a Runner,
    ) -> Result<Self, Failure> {
        let text = session.sources.get(drawn.loaded.source).map_or("", |file| &file.text);
        let header = Header::new(drawn, &file.display().to_string(), text, ambiguity == Ambiguity::Split);
        let play = Play::new(&fast.reasoner).map_err(|error| fast.failure(&error))?;
        let mut table = Self {
            header,
            drawn,
            drawer,
            fast,
            state: drawn.initial()?,
            play,
            check: Check::default(),
            steps: Vec::new(),
            texts: Vec::new(),
            short: Vec::new(),
            order: Vec::new(),
        };
        table.name_moves();
        Ok(table)
    }

    /// Finds out how the legal moves are written.
    fn name_moves(&mut self) {
        self.texts = self.fast.texts(self.play.moves());
        self.short = self.fast.short_texts(self.play.moves());
        self.order = self.fast.short_listed(self.play.moves()).into_iter().map(|(_, index)| index).collect();
    }

    pub(super) fn turn(&self) -> Turn {
        self.play.turn()
    }

    pub(super) fn moves(&self) -> &Moves {
        self.play.moves()
    }

    pub(super) fn plies(&self) -> usize {
        self.steps.len()
    }

    /// The text of a legal move.
    pub(super) fn text(&self, index: usize) -> &str {
        self.short.get(index).map_or(NO_TAGS, String::as_str)
    }

    /// Whether a text is a legal move, word for word.
    pub(super) fn exactly(&self, text: &str) -> bool {
        !text.is_empty() && self.texts.iter().chain(&self.short).any(|legal| legal == text)
    }

    /// The legal move that a text means, or those that it begins.
    pub(super) fn find(&self, text: &str) -> Result<Sought, Failure> {
        let unread = match self.fast.seek(text, self.play.moves()) {
            Ok(found) => return Ok(Sought::Move(found)),
            Err(Unread::Choice(words)) => return Ok(Sought::Choice(words)),
            Err(unread) => unread,
        };
        match self.fast.begun(text, self.play.moves())[..] {
            // What lists one move only, makes it.
            [only] if !text.trim().is_empty() => Ok(Sought::Move(only)),
            _ => {
                let wrong = finding("IO320", unread.message(text));
                Err(wrong.help("`moves` lists the legal moves, `help` all orders").into())
            }
        }
    }

    pub(super) fn prompt(&self) -> &str {
        ">"
    }

    /// What an agent chooses. It thinks in a thread of its own if there is a `watch`, which is asked again and again
    /// meanwhile; if that says so, the agent is stopped, and the result is `None`.
    pub(super) fn choice(
        &self,
        agent: &mut dyn Agent,
        player: usize,
        watch: Option<Watch<'_>>,
    ) -> Result<Option<Choice>, Failure> {
        let situation = self.play.situation(player);
        let stop = AtomicBool::new(false);
        let chosen = match watch {
            None => Some(agent.choose(&situation)),
            Some(watch) => std::thread::scope(|scope| {
                let (sender, chosen) = mpsc::sync_channel(1);
                let situation = situation.until(&stop);
                let work = move || sender.send(agent.choose(&situation));
                let thread = std::thread::Builder::new().spawn_scoped(scope, work);
                thread.map_err(|error| finding("IO342", format!("cannot start a thread: {error}")))?;
                loop {
                    match chosen.recv_timeout(PAUSE) {
                        Ok(chosen) => return Ok(Some(chosen)),
                        Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(None),
                        Err(mpsc::RecvTimeoutError::Timeout) => {}
                    }
                    let left = watch();
                    if !matches!(left, Ok(false)) {
                        // The scope ends when the agent has noticed.
                        stop.store(true, Ordering::Relaxed);
                        return left.map(|_| None);
                    }
                }
            })?,
        };
        chosen.transpose().map_err(|error| self.failure(error))
    }

    /// The finding about an error, after the moves made so far.
    fn failure(&self, error: Error) -> Failure {
        let index = |step: &Step<'_>| self.fast.find(&step.text, step.play.moves()).ok();
        let made =
            self.steps.iter().filter_map(|step| Some(self.fast.reasoner.move_text(step.play.moves(), index(step)?)));
        let play = made.chain(error.play.iter().cloned()).collect();
        self.fast.failure_after(error, play).into()
    }

    /// Makes a legal move.
    pub(super) fn make(&mut self, index: usize) -> Result<(), Failure> {
        let reasoner = &self.drawn.reasoner;
        let name = self.fast.reasoner.move_text(self.play.moves(), index);
        let mut moves = Moves::new();
        reasoner.legal_moves(&self.state, &mut moves).map_err(|error| self.failure(error))?;
        let Some(same) = (0..moves.len()).find(|&other| reasoner.move_text(&moves, other) == name) else {
            let message = format!("the game as it was optimised has the move `{name}`, the game itself has not");
            return Err(finding("IO330", message).help("this is a defect of a pass, please report it").into());
        };
        let mut state = self.state.clone();
        reasoner.apply(&mut state, &moves, same).map_err(|error| self.failure(error))?;
        let text = self.texts.get(index).cloned().unwrap_or_default();
        let short = self.text(index).to_owned();
        let step = Step { play: self.play.clone(), drawn: self.state.clone(), text, short, check: self.check.clone() };
        self.check.add(self.fast, &self.play, index);
        self.play.make(index).map_err(|error| self.failure(error))?;
        self.state = state;
        self.steps.push(step);
        self.name_moves();
        Ok(())
    }

    /// Takes moves back until one of `persons` is to move.
    pub(super) fn undo(&mut self, persons: &[usize]) -> Result<(), Failure> {
        let by_person = |step: &Step<'_>| matches!(step.play.turn(), Turn::Player(player) if persons.contains(&player));
        let Some(last) = self.steps.iter().rposition(by_person) else {
            return Err(finding("IO348", "there is no move of yours to take back").into());
        };
        let step = self.steps.drain(last..).next();
        if let Some(step) = step {
            (self.play, self.state, self.check) = (step.play, step.drawn, step.check);
            self.name_moves();
        }
        Ok(())
    }

    /// The position for the one who is to move: drawn, or, if something is hidden, what it was told.
    pub(super) fn position(&self, colours: bool) -> String {
        let board = self.board();
        let mut text = String::from("\n");
        text.push_str(&if colours { draw::coloured(&board) } else { draw::plain(&board) });
        let headline = self.headline();
        text.push_str(&if colours { draw::bold(&headline) } else { headline });
        if self.turn() != Turn::End && self.texts.len() <= LISTED {
            let moves: Vec<&str> = self.order.iter().map(|&index| self.text(index)).collect();
            text.push_str(&format!(": {}", moves.join(", ")));
        }
        text + "\n"
    }

    /// Whether the position is not for everybody's eyes.
    pub(super) fn is_secret(&self) -> bool {
        self.fast.reasoner.hides() && self.turn() != Turn::End
    }

    /// The position without colours, or what the one who is to move was told.
    pub(super) fn board(&self) -> Vec<Vec<Span>> {
        match self.turn() {
            Turn::Player(player) if self.is_secret() => draw::unstyled(&self.told(player)),
            _ if self.is_secret() => Vec::new(),
            _ => scene::lines(&self.drawer.scene(&self.state), Look::default()),
        }
    }

    /// Who is to move, or the scores.
    pub(super) fn headline(&self) -> String {
        if self.turn() == Turn::End {
            return format!("the play is over; scores: {}", Scores::of(self.drawn, &self.state));
        }
        let count = self.texts.len();
        let mover = self.fast.mover(self.play.state()).unwrap_or_default();
        format!("{mover} to move, {}", counted(count as u64, "legal move"))
    }

    /// The moves made so far with who made them; none where something is hidden.
    pub(super) fn history(&self) -> Vec<String> {
        let line = |step: &Step<'_>| {
            let mover = self.fast.mover(step.play.state()).unwrap_or_default();
            format!("{mover}: {}", step.short)
        };
        self.steps.iter().filter(|_| !self.is_secret()).map(line).collect()
    }

    /// What to offer to the one who has typed a text: the legal moves that may be meant, in the order of their numbers.
    pub(super) fn offered(&self, text: &str) -> Vec<String> {
        self.begun(text).into_iter().map(|(_, index)| self.text(index).to_owned()).collect()
    }

    /// What a player was told, a line for every move.
    fn told(&self, player: usize) -> String {
        observed::lines(self.fast, self.play.told(player).unwrap_or(&[])).join("\n")
    }

    /// How a move that an agent or chance makes is told to the persons: as much of it as one of them may know.
    pub(super) fn announced(&self, index: usize, persons: &[usize]) -> String {
        let mover = self.fast.mover(self.play.state()).unwrap_or_default();
        if self.fast.reasoner.hides() && !persons.is_empty() {
            // What each of them is told of it is shown when it is to move.
            return format!("{mover} moves");
        }
        format!("{mover}: {}", self.text(index))
    }

    /// The legal moves that begin with a text, in any way of writing them, with their numbers.
    fn begun(&self, beginning: &str) -> Vec<(usize, usize)> {
        let mut begun = self.fast.begun(beginning, self.play.moves());
        if !beginning.is_empty() && NO_TAGS.starts_with(beginning) {
            begun.extend((0..).zip(&self.texts).filter(|(_, text)| text.is_empty()).map(|(index, _)| index));
        }
        (1..).zip(self.order.iter().copied()).filter(|(_, index)| begun.contains(index)).collect()
    }

    /// The legal moves that begin with a text, a line each.
    pub(super) fn listed(&self, beginning: &str) -> String {
        let moves = self.begun(beginning);
        if moves.is_empty() {
            return format!("no legal move begins with `{beginning}`\n");
        }
        let digits = self.order.len().to_string().len();
        moves.into_iter().map(|(number, index)| format!("  {number:digits$}. {}\n", self.text(index))).collect()
    }

    /// Why a move is not legal.
    pub(super) fn why(&self, session: &Session, text: &str) -> Result<String, Failure> {
        let shown = |legal: &str| Ok(format!("`{legal}` is legal\n"));
        if let Ok(index) = self.fast.find(text, self.play.moves()) {
            return shown(self.text(index));
        }
        let refused = if text.is_empty() {
            "a move is missing: `why MOVE`"
        } else if self.turn() == Turn::End {
            "nothing is legal any more: the play is over"
        } else if self.fast.reasoner.hides() {
            "the reason may be something that is hidden from you"
        } else {
            return why::explained(session, self.drawn, &self.state, text).map_err(|error| self.failure(error));
        };
        Err(finding("IO348", refused).into())
    }

    /// Writes the play to a file, which takes the place of another one if `replace` says so.
    pub(super) fn save(
        &self,
        (writer, path, replace): (&Writer, &Path, bool),
        seats: &[String],
        seed: u64,
    ) -> Result<(), Failure> {
        let line = PlayLine {
            play: 0,
            seats: seats.to_vec(),
            seed,
            moves: self.steps.iter().map(|step| step.text.clone()).collect(),
            scores: self.play.scores().into_iter().map(str::to_owned).collect(),
            over: self.turn() == Turn::End,
            check: self.check.text(),
        };
        let text = record::line(&self.header)? + &record::line(&line)?;
        let written = writer.create(What::Record, path, replace)?.write_all(text.as_bytes());
        Ok(written.map_err(|error| What::Record.unwritable(path, &error))?)
    }

    /// Whether the play so far begins with that of a record.
    pub(super) fn begins_with(&self, header: &Header, line: &PlayLine) -> bool {
        let same = header.text == self.header.text && header.split == self.header.split;
        let equal = self.steps.iter().zip(&line.moves).all(|(step, text)| step.text == *text);
        same && equal && line.moves.len() <= self.steps.len()
    }

    /// Goes on with a play of a record.
    pub(super) fn resume(&mut self, header: &Header, line: &PlayLine) -> Result<(), Failure> {
        if header.text != self.header.text || header.split != self.header.split {
            let message = format!("the record is of another game: `{}`, or of another text of it", header.game);
            return Err(finding("IO345", message).into());
        }
        let play = Play::new(&self.fast.reasoner).map_err(|error| self.fast.failure(&error))?;
        let mut fresh = Table {
            header: self.header.clone(),
            play,
            state: self.drawn.initial()?,
            check: Check::default(),
            steps: Vec::new(),
            texts: Vec::new(),
            short: Vec::new(),
            order: Vec::new(),
            ..*self
        };
        fresh.name_moves();
        for (number, wanted) in (1..).zip(&line.moves) {
            let found = self.fast.find(wanted, fresh.play.moves());
            let index = found.map_err(|message| wrong(line.play, format!("move {number}: {message}")))?;
            fresh.make(index)?;
        }
        *self = fresh;
        Ok(())
    }
}
