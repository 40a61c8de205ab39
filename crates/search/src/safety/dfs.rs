//! Depth-first search on one thread.
//!
//! The stack holds real states, packed. Its top is expanded, all successors are looked up together, and the
//! new ones are pushed. To have enough look-ups under way at once to hide the latency of memory,
//! not one state is expanded at a time but a *group*: a few siblings from the top of the stack. The
//! groups that are expanded and not finished, with every state's position of its parent, are the
//! path.
//!
//! With partial-order reduction the stack also tells when nothing would be put off for ever (C3): a
//! state of whose chosen steps none leads to a state that is new, that is *finished* with everything
//! above it, or that was expanded fully itself, gets more steps, in the end all. A group is finished
//! once everything above it is. New and finished states are finished before the state itself is, so
//! from a state where steps were put off one gets to states that are finished earlier and earlier,
//! and in the end to one where nothing was. What was put off can still be taken there. A state that
//! is not expanded fully is the last of its group: if it has to get more steps, they are at hand.

use std::ops::ControlFlow;
use std::sync::Arc;

use isospin_machine::{Fault, Machine, Step};
use isospin_model::ProcTypeId;
use isospin_store::{Exact, Keep, Marks, OutOfMemory, Packing, StateId, StateSet};

use super::arrivals::Arrivals;
use super::findings::{Findings, Site};
use super::frontier::Frontier;
use super::tracing::{self, Failure};
use super::{no_initial_state, no_memory, Run, Stats};
use crate::door::Door;
use crate::expand::{Expander, Movers, Reducer, Sink};
use crate::limits::{Control, Progress, Watch};
use crate::marks::depth_first::{FINISHED, FULL};
use crate::options::Options;
use crate::result::Incomplete;
use crate::scout;

/// How many siblings are expanded together at most.
const GROUP: usize = 16;
/// How many look-ups are enough for a group.
const ENOUGH: usize = 32;
/// How many look-ups are made together at most.
const BATCH: usize = 4096;

/// What the stack knows of a state.
trait Link: Copy {
    fn new(parent: u32, id: StateId) -> Self;

    /// The position of the state that it was reached from.
    fn parent(self) -> u32;

    /// Which one it is, where that is needed.
    fn id(self) -> Option<StateId>;
}

/// Without reduction.
impl Link for u32 {
    #[inline]
    fn new(parent: u32, _: StateId) -> u32 {
        parent
    }

    #[inline]
    fn parent(self) -> u32 {
        self
    }

    #[inline]
    fn id(self) -> Option<StateId> {
        None
    }
}

/// With reduction.
impl Link for (u32, StateId) {
    #[inline]
    fn new(parent: u32, id: StateId) -> Self {
        (parent, id)
    }

    #[inline]
    fn parent(self) -> u32 {
        self.0
    }

    #[inline]
    fn id(self) -> Option<StateId> {
        Some(self.1)
    }
}

/// An expanded group, `group..first` on the stack, whose new successors lie from `first` on.
#[derive(Clone, Copy)]
struct Level {
    group: usize,
    first: usize,
    /// Whether steps of the state at `group` were put off. Of the others none were.
    reduced: bool,
}

pub(super) fn search<M: Machine, F: Fn() -> M, R: Reducer>(
    machines: &F,
    reducer: R,
    options: &Options,
    control: &Control,
    progress: &mut dyn FnMut(&Progress),
) -> Run {
    match R::ACTIVE {
        true => {
            search_with::<M, F, R, (u32, StateId)>(machines, reducer, options, control, progress)
        }
        false => search_with::<M, F, R, u32>(machines, reducer, options, control, progress),
    }
}

