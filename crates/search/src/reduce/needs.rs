//! Who disturbs a process in a state.
//!
//! An edge that can be taken needs all that the step along it touches. An edge that cannot be taken
//! has to stay so: for a channel it waits, see [`Waiting`](isospin_model::facts::Waiting); and of
//! the conditions that must hold together, it is enough that one which does not hold is left alone
//! (a *necessary enabling set* of stubborn set theory: Valmari 1991, Godefroid 1996). Where an edge
//! takes precedence over others, everything is needed.

use std::ops::Range;

use isospin_machine::Evaluator;
use isospin_model::facts::EdgeFacts;
use isospin_model::{EdgeId, Expr};

use super::disturb::{Disturbance, Memory, Need, Row};
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
        here: &Here<'_, W>,
        member: usize,
    ) -> Movers<W> {
        let needs = disturbance.needs(here.standing.rows[member]);
        if needs.plain {
            return self.memory.get(disturbance, here, member, needs.whole);
        }
        if !self.known.has(member as u8) {
            self.known.insert(member as u8);
            self.all[member] = Asked::new(disturbance, &mut self.memory, here, member).all();
        }
        self.all[member]
    }

    /// Who disturbs `member` where conditions are looked at; who is `inside` counts for nothing.
    pub fn of_guarded(
        &mut self,
        disturbance: &mut Disturbance,
        here: &Here<'_, W>,
        member: usize,
        inside: &Movers<W>,
    ) -> Movers<W> {
        if !self.known_guarded.has(member as u8) {
            self.known_guarded.insert(member as u8);
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
        all
    }

    /// Looks at the conditions of the edges that `member` cannot take.
    fn look(
        &mut self,
        disturbance: &mut Disturbance,
        here: &Here<'_, W>,
        member: usize,
    ) -> Guarded<W> {
        let row = here.standing.rows[member];
        let (group, first) = (here.group(member), self.choices.len());
        let fails = |e: &EdgeFacts| !e.conjuncts.is_empty() && !here.takes(group, e.edge);
        let guarded = disturbance.needs(row).guarded;
        if !guarded || !disturbance.facts(row).edges.iter().any(fails) {
            let always = self.of(disturbance, here, member);
            return Guarded { always, choices: first..first };
        }
        let mut asked = Asked::new(disturbance, &mut self.memory, here, member);
        let mut always = asked
            .around(|edges, edge| edges.iter().any(|e| e.edge == edge && !e.conjuncts.is_empty()));
        for k in 0..asked.disturbance.facts(row).edges.len() {
            let (step, needs) = &asked.disturbance.needs(row).edges[k];
            let edge = &asked.disturbance.facts(row).edges[k];
            let need = match needs.as_slice() {
                _ if !fails(edge) => *step,
                [only] => *only,
                _ => {
                    let (step, start) = (*step, self.alternatives.len());
                    for c in 0..needs.len() {
                        let edge = &asked.disturbance.facts(row).edges[k];
                        if self.conditions.fails(here, member, &edge.conjuncts[c].0) {
                            let need = asked.disturbance.needs(row).edges[k].1[c];
                            let mut disturbers = Movers::default();
                            asked.add(need, &mut disturbers);
                            self.alternatives.push(disturbers);
                        }
                    }
                    if self.alternatives.len() > start {
                        self.choices.push(start..self.alternatives.len());
                        continue;
                    }
                    step
                }
            };
            asked.add(need, &mut always);
        }
        Guarded { always, choices: first..self.choices.len() }
    }
}

/// Looks at a state at most once.
#[derive(Default)]
struct Conditions {
    evaluator: Evaluator,
    observed: bool,
}

impl Conditions {
    fn fails<const W: usize>(&mut self, here: &Here<'_, W>, pid: usize, condition: &Expr) -> bool {
        if !self.observed {
            self.evaluator.observe(here.model, here.state);
            self.observed = true;
        }
        self.evaluator.value(here.model, pid, condition) == Ok(0)
    }
}

/// Finds out who disturbs one process.
struct Asked<'s, const W: usize> {
    disturbance: &'s mut Disturbance,
    memory: &'s mut Memory<W>,
    here: &'s Here<'s, W>,
    member: usize,
    row: Row,
}

impl<'s, const W: usize> Asked<'s, W> {
    #[inline]
    fn new(
        disturbance: &'s mut Disturbance,
        memory: &'s mut Memory<W>,
        here: &'s Here<'s, W>,
        member: usize,
    ) -> Self {
        Asked { disturbance, memory, here, member, row: here.standing.rows[member] }
    }

    /// Adds who disturbs something that it needs.
    fn add(&mut self, need: Need, disturbers: &mut Movers<W>) {
        disturbers.add(&self.memory.get(self.disturbance, self.here, self.member, need));
    }

    /// All of them, without a look at conditions.
    fn all(mut self) -> Movers<W> {
        let mut disturbers = self.around(|_, _| false);
        self.add(self.disturbance.needs(self.row).whole, &mut disturbers);
        disturbers
    }

    /// Those who disturb it otherwise than by what its steps touch. Edges that are settled do not
    /// wait.
    fn around(&mut self, settled: impl Fn(&[EdgeFacts], EdgeId) -> bool) -> Movers<W> {
        let mut disturbers = Movers::default();
        let group = self.here.group(self.member);
        // Who waits to end waits for the next younger process; while that stays, it stays.
        let ends = self.disturbance.needs(self.row).ends;
        if ends && group.is_none() && self.member + 1 < self.here.standing.rows.len() {
            disturbers.insert((self.member + 1) as u8);
        }
        // An edge that cannot be taken waits; somebody outside must not let it through.
        for k in 0..self.disturbance.needs(self.row).waiting.len() {
            let waits = self.disturbance.needs(self.row).waiting[k];
            let fits_not = |channel| self.here.has_messages(self.member, channel);
            if !self.here.takes(group, waits.edge)
                && !waits.first_message.is_some_and(fits_not)
                && !settled(&self.disturbance.facts(self.row).edges, waits.edge)
            {
                self.add(waits.need, &mut disturbers);
            }
        }
        self.disturbance.add_woken(self.here, self.member, &mut disturbers);
        disturbers
    }
}
