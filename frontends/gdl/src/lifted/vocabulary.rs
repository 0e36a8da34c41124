//! Types, symbols, constants and variables of the game that is made.

use crate::normal::{Program, TermId};
use rg_ir::ids::{ConstId, ExprId, IdVec, Symbol, TypeId, VarId};
use rg_ir::{Expr, Game, Span, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// A set of tuples that has a type, by its position in the vocabulary.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Dom(usize);

/// A variable of the game that holds a tuple of a domain, or `null`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Slot(usize);

/// What a slot holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlotInfo {
    pub(super) var: VarId,
    pub(super) dom: Dom,
}

/// A set of tuples of one length.
#[derive(Clone, Debug)]
pub(super) struct Tuples {
    pub(super) values: Vec<Vec<TermId>>,
    pub(super) index: FxHashMap<Vec<TermId>, usize>,
    /// The type with just these symbols.
    pub(super) ty: TypeId,
    /// The type that has `null`, too.
    pub(super) or_null: TypeId,
    name: String,
}

impl Tuples {
    pub(super) fn arity(&self) -> usize {
        self.values.first().map_or(0, Vec::len)
    }
}

/// The game that is made, with what its symbols mean.
pub(super) struct Vocabulary<'p> {
    pub(super) program: &'p Program,
    pub(super) game: Game,
    doms: Vec<Tuples>,
    dom_ids: FxHashMap<Vec<Vec<TermId>>, Dom>,
    slots: Vec<SlotInfo>,
    symbols: FxHashMap<Vec<TermId>, Symbol>,
    constants: FxHashMap<(TypeId, Vec<Symbol>), ConstId>,
    used: FxHashSet<String>,
    nodes: FxHashSet<String>,
    numbers: FxHashMap<String, u32>,
    /// What stands for no value.
    pub(super) null: Symbol,
    /// The symbols of `Bool`.
    pub(super) bools: [Symbol; 2],
    pub(super) bool_ty: TypeId,
}

const RESERVED: [&str; 16] = [
    "const",
    "type",
    "var",
    "begin",
    "end",
    "keeper",
    "random",
    "player",
    "goals",
    "visible",
    "Player",
    "Score",
    "Bool",
    "Goals",
    "Visibility",
    "PlayerOrSystem",
];

