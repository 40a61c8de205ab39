//! Sets of names, and the processes that bear them.

use isospin_model::{Kind, Model, ProcTypeId};

use crate::flow::{is_single, Flow};
use crate::sorts::{is_starting, ChannelArray, SortVariable, Sorts};
use crate::startup::Startup;
use crate::tables::{Table, Tables};

/// Processes of one type, one for each member of a domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// Their type.
    pub ty: ProcTypeId,
    /// Their numbers, in the order of the members.
    pub pids: Vec<usize>,
}

/// A set of names, with everything that bears them.
#[derive(Clone, Debug)]
pub struct Domain {
    /// What to call it.
    pub name: String,
    /// The sort of values that hold its names; `None` where process numbers do.
    pub sort: Option<SortVariable>,
    /// The name of each member, as a value of that sort.
    pub values: Vec<u8>,
    /// The processes that bear the names.
    pub families: Vec<Family>,
    /// The declared set that it is, if it is one.
    pub declared: Option<usize>,
}

/// A permutation of the members of every domain: where each goes.
pub type Element = Vec<Vec<u8>>;

impl Domain {
    /// How many members there are.
    pub fn size(&self) -> usize {
        self.values.len()
    }

    /// One more than the greatest of its names.
    pub(crate) fn span(&self) -> usize {
        self.values.iter().max().map_or(0, |&v| usize::from(v) + 1)
    }
}

/// The element that moves nothing.
pub fn identity(domains: &[Domain]) -> Element {
    domains.iter().map(|d| (0..d.size() as u8).collect()).collect()
}

/// Finds the domains of a model: one for each type of which there are several processes, types
/// whose names are of one sort sharing one.
pub fn domains(model: &Model, flows: &[Flow], startup: &Startup, sorts: &Sorts) -> Vec<Domain> {
    let mut domains: Vec<Domain> = Vec::new();
    for (ty, flow) in flows.iter().enumerate() {
        let ty = ProcTypeId(ty as u16);
        let pids: Vec<usize> = startup.instances(ty).collect();
        if pids.len() < 2 {
            continue;
        }
        let name = flow.proctype.name.clone();
        let Some((node, values)) = name_of(model, flow, ty, &pids, startup, sorts) else {
            let values = pids.iter().map(|&p| p as u8).collect();
            let families = vec![Family { ty, pids }];
            domains.push(Domain { name, sort: None, values, families, declared: None });
            continue;
        };
        let mut named: Vec<(u8, usize)> = values.into_iter().zip(pids).collect();
        named.sort_unstable();
        let (values, pids): (Vec<u8>, Vec<usize>) = named.into_iter().unzip();
        let family = Family { ty, pids };
        let shared = domains.iter_mut().find(|d| d.sort == Some(node) && d.values == values);
        match shared {
            Some(domain) => domain.families.push(family),
            None => domains.push(Domain {
                name,
                sort: Some(node),
                values,
                families: vec![family],
                declared: None,
            }),
        }
    }
    add_declared(model, sorts, &mut domains);
    // Two domains of one sort would move the same values twice.
    let mut seen = Vec::new();
    domains.retain(|d| match d.sort {
        None => true,
        Some(node) => {
            let first = !seen.contains(&node);
            seen.push(node);
            first
        }
    });
    domains
}

/// Adds the sets of names that the model declares, or finds them among those that processes bear.
fn add_declared(model: &Model, sorts: &Sorts, domains: &mut Vec<Domain>) {
    for (k, set) in model.scalarsets.iter().enumerate() {
        let node = sorts.declared(k);
        let values: Vec<u8> = (0..set.size).collect();
        let of_pids = node == sorts.pid();
        let found = domains.iter_mut().find(|d| {
            if of_pids {
                d.sort.is_none() && d.values.iter().all(|v| *v < set.size)
            } else {
                d.sort == Some(node) && d.values == values
            }
        });
        match found {
            Some(domain) => {
                domain.declared = Some(k);
                domain.name.clone_from(&set.name);
            }
            None => domains.insert(
                0,
                Domain {
                    name: set.name.clone(),
                    sort: Some(node),
                    values,
                    families: Vec::new(),
                    declared: Some(k),
                },
            ),
        }
    }
}

/// The variable that tells the processes of a type apart: its sort, and its value in each.
fn name_of(
    model: &Model,
    flow: &Flow,
    ty: ProcTypeId,
    pids: &[usize],
    startup: &Startup,
    sorts: &Sorts,
) -> Option<(SortVariable, Vec<u8>)> {
    let starting = &startup.starting[ty.index()];
    let mut best: Option<(bool, SortVariable, Vec<u8>)> = None;
    for (k, slot) in flow.proctype.frame.slots.iter().enumerate() {
        if !is_single(slot) || slot.ty.kind == Kind::Channel {
            continue;
        }
        if flow.is_written(k, |a| is_starting(flow, starting, a.edge)) {
            continue;
        }
        let mut values = Vec::new();
        for &pid in pids {
            values.extend(u8::try_from(startup.value(model, pid, k)));
        }
        let mut distinct = values.clone();
        distinct.sort_unstable();
        distinct.dedup();
        if distinct.len() != pids.len() {
            continue;
        }
        let Some(point) = (0..flow.points).find(|&p| flow.live[p][k]) else { continue };
        let node = sorts.local(ty, k, point);
        if node == sorts.pid() {
            continue;
        }
        let used = sorts.is_index(node);
        if best.as_ref().is_none_or(|b| used && !b.0) {
            best = Some((used, node, values));
        }
    }
    best.map(|(_, node, values)| (node, values))
        .or_else(|| name_of_channel(model, flow, ty, pids, startup, sorts))
}

