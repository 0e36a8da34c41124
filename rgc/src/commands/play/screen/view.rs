//! Drawing the screen.

use super::state::Screen;
use crate::draw;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, List, ListState, Paragraph};
use rg_ir::scene;

/// Lines of messages that there is always room for.
const MESSAGES: u16 = 4;

/// The keys that are shown all the time.
const HINT: &str = "F1 help  F2 hint  F3 undo  F4 save  F5 why  Tab completes  F10 quit";

/// Draws the screen: board, moves and history side by side; below them who is to move and who plays what, messages, the
/// line that is typed, and keys.
pub(super) fn render(frame: &mut Frame<'_>, screen: &Screen) {
    let area = frame.area();
    let latest: usize =
        screen.messages.iter().rev().take(screen.latest).map(|line| broken(line, area.width).len()).sum();
    let wanted = u16::try_from(latest).unwrap_or(u16::MAX).max(MESSAGES).saturating_add(2);
    let messages = wanted.min((area.height / 2).max(3));
    let line = Constraint::Length(1);
    let [upper, status, said, line, keys] =
        Layout::vertical([Constraint::Min(3), line, Constraint::Length(messages), line, line]).areas(area);
    let history = if screen.scene.is_secret { Constraint::Length(0) } else { Constraint::Percentage(25) };
    let columns = [Constraint::Min(20), Constraint::Percentage(30), history];
    let [board, moves, past] = Layout::horizontal(columns).areas(upper);
    frame.render_widget(position(screen), board);
    render_moves(frame, screen, moves);
    if !screen.scene.is_secret {
        let lines = tail(&screen.scene.history, past.height);
        frame.render_widget(Paragraph::new(lines).block(Block::bordered().title("history")), past);
    }
    let messages: Vec<String> = screen.messages.iter().flat_map(|line| broken(line, said.width)).collect();
    let lines = tail(&messages, said.height);
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title("messages")), said);
    render_line(frame, screen, line);
    let headline = Span::styled(screen.scene.headline.as_str(), Modifier::BOLD);
    frame.render_widget(Line::from(vec![headline, Span::raw(format!("  ({})", screen.scene.seats))]), status);
    frame.render_widget(Paragraph::new(HINT).style(Modifier::REVERSED), keys);
}

/// The board, or what was observed.
fn position(screen: &Screen) -> Paragraph<'_> {
    let part = |span: &scene::Span| {
        let style = draw::colour(span).filter(|_| screen.colours).map_or(Style::new(), style);
        let style = if span.is_marked { style.add_modifier(Modifier::REVERSED) } else { style };
        Span::styled(span.text.clone(), style)
    };
    let is_board = !screen.scene.is_secret;
    let lines: Vec<Line<'_>> = screen.scene.board.iter().map(|line| line.iter().map(part).collect()).collect();
    let title = if is_board { "position" } else { "what you observed" };
    Paragraph::new(lines).scroll(screen.scroll).block(Block::bordered().title(title))
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
    let prompt = if screen.is_busy { "… thinking > " } else { "> " };
    let room = usize::from(area.width).saturating_sub(prompt.chars().count() + 1);
    let hidden = screen.line.chars().count().saturating_sub(room);
    let text: String = screen.line.chars().skip(hidden).collect();
    let typed = Line::raw(format!("{prompt}{text}"));
    let end = area.x.saturating_add(u16::try_from(typed.width()).unwrap_or(u16::MAX));
    frame.render_widget(typed, area);
    frame.set_cursor_position(Position::new(end.min(area.right().saturating_sub(1)), area.y));
}

/// A line in pieces that fit into a bordered area of this width, at least one.
fn broken(line: &str, width: u16) -> Vec<String> {
    let room = usize::from(width.saturating_sub(2)).max(1);
    let letters: Vec<char> = line.chars().collect();
    let pieces: Vec<String> = letters.chunks(room).map(|piece| piece.iter().collect()).collect();
    if pieces.is_empty() { vec![String::new()] } else { pieces }
}

/// The last lines that fit into a bordered area.
fn tail(lines: &[String], height: u16) -> Vec<Line<'_>> {
    let hidden = lines.len().saturating_sub(usize::from(height.saturating_sub(2)));
    lines.iter().skip(hidden).map(|line| Line::raw(line.as_str())).collect()
}
