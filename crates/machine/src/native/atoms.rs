//! The machine code of a property's atoms.

use std::sync::Arc;

use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::JITModule;
use cranelift_module::Module;
use isospin_model::{Expr, Model};

use super::code::{native_error, new_module, with_room, NativeError};
use super::codegen::{atoms_signature, Common, Generator};
use super::runtime::{self, Context};
use super::support::{distinct_channels, observable};
use crate::machine::Truth;

/// Atoms, and what each says of the state that was looked at last.
#[derive(Default)]
pub(super) struct Atoms {
    /// What evaluates all but those that are interpreted.
    code: Option<Code>,
    values: Vec<Truth>,
    /// The atoms that are left to the interpreter, and their numbers.
    interpreted: Vec<Expr>,
    numbers: Vec<usize>,
}

/// The code of atoms, which is freed with it. `None` only while that happens.
struct Code {
    function: runtime::Atoms,
    module: Option<JITModule>,
    /// The code holds addresses within it.
    _model: Arc<Model>,
}

// SAFETY: once it has been made, the code is only read. The module is not looked at again before
// it is freed.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the function is called through this value alone.
            unsafe { module.free_memory() };
        }
    }
}

impl Atoms {
    /// Compiles what can be; the rest is for the interpreter, as is everything where no code can
    /// be made.
    pub fn compile(model: &Arc<Model>, atoms: &[Expr]) -> Atoms {
        let compiled = |atom: &Expr| observable(model, atom);
        let (owned, shared) = (atoms.to_vec(), Arc::clone(model));
        let code = if atoms.iter().any(compiled) {
            with_room(move || compile(&shared, &owned)).ok()
        } else {
            None
        };
        let left = |&k: &usize| code.is_none() || !compiled(&atoms[k]);
        let numbers: Vec<usize> = (0..atoms.len()).filter(left).collect();
        let interpreted = numbers.iter().map(|&k| atoms[k].clone()).collect();
        Atoms { code, values: vec![Truth::False; atoms.len()], interpreted, numbers }
    }

    /// The atoms that are left to the interpreter.
    pub fn interpreted(&self) -> &[Expr] {
        &self.interpreted
    }

    /// Takes over what the interpreter says about them.
    pub fn fill_in(&mut self, values: &[Truth]) {
        for (&number, &value) in self.numbers.iter().zip(values) {
            self.values[number] = value;
        }
    }

    /// Evaluates the others in the context's state.
    ///
    /// # Safety
    ///
    /// The context must describe a state of the model that the atoms were compiled for.
    pub unsafe fn evaluate(&mut self, context: &mut Context) {
        if let Some(code) = &self.code {
            let source = context.source;
            // SAFETY: as the caller promises; there is a byte for each atom, into which the code
            // writes the number of a `Truth`.
            unsafe { (code.function)(context, source, self.values.as_mut_ptr()) };
        }
    }

    /// What each atom says.
    pub fn values(&self) -> &[Truth] {
        &self.values
    }
}

fn compile(model: &Arc<Model>, atoms: &[Expr]) -> Result<Code, NativeError> {
    let mut edges = model.proctypes.iter().filter_map(|p| Some((p, p.automaton.edges.first()?)));
    let some = edges.next().ok_or_else(|| native_error("there is no process"))?;
    let mut module = new_module()?;
    let common = Common {
        model,
        call_conv: module.isa().default_call_conv(),
        channel_kinds: distinct_channels(model),
    };
    let mut context = module.make_context();
    let mut room = FunctionBuilderContext::new();
    context.func.signature = atoms_signature(common.call_conv);
    let observed = atoms.iter().enumerate().filter(|(_, atom)| observable(model, atom));
    Generator::atoms(&common, observed, some, &mut context.func, &mut room);
    let id = module.declare_anonymous_function(&context.func.signature).map_err(native_error)?;
    module.define_function(id, &mut context).map_err(|e| native_error(format!("{e:?}")))?;
    module.clear_context(&mut context);
    module.finalize_definitions().map_err(native_error)?;
    let address = module.get_finalized_function(id);
    // SAFETY: the function was generated with the signature of `Atoms`.
    let function = unsafe { std::mem::transmute::<*const u8, runtime::Atoms>(address) };
    Ok(Code { function, module: Some(module), _model: Arc::clone(model) })
}
