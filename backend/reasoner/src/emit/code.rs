//! Functions of a reasoner program as source text. Both languages have blocks, loops and words; a register becomes a
//! variable that is assigned once, a constant is written where it is used.

use super::Target;
use std::fmt::Write as _;
use wir::effects::Effects;
use wir::uses::size;
use wir::{Block, FnId, Function, Inst, Op, Program, Reg, stride};

/// Rounds of loops after which a function gives up.
const MAX_ROUNDS: u64 = 100_000_000;

/// Most instructions of a function that is part of those that call it.
const MAX_INLINE: usize = 600;

/// What a function is for, and with it what it takes and returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Lists the moves of a state.
    Decide,
    /// Makes a move.
    Apply,
    /// Reads a part of a label.
    Label,
    /// Is called by others; works on scratch memory.
    Procedure,
    /// Is called by others, and only computes.
    Pure,
}

impl Role {
    /// What a function is for that others call.
    pub(super) fn of_called(function: &Function) -> Self {
        if Effects::of(&function.body).is_procedure() { Role::Procedure } else { Role::Pure }
    }

    /// Whether the function may have no answer.
    fn may_fail(self) -> bool {
        !matches!(self, Role::Procedure | Role::Pure)
    }
}

/// Writes a function.
pub(super) fn function(target: Target, program: &Program, (number, role): (FnId, Role)) -> String {
    let Some(function) = program.functions.get(number as usize) else { return String::new() };
    let mut writer = Writer {
        target,
        program,
        role,
        names: vec![None; function.registers as usize],
        read: vec![false; function.registers as usize],
        text: String::new(),
        depth: 1,
        labels: 0,
    };
    writer.note_results(&function.body);
    let what: String = function.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let allow = if target == Target::Rust { "#[allow(unused_variables, unused_assignments)]\n" } else { "" };
    let _ = writeln!(writer.text, "// {what}\n{allow}{} {{", head(target, program, (number, role)));
    if target == Target::Cpp {
        let unused: Vec<String> =
            arguments(program, (number, role)).iter().map(|name| format!("(void){name};")).collect();
        writer.line(&unused.join(" "));
    }
    if role.may_fail() && loops(&function.body) {
        let declared = writer.target.variable("rounds");
        writer.line(&format!("{declared} = 0;"));
    }
    writer.insts(&function.body);
    writer.finish(&function.body);
    writer.text.push_str("}\n\n");
    writer.text
}

/// The declaration of a function.
pub(super) fn head(target: Target, program: &Program, (number, role): (FnId, Role)) -> String {
    let types: Vec<String> = arguments(program, (number, role))
        .iter()
        .map(|name| match (target, name.as_str(), role) {
            (Target::Rust, "s", Role::Apply) => "s: &mut [u64; WORDS]".to_owned(),
            (Target::Rust, "s", _) => "s: &[u64; WORDS]".to_owned(),
            (Target::Rust, "out", _) => "out: &mut S".to_owned(),
            (Target::Rust, "m", _) => "m: &mut [u64; SCRATCH]".to_owned(),
            (Target::Rust, name, _) => format!("{name}: u64"),
            (Target::Cpp, "s", Role::Apply) => "std::array<u64, WORDS>& s".to_owned(),
            (Target::Cpp, "s", _) => "const std::array<u64, WORDS>& s".to_owned(),
            (Target::Cpp, "out", _) => "S& out".to_owned(),
            (Target::Cpp, "m", _) => "u64* m".to_owned(),
            (Target::Cpp, name, _) => format!("u64 {name}"),
        })
        .collect();
    let types = types.join(", ");
    match (target, role) {
        (Target::Rust, Role::Decide) => format!("fn f{number}<S: Sink>({types}) -> Option<()>"),
        (Target::Rust, Role::Apply) => format!("fn f{number}({types}) -> Option<()>"),
        (Target::Rust, Role::Label) => format!("fn f{number}({types}) -> Option<u64>"),
        (Target::Rust, Role::Procedure | Role::Pure) => format!("fn f{number}({types}) -> u64"),
        (Target::Cpp, Role::Decide) => {
            format!("template <class S>\n{} bool f{number}({types})", inlining(program, number))
        }
        (Target::Cpp, Role::Apply) => format!("{} bool f{number}({types})", inlining(program, number)),
        (Target::Cpp, Role::Label) => format!("inline bool f{number}({types}, u64& result)"),
        (Target::Cpp, Role::Procedure | Role::Pure) => format!("inline u64 f{number}({types})"),
    }
}

