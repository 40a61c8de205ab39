//! Whether a permutation is an automorphism: whether the model does after it what it did before.
//!
//! A permutation acts on states: it moves processes, elements of arrays and channels, and renames
//! the values of variables and message fields by their sort. Every edge is *transported*: the
//! constants in it are renamed, and what comes out is compared with what stands there. If all edges
//! go over into edges, then a step from `s` to `t` is one from `p(s)` to `p(t)`, which is all that
//! symmetry reduction needs (an automorphism of the transition relation; the initial state need not
//! be fixed, because a state and its image are then bisimilar wherever they come from).

mod computed;
mod expr;
mod tails;

use isospin_model::{Action, Expr, Model, ProcTypeId, Scalar, SourceRef};

use crate::flow::{Flow, FlowArc};
use crate::held::Held;
use crate::loops::Loop;
use crate::normal::{fold, map_action};
use crate::sorts::{is_starting, Site, Sorts};
use crate::startup::Startup;
use crate::tables::{Table, Tables};
use expr::fits;

/// Why a permutation is not an automorphism, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// Where in the source.
    pub source: SourceRef,
    /// What stands there.
    pub text: String,
    /// What is wrong with it.
    pub why: String,
}

impl Breach {
    /// One that stands nowhere in the source.
    pub(crate) fn unplaced(why: String) -> Breach {
        Breach { source: SourceRef::default(), text: String::new(), why }
    }
}

/// What a check needs to know.
pub struct Transport<'c, 'm> {
    /// The model.
    pub model: &'m Model,
    /// The graphs of its process types.
    pub flows: &'c [Flow<'m>],
    /// What is there once everything has been started.
    pub startup: &'c Startup,
    /// The sorts.
    pub sorts: &'c mut Sorts<'m>,
    /// Loops over all members, of each process type.
    pub loops: &'c [Vec<Loop>],
    /// The permutation.
    pub tables: &'c Tables,
    /// The types of everything that holds names.
    pub types: Vec<Scalar>,
    /// Whether the arc at hand computes with names, and the permutation shows in what comes out.
    pub computes: bool,
    /// What global variables can hold, once somebody needs to know.
    pub held: Option<Held>,
}

type Reason = String;

/// Actions after the permutation, and as they are.
type Renamed = (Vec<Action>, Vec<Action>);

const COMPUTED: &str = "names are compared by size, or computed with";

impl Transport<'_, '_> {
    /// Checks all edges, and where each of `observers`, the expressions that properties look at,
    /// goes: to another one only if somebody `reads` them who may go along.
    pub fn check(&mut self, observers: &[&Expr], reads: bool) -> Result<Vec<usize>, Breach> {
        for ty in 0..self.flows.len() {
            self.check_type(ProcTypeId(ty as u16))?;
        }
        let mut to = Vec::new();
        for k in 0..observers.len() {
            let others = if reads { observers } else { &[] };
            let site = Site { ty: ProcTypeId(0), point: 0 };
            to.push(self.observer(site, observers[k], others, k).map_err(Breach::unplaced)?);
        }
        Ok(to)
    }

    fn check_type(&mut self, ty: ProcTypeId) -> Result<(), Breach> {
        let flows = self.flows;
        let flow = &flows[ty.index()];
        if self.startup.instances(ty).next().is_none() {
            return Ok(());
        }
        let loops = self.loops;
        let passed = tails::passed_through(self.model, self.startup, flow, ty, &loops[ty.index()]);
        let mut from = 0;
        while from < flow.arcs.len() {
            // The arcs out of a point lie side by side.
            let point = flow.arcs[from].from;
            let mut to = from;
            while to < flow.arcs.len() && flow.arcs[to].from == point {
                to += 1;
            }
            if passed[point] {
                // What is done here belongs to the arcs that lead here.
                from = to;
                continue;
            }
            let ordered = point >= flow.locations;
            let (mut theirs, mut ours) = (Vec::new(), Vec::new());
            for arc in &flow.arcs[from..to] {
                if is_starting(flow, &self.startup.starting[ty.index()], arc.edge) {
                    continue;
                }
                if let Some(over) = loops[ty.index()].iter().find(|l| l.is_control(flow, arc)) {
                    self.check_range(ty, over).map_err(|why| breach(flow, arc, why))?;
                    continue;
                }
                self.computes = false;
                let circle = || breach(flow, arc, "an atomic sequence goes round".to_owned());
                let tail = tails::tail(flow, &passed, arc).ok_or_else(circle)?;
                let whole: Vec<&FlowArc> = std::iter::once(arc).chain(tail).collect();
                let moved = self.actions(ty, flow, &whole)?;
                if let Some((moved, same)) = moved {
                    if ordered && self.computes {
                        return Err(breach(flow, arc, COMPUTED.to_owned()));
                    }
                    if ordered {
                        let why = "a name is written out, and the order of a deterministic \
                                   sequence counts";
                        return Err(breach(flow, arc, why.to_owned()));
                    }
                    theirs.push((format!("{moved:?}"), whole, self.computes));
                    ours.push(format!("{same:?}"));
                }
            }
            // What was moved must be there, with the same target.
            isospin_limits::check_many(1 + theirs.len() as u32);
            for (moved, whole, computes) in &theirs {
                let others = theirs.iter().zip(&ours).filter(|(_, ours)| *ours == moved);
                let mut others = others.map(|((_, other, _), _)| other).peekable();
                let elsewhere = others.peek().is_some();
                if !others.any(|other| tails::same_way(flow, whole, other)) {
                    let why = if *computes {
                        COMPUTED
                    } else if elsewhere {
                        "what is written out here for one of the names leads elsewhere for others"
                    } else {
                        "what is written out here for one of the names is not for the others"
                    };
                    return Err(breach(flow, whole[0], why.to_owned()));
                }
            }
            from = to;
        }
        if let Some(provided) = &flow.proctype.provided {
            let site = Site { ty, point: 0 };
            self.fixed(site, provided).map_err(|why| Breach {
                source: flow.proctype.source,
                text: "provided".to_owned(),
                why,
            })?;
        }
        Ok(())
    }

