//! Dependencies of relations.

use crate::normal::{Literal, Program, RelationId, RelationKind};

/// Per relation whether it depends on `true` or `does` (section 9.2: it is not static). O(relations · rules) at worst.
pub(crate) fn dynamic_relations(program: &Program) -> Vec<bool> {
    let mut dynamic = vec![false; program.relations.len()];
    for kind in [RelationKind::True, RelationKind::Does] {
        dynamic[Program::reserved(kind).index()] = true;
    }
    loop {
        let mut changed = false;
        for rule in &program.rules {
            let head = rule.head.relation.index();
            if !dynamic[head] && rule.body.iter().filter_map(Literal::atom).any(|atom| dynamic[atom.relation.index()]) {
                dynamic[head] = true;
                changed = true;
            }
        }
        if !changed {
            return dynamic;
        }
    }
}

/// Groups of relations that depend on each other, those they depend on first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Strata {
    pub(crate) groups: Vec<Vec<RelationId>>,
    /// Per relation the number of its group.
    pub(crate) group_of: Vec<usize>,
}

impl Strata {
    /// The groups of the relations that `wanted` needs, and of those that `inside` accepts only.
    pub(crate) fn new(program: &Program, wanted: &[RelationId], inside: impl Fn(RelationId) -> bool) -> Self {
        let count = program.relations.len();
        let mut needs: Vec<Vec<usize>> = vec![Vec::new(); count];
        for rule in &program.rules {
            for atom in rule.body.iter().filter_map(Literal::atom) {
                if inside(atom.relation) {
                    needs[rule.head.relation.index()].push(atom.relation.index());
                }
            }
        }
        for list in &mut needs {
            list.sort_unstable();
            list.dedup();
        }
        let starts = wanted.iter().filter(|&&relation| inside(relation)).map(|relation| relation.index());
        let groups = components(&needs, starts);
        let mut group_of = vec![usize::MAX; count];
        for (number, group) in groups.iter().enumerate() {
            for &relation in group {
                group_of[relation] = number;
            }
        }
        let id = |relation: &usize| RelationId(*relation as u32);
        Self { groups: groups.iter().map(|group| group.iter().map(id).collect()).collect(), group_of }
    }
}

/// The strongly connected components of what can be reached from `starts`, successors first (Tarjan 1972, without
/// recursion). Members ascend. Linear.
pub(crate) fn components(successors: &[Vec<usize>], starts: impl IntoIterator<Item = usize>) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let mut order = vec![UNSEEN; successors.len()];
    let mut low = vec![0usize; successors.len()];
    let mut on_stack = vec![false; successors.len()];
    let (mut stack, mut found, mut clock) = (Vec::new(), Vec::new(), 0);
    for start in starts {
        if order[start] != UNSEEN {
            continue;
        }
        let mut calls = vec![(start, 0usize)];
        while let Some((at, position)) = calls.pop() {
            if position == 0 {
                order[at] = clock;
                low[at] = clock;
                clock += 1;
                stack.push(at);
                on_stack[at] = true;
            }
            if let Some(&next) = successors[at].get(position) {
                calls.push((at, position + 1));
                if order[next] == UNSEEN {
                    calls.push((next, 0));
                } else if on_stack[next] {
                    low[at] = low[at].min(order[next]);
                }
                continue;
            }
            if low[at] == order[at] {
                let first = stack.iter().rposition(|&node| node == at).unwrap_or(0);
                let mut group = stack.split_off(first);
                for &node in &group {
                    on_stack[node] = false;
                }
                group.sort_unstable();
                found.push(group);
            }
            if let Some(&(caller, _)) = calls.last() {
                low[caller] = low[caller].min(low[at]);
            }
        }
    }
    found
}
