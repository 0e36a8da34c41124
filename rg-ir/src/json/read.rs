//! Reading JSON: the document by serde, then names to ids.

use super::document::{self as doc, Document};
use super::reason;
use super::scan::{MAX_DEPTH, Scan};
use crate::automaton::Label;
use crate::diag::Diagnostic;
use crate::expr::Expr;
use crate::game::{ApplyTag, Game, Pragma, PragmaDecl};
use crate::ids::{ConstId, ExprId, Id, Symbol, TypeId};
use crate::source::{SourceId, Span};
use crate::text::MAX_NESTING;
use crate::value::{MapLiteral, Value};
use rustc_hash::FxHashMap;
use serde::Deserialize;

/// Longest list of keys of one access or arrow.
const MAX_CHAIN: usize = 1_000;

/// Bytes of stack for a text that nests as deep as it may.
const STACK: usize = 64 << 20;

/// The game that a JSON text stands for, with missing built-ins added, or everything that is wrong with the text.
///
/// Codes: `RG060` no JSON of the right shape (with its place), `RG061` another version, `RG062` a name that is
/// declared nowhere, `RG063` a name that is not an identifier. Whether the *game* makes sense is for [`crate::check()`] to
/// say: declarations and edges have the places of their items in the text. Linear in the length of the text.
pub fn from_json(source: SourceId, text: &str) -> Result<Game, Vec<Diagnostic>> {
    let scan = Scan::new(text);
    if let Some(at) = scan.too_deep {
        let message = format!("the text nests more than {MAX_DEPTH} levels deep");
        return Err(vec![Diagnostic::error("RG060", Span::new(source, at, at + 1), message)]);
    }
    // The recursion is as deep as the text nests, which is bounded by now.
    stacker::grow(STACK, || read(source, text, &scan))
}

fn read(source: SourceId, text: &str, scan: &Scan) -> Result<Game, Vec<Diagnostic>> {
    let document = document(text).map_err(|error| vec![shape_error(source, text, &error)])?;
    if document.version != super::VERSION {
        return Err(vec![version_error(source, text, document.version)]);
    }
    let mut reader = Reader {
        game: Game::new(),
        consts: FxHashMap::default(),
        found: Vec::new(),
        source,
        scan,
        at: ("", 0),
        depth: 0,
    };
    reader.document(&document);
    if reader.found.is_empty() { Ok(reader.game) } else { Err(reader.found) }
}

/// Why a text is not a document, and the path to where.
struct Misshapen {
    path: String,
    error: serde_json::Error,
}

/// Deserialises a text.
fn document(text: &str) -> Result<Document, Misshapen> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    let document = serde_path_to_error::deserialize(&mut deserializer);
    let document = document.map_err(|error: serde_path_to_error::Error<serde_json::Error>| Misshapen {
        path: error.path().to_string(),
        error: error.into_inner(),
    })?;
    let end = deserializer.end().map_err(|error| Misshapen { path: String::new(), error });
    end.map(|()| document)
}

/// A text that is not a document of this version: say so about the version, if that is readable and the reason.
fn shape_error(source: SourceId, text: &str, Misshapen { path, error }: &Misshapen) -> Diagnostic {
    #[derive(Deserialize)]
    struct Header {
        version: u64,
    }
    let mut header = serde_json::Deserializer::from_str(text);
    header.disable_recursion_limit();
    if let Ok(Header { version }) = Header::deserialize(&mut header)
        && version != super::VERSION
    {
        return version_error(source, text, version);
    }
    let (line, column) = (error.line(), error.column());
    let start = offset(text, line, column);
    let span = Span::new(source, start, (start + 1).min(text.len()).max(start));
    let found = Diagnostic::error("RG060", span, format!("not a game in JSON: {}", reason(error)));
    let found = field_suggestion(found, source, text, start);
    let found = if path == "." || path.is_empty() && error.is_data() {
        found.help("a game is an object with `version`, `types`, `edges`, and so on; `rgc schema` prints the format")
    } else {
        found
    };
    if path.chars().any(char::is_alphanumeric) { found.note(format!("at `{path}`")) } else { found }
}