/// The same for processes that are told only which channel of an array is theirs.
fn name_of_channel(
    model: &Model,
    flow: &Flow,
    ty: ProcTypeId,
    pids: &[usize],
    startup: &Startup,
    sorts: &Sorts,
) -> Option<(SortVariable, Vec<u8>)> {
    let starting = &startup.starting[ty.index()];
    for (k, slot) in flow.proctype.frame.slots.iter().enumerate() {
        let is_channel = is_single(slot) && slot.ty.kind == Kind::Channel;
        if !is_channel || flow.is_written(k, |a| is_starting(flow, starting, a.edge)) {
            continue;
        }
        for (array, node) in sorts.channel_arrays() {
            if array.owner.is_some() || node == sorts.pid() {
                continue;
            }
            let index = |pid: &usize| {
                let channel = startup.value(model, *pid, k) - 1 - i32::from(array.first);
                let stride = array.stride as i32;
                let index = channel / stride;
                let inside = channel >= 0 && channel % stride == 0 && index < array.len as i32;
                inside.then_some(index as u8)
            };
            let values: Option<Vec<u8>> = pids.iter().map(index).collect();
            let Some(values) = values else { continue };
            let mut distinct = values.clone();
            distinct.sort_unstable();
            distinct.dedup();
            if distinct.len() == pids.len() {
                return Some((node, values));
            }
        }
    }
    None
}

impl Tables {
    /// The tables of an element. An error says which array cannot be permuted.
    pub fn of_element(
        model: &Model,
        domains: &[Domain],
        element: &Element,
        startup: &Startup,
        sorts: &Sorts,
    ) -> Result<Tables, String> {
        let mut tables = Tables::default();
        for (domain, to) in domains.iter().zip(element) {
            for family in &domain.families {
                for (m, &pid) in family.pids.iter().enumerate() {
                    tables.pid.0[pid] = family.pids[usize::from(to[m])] as u8;
                }
            }
            if let Some(node) = domain.sort {
                let table = tables.named.entry(node).or_default();
                for (m, &value) in domain.values.iter().enumerate() {
                    table.0[usize::from(value)] = domain.values[usize::from(to[m])];
                }
            }
        }
        let mut table = Table::default();
        let shape = &startup.shape;
        for (pid, &(ty, _)) in shape.frames.iter().enumerate() {
            let to = usize::from(tables.pid.0[pid]);
            let own = model.proctypes[ty.index()].frame.channels.len();
            for k in 0..own {
                let from = shape.first_channel[pid] as usize + k + 1;
                table.0[from] = (shape.first_channel[to] as usize + k + 1) as u8;
            }
        }
        for (array, node) in sorts.channel_arrays() {
            let dim = tables.of(sorts, Some(node)).clone();
            let ChannelArray { owner, first, len, stride } = array;
            if !dim.keeps_range(len) {
                return Err("an array of channels has not one element a name".to_owned());
            }
            let number = |base: usize, k: i32| base + first as usize + k as usize * stride as usize;
            match owner {
                None => {
                    for k in 0..len as i32 {
                        table.0[number(1, k)] = number(1, dim.map(k)) as u8;
                    }
                }
                Some(ty) => {
                    for pid in startup.instances(ty) {
                        let to = usize::from(tables.pid.0[pid]);
                        let (from, to) = (shape.first_channel[pid], shape.first_channel[to]);
                        for k in 0..len as i32 {
                            let to = number(to as usize + 1, dim.map(k));
                            table.0[number(from as usize + 1, k)] = to as u8;
                        }
                    }
                }
            }
        }
        tables.channel = table;
        // Channels that change places must be of one type.
        for k in tables.channel.moved() {
            let kind = |n: usize| n.checked_sub(1).and_then(|n| shape.channels.get(n)).map(|c| c.0);
            if kind(k) != kind(usize::from(tables.channel.0[k])) {
                return Err("channels of different types would change places".to_owned());
            }
        }
        for (k, slot) in model.layout.slots.iter().enumerate() {
            check_dims(sorts, &tables, slot, &sorts.global_dims(k))?;
        }
        for (ty, proctype) in model.proctypes.iter().enumerate() {
            for (k, slot) in proctype.frame.slots.iter().enumerate() {
                check_dims(sorts, &tables, slot, &sorts.local_dims(ProcTypeId(ty as u16), k))?;
            }
        }
        Ok(tables)
    }
}

fn check_dims(
    sorts: &Sorts,
    tables: &Tables,
    slot: &isospin_model::Slot,
    nodes: &[SortVariable],
) -> Result<(), String> {
    for ((len, _), &node) in slot.dimensions().zip(nodes) {
        if !tables.of(sorts, Some(node)).keeps_range(len) {
            let name = &slot.path[0].name;
            return Err(format!("the array `{name}` has not one element a name"));
        }
    }
    Ok(())
}
