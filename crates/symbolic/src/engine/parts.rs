//! The transition relation in parts: one disjunct for each process, for each set of variables that
//! a disjunction of steps changes, or one for everything.

use std::collections::BTreeMap;
use std::rc::Rc;

use isospin_relation::clauses::clauses;
use isospin_relation::{Binary, ExprId, Kind, Node, Relation, Sort};

use crate::diagram::{Diagram, Diagrams, Result, Stop};
use crate::encode::{Encoding, Pair};
use crate::transition::{Bits, Disjunct, Transition};
use crate::translate::Translator;

/// What parts are made of.
pub(super) struct Builder<'b> {
    pub(super) relation: &'b Relation,
    pub(super) diagrams: &'b Diagrams,
    pub(super) encoding: &'b Encoding,
    pub(super) translator: &'b mut Translator,
    /// The most nodes of a cluster.
    pub(super) threshold: usize,
    pub(super) stop: &'b Rc<dyn Fn() -> bool>,
}

/// The transition relation.
pub(super) fn transition(mut builder: Builder<'_>) -> Result<Transition> {
    let relation = builder.relation;
    let mut inputs = Vec::new();
    let mut masks = Vec::new();
    for (id, variable) in relation.numbered() {
        if variable.kind == Kind::Input && relation.selector != Some(id) {
            masks.push(builder.translator.mask(id, false)?);
            inputs.extend(builder.encoding.variables[id.index()].iter().map(|p| p.now));
        }
    }
    let exprs: Vec<ExprId> = relation.transitions.iter().map(|p| p.expr).collect();
    if relation.selector.is_some() {
        let mut parts = builder.translated(&exprs)?;
        parts.extend(masks);
        return builder.processes(parts, &inputs);
    }
    if let Some(found) = builder.interleaved(&exprs, &masks, &inputs)? {
        return Ok(found);
    }
    let mut parts = builder.clauses(&exprs)?;
    parts.extend(masks);
    let changed =
        builder.encoding.state_bits(relation).filter(|pair| pair.now != pair.next).collect();
    let bits = Bits { changed, kept: Vec::new(), inputs };
    let d = builder.diagrams;
    let one = Disjunct::new(d, parts, bits, d.yes(), builder.threshold)?;
    Ok(Transition { disjuncts: vec![one] })
}

/// A disjunction is worth being split into so many parts at least.
const FEW: usize = 3;

/// What a disjunct says, without what it keeps; by what it keeps.
type Groups = BTreeMap<Vec<bool>, Diagram>;

