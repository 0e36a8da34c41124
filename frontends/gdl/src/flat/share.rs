//! Conditions that several rules of a relation have in common are asked once: `p ⇐ q ∧ a` and `p ⇐ q ∧ b` become
//! `p ⇐ q ∧ r`, `r ⇐ a`, `r ⇐ b` (left factoring, distributivity). That is worth it where `q` has many rules itself.

use super::convert::{classify, renumber};
use super::{Arg, Atom, Flat, Literal, Rel, Relation, Rule};
use crate::normal::RelationKind;
use rustc_hash::FxHashMap;

/// Rules with the same head and the same condition, with the condition's position in each.
type Group = Vec<(usize, usize)>;

/// The same rules, with common conditions shared. Cubic in the rules of a relation at worst; these are few.
pub(crate) fn share(mut flat: Flat) -> Flat {
    let count = u32::try_from(flat.relations.len()).unwrap_or(u32::MAX);
    let mut ways = FxHashMap::default();
    for rel in (0..count).map(Rel) {
        count_ways(&flat, rel, &mut ways);
    }
    for rel in (0..count).map(Rel) {
        let relation = flat.relation(rel);
        let wanted = matches!(relation.kind, RelationKind::Helper | RelationKind::Legal);
        if !wanted || relation.is_static || relation.recursive {
            continue;
        }
        while let Some((common, group)) = largest_group(&flat, rel, &ways) {
            split(&mut flat, rel, common, &group);
        }
    }
    classify(&mut flat);
    flat
}

/// In how many ways a relation can hold, by rules: 1 if it is not known by rules on the state, or is recursive.
fn count_ways(flat: &Flat, rel: Rel, ways: &mut FxHashMap<Rel, usize>) -> usize {
    if let Some(&known) = ways.get(&rel) {
        return known;
    }
    ways.insert(rel, 1);
    let relation = flat.relation(rel);
    if relation.kind != RelationKind::Helper || relation.is_static || relation.recursive {
        return 1;
    }
    let mut sum = 0usize;
    for rule in flat.rules_of(rel) {
        let asked = rule.body.iter().filter(|literal| matches!(literal, Literal::Pos(_))).filter_map(Literal::atom);
        sum =
            asked.fold(1, |all: usize, atom| all.saturating_mul(count_ways(flat, atom.rel, ways))).saturating_add(sum);
    }
    ways.insert(rel, sum);
    sum
}

/// The largest group of rules of a relation, and the relation that their common condition asks.
fn largest_group(flat: &Flat, rel: Rel, ways: &FxHashMap<Rel, usize>) -> Option<(Rel, Group)> {
    let mut groups: FxHashMap<(Atom, Atom), Group> = FxHashMap::default();
    for &index in &flat.relation(rel).rules {
        let Some(rule) = flat.rules.get(index) else { continue };
        for (at, literal) in rule.body.iter().enumerate() {
            let Literal::Pos(atom) = literal else { continue };
            if ways.get(&atom.rel).is_none_or(|&ways| ways < 2) {
                continue;
            }
            let number = numbering(rule, atom);
            let group = groups.entry((rule.head.map(&number), atom.map(&number))).or_default();
            if group.last().is_none_or(|(last, _)| *last != index) {
                group.push((index, at));
            }
        }
    }
    let size = |((_, atom), group): &(&(Atom, Atom), &Group)| {
        let first = group.first().map_or(0, |&(index, _)| index);
        (group.len(), ways.get(&atom.rel).copied(), std::cmp::Reverse(first))
    };
    let ((_, atom), group) = groups.iter().filter(|(_, group)| group.len() > 1).max_by_key(size)?;
    Some((atom.rel, group.clone()))
}

/// Numbers the variables of the head and of an atom in the order of their appearance, the others behind them.
fn numbering(rule: &Rule, atom: &Atom) -> impl Fn(Arg) -> Arg + use<> {
    let mut order: Vec<u32> = Vec::new();
    for var in rule.head.vars().chain(atom.vars()).chain(0..rule.vars) {
        if !order.contains(&var) {
            order.push(var);
        }
    }
    move |arg| match arg {
        Arg::Var(var) => {
            let at = order.iter().position(|&other| other == var).unwrap_or(0);
            Arg::Var(u32::try_from(at).unwrap_or(u32::MAX))
        }
        Arg::Is(_) => arg,
    }
}

