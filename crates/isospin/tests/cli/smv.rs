//! SMV models through every command.

use super::support::{expect, Folder};

const COUNTER: &str = "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0; next(x) := (x + 1) mod 4;\n\
    SPEC AG AF x = 0\nINVARSPEC x != 2\nLTLSPEC NAME back := G F x = 1\nCOMPUTE MIN [x = 0, x = 3]\n";

fn folder(text: &str) -> Folder {
    let folder = Folder::new();
    folder.write("m.smv", text);
    folder
}

#[test]
fn every_specification_has_its_verdict_and_the_status_tells_the_worst() {
    let folder = folder(COUNTER);
    let run = folder.run(&["check", "m.smv"]);
    assert_eq!(run.status, 1, "{run:?}");
    for line in ["ctl-1            holds", "invariant-1      violated", "back             holds"] {
        assert!(run.stdout.contains(line), "{line}: {}", run.stdout);
    }
    assert!(run.stdout.contains("reachable        4"), "{}", run.stdout);
    assert_eq!(folder.run(&["check", "m.smv", "--property", "back"]).status, 0);
    assert_eq!(folder.run(&["check", "m.smv", "--property", "nothing"]).status, 2);
}

#[test]
fn scripts_get_kinds_counts_and_values() {
    for engine in ["symbolic", "explicit"] {
        let run = folder(COUNTER).run(&["check", "--json", "--engine", engine, "m.smv"]);
        let json = run.json();
        assert_eq!(json["reachable"], "4");
        assert_eq!(json["diameter"], 4);
        let kinds: Vec<&str> = json["properties"]
            .as_array()
            .unwrap()
            .iter()
            .map(|p| p["kind"].as_str().unwrap())
            .collect();
        assert_eq!(kinds, ["ctl", "invariant", "ltl", "compute"]);
        assert_eq!(json["properties"][1]["verdict"], "violated");
        assert_eq!(json["properties"][1]["trace"]["states"].as_array().unwrap().len(), 3);
        assert_eq!(json["properties"][3]["value"], "3");
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let cases = [
        ("MODULE main VAR x : boolean; ASSIGN next(x) := 1;", "the variable is a truth value"),
        ("MODULE main VAR x : 0..3; ASSIGN next(x) := x + 1;", "outside the values 0..3 of `x`"),
        ("MODULE main VAR x : 0..3; INIT case x = 1 : TRUE; esac", "no condition of this case"),
        ("MODULE main VAR x : 0..3; INIT 4 / x = 1", "the divisor is zero"),
        ("MODULE main VAR a : array 0..1 of boolean; i : 0..2; INIT a[i]", "outside the bounds"),
        ("MODULE main VAR x : real;", "infinite domain"),
        ("MODULE main\nSPEC", "expected an expression"),
    ];
    for (text, expected) in cases {
        let run = folder(text).run(&["check", "m.smv"]);
        assert_eq!(run.status, 2, "{run:?}");
        assert!(run.stderr.contains(expected) && run.stderr.contains("m.smv:"), "{run:?}");
    }
}

#[test]
fn a_search_that_is_cut_short_is_undecided() {
    let run = folder(COUNTER).run(&["check", "m.smv", "--time", "0s"]);
    assert_eq!(run.status, 3, "{run:?}");
}

#[test]
fn the_old_dialect_has_a_hint_and_an_option() {
    let folder = folder("MODULE main VAR x : boolean; ASSIGN init(x) := 0; SPEC EF x");
    let run = folder.run(&["check", "m.smv"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("--old-booleans"), "{run:?}");
    assert_eq!(folder.run(&["check", "m.smv", "--old-booleans"]).status, 0);
}

#[test]
fn an_order_can_be_written_and_read() {
    let folder = folder(COUNTER);
    folder.run(&["check", "m.smv", "--write-order", "order"]);
    assert_eq!(folder.read("order"), "x.1\nx.0\n");
    folder.write("order", "x.0\nx.1\n");
    assert_eq!(folder.run(&["check", "m.smv", "--order", "order"]).status, 1);
    folder.write("order", "y\n");
    assert_eq!(folder.run(&["check", "m.smv", "--order", "order"]).status, 2);
}

#[test]
fn executions_can_be_looked_at_as_waves() {
    let folder = folder(COUNTER);
    folder.run(&["check", "m.smv", "--vcd", "m.vcd"]);
    let text = folder.read("m.vcd");
    assert!(text.contains("$var integer 32 ! x $end") && text.contains("#2\nb10 !"), "{text}");
}

#[test]
fn a_state_without_successor_is_told() {
    let run = folder("MODULE main VAR x : boolean; INIT x TRANS x & !next(x) SPEC AG TRUE")
        .run(&["check", "m.smv"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.stdout.contains("state without successor"), "{run:?}");
}

#[test]
fn what_is_for_processes_is_refused() {
    let folder = folder(COUNTER);
    assert_eq!(folder.run(&["check", "m.smv", "--fair", "weak"]).status, 2);
    assert_eq!(folder.run(&["check", "m.smv", "--ltl", "[] p"]).status, 2);
}

#[test]
fn the_same_seed_simulates_the_same_execution() {
    let folder = folder("MODULE main VAR x : 0..9;");
    let one = folder.run(&["sim", "m.smv", "--seed", "7", "--steps", "5"]);
    let two = folder.run(&["sim", "m.smv", "--seed", "7", "--steps", "5"]);
    assert_eq!((one.status, &one.stdout), (0, &two.stdout));
    assert!(folder.run(&["show", "model", "m.smv"]).stdout.contains("state v0 \"x\" : 0..9"));
}

#[test]
fn a_violation_leaves_a_trail_that_is_judged_and_shown() {
    let folder = folder(COUNTER);
    let run = folder.run(&["check", "--json", "m.smv"]);
    assert_eq!(run.json()["properties"][1]["trail"], "m.smv.trail.json");
    let replay = folder.run(&["replay", "m.smv.trail.json", "--vcd", "t.vcd"]);
    assert_eq!(replay.status, 0, "{replay:?}");
    assert!(replay.stdout.contains("invariant-1 violated: x != 2"), "{replay:?}");
    assert!(folder.read("t.vcd").contains("#2"));
    // A trail is not believed: another value is no transition, or no value at all.
    let text = folder.read("m.smv.trail.json");
    for (from, to, why) in [
        ("\"x\": \"1\"", "\"x\": \"3\"", "there is no transition from state 1"),
        ("\"x\": \"1\"", "\"x\": \"9\"", "`9` is no value of `x`"),
        ("\"invariant-1\"", "\"ctl-1\"", "it does not violate"),
        ("\"invariant-1\"", "\"nothing\"", "no specification `nothing`"),
    ] {
        folder.write("wrong.json", &text.replacen(from, to, 1));
        let run = folder.run(&["replay", "m.smv", "wrong.json"]);
        assert_eq!(run.status, 2, "{run:?}");
        assert!(run.stderr.contains(why), "{why}: {run:?}");
    }
    folder.write("m.smv", &COUNTER.replace("x != 2", "x != 3"));
    assert_eq!(folder.run(&["replay", "m.smv.trail.json"]).status, 2);
    assert_eq!(folder.run(&["check", "m.smv", "--no-trail", "--trail-size", "10"]).status, 1);
}

#[test]
fn a_lasso_can_be_replayed() {
    let folder = folder("MODULE main VAR x : boolean; y : boolean; FAIRNESS y LTLSPEC F x");
    assert_eq!(folder.run(&["check", "m.smv"]).status, 1);
    let run = folder.run(&["replay", "m.smv.trail.json"]);
    assert!(run.status == 0 && run.stdout.contains("back to state"), "{run:?}");
}

#[test]
fn a_program_gets_an_object_of_a_refused_model() {
    for text in ["MODULE main VAR x : boolean; INIT y", "MODULE main VAR x : 0..3; INIT 4 / x = 1"]
    {
        let run = folder(text).run(&["check", "--json", "m.smv"]);
        assert_eq!(run.status, 2);
        let json = run.json();
        assert_eq!(json["verdict"], "refused");
        assert!(json["diagnostics"][0]["location"].as_str().unwrap().starts_with("m.smv:1:"));
    }
}

#[test]
fn a_deadlock_that_leaves_nothing_to_ask_is_told_with_the_property() {
    let text =
        "MODULE main VAR x : boolean; INIT x TRANS x & !next(x) SPEC AF FALSE INVARSPEC TRUE";
    let folder = folder(text);
    let run = folder.run(&["check", "m.smv"]);
    assert!(run.stdout.contains("nothing is asked of any: ctl-1"), "{run:?}");
    let json = folder.run(&["check", "--json", "m.smv"]).json();
    assert_eq!(json["properties"][0]["vacuous"], true);
    assert_eq!(json["properties"][1]["vacuous"], false);
}

#[test]
fn every_strategy_finds_the_same_states() {
    let text = "MODULE cell(left) VAR b : boolean; ASSIGN init(b) := FALSE; next(b) := !left;\n\
        MODULE main VAR p : process cell(r.b); q : process cell(p.b); r : process cell(q.b);\n\
        SPEC AG !(p.b & q.b & r.b)";
    let folder = folder(text);
    let of = |strategy: &str| {
        let run = folder.run(&["check", "--json", "--strategy", strategy, "m.smv"]);
        (run.status, run.json()["reachable"].clone(), run.json()["diameter"].is_null())
    };
    let (status, states, unknown) = of("breadth");
    assert!(!unknown);
    for strategy in ["chaining", "saturation"] {
        assert_eq!(of(strategy), (status, states.clone(), true));
    }
    assert_eq!(of("auto"), (status, states, false));
}

#[test]
fn what_depends_on_what_is_shown() {
    let run = folder(COUNTER).run(&["show", "dependencies", "m.smv"]);
    assert!(run.status == 0 && run.stdout.starts_with("x from x\n"), "{run:?}");
}

#[test]
fn a_whole_report_reads_as_expected() {
    let text = COUNTER.to_owned() + "LTLSPEC G (x = 1 -> X x = 3)\nSPEC EX x = 1 & AX x = 2\n";
    let folder = folder(&text);
    expect("smv-check", &folder.run(&["check", "m.smv"]).text());
    expect("smv-json", &folder.run(&["check", "--json", "m.smv"]).text());
    expect("smv-replay", &folder.run(&["replay", "m.smv.trail.json"]).text());
    expect("smv-show", &folder.run(&["show", "model", "m.smv"]).text());
}

#[test]
fn steps_can_be_chosen_by_hand_and_taken_back() {
    let folder = folder(
        "MODULE main VAR x : 0..2; IVAR i : boolean; ASSIGN init(x) := 0; next(x) := i ? (x + 1) mod 3 : x;",
    );
    let run = folder.run_with_input(&["sim", "-i", "m.smv"], "\n2\nu\n1\n?\ns\nq\n");
    expect("smv-interactive", &run.text());
}
