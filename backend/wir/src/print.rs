//! Programs as text, one instruction per line; [`super::parse`] reads it back.
//!
//! ```text
//! state 2
//! table [0, 1, 1, 0x10000]
//!
//! fn decide_3() {
//!   r0 = load 0
//!   r1 = shl r0, 8
//!   r2 = 0
//!   each r3 in r1 (r4 = r2) -> (r5) {
//!     r6 = table 0, r3
//!     r7 = add r4, r6
//!     yield r7
//!   }
//!   emitset r5 + r1 << 6
//! }
//! ```

use super::profile::Profile;
use super::{Block, Function, Inst, Op, Program, Reg};
use std::fmt::{Display, Formatter, Result, Write};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        head(f, self)?;
        self.functions.iter().try_for_each(|function| write!(f, "\n{function}"))
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        function(f, self, &mut Counts(None))
    }
}

/// A program and what was counted.
struct Counted<'a> {
    program: &'a Program,
    profile: &'a Profile,
}

impl Display for Counted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        head(f, self.program)?;
        self.program.functions.iter().zip(&self.profile.functions).try_for_each(|(function, counts)| {
            f.write_char('\n')?;
            self::function(f, function, &mut Counts(Some(counts.iter())))
        })
    }
}

impl Profile {
    /// The text of a program with the profile in it ([`super::parse_counted`] reads it back): `@` and a number before the brace
    /// of each block and behind each set of moves.
    ///
    /// # Errors
    /// If it does not fit ([`Profile::fits`]).
    pub fn text(&self, program: &Program) -> std::result::Result<String, String> {
        self.fits(program)?;
        Ok(Counted { program, profile: self }.to_string())
    }
}

/// The numbers that are still to be printed, in their order; `None` if nothing was counted.
struct Counts<'a>(Option<std::slice::Iter<'a, u64>>);

impl Counts<'_> {
    fn next(&mut self) -> Option<u64> {
        self.0.as_mut()?.next().copied()
    }
}

/// What stands before the functions.
fn head(f: &mut Formatter<'_>, program: &Program) -> Result {
    writeln!(f, "state {}", program.state_words)?;
    if program.scratch_words > 0 {
        writeln!(f, "scratch {}", program.scratch_words)?;
    }
    for table in &program.tables {
        f.write_str("table [")?;
        list(f, table.entries.iter().map(|&entry| Number(entry)))?;
        f.write_str("]\n")?;
    }
    Ok(())
}

fn function(f: &mut Formatter<'_>, function: &Function, counts: &mut Counts<'_>) -> Result {
    f.write_str("fn ")?;
    name(f, &function.name)?;
    f.write_char('(')?;
    list(f, (0..function.params).map(Named))?;
    f.write_char(')')?;
    if function.registers != used(function) {
        write!(f, " [{}]", function.registers)?;
    }
    f.write_char(' ')?;
    block(f, &function.body, 0, counts)?;
    f.write_char('\n')
}

struct Named(Reg);

impl Display for Named {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "r{}", self.0)
    }
}

/// Large numbers are masks more often than not.
struct Number(u64);

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if self.0 < 10_000 { write!(f, "{}", self.0) } else { write!(f, "{:#x}", self.0) }
    }
}

fn list<T: Display>(f: &mut Formatter<'_>, items: impl IntoIterator<Item = T>) -> Result {
    for (index, item) in items.into_iter().enumerate() {
        f.write_str(if index == 0 { "" } else { ", " })?;
        item.fmt(f)?;
    }
    Ok(())
}

/// Whether a name needs no quotes: it is a word, and not one that looks like a register.
fn plain(name: &str) -> bool {
    let start = |c: char| c.is_ascii_alphabetic() || c == '_';
    let register = name.strip_prefix('r').is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
    !register && name.starts_with(start) && name.chars().all(|c| start(c) || c.is_ascii_digit())
}