impl Builder<'_> {
    fn translated(&mut self, exprs: &[ExprId]) -> Result<Vec<Diagram>> {
        let mut parts = Vec::new();
        for expr in exprs {
            if (self.stop)() {
                return Err(Stop::Asked);
            }
            self.diagrams.tidy();
            parts.push(self.translator.truth(*expr)?);
        }
        Ok(parts)
    }

    /// The same in small parts.
    fn clauses(&mut self, exprs: &[ExprId]) -> Result<Vec<Diagram>> {
        let d = self.diagrams;
        let mut parts = Vec::new();
        for expr in exprs {
            for clause in clauses(&self.relation.expressions, *expr) {
                if (self.stop)() {
                    return Err(Stop::Asked);
                }
                d.tidy();
                let mut any = d.no();
                for literal in clause {
                    let truth = self.translator.truth(literal.expr)?;
                    any = d.or(&any, &if literal.negated { d.not(&truth)? } else { truth })?;
                }
                parts.push(any);
            }
        }
        Ok(parts)
    }

    /// One disjunct for each process.
    fn processes(&mut self, parts: Vec<Diagram>, inputs: &[u32]) -> Result<Transition> {
        let d = self.diagrams;
        let Some(selector) = self.relation.selector else {
            return Ok(Transition { disjuncts: Vec::new() });
        };
        let choice: Vec<Diagram> =
            self.encoding.variables[selector.index()].iter().map(|p| d.bit(p.now)).collect();
        let mut disjuncts = Vec::new();
        for process in 0..self.relation.variable(selector).domain.size() {
            let chosen = d.equal(&choice, &d.word(process, choice.len() as u32))?;
            let cube = d.cube(d.support(&chosen))?;
            let mut local: Vec<Diagram> = Vec::new();
            for part in &parts {
                local.push(d.and_exists(part, &chosen, &cube)?);
            }
            let kept = self.kept(&local)?;
            let bits = self.bits(&kept, inputs);
            disjuncts.push(Disjunct::new(d, local, bits, chosen, self.threshold)?);
        }
        Ok(Transition { disjuncts })
    }

    /// A relation that is a disjunction of steps of which each changes a few variables: one
    /// disjunct for each set of variables that is changed.
    fn interleaved(
        &mut self,
        exprs: &[ExprId],
        masks: &[Diagram],
        inputs: &[u32],
    ) -> Result<Option<Transition>> {
        let relation = self.relation;
        let steps = exprs.iter().map(|expr| steps(relation, *expr));
        let Some((at, steps)) = steps.enumerate().max_by_key(|(_, steps)| steps.len()) else {
            return Ok(None);
        };
        if steps.len() < FEW {
            return Ok(None);
        }
        let d = self.diagrams;
        let mut groups = Groups::new();
        for step in steps {
            let conjuncts = relation.expressions.conjuncts(step);
            let conjuncts = self.translated(&conjuncts)?;
            let kept = self.kept(&conjuncts)?;
            if !kept.contains(&true) {
                return Ok(None);
            }
            let frame = self.frame(&kept)?;
            let mut says = d.yes();
            for conjunct in conjuncts.iter().filter(|c| !frame.contains(c)) {
                says = d.and(&says, conjunct)?;
            }
            let group = groups.entry(kept).or_insert_with(|| d.no());
            *group = d.or(group, &says)?;
        }
        let all = groups.len() * relation.variables.len();
        let kept: usize = groups.keys().map(|kept| kept.iter().filter(|k| **k).count()).sum();
        if groups.len() < 2 || 3 * kept < all {
            return Ok(None);
        }
        let others: Vec<ExprId> =
            exprs.iter().enumerate().filter(|(k, _)| *k != at).map(|(_, e)| *e).collect();
        let mut rest = self.clauses(&others)?;
        rest.extend(masks.iter().cloned());
        let mut disjuncts = Vec::new();
        for (kept, says) in groups {
            let mut parts = rest.clone();
            parts.push(says);
            let bits = self.bits(&kept, inputs);
            disjuncts.push(Disjunct::new(d, parts, bits, d.yes(), self.threshold)?);
        }
        Ok(Some(Transition { disjuncts }))
    }

    /// For every variable whether some part says that it keeps its value, and nothing else.
    fn kept(&self, parts: &[Diagram]) -> Result<Vec<bool>> {
        let mut kept = Vec::new();
        for (id, variable) in self.relation.numbered() {
            let pairs = &self.encoding.variables[id.index()];
            let changes = variable.kind == Kind::State && !pairs.is_empty();
            kept.push(changes && parts.contains(&self.same(pairs)?));
        }
        Ok(kept)
    }

    /// What says that variables keep their values.
    fn frame(&self, kept: &[bool]) -> Result<Vec<Diagram>> {
        let pairs = self.encoding.variables.iter().zip(kept).filter(|(_, kept)| **kept);
        pairs.map(|(pairs, _)| self.same(pairs)).collect()
    }

    fn same(&self, pairs: &[Pair]) -> Result<Diagram> {
        let d = self.diagrams;
        let mut same = d.yes();
        for pair in pairs.iter().rev() {
            same = d.and(&d.same(&d.bit(pair.now), &d.bit(pair.next))?, &same)?;
        }
        Ok(same)
    }

    /// The bits of variables, by whether they are kept.
    fn bits(&self, kept: &[bool], inputs: &[u32]) -> Bits {
        let (mut changed, mut unchanged) = (Vec::new(), Vec::new());
        for (id, variable) in self.relation.numbered() {
            if variable.kind == Kind::State {
                let to = if kept[id.index()] { &mut unchanged } else { &mut changed };
                to.extend(self.encoding.variables[id.index()].iter().copied());
            }
        }
        Bits { changed, kept: unchanged, inputs: inputs.to_vec() }
    }
}

/// The operands of a disjunction of disjunctions, in their order.
fn steps(relation: &Relation, expr: ExprId) -> Vec<ExprId> {
    let table = &relation.expressions;
    let (mut stack, mut found) = (vec![expr], Vec::new());
    while let Some(id) = stack.pop() {
        match table.node(id) {
            Node::Binary(Binary::Or, a, b) if table.sort(id) == Sort::Boolean => {
                stack.extend([b, a]);
            }
            _ => found.push(id),
        }
    }
    found
}
