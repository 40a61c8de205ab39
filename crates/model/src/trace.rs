//! Trace assertions: automata that follow sends and receives.
//!
//! Channels that the assertion mentions are watched, sends and receives apart. A watched operation
//! must be one that the assertion can follow (`trace`), or must not lead it to its end
//! (`notrace`).

use crate::action::ReceiveArg;
use crate::automaton::SourceRef;
use crate::expr::Expr;
use crate::ids::LocationId;

/// An operation that a trace assertion follows.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceEdge {
    /// Whether it is a send.
    pub sending: bool,
    /// The channel.
    pub channel: Expr,
    /// What the message must look like; places are not stored in.
    pub pattern: Vec<ReceiveArg>,
    /// Where the assertion stands afterwards.
    pub target: LocationId,
}

/// A trace assertion.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Whether following it to its end is the violation.
    pub negated: bool,
    /// For each location, what can be followed from there. The first is where it starts.
    pub locations: Vec<Vec<TraceEdge>>,
    /// For each location, whether the assertion has come to its end.
    pub ends: Vec<bool>,
    /// Where it stands in the source.
    pub source: SourceRef,
}

impl Trace {
    /// All operations that it mentions.
    pub fn edges(&self) -> impl Iterator<Item = &TraceEdge> {
        self.locations.iter().flatten()
    }

    /// Its name as a property.
    pub fn name(&self) -> &'static str {
        if self.negated {
            "notrace"
        } else {
            "trace"
        }
    }
}
