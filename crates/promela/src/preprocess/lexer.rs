//! Text to tokens: white space and comments fall away, lines are marked.

use crate::syntax::token::{Punct, Token, TokenKind};
use isospin_limits::check;
use isospin_source::{Diagnostic, Name, Span};
use std::collections::HashSet;

/// The tokens of a file, and what was wrong with its text.
pub(super) struct Lexed {
    pub tokens: Vec<Token>,
    pub diagnostics: Vec<Diagnostic>,
    /// Where the text goes on, if there was no room for all of its tokens.
    pub rest: Option<Span>,
}

/// Splits a file's text into tokens, as many as there is room for. Characters that mean nothing become
/// [`TokenKind::Unknown`]: they may stand where nobody looks at them.
pub(super) fn lex(text: &str, start: u32, names: &mut HashSet<Name>, room: usize) -> Lexed {
    let mut lexer = Lexer {
        text,
        at: 0,
        start,
        names,
        newline: true,
        space: true,
        directive: false,
        tokens: Vec::with_capacity((text.len() / 4).min(1 << 16)),
        diagnostics: Vec::new(),
    };
    if text.starts_with('\u{feff}') {
        lexer.at = '\u{feff}'.len_utf8();
    }
    let mut rest = None;
    while lexer.at < text.len() {
        if lexer.tokens.len() > room {
            rest = Some(lexer.span(lexer.at, lexer.at));
            break;
        }
        lexer.step();
        check();
    }
    Lexed { tokens: lexer.tokens, diagnostics: lexer.diagnostics, rest }
}

/// The one copy of the name.
pub(super) fn intern(names: &mut HashSet<Name>, text: &str) -> Name {
    if let Some(name) = names.get(text) {
        return name.clone();
    }
    let name = Name::from(text);
    names.insert(name.clone());
    name
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    start: u32,
    names: &'a mut HashSet<Name>,
    newline: bool,
    space: bool,
    /// Whether the line starts with `#`.
    directive: bool,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn byte(&self, ahead: usize) -> u8 {
        *self.text.as_bytes().get(self.at + ahead).unwrap_or(&0)
    }

    fn span(&self, from: usize, to: usize) -> Span {
        Span::new(self.start + from as u32, self.start + to as u32)
    }

    fn push(&mut self, kind: TokenKind, from: usize) {
        if self.newline {
            self.directive = kind == TokenKind::Punct(Punct::Hash);
        }
        self.tokens.push(Token {
            kind,
            span: self.span(from, self.at),
            newline_before: self.newline,
            space_before: self.space,
        });
        self.newline = false;
        self.space = false;
    }

    fn step(&mut self) {
        let from = self.at;
        match self.byte(0) {
            b'\n' => {
                self.newline = true;
                self.space = true;
                self.at += 1;
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                self.space = true;
                self.at += 1;
            }
            b'\\' if self.continuation() > 0 => {
                self.space = true;
                self.at += self.continuation();
            }
            b'/' if self.byte(1) == b'/' => self.line_comment(),
            b'/' if self.byte(1) == b'*' => self.block_comment(),
            b'"' => self.quoted(b'"'),
            b'\'' => self.quoted(b'\''),
            b'0'..=b'9' => {
                self.skip_while(|b| b.is_ascii_digit());
                let text = intern(self.names, &self.text[from..self.at]);
                self.push(TokenKind::Number(text), from);
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.skip_while(|b| b.is_ascii_alphanumeric() || b == b'_');
                let text = intern(self.names, &self.text[from..self.at]);
                self.push(TokenKind::Word(text), from);
            }
            _ => match Punct::at_start_of(&self.text.as_bytes()[from..]) {
                Some(punct) => {
                    self.at += punct.text().len();
                    self.push(TokenKind::Punct(punct), from);
                }
                None => self.unknown(),
            },
        }
    }

    fn skip_while(&mut self, test: impl Fn(u8) -> bool) {
        while self.at < self.text.len() && test(self.byte(0)) {
            self.at += 1;
        }
    }

    /// The length of a backslash with the end of line after it, or 0. White
    /// space between them is invisible and does not count.
    fn continuation(&self) -> usize {
        let mut ahead = 1;
        while matches!(self.byte(ahead), b' ' | b'\t' | b'\r') {
            ahead += 1;
        }
        match self.byte(ahead) {
            b'\n' => ahead + 1,
            _ => 0,
        }
    }

    fn unknown(&mut self) {
        let from = self.at;
        let c = self.text[from..].chars().next().unwrap_or('\0');
        self.at += c.len_utf8();
        self.push(TokenKind::Unknown(c), from);
    }

    fn line_comment(&mut self) {
        while self.at < self.text.len() && self.byte(0) != b'\n' {
            let continued = self.byte(0) == b'\\' && self.continuation() > 0;
            self.at += if continued { self.continuation() } else { 1 };
        }
        self.space = true;
    }

    fn block_comment(&mut self) {
        let from = self.at;
        let length = match self.text[from + 2..].find("*/") {
            Some(length) => length + 4,
            None => {
                self.diagnostics.push(
                    Diagnostic::error(self.span(from, from + 2), "this comment has no end")
                        .help("close it with `*/`"),
                );
                self.text.len() - from
            }
        };
        self.at += length;
        self.space = true;
        // A comment over several lines ends the line, except in a directive.
        if (self.newline || !self.directive) && self.text[from..self.at].contains('\n') {
            self.newline = true;
        }
    }

    /// A string or a character; without its end on the line, the quote alone
    /// is a character that means nothing.
    fn quoted(&mut self, quote: u8) {
        let from = self.at;
        let bytes = self.text.as_bytes();
        let mut to = from + 1;
        loop {
            match bytes.get(to) {
                Some(&b) if b == quote => break,
                Some(b'\\') => to += 2,
                Some(b'\n') | None => {
                    self.unknown();
                    return;
                }
                Some(_) => to += 1,
            }
        }
        self.at = to + 1;
        // An escaped character may be more than a byte; the quote itself is not.
        let text = intern(self.names, self.text.get(from + 1..to).unwrap_or(""));
        let kind = if quote == b'"' { TokenKind::Str(text) } else { TokenKind::Char(text) };
        self.push(kind, from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let lexed = lex(text, 1, &mut HashSet::new(), usize::MAX);
        lexed.tokens.iter().map(|t| t.to_string()).collect()
    }

    #[test]
    fn operators_are_as_long_as_they_can_be() {
        assert_eq!(
            texts("a??b!!c++ <<= -> .. ::"),
            ["a", "??", "b", "!!", "c", "++", "<<", "=", "->", "..", "::"]
        );
    }

    #[test]
    fn a_range_of_numbers_is_three_tokens() {
        assert_eq!(texts("1..N"), ["1", "..", "N"]);
    }

    #[test]
    fn comments_and_continued_lines_are_white_space() {
        assert_eq!(texts("a/*x*/b//c\n d \\\n e"), ["a", "b", "d", "e"]);
        let lexed = lex("a \\\n b\nc", 1, &mut HashSet::new(), usize::MAX);
        let newlines: Vec<bool> = lexed.tokens.iter().map(|t| t.newline_before).collect();
        assert_eq!(newlines, [true, false, true]);
    }

    #[test]
    fn an_open_quote_is_a_character_that_means_nothing() {
        assert_eq!(texts("'a' 'b\n\"c"), ["'a'", "'", "b", "\"", "c"]);
    }
}
