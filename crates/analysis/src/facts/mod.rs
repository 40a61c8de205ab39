//! Static facts about a model: what each location's edges may touch, and what a process may still
//! touch from there on. Partial-order reduction stands on them.
//!
//! | file | what it has |
//! | --- | --- |
//! | `set.rs` | sets of shared objects |
//! | `access.rs` | what an edge reads and writes |
//! | `element.rs` | elements of arrays that a process settles for itself |
//! | `claim.rs` | what promises of exclusive access mean |
//! | `guard.rs` | what may change whether conditions hold |
//! | `fair.rs` | who can let whom move |
//! | `labels.rs` | which steps may change whether somebody stands at a label |
//! | `named.rs` | names of shared objects |
//! | `offers.rs` | when it matters that somebody comes to a rendez-vous |
//! | `numbers.rs` | whether the numbers of processes and channels make a difference |
//! | `sequences.rs` | what there is on the way inside atomic sequences |
//! | `values.rs` | numbers for shared values |
//! | `mod.rs` | locations: what can happen next, and what can happen ever after |

mod access;
mod claim;
mod element;
mod fair;
mod guard;
mod labels;
mod named;
mod numbers;
mod offers;
mod sequences;
mod set;
mod values;

pub use access::{Access, OneChannel, OwnObject, OwnUse};
pub use element::{Element, Sort};
pub use labels::label_changes;
pub use named::Shared;
pub(crate) use offers::{is_private, offers_matter, starts_with_receive};
pub use set::{End, Objects};

use std::cell::RefCell;
use std::collections::HashSet;

use access::Reader;
use isospin_model::{
    Action, Edge, EdgeId, Expr, Kind, LocationId, Model, Place, ProcType, ProcTypeId, Region,
};
use offers::{add_offers, add_preferred, breaks, has_precedence};
use sequences::along_sequences;
use values::Values;

/// What is known of one location.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LocationFacts {
    /// What the next step of a process here may touch, an atomic sequence counting as one step.
    pub next: Access,
    /// For each edge that may have to wait for a channel: what it waits for, beyond `next`.
    pub waiting: Vec<Waiting>,
    /// The edges one by one; empty where one takes precedence over another.
    pub edges: Vec<EdgeFacts>,
    /// What a process here may touch from now on, processes that it starts included. Waiting does
    /// not count: to be let through is not to be disturbed.
    pub future: Access,
    /// Whether a process here can only end, which it does once all younger ones have.
    pub ends: bool,
    /// Under fairness: what the next step changes that may let another process move.
    pub wakes: Access,
    /// Under fairness: what may let a process here move.
    pub sleeps: Access,
    /// Under fairness: whether the next step may end the process.
    pub ends_next: bool,
}

/// What is known of one edge.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeFacts {
    /// The edge.
    pub edge: EdgeId,
    /// What the step along it may touch.
    pub step: Access,
    /// Conditions that must all hold for it to be taken, each with what may make it hold. As long
    /// as one of them does not, the edge cannot be taken. None are known where there are none.
    pub conjuncts: Vec<(Expr, Access)>,
}

/// What an edge may have to wait for. It matters where the edge cannot be taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Waiting {
    /// The edge.
    pub edge: EdgeId,
    /// What it waits for.
    pub access: Access,
    /// The channel of whose very first message it depends. Where there is one, and it does not
    /// fit, no message behind it will change that.
    pub first_message: Option<OneChannel>,
}

/// Why no step of a model can be put off for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Processes have priorities.
    Priorities,
    /// A process type has a `provided` clause.
    Provided,
    /// The model looks at who moved last.
    Last,
    /// The model asks whether a process is enabled.
    Enabled,
    /// The property asks whether nothing can happen.
    Timeout,
}

/// The facts of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// For each process type, its locations.
    pub locations: Vec<Vec<LocationFacts>>,
    /// What keeps steps from being independent at all.
    pub obstacle: Option<Obstacle>,
    /// Whether executions are told apart by who could move: see [`Facts::fair`].
    pub fair: bool,
    /// For each process type, the elements that its processes settle for themselves.
    pub elements: Vec<Vec<Element>>,
    values: Values,
}

