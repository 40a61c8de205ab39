//! The code that evaluates the atoms of a property.

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, Function, InstBuilder, MemFlags, Signature};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use isospin_model::{Edge, EdgeId, Expr, ProcType};

use super::helper::HELPERS;
use super::{After, Common, Current, Generator, Role, Sequence, View};
use crate::machine::Truth;

/// The signature of the function: see [`Atoms`](crate::native::runtime::Atoms).
pub(in crate::native) fn atoms_signature(call_conv: CallConv) -> Signature {
    let mut signature = Signature::new(call_conv);
    signature.params = [I64, I64, I64].map(AbiParam::new).to_vec();
    signature
}

impl<'m, 'f> Generator<'m, 'f> {
    /// Writes into `function`, which has the right signature, the code that evaluates atoms, each
    /// into the byte with its number. An observer has neither a process nor an edge, so that the
    /// ones given here are never looked at.
    pub(in crate::native) fn atoms<'e>(
        common: &'f Common<'m>,
        atoms: impl Iterator<Item = (usize, &'e Expr)>,
        (proctype, edge): (&'m ProcType, &'m Edge),
        function: &'f mut Function,
        room: &'f mut FunctionBuilderContext,
    ) {
        let mut b = FunctionBuilder::new(function, room);
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let [context, vector, values] = b.block_params(entry)[..] else {
            unreachable!("three parameters");
        };
        let (frame_offset, pid) = (b.ins().iconst(I64, 0), b.ins().iconst(super::I32, 0));
        let current = Current {
            id: EdgeId(0),
            edge,
            taken: entry,
            blocked: entry,
            failures: [None, None],
            after: After::Edge,
        };
        let mut generator = Generator {
            b,
            common,
            model: common.model,
            proctype,
            role: Role::Steps,
            call_conv: common.call_conv,
            context,
            frame_offset,
            source: View { vector, frame: vector, pid, written: false, newborn: false },
            current,
            handshake: false,
            sequence: Sequence::default(),
            copy: Variable::from_u32(0),
            count: Variable::from_u32(1),
            helpers: [None; HELPERS],
        };
        for (number, atom) in atoms {
            generator.atom(number, atom, values);
        }
        generator.b.ins().return_(&[]);
        generator.b.seal_all_blocks();
        generator.b.finalize();
    }

    /// Evaluates one atom, and writes the number of the [`Truth`](crate::Truth) that it says.
    fn atom(&mut self, number: usize, atom: &Expr, values: super::Value) {
        let [yes, no, wrong, next] = [(); 4].map(|()| self.b.create_block());
        self.current.failures = [None, None];
        self.branch(atom, self.source, yes, no);
        let truths = [(yes, Truth::True), (no, Truth::False), (wrong, Truth::Error)];
        for (block, value) in truths {
            self.b.switch_to_block(block);
            let value = self.int(value as i32);
            self.b.ins().istore8(MemFlags::trusted(), value, values, number as i32);
            self.jump(next);
        }
        for failure in self.current.failures.into_iter().flatten() {
            self.b.switch_to_block(failure);
            self.jump(wrong);
        }
        self.b.switch_to_block(next);
    }
}
