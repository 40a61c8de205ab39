//! Random models in DT Promela, and the same models as plain Promela with a process that lets time
//! pass, for Spin.

use std::fmt::Write;

use crate::rng::Rng;
use crate::tree::{Piece, Text};

/// What `timeout` is written as in these models, so that it can be defined.
const QUIET: &str = "quiet";

/// The model of a seed.
pub fn timed(seed: u64) -> Text {
    let mut rng = Rng::new(seed);
    let mut gen = Timed {
        timers: Vec::new(),
        channel: rng.chance(40),
        rendezvous: rng.chance(50),
        atomic: rng.chance(40),
        unless: rng.chance(25),
        values: rng.chance(25),
        quiet: rng.chance(30),
        rng,
    };
    gen.model()
}

struct Timed {
    rng: Rng,
    /// The timers that the process at hand can use.
    timers: Vec<String>,
    channel: bool,
    rendezvous: bool,
    atomic: bool,
    unless: bool,
    /// Whether it is asked how much time is left.
    values: bool,
    /// Whether somebody waits for `timeout`.
    quiet: bool,
}

impl Timed {
    fn model(&mut self) -> Text {
        let mut pieces: Vec<Piece> =
            [format!("#define {QUIET} timeout").as_str(), "byte g2;", "byte y;"]
                .into_iter()
                .map(Piece::line)
                .collect();
        let mut global = Vec::new();
        for name in ["g0", "g1"].into_iter().take(self.rng.below(3)) {
            pieces.push(Piece::line(format!("timer {name};")));
            global.push(name.to_owned());
        }
        if self.rng.chance(25) {
            pieces.push(Piece::line("timer a[2];"));
            global.extend(["a[g2 % 2]", "a[0]", "a[1]"].map(str::to_owned));
        }
        if self.channel {
            pieces.push(Piece::line("chan c0 = [1] of { byte };"));
        }
        if self.rendezvous {
            pieces.push(Piece::line("chan s0 = [0] of { byte };"));
        }
        for k in 0..self.rng.between(2, 3) {
            // In plain Promela all timers are global and outlive their process, so a process
            // with a timer of its own does not end.
            let local = global.is_empty() || self.rng.chance(70);
            // On one line, so that nothing comes in between: a later declaration is a step.
            let mut inner = vec![Piece::line(if local {
                format!("timer t{k}; byte l;")
            } else {
                "byte l;".to_owned()
            })];
            self.timers = global.clone();
            if local {
                self.timers.extend([format!("t{k}"), format!("t{k}")]);
            }
            for _ in 0..self.rng.between(1, 3) {
                let statement = self.statement();
                inner.push(statement);
            }
            if self.rng.chance(60) {
                let looping = self.looping();
                inner.push(looping);
            }
            if local {
                let label = *self.rng.pick(&["end: ", "end: ", ""]);
                inner.push(Piece::line(format!("{label}false;")));
            }
            pieces.push(Piece::group(format!("active proctype P{k}() {{"), inner, "}"));
        }
        Text { pieces }
    }

    fn looping(&mut self) -> Piece {
        let mut options = Vec::new();
        for _ in 0..self.rng.between(1, 3) {
            let mut inner = vec![self.guard()];
            inner.extend((0..self.rng.below(3)).map(|_| self.statement()));
            options.push(Piece::group("::", inner, ""));
        }
        if self.rng.chance(20) {
            options.push(Piece::group("::", vec![self.guard(), Piece::line("break;")], ""));
        }
        let label = *self.rng.pick(&["", "", "end_loop: "]);
        Piece::group(format!("{label}do"), options, "od;")
    }

    fn statement(&mut self) -> Piece {
        let (atomic, unless) = (usize::from(self.atomic), usize::from(self.unless));
        match self.rng.weighted(&[
            (4, 0),
            (3, 1),
            (4, 2),
            (2 * atomic, 3),
            (2 * unless, 4),
            (1, 5),
            (atomic, 6),
        ]) {
            0 => self.effect(),
            1 => self.guard(),
            2 => self.delay(),
            3 => {
                let inner = vec![self.guard(), self.effect(), self.statement()];
                Piece::group("atomic {", inner, "};")
            }
            4 => {
                let main = Piece::group("{", vec![self.effect(), self.guard()], "} unless {");
                let escape = vec![self.guard(), self.effect()];
                Piece::group("{", vec![main, Piece::group("", escape, "}")], "};")
            }
            5 => {
                let first = Piece::group("::", vec![self.guard(), self.effect()], "");
                let second = if self.rng.chance(50) {
                    Piece::line(":: else")
                } else {
                    Piece::group("::", vec![self.guard()], "")
                };
                Piece::group("if", vec![first, second], "fi;")
            }
            // Spin runs a d_step that starts with an assertion in the middle of a rendez-vous.
            _ => {
                let first = Piece::line("y = ((y + 1) % 2);");
                Piece::group("d_step {", vec![first, self.effect()], "};")
            }
        }
    }

    fn timer(&mut self) -> String {
        self.rng.pick(&self.timers).clone()
    }

