//! Linear time: the product of the states with all values of a formula's bits.

use isospin_relation::interpret::Evaluator;
use isospin_relation::{Formula, FormulaId, Operator};

use super::components::Graph;
use super::Space;

/// More edges of a product than this are not looked at.
const MOST: usize = 1 << 22;

impl Space<'_> {
    /// Whether a formula holds on all fair paths; nothing if the product is too large.
    pub(super) fn linear(&self, formula: &Formula) -> Option<bool> {
        let (operators, table) = (formula.operators(), &self.relation.expressions);
        let has_bit = |operator: &Operator| match operator {
            Operator::Atom(expr) => !self.relation.is_of_states(*expr),
            Operator::Next(_)
            | Operator::Until(..)
            | Operator::Previous(_)
            | Operator::Since(..) => true,
            _ => false,
        };
        let bit: Vec<Option<usize>> = {
            let mut count = 0;
            let mut number = |operator| {
                has_bit(operator).then(|| {
                    count += 1;
                    count - 1
                })
            };
            operators.iter().map(&mut number).collect()
        };
        let bits = bit.iter().flatten().count();
        let copies = 1usize.checked_shl(bits as u32).filter(|_| bits < 22)?;
        let edges: usize = self.edges.iter().map(Vec::len).sum();
        if edges.checked_mul(copies)?.checked_mul(copies)? > MOST {
            return None;
        }
        let sat = self.valuations(formula, &bit, copies);
        let root = formula.root().index();
        let mut graph = Graph::new(self.states.len() * copies);
        // The model's own fairness, lifted.
        let model = self.graph();
        graph.justice = model.justice.iter().map(|_| vec![Vec::new(); graph.edges.len()]).collect();
        let inputs: Vec<(usize, Evaluator)> = operators
            .iter()
            .zip(&bit)
            .filter_map(|(operator, bit)| match operator {
                Operator::Atom(expr) => Some(((*bit)?, Evaluator::new(table, *expr))),
                _ => None,
            })
            .collect();
        let of_inputs = inputs.iter().fold(0, |mask, (bit, _)| mask | 1 << bit);
        for (k, edges) in self.edges.iter().enumerate() {
            for (e, (from, to)) in edges.iter().enumerate() {
                let values = inputs.iter().fold(0, |values, (bit, evaluator)| {
                    let value = evaluator.value(table, from, &self.states[*to]) != 0;
                    values | (value as usize) << bit
                });
                for now in (0..copies).filter(|now| now & of_inputs == values) {
                    let a = k * copies + now;
                    for then in 0..copies {
                        let b = to * copies + then;
                        if !agrees(formula, &bit, (&sat[a], now), (&sat[b], then)) {
                            continue;
                        }
                        graph.edges[a].push(b);
                        for (lifted, of) in graph.justice.iter_mut().zip(&model.justice) {
                            lifted[a].push(of[k][e]);
                        }
                    }
                }
            }
        }
        for (p, q) in &model.compassion {
            let lift = |set: &Vec<bool>| {
                set.iter().flat_map(|v| std::iter::repeat_n(*v, copies)).collect::<Vec<bool>>()
            };
            graph.compassion.push((lift(p), lift(q)));
        }
        for (index, operator) in operators.iter().enumerate() {
            if let Operator::Until(_, g) = operator {
                let marks = graph.edges.iter().enumerate().map(|(node, edges)| {
                    let kept = !sat[node][index] || sat[node][g.index()];
                    vec![kept; edges.len()]
                });
                let marks = marks.collect();
                graph.justice.push(marks);
            }
        }
        let fair = graph.fair(&vec![true; graph.edges.len()]);
        let starts = |node: usize| {
            let copy = node % copies;
            let remembers = operators.iter().zip(&bit).any(|(operator, bit)| {
                matches!(operator, Operator::Previous(_) | Operator::Since(..))
                    && bit.is_some_and(|bit| copy >> bit & 1 == 1)
            });
            !remembers && !sat[node][root]
        };
        Some(!(0..self.initial * copies).any(|node| starts(node) && fair[node]))
    }

    /// The truth of every subformula in every node of the product.
    fn valuations(
        &self,
        formula: &Formula,
        bit: &[Option<usize>],
        copies: usize,
    ) -> Vec<Vec<bool>> {
        let table = &self.relation.expressions;
        let evaluators: Vec<Option<Evaluator>> = formula
            .operators()
            .iter()
            .map(|operator| match operator {
                Operator::Atom(expr) => Some(Evaluator::new(table, *expr)),
                _ => None,
            })
            .collect();
        let mut all = Vec::with_capacity(self.states.len() * copies);
        for state in &self.states {
            for copy in 0..copies {
                let mut sat: Vec<bool> = Vec::new();
                for (index, operator) in formula.operators().iter().enumerate() {
                    let of = |f: FormulaId| sat[f.index()];
                    let promised = bit[index].is_some_and(|bit| copy >> bit & 1 == 1);
                    let value = match *operator {
                        Operator::True => true,
                        Operator::Atom(_) if bit[index].is_some() => promised,
                        Operator::Atom(_) => evaluators[index]
                            .as_ref()
                            .is_some_and(|e| e.value(table, state, state) != 0),
                        Operator::Not(f) => !of(f),
                        Operator::And(f, g) => of(f) && of(g),
                        Operator::Or(f, g) => of(f) || of(g),
                        Operator::Iff(f, g) => of(f) == of(g),
                        Operator::Next(_) | Operator::Previous(_) => promised,
                        Operator::Until(f, g) | Operator::Since(f, g) => of(g) || of(f) && promised,
                        _ => false,
                    };
                    sat.push(value);
                }
                all.push(sat);
            }
        }
        all
    }
}

/// Whether bits on both sides of a transition keep their promises and remember what was.
fn agrees(
    formula: &Formula,
    bit: &[Option<usize>],
    (sat, now): (&[bool], usize),
    (then_sat, then): (&[bool], usize),
) -> bool {
    formula.operators().iter().enumerate().all(|(index, operator)| {
        let Some(bit) = bit[index] else { return true };
        let (is, will_be) = (now >> bit & 1 == 1, then >> bit & 1 == 1);
        match *operator {
            Operator::Next(f) => is == then_sat[f.index()],
            Operator::Until(..) => is == then_sat[index],
            Operator::Previous(f) => will_be == sat[f.index()],
            Operator::Since(..) => will_be == sat[index],
            _ => true,
        }
    })
}
