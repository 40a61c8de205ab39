//! Orbits of any model by brute force, given what a person says about it: which variables, indices,
//! fields and channels hold names.
//!
//! A description is a list of words. `flag[P]` is indexed by the names of the set `P`, `turn[_]=P`
//! holds one, `S.who=P` is a variable of process type `S`; `c[P](_,P)` is an array of channels whose
//! messages carry a name in their second field, and `c{hello:P;bye:_}` a channel whose first field
//! tells what follows it. Sets are called what the report on symmetry calls them: by their first
//! process type, or as declared.
//!
//! Of the crate that finds symmetry only the permutations are taken that it claims, and which
//! processes they are about. What they do to a state is worked out here.

use std::collections::{BTreeMap, HashMap};

use isospin_model::{Kind, Model, ProcTypeId, Shape, Slot};
use isospin_symmetry::{Element, Symmetry};

use crate::brute::Space;
use crate::orbits::needed;

/// Groups larger than this are not gone through one by one.
const MAX_ORDER: f64 = 720.0;

/// What is known of one variable or channel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Entry {
    /// The sets that its indices belong to.
    indices: Vec<String>,
    /// The set that its value belongs to.
    value: String,
    /// For a channel, the sets of its fields by its first field; the empty tag stands for all.
    fields: Vec<(String, Vec<String>)>,
}

/// What a person says about a model.
#[derive(Clone, Debug, Default)]
pub struct Description {
    entries: HashMap<String, Entry>,
}

impl Description {
    /// Reads one.
    pub fn new(text: &str) -> Description {
        let entries = text.split_whitespace().map(entry).collect();
        Description { entries }
    }

    fn of(&self, name: &str) -> Entry {
        self.entries.get(name).cloned().unwrap_or_default()
    }
}

fn sets(text: &str) -> Vec<String> {
    text.split(',').map(str::to_owned).collect()
}

fn entry(word: &str) -> (String, Entry) {
    let mut entry = Entry::default();
    let mut rest = word;
    if let Some((before, value)) = rest.split_once('=') {
        (rest, entry.value) = (before, value.to_owned());
    }
    if let Some((before, all)) = rest.split_once('(') {
        entry.fields.push((String::new(), sets(all.trim_end_matches(')'))));
        rest = before;
    }
    if let Some((before, tagged)) = rest.split_once('{') {
        for one in tagged.trim_end_matches('}').split(';') {
            let (tag, all) = one.split_once(':').expect("a first field and what follows it");
            let mut all = sets(all);
            all.insert(0, "_".to_owned());
            entry.fields.push((tag.to_owned(), all));
        }
        rest = before;
    }
    let (name, indices) = without_indices(rest);
    entry.indices = indices;
    (name, entry)
}

/// `a[1].b[x]` as `a[].b[]`, and what stood in between.
fn without_indices(name: &str) -> (String, Vec<String>) {
    let mut parts = name.split('[');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    let mut indices = Vec::new();
    for part in parts {
        let (index, after) = part.split_once(']').unwrap_or((part, ""));
        indices.push(index.to_owned());
        plain = plain + "[]" + after;
    }
    (plain, indices)
}

/// A state as values with names.
type Tree = BTreeMap<String, String>;

