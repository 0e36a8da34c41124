//! Moves and states in terms of RBG (section 14 of the specification).

mod embed;
mod hexagons;
mod modifiers;
mod moves;
mod picture;
mod readings;
mod rotations;

use crate::ast::Description;
use modifiers::{Modifier, modifiers};
use moves::{Item, Pair};
use picture::Picture;
use rg_ir::notation::{Places, Reading, beginning};
use rg_ir::scene::{Board, Scene};
use rg_ir::{Notation, StateView};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// How players, pieces, vertices and variables are called in the translation, after this prefix.
pub(crate) const VERTEX: &str = "v_";
const PIECE: &str = "piece_";
const PLAYER: &str = "player_";
const VARIABLE: &str = "var_";

/// Notation of a game that came from RBG. It owns all it needs.
///
/// A move is the sequence of its modifiers, each after its vertex: `rx3y6[e] rx3y5->>`. Where two legal moves would
/// look alike, the modifiers in which they differ get their index: `rx0y0[x]#3`. A move may be given by its beginning
/// or by some of its vertices and modifiers in order, if that fits no other move; on rectangles also with board
/// coordinates (`d2 d3`); or in the numeric form of existing game managers, `59 1 51 2`: vertices numbered from 1 in
/// the order of their declaration, and indices.
#[derive(Clone, Debug)]
pub struct RbgNotation {
    vertices: Vec<String>,
    /// Names of vertices, and board coordinates.
    positions: FxHashMap<String, usize>,
    /// The modifiers by index, from 1.
    modifiers: Vec<Modifier>,
    picture: Picture,
    places: Places,
    /// The pieces on the board at the start.
    initial: FxHashSet<u32>,
}

impl RbgNotation {
    /// The notation of a description. Linear in its size.
    pub fn new(description: &Description) -> Self {
        let vertices: Vec<String> = description.board.vertices.iter().map(|v| v.name.text.clone()).collect();
        let picture = Picture::new(description);
        let mut positions: FxHashMap<String, usize> =
            picture.board.places.iter().zip(0..).map(|(place, position)| (place.label.clone(), position)).collect();
        // A vertex's own name wins over coordinates that look alike.
        positions.extend(vertices.iter().enumerate().map(|(position, name)| (name.clone(), position)));
        let places = Places::new(picture.board.places.iter().map(|place| (place.name.as_str(), place.label.as_str())));
        let initial = description.board.vertices.iter().map(|vertex| vertex.piece).collect();
        Self { positions, modifiers: modifiers(description), picture, vertices, places, initial }
    }

    fn pairs(&self, tags: &[&str]) -> Vec<Pair> {
        let mut pairs = Vec::with_capacity(tags.len() / 2);
        let mut tags = tags.iter().peekable();
        while let Some(tag) = tags.next() {
            let vertex = tag.strip_prefix(VERTEX).and_then(|name| self.positions.get(name)).copied();
            let index = tags.next_if(|tag| index(tag).is_some()).and_then(|tag| index(tag));
            pairs.push(Pair { vertex, index: index.unwrap_or(0) });
        }
        pairs
    }

    fn pair_text(&self, pair: &Pair, marked: bool) -> String {
        let vertex = pair.vertex.and_then(|v| self.vertices.get(v)).map_or("", String::as_str);
        let modifier = self.modifier(pair.index);
        if marked { format!("{vertex}{modifier}#{}", pair.index) } else { format!("{vertex}{modifier}") }
    }

    fn modifier(&self, index: usize) -> &str {
        self.modifiers.get(index).map_or("", |modifier| &modifier.text)
    }
}

/// The number in a tag `i<number>`.
pub(crate) fn index(tag: &str) -> Option<usize> {
    tag.strip_prefix('i')?.parse().ok()
}

impl Notation for RbgNotation {
    fn render_move(&self, tags: &[&str]) -> String {
        let texts: Vec<String> = self.pairs(tags).iter().map(|pair| self.pair_text(pair, false)).collect();
        texts.join(" ")
    }

    fn render_moves(&self, moves: &[Vec<&str>]) -> Vec<String> {
        let mut texts: Vec<String> = moves.iter().map(|tags| self.render_move(tags)).collect();
        let mut alike: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (position, text) in texts.iter().enumerate() {
            alike.entry(text).or_default().push(position);
        }
        let groups: Vec<Vec<usize>> = alike.into_values().filter(|group| group.len() > 1).collect();
        for group in groups {
            let pairs: Vec<Vec<Pair>> =
                group.iter().filter_map(|&position| Some(self.pairs(moves.get(position)?))).collect();
            let differs = moves::differing(&pairs);
            for (position, pairs) in group.into_iter().zip(&pairs) {
                let marked = pairs.iter().zip(&differs).map(|(pair, &differs)| self.pair_text(pair, differs));
                if let Some(text) = texts.get_mut(position) {
                    *text = marked.collect::<Vec<_>>().join(" ");
                }
            }
        }
        texts
    }

