//! Expressions and places.

use isospin_model::{BinaryOp, Expr as Value, Index, Place as Spot, Region, Scalar, UnaryOp};
use isospin_model::{LocationId, ProcTypeId};

use super::layout::{Cell, Types};
use super::plan::{Home, Queue};
use super::Lowering;
use crate::system::{Access, Base, Binary, Expr, ExprKind, Owner, Place, Type};

/// More values than this are not tried for one quantifier.
const MAX_VALUES: i64 = 4096;

/// `a op b`, computed where that is possible.
pub(super) fn binary(op: BinaryOp, a: Value, b: Value) -> Value {
    Value::binary(op, a, b).simplified()
}

/// `a && b`.
pub(super) fn both(a: Value, b: Value) -> Value {
    match (&a, &b) {
        (Value::Const(0), _) | (_, Value::Const(1)) => a,
        (Value::Const(1), _) => b,
        _ => Value::binary(BinaryOp::And, a, b),
    }
}

/// `a || b`.
pub(super) fn either(a: Value, b: Value) -> Value {
    match (&a, &b) {
        (Value::Const(1), _) | (_, Value::Const(0)) => a,
        (Value::Const(0), _) => b,
        _ => Value::binary(BinaryOp::Or, a, b),
    }
}

/// `!a`.
pub(super) fn not(a: Value) -> Value {
    Value::unary(UnaryOp::Not, a).simplified()
}

