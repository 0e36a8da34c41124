//! What variables and tags of a lifted game mean in GDL.

use super::Lift;
use super::query::{Mode, Stop};
use crate::flat::Rel;
use crate::groups::Group;
use crate::lower::{Fluent, Place, RoleNames, ToldMoves, Vocabulary};
use crate::normal::TermId;
use rustc_hash::FxHashMap;

impl Lift<'_, '_> {
    /// The vocabulary of the finished game.
    pub(super) fn names(&mut self) -> Result<Vocabulary, Stop> {
        let mut roles = Vec::new();
        for role in 0..self.context.flat.roles.len() {
            roles.push(self.role_names(role)?);
        }
        let mut fluents = Vec::new();
        for number in 0..self.layouts.len() {
            self.fluent_names(number, &mut fluents);
        }
        fluents.sort_by(|a, b| a.term.cmp(&b.term));
        let turn_based = self.phases.list.iter().all(|phase| phase.choosers.len() <= 1);
        Ok(Vocabulary { roles, fluents, turn_based, checks: std::mem::take(&mut self.checks), ..Vocabulary::default() })
    }

    /// The atom that a check looks for, with variables for arguments that are no constants; only its relation where its arguments are taken apart.
    pub(super) fn checked_atom(&self, rel: Rel, modes: &[Mode]) -> String {
        let relation = self.context.flat.relation(rel);
        let name = self.voc.program.relation(relation.base).name.to_string();
        if modes.is_empty() || relation.shapes.iter().any(Option::is_some) {
            return name;
        }
        let arguments = (1..).zip(modes).map(|(place, mode)| match mode {
            Mode::Is(term) => self.kif(*term),
            Mode::Param | Mode::Any => format!("?{place}"),
        });
        format!("({name} {})", arguments.collect::<Vec<_>>().join(" "))
    }

    /// What was recovered, for people.
    pub(super) fn structure(&self, groups: &[Group]) -> Vec<(String, String)> {
        let flat = self.context.flat;
        let name = |fluent: usize| {
            let kind = flat.fluents.get(fluent);
            let shape = kind.and_then(|kind| kind.shape);
            let name = shape.map_or("constants", |(word, _)| self.voc.program.words.text(word)).to_owned();
            // One value of an argument.
            let fixed = kind.and_then(|kind| kind.fixed).map(|(_, term)| format!(" {}", self.kif(term)));
            name + &fixed.unwrap_or_default()
        };
        let mut lines = vec![("lifted".to_owned(), "rules are walks, kinds of fluents are variables".to_owned())];
        let work = self.work_of_step();
        lines.push(("work".to_owned(), format!("a step looks at about {work:.0} edges")));
        lines.extend(self.phases.control.map(|control| ("turns".to_owned(), format!("by `{}`", name(control)))));
        for (fluent, layout) in self.layouts.iter().enumerate() {
            let Some(layout) = layout else { continue };
            let proven = groups.iter().any(|group| group.fluent == fluent);
            let kind = match (layout.value.is_empty(), layout.total, proven) {
                (true, ..) => "true or false",
                (false, true, _) => "exactly one value",
                (false, false, _) => "at most one value",
            };
            let cells = layout.key_dom.map_or(1, |dom| self.voc.tuples(dom).values.len());
            let values = self.voc.tuples(layout.value_dom).values.len();
            let text = match layout.value.is_empty() {
                true => format!("{kind} for each of {cells} keys"),
                false => format!("{kind} of {values} for each of {cells} keys"),
            };
            lines.push((name(fluent), text));
        }
        lines
    }

    fn kif(&self, term: TermId) -> String {
        self.voc.program.terms.kif(&self.voc.program.words, term)
    }

    /// The term with that function and these arguments; the only argument without a function.
    fn term(&self, shape: crate::flat::Shape, args: &[TermId]) -> String {
        let args: Vec<String> = args.iter().map(|&arg| self.kif(arg)).collect();
        match shape {
            Some((word, _)) => format!("({} {})", self.voc.program.words.text(word), args.join(" ")),
            None => args.join(" "),
        }
    }

