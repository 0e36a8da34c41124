//! Questions about several tables at one index become one, and written-out walks become tables.

use crate::simplified as texts;

use backend::Rng;
use codegen::native::Native;
use codegen::{Executor, Vm};
use wir::{Program, parse};

/// A text of a table.
fn table(entries: &[u64]) -> String {
    let entries: Vec<String> = entries.iter().map(u64::to_string).collect();
    format!("table [{}]", entries.join(", "))
}

/// What a text is simplified to, which does the same on random states; also as machine code.
fn simplified(text: &str, rng: &mut Rng) -> Program {
    let (program, simpler) = texts::simplified(text, 10, rng);
    let (native, vm) = (Native::new(&simpler).unwrap(), Vm::new(&simpler).unwrap());
    for _ in 0..40 {
        let state: Vec<u64> = (0..program.state_words).map(|_| crate::ir::word(rng) | crate::ir::word(rng)).collect();
        let (mut ours, mut theirs, argument) = (state.clone(), state, crate::ir::word(rng));
        assert_eq!(native.call(0, &mut ours, argument), vm.call(0, &mut theirs, argument), "{simpler}");
        assert_eq!(ours, theirs, "{simpler}");
    }
    simpler
}

/// Random tables, words and other parts of a union: whatever is asked together says the same.
#[test]
fn random_questions_are_asked_together() {
    let (mut rng, mut fired) = (Rng::new(5), 0);
    for round in 0..150 {
        let count = 2 + rng.below(12);
        let mut text = "state 3 ".to_owned();
        for _ in 0..count {
            let length = 1 << rng.below(6);
            let entries: Vec<u64> = (0..length).map(|_| crate::ir::word(&mut rng)).collect();
            text += &table(&entries);
        }
        text += " fn f(r0) { r1 = 0  r2 = load 0  r3 = load 1  r4 = load 2 ";
        let mut parts = vec!["r2".to_owned()];
        for part in 0..count {
            // Mostly of one word at the argument.
            let (index, word) =
                (if rng.below(9) == 0 { "r4" } else { "r0" }, ["r2", "r3", "r3", "r3"][rng.below(4) as usize]);
            let at = 10 + 3 * part;
            let (entry, rest, truth) = (at, at + 1, at + 2);
            text += &format!(
                " r{entry} = table {part}, {index} r{rest} = andnot r{entry}, {word} r{truth} = eq r{rest}, r1"
            );
            parts.push(format!("r{truth}"));
        }
        let mut next = 10 + 3 * count;
        while parts.len() > 1 {
            let (a, b) = (parts.swap_remove(rng.below(parts.len() as u32) as usize), parts.pop().unwrap());
            text += &format!(" r{next} = or {a}, {b}");
            parts.push(format!("r{next}"));
            next += 1;
        }
        text += &format!(" yield {} }}", parts[0]);
        let simpler = simplified(&text, &mut rng).to_string();
        fired += u32::from(simpler.contains("within"));
        assert!(round > 0 || count < 9 || simpler.contains("within"), "{simpler}");
    }
    assert!(fired > 50, "{fired}");
}

/// What has another line of the same square as a part is not demanded, and a row begins where its number says.
#[test]
fn a_row_has_what_matters() {
    let text = "state 1 table [1, 2] table [3, 4] table [8, 10] table [9, 16] table [32, 4]
        fn f(r0) { r1 = 0  r2 = load 0
            r3 = table 0, r0  r4 = andnot r3, r2  r5 = eq r4, r1  r6 = table 1, r0  r7 = andnot r6, r2  r8 = eq r7, r1
            r9 = table 2, r0  r10 = andnot r9, r2  r11 = eq r10, r1  r12 = table 3, r0  r13 = andnot r12, r2
            r14 = eq r13, r1  r15 = table 4, r0  r16 = andnot r15, r2  r17 = eq r16, r1
            r18 = or r5, r8  r19 = or r11, r14  r20 = or r18, r19  r21 = or r20, r17  yield r21 }";
    // 3 and 9 have 1 as a part, and 10 has 2; 4 is there twice.
    let expected = "state 1 table [1, 8, 32, 32, 2, 4, 16, 16]
        fn f(r0) { r1 = load 0  r2 = within 0, 4, r0, r1  yield r2 }";
    assert_eq!(simplified(text, &mut Rng::new(3)).to_string(), parse(expected).unwrap().to_string());
    // What is read by others, too, or asked of two tables only stays as it is.
    let twice = text.replace("yield r21", "r22 = add r21, r4 r23 = add r22, r7 r24 = add r23, r10 yield r24");
    assert!(!simplified(&twice, &mut Rng::new(3)).to_string().contains("within"));
}

