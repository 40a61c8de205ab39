//! Depth-first search on several threads that share a store. Each state is expanded by the thread
//! that found it to be new, or by one that it was given to; paths are kept as parents in the store.
//! The calling thread reports progress and watches the limits.

#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use isospin_machine::Machine;
use isospin_store::{Exact, Insert, Keep, Packing, StateSet};

use super::arrivals::Arrivals;
use super::findings::Findings;
use super::pool::{Pool, Work};
use super::proviso::Proviso;
use super::worker::{Counters, Shared, Worker};
use super::{no_initial_state, no_memory, tracing, Run, Stats};
use crate::door::Door;
use crate::expand::Reducer;
use crate::limits::{Control, Progress, Watch};
use crate::options::Options;
use crate::reduce::ReductionCounts;
use crate::result::Reached;
use crate::scout;

/// How often the calling thread looks at the limits.
const NAP: Duration = Duration::from_millis(20);

pub(super) fn search<M: Machine, F: Fn() -> M + Sync, R: Reducer>(
    machines: &F,
    reducers: &(impl Fn() -> R + Sync),
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
    let keep = Keep { parents: true, mark_bytes: u8::from(R::ACTIVE) };
    let Ok(store) = Exact::<true>::new(keep, packing, Arc::clone(&control.budget)) else {
        return no_memory(&machine, control, options);
    };

    let hidden = machine.model().layout.hidden as usize;
    let mut door = Door::new(hidden, options);
    let mut arrivals = Arrivals::new(store.handle(), hidden, door.clone());
    arrivals.push(&state, 0, (), None);
    let mut first = Work::default();
    let settled = arrivals.settle(&mut first, control, |(), answer| answer.id);
    let mut handle = arrivals.handle;
    handle.leave();
    if settled.is_err() {
        return no_memory(&machine, control, options);
    }

    let team = Team {
        control,
        pool: Pool::new(options.threads, first),
        counters: (0..options.threads).map(|_| Counters::default()).collect(),
        running: AtomicUsize::new(0),
        shared: Mutex::new(Shared { findings: Findings::new(options), kept: Vec::new() }),
    };
    let limit = options.depth.unwrap_or(u32::MAX);
    let mut reached = Reached::new(machine.model());
    let mut reduction = ReductionCounts::default();
    team.work(
        &|| (machines(), reducers()),
        &store,
        &door,
        limit,
        progress,
        &mut |theirs, counts| {
            reached.merge(theirs);
            reduction.add(counts);
        },
    );

    let mut stats = team.stats();
    let exhausted = team.pool.is_finished() && !control.stopped();
    let Shared { mut findings, kept } = match team.shared.into_inner() {
        Ok(shared) => shared,
        Err(poisoned) => poisoned.into_inner(),
    };
    handle.come_back();
    for (k, (id, failure)) in kept.into_iter().enumerate() {
        let violation =
            tracing::along_parents(&mut machine, &store, &mut handle, &mut door, id, failure);
        findings.replace(k, violation);
    }
    drop(handle);
    stats.store_bytes = store.bytes();
    Run { stats, findings, reached, reduction, exhausted }
}

/// All threads of a search.
struct Team<'c> {
    control: &'c Control,
    pool: Pool,
    counters: Vec<Counters>,
    running: AtomicUsize,
    shared: Mutex<Shared>,
}

impl Team<'_> {
    /// Starts the threads, watches over them, and gathers what they reached.
    fn work<M: Machine, R: Reducer>(
        &self,
        equipment: &(impl Fn() -> (M, R) + Sync),
        store: &Exact<true>,
        door: &Door,
        limit: u32,
        progress: &mut dyn FnMut(&Progress),
        gather: &mut dyn FnMut(&Reached, &ReductionCounts),
    ) {
        let caller = thread::current();
        thread::scope(|scope| {
            let mut joining = Vec::new();
            for counters in &self.counters {
                let present = Present::new(self, &caller);
                let work = move || {
                    let _present = present;
                    let (machine, reducer) = equipment();
                    self.worker(store, door, counters, limit).run(machine, reducer)
                };
                match thread::Builder::new().spawn_scoped(scope, work) {
                    Ok(thread) => joining.push(thread),
                    Err(_) => self.pool.absent(),
                }
            }
            if joining.is_empty() {
                // Not even one: do the work here, without reports.
                self.pool.present();
                let worker = self.worker(store, door, &self.counters[0], limit);
                let (machine, reducer) = equipment();
                let (reached, counts) = worker.run(machine, reducer);
                gather(&reached, &counts);
            }
            let mut watch = Watch::new(self.control, Some(progress));
            while self.running.load(Ordering::Acquire) > 0 {
                thread::park_timeout(NAP);
                watch.look(|| self.progress());
            }
            for thread in joining {
                match thread.join() {
                    Ok((reached, counts)) => gather(&reached, &counts),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
    }

    fn worker<'w>(
        &'w self,
        store: &'w Exact<true>,
        door: &Door,
        counters: &'w Counters,
        limit: u32,
    ) -> Worker<'w> {
        let arrivals = Arrivals::new(store.handle(), door.hidden(), door.clone());
        Worker::new(
            Proviso::new(store),
            arrivals,
            self.control,
            &self.pool,
            &self.shared,
            counters,
            limit,
        )
    }

    fn stats(&self) -> Stats {
        // The initial state was stored before the threads started.
        let mut stats = Stats { states: 1, transitions: 1, ..Stats::default() };
        for counters in &self.counters {
            stats.states += counters.states.load(Ordering::Relaxed);
            stats.transitions += counters.transitions.load(Ordering::Relaxed);
            stats.depth = stats.depth.max(counters.depth.load(Ordering::Relaxed));
        }
        stats
    }

    fn progress(&self) -> Progress {
        let stats = self.stats();
        let shared = self.shared.lock().unwrap_or_else(|e| e.into_inner());
        Progress {
            states: stats.states,
            transitions: stats.transitions,
            depth: u64::from(stats.depth),
            errors: shared.findings.errors(),
            ..Progress::default()
        }
    }
}

/// A thread that is running. Should it panic, the others stop too.
struct Present<'t> {
    team: &'t Team<'t>,
    caller: thread::Thread,
}

impl<'t> Present<'t> {
    fn new(team: &'t Team<'t>, caller: &thread::Thread) -> Present<'t> {
        team.running.fetch_add(1, Ordering::AcqRel);
        Present { team, caller: caller.clone() }
    }
}

impl Drop for Present<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.team.control.stop(None);
        }
        self.team.running.fetch_sub(1, Ordering::AcqRel);
        self.caller.unpark();
    }
}
