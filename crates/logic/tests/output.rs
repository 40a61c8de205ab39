//! Automata as text for people, for Spin and for Graphviz.

mod common;

use common::spin;
use isospin_logic::{translate, Buchi, Formula, Limits, Strength};

fn buchi(text: &str) -> Buchi {
    translate(&Formula::parse(text).unwrap(), &Limits::default()).unwrap().buchi
}

#[test]
fn a_never_claim_looks_like_spins() {
    assert_eq!(
        buchi("<> (x == 1)").never_claim("<> (x == 1)"),
        "never {    /* <> (x == 1) */\n\
         T0_init:\n\tdo\n\t:: !(x == 1) -> goto T0_init\n\t:: (x == 1) -> goto accept_all\n\tod;\n\
         accept_all:\n\tskip\n}\n"
    );
    assert_eq!(
        buchi("[] p").never_claim("[] p"),
        "never {    /* [] p */\naccept_init:\n\tdo\n\t:: (p) -> goto accept_init\n\tod;\n}\n"
    );
    assert!(buchi("false").never_claim("").contains("T0_init:\n\tfalse;"));
}

#[test]
fn spin_reads_the_never_claims() {
    if !spin::installed() {
        println!("spin is not installed: nothing is checked here");
        return;
    }
    let folder = std::env::temp_dir().join(format!("isospin-logic-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let formulas =
        ["p U q", "[] (p -> <> q)", "true", "false", "[]<> p && []<> q", "(p -> q) U (r > 1)"];
    for (index, text) in formulas.into_iter().enumerate() {
        let claim = buchi(text).never_claim(text);
        let model = format!("bool p, q; byte r;\nactive proctype m() {{ p = 1 }}\n{claim}");
        let name = format!("claim{index}.pml");
        std::fs::write(folder.join(&name), model).unwrap();
        let run = std::process::Command::new("spin")
            .args(["-a", &name])
            .current_dir(&folder)
            .output()
            .unwrap();
        let output = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success() && !output.contains("rror"), "{text}: {output}\n{claim}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn text_dot_and_hoa_name_states_labels_and_acceptance() {
    let automaton = buchi("<> (x == \"1\")");
    assert_eq!(
        automaton.to_string(),
        "state 0, initial\n  !(x == \"1\") -> 0\n  (x == \"1\") -> 1\n\
         state 1, accepting\n  (1) -> 1\n"
    );
    assert!(automaton.dot().contains("0 -> 1 [label=\"(x == \\\"1\\\")\"];"));
    assert!(automaton.dot().contains("1 [shape=doublecircle];"));
    assert!(automaton.hoa("n").contains("AP: 1 \"x == \\\"1\\\"\""));
    assert!(automaton.hoa("n").contains("State: 1 {0}\n[t] 1\n"));
    let text = translate(&Formula::parse("[]<> p && []<> q").unwrap(), &Limits::default()).unwrap();
    assert_eq!(text.generalized.len(), 1);
    assert!(text.generalized.to_string().contains("((p) && (q)) -> 0 {0 1}"));
}

#[test]
fn strengths_are_recognised() {
    assert_eq!(buchi("<> p").strength(), Strength::Terminal);
    assert_eq!(buchi("p U (q U r)").strength(), Strength::Terminal);
    assert_eq!(buchi("[] p").strength(), Strength::Weak);
    assert_eq!(buchi("<>[] p").strength(), Strength::Weak);
    assert_eq!(buchi("[]<> p").strength(), Strength::Strong);
    assert!(buchi("[] (p -> X q)").is_deterministic());
    assert!(!buchi("<>[] p").is_deterministic());
}
