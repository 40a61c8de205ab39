//! Trace assertions: what is sent and received must be what they say.

use isospin_model::ReceiveArg;

use super::context::Context;
use crate::fault::RuntimeError;

impl Context<'_> {
    /// A message was sent, or is received, on a channel: the trace assertion follows, if it
    /// watches that. `notrace` gives up watching at the first operation that it cannot follow.
    pub fn event(
        &mut self,
        sending: bool,
        channel: u32,
        message: &[i32],
    ) -> Result<(), RuntimeError> {
        let (Some(trace), Some(at)) = (&self.model.trace, self.model.layout.event) else {
            return Ok(());
        };
        let mut watched = false;
        for edge in trace.edges().filter(|e| e.sending == sending) {
            watched |= self.eval(&edge.channel)? as u32 == channel;
        }
        if !watched {
            return Ok(());
        }
        let at = at as usize;
        let location = u16::from_le_bytes([self.vector[at], self.vector[at + 1]]);
        let mut next = None;
        // A `notrace` assertion that has given up stands nowhere.
        let here = trace.locations.get(location as usize).map_or(&[][..], Vec::as_slice);
        for edge in here.iter().filter(|e| e.sending == sending) {
            if self.eval(&edge.channel)? as u32 == channel && self.fits(&edge.pattern, message)? {
                next = Some(edge.target.0 as u16);
                break;
            }
        }
        let next = match next {
            Some(next) if trace.negated && trace.ends[next as usize] => {
                return Err(RuntimeError::AllEventsMatched);
            }
            Some(next) => next,
            None if trace.negated => u16::MAX,
            None => return Err(RuntimeError::UnexpectedEvent),
        };
        self.vector[at..at + 2].copy_from_slice(&next.to_le_bytes());
        Ok(())
    }

    fn fits(&mut self, pattern: &[ReceiveArg], message: &[i32]) -> Result<bool, RuntimeError> {
        for (arg, value) in pattern.iter().zip(message) {
            if let ReceiveArg::Match(expr) = arg {
                if self.eval(expr)? != *value {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}
