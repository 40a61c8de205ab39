//! Expressions with operators: one loop for all the levels of precedence.

use super::{Parse, Parser, MAX_EXPRESSION_HEIGHT};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::syntax::token::{Punct, TokenKind};
use isospin_source::{Diagnostic, Span};

/// How tightly a binary operator binds; all of them group to the left.
pub(crate) fn precedence(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Implies | BinaryOp::Equivalent => 1,
        BinaryOp::Or => 2,
        BinaryOp::And => 3,
        BinaryOp::Until | BinaryOp::WeakUntil | BinaryOp::Release => 4,
        BinaryOp::BitOr => 5,
        BinaryOp::BitXor => 6,
        BinaryOp::BitAnd => 7,
        BinaryOp::Eq | BinaryOp::Ne => 8,
        BinaryOp::Gt | BinaryOp::Lt | BinaryOp::Ge | BinaryOp::Le => 9,
        BinaryOp::Shl | BinaryOp::Shr => 10,
        BinaryOp::Add | BinaryOp::Sub => 11,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 12,
    }
}

/// The operator that stands between operands, outside formulas.
pub(crate) fn operator(punct: Punct) -> Option<BinaryOp> {
    Some(match punct {
        Punct::Plus => BinaryOp::Add,
        Punct::Minus => BinaryOp::Sub,
        Punct::Star => BinaryOp::Mul,
        Punct::Slash => BinaryOp::Div,
        Punct::Percent => BinaryOp::Rem,
        Punct::Ampersand => BinaryOp::BitAnd,
        Punct::Caret => BinaryOp::BitXor,
        Punct::Bar => BinaryOp::BitOr,
        Punct::Greater => BinaryOp::Gt,
        Punct::Less => BinaryOp::Lt,
        Punct::GreaterEqual => BinaryOp::Ge,
        Punct::LessEqual => BinaryOp::Le,
        Punct::Equal => BinaryOp::Eq,
        Punct::NotEqual => BinaryOp::Ne,
        Punct::AndAnd => BinaryOp::And,
        Punct::OrOr => BinaryOp::Or,
        Punct::ShiftLeft => BinaryOp::Shl,
        Punct::ShiftRight => BinaryOp::Shr,
        _ => return None,
    })
}

/// A channel's probe, or a conjunction or disjunction with one in it: Spin
/// allows those only where nothing can negate them.
fn has_probe(expr: &Expr) -> bool {
    let mut left = expr;
    loop {
        match &left.kind {
            ExprKind::Probe(..) => return true,
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                // Chains are deep on the left only, and brackets are bounded.
                if has_probe(b) {
                    return true;
                }
                left = a;
            }
            _ => return false,
        }
    }
}

/// Stands where an operand has been taken away.
const ERROR: Expr = Expr { span: Span::NONE, kind: ExprKind::Error };

/// A left operand and its operator.
struct Waiting {
    left: Expr,
    height: usize,
    op: BinaryOp,
}

