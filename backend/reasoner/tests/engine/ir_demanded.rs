//! Bits that are only asked whether they are there, sets that are the same under a condition, and what choices yield.

use crate::simplified as texts;

use backend::Rng;

fn simplified(text: &str, rng: &mut Rng) -> String {
    texts::simplified(text, 20, rng).1.to_string()
}

fn table(entries: impl Iterator<Item = u64>) -> String {
    let entries: Vec<String> = entries.map(|entry| entry.to_string()).collect();
    format!(" table [{}]", entries.join(", "))
}

/// Whether one of some squares that tables tell has a piece: squares beyond the board, which have number 64, have none.
#[test]
fn bits_in_unions_are_masks() {
    let mut rng = Rng::new(11);
    for _ in 0..40 {
        let count = 2 + rng.below(5);
        let mut text = "state 2".to_owned();
        for _ in 0..count {
            let places: Vec<u64> = (0..32).map(|_| u64::from(rng.below(80).min(64))).collect();
            text += &table(places.into_iter());
        }
        text += " fn f(r0) { r1 = 1  r2 = 64  r3 = load 0  r4 = load 1 ";
        for part in 0..count {
            let (at, word) = (10 + 5 * part, [3, 4][rng.below(2) as usize]);
            text += &format!(
                " r{at} = table {part}, r0 r{} = shr r{word}, r{at} r{} = and r{}, r1 r{} = less r{at}, r2 r{} = and r{}, r{}",
                at + 1,
                at + 2,
                at + 1,
                at + 3,
                at + 4,
                at + 2,
                at + 3,
            );
        }
        let mut union = "r14".to_owned();
        for part in 1..count {
            text += &format!(" r{} = or {union}, r{}", 50 + part, 14 + 5 * part);
            union = format!("r{}", 50 + part);
        }
        text += &format!(" r70 = add {union}, r3 yield r70 }}");
        let simpler = simplified(&text, &mut rng);
        assert!(!simpler.contains("less"), "{simpler}");
    }
}

/// A line from its first square on and from its second one on, without the pieces that one set has: the same if the first
/// square has such a piece, and only then.
#[test]
fn lines_are_the_same_behind_a_known_square() {
    let mut rng = Rng::new(12);
    let first = |at: u64| if at < 31 { 1 << (at + 1) } else { 0 };
    let behind = |at: u64| if at < 31 { (!0u32 << at) as u64 & !(3 << at) } else { 0 };
    let tables = |line: &dyn Fn(u64) -> u64| {
        format!("state 2{}{}{}", table((0..32).map(first)), table((0..32).map(behind)), table((0..32).map(line)))
    };
    let code = |cond: &str| {
        format!(
            " fn f(r0) {{
                r1 = 0  r2 = load 0  r3 = load 1  r4 = table 0, r0  r5 = and r2, r4  r6 = {cond}
                if r6 -> (r20) {{
                    r7 = table 1, r0  r8 = andnot r7, r2  r9 = lowest r8
                    r10 = table 2, r0  r11 = andnot r10, r2  r12 = lowest r11
                    r13 = shl r9, 8  r14 = or r13, r12  yield r14
                }} else {{ yield r3 }}
                yield r20
            }}"
        )
    };
    let line = |at: u64| first(at) | behind(at);
    let cuts = |simpler: &str| simpler.matches("andnot").count();
    for cond in ["ne r5, r1", "or r5, r5"] {
        let simpler = simplified(&(tables(&line) + &code(cond)), &mut rng);
        assert_eq!(cuts(&simpler), 1, "{simpler}");
    }
    // Neither another square more, nor a condition that says nothing of the square.
    let longer = |at: u64| line(at) | 1 << 40;
    for text in
        [tables(&longer) + &code("ne r5, r1"), tables(&line) + &code("ne r3, r1"), tables(&line) + &code("eq r5, r1")]
    {
        let simpler = simplified(&text, &mut rng);
        assert_eq!(cuts(&simpler), 2, "{simpler}");
    }
}

/// What decides is known in both arms, and tells a result that only says which arm it was.
#[test]
fn choices_yield_what_decides() {
    let mut rng = Rng::new(13);
    let simpler = simplified(
        "state 3 fn f(r0) {
            r1 = 0  r2 = 1  r3 = load 0  r4 = less r0, r3  r5 = ne r3, r1
            if r4 -> (r6, r7) { store 1, r0  store 2, r3  yield r4, r2 } else { store 1, r3  yield r1, r4 }
            if r3 -> (r8) { store 2, r0  store 1, r3  yield r5 } else { store 2, r4  yield r1 }
            r9 = add r6, r7  r10 = add r9, r8  yield r10
        }",
        &mut rng,
    );
    assert!(!simpler.contains("->"), "{simpler}");
}
