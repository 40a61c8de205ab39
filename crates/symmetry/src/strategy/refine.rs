//! Representatives by partition refinement, as graphs are brought into canonical form.
//!
//! Every name gets a colour, at first the same. A name's colour is then refined by all that can be
//! said of it without telling names: what its processes hold, what is stored under it, which
//! colours it refers to and which refer to it. When nothing is refined any more, names of different
//! colours are sorted by colour. Names that still share a colour are mostly interchangeable as they
//! are: exchanging them changes nothing, and their order does not matter. Where it does matter,
//! each of them is tried in turn as the first, and refinement goes on.
//!
//! Colours come from hashes. Two things that are different may hash the same; then names stay
//! tied that could be told apart, and are tried. The result is canonical all the same, because a
//! hash depends on nothing that a permutation changes.

use crate::action::{Named, Renaming, SortId, CHANNELS, PIDS};
use crate::family::Element;
use crate::symmetry::Symmetry;

/// No name.
const NOBODY: u16 = u16::MAX;

/// A value in an array whose elements belong to names.
#[derive(Clone, Copy, Debug)]
struct Cell {
    value: Named,
    /// Whether the value is a name.
    refers: bool,
    /// Whose process holds it, and by whose names it is indexed.
    roles: [u16; 3],
    id: u64,
}

/// Brings states into canonical form. Names are numbered through all domains.
#[derive(Clone, Debug)]
pub(super) struct Refiner {
    /// The number of the first name of each domain.
    first: Vec<usize>,
    /// For every sort and value, the name and what of it is meant.
    names: Vec<Vec<(u16, u16)>>,
    owner: Vec<u16>,
    cells: Vec<Cell>,
    colour: Vec<u32>,
    fresh: Vec<u32>,
    plain: Vec<u64>,
    signature: Vec<u64>,
    order: Vec<u16>,
    image: Vec<u8>,
    mentioned: Vec<bool>,
    leaf: Element,
    renaming: Renaming,
}

#[inline]
fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x ^ (x >> 32)
}

fn hash(bytes: &[u8], seed: u64) -> u64 {
    let mut h = seed;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        h = mix(h ^ u64::from_le_bytes(word)).wrapping_add(chunk.len() as u64);
    }
    h
}

impl Refiner {
    pub fn new(symmetry: &Symmetry) -> Refiner {
        let action = &symmetry.action;
        let mut first = Vec::new();
        let mut count = 0;
        for domain in &action.domains {
            first.push(count);
            count += domain.size();
        }
        let mut names = vec![vec![(NOBODY, 0); 256]; 2 + action.domains.len()];
        let mut owner = vec![NOBODY; action.frames.len()];
        for (d, domain) in action.domains.iter().enumerate() {
            for (f, family) in domain.families.iter().enumerate() {
                for (m, &pid) in family.pids.iter().enumerate() {
                    let name = (first[d] + m) as u16;
                    owner[pid] = name;
                    names[usize::from(PIDS)][pid] = (name, f as u16);
                }
            }
            if domain.sort.is_some() {
                for (m, &value) in domain.values.iter().enumerate() {
                    names[2 + d][usize::from(value)] = ((first[d] + m) as u16, 0);
                }
            }
        }
        for channel in &action.channels {
            if let Some(pid) = channel.owner {
                let own = u32::from(channel.number) - 1 - action.first_channel[pid];
                let to = (owner[pid], own as u16);
                names[usize::from(CHANNELS)][usize::from(channel.number)] = to;
            }
        }
        for (k, &(array, sort)) in action.channel_moves.iter().enumerate() {
            if array.owner.is_none() {
                for i in 0..array.len {
                    let number = usize::from(array.first) + (i * array.stride) as usize + 1;
                    let name = names[usize::from(sort)][i as usize].0;
                    names[usize::from(CHANNELS)][number] = (name, 1000 + k as u16);
                }
            }
        }
        let mut cells = Vec::new();
        let mut add = |array: &crate::action::Array, base: u32, holder: u16, id: u64| {
            array.each(&mut |index, offset| {
                let mut roles = [holder, NOBODY, NOBODY];
                let mut id = mix(id);
                let mut role = 1;
                for (&i, &(_, _, sort)) in index.iter().zip(&array.dims) {
                    let name = sort.map_or(NOBODY, |s| {
                        names[usize::from(s)].get(i as usize).map_or(NOBODY, |n| n.0)
                    });
                    match name {
                        NOBODY => id = mix(id ^ u64::from(i)),
                        name if role < 3 => {
                            roles[role] = name;
                            role += 1;
                        }
                        // More than two names at once: the rest is left to be tried.
                        _ => id = mix(id),
                    }
                }
                let sort = array.value.unwrap_or(0);
                let value = Named { offset: base + offset, width: array.width as u8, sort };
                cells.push(Cell { value, refers: array.value.is_some(), roles, id });
            });
        };
        for (k, array) in action.arrays.iter().enumerate() {
            add(array, 0, NOBODY, 1 + k as u64);
        }
        for (pid, &(ty, at, _)) in action.frames.iter().enumerate() {
            for (k, array) in action.types[ty.index()].arrays.iter().enumerate() {
                add(array, at, owner[pid], (u64::from(ty.0) + 1) << 32 | k as u64);
            }
        }
        Refiner {
            first,
            names,
            owner,
            cells,
            colour: vec![0; count],
            fresh: vec![0; count],
            renaming: action.no_renaming(),
            plain: vec![0; count],
            signature: vec![0; count],
            order: Vec::new(),
            image: Vec::new(),
            mentioned: Vec::new(),
            leaf: crate::family::identity(&action.domains),
        }
    }

