//! What is shown of each step of a simulation.

use isospin_model::Pid;
use isospin_replay::{Choice, Execution};
use isospin_report::exchange::Passing;
use isospin_report::msc::Chart;
use isospin_report::narrate::Narrator;
use isospin_report::snapshot::Snapshot;
use isospin_report::{Names, Story};
use isospin_source::visible;

use crate::args::SimArgs;
use crate::output::Output;

/// Shows steps as the options ask for it.
pub struct Teller {
    steps: bool,
    globals: bool,
    locals: bool,
    messages: bool,
    indent: bool,
    chart: Option<Chart>,
}

impl Teller {
    /// A teller for a simulation that starts here.
    pub fn new(args: &SimArgs, start: &Snapshot) -> Teller {
        Teller {
            steps: args.steps_shown,
            globals: args.globals,
            locals: args.locals,
            messages: args.messages,
            indent: args.indent,
            chart: args.msc.then(|| Chart::new(start.heads())),
        }
    }

    /// Whether a step's story is needed at all, beyond what it prints.
    fn needs_story(&self) -> bool {
        self.steps || self.globals || self.locals || self.messages || self.chart.is_some()
    }

    /// Tells a choice that is about to be taken.
    pub fn tell(
        &mut self,
        names: &Names,
        execution: &mut Execution,
        choice: &Choice,
        number: usize,
        out: &mut Output,
    ) {
        if !self.needs_story() {
            let printed = execution.printed(choice);
            self.print(&printed, choice.step.pid(), out);
            return;
        }
        let story = Story::of(names, execution, choice, number);
        self.print(&story.printed, story.part.pid, out);
        let style = out.style();
        if self.steps {
            out.line(&Narrator::new(names, style).step(&story));
        }
        let who = style.process(story.part.pid, &story.part.process());
        if self.messages {
            for exchange in &story.exchanges {
                let receiver = match (exchange.passing, &story.partner) {
                    (Passing::Handshake, Some(partner)) => format!(" to {}", partner.process()),
                    _ => String::new(),
                };
                out.line(&format!("{number:>5}  {who}  {}{receiver}", exchange.line()));
            }
        }
        // The step's own line names the new values already.
        if !self.steps {
            for change in &story.changes {
                let wanted = match change.owner {
                    None => self.globals,
                    Some(_) => self.locals,
                };
                if wanted {
                    out.line(&format!("{number:>5}  {who}  {}", change.line(story.part.pid)));
                }
            }
        }
        if let Some(chart) = &mut self.chart {
            chart.add(&story);
        }
    }

    fn print(&self, text: &str, pid: Option<Pid>, out: &mut Output) {
        if self.indent && !text.is_empty() {
            out.text(&" ".repeat(6 + 4 * pid.map_or(0, Pid::index)));
        }
        out.text(&visible(text));
    }

    /// The chart, once everything has been told.
    pub fn finish(self, out: &mut Output) {
        if let Some(chart) = self.chart {
            let text = chart.text(out.style());
            out.line(text.trim_end());
        }
    }
}
