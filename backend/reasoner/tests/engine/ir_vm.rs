//! The bytecode engine against the evaluator of the tree.

use crate::ir::{evaluate, word};
use backend::Rng;
use codegen::{Executor, FramedVm, Run, SideExit, Vm};
use wir::{Program, parse};

/// Rounds of loops that the evaluator does before a case is left out.
const FUEL: u64 = 20_000;

/// Compares all entry points of an engine with the evaluator on random states; returns how many cases counted.
fn compare(program: &Program, engine: &dyn Executor, rng: &mut Rng, text: &dyn Fn() -> String) -> [u32; 2] {
    let mut counted = [0, 0];
    let (mut moves, mut runs) = (vec![7], vec![Run { base: 1, set: 1, shift: 1 }]);
    for (index, function) in (0..).zip(&program.functions) {
        if crate::ir::is_called(function) {
            continue;
        }
        for _ in 0..3 {
            let state: Vec<u64> = (0..program.state_words).map(|_| word(rng)).collect();
            let argument = word(rng);
            let args = if function.params == 0 { vec![] } else { vec![argument] };
            let Some(expected) = evaluate(program, function, &state, &args, FUEL) else { continue };
            counted[usize::from(expected.exited)] += 1;
            if function.params == 0 {
                let listed = engine.list(index, &state, &mut moves).map(|()| moves.clone());
                let counted = engine.count(index, &state);
                let sets = engine.runs(index, &state, &mut runs).map(|count| (count, runs.clone()));
                if expected.exited {
                    assert_eq!((listed, counted, sets), (Err(SideExit), Err(SideExit), Err(SideExit)), "{}", text());
                    continue;
                }
                let count = expected.moves().len() as u64;
                assert_eq!(listed, Ok(expected.moves()), "{}", text());
                assert_eq!((counted, sets), (Ok(count), Ok((count, expected.runs))), "{}", text());
            } else {
                let mut changed = state.clone();
                let result = engine.call(index, &mut changed, argument);
                if expected.exited {
                    assert_eq!((result, changed), (Err(SideExit), state), "{}", text());
                    continue;
                }
                assert_eq!((result, changed), (Ok(expected.results[0]), expected.state), "{}", text());
            }
        }
    }
    counted
}

#[test]
fn random_programs() {
    let mut rng = Rng::new(11);
    let mut counted = [0, 0];
    for round in 0..3000 {
        let program = crate::ir::program(&mut rng, 1 + round % 90);
        let vm = Vm::new(&program).unwrap();
        let text = || {
            let code: String = (0..4).map(|f| vm.bytecode(f)).collect();
            format!("round {round}\n{program}\n{code}")
        };
        let [done, exited] = compare(&program, &vm, &mut rng, &text);
        counted = [counted[0] + done, counted[1] + exited];
    }
    assert!(counted[0] > 10_000 && counted[1] > 1_000, "{counted:?}");
}

#[test]
fn large_programs() {
    let mut rng = Rng::new(12);
    for _ in 0..20 {
        let program = crate::ir::program(&mut rng, 3000);
        let vm = Vm::new(&program).unwrap();
        compare(&program, &vm, &mut rng, &|| program.to_string());
    }
}

fn vm(text: &str) -> Result<Vm, String> {
    Vm::new(&parse(text).map_err(|e| e.to_string())?)
}

#[test]
fn values_that_change_places() {
    let text = "state 1
        fn fibonacci(r0) {
            r1 = 0  r2 = 1
            loop (r3 = r0, r4 = r1, r5 = r2) -> (r6, r7, r8) {
                r9 = add r4, r5
                r10 = sub r3, r2
                yield r10, r10, r5, r9
            }
            yield r7
        }
        fn swaps(r0) {
            r1 = 1  r2 = 2  r3 = 3
            loop (r4 = r0, r5 = r1, r6 = r2, r7 = r3) -> (r8, r9, r10, r11) {
                r12 = sub r4, r1
                yield r12, r12, r6, r7, r5
            }
            r13 = shl r9, 8
            r14 = shl r10, 4
            r15 = or r13, r14
            r16 = or r15, r11
            yield r16
        }";
    let vm = vm(text).unwrap();
    assert_eq!(vm.call(0, &mut [0], 10), Ok(55));
    assert_eq!(vm.call(1, &mut [0], 1), Ok(0x231));
    assert_eq!(vm.call(1, &mut [0], 2), Ok(0x312));
    assert_eq!(vm.call(1, &mut [0], 3), Ok(0x123));
}

