//! The engine that compiles to machine code, and the other one, against a plain evaluator.
#![cfg(feature = "native")]
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "common/ir.rs"]
mod ir;

use backend::Rng;
use codegen::native::Native;
use codegen::{Decisions, Executor, Pause, Play, Run, SideExit, Tally, Tiered, Vm};
use ir::evaluate;
use wir::{Block, Function, Inst, Op, Program, Table, parse};

/// Rounds of loops that the evaluator does before a case is left out.
const FUEL: u64 = 20_000;

/// Compares all that an engine does with a function in a state. Says whether there was something to compare.
fn compare(engine: &dyn Executor, program: &Program, id: u32, state: &[u64], argument: u64) -> bool {
    let function = &program.functions[id as usize];
    if ir::is_called(function) {
        return false;
    }
    let arguments = if function.params == 1 { vec![argument] } else { vec![] };
    let Some(outcome) = evaluate(program, function, state, &arguments, FUEL) else {
        return false;
    };
    let result = if outcome.exited { Err(SideExit) } else { Ok(outcome) };
    if function.params == 1 {
        let mut changed = state.to_vec();
        assert_eq!(
            engine.call(id, &mut changed, argument),
            result.as_ref().map(|outcome| outcome.results[0]).map_err(|&error| error),
            "{program}"
        );
        let expected = result.as_ref().map_or(state, |outcome| &outcome.state);
        assert_eq!(changed, expected, "state after {id} with {argument} in {state:?} of {program}");
        return true;
    }
    let expected = result.map(|outcome| (outcome.moves(), outcome.runs));
    let (mut moves, mut runs) = (vec![7], vec![Run { base: 7, set: 7, shift: 7 }]);
    let listed = engine.list(id, state, &mut moves).map(|()| &moves);
    assert_eq!(listed, expected.as_ref().map(|(moves, _)| moves).map_err(|&error| error), "{id} {state:?} {program}");
    let count = expected.as_ref().map(|(moves, _)| moves.len() as u64).map_err(|&error| error);
    assert_eq!(engine.count(id, state), count, "{id} {state:?} {program}");
    assert_eq!(engine.runs(id, state, &mut runs), count, "{id} {state:?} {program}");
    if let Ok((_, expected)) = expected {
        assert_eq!(runs, expected, "{id} {state:?} {program}");
    }
    true
}

/// A game of two decisions: of eight words of squares all are taken away, one after the other, from two sets at once or
/// from one of few squares. Its moves are words that end with the square.
const TAKING: &str = "
state 3
fn first() {
  r0 = load 1
  r1 = load 2
  r2 = 0x1000
  r3 = 0x2000
  emitset r2 + r0 << 0
  emitset r3 + r1 << 0
}
fn second() {
  r0 = load 1
  r1 = 0xff00ff0f
  r2 = and r0, r1
  r3 = 0x1000
  emitset r3 + r2 << 0
  r4 = 0x2007
  r5 = load 2
  r6 = 7
  r7 = shr r5, r6
  r8 = 1
  r9 = and r7, r8
  emitset r4 + r9 << 5
}
fn take(r0) {
  r1 = load 0
  r2 = load 1
  r3 = load 2
  r4 = 63
  r5 = and r0, r4
  r6 = 1
  r7 = shl r6, r5
  r8 = 0x2000
  r9 = and r0, r8
  if r9 -> (r10, r11) {
    r12 = andnot r3, r7
    yield r2, r12
  } else {
    r13 = andnot r2, r7
    yield r13, r3
  }
  store 1, r10
  store 2, r11
  r14 = or r10, r11
  r15 = 3
  r16 = xor r1, r15
  r17 = 0
  r18 = select r14, r16, r17
  store 0, r18
  yield r14
}
";

