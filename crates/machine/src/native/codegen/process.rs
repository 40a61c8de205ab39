//! Starting and ending processes.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};
use isospin_model::model::MAX_PROCESSES;
use isospin_model::{Expr, FrameLayout, Place, ProcTypeId, Scalar};

use super::helper::Helper;
use super::place::{Base, Spot};
use super::{Generator, View};
use crate::native::runtime::{code, Context};

impl Generator<'_, '_> {
    /// Starts a process and stores its number in `place`, as a whole statement.
    pub(super) fn run(
        &mut self,
        place: Option<&Place>,
        ty: ProcTypeId,
        args: &[Expr],
        priority: u8,
        view: View,
    ) {
        let model = self.model;
        let started = &model.proctypes[ty.index()];
        let layout = &started.frame;
        let args: Vec<Value> = args.iter().map(|arg| self.value(arg, view)).collect();

        let pid = self.context_int(offset_of!(Context, processes));
        self.check_limit(pid, 1, code::PROCESSES, view);
        let channels = self.context_int(offset_of!(Context, channel_count));
        self.check_limit(channels, layout.channels.len(), code::CHANNELS, view);

        let at = self.context_long(offset_of!(Context, len));
        let vector = self.grow(at, layout.size);
        let view = self.copied(vector);
        let newborn = View { frame: self.b.ins().iadd(vector, at), pid, newborn: true, ..view };
        let one = self.int(1);
        let count = self.b.ins().iadd(pid, one);
        let count_at = model.layout.process_count;
        self.put(Base::Vector, count_at, Scalar::BYTE, count, view);
        let number = self.int(i32::from(ty.0));
        self.put(Base::Frame, FrameLayout::TYPE, Scalar::BYTE, number, newborn);
        let location = self.int(started.automaton.initial.0 as i32);
        let width = Scalar::unsigned(if layout.location_width == 1 { 8 } else { 16 });
        self.put(Base::Frame, FrameLayout::LOCATION, width, location, newborn);
        if let Some(offset) = layout.priority {
            let priority = self.int(i32::from(priority));
            self.put(Base::Frame, offset, Scalar::BYTE, priority, newborn);
        }
        for (slot, value) in layout.slots.iter().zip(args) {
            self.put(Base::Frame, slot.offset, slot.ty, value, newborn);
        }
        for init in &started.initializers {
            let value = self.value(&init.value, newborn);
            self.store(&init.place, value, newborn);
        }
        if let Some(place) = place {
            self.store(place, pid, view);
        }
        self.finish(view);
    }

    /// Fails when there are too many of something once `more` have been added.
    fn check_limit(&mut self, present: Value, more: usize, number: i32, view: View) {
        let most = self.int(MAX_PROCESSES as i32 - more as i32);
        let over = self.b.ins().icmp(IntCC::SignedGreaterThan, present, most);
        let (number, zero) = (self.int(number), self.int(0));
        self.fail_if(over, view, [number, zero, zero]);
    }

    fn grow(&mut self, len: Value, by: u32) -> Value {
        let by = self.long(i64::from(by));
        let len = self.b.ins().iadd(len, by);
        self.begin_resized(len)
    }

    fn begin_resized(&mut self, len: Value) -> Value {
        let edge = self.int(self.current.id.0 as i32);
        let atomic = self.int(i32::from(self.current.edge.atomic));
        self.ask(Helper::BeginResized, &[self.context, edge, atomic, len])
    }

    fn put(&mut self, base: Base, offset: u32, ty: Scalar, value: Value, view: View) {
        let spot = Spot { base, offset: offset as i32, dynamic: None };
        self.store_at(spot, ty, value, view);
    }

    /// Ends the acting process, if it is the youngest: its frame is the vector's last part.
    pub(super) fn end(&mut self, view: View) {
        let processes = self.context_int(offset_of!(Context, processes));
        let one = self.int(1);
        let next = self.b.ins().iadd(view.pid, one);
        let youngest = self.b.ins().icmp(IntCC::Equal, next, processes);
        self.proceed_if(youngest, self.current.blocked);
        let vector = self.begin_resized(self.frame_offset);
        let flags = MemFlagsData::new().with_notrap();
        let at = self.model.layout.process_count as i32;
        self.b.ins().istore8(flags, view.pid, vector, at);
        let view = View { vector, ..view };
        self.note_last(view);
        self.jump(self.current.taken);
    }
}
