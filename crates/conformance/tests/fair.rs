//! Fairness under symmetry: models each with a trap, and random ones, against brute force.
//!
//! `ISOSPIN_RANDOM_SEED` and `ISOSPIN_RANDOM_COUNT` say which random models and how many; the
//! example `fair` compares thousands.

use std::sync::Arc;

use isospin_check::{
    check, Asked, EmptinessChoice, Fairness, Options, Property, Report, Strategy, Verdict,
};
use isospin_conformance::fair::{
    check_fair, controller, count, fair_model, threaded, Counts, Share, Way, FAIRNESS, SIMPLIFIED,
};
use isospin_conformance::isospin::model_of;
use isospin_conformance::symmetry::STRATEGIES;

fn setting(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// A trap, the model, and whether acceptance cycles are there without fairness, under weak and under
/// strong fairness; and how many nodes of the product there are up to symmetry and without it, at
/// most and at least.
struct Trap {
    what: &'static str,
    violated: [bool; 3],
    text: &'static str,
}

const TRAPS: &[Trap] = &[
    Trap {
        what: "a quotient that forgets who is who would find this cycle fair: the others starve",
        violated: [true, false, false],
        text: "byte g = 255; active [3] proctype P() { do
            :: atomic { g == 255 -> g = _pid }
            :: g == _pid -> accept_: skip
            :: g != 255 && g != _pid -> done: skip; g = _pid; end: false od }",
    },
    Trap {
        what: "and would miss this one: everybody has a turn, in each other's places",
        violated: [true, true, true],
        text: "byte t; active [3] proctype P() { do
            :: atomic { t == _pid -> t = (_pid + 1) % 3 }; accept_: skip od }",
    },
    Trap {
        what: "twins that are not joined: all do the same, and one is followed",
        violated: [true, true, true],
        text:
            "byte n; active [4] proctype P() { accept_: do :: n < 4 -> n++ :: n == 4 -> n = 0 od }",
    },
    Trap {
        what: "a lock, for which weak and strong fairness differ",
        violated: [true, true, false],
        text: "bool lock; byte seen; active [2] proctype P() { do
            :: atomic { !lock -> lock = true }; atomic { lock = false; seen = 1 - seen } od }
            active proctype Last() { accept_: atomic { !lock -> lock = true }; end: false }",
    },
    Trap {
        what: "a component that is strongly fair only in a part",
        violated: [true, true, true],
        text: "bool open = true; byte n; active [2] proctype P() { do
            :: open -> n = 1 - n
            :: !open -> accept_: skip od }
            active proctype Gate() { do :: open = false :: open -> end: false od }",
    },
    Trap {
        what: "processes that end",
        violated: [true, true, true],
        text: "byte n; active [3] proctype P() { if :: n == 0 -> n = 1 :: n == 1 -> skip fi }
            active proctype Other() { accept_: do :: n = n od }",
    },
    Trap {
        what: "a rendez-vous, in which both sides move",
        violated: [true, true, true],
        text: "chan c = [0] of { byte }; active [2] proctype S() { accept_: do :: c!_pid od }
            active [2] proctype R() { byte x; do :: c?x; x = 0 od }",
    },
    Trap {
        what: "a ring, where only rotations apply",
        violated: [true, true, true],
        text: "byte a[4]; bool started; active [4] proctype P() { do
            :: atomic { !started -> started = true; a[_pid] = 1 }
            :: atomic { a[_pid] == 1 -> a[_pid] = 0; a[(_pid + 1) % 4] = 1 }; accept_: skip od }",
    },
    Trap {
        what: "two families over the same names",
        violated: [true, true, true],
        text: "bool on[2]; proctype P(byte me) { do :: !on[me] -> on[me] = true od }
            proctype Q(byte me) { do :: on[me] -> accept_: on[me] = false od }
            init { atomic { run P(0); run Q(0); run P(1); run Q(1) } }",
    },
    Trap {
        what: "a cycle that closes only after three renamings: whoever holds it hands it on, and \
               nobody else can move",
        violated: [true, true, true],
        text: "byte h = 255; byte n; active [3] proctype P() { do
            :: atomic { h == 255 -> h = _pid }
            :: atomic { h == _pid -> n = (n + 1) % 2; h = 254 }; accept_: skip
            :: atomic { h == 254 && n == 1 -> h = _pid } 
            :: atomic { h == 254 && n == 0 -> h = _pid } od }",
    },
    Trap {
        what: "a ring of three where every round moves one only: fair after three renamings",
        violated: [true, true, true],
        text: "byte t; active [3] proctype P() { do
            :: atomic { t == _pid -> t = (_pid + 1) % 3 } od }
            active proctype Other() { accept_: do :: true -> skip od }",
    },
    Trap {
        what:
            "a step to the same state that some do and others may: a stabiliser is no cycle of all",
        violated: [true, false, false],
        text: "bit x; byte g = 255; active [3] proctype P() { do
            :: atomic { g == 255 -> g = _pid }
            :: g == _pid -> accept_: x = x
            :: atomic { g != 255 && g != _pid -> g = 254; x = 1 }; false od }",
    },
    Trap {
        what: "able again and again, each time under another name",
        violated: [true, true, false],
        text: "byte g = 255; active [3] proctype P() { do
            :: atomic { g == 255 -> g = _pid }; atomic { g == _pid -> g = 255 } od }
            active proctype W() { accept_: atomic { g == 255 -> g = 254 }; end: false }",
    },
    Trap {
        what: "fairness to one is not fairness to its twin",
        violated: [true, false, false],
        text: "bit done[2]; active [2] proctype P() { done[_pid] = 1; end: false }
            active proctype W() { do :: !(done[0] && done[1]) -> accept_: skip od }",
    },
    Trap {
        what: "somebody who can never move is owed nothing",
        violated: [true, true, true],
        text: "bit no; byte n; active [2] proctype P() { end: no == 1; n = 9 }
            active [2] proctype Q() { accept_: do :: n < 3 -> n++ :: n > 0 -> n-- od }",
    },
    Trap {
        what: "an else that is taken only where nothing else can be",
        violated: [true, true, true],
        text: "byte g = 255; active [3] proctype P() { do
            :: atomic { g == 255 -> g = _pid }; g = 255
            :: else -> skip od }
            active proctype W() { accept_: do :: g == 255 -> goto over :: g != 255 -> skip od;
            over: end: false }",
    },
    Trap {
        what: "a timeout, when nobody else can move",
        violated: [true, true, true],
        text: "bit x; active [2] proctype P() { do :: atomic { timeout -> x = 1 - x };
            accept_: x = x od }",
    },
    Trap {
        what: "an atomic sequence that is interrupted where it blocks",
        violated: [true, true, true],
        text: "bit free = 1; byte in; active [2] proctype P() { do
            :: atomic { in++; free == 1; free = 0 }; accept_: atomic { free = 1; in-- } od }",
    },
    Trap {
        what: "a dead end, which is fair",
        violated: [true, true, true],
        text: "byte n; active [3] proctype P() { n++; end: accept_: n == 9 }",
    },
    Trap {
        what: "names in messages",
        violated: [true, true, true],
        text: "chan q = [2] of { byte }; byte who = 255; active [3] proctype P() { byte x = 255; do
            :: atomic { who == 255 -> q!_pid; who = _pid }
            :: atomic { q?x -> who = 255; x = 255 }; accept_: skip od }",
    },
    Trap {
        what: "time that passes",
        violated: [true, true, true],
        text: "active [2] proctype P() { timer t; do :: set(t, 1); expire(t); accept_: skip od }",
    },
    Trap {
        what: "a seed on an accepting cycle that is not fair, before one that is",
        violated: [true, true, true],
        text: "bool go; byte k; active [2] proctype P() { do
            :: accept_a: k == 0 -> skip
            :: atomic { go && k == 0 -> k = 1 }
            :: k == 1 -> accept_b: skip od }
            active proctype Go() { go = true; end: false }",
    },
    Trap {
        what: "a cycle that several representatives an orbit lose",
        violated: [true, true, true],
        text: "#define NO 255
            chan c = [0] of { bit }; byte g = NO; bit x; bit busy;
            active [2] proctype P() {
              L0: if :: atomic { g == NO && x == 0 && busy == 0 -> g = _pid; goto L1 }
                     :: atomic { g == _pid && x == 1 -> g = NO; x = 0; goto L0 }
                     :: atomic { g == NO && x == 0 && busy == 0 -> busy = 1; goto acceptL2 }
                     :: atomic { c?_ -> g = _pid; busy = 0; goto L1 } fi;
              L1: atomic { x = 1; goto L0 };
              acceptL2: c!0; goto L0 }",
    },
];

