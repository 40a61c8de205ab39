//! A process about to do something in a state.

use isospin_model::{Edge, LocationId, Model, Shape};

use super::Messages;

/// A rendez-vous that is half done: the message, and the channel that it waits on.
#[derive(Clone, Debug)]
pub(super) struct Handshake {
    /// The process that sends.
    pub sender: Option<usize>,
    pub channel: u32,
    pub message: Vec<i32>,
}

/// A state, where its parts are, and who is about to act in it.
pub(super) struct Context<'c> {
    pub model: &'c Model,
    pub vector: &'c mut Vec<u8>,
    pub shape: &'c mut Shape,
    /// The process that acts; `None` for an observer.
    pub pid: Option<usize>,
    /// Whether nothing else can happen anywhere.
    pub timeout: bool,
    pub handshake: Option<Handshake>,
    /// How many `enabled` are being answered within each other.
    pub asked: usize,
    pub messages: Option<&'c mut Messages>,
}

impl<'c> Context<'c> {
    pub fn new(
        model: &'c Model,
        vector: &'c mut Vec<u8>,
        shape: &'c mut Shape,
        timeout: bool,
    ) -> Context<'c> {
        Context {
            model,
            vector,
            shape,
            pid: None,
            timeout,
            handshake: None,
            asked: 0,
            messages: None,
        }
    }

    /// Where process `pid` stands.
    pub fn location(&self, pid: usize) -> LocationId {
        let (ty, frame) = self.shape.frames[pid];
        self.model.proctypes[ty.index()].frame.location(self.vector, frame as usize)
    }

    /// Puts process `pid` at a location.
    pub fn set_location(&mut self, pid: usize, location: LocationId) {
        let (ty, frame) = self.shape.frames[pid];
        let layout = &self.model.proctypes[ty.index()].frame;
        layout.set_location(self.vector, frame as usize, location);
    }

    /// What taking an edge does beside its action: the process stands where it leads, and what is
    /// not needed there any more is forgotten.
    pub fn arrive(&mut self, pid: usize, edge: &Edge) {
        let frame = self.shape.frames[pid].1;
        for &(at, len) in &edge.resets {
            let at = (frame + at) as usize;
            self.vector[at..at + len as usize].fill(0);
        }
        self.set_location(pid, edge.target);
    }

    /// Notes who moved last, where the model looks at it.
    pub fn set_last(&mut self, pid: usize) {
        if let Some(at) = self.model.layout.last {
            self.vector[at as usize] = pid as u8;
        }
    }
}
