//! Random reasoner programs and what they mean: a direct evaluator of the tree, to compare engines and passes with.

#![allow(dead_code, reason = "not every test uses everything")]

use backend::Rng;
use codegen::Run;
use wir::calls::{MAX_CALLED_ROUNDS, rounds};
use wir::profile::Profile;
use wir::{Block, Function, Inst, Op, Program, Reg, Table};

/// What a function did.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Outcome {
    /// It gave the case back; nothing else counts then.
    pub(crate) exited: bool,
    /// Emissions as sets, empty ones left out; single moves are sets of one at shift 0.
    pub(crate) runs: Vec<Run>,
    /// State afterwards.
    pub(crate) state: Vec<u64>,
    /// Results.
    pub(crate) results: Vec<u64>,
}

impl Outcome {
    /// The emitted moves one by one.
    pub(crate) fn moves(&self) -> Vec<u64> {
        let bits = |set: u64| (0..64).filter(move |bit| set >> bit & 1 == 1);
        let moves = |run: &Run| {
            let Run { base, set, shift } = *run;
            bits(set).map(move |bit: u64| base.wrapping_add(bit << shift))
        };
        self.runs.iter().flat_map(moves).collect()
    }
}

/// Runs a function; `None` if it takes more than `fuel` rounds of loops.
pub(crate) fn evaluate(
    program: &Program,
    function: &Function,
    state: &[u64],
    args: &[u64],
    fuel: u64,
) -> Option<Outcome> {
    let mut registers = vec![0; function.registers as usize];
    registers[..args.len()].copy_from_slice(args);
    let scratch = vec![0; program.scratch_words as usize];
    let mut run = Evaluation { program, registers, scratch, fuel, stopped: false, outcome: Outcome::default() };
    run.outcome.state = state.to_vec();
    run.block(&function.body);
    if run.stopped {
        return (run.fuel > 0).then(|| Outcome { exited: true, ..Outcome::default() });
    }
    run.outcome.results = function.body.yields.iter().map(|&r| run.registers[r as usize]).collect();
    Some(run.outcome)
}

struct Evaluation<'a> {
    program: &'a Program,
    registers: Vec<u64>,
    scratch: Vec<u64>,
    fuel: u64,
    stopped: bool,
    outcome: Outcome,
}

