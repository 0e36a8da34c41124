//! Expressions: the term that one stands for, with the conditions under which it does.
//!
//! An expression may have several terms: an entry of a map is the one that the walk wrote last if the keys agree, and otherwise the one that the
//! state has. Each is an alternative, a path of its own.

use crate::codes;
use crate::path::{Path, Source, Write};
use crate::rules::{Refused, Rules, invalid};
use crate::term::{Relation, Term};
use rg_ir::{ConstId, Diagnostic, Expr, ExprId, Span, Symbol, VarId};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Most combinations of keys for which the possible values of a constant are looked up. All values are possible otherwise.
const MAX_COMBINATIONS: usize = 1 << 10;

/// Most alternatives of a step.
const MAX_ALTERNATIVES: usize = 1 << 12;

/// What an expression is made of: a constant or variable, and keys.
pub(crate) enum Root {
    Symbol(Symbol),
    Const(ConstId),
    Var(VarId),
}

/// Alternatives.
pub(crate) type Several<T> = Result<Vec<(Path, T)>, Refused>;

impl Rules<'_> {
    /// The terms of an expression.
    pub(crate) fn eval(&self, path: Path, expr: ExprId, span: Span) -> Several<Term> {
        let (root, keys) = self.spine(expr);
        let mut out = Vec::new();
        for (path, keys) in self.eval_all(path, &keys, span)? {
            match root {
                Root::Symbol(symbol) if keys.is_empty() => out.push((path, Term::Symbol(symbol))),
                Root::Symbol(_) => return Err(invalid(span, "an access needs a map")),
                Root::Const(id) => out.extend(self.constant(path, id, &keys, span)?),
                Root::Var(id) => out.extend(self.variable(path, id, &keys, span)?),
            }
        }
        Ok(out)
    }

    /// The terms of several expressions, one after the other.
    pub(crate) fn eval_all(&self, path: Path, exprs: &[ExprId], span: Span) -> Several<Vec<Term>> {
        let mut alternatives = vec![(path, Vec::with_capacity(exprs.len()))];
        for &expr in exprs {
            let mut next = Vec::with_capacity(alternatives.len());
            for (path, terms) in alternatives {
                for (path, term) in self.eval(path, expr, span)? {
                    let mut terms: Vec<Term> = terms.clone();
                    terms.push(term);
                    next.push((path, terms));
                }
                few(next.len(), span)?;
            }
            alternatives = next;
        }
        Ok(alternatives)
    }

    /// What is accessed, and with which keys, the outermost map's first. Casts never change a value.
    pub(crate) fn spine(&self, mut expr: ExprId) -> (Root, Vec<ExprId>) {
        let mut keys = Vec::new();
        let root = loop {
            match self.game.exprs.get(expr) {
                Expr::Cast(_, inner) => expr = inner,
                Expr::Access(map, key) => {
                    keys.push(key);
                    expr = map;
                }
                Expr::Symbol(symbol) => break Root::Symbol(symbol),
                Expr::Const(id) => break Root::Const(id),
                Expr::Var(id) => break Root::Var(id),
            }
        };
        keys.reverse();
        (root, keys)
    }

    /// The variable of a left side, and its keys.
    pub(crate) fn target(&self, lhs: ExprId, span: Span) -> Result<(VarId, Vec<ExprId>), Refused> {
        match self.spine(lhs) {
            (Root::Var(var), keys) => Ok((var, keys)),
            _ => Err(invalid(span, "only variables can be assigned")),
        }
    }

    pub(crate) fn constant(&self, mut path: Path, id: ConstId, keys: &[Term], span: Span) -> Several<Term> {
        let table = &self.consts[id];
        if keys.len() != table.keys.len() {
            return Err(whole(span, "is compared, or chosen, as a whole"));
        }
        let keys: Vec<Term> = keys.iter().map(|&key| path.resolve(key)).collect();
        // All values that are possible, as far as there are few enough combinations of keys to look at.
        let sets: Vec<_> = keys.iter().map(|&key| path.values(key)).collect();
        let combinations = sets.iter().try_fold(1usize, |n, set| n.checked_mul(set.len()));
        let mut values: BTreeSet<Symbol> = BTreeSet::new();
        if combinations.is_some_and(|n| n <= MAX_COMBINATIONS) {
            let mut tuples: Vec<Vec<Symbol>> = vec![Vec::new()];
            for set in &sets {
                tuples =
                    tuples.iter().flat_map(|tuple| set.iter().map(|&s| [tuple.as_slice(), &[s]].concat())).collect();
            }
            values.extend(tuples.iter().filter_map(|tuple| table.at(tuple)));
        } else {
            values.extend(table.dense.values.iter());
        }
        if let (1, Some(&only)) = (values.len(), values.first()) {
            return Ok(vec![(path, Term::Symbol(only))]);
        }
        if let Some(known) = path.known(Relation::Constant(id), &keys) {
            return Ok(vec![(path, known)]);
        }
        let name = crate::rules::type_name(self.game, table.shape.leaf, &table.name);
        let value = path.fresh(&name, table.shape.leaf, Rc::new(values));
        path.holds(Relation::Constant(id), [keys.as_slice(), &[value]].concat());
        Ok(vec![(path, value)])
    }

    /// The value of a variable at these keys.
    pub(crate) fn variable(&self, path: Path, var: VarId, keys: &[Term], span: Span) -> Several<Term> {
        let table = &self.vars[var];
        if keys.len() != table.keys.len() {
            return Err(whole(span, "is compared, or chosen, as a whole"));
        }
        if keys.is_empty() {
            return Ok(vec![self.scalar(path, var)]);
        }
        let (mut out, mut open) = (Vec::new(), vec![path]);
        let writes: Vec<Write> = open[0].store.writes.iter().filter(|write| write.var == var).cloned().collect();
        for write in writes.iter().rev() {
            let mut older = Vec::new();
            for path in open {
                let (same, others) = compared(path, keys, &write.keys);
                out.extend(same.map(|path| (path, write.value)));
                older.extend(others);
                few(out.len() + older.len(), span)?;
            }
            open = older;
        }
        for path in open {
            out.extend(self.unwritten(path, var, keys, span)?);
            few(out.len(), span)?;
        }
        Ok(out)
    }

    fn scalar(&self, mut path: Path, var: VarId) -> (Path, Term) {
        let assigned = path.store.scalars.get(&var).copied();
        let assigned = if var == self.player { assigned.or(path.store.mover) } else { assigned };
        let relation = match path.store.wholes.get(&var).map(|whole| whole.source) {
            Some(Source::Then(node, _)) => Relation::Then(node, var),
            _ => Relation::Fluent(var),
        };
        if let Some(term) = assigned.or_else(|| path.known(relation, &[])) {
            return (path, term);
        }
        let table = &self.vars[var];
        let value = path.fresh(&table.name, table.shape.leaf, table.leaf.clone());
        path.holds(relation, [value]);
        (path, value)
    }

    /// The value that an entry has in the state, or in another relation with the entries of a variable.
    pub(crate) fn entry(&self, path: Path, var: VarId, relation: Relation, keys: &[Term], span: Span) -> Several<Term> {
        let table = &self.vars[var];
        let (mut out, mut open) = (Vec::new(), vec![path]);
        for (index, (&key, (members, _))) in keys.iter().zip(&table.keys).enumerate() {
            let mut inside = Vec::new();
            for mut path in open {
                let strange: Vec<Symbol> = path.values(key).difference(members).copied().collect();
                for symbol in strange {
                    let mut path = path.clone();
                    if path.unify(key, Term::Symbol(symbol)) {
                        out.extend(self.default_entry(path, var, keys, index, span)?);
                    }
                }
                if path.restrict(key, |symbol| members.contains(symbol)) {
                    inside.push(path);
                }
            }
            open = inside;
        }
        for mut path in open {
            let value = match path.known(relation, keys) {
                Some(value) => value,
                None => {
                    let name = crate::rules::type_name(self.game, table.shape.leaf, "value");
                    let value = path.fresh(&name, table.shape.leaf, table.leaf.clone());
                    path.holds(relation, [keys, &[value]].concat());
                    value
                }
            };
            out.push((path, value));
        }
        Ok(out)
    }

    /// The value of an entry whose key with that index is none: the default at the beginning, which nothing can assign. It depends on keys before,
    /// of which all are looked at.
    fn default_entry(&self, path: Path, var: VarId, keys: &[Term], index: usize, span: Span) -> Several<Term> {
        let table = &self.vars[var];
        let mut open = vec![(path, Vec::new())];
        for (&key, at) in keys.iter().zip(0..) {
            let mut next = Vec::new();
            for (path, tuple) in open {
                for symbol in path.values(key).iter().copied() {
                    let mut path: Path = path.clone();
                    // Keys after a strange one still choose among defaults.
                    if path.unify(key, Term::Symbol(symbol)) || at > index && path.resolve(key) == Term::Symbol(symbol)
                    {
                        next.push((path, [tuple.as_slice(), &[symbol]].concat()));
                    }
                }
                few(next.len(), span)?;
            }
            open = next;
        }
        let value = |(path, tuple): (Path, Vec<Symbol>)| Some((path, Term::Symbol(table.at(&tuple)?)));
        Ok(open.into_iter().filter_map(value).collect())
    }
}

