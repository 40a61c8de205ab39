//! Which channel an expression names, of which type it is, and where it stands.
//!
//! A channel that a declaration names has a known type and place. A channel variable can hold any
//! channel; then the tables say where it is, and there is code for each kind of channel.

use std::mem::{offset_of, size_of};

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I32;
use cranelift_codegen::ir::{
    Block, BlockArg, BlockCall, InstBuilder, JumpTableData, MemFlagsData, Value,
};
use isospin_model::{ChannelInstance, ChannelOwner, ChannelType, Expr, Index, Scalar};

use super::helper::Helper;
use super::place::{known_index, Base, Spot};
use super::{Generator, View};
use crate::native::runtime::{code, Channel as Entry, Context, Frame};
use crate::native::support::{bit, claim_bit};

/// A channel of a known type.
#[derive(Clone, Copy)]
pub(super) struct Channel<'m> {
    /// What it can hold.
    pub ty: &'m ChannelType,
    /// Where it is.
    pub spot: Spot,
    number: Number,
}

/// The number of a channel, which only rendez-vous need.
#[derive(Clone, Copy)]
enum Number {
    /// It has been computed.
    Computed(Value),
    /// It stands so far behind the first of its owner's channels.
    Relative(ChannelOwner, u16, Option<Value>),
}

impl Number {
    /// Whether the channel may be the one that a process claims.
    fn may_be(self, claimed: &Expr) -> bool {
        match (self, claimed) {
            (
                Number::Relative(mine, first, step),
                Expr::ChannelId { owner, first: theirs, index: None },
            ) => mine == *owner && (first == *theirs || step.is_some()),
            _ => true,
        }
    }
}

/// What is known about the channel that an expression names.
enum Named<'m> {
    Typed(Channel<'m>),
    Any(Value),
}