impl Evaluation<'_> {
    fn get(&self, register: Reg) -> u64 {
        self.registers[register as usize]
    }

    fn place(&self, at: Reg) -> usize {
        (self.get(at) % self.scratch.len() as u64) as usize
    }

    fn all(&self, registers: &[Reg]) -> Vec<u64> {
        registers.iter().map(|&r| self.get(r)).collect()
    }

    fn set_all(&mut self, to: impl IntoIterator<Item = Reg>, values: Vec<u64>) {
        for (register, value) in to.into_iter().zip(values) {
            self.registers[register as usize] = value;
        }
    }

    fn round(&mut self) {
        self.fuel = self.fuel.saturating_sub(1);
        self.stopped |= self.fuel == 0;
    }

    /// The values it yields.
    fn block(&mut self, block: &Block) -> Vec<u64> {
        for inst in &block.insts {
            self.inst(inst);
            if self.stopped {
                return vec![0; block.yields.len()];
            }
        }
        self.all(&block.yields)
    }

    fn inst(&mut self, inst: &Inst) {
        match inst {
            Inst::Let { to, op } => self.registers[*to as usize] = self.op(*op),
            Inst::Store { word, value } => self.outcome.state[*word as usize] = self.get(*value),
            Inst::Peek { to, at } => self.registers[*to as usize] = self.scratch[self.place(*at)],
            Inst::Poke { at, value } => {
                let at = self.place(*at);
                self.scratch[at] = self.get(*value);
            }
            Inst::If { cond, then, other, to } => {
                let values = self.block(if self.get(*cond) != 0 { then } else { other });
                self.set_all(to.iter().copied(), values);
            }
            Inst::Switch { on, cases, to } => {
                let case = usize::try_from(self.get(*on)).unwrap_or(usize::MAX).min(cases.len() - 1);
                let values = self.block(&cases[case]);
                self.set_all(to.iter().copied(), values);
            }
            Inst::Each { set, item, carried, body, to } => {
                let set = self.get(*set);
                let mut values = self.all(&carried.iter().map(|&(_, first)| first).collect::<Vec<_>>());
                for bit in (0..64).filter(|bit| set >> bit & 1 == 1) {
                    self.registers[*item as usize] = bit;
                    self.set_all(carried.iter().map(|&(param, _)| param), values);
                    values = self.block(body);
                    self.round();
                    if self.stopped {
                        return;
                    }
                }
                self.set_all(to.iter().copied(), values);
            }
            Inst::Loop { carried, body, to } => {
                let mut values = self.all(&carried.iter().map(|&(_, first)| first).collect::<Vec<_>>());
                loop {
                    self.set_all(carried.iter().map(|&(param, _)| param), values);
                    values = self.block(body);
                    self.round();
                    if self.stopped {
                        return;
                    }
                    if values.remove(0) == 0 {
                        break;
                    }
                }
                self.set_all(to.iter().copied(), values);
            }
            Inst::Call { function, args, to } => {
                let (callee, args) = (&self.program.functions[*function as usize], self.all(args));
                match evaluate(self.program, callee, &[], &args, self.fuel) {
                    Some(outcome) => self.registers[*to as usize] = outcome.results[0],
                    None => (self.fuel, self.stopped) = (0, true),
                }
            }
            Inst::Emit { base } => self.outcome.runs.push(Run { base: self.get(*base), set: 1, shift: 0 }),
            Inst::EmitSet { base, set, shift } => {
                let run = Run { base: self.get(*base), set: self.get(*set), shift: u64::from(*shift) };
                if run.set != 0 {
                    self.outcome.runs.push(run);
                }
            }
            Inst::SideExit { cond } => self.stopped |= self.get(*cond) != 0,
        }
    }

    fn op(&self, op: Op) -> u64 {
        let get = |r| self.get(r);
        let position = |zeros: u32, value: u64| if value == 0 { 64 } else { u64::from(zeros) };
        match op {
            Op::Const(value) => value,
            Op::Not(a) => !get(a),
            Op::And(a, b) => get(a) & get(b),
            Op::Or(a, b) => get(a) | get(b),
            Op::Xor(a, b) => get(a) ^ get(b),
            Op::AndNot(a, b) => get(a) & !get(b),
            Op::Shl(a, b) => get(a) << (get(b) % 64),
            Op::Shr(a, b) => get(a) >> (get(b) % 64),
            Op::ShlBy(a, by) => get(a) << by,
            Op::ShrBy(a, by) => get(a) >> by,
            Op::Add(a, b) => get(a).wrapping_add(get(b)),
            Op::Sub(a, b) => get(a).wrapping_sub(get(b)),
            Op::Mul(a, b) => get(a).wrapping_mul(get(b)),
            Op::Eq(a, b) => u64::from(get(a) == get(b)),
            Op::Ne(a, b) => u64::from(get(a) != get(b)),
            Op::Less(a, b) => u64::from(get(a) < get(b)),
            Op::Select(a, b, c) => {
                if get(a) != 0 {
                    get(b)
                } else {
                    get(c)
                }
            }
            Op::Count(a) => u64::from(get(a).count_ones()),
            Op::Lowest(a) => position(get(a).trailing_zeros(), get(a)),
            Op::Highest(a) => position(63 - get(a).leading_zeros().min(63), get(a)),
            Op::Load(word) => self.outcome.state[word as usize],
            Op::Table(table, index) => {
                let entries = &self.program.tables[table as usize].entries;
                entries[(get(index) % entries.len() as u64) as usize]
            }
            Op::Within(table, width, row, word) => {
                let (entries, step) =
                    (&self.program.tables[table as usize].entries, width.next_power_of_two() as usize);
                let from = (get(row) % (entries.len() / step) as u64) as usize * step;
                u64::from(entries[from..from + width as usize].iter().any(|entry| entry & !get(word) == 0))
            }
        }
    }
}

/// A random word: often a small number, a mask or a number with few bits.
pub(crate) fn word(rng: &mut Rng) -> u64 {
    let any = u64::from(rng.below(u32::MAX)) << 32 | u64::from(rng.below(u32::MAX));
    match rng.below(8) {
        0 => 0,
        1 => u64::MAX,
        2 | 3 => u64::from(rng.below(4)),
        4 => u64::from(rng.below(70)),
        5 => 0x0101_0101_0101_0101 << rng.below(8),
        6 => any & any.rotate_left(17) & any.rotate_left(33),
        _ => any,
    }
}

/// A random program with functions that are called, if their names say so, that list moves, and that change the state.
pub(crate) fn program(rng: &mut Rng, size: u32) -> Program {
    let state_words = [1, 2, 3, 8, 40][rng.below(5) as usize];
    let tables = (0..rng.below(3)).map(|_| 1 << rng.below(5)).collect::<Vec<usize>>();
    let tables = tables.into_iter().map(|len| Table { entries: (0..len).map(|_| word(rng)).collect() }).collect();
    let mut program = Program { tables, functions: Vec::new(), state_words, scratch_words: 0 };
    for index in 0..rng.below(3) {
        let function = pure(rng, &program, size.min(30), index);
        program.functions.push(function);
        if rounds(&program).last().is_none_or(|&rounds| rounds > MAX_CALLED_ROUNDS) {
            program.functions.pop();
        }
    }
    for index in 0..4 {
        let function = function(rng, &program, index % 2 == 0, size, index);
        program.functions.push(function);
    }
    program
}

