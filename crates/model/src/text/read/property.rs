//! Properties and promises.

use super::super::TextError;
use super::Reader;
use crate::exclusive::Exclusive;
use crate::ids::{LocationId, Pid, ProcTypeId};
use crate::model::{Cluster, Formula, Member, Temporal};
use crate::trace::{Trace, TraceEdge};

impl Reader<'_> {
    /// What follows `trace` or `notrace`.
    pub(super) fn trace(&mut self, negated: bool) -> Result<(), TextError> {
        let source = self.source()?;
        let mut trace = Trace { negated, locations: Vec::new(), ends: Vec::new(), source };
        self.expect("{")?;
        while !self.accept("}") {
            self.expect_word("location")?;
            self.counted(trace.locations.len())?;
            trace.ends.push(self.accept_word("end"));
            let mut edges = Vec::new();
            while self.is_word("send") || self.is_word("receive") {
                let sending = self.is_word("send");
                self.advance();
                let channel = self.operand(None)?;
                let pattern = self.patterns(None)?;
                self.expect("->")?;
                let target = LocationId(self.number()?);
                edges.push(TraceEdge { sending, channel, pattern, target });
            }
            trace.locations.push(edges);
        }
        self.model.trace = Some(trace);
        Ok(())
    }

    /// What follows `ltl`.
    pub(super) fn ltl(&mut self) -> Result<(), TextError> {
        let name = self.name()?;
        let source = self.source()?;
        let text = self.accept_string();
        self.expect("{")?;
        let start = self.here();
        let temporal = self.temporal()?;
        let text = text.unwrap_or_else(|| self.text_since(start));
        self.expect("}")?;
        self.model.formulas.push(Formula { name, text, source, temporal });
        Ok(())
    }

    fn temporal(&mut self) -> Result<Temporal, TextError> {
        self.nested(|me| {
            if me.accept_word("true") {
                return Ok(Temporal::Const(true));
            }
            if me.accept_word("false") {
                return Ok(Temporal::Const(false));
            }
            if me.accept("{") {
                return me.atom();
            }
            if me.accept("(") {
                return me.two_formulas();
            }
            let make = if me.accept("!") {
                Temporal::Not
            } else if me.accept_word("X") {
                Temporal::Next
            } else if me.accept("<>") {
                Temporal::Eventually
            } else if me.accept("[") {
                me.expect("]")?;
                Temporal::Always
            } else {
                return Err(me.unexpected("a formula"));
            };
            Ok(make(Box::new(me.temporal()?)))
        })
    }

    /// What follows `{`.
    fn atom(&mut self) -> Result<Temporal, TextError> {
        let start = self.here();
        let expr = self.expr(None)?;
        let written = self.text_since(start);
        let text = self.accept_string().unwrap_or(written);
        self.expect("}")?;
        Ok(Temporal::Atom { expr, text })
    }

    /// What follows `(`.
    fn two_formulas(&mut self) -> Result<Temporal, TextError> {
        let left = Box::new(self.temporal()?);
        let make = if self.accept("&&") {
            Temporal::And
        } else if self.accept("||") {
            Temporal::Or
        } else if self.accept("->") {
            Temporal::Implies
        } else if self.accept("<->") {
            Temporal::Equivalent
        } else if self.accept_word("U") {
            Temporal::Until
        } else if self.accept_word("W") {
            Temporal::WeakUntil
        } else if self.accept_word("V") {
            Temporal::Release
        } else {
            return Err(self.unexpected("an operator between two formulas"));
        };
        let right = Box::new(self.temporal()?);
        self.expect(")")?;
        Ok(make(left, right))
    }

    /// What follows `exclusive`.
    pub(super) fn exclusive(&mut self) -> Result<(), TextError> {
        let sending = self.accept_word("send");
        if !sending {
            self.expect_word("receive")?;
        }
        let proctype = self.proctype()?;
        self.expect("(")?;
        let channel = self.expr(Some(proctype))?;
        self.expect(")")?;
        let source = self.source()?;
        let proctype = ProcTypeId::at(proctype);
        self.model.exclusives.push(Exclusive { proctype, channel, sending, source });
        Ok(())
    }

    /// What follows `cluster`.
    pub(super) fn cluster(&mut self) -> Result<(), TextError> {
        let name = self.name()?;
        let source = self.source()?;
        self.expect("{")?;
        let members = self.list_to("}", |me| {
            let proctype = ProcTypeId::at(me.proctype()?);
            let pid = if me.accept("[") {
                let pid = me.number()?;
                me.expect("]")?;
                Some(Pid(pid))
            } else {
                None
            };
            Ok(Member { proctype, pid })
        })?;
        self.model.clusters.push(Cluster { name, members, source });
        Ok(())
    }
}
