//! Tokens. Keywords are names that the parser knows; an option begins with `#` and runs to the next
//! blank, so that `#start ;` needs its blank.

use isospin_source::{Diagnostic, Span};

/// What a token is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    /// A name or a keyword.
    Word(String),
    /// A whole number.
    Number(i64),
    /// A number with a fraction.
    Real,
    /// Text between quotation marks.
    Text(String),
    /// `#start`, `#delay[1,2]` and the like, without the `#`.
    Option(String),
    /// C text between `{#` and `#}`.
    Code,
    /// An operator or a separator.
    Sign(&'static str),
    /// The end of the text.
    End,
}

/// Longer ones first.
const SIGNS: &[&str] = &[
    ":=", "<=", ">=", "<>", "..", "&&", "||", "->", "<", ">", "=", "+", "-", "*", "/", "%", "^",
    "?", ":", ";", ",", ".", "(", ")", "[", "]", "{", "}", "@", "!",
];

/// The tokens of a text that starts at `start` among all sources.
pub(crate) fn lex(text: &str, start: u32, errors: &mut Vec<Diagnostic>) -> Vec<(Token, Span)> {
    let mut lexer = Lexer { bytes: text.as_bytes(), text, at: 0, start, errors };
    let mut tokens = Vec::new();
    loop {
        isospin_limits::check();
        lexer.skip_blanks();
        let from = lexer.at;
        let token = lexer.token();
        let end = token == Some(Token::End);
        if let Some(token) = token {
            tokens.push((token, lexer.span(from)));
        }
        if end {
            return tokens;
        }
    }
}

struct Lexer<'t> {
    bytes: &'t [u8],
    text: &'t str,
    at: usize,
    start: u32,
    errors: &'t mut Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn span(&self, from: usize) -> Span {
        Span::new(self.start + from as u32, self.start + self.at as u32)
    }

    fn rest(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn run(&mut self, test: impl Fn(u8) -> bool) {
        while self.at < self.bytes.len() && test(self.bytes[self.at]) {
            self.at += 1;
        }
    }

    fn skip_blanks(&mut self) {
        loop {
            self.run(|b| b.is_ascii_whitespace());
            if self.rest().starts_with(b"//") {
                self.run(|b| b != b'\n');
            } else if self.rest().starts_with(b"/*") {
                let from = self.at;
                match self.text[self.at + 2..].find("*/") {
                    Some(end) => self.at += end + 4,
                    None => {
                        self.at = self.bytes.len();
                        let span =
                            Span::new(self.start + from as u32, self.start + from as u32 + 2);
                        self.errors.push(Diagnostic::error(span, "the comment does not end"));
                    }
                }
            } else {
                return;
            }
        }
    }

    /// The next token; `None` for what is none, and has been complained about.
    fn token(&mut self) -> Option<Token> {
        let from = self.at;
        match self.peek(0) {
            _ if self.at >= self.bytes.len() => Some(Token::End),
            b if b.is_ascii_alphabetic() || b == b'_' => {
                self.run(|b| b.is_ascii_alphanumeric() || b == b'_');
                Some(Token::Word(self.text[from..self.at].to_owned()))
            }
            b if b.is_ascii_digit() => Some(self.number()),
            b'"' => Some(self.quoted()),
            b'#' => Some(self.option()),
            b'{' if self.peek(1) == b'#' => Some(self.code()),
            _ => {
                let sign = SIGNS.iter().find(|s| self.rest().starts_with(s.as_bytes()));
                if let Some(sign) = sign {
                    self.at += sign.len();
                    return Some(Token::Sign(sign));
                }
                let c = self.text[self.at..].chars().next().unwrap_or(' ');
                self.at += c.len_utf8();
                let message = format!(
                    "`{}` means nothing here",
                    isospin_source::visible(c.encode_utf8(&mut [0; 4]))
                );
                let span = self.span(from);
                self.errors.push(Diagnostic::error(span, message));
                None
            }
        }
    }

    fn number(&mut self) -> Token {
        let from = self.at;
        self.run(|b| b.is_ascii_digit());
        if self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
            self.at += 1;
            self.run(|b| b.is_ascii_digit());
            return Token::Real;
        }
        let value = self.text[from..self.at].parse::<i64>().ok();
        match value.filter(|v| *v <= i64::from(i32::MAX) + 1) {
            Some(value) => Token::Number(value),
            None => {
                let span = self.span(from);
                let message = "the number is too large: integers have 32 bits";
                self.errors.push(Diagnostic::error(span, message));
                Token::Number(0)
            }
        }
    }

    fn quoted(&mut self) -> Token {
        let from = self.at;
        self.at += 1;
        self.run(|b| b != b'"' && b != b'\n');
        let text = self.text[from + 1..self.at].to_owned();
        if self.peek(0) == b'"' {
            self.at += 1;
        } else {
            let span = self.span(from);
            self.errors.push(Diagnostic::error(span, "the text does not end on its line"));
        }
        Token::Text(text)
    }

    fn option(&mut self) -> Token {
        let from = self.at;
        // Blanks between the brackets of `#delay[1, 2]` are part of it.
        let mut depth = 0;
        while self.at < self.bytes.len() {
            match self.bytes[self.at] {
                b'[' => depth += 1,
                b']' => depth -= 1,
                b'\n' => break,
                b if b.is_ascii_whitespace() && depth <= 0 => break,
                _ => {}
            }
            self.at += 1;
        }
        let mut word: String =
            self.text[from + 1..self.at].chars().filter(|c| !c.is_whitespace()).collect();
        if let Some(bare) = word.strip_suffix(';') {
            let message = format!("the option `#{word}` needs a blank before the semicolon");
            word = bare.to_owned();
            self.at -= 1;
            let span = self.span(from);
            self.errors.push(
                Diagnostic::error(span, message)
                    .help(format!("an option runs to the next blank: write `#{word} ;`")),
            );
        }
        Token::Option(word)
    }

    fn code(&mut self) -> Token {
        let from = self.at;
        match self.text[self.at..].find("#}") {
            Some(end) => self.at += end + 2,
            None => {
                self.at = self.bytes.len();
                let span = Span::new(self.start + from as u32, self.start + from as u32 + 2);
                self.errors.push(Diagnostic::error(span, "the C text does not end"));
            }
        }
        Token::Code
    }
}
