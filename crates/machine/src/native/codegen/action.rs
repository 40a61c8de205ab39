//! An action: its guard on the source state, its effect on the copy.

use cranelift_codegen::ir::{InstBuilder, MemFlagsData};
use isospin_model::{Action, Expr, FrameLayout, Place};

use super::helper::Helper;
use super::place::{Base, Spot};
use super::{After, Generator, Role, View};
use crate::native::runtime::code;

impl<'m> Generator<'m, '_> {
    /// The code that performs an action of the current edge. Control leaves it for one of the
    /// current edge's blocks.
    pub(super) fn perform(&mut self, action: &'m Action, view: View) {
        // While a rendez-vous is half done, everything but a receive waits.
        if self.handshake && !matches!(action, Action::Receive { .. } | Action::DetStep(_)) {
            return self.jump(self.current.blocked);
        }
        match action {
            Action::Skip | Action::Else => self.commit_and_finish(view),
            Action::Condition(Expr::Run { proctype, args, priority }) => {
                self.run(None, *proctype, args, *priority, view)
            }
            Action::Assign(place, Expr::Run { proctype, args, priority }) => {
                self.run(place.as_ref(), *proctype, args, *priority, view)
            }
            Action::Condition(condition) => {
                let yes = self.b.create_block();
                self.branch(condition, view, yes, self.current.blocked);
                self.b.switch_to_block(yes);
                self.commit_and_finish(view);
            }
            Action::Assign(place, value) => self.assign(place.as_ref(), value, view),
            Action::Send { channel, args, sorted } => self.send(channel, args, *sorted, view),
            Action::Receive { channel, pattern, random, copy, saved } => {
                self.receive(channel, pattern, *random, *copy, saved, view)
            }
            Action::Fail(failure) => {
                let (_, kind, number) = failure.parts();
                self.fail(view, code::FAILURE, kind as i32, i32::from(number));
                self.jump(self.current.blocked);
            }
            Action::Assert(condition) => {
                let holds = self.value(condition, view);
                let view = self.commit(view);
                let (fine, wrong) = (self.b.create_block(), self.b.create_block());
                self.b.set_cold_block(wrong);
                self.b.ins().brif(holds, fine, &[], wrong, &[]);
                self.b.switch_to_block(wrong);
                self.call(Helper::Violate, &[self.context]);
                self.jump(fine);
                self.b.switch_to_block(fine);
                self.finish(view);
            }
            Action::Print { args, .. } => {
                for arg in args {
                    self.value(arg, view);
                }
                self.commit_and_finish(view);
            }
            Action::PrintSymbol(value) => {
                self.value(value, view);
                self.commit_and_finish(view);
            }
            Action::End => self.end(view),
            Action::DetStep(step) => self.det_step(step, view),
            Action::SetPriority { .. } => unreachable!("left to the interpreter"),
        }
    }

    fn assign(&mut self, place: Option<&Place>, value: &Expr, view: View) {
        let value = self.value(value, view);
        let Some(place) = place else {
            return self.commit_and_finish(view);
        };
        match self.locate(place, view) {
            Some(spot) => {
                let view = self.commit(view);
                self.store_at(spot, place.ty, value, view);
                self.finish(view);
            }
            None => {
                let view = self.commit(view);
                self.store(place, value, view);
                self.finish(view);
            }
        }
    }

    /// The action can be performed: copies the state, unless that has been done.
    pub(super) fn commit(&mut self, view: View) -> View {
        if view.written {
            return view;
        }
        let edge = self.int(self.current.id.0 as i32);
        let atomic = self.int(i32::from(self.current.edge.atomic));
        let vector = match self.role {
            Role::Steps => self.ask(Helper::Begin, &[self.context, edge, atomic]),
            Role::Receive => {
                let args = [self.context, edge, atomic, self.source.pid];
                self.ask(Helper::BeginReceive, &args)
            }
        };
        self.copied(vector)
    }

    /// The view of a copy that starts at `vector`.
    pub(super) fn copied(&mut self, vector: cranelift_codegen::ir::Value) -> View {
        View {
            vector,
            frame: self.b.ins().iadd(vector, self.frame_offset),
            written: true,
            ..self.source
        }
    }

    fn commit_and_finish(&mut self, view: View) {
        let view = self.commit(view);
        self.finish(view);
    }

    /// The action has been performed: goes on in its sequence, or completes the edge.
    pub(super) fn finish(&mut self, view: View) {
        if let After::Node(Some(node)) = self.current.after {
            return self.go_on(node, view);
        }
        for &(offset, bytes) in &self.current.edge.resets {
            let spot = Spot { base: Base::Frame, offset: offset as i32, dynamic: None };
            let at = self.address(spot, view);
            self.clear(at, bytes);
        }
        let layout = &self.proctype.frame;
        let target = self.int(self.current.edge.target.0 as i32);
        let at = FrameLayout::LOCATION as i32;
        let flags = MemFlagsData::new().with_notrap();
        if layout.location_width == 1 {
            self.b.ins().istore8(flags, target, view.frame, at);
        } else {
            self.b.ins().istore16(flags, target, view.frame, at);
        }
        self.note_last(view);
        self.jump(self.current.taken);
    }

    /// Notes who moved last, where the model looks at it.
    pub(super) fn note_last(&mut self, view: View) {
        if let Some(last) = self.model.layout.last {
            let flags = MemFlagsData::new().with_notrap();
            let pid = self.source.pid;
            self.b.ins().istore8(flags, pid, view.vector, last as i32);
        }
    }
}
