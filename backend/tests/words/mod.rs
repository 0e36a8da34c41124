//! Random programs in words, and a plain evaluator for programs: what other engines are compared with.

use backend::Rng;
use backend::exec::Run;
use backend::ir::{Block, Function, Inst, Op, Program, Reg, Table};

/// Why an evaluation has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    Bailed,
    /// It takes too long; nothing is known.
    Endless,
}

/// An evaluation under way. Stores go to `state` at once.
pub(crate) struct Evaluator<'a> {
    pub(crate) program: &'a Program,
    pub(crate) state: Vec<u64>,
    pub(crate) runs: Vec<Run>,
    registers: Vec<u64>,
    steps: u32,
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(program: &'a Program, state: &[u64]) -> Self {
        Self { program, state: state.to_vec(), runs: Vec::new(), registers: Vec::new(), steps: 0 }
    }

    pub(crate) fn run(&mut self, function: &Function, arguments: &[u64]) -> Result<Vec<u64>, Stop> {
        self.registers = vec![0; function.registers as usize];
        self.registers[..arguments.len()].copy_from_slice(arguments);
        self.block(&function.body)
    }

    pub(crate) fn moves(&self) -> Vec<u64> {
        let bits = |run: &Run| {
            let run = *run;
            (0..64).filter(move |i| run.set >> i & 1 != 0).map(move |i| run.base.wrapping_add(i << run.shift))
        };
        self.runs.iter().flat_map(bits).collect()
    }

    fn get(&self, register: Reg) -> u64 {
        self.registers[register as usize]
    }

    fn set(&mut self, to: &[Reg], values: &[u64]) {
        assert_eq!(to.len(), values.len());
        for (&to, &value) in to.iter().zip(values) {
            self.registers[to as usize] = value;
        }
    }

    fn block(&mut self, block: &Block) -> Result<Vec<u64>, Stop> {
        for inst in &block.insts {
            self.steps += 1;
            if self.steps > 100_000 {
                return Err(Stop::Endless);
            }
            match inst {
                Inst::Let { to, op } => {
                    let value = self.op(*op);
                    self.set(&[*to], &[value]);
                }
                Inst::Store { word, value } => self.state[*word as usize] = self.get(*value),
                Inst::If { cond, then, other, to } => {
                    let values = self.block(if self.get(*cond) != 0 { then } else { other })?;
                    self.set(to, &values);
                }
                Inst::Switch { on, cases, to } => {
                    let case = self.get(*on).min(cases.len() as u64 - 1);
                    let values = self.block(&cases[case as usize])?;
                    self.set(to, &values);
                }
                Inst::Each { set, item, carried, body, to } => {
                    let mut values: Vec<u64> = carried.iter().map(|&(_, first)| self.get(first)).collect();
                    let set = self.get(*set);
                    for position in (0..64).filter(|position| set >> position & 1 != 0) {
                        self.set(&[*item], &[position]);
                        carried.iter().zip(&values).for_each(|(&(to, _), &value)| self.registers[to as usize] = value);
                        values = self.block(body)?;
                    }
                    self.set(to, &values);
                }
                Inst::Loop { carried, body, to } => {
                    let mut values: Vec<u64> = carried.iter().map(|&(_, first)| self.get(first)).collect();
                    loop {
                        carried.iter().zip(&values).for_each(|(&(to, _), &value)| self.registers[to as usize] = value);
                        values = self.block(body)?;
                        if values.remove(0) == 0 {
                            break;
                        }
                    }
                    self.set(to, &values);
                }
                Inst::Emit { base } => self.runs.push(Run { base: self.get(*base), set: 1, shift: 0 }),
                Inst::EmitSet { base, set, shift } => {
                    let run = Run { base: self.get(*base), set: self.get(*set), shift: u64::from(*shift) };
                    self.runs.extend(Some(run).filter(|run| run.set != 0));
                }
                Inst::Bail { cond } => {
                    if self.get(*cond) != 0 {
                        return Err(Stop::Bailed);
                    }
                }
            }
        }
        Ok(block.yields.iter().map(|&register| self.get(register)).collect())
    }

    fn op(&self, op: Op) -> u64 {
        let get = |register| self.get(register);
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
            Op::Select(cond, a, b) => get(if get(cond) != 0 { a } else { b }),
            Op::Count(a) => u64::from(get(a).count_ones()),
            Op::Lowest(a) => u64::from(get(a).trailing_zeros()),
            Op::Highest(a) => get(a).checked_ilog2().map_or(64, u64::from),
            Op::Load(word) => self.state[word as usize],
            Op::Table(table, index) => {
                let entries = &self.program.tables[table as usize].entries;
                entries[get(index) as usize % entries.len()]
            }
        }
    }
}

