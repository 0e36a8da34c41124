//! From functions to machine code, one translation at a time.

use rg_ir::invariant::Invariant;
use std::collections::BTreeSet;
use std::sync::Arc;

use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{
    AbiParam, ExtFuncData, ExternalName, FuncRef, Function as Clif, GlobalValue, GlobalValueData, LibCall, Signature,
    UserExternalName, UserFuncName,
};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa, TargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{Context, ir};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{DataDescription, DataId, FuncId, Linkage, Module};

use super::memory::Survey;
use super::plays::{self, Plays};
use super::shape::{self, Shape};
use super::tables::Tables;
use super::translate::{Callees, Sink, Source, translate};
use super::wide::{Wide, wide};
use super::written::written;
use crate::Decisions;
use rustc_hash::{FxHashMap, FxHashSet};
use wir::calls::called;
use wir::profile::Profile;
use wir::verify::verify;
use wir::{FnId, Function, Program};

/// How registers are allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allocation {
    /// In one pass over each function: compiled two to five times as fast as with [`Allocation::Backtracking`].
    SinglePass,
    /// With live ranges that are split, and allocated anew where they compete: code that is up to twice as fast.
    Backtracking,
}

/// A program and what is known of it.
pub(super) struct Input {
    isa: Arc<dyn TargetIsa>,
    pub(super) program: Program,
    pub(super) shapes: Vec<Shape>,
    tables: Tables,
    /// Functions that others call.
    called: BTreeSet<FnId>,
    /// How often blocks ran, if somebody counted.
    profile: Option<Profile>,
    /// Whether there are functions for writing sets.
    wide: bool,
}

/// The numbers of the functions for writing sets: modules declare them first.
const WIDE: Wide<u32> = Wide { bytes: 0, words: 1 };

impl Input {
    /// `wide` says whether there are functions for writing sets ([`wide()`]), the profile how often blocks ran.
    pub(super) fn new(
        program: &Program,
        wide: bool,
        profile: Option<Profile>,
        allocation: Allocation,
    ) -> Result<Self, String> {
        // Sizes first: verification recurses.
        let shapes = shape::of_program(program)?;
        verify(program)?;
        profile.iter().try_for_each(|profile| profile.fits(program))?;
        let (isa, tables) = (host(allocation)?, Tables::new(program)?);
        let called = program.functions.iter().flat_map(|function| called(&function.body)).collect();
        Ok(Self { isa, program: program.clone(), shapes, tables, called, profile, wide })
    }

