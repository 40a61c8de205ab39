//! Invariants while states are looked for: what a layer violates is told at once, and where nothing
//! else was asked for, the rest of the states is not looked for.

use std::time::{Duration, Instant};

use isospin_relation::Property;

use super::{Event, Options};
use crate::diagram::{Diagram, Result, Stop};
use crate::engine::Engine;
use crate::reach::Reached;
use crate::report::{Found, Verdict};
use crate::witness::judge;

/// Progress is told so often.
const OFTEN: Duration = Duration::from_millis(50);

/// The invariants that are asked for and not violated so far.
pub(super) struct Watch<'w> {
    send: &'w dyn Fn(Event),
    /// The numbers of the specifications, and the states that violate them.
    open: Vec<(usize, Diagram)>,
    /// What was decided.
    pub(super) decided: Vec<usize>,
    /// How many layers were looked at.
    looked: usize,
    /// Whether the search ends when everything here is violated.
    ends: bool,
    traces: bool,
    started: Instant,
    told: Option<Instant>,
}

impl<'w> Watch<'w> {
    pub(super) fn new(
        engine: &mut Engine,
        options: &Options,
        send: &'w dyn Fn(Event),
    ) -> Result<Self> {
        let relation = std::sync::Arc::clone(&engine.relation);
        let mut open = Vec::new();
        let mut others = 0;
        for (index, specification) in relation.specifications.iter().enumerate() {
            if options.only.as_ref().is_some_and(|only| !only.contains(&index)) {
                continue;
            }
            match specification.property {
                Property::Invariant(expr) if relation.is_of_states(expr) => {
                    let holds = engine.translator.truth(expr)?;
                    open.push((index, engine.system.diagrams.not(&holds)?));
                }
                _ => others += 1,
            }
        }
        Ok(Watch {
            send,
            ends: options.enough && others == 0 && !open.is_empty(),
            open,
            decided: Vec::new(),
            looked: 0,
            traces: options.traces,
            started: Instant::now(),
            told: None,
        })
    }

    /// Looks at the layers that have come.
    pub(super) fn look(&mut self, engine: &Engine, reached: &Reached) -> Result<()> {
        self.tell(engine, reached);
        let d = &engine.system.diagrams;
        // A search may begin again.
        if reached.layers.len() < self.looked {
            self.looked = 0;
        }
        for at in self.looked..reached.layers.len() {
            for (index, bad) in std::mem::take(&mut self.open) {
                let here = d.and(&bad, &reached.layers[at])?;
                if d.is_no(&here) {
                    self.open.push((index, bad));
                } else {
                    self.violated(engine, &reached.layers[..=at], index, &here)?;
                }
            }
        }
        self.looked = reached.layers.len();
        if self.ends && self.open.is_empty() {
            return Err(Stop::Enough);
        }
        Ok(())
    }

    fn violated(
        &mut self,
        engine: &Engine,
        layers: &[Diagram],
        index: usize,
        bad: &Diagram,
    ) -> Result<()> {
        let relation = &engine.relation;
        let mut trace = None;
        if self.traces {
            let path = engine.system.path_to(layers, bad)?;
            trace = path.map(|path| path.trace(relation, &engine.encoding));
        }
        let property = &relation.specifications[index].property;
        if trace.as_ref().is_some_and(|trace| judge(relation, property, trace).is_err()) {
            (self.send)(Event::Unconfirmed);
        }
        let time = self.started.elapsed();
        let found = Found { verdict: Verdict::Violated, trace, vacuous: false, time };
        (self.send)(Event::Decided(index, found));
        self.decided.push(index);
        Ok(())
    }

    /// Says how far it is; to count states takes time, too.
    fn tell(&mut self, engine: &Engine, reached: &Reached) {
        if self.told.is_some_and(|at| at.elapsed() < OFTEN) {
            return;
        }
        let system = &engine.system;
        let states = system.diagrams.count(&reached.states, system.bits.len() as u32);
        (self.send)(Event::Ring(reached.layers.len(), system.diagrams.nodes(), states));
        self.told = Some(Instant::now());
    }
}
