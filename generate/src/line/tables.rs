//! Domains, functions and variables of a game in HRG.

use super::board::{Board, Piece, Player, Point, Rank};
use super::rules::{Flying, PerPiece, Promotion, Ways};
use super::write::Game;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Lines of lists are broken behind this many characters.
const WIDTH: usize = 100;

/// Writes all that stands before the graphs.
pub(super) fn write(game: &mut Game<'_>) {
    domains(game);
    pieces(game);
    counters(game);
    directions(game);
    neighbours(game);
    promotion(game);
    variables(game);
}

/// What a piece is called.
fn name(game: &Game<'_>, Piece { player, rank }: Piece) -> String {
    if game.kings { format!("{}{}", player.name(), rank.name()) } else { player.name().to_owned() }
}

/// A domain, broken into lines.
fn domain(name: &str, elements: impl IntoIterator<Item = String>) -> String {
    let mut text = format!("domain {name} =");
    let mut width = text.len();
    for (index, element) in elements.into_iter().enumerate() {
        if index > 0 && width + element.len() > WIDTH {
            text.push_str("\n|");
            width = 3;
        } else if index > 0 {
            text.push_str(" |");
        }
        text.push(' ');
        text.push_str(&element);
        width += element.len() + 3;
    }
    text
}

/// The largest number of pieces that one player has.
fn most(board: &Board) -> usize {
    Player::ALL.map(|player| board.pieces(player)).into_iter().max().unwrap_or_default()
}

fn has_counts(game: &Game<'_>) -> bool {
    game.limit_by_majority() || game.is_longest()
}

fn has_bool(game: &Game<'_>) -> bool {
    let flying_kings = game.rules().flying == Flying::Kings;
    game.limit_by_majority() || game.restricts_steps || game.restricts_jumps || flying_kings
}

fn domains(game: &mut Game<'_>) {
    let Game { description, kings, .. } = *game;
    let board = &description.board;
    game.add("domain Player = black | white\ndomain Score = 50 | 0 | 100");
    if has_bool(game) {
        game.add("domain Bool = 0 | 1");
    }
    if kings {
        game.add(
            "domain Piece = blackMan | blackKing | whiteMan | whiteKing\ndomain Content = empty | outside | Piece",
        );
        game.add("domain Owner = nobody | Player");
    } else {
        game.add("domain Content = empty | outside | Player");
    }
    game.add(&domain("Direction", board.directions.iter().map(|direction| direction.name.clone())));
    let comment = if board.circular { "by ray and ring" } else { "by column and row, from the lower left" };
    game.add(&format!("\n// Points {comment}, and what is beside the board."));
    game.add(&points(board));
    game.add("domain Place = Point | off");
    if let Some(limit) = game.rules().limit {
        game.add(&format!("\ndomain Turns = T(I) where I in 0..{}", limit.turns));
    }
    if has_counts(game) {
        game.add(&format!("domain Number = N(I) where I in 0..{}", most(board)));
    }
}

/// The points, row by row.
fn points(board: &Board) -> String {
    let mut rows: Vec<String> = Vec::new();
    if board.points.iter().any(|point| point.term.is_none()) {
        rows.push("centre".to_owned());
    }
    rows.extend(
        by_rows(board.points.iter()).into_iter().map(|(columns, row)| format!("P(X, {row}) where X in {columns}")),
    );
    format!("domain Point = {}", rows.join("\n| "))
}

/// Points by rows: the set or range of their columns, and the row. Points without a term are left out.
fn by_rows<'p>(points: impl Iterator<Item = &'p Point>) -> Vec<(String, usize)> {
    let mut rows: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (column, row) in points.filter_map(|point| point.term) {
        rows.entry(row).or_default().insert(column);
    }
    let columns = |columns: BTreeSet<usize>| {
        let (first, last) = (columns.first().copied().unwrap_or_default(), columns.last().copied().unwrap_or_default());
        if columns.len() > 1 && last - first + 1 == columns.len() {
            return format!("{first}..{last}");
        }
        let names: Vec<String> = columns.iter().map(usize::to_string).collect();
        format!("{{ {} }}", names.join(", "))
    };
    rows.into_iter().map(|(row, found)| (columns(found), row)).collect()
}

fn pieces(game: &mut Game<'_>) {
    game.add("\nopponent: Player -> Player\nopponent(black) = white\nopponent(white) = black");
    if !game.kings {
        return;
    }
    game.add("\nowner: Content -> Owner");
    for player in Player::ALL {
        for rank in Rank::ALL {
            game.add(&format!("owner({}) = {}", name(game, Piece { player, rank }), player.name()));
        }
    }
    game.add("owner(_) = nobody");
    if game.rules().flying == Flying::Kings {
        game.add("\nisKing: Content -> Bool\nisKing(blackKing) = 1\nisKing(whiteKing) = 1\nisKing(_) = 0");
    }
}

