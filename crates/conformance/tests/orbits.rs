//! A state an orbit: on every symmetric model there is that is small enough, a canonical strategy
//! stores as many states as the unreduced graph has orbits, counted by brute force from what a
//! person says about the model.
//!
//! `ISOSPIN_CORPUS_STATES` says how large a model may be.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use isospin_analysis::optimize::Optimizations;
use isospin_conformance::brute::Space;
use isospin_conformance::described::{orbits, Description};
use isospin_conformance::isospin::read_model;
use isospin_machine::Interpreter;
use isospin_model::Model;
use isospin_search::{check_safety, Options, SearchResult};
use isospin_symmetry::{prepare, Strategy};
use serde_json::Value;

/// Where names are in each model.
const DESCRIPTIONS: &[(&str, &str)] = &[
    ("classics/aba-stack.pml", ""),
    ("classics/bounded-buffer.pml", ""),
    ("classics/dekker.pml", "wants[P] turn=P P.other=P"),
    ("classics/mutex-bug.pml", ""),
    ("classics/paxos.pml", ""),
    ("classics/peterson.pml", "flag[P] turn=P P.other=P"),
    ("classics/philosophers-deadlock.pml", "fork[Philosopher]"),
    (
        "classics/raft-election.pml",
        "inbox[Server]{ask:_,Server;vote:_,Server} Server.voted=Server Server.who=Server",
    ),
    ("classics/readers-writers.pml", ""),
    (
        "symmetry/base-station-channels.pml",
        "base{want_channel:Sender,Receiver;any_message:Receiver,_;back_from_sender:Sender,_;\
         back_from_receiver:Receiver,_} to_sender[Sender] to_receiver[Receiver] radio[_](Receiver)
         Sender.me=Sender Sender.to=Receiver Receiver.me=Receiver Receiver.addressee=Receiver
         Base.for_whom[_]=Receiver",
    ),
    (
        "symmetry/base-station-shared.pml",
        "caller=Mobile wanted=Mobile sender[_]=Mobile receiver[_]=Mobile air[_]=Mobile
         Mobile.me=Mobile Mobile.to=Mobile",
    ),
    ("symmetry/lockers.pml", "owner[Locker]=Guest Visitor.mine=Locker Visitor.me=Guest"),
    (
        "symmetry/database-manager.pml",
        "inbox[Manager] done[Manager] Manager.me=Manager Manager.j=Manager",
    ),
    ("symmetry/fair-cycle.pml", "owner=P P.me=P P.you=P"),
    (
        "symmetry/initialization.pml",
        "up[Component] over[Component] heard[Component].from[Component] Component.me=Component
         Component.q=Component CoComponent.me=Component CoComponent.q=Component",
    ),
    ("symmetry/peterson-n.pml", "flag[P] turn[_]=P P.me=P P.j=P"),
    ("symmetry/controller.pml", "critical[Client]"),
    ("symmetry/resource-controller.pml", "state[Client] Server.c=Client"),
    ("symmetry/ring-colouring.pml", "colour[P]"),
    ("timed/dt/fischer.pml", "turn=P P.me=P"),
    ("timed/dt/train-gate.pml", ""),
    ("timed/fischer.pml", "clock[P] turn=P P.me=P Timers.i=P"),
    ("timed/train-gate.pml", "train_clock[Train] Train.me=Train Timers.i=Train"),
    ("spin/Exercises/ex_3a.pml", "b[p] p.k=p p.i=p p.j=p"),
    ("spin/Exercises/ex_3b.pml", "flag[user] turn=user"),
    ("spin/Exercises/ex_3c.pml", "x=user y=user z=user user.me=user"),
    ("spin/LTL/bakery.pml", "turn[P] P.i=P"),
    (
        "spin/LTL/train.pml",
        "t[train] g{appr:train;leave:train} list(train) gate.who=train queue.who=train
         queue.x=train",
    ),
    ("spin/peterson.pml", "flag[user] turn=user"),
    ("spin/manna_pnueli.pml", "request=client respond=client"),
    ("case-studies/Samples/p105.1.pml", ""),
    ("case-studies/jspin-examples/sem-busy.pml", ""),
    ("case-studies/jspin-examples/sem-ch.pml", ""),
];

