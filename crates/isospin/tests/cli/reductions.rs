//! When partial-order reduction is off, and that the report says so.

use super::support::Folder;

#[test]
fn what_turns_reduction_off_is_said() {
    for (what, text) in [
        ("priorities", "active proctype P() priority 2 { skip }"),
        ("a provided clause", "byte x; active proctype P() provided (x == 0) { skip }"),
        ("_last", "active proctype P() { assert(_last >= 0) }"),
        ("enabled()", "active proctype P() { assert(enabled(_pid)) }"),
    ] {
        let folder = Folder::new();
        folder.write("model.pml", text);
        let run = folder.run(&["check", "model.pml", "-q"]);
        let note = format!("partial-order reduction is off: the model uses {what}.");
        assert!(run.stdout.contains(&note), "{text}: {run:?}");
        let run = folder.run(&["show", "dependencies", "model.pml"]);
        assert!(run.stdout.contains("\n  off: the model "), "{text}: {run:?}");
    }
}

#[test]
fn why_states_were_not_reduced_is_said() {
    let folder = Folder::new();
    folder.write(
        "model.pml",
        "byte x; active proctype P() { x = 1; x = 2 } active proctype Q() { assert(x < 3); x = 2 }",
    );
    let run = folder.run(&["check", "model.pml", "--json", "--no-optimize"]);
    let json = run.json();
    let reasons = &json["reductions"]["not_reduced"];
    let count = |name: &str| reasons[name].as_u64().expect("a count");
    assert!(count("alone") > 0 && count("disturbed") > 0, "{run:?}");
    assert_eq!((count("visible"), count("cycle"), count("unsought")), (0, 0, 0), "{run:?}");
}

#[test]
fn a_truth_value_does_not_pass_for_a_name() {
    let folder = Folder::new();
    folder.write(
        "model.pml",
        "byte x, y;
         active proctype Q() { do :: false od }
         active [3] proctype P() {
           do
           :: atomic { x == 0 -> x = _pid }
           :: atomic { x != 0 -> y = (1 && x) }
           :: assert(!(x == _pid && y != 0 && y != _pid))
           od
         }",
    );
    let run = folder.run(&["check", "model.pml", "-q"]);
    assert!(run.stdout.contains("violated: assertions"), "{run:?}");
}
