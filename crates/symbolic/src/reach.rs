//! Reachable states, ring by ring.

use crate::diagram::{Diagram, Result};
use crate::fair::System;

/// The reachable states.
pub(crate) struct Reached {
    pub(crate) states: Diagram,
    /// What is reached first after so many steps.
    pub(crate) rings: Vec<Diagram>,
}

impl System {
    /// All states that can be reached from a set; each ring is shown to an observer.
    pub(crate) fn reached(
        &self,
        from: &Diagram,
        each: &mut dyn FnMut(usize, &Diagram),
    ) -> Result<Reached> {
        let d = &self.diagrams;
        let (mut states, mut rings) = (from.clone(), vec![from.clone()]);
        let mut front = from.clone();
        loop {
            each(rings.len(), &states);
            let next = self.image(&front)?;
            let new = d.minus(&next, &states)?;
            if d.is_no(&new) {
                return Ok(Reached { states, rings });
            }
            states = d.or(&states, &new)?;
            rings.push(new.clone());
            front = new;
        }
    }
}
