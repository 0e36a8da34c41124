//! The plies of a step: every role chooses one of its legal moves.

use super::build::Build;
use super::turns::Turns;
use crate::ground::{AtomId, AtomKind, Condition, GroundRule};
use rg_ir::Label;
use rg_ir::ids::NodeId;
use rustc_hash::FxHashMap;

impl Build<'_> {
    /// From `from`, where the keeper is on the move, to the node returned, where it is again.
    pub(super) fn plies(&mut self, from: NodeId) -> NodeId {
        let step = self.node("step");
        match self.turns.take() {
            Some(turns) => self.one_ply(from, &turns, step),
            None => self.all_plies(from, step),
        }
        step
    }

    /// The role that has a choice makes a ply; where none has, the first one does.
    fn one_ply(&mut self, from: NodeId, turns: &Turns, step: NodeId) {
        let movers: Vec<usize> = (0..self.players.len()).filter(|&role| self.players[role].symbol.is_some()).collect();
        let nodes: Vec<(usize, NodeId)> = movers.iter().map(|&role| (role, self.node("control"))).collect();
        let mut at = from;
        for &(role, node) in &nodes {
            let control = turns.control.get(role).map_or(&[][..], Vec::as_slice);
            let rule = |&atom: &AtomId| GroundRule { head: atom, body: vec![Condition::Holds(atom)] };
            let rules: Vec<GroundRule> = control.iter().map(rule).collect();
            let other = self.node("other");
            self.cascade(at, &rules, node, other);
            at = other;
        }
        if let Some(&(_, node)) = nodes.first() {
            self.edge(at, node, Label::Skip);
        }
        for (role, node) in nodes {
            let mut at = node;
            for other in (0..self.players.len()).filter(|&other| other != role) {
                at = self.wait(at, other as u32, turns.waiting.get(other).copied().unwrap_or(0));
            }
            let moved = self.ply(at, role);
            let keeper = self.symbol("keeper");
            self.give(moved, step, keeper);
        }
    }

    /// A role makes its waiting move, if it is legal.
    fn wait(&mut self, from: NodeId, role: u32, action: u32) -> NodeId {
        let ground = self.ground;
        let legal = AtomKind::Legal(role, action);
        let Some(atom) = ground.atoms.iter().position(|kind| *kind == legal) else { return from };
        let (waits, stuck, next) = (self.node("waits"), self.node("stuck"), self.node("waiting"));
        self.cascade(from, ground.rules_of(AtomId(atom as u32)), waits, stuck);
        self.choose(waits, role, action, next);
        next
    }

    /// Every role makes a ply. If several do, each is told the others' moves after all have chosen only.
    fn all_plies(&mut self, from: NodeId, step: NodeId) {
        let movers: Vec<usize> = (0..self.players.len()).filter(|&role| self.players[role].symbol.is_some()).collect();
        let mut at = from;
        // Where percepts tell what players know (GDL-II), moves are hidden anyway.
        let sight = (movers.len() > 1 && !self.program.has_percepts()).then(|| (self.sight(false), self.sight(true)));
        if let Some((hidden, _)) = sight {
            let visible = self.built_in("visible");
            at = self.assign_all(at, &[(visible, hidden)]);
        }
        for &role in &movers {
            at = self.ply(at, role);
        }
        let keeper = self.symbol("keeper");
        let Some((_, shown)) = sight else { return self.give(at, step, keeper) };
        let chosen = self.node("chosen");
        self.give(at, chosen, keeper);
        let visible = self.built_in("visible");
        at = self.assign_all(chosen, &[(visible, shown)]);
        for &role in &movers {
            if let Some((choice, _)) = self.players.get(role).and_then(|player| player.choice) {
                let told = self.node("told");
                self.edge(at, told, Label::TagVar(choice));
                at = told;
            }
        }
        self.edge(at, step, Label::Skip);
    }

    /// The choice of a role, to the node where the next one is given the turn.
    fn ply(&mut self, from: NodeId, role: usize) -> NodeId {
        let Some(player) = self.players.get(role) else { return from };
        let (Some(symbol), Some((choice, _)), name) = (player.symbol, player.choice, player.name.clone()) else {
            return from;
        };
        let (turn, chosen) = (self.node(&format!("{name}_turn")), self.node(&format!("{name}_chose")));
        self.give(from, turn, symbol);
        self.choices(turn, role as u32, chosen);
        let moved = self.node(&format!("{name}_moved"));
        self.edge(chosen, moved, Label::TagVar(choice));
        moved
    }

    /// The legal moves of a role, as a tree of conditions: those that most moves have come first and are tested once.
    fn choices(&mut self, turn: NodeId, role: u32, chosen: NodeId) {
        let ground = self.ground;
        let mut rules: Vec<(u32, Vec<Condition>)> = Vec::new();
        let mut frequency: FxHashMap<&Condition, usize> = FxHashMap::default();
        for (number, kind) in (0..).zip(&ground.atoms) {
            let AtomKind::Legal(other, action) = kind else { continue };
            if *other != role {
                continue;
            }
            for rule in ground.rules_of(AtomId(number)) {
                rule.body.iter().for_each(|condition| *frequency.entry(condition).or_default() += 1);
                rules.push((*action, rule.body.clone()));
            }
        }
        for (_, body) in &mut rules {
            body.sort_by(|a, b| {
                let (left, right) = (frequency.get(a).copied(), frequency.get(b).copied());
                right.cmp(&left).then_with(|| a.cmp(b))
            });
        }
        let mut tree: FxHashMap<(NodeId, Condition), NodeId> = FxHashMap::default();
        let mut picked: FxHashMap<u32, NodeId> = FxHashMap::default();
        for (action, body) in rules {
            let mut at = turn;
            for condition in body {
                let slot = (at, condition);
                at = match tree.get(&slot) {
                    Some(&next) => next,
                    None => {
                        let next = self.node("legal");
                        let label = self.label(&slot.1, false);
                        self.edge(at, next, label);
                        tree.insert(slot, next);
                        next
                    }
                };
            }
            let pick = match picked.get(&action) {
                Some(&pick) => pick,
                None => {
                    let pick = self.node("pick");
                    self.choose(pick, role, action, chosen);
                    picked.insert(action, pick);
                    pick
                }
            };
            self.edge(at, pick, Label::Skip);
        }
    }

    /// Keeps the choice.
    fn choose(&mut self, from: NodeId, role: u32, action: u32, to: NodeId) {
        let player = self.players.get(role as usize);
        let choice = player.and_then(|player| Some((player.choice?.1, player.moves.get(action as usize).copied()?)));
        let label = choice.map_or(Label::Skip, |(lhs, rhs)| Label::Assign { lhs, rhs });
        self.edge(from, to, label);
    }
}
