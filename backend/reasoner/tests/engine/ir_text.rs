//! The text form of reasoner programs: what is printed parses to the same, and errors say where they are.

use backend::Rng;
use wir::verify::verify;
use wir::{Block, Function, Inst, Program, parse};

#[test]
fn random_programs_are_valid_and_survive_the_text() {
    let mut rng = Rng::new(1);
    for round in 0..2000 {
        let mut program = crate::ir::program(&mut rng, 1 + round % 60);
        verify(&program).unwrap_or_else(|e| panic!("{e}\n{program}"));
        if let Some(function) = program.functions.first_mut().filter(|_| round % 5 == 0) {
            function.registers += 3;
            function.name = "r07 \"ü\\\n\u{7f}".to_owned();
        }
        let text = program.to_string();
        let again = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(again, program, "{text}");
    }
}

#[test]
fn the_form_is_free() {
    let text = "state 1 table [1, 0x2] fn f(r0) { r1 = load 0 // all on one line\n store 0, r0 yield r1 }";
    let program = parse(text).unwrap();
    verify(&program).unwrap();
    let expected = "state 1\ntable [1, 2]\n\nfn f(r0) {\n  r1 = load 0\n  store 0, r0\n  yield r1\n}\n";
    assert_eq!(program.to_string(), expected);
}

#[test]
fn errors_say_where() {
    let cases = [
        ("states 4", "1:1: `states` instead of `state`, `table` or `fn`"),
        ("fn f() {\n  r0 = nand r1, r2\n}", "2:8: `nand` is no operation"),
        ("fn f() {\n  jump 3\n}", "2:3: `jump` is no instruction"),
        ("fn f() {\n  r0 = within 1, r2, r3\n}", "2:18: `r2` instead of"),
        ("fn f() {\n  r0 = shl r1 3\n}", "2:15: `3` instead of `,`"),
        ("fn f(r1) {}", "1:5: the parameters"),
        ("fn f() { yield r1, }", "1:20: `}` instead of a register"),
        ("fn f() { r1 = 5", "1:16: the end instead of an instruction"),
        ("fn f() { r1 = 99999999999999999999 }", "1:15: `99999999999999999999` is no number"),
        ("state 0x100000000", "1:7: `4294967296` is too large"),
        ("fn \"f", "1:6: a name without closing quote"),
        ("fn \"\\q\"", "1:5: after `\\`"),
        ("fn f() { r1 ~ 5 }", "1:13: `~` means nothing"),
        ("fn {", "1:4: `{` instead of the name"),
        ("table [1 2]", "1:10: `2` instead of `,`"),
    ];
    for (text, expected) in cases {
        let error = parse(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
    let deep = format!("fn f() {{ {} }}", "if r0 { ".repeat(100_000));
    assert!(parse(&deep).unwrap_err().message.contains("nested"));
}

#[test]
fn broken_texts_are_refused_without_a_panic() {
    let mut rng = Rng::new(2);
    for _ in 0..300 {
        let mut text: Vec<char> = crate::ir::program(&mut rng, 12).to_string().chars().collect();
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(text.len() as u32) as usize;
            match rng.below(3) {
                0 => drop(text.remove(at)),
                1 => text.truncate(at.max(1)),
                _ => text[at] = ['{', '}', 'r', '9', ',', '=', '"', '\\', 'é'][rng.below(9) as usize],
            }
        }
        if let Ok(program) = parse(&text.into_iter().collect::<String>()) {
            let _ = verify(&program);
        }
    }
}

#[test]
fn an_empty_else_is_not_shown() {
    let then = Block { insts: vec![Inst::Emit { base: 0 }], yields: vec![] };
    let body = Block { insts: vec![Inst::If { cond: 0, then, other: Block::default(), to: vec![] }], yields: vec![] };
    let function = Function { name: "f".to_owned(), params: 1, registers: 1, body };
    let program = Program { functions: vec![function], ..Program::default() };
    assert_eq!(program.to_string(), "state 0\n\nfn f(r0) {\n  if r0 {\n    emit r0\n  }\n}\n");
    assert_eq!(parse(&program.to_string()).unwrap(), program);
}