fn search_with<M: Machine, F: Fn() -> M, R: Reducer, L: Link>(
    machines: &F,
    reducer: R,
    options: &Options,
    control: &Control,
    progress: &mut dyn FnMut(&Progress),
) -> Run {
    let mut machine = machines();
    let mut state = Vec::new();
    if let Err(error) = machine.initial(&mut state) {
        return no_initial_state(&machine, error, options);
    }
    let samples = scout::samples(&mut machine);
    let packing = Arc::new(Packing::trained(samples.iter().map(Vec::as_slice)));
    drop(samples);
    let keep = Keep { parents: false, mark_bytes: u8::from(R::ACTIVE) };
    let Ok(store) = Exact::<false>::new(keep, packing, Arc::clone(&control.budget)) else {
        return no_memory(&machine, control, options);
    };

    let hidden = machine.model().layout.hidden as usize;
    let mut search = Search {
        machines,
        store: &store,
        arrivals: Arrivals::new(store.handle(), hidden, Door::new(hidden, options)),
        control,
        stack: Frontier::<L>::default(),
        current: 0,
        good: false,
        unsure: Vec::new(),
        depth: 0,
        stats: Stats::default(),
        findings: Findings::new(options),
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

struct Search<'s, F, L> {
    machines: &'s F,
    store: &'s Exact<false>,
    arrivals: Arrivals<'s, u32, false>,
    control: &'s Control,
    /// Each state with the position of its parent.
    stack: Frontier<L>,
    /// The position of the state that is being expanded, and its depth.
    current: u32,
    depth: u32,
    /// With reduction: whether it leads to a state that is new, finished or expanded fully, and
    /// where else.
    good: bool,
    unsure: Vec<StateId>,
    stats: Stats,
    findings: Findings,
}

impl<M: Machine, F: Fn() -> M, L: Link> Search<'_, F, L> {
    fn run<R: Reducer>(
        &mut self,
        expander: &mut Expander<'_, M, R>,
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
                self.finish(level);
                continue;
            }
            let reserved = self.control.budget.reserve(&mut levels, 1);
            self.afford(reserved)?;
            let (mut group, mut reduced) = (end, false);
            while !reduced && group > first && end - group < GROUP && self.arrivals.len() < ENOUGH {
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
                self.good = false;
                self.unsure.clear();
                expander.expand(&state, limit - self.depth, self)?;
                reduced = expander.is_reduced();
                if R::ACTIVE && !reduced {
                    self.good = true;
                    self.set_flags(group, FULL);
                }
                if watch.tick(|| self.progress()) {
                    return ControlFlow::Break(());
                }
            }
            self.look_up()?;
            while reduced && !self.is_good(end) {
                expander.expand_more(&state, limit - self.depth, self)?;
                reduced = expander.is_reduced();
                if !reduced {
                    self.good = true;
                    self.set_flags(group, FULL);
                }
                self.look_up()?;
            }
            levels.push(Level { group, first: end, reduced });
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
                positions.push(self.stack.tag(at).parent() as usize);
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

impl<F, L: Link> Search<'_, F, L> {
    /// Looks up what has arrived and pushes what is new.
    fn look_up(&mut self) -> ControlFlow<()> {
        let Search { store, arrivals, stack, control, current, good, unsure, .. } = self;
        let settled = arrivals.settle(stack, control, |parent, answer| {
            let link = L::new(parent, answer.id);
            if link.id().is_some() && parent == *current && !*good {
                *good = answer.new || store.marks(answer.id, 0) & (FINISHED | FULL) != 0;
                if !*good {
                    unsure.push(answer.id);
                }
            }
            link
        });
        match settled {
            Ok(settled) => self.stats.add(settled),
            Err(error) => return self.afford(Err(error)),
        }
        ControlFlow::Continue(())
    }

    /// Whether the state expanded last leads to one that will be finished before it or was expanded
    /// fully. The states from `first` on are new with its group.
    fn is_good(&mut self, first: usize) -> bool {
        let new = |id| (first..self.stack.len()).any(|k| self.stack.tag(k).id() == Some(id));
        self.good = self.good || self.unsure.drain(..).any(new);
        self.good
    }

    fn set_flags(&self, at: usize, flags: u8) {
        if let Some(id) = self.stack.tag(at).id() {
            self.store.change_marks(id, 0, flags, 0);
        }
    }

    /// A group is done with, and everything above it. What was expanded fully is as good as
    /// finished already.
    fn finish(&mut self, level: Level) {
        if level.reduced {
            self.set_flags(level.group, FINISHED);
        }
        self.stack.truncate(level.group);
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

impl<M: Machine, F: Fn() -> M, L: Link> Sink for Search<'_, F, L> {
    #[inline]
    fn arrive(&mut self, state: &[u8], steps: u32, _movers: &Movers) -> ControlFlow<()> {
        let depth = self.depth.saturating_add(steps);
        self.arrivals.push(state, depth, self.current, None);
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
