//! Depth-first search on one thread.
//!
//! The stack holds real states, packed. Its top is expanded, all successors are looked up together, and the
//! new ones are pushed. To have enough look-ups under way at once to hide the latency of memory,
//! not one state is expanded at a time but a *group*: a few siblings from the top of the stack. The
//! groups that are expanded and not finished, with every state's position of its parent, are the
//! path.

use std::ops::ControlFlow;
use std::sync::Arc;

use isospin_machine::{Fault, Machine, Step};
use isospin_model::ProcTypeId;

use super::arrivals::Arrivals;
use super::findings::{Findings, Site};
use super::frontier::Frontier;
use super::tracing::{self, Failure};
use super::{no_initial_state, no_memory, Run, Stats};
use crate::door::Door;
use crate::expand::{Expander, Movers, Sink};
use crate::limits::{Control, OutOfMemory, Progress, Watch};
use crate::options::Options;
use crate::result::Incomplete;
use crate::scout;
use crate::store::{Extras, Store};

/// How many siblings are expanded together at most.
const GROUP: usize = 16;
/// How many look-ups are enough for a group.
const ENOUGH: usize = 32;
/// How many look-ups are made together at most.
const BATCH: usize = 4096;

/// An expanded group, `group..first` on the stack, whose new successors lie from `first` on.
#[derive(Clone, Copy)]
struct Level {
    group: usize,
    first: usize,
}

pub(super) fn search<M: Machine, F: Fn() -> M>(
    machines: &F,
    options: &Options,
    control: &Control,
    progress: &mut dyn FnMut(&Progress),
) -> Run {
    let mut machine = machines();
    let mut state = Vec::new();
    if let Err(error) = machine.initial(&mut state) {
        return no_initial_state(&machine, error, options);
    }
    let Ok(mut store) = Store::<false>::new(Extras::default(), Arc::clone(&control.budget)) else {
        return no_memory(&machine, control, options);
    };
    let samples = scout::samples(&mut machine);
    store.train(samples.iter().map(Vec::as_slice));
    drop(samples);

    let hidden = machine.model().layout.hidden as usize;
    let mut search = Search {
        machines,
        arrivals: Arrivals::new(store.handle(), hidden, Door::new(hidden, options)),
        control,
        stack: Frontier::default(),
        current: 0,
        depth: 0,
        stats: Stats::default(),
        findings: Findings::new(options),
    };
    let mut expander = Expander::new(machine, control);
    let mut watch = Watch::new(control, Some(progress));
    let limit = options.depth.unwrap_or(u32::MAX);
    let flow = search.run(&mut expander, &state, limit, &mut watch);
    let Search { arrivals, mut stats, findings, .. } = search;
    drop(arrivals);
    stats.store_bytes = store.bytes();
    Run {
        stats,
        findings,
        reached: expander.reached().clone(),
        reduction: expander.reduction(),
        exhausted: flow.is_continue(),
    }
}

struct Search<'s, F> {
    machines: &'s F,
    arrivals: Arrivals<'s, u32, false>,
    control: &'s Control,
    /// Each state with the position of its parent.
    stack: Frontier<u32>,
    /// The position of the state that is being expanded, and its depth.
    current: u32,
    depth: u32,
    stats: Stats,
    findings: Findings,
}

impl<M: Machine, F: Fn() -> M> Search<'_, F> {
    fn run(
        &mut self,
        expander: &mut Expander<'_, M>,
        initial: &[u8],
        limit: u32,
        watch: &mut Watch<'_>,
    ) -> ControlFlow<()> {
        let mut levels: Vec<Level> = Vec::new();
        let mut state = Vec::new();
        self.arrivals.push(initial, 0, 0, None);
        self.look_up()?;
        loop {
            let first = levels.last().map_or(0, |level| level.first);
            let end = self.stack.len();
            if end == first {
                let Some(level) = levels.pop() else {
                    return ControlFlow::Continue(());
                };
                self.stack.truncate(level.group);
                continue;
            }
            let reserved = self.control.budget.reserve(&mut levels, 1);
            self.afford(reserved)?;
            let mut group = end;
            while group > first && end - group < GROUP && self.arrivals.len() < ENOUGH {
                group -= 1;
                self.depth = self.stack.depth(group);
                if self.depth >= limit {
                    self.control.cut_depth();
                    continue;
                }
                self.current = match u32::try_from(group) {
                    Ok(group) => group,
                    Err(_) => return self.afford(Err(OutOfMemory)),
                };
                self.arrivals.unpack(&self.stack, group, &mut state);
                self.arrivals.door.twins(&state, expander.twins());
                expander.expand(&state, limit - self.depth, self)?;
                if watch.tick(|| self.progress()) {
                    return ControlFlow::Break(());
                }
            }
            self.look_up()?;
            levels.push(Level { group, first: end });
        }
    }

    fn progress(&self) -> Progress {
        Progress {
            states: self.stats.states,
            transitions: self.stats.transitions,
            depth: u64::from(self.stats.depth),
            errors: self.findings.errors(),
            ..Progress::default()
        }
    }

    /// Counts a violation and works out its steps if they are wanted.
    #[cold]
    fn violation(&mut self, site: Site, failure: Failure) -> ControlFlow<()> {
        let Some(advice) = self.findings.count(failure.kind(), site) else {
            return ControlFlow::Continue(());
        };
        if advice.keep {
            let mut positions = vec![self.current as usize];
            while let Some(at @ 1..) = positions.last().copied() {
                positions.push(self.stack.tag(at) as usize);
            }
            let mut state = Vec::new();
            let path = positions.iter().rev().map(|&k| {
                self.arrivals.unpack(&self.stack, k, &mut state);
                state.clone()
            });
            let violation = tracing::along_states(&mut (self.machines)(), path, failure);
            self.findings.keep(site, violation);
        }
        match advice.stop {
            true => {
                self.control.stop(None);
                ControlFlow::Break(())
            }
            false => ControlFlow::Continue(()),
        }
    }
}

impl<F> Search<'_, F> {
    /// Looks up what has arrived and pushes what is new.
    fn look_up(&mut self) -> ControlFlow<()> {
        let settled = self.arrivals.settle(&mut self.stack, self.control, |parent, _| parent);
        match settled {
            Ok(settled) => self.stats.add(settled),
            Err(error) => return self.afford(Err(error)),
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn afford(&self, result: Result<(), OutOfMemory>) -> ControlFlow<()> {
        match result {
            Ok(()) => ControlFlow::Continue(()),
            Err(OutOfMemory) => {
                self.control.stop(Some(Incomplete::Memory));
                ControlFlow::Break(())
            }
        }
    }
}

impl<M: Machine, F: Fn() -> M> Sink for Search<'_, F> {
    #[inline]
    fn arrive(&mut self, state: &[u8], steps: u32, _movers: &Movers) -> ControlFlow<()> {
        let depth = self.depth.saturating_add(steps);
        self.arrivals.push(state, depth, self.current, None);
        if self.arrivals.len() >= BATCH {
            self.look_up()?;
        }
        ControlFlow::Continue(())
    }

    fn fault(&mut self, proctype: ProcTypeId, step: Step, fault: Fault) -> ControlFlow<()> {
        let failure = Failure::Step(step, fault);
        let site = Site::of_step(failure.kind(), proctype, step.edge);
        self.violation(site, failure)
    }

    fn invalid_end(&mut self) -> ControlFlow<()> {
        self.violation(Site::of_state(Failure::End.kind()), Failure::End)
    }
}
