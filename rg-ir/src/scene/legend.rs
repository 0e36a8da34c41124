//! What the signs of a drawing stand for.

use super::graph::aside;
use super::shapes::{Shape, shapes};
use super::text::glyphs;
use super::{Board, Fact, Look, Scene};
use rustc_hash::FxHashSet;

/// The meaning of each sign on the boards that does not say it: the name of the piece where the sign is shorter, or, if the name itself is
/// but the beginning of it, the player whose name begins so. Pieces that are called as a player are named even if none is there. Of a small letter
/// and a capital that are one player's, the capital is another kind of piece. Characters of chess
/// pieces and discs, numbers, blanks, empty places, and what is written out need none; a mark beside figures of chess is said to be one. The facts are of the group `pieces`.
/// Linear in the places.
pub fn legend(scene: &Scene<'_>, look: Look<'_>) -> Vec<Fact> {
    let mut facts: Vec<Fact> = Vec::new();
    for setup in &scene.boards {
        let kinds = setup.board.pieces.iter().zip(shapes(&setup.board.pieces));
        let mut is_drawn = vec![false; setup.board.pieces.len()];
        let aside: FxHashSet<usize> = aside(setup.board).into_iter().collect();
        for (_, kind) in setup.at.iter().enumerate().filter(|(place, _)| !aside.contains(place)) {
            kind.and_then(|kind| is_drawn.get_mut(kind as usize)).into_iter().for_each(|drawn| *drawn = true);
        }
        for (sign, (index, (piece, shape))) in glyphs(setup.board, look).into_iter().zip(kinds.enumerate()) {
            let speaks =
                piece.is_empty || sign.trim().is_empty() || !sign.is_ascii() || piece.name.parse::<i64>().is_ok();
            if piece.is_empty && is_drawn.get(index) == Some(&true) && !is_plainly_empty(&sign) {
                facts.push(Fact::of("pieces", sign.as_str(), "empty"));
                continue;
            }
            let is_short = sign != piece.name;
            let player = piece.player.as_deref().filter(|player| is_short == (*player == piece.name));
            let is_second = is_second(setup.board, index);
            // Players are named from the beginning.
            if speaks || (player.is_none() || is_second) && is_drawn.get(index) != Some(&true) {
                continue;
            }
            let meaning = match (is_short, shape) {
                (_, Shape::Marker) => Some(format!("{} (a mark, not a piece)", piece.name)),
                (true, _) => Some(piece.name.clone()),
                (false, _) if is_second => player.map(|player| format!("{player} (another kind of piece)")),
                (false, _) => player.map(str::to_owned),
            };
            let fact = meaning.map(|meaning| Fact::of("pieces", sign.as_str(), meaning));
            facts.extend(fact.filter(|fact| !facts.contains(fact)));
        }
    }
    facts
}

/// Whether a sign looks like an empty place by itself.
fn is_plainly_empty(sign: &str) -> bool {
    sign.trim().is_empty() || !sign.is_ascii() || sign == "."
}

/// Whether a piece is called by the capital of the letter of another one of the same player.
fn is_second(board: &Board, index: usize) -> bool {
    let Some(piece) = board.pieces.get(index).filter(|piece| piece.player.is_some()) else { return false };
    let small = piece.name.to_lowercase();
    piece.name != small && board.pieces.iter().any(|other| other.player == piece.player && other.name == small)
}

#[cfg(test)]
mod tests {
    use super::super::{Piece, Setup, namesakes};
    use super::*;

    #[test]
    fn signs_are_explained() {
        let piece = |name: &str, short: &str| Piece {
            name: name.into(),
            short: short.into(),
            is_empty: name == "empty",
            player: namesakes(&[name], &["red", "blue"]).into_iter().flatten().next(),
        };
        let pieces = ["empty .", "r r", "enPassant eP", "wPawn wP", "o o", "12 12", "b b"];
        let pieces = pieces.iter().filter_map(|text| text.split_once(' ')).map(|(name, short)| piece(name, short));
        let squares: Vec<(String, i64, i64)> = (0..6).map(|x| (format!("c{x}"), x, 0)).collect();
        let board = Board::rectangle("", &squares, pieces.collect()).unwrap();
        let at = [0, 1, 2, 1, 4, 5].map(Some).to_vec();
        let scene = Scene { boards: vec![Setup { board: &board, at, cursor: None }], ..Scene::default() };
        let facts = legend(&scene, Look::default());
        let texts: Vec<String> = facts.iter().map(|fact| format!("{} = {}", fact.name, fact.value)).collect();
        assert_eq!(
            texts,
            ["r = red", "eP = enPassant", "b = blue"],
            "players, and what is on the board and does not explain itself"
        );
    }

    /// A small letter and a capital are two kinds of pieces of a player.
    #[test]
    fn letters_of_both_cases_are_explained() {
        let names = ["B", "W", "b", "e", "light", "w"];
        let players = namesakes(&names, &["black", "white"]);
        let piece = |(name, player): (&&str, Option<String>)| Piece {
            name: (*name).into(),
            short: (*name).into(),
            is_empty: *name == "e",
            player,
        };
        let squares: Vec<(String, i64, i64)> = (0..2).map(|x| (format!("c{x}"), x, 0)).collect();
        let board = Board::rectangle("", &squares, names.iter().zip(players).map(piece).collect()).unwrap();
        let texts = |at: [u32; 2]| -> Vec<String> {
            let at = at.map(Some).to_vec();
            let scene = Scene { boards: vec![Setup { board: &board, at, cursor: None }], ..Scene::default() };
            let facts = legend(&scene, Look::default());
            facts.iter().map(|fact| format!("{} = {}", fact.name, fact.value)).collect()
        };
        assert_eq!(texts([2, 5]), ["b = black", "w = white"]);
        assert_eq!(texts([2, 0]), ["B = black (another kind of piece)", "b = black", "w = white"]);
    }
}
