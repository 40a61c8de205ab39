//! Whether exchanging two names leaves a state as it is, without exchanging them.
//!
//! Nearly always it can be told by looking at what belongs to the two: their processes hold the
//! same, the elements of arrays that they index hold the same, and nobody else holds their names.
//! Where that does not decide it, the state is permuted and compared.

use crate::action::{Array, GroupAction, CHANNELS, PIDS};
use crate::family::Domain;

/// Stands for no name.
const NOBODY: u16 = u16::MAX;

/// What is known of a model's names, once and for all.
#[derive(Clone, Debug)]
pub struct Alike {
    /// The number of the first name of each domain.
    first: Vec<usize>,
    /// For each sort and value the name that it is.
    names: Vec<Vec<u16>>,
    /// For each process its name.
    owner: Vec<u16>,
    /// For each domain whether looking can decide.
    simple: Vec<bool>,
    /// For each domain the arrays that its names index: where they start, how far elements are
    /// apart, how wide they are, and whether they are indexed by process numbers.
    columns: Vec<Vec<(usize, usize, usize, bool)>>,
    count: usize,
}

impl Alike {
    pub fn new(action: &GroupAction) -> Alike {
        let mut names = vec![vec![NOBODY; 256]; 2 + action.domains.len()];
        let mut owner = vec![NOBODY; action.frames.len()];
        let (mut first, mut count) = (Vec::new(), 0);
        for (d, domain) in action.domains.iter().enumerate() {
            first.push(count);
            for m in 0..domain.size() {
                let name = (count + m) as u16;
                for family in &domain.families {
                    owner[family.pids[m]] = name;
                    names[usize::from(PIDS)][family.pids[m]] = name;
                }
                if domain.sort.is_some() {
                    names[2 + d][usize::from(domain.values[m])] = name;
                }
            }
            count += domain.size();
        }
        let (mut simple, mut columns) = (Vec::new(), Vec::new());
        for (d, domain) in action.domains.iter().enumerate() {
            let (is_simple, of_domain) = columns_of(action, d, domain);
            simple.push(is_simple);
            columns.push(of_domain);
        }
        Alike { first, names, owner, simple, columns, count }
    }

    /// Finds the names that somebody else than the processes that bear them holds in a state.
    pub fn mentions(&self, action: &GroupAction, state: &[u8], mentioned: &mut Vec<bool>) {
        mentioned.clear();
        mentioned.resize(self.count, false);
        let mut mark = |sort: u8, value: usize, owner: u16| {
            let name = self.names[usize::from(sort)].get(value).copied().unwrap_or(NOBODY);
            if name != NOBODY && name != owner {
                mentioned[usize::from(name)] = true;
            }
        };
        for named in &action.globals {
            mark(named.sort, named.load(state, 0), NOBODY);
        }
        let array = |array: &Array, base: usize, mark: &mut dyn FnMut(u8, usize, u16)| {
            let Some(sort) = array.value else { return };
            let width = array.width as usize;
            array.each(&mut |_, offset| {
                let at = base + offset as usize;
                let value = (0..width).rev().fold(0, |v, k| v << 8 | usize::from(state[at + k]));
                mark(sort, value, NOBODY);
            });
        };
        action.arrays.iter().for_each(|a| array(a, 0, &mut mark));
        for (pid, &(ty, at, _)) in action.frames.iter().enumerate() {
            let frames = &action.types[ty.index()];
            for named in &frames.named[action.location(state, pid)] {
                mark(named.sort, named.load(state, at as usize), self.owner[pid]);
            }
            frames.arrays.iter().for_each(|a| array(a, at as usize, &mut mark));
        }
        for channel in action.channels.iter().filter(|c| !c.fields.is_empty()) {
            let at = channel.offset as usize;
            for slot in 0..channel.ty.len(state, at) {
                let message = channel.ty.message(at, slot);
                for named in channel.fields.of(&channel.ty, state, message) {
                    mark(named.sort, named.load(state, message), NOBODY);
                }
            }
        }
    }

