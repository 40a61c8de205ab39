//! When an action is enabled, and what it does.

use isospin_model::{Action, DetStep, Expr};

use super::channel::Sent;
use super::context::{Context, Handshake};
use crate::fault::{Fault, RuntimeError};

/// A deterministic sequence that takes more steps than this is taken not to end.
pub(crate) const DET_STEP_LIMIT: u64 = 10_000_000;

/// What became of an attempt to perform an action.
pub(super) enum Outcome {
    /// It cannot be performed here; the state may not be used.
    Blocked,
    /// It has been performed.
    Done { fault: Option<Fault> },
    /// It is a rendez-vous send that now needs a receiver.
    Handshake(Handshake),
}

const DONE: Outcome = Outcome::Done { fault: None };

impl Context<'_> {
    /// Performs an action of the acting process, if it can be performed.
    pub fn perform(&mut self, action: &Action) -> Result<Outcome, RuntimeError> {
        // While a rendez-vous is half done, everything but a receive waits.
        if self.handshake.is_some()
            && !matches!(action, Action::Receive { .. } | Action::DetStep(_))
        {
            return Ok(Outcome::Blocked);
        }
        match action {
            Action::Skip | Action::Else => {}
            Action::Condition(condition) => {
                if self.eval(condition)? == 0 {
                    return Ok(Outcome::Blocked);
                }
            }
            Action::Assign(place, value) => {
                let value = self.eval(value)?;
                if let Some(place) = place {
                    self.store(place, value)?;
                }
            }
            Action::Send { channel, args, sorted } => {
                let channel = self.channel(channel)?;
                match self.send(channel, args, *sorted)? {
                    Sent::Blocked => return Ok(Outcome::Blocked),
                    Sent::Done => {}
                    Sent::Ready(handshake) => return Ok(Outcome::Handshake(handshake)),
                }
            }
            Action::Fail(failure) => return Err(RuntimeError::Failure(*failure)),
            Action::Receive { channel, pattern, random, copy, saved } => {
                let channel = self.channel(channel)?;
                if !self.receive(channel, pattern, *random, *copy, saved)? {
                    return Ok(Outcome::Blocked);
                }
                self.handshake = None;
            }
            Action::Assert(condition) => {
                if self.eval(condition)? == 0 {
                    return Ok(Outcome::Done { fault: Some(Fault::Assertion) });
                }
            }
            Action::Print { format, args } => self.print(format, args)?,
            Action::PrintSymbol(value) => self.print_symbol(value)?,
            Action::SetPriority { pid, priority } => {
                let pid = self.eval(pid)?;
                let priority = self.eval(priority)?;
                self.set_priority(pid, priority)?;
            }
            Action::End => {
                let Some(pid) = self.pid else {
                    return Ok(Outcome::Blocked);
                };
                if !self.end(pid) {
                    return Ok(Outcome::Blocked);
                }
            }
            Action::DetStep(step) => return self.det_step(step),
        }
        Ok(DONE)
    }

    /// Runs a deterministic sequence to its end.
    fn det_step(&mut self, step: &DetStep) -> Result<Outcome, RuntimeError> {
        let mut fault = None;
        let mut node = 0usize;
        // A sequence that comes back to a state goes round for ever. One state is remembered, a
        // later one each time twice as many steps are done [Brent 1980].
        let mut remembered: Option<(usize, Vec<u8>)> = None;
        for count in 0..DET_STEP_LIMIT {
            if remembered.as_ref().is_some_and(|(n, state)| *n == node && state == self.vector) {
                return Err(RuntimeError::EndlessDetStep);
            }
            if count >= 1024 && count.is_power_of_two() {
                remembered = Some((node, self.vector.clone()));
            }
            let mut next = None;
            for edge in &step.nodes[node].edges {
                match self.perform(&edge.action)? {
                    Outcome::Blocked => {}
                    Outcome::Done { fault: f } => {
                        fault = fault.or(f);
                        next = Some(edge.target);
                        break;
                    }
                    Outcome::Handshake(_) => return Err(RuntimeError::RendezvousInDetStep),
                }
            }
            match next {
                Some(Some(target)) => node = target as usize,
                Some(None) => return Ok(Outcome::Done { fault }),
                None if count == 0 => return Ok(Outcome::Blocked),
                None => return Err(RuntimeError::BlockedInDetStep),
            }
        }
        Err(RuntimeError::EndlessDetStep)
    }

    /// Whether an action could be performed, without performing it; see
    /// [`enabled`](Self::enabled) for how rendez-vous count.
    pub fn guard(&mut self, action: &Action) -> Result<bool, RuntimeError> {
        match action {
            Action::Condition(condition) => {
                if condition.any(&|e| matches!(e, Expr::Run { .. })) {
                    return Ok(true);
                }
                Ok(self.eval(condition)? != 0)
            }
            Action::Send { channel, .. } => {
                let channel = self.channel(channel)?;
                let capacity = self.model.channel_types[channel.ty.index()].capacity as usize;
                Ok(capacity == 0 || self.messages_in(channel) < capacity)
            }
            Action::Receive { channel, pattern, random, saved, .. } => {
                let channel = self.channel(channel)?;
                if self.model.channel_types[channel.ty.index()].capacity == 0 {
                    return Ok(false);
                }
                Ok(self.find(channel, pattern, *random, saved)?.is_some())
            }
            Action::DetStep(step) => {
                for edge in &step.nodes[0].edges {
                    if self.guard(&edge.action)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => Ok(true),
        }
    }
}
