//! Types: sets of symbols and maps between them (section 5). Type expressions are hash-consed.

use crate::ids::{IdVec, Symbol, TypeDeclId, TypeId};
use rustc_hash::FxHashMap;
use std::sync::RwLock;

/// A type expression as it was written: aliases stay visible, for printing.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// A reference to a `type` declaration, by name (the declaration may come later in the file).
    Name(Symbol),
    /// `{a, b, c}`: the symbols in the order in which they were listed. The order matters for default values and for
    /// the enumeration of `T(*)`, not for equality.
    Set(Box<[Symbol]>),
    /// `key -> value`.
    Arrow(TypeId, TypeId),
}

/// The structure of a type with all aliases resolved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Structure {
    /// A set of symbols, see [`Types::members`].
    Set,
    /// A map: key type (a set) and value type.
    Arrow(TypeId, TypeId),
}

/// All type expressions of a game, hash-consed: the same expression has the same id.
///
/// [`Types::resolve`] follows aliases. [`Types::same`] compares structures, ignoring the order of symbols.
#[derive(Clone, Debug, Default)]
pub struct Types {
    kinds: IdVec<TypeId, TypeKind>,
    ids: FxHashMap<TypeKind, TypeId>,
    /// For alias names: the id of the declared right-hand side.
    names: FxHashMap<Symbol, (TypeDeclId, TypeId)>,
    /// Sorted members, for set types (empty for others): membership is a binary search.
    sorted: IdVec<TypeId, Box<[Symbol]>>,
    /// What aliases with long chains behind them resolve to.
    resolved: Resolved,
}

/// A memo of [`Types::resolve`] for aliases with long chains behind them. It is emptied when an alias is declared.
#[derive(Debug, Default)]
struct Resolved(RwLock<FxHashMap<TypeId, Option<TypeId>>>);

impl Clone for Resolved {
    fn clone(&self) -> Self {
        Self(RwLock::new(self.0.read().map(|memo| memo.clone()).unwrap_or_default()))
    }
}

/// Steps along a chain of aliases after which the answer is remembered.
const LONG_CHAIN: usize = 8;

impl Types {
    /// The id of a type expression.
    pub fn intern(&mut self, kind: TypeKind) -> TypeId {
        if let Some(&id) = self.ids.get(&kind) {
            return id;
        }
        let sorted = match &kind {
            TypeKind::Set(members) => {
                let mut sorted = members.clone();
                sorted.sort_unstable();
                sorted
            }
            _ => Box::default(),
        };
        let id = self.kinds.push(kind.clone());
        self.sorted.push(sorted);
        self.ids.insert(kind, id);
        id
    }

    /// The type named `name`.
    pub fn name(&mut self, name: Symbol) -> TypeId {
        self.intern(TypeKind::Name(name))
    }

    /// The set type with these symbols in this order.
    pub fn set(&mut self, members: impl Into<Box<[Symbol]>>) -> TypeId {
        self.intern(TypeKind::Set(members.into()))
    }

    /// The map type `key -> value`.
    pub fn arrow(&mut self, key: TypeId, value: TypeId) -> TypeId {
        self.intern(TypeKind::Arrow(key, value))
    }

    /// The map type `key -> value`, if the game has it already.
    pub fn find_arrow(&self, key: TypeId, value: TypeId) -> Option<TypeId> {
        self.ids.get(&TypeKind::Arrow(key, value)).copied()
    }

    /// The expression as it was written.
    #[inline]
    pub fn kind(&self, id: TypeId) -> &TypeKind {
        &self.kinds[id]
    }

    /// Number of distinct type expressions.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Binds an alias. Used by [`crate::Game::add_type`].
    pub(crate) fn bind(&mut self, name: Symbol, decl: TypeDeclId, definition: TypeId) {
        self.names.entry(name).or_insert((decl, definition));
        self.forget_resolved();
    }

    fn forget_resolved(&mut self) {
        if let Ok(memo) = self.resolved.0.get_mut() {
            memo.clear();
        }
    }

    /// Forgets all aliases, for [`crate::Game::retain_declarations`] to bind those that stay.
    pub(crate) fn unbind_all(&mut self) {
        self.names.clear();
        self.forget_resolved();
    }

    /// The declaration an alias name refers to.
    pub fn declaration(&self, name: Symbol) -> Option<TypeDeclId> {
        self.names.get(&name).map(|&(decl, _)| decl)
    }

    /// Follows aliases to a set or an arrow. `None` if a name is not declared or an alias is defined by itself.
    /// Amortised constant: the answers for long chains are remembered.
    #[inline]
    pub fn resolve(&self, id: TypeId) -> Option<TypeId> {
        let mut at = id;
        for _ in 0..LONG_CHAIN {
            match self.kinds.get(at)? {
                TypeKind::Name(name) => at = self.names.get(name)?.1,
                TypeKind::Set(_) | TypeKind::Arrow(..) => return Some(at),
            }
        }
        self.resolve_far(at)
    }

