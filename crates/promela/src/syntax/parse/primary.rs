//! Operands: constants, variables, calls, parentheses, remote references.

use super::{Parse, Parser};
use crate::syntax::ast::{
    Const, EmbeddedKind, Expr, ExprKind, Ident, Poll, Probe, ReceiveArg, ReceiveArgKind, Run,
    Segment, VarRef,
};
use crate::syntax::keyword::Keyword;
use crate::syntax::token::Punct;
use isospin_source::Span;

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Parse<Expr> {
        if self.at(Punct::LeftParen) {
            return self.parenthesised();
        }
        self.atom()
    }

    fn atom(&mut self) -> Parse<Expr> {
        let start = self.here();
        if let Some((constant, span)) = self.constant() {
            return Ok(Expr { span, kind: ExprKind::Const(constant) });
        }
        let kind = match self.keyword() {
            None => return self.variable_or_remote(),
            Some(Keyword::Timeout) => {
                self.bump();
                ExprKind::Timeout
            }
            Some(Keyword::Np) => {
                self.bump();
                ExprKind::NonProgress
            }
            Some(Keyword::Run) => self.run()?,
            Some(Keyword::Len) => ExprKind::Len(self.channel_in_parens()?),
            Some(Keyword::Full) => ExprKind::Probe(Probe::Full, self.channel_in_parens()?),
            Some(Keyword::Empty) => ExprKind::Probe(Probe::Empty, self.channel_in_parens()?),
            Some(Keyword::Nfull) => ExprKind::Probe(Probe::NFull, self.channel_in_parens()?),
            Some(Keyword::Nempty) => ExprKind::Probe(Probe::NEmpty, self.channel_in_parens()?),
            Some(Keyword::Enabled) => ExprKind::Enabled(self.expr_in_parens()?),
            Some(Keyword::PcValue) => ExprKind::PcValue(self.expr_in_parens()?),
            Some(Keyword::GetPriority) => ExprKind::GetPriority(self.expr_in_parens()?),
            Some(Keyword::CExpr) => ExprKind::EmbeddedC(self.embedded(EmbeddedKind::Expr)?),
            Some(_) => return Err(self.unexpected("an expression")),
        };
        Ok(Expr { span: self.since(start), kind })
    }

    /// `(e)` or `(e -> e : e)`
    fn parenthesised(&mut self) -> Parse<Expr> {
        let start = self.bump().span;
        self.deeper()?;
        let mut expr = self.full_expr()?;
        if self.at(Punct::Arrow) {
            expr = self.conditional(expr)?;
        }
        self.expect(Punct::RightParen)?;
        self.depth -= 1;
        expr.span = self.since(start);
        Ok(expr)
    }

    /// What follows the condition in `(e -> e : e)`.
    fn conditional(&mut self, cond: Expr) -> Parse<Expr> {
        self.bump();
        let cond = Box::new(self.no_probe(cond)?);
        let mut height = self.height;
        let then = Box::new(self.expr()?);
        height = height.max(self.height);
        self.expect(Punct::Colon)?;
        let otherwise = Box::new(self.expr()?);
        self.height = height.max(self.height) + 1;
        Ok(Expr { span: cond.span, kind: ExprKind::Conditional { cond, then, otherwise } })
    }

    fn channel_in_parens(&mut self) -> Parse<VarRef> {
        self.bump();
        self.expect(Punct::LeftParen)?;
        let channel = self.var_ref()?;
        self.expect(Punct::RightParen)?;
        Ok(channel)
    }

    fn expr_in_parens(&mut self) -> Parse<Box<Expr>> {
        self.bump();
        self.expect(Punct::LeftParen)?;
        self.deeper()?;
        let expr = self.expr()?;
        self.depth -= 1;
        self.height += 1;
        self.expect(Punct::RightParen)?;
        Ok(Box::new(expr))
    }

    /// `run name(args) priority n`
    fn run(&mut self) -> Parse<ExprKind> {
        self.bump();
        let proctype = self.ident("the name of a proctype")?;
        self.expect(Punct::LeftParen)?;
        self.deeper()?;
        let args = if self.at(Punct::RightParen) { Vec::new() } else { self.expr_list()? };
        self.depth -= 1;
        self.expect(Punct::RightParen)?;
        let priority = self.priority()?;
        Ok(ExprKind::Run(Box::new(Run { proctype, args, priority })))
    }

    /// `priority n`
    pub(super) fn priority(&mut self) -> Parse<Option<Expr>> {
        if !self.eat_keyword(Keyword::Priority) {
            return Ok(None);
        }
        match self.constant() {
            Some((constant, span)) => Ok(Some(Expr { span, kind: ExprKind::Const(constant) })),
            None => Err(self.unexpected("a number as the priority")),
        }
    }

    /// `e, e, e`; the height becomes that of the highest, plus one.
    pub(super) fn expr_list(&mut self) -> Parse<Vec<Expr>> {
        let mut list = vec![self.expr()?];
        let mut height = self.height;
        while self.eat(Punct::Comma) {
            list.push(self.expr()?);
            height = height.max(self.height);
        }
        self.height = height + 1;
        Ok(list)
    }

    fn variable_or_remote(&mut self) -> Parse<Expr> {
        let name = self.ident("an expression")?;
        if self.at_expire(&name) {
            return self.expire(&name);
        }
        self.variable_from(name)
    }

    /// A variable, poll or remote reference whose first name has been read.
    pub(super) fn variable_from(&mut self, name: Ident) -> Parse<Expr> {
        let start = name.span;
        let proctype = self.reader.names.proctypes.contains(&name.name);
        if self.at(Punct::At) {
            return self.remote_label(name, None);
        }
        if self.at(Punct::Colon) && (proctype || self.reader.in_formula) {
            return self.remote_var(name, None);
        }
        let var = self.var_ref_from(name)?;
        let remote = var.segments.len() == 1 && var.segments[0].index.is_some();
        if remote && self.at(Punct::At) {
            return self.remote_label_from(var);
        }
        if remote && self.at(Punct::Colon) && (proctype || self.reader.in_formula) {
            let (name, index) = split(var);
            return self.remote_var(name, index);
        }
        let random = self.at(Punct::QuestionQuestion);
        if random || self.at(Punct::Question) {
            self.bump();
            return self.poll(var, random, start);
        }
        Ok(Expr { span: var.span, kind: ExprKind::Var(var) })
    }

    /// `c?[args]`, whose `?` has been read.
    pub(super) fn poll(&mut self, channel: VarRef, random: bool, start: Span) -> Parse<Expr> {
        if !self.at(Punct::LeftBracket) {
            return Err(self.unexpected("`[`: in an expression a receive is a test, `c?[...]`"));
        }
        self.bump();
        let args = self.receive_args()?;
        self.expect(Punct::RightBracket)?;
        self.height += 1;
        Ok(Expr {
            span: self.since(start),
            kind: ExprKind::Poll(Box::new(Poll { channel, random, args })),
        })
    }

    /// `p[i]@label`, of which `p[i]` has been read.
    pub(super) fn remote_label_from(&mut self, var: VarRef) -> Parse<Expr> {
        let (name, index) = split(var);
        self.remote_label(name, index)
    }

    fn remote_label(&mut self, proctype: Ident, pid: Option<Box<Expr>>) -> Parse<Expr> {
        self.bump();
        let label = self.ident("a label")?;
        Ok(Expr {
            span: self.since(proctype.span),
            kind: ExprKind::RemoteLabel { proctype, pid, label },
        })
    }

    fn remote_var(&mut self, proctype: Ident, pid: Option<Box<Expr>>) -> Parse<Expr> {
        self.bump();
        let name = self.ident("a variable of that proctype")?;
        let index = self.index()?;
        Ok(Expr {
            span: self.since(proctype.span),
            kind: ExprKind::RemoteVar { proctype, pid, var: Box::new(Segment { name, index }) },
        })
    }

    pub(super) fn var_ref(&mut self) -> Parse<VarRef> {
        let name = self.ident("a variable")?;
        self.var_ref_from(name)
    }

    /// The indices and fields after a variable's name.
    pub(super) fn var_ref_from(&mut self, name: Ident) -> Parse<VarRef> {
        let start = name.span;
        let mut height = 0;
        self.height = 0;
        let index = self.index()?;
        height = height.max(self.height);
        let mut segments = vec![Segment { name, index }];
        while self.eat(Punct::Dot) {
            let name = self.ident("a field")?;
            self.height = 0;
            let index = self.index()?;
            height = height.max(self.height);
            segments.push(Segment { name, index });
        }
        self.height = height + 1;
        Ok(VarRef { span: self.since(start), segments })
    }

    fn index(&mut self) -> Parse<Option<Box<Expr>>> {
        if !self.eat(Punct::LeftBracket) {
            return Ok(None);
        }
        self.deeper()?;
        let index = self.expr()?;
        self.depth -= 1;
        self.expect(Punct::RightBracket)?;
        Ok(Some(Box::new(index)))
    }

    /// The fields of a receive: `a, b`, `a(b, c)`, `(a, b)`.
    pub(super) fn receive_args(&mut self) -> Parse<Vec<ReceiveArg>> {
        let mut args = Vec::new();
        let mut height = 0;
        let mut open = 0usize;
        loop {
            while self.eat(Punct::LeftParen) {
                open += 1;
            }
            args.push(self.receive_arg()?);
            height = height.max(self.height);
            if self.at(Punct::LeftParen) {
                continue;
            }
            while open > 0 && self.eat(Punct::RightParen) {
                open -= 1;
            }
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        if open > 0 {
            return Err(self.unexpected("`)`"));
        }
        self.height = height + 1;
        Ok(args)
    }

    fn receive_arg(&mut self) -> Parse<ReceiveArg> {
        let start = self.here();
        self.height = 1;
        let kind = if self.keyword() == Some(Keyword::Eval) {
            ReceiveArgKind::Eval(*self.expr_in_parens()?)
        } else if let Some((constant, _)) = self.constant() {
            ReceiveArgKind::Const(constant)
        } else if self.eat(Punct::Minus) {
            match self.constant() {
                Some((constant, _)) => {
                    ReceiveArgKind::Const(Const::Int(constant.value().wrapping_neg()))
                }
                None => return Err(self.unexpected("a number")),
            }
        } else if self.keyword().is_some() {
            return Err(self.unexpected("a variable, a constant or `eval(...)`"));
        } else {
            ReceiveArgKind::Var(self.var_ref()?)
        };
        Ok(ReceiveArg { span: self.since(start), kind })
    }
}

/// A reference of one segment, taken apart.
fn split(mut var: VarRef) -> (Ident, Option<Box<Expr>>) {
    let Segment { name, index } = var.segments.swap_remove(0);
    (name, index)
}
