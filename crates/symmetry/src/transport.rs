//! Whether a permutation is an automorphism: whether the model does after it what it did before.
//!
//! A permutation acts on states: it moves processes, elements of arrays and channels, and renames
//! the values of variables and message fields by their sort. Every edge is *transported*: the
//! constants in it are renamed, and what comes out is compared with what stands there. If all edges
//! go over into edges, then a step from `s` to `t` is one from `p(s)` to `p(t)`, which is all that
//! symmetry reduction needs (an automorphism of the transition relation; the initial state need not
//! be fixed, because a state and its image are then bisimilar wherever they come from).

use isospin_model::{
    Action, BinaryOp, ChannelOwner, Expr, Index, Model, Place, ProcTypeId, ReceiveArg, Region,
    Scalar, SourceRef,
};

use crate::cut::becomes_name;
use crate::flow::{dims, indices, slot_of, Arc, Flow};
use crate::loops::Loop;
use crate::normal::{apply, fold, normal};
use crate::sorts::{is_starting, Site, Sorts};
use crate::startup::Startup;
use crate::tables::{Table, Tables};

/// Why a permutation is not an automorphism, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// Where in the source.
    pub source: SourceRef,
    /// What stands there.
    pub text: String,
    /// What is wrong with it.
    pub why: String,
}

/// What a check needs to know.
pub struct Transport<'c, 'm> {
    /// The model.
    pub model: &'m Model,
    /// The graphs of its process types.
    pub flows: &'c [Flow<'m>],
    /// What is there once everything has been started.
    pub startup: &'c Startup,
    /// The sorts.
    pub sorts: &'c mut Sorts<'m>,
    /// Loops over all members, of each process type.
    pub loops: &'c [Vec<Loop>],
    /// The permutation.
    pub tables: &'c Tables,
    /// The types of everything that holds names.
    pub types: Vec<Scalar>,
}

type Why = String;

impl Transport<'_, '_> {
    /// Checks all edges, and `observers`, the expressions that properties look at.
    pub fn check(&mut self, observers: &[&Expr]) -> Result<(), Breach> {
        for ty in 0..self.flows.len() {
            self.check_type(ty as ProcTypeId)?;
        }
        for expr in observers {
            let site = Site { ty: 0, point: 0 };
            if let Err(why) = self.fixed(site, expr) {
                let text = String::new();
                return Err(Breach { source: SourceRef::default(), text, why });
            }
        }
        Ok(())
    }

    fn check_type(&mut self, ty: ProcTypeId) -> Result<(), Breach> {
        let flows = self.flows;
        let flow = &flows[ty as usize];
        if self.startup.instances(ty).next().is_none() {
            return Ok(());
        }
        let loops = self.loops;
        let mut from = 0;
        while from < flow.arcs.len() {
            // The arcs out of a point lie side by side.
            let point = flow.arcs[from].from;
            let mut to = from;
            while to < flow.arcs.len() && flow.arcs[to].from == point {
                to += 1;
            }
            let ordered = point >= flow.locations;
            let (mut theirs, mut ours) = (Vec::new(), Vec::new());
            for arc in &flow.arcs[from..to] {
                if is_starting(flow, &self.startup.starting[ty as usize], arc.edge) {
                    continue;
                }
                if let Some(over) = loops[ty as usize].iter().find(|l| l.is_control(flow, arc)) {
                    self.check_range(ty, over).map_err(|why| breach(flow, arc, why))?;
                    continue;
                }
                let site = Site { ty, point };
                let moved = self.action(site, arc).map_err(|why| breach(flow, arc, why))?;
                if let Some((moved, same)) = moved {
                    if ordered {
                        let why = "a name is written out, and the order of a deterministic \
                                   sequence counts";
                        return Err(breach(flow, arc, why.to_owned()));
                    }
                    theirs.push((format!("{moved:?}"), arc));
                    ours.push(format!("{same:?}"));
                }
            }
            // What was moved must be there, with the same target.
            for (moved, arc) in &theirs {
                let found = theirs
                    .iter()
                    .zip(&ours)
                    .position(|((_, other), ours)| ours == moved && same_way(flow, arc, other));
                if found.is_none() {
                    let why = "one of the names is written out here, and not the others";
                    return Err(breach(flow, arc, why.to_owned()));
                }
            }
            from = to;
        }
        if let Some(provided) = &flow.proctype.provided {
            let site = Site { ty, point: 0 };
            self.fixed(site, provided).map_err(|why| Breach {
                source: flow.proctype.source,
                text: "provided".to_owned(),
                why,
            })?;
        }
        Ok(())
    }

