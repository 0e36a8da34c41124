//! The engine that compiles to machine code, by Cranelift.
//!
//! Functions that emit moves are compiled three times: to list them, to count them and to keep them as sets.

mod emit;
mod memory;
mod ops;
mod shape;
mod tables;
mod translate;

use std::fmt::Write;
use std::sync::Arc;

use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{ExternalName, Function as Clif, GlobalValueData, UserExternalName, UserFuncName};
use cranelift_codegen::isa::{OwnedTargetIsa, TargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{Context, ir};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{DataDescription, DataId, FuncId, Module};

use self::memory::{Code, Compiled};
use self::shape::Shape;
use self::tables::Tables;
use self::translate::{Sink, Source, translate};
use crate::exec::{Bailed, Executor, Run};
use crate::ir::{FnId, Program};

/// A program as machine code.
pub struct Native {
    code: Code,
    isa: Arc<dyn TargetIsa>,
    program: Program,
    shapes: Vec<Shape>,
    tables: Tables,
    data: DataId,
}

impl Native {
    /// Compiles a program.
    ///
    /// # Errors
    /// An invalid program, one that is too big, or a host for which there is no code.
    pub fn new(program: &Program) -> Result<Self, String> {
        let shapes = shape::of_program(program)?;
        let tables = Tables::new(&program.tables)?;
        let isa = host()?;
        let unused: Box<dyn Fn(ir::LibCall) -> String + Send + Sync> = Box::new(|call| call.to_string());
        let mut module = JITModule::new(JITBuilder::with_isa(isa.clone(), unused));
        let data = module.declare_anonymous_data(false, false).map_err(|error| error.to_string())?;
        let mut bytes = DataDescription::new();
        let contents = if tables.bytes.is_empty() { vec![0] } else { tables.bytes.clone() };
        bytes.define(contents.into_boxed_slice());
        bytes.set_align(64);
        module.define_data(data, &bytes).map_err(|error| error.to_string())?;

        let mut compiler = Compiler { context: module.make_context(), frontend: FunctionBuilderContext::new(), module };
        let mut compiled = Vec::with_capacity(program.functions.len());
        for (function, shape) in program.functions.iter().zip(&shapes) {
            let source = |sink| Source { function, shape, tables: &tables, state_words: program.state_words, sink };
            compiled.push(match (function.params, function.body.yields.len()) {
                (0, 0) => Compiled::Emits {
                    list: compiler.compile(source(Sink::List), data)?,
                    count: compiler.compile(source(Sink::Count), data)?,
                    runs: compiler.compile(source(Sink::Runs), data)?,
                    most: [shape.moves, shape.runs],
                    stores: shape.stores,
                },
                (1, 1) if shape.moves == 0 => Compiled::Calls(compiler.compile(source(Sink::Call), data)?),
                _ => Compiled::Nothing,
            });
        }
        let mut module = compiler.module;
        module.finalize_definitions().map_err(|error| error.to_string())?;
        let code = Code::new(module, &compiled, program.state_words);
        Ok(Self { code, isa, program: program.clone(), shapes, tables, data })
    }

    /// What Cranelift gets for a function, as text.
    #[must_use]
    pub fn clif(&self, function: FnId) -> String {
        self.texts(function, |context| Ok(context.func.display().to_string()))
    }

    /// Machine code of a function, as text.
    #[must_use]
    pub fn asm(&self, function: FnId) -> String {
        self.texts(function, |context| {
            context.set_disasm(true);
            let code = context.compile(&*self.isa, &mut ControlPlane::default());
            code.map_err(|error| error.inner.to_string()).map(|code| code.vcode.clone().unwrap_or_default())
        })
    }

    fn texts(&self, id: FnId, render: impl Fn(&mut Context) -> Result<String, String>) -> String {
        let index = id as usize;
        let (Some(function), Some(shape)) = (self.program.functions.get(index), self.shapes.get(index)) else {
            return String::new();
        };
        let sinks: &[Sink] = match (function.params, function.body.yields.len()) {
            (0, 0) => &[Sink::List, Sink::Count, Sink::Runs],
            (1, 1) => &[Sink::Call],
            _ => &[],
        };
        let mut text = String::new();
        for &sink in sinks {
            let mut context = Context::new();
            context.func.signature.call_conv = self.isa.default_call_conv();
            context.func.name = UserFuncName::testcase(format!("{}_{}", function.name, sink.name()));
            let (tables, state_words) = (&self.tables, self.program.state_words);
            let source = Source { function, shape, tables, state_words, sink };
            let config = self.isa.frontend_config();
            let mut frontend = FunctionBuilderContext::new();
            let rendered = translate(source, &mut context.func, |func| symbol(func, self.data), &mut frontend, config)
                .and_then(|()| render(&mut context));
            // Writing to a string cannot fail.
            let _ = match rendered {
                Ok(rendered) => writeln!(text, "; {} of {}\n{}", sink.name(), function.name, rendered.trim_end()),
                Err(error) => writeln!(text, "; {} of {}: {error}", sink.name(), function.name),
            };
        }
        text
    }
}

impl Executor for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn list(&self, function: FnId, state: &[u64], moves: &mut Vec<u64>) -> Result<(), Bailed> {
        self.code.list(function, state, moves)
    }

    fn count(&self, function: FnId, state: &[u64]) -> Result<u64, Bailed> {
        self.code.count(function, state)
    }

    fn runs(&self, function: FnId, state: &[u64], runs: &mut Vec<Run>) -> Result<u64, Bailed> {
        self.code.runs(function, state, runs)
    }

    fn call(&self, function: FnId, state: &mut [u64], argument: u64) -> Result<u64, Bailed> {
        self.code.call(function, state, argument)
    }
}

/// Code for the processor at hand.
fn host() -> Result<OwnedTargetIsa, String> {
    let mut flags = settings::builder();
    let verify = if cfg!(debug_assertions) { "true" } else { "false" };
    let wanted = [
        ("opt_level", "speed"),
        ("enable_verifier", verify),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        // A large frame must not jump over the guard page of the stack.
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
    ];
    for (name, value) in wanted {
        flags.set(name, value).map_err(|error| error.to_string())?;
    }
    let builder = cranelift_native::builder().map_err(str::to_string)?;
    let isa = builder.finish(settings::Flags::new(flags)).map_err(|error| error.to_string())?;
    if isa.pointer_type() == ir::types::I64 { Ok(isa) } else { Err("addresses are not words here".to_string()) }
}

/// The tables, from inside a function. They may be far away from the code.
fn symbol(func: &mut Clif, data: DataId) -> ir::GlobalValue {
    // Namespace of data in a module.
    let name = UserExternalName { namespace: 1, index: data.as_u32() };
    let name = ExternalName::user(func.declare_imported_user_function(name));
    func.create_global_value(GlobalValueData::Symbol { name, offset: 0.into(), colocated: false, tls: false })
}

struct Compiler {
    module: JITModule,
    context: Context,
    frontend: FunctionBuilderContext,
}

impl Compiler {
    fn compile(&mut self, source: Source<'_>, data: DataId) -> Result<FuncId, String> {
        let config = self.module.target_config();
        translate(source, &mut self.context.func, |func| symbol(func, data), &mut self.frontend, config)?;
        let signature = &self.context.func.signature;
        let id = self.module.declare_anonymous_function(signature).map_err(|error| error.to_string())?;
        self.context.func.name = UserFuncName::user(0, id.as_u32());
        let defined = self.module.define_function(id, &mut self.context);
        defined.map_err(|error| format!("function `{}`: {error}", source.function.name))?;
        self.module.clear_context(&mut self.context);
        Ok(id)
    }
}
