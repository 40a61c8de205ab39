//! What is given beside a model, and the model read with it: by a check, and by whoever follows a
//! trail of it.

use std::path::Path;
use std::sync::Arc;

use isospin_check::asked::GivenAutomaton;

use crate::args::{CheckArgs, ModelArgs};
use crate::check::hoa::Automaton;
use crate::failure::Failure;
use crate::given::Given;
use crate::load::{load_if, Loaded};
use crate::timers;

/// Everything that decides what the model is and what can be asked of it, but its files.
pub struct Beside {
    /// Formulas.
    pub formulas: Vec<Given>,
    /// An automaton.
    pub automaton: Option<Automaton>,
    /// Whether promises are left out of account.
    pub exact: bool,
    /// Whether timers can expire at any tick.
    pub abstract_timers: bool,
}

/// A model with what was given beside it.
pub struct Read {
    /// The model.
    pub loaded: Loaded,
    /// The names of the formulas.
    pub formulas: Vec<String>,
    /// The automaton.
    pub automaton: Option<GivenAutomaton>,
}

impl Beside {
    /// What the command line gives.
    pub fn of(args: &CheckArgs) -> Result<Beside, Failure> {
        Ok(Beside {
            formulas: Given::formulas(&args.ltl, &args.ltl_file)?,
            automaton: args.hoa.as_deref().map(Automaton::read).transpose()?,
            exact: args.exact,
            abstract_timers: args.abstract_timers,
        })
    }

    /// Reads the model. `accept` is asked, with the hash of its text, before anything of that is
    /// shown to anybody.
    pub fn read(
        &self,
        path: &Path,
        reading: &ModelArgs,
        accept: &mut dyn FnMut(&str) -> Result<(), Failure>,
    ) -> Result<Read, Failure> {
        let mut given = self.formulas.clone();
        given.extend(self.automaton.iter().flat_map(Automaton::propositions));
        let mut reading = reading.clone();
        reading.intermediate.slim = !self.exact;
        let mut loaded = load_if(path, &reading, &given, accept)?;
        if self.exact {
            // Spin without reductions does not look at promises, whose breach would end executions.
            Arc::make_mut(&mut loaded.model).exclusives.clear();
        }
        if self.abstract_timers {
            timers::forget(&mut loaded.model)?;
        }
        // Propositions were read as formulas, the last ones, and are none of the model's.
        let propositions = given.len() - self.formulas.len();
        let stated = &mut Arc::make_mut(&mut loaded.model).formulas;
        let propositions = stated.split_off(stated.len().saturating_sub(propositions));
        let automaton = self.automaton.as_ref().map(|a| a.resolved(&propositions)).transpose()?;
        let formulas = (0..self.formulas.len()).map(isospin_promela::formula_name).collect();
        Ok(Read { loaded, formulas, automaton })
    }
}