fn counters(game: &mut Game<'_>) {
    if let Some(limit) = game.rules().limit {
        let turns = limit.turns;
        game.add(&format!("\nlater: Turns -> Turns\nlater(T(I)) = if I < {turns} then T(I + 1) else T({turns})"));
    }
    if has_counts(game) {
        game.add("\nfewer: Number -> Number\nfewer(N(I)) = if I > 0 then N(I - 1) else N(0)");
    }
    if game.is_longest() {
        let most = most(&game.description.board);
        game.add(&format!("\nanother: Number -> Number\nanother(N(I)) = if I < {most} then N(I + 1) else N({most})"));
    }
    if game.limit_by_majority() {
        game.add("\nmore: Number -> Number -> Bool\nmore(N(I), N(J)) = if I > J then 1 else 0");
    }
}

/// Which pieces move in which directions.
fn directions(game: &mut Game<'_>) {
    let rules = game.rules();
    let (steps, jumps) = (rules.steps, rules.jumps);
    if game.restricts_steps {
        game.add("\n// Where pieces step.");
        allowed(game, "mayStep", &steps);
    }
    if game.restricts_jumps {
        game.add("\n// Where pieces jump.");
        allowed(game, "mayJump", &jumps);
    }
}

fn allowed(game: &mut Game<'_>, function: &str, ways: &PerPiece<Ways>) {
    let board = &game.description.board;
    let ranks = game.rules().ranks(board);
    let mut text = format!("{function}: {} -> Direction -> Bool\n", if game.kings { "Content" } else { "Player" });
    for player in Player::ALL {
        for &rank in ranks {
            let piece = name(game, Piece { player, rank });
            let here: Vec<&str> = board
                .directions
                .iter()
                .filter(|direction| ways.of(player, rank).contain(player, direction))
                .map(|direction| direction.name.as_str())
                .collect();
            if here.len() == board.directions.len() {
                let _ = writeln!(text, "{function}({piece}, _) = 1");
            } else {
                for direction in here {
                    let _ = writeln!(text, "{function}({piece}, {direction}) = 1");
                }
            }
        }
    }
    let _ = write!(text, "{function}(_, _) = 0");
    game.add(&text);
}

/// The lines of the board.
fn neighbours(game: &mut Game<'_>) {
    let board = &game.description.board;
    let mut text =
        "\n// The lines of the board: the next point in each direction.\nnext: Direction -> Place -> Place\n"
            .to_owned();
    for direction in &board.directions {
        for (from, to) in board.points.iter().zip(&direction.next) {
            if let Some(to) = to.and_then(|to| board.points.get(to)) {
                let _ = writeln!(text, "next({}, {}) = {}", direction.name, from.hrg(), to.hrg());
            }
        }
    }
    text.push_str("next(_, _) = off\n");
    game.add(&text);
}

fn promotion(game: &mut Game<'_>) {
    if game.rules().promotion == Promotion::None {
        return;
    }
    let mut text = "// Men on the far row become kings.\npromoted: Content -> Place -> Content\n".to_owned();
    for player in Player::ALL {
        for point in game.description.board.far_row(player) {
            let [man, king] = Rank::ALL.map(|rank| name(game, Piece { player, rank }));
            let _ = writeln!(text, "promoted({man}, {}) = {king}", point.hrg());
        }
    }
    text.push_str("promoted(P, _) = P\n");
    game.add(&text);
}

fn variables(game: &mut Game<'_>) {
    let board = &game.description.board;
    let mut text = "board: Place -> Content = {\n:empty;\noff = outside".to_owned();
    for player in Player::ALL {
        for rank in Rank::ALL {
            let piece = Piece { player, rank };
            let on = board.points.iter().filter(|point| point.piece == Some(piece));
            let piece = name(game, piece);
            if on.clone().any(|point| point.term.is_none()) {
                let _ = write!(text, ";\ncentre = {piece}");
            }
            for (columns, row) in by_rows(on) {
                let _ = match columns.trim_matches(['{', '}', ' ']) {
                    only if only.bytes().all(|byte| byte.is_ascii_digit()) => {
                        write!(text, ";\nP({only}, {row}) = {piece}")
                    }
                    _ => write!(text, ";\nP(X, {row}) = {piece} where X in {columns}"),
                };
            }
        }
    }
    text.push_str("\n}\n");
    let _ = writeln!(text, "me: Player = {}", game.rules().first.name());
    text.push_str("point: Place\nover: Place\n");
    if game.kings {
        text.push_str("piece: Content\n");
    }
    if game.rules().limit.is_some() {
        text.push_str("turns: Turns\n");
    }
    if game.limit_by_majority() {
        let [black, white] = Player::ALL.map(|player| board.pieces(player));
        let _ = writeln!(text, "pieces: Player -> Number = {{ black = N({black}); white = N({white}) }}");
    }
    if game.is_longest() {
        text.push_str("most: Number\nleft: Number\n");
    }
    game.add(&text);
}
