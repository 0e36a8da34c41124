//! A renaming of the words of one game's moves to those of another, found position by position.
//!
//! A move is a row of words, one in each column. For every column there is a one-to-one map from words to words, which may
//! only grow: where new words appear, they are paired by colours that say all that is known about them (what is in their row,
//! where their spelling puts them, what follows the moves they are in), and refined until nothing changes. What still looks
//! alike is paired by guessing; a wrong guess shows later, when the moves of a position no longer agree.

use super::words::{Place, Spelling};
use rustc_hash::{FxHashMap, FxHasher};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// Rounds of refinement; colours spread by one move in each.
const ROUNDS: usize = 6;

/// Guesses that are made one after the other in one position; beyond, all that is left is paired at once.
const MAX_GUESSES: usize = 300;

/// How moves may correspond.
#[derive(Clone, Debug)]
pub(super) struct Hypothesis {
    /// Per game the places of the words in each column; the words of a column count as one.
    pub(super) columns: [Vec<Vec<Place>>; 2],
    /// Whether a word is the same in all columns.
    pub(super) shared: bool,
    /// How places in the first game lie in the second; `None`: spelling says nothing.
    pub(super) orientation: Option<u8>,
    /// Selects the guesses.
    pub(super) attempt: usize,
}

/// A move's words by column.
pub(super) type Row = Vec<String>;

/// See the module.
pub(super) struct Renaming<'s> {
    pub(super) hypothesis: Hypothesis,
    spelling: &'s [Spelling; 2],
    /// Per column, or for all, the pairs, by the word of the first game and of the second.
    maps: Vec<[FxHashMap<String, String>; 2]>,
}

/// A colour per word, for every map.
type Colours<'r> = Vec<BTreeMap<&'r str, u64>>;

impl<'s> Renaming<'s> {
    pub(super) fn new(hypothesis: Hypothesis, spelling: &'s [Spelling; 2]) -> Self {
        let [first, _] = &hypothesis.columns;
        let count = if hypothesis.shared { first.len().min(1) } else { first.len() };
        let maps = vec![[FxHashMap::default(), FxHashMap::default()]; count];
        Self { hypothesis, spelling, maps }
    }

    /// The rows of the moves of one game.
    pub(super) fn rows(&self, at: usize, moves: &[Vec<&str>]) -> Vec<Row> {
        let columns = self.hypothesis.columns.get(at).map_or(&[][..], Vec::as_slice);
        let row = |tags: &Vec<&str>| {
            let word = |places: &Vec<Place>| places.iter().map(|place| place.of(tags)).collect::<Vec<_>>().join(" ");
            columns.iter().map(word).collect()
        };
        moves.iter().map(row).collect()
    }

    /// A row of the first game in words of the second.
    pub(super) fn renamed(&self, row: &Row) -> Row {
        let map = |column: usize| self.maps.get(column.min(self.maps.len().saturating_sub(1)));
        let word = |(column, word): (usize, &String)| map(column).and_then(|[map, _]| map.get(word)).cloned();
        row.iter().enumerate().map(|pair| word(pair).unwrap_or_default()).collect()
    }

    /// Finds partners for new words, so that the rows may become equal. `look` tells what follows the moves, and is asked if
    /// words alone do not decide. Returns whether it went well.
    pub(super) fn extend<E>(
        &mut self,
        rows: [&[Row]; 2],
        look: impl FnOnce() -> Result<[Vec<u64>; 2], E>,
    ) -> Result<bool, E> {
        if self.complete(rows) {
            return Ok(true);
        }
        let mut colours = [0, 1].map(|at| self.colours(at, rows.get(at).copied().unwrap_or(&[])));
        let mut extra = rows.map(|rows| vec![0; rows.len()]);
        if !refine(&mut colours, rows, &extra) {
            return Ok(false);
        }
        if self.tied(&colours).is_some() {
            extra = look()?;
            if !refine(&mut colours, rows, &extra) {
                return Ok(false);
            }
        }
        for guess in 0.. {
            let Some((column, [a, b])) = self.tied(&colours) else { break };
            if guess >= MAX_GUESSES {
                break;
            }
            let [first, second] = &mut colours;
            let fresh = hash(&(column, a, b, guess));
            for (side, word) in [(first, a), (second, b)] {
                side.get_mut(column).and_then(|colours| colours.insert(word, fresh));
            }
            if !refine(&mut colours, rows, &extra) {
                return Ok(false);
            }
        }
        Ok(self.adopt(&colours))
    }

