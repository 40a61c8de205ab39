//! Random systems in IF: clocks, deadlines, routes of every kind, saved signals, unstable states,
//! processes that start others and stop.

use std::fmt::Write;

use crate::rng::Rng;

/// The text of the system with this seed.
pub fn system(seed: u64) -> String {
    let mut made = Maker { rng: Rng::new(seed), out: String::new() };
    made.system();
    made.out
}

struct Maker {
    rng: Rng,
    out: String,
}

impl Maker {
    fn below(&mut self, n: u64) -> u64 {
        self.rng.below(n as usize) as u64
    }

    fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len() as u64) as usize]
    }

    fn system(&mut self) {
        self.out.push_str("system r;\ntype few = range 0 .. 2;\nsignal a();\nsignal b(few);\n");
        self.out.push_str("signal c(pid, boolean);\n");
        let reach = self.pick(&["", "#unicast ", "#multicast ", "#peer "]);
        let pace = self.pick(&["", "", "#delay[0,1] ", "#delay[1,2] ", "#rate[1,2] "]);
        let more = self.pick(&["", "#lossy ", "#multiset ", "#multiset #lossy "]);
        let _ =
            writeln!(self.out, "signalroute r(1) {reach}{pace}{more} from p to q with a, b, c;");
        if self.once_in(2) {
            self.out.push_str("signalroute e(1) from env to q with b;\n");
        }
        let many = self.pick(&["1", "1", "2"]);
        self.process("p", many, false);
        let many = self.pick(&["1", "2"]);
        self.process("q", many, false);
        self.process("w", "0", true);
        self.out.push_str("endsystem;\n");
    }

    fn process(&mut self, name: &str, many: &str, worker: bool) {
        let _ = writeln!(self.out, "process {name}({many});");
        if worker {
            self.out.push_str("fpar boss pid, in v few;\n");
        }
        self.out.push_str("var x few;\nvar y boolean;\nvar z pid;\nvar k clock;\n");
        if name == "p" {
            self.out.push_str("var open few public;\n");
        }
        let states = 2 + self.below(2);
        for s in 0..states {
            let option = if s == 0 { "#start " } else { "" };
            let unstable = s > 0 && self.once_in(4);
            let option = if unstable { "#unstable " } else { option };
            let _ = writeln!(self.out, "state s{s} {option};");
            let saves = !unstable && self.once_in(4);
            if saves {
                self.out.push_str("save a;\n");
            }
            for _ in 0..1 + self.below(2) {
                self.transition(states, worker, unstable, saves);
            }
            if unstable {
                self.out.push_str("nextstate s0;\n");
            }
            self.out.push_str("endstate;\n");
        }
        self.out.push_str("endprocess;\n");
    }

    fn condition(&mut self) -> String {
        let number = self.below(3);
        match self.below(6) {
            0 => format!("x = {number}"),
            1 => "y".to_owned(),
            2 => "not y".to_owned(),
            3 => "z = nil".to_owned(),
            4 => format!("({{p}}0).open <= {number}"),
            _ => format!("x <> {number} or y"),
        }
    }

    fn transition(&mut self, states: u64, worker: bool, unstable: bool, saves: bool) {
        if !unstable {
            let deadline = self.pick(&["", "", "deadline lazy; ", "deadline delayable; "]);
            self.out.push_str(deadline);
        }
        if self.once_in(3) {
            let condition = self.condition();
            let _ = write!(self.out, "provided {condition}; ");
        }
        if !unstable && self.once_in(3) {
            let number = self.below(3);
            let op = self.pick(&["=", "<=", ">=", "<", ">"]);
            let _ = write!(self.out, "when k {op} {number}; ");
        }
        if !unstable && self.once_in(2) {
            let first = if saves { "b(x)" } else { "a()" };
            let input = self.pick(&[first, "b(x)", "c(z, y)", "b(x)"]);
            let _ = write!(self.out, "input {input}; ");
        }
        for _ in 0..self.below(3) {
            self.statement(true);
        }
        if worker && self.once_in(3) {
            self.out.push_str("stop;\n");
        } else {
            let next = self.below(states);
            let _ = writeln!(self.out, "nextstate s{next};");
        }
    }

    fn statement(&mut self, blocks: bool) {
        let number = self.below(3);
        let to = self.pick(&["{q}0", "{p}0", "{q}1", "z", "self"]);
        let text = match self.below(if blocks { 13 } else { 11 }) {
            0 => format!("task x := {number};"),
            1 => "task x := (x + 1) % 3;".to_owned(),
            2 => "task y := not y;".to_owned(),
            3 => format!("task ({{p}}0).open := {number};"),
            4 => "set k := 0;".to_owned(),
            5 => self.pick(&["reset k;", "set k := 1;"]).to_owned(),
            6 => format!("output a() to {to};"),
            7 => format!("output b(x) to {to};"),
            8 => "output c(self, y) via {r}0 to {q}0;".to_owned(),
            9 => "output b(x) via {r}0;".to_owned(),
            10 => "z := fork w(self, x);".to_owned(),
            _ => {
                let condition = self.condition();
                let _ = write!(self.out, "if {condition} then ");
                self.statement(false);
                if self.once_in(2) {
                    self.out.push_str("else ");
                    self.statement(false);
                }
                "endif".to_owned()
            }
        };
        let _ = write!(self.out, "{text} ");
    }
}
