//! DT Promela: timers and what is done with them.
//!
//! `timer`, `set`, `reset`, `expire`, `delay`, `bdelay` and `udelay` are words like any other
//! unless the model declares a timer. Models that define them as macros or inlines go on working:
//! a macro is gone by now, and an inline goes before.

use super::stmts::bare;
use super::{Parse, Parser};
use crate::syntax::ast::{Expr, ExprKind, Ident, Stmt, StmtKind, TimerStmt, TimerStmtKind};
use crate::syntax::keyword::Keyword;
use crate::syntax::token::{Punct, Token};

/// The name of the type.
const TIMER: &str = "timer";

/// Whether a variable is declared with the type `timer`: the word and a name stand side by side,
/// and the model has no type of its own of that name.
pub(super) fn declares_timers(tokens: &[Token]) -> bool {
    let is = |token: &Token, word: &str| token.word().is_some_and(|w| w.as_str() == word);
    let name = |token: &Token| {
        token.word().is_some_and(|w| Keyword::from_word(w).is_none()) && !token.newline_before
    };
    let mut declared = false;
    for (k, _) in tokens.iter().enumerate().filter(|(_, t)| is(t, TIMER)) {
        let before = k.checked_sub(1).map(|k| &tokens[k]);
        if before.is_some_and(|t| is(t, Keyword::Typedef.text())) {
            return false;
        }
        // `mtype:timer t` is a variable of an mtype, and after `goto timer` a line may end.
        let other = before.is_some_and(|t| t.is(Punct::Colon) || is(t, Keyword::Goto.text()));
        declared |= !other && tokens.get(k + 1).is_some_and(name);
    }
    declared
}

impl Parser<'_> {
    /// Whether the type `timer` comes next.
    pub(super) fn at_timer_type(&mut self) -> bool {
        self.timed && self.peek().word().is_some_and(|w| w.as_str() == TIMER)
    }

    /// A statement on a timer whose first word, `name`, has been read; `(` comes next. `None` if
    /// the word is no such statement's.
    pub(super) fn timer_statement(&mut self, name: &Ident) -> Parse<Option<Box<Stmt>>> {
        if self.at_expire(name) {
            let first = self.expire(name)?;
            return Ok(Some(self.expression_from(first)?));
        }
        let operands = match name.name.as_str() {
            "set" | "delay" => 1,
            "bdelay" => 2,
            "reset" | "udelay" => 0,
            _ => return Ok(None),
        };
        self.expect(Punct::LeftParen)?;
        let timer = self.var_ref()?;
        let mut given = Vec::new();
        for _ in 0..operands {
            self.expect(Punct::Comma)?;
            given.push(self.expr()?);
        }
        self.expect(Punct::RightParen)?;
        let mut given = given.into_iter();
        let kind = match (name.name.as_str(), given.next(), given.next()) {
            ("set", Some(value), _) => TimerStmtKind::Set(value),
            ("delay", Some(value), _) => TimerStmtKind::Delay(value),
            ("bdelay", Some(least), Some(most)) => TimerStmtKind::BoundedDelay(least, most),
            ("reset", ..) => TimerStmtKind::Reset,
            _ => TimerStmtKind::UnboundedDelay,
        };
        Ok(Some(bare(StmtKind::Timer(Box::new(TimerStmt { timer, kind })))))
    }

    /// Whether `name`, which has been read, is the start of `expire(t)`.
    pub(super) fn at_expire(&mut self, name: &Ident) -> bool {
        self.timed
            && name.name.as_str() == "expire"
            && !self.reader.names.inlines.contains_key(&name.name)
            && self.at(Punct::LeftParen)
    }

    /// `expire(t)`, of which the first word has been read.
    pub(super) fn expire(&mut self, name: &Ident) -> Parse<Expr> {
        self.expect(Punct::LeftParen)?;
        let timer = self.var_ref()?;
        self.expect(Punct::RightParen)?;
        Ok(Expr { span: self.since(name.span), kind: ExprKind::Expire(timer) })
    }
}
