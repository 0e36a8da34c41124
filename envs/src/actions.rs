//! Numbers for moves that are the same in all states of a game.

use crate::version::version;
use backend::Tag;
use passes::label_space;
use rg_ir::ids::Id;
use rg_ir::{Game, Pragma, Symbol};
use rustc_hash::FxHashMap;

/// Most moves that have numbers of their own; beyond that, a number for each is more than a mask of all of them can well hold.
pub(crate) const MAX_MOVES: usize = 4_096;

/// What an action is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActionKind {
    /// A whole move.
    Moves,
    /// A tag of a move: a move is made in several steps, as far as there is a choice. The last action says that the move is at its
    /// end, where it could also go on.
    Steps,
}

/// Which kind of actions is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Actions {
    /// Moves if there are at most 4,096, else steps. Labels of RBG name the way through the rules besides places, so that a move which wins has another label than
    /// one to the same place which does not: there, moves have the numbers of their places ([`Merging::Ranked`]).
    #[default]
    Auto,
    /// Moves, however many, up to some ten thousand.
    Moves,
    /// Steps.
    Steps,
    /// Moves, of which those that name the same places of boards one after the other are one action, whatever else they say. At most one of them may be legal at a time; if
    /// several are, that is an error when it happens ([`crate::EnvError::Alike`]).
    Places,
}

/// Which moves share a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Merging {
    /// None: each has its own.
    Apart,
    /// Those that name the same places, of which one may be legal at a time.
    Exclusive,
    /// Those that name the same places share consecutive numbers, as many as they are: the legal ones among them have the first of these, in the order of their labels. So
    /// a number tells nothing but places, unless several such moves are legal at once.
    Ranked,
}

/// Most moves where moves are asked for.
const MAX_MOVES_ASKED: usize = 1 << 16;

/// The actions of a game, numbered by the names of their tags. The numbers depend on the rules as they are written, and on nothing else.
#[derive(Debug)]
pub struct ActionSpace {
    kind: ActionKind,
    /// By number, the names of the tags.
    names: Vec<Vec<String>>,
    /// By the engine's tags; where moves share numbers, the first of these.
    numbers: FxHashMap<Box<[Tag]>, u32>,
    merging: Merging,
    /// Steps: the number of the action that takes a tag, by the engine's tags, and that which ends a move.
    steps: Vec<Option<u32>>,
    end: Option<u32>,
    /// All tags, by number, and their numbers.
    tags: Vec<String>,
    of_tags: FxHashMap<Tag, u32>,
    version: u64,
}

