//! Which move a text means, however it is written.

use super::places::{Places, column};
use super::short::{Item, Naming, Reading, choices, part_begins};
use super::way::{Named, landed, passed};
use super::{Notation, beginning, find_move};

/// Moves at most that are named where a text fits several.
const LISTED: usize = 8;

/// Why a text is not read as a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unread {
    /// What is wrong, in one line.
    Wrong(String),
    /// Several legal moves have what the text says: which ones, in one line.
    Several(String),
    /// All places are named, and moves differ in something else: the words for it, each with the index of its move.
    Choice(Vec<(String, usize)>),
    /// The last place that is named is one that legal moves from the first one change, but where their piece does not come to stand.
    Passed {
        /// Its label.
        place: String,
        /// These moves, in short, each with its index.
        moves: Vec<(String, usize)>,
    },
}

impl Unread {
    /// What is wrong with `text`, in one line.
    pub fn message(&self, text: &str) -> String {
        match self {
            Unread::Wrong(message) | Unread::Several(message) => message.clone(),
            Unread::Choice(choices) => {
                let words: Vec<&str> = choices.iter().map(|(word, _)| word.as_str()).collect();
                format!("`{}` is incomplete: add one of {}", text.trim(), words.join(", "))
            }
            Unread::Passed { place, moves } => {
                let named: Vec<String> = moves.iter().take(LISTED).map(|(name, _)| format!("`{name}`")).collect();
                let named = crate::diag::alternatives(&named);
                format!("`{}` is not a legal move: no piece stops at `{place}`; did you mean {named}?", text.trim())
            }
        }
    }
}

/// What a text says, part by part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Said {
    Place(String),
    /// In small letters.
    Word(String),
}

impl Said {
    pub(super) fn place(&self) -> Option<&str> {
        match self {
            Said::Place(label) => Some(label),
            Said::Word(_) => None,
        }
    }

    fn fits(&self, item: &Item) -> bool {
        match (self, item) {
            (Said::Place(said), Item::Place(label)) => said == label,
            (Said::Word(said), Item::Word(word)) => plain(word) == *said,
            (Said::Word(said), Item::Piece(name)) => {
                let mut parts = name.char_indices().map(|(at, _)| at).filter(|&at| at == 0 || part_begins(name, at));
                parts.any(|at| name.get(at..).is_some_and(|part| plain(part) == *said))
            }
            _ => false,
        }
    }
}

/// Letters and digits, in small letters.
fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The parts of a text: places, and words between them. `-`, `=`, `x` between places and the like separate parts only. `None` if there are
/// other signs.
pub(super) fn parts(text: &str, places: &Places) -> Option<Vec<Said>> {
    let mut parts: Vec<Said> = Vec::new();
    let mut rest = text.trim_start();
    while let Some(letter) = rest.chars().next() {
        if let Some((label, behind)) = places.begin(rest) {
            parts.push(Said::Place(label.to_owned()));
            rest = behind;
        } else if let Some(behind) = rest.strip_prefix(['x', 'X', '×', ':'])
            && matches!(parts.last(), Some(Said::Place(_)))
            && places.begin(behind.trim_start()).is_some()
        {
            rest = behind;
        } else if letter.is_whitespace() || matches!(letter, '-' | '–' | '=' | ',' | '>' | '→') {
            rest = rest.get(letter.len_utf8()..).unwrap_or_default();
        } else {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            if word.is_empty() {
                return None;
            }
            parts.push(Said::Word(plain(word)));
            rest = behind;
        }
    }
    Some(parts)
}

