//! What pieces look like, as their names tell.

use super::Piece;

/// A figure of chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Figure {
    /// ♟
    Pawn,
    /// ♞
    Knight,
    /// ♝
    Bishop,
    /// ♜
    Rook,
    /// ♛
    Queen,
    /// ♚
    King,
}

/// The colour of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// Of the side called white.
    White,
    /// Of the side called black.
    Black,
    /// As its name says.
    Red,
    /// As its name says.
    Blue,
    /// As its name says.
    Green,
    /// As its name says.
    Yellow,
}

/// What a piece is drawn as.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Nothing.
    Empty,
    /// A figure of chess.
    Chess(Figure, Colour),
    /// A disc, with a text on it if there are several kinds in this colour.
    Disc(Colour, String),
    /// Two crossed lines.
    Cross,
    /// A ring.
    Ring,
    /// A small dot: something that is no figure among those of chess, such as where a pawn can be taken in passing.
    Marker,
    /// Its short name.
    Text,
}

impl Figure {
    /// The figure of that name: a whole word, or its letter where `letters` are allowed.
    fn of(name: &str, letters: bool) -> Option<Self> {
        let letter = |name: &str| {
            Some(match name {
                "p" => Figure::Pawn,
                "n" | "kn" => Figure::Knight,
                "b" => Figure::Bishop,
                "r" => Figure::Rook,
                "q" => Figure::Queen,
                "k" | "ki" => Figure::King,
                _ => return None,
            })
        };
        Some(match name {
            "pawn" => Figure::Pawn,
            "knight" => Figure::Knight,
            "bishop" => Figure::Bishop,
            "rook" => Figure::Rook,
            "queen" => Figure::Queen,
            "king" => Figure::King,
            _ if !letters => return None,
            // A letter, or with another one for a variant: `ru` for a rook that has not moved.
            _ if name.len() == 2 && letter(name).is_none() => return letter(name.get(..1)?),
            _ => return letter(name),
        })
    }

    /// The character for it in the colour; other colours than white are filled.
    pub fn character(self, colour: Colour) -> char {
        let [white, black] = match self {
            Figure::Pawn => ['♙', '♟'],
            Figure::Knight => ['♘', '♞'],
            Figure::Bishop => ['♗', '♝'],
            Figure::Rook => ['♖', '♜'],
            Figure::Queen => ['♕', '♛'],
            Figure::King => ['♔', '♚'],
        };
        if colour == Colour::White { white } else { black }
    }
}

