//! Types with all aliases resolved once, and the relations between them (section 5.1) with a memo.

use crate::game::Game;
use crate::ids::{Id, IdVec, Symbol, TypeId};
use crate::types::TypeKind;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use rustc_hash::FxHashMap;

/// A way to compare two types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Relation {
    /// Sets share a symbol: the weak relation.
    Overlap,
    /// The first is part of the second: the strict relation.
    Subset,
    /// Both have the same symbols.
    Equal,
}

/// The structure behind a type expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Resolved {
    /// A set type; the id is that of the set expression itself.
    Set(TypeId),
    /// A map type with its key and value type.
    Arrow(TypeId, TypeId),
}

/// Resolved types of a game. Building it is linear in the number of type expressions.
pub(super) struct TypeFacts<'g> {
    game: &'g Game,
    resolved: IdVec<TypeId, Option<Resolved>>,
    /// Declarations that depend on each other in a cycle, one list of alias expressions per cycle.
    pub(super) cycles: Vec<Vec<TypeId>>,
    memo: FxHashMap<(Relation, TypeId, TypeId), bool>,
}

impl<'g> TypeFacts<'g> {
    pub(super) fn new(game: &'g Game) -> Self {
        let count = game.types.len();
        let mut facts =
            Self { game, resolved: IdVec::filled(None, count), cycles: Vec::new(), memo: FxHashMap::default() };
        let mut graph: DiGraph<TypeId, ()> = DiGraph::with_capacity(count, count);
        let nodes: Vec<_> = (0..count).map(|i| graph.add_node(TypeId::from_index(i))).collect();
        for i in 0..count {
            for part in facts.parts(TypeId::from_index(i)).into_iter().flatten() {
                if let (Some(&from), Some(&to)) = (nodes.get(i), nodes.get(part.index())) {
                    graph.add_edge(from, to, ());
                }
            }
        }
        // Components come with those they depend on first.
        for component in kosaraju_scc(&graph) {
            let cyclic = component.len() > 1 || component.first().is_some_and(|&n| graph.contains_edge(n, n));
            let mut members: Vec<TypeId> = component.iter().filter_map(|&n| graph.node_weight(n).copied()).collect();
            if cyclic {
                members.sort_unstable();
                facts.cycles.push(members);
            } else if let Some(&only) = members.first() {
                facts.resolved[only] = facts.resolve_one(only);
            }
        }
        facts.cycles.sort_unstable();
        facts
    }

    /// The expressions a type expression depends on.
    fn parts(&self, ty: TypeId) -> [Option<TypeId>; 2] {
        match self.game.types.kind(ty) {
            TypeKind::Name(name) => [self.definition(*name), None],
            TypeKind::Arrow(key, value) => [Some(*key), Some(*value)],
            TypeKind::Set(_) => [None, None],
        }
    }

    fn definition(&self, name: Symbol) -> Option<TypeId> {
        let decl = self.game.types.declaration(name)?;
        self.game.type_decls.get(decl).map(|decl| decl.definition)
    }

    fn resolve_one(&self, ty: TypeId) -> Option<Resolved> {
        match self.game.types.kind(ty) {
            TypeKind::Name(name) => self.get(self.definition(*name)?),
            TypeKind::Set(_) => Some(Resolved::Set(ty)),
            TypeKind::Arrow(key, value) => {
                self.get(*value)?;
                matches!(self.get(*key)?, Resolved::Set(_)).then_some(Resolved::Arrow(*key, *value))
            }
        }
    }

    /// The structure of a type; `None` if anything in it is wrong (which is reported where it is declared).
    pub(super) fn get(&self, ty: TypeId) -> Option<Resolved> {
        self.resolved.get(ty).copied().flatten()
    }

    /// The structure of a declared type, by name.
    pub(super) fn named(&self, name: &str) -> Option<Resolved> {
        self.get(self.definition(self.game.symbols.get(name)?)?)
    }

    /// The set behind a type.
    pub(super) fn set(&self, ty: TypeId) -> Option<TypeId> {
        match self.get(ty)? {
            Resolved::Set(set) => Some(set),
            Resolved::Arrow(..) => None,
        }
    }

    /// Key and value type of a map type.
    pub(super) fn arrow(&self, ty: TypeId) -> Option<(TypeId, TypeId)> {
        match self.get(ty)? {
            Resolved::Arrow(key, value) => Some((key, value)),
            Resolved::Set(_) => None,
        }
    }

    /// Members of a set type in listed order; empty for anything else.
    pub(super) fn members(&self, ty: TypeId) -> &'g [Symbol] {
        self.set(ty).map_or(&[], |set| match self.game.types.kind(set) {
            TypeKind::Set(members) => members,
            _ => &[],
        })
    }

    /// The names of the members, for suggestions.
    pub(super) fn member_names(&self, ty: TypeId) -> impl Iterator<Item = &'g str> + use<'g> {
        let game = self.game;
        self.members(ty).iter().map(|&symbol| game.name(symbol))
    }

    /// Whether `ty` is a set type with that member. O(log size).
    pub(super) fn contains(&self, ty: TypeId, symbol: Symbol) -> bool {
        self.set(ty).is_some_and(|set| self.game.types.contains(set, symbol))
    }

    /// Whether two types are in the relation; `true` if one of them is wrong anyway. Amortised by a memo.
    pub(super) fn related(&mut self, relation: Relation, mut a: TypeId, mut b: TypeId) -> bool {
        // Types without cycles end; a map's key is a set, so only the value side is followed.
        loop {
            let sets = match (self.get(a), self.get(b)) {
                (None, _) | (_, None) => return true,
                (Some(x), Some(y)) if x == y => return true,
                (Some(Resolved::Set(x)), Some(Resolved::Set(y))) => return self.sets(relation, x, y),
                (Some(Resolved::Arrow(key_a, value_a)), Some(Resolved::Arrow(key_b, value_b))) => {
                    (a, b) = (value_a, value_b);
                    (self.set(key_a), self.set(key_b))
                }
                _ => return false,
            };
            let (Some(x), Some(y)) = sets else { return true };
            if !self.sets(relation, x, y) {
                return false;
            }
        }
    }

    fn sets(&mut self, relation: Relation, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        let game = self.game;
        *self.memo.entry((relation, a, b)).or_insert_with(|| {
            let (a, b) = (game.types.sorted_members(a), game.types.sorted_members(b));
            let within = |a: &[Symbol], b: &[Symbol]| a.iter().all(|s| b.binary_search(s).is_ok());
            match relation {
                Relation::Overlap => {
                    let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
                    few.iter().any(|s| many.binary_search(s).is_ok())
                }
                Relation::Subset => within(a, b),
                Relation::Equal => within(a, b) && within(b, a),
            }
        })
    }
}
