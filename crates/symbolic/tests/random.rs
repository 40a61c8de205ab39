//! Random models: what diagrams find is what is found state by state, under every order, with
//! clusters of every size, by every strategy, with bits moved or not; and the interpreter confirms
//! every execution.

use std::path::Path;
use std::sync::Arc;

use isospin_relation::Relation;
use isospin_symbolic::{check, explicit, Moves, Options, Order, Report, Status, Strategy, Verdict};

/// How many models, unless `ISOSPIN_RANDOM_MODELS` says otherwise.
const MODELS: u64 = 60;

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }
}

/// Variables: two truth values, a range, an enumeration, sometimes a word, an input and a frozen
/// one.
struct Writer {
    random: Random,
    text: String,
    has_input: bool,
    has_word: bool,
}

impl Writer {
    fn state_atom(&mut self) -> String {
        let constant = self.random.below(5);
        let symbol = self.random.pick(&["red", "green", "blue"]);
        let mut choices = vec![
            "p".to_owned(),
            "q".to_owned(),
            format!("x = {constant}"),
            format!("x < {constant}"),
            format!("x + toint(p) > {constant}"),
            format!("(x * 3) mod 4 = {}", constant % 4),
            format!("-x / 2 = -{}", constant % 3),
            format!("c = {symbol}"),
            "c in {red, blue}".to_owned(),
            format!("f = {}", constant % 2),
        ];
        if self.has_word {
            choices.push(format!("w > 0ud3_{constant}"));
            choices.push("w[2:1] = 0ub2_01".to_owned());
            choices.push("(w << 1) + 0ud3_1 = 0ud3_3".to_owned());
            choices.push("signed(w) < 0sd3_0".to_owned());
        }
        let at = self.random.below(choices.len() as u64) as usize;
        choices.swap_remove(at)
    }

    fn boolean(&mut self, depth: u32, inputs: bool) -> String {
        if depth == 0 || self.random.chance(30) {
            if inputs && self.has_input && self.random.chance(40) {
                return "i".into();
            }
            return format!("({})", self.state_atom());
        }
        let a = self.boolean(depth - 1, inputs);
        if self.random.chance(20) {
            return format!("!{a}");
        }
        let b = self.boolean(depth - 1, inputs);
        let operator = self.random.pick(&["&", "|", "->", "<->", "xor"]);
        format!("({a} {operator} {b})")
    }

    fn branching(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.boolean(1, false);
        }
        let a = self.branching(depth - 1);
        match self.random.below(10) {
            0 => format!("EX {a}"),
            1 => format!("AX {a}"),
            2 => format!("EF {a}"),
            3 => format!("AF {a}"),
            4 => format!("EG {a}"),
            5 => format!("AG {a}"),
            6 => {
                let bounded = self.random.pick(&["EBF 1..3", "ABF 0..2", "EBG 0..2", "ABG 0..3"]);
                format!("{bounded} {a}")
            }
            7 => format!("!({a})"),
            8 => format!("E [{a} U {}]", self.branching(depth - 1)),
            _ => format!("A [{a} U {}]", self.branching(depth - 1)),
        }
    }

    fn linear(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.boolean(1, true);
        }
        let a = self.linear(depth - 1);
        let unary = self.random.pick(&["X", "F", "G", "Y", "Z", "O", "H", "!", "F", "G"]);
        if self.random.chance(60) {
            return format!("({unary} {a})");
        }
        let b = self.linear(depth - 1);
        let binary = self.random.pick(&["U", "V", "S", "T", "&", "|", "->"]);
        format!("({a} {binary} {b})")
    }

    fn assignments(&mut self) {
        let guard = self.boolean(2, true);
        let other = self.boolean(2, true);
        let set = self.random.pick(&["{0, 2}", "1..3", "x", "{x, 4}", "4"]);
        let symbol = self.random.pick(&["red", "{red, green}", "c", "{c, blue}"]);
        let truth = self.random.pick(&["{TRUE, FALSE}", "!p", "p union q", "q"]);
        self.text +=
            &format!("ASSIGN\n  next(x) := case {guard} : {set}; x < 4 : x + 1; TRUE : 0; esac;\n");
        if self.random.chance(80) {
            self.text += &format!("  next(c) := ({other}) ? {symbol} : c;\n");
        }
        if self.random.chance(80) {
            self.text += &format!("  next(p) := {truth};\n");
        }
        if self.has_word {
            self.text += "  next(w) := case p : w + 0ud3_3; q : w * 0ud3_3; TRUE : w >> 1; esac;\n";
        }
    }

    fn model(seed: u64) -> String {
        let random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut w = Writer { random, text: String::new(), has_input: false, has_word: false };
        for _ in 0..4 {
            w.random.below(2);
        }
        w.has_input = w.random.chance(40);
        w.has_word = w.random.chance(25);
        let processes = w.random.chance(30);
        if processes {
            w.text += "MODULE mover(p, x)\nVAR at : 0..2;\nASSIGN\n  init(at) := 0;\n  next(at) := case p : (at + 1) mod 3; x > 2 : {0, 1}; TRUE : at; esac;\n";
            w.text += "  next(p) := case at = 1 : !p; TRUE : p; esac;\n";
            if w.random.chance(60) {
                w.text += "FAIRNESS running\n";
            }
        }
        w.text += "MODULE main\nVAR\n  p : boolean;\n  q : boolean;\n  x : 0..4;\n  c : {red, green, blue};\n";
        if w.has_word {
            w.text += "  w : unsigned word[3];\n";
        }
        if processes {
            w.text += "  m : process mover(q, x);\n  n : process mover(q, x);\n";
        }
        w.text += "FROZENVAR f : 0..1;\n";
        if w.has_input {
            w.text += "IVAR i : boolean;\n";
        }
        w.assignments();
        let init = w.boolean(2, false);
        w.text += &format!("INIT x = 0 & ({init})\n");
        if w.random.chance(25) {
            let invariant = w.boolean(2, false);
            w.text += &format!("INVAR {invariant}\n");
        }
        if !processes && !w.has_word && w.random.chance(40) {
            // One step at a time, beside everything else.
            w.text += "VAR a : 0..2; b : boolean;\n";
            w.text += "DEFINE keep_a := next(a) = a; keep_b := next(b) = b;\nINIT a = 0 & !b\n";
            let (g, h) = (w.boolean(1, false), w.boolean(1, true));
            w.text += &format!("TRANS ({g} & a < 2 & next(a) = a + 1 & keep_b)\n");
            w.text +=
                &format!("  | ({h} & next(b) = !b & keep_a) | (a = 2 & next(a) = 0 & keep_b)\n");
        }
        if w.random.chance(30) {
            let (a, b) = (w.boolean(1, true), w.boolean(1, false));
            w.text += &format!("TRANS {a} -> next({b})\n");
        }
        if w.random.chance(40) {
            let fair = w.boolean(1, true);
            w.text += &format!("FAIRNESS {fair}\n");
        }
        if w.random.chance(25) {
            let (a, b) = (w.boolean(1, false), w.boolean(1, false));
            w.text += &format!("COMPASSION ({a}, {b})\n");
        }
        for depth in 1..4 {
            let formula = w.branching(depth);
            w.text += &format!("SPEC {formula};\n");
        }
        for depth in [1, 2, 2] {
            let formula = w.linear(depth);
            w.text += &format!("LTLSPEC {formula};\n");
        }
        let mut invariant = w.boolean(2, true);
        if w.random.chance(40) {
            invariant = format!("{invariant} | next({})", w.boolean(1, false));
        }
        let (a, b) = (w.boolean(1, false), w.boolean(1, false));
        w.text +=
            &format!("INVARSPEC {invariant};\nCOMPUTE MIN [{a}, {b}];\nCOMPUTE MAX [{a}, {b}];\n");
        w.text
    }
}

