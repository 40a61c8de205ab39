//! Executions that show what goes wrong: the way back through the levels of a breadth-first
//! exploration, and the steps between its states.

use std::collections::HashSet;

use isospin_machine::{Fault, Machine, Step};
use isospin_model::{EdgeId, ProcTypeId};
use isospin_search::trail::{along_states, find, Event};
use isospin_search::{Violation, ViolationKind};

use crate::diagram::{List, Touch};
use crate::engine::{Engine, Halt, States};
use crate::space::Key;

/// Violations of the same kind at the same edge count once.
pub(crate) type Kind = (ViolationKind, Option<(ProcTypeId, EdgeId)>);

/// What is wrong in or right after the states of a set.
struct Wrong {
    kind: Kind,
    space: usize,
    states: List,
    step: Option<(Step, Fault)>,
}

impl<M: Machine> Engine<'_, M> {
    /// The kinds of violations among the states that have been reached.
    pub(crate) fn kinds(&mut self) -> Result<HashSet<Kind>, Halt> {
        let (reached, dead) = (self.reached.clone(), self.dead.clone());
        Ok(self.wrong(&reached, &dead)?.into_iter().map(|wrong| wrong.kind).collect())
    }

    /// How many states and steps go wrong among those that have been reached.
    pub(crate) fn errors(&mut self) -> Result<u64, Halt> {
        let (reached, dead) = (self.reached.clone(), self.dead.clone());
        let mut sum = crate::diagram::Count::default();
        for wrong in self.wrong(&reached, &dead)? {
            sum.add(&self.lists.count(wrong.states));
        }
        Ok(sum.as_u64().unwrap_or(u64::MAX))
    }

    /// What is wrong in the states of a set.
    fn wrong(&mut self, states: &States, dead: &States) -> Result<Vec<Wrong>, Halt> {
        let mut all = Vec::new();
        for (space, &states) in dead.iter().enumerate().filter(|(_, list)| !list.is_empty()) {
            let kind = (ViolationKind::EndState, None);
            all.push(Wrong { kind, space, states, step: None });
        }
        for (space, &list) in states.iter().enumerate().filter(|(_, list)| !list.is_empty()) {
            for g in 0..self.groups[space].groups.len() {
                let group = &self.groups[space].groups[g];
                let plan = group.domain_plan;
                let mut failing: Vec<_> = group.failing.clone().into_iter().collect();
                failing.sort_unstable_by_key(|(_, list)| *list);
                if failing.is_empty() {
                    continue;
                }
                let list = self.among(space, g, list)?;
                for ((step, fault), failing) in failing {
                    let states = self.lists.product(list, failing, plan, 0)?;
                    if states.is_empty() || !self.counts(fault) {
                        continue;
                    }
                    let kind = match fault {
                        Fault::Assertion => ViolationKind::Assertion,
                        Fault::Runtime(error) => ViolationKind::Runtime(error),
                    };
                    // The type of whoever moves later in a sequence may be another.
                    let types = &self.spaces[space].types;
                    let edge = step
                        .process()
                        .and_then(|by| types.get(by.pid.index()).map(|ty| (*ty, by.edge)));
                    let step = Some((step, fault));
                    all.push(Wrong { kind: (kind, edge), space, states, step });
                }
            }
        }
        Ok(all)
    }

    /// Looks for shortest executions to violations of so many kinds, level by level from the
    /// initial state.
    pub(crate) fn trace(&mut self, initial: &[u8], wanted: usize) -> Result<Vec<Violation>, Halt> {
        self.first_only = false;
        let (s, list) = self.single(initial)?;
        let (mut new, mut seen) = (States::new(), States::new());
        self.add(&mut new, s, list)?;
        let mut found: Vec<Violation> = Vec::new();
        let mut kinds: HashSet<Kind> = HashSet::new();
        let rings = self.held.len();
        while new.iter().any(|list| !list.is_empty()) {
            self.look_around()?;
            for (s, list) in new.iter().enumerate() {
                self.add(&mut seen, s, *list)?;
            }
            self.held.push(new.clone());
            let (mut next, quiet) = self.image(&new, false)?;
            let (woken, mut dead) = self.wake(quiet)?;
            for (s, list) in woken.into_iter().enumerate() {
                self.add(&mut next, s, list)?;
            }
            for (s, dead) in dead.iter_mut().enumerate() {
                *dead = if self.options.end_states {
                    self.invalid_ends(s, *dead)?
                } else {
                    List::EMPTY
                };
            }
            for wrong in self.wrong(&new, &dead)? {
                if found.len() < wanted && kinds.insert(wrong.kind) {
                    let violation = self.violation(&wrong, rings)?;
                    found.push(violation);
                }
            }
            if found.len() >= wanted {
                break;
            }
            for (s, list) in next.iter_mut().enumerate() {
                let known = seen.get(s).copied().unwrap_or(List::EMPTY);
                *list = self.lists.minus(*list, known)?;
            }
            new = next;
            let (held, known) = (new.clone(), seen.clone());
            self.tidy(&[&held, &known]);
        }
        self.held.truncate(rings);
        // However little was explored before, this is.
        for (s, list) in seen.into_iter().enumerate() {
            self.reached[s] = self.lists.union(self.reached[s], list)?;
        }
        Ok(found)
    }

    /// The execution to a state of the last ring, with what is wrong there.
    fn violation(&mut self, wrong: &Wrong, rings: usize) -> Result<Violation, Halt> {
        let vector = self.lists.first(wrong.states).unwrap_or_default();
        let mut at = (wrong.space, vector);
        let mut path = vec![self.decode(&at)];
        for ring in (rings..self.held.len() - 1).rev() {
            let Some(before) = self.predecessor(ring, &at)? else { break };
            at = before;
            path.push(self.decode(&at));
        }
        path.reverse();
        let found = along_states(&mut self.machine, path.into_iter());
        let (mut steps, last) = found.unwrap_or_default();
        if let (Some((step, fault)), false) = (wrong.step, last.is_empty()) {
            let goal = |e: Event| matches!(e, Event::Fault(s, f) if (s, f) == (step, fault));
            find(&mut self.machine, &last, &mut steps, goal);
        }
        Ok(Violation { kind: wrong.kind.0, steps })
    }

    fn decode(&self, (s, vector): &(usize, Vec<u32>)) -> Vec<u8> {
        self.spaces[*s].decode(vector, &self.values)
    }

    /// The states of a set in which the steps of a group count: time passes and `timeout` comes
    /// where nothing else can happen.
    fn among(&mut self, s: usize, g: usize, list: List) -> Result<List, Halt> {
        if self.is_plain(s, g) {
            return Ok(list);
        }
        let mut quiet = self.quiet(s, list)?;
        if self.groups[s].groups[g].timeout {
            for tick in self.groups[s].ticks.clone() {
                quiet = self.without_domain(s, tick, quiet)?;
            }
        }
        Ok(quiet)
    }

    /// Some state of a ring from which a step leads to a state.
    fn predecessor(
        &mut self,
        ring: usize,
        (target, vector): &(usize, Vec<u32>),
    ) -> Result<Option<(usize, Vec<u32>)>, Halt> {
        let goal = self.lists.single(vector)?;
        for s in 0..self.held[ring].len() {
            let list = self.held[ring][s];
            if list.is_empty() {
                continue;
            }
            for g in 0..self.groups[s].groups.len() {
                let among = self.among(s, g, list)?;
                let group = &self.groups[s].groups[g];
                let plan = group.relation_plan;
                if s == *target {
                    let found = self.lists.before(goal, group.relation, plan, among)?;
                    if let Some(found) = self.lists.first(found) {
                        return Ok(Some((s, found)));
                    }
                }
                for c in 0..self.groups[s].groups[g].crossings.len() {
                    let crossing = &self.groups[s].groups[g].crossings[c];
                    if crossing.target != *target {
                        continue;
                    }
                    let relation = crossing.relation;
                    let after = self.lists.product(among, relation, plan, 0)?;
                    let after = self.arriving(s, g, c, after, vector)?;
                    let found = self.lists.before(after, relation, plan, among)?;
                    if let Some(found) = self.lists.first(found) {
                        return Ok(Some((s, found)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The states of a set that become this one in another space.
    fn arriving(
        &mut self,
        s: usize,
        g: usize,
        c: usize,
        list: List,
        vector: &[u32],
    ) -> Result<List, Halt> {
        let crossing = &self.groups[s].groups[g].crossings[c];
        let (from, to) = (&self.spaces[s], &self.spaces[crossing.target]);
        let common = crate::learn::common(from, to);
        let is_common =
            |key: Key| !matches!(key, Key::Frame(pid, ..) if usize::from(pid) >= common);
        let new = to.slots.iter().zip(vector).filter(|(slot, _)| !is_common(slot.key));
        if !new.map(|(_, code)| code).eq(&crossing.inserted) {
            return Ok(List::EMPTY);
        }
        let kept = to.slots.iter().zip(vector).filter(|(slot, _)| is_common(slot.key));
        let short: Vec<u32> = kept.map(|(_, code)| *code).collect();
        let touch = |slot: &crate::space::Slot| {
            if is_common(slot.key) {
                Touch::Read
            } else {
                Touch::No
            }
        };
        let touch: Vec<Touch> = from.slots.iter().map(touch).collect();
        let plan = self.lists.relation(&touch);
        let short = self.lists.single(&short)?;
        Ok(self.lists.product(list, short, plan, 0)?)
    }
}
