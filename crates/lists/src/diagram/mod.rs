//! List decision diagrams: sets of vectors of numbers, all of one length.
//!
//! A node is a value, what may follow it (`down`), and the other values that may stand in its place
//! (`right`), in ascending order. Equal sets are one node, so that sets are compared by number
//! [Blom 2008].
//!
//! | file | what it has |
//! | --- | --- |
//! | `table.rs` | nodes, each once; what was computed before; what is not needed any more |
//! | `plan.rs` | what an operation does at each level |
//! | `sets.rs` | union, difference, intersection |
//! | `project.rs` | fewer levels; other levels |
//! | `product.rs` | what follows a set under a relation |
//! | `reverse.rs` | what comes before it |
//! | `walk.rs` | vectors in and out, one by one |
//! | `count.rs` | how many there are |
//!
//! Operations recur on levels and never along a list of values.

mod count;
mod plan;
mod product;
mod project;
mod reverse;
mod sets;
mod table;
mod walk;

#[cfg(test)]
mod tests;

pub use count::Count;
pub use plan::{Keep, Move, Plan, Touch};
pub use product::COPY;
pub use table::{List, Lists, Stop};
pub use walk::Vectors;