/// Makes a move of that game, too; the game is over where the next decision has none. It is function 3.
const TAKING_WITH_CARE: &str = "
fn take_with_care(r0) {
  r1 = load 0
  r2 = load 1
  r3 = load 2
  r4 = 63
  r5 = and r0, r4
  r6 = 1
  r7 = shl r6, r5
  r8 = 0x2000
  r9 = and r0, r8
  if r9 -> (r10, r11) {
    r12 = andnot r3, r7
    yield r2, r12
  } else {
    r13 = andnot r2, r7
    yield r13, r3
  }
  store 1, r10
  store 2, r11
  r14 = or r10, r11
  r15 = 3
  r16 = xor r1, r15
  r17 = 0xff00ff0f
  r18 = and r10, r17
  r19 = shr r11, 7
  r20 = and r19, r6
  r21 = or r18, r20
  r22 = 2
  r23 = eq r16, r22
  r24 = select r23, r21, r14
  r25 = 0
  r26 = select r24, r16, r25
  store 0, r26
  yield r26
}
";

/// What plays of the game of taking lead to: their ends, the choices, the most of them, how often somebody else had to go on
/// and had to make a move, and the next random word.
type Played = (Vec<u64>, u64, u64, u32, u32, u64);

/// Random plays, so many at once.
fn taken(engine: &dyn Executor, game: &Decisions, at_once: u16, limit: u64) -> Played {
    let start = [1, 0xfedc_ba98_7654_3210, 0x8000_0000_0000_0081];
    let (mut ends, mut moves, mut rng) = (Vec::new(), Vec::new(), Rng::new(9));
    let mut tally = Tally { plies: 0, limit, chance: 0, choices: 0, most: 0 };
    let (mut asked, mut chosen) = (0, 0);
    for _ in 0..96 / at_once {
        let mut state = start;
        tally.begin();
        let mut play = Play {
            start: &start,
            state: &mut state,
            left: at_once,
            ends: &mut ends,
            moves: &mut moves,
            rng: &mut rng,
            tally: &mut tally,
            speculative: true,
        };
        loop {
            match engine.plies(game, &mut play) {
                Pause::Over => break,
                // The second decision may have no move: then the game is over, too.
                Pause::Asked => {
                    asked += 1;
                    play.state[0] = 0;
                }
                Pause::Chosen(word) => {
                    chosen += 1;
                    engine.call(3, play.state, word).unwrap();
                }
            }
        }
    }
    (ends, tally.choices, tally.most, asked, chosen, rng.next_u64())
}

/// Random plays are the same in every executor, one by one and many at once.
#[test]
fn plays_are_the_same_in_all_executors() {
    // The second decision has a set of many squares, or of few: next to each other, at even distances, all over the board, or
    // such that no product brings them together.
    let sets = ["0xff00ff0f", "0xff0000", "0x20820820820", "0x80000000000010a1", "0x1010101", "0x8004002001000803"];
    for set in sets {
        let text = TAKING.replace("0xff00ff0f", set);
        let (all, some) = (plays_are_the_same(&text, Vec::new()), plays_are_the_same(&text, vec![false, false, true]));
        // Moves of `random` change nothing but what is counted.
        assert_eq!((all.3, all.4, all.5), (some.3, some.4, some.5));
        assert!(some.1 < all.1, "{} choices, and {} without those of `random`", all.1, some.1);
        for (all, some) in all.0.chunks(4).zip(some.0.chunks(4)) {
            assert_eq!(all[..3], some[..3]);
            assert!(some[3] <= all[3] && 2 * some[3] + 1 >= all[3], "of {} moves {} are counted", all[3], some[3]);
        }
    }
}

