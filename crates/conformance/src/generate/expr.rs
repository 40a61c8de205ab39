//! Expressions. Everything compound is in parentheses.

use super::world::{Ty, Var, SYMBOLS};
use super::Gen;

impl Gen {
    /// The variables in sight, locals more often than their share.
    fn variables(&mut self) -> Vec<Var> {
        let locals = &self.body.locals;
        if !locals.is_empty() && self.rng.chance(40) {
            return locals.clone();
        }
        self.world.vars.clone()
    }

    /// The text of a variable or channel with its index filled in.
    pub(super) fn indexed(&mut self, text: &str, len: usize) -> String {
        let mut out = String::new();
        for c in text.chars() {
            match c {
                '#' => out.push_str(&self.index(len)),
                c => out.push(c),
            }
        }
        out
    }

    fn index(&mut self, len: usize) -> String {
        if self.swarm.faulty && self.rng.chance(20) {
            return self.number(0);
        }
        match self.rng.below(4) {
            0 | 1 => self.rng.below(len).to_string(),
            2 => format!("({} & {})", self.number(0), len - 1),
            _ => format!("({} & {})", self.own_number(), len - 1),
        }
    }

    /// A number that a process mostly keeps: its own, or a parameter.
    fn own_number(&mut self) -> String {
        let parameters = self.body.locals.iter().filter(|v| v.text.starts_with('p'));
        let numbers = parameters.filter(|v| v.ty != Ty::Chan).map(|v| v.text.clone());
        let mut all: Vec<String> = numbers.collect();
        all.extend(["_pid", "(_pid + 1)"].map(str::to_owned));
        self.rng.pick(&all).clone()
    }

    /// A variable that can be assigned to. Its index does not depend on itself: when Spin's
    /// verifier takes such an assignment back, it restores another element.
    pub(super) fn target(&mut self) -> (String, Ty) {
        for _ in 0..5 {
            let vars: Vec<Var> = self.variables();
            let vars: Vec<Var> = vars.into_iter().filter(|v| v.ty != Ty::Chan).collect();
            if vars.is_empty() {
                continue;
            }
            let var = self.rng.pick(&vars).clone();
            let text = self.indexed(&var.text, var.len);
            if !text.contains('[') || words(&text).filter(|w| *w == base(&text)).count() == 1 {
                return (text, var.ty);
            }
        }
        ("g0".to_owned(), self.world.vars[0].ty)
    }

    /// A variable to read, of a type that counts.
    fn load(&mut self) -> String {
        let vars = self.variables();
        let vars: Vec<Var> = vars.into_iter().filter(|v| v.ty != Ty::Chan).collect();
        if vars.is_empty() {
            "g0".to_owned()
        } else {
            let var = self.rng.pick(&vars).clone();
            self.indexed(&var.text, var.len)
        }
    }

    /// A number.
    pub(super) fn number(&mut self, depth: usize) -> String {
        let deep = if depth > 0 { 1 } else { 0 };
        let channels = usize::from(!self.world.chans.is_empty());
        match self.rng.weighted(&[
            (5, 0),
            (7, 1),
            (1, 2),
            (6 * deep, 3),
            (channels, 4),
            (deep, 5),
            (deep, 6),
            (usize::from(self.swarm.macros), 7),
            (usize::from(self.swarm.remote), 8),
            (usize::from(self.swarm.last), 9),
            (usize::from(self.swarm.remote && self.swarm.enabled), 11),
            (usize::from(self.swarm.priority), 10),
        ]) {
            0 => self.rng.below(4).to_string(),
            1 => self.load(),
            2 => (*self.rng.pick(&["_pid", "_nr_pr"])).to_owned(),
            3 => self.arithmetic(depth - 1),
            4 => match self.channel(|c| c.capacity > 0) {
                Some((text, _)) => format!("len({text})"),
                None => "1".to_owned(),
            },
            5 => {
                let (c, a, b) =
                    (self.condition(depth - 1), self.number(depth - 1), self.number(depth - 1));
                format!("({c} -> {a} : {b})")
            }
            6 => {
                let op = *self.rng.pick(&["-", "~", "!"]);
                format!("({op}{})", self.number(depth - 1))
            }
            7 => format!("next({})", self.load()),
            8 => self.remote_variable().unwrap_or_else(|| "0".to_owned()),
            9 => "_last".to_owned(),
            11 => format!("(pc_value({}) & 7)", self.rng.below(3)),
            _ => {
                if self.rng.chance(50) {
                    "_priority".to_owned()
                } else {
                    format!("get_priority({})", self.rng.below(3))
                }
            }
        }
    }

    fn arithmetic(&mut self, depth: usize) -> String {
        let a = self.number(depth);
        if self.swarm.faulty && self.rng.chance(15) {
            let op = *self.rng.pick(&["/", "%"]);
            return format!("({a} {op} {})", self.number(depth));
        }
        match self.rng.below(10) {
            0..=2 => format!("({a} + {})", self.number(depth)),
            3 | 4 => format!("({a} - {})", self.number(depth)),
            5 => format!("({a} * {})", self.number(depth)),
            6 => format!("({a} {} {})", self.rng.pick(&["/", "%"]), self.rng.between(2, 3)),
            7 => format!("({a} {} {})", self.rng.pick(&["&", "|", "^"]), self.number(depth)),
            8 => format!("({a} {} {})", self.rng.pick(&["<<", ">>"]), self.rng.between(1, 2)),
            _ => format!("({a} % 3)"),
        }
    }

