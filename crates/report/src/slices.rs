//! The time slices of an execution: what happens between two ticks belongs together, and the
//! distance between two events is the number of ticks between them.

use std::fmt::Write;

use crate::changes::Change;
use crate::narrate::{wrap, Narrator};
use crate::story::Story;
use crate::style::Style;

/// No line of the axis is longer than this.
const MAX_AXIS: usize = 100;
/// More lines of the axis than this are left out.
const MAX_AXIS_LINES: usize = 8;

/// What happens at one time.
#[derive(Clone, Debug, Default)]
struct Slice {
    time: u64,
    /// The steps, told.
    events: Vec<String>,
    /// How long it takes until the next slice, as a word for people and as a number, and what
    /// becomes of the timers.
    then: Option<(String, u64, String)>,
}

/// An execution cut into slices; it grows with every step.
#[derive(Clone, Debug)]
pub struct Slices {
    slices: Vec<Slice>,
    /// The step (from 1) that a cycle starts with.
    cycle_start: Option<usize>,
}

impl Slices {
    /// The slices of an execution whose cycle, if it has one, starts with this step.
    pub fn new(cycle_start: Option<usize>) -> Slices {
        Slices { slices: vec![Slice::default()], cycle_start }
    }

    /// Adds a step, in which `units` of time pass.
    pub fn add(&mut self, narrator: &Narrator, story: &Story, units: u64) {
        let Some(slice) = self.slices.last_mut() else { return };
        if self.cycle_start == Some(story.number) {
            slice.events.push("from here on, again and again:".to_owned());
        }
        if !story.step.is_time() {
            slice.events.extend(narrator.event(story).lines().map(str::to_owned));
            return;
        }
        let timers: Vec<String> = story.changes.iter().map(|c: &Change| c.owned()).collect();
        slice.then = Some((story.part.text.clone(), units, timers.join(", ")));
        let time = slice.time + units;
        self.slices.push(Slice { time, ..Slice::default() });
    }

    /// The slices as text: the axis of time first, then one after the other.
    pub fn text(&self, style: Style) -> String {
        let mut out = self.axis();
        for slice in &self.slices {
            let _ = writeln!(out, "{}", style.bold(&format!("@{}", slice.time)));
            for event in &slice.events {
                let _ = writeln!(out, "  │ {event}");
            }
            match &slice.then {
                Some((long, units, timers)) => {
                    let dots = "┊".repeat((*units).min(3) as usize);
                    let _ = writeln!(out, "  {dots} {long}: {timers}");
                }
                None => out.push_str("  ╵\n"),
            }
        }
        out
    }

    /// `0 ──3── 3 ─1─ 4`: the times at which something happens, and how far they are apart.
    fn axis(&self) -> String {
        let mut items = Vec::new();
        for slice in self.slices.iter().filter(|s| !s.events.is_empty() || s.then.is_none()) {
            if items.is_empty() {
                items.push(format!("{}", slice.time))
            } else {
                items.push(format!("── {}", slice.time))
            }
        }
        let mut out = String::new();
        for line in wrap(&items).iter().take(MAX_AXIS_LINES) {
            let _ = writeln!(out, "{}", line.chars().take(MAX_AXIS).collect::<String>());
        }
        out.push('\n');
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{names, start, take};

    /// The slices of the execution with these statements.
    fn slices(cycle_start: Option<usize>, statements: &[&str]) -> String {
        let names = names(
            "timer t; byte n; active proctype P() { set(t, 3); n = 1; expire(t); n = 2; false }",
        );
        let narrator = Narrator::new(&names, Style::Plain);
        let mut execution = start(&names);
        let mut slices = Slices::new(cycle_start);
        for (statement, number) in statements.iter().zip(1..) {
            let story = Story { number, ..take(&names, &mut execution, statement) };
            slices.add(&narrator, &story, execution.time() - story.time);
        }
        slices.text(Style::Plain)
    }

    #[test]
    fn what_happens_between_two_ticks_stands_together() {
        let text = slices(None, &["set(t, 3)", "n = 1", "tick", "tick", "tick", "expire(t)"]);
        let expected = "0  ── 3\n\n\
            @0\n  │ P[0]   line 1  set(t, 3)  → t = 3\n  │ P[0]   line 1  n = 1  → n = 1\n  \
            ┊ tick: t = 2\n\
            @1\n  ┊ tick: t = 1\n\
            @2\n  ┊ tick: t = 0\n\
            @3\n  │ P[0]   line 1  expire(t)\n  ╵\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn the_start_of_a_cycle_is_marked() {
        let text = slices(Some(2), &["set(t, 3)", "n = 1"]);
        assert!(
            text.contains("set(t, 3)  → t = 3\n  │ from here on, again and again:\n"),
            "{text}"
        );
    }
}
