//! Sending, receiving and polling.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I32;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, MemFlagsData, Value};
use isospin_model::{Expr, ReceiveArg};

use super::channel::Channel;
use super::helper::Helper;
use super::place::{pieces, Address, Spot, MAX_INLINE};
use super::{After, Generator, View};
use crate::native::runtime::{code, Context, Handshake};

/// A message in a channel.
#[derive(Clone, Copy)]
enum Slot {
    First,
    At(Value),
}

impl<'m> Generator<'m, '_> {
    /// Sends, as a whole statement.
    pub(super) fn send(&mut self, channel: &Expr, args: &[Expr], sorted: bool, view: View) {
        self.on_channel(channel, view, &mut |me, channel| {
            me.send_on(channel, args, sorted, view);
        });
    }

    fn send_on(&mut self, channel: Channel<'m>, args: &[Expr], sorted: bool, view: View) {
        let ty = channel.ty;
        let len = self.length(channel, view);
        if ty.capacity > 0 {
            let capacity = self.int(i32::from(ty.capacity));
            let room = self.b.ins().icmp(IntCC::UnsignedLessThan, len, capacity);
            self.proceed_if(room, self.current.blocked);
        }
        if args.len() != ty.fields.len() {
            self.fail(view, code::FIELDS, args.len() as i32, ty.fields.len() as i32);
            return self.jump(self.current.blocked);
        }
        let values: Vec<Value> = args.iter().map(|arg| self.value(arg, view)).collect();
        if ty.capacity == 0 {
            return self.offer(channel, &values, view);
        }
        self.check_promises(channel, view.pid, true, view);
        let view = self.commit(view);
        if sorted {
            self.put_message(&values);
            let at = self.address(channel.spot, view);
            let at = self.pointer(at);
            let ty = self.long(std::ptr::from_ref(channel.ty) as i64);
            self.call(Helper::Insert, &[self.context, at, ty]);
        } else {
            let slot = if ty.capacity == 1 { Slot::First } else { Slot::At(len) };
            for (k, value) in values.into_iter().enumerate() {
                let at = self.field(channel, slot, k, view);
                self.write(ty.fields[k], value, at);
            }
            let one = self.int(1);
            let more = self.b.ins().iadd(len, one);
            self.set_length(channel, more, view);
        }
        self.finish(view);
    }

    /// Offers a message to the other processes.
    fn offer(&mut self, channel: Channel<'m>, values: &[Value], view: View) {
        if matches!(self.current.after, After::Node(_)) {
            self.fail(view, code::RENDEZVOUS_IN_DET_STEP, 0, 0);
            return self.jump(self.current.blocked);
        }
        let number = self.number(channel, view);
        // Mostly nobody is there to receive.
        let receives = self.context_long(offset_of!(Context, receives));
        let offered = self.channel_set(channel, number);
        let common = self.b.ins().band(receives, offered);
        self.proceed_if(common, self.current.blocked);
        let message: Vec<Value> = values
            .iter()
            .zip(&channel.ty.fields)
            .map(|(value, field)| self.truncate(*field, *value))
            .collect();
        self.put_message(&message);
        let id = self.int(self.current.id.0 as i32);
        let edge = self.long(std::ptr::from_ref(self.current.edge) as i64);
        let taken = self.ask(Helper::Rendezvous, &[self.context, number, id, edge]);
        let (yes, no) = (self.current.taken, self.current.blocked);
        self.b.ins().brif(taken, yes, &[], no, &[]);
    }

    /// Writes a message into the context.
    fn put_message(&mut self, values: &[Value]) {
        let message = self.context_long(offset_of!(Context, message));
        for (k, value) in values.iter().enumerate() {
            self.b.ins().store(MemFlagsData::trusted(), *value, message, 4 * k as i32);
        }
    }

    /// Receives, as a whole statement.
    pub(super) fn receive(
        &mut self,
        channel: &Expr,
        pattern: &[ReceiveArg],
        random: bool,
        copy: bool,
        saved: &[i32],
        view: View,
    ) {
        self.on_channel(channel, view, &mut |me, channel| {
            if me.handshake {
                me.accept(channel, pattern, copy, view);
            } else if channel.ty.capacity == 0 {
                if copy {
                    me.fail(view, code::POLLED, 0, 0);
                }
                me.jump(me.current.blocked);
            } else {
                me.receive_from(channel, pattern, random, copy, saved, view);
            }
        });
    }

    fn receive_from(
        &mut self,
        channel: Channel<'m>,
        pattern: &[ReceiveArg],
        random: bool,
        copy: bool,
        saved: &[i32],
        view: View,
    ) {
        let blocked = self.current.blocked;
        let Some(slot) = self.find(channel, pattern, random, saved, view, blocked) else {
            return self.jump(blocked);
        };
        if pattern.len() != channel.ty.fields.len() {
            self.fail_fields(channel, pattern, view);
            return self.jump(blocked);
        }
        self.check_promises(channel, view.pid, false, view);
        let source = view;
        let view = self.commit(view);
        // Stored one after the other: a later field's place may depend on an earlier field.
        for (k, arg) in pattern.iter().enumerate() {
            if let ReceiveArg::Store(place) = arg {
                let at = self.field(channel, slot, k, source);
                let value = self.load_at(channel.ty.fields[k], at);
                self.store(place, value, view);
            }
        }
        if !copy {
            self.remove(channel, slot, view);
        }
        self.finish(view);
    }

    /// Takes the message of a rendez-vous that is half done.
    fn accept(&mut self, channel: Channel<'m>, pattern: &[ReceiveArg], copy: bool, view: View) {
        let (ty, blocked) = (channel.ty, self.current.blocked);
        if ty.capacity > 0 {
            return self.jump(blocked);
        }
        let number = self.number(channel, view);
        let offered = offset_of!(Context, handshake) + offset_of!(Handshake, channel);
        let offered = self.context_int(offered);
        let same = self.b.ins().icmp(IntCC::Equal, number, offered);
        self.proceed_if(same, blocked);
        if copy {
            self.fail(view, code::POLLED, 0, 0);
            return self.jump(blocked);
        }
        if pattern.len() > ty.fields.len() {
            self.fail_fields(channel, pattern, view);
            return self.jump(blocked);
        }
        let message = self.context_long(offset_of!(Context, message));
        for (k, wanted) in self.wanted(pattern, view) {
            let flags = MemFlagsData::trusted();
            let field = self.b.ins().load(I32, flags, message, 4 * k as i32);
            let fits = self.b.ins().icmp(IntCC::Equal, field, wanted);
            self.proceed_if(fits, blocked);
        }
        if pattern.len() != ty.fields.len() {
            self.fail_fields(channel, pattern, view);
            return self.jump(blocked);
        }
        // A rendez-vous has been sent only when it is received.
        let sender = self.context_int(offset_of!(Context, pid));
        self.check_promises(channel, sender, true, view);
        self.check_promises(channel, view.pid, false, view);
        let view = self.commit(view);
        for (k, arg) in pattern.iter().enumerate() {
            if let ReceiveArg::Store(place) = arg {
                let flags = MemFlagsData::trusted();
                let value = self.b.ins().load(I32, flags, message, 4 * k as i32);
                self.store(place, value, view);
            }
        }
        self.finish(view);
    }

    /// Whether a receive would succeed.
    pub(super) fn poll(
        &mut self,
        channel: Channel<'m>,
        pattern: &[ReceiveArg],
        random: bool,
        view: View,
    ) -> Value {
        if channel.ty.capacity == 0 {
            self.fail(view, code::POLLED, 0, 0);
            return self.int(0);
        }
        let (no, done) = (self.b.create_block(), self.b.create_block());
        self.b.append_block_param(done, I32);
        let found = self.find(channel, pattern, random, &[], view, no).is_some();
        let found = self.int(i32::from(found));
        self.b.ins().jump(done, &[BlockArg::Value(found)]);
        self.b.switch_to_block(no);
        let zero = self.int(0);
        self.b.ins().jump(done, &[BlockArg::Value(zero)]);
        self.b.switch_to_block(done);
        self.b.block_params(done)[0]
    }

    /// The first message, or with `random` any, that fits the pattern; goes to `no` when there is
    /// none. Fields that the pattern does not mention fit. Without a result, what follows is never reached.
    fn find(
        &mut self,
        channel: Channel<'m>,
        pattern: &[ReceiveArg],
        random: bool,
        saved: &[i32],
        view: View,
        no: Block,
    ) -> Option<Slot> {
        let len = self.length(channel, view);
        self.proceed_if(len, no);
        if pattern.len() > channel.ty.fields.len() {
            self.fail_fields(channel, pattern, view);
            return None;
        }
        let wanted = self.wanted(pattern, view);
        if !random || channel.ty.capacity == 1 && saved.is_empty() {
            self.check_slot(channel, Slot::First, &wanted, view, no);
            return Some(Slot::First);
        }
        let (look, next) = (self.b.create_block(), self.b.create_block());
        let slot = self.b.append_block_param(look, I32);
        let zero = self.int(0);
        self.b.ins().jump(look, &[BlockArg::Value(zero)]);

        self.b.switch_to_block(next);
        let one = self.int(1);
        let following = self.b.ins().iadd(slot, one);
        // No more messages than there is room for, whatever bytes the state has.
        let capacity = self.int(i32::from(channel.ty.capacity));
        let most = self.b.ins().umin(len, capacity);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, following, most);
        let args = [BlockArg::Value(following)];
        self.b.ins().brif(more, look, &args, no, &[]);

        self.b.switch_to_block(look);
        if saved.is_empty() {
            self.check_slot(channel, Slot::At(slot), &wanted, view, next);
            return Some(Slot::At(slot));
        }
        // What is saved is passed over; the first of the others is the one that has to fit.
        let at = self.field(channel, Slot::At(slot), 0, view);
        let first = self.load_at(channel.ty.fields[0], at);
        for &other in saved {
            let other = self.int(other);
            let differs = self.b.ins().icmp(IntCC::NotEqual, first, other);
            self.proceed_if(differs, next);
        }
        self.check_slot(channel, Slot::At(slot), &wanted, view, no);
        Some(Slot::At(slot))
    }

    /// Goes on when the message in a slot has the wanted fields, and to `no` when not.
    fn check_slot(
        &mut self,
        channel: Channel<'m>,
        slot: Slot,
        wanted: &[(usize, Value)],
        view: View,
        no: Block,
    ) {
        for &(k, value) in wanted {
            let at = self.field(channel, slot, k, view);
            let field = self.load_at(channel.ty.fields[k], at);
            let fits = self.b.ins().icmp(IntCC::Equal, field, value);
            self.proceed_if(fits, no);
        }
    }

    /// Fails because a pattern has the wrong number of fields.
    fn fail_fields(&mut self, channel: Channel<'m>, pattern: &[ReceiveArg], view: View) {
        let (given, expected) = (pattern.len(), channel.ty.fields.len());
        self.fail(view, code::FIELDS, given as i32, expected as i32);
    }

    /// The fields that must match, and what.
    fn wanted(&mut self, pattern: &[ReceiveArg], view: View) -> Vec<(usize, Value)> {
        let mut wanted = Vec::new();
        for (k, arg) in pattern.iter().enumerate() {
            if let ReceiveArg::Match(expr) = arg {
                wanted.push((k, self.value(expr, view)));
            }
        }
        wanted
    }

    /// Where a field of a message is.
    fn field(&mut self, channel: Channel<'m>, slot: Slot, field: usize, view: View) -> Address {
        let at = self.message(channel, slot, view);
        at.plus(channel.ty.field_offsets[field])
    }

    fn message(&mut self, channel: Channel<'m>, slot: Slot, view: View) -> Address {
        let mut spot: Spot = channel.spot;
        if let Slot::At(slot) = slot {
            let slot = self.widen(slot);
            let size = self.long(i64::from(channel.ty.message_size));
            let distance = self.b.ins().imul(slot, size);
            spot.dynamic = Some(match spot.dynamic {
                Some(sum) => self.b.ins().iadd(sum, distance),
                None => distance,
            });
        }
        self.address(spot, view).plus(channel.ty.len_width())
    }

    /// Takes a message out of a channel. Slots without a message are 0, so that all slots may move
    /// up together.
    fn remove(&mut self, channel: Channel<'m>, slot: Slot, view: View) {
        let ty = channel.ty;
        let moved = u32::from(ty.capacity - 1) * ty.message_size;
        let (Slot::First, true) = (slot, moved <= MAX_INLINE) else {
            let at = self.address(channel.spot, view);
            let at = self.pointer(at);
            let ty = self.long(std::ptr::from_ref(channel.ty) as i64);
            let slot = match slot {
                Slot::First => self.int(0),
                Slot::At(slot) => slot,
            };
            return self.call(Helper::Remove, &[at, ty, slot]);
        };
        let len = self.length(channel, view);
        let one = self.int(1);
        let fewer = self.b.ins().isub(len, one);
        self.set_length(channel, fewer, view);
        let to = self.message(channel, Slot::First, view);
        let from = to.plus(ty.message_size);
        let flags = MemFlagsData::new().with_notrap();
        for (at, piece) in pieces(moved) {
            let (from, to) = (from.plus(at), to.plus(at));
            let bytes = self.b.ins().load(piece, flags, from.pointer, from.offset);
            self.b.ins().store(flags, bytes, to.pointer, to.offset);
        }
        self.clear(to.plus(moved), ty.message_size);
    }
}
