//! Saturation [Ciardo 2001]: what concerns the lowest levels is done first, until nothing more comes
//! of it.
//!
//! What is learned on the way is learned of whole sets, so that results stay right when more is
//! learned later. To make what comes of a step complete at every level on the way up, as the paper
//! does, was tried: the many small sets cost more here, where each has to be looked at for what is
//! not learned yet (an election among ten: more than 30 s instead of 5).

use isospin_machine::Machine;

use crate::diagram::List;
use crate::engine::{Engine, Halt};

impl<M: Machine> Engine<'_, M> {
    /// Everything that can be reached from the vectors of `list`, whose first level is `level`, by
    /// groups that touch no level before it.
    pub(crate) fn saturate(&mut self, s: usize, level: usize, list: List) -> Result<List, Halt> {
        if level == self.spaces[s].levels() || list.is_empty() {
            return Ok(list);
        }
        if let Some(known) = self.lists.settled(s as u32, level, list)? {
            return Ok(known);
        }
        let at = self.lists.keep(list);
        let mut all = list;
        if let Err(halt) = self.close(s, level, &mut all) {
            // What is known by now is all that there will be to say.
            self.so_far.get_or_insert(all);
            return Err(halt);
        }
        self.lists.settle(s as u32, level, list, all);
        self.lists.settle(s as u32, level, all, all);
        self.lists.release(at);
        Ok(all)
    }

    /// Adds to a set until nothing more comes of it.
    fn close(&mut self, s: usize, level: usize, all: &mut List) -> Result<(), Halt> {
        let here = self.lists.keep(*all);
        let mut parts = Vec::new();
        loop {
            let before = *all;
            parts.clear();
            self.lists.parts(*all, &mut parts);
            let below = self.lists.keep(*all);
            for k in 0..parts.len() {
                match self.saturate(s, level + 1, parts[k].1) {
                    Ok(saturated) => parts[k].1 = saturated,
                    Err(halt) => {
                        parts[k].1 = self.so_far.take().unwrap_or(parts[k].1);
                        self.so_far = self.lists.of_parts(&parts).ok();
                        return Err(halt);
                    }
                }
                self.lists.keep(parts[k].1);
            }
            *all = self.lists.of_parts(&parts)?;
            self.lists.release(below);
            self.lists.keep_instead(here, *all);
            self.discover(s, level, *all)?;
            let mut k = 0;
            while k < self.groups[s].groups_at[level].len() {
                let g = self.groups[s].groups_at[level][k];
                self.learn(s, g, level, *all)?;
                let group = &self.groups[s].groups[g];
                let next = self.lists.product(*all, group.relation, group.relation_plan, level)?;
                *all = self.lists.union(*all, next)?;
                self.lists.keep_instead(here, *all);
                k += 1;
            }
            if *all == before {
                return Ok(());
            }
            self.look_around()?;
            self.tidy(&[]);
        }
    }
}
