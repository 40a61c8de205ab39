//! Memory that really runs out: whichever large request the system refuses, every engine ends with
//! a result that says so, or with the right one.
//!
//! What is refused are requests of 256 KB and more, which is what grows with a search. Small ones
//! are made everywhere, and a system that refuses those has no room for this program either.

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use isospin_machine::Interpreter;
use isospin_model::Model;
use isospin_search::liveness::{
    check_liveness, Emptiness, Fairness, LivenessResult, PropertyAutomaton,
};
use isospin_search::{check_safety, Incomplete, Options, Order, SearchResult, Verdict};

/// Requests of this many bytes can be refused.
const LARGE: usize = 256 << 10;
/// How many large requests there have been, and which one is refused; 0 refuses none.
static REQUESTS: AtomicU64 = AtomicU64::new(0);
static REFUSED: AtomicU64 = AtomicU64::new(0);

struct Refusing;

fn refuses(bytes: usize) -> bool {
    bytes >= LARGE && REQUESTS.fetch_add(1, Ordering::SeqCst) + 1 == REFUSED.load(Ordering::SeqCst)
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
static ALLOCATOR: Refusing = Refusing;

/// Long executions, so that stacks are deep.
const MODEL: &str = "int n; byte x; active proctype P() { do :: n < 40000 -> n++ :: n >= 40000 -> \
                     x = 1 - x od } ltl p { [] <> (x == 0) }";

fn model() -> Arc<Model> {
    let mut file = |_: &Path| Ok(MODEL.as_bytes().to_vec());
    let reading = isospin_promela::read(Path::new("m.pml"), &Default::default(), &mut file);
    Arc::new(reading.into_model().expect("a model"))
}

/// Runs a search once for each large request that it makes, refusing that one, and says how many
/// there were. `judge` says what is wrong with a result.
fn refuse_each<R>(mut search: impl FnMut() -> R, judge: impl Fn(&R) -> Result<(), String>) -> u64 {
    for n in 1.. {
        REQUESTS.store(0, Ordering::SeqCst);
        REFUSED.store(n, Ordering::SeqCst);
        let result = search();
        REFUSED.store(0, Ordering::SeqCst);
        if let Err(why) = judge(&result) {
            panic!("request {n} was refused: {why}");
        }
        if REQUESTS.load(Ordering::SeqCst) < n {
            return n - 1;
        }
    }
    unreachable!("there are as many requests as numbers")
}

fn judge_safety(result: &SearchResult) -> Result<(), String> {
    match (result.verdict, result.incomplete) {
        (Verdict::Holds, None) if result.states >= 40_000 => Ok(()),
        (Verdict::Incomplete, Some(Incomplete::Memory)) => Ok(()),
        other => Err(format!("{other:?} after {} states", result.states)),
    }
}

fn judge_liveness(result: &LivenessResult) -> Result<(), String> {
    match (result.verdict, result.incomplete) {
        (Verdict::Holds, None) if result.states >= 40_000 => Ok(()),
        (Verdict::Incomplete, Some(Incomplete::Memory)) => Ok(()),
        other => Err(format!("{other:?} after {} states", result.states)),
    }
}

/// One test, since the allocator is one for all threads.
#[test]
fn whichever_large_request_is_refused_the_result_says_so() {
    let model = model();
    let mut requests = 0;
    for (order, threads) in
        [(Order::DepthFirst, 1), (Order::BreadthFirst, 1), (Order::DepthFirst, 2)]
    {
        let options = Options { order, threads, ..Options::default() };
        let machine = || Interpreter::new(Arc::clone(&model));
        let search = || check_safety(machine, &options, &mut |_| {});
        requests += refuse_each(search, judge_safety);
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
        let search = || {
            let machine = Interpreter::new(Arc::clone(&model));
            let automaton = automaton.clone();
            check_liveness(machine, automaton, fairness, emptiness, &options, &mut |_| {})
        };
        requests += refuse_each(search, judge_liveness);
    }
    assert!(requests > 20, "{requests} large requests");
}
