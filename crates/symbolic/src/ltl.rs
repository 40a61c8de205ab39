//! Linear time, with past: the product of a system with the tableau of a formula (Clarke 1997;
//! past as in Lichtenstein 1985). Every temporal operator
//! gets a bit: what it promises for the next state, or remembers of the one before.

mod branching;

pub(crate) use branching::Violations;

use std::rc::Rc;

use isospin_relation::{Formula, FormulaId, Kind, Operator, Relation, Support};

use crate::diagram::{Diagram, Diagrams, Result};
use crate::encode::Pair;
use crate::fair::{Justice, System};
use crate::translate::Translator;

/// How many bits the tableaux of a formula's conjuncts need at most.
pub(crate) fn tableau_bits(relation: &Relation, formula: &Formula) -> usize {
    let parts = formula.conjuncts();
    let parts = parts.iter().filter(|part| Violations::of(relation, part).is_none());
    parts.map(|part| bits(relation, part)).max().unwrap_or(0)
}

/// How many bits the tableau of a formula needs.
fn bits(relation: &Relation, formula: &Formula) -> usize {
    let used = formula.used();
    let operators = formula.operators().iter().zip(used);
    operators.filter(|(operator, used)| *used && needs_bit(relation, operator)).count()
}

fn needs_bit(relation: &Relation, operator: &Operator) -> bool {
    match operator {
        Operator::Atom(expr) => {
            let support = Support::of(&relation.expressions, *expr);
            let input = |v| relation.variable(v).kind == Kind::Input;
            support.writes().next().is_some() || support.reads().any(input)
        }
        Operator::Next(_) | Operator::Until(..) | Operator::Previous(_) | Operator::Since(..) => {
            true
        }
        _ => false,
    }
}

/// The product whose fair paths from initial states are those on which the formula is false.
pub(crate) fn product(
    system: &System,
    relation: &Relation,
    translator: &mut Translator,
    formula: &Formula,
    extra: &[Pair],
) -> Result<System> {
    let d = &*system.diagrams;
    let mut free = extra.iter().copied();
    let mut used: Vec<Pair> = Vec::new();
    // Where each subformula is true, in terms of the system's bits and the tableau's.
    let mut sat: Vec<Diagram> = Vec::new();
    // Bits that promise: the bit, and what it promises for the next state.
    let mut promises: Vec<(Pair, FormulaId)> = Vec::new();
    // Bits that remember: the bit, and what of the state before.
    let mut memories: Vec<(Pair, FormulaId)> = Vec::new();
    let (mut parts, mut justice) = (Vec::new(), system.justice.clone());
    let is_used = formula.used();
    for (index, operator) in formula.operators().iter().enumerate() {
        if !is_used[index] {
            sat.push(d.no());
            continue;
        }
        let this = FormulaId(index as u32);
        let pair = if needs_bit(relation, operator) { free.next() } else { None };
        used.extend(pair);
        let bit = pair.map(|p| d.bit(p.now));
        let of = |f: FormulaId| &sat[f.index()];
        let set = match (*operator, pair, &bit) {
            (Operator::Atom(expr), Some(_), Some(bit)) => {
                parts.push(d.same(bit, &translator.truth(expr)?)?);
                bit.clone()
            }
            (Operator::Atom(expr), ..) => translator.truth(expr)?,
            (Operator::True, ..) => d.yes(),
            (Operator::Not(f), ..) => d.not(of(f))?,
            (Operator::And(f, g), ..) => d.and(of(f), of(g))?,
            (Operator::Or(f, g), ..) => d.or(of(f), of(g))?,
            (Operator::Iff(f, g), ..) => d.same(of(f), of(g))?,
            (Operator::Next(f), Some(pair), Some(bit)) => {
                promises.push((pair, f));
                bit.clone()
            }
            (Operator::Until(f, g), Some(pair), Some(bit)) => {
                promises.push((pair, this));
                let until = d.or(of(g), &d.and(of(f), bit)?)?;
                let kept = d.or(&d.not(&until)?, of(g))?;
                justice.push(Justice { condition: kept, on_transitions: false });
                until
            }
            (Operator::Previous(f), Some(pair), Some(bit)) => {
                memories.push((pair, f));
                bit.clone()
            }
            (Operator::Since(f, g), Some(pair), Some(bit)) => {
                memories.push((pair, this));
                d.or(of(g), &d.and(of(f), bit)?)?
            }
            _ => d.no(),
        };
        sat.push(set);
    }
    let mut init = d.minus(&system.init, &sat[formula.root().index()])?;
    for (pair, f) in &memories {
        init = d.minus(&init, &d.bit(pair.now))?;
        parts.push(d.same(&d.bit(pair.next), &sat[f.index()])?);
    }
    let to_next = next_bits(d, relation, translator, &used);
    for (pair, f) in &promises {
        let then = d.rename(&sat[f.index()], &to_next)?;
        parts.push(d.same(&d.bit(pair.now), &then)?);
    }
    let mut bits = system.bits.clone();
    bits.extend(used.iter().map(|p| p.now));
    let parts: Vec<Diagram> = parts.into_iter().filter(|p| !d.is_yes(p)).collect();
    Ok(System {
        diagrams: Rc::clone(&system.diagrams),
        states: system.states.clone(),
        init,
        transition: system.transition.with(d, &parts, &used)?,
        justice,
        compassion: system.compassion.clone(),
        bits,
        stop: Rc::clone(&system.stop),
    })
}

/// Every bit of states and of the tableau, next.
fn next_bits(
    diagrams: &Diagrams,
    relation: &Relation,
    translator: &Translator,
    used: &[Pair],
) -> crate::diagram::Renaming {
    let encoding = translator.encoding();
    let states = encoding.state_bits(relation).filter(|p| p.now != p.next);
    let pairs: Vec<(u32, u32)> =
        states.chain(used.iter().copied()).map(|p| (p.now, p.next)).collect();
    diagrams.renaming(&pairs)
}
