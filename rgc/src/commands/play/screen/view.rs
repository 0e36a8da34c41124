//! Drawing the screen.

use super::super::table::Room;
use super::super::work::waited;
use super::super::wrap;
use super::state::{Busy, Screen};
use crate::draw;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, List, ListState, Paragraph};
use rg_ir::scene;

/// Lines of the status, what is typed, and the keys.
const OTHERS: u16 = 3;

/// Lines of the board at least, with its frame, while there is room for them.
const LEAST: u16 = 3;

/// Lines above the first row of a board that may be its titles.
const TITLES: usize = 2;

/// Lines of messages that there is room for unless the board needs it.
const MESSAGES: u16 = 4;

/// The keys that are shown all the time, and which of them are left out first where there is no room for all.
const KEYS: [(&str, u8); 7] = [
    ("F1 help", 0),
    ("F2 hint", 4),
    ("F3 undo", 3),
    ("F4 save", 2),
    ("F5 why", 5),
    ("Tab completes", 6),
    ("F10 quit", 1),
];

/// Where the parts of the screen are.
struct Areas {
    board: Rect,
    moves: Rect,
    past: Rect,
    status: Rect,
    said: Rect,
    line: Rect,
    keys: Rect,
}

/// Divides the screen. The list of moves and the history are narrower where the board needs their room.
fn areas(area: Rect, screen: &Screen) -> Areas {
    let latest: usize =
        screen.messages.iter().rev().take(screen.latest).map(|line| broken(line, area.width).len()).sum();
    let wanted = u16::try_from(latest).unwrap_or(u16::MAX).max(1).saturating_add(2);
    // A high board may have the room of empty lines of messages.
    let board = u16::try_from(screen.scene.board.len()).unwrap_or(u16::MAX).saturating_add(2);
    let free = area.height.saturating_sub(OTHERS).saturating_sub(board).min(MESSAGES + 2);
    let wanted = wanted.max(free);
    let most = (area.height / 2).max(3).min(area.height.saturating_sub(OTHERS + LEAST));
    // On a low screen, the line that is typed stays longest.
    let if_higher = |than: u16| Constraint::Length(u16::from(area.height > than));
    let said = Constraint::Length(wanted.min(most));
    let [upper, status, said, line, keys] =
        Layout::vertical([Constraint::Min(0), if_higher(LEAST + 1), said, if_higher(0), if_higher(LEAST + 2)])
            .areas(area);
    let part = |percent: u16| u16::try_from(u32::from(upper.width) * u32::from(percent) / 100).unwrap_or(0);
    let needed = |letters: usize, percent: u16, least: u16| {
        u16::try_from(letters + 2).unwrap_or(u16::MAX).clamp(least, part(percent).max(least))
    };
    let is_tight = board_width(&screen.scene.board) + 2 > usize::from(upper.width.saturating_sub(part(30) + part(25)));
    let longest = screen.scene.history.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    // Where the board leaves room, nothing in the lists is cut off.
    let board = u16::try_from(board_width(&screen.scene.board) + 2).unwrap_or(u16::MAX).max(20);
    let wide = |letters: usize, taken: u16| {
        let room = upper.width.saturating_sub(board).saturating_sub(taken);
        u16::try_from(letters + 2).unwrap_or(u16::MAX).min(room)
    };
    let (moves, past) = match (is_tight, screen.scene.is_secret) {
        _ if screen.scene.is_alone => (0, 0),
        (false, true) => (part(30).max(wide(screen.scene.widest_move, 0)), 0),
        (false, false) => {
            let moves = part(30).max(wide(screen.scene.widest_move, part(25)));
            (moves, part(25).max(wide(longest, moves)))
        }
        (true, true) => (needed(screen.scene.widest_move, 30, 13), 0),
        (true, false) => (needed(screen.scene.widest_move, 30, 13), needed(longest, 25, 11)),
    };
    let columns = [Constraint::Min(20), Constraint::Length(moves), Constraint::Length(past)];
    let [board, moves, past] = Layout::horizontal(columns).areas(upper);
    Areas { board, moves, past, status, said, line, keys }
}

