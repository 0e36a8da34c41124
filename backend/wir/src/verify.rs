//! Checks that a program keeps the rules of [`crate`]; engines rely on them.

use super::calls::{MAX_CALLED_ROUNDS, rounds};
use super::effects::Effects;
use super::{Block, FnId, Function, Inst, MAX_WIDTH, Op, Program, Reg, Table, stride};

/// How deep blocks may be nested in each other.
pub const MAX_DEPTH: usize = 200;

/// How many words of scratch memory there may be.
pub const MAX_SCRATCH: u32 = 1 << 22;

/// How many registers a function may have.
pub const MAX_REGISTERS: u32 = 1 << 24;

/// Checks every rule of [`crate`]: each register is defined once and before its uses, blocks yield what is expected
/// of them, and indices of tables and state words, shifts and sizes are in range.
///
/// # Errors
/// The first broken rule or bound, with the function's name.
pub fn verify(program: &Program) -> Result<(), String> {
    within(program, Bounds::Kept)
}

/// As [`verify`], without the bounds on sizes: a program beyond them is refused later, but is no defect of what made it.
///
/// # Errors
/// As for [`verify`], the first broken rule.
pub fn verify_rules(program: &Program) -> Result<(), String> {
    within(program, Bounds::Ignored)
}

/// As [`verify_rules`], for a function that is to become one of a program. Linear in the function alone: what depends on its
/// number among the others is not looked at.
///
/// # Errors
/// As for [`verify_rules`].
pub fn verify_function(program: &Program, function: &Function) -> Result<(), String> {
    let checker = Checker { number: program.functions.len(), ..Checker::new(program, Bounds::Ignored) };
    checker.function(function).map_err(|error| format!("{}: {error}", function.name))
}

fn within(program: &Program, bounds: Bounds) -> Result<(), String> {
    for (index, table) in program.tables.iter().enumerate() {
        if !table.entries.len().is_power_of_two() {
            return Err(format!("table {index} has {} entries, which is no power of two", table.entries.len()));
        }
    }
    if program.scratch_words > MAX_SCRATCH || (program.scratch_words > 0 && !program.scratch_words.is_power_of_two()) {
        return Err(format!("{} words of scratch memory", program.scratch_words));
    }
    let rounds = rounds(program);
    let effects: Vec<Effects> = program.functions.iter().map(|function| Effects::of(&function.body)).collect();
    for (number, function) in program.functions.iter().enumerate() {
        let checker = Checker { rounds: Some(&rounds), effects: &effects, number, ..Checker::new(program, bounds) };
        checker.function(function).map_err(|e| format!("function {number} ({}): {e}", function.name))?;
    }
    Ok(())
}

/// Whether sizes are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bounds {
    /// What exceeds a bound is refused.
    Kept,
    /// Blocks that are nested too deep, and functions with too many registers, are not looked into.
    Ignored,
}

struct Checker<'a> {
    program: &'a Program,
    bounds: Bounds,
    /// Rounds of loops by function, if they matter.
    rounds: Option<&'a [u64]>,
    /// Effects of functions, as far as they are known already.
    effects: &'a [Effects],
    /// The number of the function.
    number: usize,
    /// Whether it works on scratch memory.
    memory: bool,
    /// By register: whether it has been defined anywhere.
    defined: Vec<bool>,
    /// By register: whether it can be used here.
    visible: Vec<bool>,
    /// The visible registers in the order of their definitions.
    scope: Vec<Reg>,
}

impl<'a> Checker<'a> {
    fn new(program: &'a Program, bounds: Bounds) -> Self {
        Self {
            program,
            bounds,
            rounds: None,
            effects: &[],
            number: 0,
            memory: false,
            defined: Vec::new(),
            visible: Vec::new(),
            scope: Vec::new(),
        }
    }

    fn function(mut self, function: &Function) -> Result<(), String> {
        let Function { params, registers, ref body, .. } = *function;
        if registers > MAX_REGISTERS {
            return self.beyond(|| format!("{registers} registers, more than {MAX_REGISTERS}"));
        }
        self.defined = vec![false; registers as usize];
        self.visible = self.defined.clone();
        self.memory = Effects::of(body).memory;
        for param in 0..params {
            self.define(param)?;
        }
        self.block(body, body.yields.len(), 0)
    }

