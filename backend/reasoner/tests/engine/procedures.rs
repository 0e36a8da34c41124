//! Functions that work on scratch memory: both engines run them, and passes leave them as they are.

use codegen::{Executor, SideExit, Vm};
use wir::parse;

/// The ways to put queens on a board so that none attacks another, as sets of attacked columns and diagonals: the classical
/// search by bits. Word 0 of the scratch memory counts them. `list` emits as many moves, `apply` returns their number.
const QUEENS: &str = "
state 1
scratch 4

fn place(r0, r1, r2, r3) {
  r4 = eq r0, r3
  if r4 {
    r5 = 0
    r6 = peek r5
    r7 = 1
    r8 = add r6, r7
    poke r5, r8
  } else {
    r9 = or r0, r1
    r10 = or r9, r2
    r11 = andnot r3, r10
    each r12 in r11 {
      r13 = 1
      r14 = shl r13, r12
      r15 = or r0, r14
      r16 = or r1, r14
      r17 = shl r16, 1
      r18 = or r2, r14
      r19 = shr r18, 1
      r20 = call 0(r15, r17, r19, r3)
    }
  }
  yield r4
}

fn list() {
  r0 = load 0
  r1 = 1
  r2 = shl r1, r0
  r3 = sub r2, r1
  r4 = 0
  poke r4, r4
  r5 = call 0(r4, r4, r4, r3)
  r6 = peek r4
  if r6 {
    loop (r7 = r4) -> (r8) {
      emit r7
      r9 = add r7, r1
      r10 = less r9, r6
      yield r10, r9
    }
  }
}

fn apply(r0) {
  r1 = load 0
  r2 = 1
  r3 = shl r2, r1
  r4 = sub r3, r2
  r5 = 0
  poke r5, r5
  r6 = call 0(r5, r5, r5, r4)
  r7 = peek r5
  r8 = eq r7, r0
  side_exit r8
  store 0, r7
  yield r7
}
";

/// The number of solutions by the number of queens (OEIS A000170).
const SOLUTIONS: [u64; 9] = [1, 1, 0, 0, 2, 10, 4, 40, 92];

fn check(executor: &dyn Executor) {
    let mut moves = Vec::new();
    for (size, solutions) in (0u64..).zip(SOLUTIONS) {
        assert_eq!(executor.list(1, &[size], &mut moves), Ok(()));
        assert_eq!(moves, (0..solutions).collect::<Vec<_>>(), "{} queens, {}", size, executor.name());
        assert_eq!(executor.count(1, &[size]), Ok(solutions));
        let mut state = [size];
        assert_eq!(executor.call(2, &mut state, u64::MAX), Ok(solutions));
        assert_eq!(state, [solutions]);
        // A side exit leaves the state as it was.
        let mut state = [size];
        assert_eq!(executor.call(2, &mut state, solutions), Err(SideExit));
        assert_eq!(state, [size]);
    }
    assert_eq!(executor.list(1, &[], &mut moves), Err(SideExit), "a state of another size");
}

#[test]
fn both_engines_call_procedures_that_call_themselves() {
    let program = parse(QUEENS).unwrap();
    wir::verify::verify(&program).unwrap();
    check(&Vm::new(&program).unwrap());
    #[cfg(feature = "native")]
    check(&codegen::native::Native::new(&program).unwrap());
}

#[test]
fn text_and_passes_keep_searches() {
    let program = parse(QUEENS).unwrap();
    assert_eq!(parse(&program.to_string()).unwrap(), program);
    let mut optimised = program.clone();
    wir_opt::optimise(&mut optimised);
    assert_eq!(optimised, program);
}

/// Procedures may not do what their callers see.
#[test]
fn procedures_have_no_other_effects() {
    let with = |line: &str| QUEENS.replace("r8 = add r6, r7", &format!("r8 = add r6, r7\n    {line}"));
    for line in ["emit r8", "side_exit r8", "store 0, r8"] {
        let program = parse(&with(line)).unwrap();
        let error = wir::verify::verify(&program).unwrap_err();
        assert!(error.contains("function 0"), "{line}: {error}");
    }
    let without = parse(&QUEENS.replace("scratch 4", "")).unwrap();
    assert!(wir::verify::verify(&without).unwrap_err().contains("no scratch memory"));
    let odd = parse(&QUEENS.replace("scratch 4", "scratch 3")).unwrap();
    assert!(wir::verify::verify(&odd).unwrap_err().contains("scratch memory"));
}