fn acceptance() -> Asked {
    Asked { acceptance: true, ..Asked::default() }
}

fn report(text: &str, asked: &Asked, options: &Options) -> Report {
    let model = model_of(text).unwrap_or_else(|why| panic!("{why}"));
    let report = check(&Arc::new(model), asked, options, &mut ()).expect("it can be checked");
    assert!(report.unconfirmed().next().is_none(), "everything is confirmed");
    report
}

fn first(report: &Report) -> &Property {
    report.properties.first().expect("one property")
}

#[test]
fn every_trap_is_avoided_and_symmetry_is_used() {
    for Trap { what, violated, text } in TRAPS {
        for (fairness, violated) in FAIRNESS.into_iter().zip(violated) {
            let options = Options { fairness, ..Options::default() };
            let found = report(text, &acceptance(), &options);
            let expected = if *violated { Verdict::Violated } else { Verdict::Holds };
            assert_eq!(first(&found).verdict, expected, "{what}, {fairness:?}");
            assert!(found.applied.symmetry.is_some(), "{what}, {fairness:?}: no symmetry");
        }
    }
}

#[test]
fn every_trap_is_avoided_in_every_way() {
    for Trap { what, violated, text } in TRAPS {
        let outcomes =
            check_fair(text, 5_000, Share::ALL).unwrap_or_else(|why| panic!("{what}: {why}"));
        let outcomes = outcomes.unwrap_or_else(|| panic!("{what}: not read, or too large"));
        assert_eq!(outcomes[0].violated, *violated, "{what}");
    }
}

