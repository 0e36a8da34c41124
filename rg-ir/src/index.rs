//! The names of a text and where they stand: what editors ask about a description, in the terms of no language.
//!
//! Each front end fills an [`Index`] from what its own parser has read, by means of a [`Builder`]; texts with mistakes have one as well. What has a
//! name is an [`Entity`], each place where the name stands is a [`Use`]. All places are byte ranges of the one text.

mod builder;
mod docs;
mod kind;
mod show;
#[cfg(test)]
mod tests;

pub use builder::Builder;
pub use docs::Docs;
pub use kind::{Class, EntityKind, Role};

use crate::ids::{EntityId, IdVec, ItemId};
use crate::source::Span;

/// Something with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entity {
    /// How it is spelt.
    pub name: String,
    /// What it is.
    pub kind: EntityKind,
    /// Where its name stands first, or where it is declared; [`Span::NONE`] for what the language declares.
    pub span: Span,
    /// The part of its declaration that tells what it is, to be shown as code: `const up: Cell -> CellOrOff`. May be [`Span::NONE`].
    pub signature: Span,
    /// What else is to be said about it, in a few words; may be empty.
    pub detail: String,
    /// What it takes, in order, each as it is to be shown: the name of a parameter, with its type if it has one.
    pub parameters: Vec<String>,
    /// The comment that describes it, if there is one; else [`Span::NONE`].
    pub doc: Span,
    /// Where it can be named; [`Span::NONE`] stands for the whole text.
    pub scope: Span,
    /// Why it cannot be given another name, if so, as in `it is a number`.
    pub fixed: Option<&'static str>,
}

impl Entity {
    /// An entity whose name stands at `span`, visible everywhere.
    pub fn new(kind: EntityKind, name: impl Into<String>, span: Span) -> Self {
        let none = Span::NONE;
        Self {
            name: name.into(),
            kind,
            span,
            signature: none,
            detail: String::new(),
            parameters: Vec::new(),
            doc: none,
            scope: none,
            fixed: None,
        }
    }

    /// Whether it can be named at this place.
    pub fn is_visible(&self, offset: u32) -> bool {
        !self.scope.is_some() || (self.scope.start <= offset && offset <= self.scope.end)
    }
}

/// A place where a name stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// The place.
    pub span: Span,
    /// What is named.
    pub entity: EntityId,
    /// What is done with it there.
    pub role: Role,
}

/// Something that takes arguments, and is given some.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The place from the name to the closing bracket.
    pub span: Span,
    /// What is called.
    pub callee: EntityId,
    /// Where the arguments stand.
    pub arguments: Vec<Span>,
}

/// A part of a text that an outline shows and that can be folded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// What it declares.
    pub kind: EntityKind,
    /// The whole of it.
    pub span: Span,
    /// The place of its name.
    pub selection: Span,
    /// The part that it is in.
    pub parent: Option<ItemId>,
}

/// A remark that an editor shows within the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// The byte that it is shown before.
    pub offset: u32,
    /// What it says.
    pub text: String,
}

/// What may stand at a place of a text, for whoever writes there.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Expected {
    /// Where the word begins that is being written.
    pub start: u32,
    /// Reserved words.
    pub words: Vec<String>,
    /// What some of the words are usually followed by.
    pub templates: Vec<Template>,
    /// Kinds of names.
    pub kinds: Vec<EntityKind>,
    /// Names that are likelier than others, such as values of the type that is wanted, and variables of that type.
    pub likely: Vec<String>,
    /// The argument that stands here, where that is known: names that have stood there elsewhere are likely.
    pub slot: Option<Slot>,
    /// Whether names that take arguments have no place here, as there is no bracket for them.
    pub without_arguments: bool,
}

/// An argument of a call that is being written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// What is called, and all else that takes the same there. Upper and lower case are the same.
    pub callees: Vec<String>,
    /// The number of the argument.
    pub argument: usize,
}

/// A word with what usually follows, to be written at once and then changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    /// The word that it begins with.
    pub word: String,
    /// All of it.
    pub parts: Vec<TemplatePart>,
}

/// A part of a [`Template`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TemplatePart {
    /// What stays.
    Fixed(String),
    /// What the author replaces, with something to begin with.
    Hole(String),
}