    /// A condition.
    pub(super) fn condition(&mut self, depth: usize) -> String {
        let deep = usize::from(depth > 0);
        let channels = usize::from(!self.world.chans.is_empty());
        match self.rng.weighted(&[
            (10, 0),
            (2 * deep, 1),
            (deep, 2),
            (2 * channels * usize::from(self.swarm.poll), 4),
            (2 * usize::from(self.swarm.remote), 5),
            (2 * usize::from(self.swarm.enabled), 6),
            (usize::from(!self.world.conditions.is_empty()), 7),
            (2, 8),
        ]) {
            0 => {
                let op = *self.rng.pick(&["==", "!=", "<", "<=", ">", ">="]);
                format!("({} {op} {})", self.number(depth), self.number(depth))
            }
            1 => {
                let op = *self.rng.pick(&["&&", "||"]);
                format!("({} {op} {})", self.condition(depth - 1), self.condition(depth - 1))
            }
            2 => format!("(!({} > {}))", self.number(depth - 1), self.number(depth - 1)),
            4 => self.poll().unwrap_or_else(|| "(g0 != 1)".to_owned()),
            5 => self.remote_label().unwrap_or_else(|| "(g0 < 2)".to_owned()),
            6 => format!("enabled({})", self.other_pid()),
            7 => self.rng.pick(&self.world.conditions.clone()).clone(),
            _ => self.load(),
        }
    }

    /// A condition that is a statement: only there can a channel be asked whether it is full.
    pub(super) fn statement_condition(&mut self) -> String {
        let probe = if self.rng.chance(25) { self.channel(|c| c.capacity > 0) } else { None };
        let Some((text, _)) = probe else {
            return self.condition(1);
        };
        let test = *self.rng.pick(&["full", "empty", "nfull", "nempty"]);
        match self.rng.below(4) {
            0 => format!("({test}({text}) && {})", self.condition(0)),
            1 => format!("({} || {test}({text}))", self.condition(0)),
            _ => format!("{test}({text})"),
        }
    }

    /// The number of a process that is not the one that asks, as far as can be told.
    fn other_pid(&mut self) -> String {
        match self.rng.below(3) {
            0 => "((_pid + 1) % 3)".to_owned(),
            1 => "(1 - _pid)".to_owned(),
            _ => self.rng.below(3).to_string(),
        }
    }

    fn remote_variable(&mut self) -> Option<String> {
        let (name, pid, vars, _) = self.remote_process()?;
        let vars: Vec<Var> = vars.into_iter().filter(|v| v.ty != Ty::Chan && v.len == 0).collect();
        if vars.is_empty() {
            return None;
        }
        let var = self.rng.pick(&vars).text.clone();
        Some(format!("{name}[{pid}]:{var}"))
    }

    fn remote_label(&mut self) -> Option<String> {
        let (name, pid, _, labels) = self.remote_process()?;
        if labels.is_empty() {
            return None;
        }
        let label = self.rng.pick(&labels).clone();
        Some(format!("({name}[{pid}]@{label})"))
    }

    fn remote_process(&mut self) -> Option<(String, usize, Vec<Var>, Vec<String>)> {
        let procs: Vec<_> =
            self.world.procs.iter().filter(|p| !p.pids.is_empty()).cloned().collect();
        if procs.is_empty() {
            return None;
        }
        let proc = self.rng.pick(&procs).clone();
        let pid = *self.rng.pick(&proc.pids);
        Some((proc.name, pid, proc.locals, proc.labels))
    }

    /// A value to be stored in a variable or message field of this type. Numbers are mostly kept
    /// small, so that the model is.
    pub(super) fn value(&mut self, ty: Ty) -> String {
        match ty {
            Ty::Mtype => (*self.rng.pick(&SYMBOLS)).to_owned(),
            Ty::Chan => match self.plain_channel() {
                Some(text) => text,
                None => "0".to_owned(),
            },
            Ty::Bit | Ty::Bool => match self.rng.below(3) {
                // To Spin's verifier the value of a random poll is the message's position.
                0 => format!("({} -> 1 : 0)", self.condition(1)),
                1 => self.rng.below(2).to_string(),
                _ => self.number(1),
            },
            Ty::Unsigned(bits) if bits < 4 => self.number(1),
            _ => match self.rng.below(10) {
                0..=3 => self.rng.below(3).to_string(),
                4..=6 => format!("({} & 1)", self.number(1)),
                7 => format!("({} % 3)", self.number(1)),
                8 => format!("({} & 3)", self.number(1)),
                _ => self.number(1),
            },
        }
    }
}

/// The words of an expression.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// The name that an expression starts with, or nothing for `eval`.
pub(super) fn base(text: &str) -> &str {
    if text.starts_with("eval") {
        ""
    } else {
        words(text).next().unwrap_or("")
    }
}
