//! What steps are called in graphs: as the reference tools of IF call them.

use isospin_if::labels::Moment;
use isospin_machine::{Interpreter, Passing, Step};
use isospin_model::{Expr, Shape};
use isospin_replay::graph::Naming;

use super::Read;

/// The words of a system's steps.
pub struct Words<'r> {
    /// The system.
    pub read: &'r Read,
}

impl Naming for Words<'_> {
    fn step(
        &mut self,
        machine: &mut Interpreter,
        before: &[u8],
        step: Step,
        after: &[u8],
    ) -> String {
        let by = match step {
            Step::Time(Passing::Units(units)) => return format!("{{time}}0 t/{units} "),
            Step::Time(Passing::Expiring(_)) => return "{time}0 t/ ".to_owned(),
            Step::Process(by) => by,
        };
        let mut shape = Shape::default();
        shape.read(&self.read.loaded.model, before);
        let Some(&(ty, _)) = shape.frames.get(by.pid.index()) else { return String::new() };
        let pid = by.pid.index();
        let mut value = |expr: &Expr, moment: Moment| {
            let state = if moment == Moment::Before { before } else { after };
            machine.eval(state, Some(pid), false, expr).unwrap_or(0)
        };
        let system = &self.read.known.system;
        let words = self.read.lowered.words(system, ty, by.edge, pid as u32, &mut value);
        words.iter().map(|word| format!("{word} ")).collect()
    }

    fn whole(&mut self, words: &str, step: Step) -> String {
        match step {
            Step::Process(by) if words.is_empty() => {
                let system = &self.read.known.system;
                format!("{} ", self.read.lowered.silent(system, by.pid.index() as u32))
            }
            _ => words.to_owned(),
        }
    }
}
