//! Clusters that the model declares.

use super::support::Folder;

/// Three pairs; the two of a pair share a variable.
const PAIRS: &str = "
byte a, b, c;
active proctype A1() { a = 1; a = 2 }
active proctype A2() { a = 3; a = 4 }
active proctype B1() { b = 1; b = 2 }
active proctype B2() { b = 3; b = 4 }
active proctype C1() { c = 1; c = 2 }
active proctype C2() { c = 3; assert(a != 5) }
";

fn states(text: &str, options: &[&str]) -> u64 {
    let folder = Folder::new();
    folder.write("model.pml", text);
    let mut args = vec!["check", "model.pml", "--json", "--no-optimize", "--threads", "1"];
    args.extend(options);
    let run = folder.run(&args);
    assert_eq!(run.status, 0, "{run:?}");
    run.json()["states"].as_u64().expect("how many states there are")
}

#[test]
fn declared_clusters_are_as_good_as_those_that_are_found() {
    let found = states(PAIRS, &["--por", "cluster"]);
    let declared = format!(
        "{PAIRS} cluster(As, A1, A2[1]) cluster(Bs, B1, B2) cluster(ABs, As, Bs); \
         cluster(Cs, C1, C2)"
    );
    assert!(states(&declared, &["--por", "cluster"]) <= found);
    assert_eq!(states(&declared, &["--por", "process"]), states(PAIRS, &["--por", "process"]));
    assert!(found * 2 < states(PAIRS, &["--no-por"]));
}

#[test]
fn a_declaration_is_not_believed() {
    // Whoever thinks that B does not disturb A is wrong: the assertion fails.
    let text = "
        byte x;
        active proctype A() { x = 1; x = 2; assert(x == 2) }
        active proctype B() { x = 3 }
        cluster(Alone, A) cluster(Also, B)";
    let folder = Folder::new();
    folder.write("model.pml", text);
    for por in ["process", "cluster", "stubborn"] {
        let run = folder.run(&["check", "model.pml", "--por", por]);
        assert_eq!(run.status, 1, "{run:?}");
    }
    let run = folder.run(&["show", "dependencies", "model.pml"]);
    assert!(run.stdout.contains("Alone  A: shares x with others"), "{run:?}");
}

#[test]
fn the_word_is_free_otherwise() {
    let text = "byte cluster; active proctype P() { cluster = 1; assert(cluster == 1) }";
    assert!(states(text, &[]) > 0);
}

#[test]
fn a_wrong_declaration_is_an_error_at_its_place() {
    let cases = [
        ("cluster(One, P, Nobody)", "2:17", "there is no proctype `Nobody`"),
        ("cluster(One, P) cluster(One, Q)", "2:25", "declared a second time"),
        ("cluster(One)", "2:1", "has no members"),
        ("cluster(One, P, Q) cluster(Two, Q, R)", "2:28", "neither contains the other"),
        ("cluster(One, P[300])", "2:16", "a number from 0 to 254"),
        ("cluster(One, P) cluster(Two, One[1])", "2:30", "is a cluster, which has no number"),
    ];
    for (declaration, place, message) in cases {
        let folder = Folder::new();
        let procs = "active proctype P() { skip } active proctype Q() { skip } \
                     active proctype R() { skip }";
        folder.write("model.pml", &format!("{procs}\n{declaration}\n"));
        let run = folder.run(&["check", "model.pml"]);
        assert_eq!(run.status, 2, "{declaration}: {run:?}");
        assert!(run.stderr.contains(message), "{declaration}: {run:?}");
        assert!(run.stderr.contains(&format!("model.pml:{place}")), "{declaration}: {run:?}");
    }
}
