//! Stutter-invariance is found where it is, and never claimed where it is not.

mod common;

use common::{buchi_accepts, Lasso, Random};
use isospin_logic::{is_stutter_invariant, translate, Formula, Limits};

#[test]
fn known_formulas_are_classified() {
    for (text, invariant) in [
        ("[] (p -> <> q)", true),
        ("p U q", true),
        ("X p", false),
        ("[] (p -> X q)", false),
        ("X true", true),
        ("X <> p || p", true),
        ("[]<> X p", true),
        ("<> (p && X !p)", true),
        ("<> (!p && X p) && q", true),
        ("[] (p -> (p || X p))", true),
        ("p && X p", false),
        ("<> (p && X p)", false),
        ("<> (p && X (!p && X p))", false),
        ("p && X (p U (!p && q))", true),
        ("p && X (p U (!p))", true),
        ("[] (p -> X (q || p))", true),
        ("p U (p && !q && X (q))", true),
    ] {
        let formula = Formula::parse(text).unwrap();
        assert_eq!(is_stutter_invariant(&formula), invariant, "{text}");
        assert_eq!(is_stutter_invariant(&formula.negated()), invariant, "not: {text}");
    }
}

/// A word with some letters repeated.
fn stuttered(word: &Lasso, random: &mut Random) -> Lasso {
    let mut letters = Vec::new();
    let mut back = 0;
    for (position, &letter) in word.letters.iter().enumerate() {
        if position == word.back {
            back = letters.len();
        }
        for _ in 0..1 + random.below(3) {
            letters.push(letter);
        }
    }
    Lasso { letters, back }
}

#[test]
fn random_words_confirm_the_answer() {
    let mut random = Random(3);
    let (mut invariant, mut refuted, mut sensitive) = (0, 0, 0);
    for _ in 0..250 {
        let operators = 1 + random.below(6);
        let text = random.tree(operators, 2, true).text();
        let formula = Formula::parse(&text).unwrap();
        let automaton = translate(&formula, &Limits::default()).unwrap().buchi;
        let mut differs = false;
        for _ in 0..100 {
            let word = random.lasso(2);
            let other = stuttered(&word, &mut random);
            differs |= buchi_accepts(&automaton, &word) != buchi_accepts(&automaton, &other);
        }
        if is_stutter_invariant(&formula) {
            assert!(!differs, "{text} tells stuttered words apart");
            invariant += 1;
        } else {
            sensitive += 1;
            refuted += usize::from(differs);
        }
    }
    println!("{invariant} invariant, {sensitive} not, of which words show {refuted}");
    // Words are random, so that a few differences may go unseen.
    assert!(refuted * 20 >= sensitive * 19, "{refuted} of {sensitive}");
}