/// How many orbits the states of a model fall into, under the permutations that `symmetry` claims.
/// `None` if there are too many permutations to tell.
pub fn orbits(
    model: &Model,
    space: &Space,
    symmetry: &Symmetry,
    description: &Description,
) -> Option<usize> {
    let types = (0..).map(ProcTypeId).zip(&model.proctypes);
    let needed: Vec<_> = types.map(|(ty, p)| needed(model, ty, p)).collect();
    let view = View { model, symmetry, description, needed: &needed };
    let generators = generators(symmetry);
    let mut numbers: HashMap<Tree, usize> = HashMap::new();
    let mut one_of: Vec<&[u8]> = Vec::new();
    let identity = identity(symmetry);
    for state in &space.states {
        let next = numbers.len();
        if *numbers.entry(view.tree(&state.bytes, &identity)).or_insert(next) == next {
            one_of.push(&state.bytes);
        }
    }
    // Where every image is a state, too, it is enough to join states with their neighbours.
    let mut joined: Vec<usize> = (0..one_of.len()).collect();
    let root = |joined: &[usize], mut k: usize| {
        while joined[k] != k {
            k = joined[k];
        }
        k
    };
    let mut closed = true;
    for (k, state) in one_of.iter().enumerate() {
        for generator in &generators {
            match numbers.get(&view.tree(state, generator)) {
                Some(&other) => {
                    let (a, b) = (root(&joined, k), root(&joined, other));
                    joined[a.max(b)] = a.min(b);
                }
                None => closed = false,
            }
        }
    }
    if closed {
        return Some(joined.iter().enumerate().filter(|(k, &to)| *k == to).count());
    }
    if symmetry.group.order() > MAX_ORDER {
        return None;
    }
    let all = elements(&generators, identity);
    let mut least: Vec<Tree> = one_of
        .iter()
        .filter_map(|state| all.iter().map(|element| view.tree(state, element)).min())
        .collect();
    least.sort_unstable();
    least.dedup();
    Some(least.len())
}

fn identity(symmetry: &Symmetry) -> Element {
    symmetry.domains().iter().map(|d| (0..d.size() as u8).collect()).collect()
}

/// Permutations that yield all others.
fn generators(symmetry: &Symmetry) -> Vec<Element> {
    let mut generators = Vec::new();
    for block in &symmetry.group.blocks {
        for pair in block.members.windows(2) {
            let mut swap = identity(symmetry);
            swap[block.domain].swap(usize::from(pair[0]), usize::from(pair[1]));
            generators.push(swap);
        }
    }
    for listed in &symmetry.group.listed {
        for permutation in &listed.permutations {
            let mut element = identity(symmetry);
            element[listed.domain].clone_from(permutation);
            generators.push(element);
        }
    }
    generators
}

/// Everything that a few permutations yield.
fn elements(generators: &[Element], identity: Element) -> Vec<Element> {
    let mut all = vec![identity];
    let mut at = 0;
    while at < all.len() {
        for generator in generators {
            let follow = |(a, b): (&Vec<u8>, &Vec<u8>)| {
                a.iter().map(|&k| b[usize::from(k)]).collect::<Vec<u8>>()
            };
            let next: Element = all[at].iter().zip(generator).map(follow).collect();
            if !all.contains(&next) {
                all.push(next);
            }
        }
        at += 1;
    }
    all
}

struct View<'v> {
    model: &'v Model,
    symmetry: &'v Symmetry,
    description: &'v Description,
    /// For each process type, location and variable, whether its value can still be seen.
    needed: &'v [Vec<Vec<bool>>],
}