impl Colour {
    const NAMES: [(&'static str, Colour); 12] = [
        ("white", Colour::White),
        ("black", Colour::Black),
        ("red", Colour::Red),
        ("blue", Colour::Blue),
        ("green", Colour::Green),
        ("yellow", Colour::Yellow),
        ("w", Colour::White),
        ("b", Colour::Black),
        ("r", Colour::Red),
        ("l", Colour::Blue),
        ("g", Colour::Green),
        ("y", Colour::Yellow),
    ];

    /// The colour of a piece whose name, or that of the player it belongs to, is a word for one.
    pub(super) fn named(piece: &Piece) -> Option<Self> {
        let word = |name: &str| {
            let name = name.to_lowercase();
            Self::NAMES.iter().find(|(word, _)| word.len() > 1 && *word == name).map(|(_, colour)| *colour)
        };
        piece.player.as_deref().and_then(word).or_else(|| word(&piece.name))
    }

    /// The colour that a name begins with, and the rest of the name in small letters: `wKnight`, `white_knight`, `wn`, `white`.
    fn split(name: &str) -> Option<(Self, String)> {
        let lower = name.to_lowercase();
        let fits = |(word, colour): &(&str, Colour)| {
            let rest = lower.strip_prefix(word)?;
            let original = name.get(word.len()..)?;
            let begins = rest.is_empty() || original.starts_with(|c: char| c.is_uppercase() || c == '_');
            let letters = word.len() == 1 && rest.len() == 1;
            (begins || letters || word.len() > 1).then(|| (*colour, rest.trim_matches('_').to_owned()))
        };
        Self::NAMES.iter().find_map(fits)
    }
}

/// The shapes of all kinds of pieces of a board, in their order. Figures of chess are those with its names, or with its letters if there is a
/// king and at least two others with such letters; pieces of one letter, as in SBG, are white if it is a capital.
pub fn shapes(pieces: &[Piece]) -> Vec<Shape> {
    let full = |piece: &Piece| !piece.is_empty;
    let single = pieces.iter().filter(|piece| full(piece)).all(|piece| piece.name.chars().count() == 1);
    let both = |test: fn(char) -> bool| pieces.iter().any(|piece| full(piece) && piece.name.chars().all(test));
    let by_case = single && both(char::is_uppercase) && both(char::is_lowercase);
    let parts: Vec<Option<(Colour, String)>> = pieces
        .iter()
        .map(|piece| {
            if by_case {
                let colour = if piece.name.chars().all(char::is_uppercase) { Colour::White } else { Colour::Black };
                Some((colour, piece.name.to_lowercase()))
            } else {
                Colour::named(piece).map(|colour| (colour, String::new())).or_else(|| Colour::split(&piece.name))
            }
        })
        .collect();
    let rests: Vec<&str> = parts.iter().flatten().map(|(_, rest)| rest.as_str()).collect();
    let kinds = |rest: &&&str| Figure::of(rest, true).is_some();
    let distinct: std::collections::BTreeSet<&&str> = rests.iter().filter(kinds).collect();
    let has_king = ["k", "ki", "king"].iter().any(|king| distinct.contains(king));
    let has_man = ["m", "man"].iter().any(|man| rests.contains(man));
    let is_chess = has_king && distinct.len() > 2 && !has_man;
    let shape = |(piece, part): (&Piece, &Option<(Colour, String)>)| {
        if piece.is_empty {
            return Shape::Empty;
        }
        match (piece.name.as_str(), part) {
            ("x" | "X", _) => Shape::Cross,
            ("o" | "O", _) => Shape::Ring,
            (_, Some((colour, rest))) => match Figure::of(rest, is_chess).filter(|_| !has_man) {
                Some(figure) => Shape::Chess(figure, *colour),
                None if by_case && !is_chess => Shape::Disc(*colour, piece.short.clone()),
                None => {
                    Shape::Disc(*colour, rest.chars().next().map_or(String::new(), |c| c.to_uppercase().to_string()))
                }
            },
            (_, None) if is_chess && !by_case => Shape::Marker,
            _ => Shape::Text,
        }
    };
    pieces.iter().zip(&parts).map(shape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &[&str]) -> Vec<Shape> {
        let piece = |name: &&str| Piece {
            name: (*name).to_owned(),
            short: (*name).to_owned(),
            is_empty: *name == "e",
            player: None,
        };
        shapes(&names.iter().map(piece).collect::<Vec<_>>())
    }

    #[test]
    fn chess() {
        use Colour::{Black, White};
        use Shape::Chess;
        let king = Chess(Figure::King, White);
        assert_eq!(of(&["e", "wKing", "bKnight"]), [Shape::Empty, king.clone(), Chess(Figure::Knight, Black)]);
        assert_eq!(of(&["wKing", "wRook", "bPawn", "passing"]).last(), Some(&Shape::Marker), "no figure");
        assert_eq!(of(&["wk", "bn", "wp"]), [king.clone(), Chess(Figure::Knight, Black), Chess(Figure::Pawn, White)]);
        assert_eq!(of(&["K", "n", "P"]), [king, Chess(Figure::Knight, Black), Chess(Figure::Pawn, White)]);
    }

    #[test]
    fn others() {
        let disc = |colour, text: &str| Shape::Disc(colour, text.to_owned());
        assert_eq!(of(&["white", "black", "e"]), [disc(Colour::White, ""), disc(Colour::Black, ""), Shape::Empty]);
        assert_eq!(of(&["whiteMan", "whiteKing"]), [disc(Colour::White, "M"), disc(Colour::White, "K")]);
        assert_eq!(of(&["x", "o"]), [Shape::Cross, Shape::Ring]);
        assert_eq!(of(&["4", "seed"]), [Shape::Text, Shape::Text]);
        assert_eq!(of(&["water"]), [Shape::Text], "no colour is meant");
        let blue = Piece { name: "b".into(), short: "b".into(), is_empty: false, player: Some("blue".into()) };
        assert_eq!(shapes(&[blue]), [disc(Colour::Blue, "")], "not black");
    }
}
