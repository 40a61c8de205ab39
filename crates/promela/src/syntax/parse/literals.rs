//! Numbers, characters and strings.

use super::{Parse, Parser};
use crate::lints;
use crate::syntax::ast::{Const, Str};
use crate::syntax::keyword::Keyword;
use crate::syntax::token::TokenKind;
use isospin_source::{Diagnostic, Name, Span};

impl Parser<'_> {
    /// A constant as written, if the next token is one.
    pub(super) fn constant(&mut self) -> Option<(Const, Span)> {
        let constant = match self.peek().kind.clone() {
            TokenKind::Number(digits) => Const::Int(self.number(&digits)),
            TokenKind::Char(text) => Const::Char(self.character(&text)),
            TokenKind::Word(word) => match Keyword::from_word(&word)? {
                Keyword::True => Const::True,
                Keyword::False => Const::False,
                Keyword::Skip => Const::Skip,
                _ => return None,
            },
            _ => return None,
        };
        Some((constant, self.bump().span))
    }

    /// The value of a number; Spin wraps what does not fit an int.
    fn number(&mut self, digits: &Name) -> i32 {
        let value = digits.parse::<i64>().unwrap_or(i64::MAX);
        let wrapped = value as i32;
        if i64::from(wrapped) != value {
            let span = self.here();
            let message = format!("{digits} does not fit an int and is read as {wrapped}");
            self.report(Diagnostic::warning(lints::CONSTANT_OUT_OF_RANGE, span, message));
        }
        wrapped
    }

    fn character(&mut self, text: &Name) -> u8 {
        match text.as_bytes() {
            [b'\\', b'n'] => b'\n',
            [b'\\', b'r'] => b'\r',
            [b'\\', b't'] => b'\t',
            [b'\\', b'f'] => 0x0c,
            [b'\\', c] if c.is_ascii() => *c,
            [c] if c.is_ascii() && *c != b'\\' => *c,
            _ => {
                let span = self.here();
                self.error(span, "a character constant is one ASCII character between quotes");
                0
            }
        }
    }

    /// A string literal.
    pub(super) fn string(&mut self) -> Parse<Str> {
        match self.peek().kind.clone() {
            TokenKind::Str(text) => {
                let span = self.bump().span;
                Ok(Str { span, text })
            }
            _ => Err(self.unexpected("a string")),
        }
    }
}
