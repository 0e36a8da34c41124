//! Equality of games: the same declarations, edges and pragmas, by name.
//!
//! Ids depend on the order in which names and expressions were first met, so they are never compared. Instead the parts
//! of both games are hash-consed into one common table, where equal parts get equal ids.

use crate::automaton::Label;
use crate::expr::{Expr, Exprs};
use crate::game::{ApplyTag, Game, Pragma};
use crate::ids::{ConstId, ExprId, Id, IdVec, NodeId, Symbol, TypeId, VarId};
use crate::symbol::Symbols;
use crate::types::{TypeKind, Types};
use crate::value::{MapLiteral, Value};
use rustc_hash::FxHashMap;

/// Structural equality by names. Declarations and edges count in order, pragmas in any order. Spans, the numbering of
/// nodes, nodes without edges, unused expressions, and built-in definitions that are marked as implicit do not count.
/// Expected linear time.
impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        let sizes = |game: &Game| (game.consts.len(), game.automaton.edge_count(), game.pragmas.len());
        if sizes(self) != sizes(other) {
            return false;
        }
        let mut common = Common::default();
        let (a, b) = (View::new(self, &mut common), View::new(other, &mut common));
        a.types().eq(b.types())
            && a.consts().eq(b.consts())
            && a.vars().eq(b.vars())
            && a.edges().eq(b.edges())
            && a.pragmas() == b.pragmas()
    }
}

impl Eq for Game {}

/// The table that the parts of both games go into.
#[derive(Default)]
struct Common {
    symbols: Symbols,
    types: Types,
    exprs: Exprs,
}

/// A game seen through common ids. Constants, variables and nodes are stood for by their names.
struct View<'g> {
    game: &'g Game,
    symbols: Vec<Symbol>,
    types: IdVec<TypeId, TypeId>,
    exprs: IdVec<ExprId, ExprId>,
}

/// A value in common ids.
type CommonLabel = (Label, [Symbol; 2]);

impl<'g> View<'g> {
    fn new(game: &'g Game, common: &mut Common) -> Self {
        let symbols =
            (0..game.symbols.len()).map(|i| common.symbols.intern(game.symbols.name(Symbol::from_index(i)))).collect();
        let mut view = Self { game, symbols, types: IdVec::new(), exprs: IdVec::new() };
        // Parts have smaller ids than what they are part of.
        for i in 0..game.types.len() {
            let kind = match game.types.kind(TypeId::from_index(i)) {
                TypeKind::Name(name) => TypeKind::Name(view.symbol(*name)),
                TypeKind::Set(members) => TypeKind::Set(members.iter().map(|&member| view.symbol(member)).collect()),
                TypeKind::Arrow(key, value) => TypeKind::Arrow(view.ty(*key), view.ty(*value)),
            };
            view.types.push(common.types.intern(kind));
        }
        for i in 0..game.exprs.len() {
            let expr = match game.exprs.get(ExprId::from_index(i)) {
                Expr::Const(id) => Expr::Const(view.constant(id)),
                Expr::Var(id) => Expr::Var(view.variable(id)),
                Expr::Symbol(symbol) => Expr::Symbol(view.symbol(symbol)),
                Expr::Access(map, key) => Expr::Access(view.expr(map), view.expr(key)),
                Expr::Cast(ty, inner) => Expr::Cast(view.ty(ty), view.expr(inner)),
            };
            view.exprs.push(common.exprs.intern(expr));
        }
        view
    }

    /// An id that is out of range is not part of a game; all such are alike.
    fn symbol(&self, id: Symbol) -> Symbol {
        self.symbols.get(id.index()).copied().unwrap_or(Symbol::from_index(usize::MAX))
    }

    fn ty(&self, id: TypeId) -> TypeId {
        self.types.get(id).copied().unwrap_or(TypeId::from_index(usize::MAX))
    }

    fn expr(&self, id: ExprId) -> ExprId {
        self.exprs.get(id).copied().unwrap_or(ExprId::from_index(usize::MAX))
    }

    fn constant(&self, id: ConstId) -> ConstId {
        let name = self.game.consts.get(id).map(|decl| self.symbol(decl.name));
        ConstId::from_index(name.map_or(usize::MAX, Id::index))
    }

    fn variable(&self, id: VarId) -> VarId {
        let name = self.game.vars.get(id).map(|decl| self.symbol(decl.name));
        VarId::from_index(name.map_or(usize::MAX, Id::index))
    }

    fn node(&self, id: NodeId) -> Symbol {
        self.symbol(self.game.automaton.node(id).name)
    }

