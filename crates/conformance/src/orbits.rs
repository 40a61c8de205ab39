//! Orbits by brute force: states as trees of named values, which are renamed by what the names of
//! variables say about them. Shares nothing with the crate that finds symmetry, which is asked only
//! for the permutations that it claims.

use std::collections::{BTreeMap, HashSet};

use isospin_model::{
    Action, Expr, Kind, Model, Place, ProcType, ProcTypeId, ReceiveArg, Region, Shape, Slot,
};
use isospin_symmetry::Symmetry;

use crate::brute::Space;

/// Stands for a number of names that is not known; there are never as many processes.
const ANY: usize = 256;

/// Where each name goes.
pub type Names = Vec<usize>;

/// The permutations of the names that a symmetry of a [`symmetric`](crate::symmetric) model claims;
/// `None` where it sees other sets of names than the model's author.
pub fn claimed(model: &Model, symmetry: &Symmetry, names: usize) -> Option<Vec<Names>> {
    let named = |ty: &str| matches!(ty, "P" | "Q");
    let types = model.proctypes.iter().filter(|p| named(&p.name)).count();
    let [domain] = symmetry.domains() else { return None };
    if domain.families.len() != types || domain.size() != names {
        return None;
    }
    let parameter = model.proctypes.iter().any(|p| p.frame.slots.iter().any(|s| s.parameter));
    if parameter != domain.sort.is_some() {
        return None;
    }
    let group = &symmetry.group;
    let mut all: Vec<Names> = vec![(0..names).collect()];
    let mut at = 0;
    let mut generators: Vec<Names> = Vec::new();
    for block in &group.blocks {
        for pair in block.members.windows(2) {
            let mut swap: Names = (0..names).collect();
            swap.swap(usize::from(pair[0]), usize::from(pair[1]));
            generators.push(swap);
        }
    }
    for listed in &group.listed {
        generators.extend(
            listed.permutations.iter().map(|p| p.iter().map(|&k| usize::from(k)).collect()),
        );
    }
    while at < all.len() {
        for generator in &generators {
            let next: Names = all[at].iter().map(|&k| generator[k]).collect();
            if !all.contains(&next) {
                all.push(next);
            }
        }
        at += 1;
    }
    Some(all)
}

/// How many orbits the states fall into.
///
/// Permutations act where `processes` are there: one that has ended before the last was started
/// leaves the others with other numbers.
pub fn orbits(
    model: &Model,
    space: &Space,
    permutations: &[Names],
    names: usize,
    processes: usize,
) -> usize {
    let mut seen = HashSet::new();
    let types = (0..).map(ProcTypeId).zip(&model.proctypes);
    let needed: Vec<Vec<Vec<bool>>> = types.map(|(ty, p)| needed(model, ty, p)).collect();
    for state in &space.states {
        let view = View { model, state: &state.bytes, names, processes, needed: &needed };
        let images = permutations.iter().map(|p| view.tree(p));
        seen.insert(images.min());
    }
    seen.len()
}

/// How many states there are when values that nobody needs are left out.
pub fn distinct(model: &Model, space: &Space) -> usize {
    orbits(model, space, &[(0..ANY).collect()], ANY, ANY)
}

/// A state as values with names.
type Tree = BTreeMap<String, i64>;

struct View<'v> {
    model: &'v Model,
    state: &'v [u8],
    names: usize,
    processes: usize,
    /// For each process type, location and variable, whether its value can still be seen.
    needed: &'v [Vec<Vec<bool>>],
}