#[test]
fn strategies_with_several_representatives_are_replaced_and_it_is_said() {
    let text = TRAPS.last().expect("traps").text;
    for strategy in STRATEGIES {
        let mut options = Options::default();
        options.wanted.symmetry = isospin_check::SymmetryChoice::Strategy(strategy);
        let found = report(text, &acceptance(), &options);
        assert_eq!(first(&found).verdict, Verdict::Violated, "{}", strategy.name());
        assert_eq!(found.applied.symmetry, Some(strategy.canonical()));
        let said = found.notes.iter().any(|n| matches!(n, isospin_check::Note::Canonical { .. }));
        assert_eq!(said, matches!(strategy, Strategy::Sorted | Strategy::PcSorted));
    }
}

#[test]
fn random_symmetric_models_agree_with_brute_force() {
    let usual = if cfg!(debug_assertions) { 3 } else { 40 };
    let seed = setting("ISOSPIN_RANDOM_SEED").unwrap_or(1);
    let count = setting("ISOSPIN_RANDOM_COUNT").unwrap_or(usual);
    println!("seed {seed}, {count} models");
    let (mut compared, mut symmetric) = (0, 0);
    for seed in seed..seed + count {
        let model = fair_model(seed);
        match check_fair(&model.text.to_string(), 800, Share { one_in: 4, from: seed }) {
            Ok(None) => {}
            Ok(Some(outcomes)) => {
                compared += 1;
                symmetric += outcomes.iter().map(|o| o.symmetric).sum::<u64>();
            }
            Err(why) => panic!("seed {seed}: {why}\n{}", model.text),
        }
    }
    println!("{compared} models compared, {symmetric} searches up to symmetry");
    assert!(compared > count / 2 && symmetric > 0, "too little was compared");
}

/// Rings of so many processes that take turns, each with a token that goes round.
fn rings(sizes: &[usize]) -> String {
    let mut text = "byte turn;\n".to_owned();
    for (k, n) in sizes.iter().enumerate() {
        let next = (k + 1) % sizes.len();
        text += &format!(
            "byte at{n}; proctype Ring{n}(byte me) {{ do :: atomic {{ turn == {k} && at{n} == me ->
               at{n} = (me + 1) % {n}; turn = {next} }} od }}\n"
        );
    }
    let runs = sizes.iter().flat_map(|n| (0..*n).map(move |k| format!("run Ring{n}({k});")));
    text += &format!("init {{ atomic {{ {} }} }}\n", runs.collect::<String>());
    text + "ltl p { <>[] (turn == 0) }"
}

#[test]
fn six_rings_stay_at_a_few_states_and_the_cycle_is_told_as_a_walk_and_a_renaming() {
    let text = rings(&[2, 3, 5, 7, 11, 13]);
    let asked = Asked { properties: vec!["p".to_owned()], ..Asked::default() };
    for fairness in [Fairness::None, Fairness::Weak] {
        let options = Options { fairness, ..Options::default() };
        let found = report(&text, &asked, &options);
        assert_eq!(first(&found).verdict, Verdict::Violated);
        assert!(found.applied.symmetry.is_some());
        assert!(found.statistics.states <= 16, "{} states", found.statistics.states);
        let finding = first(&found).findings.first().expect("an execution");
        let renaming = finding.renaming.as_ref().expect("too long to be written out");
        assert_eq!(renaming.order % 30_030, 0, "{renaming:?}");
    }
}

