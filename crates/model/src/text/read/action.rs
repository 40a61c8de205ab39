//! Actions.

use super::super::TextError;
use super::{Reader, Scope};
use crate::action::{Action, DetEdge, DetNode, DetStep, Failure, ReceiveArg};

impl Reader<'_> {
    pub(super) fn action(&mut self, scope: Scope) -> Result<Action, TextError> {
        if self.accept_word("d_step") {
            return self.det_step(scope);
        }
        self.simple_action(scope)
    }

    fn simple_action(&mut self, scope: Scope) -> Result<Action, TextError> {
        let start = self.here();
        if !self.is_name() && !self.is_sign("::") {
            match self.word()?.as_str() {
                "skip" => return Ok(Action::Skip),
                "else" => return Ok(Action::Else),
                "exit" => return Ok(Action::End),
                "when" => return self.expr(scope).map(Action::Condition),
                "assert" => return self.expr(scope).map(Action::Assert),
                "printm" => return self.expr(scope).map(Action::PrintSymbol),
                "send" => return self.send(scope),
                "receive" => return self.receive(scope),
                "print" => {
                    let format = self.string()?;
                    return Ok(Action::Print { format, args: self.arguments(scope)? });
                }
                "fail" => {
                    let at = self.here();
                    let word = self.word()?;
                    let number = self.number()?;
                    let kind = Failure::ALL.into_iter().find(|f| f.parts().0 == word);
                    let kind = kind.ok_or_else(|| self.error_at(at, "there is no such failure"))?;
                    return Ok(Action::Fail(kind.with(number)));
                }
                "set_priority" => {
                    self.expect("(")?;
                    let pid = self.expr(scope)?;
                    self.expect(",")?;
                    let priority = self.expr(scope)?;
                    self.expect(")")?;
                    return Ok(Action::SetPriority { pid, priority });
                }
                "_" => {
                    self.expect("=")?;
                    return self.expr(scope).map(|e| Action::Assign(None, e));
                }
                _ => {
                    self.back_to(start);
                    return Err(self.unexpected("an action"));
                }
            }
        }
        let place = self.place(scope)?;
        self.expect("=")?;
        Ok(Action::Assign(Some(place), self.expr(scope)?))
    }

    fn send(&mut self, scope: Scope) -> Result<Action, TextError> {
        let sorted = self.accept_word("sorted");
        let channel = self.operand(scope)?;
        Ok(Action::Send { channel, args: self.arguments(scope)?, sorted })
    }

    fn receive(&mut self, scope: Scope) -> Result<Action, TextError> {
        let random = self.accept_word("any");
        let copy = self.accept_word("copy");
        let mut saved = Vec::new();
        if self.accept_word("past") {
            saved = self.comma_separated(|me| me.number::<i32>())?;
        }
        let channel = self.operand(scope)?;
        let pattern = self.patterns(scope)?;
        Ok(Action::Receive { channel, pattern, random, copy, saved })
    }

    /// A pattern between parentheses.
    pub(super) fn patterns(&mut self, scope: Scope) -> Result<Vec<ReceiveArg>, TextError> {
        self.expect("(")?;
        self.list_to(")", |me| me.pattern(scope))
    }

    fn det_step(&mut self, scope: Scope) -> Result<Action, TextError> {
        self.expect("{")?;
        let mut nodes = Vec::new();
        while !self.accept("}") {
            self.expect_word("node")?;
            self.counted(nodes.len())?;
            let mut edges = Vec::new();
            while !self.is_sign("}") && !self.is_word("node") {
                edges.push(self.det_edge(scope)?);
            }
            nodes.push(DetNode { edges });
        }
        Ok(Action::DetStep(Box::new(DetStep { nodes })))
    }

    fn det_edge(&mut self, scope: Scope) -> Result<DetEdge, TextError> {
        let start = self.here();
        let action = self.simple_action(scope)?;
        let written = self.text_since(start);
        self.expect("->")?;
        let target = if self.accept_word("out") { None } else { Some(self.number()?) };
        let source = self.source()?;
        let text = self.accept_string().unwrap_or(written);
        Ok(DetEdge { action, target, source, text })
    }
}
