//! What is found symmetric, and what is not.

use std::path::Path;

use isospin_analysis::optimize::Optimizations;
use isospin_model::Model;
use isospin_promela::Options;
use isospin_symmetry::{describe, prepare, Detection};

fn model(text: &str) -> Model {
    let mut reader = |_: &Path| Ok(text.as_bytes().to_vec());
    let reading = isospin_promela::read(Path::new("m.pml"), &Options::default(), &mut reader);
    reading.into_model().expect("a model")
}

fn detection(model: Model) -> Detection {
    prepare(&model, &[], Some(Optimizations::ALL)).detection
}

fn order(text: &str) -> f64 {
    detection(model(text)).symmetry.map_or(1.0, |s| s.group.order())
}

/// What stands in the way, all of it.
fn reasons(text: &str) -> String {
    let detection = detection(model(text));
    let breaches = detection.domains.iter().flat_map(|d| &d.breaches);
    let all: Vec<String> = breaches.map(|(.., b)| format!("{}: {}", b.text, b.why)).collect();
    detection.obstacle.unwrap_or_default() + &all.join("\n")
}

#[test]
fn processes_without_names_change_places() {
    assert_eq!(order("byte n; active [4] proctype P() { do :: n < 3 -> n++; n-- od }"), 24.0);
}

#[test]
fn process_numbers_are_names() {
    let unread = "bool f[3]; byte t; active [3] proctype P() { do :: f[_pid] = 1; t = _pid od }";
    assert_eq!(order(unread), 6.0);
    let read = "bool f[3]; byte t; active [3] proctype P() { do :: f[_pid] = !f[t]; t = _pid od }";
    assert_eq!(order(read), 6.0);
}

#[test]
fn parameters_are_names_and_two_families_may_share_them() {
    let text = "bool a[3];
        proctype P(byte me) { do :: a[me] = true od }
        proctype Q(byte me) { do :: a[me] = false od }
        init { atomic { run P(0); run P(1); run P(2); run Q(0); run Q(1); run Q(2) } }";
    assert_eq!(order(text), 6.0);
}

#[test]
fn a_channel_counts_though_nobody_looks_at_the_message() {
    let text = "chan b[3] = [1] of { byte }; byte g;
        proctype P(byte me) { do :: g == me -> b[me]?_ :: g = me od }
        proctype Q(byte me) { do :: b[me]!1 od }
        init { atomic { run P(0); run P(1); run P(2); run Q(0); run Q(1); run Q(2) } }";
    assert_eq!(order(text), 6.0);
    let carriers = &detection(model(text)).domains[0].carriers;
    for carrier in ["b[name]", "g = name", "P.me = name", "Q.me = name"] {
        assert!(carriers.iter().any(|c| c == carrier), "{carriers:?}");
    }
}

#[test]
fn families_without_anything_in_common_multiply() {
    let text = "byte x;
        active [3] proctype P() { do :: x = 1 od }
        active [2] proctype Q() { do :: x = 0 od }";
    assert_eq!(order(text), 12.0);
}

#[test]
fn a_name_that_is_written_out_stays_where_it_is() {
    let text = "byte t; active [4] proctype P() { do :: t == 2 -> t = _pid od }";
    assert_eq!(order(text), 6.0);
    assert!(reasons(text).contains("written out"), "{}", reasons(text));
}

#[test]
fn names_outside_the_set_are_none() {
    let text = "byte t = 255; active [3] proctype P() { do :: t == 255 -> t = _pid od }";
    assert_eq!(order(text), 6.0);
}

#[test]
fn names_that_are_compared_by_size_or_computed_with_do_not_change_places() {
    // Whether a name is greater than 1 tells 2 from the others, and nothing else.
    for (expr, left) in [("t < _pid", 1.0), ("t + _pid == 3", 1.0), ("t > 1", 2.0)] {
        let text = format!("byte t; active [3] proctype P() {{ do :: {expr} -> t = _pid od }}");
        assert_eq!(order(&text), left, "{expr}");
    }
}

#[test]
fn all_names_written_out_together_are_one_question() {
    let text = "bool f[3]; active [3] proctype P() {
        do :: (_pid == 0 || f[0]) && (_pid == 1 || f[1]) && (_pid == 2 || f[2]) -> f[_pid] = 0
           :: f[_pid] = 1 od }";
    assert_eq!(order(text), 6.0);
}

