//! The transition relation: a disjunction (one disjunct a process, or one in all) of conjunctions
//! of clusters, each multiplied in an order in which bits can be quantified early (IWLS 95:
//! Ranjan 1995).

mod schedule;

use std::collections::BTreeSet;

use crate::diagram::{Diagram, Diagrams, Renaming, Result};
use crate::encode::Pair;
use schedule::{merged, Backward, Forward};

/// One disjunct: the bits that change, and the clusters.
pub(crate) struct Disjunct {
    /// Clusters over bits now, next and inputs.
    clusters: Vec<Diagram>,
    /// The bits that may change.
    changed: Vec<Pair>,
    /// The bits that do not, next for now.
    kept: Renaming,
    /// The bits that belong to transitions only.
    inputs: Vec<u32>,
    /// What chooses this disjunct: values of inputs that occur in no cluster.
    pub(crate) chosen: Diagram,
    forward: Forward,
    backward: Backward,
}

/// The bits of a disjunct.
pub(crate) struct Bits {
    pub(crate) changed: Vec<Pair>,
    pub(crate) kept: Vec<Pair>,
    pub(crate) inputs: Vec<u32>,
}

impl Disjunct {
    pub(crate) fn new(
        diagrams: &Diagrams,
        parts: Vec<Diagram>,
        bits: Bits,
        chosen: Diagram,
        threshold: usize,
    ) -> Result<Disjunct> {
        let kept: Vec<(u32, u32)> = bits.kept.iter().map(|p| (p.next, p.now)).collect();
        let kept = diagrams.renaming(&kept);
        let parts: Result<Vec<Diagram>> =
            parts.iter().map(|part| local(diagrams, part, &kept, &chosen)).collect();
        let clusters = merged(diagrams, parts?, &bits.changed, &bits.inputs, threshold)?;
        Ok(Self::scheduled(diagrams, clusters, bits.changed, kept, bits.inputs, chosen))
    }

    fn scheduled(
        diagrams: &Diagrams,
        clusters: Vec<Diagram>,
        changed: Vec<Pair>,
        kept: Renaming,
        inputs: Vec<u32>,
        chosen: Diagram,
    ) -> Disjunct {
        let forward = Forward::new(diagrams, &clusters, &changed, &inputs);
        let backward = Backward::new(diagrams, &clusters, &changed, &inputs);
        Disjunct { clusters, changed, kept, inputs, chosen, forward, backward }
    }

    /// The same, as far as transitions from states of a set are concerned.
    fn simplified(&self, diagrams: &Diagrams, from: &Diagram) -> Result<Disjunct> {
        let mut clusters = Vec::new();
        for cluster in &self.clusters {
            clusters.push(diagrams.simplify(cluster, from)?);
        }
        let (changed, kept, inputs) =
            (self.changed.clone(), self.kept.clone(), self.inputs.clone());
        Ok(Self::scheduled(diagrams, clusters, changed, kept, inputs, self.chosen.clone()))
    }

    /// The same with further clusters about further bits.
    fn with(&self, diagrams: &Diagrams, parts: &[Diagram], bits: &[Pair]) -> Result<Disjunct> {
        let mut clusters = self.clusters.clone();
        for part in parts {
            clusters.push(local(diagrams, part, &self.kept, &self.chosen)?);
        }
        let changed = self.changed.iter().chain(bits).copied().collect();
        let (kept, inputs) = (self.kept.clone(), self.inputs.clone());
        Ok(Self::scheduled(diagrams, clusters, changed, kept, inputs, self.chosen.clone()))
    }

    /// The highest place of a bit that it reads or changes.
    pub(crate) fn top(&self, diagrams: &Diagrams) -> u32 {
        let bits = self.clusters.iter().flat_map(|c| diagrams.support(c));
        bits.map(|bit| diagrams.place(bit)).min().unwrap_or(0)
    }

    pub(crate) fn image(&self, diagrams: &Diagrams, states: &Diagram) -> Result<Diagram> {
        self.forward.apply(diagrams, states)
    }

    /// The states from which a transition with the given property leads into a set. The property
    /// may be about the next state as well.
    fn preimage(
        &self,
        diagrams: &Diagrams,
        states: &Diagram,
        when: Option<&Diagram>,
    ) -> Result<Diagram> {
        let Some(when) = when else { return self.backward.apply(diagrams, states, None) };
        let when = local(diagrams, when, &self.kept, &self.chosen)?;
        if diagrams.is_no(&when) {
            return Ok(when);
        }
        self.backward.apply(diagrams, states, Some(&when))
    }

