//! Positions of a game, as data, as text, and with colours.

use crate::cursor::Cursor;
use crate::deduction::{Deduction, Filling};
use crate::phases::{Phase, phases};
use crate::runner::Runner;
use crate::telling::Telling;
use backend::canonical::Dead;
use backend::{State, Turn};
use rg_ir::scene::{self, Board, CURSOR, Colour, Fact, Ink, Look, Scene, Span, Table, Term, Variables};
use rg_ir::{StateView, VarDecl, VarId};
use rustc_hash::FxHashMap;
use std::fmt::Write as _;
use std::sync::OnceLock;

/// What stands for a value in a table that is not known.
pub const UNKNOWN: &str = "?";

/// The name of the fact which of several decisions is to be made, where no variable tells.
pub const DECISION: &str = "decision in the rules";

/// The group of facts about single variables.
const VARIABLES: &str = "variables";

/// Shows states of a game.
pub struct Drawer<'r> {
    runner: &'r Runner,
    /// For games whose notation knows nothing of positions.
    variables: Option<Variables>,
    /// Phases of the game that no variable tells, by node.
    phases: FxHashMap<String, Phase>,
    /// The variables that no rule reads any more, by the node where a move begins; found out when it is needed.
    dead: OnceLock<Dead>,
    /// What tells a player something; found out when it is needed.
    telling: OnceLock<Telling>,
    /// Whether it matters at which place the rules stand.
    cursor: Cursor,
}

impl<'r> Drawer<'r> {
    /// For the states of a runner, which keeps the values of dead variables. Linear in the cells of all variables.
    pub fn new(runner: &'r Runner) -> Self {
        let loaded = &runner.loaded;
        let knows = runner.reasoner.initial().ok().is_some_and(|state| {
            let view = runner.reasoner.view(&state);
            loaded.notation.scene(&view).is_some()
        });
        let skipped = |variable: &VarDecl| loaded.game.name(variable.name) == "player";
        let variables = (!knows).then(|| Variables::new(&loaded.game, &skipped, &Term::of_name));
        let phases = phases(&loaded.game);
        let cursor = Cursor::default();
        Self { runner, variables, phases, dead: OnceLock::new(), telling: OnceLock::new(), cursor }
    }

    /// The boards of the game.
    pub fn boards(&self) -> &[Board] {
        self.variables.as_ref().map_or_else(|| self.runner.loaded.notation.boards(), Variables::boards)
    }