#[test]
fn any_of_the_names_may_be_chosen() {
    let text = "byte t; active [3] proctype P() { byte q;
        do :: t == _pid -> atomic { select(q : 0 .. 2); t = q } od }";
    assert_eq!(order(text), 6.0);
    let bound = "byte t; active [3] proctype P() { byte q;
        do :: t == _pid -> atomic { select(q : 0 .. 3 - 1); t = q } od }";
    assert_eq!(order(bound), 6.0);
    let part = "byte t; active [3] proctype P() { byte q;
        do :: t == _pid -> atomic { select(q : 0 .. 1); t = q } od }";
    assert_eq!(order(part), 2.0);
}

#[test]
fn a_loop_over_all_names_whose_order_does_not_matter() {
    let body = |body: &str| {
        format!(
            "bool f[3]; byte x; byte last; chan c[3] = [2] of {{ byte }};
             chan one = [3] of {{ byte }};
             active [3] proctype P() {{ byte q; bool all;
             do :: atomic {{ all = true; for (q : 0 .. 2) {{ {body} }}; q = 0;
                             if :: all && f[last] -> f[_pid] = 1 :: x == 2 -> one?last :: else fi }} od }}"
        )
    };
    for good in [
        "f[q] = false",
        "if :: q != _pid && f[q] -> all = false :: else fi",
        "x++",
        "c[q]!q",
        "if :: nempty(c[q]) -> c[q]?_ :: else fi",
    ] {
        assert_eq!(order(&body(good)), 6.0, "{good}");
    }
    for bad in ["last = q", "one!q", "if :: f[q] -> last = q; f[q] = 0 :: else fi"] {
        assert_eq!(order(&body(bad)), 1.0, "{bad}");
    }
}

#[test]
fn a_loop_that_others_can_see_is_no_whole() {
    let text = "bool f[3]; active [3] proctype P() { byte q;
        do :: f[_pid] -> for (q : 0 .. 2) { f[q] = !f[q] } od }";
    assert_eq!(order(text), 1.0);
    assert!(reasons(text).contains("atomic"), "{}", reasons(text));
}

/// A ring of `n` processes with what each does, given its neighbours `L` and `R`.
fn ring(n: usize, does: &str) -> String {
    format!(
        "#define N {n}\n#define R ((_pid + 1) % N)\n#define L ((_pid + N - 1) % N)\n\
         bool f[N]; byte t; chan c[N] = [1] of {{ byte }};
         active [N] proctype P() {{ byte k; {does} }}"
    )
}

#[test]
fn rings_whose_neighbours_are_treated_alike_can_be_turned_over() {
    for n in [4, 5, 6] {
        for does in [
            "do :: f[L] || f[R] -> f[_pid] = 1 od",
            "do :: f[_pid] == 0 && f[(_pid + N - 1) % N] == f[R] -> f[_pid] = 1 od",
            "do :: if :: f[L] :: f[R] fi; f[_pid] = 1 od",
            "do :: if :: t == L :: t == R fi; t = _pid od",
            "do :: t = L :: t = R :: t == _pid && f[t] -> f[t] = 1 od",
            "do :: c[L]!_pid :: c[R]!_pid :: c[_pid]?k -> t = k od",
            "do :: k = f[L] + f[R]; f[_pid] = (k == 1); k = 0 od",
            "do :: d_step { !(f[R] && f[L]); f[_pid] = f[L] || f[_pid] || f[R] } od",
            "do :: assert(len(c[R]) + len(c[L]) < 3); c[_pid]!f[_pid] od",
        ] {
            assert_eq!(order(&ring(n, does)), 2.0 * n as f64, "{n}: {does}");
        }
    }
    // Three neighbours are all there are.
    assert_eq!(order(&ring(3, "do :: f[L] || f[R] -> f[_pid] = 1 od")), 6.0);
    let four = "bool f[4]; proctype P(byte me) {
        do :: f[(me + 3) % 4] || f[(me + 1) % 4] -> f[me] = !f[me] od }
        init { atomic { run P(0); run P(1); run P(2); run P(3) } }";
    assert_eq!(order(four), 8.0);
}

#[test]
fn a_name_is_compared_with_one_that_is_computed() {
    let peterson = "bool flag[2]; bit turn;
        active [2] proctype P() {
          do :: flag[_pid] = 1; turn = _pid; (!flag[1 - _pid] || turn == 1 - _pid); flag[_pid] = 0
          od }";
    assert_eq!(order(peterson), 2.0);
    let next = "byte turn; active [5] proctype P() {
        do :: turn == (_pid + 1) % 5 -> turn = _pid od }";
    assert_eq!(order(next), 5.0);
}

