//! SMV models through every command.

use super::support::Folder;

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
