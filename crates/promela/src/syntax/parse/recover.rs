//! Going on after an error.

use super::Parser;
use crate::syntax::keyword::Keyword;
use crate::syntax::token::{Punct, TokenKind};

impl Parser<'_> {
    /// Skips to where the statement can be taken to end: a separator, the end
    /// of the block or branch around it, or something of the outermost level.
    pub(super) fn skip_statement(&mut self) {
        self.reader.parens = 0;
        let mut braces = 0usize;
        let mut choices = 0usize;
        loop {
            if self.at_end() {
                return;
            }
            let nested = braces + choices > 0;
            match self.keyword() {
                Some(Keyword::Proctype | Keyword::Init | Keyword::Never | Keyword::Typedef) => {
                    return
                }
                Some(Keyword::If | Keyword::Do) => choices += 1,
                Some(Keyword::Fi | Keyword::Od) if choices == 0 => return,
                Some(Keyword::Fi | Keyword::Od) => choices -= 1,
                _ => match self.peek().kind {
                    TokenKind::Punct(Punct::LeftBrace) => braces += 1,
                    TokenKind::Punct(Punct::RightBrace) if braces == 0 => return,
                    TokenKind::Punct(Punct::RightBrace) => {
                        braces -= 1;
                        if braces + choices == 0 {
                            self.bump();
                            return;
                        }
                    }
                    TokenKind::Punct(Punct::Semicolon | Punct::Arrow | Punct::DoubleColon)
                        if !nested =>
                    {
                        return
                    }
                    _ => {}
                },
            }
            self.bump();
            // Skipped parentheses need not be in pairs.
            self.reader.parens = 0;
        }
    }

    /// Skips to where something of the outermost level can start.
    pub(super) fn skip_item(&mut self) {
        self.reader.in_body = false;
        self.reader.in_formula = false;
        self.reader.in_for = false;
        self.calls.clear();
        let mut braces = 0usize;
        loop {
            if self.at_end() {
                break;
            }
            let nested = braces > 0 || self.reader.parens > 0;
            match self.keyword() {
                Some(
                    Keyword::Proctype
                    | Keyword::DProctype
                    | Keyword::Active
                    | Keyword::Init
                    | Keyword::Never
                    | Keyword::Typedef
                    | Keyword::Inline
                    | Keyword::Ltl,
                ) => break,
                // A type between parentheses is a parameter's.
                Some(k) if !nested && super::decls::starts_type(k) => break,
                _ => {}
            }
            match self.bump().kind {
                TokenKind::Punct(Punct::LeftBrace) => braces += 1,
                TokenKind::Punct(Punct::RightBrace) => {
                    braces = braces.saturating_sub(1);
                    if braces == 0 {
                        break;
                    }
                }
                TokenKind::Punct(Punct::Semicolon) if !nested => break,
                _ => {}
            }
        }
        self.reader.parens = 0;
    }
}