/// A stone that falls from a square as far as those below it are empty, written out: the places below each square, how far it
/// falls at most, and the square that it comes to.
fn fall(below: &[u64], steps: usize, known: &str) -> String {
    let places = below.len() as u64;
    let at = |from: u64, steps: usize| (0..steps).fold(from, |at, _| below.get(at as usize).copied().unwrap_or(places));
    let entry = |from: u64, of: &dyn Fn(u64) -> u64| of(from);
    let tables = |of: &dyn Fn(u64) -> u64| table(&(0..64).map(|from| entry(from, of)).collect::<Vec<u64>>());
    let mut text = "state 1 ".to_owned();
    let mut code =
        format!(" fn f(r0) {{ r1 = 0  r2 = 1  r3 = load 0  r4 = {known}  r5 = and r3, r4  r6 = 63  r7 = and r0, r6 ");
    let (mut table, mut next, mut parts) = (0, 20, Vec::new());
    for far in 0..=steps {
        let free = |from: u64| (1..=far).fold(0_u64, |all, step| all | 1_u64.wrapping_shl(at(from, step) as u32));
        text += &tables(&free);
        text += &tables(&|from| at(from, far + 1));
        text += &tables(&|from| 1_u64.wrapping_shl(at(from, far) as u32));
        code += &format!(
            " r{a} = table {t}, r7  r{b} = andnot r{a}, r5  r{c} = eq r{b}, r1  r{d} = table {u}, r7  r{e} = shr r5, r{d}
              r{f} = and r{e}, r2  r{g} = table {v}, r7",
            a = next, b = next + 1, c = next + 2, d = next + 3, e = next + 4, f = next + 5, g = next + 6,
            t = table, u = table + 1, v = table + 2
        );
        let stops = if far < steps {
            format!("r{} = andnot r{}, r{}", next + 7, next + 2, next + 5)
        } else {
            format!("r{} = and r{}, r2", next + 7, next + 2)
        };
        code += &format!(" {stops}  r{} = select r{}, r{}, r1", next + 8, next + 7, next + 6);
        parts.push(format!("r{}", next + 8));
        (table, next) = (table + 3, next + 9);
    }
    while let [a, b, ..] = &parts[..] {
        code += &format!(" r{next} = or {a}, {b}");
        parts.splice(0..2, [format!("r{next}")]);
        next += 1;
    }
    format!("{text}{code} yield {} }}", parts[0])
}

#[test]
fn written_out_falls_are_tables() {
    let mut rng = Rng::new(8);
    // Columns of six squares, numbered from the bottom; no square is below the lowest.
    let below: Vec<u64> = (0..42).map(|at| if at % 6 == 0 { 42 } else { at - 1 }).collect();
    let simpler = simplified(&fall(&below, 5, "0x3ffffffffff"), &mut rng);
    let code = simpler.functions[0].body.insts.len();
    assert!(code < 16 && simpler.to_string().matches("= table").count() == 2, "{simpler}");
    // Where any bit may be in the set, that of no square is far away from the others: there is no such table.
    let simpler = simplified(&fall(&below, 5, "0xffffffffffffffff"), &mut rng);
    assert!(simpler.functions[0].body.insts.len() > 16, "{simpler}");
    // Falls over any squares do what they did, whether they become tables or not.
    for _ in 0..12 {
        let near = 1 + u64::from(rng.below(3));
        let below: Vec<u64> =
            (0..40).map(|at: u64| if rng.below(5) == 0 { 40 } else { at.saturating_sub(near).min(39) }).collect();
        simplified(&fall(&below, 3 + rng.below(3) as usize, "0xffffffffff"), &mut rng);
    }
}