impl Template {
    /// A template from a text with `«…»` around what the author replaces.
    pub fn new(word: &str, text: &str) -> Self {
        let mut parts = Vec::new();
        let (mut rest, mut inside) = (text, false);
        while !rest.is_empty() {
            let (part, behind) = rest.split_once(if inside { '»' } else { '«' }).unwrap_or((rest, ""));
            if !part.is_empty() {
                parts.push(if inside {
                    TemplatePart::Hole(part.to_owned())
                } else {
                    TemplatePart::Fixed(part.to_owned())
                });
            }
            (rest, inside) = (behind, !inside);
        }
        Self { word: word.to_owned(), parts }
    }
}

/// How the arguments of a call are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallForm {
    /// `name(one; two)`, with that character between the arguments.
    Brackets(char),
    /// `(name one two)`.
    List,
}

/// The names of a text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Index {
    entities: IdVec<EntityId, Entity>,
    uses: Vec<Use>,
    calls: Vec<Call>,
    items: IdVec<ItemId, Item>,
    tokens: Vec<(Span, Class)>,
    hints: Vec<Hint>,
    rules: Option<Span>,
    /// Bytes of the longest use.
    longest: u32,
}

impl Index {
    /// Everything that has a name, in the order in which it was found.
    pub fn entities(&self) -> &IdVec<EntityId, Entity> {
        &self.entities
    }

    /// All places where names stand, by where they begin. Several may have one place: a token of a macro means what each call makes of it.
    pub fn uses(&self) -> &[Use] {
        &self.uses
    }

    /// All calls, by where they begin.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// The outline; parents come before what is in them.
    pub fn items(&self) -> &IdVec<ItemId, Item> {
        &self.items
    }

    /// What the text consists of, for colours: in order, and none overlaps another.
    pub fn tokens(&self) -> &[(Span, Class)] {
        &self.tokens
    }

    /// Remarks, by where they are shown.
    pub fn hints(&self) -> &[Hint] {
        &self.hints
    }

    /// Where the rules of the game begin: their title, or the first of them.
    pub fn rules(&self) -> Option<Span> {
        self.rules
    }

    /// An entity of this index.
    pub fn entity(&self, id: EntityId) -> Option<&Entity> {
        self.entities.get(id)
    }

    /// The uses that a cursor before byte `offset` touches, in order. Logarithmic, if no use is very long.
    pub fn at(&self, offset: u32) -> impl Iterator<Item = &Use> {
        let end = self.uses.partition_point(|used| used.span.start <= offset);
        let first = offset.saturating_sub(self.longest);
        let start = self.uses.partition_point(|used| used.span.start < first);
        self.uses.get(start..end).unwrap_or_default().iter().filter(move |used| used.span.end >= offset)
    }

    /// What a cursor before byte `offset` is at: of the uses there, those of the shortest place, and of two that touch there, the one that begins there.
    pub fn names_at(&self, offset: u32) -> Vec<Use> {
        let rank = |used: &Use| (used.span.end == offset, used.span.end - used.span.start);
        let best = self.at(offset).map(rank).min();
        self.at(offset).filter(|used| Some(rank(used)) == best).copied().collect()
    }

    /// Where an entity is named, in order. Linear.
    pub fn uses_of(&self, entity: EntityId) -> impl Iterator<Item = &Use> {
        self.uses.iter().filter(move |used| used.entity == entity)
    }

    /// Where an entity is declared, or else where it is named first.
    pub fn declarations(&self, entity: EntityId) -> Vec<Span> {
        let declared = self.uses_of(entity).filter(|used| used.role == Role::Definition).map(|used| used.span);
        let mut declared: Vec<Span> = declared.collect();
        if declared.is_empty() {
            declared.extend(self.entity(entity).map(|entity| entity.span).filter(|span| span.is_some()));
        }
        declared
    }

    /// What can be named at a place.
    pub fn visible(&self, offset: u32) -> impl Iterator<Item = &Entity> {
        self.entities.values().filter(move |entity| entity.is_visible(offset))
    }

    /// The call whose brackets a place is in, the innermost one, and the number of the argument.
    pub fn call_at(&self, offset: u32) -> Option<(&Call, usize)> {
        let around = self.calls.iter().filter(|call| call.span.start < offset && offset < call.span.end);
        let call = around.min_by_key(|call| call.span.end - call.span.start)?;
        Some((call, call.arguments.iter().take_while(|argument| argument.end < offset).count()))
    }

    /// The items that a place is in, outermost first.
    pub fn items_at(&self, offset: u32) -> impl Iterator<Item = &Item> {
        self.items.values().filter(move |item| item.span.start <= offset && offset <= item.span.end)
    }
}
