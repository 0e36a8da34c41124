//! A whole game: declarations, automaton, pragmas.

use crate::automaton::Automaton;
use crate::expr::{Expr, Exprs};
use crate::ids::{ConstId, ExprId, Id, IdVec, NodeId, Symbol, TypeDeclId, TypeId, VarId};
use crate::source::Span;
use crate::symbol::Symbols;
use crate::types::Types;
use crate::value::{MapLiteral, Value};
use rustc_hash::FxHashMap;

/// `type name = definition;`
#[derive(Clone, Debug)]
pub struct TypeDecl {
    /// Its name.
    pub name: Symbol,
    /// The right-hand side.
    pub definition: TypeId,
    /// Where it is declared.
    pub span: Span,
    /// Whether it is a built-in definition that the text left out; such declarations are not printed.
    pub implicit: bool,
}

/// `const name: ty = value;`
#[derive(Clone, Debug)]
pub struct ConstDecl {
    /// Its name.
    pub name: Symbol,
    /// Declared type.
    pub ty: TypeId,
    /// Its value as written.
    pub value: Value,
    /// Where it is declared.
    pub span: Span,
}

/// `var name: ty = initial;`
#[derive(Clone, Debug)]
pub struct VarDecl {
    /// Its name.
    pub name: Symbol,
    /// Declared type.
    pub ty: TypeId,
    /// Initial value as written.
    pub initial: Value,
    /// Where it is declared.
    pub span: Span,
    /// As for [`TypeDecl::implicit`].
    pub implicit: bool,
    /// Whether its value at `end` matters, though no rule reads it there: it is live there. Texts do not say it.
    pub live_out: bool,
}

/// An entry of a `@simpleApply` tag list.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ApplyTag {
    /// The fixed tag, or the name that is bound to the tag found.
    pub name: Symbol,
    /// `None`: a fixed tag. Otherwise the type that the tag must be a member of.
    pub ty: Option<TypeId>,
}

/// A claim about the game (section 10). Nodes, tags and variables are named, since a claim may name things that do not
/// exist (a warning).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Pragma {
    /// `@artificialTag t ..;`
    ArtificialTag(Vec<Symbol>),
    /// `@disjoint p : q ..;`, `@disjointExhaustive p : q ..;`
    Disjoint {
        /// Exactly one instead of at most one.
        exhaustive: bool,
        /// The node.
        node: Symbol,
        /// Targets of the listed edges, one entry per edge.
        targets: Vec<Symbol>,
    },
    /// `@integer k : s0 s1 ..;`
    Integer {
        /// The number of the first symbol.
        first: u64,
        /// Symbols of consecutive numbers.
        symbols: Vec<Symbol>,
    },
    /// `@iterator p q r : v;`
    Iterator {
        /// `p`, `q`, `r`.
        nodes: [Symbol; 3],
        /// The iterated variable.
        variable: Symbol,
    },
    /// `@repeat p .. : v ..;`
    Repeat {
        /// The nodes.
        nodes: Vec<Symbol>,
        /// The variables that tell arrivals apart.
        variables: Vec<Symbol>,
    },
    /// `@unique p ..;`
    Unique(Vec<Symbol>),
    /// `@simpleApply p q [..] ..;`, `@simpleApplyExhaustive p q [..] ..;`
    SimpleApply {
        /// No other continuation exists at `from`.
        exhaustive: bool,
        /// Where the walk is.
        from: Symbol,
        /// Where it can be continued.
        to: Symbol,
        /// Tags consumed.
        tags: Vec<ApplyTag>,
        /// Assignments to execute, in order: left and right side.
        assignments: Vec<(ExprId, ExprId)>,
    },
    /// `@tagIndex p .. : k;`
    TagIndex {
        /// The nodes.
        nodes: Vec<Symbol>,
        /// Number of tags emitted since the move began.
        index: u64,
    },
    /// `@tagMaxIndex p .. : k;`
    TagMaxIndex {
        /// The nodes.
        nodes: Vec<Symbol>,
        /// Greatest number of tags emitted since the move began.
        index: u64,
    },
    /// `@translatedFromRbg;`
    TranslatedFromRbg,
    /// Anything else, verbatim between `@` and `;`.
    Unknown(String),
}

/// A pragma with its place.
#[derive(Clone, Debug)]
pub struct PragmaDecl {
    /// The claim.
    pub pragma: Pragma,
    /// Where it stands.
    pub span: Span,
}

