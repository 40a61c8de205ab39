//! A buffer of steps and of the states that follow them.

use isospin_model::Pid;

use crate::fault::{Fault, RuntimeError};
use crate::step::Step;

/// A step together with what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Successor {
    /// The step.
    pub step: Step,
    /// What is wrong with it, if anything is.
    pub fault: Option<Fault>,
    /// The process that goes on alone because it is inside an atomic sequence.
    pub control: Option<Pid>,
    start: u32,
    end: u32,
}

/// States are copied in pieces of this many bytes, which may read and write past a state's end.
pub(crate) const CHUNK: usize = 32;

/// A buffer that machines write successors into. It is used again and again, so that the search
/// allocates nothing per state.
#[derive(Debug, Default)]
pub struct Successors {
    bytes: Vec<u8>,
    list: Vec<Successor>,
}

impl Successors {
    /// Forgets everything, and keeps the room.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.list.clear();
    }

    /// Forgets all but the first `len` successors.
    pub fn truncate(&mut self, len: usize) {
        self.list.truncate(len);
        self.bytes.truncate(self.list.last().map_or(0, |s| s.end as usize));
    }

    /// How many successors there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The successors in the order in which they were found.
    pub fn list(&self) -> &[Successor] {
        &self.list
    }

    /// The state that a successor leads to.
    pub fn state(&self, successor: &Successor) -> &[u8] {
        &self.bytes[successor.start as usize..successor.end as usize]
    }

    /// Adds a successor.
    pub fn push(&mut self, step: Step, fault: Option<Fault>, control: Option<Pid>, state: &[u8]) {
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(state);
        self.list.push(Successor { step, fault, control, start, end: self.bytes.len() as u32 });
    }

    /// Adds a successor whose state begins with `copied` bytes from `source` and is filled up to
    /// `len` bytes with zeros (or cut off there). The state may be written through the pointer
    /// that is returned, until something else is added.
    ///
    /// # Safety
    ///
    /// `source` must be readable for `copied` bytes rounded up to a multiple of [`CHUNK`].
    #[inline]
    pub(crate) unsafe fn open(
        &mut self,
        step: Step,
        control: Option<Pid>,
        source: *const u8,
        copied: usize,
        len: usize,
    ) -> *mut u8 {
        let start = self.bytes.len();
        self.bytes.reserve(len.max(copied) + CHUNK);
        // SAFETY: the buffer has room for `copied` bytes rounded up to a multiple of `CHUNK`, and
        // for `len`; `source` is readable as far as the caller promises. Bytes up to `start + len`
        // are written before the length is set.
        let state = unsafe {
            let state = self.bytes.as_mut_ptr().add(start);
            let mut at = 0;
            while at < copied {
                std::ptr::copy_nonoverlapping(source.add(at), state.add(at), CHUNK);
                at += CHUNK;
            }
            if len > copied {
                state.add(copied).write_bytes(0, len - copied);
            }
            self.bytes.set_len(start + len);
            state
        };
        self.list.push(Successor {
            step,
            fault: None,
            control,
            start: start as u32,
            end: (start + len) as u32,
        });
        state
    }

    /// Of the successors from `from` on, makes those an error with which somebody who has no choice
    /// does something else than in one before: as the one who moves, or as the one who receives in a
    /// rendez-vous.
    pub(crate) fn forbid_choices(&mut self, from: usize, has_none: impl Fn(Pid) -> bool) {
        for k in from + 1..self.list.len() {
            let (before, rest) = self.list[from..].split_at_mut(k - from);
            let Step::Process(this) = rest[0].step else { continue };
            let chosen = before.iter().any(|other| {
                let Step::Process(other) = other.step else { return false };
                if other.pid != this.pid {
                    return false;
                }
                let received = other.edge == this.edge
                    && matches!((other.partner, this.partner), (Some(a), Some(b))
                        if a.pid == b.pid && a.edge != b.edge && has_none(b.pid));
                received || other.edge != this.edge && has_none(this.pid)
            });
            if chosen && !matches!(rest[0].fault, Some(Fault::Runtime(_))) {
                rest[0].fault = Some(Fault::Runtime(RuntimeError::Nondeterminism));
            }
        }
    }

    /// The successor that was added last.
    #[inline]
    pub(crate) fn last_mut(&mut self) -> Option<&mut Successor> {
        self.list.last_mut()
    }
}
