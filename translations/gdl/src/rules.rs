//! What the translation knows of a game: types, tables of constants, what matters where.

use crate::codes;
use crate::live::Live;
use crate::path::Source;
use crate::term::Values;
use rg_ir::ids::{Id, IdVec};
use rg_ir::{ConstId, Dense, Diagnostic, Expr, Game, Label, NodeId, Shape, Span, Symbol, TypeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Why a game is not translated.
pub(crate) type Refused = Box<Diagnostic>;

/// A variable or constant as a relation.
pub(crate) struct Table {
    pub(crate) shape: Shape,
    pub(crate) dense: Dense,
    /// Per key its symbols, and per symbol where it is listed.
    pub(crate) keys: Vec<(Values, FxHashMap<Symbol, usize>)>,
    pub(crate) leaf: Values,
    pub(crate) name: Rc<str>,
    /// What the keys are called in rules.
    pub(crate) key_names: Vec<Rc<str>>,
}

impl Table {
    /// The value at these keys; keys outside of the type have the default.
    pub(crate) fn at(&self, keys: &[Symbol]) -> Option<Symbol> {
        let mut index = 0;
        for ((key, dim), (_, places)) in keys.iter().zip(&self.dense.dims).zip(&self.keys) {
            index = index * dim + places.get(key).copied().unwrap_or(dim - 1);
        }
        self.dense.values.get(index).copied()
    }

    /// The values at all tuples of keys of which one is outside of its type.
    pub(crate) fn outside(&self) -> impl Iterator<Item = Symbol> {
        let is_outside = |mut index: usize| {
            self.dense.dims.iter().rev().any(|&dim| {
                let last = index % dim + 1 == dim;
                index /= dim;
                last
            })
        };
        self.dense.values.iter().enumerate().filter(move |&(index, _)| is_outside(index)).map(|(_, &value)| value)
    }
}

pub(crate) struct Rules<'g> {
    pub(crate) game: &'g Game,
    pub(crate) live: Live,
    pub(crate) consts: IdVec<ConstId, Table>,
    pub(crate) vars: IdVec<VarId, Table>,
    pub(crate) player: VarId,
    pub(crate) goals: VarId,
    pub(crate) keeper: Symbol,
    pub(crate) random: Option<Symbol>,
    /// Who sees tags, if not everybody sees all.
    pub(crate) visible: Option<VarId>,
    /// Nodes from which the keeper may still write entries of maps, other than scores, before it hands over.
    pub(crate) writes: FxHashSet<NodeId>,
    /// Maps of few entries that are written at many places: walks carry one value for each entry.
    pub(crate) small: FxHashSet<VarId>,
    /// Variables that are no maps and hold players: whose turn it is follows from them, as a rule.
    pub(crate) turns: Vec<VarId>,
}

impl<'g> Rules<'g> {
    /// # Errors
    /// The game has declarations that make no sense.
    pub(crate) fn new(game: &'g Game) -> Result<Self, Refused> {
        let var = |name: &str| game.symbols.get(name).and_then(|name| game.find_var(name));
        let (Some(player), Some(goals)) = (var("player"), var("goals")) else {
            return Err(invalid(Span::NONE, "the game has no variable `player`, or no `goals`"));
        };
        let keeper = game.symbols.get("keeper").ok_or_else(|| invalid(Span::NONE, "the game has no `keeper`"))?;
        let mut consts = IdVec::new();
        for decl in game.consts.values() {
            let dense = game.dense(decl.ty, &decl.value).map_err(|error| invalid(decl.span, &error.to_string()))?;
            consts.push(table(game, decl.name, decl.ty, dense, decl.span)?);
        }
        let mut vars = IdVec::new();
        for decl in game.vars.values() {
            let dense = game.dense(decl.ty, &decl.initial).map_err(|error| invalid(decl.span, &error.to_string()))?;
            vars.push(table(game, decl.name, decl.ty, dense, decl.span)?);
        }
        let random = game.symbols.get("random");
        let whose = |var: VarId| {
            let table: &Table = &vars[var];
            let leaf = vars[player].leaf.clone();
            var != player && table.keys.is_empty() && table.leaf.is_subset(&leaf)
        };
        let turns = vars.ids().filter(|&var| whose(var)).collect();
        let visible = var("visible").filter(|&visible| hides(game, visible, &vars[visible]));
        let live = Live::new(game, visible);
        let writes = writes(game, &live, goals, keeper);
        let small = small(game, &vars, goals);
        Ok(Self { small, game, live, consts, vars, player, goals, keeper, random, visible, writes, turns })
    }

    /// The players in order.
    pub(crate) fn players(&self) -> &'g [Symbol] {
        self.game.players()
    }

    /// The table that entries of a map come from.
    pub(crate) fn table(&self, source: Source) -> &Table {
        match source {
            Source::Var(var) | Source::Then(_, var) => &self.vars[var],
            Source::Const(id) => &self.consts[id],
        }
    }

    /// The symbols of a set type.
    pub(crate) fn members(&self, ty: TypeId) -> Values {
        Rc::new(self.game.types.members(ty).iter().copied().collect())
    }

    /// Whether a variable matters at a node to the question; the variable `player` is handled apart.
    pub(crate) fn matters(&self, question: Option<NodeId>, node: NodeId, var: VarId) -> bool {
        self.live.at(question, node).is_some_and(|live| live.contains(&var))
    }
}

