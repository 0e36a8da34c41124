//! Loops of one walk along a line are computed without going round, and do what they did.

use crate::compared::compare;
use backend::Rng;
use wir::parse;
use wir_opt::optimise;

/// A loop of one walk along a line, and whether it can be closed: its places are in order, and it ends off the board.
///
/// The walk goes on where the place is in a set, which it leaves; it joins another set, in which it must not have been, and
/// counts. A round looks at the place that it carries, or at the next one.
fn line(rng: &mut Rng) -> (String, bool) {
    let mut below = |limit: u64| u64::from(rng.below(limit as u32));
    let table = |entries: &[u64]| {
        let all: Vec<String> = (0..128).map(|i| entries[i.min(entries.len() - 1)].to_string()).collect();
        format!("table [{}]", all.join(", "))
    };
    let places: u64 = [16, 32, 64][below(3) as usize];
    let (distance, upwards) = (1 + below(places / 4), below(2) == 0);
    let step = |x: u64| if upwards { Some(x + distance) } else { x.checked_sub(distance) };
    let mut steps: Vec<u64> = (0..places).map(|x| step(x).filter(|&y| y < places).unwrap_or(places)).collect();
    for _ in 0..below(3) {
        steps[below(places) as usize] = places;
    }
    let wild = below(5) == 0;
    if wild {
        (0..3).for_each(|_| steps[below(places) as usize] = below(places));
    }
    steps.push(places);
    let starts: Vec<u64> = (0..128).map(|_| below(places + 1)).collect();
    let last = 9;
    let counts: Vec<u64> = match below(3) {
        0 => (0..=last).map(|n| last.min(n + 1)).collect(),
        1 => (0..=last).map(|n: u64| n.saturating_sub(1)).collect(),
        _ => (0..=last).map(|_| below(last + 1)).collect(),
    };
    let firsts: Vec<u64> = (0..128).map(|_| below(last + 1)).collect();
    let tables: Vec<String> = [&steps, &starts, &counts, &firsts].into_iter().map(|entries| table(entries)).collect();
    let here = if below(2) == 0 { "add r21, r3" } else { "table 0, r21" };
    let apart = if below(4) == 0 { "or r2, r3" } else { "andnot r2, r10" };
    let text = format!(
        "state 4 {} fn f(r0) {{
            r1 = load 0  r2 = load 1  r3 = 0  r4 = 1  r5 = load 2  r6 = or r1, r5
            r7 = table 1, r0  r8 = load 3  r9 = table 3, r8  r10 = or r6, r3  r11 = {apart}  r12 = 4096
            loop (r20 = r3, r21 = r7, r22 = r9, r23 = r10, r24 = r11, r25 = r3, r26 = r3, r27 = r3, r28 = r3)
                -> (r50, r51, r52, r53, r54, r55, r56, r57, r58) {{
                r29 = {here}  r30 = shr r29, 6  r31 = select r30, r3, r23  r32 = shr r31, r29  r33 = and r32, r4
                r34 = select r30, r3, r24  r35 = shr r34, r29  r36 = and r35, r4
                r37 = table 0, r21  r38 = shl r4, r29  r39 = select r30, r3, r38  r40 = andnot r23, r39
                r41 = or r24, r39  r42 = table 2, r22
                r43 = and r33, r36  side_exit r43  r44 = eq r20, r12  side_exit r44  r45 = add r20, r4
                yield r33, r45, r37, r42, r40, r41, r29, r36, r23, r24
            }}
            r60 = shl r50, 20  r61 = shl r51, 10  r62 = or r60, r61  r63 = or r62, r52
            store 0, r53  store 1, r54  store 2, r57  store 3, r58
            r64 = shl r55, 32  r65 = shl r56, 40  r66 = or r64, r65  r67 = or r63, r66  yield r67
        }}",
        tables.join(" ")
    );
    (text, !wild && places == 64)
}