    fn role_names(&mut self, role: usize) -> Result<RoleNames, Stop> {
        let term = self.context.flat.roles.get(role).copied().ok_or(Stop::Never)?;
        let symbol = self.voc.symbol(&[term]);
        let player = self.voc.game.name(symbol).to_owned();
        let (kinds, tells_kind) = (self.kinds_of(role), self.tells_kind(role));
        let mut moves = Vec::new();
        for &kind in &kinds {
            let shape = self.context.flat.moves.get(kind).and_then(|kind| kind.shape);
            let told = self.told.get(&(role, kind)).cloned().unwrap_or_default();
            let tag = match shape {
                Some((word, _)) if tells_kind => {
                    let tag = self.kind_tag(word);
                    Some(self.voc.game.name(tag).to_owned())
                }
                _ => None,
            };
            let function = shape.map(|(word, _)| self.voc.program.words.text(word).to_owned());
            let mut parts = Vec::new();
            for told in &told {
                let values = self.voc.slot_values(told.slot).values.clone();
                let mut part = FxHashMap::default();
                for tuple in &values {
                    let symbol = self.voc.symbol(tuple);
                    let text: Vec<String> = tuple.iter().map(|&term| self.kif(term)).collect();
                    part.insert(self.voc.game.name(symbol).to_owned(), text.join(" "));
                }
                parts.push(part);
            }
            moves.push(ToldMoves { tag, function, parts });
        }
        let mut waiting: Vec<String> = Vec::new();
        for (kind, args) in self.phases.list.iter().filter_map(|phase| phase.forced.get(role)?.as_ref()) {
            let shape = self.context.flat.moves.get(*kind).and_then(|kind| kind.shape);
            let text = self.term(shape, args);
            if !waiting.contains(&text) {
                waiting.push(text);
            }
        }
        if waiting.len() > 1 {
            return Err(Stop::Unsupported("a role waits in several ways".to_owned()));
        }
        let goal = ("goals".to_owned(), vec![player.clone()]);
        let plays = self.phases.list.iter().any(|phase| phase.choosers.contains(&role));
        let (name, player, waiting) = (self.kif(term), plays.then_some(player), waiting.pop());
        Ok(RoleNames { name, player, waiting, moves: Vec::new(), told: moves, goal })
    }

    fn fluent_names(&mut self, number: usize, fluents: &mut Vec<Fluent>) {
        let Some(layout) = self.layouts.get(number).cloned().flatten() else { return };
        let Some(kind) = self.context.flat.fluents.get(number).copied() else { return };
        let name = self.voc.vars()[layout.var].name;
        let variable = self.voc.game.name(name).to_owned();
        let keys = layout.key_dom.map_or(vec![Vec::new()], |dom| self.voc.tuples(dom).values.clone());
        let values = self.voc.tuples(layout.value_dom).values.clone();
        for key in &keys {
            let cell: Vec<String> = if layout.key_dom.is_some() {
                let symbol = self.voc.symbol(key);
                vec![self.voc.game.name(symbol).to_owned()]
            } else {
                Vec::new()
            };
            for value in &values {
                let symbol = self.voc.symbol(value);
                let symbol = self.voc.game.name(symbol).to_owned();
                let mut args: Vec<(usize, TermId)> = layout.key.iter().copied().zip(key.iter().copied()).collect();
                args.extend(layout.value.iter().copied().zip(value.iter().copied()));
                args.sort_unstable_by_key(|(place, _)| *place);
                let mut args: Vec<TermId> = args.into_iter().map(|(_, term)| term).collect();
                if let Some((at, term)) = kind.fixed {
                    args.insert(at.min(args.len()), term);
                }
                let place = Place::Cell { variable: variable.clone(), keys: cell.clone(), value: symbol };
                fluents.push(Fluent { term: self.term(kind.shape, &args), place });
            }
        }
    }
}
