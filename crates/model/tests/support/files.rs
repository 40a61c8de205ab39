//! Tests from files, for every crate that has some: a model as text, a line `---`, and what is
//! expected of it. With `SNAPSHOTS=overwrite`, as for
//! golden files, whatever comes out is accepted.

use std::fs;
use std::path::Path;

use isospin_model::{text, Model};

const RULE: &str = "---\n";

/// Calls `answer` with the model of every file in a folder and compares what it says with what the
/// file expects.
pub fn check_files(folder: &Path, answer: impl Fn(&Model) -> String) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<_> = entries.flatten().map(|e| e.path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "model"));
    paths.sort();
    assert!(!paths.is_empty(), "there are no models in {}", folder.display());
    let mut wrong = Vec::new();
    for path in paths {
        let file = fs::read_to_string(&path).expect("a file");
        let (model, expected) = file.split_once(RULE).unwrap_or((&file, ""));
        let name = path.display();
        let read = text::read(model).unwrap_or_else(|error| panic!("{name}: {error}"));
        read.verify().unwrap_or_else(|flaw| panic!("{name}: {flaw}"));
        let said = answer(&read);
        if said == expected {
            continue;
        }
        if std::env::var_os("SNAPSHOTS").is_some_and(|v| v == "overwrite") {
            fs::write(&path, format!("{model}{RULE}{said}")).expect("a file that can be written");
        } else {
            wrong.push(format!("{name} says\n{said}\ninstead of\n{expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