    /// Writes the canonical form of `state` into `best`, and the way to it into `element`.
    pub fn refine(
        &mut self,
        symmetry: &Symmetry,
        state: &[u8],
        best: &mut Vec<u8>,
        element: &mut Element,
    ) {
        for (k, colour) in self.colour.iter_mut().enumerate() {
            *colour = k as u32;
        }
        for block in &symmetry.group.blocks {
            let names = block.members.iter().map(|&m| self.first[block.domain] + usize::from(m));
            let least = names.clone().min().unwrap_or(0) as u32;
            names.for_each(|n| self.colour[n] = least);
        }
        self.read_plain(symmetry, state);
        symmetry.mentions(state, &mut self.mentioned);
        best.clear();
        self.search(symmetry, state, best, element);
    }

    /// What each name's processes and channels hold, apart from names.
    fn read_plain(&mut self, symmetry: &Symmetry, state: &[u8]) {
        let action = &symmetry.action;
        self.plain.fill(0);
        for (pid, &(ty, at, _)) in action.frames.iter().enumerate() {
            let owner = self.owner[pid];
            if owner == NOBODY {
                continue;
            }
            let location = action.location(state, pid);
            let mut h = mix(u64::from(ty.0));
            for &(from, len) in &action.types[ty.index()].plain[location] {
                let from = (at + from) as usize;
                h = hash(&state[from..from + len as usize], h);
            }
            let sum = &mut self.plain[usize::from(owner)];
            *sum = sum.wrapping_add(mix(h));
        }
        for channel in &action.channels {
            let (name, what) = self.names[usize::from(CHANNELS)][usize::from(channel.number)];
            if name == NOBODY {
                continue;
            }
            let at = channel.offset as usize;
            let len = channel.ty.len(state, at);
            let mut h = mix(u64::from(what) << 20 | len as u64);
            for slot in 0..len {
                let message = channel.ty.message(at, slot);
                let named = channel.fields.of(&channel.ty, state, message);
                for (field, &offset) in channel.ty.fields.iter().zip(&channel.ty.field_offsets) {
                    if !named.iter().any(|n| n.offset == offset) {
                        let value = field.load(state, message + offset as usize);
                        h = mix(h ^ u64::from(value as u32)).wrapping_add(u64::from(offset));
                    }
                }
            }
            let sum = &mut self.plain[usize::from(name)];
            *sum = sum.wrapping_add(mix(h));
        }
    }

    /// Refines until nothing changes; then sorts, or tries what is tied.
    fn search(
        &mut self,
        symmetry: &Symmetry,
        state: &[u8],
        best: &mut Vec<u8>,
        element: &mut Element,
    ) {
        self.stabilize(symmetry, state);
        let Some(tied) = self.tied(symmetry, state) else {
            self.sort(symmetry, state, best, element);
            return;
        };
        let colours = self.colour.clone();
        for name in tied {
            self.colour.clone_from(&colours);
            // One comes before the others of its colour.
            for colour in &mut self.colour {
                *colour = *colour * 2 + 1;
            }
            self.colour[name] -= 1;
            self.search(symmetry, state, best, element);
        }
    }

    fn stabilize(&mut self, symmetry: &Symmetry, state: &[u8]) {
        let mut classes = 0;
        loop {
            self.order.clear();
            self.order.extend(0..self.colour.len() as u16);
            self.sign(symmetry, state);
            let (colour, signature) = (&self.colour, &self.signature);
            let key = |n: &u16| (colour[usize::from(*n)], signature[usize::from(*n)]);
            self.order.sort_unstable_by_key(key);
            let mut rank = 0;
            for k in 0..self.order.len() {
                if k > 0 && key(&self.order[k]) != key(&self.order[k - 1]) {
                    rank += 1;
                }
                self.fresh[usize::from(self.order[k])] = rank;
            }
            std::mem::swap(&mut self.colour, &mut self.fresh);
            let now = rank + 1;
            if now == classes || now as usize == self.colour.len() {
                return;
            }
            classes = now;
        }
    }

