//! Expressions for tuples, and tests of static relations: constant maps over the slots that they read.

use super::Lift;
use super::query::{Query, Step, Stop, Val};
use super::solve::Test;
use super::vocabulary::{Dom, Slot};
use crate::flat::{Arg, Literal};
use crate::normal::TermId;
use rg_ir::ids::ExprId;
use rg_ir::{Label, Symbol};
use rustc_hash::FxHashMap;

/// Most cells of a constant map.
pub(super) const MAX_CELLS: usize = 300_000;

/// What a cell of a constant map costs, against a value of a tuple that is tried.
const TRIES_PER_CELL: usize = 4;

/// For which values of the slots a tuple is in its domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cover {
    Always,
    Sometimes,
    Never,
}

/// An argument as a function of slots.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Source {
    Is(TermId),
    /// Position in the list of slots, and component.
    At(usize, usize),
}

/// What is asked about a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Question {
    Static(Test),
    /// Whether it is in a domain.
    Member(Dom),
}

/// A question, with the domains of the keys and where the row is read from.
pub(super) type Asked = (Question, Vec<Dom>, Vec<Source>);

/// The answer to a question: a map from the keys if it depends on them.
#[derive(Clone, Copy, Debug)]
pub(super) enum Answer {
    Always,
    Never,
    Map(ExprId),
}

/// Per domain, domains of keys and sources of a tuple: the map from the keys to it.
pub(super) type Combined = FxHashMap<(Dom, Vec<Dom>, Vec<Source>), (ExprId, Cover)>;

/// A key of a constant map: a slot, or what a map makes of it.
#[derive(Clone, Copy)]
struct Key {
    expr: ExprId,
    dom: Dom,
}

impl Lift<'_, '_> {
    /// Reads the arguments from as few slots as possible.
    fn sources(&self, query: &Query, args: &[Arg]) -> (Vec<Slot>, Vec<Source>) {
        let places: Vec<Vec<Val>> = args.iter().map(|&arg| query.places(arg)).collect();
        let mut candidates: Vec<Slot> = Vec::new();
        for place in places.iter().flatten() {
            if let Val::Part(slot, _) = *place
                && !candidates.contains(&slot)
            {
                candidates.push(slot);
            }
        }
        let (mut slots, mut sources): (Vec<Slot>, Vec<Option<Source>>) = (Vec::new(), vec![None; args.len()]);
        for (source, place) in sources.iter_mut().zip(&places) {
            if let Some(&Val::Is(term)) = place.first() {
                *source = Some(Source::Is(term));
            }
        }
        while sources.iter().any(Option::is_none) {
            // The slot that has most of what is missing; among those, the one that has it in its order, else the newest.
            let count = |slot: &Slot| {
                let has = |(index, (place, source)): (usize, (&Vec<Val>, &Option<Source>))| {
                    let parts = place.iter().filter(|val| matches!(val, Val::Part(other, _) if other == slot));
                    let ordered = place.contains(&Val::Part(*slot, index));
                    (source.is_none() && parts.count() > 0, source.is_none() && ordered)
                };
                let found: Vec<(bool, bool)> = places.iter().zip(&sources).enumerate().map(has).collect();
                (found.iter().filter(|(any, _)| *any).count(), found.iter().filter(|(_, ordered)| *ordered).count())
            };
            let Some(&best) = candidates.iter().max_by_key(|slot| count(slot)).filter(|slot| count(slot).0 > 0) else {
                break;
            };
            let number = slots.len();
            slots.push(best);
            for (index, (source, place)) in sources.iter_mut().zip(&places).enumerate() {
                if source.is_some() {
                    continue;
                }
                let ordered = place.contains(&Val::Part(best, index)).then_some(index);
                let any = place.iter().find_map(|val| match *val {
                    Val::Part(slot, part) if slot == best => Some(part),
                    _ => None,
                });
                if let Some(part) = ordered.or(any) {
                    *source = Some(Source::At(number, part));
                }
            }
        }
        (slots, sources.into_iter().flatten().collect())
    }

