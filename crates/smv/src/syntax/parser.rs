//! The parser's state: tokens, the tree so far, and how deep it is.

use isospin_source::{Diagnostic, Span};

use super::lexer::Token;
use super::tree::{Expr, ExprKind, ExprNode, Ident, Temporal, Tree};

/// Expressions are nested at most so deeply.
pub(crate) const MAX_DEPTH: u32 = 20_000;

/// Brackets are nested at most so deeply.
const MAX_NESTING: u32 = 2_000;

/// An error that was reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reported;

pub(super) type Result<T> = std::result::Result<T, Reported>;

pub(super) struct Parser {
    tokens: Vec<(Token, Span)>,
    at: usize,
    pub(super) tree: Tree,
    pub(super) diagnostics: Vec<Diagnostic>,
    nesting: u32,
}

/// Parses a text's tokens; after the first error nothing more is understood.
pub(crate) fn parse(tokens: Vec<(Token, Span)>) -> (Tree, Vec<Diagnostic>) {
    let mut parser =
        Parser { tokens, at: 0, tree: Tree::default(), diagnostics: Vec::new(), nesting: 0 };
    while *parser.peek() != Token::End {
        if parser.module().is_err() {
            break;
        }
    }
    (parser.tree, parser.diagnostics)
}

impl Parser {
    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    pub(super) fn peek_second(&self) -> &Token {
        self.token_at(1)
    }

    /// The token so many places ahead.
    pub(super) fn token_at(&self, ahead: usize) -> &Token {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].0
    }

    pub(super) fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    /// The place of the token before.
    pub(super) fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].1
    }

    pub(super) fn since(&self, start: Span) -> Span {
        Span { start: start.start, end: self.last_span().end.max(start.end), ..start }
    }

    pub(super) fn bump(&mut self) -> Token {
        let token = self.tokens[self.at].0.clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    pub(super) fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(s) if *s == sign)
    }

    pub(super) fn is_keyword(&self, keyword: &str) -> bool {
        matches!(self.peek(), Token::Keyword(k) if *k == keyword)
    }

    pub(super) fn eat(&mut self, sign: &str) -> bool {
        let there = self.is_sign(sign);
        if there {
            self.bump();
        }
        there
    }

    pub(super) fn eat_keyword(&mut self, keyword: &str) -> bool {
        let there = self.is_keyword(keyword);
        if there {
            self.bump();
        }
        there
    }

    pub(super) fn expect(&mut self, sign: &str) -> Result<()> {
        if self.eat(sign) {
            return Ok(());
        }
        self.unexpected(&format!("`{sign}`"))
    }

    pub(super) fn expect_keyword(&mut self, keyword: &str) -> Result<()> {
        if self.eat_keyword(keyword) {
            return Ok(());
        }
        self.unexpected(&format!("`{keyword}`"))
    }

    /// Says that something else was expected here.
    pub(super) fn unexpected<T>(&mut self, expected: &str) -> Result<T> {
        let found = match self.peek() {
            Token::End => "the end of the file".to_owned(),
            Token::Keyword(word) => format!("the reserved word `{word}`"),
            Token::Name(name) => format!("`{name}`"),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::Number(number) => format!("`{number}`"),
            Token::Word { .. } => "a word constant".to_owned(),
        };
        let span = self.span();
        let message = format!("expected {expected}, found {found}");
        self.diagnostics.push(Diagnostic::error(span, message));
        Err(Reported)
    }

    pub(super) fn fail<T>(&mut self, span: Span, message: impl Into<String>) -> Result<T> {
        self.diagnostics.push(Diagnostic::error(span, message));
        Err(Reported)
    }

    pub(super) fn ident(&mut self, expected: &str) -> Result<Ident> {
        let span = self.span();
        if let Token::Name(text) = self.peek() {
            let text = text.clone();
            self.bump();
            return Ok(Ident { text, span });
        }
        self.unexpected(expected)
    }

    /// Runs something one level deeper.
    pub(super) fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.nesting == MAX_NESTING {
            let span = self.span();
            return self.fail(span, "this is nested too deeply");
        }
        self.nesting += 1;
        let result = inner(self);
        self.nesting -= 1;
        result
    }

    /// Adds an expression to the tree.
    pub(super) fn add(&mut self, kind: ExprKind, span: Span) -> Result<Expr> {
        let mut temporal = Temporal::default();
        let mut depth = 0;
        let mut visit = |expr: &Expr| {
            let node = self.tree.node(*expr);
            temporal.branching |= node.temporal.branching;
            temporal.linear |= node.temporal.linear;
            depth = depth.max(node.depth);
        };
        match &kind {
            ExprKind::Dot(a, _) | ExprKind::Unary(_, a) | ExprKind::Next(a) => visit(a),
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Range(a, b) => {
                visit(a);
                visit(b);
            }
            ExprKind::Slice(a, b, c) | ExprKind::Choose(a, b, c) => {
                [a, b, c].into_iter().for_each(visit);
            }
            ExprKind::Case(branches) => branches.iter().for_each(|(c, v)| {
                visit(c);
                visit(v);
            }),
            ExprKind::Set(list)
            | ExprKind::Array(list)
            | ExprKind::Call(_, list)
            | ExprKind::Temporal(_, list, _) => list.iter().for_each(visit),
            _ => {}
        }
        if let ExprKind::Temporal(operator, _, _) = &kind {
            let linear = matches!(
                *operator,
                "X" | "F" | "G" | "U" | "V" | "Y" | "Z" | "H" | "O" | "S" | "T"
            );
            temporal.linear |= linear;
            temporal.branching |= !linear;
        }
        let depth = depth + 1;
        if depth > MAX_DEPTH {
            return self.fail(span, "this expression is nested too deeply");
        }
        self.tree.exprs.push(ExprNode { kind, span, temporal, depth });
        Ok(Expr(self.tree.exprs.len() as u32 - 1))
    }
}