/// A game in Regular Games.
///
/// A `Game` can hold anything the grammar can say, wrong programs included; the checker (`check`) finds what is
/// wrong with it. Engines ask for a checked one.
#[derive(Clone, Debug)]
pub struct Game {
    /// Names.
    pub symbols: Symbols,
    /// Type expressions.
    pub types: Types,
    /// Expressions.
    pub exprs: Exprs,
    /// `type` declarations in order.
    pub type_decls: IdVec<TypeDeclId, TypeDecl>,
    /// `const` declarations in order.
    pub consts: IdVec<ConstId, ConstDecl>,
    /// `var` declarations in order.
    pub vars: IdVec<VarId, VarDecl>,
    /// Nodes and edges.
    pub automaton: Automaton,
    /// Pragmas in order.
    pub pragmas: Vec<PragmaDecl>,
    begin: NodeId,
    end: NodeId,
    pub(crate) node_names: FxHashMap<Symbol, NodeId>,
    pub(crate) const_names: FxHashMap<Symbol, ConstId>,
    pub(crate) var_names: FxHashMap<Symbol, VarId>,
    /// Per stem the next number of [`Game::fresh_name`].
    pub(crate) fresh: FxHashMap<String, u32>,
}

impl Default for Game {
    fn default() -> Self {
        Self::new()
    }
}

impl Game {
    /// A game with nothing but the nodes `begin` and `end`.
    pub fn new() -> Self {
        let mut symbols = Symbols::default();
        let mut automaton = Automaton::default();
        let (begin_name, end_name) = (symbols.intern("begin"), symbols.intern("end"));
        let begin = automaton.add_node(begin_name, Span::NONE);
        let end = automaton.add_node(end_name, Span::NONE);
        Self {
            symbols,
            types: Types::default(),
            exprs: Exprs::default(),
            type_decls: IdVec::new(),
            consts: IdVec::new(),
            vars: IdVec::new(),
            automaton,
            pragmas: Vec::new(),
            begin,
            end,
            node_names: [(begin_name, begin), (end_name, end)].into_iter().collect(),
            const_names: FxHashMap::default(),
            var_names: FxHashMap::default(),
            fresh: FxHashMap::default(),
        }
    }

    /// Where every play starts.
    #[inline]
    pub fn begin(&self) -> NodeId {
        self.begin
    }

    /// Where every play ends.
    #[inline]
    pub fn end(&self) -> NodeId {
        self.end
    }

    /// The text of a symbol.
    #[inline]
    pub fn name(&self, symbol: Symbol) -> &str {
        self.symbols.name(symbol)
    }

    /// The name of a node.
    #[inline]
    pub fn node_name(&self, node: NodeId) -> &str {
        self.symbols.name(self.automaton.node(node).name)
    }

    /// Declares a type. If the name is taken, the first declaration keeps it (the checker reports the second).
    pub fn add_type(&mut self, name: Symbol, definition: TypeId, span: Span) -> TypeDeclId {
        let id = self.type_decls.push(TypeDecl { name, definition, span, implicit: false });
        self.types.bind(name, id, definition);
        id
    }

    /// Declares a constant; names as in [`Game::add_type`].
    pub fn add_const(&mut self, name: Symbol, ty: TypeId, value: Value, span: Span) -> ConstId {
        let id = self.consts.push(ConstDecl { name, ty, value, span });
        self.const_names.entry(name).or_insert(id);
        id
    }

    /// Makes a variable [live at `end`](VarDecl::live_out).
    pub fn make_live_out(&mut self, var: VarId) {
        if let Some(decl) = self.vars.values_mut().nth(var.index()) {
            decl.live_out = true;
        }
    }

    /// Declares a variable; names as in [`Game::add_type`].
    pub fn add_var(&mut self, name: Symbol, ty: TypeId, initial: Value, span: Span) -> VarId {
        let id = self.vars.push(VarDecl { name, ty, initial, span, implicit: false, live_out: false });
        self.var_names.entry(name).or_insert(id);
        id
    }

    /// The node of that name, added if it is new. `span` becomes its place if it has none yet.
    pub fn node(&mut self, name: Symbol, span: Span) -> NodeId {
        let automaton = &mut self.automaton;
        let id = *self.node_names.entry(name).or_insert_with(|| automaton.add_node(name, span));
        self.automaton.locate_node(id, span);
        id
    }

    /// The node of that name, if there is one.
    pub fn find_node(&self, name: Symbol) -> Option<NodeId> {
        self.node_names.get(&name).copied().filter(|&id| self.automaton.contains_node(id))
    }

    /// The constant of that name.
    pub fn find_const(&self, name: Symbol) -> Option<ConstId> {
        self.const_names.get(&name).copied()
    }

    /// The variable of that name.
    pub fn find_var(&self, name: Symbol) -> Option<VarId> {
        self.var_names.get(&name).copied()
    }

    /// The expression a name stands for (section 3): a constant, else a variable, else the symbol itself.
    pub fn resolve_name(&mut self, name: Symbol) -> ExprId {
        let expr = match (self.find_const(name), self.find_var(name)) {
            (Some(id), _) => Expr::Const(id),
            (None, Some(id)) => Expr::Var(id),
            (None, None) => Expr::Symbol(name),
        };
        self.exprs.intern(expr)
    }

