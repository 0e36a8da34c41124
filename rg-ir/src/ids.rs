//! Typed indices: every table of a game is addressed by an id type of its own, so ids of different tables cannot be
//! mixed. Ids print with a prefix (`n12`, `e7`), for dumps and panics-free debugging.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A dense 32-bit index into one kind of table.
pub trait Id: Copy + Eq + Ord + fmt::Debug {
    /// The id of position `index`. Tables hold fewer than 2^32 entries; a larger index is clamped, and an access
    /// with it then fails as any access out of range does.
    fn from_index(index: usize) -> Self;
    /// The position this id stands for.
    fn index(self) -> usize;
}

macro_rules! define_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl Id for $name {
            #[inline]
            fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(self, f)
            }
        }
    };
}

define_id!(/** An interned name: a symbol, tag, or the name of a declaration. */ Symbol, "s");
define_id!(/** A type expression, hash-consed in [`crate::Types`]. */ TypeId, "t");
define_id!(/** A `type` declaration. */ TypeDeclId, "td");
define_id!(/** A `const` declaration. */ ConstId, "c");
define_id!(/** A `var` declaration. */ VarId, "v");
define_id!(/** An expression, hash-consed in [`crate::Exprs`]. */ ExprId, "x");
define_id!(/** A node of the automaton. */ NodeId, "n");
define_id!(/** An edge of the automaton. */ EdgeId, "e");
define_id!(/** Something with a name, in an [`crate::index::Index`]. */ EntityId, "d");
define_id!(/** A part of a text, in an [`crate::index::Index`]. */ ItemId, "i");

/// A vector indexed by one id type.
#[derive(Clone, PartialEq, Eq)]
pub struct IdVec<I, T> {
    items: Vec<T>,
    id: PhantomData<I>,
}

impl<I: Id, T> IdVec<I, T> {
    /// An empty table.
    pub fn new() -> Self {
        Self { items: Vec::new(), id: PhantomData }
    }

    /// `len` copies of `value`: a side table for another table of that length.
    pub fn filled(value: T, len: usize) -> Self
    where
        T: Clone,
    {
        Self { items: vec![value; len], id: PhantomData }
    }

    /// Appends an entry and returns its id.
    pub fn push(&mut self, value: T) -> I {
        let id = I::from_index(self.items.len());
        self.items.push(value);
        id
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether the table has no entries.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The entry, if `id` is in range.
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    /// The entry for change, if `id` is in range.
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.items.get_mut(id.index())
    }

    /// All ids, ascending.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }

    /// All entries with their ids, ascending.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(i, v)| (I::from_index(i), v))
    }

    /// All entries, ascending by id.
    pub fn values(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// All entries for change, ascending by id.
    pub fn values_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }
}

impl<I: Id, T> Default for IdVec<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I, T: fmt::Debug> fmt::Debug for IdVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.items.fmt(f)
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Id, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(iter: It) -> Self {
        Self { items: iter.into_iter().collect(), id: PhantomData }
    }
}