/// Whether so many alternatives are few enough to go on with.
///
/// # Errors
/// They are not.
pub(crate) fn few(alternatives: usize, span: Span) -> Result<(), Refused> {
    rg_ir::cancel::check();
    if alternatives <= MAX_ALTERNATIVES {
        return Ok(());
    }
    let message = format!("a step has more than {MAX_ALTERNATIVES} alternatives");
    let refused = Diagnostic::error(codes::TOO_LARGE, span, message);
    Err(Box::new(refused.help("each entry of a map that a walk has written may be the one that is read, or not")))
}

/// The path on which keys are those of an entry, and the paths on which they are not.
pub(crate) fn compared(path: Path, keys: &[Term], others: &[Term]) -> (Option<Path>, Vec<Path>) {
    if keys.iter().zip(others).any(|(&a, &b)| path.surely_differ(a, b)) {
        return (None, vec![path]);
    }
    let mut apart = Vec::new();
    let mut same = path;
    for (&a, &b) in keys.iter().zip(others) {
        let mut different = same.clone();
        if different.differ(a, b) {
            apart.push(different);
        }
        if !same.unify(a, b) {
            return (None, apart);
        }
    }
    (Some(same), apart)
}

pub(crate) fn whole(span: Span, what: &str) -> Refused {
    let message = format!("a map {what}; GDL has rules for one entry at a time");
    Box::new(Diagnostic::error(codes::WHOLE_MAP, span, message))
}
