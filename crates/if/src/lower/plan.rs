//! Who there is, how signals are written, which variables belong to nobody.

use std::collections::HashMap;

use isospin_model::{
    ChannelType, Condition, Expr, Initializer, Kind, Place, Region, Scalar, Segment, Slot,
};
use isospin_source::Diagnostic;

use super::clocks::{self, Key, Values};
use super::layout::Types;
use super::Choices;
use crate::live::Live;
use crate::system::{
    ExprKind, Next, Owner, Pace, Process, Statement, StatementKind, System, Type, Variable,
};

/// The type of the first field of a message: which signal it is.
const TAG: Scalar = Scalar::new(Kind::Mtype(0), 8, false);

/// Where variables start in a frame: behind the type and the location of its process.
pub(super) const FRAME: u32 = 3;

/// Where a variable is.
#[derive(Clone, Debug)]
pub(super) struct Home {
    /// Whether it belongs to nobody.
    pub shared: bool,
    /// Where it starts, in the vector or in a frame.
    pub offset: u32,
    /// If it has an element for each process, how far apart those are.
    pub stride: Option<u32>,
    /// The type of the clocks in it.
    pub clock: Scalar,
}

/// How signals are written in a buffer or a route: which fields a message has, and for each signal
/// which of them the single values of its parameters take. What is never looked at takes none.
#[derive(Clone, Debug, Default)]
pub(super) struct Format {
    pub fields: Vec<Scalar>,
    pub signals: Vec<Vec<Option<usize>>>,
    /// Which signals are looked at.
    pub taken: Vec<bool>,
}

/// What is waiting in a route.
#[derive(Clone, Debug)]
pub(super) enum Queue {
    /// A channel, by its number from 0.
    Channel(u16),
    /// Places of their own: how many are waiting, and for each field its first place and its type.
    Places { len: u32, fields: Vec<(u32, Scalar)>, clock: Option<(u32, Scalar)> },
}

/// An instance of a route.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub queue: Queue,
    /// The clock that deliveries are counted with.
    pub rate: Option<(u32, Scalar)>,
}

/// Who is who, and what is where.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The number of the first instance of each process, and how many there can be.
    pub(super) pids: Vec<(u32, u32)>,
    /// The same for routes.
    pub(super) route_pids: Vec<(u32, u32)>,
    /// How many processes the model has.
    pub(super) total: u32,
    /// Where it is noted which instances are there, if any start or end.
    pub(super) alive: Option<u32>,
    /// The processes whose instances start or end.
    pub(super) mortal: Vec<bool>,
    /// Whether there are buffers: one for each process of the model, by number.
    pub(super) buffered: bool,
    pub(super) format: Format,
    pub(super) route_formats: Vec<Format>,
    pub(super) routes: Vec<Vec<Instance>>,
    pub(super) resources: Vec<u32>,
    pub(super) homes: Vec<Vec<Home>>,
    pub(super) global_homes: Vec<Home>,
    pub(super) globals: Vec<Slot>,
    pub(super) globals_end: u32,
    pub(super) frames: Vec<Vec<Slot>>,
    pub(super) initializers: Vec<Initializer>,
    pub(super) frame_initializers: Vec<Vec<Initializer>>,
    pub(super) channel_types: Vec<ChannelType>,
    pub(super) channels: Vec<(String, usize)>,
    pub(super) conditions: Vec<Condition>,
}

