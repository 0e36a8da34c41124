//! The text of a description: names, facts, and rules in the order in which people read them.

use crate::names::{Names, plain};
use crate::program::Program;
use crate::rules::Rules;
use crate::term::{Atom, Literal, Relation, Rule, StateKey, Term};
use crate::tidy::Strange;
use crate::walks::Walks;
use rg_ir::{Symbol, TypeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Most columns of a rule that stands on one line.
const WIDTH: usize = 100;

pub(crate) struct Writer<'w, 'r, 'g> {
    walks: &'w Walks<'r, 'g>,
    changing: &'w BTreeSet<VarId>,
    names: Names,
    words: FxHashMap<Relation, String>,
    /// Words for moves by the number of their tags.
    moves: BTreeMap<usize, String>,
    states: Vec<String>,
    out: String,
}

/// Writes a program.
pub(crate) fn write(walks: &Walks<'_, '_>, program: &Program, strange: &Strange, start: &Start) -> String {
    let mut writer = Writer {
        walks,
        changing: &program.changing,
        names: Names::new(),
        words: FxHashMap::default(),
        moves: BTreeMap::new(),
        states: Vec::new(),
        out: String::new(),
    };
    writer.name(program);
    writer.title("Players");
    for &role in &program.roles {
        let role = writer.symbol(role);
        writer.line(&format!("(role {role})"));
    }
    writer.turns(program);
    writer.facts(program, strange, start);
    writer.state(program, start);
    writer.sections(program);
    writer.out
}

/// How the game starts: the first state, and values that differ from those declared.
pub(crate) struct Start {
    pub(crate) state: StateKey,
    pub(crate) values: FxHashMap<(VarId, Vec<Symbol>), Symbol>,
}

impl<'r> Writer<'_, 'r, '_> {
    fn known(&self) -> &'r Rules<'r> {
        self.walks.rules
    }

    fn symbol(&mut self, symbol: Symbol) -> String {
        self.names.symbol(self.walks.rules.game, symbol)
    }

    fn line(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    fn title(&mut self, title: &str) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.line(&format!("; {title}."));
    }

    /// Names everything: symbols first, whose words people see most.
    fn name(&mut self, program: &Program) {
        for &role in &program.roles {
            self.symbol(role);
        }
        let mut symbols: BTreeSet<Symbol> = BTreeSet::new();
        let atoms = |rule: &Rule| -> Vec<Atom> {
            let body = rule.body.iter().filter_map(|literal| match literal {
                Literal::Holds(atom) | Literal::Fails(atom) => Some(atom.clone()),
                Literal::Differ(..) => None,
            });
            std::iter::once(rule.head.clone()).chain(body).collect()
        };
        let mut relations: Vec<Relation> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut lengths: BTreeSet<usize> = BTreeSet::new();
        for rule in &program.rules {
            for atom in atoms(rule) {
                symbols.extend(atom.args.iter().filter_map(|arg| match arg {
                    Term::Symbol(symbol) => Some(*symbol),
                    Term::Var(_) => None,
                }));
                if seen.insert(atom.relation) {
                    relations.push(atom.relation);
                }
                if atom.relation == Relation::Legal {
                    lengths.insert(atom.args.len().saturating_sub(1));
                }
            }
        }
        for symbol in symbols {
            self.symbol(symbol);
        }
        self.name_states();
        relations.sort();
        for relation in relations {
            self.name_relation(relation);
        }
        for &length in &lengths {
            let word = match (length, lengths.iter().any(|&other| other != length && other > 0)) {
                (0, _) => self.names.fresh("step"),
                (_, false) => "move".to_owned(),
                (_, true) => self.names.fresh(&format!("move{length}")),
            };
            self.moves.insert(length, word);
        }
    }