    /// What exceeds a bound.
    fn beyond(&self, what: impl FnOnce() -> String) -> Result<(), String> {
        if self.bounds == Bounds::Kept { Err(what()) } else { Ok(()) }
    }

    fn define(&mut self, register: Reg) -> Result<(), String> {
        let Some((defined, visible)) =
            self.defined.get_mut(register as usize).zip(self.visible.get_mut(register as usize))
        else {
            return Err(format!("r{register} is not below the number of registers"));
        };
        if *defined {
            return Err(format!("r{register} is defined twice"));
        }
        (*defined, *visible) = (true, true);
        self.scope.push(register);
        Ok(())
    }

    fn define_all(&mut self, registers: &[Reg]) -> Result<(), String> {
        registers.iter().try_for_each(|&register| self.define(register))
    }

    fn read(&self, register: Reg) -> Result<(), String> {
        match self.visible.get(register as usize) {
            Some(true) => Ok(()),
            _ => Err(format!("r{register} is used where it has no value")),
        }
    }

    /// Leaves a scope that was entered when `mark` registers were visible.
    fn leave(&mut self, mark: usize) {
        for register in self.scope.drain(mark.min(self.scope.len())..) {
            if let Some(visible) = self.visible.get_mut(register as usize) {
                *visible = false;
            }
        }
    }

    fn block(&mut self, block: &Block, yields: usize, depth: usize) -> Result<(), String> {
        if depth > MAX_DEPTH {
            return self.beyond(|| format!("blocks are nested more than {MAX_DEPTH} deep"));
        }
        let mark = self.scope.len();
        for inst in &block.insts {
            self.inst(inst, depth)?;
        }
        if block.yields.len() != yields {
            return Err(format!("a block yields {} values instead of {yields}", block.yields.len()));
        }
        block.yields.iter().try_for_each(|&register| self.read(register))?;
        self.leave(mark);
        Ok(())
    }

    fn inst(&mut self, inst: &Inst, depth: usize) -> Result<(), String> {
        match inst {
            Inst::Let { to, op } => {
                self.op(*op)?;
                self.define(*to)
            }
            Inst::Store { word, value } => {
                self.word(*word)?;
                self.read(*value)
            }
            Inst::If { cond, then, other, to } => {
                self.read(*cond)?;
                self.block(then, to.len(), depth + 1)?;
                self.block(other, to.len(), depth + 1)?;
                self.define_all(to)
            }
            Inst::Switch { on, cases, to } => {
                self.read(*on)?;
                if cases.is_empty() {
                    return Err("a switch without cases".to_owned());
                }
                cases.iter().try_for_each(|case| self.block(case, to.len(), depth + 1))?;
                self.define_all(to)
            }
            Inst::Each { set, item, carried, body, to } => {
                self.read(*set)?;
                self.repeated(Some(*item), carried, body, carried.len(), to, depth)
            }
            Inst::Loop { carried, body, to } => self.repeated(None, carried, body, carried.len() + 1, to, depth),
            Inst::Call { function, args, to } => {
                args.iter().try_for_each(|&arg| self.read(arg))?;
                self.called(*function, args.len())?;
                self.define(*to)
            }
            Inst::Peek { to, at } => {
                self.scratch()?;
                self.read(*at)?;
                self.define(*to)
            }
            Inst::Poke { at, value } => {
                self.scratch()?;
                self.read(*at)?;
                self.read(*value)
            }
            Inst::Emit { base: value } | Inst::SideExit { cond: value } => self.read(*value),
            Inst::EmitSet { base, set, shift } => {
                self.read(*base)?;
                self.read(*set)?;
                amount(*shift)
            }
        }
    }

