//! What the signs of a drawing stand for.

use super::text::glyphs;
use super::{Fact, Look, Scene};

/// The meaning of each sign on the boards that does not say it: the name of the piece where the sign is shorter, or, if the name itself is
/// but the beginning of it, the player whose name begins so. Pieces that are called as a player are named even if none is there. Characters of chess pieces and discs, numbers, and empty places need none.
/// The facts are of the group `pieces`. Linear in the places.
pub fn legend(scene: &Scene<'_>, look: Look<'_>, players: &[&str]) -> Vec<Fact> {
    let mut facts: Vec<Fact> = Vec::new();
    for setup in &scene.boards {
        for (sign, (index, piece)) in glyphs(setup.board, look).into_iter().zip((0..).zip(&setup.board.pieces)) {
            let speaks = piece.is_empty || !sign.is_ascii() || piece.name.parse::<i64>().is_ok();
            let player = match sign == piece.name {
                true => begun(&sign, players),
                false => players.iter().copied().find(|player| *player == piece.name),
            };
            // Players are named from the beginning.
            if speaks || player.is_none() && !setup.at.contains(&Some(index)) {
                continue;
            }
            let meaning = if sign == piece.name { player } else { Some(piece.name.as_str()) };
            let fact = meaning.map(|meaning| Fact::of("pieces", sign.as_str(), meaning));
            facts.extend(fact.filter(|fact| !facts.contains(fact)));
        }
    }
    facts
}

/// The only name that is longer than this beginning of it.
fn begun<'n>(beginning: &str, names: &[&'n str]) -> Option<&'n str> {
    let small = beginning.to_lowercase();
    let mut fitting =
        names.iter().filter(|name| name.len() > beginning.len() && name.to_lowercase().starts_with(&small));
    fitting.next().copied().filter(|_| fitting.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::super::{Board, Piece, Setup};
    use super::*;

    #[test]
    fn signs_are_explained() {
        let piece =
            |name: &str, short: &str| Piece { name: name.into(), short: short.into(), is_empty: name == "empty" };
        let pieces = ["empty .", "r r", "enPassant eP", "wPawn wP", "o o", "12 12", "b b"];
        let pieces = pieces.iter().filter_map(|text| text.split_once(' ')).map(|(name, short)| piece(name, short));
        let squares: Vec<(String, i64, i64)> = (0..6).map(|x| (format!("c{x}"), x, 0)).collect();
        let board = Board::rectangle("", &squares, pieces.collect()).unwrap();
        let at = [0, 1, 2, 1, 4, 5].map(Some).to_vec();
        let scene = Scene { boards: vec![Setup { board: &board, at, cursor: None }], ..Scene::default() };
        let players = ["red", "blue"];
        let facts = legend(&scene, Look::default(), &players);
        let texts: Vec<String> = facts.iter().map(|fact| format!("{} = {}", fact.name, fact.value)).collect();
        assert_eq!(
            texts,
            ["r = red", "eP = enPassant", "b = blue"],
            "players, and what is on the board and does not explain itself"
        );
        assert_eq!(begun("r", &["red", "rose"]), None);
    }
}