/// The moves that are meant by the parts of a text: those that have them in one of these ways, the first in which any has them. Linear.
fn meant(said: &[Said], readings: &[Reading]) -> Vec<usize> {
    let equal =
        |items: &[&Item]| items.len() == said.len() && said.iter().zip(items).all(|(said, item)| said.fits(item));
    let usual = |reading: &Reading| equal(&reading.usual().collect::<Vec<_>>());
    let whole = |reading: &Reading| equal(&reading.way());
    // The places that are usual or all of them, and after them words that are also there.
    let worded = |reading: &Reading| {
        let split = said.iter().rposition(|said| matches!(said, Said::Place(_))).map_or(0, |last| last + 1);
        let Some((places, words)) = said.split_at_checked(split) else { return false };
        let fits = |items: &[&Item]| {
            let items: Vec<&&Item> = items.iter().filter(|item| matches!(item, Item::Place(_))).collect();
            items.len() == places.len() && places.iter().zip(items).all(|(said, item)| said.fits(item))
        };
        let usual: Vec<&Item> = reading.usual().collect();
        !places.is_empty() && (fits(&usual) || fits(&reading.way())) && subsequence(words, &mut reading.items.iter())
    };
    // Where a piece goes to is where the move ends, though others may be moved after it.
    let is_end = |reading: &Reading| {
        let way = reading.way();
        match reading.leads() {
            true => way.last().copied() == reading.usual().last(),
            false => way.first() == way.last(),
        }
    };
    let ends = |reading: &Reading| {
        let way = if is_end(reading) { reading.way() } else { reading.usual().collect() };
        let ends: Vec<&Item> = way.first().into_iter().chain(way.last().filter(|_| way.len() > 1)).copied().collect();
        equal(&ends)
    };
    // A place alone is where moves end, or where they begin: what they change on the way is not their name. The last one of several is
    // where their piece stops.
    let begins = |reading: &Reading| {
        let way = reading.way();
        match said {
            [Said::Place(label)] => reading.is_at(label),
            _ => {
                let goes = reading.leads() || way.first() == way.last();
                let stops = said.iter().rev().find_map(Said::place).is_none_or(|last| !reading.passes(last));
                goes && stops && said.len() <= way.len() && said.iter().zip(way).all(|(said, item)| said.fits(item))
            }
        }
    };
    // Of several places the first is where a move begins, and the last where it ends: no move from elsewhere is meant, and none to elsewhere.
    let scattered = |reading: &Reading| {
        let way = reading.way();
        let places: Vec<&Said> = said.iter().filter(|said| said.place().is_some()).collect();
        let end = way.iter().rev().find(|item| matches!(item, Item::Place(_))).copied();
        let mut ends = [reading.target(), end.filter(|_| is_end(reading))].into_iter().flatten();
        let begins = |said: &Said| way.first().is_some_and(|item| said.fits(item));
        let is_there = match places.as_slice() {
            [] => true,
            [only] => only.place().is_some_and(|label| reading.is_at(label)),
            [first, .., last] => begins(first) && ends.any(|item| last.fits(item)),
        };
        is_there && subsequence(said, &mut reading.items.iter())
    };
    let tiers: [&dyn Fn(&Reading) -> bool; 6] = [&usual, &whole, &worded, &ends, &begins, &scattered];
    let found = |fits: &&dyn Fn(&Reading) -> bool| -> Vec<usize> {
        (0..).zip(readings).filter(|(_, reading)| fits(reading)).map(|(index, _)| index).collect()
    };
    tiers.iter().map(found).find(|found| !found.is_empty()).unwrap_or_default()
}

/// The part of a text before letters that stand at once behind its last place, as `e2e4` of `e2e4e`; `None` for other texts.
fn before_letters<'t>(text: &'t str, places: &Places) -> Option<&'t str> {
    let mut rest = places.begin(text)?.1;
    while let Some(letter) = rest.chars().next() {
        if let Some((_, behind)) = places.begin(rest) {
            rest = behind;
        } else if letter.is_alphanumeric() {
            let before = text.get(..text.len() - rest.len())?;
            let is_joined = before.ends_with(char::is_alphanumeric) && rest.chars().all(char::is_alphanumeric);
            return is_joined.then_some(before);
        } else {
            rest = rest.get(letter.len_utf8()..)?;
        }
    }
    None
}