    /// Whether all words have partners.
    fn complete(&self, rows: [&[Row]; 2]) -> bool {
        let known = |at: usize, row: &Row| {
            let map = |column: usize| self.maps.get(column.min(self.maps.len().saturating_sub(1)))?.get(at);
            row.iter().enumerate().all(|(column, word)| map(column).is_some_and(|map| map.contains_key(word)))
        };
        rows.iter().enumerate().all(|(at, rows)| rows.iter().all(|row| known(at, row)))
    }

    /// What is known about words by themselves.
    fn colours<'r>(&self, at: usize, rows: &'r [Row]) -> Colours<'r> {
        let mut colours = vec![BTreeMap::new(); self.maps.len()];
        for row in rows {
            for (column, word) in row.iter().enumerate() {
                let slot = column.min(colours.len().saturating_sub(1));
                let (Some(colours), Some(maps)) = (colours.get_mut(slot), self.maps.get(slot)) else { continue };
                colours.entry(word.as_str()).or_insert_with(|| match maps.get(at).and_then(|map| map.get(word)) {
                    Some(partner) => hash(&(true, if at == 0 { partner } else { word })),
                    None => hash(&(false, self.spelt(at, word))),
                });
            }
        }
        colours
    }

    /// Where the spelling puts a new word.
    fn spelt(&self, at: usize, word: &str) -> Option<Vec<usize>> {
        let orientation = self.hypothesis.orientation?;
        let words: Vec<&str> = word.split(' ').collect();
        self.spelling.get(at)?.place(&words, if at == 0 { orientation } else { 0 })
    }

    /// Two new words, one of each game, that look the same, as do others.
    fn tied<'r>(&self, colours: &[Colours<'r>; 2]) -> Option<(usize, [&'r str; 2])> {
        let [first, second] = colours;
        for (column, (first, second)) in first.iter().zip(second).enumerate() {
            let mut classes: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
            for (word, colour) in first {
                classes.entry(*colour).or_default().push(word);
            }
            let Some((colour, words)) = classes.iter().find(|(_, words)| words.len() > 1) else { continue };
            let partners: Vec<&str> = second.iter().filter(|(_, c)| *c == colour).map(|(word, _)| *word).collect();
            let chosen = partners.get(self.hypothesis.attempt.checked_rem(partners.len())?)?;
            return Some((column, [words.first()?, chosen]));
        }
        None
    }

    /// Pairs new words of equal colours. Fails if that is not possible one to one.
    fn adopt(&mut self, colours: &[Colours<'_>; 2]) -> bool {
        let [first, second] = colours;
        for ((first, second), [map, inverse]) in first.iter().zip(second).zip(&mut self.maps) {
            let mut by_colour: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
            for (word, colour) in second.iter().rev() {
                by_colour.entry(*colour).or_default().push(word);
            }
            for (word, colour) in first {
                let Some(partner) = by_colour.get_mut(colour).and_then(Vec::pop) else { return false };
                match (map.get(*word).map(String::as_str), inverse.get(partner).map(String::as_str)) {
                    (Some(known), Some(back)) if known == partner && back == *word => {}
                    (None, None) => {
                        map.insert((*word).to_owned(), partner.to_owned());
                        inverse.insert(partner.to_owned(), (*word).to_owned());
                    }
                    _ => return false,
                }
            }
            if by_colour.values().any(|left| !left.is_empty()) {
                return false;
            }
        }
        true
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Mixes colours of moves and of their words until that makes no more difference. Returns whether the moves of both games
/// have the same colours.
fn refine(colours: &mut [Colours<'_>; 2], rows: [&[Row]; 2], extra: &[Vec<u64>; 2]) -> bool {
    let mut classes = 0;
    for _ in 0..ROUNDS {
        let mut sorted = [Vec::new(), Vec::new()];
        for (((colours, rows), extra), sorted) in colours.iter_mut().zip(rows).zip(extra).zip(&mut sorted) {
            *sorted = mix(colours, rows, extra);
        }
        let [first, second] = sorted;
        if first != second {
            return false;
        }
        let count = |colours: &Colours<'_>| -> usize {
            colours.iter().map(|column| column.values().collect::<std::collections::BTreeSet<_>>().len()).sum()
        };
        let now = colours.first().map_or(0, count);
        if std::mem::replace(&mut classes, now) == now {
            break;
        }
    }
    true
}

/// One round for one game: the sorted colours of its moves; words take up the colours of the moves they are in.
fn mix(colours: &mut Colours<'_>, rows: &[Row], extra: &[u64]) -> Vec<u64> {
    let colour = |(row, extra): (&Row, &u64)| {
        let last = colours.len().saturating_sub(1);
        let words = row.iter().enumerate().map(|(column, word)| colours.get(column.min(last))?.get(word.as_str()));
        hash(&(extra, words.collect::<Vec<_>>()))
    };
    let mut moves: Vec<u64> = rows.iter().zip(extra).map(colour).collect();
    let shared = colours.len() == 1;
    for (slot, colours) in colours.iter_mut().enumerate() {
        let mut inside: FxHashMap<&str, Vec<(usize, u64)>> = FxHashMap::default();
        for (row, colour) in rows.iter().zip(&moves) {
            for (column, word) in row.iter().enumerate().filter(|(column, _)| shared || *column == slot) {
                inside.entry(word).or_default().push((column, *colour));
            }
        }
        for (word, colour) in colours.iter_mut() {
            let mut around = inside.remove(word).unwrap_or_default();
            around.sort_unstable();
            *colour = hash(&(*colour, around));
        }
    }
    moves.sort_unstable();
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelling() -> [Spelling; 2] {
        [Spelling::none(), Spelling::none()]
    }

    fn rows(moves: &[&str]) -> Vec<Row> {
        moves.iter().map(|text| text.split(' ').map(str::to_owned).collect()).collect()
    }

    fn columns(count: usize) -> Hypothesis {
        let columns: Vec<Vec<Place>> = (0..count).map(|at| vec![Place::Start(at)]).collect();
        Hypothesis { columns: [columns.clone(), columns], shared: false, orientation: None, attempt: 0 }
    }

    fn extend(renaming: &mut Renaming<'_>, first: &[Row], second: &[Row]) -> bool {
        let look = || Ok::<_, ()>([vec![0; first.len()], vec![0; second.len()]]);
        renaming.extend([first, second], look).unwrap_or(false)
    }

    #[test]
    fn words_are_paired_by_what_they_stand_with() {
        let spelling = spelling();
        let mut renaming = Renaming::new(columns(2), &spelling);
        let (first, second) = (rows(&["a x", "a y", "b y"]), rows(&["q 2", "p 2", "p 1"]));
        assert!(extend(&mut renaming, &first, &second));
        let renamed: Vec<String> = first.iter().map(|row| renaming.renamed(row).join(" ")).collect();
        assert_eq!(renamed, ["p 1", "p 2", "q 2"]);
        // What is known stays; new words are added.
        assert!(extend(&mut renaming, &rows(&["c x"]), &rows(&["r 1"])));
        assert!(!extend(&mut renaming, &rows(&["d y"]), &rows(&["s 1"])));
        assert!(!extend(&mut renaming, &rows(&["d x"]), &rows(&["s 1", "t 1"])));
        assert!(!extend(&mut renaming, &rows(&["d x"]), &rows(&["r 1"])));
    }

    #[test]
    fn guesses_are_consistent() {
        let spelling = spelling();
        let cycle = rows(&["a b", "b c", "c d", "d a"]);
        let other = rows(&["1 2", "2 3", "3 4", "4 1"]);
        for attempt in 0..8 {
            let hypothesis = Hypothesis { attempt: attempt / 2, shared: attempt % 2 == 0, ..columns(2) };
            let mut renaming = Renaming::new(hypothesis, &spelling);
            assert!(extend(&mut renaming, &cycle, &other));
            let mut renamed: Vec<Row> = cycle.iter().map(|row| renaming.renamed(row)).collect();
            renamed.sort();
            assert_eq!(renamed, other);
        }
    }
}
