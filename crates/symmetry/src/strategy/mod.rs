//! Representatives of orbits.
//!
//! | strategy | which permutations are tried | canonical |
//! | --- | --- | --- |
//! | `full` | all | yes |
//! | `sorted` | one that sorts an array, the *main array* | no |
//! | `segmented` | all that sort the main array | yes |
//! | `pc-sorted`, `pc-segmented` | the same, with program counters for the main array | no, yes |
//! | `refined` | those that agree with a partition refined by everything that can be seen | yes |
//!
//! Of the images the least, byte by byte, is the representative: with the segmented strategies any
//! choice among the images is canonical [Bosnacki 2001, chapter 6, theorem 1].

mod choose;
mod refine;

use std::sync::Arc;

use crate::action::{Array, Renaming};
use crate::factors::factors;
use crate::family::{identity, Element};
use crate::group::{after, Block};
use crate::symmetry::Symmetry;
use refine::Refiner;

/// How representatives are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// The least image under all permutations.
    Full,
    /// The main array is sorted.
    Sorted,
    /// The least image among those in which the main array is sorted.
    Segmented,
    /// The program counters are sorted.
    PcSorted,
    /// The least image among those in which the program counters are sorted.
    PcSegmented,
    /// Names are sorted by everything that can be said of them.
    Refined,
}

impl Strategy {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Full => "full",
            Strategy::Sorted => "sorted",
            Strategy::Segmented => "segmented",
            Strategy::PcSorted => "pc-sorted",
            Strategy::PcSegmented => "pc-segmented",
            Strategy::Refined => "refined",
        }
    }

    /// The strategy that suits a symmetry, given a few states of the model.
    pub fn choose(symmetry: &Symmetry, samples: &[Vec<u8>]) -> Strategy {
        choose::choose(symmetry, samples)
    }

    /// Whether states of one orbit always have one representative.
    pub fn is_canonical(self) -> bool {
        !matches!(self, Strategy::Sorted | Strategy::PcSorted)
    }

    /// The strategy that sorts by the same and always gives one representative an orbit.
    ///
    /// A search that comes to a node a second time needs it: it may come with another state of the
    /// orbit, and with several representatives an orbit the states that follow that one may be
    /// stored as others than those that the first search stored.
    pub fn canonical(self) -> Strategy {
        match self {
            Strategy::Sorted => Strategy::Segmented,
            Strategy::PcSorted => Strategy::PcSegmented,
            canonical => canonical,
        }
    }
}

/// Members that a strategy leaves in no particular order: the positions that they occupy.
#[derive(Clone, Debug)]
struct Tied {
    domain: usize,
    positions: Vec<u8>,
}

/// Says whether to give up: a factorial of permutations can take longer than anybody waits.
pub type Stop = Arc<dyn Fn() -> bool + Send + Sync>;

/// How many permutations are tried between two looks at the clock.
const TRIES_BETWEEN_LOOKS: u32 = 256;

/// Finds representatives. Holds every buffer that it needs.
#[derive(Clone)]
pub struct Representer {
    symmetry: Arc<Symmetry>,
    strategy: Strategy,
    renaming: Renaming,
    refiner: Refiner,
    /// The state without values that do not count.
    base: Vec<u8>,
    image: Vec<u8>,
    scratch: Vec<u8>,
    best: Vec<u8>,
    element: Element,
    /// Who stands at each position in `image`.
    standing: Element,
    keys: Vec<(u64, u8)>,
    /// Every combination of listed permutations that has to do with full symmetric groups.
    choices: Vec<Element>,
    /// The permutations of each factor of the group that has not.
    alone: Vec<Vec<Element>>,
    broken: bool,
    stop: Option<Stop>,
    tried: u32,
    stopped: bool,
}

impl Representer {
    /// Finds representatives under a group.
    pub fn new(symmetry: Arc<Symmetry>, strategy: Strategy) -> Representer {
        let element = identity(&symmetry.action.domains);
        let factors = factors(&symmetry.action);
        let in_blocks =
            |d: usize| symmetry.group.blocks.iter().any(|b| factors[b.domain] == factors[d]);
        Representer {
            strategy,
            renaming: symmetry.action.no_renaming(),
            refiner: Refiner::new(&symmetry),
            base: Vec::new(),
            image: Vec::new(),
            scratch: Vec::new(),
            best: Vec::new(),
            standing: element.clone(),
            element,
            keys: Vec::new(),
            choices: choices(&symmetry, in_blocks),
            alone: (0..factors.len())
                .filter(|&d| factors[d] == d && !in_blocks(d))
                .map(|first| choices(&symmetry, |d| factors[d] == first))
                .collect(),
            broken: false,
            stop: None,
            tried: 0,
            stopped: false,
            symmetry,
        }
    }

    /// Gives up when `stop` says so. What comes out then is no representative.
    pub fn stopping(self, stop: Stop) -> Representer {
        Representer { stop: Some(stop), ..self }
    }

    /// Whether it has given up.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// The symmetry.
    pub fn symmetry(&self) -> &Arc<Symmetry> {
        &self.symmetry
    }