/// Puts what differs in a group of rules into a relation of its own.
fn split(flat: &mut Flat, rel: Rel, common: Rel, group: &Group) {
    let mut heads: Option<(Atom, Atom, rg_ir::Span)> = None;
    let mut rests: Vec<Vec<Literal>> = Vec::new();
    for &(index, at) in group {
        let Some(rule) = flat.rules.get(index) else { return };
        let Some(atom) = rule.body.get(at).and_then(Literal::atom) else { return };
        let number = numbering(rule, atom);
        let others = rule.body.iter().enumerate().filter(|(other, _)| *other != at);
        rests.push(others.map(|(_, literal)| literal.map(&number)).collect());
        heads.get_or_insert_with(|| (rule.head.map(&number), atom.map(&number), rule.span));
    }
    let Some((head, atom, span)) = heads else { return };
    let shared = head.vars().chain(atom.vars()).max().map_or(0, |var| var + 1);
    let own = |literal: &Literal| literal.vars().iter().all(|&var| var < shared);
    let first = rests.first().cloned().unwrap_or_default();
    let in_all = first.into_iter().filter(|literal| own(literal) && rests.iter().all(|rest| rest.contains(literal)));
    let mut body: Vec<Literal> = std::iter::once(Literal::Pos(atom)).chain(in_all).collect();
    rests.iter_mut().for_each(|rest| rest.retain(|literal| !body.contains(literal)));
    let mut vars: Vec<u32> = rests.iter().flatten().flat_map(Literal::vars).filter(|&var| var < shared).collect();
    vars.sort_unstable();
    vars.dedup();
    // Where nothing is left of one of the rules, it says it all.
    if rests.iter().all(|rest| !rest.is_empty()) {
        let args: Vec<Arg> = vars.iter().map(|&var| Arg::Var(var)).collect();
        let part = Rel(u32::try_from(flat.relations.len()).unwrap_or(u32::MAX));
        for (place, &arg) in args.iter().enumerate() {
            let binds = body.iter().filter(|literal| matches!(literal, Literal::Pos(_))).filter_map(Literal::atom);
            let found = binds.flat_map(|atom| atom.args.iter().enumerate().map(move |(at, arg)| (atom.rel, at, *arg)));
            if let Some((rel, at, _)) = found.into_iter().find(|(.., other)| *other == arg) {
                flat.bound.insert((part, place), (rel, at));
            }
        }
        let is_static = rests.iter().all(|rest| is_safe(&vars, rest));
        let part_head = Atom { rel: part, args };
        let mut rules = Vec::new();
        for rest in rests {
            let (head, body, vars) = renumber(part_head.clone(), rest);
            rules.push(flat.rules.len());
            flat.rules.push(Rule { head, body, vars, span });
        }
        let (base, arity) = (flat.relation(common).base, part_head.args.len());
        let (kind, shapes) = (RelationKind::Helper, Vec::new());
        let (is_open, recursive) = (false, false);
        flat.relations.push(Relation { base, kind, shapes, arity, is_static, is_open, recursive, rules });
        body.push(Literal::Pos(part_head));
    }
    let (head, body, vars) = renumber(head, body);
    let index = flat.rules.len();
    flat.rules.push(Rule { head, body, vars, span });
    // In the place of the first of them.
    let gone: Vec<usize> = group.iter().map(|&(index, _)| index).collect();
    if let Some(relation) = flat.relations.get_mut(rel.index()) {
        if let Some(place) = relation.rules.iter_mut().find(|index| gone.contains(index)) {
            *place = index;
        }
        relation.rules.retain(|index| !gone.contains(index));
    }
    remove(flat, gone);
}

/// Whether conditions bind the variables that they mention and some more: only then is there a table of what they hold of.
/// Else what is asked before binds them.
fn is_safe(vars: &[u32], body: &[Literal]) -> bool {
    let binds = body.iter().filter(|literal| matches!(literal, Literal::Pos(_)));
    let bound: Vec<u32> = binds.flat_map(Literal::vars).collect();
    vars.iter().copied().chain(body.iter().flat_map(Literal::vars)).all(|var| bound.contains(&var))
}

/// Takes rules out that no relation has any more.
pub(super) fn remove(flat: &mut Flat, mut unused: Vec<usize>) {
    unused.sort_unstable();
    for &index in unused.iter().rev() {
        flat.rules.remove(index);
        for at in flat.relations.iter_mut().flat_map(|relation| &mut relation.rules) {
            *at -= usize::from(*at > index);
        }
    }
}
