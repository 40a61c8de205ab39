//! Systems as diagrams: images, and the states from which fair paths start (Emerson 1986; with
//! compassion Kesten 1998).

use std::rc::Rc;

use crate::diagram::{Diagram, Diagrams, Result, Stop};
use crate::transition::Transition;

/// A condition that is true infinitely often.
#[derive(Clone)]
pub(crate) struct Justice {
    pub(crate) condition: Diagram,
    /// Whether it speaks about inputs, so that a transition makes it true and not a state.
    pub(crate) on_transitions: bool,
}

/// A system: the model, or its product with a formula's tableau.
pub(crate) struct System {
    pub(crate) diagrams: Rc<Diagrams>,
    /// The states: everything inside the domains where invariants are true.
    pub(crate) states: Diagram,
    pub(crate) init: Diagram,
    pub(crate) transition: Transition,
    pub(crate) justice: Vec<Justice>,
    pub(crate) compassion: Vec<(Diagram, Diagram)>,
    /// The bits of states.
    pub(crate) bits: Vec<u32>,
    /// Whether somebody wants the computation to end.
    pub(crate) stop: Rc<dyn Fn() -> bool>,
}

impl System {
    pub(crate) fn go_on(&self) -> Result<()> {
        if (self.stop)() {
            Err(Stop::Asked)
        } else {
            self.diagrams.tidy();
            Ok(())
        }
    }

    /// The states that can follow.
    pub(crate) fn image(&self, states: &Diagram) -> Result<Diagram> {
        self.go_on()?;
        let next = self.transition.image(&self.diagrams, states)?;
        self.diagrams.and(&next, &self.states)
    }

    /// The states of a set that can come before a set of states.
    pub(crate) fn before(&self, states: &Diagram, within: &Diagram) -> Result<Diagram> {
        self.go_on()?;
        let before = self.transition.preimage(&self.diagrams, states, None)?;
        self.diagrams.and(&before, within)
    }

    /// The states of a set from which a transition that makes a condition true leads into a set.
    pub(crate) fn before_by(
        &self,
        justice: &Justice,
        states: &Diagram,
        within: &Diagram,
    ) -> Result<Diagram> {
        let d = &self.diagrams;
        if !justice.on_transitions {
            return self.before(states, &d.and(within, &justice.condition)?);
        }
        self.go_on()?;
        let before = self.transition.preimage(d, states, Some(&justice.condition))?;
        d.and(&before, within)
    }

    /// The states from which a set can be reached inside another.
    pub(crate) fn until(&self, within: &Diagram, target: &Diagram) -> Result<Diagram> {
        let d = &self.diagrams;
        let (mut all, mut new) = (target.clone(), target.clone());
        while !d.is_no(&new) {
            let more = self.before(&new, within)?;
            new = d.minus(&more, &all)?;
            all = d.or(&all, &new)?;
        }
        Ok(all)
    }

    /// The states of a set on infinite paths inside it.
    pub(crate) fn forever(&self, within: &Diagram) -> Result<Diagram> {
        let mut all = within.clone();
        loop {
            let next = self.before(&all, &all)?;
            if next == all {
                return Ok(all);
            }
            all = next;
        }
    }

    /// The largest part of a set in which every condition can be reached from everywhere without
    /// leaving it, and every state has a successor: its terminal components are fair.
    pub(crate) fn hull(&self, within: &Diagram) -> Result<Diagram> {
        let d = &self.diagrams;
        let mut all = self.forever(within)?;
        loop {
            let before = all.clone();
            for justice in &self.justice {
                let by = self.before_by(justice, &all, &all)?;
                all = self.until(&all, &by)?;
            }
            for (p, q) in &self.compassion {
                let target = d.and(&all, q)?;
                let reaches = self.until(&all, &target)?;
                let never = d.minus(&all, p)?;
                all = d.or(&never, &reaches)?;
            }
            all = self.forever(&all)?;
            if all == before {
                return Ok(all);
            }
        }
    }

    /// The hull of a set, of which it is known from where fair paths stay inside it.
    pub(crate) fn hull_of(&self, within: &Diagram, fair: &Diagram) -> Result<Diagram> {
        if self.compassion.is_empty() {
            // Everything from which the hull can be reached inside the set is in it.
            Ok(fair.clone())
        } else {
            self.hull(within)
        }
    }

    /// The states of a set from which a fair path stays inside it.
    pub(crate) fn fair_forever(&self, within: &Diagram) -> Result<Diagram> {
        if self.justice.is_empty() && self.compassion.is_empty() {
            return self.forever(within);
        }
        let hull = self.hull(within)?;
        if self.compassion.is_empty() {
            return Ok(hull);
        }
        self.until(within, &hull)
    }
}
