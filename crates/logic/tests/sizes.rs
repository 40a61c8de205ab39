//! Automata are never larger than Spin's never claims.

mod common;

use std::time::{Duration, Instant};

use common::patterns::PATTERNS;
use common::{spin, Random};
use isospin_logic::{translate, Formula, Limits};

/// How long Spin may take for one formula, and all formulas together.
const EACH: Duration = Duration::from_secs(1);
const TOGETHER: Duration = Duration::from_secs(50);

#[test]
fn no_automaton_is_larger_than_spins() {
    if !spin::installed() {
        println!("spin is not installed: sizes are not compared");
        return;
    }
    let mut formulas: Vec<(Formula, String)> = Vec::new();
    for text in PATTERNS.iter().flat_map(|(_, scopes)| scopes) {
        let formula = Formula::parse(text).unwrap();
        formulas.push((formula.clone(), formula.to_string()));
    }
    let mut random = Random(1);
    for _ in 0..500 {
        let operators = 3 + random.below(8);
        let text = random.tree(operators, 3, false).text();
        formulas.push((Formula::parse(&text).unwrap(), text));
    }
    let start = Instant::now();
    let (mut ours, mut theirs, mut fewer, mut compared) = (0, 0, 0, 0);
    for (formula, text) in &formulas {
        if start.elapsed() > TOGETHER {
            println!("time is up after {compared} formulas");
            break;
        }
        // Where Spin cannot answer (`X` needs a Spin built for it), there is nothing to compare.
        let Some(spin) = spin::states(text, EACH) else { continue };
        let own = translate(formula, &Limits::default()).unwrap().buchi.len();
        assert!(own <= spin, "{text}: {own} states, Spin has {spin}");
        compared += 1;
        ours += own;
        theirs += spin;
        fewer += usize::from(own < spin);
    }
    println!("{compared} formulas: {ours} states to Spin's {theirs}, fewer on {fewer}");
    assert!(2 * fewer > compared);
}

#[test]
fn well_known_formulas_have_their_smallest_automata() {
    for (text, states, generalized) in [
        ("true", 1, 1),
        ("[] p", 1, 1),
        ("<> p", 2, 2),
        ("[]<> p", 2, 1),
        ("<>[] p", 2, 2),
        ("p U q", 2, 2),
        ("p W q", 2, 2),
        ("[] (p -> <> q)", 2, 2),
        ("[]<> p && []<> q", 3, 1),
        ("[]<> p -> []<> q", 4, 3),
        ("[]<> p <-> []<> q", 5, 3),
        ("X X p", 4, 4),
        ("<> p && <> q", 4, 4),
    ] {
        let formula = Formula::parse(text).unwrap();
        let automata = translate(&formula, &Limits::default()).unwrap();
        let sizes = (automata.buchi.len(), automata.generalized.len());
        assert!(sizes.0 <= states && sizes.1 <= generalized, "{text}: {sizes:?}");
    }
}