impl Facts {
    /// Finds the facts of a model. `observers` are the expressions of a property: what they see of
    /// processes counts as seen. Of the expression `np_` itself, [`label_changes`] knows more.
    pub fn of(model: &Model, observers: &[Expr]) -> Facts {
        Facts::new(model, observers, false)
    }

    /// The same where only executions count that are fair to processes: whether a process can move
    /// makes a difference.
    pub fn fair(model: &Model, observers: &[Expr]) -> Facts {
        Facts::new(model, observers, true)
    }

    fn new(model: &Model, observers: &[Expr], fair: bool) -> Facts {
        let features = &model.features;
        let obstacle = match () {
            _ if features.priorities => Some(Obstacle::Priorities),
            _ if features.provided => Some(Obstacle::Provided),
            _ if features.last => Some(Obstacle::Last),
            _ if features.enabled => Some(Obstacle::Enabled),
            // Whatever can happen anywhere is what it looks at.
            _ if observers.iter().any(|e| e.any(&|e| *e == Expr::Timeout)) => {
                Some(Obstacle::Timeout)
            }
            _ => None,
        };
        let values = Values::of(model, observers, fair);
        let is_seen = |ty: ProcTypeId| values.visible[ty.index()].is_some();
        let offers_matter = offers_matter(model, &is_seen);
        let (mut locations, mut elements) = (Vec::new(), Vec::new());
        for (proctype, ty) in model.proctypes.iter().zip((0..).map(ProcTypeId)) {
            let (settled, numbered) = (settled_variables(proctype), RefCell::default());
            let (values, settled) = (&values, settled.as_slice());
            let reader = Reader { model, proctype, ty, values, settled, elements: Some(&numbered) };
            let broken = offers_matter.then(|| breaks(&proctype.automaton, is_seen(ty)));
            let inside = inside_sequences(&reader, broken.as_deref());
            let meetings = if fair { fair::meetings(&reader) } else { Vec::new() };
            locations.push(
                proctype
                    .automaton
                    .location_ids()
                    .map(|l| {
                        let mut facts = next_of(&reader, l, &inside, broken.as_deref());
                        if let Some(meetings) = meetings.get(l.index()) {
                            fair::add(&reader, l, meetings, &mut facts);
                        }
                        facts
                    })
                    .collect(),
            );
            elements.push(numbered.into_inner());
        }
        let mut facts = Facts { locations, obstacle, fair, elements, values };
        facts.close_futures(model);
        facts
    }

    /// The facts of a location.
    pub fn at(&self, proctype: ProcTypeId, location: LocationId) -> &LocationFacts {
        &self.locations[proctype.index()][location.index()]
    }

    /// What an observer's expression looks at, other than `np_`.
    pub fn observed(&self, model: &Model, expr: &Expr) -> Objects {
        let Some(proctype) = model.proctypes.first() else { return Objects::default() };
        let values = &self.values;
        let reader =
            Reader { model, proctype, ty: ProcTypeId(0), values, settled: &[], elements: None };
        let mut access = Access::default();
        reader.add_expr(expr, &mut access);
        access.reads.add(&access.writes);
        access.reads
    }

    /// Adds to every location what can happen in the locations that follow it, and in processes
    /// that are started on the way.
    fn close_futures(&mut self, model: &Model) {
        for facts in self.locations.iter_mut().flatten() {
            facts.future = facts.next.clone();
        }
        loop {
            let mut changed = false;
            for (ty, proctype) in model.proctypes.iter().enumerate() {
                for l in (0..proctype.automaton.locations.len()).rev() {
                    let mut future = std::mem::take(&mut self.locations[ty][l].future);
                    for edge in proctype.automaton.edges_of(LocationId(l as u32)) {
                        isospin_limits::check();
                        if edge.target.index() != l && edge.action != Action::End {
                            let after = &self.locations[ty][edge.target.index()].future;
                            changed |= future.add(after);
                        }
                        for started in started_by(&edge.action) {
                            let start = model.proctypes[started.index()].automaton.initial;
                            if (started.index(), start.index()) == (ty, l) {
                                continue;
                            }
                            // What depends on the process is something else here.
                            let child = &self.at(started, start).future;
                            changed |= future.add(&self.of_any(started, child));
                        }
                    }
                    self.locations[ty][l].future = future;
                }
            }
            if !changed {
                return;
            }
        }
    }
}

