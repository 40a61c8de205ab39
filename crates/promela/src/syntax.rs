//! Tokens, the syntax tree, the parser and the printer.

pub mod ast;
pub mod keyword;
pub mod parse;
pub mod print;
pub mod token;
