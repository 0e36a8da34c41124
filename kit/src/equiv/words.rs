//! The words of moves: which of them tell moves apart, and what their spelling says about places.
//!
//! Languages name the same square `c1`, `v_rx2y0` or `C__2_0`. Numbers and single letters in a word are coordinates; words
//! that differ in nothing else are a family, such as the squares of a board. Whether a family runs from left to right or the
//! other way is not known, so all orientations have to be tried.

use crate::Result;
use crate::runner::Runner;
use backend::{Moves, Rng};
use rg_ir::Label;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

use super::below;

/// Orientations of a board: the coordinates swapped (4), the first reversed (2), the second reversed (1).
pub(super) const ORIENTATIONS: u8 = 8;

/// Moves are distinguished by at most this many words, each among the first or last few.
const MAX_WORDS: usize = 3;
const MAX_INDEX: usize = 8;
/// Random plays that are looked at to find out which words those are, and moves in each.
const SAMPLE: (u32, usize) = (20, 1_500);
/// Selections that are tried.
const MAX_SELECTIONS: usize = 4;

/// A word of a move by its index, from the start or from the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Start(usize),
    End(usize),
}

impl Place {
    /// The word there; empty if the move is too short.
    pub(super) fn of<'m>(self, tags: &[&'m str]) -> &'m str {
        let word = match self {
            Place::Start(index) => tags.get(index),
            Place::End(index) => tags.iter().rev().nth(index),
        };
        word.copied().unwrap_or_default()
    }
}

/// The legal moves of some positions of playouts, as tags.
fn sample(game: &Runner) -> Result<Vec<Vec<Vec<String>>>> {
    let mut positions = Vec::new();
    let mut rng = Rng::new(1);
    let mut moves = Moves::new();
    for _ in 0..SAMPLE.0 {
        let mut state = game.initial()?;
        let mut seen = 0;
        while seen < SAMPLE.1 {
            game.reasoner.legal_moves(&state, &mut moves).map_err(|error| game.failure(&error))?;
            if moves.is_empty() {
                break;
            }
            seen += moves.len();
            let tags = game.tags(&moves);
            positions.push(tags.iter().map(|tags| tags.iter().map(|&tag| tag.to_owned()).collect()).collect());
            let index = below(&mut rng, moves.len());
            game.reasoner.apply(&mut state, &moves, index).map_err(|error| game.failure(&error))?;
        }
    }
    Ok(positions)
}