/// A word of one of the kinds that matter.
pub(crate) fn word(rng: &mut Rng) -> u64 {
    let mut half = || u64::from(rng.below(u32::MAX));
    let (a, b, c) = (half() << 32 | half(), half() << 32 | half(), half() << 32 | half());
    match rng.below(8) {
        0 => 0,
        1 => u64::MAX,
        2 => 1,
        3 => u64::from(rng.below(70)),
        4 => 1 << rng.below(64),
        5 => a & b & c,
        _ => a,
    }
}

/// A random program: functions that emit, and functions with an argument and a result.
pub(crate) fn program(rng: &mut Rng) -> Program {
    let state_words = 1 + rng.below(6);
    let tables = (0..1 + rng.below(4)).map(|_| {
        let bits = [8, 16, 32, 64][rng.below(4) as usize];
        let entries = (0..1 << rng.below(7)).map(|_| word(rng) >> (64 - bits)).collect();
        Table { entries }
    });
    let tables: Vec<Table> = tables.collect();
    let functions = (0..4).map(|number| {
        let calls = number % 2;
        let mut maker = Maker {
            rng,
            next: calls,
            known: (0..calls).collect(),
            left: 60,
            state_words,
            tables: tables.len() as u32,
            emits: calls == 0,
            stores: calls == 1 || number == 2,
            depth: 0,
        };
        let body = maker.block(calls as usize);
        Function { name: format!("f{number}"), params: calls, registers: maker.next, body }
    });
    let functions = functions.collect();
    Program { tables, functions, state_words }
}

struct Maker<'a> {
    rng: &'a mut Rng,
    next: Reg,
    /// Registers that may be read.
    known: Vec<Reg>,
    left: u32,
    state_words: u32,
    tables: u32,
    emits: bool,
    stores: bool,
    depth: u32,
}

