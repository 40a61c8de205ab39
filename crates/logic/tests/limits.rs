//! Formulas that blow up end in an error within seconds, and wide ones that need not blow up do
//! not.

use std::time::{Duration, Instant};

use isospin_logic::{is_stutter_invariant, translate, Error, Formula, Limits};

fn join(count: usize, operator: &str, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().join(operator)
}

/// Translates, and returns the number of states if it did not grow too large.
#[track_caller]
fn states(text: &str) -> Option<usize> {
    let formula = Formula::parse(text).unwrap();
    let start = Instant::now();
    let result = translate(&formula, &Limits::default());
    is_stutter_invariant(&formula);
    let time = start.elapsed();
    // Generous: tests are not optimised and share the machine.
    assert!(time < Duration::from_secs(120), "{text}: {time:?}");
    match result {
        Ok(automata) => Some(automata.buchi.len()),
        Err(Error::TooLarge { .. }) => None,
        Err(error) => panic!("{text}: {error}"),
    }
}

#[test]
fn what_blows_up_ends_in_an_error() {
    assert_eq!(states(&join(20, " && ", |i| format!("(a{i} U b{i})"))), None);
    assert_eq!(states(&join(20, " && ", |i| format!("<> a{i}"))), None);
    assert_eq!(states(&format!("[] (p -> {} q)", "X ".repeat(150))), None);
    assert_eq!(states(&join(40, " <-> ", |i| format!("<> a{i}"))), None);
    assert_eq!(states(&join(60, " <-> ", |i| format!("a{i}"))), None);
}

#[test]
fn what_need_not_blow_up_does_not() {
    assert_eq!(states(&join(20, " || ", |i| format!("[] a{i}"))), Some(21));
    assert_eq!(
        states(&format!("[]<> ({})", join(30, " && ", |i| format!("(a{i} || b{i})")))),
        Some(2)
    );
    assert_eq!(states(&format!("[] ({})", join(60, " || ", |i| format!("a{i}")))), Some(1));
    assert_eq!(states(&format!("{} p", "X ".repeat(60))), Some(62));
    let nested = (0..14).fold("z".to_owned(), |inner, i| format!("(a{i} U {inner})"));
    assert_eq!(states(&nested), Some(15));
}

#[test]
fn expressions_of_too_many_atoms_become_atoms() {
    let text = format!("[]<> ({})", join(30, " && ", |i| format!("(a{i} || b{i})")));
    let automata = translate(&Formula::parse(&text).unwrap(), &Limits::default()).unwrap();
    assert_eq!(automata.buchi.atoms.len(), 1);
    let expression = Formula::parse(&automata.buchi.atoms.name(0)).unwrap();
    let expected = Formula::parse(&text).unwrap();
    assert_eq!(expression.atoms().len(), expected.atoms().len());
}