impl Plan {
    pub fn new(
        system: &System,
        choices: &Choices,
        live: &Live,
        errors: &mut Vec<Diagnostic>,
    ) -> Plan {
        let clocks = clocks::find(system, choices.clock_bound, errors);
        let forked = forked(system);
        let mut plan = Plan {
            pids: Vec::new(),
            route_pids: Vec::new(),
            total: 1,
            alive: None,
            mortal: Vec::new(),
            buffered: false,
            format: Format::default(),
            route_formats: Vec::new(),
            routes: Vec::new(),
            resources: Vec::new(),
            homes: Vec::new(),
            global_homes: Vec::new(),
            globals: Vec::new(),
            globals_end: 1,
            frames: Vec::new(),
            initializers: Vec::new(),
            frame_initializers: Vec::new(),
            channel_types: Vec::new(),
            channels: Vec::new(),
            conditions: Vec::new(),
        };
        let mut next = 1;
        for (process, forked) in system.processes.iter().zip(&forked) {
            let most =
                if *forked { process.count.max(choices.instances.into()) } else { process.count };
            plan.pids.push((next, most));
            next += most;
        }
        for route in &system.routes {
            plan.route_pids.push((next, route.count));
            next += route.count;
        }
        plan.total = next;
        let stops = system.processes.iter().map(stops);
        plan.mortal = stops.zip(&forked).map(|(stops, forked)| stops || *forked).collect();
        plan.note_alive(system);
        plan.variables(system, &clocks, &forked);
        for resource in &system.resources {
            let at = plan.global(resource, Scalar::BYTE, None);
            plan.resources.push(at);
        }
        plan.buffers(system, choices, live);
        plan.routes(system, choices, live);
        plan
    }

    /// Another global variable that is a single value, or an array of them.
    fn global(&mut self, name: &str, ty: Scalar, array: Option<u32>) -> u32 {
        let at = self.globals_end;
        let array = array.map(|len| (len, ty.width()));
        let path = vec![Segment { name: name.to_owned(), array }];
        self.globals.push(Slot { path, offset: at, ty, parameter: false });
        self.globals_end += ty.width() * array.map_or(1, |(len, _)| len);
        at
    }

    fn variables(&mut self, system: &System, clocks: &HashMap<Key, Values>, forked: &[bool]) {
        for (number, variable) in system.globals.iter().enumerate() {
            let types = Types { system, clock: clocks[&(None, number)].scalar() };
            let home = self.shared(&types, variable, None, None);
            self.global_homes.push(home);
        }
        for (number, process) in system.processes.iter().enumerate() {
            let mut end = FRAME;
            let (mut slots, mut homes) = (Vec::new(), Vec::new());
            self.frame_initializers.push(Vec::new());
            for (v, variable) in process.variables.iter().enumerate() {
                let types = Types { system, clock: clocks[&(Some(number), v)].scalar() };
                if variable.public || v < process.parameters && forked[number] {
                    // The only instance needs no array.
                    let home = match self.pids[number].1 {
                        1 => {
                            let name = format!("{{{}}}0", process.name);
                            self.shared(&types, variable, Some(&name), None)
                        }
                        _ => {
                            let name = format!("{{{}}}", process.name);
                            self.shared(&types, variable, Some(&name), Some(self.total))
                        }
                    };
                    homes.push(home);
                    continue;
                }
                for leaf in types.leaves(&variable.ty) {
                    let mut path = leaf.path;
                    path[0].name.clone_from(&variable.name);
                    let offset = end + leaf.offset;
                    slots.push(Slot { path, offset, ty: leaf.ty, parameter: false });
                }
                for (offset, ty, value) in first_values(&types, variable) {
                    self.initially(Some(number), end + offset, ty, value);
                }
                homes.push(Home { shared: false, offset: end, stride: None, clock: types.clock });
                end += types.size(&variable.ty);
            }
            self.frames.push(slots);
            self.homes.push(homes);
        }
    }

    /// Notes which instances are there at the start, if any start or end.
    fn note_alive(&mut self, system: &System) {
        if !self.mortal.contains(&true) {
            return;
        }
        let ty = Scalar::BIT_ELEMENT;
        let at = self.global("alive", ty, Some(self.total));
        self.alive = Some(at);
        let there = system.processes.iter().zip(self.pids.clone());
        let mut pids: Vec<u32> = there.flat_map(|(p, (first, _))| first..first + p.count).collect();
        pids.extend(self.route_pids.iter().flat_map(|(first, count)| *first..first + count));
        for pid in pids {
            self.initially(None, at + pid, ty, 1);
        }
    }

