//! Tokens to the syntax tree, by recursive descent.
//!
//! There is always a tree. Where something cannot be read, it is reported once
//! and the parser goes on at the next place where it can tell what comes.

mod clusters;
mod decls;
mod exprs;
mod formulas;
mod inlines;
mod items;
mod literals;
mod primary;
mod reader;
mod recover;
mod scalarsets;
mod simple;
mod stmts;
mod timers;

pub(crate) use exprs::{operator, precedence};

use crate::syntax::ast::{Ident, Occurrence, Tree};
use crate::syntax::keyword::Keyword;
use crate::syntax::token::{Punct, Token, TokenKind};
use isospin_source::{Diagnostic, SourceMap, Span};
use reader::{Names, Reader};

/// Statements and parentheses may be nested this deep.
pub const MAX_NESTING: usize = 200;
/// Expressions may be this high as trees.
pub const MAX_EXPRESSION_HEIGHT: usize = 1000;
/// Inlines may call inlines to this depth.
pub const MAX_INLINE_DEPTH: usize = 32;
/// The bodies of inlines, put in for their calls, may have this many tokens.
pub const MAX_INLINE_TOKENS: usize = 1_000_000;
/// After this many errors the parser gives up.
const MAX_ERRORS: usize = 100;

/// Says that the error has been reported.
#[derive(Debug)]
pub(crate) struct Reported;

type Parse<T> = Result<T, Reported>;

/// Reads the tokens of a model, and of the formulas beside it, into a tree; what is wrong goes to
/// `diagnostics`.
pub fn parse_tokens(
    sources: &mut SourceMap,
    tokens: Vec<Token>,
    formulas: Vec<Vec<Token>>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Tree {
    let timed = timers::declares_timers(&tokens);
    let scalarsets = scalarsets::declares_scalarsets(&tokens);
    let mut parser = Parser {
        sources,
        reader: Reader::new(tokens, Names::default()),
        timed,
        scalarsets,
        current: None,
        previous: Span::NONE,
        occurrences: 0,
        diagnostics,
        errors: 0,
        last_error: Span::NONE,
        depth: 0,
        height: 0,
        calls: Vec::new(),
        spliced: 0,
        stopped: false,
        input: "file",
    };
    let mut tree = parser.tree();
    for (position, tokens) in formulas.into_iter().enumerate() {
        tree.formulas.extend(parser.formula(position, tokens));
    }
    tree
}

struct Parser<'a> {
    sources: &'a mut SourceMap,
    reader: Reader,
    /// Whether the model declares timers, so that `timer` is a type.
    timed: bool,
    /// Whether `scalarset` is a type.
    scalarsets: bool,
    current: Option<Token>,
    /// The last token that was consumed.
    previous: Span,
    /// How many names have been read.
    occurrences: u32,
    diagnostics: &'a mut Vec<Diagnostic>,
    errors: usize,
    last_error: Span,
    depth: usize,
    /// The height of the expression that was read last.
    height: usize,
    /// The calls of inlines that are being read, outermost first.
    calls: Vec<inlines::ActiveCall>,
    /// How many tokens the expansion of inlines has made.
    spliced: usize,
    stopped: bool,
    /// What ends where the tokens end.
    input: &'static str,
}

