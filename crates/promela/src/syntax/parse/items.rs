//! What stands at the outermost level.

use super::decls::Declared;
use super::{Parse, Parser};
use crate::syntax::ast::{
    Active, Block, EmbeddedC, EmbeddedKind, Init, Item, Never, Proctype, Trace, Tree, VarDecl,
};
use crate::syntax::keyword::Keyword;
use crate::syntax::token::{Punct, Token, TokenKind};
use isospin_source::{Diagnostic, Span};

impl Parser<'_> {
    pub(super) fn tree(&mut self) -> Tree {
        let mut items = Vec::new();
        loop {
            while self.at_separator() {
                self.bump();
            }
            if self.at_end() {
                break;
            }
            let before = self.here();
            match self.item() {
                Ok(item) => items.push(item),
                Err(_) => {
                    self.depth = 0;
                    // Something must go, or the parser would stay here for ever.
                    if self.here() == before && !self.at_end() {
                        self.bump();
                    }
                    self.skip_item();
                }
            }
        }
        if items.is_empty() && self.diagnostics.iter().all(|d| !d.is_error()) {
            self.error(self.previous, "the model is empty");
        }
        Tree { items, formulas: Vec::new() }
    }

    fn item(&mut self) -> Parse<Item> {
        if self.at_declaration() {
            return Ok(match self.declaration()? {
                Declared::Variables(decl) => Item::Variables(decl),
                Declared::Mtype(decl) => Item::Mtype(decl),
            });
        }
        let start = self.here();
        match self.keyword() {
            Some(Keyword::Active | Keyword::Proctype | Keyword::DProctype) => {
                Ok(Item::Proctype(self.proctype()?))
            }
            Some(Keyword::Init) => {
                let keyword = self.bump().span;
                let priority = self.priority()?;
                let body = self.body()?;
                Ok(Item::Init(Init { span: self.since(start), keyword, priority, body }))
            }
            Some(Keyword::Never) => {
                let keyword = self.bump().span;
                let name = if self.at(Punct::LeftBrace) {
                    None
                } else {
                    Some(self.ident("a name or `{`")?)
                };
                let body = self.body()?;
                Ok(Item::Never(Never { span: self.since(start), keyword, name, body }))
            }
            Some(trace @ (Keyword::Trace | Keyword::Notrace)) => {
                let keyword = self.bump().span;
                let body = self.body()?;
                Ok(Item::Trace(Trace {
                    span: self.since(start),
                    keyword,
                    negated: trace == Keyword::Notrace,
                    body,
                }))
            }
            Some(Keyword::Ltl) => Ok(Item::Ltl(self.ltl()?)),
            Some(Keyword::Typedef) => Ok(Item::Typedef(self.typedef()?)),
            Some(Keyword::Inline) => Ok(Item::Inline(self.inline_definition()?)),
            Some(Keyword::CCode) => Ok(Item::EmbeddedC(self.embedded(EmbeddedKind::Code)?)),
            Some(Keyword::CDecl) => Ok(Item::EmbeddedC(self.embedded(EmbeddedKind::Decl)?)),
            Some(Keyword::CState) => {
                Ok(Item::EmbeddedC(self.embedded_strings(EmbeddedKind::State)?))
            }
            Some(Keyword::CTrack) => {
                Ok(Item::EmbeddedC(self.embedded_strings(EmbeddedKind::Track)?))
            }
            _ if self.at_cluster() => Ok(Item::Cluster(self.cluster()?)),
            _ => {
                Err(self.unexpected("a declaration, proctype, init, never, ltl, typedef or inline"))
            }
        }
    }

    fn proctype(&mut self) -> Parse<Proctype> {
        let start = self.here();
        let active = self.active()?;
        let deterministic = match self.keyword() {
            Some(Keyword::Proctype) => false,
            Some(Keyword::DProctype) => true,
            _ => return Err(self.unexpected("`proctype`")),
        };
        self.bump();
        let name = self.ident("the name of the proctype")?;
        if !self.reader.names.proctypes.insert(name.name.clone()) {
            let message = format!("proctype `{}` is defined a second time", name.name);
            self.error(name.span, message);
        }
        self.expect(Punct::LeftParen)?;
        let params = self.parameters()?;
        self.expect(Punct::RightParen)?;
        let priority = self.priority()?;
        let provided = if self.eat_keyword(Keyword::Provided) {
            self.expect(Punct::LeftParen)?;
            let condition = self.full_expr()?;
            self.expect(Punct::RightParen)?;
            Some(condition)
        } else {
            None
        };
        let body = self.body()?;
        Ok(Proctype {
            span: self.since(start),
            name,
            deterministic,
            active,
            params,
            priority,
            provided,
            body,
        })
    }

    fn active(&mut self) -> Parse<Option<Active>> {
        if self.keyword() != Some(Keyword::Active) {
            return Ok(None);
        }
        let start = self.bump().span;
        let count = if self.eat(Punct::LeftBracket) {
            let count = self.const_expr()?;
            self.expect(Punct::RightBracket)?;
            Some(count)
        } else {
            None
        };
        let span = self.since(start);
        Ok(Some(Active { span, count }))
    }

    fn parameters(&mut self) -> Parse<Vec<VarDecl>> {
        let mut params = Vec::new();
        if self.at(Punct::RightParen) {
            return Ok(params);
        }
        loop {
            if !params.is_empty() && !self.at_declaration() {
                return Err(self.unexpected("the type of a parameter"));
            }
            params.push(self.variables()?);
            if !self.eat(Punct::Semicolon) {
                return Ok(params);
            }
        }
    }

    /// The body of a proctype or claim.
    fn body(&mut self) -> Parse<Block> {
        let start = self.expect(Punct::LeftBrace)?.span;
        self.reader.in_body = true;
        let block = self.block_from(start);
        self.reader.in_body = false;
        block
    }

    /// `c_code [precondition] { ... }`: skipped, with a message.
    pub(super) fn embedded(&mut self, kind: EmbeddedKind) -> Parse<EmbeddedC> {
        let keyword = self.bump().span;
        let mut braces = 0usize;
        let mut brackets = 0usize;
        loop {
            let token: Token = self.reader.raw();
            self.previous = token.span;
            match token.kind {
                TokenKind::End => {
                    let message = format!("this {} has no closing brace", kind.keyword());
                    return Err(self.error(keyword, message));
                }
                TokenKind::Punct(Punct::LeftBracket) if braces == 0 => brackets += 1,
                TokenKind::Punct(Punct::RightBracket) if braces == 0 => {
                    brackets = brackets.saturating_sub(1);
                }
                TokenKind::Punct(Punct::LeftBrace) if brackets == 0 => braces += 1,
                TokenKind::Punct(Punct::RightBrace) if brackets == 0 => {
                    braces = braces.saturating_sub(1);
                    if braces == 0 {
                        break;
                    }
                }
                _ if braces == 0 && brackets == 0 => {
                    let message = format!("expected `{{` after `{}`", kind.keyword());
                    return Err(self.error(token.span, message));
                }
                _ => {}
            }
        }
        Ok(self.embedded_found(kind, keyword))
    }

    /// `c_state "declaration" "place" "value"`: skipped, with a message.
    fn embedded_strings(&mut self, kind: EmbeddedKind) -> Parse<EmbeddedC> {
        let keyword = self.bump().span;
        self.string()?;
        self.string()?;
        if matches!(self.peek().kind, TokenKind::Str(_)) {
            self.bump();
        }
        Ok(self.embedded_found(kind, keyword))
    }

    fn embedded_found(&mut self, kind: EmbeddedKind, keyword: Span) -> EmbeddedC {
        let word = kind.keyword();
        self.report(
            Diagnostic::error(keyword, format!("embedded C is not supported yet: `{word}`"))
                .label("embedded C"),
        );
        EmbeddedC { span: self.since(keyword), kind }
    }
}