fn plays_are_the_same(text: &str, chance: Vec<bool>) -> Played {
    let program = parse(text).unwrap();
    let game = Decisions {
        number: (0, 0, 3),
        functions: vec![None, Some((0, 2)), Some((1, 2))],
        speculative: vec![],
        passes: vec![],
        kind: 0,
        chance,
    };
    let vm = Vm::new(&program).unwrap();
    let expected = taken(&vm, &game, 1, 1_000);
    assert_eq!(expected.0.len(), 96 * 4);
    assert!(expected.3 > 10, "{expected:?}");
    assert!(expected.2 > 30 || game.chance.contains(&true), "{expected:?}");
    for at_once in [1, 3, 96] {
        assert_eq!(taken(&vm, &game, at_once, 1_000), expected);
        let profiled = [1, 2, 3].map(|seed| Native::with_profile(&program, 0, Some(ir::profile(&program, seed))));
        let patient = [Native::quick(&program), Native::new(&program)];
        let others = [Native::with_patience(&program, 0), Native::plain(&program, 0)].into_iter().chain(patient);
        for native in others.chain(profiled) {
            let native = native.unwrap();
            native.compile_all().unwrap();
            assert_eq!(taken(&native, &game, at_once, 1_000), expected);
        }
        let from_bytecode = Tiered::from_bytecode(&program, None).unwrap();
        assert_eq!(taken(&from_bytecode, &game, at_once, 1_000), expected);
        let from_machine_code = Tiered::from_machine_code(&program, 0, None).unwrap();
        // A function without code takes a side exit, which nothing handles here.
        taken(&from_machine_code, &game, at_once, 1_000);
        for tiered in [from_bytecode, from_machine_code] {
            tiered.settle();
            assert_eq!(taken(&tiered, &game, at_once, 1_000), expected);
            assert_eq!(tiered.running(), "native");
        }
    }
    expected
}

/// Plays in which moves are made speculatively are the same as those in which none is, wherever they end.
#[test]
fn speculation_changes_no_playout() {
    let program = parse(&format!("{TAKING}{TAKING_WITH_CARE}")).unwrap();
    let functions = vec![None, Some((0, 3)), Some((1, 3))];
    let games = [vec![], vec![None, Some(2), Some(2)], vec![None, None, Some(2)], vec![None, Some(2), None]].map(
        |speculative| Decisions {
            number: (0, 0, 3),
            functions: functions.clone(),
            speculative,
            passes: vec![],
            kind: 0,
            chance: Vec::new(),
        },
    );
    let vm = Vm::new(&program).unwrap();
    // Plays may be cut off where it is not yet known whether a move was right.
    for limit in [1_000, 4, 5] {
        let expected = taken(&vm, &games[0], 1, limit);
        assert_eq!((expected.3 > 0, expected.4), (limit < 1_000, 0));
        for game in &games {
            for at_once in [1, 3, 96] {
                let same = |engine: &dyn Executor| {
                    let found = taken(engine, game, at_once, limit);
                    let (ends, choices, most, asked, undone, next) = found;
                    assert_eq!((ends, choices, most, asked, 0, next), expected, "{} {at_once} {limit}", engine.name());
                    undone
                };
                // A function without code takes a side exit, which nothing handles here.
                let patient = Native::new(&program).unwrap();
                patient.compile_all().unwrap();
                let undone = [same(&vm), same(&Native::with_patience(&program, 0).unwrap()), same(&patient)];
                let all = Native::with_patience(&program, 0).unwrap();
                all.compile_all().unwrap();
                let undone = undone.into_iter().chain([same(&all)]).max();
                // Only the second decision may be without moves before all is taken.
                let first = game.speculative.get(1).is_some_and(Option::is_some);
                assert!(!first || limit < 1_000 || undone > Some(10), "{undone:?}");
                assert!(!game.speculative.is_empty() || undone == Some(0), "{undone:?}");
                same(&Tiered::from_bytecode(&program, None).unwrap());
            }
        }
    }
}

