//! Locations and edges.

use super::expr::Scope;
use super::{ensure, At, Checked, Flaw};
use crate::action::{Action, DetStep};
use crate::automaton::{Automaton, Edge, SourceRef};
use crate::ids::LocationId;
use crate::layout::FrameLayout;
use crate::model::{Model, ProcType};

impl Model {
    pub(super) fn verify_automaton(&self, proctype: &ProcType, scope: Scope) -> Result<(), Flaw> {
        let automaton = &proctype.automaton;
        self.verify_source(proctype.source)
            .and_then(|()| verify_shape(automaton))
            .at(|| format!("the automaton of `{}`", proctype.name))?;
        for (id, location) in automaton.locations.iter().enumerate() {
            let edges = automaton.edges_of(LocationId::at(id));
            let misplaced = edges.iter().find(|e| e.from.index() != id);
            ensure(misplaced.is_none(), || "one of its edges starts elsewhere".to_owned())
                .and_then(|()| verify_escapes(edges))
                .and_then(|()| self.verify_source(location.source))
                .at(|| format!("location {id} of `{}`", proctype.name))?;
        }
        for (id, edge) in automaton.edges.iter().enumerate() {
            self.verify_edge(proctype, scope, edge)
                .at(|| format!("edge {id} of `{}` (`{}`)", proctype.name, edge.text))?;
        }
        Ok(())
    }

    fn verify_edge(&self, proctype: &ProcType, scope: Scope, edge: &Edge) -> Checked {
        let locations = proctype.automaton.locations.len();
        ensure(edge.target.index() < locations || edge.action == Action::End, || {
            format!("it leads to location {}, which there is not", edge.target)
        })?;
        ensure(edge.statement < self.statements.max(1), || {
            format!("it is statement {} of {}", edge.statement, self.statements)
        })?;
        self.verify_source(edge.source)?;
        for &(start, len) in &edge.resets {
            verify_reset(&proctype.frame, start, len)?;
        }
        self.verify_action(scope, &edge.action)
    }

    fn verify_action(&self, scope: Scope, action: &Action) -> Checked {
        if let Action::DetStep(step) = action {
            self.verify_det_step(scope, step)
        } else {
            self.verify_simple_action(scope, action)
        }
    }

    fn verify_det_step(&self, scope: Scope, step: &DetStep) -> Checked {
        ensure(!step.nodes.is_empty(), || "a deterministic sequence of nothing".to_owned())?;
        for edge in step.nodes.iter().flat_map(|n| &n.edges) {
            ensure(!matches!(edge.action, Action::End | Action::DetStep(_)), || {
                "an end or another sequence within a deterministic sequence".to_owned()
            })?;
            if let Some(target) = edge.target {
                ensure((target as usize) < step.nodes.len(), || {
                    format!("node {target} of a deterministic sequence, which there is not")
                })?;
            }
            self.verify_source(edge.source)?;
            self.verify_simple_action(scope, &edge.action)?;
        }
        Ok(())
    }

    /// A place in the source.
    pub(super) fn verify_source(&self, at: SourceRef) -> Checked {
        ensure(at == SourceRef::default() || (at.file as usize) < self.files.len(), || {
            format!("it stands in source file {}, which there is not", at.file)
        })
    }
}

/// Every edge belongs to one location, and the edges of locations follow each other as they do.
fn verify_shape(automaton: &Automaton) -> Checked {
    let (locations, edges) = (automaton.locations.len(), automaton.edges.len());
    ensure(automaton.initial.index() < locations, || {
        format!("it starts at location {}, and there are {locations}", automaton.initial)
    })?;
    let mut next = 0;
    for (id, location) in automaton.locations.iter().enumerate() {
        ensure(u64::from(location.first_edge.0) == next, || {
            format!("the edges of location {id} start at {}, not at {next}", location.first_edge)
        })?;
        next += u64::from(location.edge_count);
    }
    ensure(next == edges as u64, || {
        format!("the locations have {next} edges, and there are {edges}")
    })
}

/// Escapes stand first, and those of one together.
fn verify_escapes(edges: &[Edge]) -> Checked {
    let mut seen = vec![];
    for edge in edges {
        if seen.last() != Some(&edge.escape) {
            ensure(!seen.contains(&edge.escape), || {
                "edges of one escape do not stand together".to_owned()
            })?;
            ensure(edge.escape == 0 || !seen.contains(&0), || {
                "an escape stands after what it escapes from".to_owned()
            })?;
            seen.push(edge.escape);
        }
    }
    Ok(())
}

/// What is reset are variables of the process.
fn verify_reset(frame: &FrameLayout, start: u32, len: u32) -> Checked {
    let (start, end) = (u64::from(start), u64::from(start) + u64::from(len));
    let header = u64::from(FrameLayout::LOCATION + frame.location_width);
    let priority = frame.priority.map(u64::from);
    let inside = start >= header
        && end <= u64::from(frame.size)
        && !priority.is_some_and(|at| (start..end).contains(&at));
    ensure(inside, || format!("it resets bytes {start} to {end}, which are no variables"))
}