    fn called(&self, function: FnId, args: usize) -> Result<(), String> {
        let number = function as usize;
        let effects =
            |callee: &Function| self.effects.get(number).copied().unwrap_or_else(|| Effects::of(&callee.body));
        let procedure = |callee: &&Function| self.memory && effects(callee).is_procedure();
        if let Some(callee) = self.program.functions.get(number).filter(procedure) {
            let found = (callee.params as usize, callee.body.yields.len());
            return if found == (args, 1) { Ok(()) } else { Err(mismatch(function, callee, args)) };
        }
        let Some(callee) = self.program.functions.get(number).filter(|_| number < self.number) else {
            return Err(format!("function {function}, which is called, is not before this one"));
        };
        if (callee.params as usize, callee.body.yields.len()) != (args, 1) {
            return Err(mismatch(function, callee, args));
        }
        if effects(callee) != Effects::default() {
            return Err(format!("function {function} is called, but does more than to compute"));
        }
        if self.rounds.is_some_and(|all| all.get(number).is_none_or(|&rounds| rounds > MAX_CALLED_ROUNDS)) {
            return Err(format!("function {function} is called, but its loops have too many rounds"));
        }
        Ok(())
    }

    fn repeated(
        &mut self,
        item: Option<Reg>,
        carried: &[(Reg, Reg)],
        body: &Block,
        yields: usize,
        to: &[Reg],
        depth: usize,
    ) -> Result<(), String> {
        if carried.len() != to.len() {
            return Err(format!("{} carried values and {} results", carried.len(), to.len()));
        }
        carried.iter().try_for_each(|&(_, first)| self.read(first))?;
        let mark = self.scope.len();
        item.into_iter().chain(carried.iter().map(|&(param, _)| param)).try_for_each(|param| self.define(param))?;
        self.block(body, yields, depth + 1)?;
        self.leave(mark);
        self.define_all(to)
    }

    fn op(&self, op: Op) -> Result<(), String> {
        op.reads().try_for_each(|register| self.read(register))?;
        match op {
            Op::ShlBy(_, by) | Op::ShrBy(_, by) => amount(by),
            Op::Load(word) => self.word(word),
            Op::Table(table, _) => self.table(table).map(drop),
            Op::Within(table, width, ..) => match self.table(table)?.entries.len() {
                length if (1..=MAX_WIDTH).contains(&width) && stride(width) <= length => Ok(()),
                length => Err(format!("a row of {width} entries in a table of {length}")),
            },
            _ => Ok(()),
        }
    }

    fn table(&self, table: u32) -> Result<&Table, String> {
        self.program.tables.get(table as usize).ok_or_else(|| format!("there is no table {table}"))
    }

    fn scratch(&self) -> Result<(), String> {
        if self.program.scratch_words > 0 { Ok(()) } else { Err("there is no scratch memory".to_owned()) }
    }

    fn word(&self, word: u32) -> Result<(), String> {
        if word < self.program.state_words {
            return Ok(());
        }
        Err(format!("there is no word {word} in a state of {}", self.program.state_words))
    }
}

fn mismatch(function: FnId, callee: &Function, args: usize) -> String {
    let (params, results) = (callee.params, callee.body.yields.len());
    format!("function {function} with {params} parameters and {results} results is called with {args} arguments")
}

