//! Canonical printing (section 2.2).

use crate::game::{ApplyTag, Game, Pragma};
use crate::ids::{ExprId, Symbol, TypeId};
use crate::show::Show;
use crate::value::{MapLiteral, Value};

/// The game as text: pragmas, types, constants, variables, edges, each in stored order, one to a line.
///
/// Built-in definitions that are marked as implicit are left out. Parsing the text gives an equal game, provided that
/// the game's names are names of the language ([`super::is_name`]) and that no symbol in a value or expression has the name of a constant
/// or variable; [`super::parse`] makes only such games. Linear.
pub fn print(game: &Game) -> String {
    let mut printer = Printer { game, show: Show::full(game), out: String::new() };
    for decl in &game.pragmas {
        printer.pragma(&decl.pragma);
    }
    for decl in game.type_decls.values().filter(|decl| !decl.implicit) {
        printer.all(&["type ", game.name(decl.name), " = "]);
        printer.ty(decl.definition);
        printer.text(";\n");
    }
    for decl in game.consts.values() {
        printer.data("const ", decl.name, decl.ty, &decl.value);
    }
    for decl in game.vars.values().filter(|decl| !decl.implicit) {
        printer.data("var ", decl.name, decl.ty, &decl.initial);
    }
    for (_, edge) in game.automaton.edges() {
        printer.all(&[printer.show.node(edge.source), ", ", printer.show.node(edge.target), ": "]);
        printer.show.write_label(&mut printer.out, &edge.label);
        printer.text(";\n");
    }
    printer.out
}

/// An expression as text. Linear.
pub fn print_expr(game: &Game, expr: ExprId) -> String {
    Show::full(game).expr(expr)
}

/// The label of an edge as text; empty for one that does nothing. Linear.
pub fn print_label(game: &Game, label: &crate::Label) -> String {
    Show::full(game).label(label)
}

struct Printer<'g> {
    game: &'g Game,
    show: Show<'g>,
    out: String,
}

/// Something that is still to be printed.
enum Piece<'g> {
    Text(&'static str),
    Value(&'g Value),
    Entries(std::slice::Iter<'g, (Option<Symbol>, Value)>),
}

impl<'g> Printer<'g> {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn all(&mut self, texts: &[&str]) {
        self.out.extend(texts.iter().copied());
    }

    fn name(&mut self, symbol: Symbol) {
        self.out.push_str(self.game.name(symbol));
    }

    /// Symbols, each after a space.
    fn names(&mut self, symbols: &[Symbol]) {
        for &symbol in symbols {
            self.all(&[" ", self.game.name(symbol)]);
        }
    }

    fn data(&mut self, keyword: &str, name: Symbol, ty: TypeId, value: &'g Value) {
        self.all(&[keyword, self.game.name(name), ": "]);
        self.ty(ty);
        self.text(" = ");
        self.value(value);
        self.text(";\n");
    }

    fn ty(&mut self, ty: TypeId) {
        self.show.write_type(&mut self.out, ty);
    }

    fn expr(&mut self, expr: ExprId) {
        self.show.write_expr(&mut self.out, expr);
    }

    /// Prints a value, with a stack of its own.
    fn value(&mut self, value: &'g Value) {
        let mut stack = vec![Piece::Value(value)];
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(text) => self.text(text),
                Piece::Value(Value::Symbol(symbol)) => self.name(*symbol),
                Piece::Value(Value::Const(id)) => {
                    if let Some(decl) = self.game.consts.get(*id) {
                        self.name(decl.name);
                    }
                }
                Piece::Value(Value::Map(literal)) => self.open_map(literal, &mut stack),
                Piece::Entries(mut entries) => {
                    let Some((key, value)) = entries.next() else { continue };
                    let separator = if entries.len() > 0 { Piece::Text(", ") } else { Piece::Text(" }") };
                    match key {
                        Some(key) => self.all(&[self.game.name(*key), ": "]),
                        None => self.text(":"),
                    }
                    stack.extend([Piece::Entries(entries), separator, Piece::Value(value)]);
                }
            }
        }
    }

    fn open_map(&mut self, literal: &'g MapLiteral, stack: &mut Vec<Piece<'g>>) {
        if literal.entries.is_empty() {
            return self.text("{}");
        }
        self.text("{ ");
        stack.push(Piece::Entries(literal.entries.iter()));
    }

    fn pragma(&mut self, pragma: &Pragma) {
        self.text("@");
        match pragma {
            Pragma::ArtificialTag(tags) => self.claim("artificialTag", tags, None),
            Pragma::Disjoint { exhaustive, node, targets } => {
                let keyword = if *exhaustive { "disjointExhaustive" } else { "disjoint" };
                self.claim(keyword, &[*node], Some(targets));
            }
            Pragma::Integer { first, symbols } => {
                self.all(&["integer ", &first.to_string(), " :"]);
                self.names(symbols);
            }
            Pragma::Iterator { nodes, variable } => self.claim("iterator", nodes, Some(&[*variable])),
            Pragma::Repeat { nodes, variables } => self.claim("repeat", nodes, Some(variables)),
            Pragma::Unique(nodes) => self.claim("unique", nodes, None),
            Pragma::SimpleApply { exhaustive, from, to, tags, assignments } => {
                let keyword = if *exhaustive { "simpleApplyExhaustive" } else { "simpleApply" };
                self.claim(keyword, &[*from, *to], None);
                self.apply(tags, assignments);
            }
            Pragma::TagIndex { nodes, index } => self.index("tagIndex", nodes, *index),
            Pragma::TagMaxIndex { nodes, index } => self.index("tagMaxIndex", nodes, *index),
            Pragma::TranslatedFromRbg => self.text("translatedFromRbg"),
            Pragma::Unknown(text) => self.text(text),
        }
        self.text(";\n");
    }

    /// `keyword a b` or `keyword a b : c d`
    fn claim(&mut self, keyword: &str, left: &[Symbol], right: Option<&[Symbol]>) {
        self.text(keyword);
        self.names(left);
        if let Some(right) = right {
            self.text(" :");
            self.names(right);
        }
    }

    fn index(&mut self, keyword: &str, nodes: &[Symbol], index: u64) {
        self.claim(keyword, nodes, None);
        self.all(&[" : ", &index.to_string()]);
    }

    fn apply(&mut self, tags: &[ApplyTag], assignments: &[(ExprId, ExprId)]) {
        self.text(" [");
        for (i, tag) in tags.iter().enumerate() {
            self.all(&[if i == 0 { "" } else { ", " }, self.game.name(tag.name)]);
            if let Some(ty) = tag.ty {
                self.text(": ");
                self.ty(ty);
            }
        }
        self.text("]");
        for (i, &(lhs, rhs)) in assignments.iter().enumerate() {
            self.text(if i == 0 { " " } else { ", " });
            self.expr(lhs);
            self.text(" = ");
            self.expr(rhs);
        }
    }
}
