//! Systems as relations: variables with finite domains, initial states, transitions, invariants,
//! fairness and specifications, and what they mean.
//!
//! - [`Relation`]: the whole system, [`Variable`]s with their [`Domain`]s;
//! - [`Expressions`]: a table of expressions, each written once, whose operators mean what
//!   [`operators`] says;
//! - [`Formula`]: branching and linear temporal logic over expressions;
//! - [`interpret`]: initial states and successors, one by one: the definition that symbolic
//!   engines are compared with;
//! - [`clauses`]: a conjunction in small parts;
//! - [`verify`]: what everything below relies on; [`text`]: a relation as text.
//!
//! Nothing here knows a language or a decision diagram.
#![forbid(unsafe_code)]

pub mod clauses;
mod domain;
mod expression;
mod formula;
pub mod interpret;
pub mod operators;
mod support;
mod system;
pub mod text;
pub mod verify;

pub use domain::{Domain, Value, SYMBOL_BASE};
pub use expression::{ExprId, Expressions, Node, Sort};
pub use formula::{Formula, FormulaId, Operator};
pub use operators::{Binary, Unary};
pub use support::{Mention, Support};
pub use system::{
    Duty, Kind, Obligation, Part, Place, Property, Relation, Specification, Trouble, VarId,
    Variable,
};
