//! Statements that have no statements in them.

use super::{Parse, Parser};
use crate::syntax::ast::{Const, EmbeddedKind, Expr, ExprKind, Select, StmtKind, VarRef};
use crate::syntax::keyword::Keyword;
use crate::syntax::token::{Punct, TokenKind};
use isospin_source::Diagnostic;

impl Parser<'_> {
    /// A statement that has no statements in it.
    pub(super) fn simple_statement(&mut self) -> Parse<StmtKind> {
        let Some(keyword) = self.keyword() else {
            return Ok(StmtKind::Expr(self.full_expr_statement()?));
        };
        match keyword {
            Keyword::Select => self.select(),
            Keyword::Break => {
                self.bump();
                Ok(StmtKind::Break)
            }
            Keyword::Else => {
                self.bump();
                Ok(StmtKind::Else)
            }
            Keyword::Goto => {
                self.bump();
                Ok(StmtKind::Goto(self.ident("a label")?))
            }
            Keyword::Assert => {
                self.bump();
                Ok(StmtKind::Assert(self.full_expr()?))
            }
            Keyword::Printf => self.printf(),
            Keyword::Printm => self.printm(),
            Keyword::SetPriority => self.set_priority(),
            Keyword::Return => self.return_statement(),
            Keyword::CCode => Ok(StmtKind::EmbeddedC(self.embedded(EmbeddedKind::Code)?)),
            Keyword::CDecl => Ok(StmtKind::EmbeddedC(self.embedded(EmbeddedKind::Decl)?)),
            Keyword::Typedef => {
                let span = self.bump().span;
                Err(self.error(span, "a typedef can stand only at the outermost level"))
            }
            _ => Ok(StmtKind::Expr(self.full_expr_statement()?)),
        }
    }

    fn full_expr_statement(&mut self) -> Parse<Expr> {
        if self.constant_or_operand_ahead() {
            return self.full_expr();
        }
        let token = self.peek();
        if !token.newline_before || !matches!(token.kind, TokenKind::Punct(_)) {
            return Err(self.unexpected("a statement"));
        }
        let message = format!("expected a statement, found `{token}`");
        let diagnostic = Diagnostic::error(token.span, message)
            .label("expected a statement")
            .help("the end of the line before ends the statement; put the operator there");
        Err(self.report(diagnostic))
    }

    fn constant_or_operand_ahead(&mut self) -> bool {
        match self.keyword() {
            Some(keyword) => matches!(
                keyword,
                Keyword::True
                    | Keyword::False
                    | Keyword::Skip
                    | Keyword::Timeout
                    | Keyword::Np
                    | Keyword::Run
                    | Keyword::Len
                    | Keyword::Full
                    | Keyword::Empty
                    | Keyword::Nfull
                    | Keyword::Nempty
                    | Keyword::Enabled
                    | Keyword::PcValue
                    | Keyword::GetPriority
                    | Keyword::CExpr
            ),
            None => matches!(
                self.peek().kind,
                TokenKind::Word(_)
                    | TokenKind::Number(_)
                    | TokenKind::Char(_)
                    | TokenKind::Punct(
                        Punct::LeftParen | Punct::Bang | Punct::Tilde | Punct::Minus
                    )
            ),
        }
    }

    pub(super) fn range(&mut self) -> Parse<(Expr, Expr)> {
        let from = self.expr()?;
        self.expect(Punct::DotDot)?;
        let to = self.expr()?;
        Ok((from, to))
    }

    fn select(&mut self) -> Parse<StmtKind> {
        let inlined = self.reader.in_inline();
        self.bump();
        self.expect(Punct::LeftParen)?;
        let var = self.var_ref()?;
        self.expect(Punct::Colon)?;
        let (from, to) = self.range()?;
        self.expect(Punct::RightParen)?;
        let literal = !inlined && plain_name(&var) && is_number(&from) && is_number(&to);
        if let (true, ExprKind::Const(a), ExprKind::Const(b)) = (literal, &from.kind, &to.kind) {
            if a.value() > b.value() {
                let span = self.sources.join(from.span, to.span);
                return Err(self.error(span, "this range is empty"));
            }
        }
        Ok(StmtKind::Select(Box::new(Select { var, from, to, literal })))
    }

    fn printf(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.expect(Punct::LeftParen)?;
        let format = self.string()?;
        let args = if self.eat(Punct::Comma) { self.expr_list()? } else { Vec::new() };
        self.expect(Punct::RightParen)?;
        Ok(StmtKind::Printf { format, args })
    }

    fn printm(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.expect(Punct::LeftParen)?;
        let value = match self.constant() {
            Some((constant, span)) => Expr { span, kind: ExprKind::Const(constant) },
            None => {
                let var = self.var_ref()?;
                Expr { span: var.span, kind: ExprKind::Var(var) }
            }
        };
        self.expect(Punct::RightParen)?;
        Ok(StmtKind::Printm(value))
    }

    fn set_priority(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.expect(Punct::LeftParen)?;
        let pid = self.expr()?;
        self.expect(Punct::Comma)?;
        let priority = self.expr()?;
        self.expect(Punct::RightParen)?;
        Ok(StmtKind::SetPriority { pid, priority })
    }

    fn return_statement(&mut self) -> Parse<StmtKind> {
        let span = self.bump().span;
        let value = self.full_expr()?;
        match self.calls.last() {
            Some(call) => match call.target.clone() {
                Some(target) => Ok(StmtKind::Return { target, value }),
                None => {
                    let message = format!(
                        "the call of inline `{}` has nowhere to return a value to",
                        call.name
                    );
                    let diagnostic = Diagnostic::error(span, message)
                        .help(format!("write `variable = {}(...)`", call.name));
                    Err(self.report(diagnostic))
                }
            },
            None => Err(self.error(span, "`return` outside an inline")),
        }
    }
}

fn plain_name(var: &VarRef) -> bool {
    var.as_name().is_some_and(|n| !n.name.contains('_'))
}

fn is_number(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Const(Const::Int(_)))
}