    /// A variable that belongs to nobody, with an element for each process of the model, so that
    /// names are what it is indexed by.
    fn shared(
        &mut self,
        types: &Types<'_>,
        variable: &Variable,
        owner: Option<&str>,
        instances: Option<u32>,
    ) -> Home {
        let (at, size) = (self.globals_end, types.size(&variable.ty));
        for leaf in types.leaves(&variable.ty) {
            let mut path = leaf.path;
            path[0].name.clone_from(&variable.name);
            if let Some(owner) = owner {
                let array = instances.map(|instances| (instances, size));
                path.insert(0, Segment { name: owner.to_owned(), array });
            }
            self.globals.push(Slot {
                path,
                offset: at + leaf.offset,
                ty: leaf.ty,
                parameter: false,
            });
        }
        for instance in 0..instances.unwrap_or(1) {
            for (offset, ty, value) in first_values(types, variable) {
                self.initially(None, at + instance * size + offset, ty, value);
            }
        }
        self.globals_end += size * instances.unwrap_or(1);
        Home { shared: true, offset: at, stride: instances.map(|_| size), clock: types.clock }
    }

    fn initially(&mut self, process: Option<usize>, offset: u32, ty: Scalar, value: i32) {
        if value == 0 {
            return;
        }
        let region = if process.is_some() { Region::Local } else { Region::Global };
        let place = Place { region, offset, indices: Vec::new(), ty };
        let init = Initializer { place, value: Expr::Const(value) };
        match process {
            Some(process) => self.frame_initializers[process].push(init),
            None => self.initializers.push(init),
        }
    }

    fn channel_type(&mut self, capacity: u16, fields: Vec<Scalar>) -> usize {
        let ty = ChannelType::new(capacity, fields);
        if let Some(known) = self.channel_types.iter().position(|t| *t == ty) {
            return known;
        }
        self.channel_types.push(ty);
        self.channel_types.len() - 1
    }

    fn buffers(&mut self, system: &System, choices: &Choices, live: &Live) {
        let taken = |signal: usize| {
            let states = system.processes.iter().flat_map(|p| &p.states);
            let inputs = states.flat_map(|s| &s.transitions).filter_map(|t| t.input.as_ref());
            inputs.into_iter().any(|i| i.signal == signal)
        };
        self.format = Format::new(system, live, vec![TAG], taken);
        self.buffered = !system.signals.is_empty();
        if self.buffered {
            let ty = self.channel_type(choices.buffer, self.format.fields.clone());
            for pid in 0..self.total {
                let name = if pid == 0 { "nobody".to_owned() } else { self.name(system, pid) };
                self.channels.push((name, ty));
            }
        }
    }

    fn routes(&mut self, system: &System, choices: &Choices, live: &Live) {
        for route in &system.routes {
            let carried =
                |signal: usize| route.signals.contains(&signal) && self.format.taken[signal];
            let format = Format::new(system, live, vec![TAG, Scalar::PID], carried);
            self.route_formats.push(format.clone());
            let mut instances = Vec::new();
            for k in 0..route.count {
                let name = format!("{{{}}}{k}", route.name);
                let own_places = route.multiset || matches!(route.pace, Pace::Delay(..));
                let queue = if own_places {
                    self.places(&name, &format, route.pace, choices.buffer)
                } else {
                    let ty = self.channel_type(choices.buffer, format.fields.clone());
                    self.channels.push((name.clone(), ty));
                    Queue::Channel(self.channels.len() as u16 - 1)
                };
                let rate = match route.pace {
                    Pace::Rate(_, high) => {
                        let ty = Scalar::clock(1, high as u16 + 2);
                        Some((self.global(&format!("{name}.rate"), ty, None), ty))
                    }
                    _ => None,
                };
                instances.push(Instance { queue, rate });
            }
            self.routes.push(instances);
        }
    }

