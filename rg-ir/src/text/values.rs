//! Values of constants and variables: names, map literals, and the order in which constants depend on each other.

use super::ast::{self, Body, Declaration, Entry, Name};
use super::cycles;
use super::resolve::Resolver;
use crate::diag::Diagnostic;
use crate::ids::{ConstId, Id, Symbol};
use crate::source::Span;
use crate::value::{MapLiteral, Value};
use rustc_hash::FxHashMap;

impl Resolver<'_, '_> {
    /// Gives all declared constants and variables their values, and finds cycles among constants.
    pub(crate) fn values(&mut self, declarations: &[Declaration]) {
        let mut graph = Vec::new();
        let (mut consts, mut vars) = (Vec::new(), Vec::new());
        for declaration in declarations {
            match &declaration.body {
                Body::Const { name, value, .. } => {
                    let owner = self.symbol(name);
                    let mut mentioned = Vec::new();
                    consts.push(self.value(value, Some(owner), &mut mentioned));
                    graph.push(mentioned);
                }
                Body::Var { value, .. } => vars.push(self.value(value, None, &mut Vec::new())),
                Body::Type { .. } | Body::Edge { .. } | Body::Pragma(_) => {}
            }
        }
        // The declarations were added in this very order; built-in variables come behind them.
        for (decl, value) in self.game.consts.values_mut().zip(consts) {
            decl.value = value;
        }
        for (decl, value) in self.game.vars.values_mut().zip(vars) {
            decl.initial = value;
        }
        self.check_cycles(&graph);
    }

    fn check_cycles(&mut self, graph: &[Vec<usize>]) {
        for cycle in cycles::find(graph).cycles {
            let mut decls = cycle.iter().filter_map(|&i| self.game.consts.get(ConstId::from_index(i)));
            let Some(first) = decls.next() else { continue };
            let message = format!("the value of constant `{}` depends on itself", self.game.name(first.name));
            let error = Diagnostic::error("RG012", first.span, message);
            self.report.add(decls.take(5).fold(error, |error, decl| error.also(decl.span, "by way of this one")));
        }
    }

    /// The meaning of a value. `owner` is the constant that is being defined: in its own value its name is a symbol
    /// (section 6.1). Recursive over brackets.
    fn value(&mut self, value: &ast::Value, owner: Option<Symbol>, mentioned: &mut Vec<usize>) -> Value {
        let (entries, span) = match value {
            ast::Value::Name(name) => return self.value_name(name, owner, mentioned),
            ast::Value::Map { entries, span } => (entries, *span),
        };
        self.check_entries(entries, span);
        let mut literal = MapLiteral { entries: Vec::with_capacity(entries.len()) };
        for entry in entries {
            let key = entry.key.as_ref().map(|key| self.symbol(key));
            literal.entries.push((key, self.value(&entry.value, owner, mentioned)));
        }
        Value::Map(literal)
    }

    fn value_name(&mut self, name: &Name, owner: Option<Symbol>, mentioned: &mut Vec<usize>) -> Value {
        let symbol = self.symbol(name);
        if owner == Some(symbol) {
            return Value::Symbol(symbol);
        }
        if let Some(id) = self.game.find_const(symbol) {
            mentioned.push(id.index());
            return Value::Const(id);
        }
        if let Some(id) = self.game.find_var(symbol) {
            let declared = self.game.vars.get(id).map_or(Span::NONE, |decl| decl.span);
            let message = format!("found the variable `{}`, expected a symbol or a constant", name.text);
            let error = Diagnostic::error("RG013", name.span, message).label("initial values are fixed");
            self.report.add(error.also(declared, "the variable"));
        }
        Value::Symbol(symbol)
    }

    /// Exactly one default, distinct keys.
    fn check_entries(&mut self, entries: &[Entry], span: Span) {
        let mut keys: FxHashMap<&str, Span> = FxHashMap::default();
        let mut default: Option<Span> = None;
        for entry in entries {
            let Some(key) = &entry.key else {
                if let Some(earlier) = default {
                    let error = Diagnostic::error("RG008", entry.span, "found a second default entry, expected one");
                    self.report.add(error.also(earlier, "the first one"));
                }
                default = default.or(Some(entry.span));
                continue;
            };
            if let Some(earlier) = keys.insert(key.text, key.span) {
                let error = Diagnostic::error("RG008", key.span, format!("key `{}` is given twice", key.text));
                self.report.add(error.also(earlier, "given here before"));
            }
        }
        if default.is_none() {
            let error = Diagnostic::error("RG008", span, "the map has no default entry");
            self.report.add(error.help("add `:value`, the value for all keys that are not listed"));
        }
    }
}
