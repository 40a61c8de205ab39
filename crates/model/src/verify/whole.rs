//! What is said about the model as a whole: who is there, flags, properties, promises.

use super::expr::Scope;
use super::{ensure, At, Checked, Flaw};
use crate::expr::Expr;
use crate::model::{Cluster, Model, ProcKind, Temporal};
use crate::time::Time;
use crate::trace::Trace;

/// The type of a process takes one byte of its frame.
const MAX_TYPES: usize = 256;

impl Model {
    pub(super) fn verify_whole(&self) -> Result<(), Flaw> {
        self.verify_processes().at(|| "the processes at the start".to_owned())?;
        self.verify_features().at(|| "what the model makes use of".to_owned())?;
        self.verify_time().at(|| "the timers".to_owned())?;
        for claim in &self.claims {
            ensure(claim.kind == ProcKind::NeverClaim, || "it is no claim".to_owned())
                .at(|| format!("the never claim `{}`", claim.name))?;
        }
        if let Some(trace) = &self.trace {
            self.verify_trace(trace).at(|| format!("the {} assertion", trace.name()))?;
        }
        for formula in &self.formulas {
            self.verify_source(formula.source)
                .and_then(|()| self.verify_formula(&formula.temporal))
                .at(|| format!("the formula `{}`", formula.name))?;
        }
        for promise in &self.exclusives {
            ensure(promise.proctype.index() < self.proctypes.len(), || {
                format!("it is made by process type {}, which there is not", promise.proctype)
            })
            .and_then(|()| {
                let scope = Scope::Process(promise.proctype.index());
                self.verify_expr(scope, &promise.channel)
            })
            .and_then(|()| self.verify_source(promise.source))
            .at(|| "a promise of exclusive access".to_owned())?;
        }
        for (k, cluster) in self.clusters.iter().enumerate() {
            self.verify_cluster(k, cluster).at(|| format!("the cluster `{}`", cluster.name))?;
        }
        Ok(())
    }

    fn verify_processes(&self) -> Checked {
        let types = self.proctypes.len();
        let end = self.present.map_or(0, |at| at as usize + self.initial.len());
        ensure(end <= self.layout.frames as usize, || {
            "who is there is noted behind the global variables".to_owned()
        })?;
        ensure(types <= MAX_TYPES, || format!("{types} types of processes are too many"))?;
        for activation in &self.initial {
            ensure(activation.proctype.index() < types, || {
                format!("process type {}, which there is not", activation.proctype)
            })?;
            ensure(activation.priority > 0, || "a process of priority 0".to_owned())?;
        }
        Ok(())
    }

    /// Flags say what is there: machines and reductions look at nothing else.
    fn verify_features(&self) -> Checked {
        let features = &self.features;
        let same = |noted: bool, there: bool, what: &str| {
            ensure(noted == there, || {
                let (is, says) = if there { ("are", "none") } else { ("are no", "some") };
                format!("there {is} {what}, and it says that there are {says}")
            })
        };
        let provided = self.proctypes.iter().any(|p| p.provided.is_some());
        same(features.provided, provided, "`provided` clauses")?;
        same(features.last, self.layout.last.is_some(), "bytes for `_last`")?;
        let rendezvous = self.channel_types.iter().any(|t| t.capacity == 0);
        same(features.rendezvous, rendezvous, "rendez-vous channels")?;
        let edges = || self.proctypes.iter().flat_map(|p| &p.automaton.edges);
        same(features.escapes, edges().any(|e| e.escape != 0), "escapes")?;
        same(self.trace.is_some(), self.layout.event.is_some(), "bytes for a trace assertion")?;
        for proctype in &self.proctypes {
            same(features.priorities, proctype.frame.priority.is_some(), "bytes for priorities")?;
        }
        Ok(())
    }

    fn verify_time(&self) -> Checked {
        let expected = Time::new(&self.layout, &self.proctypes);
        let needed = !expected.is_empty();
        let Some(time) = &self.time else {
            return ensure(!needed, || {
                "they are not where the variables of that type are".to_owned()
            });
        };
        ensure(needed || time.open, || "there is time, and there are none".to_owned())?;
        let places = |t: &Time| {
            (t.global.clone(), t.local.clone(), t.global_clocks.clone(), t.local_clocks.clone())
        };
        ensure(places(time) == places(&expected), || {
            "they are not where the variables of that type are".to_owned()
        })?;
        let timers = !time.global.is_empty() || time.local.iter().any(|l| !l.is_empty());
        let clocks = time.has_clocks();
        ensure(!(timers && time.open), || "timers do not go with clocks".to_owned())?;
        ensure(time.open || !clocks, || "there are clocks, and time does not know".to_owned())?;
        let eager = |p: &crate::model::ProcType| {
            p.automaton.edges.iter().all(|e| e.urgency == crate::automaton::Urgency::Eager)
        };
        ensure(time.open || self.proctypes.iter().all(eager), || {
            "steps wait for time that passes beside them".to_owned()
        })?;
        for condition in &time.conditions {
            let proctype = self.proctypes.get(condition.proctype.index());
            let there =
                proctype.is_some_and(|p| condition.location.index() < p.automaton.locations.len());
            ensure(there, || "a condition on time belongs to no location".to_owned())?;
            let scope = Scope::Process(condition.proctype.index());
            self.verify_expr(scope, &condition.holds)?;
        }
        Ok(())
    }

    fn verify_trace(&self, trace: &Trace) -> Checked {
        let locations = trace.locations.len();
        ensure((1..=1 << 16).contains(&locations), || format!("it has {locations} locations"))?;
        ensure(trace.ends.len() == locations, || "not every location is an end or not".to_owned())?;
        self.verify_source(trace.source)?;
        for edge in trace.edges() {
            ensure(edge.target.index() < locations, || {
                format!("it goes on at location {}, which there is not", edge.target)
            })?;
            self.verify_expr(Scope::Observer, &edge.channel)?;
            self.verify_pattern(Scope::Observer, &edge.pattern)?;
        }
        Ok(())
    }

    fn verify_formula(&self, formula: &Temporal) -> Checked {
        let mut atoms: Vec<&Expr> = Vec::new();
        formula.for_each_atom(&mut |atom| atoms.push(atom));
        atoms.into_iter().try_for_each(|atom| self.verify_expr(Scope::Observer, atom))
    }

    /// Members exist, and an earlier cluster is inside this one or apart from it.
    fn verify_cluster(&self, k: usize, cluster: &Cluster) -> Checked {
        self.verify_source(cluster.source)?;
        for member in &cluster.members {
            ensure(member.proctype.index() < self.proctypes.len(), || {
                format!("process type {}, which there is not, is a member", member.proctype)
            })?;
        }
        for other in &self.clusters[..k] {
            let inside = other.members.iter().all(|m| cluster.members.iter().any(|n| n.has(*m)));
            let apart = !other.members.iter().any(|m| cluster.members.iter().any(|n| n.meets(*m)));
            ensure(inside || apart, || {
                format!("it has some, and not all, of the members of `{}`", other.name)
            })?;
        }
        Ok(())
    }
}