    /// As [`Types::resolve`], with a memo for every alias on the way.
    #[cold]
    fn resolve_far(&self, id: TypeId) -> Option<TypeId> {
        let mut chain = Vec::new();
        let (mut at, mut known) = (id, None);
        while chain.len() <= self.names.len() {
            known = self.resolved.0.read().ok().and_then(|memo| memo.get(&at).copied());
            if known.is_some() {
                break;
            }
            match self.kinds.get(at) {
                Some(TypeKind::Name(name)) => {
                    chain.push(at);
                    let Some(&(_, next)) = self.names.get(name) else { break };
                    at = next;
                }
                Some(TypeKind::Set(_) | TypeKind::Arrow(..)) => {
                    known = Some(Some(at));
                    break;
                }
                None => break,
            }
        }
        let answer = known.flatten();
        if let Ok(mut memo) = self.resolved.0.write() {
            memo.extend(chain.into_iter().map(|alias| (alias, answer)));
        }
        answer
    }

    /// The structure behind all aliases; `None` as in [`Types::resolve`].
    #[inline]
    pub fn structure(&self, id: TypeId) -> Option<Structure> {
        match self.kinds.get(self.resolve(id)?)? {
            TypeKind::Set(_) => Some(Structure::Set),
            TypeKind::Arrow(key, value) => Some(Structure::Arrow(*key, *value)),
            TypeKind::Name(_) => None,
        }
    }

    /// The symbols of a set type in listed order; empty for anything else.
    #[inline]
    pub fn members(&self, id: TypeId) -> &[Symbol] {
        match self.resolve(id).and_then(|id| self.kinds.get(id)) {
            Some(TypeKind::Set(members)) => members,
            _ => &[],
        }
    }

    /// Whether `id` is a set type that holds `symbol`. O(log size).
    #[inline]
    pub fn contains(&self, id: TypeId, symbol: Symbol) -> bool {
        self.sorted_members(id).binary_search(&symbol).is_ok()
    }

    /// The symbols of a set type, ascending; empty for anything else.
    #[inline]
    pub fn sorted_members(&self, id: TypeId) -> &[Symbol] {
        self.resolve(id).and_then(|id| self.sorted.get(id)).map_or(&[], |sorted| sorted)
    }

    /// Whether `id` is a set type.
    #[inline]
    pub fn is_set(&self, id: TypeId) -> bool {
        self.structure(id) == Some(Structure::Set)
    }

    /// Key and value type, if `id` is a map type.
    #[inline]
    pub fn as_arrow(&self, id: TypeId) -> Option<(TypeId, TypeId)> {
        match self.structure(id)? {
            Structure::Arrow(key, value) => Some((key, value)),
            Structure::Set => None,
        }
    }

    /// Type equality: equal sets of symbols, componentwise for maps.
    pub fn same(&self, a: TypeId, b: TypeId) -> bool {
        self.relate(a, b, &|a, b| a == b)
    }

    /// The weak relation of section 5.1: sets share a symbol, maps are assignable componentwise. Symmetric.
    pub fn assignable(&self, a: TypeId, b: TypeId) -> bool {
        self.relate(a, b, &overlap)
    }

    /// The strict relation of section 5.1: `a` is a subset of `b`, componentwise for maps.
    pub fn subset(&self, a: TypeId, b: TypeId) -> bool {
        self.relate(a, b, &|a, b| a.iter().all(|s| b.binary_search(s).is_ok()))
    }

    fn relate(&self, mut a: TypeId, mut b: TypeId, sets: &dyn Fn(&[Symbol], &[Symbol]) -> bool) -> bool {
        // Keys are sets, so only the value side is followed; the bound stops on types that contain themselves.
        for _ in 0..=self.kinds.len() {
            if a == b && self.resolve(a).is_some() {
                return true;
            }
            match (self.structure(a), self.structure(b)) {
                (Some(Structure::Set), Some(Structure::Set)) => {
                    return sets(self.sorted_members(a), self.sorted_members(b));
                }
                (Some(Structure::Arrow(key_a, value_a)), Some(Structure::Arrow(key_b, value_b))) => {
                    if !self.is_set(key_a) || !self.is_set(key_b) {
                        return false;
                    }
                    if !sets(self.sorted_members(key_a), self.sorted_members(key_b)) {
                        return false;
                    }
                    (a, b) = (value_a, value_b);
                }
                _ => return false,
            }
        }
        false
    }
}

/// Whether two ascending lists share an element. Linear.
fn overlap(a: &[Symbol], b: &[Symbol]) -> bool {
    let (mut i, mut j) = (0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        match x.cmp(y) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => return true,
        }
    }
    false
}
