//! How the position on the table is shown.

use super::super::wrap::wrapped;
use super::{LATEST, Sought, Table, after_end};
use crate::draw;
use crate::observed;
use crate::runner::CHANCE;
use crate::session::{Failure, finding};
use backend::Turn;
use kit::draw::DECISION;
use rg_ir::scene::{self, Board, Fact, Look, Piece, Scene, Setup, Span};

/// Moves listed at most where `moves` did not ask for all of them.
const LISTED: usize = 12;

/// Observations that are shown again to a player whose earlier ones are out of sight.
const FEW: usize = 8;

/// Lists and tables are at most so wide on a wider terminal.
const WIDTH: usize = 78;

/// Lines of a terminal that are kept for what is around the position: an empty line, who is to move with a list of moves, and the prompt.
const AROUND: usize = 6;

/// The room that a position has, where it is limited.
#[derive(Clone, Copy, Default, Debug)]
pub(in super::super) struct Room {
    /// Letters of a line.
    pub(in super::super) width: Option<usize>,
    /// Lines, if boards can lie side by side for that.
    pub(in super::super) height: Option<usize>,
    /// Whether empty boards may only be named where the room is too small for all.
    pub(in super::super) names_empty: bool,
}

/// The lines about what players observed that were shown to them already.
#[derive(Default, Debug)]
pub(in super::super) struct Told(Vec<Vec<String>>);

impl Told {
    /// The lines that a player has not seen yet; from now on it has. All, if there are none, or some that it has seen are there no more.
    fn news(&mut self, player: usize, lines: Vec<String>) -> String {
        if self.0.len() <= player {
            self.0.resize(player + 1, Vec::new());
        }
        let Some(before) = self.0.get_mut(player) else { return String::new() };
        let same = before.iter().zip(&lines).take_while(|(before, line)| before == line).count();
        // An announcement may have been added to the line that was last.
        let is_longer = same < lines.len() && same + 1 >= before.len();
        let new = lines.get(if is_longer { same } else { 0 }..).unwrap_or_default();
        let text = observed::counted(new.to_vec()).join("\n");
        *before = lines;
        text
    }

    /// Lines that a player has seen are shown again if they are few: what was shown before is out of sight.
    pub(in super::super) fn forget_few(&mut self, player: usize) {
        if let Some(lines) = self.0.get_mut(player).filter(|lines| lines.len() <= FEW) {
            lines.clear();
        }
    }
}

/// Adds what chance did, such as the dice, to facts of which some may be variables that hold it: it is said once. Where these variables are certain, they
/// are left out; where others have the same values, chance is.
fn add_chance(facts: &mut Vec<Fact>, chance: Fact) {
    let is_one = |fact: &Fact, word: &str| fact.group == "variables" && fact.value == word;
    let words: Vec<String> = kit::misread::words(&chance.value).map(str::to_owned).collect();
    let held = |word: &String| facts.iter().filter(|fact| is_one(fact, word)).count();
    let count = |word: &String| words.iter().filter(|other| *other == word).count();
    let is_certain = words.iter().all(|word| (1..=count(word)).contains(&held(word)));
    let is_held = words.iter().all(|word| held(word) >= count(word));
    if is_certain {
        facts.retain(|fact| !words.iter().any(|word| is_one(fact, word)));
    }
    if is_certain || !is_held {
        facts.push(chance);
    }
}

/// Signs for an empty place where the next move begins; the first is taken that stands for no piece.
const CURSOR_SIGNS: [&str; 4] = ["@", "*", "#", "+"];

/// The board on which the rules stand at an empty place, with one more kind of pieces, the last one, that stands for this place; `None` where there is
/// no such place.
fn board_with_cursor(scene: &Scene<'_>) -> Option<Board> {
    let setup = scene.boards.iter().find(|setup| setup.cursor.is_some())?;
    let place = usize::try_from(setup.cursor?).ok()?;
    if setup.piece(place).is_some() {
        return None;
    }
    let mut board = setup.board.clone();
    let is_free = |sign: &&str| board.pieces.iter().all(|piece| piece.short != *sign);
    let short = CURSOR_SIGNS.into_iter().find(is_free)?.to_owned();
    board.pieces.push(Piece { name: scene::CURSOR.to_owned(), short, is_empty: false, player: None });
    Some(board)
}

