//! Executions, walked once more: is a counterexample what it claims to be?
//!
//! Everything here goes by the reference interpreter and by the definitions of what is asked:
//! formulas are evaluated operator by operator, claims and automata are run state by state. It
//! shares nothing with the searches, so that a mistake there shows here.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`execution`] | a model on its way, step by step: who may move next |
//! | [`confirm`](mod@confirm) | whether steps lead to what they are said to violate |
//! | [`lasso`] | executions that go on for ever: a stem and a cycle; fairness |
//! | [`cycle`] | what each process does on a cycle |
//! | [`renamed`] | cycles that repeat with other names |
//! | [`graph`](mod@graph) | the graph of all states, to be looked at and compared |
//! | `formula` | formulas on a lasso |
//! | `automaton` | never claims, automata and labels on a lasso |
//!
//! What this crate does not know: searches, reductions, how an execution is shown.
#![forbid(unsafe_code)]

mod automaton;
pub mod confirm;
pub mod cycle;
pub mod execution;
mod formula;
pub mod graph;
pub mod lasso;
pub mod renamed;

pub use confirm::{confirm, unreadable, Claim, Counterexample, Unconfirmed};
pub use execution::{Choice, Execution, Misfit};
pub use formula::holds;
pub use lasso::Fairness;
pub use renamed::Renaming;
