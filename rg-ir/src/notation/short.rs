//! Moves in the shortest form that means no other legal move.

use super::places::column;
use rustc_hash::{FxHashMap, FxHashSet};

/// A part of a move, in the terms of people.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Item {
    /// The label of a place.
    Place(String),
    /// The piece that is put on the place before.
    Piece(String),
    /// Anything else.
    Word(String),
}

/// A move in the terms of people.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// All its parts, in order.
    pub items: Vec<Item>,
    /// Which of them, by index and in order, people name where that says enough: where a piece goes from and to.
    pub usual: Vec<usize>,
    /// Which of them, by index, are places that the move changes but where its piece does not come to stand, as where a piece is captured between two
    /// jumps.
    pub passed: Vec<usize>,
}

/// How much of a move people name in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Naming {
    /// The column of the only place, as where pieces fall down.
    Column,
    /// [`Reading::usual`].
    #[default]
    Usual,
    /// All places.
    Way,
}

/// A position of a play.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Position {
    /// All legal moves.
    pub moves: Vec<Reading>,
    /// The index of the one that was made.
    pub made: usize,
}

impl Naming {
    /// What fits a game, given plays of it: positions that follow each other. Linear.
    pub fn of(plays: &[Vec<Position>]) -> Self {
        // Of the moves with more places than the usual ones, those that go between the same ones another way.
        let (mut long_ones, mut unclear_ones) = (0, 0);
        for Position { moves, .. } in plays.iter().flatten() {
            let mut ways: FxHashMap<Vec<&Item>, FxHashSet<Vec<&Item>>> = FxHashMap::default();
            let long = || moves.iter().filter(|reading| reading.way().len() > reading.usual.len());
            long().for_each(|reading| {
                ways.entry(reading.usual().collect()).or_default().insert(reading.way());
            });
            let unclear = long()
                .filter(|reading| ways.get(&reading.usual().collect::<Vec<_>>()).is_some_and(|ways| ways.len() > 1));
            unclear_ones += unclear.count();
            long_ones += long().count();
        }
        match (pieces_fall(plays), 2 * unclear_ones > long_ones) {
            (true, _) => Naming::Column,
            (_, true) => Naming::Way,
            _ => Naming::Usual,
        }
    }
}

/// Landings that have to be seen before pieces are said to fall.
const LANDINGS: usize = 2;

/// Whether pieces fall in columns: each column has one place at most where a piece may be put, the next one in the same direction after one was put
/// there, and none again after it had none.
fn pieces_fall(plays: &[Vec<Position>]) -> bool {
    let mut steps = Vec::new();
    for play in plays {
        let Some(landings) = play.iter().map(Position::landings).collect::<Option<Vec<_>>>() else { return false };
        for ((position, before), after) in play.iter().zip(&landings).zip(landings.iter().skip(1)) {
            let put = position.moves.get(position.made).and_then(Reading::landing);
            for (column, &row) in after {
                match before.get(column) {
                    Some(&below) if put.is_some_and(|(put, _)| put == *column) => steps.push(row - below),
                    Some(&same) if same == row => {}
                    _ => return false,
                }
            }
        }
    }
    steps.len() >= LANDINGS && (steps.iter().all(|&step| step == 1) || steps.iter().all(|&step| step == -1))
}

impl Position {
    /// By column, the row where a piece may be put; `None` if something else may be done, or in several rows.
    fn landings(&self) -> Option<FxHashMap<&str, i64>> {
        let mut landings = FxHashMap::default();
        for reading in &self.moves {
            let (column, row) = reading.landing()?;
            if landings.insert(column, row).is_some() {
                return None;
            }
        }
        Some(landings)
    }
}

impl Reading {
    /// The column and the row, if one place is all there is to say.
    fn landing(&self) -> Option<(&str, i64)> {
        match self.usual().collect::<Vec<_>>()[..] {
            [Item::Place(label)] => {
                let column = column(label)?;
                Some((column, label.strip_prefix(column)?.parse().ok()?))
            }
            _ => None,
        }
    }