/// A profile that fits a program, and says anything.
pub(crate) fn profile(program: &Program, seed: u64) -> Profile {
    let mut rng = Rng::new(seed);
    Profile::of(program, std::iter::repeat_with(|| [0, 1, 9, 1_000, u64::MAX][rng.below(5) as usize]))
}

/// Whether a function is there to be called by others.
pub(crate) fn is_called(function: &Function) -> bool {
    function.name.starts_with("check_")
}

/// A function that only computes.
fn pure(rng: &mut Rng, program: &Program, size: u32, index: u32) -> Function {
    let (tables, params) = (lengths(program), rng.below(9));
    let callees = callees(program);
    let visible = (0..params).collect();
    let mut maker = Maker {
        rng,
        tables,
        words: 0,
        callees,
        emits: false,
        stores: false,
        exits: 0,
        loops: false,
        next: params,
        visible,
        budget: size,
    };
    let body = maker.block(1, 0, &[]);
    Function { name: format!("check_{index}"), params, registers: maker.next, body }
}

/// The functions that can be called, with their numbers of parameters.
fn callees(program: &Program) -> Vec<(u32, u32)> {
    let numbered = (0..).zip(&program.functions);
    numbered.filter(|(_, f)| is_called(f)).map(|(number, f)| (number, f.params)).collect()
}

/// Numbers of entries of the tables.
fn lengths(program: &Program) -> Vec<usize> {
    program.tables.iter().map(|table| table.entries.len()).collect()
}

fn function(rng: &mut Rng, program: &Program, emits: bool, size: u32, index: u32) -> Function {
    let params = u32::from(!emits);
    let exits = [0, 0, 1, 8][rng.below(4) as usize];
    let (tables, words) = (lengths(program), program.state_words);
    let stores = !emits || rng.below(4) == 0;
    let visible = (0..params).collect();
    let callees = callees(program);
    let mut maker =
        Maker { rng, tables, words, callees, emits, stores, exits, loops: true, next: params, visible, budget: size };
    let body = maker.block(params as usize, 0, &[]);
    let name = if emits { format!("decide_{index}") } else { format!("apply {index}") };
    Function { name, params, registers: maker.next, body }
}

struct Maker<'r> {
    rng: &'r mut Rng,
    /// Numbers of entries.
    tables: Vec<usize>,
    words: u32,
    /// Functions to call, with their numbers of parameters.
    callees: Vec<(u32, u32)>,
    emits: bool,
    stores: bool,
    exits: u32,
    loops: bool,
    next: Reg,
    visible: Vec<Reg>,
    budget: u32,
}

