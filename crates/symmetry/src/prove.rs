//! Which permutations of names are automorphisms: trying and proving them.

use std::sync::Arc;

use isospin_model::{ChannelTypeId, Expr, Model, ProcTypeId};

use crate::cut::Cut;
use crate::detect::Obstacle;
use crate::family::{identity, Domain, Element};
use crate::flow::{is_single, Flow};
use crate::group::{generated, transposition};
use crate::loops::Loop;
use crate::reader::{Reader, Shift};
use crate::sorts::{is_starting, Sorts};
use crate::startup::Startup;
use crate::tables::Tables;
use crate::transport::{Breach, Transport};

/// A domain larger than this is tried by neighbours only.
const MAX_PAIRS: usize = 24;

/// Tries permutations.
pub struct Prover<'c, 'm> {
    pub model: &'m Arc<Model>,
    pub flows: &'c [Flow<'m>],
    pub startup: &'c Startup,
    pub sorts: &'c mut Sorts<'m>,
    pub loops: &'c [Vec<Loop>],
    pub domains: &'c [Domain],
    pub observers: &'c [&'c Expr],
    /// Who reads the observers, and may go along where they change places.
    pub reader: Option<&'c dyn Reader>,
}

/// Members that can change places in every way, and what exchanging neighbours does to the reader.
pub type FoundBlock = (Vec<u8>, Vec<Shift>);

impl Prover<'_, '_> {
    /// What the permutation does to the reader, if it is an automorphism.
    fn holds(&mut self, element: &Element) -> Result<Shift, Breach> {
        let whole = Breach::unplaced;
        let tables =
            Tables::of_element(self.model, self.domains, element, self.startup, self.sorts)
                .map_err(whole)?;
        fields_fit(self.model, self.sorts, &tables).map_err(whole)?;
        self.keeps_constants(&tables).map_err(whole)?;
        let cut = Cut { model: self.model, flows: self.flows, sorts: self.sorts, tables: &tables };
        let types = cut.types();
        cut.starts_apart(self.startup, &types).map_err(whole)?;
        let mut transport = Transport {
            types,
            model: self.model,
            flows: self.flows,
            startup: self.startup,
            sorts: self.sorts,
            loops: self.loops,
            tables: &tables,
            computes: false,
            held: None,
        };
        let to = transport.check(self.observers, self.reader.is_some())?;
        if to.iter().enumerate().all(|(k, &to)| k == to) {
            return Ok(Shift::new());
        }
        let shift = self.reader.and_then(|reader| reader.renamed(&to));
        shift.ok_or_else(|| whole("the property does not say the same of all names".to_owned()))
    }

    /// Whether what processes never change goes over into what the others never change. Without
    /// that a permutation is no use: it leads to states that are never reached.
    fn keeps_constants(&self, tables: &Tables) -> Result<(), String> {
        for (pid, &(ty, _)) in self.startup.shape.frames.iter().enumerate() {
            let image = usize::from(tables.pid.0[pid]);
            let flow = &self.flows[ty.index()];
            let starting = &self.startup.starting[ty.index()];
            for (k, slot) in flow.proctype.frame.slots.iter().enumerate() {
                let Some(point) = (0..flow.points).find(|&p| flow.live[p][k]) else { continue };
                if !is_single(slot) || flow.is_written(k, |a| is_starting(flow, starting, a.edge)) {
                    continue;
                }
                let sort = self.sorts.local(ty, k, point);
                let renamed =
                    tables.of(self.sorts, Some(sort)).map(self.startup.value(self.model, pid, k));
                if renamed != self.startup.value(self.model, image, k) {
                    let (name, of) = (&slot.path[0].name, &flow.proctype.name);
                    return Err(format!("`{name}` of {of} tells them apart"));
                }
            }
        }
        Ok(())
    }

    /// Sets of members that can change places in every way: two can if exchanging them is an
    /// automorphism, and that is an equivalence.
    pub fn blocks(&mut self, d: usize) -> (Vec<FoundBlock>, Vec<Obstacle>) {
        let size = self.domains[d].size();
        let mut blocks: Vec<FoundBlock> = Vec::new();
        let mut breaches: Vec<Obstacle> = Vec::new();
        for m in 0..size {
            let mut joined = false;
            for (block, shifts) in
                blocks.iter_mut().rev().take(if size > MAX_PAIRS { 1 } else { size })
            {
                let other = usize::from(*block.last().expect("blocks have members"));
                match self.holds(&transposition(self.domains, d, other, m)) {
                    Ok(shift) => {
                        block.push(m as u8);
                        shifts.push(shift);
                        joined = true;
                        break;
                    }
                    Err(breach) if !breaches.iter().any(|b| b.2 == breach) => {
                        breaches.push((other as u8, m as u8, breach));
                    }
                    Err(_) => {}
                }
            }
            if !joined {
                blocks.push((vec![m as u8], Vec::new()));
            }
        }
        blocks.retain(|b| b.0.len() > 1);
        (blocks, breaches)
    }

    /// The rotations of the members in their order, and reflections, where they are automorphisms;
    /// and what each does to the reader.
    pub fn ring(&mut self, d: usize) -> (Vec<Vec<u8>>, Vec<Shift>) {
        let size = self.domains[d].size();
        let mut generators = Vec::new();
        let rotation: Vec<u8> = (0..size).map(|k| ((k + 1) % size) as u8).collect();
        for candidate in std::iter::once(rotation)
            .chain((0..size).map(|s| (0..size).map(|k| ((s + size - k) % size) as u8).collect()))
        {
            let mut element = identity(self.domains);
            element[d].clone_from(&candidate);
            if let Ok(shift) = self.holds(&element) {
                generators.push((candidate, shift));
            }
        }
        if generators.is_empty() {
            return Default::default();
        }
        generated(&generators, size, 2 * size).unwrap_or_default()
    }
}

/// Names must fit into the fields that carry them, and first fields that tell messages apart must
/// be no names.
fn fields_fit(model: &Model, sorts: &Sorts, tables: &Tables) -> Result<(), String> {
    let check = |owner: Option<ProcTypeId>, k: usize, ty: ChannelTypeId| {
        let fields = &model.channel_type(ty).fields;
        let tagged = sorts.tags_of(owner, k);
        let mut tags = sorts.known_tags(owner, k);
        tags.push(i32::MIN);
        for tag in tags {
            for (f, field) in fields.iter().enumerate() {
                let table = tables.of(sorts, sorts.field_of(owner, k, tag, f));
                if tagged && f == 0 && !table.is_identity() && fields.len() > 1 {
                    return Err("names tell the messages of a channel apart".to_owned());
                }
                if !table.moved().all(|v| field.truncate(v as i32) == v as i32) {
                    return Err("a name is cut off in a message".to_owned());
                }
            }
        }
        Ok(())
    };
    for (k, channel) in model.layout.channels.iter().enumerate() {
        check(None, k, channel.ty)?;
    }
    for (ty, proctype) in model.proctypes.iter().enumerate() {
        for (k, channel) in proctype.frame.channels.iter().enumerate() {
            check(Some(ProcTypeId(ty as u16)), k, channel.ty)?;
        }
    }
    Ok(())
}