/// Letters of the widest row of a board, which cannot be broken.
fn board_width(board: &[Vec<scene::Span>]) -> usize {
    board.iter().filter(|line| is_row(line)).map(|line| width(line)).max().unwrap_or(0)
}

/// Whether a line is a row of a board.
fn is_row(line: &[scene::Span]) -> bool {
    line.first().is_some_and(|span| span.ink == scene::Ink::Margin)
}

fn width(line: &[scene::Span]) -> usize {
    line.iter().map(|span| span.text.chars().count()).sum()
}

/// Lines of a position that are to be in sight: what is above the titles of its boards, such as what was observed before, need not be.
fn needed(board: &[Vec<scene::Span>]) -> usize {
    let above = board.iter().position(|line| is_row(line)).unwrap_or(0).saturating_sub(TITLES);
    board.len() - above
}

/// Puts the position on a screen of this size: `drawn` makes it for some room. Where it does not fit beside lists of usual width, it is drawn for
/// narrow ones; then for none, unless a move is being chosen from one; then without empty boards.
pub(super) fn lay(area: Rect, screen: &mut Screen, drawn: impl Fn(Room) -> Vec<Vec<scene::Span>>) {
    let lines = usize::from(area.height.saturating_sub(OTHERS + 3 + 2)).max(1);
    let draw = |width: usize| drawn(Room { width: Some(width), height: Some(lines), names_empty: false });
    let room = |screen: &Screen| usize::from(areas(area, screen).board.width.saturating_sub(2)).max(1);
    let fits = |board: &[Vec<scene::Span>], room: usize| needed(board) <= lines && board_width(board) <= room;
    screen.scene.board = Vec::new();
    let usual = room(screen);
    let board = draw(usual);
    if fits(&board, usual) {
        screen.scene.board = board;
        return;
    }
    // A row that is too wide makes the lists narrow.
    screen.scene.board = vec![vec![scene::Span {
        text: " ".repeat(usize::from(area.width)),
        ink: scene::Ink::Margin,
        is_marked: false,
    }]];
    let least = room(screen);
    let narrow = draw(least);
    if !fits(&narrow, least) {
        screen.scene.is_alone = screen.chosen.is_none();
        let alone = room(screen);
        let wide = draw(alone);
        if fits(&wide, alone) {
            screen.scene.board = wide;
            return;
        }
        screen.scene.is_alone = false;
        let fewer = drawn(Room { width: Some(least), height: Some(lines), names_empty: true });
        if fits(&fewer, least) {
            screen.scene.board = fewer;
            return;
        }
        // Alone, boards may lie side by side, so that more of them is in sight.
        let rows = |board: &[Vec<scene::Span>]| board.iter().filter(|line| is_row(line)).count();
        let is_lower = rows(&wide) < rows(&narrow).min(rows(&board));
        if is_lower && board_width(&wide) <= alone && screen.chosen.is_none() {
            (screen.scene.is_alone, screen.scene.board) = (true, wide);
            return;
        }
    }
    let is_better = board_width(&board) > usual || needed(&narrow) < needed(&board);
    screen.scene.board = if is_better { narrow } else { board };
}

/// Finds out how much of the position is out of sight on a screen of this size.
pub(super) fn measure(area: Rect, screen: &mut Screen) {
    let Areas { board, said, .. } = areas(area, screen);
    let said = if screen.is_reading() { page(area) } else { said };
    let lines: Vec<usize> = read(screen).iter().map(|line| broken(line, said.width).len()).collect();
    let latest = if screen.is_reading() { lines.len() } else { screen.latest };
    let latest = lines.iter().rev().take(latest).sum();
    screen.measured(lines.iter().sum(), latest, usize::from(said.height.saturating_sub(2)));
    let beyond =
        |size: usize, room: u16| u16::try_from(size).unwrap_or(u16::MAX).saturating_sub(room.saturating_sub(2));
    let widest = screen.scene.board.iter().map(|line| width(line)).max().unwrap_or(0);
    screen.beyond = beyond(widest, board.width);
    screen.below = beyond(screen.scene.board.len(), board.height);
    if std::mem::take(&mut screen.is_grown) {
        // Tables and the legend can be scrolled to, but the boards with what was observed last come first.
        let has_rows = screen.scene.board.iter().any(|line| is_row(line));
        let above = screen.scene.board.len() - needed(&screen.scene.board);
        let first = u16::try_from(above).ok().filter(|_| has_rows).unwrap_or(u16::MAX);
        screen.scroll.0 = screen.below.min(first);
    }
    screen.scroll = (screen.scroll.0.min(screen.below), screen.scroll.1.min(screen.beyond));
}

