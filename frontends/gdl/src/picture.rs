//! Positions of GDL as scenes: relations such as `(cell 3 2 x)` are boards, other fluents are listed.

use crate::lower::{Fluent, Place, Vocabulary};
use rg_ir::StateView;
use rg_ir::scene::{Axes, Board, Fact, Piece, Scene, Setup, namesakes, short_names};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Most columns and rows of a board: what there are more of is not where pieces stand, but when something happened, or which of many things it is.
const MAX_SIDE: usize = 40;

/// What is needed to draw a state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Picture {
    pub(crate) boards: Vec<Board>,
    /// Per board its relation, and which of its arguments are the coordinates.
    pub(crate) relations: Vec<(String, [usize; 2])>,
    /// Per fluent that says what stands somewhere: the board, the place and the piece.
    cells: FxHashMap<String, Cell>,
}

/// Board, place and piece, by index.
type Cell = (usize, usize, u32);

/// The fluents of one relation: text, and the three arguments.
type Relation<'t> = (&'t str, Vec<(&'t str, [&'t str; 3])>);

/// Name (both coordinates), column and row.
type Square = (String, i64, i64);

/// A relation that is a board: two of its arguments are coordinates, the third one is what is there.
struct Grid<'t> {
    function: &'t str,
    /// Its fluents, each with its coordinates and what is there.
    cells: Vec<(&'t str, [String; 3])>,
    squares: Vec<Square>,
    /// Which of the arguments are the coordinates.
    axes: [usize; 2],
}

impl<'t> Grid<'t> {
    /// `None` if the relation is not a board.
    fn of((function, terms): Relation<'t>) -> Option<Self> {
        [[0, 1, 2], [1, 2, 0], [0, 2, 1]].into_iter().find_map(|axes| {
            let argument =
                |arguments: &[&str; 3], axis: usize| arguments.get(axis).map_or(String::new(), |&text| text.to_owned());
            let split: Vec<[String; 3]> =
                terms.iter().map(|(_, arguments)| axes.map(|axis| argument(arguments, axis))).collect();
            let squares = squares(&split)?;
            let cells = terms.iter().map(|(term, _)| *term).zip(split).collect();
            let [first, second, _] = axes;
            Some(Self { function, cells, squares, axes: [first, second] })
        })
    }
}

