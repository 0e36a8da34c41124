//! Moves: what a lane that ends a move emits, and how a move word is read.
//!
//! A move word has the number of its template in its upper bits, and arguments below: the choices made on the walk, and
//! values that the label shows. No two words of one state have the same label: lanes with the same label are subtracted
//! from each other, others are proved to differ.

use super::implied_tags::Between;
use super::lane::{Lane, Origin, Part, PathId, Store, Val};
use super::sets::{Map, Set};
use super::signs::Sign;
use super::tails::Rest;
use super::{Failure, Lifter};
use passes::analysis::classes::Class;
use rg_ir::ids::Id;
use rg_ir::{EdgeId, NodeId, Symbol, VarId};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use std::sync::Arc;
use wir::{Inst, Reg};

/// Where the number of the template is in a move word.
pub const TEMPLATE_SHIFT: u32 = 54;
/// Where the number of a part of a label is above a move word for functions that read labels, in decisions of few kinds of moves.
pub const PART_SHIFT: u32 = 59;
/// Most templates at one node.
const MAX_TEMPLATES: usize = 1000;

/// A part of a move's label.
#[derive(Clone, Debug)]
pub enum Tag {
    /// Always this symbol.
    Symbol(Symbol),
    /// The symbol that belongs to the value of an argument.
    Argument(usize, Vec<Symbol>),
    /// What two symbols tell: that of the part behind it, and that of the part before it, or one that is not shown.
    Between(Option<Box<Tag>>, Arc<Between>),
}

/// An argument in a move word.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    pub shift: u32,
    pub bits: u32,
}

impl Argument {
    /// Its value in a word.
    pub fn of(self, word: u64) -> usize {
        (word >> self.shift & ((1 << self.bits) - 1)) as usize
    }
}

/// How to read the words of a kind of moves.
#[derive(Clone, Default, Debug)]
pub struct MoveFormat {
    /// The arguments, in order from the lowest bits.
    pub arguments: Vec<Argument>,
    /// What the words say of the label: how it begins; see [`super::Decision::label`].
    pub tags: Vec<Tag>,
}

/// A kind of moves.
#[derive(Clone, Debug)]
pub(super) struct Template {
    pub(super) format: MoveFormat,
    /// The walk, to be repeated by making the move.
    pub(super) path: PathId,
    /// The edge that ends it.
    pub(super) edge: EdgeId,
    /// Choices and the arguments that hold them.
    pub(super) choices: Vec<(super::lane::GenId, usize)>,
    /// What arguments can be, a bit for each number, where that is known.
    pub(super) possible: Vec<Option<Rc<[u64]>>>,
    /// What holds in a state in which the move is legal.
    pub(super) facts: Vec<(VarId, Place, u32)>,
    /// What can be known of the label, to tell it from others.
    pub(super) sign: Sign,
}

impl Template {
    /// How words of this kind are read.
    pub(super) fn into_format(mut self) -> MoveFormat {
        if matches!(self.sign.rest, Rest::LastOf { .. }) {
            self.format.tags.clear();
        }
        self.format
    }
}

/// An index in terms of arguments.
#[derive(Clone, Debug)]
pub(super) enum Place {
    Const(u32),
    Argument(usize),
    Mapped(usize, Map),
}

/// Moves that were emitted in a block that is still open.
pub(super) struct Emitted {
    pub(super) depth: usize,
    label: Vec<Part>,
    set: Set,
    vars: Vec<Store>,
    /// See [`Lane::deferred_at`].
    deferred_at: PathId,
    edge: EdgeId,
    template: usize,
}

/// A template whose words are being put together.
struct Packer {
    template: Template,
    /// The registers of its arguments.
    registers: Vec<Reg>,
    /// The word so far, and the bits that are taken.
    word: Reg,
    shift: u32,
}

