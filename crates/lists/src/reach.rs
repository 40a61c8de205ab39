//! From the initial state to all that can be reached: level by level, by chaining, by saturation.

use isospin_machine::Machine;

use crate::diagram::List;
use crate::engine::{Engine, Halt, States};
use crate::group::By;
use crate::Strategy;

impl<M: Machine> Engine<'_, M> {
    /// Reaches everything from a state.
    pub(crate) fn explore(&mut self, initial: &[u8]) -> Result<(), Halt> {
        let (s, list) = self.single(initial)?;
        let mut new = Vec::new();
        self.add(&mut new, s, list)?;
        match self.options.strategy {
            Strategy::Saturation => self.by_saturation(new),
            strategy => self.by_levels(new, strategy == Strategy::Chaining),
        }
    }

    fn by_levels(&mut self, new: States, chaining: bool) -> Result<(), Halt> {
        let mut new = self.reach(new)?;
        while new.iter().any(|list| !list.is_empty()) {
            self.iterations += 1;
            self.look_around()?;
            let (mut next, quiet) = self.image(&new, chaining)?;
            let (woken, dead) = self.wake(quiet)?;
            for (s, list) in woken.into_iter().enumerate() {
                self.add(&mut next, s, list)?;
            }
            self.note_dead(&dead)?;
            new = self.reach(next)?;
            let held = new.clone();
            self.tidy(&[&held]);
        }
        Ok(())
    }

    fn by_saturation(&mut self, mut new: States) -> Result<(), Halt> {
        loop {
            while let Some(s) = new.iter().position(|list| !list.is_empty()) {
                self.iterations += 1;
                self.look_around()?;
                let list = self.lists.union(self.reached[s], new[s])?;
                new[s] = List::EMPTY;
                self.held.push(new);
                let before = self.reached[s];
                let saturated = self.saturate(s, 0, list);
                new = self.held.pop().unwrap_or_default();
                self.reached[s] = match saturated {
                    Ok(all) => all,
                    Err(halt) => {
                        self.reached[s] = self.so_far.take().unwrap_or(list);
                        return Err(halt);
                    }
                };
                let fresh = self.lists.minus(self.reached[s], before)?;
                self.cross(s, fresh, &mut new)?;
                self.drop_known(&mut new)?;
                let held = new.clone();
                self.tidy(&[&held]);
            }
            // Where nothing can happen, time passes, and what waits for that goes on.
            let mut quiet = Vec::new();
            for s in 0..self.spaces.len() {
                quiet.push(self.quiet(s, self.reached[s])?);
            }
            let (woken, dead) = self.wake(quiet)?;
            self.note_dead(&dead)?;
            new = woken;
            self.drop_known(&mut new)?;
            if new.iter().all(|list| list.is_empty()) {
                return Ok(());
            }
        }
    }

    /// Leaves what has not been reached.
    fn drop_known(&mut self, states: &mut States) -> Result<(), Halt> {
        for (s, list) in states.iter_mut().enumerate() {
            *list = self.lists.minus(*list, self.reached[s])?;
        }
        Ok(())
    }

    /// What follows a set in one step, and the states of it in which no process can move but by
    /// waiting for `timeout`. With chaining, what follows is followed at once by groups that come
    /// later.
    pub(crate) fn image(
        &mut self,
        from: &States,
        chaining: bool,
    ) -> Result<(States, States), Halt> {
        let (mut next, mut quiet) = (States::new(), States::new());
        for (s, &list) in from.iter().enumerate() {
            if list.is_empty() {
                quiet.push(list);
                continue;
            }
            self.discover_all(s, list)?;
            let mut here = list;
            for g in 0..self.groups[s].groups.len() {
                if !self.is_plain(s, g) {
                    continue;
                }
                self.learn(s, g, 0, here)?;
                let group = &self.groups[s].groups[g];
                let image = self.lists.product(here, group.relation, group.relation_plan, 0)?;
                self.add(&mut next, s, image)?;
                if chaining {
                    here = self.lists.union(here, image)?;
                    // What is new may need groups that are not there yet.
                    self.discover_all(s, here)?;
                }
            }
            self.cross(s, here, &mut next)?;
            quiet.push(self.quiet(s, list)?);
        }
        Ok((next, quiet))
    }

    /// Whether the steps of a group can be taken whatever else can happen.
    pub(crate) fn is_plain(&self, s: usize, g: usize) -> bool {
        let group = &self.groups[s].groups[g];
        !group.timeout && group.by != By::Time
    }

    /// What follows a set in other spaces.
    fn cross(&mut self, s: usize, list: List, next: &mut States) -> Result<(), Halt> {
        for g in 0..self.groups[s].groups.len() {
            if self.is_plain(s, g) {
                self.cross_by(s, g, list, next)?;
            }
        }
        Ok(())
    }

    pub(crate) fn cross_by(
        &mut self,
        s: usize,
        g: usize,
        list: List,
        next: &mut States,
    ) -> Result<(), Halt> {
        for c in 0..self.groups[s].groups[g].crossings.len() {
            let group = &self.groups[s].groups[g];
            let (crossing, plan) = (&group.crossings[c], group.relation_plan);
            let (target, moves) = (crossing.target, crossing.plan);
            let image = self.lists.product(list, crossing.relation, plan, 0)?;
            let moved = self.lists.relocate(image, moves)?;
            self.add(next, target, moved)?;
        }
        Ok(())
    }
}
