//! States in which no process can move: time passes there, and what waits for `timeout` goes on.

use isospin_machine::Machine;

use crate::diagram::{List, Touch};
use crate::engine::{Engine, Halt, States};

impl<M: Machine> Engine<'_, M> {
    /// The states of a set in which no process can move but by waiting for `timeout`. Everything
    /// has been learned of the set.
    pub(crate) fn quiet(&mut self, s: usize, list: List) -> Result<List, Halt> {
        let groups = &self.groups[s];
        let waited_for = !groups.ticks.is_empty() || groups.templates.iter().any(|t| t.timeout);
        if !self.options.end_states && !waited_for {
            return Ok(List::EMPTY);
        }
        let mut quiet = list;
        for g in 0..self.groups[s].groups.len() {
            if quiet.is_empty() {
                break;
            }
            if self.is_plain(s, g) {
                quiet = self.without_domain(s, g, quiet)?;
            }
        }
        Ok(quiet)
    }

    pub(crate) fn without_domain(&mut self, s: usize, g: usize, list: List) -> Result<List, Halt> {
        let group = &self.groups[s].groups[g];
        let moving = self.lists.product(list, group.domain, group.domain_plan, 0)?;
        Ok(self.lists.minus(list, moving)?)
    }

    /// What follows where no process can move: time passes, or what waits for `timeout` happens
    /// where no time can pass. The second set is where nothing happens at all.
    pub(crate) fn wake(&mut self, quiet: States) -> Result<(States, States), Halt> {
        let (mut next, mut dead) = (States::new(), States::new());
        for (s, list) in quiet.into_iter().enumerate() {
            let mut rest = list;
            let ticks = self.groups[s].ticks.clone();
            let waiting = self.groups[s].waiting.clone();
            for stage in [ticks, waiting] {
                let stays = rest;
                for g in stage {
                    if stays.is_empty() {
                        break;
                    }
                    self.learn(s, g, 0, stays)?;
                    let group = &self.groups[s].groups[g];
                    let plan = group.relation_plan;
                    let image = self.lists.product(stays, group.relation, plan, 0)?;
                    self.add(&mut next, s, image)?;
                    self.cross_by(s, g, stays, &mut next)?;
                    rest = self.without_domain(s, g, rest)?;
                }
            }
            dead.push(rest);
        }
        Ok((next, dead))
    }

    /// The states of a set in which some process may not end where it stands.
    pub(crate) fn invalid_ends(&mut self, s: usize, list: List) -> Result<List, Halt> {
        let mut valid = list;
        for pid in 0..self.spaces[s].types.len() {
            if valid.is_empty() {
                break;
            }
            let space = &self.spaces[s];
            let mut touch = vec![Touch::No; space.levels()];
            touch[space.locations[pid]] = Touch::Read;
            let ends: Vec<(u32, List)> =
                space.ends(&self.model, pid).into_iter().map(|l| (l, List::END)).collect();
            let plan = self.lists.relation(&touch);
            let ends = self.lists.of_parts(&ends)?;
            valid = self.lists.product(valid, ends, plan, 0)?;
        }
        Ok(self.lists.minus(list, valid)?)
    }

    /// Notes whether there are states in which nothing can happen and somebody may not end.
    pub(crate) fn note_dead(&mut self, dead: &States) -> Result<(), Halt> {
        if !self.options.end_states {
            return Ok(());
        }
        for (s, &list) in dead.iter().enumerate() {
            let invalid = self.invalid_ends(s, list)?;
            if self.dead.len() <= s {
                self.dead.resize(s + 1, List::EMPTY);
            }
            self.dead[s] = self.lists.union(self.dead[s], invalid)?;
            self.met |= !invalid.is_empty();
        }
        if self.met && self.first_only {
            return Err(Halt::Met);
        }
        Ok(())
    }
}