    /// The tuple of the arguments, which are all bound, as a value of a domain. Where it is not in the domain, the value
    /// is `null` or a value outside of it.
    pub(super) fn tuple(&mut self, query: &Query, args: &[Arg], dom: Dom) -> Result<(ExprId, Cover), Stop> {
        let whole = query.tuples.iter().rev().find(|(tuple, slot)| {
            tuple.len() == args.len()
                && self.voc.slot(*slot).dom == dom
                && tuple.iter().zip(args).all(|(&a, &b)| query.walk(a) == query.walk(b))
        });
        if let Some(&(_, slot)) = whole {
            return Ok((self.voc.slot_expr(slot), Cover::Always));
        }
        let (slots, sources) = self.sources(query, args);
        if sources.len() != args.len() {
            return Err(Stop::Unsupported("a variable is not bound".to_owned()));
        }
        if let [slot] = *slots {
            let tuples = self.voc.slot_values(slot);
            let whole = tuples.arity() == args.len()
                && sources
                    .iter()
                    .enumerate()
                    .all(|(index, source)| matches!(*source, Source::At(0, part) if part == index));
            if whole {
                let target = self.voc.tuples(dom);
                let inside = tuples.values.iter().filter(|tuple| target.index.contains_key(*tuple)).count();
                let cover = if inside == tuples.values.len() {
                    Cover::Always
                } else if inside == 0 {
                    Cover::Never
                } else {
                    Cover::Sometimes
                };
                return Ok((self.voc.slot_expr(slot), cover));
            }
        }
        let (keys, sources) = self.keys(&slots, sources);
        let doms: Vec<Dom> = keys.iter().map(|key| key.dom).collect();
        let question = (dom, doms.clone(), sources.clone());
        if let Some(&(map, cover)) = self.combined.get(&question) {
            return Ok((self.applied(map, &keys), cover));
        }
        let mut cells: Vec<Symbol> = Vec::new();
        let mut inside = 0;
        let (null, target) = (self.voc.null, self.voc.tuples(dom).clone());
        for combination in self.combinations(&keys)? {
            let tuple = self.row_of(&keys, &sources, &combination);
            let cell = if target.index.contains_key(&tuple) { self.voc.symbol(&tuple) } else { null };
            inside += usize::from(cell != null);
            cells.push(cell);
        }
        let cover = if inside == cells.len() {
            Cover::Always
        } else if inside == 0 {
            Cover::Never
        } else {
            Cover::Sometimes
        };
        let map = if keys.is_empty() {
            let symbol = cells.first().copied().unwrap_or(null);
            self.voc.symbol_expr(symbol)
        } else {
            let names: Vec<String> = doms.iter().map(|&key| self.voc.dom_name(key).to_lowercase()).collect();
            let stem = format!("{}_of_{}", self.voc.dom_name(dom).to_lowercase(), names.join("_"));
            self.voc.map(&stem, &doms, target.or_null, cells, null)
        };
        self.combined.insert(question, (map, cover));
        Ok((self.applied(map, &keys), cover))
    }

    fn applied(&mut self, map: ExprId, keys: &[Key]) -> ExprId {
        keys.iter().fold(map, |map, key| self.voc.access(map, key.expr))
    }

    /// The keys of a map over slots. If that had too many cells, slots of which the sources read some components only are
    /// mapped to those first.
    fn keys(&mut self, slots: &[Slot], mut sources: Vec<Source>) -> (Vec<Key>, Vec<Source>) {
        let size = |lift: &Self, slot: Slot| lift.voc.slot_values(slot).values.len();
        let cells = slots.iter().fold(1usize, |product, &slot| product.saturating_mul(size(self, slot)));
        let mut keys = Vec::new();
        for (number, &slot) in slots.iter().enumerate() {
            let (expr, dom) = (self.voc.slot_expr(slot), self.voc.slot(slot).dom);
            let read = sources.iter().filter_map(|source| match *source {
                Source::At(at, part) if at == number => Some(part),
                _ => None,
            });
            let mut parts: Vec<usize> = read.collect();
            parts.sort_unstable();
            parts.dedup();
            if cells <= MAX_CELLS || parts.len() >= self.voc.tuples(dom).arity() {
                keys.push(Key { expr, dom });
                continue;
            }
            let project = |tuple: &Vec<TermId>| parts.iter().filter_map(|&part| tuple.get(part).copied()).collect();
            let rows: Vec<Vec<TermId>> = self.voc.tuples(dom).values.iter().map(project).collect();
            let stem = format!("part_of_{}", self.voc.dom_name(dom).to_lowercase());
            let target = self.voc.dom(rows.clone(), &stem);
            let (ty, null) = (self.voc.tuples(target).or_null, self.voc.null);
            let symbols = rows.iter().map(|row| self.voc.symbol(row)).collect();
            let map = self.voc.map(&stem, &[dom], ty, symbols, null);
            keys.push(Key { expr: self.voc.access(map, expr), dom: target });
            for source in &mut sources {
                if let Source::At(at, part) = source
                    && *at == number
                    && let Some(place) = parts.iter().position(|other| other == part)
                {
                    *part = place;
                }
            }
        }
        (keys, sources)
    }

    /// A bound argument as a value of one component.
    pub(super) fn scalar(&mut self, query: &Query, arg: Arg) -> Result<(ExprId, Vec<TermId>), Stop> {
        let values = self.values_of(query, arg);
        let tuples = values.iter().map(|&term| vec![term]).collect();
        let dom = self.voc.dom(tuples, "value");
        let (expr, _) = self.tuple(query, &[arg], dom)?;
        Ok((expr, values))
    }

