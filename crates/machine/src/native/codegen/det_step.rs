//! Deterministic sequences: in each node the first edge that can be taken is taken. The guards of
//! the first node are tried on the source state; everything after the first statement happens on
//! the copy.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, TrapCode};
use isospin_model::DetStep;

use super::{After, Generator, Sequence, View};
use crate::interpreter::DET_STEP_LIMIT;
use crate::native::runtime::code;

impl<'m> Generator<'m, '_> {
    /// The code of a whole sequence.
    pub(super) fn det_step(&mut self, step: &'m DetStep, view: View) {
        let mut nodes = vec![None; step.nodes.len()];
        // Only a sequence that turns back can fail to end.
        let mut turns_back = false;
        for (k, node) in step.nodes.iter().enumerate() {
            for target in node.edges.iter().filter_map(|e| e.target) {
                turns_back |= target as usize <= k;
                nodes[target as usize].get_or_insert_with(|| self.b.create_block());
            }
        }
        self.sequence = Sequence { nodes };
        let blocked = self.current.blocked;
        let one = self.int(1);
        self.b.def_var(self.count, one);
        self.node(step, 0, view);
        self.jump(blocked);

        self.handshake = false;
        for k in 0..step.nodes.len() {
            let Some(block) = self.sequence.nodes[k] else {
                continue;
            };
            self.b.switch_to_block(block);
            let vector = self.b.use_var(self.copy);
            let view = self.copied(vector);
            if turns_back {
                self.count_node(view);
            }
            self.node(step, k, view);
            self.fail(view, code::BLOCKED_IN_DET_STEP, 0, 0);
            // The block that follows a failure is never reached, but must end. It leads nowhere:
            // edges of dead blocks to one block take the code generator quadratic time to remove.
            self.b.ins().trap(TrapCode::unwrap_user(1));
        }
        self.current.blocked = blocked;
        self.current.after = After::Edge;
    }

    /// The edges of a node. Control goes on here when none can be taken.
    fn node(&mut self, step: &'m DetStep, node: usize, view: View) {
        for edge in &step.nodes[node].edges {
            let next = self.b.create_block();
            self.current.blocked = next;
            self.current.after = After::Node(edge.target);
            self.perform(&edge.action, view);
            self.b.switch_to_block(next);
        }
    }

    /// Goes on in a node, on the copy that the view shows.
    pub(super) fn go_on(&mut self, node: u32, view: View) {
        self.b.def_var(self.copy, view.vector);
        let block = self.sequence.nodes[node as usize].expect("targets have blocks");
        self.jump(block);
    }

    fn count_node(&mut self, view: View) {
        let count = self.b.use_var(self.count);
        let limit = self.int(DET_STEP_LIMIT as i32);
        let over = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, count, limit);
        let zero = self.int(0);
        let number = self.int(code::ENDLESS_DET_STEP);
        self.fail_if(over, view, [number, zero, zero]);
        let one = self.int(1);
        let more = self.b.ins().iadd(count, one);
        self.b.def_var(self.count, more);
    }
}
