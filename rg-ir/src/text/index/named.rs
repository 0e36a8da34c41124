//! What declarations name.

use super::Indexer;
use crate::ids::{EntityId, ItemId};
use crate::index::{Entity, EntityKind, Role};
use crate::source::Span;
use crate::text::ast::{ApplyTag, Body, Claim, Declaration, Expr, Head, Label, Name, SetType, Type, Value};

impl<'t> Indexer<'t> {
    /// Adds what all declarations name.
    pub(super) fn bodies(&mut self, declarations: &[Declaration<'t>]) {
        for declaration in declarations {
            match &declaration.body {
                Body::Type { ty, .. } => self.ty(ty),
                Body::Const { name, ty, value } => {
                    self.ty(ty);
                    self.value_named(value, Some(name.text));
                }
                Body::Var { ty, value, .. } => {
                    self.ty(ty);
                    self.value_named(value, None);
                }
                Body::Edge { source, target, label } => self.edge(*source, *target, label, declaration.span),
                Body::Pragma(claim) => self.claim(claim, declaration.span),
            }
        }
        self.groups(declarations);
    }

    fn ty(&mut self, ty: &Type<'t>) {
        for part in ty.keys.iter().chain([&ty.last]) {
            match part {
                SetType::Name(name) => self.type_name(*name),
                // Members are declared; in edges and pragmas, where sets declare nothing, they are named.
                SetType::Set(members) => members.iter().for_each(|member| self.symbol(*member)),
            }
        }
    }

    fn type_name(&mut self, name: Name<'t>) {
        if let Some(&id) = self.types.get(name.text) {
            self.mention(id, name.span, Role::Read);
        }
    }

    /// A value of some type.
    fn symbol(&mut self, name: Name<'t>) {
        if !self.seen.contains(&name.span.start)
            && let Some(&id) = self.values.get(name.text)
        {
            self.mention(id, name.span, Role::Read);
        }
    }

    /// A value of a constant or variable. In its own value, the name of a constant is that of a symbol. Recursive over brackets.
    fn value_named(&mut self, value: &Value<'t>, owner: Option<&str>) {
        match value {
            Value::Name(name) if owner == Some(name.text) => self.symbol(*name),
            Value::Name(name) => self.name(*name, Role::Read),
            Value::Map { entries, .. } => {
                for entry in entries {
                    entry.key.iter().for_each(|key| self.symbol(*key));
                    self.value_named(&entry.value, owner);
                }
            }
        }
    }

    /// What a name stands for in an expression.
    fn meaning(&self, name: &str) -> Option<EntityId> {
        [&self.bound, &self.data, &self.values].iter().find_map(|names| names.get(name).copied())
    }

    fn name(&mut self, name: Name<'t>, role: Role) {
        if let Some(id) = self.meaning(name.text) {
            self.mention(id, name.span, role);
        }
    }

    /// An expression; what `role` is about is its head. Recursive over brackets.
    fn expr(&mut self, expr: &Expr<'t>, role: Role) {
        match &expr.head {
            Head::Name(name) => self.name(*name, role),
            Head::Cast { ty, inner } => {
                self.type_name(*ty);
                self.expr(inner, role);
            }
        }
        for access in &expr.accesses {
            self.expr(&access.key, Role::Read);
        }
    }

    fn node_named(&mut self, name: Name<'t>, role: Role) {
        let id = self.node(name.text, name.span);
        self.mention(id, name.span, role);
    }

    /// An edge. A node is declared by the first edge out of it, and extended by others.
    fn edge(&mut self, source: Name<'t>, target: Name<'t>, label: &Label<'t>, span: Span) {
        let id = self.node(source.text, source.span);
        let doc = self.docs.on(span);
        if source.text == "begin" {
            self.builder.rules(source.span);
        }
        let leaves = match self.builder.get_mut(id) {
            // The signature is the first edge out of it.
            Some(entity) if !entity.signature.is_some() => {
                (entity.signature, entity.span, entity.doc) = (span, source.span, doc);
                Role::Definition
            }
            _ => Role::Write,
        };
        self.mention(id, source.span, leaves);
        self.node_named(target, Role::Read);
        match label {
            Label::Skip => {}
            Label::Tag(tag) => self.tag(*tag),
            Label::TagVar(variable) => {
                if let Some(&id) = self.data.get(variable.text) {
                    self.mention(id, variable.span, Role::Read);
                }
            }
            Label::Reach { from, to, .. } => {
                self.node_named(*from, Role::Read);
                self.node_named(*to, Role::Read);
            }
            Label::Compare { lhs, rhs, .. } => {
                self.expr(lhs, Role::Read);
                self.expr(rhs, Role::Read);
            }
            Label::Assign { lhs, rhs } => {
                self.expr(lhs, Role::Write);
                self.expr(rhs, Role::Read);
            }
            Label::AssignAny { lhs, ty } => {
                self.expr(lhs, Role::Write);
                self.ty(ty);
            }
        }
    }

    /// A tag: the value of that name, if there is one.
    fn tag(&mut self, name: Name<'t>) {
        let id = *self
            .values
            .entry(name.text)
            .or_insert_with(|| self.builder.entity(Entity::new(EntityKind::Tag, name.text, name.span)));
        self.mention(id, name.span, Role::Read);
    }

    /// A pragma. Its numbers are not named.
    fn claim(&mut self, claim: &Claim<'t>, span: Span) {
        let nodes = |indexer: &mut Self, names: &[Name<'t>]| {
            names.iter().for_each(|name| indexer.node_named(*name, Role::Read));
        };
        match claim {
            Claim::ArtificialTag(tags) => tags.iter().for_each(|tag| self.tag(*tag)),
            Claim::Disjoint { node, targets, .. } => {
                self.node_named(*node, Role::Read);
                nodes(self, targets);
            }
            Claim::Integer { symbols, .. } => symbols.iter().for_each(|symbol| self.symbol(*symbol)),
            Claim::Iterator { nodes: of, variable } => {
                nodes(self, of);
                self.name(*variable, Role::Read);
            }
            Claim::Repeat { nodes: of, variables } => {
                nodes(self, of);
                variables.iter().for_each(|variable| self.name(*variable, Role::Read));
            }
            Claim::Unique(of) | Claim::TagIndex { nodes: of, .. } | Claim::TagMaxIndex { nodes: of, .. } => {
                nodes(self, of);
            }
            Claim::SimpleApply { from, to, tags, sets, .. } => {
                nodes(self, &[*from, *to]);
                tags.iter().for_each(|tag| self.apply_tag(tag, span));
                for set in sets {
                    self.expr(&set.lhs, Role::Write);
                    self.expr(&set.rhs, Role::Read);
                }
                self.bound.clear();
            }
            Claim::TranslatedFromRbg | Claim::Unknown(_) => {}
        }
    }

    /// A tag of a pragma, or a name that it binds, which is known within the pragma.
    fn apply_tag(&mut self, tag: &ApplyTag<'t>, scope: Span) {
        let Some(ty) = &tag.ty else { return self.tag(tag.name) };
        self.ty(ty);
        let ApplyTag { name, .. } = *tag;
        let entity = Entity { scope, ..Entity::new(EntityKind::Parameter, name.text, name.span) };
        let id = *self.bound.entry(name.text).or_insert_with(|| self.builder.entity(entity));
        self.mention(id, name.span, Role::Definition);
    }

    /// The outline has an entry for edges out of the same node that follow each other.
    fn groups(&mut self, declarations: &[Declaration<'t>]) {
        let mut group: Option<(Name<'t>, Span)> = None;
        for declaration in declarations {
            let source = match &declaration.body {
                Body::Edge { source, .. } => Some(*source),
                _ => None,
            };
            group = match (group, source) {
                (Some((name, span)), Some(source)) if name.text == source.text => {
                    Some((name, span.to(declaration.span)))
                }
                (earlier, next) => {
                    earlier.map(|(name, span)| self.group(name, span));
                    next.map(|name| (name, declaration.span))
                }
            };
        }
        group.map(|(name, span)| self.group(name, span));
    }

    fn group(&mut self, name: Name<'t>, span: Span) -> ItemId {
        self.builder.item(EntityKind::Node, name.text, (span, name.span), None)
    }
}
