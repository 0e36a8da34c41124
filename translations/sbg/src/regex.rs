//! Automata over steps as expressions: states are eliminated one by one (Brzozowski and McCluskey), and sums are factored on the way.

use crate::codes;
use crate::model::{Refused, refuse};
use crate::steps::Minimal;
use rg_ir::Span;
use sbg::ast::{On, Step};
use std::collections::BTreeMap;

/// Most steps of an expression.
const MAX_STEPS: usize = 4_000;
/// Most steps that are written twice.
const MAX_TWICE: usize = 8;
/// Most brackets inside of each other.
const MAX_DEPTH: usize = 60;

/// A regular expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Regex {
    Empty,
    Step(Step),
    Sum(Vec<Regex>),
    Cat(Vec<Regex>),
    Star(Box<Regex>),
}

/// The expression of an automaton; `None` if it has no walks.
///
/// # Errors
/// It would be too long.
pub(crate) fn expression(walks: &Minimal) -> Result<Option<Regex>, Refused> {
    let count = walks.next.len();
    // The end is a state of its own.
    let mut edges: BTreeMap<(usize, usize), Regex> = BTreeMap::new();
    let start = count + 1;
    edges.insert((start, 0), Regex::Empty);
    for (state, next) in walks.next.iter().enumerate() {
        for (&step, &to) in next {
            add(&mut edges, (state, to), Regex::Step(step));
        }
        if walks.accepts.get(state).copied().unwrap_or(false) {
            add(&mut edges, (state, count), Regex::Empty);
        }
    }
    let mut left: Vec<usize> = (0..count).collect();
    while !left.is_empty() {
        rg_ir::cancel::check();
        let cost = |&state: &usize| {
            let into: usize =
                edges.iter().filter(|((from, to), _)| *to == state && *from != state).map(|(_, e)| e.size() + 1).sum();
            let out: usize =
                edges.iter().filter(|((from, to), _)| *from == state && *to != state).map(|(_, e)| e.size() + 1).sum();
            (into * out, usize::MAX - state)
        };
        let Some(place) = left.iter().enumerate().min_by_key(|(_, state)| cost(state)).map(|(place, _)| place) else {
            break;
        };
        let state = left.remove(place);
        eliminate(&mut edges, state)?;
    }
    Ok(edges.remove(&(start, count)))
}

fn eliminate(edges: &mut BTreeMap<(usize, usize), Regex>, state: usize) -> Result<(), Refused> {
    let around = edges.remove(&(state, state)).map(|inner| Regex::Star(Box::new(inner.without_empty())));
    let into: Vec<(usize, Regex)> =
        edges.iter().filter(|((_, to), _)| *to == state).map(|((from, _), e)| (*from, e.clone())).collect();
    let out: Vec<(usize, Regex)> =
        edges.iter().filter(|((from, _), _)| *from == state).map(|((_, to), e)| (*to, e.clone())).collect();
    edges.retain(|(from, to), _| *from != state && *to != state);
    for (from, first) in &into {
        for (to, last) in &out {
            let before = cat([Some(first.clone()), around.clone()].into_iter().flatten().collect());
            // There is no short way to write that something may be left out, so what is before it is written twice if it is short.
            if before.size() <= MAX_TWICE && matches!(last, Regex::Sum(parts) if parts.contains(&Regex::Empty)) {
                add(edges, (*from, *to), cat(vec![before.clone(), last.clone().without_empty()]));
                add(edges, (*from, *to), before);
            } else {
                add(edges, (*from, *to), cat(vec![before, last.clone()]));
            }
        }
    }
    if edges.values().map(Regex::size).sum::<usize>() > MAX_STEPS || edges.values().any(|edge| edge.depth() > MAX_DEPTH)
    {
        let message = format!("the rule of a piece would be too long: it has more than {MAX_STEPS} steps");
        return Err(refuse(codes::TOO_LARGE, Span::NONE, message));
    }
    Ok(())
}

fn add(edges: &mut BTreeMap<(usize, usize), Regex>, at: (usize, usize), more: Regex) {
    let sum = match edges.remove(&at) {
        Some(known) => sum(vec![known, more]),
        None => more,
    };
    edges.insert(at, sum);
}

/// One after the other.
fn cat(parts: Vec<Regex>) -> Regex {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Regex::Empty => {}
            Regex::Cat(inner) => flat.extend(inner),
            part => flat.push(part),
        }
    }
    // `x x*` is `x* x`.
    for at in 1..flat.len() {
        if matches!(&flat[at], Regex::Star(inner) if **inner == flat[at - 1]) {
            flat.swap(at - 1, at);
        }
    }
    match flat.len() {
        0 => Regex::Empty,
        1 => flat.remove(0),
        _ => Regex::Cat(flat),
    }
}

