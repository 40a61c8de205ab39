//! The expression after `#if`.

use crate::operators::binary;
use crate::syntax::parse::{operator, precedence};
use crate::syntax::token::{Punct, Token, TokenKind};
use isospin_model::{BinaryOp, DivisionByZero, UnaryOp};
use isospin_source::{Diagnostic, Span};

/// Parentheses and operators may be nested this deep.
const MAX_DEPTH: usize = 200;

/// The value of the expression; names that are no macros count as 0.
pub(super) fn evaluate(tokens: &[Token], span: Span) -> Result<i64, Box<Diagnostic>> {
    let mut parser = Condition { tokens, at: 0, span, depth: 0 };
    if tokens.is_empty() {
        return Err(parser.error("this condition is empty"));
    }
    let value = parser.ternary(true)?;
    if parser.at < tokens.len() {
        let text = tokens[parser.at].to_string();
        return Err(parser.error(&format!("`{text}` is not expected in this condition")));
    }
    Ok(value)
}

struct Condition<'a> {
    tokens: &'a [Token],
    at: usize,
    span: Span,
    depth: usize,
}

type Value = Result<i64, Box<Diagnostic>>;

impl Condition<'_> {
    fn error(&self, message: &str) -> Box<Diagnostic> {
        let span = self.tokens.get(self.at).map_or(self.span, |t| t.span);
        Box::new(Diagnostic::error(span, message))
    }

    fn eat(&mut self, punct: Punct) -> bool {
        let found = self.tokens.get(self.at).is_some_and(|t| t.is(punct));
        self.at += usize::from(found);
        found
    }

    fn deeper(&mut self) -> Result<(), Box<Diagnostic>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(&format!("this condition is nested more than {MAX_DEPTH} deep")));
        }
        Ok(())
    }

    /// `live` is false where a short circuit makes the value irrelevant.
    fn ternary(&mut self, live: bool) -> Value {
        self.deeper()?;
        let condition = self.binary(0, live)?;
        let value = if self.eat(Punct::Question) {
            let yes = self.ternary(live && condition != 0)?;
            if !self.eat(Punct::Colon) {
                return Err(self.error("expected `:` in this condition"));
            }
            let no = self.ternary(live && condition == 0)?;
            if condition != 0 {
                yes
            } else {
                no
            }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, least: u8, live: bool) -> Value {
        let mut left = self.unary(live)?;
        while let Some(TokenKind::Punct(punct)) = self.tokens.get(self.at).map(|t| &t.kind) {
            let Some(written) = operator(*punct).filter(|&op| precedence(op) >= least) else {
                break;
            };
            let Some(op) = binary(written) else { break };
            self.at += 1;
            let live_right = live && op.decided_by(truth(left)).is_none();
            self.deeper()?;
            let right = self.binary(precedence(written) + 1, live_right)?;
            self.depth -= 1;
            left = match apply(op, left, right) {
                Ok(value) => value,
                Err(DivisionByZero) if !live => 0,
                Err(DivisionByZero) => return Err(self.error("division by zero in this condition")),
            };
        }
        Ok(left)
    }

    fn unary(&mut self, live: bool) -> Value {
        self.deeper()?;
        let value = if self.eat(Punct::Bang) {
            i64::from(UnaryOp::Not.apply(truth(self.unary(live)?)))
        } else if self.eat(Punct::BangBang) {
            i64::from(truth(self.unary(live)?))
        } else if self.eat(Punct::Minus) {
            self.unary(live)?.wrapping_neg()
        } else if self.eat(Punct::Plus) {
            self.unary(live)?
        } else if self.eat(Punct::Tilde) {
            !self.unary(live)?
        } else if self.eat(Punct::LeftParen) {
            let value = self.ternary(live)?;
            if !self.eat(Punct::RightParen) {
                return Err(self.error("expected `)` in this condition"));
            }
            value
        } else {
            self.primary()?
        };
        self.depth -= 1;
        Ok(value)
    }

    fn primary(&mut self) -> Value {
        let Some(token) = self.tokens.get(self.at) else {
            return Err(self.error("this condition ends too early"));
        };
        let value = match &token.kind {
            TokenKind::Number(digits) => self.number(digits),
            TokenKind::Char(text) => text.bytes().last().map(i64::from),
            TokenKind::Word(_) => Some(0),
            _ => None,
        };
        match value {
            Some(value) => {
                self.at += 1;
                Ok(value)
            }
            None => Err(self.error(&format!("`{token}` is not expected in this condition"))),
        }
    }

    /// A number with what is written against it: `0x1F`, `10L`.
    fn number(&mut self, digits: &str) -> Option<i64> {
        let tail = match self.tokens.get(self.at + 1) {
            Some(next) if !next.space_before => next.word().map(|w| w.to_string()),
            _ => None,
        };
        let Some(tail) = tail else {
            return digits.parse().ok();
        };
        self.at += 1;
        let tail = tail.to_ascii_lowercase();
        let hex = tail.strip_prefix('x').filter(|_| digits == "0");
        match hex {
            Some(hex) => i64::from_str_radix(hex.trim_end_matches(['u', 'l']), 16).ok(),
            None if tail.chars().all(|c| c == 'u' || c == 'l') => digits.parse().ok(),
            None => None,
        }
    }
}

