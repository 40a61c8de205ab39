//! Memory that really runs out: whichever request the system refuses, every engine ends with a
//! result that says so, or with the right one.
//!
//! On a model with long executions it is the requests of 256 KB and more that are refused, which is
//! what grows with a search, and there is nothing put by; on a small one it is every request, with
//! the reserve that the program has.

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::Arc;

use isospin_limits::memory_ran_out;
use isospin_machine::Interpreter;
use isospin_model::Model;
use isospin_search::liveness::{check_liveness, Emptiness, Fairness, PropertyAutomaton};
use isospin_search::{check_safety, Incomplete, Options, Order, Progress, Verdict};
use isospin_store::Reserve;

/// Requests of at least this many bytes can be refused.
static LEAST: AtomicUsize = AtomicUsize::new(0);
/// How many of them there have been, and which one is refused; 0 refuses none.
static REQUESTS: AtomicU64 = AtomicU64::new(0);
static REFUSED: AtomicU64 = AtomicU64::new(0);

struct Refusing;

fn refuses(bytes: usize) -> bool {
    bytes >= LEAST.load(Ordering::SeqCst)
        && REQUESTS.fetch_add(1, Ordering::SeqCst) + 1 == REFUSED.load(Ordering::SeqCst)
}

// SAFETY: what is not refused is left to the system's allocator, and a refusal is a null pointer.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if refuses(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if refuses(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if refuses(size) {
            return std::ptr::null_mut();
        }
        // SAFETY: as the caller promises.
        unsafe { System.realloc(at, layout, size) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Reserve<Refusing> = Reserve::new(Refusing);

/// One execution of so many steps, and round in circles at its end.
fn model(steps: u32) -> Arc<Model> {
    let text = format!(
        "int n; byte x; active proctype P() {{ do :: n < {steps} -> n++ :: n >= {steps} -> \
         x = 1 - x od }} ltl p {{ [] <> (x == 0) }}"
    );
    let mut file = |_: &Path| Ok(text.as_bytes().to_vec());
    let reading = isospin_promela::read(Path::new("m.pml"), &Default::default(), &mut file);
    Arc::new(reading.into_model().expect("a model"))
}

const STRIDE: usize = 13;

/// What a search said: the verdict, why it ended early, and how many states it had seen.
type Said = (Verdict, Option<Incomplete>, u64);

/// Runs a search once for each request of so many bytes that it makes, refusing that one, and says
/// how many there were. What it says is never wrong.
///
/// Small requests are many, and most of them the same ones again: of those, one in [`STRIDE`].
fn refuse_each(least: usize, steps: u32, mut search: impl FnMut() -> Said) -> u64 {
    for n in (1..).step_by(if least == 0 { STRIDE } else { 1 }) {
        memory_ran_out::is_over();
        if least == 0 {
            ALLOCATOR.fill();
        }
        LEAST.store(least, Ordering::SeqCst);
        REQUESTS.store(0, Ordering::SeqCst);
        REFUSED.store(n, Ordering::SeqCst);
        let said = search();
        REFUSED.store(0, Ordering::SeqCst);
        match said {
            (Verdict::Holds, None, states) if states >= steps.into() => {}
            (Verdict::Incomplete, Some(Incomplete::Memory), _) => {}
            other => panic!("request {n} was refused: {other:?}"),
        }
        if REQUESTS.load(Ordering::SeqCst) < n {
            return n - 1;
        }
    }
    unreachable!("there are as many requests as numbers")
}

/// Refuses each request of at least so many bytes in every engine.
fn in_every_engine(least: usize, steps: u32) -> u64 {
    let model = model(steps);
    let mut requests = 0;
    for (order, threads) in
        [(Order::DepthFirst, 1), (Order::BreadthFirst, 1), (Order::DepthFirst, 2)]
    {
        let options = Options { order, threads, ..Options::default() };
        let machine = || Interpreter::new(Arc::clone(&model));
        requests += refuse_each(least, steps, || {
            let result = check_safety(machine, &options, &mut |_| {});
            (result.verdict, result.incomplete, result.states)
        });
    }
    let formula = &model.formulas[0].temporal;
    for (emptiness, fairness) in [
        (Emptiness::Nested, Fairness::None),
        (Emptiness::Nested, Fairness::Weak),
        (Emptiness::Components, Fairness::None),
        (Emptiness::Components, Fairness::Strong),
    ] {
        let generalized = emptiness == Emptiness::Components;
        let automaton = PropertyAutomaton::violating(formula, generalized).expect("an automaton");
        let options = Options::default();
        requests += refuse_each(least, steps, || {
            let machine = Interpreter::new(Arc::clone(&model));
            let automaton = automaton.clone();
            let progress = &mut |_: &Progress| {};
            let result =
                check_liveness(machine, automaton, fairness, emptiness, &options, progress);
            (result.verdict, result.incomplete, result.states)
        });
    }
    requests
}

/// One test, since the allocator is one for all threads.
#[test]
fn whichever_request_is_refused_the_result_says_so() {
    let large = in_every_engine(256 << 10, 40_000);
    assert!(large > 20, "{large} large requests");
    let all = in_every_engine(0, 100);
    assert!(all > 500, "{all} requests");
    println!("{large} large requests, {all} of all sizes");
}
