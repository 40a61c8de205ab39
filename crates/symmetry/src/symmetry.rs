//! The symmetry of a model, as searches see it.

use std::sync::{Arc, OnceLock};

use isospin_machine::native::permute::Permuter;
use isospin_model::{Model, ProcTypeId};

use crate::action::{Array, Fields, GroupAction, Renaming};
use crate::alike::Alike;
use crate::family::{identity, Domain, Element};
use crate::flow::Flow;
use crate::group::{transposition, Group};
use crate::loops::Loop;
use crate::sorts::Sorts;
use crate::startup::Startup;
use crate::tracks::Tracks;

/// Of larger domains the exchanges of two members are not kept.
const MAX_SWAPS: usize = 24;

/// What symmetry a model has, and how it acts.
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// How permutations act on states.
    pub(crate) action: GroupAction,
    /// The permutations.
    pub group: Group,
    /// How they act on the states of the automaton that reads what a property looks at, where they
    /// do not leave those as they are.
    pub(crate) tracks: Option<Arc<Tracks>>,
    /// For each domain, the array that the sorted strategies sort.
    pub(crate) main: Vec<Option<Array>>,
    model: Arc<Model>,
    startup: Startup,
    /// For each process type and location, whether it lies within a loop over all names.
    between: Vec<Vec<bool>>,
    has_between: bool,
    has_dead: bool,
    /// The exchanges of two members of each domain that is small enough.
    swaps: Vec<Vec<Renaming>>,
    alike: Alike,
    /// The action as machine code, made when it is first asked for; `None` where it cannot be.
    native: OnceLock<Option<Arc<Permuter>>>,
}

