//! Depth-first search on several threads that share a set. Each state is expanded by the thread
//! that found it to be new, or by one that it was given to; paths are kept as parents in the set.
//! The calling thread reports progress and watches the limits.

#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use isospin_machine::Machine;
use isospin_store::{Keep, Marks, Parents};

use super::context::{Context, Prepared, Run};
use super::gatherer::MAX_LOOK_UPS;
use super::parents::ParentPath;
use super::pool::Pool;
use super::tracing::{self, Failure};
use super::worker;
use crate::expand::{Reached, Reducer, ReductionCounts};
use crate::limits::{Control, Progress, Watch};
use crate::options::Options;

/// How often the calling thread looks at the limits.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

pub(super) fn search<S: Marks + Parents + Sync, M: Machine, F: Fn() -> M + Sync, R: Reducer>(
    machines: &F,
    reducers: &(impl Fn() -> R + Sync),
    options: &Options,
    control: &Control,
    progress: &mut dyn FnMut(&Progress),
) -> Run {
    let keep = Keep { parents: true, mark_bytes: u8::from(R::ACTIVE) };
    let prepared = Context::<S, _>::prepare(machines(), keep, options.threads, options, control);
    let Prepared { mut machine, initial, context } = match prepared {
        Ok(prepared) => prepared,
        Err(run) => return *run,
    };
    let mut first = context.gatherer(0, ParentPath::new(&context.set), MAX_LOOK_UPS);
    if first.start(&initial).is_break() {
        return *Run::no_memory(&machine, control);
    }
    let team = Team {
        context: &context,
        pool: Pool::new(options.threads, std::mem::take(&mut first.frontier)),
        running: AtomicUsize::new(0),
    };
    drop(first);
    let mut reached = Reached::new(machine.model());
    let mut reduction = ReductionCounts::default();
    team.work(options.threads, &|| (machines(), reducers()), progress, &mut |theirs, counts| {
        reached.merge(theirs);
        reduction.add(counts);
    });
    let exhausted = team.pool.is_finished() && !control.stopped();
    context.finish(reached, reduction, exhausted, |set, door, (last, failure)| {
        tracing::along_parents(&mut machine, set, door, last, failure)
    })
}

/// What the threads share.
type Shared<'c, S> = Context<'c, S, (<S as isospin_store::StateSet>::Id, Failure)>;

/// All threads of a search.
struct Team<'t, S: Marks> {
    context: &'t Shared<'t, S>,
    pool: Pool<S::Id>,
    running: AtomicUsize,
}

impl<S: Marks + Sync> Team<'_, S> {
    /// Starts the threads, watches over them, and gathers what they reached.
    fn work<M: Machine, R: Reducer>(
        &self,
        threads: usize,
        equipment: &(impl Fn() -> (M, R) + Sync),
        progress: &mut dyn FnMut(&Progress),
        gather: &mut dyn FnMut(&Reached, &ReductionCounts),
    ) {
        let context = self.context;
        let work = |thread: usize| {
            let gatherer = context.gatherer(thread, ParentPath::new(&context.set), MAX_LOOK_UPS);
            let (machine, reducer) = equipment();
            worker::work(gatherer, &self.pool, machine, reducer)
        };
        let caller = thread::current();
        thread::scope(|scope| {
            let mut joining = Vec::new();
            for number in 0..threads {
                let present = Present::new(self, &caller);
                let work = move || {
                    let _present = present;
                    work(number)
                };
                match thread::Builder::new().spawn_scoped(scope, work) {
                    Ok(thread) => joining.push(thread),
                    Err(_) => self.pool.absent(),
                }
            }
            if joining.is_empty() {
                // Not even one: do the work here, without reports.
                self.pool.present();
                let (reached, counts) = work(0);
                gather(&reached, &counts);
            }
            let mut watch = Watch::new(context.control, Some(progress));
            while self.running.load(Ordering::Acquire) > 0 {
                thread::park_timeout(POLL_INTERVAL);
                watch.look(|| context.progress());
            }
            for thread in joining {
                match thread.join() {
                    Ok((reached, counts)) => gather(&reached, &counts),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
    }
}

/// A thread that is running. Should it panic, the others stop too.
struct Present<'t, S: Marks> {
    team: &'t Team<'t, S>,
    caller: thread::Thread,
}

impl<'t, S: Marks> Present<'t, S> {
    fn new(team: &'t Team<'t, S>, caller: &thread::Thread) -> Self {
        team.running.fetch_add(1, Ordering::AcqRel);
        Present { team, caller: caller.clone() }
    }
}

impl<S: Marks> Drop for Present<'_, S> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.team.context.control.stop(None);
        }
        self.team.running.fetch_sub(1, Ordering::AcqRel);
        self.caller.unpark();
    }
}
