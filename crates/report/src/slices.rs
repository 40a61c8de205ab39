//! The time slices of an execution: what happens between two ticks belongs together, and the
//! distance between two events is the number of ticks between them.

use std::fmt::Write;

use crate::changes::Change;
use crate::narrate::{wrap, Narrator};
use crate::story::Story;
use crate::style::Style;

/// No line of the axis is longer than this.
const AXIS: usize = 90;

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
        for line in wrap(&items).iter().take(8) {
            let _ = writeln!(out, "{}", line.chars().take(AXIS + 10).collect::<String>());
        }
        out.push('\n');
        out
    }
}
