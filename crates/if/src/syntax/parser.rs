//! The parser's machinery: where it stands, what it expects, how it recovers.

use isospin_source::{Diagnostic, Span};

use super::ast::{Expr, Ident, System};
use super::lexer::{lex, Token};

/// Nesting deeper than this is refused: nothing here may run out of stack.
const MAX_DEPTH: u32 = 200;

/// So many operators may stand in one statement.
const MAX_OPERATORS: u32 = 2000;

/// Words that are no names.
const KEYWORDS: &[&str] = &[
    "system",
    "endsystem",
    "const",
    "type",
    "var",
    "procedure",
    "endprocedure",
    "resource",
    "signal",
    "signalroute",
    "priorityrule",
    "process",
    "endprocess",
    "state",
    "endstate",
    "enum",
    "endenum",
    "range",
    "record",
    "endrecord",
    "array",
    "string",
    "tree",
    "abstract",
    "endabstract",
    "of",
    "public",
    "private",
    "from",
    "to",
    "with",
    "if",
    "then",
    "else",
    "endif",
    "while",
    "do",
    "endwhile",
    "fpar",
    "in",
    "inout",
    "out",
    "returns",
    "tpc",
    "save",
    "exists",
    "forall",
    "deadline",
    "priority",
    "acquire",
    "release",
    "provided",
    "when",
    "input",
    "skip",
    "informal",
    "task",
    "set",
    "reset",
    "output",
    "via",
    "fork",
    "kill",
    "call",
    "nextstate",
    "stop",
    "and",
    "or",
    "not",
    "active",
    "timeval",
    "length",
    "true",
    "false",
    "self",
    "nil",
    "void",
];

/// What could not be read has been complained about.
pub(super) struct Wrong;

pub(super) type Read<T> = Result<T, Wrong>;

pub(super) struct Parser<'d> {
    tokens: Vec<(Token, Span)>,
    at: usize,
    depth: u32,
    /// How many operators there were since the last semicolon.
    operators: u32,
    pub(super) errors: &'d mut Vec<Diagnostic>,
}

/// Parses a system that starts at `start` among all sources.
pub fn parse(text: &str, start: u32, errors: &mut Vec<Diagnostic>) -> System {
    let tokens = lex(text, start, errors);
    Parser { tokens, at: 0, depth: 0, operators: 0, errors }.system()
}

/// Parses an expression, as it stands in a property.
pub fn parse_expression(text: &str, start: u32, errors: &mut Vec<Diagnostic>) -> Option<Expr> {
    let tokens = lex(text, start, errors);
    let mut parser = Parser { tokens, at: 0, depth: 0, operators: 0, errors };
    let expr = parser.expr().ok()?;
    if *parser.peek() != Token::End {
        parser.expected("the end of the expression");
        return None;
    }
    Some(expr)
}

impl Parser<'_> {
    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    pub(super) fn peek_at(&self, ahead: usize) -> &Token {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.at + ahead).min(last)].0
    }

    pub(super) fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    /// Where the last token stood.
    pub(super) fn before(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].1
    }

    pub(super) fn since(&self, start: Span) -> Span {
        Span { end: self.before().end.max(start.end), ..start }
    }

    pub(super) fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(w) if w == word)
    }

    pub(super) fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(s) if *s == sign)
    }

    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn accept(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.advance();
        }
        found
    }

    /// Complains that something else stands here than was expected.
    pub(super) fn expected(&mut self, what: &str) -> Wrong {
        let found = match self.peek() {
            Token::Word(word) => format!("`{word}`"),
            Token::Number(n) => format!("`{n}`"),
            Token::Real => "a number with a fraction".to_owned(),
            Token::Text(_) => "text".to_owned(),
            Token::Option(option) => format!("`#{option}`"),
            Token::Code => "C text".to_owned(),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end of the text".to_owned(),
        };
        let mut error = Diagnostic::error(self.span(), format!("expected {what}, found {found}"));
        if let Token::Word(word) = self.peek() {
            let quoted: Vec<&str> = what.split('`').skip(1).step_by(2).collect();
            error = error.did_you_mean(word, quoted.into_iter());
        }
        self.errors.push(error);
        Wrong
    }

    pub(super) fn expect(&mut self, sign: &str) -> Read<()> {
        if self.accept(sign) {
            return Ok(());
        }
        Err(self.expected(&format!("`{sign}`")))
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Read<()> {
        if self.accept_word(word) {
            return Ok(());
        }
        Err(self.expected(&format!("`{word}`")))
    }

    /// A semicolon. One that is missing is complained about, and taken to be there.
    pub(super) fn semicolon(&mut self) {
        self.operators = 0;
        if !self.accept(";") {
            let error = Diagnostic::error(self.before().after(), "a semicolon is missing here");
            self.errors.push(error);
        }
    }

    pub(super) fn ident(&mut self, what: &str) -> Read<Ident> {
        match self.peek() {
            Token::Word(word) if !KEYWORDS.contains(&word.as_str()) => {
                let ident = Ident { name: word.clone(), span: self.span() };
                self.advance();
                Ok(ident)
            }
            _ => Err(self.expected(what)),
        }
    }

    pub(super) fn idents(&mut self, what: &str) -> Read<Vec<Ident>> {
        let mut all = vec![self.ident(what)?];
        while self.accept(",") {
            all.push(self.ident(what)?);
        }
        Ok(all)
    }

    /// The options that stand here.
    pub(super) fn options(&mut self) -> Vec<Ident> {
        let mut all = Vec::new();
        while let Token::Option(option) = self.peek() {
            all.push(Ident { name: option.clone(), span: self.span() });
            self.advance();
        }
        all
    }

    /// Reads something that may contain more of its kind.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        isospin_limits::check();
        if self.depth >= MAX_DEPTH {
            let message = format!("this is nested more than {MAX_DEPTH} levels deep");
            self.errors.push(Diagnostic::error(self.span(), message));
            return Err(Wrong);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Counts an operator: expressions are walked without looking at the stack.
    pub(super) fn count_operator(&mut self) -> Read<()> {
        self.operators += 1;
        if self.operators > MAX_OPERATORS {
            let message = format!("there are more than {MAX_OPERATORS} operators in one statement");
            self.errors.push(Diagnostic::error(self.span(), message));
            return Err(Wrong);
        }
        Ok(())
    }

    /// Goes on after the next semicolon, or before one of these words.
    pub(super) fn recover(&mut self, words: &[&str]) {
        loop {
            match self.peek() {
                Token::End => return,
                Token::Word(word) if words.contains(&word.as_str()) => return,
                Token::Sign(";") => return self.advance(),
                _ => self.advance(),
            }
        }
    }
}