/// Whether a function is part of those that call it, so that the state stays in registers.
fn inlining(program: &Program, number: FnId) -> &'static str {
    let size = program.functions.get(number as usize).map_or(0, |function| size(&function.body));
    if size <= MAX_INLINE { "RGC_INLINE" } else { "inline" }
}

/// The names of what a function takes: the state, what becomes of the moves, scratch memory, and words.
fn arguments(program: &Program, (number, role): (FnId, Role)) -> Vec<String> {
    let fixed: &[&str] = match role {
        Role::Decide => &["s", "out", "m"],
        Role::Apply | Role::Label => &["s", "m"],
        Role::Procedure => &["m"],
        Role::Pure => &[],
    };
    let params = program.functions.get(number as usize).map_or(0, |function| function.params);
    let fixed = fixed.iter().filter(|&&name| name != "m" || program.scratch_words > 0).map(|&name| name.to_owned());
    fixed.chain((0..params).map(|param| format!("r{param}"))).collect()
}

/// Whether there is a loop that need not end.
fn loops(block: &Block) -> bool {
    block.insts.iter().any(|inst| match inst {
        Inst::Loop { .. } => true,
        Inst::If { then, other, .. } => loops(then) || loops(other),
        Inst::Switch { cases, .. } => cases.iter().any(loops),
        Inst::Each { body, .. } => loops(body),
        _ => false,
    })
}

impl Target {
    /// Declares a variable that changes.
    fn variable(self, name: &str) -> String {
        match self {
            Target::Rust => format!("let mut {name}: u64"),
            Target::Cpp => format!("u64 {name}"),
        }
    }

    /// Declares a variable that does not.
    fn value(self, name: &str) -> String {
        match self {
            Target::Rust => format!("let {name}: u64"),
            Target::Cpp => format!("const u64 {name}"),
        }
    }

    fn condition(self, value: &str) -> String {
        match self {
            Target::Rust => format!("{value} != 0"),
            Target::Cpp => format!("({value} != 0)"),
        }
    }

    fn failure(self) -> &'static str {
        match self {
            Target::Rust => "return None;",
            Target::Cpp => "return false;",
        }
    }
}

/// What goes from round to round of a loop.
struct Carried {
    /// Number of the loop.
    label: usize,
    kept: Vec<Kept>,
}

struct Kept {
    /// Its place among the values that are carried.
    at: usize,
    name: String,
    /// The parameter of the body.
    reg: Reg,
    /// What the last value becomes, if somebody reads it.
    result: Option<Reg>,
}

