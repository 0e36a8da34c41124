//! A name for every type.

use rg_ir::types::TypeKind;
use rg_ir::{Game, Span, Symbol, TypeId};
use rustc_hash::FxHashMap;

/// Finds a declared name for a type expression, or declares one.
///
/// Equal expressions share a name; the symbols of a set count in their order, which matters for the choice of any. Names
/// that are made up consist of the names of the parts (`Place_to_Piece`, `Set_2`).
pub struct TypeNames {
    names: FxHashMap<TypeId, Symbol>,
}

impl TypeNames {
    /// Knows the types that are declared as a set, or as a map between names. O(declarations).
    pub fn new(game: &Game) -> Self {
        let mut names = FxHashMap::default();
        for decl in game.type_decls.values() {
            if !matches!(game.types.kind(decl.definition), TypeKind::Name(_)) {
                names.entry(decl.definition).or_insert(decl.name);
            }
        }
        Self { names }
    }

    /// The type as a name. O(length of the type).
    pub fn name(&mut self, game: &mut Game, ty: TypeId) -> TypeId {
        let (keys, mut named) = self.keys(game, ty);
        for key in keys.into_iter().rev() {
            named = self.arrow(game, key, named);
        }
        named
    }

    /// The type with its parts as names: a map between names, a set, or a name. O(length of the type).
    pub fn flat(&mut self, game: &mut Game, ty: TypeId) -> TypeId {
        let TypeKind::Arrow(key, value) = *game.types.kind(ty) else { return ty };
        let (key, value) = (self.name(game, key), self.name(game, value));
        game.types.arrow(key, value)
    }

    /// The keys along the arrows of a type, outermost first, and what is behind the last one, as names.
    fn keys(&mut self, game: &mut Game, mut ty: TypeId) -> (Vec<TypeId>, TypeId) {
        let mut keys = Vec::new();
        loop {
            match *game.types.kind(ty) {
                TypeKind::Name(_) => return (keys, ty),
                TypeKind::Set(_) => return (keys, self.known_or_new(game, ty, "Set".to_owned())),
                TypeKind::Arrow(key, value) => {
                    // A key is a set; anything else is an error that the checker reports.
                    let key = match game.types.kind(key) {
                        TypeKind::Set(_) => self.known_or_new(game, key, "Set".to_owned()),
                        TypeKind::Name(_) | TypeKind::Arrow(..) => key,
                    };
                    keys.push(key);
                    ty = value;
                }
            }
        }
    }

    fn arrow(&mut self, game: &mut Game, key: TypeId, value: TypeId) -> TypeId {
        let text = |ty: TypeId| match *game.types.kind(ty) {
            TypeKind::Name(name) => game.name(name),
            TypeKind::Set(_) | TypeKind::Arrow(..) => "Map",
        };
        let stem = format!("{}_to_{}", text(key), text(value));
        // A map of maps of maps would be called by all of them.
        let stem = if stem.len() > 60 { "Map".to_owned() } else { stem };
        let ty = game.types.arrow(key, value);
        self.known_or_new(game, ty, stem)
    }

    fn known_or_new(&mut self, game: &mut Game, ty: TypeId, stem: String) -> TypeId {
        let name = match self.names.get(&ty) {
            Some(&name) => name,
            None => {
                let name = game.fresh_name(&stem);
                game.add_type(name, ty, Span::NONE);
                self.names.insert(ty, name);
                name
            }
        };
        game.types.name(name)
    }
}