    /// Whether a state was met that shows the model not to be symmetric after all: a loop over all
    /// names was blocked half way. What was found before means nothing then.
    pub fn is_broken(&self) -> bool {
        self.broken
    }

    /// The permutation that led to the last representative.
    pub fn element(&self) -> &Element {
        &self.element
    }

    /// The representative of the orbit of `state`, a whole vector.
    pub fn representative(&mut self, state: &[u8]) -> &[u8] {
        let symmetry = Arc::clone(&self.symmetry);
        for to in &mut self.element {
            to.iter_mut().enumerate().for_each(|(k, to)| *to = k as u8);
        }
        self.base.clear();
        self.base.extend_from_slice(state);
        if self.stopped || !symmetry.is_settled(state) {
            return &self.base;
        }
        self.broken |= symmetry.is_between(state);
        symmetry.forget_dead(&mut self.base);
        let alone = self.turn_factors(&symmetry);
        self.least_with_listed(&symmetry);
        if let Some(first) = alone {
            self.element = first.iter().zip(&self.element).map(|(a, b)| after(a, b)).collect();
        }
        &self.best
    }

    /// Makes of `base` its least image under every factor of the group that has nothing to do with
    /// the others, one after the other; gives the permutation.
    fn turn_factors(&mut self, symmetry: &Symmetry) -> Option<Element> {
        if self.alone.is_empty() {
            return None;
        }
        let mut element = symmetry.identity();
        let factors = std::mem::take(&mut self.alone);
        for all in &factors {
            let mut least = None;
            self.best.clone_from(&self.base);
            for chosen in all {
                self.look_at_clock();
                symmetry.action.rename(chosen, &mut self.renaming);
                symmetry.permute(&self.renaming, &self.base, &mut self.image);
                if self.image < self.best {
                    std::mem::swap(&mut self.best, &mut self.image);
                    least = Some(chosen);
                }
            }
            if let Some(chosen) = least {
                element = element.iter().zip(chosen).map(|(a, b)| after(a, b)).collect();
            }
            std::mem::swap(&mut self.base, &mut self.best);
        }
        self.alone = factors;
        Some(element)
    }

    /// The representative of `base` under the rest of the group, into `best`.
    fn least_with_listed(&mut self, symmetry: &Symmetry) {
        if self.choices.len() <= 1 {
            self.least(symmetry);
            return;
        }
        // Of every listed permutation the representative of the rest; and the least of those.
        let start = self.base.clone();
        let mut least: Option<(Vec<u8>, Element)> = None;
        let all = std::mem::take(&mut self.choices);
        for chosen in &all {
            if self.stopped {
                break;
            }
            self.look_at_clock();
            symmetry.action.rename(chosen, &mut self.renaming);
            symmetry.permute(&self.renaming, &start, &mut self.image);
            std::mem::swap(&mut self.base, &mut self.image);
            for to in &mut self.element {
                to.iter_mut().enumerate().for_each(|(k, to)| *to = k as u8);
            }
            self.least(symmetry);
            if least.as_ref().is_none_or(|(best, _)| self.best < *best) {
                let element = chosen.iter().zip(&self.element).map(|(a, b)| after(a, b)).collect();
                least = Some((self.best.clone(), element));
            }
        }
        self.choices = all;
        if let Some((best, element)) = least {
            (self.best, self.element) = (best, element);
        }
    }

    /// The representative of `base` under the full symmetric groups, into `best`.
    fn least(&mut self, symmetry: &Symmetry) {
        match self.strategy {
            Strategy::Full => {
                let blocks = symmetry.group.blocks.iter();
                let tied: Vec<Tied> = blocks
                    .map(|b| Tied { domain: b.domain, positions: b.members.clone() })
                    .collect();
                self.best.clear();
                self.best.extend_from_slice(&self.base);
                self.permute(symmetry, &tied);
            }
            Strategy::Refined => {
                let base = std::mem::take(&mut self.base);
                self.refiner.refine(symmetry, &base, &mut self.best, &mut self.element);
                self.base = base;
            }
            strategy => {
                let segmented = matches!(strategy, Strategy::Segmented | Strategy::PcSegmented);
                let tied = self.sort(symmetry, segmented);
                symmetry.action.rename(&self.element, &mut self.renaming);
                symmetry.permute(&self.renaming, &self.base, &mut self.best);
                if !tied.is_empty() {
                    self.permute(symmetry, &tied);
                }
            }
        }
    }