    /// Actions one after the other as they are and as they are after the permutation; `None` where
    /// these are the same.
    fn actions(
        &mut self,
        ty: ProcTypeId,
        flow: &Flow,
        arcs: &[&FlowArc],
    ) -> Result<Option<Renamed>, Breach> {
        let (mut moved, mut same, mut differ) = (Vec::new(), Vec::new(), false);
        for arc in arcs {
            let site = Site { ty, point: arc.from };
            match self.action(site, arc).map_err(|why| breach(flow, arc, why))? {
                Some((theirs, ours)) => {
                    differ = true;
                    moved.push(theirs);
                    same.push(ours);
                }
                None => {
                    moved.push(arc.action.clone());
                    same.push(arc.action.clone());
                }
            }
        }
        Ok(differ.then_some((moved, same)))
    }

    /// The members that a loop goes over must be those of a whole set.
    fn check_range(&mut self, ty: ProcTypeId, over: &Loop) -> Result<(), Reason> {
        let node = self.sorts.local(ty, over.slot, over.head);
        let table = self.tables.of(self.sorts, Some(node));
        if table.is_identity() {
            return Ok(());
        }
        let inside = |v: usize| (over.low..=over.high).contains(&(v as i32));
        for v in table.moved() {
            if inside(v) != inside(usize::from(table.0[v])) {
                return Err("the loop goes over some of the names and not over others".to_owned());
            }
        }
        self.keeps_off(over.high.wrapping_add(1), &table.clone())?;
        match &over.obstacle {
            None => Ok(()),
            Some(why) => Err(why.clone()),
        }
    }

    /// The action as it is and as it is after the permutation; `None` where these are the same.
    fn action(&mut self, site: Site, arc: &FlowArc) -> Result<Option<(Action, Action)>, Reason> {
        let to = arc.to;
        let same = match arc.action {
            Action::Condition(e) => Action::Condition(fold(e)),
            Action::Assert(e) => Action::Assert(fold(e)),
            Action::Assign(place, e) => Action::Assign(place.clone(), fold(e)),
            action => action.clone(),
        };
        let moved = match &same {
            Action::Skip | Action::Else | Action::End | Action::Fail(_) | Action::DetStep(_) => {
                return Ok(None)
            }
            // What is printed is no part of the state.
            Action::Print { .. } | Action::PrintSymbol(_) => return Ok(None),
            Action::Condition(e) => Action::Condition(self.truth(site, e)?),
            Action::Assert(e) => Action::Assert(self.truth(site, e)?),
            Action::Assign(None, e) => {
                // The value is dropped; only whether it can be computed counts.
                let node = self.sorts.value(site, e);
                let table = self.tables.of(self.sorts, node).clone();
                Action::Assign(None, self.expr(site, e, &table)?)
            }
            Action::Assign(Some(place), e) => {
                let node = self.sorts.place(site, to, place);
                let table = self.tables.of(self.sorts, Some(node)).clone();
                fits(&table, place)?;
                let value = self.expr(site, e, &table)?;
                Action::Assign(Some(self.place(site, place)?), value)
            }
            Action::Send { channel, args, sorted } => {
                let tag = self.sorts.tag_of_message(args);
                let mut moved = Vec::new();
                for (k, arg) in args.iter().enumerate() {
                    let table = self.field(site, channel, tag, k);
                    if *sorted && !table.is_identity() {
                        return Err("messages are sorted by a name".to_owned());
                    }
                    moved.push(self.expr(site, arg, &table)?);
                }
                let channel = self.channel(site, channel)?;
                Action::Send { channel, args: moved, sorted: *sorted }
            }
            Action::Receive { channel, pattern, random, copy, saved } => {
                let pattern = self.pattern(site, to, channel, pattern)?;
                let channel = self.channel(site, channel)?;
                let saved = saved.clone();
                Action::Receive { channel, pattern, random: *random, copy: *copy, saved }
            }
            Action::SetPriority { pid, priority } => {
                let table = self.tables.pid.clone();
                let pid = self.expr(site, pid, &table)?;
                let priority = self.expr(site, priority, &Table::default())?;
                Action::SetPriority { pid, priority }
            }
        };
        if moved == same {
            return Ok(None);
        }
        let sorted = |action: &Action| match action {
            Action::Condition(e) => Action::Condition(self.sorted(Some(site), e)),
            Action::Assert(e) => Action::Assert(self.sorted(Some(site), e)),
            Action::Assign(place, e) => Action::Assign(place.clone(), self.sorted(Some(site), e)),
            action => action.clone(),
        };
        if sorted(&moved) == sorted(&same) {
            return Ok(None);
        }
        let plain = |action: &Action| map_action(action, &mut |e| self.settled(site, e));
        let (moved, same) = (sorted(&plain(&moved)), sorted(&plain(&same)));
        Ok((moved != same).then_some((moved, same)))
    }
}

fn breach(flow: &Flow, arc: &FlowArc, why: Reason) -> Breach {
    let edge = &flow.proctype.automaton.edges[arc.edge.index()];
    Breach { source: arc.source, text: edge.text.clone(), why }
}
