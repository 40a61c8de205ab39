//! Breadth-first search on one thread, level by level. The states of one level lie in one frontier
//! while those of the next are gathered in another; paths are kept as parents in the store.

use std::ops::ControlFlow;
use std::sync::Arc;

use isospin_machine::{Fault, Machine, Step};
use isospin_model::ProcTypeId;
use isospin_store::{Exact, Keep, OutOfMemory, Packing, StateId, StateSet};

use super::arrivals::Arrivals;
use super::findings::{Findings, Site};
use super::frontier::Frontier;
use super::proviso::Proviso;
use super::tracing::{self, Failure};
use super::{no_initial_state, no_memory, Run, Stats};
use crate::door::Door;
use crate::expand::{Expander, Movers, Reducer, Sink};
use crate::limits::{Control, Progress, Watch};
use crate::options::Options;
use crate::result::Incomplete;
use crate::scout;

/// How many look-ups are made together.
const BATCH: usize = 64;

/// Searches; with `only`, counts nothing but violations of that site.
pub(super) fn search<M: Machine, F: Fn() -> M, R: Reducer>(
    machines: &F,
    reducer: R,
    options: &Options,
    control: &Control,
    progress: &mut dyn FnMut(&Progress),
    only: Option<Site>,
) -> Run {
    let mut machine = machines();
    let mut state = Vec::new();
    if let Err(error) = machine.initial(&mut state) {
        return no_initial_state(&machine, error, options);
    }
    let samples = scout::samples(&mut machine);
    let packing = Arc::new(Packing::trained(samples.iter().map(Vec::as_slice)));
    drop(samples);
    let keep = Keep { parents: true, mark_bytes: u8::from(R::ACTIVE) };
    let Ok(store) = Exact::<false>::new(keep, packing, Arc::clone(&control.budget)) else {
        return no_memory(&machine, control, options);
    };

    let hidden = machine.model().layout.hidden as usize;
    let mut search = Search {
        machines,
        store: &store,
        arrivals: Arrivals::new(store.handle(), hidden, Door::new(hidden, options)),
        control,
        next: Frontier::default(),
        proviso: Proviso::new(&store),
        depth: 0,
        stats: Stats::default(),
        findings: Findings::new(options).only(only),
    };
    let mut expander = Expander::new(machine, reducer, control);
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
    store: &'s Exact<false>,
    arrivals: Arrivals<'s, Option<StateId>, false>,
    control: &'s Control,
    /// The states of the next level, with their ids once they are looked up.
    next: Frontier<StateId>,
    /// The state that is being expanded, and its depth.
    proviso: Proviso<'s, false>,
    depth: u32,
    stats: Stats,
    findings: Findings,
}

impl<M: Machine, F: Fn() -> M> Search<'_, F> {
    fn run<R: Reducer>(
        &mut self,
        expander: &mut Expander<'_, M, R>,
        initial: &[u8],
        limit: u32,
        watch: &mut Watch<'_>,
    ) -> ControlFlow<()> {
        let mut level = Frontier::default();
        let mut state = Vec::new();
        self.arrivals.push(initial, 0, None, None);
        self.look_up()?;
        while !self.next.is_empty() {
            std::mem::swap(&mut level, &mut self.next);
            self.next.clear();
            for k in 0..level.len() {
                self.depth = level.depth(k);
                if self.depth >= limit {
                    self.control.cut_depth();
                    continue;
                }
                self.proviso.begin(level.tag(k), R::ACTIVE);
                self.arrivals.unpack(&level, k, &mut state);
                let room = limit - self.depth;
                self.arrivals.door.twins(&state, expander.twins());
                expander.expand(&state, room, self)?;
                let mut reduced = expander.is_reduced();
                if R::ACTIVE && !reduced {
                    self.proviso.set_full();
                }
                if reduced {
                    self.look_up()?;
                }
                while reduced && !self.proviso.holds() {
                    expander.expand_more(&state, room, self)?;
                    reduced = expander.is_reduced();
                    if !reduced {
                        self.proviso.set_full();
                    }
                    self.look_up()?;
                }
                if watch.tick(|| self.progress()) {
                    return ControlFlow::Break(());
                }
            }
            self.look_up()?;
        }
        ControlFlow::Continue(())
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

    #[cold]
    fn violation(&mut self, site: Site, failure: Failure) -> ControlFlow<()> {
        let Some(advice) = self.findings.count(failure.kind(), site) else {
            return ControlFlow::Continue(());
        };
        if let (true, Some(current)) = (advice.keep, self.proviso.current()) {
            self.look_up()?;
            let mut machine = (self.machines)();
            let Arrivals { handle, door, .. } = &mut self.arrivals;
            let violation = {
                let store = self.store;
                tracing::along_parents(&mut machine, store, handle, door, current, failure)
            };
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
    fn look_up(&mut self) -> ControlFlow<()> {
        let Search { arrivals, next, proviso, .. } = self;
        let settled = arrivals.settle(next, self.control, |from, answer| {
            proviso.arrive(from, answer);
            answer.id
        });
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
        let current = self.proviso.current();
        self.arrivals.push(state, depth, current, current);
        if self.arrivals.len() >= BATCH {
            self.look_up()?;
        }
        ControlFlow::Continue(())
    }

    fn fault(&mut self, proctype: Option<ProcTypeId>, step: Step, fault: Fault) -> ControlFlow<()> {
        let failure = Failure::Step(step, fault);
        let site = Site::of_step(failure.kind(), proctype, step);
        self.violation(site, failure)
    }

    fn invalid_end(&mut self) -> ControlFlow<()> {
        self.violation(Site::of_state(Failure::End.kind()), Failure::End)
    }
}
