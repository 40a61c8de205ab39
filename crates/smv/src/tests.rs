//! Models in, relations or diagnostics out.

use super::*;
use isospin_relation::interpret::Interpreter;
use isospin_relation::verify::verify;

fn reading(text: &str) -> Reading {
    read(Path::new("m.smv"), text.as_bytes().to_vec(), &Options::default())
}

/// The number of reachable states, and of steps to the last of them.
fn check(text: &str) -> (usize, u32) {
    let reading = reading(text);
    let relation = reading.relation.unwrap_or_else(|| panic!("{:?}", reading.diagnostics));
    verify(&relation).unwrap();
    let states = Interpreter::new(&relation).reachable(10_000).unwrap();
    (states.len(), states.last().map_or(0, |(_, distance)| *distance))
}

fn refused(text: &str) -> String {
    let reading = reading(text);
    assert!(reading.relation.is_none(), "accepted: {text}");
    reading.diagnostics[0].message.clone()
}

#[test]
fn a_counter_counts() {
    let text = "MODULE main VAR x : 0..3; ASSIGN init(x) := 0;
        next(x) := case x < 3 : x + 1; TRUE : 0; esac;";
    assert_eq!(check(text), (4, 3));
}

#[test]
fn instances_share_what_they_are_given() {
    let text = "MODULE bit(carry) VAR v : boolean; DEFINE out := v & carry;
        ASSIGN init(v) := FALSE; next(v) := v xor carry;
        MODULE main VAR a : bit(TRUE); b : bit(a.out);";
    assert_eq!(check(text), (4, 3));
}

#[test]
fn processes_move_one_at_a_time() {
    let text = "MODULE p VAR v : boolean; ASSIGN init(v) := FALSE; next(v) := !v;
        MODULE main VAR a : process p; b : process p;";
    assert_eq!(check(text), (4, 2));
}

#[test]
fn inputs_belong_to_no_state_and_frozen_variables_stay() {
    let text = "MODULE main VAR x : boolean; IVAR i : boolean; FROZENVAR f : 0..2;
        ASSIGN init(x) := FALSE; next(x) := i;";
    assert_eq!(check(text), (6, 1));
}

#[test]
fn elements_are_picked_by_expressions() {
    let text = "MODULE main VAR a : array 0..1 of boolean; i : 0..1;
        INIT a[0] & !a[1]; TRANS next(i) != i & next(a[0]) = a[0] & next(a[1]) = a[1];
        INVAR a[i] | i = 1;";
    assert_eq!(check(text), (2, 0));
}

#[test]
fn what_is_wrong_is_said() {
    let cases = [
        ("MODULE main VAR x : boolean; ASSIGN next(x) := 1;", "the variable is a truth value"),
        ("MODULE main VAR x : boolean; ASSIGN x := TRUE; init(x) := TRUE;", "the initial value"),
        ("MODULE main DEFINE a := b; b := a;", "`a` is defined by itself"),
        ("MODULE main VAR x : {a, b}; INIT x = 1;", "`=` cannot be applied"),
        ("MODULE main VAR x : boolean; SPEC G x", "`G` is an operator of linear time"),
        ("MODULE main VAR x : boolean; LTLSPEC AG x", "`AG` is an operator of branching"),
        ("MODULE main VAR x : integer;", "`integer` has an infinite domain"),
        ("MODULE main VAR x : y;", "there is no module called `y`"),
        ("MODULE m VAR x : m; MODULE main VAR x : m;", "the module `m` contains itself"),
        ("MODULE main VAR x : boolean; y : boolean; ASSIGN x := y; y := x;", "the value of"),
        ("MODULE main VAR x : 3..1;", "the range 3..1 is empty"),
    ];
    for (text, expected) in cases {
        let message = refused(text);
        assert!(message.starts_with(expected), "{text}: {message}");
    }
}

#[test]
fn deep_nesting_is_a_sentence() {
    let deep = format!("MODULE main INIT {}TRUE{}", "(".repeat(50_000), ")".repeat(50_000));
    assert_eq!(refused(&deep), "this is nested too deeply");
    let long = format!("MODULE main VAR x : boolean; INIT x{}", " & x".repeat(15_000));
    assert!(reading(&long).relation.is_some());
}

#[test]
fn the_old_dialect_is_accepted_where_it_is_asked_for() {
    let text = "MODULE main VAR x : boolean; ASSIGN init(x) := 0; next(x) := case 1 : {0,1}; esac;";
    assert!(refused(text).contains("truth value"));
    let options = Options { old_booleans: true, ..Options::default() };
    assert!(read(Path::new("m.smv"), text.as_bytes().to_vec(), &options).relation.is_some());
}
