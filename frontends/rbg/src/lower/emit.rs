//! From the draft to RG: every action becomes a path of labels.

use super::alive::Control;
use super::arith::{Arithmetic, Chain, Leaf, Source, Subject, Test};
use super::draft::{Arrow, BEGIN, Draft, END, Kind, Place, Step};
use super::needs::Facts;
use super::relation::{MAX_BRANCHES, Map, Plan, RelId, Relations};
use super::vocabulary::Vocabulary;
use crate::ast::{ArithId, Cell, Relation};
use rg_ir::ids::{ExprId, NodeId, Symbol};
use rg_ir::{Label, Span};
use rustc_hash::FxHashMap;

/// Writes the draft as the automaton of a game.
pub(super) struct Emitter<'a, 'd> {
    pub(super) draft: &'a Draft,
    pub(super) relations: &'a Relations,
    pub(super) arithmetic: &'a mut Arithmetic<'d>,
    pub(super) facts: &'a Facts,
    pub(super) control: Control,
    pub(super) vocabulary: Vocabulary,
    /// Nodes made so far, for numbering.
    pub(super) made: usize,
    /// Nodes of places.
    pub(super) nodes: Vec<Option<NodeId>>,
    /// Labels of relations, with and without a test at the end.
    pub(super) ways: FxHashMap<(RelId, bool), Vec<Vec<Label>>>,
    /// Labels that all steps with the same arithmetic share: tests, assignments, `count[…] = …`.
    pub(super) arithmetics: FxHashMap<Calculation, Vec<Label>>,
}

/// What is calculated.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Calculation {
    Compare(Relation, ArithId, ArithId),
    Assign(Cell, ArithId),
    Count(ExprId, i64),
}

impl Emitter<'_, '_> {
    /// Writes all arrows. Linear in what is written.
    pub(super) fn emit(mut self) -> Vocabulary {
        self.place_nodes();
        for position in 0..self.draft.arrows.len() {
            let Some(&arrow) = self.draft.arrows.get(position) else { continue };
            for path in self.paths(position, &arrow) {
                self.path(&arrow, path);
            }
        }
        let (decisions, hands) = (self.decisions(), self.handovers());
        self.vocabulary.pragmas(&decisions, &hands);
        self.vocabulary
    }

    /// The nodes of all places that arrows touch, named after what follows them.
    fn place_nodes(&mut self) {
        self.nodes = vec![None; self.draft.places.len()];
        let mut turn: Vec<Option<u32>> = vec![None; self.draft.places.len()];
        let mut first: Vec<Option<Step>> = vec![None; self.draft.places.len()];
        for arrow in &self.draft.arrows {
            if let Step::Switch { player: Some(player), .. } | Step::Hand(Some(player)) = arrow.step
                && let Some(turn) = turn.get_mut(arrow.to as usize)
            {
                *turn = Some(player);
            }
            if let Some(first) = first.get_mut(arrow.from as usize) {
                first.get_or_insert(arrow.step);
            }
        }
        for position in 0..self.draft.arrows.len() {
            let Some(&arrow) = self.draft.arrows.get(position) else { continue };
            let check = match arrow.step {
                Step::Check { from, to, .. } => [Some(from), Some(to)],
                _ => [None, None],
            };
            for place in [arrow.from, arrow.to].into_iter().chain(check.into_iter().flatten()) {
                let at = place as usize;
                if self.nodes.get(at).is_some_and(Option::is_none) {
                    let turn = turn.get(at).copied().flatten();
                    let first = first.get(at).copied().flatten();
                    let node = self.place_node(place, turn, first);
                    if let Some(slot) = self.nodes.get_mut(at) {
                        *slot = Some(node);
                    }
                }
            }
        }
    }

