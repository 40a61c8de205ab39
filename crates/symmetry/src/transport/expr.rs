//! Expressions and places after a permutation.

use isospin_model::{
    BinaryOp, ChannelOwner, ElementIndex, Expr, Index, Place, ProcTypeId, ReceiveArg, Region,
};

use super::{Reason, Transport};
use crate::cut::becomes_name;
use crate::flow::slot_of;
use crate::normal::{fold, normal};
use crate::sorts::Site;
use crate::tables::Table;

impl Transport<'_, '_> {
    /// An expression must stay what it is.
    pub(super) fn fixed(&mut self, site: Site, expr: &Expr) -> Result<(), Reason> {
        self.observer(site, expr, &[], 0).map(|_| ())
    }

    /// An expression that a property looks at must stay what it is, number `k`, or become one of
    /// `others`: says which.
    pub(super) fn observer(
        &mut self,
        site: Site,
        expr: &Expr,
        others: &[&Expr],
        k: usize,
    ) -> Result<usize, Reason> {
        let moved = self.truth(site, &fold(expr))?;
        let sorted = self.sorted(None, &moved);
        let is = |other: &Expr| {
            let other = fold(other);
            moved == other || sorted == self.sorted(None, &other)
        };
        if is(expr) {
            return Ok(k);
        }
        let found = others.iter().position(|other| is(other));
        found.ok_or_else(|| "one of the names is written out".to_owned())
    }

    /// The expression in a form in which the order of operands does not show, where it may not.
    pub(super) fn sorted(&self, site: Option<Site>, expr: &Expr) -> Expr {
        if self.cannot_fail(site, expr) {
            normal(expr)
        } else {
            expr.clone()
        }
    }

    /// An expression of which only counts whether it is 0.
    pub(super) fn truth(&mut self, site: Site, expr: &Expr) -> Result<Expr, Reason> {
        let node = self.sorts.value(site, expr);
        let table = self.tables.of(self.sorts, node).clone();
        if table.0[0] != 0 && !matches!(expr, Expr::Binary(..)) {
            return Err("a name is used as a truth value".to_owned());
        }
        match expr {
            Expr::Load(_) | Expr::Pid | Expr::Last => self.expr(site, expr, &table),
            _ => self.expr(site, expr, &Table::default()),
        }
    }

    pub(super) fn field(
        &mut self,
        site: Site,
        channel: &Expr,
        tag: Option<i32>,
        k: usize,
    ) -> Table {
        let node = self.sorts.argument(site, channel, tag, k, false);
        self.tables.of(self.sorts, node).clone()
    }

    pub(super) fn pattern(
        &mut self,
        site: Site,
        to: usize,
        channel: &Expr,
        pattern: &[ReceiveArg],
    ) -> Result<Vec<ReceiveArg>, Reason> {
        let tag = self.sorts.tag_of_pattern(pattern);
        let mut moved = Vec::new();
        for (k, arg) in pattern.iter().enumerate() {
            let table = self.field(site, channel, tag, k);
            moved.push(match arg {
                ReceiveArg::Match(e) => ReceiveArg::Match(self.expr(site, &fold(e), &table)?),
                ReceiveArg::Store(place) => {
                    let node = self.sorts.place(site, to, place);
                    if *self.tables.of(self.sorts, Some(node)) != table {
                        return Err("a name is received as a number".to_owned());
                    }
                    fits(&table, place)?;
                    ReceiveArg::Store(self.place(site, place)?)
                }
                ReceiveArg::Ignore => ReceiveArg::Ignore,
            });
        }
        Ok(moved)
    }

    pub(super) fn channel(&mut self, site: Site, expr: &Expr) -> Result<Expr, Reason> {
        let table = self.tables.channel.clone();
        self.expr(site, &fold(expr), &table)
    }

