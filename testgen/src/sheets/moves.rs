//! Moves, and when they are legal.

use super::body::{Body, Scope, term};
use super::{Generator, Kind, Signature};

/// Most combinations of kinds of moves of all roles: with more, nothing is lifted.
const MAX_COMBINATIONS: usize = 16;

impl Generator {
    /// The kinds of moves; the last one is to wait.
    pub(super) fn declare_moves(&mut self) {
        let most = (1..=4usize).rev().find(|kinds| kinds.pow(self.roles.len() as u32) <= MAX_COMBINATIONS).unwrap_or(1);
        let kinds = 1 + self.choices.below(most);
        let forms: [(&str, &[Kind]); 6] = [
            ("mark", &[Kind::Thing]),
            ("mark", &[Kind::Thing]),
            ("take", &[Kind::Board, Kind::Thing]),
            ("swap", &[Kind::Thing, Kind::Thing]),
            ("name", &[Kind::Role]),
            ("call", &[]),
        ];
        while self.moves.len() < kinds {
            let (name, args) = forms[self.choices.below(forms.len())];
            if self.moves.iter().all(|other| other.name != name) {
                self.moves.push(Signature::new(name, args));
            }
        }
        if kinds < most && !self.once_in(4) {
            self.moves.push(Signature::new("wait", &[]));
        }
    }

    /// When moves are legal. Waiting is always legal, or where there is nothing else to do, as a rule.
    pub(super) fn legal(&mut self) {
        let waits = self.moves.iter().any(|kind| kind.name == "wait");
        let only_if_stuck = waits && self.once_in(2);
        for kind in self.moves.clone() {
            if kind.name == "wait" {
                continue;
            }
            for _ in 0..1 + usize::from(self.once_in(3)) {
                let mut body = Body::default();
                let role = self.mover(&mut body);
                if waits || self.once_in(3) {
                    for _ in 0..self.choices.below(3) {
                        self.extra(&mut body, Scope::State);
                    }
                    if self.once_in(3) && role.starts_with('?') {
                        self.tie(&role, &mut body);
                    }
                }
                let args: Vec<String> = kind.args.iter().map(|&kind| self.argument(kind, &mut body)).collect();
                let text = body.literals();
                let head = format!("(legal {role} {})", term(&kind.name, &args));
                self.rule(&head, &text);
                if only_if_stuck {
                    self.rule(&format!("(can {role})"), &text);
                }
            }
        }
        if only_if_stuck {
            self.line("(<= (legal ?r wait) (role ?r) (not (can ?r)))");
        } else if waits {
            self.line("(<= (legal ?r wait) (role ?r))");
        }
    }

    /// Who can make a move: all, as a rule.
    fn mover(&mut self, body: &mut Body) -> String {
        if self.once_in(10) {
            return self.constant(Kind::Role).to_owned();
        }
        let role = body.fresh(Kind::Role);
        body.positive(format!("(role {role})"));
        body.bind(Kind::Role, &role);
        role
    }
}