    /// Recursive, as values are.
    fn value(&self, value: &Value) -> Value {
        match value {
            Value::Symbol(symbol) => Value::Symbol(self.symbol(*symbol)),
            Value::Const(id) => Value::Const(self.constant(*id)),
            Value::Map(literal) => {
                let entries = literal.entries.iter();
                let entries = entries.map(|(key, value)| (key.map(|key| self.symbol(key)), self.value(value)));
                Value::Map(MapLiteral { entries: entries.collect() })
            }
        }
    }

    fn types(&self) -> impl Iterator<Item = (Symbol, TypeId)> {
        let explicit = self.game.type_decls.values().filter(|decl| !decl.implicit);
        explicit.map(|decl| (self.symbol(decl.name), self.ty(decl.definition)))
    }

    fn consts(&self) -> impl Iterator<Item = (Symbol, TypeId, Value)> {
        self.game.consts.values().map(|decl| (self.symbol(decl.name), self.ty(decl.ty), self.value(&decl.value)))
    }

    fn vars(&self) -> impl Iterator<Item = (Symbol, TypeId, Value)> {
        let explicit = self.game.vars.values().filter(|decl| !decl.implicit);
        explicit.map(|decl| (self.symbol(decl.name), self.ty(decl.ty), self.value(&decl.initial)))
    }

    fn edges(&self) -> impl Iterator<Item = (Symbol, Symbol, CommonLabel)> {
        let edges = self.game.automaton.edges();
        edges.map(|(_, edge)| (self.node(edge.source), self.node(edge.target), self.label(&edge.label)))
    }

    /// The label in common ids; the nodes of a reachability check apart, as names.
    fn label(&self, label: &Label) -> CommonLabel {
        let none = Symbol::from_index(usize::MAX);
        let label = match *label {
            Label::Skip => Label::Skip,
            Label::Compare { lhs, rhs, negated } => {
                Label::Compare { lhs: self.expr(lhs), rhs: self.expr(rhs), negated }
            }
            Label::Assign { lhs, rhs } => Label::Assign { lhs: self.expr(lhs), rhs: self.expr(rhs) },
            Label::AssignAny { lhs, ty } => Label::AssignAny { lhs: self.expr(lhs), ty: self.ty(ty) },
            Label::Tag(tag) => Label::Tag(self.symbol(tag)),
            Label::TagVar(variable) => Label::TagVar(self.variable(variable)),
            Label::Reach { from, to, negated } => {
                let anywhere = NodeId::from_index(0);
                let label = Label::Reach { from: anywhere, to: anywhere, negated };
                return (label, [self.node(from), self.node(to)]);
            }
        };
        (label, [none, none])
    }

    /// How often each pragma occurs.
    fn pragmas(&self) -> FxHashMap<Pragma, usize> {
        let mut counts = FxHashMap::default();
        for decl in &self.game.pragmas {
            *counts.entry(self.pragma(&decl.pragma)).or_default() += 1;
        }
        counts
    }

    fn names(&self, names: &[Symbol]) -> Vec<Symbol> {
        names.iter().map(|&name| self.symbol(name)).collect()
    }

    fn pragma(&self, pragma: &Pragma) -> Pragma {
        match pragma {
            Pragma::ArtificialTag(tags) => Pragma::ArtificialTag(self.names(tags)),
            Pragma::Disjoint { exhaustive, node, targets } => {
                Pragma::Disjoint { exhaustive: *exhaustive, node: self.symbol(*node), targets: self.names(targets) }
            }
            Pragma::Integer { first, symbols } => Pragma::Integer { first: *first, symbols: self.names(symbols) },
            Pragma::Iterator { nodes, variable } => {
                Pragma::Iterator { nodes: nodes.map(|node| self.symbol(node)), variable: self.symbol(*variable) }
            }
            Pragma::Repeat { nodes, variables } => {
                Pragma::Repeat { nodes: self.names(nodes), variables: self.names(variables) }
            }
            Pragma::Unique(nodes) => Pragma::Unique(self.names(nodes)),
            Pragma::SimpleApply { exhaustive, from, to, tags, assignments } => Pragma::SimpleApply {
                exhaustive: *exhaustive,
                from: self.symbol(*from),
                to: self.symbol(*to),
                tags: tags
                    .iter()
                    .map(|tag| ApplyTag { name: self.symbol(tag.name), ty: tag.ty.map(|ty| self.ty(ty)) })
                    .collect(),
                assignments: assignments.iter().map(|&(lhs, rhs)| (self.expr(lhs), self.expr(rhs))).collect(),
            },
            Pragma::TagIndex { nodes, index } => Pragma::TagIndex { nodes: self.names(nodes), index: *index },
            Pragma::TagMaxIndex { nodes, index } => Pragma::TagMaxIndex { nodes: self.names(nodes), index: *index },
            Pragma::TranslatedFromRbg => Pragma::TranslatedFromRbg,
            Pragma::Unknown(text) => Pragma::Unknown(text.clone()),
        }
    }
}
