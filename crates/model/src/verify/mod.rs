//! What everything else relies on in a model, checked.
//!
//! Front ends build models and optimisations change them; machines, reductions and symmetry then
//! take for granted that numbers are in range, that places are variables and that flags say what is
//! there. A flaw found here is a mistake of the program that made the model, never of its author.
//!
//! | file | what it checks |
//! | --- | --- |
//! | `layout.rs` | the state vector: everything inside, nothing on top of something else |
//! | `automaton.rs` | locations and edges, deterministic sequences, resets |
//! | `expr.rs` | expressions, places, and who may evaluate what |
//! | `whole.rs` | what is said about the model as a whole |

mod automaton;
mod expr;
mod layout;
#[cfg(test)]
mod tests;
mod whole;

use std::fmt;

use crate::model::{Model, ProcType};
use expr::Scope;

/// Something that is wrong with a model: a sentence, and what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// Where in the model.
    pub place: String,
    /// What is wrong there.
    pub what: String,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

impl std::error::Error for Flaw {}

/// The sentence, while it is not yet clear what it is about.
type Checked = Result<(), String>;

/// Says where something was found to be wrong.
trait At {
    fn at(self, place: impl FnOnce() -> String) -> Result<(), Flaw>;
}

impl At for Checked {
    fn at(self, place: impl FnOnce() -> String) -> Result<(), Flaw> {
        self.map_err(|what| Flaw { place: place(), what })
    }
}

/// Fails with a sentence unless the condition holds.
fn ensure(condition: bool, what: impl FnOnce() -> String) -> Checked {
    if condition {
        Ok(())
    } else {
        Err(what())
    }
}

fn of_type(id: usize, proctype: &ProcType) -> String {
    format!("process type {id}, `{}`", proctype.name)
}

impl Model {
    /// Checks everything that the rest of the program relies on.
    pub fn verify(&self) -> Result<(), Flaw> {
        self.verify_types()?;
        self.verify_layout()?;
        // Expressions look at the variables of other processes, too.
        for (id, proctype) in self.proctypes.iter().enumerate() {
            self.verify_frame(proctype).at(|| of_type(id, proctype))?;
        }
        for init in &self.initializers {
            self.verify_initializer(Scope::Start, init)
                .at(|| "the initial values of global variables".to_owned())?;
        }
        for (id, proctype) in self.proctypes.iter().enumerate() {
            self.verify_process(id, proctype).at(|| of_type(id, proctype))?;
            self.verify_automaton(proctype, Scope::Process(id))?;
        }
        for claim in &self.claims {
            self.verify_automaton(claim, Scope::Observer)?;
        }
        self.verify_whole()
    }

    /// What a process starts with, and when it may move.
    fn verify_process(&self, id: usize, proctype: &ProcType) -> Checked {
        for init in &proctype.initializers {
            self.verify_initializer(Scope::Process(id), init)?;
        }
        match &proctype.provided {
            Some(condition) => self.verify_expr(Scope::Process(id), condition),
            None => Ok(()),
        }
    }
}
