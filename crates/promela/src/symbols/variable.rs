//! Variables, parameters and fields.

use super::Kind;
use isospin_source::{Name, Span};
use std::sync::Arc;

/// A variable, a parameter, or a field of a typedef.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// Where it is declared; nowhere for a predefined one.
    pub span: Span,
    /// Its type.
    pub kind: Kind,
    /// Whether it is an array.
    pub array: bool,
    /// How many elements the array has, as far as a constant says so.
    pub length: Option<i32>,
    /// The channel that it is declared with.
    pub channel: Option<Arc<Channel>>,
    /// Where it is declared.
    pub place: Place,
    /// Whether it is hidden.
    pub hidden: bool,
    /// The value that it starts with, where that is a constant.
    pub initial: Option<i32>,
    /// Whether its declaration says what it starts with.
    pub initialized: bool,
    /// Whether its value is looked at.
    pub read: bool,
    /// Whether something is stored in it, apart from what it starts with.
    pub written: bool,
    /// Whether it is looked at from another process.
    pub remote: bool,
}

/// A channel's declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Channel {
    /// How many messages it holds.
    pub capacity: i32,
    /// The types of a message's fields.
    pub fields: Vec<Kind>,
}

/// Where a variable is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Outside all processes.
    Global,
    /// In a process.
    Local,
    /// In the head of a proctype.
    Parameter,
    /// In a typedef.
    Field,
    /// Nowhere.
    Predefined(Predefined),
}

/// A variable that every model has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Predefined {
    /// `_`: what is stored there is forgotten.
    Scratch,
    /// `_p`: where the process is.
    Location,
    /// `_pid`: the process's number.
    Pid,
    /// `_last`: the number of the process that took the last step.
    Last,
    /// `_nr_pr`: how many processes there are.
    ProcessCount,
    /// `_priority`: the process's priority.
    Priority,
}

impl Predefined {
    /// All of them.
    pub const ALL: &'static [Predefined] = &[
        Predefined::Scratch,
        Predefined::Location,
        Predefined::Pid,
        Predefined::Last,
        Predefined::ProcessCount,
        Predefined::Priority,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Predefined::Scratch => "_",
            Predefined::Location => "_p",
            Predefined::Pid => "_pid",
            Predefined::Last => "_last",
            Predefined::ProcessCount => "_nr_pr",
            Predefined::Priority => "_priority",
        }
    }
}

impl Variable {
    /// The variable that a predefined name stands for.
    pub(super) fn predefined(which: Predefined) -> Variable {
        Variable {
            name: which.name().into(),
            span: Span::NONE,
            kind: if which == Predefined::Scratch { Kind::Int } else { Kind::Byte },
            array: false,
            length: None,
            channel: None,
            place: Place::Predefined(which),
            hidden: true,
            initial: None,
            initialized: false,
            read: true,
            written: true,
            remote: false,
        }
    }
}
