//! The question that every machine answers, and the form of the answer.

use crate::fault::{Fault, RuntimeError};
use crate::time;
use isospin_model::{EdgeId, Expr, Model};

/// The process that receives in a rendez-vous, and the edge that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Partner {
    /// The receiving process.
    pub pid: u8,
    /// Its edge, counted in its process type's automaton.
    pub edge: EdgeId,
}

/// One step: who takes it, along which edge, and with whom. Time passes in steps, too, which no
/// process takes: see [`Step::tick`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The process.
    pub pid: u8,
    /// Its edge, counted in its process type's automaton.
    pub edge: EdgeId,
    /// The receiver, when the step is a rendez-vous.
    pub partner: Option<Partner>,
}

impl Step {
    /// The number that stands for nobody in a step in which time passes. No process has it.
    pub const NOBODY: u8 = u8::MAX;

    /// A step in which `units` of time pass; under abstraction, the one in which the timers of
    /// this set expire, a bit for each that runs.
    pub const fn tick(units: u32) -> Step {
        Step { pid: Step::NOBODY, edge: units, partner: None }
    }

    /// Whether time passes in it.
    #[inline]
    pub const fn is_tick(&self) -> bool {
        self.pid == Step::NOBODY
    }

    /// How much time passes in it.
    pub const fn units(&self) -> u32 {
        if self.is_tick() {
            self.edge
        } else {
            0
        }
    }
}

/// A step together with what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Successor {
    /// The step.
    pub step: Step,
    /// What is wrong with it, if anything is.
    pub fault: Option<Fault>,
    /// The process that goes on alone because it is inside an atomic sequence.
    pub control: Option<u8>,
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
    pub fn push(&mut self, step: Step, fault: Option<Fault>, control: Option<u8>, state: &[u8]) {
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
        control: Option<u8>,
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

    /// The successor that was added last.
    #[inline]
    pub(crate) fn last_mut(&mut self) -> Option<&mut Successor> {
        self.list.last_mut()
    }
}

/// Something that executes a model.
pub trait Machine {
    /// The model.
    fn model(&self) -> &Model;

    /// Writes the initial state into `state`.
    fn initial(&mut self, state: &mut Vec<u8>) -> Result<(), RuntimeError>;

    /// Adds to `out` every step that process `pid` can take in `state`. `timeout` says whether
    /// nothing else can happen anywhere, which only the caller can know.
    fn steps(&mut self, state: &[u8], pid: usize, timeout: bool, out: &mut Successors);

    /// Adds to `out` every step that any process can take in `state`: those of the youngest
    /// process first, those of process 0 last.
    fn all_steps(&mut self, state: &[u8], timeout: bool, out: &mut Successors) {
        for pid in (0..self.process_count(state)).rev() {
            self.steps(state, pid, timeout, out);
        }
    }

    /// Adds to `out` the steps in which time passes, if some timer is not off. They can be taken
    /// where no process can do anything but wait for `timeout`, which only the caller can know.
    fn tick(&mut self, state: &[u8], out: &mut Successors) {
        time::tick(self, state, out);
    }

    /// From now on these expressions are [watched](Self::watched): the atoms of a property.
    fn watch(&mut self, atoms: &[Expr]);

    /// Which of the expressions that are watched hold in `state`, as seen by an observer, for whom
    /// no process is its own. One that cannot be evaluated does not hold.
    fn watched(&mut self, state: &[u8]) -> &[bool];

    /// How many processes there are in `state`.
    fn process_count(&self, state: &[u8]) -> usize {
        state[self.model().layout.process_count as usize] as usize
    }
}