    /// What can be said of every name, given the colours.
    fn sign(&mut self, symmetry: &Symmetry, state: &[u8]) {
        let action = &symmetry.action;
        self.signature.copy_from_slice(&self.plain);
        for named in &action.globals {
            let id = 0x1_0000_0000 | u64::from(named.offset);
            self.item(id, [NOBODY; 3], named.sort, named.load(state, 0), true);
        }
        for k in 0..self.cells.len() {
            let Cell { value, refers, roles, id } = self.cells[k];
            self.item(id, roles, value.sort, value.load(state, 0), refers);
        }
        for (pid, &(ty, at, _)) in action.frames.iter().enumerate() {
            let location = action.location(state, pid);
            let roles = [self.owner[pid], NOBODY, NOBODY];
            let holder = if roles[0] == NOBODY { pid as u64 + 1 } else { 0 };
            for named in &action.types[ty.index()].named[location] {
                let id = holder << 48 | (u64::from(ty.0) + 1) << 32 | u64::from(named.offset);
                self.item(id, roles, named.sort, named.load(state, at as usize), true);
            }
        }
        for channel in &action.channels {
            if channel.fields.is_empty() {
                continue;
            }
            let (name, what) = self.names[usize::from(CHANNELS)][usize::from(channel.number)];
            let holder = match name {
                NOBODY => 1 << 40 | u64::from(channel.number),
                _ => 1 << 41 | u64::from(what),
            };
            let at = channel.offset as usize;
            for slot in 0..channel.ty.len(state, at) {
                let message = channel.ty.message(at, slot);
                for named in channel.fields.of(&channel.ty, state, message) {
                    let place = (slot as u64) << 12 | u64::from(named.offset);
                    let value = named.load(state, message);
                    let id = mix(holder) ^ place;
                    self.item(id, [name, NOBODY, NOBODY], named.sort, value, true);
                }
            }
        }
    }

    /// Tells everybody concerned of one value.
    #[inline]
    fn item(&mut self, id: u64, roles: [u16; 3], sort: SortId, value: usize, refers: bool) {
        let (name, what) =
            if refers && value < 256 { self.names[usize::from(sort)][value] } else { (NOBODY, 0) };
        if name == NOBODY && roles == [NOBODY; 3] {
            return;
        }
        let mut h = mix(id);
        for (k, &role) in roles.iter().enumerate() {
            if role != NOBODY {
                let colour = u64::from(self.colour[usize::from(role)]) + 1;
                let itself = u64::from(role == name);
                h = mix(h ^ (colour << 8 | itself << 4 | k as u64));
            }
        }
        h = match name {
            NOBODY => mix(h ^ value as u64),
            name => {
                let colour = u64::from(self.colour[usize::from(name)]) + 1;
                mix(h ^ (1 << 60 | colour << 16 | u64::from(what)))
            }
        };
        for (k, &role) in roles.iter().enumerate() {
            if role != NOBODY {
                let sum = &mut self.signature[usize::from(role)];
                *sum = sum.wrapping_add(mix(h.wrapping_add(k as u64)));
            }
        }
        if name != NOBODY {
            let sum = &mut self.signature[usize::from(name)];
            *sum = sum.wrapping_add(mix(h ^ 0xABCD_EF01_2345));
        }
    }

    /// The first colour whose names are not interchangeable: one of each kind of them.
    fn tied(&mut self, symmetry: &Symmetry, state: &[u8]) -> Option<Vec<usize>> {
        let mut found: Option<(u32, Vec<usize>)> = None;
        for block in &symmetry.group.blocks {
            let first = self.first[block.domain];
            let mut members: Vec<(u32, u8)> =
                block.members.iter().map(|&m| (self.colour[first + usize::from(m)], m)).collect();
            members.sort_unstable();
            for same in members.chunk_by(|a, b| a.0 == b.0) {
                if same.len() < 2 || found.as_ref().is_some_and(|f| f.0 < same[0].0) {
                    continue;
                }
                let mut kinds: Vec<u8> = Vec::new();
                for &(_, m) in same {
                    let known = kinds.iter().any(|&k| {
                        let (pair, image) = ((k, m), &mut self.image);
                        symmetry.are_alike(block.domain, pair, state, &self.mentioned, image)
                    });
                    if !known {
                        kinds.push(m);
                    }
                }
                if kinds.len() > 1 {
                    let names = kinds.iter().map(|&m| first + usize::from(m)).collect();
                    found = Some((same[0].0, names));
                }
            }
        }
        found.map(|(_, names)| names)
    }

    /// Sorts names by colour; keeps the image if it is the least so far.
    fn sort(
        &mut self,
        symmetry: &Symmetry,
        state: &[u8],
        best: &mut Vec<u8>,
        element: &mut Element,
    ) {
        for (d, to) in self.leaf.iter_mut().enumerate() {
            to.iter_mut().enumerate().for_each(|(k, to)| *to = k as u8);
            for block in symmetry.group.blocks.iter().filter(|b| b.domain == d) {
                let mut members = block.members.clone();
                members.sort_by_key(|&m| self.colour[self.first[d] + usize::from(m)]);
                for (&m, &position) in members.iter().zip(&block.members) {
                    to[usize::from(m)] = position;
                }
            }
        }
        symmetry.action.rename(&self.leaf, &mut self.renaming);
        symmetry.permute(&self.renaming, state, &mut self.image);
        if best.is_empty() || self.image < *best {
            best.clone_from(&self.image);
            element.clone_from(&self.leaf);
        }
    }
}
