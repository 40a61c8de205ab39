//! The values of expressions, and where places are.

use isospin_model::{ChannelOwner, Expr, Index, Place, ProcTypeId, Region};

use super::context::Context;
use crate::fault::RuntimeError;

impl Context<'_> {
    /// The value of `expr`. A `run` inside takes effect.
    pub fn eval(&mut self, expr: &Expr) -> Result<i32, RuntimeError> {
        Ok(match expr {
            Expr::Const(value) => *value,
            Expr::Load(place) => match self.address(place)? {
                Some(at) => place.ty.load(self.vector, at),
                None => 0,
            },
            Expr::Unary(op, operand) => op.apply(self.eval(operand)?),
            Expr::Binary(op, a, b) => {
                let a = self.eval(a)?;
                match op.decided_by(a) {
                    Some(value) => value,
                    None => op.apply(a, self.eval(b)?)?,
                }
            }
            Expr::Conditional(condition, then, otherwise) => {
                if self.eval(condition)? != 0 {
                    self.eval(then)?
                } else {
                    self.eval(otherwise)?
                }
            }
            Expr::ChannelId { owner, first, index } => {
                let step = match index {
                    Some(index) => self.index(index)?,
                    None => 0,
                };
                let base = match owner {
                    ChannelOwner::Global => 0,
                    ChannelOwner::Executing => {
                        self.pid.map_or(0, |pid| self.shape.first_channel[pid])
                    }
                };
                (base + u32::from(*first) + step + 1) as i32
            }
            Expr::Len(channel) => {
                let channel = self.channel(channel)?;
                self.messages_in(channel) as i32
            }
            Expr::Full(channel) => {
                let channel = self.channel(channel)?;
                let capacity = self.model.channel_types[channel.ty.index()].capacity as usize;
                (capacity > 0 && self.messages_in(channel) == capacity) as i32
            }
            Expr::Empty(channel) => {
                let channel = self.channel(channel)?;
                (self.messages_in(channel) == 0) as i32
            }
            Expr::Poll { channel, pattern, random } => {
                let channel = self.channel(channel)?;
                if self.model.channel_types[channel.ty.index()].capacity == 0 {
                    return Err(RuntimeError::PolledRendezvous);
                }
                self.find(channel, pattern, *random, &[])?.is_some() as i32
            }
            Expr::Run { proctype, args, priority } => {
                let mut values = Vec::with_capacity(args.len());
                for arg in args {
                    values.push(self.eval(arg)?);
                }
                self.start(*proctype, &values, *priority)? as i32
            }
            Expr::Timeout => self.timeout as i32,
            Expr::NonProgress => !self.at_progress() as i32,
            Expr::Pid => self.pid.map_or(0, |pid| pid as i32),
            Expr::ProcessCount => self.shape.frames.len() as i32,
            Expr::Last => self.model.layout.last.map_or(0, |at| self.vector[at as usize] as i32),
            Expr::Enabled(pid) => {
                let pid = self.eval(pid)?;
                self.enabled(pid)? as i32
            }
            Expr::PcValue(pid) => {
                let pid = self.eval(pid)?;
                match self.process(pid) {
                    Some(pid) => {
                        let (ty, _) = self.shape.frames[pid];
                        let automaton = &self.model.proctypes[ty.index()].automaton;
                        automaton.locations[self.location(pid).index()].number as i32
                    }
                    None => 0,
                }
            }
            Expr::Priority(pid) => {
                let pid = self.eval(pid)?;
                self.process(pid).map_or(0, |pid| self.priority(pid) as i32)
            }
            Expr::AtLocation { proctype, pid, location } => {
                match (self.remote(*proctype, pid.as_deref())?, location) {
                    (Some(pid), Some(location)) => (self.location(pid) == *location) as i32,
                    _ => 0,
                }
            }
        })
    }

    /// Stores `value` in `place`.
    pub fn store(&mut self, place: &Place, value: i32) -> Result<(), RuntimeError> {
        if let Some(at) = self.address(place)? {
            place.ty.store(self.vector, at, value);
        }
        Ok(())
    }

    /// Where `place` is in the vector; nowhere when its process is not there.
    fn address(&mut self, place: &Place) -> Result<Option<usize>, RuntimeError> {
        let base = match &place.region {
            Region::Global => 0,
            Region::Local => match self.pid {
                Some(pid) => self.shape.frames[pid].1,
                None => return Ok(None),
            },
            Region::Remote { proctype, pid } => match self.remote(*proctype, pid.as_deref())? {
                Some(pid) => self.shape.frames[pid].1,
                None => return Ok(None),
            },
        };
        let mut at = base + place.offset;
        for index in &place.indices {
            at += self.index(index)? * index.stride;
        }
        Ok(Some(at as usize))
    }

    fn index(&mut self, index: &Index) -> Result<u32, RuntimeError> {
        let value = self.eval(&index.expr)?;
        if value < 0 || value as u32 >= index.len {
            return Err(RuntimeError::IndexOutOfRange { index: value, len: index.len });
        }
        Ok(value as u32)
    }

    /// The process that a remote reference means.
    fn remote(
        &mut self,
        proctype: ProcTypeId,
        pid: Option<&Expr>,
    ) -> Result<Option<usize>, RuntimeError> {
        match pid {
            Some(pid) => {
                let pid = self.eval(pid)?;
                Ok(self.process(pid).filter(|&pid| self.shape.frames[pid].0 == proctype))
            }
            None => Ok(self.shape.frames.iter().position(|&(ty, _)| ty == proctype)),
        }
    }
}
