//! Which steps a property may see (C2).

use isospin_analysis::facts::{Facts, Objects};
use isospin_model::ProcTypeId;

use super::disturb::Disturbance;
use super::standing::Here;
use crate::expand::Movers;

/// What a property sees of the next steps of processes.
pub(super) struct Sight {
    observed: Objects,
    /// For each row, whether the next step of a process there is seen.
    steps: Vec<Seen>,
    /// Whether some are.
    any: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    Never,
    Always,
    /// That depends on what is the process's own.
    Depends,
}

impl Sight {
    /// What a property sees that looks at these objects.
    pub fn new(facts: &Facts, observed: &Objects) -> Sight {
        let mut sight = Sight { observed: observed.clone(), steps: Vec::new(), any: false };
        for (of_type, ty) in facts.locations.iter().zip((0..).map(ProcTypeId)) {
            for location in of_type {
                let next = &location.next;
                let seen = if next.writes.meets(observed) {
                    Seen::Always
                } else if facts.of_any(ty, next).writes.meets(observed) {
                    Seen::Depends
                } else {
                    Seen::Never
                };
                sight.any |= seen != Seen::Never;
                sight.steps.push(seen);
            }
        }
        sight
    }

    /// Adds the next steps from some locations of each process type.
    pub fn add(&mut self, locations: &[Vec<bool>]) {
        for (step, &seen) in self.steps.iter_mut().zip(locations.iter().flatten()) {
            if seen {
                *step = Seen::Always;
                self.any = true;
            }
        }
    }

    /// Whether the property may see the next step of somebody.
    #[inline]
    pub fn sees<const W: usize>(
        &self,
        disturbance: &Disturbance,
        here: &Here<'_>,
        who: &Movers<W>,
    ) -> bool {
        self.any && who.iter().any(|pid| self.sees_one(disturbance, here, pid))
    }

    fn sees_one(&self, disturbance: &Disturbance, here: &Here<'_>, pid: usize) -> bool {
        match self.steps[here.standing.processes[pid].row] {
            Seen::Never => false,
            Seen::Always => true,
            Seen::Depends => {
                here.changes(pid, disturbance.access(here.needs(pid).whole), &self.observed)
            }
        }
    }
}
