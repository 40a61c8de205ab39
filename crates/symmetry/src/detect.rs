//! From a model to its symmetry.

use std::sync::Arc;

use isospin_model::{Action as Step, Expr, Model, ProcTypeId};

use crate::action::{Action, Array, Fields, Renaming};
use crate::cut::Cut;
use crate::family::{self, identity, Domain, Element};
use crate::flow::{is_single, Flow};
use crate::group::{generated, transposition, Block, Group, Listed};
use crate::loops::{self, Loop};
use crate::sorts::{is_starting, Sorts};
use crate::startup::Startup;
use crate::tables::Tables;
use crate::transport::{Breach, Transport};

/// A domain larger than this is tried by neighbours only.
const MAX_PAIRS: usize = 24;

/// What symmetry a model has, and how it acts.
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// How permutations act on states.
    pub(crate) action: Action,
    /// The permutations.
    pub group: Group,
    /// For each domain, the array that the sorted strategies sort.
    pub(crate) main: Vec<Option<Array>>,
    model: Arc<Model>,
    startup: Startup,
    /// For each process type and location, whether it lies within a loop over all names.
    between: Vec<Vec<bool>>,
    has_between: bool,
    has_dead: bool,
    swaps: Vec<Vec<Renaming>>,
}

/// Two members that cannot change places, and what stands in the way.
pub type Obstacle = (u8, u8, Breach);

/// What was found out about one set of names.
#[derive(Clone, Debug)]
pub struct DomainReport {
    /// The set.
    pub domain: Domain,
    /// Members that can change places in every way.
    pub blocks: Vec<Vec<u8>>,
    /// Other permutations: how many.
    pub listed: usize,
    /// Why two members cannot change places: which, and what stands in the way.
    pub breaches: Vec<Obstacle>,
    /// What holds its names.
    pub carriers: Vec<String>,
}

/// What was found out about a model.
#[derive(Clone, Debug, Default)]
pub struct Detection {
    /// The symmetry, if there is any.
    pub symmetry: Option<Arc<Symmetry>>,
    /// Every set of names.
    pub domains: Vec<DomainReport>,
    /// What rules symmetry out altogether.
    pub obstacle: Option<String>,
}

impl Detection {
    /// The first declared set of names whose members cannot all change places: which, and what
    /// stands in the way.
    pub fn wrong_declaration(&self, model: &Model) -> Option<(String, Breach)> {
        self.domains.iter().find_map(|report| {
            let set = &model.scalarsets[report.domain.declared?];
            let whole = report.blocks.first().is_some_and(|b| b.len() == report.domain.size());
            let (.., breach) = report.breaches.first().filter(|_| !whole)?;
            let mut breach = breach.clone();
            if breach.source.line == 0 {
                breach.source = set.source;
            }
            Some((set.name.clone(), breach))
        })
    }
}

/// Finds the symmetry of a model under which `observers`, the expressions that properties look at,
/// stay what they are.
pub fn detect(model: &Arc<Model>, observers: &[Expr]) -> Detection {
    let order = |d: &Detection| d.symmetry.as_ref().map_or(1.0, |s| s.group.order());
    let linked = detect_with(model, observers, true);
    if linked.obstacle.is_some() {
        return linked;
    }
    // What a process starts with may tell whom it deals with, or may be just a number.
    let loose = detect_with(model, observers, false);
    match order(&loose) > order(&linked) {
        true => loose,
        false => linked,
    }
}

fn detect_with(model: &Arc<Model>, observers: &[Expr], linked: bool) -> Detection {
    let rules_out =
        |why: &str| Detection { obstacle: Some(why.to_owned()), ..Detection::default() };
    if model.trace.is_some() {
        return rules_out("the model has a trace assertion");
    }
    let Some(startup) = Startup::of(model) else {
        return rules_out(
            "the processes that start others wait for something, or start different ones",
        );
    };
    if let Some(name) = may_end(model, &startup) {
        return rules_out(&format!(
            "processes of `{name}` end, and the order in which they end shows"
        ));
    }
    let flows = Flow::all(model, observers);
    let observers: Vec<&Expr> = observers.iter().collect();
    let mut sorts = Sorts::infer(model, &flows, &observers, &startup.starting, linked);
    let loops: Vec<Vec<Loop>> = flows.iter().map(|f| loops::find(model, f)).collect();
    let mut domains = family::domains(model, &flows, &startup, &sorts);
    let mut reports = Vec::new();
    let mut kept = Vec::new();
    let mut group = Group::default();
    for d in 0..domains.len() {
        let mut prover = Prover {
            model,
            flows: &flows,
            startup: &startup,
            sorts: &mut sorts,
            loops: &loops,
            domains: &domains,
            observers: &observers,
        };
        let (blocks, breaches) = prover.blocks(d);
        let rotations = if blocks.is_empty() { prover.ring(d) } else { Vec::new() };
        let report = DomainReport {
            domain: domains[d].clone(),
            blocks: blocks.clone(),
            listed: rotations.len(),
            breaches,
            carriers: carriers(model, &flows, &sorts, &domains[d]),
        };
        reports.push(report);
        let domain = kept.len();
        if !blocks.is_empty() {
            group.blocks.extend(blocks.into_iter().map(|members| Block { domain, members }));
            kept.push(domains[d].clone());
        } else if rotations.len() > 1 {
            group.listed.push(Listed { domain, permutations: rotations });
            kept.push(domains[d].clone());
        }
    }
    if group.is_trivial() {
        return Detection { domains: reports, ..Detection::default() };
    }
    domains = kept;
    let action = Action::new(model, &flows, &startup, &sorts, domains);
    let symmetry = Symmetry::new(model, startup, action, group, &flows, &sorts, &loops);
    Detection { symmetry: Some(Arc::new(symmetry)), domains: reports, obstacle: None }
}

