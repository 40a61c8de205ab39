//! The question that every machine answers.

use isospin_model::{Expr, Model, Pid};

use crate::fault::RuntimeError;
use crate::successors::Successors;
use crate::time;

/// What an expression that is watched says of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Truth {
    /// It does not hold.
    False = 0,
    /// It holds.
    True = 1,
    /// It cannot be evaluated there, which is neither.
    Error = 2,
}

impl Truth {
    /// What a value says, or that there is none.
    pub fn of(value: Result<i32, RuntimeError>) -> Truth {
        match value {
            Ok(0) => Truth::False,
            Ok(_) => Truth::True,
            Err(_) => Truth::Error,
        }
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
    fn steps(&mut self, state: &[u8], pid: Pid, timeout: bool, out: &mut Successors);

    /// Adds to `out` every step that any process can take in `state`: those of the youngest
    /// process first, those of process 0 last.
    fn all_steps(&mut self, state: &[u8], timeout: bool, out: &mut Successors) {
        for pid in (0..self.process_count(state)).rev() {
            self.steps(state, Pid::at(pid), timeout, out);
        }
    }

    /// Adds to `out` the steps in which time passes, if some timer is not off. They can be taken
    /// where no process can do anything but wait for `timeout`, which only the caller can know.
    /// Where time is [open](isospin_model::Time), it passes in `state` if something is added, and
    /// nobody else has to know anything.
    fn tick(&mut self, state: &[u8], out: &mut Successors) {
        time::tick(self, state, out);
    }

    /// Where time is [open](isospin_model::Time): adds to `out`, which has all steps that processes
    /// can take in `state` and at least one, the step in which time passes beside them.
    fn tick_beside(&mut self, state: &[u8], out: &mut Successors) {
        if let Some(next) = time::beside(self, state, out) {
            out.push(crate::step::Step::units(1), None, None, &next);
        }
    }

    /// From now on these expressions are [watched](Self::watched): the atoms of a property.
    fn watch(&mut self, atoms: &[Expr]);

    /// What the expressions that are watched say of `state`, as seen by an observer, for whom no
    /// process is its own. `timeout` says whether nothing can happen anywhere, see
    /// [`is_quiet`](Self::is_quiet).
    fn watched(&mut self, state: &[u8], timeout: bool) -> &[Truth];

    /// Whether no process can move in `state` but by waiting for `timeout`, and no time passes:
    /// where an observer sees `timeout`. `out` is room for the steps that are looked for.
    fn is_quiet(&mut self, state: &[u8], out: &mut Successors) -> bool {
        out.clear();
        self.all_steps(state, false, out);
        if out.is_empty() && self.model().time.is_some() {
            self.tick(state, out);
        }
        out.is_empty()
    }

    /// How many processes there are in `state`.
    fn process_count(&self, state: &[u8]) -> usize {
        state[self.model().layout.process_count as usize] as usize
    }
}