/// Draws the screen: board, moves and history side by side; below them who is to move and who plays what, messages, the
/// line that is typed, and keys.
pub(super) fn render(frame: &mut Frame<'_>, screen: &Screen) {
    let Areas { board, moves, past, status, said, line, keys } = areas(frame.area(), screen);
    frame.render_widget(position(screen), board);
    if !screen.scene.is_alone {
        render_moves(frame, screen, moves);
    }
    if !screen.scene.is_secret && !screen.scene.is_alone {
        let lines = tail(&screen.scene.history, past.height);
        frame.render_widget(Paragraph::new(lines).block(Block::bordered().title("history")), past);
    }
    let said = if screen.is_reading() { page(frame.area()) } else { said };
    let messages: Vec<String> = read(screen).iter().flat_map(|line| broken(line, said.width)).collect();
    let shown = messages.len().saturating_sub(usize::from(screen.back));
    let lines = tail(messages.get(..shown).unwrap_or(&[]), said.height);
    let block = Block::bordered().title(if screen.is_reading() { "help" } else { "messages" });
    let scrolls = screen.scrolls_messages() && (screen.overflow > 0 || screen.back > 0);
    let keys_here = match (screen.is_reading(), scrolls) {
        (true, true) => "Esc closes  PgUp PgDn scroll",
        (true, false) => "Esc closes",
        (false, true) => "PgUp PgDn scroll",
        (false, false) => "",
    };
    let block = if keys_here.is_empty() { block } else { block.title_bottom(keys_here) };
    render_line(frame, screen, line);
    frame.render_widget(Paragraph::new(hint(keys.width)).style(Modifier::REVERSED), keys);
    if screen.is_reading() {
        frame.render_widget(Clear, said);
    }
    frame.render_widget(Paragraph::new(lines).block(block), said);
    if screen.is_reading() {
        return;
    }
    let headline = Span::styled(screen.scene.headline.as_str(), Modifier::BOLD);
    let rest = match screen.scene.seats.is_empty() || screen.scene.is_over {
        true => String::new(),
        false => format!("  ({})", screen.scene.seats),
    };
    frame.render_widget(Line::from(vec![headline, Span::raw(rest)]), status);
}

/// The keys that there is room for.
fn hint(width: u16) -> String {
    let with = |most: u8| {
        let shown = KEYS.iter().filter(|(_, rank)| *rank <= most).map(|(key, _)| *key);
        shown.collect::<Vec<_>>().join("  ")
    };
    let fits = |text: &String| text.chars().count() <= usize::from(width);
    (0..7).rev().map(with).find(fits).unwrap_or_else(|| with(0))
}

/// Where a text to read is: over everything but the line that is typed and the keys.
fn page(area: Rect) -> Rect {
    Rect { height: area.height.saturating_sub(2), ..area }
}

/// What is read, or else the messages.
fn read(screen: &Screen) -> &[String] {
    if screen.is_reading() { &screen.page } else { &screen.messages }
}