/// A type of which a process may end while others go on. The youngest ends first: names would show.
fn may_end(model: &Model, startup: &Startup) -> Option<String> {
    let &(ty, _) = startup.shape.frames.last()?;
    let proctype = &model.proctypes[ty as usize];
    let ends = proctype.automaton.edges.iter().any(|e| e.action == Step::End);
    ends.then(|| proctype.name.clone())
}

/// Tries permutations.
struct Prover<'c, 'm> {
    model: &'m Arc<Model>,
    flows: &'c [Flow<'m>],
    startup: &'c Startup,
    sorts: &'c mut Sorts<'m>,
    loops: &'c [Vec<Loop>],
    domains: &'c [Domain],
    observers: &'c [&'c Expr],
}

impl Prover<'_, '_> {
    fn holds(&mut self, element: &Element) -> Result<(), Breach> {
        let whole = |why: String| Breach {
            source: isospin_model::SourceRef::default(),
            text: String::new(),
            why,
        };
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
        };
        transport.check(self.observers)
    }

    /// Whether what processes never change goes over into what the others never change. Without
    /// that a permutation is no use: it leads to states that are never reached.
    fn keeps_constants(&self, tables: &Tables) -> Result<(), String> {
        for (pid, &(ty, _)) in self.startup.shape.frames.iter().enumerate() {
            let image = usize::from(tables.pid.0[pid]);
            let flow = &self.flows[ty as usize];
            let starting = &self.startup.starting[ty as usize];
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
    fn blocks(&mut self, d: usize) -> (Vec<Vec<u8>>, Vec<Obstacle>) {
        let size = self.domains[d].size();
        let mut blocks: Vec<Vec<u8>> = Vec::new();
        let mut breaches: Vec<Obstacle> = Vec::new();
        for m in 0..size {
            let mut joined = false;
            for block in blocks.iter_mut().rev().take(if size > MAX_PAIRS { 1 } else { size }) {
                let other = usize::from(*block.last().expect("blocks have members"));
                match self.holds(&transposition(self.domains, d, other, m)) {
                    Ok(()) => {
                        block.push(m as u8);
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
                blocks.push(vec![m as u8]);
            }
        }
        blocks.retain(|b| b.len() > 1);
        (blocks, breaches)
    }

    /// The rotations of the members in their order, and reflections, where they are automorphisms.
    fn ring(&mut self, d: usize) -> Vec<Vec<u8>> {
        let size = self.domains[d].size();
        let mut generators = Vec::new();
        let rotation: Vec<u8> = (0..size).map(|k| ((k + 1) % size) as u8).collect();
        for candidate in std::iter::once(rotation)
            .chain((0..size).map(|s| (0..size).map(|k| ((s + size - k) % size) as u8).collect()))
        {
            let mut element = identity(self.domains);
            element[d].clone_from(&candidate);
            if self.holds(&element).is_ok() {
                generators.push(candidate);
            }
        }
        match generators.is_empty() {
            true => Vec::new(),
            false => generated(&generators, size, 2 * size).unwrap_or_default(),
        }
    }
}

/// Names must fit into the fields that carry them, and first fields that tell messages apart must
/// be no names.
fn fields_fit(model: &Model, sorts: &Sorts, tables: &Tables) -> Result<(), String> {
    let check = |owner: Option<ProcTypeId>, k: usize, ty: u16| {
        let fields = &model.channel_types[ty as usize].fields;
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
            check(Some(ty as ProcTypeId), k, channel.ty)?;
        }
    }
    Ok(())
}

/// What holds or is indexed by the names of a domain, for people.
fn carriers(model: &Model, flows: &[Flow], sorts: &Sorts, domain: &Domain) -> Vec<String> {
    let node = domain.node.unwrap_or(sorts.pid());
    let mut out = Vec::new();
    let full_name = |slot: &isospin_model::Slot, dims: &[u32]| {
        let mut dims = dims.iter();
        let mut name = String::new();
        for (k, segment) in slot.path.iter().enumerate() {
            name += if k > 0 { "." } else { "" };
            name += &segment.name;
            if segment.array.is_some() {
                name += if dims.next() == Some(&node) { "[name]" } else { "[]" };
            }
        }
        name
    };
    for (k, slot) in model.layout.slots.iter().enumerate() {
        let dims = sorts.global_dims(k);
        let holds = sorts.global(k) == node;
        if holds || dims.contains(&node) {
            let name = full_name(slot, &dims);
            out.push(if holds { format!("{name} = name") } else { name });
        }
    }
    for (array, index) in sorts.channel_arrays() {
        if index == node && array.owner.is_none() {
            let name = &model.layout.channels[usize::from(array.first)].name;
            let name = name.split('[').next().unwrap_or(name);
            out.push(format!("{name}[name]"));
        }
    }
    for (ty, flow) in flows.iter().enumerate() {
        let ty = ty as ProcTypeId;
        for (k, slot) in flow.proctype.frame.slots.iter().enumerate() {
            let dims = sorts.local_dims(ty, k);
            let holds =
                (0..flow.locations).any(|l| flow.live[l][k] && sorts.local(ty, k, l) == node);
            if holds || dims.contains(&node) {
                let name = format!("{}.{}", flow.proctype.name, full_name(slot, &dims));
                out.push(if holds { format!("{name} = name") } else { name });
            }
        }
    }
    out
}

impl Symmetry {
    fn new(
        model: &Arc<Model>,
        startup: Startup,
        action: Action,
        group: Group,
        flows: &[Flow],
        sorts: &Sorts,
        loops: &[Vec<Loop>],
    ) -> Symmetry {
        let mut between: Vec<Vec<bool>> = flows.iter().map(|f| vec![false; f.locations]).collect();
        for (ty, (flow, loops)) in flows.iter().zip(loops).enumerate() {
            for over in loops {
                let node = sorts.local(ty as ProcTypeId, over.slot, over.head);
                let pids = node == sorts.pid();
                if pids || action.domains.iter().any(|d| d.node == Some(node)) {
                    for &p in over.points.iter().filter(|&&p| p < flow.locations) {
                        between[ty][p] = true;
                    }
                }
            }
        }
        let main = (0..action.domains.len()).map(|d| main_array(&action, d)).collect();
        let mut swaps = Vec::new();
        for (d, domain) in action.domains.iter().enumerate() {
            let size = domain.size();
            let mut of_domain = Vec::with_capacity(size * size);
            for a in 0..size {
                for b in 0..size {
                    let mut renaming = action.no_renaming();
                    action.rename(&transposition(&action.domains, d, a, b), &mut renaming);
                    of_domain.push(renaming);
                }
            }
            swaps.push(of_domain);
        }
        Symmetry {
            has_between: between.iter().flatten().any(|&b| b),
            has_dead: action.types.iter().any(|t| t.dead.iter().any(|d| !d.is_empty())),
            main,
            model: Arc::clone(model),
            startup,
            between,
            swaps,
            action,
            group,
        }
    }

    /// Has the sorted strategies sort this array. Says whether it is one that can be sorted: a global
    /// array of numbers with one element a name.
    pub fn sort_by(&mut self, name: &str) -> bool {
        let slots = &self.model.layout.slots;
        let Some(slot) = slots.iter().find(|s| s.path.len() == 1 && s.path[0].name == name) else {
            return false;
        };
        for (d, main) in self.main.iter_mut().enumerate() {
            let found = sortable(&self.action, d).find(|a| a.offset == slot.offset).cloned();
            if found.is_some() {
                *main = found;
                return true;
            }
        }
        false
    }

    /// The types of the processes, in the order of their numbers.
    pub fn types(&self) -> impl DoubleEndedIterator<Item = ProcTypeId> + '_ {
        self.action.frames.iter().map(|f| f.0)
    }

    /// The sets of names.
    pub fn domains(&self) -> &[Domain] {
        &self.action.domains
    }

    /// Whether all processes are there, so that permutations act.
    #[inline]
    pub fn is_settled(&self, state: &[u8]) -> bool {
        self.startup.is_settled(&self.model, state)
    }

    /// Whether some process stands within a loop over all names.
    pub(crate) fn is_between(&self, state: &[u8]) -> bool {
        self.has_between
            && self
                .action
                .frames
                .iter()
                .enumerate()
                .any(|(pid, f)| self.between[f.0 as usize][self.action.location(state, pid)])
    }

    /// Sets what does not count to 0.
    pub(crate) fn forget_dead(&self, state: &mut [u8]) {
        if !self.has_dead {
            return;
        }
        for (pid, &(ty, at, _)) in self.action.frames.iter().enumerate() {
            let location = self.action.location(state, pid);
            for &(from, len) in &self.action.types[ty as usize].dead[location] {
                let from = (at + from) as usize;
                state[from..from + len as usize].fill(0);
            }
        }
    }

    /// For each process the first one that is its *twin*: exchanging their names leaves the state as
    /// it is, so that what one of them can do is what the other can do, renamed (state symmetry:
    /// Gyuris and Sistla). `scratch` is room for two states.
    pub fn twins(&self, state: &[u8], scratch: &mut [Vec<u8>; 2], twins: &mut Vec<u8>) {
        twins.clear();
        twins.extend(0..self.action.frames.len() as u8);
        if !self.is_settled(state) {
            return;
        }
        let [base, image] = scratch;
        base.clear();
        base.extend_from_slice(state);
        self.forget_dead(base);
        for block in &self.group.blocks {
            let domain = &self.action.domains[block.domain];
            for (k, &m) in block.members.iter().enumerate().skip(1) {
                let twin = block.members[..k].iter().find(|&&other| {
                    let stand = |m: u8| {
                        let pids = domain.families.iter().map(move |f| f.pids[usize::from(m)]);
                        pids.map(|pid| self.action.location(base, pid))
                    };
                    stand(m).eq(stand(other)) && {
                        self.action.apply(self.swap_of(block.domain, other, m), base, image);
                        image == base
                    }
                });
                if let Some(&twin) = twin {
                    for family in &domain.families {
                        let first = twins[family.pids[usize::from(twin)]];
                        twins[family.pids[usize::from(m)]] = first;
                    }
                }
            }
        }
    }

    /// The renaming that exchanges two members of a domain.
    pub(crate) fn swap_of(&self, domain: usize, a: u8, b: u8) -> &Renaming {
        let size = self.action.domains[domain].size();
        &self.swaps[domain][usize::from(a) * size + usize::from(b)]
    }

    /// Writes the image of a state under an element into `out`.
    pub fn apply(&self, element: &Element, state: &[u8], out: &mut Vec<u8>) {
        if !self.is_settled(state) {
            out.clear();
            out.extend_from_slice(state);
            return;
        }
        let mut renaming = self.action.no_renaming();
        self.action.rename(element, &mut renaming);
        self.action.apply(&renaming, state, out);
    }

    /// Whether an element takes one state to another, apart from values that do not count.
    pub fn is_image(&self, state: &[u8], element: &Element, image: &[u8]) -> bool {
        let mut moved = Vec::new();
        self.apply(element, state, &mut moved);
        let mut image = image.to_vec();
        if moved.len() == image.len() && self.is_settled(&image) {
            self.forget_dead(&mut moved);
            self.forget_dead(&mut image);
        }
        moved == image
    }

    /// For each process, the number of the process that it becomes under an element.
    pub fn ranks<'e>(&'e self, element: &'e Element) -> impl Iterator<Item = u8> + 'e {
        (0..self.action.frames.len()).map(move |pid| {
            for (domain, to) in self.action.domains.iter().zip(element) {
                for family in &domain.families {
                    if let Some(m) = family.pids.iter().position(|&p| p == pid) {
                        return family.pids[usize::from(to[m])] as u8;
                    }
                }
            }
            pid as u8
        })
    }

    /// Whether messages carry names.
    pub fn names_travel(&self) -> bool {
        self.action.channels.iter().any(|c| match &c.fields {
            Fields::All(named) => !named.is_empty(),
            Fields::ByTag(by_tag) => by_tag.values().any(|n| !n.is_empty()),
        })
    }
}

/// An array that can be sorted, if there is one.
fn main_array(action: &Action, domain: usize) -> Option<Array> {
    sortable(action, domain).next().cloned()
}

/// Arrays with one plain element a name.
fn sortable(action: &Action, domain: usize) -> impl Iterator<Item = &Array> {
    let sort = match action.domains[domain].node {
        Some(_) => 2 + domain as u8,
        None => crate::action::PIDS,
    };
    let fits =
        move |a: &&Array| a.value.is_none() && matches!(a.dims[..], [(.., Some(s))] if s == sort);
    action.arrays.iter().filter(fits)
}