impl Maker<'_> {
    fn fresh(&mut self) -> Reg {
        self.next += 1;
        self.next - 1
    }

    fn add(&mut self, insts: &mut Vec<Inst>, op: Op) -> Reg {
        let to = self.fresh();
        insts.push(Inst::Let { to, op });
        self.known.push(to);
        to
    }

    fn any(&mut self, insts: &mut Vec<Inst>) -> Reg {
        if self.known.is_empty() {
            let value = word(self.rng);
            return self.add(insts, Op::Const(value));
        }
        // Mostly what is new.
        let count = self.known.len() as u32;
        let back = if self.rng.below(3) > 0 { self.rng.below(count.min(6)) } else { self.rng.below(count) };
        self.known[(count - 1 - back) as usize]
    }

    fn block(&mut self, yields: usize) -> Block {
        let mut insts = Vec::new();
        self.fill(&mut insts);
        let yields = (0..yields).map(|_| self.any(&mut insts)).collect();
        Block { insts, yields }
    }

    /// A block inside, after which its registers are gone.
    fn inner(&mut self, yields: usize, params: &[Reg], counter: Option<Reg>) -> Block {
        let known = self.known.len();
        self.known.extend(params);
        self.depth += 1;
        let mut block = Block::default();
        self.fill(&mut block.insts);
        if let Some(counter) = counter {
            // At most a few rounds; whether one more is up to any word.
            let one = self.add(&mut block.insts, Op::Const(1));
            let rounds = u64::from(self.rng.below(4));
            let rounds = self.add(&mut block.insts, Op::Const(rounds));
            let next = self.add(&mut block.insts, Op::Add(counter, one));
            let more = self.add(&mut block.insts, Op::Less(counter, rounds));
            let (any, zero) = (self.any(&mut block.insts), self.add(&mut block.insts, Op::Const(0)));
            let on = self.add(&mut block.insts, Op::Select(more, any, zero));
            block.yields.extend([on, next]);
        }
        for _ in 0..yields {
            let any = self.any(&mut block.insts);
            block.yields.push(any);
        }
        self.depth -= 1;
        self.known.truncate(known);
        block
    }

    fn fill(&mut self, insts: &mut Vec<Inst>) {
        for _ in 0..1 + self.rng.below(12) {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            self.inst(insts);
        }
    }

    fn inst(&mut self, insts: &mut Vec<Inst>) {
        let (a, b) = (self.any(insts), self.any(insts));
        let results = self.rng.below(3) as usize;
        match self.rng.below(if self.depth < 4 { 26 } else { 18 }) {
            0 | 1 if self.stores => {
                let word = self.rng.below(self.state_words);
                insts.push(Inst::Store { word, value: a });
            }
            2 | 3 if self.emits => insts.push(Inst::Emit { base: a }),
            4 | 5 if self.emits => {
                let shift = self.rng.below(64);
                insts.push(Inst::EmitSet { base: a, set: b, shift });
            }
            6 => {
                // Seldom, or nothing else would happen.
                let small = word(self.rng) & word(self.rng);
                let small = self.add(insts, Op::Const(small));
                let cond = self.add(insts, Op::Less(a, small));
                if self.rng.below(2) == 0 {
                    insts.push(Inst::Bail { cond });
                }
            }
            18 | 19 => {
                let (then, other) = (self.inner(results, &[], None), self.inner(results, &[], None));
                let to = self.results(results);
                insts.push(Inst::If { cond: a, then, other, to });
            }
            20 | 21 => {
                let on = if self.rng.below(2) == 0 { a } else { self.add(insts, Op::Count(a)) };
                let cases = (0..1 + self.rng.below(5)).map(|_| self.inner(results, &[], None)).collect();
                let to = self.results(results);
                insts.push(Inst::Switch { on, cases, to });
            }
            22 | 23 => {
                let item = self.fresh();
                let carried: Vec<_> = (0..results).map(|_| (self.fresh(), self.any(insts))).collect();
                let params: Vec<Reg> = carried.iter().map(|&(param, _)| param).chain([item]).collect();
                let body = self.inner(results, &params, None);
                let to = self.results(results);
                insts.push(Inst::Each { set: b, item, carried, body, to });
            }
            24 | 25 => {
                let zero = self.add(insts, Op::Const(0));
                let counter = self.fresh();
                let mut carried = vec![(counter, zero)];
                carried.extend((0..results).map(|_| (self.fresh(), self.any(insts))).collect::<Vec<_>>());
                let params: Vec<Reg> = carried.iter().map(|&(param, _)| param).collect();
                let body = self.inner(results, &params, Some(counter));
                let to = self.results(results + 1);
                insts.push(Inst::Loop { carried, body, to });
            }
            _ => {
                let op = self.op(insts, a, b);
                self.add(insts, op);
            }
        }
    }

    fn results(&mut self, count: usize) -> Vec<Reg> {
        let to: Vec<Reg> = (0..count).map(|_| self.fresh()).collect();
        self.known.extend(&to);
        to
    }

    fn op(&mut self, insts: &mut Vec<Inst>, a: Reg, b: Reg) -> Op {
        let by = self.rng.below(64);
        match self.rng.below(22) {
            0 => Op::Const(word(self.rng)),
            1 => Op::Not(a),
            2 => Op::And(a, b),
            3 => Op::Or(a, b),
            4 => Op::Xor(a, b),
            5 => Op::AndNot(a, b),
            6 => Op::Shl(a, b),
            7 => Op::Shr(a, b),
            8 => Op::ShlBy(a, by),
            9 => Op::ShrBy(a, by),
            10 => Op::Add(a, b),
            11 => Op::Sub(a, b),
            12 => Op::Mul(a, b),
            13 => Op::Eq(a, b),
            14 => Op::Ne(a, b),
            15 => Op::Less(a, b),
            16 => Op::Select(a, b, self.any(insts)),
            17 => Op::Count(a),
            18 => Op::Lowest(a),
            19 => Op::Highest(a),
            20 => Op::Load(self.rng.below(self.state_words)),
            _ => Op::Table(self.rng.below(self.tables), a),
        }
    }
}