    /// The ways to call a function.
    pub(super) fn sinks(&self, id: FnId) -> &'static [Sink] {
        let index = id as usize;
        match (self.program.functions.get(index), self.shapes.get(index)) {
            (Some(function), Some(shape)) => match (function.params, function.body.yields.len()) {
                (0, 0) => &[Sink::List, Sink::Runs, Sink::Count],
                (1, 1) if shape.moves == 0 && !self.called.contains(&id) => &[Sink::Call],
                _ => &[],
            },
            _ => &[],
        }
    }

    /// Whether another function calls it.
    pub(super) fn is_called(&self, id: FnId) -> bool {
        self.called.contains(&id)
    }

    fn translate(
        &self,
        id: FnId,
        sink: Sink,
        clif: &mut Clif,
        frontend: &mut FunctionBuilderContext,
        data: DataId,
        callees: impl Fn(FnId) -> Option<u32>,
    ) -> Result<(), String> {
        let index = id as usize;
        let (Some(function), Some(shape)) = (self.program.functions.get(index), self.shapes.get(index)) else {
            return Err(format!("there is no function {id}"));
        };
        let known = self.callees(called(&function.body), clif, callees)?;
        let source = self.source(id, function, shape, sink);
        clif.signature.call_conv = self.isa.default_call_conv();
        translate(source, clif, |clif| symbol(clif, data), known, frontend, self.isa.frontend_config())
    }

    fn source<'a>(&'a self, id: FnId, function: &'a Function, shape: &'a Shape, sink: Sink) -> Source<'a> {
        let Program { state_words, scratch_words, .. } = self.program;
        Source { function, shape, tables: &self.tables, state_words, scratch_words, sink, counts: self.counts(id) }
    }

    /// What was counted of a function.
    fn counts(&self, id: FnId) -> &[u64] {
        self.profile.as_ref().and_then(|profile| profile.functions.get(id as usize)).map_or(&[], Vec::as_slice)
    }

    /// The functions for writing sets.
    fn wide(&self, clif: &mut Clif) -> Option<Wide<FuncRef>> {
        self.wide.then(|| WIDE.map(|number, params| self.import(clif, number, wide_signature(params), false)))
    }

    /// A function of the module.
    fn import(&self, clif: &mut Clif, number: u32, signature: Signature, colocated: bool) -> FuncRef {
        let signature = clif.import_signature(signature);
        // Namespace of functions in a module.
        let name = UserExternalName { namespace: 0, index: number };
        let name = ExternalName::user(clif.declare_imported_user_function(name));
        clif.import_function(ExtFuncData { name, signature, colocated, patchable: false })
    }

    /// The functions that a function calls, and the way to call.
    fn callees(
        &self,
        called: impl IntoIterator<Item = FnId>,
        clif: &mut Clif,
        callees: impl Fn(FnId) -> Option<u32>,
    ) -> Result<Callees, String> {
        let (mut by_id, mut procedures) = (FxHashMap::default(), FxHashSet::default());
        for callee in called {
            let number = callees(callee).ok_or_else(|| format!("there is no code for function {callee}"))?;
            by_id.insert(callee, self.import(clif, number, self.signature(callee), true));
            if self.is_procedure(callee) {
                procedures.insert(callee);
            }
        }
        Ok(Callees { by_id, procedures, wide: self.wide(clif) })
    }

    /// Whether a function works on scratch memory that it is given: its first parameter in machine code.
    fn is_procedure(&self, id: FnId) -> bool {
        self.shapes.get(id as usize).is_some_and(|shape| shape.effects.is_procedure())
    }

    /// The way to call a function from machine code.
    fn signature(&self, callee: FnId) -> Signature {
        let function = self.program.functions.get(callee as usize);
        let params = function.map(|callee| callee.params).invariant_or(0, "functions that are called exist");
        let params = params as usize + usize::from(self.is_procedure(callee));
        let mut signature = Signature::new(self.isa.default_call_conv());
        signature.params = vec![AbiParam::new(I64); params];
        signature.returns = vec![AbiParam::new(I64)];
        signature
    }

    /// A procedure and those that it calls, directly or not.
    fn procedures(&self, start: FnId) -> Vec<FnId> {
        let mut found = vec![start];
        let mut at = 0;
        while let Some(&procedure) = found.get(at) {
            let function = self.program.functions.get(procedure as usize);
            let called = function.map(|function| called(&function.body)).unwrap_or_default();
            let more: Vec<FnId> =
                called.into_iter().filter(|&id| self.is_procedure(id) && !found.contains(&id)).collect();
            found.extend(more);
            at += 1;
        }
        found
    }

    /// The plays of a game, if they have a form as one function.
    fn plays(&self, game: &Decisions, survey: &Survey) -> Option<Plays<'_>> {
        let source = |id: FnId, sink| {
            let (function, shape) = (self.program.functions.get(id as usize)?, self.shapes.get(id as usize)?);
            Some(self.source(id, function, shape, sink))
        };
        let decision = |(number, decision): (usize, &Option<(FnId, FnId)>)| match *decision {
            Some((decide, apply)) => {
                let decide = source(decide, Sink::List)?;
                let written = written(decide.function, survey.moves(number));
                let speculative = game.speculative(number);
                let apply = source(speculative.unwrap_or(apply), Sink::Call)?;
                Some(Some(plays::Decision {
                    decide,
                    apply,
                    speculative: speculative.is_some(),
                    passes: game.passes_of(number),
                    chance: game.is_chance(number),
                    written,
                }))
            }
            None => Some(None),
        };
        let decisions = game.functions.iter().enumerate().skip(1).map(decision).collect::<Option<Vec<_>>>()?;
        Some(Plays { number: game.number, decisions }).filter(Plays::fit)
    }

    /// What Cranelift gets for a function.
    pub(super) fn clif(&self, id: FnId, sink: Sink) -> Result<String, String> {
        Ok(self.context(id, sink)?.func.display().to_string())
    }

    /// What Cranelift makes of a function.
    pub(super) fn asm(&self, id: FnId, sink: Sink) -> Result<String, String> {
        let mut context = self.context(id, sink)?;
        context.set_disasm(true);
        let code = context.compile(&*self.isa, &mut ControlPlane::default());
        code.map_err(|error| error.inner.to_string()).map(|code| code.vcode.clone().unwrap_or_default())
    }

    fn context(&self, id: FnId, sink: Sink) -> Result<Context, String> {
        let mut context = Context::new();
        self.translate(id, sink, &mut context.func, &mut FunctionBuilderContext::new(), DataId::from_u32(0), Some)?;
        context.func.name = UserFuncName::user(0, id);
        Ok(context)
    }
}