/// For each location and variable, whether some way on reads the variable before it is set.
pub(crate) fn needed(model: &Model, ty: ProcTypeId, proctype: &ProcType) -> Vec<Vec<bool>> {
    let mut watched = Vec::new();
    for edge in model.proctypes.iter().flat_map(|p| &p.automaton.edges) {
        edge.action.walk(&mut |e| match e {
            Expr::Load(Place { region: Region::Remote { proctype, .. }, offset, .. })
                if *proctype == ty =>
            {
                watched.push(*offset);
            }
            _ => {}
        });
    }
    // Locations, then the nodes of deterministic sequences.
    let mut arcs: Vec<(usize, usize, &Action)> = Vec::new();
    let locations = proctype.automaton.locations.len();
    let mut points = locations;
    let skip = &Action::Skip;
    for edge in &proctype.automaton.edges {
        let (from, to) = (edge.from.index(), edge.target.index());
        let Action::DetStep(step) = &edge.action else {
            arcs.push((from, to, &edge.action));
            continue;
        };
        arcs.push((from, points, skip));
        for (n, node) in step.nodes.iter().enumerate() {
            for inner in &node.edges {
                let to = inner.target.map_or(to, |t| points + t as usize);
                arcs.push((points + n, to, &inner.action));
            }
        }
        points += step.nodes.len();
    }
    let slots = &proctype.frame.slots;
    let is = |place: &Place, slot: &Slot| {
        place.region == Region::Local && place.offset == slot.offset && place.indices.is_empty()
    };
    let mut needed = vec![vec![false; slots.len()]; locations];
    for (k, slot) in slots.iter().enumerate() {
        for (at, needed) in needed.iter_mut().enumerate() {
            let (mut seen, mut todo) = (vec![false; points], vec![at]);
            // A timer runs on, whether anybody looks at it or not.
            needed[k] = slot.ty.kind == Kind::Timer
                || slot.path.iter().any(|s| s.array.is_some())
                || watched.contains(&slot.offset);
            while let Some(point) = todo.pop() {
                if std::mem::replace(&mut seen[point], true) {
                    continue;
                }
                for (_, to, action) in arcs.iter().filter(|a| a.0 == point) {
                    action.walk(&mut |e| needed[k] |= matches!(e, Expr::Load(p) if is(p, slot)));
                    let stored = match action {
                        Action::Assign(Some(place), _) => is(place, slot),
                        Action::Receive { pattern, .. } => pattern
                            .iter()
                            .any(|a| matches!(a, ReceiveArg::Store(place) if is(place, slot))),
                        action => **action == Action::End,
                    };
                    if !stored {
                        todo.push(*to);
                    }
                }
            }
        }
    }
    needed
}

/// What the name of a variable without its indices says of it.
fn sort_of(name: &str) -> (bool, Option<char>) {
    let base = name.split('[').next().unwrap_or(name);
    let indexed = base.starts_with('a') || base.starts_with('b');
    (indexed, base.rsplit_once('_').and_then(|(_, s)| s.chars().next()))
}