    /// Sorts the members of every block by the main array into `element`; yields those that are
    /// equal, if wanted.
    fn sort(&mut self, symmetry: &Symmetry, segmented: bool) -> Vec<Tied> {
        let mut tied = Vec::new();
        for block in &symmetry.group.blocks {
            self.keys.clear();
            for &m in &block.members {
                let key = match self.strategy {
                    Strategy::Sorted | Strategy::Segmented => {
                        main_value(symmetry, block, m, &self.base)
                    }
                    _ => pc_value(symmetry, block, m, &self.base),
                };
                self.keys.push((key, m));
            }
            self.keys.sort_unstable();
            let mut start = 0;
            for k in 0..self.keys.len() {
                let m = self.keys[k].1;
                self.element[block.domain][usize::from(m)] = block.members[k];
                let ends = k + 1 == self.keys.len() || self.keys[k + 1].0 != self.keys[k].0;
                if ends {
                    if segmented && k > start {
                        let positions = block.members[start..=k].to_vec();
                        tied.push(Tied { domain: block.domain, positions });
                    }
                    start = k + 1;
                }
            }
        }
        tied
    }

    /// Tries every arrangement of the tied members, by transpositions of neighbours, starting from
    /// what is in `best`; leaves the least image there and the way to it in `element`.
    fn permute(&mut self, symmetry: &Symmetry, tied: &[Tied]) {
        self.image.clear();
        self.image.extend_from_slice(&self.best);
        for (standing, to) in self.standing.iter_mut().zip(&self.element) {
            for (member, &position) in to.iter().enumerate() {
                standing[usize::from(position)] = member as u8;
            }
        }
        self.permute_from(symmetry, tied, 0);
    }

    fn permute_from(&mut self, symmetry: &Symmetry, tied: &[Tied], k: usize) {
        let Some(block) = tied.get(k) else { return };
        self.permute_from(symmetry, tied, k + 1);
        // Every arrangement by swaps of neighbours [Bosnacki 2001, chapter 6, figure 4].
        let size = block.positions.len();
        let mut position = vec![1; size];
        let mut forward = vec![true; size];
        position[size - 1] = 0;
        let mut i = 0;
        while i + 1 < size && !self.stopped {
            let mut offset = 0;
            i = 0;
            while position[i] == size - i {
                position[i] = 1;
                forward[i] = !forward[i];
                if forward[i] {
                    offset += 1;
                }
                i += 1;
            }
            if i + 1 < size {
                let p = if forward[i] {
                    offset + position[i] - 1
                } else {
                    offset + size - i - position[i] - 1
                };
                position[i] += 1;
                self.exchange(symmetry, block, p);
                self.permute_from(symmetry, tied, k + 1);
            }
        }
    }

    /// Gives up, if it is time.
    fn look_at_clock(&mut self) {
        self.tried = self.tried.wrapping_add(1);
        if self.tried.is_multiple_of(TRIES_BETWEEN_LOOKS) {
            self.stopped |= self.stop.as_ref().is_some_and(|stop| stop());
        }
    }

    /// Exchanges what stands at two neighbouring positions.
    fn exchange(&mut self, symmetry: &Symmetry, block: &Tied, p: usize) {
        self.look_at_clock();
        let (a, b) = (block.positions[p], block.positions[p + 1]);
        self.standing[block.domain].swap(usize::from(a), usize::from(b));
        symmetry.exchange(block.domain, a, b, &self.image, &mut self.scratch);
        std::mem::swap(&mut self.image, &mut self.scratch);
        if self.image < self.best {
            self.best.clear();
            self.best.extend_from_slice(&self.image);
            for (to, standing) in self.element.iter_mut().zip(&self.standing) {
                for (position, &member) in standing.iter().enumerate() {
                    to[usize::from(member)] = position as u8;
                }
            }
        }
    }
}

/// Every combination of listed permutations of the domains of which that is `wanted`.
fn choices(symmetry: &Symmetry, wanted: impl Fn(usize) -> bool) -> Vec<Element> {
    let mut all = vec![symmetry.identity()];
    for listed in symmetry.group.listed.iter().filter(|l| wanted(l.domain)) {
        let mut next = Vec::new();
        for element in &all {
            for permutation in &listed.permutations {
                let mut element = element.clone();
                element[listed.domain].clone_from(permutation);
                next.push(element);
            }
        }
        all = next;
    }
    all
}

/// Where the processes of a member stand.
fn pc_value(symmetry: &Symmetry, block: &Block, member: u8, state: &[u8]) -> u64 {
    let domain = &symmetry.action.domains[block.domain];
    domain.families.iter().fold(0, |key, family| {
        let pid = family.pids[usize::from(member)];
        (key << 16) | symmetry.action.location(state, pid) as u64
    })
}

/// The member's element of the main array, and of program counters where there is none.
fn main_value(symmetry: &Symmetry, block: &Block, member: u8, state: &[u8]) -> u64 {
    match &symmetry.main[block.domain] {
        Some(array) => {
            let domain = &symmetry.action.domains[block.domain];
            let index = match domain.sort {
                Some(_) => u32::from(domain.values[usize::from(member)]),
                None => domain.families[0].pids[usize::from(member)] as u32,
            };
            element_of(array, index, state)
        }
        None => pc_value(symmetry, block, member, state),
    }
}

fn element_of(array: &Array, index: u32, state: &[u8]) -> u64 {
    let at = (array.offset + index * array.dims[0].1) as usize;
    (0..array.width as usize).fold(0, |v, k| v | u64::from(state[at + k]) << (8 * k))
}
