//! scratch
use isospin_logic::*;
use std::time::Instant;
fn main() {
    let join = |n: usize, op: &str, f: &dyn Fn(usize) -> String| (0..n).map(f).collect::<Vec<_>>().join(op);
    let mut cases: Vec<(String, String)> = vec![];
    for n in [4, 8, 12] { let mut s = "z".to_string(); for i in 0..n { s = format!("(a{i} U {s})"); } cases.push((format!("nested U {n}"), s)); }
    for n in [4, 8, 12] { let mut s = "z".to_string(); for i in 0..n { s = format!("({s} U a{i})"); } cases.push((format!("left nested U {n}"), s)); }
    for n in [2, 4, 6, 8, 12] { cases.push((format!("conj U {n}"), join(n, " && ", &|i| format!("(a{i} U b{i})")))); }
    for n in [2, 3, 4, 5, 6, 8] { cases.push((format!("response {n}"), join(n, " && ", &|i| format!("[](a{i} -> <>b{i})")))); }
    for n in [4, 8, 12, 16] { cases.push((format!("conj F {n}"), join(n, " && ", &|i| format!("<>a{i}")))); }
    for n in [2, 4, 6, 8,10, 14] { cases.push((format!("fair {n}"), format!("({}) -> []<>b", join(n, " && ", &|i| format!("[]<>a{i}"))))); }
    for n in [2, 3, 4] { cases.push((format!("strong fair {n}"), format!("({}) -> [](x -> <>b)", join(n, " && ", &|i| format!("([]<>a{i} -> []<>b{i})"))))); }
    for n in [10, 50, 150] { cases.push((format!("X {n}"), format!("{}p", "X ".repeat(n)))); }
    for n in [10, 50, 150] { cases.push((format!("G(p->X {n})"), format!("[](p -> {}q)", "X ".repeat(n)))); }
    for n in [4, 6, 10, 40] { cases.push((format!("F<->{n}"), join(n, " <-> ", &|i| format!("<>a{i}")))); }
    for n in [10, 40, 64] { cases.push((format!("a<->{n}"), join(n, " <-> ", &|i| format!("a{i}")))); }
    for n in [10, 40, 64] { cases.push((format!("G a<->{n}"), format!("[] ({})", join(n, " <-> ", &|i| format!("a{i}"))))); }
    for n in [4, 6, 8] { cases.push((format!("GX {n}"), format!("[]({})", join(n, " && ", &|i| format!("(a{i} -> X b{i})"))))); }
    for n in [4,8,16,32] { cases.push((format!("F disj/conj {n}"), format!("[]<>({})", join(n, " && ", &|i| format!("(a{i} || b{i})"))))); }
    for n in [4,6,8] { let mut s = "z".to_string(); for i in 0..n { s = format!("(a{i} U (b{i} && X {s}))"); } cases.push((format!("alt {n}"), format!("[]{s}"))); }
    for (name, text) in cases {
        for neg in [false, true] {
            let f = match Formula::parse(&text) { Ok(f) => f, Err(e) => { println!("{name}: {e}"); continue } };
            let f = if neg { f.negated() } else { f };
            let t = Instant::now();
            let r = translate(&f, &Limits::default());
            let d = t.elapsed();
            let t = Instant::now();
            let s = is_stutter_invariant(&f);
            println!("{name} neg={neg}: {:.0?} {}  stutter {s} {:.0?}", d, match r { Ok(a) => format!("{} {}", a.buchi.len(), a.generalized.len()), Err(e) => e.to_string() }, t.elapsed());
        }
    }
}
