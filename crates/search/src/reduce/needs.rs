//! Who disturbs a process in a state.
//!
//! An edge that can be taken needs all that the step along it touches. An edge that cannot be taken
//! has to stay so: for a channel it waits, see [`Waiting`](isospin_analysis::facts::Waiting); and
//! of the conditions that must hold together, it is enough that one which does not hold is left
//! alone (a *necessary enabling set* of stubborn set theory: [Valmari 1991], [Godefroid 1996]).
//! Where an edge takes precedence over others, everything is needed.

use std::ops::Range;

use isospin_machine::Evaluator;
use isospin_model::Expr;

use super::disturb::{Disturbance, Memory};
use super::rows::EdgeNeeds;
use super::standing::Here;
use crate::expand::Movers;

/// Who disturbs each process of one state, found when somebody asks.
#[derive(Default)]
pub(super) struct Disturbers<const W: usize> {
    memory: Memory<W>,
    /// Without a look at conditions: for whom it is known, and what.
    known: Movers<W>,
    all: Vec<Movers<W>>,
    /// With a look at conditions.
    known_guarded: Movers<W>,
    guarded: Vec<Guarded<W>>,
    /// For each edge that several conditions keep from being taken, those who disturb one of them.
    choices: Vec<Range<usize>>,
    alternatives: Vec<Movers<W>>,
    conditions: Conditions,
}

/// Who disturbs a process: some in any case, and by each of the choices those of one alternative.
#[derive(Clone, Debug, Default)]
struct Guarded<const W: usize> {
    always: Movers<W>,
    choices: Range<usize>,
}

impl<const W: usize> Disturbers<W> {
    /// There is a new state, with so many processes.
    pub fn forget(&mut self, processes: usize) {
        self.known = Movers::default();
        self.known_guarded = Movers::default();
        self.all.resize(processes.max(self.all.len()), Movers::default());
        self.guarded.resize(processes.max(self.guarded.len()), Guarded::default());
        self.choices.clear();
        self.alternatives.clear();
        self.conditions.observed = false;
    }

    /// Who disturbs `member`.
    #[inline]
    pub fn of(
        &mut self,
        disturbance: &mut Disturbance,
        here: &Here<'_>,
        member: usize,
    ) -> Movers<W> {
        let needs = here.needs(member);
        if needs.plain {
            return self.memory.get(disturbance, here, member, needs.whole);
        }
        if !self.known.has(member) {
            self.known.insert(member);
            let mut all = self.around(disturbance, here, member, false);
            all.add(&self.memory.get(disturbance, here, member, needs.whole));
            self.all[member] = all;
        }
        self.all[member]
    }

    /// Who disturbs `member` where conditions are looked at; who is `inside` counts for nothing.
    /// Says as well whether there was a choice between conditions.
    pub fn of_guarded(
        &mut self,
        disturbance: &mut Disturbance,
        here: &Here<'_>,
        member: usize,
        inside: &Movers<W>,
    ) -> (Movers<W>, bool) {
        if !self.known_guarded.has(member) {
            self.known_guarded.insert(member);
            self.guarded[member] = self.look(disturbance, here, member);
        }
        let Guarded { always, choices } = &self.guarded[member];
        let mut all = *always;
        for choice in &self.choices[choices.clone()] {
            // Of the conditions that fail, the one that fewest others disturb.
            let alternatives = &self.alternatives[choice.clone()];
            let least = alternatives.iter().min_by_key(|a| inside.missing(a));
            least.into_iter().for_each(|least| all.add(least));
        }
        (all, !choices.is_empty())
    }

    /// Those who disturb a process otherwise than by what its steps touch. With `guards`, edges
    /// with conditions are looked at elsewhere.
    fn around(
        &mut self,
        disturbance: &mut Disturbance,
        here: &Here<'_>,
        member: usize,
        guards: bool,
    ) -> Movers<W> {
        let (needs, taken) = (here.needs(member), here.taken(member));
        let mut disturbers = Movers::default();
        // Who waits to end waits for the next younger process; while that stays, it stays.
        if needs.ends && taken.is_empty() && member + 1 < here.standing.processes.len() {
            disturbers.insert(member + 1);
        }
        // An edge that cannot be taken waits; somebody outside must not let it through.
        for waits in needs.waiting.iter().filter(|w| !(guards && w.guarded)) {
            let fits_not = |channel| here.has_messages(member, channel);
            if !taken.has(waits.edge) && !waits.first_message.is_some_and(fits_not) {
                disturbers.add(&self.memory.get(disturbance, here, member, waits.need));
            }
        }
        disturbance.add_woken(here, member, &mut disturbers);
        disturbers
    }

    /// Looks at the conditions of the edges that `member` cannot take.
    fn look(
        &mut self,
        disturbance: &mut Disturbance,
        here: &Here<'_>,
        member: usize,
    ) -> Guarded<W> {
        let (needs, taken) = (here.needs(member), here.taken(member));
        let first = self.choices.len();
        let fails = |e: &EdgeNeeds| !e.conditions.is_empty() && !taken.has(e.edge);
        if !needs.guarded || !needs.edges.iter().any(fails) {
            let always = self.of(disturbance, here, member);
            return Guarded { always, choices: first..first };
        }
        let mut always = self.around(disturbance, here, member, true);
        let myself = [member].into_iter().collect();
        for edge in &needs.edges {
            let step = |memory: &mut Memory<W>, disturbance: &mut Disturbance| {
                memory.get(disturbance, here, member, edge.step)
            };
            if !fails(edge) {
                always.add(&step(&mut self.memory, disturbance));
                continue;
            }
            let start = self.alternatives.len();
            for (condition, need) in &edge.conditions {
                let only = edge.conditions.len() == 1;
                if only || self.conditions.fails(here, member, condition) {
                    let mut disturbers = self.memory.get(disturbance, here, member, *need);
                    disturbers.remove(&myself);
                    self.alternatives.push(disturbers);
                    if disturbers.is_empty() {
                        break;
                    }
                }
            }
            match &self.alternatives[start..] {
                [] => always.add(&step(&mut self.memory, disturbance)),
                [.., last] if last.is_empty() => self.alternatives.truncate(start),
                [only] => {
                    always.add(only);
                    self.alternatives.truncate(start);
                }
                _ => self.choices.push(start..self.alternatives.len()),
            }
        }
        Guarded { always, choices: first..self.choices.len() }
    }
}

/// Looks at a state at most once.
#[derive(Default)]
struct Conditions {
    evaluator: Evaluator,
    observed: bool,
    /// Which processes there were in the state observed last.
    identity: u64,
}

impl Conditions {
    fn fails(&mut self, here: &Here<'_>, pid: usize, condition: &Expr) -> bool {
        if !self.observed {
            self.observed = true;
            let identity = std::mem::replace(&mut self.identity, here.standing.identity);
            if identity == here.standing.identity {
                self.evaluator.observe_alike(here.state);
            } else {
                self.evaluator.observe(here.model, here.state);
            }
        }
        self.evaluator.value(here.model, pid, condition) == Ok(0)
    }
}
