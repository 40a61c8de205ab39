//! Every message of the front end, word for word.
//!
//! The files in `tests/golden` hold models and what is said about them. With
//! `SNAPSHOTS=overwrite` in the environment they are written anew.

mod common;

use common::check_text;
use isospin_promela::lints::LINTS;
use snapbox::assert::DEFAULT_ACTION_ENV;
use snapbox::{Assert, Data};
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

/// The cases of a file: title and model.
fn cases(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split(TITLE).skip(1).map(|case| {
        let (title, rest) = case.split_once('\n').expect("a title is a line");
        let (model, _) = rest.split_once(EXPECTED).unwrap_or((rest, ""));
        (title, model)
    })
}

#[test]
fn every_message_is_as_it_was() {
    for path in files() {
        let expected = Data::read_from(&path, None).raw();
        let text = expected.render().expect("a text");
        let found: String = cases(&text)
            .map(|(title, model)| {
                format!("{TITLE}{title}\n{model}{EXPECTED}{}", check_text(model).text())
            })
            .collect();
        Assert::new().action_env(DEFAULT_ACTION_ENV).eq(found, expected);
    }
}

#[test]
fn every_warning_has_an_example() {
    let all: String =
        files().iter().map(|path| std::fs::read_to_string(path).expect("it can be read")).collect();
    let missing: Vec<&str> = LINTS
        .iter()
        .map(|lint| lint.name())
        .filter(|name| !all.contains(&format!("warning[{name}]")))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}
