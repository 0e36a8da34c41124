//! Random rules: the translation plays like the rules, executed step by step as the specification says (section 7).
#![allow(clippy::unwrap_used, clippy::panic)]

use backend::{Engine, Moves, Reasoner, State};
use proptest::prelude::*;
use rbg::ast::{Arith, ArithId, Cell, Description, Operator, Relation, Rule, RuleId};
use rg_ir::SourceId;
use rg_ir::ids::Id;
use std::collections::{BTreeMap, BTreeSet};

/// A state of play: control, pieces, variables, scores, current vertex, place in the rules.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Play {
    player: Option<u32>,
    board: Vec<u32>,
    variables: Vec<i64>,
    scores: Vec<i64>,
    at: u32,
    place: usize,
}

/// The modifiers of a move: index and vertex.
type Move = Vec<(u32, u32)>;

/// The rules as an automaton, the plainest possible.
struct Rules<'d> {
    description: &'d Description,
    edges: Vec<Vec<(Option<RuleId>, usize)>>,
    checks: BTreeMap<RuleId, (usize, usize)>,
    start: usize,
}

impl<'d> Rules<'d> {
    fn new(description: &'d Description) -> Self {
        let mut rules = Self { description, edges: vec![vec![], vec![]], checks: BTreeMap::new(), start: 0 };
        rules.add(description.rules.root, 0, 1);
        rules
    }

    fn place(&mut self) -> usize {
        self.edges.push(vec![]);
        self.edges.len() - 1
    }