    /// Whether exchanging two members of a domain leaves a state as it is, in which these names are
    /// mentioned; `None` if looking does not tell.
    pub fn are(
        &self,
        action: &GroupAction,
        domain: usize,
        (a, b): (u8, u8),
        state: &[u8],
        mentioned: &[bool],
    ) -> Option<bool> {
        let mention = |m: u8| mentioned[self.first[domain] + usize::from(m)];
        if !self.simple[domain] || mention(a) || mention(b) {
            return None;
        }
        let names = &action.domains[domain];
        for family in &names.families {
            let [one, other] = [a, b].map(|m| family.pids[usize::from(m)]);
            let location = action.location(state, one);
            if location != action.location(state, other) {
                return Some(false);
            }
            let [from, to] = [one, other].map(|pid| action.frames[pid].1 as usize);
            let frames = &action.types[family.ty.index()];
            let same = |&(at, len): &(u32, u32)| {
                let (at, len) = (at as usize, len as usize);
                state[from + at..from + at + len] == state[to + at..to + at + len]
            };
            if !frames.plain[location].iter().all(same) {
                return Some(false);
            }
            for named in &frames.named[location] {
                let [x, y] = [from, to].map(|at| named.load(state, at));
                let of = &self.names[usize::from(named.sort)];
                let is = |value: usize, pid: usize| of.get(value) == Some(&self.owner[pid]);
                // Each holds its own name, in the same role; or both hold the same.
                if is(x, one) != is(y, other) || !is(x, one) && x != y {
                    return Some(false);
                }
                if is(x, one) && named.sort == PIDS && (x != one || y != other) {
                    return None;
                }
            }
        }
        for &(offset, stride, width, by_pid) in &self.columns[domain] {
            let same = |x: usize, y: usize| {
                let [x, y] = [x, y].map(|k| offset + k * stride);
                state[x..x + width] == state[y..y + width]
            };
            let [x, y] = [a, b].map(usize::from);
            let all = if by_pid {
                names.families.iter().all(|f| same(f.pids[x], f.pids[y]))
            } else {
                same(usize::from(names.values[x]), usize::from(names.values[y]))
            };
            if !all {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// Whether looking can decide for a domain, and the arrays that its names index.
fn columns_of(
    action: &GroupAction,
    d: usize,
    domain: &Domain,
) -> (bool, Vec<(usize, usize, usize, bool)>) {
    let sort = domain.sort.map(|_| 2 + d as u8);
    let has_processes = !domain.families.is_empty();
    let moves = |s: u8| Some(s) == sort || has_processes && s == PIDS;
    let indexed = |array: &Array| array.dims.iter().any(|d| d.2.is_some_and(moves));
    let mut simple = !action.types.iter().any(|t| t.arrays.iter().any(indexed))
        && !action.channel_moves.iter().any(|&(array, s)| array.owner.is_some() || moves(s))
        && !domain.families.iter().any(|f| !action.types[f.ty.index()].arrays.is_empty());
    let owned = |pid: usize| action.channels.iter().any(|c| c.owner == Some(pid));
    simple &= !domain.families.iter().any(|f| f.pids.iter().any(|&pid| owned(pid)));
    let named = |named: &crate::action::Named| named.sort == CHANNELS;
    simple &= !domain
        .families
        .iter()
        .any(|f| action.types[f.ty.index()].named.iter().any(|at| at.iter().any(named)));
    let mut columns = Vec::new();
    for array in action.arrays.iter().filter(|a| indexed(a)) {
        match array.dims[..] {
            [(len, stride, Some(s))] => {
                let by_pid = s == PIDS;
                let last = if by_pid {
                    domain.families.iter().flat_map(|f| &f.pids).max().copied()
                } else {
                    domain.values.iter().max().map(|&v| usize::from(v))
                };
                simple &= last.is_none_or(|last| last < len as usize);
                let (offset, stride) = (array.offset as usize, stride as usize);
                columns.push((offset, stride, array.width as usize, by_pid));
            }
            _ => simple = false,
        }
    }
    (simple, columns)
}