impl View<'_> {
    /// What a value of a set becomes.
    fn renamed(&self, to: &Element, set: &str, value: i32) -> i32 {
        let domains = self.symmetry.domains().iter().zip(to);
        for (domain, to) in domains.filter(|(d, _)| d.name == set) {
            let member = domain.values.iter().position(|&v| i32::from(v) == value);
            if let Some(member) = member {
                return i32::from(domain.values[usize::from(to[member])]);
            }
        }
        value
    }

    /// A name with its indices renamed.
    fn indexed(&self, to: &Element, name: &str, entry: &Entry) -> String {
        let (plain, indices) = without_indices(name);
        let mut parts = plain.split("[]");
        let mut out = parts.next().unwrap_or_default().to_owned();
        for (k, part) in parts.enumerate() {
            let index: i32 = indices[k].parse().expect("an index is a number");
            let set = entry.indices.get(k).map_or("_", String::as_str);
            out = format!("{out}[{}]{part}", self.renamed(to, set, index));
        }
        out
    }

    /// The process that a process becomes.
    fn process(&self, to: &Element, pid: usize) -> usize {
        for (domain, to) in self.symmetry.domains().iter().zip(to) {
            for family in &domain.families {
                if let Some(member) = family.pids.iter().position(|&p| p == pid) {
                    return family.pids[usize::from(to[member])];
                }
            }
        }
        pid
    }

    /// All channels by what they are called after the permutation, with what is known of them.
    fn channels(&self, to: &Element, shape: &Shape) -> Vec<(String, Entry)> {
        let mut channels = Vec::new();
        for channel in &self.model.layout.channels {
            let entry = self.description.of(&without_indices(&channel.name).0);
            channels.push((self.indexed(to, &channel.name, &entry), entry));
        }
        for (pid, &(ty, _)) in shape.frames.iter().enumerate() {
            let proctype = &self.model.proctypes[ty.index()];
            for channel in &proctype.frame.channels {
                let plain = without_indices(&channel.name).0;
                let entry = self.description.of(&format!("{}.{plain}", proctype.name));
                let own = self.indexed(to, &channel.name, &entry);
                channels.push((format!("{}.{own}", self.process(to, pid)), entry));
            }
        }
        channels
    }

    fn tree(&self, state: &[u8], to: &Element) -> Tree {
        let model = self.model;
        let mut shape = Shape::default();
        shape.read(model, state);
        // Before everybody has been started states are what they are.
        let acts = shape.frames.len() == self.symmetry.types().count();
        let fixed = identity(self.symmetry);
        let to = if acts { to } else { &fixed };
        let channels = self.channels(to, &shape);
        let mut tree = Tree::new();
        let mut put = |owner: &str, key: &str, slots: &[Slot], base: u32, seen: &[bool]| {
            for (slot, _) in slots.iter().zip(seen).filter(|(_, &seen)| seen) {
                for (name, offset) in slot.values() {
                    let entry = self.description.of(&format!("{key}{}", without_indices(&name).0));
                    let value = slot.ty.load(state, (base + offset) as usize);
                    let text = match slot.ty.kind {
                        Kind::Channel if value > 0 => channels[value as usize - 1].0.clone(),
                        _ => self.renamed(to, &entry.value, value).to_string(),
                    };
                    tree.insert(format!("{owner}{}", self.indexed(to, &name, &entry)), text);
                }
            }
        };
        put("", "", &model.layout.slots, 0, &vec![true; model.layout.slots.len()]);
        for (pid, &(ty, frame)) in shape.frames.iter().enumerate() {
            let proctype = &model.proctypes[ty.index()];
            let at = proctype.frame.location(state, frame as usize);
            let all = vec![true; proctype.frame.slots.len()];
            let seen = if acts { &self.needed[ty.index()][at.index()] } else { &all };
            let owner = format!("{}.", self.process(to, pid));
            put(&owner, &format!("{}.", proctype.name), &proctype.frame.slots, frame, seen);
        }
        for (pid, &(ty, frame)) in shape.frames.iter().enumerate() {
            let at = model.proctypes[ty.index()].frame.location(state, frame as usize);
            tree.insert(format!("{}@", self.process(to, pid)), format!("{ty}:{at}"));
        }
        for ((name, entry), &(ty, offset)) in channels.iter().zip(&shape.channels) {
            let ty = &model.channel_types[ty.index()];
            for m in 0..ty.len(state, offset as usize) {
                let message = ty.message(offset as usize, m);
                let fields = ty.fields.iter().zip(&ty.field_offsets);
                let values: Vec<i32> =
                    fields.map(|(f, &o)| f.load(state, message + o as usize)).collect();
                let tag = match ty.fields[0].kind {
                    Kind::Mtype(set) => model.mtype_name(set, values[0]).unwrap_or(""),
                    _ => "",
                };
                let known = entry.fields.iter().find(|(t, _)| t.is_empty() || t == tag);
                for (f, &value) in values.iter().enumerate() {
                    let set = known.and_then(|(_, sets)| sets.get(f)).map_or("_", String::as_str);
                    let text = match ty.fields[f].kind {
                        Kind::Channel if value > 0 => channels[value as usize - 1].0.clone(),
                        _ => self.renamed(to, set, value).to_string(),
                    };
                    tree.insert(format!("{name}#{m}.{f}"), text);
                }
            }
        }
        tree
    }
}