    fn rule(&self, id: RuleId) -> &'d Rule {
        &self.description.rules.nodes[id.index()].0
    }

    fn add(&mut self, id: RuleId, from: usize, to: usize) {
        match self.rule(id) {
            Rule::Sum(parts) => parts.iter().for_each(|&part| self.add(part, from, to)),
            Rule::Concat(parts) => {
                let mut at = from;
                for &part in parts {
                    let next = self.place();
                    self.add(part, at, next);
                    at = next;
                }
                self.edges[at].push((None, to));
            }
            Rule::Star(inner) => {
                let turn = self.place();
                self.edges[from].push((None, turn));
                self.edges[turn].push((None, to));
                self.add(*inner, turn, turn);
            }
            Rule::Check { rule, .. } => {
                let (start, end) = (self.place(), self.place());
                self.checks.insert(id, (start, end));
                self.add(*rule, start, end);
                self.edges[from].push((Some(id), to));
            }
            _ => self.edges[from].push((Some(id), to)),
        }
    }

    fn value(&self, play: &Play, id: ArithId) -> Option<i64> {
        match self.description.rules.arith[id.index()].0 {
            Arith::Number(n) => Some(n.into()),
            Arith::Cell(Cell::Variable(v)) => Some(play.variables[v as usize]),
            Arith::Cell(Cell::Score(p)) => Some(play.scores[p as usize]),
            Arith::Count(piece) => Some(play.board.iter().filter(|&&p| p == piece).count() as i64),
            Arith::Binary(operator, a, b) => {
                let (a, b) = (self.value(play, a)?, self.value(play, b)?);
                match operator {
                    Operator::Add => a.checked_add(b),
                    Operator::Subtract => a.checked_sub(b),
                    Operator::Multiply => a.checked_mul(b),
                    Operator::Divide => a.checked_div(b),
                }
            }
        }
    }

    /// One action; `None` if it is not legal. The modifier it is, if it is one.
    fn act(&self, id: RuleId, play: &mut Play) -> Option<Option<u32>> {
        match self.rule(id) {
            Rule::Shift(label) => {
                let edges = &self.description.board.vertices[play.at as usize].edges;
                play.at = edges.iter().find(|(l, _)| l == label)?.1;
            }
            Rule::On(pieces) => {
                pieces.contains(&play.board[play.at as usize]).then_some(())?;
            }
            Rule::Off { piece, index } => {
                play.board[play.at as usize] = *piece;
                return Some(Some(*index));
            }
            Rule::Assign { target, value, index } => {
                let value = self.value(play, *value)?;
                let d = self.description;
                let (cell, bound) = match *target {
                    Cell::Variable(v) => (&mut play.variables[v as usize], d.variables[v as usize].bound),
                    Cell::Score(p) => (&mut play.scores[p as usize], d.players[p as usize].bound),
                };
                (0..=i64::from(bound)).contains(&value).then(|| *cell = value)?;
                return Some(Some(*index));
            }
            Rule::Compare { relation, left, right } => {
                let order = self.value(play, *left)?.cmp(&self.value(play, *right)?);
                let holds = match relation {
                    Relation::Equal => order.is_eq(),
                    Relation::NotEqual => order.is_ne(),
                    Relation::Less => order.is_lt(),
                    Relation::LessEqual => order.is_le(),
                    Relation::Greater => order.is_gt(),
                    Relation::GreaterEqual => order.is_ge(),
                };
                holds.then_some(())?;
            }
            Rule::Switch { player, index } => {
                play.player = *player;
                return Some(Some(*index));
            }
            Rule::Check { negated, .. } => {
                let (start, end) = self.checks[&id];
                let mut seen = BTreeSet::new();
                let mut stack = vec![Play { place: start, ..play.clone() }];
                let mut found = false;
                while let Some(at) = stack.pop() {
                    if !seen.insert(at.clone()) {
                        continue;
                    }
                    found |= at.place == end;
                    stack.extend(self.steps(&at).into_iter().map(|(next, _)| next));
                }
                (found != *negated).then_some(())?;
            }
            Rule::Dot | Rule::Sum(_) | Rule::Concat(_) | Rule::Star(_) => {}
        }
        Some(None)
    }

    fn steps(&self, play: &Play) -> Vec<(Play, Option<(RuleId, u32)>)> {
        let mut steps = Vec::new();
        for &(action, to) in &self.edges[play.place] {
            let mut next = Play { place: to, ..play.clone() };
            match action {
                None => steps.push((next, None)),
                Some(id) => {
                    if let Some(index) = self.act(id, &mut next) {
                        steps.push((next, index.map(|index| (id, index))));
                    }
                }
            }
        }
        steps
    }

    /// The legal moves with the states they lead to.
    fn moves(&self, play: &Play) -> BTreeMap<Move, Play> {
        let mut moves = BTreeMap::new();
        let mut seen: BTreeSet<(Move, Play)> = BTreeSet::new();
        let mut stack = vec![(Move::new(), play.clone())];
        while let Some((prefix, at)) = stack.pop() {
            if !seen.insert((prefix.clone(), at.clone())) {
                continue;
            }
            for (next, modifier) in self.steps(&at) {
                let mut prefix = prefix.clone();
                if let Some((id, index)) = modifier {
                    prefix.push((index, next.at));
                    if matches!(self.rule(id), Rule::Switch { .. }) {
                        moves.insert(prefix, next);
                        continue;
                    }
                }
                stack.push((prefix, next));
            }
        }
        moves
    }

    /// Makes the keeper's moves. `None` if he has a choice that could matter, or goes on for too long.
    fn complete(&self, mut play: Play) -> Option<Play> {
        for _ in 0..50 {
            if play.player.is_some() {
                return Some(play);
            }
            let next: BTreeSet<Play> = self.moves(&play).into_values().collect();
            match next.len() {
                0 => return Some(play),
                1 => play = next.into_iter().next()?,
                _ => return None,
            }
        }
        None
    }

    fn initial(&self) -> Play {
        let d = self.description;
        Play {
            player: None,
            board: d.board.vertices.iter().map(|v| v.piece).collect(),
            variables: vec![0; d.variables.len()],
            scores: vec![0; d.players.len()],
            at: 0,
            place: self.start,
        }
    }

    fn tags(&self, m: &Move) -> String {
        let pair = |&(index, at): &(u32, u32)| {
            format!("v_{} i{index}", self.description.board.vertices[at as usize].name.text)
        };
        m.iter().map(pair).collect::<Vec<_>>().join(" ")
    }
}

/// Walks both games in step. `None` if the rules leave the keeper a choice.
fn agree(rules: &Rules<'_>, play: &Play, reasoner: &Reasoner, state: &State, depth: u32) -> Option<()> {
    let expected = if play.player.is_some() { rules.moves(play) } else { BTreeMap::new() };
    let mut found = Moves::new();
    reasoner.legal_moves(state, &mut found).unwrap();
    let view = reasoner.view(state);
    for (player, score) in rules.description.players.iter().zip(&play.scores) {
        assert_eq!(
            rg_ir::StateView::get(&view, "goals", &[&format!("player_{}", player.name.text)]),
            Some(score.to_string().as_str())
        );
    }
    let tags: BTreeMap<String, usize> =
        found.iter().enumerate().map(|(i, tags)| (reasoner.tags_text(tags), i)).collect();
    let texts: BTreeSet<String> = expected.keys().map(|m| rules.tags(m)).collect();
    assert_eq!(texts, tags.keys().cloned().collect::<BTreeSet<_>>());
    assert_eq!(tags.len(), found.len());
    if depth > 0 {
        for (m, next) in expected.into_iter().take(6) {
            let next = rules.complete(next)?;
            let mut state = state.clone();
            reasoner.apply(&mut state, &found, tags[&rules.tags(&m)]).unwrap();
            agree(rules, &next, reasoner, &state, depth - 1)?;
        }
    }
    Some(())
}

