//! Which machine steps the model.

use std::cell::RefCell;
use std::sync::Arc;

use isospin_machine::NativeMachine;
use isospin_model::Model;

use crate::args::MachineKind;
use crate::failure::Failure;

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
    pub fn new(
        asked: Option<MachineKind>,
        model: &Arc<Model>,
    ) -> Result<(Chosen, Option<String>), Failure> {
        if asked == Some(MachineKind::Interpreter) {
            return Ok((Chosen::Interpreter(Arc::clone(model)), None));
        }
        match NativeMachine::new(Arc::clone(model)) {
            Ok(native) => Ok((Chosen::Native(Box::new(native)), None)),
            Err(error) if asked.is_none() => {
                let note = format!("no machine code could be made ({error}); the interpreter ran.");
                Ok((Chosen::Interpreter(Arc::clone(model)), Some(note)))
            }
            Err(error) => Err(Failure::new(format_args!(
                "no machine code can be made for the model: {error}"
            ))),
        }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Chosen::Interpreter(_) => "interpreter",
            Chosen::Native(_) => "native code",
        }
    }
}

/// The machines that have been made. Properties that look at the same things search the same model.
#[derive(Default)]
pub struct Made(RefCell<Vec<(Arc<Model>, Chosen)>>);

impl Made {
    /// Keeps a machine for a model.
    pub fn keep(&self, model: &Arc<Model>, machine: &Chosen) {
        self.0.borrow_mut().push((Arc::clone(model), machine.clone()));
    }

    /// The machine for a model: one that is there for an equal model, or a new one.
    pub fn machine(
        &self,
        asked: Option<MachineKind>,
        model: &Arc<Model>,
    ) -> Result<Chosen, Failure> {
        let known = self.0.borrow().iter().find(|(m, _)| m == model).map(|(_, c)| c.clone());
        if let Some(machine) = known {
            return Ok(machine);
        }
        let (machine, _) = Chosen::new(asked, model)?;
        self.keep(model, &machine);
        Ok(machine)
    }
}