fn read(text: &str) -> Relation {
    let bytes = text.as_bytes().to_vec();
    let reading = isospin_smv::read(Path::new("m.smv"), bytes, &isospin_smv::Options::default());
    let diagnostics = reading.diagnostics;
    reading.relation.unwrap_or_else(|| panic!("{diagnostics:?}\n{text}"))
}

fn agree(text: &str, left: &Report, right: &Report, what: &str, relation: &Relation) {
    assert_eq!(left.status, right.status, "{what}\n{text}");
    assert_eq!(left.reachable, right.reachable, "{what}\n{text}");
    // Only a search ring by ring finds it out.
    if left.diameter.is_some() {
        assert_eq!(left.diameter, right.diameter, "{what}\n{text}");
    }
    assert_eq!(left.deadlock.is_some(), right.deadlock.is_some(), "{what}\n{text}");
    assert_eq!(left.unconfirmed, 0, "{what}\n{text}");
    for ((a, b), s) in left.found.iter().zip(&right.found).zip(&relation.specifications) {
        // The product with a large formula is not looked at state by state.
        if b.verdict != Verdict::Incomplete {
            assert_eq!(a.verdict, b.verdict, "{what}: {}\n{text}", s.text);
        }
    }
}

#[test]
fn diagrams_find_what_is_found_state_by_state() {
    let count = std::env::var("ISOSPIN_RANDOM_MODELS").ok().and_then(|t| t.parse().ok());
    let mut compared = 0;
    for seed in 1..=count.unwrap_or(MODELS) {
        let text = Writer::model(seed);
        let relation = read(&text);
        isospin_relation::verify::verify(&relation).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let relation = Arc::new(relation);
        let small = Options { memory: 8 << 20, ..Options::default() };
        let expected = explicit(&relation, &small, &mut |_| true);
        assert_eq!(expected.status, Status::Complete, "{text}");
        let mut reversed = Order::declared(&relation);
        reversed.0.reverse();
        let orders = [
            None,
            Some(Order::declared(&relation)),
            Some(Order::force(&relation)),
            Some(reversed),
            Some(Order::sloan(&relation)),
            Some(Order::depth_first(&relation)),
        ];
        let strategies =
            [Strategy::Automatic, Strategy::Breadth, Strategy::Chaining, Strategy::Saturation];
        let moves = [Moves::WhenLarge, Moves::Never, Moves::Always];
        // Three of all combinations; other seeds take others.
        for k in 0..3 {
            let mut number = (seed * 3 + k) as usize;
            let mut next = |count: usize| {
                let choice = number % count;
                number /= count;
                choice
            };
            let strategy = strategies[next(4)];
            let order = orders[next(6)].clone();
            let (cluster, moves) = ([1, 40, 100_000][next(3)], moves[next(3)]);
            let options = Options { order, cluster, strategy, moves, ..small.clone() };
            let what = format!("seed {seed}, {strategy:?}, {moves:?}, clusters of {cluster}");
            let found = check(&relation, &options, &mut |_| true);
            if found.status == Status::Refused {
                continue;
            }
            compared += 1;
            agree(&text, &found, &expected, &what, &relation);
        }
    }
    assert!(compared > 0, "every model was refused");
}
