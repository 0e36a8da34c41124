//! The comment at the beginning of a game: board, rules and moves in words.

use super::board::{Board, Player, Rank};
use super::rules::{AtLimit, Capture, Chain, Counted, Flying, PerPiece, Promotion, Stuck, Unit, Ways};
use super::write::Game;

/// Comments are broken behind this many characters.
const WIDTH: usize = 110;

/// The comment, as lines of HRG.
pub(super) fn heading(game: &Game<'_>) -> String {
    let description = game.description;
    let board = &description.board;
    let name = if description.name.is_empty() { "Line game" } else { &description.name };
    let mut lines = wrapped(&format!("{name}: {}.", board.summary));
    if !description.about.is_empty() {
        lines.push(String::new());
        lines.extend(wrapped(&description.about));
    }
    lines.push(String::new());
    lines.extend(position(game, board));
    lines.extend(wrapped(&format!("Rules: {}", rules(game).join(" "))));
    lines.push(String::new());
    lines.extend(wrapped(&moves(game)));
    lines.push("Written by `rgc generate line-game`.".to_owned());
    let comment = |line: String| if line.is_empty() { "//\n".to_owned() } else { format!("// {line}\n") };
    lines.into_iter().map(comment).collect()
}

/// A text in lines.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The drawing with the names of rows and columns.
fn position(game: &Game<'_>, board: &Board) -> Vec<String> {
    let drawing = board.drawing();
    if drawing.is_empty() {
        let text = "A letter stands for each ray, clockwise, and a number for each ring, from the inside. Towards the letter of a ray leads \
                    the line through the centre that ends there.";
        return [wrapped(text), vec![String::new()]].concat();
    }
    let kings = if game.kings { "; W and B are kings" } else { "" };
    let mut lines = vec![format!("First position, with men of white (w) and black (b){kings}:"), String::new()];
    let rows: std::collections::BTreeMap<usize, &str> = board
        .points
        .iter()
        .map(|point| (point.cell.0, point.name.trim_start_matches(|c: char| c.is_ascii_alphabetic())))
        .collect();
    let width = rows.values().map(|row| row.len()).max().unwrap_or_default();
    for (line, text) in drawing.iter().enumerate() {
        lines.push(format!("{:>width$} {text}", rows.get(&line).copied().unwrap_or_default()).trim_end().to_owned());
    }
    let mut columns: Vec<(usize, &str)> = board
        .points
        .iter()
        .map(|point| (point.cell.1, point.name.trim_end_matches(|c: char| c.is_ascii_digit())))
        .collect();
    columns.sort_unstable();
    let mut letters = " ".repeat(width + 1);
    for (column, name) in columns {
        let missing = (column + width + 1).saturating_sub(letters.len());
        if letters.len() <= column + width + 1 {
            letters.push_str(&" ".repeat(missing));
            letters.push_str(name);
        }
    }
    lines.extend([letters, String::new()]);
    lines
}

/// Directions in words.
fn directions(ways: Ways) -> String {
    if ways == Ways::ALL {
        return "in all directions".to_owned();
    }
    let sides = [(ways.forward, "forward"), (ways.sideways, "sideways"), (ways.backward, "backward")];
    let sides: Vec<&str> = sides.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect();
    if sides.is_empty() {
        return "nowhere".to_owned();
    }
    let lines = match (ways.straight, ways.diagonal) {
        (true, false) => " along straight lines",
        (false, true) => " along diagonals",
        _ => "",
    };
    let sides = if sides.len() == 3 { "in all directions".to_owned() } else { sides.join(" and ") };
    sides + lines
}

/// Sentences about who moves where.
fn moving(game: &Game<'_>, verb: &str, ways: &PerPiece<Ways>) -> Vec<String> {
    let ranks = game.rules().ranks(&game.description.board);
    let mut sentences = Vec::new();
    for &rank in ranks {
        let pieces = match rank {
            Rank::Man if ranks.len() == 1 => "pieces",
            Rank::Man => "men",
            Rank::King => "kings",
        };
        let [black, white] = Player::ALL.map(|player| ways.of(player, rank));
        if black == white {
            sentences.push(format!("{pieces} {verb} {}", directions(black)));
        } else {
            sentences.push(format!("black's {pieces} {verb} {}, white's {}", directions(black), directions(white)));
        }
    }
    sentences
}

/// A sentence with a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

fn rules(game: &Game<'_>) -> Vec<String> {
    let rules = game.rules();
    let mut sentences = vec![format!("{} begins", rules.first.name())];
    sentences.push(moving(game, "step to a neighbouring free point", &rules.steps).join("; "));
    sentences.push(
        moving(game, "jump over a neighbouring piece of the opponent, which is captured,", &rules.jumps).join("; "),
    );
    let flying = match rules.flying {
        Flying::None => None,
        Flying::Kings => Some("kings"),
        Flying::All => Some("pieces"),
    };
    sentences.extend(flying.map(|who| {
        format!("{who} move any distance along a line, jump over a piece at any distance, and land anywhere behind it")
    }));
    sentences.push(
        match rules.capture {
            Capture::Optional => "nobody has to capture",
            Capture::Forced => "who can capture has to",
            Capture::Longest => "who can capture has to, and as many pieces as possible",
        }
        .to_owned(),
    );
    sentences.push(
        match rules.chain {
            Chain::None => "a turn has one jump",
            Chain::Optional => "a piece that has jumped may go on jumping in the same turn",
            Chain::Forced => "a piece that has jumped goes on jumping as long as it can",
        }
        .to_owned(),
    );
    if rules.promotion == Promotion::FarRow {
        sentences.push("a man that ends a turn on the far row becomes a king".to_owned());
    }
    sentences.push(match rules.stuck {
        Stuck::Loses => "who cannot move loses".to_owned(),
        Stuck::Draw => "when a player cannot move, the game is a draw".to_owned(),
    });
    sentences.extend(rules.limit.map(|limit| {
        let what = match limit.counted {
            Counted::Turns => "turns",
            Counted::Quiet => "turns in a row without a capture",
        };
        let result = match limit.result {
            AtLimit::Draw => "the game is a draw",
            AtLimit::Majority => "the player with more pieces wins, and with equal numbers the game is a draw",
        };
        format!("after {} {what}, {result}", limit.turns)
    }));
    sentences.iter().map(|text| sentence(text)).collect()
}

fn moves(game: &Game<'_>) -> String {
    let rules = game.rules();
    let landing = if rules.flying == Flying::None { "" } else { ", each with the point where it ends" };
    let unit = match (rules.chain, rules.unit) {
        (Chain::None, _) => "",
        (_, Unit::Turn) => " All jumps of a turn are one move.",
        (Chain::Optional, Unit::Jump) => " Each jump is a move; `more` says that the same piece jumps again.",
        (Chain::Forced, Unit::Jump) => " Each jump is a move.",
    };
    format!(
        "Moves: the point where the piece stands, `step` or `jump`, and its directions{landing}.{unit} Scores: 100 for the winner, 0 for the loser, 50 each for a draw."
    )
}
