//! Numbers for moves that are the same in all states of a game.

use backend::Tag;
use passes::label_space;
use rg_ir::ids::Id;
use rg_ir::{Game, Symbol};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

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
    /// Moves if there are at most 4,096, else steps.
    #[default]
    Auto,
    /// Moves, however many, up to some ten thousand.
    Moves,
    /// Steps.
    Steps,
}

/// Most moves where moves are asked for.
const MAX_MOVES_ASKED: usize = 1 << 16;

/// The actions of a game, numbered by the names of their tags. The numbers depend on the rules as they are written, and on nothing else.
#[derive(Debug)]
pub struct ActionSpace {
    kind: ActionKind,
    /// By number, the names of the tags.
    names: Vec<Vec<String>>,
    /// By the engine's tags.
    numbers: FxHashMap<Box<[Tag]>, u32>,
    /// Steps: the number of the action that takes a tag, by the engine's tags, and that which ends a move.
    steps: Vec<Option<u32>>,
    end: Option<u32>,
    /// All tags, by number, and their numbers.
    tags: Vec<String>,
    of_tags: FxHashMap<Tag, u32>,
    version: u64,
}

impl ActionSpace {
    /// The actions of a game as it was translated, for an engine that runs the game `run`. `None` if moves are wanted and there are too
    /// many.
    pub(crate) fn new(game: &Game, run: &Game, wanted: Actions) -> Option<Self> {
        let labels = match wanted {
            Actions::Auto => label_space::labels(game, MAX_MOVES),
            Actions::Moves => Some(label_space::labels(game, MAX_MOVES_ASKED)?),
            Actions::Steps => None,
        };
        let kind = if labels.is_some() { ActionKind::Moves } else { ActionKind::Steps };
        let name = |&symbol: &Symbol| game.name(symbol).to_owned();
        let all: Vec<String> = label_space::tags(game).iter().map(name).collect();
        let mut names: Vec<Vec<String>> = match labels {
            Some(labels) => labels.iter().map(|label| label.iter().map(name).collect()).collect(),
            None => all.iter().map(|tag| vec![tag.clone()]).collect(),
        };
        names.sort_unstable();
        if kind == ActionKind::Steps {
            names.push(Vec::new());
        }
        let tag = |name: &String| run.symbols.get(name).map(|symbol| Tag(symbol.index() as u32));
        let tags = |names: &Vec<String>| names.iter().map(tag).collect::<Option<Box<[Tag]>>>();
        let numbers = names.iter().zip(0..).filter_map(|(names, number)| Some((tags(names)?, number))).collect();
        let numbers: FxHashMap<Box<[Tag]>, u32> = numbers;
        let mut steps = vec![None; run.symbols.names().count()];
        for (tags, &number) in &numbers {
            if let [tag] = **tags
                && let Some(step) = steps.get_mut(tag.0 as usize)
            {
                *step = Some(number);
            }
        }
        let end = numbers.get(&[][..]).copied();
        let mut hasher = FxHasher::default();
        (kind == ActionKind::Moves, &names).hash(&mut hasher);
        let of_tags = all.iter().zip(0..).filter_map(|(name, number)| Some((tag(name)?, number))).collect();
        Some(Self { kind, names, numbers, steps, end, tags: all, of_tags, version: hasher.finish() })
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

    /// The names of an action's tags; none for the action that ends a move.
    pub fn tags(&self, action: u32) -> &[String] {
        self.names.get(action as usize).map_or(&[], Vec::as_slice)
    }

    /// The names of all tags that moves may have, in order: what players of games with hidden information observe.
    pub fn all_tags(&self) -> &[String] {
        &self.tags
    }

    /// The place of one of the engine's tags among [`ActionSpace::all_tags`].
    pub fn tag_number(&self, tag: Tag) -> Option<u32> {
        self.of_tags.get(&tag).copied()
    }

    /// The number of a label, or of a tag. O(tags).
    pub(crate) fn number(&self, tags: &[Tag]) -> Option<u32> {
        self.numbers.get(tags).copied()
    }

    /// Steps: the number of the action that takes a tag, or of the one that ends a move. O(1).
    pub(crate) fn step(&self, tag: Option<Tag>) -> Option<u32> {
        tag.map_or(self.end, |tag| self.steps.get(tag.0 as usize).copied().flatten())
    }
}
