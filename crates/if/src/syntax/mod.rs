//! IF 2.0 as text and as a tree.

pub mod ast;
mod declarations;
mod expressions;
mod lexer;
mod parser;
mod processes;
mod statements;

pub use parser::{parse, parse_expression};
