//! Going through the tokens.

use super::super::lex::{error_at, Token};
use super::super::names::is_keyword;
use super::super::TextError;
use super::Reader;
use crate::automaton::SourceRef;

/// Expressions and formulas may be nested to this depth.
const MAX_NESTING: usize = 300;

impl Reader<'_> {
    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.at].token
    }

    /// The token after the next.
    pub(super) fn peek_second(&self) -> &Token {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].token
    }

    pub(super) fn is_at_end(&self) -> bool {
        *self.peek() == Token::End
    }

    /// The position of the next token.
    pub(super) fn here(&self) -> usize {
        self.at
    }

    pub(super) fn back_to(&mut self, at: usize) {
        self.at = at;
    }

    pub(super) fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    /// The text between a token and the one before the next.
    pub(super) fn text_since(&self, start: usize) -> String {
        let end = if self.at > start { self.tokens[self.at - 1].end } else { 0 };
        let text = self.text.get(self.tokens[start].start..end).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    pub(super) fn error_at(&self, token: usize, message: impl Into<String>) -> TextError {
        error_at(self.text, self.tokens[token].start, message)
    }

    pub(super) fn unexpected(&self, expected: &str) -> TextError {
        let found = match self.peek() {
            Token::End => "the text ends".to_owned(),
            Token::Word(word) => format!("`{word}` stands here"),
            Token::Number(number) => format!("{number} stands here"),
            Token::Text(_) => "a string stands here".to_owned(),
            Token::Sign(sign) => format!("`{sign}` stands here"),
        };
        self.error_at(self.at, format!("{expected} should follow, and {found}"))
    }

    pub(super) fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(s) if *s == sign)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(w) if w == word)
    }

    pub(super) fn accept(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, sign: &str) -> Result<(), TextError> {
        if self.accept(sign) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{sign}`")))
        }
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<(), TextError> {
        if self.accept_word(word) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{word}`")))
        }
    }

    /// Any word.
    pub(super) fn word(&mut self) -> Result<String, TextError> {
        match self.peek().clone() {
            Token::Word(word) => {
                self.advance();
                Ok(word)
            }
            _ => Err(self.unexpected("a word")),
        }
    }

    /// Whether a name follows.
    pub(super) fn is_name(&self) -> bool {
        match self.peek() {
            Token::Word(word) => !is_keyword(word),
            Token::Text(_) => true,
            _ => false,
        }
    }

    /// A name, in quotes or not.
    pub(super) fn name(&mut self) -> Result<String, TextError> {
        match self.peek().clone() {
            Token::Word(name) | Token::Text(name) if self.is_name() => {
                self.advance();
                Ok(name)
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    pub(super) fn string(&mut self) -> Result<String, TextError> {
        self.accept_string().ok_or_else(|| self.unexpected("a string"))
    }

    pub(super) fn accept_string(&mut self) -> Option<String> {
        let Token::Text(text) = self.peek().clone() else { return None };
        self.advance();
        Some(text)
    }

    /// A number without sign that fits.
    pub(super) fn number<T: TryFrom<u64>>(&mut self) -> Result<T, TextError> {
        let Token::Number(number) = *self.peek() else { return Err(self.unexpected("a number")) };
        let fits = T::try_from(number);
        let fits =
            fits.map_err(|_| self.error_at(self.at, format!("{number} is too large here")))?;
        self.advance();
        Ok(fits)
    }

    /// A number that may be negative.
    pub(super) fn signed(&mut self) -> Result<i32, TextError> {
        let start = self.here();
        let negative = self.accept("-");
        let number: u64 = self.number()?;
        let value = i64::try_from(number).map(|n| if negative { -n } else { n });
        let value = value.ok().and_then(|v| i32::try_from(v).ok());
        value.ok_or_else(|| self.error_at(start, format!("{number} is too large here")))
    }

    pub(super) fn accept_number<T: TryFrom<u64>>(
        &mut self,
        word: &str,
    ) -> Result<Option<T>, TextError> {
        if self.accept_word(word) {
            self.number().map(Some)
        } else {
            Ok(None)
        }
    }

    pub(super) fn comma_separated<T>(
        &mut self,
        item: impl Fn(&mut Self) -> Result<T, TextError>,
    ) -> Result<Vec<T>, TextError> {
        let mut all = vec![item(self)?];
        while self.accept(",") {
            all.push(item(self)?);
        }
        Ok(all)
    }

    /// A list up to a closing sign, which may be empty.
    pub(super) fn list_to<T>(
        &mut self,
        close: &str,
        item: impl Fn(&mut Self) -> Result<T, TextError>,
    ) -> Result<Vec<T>, TextError> {
        let mut all = Vec::new();
        if !self.is_sign(close) {
            all = self.comma_separated(item)?;
        }
        self.expect(close)?;
        Ok(all)
    }

    /// A place in the source, where one is given.
    pub(super) fn source(&mut self) -> Result<SourceRef, TextError> {
        if !self.accept("@") {
            return Ok(SourceRef::default());
        }
        let mut numbers = vec![self.number()?];
        while numbers.len() < 3 && self.accept(":") {
            numbers.push(self.number()?);
        }
        match numbers[..] {
            [line, column] => Ok(SourceRef { file: 0, line, column }),
            [file, line, column] => Ok(SourceRef { file, line, column }),
            _ => Err(self.unexpected("`:` and a column")),
        }
    }

    /// Reads something that is nested in an expression or a formula.
    pub(super) fn nested<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<T, TextError>,
    ) -> Result<T, TextError> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return Err(self.error_at(self.at, format!("nested more than {MAX_NESTING} deep")));
        }
        let result = inner(self);
        self.depth -= 1;
        result
    }
}