    /// The members that a loop goes over must be those of a whole set.
    fn check_range(&mut self, ty: ProcTypeId, over: &Loop) -> Result<(), Why> {
        let node = self.sorts.local(ty, over.slot, over.head);
        let table = self.tables.of(self.sorts, Some(node));
        if table.is_identity() {
            return Ok(());
        }
        let inside = |v: usize| (over.low..=over.high).contains(&(v as i32));
        for v in table.moved() {
            if inside(v) != inside(usize::from(table.0[v])) {
                return Err("the loop goes over some of the names and not over others".to_owned());
            }
        }
        self.keeps_off(over.high.wrapping_add(1), &table.clone())?;
        match &over.obstacle {
            None => Ok(()),
            Some(why) => Err(why.clone()),
        }
    }

    /// The action as it is and as it is after the permutation; `None` where these are the same.
    fn action(&mut self, site: Site, arc: &Arc) -> Result<Option<(Action, Action)>, Why> {
        let to = arc.to;
        let same = match arc.action {
            Action::Condition(e) => Action::Condition(fold(e)),
            Action::Assert(e) => Action::Assert(fold(e)),
            action => action.clone(),
        };
        let moved = match &same {
            Action::Skip | Action::Else | Action::End | Action::DetStep(_) => return Ok(None),
            // What is printed is no part of the state.
            Action::Print { .. } | Action::PrintSymbol(_) => return Ok(None),
            Action::Condition(e) => Action::Condition(self.truth(site, e)?),
            Action::Assert(e) => Action::Assert(self.truth(site, e)?),
            Action::Assign(None, e) => {
                // The value is dropped; only whether it can be computed counts.
                let node = self.sorts.value(site, e);
                let table = self.tables.of(self.sorts, node).clone();
                Action::Assign(None, self.expr(site, e, &table)?)
            }
            Action::Assign(Some(place), e) => {
                let node = self.sorts.place(site, to, place);
                let table = self.tables.of(self.sorts, Some(node)).clone();
                fits(&table, place)?;
                let value = self.expr(site, &fold(e), &table)?;
                let moved = Action::Assign(Some(self.place(site, place)?), value);
                let same = Action::Assign(Some(place.clone()), fold(e));
                return Ok((moved != same).then_some((moved, same)));
            }
            Action::Send { channel, args, sorted } => {
                let tag = self.sorts.tag_of_message(args);
                let mut moved = Vec::new();
                for (k, arg) in args.iter().enumerate() {
                    let table = self.field(site, channel, tag, k);
                    if *sorted && !table.is_identity() {
                        return Err("messages are sorted by a name".to_owned());
                    }
                    moved.push(self.expr(site, arg, &table)?);
                }
                let channel = self.channel(site, channel)?;
                Action::Send { channel, args: moved, sorted: *sorted }
            }
            Action::Receive { channel, pattern, random, copy } => {
                let pattern = self.pattern(site, to, channel, pattern)?;
                let channel = self.channel(site, channel)?;
                Action::Receive { channel, pattern, random: *random, copy: *copy }
            }
            Action::SetPriority { pid, priority } => {
                let table = self.tables.pid.clone();
                let pid = self.expr(site, pid, &table)?;
                let priority = self.expr(site, priority, &Table::default())?;
                Action::SetPriority { pid, priority }
            }
        };
        if moved == same {
            return Ok(None);
        }
        let sorted = |action: &Action| match action {
            Action::Condition(e) if cannot_fail(e) => Action::Condition(normal(e)),
            Action::Assert(e) if cannot_fail(e) => Action::Assert(normal(e)),
            action => action.clone(),
        };
        let (moved, same) = (sorted(&moved), sorted(&same));
        Ok((moved != same).then_some((moved, same)))
    }

    /// An expression that a property looks at must stay what it is.
    fn fixed(&mut self, site: Site, expr: &Expr) -> Result<(), Why> {
        let same = fold(expr);
        let moved = self.truth(site, &same)?;
        let sorted = |e: &Expr| if cannot_fail(e) { normal(e) } else { e.clone() };
        match moved == same || sorted(&moved) == sorted(&same) {
            true => Ok(()),
            false => Err("one of the names is written out".to_owned()),
        }
    }

