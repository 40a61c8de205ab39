//! Formulas with as few atoms as possible: one for every largest part without temporal operators.
//!
//! A permutation of names has to leave every atom as it is. `!(c[0] && c[1])` over all pairs is left
//! as it is by all of them, and `c[0]` by few.

use isospin_model::{BinaryOp, Expr, Place, Region, Temporal, UnaryOp};

/// The formula with one atom for every largest part without temporal operators. Parts that may go
/// wrong are left as they are: where one does, its atom does not hold, and the atom that it would
/// become a part of need not be one that does not hold then.
pub fn coarse(formula: &Temporal) -> Temporal {
    let simple = match formula {
        Temporal::Atom { .. } | Temporal::Const(_) => true,
        Temporal::Not(inner) => matches!(**inner, Temporal::Atom { .. }),
        _ => false,
    };
    if simple {
        return formula.clone();
    }
    if let Some((expr, text)) = state_formula(formula) {
        return Temporal::Atom { expr, text };
    }
    let inner = |f: &Temporal| Box::new(coarse(f));
    match formula {
        Temporal::Const(_) | Temporal::Atom { .. } => formula.clone(),
        Temporal::Not(f) => Temporal::Not(inner(f)),
        Temporal::Next(f) => Temporal::Next(inner(f)),
        Temporal::Always(f) => Temporal::Always(inner(f)),
        Temporal::Eventually(f) => Temporal::Eventually(inner(f)),
        Temporal::And(a, b) => Temporal::And(inner(a), inner(b)),
        Temporal::Or(a, b) => Temporal::Or(inner(a), inner(b)),
        Temporal::Implies(a, b) => Temporal::Implies(inner(a), inner(b)),
        Temporal::Equivalent(a, b) => Temporal::Equivalent(inner(a), inner(b)),
        Temporal::Until(a, b) => Temporal::Until(inner(a), inner(b)),
        Temporal::WeakUntil(a, b) => Temporal::WeakUntil(inner(a), inner(b)),
        Temporal::Release(a, b) => Temporal::Release(inner(a), inner(b)),
    }
}

/// A formula without temporal operators as an expression, with its text.
fn state_formula(formula: &Temporal) -> Option<(Expr, String)> {
    let not =
        |(e, text): (Expr, String)| (Expr::Unary(UnaryOp::Not, e.into()), format!("!({text})"));
    let both = |op, sign: &str, a: (Expr, String), b: (Expr, String)| {
        (Expr::binary(op, a.0, b.0), format!("({}) {sign} ({})", a.1, b.1))
    };
    Some(match formula {
        Temporal::Const(value) => (Expr::Const(i32::from(*value)), value.to_string()),
        Temporal::Atom { expr, text } if is_total(expr) => (expr.clone(), text.clone()),
        Temporal::Not(f) => not(state_formula(f)?),
        Temporal::And(a, b) => both(BinaryOp::And, "&&", state_formula(a)?, state_formula(b)?),
        Temporal::Or(a, b) => both(BinaryOp::Or, "||", state_formula(a)?, state_formula(b)?),
        Temporal::Implies(a, b) => {
            both(BinaryOp::Or, "||", not(state_formula(a)?), state_formula(b)?)
        }
        Temporal::Equivalent(a, b) => {
            both(BinaryOp::Equal, "==", not(state_formula(a)?), not(state_formula(b)?))
        }
        _ => return None,
    })
}

/// Whether an expression has a value in every state.
fn is_total(expr: &Expr) -> bool {
    let constant = |e: &Expr| matches!(e, Expr::Const(_));
    match expr {
        Expr::Const(_) | Expr::NonProgress => true,
        Expr::Load(Place { region, indices, .. }) => {
            let there = match region {
                Region::Global => true,
                Region::Local => false,
                Region::Remote { pid, .. } => pid.as_deref().is_none_or(constant),
            };
            let inside =
                |e: &Expr, len: u32| matches!(e, Expr::Const(k) if *k >= 0 && (*k as u32) < len);
            there && indices.iter().all(|i| inside(&i.expr, i.len))
        }
        Expr::Unary(_, e) => is_total(e),
        Expr::Binary(BinaryOp::Divide | BinaryOp::Modulo, ..) => false,
        Expr::Binary(_, a, b) => is_total(a) && is_total(b),
        Expr::AtLocation { pid, .. } => pid.as_deref().is_none_or(constant),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isospin_model::Scalar;

    fn atom(offset: u32) -> Temporal {
        let ty = Scalar::BYTE;
        let place = Place { region: Region::Global, offset, indices: Vec::new(), ty };
        Temporal::Atom { expr: Expr::Load(place), text: format!("v{offset}") }
    }

    fn and(a: Temporal, b: Temporal) -> Temporal {
        Temporal::And(Box::new(a), Box::new(b))
    }

    #[test]
    fn what_has_no_temporal_operator_is_one_atom() {
        let pair = Temporal::Not(Box::new(and(atom(0), atom(1))));
        let Temporal::Always(inner) = coarse(&Temporal::Always(Box::new(pair))) else { panic!() };
        let Temporal::Atom { text, .. } = *inner else { panic!("{inner:?}") };
        assert_eq!(text, "!((v0) && (v1))");
    }

    #[test]
    fn temporal_operators_and_single_atoms_stay() {
        let formula = and(atom(0), Temporal::Eventually(Box::new(atom(1))));
        assert_eq!(coarse(&formula), formula);
    }

    #[test]
    fn what_may_go_wrong_stays() {
        let Temporal::Atom { expr, text } = atom(0) else { panic!() };
        let divided = Expr::Binary(BinaryOp::Divide, Box::new(Expr::Const(1)), Box::new(expr));
        let formula = and(atom(1), Temporal::Atom { expr: divided, text });
        assert_eq!(coarse(&formula), formula);
    }
}