    /// The place after the permutation.
    pub(super) fn place(&mut self, site: Site, place: &Place) -> Result<Place, Reason> {
        let (slots, ty) = match &place.region {
            Region::Global => (&self.model.layout.slots, None),
            Region::Local => (&self.model.proctypes[site.ty.index()].frame.slots, Some(site.ty)),
            Region::Remote { proctype, .. } => {
                (&self.model.proctypes[proctype.index()].frame.slots, Some(*proctype))
            }
        };
        let k = slot_of(slots, place);
        let nodes = match ty {
            None => self.sorts.global_dims(k),
            Some(ty) => self.sorts.local_dims(ty, k),
        };
        let region = match &place.region {
            Region::Remote { proctype, pid } => {
                Region::Remote { proctype: *proctype, pid: self.process(site, *proctype, pid)? }
            }
            region => region.clone(),
        };
        let slot = &slots[k];
        let (mut offset, mut moved) = (slot.offset, Vec::new());
        let given = slot.element(place).unwrap_or_default();
        for ((index, (len, stride)), node) in given.into_iter().zip(slot.dimensions()).zip(nodes) {
            let table = self.tables.of(self.sorts, Some(node)).clone();
            match index {
                ElementIndex::Known(k) => offset += table.map(k as i32) as u32 * stride,
                ElementIndex::Computed(i) => match self.expr(site, &fold(&i.expr), &table)? {
                    Expr::Const(k) if k >= 0 && (k as u32) < len => offset += k as u32 * stride,
                    expr => moved.push(Index { expr, len, stride }),
                },
            }
        }
        Ok(Place { region, offset, indices: moved, ty: place.ty })
    }

    /// The number of a process of a type, after the permutation.
    fn process(
        &mut self,
        site: Site,
        ty: ProcTypeId,
        pid: &Option<Box<Expr>>,
    ) -> Result<Option<Box<Expr>>, Reason> {
        let table = self.tables.pid.clone();
        match pid {
            Some(pid) => Ok(Some(Box::new(self.expr(site, &fold(pid), &table)?))),
            None => {
                if self.startup.instances(ty).any(|p| usize::from(table.0[p]) != p) {
                    Err("the oldest process of a type is meant, whichever it is".to_owned())
                } else {
                    Ok(None)
                }
            }
        }
    }