    /// With all parts as the usual ones.
    pub fn plain(items: Vec<Item>) -> Self {
        Self { usual: (0..items.len()).collect(), items, passed: Vec::new() }
    }

    pub(super) fn usual(&self) -> impl Iterator<Item = &Item> {
        self.usual.iter().filter_map(|&index| self.items.get(index))
    }

    /// The last of the usual parts that is a place.
    pub(super) fn target(&self) -> Option<&Item> {
        self.usual().filter(|item| matches!(item, Item::Place(_))).last()
    }

    /// Whether the move begins or ends at the place with this label, as it is usually written: not if it only changes what is there.
    pub(super) fn is_at(&self, label: &str) -> bool {
        let is_it = |item: &Item| matches!(item, Item::Place(place) if place == label);
        let first = self.usual().find(|item| matches!(item, Item::Place(_)));
        first.is_some_and(is_it) || self.target().is_some_and(is_it)
    }

    /// Whether the move changes the place with this label, but its piece comes to stand nowhere there.
    pub(super) fn passes(&self, label: &str) -> bool {
        let is_it = |item: &Item| matches!(item, Item::Place(place) if place == label);
        let mut there = (0..).zip(&self.items).filter(|(_, item)| is_it(item)).map(|(index, _)| index).peekable();
        there.peek().is_some() && there.all(|index| self.passed.contains(&index))
    }

    /// All places, and what else is usual; of equal neighbours one.
    pub(super) fn way(&self) -> Vec<&Item> {
        let wanted = |(index, item): &(usize, &Item)| matches!(item, Item::Place(_)) || self.usual.contains(index);
        let mut way: Vec<&Item> = self.items.iter().enumerate().filter(wanted).map(|(_, item)| item).collect();
        way.dedup();
        way
    }

    /// The labels of all places, in order; of equal neighbours one.
    pub fn places(&self) -> Vec<&str> {
        let labels = self.way().into_iter().filter_map(|item| match item {
            Item::Place(label) => Some(label.as_str()),
            Item::Piece(_) | Item::Word(_) => None,
        });
        labels.collect()
    }

    /// Whether people name several places of the move: it leads from one to another.
    pub(super) fn leads(&self) -> bool {
        self.usual().filter(|item| matches!(item, Item::Place(_))).count() > 1
    }

    /// The usual parts and those at some indices.
    fn with(&self, more: &[usize]) -> Vec<&Item> {
        let wanted = |(index, _): &(usize, &Item)| self.usual.contains(index) || more.contains(index);
        self.items.iter().enumerate().filter(wanted).map(|(_, item)| item).collect()
    }

    /// All places and the parts at some indices.
    fn way_with(&self, more: &[usize]) -> Vec<&Item> {
        let wanted = |(index, item): &(usize, &Item)| matches!(item, Item::Place(_)) || more.contains(index);
        let mut way: Vec<&Item> = self.items.iter().enumerate().filter(wanted).map(|(_, item)| item).collect();
        way.dedup();
        way
    }
}

/// A text of some parts: coordinates side by side, other places with `-` between them, pieces after `=`. `omitted` letters at the
/// beginning of a piece's name are left out.
fn text<'i>(items: impl IntoIterator<Item = &'i Item>, omitted: usize) -> String {
    let mut text = String::new();
    let mut last: Option<&str> = None;
    for item in items {
        match item {
            Item::Place(label) => {
                match last {
                    Some(before) if column(before).is_some() && column(label).is_some() => {}
                    Some(_) => text.push('-'),
                    None if text.is_empty() => {}
                    None => text.push(' '),
                }
                text.push_str(label);
            }
            Item::Piece(name) => {
                if !text.is_empty() {
                    text.push('=');
                }
                text.push_str(name.get(omitted..).unwrap_or(name));
            }
            Item::Word(word) => {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(word);
            }
        }
        last = match item {
            Item::Place(label) => Some(label),
            _ => None,
        };
    }
    text
}

