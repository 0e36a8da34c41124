//! From the normal form to flat rules.

use super::mutual::unfold_mutual;
use super::shapes::{Shapes, shape_of};
use super::{Arg, Atom, Flat, Fluent, Literal, MoveKind, Rel, Relation, Rule, Shape, Unsupported};
use crate::normal::{self, Program, RelationId, RelationKind, Term, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most copies of one rule.
const MAX_COPIES: usize = 256;

/// Makes the rules flat.
///
/// Fails where functions nest, where terms are compared that have the same function, and where a rule has too many
/// copies. Linear in the copies.
pub(crate) fn flatten(program: &Program) -> Result<Flat, Unsupported> {
    let shapes = Shapes::new(program);
    let flat = Flat {
        relations: Vec::new(),
        rules: Vec::new(),
        fluents: Vec::new(),
        moves: Vec::new(),
        roles: program.roles.clone(),
        bound: FxHashMap::default(),
        index: FxHashMap::default(),
    };
    let mut converter = Converter { program, shapes, flat, seen: FxHashSet::default() };
    for rule in &program.rules {
        converter.rule(rule)?;
    }
    converter.pair();
    let mut flat = converter.flat;
    unfold_mutual(&mut flat);
    classify(&mut flat);
    Ok(flat)
}

struct Converter<'p> {
    program: &'p Program,
    shapes: Shapes,
    flat: Flat,
    seen: FxHashSet<(Atom, Vec<Literal>)>,
}

/// One copy of a rule: the functions that its variables stand for, with the first of their arguments' variables.
struct Copy {
    functions: FxHashMap<u32, (Shape, u32)>,
    vars: u32,
}

impl Converter<'_> {
    fn rule(&mut self, rule: &normal::Rule) -> Result<(), Unsupported> {
        let vars = u32::try_from(rule.vars.len()).unwrap_or(u32::MAX);
        let mut copies = vec![Copy { functions: FxHashMap::default(), vars }];
        for var in 0..vars {
            let Some(shapes) = self.shapes.of_variable(self.program, rule, var) else { continue };
            if shapes.iter().all(Option::is_none) && !shapes.is_empty() {
                continue;
            }
            let mut next = Vec::new();
            for copy in &copies {
                for &shape in &shapes {
                    let mut functions = copy.functions.clone();
                    let mut vars = copy.vars;
                    if let Some((_, arity)) = shape {
                        functions.insert(var, (shape, vars));
                        vars += u32::try_from(arity).unwrap_or(0);
                    }
                    next.push(Copy { functions, vars });
                }
            }
            if next.len() > MAX_COPIES {
                return Err(Unsupported::new("variables stand for too many different functions"));
            }
            copies = next;
        }
        copies.iter().try_for_each(|copy| self.copy(rule, copy))
    }

    fn copy(&mut self, rule: &normal::Rule, copy: &Copy) -> Result<(), Unsupported> {
        let mut body = Vec::new();
        for literal in &rule.body {
            match literal {
                normal::Literal::Pos(atom) => body.push(Literal::Pos(self.atom(atom, copy)?)),
                normal::Literal::Neg(atom) => body.push(Literal::Neg(self.atom(atom, copy)?)),
                normal::Literal::Distinct(a, b) => {
                    let (left, right) = (self.shape(*a, copy), self.shape(*b, copy));
                    if left != right {
                        continue;
                    }
                    if left.is_some() {
                        return Err(Unsupported::new("function terms are compared"));
                    }
                    let (a, b) = (self.arg(*a, copy)?, self.arg(*b, copy)?);
                    if a == b {
                        return Ok(());
                    }
                    body.push(Literal::Distinct(a, b));
                }
            }
        }
        let head = self.atom(&rule.head, copy)?;
        let (head, body, vars) = renumber(head, body);
        if self.seen.insert((head.clone(), body.clone())) {
            let index = self.flat.rules.len();
            if let Some(relation) = self.flat.relations.get_mut(head.rel.index()) {
                relation.rules.push(index);
            }
            self.flat.rules.push(Rule { head, body, vars, span: rule.span });
        }
        Ok(())
    }

    fn shape(&self, term: TermId, copy: &Copy) -> Shape {
        match self.program.terms.get(term) {
            Term::Variable(var) => copy.functions.get(&var).and_then(|&(shape, _)| shape),
            _ => shape_of(self.program, term),
        }
    }

    fn atom(&mut self, atom: &normal::Atom, copy: &Copy) -> Result<Atom, Unsupported> {
        let shapes: Vec<Shape> = atom.args.iter().map(|&arg| self.shape(arg, copy)).collect();
        let mut args = Vec::new();
        for (&term, &shape) in atom.args.iter().zip(&shapes) {
            match (self.program.terms.get(term), shape) {
                (Term::Variable(var), Some((_, arity))) => {
                    let first = copy.functions.get(&var).map_or(0, |&(_, first)| first);
                    args.extend((first..).take(arity).map(Arg::Var));
                }
                (Term::Compound(_, inner), _) => {
                    for &inner in inner {
                        args.push(self.arg(inner, copy)?);
                    }
                }
                _ => args.push(self.arg(term, copy)?),
            }
        }
        let rel = self.relation(atom.relation, shapes, args.len());
        Ok(Atom { rel, args })
    }

    /// A term that is not taken apart.
    fn arg(&self, term: TermId, copy: &Copy) -> Result<Arg, Unsupported> {
        match self.program.terms.get(term) {
            Term::Variable(var) if copy.functions.contains_key(&var) => {
                Err(Unsupported::new("function terms stand inside function terms"))
            }
            Term::Variable(var) => Ok(Arg::Var(var)),
            Term::Constant(_) => Ok(Arg::Is(term)),
            Term::Compound(..) => Err(Unsupported::new("function terms stand inside function terms")),
        }
    }

    fn relation(&mut self, base: RelationId, shapes: Vec<Shape>, arity: usize) -> Rel {
        let flat = &mut self.flat;
        let kind = self.program.kind(base);
        *flat.index.entry((base, shapes.clone())).or_insert_with(|| {
            let is_static = !matches!(kind, RelationKind::True | RelationKind::Does);
            let (is_open, recursive, rules) = (false, false, Vec::new());
            flat.relations.push(Relation { base, kind, shapes, arity, is_static, is_open, recursive, rules });
            Rel(u32::try_from(flat.relations.len() - 1).unwrap_or(u32::MAX))
        })
    }

    /// Pairs what is initial, true, and next, and what is legal and done.
    fn pair(&mut self) {
        let reserved = Program::reserved;
        let wanted = |relation: &Relation| match relation.kind {
            RelationKind::Init | RelationKind::True | RelationKind::Next => {
                Some((true, relation.shapes.first().copied()))
            }
            RelationKind::Legal | RelationKind::Does => Some((false, relation.shapes.get(1).copied())),
            _ => None,
        };
        let mut found: Vec<(bool, Shape, usize)> = Vec::new();
        for relation in &self.flat.relations {
            let Some((fluent, Some(shape))) = wanted(relation) else { continue };
            if !found.iter().any(|&(other, same, _)| other == fluent && same == shape) {
                found.push((fluent, shape, relation.arity));
            }
        }
        for (fluent, shape, arity) in found {
            if fluent {
                let mut part = |kind| self.relation(reserved(kind), vec![shape], arity);
                let (init, truth, next) =
                    (part(RelationKind::Init), part(RelationKind::True), part(RelationKind::Next));
                self.flat.fluents.push(Fluent { shape, fixed: None, init, truth, next });
            } else {
                let mut part = |kind| self.relation(reserved(kind), vec![None, shape], arity);
                let (legal, does) = (part(RelationKind::Legal), part(RelationKind::Does));
                self.flat.moves.push(MoveKind { shape, legal, does });
            }
        }
    }
}