    /// The type of an expression; `None` where it has none (access of something that is not a map, unknown type).
    /// The type of a symbol `s` is `{s}`.
    pub fn type_of(&mut self, expr: ExprId) -> Option<TypeId> {
        // Iterative, since expressions can nest deeply: collect the spine, then walk it outwards.
        let mut spine = Vec::new();
        let mut at = expr;
        let mut ty = loop {
            match self.exprs.get(at) {
                Expr::Const(id) => break self.consts.get(id)?.ty,
                Expr::Var(id) => break self.vars.get(id)?.ty,
                Expr::Symbol(symbol) => break self.types.set([symbol]),
                Expr::Cast(ty, _) => break ty,
                Expr::Access(map, _) => {
                    spine.push(at);
                    at = map;
                }
            }
        };
        for _ in spine {
            ty = self.types.as_arrow(ty)?.1;
        }
        Some(ty)
    }

    /// Adds the built-in definitions that are missing (section 4), where `Player` and `Score` are there to define them
    /// with. Idempotent. Call it after all declarations and before names are resolved in edges.
    pub fn complete_builtins(&mut self) {
        let player = self.symbols.intern("Player");
        let score = self.symbols.intern("Score");
        let player_ty = self.types.name(player);
        let score_ty = self.types.name(score);
        let (zero, one) = (self.symbols.intern("0"), self.symbols.intern("1"));
        let (keeper, random) = (self.symbols.intern("keeper"), self.symbols.intern("random"));
        self.implicit_type("Bool", |types, _| types.set([zero, one]));
        self.implicit_type("Goals", |types, _| types.arrow(player_ty, score_ty));
        self.implicit_type("Visibility", |types, symbols| {
            let bool_ty = symbols.intern("Bool");
            let bool_ty = types.name(bool_ty);
            types.arrow(player_ty, bool_ty)
        });
        let players: Vec<Symbol> = self.types.members(player_ty).to_vec();
        self.implicit_type("PlayerOrSystem", |types, _| {
            let system = [keeper, random].into_iter().filter(|s| !players.contains(s));
            types.set(players.iter().copied().chain(system).collect::<Vec<_>>())
        });
        if let Some(&first) = self.types.members(score_ty).first() {
            self.implicit_var("goals", "Goals", Value::map(Value::Symbol(first), []));
        }
        self.implicit_var("player", "PlayerOrSystem", Value::Symbol(keeper));
        let visible = Value::Map(MapLiteral { entries: vec![(None, Value::Symbol(one))] });
        self.implicit_var("visible", "Visibility", visible);
    }

    fn implicit_type(&mut self, name: &str, make: impl FnOnce(&mut Types, &mut Symbols) -> TypeId) {
        let name = self.symbols.intern(name);
        if self.types.declaration(name).is_none() {
            let definition = make(&mut self.types, &mut self.symbols);
            let id = self.add_type(name, definition, Span::NONE);
            self.type_decls[id].implicit = true;
        }
    }

    fn implicit_var(&mut self, name: &str, ty: &str, initial: Value) {
        let name = self.symbols.intern(name);
        if self.find_var(name).is_none() {
            let ty = self.symbols.intern(ty);
            let ty = self.types.name(ty);
            let id = self.add_var(name, ty, initial, Span::NONE);
            self.vars[id].implicit = true;
        }
    }

    /// The players in declaration order (without the system players).
    pub fn players(&self) -> &[Symbol] {
        let Some(name) = self.symbols.get("Player") else { return &[] };
        let Some(decl) = self.types.declaration(name) else { return &[] };
        self.types.members(self.type_decls[decl].definition)
    }

    /// Whether an edge assigns `player`, and so ends a move (casts on the left are looked through).
    pub fn ends_move(&self, label: &crate::Label) -> bool {
        let (crate::Label::Assign { lhs, .. } | crate::Label::AssignAny { lhs, .. }) = *label else { return false };
        match self.exprs.root(lhs) {
            Expr::Var(id) => self
                .vars
                .get(id)
                .is_some_and(|decl| self.name(decl.name) == "player" && self.find_var(decl.name) == Some(id)),
            _ => false,
        }
    }

    /// Renumbers nodes and edges without holes, keeping their order. O(nodes + edges).
    pub fn compact(&mut self) {
        let old = std::mem::take(&mut self.automaton);
        let mut map: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        self.node_names.clear();
        for id in old.nodes() {
            let node = old.node(id);
            let new = self.automaton.add_node(node.name, node.span);
            self.node_names.insert(node.name, new);
            map.insert(id, new);
        }
        let target = |id: NodeId| map.get(&id).copied().unwrap_or(id);
        for (_, edge) in old.edges() {
            let mut edge = edge.clone();
            edge.source = target(edge.source);
            edge.target = target(edge.target);
            if let crate::Label::Reach { from, to, .. } = &mut edge.label {
                (*from, *to) = (target(*from), target(*to));
            }
            self.automaton.insert(edge);
        }
        self.begin = target(self.begin);
        self.end = target(self.end);
    }
}