/// All models of a list, each with its states as Spin counts them.
fn models(root: &Path) -> Vec<(String, u64)> {
    let Ok(text) = std::fs::read_to_string(root.join("expected.json")) else {
        println!("skipped: there is nothing at {}", root.display());
        return Vec::new();
    };
    let expected: Value = serde_json::from_str(&text).expect("expected.json is JSON");
    let models = expected["models"].as_array().expect("a list of models").clone();
    let one = |m: Value| {
        let states = m["full"]["states"].as_u64().unwrap_or(u64::MAX);
        Some((m["model"].as_str()?.to_owned(), states))
    };
    models.into_iter().filter_map(one).collect()
}

fn search(model: &Arc<Model>, options: Options) -> SearchResult {
    let options = Options { errors: 0, trails: 0, ..options };
    check_safety(|| Interpreter::new(Arc::clone(model)), &options, &mut |_| {})
}

/// Compares states with orbits; says how many states and orbits there are.
fn compare(model: &Model, which: Optimizations, described: &str) -> Result<(u64, u64), String> {
    let prepared = prepare(model, &[], Some(which));
    let Some(symmetry) = prepared.detection.symmetry else { return Ok((0, 0)) };
    let plain = search(&prepared.model, Options::default());
    let space =
        Space::explore(&prepared.model, plain.states.max(1_000) as usize).ok_or("too large")?;
    if space.states.len() as u64 != plain.states {
        return Err(format!("{} states, and {} by hand", plain.states, space.states.len()));
    }
    let description = Description::new(described);
    let orbits = orbits(&prepared.model, &space, &symmetry, &description);
    let orbits = orbits.ok_or("too many permutations")? as u64;
    for strategy in [Strategy::Full, Strategy::Segmented, Strategy::Refined] {
        let symmetry = Some((Arc::clone(&symmetry), strategy));
        let reduced = search(&prepared.model, Options { symmetry, ..Options::default() });
        if reduced.states != orbits || !reduced.symmetry {
            let (states, how) = (reduced.states, strategy.name());
            return Err(format!("{how}: {states} states stored, and there are {orbits} orbits"));
        }
    }
    Ok((plain.states, orbits))
}

#[test]
fn every_symmetric_model_has_a_state_an_orbit() {
    let usual = if cfg!(debug_assertions) { 300 } else { 60_000 };
    let limit = std::env::var("ISOSPIN_CORPUS_STATES").ok().and_then(|n| n.parse().ok());
    let limit = limit.unwrap_or(usual);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // Time that passes in jumps leaves states out, of an orbit some and not others.
    let jumps = Optimizations { jumps: false, ..Optimizations::ALL };
    let (mut wrong, mut compared) = (Vec::new(), 0);
    let lists: [PathBuf; 2] = [root.join("models"), root.join("../shared/corpus")];
    for list in &lists {
        for (name, _) in models(list).into_iter().filter(|(_, states)| *states <= limit) {
            let Ok(model) = read_model(&list.join(&name)) else { continue };
            if prepare(&model, &[], Some(jumps)).detection.symmetry.is_none() {
                continue;
            }
            let Some((_, described)) = DESCRIPTIONS.iter().find(|d| d.0 == name) else {
                wrong.push(format!("{name}: nobody has described it"));
                continue;
            };
            for (how, which) in [("optimised", jumps), ("as written", Optimizations::NONE)] {
                match compare(&model, which, described) {
                    Ok((0, _)) => println!("{name}, {how}: not symmetric"),
                    Ok((states, orbits)) => {
                        compared += 1;
                        println!("{name}, {how}: {states} states, {orbits} orbits");
                    }
                    Err(why) => wrong.push(format!("{name}, {how}: {why}")),
                }
            }
        }
    }
    println!("{compared} graphs of at most {limit} states compared");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 0, "nothing was compared");
}