    fn place_node(&mut self, place: Place, turn: Option<u32>, first: Option<Step>) -> NodeId {
        let info = self.draft.places.get(place as usize).copied();
        let (kind, span) = info.map_or((Kind::Plain, Span::NONE), |info| (info.kind, info.span));
        match kind {
            _ if place == BEGIN => return self.vocabulary.game.begin(),
            _ if place == END => return self.vocabulary.game.end(),
            Kind::CheckStart => return self.node("check", span),
            Kind::CheckEnd => return self.node("checked", span),
            Kind::Decide => return self.node("decide", span),
            Kind::Alive => return self.node("alive", span),
            Kind::Plain | Kind::Begin | Kind::End => {}
        }
        if let Some(player) = turn.and_then(|p| self.vocabulary.players.get(p as usize)) {
            let name = self.vocabulary.game.name(*player).replacen("player", "turn", 1);
            return self.node(&name, span);
        }
        let name = first.map_or_else(|| "stop".to_owned(), step_name);
        self.node(&name, span)
    }

    fn node(&mut self, kind: &str, span: Span) -> NodeId {
        self.made += 1;
        let name = self.vocabulary.game.symbols.intern(&format!("{kind}_{}", self.made));
        self.vocabulary.game.node(name, span)
    }

    fn of(&self, place: Place) -> NodeId {
        let node = self.nodes.get(place as usize).copied().flatten();
        node.unwrap_or(self.vocabulary.game.end())
    }

    /// A path of labels between the ends of an arrow.
    fn path(&mut self, arrow: &Arrow, labels: Vec<Label>) {
        let mut at = self.of(arrow.from);
        let last = labels.len().saturating_sub(1);
        let labels = if labels.is_empty() { vec![Label::Skip] } else { labels };
        for (i, label) in labels.into_iter().enumerate() {
            let next = if i == last { self.of(arrow.to) } else { self.node(&step_name(arrow.step), arrow.span) };
            self.vocabulary.game.automaton.add_edge(at, next, label, arrow.span);
            at = next;
        }
    }

    fn decisions(&self) -> Vec<Symbol> {
        let game = &self.vocabulary.game;
        let decides = |place: usize| {
            let kind = self.draft.places.get(place).map(|info| info.kind);
            kind == Some(Kind::Decide) || place == BEGIN as usize
        };
        let places = self.nodes.iter().enumerate().filter(|&(place, _)| decides(place));
        let nodes = places.filter_map(|(_, node)| *node).filter(|&node| {
            let out = game.automaton.outgoing(node);
            out.iter().any(|&edge| matches!(game.automaton.edge(edge).label, Label::Reach { negated: true, .. }))
        });
        nodes.map(|node| game.automaton.node(node).name).collect()
    }

    /// Where the keeper hands over if the next player has a move: the node, the check, and the node where that player's turn
    /// begins. Only [`super::alive`] makes steps that hand over, each behind such a check.
    fn handovers(&self) -> Vec<Symbol> {
        let arrows = &self.draft.arrows;
        let hands = arrows.iter().filter(|arrow| matches!(arrow.step, Step::Hand(Some(_))));
        let turns: FxHashMap<Place, Place> = hands.map(|hand| (hand.from, hand.to)).collect();
        let names = arrows.iter().filter_map(|arrow| match (arrow.step, turns.get(&arrow.to)) {
            (Step::Check { from, to, negated: false }, Some(&turn)) => {
                Some([arrow.from, from, to, turn].map(|place| self.vocabulary.game.automaton.node(self.of(place)).name))
            }
            _ => None,
        });
        names.flatten().collect()
    }

    /// The alternatives of an arrow, each a sequence of labels.
    fn paths(&mut self, position: usize, arrow: &Arrow) -> Vec<Vec<Label>> {
        match arrow.step {
            Step::Skip => vec![vec![]],
            Step::Go(relation) => {
                let test = !self.facts.unchecked(position);
                if let Some(known) = self.ways.get(&(relation, test)) {
                    return known.clone();
                }
                let paths = self.relations.plan(relation).map_or_else(Vec::new, |plan| self.go(&plan, test));
                self.ways.insert((relation, test), paths.clone());
                paths
            }
            Step::On(set) => self.on(set),
            Step::Off { piece, index } => {
                let mut labels = self.off(arrow.from, piece);
                self.tags(arrow.from, index, &mut labels);
                vec![labels]
            }
            Step::Assign { target, value, index } => {
                let Some(mut labels) = self.assign(target, value, arrow.span) else { return Vec::new() };
                self.tags(arrow.from, index, &mut labels);
                vec![labels]
            }
            Step::Compare { relation, left, right } => {
                self.compare(relation, left, right, arrow.span).into_iter().collect()
            }
            Step::Switch { player, index } => {
                let mut labels = Vec::new();
                self.tags(arrow.from, index, &mut labels);
                labels.push(self.vocabulary.hand(player));
                vec![labels]
            }
            Step::Check { negated, from, to } => {
                vec![vec![Label::Reach { from: self.of(from), to: self.of(to), negated }]]
            }
            Step::Hand(player) => vec![vec![self.vocabulary.hand(player)]],
        }
    }