/// Numbers the variables of a rule in the order of their appearance.
pub(crate) fn renumber(head: Atom, body: Vec<Literal>) -> (Atom, Vec<Literal>, u32) {
    let mut order: Vec<u32> = Vec::new();
    let seen = head.vars().chain(body.iter().flat_map(Literal::vars));
    for var in seen {
        if !order.contains(&var) {
            order.push(var);
        }
    }
    let number = |arg: Arg| match arg {
        Arg::Var(var) => {
            let position = order.iter().position(|&other| other == var).unwrap_or(0);
            Arg::Var(u32::try_from(position).unwrap_or(u32::MAX))
        }
        Arg::Is(_) => arg,
    };
    let head = head.map(&number);
    let mut unique: Vec<Literal> = Vec::with_capacity(body.len());
    for literal in body {
        let literal = literal.map(&number);
        if !unique.contains(&literal) {
            unique.push(literal);
        }
    }
    (head, unique, u32::try_from(order.len()).unwrap_or(u32::MAX))
}

/// Finds out which relations are static and which depend on themselves.
pub(super) fn classify(flat: &mut Flat) {
    let count = flat.relations.len();
    let mut uses: Vec<Vec<usize>> = vec![Vec::new(); count];
    for rule in &flat.rules {
        for literal in &rule.body {
            if let (Literal::Pos(atom) | Literal::Neg(atom), Some(list)) =
                (literal, uses.get_mut(rule.head.rel.index()))
            {
                list.push(atom.rel.index());
            }
        }
    }
    for (start, list) in uses.iter().enumerate() {
        let mut seen = vec![false; count];
        let mut stack = list.clone();
        while let Some(at) = stack.pop() {
            if let Some(seen) = seen.get_mut(at).filter(|seen| !**seen) {
                *seen = true;
                stack.extend(uses.get(at).into_iter().flatten());
            }
        }
        let dynamic = |(relation, _): (&Relation, _)| matches!(relation.kind, RelationKind::True | RelationKind::Does);
        let reaches = flat.relations.iter().zip(&seen).filter(|(_, seen)| **seen).any(dynamic);
        let recursive = seen.get(start).copied().unwrap_or(false);
        if let Some(relation) = flat.relations.get_mut(start) {
            relation.recursive = recursive;
            relation.is_static &= !reaches;
        }
    }
}