    /// All inputs with which one state (as values of all bits) leads to another, and the property
    /// holds.
    fn between(
        &self,
        diagrams: &Diagrams,
        from: &[bool],
        to: &[bool],
        kept: &[u32],
        when: Option<&Diagram>,
    ) -> Result<Diagram> {
        let changed: BTreeSet<u32> = self.changed.iter().map(|p| p.now).collect();
        let stays = |bit: &u32| changed.contains(bit) || from[*bit as usize] == to[*bit as usize];
        if !kept.iter().all(stays) {
            return Ok(diagrams.no());
        }
        let literal = |bit: u32, value: bool| -> Result<Diagram> {
            let literal = diagrams.bit(bit);
            if value {
                Ok(literal)
            } else {
                diagrams.not(&literal)
            }
        };
        let mut both = self.chosen.clone();
        for bit in kept {
            both = diagrams.and(&both, &literal(*bit, from[*bit as usize])?)?;
        }
        for pair in &self.changed {
            both = diagrams.and(&both, &literal(pair.next, to[pair.now as usize])?)?;
        }
        if let Some(when) = when {
            both = diagrams.and(&both, &diagrams.rename(when, &self.kept)?)?;
        }
        for cluster in &self.clusters {
            both = diagrams.and(&both, cluster)?;
        }
        Ok(both)
    }
}

/// A property of states and inputs where a disjunct was chosen.
fn restricted(diagrams: &Diagrams, when: &Diagram, chosen: &Diagram) -> Result<Diagram> {
    if diagrams.is_yes(chosen) {
        return Ok(when.clone());
    }
    let bits = diagrams.cube(diagrams.support(chosen))?;
    diagrams.and_exists(when, chosen, &bits)
}

/// A part in the words of a disjunct: what does not change is not mentioned twice.
fn local(
    diagrams: &Diagrams,
    part: &Diagram,
    kept: &Renaming,
    chosen: &Diagram,
) -> Result<Diagram> {
    let part = restricted(diagrams, part, chosen)?;
    diagrams.rename(&part, kept)
}

/// The whole relation.
pub(crate) struct Transition {
    pub(crate) disjuncts: Vec<Disjunct>,
}

impl Transition {
    /// The same with further clusters about further bits.
    pub(crate) fn with(
        &self,
        diagrams: &Diagrams,
        parts: &[Diagram],
        bits: &[Pair],
    ) -> Result<Transition> {
        let disjuncts: Result<Vec<Disjunct>> =
            self.disjuncts.iter().map(|d| d.with(diagrams, parts, bits)).collect();
        Ok(Transition { disjuncts: disjuncts? })
    }

    /// The same, as far as transitions from states of a set are concerned: whoever asks what comes
    /// before a set has to look at what is in this one only.
    pub(crate) fn simplified(&self, diagrams: &Diagrams, from: &Diagram) -> Result<Transition> {
        let disjuncts: Result<Vec<Disjunct>> =
            self.disjuncts.iter().map(|d| d.simplified(diagrams, from)).collect();
        Ok(Transition { disjuncts: disjuncts? })
    }

    /// What can follow, inside the domains or not.
    pub(crate) fn image(&self, diagrams: &Diagrams, states: &Diagram) -> Result<Diagram> {
        let mut all = diagrams.no();
        for disjunct in &self.disjuncts {
            all = diagrams.or(&all, &disjunct.image(diagrams, states)?)?;
        }
        Ok(all)
    }

    /// What can come before, with a property of state and inputs.
    pub(crate) fn preimage(
        &self,
        diagrams: &Diagrams,
        states: &Diagram,
        when: Option<&Diagram>,
    ) -> Result<Diagram> {
        let mut all = diagrams.no();
        for disjunct in &self.disjuncts {
            all = diagrams.or(&all, &disjunct.preimage(diagrams, states, when)?)?;
        }
        Ok(all)
    }

    /// Values of all bits on a transition between two states, if there is one.
    pub(crate) fn between(
        &self,
        diagrams: &Diagrams,
        from: &[bool],
        to: &[bool],
        kept: &[u32],
        when: Option<&Diagram>,
    ) -> Result<Option<Vec<bool>>> {
        for disjunct in &self.disjuncts {
            let found = disjunct.between(diagrams, from, to, kept, when)?;
            if let Some(bits) = diagrams.pick(&found) {
                return Ok(Some(bits));
            }
        }
        Ok(None)
    }

    /// The number of nodes of all clusters.
    pub(crate) fn size(&self, diagrams: &Diagrams) -> usize {
        let clusters = self.disjuncts.iter().flat_map(|d| &d.clusters);
        clusters.map(|c| diagrams.size(c)).sum()
    }
}
