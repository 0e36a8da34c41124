//! Names that are bound in a part of a text: parameters, variables of patterns, ranges and loops.

use rg_ir::Span;
use rg_ir::ids::EntityId;
use rustc_hash::FxHashMap;

/// The bindings around a place: the innermost one, if there is any. The others follow from it.
pub(super) type Scope = Option<Binding>;

/// A binding of [`Locals`].
#[derive(Clone, Copy)]
pub(super) struct Binding(usize);

/// All bindings.
#[derive(Default)]
pub(super) struct Locals<'t> {
    /// Name, what it stands for, and the bindings around it.
    bindings: Vec<(&'t str, EntityId, Scope)>,
    /// Bindings of declarations that could not be parsed, with where they hold.
    broken: FxHashMap<&'t str, Vec<(Span, EntityId)>>,
}

impl<'t> Locals<'t> {
    /// Binds a name inside of a scope.
    pub(super) fn bind(&mut self, name: &'t str, id: EntityId, scope: Scope) -> Scope {
        self.bindings.push((name, id, scope));
        Some(Binding(self.bindings.len() - 1))
    }

    /// What a name is bound to, if it is. Linear in the bindings of the scope.
    pub(super) fn find(&self, name: &str, mut scope: Scope) -> Option<EntityId> {
        while let Some(Binding(at)) = scope {
            let (bound, id, outer) = self.bindings.get(at)?;
            if *bound == name {
                return Some(*id);
            }
            scope = *outer;
        }
        None
    }

    /// Binds a name in a part of the text that could not be parsed.
    pub(super) fn bind_within(&mut self, name: &'t str, id: EntityId, place: Span) {
        self.broken.entry(name).or_default().push((place, id));
    }

    /// What a name is bound to in what could not be parsed; the latest binding counts.
    pub(super) fn around(&self, name: &str, place: Span) -> Option<EntityId> {
        let holds = |bound: &&(Span, EntityId)| bound.0.start <= place.start && place.end <= bound.0.end;
        self.broken.get(name)?.iter().rev().find(holds).map(|(_, id)| *id)
    }
}
