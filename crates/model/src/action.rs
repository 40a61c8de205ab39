//! What an edge of an automaton does: when it can be taken, and what it changes.

use crate::automaton::SourceRef;
use crate::expr::{Expr, Place};

/// One field of a receive.
#[derive(Clone, Debug, PartialEq)]
pub enum ReceiveArg {
    /// The field must equal this value.
    Match(Expr),
    /// The field is stored here.
    Store(Place),
    /// The field is dropped.
    Ignore,
}

impl ReceiveArg {
    /// Calls `visit` for every expression in the argument.
    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match self {
            ReceiveArg::Match(e) => e.walk(visit),
            ReceiveArg::Store(place) => place.walk(visit),
            ReceiveArg::Ignore => {}
        }
    }
}

/// Why a step cannot be completed where the model itself says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Failure {
    /// A buffer is full; the number is how many signals it has room for.
    Overflow(u16),
    /// All instances of a process that there can be are in use; the number is how many.
    NoInstance(u16),
    /// A value is outside the range of its variable.
    Range,
    /// An unstable state cannot be left.
    Unstable,
    /// The value of a clock is asked for after it was cut off; the number is the last it has.
    ClockCut(u16),
}

impl Failure {
    /// All of them, each with 0.
    pub const ALL: [Failure; 5] = [
        Failure::Overflow(0),
        Failure::NoInstance(0),
        Failure::Range,
        Failure::Unstable,
        Failure::ClockCut(0),
    ];

    /// The word that stands for it in texts, its place in [`ALL`](Self::ALL), and its number.
    pub fn parts(self) -> (&'static str, usize, u16) {
        match self {
            Failure::Overflow(n) => ("overflow", 0, n),
            Failure::NoInstance(n) => ("no_instance", 1, n),
            Failure::Range => ("range", 2, 0),
            Failure::Unstable => ("unstable", 3, 0),
            Failure::ClockCut(n) => ("clock_cut", 4, n),
        }
    }

    /// The same kind with another number, where it has one.
    pub fn with(self, number: u16) -> Failure {
        match self {
            Failure::Overflow(_) => Failure::Overflow(number),
            Failure::NoInstance(_) => Failure::NoInstance(number),
            Failure::ClockCut(_) => Failure::ClockCut(number),
            other => other,
        }
    }
}

/// What happens along an edge.
///
/// While a rendez-vous is half done, only a receive on its channel can be taken; every other
/// action waits.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Nothing; always possible.
    Skip,
    /// Nothing; possible when no edge that stands before it in its location could be taken.
    Else,
    /// Possible when the value is not 0. A `run` inside takes effect.
    Condition(Expr),
    /// Stores a value. Without a place, the value is computed and dropped.
    Assign(Option<Place>, Expr),
    /// Sends a message. Possible when the channel is not full; on a channel of capacity 0, when
    /// another process can receive it in the same step.
    Send {
        /// The channel.
        channel: Expr,
        /// The message's fields.
        args: Vec<Expr>,
        /// Whether it is inserted in order instead of appended.
        sorted: bool,
    },
    /// Receives a message that fits the pattern.
    Receive {
        /// The channel.
        channel: Expr,
        /// The pattern.
        pattern: Vec<ReceiveArg>,
        /// Whether the first message that fits is taken, and not only the very first.
        random: bool,
        /// Whether the message stays in the channel.
        copy: bool,
        /// Messages whose first field is one of these are passed over: of the others, the first is
        /// the one that has to fit. Goes with `random`; without any, nothing is passed over.
        saved: Vec<i32>,
    },
    /// A violation when the value is 0; goes on in either case.
    Assert(Expr),
    /// Prints.
    Print {
        /// The format, with its escapes resolved.
        format: String,
        /// The values to fill in.
        args: Vec<Expr>,
    },
    /// Prints the name of a symbolic value.
    PrintSymbol(Expr),
    /// Gives a process a priority.
    SetPriority {
        /// Which process.
        pid: Expr,
        /// Its new priority.
        priority: Expr,
    },
    /// The process ends. Possible when it is the youngest that lives.
    End,
    /// A run-time error: the step cannot be completed.
    Fail(Failure),
    /// A deterministic sequence that runs as one step.
    DetStep(Box<DetStep>),
}

impl Action {
    /// Whether the action may start a process.
    pub fn starts_process(&self) -> bool {
        let mut found = false;
        self.walk(&mut |e| found |= matches!(e, Expr::Run { .. }));
        found
    }

    /// Calls `visit` for every place that the action may store in.
    pub fn for_each_store<'e>(&'e self, visit: &mut dyn FnMut(&'e Place)) {
        match self {
            Action::Assign(Some(place), _) => visit(place),
            Action::Receive { pattern, .. } => {
                for arg in pattern {
                    if let ReceiveArg::Store(place) = arg {
                        visit(place);
                    }
                }
            }
            Action::DetStep(step) => {
                for edge in step.nodes.iter().flat_map(|n| &n.edges) {
                    edge.action.for_each_store(visit);
                }
            }
            _ => {}
        }
    }

    /// Calls `visit` for every expression in the action.
    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match self {
            Action::Skip | Action::Else | Action::End | Action::Fail(_) => {}
            Action::Condition(e) | Action::Assert(e) | Action::PrintSymbol(e) => e.walk(visit),
            Action::Assign(place, e) => {
                if let Some(place) = place {
                    place.walk(visit);
                }
                e.walk(visit);
            }
            Action::Send { channel, args, .. } => {
                channel.walk(visit);
                args.iter().for_each(|a| a.walk(visit));
            }
            Action::Receive { channel, pattern, .. } => {
                channel.walk(visit);
                pattern.iter().for_each(|a| a.walk(visit));
            }
            Action::Print { args, .. } => args.iter().for_each(|a| a.walk(visit)),
            Action::SetPriority { pid, priority } => {
                pid.walk(visit);
                priority.walk(visit);
            }
            Action::DetStep(step) => {
                for edge in step.nodes.iter().flat_map(|n| &n.edges) {
                    edge.action.walk(visit);
                }
            }
        }
    }
}

/// A deterministic sequence: in each node the first edge that can be taken is taken. When none can
/// be taken in the first node the sequence is not enabled; in a later node that is an error of the
/// model.
#[derive(Debug, PartialEq)]
pub struct DetStep {
    /// The nodes; the sequence starts in node 0.
    pub nodes: Vec<DetNode>,
}

/// Copies of long sequences count as work, as those of automata do.
impl Clone for DetStep {
    fn clone(&self) -> DetStep {
        let node = |node: &DetNode| {
            isospin_limits::check();
            node.clone()
        };
        DetStep { nodes: self.nodes.iter().map(node).collect() }
    }
}

/// A place within a deterministic sequence.
#[derive(Clone, Debug, PartialEq)]
pub struct DetNode {
    /// What can be done here, in the order in which it is tried.
    pub edges: Vec<DetEdge>,
}

/// One statement of a deterministic sequence.
#[derive(Clone, Debug, PartialEq)]
pub struct DetEdge {
    /// What it does. Never [`Action::End`] or a nested sequence.
    pub action: Action,
    /// The node that follows, or `None` at the sequence's end.
    pub target: Option<u32>,
    /// Where it stands in the source.
    pub source: SourceRef,
    /// The statement as written.
    pub text: String,
}
