//! Automata accept exactly the words that satisfy their formulas.

mod common;

use common::{accepts, buchi_accepts, Random};
use isospin_logic::{translate, Formula, Limits};
use proptest::prelude::*;

fn check(seed: u64, operators: usize, atoms: usize, limits: &Limits) -> Result<(), TestCaseError> {
    let mut random = Random(seed);
    let tree = random.tree(operators, atoms, true);
    let formula = Formula::parse(&tree.text()).expect("a tree's text is a formula");
    // The atoms of the tree by the index that the parser gave them.
    let order: Vec<usize> = formula
        .atoms()
        .iter()
        .map(|atom| common::NAMES.iter().position(|&name| name == atom.text).expect("a known name"))
        .collect();
    let automata = translate(&formula, limits).expect("small");
    let negated = translate(&formula.negated(), limits).expect("small");
    for _ in 0..40 {
        let word = random.lasso(atoms);
        let expected = tree.holds(&word)[0];
        let mut renamed = word.clone();
        for letter in &mut renamed.letters {
            let old = *letter;
            *letter = order.iter().enumerate().map(|(new, &at)| (old >> at & 1) << new).sum();
        }
        let context = format!("seed {seed}, {} on {word:?}", tree.text());
        prop_assert_eq!(buchi_accepts(&automata.buchi, &renamed), expected, "buchi: {}", context);
        prop_assert_eq!(accepts(&automata.generalized, &renamed), expected, "gen.: {}", context);
        prop_assert_eq!(buchi_accepts(&negated.buchi, &renamed), !expected, "neg.: {}", context);
        prop_assert_eq!(accepts(&negated.generalized, &renamed), !expected, "g. neg.: {}", context);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn automata_accept_the_words_that_satisfy_small_formulas(seed: u64, operators in 0usize..7) {
        check(seed, operators, 2, &Limits::default())?;
    }

    #[test]
    fn automata_accept_the_words_that_satisfy_larger_formulas(seed: u64, operators in 5usize..9) {
        check(seed, operators, 3, &Limits::default())?;
    }

    #[test]
    fn automata_with_too_many_letters_are_right_too(seed: u64, operators in 3usize..8) {
        check(seed, operators, 3, &Limits { letters: 1, ..Limits::default() })?;
    }
}