    /// States are called like the player whose turn it is, and if there are several for a player, also like the node.
    fn name_states(&mut self) {
        let game = self.walks.rules.game;
        let turns: Vec<Option<Symbol>> = (0..self.walks.states.len()).map(|state| self.walks.turn(state)).collect();
        for (key, turn) in self.walks.states.iter().zip(&turns) {
            let node = game.node_name(key.node);
            let word = match turn {
                Some(player) if turns.iter().filter(|other| *other == turn).count() == 1 => self.symbol(*player),
                Some(player) => {
                    let name = format!("{}_{node}", self.symbol(*player));
                    self.names.fresh(&name)
                }
                None => self.names.fresh(node),
            };
            self.states.push(word);
        }
    }

    /// Who moves in which state, and who waits.
    fn turns(&mut self, program: &Program) {
        self.title("Whose turn it is");
        for state in 0..self.walks.states.len() {
            let (word, turn) = (self.states.get(state).cloned().unwrap_or_default(), self.walks.turn(state));
            for &role in &program.roles {
                let name = self.symbol(role);
                if Some(role) == turn {
                    self.line(&format!("(turn {name} {word})"));
                } else if program.roles.len() > 1 {
                    self.line(&format!("(idle {name} {word})"));
                }
            }
        }
    }

    fn name_relation(&mut self, relation: Relation) {
        let known = self.walks.rules;
        if self.words.contains_key(&relation) {
            return;
        }
        let name = match relation {
            Relation::Fluent(var) => known.vars[var].name.to_string(),
            Relation::Constant(id) => known.consts[id].name.to_string(),
            Relation::Type(ty) => crate::rules::type_name(known.game, ty, "one_of").to_string(),
            Relation::Changed(var) => format!("changed_{}", known.vars[var].name),
            Relation::Wrote(var) => format!("wrote_{}", known.vars[var].name),
            Relation::Place(place) | Relation::Made(place) | Relation::On(place) | Relation::Through(place) => {
                let node = self.walks.places.get(place).map_or("", |place| known.game.node_name(place.form.node));
                match relation {
                    Relation::Made(_) => format!("made_{node}"),
                    Relation::On(_) => format!("on_{node}"),
                    Relation::Through(_) => format!("through_{node}"),
                    _ => node.to_owned(),
                }
            }
            Relation::Collected(var) => format!("writes_{}", known.vars[var].name),
            Relation::Then(_, var) => format!("then_{}", known.vars[var].name),
            Relation::Written(_, var) => format!("written_{}", known.vars[var].name),
            _ => return,
        };
        let word = self.names.fresh(&name);
        self.words.insert(relation, word);
    }

    fn word(&self, relation: Relation) -> &str {
        self.words.get(&relation).map_or("unnamed", String::as_str)
    }

    /// Types, constants, and variables that never change.
    fn facts(&mut self, program: &Program, strange: &Strange, start: &Start) {
        let known = self.walks.rules;
        let mut relations: Vec<Relation> = self.words.keys().copied().collect();
        relations.sort();
        for relation in relations {
            match relation {
                Relation::Type(ty) => self.type_facts(ty),
                Relation::Constant(id) => {
                    let table = &known.consts[id];
                    let keys = table.keys.iter().zip(&table.shape.keys).enumerate().map(|(index, (_, &ty))| {
                        let more = strange.get(&(id, index)).into_iter().flatten();
                        known.game.types.members(ty).iter().chain(more).copied().collect()
                    });
                    let tuples = product(keys.collect());
                    self.title(&format!("The constant `{}`", table.name));
                    self.table(relation, "", &tuples, |tuple| table.at(tuple));
                }
                Relation::Fluent(var) if !program.changing.contains(&var) => {
                    let table = &known.vars[var];
                    self.title(&format!("`{}`, which never changes", table.name));
                    self.table(relation, "", &self.keys(var), |tuple| value(start, var, tuple).or(table.at(tuple)));
                }
                _ => {}
            }
        }
    }

    fn keys(&self, var: VarId) -> Vec<Vec<Symbol>> {
        let known = self.walks.rules;
        product(known.vars[var].shape.keys.iter().map(|&ty| known.game.types.members(ty).to_vec()).collect())
    }