    fn assign(&mut self, target: Cell, value: ArithId, span: Span) -> Option<Vec<Label>> {
        let key = Calculation::Assign(target, value);
        if let Some(known) = self.arithmetics.get(&key) {
            return Some(known.clone());
        }
        let answer = self.arithmetic.assign(target, value, span).ok()?;
        let mut labels = self.test(&answer.0)?;
        let lhs = self.leaf(target.into());
        let rhs = self.source(&answer.1);
        labels.push(Label::Assign { lhs, rhs });
        self.arithmetics.insert(key, labels.clone());
        Some(labels)
    }

    fn compare(&mut self, relation: Relation, left: ArithId, right: ArithId, span: Span) -> Option<Vec<Label>> {
        let key = Calculation::Compare(relation, left, right);
        if let Some(known) = self.arithmetics.get(&key) {
            return Some(known.clone());
        }
        let test = self.arithmetic.compare(relation, left, right, span).ok()?;
        let labels = self.test(&test)?;
        self.arithmetics.insert(key, labels.clone());
        Some(labels)
    }

    /// `$$ pos`, `$ i<index>`, where a player can be in control.
    fn tags(&mut self, place: Place, index: u32, labels: &mut Vec<Label>) {
        if self.control.player(place) {
            let tag = self.vocabulary.game.symbols.intern(&format!("i{index}"));
            labels.extend([Label::TagVar(self.vocabulary.pos), Label::Tag(tag)]);
        }
    }

    fn go(&mut self, plan: &Plan, test: bool) -> Vec<Vec<Label>> {
        let words = &mut self.vocabulary;
        match plan {
            Plan::Empty => vec![],
            Plan::Identity => vec![vec![]],
            Plan::Filter(sources) => vec![vec![self.filter(sources)]],
            Plan::Goto { targets, sources } => {
                let mut labels: Vec<Label> = sources.iter().map(|sources| self.filter(sources)).collect();
                let words = &mut self.vocabulary;
                match targets[..] {
                    [only] => labels.extend(words.go_to(only)),
                    _ => labels.push(words.go_anywhere(targets)),
                }
                vec![labels]
            }
            Plan::Function(map) => vec![self.follow(map, test)],
            Plan::Branches(maps) if maps.len() <= MAX_BRANCHES => {
                maps.iter().map(|map| self.follow(map, test)).collect()
            }
            Plan::Branches(maps) => {
                let Some((choose, choice)) = words.choose(maps.len()) else { return Vec::new() };
                let table = words.maps(maps);
                let table = words.constant(table);
                let row = words.access(table, choice);
                let lhs = words.pos();
                let rhs = words.access(row, lhs);
                let zero = words.number(0);
                let zero = words.symbol(zero);
                let mut labels = vec![choose, Label::Assign { lhs, rhs }];
                let total = maps.last().is_some_and(|map| map.len() == words.vertices.len());
                if test && !total {
                    labels.push(words.on_board());
                }
                labels.push(Label::Assign { lhs: choice, rhs: zero });
                vec![labels]
            }
        }
    }

    /// `pos = map[pos]`, and the test that this is on the board where it need not be.
    fn follow(&mut self, map: &Map, test: bool) -> Vec<Label> {
        if map.iter().all(|(from, to)| from == to) {
            let everywhere = map.len() == self.vocabulary.vertices.len();
            let sources: Vec<u32> = map.iter().map(|&(from, _)| from).collect();
            return if everywhere { vec![] } else { vec![self.filter(&sources)] };
        }
        let words = &mut self.vocabulary;
        let table = words.map(map);
        let (lhs, table) = (words.pos(), words.constant(table));
        let rhs = words.access(table, lhs);
        let mut labels = vec![Label::Assign { lhs, rhs }];
        if test && map.len() < words.vertices.len() {
            labels.push(words.on_board());
        }
        labels
    }

