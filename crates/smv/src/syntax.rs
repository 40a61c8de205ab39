//! From text to a tree.

mod expressions;
mod lexer;
mod modules;
mod parser;
mod tree;
mod types;

pub(crate) use lexer::lex;
pub(crate) use parser::parse;
pub(crate) use tree::*;