    fn type_facts(&mut self, ty: TypeId) {
        let known = self.known();
        let name = crate::rules::type_name(known.game, ty, "");
        self.title(&if name.is_empty() { "A type".to_owned() } else { format!("The type `{name}`") });
        let word = self.word(Relation::Type(ty)).to_owned();
        for &symbol in known.game.types.members(ty) {
            let symbol = self.symbol(symbol);
            self.line(&format!("({word} {symbol})"));
        }
    }

    /// A fact for each tuple of keys.
    fn table(
        &mut self,
        relation: Relation,
        around: &str,
        tuples: &[Vec<Symbol>],
        value: impl Fn(&[Symbol]) -> Option<Symbol>,
    ) {
        let word = self.word(relation).to_owned();
        for tuple in tuples {
            let Some(value) = value(tuple) else { continue };
            let mut fact = format!("({word}");
            for &symbol in tuple.iter().chain([&value]) {
                fact.push(' ');
                fact.push_str(&self.symbol(symbol));
            }
            fact.push(')');
            self.line(&if around.is_empty() { fact } else { format!("({around} {fact})") });
        }
    }

    /// The state at the beginning.
    fn state(&mut self, program: &Program, start: &Start) {
        self.title("The beginning: where the rules wait for a move, and what variables hold");
        if let Some(word) = self.walks.states.get_index_of(&start.state).and_then(|state| self.states.get(state)) {
            let line = format!("(init (control {word}))");
            self.line(&line);
        }
        let known = self.walks.rules;
        for &var in &program.changing {
            if self.words.contains_key(&Relation::Fluent(var)) {
                let table = &known.vars[var];
                let keys = self.keys(var);
                self.table(Relation::Fluent(var), "init", &keys, |t| value(start, var, t).or(table.at(t)));
            }
        }
    }

    /// All rules, by what they are about.
    fn sections(&mut self, program: &Program) {
        let about = |relation: Relation| match relation {
            Relation::Place(_) => 0,
            Relation::Legal | Relation::Waits => 1,
            Relation::Sees(_) => 2,
            relation if relation.is_own() => 2,
            Relation::Next(_) | Relation::NextControl(_) => 3,
            _ => 4,
        };
        let titles = [
            "Walks through the rules: where they come to, and what they have chosen and changed",
            "Legal moves",
            "What the move does",
            "The next state",
            "The end, and the scores",
        ];
        for (section, title) in titles.into_iter().enumerate() {
            let mut rules: Vec<&Rule> = program
                .rules
                .iter()
                .filter(|rule| about(rule.head.relation) == section && self.is_read(rule))
                .collect();
            rules.sort_by_key(|rule| rule.head.relation);
            if rules.is_empty() {
                continue;
            }
            self.title(title);
            for rule in rules {
                let text = self.rule(rule);
                self.line(&text);
            }
        }
    }

    /// Whether what a rule is about is asked for anywhere.
    fn is_read(&self, rule: &Rule) -> bool {
        match rule.head.relation {
            Relation::Next(var) => self.words.contains_key(&Relation::Fluent(var)),
            _ => true,
        }
    }

    fn rule(&mut self, rule: &Rule) -> String {
        let names = variables(rule);
        let head = self.atom(&rule.head, &names);
        if rule.body.is_empty() {
            return head;
        }
        let mut parts = vec![format!("(<= {head}")];
        for literal in &rule.body {
            parts.push(match literal {
                Literal::Holds(atom) => self.atom(atom, &names),
                Literal::Fails(atom) => format!("(not {})", self.atom(atom, &names)),
                Literal::Differ(a, b) => {
                    format!("(distinct {} {})", self.term(*a, &names), self.term(*b, &names))
                }
            });
        }
        let length: usize = parts.iter().map(|part| part.len() + 1).sum();
        parts.join(if length <= WIDTH { " " } else { "\n    " }) + ")"
    }