#[test]
fn a_formula_over_all_pairs_costs_no_permutation() {
    let pairs = "!(c[0] && c[1]) && !(c[0] && c[2]) && !(c[1] && c[2])";
    let text = format!(
        "bool c[3]; bool busy; active [3] proctype P() {{ do
           :: atomic {{ !busy -> busy = true; c[_pid] = true }};
              atomic {{ c[_pid] = false; busy = false }} od }}
         ltl all {{ [] ({pairs}) }} ltl one {{ [] (c[0] -> <> !c[0]) }}"
    );
    for (name, costs) in [("all", false), ("one", true)] {
        let asked = Asked { properties: vec![name.to_owned()], ..Asked::default() };
        let options = Options { fairness: Fairness::Weak, ..Options::default() };
        let found = report(&text, &asked, &options);
        assert_eq!(first(&found).verdict, Verdict::Holds);
        let cost = found.notes.iter().find_map(|n| match n {
            isospin_check::Note::SymmetryCost { atom, .. } => Some(atom.clone()),
            _ => None,
        });
        assert_eq!(cost.is_some(), costs, "{name}: {:?}", found.notes);
        assert!(cost.is_none_or(|atom| atom.is_some_and(|atom| atom.contains("c[0]"))));
    }
}

/// What holds of everybody, each by itself.
const EACH: &str = "chan grant = [0] of { bit }; bool critical[4]; bool left;
    active [4] proctype Client() { end: do :: true; asks: grant?_; critical[_pid] = true;
      atomic { critical[_pid] = false; left = true } od }
    active proctype Server() { end: do :: grant!0; atomic { left -> left = false } od }
    ltl served { ([] (Client[0]@asks -> <> critical[0])) && ([] (Client[1]@asks -> <> critical[1]))
              && ([] (Client[2]@asks -> <> critical[2])) && ([] (Client[3]@asks -> <> critical[3])) }
    ltl again { []<> critical[0] && []<> critical[1] && []<> critical[2] && []<> critical[3] }
    ltl once { <> critical[0] && <> critical[1] && <> critical[2] && <> critical[3] }
    ltl two { []<> critical[0] && []<> critical[1] }
    ltl one { []<> critical[2] }";

#[test]
fn what_is_said_of_everybody_by_itself_costs_no_permutation() {
    for (name, left) in
        [("served", None), ("again", None), ("once", None), ("two", Some(4.0)), ("one", Some(6.0))]
    {
        let asked = Asked { properties: vec![name.to_owned()], ..Asked::default() };
        for (fairness, violated) in FAIRNESS.into_iter().zip([true, true, false]) {
            let options = Options { fairness, ..Options::default() };
            let found = report(EACH, &asked, &options);
            let expected = if violated { Verdict::Violated } else { Verdict::Holds };
            assert_eq!(first(&found).verdict, expected, "{name}, {fairness:?}");
            let cost = found.notes.iter().find_map(|n| match n {
                isospin_check::Note::SymmetryCost { left, .. } => Some(*left),
                _ => None,
            });
            assert_eq!(cost, left, "{name}, {fairness:?}: {:?}", found.notes);
        }
        let text =
            format!("{} ltl only {{ {} }}", EACH.split("ltl").next().expect("a model"), of(name));
        let outcomes =
            check_fair(&text, 5_000, Share::ALL).unwrap_or_else(|why| panic!("{name}: {why}"));
        let outcome = outcomes.expect("small").pop().expect("a formula");
        assert_eq!(outcome.violated, [true, true, false], "{name}");
        assert_eq!(outcome.searches, outcome.symmetric, "{name}: every search used symmetry");
    }
}

#[test]
fn what_only_strong_fairness_would_have_hold_is_said() {
    let said = |text: &str, asked: &Asked, fairness| {
        let found = report(text, asked, &Options { fairness, ..Options::default() });
        found.notes.iter().any(|n| matches!(n, isospin_check::Note::HoldsIfStrong { .. }))
    };
    let served = Asked { properties: vec!["served".to_owned()], ..Asked::default() };
    assert!(said(EACH, &served, Fairness::Weak));
    assert!(!said(EACH, &served, Fairness::None), "nobody has asked for fairness");
    for Trap { what, violated, text } in TRAPS {
        let expected = violated[1] && !violated[2];
        assert_eq!(said(text, &acceptance(), Fairness::Weak), expected, "{what}");
    }
}

/// One of those formulas.
fn of(name: &str) -> &'static str {
    let start = EACH.find(&format!("ltl {name} {{")).expect("a formula");
    let (_, rest) = EACH[start..].split_once('{').expect("a formula");
    rest.split_once('}').expect("its end").0
}

fn counted(text: &str, way: Way) -> Counts {
    count(text, way).unwrap_or_else(|why| panic!("{why}"))
}

