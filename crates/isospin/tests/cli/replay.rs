//! Trails: accepted by the model that they were made from, and by no other.

use super::support::{expect, Folder};

fn with_trail(model: &str) -> Folder {
    let folder = Folder::new();
    assert_eq!(folder.run(&["check", model]).status, 1);
    folder
}

#[test]
fn a_trail_is_followed_to_its_end() {
    for model in ["assertion", "deadlock", "runtime", "include"] {
        let folder = with_trail(&format!("{model}.pml"));
        let trail = format!("{model}.pml.trail.json");
        let run = folder.run(&["replay", &trail]);
        assert_eq!(run.status, 0, "{run:?}");
        expect(&format!("replay-{model}"), &run.text());
        let named = folder.run(&["replay", &format!("{model}.pml"), &trail]);
        assert_eq!(named.stdout, run.stdout);
    }
}

#[test]
fn a_trail_has_a_chart_and_json() {
    let folder = with_trail("deadlock.pml");
    let trail = "deadlock.pml.trail.json";
    expect("replay-chart", &folder.run(&["replay", trail, "--msc"]).text());
    let json = folder.run(&["replay", trail, "--json"]).json();
    assert_eq!(json["fits"], true);
    assert_eq!(json["trail"]["property"]["kind"], "end-state");
    assert_eq!(json["state"]["processes"][0]["proctype"], "A");
}

#[test]
fn a_trail_is_followed_step_by_step() {
    let folder = with_trail("assertion.pml");
    let all = folder.run(&["replay", "assertion.pml.trail.json"]).stdout;
    let args = ["replay", "--step", "assertion.pml.trail.json"];
    assert_eq!(folder.run_with_input(&args, "\n\nc\n").stdout, all);
    let early = folder.run_with_input(&args, "\nq\n").stdout;
    assert!(early.lines().count() < all.lines().count());
    assert!(early.contains("assertions violated"));
}

#[test]
fn a_trail_of_another_model_is_refused() {
    let folder = with_trail("assertion.pml");
    let trail = "assertion.pml.trail.json";
    let run = folder.run(&["replay", "deadlock.pml", trail]);
    refused(&run, "is not the text that it was made from");
    let text = folder.read("assertion.pml");
    folder.write("assertion.pml", &text.replace("+ 1", "+ 2"));
    refused(&folder.run(&["replay", trail]), "is not the text");
}

#[test]
fn a_changed_model_is_tried_when_told_so() {
    let folder = with_trail("assertion.pml");
    let trail = "assertion.pml.trail.json";
    let text = folder.read("assertion.pml");
    folder.write("assertion.pml", &format!("{text}\n/* the same */\n"));
    refused(&folder.run(&["replay", trail]), "--changed");
    let run = folder.run(&["replay", "--changed", trail]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.stderr.contains("is not the text"), "{run:?}");
    folder.write("assertion.pml", &text.replace("+ 1", "+ 2"));
    refused(&folder.run(&["replay", "--changed", trail]), "does something else");
}

#[test]
fn the_model_that_a_trail_chooses_is_said_and_its_text_is_not_shown() {
    let folder = with_trail("assertion.pml");
    let trail = "assertion.pml.trail.json";
    let run = folder.run(&["replay", "--quiet", trail]);
    assert_eq!(run.stderr, "note: as the trail says, the model is assertion.pml\n");
    assert_eq!(folder.run(&["replay", "assertion.pml", trail]).stderr, "");
    folder.write("secret", "a secret { that is no model\n");
    let forged =
        folder.read(trail).replace("\"model\": \"assertion.pml\"", "\"model\": \"secret\"");
    folder.write(trail, &forged);
    let run = folder.run(&["replay", trail]);
    refused(&run, "is not the text");
    assert!(run.stderr.contains("the model is secret"), "{run:?}");
    assert!(!run.stderr.contains("a secret {"), "{run:?}");
    let json = folder.run(&["replay", "assertion.pml", trail, "--json"]).json();
    assert_eq!(json["model_named_by"], "command line");
}

