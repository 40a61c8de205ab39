//! Inlines: text with parameters, put in at the level of tokens.

use super::stmts::bare;
use super::{Parse, Parser, MAX_INLINE_DEPTH, MAX_INLINE_TOKENS};
use crate::syntax::ast::{Block, Ident, InlineCall, InlineDef, Stmt, StmtKind, VarRef};
use crate::syntax::token::{Punct, Token, TokenKind};
use isospin_source::{Diagnostic, Expansion, ExpansionId, ExpansionKind, Name, Span};
use std::collections::HashMap;
use std::rc::Rc;

/// An inline's definition, for its calls.
pub(super) struct Inline {
    name: Span,
    params: Vec<Name>,
    body: Vec<Token>,
}

/// A call that is being read.
pub(super) struct ActiveCall {
    pub name: Name,
    pub target: Option<VarRef>,
}

impl Parser<'_> {
    /// `inline name(a, b) { ... }`; the body is kept as tokens.
    pub(super) fn inline_definition(&mut self) -> Parse<InlineDef> {
        let start = self.bump().span;
        let name = self.ident("the name of the inline")?;
        self.expect(Punct::LeftParen)?;
        let mut params: Vec<Ident> = Vec::new();
        while !self.at(Punct::RightParen) {
            if !params.is_empty() {
                self.expect(Punct::Comma)?;
            }
            params.push(self.ident("a parameter of the inline")?);
        }
        self.bump();
        let body = self.inline_body(&name)?;
        let inline = Inline {
            name: name.span,
            params: params.iter().map(|p| p.name.clone()).collect(),
            body: body.clone(),
        };
        let names = &mut self.reader.names;
        if let Some(earlier) = names.inlines.insert(name.name.clone(), Rc::new(inline)) {
            let message = format!("inline `{}` is defined a second time", name.name);
            self.report(
                Diagnostic::error(name.span, message).note_at(earlier.name, "first defined here"),
            );
        }
        Ok(InlineDef { span: self.since(start), name, params, body })
    }

    /// The tokens of the body, with its braces.
    fn inline_body(&mut self, name: &Ident) -> Parse<Vec<Token>> {
        let mut body = Vec::new();
        let mut braces = 0usize;
        loop {
            let token = match self.current.take() {
                Some(token) => token,
                None => self.reader.raw(),
            };
            self.previous = token.span;
            match token.kind {
                TokenKind::Punct(Punct::LeftBrace) => braces += 1,
                TokenKind::Punct(Punct::RightBrace) => braces = braces.saturating_sub(1),
                TokenKind::End => {
                    let message =
                        format!("the body of inline `{}` has no closing brace", name.name);
                    return Err(self.error(name.span, message));
                }
                _ if braces == 0 => {
                    return Err(self.error(token.span, "expected `{` for the body of the inline"));
                }
                _ => {}
            }
            body.push(token);
            if braces == 0 {
                break;
            }
        }
        Ok(body)
    }

    /// `name(args)`, of which the name (and `target =`) has been read.
    pub(super) fn inline_call(&mut self, name: Ident, target: Option<VarRef>) -> Parse<Box<Stmt>> {
        let (args, call) = self.enter_inline(&name, &target)?;
        let body = self.inline_block()?;
        self.calls.pop();
        // The statement ends where the call ends, not where the body does.
        self.previous = call;
        Ok(bare(StmtKind::InlineCall(Box::new(InlineCall { name, target, args, body }))))
    }

    fn inline_block(&mut self) -> Parse<Block> {
        let start = self.expect(Punct::LeftBrace)?.span;
        self.block_from(start)
    }

    /// Reads the arguments and puts the body in the place of the call.
    fn enter_inline(
        &mut self,
        name: &Ident,
        target: &Option<VarRef>,
    ) -> Parse<(Vec<Vec<Token>>, Span)> {
        let inline = self.reader.names.inlines[&name.name].clone();
        self.expect(Punct::LeftParen)?;
        // From here on raw tokens: the arguments, then the body in their place.
        self.reader.parens -= 1;
        let args = self.inline_args(name)?;
        let call = self.since(name.span);
        self.check_call(name, &inline, args.len(), call)?;
        let body = self.instantiate(name, &inline, &args, call)?;
        self.reader.splice(body);
        self.calls.push(ActiveCall { name: name.name.clone(), target: target.clone() });
        Ok((args, call))
    }

    /// The arguments up to the `)`, as tokens.
    fn inline_args(&mut self, name: &Ident) -> Parse<Vec<Vec<Token>>> {
        let mut args: Vec<Vec<Token>> = vec![Vec::new()];
        let mut nesting = 0usize;
        loop {
            let mut token = self.reader.raw();
            self.previous = token.span;
            match token.kind {
                TokenKind::Punct(Punct::LeftParen | Punct::LeftBracket | Punct::LeftBrace) => {
                    nesting += 1;
                }
                TokenKind::Punct(Punct::RightParen) if nesting == 0 => break,
                TokenKind::Punct(Punct::RightParen | Punct::RightBracket | Punct::RightBrace) => {
                    nesting = nesting.saturating_sub(1);
                }
                TokenKind::Punct(Punct::Comma) if nesting == 0 => {
                    args.push(Vec::new());
                    continue;
                }
                TokenKind::End => {
                    let message = format!(
                        "the arguments of inline `{}` have no closing parenthesis",
                        name.name
                    );
                    return Err(self.error(name.span, message));
                }
                _ => {}
            }
            token.space_before |= token.newline_before;
            token.newline_before = false;
            args.last_mut().expect("one argument at least").push(token);
        }
        if args.len() == 1 && args[0].is_empty() {
            args.clear();
        }
        Ok(args)
    }

    fn check_call(&mut self, name: &Ident, inline: &Inline, args: usize, call: Span) -> Parse<()> {
        let text = &name.name;
        if self.calls.iter().any(|c| c.name == *text) {
            let message = format!("inline `{text}` calls itself");
            let diagnostic = Diagnostic::error(call, message)
                .note("an inline is put in place of its call, so it cannot be recursive");
            return Err(self.report(diagnostic));
        }
        if self.calls.len() >= MAX_INLINE_DEPTH {
            let message = format!("inlines call inlines more than {MAX_INLINE_DEPTH} deep");
            return Err(self.error(call, message));
        }
        if args != inline.params.len() {
            let message = format!(
                "inline `{text}` has {} but is called with {args}",
                match inline.params.len() {
                    0 => "no parameters".to_owned(),
                    1 => "1 parameter".to_owned(),
                    n => format!("{n} parameters"),
                }
            );
            let diagnostic =
                Diagnostic::error(call, message).note_at(inline.name, "the inline is defined here");
            return Err(self.report(diagnostic));
        }
        Ok(())
    }

    /// The body's tokens with the arguments put in, each knowing of the call.
    fn instantiate(
        &mut self,
        name: &Ident,
        inline: &Inline,
        args: &[Vec<Token>],
        call: Span,
    ) -> Parse<Vec<Token>> {
        let id = self.sources.add_expansion(Expansion {
            kind: ExpansionKind::Inline,
            what: "call of inline",
            name: name.name.clone(),
            call,
            definition: inline.name,
        });
        let mut within: HashMap<ExpansionId, ExpansionId> = HashMap::new();
        let mut tokens = Vec::with_capacity(inline.body.len());
        for token in &inline.body {
            let param = token.word().and_then(|w| inline.params.iter().position(|p| p == w));
            match param {
                Some(param) => {
                    let at = tokens.len();
                    tokens.extend_from_slice(&args[param]);
                    if let Some(first) = tokens.get_mut(at) {
                        first.newline_before = token.newline_before;
                        first.space_before = token.space_before;
                    }
                }
                None => {
                    let expansion = self.nest(token.span.expansion, id, &mut within);
                    tokens.push(Token { span: token.span.within(expansion), ..token.clone() });
                }
            }
        }
        self.spliced += tokens.len();
        if self.spliced > MAX_INLINE_TOKENS {
            let message =
                format!("the calls of inlines stand for more than {MAX_INLINE_TOKENS} tokens");
            let reported = self.error(call, message);
            self.stop();
            return Err(reported);
        }
        Ok(tokens)
    }

    /// The expansion of a macro in the inline's body, as part of this call.
    fn nest(
        &mut self,
        id: ExpansionId,
        call: ExpansionId,
        within: &mut HashMap<ExpansionId, ExpansionId>,
    ) -> ExpansionId {
        // From the innermost unknown expansion outwards, then back in.
        let mut chain = Vec::new();
        let mut at = id;
        while !within.contains_key(&at) {
            let Some(expansion) = self.sources.expansion(at) else {
                break;
            };
            chain.push((at, expansion.clone()));
            at = expansion.call.expansion;
        }
        let mut outer = within.get(&at).copied().unwrap_or(call);
        for (inner, mut expansion) in chain.into_iter().rev() {
            expansion.call.expansion = outer;
            outer = self.sources.add_expansion(expansion);
            within.insert(inner, outer);
        }
        outer
    }
}
