//! The syntax tree as Promela.
//!
//! What is printed reads back as the same tree. Macros stay expanded; a call
//! of an inline is printed as a call, and the inline as it was defined.

mod exprs;
mod items;
mod stmts;

pub use exprs::expr_text;
pub use items::{item_text, tree_text};
pub use stmts::stmt_text;
