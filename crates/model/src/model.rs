//! Process types, and the model as a whole.

use crate::automaton::{Automaton, SourceRef};
use crate::exclusive::Exclusive;
use crate::expr::{Expr, Place};
use crate::ids::{ChannelTypeId, Pid, ProcTypeId};
use crate::layout::{ChannelType, FrameLayout, Layout};
use crate::time::Time;
use crate::trace::Trace;

/// What a process type is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProcKind {
    /// Instantiated by `run` or at the start.
    Process,
    /// The process that starts a model.
    Init,
    /// Watches the others and takes a step with each of theirs; never instantiated in the vector.
    NeverClaim,
}

/// A value that a variable starts with, computed when its owner comes into being.
#[derive(Clone, Debug, PartialEq)]
pub struct Initializer {
    /// The variable.
    pub place: Place,
    /// Its value. May read what earlier initialisers wrote.
    pub value: Expr,
}

/// A type of process.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcType {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub kind: ProcKind,
    /// How many parameters it takes: the first slots of its frame.
    pub parameters: u32,
    /// Where its variables are.
    pub frame: FrameLayout,
    /// What its variables start with, in order. Everything else starts with 0.
    pub initializers: Vec<Initializer>,
    /// The condition under which a process of this type can move at all.
    pub provided: Option<Expr>,
    /// Whether it is an error if a process of this type can do two things at once.
    pub deterministic: bool,
    /// What it does.
    pub automaton: Automaton,
    /// Where it stands in the source.
    pub source: SourceRef,
}

/// A process that is there from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activation {
    /// What it runs.
    pub proctype: ProcTypeId,
    /// Its priority.
    pub priority: u8,
}

/// The members of a symbolic type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MtypeSet {
    /// Its name; empty for the one without.
    pub name: String,
    /// Names and values.
    pub members: Vec<(String, i32)>,
}

/// A set of names that the model declares: 0 to `size - 1`, and everything else for none of them.
/// They can change places, or the declaration is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalarset {
    /// Its name.
    pub name: String,
    /// How many names there are.
    pub size: u8,
    /// Where it is declared first.
    pub source: SourceRef,
}

/// A group of processes that the model declares: a hint where partial-order reduction may find a
/// set that nobody outside disturbs. Two clusters have nobody in common, or one contains the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// Its name.
    pub name: String,
    /// Who belongs to it.
    pub members: Vec<Member>,
    /// Where it is declared.
    pub source: SourceRef,
}

/// Processes of a type: all, or the one with this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Member {
    pub proctype: ProcTypeId,
    pub pid: Option<Pid>,
}

impl Member {
    /// Whether all processes of the other are among these.
    pub fn has(&self, other: Member) -> bool {
        self.proctype == other.proctype && (self.pid.is_none() || self.pid == other.pid)
    }

    /// Whether a process can be among both.
    pub fn meets(&self, other: Member) -> bool {
        self.has(other) || other.has(*self)
    }
}

/// A formula of linear temporal logic over expressions of the model.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Temporal {
    Const(bool),
    /// Holds where the expression is not 0, as an observer sees it.
    Atom {
        /// The expression.
        expr: Expr,
        /// The atom as written.
        text: String,
    },
    Not(Box<Temporal>),
    And(Box<Temporal>, Box<Temporal>),
    Or(Box<Temporal>, Box<Temporal>),
    Implies(Box<Temporal>, Box<Temporal>),
    Equivalent(Box<Temporal>, Box<Temporal>),
    Next(Box<Temporal>),
    Always(Box<Temporal>),
    Eventually(Box<Temporal>),
    Until(Box<Temporal>, Box<Temporal>),
    WeakUntil(Box<Temporal>, Box<Temporal>),
    Release(Box<Temporal>, Box<Temporal>),
}

impl Temporal {
    /// Calls `visit` with the expression of every atom.
    pub fn for_each_atom<'t>(&'t self, visit: &mut impl FnMut(&'t Expr)) {
        let mut todo = vec![self];
        while let Some(formula) = todo.pop() {
            match formula {
                Temporal::Const(_) => {}
                Temporal::Atom { expr, .. } => visit(expr),
                Temporal::Not(a)
                | Temporal::Next(a)
                | Temporal::Always(a)
                | Temporal::Eventually(a) => todo.push(a),
                Temporal::And(a, b)
                | Temporal::Or(a, b)
                | Temporal::Implies(a, b)
                | Temporal::Equivalent(a, b)
                | Temporal::Until(a, b)
                | Temporal::WeakUntil(a, b)
                | Temporal::Release(a, b) => todo.extend([&**b, &**a]),
            }
        }
    }
}

