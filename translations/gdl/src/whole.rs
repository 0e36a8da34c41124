//! Maps that are assigned as a whole: what they are then is a part of the state, with what the walk has changed of it before.

use crate::eval::{Root, Several, compared, few, whole};
use crate::path::{Path, Source, Whole, Write};
use crate::rules::{Refused, Rules};
use crate::term::{Atom, Literal, Relation, Rule, Term};
use rg_ir::{ExprId, Span, VarId};

/// Why a map is not assigned.
const OTHER_KEYS: &str = "is assigned one with other keys";

impl Rules<'_> {
    /// The paths on which a map is assigned another one, or a part of another one.
    ///
    /// # Errors
    /// Their keys are not the same, so that there is no rule for each entry.
    pub(crate) fn assign_whole(&self, path: Path, var: VarId, rhs: ExprId, span: Span) -> Result<Vec<Path>, Refused> {
        let (root, keys) = self.spine(rhs);
        let source = match root {
            Root::Var(source) => Source::Var(source),
            Root::Const(id) => Source::Const(id),
            Root::Symbol(_) => return Err(whole(span, OTHER_KEYS)),
        };
        if !self.same_keys(var, source, keys.len()) {
            return Err(whole(span, OTHER_KEYS));
        }
        if source == Source::Var(var) {
            return if keys.is_empty() { Ok(vec![path]) } else { Err(whole(span, "is assigned a part of itself")) };
        }
        let (mut out, small) = (Vec::new(), false);
        for (path, keys) in self.eval_all(path, &keys, span)? {
            for (mut path, writes) in written(path, source, &keys, span)? {
                let before = match source {
                    Source::Var(from) => path.store.wholes.get(&from).cloned(),
                    Source::Const(_) | Source::Then(..) => None,
                };
                let from = match before {
                    Some(before) => Whole { source: before.source, keys: [before.keys, keys.clone()].concat() },
                    None => Whole { source, keys: keys.clone() },
                };
                path.store.writes.retain(|write| write.var != var);
                path.store.writes.extend(writes.into_iter().map(|(keys, value)| Write { var, keys, value, small }));
                if from.source == Source::Var(var) && from.keys.is_empty() {
                    path.store.wholes.remove(&var);
                } else {
                    path.store.wholes.insert(var, from);
                }
                out.push(path);
            }
        }
        Ok(out)
    }

    /// Whether a map has the keys that are left of another one when its first ones are given.
    fn same_keys(&self, var: VarId, source: Source, given: usize) -> bool {
        let (own, others) = (&self.vars[var].keys, &self.table(source).keys);
        let left = others.get(given..).unwrap_or_default();
        own.len() == left.len() && own.iter().zip(left).all(|((a, _), (b, _))| a == b)
    }

    /// The values that entries have but for what the walk has written there: those of the state, or of what the map was assigned.
    pub(crate) fn unwritten(&self, path: Path, var: VarId, keys: &[Term], span: Span) -> Several<Term> {
        let Some(whole) = path.store.wholes.get(&var).cloned() else {
            return self.entry(path, var, Relation::Fluent(var), keys, span);
        };
        let keys = [whole.keys.as_slice(), keys].concat();
        match whole.source {
            Source::Var(source) => self.entry(path, source, Relation::Fluent(source), &keys, span),
            Source::Then(node, source) => self.entry(path, source, Relation::Then(node, source), &keys, span),
            Source::Const(id) => self.constant(path, id, &keys, span),
        }
    }

    /// The rules for what a map is after a move that assigns it as a whole, where that is made. `newer` are the entries that it
    /// assigns then, and `but` has the keys of others.
    ///
    /// # Errors
    /// Outside of their types the maps have different values, which no rule says.
    pub(crate) fn next_whole(
        &self,
        (var, whole_map): (VarId, &Whole),
        path: &Path,
        made: impl Fn(&Path) -> Literal,
        newer: &[&Write],
        but: Option<Relation>,
    ) -> Result<Vec<Rule>, Refused> {
        if !self.same_outside(var, whole_map) {
            let what = "is assigned one with other values where keys are none of theirs";
            return Err(whole(self.game.vars[var].span, what));
        }
        let (mut path, table) = (path.clone(), &self.vars[var]);
        let keys = self.key_terms(&mut path, var);
        let mut types = vec![made(&path)];
        types.extend(
            keys.iter().zip(&table.shape.keys).map(|(&key, &ty)| Literal::Holds(Atom::new(Relation::Type(ty), [key]))),
        );
        let changed = Atom::new(Relation::Changed(var), keys.clone());
        let mut rules = vec![Rule { head: changed, body: types, vars: path.vars.clone() }];
        path.store.wholes.insert(var, whole_map.clone());
        let mut open = vec![path];
        for write in newer {
            open = open.into_iter().flat_map(|path| compared(path, &keys, &write.keys).1).collect();
            few(open.len(), Span::NONE)?;
        }
        for path in open {
            rules.extend(self.kept(path, var, &keys, Relation::Next(var), &made, but)?);
        }
        Ok(rules)
    }

    /// The rules that an entry is what it was, but for these that a relation has the keys of.
    ///
    /// # Errors
    /// There are too many cases.
    pub(crate) fn kept(
        &self,
        path: Path,
        var: VarId,
        keys: &[Term],
        value: Relation,
        made: impl Fn(&Path) -> Literal,
        but: Option<Relation>,
    ) -> Result<Vec<Rule>, Refused> {
        let rule = |(path, term): (Path, Term)| {
            let keys: Vec<Term> = keys.iter().map(|&key| path.resolve(key)).collect();
            let args = [keys.as_slice(), &[path.resolve(term)]].concat();
            let mut body = [vec![made(&path)], crate::program::body(&path)].concat();
            body.extend(but.map(|relation| Literal::Fails(Atom::new(relation, keys))));
            Rule { head: Atom::new(value, args), body, vars: path.vars }
        };
        Ok(self.unwritten(path, var, keys, Span::NONE)?.into_iter().map(rule).collect())
    }

    /// New terms for the keys of a map.
    pub(crate) fn key_terms(&self, path: &mut Path, var: VarId) -> Vec<Term> {
        let table = &self.vars[var];
        let named = table.key_names.iter().zip(&table.shape.keys).zip(&table.keys);
        named.map(|((name, &ty), (members, _))| path.fresh(name, ty, members.clone())).collect()
    }

    /// Whether a map and what it is assigned have one and the same value wherever a key is none of theirs. No assignment changes these entries, so that
    /// they are what is declared.
    fn same_outside(&self, var: VarId, whole: &Whole) -> bool {
        let (own, other) = (&self.vars[var], self.table(whole.source));
        let mut outside = own.outside().chain(other.outside());
        let first = outside.next();
        outside.all(|value| Some(value) == first)
    }
}

/// The entries of a map that a walk has written, as far as their first keys are the given ones: the keys after these, and the values.
fn written(path: Path, source: Source, given: &[Term], span: Span) -> Several<Vec<(Vec<Term>, Term)>> {
    let Source::Var(var) = source else { return Ok(vec![(path, Vec::new())]) };
    let writes: Vec<Write> = path.store.writes.iter().filter(|write| write.var == var).cloned().collect();
    let mut open = vec![(path, Vec::new())];
    for write in writes {
        let (first, rest) = write.keys.split_at(given.len().min(write.keys.len()));
        let mut next = Vec::new();
        for (path, entries) in open {
            let (same, others) = compared(path, given, first);
            next.extend(same.map(|path| (path, [entries.as_slice(), &[(rest.to_vec(), write.value)]].concat())));
            next.extend(others.into_iter().map(|path| (path, entries.clone())));
            few(next.len(), span)?;
        }
        open = next;
    }
    Ok(open)
}
