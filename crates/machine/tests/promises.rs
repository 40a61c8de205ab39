//! Promises of exclusive access: what breaks them, in both machines.

mod common;

use std::path::Path;
use std::sync::Arc;

use common::{compare, Bounds, Looked};
use isospin_analysis::optimize::{optimize, Optimizations};
use isospin_promela::Options;

const BOUNDS: Bounds = Bounds { states: 1_000, processes: 255 };

/// Explores a model with both machines, as written and optimised, and says which promises are
/// broken in it.
fn broken(text: &str) -> Vec<String> {
    let mut file = |_: &Path| Ok(text.as_bytes().to_vec());
    let reading = isospin_promela::read(Path::new("model.pml"), &Options::default(), &mut file);
    let model = reading.into_model().expect("a model");
    let mut optimized = model.clone();
    optimize(&mut optimized, &[], Optimizations::ALL);
    let faults = |model| -> Vec<String> {
        let Looked { faults, interpreted, .. } = compare(Arc::new(model), BOUNDS).expect("agree");
        assert_eq!(interpreted, 0);
        faults.into_iter().collect()
    };
    let found = faults(model);
    assert_eq!(found, faults(optimized));
    found
}

#[test]
fn a_promise_that_is_kept_is_no_error() {
    let text = "
        chan q = [2] of { byte };
        active proctype Sender() { xs q; do :: nfull(q) -> q!1 od }
        active proctype Receiver() { xr q; byte x; do :: q??[1] -> q?x :: q?<x> od }
        active proctype Watcher() { do :: len(q) == 2 && q?[1] && nempty(q) od }";
    assert_eq!(broken(text), [""; 0]);
}

#[test]
fn every_kind_of_receive_breaks_a_promise() {
    for receive in ["q?x", "q??x", "q?<x>", "q??<x>", "d_step { x = 1; q?x }"] {
        let text = format!(
            "chan q = [1] of {{ byte }};
            active proctype Receiver() {{ byte x; xr q; do :: q?x od }}
            active proctype Other() {{ byte x; q!1; {receive} }}"
        );
        let found = broken(&text);
        assert!(found.iter().any(|f| f == "ExclusiveReceive"), "{receive}: {found:?}");
        assert!(!found.iter().any(|f| f == "ExclusiveSend"), "{receive}");
    }
}

#[test]
fn both_kinds_of_send_break_a_promise() {
    for send in ["q!1", "q!!1"] {
        let text = format!(
            "chan q = [1] of {{ byte }};
            active proctype Sender() {{ xs q; do :: q!1 od }}
            active proctype Other() {{ byte x; do :: q?x :: {send} od }}"
        );
        assert_eq!(broken(&text), ["ExclusiveSend"], "{send}");
    }
}

#[test]
fn what_only_waits_breaks_nothing() {
    let text = "
        chan q = [1] of { byte };
        chan r = [0] of { byte };
        active proctype Owner() { byte x; xr q; xs r; (x == 1) -> q?x; r!1 }
        active proctype Other() { byte x; do :: q?x :: r!1 od }";
    assert_eq!(broken(text), [""; 0]);
}

#[test]
fn both_sides_of_a_rendezvous_count() {
    let kept = "
        chan q = [0] of { byte };
        active proctype Sender() { xs q; do :: q!1 od }
        active proctype Receiver() { xr q; byte x; do :: q?x od }";
    assert_eq!(broken(kept), [""; 0]);
    let text = |promise: &str, receives: &str| {
        format!(
            "chan q = [0] of {{ byte }};
            active proctype Owner() {{ {promise} q; byte x; (x == 1) -> q!x }}
            active proctype Sender() {{ do :: q!1 od }}
            active proctype Receiver() {{ byte x; do :: {receives} od }}"
        )
    };
    assert_eq!(broken(&text("xs", "q?x")), ["ExclusiveSend"]);
    assert_eq!(broken(&text("xr", "q?x")), ["ExclusiveReceive"]);
    assert_eq!(broken(&text("xr", "d_step { q?x; x = 0 }")), ["ExclusiveReceive"]);
}

#[test]
fn a_promise_is_about_the_channel_that_the_variable_names() {
    // Each instance has its own channel; the local channel is sent to the other.
    let text = |other: &str| {
        format!(
            "chan a = [1] of {{ byte }};
            chan b = [1] of {{ byte }};
            chan pass = [1] of {{ chan }};
            proctype Node(chan in, out) {{ xr in; xs out; byte x; do :: out!1 :: in?x od }}
            proctype Maker() {{ chan own = [1] of {{ byte }}; xr own; byte x; pass!own; own?x; (x == 7) }}
            active proctype Taker() {{ chan c; pass?c; {other} }}
            init {{ atomic {{ run Node(a, b); run Node(b, a); run Maker() }} }}"
        )
    };
    assert_eq!(broken(&text("c!1")), [""; 0]);
    assert_eq!(broken(&text("byte x; c!1; c?x")), ["ExclusiveReceive"]);
}

#[test]
fn a_promise_ends_with_its_process() {
    let over = "
        chan q = [1] of { byte };
        proctype Owner() { xr q; byte x; q?x }
        active proctype Other() { byte x; run Owner(); q!1; (_nr_pr == 1) -> q!1; q?x }";
    assert_eq!(broken(over), [""; 0]);
    let lasting = "
        chan q = [1] of { byte };
        proctype Owner() { xr q; byte x; q?x; (x == 0) }
        active proctype Other() { byte x; run Owner(); q!1; q!1; q?x }";
    assert_eq!(broken(lasting), ["ExclusiveReceive"]);
}

#[test]
fn a_claim_follows_its_variable() {
    let text = "
        chan a = [1] of { byte };
        chan b = [1] of { byte };
        byte turn;
        active proctype Owner() { chan c = a; xr c; c = b; turn = 1; (turn == 2) }
        active proctype Other() { byte x; a!1; b!1; (turn == 1) -> a?x; BOTH }";
    assert_eq!(broken(&text.replace("BOTH", "skip")), [""; 0]);
    assert_eq!(broken(&text.replace("BOTH", "b?x")), ["ExclusiveReceive"]);
}
