//! Writing JSON: straight from the game, without recursion, one declaration or edge per line.

use crate::automaton::{Edge, Label};
use crate::expr::Expr;
use crate::game::{ApplyTag, Game, Pragma};
use crate::ids::{ExprId, NodeId, Symbol, TypeId};
use crate::types::TypeKind;
use crate::value::Value;

/// The game as JSON (see the [module](super)). Deterministic; linear in the size of the text.
pub fn to_json(game: &Game) -> String {
    let mut writer = Writer { game, out: String::new() };
    writer.text("{\n  \"version\": ");
    writer.text(&super::VERSION.to_string());
    writer.section("pragmas", game.pragmas.iter(), |w, decl| w.pragma(&decl.pragma));
    let types = game.type_decls.values().filter(|decl| !decl.implicit);
    writer.section("types", types, |w, decl| {
        w.name_field("{\"name\":", decl.name);
        w.ty(",\"definition\":", decl.definition);
        w.text("}");
    });
    writer.section("constants", game.consts.values(), |w, decl| {
        w.name_field("{\"name\":", decl.name);
        w.ty(",\"type\":", decl.ty);
        w.value(",\"value\":", &decl.value);
        w.text("}");
    });
    let vars = game.vars.values().filter(|decl| !decl.implicit);
    writer.section("variables", vars, |w, decl| {
        w.name_field("{\"name\":", decl.name);
        w.ty(",\"type\":", decl.ty);
        w.value(",\"initial\":", &decl.initial);
        w.text("}");
    });
    writer.section("edges", game.automaton.edges(), |w, (_, edge)| w.edge(edge));
    writer.text("\n}\n");
    writer.out
}

struct Writer<'g> {
    game: &'g Game,
    out: String,
}

