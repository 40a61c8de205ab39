//! Where the processes of a state stand, and what they use there.

use isospin_machine::{Step, Successor, Successors};
use isospin_model::{Cluster, EdgeId, FrameLayout, Member, Model, Pid, ProcTypeId, Shape};

use super::disturb::Disturbance;
use super::own::Elements;
use super::rows::{Class, Needs, Row, Rows};
use super::Expanded;
use crate::expand::Group;

/// Where the processes of a state stand.
#[derive(Default)]
pub(super) struct Standing {
    pub processes: Vec<Process>,
    /// The variables by which processes know what is their own, byte by byte.
    settled: Vec<u8>,
    /// Counts how often processes were of other types or had other such variables than in the state
    /// before.
    pub identity: u64,
    /// The same, and how often somebody's class was another.
    pub generation: u64,
    pub shape: Shape,
    pub elements: Elements,
}

/// Where a process stands.
#[derive(Clone, Copy, Default)]
pub(super) struct Process {
    pub ty: u8,
    pub row: Row,
    pub class: Class,
    /// The number of its group of steps.
    group: Option<u8>,
}

impl Standing {
    /// Notes where the processes of a state stand.
    pub fn read(
        &mut self,
        rows: &Rows,
        disturbance: &Disturbance,
        (model, state, _, groups): Expanded<'_>,
    ) {
        let count = usize::from(state[model.layout.process_count as usize]);
        let (mut same, mut same_processes) = (true, self.generation > 0);
        if self.processes.len() != count {
            same_processes = false;
            self.processes.resize(count, Process::default());
        }
        let mut at = model.layout.frames as usize;
        for process in &mut self.processes {
            let ty = state[at + FrameLayout::TYPE as usize];
            let frame = &model.proctypes[usize::from(ty)].frame;
            process.row = rows.first[usize::from(ty)] + frame.location(state, at).index();
            let class = rows.classes[process.row];
            same &= process.class == class;
            same_processes &= process.ty == ty;
            process.class = class;
            process.ty = ty;
            process.group = None;
            at += frame.size as usize;
        }
        if !same_processes {
            self.elements.clear();
        }
        if rows.settles {
            same_processes = self.compare_settled(rows, model, state, same_processes);
        }
        for (group, k) in groups.iter().zip(0..) {
            self.processes[group.pid].group = Some(k);
        }
        if !same_processes {
            self.identity += 1;
            if rows.own {
                self.shape.read(model, state);
                self.elements.find(disturbance, model, state, &self.processes);
            }
        }
        self.generation += u64::from(!(same && same_processes));
    }

    /// Whether processes know the same as their own as in the state before, which has to be the
    /// case only where they are of the same types.
    fn compare_settled(
        &mut self,
        rows: &Rows,
        model: &Model,
        state: &[u8],
        same_types: bool,
    ) -> bool {
        let (mut same, mut settled) = (same_types, 0);
        let mut at = model.layout.frames as usize;
        for (pid, process) in self.processes.iter().enumerate() {
            let mut same_process = same_types;
            for &offset in &rows.settled[usize::from(process.ty)] {
                let byte = state[at + offset as usize];
                if settled == self.settled.len() {
                    self.settled.push(0);
                }
                same_process &= self.settled[settled] == byte;
                self.settled[settled] = byte;
                settled += 1;
            }
            if !same_process {
                same = false;
                self.elements.forget(pid);
            }
            at += model.proctypes[usize::from(process.ty)].frame.size as usize;
        }
        same
    }
}

/// A state, where its processes stand, and what they can do.
#[derive(Clone, Copy)]
pub(super) struct Here<'s> {
    pub model: &'s Model,
    pub state: &'s [u8],
    pub rows: &'s Rows,
    pub standing: &'s Standing,
    pub steps: &'s Successors,
    pub groups: &'s [Group],
}

impl<'s> Here<'s> {
    /// What a process may need.
    pub fn needs(&self, pid: usize) -> &'s Needs {
        &self.rows.needs[self.standing.processes[pid].row]
    }

    /// Whether a process is one of a declared cluster's.
    pub fn belongs(&self, pid: usize, cluster: &Cluster) -> bool {
        let proctype = ProcTypeId(self.standing.processes[pid].ty.into());
        let process = Member { proctype, pid: Some(Pid::at(pid)) };
        cluster.members.iter().any(|m| m.has(process))
    }

    /// The steps of a process, if it can move.
    pub fn group(&self, pid: usize) -> Option<&'s Group> {
        self.group_number(pid).map(|k| &self.groups[k])
    }

    /// Which group that is.
    pub fn group_number(&self, pid: usize) -> Option<usize> {
        self.standing.processes[pid].group.map(usize::from)
    }

    /// The edges that a process can take.
    #[inline]
    pub fn taken(&self, pid: usize) -> Taken<'s> {
        let steps = self.group(pid).map_or(&[][..], |g| &self.steps.list()[g.from..g.to]);
        let (first, mut near) = (self.needs(pid).first, 0);
        for step in steps {
            let Step::Process(by) = step.step else { continue };
            near |= 1u64.checked_shl(by.edge.0.wrapping_sub(first.0)).unwrap_or(0);
        }
        Taken { steps, first, near }
    }
}

/// The edges that a process can take.
pub(super) struct Taken<'s> {
    steps: &'s [Successor],
    /// Those of the 64 from some edge on.
    first: EdgeId,
    near: u64,
}

impl Taken<'_> {
    /// Whether it can take none.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether it can take this one.
    #[inline]
    pub fn has(&self, edge: EdgeId) -> bool {
        match edge.0.wrapping_sub(self.first.0) {
            k @ 0..64 => self.near & 1 << k != 0,
            _ => self.steps.iter().any(|s| s.step.process().is_some_and(|by| by.edge == edge)),
        }
    }
}