impl Lifter<'_> {
    /// Emits the moves of a lane whose walks have just taken the last edge.
    pub(super) fn emit(&mut self, lane: &Lane, edge: EdgeId) -> Result<(), Failure> {
        let target = self.game.automaton.edge(edge).target;
        let mut lane = lane.clone();
        self.bury(&mut lane, target);
        let lane = self.without_hidden_choice(lane)?;
        let set = self.moves_of(&lane, target)?;
        if self.function.templates.len() == MAX_TEMPLATES {
            return Err(Failure::new("there are too many kinds of moves"));
        }
        let sign = Sign { rest: self.rest_of(edge), ..self.sign(&lane, &set) };
        if sign.rest != Rest::None && self.function.style.overlaps {
            return Err(Failure::new("words do not have the labels by which moves differ"));
        }
        let set = self.minus_emitted(&lane, edge, set);
        let set = self.minus_same_labels(&lane, target, &sign, set)?;
        if self.function.builder.is_empty(&set) {
            return Ok(());
        }
        self.put_out(&lane, edge, set, sign)
    }

    /// The lane with its choice made, if the label shows nothing of it: all choices are one move, which must lead to one state.
    fn without_hidden_choice(&mut self, lane: Lane) -> Result<Lane, Failure> {
        let one_state = lane.dependants().is_empty() && !lane.waits_for_choice();
        let Some(generator) = &lane.generator else { return Ok(lane) };
        if lane.labelled() || self.function.style.overlaps && !one_state {
            return Ok(lane);
        }
        if !one_state {
            let several = self.several(&generator.set);
            self.function.builder.exit_if(several);
        }
        let guard = self.is_any(&generator.set);
        let element = self.function.builder.lowest(&generator.set);
        let mut lane = self.fixed(&lane, element).map_err(|_| Failure::new("a move has no form"))?;
        lane.guard = guard;
        // The label need not show this choice.
        if let Some(chosen) = lane.chosen.last_mut() {
            self.function.free.insert(chosen.0);
        }
        Ok(lane)
    }

    /// The choices of a lane that are moves; an error if its label does not tell them apart.
    fn moves_of(&mut self, lane: &Lane, target: NodeId) -> Result<Set, Failure> {
        let in_label =
            |element: Reg| lane.label.iter().any(|part| *part == Part::Value(Val::Reg(element), self.class_in(part)));
        let chosen = lane.chosen.iter().copied();
        let hidden: Vec<_> =
            chosen.filter(|&(id, element)| !self.function.free.contains(&id) && !in_label(element)).collect();
        let overlaps = self.function.style.overlaps;
        if let Some(&(id, _)) = hidden.first()
            && !overlaps
            && !self.label_determines(lane, &hidden)
        {
            return Err(Failure::hidden_choice(id));
        }
        let Some(generator) = &lane.generator else { return Ok([lane.guard].into()) };
        let shown = lane.label.iter().any(|part| match part {
            Part::Value(Val::Gen(map), class) => self.is_injective(map, *class, &generator.set),
            _ => false,
        });
        if !shown && !overlaps {
            let failure = Failure::same_label("the label does not tell choices apart");
            return Err(failure.at(self.game.node_name(target)));
        }
        Ok(generator.set.clone())
    }

    /// Those of some moves that were not emitted yet with the same label. If they lead to another state, that is a side exit.
    fn minus_emitted(&mut self, lane: &Lane, edge: EdgeId, mut set: Set) -> Set {
        for at in 0..self.function.emitted.len() {
            let Some(earlier) = self.function.emitted.get(at).filter(|earlier| earlier.label == lane.label) else {
                continue;
            };
            let same = lane.holds_the_same(&earlier.vars)
                && earlier.deferred_at == lane.deferred_at.0
                && self.led_to(earlier.edge) == self.led_to(edge);
            let old = earlier.set.clone();
            if !same {
                let both = self.function.builder.both(&set, &old);
                let any = self.is_any(&both);
                self.function.builder.exit_if(any);
            }
            set = self.function.builder.minus(&set, &old);
        }
        set
    }

    /// Those of some moves that cannot have the label of one of another kind. If one of the others is legal, that is a side exit.
    fn minus_same_labels(&mut self, lane: &Lane, target: NodeId, sign: &Sign, set: Set) -> Result<Set, Failure> {
        let (mut same, mut others) = (FxHashSet::default(), Vec::new());
        let emitted = self.function.emitted.iter();
        let subtracted: FxHashSet<usize> =
            emitted.filter(|earlier| earlier.label == lane.label).map(|earlier| earlier.template).collect();
        for (at, other) in self.function.templates.iter().enumerate() {
            if subtracted.contains(&at) || self.function.style.overlaps {
                continue;
            }
            let labels = self.same_labels(sign, &other.sign);
            let is_partial = sign.rest != Rest::None && !labels.is_empty();
            let emitted = || self.function.emitted.iter().find(|earlier| earlier.template == at);
            match is_partial.then(emitted).flatten() {
                // Most of a label is not in the words: the kinds are expected not to be legal in one state.
                Some(earlier) => others.push(earlier.set.clone()),
                None => same.extend(labels),
            }
        }
        for other in others {
            let (one, other) = (self.is_any(&set), self.is_any(&other));
            let both = self.function.builder.and(one, other);
            self.function.builder.exit_if(both);
        }
        if same.is_empty() {
            return Ok(set);
        }
        if lane.generator.is_none() || same.len() == sign.labels.len() {
            let failure = Failure::same_label("two kinds of moves may have the same label");
            return Err(failure.at(self.game.node_name(target)));
        }
        // Only some choices, which are perhaps never possible, may have the label of another move.
        let same = self.function.builder.constant_set(set.len(), same);
        let both = self.function.builder.both(&set, &same);
        let any = self.is_any(&both);
        self.function.builder.exit_if(any);
        Ok(self.function.builder.minus(&set, &same))
    }

    /// What is not in the words of moves that end with an edge.
    fn rest_of(&self, edge: EdgeId) -> Rest {
        self.known.tails.and_then(|tails| tails.rest.get(&edge)).cloned().unwrap_or_default()
    }

    fn class_in(&self, part: &Part) -> usize {
        match part {
            Part::Value(_, class) => *class,
            Part::Symbol(_) => 0,
        }
    }

    /// Whether a map has different values for all elements that a set may have.
    fn is_injective(&self, map: &Map, class: usize, set: &Set) -> bool {
        let mut seen = FxHashSet::default();
        let size = self.known.numbers.size(class) as u32;
        let possible: Vec<u64> = set.iter().map(|&word| self.function.builder.possible_bits(word)).collect();
        let may = |x: usize| possible.get(x / 64).is_some_and(|word| word >> (x % 64) & 1 == 1);
        // Beyond the values of the class nothing is ever chosen.
        map.iter().enumerate().filter(|&(x, &y)| may(x) && y < size).all(|(_, y)| seen.insert(*y))
    }

    /// Appends a template and the instruction that emits its moves.
    fn put_out(&mut self, lane: &Lane, edge: EdgeId, set: Set, sign: Sign) -> Result<(), Failure> {
        let number = self.function.templates.len();
        let (format, path) = (MoveFormat::default(), lane.path);
        let (choices, possible, facts) = (Vec::new(), Vec::new(), Vec::new());
        let template = Template { format, path, edge, choices, possible, facts, sign };
        let word = self.function.builder.constant((number as u64) << TEMPLATE_SHIFT);
        let mut packer = Packer { template, registers: Vec::new(), word, shift: 0 };
        for &(id, element) in &lane.chosen {
            let size = self.function.elements.get(id as usize).map_or(64, |words| 64 * words.len());
            let at = self.argument(&mut packer, element, size);
            packer.template.choices.push((id, at));
        }
        self.put_tags(lane, &mut packer)?;
        let Packer { mut template, registers, word, shift } = packer;
        let at = template.format.arguments.len();
        let bits = lane.generator.as_ref().map_or(0, |_| Self::bits(set.len() * 64));
        if shift + bits > TEMPLATE_SHIFT {
            return Err(Failure::new("a move does not fit a word"));
        }
        if let Some(generator) = &lane.generator {
            template.format.arguments.push(Argument { shift, bits });
            template.possible.push(Some(set.iter().map(|&word| self.function.builder.possible_bits(word)).collect()));
            template.choices.push((generator.id, at));
            self.emit_set(&set, word, shift);
        } else {
            self.emit_one(&set, word);
        }
        for Origin { var, index, values } in lane.origins.iter().filter(|origin| origin.values.count_ones() == 1) {
            let place = match index {
                Val::Const(index) => Some(Place::Const(*index)),
                Val::Reg(reg) => registers.iter().position(|other| other == reg).map(Place::Argument),
                Val::Gen(map) => lane.generator.is_some().then(|| Place::Mapped(at, map.clone())),
            };
            template.facts.extend(place.map(|place| (*var, place, values.trailing_zeros())));
        }
        self.function.templates.push(template);
        let depth = self.function.builder.depth();
        let (label, vars, deferred_at) = (lane.label.clone(), lane.vars.clone(), lane.deferred_at.0);
        self.function.emitted.push(Emitted { depth, label, set, vars, deferred_at, edge, template: number });
        Ok(())
    }

    /// The number of the argument of a word that has the value of a register, which is below `size`.
    fn argument(&mut self, packer: &mut Packer, reg: Reg, size: usize) -> usize {
        if let Some(at) = packer.registers.iter().position(|&other| other == reg) {
            return at;
        }
        packer.registers.push(reg);
        let (shift, bits) = (packer.shift, Self::bits(size));
        packer.template.format.arguments.push(Argument { shift, bits });
        packer.template.possible.push(self.numbers_of(reg));
        packer.word = self.packed(packer.word, reg, shift);
        packer.shift += bits;
        packer.registers.len() - 1
    }

    /// Puts the tags of a lane's label into the format of its moves, and the values that they show into their words.
    fn put_tags(&mut self, lane: &Lane, packer: &mut Packer) -> Result<(), Failure> {
        /// The argument that a generator's choice becomes, behind all others.
        const LAST: usize = usize::MAX;
        let mut tags = Vec::with_capacity(lane.label.len());
        for part in &lane.label {
            tags.push(match part {
                Part::Symbol(symbol) => Tag::Symbol(*symbol),
                Part::Value(Val::Const(value), class) => {
                    match self.known.numbers.members(*class).get(*value as usize) {
                        Some(&symbol) => Tag::Symbol(symbol),
                        None => return Err(Failure::new("a tag has no symbol")),
                    }
                }
                Part::Value(Val::Reg(reg), class) => {
                    let at = self.argument(packer, *reg, self.known.numbers.size(*class));
                    Tag::Argument(at, self.known.numbers.members(*class).to_vec())
                }
                Part::Value(Val::Gen(map), class) => {
                    let members = self.known.numbers.members(*class);
                    let fallback = members.first().copied();
                    let symbols = map.iter().map(|&y| members.get(y as usize).copied().or(fallback));
                    let symbols: Option<Vec<Symbol>> = symbols.collect();
                    Tag::Argument(LAST, symbols.ok_or_else(|| Failure::new("a tag has no symbol"))?)
                }
            });
        }
        let before = match self.value_before(lane)? {
            Some((Val::Reg(reg), class)) => {
                let at = self.argument(packer, reg, self.known.numbers.size(class));
                Some(Tag::Argument(at, self.known.numbers.members(class).to_vec()))
            }
            Some((Val::Const(value), class)) => {
                self.known.numbers.members(class).get(value as usize).map(|&symbol| Tag::Symbol(symbol))
            }
            Some((Val::Gen(_), _)) | None => None,
        };
        let arguments = packer.template.format.arguments.len();
        for tag in &mut tags {
            if let Tag::Argument(argument, _) = tag
                && *argument == LAST
            {
                *argument = arguments;
            }
        }
        packer.template.format.tags = self.complete(lane, tags, before);
        Ok(())
    }

    /// Emits a move for each element of a set, which is in its word from a bit on.
    fn emit_set(&mut self, set: &Set, word: Reg, shift: u32) {
        for (i, &set) in set.iter().enumerate() {
            if self.function.builder.constant_of(set) == Some(0) {
                continue;
            }
            let offset = self.function.builder.constant((i as u64 * 64) << shift);
            let base = self.function.builder.or(word, offset);
            self.function.builder.push(Inst::EmitSet { base, set, shift });
        }
    }

    /// Emits one move if the first word of a set holds.
    fn emit_one(&mut self, set: &Set, word: Reg) {
        let guard = set.first().copied().unwrap_or(word);
        if self.function.builder.constant_of(guard) == Some(1) {
            self.function.builder.push(Inst::Emit { base: word });
        } else {
            self.function.builder.push(Inst::EmitSet { base: word, set: guard, shift: 0 });
        }
    }

    /// The tags of a label, with what values tell of the tags between them; `before` is the tag of the value before the move
    /// that tells of the first ones.
    fn complete(&self, lane: &Lane, tags: Vec<Tag>, mut before: Option<Tag>) -> Vec<Tag> {
        let Some(implied) = self.known.implied_tags else { return tags };
        let mut complete: Vec<Tag> = Vec::with_capacity(tags.len());
        let (mut start, mut symbols, mut first) = (0, Vec::new(), true);
        for (part, tag) in lane.label.iter().zip(tags) {
            let Part::Value(..) = part else {
                if let Part::Symbol(symbol) = part {
                    symbols.push(*symbol);
                }
                complete.push(tag);
                continue;
            };
            let between = match (first, &implied.begins) {
                (false, _) => implied.between.get(&symbols),
                (true, Some((_, begins))) => begins.get(&symbols),
                (true, None) => None,
            };
            if let Some(between) = between {
                complete.truncate(start);
                complete.push(Tag::Between(before.take().filter(|_| first).map(Box::new), between.clone()));
            }
            complete.push(tag);
            (start, first) = (complete.len(), false);
            symbols.clear();
        }
        complete
    }

    /// The value before the move that tells of the first tags of a label, if one does.
    fn value_before(&self, lane: &Lane) -> Result<Option<(Val, Class)>, Failure> {
        let Some((var, begins)) = self.known.implied_tags.and_then(|implied| implied.begins.as_ref()) else {
            return Ok(None);
        };
        let symbols = lane.label.iter().map_while(|part| match part {
            Part::Symbol(symbol) => Some(*symbol),
            Part::Value(..) => None,
        });
        let symbols: Vec<Symbol> = symbols.collect();
        if symbols.len() == lane.label.len() || !begins.contains_key(&symbols) {
            return Ok(None);
        }
        let class = self.known.numbers.vars.get(*var).and_then(|form| form.as_ref().ok()).map(|form| form.class);
        match (self.function.before.get(var.index()), class) {
            (Some(Store::Scalar(value)), Some(class)) => Ok(Some((value.clone(), class))),
            _ => Err(Failure::new("a tag has no value")),
        }
    }
}