/// What is still to be written of a nested expression, type or value.
enum Part<'g> {
    Text(&'static str),
    Name(Symbol),
    Expr(ExprId),
    Type(TypeId),
    Value(&'g Value),
}

impl<'g> Writer<'g> {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// `"name": [ item, … ]`, an item per line.
    fn section<T>(&mut self, name: &str, items: impl Iterator<Item = T>, mut item: impl FnMut(&mut Self, T)) {
        self.text(",\n  \"");
        self.text(name);
        self.text("\": [");
        let mut separator = "\n    ";
        for one in items {
            self.text(separator);
            separator = ",\n    ";
            item(self, one);
        }
        self.text(if separator.starts_with(',') { "\n  ]" } else { "]" });
    }

    fn string(&mut self, text: &str) {
        self.out.push('"');
        for c in text.chars() {
            match c {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                c if c < ' ' => self.out.push_str(&format!("\\u{:04x}", u32::from(c))),
                c => self.out.push(c),
            }
        }
        self.out.push('"');
    }

    fn name(&mut self, name: Symbol) {
        let game = self.game;
        self.string(game.name(name));
    }

    fn name_field(&mut self, lead: &str, name: Symbol) {
        self.text(lead);
        self.name(name);
    }

    fn names(&mut self, lead: &str, names: &[Symbol]) {
        self.text(lead);
        self.list(names.iter(), |w, &name| w.name(name));
    }

    fn list<T>(&mut self, items: impl Iterator<Item = T>, mut item: impl FnMut(&mut Self, T)) {
        self.text("[");
        for (i, one) in items.enumerate() {
            if i > 0 {
                self.text(",");
            }
            item(self, one);
        }
        self.text("]");
    }

    fn ty(&mut self, lead: &str, ty: TypeId) {
        self.text(lead);
        self.parts(vec![Part::Type(ty)]);
    }

    fn expr(&mut self, lead: &str, expr: ExprId) {
        self.text(lead);
        self.parts(vec![Part::Expr(expr)]);
    }

    fn value(&mut self, lead: &str, value: &'g Value) {
        self.text(lead);
        self.parts(vec![Part::Value(value)]);
    }

    fn node(&mut self, lead: &str, node: NodeId) {
        self.text(lead);
        let game = self.game;
        self.string(if game.automaton.contains_node(node) { game.node_name(node) } else { "" });
    }

    fn edge(&mut self, edge: &Edge) {
        self.node("{\"source\":", edge.source);
        self.node(",\"target\":", edge.target);
        self.text(",\"label\":");
        self.label(&edge.label);
        self.text("}");
    }

    fn label(&mut self, label: &Label) {
        match *label {
            Label::Skip => self.text("\"skip\""),
            Label::Compare { lhs, rhs, negated } => {
                self.expr("{\"compare\":{\"lhs\":", lhs);
                self.expr(",\"rhs\":", rhs);
                self.text(if negated { ",\"negated\":true}}" } else { "}}" });
            }
            Label::Assign { lhs, rhs } => {
                self.text("{\"assign\":");
                self.sides(lhs, rhs);
                self.text("}");
            }
            Label::AssignAny { lhs, ty } => {
                self.expr("{\"assignAny\":{\"lhs\":", lhs);
                self.ty(",\"type\":", ty);
                self.text("}}");
            }
            Label::Tag(tag) => {
                self.name_field("{\"tag\":", tag);
                self.text("}");
            }
            Label::TagVar(variable) => {
                let game = self.game;
                self.text("{\"tagVariable\":");
                self.string(game.vars.get(variable).map_or("", |decl| game.name(decl.name)));
                self.text("}");
            }
            Label::Reach { from, to, negated } => {
                self.node("{\"reachability\":{\"from\":", from);
                self.node(",\"to\":", to);
                self.text(if negated { ",\"negated\":true}}" } else { "}}" });
            }
        }
    }

    fn sides(&mut self, lhs: ExprId, rhs: ExprId) {
        self.expr("{\"lhs\":", lhs);
        self.expr(",\"rhs\":", rhs);
        self.text("}");
    }

    fn pragma(&mut self, pragma: &Pragma) {
        match pragma {
            Pragma::ArtificialTag(tags) => self.names("{\"artificialTag\":", tags),
            Pragma::Disjoint { exhaustive, node, targets } => {
                self.text("{\"disjoint\":{");
                self.exhaustive(*exhaustive);
                self.name_field("\"node\":", *node);
                self.names(",\"targets\":", targets);
                self.text("}");
            }
            Pragma::Integer { first, symbols } => {
                self.text(&format!("{{\"integer\":{{\"first\":{first}"));
                self.names(",\"symbols\":", symbols);
                self.text("}");
            }
            Pragma::Iterator { nodes, variable } => {
                self.names("{\"iterator\":{\"nodes\":", nodes);
                self.name_field(",\"variable\":", *variable);
                self.text("}");
            }
            Pragma::Repeat { nodes, variables } => {
                self.names("{\"repeat\":{\"nodes\":", nodes);
                self.names(",\"variables\":", variables);
                self.text("}");
            }
            Pragma::Unique(nodes) => self.names("{\"unique\":", nodes),
            Pragma::SimpleApply { exhaustive, from, to, tags, assignments } => {
                self.text("{\"simpleApply\":{");
                self.exhaustive(*exhaustive);
                self.name_field("\"from\":", *from);
                self.name_field(",\"to\":", *to);
                self.text(",\"tags\":");
                self.list(tags.iter(), Self::apply_tag);
                self.text(",\"assignments\":");
                self.list(assignments.iter(), |w, &(lhs, rhs)| w.sides(lhs, rhs));
                self.text("}");
            }
            Pragma::TagIndex { nodes, index } => self.tag_index("{\"tagIndex\":{\"nodes\":", nodes, *index),
            Pragma::TagMaxIndex { nodes, index } => self.tag_index("{\"tagMaxIndex\":{\"nodes\":", nodes, *index),
            Pragma::TranslatedFromRbg => return self.text("\"translatedFromRbg\""),
            Pragma::Unknown(text) => {
                self.text("{\"unknown\":");
                self.string(text);
            }
        }
        self.text("}");
    }

    fn exhaustive(&mut self, exhaustive: bool) {
        self.text(if exhaustive { "\"exhaustive\":true," } else { "" });
    }

    fn tag_index(&mut self, lead: &str, nodes: &[Symbol], index: u64) {
        self.names(lead, nodes);
        self.text(&format!(",\"index\":{index}}}"));
    }

    fn apply_tag(&mut self, tag: &ApplyTag) {
        self.name_field("{\"name\":", tag.name);
        if let Some(ty) = tag.ty {
            self.ty(",\"type\":", ty);
        }
        self.text("}");
    }

    /// Writes nested parts, the last one first.
    fn parts(&mut self, mut parts: Vec<Part<'g>>) {
        while let Some(part) = parts.pop() {
            match part {
                Part::Text(text) => self.text(text),
                Part::Name(name) => self.name(name),
                Part::Expr(expr) => self.expand_expr(expr, &mut parts),
                Part::Type(ty) => self.expand_type(ty, &mut parts),
                Part::Value(value) => self.expand_value(value, &mut parts),
            }
        }
    }

    fn expand_expr(&mut self, expr: ExprId, parts: &mut Vec<Part<'g>>) {
        let game = self.game;
        let (kind, name) = match game.exprs.get(expr) {
            Expr::Const(id) => ("{\"constant\":", game.consts.get(id).map(|decl| decl.name)),
            Expr::Var(id) => ("{\"variable\":", game.vars.get(id).map(|decl| decl.name)),
            Expr::Symbol(symbol) => ("{\"symbol\":", Some(symbol)),
            Expr::Access(..) => return self.expand_access(expr, parts),
            Expr::Cast(ty, operand) => {
                self.text("{\"cast\":{\"type\":");
                return parts.extend([
                    Part::Text("}}"),
                    Part::Expr(operand),
                    Part::Text(",\"operand\":"),
                    Part::Type(ty),
                ]);
            }
        };
        self.text(kind);
        match name {
            Some(name) => self.name(name),
            None => self.text("\"\""),
        }
        self.text("}");
    }

    /// `map[k1][k2]` as one list.
    fn expand_access(&mut self, mut expr: ExprId, parts: &mut Vec<Part<'g>>) {
        self.text("{\"access\":[");
        parts.push(Part::Text("]}"));
        while let Expr::Access(map, key) = self.game.exprs.get(expr) {
            parts.extend([Part::Expr(key), Part::Text(",")]);
            expr = map;
        }
        parts.push(Part::Expr(expr));
    }

    fn expand_type(&mut self, ty: TypeId, parts: &mut Vec<Part<'g>>) {
        let game = self.game;
        match game.types.kind(ty) {
            TypeKind::Name(name) => {
                self.name_field("{\"name\":", *name);
                self.text("}");
            }
            TypeKind::Set(members) => {
                self.names("{\"set\":", members);
                self.text("}");
            }
            TypeKind::Arrow(..) => {
                self.text("{\"arrow\":[");
                let mut list = Vec::new();
                let mut rest = ty;
                while let TypeKind::Arrow(key, value) = game.types.kind(rest) {
                    list.extend([Part::Type(*key), Part::Text(",")]);
                    rest = *value;
                }
                list.extend([Part::Type(rest), Part::Text("]}")]);
                parts.extend(list.into_iter().rev());
            }
        }
    }

    fn expand_value(&mut self, value: &'g Value, parts: &mut Vec<Part<'g>>) {
        let game = self.game;
        match value {
            Value::Symbol(symbol) => {
                self.name_field("{\"symbol\":", *symbol);
                self.text("}");
            }
            Value::Const(id) => {
                self.text("{\"constant\":");
                self.string(game.consts.get(*id).map_or("", |decl| game.name(decl.name)));
                self.text("}");
            }
            Value::Map(literal) => {
                self.text("{\"map\":[");
                parts.push(Part::Text("]}"));
                for (i, (key, value)) in literal.entries.iter().enumerate().rev() {
                    parts.extend([Part::Text("}"), Part::Value(value), Part::Text("\"value\":")]);
                    if let Some(key) = *key {
                        parts.extend([Part::Text(","), Part::Name(key), Part::Text("\"key\":")]);
                    }
                    parts.push(Part::Text(if i == 0 { "{" } else { ",{" }));
                }
            }
        }
    }
}
