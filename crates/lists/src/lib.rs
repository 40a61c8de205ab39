//! Models explored as sets of states: list decision diagrams over the values of the state vector.
#![forbid(unsafe_code)]

pub mod diagram;