impl View<'_> {
    fn name(&self, to: &Names, value: i32) -> i64 {
        match usize::try_from(value) {
            Ok(v) if v < self.names => to[v] as i64,
            _ => i64::from(value),
        }
    }

    /// `a[1]` under the permutation.
    fn indexed(&self, to: &Names, name: &str) -> String {
        if !sort_of(name).0 {
            return name.to_owned();
        }
        let Some((base, rest)) = name.split_once('[') else { return name.to_owned() };
        let Some((index, rest)) = rest.split_once(']') else { return name.to_owned() };
        let index: i32 = index.parse().unwrap_or(-1);
        format!("{base}[{}]{rest}", self.name(to, index))
    }

    /// The value of a variable or field of this sort.
    fn value(&self, to: &Names, shape: &Shape, sort: Option<char>, value: i32) -> i64 {
        match sort {
            Some('n') => self.name(to, value),
            Some('c') if value > 0 => self.channel(to, shape, value as usize - 1),
            _ => i64::from(value),
        }
    }

    /// A channel that belongs to a process, as a number that says whose it is.
    fn channel(&self, to: &Names, shape: &Shape, number: usize) -> i64 {
        let owner = shape.first_channel.iter().rposition(|&f| f as usize <= number).unwrap_or(0);
        let (ty, which) = process(shape, owner);
        let which = if self.is_named(ty) { to[which] } else { which };
        (1000 * (i64::from(ty.0) + 1)) + which as i64
    }

    fn is_named(&self, ty: ProcTypeId) -> bool {
        matches!(self.model.proctypes[ty.index()].name.as_str(), "P" | "Q")
    }

    fn tree(&self, to: &Names) -> Tree {
        let (model, state) = (self.model, self.state);
        let mut shape = Shape::default();
        shape.read(model, state);
        // Before everybody has been started, and when somebody has gone, states are what they are.
        let identity: Names = (0..self.names).collect();
        let acts = !self.is_starting(&shape) && self.all_there(&shape);
        let to = if acts { to } else { &identity };
        let mut tree = Tree::new();
        let mut put = |prefix: &str, slots: &[Slot], base: u32, needed: &[bool]| {
            for (slot, _) in slots.iter().zip(needed).filter(|(_, &needed)| needed) {
                for (name, offset) in slot.values() {
                    let value = slot.ty.load(state, (base + offset) as usize);
                    let sort = if name == "me" { Some('n') } else { sort_of(&name).1 };
                    let key = format!("{prefix}{}", self.indexed(to, &name));
                    tree.insert(key, self.value(to, &shape, sort, value));
                }
            }
        };
        put("", &model.layout.slots, 0, &vec![true; model.layout.slots.len()]);
        let mut channels: Vec<(String, usize)> = Vec::new();
        for (k, channel) in model.layout.channels.iter().enumerate() {
            channels.push((self.indexed(to, &channel.name), k));
        }
        let mut places = Vec::new();
        for (pid, &(ty, frame)) in shape.frames.iter().enumerate() {
            let (_, which) = process(&shape, pid);
            let which = if self.is_named(ty) { to[which] } else { which };
            let proctype = &model.proctypes[ty.index()];
            let prefix = format!("{}{which}:", proctype.name);
            let at = proctype.frame.location(state, frame as usize);
            let all = vec![true; proctype.frame.slots.len()];
            let needed = if acts { &self.needed[ty.index()][at.index()] } else { &all };
            put(&prefix, &proctype.frame.slots, frame, needed);
            places.push((format!("{prefix}@"), i64::from(at.0)));
            for (k, channel) in proctype.frame.channels.iter().enumerate() {
                let number = shape.first_channel[pid] as usize + k;
                channels.push((format!("{prefix}{}", channel.name), number));
            }
        }
        tree.extend(places);
        for (name, number) in channels {
            let (ty, offset) = shape.channels[number];
            let ty = &model.channel_types[ty.index()];
            if ty.capacity == 0 {
                continue;
            }
            let length = ty.len(state, offset as usize);
            tree.insert(format!("{name}#"), length as i64);
            let sort = sort_of(name.rsplit(':').next().unwrap_or(&name)).1;
            for m in 0..length {
                let message = ty.message(offset as usize, m);
                let fields: Vec<i32> = ty
                    .fields
                    .iter()
                    .zip(&ty.field_offsets)
                    .map(|(f, &o)| f.load(state, message + o as usize))
                    .collect();
                for (f, &value) in fields.iter().enumerate() {
                    let sort = match (sort, f) {
                        (Some('t'), 0) => None,
                        // Symbolic constants count from the last one declared.
                        (Some('t'), _) => (fields[0] == 2).then_some('n'),
                        _ => sort,
                    };
                    let value = self.value(to, &shape, sort, value);
                    tree.insert(format!("{name}#{m}.{f}"), value);
                }
            }
        }
        tree
    }

    /// Whether everybody is there.
    fn all_there(&self, shape: &Shape) -> bool {
        self.processes == ANY || shape.frames.len() == self.processes
    }

    /// Whether somebody is about to start a process.
    fn is_starting(&self, shape: &Shape) -> bool {
        shape.frames.iter().any(|&(ty, frame)| {
            let proctype = &self.model.proctypes[ty.index()];
            let at = proctype.frame.location(self.state, frame as usize);
            let mut found = false;
            for edge in proctype.automaton.edges_of(at) {
                edge.action.walk(&mut |e| found |= matches!(e, Expr::Run { .. }));
            }
            found
        })
    }
}

/// The type of a process, and which of its type it is.
fn process(shape: &Shape, pid: usize) -> (ProcTypeId, usize) {
    let ty = shape.frames[pid].0;
    (ty, shape.frames[..pid].iter().filter(|f| f.0 == ty).count())
}
