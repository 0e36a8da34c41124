//! What a text declares.

use super::{BUILT_IN, FEW, Indexer, MAX_SHOWN, NUMBER};
use crate::ids::{EntityId, ItemId};
use crate::index::{Entity, EntityKind, Role};
use crate::source::Span;
use crate::text::ast::{Body, Declaration, Name, SetType, Type, Value};
use crate::text::lexer::Token;
use crate::text::parse::Parsed;
use rustc_hash::FxHashMap;

/// Types that the language knows; it declares those that the text does not, but for the first two.
const TYPES: [&str; 6] = ["Player", "Score", "Bool", "Goals", "PlayerOrSystem", "Visibility"];
/// Variables that the language declares.
const VARIABLES: [&str; 3] = ["goals", "player", "visible"];
/// Values that the language knows.
const VALUES: [&str; 2] = ["keeper", "random"];
/// Types that are named as those of a value, at most.
const MAX_TYPES: usize = 4;

impl<'t> Indexer<'t> {
    /// Adds everything that is declared.
    pub(super) fn declarations(&mut self, parsed: &Parsed<'t>) {
        for declaration in &parsed.declarations {
            match &declaration.body {
                Body::Type { name, ty } => {
                    let item = self.declare(EntityKind::Type, *name, declaration, declaration.span.end);
                    self.outline(ty, item);
                    self.count(ty);
                }
                Body::Const { name, value, .. } => {
                    self.declare(EntityKind::Constant, *name, declaration, beginning(value));
                }
                Body::Var { name, value, .. } => {
                    self.declare(EntityKind::Variable, *name, declaration, beginning(value));
                }
                Body::Edge { .. } | Body::Pragma(_) => {}
            }
        }
        for broken in &parsed.broken {
            let kind = match broken.first {
                Token::Type => EntityKind::Type,
                Token::Const => EntityKind::Constant,
                Token::Var => EntityKind::Variable,
                _ => continue,
            };
            self.add(kind, broken.name, Entity::new(kind, broken.name.text, broken.name.span));
        }
        self.built_in();
        self.members(&parsed.declarations);
    }

    /// Adds what a declaration declares. What it is, is told by its text before byte `end`.
    fn declare(&mut self, kind: EntityKind, name: Name<'t>, declaration: &Declaration<'t>, end: u32) -> ItemId {
        let Declaration { span, .. } = *declaration;
        let head = self.text.get(span.start as usize..end as usize).unwrap_or_default();
        let head = head.trim_end_matches(|c: char| c == '=' || c == ';' || c.is_whitespace());
        let signature = Span::new(self.source, span.start as usize, span.start as usize + head.len());
        let doc = self.docs.on(span);
        let entity = Entity { signature, doc, ..Entity::new(kind, name.text, name.span) };
        self.add(kind, name, entity);
        self.builder.item(kind, name.text, (span, name.span), None)
    }

    /// The members of a set type in the outline.
    fn outline(&mut self, ty: &Type<'t>, item: ItemId) {
        if let ([], SetType::Set(members)) = (ty.keys.as_slice(), &ty.last) {
            for member in members.iter().take(MAX_SHOWN) {
                self.builder.item(EntityKind::Value, member.text, (member.span, member.span), Some(item));
            }
        }
    }

    /// Adds an entity and its declaration; a second one of that name is one more declaration of the first.
    fn add(&mut self, kind: EntityKind, name: Name<'t>, mut entity: Entity) {
        let (names, built_in) = match kind {
            EntityKind::Type => (&mut self.types, TYPES.contains(&name.text)),
            _ => (&mut self.data, VARIABLES.contains(&name.text)),
        };
        entity.fixed = built_in.then_some(BUILT_IN);
        let id = *names.entry(name.text).or_insert_with(|| self.builder.entity(entity));
        self.mention(id, name.span, Role::Definition);
    }

    /// Adds what the language declares, where the text does not.
    fn built_in(&mut self) {
        let implicit = |kind, name: &str| Entity {
            detail: "declared by the language".to_owned(),
            fixed: Some(BUILT_IN),
            ..Entity::new(kind, name, Span::NONE)
        };
        for name in TYPES.into_iter().skip(2) {
            self.types.entry(name).or_insert_with(|| self.builder.entity(implicit(EntityKind::Type, name)));
        }
        for name in VARIABLES {
            self.data.entry(name).or_insert_with(|| self.builder.entity(implicit(EntityKind::Variable, name)));
        }
        for name in VALUES {
            self.values.entry(name).or_insert_with(|| self.builder.entity(implicit(EntityKind::Value, name)));
        }
    }

    /// Adds the members of set types, wherever they stand. Each set declares its members.
    fn members(&mut self, declarations: &[Declaration<'t>]) {
        // The types of each value, in order.
        let mut of: FxHashMap<EntityId, Vec<&'t str>> = FxHashMap::default();
        for declaration in declarations {
            let (ty, named) = match &declaration.body {
                Body::Type { name, ty } => (ty, Some(name.text)),
                Body::Const { ty, .. } | Body::Var { ty, .. } => (ty, None),
                Body::Edge { .. } | Body::Pragma(_) => continue,
            };
            let named = named.filter(|_| ty.keys.is_empty());
            for set in ty.keys.iter().chain([&ty.last]) {
                let SetType::Set(members) = set else { continue };
                for member in members {
                    let id = self.value(*member);
                    self.mention(id, member.span, Role::Definition);
                    of.entry(id).or_default().extend(named);
                }
            }
        }
        for (id, types) in of {
            let named: Vec<String> = types.iter().take(MAX_TYPES).map(|name| format!("`{name}`")).collect();
            let more = if types.len() > MAX_TYPES { " and others" } else { "" };
            if let Some(entity) = self.builder.get_mut(id).filter(|_| !named.is_empty()) {
                entity.detail = format!("of {}{more}", named.join(", "));
            }
        }
    }

    /// A value, added if it is new.
    pub(super) fn value(&mut self, name: Name<'t>) -> EntityId {
        *self.values.entry(name.text).or_insert_with(|| {
            let number = name.text.bytes().all(|byte| byte.is_ascii_digit());
            let fixed = number.then_some(NUMBER);
            self.builder.entity(Entity { fixed, ..Entity::new(EntityKind::Value, name.text, name.span) })
        })
    }

    /// Says how many members a long set type has.
    fn count(&mut self, ty: &Type<'t>) {
        if let ([], SetType::Set(members)) = (ty.keys.as_slice(), &ty.last)
            && let Some(last) = members.last().filter(|_| members.len() > FEW)
        {
            self.builder.hint(last.span.end, format!(" // {} values", members.len()));
        }
    }
}

/// The first byte of a value, if it is long enough to be left out of what tells what a constant is.
fn beginning(value: &Value) -> u32 {
    match value {
        Value::Name(name) => name.span.end,
        Value::Map { span, .. } => span.start,
    }
}