impl Parser<'_> {
    /// An expression; a probe (`full(c)`) may not be a part of it.
    pub(super) fn expr(&mut self) -> Parse<Expr> {
        let expr = self.full_expr()?;
        self.no_probe(expr)
    }

    /// An expression that may be, or join, probes of channels.
    pub(super) fn full_expr(&mut self) -> Parse<Expr> {
        let left = self.unary()?;
        self.operators(left)
    }

    /// An expression whose first operand has been read.
    pub(super) fn full_expr_from(&mut self, left: Expr) -> Parse<Expr> {
        self.height = 1;
        self.operators(left)
    }

    pub(super) fn no_probe(&mut self, expr: Expr) -> Parse<Expr> {
        if has_probe(&expr) {
            let diagnostic = Diagnostic::error(
                expr.span,
                "full, empty, nfull and nempty can be joined by && and || and by nothing else",
            )
            .help("for the negation, write nfull for !full, nempty for !empty, and so on");
            self.report(diagnostic);
        }
        Ok(expr)
    }

    /// The operators and operands after the first operand. What waits for its
    /// right operand is on a stack of its own, not on the program's.
    fn operators(&mut self, mut right: Expr) -> Parse<Expr> {
        let mut waiting: Vec<Waiting> = Vec::new();
        loop {
            let op = self.peek_operator();
            self.reduce(&mut waiting, &mut right, op)?;
            match op {
                None => return Ok(right),
                Some(op) => self.operand(&mut waiting, &mut right, op)?,
            }
        }
    }

    /// Joins what waits and binds at least as tightly as the next operator.
    fn reduce(
        &mut self,
        waiting: &mut Vec<Waiting>,
        right: &mut Expr,
        next: Option<BinaryOp>,
    ) -> Parse<()> {
        let least = next.map_or(0, precedence);
        while waiting.last().is_some_and(|w| precedence(w.op) >= least) {
            let Some(left) = waiting.pop() else { break };
            let operand = std::mem::replace(right, ERROR);
            *right = self.combine(left, operand)?;
        }
        Ok(())
    }

    /// Reads the operand after an operator.
    fn operand(&mut self, waiting: &mut Vec<Waiting>, right: &mut Expr, op: BinaryOp) -> Parse<()> {
        self.bump_operator(op);
        let left = std::mem::replace(right, ERROR);
        let height = self.height;
        waiting.push(Waiting { left, height, op });
        *right = self.unary()?;
        Ok(())
    }

    fn combine(&mut self, waiting: Waiting, mut right: Expr) -> Parse<Expr> {
        let Waiting { mut left, height, op } = waiting;
        if !matches!(op, BinaryOp::And | BinaryOp::Or) {
            left = self.no_probe(left)?;
            right = self.no_probe(right)?;
        }
        self.height = self.height.max(height) + 1;
        self.not_too_high(right.span)?;
        let span = self.sources.join(left.span, right.span);
        let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
        Ok(Expr { span, kind })
    }

    /// The height is bounded, since whatever walks the tree recurs on it.
    fn not_too_high(&mut self, span: Span) -> Parse<()> {
        if self.height <= MAX_EXPRESSION_HEIGHT {
            return Ok(());
        }
        let message = format!("this expression has more than {MAX_EXPRESSION_HEIGHT} levels");
        let reported = self.error(span, message);
        self.stop();
        Err(reported)
    }

    fn peek_operator(&mut self) -> Option<BinaryOp> {
        let formula = self.reader.in_formula;
        let word = match &self.peek().kind {
            TokenKind::Punct(Punct::Arrow) if formula => return Some(BinaryOp::Implies),
            TokenKind::Punct(Punct::Less) if formula => {
                return Some(if self.at_equivalence() {
                    BinaryOp::Equivalent
                } else {
                    BinaryOp::Lt
                });
            }
            TokenKind::Punct(punct) => return operator(*punct),
            TokenKind::Word(word) if formula => word,
            _ => return None,
        };
        Some(match &**word {
            "U" | "until" | "stronguntil" => BinaryOp::Until,
            "W" | "weakuntil" => BinaryOp::WeakUntil,
            "V" | "release" => BinaryOp::Release,
            "implies" => BinaryOp::Implies,
            "equivalent" => BinaryOp::Equivalent,
            _ => return None,
        })
    }

    /// `<->` is read as `<` and `->` with nothing between.
    fn at_equivalence(&mut self) -> bool {
        self.peek();
        self.reader.follows(Punct::Arrow)
    }

    fn bump_operator(&mut self, op: BinaryOp) {
        let token = self.bump();
        if op == BinaryOp::Equivalent && token.is(Punct::Less) {
            self.bump();
        }
    }

    /// An operand with the operators before it.
    fn unary(&mut self) -> Parse<Expr> {
        let before = self.prefixes();
        self.height = 1;
        let operand = self.primary()?;
        if before.is_empty() {
            return Ok(operand);
        }
        self.apply(before, operand)
    }

    fn prefixes(&mut self) -> Vec<(UnaryOp, Span)> {
        let mut before = Vec::new();
        loop {
            let start = self.here();
            match self.prefix() {
                Some(op) => before.push((op, start)),
                None => return before,
            }
        }
    }

    fn apply(&mut self, before: Vec<(UnaryOp, Span)>, mut operand: Expr) -> Parse<Expr> {
        for (op, start) in before.into_iter().rev() {
            operand = self.no_probe(operand)?;
            self.height += 1;
            self.not_too_high(start)?;
            operand =
                Expr { span: self.since(start), kind: ExprKind::Unary(op, Box::new(operand)) };
        }
        Ok(operand)
    }

    fn prefix(&mut self) -> Option<UnaryOp> {
        let formula = self.reader.in_formula;
        self.peek();
        // An array may have the name of an operator.
        let indexed = self.reader.index_follows();
        let (op, tokens) = match &self.peek().kind {
            TokenKind::Punct(Punct::Bang) => (UnaryOp::Not, 1),
            TokenKind::Punct(Punct::Tilde) => (UnaryOp::Complement, 1),
            TokenKind::Punct(Punct::Minus) => (UnaryOp::Negate, 1),
            TokenKind::Punct(Punct::LeftBracket) if formula => {
                if !self.reader.follows(Punct::RightBracket) {
                    return None;
                }
                (UnaryOp::Always, 2)
            }
            TokenKind::Punct(Punct::Less) if formula => {
                if !self.reader.follows(Punct::Greater) {
                    return None;
                }
                (UnaryOp::Eventually, 2)
            }
            TokenKind::Word(word) if formula && !indexed => match &**word {
                "X" | "next" => (UnaryOp::Next, 1),
                "always" => (UnaryOp::Always, 1),
                "eventually" => (UnaryOp::Eventually, 1),
                _ => return None,
            },
            _ => return None,
        };
        for _ in 0..tokens {
            self.bump();
        }
        Some(op)
    }
}