/// Alternatives.
fn sum(parts: Vec<Regex>) -> Regex {
    let mut list = Vec::new();
    let mut pending = parts;
    while let Some(part) = pending.pop() {
        match part {
            Regex::Sum(inner) => pending.extend(inner),
            part if !list.contains(&part) => list.push(part),
            _ => {}
        }
    }
    shorten(&mut list);
    list = factored(list, false);
    list = factored(list, true);
    list.sort_by_key(Regex::key);
    match list.len() {
        1 => list.remove(0),
        _ => Regex::Sum(list),
    }
}

/// `x + y* y x` is `y* x`, and so is `y* x + x`.
fn shorten(list: &mut Vec<Regex>) {
    loop {
        let found = list.iter().enumerate().find_map(|(long, part)| {
            let Regex::Cat(parts) = part else { return None };
            let (Regex::Star(inner), rest) = parts.split_first()? else { return None };
            let tail = cat(rest.to_vec());
            if let Some(short) = places(list, &tail) {
                return Some((long, short, None));
            }
            let (first, tail) = rest.split_first()?;
            if *first != **inner {
                return None;
            }
            let tail = cat(tail.to_vec());
            let short = places(list, &tail)?;
            Some((long, short, Some(cat(vec![Regex::Star(inner.clone()), tail]))))
        });
        let Some((long, short, made)) = found else { return };
        if let Some(made) = made {
            list[long] = made;
        }
        let mut place = 0;
        list.retain(|_| {
            place += 1;
            !short.contains(&(place - 1))
        });
    }
}

/// Where an expression, or all its alternatives, are in a list.
fn places(list: &[Regex], wanted: &Regex) -> Option<Vec<usize>> {
    let place = |wanted: &Regex| list.iter().position(|other| other == wanted);
    match wanted {
        Regex::Sum(parts) => parts.iter().map(place).collect(),
        wanted => place(wanted).map(|at| vec![at]),
    }
}

/// Alternatives that begin (or end) alike become one.
fn factored(list: Vec<Regex>, at_end: bool) -> Vec<Regex> {
    let split = |part: &Regex| -> (Regex, Regex) {
        match part {
            Regex::Cat(parts) if at_end => {
                let (last, rest) =
                    parts.split_last().map_or((Regex::Empty, &[][..]), |(last, rest)| (last.clone(), rest));
                (last, cat(rest.to_vec()))
            }
            Regex::Cat(parts) => {
                let (first, rest) =
                    parts.split_first().map_or((Regex::Empty, &[][..]), |(first, rest)| (first.clone(), rest));
                (first, cat(rest.to_vec()))
            }
            part => (part.clone(), Regex::Empty),
        }
    };
    let mut groups: Vec<(Regex, Vec<Regex>, Regex)> = Vec::new();
    for part in list {
        let (shared, rest) = split(&part);
        // `x + x y` stays: there is no short way to write that nothing follows.
        let found = groups.iter_mut().find(|(other, rests, _)| {
            *other == shared && rest != Regex::Empty && rests.iter().all(|rest| *rest != Regex::Empty)
        });
        match found {
            Some((_, rests, _)) => rests.push(rest),
            None => groups.push((shared, vec![rest], part)),
        }
    }
    let join = |(shared, rests, part): (Regex, Vec<Regex>, Regex)| {
        if rests.len() < 2 {
            return part;
        }
        let rest = sum(rests);
        cat(if at_end { vec![rest, shared] } else { vec![shared, rest] })
    };
    groups.into_iter().map(join).collect()
}

impl Regex {
    /// The same words but the empty one, as far as alternatives show it.
    fn without_empty(self) -> Self {
        match self {
            Regex::Sum(list) => {
                let list: Vec<Regex> = list.into_iter().filter(|part| *part != Regex::Empty).collect();
                sum(list)
            }
            other => other,
        }
    }

    fn size(&self) -> usize {
        match self {
            Regex::Empty | Regex::Step(_) => 1,
            Regex::Star(inner) => inner.size(),
            Regex::Sum(list) | Regex::Cat(list) => list.iter().map(Regex::size).sum(),
        }
    }