impl Parser<'_> {
    /// The next token. It is read as late as possible, because how it reads
    /// may depend on what the parser has just learnt.
    fn peek(&mut self) -> &Token {
        let reader = &mut self.reader;
        self.current.get_or_insert_with(|| reader.next())
    }

    /// Consumes the next token.
    fn bump(&mut self) -> Token {
        isospin_limits::check();
        let token = match self.current.take() {
            Some(token) => token,
            None => self.reader.next(),
        };
        match token.kind {
            TokenKind::Punct(Punct::LeftParen) => self.reader.parens += 1,
            TokenKind::Punct(Punct::RightParen) => {
                self.reader.parens = self.reader.parens.saturating_sub(1);
            }
            _ => {}
        }
        self.previous = token.span;
        token
    }

    fn at(&mut self, punct: Punct) -> bool {
        self.peek().is(punct)
    }

    fn at_end(&mut self) -> bool {
        self.peek().kind == TokenKind::End
    }

    fn eat(&mut self, punct: Punct) -> bool {
        let found = self.at(punct);
        if found {
            self.bump();
        }
        found
    }

    /// The next token's keyword, if it is one here.
    fn keyword(&mut self) -> Option<Keyword> {
        let in_for = self.reader.in_for;
        let word = self.peek().word()?;
        Keyword::from_word(word).filter(|&k| k != Keyword::In || in_for)
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.keyword() == Some(keyword);
        if found {
            self.bump();
        }
        found
    }

    fn at_separator(&mut self) -> bool {
        self.at(Punct::Semicolon) || self.at(Punct::Arrow)
    }

    /// The place of the next token.
    fn here(&mut self) -> Span {
        self.peek().span
    }

    /// From `start` to the token that was consumed last.
    fn since(&self, start: Span) -> Span {
        self.sources.join(start, self.previous)
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        // A second error at the same place comes from the first.
        if self.stopped || (diagnostic.is_error() && self.last_error == diagnostic.span) {
            return Reported;
        }
        if diagnostic.is_error() {
            self.last_error = diagnostic.span;
        }
        self.errors += usize::from(diagnostic.is_error());
        self.diagnostics.push(diagnostic);
        if self.errors >= MAX_ERRORS {
            self.stop();
        }
        Reported
    }

    fn error(&mut self, span: Span, message: impl Into<String>) -> Reported {
        self.report(Diagnostic::error(span, message))
    }

    /// Reads no further.
    fn stop(&mut self) {
        self.stopped = true;
        self.reader.stop();
        self.current = None;
    }

    /// The next token is not what the grammar allows here.
    fn unexpected(&mut self, wanted: &str) -> Reported {
        let token = self.peek().clone();
        let found = self.describe(&token);
        let message = match &token.kind {
            TokenKind::Unknown('"') => "this string has no end on its line".to_owned(),
            TokenKind::Unknown('\'') => "this character has no closing quote".to_owned(),
            TokenKind::Unknown(c) => format!("character {c:?} has no meaning in Promela"),
            _ => format!("expected {wanted}, found {found}"),
        };
        let mut diagnostic = Diagnostic::error(token.span, message);
        if !matches!(token.kind, TokenKind::Unknown(_)) {
            diagnostic = diagnostic.label(format!("expected {wanted}"));
        }
        self.report(diagnostic)
    }

    fn expect(&mut self, punct: Punct) -> Parse<Token> {
        if self.at(punct) {
            return Ok(self.bump());
        }
        Err(self.unexpected(&format!("`{}`", punct.text())))
    }

    /// A name that is no keyword.
    fn ident(&mut self, wanted: &str) -> Parse<Ident> {
        if self.keyword().is_some() {
            return Err(self.unexpected(wanted));
        }
        match self.peek().kind.clone() {
            TokenKind::Word(name) => {
                let span = self.bump().span;
                self.occurrences += 1;
                Ok(Ident { name, span, occurrence: Occurrence(self.occurrences) })
            }
            _ => Err(self.unexpected(wanted)),
        }
    }

    /// One level of nesting more; every call is paired with a `depth -= 1`.
    fn deeper(&mut self) -> Parse<()> {
        self.depth += 1;
        if self.depth <= MAX_NESTING {
            return Ok(());
        }
        let span = self.here();
        let message = format!("the model is nested more than {MAX_NESTING} levels deep here");
        let reported = self.error(span, message);
        self.stop();
        Err(reported)
    }

    fn describe(&self, token: &Token) -> String {
        match &token.kind {
            TokenKind::End => format!("the end of the {}", self.input),
            TokenKind::Word(word) => match Keyword::from_word(word) {
                Some(_) => format!("keyword `{word}`"),
                None => format!("`{word}`"),
            },
            // A separator that the end of a line stands for has no text.
            TokenKind::Punct(Punct::Semicolon) if token.span.start == token.span.end => {
                "the end of the statement".to_owned()
            }
            _ => format!("`{token}`"),
        }
    }
}