impl Lowering<'_> {
    pub(super) fn types(&self, clock: Scalar) -> Types<'_> {
        Types { system: self.system, clock }
    }

    fn home(&self, place: &Place) -> &Home {
        match &place.base {
            Base::Global(variable) => &self.plan.global_homes[*variable],
            Base::Local(variable) => &self.plan.homes[self.process.unwrap_or(0)][*variable],
            Base::Remote(process, _, variable) => &self.plan.homes[*process][*variable],
        }
    }

    /// Where a place starts, and the type of clocks there.
    fn start(&mut self, place: &Place) -> (Spot, Scalar) {
        let home = self.home(place).clone();
        let mut spot = Spot {
            region: Region::Global,
            offset: home.offset,
            indices: Vec::new(),
            ty: Scalar::BYTE,
        };
        let (owner, pid) = match &place.base {
            Base::Global(_) => (None, Value::Pid),
            Base::Local(_) => (self.process, Value::Pid),
            Base::Remote(process, pid, _) => (Some(*process), self.value(pid)),
        };
        match owner {
            Some(_) if home.shared => {
                if let Some(stride) = home.stride {
                    index(&mut spot, pid, self.plan.total, stride);
                }
            }
            Some(process) if !matches!(place.base, Base::Local(_)) => {
                let proctype = ProcTypeId::at(process + 1);
                spot.region = Region::Remote { proctype, pid: Some(Box::new(pid)) };
            }
            Some(_) => spot.region = Region::Local,
            None => {}
        }
        (spot, home.clock)
    }

    /// Where a value is, its type, and the type of clocks there.
    pub(super) fn locate(&mut self, place: &Place) -> (Spot, Type, Scalar) {
        let (mut spot, clock) = self.start(place);
        let mut ty = self.declared(place);
        for access in &place.path {
            match (access, ty.clone()) {
                (Access::Field(field), Type::Record(record)) => {
                    let (offset, of) = self.types(clock).field(record, *field);
                    spot.offset += offset;
                    ty = of;
                }
                (Access::Index(expr), Type::Array(len, element)) => {
                    let stride = self.types(clock).size(&element);
                    let which = self.value(expr);
                    index(&mut spot, which, len, stride);
                    ty = *element;
                }
                _ => {}
            }
        }
        (spot, ty, clock)
    }

    /// The type of the variable that a place is part of.
    fn declared(&self, place: &Place) -> Type {
        match &place.base {
            Base::Global(variable) => self.system.globals[*variable].ty.clone(),
            Base::Local(variable) => {
                self.system.processes[self.process.unwrap_or(0)].variables[*variable].ty.clone()
            }
            Base::Remote(process, _, variable) => {
                self.system.processes[*process].variables[*variable].ty.clone()
            }
        }
    }

    /// The single values of a place, each with what is known of it.
    pub(super) fn cells(&mut self, place: &Place) -> Vec<(Spot, Cell)> {
        let (spot, ty, clock) = self.locate(place);
        let cells = self.types(clock).cells(&ty);
        cells
            .into_iter()
            .map(|cell| {
                let offset = spot.offset + cell.offset;
                (Spot { offset, ty: cell.ty, ..spot.clone() }, cell)
            })
            .collect()
    }

    /// The place of a single value.
    pub(super) fn single(&mut self, place: &Place) -> Spot {
        let (spot, ty, clock) = self.locate(place);
        let scalar = self.types(clock).scalar(&ty).unwrap_or(Scalar::INT);
        Spot { ty: scalar, ..spot }
    }

    /// The single values of an expression.
    pub(super) fn parts(&mut self, expr: &Expr) -> Vec<Value> {
        match (&expr.kind, &expr.ty) {
            (ExprKind::Read(place), Type::Record(_) | Type::Array(..)) => {
                self.cells(place).into_iter().map(|(spot, _)| Value::Load(spot)).collect()
            }
            (ExprKind::Conditional(condition, a, b), Type::Record(_) | Type::Array(..)) => {
                let condition = self.truth(condition);
                let (a, b) = (self.parts(a), self.parts(b));
                a.into_iter()
                    .zip(b)
                    .map(|(a, b)| {
                        Value::Conditional(Box::new(condition.clone()), Box::new(a), Box::new(b))
                    })
                    .collect()
            }
            _ => vec![self.value(expr)],
        }
    }

    /// A truth value.
    pub(super) fn truth(&mut self, expr: &Expr) -> Value {
        self.value(expr)
    }

    /// The value of an expression that has a single one.
    pub(super) fn value(&mut self, expr: &Expr) -> Value {
        isospin_limits::check();
        match &expr.kind {
            ExprKind::Const(c) => Value::Const(*c),
            ExprKind::Nil => Value::Const(0),
            ExprKind::SelfPid => Value::Pid,
            ExprKind::Bound(number) => Value::Const(self.bound.get(*number).copied().unwrap_or(0)),
            ExprKind::Read(place) => Value::Load(self.single(place)),
            ExprKind::Instance(owner, number) => self.instance(*owner, number),
            ExprKind::Not(e) => not(self.value(e)),
            ExprKind::Negate(e) => Value::unary(UnaryOp::Negate, self.value(e)).simplified(),
            ExprKind::Binary(op, a, b) => self.operation(*op, a, b),
            ExprKind::Conditional(condition, a, b) => {
                let condition = self.value(condition);
                let (a, b) = (self.value(a), self.value(b));
                Value::Conditional(Box::new(condition), Box::new(a), Box::new(b))
            }
            ExprKind::Active(place) => {
                let spot = self.single(place);
                binary(BinaryOp::NotEqual, Value::Load(spot), Value::Const(0))
            }
            ExprKind::TimeValue(place) => {
                let spot = self.single(place);
                let base = base_of(spot.ty);
                binary(BinaryOp::Subtract, Value::Load(spot), Value::Const(base))
            }
            ExprKind::Quantified { all, bound, low, high, body } => {
                if i64::from(*high) - i64::from(*low) >= MAX_VALUES {
                    self.error(
                        expr.span,
                        format!("there are more than {MAX_VALUES} values to try"),
                    );
                    return Value::Const(0);
                }
                let mut sum = Value::Const(i32::from(*all));
                for value in *low..=*high {
                    self.bound.resize(*bound, 0);
                    self.bound.push(value);
                    let next = self.value(body);
                    sum = if *all { both(sum, next) } else { either(sum, next) };
                }
                self.bound.truncate(*bound);
                sum
            }
            ExprKind::At(process, pid, states) => self.at(*process, pid, states),
            ExprKind::Waiting(owner, number) => self.waiting(*owner, number),
        }
    }

    /// The number of an instance among all processes; that of nobody, if there is none.
    fn instance(&mut self, owner: Owner, number: &Expr) -> Value {
        let (first, most) = self.plan.range(owner);
        let (first, most) = (first as i32, most as i32);
        match self.value(number) {
            Value::Const(k) if (0..most).contains(&k) => Value::Const(first + k),
            Value::Const(_) => Value::Const(0),
            k => {
                let low = Value::binary(BinaryOp::GreaterEqual, k.clone(), Value::Const(0));
                let high = Value::binary(BinaryOp::Less, k.clone(), Value::Const(most));
                let inside = Value::binary(BinaryOp::And, low, high);
                let pid = Value::binary(BinaryOp::Add, k, Value::Const(first));
                Value::Conditional(Box::new(inside), Box::new(pid), Box::new(Value::Const(0)))
            }
        }
    }

    fn operation(&mut self, op: Binary, a: &Expr, b: &Expr) -> Value {
        let mirrored = match op {
            Binary::Less => Binary::Greater,
            Binary::LessEqual => Binary::GreaterEqual,
            Binary::Greater => Binary::Less,
            Binary::GreaterEqual => Binary::LessEqual,
            other => other,
        };
        match (&a.kind, &b.kind) {
            (ExprKind::Read(clock), _) if a.ty == Type::Clock => return self.clock(op, clock, b),
            (_, ExprKind::Read(clock)) if b.ty == Type::Clock => {
                return self.clock(mirrored, clock, a);
            }
            _ => {}
        }
        if matches!(a.ty, Type::Record(_) | Type::Array(..)) {
            let (x, y) = (self.parts(a), self.parts(b));
            let same = x
                .into_iter()
                .zip(y)
                .fold(Value::Const(1), |sum, (x, y)| both(sum, binary(BinaryOp::Equal, x, y)));
            return if op == Binary::Equal { same } else { not(same) };
        }
        let (x, y) = (self.value(a), self.value(b));
        match op {
            Binary::And => both(x, y),
            Binary::Or => either(x, y),
            op => binary(operator(op), x, y),
        }
    }

    /// A clock that is compared: false as long as it does not run.
    fn clock(&mut self, op: Binary, clock: &Place, with: &Expr) -> Value {
        let spot = self.single(clock);
        let base = Value::Const(base_of(spot.ty));
        let with = binary(BinaryOp::Add, self.value(with), base);
        let runs = binary(BinaryOp::NotEqual, Value::Load(spot.clone()), Value::Const(0));
        // What does not run is 0, which is less than any value that one that runs is compared with.
        let holds = binary(operator(op), Value::Load(spot), with.clone());
        let at_least = matches!(op, Binary::Greater | Binary::GreaterEqual | Binary::Equal);
        match with {
            Value::Const(c) if at_least && (c > 0 || op == Binary::Greater && c >= 0) => holds,
            _ => both(runs, holds),
        }
    }

    /// Whether an instance is there.
    pub(super) fn alive(&self, pid: &Value) -> Value {
        let Some(at) = self.plan.alive else {
            return binary(BinaryOp::NotEqual, pid.clone(), Value::Const(0));
        };
        let mut spot = Spot {
            region: Region::Global,
            offset: at,
            indices: Vec::new(),
            ty: Scalar::BIT_ELEMENT,
        };
        index(&mut spot, pid.clone(), self.plan.total, 1);
        Value::Load(spot)
    }

    /// Whether an instance of a process is there, where that can be in doubt.
    pub(super) fn alive_of(&self, process: usize, pid: &Value) -> Value {
        if self.plan.mortal[process] {
            return self.alive(pid);
        }
        Value::Const(1)
    }

    fn at(&mut self, process: usize, pid: &Expr, states: &[usize]) -> Value {
        let pid = self.value(pid);
        let proctype = ProcTypeId::at(process + 1);
        let here = states.iter().fold(Value::Const(0), |sum, state| {
            let location = Some(LocationId::at(*state));
            let pid = Some(Box::new(pid.clone()));
            either(sum, Value::AtLocation { proctype, pid, location })
        });
        let (first, most) = self.plan.pids[process];
        let there = match &pid {
            Value::Const(pid) => {
                let inside = *pid >= first as i32 && *pid < (first + most) as i32;
                Value::Const(i32::from(inside))
            }
            pid => self.among(pid, first, most),
        };
        let alive = match there {
            Value::Const(0) => return Value::Const(0),
            _ => self.alive_of(process, &pid),
        };
        both(both(there, alive), here)
    }

    /// Whether a number is one of these.
    pub(super) fn among(&self, pid: &Value, first: u32, count: u32) -> Value {
        if let Value::Const(c) = pid {
            return Value::Const(i32::from((first..first + count).contains(&(*c as u32))));
        }
        // One by one: names are not compared by size.
        (first..first + count).fold(Value::Const(0), |sum, k| {
            either(sum, binary(BinaryOp::Equal, pid.clone(), Value::Const(k as i32)))
        })
    }

    fn waiting(&mut self, owner: Owner, number: &Expr) -> Value {
        let which = self.value(number);
        match owner {
            Owner::Process(process) if self.plan.buffered => {
                let pid =
                    binary(BinaryOp::Add, which, Value::Const(self.plan.pids[process].0 as i32));
                Value::Len(Box::new(channel(0, pid, self.plan.total)))
            }
            Owner::Process(_) => Value::Const(0),
            Owner::Route(route) => {
                let mut sum = Value::Const(0);
                for (k, instance) in self.plan.routes[route].iter().enumerate() {
                    let len = match &instance.queue {
                        Queue::Channel(c) => Value::Len(Box::new(channel(*c, Value::Const(0), 1))),
                        Queue::Places { len, .. } => Value::Load(Spot {
                            region: Region::Global,
                            offset: *len,
                            indices: Vec::new(),
                            ty: Scalar::unsigned(16),
                        }),
                    };
                    let here = binary(BinaryOp::Equal, which.clone(), Value::Const(k as i32));
                    sum = match here {
                        Value::Const(0) => sum,
                        Value::Const(_) => len,
                        here => Value::Conditional(Box::new(here), Box::new(len), Box::new(sum)),
                    };
                }
                sum
            }
        }
    }
}