/// Machine code under construction.
pub(super) struct Compiler {
    module: JITModule,
    context: Context,
    frontend: FunctionBuilderContext,
    data: DataId,
    /// Functions that are called from machine code.
    inner: FxHashMap<FnId, FuncId>,
    /// What went wrong last.
    pub(super) failed: Option<String>,
}

impl Compiler {
    pub(super) fn new(input: &Input) -> Result<Self, String> {
        let unused: Box<dyn Fn(LibCall) -> String + Send + Sync> = Box::new(|call| call.to_string());
        let mut builder = JITBuilder::with_isa(input.isa.clone(), unused);
        if let Some(wide) = wide().filter(|_| input.wide) {
            builder.symbols([("bytes", wide.bytes), ("words", wide.words)]);
        }
        let mut module = JITModule::new(builder);
        if input.wide {
            for (name, params) in [("bytes", 2), ("words", 5)] {
                let declared = module.declare_function(name, Linkage::Import, &wide_signature(params));
                declared.map_err(|error| error.to_string())?;
            }
        }
        let data = module.declare_anonymous_data(false, false).map_err(|error| error.to_string())?;
        let mut bytes = DataDescription::new();
        let contents = if input.tables.bytes.is_empty() { vec![0] } else { input.tables.bytes.clone() };
        bytes.define(contents.into_boxed_slice());
        bytes.set_align(64);
        module.define_data(data, &bytes).map_err(|error| error.to_string())?;
        Ok(Self {
            context: module.make_context(),
            frontend: FunctionBuilderContext::new(),
            module,
            data,
            inner: FxHashMap::default(),
            failed: None,
        })
    }

    /// Compiles a function for one of its [`Input::sinks`]; where its code begins. The code is there as long as the
    /// module.
    pub(super) fn compile(&mut self, input: &Input, id: FnId, sink: Sink) -> Result<*const u8, String> {
        let code = self.define(input, id, sink)?;
        self.module.finalize_definitions().map_err(|error| error.to_string())?;
        Ok(self.module.get_finalized_function(code))
    }

    /// Compiles plays: where the code begins, and for how many moves it wants room.
    pub(super) fn compile_plays(
        &mut self,
        input: &Input,
        game: &Decisions,
        survey: &Survey,
    ) -> Result<(*const u8, u64), String> {
        let plays = input.plays(game, survey).ok_or("there is no form for all plays")?;
        let mut callees = BTreeSet::new();
        for decision in plays.decisions.iter().flatten() {
            callees.extend(called(&decision.decide.function.body));
            callees.extend(called(&decision.apply.function.body));
        }
        for &callee in &callees {
            self.define_inner(input, callee)?;
        }
        self.module.clear_context(&mut self.context);
        let inner = |id| self.inner.get(&id).map(|code| code.as_u32());
        let clif = &mut self.context.func;
        clif.signature.call_conv = input.isa.default_call_conv();
        let known = input.callees(callees, clif, inner)?;
        let tables = symbol(clif, self.data);
        let translated = plays::translate(&plays, clif, tables, known, &mut self.frontend, input.isa.frontend_config());
        let code = self.defined("plays", translated, None)?;
        self.module.finalize_definitions().map_err(|error| error.to_string())?;
        Ok((self.module.get_finalized_function(code), plays.most()))
    }