    /// The position.
    pub fn scene(&self, state: &State) -> Scene<'_> {
        let mut scene = self.scene_of(&self.runner.reasoner.view(state));
        if let Some(phase) = self.phases.get(self.runner.reasoner.node_name(state)) {
            scene.facts.push(Fact::alone(DECISION, self.decision(*phase, state)));
        }
        scene
    }

    /// A phase in words: which of the decisions it is that the rules leave to the one who moves.
    fn decision(&self, Phase { number, count, is_of_one }: Phase, state: &State) -> String {
        let mover = match self.runner.reasoner.turn(state) {
            Turn::Player(player) => self.runner.players().nth(player),
            Turn::Random => Some("chance"),
            Turn::End => None,
        };
        match mover.filter(|_| is_of_one) {
            Some(mover) => format!("{number} of the {count} that {mover} makes"),
            None => format!("{number} of {count}"),
        }
    }

    /// The position, without its place in the rules.
    fn scene_of(&self, view: &dyn StateView) -> Scene<'_> {
        let known = || self.runner.loaded.notation.scene(view).unwrap_or_default();
        self.variables.as_ref().map_or_else(known, |variables| variables.scene(view))
    }

    /// The tables with [`UNKNOWN`] for all values that were not deduced; none where nothing was.
    pub fn deduced(&self, deduction: &Deduction<'_>) -> Vec<Table> {
        let tables = |filling| deduction.view(filling).map(|view| self.scene_of(&view).tables).unwrap_or_default();
        let [mut nothing, first, last] = [Filling::Nothing, Filling::First, Filling::Last].map(tables);
        let is_same = |one: &[Table], other: &[Table]| one.iter().map(shape).eq(other.iter().map(shape));
        if !is_same(&nothing, &first) || !is_same(&nothing, &last) {
            return Vec::new();
        }
        // What the value is drawn as does not depend on anything unknown.
        for (cell, (first, last)) in cells_mut(&mut nothing).zip(cells(&first).zip(cells(&last))) {
            if first != cell || last != cell {
                UNKNOWN.clone_into(cell);
            }
        }
        nothing
    }

    /// The position as far as it follows from the rules and what a player observed: places of boards of which nothing is known have no piece, and values in
    /// tables are [`UNKNOWN`]. Facts are left out, and so are tables of which nothing is known.
    pub fn known(&self, deduction: &Deduction<'_>) -> Scene<'_> {
        let scene = |filling| deduction.view(filling).map(|view| self.scene_of(&view)).unwrap_or_default();
        let [mut first, last] = [Filling::First, Filling::Last].map(scene);
        if first.boards.len() != last.boards.len() {
            return Scene::default();
        }
        for (setup, other) in first.boards.iter_mut().zip(&last.boards) {
            setup.cursor = None;
            for (at, other) in setup.at.iter_mut().zip(&other.at) {
                *at = at.filter(|_| at == other);
            }
        }
        let mut tables = self.deduced(deduction);
        without_unknown(&mut tables);
        Scene { boards: first.boards, tables, facts: Vec::new() }
    }

    /// What is the same in all of some states, as [`Drawer::known`] has it.
    pub fn agreed(&self, states: &[State]) -> Scene<'_> {
        let mut scenes = states.iter().map(|state| self.scene(state));
        let Some(mut first) = scenes.next() else { return Scene::default() };
        first.facts.clear();
        for other in scenes {
            let is_same = first.tables.iter().map(shape).eq(other.tables.iter().map(shape));
            if !is_same {
                first.tables.clear();
            }
            for (cell, other) in cells_mut(&mut first.tables).zip(cells(&other.tables)) {
                if cell != other {
                    UNKNOWN.clone_into(cell);
                }
            }
            for (setup, other) in first.boards.iter_mut().zip(&other.boards) {
                setup.cursor = setup.cursor.filter(|_| setup.cursor == other.cursor);
                for (at, other) in setup.at.iter_mut().zip(&other.at) {
                    *at = at.filter(|_| at == other);
                }
            }
        }
        without_unknown(&mut first.tables);
        first
    }

    /// The position without the values that say nothing to a player about what can happen: variables that no rule reads before they are written
    /// again, such as those in which a move was put together; those that hold the player to move; those that no legal move depends on, only the
    /// keeper's bookkeeping, such as a counter that ends the game; unless it holds what was chosen or
    /// dealt and decides the scores; scores before the end, unless rules read them; the place where the rules stand, unless it matters for the next
    /// move; and tables of zeros. At the end of the game no variable says anything but those that decided the scores, and the scores are left to the
    /// verdict. Different positions may look alike. The first call analyses the whole game.
    pub fn essence(&self, state: &State) -> Scene<'_> {
        let mut scene = self.scene(state);
        let loaded = &self.runner.loaded;
        let game = &loaded.game;
        let node = game.symbols.get(self.runner.reasoner.node_name(state)).and_then(|name| game.find_node(name));
        let here = node.map_or(&[][..], |node| self.dead().dead_at(node));
        let is_over = self.runner.reasoner.turn(state) == Turn::End;
        let telling = self.telling();
        let is_left = |name: &str| {
            let named = |var: &VarId| game.vars.get(*var).is_some_and(|var| game.name(var.name) == name);
            is_over || here.iter().any(named) || !telling.tells(name)
        };
        let has_cursor = loaded
            .notation
            .cursor()
            .is_some_and(|name| !is_left(name) && self.cursor.matters(self.runner, state, name));
        if !has_cursor {
            scene.boards.iter_mut().for_each(|setup| setup.cursor = None);
        }
        let said = self.movers(state);
        if !is_over {
            without_zeros(&mut scene.tables);
        }
        scene.facts.retain(|fact| match fact.group {
            VARIABLES => self.decides(state, fact) || !is_left(&fact.name) && !said.contains(&fact.name),
            "scores" => !is_over && telling.scores,
            _ if fact.name == CURSOR => has_cursor,
            _ => is_over || !said.contains(&fact.value),
        });
        scene
    }

    /// Whether a fact is a variable that decides the scores, and holds what was chosen or dealt: before the end, anything but its first value. Where
    /// nothing is hidden, those on which legal moves depend are left out: they belong to a move that goes on.
    pub fn decides(&self, state: &State, fact: &Fact) -> bool {
        let (reasoner, telling) = (&self.runner.reasoner, self.telling());
        let is_first = || reasoner.initial().is_ok_and(|first| self.scene(&first).facts.contains(fact));
        let is_kept = || reasoner.hides() || !telling.tells(&fact.name);
        let is_one = fact.group == VARIABLES && telling.decides(&fact.name) && is_kept();
        is_one && (reasoner.turn(state) == Turn::End || !is_first())
    }

    fn dead(&self) -> &Dead {
        self.dead.get_or_init(|| Dead::new(&self.runner.loaded.game))
    }

    fn telling(&self) -> &Telling {
        let loaded = &self.runner.loaded;
        self.telling.get_or_init(|| Telling::new(&loaded.game, &*loaded.notation, self.dead()))
    }

    /// The names of the variables that say who is to move, and what the rules call the fact that one does.
    fn movers(&self, state: &State) -> Vec<String> {
        let game = &self.runner.loaded.game;
        let view = self.runner.reasoner.view(state);
        let mover = view.get("player", &[]);
        let is_player = |variable: &&VarDecl| {
            let values = game.types.members(variable.ty);
            !values.is_empty() && values.iter().all(|value| game.players().contains(value))
        };
        let names = game.vars.values().filter(is_player).map(|variable| game.name(variable.name));
        let movers = names.filter(|name| view.get(name, &[]).is_some_and(|value| Some(value) == mover));
        let fact = |name: &str| self.runner.loaded.notation.proposition(name, &[], mover.unwrap_or_default());
        movers.flat_map(|name| [Some(name.to_owned()), fact(name)]).flatten().collect()
    }

    /// The position as text with a final newline.
    pub fn text(&self, state: &State, look: Look<'_>) -> String {
        scene::text(&self.scene(state), look)
    }
}