/// Compares functions of random programs, and says how many runs it compared.
fn compare_random(seed: u64, programs: u32) -> u32 {
    let (mut compared, mut rng) = (0, Rng::new(seed));
    for round in 0..programs {
        let program = ir::program(&mut rng, 1 + round % 120);
        let native = Native::new(&program).unwrap();
        native.compile_all().unwrap();
        let plain = Native::plain(&program, 0).unwrap();
        let quick = Native::quick(&program).unwrap();
        let profiled = Native::with_profile(&program, 0, Some(ir::profile(&program, u64::from(round)))).unwrap();
        let vm = Vm::new(&program).unwrap();
        for id in 0..program.functions.len() as u32 {
            for _ in 0..8 {
                let state: Vec<u64> = (0..program.state_words).map(|_| ir::word(&mut rng)).collect();
                let argument = ir::word(&mut rng);
                compared += u32::from(compare(&native, &program, id, &state, argument));
                compare(&plain, &program, id, &state, argument);
                compare(&quick, &program, id, &state, argument);
                compare(&profiled, &program, id, &state, argument);
                compare(&vm, &program, id, &state, argument);
            }
        }
    }
    compared
}

#[test]
fn random_programs_do_what_the_evaluator_does() {
    let compared = compare_random(5, 200);
    assert!(compared > 5000, "only {compared}");
}

#[test]
#[ignore = "takes minutes"]
fn many_random_programs_do_what_the_evaluator_does() {
    for seed in 100..120 {
        assert!(compare_random(seed, 500) > 12_000);
    }
}

fn one(function: Function, state_words: u32) -> Program {
    Program { tables: vec![], functions: vec![function], state_words, scratch_words: 0 }
}

fn function(params: u32, insts: Vec<Inst>, yields: Vec<u32>) -> Function {
    Function { name: "f".to_string(), params, registers: 20, body: Block { insts, yields } }
}

fn set(to: u32, op: Op) -> Inst {
    Inst::Let { to, op }
}

#[test]
fn each_operation_with_odd_operands() {
    let odd = [0, 1, 2, 3, 63, 64, 65, 1 << 31, 1 << 32, 1 << 63, u64::MAX, u64::MAX - 1, 0x0123_4567_89ab_cdef];
    let narrow = Table { entries: vec![5, 250, 3, 9] };
    let wide = Table { entries: vec![u64::MAX, 1 << 40] };
    // Behind the entries of a row are others, which count for nothing.
    let rows = Table { entries: (0..16).map(|at| [1 << 40 | at, 3, u64::MAX >> at, 0][at as usize % 4]).collect() };
    let ops = [
        Op::Not(1),
        Op::And(1, 2),
        Op::Or(1, 2),
        Op::Xor(1, 2),
        Op::AndNot(1, 2),
        Op::Shl(1, 2),
        Op::Shr(1, 2),
        Op::ShlBy(1, 63),
        Op::ShrBy(1, 63),
        Op::Add(1, 2),
        Op::Sub(1, 2),
        Op::Mul(1, 2),
        Op::Eq(1, 2),
        Op::Ne(1, 2),
        Op::Less(1, 2),
        Op::Select(1, 2, 0),
        Op::Count(1),
        Op::Lowest(1),
        Op::Highest(1),
        Op::Table(0, 1),
        Op::Table(1, 1),
        Op::Within(2, 1, 1, 2),
        Op::Within(2, 2, 1, 2),
        Op::Within(2, 3, 1, 2),
        Op::Within(2, 4, 1, 2),
        Op::Within(2, 7, 1, 2),
        Op::Within(2, 15, 1, 2),
        Op::Within(1, 2, 1, 2),
    ];
    let functions = ops.map(|op| function(1, vec![set(1, Op::Load(0)), set(2, Op::Load(1)), set(3, op)], vec![3]));
    let program =
        Program { tables: vec![narrow, wide, rows], functions: functions.to_vec(), state_words: 2, scratch_words: 0 };
    let native = Native::new(&program).unwrap();
    for id in 0..functions.len() as u32 {
        for (a, b) in odd.iter().flat_map(|&a| odd.map(|b| (a, b))) {
            assert!(compare(&native, &program, id, &[a, b], 77));
        }
    }
}

