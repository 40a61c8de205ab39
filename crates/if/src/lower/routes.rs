//! Routes: processes of their own that take what waits and deliver it.

use isospin_model::{Action, BinaryOp, Expr as Value, Place as Cell, ReceiveArg, Region, Scalar};
use isospin_model::{Segment, Slot, SourceRef, Urgency};

use super::builder::{Builder, Draft, Exit, Sequence};
use super::expressions::{binary, both, channel, either, not};
use super::output::{element, global};
use super::plan::{Instance, Queue, FRAME};
use super::Lowering;
use crate::labels::Part;
use crate::system::{Pace, Reach, Route};

/// What is delivered, while it is.
struct Carried {
    slots: Vec<Slot>,
    cells: Vec<Cell>,
    resets: Vec<(u32, u32)>,
}

/// Whom a step reaches.
#[derive(Clone, Copy)]
enum Target {
    /// Whom it is sent to.
    Addressee,
    /// This one.
    One(u32),
    /// Everybody.
    All,
    /// Nobody: it is lost.
    Nobody,
}

impl Lowering<'_> {
    pub(super) fn route(&mut self, number: usize) {
        let system = self.system;
        let route = &system.routes[number];
        let source = self.source(route.span);
        let carried = self.carried(number);
        for instance in 0..route.count {
            let mut builder = Builder::default();
            let spot = builder.spot(vec!["route".to_owned()], true, source);
            // What comes from the environment is there at once, unless somebody plays it.
            let used = route.from.is_some() || self.choices.played;
            if let Some(to) = route.to.filter(|_| used) {
                let of = self.plan.routes[number][instance as usize].clone();
                let exit = Exit { to: spot, atomic: false };
                for (target, text) in self.targets(route, to) {
                    for draft in self.deliveries(number, &of, &carried, target, source, text) {
                        builder.edge(spot, Draft { exit, ..draft });
                    }
                }
            }
            let (automaton, labels) = builder.build(spot);
            let slots = carried.slots.clone();
            let name = match route.count {
                1 => route.name.clone(),
                _ => format!("{}.{instance}", route.name),
            };
            self.proctype(&name, slots, Vec::new(), automaton, labels, source, 1);
        }
    }

    /// Whom signals of a route may reach, one at a time.
    fn targets(&self, route: &Route, to: usize) -> Vec<(Target, &'static str)> {
        let (first, most) = self.plan.pids[to];
        let mut all: Vec<(Target, &str)> = match route.reach {
            Reach::Peer => vec![(Target::Addressee, "deliver")],
            Reach::Multicast => vec![(Target::All, "deliver to all")],
            Reach::Unicast => {
                (0..most).map(|k| (Target::One(first + k), "deliver to one")).collect()
            }
        };
        if route.lossy {
            all.push((Target::Nobody, "lose"));
        }
        all
    }

    /// Room for a message while it is delivered.
    fn carried(&self, route: usize) -> Carried {
        let (mut slots, mut cells, mut resets) = (Vec::new(), Vec::new(), Vec::new());
        let mut offset = FRAME;
        for (k, ty) in self.plan.route_formats[route].fields.iter().enumerate() {
            let name = match k {
                0 => "signal".to_owned(),
                1 => "to".to_owned(),
                k => format!("value{}", k - 1),
            };
            let path = vec![Segment { name, array: None }];
            slots.push(Slot { path, offset, ty: *ty, parameter: false });
            cells.push(Cell { region: Region::Local, offset, indices: Vec::new(), ty: *ty });
            resets.push((offset, ty.width()));
            offset += ty.width();
        }
        Carried { slots, cells, resets }
    }

    /// The steps in which something that waits is taken and delivered.
    fn deliveries(
        &mut self,
        route: usize,
        of: &Instance,
        carried: &Carried,
        target: Target,
        source: SourceRef,
        text: &str,
    ) -> Vec<Draft> {
        let system = self.system;
        let pace = system.routes[route].pace;
        let room = self.choices.buffer;
        let positions = match of.queue {
            Queue::Places { .. } if system.routes[route].multiset => room,
            _ => 1,
        };
        let mut drafts = Vec::new();
        self.model.statements += 1;
        let statement = self.model.statements - 1;
        for position in 0..positions {
            let mut sequence = Sequence::new(source, text);
            let guard = self.ready(route, of, position, target);
            sequence.then(Action::Condition(guard));
            self.take(of, position, carried, &mut sequence);
            self.deliver(route, carried, target, &mut sequence);
            let urgency = match pace {
                Pace::Urgent => Urgency::Eager,
                Pace::Delay(..) | Pace::Rate(..) => Urgency::Delayable,
            };
            drafts.push(Draft {
                statement,
                action: sequence.action(),
                exit: Exit { to: super::builder::Spot(0), atomic: false },
                urgency,
                resets: carried.resets.clone(),
                source,
                text: text.to_owned(),
                label: vec![Part::Silent],
            });
        }
        drafts
    }

    /// Whether the signal at a position can be delivered now, to this target.
    fn ready(&mut self, route: usize, of: &Instance, position: u16, target: Target) -> Value {
        let system = self.system;
        let mut guard = match &of.queue {
            Queue::Channel(number) => {
                not(Value::Empty(Box::new(channel(*number, Value::Const(0), 1))))
            }
            Queue::Places { len, .. } => {
                let length = Value::Load(global(*len, Scalar::unsigned(16)));
                binary(BinaryOp::Less, Value::Const(position.into()), length)
            }
        };
        let within = |cell: Cell, low: i32, high: i32| {
            let least =
                binary(BinaryOp::GreaterEqual, Value::Load(cell.clone()), Value::Const(low + 1));
            both(least, binary(BinaryOp::LessEqual, Value::Load(cell), Value::Const(high + 1)))
        };
        match (system.routes[route].pace, &of.queue, of.rate) {
            (Pace::Delay(low, high), Queue::Places { clock: Some((at, ty)), .. }, _) => {
                let age = element(*at, *ty, Value::Const(position.into()), self.choices.buffer);
                guard = both(guard, within(age, low, high));
            }
            (Pace::Rate(low, high), _, Some((at, ty))) => {
                guard = both(guard, within(global(at, ty), low, high));
            }
            _ => {}
        }
        let (Target::One(pid), Some(process)) = (target, system.routes[route].to) else {
            return guard;
        };
        // A signal that is sent to somebody goes there, and to nobody else; if nobody is there, it
        // is lost, which the first one stands for.
        let addressed = |to: i32| match &of.queue {
            Queue::Channel(number) => {
                let fields = self.plan.route_formats[route].fields.len();
                let mut pattern = vec![ReceiveArg::Ignore; fields];
                pattern[1] = ReceiveArg::Match(Value::Const(to));
                let channel = Box::new(channel(*number, Value::Const(0), 1));
                Value::Poll { channel, pattern, random: false }
            }
            Queue::Places { fields, .. } => {
                let (at, ty) = fields[1];
                let cell = element(at, ty, Value::Const(position.into()), self.choices.buffer);
                binary(BinaryOp::Equal, Value::Load(cell), Value::Const(to))
            }
        };
        let (first, most) = self.plan.pids[process];
        let anyone = (first..first + most).fold(Value::Const(0), |sum, k| {
            either(sum, self.alive_of(process, &Value::Const(k as i32)))
        });
        let mut here = self.alive_of(process, &Value::Const(pid as i32));
        if pid == first {
            here = either(here, not(anyone));
        }
        let to_me = either(addressed(pid as i32), both(addressed(0), here));
        both(guard, to_me)
    }

    /// Takes the signal at a position out of what waits.
    fn take(&mut self, of: &Instance, position: u16, carried: &Carried, sequence: &mut Sequence) {
        let room = self.choices.buffer;
        let mut left = Value::Const(0);
        match &of.queue {
            Queue::Channel(number) => {
                let queue = channel(*number, Value::Const(0), 1);
                let pattern = carried.cells.iter().cloned().map(ReceiveArg::Store).collect();
                sequence.then(Action::Receive {
                    channel: queue.clone(),
                    pattern,
                    random: false,
                    copy: false,
                    saved: Vec::new(),
                });
                if of.rate.is_some() {
                    left = not(Value::Empty(Box::new(queue)));
                }
            }
            Queue::Places { len, fields, clock } => {
                for ((at, ty), cell) in fields.iter().zip(&carried.cells) {
                    let from = element(*at, *ty, Value::Const(position.into()), room);
                    sequence.then(Action::Assign(Some(cell.clone()), Value::Load(from)));
                }
                for (at, ty) in fields.iter().chain(clock) {
                    for k in position..room {
                        let to = element(*at, *ty, Value::Const(k.into()), room);
                        let value = if k + 1 < room {
                            Value::Load(element(*at, *ty, Value::Const((k + 1).into()), room))
                        } else {
                            Value::Const(0)
                        };
                        sequence.then(Action::Assign(Some(to), value));
                    }
                }
                let length = global(*len, Scalar::unsigned(16));
                let fewer =
                    binary(BinaryOp::Subtract, Value::Load(length.clone()), Value::Const(1));
                sequence.then(Action::Assign(Some(length.clone()), fewer));
                left = Value::Load(length);
            }
        }
        // The clock of deliveries starts again, and stops where nothing waits.
        if let Some((clock, ty)) = of.rate {
            let waits = binary(BinaryOp::NotEqual, left, Value::Const(0));
            sequence.then(Action::Assign(Some(global(clock, ty)), waits));
        }
    }

    /// Puts what was taken into buffers.
    fn deliver(
        &mut self,
        route: usize,
        carried: &Carried,
        target: Target,
        sequence: &mut Sequence,
    ) {
        let system = self.system;
        let of = &system.routes[route];
        let Some(process) = of.to else { return };
        let (first, most) = self.plan.pids[process];
        let targets: Vec<Value> = match target {
            Target::Nobody => return,
            Target::Addressee => vec![Value::Load(carried.cells[1].clone())],
            Target::One(pid) => vec![Value::Const(pid as i32)],
            Target::All => (first..first + most).map(|k| Value::Const(k as i32)).collect(),
        };
        for to in targets {
            for &signal in &of.signals {
                let fields = self.plan.route_formats[route].signals[signal].clone();
                let values: Vec<Value> = fields
                    .iter()
                    .map(|field| match field {
                        Some(field) => Value::Load(carried.cells[*field].clone()),
                        None => Value::Const(0),
                    })
                    .collect();
                let tag = Value::Load(carried.cells[0].clone());
                let is_this = binary(BinaryOp::Equal, tag, Value::Const(signal as i32 + 1));
                let mut inner = Sequence::new(SourceRef::default(), "");
                self.send(signal, &values, &to, Some(process), &mut inner);
                if of.signals.len() == 1 {
                    sequence.append(inner);
                    continue;
                }
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
