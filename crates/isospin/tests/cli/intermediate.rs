//! Models in IF.

use super::support::Folder;

/// A model of ours.
fn ours(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/if");
    std::fs::read_to_string(path.join(name)).expect("it can be read")
}

fn with(name: &str, text: &str) -> Folder {
    let folder = Folder::new();
    folder.write(name, text);
    folder
}

const EXCLUSION: &str = "[] !({rival}0@inside && {rival}1@inside)";

#[test]
fn a_timed_model_holds_and_its_mutant_has_a_trail_that_replays() {
    let folder = with("m.if", &ours("mutex.if"));
    let run = folder.run(&["check", "m.if", "--ltl", EXCLUSION]);
    assert_eq!(run.status, 0, "{run:?}");
    folder.write("m.if", &ours("mutex.if").replace("PAUSE = 1", "PAUSE = 0"));
    for more in [&[][..], &["--exact"], &["--no-por"], &["--no-symmetry"]] {
        let run = folder.run(&[&["check", "m.if", "--ltl", EXCLUSION], more].concat());
        assert_eq!(run.status, 1, "{more:?}: {run:?}");
        assert!(run.stdout.contains("{rival}0"), "{more:?}: {run:?}");
        let replayed = folder.run(&["replay", "m.if.trail.json"]);
        assert_eq!(replayed.status, 0, "{more:?}: {replayed:?}");
    }
}

#[test]
fn verdicts_and_states_do_not_depend_on_the_machine() {
    for name in ["mutex.if", "courier.if", "workers.if"] {
        let folder = with("m.if", &ours(name));
        let found = ["native", "interpreter"].map(|machine| {
            let args = ["check", "m.if", "--exact", "--no-trail", "--json", "--machine", machine];
            let run = folder.run(&args);
            assert!(run.status < 2, "{name}: {run:?}");
            (run.status, run.json()["states"].clone(), run.json()["transitions"].clone())
        });
        assert_eq!(found[0], found[1], "{name}");
    }
}

#[test]
fn processes_that_come_and_go_end_well() {
    let folder = with("m.if", &ours("workers.if"));
    let run = folder.run(&["check", "m.if"]);
    assert_eq!(run.status, 0, "{run:?}");
    let run = folder.run(&["check", "m.if", "--instances", "1"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stdout.contains("--instances"), "{run:?}");
}

#[test]
fn a_full_buffer_says_which_option_makes_room() {
    let text = "system s;\nsignal a();\nprocess p(1);\nstate s #start ;\n\
                output a() to {q}0;\nnextstate s;\nendstate;\nendprocess;\n\
                process q(1);\nstate t #start ;\nendstate;\nendprocess;\nendsystem;\n";
    let run = with("m.if", text).run(&["check", "m.if", "--buffer", "3"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stdout.contains("room for 3 signals (see --buffer)"), "{run:?}");
}

#[test]
fn what_is_wrong_is_said_and_the_status_is_2() {
    let text = "system s;\nprocess p(1);\nvar x real;\nstate a #start ;\n\
                task y := 1;\nnextstate b;\nendstate;\nendprocess;\nendsystem;\n";
    let run = with("m.if", text).run(&["check", "m.if"]);
    assert_eq!(run.status, 2, "{run:?}");
    for sentence in ["type real are not supported", "no variable `y`", "no state `b`"] {
        assert!(run.stderr.contains(sentence), "{sentence}: {run:?}");
    }
    let folder = with("m.if", &ours("mutex.if"));
    let run = folder.run(&["check", "m.if", "--ltl", "[] {rival}0@insid"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.contains("did you mean `inside`?"), "{run:?}");
}

#[test]
fn the_environment_is_open_closed_or_played() {
    let folder = with("m.if", &ours("courier.if"));
    let states = |more: &[&str]| {
        let args = ["check", "m.if", "--exact", "--no-trail", "--json", "--safety"];
        let run = folder.run(&[&args, more].concat());
        assert!(run.status < 2, "{run:?}");
        run.json()["states"].as_u64().expect("a number")
    };
    folder.write(
        "env.if",
        "system e;\nprocess customer(1);\nstate once #start ;\n\
         output order(2) via {orders}0 to {sender}0;\nnextstate gone;\nendstate;\n\
         state gone;\nendstate;\nendprocess;\nendsystem;\n",
    );
    let (open, closed) = (states(&[]), states(&["--closed"]));
    let (played, fewer) = (states(&["--environment", "env.if"]), states(&["--open-ranges"]));
    assert!(closed < played && played < open && fewer < open, "{open} {closed} {played} {fewer}");
}

#[test]
fn a_slice_says_what_matters() {
    let folder = with("m.if", &ours("courier.if"));
    let run = folder.run(&["show", "slice", "m.if"]);
    assert_eq!(run.status, 0, "{run:?}");
    let (kept, dropped) = run.stdout.split_once("It does not depend on").expect("both lists");
    assert!(kept.contains("parameter 2 of signal parcel"), "{run:?}");
    assert!(dropped.contains("parameter 1 of signal parcel"), "{run:?}");
    let run = folder.run(&["show", "slice", "m.if", "--of", "<> ({receiver}0.w = 2)"]);
    assert!(run.stdout.starts_with("It depends on:"), "{run:?}");
    let (kept, _) = run.stdout.split_once("It does not depend on").expect("both lists");
    assert!(kept.contains("parameter 1 of signal parcel"), "{run:?}");
}

#[test]
fn a_system_is_simulated() {
    let folder = with("m.if", &ours("workers.if"));
    let run = folder.run(&["sim", "m.if", "--seed", "3", "-p", "--steps", "40"]);
    assert!(run.status < 2, "{run:?}");
    assert!(run.stdout.contains("{worker}0"), "{run:?}");
}