/// What is stored for a clock of value 0.
pub(super) fn base_of(ty: Scalar) -> i32 {
    match ty.kind {
        isospin_model::Kind::Clock { base, .. } => i32::from(base),
        _ => 0,
    }
}

/// An index into an array; a constant one becomes part of the offset.
pub(super) fn index(spot: &mut Spot, which: Value, len: u32, stride: u32) {
    match which {
        Value::Const(k) if k >= 0 && (k as u32) < len => spot.offset += k as u32 * stride,
        expr => spot.indices.push(Index { expr, len, stride }),
    }
}

/// One of a row of channels, counted from 0.
pub(super) fn channel(first: u16, which: Value, len: u32) -> Value {
    let owner = isospin_model::ChannelOwner::Global;
    match which {
        Value::Const(k) if k >= 0 && (k as u32) < len => {
            Value::ChannelId { owner, first: first + k as u16, index: None }
        }
        expr => {
            let index = Some(Box::new(Index { expr, len, stride: 1 }));
            Value::ChannelId { owner, first, index }
        }
    }
}

fn operator(op: Binary) -> BinaryOp {
    match op {
        Binary::Add | Binary::Concat => BinaryOp::Add,
        Binary::Subtract => BinaryOp::Subtract,
        Binary::Multiply => BinaryOp::Multiply,
        Binary::Divide => BinaryOp::Divide,
        Binary::Modulo => BinaryOp::Modulo,
        Binary::Less => BinaryOp::Less,
        Binary::LessEqual => BinaryOp::LessEqual,
        Binary::Greater => BinaryOp::Greater,
        Binary::GreaterEqual => BinaryOp::GreaterEqual,
        Binary::Equal => BinaryOp::Equal,
        Binary::NotEqual => BinaryOp::NotEqual,
        Binary::And => BinaryOp::And,
        Binary::Or => BinaryOp::Or,
    }
}
