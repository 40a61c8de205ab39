//! Statements, and the sequences of them.

use super::{Parse, Parser};
use crate::syntax::ast::{
    Block, Branch, Const, Expr, ExprKind, For, ForRange, Ident, Receive, Send, Stmt, StmtKind,
    VarRef,
};
use crate::syntax::keyword::Keyword;
use crate::syntax::token::{Punct, TokenKind};
use isospin_source::{Diagnostic, Span};

impl Parser<'_> {
    /// A block whose `{` has been read.
    pub(super) fn block_from(&mut self, start: Span) -> Parse<Block> {
        self.deeper()?;
        let stmts = self.sequence("}")?;
        self.depth -= 1;
        self.expect(Punct::RightBrace)?;
        Ok(Block { span: self.since(start), stmts })
    }

    fn block(&mut self) -> Parse<Block> {
        let start = self.expect(Punct::LeftBrace)?.span;
        self.block_from(start)
    }

    /// Statements with separators between them, up to what cannot be one.
    fn sequence(&mut self, closing: &str) -> Parse<Vec<Stmt>> {
        let mut stmts = Vec::new();
        if self.at_sequence_end() {
            let reported = self.unexpected("a statement");
            // An empty block or branch is an error, but a harmless one to go on from.
            return if self.at_end() { Err(reported) } else { Ok(stmts) };
        }
        loop {
            self.step(&mut stmts);
            if self.at_sequence_end() {
                return Ok(stmts);
            }
            if !self.at_separator() {
                self.unexpected(&format!("`;`, `->` or `{closing}`"));
                self.skip_statement();
                if self.at_item() {
                    return Err(super::Reported);
                }
            }
            while self.at_separator() {
                self.bump();
            }
            if self.at_sequence_end() {
                return Ok(stmts);
            }
        }
    }

    fn at_sequence_end(&mut self) -> bool {
        matches!(self.keyword(), Some(Keyword::Fi | Keyword::Od))
            || self.at(Punct::RightBrace)
            || self.at(Punct::DoubleColon)
            || self.at_end()
    }

    fn at_item(&mut self) -> bool {
        matches!(
            self.keyword(),
            Some(Keyword::Proctype | Keyword::Init | Keyword::Never | Keyword::Typedef)
        )
    }

    /// One statement, with `unless`; what cannot be read becomes an error node.
    fn step(&mut self, stmts: &mut Vec<Stmt>) {
        let (depth, calls) = (self.depth, self.calls.len());
        let start = self.here();
        match self.step_or_error() {
            Ok(stmt) => stmts.push(*stmt),
            Err(_) => {
                self.depth = depth;
                self.calls.truncate(calls);
                stmts.push(self.unreadable(start));
            }
        }
    }

    fn unreadable(&mut self, start: Span) -> Stmt {
        self.reader.in_for = false;
        self.skip_statement();
        plain(self.since(start), StmtKind::Error)
    }

    // These functions recur once a level of nesting, so they are kept small and
    // hand their results on in boxes: what is large stays off the stack.

    fn step_or_error(&mut self) -> Parse<Box<Stmt>> {
        if self.at_declaration() || matches!(self.keyword(), Some(Keyword::Xr | Keyword::Xs)) {
            return self.declaration_step();
        }
        let body = self.statement()?;
        if !self.eat_keyword(Keyword::Unless) {
            return Ok(body);
        }
        let escape = self.statement()?;
        Ok(self.unless(body, escape))
    }

    fn unless(&mut self, body: Box<Stmt>, escape: Box<Stmt>) -> Box<Stmt> {
        let start = body.labels.first().map_or(body.span, |l| l.span);
        let span = self.since(start);
        Box::new(plain(span, StmtKind::Unless { body, escape }))
    }

    fn declaration_step(&mut self) -> Parse<Box<Stmt>> {
        let start = self.here();
        let send = match self.keyword() {
            Some(Keyword::Xr) => false,
            Some(Keyword::Xs) => true,
            _ => {
                let decl = self.variables()?;
                return Ok(Box::new(plain(decl.span, StmtKind::Decl(decl))));
            }
        };
        self.bump();
        let mut channels = vec![self.var_ref()?];
        while self.eat(Punct::Comma) {
            channels.push(self.var_ref()?);
        }
        let kind = StmtKind::Exclusive { send, channels };
        Ok(Box::new(plain(self.since(start), kind)))
    }

    /// A statement with its labels.
    fn statement(&mut self) -> Parse<Box<Stmt>> {
        let mut labels: Vec<Ident> = Vec::new();
        loop {
            let start = self.here();
            if let Some(label) = labels.last() {
                let span = label.span;
                self.no_declaration_after(span)?;
                if self.at_separator() || self.at_sequence_end() {
                    return Ok(skip_at(span, labels));
                }
            }
            match self.statement_or_label()? {
                Labelled::Label(label) => labels.push(label),
                Labelled::Statement(mut stmt) => {
                    stmt.span = self.since(start);
                    stmt.labels = labels;
                    return Ok(stmt);
                }
            }
        }
    }

    fn no_declaration_after(&mut self, label: Span) -> Parse<()> {
        if !self.at_declaration() && !matches!(self.keyword(), Some(Keyword::Xr | Keyword::Xs)) {
            return Ok(());
        }
        let start = self.here();
        let message = "a label cannot stand before a declaration";
        let diagnostic =
            Diagnostic::error(label, message).note_at(start, "the declaration is here");
        Err(self.report(diagnostic))
    }

    fn statement_or_label(&mut self) -> Parse<Labelled> {
        if self.keyword().is_none() && matches!(self.peek().kind, TokenKind::Word(_)) {
            return self.label_or_name_statement();
        }
        Ok(Labelled::Statement(self.keyword_statement()?))
    }

    fn label_or_name_statement(&mut self) -> Parse<Labelled> {
        let name = self.ident("a statement")?;
        if self.reader.names.inlines.contains_key(&name.name) && self.at(Punct::LeftParen) {
            return Ok(Labelled::Statement(self.inline_call(name, None)?));
        }
        let proctype = self.reader.names.proctypes.contains(&name.name);
        if self.at(Punct::Colon) && !proctype {
            self.bump();
            return Ok(Labelled::Label(name));
        }
        if self.timed && self.at(Punct::LeftParen) {
            if let Some(statement) = self.timer_statement(&name)? {
                return Ok(Labelled::Statement(statement));
            }
        }
        if self.at(Punct::LeftParen) {
            return Err(self.no_such_inline(&name, proctype));
        }
        Ok(Labelled::Statement(self.name_statement(name)?))
    }

    fn no_such_inline(&mut self, name: &Ident, proctype: bool) -> super::Reported {
        let message = format!("there is no inline `{}`", name.name);
        let help = if proctype {
            format!("to start a process, write `run {}(...)`", name.name)
        } else {
            "an inline is defined before it is called".to_owned()
        };
        self.report(Diagnostic::error(name.span, message).help(help))
    }

    /// A statement that starts with a variable, whose name has been read.
    fn name_statement(&mut self, name: Ident) -> Parse<Box<Stmt>> {
        let start = name.span;
        let proctype = self.reader.names.proctypes.contains(&name.name);
        if self.at(Punct::At)
            || (proctype && (self.at(Punct::Colon) || self.at(Punct::LeftBracket)))
        {
            let first = self.variable_from(name)?;
            return self.expression_from(first);
        }
        let var = self.var_ref_from(name)?;
        if self.at(Punct::Assign) {
            self.bump();
            return self.assignment(var);
        }
        self.operation(var, start)
    }

    /// What is done with a variable at the start of a statement.
    fn operation(&mut self, var: VarRef, start: Span) -> Parse<Box<Stmt>> {
        let kind = match self.peek().kind {
            TokenKind::Punct(Punct::PlusPlus) => {
                self.bump();
                StmtKind::Increment(var)
            }
            TokenKind::Punct(Punct::MinusMinus) => {
                self.bump();
                StmtKind::Decrement(var)
            }
            TokenKind::Punct(sign @ (Punct::Bang | Punct::BangBang)) => {
                self.bump();
                let args = self.send_args()?;
                StmtKind::Send(Send { channel: var, sorted: sign == Punct::BangBang, args })
            }
            TokenKind::Punct(sign @ (Punct::Question | Punct::QuestionQuestion)) => {
                self.bump();
                return self.receive(var, sign == Punct::QuestionQuestion, start);
            }
            // `p[i]@label`, with a proctype that is defined further down.
            TokenKind::Punct(Punct::At) if var.segments.len() == 1 => {
                let first = self.remote_label_from(var)?;
                return self.expression_from(first);
            }
            _ => {
                let first = Expr { span: var.span, kind: ExprKind::Var(var) };
                return self.expression_from(first);
            }
        };
        Ok(bare(kind))
    }

    /// An expression as a statement, whose first operand has been read.
    pub(super) fn expression_from(&mut self, first: Expr) -> Parse<Box<Stmt>> {
        Ok(bare(StmtKind::Expr(self.full_expr_from(first)?)))
    }

    /// What follows `target =`.
    fn assignment(&mut self, target: VarRef) -> Parse<Box<Stmt>> {
        let word = self.peek().word().cloned();
        let called = word.is_some_and(|w| self.reader.names.inlines.contains_key(&w));
        if called {
            let name = self.ident("an inline")?;
            return self.inline_call(name, Some(target));
        }
        let value = self.full_expr()?;
        Ok(bare(StmtKind::Assign { target, value }))
    }

    /// `a, b, c` or `a(b, c)`
    fn send_args(&mut self) -> Parse<Vec<Expr>> {
        let first = self.expr()?;
        let mut args = vec![first];
        if self.eat(Punct::LeftParen) {
            args.extend(self.expr_list()?);
            self.expect(Punct::RightParen)?;
        } else if self.eat(Punct::Comma) {
            args.extend(self.expr_list()?);
        }
        Ok(args)
    }

    /// What follows `channel?`: a receive, a copy, or a test in an expression.
    fn receive(&mut self, channel: VarRef, random: bool, start: Span) -> Parse<Box<Stmt>> {
        if self.at(Punct::LeftBracket) {
            let poll = self.poll(channel, random, start)?;
            return self.expression_from(poll);
        }
        let copy = self.eat(Punct::Less);
        let args = self.receive_args()?;
        if copy {
            self.expect(Punct::Greater)?;
        }
        Ok(bare(StmtKind::Receive(Receive { channel, random, copy, args })))
    }

    fn keyword_statement(&mut self) -> Parse<Box<Stmt>> {
        match self.keyword() {
            None if self.at(Punct::LeftBrace) => self.block_statement(StmtKind::Block),
            Some(Keyword::Atomic) => {
                self.bump();
                self.block_statement(StmtKind::Atomic)
            }
            Some(Keyword::DStep) => {
                self.bump();
                self.block_statement(StmtKind::DStep)
            }
            Some(Keyword::If) => self.choice(Keyword::Fi, StmtKind::If),
            Some(Keyword::Do) => self.choice(Keyword::Od, StmtKind::Do),
            Some(Keyword::For) => self.for_loop(),
            _ => Ok(bare(self.simple_statement()?)),
        }
    }

    fn block_statement(&mut self, kind: fn(Block) -> StmtKind) -> Parse<Box<Stmt>> {
        let block = self.block()?;
        Ok(bare(kind(block)))
    }

    fn choice(&mut self, closing: Keyword, kind: fn(Vec<Branch>) -> StmtKind) -> Parse<Box<Stmt>> {
        self.bump();
        let branches = self.branches(closing)?;
        Ok(bare(kind(branches)))
    }

    /// `:: ... :: ... fi`
    fn branches(&mut self, closing: Keyword) -> Parse<Vec<Branch>> {
        self.deeper()?;
        let mut branches = Vec::new();
        if !self.at(Punct::DoubleColon) {
            return Err(self.unexpected("`::`"));
        }
        while self.at(Punct::DoubleColon) {
            let start = self.bump().span;
            let stmts = self.sequence(closing.text())?;
            let end = stmts.last().map_or(start, |s| s.span);
            let span = self.sources.join(start, end);
            branches.push(Branch { span, stmts });
        }
        self.depth -= 1;
        if !self.eat_keyword(closing) {
            return Err(self.unexpected(&format!("`::` or `{}`", closing.text())));
        }
        Ok(branches)
    }

    fn for_loop(&mut self) -> Parse<Box<Stmt>> {
        let (var, range) = self.for_head()?;
        let body = self.block()?;
        Ok(bare(StmtKind::For(Box::new(For { var, range, body }))))
    }

    fn for_head(&mut self) -> Parse<(VarRef, ForRange)> {
        self.bump();
        self.expect(Punct::LeftParen)?;
        self.reader.in_for = true;
        let var = self.var_ref()?;
        let range = if self.eat_keyword(Keyword::In) {
            ForRange::In(self.var_ref()?)
        } else if self.eat(Punct::Colon) {
            let (from, to) = self.range()?;
            ForRange::Range { from, to }
        } else {
            return Err(self.unexpected("`:` or `in`"));
        };
        self.expect(Punct::RightParen)?;
        self.reader.in_for = false;
        self.eat(Punct::Semicolon);
        Ok((var, range))
    }
}

enum Labelled {
    Label(Ident),
    Statement(Box<Stmt>),
}

/// A statement whose place and labels are still to come.
pub(super) fn bare(kind: StmtKind) -> Box<Stmt> {
    Box::new(plain(Span::NONE, kind))
}

/// What a label before nothing stands at.
fn skip_at(span: Span, labels: Vec<Ident>) -> Box<Stmt> {
    let kind = StmtKind::Expr(Expr { span, kind: ExprKind::Const(Const::Skip) });
    Box::new(Stmt { span, labels, kind })
}

fn plain(span: Span, kind: StmtKind) -> Stmt {
    Stmt { span, labels: Vec::new(), kind }
}
