//! Small models and whether Spin 6.5.2 accepts them: the front end agrees.

mod common;

use common::check_text;

/// The models of a file, with their names.
fn models(text: &str) -> impl Iterator<Item = (&str, String)> {
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(|line| {
        let (name, model) = line.split_once(": ").expect("a name and a model");
        (name, model.replace(" ⏎ ", "\n").replace('⏎', "\n") + "\n")
    })
}

fn disagreements(text: &str, rejected: bool) -> String {
    models(text)
        .filter_map(|(name, model)| {
            let outcome = check_text(model.clone());
            (outcome.is_rejected() != rejected)
                .then(|| format!("{name}\n{model}{}\n", outcome.text()))
        })
        .collect()
}

#[test]
fn what_spin_accepts_is_accepted() {
    assert_eq!(disagreements(include_str!("verdicts/accepted.txt"), false), "");
}

#[test]
fn what_spin_rejects_is_rejected() {
    assert_eq!(disagreements(include_str!("verdicts/rejected.txt"), true), "");
}

#[test]
fn what_spin_rejects_by_accident_is_accepted() {
    assert_eq!(disagreements(include_str!("verdicts/lenient.txt"), false), "");
}
