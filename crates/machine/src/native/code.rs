//! The machine code of a whole model.

use std::fmt;
use std::sync::Arc;

use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{default_libcall_names, FuncId, Module};
use isospin_model::Model;

use super::codegen::{signature, Common, Generator, Role};
use super::runtime::{Function, Row};
use super::support::{distinct_channels, Support};

/// Generating code recurses on the depth of expressions, which is bounded; this is enough for it.
const STACK_SIZE: usize = 64 << 20;

/// Why there is no native code for a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NativeError(String);

impl fmt::Display for NativeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no native code on this machine: {}", self.0)
    }
}

impl std::error::Error for NativeError {}

pub(super) fn native_error(error: impl fmt::Display) -> NativeError {
    NativeError(error.to_string())
}

/// The code of a model, which any number of machines may share.
pub(super) struct Code {
    /// The model that the code was made for. The code holds addresses within it.
    pub model: Arc<Model>,
    /// For each process type, the row of its first location in the table below.
    pub bases: Vec<u32>,
    /// For each location of each process type, its code.
    pub rows: Vec<Row>,
    /// How many fields the longest message has.
    pub longest_message: usize,
    /// Keeps the memory that the functions stand in. `None` only while it is being freed.
    module: Option<JITModule>,
}

// SAFETY: once `compile` has returned, the code, the tables and the model are only read. The module
// is not looked at again before it is freed, by whoever drops the last reference.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the tables, through which alone the functions are called, go away together
            // with the code.
            unsafe { module.free_memory() };
        }
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Code").field("locations", &self.rows.len()).finish_non_exhaustive()
    }
}

impl Code {
    /// Compiles a model.
    pub fn compile(model: Arc<Model>) -> Result<Code, NativeError> {
        with_room(move || compile(model))
    }
}

/// Generates code on a thread with enough room.
pub(super) fn with_room<T: Send + 'static>(
    generate: impl FnOnce() -> Result<T, NativeError> + Send + 'static,
) -> Result<T, NativeError> {
    let limits = isospin_limits::current();
    let thread = std::thread::Builder::new()
        .name("native code".to_owned())
        .stack_size(STACK_SIZE)
        .spawn(move || limits.run(generate))
        .map_err(native_error)?;
    let generated =
        isospin_limits::wait(thread).map_err(|_| native_error("the code generator failed"))?;
    // Whoever waits is under the same limits and sees to them.
    generated.unwrap_or_else(|stopped| Err(native_error(stopped)))
}

/// Where code goes.
pub(super) fn new_module() -> Result<JITModule, NativeError> {
    Ok(JITModule::new(JITBuilder::with_isa(target()?, default_libcall_names())))
}

fn compile(model: Arc<Model>) -> Result<Code, NativeError> {
    let support = Support::of(&model);
    let mut module = new_module()?;
    let common = Common {
        model: &model,
        call_conv: module.isa().default_call_conv(),
        channel_kinds: distinct_channels(&model),
    };
    let mut bases = Vec::new();
    let mut functions: Vec<[Option<FuncId>; 2]> = Vec::new();
    let mut context = module.make_context();
    let mut room = FunctionBuilderContext::new();
    for proctype in &model.proctypes {
        bases.push(functions.len() as u32);
        for location in proctype.automaton.location_ids() {
            let row = functions.len();
            isospin_limits::check_many(64);
            let wanted = [support.steps[row], support.receives[row] != 0];
            let mut pair = [None, None];
            for (k, role) in [Role::Steps, Role::Receive].into_iter().enumerate() {
                if !wanted[k] {
                    continue;
                }
                context.func.signature = signature(common.call_conv);
                Generator::location(
                    &common,
                    proctype,
                    location,
                    role,
                    &mut context.func,
                    &mut room,
                );
                let id = module
                    .declare_anonymous_function(&context.func.signature)
                    .map_err(native_error)?;
                module
                    .define_function(id, &mut context)
                    .map_err(|e| native_error(format!("{e:?}")))?;
                module.clear_context(&mut context);
                pair[k] = Some(id);
            }
            functions.push(pair);
        }
    }
    module.finalize_definitions().map_err(native_error)?;
    let finished = |id: FuncId| {
        let address = module.get_finalized_function(id);
        // SAFETY: the function was generated with the signature of `Function`.
        unsafe { std::mem::transmute::<*const u8, Function>(address) }
    };
    let rows = functions
        .iter()
        .zip(support.receives)
        .map(|([steps, receive], receives)| Row {
            steps: steps.map(finished),
            receive: receive.map(finished),
            receives,
        })
        .collect();
    let fields = model.channel_types.iter().map(|t| t.fields.len());
    Ok(Code {
        bases,
        rows,
        longest_message: fields.max().unwrap_or(0),
        module: Some(module),
        model,
    })
}

pub(super) fn target() -> Result<OwnedTargetIsa, NativeError> {
    let mut flags = settings::builder();
    for (name, value) in [
        // Optimising takes two thirds longer and makes the code no faster: there is little to
        // find in a guard and an assignment, and values that are kept longer are spilled.
        ("opt_level", "none"),
        ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        ("unwind_info", "false"),
        ("enable_probestack", "false"),
    ] {
        flags.set(name, value).map_err(native_error)?;
    }
    cranelift_native::builder()
        .map_err(native_error)?
        .finish(settings::Flags::new(flags))
        .map_err(native_error)
}