/// The parts in which moves differ, by index; `None` if they are not made of the same parts.
fn differing(readings: &[&Reading]) -> Option<Vec<usize>> {
    let (first, rest) = readings.split_first()?;
    let kind = |reading: &Reading| reading.items.iter().map(std::mem::discriminant).collect::<Vec<_>>();
    let shape = kind(first);
    if rest.iter().any(|other| kind(other) != shape) {
        return None;
    }
    let differs = |&index: &usize| rest.iter().any(|other| other.items.get(index) != first.items.get(index));
    let differing: Vec<usize> = (0..first.items.len()).filter(differs).collect();
    // One of them may say it all.
    let alone = |&&index: &&usize| {
        let mut seen = FxHashSet::default();
        readings.iter().all(|reading| seen.insert(reading.items.get(index)))
    };
    let alone = differing.iter().find(alone).copied();
    Some(alone.map_or(differing, |index| vec![index]))
}

/// Whether a part of a name such as `wQueen` or `white_queen` begins at an offset, behind the first part.
pub(super) fn part_begins(name: &str, at: usize) -> bool {
    let Some((before, rest)) = name.split_at_checked(at) else { return false };
    let after_gap = before.ends_with('_') && rest.starts_with(char::is_alphanumeric);
    !before.is_empty() && (after_gap || rest.starts_with(char::is_uppercase))
}

/// How many letters of the names of pieces are left out: those that all have in common, up to the next part of the name. `wQ` and `wR` differ
/// in `Q` and `R`, `white_queen` and `white_rook` in `queen` and `rook`.
fn omitted(readings: &[&Reading], indices: &[usize]) -> usize {
    let pieces = readings.iter().flat_map(|reading| indices.iter().filter_map(|&index| reading.items.get(index)));
    let names: Vec<&str> =
        pieces.filter_map(|item| if let Item::Piece(name) = item { Some(name.as_str()) } else { None }).collect();
    let Some(first) = names.first() else { return 0 };
    let common = |&length: &usize| {
        names.iter().all(|name| name.get(..length) == first.get(..length) && part_begins(name, length))
    };
    (1..first.len()).rev().find(common).unwrap_or(0)
}

/// What tells moves apart that go the same way, in words, in their order; `None` if they do not, or nothing short tells them apart.
pub(super) fn choices(readings: &[&Reading]) -> Option<Vec<String>> {
    let (first, rest) = readings.split_first()?;
    let way = first.way_with(&[]);
    if rest.is_empty() || rest.iter().any(|other| other.way_with(&[]) != way) {
        return None;
    }
    let indices = differing(readings)?;
    let omitted = omitted(readings, &indices);
    let word = |reading: &&Reading| text(indices.iter().filter_map(|&index| reading.items.get(index)), omitted);
    let words: Vec<String> = readings.iter().map(word).collect();
    let distinct: FxHashSet<&str> = words.iter().map(String::as_str).collect();
    (distinct.len() == words.len() && !distinct.contains("")).then_some(words)
}

/// The moves of a position in short, each different from all others and from the `full` texts of all others. Linear.
pub(super) fn shorten(readings: &[Reading], full: &[String], naming: Naming) -> Vec<String> {
    let full_at = full.iter().map(String::as_str).zip(0..).collect();
    let mut names = Names { readings, short: vec![None; full.len()], full_at, taken: FxHashSet::default() };
    if naming == Naming::Column {
        names.try_each(|reading| Some(reading.landing()?.0.to_owned()));
    }
    if naming != Naming::Way {
        names.try_each(|reading| Some(text(reading.usual(), 0)));
    }
    names.try_each(|reading| Some(text(reading.way(), 0)));
    names.try_differing(Reading::with);
    names.try_differing(Reading::way_with);
    names.short.into_iter().zip(full).map(|(short, full)| short.unwrap_or_else(|| full.clone())).collect()
}

