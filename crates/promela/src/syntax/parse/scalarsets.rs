//! Scalarsets: `scalarset(Name, n)`, a type whose values are names that can change places.
//!
//! The word is one like any other unless the model declares something with it. For Spin a header
//! makes it a byte.

use super::{Parse, Parser};
use crate::syntax::ast::TypeKind;
use crate::syntax::keyword::Keyword;
use crate::syntax::token::{Punct, Token};

const SCALARSET: &str = "scalarset";

/// Whether something is declared with the type `scalarset`: the word stands before a parenthesis,
/// and the model has no inline of that name.
pub(super) fn declares_scalarsets(tokens: &[Token]) -> bool {
    let is = |token: &Token, word: &str| token.word().is_some_and(|w| w.as_str() == word);
    let mut declared = false;
    for (k, _) in tokens.iter().enumerate().filter(|(_, t)| is(t, SCALARSET)) {
        let before = k.checked_sub(1).map(|k| &tokens[k]);
        if before.is_some_and(|t| is(t, Keyword::Inline.text())) {
            return false;
        }
        declared |= tokens.get(k + 1).is_some_and(|t| t.is(Punct::LeftParen));
    }
    declared
}

impl Parser<'_> {
    /// Whether the type `scalarset(...)` comes next.
    pub(super) fn at_scalarset_type(&mut self) -> bool {
        self.scalarsets && self.peek().word().is_some_and(|w| w.as_str() == SCALARSET)
    }

    /// `scalarset(Name, n)`
    pub(super) fn scalarset_type(&mut self) -> Parse<TypeKind> {
        self.bump();
        self.expect(Punct::LeftParen)?;
        let name = self.ident("the name of the scalarset")?;
        self.expect(Punct::Comma)?;
        let size = self.const_expr()?;
        self.expect(Punct::RightParen)?;
        Ok(TypeKind::Scalarset(name, Box::new(size)))
    }
}