/// Per board its columns and rows. Boards with a square in common, also through others, share all of them. O(b² n) for b boards.
fn shared_axes(grids: &[Grid<'_>]) -> Vec<Axes> {
    let mut groups: Vec<(BTreeSet<&Square>, Vec<usize>)> = Vec::new();
    for (index, grid) in grids.iter().enumerate() {
        let mut squares: BTreeSet<&Square> = grid.squares.iter().collect();
        let mut members = vec![index];
        let (joined, apart) = groups.into_iter().partition(|(other, _)| !other.is_disjoint(&squares));
        groups = apart;
        let joined: Vec<(BTreeSet<&Square>, Vec<usize>)> = joined;
        for (other, indices) in joined {
            squares.extend(other);
            members.extend(indices);
        }
        groups.push((squares, members));
    }
    let mut axes = vec![Axes::default(); grids.len()];
    for (squares, members) in groups {
        let shared = Axes::of(squares.into_iter().map(|&(_, column, row)| (column, row)));
        for member in members {
            axes.get_mut(member).into_iter().for_each(|axes| axes.clone_from(&shared));
        }
    }
    axes
}

impl Picture {
    /// `initial` are the fluents that hold at first: what most places hold then is likely to be nothing. O(n log n).
    pub(crate) fn new(vocabulary: &Vocabulary, initial: &BTreeSet<String>) -> Self {
        let mut relations: Vec<Relation<'_>> = Vec::new();
        for Fluent { term, .. } in &vocabulary.fluents {
            let Some((function, arguments)) = split(term) else { continue };
            match relations.iter_mut().find(|(other, _)| *other == function) {
                Some((_, terms)) => terms.push((term, arguments)),
                None => relations.push((function, vec![(term, arguments)])),
            }
        }
        let roles: Vec<&str> = vocabulary.roles.iter().map(|role| role.name.as_str()).collect();
        let mut picture = Self::default();
        let grids: Vec<Grid<'_>> = relations.into_iter().filter_map(Grid::of).collect();
        for (grid, axes) in grids.iter().zip(shared_axes(&grids)) {
            picture.add(grid, &axes, (initial, &roles));
        }
        if let [only] = picture.boards.as_mut_slice() {
            only.title.clear();
        }
        picture
    }

    /// Adds the board of a relation.
    fn add(&mut self, grid: &Grid<'_>, axes: &Axes, (initial, roles): (&BTreeSet<String>, &[&str])) {
        let Grid { function, cells, squares, .. } = grid;
        let mut names: Vec<&str> = cells.iter().map(|(_, [_, _, piece])| piece.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let mut counts = vec![0; names.len()];
        for (term, [_, _, piece]) in cells {
            let at = names.binary_search(&piece.as_str()).ok().filter(|_| initial.contains(*term));
            at.and_then(|at| counts.get_mut(at)).into_iter().for_each(|count| *count += 1);
        }
        // A place of which no fluent holds.
        names.push("");
        counts.push(squares.len().saturating_sub(counts.iter().sum()));
        let (short, empty) = short_names(&names, &counts, roles);
        let nothing = names.len() - 1;
        let piece = |(index, ((name, short), player)): (usize, ((&&str, String), Option<String>))| Piece {
            name: (*name).to_owned(),
            is_empty: Some(index) == empty || index == nothing,
            short: if index == nothing && empty != Some(nothing) { "-".to_owned() } else { short },
            player,
        };
        let pieces = names.iter().zip(short).zip(namesakes(&names, roles)).enumerate().map(piece).collect();
        let Some(board) = Board::rectangle_on(axes, function, squares, pieces) else { return };
        let places: FxHashMap<&str, usize> =
            board.places.iter().zip(0..).map(|(place, index)| (place.name.as_str(), index)).collect();
        for (term, [first, second, piece]) in cells {
            let place = places.get(format!("{first} {second}").as_str());
            let piece = names.iter().zip(0..).find(|(name, _)| *name == piece);
            if let (Some(&place), Some((_, piece))) = (place, piece) {
                self.cells.insert((*term).to_owned(), (self.boards.len(), place, piece));
            }
        }
        self.boards.push(board);
        self.relations.push(((*function).to_owned(), grid.axes));
    }

    /// The boards, and all fluents that are not on them.
    pub(crate) fn scene(&self, vocabulary: &Vocabulary, state: &dyn StateView) -> Scene<'_> {
        let nothing = |board: &Board| u32::try_from(board.pieces.len()).ok().and_then(|count| count.checked_sub(1));
        let mut scene = Scene::default();
        for board in &self.boards {
            scene.boards.push(Setup { board, at: vec![nothing(board); board.places.len()], cursor: None });
        }
        for fluent in vocabulary.fluents.iter().filter(|fluent| holds(fluent, state)) {
            let slot = self.cells.get(&fluent.term).and_then(|&(board, place, piece)| {
                let setup = scene.boards.get_mut(board)?;
                let free = nothing(setup.board);
                let slot = setup.at.get_mut(place).filter(|slot| **slot == free)?;
                Some((slot, piece))
            });
            match slot {
                Some((slot, piece)) => *slot = Some(piece),
                None => scene.facts.push(Fact::alone("", &fluent.term)),
            }
        }
        scene
    }
}

/// Whether a fluent holds.
pub(crate) fn holds(fluent: &Fluent, state: &dyn StateView) -> bool {
    match &fluent.place {
        Place::Always => true,
        Place::Cell { variable, keys, value } => {
            let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
            state.get(variable, &keys) == Some(value)
        }
    }
}

/// The function of a term, and its arguments, if these are three constants.
fn split(term: &str) -> Option<(&str, [&str; 3])> {
    let inner = term.strip_prefix('(')?.strip_suffix(')')?;
    let mut words = inner.split(' ');
    let function = words.next().filter(|_| !inner.contains(['(', ')']))?;
    let arguments = [words.next()?, words.next()?, words.next()?];
    words.next().is_none().then_some((function, arguments))
}

/// Names (both coordinates), columns and rows of the squares, if the first two of the arguments are coordinates: numbers, letters, or names that
/// end with numbers; and nearly all of a rectangle of at least two by two, and at most [`MAX_SIDE`] by as many, is there. The one that is a letter is the column; otherwise the first.
fn squares(terms: &[[String; 3]]) -> Option<Vec<Square>> {
    let distinct: BTreeSet<(&str, &str)> = terms.iter().map(|[a, b, _]| (a.as_str(), b.as_str())).collect();
    let axis = |pick: fn(&(&str, &str)) -> String| {
        let words: BTreeSet<String> = distinct.iter().map(pick).collect();
        let numbers = words.iter().map(|word| number(word)).collect::<Option<Vec<_>>>()?;
        let kinds: BTreeSet<&str> = numbers.iter().map(|(prefix, _)| prefix.as_str()).collect();
        let is_letter = words.iter().all(|word| word.parse::<i64>().is_err() && word.len() == 1);
        let values: FxHashMap<String, i64> =
            words.iter().cloned().zip(numbers.iter().map(|(_, number)| *number)).collect();
        (kinds.len() == 1 && words.len() > 1).then_some((values, is_letter))
    };
    let (first, first_letters) = axis(|(a, _)| (*a).to_owned())?;
    let (second, second_letters) = axis(|(_, b)| (*b).to_owned())?;
    if 10 * distinct.len() < 6 * first.len() * second.len() || first.len().max(second.len()) > MAX_SIDE {
        return None;
    }
    let swapped = second_letters && !first_letters;
    let square = |(a, b): &(&str, &str)| {
        let (x, y) = (*first.get(*a)?, *second.get(*b)?);
        let (x, y) = if swapped { (y, x) } else { (x, y) };
        Some((format!("{a} {b}"), x, y))
    };
    distinct.iter().map(square).collect()
}

/// The number that a word is or ends with, or of a letter its place in the alphabet; and what is before it.
fn number(word: &str) -> Option<(String, i64)> {
    let mut letters = word.chars();
    if let (Some(letter), None) = (letters.next().filter(char::is_ascii_alphabetic), letters.next()) {
        return Some(("a".to_owned(), i64::from(u32::from(letter))));
    }
    let digits = word.len() - word.chars().rev().take_while(char::is_ascii_digit).count();
    let (prefix, number) = word.split_at_checked(digits)?;
    Some((prefix.to_owned(), number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(terms: &[[&str; 3]]) -> Option<Vec<Square>> {
        squares(&terms.iter().map(|term| term.map(str::to_owned)).collect::<Vec<_>>())
    }

    #[test]
    fn coordinates_are_recognised() {
        let found =
            names(&[["1", "1", "x"], ["1", "2", "x"], ["2", "1", "x"], ["2", "2", "o"], ["2", "2", "x"]]).unwrap();
        assert_eq!(found.len(), 4, "{found:?}");
        let found = names(&[["1", "a", "x"], ["1", "b", "x"], ["2", "a", "x"], ["2", "b", "x"]]).unwrap();
        assert_eq!(found[1], ("1 b".to_owned(), 98, 1), "the letter is the column");
        assert_eq!(names(&[["x", "1", "p"], ["yy", "1", "p"], ["x", "2", "q"]]), None, "no order");
        let groups: Vec<[String; 3]> =
            (0..246).map(|i| [format!("{}", 1 + i / 3), format!("{}", 1 + i % 3), "1".to_owned()]).collect();
        assert_eq!(squares(&groups), None, "82 rows");
        assert_eq!(split("(cell 1 2 x)"), Some(("cell", ["1", "2", "x"])));
        assert_eq!(split("(cell (s 1) 2 x)"), None);
    }
}
