//! Which machine steps the model.

use std::cell::RefCell;
use std::sync::Arc;

use isospin_machine::NativeMachine;
use isospin_model::Model;

use crate::failure::Failure;
use crate::options::MachineKind;

/// The machine that a search runs on.
#[derive(Clone)]
pub enum Chosen {
    /// The reference interpreter.
    Interpreter(Arc<Model>),
    /// Machine code; each thread has its own clone.
    Native(Box<NativeMachine>),
}

impl Chosen {
    /// The machine that was asked for. Without a choice, machine code, and where none can be made
    /// the interpreter; then the second part says why.
    fn new(
        asked: Option<MachineKind>,
        model: &Arc<Model>,
    ) -> Result<(Chosen, Option<String>), Failure> {
        if asked == Some(MachineKind::Interpreter) {
            return Ok((Chosen::Interpreter(Arc::clone(model)), None));
        }
        match NativeMachine::new(Arc::clone(model)) {
            Ok(native) => Ok((Chosen::Native(Box::new(native)), None)),
            Err(error) if asked.is_none() => {
                Ok((Chosen::Interpreter(Arc::clone(model)), Some(error.to_string())))
            }
            Err(error) => Err(Failure::NoMachineCode(error.to_string())),
        }
    }

    /// Its kind.
    pub fn kind(&self) -> MachineKind {
        match self {
            Chosen::Interpreter(_) => MachineKind::Interpreter,
            Chosen::Native(_) => MachineKind::Native,
        }
    }
}

/// The machines that have been made. Properties that look at the same things search the same model.
#[derive(Default)]
pub struct Machines {
    made: RefCell<Vec<(Arc<Model>, Chosen)>>,
    /// Why no machine code could be made, where none could be.
    obstacle: RefCell<Option<String>>,
    /// Whether models are verified before a machine is made for them.
    verify: bool,
}

impl Machines {
    /// No machine yet. `verify` says whether models are verified first.
    pub fn new(verify: bool) -> Machines {
        Machines { verify, ..Machines::default() }
    }

    /// The machine for a model: one that is there for an equal model, or a new one.
    pub fn machine(
        &self,
        asked: Option<MachineKind>,
        model: &Arc<Model>,
    ) -> Result<Chosen, Failure> {
        let known = self.made.borrow().iter().find(|(m, _)| m == model).map(|(_, c)| c.clone());
        if let Some(machine) = known {
            return Ok(machine);
        }
        if self.verify {
            model.verify().map_err(Failure::Broken)?;
        }
        let (machine, obstacle) = Chosen::new(asked, model)?;
        if obstacle.is_some() {
            *self.obstacle.borrow_mut() = obstacle;
        }
        self.made.borrow_mut().push((Arc::clone(model), machine.clone()));
        Ok(machine)
    }

    /// Why the interpreter ran though nobody asked for it.
    pub fn obstacle(&self) -> Option<String> {
        self.obstacle.borrow().clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isospin_model::{text, ProcTypeId};

    #[test]
    fn no_machine_is_made_for_a_broken_model_where_models_are_verified() {
        let text = "model m active P process P() { location 0 skip -> 0 }";
        let mut model = text::read(text).expect("a model");
        let make = |model: &Model, verify| {
            let asked = Some(MachineKind::Interpreter);
            Machines::new(verify).machine(asked, &Arc::new(model.clone())).map(|m| m.kind())
        };
        assert_eq!(make(&model, true), Ok(MachineKind::Interpreter));
        model.initial[0].proctype = ProcTypeId(7);
        assert_eq!(make(&model, false), Ok(MachineKind::Interpreter));
        let failure = make(&model, true).expect_err("a broken model");
        let sentence = "the model is broken: the processes at the start: process type 7, which \
                        there is not";
        assert_eq!(failure.to_string(), sentence);
    }
}