    /// The expression after the permutation, where its value is renamed as `table` says.
    pub(super) fn expr(&mut self, site: Site, expr: &Expr, table: &Table) -> Result<Expr, Reason> {
        let plain = Table::default();
        let number = |own: &Table| {
            if own == table {
                Ok(())
            } else {
                Err("a name is used as a number".to_owned())
            }
        };
        Ok(match expr {
            Expr::Const(value) => {
                self.keeps_off(*value, table)?;
                Expr::Const(table.map(*value))
            }
            Expr::Timeout | Expr::NonProgress | Expr::ProcessCount => {
                number(&plain)?;
                expr.clone()
            }
            Expr::Pid | Expr::Last => {
                number(&self.tables.pid)?;
                expr.clone()
            }
            Expr::Load(place) => {
                let node = self.sorts.place(site, site.point, place);
                number(self.tables.of(self.sorts, Some(node)))?;
                Expr::Load(self.place(site, place)?)
            }
            Expr::Unary(op, e) => {
                number(&plain)?;
                let e = match op {
                    isospin_model::UnaryOp::Not => self.truth(site, e)?,
                    _ => self.expr(site, e, &plain)?,
                };
                Expr::unary(*op, e)
            }
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                number(&plain)?;
                Expr::binary(*op, self.truth(site, a)?, self.truth(site, b)?)
            }
            Expr::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), a, b)
                if !is_computed(a) && !is_computed(b) =>
            {
                number(&plain)?;
                self.equal(site, *op, a, b)?
            }
            Expr::Binary(op, a, b) => {
                if !self.names_in(site, expr) {
                    number(&plain)?;
                    let (a, b) = (self.expr(site, a, &plain)?, self.expr(site, b, &plain)?);
                    return Ok(Expr::binary(*op, a, b));
                }
                match (self.computed(site, expr, table), op) {
                    (Ok(moved), _) => moved,
                    (Err(why), BinaryOp::Equal | BinaryOp::NotEqual) => {
                        number(&plain)?;
                        self.equal(site, *op, a, b).map_err(|_| why)?
                    }
                    (Err(why), _) => return Err(why),
                }
            }
            Expr::Conditional(c, a, b) => Expr::Conditional(
                Box::new(self.truth(site, c)?),
                Box::new(self.expr(site, a, table)?),
                Box::new(self.expr(site, b, table)?),
            ),
            Expr::ChannelId { owner, first, index } => {
                number(&self.tables.channel.clone())?;
                let moved = match (owner, index) {
                    (ChannelOwner::Global, None) => {
                        let number = table.map(i32::from(*first) + 1);
                        return Ok(Expr::ChannelId {
                            owner: *owner,
                            first: number as u16 - 1,
                            index: None,
                        });
                    }
                    (ChannelOwner::Executing, None) => None,
                    (_, Some(index)) => {
                        let array = crate::sorts::ChannelArray {
                            owner: (*owner == ChannelOwner::Executing).then_some(site.ty),
                            first: *first,
                            len: index.len,
                            stride: index.stride,
                        };
                        let node = self.sorts.array(&array);
                        let own = self.tables.of(self.sorts, node).clone();
                        let expr = self.expr(site, &fold(&index.expr), &own)?;
                        Some(Box::new(Index { expr, len: index.len, stride: index.stride }))
                    }
                };
                Expr::ChannelId { owner: *owner, first: *first, index: moved }
            }
            Expr::Len(e) | Expr::Full(e) | Expr::Empty(e) => {
                number(&plain)?;
                let e = Box::new(self.channel(site, e)?);
                match expr {
                    Expr::Len(_) => Expr::Len(e),
                    Expr::Full(_) => Expr::Full(e),
                    _ => Expr::Empty(e),
                }
            }
            Expr::Poll { channel, pattern, random } => {
                number(&plain)?;
                let pattern = self.pattern(site, site.point, channel, pattern)?;
                let channel = Box::new(self.channel(site, channel)?);
                Expr::Poll { channel, pattern, random: *random }
            }
            Expr::Run { .. } => return Err("a process is started".to_owned()),
            Expr::Enabled(e) | Expr::PcValue(e) | Expr::Priority(e) => {
                number(&plain)?;
                let pids = self.tables.pid.clone();
                let e = Box::new(self.expr(site, &fold(e), &pids)?);
                match expr {
                    Expr::Enabled(_) => Expr::Enabled(e),
                    Expr::PcValue(_) => Expr::PcValue(e),
                    _ => Expr::Priority(e),
                }
            }
            Expr::AtLocation { proctype, pid, location } => {
                number(&plain)?;
                let pid = self.process(site, *proctype, pid)?;
                Expr::AtLocation { proctype: *proctype, pid, location: *location }
            }
        })
    }

    /// Two names that are compared.
    fn equal(&mut self, site: Site, op: BinaryOp, a: &Expr, b: &Expr) -> Result<Expr, Reason> {
        let node = self.sorts.value(site, a).or_else(|| self.sorts.value(site, b));
        let own = self.tables.of(self.sorts, node).clone();
        Ok(Expr::binary(op, self.expr(site, a, &own)?, self.expr(site, b, &own)?))
    }

    /// A number that is no name must not become one where it is cut off to be stored.
    pub(super) fn keeps_off(&self, value: i32, table: &Table) -> Result<(), Reason> {
        if becomes_name(&self.types, value, table) {
            Err(format!("{value} becomes a name where it is cut off to be stored"))
        } else {
            Ok(())
        }
    }
}

/// Whether the value is computed from others.
fn is_computed(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Binary(BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Modulo, ..)
            | Expr::Binary(BinaryOp::Multiply | BinaryOp::Divide, ..)
    )
}

/// Names must survive being stored.
pub(super) fn fits(table: &Table, place: &Place) -> Result<(), Reason> {
    if table.moved().all(|v| place.ty.truncate(v as i32) == v as i32) {
        Ok(())
    } else {
        Err("a name is cut off where it is stored".to_owned())
    }
}