/// Whether a text that means only one of some moves has letters at once behind its last place without which it would mean the same one. Linear.
fn has_surplus((text, said): (&str, &[Said]), only: usize, readings: &[Reading], places: Option<&Places>) -> bool {
    let before = places.and_then(|places| parts(before_letters(text, places)?, places));
    matches!(said.last(), Some(Said::Word(_)))
        && before.is_some_and(|before| before.len() < said.len() && meant(&before, readings) == [only])
}

/// Why a text is not read that is a legal move with letters behind it.
fn surplus(text: &str, only: usize, short: &[String]) -> Unread {
    let legal = short.get(only).map_or("", String::as_str);
    Unread::Wrong(format!("`{text}` is not a legal move; did you mean `{legal}`?"))
}

/// The only move that a text is but for case. Linear.
fn folded(wanted: &str, moves: &[String]) -> Option<usize> {
    let mut same = (0..).zip(moves).filter(|(_, other)| other.to_lowercase() == wanted.to_lowercase());
    same.next().filter(|_| same.next().is_none()).map(|(index, _)| index)
}

/// The only move that a text is but for spaces and case: `H3` for `h 3`.
fn joined(text: &str, moves: &[String]) -> Option<usize> {
    let close = |text: &str| text.split_whitespace().collect::<String>().to_lowercase();
    let wanted = close(text);
    let mut same = (0..).zip(moves).filter(|(_, other)| close(other) == wanted);
    same.next().filter(|_| same.next().is_none()).map(|(index, _)| index)
}

/// The only move of which two parts or more are said, letters before numbers left out: `P6 3` for `6 3`.
fn numbered(said: &[Said], readings: &[Reading]) -> Option<usize> {
    let fits = |said: &Said, item: &Item| match (said, item) {
        (Said::Word(number), Item::Place(label) | Item::Word(label)) => {
            number.bytes().all(|byte| byte.is_ascii_digit())
                && label.trim_start_matches(|c: char| c.is_alphabetic()) == number
        }
        _ => false,
    };
    let is_meant = |reading: &Reading| {
        let items: Vec<&Item> = reading.usual().collect();
        items.len() == said.len() && said.iter().zip(items).all(|(said, item)| said.fits(item) || fits(said, item))
    };
    let mut found = (0..).zip(readings).filter(|(_, reading)| said.len() > 1 && is_meant(reading));
    found.next().filter(|_| found.next().is_none()).map(|(index, _)| index)
}

/// The moves of which a column says all, and that are in the one that a text names. Linear.
fn in_column(wanted: &str, readings: &[Reading]) -> Vec<usize> {
    let lower = wanted.to_lowercase();
    let only = |reading: &Reading| match reading.usual().collect::<Vec<_>>()[..] {
        [Item::Place(label)] => column(label) == Some(&lower),
        _ => false,
    };
    (0..).zip(readings).filter(|(_, reading)| only(reading)).map(|(index, _)| index).collect()
}

/// Whether a text has a word, between other signs than letters and digits.
fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|other| other == word)
}

/// Whether items have the parts in order, with gaps.
pub(super) fn subsequence(said: &[Said], items: &mut std::slice::Iter<'_, Item>) -> bool {
    said.iter().all(|said| items.any(|item| said.fits(item)))
}

/// Why a place alone is not read, where the moves that begin or end there have other places as well.
fn only_one_place(wanted: &str, found: &[usize], short: &[String]) -> Unread {
    let mut named: Vec<String> =
        found.iter().filter_map(|&index| short.get(index)).map(|name| format!("`{name}`")).collect();
    named.sort_unstable();
    named.truncate(LISTED);
    let more = if found.len() > LISTED { format!(", … ({} moves)", found.len()) } else { String::new() };
    Unread::Several(match named.as_slice() {
        [only] => format!("`{wanted}` is not a complete move; did you mean {only}?"),
        _ => format!(
            "`{wanted}` is not a complete move; legal moves that start or end there: {}{more}",
            named.join(", ")
        ),
    })
}