/// The value of an operator. Like the preprocessors of C, this one computes with 64 bits where a
/// model has 32, so arithmetic is its own; what truth values and comparisons are, the model says.
fn apply(op: BinaryOp, a: i64, b: i64) -> Result<i64, DivisionByZero> {
    let distance = b as u32;
    Ok(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Subtract => a.wrapping_sub(b),
        BinaryOp::Multiply => a.wrapping_mul(b),
        BinaryOp::Divide | BinaryOp::Modulo if b == 0 => return Err(DivisionByZero),
        BinaryOp::Divide => a.wrapping_div(b),
        BinaryOp::Modulo => a.wrapping_rem(b),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::ShiftLeft => a.wrapping_shl(distance),
        BinaryOp::ShiftRight => a.wrapping_shr(distance),
        BinaryOp::And | BinaryOp::Or => i64::from(op.apply(truth(a), truth(b))?),
        BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual
        | BinaryOp::Equal
        | BinaryOp::NotEqual => i64::from(op.apply(a.cmp(&b) as i32, 0)?),
    })
}

fn truth(value: i64) -> i32 {
    i32::from(value != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn value(text: &str) -> Result<i64, String> {
        let lexed = super::super::lexer::lex(text, 1, &mut HashSet::new(), usize::MAX);
        evaluate(&lexed.tokens, Span::NONE).map_err(|d| d.message)
    }

    #[test]
    fn operators_bind_as_in_c() {
        assert_eq!(value("1 + 2 * 3 == 7 && 1 | 2 ^ 2"), Ok(1));
        assert_eq!(value("10 - 4 - 3"), Ok(3));
        assert_eq!(value("1 << 2 + 1"), Ok(8));
        assert_eq!(value("0 ? 1 : 1 ? 2 : 3"), Ok(2));
        assert_eq!(value("-!0 + ~-1"), Ok(-1));
        assert_eq!(value("!!7"), Ok(1));
    }

    #[test]
    fn there_are_64_bits() {
        assert_eq!(value("2147483647 + 1 > 0"), Ok(1));
        assert_eq!(value("1 << 40 >> 39"), Ok(2));
        assert_eq!(value("0x7fffffffffffffff + 1 < 0"), Ok(1));
    }

    #[test]
    fn small_numbers_are_computed_with_as_in_a_model() {
        for op in BinaryOp::ALL {
            for (a, b) in [(0, 0), (7, 2), (-7, 2), (3, 3), (1, 0), (0, 5), (-1, 31)] {
                let wide = apply(op, i64::from(a), i64::from(b));
                assert_eq!(wide.map(|v| v as i32), op.apply(a, b), "{a} {op:?} {b}");
            }
        }
    }

    #[test]
    fn what_a_short_circuit_leaves_out_may_be_wrong() {
        assert_eq!(value("0 && 1 / 0"), Ok(0));
        assert_eq!(value("1 || 1 / 0"), Ok(1));
        assert_eq!(value("1 / 0"), Err("division by zero in this condition".into()));
    }
}
