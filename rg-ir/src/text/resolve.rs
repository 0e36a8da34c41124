//! From declarations to a [`Game`]: names get their meaning (section 3), whatever the order of declarations.

use super::ast::{self, Body, Declaration, Head, Name, SetType};
use super::cycles;
use super::parse::{MAX_NESTING, Parsed};
use super::report::Report;
use crate::automaton::{Edge, Label};
use crate::diag::Diagnostic;
use crate::expr::Expr;
use crate::game::Game;
use crate::ids::{ExprId, Id, Symbol, TypeId, VarId};
use crate::source::Span;
use crate::types::TypeKind;
use crate::value::{MapLiteral, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Builds the game. With an empty report before and after, the game is the one that the text describes; otherwise it
/// is only good for finding further errors.
pub(crate) fn resolve(parsed: &Parsed, report: &mut Report) -> Game {
    let declarations = &parsed.declarations;
    let broken = parsed.broken.iter().copied().collect();
    let mut resolver =
        Resolver { game: Game::new(), report, broken, type_uses: Vec::new(), bound: FxHashSet::default() };
    resolver.declare_types(declarations);
    resolver.declare_data(declarations);
    resolver.game.complete_builtins();
    resolver.values(declarations);
    resolver.edges_and_pragmas(declarations);
    resolver.check_types();
    resolver.game
}

/// A place where a type is named.
struct TypeUse {
    name: Symbol,
    span: Span,
    /// Whether it stands left of an arrow.
    key: bool,
}

pub(crate) struct Resolver<'r, 't> {
    pub(crate) game: Game,
    pub(crate) report: &'r mut Report,
    /// Names whose declarations are malformed.
    broken: FxHashSet<&'t str>,
    type_uses: Vec<TypeUse>,
    /// Names that the current pragma binds: they hide constants and variables.
    pub(crate) bound: FxHashSet<Symbol>,
}

impl Resolver<'_, '_> {
    pub(crate) fn symbol(&mut self, name: &Name) -> Symbol {
        self.game.symbols.intern(name.text)
    }

    fn declare_types(&mut self, declarations: &[Declaration]) {
        let mut seen = Seen::new("type");
        for declaration in declarations {
            if let Body::Type { name, ty } = &declaration.body {
                let symbol = self.symbol(name);
                seen.check(self.report, symbol, name);
                let definition = self.ty(ty);
                self.game.add_type(symbol, definition, declaration.span);
            }
        }
    }

    /// Declares constants and variables. Their values follow later, when all names are known.
    fn declare_data(&mut self, declarations: &[Declaration]) {
        let (mut consts, mut vars) = (Seen::new("constant"), Seen::new("variable"));
        let placeholder = || Value::Map(MapLiteral::default());
        for declaration in declarations {
            match &declaration.body {
                Body::Const { name, ty, .. } => {
                    let symbol = self.symbol(name);
                    consts.check(self.report, symbol, name);
                    let ty = self.ty(ty);
                    self.game.add_const(symbol, ty, placeholder(), declaration.span);
                }
                Body::Var { name, ty, .. } => {
                    let symbol = self.symbol(name);
                    vars.check(self.report, symbol, name);
                    let ty = self.ty(ty);
                    self.game.add_var(symbol, ty, placeholder(), declaration.span);
                }
                Body::Type { .. } | Body::Edge { .. } | Body::Pragma(_) => {}
            }
        }
        let mut both: Vec<(Span, Span, Symbol)> =
            vars.first.iter().filter_map(|(name, &var)| Some((var, *consts.first.get(name)?, *name))).collect();
        both.sort_unstable();
        for (var, constant, name) in both {
            let message = format!("`{}` is both a constant and a variable", self.game.name(name));
            let error = Diagnostic::error("RG007", var, message).label("the variable").also(constant, "the constant");
            self.report.add(error.help("give one of them another name"));
        }
    }

    fn edges_and_pragmas(&mut self, declarations: &[Declaration]) {
        for declaration in declarations {
            match &declaration.body {
                Body::Edge { source, target, label } => self.edge(declaration.span, source, target, label),
                Body::Pragma(claim) => self.pragma(declaration.span, claim),
                Body::Type { .. } | Body::Const { .. } | Body::Var { .. } => {}
            }
        }
    }

    fn node(&mut self, name: &Name) -> crate::NodeId {
        let symbol = self.symbol(name);
        self.game.node(symbol, name.span)
    }

    fn edge(&mut self, span: Span, source: &Name, target: &Name, label: &ast::Label) {
        let (source, target) = (self.node(source), self.node(target));
        let mut spans = Vec::new();
        let label = match label {
            ast::Label::Skip => Label::Skip,
            ast::Label::Tag(name) => Label::Tag(self.symbol(name)),
            ast::Label::TagVar(name) => match self.tag_variable(name) {
                Some(variable) => Label::TagVar(variable),
                None => return,
            },
            ast::Label::Reach { from, to, negated } => {
                Label::Reach { from: self.node(from), to: self.node(to), negated: *negated }
            }
            ast::Label::Compare { lhs, rhs, negated } => {
                let (lhs, rhs) = (self.expr(lhs, &mut spans), self.expr(rhs, &mut spans));
                Label::Compare { lhs, rhs, negated: *negated }
            }
            ast::Label::Assign { lhs, rhs } => {
                Label::Assign { lhs: self.expr(lhs, &mut spans), rhs: self.expr(rhs, &mut spans) }
            }
            ast::Label::AssignAny { lhs, ty } => Label::AssignAny { lhs: self.expr(lhs, &mut spans), ty: self.ty(ty) },
        };
        self.game.automaton.insert(Edge { source, target, label, span, spans: spans.into() });
    }

    fn tag_variable(&mut self, name: &Name) -> Option<VarId> {
        let symbol = self.symbol(name);
        let text = name.text;
        if let Some(constant) = self.game.find_const(symbol) {
            let declared = self.game.consts.get(constant).map_or(Span::NONE, |decl| decl.span);
            let message = format!("found the constant `{text}` after `$$`, expected a variable");
            let error = Diagnostic::error("RG021", name.span, message).also(declared, "the constant");
            self.report.add(error.help("a fixed tag is written `$ tag`"));
            return None;
        }
        let found = self.game.find_var(symbol);
        if found.is_none() && !self.broken.contains(text) && !self.report.is_full() {
            let message = format!("found `{text}` after `$$`, expected a variable");
            let error = Diagnostic::error("RG021", name.span, message).label("no variable of that name");
            let error = error.help(format!("the fixed tag `{text}` is written `$ {text}`"));
            let game = &self.game;
            self.report.add(error.suggest(text, game.vars.values().map(|decl| game.name(decl.name))));
        }
        found
    }

    /// An expression, and its spans in the order of [`crate::Exprs::preorder`].
    pub(crate) fn expr(&mut self, expr: &ast::Expr, spans: &mut Vec<Span>) -> ExprId {
        let mut deepest = 0;
        let id = self.nested_expr(expr, spans, &mut deepest);
        if deepest > MAX_NESTING {
            let message = format!("the expression nests more than {MAX_NESTING} deep");
            self.report.add(Diagnostic::error("RG053", expr.span, message));
        }
        id
    }

    /// As [`Resolver::expr`]. Recursive, but only over brackets. Raises `depth` to the depth of the expression.
    fn nested_expr(&mut self, expr: &ast::Expr, spans: &mut Vec<Span>, depth: &mut usize) -> ExprId {
        spans.extend(expr.accesses.iter().rev().map(|access| expr.span.to(access.span)));
        spans.push(expr.span);
        let mut own = 1;
        let mut id = match &expr.head {
            Head::Name(name) => self.name(name),
            Head::Cast { ty, inner } => {
                let ty = self.type_name(ty, false);
                let inner = self.nested_expr(inner, spans, &mut own);
                own += 1;
                self.game.exprs.intern(Expr::Cast(ty, inner))
            }
        };
        for access in &expr.accesses {
            let key = self.nested_expr(&access.key, spans, &mut own);
            own += 1;
            id = self.game.exprs.intern(Expr::Access(id, key));
        }
        *depth = own.max(*depth);
        id
    }

    fn name(&mut self, name: &Name) -> ExprId {
        let symbol = self.symbol(name);
        match self.bound.contains(&symbol) {
            true => self.game.exprs.intern(Expr::Symbol(symbol)),
            false => self.game.resolve_name(symbol),
        }
    }

    pub(crate) fn ty(&mut self, ty: &ast::Type) -> TypeId {
        if ty.keys.len() > MAX_NESTING {
            let span =
                ty.keys.iter().find_map(|key| if let SetType::Name(name) = key { Some(name.span) } else { None });
            let message = format!("the type has {} arrows, expected at most {MAX_NESTING}", ty.keys.len());
            self.report.add(Diagnostic::error("RG053", span.unwrap_or(Span::NONE), message));
        }
        let mut id = self.set_type(&ty.last, false);
        for key in ty.keys.iter().rev() {
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
        self.type_uses.push(TypeUse { name: symbol, span: name.span, key });
        self.game.types.name(symbol)
    }

    /// Types that are named must exist, must not be defined by themselves, and as keys must be sets.
    fn check_types(&mut self) {
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
        // Bottom-up, so that long chains of aliases cost nothing.
        let mut is_map = vec![false; graph.len()];
        for &i in &found.order {
            let definition = game.type_decls.get(Id::from_index(i)).map(|decl| game.types.kind(decl.definition));
            let map = match definition {
                Some(TypeKind::Arrow(..)) => true,
                Some(TypeKind::Name(name)) => {
                    game.types.declaration(*name).and_then(|d| is_map.get(d.index()).copied()).unwrap_or(false)
                }
                Some(TypeKind::Set(_)) | None => false,
            };
            if let Some(entry) = is_map.get_mut(i) {
                *entry = map;
            }
        }
        for TypeUse { name, span, key } in std::mem::take(&mut self.type_uses) {
            let text = game.name(name);
            match game.types.declaration(name) {
                None if self.broken.contains(text) || self.report.is_full() => {}
                None => {
                    let error = Diagnostic::error("RG001", span, format!("unknown type `{text}`"));
                    let names = game.type_decls.values().map(|decl| game.name(decl.name));
                    self.report.add(error.label("no type of that name").suggest(text, names));
                }
                Some(decl) if key && is_map.get(decl.index()) == Some(&true) => {
                    let message = format!("keys of a map must be of a set type, but `{text}` is a map type");
                    let declared = game.type_decls.get(decl).map_or(Span::NONE, |decl| decl.span);
                    self.report.add(Diagnostic::error("RG003", span, message).also(declared, "declared here"));
                }
                Some(_) => {}
            }
        }
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

/// The names declared so far, of one kind.
struct Seen {
    kind: &'static str,
    first: FxHashMap<Symbol, Span>,
}

impl Seen {
    fn new(kind: &'static str) -> Self {
        Self { kind, first: FxHashMap::default() }
    }

    fn check(&mut self, report: &mut Report, symbol: Symbol, name: &Name) {
        if let Some(&earlier) = self.first.get(&symbol) {
            let message = format!("{} `{}` is declared twice", self.kind, name.text);
            report.add(Diagnostic::error("RG006", name.span, message).also(earlier, "declared here before"));
        } else {
            self.first.insert(symbol, name.span);
        }
    }
}