/// Why a text that several moves fit is not read.
fn several(wanted: &str, found: Vec<usize>, readings: &[Reading], short: &[String]) -> Unread {
    let members: Vec<&Reading> = found.iter().filter_map(|&index| readings.get(index)).collect();
    if let Some(words) = choices(&members) {
        return Unread::Choice(words.into_iter().zip(found).collect());
    }
    let names = |list: &[usize]| -> Vec<String> {
        list.iter().filter_map(|&index| short.get(index)).map(|name| format!("`{name}`")).collect()
    };
    // What begins so is more likely to be meant than what has it somewhere.
    let begun = beginning(wanted, short);
    let meant = if begun.iter().any(|index| found.contains(index)) { begun } else { found };
    let listed = names(meant.get(..LISTED).unwrap_or(&meant));
    let more = if meant.len() > LISTED { format!(", … ({} moves)", meant.len()) } else { String::new() };
    Unread::Several(match &listed[..] {
        [only] => format!("`{wanted}` is ambiguous: moves that begin so: {only}"),
        [one, other] => format!("`{wanted}` is ambiguous: it fits {one} and {other}"),
        _ => format!("`{wanted}` is ambiguous: it fits {}{more}", listed.join(", ")),
    })
}

/// The move that a text means, in any way of writing it: in short, in full, by its tags, with signs or spaces between places, by the places
/// that tell it apart, and as [`Notation::parse_move`] has it. Linear in the moves.
pub(super) fn find<N: Notation + ?Sized>(
    notation: &N,
    text: &str,
    moves: &[Vec<&str>],
    naming: Naming,
) -> Result<usize, Unread> {
    let wanted = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let full = notation.render_moves(moves);
    let readings = notation.readings(moves);
    let short = super::short::shorten(&readings, &full, naming);
    let tags = || moves.iter().map(|tags| tags.join(" "));
    let exact = |texts: &[String]| texts.iter().position(|other| *other == wanted);
    if let Some(found) = exact(&short).or_else(|| exact(&full)).or_else(|| tags().position(|tags| tags == wanted)) {
        return Ok(found);
    }
    if wanted.is_empty() {
        return find_move("", &full).map_err(Unread::Wrong);
    }
    if let Some(found) = folded(&wanted, &short).or_else(|| folded(&wanted, &full)) {
        return Ok(found);
    }
    let said = notation.places().and_then(|places| parts(&wanted, places)).unwrap_or_default();
    let mut found = if said.is_empty() { Vec::new() } else { meant(&said, &readings) };
    if found.is_empty() {
        found = landed(&said, &readings, notation.boards(), Named::Whole);
    }
    if found.is_empty() {
        found = in_column(&wanted, &readings);
    }
    if let Some(passed) = passed(&said, &readings, &short).filter(|_| found.is_empty()) {
        return Err(passed);
    }
    // Where moves lead from place to place, a place alone may be meant as either end, or as a move that is not legal.
    let is_place = matches!(said.as_slice(), [Said::Place(_)]);
    let is_longer = |index: &usize| readings.get(*index).is_some_and(Reading::leads);
    if is_place && !found.is_empty() && found.iter().all(is_longer) {
        return Err(only_one_place(&wanted, &found, &short));
    }
    match found[..] {
        [only] if has_surplus((&wanted, &said), only, &readings, notation.places()) => {
            return Err(surplus(&wanted, only, &short));
        }
        [only] => return Ok(only),
        [_, _, ..] => return Err(several(&wanted, found, &readings, &short)),
        [] => {}
    }
    if let Some(found) = find_move(&wanted, &short).ok().filter(|found| !(is_place && is_longer(found))) {
        return Ok(found);
    }
    // What is the name of a place is nothing else with a space in it.
    let joined = if is_place { None } else { joined(&wanted, &short) };
    if let Some(found) = joined.or_else(|| numbered(&said, &readings)) {
        return Ok(found);
    }
    let plain: Vec<String> = tags().collect();
    let by_tags = || find_move(&wanted, &plain).ok();
    let places: Vec<&str> = said.iter().filter_map(Said::place).collect();
    let only_places = !said.is_empty() && places.len() == said.len();
    // A place where no move begins or ends is not the name of one that changes it, nor is a way that no move goes the name of one that goes
    // elsewhere; but numbers may mean something else than places.
    let is_way = only_places && wanted.chars().any(char::is_alphabetic);
    // A number alone is the name of a move that has it, and not the number of something that a person does not see.
    let is_meant =
        |found: usize| wanted.parse::<u64>().is_err() || full.get(found).is_some_and(|full| has_word(full, &wanted));
    let illegal = || format!("`{wanted}` is not a legal move");
    let parsed = if is_way { Err(illegal()) } else { notation.parse_move(text, moves) };
    let parsed = parsed.and_then(|found| if is_meant(found) { Ok(found) } else { Err(illegal()) });
    // A place that is on the board is not misspelt.
    parsed.or_else(|message| match by_tags() {
        Some(found) => Ok(found),
        None if only_places && places.len() == 1 => Err(Unread::Wrong(illegal())),
        // How moves are written in full is not what someone needs who writes them in short.
        None => {
            let is_full = wanted.contains(['[', ']']) || wanted.contains("->") || readings.is_empty();
            let is_short = notation.places().is_some_and(|places| places.begin(&wanted).is_some()) && !is_full;
            let better = misspelt(&wanted, if only_places { &places } else { &[] }, &readings, &short);
            Err(Unread::Wrong(better.filter(|_| only_places || is_short).unwrap_or(message)))
        }
    })
}