    fn delay(&mut self) -> Piece {
        let timer = self.timer();
        Piece::line(match self.rng.below(5) {
            0 => format!("udelay({timer});"),
            1 => {
                let least = self.rng.below(3);
                format!("bdelay({timer}, {least}, {});", least + self.rng.below(3))
            }
            _ => format!("delay({timer}, {});", self.rng.below(4)),
        })
    }

    fn effect(&mut self) -> Piece {
        let variable = *self.rng.pick(&["g2", "y", "l"]);
        let other = *self.rng.pick(&["g2", "y", "l"]);
        let timer = self.timer();
        Piece::line(match self.rng.below(9) {
            0 | 1 => format!("set({timer}, {});", self.rng.below(5)),
            2 => format!("reset({timer});"),
            3 => format!("assert({other} != {} || {variable} != 1);", self.rng.below(3)),
            4 if self.values => format!("assert({timer} <= {});", self.rng.between(1, 4)),
            5 if self.values => format!("set({timer}, {variable} + 1);"),
            4 | 5 => format!("{variable} = {other};"),
            6 => format!("{variable} = {};", self.rng.below(3)),
            _ => format!("{variable} = (({variable} + 1) % 3);"),
        })
    }

    /// A statement that may block.
    fn guard(&mut self) -> Piece {
        let (channel, rendezvous) = (usize::from(self.channel), usize::from(self.rendezvous));
        let (values, quiet) = (usize::from(self.values), usize::from(self.quiet));
        let variable = *self.rng.pick(&["g2", "y", "l"]);
        let value = self.rng.below(2);
        let timer = self.timer();
        Piece::line(
            match self.rng.weighted(&[
                (3, 0),
                (5, 1),
                (2 * channel, 2),
                (3 * rendezvous, 3),
                (2, 4),
                (2 * values, 5),
                (quiet, 6),
                (1, 7),
            ]) {
                0 => format!("({variable} == {value});"),
                1 => format!("expire({timer});"),
                2 => self.exchange("c0"),
                3 => self.exchange("s0"),
                4 => "true;".to_owned(),
                5 => format!("({timer} < {});", self.rng.below(4)),
                6 => format!("{QUIET};"),
                _ => format!("({timer} {} 0);", self.rng.pick(&["<", ">", ">=", "!="])),
            },
        )
    }

    fn exchange(&mut self, channel: &str) -> String {
        match self.rng.below(4) {
            0 | 1 => format!("{channel}!{};", self.rng.below(2)),
            2 => format!("{channel}?{};", self.rng.pick(&["l", "g2", "_"])),
            _ => format!("{channel}?{};", self.rng.below(2)),
        }
    }
}

/// The same model in plain Promela: timers are numbers, and a process lets time pass in one step
/// when nothing else can happen. As that step waits for `timeout`, whatever else does has to wait
/// until no timer runs. That process is the oldest: it never ends, and nobody ends before those
/// that are younger.
pub fn plain(text: &str) -> String {
    let mut timers = Vec::new();
    let mut declared = String::new();
    let mut body = String::new();
    for line in text.lines() {
        let trimmed = line.trim();
        let declaration = trimmed.strip_prefix("timer ").and_then(|l| l.split_once(';'));
        if let Some((name, rest)) = declaration {
            let _ = writeln!(declared, "int {name} = -1;");
            let _ = writeln!(body, "{rest}");
            match name.strip_suffix("[2]") {
                Some(array) => timers.extend([format!("{array}[0]"), format!("{array}[1]")]),
                None => timers.push(name.to_owned()),
            }
        } else if let Some(rest) = trimmed.strip_prefix("bdelay(") {
            let mut args = rest.trim_end_matches(");").split(", ");
            let timer = args.next().unwrap_or_default();
            let bounds: Vec<usize> = args.filter_map(|a| a.parse().ok()).collect();
            let options: Vec<String> =
                (bounds[0]..=bounds[1]).map(|k| format!(":: set({timer}, {k})")).collect();
            let _ = writeln!(body, "if {} fi; expire({timer});", options.join(" "));
        } else if !trimmed.starts_with("#define") {
            let _ = writeln!(body, "{line}");
        }
    }
    let runs: Vec<String> = timers.iter().map(|t| format!("{t} >= 0")).collect();
    let runs = runs.join(" || ");
    let ticks: Vec<String> =
        timers.iter().map(|t| format!("if :: {t} >= 0 -> {t} = {t} - 1 :: else fi")).collect();
    format!(
        "#define set(t, v) t = v
#define reset(t) t = -1
#define expire(t) (t == 0)
#define delay(t, v) set(t, v); expire(t)
#define udelay(t) do :: delay(t, 1) :: break od
#define {QUIET} (timeout && !({runs}))
{declared}
active proctype Timers() {{
end: do :: d_step {{ (timeout && ({runs})); {} }} od
}}
{body}",
        ticks.join("; ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isospin::model_of;

    #[test]
    fn timed_models_are_read_in_both_ways() {
        for seed in 0..200 {
            let text = timed(seed).to_string();
            let dt = model_of(&text).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
            assert!(dt.time.is_some(), "seed {seed} has no timer:\n{text}");
            let plain = plain(&text);
            let model = model_of(&plain).unwrap_or_else(|why| panic!("{seed}: {why}\n{plain}"));
            assert!(model.time.is_none());
        }
    }
}
