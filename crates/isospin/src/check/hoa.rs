//! Automata in the Hanoi omega-automata format as properties: what they accept is a violation.

use std::path::Path;

use isospin_check::asked::{GivenAutomaton, MAX_ACCEPTANCE_SETS};
use isospin_logic::{read_hoa, Error, GeneralizedBuchi};
use isospin_model::{BinaryOp, Expr, Formula, Temporal, UnaryOp};
use isospin_source::visible;

use crate::failure::Failure;
use crate::given::{line_and_column, Given};

/// An automaton that was read, with propositions that are not resolved yet.
pub struct Automaton {
    /// The file's name.
    pub name: String,
    /// Its text.
    pub text: String,
    automaton: GeneralizedBuchi,
    /// Where each proposition stands in the file.
    places: Vec<String>,
}

impl Automaton {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Automaton, Failure> {
        let name = visible(&path.display().to_string()).into_owned();
        let text = crate::files::read_text(path)
            .map_err(|error| Failure::new(format_args!("cannot read {name}: {error}")))?;
        Automaton::of_text(name, text)
    }

    /// Reads the text of a file of this name.
    pub fn of_text(name: String, text: String) -> Result<Automaton, Failure> {
        let place = |at: usize| {
            let (line, column) = line_and_column(&text, at);
            format!("{name}:{line}:{column}")
        };
        let automaton = read_hoa(&text).map_err(|error| match (&error, error.position()) {
            (Error::Hoa { line, column, message }, _) => {
                Failure::new(format_args!("{name}:{line}:{column}: {message}"))
            }
            (_, Some(at)) => Failure::new(format_args!("{}: {error}", place(at))),
            _ => Failure::new(format_args!("{name}: {error}")),
        })?;
        if automaton.sets > MAX_ACCEPTANCE_SETS {
            return Err(Failure::new(format_args!(
                "{name}: more than {MAX_ACCEPTANCE_SETS} acceptance sets are not supported"
            )));
        }
        let places = automaton.atoms.iter().map(|a| place(a.span.start)).collect();
        Ok(Automaton { name, text, automaton, places })
    }

    /// Its propositions, to be read with the model.
    pub fn propositions(&self) -> Vec<Given> {
        let texts = self.automaton.atoms.iter().zip(&self.places);
        texts
            .map(|(atom, place)| Given {
                text: atom.text.clone(),
                origin: Some(format!("a proposition of the automaton, at {place}")),
            })
            .collect()
    }

    /// The automaton with what its propositions mean, once the model has made `formulas` of them.
    pub fn resolved(&self, formulas: &[Formula]) -> Result<GivenAutomaton, Failure> {
        let mut atoms = Vec::new();
        for (formula, place) in formulas.iter().zip(&self.places) {
            atoms.push(expression(&formula.temporal).ok_or_else(|| {
                Failure::new(format_args!(
                    "{place}: the proposition `{}` contains a temporal operator",
                    formula.text
                ))
            })?);
        }
        let (name, automaton) = (self.name.clone(), self.automaton.clone());
        Ok(GivenAutomaton { name, automaton, atoms })
    }
}

/// A formula without temporal operators as one expression.
fn expression(formula: &Temporal) -> Option<Expr> {
    let not = |e: Expr| Expr::Unary(UnaryOp::Not, Box::new(e));
    let binary = |op: BinaryOp, a: Expr, b: Expr| Expr::Binary(op, Box::new(a), Box::new(b));
    Some(match formula {
        Temporal::Const(value) => Expr::Const(i32::from(*value)),
        Temporal::Atom { expr, .. } => expr.clone(),
        Temporal::Not(f) => not(expression(f)?),
        Temporal::And(a, b) => binary(BinaryOp::And, expression(a)?, expression(b)?),
        Temporal::Or(a, b) => binary(BinaryOp::Or, expression(a)?, expression(b)?),
        Temporal::Implies(a, b) => binary(BinaryOp::Or, not(expression(a)?), expression(b)?),
        Temporal::Equivalent(a, b) => {
            binary(BinaryOp::Equal, not(expression(a)?), not(expression(b)?))
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(value: i32) -> Box<Temporal> {
        Box::new(Temporal::Atom { expr: Expr::Const(value), text: value.to_string() })
    }

    #[test]
    fn what_connects_propositions_becomes_an_operator_of_the_model() {
        let implies = Temporal::Implies(atom(3), Box::new(Temporal::Const(false)));
        let not = Expr::Unary(UnaryOp::Not, Box::new(Expr::Const(3)));
        let or = Expr::Binary(BinaryOp::Or, Box::new(not), Box::new(Expr::Const(0)));
        assert_eq!(expression(&implies), Some(or));
    }

    #[test]
    fn equivalence_is_of_truth_values_and_not_of_numbers() {
        let equivalent = expression(&Temporal::Equivalent(atom(1), atom(2)));
        let not = |n| Box::new(Expr::Unary(UnaryOp::Not, Box::new(Expr::Const(n))));
        assert_eq!(equivalent, Some(Expr::Binary(BinaryOp::Equal, not(1), not(2))));
    }

    #[test]
    fn a_temporal_operator_is_no_expression_however_deep() {
        let inside = Temporal::Not(Box::new(Temporal::Always(atom(1))));
        assert_eq!(expression(&inside), None);
        assert_eq!(expression(&Temporal::And(atom(1), Box::new(inside))), None);
    }
}
