//! What may change whether conditions hold.

use isospin_model::{Action, BinaryOp, Expr, UnaryOp};

use super::access::{Access, Reader};
use super::set::End;

/// How the value of a condition may change.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    False,
    True,
    /// Only what sends and receives can do.
    TrueByChannel,
}

impl Reader<'_> {
    /// What may change whether a condition holds; `positive` says whether it is the condition or its
    /// negation. That a channel is not full, or not empty, is seldom disturbed: who receives makes
    /// room, and who sends leaves what is there.
    pub(super) fn add_guard(
        &self,
        expr: &Expr,
        positive: bool,
        change: Change,
        access: &mut Access,
    ) {
        let towards_false = (change == Change::False) == positive;
        let end = |falsified: End, verified: End| if towards_false { falsified } else { verified };
        match expr {
            Expr::Unary(UnaryOp::Not, e) => self.add_guard(e, !positive, change, access),
            Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.add_guard(a, positive, change, access);
                self.add_guard(b, positive, change, access);
            }
            Expr::Full(c) => self.add_channel(c, end(End::Receive, End::Send), true, access),
            Expr::Empty(c) => self.add_channel(c, end(End::Send, End::Receive), true, access),
            // Everything else may change either way, and counts for one of them.
            _ if change != Change::TrueByChannel => self.add_expr(expr, access),
            _ => {}
        }
    }

    /// Conditions that must all hold for the edge to be taken, each with what may make it hold.
    pub(super) fn conjuncts(&self, action: &Action) -> Vec<(Expr, Access)> {
        let condition = match action {
            Action::Condition(e) => e,
            Action::DetStep(step) => match step.nodes[0].edges.as_slice() {
                [only] => return self.conjuncts(&only.action),
                _ => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        if condition.any(&|e| matches!(e, Expr::Run { .. })) {
            return Vec::new();
        }
        let (mut todo, mut found) = (vec![condition], Vec::new());
        while let Some(e) = todo.pop() {
            match e {
                Expr::Binary(BinaryOp::And, a, b) => {
                    todo.push(b);
                    todo.push(a);
                }
                e => {
                    let mut access = Access::default();
                    self.add_guard(e, true, Change::True, &mut access);
                    found.push((e.clone(), access));
                }
            }
        }
        found
    }
}