/// A temporal formula that the model states.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// Its name.
    pub name: String,
    /// The formula as written.
    pub text: String,
    /// Where it stands.
    pub source: SourceRef,
    /// The formula.
    pub temporal: Temporal,
}

/// What a model makes use of that changes how it must be stepped or reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Features {
    /// Some process has or gets a priority.
    pub priorities: bool,
    /// Some process type has a `provided` clause.
    pub provided: bool,
    /// The number of the last process to move is looked at.
    pub last: bool,
    /// `enabled` is used.
    pub enabled: bool,
    /// There are rendez-vous channels.
    pub rendezvous: bool,
    /// There are `unless` escapes.
    pub escapes: bool,
}

/// A model: what there is, where it lives, and what it does.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Model {
    /// The model's name, usually its file's.
    pub name: String,
    /// The files that source references count in.
    pub files: Vec<String>,
    /// Where the variables are.
    pub layout: Layout,
    /// What global variables start with, in order. Everything else starts with 0.
    pub initializers: Vec<Initializer>,
    /// The types of channels.
    pub channel_types: Vec<ChannelType>,
    /// The types of processes.
    pub proctypes: Vec<ProcType>,
    /// The processes that are there from the start, in the order of their numbers.
    pub initial: Vec<Activation>,
    /// What processes are called, by number, where that is not made of their type and number. The
    /// name of process 0 then stands for nobody.
    pub process_names: Vec<String>,
    /// Where it is noted which processes are there: a byte for each, by number, which is not 0 for
    /// one that is. One that is not may end where it stands. Without it, all are there.
    pub present: Option<u32>,
    /// Never claims, as types of processes.
    pub claims: Vec<ProcType>,
    /// The trace assertion.
    pub trace: Option<Trace>,
    /// Promises that channels are used by one process only.
    pub exclusives: Vec<Exclusive>,
    /// Temporal formulas that the model states.
    pub formulas: Vec<Formula>,
    /// Sets of names that are declared to be interchangeable.
    pub scalarsets: Vec<Scalarset>,
    /// Groups of processes that are declared to have to do with each other, inner ones first.
    pub clusters: Vec<Cluster>,
    /// Symbolic types.
    pub mtypes: Vec<MtypeSet>,
    /// How time passes; `None` in a model without timers.
    pub time: Option<Time>,
    /// What the model makes use of.
    pub features: Features,
    /// How many different statements its edges carry, over all process types.
    pub statements: u32,
}

/// Spin's bound on the number of processes, and on the number of channels, in a state.
pub const MAX_PROCESSES: usize = 255;

impl Model {
    /// The numbers of the types of processes.
    pub fn proctype_ids(&self) -> impl DoubleEndedIterator<Item = ProcTypeId> {
        (0..self.proctypes.len()).map(ProcTypeId::at)
    }

    /// A type of process.
    pub fn proctype(&self, ty: ProcTypeId) -> &ProcType {
        &self.proctypes[ty.index()]
    }

    /// Whether some type of process is deterministic.
    pub fn has_deterministic(&self) -> bool {
        self.proctypes.iter().any(|p| p.deterministic)
    }

    /// The type of a channel.
    pub fn channel_type(&self, ty: ChannelTypeId) -> &ChannelType {
        &self.channel_types[ty.index()]
    }

    /// The name of a symbolic value, in the given set.
    pub fn mtype_name(&self, set: u16, value: i32) -> Option<&str> {
        let set = self.mtypes.get(set as usize)?;
        set.members.iter().find(|(_, v)| *v == value).map(|(n, _)| n.as_str())
    }

    /// Whether a process of a state is there, and not only room for it.
    pub fn is_present(&self, state: &[u8], pid: usize) -> bool {
        self.present.is_none_or(|at| state.get(at as usize + pid).is_none_or(|byte| *byte != 0))
    }

    /// `file:line:column`, for people.
    pub fn place(&self, at: SourceRef) -> String {
        let file = self.files.get(at.file as usize).map_or("?", String::as_str);
        format!("{file}:{}:{}", at.line, at.column)
    }
}
