//! Starting and ending processes, priorities, and who may move.

use isospin_model::model::MAX_PROCESSES;
use isospin_model::{Action, FrameLayout, ProcTypeId};

use super::context::Context;
use crate::fault::RuntimeError;

impl Context<'_> {
    /// The process with this number, if there is one.
    pub fn process(&self, pid: i32) -> Option<usize> {
        usize::try_from(pid).ok().filter(|&pid| pid < self.shape.frames.len())
    }

    /// Starts a process and says its number.
    pub fn start(
        &mut self,
        ty: ProcTypeId,
        args: &[i32],
        priority: u8,
    ) -> Result<usize, RuntimeError> {
        let pid = self.shape.frames.len();
        if pid >= MAX_PROCESSES {
            return Err(RuntimeError::TooManyProcesses);
        }
        let proctype = &self.model.proctypes[ty.index()];
        let frame = &proctype.frame;
        if self.shape.channels.len() + frame.channels.len() > MAX_PROCESSES {
            return Err(RuntimeError::TooManyChannels);
        }
        let at = self.vector.len();
        self.vector.resize(at + frame.size as usize, 0);
        self.shape.push(self.model, ty, at as u32);
        self.vector[self.model.layout.process_count as usize] = pid as u8 + 1;
        self.vector[at + FrameLayout::TYPE as usize] = ty.0 as u8;
        frame.set_location(self.vector, at, proctype.automaton.initial);
        if let Some(offset) = frame.priority {
            self.vector[at + offset as usize] = priority;
        }
        for (slot, value) in frame.slots.iter().zip(args) {
            slot.ty.store(self.vector, at + slot.offset as usize, *value);
        }
        let starter = self.pid.replace(pid);
        for init in &proctype.initializers {
            let value = self.eval(&init.value)?;
            self.store(&init.place, value)?;
        }
        self.pid = starter;
        Ok(pid)
    }

    /// Ends process `pid`, if it is the youngest.
    pub fn end(&mut self, pid: usize) -> bool {
        if pid + 1 != self.shape.frames.len() {
            return false;
        }
        if let Some(at) = self.shape.pop() {
            self.vector.truncate(at as usize);
            self.vector[self.model.layout.process_count as usize] = pid as u8;
        }
        true
    }

    /// The priority of process `pid`.
    pub fn priority(&self, pid: usize) -> u8 {
        let (ty, frame) = self.shape.frames[pid];
        match self.model.proctypes[ty.index()].frame.priority {
            Some(offset) => self.vector[(frame + offset) as usize],
            None => 1,
        }
    }

    /// Gives a process a priority; one that is not there is passed over.
    pub fn set_priority(&mut self, pid: i32, priority: i32) -> Result<(), RuntimeError> {
        let Some(pid) = self.process(pid) else {
            return Ok(());
        };
        if !(1..=255).contains(&priority) {
            return Err(RuntimeError::PriorityOutOfRange(priority));
        }
        let (ty, frame) = self.shape.frames[pid];
        if let Some(offset) = self.model.proctypes[ty.index()].frame.priority {
            self.vector[(frame + offset) as usize] = priority as u8;
        }
        Ok(())
    }

    /// Whether some process stands at a progress label.
    pub fn at_progress(&self) -> bool {
        (0..self.shape.frames.len()).any(|pid| {
            let (ty, _) = self.shape.frames[pid];
            let automaton = &self.model.proctypes[ty.index()].automaton;
            automaton.locations[self.location(pid).index()].progress
        })
    }

    /// Whether the process may move at all: its `provided` clause holds, and no process of a
    /// higher priority could move.
    pub fn may_move(&mut self, pid: usize) -> Result<bool, RuntimeError> {
        if !self.provided(pid)? {
            return Ok(false);
        }
        if self.model.features.priorities {
            for other in 0..self.shape.frames.len() {
                if other != pid
                    && self.priority(other) > self.priority(pid)
                    && self.provided(other)?
                    && self.enabled_process(other)?
                {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn provided(&mut self, pid: usize) -> Result<bool, RuntimeError> {
        if !self.model.features.provided {
            return Ok(true);
        }
        let (ty, _) = self.shape.frames[pid];
        let model = self.model;
        match &model.proctypes[ty.index()].provided {
            Some(condition) => self.as_process(pid, |me| Ok(me.eval(condition)? != 0)),
            None => Ok(true),
        }
    }

    /// What `enabled(pid)` yields.
    pub fn enabled(&mut self, pid: i32) -> Result<bool, RuntimeError> {
        match self.process(pid) {
            Some(pid) if Some(pid) == self.pid => Err(RuntimeError::EnabledOfSelf),
            // More questions within each other than there are processes: some process is asked
            // about by way of others, and there is no answer.
            Some(_) if self.asked > self.shape.frames.len() => Err(RuntimeError::EnabledOfSelf),
            Some(pid) => {
                self.asked += 1;
                let result = self.enabled_process(pid);
                self.asked -= 1;
                result
            }
            None => Ok(false),
        }
    }

    /// Whether some edge of the process can be taken. As in Spin, a rendez-vous send counts
    /// whether or not somebody would receive, and a rendez-vous receive does not count.
    fn enabled_process(&mut self, pid: usize) -> Result<bool, RuntimeError> {
        let (ty, _) = self.shape.frames[pid];
        let model = self.model;
        let automaton = &model.proctypes[ty.index()].automaton;
        for edge in automaton.edges_of(self.location(pid)) {
            if matches!(edge.action, Action::End) {
                return Ok(pid + 1 == self.shape.frames.len());
            }
            if self.as_process(pid, |me| me.guard(&edge.action))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn as_process<T>(
        &mut self,
        pid: usize,
        act: impl FnOnce(&mut Self) -> Result<T, RuntimeError>,
    ) -> Result<T, RuntimeError> {
        let before = self.pid.replace(pid);
        let result = act(self);
        self.pid = before;
        result
    }
}
