//! Which value of a place means that it is empty.

use super::namesakes;

/// Words for a place where nothing is.
const WORDS: [&str; 12] =
    ["empty", "e", "none", "nothing", "blank", "free", "vacant", "nobody", "noone", "water", "_", "."];

/// A letter for `blank`, but as often for black, or a bishop.
const BLANK: &str = "b";

/// Which of the names means that a place is empty: a word that usually does; or else, if at least half of the places hold it at first, the
/// commonest one. It is never one that belongs to a player. `counts` has for each name the number of places that hold it in the first
/// position. `b` is a word for it only if it is the commonest. What all names of several words begin with says nothing: `piece_e` is `e`.
pub(super) fn empty(names: &[&str], counts: &[usize], players: &[&str]) -> Option<usize> {
    let (plain, players) = (without_prefix(names), without_prefix(players));
    let is_owned = owned(&plain, &players);
    let free = |index: usize| is_owned.get(index) != Some(&true);
    let count = |index: usize| counts.get(index).copied().unwrap_or(0);
    let all: usize = counts.iter().sum();
    let commonest = (0..names.len())
        .rev()
        .max_by_key(|&index| count(index))
        .filter(|&index| count(index) > 0 && 2 * count(index) >= all);
    let is_word = |&index: &usize| {
        let name = plain.get(index).map(|name| name.to_lowercase()).unwrap_or_default();
        WORDS.contains(&name.as_str()) || name == BLANK && commonest == Some(index)
    };
    let word = (0..names.len()).filter(is_word).find(|&index| free(index));
    word.or(commonest.filter(|&index| free(index)))
}

/// Which pieces belong to a player: those with its name; and if the names of some pieces are beginnings of all players' names, of at least
/// two, all these: `b` and `w` for black and white. Where only one is, the letter is likely to mean something else.
fn owned(pieces: &[&str], players: &[&str]) -> Vec<bool> {
    let owners = namesakes(pieces, players);
    let has_short = |player: &&str| {
        let mut pairs = pieces.iter().zip(&owners);
        pairs.any(|(piece, owner)| owner.as_deref() == Some(*player) && piece != player)
    };
    let is_complete = players.len() > 1 && players.iter().all(has_short);
    let is_owned = |(piece, owner): (&&str, &Option<String>)| {
        owner.as_ref().is_some_and(|owner| is_complete || owner.as_str() == *piece)
    };
    pieces.iter().zip(&owners).map(is_owned).collect()
}

/// The names without the word before `_` with which all those begin that have one, if there are at least two.
fn without_prefix<'a>(names: &[&'a str]) -> Vec<&'a str> {
    let split = |name: &'a str| name.split_once('_').filter(|(first, rest)| !first.is_empty() && !rest.is_empty());
    let mut prefixes = names.iter().filter_map(|&name| split(name)).map(|(prefix, _)| prefix);
    let first = prefixes.next();
    let is_shared = prefixes.next().is_some_and(|second| Some(second) == first) && prefixes.all(|p| Some(p) == first);
    let rest = |&name: &&'a str| split(name).filter(|_| is_shared).map_or(name, |(_, rest)| rest);
    names.iter().map(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name for empty places, where `white` and `black` play.
    fn of<'a>(names: &[&'a str], counts: &[usize]) -> Option<&'a str> {
        empty(names, counts, &["white", "black"]).and_then(|index| names.get(index).copied())
    }

    #[test]
    fn pieces_of_players_are_not_empty() {
        assert_eq!(of(&["b", "e", "w"], &[15, 0, 15]), Some("e"), "a full board");
        assert_eq!(of(&["b", "k", "none", "w"], &[4, 0, 1, 4]), Some("none"));
        assert_eq!(of(&["b", "w", "x"], &[15, 14, 1]), None, "nothing says so of x");
        assert_eq!(of(&["white", "x"], &[20, 4]), None, "a player's name");
        let translated = ["piece_b", "piece_e", "piece_w", "off"];
        let players = ["player_white", "player_black"];
        assert_eq!(empty(&translated, &[15, 0, 15, 0], &players), Some(1));
    }

    #[test]
    fn letters_that_some_player_begins_with_are_blank_where_they_are_commonest() {
        assert_eq!(of(&["b", "wp", "bp"], &[40, 12, 12]), Some("b"));
        assert_eq!(of(&["b", "x", "o"], &[9, 0, 0]), Some("b"));
        assert_eq!(of(&["b", "x", "o"], &[0, 9, 9]), Some("x"), "the commonest one that no player has");
        assert_eq!(
            empty(&["b", "block", "crosser"], &[16, 0, 0], &["crosser", "blocker"]),
            Some(0),
            "a name, and a letter"
        );
        assert_eq!(of(&["x", "e"], &[64, 0]), Some("e"), "a word says more than a number");
        assert_eq!(empty(&["e", "w", "x"], &[4, 4, 2], &["east", "west"]), None, "two players' letters");
    }
}
