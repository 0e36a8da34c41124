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

    /// When moves are legal. Waiting is always legal, or where there is nothing else to do, or where it is another role's
    /// turn, as a rule.
    pub(super) fn legal(&mut self) {
        self.players();
        let waits = self.moves.iter().any(|kind| kind.name == "wait");
        let controlled = self.fluents.iter().any(|fluent| fluent.name == "control");
        let turns = waits && controlled && self.once_in(3);
        let only_if_stuck = waits && !turns && self.once_in(2);
        for kind in self.moves.clone() {
            if kind.name == "wait" {
                continue;
            }
            for _ in 0..1 + usize::from(self.once_in(3)) {
                let (role, text, head) = self.legal_move(&kind, waits, turns);
                self.rule(&head, &text);
                if only_if_stuck {
                    self.rule(&format!("(can {role})"), &text);
                }
            }
        }
        match (turns, only_if_stuck, waits) {
            (true, ..) => self.line("(<= (legal ?r wait) (player ?r) (not (true (control ?r))))"),
            (_, true, _) => self.line("(<= (legal ?r wait) (player ?r) (not (can ?r)))"),
            (_, _, true) => self.line("(<= (legal ?r wait) (player ?r))"),
            _ => {}
        }
    }

    /// Who plays: all, or all but one who can only watch, most of the time.
    fn players(&mut self) {
        let watcher =
            if self.roles.len() > 2 && self.once_in(6) { self.choices.below(self.roles.len()) } else { usize::MAX };
        for (number, role) in self.roles.clone().into_iter().enumerate() {
            if number != watcher {
                self.line(format!("(player {role})"));
                continue;
            }
            let mut body = Body::default();
            if self.once_in(3) {
                let test = self.simple_test(&body, Scope::State);
                test.into_iter().for_each(|literal| body.test(literal));
            }
            let text = body.literals();
            self.rule(&format!("(legal {role} watch)"), &text);
        }
    }

    /// A rule for moves of a kind: the role, the body and the head.
    fn legal_move(&mut self, kind: &Signature, waits: bool, turns: bool) -> (String, Vec<String>, String) {
        let mut body = Body::default();
        let role = self.mover(&mut body);
        if turns {
            body.positive(format!("(true (control {role}))"));
        }
        if waits || self.once_in(3) {
            for _ in 0..self.choices.below(3) {
                self.extra(&mut body, Scope::State);
            }
            if self.once_in(3) && role.starts_with('?') {
                self.tie(&role, &mut body);
            }
        }
        let args: Vec<String> = kind.args.iter().map(|&kind| self.argument(kind, &mut body)).collect();
        let head = format!("(legal {role} {})", term(&kind.name, &args));
        (role, body.literals(), head)
    }

    /// Who can make a move: all who play, as a rule.
    fn mover(&mut self, body: &mut Body) -> String {
        if self.once_in(10) {
            return self.constant(Kind::Role).to_owned();
        }
        let role = body.fresh(Kind::Role);
        body.positive(format!("(player {role})"));
        body.bind(Kind::Role, &role);
        role
    }
}
