//! The expression after `#if`.

use crate::syntax::token::{Punct, Token, TokenKind};
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
        while let Some(TokenKind::Punct(operator)) = self.tokens.get(self.at).map(|t| &t.kind) {
            let operator = *operator;
            let Some(level) = level(operator).filter(|&l| l >= least) else {
                break;
            };
            self.at += 1;
            let live_right = live
                && match operator {
                    Punct::AndAnd => left != 0,
                    Punct::OrOr => left == 0,
                    _ => true,
                };
            self.deeper()?;
            let right = self.binary(level + 1, live_right)?;
            self.depth -= 1;
            left = match apply(operator, left, right) {
                Some(value) => value,
                None if !live => 0,
                None => return Err(self.error("division by zero in this condition")),
            };
        }
        Ok(left)
    }

    fn unary(&mut self, live: bool) -> Value {
        self.deeper()?;
        let value = if self.eat(Punct::Bang) {
            i64::from(self.unary(live)? == 0)
        } else if self.eat(Punct::BangBang) {
            i64::from(self.unary(live)? != 0)
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

fn level(operator: Punct) -> Option<u8> {
    Some(match operator {
        Punct::OrOr => 0,
        Punct::AndAnd => 1,
        Punct::Bar => 2,
        Punct::Caret => 3,
        Punct::Ampersand => 4,
        Punct::Equal | Punct::NotEqual => 5,
        Punct::Less | Punct::LessEqual | Punct::Greater | Punct::GreaterEqual => 6,
        Punct::ShiftLeft | Punct::ShiftRight => 7,
        Punct::Plus | Punct::Minus => 8,
        Punct::Star | Punct::Slash | Punct::Percent => 9,
        _ => return None,
    })
}

/// `None` for a division by zero.
fn apply(operator: Punct, a: i64, b: i64) -> Option<i64> {
    let shift = (b & 63) as u32;
    Some(match operator {
        Punct::OrOr => i64::from(a != 0 || b != 0),
        Punct::AndAnd => i64::from(a != 0 && b != 0),
        Punct::Bar => a | b,
        Punct::Caret => a ^ b,
        Punct::Ampersand => a & b,
        Punct::Equal => i64::from(a == b),
        Punct::NotEqual => i64::from(a != b),
        Punct::Less => i64::from(a < b),
        Punct::LessEqual => i64::from(a <= b),
        Punct::Greater => i64::from(a > b),
        Punct::GreaterEqual => i64::from(a >= b),
        Punct::ShiftLeft => a.wrapping_shl(shift),
        Punct::ShiftRight => a.wrapping_shr(shift),
        Punct::Plus => a.wrapping_add(b),
        Punct::Minus => a.wrapping_sub(b),
        Punct::Star => a.wrapping_mul(b),
        Punct::Slash if b != 0 => a.wrapping_div(b),
        Punct::Percent if b != 0 => a.wrapping_rem(b),
        _ => return None,
    })
}
