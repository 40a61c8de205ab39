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
fn a_forged_trail_is_refused() {
    let folder = with_trail("assertion.pml");
    let name = "assertion.pml.trail.json";
    let text = folder.read(name);
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.iter().position(|l| l.starts_with("    {\"pid\"")).expect("a step");
    // A step less; two of one process changed over; another value; another claim.
    let mut less = lines.clone();
    less.remove(first);
    let mut swapped = lines.clone();
    swapped.swap(first + 2, first + 3);
    let value = text.replacen("\"count\":1", "\"count\":2", 1);
    let claim = text.replacen("\"kind\": \"assertion\"", "\"kind\": \"end-state\"", 1);
    let far = text.replacen("\"edge\":0", "\"edge\":99999", 1);
    for (forged, why) in [
        (less.join("\n"), "cannot be followed"),
        (swapped.join("\n"), "cannot be followed"),
        (value, "does something else"),
        (claim, "does not end in what it claims"),
        (far, "cannot be taken"),
        ("{}".to_owned(), "is not a trail"),
        (text.replacen("\"format\": 2", "\"format\": 99", 1), "format 99"),
        (
            text.replacen("\"format\": 2", "\"format\": 1", 1),
            "format 1, and this version reads format 2",
        ),
    ] {
        folder.write(name, &forged);
        refused(&folder.run(&["replay", name]), why);
    }
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
    assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
}