    /// An expression of which only counts whether it is 0.
    fn truth(&mut self, site: Site, expr: &Expr) -> Result<Expr, Why> {
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

    fn field(&mut self, site: Site, channel: &Expr, tag: Option<i32>, k: usize) -> Table {
        let node = self.sorts.argument(site, channel, tag, k, false);
        self.tables.of(self.sorts, node).clone()
    }

    fn pattern(
        &mut self,
        site: Site,
        to: usize,
        channel: &Expr,
        pattern: &[ReceiveArg],
    ) -> Result<Vec<ReceiveArg>, Why> {
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

    fn channel(&mut self, site: Site, expr: &Expr) -> Result<Expr, Why> {
        let table = self.tables.channel.clone();
        self.expr(site, &fold(expr), &table)
    }

    /// The place after the permutation.
    fn place(&mut self, site: Site, place: &Place) -> Result<Place, Why> {
        let (slots, ty) = match &place.region {
            Region::Global => (&self.model.layout.slots, None),
            Region::Local => (&self.model.proctypes[site.ty as usize].frame.slots, Some(site.ty)),
            Region::Remote { proctype, .. } => {
                (&self.model.proctypes[*proctype as usize].frame.slots, Some(*proctype))
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
        let given = indices(slot, place);
        for ((index, (len, stride)), node) in given.into_iter().zip(dims(slot)).zip(nodes) {
            let table = self.tables.of(self.sorts, Some(node)).clone();
            match index {
                Err(k) => offset += table.map(k as i32) as u32 * stride,
                Ok(expr) => match self.expr(site, &fold(expr), &table)? {
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
    ) -> Result<Option<Box<Expr>>, Why> {
        let table = self.tables.pid.clone();
        match pid {
            Some(pid) => Ok(Some(Box::new(self.expr(site, &fold(pid), &table)?))),
            None => match self.startup.instances(ty).any(|p| usize::from(table.0[p]) != p) {
                true => Err("the oldest process of a type is meant, whichever it is".to_owned()),
                false => Ok(None),
            },
        }
    }

    /// The expression after the permutation, where its value is renamed as `table` says.
    fn expr(&mut self, site: Site, expr: &Expr, table: &Table) -> Result<Expr, Why> {
        let plain = Table::default();
        let number = |own: &Table| match own == table {
            true => Ok(()),
            false => Err("a name is used as a number".to_owned()),
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
                let node = self.sorts.value(site, a).or_else(|| self.sorts.value(site, b));
                let own = self.tables.of(self.sorts, node).clone();
                Expr::binary(*op, self.expr(site, a, &own)?, self.expr(site, b, &own)?)
            }
            Expr::Binary(op, a, b) => {
                if self.names_in(site, expr) {
                    self.computed(site, expr, table)?;
                    return Ok(expr.clone());
                }
                number(&plain)?;
                Expr::binary(*op, self.expr(site, a, &plain)?, self.expr(site, b, &plain)?)
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

    /// A number that is no name must not become one where it is cut off to be stored.
    fn keeps_off(&self, value: i32, table: &Table) -> Result<(), Why> {
        match becomes_name(&self.types, value, table) {
            true => Err(format!("{value} becomes a name where it is cut off to be stored")),
            false => Ok(()),
        }
    }

    /// Whether the value depends on names that the permutation moves.
    fn names_in(&mut self, site: Site, expr: &Expr) -> bool {
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
    fn computed(&mut self, site: Site, expr: &Expr, table: &Table) -> Result<(), Why> {
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

/// Whether the value is computed from others.
fn is_computed(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Binary(BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Modulo, ..)
            | Expr::Binary(BinaryOp::Multiply | BinaryOp::Divide, ..)
    )
}

/// Names must survive being stored.
fn fits(table: &Table, place: &Place) -> Result<(), Why> {
    match table.moved().all(|v| place.ty.truncate(v as i32) == v as i32) {
        true => Ok(()),
        false => Err("a name is cut off where it is stored".to_owned()),
    }
}

/// Whether the expression can be evaluated in every state: operands may then change places.
fn cannot_fail(expr: &Expr) -> bool {
    !expr.any(&|e| match e {
        Expr::Binary(BinaryOp::Divide | BinaryOp::Modulo, _, b) => {
            !matches!(**b, Expr::Const(v) if v != 0)
        }
        Expr::Load(place) => {
            !place.indices.is_empty() || matches!(place.region, Region::Remote { .. })
        }
        Expr::ChannelId { index, .. } => index.is_some(),
        Expr::Len(c) | Expr::Full(c) | Expr::Empty(c) => {
            !matches!(**c, Expr::ChannelId { index: None, .. })
        }
        Expr::Poll { .. } => true,
        _ => false,
    })
}

fn same_way(flow: &Flow, a: &Arc, b: &Arc) -> bool {
    let edges = &flow.proctype.automaton.edges;
    let (x, y) = (&edges[a.edge as usize], &edges[b.edge as usize]);
    x.target == y.target && x.atomic == y.atomic && x.escape == y.escape && x.resets == y.resets
}

fn breach(flow: &Flow, arc: &Arc, why: Why) -> Breach {
    let edge = &flow.proctype.automaton.edges[arc.edge as usize];
    Breach { source: arc.source, text: edge.text.clone(), why }
}
