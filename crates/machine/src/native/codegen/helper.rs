//! The functions that generated code calls.

use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{AbiParam, InstBuilder, SigRef, Signature, Type, Value};

use super::Generator;
use crate::native::runtime;

/// A function of [`runtime`].
#[derive(Clone, Copy)]
pub(super) enum Helper {
    Begin,
    BeginResized,
    BeginReceive,
    Rendezvous,
    Fail,
    FailReceive,
    Violate,
    Insert,
    Remove,
    Clear,
    Remote,
    Oldest,
    PcValue,
    Priority,
    NonProgress,
    Promised,
}

/// How many helpers there are.
pub(super) const HELPERS: usize = Helper::Promised as usize + 1;

impl Helper {
    /// Its address, the types of its parameters and that of its result. Pointers count as `I64`.
    fn signature(self) -> (*const (), &'static [Type], Option<Type>) {
        match self {
            Helper::Begin => (runtime::begin as *const (), &[I64, I32, I32], Some(I64)),
            Helper::BeginResized => {
                (runtime::begin_resized as *const (), &[I64, I32, I32, I64], Some(I64))
            }
            Helper::BeginReceive => {
                (runtime::begin_receive as *const (), &[I64, I32, I32, I32], Some(I64))
            }
            Helper::Rendezvous => {
                (runtime::rendezvous as *const (), &[I64, I32, I32, I64], Some(I32))
            }
            Helper::Fail => (runtime::fail as *const (), &[I64, I32, I32, I32, I32, I32], None),
            Helper::FailReceive => {
                (runtime::fail_receive as *const (), &[I64, I32, I32, I32, I32, I32, I32], None)
            }
            Helper::Violate => (runtime::violate as *const (), &[I64], None),
            Helper::Insert => (runtime::insert as *const (), &[I64, I64, I64], None),
            Helper::Remove => (runtime::remove as *const (), &[I64, I64, I32], None),
            Helper::Clear => (runtime::clear as *const (), &[I64, I64], None),
            Helper::Remote => (runtime::remote as *const (), &[I64, I32, I32], Some(I64)),
            Helper::Oldest => (runtime::oldest as *const (), &[I64, I32], Some(I64)),
            Helper::PcValue => (runtime::pc_value as *const (), &[I64, I64, I32], Some(I32)),
            Helper::Priority => (runtime::priority as *const (), &[I64, I64, I32], Some(I32)),
            Helper::NonProgress => (runtime::non_progress as *const (), &[I64, I64], Some(I32)),
            Helper::Promised => {
                (runtime::promised as *const (), &[I64, I64, I32, I32, I32, I64], Some(I32))
            }
        }
    }
}

impl Generator<'_, '_> {
    /// Calls a helper for its effect.
    pub(super) fn call(&mut self, helper: Helper, args: &[Value]) {
        self.call_raw(helper, args);
    }

    /// Calls a helper for its result.
    pub(super) fn ask(&mut self, helper: Helper, args: &[Value]) -> Value {
        let call = self.call_raw(helper, args);
        self.b.inst_results(call)[0]
    }

    fn call_raw(&mut self, helper: Helper, args: &[Value]) -> cranelift_codegen::ir::Inst {
        let (address, _, _) = helper.signature();
        let signature = self.import(helper);
        let address = self.b.ins().iconst(I64, address as i64);
        self.b.ins().call_indirect(signature, address, args)
    }

    fn import(&mut self, helper: Helper) -> SigRef {
        if let Some(known) = self.helpers[helper as usize] {
            return known;
        }
        let (_, params, result) = helper.signature();
        let mut signature = Signature::new(self.call_conv);
        signature.params = params.iter().map(|t| AbiParam::new(*t)).collect();
        signature.returns = result.into_iter().map(AbiParam::new).collect();
        let imported = self.b.import_signature(signature);
        self.helpers[helper as usize] = Some(imported);
        imported
    }
}