/// Selections of few words that tell the moves of a position apart, as far as a sample shows: the smallest ones, those with
/// the richest words first.
pub(super) fn selections(game: &Runner) -> Result<Vec<Vec<Place>>> {
    let sample = sample(game)?;
    let sample: Vec<Vec<Vec<&str>>> = sample
        .iter()
        .map(|moves| moves.iter().map(|tags| tags.iter().map(String::as_str).collect()).collect())
        .collect();
    let mut places: Vec<(Place, usize)> = Vec::new();
    let mut columns: FxHashSet<Vec<&str>> = FxHashSet::default();
    for place in (0..MAX_INDEX).map(Place::Start).chain((0..MAX_INDEX).map(Place::End)) {
        let column: Vec<&str> = sample.iter().flatten().map(|tags| place.of(tags)).collect();
        let words = column.iter().collect::<FxHashSet<_>>().len();
        // Words that are always the same, or always those of another place, tell nothing.
        if words > 1 && columns.insert(column) {
            places.push((place, words));
        }
    }
    places.sort_by_key(|&(_, words)| std::cmp::Reverse(words));
    let places: Vec<Place> = places.into_iter().map(|(place, _)| place).collect();
    for size in 0..=MAX_WORDS {
        let mut found = subsets(&places, size);
        found.retain(|selection| sample.iter().all(|moves| tells_apart(selection, moves)));
        found.truncate(MAX_SELECTIONS);
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

fn tells_apart(selection: &[Place], moves: &[Vec<&str>]) -> bool {
    let mut seen: FxHashSet<Vec<&str>> = FxHashSet::default();
    moves.iter().all(|tags| seen.insert(selection.iter().map(|place| place.of(tags)).collect()))
}

/// All subsets of a size, in lexicographic order.
fn subsets(places: &[Place], size: usize) -> Vec<Vec<Place>> {
    let mut subsets: Vec<(usize, Vec<Place>)> = vec![(0, Vec::new())];
    for _ in 0..size {
        let longer = subsets.iter().flat_map(|(next, subset)| {
            let more = places.iter().enumerate().skip(*next);
            more.map(|(index, place)| (index + 1, [subset.as_slice(), &[*place]].concat()))
        });
        subsets = longer.collect();
    }
    subsets.into_iter().map(|(_, subset)| subset).collect()
}

/// A coordinate: its rank, and the number of ranks.
type Rank = (usize, usize);

/// What the spelling of the words of a game says.
pub(super) struct Spelling {
    /// Per word its coordinates, and those with the second coordinate taken first.
    ranks: FxHashMap<String, [Vec<Rank>; 2]>,
}

impl Spelling {
    /// Reads all tags that moves of a game can have. O(n log n).
    pub(super) fn new(runner: &Runner) -> Self {
        let game = &runner.loaded.game;
        let mut words: BTreeSet<&str> = BTreeSet::new();
        for (_, edge) in game.automaton.edges() {
            match edge.label {
                Label::Tag(tag) => drop(words.insert(game.name(tag))),
                Label::TagVar(var) => {
                    let ty = game.vars.get(var).map(|decl| decl.ty);
                    let members = ty.map_or(&[][..], |ty| game.types.members(ty));
                    words.extend(members.iter().map(|&symbol| game.name(symbol)));
                }
                _ => {}
            }
        }
        let mut families: BTreeMap<String, Vec<(&str, Vec<u64>)>> = BTreeMap::new();
        for word in words {
            let (family, coordinates) = coordinates(word);
            families.entry(family).or_default().push((word, coordinates));
        }
        let mut ranks = FxHashMap::default();
        for family in families.into_values() {
            let count = family.first().map_or(0, |(_, coordinates)| coordinates.len());
            let varies = |&at: &usize| family.iter().map(|(_, c)| c.get(at)).collect::<BTreeSet<_>>().len() > 1;
            let axes: Vec<usize> = (0..count).filter(varies).collect();
            let backwards: Vec<usize> = axes.iter().rev().copied().collect();
            let [plain, swapped] = [axes, backwards].map(|axes| ranked(&family, &axes));
            for (((word, _), plain), swapped) in family.iter().zip(plain).zip(swapped) {
                ranks.insert((*word).to_owned(), [plain, swapped]);
            }
        }
        Self { ranks }
    }

    /// Words whose spelling says nothing.
    #[cfg(test)]
    pub(super) fn none() -> Self {
        Self { ranks: FxHashMap::default() }
    }

    /// Where words that belong together are, in an orientation; `None` if they have no coordinates.
    pub(super) fn place(&self, words: &[&str], orientation: u8) -> Option<Vec<usize>> {
        let swap = orientation & 4 != 0;
        let known = words.iter().map(|word| self.ranks.get(*word).map(|ranks| &ranks[usize::from(swap)]));
        let mut ranks: Vec<&[Rank]> = known.map(|ranks| ranks.map_or(&[][..], Vec::as_slice)).collect();
        if swap {
            ranks.reverse();
        }
        let ranks = ranks.concat();
        let oriented = ranks.iter().enumerate().map(|(axis, &(rank, count))| {
            let reversed = axis < 2 && orientation & (2 >> axis) != 0;
            if reversed { count - 1 - rank } else { rank }
        });
        (!ranks.is_empty()).then(|| oriented.collect())
    }
}

/// A word with `#` in place of numbers and single letters, and these.
fn coordinates(word: &str) -> (String, Vec<u64>) {
    let (mut family, mut coordinates) = (String::new(), Vec::new());
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let same = |c: char| match first {
            _ if first.is_ascii_digit() => c.is_ascii_digit(),
            _ if first.is_alphabetic() => c.is_alphabetic(),
            _ => !c.is_ascii_digit() && !c.is_alphabetic(),
        };
        let (run, after) = rest.split_at(rest.find(|c| !same(c)).unwrap_or(rest.len()));
        rest = after;
        let number = match run.parse::<u64>() {
            Ok(number) => Some(number),
            Err(_) if first.is_alphabetic() && run.len() == first.len_utf8() => Some(u64::from(u32::from(first))),
            Err(_) => None,
        };
        match number {
            Some(number) => {
                coordinates.push(number);
                family.push('#');
            }
            None => family.push_str(run),
        }
    }
    (family, coordinates)
}

/// The ranks of all words of a family along some axes, each among those that agree on the axes before. So the cells of a
/// board count from the edge of their row, as some languages do on boards that are no rectangles.
fn ranked(family: &[(&str, Vec<u64>)], axes: &[usize]) -> Vec<Vec<Rank>> {
    let path = |coordinates: &[u64], length: usize| -> Vec<u64> {
        axes.iter().take(length).filter_map(|&axis| coordinates.get(axis).copied()).collect()
    };
    let mut rows: FxHashMap<Vec<u64>, BTreeSet<u64>> = FxHashMap::default();
    for (_, coordinates) in family {
        for (length, axis) in axes.iter().enumerate() {
            rows.entry(path(coordinates, length)).or_default().extend(coordinates.get(*axis));
        }
    }
    let places: FxHashMap<Vec<u64>, FxHashMap<u64, usize>> =
        rows.into_iter().map(|(path, row)| (path, row.into_iter().zip(0..).collect())).collect();
    let rank = |coordinates: &[u64], length: usize, axis: usize| {
        let row = places.get(&path(coordinates, length))?;
        Some((*row.get(coordinates.get(axis)?)?, row.len()))
    };
    let ranks = |(_, coordinates): &(&str, Vec<u64>)| {
        axes.iter().enumerate().filter_map(|(length, &axis)| rank(coordinates, length, axis)).collect()
    };
    family.iter().map(ranks).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_coordinates() {
        assert_eq!(coordinates("v_rx12y0"), ("#_rx###".into(), vec![118, 12, 121, 0]));
        assert_eq!(coordinates("C__2_10"), ("#__#_#".into(), vec![67, 2, 10]));
        assert_eq!(coordinates("a1"), ("##".into(), vec![97, 1]));
        assert_eq!(coordinates("left"), ("left".into(), vec![]));
        assert_eq!(coordinates(""), (String::new(), vec![]));
    }

    #[test]
    fn ranks_count_within_rows() {
        let family = [("", vec![5, 3]), ("", vec![5, 4]), ("", vec![7, 4]), ("", vec![7, 9])];
        assert_eq!(ranked(&family, &[0, 1]), [[(0, 2), (0, 2)], [(0, 2), (1, 2)], [(1, 2), (0, 2)], [(1, 2), (1, 2)]]);
        assert_eq!(ranked(&family, &[1]), [[(0, 3)], [(1, 3)], [(1, 3)], [(2, 3)]]);
    }

    #[test]
    fn subsets_of_places() {
        let places = [Place::Start(0), Place::Start(1), Place::End(0)];
        assert_eq!(subsets(&places, 2).len(), 3);
        assert_eq!(subsets(&places, 0), [[]]);
        assert_eq!(subsets(&places, 4).len(), 0);
        assert_eq!(Place::End(0).of(&["a", "b"]), "b");
        assert_eq!(Place::Start(2).of(&["a", "b"]), "");
    }
}
