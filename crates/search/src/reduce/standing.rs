//! Where the processes of a state stand, and what they use there.

use isospin_machine::Successors;
use isospin_model::{Cluster, EdgeId, FrameLayout, Member, Model, ProcTypeId, Shape};

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
            self.elements.truncate(count);
        }
        // Behind a process of another type than before, variables lie elsewhere.
        let mut aligned = true;
        let (mut frame, mut settled) = (model.layout.frames as usize, 0);
        for (pid, process) in self.processes.iter_mut().enumerate() {
            let ty = state[frame + FrameLayout::TYPE as usize];
            let kind = &rows.kinds[usize::from(ty)];
            aligned &= process.ty == ty;
            process.ty = ty;
            process.group = None;
            let layout = &model.proctypes[usize::from(ty)].frame;
            process.row = kind.first + layout.location(state, frame) as usize;
            let class = rows.classes[process.row];
            same &= process.class == class;
            process.class = class;
            let mut same_process = aligned;
            for &offset in &kind.settled {
                let byte = state[frame + offset as usize];
                if settled == self.settled.len() {
                    self.settled.push(0);
                }
                same_process &= self.settled[settled] == byte;
                self.settled[settled] = byte;
                settled += 1;
            }
            if !same_process {
                same_processes = false;
                self.elements.forget(pid);
            }
            frame += layout.size as usize;
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
        let proctype = ProcTypeId::from(self.standing.processes[pid].ty);
        let process = Member { proctype, pid: Some(pid as u8) };
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

    /// Whether a step goes along an edge.
    pub fn takes(&self, group: Option<&Group>, edge: EdgeId) -> bool {
        let list = |g: &Group| &self.steps.list()[g.from..g.to];
        group.is_some_and(|g| list(g).iter().any(|s| s.step.edge == edge))
    }
}