impl Symmetry {
    pub(crate) fn new(
        model: &Arc<Model>,
        startup: Startup,
        action: GroupAction,
        group: Group,
        flows: &[Flow],
        sorts: &Sorts,
        loops: &[Vec<Loop>],
    ) -> Symmetry {
        let mut between: Vec<Vec<bool>> = flows.iter().map(|f| vec![false; f.locations]).collect();
        for (ty, (flow, loops)) in flows.iter().zip(loops).enumerate() {
            for over in loops {
                let node = sorts.local(ProcTypeId(ty as u16), over.slot, over.head);
                let pids = node == sorts.pid();
                if pids || action.domains.iter().any(|d| d.sort == Some(node)) {
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
            let mut of_domain = Vec::new();
            for a in (0..size).filter(|_| size <= MAX_SWAPS) {
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
            native: OnceLock::new(),
            alike: Alike::new(&action),
            action,
            group,
            tracks: None,
        }
    }

    /// The same symmetry for states that are followed by one byte for each process, which goes where
    /// the process goes: a search can keep something with each process there.
    pub fn with_bytes(&self) -> Symmetry {
        self.with(GroupAction::add_bytes)
    }

    /// The same symmetry for states that are followed by [what tells](Symmetry::track) the state of
    /// an automaton, if permutations move that.
    pub fn with_tracks(&self) -> Symmetry {
        self.with(|action| {
            if self.tracks.is_some() {
                action.add_bytes();
                action.add_names();
            }
        })
    }

    /// Appends what tells the state of an automaton to a state: a byte for each process, and one for
    /// each name that no process bears. Nothing if no permutation moves it.
    pub fn track(&self, automaton: u32, out: &mut Vec<u8>) {
        let Some(tracks) = &self.tracks else { return };
        let start = out.len();
        out.resize(start + self.action.frames.len(), 0);
        let mut first = 0;
        for domain in &self.action.domains {
            for family in &domain.families {
                for (m, &pid) in family.pids.iter().enumerate() {
                    out[start + pid] = tracks.colour(automaton, first + m);
                }
            }
            first += domain.size();
        }
        let mut first = 0;
        for domain in &self.action.domains {
            if domain.families.is_empty() {
                let start = out.len();
                out.resize(start + domain.span(), 0);
                for (m, &value) in domain.values.iter().enumerate() {
                    out[start + usize::from(value)] = tracks.colour(automaton, first + m);
                }
            }
            first += domain.size();
        }
    }

    /// The state that stands for all states of an automaton that permutations take to this one.
    pub fn base(&self, automaton: u32) -> u32 {
        self.tracks.as_ref().map_or(automaton, |tracks| tracks.base(automaton))
    }

    /// Whether permutations move states of the automaton.
    pub fn is_tracking(&self) -> bool {
        self.tracks.is_some()
    }

    /// The same symmetry with more in a state.
    fn with(&self, add: impl FnOnce(&mut GroupAction)) -> Symmetry {
        let mut action = self.action.clone();
        add(&mut action);
        Symmetry {
            tracks: self.tracks.clone(),
            alike: Alike::new(&action),
            native: OnceLock::new(),
            action,
            group: self.group.clone(),
            main: self.main.clone(),
            model: Arc::clone(&self.model),
            startup: self.startup.clone(),
            between: self.between.clone(),
            swaps: self.swaps.clone(),
            ..*self
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
                .any(|(pid, f)| self.between[f.0.index()][self.action.location(state, pid)])
    }

    /// Sets what does not count to 0.
    pub(crate) fn forget_dead(&self, state: &mut [u8]) {
        if !self.has_dead {
            return;
        }
        for (pid, &(ty, at, _)) in self.action.frames.iter().enumerate() {
            let location = self.action.location(state, pid);
            for &(from, len) in &self.action.types[ty.index()].dead[location] {
                let from = (at + from) as usize;
                state[from..from + len as usize].fill(0);
            }
        }
    }

    /// For each process the first one that is its *twin*: exchanging their names leaves the state as
    /// it is, so that what one of them can do is what the other can do, renamed: state symmetry
    /// [Gyuris 1999]. `scratch` is room for two states.
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
        let mut mentioned = Vec::new();
        self.mentions(base, &mut mentioned);
        for block in &self.group.blocks {
            let domain = &self.action.domains[block.domain];
            for (k, &m) in block.members.iter().enumerate().skip(1) {
                let twin = block.members[..k].iter().find(|&&other| {
                    let stand = |m: u8| {
                        let pids = domain.families.iter().map(move |f| f.pids[usize::from(m)]);
                        pids.map(|pid| self.action.location(base, pid))
                    };
                    stand(m).eq(stand(other))
                        && self.are_alike(block.domain, (other, m), base, &mentioned, image)
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

    /// Finds the names that others hold than who bears them.
    pub(crate) fn mentions(&self, state: &[u8], mentioned: &mut Vec<bool>) {
        self.alike.mentions(&self.action, state, mentioned);
    }

    /// Whether exchanging two members of a domain leaves a state as it is. `image` is room for it.
    pub(crate) fn are_alike(
        &self,
        domain: usize,
        pair: (u8, u8),
        state: &[u8],
        mentioned: &[bool],
        image: &mut Vec<u8>,
    ) -> bool {
        let seen = self.alike.are(&self.action, domain, pair, state, mentioned);
        debug_assert!(seen.is_none_or(|seen| {
            self.exchange(domain, pair.0, pair.1, state, image);
            seen == (image == state)
        }));
        seen.unwrap_or_else(|| {
            self.exchange(domain, pair.0, pair.1, state, image);
            image == state
        })
    }

    /// Writes the image of a state under the exchange of two members of a domain into `out`.
    pub(crate) fn exchange(&self, domain: usize, a: u8, b: u8, state: &[u8], out: &mut Vec<u8>) {
        let size = self.action.domains[domain].size();
        let known = usize::from(a) * size + usize::from(b);
        if let Some(renaming) = self.swaps[domain].get(known) {
            return self.permute(renaming, state, out);
        }
        let mut renaming = self.action.no_renaming();
        let swap = transposition(&self.action.domains, domain, a.into(), b.into());
        self.action.rename(&swap, &mut renaming);
        self.permute(&renaming, state, out);
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
        self.permute(&renaming, state, out);
    }

    /// The same without machine code: the definition.
    pub fn apply_by_definition(&self, element: &Element, state: &[u8], out: &mut Vec<u8>) {
        if !self.is_settled(state) {
            out.clear();
            out.extend_from_slice(state);
            return;
        }
        let mut renaming = self.action.no_renaming();
        self.action.rename(element, &mut renaming);
        self.action.apply(&renaming, state, out);
    }

    /// Whether there is machine code for the action.
    pub fn is_native(&self) -> bool {
        self.native().is_some()
    }

    fn native(&self) -> Option<&Permuter> {
        let compile = || Permuter::new(&self.action.program()).ok().map(Arc::new);
        self.native.get_or_init(compile).as_deref()
    }

    /// Writes the image of a state in which all processes are there into `out`.
    #[inline]
    pub(crate) fn permute(&self, renaming: &Renaming, state: &[u8], out: &mut Vec<u8>) {
        match self.native() {
            Some(native) => native.apply(&renaming.tables, state, out),
            None => self.action.apply(renaming, state, out),
        }
    }

    /// Whether two states are the same, apart from values that do not count.
    pub fn agree(&self, state: &[u8], other: &[u8]) -> bool {
        if state == other {
            return true;
        }
        if !self.has_dead || state.len() != other.len() {
            return false;
        }
        let [mut state, mut other] = [state, other].map(<[u8]>::to_vec);
        if self.is_settled(&state) && self.is_settled(&other) {
            self.forget_dead(&mut state);
            self.forget_dead(&mut other);
        }
        state == other
    }

    /// For each process, the number of the process that it becomes under an element.
    pub fn ranks(&self, element: &Element) -> Vec<u8> {
        let mut ranks = Vec::with_capacity(self.action.frames.len());
        self.add_ranks(element, &mut ranks);
        ranks
    }

    /// Appends the same to a list.
    pub fn add_ranks(&self, element: &Element, ranks: &mut Vec<u8>) {
        let start = ranks.len();
        ranks.extend(0..self.action.frames.len() as u8);
        for (domain, to) in self.action.domains.iter().zip(element) {
            for family in &domain.families {
                for (&pid, &to) in family.pids.iter().zip(to) {
                    ranks[start + pid] = family.pids[usize::from(to)] as u8;
                }
            }
        }
    }

    /// The element that exchanges the names of two processes of one type.
    pub fn exchanging(&self, a: usize, b: usize) -> Element {
        let mut element = identity(&self.action.domains);
        for (domain, to) in self.action.domains.iter().zip(&mut element) {
            for family in &domain.families {
                let member = |pid| family.pids.iter().position(|&p| p == pid);
                if let (Some(a), Some(b)) = (member(a), member(b)) {
                    to.swap(a, b);
                }
            }
        }
        element
    }

    /// The element that moves nothing.
    pub fn identity(&self) -> Element {
        identity(&self.action.domains)
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
fn main_array(action: &GroupAction, domain: usize) -> Option<Array> {
    sortable(action, domain).next().cloned()
}

/// Arrays with one plain element a name.
fn sortable(action: &GroupAction, domain: usize) -> impl Iterator<Item = &Array> {
    let sort = match action.domains[domain].sort {
        Some(_) => 2 + domain as u8,
        None => crate::action::PIDS,
    };
    let fits =
        move |a: &&Array| a.value.is_none() && matches!(a.dims[..], [(.., Some(s))] if s == sort);
    action.arrays.iter().filter(fits)
}