    fn filter(&mut self, sources: &[u32]) -> Label {
        let words = &mut self.vocabulary;
        let pos = words.pos();
        if let [only] = sources
            && let Some(&vertex) = words.vertices.get(*only as usize)
        {
            return words.equals(pos, vertex, false);
        }
        let table = words.vertex_set(sources);
        words.holds(table, &[pos])
    }

    fn on(&mut self, set: u32) -> Vec<Vec<Label>> {
        let (pieces, words) = (self.draft.pieces(set), &mut self.vocabulary);
        let here = words.here();
        let of = |words: &Vocabulary, piece: u32| words.pieces.get(piece as usize).copied();
        if let Some(missing) = Facts::only_missing(pieces, words.pieces.len())
            && let Some(symbol) = of(words, missing)
        {
            return vec![vec![words.equals(here, symbol, true)]];
        }
        if pieces.len() > 3 {
            let table = words.piece_set(pieces);
            return vec![vec![words.holds(table, &[here])]];
        }
        let symbols: Vec<Symbol> = pieces.iter().filter_map(|&piece| of(words, piece)).collect();
        symbols.into_iter().map(|symbol| vec![words.equals(here, symbol, false)]).collect()
    }

    /// `board[pos] = x`, and what that does to the counters.
    fn off(&mut self, place: Place, piece: u32) -> Vec<Label> {
        let words = &mut self.vocabulary;
        let here = words.here();
        let mut labels = Vec::new();
        let new = words.class(piece);
        match self.facts.held(place) {
            Some(old) => {
                let old = words.class(old);
                if old != new {
                    labels.extend(old.into_iter().flat_map(|class| self.recount(class, -1)));
                    labels.extend(new.into_iter().flat_map(|class| self.recount(class, 1)));
                }
            }
            None if words.needs.counted.is_empty() => {}
            None => {
                let key = match words.classes() {
                    Some(classes) => {
                        let classes = words.constant(classes);
                        words.access(classes, here)
                    }
                    None => here,
                };
                labels.extend(self.recount_key(key, -1));
                labels.extend(new.into_iter().flat_map(|class| self.recount(class, 1)));
            }
        }
        let words = &mut self.vocabulary;
        if let Some(&symbol) = words.pieces.get(piece as usize) {
            let rhs = words.symbol(symbol);
            labels.push(Label::Assign { lhs: here, rhs });
        }
        labels
    }

    fn recount(&mut self, class: Symbol, by: i64) -> Vec<Label> {
        let key = self.vocabulary.symbol(class);
        self.recount_key(key, by)
    }

    /// `count[key] = step[count[key]]`
    fn recount_key(&mut self, key: ExprId, by: i64) -> Vec<Label> {
        if let Some(known) = self.arithmetics.get(&Calculation::Count(key, by)) {
            return known.clone();
        }
        let words = &mut self.vocabulary;
        let most = i64::try_from(words.vertices.len()).unwrap_or(i64::MAX);
        let values: Vec<i64> = (0..=most).map(|n| (n + by).clamp(0, most)).collect();
        let table = words.numbers(&[(0, values.len())], &values, false);
        let (lhs, table) = (words.counter(key), words.constant(table));
        let rhs = words.access(table, lhs);
        let labels = vec![Label::Assign { lhs, rhs }];
        self.arithmetics.insert(Calculation::Count(key, by), labels.clone());
        labels
    }

    fn leaf(&mut self, leaf: Leaf) -> ExprId {
        let words = &mut self.vocabulary;
        match leaf {
            Leaf::Variable(index) => words.cell(index),
            Leaf::Score(player) => words.score(player),
            Leaf::Count(piece) => {
                let class = words.class(piece).map(|class| words.symbol(class));
                class.map_or(words.board, |class| words.counter(class))
            }
        }
    }

