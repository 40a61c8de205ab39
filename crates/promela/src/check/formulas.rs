//! Formulas: temporal operators above, expressions below.

use super::exprs::find_run;
use super::Checker;
use crate::lints;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use isospin_source::Diagnostic;

impl<'a> Checker<'a> {
    /// A formula: temporal operators above, expressions below.
    pub(super) fn formula(&mut self, formula: &'a Expr) {
        self.expr(formula);
        if let Some(run) = find_run(formula) {
            self.error(run, "`run` cannot stand in a formula");
        }
        self.no_probes(formula);
        self.temporal_operands(formula, true);
    }

    fn no_probes(&mut self, formula: &Expr) {
        let mut at = formula;
        loop {
            match &at.kind {
                ExprKind::Probe(..) => {
                    self.report(
                        Diagnostic::error(
                            at.span,
                            "full, empty, nfull and nempty cannot stand in a formula",
                        )
                        .help("compare len(channel) with a number"),
                    );
                    return;
                }
                ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                    self.no_probes(b);
                    at = a;
                }
                _ => return,
            }
        }
    }

    /// Temporal operators bind tighter than comparisons: `<> x == 1` is read
    /// as `(<> x) == 1`.
    fn temporal_operands(&mut self, expr: &Expr, allowed: bool) {
        let temporal = match &expr.kind {
            ExprKind::Unary(op, operand) => {
                let temporal = matches!(op, UnaryOp::Next | UnaryOp::Always | UnaryOp::Eventually);
                self.temporal_operands(operand, allowed && (temporal || *op == UnaryOp::Not));
                temporal
            }
            ExprKind::Binary(op, a, b) => {
                let logical = matches!(
                    op,
                    BinaryOp::And
                        | BinaryOp::Or
                        | BinaryOp::Until
                        | BinaryOp::Release
                        | BinaryOp::WeakUntil
                        | BinaryOp::Implies
                        | BinaryOp::Equivalent
                );
                self.temporal_operands(a, allowed && logical);
                self.temporal_operands(b, allowed && logical);
                matches!(op, BinaryOp::Until | BinaryOp::Release | BinaryOp::WeakUntil)
            }
            _ => false,
        };
        if temporal && !allowed {
            self.report(
                Diagnostic::warning(
                    lints::TEMPORAL_OPERAND,
                    expr.span,
                    "a temporal formula is used as a number here",
                )
                .help("temporal operators bind tighter than any other; are parentheses missing, as in `<> (x == 1)`?"),
            );
        }
    }
}
