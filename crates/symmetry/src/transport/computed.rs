//! Names that are computed with, as neighbours on a ring are.
//!
//! `(me + 1) % N` can be renamed where `me` is a constant of the process: then its value is known
//! for every process, and what it is after a permutation is known as well. A reflection makes of it
//! what `(me + N - 1) % N` is, which is seen when both are written as what they are for each process.

use isospin_model::{BinaryOp, Expr, Index, Region};

use super::{Reason, Transport};
use crate::normal::map;
use crate::sorts::{is_starting, Site};
use crate::tables::Table;

impl Transport<'_, '_> {
    /// Whether the value depends on names that the permutation moves.
    pub(super) fn names_in(&mut self, site: Site, expr: &Expr) -> bool {
        match expr {
            Expr::Binary(_, a, b) => self.names_in(site, a) || self.names_in(site, b),
            Expr::Unary(_, e) => self.names_in(site, e),
            expr => {
                let node = self.sorts.value(site, expr);
                !self.tables.of(self.sorts, node).is_identity()
            }
        }
    }

    /// An expression over constants of the process, after the permutation: what it is for a process
    /// becomes, renamed, what it is for the process that takes its place.
    pub(super) fn computed(
        &mut self,
        site: Site,
        expr: &Expr,
        table: &Table,
    ) -> Result<Expr, Reason> {
        let Some(values) = self.by_process(site, expr) else {
            return self.commuting(site, expr, table);
        };
        let mut moved = Vec::new();
        for &(pid, value) in &values {
            self.keeps_off(value, table)?;
            moved.push((self.tables.pid.map(pid), table.map(value)));
        }
        moved.sort_unstable();
        self.computes |= moved != values;
        Ok(cases(&moved))
    }

    /// An expression over constants and one global variable that may change: it stays what it is,
    /// if to compute it and to rename the value comes to the same as to rename the variable and to
    /// compute it, for every value that the variable can hold.
    fn commuting(&mut self, site: Site, expr: &Expr, table: &Table) -> Result<Expr, Reason> {
        let why = || "names that may change are compared by size, or computed with".to_owned();
        let variable = only_variable(expr).ok_or_else(why)?;
        let Expr::Load(place) = variable else { return Err(why()) };
        let slot = self.global_slot(variable).ok_or_else(why)?;
        let held = match self.held.take() {
            Some(held) => held,
            None => self.held(),
        };
        let values = held.of(slot).cloned();
        self.held = Some(held);
        let node = self.sorts.place(site, site.point, place);
        let own = self.tables.of(self.sorts, Some(node)).clone();
        for value in values.ok_or_else(why)? {
            let of = |value| value_for(expr, value).ok_or_else(why);
            let computed = of(value)?;
            self.keeps_off(computed, table)?;
            if table.map(computed) != of(own.map(value))? {
                return Err(why());
            }
        }
        let moved = Expr::Load(self.place(site, place)?);
        Ok(replaced(expr, variable, &moved))
    }

    /// The value of an expression for each process of the type, if it depends on nothing else.
    pub(crate) fn by_process(&self, site: Site, expr: &Expr) -> Option<Vec<(i32, i32)>> {
        let pids = self.startup.instances(site.ty);
        let values: Option<Vec<_>> =
            pids.map(|pid| Some((pid as i32, self.evaluate(site, expr, pid)?))).collect();
        values.filter(|v| !v.is_empty())
    }

    /// The value of an expression over constants of process `pid`.
    fn evaluate(&self, site: Site, expr: &Expr, pid: usize) -> Option<i32> {
        match expr {
            Expr::Const(value) => Some(*value),
            Expr::Pid => Some(pid as i32),
            Expr::Unary(op, e) => Some(op.apply(self.evaluate(site, e, pid)?)),
            Expr::Binary(op, a, b) => {
                let a = self.evaluate(site, a, pid)?;
                match op.decided_by(a) {
                    Some(value) => Some(value),
                    None => op.apply(a, self.evaluate(site, b, pid)?).ok(),
                }
            }
            Expr::Conditional(c, a, b) => match self.evaluate(site, c, pid)? {
                0 => self.evaluate(site, b, pid),
                _ => self.evaluate(site, a, pid),
            },
            Expr::Load(place) if place.region == Region::Local && place.indices.is_empty() => {
                let flow = &self.flows[site.ty.index()];
                let slot = flow.slot(place);
                let starting = &self.startup.starting[site.ty.index()];
                if flow.is_written(slot, |a| is_starting(flow, starting, a.edge)) {
                    None
                } else {
                    self.startup.constant(self.model, pid, slot)
                }
            }
            _ => None,
        }
    }

    /// The expression with everything that is computed from constants of the process written as
    /// what it is for each process.
    pub(super) fn settled(&self, site: Site, expr: &Expr) -> Expr {
        let is_computed =
            matches!(expr, Expr::Binary(..) | Expr::Unary(..) | Expr::Conditional(..));
        match self.by_process(site, expr).filter(|_| is_computed) {
            Some(values) => cases(&values),
            None => map(expr, &mut |e| self.settled(site, e)),
        }
    }

    /// Whether the expression can be evaluated in every state: operands may then change places.
    /// Without a site, nobody in particular evaluates it.
    pub(super) fn cannot_fail(&self, site: Option<Site>, expr: &Expr) -> bool {
        let inside = |index: &Index| {
            let all = site.and_then(|site| self.by_process(site, &index.expr));
            all.is_some_and(|v| v.iter().all(|&(_, k)| k >= 0 && (k as u32) < index.len))
        };
        expr.always_has_value(&inside)
    }
}

/// The one thing in an expression that is no constant, if operators and constants are all there is
/// beside it.
fn only_variable(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Load(_) => Some(expr),
        Expr::Unary(_, e) => only_variable(e),
        Expr::Binary(_, a, b) => match (&**a, &**b) {
            (Expr::Const(_), e) | (e, Expr::Const(_)) => only_variable(e),
            (a, b) => only_variable(a).filter(|v| Some(*v) == only_variable(b)),
        },
        _ => None,
    }
}

/// The value of such an expression for a value of its variable.
fn value_for(expr: &Expr, value: i32) -> Option<i32> {
    match expr {
        Expr::Load(_) => Some(value),
        Expr::Const(value) => Some(*value),
        Expr::Unary(op, e) => Some(op.apply(value_for(e, value)?)),
        Expr::Binary(op, a, b) => {
            let a = value_for(a, value)?;
            match op.decided_by(a) {
                Some(value) => Some(value),
                None => op.apply(a, value_for(b, value)?).ok(),
            }
        }
        _ => None,
    }
}

fn replaced(expr: &Expr, what: &Expr, by: &Expr) -> Expr {
    if expr == what {
        by.clone()
    } else {
        map(expr, &mut |e| replaced(e, what, by))
    }
}

/// What is this for that process: an expression that says no more than that.
fn cases(values: &[(i32, i32)]) -> Expr {
    let Some((&(_, last), others)) = values.split_last() else { return Expr::Const(0) };
    if others.iter().all(|o| o.1 == last) {
        return Expr::Const(last);
    }
    others.iter().rev().fold(Expr::Const(last), |rest, &(pid, value)| {
        let is_it = Expr::binary(BinaryOp::Equal, Expr::Pid, Expr::Const(pid));
        Expr::Conditional(Box::new(is_it), Box::new(Expr::Const(value)), Box::new(rest))
    })
}
