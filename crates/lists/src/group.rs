//! Groups of steps that touch the same slots, and the relations that have been learned of them.
//!
//! A [`Template`] is what a process may do at a location. Which slots that touches may depend on
//! the values of others (the index into an array, a variable that names a channel): for each
//! combination of their values that is met there is a [`Group`]. Where a send may be a rendez-vous,
//! it is half of one, and so is a location from which somebody may receive; a group is made of two
//! halves that fit.

use std::collections::HashMap;

use isospin_machine::{Fault, Step};
use isospin_model::{Action, EdgeId, Expr, LocationId, Model};

use crate::access::{receives, Known, Partner, Reader};
use crate::diagram::{List, Plan, Touch};
use crate::space::Space;

/// Who does what in the steps of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Whatever the edges do.
    Alone,
    /// A send that is perhaps a rendez-vous.
    Sender,
    /// Nothing but to receive in one.
    Receiver,
}

/// What a process may do at a location.
#[derive(Debug)]
pub(crate) struct Template {
    pub pid: usize,
    pub location: LocationId,
    pub edges: Vec<EdgeId>,
    pub role: Role,
    /// Whether the steps are those that wait for `timeout`.
    pub timeout: bool,
    /// The slots whose values tell which others are touched.
    pub selectors: Vec<usize>,
    pub plan: Option<Plan>,
    /// The values for which there are groups.
    pub seen: List,
    /// How many they are.
    pub met: usize,
}

/// One side of a rendez-vous.
#[derive(Clone, Debug)]
pub(crate) struct Half {
    pub template: usize,
    pub fixed: Vec<(usize, i32)>,
    /// The channels; nothing for any.
    pub channels: Option<Vec<usize>>,
}

/// What takes the steps of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// A process, along one of these edges, or along any where there are none, with such a partner in a rendez-vous.
    Process { pid: usize, edges: Vec<EdgeId>, partner: Partner },
    /// Time.
    Time,
}

/// Steps to another space.
#[derive(Debug)]
pub(crate) struct Crossing {
    pub target: usize,
    pub inserted: Vec<u32>,
    pub plan: Plan,
    pub relation: List,
}

/// Steps that touch the same slots.
#[derive(Debug)]
pub(crate) struct Group {
    pub by: By,
    pub timeout: bool,
    /// Slots that have one value where the steps can be taken.
    pub fixed: Vec<(usize, i32)>,
    /// The other slots that are read, in order.
    pub read: Vec<usize>,
    /// Everything that is touched, in order.
    pub touched: Vec<(usize, Touch)>,
    /// Whether some slots may be written that are not read.
    pub blind: bool,
    /// The highest level that is touched.
    pub top: usize,
    pub projection: Plan,
    pub relation_plan: Plan,
    pub domain_plan: Plan,
    /// The short vectors that the machine has run on.
    pub seen: List,
    /// Those of them from which there are steps, and where the steps lead.
    pub domain: List,
    pub relation: List,
    pub crossings: Vec<Crossing>,
    /// Those of them from which a step goes wrong.
    pub failing: HashMap<(Step, Fault), List>,
}

/// The templates and groups of a space.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    pub templates: Vec<Template>,
    pub groups: Vec<Group>,
    /// For each level the templates and groups whose highest level it is.
    pub templates_at: Vec<Vec<usize>>,
    pub groups_at: Vec<Vec<usize>>,
    /// The groups that wait for `timeout`, and those of time.
    pub waiting: Vec<usize>,
    pub ticks: Vec<usize>,
    pub senders: Vec<Half>,
    pub receivers: Vec<Half>,
}

impl Groups {
    /// The templates of a space, and no groups yet.
    pub fn new(model: &Model, space: &Space) -> Groups {
        let mut groups = Groups {
            templates_at: vec![Vec::new(); space.levels()],
            groups_at: vec![Vec::new(); space.levels()],
            ..Groups::default()
        };
        for pid in 0..space.types.len() {
            let proctype = model.proctype(space.types[pid]);
            let always = proctype.provided.as_ref().is_some_and(waits);
            for location in proctype.automaton.location_ids() {
                let edges = proctype.automaton.edges_of(location);
                let ids: Vec<EdgeId> =
                    proctype.automaton.locations[location.index()].edge_ids().collect();
                let mut add = |edges: Vec<EdgeId>, role, timeout| {
                    groups.add_template(model, space, (pid, location), edges, role, timeout);
                };
                let together = model.features.provided
                    || edges.iter().any(|e| e.escape > 0 || e.action == Action::Else)
                    || edges.len() > 1
                        && edges.iter().any(|e| matches!(e.action, Action::DetStep(_)));
                if together {
                    // Even where there is no edge, it may be an error to ask whether to move.
                    add(ids.clone(), Role::Alone, false);
                } else {
                    for (edge, id) in edges.iter().zip(&ids) {
                        let sends = matches!(edge.action, Action::Send { .. });
                        let role = if sends && model.features.rendezvous {
                            Role::Sender
                        } else {
                            Role::Alone
                        };
                        add(vec![*id], role, false);
                    }
                }
                if model.features.rendezvous
                    && edges.iter().any(|e| !receives(&e.action).is_empty())
                {
                    add(Vec::new(), Role::Receiver, false);
                }
                let waiting = edges.iter().any(|e| {
                    let mut found = false;
                    e.action.walk(&mut |e| found |= *e == Expr::Timeout);
                    found
                });
                if waiting || always && !ids.is_empty() {
                    add(ids, Role::Alone, true);
                }
            }
        }
        groups
    }

    fn add_template(
        &mut self,
        model: &Model,
        space: &Space,
        (pid, location): (usize, LocationId),
        edges: Vec<EdgeId>,
        role: Role,
        timeout: bool,
    ) {
        let reader = Reader::new(model, space, Known::Nothing);
        let access = match role {
            Role::Alone => reader.steps(pid, &edges, Partner::Anybody),
            // Who might receive tells for himself.
            Role::Sender => reader.steps(pid, &edges, Partner::Nobody),
            Role::Receiver => reader.receiver(pid, location),
        };
        let mut selectors: Vec<usize> = Reader::selectors(&access).iter().collect();
        if access.everything {
            selectors.clear();
        }
        let highest = selectors.iter().copied().min().unwrap_or(usize::MAX);
        self.templates_at[space.locations[pid].min(highest)].push(self.templates.len());
        self.templates.push(Template {
            pid,
            location,
            edges,
            role,
            timeout,
            selectors,
            plan: None,
            seen: List::EMPTY,
            met: 0,
        });
    }
}

fn waits(expr: &Expr) -> bool {
    expr.any(&|e| *e == Expr::Timeout)
}
