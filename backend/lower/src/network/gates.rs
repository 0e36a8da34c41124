//! Boolean functions as an and-inverter graph: conjunctions of two literals, shared by structural hashing.
//!
//! A literal is a node or its complement, so a disjunction is the complement of a conjunction of complements. Every operation takes
//! constant time. Transition Kuehlmann and Krohm, *Equivalence checking using cuts and heaps* (1997).

use rg_ir::invariant::Invariant;
use rustc_hash::{FxHashMap, FxHashSet};

/// Most factors that are looked through.
const MAX_FACTORS: usize = 256;

/// A node or its complement: twice the node's number, and 1 more for the complement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Literal(u32);

impl Literal {
    pub(super) const TRUE: Self = Self(0);
    pub(super) const FALSE: Self = Self(1);

    /// The literal of a truth value.
    pub(super) fn constant(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }

    /// Its node.
    pub(super) fn node(self) -> u32 {
        self.0 >> 1
    }

    /// Whether it is the complement of its node.
    pub(super) fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }

    /// Its complement, if `negated`.
    pub(super) fn negated_if(self, negated: bool) -> Self {
        Self(self.0 ^ u32::from(negated))
    }
}

impl std::ops::Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Node {
    /// Always true; only the first node is.
    True,
    /// An input.
    Input,
    /// Whether both literals are true.
    And(Literal, Literal),
}

/// The graph. Operands of a node have smaller numbers than it has.
pub(super) struct Gates {
    nodes: Vec<Node>,
    conjunctions: FxHashMap<(Literal, Literal), Literal>,
}

impl Gates {
    pub(super) fn new() -> Self {
        Self { nodes: vec![Node::True], conjunctions: FxHashMap::default() }
    }

    /// Number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// What a node is.
    pub(super) fn node(&self, number: u32) -> Node {
        self.nodes.get(number as usize).copied().invariant_or(Node::True, "literals are of nodes that exist")
    }

    fn add(&mut self, node: Node) -> Literal {
        self.nodes.push(node);
        Literal((self.nodes.len() as u32 - 1) << 1)
    }

    /// A new input.
    pub(super) fn input(&mut self) -> Literal {
        self.add(Node::Input)
    }

    /// The operands, if a literal is a conjunction.
    fn factors(&self, literal: Literal) -> Option<(Literal, Literal)> {
        match self.node(literal.node()) {
            Node::And(a, b) if !literal.is_complement() => Some((a, b)),
            _ => None,
        }
    }

    /// A literal and, if it is a conjunction, what it is a conjunction of: so many at most.
    fn all_factors(&self, literal: Literal) -> FxHashSet<Literal> {
        let (mut found, mut open) = (FxHashSet::default(), vec![literal]);
        while let Some(literal) = open.pop().filter(|_| found.len() < MAX_FACTORS) {
            if found.insert(literal) {
                open.extend(self.factors(literal).into_iter().flat_map(|(a, b)| [a, b]));
            }
        }
        found
    }

    /// Whether a literal is a conjunction of another one and more, or this itself, as far as that is plain.
    pub(super) fn has_factor(&self, literal: Literal, factor: Literal) -> bool {
        self.all_factors(literal).contains(&factor)
    }

    /// Whether two literals are never both true, as far as that is plain.
    pub(super) fn are_exclusive(&self, one: Literal, other: Literal) -> bool {
        let factors = self.all_factors(one);
        factors.contains(&Literal::FALSE) || self.all_factors(other).iter().any(|&factor| factors.contains(&!factor))
    }

    pub(super) fn and(&mut self, a: Literal, b: Literal) -> Literal {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Literal::FALSE || a == !b {
            return Literal::FALSE;
        }
        if a == Literal::TRUE || a == b {
            return b;
        }
        for (one, other) in [(a, b), (b, a)] {
            if let Some((p, q)) = self.factors(one) {
                if p == other || q == other {
                    return one;
                }
                if p == !other || q == !other {
                    return Literal::FALSE;
                }
            }
            // other & !(p & q): what `other` says of one of them leaves the other one.
            if let Some((p, q)) = self.factors(!one) {
                if p == !other || q == !other {
                    return other;
                }
                if p == other {
                    return self.and(other, !q);
                }
                if q == other {
                    return self.and(other, !p);
                }
            }
        }
        if let Some(&known) = self.conjunctions.get(&(a, b)) {
            return known;
        }
        let made = self.add(Node::And(a, b));
        self.conjunctions.insert((a, b), made);
        made
    }

    pub(super) fn or(&mut self, a: Literal, b: Literal) -> Literal {
        !self.and(!a, !b)
    }

    /// `yes` where the condition holds, else `no`. What both have in common is tested once: `c ? x | e : e` is `(c & x) | e`.
    pub(super) fn choose(&mut self, cond: Literal, yes: Literal, no: Literal) -> Literal {
        if yes == no {
            return yes;
        }
        for negated in [false, true] {
            // With complements, disjunctions are conjunctions.
            let (yes, no) = (yes.negated_if(negated), no.negated_if(negated));
            for (cond, whole, part) in [(cond, yes, no), (!cond, no, yes)] {
                let factor = self.factors(whole).and_then(|(p, q)| match part {
                    _ if p == part => Some(q),
                    _ if q == part => Some(p),
                    _ => None,
                });
                if let Some(factor) = factor {
                    let either = self.or(!cond, factor);
                    return self.and(part, either).negated_if(negated);
                }
            }
        }
        let (then, other) = (self.and(cond, yes), self.and(!cond, no));
        self.or(then, other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a literal where input number i (from 1) has bit i - 1 of `values`.
    fn value(gates: &Gates, literal: Literal, values: u32) -> bool {
        let node = match gates.node(literal.node()) {
            Node::True => true,
            Node::Input => values >> (literal.node() - 1) & 1 == 1,
            Node::And(a, b) => value(gates, a, values) && value(gates, b, values),
        };
        node != literal.is_complement()
    }

    #[test]
    fn operations_are_what_they_say() {
        let mut gates = Gates::new();
        let mut literals = vec![Literal::TRUE];
        literals.extend((0..3).map(|_| gates.input()));
        for _ in 0..2 {
            let some: Vec<Literal> = literals.iter().flat_map(|&literal| [literal, !literal]).take(14).collect();
            for &a in &some {
                for &b in &some {
                    literals.push(gates.and(a, b));
                    for &c in some.iter().step_by(3) {
                        let chosen = gates.choose(a, b, c);
                        for values in 0..8 {
                            let [a, b, c, chosen] = [a, b, c, chosen].map(|literal| value(&gates, literal, values));
                            assert_eq!(chosen, if a { b } else { c });
                        }
                    }
                    let (and, or) = (gates.and(a, b), gates.or(a, b));
                    for values in 0..8 {
                        let [a, b, and, or] = [a, b, and, or].map(|literal| value(&gates, literal, values));
                        assert_eq!((and, or), (a && b, a || b));
                    }
                }
            }
            literals.sort();
            literals.dedup();
        }
    }

    #[test]
    fn a_chain_of_alternatives_is_a_disjunction() {
        let mut gates = Gates::new();
        let [c, x, e] = [(); 3].map(|()| gates.input());
        let alternatives = gates.or(x, e);
        let (chosen, both) = (gates.choose(c, alternatives, e), gates.and(c, x));
        assert_eq!(chosen, gates.or(both, e));
    }
}
