//! Turns: the walks of legal moves.

use super::Lift;
use super::query::{Done, Query, Step, Stop, Val};
use super::vocabulary::Slot;
use crate::flat::{Arg, Atom, Literal, Rel, Rule};
use crate::normal::TermId;
use rg_ir::Label;
use rg_ir::ids::NodeId;
use rustc_hash::FxHashMap;

/// A slot in which arguments of a move are told.
#[derive(Clone, Debug)]
pub(super) struct Told {
    /// The arguments, after the role.
    pub(super) places: Vec<usize>,
    pub(super) slot: Slot,
}

impl Lift<'_, '_> {
    /// Declares the slots of all moves that roles choose.
    pub(super) fn declare_moves(&mut self) -> Result<(), Stop> {
        let shared = self.phases.list.iter().all(|phase| phase.choosers.len() <= 1);
        let mut made: FxHashMap<usize, Vec<Told>> = FxHashMap::default();
        for role in 0..self.context.flat.roles.len() {
            for kind in self.kinds_of(role) {
                if let Some(told) = made.get(&kind).filter(|_| shared) {
                    self.told.insert((role, kind), told.clone());
                    continue;
                }
                let told = self.declare_move(kind)?;
                made.insert(kind, told.clone());
                self.told.insert((role, kind), told);
            }
        }
        Ok(())
    }

