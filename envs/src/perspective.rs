//! Whose a channel is, as its name tells: the same channels as another player sees them.

use rustc_hash::FxHashMap;

/// What the channels of players have in common but for the player.
#[derive(Clone, Copy)]
enum Rule {
    /// A word is a player's name, or begins or ends with it: `white`, `whitepawn`.
    Names,
    /// A word is a player's initial, or begins with it before a capital: `w`, `wP`.
    Initials,
    /// Of two players, one has a capital letter and the other one the small one: `P`, `p`.
    Letters,
}

/// By player, an order of the channels in which the player's own are where those of player 0 are and those of the following players, in turn, where the following ones'
/// are. Channels that no rule pairs, and those that say who is to move, stay. Quadratic in the channels at worst.
pub(crate) fn perspectives(channels: &[String], players: &[&str]) -> Vec<Vec<usize>> {
    let numbers: FxHashMap<&str, usize> = channels.iter().map(String::as_str).zip(0..).collect();
    let of_mover = |mover: usize| {
        let mut order: Vec<usize> = (0..channels.len()).collect();
        let mut moved = vec![false; channels.len()];
        for rule in [Rule::Names, Rule::Initials, Rule::Letters] {
            let turned: Vec<Option<usize>> = channels
                .iter()
                .map(|channel| numbers.get(renamed(channel, (players, mover), rule).as_str()).copied())
                .collect();
            for first in 0..channels.len() {
                let Some(turn) =
                    turn(first, &turned).filter(|turn| turn.iter().all(|&at| moved.get(at) == Some(&false)))
                else {
                    continue;
                };
                for at in turn {
                    if let (Some(slot), Some(is_moved), Some(&Some(next))) =
                        (order.get_mut(at), moved.get_mut(at), turned.get(at))
                    {
                        (*slot, *is_moved) = (next, true);
                    }
                }
            }
        }
        order
    };
    (0..players.len()).map(of_mover).collect()
}

/// The channels that come from one by renaming it again and again, if the last one leads back to it, and it is not the only one.
fn turn(first: usize, turned: &[Option<usize>]) -> Option<Vec<usize>> {
    let (mut found, mut at) = (vec![first], first);
    loop {
        at = turned.get(at).copied().flatten()?;
        if at == first {
            return (found.len() > 1).then_some(found);
        }
        if found.len() > turned.len() {
            return None;
        }
        found.push(at);
    }
}

/// A channel's name with each player's name replaced by that of the player so many places behind.
fn renamed(channel: &str, by: (&[&str], usize), rule: Rule) -> String {
    if channel.starts_with("player = ") {
        return channel.to_owned();
    }
    let is_word = |c: char| c.is_alphanumeric();
    let mut name = String::new();
    let mut rest = channel;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c: char| is_word(c) != is_word(first)).unwrap_or(rest.len());
        let (part, behind) = rest.split_at(end);
        match is_word(first) {
            true => name.push_str(&renamed_word(part, by, rule).unwrap_or_else(|| part.to_owned())),
            false => name.push_str(part),
        }
        rest = behind;
    }
    name
}

/// A word with another player in it; `None` if it has none.
fn renamed_word(word: &str, (players, behind): (&[&str], usize), rule: Rule) -> Option<String> {
    let other = |player: usize| players.get((player + behind) % players.len()).copied();
    // A name in a longer one is not found first.
    let mut longest: Vec<usize> = (0..players.len()).collect();
    longest.sort_by_key(|&player| std::cmp::Reverse(players.get(player).map_or(0, |name| name.len())));
    match rule {
        Rule::Names => longest.into_iter().find_map(|player| {
            let (name, other) = (*players.get(player)?, other(player)?);
            let is_part = name.chars().count() > 1;
            match (word.strip_prefix(name), word.strip_suffix(name)) {
                (Some(""), _) => Some(other.to_owned()),
                (Some(rest), _) if is_part => Some(format!("{other}{rest}")),
                (_, Some(rest)) if is_part => Some(format!("{rest}{other}")),
                _ => None,
            }
        }),
        Rule::Initials => {
            let mut letters = word.chars();
            let first = letters.next().filter(|_| letters.clone().next().is_none_or(char::is_uppercase))?;
            let initial = |name: &str| name.chars().next().and_then(|c| c.to_lowercase().next());
            let wanted = first.to_lowercase().next();
            let mut of =
                (0..players.len()).filter(|&player| players.get(player).and_then(|name| initial(name)) == wanted);
            let player = of.next().filter(|_| of.next().is_none())?;
            let small = initial(other(player)?)?;
            let letter = if first.is_uppercase() { small.to_uppercase().next()? } else { small };
            Some(format!("{letter}{}", letters.as_str()))
        }
        Rule::Letters => {
            let mut letters = word.chars();
            let only = letters.next().filter(|_| players.len() == 2 && behind == 1 && letters.next().is_none())?;
            let other: String =
                if only.is_uppercase() { only.to_lowercase().collect() } else { only.to_uppercase().collect() };
            Some(other)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(channels: &[&str], players: &[&str]) -> Vec<Vec<usize>> {
        let channels: Vec<String> = channels.iter().map(|&name| name.to_owned()).collect();
        perspectives(&channels, players)
    }

    #[test]
    fn channels_are_seen_from_each_player() {
        let colours = ["white", "black"];
        let board = ["board = empty", "board = whitepawn", "board = blackpawn", "player = white", "player = black"];
        assert_eq!(seen(&board, &colours), [[0, 1, 2, 3, 4], [0, 2, 1, 3, 4]]);
        let board = ["board = piece_e", "board = piece_wP", "board = piece_bP", "board = piece_w", "board = piece_b"];
        assert_eq!(seen(&board, &colours)[1], [0, 2, 1, 4, 3]);
        // Bishops of two sides, not pieces of black; a man and a king of each.
        assert_eq!(seen(&["board = B", "board = b", "board = K"], &colours)[1], [1, 0, 2]);
        assert_eq!(seen(&["at = b", "at = B", "at = w", "at = W"], &colours)[1], [2, 3, 0, 1]);
        // Names in other words are none.
        assert_eq!(seen(&["board = x", "board = o"], &["x", "o"])[1], [1, 0]);
        assert_eq!(seen(&["at = x", "at = xx", "at = xxking", "at = xking"], &["x", "xx"])[1], [1, 0, 2, 3]);
    }

    #[test]
    fn three_players_follow_each_other() {
        assert_eq!(seen(&["c", "a", "b"], &["a", "b", "c"]), [[0, 1, 2], [1, 2, 0], [2, 0, 1]]);
        assert_eq!(seen(&[], &[]), Vec::<Vec<usize>>::new());
    }
}