    /// The values that a bound argument can have.
    pub(super) fn values_of(&self, query: &Query, arg: Arg) -> Vec<TermId> {
        let mut best: Option<Vec<TermId>> = None;
        for place in query.places(arg) {
            let mut values: Vec<TermId> = match place {
                Val::Is(term) => vec![term],
                Val::Part(slot, part) => {
                    self.voc.slot_values(slot).values.iter().filter_map(|tuple| tuple.get(part).copied()).collect()
                }
            };
            values.sort_unstable();
            values.dedup();
            if best.as_ref().is_none_or(|best| values.len() < best.len()) {
                best = Some(values);
            }
        }
        best.unwrap_or_default()
    }

    /// A test of a static literal with bound arguments: `None` if it is always true; an expression that is `1` where it is
    /// true.
    pub(super) fn static_test(&mut self, query: &Query, literal: &Literal) -> Result<Option<ExprId>, Stop> {
        let stem = match literal {
            Literal::Pos(atom) => self.relation_name(atom.rel),
            Literal::Neg(atom) => format!("not_{}", self.relation_name(atom.rel)),
            Literal::Distinct(..) => "distinct".to_owned(),
        };
        let (test, args) = Test::of(literal);
        self.test(query, &args, &stem, Question::Static(test)).map_err(|stop| match stop {
            Stop::Wide(_) => Stop::Wide(literal.atom().map(|atom| atom.rel)),
            stop => stop,
        })
    }

    /// A test whether bound arguments are in a domain, as [`Lift::static_test`].
    pub(super) fn member_test(&mut self, query: &Query, args: &[Arg], dom: Dom) -> Result<Option<ExprId>, Stop> {
        let stem = format!("is_{}", self.voc.dom_name(dom).to_lowercase());
        self.test(query, args, &stem, Question::Member(dom))
    }

    fn test(&mut self, query: &Query, args: &[Arg], stem: &str, what: Question) -> Result<Option<ExprId>, Stop> {
        let (slots, sources) = self.sources(query, args);
        if sources.len() != args.len() {
            return Err(Stop::Unsupported("a variable is not bound".to_owned()));
        }
        let (keys, sources) = self.keys(&slots, sources);
        let doms: Vec<Dom> = keys.iter().map(|key| key.dom).collect();
        let question = (what, doms, sources);
        let answer = match self.tested.get(&question) {
            Some(&answer) => answer,
            None => {
                let answer = self.answer(&question, &keys, stem)?;
                self.tested.insert(question, answer);
                answer
            }
        };
        match answer {
            Answer::Always => Ok(None),
            Answer::Never => Err(Stop::Never),
            Answer::Map(map) => Ok(Some(self.applied(map, &keys))),
        }
    }

    fn answer(&mut self, (what, doms, sources): &Asked, keys: &[Key], stem: &str) -> Result<Answer, Stop> {
        let mut cells = Vec::new();
        for combination in self.combinations(keys)? {
            let row = self.row_of(keys, sources, &combination);
            let holds = match *what {
                Question::Static(test) => self.passes(test, &row),
                Question::Member(dom) => self.voc.tuples(dom).index.contains_key(&row),
            };
            cells.push(self.voc.bools[usize::from(holds)]);
        }
        if cells.iter().all(|&cell| cell == self.voc.bools[1]) {
            return Ok(Answer::Always);
        }
        if cells.iter().all(|&cell| cell == self.voc.bools[0]) {
            return Ok(Answer::Never);
        }
        let (ty, default) = (self.voc.bool_ty, self.voc.bools[0]);
        Ok(Answer::Map(self.voc.map(stem, doms, ty, cells, default)))
    }

    /// The step that needs a test to be true.
    pub(super) fn is_true(&mut self, lhs: ExprId) -> Step {
        let rhs = self.voc.symbol_expr(self.voc.bools[1]);
        Step::Do(Label::Compare { lhs, rhs, negated: false })
    }

    /// All combinations of values of the keys, as positions in their domains, the last counting fastest.
    fn combinations(&self, keys: &[Key]) -> Result<Vec<Vec<usize>>, Stop> {
        let sizes: Vec<usize> = keys.iter().map(|key| self.voc.tuples(key.dom).values.len()).collect();
        let cells = sizes.iter().fold(1usize, |product, &size| product.saturating_mul(size));
        if cells > MAX_CELLS {
            return Err(Stop::Wide(None));
        }
        self.tried.set(self.tried.get().saturating_add(cells.saturating_mul(TRIES_PER_CELL)));
        let mut all = vec![Vec::new()];
        for size in sizes {
            all =
                all.iter().flat_map(|list| (0..size).map(move |value| [list.as_slice(), &[value]].concat())).collect();
        }
        Ok(all)
    }

    fn row_of(&self, keys: &[Key], sources: &[Source], combination: &[usize]) -> Vec<TermId> {
        let part = |number: usize, part: usize| {
            let tuples = self.voc.tuples(keys.get(number)?.dom);
            tuples.values.get(*combination.get(number)?)?.get(part).copied()
        };
        sources
            .iter()
            .filter_map(|source| match *source {
                Source::Is(term) => Some(term),
                Source::At(number, index) => part(number, index),
            })
            .collect()
    }
}
