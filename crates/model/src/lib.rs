//! The waist of Isospin: what a model *is*, whatever language it was written in.
//!
//! A [`Model`] is a set of process types, each a control-flow [`Automaton`] whose edges carry an
//! [`Action`] over typed [`Expr`]essions, and a [`Layout`] that says where every variable lives in
//! the flat state vector. Nothing here knows any source syntax, and nothing here knows how a model
//! is explored.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`scalar`] | the types of single values: width, sign, wrap-around |
//! | [`expr`] | expressions and the places they read |
//! | [`operators`] | what operators mean, and simplifications that keep it |
//! | [`action`] | what an edge does |
//! | [`automaton`] | locations and edges |
//! | [`layout`] | where things live in the state vector, and walking one |
//! | [`element`] | which element of a variable a place is |
//! | [`model`] | process types and the model as a whole |
//! | [`text`] | models as text, and back |
//! | [`verify`] | everything that the rest relies on, checked |
//! | [`time`] | timers, and how time passes |
//! | [`trace`] | trace assertions |
//! | [`exclusive`] | promises of exclusive access to channels |
#![forbid(unsafe_code)]

pub mod action;
pub mod automaton;
pub mod element;
pub mod exclusive;
pub mod expr;
mod ids;
pub mod layout;
pub mod model;
pub mod operators;
mod places;
pub mod scalar;
pub mod text;
pub mod time;
pub mod trace;
pub mod verify;

pub use action::{Action, DetEdge, DetNode, DetStep, Failure, ReceiveArg};
pub use automaton::{Automaton, Edge, Location, SourceRef, Urgency};
pub use element::ElementIndex;
pub use exclusive::Exclusive;
pub use expr::{BinaryOp, ChannelOwner, Expr, Index, Place, Region, UnaryOp};
pub use ids::{ChannelTypeId, EdgeId, LocationId, Pid, ProcTypeId};
pub use layout::{ChannelInstance, ChannelType, FrameLayout, Layout, Segment, Shape, Slot};
pub use model::{
    Activation, Cluster, Features, Formula, Initializer, Member, Model, MtypeSet, ProcKind,
    ProcType, Scalarset, Temporal,
};
pub use operators::DivisionByZero;
pub use scalar::{Kind, Scalar};
pub use time::{Condition, Time};
pub use trace::{Trace, TraceEdge};