/// Puts the last kind of pieces of a board on the place where the rules stand.
fn show_cursor<'b>(setup: &mut Setup<'b>, board: &'b Board) {
    let at = setup.cursor.and_then(|place| setup.at.get_mut(usize::try_from(place).ok()?));
    if let Some(at) = at {
        *at = board.pieces.len().checked_sub(1).and_then(|last| u32::try_from(last).ok());
        setup.board = board;
    }
}

impl Table<'_> {
    /// The position for the one who is to move: drawn, or, if something is hidden, what it observed, without what it was `told` of that before, which
    /// is brought up to date. On a terminal, `room` is its width and height: the one of lines, except for those of boards, and the one that boards
    /// have if they can lie side by side.
    pub(in super::super) fn position(&self, told: &mut Told, colours: bool, room: Option<(usize, usize)>) -> String {
        let (width, height) = room.unzip();
        let room = |news: usize| Room {
            width: width.map(|width| width.min(WIDTH)),
            height: height.map(|height| height.saturating_sub(AROUND + news.min(LATEST)).max(1)),
            names_empty: true,
        };
        let board = match self.turn() {
            Turn::Player(player) if self.is_secret() => {
                let mut lines = draw::unstyled(&told.news(player, self.observed(player)));
                let room = room(lines.len());
                lines.extend(self.known_boards(player, self.look(room)));
                lines
            }
            _ => self.board(room(0)),
        };
        let mut text = String::from("\n");
        text.push_str(&if colours { draw::coloured(&board) } else { draw::plain(&board) });
        let headline = self.headline();
        let mut rest = headline.clone();
        if self.turn() == Turn::End {
            rest.push_str(&format!("\n{}", after_end(self.fast)));
        } else if self.texts.len() <= LISTED {
            let moves: Vec<&str> = self.order.iter().map(|&index| self.text(index)).collect();
            rest.push_str(&format!(": {}", moves.join(", ")));
        }
        let rest = wrapped(&rest, width);
        match rest.strip_prefix(&headline).filter(|_| colours) {
            Some(rest) => text.push_str(&(draw::bold(&headline) + rest)),
            None => text.push_str(&rest),
        }
        text + "\n"
    }

    /// The position without colours, or what the player to move observed, if possible in lines of this width, and so many of them.
    pub(in super::super) fn board(&self, room: Room) -> Vec<Vec<Span>> {
        match self.turn() {
            Turn::Player(player) if self.is_secret() => self.observed_by(player, self.look(room)),
            _ if self.is_secret() => Vec::new(),
            _ => {
                let mut scene = self.drawer.essence(self.known_state());
                // The headline says who is to move, the legal moves say what is going on, and what the last move changed is marked.
                let is_said = |fact: &Fact| {
                    let name = fact.name.as_str();
                    matches!(name, "in control" | "on turn") || fact.group.is_empty() && name == DECISION
                };
                scene.facts.retain(|fact| !is_said(fact));
                scene.facts.sort_by_key(|fact| fact.group != "scores");
                if let Some(chance) = self.chance() {
                    add_chance(&mut scene.facts, chance);
                    scene.facts.extend(self.played());
                }
                let marked = self.changed(&scene);
                let marked: Vec<&str> = marked.iter().map(String::as_str).collect();
                let board = board_with_cursor(&scene);
                if let Some((setup, board)) =
                    scene.boards.iter_mut().find(|setup| setup.cursor.is_some()).zip(board.as_ref())
                {
                    show_cursor(setup, board);
                }
                let look = Look { marked: &marked, ..self.look(room) };
                let legend = scene::legend(&scene, look);
                scene.facts.extend(legend);
                if self.turn() == Turn::End {
                    let numbers = self.numbers(&scene);
                    scene.facts.extend(numbers);
                }
                scene::lines(&scene, look)
            }
        }
    }

    /// How many of each kind of pieces are on the board whose numbers the rules compare.
    fn numbers(&self, scene: &Scene<'_>) -> Vec<Fact> {
        let compared = self.drawn.loaded.notation.compared();
        let [setup] = scene.boards.as_slice() else { return Vec::new() };
        let count = |kind: u32| setup.at.iter().filter(|at| **at == Some(kind)).count();
        let kinds = (0..).zip(&setup.board.pieces).filter(|(_, piece)| compared.contains(&piece.name));
        kinds.map(|(kind, piece)| Fact::of("on the board", piece.name.as_str(), count(kind).to_string())).collect()
    }

    /// How boards are drawn in such a room.
    pub(in super::super) fn look(&self, room: Room) -> Look<'static> {
        let Room { width, height, names_empty } = room;
        Look { unicode: self.unicode, width, height, names_empty, ..Look::default() }
    }

    /// The position with all that the rules keep.
    ///
    /// # Errors
    /// `IO348`: something in it is hidden from the players.
    pub(in super::super) fn all(&self) -> Result<String, Failure> {
        if self.is_secret() {
            return Err(finding("IO348", "part of the position is hidden from you")
                .help("`board` shows what you observed")
                .into());
        }
        let mut scene = self.drawer.scene(self.known_state());
        for fact in scene.facts.iter_mut().filter(|fact| fact.group.is_empty()) {
            let words = match fact.name.as_str() {
                "current vertex" => "place where the rules stand",
                "in control" | "on turn" => "to move",
                _ => continue,
            };
            words.clone_into(&mut fact.name);
        }
        Ok(scene::text(&scene, Look { unicode: self.unicode, ..Look::default() }))
    }

    /// What chance did before the moves that the one who is to move has made since, such as the dice.
    pub(in super::super) fn chance(&self) -> Option<Fact> {
        if self.turn() == Turn::End {
            return None;
        }
        let known = self.known_steps();
        let own = known.iter().rev().take_while(|step| step.play.turn() == self.turn()).count();
        let before = known.len().checked_sub(own).and_then(|kept| known.get(..kept))?;
        let mut made: Vec<&str> = before
            .iter()
            .rev()
            .take_while(|step| step.play.turn() == Turn::Random)
            .map(|step| step.short.as_str())
            .collect();
        made.reverse();
        (!made.is_empty()).then(|| Fact::alone(format!("this turn, {CHANCE} gave"), made.join(", ")))
    }

    /// The moves that the one who is to move has made since chance did something, such as those with some of the dice; `None` if there are none.
    fn played(&self) -> Option<Fact> {
        let own = self.known_steps().iter().rev().take_while(|step| step.play.turn() == self.turn());
        let mut made: Vec<&str> = own.map(|step| step.short.as_str()).collect();
        made.reverse();
        (!made.is_empty()).then(|| Fact::alone("played of it", made.join(", ")))
    }

    /// Ways to write the first legal move; none at the end.
    pub(in super::super) fn examples(&self) -> Vec<String> {
        let Some(&first) = self.order.first() else { return Vec::new() };
        let short = self.text(first);
        let mut examples = vec![short.to_owned()];
        let places = self.drawn.loaded.notation.places();
        if let Some((from, to)) = places.and_then(|places| places.begin(short)).filter(|(_, to)| !to.is_empty()) {
            let others = [format!("{from}-{to}"), format!("{from} {to}")];
            let is_read = |text: &String| {
                to.starts_with(char::is_alphanumeric)
                    && matches!(self.find(text), Ok(Sought::Move(index)) if index == first)
            };
            examples.extend(others.into_iter().filter(is_read));
        }
        examples
    }

    /// The places that the last move changed, by their labels.
    fn changed(&self, scene: &Scene<'_>) -> Vec<String> {
        let known = self.known_steps().len();
        let first = known.checked_sub(1).map(|last| self.begin_of_step(last));
        let Some(step) = first.and_then(|first| self.steps.get(first)) else { return Vec::new() };
        let before = self.drawer.scene(&step.drawn);
        let boards = scene.boards.iter().zip(&before.boards);
        let places = boards.flat_map(|(now, before)| {
            let pairs = now.board.places.iter().zip(now.at.iter().zip(&before.at));
            pairs.filter(|(_, (now, before))| now != before).map(|(place, _)| place.label.clone())
        });
        places.collect()
    }
}