/// Why a text that is not a legal move is not read, with what may be meant: written in short, and for a text of `places` a move that begins at the first of
/// several, where the piece is. `None` if the text is short for a move after all.
fn misspelt(wanted: &str, places: &[&str], readings: &[Reading], short: &[String]) -> Option<String> {
    // However it was written, it is as near to other moves as its places are.
    let plain = if places.is_empty() { wanted.to_owned() } else { places.concat() };
    let begins = |reading: &Reading| places.len() < 2 || reading.places().first() == places.first();
    let near = short.iter().zip(readings).filter(|(_, reading)| begins(reading)).map(|(text, _)| text.clone());
    let near: Vec<String> = if places.len() < 2 { short.to_vec() } else { near.collect() };
    find_move(&plain, &near).err().map(|text| text.replacen(&plain, wanted, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tags that are places `a1` to `d9`, pieces in capital letters, and words.
    struct Plain(Places);

    impl Notation for Plain {
        fn render_move(&self, tags: &[&str]) -> String {
            format!("move {}", tags.join(" "))
        }

        fn places(&self) -> Option<&Places> {
            Some(&self.0)
        }

        fn readings(&self, moves: &[Vec<&str>]) -> Vec<Reading> {
            let item = |tag: &&str| match self.0.label(tag) {
                Some(label) => Item::Place(label.to_owned()),
                None if tag.starts_with('w') => Item::Piece((*tag).to_owned()),
                None => Item::Word((*tag).to_owned()),
            };
            let reading = |tags: &Vec<&str>| {
                let items: Vec<Item> = tags.iter().map(item).collect();
                let places = || (0..).zip(&items).filter(|(_, item)| matches!(item, Item::Place(_))).map(|(at, _)| at);
                let mut usual: Vec<usize> = places().next().into_iter().chain(places().last()).collect();
                usual.dedup();
                Reading { usual, items, passed: Vec::new() }
            };
            moves.iter().map(reading).collect()
        }
    }

    #[test]
    fn texts_mean_moves() {
        let names: Vec<String> = "abcd".chars().flat_map(|c| (1..=9).map(move |row| format!("{c}{row}"))).collect();
        let plain = Plain(Places::new(names.iter().map(|name| (name.as_str(), name.as_str()))));
        let lines = ["a1 b2 c3", "a1 d2 c3", "b2 b3", "c7 c8 wQ", "c7 c8 wR", "d4 d5", "pass"];
        let moves: Vec<Vec<&str>> = lines.iter().map(|line| line.split(' ').collect()).collect();
        let short = plain.short_moves(&moves, Naming::Usual);
        assert_eq!(short, ["a1b2c3", "a1d2c3", "b2b3", "c7c8=Q", "c7c8=R", "d4d5", "move pass"]);
        let find = |text: &str| plain.read_move(text, &moves, Naming::Usual);
        for (text, index) in [
            ("a1b2c3", 0),
            ("a1-b2xc3", 0),
            ("A1 B2 C3", 0),
            ("move a1 b2 c3", 0),
            ("a1 b2", 0),
            ("a1d2", 1),
            ("b2-b3", 2),
            ("B2XB3", 2),
            ("c7c8q", 3),
            ("c7-c8=q", 3),
            ("c7 c8 wQ", 3),
            ("c8 wr", 4),
            ("pass", 6),
            ("Pass", 6),
        ] {
            assert_eq!(find(text), Ok(index), "{text}");
        }
        assert_eq!(find("c7c8"), Err(Unread::Choice(vec![("Q".to_owned(), 3), ("R".to_owned(), 4)])));
        for (text, message) in [
            ("a1c3", "it fits `a1b2c3` and `a1d2c3`"),
            ("b4", "not a legal move"),
            ("b2c3", "not a legal move"),
            ("a1b3", "not a legal move"),
            ("b3", "`b3` is not a complete move; did you mean `b2b3`?"),
            ("d4", "did you mean `d4d5`?"),
            ("c8", "is not a complete move; legal moves that start or end there: `c7c8=Q`, `c7c8=R`"),
            ("", "a move is missing"),
            ("(", "not a legal move"),
        ] {
            let found = find(text).unwrap_err().message(text);
            assert!(found.contains(message), "{text}: {found}");
        }
        let going_on = |text: &str| plain.going_on(text, &moves);
        assert_eq!(
            (going_on("a1"), going_on("a1 b2"), going_on("a1b3"), going_on("b2b3")),
            (vec![0, 1], vec![0], vec![], vec![])
        );
    }

    /// A move is not meant by a place on its way where its piece does not stop.
    #[test]
    fn moves_do_not_stop_where_they_only_change_something() {
        let place = |label: &&str| Item::Place((*label).to_owned());
        let said = |labels: &[&str]| labels.iter().map(|label| Said::Place((*label).to_owned())).collect::<Vec<_>>();
        let jumps = Reading {
            items: ["g3", "h4", "f6", "g7"].iter().map(place).collect(),
            usual: vec![0, 3],
            passed: vec![1, 2],
        };
        let stops = Reading { passed: vec![2], ..jumps.clone() };
        let drop =
            Reading { items: ["d3", "d4", "d5"].iter().map(place).collect(), usual: vec![0], passed: Vec::new() };
        let is_meant =
            |labels: &[&str], reading: &Reading| !meant(&said(labels), std::slice::from_ref(reading)).is_empty();
        for labels in [vec!["g3", "g7"], vec!["g3", "h4", "f6", "g7"], vec!["g3", "f6", "g7"]] {
            assert!(is_meant(&labels, &jumps), "{labels:?}");
        }
        assert!(!is_meant(&["g3", "h4"], &jumps) && !is_meant(&["g3", "h4", "f6"], &jumps));
        assert!(is_meant(&["g3", "h4"], &stops) && !is_meant(&["g3", "h4", "f6"], &stops));
        assert!(is_meant(&["d3"], &drop) && !is_meant(&["d3", "d4"], &drop), "what a drop turns is not where it goes");
    }

    #[test]
    fn a_text_does_not_end_within_a_number() {
        let moves: Vec<String> = ["a10", "a11", "b2 c3"].map(str::to_owned).into();
        assert!(find_move("a1", &moves).is_err() && find_move("a1", &moves[..1]).is_err());
        assert_eq!((find_move("a10", &moves), find_move("b2", &moves), find_move("b", &moves)), (Ok(0), Ok(2), Ok(2)));
    }
}