/// The moves of a position, some of which have got a short text.
struct Names<'m> {
    readings: &'m [Reading],
    short: Vec<Option<String>>,
    /// Which move has a full text.
    full_at: FxHashMap<&'m str, usize>,
    taken: FxHashSet<String>,
}

impl Names<'_> {
    /// The moves without a text.
    fn open(&self) -> impl Iterator<Item = (usize, &Reading)> {
        let open = |(index, _): &(usize, &Reading)| self.short.get(*index) == Some(&None);
        self.readings.iter().enumerate().filter(open)
    }

    /// Gives every move without a text this one, if it is its own.
    fn try_each(&mut self, text: impl Fn(&Reading) -> Option<String>) {
        let forms = self.open().filter_map(|(index, reading)| Some((index, text(reading)?))).collect();
        self.settle(forms);
    }

    /// As [`Names::try_each`], with texts of some parts and those in which moves differ that go the same way.
    fn try_differing(&mut self, parts: for<'r> fn(&'r Reading, &[usize]) -> Vec<&'r Item>) {
        let mut alike: FxHashMap<Vec<&Item>, Vec<(usize, &Reading)>> = FxHashMap::default();
        self.open().for_each(|(index, reading)| alike.entry(reading.way()).or_default().push((index, reading)));
        let mut forms = Vec::new();
        for group in alike.into_values().filter(|group| group.len() > 1) {
            let members: Vec<&Reading> = group.iter().map(|&(_, reading)| reading).collect();
            let Some(differing) = differing(&members) else { continue };
            let omitted = omitted(&members, &differing);
            forms.extend(group.iter().map(|&(index, reading)| (index, text(parts(reading, &differing), omitted))));
        }
        self.settle(forms);
    }

    fn settle(&mut self, forms: Vec<(usize, String)>) {
        let mut uses: FxHashMap<String, usize> = FxHashMap::default();
        forms.iter().for_each(|(_, form)| *uses.entry(form.clone()).or_default() += 1);
        for (index, form) in forms {
            let foreign = self.full_at.get(form.as_str()).is_some_and(|&other| other != index);
            if uses.get(&form) == Some(&1) && !foreign && !form.is_empty() && self.taken.insert(form.clone()) {
                self.short.get_mut(index).into_iter().for_each(|slot| *slot = Some(form.clone()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(label: &str) -> Item {
        Item::Place(label.to_owned())
    }

    fn piece(name: &str) -> Item {
        Item::Piece(name.to_owned())
    }

    /// From the first place to the last, with the other parts in between and behind.
    fn moved(items: Vec<Item>) -> Reading {
        let places = || (0..).zip(&items).filter(|(_, item)| matches!(item, Item::Place(_))).map(|(index, _)| index);
        let usual = places().next().into_iter().chain(places().last()).collect();
        Reading { usual, items, passed: Vec::new() }
    }

    fn short(readings: &[Reading], naming: Naming) -> Vec<String> {
        let full: Vec<String> = (0..readings.len()).map(|index| format!("full {index}")).collect();
        shorten(readings, &full, naming)
    }

    #[test]
    fn what_is_needed_is_named() {
        let promotion = |name| moved(vec![place("e7"), place("e8"), piece(name)]);
        let readings = [promotion("wQueen"), promotion("wRook"), moved(vec![place("a2"), place("a4")])];
        assert_eq!(short(&readings, Naming::Usual), ["e7e8=Queen", "e7e8=Rook", "a2a4"]);
        let chain = |over| moved(vec![place("a3"), place(over), place("e3")]);
        assert_eq!(short(&[chain("c5"), chain("c1")], Naming::Usual), ["a3c5e3", "a3c1e3"]);
        assert_eq!(short(&[chain("c5")], Naming::Usual), ["a3e3"]);
        assert_eq!(short(&[chain("c5")], Naming::Way), ["a3c5e3"]);
        assert_eq!(short(&[chain("c5"), chain("c5")], Naming::Usual), ["full 0", "full 1"]);
    }

    /// One play, by the places where a piece may be put, with the one where it was put first.
    fn play(positions: &[&[&str]]) -> Vec<Position> {
        let readings = |labels: &[&str]| labels.iter().map(|label| Reading::plain(vec![place(label)])).collect();
        positions.iter().map(|labels| Position { moves: readings(labels), made: 0 }).collect()
    }

    #[test]
    fn columns_are_named_where_pieces_fall() {
        let connect_four = play(&[&["a1", "b1", "c1"], &["a2", "b1", "c1"], &["b1", "a3", "c1"], &["b2", "c1"]]);
        assert_eq!(Naming::of(&[connect_four]), Naming::Column);
        let from_above = play(&[&["a12", "b12"], &["a11", "b12"], &["b12", "a10"], &["b11", "a10"]]);
        assert_eq!(Naming::of(&[from_above]), Naming::Column);
        let drop = |label: &str| Reading::plain(vec![place(label)]);
        assert_eq!(short(&[drop("a1"), drop("b3")], Naming::Column), ["a", "b"]);
        assert_eq!(short(&[drop("a1"), drop("a3")], Naming::Column), ["a1", "a3"]);
    }

    /// A piece that steps to another column is named by the place where it goes.
    #[test]
    fn places_are_named_where_pieces_do_not_fall() {
        // Nothing is known after one landing.
        assert_eq!(Naming::of(&[play(&[&["a1", "b1"], &["a2", "b1"]])]), Naming::Usual);
        // Several rows of a column; a column that is free again; a place that changes though nothing was put there.
        let stay = [
            play(&[&["a1", "b1"], &["a2", "b1"], &["a3", "a1"]]),
            play(&[&["a1", "b1"], &["a2"], &["a3", "b1"], &["a4", "b1"]]),
            play(&[&["a2", "b1"], &["b3", "c2"], &["c4", "d3"]]),
            play(&[&["a1", "b1"], &["a2", "b2"], &["a3", "b3"]]),
            play(&[&["a1", "b1"], &["a3", "b1"], &["a5", "b1"], &["a7", "b1"]]),
            play(&[&["a1", "b1"], &["a2", "b1"], &["a1", "b1"], &["a2", "b1"]]),
        ];
        for play in stay {
            assert_eq!(Naming::of(std::slice::from_ref(&play)), Naming::Usual, "{play:?}");
        }
    }

    /// One position in which a piece goes the same way in several ways is not what the game is like.
    #[test]
    fn ways_are_named_where_most_moves_need_them() {
        let way = |from: &str, over: &str| moved(vec![place(from), place(over), place("e3")]);
        let at = |moves: [Reading; 2]| Position { moves: moves.into(), made: 0 };
        let (several, one) = (at([way("a3", "c5"), way("a3", "c1")]), at([way("a3", "c5"), way("a7", "c5")]));
        assert_eq!(Naming::of(&[vec![several.clone(), one.clone()]]), Naming::Usual);
        assert_eq!(Naming::of(&[vec![several.clone(), one, several]]), Naming::Way);
    }

    #[test]
    fn nothing_short_is_the_full_text_of_another() {
        let readings = [Reading::plain(vec![place("a1")]), Reading::plain(vec![place("b1")])];
        let full = ["x".to_owned(), "a1".to_owned()];
        assert_eq!(shorten(&readings, &full, Naming::Usual), ["x", "b1"]);
    }

    #[test]
    fn choices_are_words() {
        let promotion = |name| moved(vec![place("e7"), place("e8"), piece(name)]);
        let (queen, rook, other) = (promotion("wQueen"), promotion("wRook"), moved(vec![place("e7"), place("d8")]));
        assert_eq!(choices(&[&queen, &rook]), Some(vec!["Queen".to_owned(), "Rook".to_owned()]));
        assert_eq!(choices(&[&queen, &other]), None);
        let (queen, rook) = (promotion("white_queen"), promotion("white_rook"));
        assert_eq!(choices(&[&queen, &rook]), Some(vec!["queen".to_owned(), "rook".to_owned()]));
    }
}
