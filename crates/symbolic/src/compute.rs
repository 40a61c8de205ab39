//! The shortest and the longest path between sets of states.

use crate::diagram::{Diagram, Result};
use crate::fair::System;
use crate::report::Length;

impl System {
    /// The number of transitions of the shortest path from a set to another.
    pub(crate) fn shortest(&self, from: &Diagram, to: &Diagram) -> Result<Length> {
        let d = &self.diagrams;
        if d.is_no(from) {
            return Ok(Length::Undefined);
        }
        let (mut all, mut front, mut steps) = (from.clone(), from.clone(), 0);
        loop {
            if !d.is_no(&d.and(&front, to)?) {
                return Ok(Length::Steps(steps));
            }
            front = d.minus(&self.image(&front)?, &all)?;
            if d.is_no(&front) {
                return Ok(Length::Infinite);
            }
            all = d.or(&all, &front)?;
            steps += 1;
        }
    }

    /// The number of transitions of the longest path from a set on which another is not reached
    /// before its end.
    pub(crate) fn longest(&self, from: &Diagram, to: &Diagram, within: &Diagram) -> Result<Length> {
        let d = &self.diagrams;
        if d.is_no(from) {
            return Ok(Length::Undefined);
        }
        let without = d.minus(within, to)?;
        let (mut old, mut new, mut steps) = (within.clone(), without.clone(), 0);
        loop {
            if d.is_no(&d.and(from, &new)?) {
                return Ok(Length::Steps(steps));
            }
            if old == new {
                return Ok(Length::Infinite);
            }
            let next = self.before(&new, &without)?;
            (old, new) = (new, next);
            steps += 1;
        }
    }
}