/// A call that costs more than it may gives up, and what it has cost until then is known; others do not notice the limit.
#[test]
fn calls_give_up_that_cost_too_much() {
    let text = "state 1
        fn rounds(r0) {
            r1 = 1
            loop (r2 = r0) -> (r3) {
                r4 = sub r2, r1
                yield r4, r4
            }
            yield r3
        }";
    let program = parse(text).unwrap();
    let vm = FramedVm::with_costs(&program, u64::MAX).unwrap();
    assert_eq!(vm.call(0, &mut [0], 1000), Ok(0));
    let whole = vm.cost().load(std::sync::atomic::Ordering::Relaxed);
    let vm = FramedVm::with_costs(&program, whole / 2).unwrap();
    assert_eq!(vm.call(0, &mut [0], 1000), Err(SideExit));
    let half = vm.cost().load(std::sync::atomic::Ordering::Relaxed);
    assert!(half > whole / 2 && half < whole, "{half} of {whole}");
    assert_eq!(vm.call(0, &mut [0], 100), Ok(0));
}

#[test]
fn what_does_not_fit_is_given_back() {
    let text = "state 2
        fn list() { r0 = load 0  emit r0 }
        fn call(r0) { r1 = load 1  store 1, r0  yield r1 }
        fn both(r0) { emit r0  yield r0 }";
    let vm = vm(text).unwrap();
    let (mut moves, mut runs) = (vec![], vec![]);
    assert_eq!(vm.list(0, &[3, 4], &mut moves), Ok(()));
    assert_eq!(moves, [3]);
    assert_eq!(vm.list(0, &[3], &mut moves), Err(SideExit));
    assert_eq!(vm.list(9, &[3, 4], &mut moves), Err(SideExit));
    assert_eq!(vm.list(1, &[3, 4], &mut moves), Err(SideExit));
    assert_eq!(vm.runs(2, &[3, 4], &mut runs), Err(SideExit));
    assert_eq!(vm.call(0, &mut [3, 4], 0), Err(SideExit));
    assert_eq!(vm.call(2, &mut [3, 4], 0), Err(SideExit));
    let mut state = [3, 4];
    assert_eq!(vm.call(1, &mut state, 5), Ok(4));
    assert_eq!(state, [3, 5]);
    assert!(Vm::new(&parse("fn f() { emit r0 }").unwrap()).is_err());
}

/// Operations that are one instruction together.
#[test]
fn questions_and_shifts_together() {
    let text = "state 2
        table [1, 16, 0x100, 0, 3, 48, 0x300, 0, 7, 8, 0x500, 0, 15, 0xf0, 0xf00, 0]
        table [0, 1, 2, 4]
        fn within(r0) {
            r1 = 0  r2 = load 0  r3 = load 1
            r6 = within 0, 3, r0, r2
            r10 = table 1, r0  r11 = andnot r10, r3  r12 = eq r11, r1
            r16 = shr r0, 60  r17 = shr r3, 63
            r20 = or r12, r6  r21 = or r16, r20  r22 = or r17, r21
            yield r22
        }
        fn funnel(r0) {
            r1 = load 0  r2 = load 1
            r3 = shl r1, 13  r4 = shr r2, 51  r5 = or r3, r4  r6 = and r5, r0
            r7 = shr r1, 1  r8 = shl r2, 63  r9 = or r7, r8  r10 = xor r6, r9
            r11 = shl r1, 13  r12 = shr r2, 50  r13 = or r11, r12  r14 = xor r10, r13
            r15 = shr r0, 3  r16 = or r15, r1  r17 = add r14, r16
            yield r17
        }";
    let program = parse(text).unwrap();
    let vm = Vm::new(&program).unwrap();
    assert!(vm.bytecode(0).contains("Within"), "{}", vm.bytecode(0));
    assert!(vm.bytecode(1).contains("FunnelAnd") && vm.bytecode(1).contains("Funnel {"), "{}", vm.bytecode(1));
    let mut rng = Rng::new(13);
    for _ in 0..300 {
        compare(&program, &vm, &mut rng, &|| vm.bytecode(0));
    }
    for (state, expected) in [([0x300, 0], 1), ([0x301, 0], 1), ([0, 1], 1), ([0, 0], 0), ([48, 0], 1), ([32, 2], 0)] {
        let mut after = state;
        assert_eq!(vm.call(0, &mut after, 1), Ok(expected), "{state:x?}");
        assert_eq!(after, state);
    }
}

