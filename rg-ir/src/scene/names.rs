//! Short names of pieces.

use super::{Piece, vacant};
use rustc_hash::FxHashMap;

/// Short names: `.` for an empty place; numbers as they are; otherwise the initials of the words in the name, and as much of the last
/// word as it takes to tell the pieces apart (`wP`, `wKi`, `wKn`). Names that are terms of one function keep only the arguments
/// (`4` for `N(4)`). Different names have different short names. `counts` has for each name the number of places
/// that hold it in the first position. The second result is the index of the name for empty places.
pub fn short_names(names: &[&str], counts: &[usize], players: &[&str]) -> (Vec<String>, Option<usize>) {
    let plain = arguments(names);
    let is_number = |name: &str| name.parse::<i64>().is_ok();
    let empty =
        vacant::empty(names, counts, players).filter(|&index| plain.get(index).is_none_or(|name| !is_number(name)));
    let words: Vec<(String, Vec<char>)> = plain.iter().map(|name| initials(name)).collect();
    let longest = words.iter().map(|(_, last)| last.len()).max().unwrap_or(0);
    let mut chosen: Vec<Option<String>> =
        plain.iter().map(|name| is_number(name).then(|| (*name).to_owned())).collect();
    for length in 1..=longest.min(32) {
        let candidates: Vec<String> = words
            .iter()
            .map(|(start, last)| start.chars().chain(last.iter().copied().take(length)).collect())
            .collect();
        let mut uses: FxHashMap<&str, usize> = FxHashMap::default();
        for (_, text) in (0..).zip(&candidates).filter(|&(index, _)| Some(index) != empty) {
            *uses.entry(text).or_default() += 1;
        }
        for (slot, text) in chosen.iter_mut().zip(&candidates) {
            if slot.is_none() && uses.get(text.as_str()) == Some(&1) {
                *slot = Some(text.clone());
            }
        }
    }
    let mut uses: FxHashMap<String, usize> = FxHashMap::default();
    for (_, text) in (0..).zip(chosen.iter()).filter(|&(index, _)| Some(index) != empty) {
        *uses.entry(text.clone().unwrap_or_default()).or_default() += 1;
    }
    let name = |(index, short): (usize, Option<String>)| {
        let full = || plain.get(index).map_or(String::new(), |name| (*name).to_owned());
        let short = short.filter(|text| uses.get(text) == Some(&1) && text != ".");
        if Some(index) == empty { ".".to_owned() } else { short.unwrap_or_else(full) }
    };
    (chosen.into_iter().enumerate().map(name).collect(), empty)
}

/// The kinds of pieces of a board with these values. Of 0 and 1, 0 is an empty place.
pub(super) fn pieces(names: &[String], counts: &[usize], players: &[&str]) -> Vec<Piece> {
    let plain: Vec<&str> = names.iter().map(String::as_str).collect();
    let (short, mut empty) = short_names(&plain, counts, players);
    let mut sorted = plain.clone();
    sorted.sort_unstable();
    let is_bool = sorted == ["0", "1"];
    if is_bool {
        empty = plain.iter().position(|&name| name == "0");
    }
    let piece = |(index, ((name, short), player)): (usize, ((&String, String), Option<String>))| Piece {
        name: name.clone(),
        short: if Some(index) == empty { ".".to_owned() } else { short },
        is_empty: Some(index) == empty,
        player,
    };
    names.iter().zip(short).zip(namesakes(&plain, players)).enumerate().map(piece).collect()
}

/// For each piece the player whose name it has, or else is the beginning of, as `b` of `blue`: of one only, and with no other piece that differs in
/// case, unless every letter that stands for two pieces, a small one and a capital, is the beginning of a player, and of several together.
pub fn namesakes(pieces: &[&str], players: &[&str]) -> Vec<Option<String>> {
    let is_paired = are_paired(pieces, players);
    let of = |piece: &&str| {
        let small = piece.to_lowercase();
        if let Some(same) = players.iter().find(|player| *player == piece) {
            return Some((*same).to_owned());
        }
        let mut longer = players.iter().filter(|player| !small.is_empty() && player.to_lowercase().starts_with(&small));
        let is_alone = || pieces.iter().filter(|other| other.to_lowercase() == small).count() == 1;
        let only = longer.next().filter(|player| longer.next().is_none() && player.len() > piece.len());
        only.filter(|_| is_alone() || is_paired && small.chars().count() == 1).map(|player| (*player).to_owned())
    };
    pieces.iter().map(of).collect()
}

