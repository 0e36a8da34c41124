//! Conditions of rules: which variables they bind, and conditions that can be added to them.

use super::{Generator, Kind, Signature};

/// What a rule may ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// The state.
    State,
    /// The state and the moves.
    Step,
}

/// The conditions of a rule.
#[derive(Clone, Default)]
pub(super) struct Body {
    /// Those that bind.
    positive: Vec<String>,
    /// Those that ask about what is bound.
    tests: Vec<String>,
    /// The variables that are bound.
    bound: Vec<(Kind, String)>,
    /// Those that moves bind, and those that fluents bind, by what they are.
    pub(super) of_moves: Vec<(Kind, String)>,
    count: usize,
}

impl Body {
    /// A new variable.
    pub(super) fn fresh(&mut self, kind: Kind) -> String {
        let letter = match kind {
            Kind::Thing => 'x',
            Kind::Role => 'r',
            Kind::Board => 'b',
            Kind::Number => 'n',
        };
        self.count += 1;
        format!("?{letter}{}", self.count)
    }

    /// The bound variables of a kind.
    pub(super) fn known(&self, kind: Kind) -> Vec<String> {
        self.bound.iter().filter(|(other, _)| *other == kind).map(|(_, name)| name.clone()).collect()
    }

    pub(super) fn bind(&mut self, kind: Kind, name: &str) {
        if !self.bound.iter().any(|(_, other)| other == name) {
            self.bound.push((kind, name.to_owned()));
        }
    }

    pub(super) fn positive(&mut self, literal: String) {
        if !self.positive.contains(&literal) {
            self.positive.push(literal);
        }
    }

    pub(super) fn test(&mut self, literal: String) {
        if !self.tests.contains(&literal) {
            self.tests.push(literal);
        }
    }

    pub(super) fn literals(&self) -> Vec<String> {
        self.positive.iter().chain(&self.tests).cloned().collect()
    }
}

/// A name, in brackets with its arguments if it has any.
pub(super) fn term(name: &str, args: &[String]) -> String {
    if args.is_empty() { name.to_owned() } else { format!("({name} {})", args.join(" ")) }
}

impl Generator {
    /// An argument that may be new: a bound variable, a constant or a new variable, which is then bound.
    fn binding(&mut self, kind: Kind, body: &mut Body, bind: &mut Vec<(Kind, String)>) -> String {
        let known = body.known(kind);
        match self.choices.below(8) {
            0 => self.constant(kind).to_owned(),
            1..=3 if !known.is_empty() => known[self.choices.below(known.len())].clone(),
            _ => {
                let name = body.fresh(kind);
                bind.push((kind, name.clone()));
                name
            }
        }
    }

    /// An argument of something that is said: a bound variable if there is one, bound by its kind otherwise, or a constant.
    pub(super) fn argument(&mut self, kind: Kind, body: &mut Body) -> String {
        let known = body.known(kind);
        if self.once_in(8) {
            return self.constant(kind).to_owned();
        }
        if !known.is_empty() && !self.once_in(6) {
            return known[self.choices.below(known.len())].clone();
        }
        let name = body.fresh(kind);
        let relation = match kind {
            Kind::Thing => "thing",
            Kind::Role => "role",
            Kind::Board => "board",
            Kind::Number => "num",
        };
        body.positive(format!("({relation} {name})"));
        body.bind(kind, &name);
        name
    }

    /// An argument of a test: what is bound, or a constant.
    fn tested(&mut self, kind: Kind, body: &Body) -> String {
        let known = body.known(kind);
        if known.is_empty() || self.once_in(6) {
            return self.constant(kind).to_owned();
        }
        known[self.choices.below(known.len())].clone()
    }

    fn binding_args(&mut self, args: &[Kind], body: &mut Body) -> Vec<String> {
        let mut bind = Vec::new();
        let texts = args.iter().map(|&kind| self.binding(kind, body, &mut bind)).collect();
        bind.iter().for_each(|(kind, name)| body.bind(*kind, name));
        texts
    }

    fn tested_args(&mut self, args: &[Kind], body: &Body) -> Vec<String> {
        args.iter().map(|&kind| self.tested(kind, body)).collect()
    }

    /// The head of a rule of a helper.
    pub(super) fn head(&mut self, signature: &Signature, body: &mut Body) -> String {
        let args: Vec<String> = signature.args.iter().map(|&kind| self.argument(kind, body)).collect();
        term(&signature.name, &args)
    }

    fn pick(&mut self, signatures: &[Signature]) -> Option<Signature> {
        signatures.get(self.choices.below(signatures.len())).cloned()
    }

    /// A role makes a move: which role is known, or tied by something, or any.
    pub(super) fn does(&mut self, body: &mut Body) {
        let moves = self.moves.clone();
        let Some(kind) = self.pick(&moves) else { return };
        let known = body.known(Kind::Role);
        let role = match self.choices.below(6) {
            0 | 1 => self.constant(Kind::Role).to_owned(),
            2 | 3 if !known.is_empty() => known[self.choices.below(known.len())].clone(),
            _ => {
                let name = body.fresh(Kind::Role);
                body.bind(Kind::Role, &name);
                if self.once_in(2) {
                    self.tie(&name, body);
                }
                name
            }
        };
        let args = self.move_args(&kind.args, body);
        body.positive(format!("(does {role} {})", term(&kind.name, &args)));
    }

