//! Every message of the front end, word for word.
//!
//! The files in `tests/golden` hold models and what is said about them. With
//! `UPDATE_GOLDEN=1` in the environment they are written anew.

mod common;

use common::check_text;
use isospin_promela::lints::LINTS;
use std::path::{Path, PathBuf};

const TITLE: &str = "=== ";
const EXPECTED: &str = "---\n";

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    files.sort();
    files
}

/// The cases of a file: title, model, what is expected.
fn cases(text: &str) -> Vec<(String, String, String)> {
    text.split(TITLE)
        .skip(1)
        .map(|case| {
            let (title, rest) = case.split_once('\n').expect("a title is a line");
            let (model, expected) = rest.split_once(EXPECTED).unwrap_or((rest, ""));
            (title.into(), model.into(), expected.into())
        })
        .collect()
}

#[test]
fn every_message_is_as_it_was() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut wrong = String::new();
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let mut written = String::new();
        for (title, model, expected) in cases(&text) {
            let found = check_text(model.clone()).text();
            if found != expected && !update {
                wrong += &format!("{title}\n{model}\nexpected:\n{expected}\nfound:\n{found}\n");
            }
            written += &format!("{TITLE}{title}\n{model}{EXPECTED}{found}");
        }
        if update {
            std::fs::write(&path, written).expect("it can be written");
        }
    }
    assert_eq!(wrong, "");
}

#[test]
fn every_warning_has_an_example() {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        return;
    }
    let all: String =
        files().iter().map(|path| std::fs::read_to_string(path).expect("it can be read")).collect();
    let missing: Vec<&str> = LINTS
        .iter()
        .map(|lint| lint.name())
        .filter(|name| !all.contains(&format!("warning[{name}]")))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}
