//! Stutter-invariance is found where it is, and never claimed where it is not.

mod common;

use common::{accepts, buchi_accepts, Lasso, Random};
use isospin_logic::{
    is_stutter_closed, is_stutter_invariant, read_hoa, translate, AtomTable, Cube, Formula,
    GeneralizedBuchi, Label, Limits, MarkedEdge,
};

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

/// An automaton over `p` and `q`, given as the body of a file in the HOA format.
fn automaton(states: usize, body: &str) -> GeneralizedBuchi {
    let header = format!("HOA: v1\nStates: {states}\nStart: 0\nAP: 2 \"p\" \"q\"\n");
    let acceptance = "acc-name: Buchi\nAcceptance: 1 Inf(0)\n";
    read_hoa(&format!("{header}{acceptance}--BODY--\n{body}\n--END--\n")).unwrap()
}

#[test]
fn known_automata_are_classified() {
    for (what, states, body, ends, closed) in [
        ("<>[] !p", 2, "State: 0 [t] 0 [!0] 1 State: 1 {0} [!0] 1", &[][..], true),
        ("[]<> !p", 2, "State: 0 [!0] 1 [t] 0 State: 1 {0} [t] 0", &[], true),
        ("p at every other step", 2, "State: 0 {0} [0] 1 State: 1 {0} [t] 0", &[], false),
        ("<>(p && X q)", 3, "State: 0 [t] 0 [0] 1 State: 1 [1] 2 State: 2 {0} [t] 2", &[], false),
        ("p, then !p", 2, "State: 0 [0] 0 [!0] 1 State: 1 {0} [t] 1", &[], true),
        // The same, where a run has to know that `p` is over now.
        ("p, then !p", 3, "State: 0 [0] 0 [0] 1 State: 1 [!0] 2 State: 2 {0} [t] 2", &[], true),
        ("p once, then !p", 3, "State: 0 [0] 1 State: 1 [!0] 2 State: 2 {0} [t] 2", &[], false),
        ("ends at p", 2, "State: 0 [t] 0 [0] 1 State: 1 {0} [t] 1", &[1], true),
        ("ends after p", 3, "State: 0 [t] 0 [0] 1 State: 1 [t] 2 State: 2 {0} [t] 2", &[2], false),
        ("goes on after p", 3, "State: 0 [t] 0 [0] 1 State: 1 [t] 2 State: 2 {0} [t] 2", &[], true),
        ("accepts nothing", 1, "State: 0 [0] 0", &[], true),
    ] {
        let body = body.replace("State", "\nState").replace(" [", "\n[");
        assert_eq!(is_stutter_closed(&automaton(states, &body), ends), closed, "{what}");
    }
}

/// An automaton with a few states, edges and acceptance sets.
fn random_automaton(random: &mut Random) -> GeneralizedBuchi {
    let states = 1 + random.below(4);
    let mut atoms = AtomTable::default();
    for name in ["p", "q"] {
        atoms.intern(name, 0..0).unwrap();
    }
    let sets = 1 + random.below(2) as u32;
    let mut edges = Vec::new();
    for state in 0..states {
        let mut out = Vec::new();
        for _ in 0..1 + random.below(3) {
            let (positive, negative) = (random.next() & 3, random.next() & 3);
            let cube = Cube { positive: positive & !negative, negative: negative & !positive };
            let to = if random.below(2) == 0 { state } else { random.below(states) };
            // A loop at the state that is entered lets letters be repeated.
            let marks = random.next() & random.next() & ((1 << sets) - 1);
            out.push(MarkedEdge { label: Label { cubes: vec![cube] }, to, marks });
        }
        edges.push(out);
    }
    if random.below(2) == 0 {
        for state in 0..states {
            for edge in edges[state].clone() {
                let loops = MarkedEdge { to: edge.to, marks: 0, ..edge.clone() };
                edges[edge.to].push(loops);
            }
        }
    }
    GeneralizedBuchi { atoms, initial: 0, sets, edges }
}

#[test]
fn random_words_confirm_the_answer_for_automata() {
    let mut random = Random(5);
    let (mut closed, mut open, mut refuted) = (0, 0, 0);
    for case in 0..4_000 {
        let automaton = random_automaton(&mut random);
        let mut differs = false;
        let mut accepted = false;
        for _ in 0..25 {
            let word = random.lasso(2);
            let other = stuttered(&word, &mut random);
            let (first, second) = (accepts(&automaton, &word), accepts(&automaton, &other));
            differs |= first != second;
            accepted |= first;
        }
        if is_stutter_closed(&automaton, &[]) {
            assert!(!differs, "case {case}: {automaton:?} tells stuttered words apart");
            closed += usize::from(accepted);
        } else {
            open += 1;
            refuted += usize::from(differs);
        }
    }
    println!("{closed} closed that accept something; {open} not known, words refute {refuted}");
    assert!(closed > 200 && refuted * 2 > open, "{closed} closed, {refuted} of {open} refuted");
}

#[test]
fn automata_of_formulas_without_next_are_closed() {
    let mut random = Random(7);
    let (mut closed, mut all) = (0, 0);
    for _ in 0..1_000 {
        let operators = 1 + random.below(7);
        let text = random.tree(operators, 3, false).text();
        let automata = translate(&Formula::parse(&text).unwrap(), &Limits::default()).unwrap();
        all += 2;
        closed += usize::from(is_stutter_closed(&automata.buchi.generalized(), &[]));
        closed += usize::from(is_stutter_closed(&automata.generalized, &[]));
    }
    println!("{closed} of {all}");
    assert!(closed * 100 >= all * 99, "{closed} of {all}");
}