impl ActionSpace {
    /// The actions of a game as it was translated, for an engine that runs the game `run`; `is_place` says which tags are places. `None` if moves are wanted and there are
    /// too many.
    pub(crate) fn new(game: &Game, run: &Game, wanted: Actions, is_place: impl Fn(&str) -> bool) -> Option<Self> {
        let labels = match wanted {
            Actions::Auto => label_space::labels(game, MAX_MOVES),
            Actions::Moves | Actions::Places => Some(label_space::labels(game, MAX_MOVES_ASKED)?),
            Actions::Steps => None,
        };
        let kind = if labels.is_some() { ActionKind::Moves } else { ActionKind::Steps };
        let name = |&symbol: &Symbol| game.name(symbol).to_owned();
        let all: Vec<String> = label_space::tags(game).iter().map(name).collect();
        let mut names: Vec<Vec<String>> = match labels {
            Some(labels) => labels.iter().map(|label| label.iter().map(name).collect()).collect(),
            None => all.iter().map(|tag| vec![tag.clone()]).collect(),
        };
        let merging = match wanted {
            Actions::Places => Merging::Exclusive,
            Actions::Auto if kind == ActionKind::Moves && is_from_rbg(game) => Merging::Ranked,
            _ => Merging::Apart,
        };
        let labels = if merging == Merging::Apart { Vec::new() } else { names.clone() };
        let places = |label: &Vec<String>| places(label, &is_place);
        if merging != Merging::Apart {
            names = names.iter().map(places).collect();
        }
        names.sort_unstable();
        if merging != Merging::Ranked {
            names.dedup();
        }
        if kind == ActionKind::Steps {
            names.push(Vec::new());
        }
        let tag = |name: &String| run.symbols.get(name).map(|symbol| Tag(symbol.index() as u32));
        let tags = |names: &Vec<String>| names.iter().map(tag).collect::<Option<Box<[Tag]>>>();
        let mut numbers: FxHashMap<Box<[Tag]>, u32> = FxHashMap::default();
        if merging == Merging::Apart {
            numbers.extend(names.iter().zip(0..).filter_map(|(names, number)| Some((tags(names)?, number))));
        } else {
            let number = |label: &Vec<String>| {
                let places = places(label);
                u32::try_from(names.partition_point(|names| *names < places)).ok()
            };
            numbers.extend(labels.iter().filter_map(|label| Some((tags(label)?, number(label)?))));
        }
        let mut steps = vec![None; run.symbols.names().count()];
        for (tags, &number) in &numbers {
            if let [tag] = **tags
                && let Some(step) = steps.get_mut(tag.0 as usize)
            {
                *step = Some(number);
            }
        }
        let end = numbers.get(&[][..]).copied();
        let shared = (merging != Merging::Apart).then(|| (merging == Merging::Ranked, &labels));
        let version = version((kind == ActionKind::Moves, &names, shared));
        let of_tags = all.iter().zip(0..).filter_map(|(name, number)| Some((tag(name)?, number))).collect();
        Some(Self { kind, names, numbers, merging, steps, end, tags: all, of_tags, version })
    }

    /// What actions are.
    pub fn kind(&self) -> ActionKind {
        self.kind
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none: nobody ever moves.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// A number that changes if any action does.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Which moves share numbers.
    pub fn merging(&self) -> &Merging {
        &self.merging
    }

    /// The names of an action's tags, or of its places if several moves may be it; none for the action that ends a move.
    pub fn tags(&self, action: u32) -> &[String] {
        self.names.get(action as usize).map_or(&[], Vec::as_slice)
    }

    /// How many actions with the same places come before this one: not 0 only for those that are legal together with another such move ([`Merging::Ranked`]).
    pub fn rank(&self, action: u32) -> usize {
        let (tags, before) = (self.tags(action), self.names.get(..action as usize).unwrap_or(&[]));
        match self.merging {
            Merging::Ranked => before.iter().rev().take_while(|names| *names == tags).count(),
            Merging::Apart | Merging::Exclusive => 0,
        }
    }

    /// The names of all tags that moves may have, in order: what players of games with hidden information observe.
    pub fn all_tags(&self) -> &[String] {
        &self.tags
    }

    /// The place of one of the engine's tags among [`ActionSpace::all_tags`].
    pub fn tag_number(&self, tag: Tag) -> Option<u32> {
        self.of_tags.get(&tag).copied()
    }

    /// The number of a label, or of a tag; where moves share numbers, the first of these. O(tags).
    pub fn number(&self, tags: &[Tag]) -> Option<u32> {
        self.numbers.get(tags).copied()
    }

    /// Steps: the number of the action that takes a tag, or of the one that ends a move. O(1).
    pub(crate) fn step(&self, tag: Option<Tag>) -> Option<u32> {
        tag.map_or(self.end, |tag| self.steps.get(tag.0 as usize).copied().flatten())
    }
}

/// Whether labels name the way through the rules.
fn is_from_rbg(game: &Game) -> bool {
    game.pragmas.iter().any(|decl| decl.pragma == Pragma::TranslatedFromRbg)
}

/// The places that a label names, each once where it does so several times on end; the whole label if it names none.
fn places(label: &[String], is_place: impl Fn(&str) -> bool) -> Vec<String> {
    let mut places: Vec<String> = label.iter().filter(|name| is_place(name)).cloned().collect();
    places.dedup();
    if places.is_empty() { label.to_vec() } else { places }
}
