//! Reachable states: ring by ring, or, where steps are taken by one part at a time, part by part.

use crate::diagram::{Diagram, Result};
use crate::fair::System;

/// In which order steps are taken when reachable states are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
    /// Ring by ring; once that has become expensive, by saturation where there are several parts.
    #[default]
    Automatic,
    /// Ring by ring: the only one that finds out the diameter.
    Breadth,
    /// Part by part, each from everything that was reached before it (chaining).
    Chaining,
    /// Part by part, the lowest in the order of bits first, and each until it leads to nothing new
    /// (saturation, with parts instead of nodes).
    Saturation,
}

/// The reachable states.
pub(crate) struct Reached {
    pub(crate) states: Diagram,
    /// What was found one after the other: each state of a layer can be reached in one step from
    /// a state of some layer before it.
    pub(crate) layers: Vec<Diagram>,
    /// Whether the layers are rings: what is reached first after so many steps.
    pub(crate) rings: bool,
}

/// Who is shown the layers as they come.
pub(crate) type Each<'e> = dyn FnMut(&Reached) -> Result<()> + 'e;

/// When the rings have so many nodes together, going on ring by ring is expensive.
const EXPENSIVE: usize = 5 << 20;

impl System {
    /// All states that can be reached from a set; each layer is shown to an observer.
    pub(crate) fn reached(
        &self,
        from: &Diagram,
        strategy: Strategy,
        each: &mut Each<'_>,
    ) -> Result<Reached> {
        let mut reached = Reached { states: from.clone(), layers: vec![from.clone()], rings: true };
        let several = self.transition.disjuncts.len() > 1;
        match strategy {
            _ if !several => self.by_rings(&mut reached, usize::MAX, each)?,
            Strategy::Breadth => self.by_rings(&mut reached, usize::MAX, each)?,
            Strategy::Automatic => {
                // Where rings become large, parts are the better answer than another order.
                self.diagrams.stay(true);
                let done = self.by_rings(&mut reached, EXPENSIVE, each);
                self.diagrams.stay(false);
                done?;
                if !reached.rings {
                    self.to_the_end_by_parts(&mut reached, each)?;
                }
            }
            Strategy::Chaining => self.by_parts(&mut reached, each)?,
            Strategy::Saturation => self.to_the_end_by_parts(&mut reached, each)?,
        }
        Ok(reached)
    }

    /// Ring by ring, until they have too many nodes together: then it is as if nothing had been
    /// found.
    fn by_rings(&self, reached: &mut Reached, most: usize, each: &mut Each<'_>) -> Result<()> {
        let d = &self.diagrams;
        let mut front = reached.states.clone();
        let mut nodes = 0;
        loop {
            each(reached)?;
            nodes += d.size(&front);
            if nodes > most {
                // What was found ring by ring is a worse start than where it began.
                reached.layers.truncate(1);
                reached.states = reached.layers[0].clone();
                reached.rings = false;
                return Ok(());
            }
            let next = self.image(&front)?;
            let new = d.minus(&next, &reached.states)?;
            if d.is_no(&new) {
                return Ok(());
            }
            // Whatever lies between the new states and all of them leads to the same new ones.
            let care = d.or(&new, &d.not(&reached.states)?)?;
            front = d.simplify(&new, &care)?;
            reached.states = d.or(&reached.states, &new)?;
            reached.layers.push(new);
        }
    }

    /// One part after the other, round and round.
    fn by_parts(&self, reached: &mut Reached, each: &mut Each<'_>) -> Result<()> {
        reached.rings = false;
        loop {
            let mut more = false;
            for part in 0..self.transition.disjuncts.len() {
                more |= self.step_of(part, reached)?;
            }
            each(reached)?;
            if !more {
                return Ok(());
            }
        }
    }

    /// The lowest parts to their end, before the next is tried once.
    fn to_the_end_by_parts(&self, reached: &mut Reached, each: &mut Each<'_>) -> Result<()> {
        reached.rings = false;
        let mut parts: Vec<usize> = (0..self.transition.disjuncts.len()).collect();
        let top = |part: &usize| self.transition.disjuncts[*part].top(&self.diagrams);
        parts.sort_by_key(|part| std::cmp::Reverse(top(part)));
        let mut at = 0;
        while at < parts.len() {
            let mut more = false;
            while self.step_of(parts[at], reached)? {
                more = true;
            }
            each(reached)?;
            at = if more && at > 0 { 0 } else { at + 1 };
        }
        Ok(())
    }

    /// A step of one part from everything; whether it leads to something new.
    fn step_of(&self, part: usize, reached: &mut Reached) -> Result<bool> {
        self.go_on()?;
        let d = &self.diagrams;
        let next = self.transition.disjuncts[part].image(d, &reached.states)?;
        let new = d.minus(&d.and(&next, &self.states)?, &reached.states)?;
        if d.is_no(&new) {
            return Ok(false);
        }
        reached.states = d.or(&reached.states, &new)?;
        reached.layers.push(new);
        Ok(true)
    }
}
