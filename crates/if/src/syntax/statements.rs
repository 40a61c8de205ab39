//! Statements.

use super::ast::{Expr, Statement, StatementKind};
use super::lexer::Token;
use super::parser::{Parser, Read};

impl Parser<'_> {
    /// Statements up to one of these words, which is left.
    pub(super) fn statements(&mut self, ends: &[&str]) -> Read<Vec<Statement>> {
        let mut all = Vec::new();
        while !ends.iter().any(|end| self.is_word(end)) {
            all.push(self.nested(Self::statement)?);
        }
        Ok(all)
    }

    fn statement(&mut self) -> Read<Statement> {
        let start = self.span();
        let kind = self.statement_kind()?;
        let span = self.since(start);
        let block = matches!(kind, StatementKind::If { .. } | StatementKind::While { .. });
        // A block may be followed by a semicolon.
        if block {
            self.accept(";");
        } else {
            self.semicolon();
        }
        Ok(Statement { kind, span })
    }

    fn statement_kind(&mut self) -> Read<StatementKind> {
        let Token::Word(word) = self.peek().clone() else { return self.result() };
        Ok(match word.as_str() {
            "skip" => {
                self.advance();
                StatementKind::Skip
            }
            "informal" => {
                self.advance();
                let Token::Text(text) = self.peek().clone() else {
                    return Err(self.expected("text between quotation marks"));
                };
                self.advance();
                StatementKind::Informal(text)
            }
            "task" => {
                self.advance();
                let place = self.operand()?;
                self.expect(":=")?;
                StatementKind::Task(place, self.expr()?)
            }
            "set" => {
                self.advance();
                let place = self.operand()?;
                self.expect(":=")?;
                StatementKind::Set(place, self.expr()?)
            }
            "reset" => {
                self.advance();
                StatementKind::Reset(self.operand()?)
            }
            "release" => {
                self.advance();
                StatementKind::Release(self.idents("a resource")?)
            }
            "output" => {
                self.advance();
                self.output()?
            }
            "fork" | "call" => self.started(None)?,
            "kill" => {
                self.advance();
                StatementKind::Kill(self.expr()?)
            }
            "if" => {
                self.advance();
                let condition = self.expr()?;
                self.expect_word("then")?;
                let then = self.statements(&["else", "endif"])?;
                let mut otherwise = Vec::new();
                if self.accept_word("else") {
                    otherwise = self.statements(&["endif"])?;
                }
                self.expect_word("endif")?;
                StatementKind::If { condition, then, otherwise }
            }
            "while" => {
                self.advance();
                let condition = self.expr()?;
                self.expect_word("do")?;
                let body = self.statements(&["endwhile"])?;
                self.expect_word("endwhile")?;
                StatementKind::While { condition, body }
            }
            _ => return self.result(),
        })
    }

    /// `lv := fork P(..)` or `lv := call f(..)`.
    fn result(&mut self) -> Read<StatementKind> {
        let assigned = matches!(
            (self.peek(), self.peek_at(1)),
            (Token::Word(_), Token::Sign(":=" | "." | "[")) | (Token::Sign("("), _)
        );
        if !assigned {
            return Err(self.expected(
                "a statement: `skip`, `informal`, `task`, `set`, `reset`, `release`, `output`, \
                 `fork`, `kill`, `call`, `if` or `while`; or `nextstate` or `stop`",
            ));
        }
        let place = self.operand()?;
        self.expect(":=")?;
        self.started(Some(place))
    }

    fn started(&mut self, place: Option<Expr>) -> Read<StatementKind> {
        if self.accept_word("fork") {
            let process = self.ident("a process")?;
            return Ok(StatementKind::Fork { place, process, args: self.arguments()? });
        }
        if self.accept_word("call") {
            let procedure = self.ident("a procedure")?;
            self.arguments()?;
            return Ok(StatementKind::Call { procedure });
        }
        Err(self.expected("`fork` or `call`; values are assigned by `task`"))
    }

    fn output(&mut self) -> Read<StatementKind> {
        let signal = self.ident("a signal")?;
        let args = self.arguments()?;
        let (mut via, mut to) = (None, None);
        loop {
            if via.is_none() && self.accept_word("via") {
                via = Some(self.expr()?);
            } else if to.is_none() && self.accept_word("to") {
                to = Some(self.expr()?);
            } else {
                return Ok(StatementKind::Output { signal, args, via, to });
            }
        }
    }

    /// `(e, ..)`, which may be missing.
    pub(super) fn arguments(&mut self) -> Read<Vec<Expr>> {
        let mut all = Vec::new();
        if self.accept("(") && !self.accept(")") {
            all.push(self.expr()?);
            while self.accept(",") {
                all.push(self.expr()?);
            }
            self.expect(")")?;
        }
        Ok(all)
    }
}
