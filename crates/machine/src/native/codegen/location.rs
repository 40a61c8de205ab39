//! The code of a location: its edges in order, with escapes and `else`.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{AbiParam, Block, Function, InstBuilder, Signature, Value};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use isospin_model::{Action, Edge, EdgeId, LocationId, ProcType};

use super::helper::{Helper, HELPERS};
use super::{After, Common, Current, Generator, Sequence, View};

/// What the code of a location is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) enum Role {
    /// All steps that a process can take.
    Steps,
    /// The second half of a rendez-vous.
    Receive,
}

/// The signature of every generated function: see [`Function`](crate::native::runtime::Function).
pub(in crate::native) fn signature(call_conv: CallConv) -> Signature {
    let mut signature = Signature::new(call_conv);
    signature.params = [I64, I64, I64, I32].map(AbiParam::new).to_vec();
    signature
}

/// Whether some edge of the location has been taken, and of which escape it was.
struct Progress {
    taken: Option<Variable>,
    escape: Option<Variable>,
}

impl<'m, 'f> Generator<'m, 'f> {
    /// Writes the code of a location into `function`, which has the right signature.
    pub(in crate::native) fn location(
        common: &'f Common<'m>,
        proctype: &'m ProcType,
        location: LocationId,
        role: Role,
        function: &'f mut Function,
        room: &'f mut FunctionBuilderContext,
    ) {
        let mut b = FunctionBuilder::new(function, room);
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let [context, vector, frame_offset, pid] = b.block_params(entry)[..] else {
            unreachable!("four parameters");
        };
        let frame = b.ins().iadd(vector, frame_offset);
        let (copy, count) = (b.declare_var(I64), b.declare_var(I32));
        let edges = proctype.automaton.edges_of(location);
        let first = proctype.automaton.locations[location.index()].first_edge;
        let Some(edge) = edges.first() else {
            b.ins().return_(&[]);
            b.seal_all_blocks();
            b.finalize(common.target);
            return;
        };
        let mut generator = Generator {
            b,
            common,
            model: common.model,
            proctype,
            role,
            call_conv: common.target.default_call_conv,
            context,
            frame_offset,
            source: View { vector, frame, pid, written: false, newborn: false },
            current: Current {
                id: first,
                edge,
                taken: entry,
                blocked: entry,
                failures: [None, None],
                after: After::Edge,
            },
            handshake: role == Role::Receive,
            sequence: Sequence::default(),
            copy,
            count,
            helpers: [None; HELPERS],
        };
        let progress = generator.progress(edges);
        for (edge, id) in edges.iter().zip((first.0..).map(EdgeId)) {
            generator.edge(edge, id, &progress);
        }
        generator.b.ins().return_(&[]);
        generator.b.seal_all_blocks();
        generator.b.finalize(common.target);
    }

    fn progress(&mut self, edges: &[Edge]) -> Progress {
        let has_else = edges.iter().any(|e| matches!(e.action, Action::Else));
        let has_escape = edges.iter().any(|e| e.escape > 0);
        let mut declare = |wanted: bool| {
            wanted.then(|| {
                let variable = self.b.declare_var(I32);
                let zero = self.b.ins().iconst(I32, 0);
                self.b.def_var(variable, zero);
                variable
            })
        };
        Progress {
            taken: declare(has_else && self.role == Role::Steps),
            escape: declare(has_escape),
        }
    }

    fn edge(&mut self, edge: &'m Edge, id: EdgeId, progress: &Progress) {
        if self.role == Role::Receive
            && !matches!(edge.action, Action::Receive { .. } | Action::DetStep(_))
        {
            // The loop below would find it blocked; only the escape rule is left to apply.
            return self.check_escape(edge, progress);
        }
        self.check_escape(edge, progress);
        let next = self.b.create_block();
        let taken = self.b.create_block();
        self.current =
            Current { id, edge, taken, blocked: next, failures: [None, None], after: After::Edge };
        self.handshake = self.role == Role::Receive;
        if let (Action::Else, Some(variable)) = (&edge.action, progress.taken) {
            let before = self.b.use_var(variable);
            self.leave_if(before, next);
        }
        self.perform(&edge.action, self.source);

        self.b.switch_to_block(taken);
        self.note(progress.taken, 1);
        self.note(progress.escape, edge.escape);
        self.jump(next);
        for (written, block) in (0..).zip(self.current.failures) {
            if let Some(block) = block {
                self.report(block, written);
                self.note(progress.taken, 1);
                if self.role == Role::Steps {
                    self.note(progress.escape, edge.escape);
                }
                self.jump(next);
            }
        }
        self.b.switch_to_block(next);
    }

    /// Once an edge of one escape has been taken, edges outside it are not looked at.
    fn check_escape(&mut self, edge: &Edge, progress: &Progress) {
        let Some(variable) = progress.escape else {
            return;
        };
        let escape = self.b.use_var(variable);
        let other = if edge.escape == 0 {
            escape
        } else {
            let own = self.int(edge.escape as i32);
            let different = self.b.ins().icmp(IntCC::NotEqual, escape, own);
            let zero = self.int(0);
            let some = self.b.ins().icmp(IntCC::NotEqual, escape, zero);
            self.b.ins().band(different, some)
        };
        let (leave, stay) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(other, leave, &[], stay, &[]);
        self.b.switch_to_block(leave);
        self.b.ins().return_(&[]);
        self.b.switch_to_block(stay);
    }

    fn note(&mut self, variable: Option<Variable>, value: u32) {
        if let Some(variable) = variable {
            let value = self.int(value as i32);
            self.b.def_var(variable, value);
        }
    }

    /// The cold code that adds a failed step.
    fn report(&mut self, block: Block, written: i32) {
        self.b.switch_to_block(block);
        let [number, a, b] = self.b.block_params(block)[..] else {
            unreachable!("three parameters");
        };
        let edge = self.int(self.current.id.0 as i32);
        let written = self.int(written);
        let args = [self.context, edge, number, a, b, written];
        match self.role {
            Role::Steps => self.call(Helper::Fail, &args),
            Role::Receive => {
                let pid: Value = self.source.pid;
                let args: Vec<Value> = args.into_iter().chain([pid]).collect();
                self.call(Helper::FailReceive, &args);
            }
        }
    }
}
