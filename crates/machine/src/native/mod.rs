//! The native machine: the model's edges as machine code.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `support.rs` | what is compiled, and what is left to the interpreter |
//! | `codegen/` | turning the edges of a location into machine code |
//! | `code.rs`, `atoms.rs` | compiling a whole model, and the atoms of a property |
//! | [`permute`] | code that renames what is in a state vector |
//! | `runtime.rs` | what generated code is handed, and the functions that it calls |
//!
//! There is one function per location. It tries the guards of the location's edges on the source
//! state and copies the state only for those that hold; see [`codegen`] for the details. The
//! interpreter defines what the code must do, and does it where code is missing.

mod atoms;
mod code;
mod codegen;
pub mod permute;
mod runtime;
mod support;

use std::sync::Arc;

use isospin_model::{Expr, FrameLayout, Model, Pid, Shape};

use crate::fault::RuntimeError;
use crate::interpreter::Interpreter;
use crate::machine::{Machine, Truth};
use crate::successors::{Successors, CHUNK};
use atoms::Atoms;
use code::Code;
pub use code::NativeError;
use runtime::{Channel, Context, Frame, Handshake};
use support::ChannelSet;

/// Executes a model with machine code that was generated for it. A clone shares the code, and
/// watches nothing.
pub struct NativeMachine {
    code: Arc<Code>,
    interpreter: Interpreter,
    /// The state at hand, with room for `CHUNK` bytes behind it.
    state: Vec<u8>,
    /// How many bytes the state at hand has.
    len: usize,
    /// Whether what follows belongs to the state at hand.
    ready: bool,
    frames: Vec<Frame>,
    channels: Vec<Channel>,
    shape: Shape,
    /// How many bytes a state with these processes has.
    end: usize,
    /// On which channels some process may receive in a rendez-vous.
    receives: ChannelSet,
    message: Vec<i32>,
    /// The atoms that are watched, and whether the state at hand was taken in to look at them.
    atoms: Atoms,
    observed: bool,
    /// Whether somebody has no choice.
    deterministic: bool,
}

impl NativeMachine {
    /// Compiles `model`.
    pub fn new(model: Arc<Model>) -> Result<NativeMachine, NativeError> {
        let code = Code::compile(model)?;
        Ok(NativeMachine::with_code(Arc::new(code)))
    }

    fn with_code(code: Arc<Code>) -> NativeMachine {
        NativeMachine {
            message: vec![0; code.longest_message],
            deterministic: code.model.has_deterministic(),
            interpreter: Interpreter::new(Arc::clone(&code.model)),
            code,
            state: Vec::new(),
            len: 0,
            ready: false,
            frames: Vec::new(),
            channels: Vec::new(),
            shape: Shape::default(),
            end: usize::MAX,
            receives: 0,
            atoms: Atoms::default(),
            observed: false,
        }
    }

    /// How many locations there are, and how many of them are left to the interpreter.
    pub fn coverage(&self) -> (usize, usize) {
        let rows = &self.code.rows;
        (rows.len(), rows.iter().filter(|row| row.steps.is_none()).count())
    }

    /// How many of the expressions that are watched are left to the interpreter.
    pub fn interpreted_atoms(&self) -> usize {
        self.atoms.interpreted().len()
    }

    /// Takes in a state: where its processes and channels are and where each process stands.
    ///
    /// # Panics
    ///
    /// Panics if `state` is not a state of the model. Generated code relies on what is checked
    /// here.
    fn load(&mut self, state: &[u8]) {
        self.ready = false;
        self.len = state.len();
        if self.state.len() < self.len + CHUNK {
            self.state.resize(self.len + CHUNK, 0);
        }
        self.state[..self.len].copy_from_slice(state);
        if !self.find_rows(state) {
            self.read_shape(state);
            assert!(self.find_rows(state), "not a state of the model");
        }
        self.ready = true;
    }

    /// Finds out where each process stands; says no when these are not the processes of the state
    /// before.
    fn find_rows(&mut self, state: &[u8]) -> bool {
        let count = self.code.model.layout.process_count as usize;
        if state.len() != self.end || usize::from(state[count]) != self.frames.len() {
            return false;
        }
        let mut receives = 0;
        for frame in &mut self.frames {
            let at = frame.offset as usize;
            if u32::from(state[at + FrameLayout::TYPE as usize]) != frame.ty {
                return false;
            }
            let at = at + FrameLayout::LOCATION as usize;
            let mut location = u32::from(state[at]);
            if frame.wide != 0 {
                location |= u32::from(state[at + 1]) << 8;
            }
            assert!(location < frame.locations, "not a state of the model");
            frame.row = frame.first_row + location;
            receives |= self.code.rows[frame.row as usize].receives;
        }
        self.receives = receives;
        true
    }