    /// Places of its own for what waits in a route.
    fn places(&mut self, name: &str, format: &Format, pace: Pace, capacity: u16) -> Queue {
        let room = Some(u32::from(capacity));
        let len = self.global(&format!("{name}.length"), Scalar::unsigned(16), None);
        let mut fields = Vec::new();
        for (k, ty) in format.fields.iter().enumerate() {
            let name = match k {
                0 => format!("{name}.signal"),
                1 => format!("{name}.to"),
                k => format!("{name}.value{}", k - 1),
            };
            fields.push((self.global(&name, *ty, room), *ty));
        }
        let clock = match pace {
            Pace::Delay(_, high) => {
                let ty = Scalar::clock(1, high as u16 + 2);
                Some((self.global(&format!("{name}.age"), ty, room), ty))
            }
            _ => None,
        };
        Queue::Places { len, fields, clock }
    }

    /// The number of the first instance, and how many there can be.
    pub(super) fn range(&self, owner: Owner) -> (u32, u32) {
        match owner {
            Owner::Process(process) => self.pids[process],
            Owner::Route(route) => self.route_pids[route],
        }
    }

    /// The name of a process of the model, as the reference tools write it.
    pub fn name(&self, system: &System, pid: u32) -> String {
        let ranges = self.pids.iter().zip(system.processes.iter().map(|p| &p.name));
        let routes = self.route_pids.iter().zip(system.routes.iter().map(|r| &r.name));
        for ((first, count), name) in ranges.chain(routes) {
            if (*first..first + count).contains(&pid) {
                return format!("{{{name}}}{}", pid - first);
            }
        }
        "nil".to_owned()
    }
}

impl Format {
    /// Fields for the parameters of these signals: signals share fields of one type.
    fn new(
        system: &System,
        live: &Live,
        mut fields: Vec<Scalar>,
        looked_at: impl Fn(usize) -> bool,
    ) -> Format {
        let reserved = fields.len();
        let types = Types { system, clock: Scalar::clock(1, 2) };
        let (mut signals, mut taken) = (Vec::new(), Vec::new());
        for (number, signal) in system.signals.iter().enumerate() {
            let looked_at = looked_at(number);
            let mut places: Vec<Option<usize>> = Vec::new();
            for (k, ty) in signal.parameters.iter().enumerate() {
                for cell in types.cells(ty) {
                    if !looked_at || !live.parameter(number, k) {
                        places.push(None);
                        continue;
                    }
                    let mut free = reserved..fields.len();
                    let free = free.find(|k| fields[*k] == cell.ty && !places.contains(&Some(*k)));
                    let position = free.unwrap_or_else(|| {
                        fields.push(cell.ty);
                        fields.len() - 1
                    });
                    places.push(Some(position));
                }
            }
            signals.push(places);
            taken.push(looked_at);
        }
        Format { fields, signals, taken }
    }
}

/// What the parts of a variable start with.
pub(super) fn first_values(types: &Types<'_>, variable: &Variable) -> Vec<(u32, Scalar, i32)> {
    let given = variable.value.as_ref().map(|value| match value.kind {
        ExprKind::Const(c) => c,
        _ => 0,
    });
    let single = types.scalar(&variable.ty).is_some() && variable.ty != Type::Clock;
    let cells = types.cells(&variable.ty).into_iter();
    cells.map(|c| (c.offset, c.ty, given.filter(|_| single).unwrap_or(c.initial))).collect()
}

/// Which processes are started by others.
fn forked(system: &System) -> Vec<bool> {
    let mut found = vec![false; system.processes.len()];
    for process in &system.processes {
        for transition in process.states.iter().flat_map(|s| &s.transitions) {
            forks(&transition.body, &mut found);
        }
    }
    found
}

fn forks(statements: &[Statement], found: &mut [bool]) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Fork { process, .. } => found[*process] = true,
            StatementKind::If { then, otherwise, .. } => {
                forks(then, found);
                forks(otherwise, found);
            }
            StatementKind::While { body, .. } => forks(body, found),
            _ => {}
        }
    }
}

/// Whether instances of a process come to an end.
fn stops(process: &Process) -> bool {
    process.states.iter().flat_map(|s| &s.transitions).any(|t| t.next == Next::Stop)
}
