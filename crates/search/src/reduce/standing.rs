//! Where the processes of a state stand, and what they use there.

use isospin_machine::Successors;
use isospin_model::{Cluster, EdgeId, FrameLayout, Member, Model, ProcTypeId, Shape};

use super::disturb::Disturbance;
use super::own::Elements;
use super::rows::{Class, Needs, Row, Rows};
use super::Expanded;
use crate::expand::{Group, Movers};

/// Where the processes of a state stand.
#[derive(Default)]
pub(super) struct Standing<const W: usize> {
    /// For each process, its row.
    pub rows: Vec<Row>,
    /// For each process its type and its class, and the variables by which it knows what is its
    /// own, byte by byte.
    futures: Vec<(u8, Class)>,
    settled: Vec<u8>,
    /// Counts how often these were others than in the state before: types and variables only, and
    /// all of them.
    pub identity: u64,
    pub generation: u64,
    /// For each process, the number of its group of steps.
    groups: Vec<Option<u8>>,
    /// The classes that there are, each with the processes that stand there.
    pub present: Vec<(Class, Movers<W>)>,
    pub shape: Shape,
    pub elements: Elements,
}

impl<const W: usize> Standing<W> {
    /// Notes where the processes of a state stand.
    pub fn read(
        &mut self,
        rows: &Rows,
        disturbance: &Disturbance,
        (model, state, _, groups): Expanded<'_>,
    ) {
        let count = usize::from(state[model.layout.process_count as usize]);
        let mut same_processes = self.generation > 0 && self.futures.len() == count;
        let mut same = same_processes;
        self.futures.resize(count, (0, 0));
        self.elements.truncate(count);
        self.rows.clear();
        // Behind a process of another type than before, variables lie elsewhere.
        let mut aligned = true;
        let (mut frame, mut settled) = (model.layout.frames as usize, 0);
        for (pid, known) in self.futures.iter_mut().enumerate() {
            let ty = state[frame + FrameLayout::TYPE as usize];
            let kind = &rows.kinds[usize::from(ty)];
            let layout = &model.proctypes[usize::from(ty)].frame;
            let row = kind.first + layout.location(state, frame) as usize;
            self.rows.push(row);
            let future = (ty, rows.classes[row]);
            aligned &= known.0 == ty;
            let mut same_process = aligned;
            same &= *known == future;
            *known = future;
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
                self.elements.forget(pid);
            }
            same_processes &= same_process;
            frame += layout.size as usize;
        }
        self.groups.clear();
        self.groups.resize(count, None);
        for (group, k) in groups.iter().zip(0..) {
            self.groups[group.pid] = Some(k);
        }
        self.identity += u64::from(!same_processes);
        if !(same && same_processes) {
            self.generation += 1;
            self.find_present();
            if rows.own {
                self.shape.read(model, state);
                self.elements.find(disturbance, model, state, &self.futures);
            }
        }
    }

    fn proctype(&self, pid: usize) -> ProcTypeId {
        ProcTypeId::from(self.futures[pid].0)
    }

    fn find_present(&mut self) {
        self.present.clear();
        for (pid, &(_, class)) in self.futures.iter().enumerate() {
            match self.present.iter_mut().find(|(c, _)| *c == class) {
                Some((_, there)) => there.insert(pid as u8),
                None => self.present.push((class, [pid].into_iter().collect())),
            }
        }
    }
}

/// A state, where its processes stand, and what they can do.
#[derive(Clone, Copy)]
pub(super) struct Here<'s, const W: usize> {
    pub model: &'s Model,
    pub state: &'s [u8],
    pub rows: &'s Rows,
    pub standing: &'s Standing<W>,
    pub steps: &'s Successors,
    pub groups: &'s [Group],
}

impl<'s, const W: usize> Here<'s, W> {
    /// What a process may need.
    pub fn needs(&self, pid: usize) -> &'s Needs {
        &self.rows.needs[self.standing.rows[pid]]
    }

    /// Whether a process is one of a declared cluster's.
    pub fn belongs(&self, pid: usize, cluster: &Cluster) -> bool {
        let process = Member { proctype: self.standing.proctype(pid), pid: Some(pid as u8) };
        cluster.members.iter().any(|m| m.has(process))
    }

    /// The steps of a process, if it can move.
    pub fn group(&self, pid: usize) -> Option<&'s Group> {
        self.standing.groups[pid].map(|k| &self.groups[usize::from(k)])
    }

    /// Whether a step goes along an edge.
    pub fn takes(&self, group: Option<&Group>, edge: EdgeId) -> bool {
        let list = |g: &Group| &self.steps.list()[g.from..g.to];
        group.is_some_and(|g| list(g).iter().any(|s| s.step.edge == edge))
    }
}