fn amount(by: u32) -> Result<(), String> {
    if by < 64 { Ok(()) } else { Err(format!("a shift by {by}")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Table;

    fn check(registers: u32, insts: Vec<Inst>, yields: Vec<Reg>) -> Result<(), String> {
        let body = Block { insts, yields };
        let function = Function { name: "f".to_owned(), params: 1, registers, body };
        let tables = vec![Table { entries: vec![1, 2] }];
        verify(&Program { tables, functions: vec![function], state_words: 1, scratch_words: 0 })
    }

    fn set(to: Reg, op: Op) -> Inst {
        Inst::Let { to, op }
    }

    fn block(insts: Vec<Inst>, yields: Vec<Reg>) -> Block {
        Block { insts, yields }
    }

    #[test]
    fn good_programs_pass() {
        let body = block(vec![set(4, Op::And(1, 2))], vec![4]);
        let each = Inst::Each { set: 0, item: 1, carried: vec![(2, 0)], body: body.clone(), to: vec![3] };
        check(5, vec![each], vec![3]).unwrap();
        let turn =
            Inst::Loop { carried: vec![(1, 0)], body: block(vec![set(2, Op::Load(0))], vec![2, 1]), to: vec![3] };
        check(4, vec![turn, Inst::EmitSet { base: 3, set: 0, shift: 63 }], vec![]).unwrap();
        let pick = Inst::Switch { on: 0, cases: vec![Block::default()], to: vec![] };
        check(2, vec![pick, set(1, Op::Within(0, 2, 0, 0)), Inst::Store { word: 0, value: 1 }], vec![1, 1]).unwrap();
    }

    #[test]
    fn bad_programs_are_named() {
        let cases: Vec<(&str, Vec<Inst>, Vec<Reg>)> = vec![
            ("defined twice", vec![set(0, Op::Const(1))], vec![]),
            ("not below", vec![set(9, Op::Const(1))], vec![]),
            ("no value", vec![set(1, Op::Not(1))], vec![]),
            ("no value", vec![], vec![9]),
            ("a shift by 64", vec![set(1, Op::ShlBy(0, 64))], vec![]),
            ("a shift by 64", vec![Inst::EmitSet { base: 0, set: 0, shift: 64 }], vec![]),
            ("no table 1", vec![set(1, Op::Table(1, 0))], vec![]),
            ("no table 1", vec![set(1, Op::Within(1, 1, 0, 0))], vec![]),
            ("a row of 0 entries", vec![set(1, Op::Within(0, 0, 0, 0))], vec![]),
            ("a row of 3 entries in a table of 2", vec![set(1, Op::Within(0, 3, 0, 0))], vec![]),
            ("a row of 65 entries", vec![set(1, Op::Within(0, 65, 0, 0))], vec![]),
            ("no value", vec![set(1, Op::Within(0, 2, 0, 1))], vec![]),
            ("no word 1", vec![set(1, Op::Load(1))], vec![]),
            ("no word 7", vec![Inst::Store { word: 7, value: 0 }], vec![]),
            ("without cases", vec![Inst::Switch { on: 0, cases: vec![], to: vec![] }], vec![]),
            (
                "yields 0 values instead of 1",
                vec![Inst::If { cond: 0, then: Block::default(), other: Block::default(), to: vec![1] }],
                vec![],
            ),
            (
                "no value",
                vec![Inst::If {
                    cond: 0,
                    then: block(vec![set(1, Op::Const(1))], vec![]),
                    other: Block::default(),
                    to: vec![],
                }],
                vec![1],
            ),
            (
                "1 carried values and 0 results",
                vec![Inst::Loop { carried: vec![(1, 0)], body: block(vec![], vec![0, 0]), to: vec![] }],
                vec![],
            ),
            (
                "no value",
                vec![Inst::Each { set: 0, item: 1, carried: vec![(2, 1)], body: block(vec![], vec![2]), to: vec![3] }],
                vec![],
            ),
            ("yields 0 values", vec![Inst::Loop { carried: vec![], body: Block::default(), to: vec![] }], vec![]),
        ];
        for (expected, insts, yields) in cases {
            let error = check(5, insts.clone(), yields).unwrap_err();
            assert!(error.contains(expected), "{error}: {insts:?}");
        }
    }

    #[test]
    fn sizes_have_limits() {
        let mut insts = Vec::new();
        for _ in 0..MAX_DEPTH + 1 {
            let then = block(insts, vec![]);
            insts = vec![Inst::If { cond: 0, then, other: Block::default(), to: vec![] }];
        }
        assert!(check(1, insts, vec![]).unwrap_err().contains("nested more than"));
        assert!(check(u32::MAX, vec![], vec![]).unwrap_err().contains("registers"));
        let tables = vec![Table { entries: vec![0; 3] }];
        let program = Program { tables, functions: vec![], state_words: 0, scratch_words: 0 };
        assert!(verify(&program).unwrap_err().contains("power of two"));
    }
}
