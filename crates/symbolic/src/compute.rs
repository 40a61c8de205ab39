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
        // The states from which a path of so many steps does not meet the target before its end.
        let (mut stays, mut steps) = (without.clone(), 0);
        loop {
            if d.is_no(&d.and(from, &stays)?) {
                return Ok(Length::Steps(steps));
            }
            let next = self.before(&stays, &without)?;
            if next == stays {
                return Ok(Length::Infinite);
            }
            stays = next;
            steps += 1;
        }
    }
}