    fn read_shape(&mut self, state: &[u8]) {
        let model = &*self.code.model;
        self.shape.read(model, state);
        self.frames.clear();
        let frames = self.shape.frames.iter().zip(&self.shape.first_channel);
        self.frames.extend(frames.map(|(&(ty, offset), &first_channel)| {
            let proctype = &model.proctypes[ty.index()];
            Frame {
                offset,
                ty: u32::from(ty.0),
                first_channel,
                row: 0,
                first_row: self.code.bases[ty.index()],
                locations: proctype.automaton.locations.len() as u32,
                wide: u32::from(proctype.frame.location_width > 1),
                padding: 0,
            }
        }));
        self.channels.clear();
        let channels = self.shape.channels.iter();
        self.channels.extend(channels.map(|&(ty, offset)| Channel { ty: u32::from(ty.0), offset }));
        let end = self
            .shape
            .frames
            .last()
            .map_or(model.layout.frames, |f| f.1 + model.proctypes[f.0.index()].frame.size);
        self.end = end as usize;
        assert_eq!(state.len(), self.end, "not a state of the model");
    }

    fn context(&mut self, timeout: bool, out: &mut Successors) -> Context {
        Context {
            timeout: u32::from(timeout),
            processes: self.frames.len() as u32,
            channel_count: self.channels.len() as u32,
            pid: 0,
            source: self.state.as_ptr(),
            len: self.len,
            frames: self.frames.as_ptr(),
            channels: self.channels.as_ptr(),
            message: self.message.as_mut_ptr(),
            handshake: Handshake::NONE,
            receives: self.receives,
            rows: self.code.rows.as_ptr(),
            out,
            model: Arc::as_ptr(&self.code.model),
        }
    }

    /// Adds the steps of processes of the state at hand.
    fn expand(&mut self, pids: impl Iterator<Item = usize>, timeout: bool, out: &mut Successors) {
        let first = out.len();
        let mut context = self.context(timeout, out);
        for pid in pids {
            let frame = self.frames[pid];
            match self.code.rows[frame.row as usize].steps {
                Some(steps) => {
                    context.pid = pid as u32;
                    let (source, offset) = (context.source, frame.offset as usize);
                    // SAFETY: the code was generated for the type and location of this process.
                    // `load` has checked that the state has the shape that `frames` and `channels`
                    // say, and the context's pointers stay good: nothing that they point into is
                    // touched while the code runs.
                    unsafe { steps(&raw mut context, source, offset, pid as u32) };
                }
                None => {
                    let state = &self.state[..self.len];
                    // SAFETY: `out` is borrowed by this function, and no generated code runs.
                    let out = unsafe { &mut *context.out };
                    self.interpreter.steps(state, Pid::at(pid), timeout, out);
                }
            }
        }
        if self.deterministic {
            let (model, frames) = (&self.code.model, &self.frames);
            let has_none =
                |pid: Pid| model.proctypes[frames[pid.index()].ty as usize].deterministic;
            out.forbid_choices(first, has_none);
        }
    }
}

impl Clone for NativeMachine {
    fn clone(&self) -> NativeMachine {
        NativeMachine::with_code(Arc::clone(&self.code))
    }
}

impl Machine for NativeMachine {
    fn model(&self) -> &Model {
        &self.code.model
    }

    fn initial(&mut self, state: &mut Vec<u8>) -> Result<(), RuntimeError> {
        self.interpreter.initial(state)
    }

    fn steps(&mut self, state: &[u8], pid: Pid, timeout: bool, out: &mut Successors) {
        // Processes of one state tend to be asked for one after the other.
        if !self.ready || self.state[..self.len] != *state {
            self.load(state);
        }
        self.expand(std::iter::once(pid.index()), timeout, out);
    }

    fn all_steps(&mut self, state: &[u8], timeout: bool, out: &mut Successors) {
        // What has been looked at tends to be stepped from next.
        if !std::mem::take(&mut self.observed) || self.state[..self.len] != *state {
            self.load(state);
        }
        self.expand((0..self.frames.len()).rev(), timeout, out);
    }

    fn watch(&mut self, atoms: &[Expr]) {
        self.atoms = Atoms::compile(&self.code.model, atoms);
        self.interpreter.watch(self.atoms.interpreted());
    }

    fn watched(&mut self, state: &[u8], timeout: bool) -> &[Truth] {
        self.load(state);
        self.observed = true;
        let mut unused = Successors::default();
        let mut context = self.context(timeout, &mut unused);
        // SAFETY: `load` has checked that the state has the shape that `frames` and `channels`
        // say, and the context's pointers stay good: nothing that they point into is touched
        // while the code runs.
        unsafe { self.atoms.evaluate(&mut context) };
        if !self.atoms.interpreted().is_empty() {
            self.atoms.fill_in(self.interpreter.watched(state, timeout));
        }
        self.atoms.values()
    }
}