/// What a table is about, with the names of its columns and rows, and how many values these have.
fn shape(table: &Table) -> (&str, &[String], Vec<(&str, usize)>) {
    (&table.title, &table.columns, table.rows.iter().map(|(name, cells)| (name.as_str(), cells.len())).collect())
}

/// The values in tables.
pub fn cells(tables: &[Table]) -> impl Iterator<Item = &String> {
    tables.iter().flat_map(|table| &table.rows).flat_map(|(_, cells)| cells)
}

fn cells_mut(tables: &mut [Table]) -> impl Iterator<Item = &mut String> {
    tables.iter_mut().flat_map(|table| &mut table.rows).flat_map(|(_, cells)| cells)
}

/// A line in bold type on a terminal.
pub fn bold(text: &str) -> String {
    format!("\u{1b}[1m{text}\u{1b}[0m")
}

/// Colours of pieces: yellow, red, cyan, green, magenta, blue.
const COLOURS: [u8; 6] = [33, 31, 36, 32, 35, 34];

/// The code of the colour in which a part of a drawing is shown on a terminal, if it has one: every kind of piece has a colour of its own, or that of
/// its side if there is one (cyan for white and magenta for black, which may not be seen on a terminal), and empty places are dim (2).
pub fn colour(span: &Span) -> Option<u8> {
    match span.ink {
        Ink::Plain | Ink::Margin => None,
        Ink::Empty => Some(2),
        Ink::Piece(kind) => COLOURS.get(kind % COLOURS.len()).copied(),
        Ink::Coloured(colour) => match colour {
            Colour::Red => Some(31),
            Colour::Green => Some(32),
            Colour::Yellow => Some(33),
            Colour::Blue => Some(34),
            // Either may be the colour of the terminal itself: they are told apart by two others.
            Colour::White => Some(36),
            Colour::Black => Some(35),
        },
    }
}

/// A drawing without colours, with a final newline.
pub fn plain(lines: &[Vec<Span>]) -> String {
    let mut text = String::new();
    for line in lines {
        let line: String = line.iter().map(|span| span.text.as_str()).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Lines of text that have no colours.
pub fn unstyled(text: &str) -> Vec<Vec<Span>> {
    let span = |line: &str| Span { text: line.to_owned(), ink: Ink::Plain, is_marked: false };
    text.lines().map(|line| vec![span(line)]).collect()
}

/// Leaves out tables of which nothing is known.
fn without_unknown(tables: &mut Vec<Table>) {
    tables.retain(|table| cells(std::slice::from_ref(table)).any(|cell| !matches!(cell.as_str(), "" | UNKNOWN)));
}

/// Leaves out tables that have nothing but zeros, such as empty hands. Those of one title that lie opposite each other stay together.
fn without_zeros(tables: &mut Vec<Table>) {
    let is_row = |one: &Table, other: &Table| one.title == other.title && one.columns.len() == other.columns.len();
    let is_zero = |table: &Table| table.rows.iter().flat_map(|(_, cells)| cells).all(|cell| cell == "0");
    let kept = tables.chunk_by(is_row).filter(|rows| !rows.iter().all(is_zero));
    *tables = kept.flatten().cloned().collect();
}

/// A drawing with colours for a terminal; marked places are inverted.
pub fn coloured(lines: &[Vec<Span>]) -> String {
    let mut text = String::new();
    for line in lines {
        for span in line {
            let invert = if span.is_marked { "\u{1b}[7m" } else { "" };
            let _ = match colour(span) {
                Some(colour) => write!(text, "{invert}\u{1b}[{colour}m{}\u{1b}[0m", span.text),
                None if span.is_marked => write!(text, "{invert}{}\u{1b}[0m", span.text),
                None => write!(text, "{}", span.text),
            };
        }
        text.push('\n');
    }
    text
}