#[test]
fn a_forged_trail_is_refused() {
    let folder = with_trail("assertion.pml");
    let name = "assertion.pml.trail.json";
    let text = folder.read(name);
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.iter().position(|l| l.starts_with("    {\"pid\"")).expect("a step");
    // A step less; two of one process changed over.
    let mut less = lines.clone();
    less.remove(first);
    let mut swapped = lines.clone();
    swapped.swap(first + 2, first + 3);
    let replaced = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    };
    for (forged, why) in [
        (less.join("\n"), "cannot be followed"),
        (swapped.join("\n"), "cannot be followed"),
        (early(&text), "does not show what it claims"),
        (replaced("\"count\":1", "\"count\":2"), "does something else"),
        (replaced("\"kind\": \"assertion\"", "\"kind\": \"end-state\""), "has no property"),
        (
            replaced("\"kind\": \"assertion\"", "\"kind\": \"mystery\""),
            "no kind of property `mystery`",
        ),
        (replaced("\"name\": \"assertions\"", "\"name\": \"end-states\""), "has no property"),
        (replaced("\"message\": \"", "\"message\": \"not "), "what it shows is"),
        (replaced("\"cycle_start\": null", "\"cycle_start\": 1"), "does not close"),
        (replaced("\"cycle_start\": null", "\"cycle_start\": 0"), "starts with step 0"),
        (replaced("\"edge\":0", "\"edge\":99999"), "cannot be taken"),
        ("{}".to_owned(), "is not a trail"),
        (replaced("\"format\": 3", "\"format\": 99"), "format 99"),
        (replaced("\"format\": 3", "\"format\": 2"), "format 2, and this version reads format 3"),
    ] {
        folder.write(name, &forged);
        refused(&folder.run(&["replay", name]), why);
    }
}

/// The trail without its last step.
fn early(text: &str) -> String {
    let mut json: serde_json::Value = serde_json::from_str(text).expect("a trail");
    json["steps"].as_array_mut().expect("steps").pop();
    json.to_string()
}

#[test]
fn a_forged_trail_of_a_formula_is_refused() {
    let folder = Folder::new();
    let model = "byte x; active proctype P() { x = 1; do :: x = 2; x = 3 od } ltl p { <> (x == 9) }
        ltl q { [] (x < 9) }";
    folder.write("f.pml", model);
    let given = ["check", "f.pml", "--ltl", "[] (x != 3)", "--property", "p", "--trail"];
    let trail_of = |name: &str, more: &[&str]| {
        let run = folder.run(&[&given[..], &["t"], more].concat());
        assert_eq!(run.status, 1, "{run:?}");
        let json = run.json();
        let all = json["properties"].as_array().expect("properties").clone();
        let property = all.into_iter().find(|p| p["name"] == name).expect("the property");
        folder.read(property["trail"].as_str().expect("a trail"))
    };
    for name in ["p", "formula"] {
        let text = trail_of(name, &["--json"]);
        folder.write("good", &text);
        let run = folder.run(&["replay", "good"]);
        assert_eq!(run.status, 0, "{run:?}");
        let trail: serde_json::Value = serde_json::from_str(&text).expect("a trail");
        let steps = trail["steps"].as_array().expect("steps").len();
        let start = trail["cycle_start"].as_u64().expect("a cycle");
        let forge = |change: &dyn Fn(&mut serde_json::Value), why: &str| {
            let mut forged = trail.clone();
            change(&mut forged);
            folder.write("forged", &forged.to_string());
            refused(&folder.run(&["replay", "forged"]), why);
        };
        forge(&|t| t["cycle_start"] = serde_json::Value::Null, "does not show what it claims");
        forge(&|t| t["cycle_start"] = (start + 1).into(), "does not close");
        forge(&|t| t["cycle_start"] = (steps + 1).into(), "is said to stay");
        forge(&|t| t["cycle_start"] = (steps + 2).into(), "does not close");
        forge(&|t| t["cycle_start"] = u64::MAX.into(), "does not close");
        forge(&|t| t["property"]["name"] = "nosuch".into(), "has no property `nosuch`");
        forge(&|t| t["property"]["name"] = "q".into(), "does not violate");
        forge(&|t| t["property"]["kind"] = "never".into(), "has no property");
        forge(&|t| t["property"]["kind"] = "progress".into(), "has no property");
        forge(&|t| drop(t["steps"].as_array_mut().map(Vec::pop)), "does not close");
        forge(&|t| t["options"]["fairness"] = "any".into(), "is not a trail");
    }
    let text = trail_of("formula", &["--json"]);
    folder.write("forged", &text.replacen("[] (x != 3)", "[] (x != 4)", 1));
    refused(&folder.run(&["replay", "forged"]), "does not violate");
}

