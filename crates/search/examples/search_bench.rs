//! Measures what a search costs apart from the machine: a hand-written machine whose processes
//! count independently, so that a step costs next to nothing. Arguments: processes (default 7),
//! values per process (default 8), threads (default 1), `bfs` as 1 (default 0).

use std::sync::Arc;

use isospin_machine::{Machine, RuntimeError, Step, Successors, Truth};
use isospin_model::{
    Automaton, Edge, EdgeId, Expr, FrameLayout, Location, LocationId, Model, Pid, ProcKind,
    ProcType, SourceRef,
};
use isospin_search::{check_safety, Options, Order};

/// How many bytes a process has: type, location, its value, and some that never change.
const FRAME: usize = 9;

struct Counters {
    model: Arc<Model>,
    processes: usize,
    values: u8,
    next: Vec<u8>,
}

impl Machine for Counters {
    fn model(&self) -> &Model {
        &self.model
    }

    fn initial(&mut self, state: &mut Vec<u8>) -> Result<(), RuntimeError> {
        state.clear();
        state.resize(1 + self.processes * FRAME, 0);
        state[0] = self.processes as u8;
        Ok(())
    }

    #[inline]
    fn steps(&mut self, state: &[u8], pid: Pid, _timeout: bool, out: &mut Successors) {
        self.next.clear();
        self.next.extend_from_slice(state);
        let at = 1 + pid.index() * FRAME + 3;
        self.next[at] = (self.next[at] + 1) % self.values;
        let step = Step::alone(pid, EdgeId(0));
        out.push(step, None, None, &self.next);
    }

    fn watch(&mut self, _: &[Expr]) {}

    fn watched(&mut self, _: &[u8], _: bool) -> &[Truth] {
        &[]
    }
}

fn model() -> Model {
    let mut model = Model::default();
    model.layout.frames = 1;
    model.proctypes.push(ProcType {
        name: "Counter".to_owned(),
        kind: ProcKind::Process,
        parameters: 0,
        frame: FrameLayout { location_width: 1, size: FRAME as u32, ..FrameLayout::default() },
        initializers: Vec::new(),
        provided: None,
        deterministic: false,
        automaton: Automaton {
            initial: LocationId(0),
            locations: vec![Location { edge_count: 1, ..Location::default() }],
            edges: vec![Edge {
                from: LocationId(0),
                target: LocationId(0),
                action: isospin_model::Action::Skip,
                atomic: false,
                urgency: Default::default(),
                escape: 0,
                resets: Vec::new(),
                statement: 0,
                source: SourceRef::default(),
                text: String::new(),
            }],
        },
        source: SourceRef::default(),
    });
    model
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|a| a.parse::<usize>());
    let mut next = |default: usize| numbers.next().and_then(Result::ok).unwrap_or(default);
    let (processes, values, threads) = (next(7), next(8), next(1));
    let order = match next(0) {
        0 => Order::DepthFirst,
        _ => Order::BreadthFirst,
    };
    let model = Arc::new(model());
    let options = Options { errors: 0, threads, order, ..Options::default() };
    let machines = || Counters {
        model: Arc::clone(&model),
        processes,
        values: values as u8,
        next: Vec::new(),
    };
    let result = check_safety(machines, &options, &mut |_| {});
    println!(
        "{} states, {} transitions, depth {}, {:.3} s, {:.2} million transitions a second, \
         {:.1} bytes a state, peak {:.1}",
        result.states,
        result.transitions,
        result.depth,
        result.time.as_secs_f64(),
        result.transitions as f64 / result.time.as_secs_f64() / 1e6,
        result.store_bytes as f64 / result.states as f64,
        result.peak_bytes as f64 / result.states as f64,
    );
}
