//! Formulas: in `ltl` blocks of the model, and beside it.

use super::reader::Reader;
use super::{Parse, Parser};
use crate::preprocess::formula_name;
use crate::syntax::ast::{Expr, Ident, Ltl, Occurrence};
use crate::syntax::token::{Punct, Token, TokenKind};
use isospin_source::Span;

impl Parser<'_> {
    /// `ltl name { formula }`
    pub(super) fn ltl(&mut self) -> Parse<Ltl> {
        let start = self.bump().span;
        let name =
            if self.at(Punct::LeftBrace) { None } else { Some(self.ident("a name or `{`")?) };
        self.expect(Punct::LeftBrace)?;
        let tokens = self.reader.up_to_brace();
        let formula = self.temporal(|parser| parser.expect(Punct::RightBrace).map(drop))?;
        Ok(Ltl { span: self.since(start), name, formula, tokens })
    }

    /// A formula beside the model: these tokens, all of them, and nothing else. The names that the
    /// grammar knows are those of the model.
    pub(super) fn formula(&mut self, position: usize, tokens: Vec<Token>) -> Option<Ltl> {
        if self.stopped {
            return None;
        }
        let tokens = split_negations(tokens);
        let start = tokens.first().map_or(Span::NONE, |t| t.span);
        let names = std::mem::take(&mut self.reader.names);
        self.reader = Reader::new(tokens.clone(), names);
        self.current = None;
        self.previous = start;
        self.depth = 0;
        self.input = "formula";
        let formula = self.temporal(|parser| {
            if parser.at_end() {
                return Ok(());
            }
            Err(parser.unexpected("an operator or the end of the formula"))
        });
        let span = self.since(start);
        self.occurrences += 1;
        let occurrence = Occurrence(self.occurrences);
        let name = Ident { name: formula_name(position).into(), span, occurrence };
        Some(Ltl { span, name: Some(name), formula: formula.ok()?, tokens })
    }

    /// A formula, a separator that may follow it, and its end.
    fn temporal(&mut self, end: impl FnOnce(&mut Self) -> Parse<()>) -> Parse<Expr> {
        self.reader.in_formula = true;
        let formula = self.full_expr();
        if formula.is_ok() && self.at_separator() {
            self.bump();
        }
        let formula = formula.and_then(|formula| {
            end(self)?;
            Ok(formula)
        });
        self.reader.in_formula = false;
        formula
    }
}

/// Nothing is sent in a formula: `!!` is a negation of a negation there.
fn split_negations(tokens: Vec<Token>) -> Vec<Token> {
    let mut split = Vec::with_capacity(tokens.len());
    for token in tokens {
        if !token.is(Punct::BangBang) {
            split.push(token);
            continue;
        }
        let middle = token.span.start + 1;
        let kind = TokenKind::Punct(Punct::Bang);
        let first = Span { end: middle, ..token.span };
        let second = Span { start: middle, ..token.span };
        split.push(Token { kind: kind.clone(), span: first, ..token });
        split.push(Token { kind, span: second, newline_before: false, space_before: false });
    }
    split
}
