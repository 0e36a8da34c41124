//! Time of the bytecode engine on the moves of a step game on 64 cells: `cargo run --release --example ir_speed`.

use codegen::{Executor, Vm};
use std::hint::black_box;
use std::time::Instant;
use wir::parse;

/// Words: white pieces, black pieces, player. A white piece goes straight ahead if nothing is there, and aslant if no
/// white piece is.
const TEXT: &str = "state 3
fn nothing() {}
fn decide() {
    r0 = load 0
    r1 = load 1
    r2 = or r0, r1
    r3 = shl r0, 8
    r4 = andnot r3, r2
    r5 = 0x7f7f7f7f7f7f7f7f
    r6 = and r0, r5
    r7 = shl r6, 9
    r8 = andnot r7, r0
    r9 = 0xfefefefefefefefe
    r10 = and r0, r9
    r11 = shl r10, 7
    r12 = andnot r11, r0
    r13 = 0
    r14 = 1
    r15 = 2
    emitset r13 + r4 << 2
    emitset r14 + r8 << 2
    emitset r15 + r12 << 2
}
fn each() {
    r0 = load 0
    r1 = load 1
    r2 = or r0, r1
    r3 = shl r0, 8
    r4 = andnot r3, r2
    each r5 in r4 {
        r6 = shl r5, 6
        r7 = add r6, r5
        emit r7
    }
}
fn apply(r0) {
    r1 = 3
    r2 = and r0, r1
    r3 = shr r0, 2
    r4 = 1
    r5 = shl r4, r3
    switch r2 -> (r6) {
        case { r7 = shr r5, 8 yield r7 }
        case { r8 = shr r5, 9 yield r8 }
        case { r9 = shr r5, 7 yield r9 }
    }
    r10 = load 0
    r11 = andnot r10, r6
    r12 = or r11, r5
    store 0, r12
    r13 = load 1
    r14 = andnot r13, r5
    store 1, r14
    r15 = load 2
    r16 = xor r15, r4
    store 2, r16
    r17 = 0xff00000000000000
    r18 = and r12, r17
    if r18 -> (r19) {
        r20 = 7
        yield r20
    } else {
        r21 = eq r14, r13
        r22 = select r21, r4, r1
        yield r22
    }
    yield r19
}
";

fn main() -> Result<(), String> {
    let vm = Vm::new(&parse(TEXT).map_err(|e| e.to_string())?)?;
    let state = [0x0000_0000_0040_ffbf, 0xffff_0000_0000_0000, 0];
    let (mut moves, mut runs) = (Vec::new(), Vec::new());
    for function in 0..4 {
        println!("{}", vm.bytecode(function));
        println!("executed: {:?}", vm.executed(function, &state, 66));
    }
    for function in [0, 1, 2] {
        time(&format!("list {function}"), || vm.list(function, black_box(&state), &mut moves).is_ok());
        println!("  {} moves", moves.len());
        time(&format!("count {function}"), || vm.count(function, black_box(&state)).is_ok());
        time(&format!("runs {function}"), || vm.runs(function, black_box(&state), &mut runs).is_ok());
    }
    time("apply", || vm.call(3, &mut black_box(state), 66).is_ok());
    Ok(())
}

fn time(name: &str, mut call: impl FnMut() -> bool) {
    const CALLS: u32 = 20_000;
    let best = (0..500).map(|_| {
        let start = Instant::now();
        let done = (0..CALLS).filter(|_| call()).count();
        assert_eq!(done, CALLS as usize);
        start.elapsed()
    });
    let best = best.min().unwrap_or_default();
    println!("{name}: {:.1} ns", best.as_nanos() as f64 / f64::from(CALLS));
}