impl Maker<'_> {
    fn fresh(&mut self) -> Reg {
        self.next += 1;
        self.next - 1
    }

    /// A register in scope, recent ones more often; there is always one.
    fn pick(&mut self) -> Reg {
        let count = self.visible.len() as u32;
        let back = if self.rng.below(2) == 0 { self.rng.below(count) } else { self.rng.below(count.min(4)) };
        self.visible[(count - 1 - back) as usize]
    }

    fn picks(&mut self, count: usize) -> Vec<Reg> {
        (0..count).map(|_| self.pick()).collect()
    }

    fn put(&mut self, insts: &mut Vec<Inst>, op: Op) -> Reg {
        let to = self.fresh();
        insts.push(Inst::Let { to, op });
        self.visible.push(to);
        to
    }

    fn block(&mut self, yields: usize, depth: u32, params: &[Reg]) -> Block {
        let mark = self.visible.len();
        self.visible.extend(params);
        let mut insts = Vec::new();
        if self.visible.is_empty() {
            let value = word(self.rng);
            self.put(&mut insts, Op::Const(value));
        }
        let wanted = if depth == 0 { self.budget } else { self.rng.below(7) };
        for _ in 0..wanted {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            self.inst(&mut insts, depth);
        }
        let yields = self.picks(yields);
        self.visible.truncate(mark);
        Block { insts, yields }
    }

    fn inst(&mut self, insts: &mut Vec<Inst>, depth: u32) {
        let nested = if depth < 4 { 6 } else { 0 };
        match self.rng.below(26 + nested) {
            0 | 1 if self.stores => {
                let word = self.rng.below(self.words);
                insts.push(Inst::Store { word, value: self.pick() });
            }
            2 if self.emits => insts.push(Inst::Emit { base: self.pick() }),
            3 | 4 if self.emits => {
                let (base, set) = (self.pick(), self.pick());
                insts.push(Inst::EmitSet { base, set, shift: self.rng.below(64) });
            }
            5 if self.rng.below(8) < self.exits => insts.push(Inst::SideExit { cond: self.pick() }),
            6 if !self.callees.is_empty() => {
                let (function, params) = self.callees[self.rng.below(self.callees.len() as u32) as usize];
                let (args, to) = (self.picks(params as usize), self.fresh());
                insts.push(Inst::Call { function, args, to });
                self.visible.push(to);
            }
            26 | 27 => {
                let (cond, results) = (self.pick(), self.rng.below(3) as usize);
                let then = self.block(results, depth + 1, &[]);
                let other = self.block(results, depth + 1, &[]);
                let to = self.results(results);
                insts.push(Inst::If { cond, then, other, to });
            }
            28 => {
                let (on, results) = (self.pick(), self.rng.below(3) as usize);
                let cases = (0..1 + self.rng.below(4)).map(|_| self.block(results, depth + 1, &[])).collect();
                let to = self.results(results);
                insts.push(Inst::Switch { on, cases, to });
            }
            29 | 30 => {
                let mut set = self.pick();
                if self.rng.below(3) > 0 {
                    let mask = 5 << self.rng.below(62);
                    let mask = self.put(insts, Op::Const(mask));
                    set = self.put(insts, Op::And(set, mask));
                }
                let (item, carried) = (self.fresh(), self.carried());
                let params: Vec<Reg> = [item].into_iter().chain(carried.iter().map(|&(param, _)| param)).collect();
                let body = self.block(carried.len(), depth + 1, &params);
                let to = self.results(carried.len());
                insts.push(Inst::Each { set, item, carried, body, to });
            }
            31 if self.loops => {
                let value = u64::from(self.rng.below(5));
                let first = self.put(insts, Op::Const(value));
                let one = self.put(insts, Op::Const(1));
                let (count, mut carried) = (self.fresh(), self.carried());
                let params: Vec<Reg> = [count].into_iter().chain(carried.iter().map(|&(param, _)| param)).collect();
                let mut body = self.block(carried.len(), depth + 1, &params);
                // A counter, so that most of them end.
                let next = self.fresh();
                body.insts.push(Inst::Let { to: next, op: Op::Sub(count, one) });
                let on = if self.rng.below(2) == 0 { self.fresh() } else { count };
                if on != count {
                    body.insts.push(Inst::Let { to: on, op: Op::Less(one, count) });
                }
                body.yields.splice(0..0, [on, next]);
                carried.insert(0, (count, first));
                let to = self.results(carried.len());
                insts.push(Inst::Loop { carried, body, to });
            }
            _ => {
                let op = self.op();
                self.put(insts, op);
            }
        }
    }

    fn carried(&mut self) -> Vec<(Reg, Reg)> {
        (0..self.rng.below(4)).map(|_| (self.fresh(), self.pick())).collect()
    }

    fn results(&mut self, count: usize) -> Vec<Reg> {
        let to: Vec<Reg> = (0..count).map(|_| self.fresh()).collect();
        self.visible.extend(&to);
        to
    }

    fn op(&mut self) -> Op {
        let (a, b, c) = (self.pick(), self.pick(), self.pick());
        match self.rng.below(27) {
            0..3 => Op::Const(word(self.rng)),
            3 => Op::Not(a),
            4 => Op::And(a, b),
            5 => Op::Or(a, b),
            6 => Op::Xor(a, b),
            7 => Op::AndNot(a, b),
            8 => Op::Shl(a, b),
            9 => Op::Shr(a, b),
            10 => Op::ShlBy(a, self.rng.below(64)),
            11 => Op::ShrBy(a, self.rng.below(64)),
            12 => Op::Add(a, b),
            13 => Op::Sub(a, b),
            14 => Op::Mul(a, b),
            15 => Op::Eq(a, b),
            16 => Op::Ne(a, b),
            17 => Op::Less(a, b),
            18 => Op::Select(a, b, c),
            19 => Op::Count(a),
            20 => Op::Lowest(a),
            21 => Op::Highest(a),
            22 if !self.tables.is_empty() => Op::Table(self.rng.below(self.tables.len() as u32), a),
            23 if !self.tables.is_empty() => {
                let table = self.rng.below(self.tables.len() as u32);
                Op::Within(table, 1 + self.rng.below(self.tables[table as usize] as u32), a, b)
            }
            _ if self.words == 0 => Op::Not(b),
            _ => Op::Load(self.rng.below(self.words)),
        }
    }
}