#[test]
fn stores_of_a_function_that_exits_are_undone() {
    let side_exit = Inst::SideExit { cond: 0 };
    let round = vec![Inst::SideExit { cond: 5 }, Inst::Store { word: 1, value: 4 }];
    let carried = vec![(5, 1)];
    let insts = vec![
        set(1, Op::Const(0)),
        set(2, Op::Const(3)),
        Inst::Store { word: 0, value: 2 },
        Inst::Each { set: 2, item: 4, carried, body: Block { insts: round, yields: vec![4] }, to: vec![6] },
        Inst::Store { word: 2, value: 2 },
        side_exit,
    ];
    let program = one(function(1, insts, vec![6]), 3);
    let native = Native::new(&program).unwrap();
    for argument in [0, 1] {
        assert!(compare(&native, &program, 0, &[9, 8, 7], argument));
    }
}

#[test]
fn large_answers_make_the_buffer_grow() {
    let emit = |base, set| Inst::EmitSet { base, set, shift: 6 };
    let each =
        |item, insts| Inst::Each { set: 0, item, carried: vec![], body: Block { insts, yields: vec![] }, to: vec![] };
    let inner = each(2, vec![emit(2, 0), Inst::Emit { base: 1 }]);
    let program = one(function(0, vec![set(0, Op::Load(0)), each(1, vec![inner])], vec![]), 1);
    let native = Native::new(&program).unwrap();
    for state in [[u64::MAX >> 30], [1 << 63], [0], [0xff], [u64::MAX >> 40]] {
        assert!(compare(&native, &program, 0, &state, 0));
    }
    let (mut moves, mut runs) = (Vec::new(), Vec::new());
    native.list(0, &[u64::MAX], &mut moves).unwrap();
    assert_eq!(moves.len(), 64 * 64 * 65);
    assert_eq!(native.runs(0, &[u64::MAX], &mut runs).unwrap(), 64 * 64 * 65);
    assert_eq!(runs.len(), 64 * 64 * 2);
    // A buffer that was large enough stays where it is.
    let before = (moves.as_ptr(), moves.capacity());
    native.list(0, &[u64::MAX], &mut moves).unwrap();
    assert_eq!((moves.as_ptr(), moves.capacity()), before);
}

#[test]
fn an_endless_loop_is_given_back() {
    let forever = |insts| Inst::Loop { carried: vec![], body: Block { insts, yields: vec![1] }, to: vec![] };
    let insts = vec![set(1, Op::Const(1)), Inst::Store { word: 0, value: 1 }, forever(vec![])];
    let emits = vec![set(1, Op::Const(1)), forever(vec![Inst::EmitSet { base: 1, set: 1, shift: 0 }])];
    let functions = vec![function(1, insts, vec![0]), function(0, emits, vec![])];
    let native = Native::new(&Program { functions, state_words: 1, ..Program::default() }).unwrap();
    let (mut state, mut moves) = ([5], Vec::new());
    assert_eq!(native.call(0, &mut state, 0), Err(SideExit));
    assert_eq!(state, [5]);
    assert_eq!(native.list(1, &state, &mut moves), Err(SideExit));
    assert!(moves.is_empty());
    assert_eq!(native.count(1, &state), Err(SideExit));
}

