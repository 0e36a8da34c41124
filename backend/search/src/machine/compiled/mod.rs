//! Searches as machine code: what the interpreter does, operation by operation, without deciding what each operation is.
//!
//! The code works on the machine's own cells and stacks, whose room is fixed meanwhile. Where that or a limit is met, it
//! gives up, and the interpreter searches from the beginning: it alone knows exact mode, and reports limits. There is
//! code only for programs that provably stay within their cells ([`bounds`]).

mod alike;
mod backtracking;
mod bounds;
mod checks;
mod doomed;
mod flow;
mod found;
mod known;
mod memory;
mod sifted;
mod stacks;
mod tops;
mod translate;
mod values;

use super::{Cell, Shared};
use crate::program::{ExId, FAIL, Kinds, MarkSite, Op, Pc, Program};
use codegen::native::{Allocation, host};
use cranelift_codegen::isa::TargetIsa;
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module};
use memory::Functions;
use rg_ir::ids::Id;
use rustc_hash::FxHashMap;

/// Most operations of all functions together.
const MAX_SIZE: usize = 20_000;

/// Most operations of a program, of which each function may have some of its own.
const MAX_CODE: usize = 8 * MAX_SIZE;
/// Most names of tags, and values that choices have.
const MAX_NAMES: usize = 1 << 22;

/// What code knows of the machine.
#[derive(Clone, Copy)]
struct Layout<'a> {
    /// Logarithm of the bytes of a cell.
    shift: u8,
    /// Whether there are marks with whole states.
    hashed: bool,
    /// By operation that chooses by a table: where its values are among the names.
    lists: &'a FxHashMap<Pc, u32>,
    /// By check, what it can tell apart.
    kinds: &'a [Option<Kinds>],
    /// By cell, the greatest number.
    most: &'a [u32],
    /// By value, the greatest number.
    greatest: &'a FxHashMap<ExId, u64>,
}

/// The machine code of a game.
pub(super) struct Code<W> {
    functions: Functions,
    /// By cell, the greatest value.
    most: Vec<W>,
    /// The names of tags of variables, and lists of values.
    names: Box<[u32]>,
}

impl<W: Cell> Code<W> {
    /// Compiles all of a program.
    ///
    /// # Errors
    /// Why there is no code.
    pub(super) fn new(shared: &Shared<W>) -> Result<Self, String> {
        let program = &shared.program;
        if program.visible.is_some() {
            return Err("players do not see everything".to_string());
        }
        let (most, greatest) = bounds::Bounds::prove(program).ok_or("cells are not known to stay within bounds")?;
        if program.code.len() > MAX_CODE {
            return Err("the program is too large".to_string());
        }
        let (names, lists) = names(program)?;
        let hashed = program.marks.iter().any(|site: &MarkSite| site.base == FAIL);
        let layout = Layout {
            shift: W::BYTES.trailing_zeros() as u8,
            hashed,
            lists: &lists,
            kinds: shared.kinds(),
            most: &most,
            greatest: &greatest,
        };
        Ok(Self {
            functions: compiled(program, layout)?,
            most: most.iter().copied().map(W::put).collect(),
            names: names.into(),
        })
    }
}

/// The names of tags as numbers, then the values that choices by tables have.
fn names(program: &Program) -> Result<(Vec<u32>, FxHashMap<Pc, u32>), String> {
    let mut names: Vec<u32> = program.names.iter().map(|name| name.index() as u32).collect();
    let mut lists = FxHashMap::default();
    for (pc, op) in (0..).zip(&program.code) {
        if let Op::EachTable { .. } = op {
            lists.insert(pc, names.len() as u32);
            names.extend(listed(program, *op));
            if names.len() > MAX_NAMES {
                return Err("there are too many values to choose from".to_string());
            }
        }
    }
    Ok((names, lists))
}

/// The values of an `EachTable`.
fn listed(program: &Program, op: Op) -> Vec<u32> {
    let Op::EachTable { low, high, base, value, .. } = op else { return Vec::new() };
    let table = |at: u32| program.layout.tables.get((base + at) as usize).copied();
    (low..high).filter(|&at| table(at) == Some(value)).collect()
}

fn compiled(program: &Program, layout: Layout) -> Result<Functions, String> {
    let isa = host(Allocation::Backtracking)?;
    let mut entries: Vec<Pc> = program.entries.iter().copied().filter(|&entry| entry != FAIL).collect();
    let (mut at, mut size) = (0, 0);
    entries.sort_unstable();
    entries.dedup();
    // Checks are functions, too.
    while let Some(&entry) = entries.get(at) {
        at += 1;
        let reached = flow::reached(program, entry)?;
        size += reached.len();
        if size > MAX_SIZE {
            return Err("the program is too large".to_string());
        }
        for pc in reached {
            if let Some(&Op::Reach { entry, .. }) = program.code.get(pc as usize)
                && entry != FAIL
                && !entries.contains(&entry)
            {
                entries.push(entry);
            }
        }
    }
    let unused: Box<dyn Fn(cranelift_codegen::ir::LibCall) -> String + Send + Sync> = Box::new(|call| call.to_string());
    let mut module = JITModule::new(JITBuilder::with_isa(isa.clone(), unused));
    let result = define(program, layout, &*isa, &entries, &mut module);
    Functions::new(module, result)
}

fn define(
    program: &Program,
    layout: Layout,
    isa: &dyn TargetIsa,
    entries: &[Pc],
    module: &mut JITModule,
) -> Result<Vec<(Pc, FuncId)>, String> {
    let signature = translate::signature(isa.default_call_conv());
    let mut functions = Vec::with_capacity(entries.len());
    for &entry in entries {
        functions.push((entry, module.declare_anonymous_function(&signature).map_err(|error| error.to_string())?));
    }
    let known: FxHashMap<Pc, FuncId> = functions.iter().copied().collect();
    let mut context = module.make_context();
    let mut frontend = FunctionBuilderContext::new();
    for &(entry, id) in &functions {
        module.clear_context(&mut context);
        context.func.signature = signature.clone();
        let callee = |clif: &mut cranelift_codegen::ir::Function, entry: Pc| {
            let id = known.get(&entry).ok_or("a check is missing")?;
            Ok(module.declare_func_in_func(*id, clif))
        };
        let config = isa.frontend_config();
        translate::translate(program, layout, entry, &mut context.func, callee, &mut frontend, config)?;
        module.define_function(id, &mut context).map_err(|error| error.to_string())?;
    }
    module.finalize_definitions().map_err(|error| error.to_string())?;
    Ok(functions)
}
