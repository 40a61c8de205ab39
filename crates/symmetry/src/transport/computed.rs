//! Names that are computed with.

use isospin_model::{Expr, Region};

use super::{Transport, Why};
use crate::normal::apply;
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

    /// Names that are computed with, as neighbours on a ring are. The names must be constants of
    /// the process, so that all cases can be tried: for every process, the value after the
    /// permutation must be the renamed value.
    pub(super) fn computed(&mut self, site: Site, expr: &Expr, table: &Table) -> Result<(), Why> {
        let pids: Vec<usize> = self.startup.instances(site.ty).collect();
        for pid in pids {
            let before = self.evaluate(site, expr, pid, false);
            let after = self.evaluate(site, expr, pid, true);
            match (before, after) {
                (Some(before), Some(after)) if table.map(before) == after => {}
                (Some(_), Some(_)) => {
                    return Err("names are compared by size, or computed with".to_owned())
                }
                _ => {
                    let why = "names that may change are compared by size, or computed with";
                    return Err(why.to_owned());
                }
            }
        }
        Ok(())
    }

    /// The value of an expression over constants of process `pid`, before the permutation or after
    /// it.
    fn evaluate(&mut self, site: Site, expr: &Expr, pid: usize, after: bool) -> Option<i32> {
        match expr {
            Expr::Const(value) => Some(*value),
            Expr::Pid => Some(match after {
                true => self.tables.pid.map(pid as i32),
                false => pid as i32,
            }),
            Expr::Binary(op, a, b) => {
                let a = self.evaluate(site, a, pid, after)?;
                apply(*op, a, self.evaluate(site, b, pid, after)?)
            }
            Expr::Load(place) if place.region == Region::Local && place.indices.is_empty() => {
                let flow = &self.flows[site.ty as usize];
                let slot = flow.slot(place);
                let starting = &self.startup.starting[site.ty as usize];
                if flow.is_written(slot, |a| is_starting(flow, starting, a.edge)) {
                    return None;
                }
                let value = self.startup.constant(self.model, pid, slot)?;
                let node = self.sorts.local(site.ty, slot, site.point);
                Some(match after {
                    true => self.tables.of(self.sorts, Some(node)).map(value),
                    false => value,
                })
            }
            _ => None,
        }
    }
}