#[test]
fn what_does_not_fit_is_refused() {
    let refused = |program: &Program| Native::new(program).map(|_| ()).unwrap_err();
    // Not valid.
    for insts in [
        vec![set(1, Op::Load(3))],
        vec![set(1, Op::Table(0, 0))],
        vec![set(1, Op::Not(2))],
        vec![set(0, Op::Const(1))],
        vec![set(25, Op::Const(1))],
        vec![set(1, Op::ShlBy(0, 64))],
        vec![Inst::Store { word: 3, value: 0 }],
        vec![Inst::Switch { on: 0, cases: vec![], to: vec![] }],
        vec![Inst::Loop { carried: vec![], body: Block::default(), to: vec![] }],
        vec![Inst::If { cond: 0, then: Block::default(), other: Block::default(), to: vec![1] }],
        // Read outside the block that defines it.
        vec![
            Inst::If {
                cond: 0,
                then: Block { insts: vec![set(1, Op::Const(1))], yields: vec![] },
                other: Block::default(),
                to: vec![],
            },
            set(2, Op::Not(1)),
        ],
    ] {
        refused(&one(function(1, insts, vec![0]), 3));
    }
    let odd = Program { tables: vec![Table { entries: vec![1, 2, 3] }], ..Program::default() };
    refused(&odd);
    refused(&Program { tables: vec![Table { entries: vec![] }], ..Program::default() });
    // Too much.
    let mut deep = Block::default();
    for _ in 0..300 {
        deep = Block {
            insts: vec![Inst::Each { set: 0, item: 0, carried: vec![], body: deep, to: vec![] }],
            yields: vec![],
        };
    }
    refused(&one(Function { name: String::new(), params: 0, registers: 1, body: deep }, 0));
    refused(&one(function(1, vec![Inst::SideExit { cond: 0 }; 210_000], vec![0]), 0));
    refused(&Program { state_words: u32::MAX, ..Program::default() });
    refused(&one(Function { registers: u32::MAX, ..function(1, vec![], vec![0]) }, 0));
}

#[test]
fn wrong_calls_exit() {
    let program = one(function(1, vec![], vec![0]), 2);
    let native = Native::new(&program).unwrap();
    let mut moves = vec![1];
    assert_eq!(native.list(0, &[0, 0], &mut moves), Err(SideExit));
    assert!(moves.is_empty());
    assert_eq!(native.call(1, &mut [0, 0], 4), Err(SideExit));
    assert_eq!(native.call(0, &mut [0], 4), Err(SideExit));
    assert_eq!(native.call(0, &mut [0, 0], 4), Ok(4));
    // A deep but permitted function.
    let mut deep = Block { insts: vec![], yields: vec![0] };
    for level in 1..199 {
        let inst =
            Inst::If { cond: 0, then: deep.clone(), other: Block { insts: vec![], yields: vec![0] }, to: vec![level] };
        deep = Block { insts: vec![inst], yields: vec![level] };
        if level > 8 {
            // Doubling would be too much.
            break;
        }
    }
    let mut chain = deep;
    for level in 100..280 {
        let inst = Inst::If { cond: 0, then: chain, other: Block { insts: vec![], yields: vec![0] }, to: vec![level] };
        chain = Block { insts: vec![inst], yields: vec![level] };
    }
    let program = one(Function { name: "deep".to_string(), params: 1, registers: 300, body: chain }, 0);
    let native = Native::new(&program).unwrap();
    assert!(compare(&native, &program, 0, &[], 1));
    assert!(compare(&native, &program, 0, &[], 0));
}

#[test]
fn texts_show_clif_and_machine_code() {
    let emits = function(0, vec![set(0, Op::Load(0)), Inst::EmitSet { base: 0, set: 0, shift: 1 }], vec![]);
    let native = Native::new(&one(emits, 1)).unwrap();
    let (clif, asm) = (native.clif(0), native.asm(0));
    for sink in ["list", "count", "runs"] {
        assert!(clif.contains(&format!("; {sink} of f")), "{clif}");
        assert!(asm.contains(&format!("; {sink} of f")), "{asm}");
    }
    assert!(clif.contains("popcnt") && asm.contains("ret"), "{clif}{asm}");
    assert_eq!(native.asm(1), "");
}

#[test]
fn engines_can_be_shared_and_dropped() {
    let program = one(function(1, vec![set(1, Op::Load(0)), set(2, Op::Add(0, 1))], vec![2]), 1);
    for round in 0..50 {
        let native = Native::new(&program).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..2 {
                let native = &native;
                scope.spawn(move || assert_eq!(native.call(0, &mut [thread], round), Ok(thread + round)));
            }
        });
    }
}
