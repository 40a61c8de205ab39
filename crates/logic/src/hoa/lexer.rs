//! HOA text to tokens.

use crate::error::Error;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name directly followed by a colon.
    Header(String),
    Word(String),
    /// `@name`
    Alias(String),
    Text(String),
    Number(usize),
    Symbol(char),
    Body,
    End,
    Abort,
}

/// The tokens of a text, each with its byte offset, and a place among them.
pub(super) struct Tokens<'a> {
    text: &'a str,
    tokens: Vec<(Token, usize)>,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub fn of(text: &'a str) -> Result<Self, Error> {
        let mut tokens = Vec::new();
        let mut at = 0;
        while let Some(first) = text[at..].chars().next() {
            let rest = &text[at..];
            if first.is_whitespace() {
                at += first.len_utf8();
                continue;
            }
            if rest.starts_with("/*") {
                at = after_comment(text, at)?;
                continue;
            }
            let marker =
                [("--BODY--", Token::Body), ("--END--", Token::End), ("--ABORT--", Token::Abort)];
            let (token, length) = if let Some((marker, token)) =
                marker.into_iter().find(|(marker, _)| rest.starts_with(marker))
            {
                (token, marker.len())
            } else if is_name_start(first) {
                let length = name_length(rest);
                let name = rest[..length].to_owned();
                if rest[length..].starts_with(':') {
                    (Token::Header(name), length + 1)
                } else {
                    (Token::Word(name), length)
                }
            } else if first == '@' {
                let length = name_length(&rest[1..]);
                (Token::Alias(rest[1..=length].to_owned()), length + 1)
            } else if first == '"' {
                quoted(text, at)?
            } else if first.is_ascii_digit() {
                let length = rest.bytes().take_while(u8::is_ascii_digit).count();
                let number = rest[..length]
                    .parse()
                    .map_err(|_| place(text, at, "this number is too large"))?;
                (Token::Number(number), length)
            } else if "!&|()[]{}".contains(first) {
                (Token::Symbol(first), 1)
            } else {
                return Err(place(text, at, &format!("'{first}' cannot stand here")));
            };
            tokens.push((token, at));
            at += length;
        }
        Ok(Self { text, tokens, at: 0 })
    }

    pub fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    pub fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).map(|(token, _)| token.clone());
        self.at += 1;
        token
    }

    /// Takes a symbol if it is the next token.
    pub fn take(&mut self, symbol: char) -> bool {
        let found = self.peek() == Some(&Token::Symbol(symbol));
        self.at += usize::from(found);
        found
    }

    pub fn expect(&mut self, symbol: char) -> Result<(), Error> {
        if self.take(symbol) {
            Ok(())
        } else {
            Err(self.error(&format!("expected '{symbol}'")))
        }
    }

    pub fn number(&mut self, what: &str) -> Result<usize, Error> {
        match self.peek() {
            Some(&Token::Number(number)) => {
                self.at += 1;
                Ok(number)
            }
            _ => Err(self.error(&format!("expected {what}"))),
        }
    }

    /// The byte offset of the next token.
    pub fn offset(&self) -> usize {
        self.tokens.get(self.at).map_or(self.text.len(), |&(_, at)| at)
    }

    /// An error at the next token.
    pub fn error(&self, message: &str) -> Error {
        self.error_at(self.offset(), message)
    }

    pub fn error_at(&self, offset: usize, message: &str) -> Error {
        place(self.text, offset, message)
    }
}

fn place(text: &str, at: usize, message: &str) -> Error {
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    Error::Hoa {
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        message: message.to_owned(),
    }
}

fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn name_length(text: &str) -> usize {
    text.bytes()
        .take_while(|&byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
        .count()
}

/// Comments nest.
fn after_comment(text: &str, start: usize) -> Result<usize, Error> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (start, 0);
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => {
                depth += 1;
                at += 2;
            }
            b"*/" => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return Ok(at);
                }
            }
            _ => at += 1,
        }
    }
    Err(place(text, start, "this comment is never closed"))
}

/// A quoted text and its length in the source.
fn quoted(text: &str, start: usize) -> Result<(Token, usize), Error> {
    let mut content = String::new();
    let mut characters = text[start + 1..].char_indices();
    while let Some((index, c)) = characters.next() {
        match c {
            '"' => return Ok((Token::Text(content), index + 2)),
            '\\' => content.extend(characters.next().map(|(_, c)| c)),
            _ => content.push(c),
        }
    }
    Err(place(text, start, "this quote is never closed"))
}