    fn depth(&self) -> usize {
        match self {
            Regex::Empty | Regex::Step(_) => 0,
            Regex::Star(inner) => inner.depth() + 1,
            Regex::Sum(list) | Regex::Cat(list) => list.iter().map(Regex::depth).max().unwrap_or(0) + 1,
        }
    }

    /// The order of alternatives: steps to empty squares first, forward before backward, left before right.
    fn key(&self) -> (u8, Vec<(On, i32, i32)>) {
        let mut steps = Vec::new();
        let mut pending = vec![self];
        while let Some(part) = pending.pop() {
            match part {
                Regex::Empty => {}
                Regex::Step(step) => steps.push((step.on, -step.dy, step.dx)),
                Regex::Star(inner) => pending.push(inner),
                Regex::Sum(list) | Regex::Cat(list) => pending.extend(list.iter().rev()),
            }
        }
        (u8::from(!matches!(self, Regex::Step(_))), steps)
    }

    /// The text of a rule. What may be left out is written with the power 0 of some step.
    pub(crate) fn text(&self) -> String {
        match self {
            Regex::Empty => "(0,0,w)^0".to_owned(),
            Regex::Step(step) => format!("({},{},{})", step.dx, step.dy, step.on.letter()),
            Regex::Star(inner) => format!("{}^*", inner.atom()),
            Regex::Sum(list) => list.iter().map(Regex::text).collect::<Vec<_>>().join(" + "),
            Regex::Cat(list) => {
                let mut out = String::new();
                for run in list.chunk_by(|a, b| a == b) {
                    let Some(part) = run.first() else { continue };
                    match (part, run.len()) {
                        (Regex::Sum(_), 1) => out.push_str(&part.atom()),
                        (_, 1) => out.push_str(&part.text()),
                        (_, times) => out.push_str(&format!("{}^{times}", part.atom())),
                    }
                }
                out
            }
        }
    }

    /// The text with brackets around what is not one step.
    fn atom(&self) -> String {
        match self {
            Regex::Step(_) => self.text(),
            _ => format!("({})", self.text()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::Walks;

    fn step(dx: i32, dy: i32, on: On) -> Step {
        Step { dx, dy, on }
    }

    /// The expression of an automaton with these steps and ends.
    fn written(count: usize, steps: &[(usize, Step, usize)], ends: &[usize]) -> String {
        let mut walks = Walks::default();
        for _ in 0..count {
            walks.state();
        }
        for &(from, step, to) in steps {
            walks.steps[from].insert((step, to));
        }
        for &end in ends {
            walks.accepts[end] = true;
        }
        expression(&walks.minimal().unwrap()).unwrap().map_or("nothing".to_owned(), |regex| regex.text())
    }

    #[test]
    fn sliding_pieces() {
        let (go, take) = (step(0, 1, On::Empty), step(0, 1, On::Opponent));
        let steps = [(0, go, 1), (1, go, 1), (0, take, 2), (1, take, 2)];
        assert_eq!(written(3, &steps, &[1, 2]), "(0,1,e)^*((0,1,e) + (0,1,p))");
    }

    #[test]
    fn powers_and_alternatives() {
        let (up, right) = (step(0, 1, On::Empty), step(1, 0, On::Empty));
        assert_eq!(written(4, &[(0, up, 1), (1, up, 2), (2, up, 3)], &[3]), "(0,1,e)^3");
        assert_eq!(written(2, &[(0, up, 1), (0, right, 1)], &[1]), "(0,1,e) + (1,0,e)");
        assert_eq!(written(3, &[(0, up, 1), (1, right, 2), (1, up, 2)], &[2]), "(0,1,e)((0,1,e) + (1,0,e))");
        assert_eq!(written(1, &[(0, up, 0), (0, right, 0)], &[0]), "((0,1,e) + (1,0,e))^*");
        assert_eq!(written(2, &[(0, up, 1)], &[]), "nothing");
        assert_eq!(written(0, &[], &[]), "nothing");
    }

    #[test]
    fn huge_automata_are_refused() {
        // Any of many states leads to any other.
        let count = 40;
        let steps: Vec<_> = (0..count)
            .flat_map(|from| (0..count).map(move |to| (from, step(from as i32 - 20, to as i32 - 20, On::Empty), to)))
            .collect();
        let mut walks = Walks::default();
        for _ in 0..count {
            walks.state();
        }
        for (from, step, to) in steps {
            walks.steps[from].insert((step, to));
        }
        walks.accepts[count - 1] = true;
        assert_eq!(expression(&walks.minimal().unwrap()).unwrap_err().code, codes::TOO_LARGE);
    }
}