    /// Arguments of a move: new variables, as a rule.
    fn move_args(&mut self, args: &[Kind], body: &mut Body) -> Vec<String> {
        let mut texts = Vec::new();
        for &kind in args {
            let known = body.known(kind);
            let text = match self.choices.below(8) {
                0 => self.constant(kind).to_owned(),
                1 if !known.is_empty() => known[self.choices.below(known.len())].clone(),
                _ => {
                    let name = body.fresh(kind);
                    body.bind(kind, &name);
                    body.of_moves.push((kind, name.clone()));
                    name
                }
            };
            texts.push(text);
        }
        texts
    }

    /// A condition that says which role it is: by a relation with a board that is known or not, or by a fluent.
    pub(super) fn tie(&mut self, role: &str, body: &mut Body) {
        let controls: Vec<Signature> =
            self.fluents.iter().filter(|fluent| fluent.args == [Kind::Role]).cloned().collect();
        match self.pick(&controls) {
            Some(control) if self.once_in(2) => body.positive(format!("(true ({} {role}))", control.name)),
            _ => {
                let (name, kind) = [("owns", Kind::Board), ("likes", Kind::Thing)][self.choices.below(2)];
                let known = body.known(kind);
                let other =
                    if known.is_empty() { body.fresh(kind) } else { known[self.choices.below(known.len())].clone() };
                body.bind(kind, &other);
                body.positive(format!("({name} {role} {other})"));
            }
        }
    }

    /// A fluent holds.
    pub(super) fn holds(&mut self, body: &mut Body) {
        let fluents = self.fluents.clone();
        let Some(fluent) = self.pick(&fluents) else { return };
        let args = self.binding_args(&fluent.args, body);
        body.positive(format!("(true {})", term(&fluent.name, &args)));
    }

    /// Any condition.
    pub(super) fn extra(&mut self, body: &mut Body, scope: Scope) {
        match self.choices.below(12) {
            0 | 1 => self.holds(body),
            2 => {
                let statics = self.statics.clone();
                if let Some(relation) = self.pick(&statics) {
                    let args = self.binding_args(&relation.args, body);
                    body.positive(term(&relation.name, &args));
                }
            }
            3 if scope == Scope::Step => self.does(body),
            4 => {
                if let Some(literal) = self.helper(body, scope) {
                    body.positive(literal);
                }
            }
            5 => {
                let (left, right) = (self.simple_test(body, scope), self.simple_test(body, scope));
                if let (Some(left), Some(right)) = (left, right)
                    && left != right
                {
                    body.test(format!("(or {left} {right})"));
                }
            }
            _ => {
                let test = self.simple_test(body, scope);
                test.into_iter().for_each(|literal| body.test(literal));
            }
        }
    }

    /// An atom of a helper, which binds nothing new.
    pub(super) fn helper(&mut self, body: &Body, scope: Scope) -> Option<String> {
        let allowed = self.helpers.iter().filter(|helper| scope == Scope::Step || !helper.asks_moves);
        let allowed: Vec<Signature> = allowed.map(|helper| helper.signature.clone()).collect();
        let signature = self.pick(&allowed)?;
        let args = self.tested_args(&signature.args, body);
        Some(term(&signature.name, &args))
    }

    /// A condition on what is bound.
    pub(super) fn simple_test(&mut self, body: &Body, scope: Scope) -> Option<String> {
        match self.choices.below(10) {
            0..=2 => self.difference(body),
            3 | 4 => {
                let fluents = self.fluents.clone();
                let fluent = self.pick(&fluents)?;
                let args = self.tested_args(&fluent.args, body);
                Some(format!("(not (true {}))", term(&fluent.name, &args)))
            }
            5 => {
                let fluents = self.fluents.clone();
                let fluent = self.pick(&fluents)?;
                let args = self.tested_args(&fluent.args, body);
                Some(format!("(true {})", term(&fluent.name, &args)))
            }
            6 if scope == Scope::Step => self.undone(body),
            7 => {
                let statics = self.statics.clone();
                let relation = self.pick(&statics)?;
                let args = self.tested_args(&relation.args, body);
                Some(format!("(not {})", term(&relation.name, &args)))
            }
            _ => self.helper(body, scope).map(|atom| format!("(not {atom})")),
        }
    }

    /// Two things that are bound are not the same, or one is not a constant.
    fn difference(&mut self, body: &Body) -> Option<String> {
        let kind = [Kind::Thing, Kind::Thing, Kind::Role, Kind::Board][self.choices.below(4)];
        let known = body.known(kind);
        let first = known.get(self.choices.below(known.len()))?.clone();
        let others: Vec<&String> = known.iter().filter(|other| **other != first).collect();
        let second = if others.is_empty() || self.once_in(4) {
            self.constant(kind).to_owned()
        } else {
            others[self.choices.below(others.len())].clone()
        };
        Some(format!("(distinct {first} {second})"))
    }

    /// A role does not make some move.
    pub(super) fn undone(&mut self, body: &Body) -> Option<String> {
        let moves = self.moves.clone();
        let kind = self.pick(&moves)?;
        let role = self.tested(Kind::Role, body);
        let args = self.tested_args(&kind.args, body);
        Some(format!("(not (does {role} {}))", term(&kind.name, &args)))
    }
}