/// More operations that are one instruction together, and the instructions that they are.
#[test]
fn several_parts_together() {
    let begin = "state 4
        table [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]
        fn f(r0) {
            r1 = load 0  r2 = load 1  r3 = load 2  r4 = load 3  r5 = 0  r6 = 0xffffffffffffffff  r7 = 1 ";
    let cases = [
        ("MaskedOr", "r10 = and r0, r1  r11 = and r2, r3  r12 = or r10, r11  r13 = and r1, r4  r14 = or r12, r13"),
        ("Or5", "r10 = or r0, r1  r11 = or r2, r3  r12 = or r10, r11  r13 = or r12, r4  r14 = or r13, r7"),
        ("Pick", "r10 = select r1, r2, r3  r14 = select r0, r4, r10"),
        ("TopEntry", "r10 = highest r0  r14 = table 0, r10"),
        ("UpTo", "r10 = add r0, r6  r14 = xor r0, r10"),
        ("Through", "r10 = eq r1, r5  r11 = sub r0, r10  r14 = xor r0, r11"),
        ("AndUnless", "r10 = select r0, r5, r1  r14 = and r2, r10"),
        ("AndIf", "r10 = select r0, r1, r5  r14 = and r2, r10"),
        ("AndBit", "r10 = shr r1, r0  r11 = and r10, r7  r14 = and r2, r11"),
        ("AndNotBit", "r10 = shr r1, r0  r11 = and r10, r7  r14 = andnot r2, r11"),
        ("BitOfEntry", "r10 = table 0, r0  r11 = shr r1, r10  r14 = and r11, r7"),
        ("AndEq", "r10 = eq r0, r1  r14 = and r2, r10"),
        ("AndNe", "r10 = ne r0, r1  r14 = and r2, r10"),
        ("IfOr", "r10 = select r0, r1, r5  r14 = or r2, r10"),
        ("EntryIfOr", "r10 = table 0, r1  r11 = select r0, r10, r5  r14 = or r2, r11"),
        ("FunnelOr", "r10 = shr r1, 45  r11 = or r2, r10  r12 = shl r0, 19  r14 = or r11, r12"),
        ("FunnelOr", "r10 = shr r1, 45  r11 = shl r0, 19  r12 = or r10, r11  r14 = or r2, r12"),
        ("FunnelAndOr", "r10 = shr r1, 45  r11 = shl r0, 19  r12 = or r10, r11  r13 = and r12, r3  r14 = or r2, r13"),
        // Nothing is there to begin with, and shifts that do not belong together.
        ("Funnel", "r10 = shr r1, 45  r11 = shr r2, 9  r12 = or r10, r11  r13 = shl r0, 19  r14 = or r12, r13"),
        ("ShlOr", "r10 = shr r1, 44  r11 = or r2, r10  r12 = shl r0, 19  r14 = or r11, r12"),
    ];
    let mut rng = Rng::new(14);
    for (name, body) in cases {
        let program = parse(&format!("{begin} {body} yield r14 }}")).unwrap();
        let vm = Vm::new(&program).unwrap();
        assert!(vm.bytecode(0).contains(name), "{name}: {}", vm.bytecode(0));
        for _ in 0..100 {
            compare(&program, &vm, &mut rng, &|| vm.bytecode(0));
        }
    }
}

/// Long code without jumps and loops of many rounds need no more room than others.
#[test]
fn long_ways_need_little_room() {
    let sums: String = (2..40_000).map(|r| format!("r{r} = mul r{}, r1\n", r - 1)).collect();
    let text = format!(
        "state 1
        fn straight(r0) {{ r1 = 3\n {sums} yield r39999 }}
        fn around(r0) {{
            r1 = 1
            loop (r2 = r0, r3 = r1) -> (r4, r5) {{ r6 = sub r2, r1  r7 = mul r3, r6  r8 = add r7, r1  yield r6, r6, r8 }}
            yield r5
        }}"
    );
    let vm = vm(&text).unwrap();
    let run = move || (vm.call(0, &mut [0], 0).is_ok(), vm.call(1, &mut [0], 1_000_000).is_ok());
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap();
    assert_eq!(thread.join().unwrap(), (true, true));
}

/// The constants of each function are there, whatever ran before.
#[test]
fn constants_of_many_functions() {
    let count = 3_000;
    let function = |index: u64| {
        let constants: String = (0..40).map(|k| format!("r{} = {}\n", k + 1, (index * 41 + k) << 8)).collect();
        let sums: String = (0..40).map(|k| format!("r{} = add r{}, r{}\n", k + 41, k + 1, k + 40)).collect();
        format!("fn f{index}(r0) {{ {constants} {} yield r80 }}\n", sums.replacen("r1, r40", "r1, r0", 1))
    };
    let text: String = (0..count).map(function).collect();
    let vm = vm(&format!("state 1\n{text}")).unwrap();
    for round in 0..2 {
        for index in 0..count {
            for index in [index, index / 2] {
                let expected: u64 = (0..40).map(|k| (index * 41 + k) << 8).sum::<u64>() + 7;
                assert_eq!(vm.call(index as u32, &mut [0], 7), Ok(expected), "{round} {index}");
            }
        }
    }
}

#[test]
fn endless_loops_end() {
    for words in [1, 100] {
        let text = format!(
            "state {words}
            fn forever(r0) {{ store 0, r0  loop {{ yield r0 }}  yield r0 }}
            fn nested(r0) {{
                store 0, r0
                each r1 in r0 {{ each r2 in r0 {{ each r3 in r0 {{ each r4 in r0 {{ each r5 in r0 {{ }} }} }} }} }}
                yield r0
            }}"
        );
        let program = parse(&text).unwrap();
        let vm = Vm::with_budget(&program, 1000).unwrap();
        let mut state = vec![5; words];
        for function in 0..2 {
            assert_eq!(vm.call(function, &mut state, u64::MAX), Err(SideExit));
            assert_eq!(state, vec![5; words]);
            assert_eq!(vm.call(function, &mut state.clone(), 0), Ok(0));
        }
    }
}

/// A case that is given back is given back before a loop, even if that is in an arm: the loop may not end without it.
#[test]
fn cases_are_given_back_before_loops_in_arms() {
    let text = "state 1
        fn f() {
            r0 = load 0
            side_exit r0
            r1 = 1
            if r0 -> (r5) {
                loop (r3 = r1) -> (r4) { emit r3 yield r1, r3 }
                yield r4
            } else {
                yield r1
            }
            emit r5
        }";
    let vm = Vm::with_budget(&parse(text).unwrap(), 100_000).unwrap();
    let mut moves = Vec::new();
    assert_eq!(vm.list(0, &[0], &mut moves), Ok(()));
    assert_eq!(moves, [1]);
    assert_eq!(vm.list(0, &[1], &mut moves), Err(SideExit));
    assert!(moves.capacity() < 10_000, "{} moves were written", moves.capacity());
}

#[test]
fn engines_are_shared_by_threads() {
    // More constants than a small frame has slots.
    let constants: String = (0..100).map(|i| format!("r{} = add r{}, r{}  ", 2 * i + 2, 2 * i, 2 * i + 1)).collect();
    let numbers: String = (0..100).map(|i| format!("r{} = {}  ", 2 * i + 1, 3 * i + 1)).collect();
    let vm = vm(&format!(
        "state 30 fn f(r0) {{ {numbers} {constants} r201 = load 29 store 7, r200 r202 = add r200, r201 yield r202 }}"
    ))
    .unwrap();
    std::thread::scope(|scope| {
        for thread in 0..20 {
            let vm = &vm;
            scope.spawn(move || {
                for round in 0..200 {
                    let mut state = vec![round; 30];
                    let sum = thread + (0..100).map(|i| 3 * i + 1).sum::<u64>();
                    assert_eq!(vm.call(0, &mut state, thread), Ok(sum + round));
                    assert_eq!(state[7], sum);
                }
            });
        }
    });
}
