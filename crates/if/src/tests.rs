//! What is read, and what is said about what is wrong.

use std::path::{Path, PathBuf};

use isospin_model::text;

use crate::{read, Choices, Reading};

fn reading(source: &str) -> Reading {
    read(Path::new("m.if"), source.as_bytes().to_vec(), None, &[], &Choices::default())
}

/// The messages about a text, each with its line.
fn messages(source: &str) -> Vec<String> {
    let reading = reading(source);
    let told = reading.diagnostics.iter().map(|d| {
        let help = d.help.as_ref().map_or(String::new(), |h| format!(" ({h})"));
        format!("{}: {}{help}", reading.sources.location(d.span).line, d.message)
    });
    told.collect()
}

/// A system with this in a process's only state.
fn in_state(declarations: &str, transition: &str) -> String {
    format!(
        "system s;\nsignal a(integer);\nsignal b();\nprocess p(2);\n{declarations}\n\
         state s #start ;\n{transition}\nendstate;\nendprocess;\nendsystem;\n"
    )
}

#[track_caller]
fn refused(declarations: &str, transition: &str, expected: &str) {
    let found = messages(&in_state(declarations, transition));
    assert!(found.iter().any(|m| m.contains(expected)), "{expected}: {found:#?}");
}

#[test]
fn what_is_wrong_is_said_with_advice() {
    refused("var x integer;", "task y := 1; nextstate s;", "there is no variable `y`");
    refused("var count integer;", "task cuont := 1; nextstate s;", "did you mean `count`?");
    refused("", "input c(); nextstate s;", "there is no signal `c`");
    refused("", "nextstate t;", "there is no state `t`");
    refused("", "output a() to {p}0; nextstate s;", "`a` has 1 parameters, and 0 are given");
    refused("", "input a(); nextstate s;", "`a` has 1 parameters, and 0 are taken");
    refused(
        "var x boolean;",
        "task x := 3; nextstate s;",
        "a truth value is needed here, not an integer",
    );
    refused("var r range 0 .. 3;", "task r := 7; nextstate s;", "7 is outside the range 0 .. 3");
    refused("var c clock;", "task c := 1; nextstate s;", "a clock is set");
    refused("var c clock; var x integer;", "when c < x; nextstate s;", "it cannot be cut off");
    refused("", "deadline late; nextstate s;", "there is no deadline `late`");
    refused("var q pid;", "task q.x := 1; nextstate s;", "what kind of process");
    refused("var v integer;", "task ({p}1).v := 1; nextstate s;", "private variable");
    refused("", "forall i range 0 .. 1 : nextstate s;", "use `exists`");
    refused("", "save b; input b(); nextstate s;", "cannot take it");
}

#[test]
fn what_is_not_supported_is_refused_in_a_sentence() {
    refused("var x real;", "nextstate s;", "numbers of type real are not supported");
    refused("type t = tree[1,2] of integer;", "nextstate s;", "trees are not supported");
    refused("type t = abstract integer f(); endabstract;", "nextstate s;", "abstract types");
    refused("procedure f; {# int x; #} endprocedure;", "nextstate s;", "C text");
    refused("", "priority 1; nextstate s;", "priorities of transitions are not supported");
}

#[test]
fn several_things_are_wrong_at_once() {
    let found = messages(&in_state("var x integer\nvar y boolean;", "task x = 1; nextstate u;"));
    assert!(found.len() >= 2, "{found:#?}");
    let found =
        messages("system s;\nprocess p(1);\nstate a;\nnextstate a;\nendstate;\nendprocess;\n");
    let missing = found.iter().any(|m| m.contains("endsystem"));
    assert!(missing, "{found:#?}");
    let found =
        messages("system s; process p(1); state a #start; endstate; endprocess; endsystem;");
    assert!(found[0].contains("needs a blank"), "{found:#?}");
}

#[test]
fn nothing_is_too_deep() {
    let deep = format!("task x := {}1{}; nextstate s;", "(".repeat(5000), ")".repeat(5000));
    refused("var x integer;", &deep, "nested more than");
    let long = format!("task x := 1{}; nextstate s;", " + 1".repeat(5000));
    refused("var x integer;", &long, "more than 2000 operators");
}

/// The files with this end in a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|e| e.path()).collect();
    found.retain(|p| p.extension().is_some_and(|e| e == "if"));
    found.sort();
    found
}

#[track_caller]
fn is_a_model(path: &Path) {
    let bytes = std::fs::read(path).expect("it can be read");
    let reading = read(path, bytes, None, &[], &Choices::default());
    assert!(reading.diagnostics.is_empty(), "{}: {:#?}", path.display(), reading.diagnostics);
    let model = reading.lowered.expect("nothing is wrong").model;
    if let Err(flaw) = model.verify() {
        panic!("{}: {flaw}", path.display());
    }
    let written = text::write(&model);
    match text::read(&written) {
        Ok(again) => assert!(again == model, "{} reads back differently", path.display()),
        Err(error) => panic!("{}: {error:?}\n{written}", path.display()),
    }
}

#[test]
fn our_models_are_models() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/if");
    let found = files(&root);
    assert!(!found.is_empty());
    found.iter().for_each(|path| is_a_model(path));
}

#[test]
fn models_of_others_are_models() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/if");
    if !root.exists() {
        println!("skipped: there are no models of others beside the checkout");
        return;
    }
    for folder in ["models", "semantics"] {
        files(&root.join(folder)).iter().for_each(|path| is_a_model(path));
    }
}