#[test]
fn rings_with_a_left_and_a_right_only_rotate() {
    for n in [4, 5, 6] {
        for does in [
            "do :: f[R] -> f[_pid] = 1 od",
            "do :: f[L] && !f[R] -> f[_pid] = 1 od",
            "do :: f[L] -> f[_pid] = 1 :: f[R] -> f[_pid] = 0 od",
            "do :: f[L] -> f[_pid] = 1 :: f[R] -> f[_pid] = 1; f[_pid] = 0 od",
            "do :: t == L -> t = R od",
            "do :: c[L]!_pid :: c[_pid]?k -> t = k od",
            "do :: d_step { if :: f[L] -> f[_pid] = 1 :: f[R] -> f[_pid] = 1 fi } od",
            "do :: k = f[L] - f[R]; f[_pid] = (k == 1); k = 0 od",
        ] {
            assert_eq!(order(&ring(n, does)), n as f64, "{n}: {does}");
        }
    }
    // Two to the right is another matter than one to the right.
    let far = "do :: f[R] || f[(_pid + 2) % N] -> f[_pid] = 1 od";
    assert_eq!(order(&ring(5, far)), 5.0);
    // An index that is out of range is an error, and which comes first shows.
    let fails = "do :: f[t] || f[_pid] -> t = L :: f[_pid] || f[t] -> t = R od";
    assert_eq!(order(&ring(4, fails)), 4.0);
}

#[test]
fn rings_rotate() {
    let text = "chan c[4] = [1] of { byte };
        active [4] proctype P() { do :: c[_pid]!1 :: c[(_pid + 1) % 4]?1 od }";
    assert_eq!(order(text), 4.0);
}

#[test]
fn messages_are_told_apart_by_their_first_field() {
    let text = "mtype = { ask, count };
        chan c = [3] of { mtype, byte };
        active [3] proctype P() { byte q, n;
          do :: c!ask(_pid) :: atomic { c?ask(q) -> q = 0 } :: c!count(2) :: c?count(n) od }";
    assert_eq!(order(text), 6.0);
    let mixed = "chan c = [3] of { byte, byte };
        active [3] proctype P() { byte k, q; bool f[3];
          do :: c!k(_pid) :: c!k(1) :: c?k(q) -> f[q] = 1 od }";
    assert!(order(mixed) < 6.0);
}

#[test]
fn processes_that_end_may_stay_unless_somebody_can_tell() {
    let text = "byte x; active [3] proctype P() { x++ }";
    assert_eq!(order(text), 6.0);
    let seen = "byte x; active [3] proctype P() { x++; _nr_pr == 1 }";
    assert_eq!(order(seen), 1.0);
    assert!(reasons(seen).contains("end"), "{}", reasons(seen));
}

#[test]
fn what_processes_never_change_tells_them_apart() {
    let text = "byte x; proctype P(byte weight) { do :: x = weight + 1 od }
        init { atomic { run P(5); run P(5); run P(7) } }";
    assert_eq!(order(text), 2.0);
}

#[test]
fn a_declared_set_is_proved_like_any_other() {
    let good = "scalarset(Box, 3) at; bool taken[3];
        active proctype P() { scalarset(Box, 3) b;
          do :: atomic { select(b : 0 .. 2); taken[b] = !taken[b]; at = b } od }";
    let model_of_good = model(good);
    let found = detection(model_of_good.clone());
    assert_eq!(found.symmetry.as_ref().map(|s| s.group.order()), Some(6.0));
    assert_eq!(found.wrong_declaration(&model_of_good), None);
    let bad = "scalarset(Box, 3) at;
        active proctype P() { do :: at > 0 -> at = 0 od }";
    let model_of_bad = model(bad);
    let (set, breach) = detection(model_of_bad.clone()).wrong_declaration(&model_of_bad).unwrap();
    assert_eq!((set.as_str(), breach.source.line), ("Box", 2));
}

#[test]
fn a_description_says_what_to_look_at() {
    let text = "byte at; bool taken[3];
        active proctype P() { byte b;
          do :: atomic { select(b : 0 .. 2); taken[b] = !taken[b]; at = b } od }";
    assert_eq!(order(text), 1.0);
    let mut described = model(text);
    describe(
        &mut described,
        "scalarset Box[3]; // the boxes\nBox at; bool taken[Box]; proctype P() { Box b; }",
    )
    .unwrap();
    assert_eq!(detection(described).symmetry.map(|s| s.group.order()), Some(6.0));
    for (wrong, line) in [
        ("scalarset Box[0];", 1),
        ("scalarset Box[3];\nBox nothing;", 2),
        ("proctype Q() { }", 1),
        ("scalarset Box[3]\nBox at;", 2),
        ("chan c of { byte };", 1),
    ] {
        let error = describe(&mut model(text), wrong).unwrap_err();
        assert_eq!(error.line, line, "{wrong}: {}", error.message);
    }
}
