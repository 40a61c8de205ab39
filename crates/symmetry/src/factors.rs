//! Which sets of names have nothing to do with each other.
//!
//! A group is a product of one for each domain. Where the bytes of a state that one factor moves, or
//! whose values it renames, are never those of another, representatives can be found one factor
//! after the other: what the first one does depends only on its own bytes, and leaves those of the
//! second as they are. So rings of 2, 3, 5, 7, 11 and 13 processes take 41 tries a state and not
//! 30,030.

use crate::action::{Array, Fields, GroupAction, SortId, CHANNELS, PIDS};

/// For each domain the first one that it has to do with, through others or by itself.
pub fn factors(action: &GroupAction) -> Vec<usize> {
    let mut joined = Joined::new(action);
    for named in &action.globals {
        joined.join(&joined.of_sort(named.sort));
    }
    for array in &action.arrays {
        joined.array(array, Vec::new());
    }
    for (pid, (ty, ..)) in action.frames.iter().enumerate() {
        let own: Vec<usize> = joined.of_pid[pid].into_iter().collect();
        let frames = &action.types[ty.index()];
        for named in frames.named.iter().flatten() {
            joined.join(&[own.clone(), joined.of_sort(named.sort)].concat());
        }
        for array in &frames.arrays {
            joined.array(array, own.clone());
        }
    }
    for channel in &action.channels {
        let movers = joined.of_channel(channel.owner, u32::from(channel.number) - 1);
        joined.join(&movers);
        let named: Vec<SortId> = match &channel.fields {
            Fields::All(named) => named.iter().map(|n| n.sort).collect(),
            Fields::ByTag(tags) => tags.values().flatten().map(|n| n.sort).collect(),
        };
        for sort in named {
            joined.join(&[movers.clone(), joined.of_sort(sort)].concat());
        }
    }
    (0..action.domains.len()).map(|d| joined.find(d)).collect()
}

/// Domains that have to do with each other.
struct Joined<'a> {
    action: &'a GroupAction,
    first: Vec<usize>,
    /// The domain of each process.
    of_pid: Vec<Option<usize>>,
    /// The domains that bear names by processes.
    with_pids: Vec<usize>,
}

impl Joined<'_> {
    fn new(action: &GroupAction) -> Joined<'_> {
        let mut of_pid = vec![None; action.frames.len()];
        let mut with_pids = Vec::new();
        for (d, domain) in action.domains.iter().enumerate() {
            let pids = domain.families.iter().flat_map(|f| &f.pids);
            pids.for_each(|&pid| of_pid[pid] = Some(d));
            with_pids.extend((!domain.families.is_empty()).then_some(d));
        }
        Joined { action, first: (0..action.domains.len()).collect(), of_pid, with_pids }
    }

    fn find(&self, d: usize) -> usize {
        let mut at = d;
        while self.first[at] != at {
            at = self.first[at];
        }
        at
    }

    fn join(&mut self, domains: &[usize]) {
        for pair in domains.windows(2) {
            let (a, b) = (self.find(pair[0]), self.find(pair[1]));
            self.first[a.max(b)] = a.min(b);
        }
    }

    /// The domains whose permutations rename values of a sort.
    fn of_sort(&self, sort: SortId) -> Vec<usize> {
        match sort {
            PIDS => self.with_pids.clone(),
            CHANNELS => {
                let channels = self.action.channels.iter();
                channels.flat_map(|c| self.of_channel(c.owner, u32::from(c.number) - 1)).collect()
            }
            domain => vec![usize::from(domain) - 2],
        }
    }

    /// The domain that moves an index of a sort.
    fn of_index(&self, sort: SortId, index: u32) -> Option<usize> {
        match sort {
            PIDS => self.of_pid.get(index as usize).copied().flatten(),
            CHANNELS => None,
            domain => {
                let d = usize::from(domain) - 2;
                let values = &self.action.domains[d].values;
                values.iter().any(|&v| u32::from(v) == index).then_some(d)
            }
        }
    }

    /// The domains that move a channel, by its number from 0.
    fn of_channel(&self, owner: Option<usize>, number: u32) -> Vec<usize> {
        let mut all: Vec<usize> = owner.and_then(|pid| self.of_pid[pid]).into_iter().collect();
        for (array, sort) in &self.action.channel_moves {
            if array.owner != owner.map(|pid| self.action.frames[pid].0) {
                continue;
            }
            let start = owner.map_or(0, |pid| self.action.first_channel[pid]);
            let index = (0..array.len)
                .find(|k| start + u32::from(array.first) + k * array.stride == number);
            all.extend(index.and_then(|index| self.of_index(*sort, index)));
        }
        all
    }

    /// Elements of an array in a frame of some domains, or of none.
    fn array(&mut self, array: &Array, frame: Vec<usize>) {
        let value = array.value.map_or(Vec::new(), |sort| self.of_sort(sort));
        let mut cells: Vec<Vec<usize>> = Vec::new();
        array.each(&mut |index, _| {
            let mut cell = [&frame[..], &value].concat();
            let dims = index.iter().zip(&array.dims);
            cell.extend(dims.filter_map(|(&k, dim)| self.of_index(dim.2?, k)));
            cells.push(cell);
        });
        cells.iter().for_each(|cell| self.join(cell));
    }
}