impl<'p> Vocabulary<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let mut game = Game::new();
        let null = game.symbols.intern("null");
        let bools = ["0", "1"].map(|name| game.symbols.intern(name));
        let bool_name = game.symbols.intern("Bool");
        let bool_ty = game.types.name(bool_name);
        let used = RESERVED.into_iter().chain(["null", "0", "1"]).map(str::to_owned).collect();
        let mut vocabulary = Self {
            program,
            game,
            doms: Vec::new(),
            dom_ids: FxHashMap::default(),
            slots: Vec::new(),
            symbols: FxHashMap::default(),
            constants: FxHashMap::default(),
            used,
            nodes: FxHashSet::from_iter(["begin".to_owned(), "end".to_owned()]),
            numbers: FxHashMap::default(),
            null,
            bools,
            bool_ty,
        };
        vocabulary.symbols.insert(Vec::new(), bools[1]);
        vocabulary
    }

    /// Domains have at least one value; those of `Bool` and roles have names of their own.
    pub(super) fn tuples(&self, dom: Dom) -> &Tuples {
        &self.doms[dom.0]
    }

    /// How many values a type of tuples has; 1 for other types.
    pub(super) fn values_of_type(&self, ty: TypeId) -> usize {
        self.doms.iter().find(|dom| dom.ty == ty).map_or(1, |dom| dom.values.len())
    }

    pub(super) fn slot(&self, slot: Slot) -> SlotInfo {
        self.slots[slot.0]
    }

    pub(super) fn slot_values(&self, slot: Slot) -> &Tuples {
        self.tuples(self.slot(slot).dom)
    }

    /// A name that nothing has: `stem`, or with a number behind it.
    pub(super) fn name(&mut self, stem: &str) -> Symbol {
        let stem = identifier(stem);
        let mut text = stem.clone();
        while !self.used.insert(text.clone()) {
            let number = self.numbers.entry(stem.clone()).or_insert(0);
            *number += 1;
            text = format!("{stem}_{number}");
        }
        self.game.symbols.intern(&text)
    }

    /// The symbol of a tuple.
    pub(super) fn symbol(&mut self, tuple: &[TermId]) -> Symbol {
        if let Some(&symbol) = self.symbols.get(tuple) {
            return symbol;
        }
        let parts: Vec<String> = tuple.iter().map(|&term| self.program.terms.kif(&self.program.words, term)).collect();
        let text = parts.join("_");
        // The numerals are symbols of `Bool`, too, and mean themselves everywhere.
        let symbol = match text.as_str() {
            "0" | "1" if tuple.len() == 1 => self.game.symbols.intern(&text),
            _ => self.name(&text),
        };
        self.symbols.insert(tuple.to_vec(), symbol);
        symbol
    }

    /// The domain of these tuples. A new one is called after `stem`.
    pub(super) fn dom(&mut self, mut values: Vec<Vec<TermId>>, stem: &str) -> Dom {
        values.sort_unstable();
        values.dedup();
        if let Some(&dom) = self.dom_ids.get(&values) {
            return dom;
        }
        let members: Vec<Symbol> = values.iter().map(|tuple| self.symbol(tuple)).collect();
        let name = self.name(&capital(stem));
        let text = self.game.name(name).to_owned();
        let null_name = self.name(&format!("{text}OrNull"));
        let definition = self.game.types.set(members.clone());
        self.game.add_type(name, definition, Span::NONE);
        let with_null: Vec<Symbol> = std::iter::once(self.null).chain(members).collect();
        let definition = self.game.types.set(with_null);
        self.game.add_type(null_name, definition, Span::NONE);
        let (ty, or_null) = (self.game.types.name(name), self.game.types.name(null_name));
        let index = values.iter().cloned().zip(0..).collect();
        self.doms.push(Tuples { values: values.clone(), index, ty, or_null, name: text });
        let dom = Dom(self.doms.len() - 1);
        self.dom_ids.insert(values, dom);
        dom
    }

    /// A new slot.
    pub(super) fn new_slot(&mut self, stem: &str, dom: Dom) -> Slot {
        let name = self.name(stem);
        let (ty, null) = (self.tuples(dom).or_null, self.null);
        let var = self.game.add_var(name, ty, Value::Symbol(null), Span::NONE);
        self.slots.push(SlotInfo { var, dom });
        Slot(self.slots.len() - 1)
    }

    pub(super) fn slot_expr(&mut self, slot: Slot) -> ExprId {
        let var = self.slot(slot).var;
        self.game.exprs.intern(Expr::Var(var))
    }

    pub(super) fn symbol_expr(&mut self, symbol: Symbol) -> ExprId {
        self.game.exprs.intern(Expr::Symbol(symbol))
    }

    pub(super) fn access(&mut self, map: ExprId, key: ExprId) -> ExprId {
        self.game.exprs.intern(Expr::Access(map, key))
    }

    pub(super) fn builtin(&mut self, name: &str) -> ExprId {
        let name = self.game.symbols.intern(name);
        self.game.resolve_name(name)
    }

    /// A constant map from tuples of the domains, the first outermost, to symbols: one symbol per combination of
    /// tuples, the last domain's counting fastest. Equal maps are one constant.
    pub(super) fn map(
        &mut self,
        stem: &str,
        keys: &[Dom],
        value_ty: TypeId,
        cells: Vec<Symbol>,
        default: Symbol,
    ) -> ExprId {
        let ty = keys.iter().rev().fold(value_ty, |ty, &key| {
            let key = self.tuples(key).ty;
            self.game.types.arrow(key, ty)
        });
        if let Some(&id) = self.constants.get(&(ty, cells.clone())) {
            return self.game.exprs.intern(Expr::Const(id));
        }
        let value = self.literal(keys, &cells, default);
        let name = self.name(stem);
        let id = self.game.add_const(name, ty, value, Span::NONE);
        self.constants.insert((ty, cells), id);
        self.game.exprs.intern(Expr::Const(id))
    }

    /// The constant of type `Visibility` with that value for everybody.
    pub(super) fn visibility(&mut self, value: Symbol) -> ExprId {
        let name = self.game.symbols.intern("Visibility");
        let ty = self.game.types.name(name);
        if let Some(&id) = self.constants.get(&(ty, vec![value])) {
            return self.game.exprs.intern(Expr::Const(id));
        }
        let name = self.name(if value == self.bools[0] { "hidden" } else { "shown" });
        let id = self.game.add_const(name, ty, Value::map(Value::Symbol(value), []), Span::NONE);
        self.constants.insert((ty, vec![value]), id);
        self.game.exprs.intern(Expr::Const(id))
    }

    /// The literal of a map with these cells.
    pub(super) fn literal(&self, keys: &[Dom], cells: &[Symbol], default: Symbol) -> Value {
        let Some((&first, rest)) = keys.split_first() else {
            return Value::Symbol(cells.first().copied().unwrap_or(default));
        };
        let tuples = self.tuples(first);
        let size = (cells.len() / tuples.values.len().max(1)).max(1);
        let mut entries = Vec::new();
        for (tuple, part) in tuples.values.iter().zip(cells.chunks(size)) {
            if part.iter().any(|&cell| cell != default)
                && let Some(&key) = self.symbols.get(tuple)
            {
                entries.push((key, self.literal(rest, part, default)));
            }
        }
        Value::map(self.literal_of_default(rest, default), entries)
    }

    fn literal_of_default(&self, keys: &[Dom], default: Symbol) -> Value {
        keys.iter().fold(Value::Symbol(default), |value, _| Value::map(value, []))
    }

    /// What a domain is called.
    pub(super) fn dom_name(&self, dom: Dom) -> String {
        self.tuples(dom).name.clone()
    }

    /// A new node.
    pub(super) fn node(&mut self, stem: &str) -> rg_ir::ids::NodeId {
        let stem = identifier(stem);
        let mut text = stem.clone();
        while !self.nodes.insert(text.clone()) {
            let number = self.numbers.entry(format!("{stem}:")).or_insert(0);
            *number += 1;
            text = format!("{stem}_{number}");
        }
        let name = self.game.symbols.intern(&text);
        self.game.node(name, Span::NONE)
    }

    /// The declared variables.
    pub(super) fn vars(&self) -> &IdVec<VarId, rg_ir::VarDecl> {
        &self.game.vars
    }
}

/// The text with everything that cannot be in an identifier replaced.
pub(super) fn identifier(text: &str) -> String {
    let mut out: String = text.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' }).collect();
    if out.is_empty() {
        out.push('_');
    }
    out
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
