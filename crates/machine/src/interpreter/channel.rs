//! Sending, receiving and polling.

use isospin_model::{Expr, ReceiveArg};

use super::context::{Context, Handshake};
use super::Channel;
use crate::fault::RuntimeError;

impl Context<'_> {
    /// The channel that `expr` names.
    pub fn channel(&mut self, expr: &Expr) -> Result<Channel, RuntimeError> {
        let id = self.eval(expr)?;
        if id == 0 {
            return Err(RuntimeError::UninitializedChannel);
        }
        match self.shape.channels.get((id as usize).wrapping_sub(1)) {
            Some(&(ty, offset)) => Ok(Channel { id: id as u32, ty, offset: offset as usize }),
            None => Err(RuntimeError::NoSuchChannel(id)),
        }
    }

    /// How many messages the channel holds.
    pub fn messages_in(&self, channel: Channel) -> usize {
        self.model.channel_types[channel.ty.index()].len(self.vector, channel.offset)
    }

    /// Sends, if the channel has room. On a rendez-vous channel the message is only made ready.
    pub fn send(
        &mut self,
        channel: Channel,
        args: &[Expr],
        sorted: bool,
    ) -> Result<Sent, RuntimeError> {
        if self.handshake.is_some() {
            return Ok(Sent::Blocked);
        }
        let ty = &self.model.channel_types[channel.ty.index()];
        let len = self.messages_in(channel);
        if ty.capacity > 0 && len == ty.capacity as usize {
            return Ok(Sent::Blocked);
        }
        if args.len() != ty.fields.len() {
            let (given, expected) = (args.len() as u32, ty.fields.len() as u32);
            return Err(RuntimeError::FieldCount { given, expected });
        }
        let mut raw = Vec::with_capacity(args.len());
        for arg in args {
            raw.push(self.eval(arg)?);
        }
        let message: Vec<i32> =
            raw.iter().zip(&ty.fields).map(|(v, field)| field.truncate(*v)).collect();
        if ty.capacity > 0 {
            self.promised(self.pid, channel.id, true)?;
        }
        self.event(true, channel.id, &message)?;
        if ty.capacity == 0 {
            return Ok(Sent::Ready(Handshake { sender: self.pid, channel: channel.id, message }));
        }
        let slot = if sorted { self.insertion_point(channel, &raw) } else { len };
        let size = ty.message_size as usize;
        let at = ty.message(channel.offset, slot);
        let end = ty.message(channel.offset, len);
        self.vector.copy_within(at..end, at + size);
        ty.set_len(self.vector, channel.offset, len + 1);
        for (k, value) in message.iter().enumerate() {
            ty.fields[k].store(self.vector, at + ty.field_offsets[k] as usize, *value);
        }
        Ok(Sent::Done)
    }

    /// Before the first message that is greater, field by field.
    fn insertion_point(&self, channel: Channel, message: &[i32]) -> usize {
        let len = self.messages_in(channel);
        (0..len)
            .find(|&slot| {
                for (k, value) in message.iter().enumerate() {
                    match value.cmp(&self.field(channel, slot, k)) {
                        std::cmp::Ordering::Greater => return false,
                        std::cmp::Ordering::Less => return true,
                        std::cmp::Ordering::Equal => {}
                    }
                }
                false
            })
            .unwrap_or(len)
    }

    /// One field of a message in the channel, or of the message that a rendez-vous offers.
    fn field(&self, channel: Channel, slot: usize, field: usize) -> i32 {
        if let Some(handshake) = &self.handshake {
            return handshake.message[field];
        }
        let ty = &self.model.channel_types[channel.ty.index()];
        let at = ty.message(channel.offset, slot) + ty.field_offsets[field] as usize;
        ty.fields[field].load(self.vector, at)
    }

    /// The first message, or with `random` any, that fits the pattern. Fields that the pattern does
    /// not mention fit. Where messages are passed over, the first of the others has to fit.
    pub fn find(
        &mut self,
        channel: Channel,
        pattern: &[ReceiveArg],
        random: bool,
        saved: &[i32],
    ) -> Result<Option<usize>, RuntimeError> {
        let expected = self.model.channel_types[channel.ty.index()].fields.len();
        let len = match &self.handshake {
            Some(_) => 1,
            None => self.messages_in(channel),
        };
        if len == 0 {
            return Ok(None);
        }
        if pattern.len() > expected {
            let (given, expected) = (pattern.len() as u32, expected as u32);
            return Err(RuntimeError::FieldCount { given, expected });
        }
        let mut wanted = Vec::with_capacity(pattern.len());
        for (k, arg) in pattern.iter().enumerate() {
            if let ReceiveArg::Match(expr) = arg {
                wanted.push((k, self.eval(expr)?));
            }
        }
        let fits = |slot: usize| wanted.iter().all(|&(k, v)| self.field(channel, slot, k) == v);
        // At a rendez-vous there is nothing to be passed over.
        if !saved.is_empty() && self.handshake.is_none() {
            let first = (0..len).find(|&slot| !saved.contains(&self.field(channel, slot, 0)));
            return Ok(first.filter(|&slot| fits(slot)));
        }
        let slots = if random { len } else { 1 };
        Ok((0..slots).find(|&slot| fits(slot)))
    }

    /// Receives a message that fits, if there is one.
    pub fn receive(
        &mut self,
        channel: Channel,
        pattern: &[ReceiveArg],
        random: bool,
        copy: bool,
        saved: &[i32],
    ) -> Result<bool, RuntimeError> {
        let rendezvous = self.model.channel_types[channel.ty.index()].capacity == 0;
        match &self.handshake {
            Some(handshake) if handshake.channel != channel.id => return Ok(false),
            // Nothing to be looked at will ever be there.
            None if rendezvous && copy => return Err(RuntimeError::PolledRendezvous),
            None if rendezvous => return Ok(false),
            _ => {}
        }
        if rendezvous && copy {
            return Err(RuntimeError::PolledRendezvous);
        }
        let Some(slot) = self.find(channel, pattern, random, saved)? else {
            return Ok(false);
        };
        let expected = self.model.channel_types[channel.ty.index()].fields.len();
        if pattern.len() != expected {
            let (given, expected) = (pattern.len() as u32, expected as u32);
            return Err(RuntimeError::FieldCount { given, expected });
        }
        // A rendez-vous has been sent only when it is received.
        if let Some(handshake) = &self.handshake {
            self.promised(handshake.sender, channel.id, true)?;
        }
        self.promised(self.pid, channel.id, false)?;
        // What only copies a message leaves it to be received: that is no event, as in Spin.
        if self.model.trace.is_some() && !copy {
            let message: Vec<i32> = (0..expected).map(|k| self.field(channel, slot, k)).collect();
            self.event(false, channel.id, &message)?;
        }
        // Stored one after the other: a later field's place may depend on an earlier field.
        for (k, arg) in pattern.iter().enumerate() {
            if let ReceiveArg::Store(place) = arg {
                let value = self.field(channel, slot, k);
                self.store(place, value)?;
            }
        }
        if !rendezvous && !copy {
            self.remove(channel, slot);
        }
        Ok(true)
    }

    /// Whether every other process lets `pid` send to, or receive from, a channel. Only what takes
    /// effect is asked about: Spin complains of an operation that is merely tried, too, and of some
    /// tests of what a channel holds.
    fn promised(
        &self,
        pid: Option<usize>,
        channel: u32,
        sending: bool,
    ) -> Result<(), RuntimeError> {
        for claim in self.model.exclusives.iter().filter(|c| c.sending == sending) {
            for (other, &(ty, frame)) in self.shape.frames.iter().enumerate() {
                if ty == claim.proctype
                    && Some(other) != pid
                    && claim.claimed(self.vector, frame, self.shape.first_channel[other]) == channel
                {
                    return Err(if sending {
                        RuntimeError::ExclusiveSend
                    } else {
                        RuntimeError::ExclusiveReceive
                    });
                }
            }
        }
        Ok(())
    }

    fn remove(&mut self, channel: Channel, slot: usize) {
        let ty = &self.model.channel_types[channel.ty.index()];
        let len = self.messages_in(channel);
        let at = ty.message(channel.offset, slot);
        let end = ty.message(channel.offset, len);
        let size = ty.message_size as usize;
        self.vector.copy_within(at + size..end, at);
        self.vector[end - size..end].fill(0);
        ty.set_len(self.vector, channel.offset, len - 1);
    }
}

/// What became of a send.
pub(super) enum Sent {
    Blocked,
    Done,
    Ready(Handshake),
}