const HEAD: &str = "#players = p(9), q(3)\n#pieces = a, b, c, d\n#variables = v(3), w(5)\n";
const BOARDS: [&str; 3] = [
    "#board = rectangle(up,down,left,right,[a,b,c][b,,a])\n",
    "#board = rectangle(up,down,left,right,[a,a][c,d])\n",
    "#board = s[a]{up:x,down:y,left:s} x[b]{right:z} y[a]{right:z} z[c]{up:s,left:x} o[d]{}\n#l(x)=x\n",
];

/// Checks one set of rules; `false` if it cannot be judged.
fn check(board: &str, rules: &str) -> bool {
    let text = format!("{HEAD}{board}#rules = {rules}");
    let (Some(description), _) = rbg::parse(SourceId(0), &text) else { return false };
    let Ok(lowered) = rbg::lower(&description) else { return false };
    let findings = rg_ir::check(&lowered.game);
    assert!(!findings.iter().any(|d| d.is_error()), "{text}\n{findings:?}");
    let rules = Rules::new(&description);
    let Some(play) = rules.complete(rules.initial()) else { return false };
    let reasoner = Reasoner::new(&lowered.game, Engine::Naive).unwrap();
    let Ok(state) = reasoner.initial() else { return false };
    agree(&rules, &play, &reasoner, &state, 4).is_some()
}

fn pure() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => prop::sample::select(vec!["up", "down", "left", "right", "up right", "."]),
        1 => prop::sample::select(vec!["{a}", "{b,c}", "{a,b,c}", "{a,b,c,d}", "{}"]),
    ];
    leaf.prop_map(str::to_owned).prop_recursive(3, 10, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(|v| format!("({})", v.join(" + "))),
            prop::collection::vec(inner.clone(), 2..4).prop_map(|v| v.join(" ")),
            inner.clone().prop_map(|e| format!("({e})*")),
            inner.clone().prop_map(|e| format!("{{? {e}}}")),
            inner.prop_map(|e| format!("{{! {e}}}")),
        ]
    })
}

fn expression() -> impl Strategy<Value = String> {
    let modifier = prop::sample::select(vec![
        "[a]",
        "{a} [b]",
        "{b} [a]",
        "({a} + {b}) [c]",
        "{c,d} [a]",
        "[b]",
        "[c]",
        "[d]",
        "[$ v=v+1]",
        "[$ w=w+2]",
        "[$ v=a]",
        "[$ w=a+b-v]",
        "[$ p=p+c]",
        "[$ q=v*w/2]",
        "[$ w=a+b+c-d-v]",
    ]);
    let test = prop::sample::select(vec![
        "{$ v<2}",
        "{$ a==b}",
        "{$ a+b>c+v}",
        "{$ w!=3}",
        "{$ v*w>=a}",
        "{$ a+b+c==v+w}",
        "{$ 3/v>0}",
        "{$ w<=5}",
    ]);
    let leaf = prop_oneof![3 => modifier.prop_map(str::to_owned), 1 => test.prop_map(str::to_owned), 4 => pure()];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            2 => prop::collection::vec(inner.clone(), 2..4).prop_map(|v| format!("({})", v.join(" + "))),
            4 => prop::collection::vec(inner.clone(), 2..4).prop_map(|v| v.join(" ")),
            1 => inner.clone().prop_map(|e| format!("{{? {e}}}")),
            1 => inner.prop_map(|e| format!("{{! {e}}}")),
        ]
    })
}

fn rules() -> impl Strategy<Value = String> {
    let switch = || prop::sample::select(vec!["->p", "->q", "->>"]);
    let segment = prop_oneof![
        4 => (expression(), switch()).prop_map(|(e, s)| format!("{e} {s}")),
        2 => switch().prop_map(str::to_owned),
        1 => (expression(), expression(), switch(), switch())
            .prop_map(|(a, b, s, t)| format!("({a} {s} + {{! {b}}} {t} + {{? {b}}} {s})")),
        1 => (expression(), switch(), switch()).prop_map(|(a, s, t)| format!("({{! {a}}} {s} + {a} {t})")),
        1 => (expression(), expression(), switch(), switch())
            .prop_map(|(a, b, s, t)| format!("(({{! {a}}} + {{! {b}}}) {s} + {{? {a}}} {{? {b}}} {t})")),
        1 => pure(),
    ];
    (prop::collection::vec(segment, 1..5), any::<bool>()).prop_map(|(segments, looped)| {
        let text = segments.join(" ");
        if looped { format!("->p ({text})*") } else { format!("->p {text}") }
    })
}

proptest! {
    #![proptest_config(ProptestConfig {  max_global_rejects: 100_000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn translations_play_like_the_rules(board in 0usize..3, rules in rules()) {
        prop_assume!(check(BOARDS[board], &rules));
    }
}
