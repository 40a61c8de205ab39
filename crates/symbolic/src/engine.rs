//! From a relation to its diagrams.

mod parts;

use std::rc::Rc;
use std::sync::Arc;

use isospin_relation::interpret::Evaluator;
use isospin_relation::{Duty, Kind, Mention, Part, Relation, Support};

use crate::diagram::{Diagram, Diagrams, Moves, Result};
use crate::encode::Encoding;
use crate::fair::{Justice, System};
use crate::order::Order;
use crate::report::{Problem, Wrong};
use crate::translate::Translator;
use parts::{transition, Builder};

/// How much room there is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub(crate) nodes: usize,
    pub(crate) cache: usize,
    /// The most nodes of a cluster.
    pub(crate) cluster: usize,
}

/// A relation as diagrams.
pub(crate) struct Engine {
    pub(crate) relation: Arc<Relation>,
    pub(crate) encoding: Rc<Encoding>,
    pub(crate) translator: Translator,
    pub(crate) system: System,
}

impl Engine {
    /// Builds everything under an order, with further bits for formulas; bits may be moved.
    pub(crate) fn new(
        relation: Arc<Relation>,
        order: &Order,
        extra: usize,
        room: Room,
        moves: Moves,
        stop: Rc<dyn Fn() -> bool>,
    ) -> Result<Engine> {
        let encoding = Rc::new(Encoding::new(&relation, &order.0, extra));
        let diagrams = Rc::new(Diagrams::new(room.nodes, room.cache, encoding.bits)?);
        if moves != Moves::Never {
            diagrams.move_together(encoding.groups(), moves == Moves::Always);
        }
        let mut translator =
            Translator::new(Arc::clone(&relation), Rc::clone(&diagrams), Rc::clone(&encoding));
        let d = &*diagrams;
        let mut states = d.yes();
        for (id, variable) in relation.numbered() {
            if variable.kind != Kind::Input {
                states = d.and(&states, &translator.mask(id, false)?)?;
            }
        }
        let states = conjunction(d, &mut translator, &relation.invariants, states)?;
        let init = conjunction(d, &mut translator, &relation.init, states.clone())?;
        let transition = transition(Builder {
            relation: &relation,
            diagrams: d,
            encoding: &encoding,
            translator: &mut translator,
            threshold: room.cluster,
            stop: &stop,
        })?;
        let mut justice = Vec::new();
        for part in &relation.justice {
            let condition = translator.truth(part.expr)?;
            let on_transitions = mentions_input(&relation, part);
            justice.push(Justice { condition, on_transitions });
        }
        let mut compassion = Vec::new();
        for (p, q) in &relation.compassion {
            compassion.push((translator.truth(p.expr)?, translator.truth(q.expr)?));
        }
        let bits = encoding.state_bits(&relation).map(|p| p.now).collect();
        let system = System {
            diagrams: Rc::clone(&diagrams),
            states,
            init,
            transition,
            justice,
            compassion,
            bits,
            stop,
        };
        Ok(Engine { relation, encoding, translator, system })
    }

    /// What is wrong with the model, with values that show it.
    pub(crate) fn wrong(&mut self) -> Result<Vec<Wrong>> {
        let d = Rc::clone(&self.system.diagrams);
        let relation = Arc::clone(&self.relation);
        let mut wrong = Vec::new();
        for obligation in &relation.obligations {
            let holds = self.translator.truth(obligation.expr)?;
            let mut fails = d.not(&holds)?;
            let root = match obligation.duty {
                Duty::Defined(root) => root,
                Duty::Fits(_) => obligation.expr,
            };
            let mentions = Support::of(&relation.expressions, root).0;
            for mention in &mentions {
                let mask = match *mention {
                    Mention::Current(v) => self.translator.mask(v, false)?,
                    Mention::Next(v) => self.translator.mask(v, true)?,
                };
                fails = d.and(&fails, &mask)?;
            }
            let Some(bits) = d.pick(&fails) else { continue };
            let now = self.encoding.decode(&relation, &bits, false);
            let next = self.encoding.decode(&relation, &bits, true);
            let (what, place) = match obligation.duty {
                Duty::Fits(variable) => (Problem::OutsideDomain(variable), obligation.place),
                Duty::Defined(root) => {
                    let evaluator = Evaluator::new(&relation.expressions, root);
                    let reason = evaluator.blame(&relation.expressions, &now, &next);
                    // The diagram says that there is one; without it the first is as good.
                    let (trouble, place) = relation.troubles[reason.unwrap_or(0) as usize];
                    (Problem::Undefined(trouble), place.or(obligation.place))
                }
            };
            let values = mentions.iter().map(|mention| match *mention {
                Mention::Current(v) => (v, false, now[v.index()]),
                Mention::Next(v) => (v, true, next[v.index()]),
            });
            let known = wrong.iter().any(|w: &Wrong| w.place == place && w.what == what);
            if !known {
                wrong.push(Wrong { what, place, values: values.collect() });
            }
        }
        Ok(wrong)
    }
}

fn mentions_input(relation: &Relation, part: &Part) -> bool {
    let support = Support::of(&relation.expressions, part.expr);
    let mut reads = support.reads();
    reads.any(|v| relation.variable(v).kind == Kind::Input)
}

fn conjunction(
    diagrams: &Diagrams,
    translator: &mut Translator,
    parts: &[Part],
    from: Diagram,
) -> Result<Diagram> {
    let mut all = from;
    for part in parts {
        all = diagrams.and(&all, &translator.truth(part.expr)?)?;
    }
    Ok(all)
}