/// The finding with a suggestion, if it is about the field that ends at an offset and that the format does not have.
fn field_suggestion(found: Diagnostic, source: SourceId, text: &str, end: usize) -> Diagnostic {
    let quoted: Vec<String> = found.message.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    let Some((name, known)) = quoted.split_first().filter(|_| found.message.contains(": unknown field ")) else {
        return found;
    };
    let before = text.get(..end).unwrap_or_default();
    let place = before.rfind(name.as_str()).map_or(Span::NONE, |at| Span::new(source, at, at + name.len()));
    found.suggest_at(place, name, known.iter().map(String::as_str))
}

fn version_error(source: SourceId, text: &str, version: u64) -> Diagnostic {
    let key = "\"version\"";
    let start = text.find(key).unwrap_or(0);
    let span = Span::new(source, start, (start + key.len()).min(text.len()));
    let message = format!("expected version {} of the format, found version {version}", super::VERSION);
    Diagnostic::error("RG061", span, message)
}

/// The byte offset of a place serde_json reports (line from 1; column in bytes, the last one read).
fn offset(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let mut at = (before + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

struct Reader<'s> {
    game: Game,
    consts: FxHashMap<Symbol, ConstId>,
    found: Vec<Diagnostic>,
    source: SourceId,
    scan: &'s Scan,
    /// The list and the position in it of the item that is read.
    at: (&'static str, usize),
    /// How many types, values or expressions enclose the one that is read.
    depth: usize,
}

impl Reader<'_> {
    /// The place of the item that is read.
    fn span(&self) -> Span {
        let (list, index) = self.at;
        self.scan.span(self.source, list, index)
    }

    /// Reads something that encloses others; `None` if it nests too deeply, which is reported.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth > MAX_NESTING {
            if self.found.is_empty() {
                self.report("RG060", format!("it nests more than {MAX_NESTING} deep"));
            }
            return None;
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        Some(result)
    }

    fn document(&mut self, document: &Document) {
        for (i, decl) in document.types.iter().enumerate() {
            self.at = ("types", i);
            let (name, definition) = (self.name(&decl.name), self.ty(&decl.definition));
            let span = self.span();
            self.game.add_type(name, definition, span);
        }
        for (i, decl) in document.constants.iter().enumerate() {
            self.at = ("constants", i);
            let name = self.name(&decl.name);
            self.consts.entry(name).or_insert(ConstId::from_index(i));
        }
        for (i, decl) in document.constants.iter().enumerate() {
            self.at = ("constants", i);
            let (name, ty, value) = (self.game.symbols.intern(&decl.name), self.ty(&decl.ty), self.value(&decl.value));
            let span = self.span();
            self.game.add_const(name, ty, value, span);
        }
        for (i, decl) in document.variables.iter().enumerate() {
            self.at = ("variables", i);
            let (name, ty, initial) = (self.name(&decl.name), self.ty(&decl.ty), self.value(&decl.initial));
            let span = self.span();
            self.game.add_var(name, ty, initial, span);
        }
        self.game.complete_builtins();
        for (i, edge) in document.edges.iter().enumerate() {
            self.at = ("edges", i);
            self.edge(edge);
        }
        for (i, pragma) in document.pragmas.iter().enumerate() {
            self.at = ("pragmas", i);
            let pragma = self.pragma(pragma);
            let span = self.span();
            self.game.pragmas.push(PragmaDecl { pragma, span });
        }
    }

    fn report(&mut self, code: &'static str, message: String) {
        let (list, index) = self.at;
        self.found.push(Diagnostic::error(code, self.span(), message).note(format!("at `{list}[{index}]`")));
    }

    fn name(&mut self, name: &str) -> Symbol {
        if !is_identifier(name) {
            let shown: String = name.chars().take(40).collect();
            self.report("RG063", format!("expected a name of letters, digits and `_`, found {shown:?}"));
        }
        self.game.symbols.intern(name)
    }

    fn names(&mut self, names: &[String]) -> Vec<Symbol> {
        names.iter().map(|name| self.name(name)).collect()
    }

    /// Reports a name that stands for nothing.
    fn unknown(&mut self, kind: &str, name: &str) {
        let game = &self.game;
        let known: Vec<&str> = match kind {
            // A game full of unknown names need not look for similar ones each time.
            _ if self.found.len() >= 20 => Vec::new(),
            "constant" => self.consts.keys().map(|&name| game.name(name)).collect(),
            _ => game.vars.values().map(|decl| game.name(decl.name)).collect(),
        };
        let mut known = known;
        known.sort_unstable();
        let (list, index) = self.at;
        let found = Diagnostic::error("RG062", self.span(), format!("unknown {kind} `{name}`")).suggest(name, known);
        self.found.push(found.note(format!("at `{list}[{index}]`")));
    }

    fn ty(&mut self, ty: &doc::Type) -> TypeId {
        self.nested(|reader| reader.ty_inside(ty)).unwrap_or_else(|| self.game.types.set([]))
    }

    fn ty_inside(&mut self, ty: &doc::Type) -> TypeId {
        match ty {
            doc::Type::Name(name) => {
                let name = self.name(name);
                self.game.types.name(name)
            }
            doc::Type::Set(members) => {
                let members = self.names(members);
                self.game.types.set(members)
            }
            doc::Type::Arrow(list) => {
                self.check_chain("an arrow", list.len());
                let list: Vec<TypeId> = list.iter().take(MAX_CHAIN).map(|ty| self.ty(ty)).collect();
                let types = &mut self.game.types;
                let whole = list.into_iter().rev().reduce(|value, key| types.arrow(key, value));
                whole.unwrap_or_else(|| types.set([]))
            }
        }
    }

    fn check_chain(&mut self, what: &str, length: usize) {
        if !(2..=MAX_CHAIN).contains(&length) {
            self.report("RG060", format!("{what} needs from 2 to {MAX_CHAIN} parts, found {length}"));
        }
    }

    fn value(&mut self, value: &doc::Value) -> Value {
        self.nested(|reader| reader.value_inside(value)).unwrap_or(Value::Symbol(Symbol::from_index(0)))
    }

    fn value_inside(&mut self, value: &doc::Value) -> Value {
        match value {
            doc::Value::Symbol(name) => Value::Symbol(self.name(name)),
            doc::Value::Constant(name) => {
                let symbol = self.game.symbols.intern(name);
                match self.consts.get(&symbol) {
                    Some(&id) => Value::Const(id),
                    None => {
                        self.unknown("constant", name);
                        Value::Symbol(symbol)
                    }
                }
            }
            doc::Value::Map(entries) => {
                let entry =
                    |entry: &doc::Entry| (entry.key.as_ref().map(|key| self.name(key)), self.value(&entry.value));
                Value::Map(MapLiteral { entries: entries.iter().map(entry).collect() })
            }
        }
    }

    fn expr(&mut self, expr: &doc::Expr) -> ExprId {
        let instead = Expr::Symbol(Symbol::from_index(0));
        self.nested(|reader| reader.expr_inside(expr)).unwrap_or_else(|| self.game.exprs.intern(instead))
    }

    fn expr_inside(&mut self, expr: &doc::Expr) -> ExprId {
        let expr = match expr {
            doc::Expr::Symbol(name) => Expr::Symbol(self.name(name)),
            doc::Expr::Constant(name) => {
                let symbol = self.game.symbols.intern(name);
                match self.game.find_const(symbol) {
                    Some(id) => Expr::Const(id),
                    None => {
                        self.unknown("constant", name);
                        Expr::Symbol(symbol)
                    }
                }
            }
            doc::Expr::Variable(name) => self.variable(name),
            doc::Expr::Access(list) => return self.access(list),
            doc::Expr::Cast(cast) => Expr::Cast(self.ty(&cast.ty), self.expr(&cast.operand)),
        };
        self.game.exprs.intern(expr)
    }

    fn variable(&mut self, name: &str) -> Expr {
        let symbol = self.game.symbols.intern(name);
        match self.game.find_var(symbol) {
            Some(id) => Expr::Var(id),
            None => {
                self.unknown("variable", name);
                Expr::Symbol(symbol)
            }
        }
    }

    fn access(&mut self, list: &[doc::Expr]) -> ExprId {
        self.check_chain("an access", list.len());
        let list: Vec<ExprId> = list.iter().take(MAX_CHAIN).map(|expr| self.expr(expr)).collect();
        let exprs = &mut self.game.exprs;
        let whole = list.into_iter().reduce(|map, key| exprs.intern(Expr::Access(map, key)));
        whole.unwrap_or_else(|| exprs.intern(Expr::Symbol(Symbol::from_index(0))))
    }

    fn node(&mut self, name: &str) -> crate::NodeId {
        let name = self.name(name);
        let span = self.span();
        self.game.node(name, span)
    }

    fn edge(&mut self, edge: &doc::Edge) {
        let (source, target) = (self.node(&edge.source), self.node(&edge.target));
        let label = match &edge.label {
            doc::Label::Skip => Label::Skip,
            doc::Label::Compare(c) => {
                Label::Compare { lhs: self.expr(&c.lhs), rhs: self.expr(&c.rhs), negated: c.negated }
            }
            doc::Label::Assign(a) => Label::Assign { lhs: self.expr(&a.lhs), rhs: self.expr(&a.rhs) },
            doc::Label::AssignAny(a) => Label::AssignAny { lhs: self.expr(&a.lhs), ty: self.ty(&a.ty) },
            doc::Label::Tag(tag) => Label::Tag(self.name(tag)),
            doc::Label::TagVariable(name) => match self.variable(name) {
                Expr::Var(id) => Label::TagVar(id),
                _ => Label::Skip,
            },
            doc::Label::Reachability(r) => {
                Label::Reach { from: self.node(&r.from), to: self.node(&r.to), negated: r.negated }
            }
        };
        let span = self.span();
        self.game.automaton.add_edge(source, target, label, span);
    }

    fn pragma(&mut self, pragma: &doc::Pragma) -> Pragma {
        match pragma {
            doc::Pragma::ArtificialTag(tags) => Pragma::ArtificialTag(self.names(tags)),
            doc::Pragma::Disjoint(p) => {
                Pragma::Disjoint { exhaustive: p.exhaustive, node: self.name(&p.node), targets: self.names(&p.targets) }
            }
            doc::Pragma::Integer(p) => Pragma::Integer { first: p.first, symbols: self.names(&p.symbols) },
            doc::Pragma::Iterator(p) => Pragma::Iterator {
                nodes: p.nodes.each_ref().map(|name| self.name(name)),
                variable: self.name(&p.variable),
            },
            doc::Pragma::Repeat(p) => {
                Pragma::Repeat { nodes: self.names(&p.nodes), variables: self.names(&p.variables) }
            }
            doc::Pragma::Unique(nodes) => Pragma::Unique(self.names(nodes)),
            doc::Pragma::SimpleApply(p) => self.simple_apply(p),
            doc::Pragma::TagIndex(p) => Pragma::TagIndex { nodes: self.names(&p.nodes), index: p.index },
            doc::Pragma::TagMaxIndex(p) => Pragma::TagMaxIndex { nodes: self.names(&p.nodes), index: p.index },
            doc::Pragma::TranslatedFromRbg => Pragma::TranslatedFromRbg,
            doc::Pragma::Unknown(text) => {
                if text.contains(';') {
                    self.report("RG063", "the text of a pragma cannot contain `;`".to_owned());
                }
                Pragma::Unknown(text.clone())
            }
        }
    }

    fn simple_apply(&mut self, p: &doc::SimpleApply) -> Pragma {
        let tag =
            |tag: &doc::ApplyTag| ApplyTag { name: self.name(&tag.name), ty: tag.ty.as_ref().map(|ty| self.ty(ty)) };
        let tags = p.tags.iter().map(tag).collect();
        Pragma::SimpleApply {
            exhaustive: p.exhaustive,
            from: self.name(&p.from),
            to: self.name(&p.to),
            tags,
            assignments: p.assignments.iter().map(|s| (self.expr(&s.lhs), self.expr(&s.rhs))).collect(),
        }
    }
}

/// Whether a text may be used as a name (section 1).
fn is_identifier(name: &str) -> bool {
    !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !matches!(name, "const" | "type" | "var")
}
