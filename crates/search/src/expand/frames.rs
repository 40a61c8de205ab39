//! Where the processes of a state are: their types and frames.

use isospin_model::{FrameLayout, Location, LocationId, Model, ProcTypeId};

/// The frames of one state, and what it takes to find those of another.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// The size of a frame, by process type.
    sizes: Vec<u32>,
    process_count: usize,
    first: usize,
    types: Vec<ProcTypeId>,
}

impl Frames {
    pub fn new(model: &Model) -> Frames {
        Frames {
            sizes: model.proctypes.iter().map(|p| p.frame.size).collect(),
            process_count: model.layout.process_count as usize,
            first: model.layout.frames as usize,
            types: Vec::new(),
        }
    }

    /// Notes the types of the processes in `state`.
    #[inline]
    pub fn read(&mut self, state: &[u8]) {
        self.types.clear();
        let mut at = self.first;
        for _ in 0..state[self.process_count] {
            let ty = ProcTypeId(state[at + FrameLayout::TYPE as usize] as u16);
            self.types.push(ty);
            at += self.sizes[ty.index()] as usize;
        }
    }

    /// The type of a process that is there.
    #[inline]
    pub fn proctype(&self, pid: usize) -> ProcTypeId {
        self.types[pid]
    }

    /// The type of a process in another state than the one read.
    pub fn proctype_in(&self, state: &[u8], pid: usize) -> Option<ProcTypeId> {
        if pid >= state[self.process_count] as usize {
            return None;
        }
        let mut at = self.first;
        let mut ty = ProcTypeId(state[at + FrameLayout::TYPE as usize] as u16);
        for _ in 0..pid {
            at += self.sizes[ty.index()] as usize;
            ty = ProcTypeId(state[at + FrameLayout::TYPE as usize] as u16);
        }
        Some(ty)
    }

    /// The type of a process in another state than the one read, and where it stands.
    pub fn location_in(
        &self,
        model: &Model,
        state: &[u8],
        pid: usize,
    ) -> Option<(ProcTypeId, LocationId)> {
        let types = (0..=pid).map(|p| self.proctype_in(state, p)).collect::<Option<Vec<_>>>()?;
        let (&ty, before) = types.split_last()?;
        let at = self.first + before.iter().map(|t| self.sizes[t.index()] as usize).sum::<usize>();
        Some((ty, model.proctype(ty).frame.location(state, at)))
    }

    /// Whether some process of another state than the one read stands at such a location.
    pub fn any_location(
        &self,
        model: &Model,
        state: &[u8],
        test: impl Fn(&Location) -> bool,
    ) -> bool {
        let mut at = self.first;
        (0..state[self.process_count]).any(|_| {
            let ty = state[at + FrameLayout::TYPE as usize] as usize;
            let proctype = &model.proctypes[ty];
            let location = proctype.frame.location(state, at);
            at += self.sizes[ty] as usize;
            test(&proctype.automaton.locations[location.index()])
        })
    }

    /// Whether every process of the state stands where it may end.
    pub fn may_end(&self, model: &Model, state: &[u8]) -> bool {
        let mut at = self.first;
        self.types.iter().enumerate().all(|(pid, &ty)| {
            let proctype = &model.proctypes[ty.index()];
            let location = proctype.frame.location(state, at);
            at += proctype.frame.size as usize;
            proctype.automaton.locations[location.index()].end || !model.is_present(state, pid)
        })
    }
}
