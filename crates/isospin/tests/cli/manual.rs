//! The manual tells the truth: its commands are run, and what it shows of their output is compared.
//!
//! A block that starts with ```` ```console ```` holds commands, each after `$ `, and their output.
//! In the output, `…` stands for anything to the end of the line, and on a line of its own for any
//! lines. Where no output is shown, only the exit status matters: 0 or 1.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use snapbox::dir::DirFixture;
use snapbox::{Assert, IntoData};

use super::support::{Folder, Run};

/// Commands that set the project up; running them here would be running this test in itself.
const SET_UP: [&str; 3] = ["cargo test", "cargo build", "git clone"];

struct Example {
    place: String,
    command: String,
    output: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("docs")).expect("the manual");
    let mut pages: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    pages.retain(|p| p.extension().is_some_and(|e| e == "md"));
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

fn examples(page: &Path) -> Vec<Example> {
    let text = fs::read_to_string(page).expect("a page");
    let name = page.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        match (inside, line.strip_prefix("$ ")) {
            (false, _) => inside = line == "```console",
            (true, _) if line == "```" => inside = false,
            (true, Some(command)) => examples.push(Example {
                place: format!("{name}:{}", number + 1),
                command: command.to_owned(),
                output: Vec::new(),
            }),
            (true, None) => {
                let example = examples.last_mut().expect("a command before its output");
                example.output.push(line.to_owned());
            }
        }
    }
    examples
}

/// The words of a command line; quotes keep words together.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, ' ') => words.push(String::new()),
            (_, c) => words.last_mut().expect("a word").push(c),
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

/// What is shown as snapbox's pattern: `...` for lines, `[..]` for the rest of one.
fn pattern(shown: &[String]) -> String {
    let line = |line: &String| match line.split_once('…') {
        Some(("", _)) => "...\n".to_owned(),
        Some((start, _)) => format!("{}[..]\n", start.trim_end()),
        None => format!("{}\n", line.trim_end()),
    };
    shown.iter().map(line).collect()
}

/// Whether the output is as shown, and if not, how they differ.
fn compare(place: &str, shown: &[String], output: &str) -> snapbox::assert::Result<()> {
    let output: String = output.lines().map(|l| format!("{}\n", l.trim_end())).collect();
    let compare = Assert::new().normalize_paths(false);
    compare.try_eq(Some(&place), output.into_data(), pattern(shown).into_data())
}

fn run(folder: &Folder, example: &Example) {
    let Example { place, command, output } = example;
    if SET_UP.iter().any(|s| command.starts_with(s)) {
        return;
    }
    let program = ["isospin ", "cargo run --release -- "];
    let rest = program.iter().find_map(|p| command.strip_prefix(p));
    let rest = rest.unwrap_or_else(|| panic!("{place}: what is `{command}`?"));
    let (rest, file) = match rest.split_once(" > ") {
        Some((rest, file)) => (rest, Some(file.trim())),
        None => (rest, None),
    };
    let mut process = Command::new(env!("CARGO_BIN_EXE_isospin"));
    process.args(words(rest)).current_dir(folder.file(""));
    let run = Run::of(process.output().expect("the program runs"));
    assert!(run.status < 2, "{place}: `{command}`: {run:?}");
    if let Some(file) = file {
        folder.write(file, &run.stdout);
        return;
    }
    if !output.is_empty() {
        let compared = compare(&format!("{place}: {command}"), output, &run.stdout);
        compared.unwrap_or_else(|difference| panic!("{difference}"));
    }
}

#[test]
fn every_command_of_the_manual_does_what_the_manual_says() {
    let folder = Folder::new();
    let models = root().join("models").write_to_path(&folder.file("models"));
    models.expect("a copy of the models");
    let mut count = 0;
    for page in pages() {
        for example in examples(&page) {
            run(&folder, &example);
            count += 1;
        }
    }
    assert!(count >= 10, "the manual has {count} commands");
}

/// The first block of this kind on a page.
fn block(page: &str, kind: &str) -> String {
    let start = page.find(&format!("```{kind}\n")).expect(kind) + kind.len() + 4;
    let end = page[start..].find("```").expect("its end");
    page[start..start + end].to_owned()
}

#[test]
fn the_trail_of_the_manual_is_the_one_that_is_written() {
    let page = fs::read_to_string(root().join("docs/trails.md")).expect("the page on trails");
    let folder = Folder::new();
    folder.write("handover.pml", &block(&page, "promela"));
    let run = folder.run(&["check", "handover.pml", "-DN=2", "--ltl", "<> done"]);
    assert_eq!(run.status, 1, "{run:?}");
    let json = |text: &str| {
        let mut trail: serde_json::Value = serde_json::from_str(text).expect("a trail");
        trail["isospin"].take();
        trail
    };
    assert_eq!(json(&folder.read("handover.pml.trail.json")), json(&block(&page, "json")));
}

#[test]
fn an_ellipsis_stands_for_the_rest_of_a_line_or_for_lines() {
    let fits = |shown: &str, output: &str| {
        let shown: Vec<String> = shown.lines().map(str::to_owned).collect();
        compare("here", &shown, output).is_ok()
    };
    assert!(fits("a\n…\nz …", "a\nb\nc\nz 12\n"));
    assert!(fits("a  \n…", "a\n"));
    assert!(fits("a …", "a\n"));
    assert!(!fits("a\nz", "a\nb\nz\n"));
    assert!(!fits("a\n…\nz", "a\nz\nb\n"));
    assert!(!fits("a …", "b 1\n"));
}

#[test]
fn quotes_keep_words_together() {
    assert_eq!(words("check --ltl '[] p' \"x y\""), ["check", "--ltl", "[] p", "x y"]);
}