#[test]
fn the_simplified_controller_has_the_numbers_of_the_source() {
    let quotient = Way { symmetry: true, ..Way::default() };
    let tracked = Way { tracked: Some("tracked"), ..quotient };
    assert_eq!(counted(SIMPLIFIED, Way::default()).states, 20);
    assert_eq!(counted(SIMPLIFIED, quotient), Counts { states: 7, edges: 27 });
    assert_eq!(counted(SIMPLIFIED, Way { twins: true, ..quotient }).edges, 16);
    assert_eq!(counted(SIMPLIFIED, tracked).states, 13);
    assert_eq!(threaded(SIMPLIFIED, &[0], ("state", 2)), Ok((21, 42)));
}

const FAIR_CYCLE: &str = include_str!("../../../models/symmetry/fair-cycle.pml");

#[test]
fn the_example_of_the_thesis_has_its_states_orbits_threads_and_fair_cycle() {
    // Figures 9 to 12 of chapter 7, and the state before the processes are started.
    let quotient = Way { symmetry: true, ..Way::default() };
    assert_eq!(counted(FAIR_CYCLE, Way::default()).states, 7 + 1);
    assert_eq!(counted(FAIR_CYCLE, quotient).states, 4 + 1);
    assert_eq!(threaded(FAIR_CYCLE, &[1, 2], ("phase", -1)).map(|t| t.0), Ok(8));
    let asked = Asked { properties: vec!["leaves_A".to_owned()], ..Asked::default() };
    for fairness in FAIRNESS {
        for emptiness in [EmptinessChoice::Nested, EmptinessChoice::Components] {
            if fairness == Fairness::Strong && emptiness == EmptinessChoice::Nested {
                continue;
            }
            let found =
                report(FAIR_CYCLE, &asked, &Options { fairness, emptiness, ..Options::default() });
            assert_eq!(first(&found).verdict, Verdict::Violated, "{fairness:?}");
            assert!(found.applied.symmetry.is_some());
        }
    }
}

#[test]
fn a_cycle_check_that_begins_too_early_does_not_spoil_a_later_one() {
    // Figure 3 of chapter 7: from the initial state, which accepts, all is visited before the check
    // from s1, whose cycle leads through what was visited.
    let text = "active proctype P() { byte x; accept_s: x = 1; goto s2;
        accept_s1: x = 1; s2: x = 0; goto accept_s1 }";
    for emptiness in [EmptinessChoice::Nested, EmptinessChoice::Components] {
        let found = report(text, &acceptance(), &Options { emptiness, ..Options::default() });
        assert_eq!(first(&found).verdict, Verdict::Violated);
    }
}

#[test]
fn response_properties_of_the_source_are_reduced_as_there() {
    // Tables 1 and 2 of [Bosnacki 2002]; other models after the same words.
    let database = |n| format!("#define N {n}\n{DATABASE}");
    for (n, whole, orbits) in [(6, 2924, 48), (7, 10_215, 62)] {
        let way = Way { tracked: Some("answered"), product: true, ..Way::default() };
        let (all, few) =
            (counted(&database(n), way), counted(&database(n), Way { symmetry: true, ..way }));
        println!("{n}: {} and {}; the source has {whole}", all.states, few.states);
        assert!(all.states.abs_diff(whole) * 50 < whole, "{n}: {} and not {whole}", all.states);
        assert!(few.states <= orbits, "{n}: {}", few.states);
    }
}

const DATABASE: &str = include_str!("../../../models/symmetry/database-manager.pml");

#[test]
fn the_controller_has_the_numbers_of_the_source() {
    let sizes: &[u64] = if cfg!(debug_assertions) { &[10] } else { &[10, 50, 100] };
    for &n in sizes {
        let text = controller(n as usize - 1);
        for fairness in FAIRNESS {
            let quotient = Way { symmetry: true, fairness, ..Way::default() };
            let Counts { states, edges } = counted(&text, quotient);
            assert_eq!((states, edges), (4 * n - 2, (5 * n * n - 3 * n) / 2), "{fairness:?}");
            let twins = counted(&text, Way { twins: true, ..quotient });
            let fewer = (n * n + 13 * n - 16) / 2;
            assert_eq!((twins.states, twins.edges), (4 * n - 2, fewer), "{fairness:?}");
        }
    }
    let way = Way { symmetry: true, twins: true, ..Way::default() };
    let exclusive = Way { tracked: Some("exclusive"), product: true, ..way };
    for &n in sizes {
        assert_eq!(counted(&controller(n as usize - 1), exclusive).states, 4 * n - 2);
    }
}
