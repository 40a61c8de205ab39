//! A model explored from beginning to end, within limits.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{channel, RecvTimeoutError};
use std::sync::Arc;
use std::time::{Duration, Instant};

use isospin_machine::Machine;
use isospin_model::{EdgeId, ProcTypeId};
use isospin_search::{Incomplete, Violation, ViolationKind};
use isospin_store::Budget;

use crate::diagram::{Count, Stop};
use crate::engine::{Engine, Halt};
use crate::space::Ranks;

/// In which order what can be reached is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Strategy {
    /// Level by level.
    BreadthFirst,
    /// Level by level, where what one group of steps leads to is followed by the next at once.
    Chaining,
    /// What concerns the lowest slots first, until nothing more comes of it.
    #[default]
    Saturation,
}

/// What to look for, how, and how far.
#[derive(Clone, Debug)]
pub struct Options {
    /// In which order what can be reached is.
    pub strategy: Strategy,
    /// Whether failed assertions are violations.
    pub assertions: bool,
    /// Whether states in which nothing can happen are, unless every process may end.
    pub end_states: bool,
    /// Whether the first violation is enough.
    pub first_only: bool,
    /// How many violations get their steps worked out.
    pub trails: usize,
    /// Whether an order of slots is looked for.
    pub reorder: bool,
    /// How many bytes sets may take.
    pub memory: Option<u64>,
    /// How long it may take.
    pub time: Option<Duration>,
    /// Ends the exploration when it becomes true.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            strategy: Strategy::default(),
            assertions: true,
            end_states: true,
            first_only: true,
            trails: 16,
            reorder: true,
            memory: None,
            time: None,
            interrupt: None,
        }
    }
}

/// How far an exploration is.
#[derive(Clone, Debug, Default)]
pub struct Stage {
    /// Levels, or sets that were saturated.
    pub iterations: u64,
    /// Nodes in use.
    pub nodes: u64,
    /// States that are known to be reached.
    pub states: Count,
    /// Bytes held now.
    pub bytes: u64,
}

/// Everything that an exploration has to say.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// How many states were reached.
    pub states: Count,
    /// How many of them are invalid end states.
    pub dead: Count,
    /// How many states and steps go wrong.
    pub errors: u64,
    /// The violations, a shortest execution to each kind at each edge.
    pub violations: Vec<Violation>,
    /// Whether something goes wrong; also where no execution was found that shows it.
    pub met: bool,
    /// What goes wrong, if it is known of every reachable state.
    pub wrong: Option<HashSet<ViolationKind>>,
    /// Why it ended early; also where only executions are missing.
    pub incomplete: Option<Incomplete>,
    /// Whether every reachable state was looked at.
    pub exhausted: bool,
    /// Levels, or sets that were saturated.
    pub iterations: u64,
    /// The most nodes that were in use at any time.
    pub nodes: u64,
    /// How many nodes the set of the states has.
    pub state_nodes: u64,
    /// How many groups of steps there are.
    pub groups: u64,
    /// How many slots the largest states have.
    pub slots: u64,
    /// The most bytes that were held at any time.
    pub peak_bytes: u64,
    /// The edges that were taken.
    pub taken: HashSet<(ProcTypeId, EdgeId)>,
    /// Whether every step had to be taken to look at everything: a mistake of the analysis, which
    /// costs time and nothing else.
    pub wide: bool,
    /// How long it took.
    pub time: Duration,
}

/// Operations recur on levels. A level takes less than [`LEVEL`], in all operations within each
/// other; states with more levels than there is room for are refused as too large.
const STACK: usize = 256 << 20;
const LEVEL: usize = 4 << 10;
pub(crate) const MOST_LEVELS: usize = STACK / LEVEL;
/// How often the limits are looked at.
const LOOK: Duration = Duration::from_millis(20);

