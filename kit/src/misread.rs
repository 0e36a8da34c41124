//! Moves as people write them in notations that are not read here.

use rg_ir::notation::{Places, is_short_for};
use rg_ir::scene::Scene;

/// Legal moves at most that are named beside one that is not read.
const NAMED: usize = 4;

/// Whether a letter is a sign that moves may have in other notations, but neither have here nor have between their parts.
pub fn is_sign(letter: char) -> bool {
    !(letter.is_alphanumeric() || letter.is_whitespace() || matches!(letter, '-' | '_'))
}

/// What to say about a move in standard algebraic notation, and what to do about it; `None` for other texts, and on boards without such squares.
/// `short` are the legal moves in short, of the piece that is named. Linear in them.
pub fn algebraic_move(places: &Places, text: &str, short: &[String]) -> Option<(String, String)> {
    let unread = "standard algebraic notation is not accepted here";
    let written = match algebraic(text.trim())? {
        Algebraic::Castling => {
            let message = format!("{unread}: castling is the move of the king, not `{text}`");
            let example = if let [only] = short { only } else { "e1g1" };
            return Some((message, format!("type where the king goes from and to, such as `{example}`")));
        }
        Algebraic::Move(written) => written,
    };
    if places.begin(written.target).is_none_or(|(_, rest)| !rest.is_empty()) {
        return None;
    }
    let there = short.iter().filter(|legal| written.may_be(places, legal)).take(NAMED);
    let there: Vec<String> = there.map(|legal| format!("`{legal}`")).collect();
    let example = short.first().map_or("e2e4", String::as_str);
    let which = if there.is_empty() { format!("such as `{example}`") } else { format!("here {}", there.join(" or ")) };
    let message = format!("{unread}: `{text}` does not say where the piece comes from");
    Some((message, format!("type from and to, {which}")))
}

/// Those of the legal moves that a text in standard algebraic notation can mean as far as it names a piece: those that begin where a piece with that
/// letter is, or pawns if it names none. All of them if the position has no such letter. For castling it is what the king of the player to move would have to
/// do, legal or not, where that is known. Linear in moves and places.
pub fn of_piece(scene: &Scene<'_>, text: &str, short: &[String]) -> Vec<String> {
    let letter = match algebraic(text.trim()) {
        Some(Algebraic::Castling) => {
            return castling(scene, text.trim(), short).map_or_else(|| short.to_vec(), |castling| vec![castling]);
        }
        Some(Algebraic::Move(written)) => written.piece,
        None => return short.to_vec(),
    };
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

/// A text in standard algebraic notation.
#[derive(PartialEq, Eq, Debug)]
enum Algebraic<'t> {
    Castling,
    Move(Written<'t>),
}

/// What a move in standard algebraic notation says.
#[derive(PartialEq, Eq, Debug)]
struct Written<'t> {
    /// The letter of the piece: `P` for pawns, which have none.
    piece: &'t str,
    /// The column or the row, or both, that the piece comes from.
    from: &'t str,
    /// The square where it goes to.
    target: &'t str,
    /// The letter of the piece that a pawn becomes; empty if it becomes none.
    promotion: &'t str,
}

impl Written<'_> {
    /// Whether a legal move in short goes from and to such squares, and what is behind them is the promotion.
    fn may_be(&self, places: &Places, legal: &str) -> bool {
        let Some((first, mut rest)) = places.begin(legal) else { return false };
        let mut last = first;
        while let Some((label, behind)) = places.begin(rest) {
            (last, rest) = (label, behind);
        }
        let from = self.from.chars().all(|letter| first.contains(letter));
        let becomes = rest.to_lowercase();
        from && last == self.target && (self.promotion.is_empty() || becomes.ends_with(&self.promotion.to_lowercase()))
    }
}

/// What a text in standard algebraic notation says, such as `Nf3`, `Rad1`, `exd5+`, `bxa8=Q` or `e8=Q`. `None` for other texts.
fn algebraic(text: &str) -> Option<Algebraic<'_>> {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    if matches!(text, "O-O" | "O-O-O" | "0-0" | "0-0-0" | "o-o" | "o-o-o") {
        return Some(Algebraic::Castling);
    }
    let (body, promotion) = text.split_once('=').unwrap_or((text, ""));
    let start = body.len().checked_sub(2)?;
    let (before, target) = body.split_at_checked(start)?;
    let mut square = target.chars();
    let is_square = square.next()?.is_ascii_lowercase() && square.next()?.is_ascii_digit();
    let piece = before.get(..1).filter(|letter| letter.starts_with(PIECES));
    let rest = before.strip_prefix(PIECES).unwrap_or(before);
    let is_rest = rest.len() <= 3 && rest.chars().all(|c| matches!(c, 'a'..='h' | '1'..='8' | 'x'));
    let is_pawn = rest.ends_with('x') && rest.len() == 2 || rest.is_empty() && promotion.starts_with(PIECES);
    let written = Written { piece: piece.unwrap_or("P"), from: rest.trim_end_matches('x'), target, promotion };
    (is_square && is_rest && (piece.is_some() || is_pawn)).then_some(Algebraic::Move(written))
}

/// The names in a text: letters, digits and `_` without anything between them.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn algebraic_notation_is_recognised() {
        let said = ["Nf3", "Rad1", "exd5+", "N1xc3", "bxa8=Q", "e8=N#"].map(|text| match algebraic(text) {
            Some(Algebraic::Move(Written { piece, from, target, promotion })) => {
                [piece, from, target, promotion].join(" ")
            }
            other => format!("{other:?}"),
        });
        assert_eq!(said, ["N  f3 ", "R a d1 ", "P e d5 ", "N 1 c3 ", "P b a8 Q", "P  e8 N"]);
        assert_eq!(["O-O-O", "O-O+"].map(algebraic), [Some(Algebraic::Castling), Some(Algebraic::Castling)]);
        for text in ["e2e4", "f3", "quit", "Nim", "e2xe4", "", "é", "e4=5"] {
            assert_eq!(algebraic(text), None, "{text}");
        }
    }

    #[test]
    fn algebraic_notation_names_the_moves_that_it_may_be() {
        let names: Vec<String> = "abcdefgh".chars().flat_map(|c| (1..=8).map(move |row| format!("{c}{row}"))).collect();
        let places = Places::new(names.iter().map(|name| (name.as_str(), name.as_str())));
        let short = ["a1a8", "b7a8=N", "b7a8=Q", "b7b8=Q", "d4e5"].map(str::to_owned);
        let advice = |text: &str| algebraic_move(&places, text, &short).unwrap().1;
        assert_eq!(advice("bxa8=Q"), "type from and to, here `b7a8=Q`");
        assert_eq!(advice("b8=Q"), "type from and to, here `b7b8=Q`");
        assert_eq!(advice("bxa8"), "type from and to, here `b7a8=N` or `b7a8=Q`");
        assert_eq!(advice("cxd5"), "type from and to, such as `a1a8`");
    }
}