/// Whether the letters that stand for two pieces, a small one and a capital, are the beginnings of different players, of two at least.
fn are_paired(pieces: &[&str], players: &[&str]) -> bool {
    let mut letters: Vec<String> =
        pieces.iter().filter(|piece| piece.chars().count() == 1).map(|piece| piece.to_lowercase()).collect();
    letters.sort_unstable();
    let pairs: Vec<&str> = letters
        .chunk_by(|a, b| a == b)
        .filter(|pair| pair.len() > 1)
        .filter_map(|pair| Some(pair.first()?.as_str()))
        .collect();
    let begun = |letter: &str| players.iter().filter(|player| player.to_lowercase().starts_with(letter)).count();
    pairs.len() > 1 && pairs.iter().all(|letter| begun(letter) == 1)
}

/// The names without the function, if all of them that are terms have the same one.
pub(super) fn arguments<'a>(names: &[&'a str]) -> Vec<&'a str> {
    let split = |name: &'a str| name.strip_suffix(')').and_then(|name| name.split_once('('));
    let mut functions = names.iter().filter_map(|&name| split(name)).map(|(function, _)| function);
    let first = functions.next();
    let one = first.is_some() && functions.all(|function| Some(function) == first);
    let short = |&name: &&'a str| split(name).filter(|_| one).map_or(name, |(_, arguments)| arguments);
    let short: Vec<&str> = names.iter().map(short).collect();
    let mut sorted = short.clone();
    sorted.sort_unstable();
    let differ = sorted.windows(2).all(|pair| pair.first() != pair.last());
    if differ { short } else { names.to_vec() }
}

/// The initials of all words but the last, and the last word. A capital letter begins a word.
fn initials(name: &str) -> (String, Vec<char>) {
    let mut words: Vec<Vec<char>> = vec![Vec::new()];
    for c in name.chars() {
        if c.is_uppercase() && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(Vec::new());
        }
        if let Some(word) = words.last_mut() {
            word.push(c);
        }
    }
    let last = words.pop().unwrap_or_default();
    (words.iter().filter_map(|word| word.first()).collect(), last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(names: &[&str], counts: &[usize]) -> String {
        short_names(names, counts, &[]).0.join(" ")
    }

    #[test]
    fn pieces_are_called_as_players() {
        let of = |pieces: &[&str], players: &[&str]| -> String {
            let found = namesakes(pieces, players).into_iter();
            found.map(|player| player.unwrap_or("-".to_owned())).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of(&["e", "r", "b"], &["red", "blue"]), "- red blue");
        assert_eq!(of(&["empty", "white", "w"], &["white", "black"]), "- white white");
        assert_eq!(of(&["B", "b", ""], &["white", "black"]), "- - -", "bishops");
        assert_eq!(of(&["b", "w", "B", "W"], &["white", "black"]), "black white black white", "men and kings");
        assert_eq!(of(&["b", "w", "B", "W", "k", "K"], &["white", "black"]), "- - - - - -", "no player is called k");
        assert_eq!(of(&["r"], &["red", "rose"]), "-");
    }

    #[test]
    fn names_are_short_and_differ() {
        assert_eq!(short(&["e", "wPawn", "wKing", "wKnight", "bKing"], &[32, 8, 1, 2, 1]), ". wP wKi wKn bK");
        assert_eq!(short(&["white", "black", "empty"], &[13, 12, 0]), "w b .");
        assert_eq!(short(&["N(0)", "N(4)", "N(12)"], &[0, 12, 0]), "0 4 12");
        assert_eq!(short(&["a", "aa", "aaa"], &[0, 0, 0]), "a aa aaa");
        assert_eq!(short(&["0", "1"], &[24, 0]), "0 1", "numbers stay as they are");
        assert_eq!(short(&["b", "w"], &[2, 62]), "b .", "black, and the commonest one");
    }
}
