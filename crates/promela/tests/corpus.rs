//! The public models beside the repository, where they are there.

mod common;

use common::{check_path, check_text};
use isospin_promela::syntax::print::tree_text;
use std::path::{Path, PathBuf};

/// The models with `accepted` and `c_code`, or nothing where there is no corpus.
fn corpus() -> Vec<(PathBuf, bool, bool)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let Ok(text) = std::fs::read_to_string(folder.join("expected.json")) else {
        eprintln!("notice: there is no corpus at {}; nothing is checked", folder.display());
        return Vec::new();
    };
    let field = |line: &str, name: &str| {
        let value = line.split_once(&format!("\"{name}\": "))?.1;
        Some(value.split([',', '}']).next()?.trim_matches('"').to_owned())
    };
    text.lines()
        .filter_map(|line| {
            let model = field(line, "model")?;
            let is = |name: &str| field(line, name).as_deref() == Some("true");
            Some((folder.join(model), is("accepted"), is("c_code")))
        })
        .collect()
}

#[test]
fn every_model_is_accepted_or_rejected_as_spin_does() {
    let mut wrong = String::new();
    for (path, accepted, c_code) in corpus() {
        let outcome = check_path(&path);
        if outcome.is_rejected() == (accepted && !c_code) {
            wrong += &format!("{}\n{}\n", path.display(), outcome.text());
        }
    }
    assert_eq!(wrong, "");
}

#[test]
fn every_model_prints_and_reads_back() {
    for (path, accepted, c_code) in corpus() {
        if !accepted || c_code {
            continue;
        }
        let printed = tree_text(&check_path(&path).tree);
        let again = check_text(printed.clone());
        assert!(!again.is_rejected(), "{}\n{}", path.display(), again.text());
        assert_eq!(tree_text(&again.tree), printed, "{}", path.display());
    }
}
