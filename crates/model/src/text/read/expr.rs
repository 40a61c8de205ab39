//! Expressions.

use super::super::lex::Token;
use super::super::names::precedence;
use super::super::TextError;
use super::{Reader, Scope};
use crate::action::ReceiveArg;
use crate::expr::{BinaryOp, Expr, UnaryOp};
use crate::ids::ProcTypeId;

impl Reader<'_> {
    pub(super) fn expr(&mut self, scope: Scope) -> Result<Expr, TextError> {
        // What stands to the left of operators that bind less tightly than what is being read.
        let mut waiting: Vec<(Expr, BinaryOp)> = Vec::new();
        let mut current = self.unary(scope)?;
        loop {
            let op = self.binary_operator();
            // Operators that bind as tightly are applied from left to right.
            let tight = op.map_or(0, precedence);
            while waiting.last().is_some_and(|(_, before)| precedence(*before) >= tight) {
                let Some((left, before)) = waiting.pop() else { break };
                current = Expr::binary(before, left, current);
            }
            let Some(op) = op else { return Ok(current) };
            self.advance();
            waiting.push((current, op));
            current = self.unary(scope)?;
        }
    }

    fn binary_operator(&self) -> Option<BinaryOp> {
        let Token::Sign(sign) = self.peek() else { return None };
        BinaryOp::ALL.into_iter().find(|op| op.symbol() == *sign)
    }

    /// The operator that follows; a sign in front of a number is part of it.
    fn unary_operator(&self) -> Option<UnaryOp> {
        let Token::Sign(sign) = self.peek() else { return None };
        let op = UnaryOp::ALL.into_iter().find(|op| op.symbol() == *sign)?;
        let number = matches!(self.peek_second(), Token::Number(_));
        (op != UnaryOp::Negate || !number).then_some(op)
    }

    fn unary(&mut self, scope: Scope) -> Result<Expr, TextError> {
        let mut operators = Vec::new();
        while let Some(op) = self.unary_operator() {
            self.advance();
            operators.push(op);
        }
        let operand = self.operand(scope)?;
        Ok(operators.into_iter().rev().fold(operand, |e, op| Expr::unary(op, e)))
    }

    /// An expression without operators around it.
    pub(super) fn operand(&mut self, scope: Scope) -> Result<Expr, TextError> {
        if matches!(self.peek(), Token::Number(_)) || self.is_sign("-") {
            return self.signed().map(Expr::Const);
        }
        if self.accept("&") {
            return self.channel_id(scope);
        }
        if self.accept("(") {
            return self.nested(|me| me.parenthesised(scope));
        }
        if self.is_name() || self.is_sign("::") {
            return self.place_or_location(scope);
        }
        let start = self.here();
        let Token::Word(word) = self.peek().clone() else {
            return Err(self.unexpected("an expression"));
        };
        self.advance();
        Ok(match word.as_str() {
            "timeout" => Expr::Timeout,
            "np_" => Expr::NonProgress,
            "_pid" => Expr::Pid,
            "_nr_pr" => Expr::ProcessCount,
            "_last" => Expr::Last,
            "len" => Expr::Len(self.argument(scope)?),
            "full" => Expr::Full(self.argument(scope)?),
            "empty" => Expr::Empty(self.argument(scope)?),
            "enabled" => Expr::Enabled(self.argument(scope)?),
            "pc_value" => Expr::PcValue(self.argument(scope)?),
            "priority" => Expr::Priority(self.argument(scope)?),
            "channel" => self.numbered_channel(scope)?,
            "poll" => self.poll(scope)?,
            "run" => self.run(scope)?,
            _ => {
                self.back_to(start);
                return Err(self.unexpected("an expression"));
            }
        })
    }

    /// What follows `(`.
    fn parenthesised(&mut self, scope: Scope) -> Result<Expr, TextError> {
        let expr = if self.accept_word("if") {
            let condition = Box::new(self.expr(scope)?);
            self.expect_word("then")?;
            let then = Box::new(self.expr(scope)?);
            self.expect_word("else")?;
            let otherwise = Box::new(self.expr(scope)?);
            Expr::Conditional(condition, then, otherwise)
        } else {
            self.expr(scope)?
        };
        self.expect(")")?;
        Ok(expr)
    }

    fn argument(&mut self, scope: Scope) -> Result<Box<Expr>, TextError> {
        self.expect("(")?;
        let expr = self.nested(|me| me.expr(scope))?;
        self.expect(")")?;
        Ok(Box::new(expr))
    }

    /// Expressions between parentheses.
    pub(super) fn arguments(&mut self, scope: Scope) -> Result<Vec<Expr>, TextError> {
        self.expect("(")?;
        self.nested(|me| me.list_to(")", |me| me.expr(scope)))
    }

    fn poll(&mut self, scope: Scope) -> Result<Expr, TextError> {
        let random = self.accept_word("any");
        self.expect("(")?;
        let channel = Box::new(self.nested(|me| me.expr(scope))?);
        let mut pattern = Vec::new();
        while self.accept(",") {
            pattern.push(self.nested(|me| me.pattern(scope))?);
        }
        self.expect(")")?;
        Ok(Expr::Poll { channel, pattern, random })
    }

    /// What a field must be, or where it goes.
    pub(super) fn pattern(&mut self, scope: Scope) -> Result<ReceiveArg, TextError> {
        Ok(if self.accept_word("_") {
            ReceiveArg::Ignore
        } else if self.accept_word("eval") {
            ReceiveArg::Match(*self.argument(scope)?)
        } else if matches!(self.peek(), Token::Number(_)) || self.is_sign("-") {
            ReceiveArg::Match(Expr::Const(self.signed()?))
        } else {
            ReceiveArg::Store(self.place(scope)?)
        })
    }

    fn run(&mut self, scope: Scope) -> Result<Expr, TextError> {
        let proctype = ProcTypeId::at(self.proctype()?);
        let args = self.arguments(scope)?;
        let priority = self.accept_number("priority")?.unwrap_or(1);
        Ok(Expr::Run { proctype, args, priority })
    }
}
