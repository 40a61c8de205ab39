//! `isospin sim`: executing a model step by step.
//!
//! What the model prints goes to standard output as it is, except that it cannot steer a terminal;
//! what Isospin has to say about the simulation itself goes to standard error, so that the two can
//! be told apart.

mod interactive;
mod random;
mod teller;

use isospin_model::Pid;
use std::sync::Arc;

use isospin_machine::Fault;
use isospin_replay::{Choice, Execution};
use isospin_report::narrate::Narrator;
use isospin_report::snapshot::Snapshot;
use isospin_report::Names;

use crate::args::SimArgs;
use crate::failure::Failure;
use crate::load::load;
use crate::output::{error_style, say, Output};
use crate::Status;
use teller::Teller;

/// Simulates the model.
pub fn run(args: &SimArgs) -> Result<Status, Failure> {
    let loaded = load(&args.model, &args.reading)?;
    let names = Names::new(Arc::clone(&loaded.model));
    let execution = match Execution::new(Arc::clone(&loaded.model)) {
        Ok(execution) => execution,
        Err(error) => {
            say(&format!("the model cannot start: {error}\n"));
            return Ok(Status::Violated);
        }
    };
    let mut simulation =
        Simulation { args, names: &names, execution, out: Output::new(), steps: 0 };
    let status = if args.interactive {
        interactive::run(&mut simulation)
    } else {
        random::run(&mut simulation)
    };
    simulation.out.finish_with(status)
}

/// Who takes part in one of the choices.
fn movers(choices: &[Choice]) -> Vec<Pid> {
    let mut movers: Vec<Pid> = choices
        .iter()
        .flat_map(|c| [c.step.pid(), c.step.partner().map(|p| p.pid)])
        .flatten()
        .collect();
    movers.sort_unstable();
    movers.dedup();
    movers
}

/// A simulation on its way.
struct Simulation<'s> {
    args: &'s SimArgs,
    names: &'s Names,
    execution: Execution,
    out: Output,
    /// How many steps were taken.
    steps: usize,
}

impl Simulation<'_> {
    fn teller(&self) -> Teller {
        let snapshot = Snapshot::read(self.names, self.execution.state());
        Teller::new(self.args, &snapshot)
    }

    /// Tells a choice and takes it. Says what was wrong with it.
    fn take(&mut self, choice: &Choice, teller: &mut Teller) -> Option<Fault> {
        self.steps += 1;
        let names = self.names;
        teller.tell(names, &mut self.execution, choice, self.steps, &mut self.out);
        self.execution.take(choice);
        choice.fault
    }

    /// What is wrong with a choice, in a sentence with its place.
    fn fault(&mut self, choice: &Choice) -> Option<String> {
        let story =
            isospin_report::Story::of(self.names, &mut self.execution, choice, self.steps + 1);
        let narrator = Narrator::new(self.names, error_style());
        let place = self.names.model.place(story.part.source);
        let who = story.part.process();
        narrator.fault(&story).map(|sentence| format!("{sentence}, by {who} at {place}"))
    }

    /// How many steps were taken, and in a model with timers at what time.
    fn so_far(&self) -> String {
        let steps = isospin_report::format::plural(self.steps as u64, "step");
        match self.names.model.time {
            Some(_) => format!("{steps} at time {}", self.execution.time()),
            None => steps,
        }
    }

    /// Says who can move, who waits, and why.
    fn say_who_waits(&mut self) {
        self.out.flush();
        let choices = self.execution.choices();
        let narrator = Narrator::new(self.names, error_style());
        say(&narrator.standing(&mut self.execution, &movers(&choices)));
    }

    /// Says where everybody is when nothing can happen any more.
    fn say_how_it_ended(&mut self) {
        self.out.flush();
        let narrator = Narrator::new(self.names, error_style());
        let steps = self.so_far();
        let processes = Snapshot::read(self.names, self.execution.state()).processes;
        if processes.is_empty() {
            say(&format!("all processes have ended after {steps}\n"));
            return;
        }
        let verdict = if processes.iter().all(|p| p.may_end) {
            "every process is at a valid end"
        } else {
            "this is an invalid end state"
        };
        say(&format!(
            "nobody can move after {steps}; {verdict}:\n{}",
            narrator.standing(&mut self.execution, &[])
        ));
    }
}
