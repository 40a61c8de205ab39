//! Automata that are known to take no notice of how often a state is repeated.

use isospin_logic::{is_stutter_closed, AtomTable, Cube, GeneralizedBuchi, Label, MarkedEdge};
use isospin_model::{BinaryOp, Expr, UnaryOp};

use super::PropertyAutomaton;

/// Labels that are longer than this are not looked at.
const MAX_CUBES: usize = 64;

impl PropertyAutomaton {
    /// Whether it is known not to count steps: that it makes no difference whether a step that it
    /// cannot see is taken, nor when. Claims that are not understood are not known to be so.
    pub fn is_stutter_closed(&self) -> bool {
        if self.accept_labels || self.states.iter().any(|s| s.still || s.endless) {
            return false;
        }
        self.generalized().is_some_and(|automaton| {
            let ends = (0..).zip(&self.states).filter(|(_, s)| s.end.is_some()).map(|(q, _)| q);
            is_stutter_closed(&automaton, &ends.collect::<Vec<_>>())
        })
    }

    /// The automaton over atoms in which conditions are made of others only where they have to be.
    fn generalized(&self) -> Option<GeneralizedBuchi> {
        let mut atoms = Atoms::default();
        let conditions: Vec<[Label; 2]> = self
            .atoms
            .iter()
            .map(|e| Some([atoms.label(e, false)?, atoms.label(e, true)?]))
            .collect::<Option<_>>()?;
        let all = self.all_marks();
        let mut edges = Vec::new();
        for (number, state) in self.states.iter().enumerate() {
            if state.end.is_some() {
                edges.push(vec![MarkedEdge { label: Label::always(), to: number, marks: all }]);
                continue;
            }
            let mut out = Vec::new();
            for edge in &state.edges {
                let mut label = Label::default();
                for cube in &edge.guard {
                    let literals = cube.iter();
                    let mut labels =
                        literals.map(|&(a, yes)| &conditions[a as usize][usize::from(yes)]);
                    let product = labels.try_fold(Label::always(), |all, l| and(&all, l))?;
                    label = or(label, &product)?;
                }
                out.push(MarkedEdge { label, to: edge.to as usize, marks: edge.marks });
            }
            edges.push(out);
        }
        let initial = self.initial as usize;
        Some(GeneralizedBuchi { atoms: atoms.table, initial, sets: self.sets, edges })
    }
}

/// What conditions are made of.
#[derive(Default)]
struct Atoms {
    table: AtomTable,
    exprs: Vec<Expr>,
}

impl Atoms {
    /// Where a condition has a value. None where that is no matter of the state alone.
    fn label(&mut self, expr: &Expr, value: bool) -> Option<Label> {
        // The depth of expressions is bounded.
        Some(match (expr, value) {
            (Expr::Const(c), _) if (*c != 0) == value => Label::always(),
            (Expr::Const(_), _) => Label::default(),
            (Expr::Unary(UnaryOp::Not, e), _) => self.label(e, !value)?,
            (Expr::Binary(BinaryOp::And, a, b), true) => {
                and(&self.label(a, true)?, &self.label(b, true)?)?
            }
            (Expr::Binary(BinaryOp::And, a, b), false) => {
                or(self.label(a, false)?, &self.label(b, false)?)?
            }
            (Expr::Binary(BinaryOp::Or, a, b), true) => {
                or(self.label(a, true)?, &self.label(b, true)?)?
            }
            (Expr::Binary(BinaryOp::Or, a, b), false) => {
                and(&self.label(a, false)?, &self.label(b, false)?)?
            }
            _ => {
                let bit = 1 << self.atom(expr)?;
                let (positive, negative) = if value { (bit, 0) } else { (0, bit) };
                Label { cubes: vec![Cube { positive, negative }] }
            }
        })
    }

    fn atom(&mut self, expr: &Expr) -> Option<usize> {
        let steps = |e: &Expr| {
            use Expr::{Enabled, Last, Priority, Run, Timeout};
            matches!(e, Enabled(_) | Last | Priority(_) | Run { .. } | Timeout)
        };
        if expr.any(&steps) {
            return None;
        }
        if let Some(known) = self.exprs.iter().position(|e| e == expr) {
            return Some(known);
        }
        self.exprs.push(expr.clone());
        self.table.intern(&format!("a{}", self.exprs.len()), 0..0).ok()
    }
}

fn and(a: &Label, b: &Label) -> Option<Label> {
    let pairs = a.cubes.iter().flat_map(|a| b.cubes.iter().filter_map(|b| a.and(*b)));
    bounded(Label { cubes: pairs.collect() })
}

fn or(mut a: Label, b: &Label) -> Option<Label> {
    a.cubes.extend(&b.cubes);
    bounded(a)
}

fn bounded(label: Label) -> Option<Label> {
    (label.cubes.len() <= MAX_CUBES).then_some(label)
}
