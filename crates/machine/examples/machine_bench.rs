//! How many successors a second both machines give on a Promela model.
//!
//! `machine_bench MODEL [STATES]` explores breadth-first up to that many states, keeps them, and
//! then asks each machine for all their successors again and again, so that only the machine's own
//! time is measured.

use std::collections::HashSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use isospin_machine::{Fault, Interpreter, Machine, NativeMachine, Successors};
use isospin_model::Model;
use isospin_promela::Options;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let Some(path) = args.next() else {
        eprintln!("usage: machine_bench MODEL [STATES]");
        return ExitCode::from(2);
    };
    let limit = args.next().and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let Some(model) = read(Path::new(&path)) else {
        eprintln!("{path}: not a model");
        return ExitCode::from(2);
    };
    let model = Arc::new(model);
    // The best of a few: code is generated in a thread of its own, whose time is not seen here.
    let mut compile = Duration::MAX;
    for _ in 0..4 {
        let start = Instant::now();
        let machine = NativeMachine::new(Arc::clone(&model));
        compile = compile.min(start.elapsed());
        if let Err(error) = machine {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    }
    let mut native = NativeMachine::new(Arc::clone(&model)).expect("it was compiled before");
    let (locations, interpreted) = native.coverage();
    let states = reach(&mut native, limit);
    let bytes: usize = states.iter().map(Vec::len).sum();
    let mut interpreter = Interpreter::new(model);
    let (fast, fast_count) = rate(&mut native, &states, Duration::from_millis(400));
    let (slow, _) = rate(&mut interpreter, &states, Duration::from_millis(200));
    println!(
        "{path}: compiled in {:.1} ms ({locations} locations, {interpreted} interpreted); \
         {} states of {} bytes, {:.2} successors each; native {:.2} M/s, interpreter {:.2} M/s, \
         ratio {:.1}",
        compile.as_secs_f64() * 1e3,
        states.len(),
        bytes / states.len().max(1),
        fast_count as f64 / states.len().max(1) as f64,
        fast / 1e6,
        slow / 1e6,
        fast / slow,
    );
    ExitCode::SUCCESS
}

fn read(path: &Path) -> Option<Model> {
    isospin_promela::read(path, &Options::default(), &mut |p| std::fs::read(p)).model
}

/// The first states that a breadth-first search meets.
fn reach(machine: &mut dyn Machine, limit: usize) -> Vec<Vec<u8>> {
    let mut initial = Vec::new();
    if machine.initial(&mut initial).is_err() {
        return Vec::new();
    }
    let mut seen = HashSet::from([initial.clone()]);
    let mut states = vec![initial];
    let mut out = Successors::default();
    let mut next = 0;
    while next < states.len() && states.len() < limit {
        out.clear();
        machine.all_steps(&states[next], false, &mut out);
        next += 1;
        for successor in out.list() {
            let state = out.state(successor);
            if !matches!(successor.fault, Some(Fault::Runtime(_))) && !seen.contains(state) {
                seen.insert(state.to_vec());
                states.push(state.to_vec());
            }
        }
    }
    states
}

/// Successors a second, and how many there are.
fn rate(machine: &mut dyn Machine, states: &[Vec<u8>], time: Duration) -> (f64, usize) {
    let mut out = Successors::default();
    let (mut total, mut rounds) = (0usize, 0usize);
    let start = Clock::start();
    while start.elapsed() < time {
        for state in states {
            out.clear();
            machine.all_steps(state, false, &mut out);
            total += out.len();
        }
        rounds += 1;
    }
    (total as f64 / start.elapsed().as_secs_f64(), total / rounds.max(1))
}

/// Time on the processor where the system tells it (other programs may be running), otherwise
/// time on the wall.
struct Clock {
    on_processor: Option<u64>,
    wall: Instant,
}

impl Clock {
    fn start() -> Clock {
        Clock { on_processor: on_processor(), wall: Instant::now() }
    }

    fn elapsed(&self) -> Duration {
        match (self.on_processor, on_processor()) {
            (Some(start), Some(now)) => Duration::from_nanos(now - start),
            _ => self.wall.elapsed(),
        }
    }
}

/// How many nanoseconds this thread has been running.
fn on_processor() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok()
}
