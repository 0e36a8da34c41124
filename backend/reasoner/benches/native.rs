//! What a call of compiled code costs, and the compilation.
//!
//! `cargo bench -p backend --bench native`

use std::hint::black_box;
use std::time::Instant;

use backend::Rng;
use codegen::Executor;
use codegen::native::Native;
use wir::{Block, Function, Inst, Op, Program, Table};

/// A function under construction.
#[derive(Default)]
struct Maker {
    insts: Vec<Inst>,
    next: u32,
}

impl Maker {
    fn add(&mut self, op: Op) -> u32 {
        self.insts.push(Inst::Let { to: self.next, op });
        self.next += 1;
        self.next - 1
    }

    fn done(self, name: &str, params: u32, yields: Vec<u32>) -> Function {
        let body = Block { insts: self.insts, yields };
        Function { name: name.to_string(), params, registers: self.next, body }
    }
}

/// White's moves in breakthrough: forward to empty squares, and aslant to those that are not white.
fn decide() -> Function {
    let mut maker = Maker::default();
    let (white, black) = (maker.add(Op::Load(0)), maker.add(Op::Load(1)));
    let (left, right) = (maker.add(Op::Const(!0x0101_0101_0101_0101)), maker.add(Op::Const(!0x8080_8080_8080_8080)));
    let taken = maker.add(Op::Or(white, black));
    for (shape, (by, mask)) in [(8, None), (7, Some(left)), (9, Some(right))].into_iter().enumerate() {
        let from = mask.map_or(white, |mask| maker.add(Op::And(white, mask)));
        let to = maker.add(Op::ShlBy(from, by));
        let to = maker.add(Op::AndNot(to, if mask.is_some() { white } else { taken }));
        let from = maker.add(Op::ShrBy(to, by));
        let base = maker.add(Op::Const(shape as u64));
        maker.insts.push(Inst::EmitSet { base, set: from, shift: 4 });
    }
    maker.done("decide", 0, vec![])
}

/// Moves a piece.
fn apply() -> Function {
    let mut maker = Maker { next: 1, ..Maker::default() };
    let from = maker.add(Op::ShrBy(0, 4));
    let mask = maker.add(Op::Const(15));
    let shape = maker.add(Op::And(0, mask));
    let by = maker.add(Op::Table(0, shape));
    let one = maker.add(Op::Const(1));
    let bit = maker.add(Op::Shl(one, from));
    let to = maker.add(Op::Shl(bit, by));
    let (white, black) = (maker.add(Op::Load(0)), maker.add(Op::Load(1)));
    let without = maker.add(Op::AndNot(white, bit));
    let value = maker.add(Op::Or(without, to));
    maker.insts.push(Inst::Store { word: 0, value });
    let value = maker.add(Op::AndNot(black, to));
    maker.insts.push(Inst::Store { word: 1, value });
    maker.done("apply", 1, vec![one])
}

/// Calls for each state, many times; nanoseconds per call.
fn time(states: &[[u64; 2]], mut call: impl FnMut(&[u64; 2])) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let (start, rounds) = (Instant::now(), 2000);
        for _ in 0..rounds {
            states.iter().for_each(&mut call);
        }
        best = best.min(start.elapsed().as_nanos() as f64 / (rounds * states.len()) as f64);
    }
    best
}

fn calls(native: &Native) -> Result<(), codegen::SideExit> {
    let mut rng = Rng::new(1);
    let square = |rng: &mut Rng| 1 << rng.below(64);
    let states: Vec<[u64; 2]> = (0..256)
        .map(|_| {
            let white = (0..14).fold(0, |set, _| set | square(&mut rng));
            let black = (0..14).fold(0, |set, _| set | square(&mut rng)) & !white;
            [white, black]
        })
        .collect();
    let (mut moves, mut runs, mut total) = (Vec::new(), Vec::new(), 0);
    for state in &states {
        native.list(0, state, &mut moves)?;
        total += moves.len();
    }
    println!("{:.1} moves per position", total as f64 / states.len() as f64);
    let list = time(&states, |state| {
        let _ = black_box(native.list(0, state, &mut moves));
    });
    let count = time(&states, |state| {
        let _ = black_box(native.count(0, state));
    });
    let sets = time(&states, |state| {
        let _ = black_box(native.runs(0, state, &mut runs));
    });
    let call = time(&states, |state| {
        let _ = black_box(native.call(1, &mut state.clone(), black_box(0x81)));
    });
    println!("ns per call: list {list:.1}, count {count:.1}, runs {sets:.1}, call {call:.1}");
    Ok(())
}

/// A function of about so many instructions: lines of operations with branches and stores.
fn large(size: u32) -> Function {
    let mut maker = Maker { next: 1, ..Maker::default() };
    let mut last = 0;
    while maker.next + 10 < size {
        let a = maker.add(Op::Load(maker.next % 16));
        let b = maker.add(Op::Table(0, last));
        let c = maker.add(Op::Shl(a, b));
        let d = maker.add(Op::Add(c, last));
        let cond = maker.add(Op::Less(d, a));
        let inner = maker.next + 1;
        let then = Block { insts: vec![Inst::Let { to: inner, op: Op::Xor(d, last) }], yields: vec![inner] };
        let other = Block { insts: vec![Inst::Store { word: inner % 16, value: d }], yields: vec![a] };
        last = maker.next;
        maker.insts.push(Inst::If { cond, then, other, to: vec![last] });
        maker.next += 2;
    }
    maker.done("large", 1, vec![last])
}

fn main() -> Result<(), String> {
    let tables = vec![Table { entries: vec![8, 7, 9, 0] }];
    let start = Instant::now();
    let program = Program { tables, functions: vec![decide(), apply()], state_words: 2, scratch_words: 0 };
    let native = Native::new(&program)?;
    println!("checked in {:.2} ms", start.elapsed().as_secs_f64() * 1e3);
    native.compile_all()?;
    println!("compiled in {:.2} ms", start.elapsed().as_secs_f64() * 1e3);
    if std::env::args().any(|argument| argument == "--asm") {
        println!("{}\n{}", native.asm(0), native.asm(1));
    }
    calls(&native).map_err(|_| "it exited")?;
    for size in [100, 1000, 10_000, 100_000] {
        let functions = vec![large(size)];
        let start = Instant::now();
        let native =
            Native::new(&Program { tables: program.tables.clone(), functions, state_words: 16, scratch_words: 0 })?;
        let checked = start.elapsed();
        native.compile_all()?;
        let times = [checked, start.elapsed()].map(|time| time.as_secs_f64() * 1e3);
        println!("{size} instructions: checked in {:.1} ms, compiled in {:.1} ms", times[0], times[1]);
    }
    Ok(())
}