    fn subject(&mut self, subject: &Subject) -> ExprId {
        match subject {
            Subject::Leaf(leaf) => self.leaf(*leaf),
            Subject::Chain(Chain { first, then }) => {
                let mut sum = self.leaf(first.0);
                if !(0..).zip(&first.1.values).all(|(leaf, &value)| leaf == value) {
                    let table = self.vocabulary.numbers(&first.1.arguments, &first.1.values, false);
                    let table = self.vocabulary.constant(table);
                    sum = self.vocabulary.access(table, sum);
                }
                for (leaf, table) in then {
                    let leaf = self.leaf(*leaf);
                    let table = self.vocabulary.numbers(&table.arguments, &table.values, false);
                    let table = self.vocabulary.constant(table);
                    let row = self.vocabulary.access(table, sum);
                    sum = self.vocabulary.access(row, leaf);
                }
                sum
            }
        }
    }

    fn source(&mut self, source: &Source) -> ExprId {
        match source {
            Source::Constant(value) => {
                let value = self.vocabulary.number(*value);
                self.vocabulary.symbol(value)
            }
            Source::Subject(subject) => self.subject(subject),
            Source::Table(leaves, table) => {
                let id = self.vocabulary.numbers(&table.arguments, &table.values, false);
                let mut expr = self.vocabulary.constant(id);
                for &leaf in leaves {
                    let key = self.leaf(leaf);
                    expr = self.vocabulary.access(expr, key);
                }
                expr
            }
        }
    }

    /// The labels of a test; `None` if it never holds.
    fn test(&mut self, test: &Test) -> Option<Vec<Label>> {
        match test {
            Test::Always => Some(vec![]),
            Test::Never => None,
            Test::One { subject, first, accept } => {
                let subject = self.subject(subject);
                let words = &mut self.vocabulary;
                let only = |wanted: bool| {
                    let mut found = (*first..).zip(accept).filter(|&(_, &a)| a == wanted).map(|(v, _)| v);
                    found.next().filter(|_| found.next().is_none())
                };
                for (wanted, negated) in [(true, false), (false, true)] {
                    if let Some(value) = only(wanted) {
                        let value = words.number(value);
                        return Some(vec![words.equals(subject, value, negated)]);
                    }
                }
                let values: Vec<i64> = accept.iter().map(|&a| a.into()).collect();
                let table = words.numbers(&[(*first, values.len())], &values, true);
                Some(vec![words.holds(table, &[subject])])
            }
            Test::Many { leaves, accept } => {
                let sizes: Vec<usize> = leaves.iter().map(|&leaf| self.arithmetic.size(leaf)).collect();
                let keys: Vec<ExprId> = leaves.iter().map(|&leaf| self.leaf(leaf)).collect();
                if let (&[lhs, rhs], &[_, columns]) = (&keys[..], &sizes[..])
                    && let Some(negated) = diagonal(accept, columns)
                {
                    return Some(vec![Label::Compare { lhs, rhs, negated }]);
                }
                let values: Vec<i64> = accept.iter().map(|&a| a.into()).collect();
                let arguments: Vec<(i64, usize)> = sizes.into_iter().map(|size| (0, size)).collect();
                let table = self.vocabulary.numbers(&arguments, &values, true);
                Some(vec![self.vocabulary.holds(table, &keys)])
            }
        }
    }
}

/// Whether a table of two arguments holds exactly where they are equal (`false`) or differ (`true`).
fn diagonal(accept: &[bool], columns: usize) -> Option<bool> {
    let equal = |i: usize| i.checked_div(columns) == i.checked_rem(columns);
    [false, true].into_iter().find(|&negated| accept.iter().enumerate().all(|(i, &a)| a == (equal(i) != negated)))
}

fn step_name(step: Step) -> String {
    match step {
        Step::Skip => "skip".to_owned(),
        Step::Go(_) => "go".to_owned(),
        Step::On(_) => "on".to_owned(),
        Step::Compare { .. } => "compare".to_owned(),
        Step::Check { .. } => "if".to_owned(),
        Step::Hand(_) => "hand".to_owned(),
        Step::Off { index: 0, .. } => "off".to_owned(),
        Step::Assign { index: 0, .. } => "assign".to_owned(),
        Step::Off { index, .. } => format!("off{index}"),
        Step::Assign { index, .. } => format!("assign{index}"),
        Step::Switch { index, .. } => format!("switch{index}"),
    }
}