/// Variables that are set when the process starts and never again.
fn settled_variables(proctype: &ProcType) -> Vec<u32> {
    let mut written: HashSet<u32> = HashSet::new();
    let mut note = |place: &Place| {
        if place.region == Region::Local {
            written.insert(place.offset);
        }
    };
    for edge in &proctype.automaton.edges {
        edge.action.for_each_store(&mut note);
    }
    proctype
        .frame
        .slots
        .iter()
        .filter(|s| s.ty.kind != Kind::Timer && !written.contains(&s.offset))
        .filter(|s| s.path.iter().all(|p| p.array.is_none()))
        .map(|s| s.offset)
        .collect()
}

/// The process types that an action may start.
fn started_by(action: &Action) -> Vec<ProcTypeId> {
    let mut started = Vec::new();
    action.walk(&mut |e| {
        if let Expr::Run { proctype, .. } = e {
            started.push(*proctype);
        }
    });
    started
}

/// What the next step from a location may touch; `broken` is there where offers matter, see
/// [`offers`].
fn next_of(
    reader: &Reader<'_>,
    location: LocationId,
    inside: &[Access],
    broken: Option<&[bool]>,
) -> LocationFacts {
    let automaton = &reader.proctype.automaton;
    let mut facts = LocationFacts::default();
    let edges = automaton.edges_of(location);
    // Where an edge takes precedence over others, to be let through is to disturb.
    let precedence = has_precedence(edges);
    for (edge, id) in edges.iter().zip(automaton.locations[location.index()].edge_ids()) {
        let step = step_along(reader, edge, inside, broken);
        facts.next.add(&step);
        let waiting = reader.waiting(&edge.action);
        if precedence {
            facts.next.add(&waiting);
            continue;
        }
        if !waiting.is_local() {
            let first_message = reader.first_message(&edge.action);
            facts.waiting.push(Waiting { edge: id, access: waiting, first_message });
        }
        facts.edges.push(EdgeFacts { edge: id, step, conjuncts: reader.conjuncts(&edge.action) });
    }
    facts.ends = edges.iter().any(|e| e.action == Action::End);
    facts
}

/// For every location, what a process may touch from there on inside an atomic sequence, which
/// belongs to the same step as its beginning; whether it gets through depends on everything that it
/// may wait for.
fn inside_sequences(reader: &Reader<'_>, broken: Option<&[bool]>) -> Vec<Access> {
    let automaton = &reader.proctype.automaton;
    let at = |location| {
        let mut access = Access::default();
        for edge in automaton.edges_of(location) {
            access.add(&reader.action(&edge.action));
            access.add(&reader.waiting(&edge.action));
            if let Some(broken) = broken {
                add_preferred(reader, location, broken, &mut access);
                add_offers(reader, edge, &mut access);
            }
        }
        access
    };
    along_sequences(automaton, at, Access::add)
}

/// What the step along an edge may touch, an atomic sequence counting as one; see
/// [`inside_sequences`].
fn step_along(
    reader: &Reader<'_>,
    edge: &Edge,
    inside: &[Access],
    broken: Option<&[bool]>,
) -> Access {
    let mut step = reader.action(&edge.action);
    if let Some(broken) = broken {
        add_preferred(reader, edge.from, broken, &mut step);
        add_offers(reader, edge, &mut step);
    }
    if edge.atomic {
        step.add(&inside[edge.target.index()]);
    }
    // Every step of a process that is looked at from outside may be seen.
    if let Some(value) = reader.values.visible[reader.ty.index()] {
        step.writes.add_value(value);
    }
    step
}