fn name(f: &mut Formatter<'_>, name: &str) -> Result {
    if plain(name) {
        return f.write_str(name);
    }
    f.write_char('"')?;
    for c in name.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            c if c.is_control() => write!(f, "\\u{{{:x}}}", u32::from(c))?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

fn block(f: &mut Formatter<'_>, code: &Block, depth: usize, counts: &mut Counts<'_>) -> Result {
    if let Some(count) = counts.next() {
        write!(f, "@{count} ")?;
    }
    f.write_str("{\n")?;
    for inst in &code.insts {
        indent(f, depth + 1)?;
        self::inst(f, inst, depth + 1, counts)?;
        f.write_char('\n')?;
    }
    if !code.yields.is_empty() {
        indent(f, depth + 1)?;
        f.write_str("yield ")?;
        list(f, code.yields.iter().map(|&register| Named(register)))?;
        f.write_char('\n')?;
    }
    indent(f, depth)?;
    f.write_char('}')
}

fn indent(f: &mut Formatter<'_>, depth: usize) -> Result {
    (0..depth).try_for_each(|_| f.write_str("  "))
}

fn results(f: &mut Formatter<'_>, to: &[Reg]) -> Result {
    if !to.is_empty() {
        f.write_str(" -> (")?;
        list(f, to.iter().map(|&register| Named(register)))?;
        f.write_char(')')?;
    }
    f.write_char(' ')
}

fn first_values(f: &mut Formatter<'_>, carried: &[(Reg, Reg)]) -> Result {
    if carried.is_empty() {
        return Ok(());
    }
    f.write_str(" (")?;
    for (index, (param, first)) in carried.iter().enumerate() {
        f.write_str(if index == 0 { "" } else { ", " })?;
        write!(f, "r{param} = r{first}")?;
    }
    f.write_char(')')
}

fn inst(f: &mut Formatter<'_>, inst: &Inst, depth: usize, counts: &mut Counts<'_>) -> Result {
    match inst {
        Inst::Let { to, op } => {
            write!(f, "r{to} = ")?;
            op.fmt(f)
        }
        Inst::Store { word, value } => write!(f, "store {word}, r{value}"),
        Inst::Peek { to, at } => write!(f, "r{to} = peek r{at}"),
        Inst::Poke { at, value } => write!(f, "poke r{at}, r{value}"),
        Inst::If { cond, then, other, to } => {
            write!(f, "if r{cond}")?;
            results(f, to)?;
            block(f, then, depth, counts)?;
            if counts.0.is_none() && other.insts.is_empty() && other.yields.is_empty() {
                return Ok(());
            }
            f.write_str(" else ")?;
            block(f, other, depth, counts)
        }
        Inst::Switch { on, cases, to } => {
            write!(f, "switch r{on}")?;
            results(f, to)?;
            f.write_str("{\n")?;
            for case in cases {
                indent(f, depth + 1)?;
                f.write_str("case ")?;
                block(f, case, depth + 1, counts)?;
                f.write_char('\n')?;
            }
            indent(f, depth)?;
            f.write_char('}')
        }
        Inst::Each { set, item, carried, body, to } => {
            write!(f, "each r{item} in r{set}")?;
            first_values(f, carried)?;
            results(f, to)?;
            block(f, body, depth, counts)
        }
        Inst::Loop { carried, body, to } => {
            f.write_str("loop")?;
            first_values(f, carried)?;
            results(f, to)?;
            block(f, body, depth, counts)
        }
        Inst::Call { function, args, to } => {
            write!(f, "r{to} = call {function}(")?;
            for (i, arg) in args.iter().enumerate() {
                write!(f, "{}r{arg}", if i == 0 { "" } else { ", " })?;
            }
            f.write_char(')')
        }
        Inst::Emit { base } => write!(f, "emit r{base}"),
        Inst::EmitSet { base, set, shift } => {
            write!(f, "emitset r{base} + r{set} << {shift}")?;
            match counts.next() {
                Some(count) => write!(f, " @{count}"),
                None => Ok(()),
            }
        }
        Inst::SideExit { cond } => write!(f, "side_exit r{cond}"),
    }
}

impl Display for Op {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let name = match *self {
            Op::Const(value) => return Number(value).fmt(f),
            Op::Load(word) => return write!(f, "load {word}"),
            Op::Table(table, index) => return write!(f, "table {table}, r{index}"),
            Op::Within(table, width, row, word) => return write!(f, "within {table}, {width}, r{row}, r{word}"),
            Op::ShlBy(value, by) => return write!(f, "shl r{value}, {by}"),
            Op::ShrBy(value, by) => return write!(f, "shr r{value}, {by}"),
            op => op.mnemonic(),
        };
        write!(f, "{name} ")?;
        list(f, self.reads().map(Named))
    }
}

/// One more than the largest register that appears.
fn used(function: &Function) -> u32 {
    let mut used = function.params;
    appearing(&function.body, &mut |register| used = used.max(register.saturating_add(1)));
    used
}

/// Calls `see` with every register that is defined or read.
pub(crate) fn appearing(block: &Block, see: &mut impl FnMut(Reg)) {
    for inst in &block.insts {
        match inst {
            Inst::Let { to, op } => {
                see(*to);
                op.reads().for_each(&mut *see);
            }
            Inst::Store { value, .. } => see(*value),
            Inst::Peek { to: one, at: other } | Inst::Poke { at: one, value: other } => {
                [*one, *other].into_iter().for_each(&mut *see);
            }
            Inst::If { cond, then, other, to } => {
                see(*cond);
                appearing(then, see);
                appearing(other, see);
                to.iter().copied().for_each(&mut *see);
            }
            Inst::Switch { on, cases, to } => {
                see(*on);
                cases.iter().for_each(|case| appearing(case, see));
                to.iter().copied().for_each(&mut *see);
            }
            Inst::Each { set, item, carried, body, to } => {
                see(*set);
                see(*item);
                carried.iter().for_each(|&(param, first)| [param, first].into_iter().for_each(&mut *see));
                appearing(body, see);
                to.iter().copied().for_each(&mut *see);
            }
            Inst::Loop { carried, body, to } => {
                carried.iter().for_each(|&(param, first)| [param, first].into_iter().for_each(&mut *see));
                appearing(body, see);
                to.iter().copied().for_each(&mut *see);
            }
            Inst::Call { args, to, .. } => args.iter().chain([to]).copied().for_each(&mut *see),
            Inst::Emit { base: value } | Inst::SideExit { cond: value } => see(*value),
            Inst::EmitSet { base, set, .. } => [*base, *set].into_iter().for_each(&mut *see),
        }
    }
    block.yields.iter().copied().for_each(&mut *see);
}
