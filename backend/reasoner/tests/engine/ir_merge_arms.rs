//! Cases of choices that differ in numbers and tables only: they become one, and what a program does stays.

#![allow(clippy::panic, reason = "the helpers fail with what they compared")]

use crate::compared::compare;
use backend::Rng;
use wir::{Program, parse};
use wir_opt::optimise;

fn parsed(text: &str) -> Program {
    parse(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

/// Simplifies a program, which keeps what it does; the text of it.
fn simplified(text: &str, rng: &mut Rng) -> String {
    let program = parsed(text);
    let mut simpler = program.clone();
    optimise(&mut simpler);
    assert!(compare(&program, &simpler, rng) > 0, "{text}");
    simpler.to_string()
}

/// An operation of all cases: registers are known by their place among those there are.
#[derive(Clone, Copy)]
enum Step {
    Op(&'static str, usize, usize),
    With(&'static str, usize),
    By(&'static str, usize),
    Table(usize),
    Bail(usize),
    Inner(usize, usize, usize),
}

/// Steps of a case that all cases share; there are so many registers before them.
fn steps(rng: &mut Rng, before: usize) -> Vec<Step> {
    const OPS: [&str; 8] = ["and", "or", "xor", "andnot", "add", "sub", "eq", "less"];
    let mut known = before;
    let count = 4 + rng.below(8) as usize;
    let mut steps = Vec::new();
    for _ in 0..count {
        let op = OPS[rng.below(OPS.len() as u32) as usize];
        let mut any = || rng.below(known as u32) as usize;
        let (a, b, c) = (any(), any(), any());
        let step = match rng.below(9) {
            0..=2 => Step::Op(op, a, b),
            3 | 4 => Step::With(op, a),
            5 => Step::By(["shl", "shr"][a % 2], b),
            6 => Step::Table(a),
            7 => Step::Inner(a, b, c),
            _ => Step::Bail(a),
        };
        known += usize::from(!matches!(step, Step::Bail(_)));
        steps.push(step);
    }
    steps
}

/// A number that is often the same.
fn number(rng: &mut Rng) -> u64 {
    match rng.below(4) {
        0 => 1,
        1 => u64::from(rng.below(64)),
        2 => 1 << rng.below(64),
        _ => rng.next_u64(),
    }
}

/// A function of some cases, of which each does one of `kinds`, with other numbers and other tables of four.
fn program(rng: &mut Rng, kinds: &[Vec<Step>], cases: usize) -> String {
    let mut text = "state 2 ".to_owned();
    for length in [2, 4, 8, 8] {
        let entries: Vec<String> = (0..length).map(|_| number(rng).to_string()).collect();
        text += &format!("table [{}] ", entries.join(", "));
    }
    text += "fn f(r0) { r1 = load 0  r2 = load 1  r3 = 15  r4 = and r0, r3  switch r4 -> (r5, r6) {";
    let mut next = 7;
    for case in 0..cases {
        let mut known = vec![0, 1, 2];
        text += "\ncase {";
        for &step in &kinds[case % kinds.len()] {
            let mut fresh = || {
                next += 1;
                next - 1
            };
            match step {
                Step::Op(op, a, b) => {
                    let to = fresh();
                    text += &format!("r{to} = {op} r{}, r{}  ", known[a], known[b]);
                    known.push(to);
                }
                Step::With(op, a) => {
                    let (constant, to) = (fresh(), fresh());
                    text += &format!("r{constant} = {}  r{to} = {op} r{}, r{constant}  ", number(rng), known[a]);
                    known.push(to);
                }
                Step::By(op, a) => {
                    let to = fresh();
                    text += &format!("r{to} = {op} r{}, {}  ", known[a], 1 + rng.below(63));
                    known.push(to);
                }
                Step::Table(a) => {
                    let to = fresh();
                    text += &format!("r{to} = table {}, r{}  ", rng.below(4), known[a]);
                    known.push(to);
                }
                Step::Bail(a) => {
                    let (constant, cond) = (fresh(), fresh());
                    text += &format!(
                        "r{constant} = {}  r{cond} = eq r{}, r{constant}  side_exit r{cond}  ",
                        number(rng),
                        known[a]
                    );
                }
                Step::Inner(a, b, c) => {
                    let (one, other, to) = (fresh(), fresh(), fresh());
                    let (a, b, c) = (known[a], known[b], known[c]);
                    text += &format!("if r{a} -> (r{to}) {{ r{one} = add r{b}, r{c}  yield r{one} }} ");
                    text += &format!("else {{ r{other} = {}  yield r{other} }}  ", number(rng));
                    known.push(to);
                }
            }
        }
        let (last, before) = (known[known.len() - 1], known[known.len() - 2]);
        text += &format!("yield r{last}, r{before} }}");
    }
    text + "}\nstore 0, r6  r7 = xor r5, r2  yield r7 }".replace("r7", &format!("r{next}")).as_str()
}

#[test]
fn cases_that_differ_in_numbers_do_the_same_as_one() {
    let mut rng = Rng::new(3);
    let mut gone = 0;
    for round in 0..600_usize {
        let kinds: Vec<Vec<Step>> = (0..1 + round % 3).map(|_| steps(&mut rng, 3)).collect();
        let cases = 2 + rng.below(10) as usize;
        let text = program(&mut rng, &kinds, cases);
        let simpler = simplified(&text, &mut rng);
        gone += usize::from(kinds.len() == 1 && cases > 2 && !simpler.contains("switch"));
    }
    // Where numbers are simpler in one case than in others, cases stay.
    assert!(gone > 60, "{gone}");
}

#[test]
fn a_table_has_the_numbers_of_all_cases() {
    let mut rng = Rng::new(4);
    let text = "state 1 table [1, 2, 4, 8] table [8, 4, 2, 1] table [7, 6, 5, 4] fn f(r0) {
        r1 = load 0  r2 = 3  r3 = shr r0, 62
        switch r3 -> (r4) {
            case { r5 = and r0, r2  r6 = table 0, r5  r7 = 10  r8 = add r6, r7  r9 = mul r8, r1  yield r9 }
            case { r10 = and r0, r2  r11 = table 1, r10  r12 = 20  r13 = add r11, r12  r14 = mul r13, r1  yield r14 }
            case { r15 = and r0, r2  r16 = table 2, r15  r17 = 30  r18 = add r16, r17  r19 = mul r18, r1  yield r19 }
        }
        yield r4 }";
    let simpler = simplified(text, &mut rng);
    assert!(!simpler.contains("switch"), "{simpler}");
    // One for the tables, one for the numbers.
    assert_eq!(simpler.matches(" = table ").count(), 2, "{simpler}");
}

#[test]
fn cases_of_two_kinds_are_two() {
    let mut rng = Rng::new(5);
    let mut text = "state 1 fn f(r0) { r1 = load 0  r2 = 7  r3 = and r0, r2  switch r3 -> (r4) {".to_owned();
    for case in 0..8 {
        let [number, a, b, c] = [5, 6, 7, 8].map(|register| 4 * case + register);
        let op = if case % 3 == 0 { "add" } else { "xor" };
        text += &format!("case {{ r{number} = {}  r{a} = mul r1, r{number}  ", 3 + 2 * case);
        text += &format!("r{b} = {op} r{a}, r0  r{c} = mul r{b}, r{b}  yield r{c} }} ");
    }
    text += "} yield r4 }";
    let simpler = simplified(&text, &mut rng);
    // A choice of two, both with the numbers from a table.
    assert!(simpler.matches("case").count() <= 2 && simpler.matches("mul").count() <= 4, "{simpler}");
}

#[test]
fn truth_values_and_their_opposites_are_one_table() {
    let mut rng = Rng::new(6);
    let text = "state 1 table [1, 0, 1, 1, 0, 0, 1, 0] table [0, 1, 0, 0, 1, 1, 0, 1] fn f(r0) {
        r1 = load 0  r2 = table 0, r0  r3 = table 1, r0  r4 = 0  r5 = ne r1, r4  r6 = eq r1, r4
        r7 = and r2, r5  r8 = and r2, r6  r9 = or r3, r8  r10 = or r7, r9  r11 = eq r10, r4  side_exit r11  yield r9 }";
    let simpler = simplified(text, &mut rng);
    assert!(!simpler.contains("side_exit"), "{simpler}");
}
