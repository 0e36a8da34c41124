//! From declarations to a [`Game`]: names get their meaning (section 3), whatever the order of declarations.

use super::ast::{self, Body, Declaration, Head, Name};
use super::lexer::is_name_char;
use super::parse::{MAX_NESTING, Parsed};
use super::report::Report;
use super::types::TypeUse;
use crate::automaton::{Edge, Label};
use crate::diag::Diagnostic;
use crate::expr::Expr;
use crate::game::Game;
use crate::ids::{ExprId, Symbol, VarId};
use crate::source::Span;
use crate::value::{MapLiteral, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Builds the game. With an empty report before and after, the game is the one that the text describes; otherwise it
/// is only good for finding further errors.
pub(crate) fn resolve(parsed: &Parsed, report: &mut Report) -> Game {
    let declarations = &parsed.declarations;
    let declared = parsed.broken.iter().map(|broken| broken.name.text);
    // What could not be read may declare whatever it names.
    let named = parsed.unread.iter().flat_map(|text| text.split(|c| !is_name_char(c)));
    let broken = declared.chain(named).collect();
    let mut resolver = Resolver {
        is_whole: report.is_empty(),
        game: Game::new(),
        report,
        broken,
        unknown: FxHashSet::default(),
        type_uses: Vec::new(),
        bound: FxHashSet::default(),
    };
    resolver.declare_types(declarations);
    resolver.declare_data(declarations);
    resolver.game.complete_builtins();
    resolver.values(declarations);
    resolver.edges_and_pragmas(declarations);
    resolver.check_types();
    resolver.game
}

pub(crate) struct Resolver<'r, 't> {
    pub(crate) game: Game,
    pub(crate) report: &'r mut Report,
    /// Whether all of the text could be read.
    pub(crate) is_whole: bool,
    /// Names whose declarations are malformed.
    pub(crate) broken: FxHashSet<&'t str>,
    /// Types that are not declared. In a text that could not be read as a whole, each is reported once.
    pub(crate) unknown: FxHashSet<Symbol>,
    /// Where types are named.
    pub(crate) type_uses: Vec<TypeUse>,
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
                let ty = self.cast_type(ty, expr.span, inner.span);
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
