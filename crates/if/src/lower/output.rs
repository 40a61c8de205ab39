//! Signals that are sent: to the environment, to a process, or into a route.

use isospin_model::{Action, BinaryOp, Expr as Value, Failure, Place as Cell, Region, Scalar};

use super::builder::Sequence;
use super::expressions::{binary, both, channel, index, not};
use super::plan::Queue;
use super::Lowering;
use crate::system::{Expr, ExprKind, Owner};

impl Lowering<'_> {
    /// Adds to a sequence what sends a signal.
    pub(super) fn output(
        &mut self,
        signal: usize,
        args: &[Expr],
        via: Option<&Expr>,
        to: Option<&Expr>,
        sequence: &mut Sequence,
    ) {
        let mut values = Vec::new();
        let types = self.system.signals[signal].parameters.clone();
        for (arg, ty) in args.iter().zip(&types) {
            let parts = self.parts(arg);
            let cells = self.types(Scalar::clock(1, 2)).cells(ty);
            let single = cells.len() == 1;
            for (part, known) in parts.iter().zip(&cells) {
                self.ensure_range(part, Some(arg).filter(|_| single), known, sequence);
            }
            values.extend(parts);
        }
        let to = to.map(|to| self.value(to));
        match via {
            None => {
                if let Some(to) = to {
                    self.send(signal, &values, &to, None, sequence);
                }
            }
            Some(via) => self.send_via(signal, &values, via, to, sequence),
        }
    }

    /// Sends a signal to the buffer of a process, if it is there: to one of this kind, or to anyone.
    /// The values are looked at when it is sent.
    pub(super) fn send(
        &mut self,
        signal: usize,
        values: &[Value],
        to: &Value,
        kind: Option<usize>,
        sequence: &mut Sequence,
    ) {
        if !self.plan.buffered {
            return;
        }
        let kind = kind.map_or(Value::Const(1), |process| {
            let (first, most) = self.plan.pids[process];
            self.among(to, first, most)
        });
        let there = match to {
            Value::Const(pid) => {
                let processes = self.plan.pids.iter().zip(&self.plan.mortal);
                let mut of = processes
                    .filter(|((first, most), _)| (*first..first + most).contains(&(*pid as u32)));
                match of.next() {
                    None => Value::Const(0),
                    Some((_, true)) => self.alive(to),
                    Some((_, false)) => Value::Const(1),
                }
            }
            to => self.alive(to),
        };
        let condition = both(kind, there);
        let here = sequence.next();
        match condition {
            // To nobody: it is lost.
            Value::Const(0) => return,
            Value::Const(_) => {}
            condition => sequence.node(vec![
                (Action::Condition(condition), Some(here + 1)),
                (Action::Skip, Some(here + 2)),
            ]),
        }
        let end = sequence.next() + 1;
        let format = &self.plan.format;
        let mut args = vec![Value::Const(0); format.fields.len()];
        args[0] = Value::Const(signal as i32 + 1);
        place_values(&mut args, &format.signals[signal], values);
        let channel = channel(0, to.clone(), self.plan.total);
        sequence.node(vec![
            (Action::Send { channel, args, sorted: false }, Some(end)),
            (Action::Fail(Failure::Overflow(self.choices.buffer)), None),
        ]);
    }

    fn send_via(
        &mut self,
        signal: usize,
        values: &[Value],
        via: &Expr,
        to: Option<Value>,
        sequence: &mut Sequence,
    ) {
        let pid = self.value(via);
        let to = to.unwrap_or(Value::Const(0));
        let only = match &via.kind {
            ExprKind::Instance(Owner::Route(route), _) => Some(*route),
            _ => None,
        };
        for route in 0..self.system.routes.len() {
            let carries = self.system.routes[route].signals.contains(&signal);
            // What goes to the environment is gone.
            let leaves = self.system.routes[route].to.is_none();
            if !carries || leaves || only.is_some_and(|only| only != route) {
                continue;
            }
            for k in 0..self.system.routes[route].count {
                let number = self.plan.route_pids[route].0 + k;
                match binary(BinaryOp::Equal, pid.clone(), Value::Const(number as i32)) {
                    Value::Const(0) => {}
                    Value::Const(_) => self.enqueue(signal, values, route, k, &to, sequence),
                    is_this => {
                        let mut inner = Sequence::new(isospin_model::SourceRef::default(), "");
                        self.enqueue(signal, values, route, k, &to, &mut inner);
                        let here = sequence.next();
                        let end = here + 1 + inner.next();
                        sequence.node(vec![
                            (Action::Condition(is_this), Some(here + 1)),
                            (Action::Skip, Some(end)),
                        ]);
                        sequence.append(inner);
                    }
                }
            }
        }
    }

    /// Puts a signal into an instance of a route.
    fn enqueue(
        &mut self,
        signal: usize,
        values: &[Value],
        route: usize,
        instance: u32,
        to: &Value,
        sequence: &mut Sequence,
    ) {
        let format = &self.plan.route_formats[route];
        let mut args = vec![Value::Const(0); format.fields.len()];
        args[0] = Value::Const(signal as i32 + 1);
        args[1] = to.clone();
        place_values(&mut args, &format.signals[signal], values);
        let of = self.plan.routes[route][instance as usize].clone();
        let room = self.choices.buffer;
        match of.queue {
            Queue::Channel(number) => {
                let queue = channel(number, Value::Const(0), 1);
                if let Some((clock, ty)) = of.rate {
                    // The clock runs while something waits.
                    let here = sequence.next();
                    let empty = Value::Empty(Box::new(queue.clone()));
                    sequence.node(vec![
                        (Action::Condition(empty), Some(here + 1)),
                        (Action::Skip, Some(here + 2)),
                    ]);
                    sequence.then(Action::Assign(Some(global(clock, ty)), Value::Const(1)));
                }
                let next = sequence.next() + 1;
                sequence.node(vec![
                    (Action::Send { channel: queue, args, sorted: false }, Some(next)),
                    (Action::Fail(Failure::Overflow(room)), None),
                ]);
            }
            Queue::Places { len, fields, clock } => {
                let length = global(len, Scalar::unsigned(16));
                let at = Value::Load(length.clone());
                let fits = binary(BinaryOp::Less, at.clone(), Value::Const(room.into()));
                sequence.ensure(fits, Failure::Overflow(room));
                if let Some((clock, ty)) = of.rate {
                    let here = sequence.next();
                    sequence.node(vec![
                        (Action::Condition(not(at.clone())), Some(here + 1)),
                        (Action::Skip, Some(here + 2)),
                    ]);
                    sequence.then(Action::Assign(Some(global(clock, ty)), Value::Const(1)));
                }
                for ((offset, ty), value) in fields.iter().zip(args) {
                    let cell = element(*offset, *ty, at.clone(), room);
                    sequence.then(Action::Assign(Some(cell), value));
                }
                if let Some((offset, ty)) = clock {
                    let cell = element(offset, ty, at.clone(), room);
                    sequence.then(Action::Assign(Some(cell), Value::Const(1)));
                }
                let more = binary(BinaryOp::Add, at, Value::Const(1));
                sequence.then(Action::Assign(Some(length), more));
            }
        }
    }
}

/// Puts the values of a signal's parameters where they go.
fn place_values(args: &mut [Value], fields: &[Option<usize>], values: &[Value]) {
    for (field, value) in fields.iter().zip(values) {
        if let Some(field) = field {
            args[*field] = value.clone();
        }
    }
}

/// A global value.
pub(super) fn global(offset: u32, ty: Scalar) -> Cell {
    Cell { region: Region::Global, offset, indices: Vec::new(), ty }
}

/// An element of a global array.
pub(super) fn element(offset: u32, ty: Scalar, which: Value, len: u16) -> Cell {
    let mut cell = global(offset, ty);
    index(&mut cell, which, len.into(), ty.width());
    cell
}
