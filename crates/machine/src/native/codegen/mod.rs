//! Turning the edges of a location into machine code.
//!
//! | file | what it generates |
//! | --- | --- |
//! | `location.rs` | the code of a location: its edges one after the other |
//! | `atoms.rs` | the atoms of a property, for an observer |
//! | `action.rs` | an action: its guard on the source state, its effect on the copy |
//! | `det_step.rs` | deterministic sequences |
//! | `process.rs` | starting and ending processes |
//! | `channel.rs` | which channel is meant, of which type, and where |
//! | `message.rs` | sending, receiving, polling |
//! | `expr.rs` | the values of expressions |
//! | `place.rs` | where variables are, loading and storing |
//! | `helper.rs` | calls into Rust |
//!
//! Guards read the source state; only when one holds is the state copied, and effects are applied
//! to the copy. A [`View`] says which of the two is read, so the same code serves both, and
//! deterministic sequences run on the copy from their second statement on.

mod action;
mod atoms;
mod channel;
mod det_step;
mod expr;
mod helper;
mod location;
mod message;
mod place;
mod process;

use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, MemFlagsData, SigRef, Value};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, Variable};
use isospin_model::{Edge, EdgeId, Model, ProcType};

pub(super) use atoms::atoms_signature;
pub(super) use location::{signature, Role};

/// What the code of a whole model has in common.
pub(super) struct Common<'m> {
    /// The model.
    pub model: &'m Model,
    /// What code must know of the machine that it is for, such as the calling convention of helpers
    /// and of the generated functions.
    pub target: TargetFrontendConfig,
    /// One channel type of each kind, see [`distinct_channels`](super::support::distinct_channels).
    pub channel_kinds: Vec<usize>,
}

/// A state as an expression sees it: where it is, and who looks.
#[derive(Clone, Copy)]
struct View {
    /// Where the state starts.
    vector: Value,
    /// Where the acting process's frame starts.
    frame: Value,
    /// The acting process.
    pid: Value,
    /// Whether this is the copy, which changes, and not the source, which does not.
    written: bool,
    /// Whether the acting process is being started, so that the tables do not have it yet.
    newborn: bool,
}

/// Where control goes once an action has been performed.
#[derive(Clone, Copy)]
enum After {
    /// The edge has been taken.
    Edge,
    /// The deterministic sequence goes on in this node, or has come to its end.
    Node(Option<u32>),
}

/// The edge whose code is being generated.
#[derive(Clone, Copy)]
struct Current<'m> {
    id: EdgeId,
    edge: &'m Edge,
    /// Where control goes when the edge has been taken.
    taken: Block,
    /// Where control goes when it cannot be taken; within a sequence, to the next alternative.
    blocked: Block,
    /// Where it goes on an error, before and after the state was copied.
    failures: [Option<Block>; 2],
    /// Where it goes once the action at hand has been performed.
    after: After,
}

/// The deterministic sequence whose code is being generated.
#[derive(Default)]
struct Sequence {
    /// The code of each node that can be come to.
    nodes: Vec<Option<Block>>,
}

/// Writes the code of one location.
pub(super) struct Generator<'m, 'f> {
    b: FunctionBuilder<'f>,
    common: &'f Common<'m>,
    model: &'m Model,
    proctype: &'m ProcType,
    role: Role,
    call_conv: CallConv,
    context: Value,
    /// How far into the vector the acting process's frame starts.
    frame_offset: Value,
    /// The state that the steps start from.
    source: View,
    current: Current<'m>,
    /// Whether only the second half of a rendez-vous can happen.
    handshake: bool,
    sequence: Sequence,
    /// The copy that a deterministic sequence works on.
    copy: Variable,
    /// How many nodes it has come through.
    count: Variable,
    helpers: [Option<SigRef>; helper::HELPERS],
}

impl Generator<'_, '_> {
    /// A 32-bit constant.
    fn int(&mut self, value: i32) -> Value {
        self.b.ins().iconst(I32, i64::from(value as u32))
    }

    /// A 64-bit constant.
    fn long(&mut self, value: i64) -> Value {
        self.b.ins().iconst(I64, value)
    }

    /// A field of the context, of 32 bits.
    fn context_int(&mut self, offset: usize) -> Value {
        let flags = MemFlagsData::trusted();
        self.b.ins().load(I32, flags, self.context, offset as i32)
    }

    /// A field of the context, of 64 bits.
    fn context_long(&mut self, offset: usize) -> Value {
        let flags = MemFlagsData::trusted();
        self.b.ins().load(I64, flags, self.context, offset as i32)
    }

    /// Goes on in a new block when `condition` is not 0, and to `otherwise` when it is.
    fn proceed_if(&mut self, condition: Value, otherwise: Block) {
        let next = self.b.create_block();
        self.b.ins().brif(condition, next, &[], otherwise, &[]);
        self.b.switch_to_block(next);
    }

    /// Goes to `target` when `condition` is not 0, and on in a new block when it is.
    fn leave_if(&mut self, condition: Value, target: Block) {
        let next = self.b.create_block();
        self.b.ins().brif(condition, target, &[], next, &[]);
        self.b.switch_to_block(next);
    }

    fn jump(&mut self, target: Block) {
        self.b.ins().jump(target, &[]);
    }

    /// Fails with an error when `condition` is not 0; goes on when it is.
    fn fail_if(&mut self, condition: Value, view: View, error: [Value; 3]) {
        let failure = self.failure(view);
        let next = self.b.create_block();
        let args = error.map(BlockArg::Value);
        self.b.ins().brif(condition, failure, &args, next, &[]);
        self.b.switch_to_block(next);
    }

    /// Fails with an error. What is generated afterwards is never reached.
    fn fail(&mut self, view: View, number: i32, a: i32, b: i32) {
        let failure = self.failure(view);
        let args = [self.int(number), self.int(a), self.int(b)].map(BlockArg::Value);
        self.b.ins().jump(failure, &args);
        let dead = self.b.create_block();
        self.b.switch_to_block(dead);
    }

    /// The block that reports an error of the current edge.
    fn failure(&mut self, view: View) -> Block {
        let slot = usize::from(view.written);
        if let Some(block) = self.current.failures[slot] {
            return block;
        }
        let block = self.b.create_block();
        self.b.set_cold_block(block);
        for _ in 0..3 {
            self.b.append_block_param(block, I32);
        }
        self.current.failures[slot] = Some(block);
        block
    }
}
