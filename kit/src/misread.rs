//! Moves as people write them in notations that are not read here.

use rg_ir::notation::{Places, is_short_for};
use rg_ir::scene::Scene;

/// Legal moves at most that are named beside one that is not read.
const NAMED: usize = 4;

/// What to say about a move in standard algebraic notation, and what to do about it; `None` for other texts, and on boards without such squares.
/// `short` are the legal moves in short. Linear in them.
pub fn algebraic_move(places: &Places, text: &str, short: &[String]) -> Option<(String, String)> {
    let target = algebraic(text.trim())?;
    let is_place = |text: &str| places.begin(text).is_some_and(|(_, rest)| rest.is_empty());
    let unread = "standard algebraic notation is not accepted here";
    if target.is_empty() {
        let message = format!("{unread}: castling is the move of the king, not `{text}`");
        let example = if let [only] = short { only } else { "e1g1" };
        return Some((message, format!("type where the king goes from and to, such as `{example}`")));
    }
    if !is_place(target) {
        return None;
    }
    let there = short.iter().filter(|legal| legal.ends_with(target)).take(NAMED).map(|legal| format!("`{legal}`"));
    let there: Vec<String> = there.collect();
    let which = if there.is_empty() { "such as `e2e4`".to_owned() } else { format!("here {}", there.join(" or ")) };
    let message = format!("{unread}: `{text}` does not say where the piece comes from");
    Some((message, format!("type from and to, {which}")))
}

/// Those of the legal moves that a text in standard algebraic notation can mean as far as it names a piece: those that begin where a piece with that
/// letter is. All of them if it names none, or the position has no such letter. For castling it is what the king of the player to move would have to
/// do, legal or not, where that is known. Linear in moves and places.
pub fn of_piece(scene: &Scene<'_>, text: &str, short: &[String]) -> Vec<String> {
    if algebraic(text.trim()) == Some("") {
        return castling(scene, text.trim(), short).map_or_else(|| short.to_vec(), |castling| vec![castling]);
    }
    let letter = text.trim().get(..1).filter(|letter| letter.starts_with(PIECES));
    let Some(letter) = letter.filter(|_| algebraic(text.trim()).is_some()) else { return short.to_vec() };
    let places = scene.boards.iter().flat_map(|setup| {
        // A small letter before it tells whose it is, as in `wN`, and small ones behind it may tell more, as in `wRu`.
        let is_sign = |short: &str| {
            short.eq_ignore_ascii_case(letter)
                || short.trim_start_matches(|c: char| c.is_ascii_lowercase()).starts_with(letter)
        };
        let is_lettered =
            move |kind: u32| setup.board.pieces.get(kind as usize).is_some_and(|piece| is_sign(&piece.short));
        let places = setup.board.places.iter().zip(&setup.at);
        places.filter(move |(_, kind)| kind.is_some_and(is_lettered)).map(|(place, _)| place.label.as_str())
    });
    let places: Vec<&str> = places.collect();
    if places.is_empty() {
        return short.to_vec();
    }
    short.iter().filter(|legal| places.iter().any(|place| is_short_for(place, legal))).cloned().collect()
}

/// Castling as a move of the king: two columns to the right, or to the left for long castling. The king is that of the side whose pieces have legal
/// moves. `None` if there is not exactly one such king, or no such place.
fn castling(scene: &Scene<'_>, text: &str, short: &[String]) -> Option<String> {
    let [setup] = scene.boards.as_slice() else { return None };
    let standing = || (0..).zip(&setup.board.places).filter_map(|(at, place)| Some((&place.label, setup.piece(at)?)));
    let moves = |label: &str| short.iter().any(|legal| is_short_for(label, legal));
    let side = |short: &str| short.chars().next().filter(char::is_ascii_lowercase);
    let mover = standing().find(|(label, _)| moves(label)).map(|(_, piece)| side(&piece.short))?;
    let is_king = |short: &str| short.trim_start_matches(|c: char| c.is_ascii_lowercase()).starts_with('K');
    let mut kings = standing().filter(|(_, piece)| is_king(&piece.short) && side(&piece.short) == mover);
    let (from, _) = kings.next().filter(|_| kings.next().is_none())?;
    let (column, row) = from.split_at_checked(1)?;
    let column = *column.as_bytes().first().filter(|letter| letter.is_ascii_lowercase())?;
    let is_long = text.matches(['O', '0', 'o']).count() > 2;
    let to = if is_long { column.checked_sub(2)? } else { column.checked_add(2)? };
    let to = format!("{}{row}", char::from(to));
    setup.board.places.iter().any(|place| place.label == to).then(|| format!("{from}{to}"))
}

/// The letters of pieces.
const PIECES: [char; 5] = ['K', 'Q', 'R', 'B', 'N'];

/// The square that a move of standard algebraic notation goes to: `f3` in `Nf3`, `Rad1`, `exd5+` or `e8=Q`; empty for castling. `None`
/// for other texts.
fn algebraic(text: &str) -> Option<&str> {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    if matches!(text, "O-O" | "O-O-O" | "0-0" | "0-0-0" | "o-o" | "o-o-o") {
        return Some("");
    }
    let body = text.split_once('=').map_or(text, |(body, _)| body);
    let start = body.len().checked_sub(2)?;
    let (before, target) = body.split_at_checked(start)?;
    let mut square = target.chars();
    let is_square = square.next()?.is_ascii_lowercase() && square.next()?.is_ascii_digit();
    let piece = before.starts_with(PIECES);
    let rest = before.strip_prefix(PIECES).unwrap_or(before);
    let is_rest = rest.len() <= 3 && rest.chars().all(|c| matches!(c, 'a'..='h' | '1'..='8' | 'x'));
    (is_square && is_rest && (piece || rest.ends_with('x') && rest.len() == 2)).then_some(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn algebraic_notation_is_recognised() {
        let targets = ["Nf3", "Rad1", "exd5+", "N1xc3", "O-O-O", "O-O+"].map(algebraic);
        assert_eq!(targets, [Some("f3"), Some("d1"), Some("d5"), Some("c3"), Some(""), Some("")]);
        assert_eq!(["e2e4", "f3", "quit", "Nim", "e2xe4", "", "é"].map(algebraic), [None; 7]);
    }
}