    /// The kinds of moves that a role chooses from, ascending.
    pub(super) fn kinds_of(&self, role: usize) -> Vec<usize> {
        let mut kinds: Vec<usize> = Vec::new();
        for phase in self.phases.list.iter().filter(|phase| phase.choosers.contains(&role)) {
            kinds.extend(phase.legal.get(role).into_iter().flatten().map(|(kind, _)| *kind));
        }
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// Whether a role's moves begin with a tag for their kind: it has several, or another role has others, which could be
    /// told by the same tags.
    pub(super) fn tells_kind(&self, role: usize) -> bool {
        let shape = |kind: &usize| self.context.flat.moves.get(*kind).and_then(|kind| kind.shape);
        let mut shapes =
            (0..self.context.flat.roles.len()).flat_map(|other| self.kinds_of(other)).map(|kind| shape(&kind));
        self.kinds_of(role).len() > 1 || shapes.next().is_some_and(|first| shapes.any(|shape| shape != first))
    }

    /// The kinds of moves of a role in a phase, ascending.
    pub(super) fn kinds_in(&self, phase: usize, role: usize) -> Vec<usize> {
        let rules = self.phases.list.get(phase).and_then(|phase| phase.legal.get(role));
        let mut kinds: Vec<usize> = rules.into_iter().flatten().map(|(kind, _)| *kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    fn declare_move(&mut self, kind: usize) -> Result<Vec<Told>, Stop> {
        let Some(moves) = self.context.flat.moves.get(kind).copied() else { return Err(Stop::Never) };
        let arity = self.context.flat.relation(moves.legal).arity.saturating_sub(1);
        let name = moves.shape.map_or("move", |(word, _)| self.voc.program.words.text(word)).to_owned();
        let mut told = Vec::new();
        let mut place = 0;
        while place < arity {
            let found = (2..=arity - place).rev().find_map(|length| {
                let places: Vec<usize> = (place..place + length).collect();
                self.key_of(moves.legal, moves.does, &places).map(|dom| (places, dom))
            });
            let (places, dom) = match found {
                Some(found) => found,
                None => {
                    let domain = self.context.domains.at(moves.legal, place + 1).ok_or(Stop::Never)?;
                    let tuples = domain.values().iter().map(|&term| vec![term]).collect();
                    (vec![place], self.voc.dom(tuples, "value"))
                }
            };
            place += places.len();
            let slot = self.voc.new_slot(&format!("{name}_{}", told.len() + 1), dom);
            told.push(Told { places, slot });
        }
        Ok(told)
    }

    /// The key that arguments of a move are somewhere, and that always has their values.
    fn key_of(&self, legal: Rel, does: Rel, places: &[usize]) -> Option<super::Dom> {
        let mut uses: Vec<(&Rule, &Atom)> = self.context.flat.rules_of(legal).map(|rule| (rule, &rule.head)).collect();
        for rule in &self.context.flat.rules {
            for literal in &rule.body {
                if let Literal::Pos(atom) = literal
                    && atom.rel == does
                {
                    uses.push((rule, atom));
                }
            }
        }
        for (rule, atom) in uses {
            let tuple: Vec<Arg> = places.iter().filter_map(|&place| atom.args.get(place + 1).copied()).collect();
            let mut atoms: Vec<&Atom> = vec![&rule.head];
            for literal in &rule.body {
                if let Literal::Pos(atom) | Literal::Neg(atom) = literal {
                    atoms.push(atom);
                }
            }
            for atom in atoms {
                let next =
                    self.context.flat.fluents.iter().find(|fluent| fluent.next == atom.rel || fluent.truth == atom.rel);
                let Some(layout) = next.and_then(|fluent| self.layout_of(fluent.truth)) else { continue };
                let key: Vec<Arg> = layout.key.iter().filter_map(|&place| atom.args.get(place).copied()).collect();
                let Some(dom) = layout.key_dom.filter(|_| key == tuple && tuple.iter().any(|arg| arg.var().is_some()))
                else {
                    continue;
                };
                let fits = places.iter().enumerate().all(|(part, &place)| {
                    let values =
                        self.context.domains.at(legal, place + 1).map(|domain| domain.values()).unwrap_or_default();
                    let known: Vec<TermId> =
                        self.voc.tuples(dom).values.iter().filter_map(|tuple| tuple.get(part).copied()).collect();
                    values.iter().all(|term| known.contains(term))
                });
                if fits {
                    return Some(dom);
                }
            }
        }
        None
    }

    /// What a role does in a phase, with a kind of move that it chooses or is forced to.
    pub(super) fn done(&self, role: usize, kind: usize) -> Done {
        let mut args: Vec<(usize, Val)> = Vec::new();
        for told in self.told.get(&(role, kind)).into_iter().flatten() {
            args.extend(told.places.iter().enumerate().map(|(part, &place)| (place, Val::Part(told.slot, part))));
        }
        args.sort_unstable_by_key(|(place, _)| *place);
        Done { kind, args: args.into_iter().map(|(_, val)| val).collect() }
    }

    /// Writes the moves of a role in a phase that are of one kind; nothing if there are none.
    pub(super) fn moves(
        &mut self,
        phase: usize,
        role: usize,
        kind: usize,
        from: NodeId,
        to: NodeId,
    ) -> Result<(), Stop> {
        let rules: Vec<Rule> = self
            .phases
            .list
            .get(phase)
            .and_then(|phase| phase.legal.get(role))
            .into_iter()
            .flatten()
            .filter(|(other, _)| *other == kind)
            .map(|(_, rule)| rule.clone())
            .collect();
        let told = self.told.get(&(role, kind)).cloned().unwrap_or_default();
        let mut ways = Vec::new();
        for rule in &rules {
            let mut query = Query::new(rule.vars, rule.body.clone());
            query.needed = rule.head.vars().collect();
            for told in &told {
                let tuple = told.places.iter().filter_map(|&place| rule.head.args.get(place + 1).copied()).collect();
                query.preferred.push((tuple, told.slot));
            }
            match self.plan(&mut query) {
                Ok(()) => ways.push(query.steps),
                Err(Stop::Never) => {}
                Err(stop) => return Err(stop),
            }
        }
        if ways.is_empty() {
            return Ok(());
        }
        let mut steps = vec![Step::Any(ways)];
        steps.extend(self.tags(role, kind));
        self.count(self.effort(&steps));
        self.emit_to(&steps, from, to);
        Ok(())
    }

    /// Tests that the only move of a role is legal.
    pub(super) fn waits(&mut self, phase: usize, role: usize, from: NodeId) -> Result<NodeId, Stop> {
        let rules = self.phases.list.get(phase).and_then(|phase| phase.legal.get(role)).cloned().unwrap_or_default();
        let mut ways = Vec::new();
        for (_, rule) in &rules {
            let mut query = Query::new(rule.vars, rule.body.clone());
            query.cut = false;
            match self.plan(&mut query) {
                Ok(()) => ways.push(query.steps),
                Err(Stop::Never) => {}
                Err(stop) => return Err(stop),
            }
        }
        let test = [Step::Check { steps: vec![Step::Any(ways)], negated: false }];
        self.count(self.effort(&test));
        Ok(self.emit(&test, from))
    }

    /// The tags that tell a move of one kind: its kind, if the role has several, and its arguments.
    pub(super) fn tags(&mut self, role: usize, kind: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        if self.tells_kind(role)
            && let Some((word, _)) = self.context.flat.moves.get(kind).and_then(|kind| kind.shape)
        {
            let tag = self.kind_tag(word);
            steps.push(Step::Do(Label::Tag(tag)));
        }
        let told = self.told.get(&(role, kind)).cloned().unwrap_or_default();
        steps.extend(told.iter().map(|told| Step::Do(Label::TagVar(self.voc.slot(told.slot).var))));
        steps
    }
}