/// The board, or what was observed. The labels of rows stay where they are when the rest is moved to the side.
fn position(screen: &Screen) -> Paragraph<'_> {
    let part = |(text, span): (String, &scene::Span)| {
        let style = draw::colour(span).filter(|_| screen.colours).map_or(Style::new(), style);
        let style = if span.is_marked { style.add_modifier(Modifier::REVERSED) } else { style };
        Span::styled(text, style)
    };
    let (down, aside) = screen.scroll;
    let widest = screen.scene.board.iter().map(|line| width(line)).max().unwrap_or(0);
    let room = widest.saturating_sub(usize::from(screen.beyond));
    let shown = |line: &'_ Vec<scene::Span>| -> Line<'static> {
        // Other lines move only if they do not fit.
        let moves = is_row(line) || width(line) > room;
        let mut hidden = if moves { usize::from(aside) } else { 0 };
        let cut = |span: &scene::Span| {
            if span.ink == scene::Ink::Margin {
                return span.text.clone();
            }
            let letters = span.text.chars().count();
            let text = span.text.chars().skip(hidden).collect();
            hidden = hidden.saturating_sub(letters);
            text
        };
        let texts: Vec<String> = line.iter().map(cut).collect();
        texts.into_iter().zip(line).map(part).collect()
    };
    let lines: Vec<Line<'_>> = screen.scene.board.iter().skip(usize::from(down)).map(shown).collect();
    let title = match screen.scene.is_secret {
        _ if screen.is_paused => "pause",
        true => "what you observed",
        false => "position",
    };
    let block = Block::bordered().title(title);
    let ways = match (screen.beyond > 0, screen.below > 0 && !screen.scrolls_messages()) {
        (false, false) => return Paragraph::new(lines).block(block),
        (true, false) => "← → scroll",
        (false, true) => "PgUp PgDn scroll",
        (true, true) => "← → PgUp PgDn scroll",
    };
    Paragraph::new(lines).block(block.title_bottom(ways))
}

/// The style for a colour code of a terminal.
fn style(code: u8) -> Style {
    match code {
        30..=37 => Style::new().fg(Color::Indexed(code - 30)),
        _ => Style::new().add_modifier(Modifier::DIM),
    }
}

fn render_moves(frame: &mut Frame<'_>, screen: &Screen, area: Rect) {
    let title = format!("moves ({})", screen.moves.len());
    // What is out of sight takes no time; there may be many thousands.
    let room = usize::from(area.height.saturating_sub(2)).max(1);
    let first = screen.chosen.map_or(0, |at| at - at % room);
    let shown = screen.moves.iter().skip(first).take(room).map(String::as_str);
    let list = List::new(shown).block(Block::bordered().title(title)).highlight_style(Modifier::REVERSED);
    let mut state = ListState::default().with_selected(screen.chosen.map(|at| at - first));
    frame.render_stateful_widget(list, area, &mut state);
}

/// The line that is typed, its end in sight.
fn render_line(frame: &mut Frame<'_>, screen: &Screen, area: Rect) {
    let prompt = match &screen.busy {
        Some(Busy { what, seconds, is_asked }) => {
            let key = if *is_asked { "Esc stops" } else { "F10 quits" };
            format!("{} ({key}) > ", waited(what, *seconds))
        }
        None if screen.is_paused => "press Enter > ".to_owned(),
        None if screen.scene.is_over => "new, undo or quit > ".to_owned(),
        None => "> ".to_owned(),
    };
    let room = usize::from(area.width).saturating_sub(prompt.chars().count() + 1);
    let hidden = screen.line.chars().count().saturating_sub(room);
    let text: String = screen.line.chars().skip(hidden).collect();
    let typed = Line::raw(format!("{prompt}{text}"));
    let end = area.x.saturating_add(u16::try_from(typed.width()).unwrap_or(u16::MAX));
    frame.render_widget(typed, area);
    frame.set_cursor_position(Position::new(end.min(area.right().saturating_sub(1)), area.y));
}

/// A line in pieces that fit into a bordered area of this width.
fn broken(line: &str, width: u16) -> Vec<String> {
    wrap::broken(line, usize::from(width.saturating_sub(2)))
}

/// The last lines that fit into a bordered area.
fn tail(lines: &[String], height: u16) -> Vec<Line<'_>> {
    let hidden = lines.len().saturating_sub(usize::from(height.saturating_sub(2)));
    lines.iter().skip(hidden).map(|line| Line::raw(line.as_str())).collect()
}
