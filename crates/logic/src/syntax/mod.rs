//! Spin's syntax of LTL formulas.
//!
//! A formula's text is split into its temporal and boolean structure; what is left between the
//! operators are expressions of the modelling language, kept as text.

mod expression;
mod lexer;
mod parser;

pub(crate) use parser::parse;
pub use parser::Precedence;