    /// Compiles a function that is called from machine code, unless it is there.
    fn define_inner(&mut self, input: &Input, callee: FnId) -> Result<(), String> {
        if self.inner.contains_key(&callee) {
            return Ok(());
        }
        if !input.is_procedure(callee) {
            let code = self.define(input, callee, Sink::Inner)?;
            self.inner.insert(callee, code);
            return Ok(());
        }
        // They may call each other in circles: all have numbers before any has code.
        let mut procedures = input.procedures(callee);
        procedures.retain(|id| !self.inner.contains_key(id));
        for &id in &procedures {
            // A name, so that profilers show it.
            let name = input.program.functions.get(id as usize).map_or("", |function| &function.name);
            let declared = self.module.declare_function(&format!("{name}_{id}"), Linkage::Local, &input.signature(id));
            self.inner.insert(id, declared.map_err(|error| error.to_string())?);
        }
        procedures.iter().try_for_each(|&id| self.define(input, id, Sink::Inner).map(drop))
    }

    fn define(&mut self, input: &Input, id: FnId, sink: Sink) -> Result<FuncId, String> {
        let function = input.program.functions.get(id as usize).ok_or_else(|| format!("there is no function {id}"))?;
        // A function calls earlier ones only, and procedures.
        for callee in called(&function.body).into_iter().filter(|&callee| callee < id || input.is_procedure(callee)) {
            self.define_inner(input, callee)?;
        }
        self.module.clear_context(&mut self.context);
        let inner = |id| self.inner.get(&id).map(|code| code.as_u32());
        let translated = input.translate(id, sink, &mut self.context.func, &mut self.frontend, self.data, inner);
        let declared = if sink == Sink::Inner { self.inner.get(&id).copied() } else { None };
        self.defined(&function.name, translated, declared)
    }

    /// Compiles what has been translated, for a function that may be declared already.
    fn defined(
        &mut self,
        name: &str,
        translated: Result<(), String>,
        declared: Option<FuncId>,
    ) -> Result<FuncId, String> {
        if let Err(error) = translated {
            self.frontend = FunctionBuilderContext::new();
            return Err(error);
        }
        let signature = &self.context.func.signature;
        let code = match declared {
            Some(code) => code,
            None => self.module.declare_anonymous_function(signature).map_err(|error| error.to_string())?,
        };
        self.context.func.name = UserFuncName::user(0, code.as_u32());
        self.module.define_function(code, &mut self.context).map_err(|error| format!("`{name}`: {error}"))?;
        Ok(code)
    }

    pub(super) fn into_module(self) -> JITModule {
        self.module
    }
}

/// Code for the processor at hand.
///
/// # Errors
/// If Cranelift does not support the processor, or its addresses are not 64 bits wide.
pub fn host(allocation: Allocation) -> Result<OwnedTargetIsa, String> {
    let mut flags = settings::builder();
    let verify = if cfg!(debug_assertions) { "true" } else { "false" };
    let algorithm = match allocation {
        Allocation::SinglePass => "single_pass",
        Allocation::Backtracking => "backtracking",
    };
    let wanted = [
        ("opt_level", "speed"),
        ("regalloc_algorithm", algorithm),
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

/// The way to call a function for writing sets: it keeps all registers.
fn wide_signature(params: usize) -> Signature {
    let mut signature = Signature::new(CallConv::PreserveAll);
    signature.params = vec![AbiParam::new(I64); params];
    signature
}

/// The tables, from inside a function. They may be far away from the code.
fn symbol(clif: &mut Clif, data: DataId) -> GlobalValue {
    // Namespace of data in a module.
    let name = UserExternalName { namespace: 1, index: data.as_u32() };
    let name = ExternalName::user(clif.declare_imported_user_function(name));
    clif.create_global_value(GlobalValueData::Symbol { name, offset: 0.into(), colocated: false, tls: false })
}
