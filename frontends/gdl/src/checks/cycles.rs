//! Cycles of the dependency graph: R2 (negation) and R3 (recursion).

use super::scope::{self, Leaf, Scope};
use crate::ast::{Atom, Description, Rule, Term, Word};
use crate::codes;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rg_ir::{Diagnostic, Report, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Most pairs of an atom and a head that are compared when relations are split by the constants in their heads.
const MAX_PAIRS: usize = 10_000_000;

/// Strongly connected components of relations: those of one component have one number.
type Components = FxHashMap<Word, usize>;

/// Reports negation in cycles and recursion without bound. Linear, and up to [`MAX_PAIRS`] more where a negation is in a
/// cycle.
pub(super) fn run(description: &Description, report: &mut Report) {
    let components = components(description);
    recursion(description, &components, report);
    negation(description, &components, report);
}

fn components(description: &Description) -> Components {
    let uses = super::dependencies::uses(description);
    let mut graph: DiGraph<Word, (), usize> = DiGraph::default();
    let mut nodes: FxHashMap<Word, NodeIndex<usize>> = FxHashMap::default();
    for rule in &description.rules {
        let word = rule.head.name.word;
        nodes.entry(word).or_insert_with(|| graph.add_node(word));
    }
    for (head, names) in &uses {
        for name in names {
            if let (Some(&from), Some(&to)) = (nodes.get(head), nodes.get(&name.word)) {
                graph.add_edge(from, to, ());
            }
        }
    }
    let mut components = Components::default();
    for (number, members) in kosaraju_scc(&graph).into_iter().enumerate() {
        components.extend(members.iter().filter_map(|&member| graph.node_weight(member)).map(|&word| (word, number)));
    }
    components
}

/// Whether two relations depend on each other (or are one).
fn together(components: &Components, left: Word, right: Word) -> bool {
    components.get(&left).is_some_and(|component| components.get(&right) == Some(component))
}

/// R3: every argument of a recursive call must be ground, an argument of the head, or an argument of a positive atom
/// outside the cycle.
fn recursion(description: &Description, components: &Components, report: &mut Report) {
    for rule in &description.rules {
        let head = &rule.head;
        let mut visit = |leaf: &Leaf<'_>, scope: &Scope<'_>| {
            let Leaf::Atom(atom, _) = leaf else { return };
            if !together(components, head.name.word, atom.name.word) {
                return;
            }
            let outside = |other: &&&Atom| !together(components, head.name.word, other.name.word);
            let bounds = scope.atoms.iter().filter(outside).flat_map(|other| &other.args);
            let bounds: Vec<&Term> = head.args.iter().chain(bounds).collect();
            for term in atom.args.iter().filter(|term| !term.is_ground()) {
                if !bounds.iter().any(|bound| bound.same(term)) {
                    let shown = description.show(term);
                    let call = description.words.spelling(atom.name.word);
                    let message = format!("nothing outside the recursion binds the argument `{shown}` of `{call}`");
                    let error = Diagnostic::error(codes::R3_RECURSION, term.span(), message);
                    report.push(error.also(head.span, "the rule is for this").help(
                        "such an argument must be ground, an argument of the head, or one of a condition outside the recursion",
                    ));
                }
            }
        };
        scope::walk(rule, &mut visit, |_| {});
    }
}

/// What an argument of a head says: a constant, the name of a function, or anything.
type Shape = Vec<Option<(Word, bool)>>;

fn shape(atom: &Atom) -> Shape {
    let part = |term: &Term| match term {
        Term::Variable(_) => None,
        Term::Constant(name) => Some((name.word, false)),
        Term::Function(compound) => Some((compound.name.word, true)),
    };
    atom.args.iter().map(part).collect()
}

/// Whether atoms of the two shapes can be equal.
fn overlap(left: &Shape, right: &Shape) -> bool {
    left.iter().zip(right).all(|(left, right)| left.is_none() || right.is_none() || left == right)
}

/// A node is a relation, or the part of it that heads of one shape define.
#[derive(Default)]
struct Split {
    graph: DiGraph<Word, (bool, Span), usize>,
    nodes: FxHashMap<(Word, Shape), NodeIndex<usize>>,
    parts: FxHashMap<Word, Vec<(Shape, NodeIndex<usize>)>>,
}

/// R2: a relation that depends on its own negation. Relations are split by the constants in their heads: `(goal ?r 100)`
/// and `(goal ?r 0)` are two, so one may be defined by the negation of the other.
fn negation(description: &Description, components: &Components, report: &mut Report) {
    let mut bad: FxHashSet<usize> = FxHashSet::default();
    for rule in &description.rules {
        for (atom, negated) in atoms(rule) {
            if negated && together(components, rule.head.name.word, atom.name.word) {
                bad.extend(components.get(&atom.name.word));
            }
        }
    }
    if bad.is_empty() {
        return;
    }
    let inside = |word: Word| components.get(&word).is_some_and(|component| bad.contains(component));
    let rules: Vec<&Rule> = description.rules.iter().filter(|rule| inside(rule.head.name.word)).collect();
    let mut split = Split::default();
    for rule in &rules {
        split.node(&rule.head);
    }
    let mut pairs = 0_usize;
    for rule in &rules {
        let from = split.node(&rule.head);
        for (atom, negated) in atoms(rule) {
            if together(components, rule.head.name.word, atom.name.word) {
                pairs += split.edges(from, atom, negated);
            }
        }
        if pairs > MAX_PAIRS {
            let message = "negation in a cycle of relations with too many rules to look at constants";
            report.error(codes::R2_NEGATION, rule.span, message);
            return;
        }
    }
    split.report(description, report);
}

/// All atoms of a body, and whether they are negated.
fn atoms(rule: &Rule) -> Vec<(&Atom, bool)> {
    let mut atoms = Vec::new();
    rule.body.iter().for_each(|literal| literal.atoms(&mut |atom, negated| atoms.push((atom, negated))));
    atoms
}

impl Split {
    fn node(&mut self, head: &Atom) -> NodeIndex<usize> {
        let (word, shape) = (head.name.word, shape(head));
        if let Some(&node) = self.nodes.get(&(word, shape.clone())) {
            return node;
        }
        let node = self.graph.add_node(word);
        self.nodes.insert((word, shape.clone()), node);
        self.parts.entry(word).or_default().push((shape, node));
        node
    }

    /// Adds the dependencies on an atom; returns how many parts were looked at.
    fn edges(&mut self, from: NodeIndex<usize>, atom: &Atom, negated: bool) -> usize {
        let wanted = shape(atom);
        let Some(parts) = self.parts.get(&atom.name.word) else { return 0 };
        for (_, to) in parts.iter().filter(|(shape, _)| overlap(shape, &wanted)) {
            self.graph.add_edge(from, *to, (negated, atom.span));
        }
        parts.len()
    }

    /// Reports one cycle for every component with a negation.
    fn report(&self, description: &Description, report: &mut Report) {
        let mut component = vec![0; self.graph.node_count()];
        for (number, members) in kosaraju_scc(&self.graph).into_iter().enumerate() {
            for member in members {
                if let Some(slot) = component.get_mut(member.index()) {
                    *slot = number;
                }
            }
        }
        let same = |a: NodeIndex<usize>, b: NodeIndex<usize>| component.get(a.index()) == component.get(b.index());
        let mut reported = FxHashSet::default();
        for edge in self.graph.edge_indices() {
            let (Some((from, to)), Some(&(true, span))) =
                (self.graph.edge_endpoints(edge), self.graph.edge_weight(edge))
            else {
                continue;
            };
            if !same(from, to) || !reported.insert(component.get(from.index())) {
                continue;
            }
            let name = |node| self.graph.node_weight(node).map_or("", |&word| description.words.spelling(word));
            let way: Vec<&str> = self.way(to, from, &same).into_iter().map(name).collect();
            let message = format!("negation in a cycle: {} → not {}", name(from), way.join(" → "));
            let error = Diagnostic::error(codes::R2_NEGATION, span, message);
            report.push(error.help("what a relation denies must be settled before the relation itself"));
        }
    }

    /// The nodes of a shortest way between two nodes of a component.
    fn way(
        &self,
        from: NodeIndex<usize>,
        to: NodeIndex<usize>,
        same: &impl Fn(NodeIndex<usize>, NodeIndex<usize>) -> bool,
    ) -> Vec<NodeIndex<usize>> {
        let mut before: FxHashMap<NodeIndex<usize>, NodeIndex<usize>> = FxHashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front().filter(|&node| node != to) {
            for next in self.graph.neighbors(node) {
                if next != from && same(next, from) && !before.contains_key(&next) {
                    before.insert(next, node);
                    queue.push_back(next);
                }
            }
        }
        let mut way = vec![to];
        let mut at = to;
        while let Some(&node) = before.get(&at).filter(|_| at != from) {
            way.push(node);
            at = node;
        }
        way.reverse();
        way
    }
}