impl<'m> Generator<'m, '_> {
    /// Generates `act` for the channel that an expression names, once for each kind that it may
    /// be of. `act` must not fall through.
    pub(super) fn on_channel(
        &mut self,
        channel: &Expr,
        view: View,
        act: &mut dyn FnMut(&mut Self, Channel<'m>),
    ) {
        match self.named(channel, view) {
            Named::Typed(channel) => act(self, channel),
            Named::Any(number) => self.on_any(number, view, act),
        }
    }

    /// A value that depends on a channel.
    pub(super) fn channel_value(
        &mut self,
        channel: &Expr,
        view: View,
        value: impl Fn(&mut Self, Channel<'m>) -> Value,
    ) -> Value {
        let number = match self.named(channel, view) {
            Named::Typed(channel) => return value(self, channel),
            Named::Any(number) => number,
        };
        let done = self.b.create_block();
        self.b.append_block_param(done, I32);
        self.on_any(number, view, &mut |me, channel| {
            let value = value(me, channel);
            me.b.ins().jump(done, &[BlockArg::Value(value)]);
        });
        self.b.switch_to_block(done);
        self.b.block_params(done)[0]
    }

    fn named(&mut self, channel: &Expr, view: View) -> Named<'m> {
        if let Expr::ChannelId { owner, first, index } = channel {
            let (instances, base) = match owner {
                ChannelOwner::Global => (&self.model.layout.channels, Base::Vector),
                ChannelOwner::Executing => (&self.proctype.frame.channels, Base::Frame),
            };
            let from = usize::from(*first);
            let len = index.as_ref().map_or(1, |i| i.len as usize);
            let instances = instances.get(from..from + len);
            if let Some((ty, offset, stride)) = instances.and_then(|i| self.regular(i)) {
                let mut spot = Spot { base, offset: offset as i32, dynamic: None };
                let step = index.as_ref().map(|index| {
                    let value = self.checked_index(index, view);
                    self.add_scaled(&mut spot, index, value, stride);
                    value
                });
                let number = Number::Relative(*owner, *first, step);
                return Named::Typed(Channel { ty, spot, number });
            }
        }
        Named::Any(self.value(channel, view))
    }

    /// The type, offset and distance of channels that are of one kind and evenly spread.
    fn regular(&self, instances: &'m [ChannelInstance]) -> Option<(&'m ChannelType, u32, u32)> {
        let first = instances.first()?;
        let ty = &self.model.channel_types[first.ty.index()];
        let stride = instances.get(1).map_or(0, |c| c.offset - first.offset);
        let even = instances.iter().zip(0..).all(|(c, k)| {
            c.offset == first.offset + k * stride && self.model.channel_types[c.ty.index()] == *ty
        });
        even.then_some((ty, first.offset, stride))
    }

    fn add_scaled(&mut self, spot: &mut Spot, index: &Index, value: Value, stride: u32) {
        if let Some(known) = known_index(index) {
            spot.offset += (known * stride) as i32;
            return;
        }
        let wide = self.widen(value);
        let stride = self.long(i64::from(stride));
        spot.dynamic = Some(self.b.ins().imul(wide, stride));
    }

    fn on_any(&mut self, number: Value, view: View, act: &mut dyn FnMut(&mut Self, Channel<'m>)) {
        let (zero, one) = (self.int(0), self.int(1));
        let position = self.b.ins().isub(number, one);
        let count = self.context_int(offset_of!(Context, channel_count));
        let outside = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, position, count);
        let is_zero = self.b.ins().icmp(IntCC::Equal, number, zero);
        let (uninitialized, unknown) = (self.int(code::UNINITIALIZED), self.int(code::NO_CHANNEL));
        let error = self.b.ins().select(is_zero, uninitialized, unknown);
        self.fail_if(outside, view, [error, number, zero]);

        let table = self.context_long(offset_of!(Context, channels));
        let position = self.widen(position);
        let size = self.long(size_of::<Entry>() as i64);
        let distance = self.b.ins().imul(position, size);
        let entry = self.b.ins().iadd(table, distance);
        let flags = MemFlagsData::trusted();
        let ty = offset_of!(Entry, ty) as i32;
        let ty = self.b.ins().load(I32, flags, entry, ty);
        let offset = offset_of!(Entry, offset) as i32;
        let offset = self.b.ins().load(I32, flags, entry, offset);
        let spot = Spot { base: Base::Vector, offset: 0, dynamic: Some(self.widen(offset)) };
        let number = Number::Computed(number);
        let types = &self.model.channel_types;
        let kinds = &self.common.channel_kinds;
        let blocks: Vec<Block> = kinds.iter().map(|_| self.b.create_block()).collect();
        self.switch(ty, &blocks);
        for (&kind, block) in kinds.iter().zip(blocks) {
            self.b.switch_to_block(block);
            let ty = &types[kind];
            act(self, Channel { ty, spot, number });
        }
        if kinds.is_empty() {
            // There are no channels, so the check above has failed.
            let dead = self.b.create_block();
            self.b.switch_to_block(dead);
        }
    }

    /// Goes to the block of the kind that a channel type belongs to.
    fn switch(&mut self, ty: Value, blocks: &[Block]) {
        let Some(&first) = blocks.first() else {
            return self.jump(self.current.blocked);
        };
        if blocks.len() == 1 {
            return self.jump(first);
        }
        let types = &self.model.channel_types;
        let kinds = &self.common.channel_kinds;
        let pool = &mut self.b.func.dfg.value_lists;
        let table: Vec<BlockCall> = types
            .iter()
            .map(|ty| {
                let kind = kinds.iter().position(|&k| types[k] == *ty);
                BlockCall::new(blocks[kind.unwrap_or(0)], std::iter::empty(), pool)
            })
            .collect();
        let default = BlockCall::new(first, std::iter::empty(), pool);
        let table = self.b.create_jump_table(JumpTableData::new(default, &table));
        self.b.ins().br_table(ty, table);
    }

    /// The number of a channel.
    pub(super) fn number(&mut self, channel: Channel<'m>, view: View) -> Value {
        match channel.number {
            Number::Computed(value) => value,
            Number::Relative(owner, first, step) => self.relative(owner, first, step, view),
        }
    }

    /// The set of channels that has one member, see [`ChannelSet`](crate::native::support).
    pub(super) fn channel_set(&mut self, channel: Channel<'m>, number: Value) -> Value {
        if let Number::Relative(ChannelOwner::Global, first, None) = channel.number {
            return self.long((1u64 << bit(u32::from(first) + 1)) as i64);
        }
        let (one, number) = (self.long(1), self.widen(number));
        let shift = self.b.ins().isub(number, one);
        // Shifting looks at the low six bits only, as `bit` does.
        self.b.ins().ishl(one, shift)
    }

    /// Fails when another process has promised that `pid` does not send to, or receive from, a
    /// channel. Where no promise can be about the channel, there is no code.
    pub(super) fn check_promises(
        &mut self,
        channel: Channel<'m>,
        pid: Value,
        sending: bool,
        view: View,
    ) {
        let promises = self.model.exclusives.iter().enumerate();
        let claims = promises
            .filter(|(_, e)| e.sending == sending && channel.number.may_be(&e.channel))
            .fold(0u64, |set, (k, _)| set | 1 << claim_bit(k));
        if claims == 0 {
            return;
        }
        let number = self.number(channel, view);
        let (sending, claims) = (self.int(i32::from(sending)), self.long(claims as i64));
        let args = [self.context, view.vector, pid, number, sending, claims];
        let error = self.ask(Helper::Promised, &args);
        let zero = self.int(0);
        self.fail_if(error, view, [error, zero, zero]);
    }

    /// The number of a channel that a declaration created.
    pub(super) fn channel_number(
        &mut self,
        owner: ChannelOwner,
        first: u16,
        index: Option<&Index>,
        view: View,
    ) -> Value {
        let step = index.map(|index| self.checked_index(index, view));
        self.relative(owner, first, step, view)
    }

    fn relative(
        &mut self,
        owner: ChannelOwner,
        first: u16,
        step: Option<Value>,
        view: View,
    ) -> Value {
        let mut number = self.int(i32::from(first) + 1);
        if let Some(step) = step {
            number = self.b.ins().iadd(number, step);
        }
        if owner == ChannelOwner::Global {
            return number;
        }
        let base = if view.newborn {
            self.context_int(offset_of!(Context, channel_count))
        } else {
            let frames = self.context_long(offset_of!(Context, frames));
            let pid = self.widen(view.pid);
            let size = self.long(size_of::<Frame>() as i64);
            let distance = self.b.ins().imul(pid, size);
            let frame = self.b.ins().iadd(frames, distance);
            let at = offset_of!(Frame, first_channel) as i32;
            self.b.ins().load(I32, MemFlagsData::trusted(), frame, at)
        };
        self.b.ins().iadd(base, number)
    }

    /// How many messages a channel holds.
    pub(super) fn length(&mut self, channel: Channel<'m>, view: View) -> Value {
        if channel.ty.capacity == 0 {
            return self.int(0);
        }
        let at = self.address(channel.spot, view);
        self.load_at(length_type(channel.ty), at)
    }

    /// Sets how many messages a channel holds.
    pub(super) fn set_length(&mut self, channel: Channel<'m>, len: Value, view: View) {
        let at = self.address(channel.spot, view);
        self.write(length_type(channel.ty), len, at);
    }
}

fn length_type(ty: &ChannelType) -> Scalar {
    Scalar::unsigned(8 * ty.len_width() as u8)
}
