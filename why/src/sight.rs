//! What is wrong with a move as far as a look at the board tells: where it begins, and where it ends.

use super::owners::Owners;
use super::signs::Signs;
use rg_ir::notation::Places;
use rg_ir::scene::Setup;

/// Moves that are named at most.
const NAMED: usize = 8;

/// The board, and the moves from one place to another.
pub struct Sight<'s> {
    signs: &'s Signs<'s>,
    places: &'s Places,
    setup: Setup<'s>,
    /// The player to move.
    mover: usize,
    /// Where each legal move from one place to another begins and ends, and its text.
    ways: Vec<(usize, usize, &'s str)>,
    /// Whether some legal moves name one place only.
    has_drops: bool,
    owners: Box<dyn Fn() -> &'s Owners + 's>,
}

impl<'s> Sight<'s> {
    /// The board and the player to move, the legal moves in short, and who can say whose pieces are. `None` where no move leads from one place to
    /// another, or such moves do not begin with a piece: only there a look at the board explains something. Linear in moves and places.
    pub fn new(
        signs: &'s Signs<'s>,
        (setup, mover): (Setup<'s>, usize),
        short: &'s [String],
        owners: impl Fn() -> &'s Owners + 's,
    ) -> Option<Self> {
        let places = signs.runner.loaded.notation.places()?;
        let mut sight =
            Self { signs, places, setup, mover, ways: Vec::new(), has_drops: false, owners: Box::new(owners) };
        for text in short {
            match named(places, text)[..] {
                [] => {}
                [_] => sight.has_drops = true,
                [first, .., last] => {
                    let (first, last) = (sight.index(first)?, sight.index(last)?);
                    sight.setup.piece(first)?;
                    sight.ways.push((first, last, text));
                }
            }
        }
        (!sight.ways.is_empty()).then_some(sight)
    }

    /// A place by its label.
    fn index(&self, label: &str) -> Option<usize> {
        self.setup.board.places.iter().position(|place| place.label == label)
    }

    /// What stands on a place; `None` if that is not known.
    fn kind(&self, place: usize) -> Option<u32> {
        self.setup.at.get(place).copied().flatten()
    }

    /// The name of what stands on a place.
    fn value(&self, kind: u32) -> &str {
        self.setup.board.pieces.get(kind as usize).map_or("", |piece| piece.name.as_str())
    }

    /// Whether a piece is the mover's own: legal moves begin with such a piece, or it is known to be.
    fn is_own(&self, kind: u32) -> bool {
        self.ways.iter().any(|&(first, ..)| self.kind(first) == Some(kind))
            || (self.owners)().owner(self.setup.board, kind) == Some(self.mover)
    }

    /// That a piece is another player's: `` holds `bP`, a piece of black, but white is to move ``.
    fn foreign(&self, kind: u32) -> Option<String> {
        if self.is_own(kind) {
            return None;
        }
        let owner = (self.owners)().owner(self.setup.board, kind)?;
        let runner = self.signs.runner;
        let name = |player: usize| runner.players().nth(player).unwrap_or_default();
        let (value, owner, mover) = (self.value(kind), name(owner), name(self.mover));
        let what = if value == owner { String::new() } else { format!("{}, ", self.signs.called(value)) };
        Some(format!("holds {what}a piece of {owner}, but {mover} is to move"))
    }

    /// What is wrong with the place where a move begins, if anything is.
    pub fn at_start(&self, text: &str) -> Option<String> {
        let (first, last) = match named(self.places, text)[..] {
            [first, .., last] => (first, last),
            _ => return None,
        };
        let place = self.index(first)?;
        let kind = self.kind(place)?;
        if self.setup.piece(place).is_none() {
            return Some(format!("`{text}` is not legal: `{first}` is empty\n"));
        }
        if let Some(foreign) = self.foreign(kind) {
            return Some(format!("`{text}` is not legal: `{first}` {foreign}\n"));
        }
        let ends = [(first, Some(kind)), (last, self.index(last).and_then(|place| self.kind(place)))];
        let value = |kind: Option<u32>| kind.map_or("", |kind| self.value(kind));
        if let Some((place, kind)) = ends.into_iter().find(|&(_, kind)| self.signs.is_gap(value(kind))) {
            return Some(format!("`{text}` is not legal: `{place}` {}\n", self.signs.there(value(kind))));
        }
        let is_round = first == last && named(self.places, text).len() == 2;
        (is_round && self.ways.iter().all(|(first, last, _)| first != last))
            .then(|| format!("`{text}` is not legal: it begins and ends at `{first}`\n"))
    }

    /// What is wrong with the place where a move ends, where no rule was found that leads there: there is a piece of one's own, on which no legal
    /// move ends; else what can be done from where the move begins, which `legal` has.
    pub fn at_end(&self, text: &str, legal: &[String]) -> Option<String> {
        let (first, last) = match named(self.places, text)[..] {
            [first, .., last] => (first, last),
            _ => return None,
        };
        let (from, to) = (self.index(first)?, self.index(last)?);
        let (begin, end) = (self.kind(from)?, self.kind(to)?);
        // Signs before the first place keep it from being the beginning of a legal move, but not its piece from moving.
        let ways: Vec<&str> = self.ways.iter().filter(|way| way.0 == from).map(|way| way.2).collect();
        let shown = if legal.is_empty() { listed(ways.iter()) } else { listed(legal.iter()) };
        if !shown.is_empty() {
            return Some(format!("`{text}` is not legal; legal moves from `{first}`: {shown}\n"));
        }
        let is_taken = |kind| self.signs.is_empty(self.value(kind)) || !self.is_own(kind);
        if !is_taken(end) && self.ways.iter().all(|&(_, last, _)| self.kind(last).is_none_or(is_taken)) {
            let there = self.signs.there(self.value(end));
            return Some(format!("`{text}` is not legal: `{last}` {there}, a piece of your own\n"));
        }
        let there = self.signs.there(self.value(begin));
        match self.is_own(begin) {
            true => Some(format!("`{text}` is not legal: `{first}` {there}, which has no legal move now\n")),
            false => Some(format!("`{text}` is not legal: `{first}` {there}, and no legal move begins there\n")),
        }
    }

    /// What can be done at a place, if a text is nothing else. Behind what has no legal move, `hint` says how to learn more.
    pub fn only_place(&self, text: &str, hint: &str) -> Option<String> {
        let (label, _) = self.places.begin(text.trim()).filter(|(_, rest)| rest.is_empty() && !self.has_drops)?;
        let place = self.index(label)?;
        let kind = self.kind(place)?;
        let from: Vec<&str> = self.ways.iter().filter(|way| way.0 == place).map(|way| way.2).collect();
        if let [_, ..] = from[..] {
            return Some(format!("legal moves begin with `{label}`: {}\n", listed(from.iter())));
        }
        if self.setup.piece(place).is_none() {
            let to: Vec<&str> = self.ways.iter().filter(|way| way.1 == place).map(|way| way.2).collect();
            let to = if to.is_empty() {
                "no legal move ends there".to_owned()
            } else {
                format!("legal moves that end there: {}", listed(to.iter()))
            };
            return Some(format!("`{label}` is empty; {to}\n"));
        }
        if let Some(foreign) = self.foreign(kind) {
            return Some(format!("`{label}` {foreign}\n"));
        }
        let there = self.signs.there(self.value(kind));
        match self.is_own(kind) {
            true => Some(format!("`{label}` {there}, which has no legal move now{hint}\n")),
            false => Some(format!("`{label}` {there}; no legal move begins there\n")),
        }
    }
}

/// How to learn more in a play on a terminal.
pub const HINT: &str = "; to learn why, type `why` and a whole move";

/// That a text names several places where all legal moves, in short, name one; `None` where they do not. Linear in the moves.
pub fn one_place(places: &Places, text: &str, short: &[String]) -> Option<String> {
    let example = short.first()?;
    let is_one = short.iter().all(|move_| named(places, move_).len() == 1);
    (is_one && named(places, text).len() > 1)
        .then(|| format!("`{text}` is not legal: a move names one place here, such as `{example}`\n"))
}

/// Some texts in quotes.
fn listed<T: AsRef<str>>(texts: impl ExactSizeIterator<Item = T>) -> String {
    let more = if texts.len() > NAMED { ", …" } else { "" };
    let shown: Vec<String> = texts.take(NAMED).map(|text| format!("`{}`", text.as_ref())).collect();
    shown.join(", ") + more
}

/// The places that a text names, in order. Of a word that is not one, the first letter may be a sign such as `x`.
pub fn named<'p>(places: &'p Places, text: &str) -> Vec<&'p str> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some(letter) = rest.chars().next() {
        let behind = rest.get(letter.len_utf8()..).unwrap_or_default();
        if let Some((label, behind)) = places.begin(rest) {
            found.push(label);
            rest = behind;
        } else if !letter.is_alphanumeric() || letter.is_alphabetic() && places.begin(behind).is_some() {
            rest = behind;
        } else {
            rest = rest.get(rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len())..).unwrap_or_default();
        }
    }
    found
}
