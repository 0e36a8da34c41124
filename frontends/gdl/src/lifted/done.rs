//! What roles do: conditions on a joint move that is known, with its arguments in slots.

use super::Lift;
use super::query::{Done, Query, Step, Stop};
use crate::flat::{Arg, Atom};
use crate::normal::TermId;

impl Lift<'_, '_> {
    /// Whether a role makes a move of some kind with these arguments; binds arguments that are free.
    pub(super) fn does(&mut self, query: &mut Query, atom: &Atom, negated: bool) -> Result<(), Stop> {
        let Some((&role, args)) = atom.args.split_first() else { return Err(Stop::Never) };
        if query.done.is_empty() {
            return Err(Stop::Unsupported("a move is asked for where it is not known".to_owned()));
        }
        let kind = self.context.flat.move_of(atom.rel);
        let fixed = query.walk(role).constant();
        let mut candidates: Vec<(TermId, Done)> = Vec::new();
        for &other in &self.context.flat.roles {
            let done =
                query.done.get(&other).filter(|done| Some(done.kind) == kind && fixed.is_none_or(|role| role == other));
            candidates.extend(done.map(|done| (other, done.clone())));
        }
        if let ([(other, done)], false) = (candidates.as_slice(), negated) {
            self.equate(query, role, Arg::Is(*other))?;
            return self.agree(query, done, args);
        }
        // Several roles can have done it: a check of all of them, which cannot bind anything.
        let open = atom.args.iter().any(|&arg| query.free(arg).is_some_and(|var| query.is_used(var, usize::MAX)));
        if open && !candidates.is_empty() {
            return Err(Stop::Unsupported("it is not known whose move is asked for".to_owned()));
        }
        let mut ways = Vec::new();
        for (other, done) in &candidates {
            let mut inner = query.about(Vec::new());
            let agreed =
                self.equate(&mut inner, role, Arg::Is(*other)).and_then(|()| self.agree(&mut inner, done, args));
            match agreed {
                Ok(()) => ways.push(inner.steps),
                Err(Stop::Never) => {}
                Err(stop) => return Err(stop),
            }
        }
        match (ways.is_empty(), negated) {
            (true, true) => Ok(()),
            (true, false) => Err(Stop::Never),
            (false, _) => {
                query.steps.push(Step::Check { steps: vec![Step::Any(ways)], negated });
                Ok(())
            }
        }
    }

    /// Makes the arguments those of a move.
    fn agree(&mut self, query: &mut Query, done: &Done, args: &[Arg]) -> Result<(), Stop> {
        for (&val, &arg) in done.args.iter().zip(args) {
            self.equate_value(query, arg, val)?;
        }
        Ok(())
    }
}