#[test]
fn a_cycle_that_comes_back_too_late_to_be_seen_is_refused() {
    let folder = Folder::new();
    let model = "int x; ltl p { <> (x < 0) }
        active proctype P() { do :: x++ :: x == 1 -> assert(false) od }";
    folder.write("c.pml", model);
    let safety = ["--property", "assertions", "--search", "bfs"];
    let run = folder.run(&[&["check", "c.pml"], &safety[..]].concat());
    assert_eq!(run.status, 1, "{run:?}");
    let name = "c.pml.trail.json";
    let trail: serde_json::Value = serde_json::from_str(&folder.read(name)).expect("a trail");
    for order in [1, 2, 1_000_000, u64::MAX] {
        let mut forged = trail.clone();
        forged["property"]["name"] = "p".into();
        forged["property"]["kind"] = "ltl".into();
        forged["property"]["message"] = "a cycle of 1 step".into();
        forged["steps"].as_array_mut().expect("steps").truncate(1);
        forged["cycle_start"] = 1.into();
        forged["renaming"] = serde_json::json!({ "pids": [0], "order": order });
        folder.write(name, &forged.to_string());
        refused(&folder.run(&["replay", name]), "cannot be followed");
    }
}

#[test]
fn a_property_that_cannot_be_evaluated_has_a_trail() {
    let folder = Folder::new();
    folder.write(
        "u.pml",
        "byte a[2], i; active proctype P() { i = 1; i = 2 } ltl p { [] (a[i] == 0) }",
    );
    let run = folder.run(&["check", "u.pml", "--property", "p"]);
    assert_eq!(run.status, 1, "{run:?}");
    let name = "u.pml.trail.json";
    let run = folder.run(&["replay", name]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.stdout.contains("it cannot be evaluated"), "{run:?}");
    let trail = folder.read(name);
    folder.write(name, &early(&trail));
    refused(&folder.run(&["replay", name]), "does not violate");
    folder.write(name, &trail.replacen("\"unreadable\": true", "\"unreadable\": false", 1));
    refused(&folder.run(&["replay", name]), "does not show what it claims");
}

#[test]
fn fairness_and_automata_are_part_of_a_trail() {
    let folder = Folder::new();
    let model = "byte x; active proctype P() { do :: x = 1 - x od }
        active proctype Q() { x = 5; do :: x = 6 od } ltl p { <> (x == 9) }";
    folder.write("f.pml", model);
    folder.write(
        "a.hoa",
        "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"x < 2\"\nacc-name: Buchi\n\
        Acceptance: 1 Inf(0)\n--BODY--\nState: 0 {0}\n[0] 0\n--END--\n",
    );
    let run = folder.run(&["check", "f.pml", "--fair", "weak", "--property", "p", "--trail", "t"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert_eq!(folder.run(&["replay", "t"]).status, 0);
    let run = folder.run(&["check", "f.pml", "--hoa", "a.hoa", "--trail", "u"]);
    assert_eq!(run.status, 1, "{run:?}");
    // The automaton is in the trail.
    std::fs::remove_file(folder.file("a.hoa")).expect("removed");
    let run = folder.run(&["replay", "u"]);
    assert_eq!(run.status, 0, "{run:?}");
    // It is unfair to Q, which never moves.
    let trail = folder.read("u").replacen("\"fairness\": \"none\"", "\"fairness\": \"weak\"", 1);
    folder.write("u", &trail);
    refused(&folder.run(&["replay", "u"]), "unfair to process 1");
}

#[test]
fn a_trail_whose_model_is_gone_says_so() {
    let folder = with_trail("assertion.pml");
    std::fs::rename(folder.file("assertion.pml"), folder.file("other.pml")).expect("renamed");
    let trail = "assertion.pml.trail.json";
    refused(&folder.run(&["replay", trail]), "name it");
    assert_eq!(folder.run(&["replay", "other.pml", trail]).status, 0);
}

#[test]
fn definitions_of_the_command_line_are_part_of_a_trail() {
    let folder = Folder::new();
    folder.write("d.pml", "active proctype P() { assert(N == 1) }");
    let run = folder.run(&["check", "d.pml", "-DN=2"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert_eq!(folder.run(&["replay", "d.pml.trail.json"]).status, 0);
}

#[test]
fn a_model_that_cannot_start_has_a_trail_of_no_steps() {
    let folder = Folder::new();
    folder.write("s.pml", "byte z; byte x = 1 / z; active proctype P() { x = 2 }");
    let run = folder.run(&["check", "s.pml"]);
    if run.status == 1 {
        let replayed = folder.run(&["replay", "s.pml.trail.json"]);
        assert_eq!(replayed.status, 0, "{replayed:?}");
    }
}

fn refused(run: &super::support::Run, why: &str) {
    assert_eq!(run.status, 2, "{run:?}");
    assert_eq!(run.stdout, "", "{run:?}");
    assert!(run.stderr.contains(why), "{run:?}");
    let said = run.stderr.lines().filter(|l| l.starts_with("error: "));
    assert_eq!(said.count(), 1, "{run:?}");
}
