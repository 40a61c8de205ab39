//! The façade: a relation and options in, a report out. The work is done on a thread with a stack
//! that no diagram is too deep for; what it finds out is sent as it goes, so that a search that is
//! cut short, even in the middle of an operation on diagrams, leaves what was found before.

mod early;
mod property;
mod run;

pub(crate) use run::room;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{channel, RecvTimeoutError};
use std::sync::Arc;
use std::time::Duration;

use isospin_relation::Relation;

use crate::count::Count;
use crate::diagram::Moves;
use crate::order::Order;
use crate::reach::Strategy;
use crate::report::{Found, Report, Status, Trace, Wrong};

/// How to check.
#[derive(Clone, Debug)]
pub struct Options {
    /// The order of bits; the better one of several if it is not given.
    pub order: Option<Order>,
    /// How many bytes diagrams may take.
    pub memory: u64,
    /// The most nodes of a cluster of the transition relation.
    pub cluster: usize,
    /// The specifications that are checked; all if it is not given.
    pub only: Option<Vec<usize>>,
    /// Whether executions are wanted that show what was found.
    pub traces: bool,
    /// Whether it is enough that everything is decided: where only invariants are asked for and
    /// all of them are violated, the rest of the states is not looked for.
    pub enough: bool,
    /// In which order steps are taken.
    pub strategy: Strategy,
    /// Whether bits are moved to where diagrams are smaller.
    pub moves: Moves,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            order: None,
            memory: 2 << 30,
            cluster: 2000,
            only: None,
            traces: true,
            enough: false,
            strategy: Strategy::Automatic,
            moves: Moves::WhenLarge,
        }
    }
}

/// What happens while a relation is checked.
#[derive(Clone, Debug)]
pub enum Event {
    /// The order that is used, and the number of nodes of the transition relation.
    Built(Order, usize),
    /// The order of bits at the end, where they were moved.
    Ordered(Order),
    /// What is wrong with the model.
    Wrong(Vec<Wrong>),
    /// Another ring: its number, the number of nodes, the states so far.
    Ring(usize, usize, Count),
    /// All states were found: their number, the rings if it went ring by ring, whether there are
    /// initial ones.
    Reached(Count, Option<usize>, bool),
    /// A state without successor.
    Deadlock(Trace),
    /// A specification was decided.
    Decided(usize, Found),
    /// An execution was not confirmed.
    Unconfirmed,
    /// The end, with the number of nodes.
    End(Status, usize),
}

/// Stack for operations on diagrams, which recur once a level; less where there is not so much.
pub(crate) const STACKS: [usize; 3] = [512 << 20, 64 << 20, 8 << 20];

/// Checks all specifications. `watch` is told what happens, and asked several times a second (then
/// with nothing) whether to go on.
pub fn check(
    relation: &Arc<Relation>,
    options: &Options,
    watch: &mut dyn FnMut(Option<&Event>) -> bool,
) -> Report {
    let (sender, receiver) = channel::<Event>();
    let stop = Arc::new(AtomicBool::new(false));
    let mut report = Report::new(relation, Order::declared(relation));
    let started = STACKS.iter().any(|size| {
        let (relation, options) = (Arc::clone(relation), options.clone());
        let (stop, sender) = (Arc::clone(&stop), sender.clone());
        let job = move || run::run(&relation, &options, &stop, &sender);
        std::thread::Builder::new().name("symbolic".into()).stack_size(*size).spawn(job).is_ok()
    });
    drop(sender);
    if !started {
        report.status = Status::Nodes;
        return report;
    }
    loop {
        match receiver.recv_timeout(Duration::from_millis(20)) {
            Ok(event) => {
                let go_on = watch(Some(&event));
                let ended = note(&mut report, event);
                if ended {
                    break;
                }
                if !go_on {
                    report.status = Status::Stopped;
                    break;
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                if !watch(None) {
                    report.status = Status::Stopped;
                    break;
                }
            }
            // The thread is gone without an end, which only a failure of its own can cause.
            Err(RecvTimeoutError::Disconnected) => {
                report.status = Status::Nodes;
                break;
            }
        }
    }
    stop.store(true, Ordering::Relaxed);
    report
}

/// Writes an event into the report; true at the end.
fn note(report: &mut Report, event: Event) -> bool {
    match event {
        Event::Built(order, _) | Event::Ordered(order) => report.order = order,
        Event::Wrong(wrong) => report.wrong = wrong,
        Event::Ring(ring, nodes, _) => {
            report.rings = ring;
            report.nodes = (nodes, report.nodes.1.max(nodes));
        }
        Event::Reached(count, rings, has_initial) => {
            report.reachable = Some(count);
            report.diameter = rings;
            report.rings = rings.unwrap_or(report.rings);
            report.has_initial = has_initial;
        }
        Event::Deadlock(trace) => report.deadlock = Some(trace),
        Event::Decided(index, found) => report.found[index] = found,
        Event::Unconfirmed => report.unconfirmed += 1,
        Event::End(status, nodes) => {
            report.status = status;
            report.nodes = (nodes, report.nodes.1.max(nodes));
            return true;
        }
    }
    false
}