    fn term(&mut self, term: Term, names: &[String]) -> String {
        match term {
            Term::Symbol(symbol) => self.symbol(symbol),
            Term::Var(number) => names.get(number as usize).cloned().unwrap_or_default(),
        }
    }

    fn atom(&mut self, atom: &Atom, names: &[String]) -> String {
        let args: Vec<String> = atom.args.iter().map(|&arg| self.term(arg, names)).collect();
        let control = |writer: &Self, state: usize| writer.states.get(state).cloned().unwrap_or_default();
        match atom.relation {
            Relation::Fluent(var) => {
                let inner = compound(self.word(atom.relation), &args);
                if self.changing.contains(&var) { format!("(true {inner})") } else { inner }
            }
            Relation::Next(var) => format!("(next {})", compound(self.word(Relation::Fluent(var)), &args)),
            Relation::Control(state) => format!("(true (control {}))", control(self, state)),
            Relation::NextControl(state) => format!("(next (control {}))", control(self, state)),
            Relation::Leads(state) => format!("(leads_to {})", control(self, state)),
            Relation::LeadsBefore(state) => format!("(leads_before {})", control(self, state)),
            Relation::Legal | Relation::Does => {
                let word = if atom.relation == Relation::Legal { "legal" } else { "does" };
                let (role, tags) = args.split_first().map_or(("", &[][..]), |(role, tags)| (role.as_str(), tags));
                let action = self.moves.get(&tags.len()).map_or("move", String::as_str);
                format!("({word} {role} {})", compound(action, tags))
            }
            Relation::Waits => format!("(legal {} noop)", args.join(" ")),
            Relation::Waiting => format!("(true (control {}))", args.join(" ")),
            Relation::Turn => compound("turn", &args),
            Relation::Idle => compound("idle", &args),
            Relation::Terminal => "terminal".to_owned(),
            Relation::Goal => compound("goal", &args),
            Relation::Sees(number) => {
                let (role, tag) = args.split_first().map_or(("", &[][..]), |(role, tag)| (role.as_str(), tag));
                format!("(sees {role} (told {number} {}))", tag.join(" "))
            }
            Relation::Constant(_)
            | Relation::Type(_)
            | Relation::Place(_)
            | Relation::Made(_)
            | Relation::On(_)
            | Relation::Collected(_)
            | Relation::Wrote(_)
            | Relation::Through(_)
            | Relation::Then(..)
            | Relation::Written(..)
            | Relation::Changed(_) => compound(self.word(atom.relation), &args),
        }
    }
}

/// A name with arguments; without any it is the name alone.
fn compound(word: &str, args: &[String]) -> String {
    if args.is_empty() { word.to_owned() } else { format!("({word} {})", args.join(" ")) }
}

/// The value that an entry has at the start, if it was assigned before.
fn value(start: &Start, var: VarId, keys: &[Symbol]) -> Option<Symbol> {
    start.values.get(&(var, keys.to_vec())).copied()
}

/// All tuples of keys.
pub(crate) fn product(keys: Vec<Vec<Symbol>>) -> Vec<Vec<Symbol>> {
    let mut tuples = vec![Vec::new()];
    for symbols in keys {
        tuples = tuples
            .iter()
            .flat_map(|tuple: &Vec<Symbol>| symbols.iter().map(|&symbol| [tuple.as_slice(), &[symbol]].concat()))
            .collect();
    }
    tuples
}

/// Names for the variables of a rule.
fn variables(rule: &Rule) -> Vec<String> {
    let mut taken: FxHashSet<String> = FxHashSet::default();
    let name = |var: &crate::term::Variable| {
        let stem = format!("?{}", plain(&var.name));
        let mut word = stem.clone();
        let mut number = 2;
        while !taken.insert(word.clone()) {
            word = format!("{stem}_{number}");
            number += 1;
        }
        word
    };
    rule.vars.iter().map(name).collect()
}