/// Whether there are tags that some player does not see.
fn hides(game: &Game, visible: VarId, table: &Table) -> bool {
    let assigns = game.automaton.edges().any(|(_, edge)| match edge.label {
        Label::Assign { lhs, .. } | Label::AssignAny { lhs, .. } => game.exprs.root(lhs) == Expr::Var(visible),
        _ => false,
    });
    let one = game.symbols.get("1");
    assigns || table.dense.values.iter().any(|&value| Some(value) != one)
}

/// Most entries of a map that walks carry along one by one.
const SMALL: usize = 4;

/// Maps of few entries to which as many edges write, or one in a loop.
fn small(game: &Game, vars: &IdVec<VarId, Table>, goals: VarId) -> FxHashSet<VarId> {
    let (loops, mut edges) = (crate::collect::loops(game), FxHashMap::<VarId, usize>::default());
    for (id, edge) in game.automaton.edges() {
        if let Some((var, true)) = crate::collect::assigned(game, &edge.label) {
            let count = if loops.contains(&id) { SMALL } else { 1 };
            *edges.entry(var).or_default() += count;
        }
    }
    let is_small = |var: VarId, edges: usize| {
        let entries = vars[var].keys.iter().try_fold(1usize, |n, (members, _)| n.checked_mul(members.len()));
        var != goals && entries.is_some_and(|entries| entries <= SMALL && entries <= edges)
    };
    edges.into_iter().filter(|&(var, edges)| is_small(var, edges)).map(|(var, _)| var).collect()
}

/// The nodes from which maps are written, or entries of them, that still matter where a player is in control next.
fn writes(game: &Game, live: &Live, goals: VarId, keeper: Symbol) -> FxHashSet<NodeId> {
    let written = |label: &Label| match *label {
        Label::Assign { lhs, .. } | Label::AssignAny { lhs, .. } => match game.exprs.root(lhs) {
            Expr::Var(var) => {
                let is_map = game.types.as_arrow(game.vars[var].ty).is_some();
                Some(var).filter(|_| is_map && var != goals)
            }
            _ => None,
        },
        _ => None,
    };
    let matters = |var: VarId, target: NodeId| live.at(None, target).is_some_and(|live| live.contains(&var));
    let hands_over = |label: &Label| match *label {
        Label::Assign { rhs, .. } => game.ends_move(label) && game.exprs.get(rhs) != Expr::Symbol(keeper),
        _ => false,
    };
    let before = |mut pending: Vec<NodeId>| {
        let mut found: FxHashSet<NodeId> = pending.iter().copied().collect();
        while let Some(node) = pending.pop() {
            for &edge in game.automaton.incoming(node) {
                let edge = game.automaton.edge(edge);
                if !hands_over(&edge.label) && found.insert(edge.source) {
                    pending.push(edge.source);
                }
            }
        }
        found
    };
    let edges = || game.automaton.edges().map(|(_, edge)| edge);
    let vars: BTreeSet<VarId> = edges().filter_map(|edge| written(&edge.label)).collect();
    let mut sources = Vec::new();
    for var in vars {
        let next = edges().filter(|edge| hands_over(&edge.label) && edge.target != game.end());
        let handed = before(next.filter(|edge| matters(var, edge.target)).map(|edge| edge.source).collect());
        let writes = edges().filter(|edge| written(&edge.label) == Some(var) && matters(var, edge.target));
        sources.extend(writes.filter(|edge| handed.contains(&edge.target)).map(|edge| edge.source));
    }
    before(sources)
}

pub(crate) fn invalid(span: Span, message: &str) -> Refused {
    Box::new(Diagnostic::error(codes::INVALID, span, message.to_owned()))
}

fn table(game: &Game, name: Symbol, ty: TypeId, dense: Dense, span: Span) -> Result<Table, Refused> {
    let shape = game.shape(ty).ok_or_else(|| invalid(span, "its type does not resolve"))?;
    let key = |ty: &TypeId| {
        let members = game.types.members(*ty);
        let places = members.iter().copied().enumerate().map(|(at, symbol)| (symbol, at)).collect();
        (Rc::new(members.iter().copied().collect::<BTreeSet<_>>()), places)
    };
    let keys = shape.keys.iter().map(key).collect();
    let leaf = Rc::new(game.types.members(shape.leaf).iter().copied().collect());
    let name: Rc<str> = game.name(name).into();
    let key_names = shape.keys.iter().map(|&ty| type_name(game, ty, "key")).collect();
    Ok(Table { shape, dense, keys, leaf, name, key_names })
}

/// What a variable of a type is called: like the type.
pub(crate) fn type_name(game: &Game, ty: TypeId, otherwise: &str) -> Rc<str> {
    match game.types.kind(ty) {
        rg_ir::TypeKind::Name(name) => game.name(*name).into(),
        rg_ir::TypeKind::Set(_) | rg_ir::TypeKind::Arrow(..) => {
            debug_assert!(ty.index() < game.types.len());
            otherwise.into()
        }
    }
}