    fn parse_move(&self, text: &str, moves: &[Vec<&str>]) -> Result<usize, String> {
        let rendered = self.render_moves(moves);
        let wanted = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(exact) = rendered.iter().position(|m| *m == wanted) {
            return Ok(exact);
        }
        let pairs: Vec<Vec<Pair>> = moves.iter().map(|tags| self.pairs(tags)).collect();
        if let Some(only) = self.rotated(&wanted, &pairs) {
            return Ok(only);
        }
        let fits = |item: &Item, pair: &Pair| item.fits(pair, self.modifier(pair.index));
        let mut candidates = Vec::new();
        // One number is half of a pair at most: it is more likely that of a move in a list.
        let numbers = moves::numbers(&wanted).filter(|_| !self.positions.contains_key(&wanted));
        if let Some(numbers) = numbers.map(|numbers| if numbers.len() > 1 { numbers } else { Vec::new() }) {
            candidates = moves::candidates(&moves::numbered_items(&numbers), &pairs, fits);
        } else {
            for loose in [true, false] {
                let items = moves::items(&wanted, &self.positions, loose)?;
                candidates = moves::candidates(&items, &pairs, fits);
                if items.iter().all(Item::is_place) {
                    let pass = self.pass_among(&pairs);
                    candidates.retain(|&at| Some(at) != pass);
                }
                if !candidates.is_empty() {
                    break;
                }
            }
        }
        let named = |at: &usize| rendered.get(*at).map_or("", String::as_str);
        match candidates[..] {
            [only] => Ok(only),
            [ref first, ref second, ..] => Err(format!(
                "`{wanted}` is ambiguous: it fits {} moves, `{}` and `{}` among them",
                candidates.len(),
                named(first),
                named(second)
            )),
            [] => rg_ir::notation::find_move(&wanted, &rendered),
        }
    }

    /// Coordinates on the board, too: `d` for all moves that begin in this column, or else come by there.
    fn begun(&self, text: &str, moves: &[Vec<&str>]) -> Vec<usize> {
        let found = beginning(text, &self.render_moves(moves));
        let wanted = text.trim();
        let end = wanted.char_indices().rev().take_while(|(_, letter)| letter.is_alphanumeric()).last();
        let (before, last) = wanted.split_at(end.map_or(wanted.len(), |(at, _)| at));
        if !found.is_empty() || wanted.is_empty() {
            return found;
        }
        let last = last.to_lowercase();
        let names = self.positions.keys().filter(|name| !last.is_empty() && name.to_lowercase().starts_with(&last));
        let texts = names.map(|name| format!("{before}{name}")).chain(last.is_empty().then(|| before.to_owned()));
        let meant: Vec<_> = texts.filter_map(|text| moves::items(&text, &self.positions, true).ok()).collect();
        let pairs: Vec<Vec<Pair>> = moves.iter().map(|tags| self.pairs(tags)).collect();
        moves::begun(&meant, &pairs, |item, pair| item.fits(pair, self.modifier(pair.index)))
    }

    fn places(&self) -> Option<&Places> {
        Some(&self.places)
    }

    fn readings(&self, moves: &[Vec<&str>]) -> Vec<Reading> {
        self.all_readings(moves)
    }

    fn move_words(&self) -> &[&str] {
        &[readings::PASS]
    }

    fn render_player<'a>(&'a self, name: &'a str) -> &'a str {
        name.strip_prefix(PLAYER).unwrap_or(name)
    }

    fn render_cell(&self, variable: &str, keys: &[&str]) -> String {
        match (variable, keys) {
            ("board", [vertex]) => format!("the piece on `{}`", self.render_value(vertex)),
            ("pos", []) => "the current vertex".to_owned(),
            ("goals", [player]) => format!("the score of `{}`", self.render_player(player)),
            (_, []) => format!("the variable `{}`", variable.strip_prefix(VARIABLE).unwrap_or(variable)),
            (_, keys) => keys.iter().fold(format!("`{variable}"), |text, key| format!("{text}[{key}]")) + "`",
        }
    }

    fn render_value<'a>(&'a self, value: &'a str) -> &'a str {
        let names = [VERTEX, PLAYER, PIECE].iter().find_map(|kind| value.strip_prefix(kind));
        names.unwrap_or(value)
    }

    /// A modifier, which may be written like another one elsewhere, has its index behind it: `[whitepawn]#34`.
    fn render_tag<'a>(&'a self, tag: &'a str) -> Cow<'a, str> {
        match index(tag).map(|index| (index, self.modifier(index))).filter(|(_, text)| !text.is_empty()) {
            Some((index, text)) => Cow::Owned(format!("{text}#{index}")),
            None => Cow::Borrowed(self.render_value(tag)),
        }
    }

    fn boards(&self) -> &[Board] {
        std::slice::from_ref(&self.picture.board)
    }

    fn compared(&self) -> &[String] {
        &self.picture.compared
    }

    fn cursor(&self) -> Option<&str> {
        Some("pos")
    }

    fn scene(&self, state: &dyn StateView) -> Option<Scene<'_>> {
        Some(self.picture.scene(state))
    }
}
