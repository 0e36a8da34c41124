//! Types: from their syntax to [`TypeId`]s, and the checks that need the places where types are named.

use super::ast::{self, Name, SetType};
use super::cycles;
use super::parse::MAX_NESTING;
use super::resolve::Resolver;
use crate::diag::{Applies, Diagnostic, Edit, Fix};
use crate::ids::{Id, Symbol, TypeId};
use crate::source::Span;
use crate::types::TypeKind;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

/// A place where a type is named.
pub(crate) struct TypeUse {
    name: Symbol,
    span: Span,
    /// Whether it stands left of an arrow.
    key: bool,
    /// The brackets of a cast to it.
    cast: Option<[Span; 2]>,
}

impl Resolver<'_, '_> {
    pub(crate) fn ty(&mut self, ty: &ast::Type) -> TypeId {
        if ty.keys.len() > MAX_NESTING {
            let span =
                ty.keys.iter().find_map(|key| if let SetType::Name(name) = key { Some(name.span) } else { None });
            let message = format!("the type has {} arrows, expected at most {MAX_NESTING}", ty.keys.len());
            self.report.add(Diagnostic::error("RG053", span.unwrap_or(Span::NONE), message));
        }
        let mut id = self.set_type(&ty.last, false);
        for key in ty.keys.iter().take(MAX_NESTING).rev() {
            let key = self.set_type(key, true);
            id = self.game.types.arrow(key, id);
        }
        id
    }

    fn set_type(&mut self, ty: &SetType, key: bool) -> TypeId {
        let members = match ty {
            SetType::Name(name) => return self.type_name(name, key),
            SetType::Set(members) => members,
        };
        let mut seen: FxHashMap<Symbol, Span> = FxHashMap::default();
        let mut symbols = Vec::with_capacity(members.len());
        for member in members {
            let symbol = self.symbol(member);
            symbols.push(symbol);
            if let Some(earlier) = seen.insert(symbol, member.span) {
                let message = format!("symbol `{}` is listed twice in the set type", member.text);
                let error = Diagnostic::error("RG005", member.span, message).also(earlier, "listed here before");
                self.report.add(error.help("list every symbol once"));
            }
        }
        self.game.types.set(symbols)
    }

    fn type_name(&mut self, name: &Name, key: bool) -> TypeId {
        let symbol = self.symbol(name);
        self.type_uses.push(TypeUse { name: symbol, span: name.span, key, cast: None });
        self.game.types.name(symbol)
    }

    /// The type of a cast, which is all of `cast`, of what stands at `inner`.
    pub(crate) fn cast_type(&mut self, name: &Name, cast: Span, inner: Span) -> TypeId {
        let symbol = self.symbol(name);
        let open = Span { start: name.span.end, end: inner.start, ..cast };
        let close = Span { start: cast.end.saturating_sub(1), ..cast };
        self.type_uses.push(TypeUse { name: symbol, span: name.span, key: false, cast: Some([open, close]) });
        self.game.types.name(symbol)
    }

    /// Types that are named must exist, must not be defined by themselves, and as keys must be sets.
    pub(crate) fn check_types(&mut self) {
        let game = &self.game;
        let graph: Vec<Vec<usize>> = game.type_decls.values().map(|decl| self.mentions(decl.definition)).collect();
        let found = cycles::find(&graph);
        for cycle in &found.cycles {
            let mut decls = cycle.iter().filter_map(|&i| game.type_decls.get(Id::from_index(i)));
            let Some(first) = decls.find(|decl| decl.span.is_some()) else { continue };
            let message = format!("type `{}` is defined by itself", game.name(first.name));
            let error =
                Diagnostic::error("RG002", first.span, message).help("a type must come down to sets of symbols");
            self.report.add(decls.take(5).fold(error, |error, decl| error.also(decl.span, "by way of this one")));
        }
        let maps = self.maps(&found.order);
        for TypeUse { name, span, key, cast } in std::mem::take(&mut self.type_uses) {
            match self.game.types.declaration(name) {
                None => self.unknown_type(name, span, cast),
                Some(decl) if key && maps.contains(decl.index()) => {
                    let text = self.game.name(name);
                    let message = format!("keys of a map must be of a set type, but `{text}` is a map type");
                    let declared = self.game.type_decls.get(decl).map_or(Span::NONE, |decl| decl.span);
                    self.report.add(Diagnostic::error("RG003", span, message).also(declared, "declared here"));
                }
                Some(_) => {}
            }
        }
    }

    /// The declarations of map types. `order` goes bottom-up, so that long chains of aliases cost nothing.
    fn maps(&self, order: &[usize]) -> FixedBitSet {
        let types = &self.game.types;
        let mut maps = FixedBitSet::with_capacity(self.game.type_decls.len());
        for &i in order {
            let Some(decl) = self.game.type_decls.get(Id::from_index(i)) else { continue };
            let map = match types.kind(decl.definition) {
                TypeKind::Arrow(..) => true,
                TypeKind::Name(name) => types.declaration(*name).is_some_and(|alias| maps.contains(alias.index())),
                TypeKind::Set(_) => false,
            };
            maps.set(i, map);
        }
        maps
    }

    /// Reports a type that is not declared, unless its declaration is there but malformed.
    fn unknown_type(&mut self, name: Symbol, span: Span, cast: Option<[Span; 2]>) {
        let game = &self.game;
        let text = game.name(name);
        let is_known = !self.unknown.insert(name) && !self.is_whole;
        if is_known || self.broken.contains(text) || self.report.is_full() {
            return;
        }
        let error = Diagnostic::error("RG001", span, format!("unknown type `{text}`")).label("no type of that name");
        let what = match (game.find_var(name), game.find_const(name)) {
            (Some(_), _) => Some("variable"),
            (None, Some(_)) => Some("constant"),
            (None, None) => None,
        };
        if let (Some(what), Some([open, close])) = (what, cast) {
            let mut error = error.help(format!("`{text}` is a {what}: its values are written `{text}[key]`"));
            let edit = |span: Span, text: &str| Edit { span, instead_of: None, text: text.to_owned() };
            let edits = vec![edit(open, "["), edit(close, "]")];
            let ty = match (game.find_var(name), game.find_const(name)) {
                (Some(var), _) => game.vars.get(var).map(|decl| decl.ty),
                (None, id) => id.and_then(|id| game.consts.get(id)).map(|decl| decl.ty),
            };
            let is_map = ty.is_some_and(|ty| game.types.as_arrow(ty).is_some());
            let applies = if is_map { Applies::Always } else { Applies::Maybe };
            error.fixes.push(Fix { title: "write square brackets".to_owned(), edits, applies });
            return self.report.add(error);
        }
        self.report.add(error.suggest(text, game.type_decls.values().map(|decl| game.name(decl.name))));
    }

    /// The declarations that a type expression mentions.
    fn mentions(&self, ty: TypeId) -> Vec<usize> {
        let mut found = Vec::new();
        let mut stack = vec![ty];
        while let Some(ty) = stack.pop() {
            match self.game.types.kind(ty) {
                TypeKind::Name(name) => found.extend(self.game.types.declaration(*name).map(Id::index)),
                TypeKind::Arrow(key, value) => stack.extend([*value, *key]),
                TypeKind::Set(_) => {}
            }
        }
        found
    }
}