#[test]
fn lines_of_one_walk_are_closed() {
    let mut rng = Rng::new(8);
    let (mut in_order, mut closed, mut cases) = (0, 0, 0);
    for _ in 0..400 {
        let (text, ordered) = line(&mut rng);
        let program = parse(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
        let mut simpler = program.clone();
        optimise(&mut simpler);
        cases += compare(&program, &simpler, &mut rng);
        in_order += u32::from(ordered);
        closed += u32::from(ordered && !simpler.to_string().contains("loop"));
    }
    assert!(cases > 1000 && closed > 80 && closed == in_order, "{cases} cases, {closed} of {in_order} closed");
}

/// Several loops of walks in one function: where one ends another may begin, and not all of them can be closed.
#[allow(clippy::too_many_lines)] // one kind of loop after the other
fn walks(rng: &mut Rng, loops: u64) -> String {
    let mut below = |limit: u64| u64::from(rng.below(limit as u32));
    let mut tables: Vec<Vec<u64>> = Vec::new();
    let mut code = String::from("r1 = load 0  r2 = load 1  r3 = 0  r4 = 1  r5 = load 2  r6 = load 3  r7 = 63  ");
    let (mut words, mut places) = (vec![1, 2, 5, 6, 0], Vec::<u64>::new());
    let mut numbers: Vec<u64> = Vec::new();
    let mut next = 8;
    for _ in 0..loops {
        let size = [9, 16, 36, 49, 63, 64][below(6) as usize];
        let (distance, upwards) = (1 + below(size / 3), below(2) == 0);
        // The end: none, or a place.
        let none = if below(3) == 0 {
            64
        } else if below(2) == 0 {
            below(size)
        } else {
            if upwards { size - 1 } else { 0 }
        };
        let mut steps: Vec<u64> = (0..128)
            .map(|x| {
                let y = if upwards { Some(x + distance) } else { u64::checked_sub(x, distance) };
                if x >= size || x == none || below(12) == 0 { none } else { y.filter(|&y| y < size).unwrap_or(none) }
            })
            .collect();
        if below(8) == 0 {
            steps[below(size) as usize] = below(size);
        }
        let step = tables.len();
        tables.push(steps);
        let last = 1 + below(12);
        let counts: Vec<u64> = match below(4) {
            0 => (0..=last).map(|n| last.min(n + 1)).collect(),
            1 => (0..=last).map(|n: u64| n.saturating_sub(1)).collect(),
            2 => (0..=last).map(|n| (n + 1) % (last + 1)).collect(),
            _ => (0..=last).map(|_| below(last + 1)).collect(),
        };
        let ones: Vec<u64> =
            (0..128).map(|x| if x >= 64 && none >= 64 { [0, 1][below(2) as usize] } else { 1 << (x % 64) }).collect();
        let board: Vec<u64> = (0..128).map(|x| u64::from(x < size && below(9) > 0)).collect();
        let extra =
            [counts, (0..128).map(|_| below(size)).collect(), (0..128).map(|_| below(last + 1)).collect(), ones, board];
        tables.extend(extra);
        let pick = |words: &[u64], below: &mut dyn FnMut(u64) -> u64| words[below(words.len() as u64) as usize];
        let w = pick(&words, &mut below);
        let start = if places.is_empty() || below(3) == 0 {
            code += &format!("r{next} = table {}, r{w}  ", step + 2);
            next += 1;
            next - 1
        } else {
            pick(&places, &mut below)
        };
        let count = if numbers.is_empty() || below(2) == 0 {
            code += &format!("r{next} = table {}, r{w}  ", step + 3);
            next += 1;
            next - 1
        } else {
            pick(&numbers, &mut below)
        };
        let (a, b) = (pick(&words, &mut below), pick(&words, &mut below));
        let (free, other) = (next, next + 1);
        code += &format!(
            "r{free} = or r{a}, r{b}  r{other} = {} r{a}, r{b}  ",
            ["and", "xor", "andnot"][below(3) as usize]
        );
        next += 2;
        let p: Vec<u64> = (next..next + 6).collect();
        let t: Vec<u64> = (next + 6..next + 13).collect();
        next += 13;
        let x = |i: u64| next + i;
        let ahead = below(2) == 0;
        let here = if ahead { format!("table {step}, r{}", p[1]) } else { format!("add r{}, r3", p[1]) };
        let guarded = below(3) > 0;
        code += &format!(
            "loop (r{} = r3, r{} = r{start}, r{} = r{count}, r{} = r{free}, r{} = r{other}, r{} = r3) -> (r{}, r{}, r{}, r{}, r{}, r{}) {{ ",
            p[0], p[1], p[2], p[3], p[4], p[5], t[0], t[1], t[2], t[3], t[4], t[5]
        );
        code += &format!("r{} = {here}  ", x(0));
        code += &format!("r{} = shr r{}, 6  ", x(1), x(0));
        let word = |code: &mut String, to: u64, set: u64| {
            if guarded {
                *code += &format!("r{to} = select r{}, r3, r{set}  ", x(1));
            } else {
                *code += &format!("r{to} = or r{set}, r{set}  ");
            }
        };
        word(&mut code, x(2), if guarded { p[3] } else { free });
        code += &format!("r{} = shr r{}, r{}  r{} = and r{}, r4  ", x(3), x(2), x(0), x(4), x(3));
        word(&mut code, x(5), if guarded { p[4] } else { other });
        code += &format!("r{} = shr r{}, r{}  r{} = and r{}, r4  ", x(6), x(5), x(0), x(7), x(6));
        code += &format!("r{} = table {}, r{}  ", x(8), step + 5, x(0));
        code += &match below(5) {
            0 => format!("r{} = andnot r{}, r{}  ", x(9), x(4), x(7)),
            1 => format!("r{} = and r{}, r{}  ", x(9), x(4), x(8)),
            2 => format!("r{} = eq r{}, r3  r{} = and r{}, r{}  ", x(20), x(4), x(9), x(20), x(8)),
            3 => format!("r{} = or r{}, r{}  ", x(9), x(4), x(7)),
            _ => format!("r{} = and r{}, r{}  ", x(9), x(4), x(7)),
        };
        code += &format!("r{} = table {}, r{}  ", x(10), step + 4, x(0));
        code += &format!("r{} = {} r{}, r{}  ", x(11), ["or", "andnot"][below(2) as usize], p[3], x(10));
        code += &format!(
            "r{} = {} r{}, r{}  ",
            x(12),
            ["or", "andnot", "xor"][if below(9) == 0 { 2 } else { below(2) as usize }],
            p[4],
            x(10)
        );
        code += &format!("r{} = table {}, r{}  r{} = add r{}, r4  ", x(13), step + 1, p[2], x(14), p[0]);
        code += &format!("r{} = table {step}, r{}  ", x(15), p[1]);
        if below(4) == 0 {
            code += &format!("side_exit r{}  ", [x(4), x(7)][below(2) as usize]);
        }
        if below(4) == 0 {
            code += &format!(
                "r{} = {}  r{} = eq r{}, r{}  side_exit r{}  ",
                x(16),
                [70, 40][below(2) as usize],
                x(17),
                p[0],
                x(16),
                x(17)
            );
        }
        code += &format!(
            "yield r{}, r{}, r{}, r{}, r{}, r{}, r{} }} ",
            x(9),
            x(14),
            x(15),
            x(13),
            x(11),
            x(12),
            [x(0), x(7), x(4)][below(3) as usize]
        );
        next += 21;
        places.push(t[1]);
        numbers.push(t[2]);
        words.extend([t[3], t[4], t[0], t[5]]);
    }
    let mut sum = 0;
    for word in places.iter().chain(&numbers).chain(&words) {
        code += &format!(
            "r{next} = 0x9e3779b97f4a7c15  r{} = mul r{sum}, r{next}  r{} = xor r{}, r{word}  ",
            next + 1,
            next + 2,
            next + 1
        );
        sum = next + 2;
        next += 3;
    }
    let text: Vec<String> = tables
        .iter()
        .map(|entries| {
            let all: Vec<String> = (0..128).map(|i| entries[i.min(entries.len() - 1)].to_string()).collect();
            format!("table [{}]", all.join(", "))
        })
        .collect();
    format!("state 4 {} fn f(r0) {{ {code} yield r{sum} }}", text.join(" "))
}

#[test]
fn walks_after_walks() {
    let (mut cases, mut loops, mut left) = (0, 0, 0);
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let number = 1 + seed % 4;
        let text = walks(&mut rng, number);
        let program = parse(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
        let mut simpler = program.clone();
        optimise(&mut simpler);
        loops += number as usize;
        left += simpler.to_string().matches("loop (").count();
        cases += compare(&program, &simpler, &mut rng);
    }
    assert!(cases > 1000 && left < loops * 19 / 20, "{cases} cases, {left} of {loops} loops left");
}

/// What was noted of the registers of an attempt that came to nothing is not taken for what later registers are.
#[test]
fn attempts_leave_nothing_behind() {
    let table = |f: &dyn Fn(u64) -> u64| {
        format!("table [{}] ", (0..128).map(|x| f(x).to_string()).collect::<Vec<_>>().join(", "))
    };
    // The first two lines end at 40; the third goes on from the first places, but round and round at the others.
    let tables = [
        table(&|x| if x < 3 { x + 1 } else { 40 }),
        table(&|x| 2 + x % 2),
        table(&|x| {
            if x < 20 {
                x + 1
            } else if (40..64).contains(&x) {
                x ^ 1
            } else {
                64
            }
        }),
    ];
    for pad in 0..6 {
        let mut body = String::new();
        let (mut sum, mut next) = (198, 200);
        for _ in 0..pad {
            body += &format!("r{next} = mul r{sum}, r6  ");
            (sum, next) = (next, next + 1);
        }
        for i in 0..40 {
            body += &format!(
                "r{next} = add r100, r{}  r{} = and r{next}, r9  r{} = mul r{sum}, r{}  ",
                20 + i,
                next + 1,
                next + 2,
                next + 1
            );
            (sum, next) = (next + 2, next + 3);
        }
        let constants: String = (0..40).map(|i| format!("r{} = {}  ", 20 + i, 1000 + 77 * i)).collect();
        let text = format!(
            "state 4 {} fn f(r0) {{
                r1 = load 0  r2 = load 1  r3 = 0  r4 = 1  r5 = load 2  r6 = load 3  r7 = 63  r9 = 7  {constants}
                r10 = table 1, r1  r11 = table 1, r2
                loop (r100 = r3, r101 = r10, r102 = r6) -> (r110, r111, r112) {{
                    r198 = and r100, r9  {body}  r120 = shr r1, r101  r121 = and r120, r4
                    r122 = eq r{sum}, r7  side_exit r122  r123 = add r100, r4  r124 = table 0, r101
                    yield r121, r123, r124, r{sum}
                }}
                loop (r130 = r11) -> (r131) {{
                    r132 = shr r2, r130  r133 = and r132, r4  r134 = table 0, r130  yield r133, r134
                }}
                loop (r140 = r131, r141 = r3) -> (r142, r143) {{
                    r144 = shr r140, 6  r145 = select r144, r3, r5  r146 = shr r145, r140  r147 = and r146, r4
                    r148 = table 2, r140  r149 = add r141, r4  yield r147, r148, r149
                }}
                r150 = mul r112, r7  r151 = add r150, r142  r152 = mul r151, r7  r153 = add r152, r143
                yield r153
            }}",
            tables.concat()
        );
        let program = parse(&text).unwrap();
        let mut simpler = program.clone();
        optimise(&mut simpler);
        let mut rng = Rng::new(3);
        for _ in 0..50 {
            compare(&program, &simpler, &mut rng);
        }
    }
}