/// Explores a model, on a thread of its own whose stack no set is too deep for.
pub fn explore<M: Machine>(
    machine: impl Fn() -> M + Sync,
    options: &Options,
    watch: &mut dyn FnMut(&Stage),
) -> Exploration {
    let start = Instant::now();
    let deadline = options.time.and_then(|time| start.checked_add(time));
    let halt = Arc::new(AtomicBool::new(false));
    let budget = Arc::new(Budget::new(options.memory));
    let (sender, receiver) = channel();
    let mut stopped = None;
    let mut result = std::thread::scope(|scope| {
        let limits = (Arc::clone(&budget), Arc::clone(&halt));
        let machine = &machine;
        let work = move || {
            let tell = |stage: Stage| drop(sender.send(stage));
            run(machine, options, limits, &tell)
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let Ok(thread) = thread else {
            return Exploration { incomplete: Some(Incomplete::Memory), ..Default::default() };
        };
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok(stage) => watch(&stage),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            let asked = options.interrupt.as_ref().is_some_and(|i| i.load(Ordering::Relaxed));
            if asked {
                stopped = stopped.or(Some(Incomplete::Interrupted));
            } else if deadline.is_some_and(|at| Instant::now() >= at) {
                stopped = stopped.or(Some(Incomplete::Time));
            }
            halt.store(stopped.is_some(), Ordering::Relaxed);
        }
        match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    // Whoever runs was asked to stop; why is known here.
    if result.incomplete == Some(Incomplete::Interrupted) {
        result.incomplete = stopped.or(result.incomplete);
    }
    result.peak_bytes = budget.peak();
    result.time = start.elapsed();
    result
}

type Limits = (Arc<Budget>, Arc<AtomicBool>);

/// Runs on the thread.
fn run<M: Machine>(
    machine: &dyn Fn() -> M,
    options: &Options,
    limits: Limits,
    tell: &dyn Fn(Stage),
) -> Exploration {
    let mut initial = Vec::new();
    if let Err(error) = machine().initial(&mut initial) {
        let violation = Violation { kind: ViolationKind::Runtime(error), steps: Vec::new() };
        let violations = vec![violation];
        return Exploration {
            violations,
            met: true,
            exhausted: true,
            errors: 1,
            ..Default::default()
        };
    }
    let mut ranks = Ranks::default();
    if options.reorder {
        let looked = Engine::new(machine(), options, Ranks::default(), limits.clone(), tell)
            .and_then(|mut engine| engine.good_order(&initial));
        match looked {
            Ok(good) => ranks = good,
            Err(halt) => return stopped(halt),
        }
    }
    let mut wide = false;
    loop {
        let limits = (Arc::clone(&limits.0), Arc::clone(&limits.1));
        let mut engine = match Engine::new(machine(), options, ranks.clone(), limits, tell) {
            Ok(engine) => engine,
            Err(halt) => return stopped(halt),
        };
        engine.wide = wide;
        let ended = engine.explore(&initial);
        if ended == Err(Halt::Mistaken) && !wide {
            wide = true;
            continue;
        }
        return conclude(&mut engine, &initial, ended);
    }
}

fn stopped(halt: Halt) -> Exploration {
    Exploration { incomplete: why(halt), ..Exploration::default() }
}

fn why(halt: Halt) -> Option<Incomplete> {
    match halt {
        Halt::Stop(Stop::Memory) => Some(Incomplete::Memory),
        Halt::Stop(Stop::Asked) => Some(Incomplete::Interrupted),
        Halt::Met | Halt::Mistaken => None,
    }
}

/// What there is to say once an exploration has ended.
fn conclude<M: Machine>(
    engine: &mut Engine<'_, M>,
    initial: &[u8],
    ended: Result<(), Halt>,
) -> Exploration {
    let mut result = Exploration {
        met: engine.met,
        exhausted: ended.is_ok(),
        incomplete: ended.err().and_then(why),
        iterations: engine.iterations,
        wide: engine.wide,
        groups: engine.groups.iter().map(|g| g.groups.len() as u64).sum(),
        slots: engine.spaces.iter().map(|s| s.levels() as u64).max().unwrap_or(0),
        ..Exploration::default()
    };
    if ended.is_ok() {
        match engine.errors() {
            Ok(errors) => result.errors = errors,
            Err(halt) => result.incomplete = why(halt),
        }
    }
    if engine.met && result.incomplete.is_none() {
        let wanted = match ended {
            Ok(()) => engine.kinds().map(|kinds| {
                result.wrong = Some(kinds.iter().map(|(kind, _)| *kind).collect());
                kinds.len()
            }),
            Err(_) => Ok(1),
        };
        let wanted = wanted.map(|kinds| kinds.min(engine.options.trails));
        match wanted.and_then(|wanted| engine.trace(initial, wanted)) {
            Ok(found) => result.violations = found,
            Err(halt) => result.incomplete = why(halt),
        }
        result.errors = result.errors.max(1);
    }
    let (reached, dead) = (engine.reached.clone(), engine.dead.clone());
    result.states = engine.count(&reached).unwrap_or_default();
    result.dead = engine.count(&dead).unwrap_or_default();
    result.state_nodes = reached.iter().map(|list| engine.lists.size(*list) as u64).sum();
    result.nodes = engine.lists.peak() as u64;
    result.taken = std::mem::take(&mut engine.taken);
    result
}