struct Writer<'p> {
    target: Target,
    program: &'p Program,
    role: Role,
    /// Text of registers that are constants.
    names: Vec<Option<String>>,
    /// Registers that somebody reads.
    read: Vec<bool>,
    text: String,
    depth: usize,
    labels: usize,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        // Deep code is not indented further: the text would grow with the square of the depth.
        let width = 4 * self.depth.min(12);
        let _ = writeln!(self.text, "{:width$}{text}", "");
    }

    fn name(&self, reg: Reg) -> String {
        self.names.get(reg as usize).cloned().flatten().unwrap_or_else(|| format!("r{reg}"))
    }

    fn note(&mut self, regs: impl IntoIterator<Item = Reg>) {
        for reg in regs {
            if let Some(slot) = self.read.get_mut(reg as usize) {
                *slot = true;
            }
        }
    }

    /// Notes what the whole of a function reads and returns.
    fn note_results(&mut self, body: &Block) {
        if matches!(self.role, Role::Label | Role::Procedure | Role::Pure) {
            self.note(body.yields.iter().copied());
        }
        self.note_reads(body);
    }

    /// The end of a function.
    fn finish(&mut self, body: &Block) {
        let result = body.yields.first().map_or(self.target.constant(0), |&result| self.name(result));
        self.line(&match (self.target, self.role) {
            (Target::Rust, Role::Decide | Role::Apply) => "Some(())".to_owned(),
            (Target::Rust, Role::Label) => format!("Some({result})"),
            (Target::Rust, Role::Procedure | Role::Pure) => result,
            (Target::Cpp, Role::Decide | Role::Apply) => "return true;".to_owned(),
            (Target::Cpp, Role::Label) => format!("result = {result}; return true;"),
            (Target::Cpp, Role::Procedure | Role::Pure) => format!("return {result};"),
        });
    }

    /// Whether a call is needed even if nobody reads its result.
    fn has_effects(&self, function: FnId) -> bool {
        self.program
            .functions
            .get(function as usize)
            .is_some_and(|function| Role::of_called(function) == Role::Procedure)
    }

    /// Notes what is read, from the end on: what only computes something that nobody reads does not read either.
    fn note_reads(&mut self, block: &Block) {
        for inst in block.insts.iter().rev() {
            match inst {
                Inst::Let { to, op } => {
                    if self.is_read(*to) {
                        self.note(op.reads());
                    }
                }
                Inst::Call { function, args, to } => {
                    if self.is_read(*to) || self.has_effects(*function) {
                        self.note(args.iter().copied());
                    }
                }
                Inst::Peek { to, at } => {
                    if self.is_read(*to) {
                        self.note([*at]);
                    }
                }
                Inst::Poke { at, value } => self.note([*at, *value]),
                Inst::Store { value, .. } => self.note([*value]),
                Inst::If { cond, then, other, to } => {
                    self.note([*cond]);
                    self.note_arm(then, to);
                    self.note_arm(other, to);
                }
                Inst::Switch { on, cases, to } => {
                    self.note([*on]);
                    cases.iter().for_each(|case| self.note_arm(case, to));
                }
                Inst::Each { set, carried, body, .. } => {
                    self.note([*set]);
                    self.note_loop(carried, body);
                }
                Inst::Loop { carried, body, .. } => self.note_loop(carried, body),
                Inst::Emit { base } => self.note([*base]),
                Inst::EmitSet { base, set, .. } => self.note([*base, *set]),
                Inst::SideExit { cond } => self.note([*cond]),
            }
        }
    }

    fn note_arm(&mut self, block: &Block, to: &[Reg]) {
        for (to, from) in to.iter().zip(&block.yields) {
            if self.is_read(*to) {
                self.note([*from]);
            }
        }
        self.note_reads(block);
    }

    fn note_loop(&mut self, carried: &[(Reg, Reg)], body: &Block) {
        self.note(carried.iter().map(|&(_, first)| first));
        self.note(body.yields.iter().copied());
        self.note_reads(body);
    }

    fn is_read(&self, reg: Reg) -> bool {
        self.read.get(reg as usize).copied().unwrap_or(false)
    }

    /// Declares a variable that does not change, if somebody reads it.
    fn define(&mut self, reg: Reg, value: &str) {
        if self.is_read(reg) {
            let declared = self.target.value(&format!("r{reg}"));
            self.line(&format!("{declared} = {value};"));
        }
    }

    fn insts(&mut self, block: &Block) {
        for inst in &block.insts {
            self.inst(inst);
        }
    }

    /// A block whose results go to variables that are declared already.
    fn arm(&mut self, block: &Block, to: &[Reg]) {
        self.depth += 1;
        self.insts(block);
        for (to, from) in to.iter().zip(&block.yields).filter(|(to, _)| self.is_read(**to)).collect::<Vec<_>>() {
            let from = self.name(*from);
            self.line(&format!("r{to} = {from};"));
        }
        self.depth -= 1;
    }

    fn declare(&mut self, to: &[Reg]) {
        for &to in to.iter().filter(|to| self.is_read(**to)).collect::<Vec<_>>() {
            self.line(&match self.target {
                Target::Rust => format!("let r{to}: u64;"),
                Target::Cpp => format!("u64 r{to} = 0;"),
            });
        }
    }

    fn inst(&mut self, inst: &Inst) {
        match inst {
            Inst::Let { to, op: Op::Const(value) } => {
                if let Some(name) = self.names.get_mut(*to as usize) {
                    *name = Some(self.target.constant(*value));
                }
            }
            Inst::Let { to, op } => {
                let value = self.op(*op);
                self.define(*to, &value);
            }
            Inst::Call { function, args, to } => self.call(*function, args, *to),
            Inst::Peek { to, at } => {
                let word = self.scratch(*at);
                self.define(*to, &word);
            }
            Inst::Poke { at, value } => {
                let (word, value) = (self.scratch(*at), self.name(*value));
                self.line(&format!("{word} = {value};"));
            }
            Inst::Store { word, value } => {
                let value = self.name(*value);
                self.line(&format!("s[{word}] = {value};"));
            }
            Inst::If { cond, then, other, to } => {
                self.declare(to);
                let cond = self.target.condition(&self.name(*cond));
                self.line(&format!("if {cond} {{"));
                self.arm(then, to);
                if !other.insts.is_empty() || !to.is_empty() {
                    self.line("} else {");
                    self.arm(other, to);
                }
                self.line("}");
            }
            Inst::Switch { on, cases, to } => self.switch(*on, cases, to),
            Inst::Each { set, item, carried, body, to } => self.each(*set, *item, carried, body, to),
            Inst::Loop { carried, body, to } => self.looped(carried, body, to),
            Inst::Emit { base } => {
                let base = self.name(*base);
                self.line(&format!("out.one({base});"));
            }
            Inst::EmitSet { base, set, shift } => {
                let (base, set) = (self.name(*base), self.name(*set));
                self.line(&format!("out.set({base}, {set}, {shift});"));
            }
            Inst::SideExit { cond } => {
                let cond = self.target.condition(&self.name(*cond));
                let failure = self.target.failure();
                self.line(&format!("if {cond} {{ {failure} }}"));
            }
        }
    }

    /// A word of scratch memory.
    fn scratch(&self, at: Reg) -> String {
        let at = self.name(at);
        let mask = self.target.constant(u64::from(self.program.scratch_words.saturating_sub(1)));
        match self.target {
            Target::Rust => format!("m[({at} & {mask}) as usize]"),
            Target::Cpp => format!("m[{at} & {mask}]"),
        }
    }

    fn call(&mut self, function: FnId, args: &[Reg], to: Reg) {
        let procedure = self.has_effects(function);
        let memory = procedure.then(|| "m".to_owned());
        let args: Vec<String> = memory.into_iter().chain(args.iter().map(|&arg| self.name(arg))).collect();
        let call = format!("f{function}({})", args.join(", "));
        if self.is_read(to) {
            self.define(to, &call);
        } else if procedure {
            self.line(&format!("{call};"));
        }
    }

    fn switch(&mut self, on: Reg, cases: &[Block], to: &[Reg]) {
        self.declare(to);
        let (on, rust) = (self.name(on), self.target == Target::Rust);
        self.line(&if rust { format!("match {on} {{") } else { format!("switch ({on}) {{") });
        for (number, case) in cases.iter().enumerate() {
            let last = number + 1 == cases.len();
            self.line(&match (rust, last) {
                (true, true) => "_ => {".to_owned(),
                (true, false) => format!("{number} => {{"),
                (false, true) => "default: {".to_owned(),
                (false, false) => format!("case {number}: {{"),
            });
            self.arm(case, to);
            self.line(if rust { "}" } else { "} break;" });
        }
        self.line("}");
    }

    /// Declares the variables that hold what goes from round to round, where somebody reads it.
    fn carry(&mut self, carried: &[(Reg, Reg)], to: &[Reg]) -> Carried {
        self.labels += 1;
        let mut kept = Vec::new();
        for (at, &(reg, first)) in carried.iter().enumerate() {
            let result = to.get(at).copied().filter(|&to| self.is_read(to));
            if !self.is_read(reg) && result.is_none() {
                continue;
            }
            let name = format!("c{}_{at}", self.labels);
            let declared = self.target.variable(&name);
            let first = self.name(first);
            self.line(&format!("{declared} = {first};"));
            kept.push(Kept { at, name, reg, result });
        }
        Carried { label: self.labels, kept }
    }

    fn begin(&mut self, carried: &Carried) {
        for kept in &carried.kept {
            self.define(kept.reg, &kept.name);
        }
    }

    fn round(&mut self, carried: &Carried, next: &[Reg]) {
        for kept in &carried.kept {
            if let Some(&next) = next.get(kept.at) {
                let next = self.name(next);
                self.line(&format!("{} = {next};", kept.name));
            }
        }
    }

    fn results(&mut self, carried: &Carried) {
        for kept in &carried.kept {
            if let Some(result) = kept.result {
                self.define(result, &kept.name);
            }
        }
    }

    fn each(&mut self, set: Reg, item: Reg, carried: &[(Reg, Reg)], body: &Block, to: &[Reg]) {
        let carried = self.carry(carried, to);
        let (left, set) = (format!("left{}", carried.label), self.name(set));
        let declared = self.target.variable(&left);
        self.line(&format!("{declared} = {set};"));
        let cond = self.target.condition(&left);
        self.line(&format!("while {cond} {{"));
        self.depth += 1;
        let lowest = self.target.lowest(&left);
        self.define(item, &lowest);
        self.line(&format!("{left} &= {left} - 1;"));
        self.begin(&carried);
        self.insts(body);
        self.round(&carried, &body.yields);
        self.depth -= 1;
        self.line("}");
        self.results(&carried);
    }

    fn looped(&mut self, carried: &[(Reg, Reg)], body: &Block, to: &[Reg]) {
        let carried = self.carry(carried, to);
        self.line(if self.target == Target::Rust { "loop {" } else { "for (;;) {" });
        self.depth += 1;
        self.begin(&carried);
        self.insts(body);
        let (again, next) = body.yields.split_first().map_or((None, &[][..]), |(again, next)| (Some(*again), next));
        self.round(&carried, next);
        let (rust, failure) = (self.target == Target::Rust, self.target.failure());
        let again = again.map_or(self.target.constant(0), |again| self.name(again));
        self.line(&if rust {
            format!("if {again} == 0 {{ break; }}")
        } else {
            format!("if ({again} == 0) {{ break; }}")
        });
        if self.role.may_fail() {
            let over = format!("rounds > {}", self.target.constant(MAX_ROUNDS));
            self.line("rounds += 1;");
            self.line(&if rust {
                format!("if {over} {{ {failure} }}")
            } else {
                format!("if ({over}) {{ {failure} }}")
            });
        }
        self.depth -= 1;
        self.line("}");
        self.results(&carried);
    }

    fn op(&self, op: Op) -> String {
        let n = |reg: Reg| self.name(reg);
        let rust = self.target == Target::Rust;
        let truth = |text: String| if rust { format!("({text}) as u64") } else { format!("u64({text})") };
        let wrapping = |name: &str, sign: &str, a: Reg, b: Reg| match rust {
            true => format!("{}.wrapping_{name}({})", n(a), n(b)),
            false => format!("{} {sign} {}", n(a), n(b)),
        };
        let flip = if rust { "!" } else { "~" };
        match op {
            Op::Const(value) => self.target.constant(value),
            Op::Not(a) => format!("{flip}{}", n(a)),
            Op::And(a, b) => format!("{} & {}", n(a), n(b)),
            Op::Or(a, b) => format!("{} | {}", n(a), n(b)),
            Op::Xor(a, b) => format!("{} ^ {}", n(a), n(b)),
            Op::AndNot(a, b) => format!("{} & {flip}{}", n(a), n(b)),
            Op::Shl(a, b) => format!("{} << ({} & 63)", n(a), n(b)),
            Op::Shr(a, b) => format!("{} >> ({} & 63)", n(a), n(b)),
            Op::ShlBy(a, by) => format!("{} << {by}", n(a)),
            Op::ShrBy(a, by) => format!("{} >> {by}", n(a)),
            Op::Add(a, b) => wrapping("add", "+", a, b),
            Op::Sub(a, b) => wrapping("sub", "-", a, b),
            Op::Mul(a, b) => wrapping("mul", "*", a, b),
            Op::Eq(a, b) => truth(format!("{} == {}", n(a), n(b))),
            Op::Ne(a, b) => truth(format!("{} != {}", n(a), n(b))),
            Op::Less(a, b) => truth(format!("{} < {}", n(a), n(b))),
            Op::Select(a, b, c) if rust => format!("if {} != 0 {{ {} }} else {{ {} }}", n(a), n(b), n(c)),
            Op::Select(a, b, c) => format!("{} != 0 ? {} : {}", n(a), n(b), n(c)),
            Op::Count(a) => self.target.count(&n(a)),
            Op::Lowest(a) => self.target.lowest(&n(a)),
            Op::Highest(a) => format!("highest({})", n(a)),
            Op::Load(word) => format!("s[{word}]"),
            Op::Table(table, a) => {
                let len = self.program.tables.get(table as usize).map_or(1, |table| table.entries.len().max(1));
                let mask = self.target.constant(len as u64 - 1);
                let index = format!("{} & {mask}", n(a));
                if rust { format!("T{table}[({index}) as usize]") } else { format!("T{table}[{index}]") }
            }
            Op::Within(table, width, row, word) => {
                let len = self.program.tables.get(table as usize).map_or(1, |table| table.entries.len());
                let last = self.target.constant((len / stride(width)).saturating_sub(1) as u64);
                let from = format!("({} & {last}) * {}", n(row), self.target.constant(stride(width) as u64));
                match rust {
                    true => format!("within(&T{table}[({from}) as usize..][..{width}], {})", n(word)),
                    false => format!("within(&T{table}[{from}], {width}, {})", n(word)),
                }
            }
        }
    }
}

impl Target {
    /// A word.
    pub(super) fn constant(self, value: u64) -> String {
        let suffix = if self == Target::Rust { "u64" } else { "ULL" };
        if value < 1024 { format!("{value}{suffix}") } else { format!("{value:#x}{suffix}") }
    }

    fn lowest(self, value: &str) -> String {
        match self {
            Target::Rust => format!("u64::from({value}.trailing_zeros())"),
            Target::Cpp => format!("lowest({value})"),
        }
    }

    fn count(self, value: &str) -> String {
        match self {
            Target::Rust => format!("u64::from({value}.count_ones())"),
            Target::Cpp => format!("count({value})"),
        }
    }
}
